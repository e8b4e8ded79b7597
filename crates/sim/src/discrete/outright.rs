//! Continuous variables that follow from states, time and discrete variables by equations solved one after the other.
//!
//! The discrete part computes those that it reads by itself: what it took from the modes would be that of the pass before,
//! with which a condition could become true that no pass of the whole model sees.

use super::split::{Parts, called};
use crate::sorted::lower::Class;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatRef, VarId};
use modeshift_flat::walk::{equation_exps, walk};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::Type;

impl Parts {
    /// The equations among `moving` that give what `read` needs, and the variables that they define. Linear in the model.
    pub(super) fn outright(
        &self,
        moving: &[Equation],
        states: &FxHashSet<u32>,
        mut read: Vec<u32>,
    ) -> (Vec<Equation>, FxHashSet<u32>) {
        let definitions = self.definitions(moving, states);
        let (mut equations, mut defined) = (Vec::new(), FxHashSet::default());
        while let Some(v) = read.pop() {
            let Some(&i) = definitions.get(&v) else {
                continue;
            };
            if !defined.insert(v) {
                continue;
            }
            let mut needs = FxHashSet::default();
            equation_exps(&moving[i], &mut |exp| self.variables_of(exp, &mut needs));
            read.extend(needs);
            equations.push(i);
        }
        equations.sort_unstable();
        let equations = equations.into_iter().map(|i| moving[i].clone());
        (equations.collect(), defined)
    }

    /// By variable, the number of the equation that gives it when states, time and discrete variables are known.
    pub(super) fn definitions(
        &self,
        moving: &[Equation],
        states: &FxHashSet<u32>,
    ) -> FxHashMap<u32, usize> {
        let mut unknowns: Vec<FxHashSet<u32>> = Vec::new();
        let mut readers: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, equation) in moving.iter().enumerate() {
            let mut read = FxHashSet::default();
            if self.is_of_the_instant(equation) {
                equation_exps(equation, &mut |exp| self.variables_of(exp, &mut read));
                read.retain(|v| {
                    self.class.get(*v as usize) == Some(&Class::Continuous) && !states.contains(v)
                });
                for &v in &read {
                    readers.entry(v).or_default().push(i);
                }
            }
            unknowns.push(read);
        }
        let mut definitions = FxHashMap::default();
        let mut ready: Vec<usize> = (0..moving.len())
            .filter(|&i| unknowns[i].len() == 1)
            .collect();
        while let Some(i) = ready.pop() {
            let Some(&v) = unknowns[i].iter().next() else {
                continue;
            };
            if !gives(&moving[i], v) || definitions.contains_key(&v) {
                continue;
            }
            definitions.insert(v, i);
            for &reader in readers.get(&v).into_iter().flatten() {
                unknowns[reader].remove(&v);
                if unknowns[reader].len() == 1 {
                    ready.push(reader);
                }
            }
        }
        definitions
    }

    /// Whether an equation is about the values of one instant alone: no derivatives, no past of what moves, no calls that
    /// do something.
    fn is_of_the_instant(&self, equation: &Equation) -> bool {
        let mut plain = true;
        equation_exps(equation, &mut |exp| {
            walk(exp, &mut |part| {
                plain &= match called(part) {
                    Some(("pre", call)) => !call.args.iter().any(|arg| self.moves(arg)),
                    Some((name, _)) => {
                        !matches!(name, "der" | "delay" | "spatialDistribution" | "terminal")
                    }
                    None => !matches!(part, Exp::Call(call) if self.is_impure(&call.function)),
                }
            });
        });
        plain
    }

    pub(super) fn is_impure(&self, function: &Callee) -> bool {
        let Callee::User(name) = function else {
            return false;
        };
        let mut functions = self.flat.functions.iter();
        functions.any(|function| function.name == *name && !function.pure)
    }
}

/// Whether an equation gives `v` in all of its branches, by sums alone: then it does whatever the rest is.
fn gives(equation: &Equation, v: u32) -> bool {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, ty } => {
            *ty == Type::Real
                && match (occurrences(lhs, v), occurrences(rhs, v)) {
                    (1, 0) => is_summand(lhs, v),
                    (0, 1) => is_summand(rhs, v),
                    _ => false,
                }
        }
        EquationKind::If { branches, else_ } => {
            let conditions = branches.iter().map(|(condition, _)| condition);
            let mut bodies = branches
                .iter()
                .map(|(_, body)| body)
                .chain(std::iter::once(else_));
            conditions
                .into_iter()
                .all(|condition| occurrences(condition, v) == 0)
                && bodies.all(|body| matches!(body.as_slice(), [only] if gives(only, v)))
        }
        _ => false,
    }
}

fn occurrences(exp: &FlatExp, v: u32) -> usize {
    let mut found = 0;
    walk(exp, &mut |part| found += usize::from(is_variable(part, v)));
    found
}

fn is_variable(exp: &FlatExp, v: u32) -> bool {
    matches!(exp, Exp::Ref(FlatRef::Var(id)) if *id == VarId::new(v as usize))
}

fn is_summand(exp: &FlatExp, v: u32) -> bool {
    match exp {
        Exp::Unary(UnaryOp::Neg, inner) | Exp::Cast(_, inner) => is_summand(inner, v),
        Exp::Binary(BinaryOp::Add | BinaryOp::Sub, sides) => {
            is_summand(&sides.0, v) || is_summand(&sides.1, v)
        }
        other => is_variable(other, v),
    }
}
