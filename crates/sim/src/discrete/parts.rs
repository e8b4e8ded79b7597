//! Integer parts in continuous equations: `floor(x)` is a discrete variable of its own, which changes at events.

use super::split::{Parts, builtin, called};
use crate::sorted::lower::Class;
use modeshift_base::FxHashSet;
use modeshift_flat::model::{Algorithm, FlatExp, FlatRef, VarId};
use modeshift_flat::walk::{change_equations, change_statements, rewrite, statement_exps, walk};
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::Type;

fn binary(op: BinaryOp, a: FlatExp, b: FlatExp) -> FlatExp {
    Exp::Binary(op, Box::new((a, b)))
}

impl Parts {
    /// Integer parts of what moves become variables. Not where an algorithm computes what they are parts of.
    pub(super) fn integer_parts(&mut self) -> Option<()> {
        let mut equations = std::mem::take(&mut self.flat.equations);
        let mut algorithms = std::mem::take(&mut self.flat.algorithms);
        let mixed: Vec<&mut Algorithm> = (algorithms.iter_mut())
            .filter(|it| !self.is_discrete(it))
            .collect();
        if mixed.iter().any(|it| self.has_integer_parts_of_its_own(it)) {
            return None;
        }
        let mut found: Vec<FlatExp> = Vec::new();
        let first = self.first_part as usize;
        let variable = |k: usize| Exp::Ref(FlatRef::Var(VarId::new(first + k)));
        let mut change = |exp: &mut FlatExp| {
            let whole = std::mem::replace(exp, Exp::Error);
            *exp = rewrite(whole, &mut |part| {
                // What stands in `noEvent` makes no event.
                if called(&part).is_some_and(|(name, _)| name == "noEvent") {
                    return rewrite(part, &mut |inner| match inner {
                        Exp::Ref(FlatRef::Var(id)) if id.index() >= first => {
                            found[id.index() - first].clone()
                        }
                        other => other,
                    });
                }
                let Some((name, call)) = called(&part) else {
                    return part;
                };
                if !is_integer_part(name) || !self.moves(&part) {
                    return part;
                }
                let name = name.to_owned();
                let mut args = call.args.clone().into_iter();
                let (Some(x), y) = (args.next(), args.next()) else {
                    return part;
                };
                let ty = call.ty.clone();
                let inner = match name.as_str() {
                    "mod" => "floor",
                    "rem" => "div",
                    other => other,
                };
                let of = match (&y, inner) {
                    (Some(y), "floor") => {
                        let ratio = binary(BinaryOp::Div, x.clone(), y.clone());
                        builtin("floor", vec![ratio], Type::Real)
                    }
                    (Some(y), _) => builtin("div", vec![x.clone(), y.clone()], Type::Real),
                    (None, _) => builtin(inner, vec![x.clone()], Type::Real),
                };
                let of = match inner {
                    "integer" => of,
                    _ => builtin("integer", vec![of], Type::Integer),
                };
                let k = found.iter().position(|known| *known == of);
                let k = k.unwrap_or_else(|| {
                    found.push(of);
                    found.len() - 1
                });
                let number = match ty {
                    Type::Integer => variable(k),
                    _ => Exp::Cast(Type::Real, Box::new(variable(k))),
                };
                match (y, name.as_str()) {
                    (Some(y), "mod" | "rem") => {
                        let whole = binary(BinaryOp::Mul, number, y);
                        binary(BinaryOp::Sub, x, whole)
                    }
                    _ => number,
                }
            });
        };
        change_equations(&mut equations, &mut change);
        for algorithm in mixed {
            change_statements(&mut algorithm.statements, &mut change);
        }
        self.flat.equations = equations;
        self.flat.algorithms = algorithms;
        for (k, exp) in found.into_iter().enumerate() {
            let v = self.variable(format!("$part{}", k + 1), Type::Integer, None);
            let equation = self.equality(v, exp, Type::Integer);
            self.flat.equations.push(equation);
        }
        Some(())
    }

    /// Whether an algorithm assigns discrete variables alone.
    pub(super) fn is_discrete(&self, algorithm: &Algorithm) -> bool {
        let targets = self.assigned(algorithm);
        let held = |v: &u32| self.class[*v as usize] == Class::Discrete;
        !targets.is_empty() && targets.iter().all(held)
    }

    /// Whether an algorithm takes integer parts of what it has computed before.
    fn has_integer_parts_of_its_own(&self, algorithm: &Algorithm) -> bool {
        let targets = self.assigned(algorithm);
        let mut found = false;
        for statement in &algorithm.statements {
            statement_exps(statement, &mut |exp| {
                walk(exp, &mut |part| {
                    if called(part).is_some_and(|(name, _)| is_integer_part(name)) {
                        let mut read = FxHashSet::default();
                        self.variables_of(part, &mut read);
                        found |= targets.iter().any(|v| read.contains(v));
                    }
                });
            });
        }
        found
    }
}

fn is_integer_part(name: &str) -> bool {
    matches!(name, "floor" | "ceil" | "integer" | "div" | "mod" | "rem")
}
