//! What annotations say about a function, and the functions that go along with it.

use super::Env;
use crate::cx::{Cx, FunctionInfo};
use crate::node::{Def, NodeId};
use crate::tree::{ComponentId, DerivativeHint, Hints, InverseHint, place_of};
use crate::ty::Type;
use modeshift_base::Name;
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{self, Purity};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// The annotations of a function, and the names of the functions that are handed out with it: its derivatives and
    /// inverses, and the constructors of the records among its variables.
    pub(crate) fn hints(
        &mut self,
        info: &FunctionInfo,
        def: Def<'a>,
        variables: &[ComponentId],
    ) -> (Hints, Vec<Arc<str>>) {
        let mut along: Vec<Arc<str>> = Vec::new();
        for &id in variables {
            if let Type::Record(record) = &self.out.components[id].ty
                && let Some(&elem) = self.record_elems.get(&record.path)
            {
                let constructor = self.function(elem);
                let others = self.constructors_of(elem);
                for constructor in constructor.into_iter().chain(others) {
                    self.along(&constructor, info, &mut along);
                }
            }
        }
        let mut hints = Hints {
            undeclared: info.external && info.pure && !self.declared(info.node),
            ..Hints::default()
        };
        if let Some(text) = def.text() {
            let arguments = def.annotation().map(|it| it.args.as_slice());
            for argument in arguments.unwrap_or_default() {
                self.hint(info, text, argument, &mut hints, &mut along);
            }
        }
        (hints, along)
    }

    fn hint(
        &mut self,
        info: &FunctionInfo,
        text: ClassId,
        argument: &'a ast::Argument,
        hints: &mut Hints,
        along: &mut Vec<Arc<str>>,
    ) {
        let Some((name, modification)) = named(argument) else {
            return;
        };
        let value = value(modification);
        match name.as_str() {
            "derivative" => {
                let Some(ast::ExprKind::Ref(reference)) = value else {
                    return;
                };
                let Some(function) = self.annotated(reference, info, text, along) else {
                    return;
                };
                let mut hint = DerivativeHint {
                    function,
                    order: 1,
                    zero: Vec::new(),
                    no: Vec::new(),
                    place: place_of(text, argument.span),
                };
                for restriction in &modification.args {
                    let Some((name, modification)) = named(restriction) else {
                        continue;
                    };
                    let value = self::value(modification);
                    match name.as_str() {
                        "order" => hint.order = value.and_then(whole).unwrap_or(0),
                        "zeroDerivative" => hint.zero.extend(value.and_then(plain)),
                        "noDerivative" => hint.no.extend(value.and_then(plain)),
                        _ => {}
                    }
                }
                hints.derivatives.push(hint);
            }
            "inverse" => {
                for inverse in &modification.args {
                    let Some((input, modification)) = named(inverse) else {
                        continue;
                    };
                    let Some(ast::ExprKind::Call { function, args }) = self::value(modification)
                    else {
                        continue;
                    };
                    let Some(function) = self.annotated(function, info, text, along) else {
                        continue;
                    };
                    let args = args.positional.iter().map(|arg| plain(&arg.kind));
                    if let Some(args) = args.collect() {
                        hints.inverses.push(InverseHint {
                            input,
                            function,
                            args,
                            place: place_of(text, inverse.span),
                        });
                    }
                }
            }
            "Inline" => hints.inline = value.and_then(truth),
            "LateInline" => hints.late_inline = value.and_then(truth),
            "InlineAfterIndexReduction" => {
                hints.late_inline = value.and_then(truth).or(hints.late_inline);
            }
            "GenerateEvents" => hints.generate_events = value.and_then(truth) == Some(true),
            "smoothOrder" => hints.smooth_order = value.and_then(whole),
            _ => {}
        }
    }

    /// The function that an annotation names.
    fn annotated(
        &mut self,
        reference: &'a ast::ComponentRef,
        info: &FunctionInfo,
        text: ClassId,
        along: &mut Vec<Arc<str>>,
    ) -> Option<Arc<str>> {
        let mut env = Env::new(info.node, text);
        let elem = self.quietly(|cx| cx.lookup_function(reference, &mut env)).0;
        let found = elem.and_then(|elem| self.function(elem))?;
        self.along(&found, info, along);
        Some(found.name.clone())
    }

    fn along(&mut self, found: &Arc<FunctionInfo>, of: &FunctionInfo, along: &mut Vec<Arc<str>>) {
        self.require_function(found);
        if !along.contains(&found.name) && found.node != of.node {
            along.push(found.name.clone());
        }
    }

    /// Whether a function or one that it is made from says `pure` or `impure`.
    fn declared(&self, node: NodeId) -> bool {
        let purity = match self.node(node).def {
            Def::Class(_, data) => data.purity,
            Def::Short { def, .. } => def.purity,
            _ => None,
        };
        matches!(purity, Some(Purity::Pure | Purity::Impure))
            || self
                .node(node)
                .bases
                .iter()
                .any(|base| self.declared(*base))
    }
}

/// Whether a function says `GenerateEvents = true`.
pub(crate) fn generates_events(annotation: Option<&ast::Annotation>) -> bool {
    let arguments = annotation.map(|it| it.args.as_slice()).unwrap_or_default();
    let mut arguments = arguments.iter().filter_map(named);
    arguments.any(|(name, modification)| {
        name == "GenerateEvents" && value(modification).and_then(truth) == Some(true)
    })
}

fn named(argument: &ast::Argument) -> Option<(Name, &ast::Modification)> {
    match &argument.kind {
        ast::ArgumentKind::Modify {
            target,
            modification: Some(modification),
            ..
        } => Some((target.first()?.name, modification)),
        _ => None,
    }
}

fn value(modification: &ast::Modification) -> Option<&ast::ExprKind> {
    match &modification.binding {
        Some(ast::Binding::Expr(exp)) => Some(&exp.kind),
        _ => None,
    }
}

fn plain(exp: &ast::ExprKind) -> Option<Name> {
    match exp {
        ast::ExprKind::Ref(reference) => match &reference.parts[..] {
            [only] if only.subscripts.is_empty() => Some(only.name),
            _ => None,
        },
        _ => None,
    }
}

fn whole(exp: &ast::ExprKind) -> Option<u32> {
    match exp {
        ast::ExprKind::Int(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn truth(exp: &ast::ExprKind) -> Option<bool> {
    match exp {
        ast::ExprKind::Bool(value) => Some(*value),
        _ => None,
    }
}
