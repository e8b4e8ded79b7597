//! Changes of a text that keep its meaning, offered where they are possible: an expression gets a variable of its
//! own, a connection a connector in the middle, `pre` of a continuous variable the form that every tool knows.

use crate::cursor::Cursor;
use crate::format::TextEdit;
use crate::predefined::{Predefined, predefined};
use crate::symbols::dotted;
use modeshift_base::{FxHashSet, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, class_of, lookup_path};
use modeshift_hir::{ClassId, Element, class, full_name};
use modeshift_syntax::ast::{
    BinaryOp, ClassBody, ClassDef, ClassSpec, ComponentRef, Equation, EquationKind, Expr, ExprKind,
    Node, SectionKind, UnaryOp, VariabilityPrefix, Visit,
};

/// A change that is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refactoring {
    pub title: String,
    /// What is taken out, rather than written anew.
    pub extracts: bool,
    pub edits: Vec<TextEdit>,
}

/// What can be done with the selected text, or with what stands at the cursor. O(length of the class).
pub fn refactorings(db: &dyn Db, file: SourceFile, selected: Span) -> Vec<Refactoring> {
    let cursor = Cursor::new(db, file);
    let Some(&(scope, def)) = cursor.classes_around(selected.start).last() else {
        return Vec::new();
    };
    let (ClassSpec::Long(body) | ClassSpec::Extends { body, .. }) = &def.spec else {
        return Vec::new();
    };
    let text = file.text(db);
    let here = Here {
        db,
        text,
        scope,
        def,
        body,
    };
    let selected = trimmed(text, selected);
    [
        here.extract(selected),
        here.introduce_connector(selected),
        here.standard_pre(selected),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn trimmed(text: &str, span: Span) -> Span {
    let Some(inside) = text.get(span.range()) else {
        return span;
    };
    let start = span.start + (inside.len() - inside.trim_start().len()) as u32;
    Span::new(
        start,
        (span.end - (inside.len() - inside.trim_end().len()) as u32).max(start),
    )
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

struct Here<'a> {
    db: &'a dyn Db,
    text: &'a str,
    scope: ClassId,
    def: &'a ClassDef,
    body: &'a ClassBody,
}

impl<'a> Here<'a> {
    /// The equation around a place that is not in a loop, whose iterators would have to go along.
    fn equation(&self, place: Span) -> Option<&'a Equation> {
        let sections = self.body.sections.iter().filter(|it| !it.initial);
        let mut level: Vec<&'a [Equation]> = sections
            .filter_map(|section| match &section.kind {
                SectionKind::Equations(list) => Some(list.as_slice()),
                SectionKind::Algorithm(_) => None,
            })
            .collect();
        let mut found = None;
        loop {
            let mut all = level.iter().flat_map(|list| list.iter());
            let Some(inside) = all.find(|it| contains(it.span, place)) else {
                return found;
            };
            level = match &inside.kind {
                EquationKind::For { .. } => return None,
                EquationKind::If { branches, else_ } => branches
                    .iter()
                    .map(|it| it.body.as_slice())
                    .chain(else_.iter().map(Vec::as_slice))
                    .collect(),
                // Variables that are computed at an event only would become continuous.
                EquationKind::When { .. } => return None,
                _ => Vec::new(),
            };
            found = Some(inside);
        }
    }

    /// The smallest expression of an equation around a place that is wanted.
    fn expression(&self, place: Span, wanted: impl Fn(&Expr) -> bool) -> Option<&'a Expr> {
        let equation = self.equation(place)?;
        let mut found = None;
        let mut bound = false;
        equation.visit(&mut |node| {
            let inside = node.span().is_none_or(|span| contains(span, place));
            if let (true, Node::Expr(expr)) = (inside, node) {
                bound |= matches!(expr.kind, ExprKind::Comprehension { .. });
                if wanted(expr) {
                    found = Some(expr);
                }
            }
            inside
        });
        found.filter(|_| !bound)
    }

    fn symbol(&self, name: &ComponentRef) -> Option<Symbol> {
        let names: Vec<Name> = name.parts.iter().map(|part| part.name).collect();
        lookup_path(self.db, self.scope, name.global, &names)
    }

    fn written(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// `name`, `name2`, …: the first that the class does not use.
    fn free_name(&self, name: &str) -> String {
        let words = self.written(self.def.span);
        let used: FxHashSet<&str> = words
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let numbered = (2..).map(|number| format!("{name}{number}"));
        std::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| !used.contains(name.as_str()))
            .unwrap_or_default()
    }

    /// Writes a declaration as the last one before the equations.
    fn declare(&self, declaration: &str) -> Option<TextEdit> {
        let at = self.body.sections.first()?.span.start;
        let before = self.text.get(..at as usize)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let indent = match line.trim().is_empty() {
            true => line,
            false => "",
        };
        Some(TextEdit {
            span: Span::new(at, at),
            text: format!("  {declaration}\n{indent}"),
        })
    }

    /// The selected expression gets a variable of its own.
    fn extract(&self, selected: Span) -> Option<Refactoring> {
        if selected.is_empty() {
            return None;
        }
        let expr = self.expression(selected, |it| it.span == selected)?;
        let plain = matches!(
            expr.kind,
            ExprKind::Ref(_) | ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Bool(_)
        );
        let (kind, name) = match self.type_of(expr).filter(|_| !plain)? {
            Predefined::Boolean => ("Boolean", "condition"),
            Predefined::Integer => ("Integer", "count"),
            Predefined::Real => ("Real", "value"),
            Predefined::String | Predefined::Enumeration => return None,
        };
        let name = self.free_name(name);
        let written = self.written(selected);
        let written = match &expr.kind {
            ExprKind::Paren(inner) => self.written(inner.span),
            _ => written,
        };
        Some(Refactoring {
            title: format!("Extract into the variable `{name}`"),
            extracts: true,
            edits: vec![
                self.declare(&format!("{kind} {name} = {written};"))?,
                TextEdit {
                    span: selected,
                    text: name,
                },
            ],
        })
    }

    /// The type of a scalar expression whose names are all known.
    fn type_of(&self, expr: &Expr) -> Option<Predefined> {
        let real = |types: &[Predefined]| {
            let numbers = types
                .iter()
                .all(|it| matches!(it, Predefined::Real | Predefined::Integer));
            let integers = types.iter().all(|it| *it == Predefined::Integer);
            numbers.then_some(match integers {
                true => Predefined::Integer,
                false => Predefined::Real,
            })
        };
        Some(match &expr.kind {
            ExprKind::Int(_) => Predefined::Integer,
            ExprKind::Real(_) => Predefined::Real,
            ExprKind::Bool(_) => Predefined::Boolean,
            ExprKind::Paren(inner) => self.type_of(inner)?,
            ExprKind::Ref(name) => self.type_of_name(name)?,
            ExprKind::Unary { op, operand } => match (op, self.type_of(operand)?) {
                (UnaryOp::Not, Predefined::Boolean) => Predefined::Boolean,
                (UnaryOp::Plus | UnaryOp::Minus, kind) => real(&[kind])?,
                _ => return None,
            },
            ExprKind::Binary { op, lhs, rhs } => {
                let types = [self.type_of(lhs)?, self.type_of(rhs)?];
                match op {
                    BinaryOp::And | BinaryOp::Or => {
                        let both = types.iter().all(|it| *it == Predefined::Boolean);
                        both.then_some(Predefined::Boolean)?
                    }
                    op if is_relation(*op) => Predefined::Boolean,
                    BinaryOp::Div | BinaryOp::Pow => real(&types).map(|_| Predefined::Real)?,
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => real(&types)?,
                    _ => return None,
                }
            }
            ExprKind::Call { function, args } => {
                let [name] = function.parts.as_slice() else {
                    return None;
                };
                let smooth = matches!(
                    name.name.as_str(),
                    "sin" | "cos" | "tan" | "exp" | "log" | "sqrt" | "der"
                );
                if !smooth || self.symbol(function).is_some() {
                    return None;
                }
                let [argument] = args.positional.as_slice() else {
                    return None;
                };
                real(&[self.type_of(argument)?]).map(|_| Predefined::Real)?
            }
            _ => return None,
        })
    }

    fn type_of_name(&self, name: &ComponentRef) -> Option<Predefined> {
        if let [only] = name.parts.as_slice()
            && only.name.as_str() == "time"
        {
            return Some(Predefined::Real);
        }
        let symbol = self.symbol(name)?;
        let Symbol::Component { class: id, element } = symbol else {
            return None;
        };
        let Element::Component(component) = class(self.db, id).elements().get(element)? else {
            return None;
        };
        let subscripted = name.parts.iter().any(|part| !part.subscripts.is_empty());
        // Arrays on the way would make it one, too: only names of this class are certain.
        let scalar = component.dims.is_empty()
            && component.clause.dims.is_empty()
            && name.parts.len() == 1
            && !subscripted;
        predefined(self.db, symbol).filter(|_| scalar)
    }

    /// `connect(a, b)` becomes `connect(a, node); connect(node, b)`.
    fn introduce_connector(&self, selected: Span) -> Option<Refactoring> {
        let equation = self.equation(selected)?;
        let EquationKind::Connect { from, to } = &equation.kind else {
            return None;
        };
        let plain = |name: &ComponentRef| name.parts.iter().all(|part| part.subscripts.is_empty());
        let symbol = self.symbol(from).filter(|_| plain(from) && plain(to))?;
        let connector = class_of(self.db, symbol)?;
        let full = full_name(self.db, connector);
        // The name must mean the same here.
        if lookup_path(self.db, self.scope, false, &full) != Some(Symbol::Class(connector)) {
            return None;
        }
        let name = self.free_name("node");
        let call = Span::new(equation.span.start, to.span.end);
        let (from, to) = (self.written(from.span), self.written(to.span));
        let before = self.text.get(..equation.span.start as usize)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
        Some(Refactoring {
            title: format!("Introduce the connector `{name}` in the middle"),
            extracts: true,
            edits: vec![
                self.declare(&format!("{} {name};", dotted(full)))?,
                TextEdit {
                    span: call,
                    text: format!("connect({from}, {name});\n{indent}connect({name}, {to}"),
                },
            ],
        })
    }

    /// `pre(x) >= 0` of a continuous `x` becomes `pre(reached)` with `reached = x >= 0`.
    fn standard_pre(&self, selected: Span) -> Option<Refactoring> {
        let relation = self.expression(selected, |it| match &it.kind {
            ExprKind::Binary { op, .. } => is_relation(*op),
            _ => false,
        })?;
        let mut pre = Vec::new();
        let mut certain = true;
        relation.visit(&mut |node| {
            match node {
                Node::Expr(Expr {
                    kind: ExprKind::Call { function, args },
                    span,
                }) => {
                    let is_pre =
                        matches!(function.parts.as_slice(), [it] if it.name.as_str() == "pre");
                    match args.positional.as_slice() {
                        [argument] if is_pre => pre.push((*span, argument)),
                        _ => certain = false,
                    }
                    return false;
                }
                Node::Expr(Expr {
                    kind: ExprKind::Ref(name),
                    ..
                }) => certain &= self.is_fixed(name),
                _ => {}
            }
            true
        });
        let continuous = pre.iter().all(|(_, argument)| match &argument.kind {
            ExprKind::Ref(name) => self.is_continuous(name),
            _ => false,
        });
        if pre.is_empty() || !certain || !continuous {
            return None;
        }
        let name = self.free_name("reached");
        let mut condition = self.written(relation.span).to_owned();
        for (span, argument) in pre.iter().rev() {
            let start = (span.start - relation.span.start) as usize;
            let end = (span.end - relation.span.start) as usize;
            condition.replace_range(start..end, self.written(argument.span));
        }
        let declaration = format!("Boolean {name}(start = false, fixed = true) = {condition};");
        Some(Refactoring {
            title: format!(
                "Write `pre` of a continuous variable in the standard form: `pre({name})`"
            ),
            extracts: false,
            edits: vec![
                self.declare(&declaration)?,
                TextEdit {
                    span: relation.span,
                    text: format!("pre({name})"),
                },
            ],
        })
    }

    fn variability(&self, name: &ComponentRef) -> Option<(Symbol, Option<VariabilityPrefix>)> {
        let symbol = self.symbol(name)?;
        let Symbol::Component { class: id, element } = symbol else {
            return None;
        };
        let Element::Component(component) = class(self.db, id).elements().get(element)? else {
            return None;
        };
        Some((symbol, component.clause.type_prefix.variability))
    }

    /// A parameter or constant.
    fn is_fixed(&self, name: &ComponentRef) -> bool {
        let fixed = [VariabilityPrefix::Parameter, VariabilityPrefix::Constant];
        let found = self.variability(name).and_then(|(_, it)| it);
        found.is_some_and(|it| fixed.contains(&it))
    }

    /// A Real of this class that no `when` assigns.
    fn is_continuous(&self, name: &ComponentRef) -> bool {
        let Some((symbol, None)) = self.variability(name) else {
            return false;
        };
        let mut assigned = false;
        for section in &self.body.sections {
            section.visit(&mut |node| {
                if let Node::Equation(equation) = node
                    && let EquationKind::When { branches } = &equation.kind
                {
                    let written = branches.iter().flat_map(|it| &it.body);
                    assigned |= written
                        .filter_map(|it| match &it.kind {
                            EquationKind::Equality { lhs, .. } => Some(lhs.span),
                            _ => None,
                        })
                        .any(|span| self.written(span) == self.written(name.span));
                }
                !matches!(node, Node::Expr(_))
            });
        }
        let algorithms = self.body.sections.iter();
        let statements = algorithms
            .filter(|it| matches!(it.kind, SectionKind::Algorithm(_)))
            .count();
        predefined(self.db, symbol) == Some(Predefined::Real) && !assigned && statements == 0
    }
}

const fn is_relation(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
    )
}
