//! External functions.

use super::Env;
use crate::cx::Cx;
use crate::exp::Exp;
use crate::node::{Def, NodeId};
use crate::tree::{ComponentId, FunctionBody, NativeCode};
use modeshift_base::Name;
use modeshift_diag::Code;
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{self, Purity};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn declared_pure(&self, node: NodeId) -> bool {
        let purity = match self.node(node).def {
            Def::Class(_, data) => data.purity,
            Def::Short { def, .. } => def.purity,
            _ => None,
        };
        purity == Some(Purity::Pure)
            || self
                .node(node)
                .bases
                .iter()
                .any(|base| self.declared_pure(*base))
    }

    /// The external clause of a function, its own or inherited.
    pub(crate) fn external_of(&self, node: NodeId) -> Option<(&'a ast::External, NodeId)> {
        if let Some(external) = self
            .node(node)
            .def
            .body()
            .and_then(|body| body.external.as_deref())
        {
            return Some((external, node));
        }
        self.node(node)
            .bases
            .iter()
            .find_map(|base| self.external_of(*base))
    }

    pub(crate) fn type_external(
        &mut self,
        external: &'a ast::External,
        home: NodeId,
        text: ClassId,
    ) -> FunctionBody {
        let text = self.node(home).def.text().unwrap_or(text);
        let mut env = Env::new(home, text);
        env.function = true;
        env.algorithm = true;
        let language: Arc<str> = external
            .language
            .as_ref()
            .map_or("C".into(), |text| Arc::from(&*text.text));
        let args = external
            .args
            .iter()
            .map(|arg| self.external_argument(arg, &mut env))
            .collect();
        let output = external
            .output
            .as_ref()
            .map(|output| self.type_ref(output, &mut env).exp);
        let name = external.name.map(|name| name.name);
        let name = name.unwrap_or_else(|| match self.node(home).def {
            Def::Class(_, data) => data.name.name,
            _ => Name::new(""),
        });
        if !matches!(&*language, "C" | "FORTRAN 77" | "builtin") {
            let place = crate::tree::place_of(
                text,
                external
                    .language
                    .as_ref()
                    .map_or(external.span, |it| it.span),
            );
            let message = format!(
                "external functions can be written in C or FORTRAN 77, not in `{language}`"
            );
            self.error(
                Code::MS2031,
                place,
                message,
                "not a language for external functions",
            );
        }
        let (mut args, mut output): (Vec<Exp>, Option<Exp>) = (args, output);
        if external.name.is_none() {
            self.default_external_call(home, &mut args, &mut output);
        }
        let annotation = external
            .annotation
            .as_ref()
            .map(|it| crate::print::annotation(it));
        let code = native_code(external.annotation.as_deref());
        FunctionBody::External {
            code: Arc::new(code),
            language,
            name: name.as_str().into(),
            args,
            output,
            annotation,
        }
    }

    /// `size(x, 1)` is passed as it is written, even where it is known.
    pub(crate) fn external_argument(&mut self, arg: &ast::Expr, env: &mut Env) -> Exp {
        if let ast::ExprKind::Call { function, args } = &arg.kind
            && function.parts.len() == 1
            && function.parts[0].name.as_str() == "size"
            && let [array, index] = args.positional.as_slice()
        {
            let (array, index) = (self.type_exp(array, env), self.type_exp(index, env));
            return Exp::Size(Box::new(array.exp), Some(Box::new(index.exp)));
        }
        self.type_exp(arg, env).exp
    }

    /// Without an explicit call, all inputs are passed in order and the single output is the result.
    pub(crate) fn default_external_call(
        &mut self,
        home: NodeId,
        args: &mut Vec<Exp>,
        output: &mut Option<Exp>,
    ) {
        let node = self.derived_most(home);
        let Some(info) = self.function_of_node(node) else {
            return;
        };
        let reference = |cx: &mut Self, id: ComponentId| {
            let ty = cx.full_type(id);
            let parts = vec![crate::exp::CrefPart {
                component: id,
                subscripts: Vec::new(),
            }];
            Exp::Ref(crate::exp::Cref { parts, ty })
        };
        let pass = |cx: &mut Self, id: ComponentId, args: &mut Vec<Exp>| {
            let whole = reference(cx, id);
            args.push(whole.clone());
            for dim in 0..cx.full_type(id).rank() {
                args.push(Exp::Size(
                    Box::new(whole.clone()),
                    Some(Box::new(Exp::Int(dim as i64 + 1))),
                ));
            }
        };
        for &id in &info.inputs {
            pass(self, id, args);
        }
        match info.outputs.as_slice() {
            [] => {}
            [one] if !self.full_type(*one).is_array() => *output = Some(reference(self, *one)),
            many => {
                for &id in many {
                    pass(self, id, args);
                }
            }
        }
    }
}

/// `Library = "m"` or `Library = {"a", "b"}`, `LibraryDirectory = "modelica://Package/Resources"`, `Include = "..."`.
fn native_code(annotation: Option<&ast::Annotation>) -> NativeCode {
    let mut code = NativeCode::default();
    for argument in annotation.map(|it| it.args.as_slice()).unwrap_or_default() {
        let ast::ArgumentKind::Modify {
            target,
            modification: Some(modification),
            ..
        } = &argument.kind
        else {
            continue;
        };
        let Some(ast::Binding::Expr(value)) = &modification.binding else {
            continue;
        };
        let text = |exp: &ast::Expr| match &exp.kind {
            ast::ExprKind::Str(text) => Some(Arc::<str>::from(&**text)),
            _ => None,
        };
        match target.first().map(|name| name.name.as_str()) {
            Some("Library") => match &value.kind {
                ast::ExprKind::Array(items) => code.libraries.extend(items.iter().filter_map(text)),
                _ => code.libraries.extend(text(value)),
            },
            Some("LibraryDirectory") => code.directory = text(value),
            Some("Include") => code.include = true,
            _ => {}
        }
    }
    code
}
