//! What standard Modelica cannot say: models that use it have no counterpart in OpenModelica.

use super::read::FlatText;
use super::scope::{components, plain_name, ref_text};
use modeshift_syntax::ast::{
    Binding, Branch, ClassBody, ClassSpec, Equation, EquationKind, Expr, ExprKind, SectionKind,
};
use std::collections::BTreeSet;

/// The extensions a flat model uses, in words. Linear in the text.
pub fn extensions(text: &FlatText) -> Vec<String> {
    let Some(ClassSpec::Long(body)) = text.classes.last().map(|class| &class.spec) else {
        return Vec::new();
    };
    let mut finder = Finder {
        continuous: continuous(body),
        found: BTreeSet::new(),
    };
    for component in components(body) {
        let modification = component.declaration.modification.as_deref();
        if let Some(Binding::Expr(value)) = modification.and_then(|it| it.binding.as_ref()) {
            finder.expr(value);
        }
    }
    for section in body.sections.iter().filter(|section| !section.initial) {
        if let SectionKind::Equations(equations) = &section.kind {
            finder.equations(equations, false);
        }
    }
    finder.found.into_iter().collect()
}

/// Reals that no `when` and no algorithm sets.
fn continuous(body: &ClassBody) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = components(body)
        .filter(|component| {
            component.shape.0 == super::scope::Shape::Number && component.variability.is_none()
        })
        .filter(|component| component.clause.type_name.to_string() == "Real")
        .map(|component| component.name)
        .collect();
    for section in &body.sections {
        match &section.kind {
            SectionKind::Equations(equations) => {
                for equation in equations {
                    let EquationKind::When { branches } = &equation.kind else {
                        continue;
                    };
                    for equation in branches.iter().flat_map(|branch| &branch.body) {
                        if let EquationKind::Equality { lhs, .. } = &equation.kind
                            && let ExprKind::Ref(name) = &lhs.kind
                        {
                            names.remove(&ref_text(name));
                        }
                    }
                }
            }
            SectionKind::Algorithm(_) => names.clear(),
        }
    }
    names
}

struct Finder {
    continuous: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Finder {
    fn equations(&mut self, equations: &[Equation], in_when: bool) {
        for equation in equations {
            match &equation.kind {
                EquationKind::Equality { lhs, rhs } => {
                    if in_when && !matches!(lhs.kind, ExprKind::Ref(_) | ExprKind::Tuple(_)) {
                        self.found
                            .insert("a law in `when` that is no assignment".to_owned());
                    }
                    if !in_when {
                        self.expr(lhs);
                        self.expr(rhs);
                    }
                }
                EquationKind::If { branches, else_ } => {
                    self.branches(branches, in_when);
                    self.equations(else_.as_deref().unwrap_or_default(), in_when);
                }
                EquationKind::For { body, .. } => self.equations(body, in_when),
                EquationKind::When { branches } => self.branches(branches, true),
                EquationKind::Connect { .. } | EquationKind::Call { .. } | EquationKind::Error => {}
            }
        }
    }

    fn branches(&mut self, branches: &[Branch<Equation>], in_when: bool) {
        for branch in branches {
            self.expr(&branch.condition);
            self.equations(&branch.body, in_when);
        }
    }

    /// Looks for `pre` of a continuous variable.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { function, args } => {
                if plain_name(function) == "pre"
                    && let [
                        Expr {
                            kind: ExprKind::Ref(name),
                            ..
                        },
                    ] = &args.positional[..]
                    && self.continuous.contains(&ref_text(name))
                {
                    self.found
                        .insert("`pre` of a continuous variable".to_owned());
                }
                args.positional.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Paren(inner) | ExprKind::Unary { operand: inner, .. } => self.expr(inner),
            ExprKind::Binary { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::If { branches, else_ } => {
                for (condition, value) in branches {
                    self.expr(condition);
                    self.expr(value);
                }
                self.expr(else_);
            }
            ExprKind::Array(items) => items.iter().for_each(|item| self.expr(item)),
            _ => {}
        }
    }
}
