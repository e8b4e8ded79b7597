//! Equations and `when` equations over numbers.

use super::Lower;
use super::collect::{ChainId, Collected, Guarded};
use crate::cond::Conds;
use crate::model::{EquationKind, Meaning};
use crate::sym::{CondId, Expr};
use modeshift_flat::model::{
    Equation as FlatEquation, EquationKind as FlatKind, FlatExp, Origin, OriginKind,
};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

impl<'m> Lower<'m> {
    /// The condition of a chain. Each chain is worked out once, from its nearest known ancestor on.
    pub(super) fn chain_condition(&mut self, collected: &Collected<'m>, chain: ChainId) -> CondId {
        self.chains.resize(collected.chains.len(), None);
        self.chains[0] = Some(Conds::TRUE);
        let mut path = Vec::new();
        let mut at = chain;
        while self.chains[at].is_none() {
            path.push(at);
            at = collected.chains[at].parent;
        }
        let mut result = self.chains[at].unwrap_or(Conds::TRUE);
        for at in path.into_iter().rev() {
            let link = &collected.chains[at];
            let condition = self.at(&link.origin.clone(), |this| this.cond(link.condition));
            let condition = if link.positive {
                condition
            } else {
                self.out.conds.not(condition)
            };
            result = self.out.conds.and([result, condition]);
            self.chains[at] = Some(result);
        }
        result
    }

    pub(super) fn lower_equations(&mut self, collected: &Collected<'m>) {
        for (id, variable) in self.flat.variables.iter_enumerated() {
            let Some(binding) = &variable.binding else {
                continue;
            };
            if variable.variability <= Variability::Parameter || variable.ty != Type::Real {
                continue;
            }
            let origin = Arc::new(Origin {
                kind: OriginKind::Binding,
                ..Origin::clone(&variable.origin)
            });
            self.at(&origin, |this| {
                let (lhs, rhs) = (this.value_of(id), this.number(binding));
                this.push_equation(EquationKind::Long, Conds::TRUE, lhs, rhs);
            });
        }
        for (id, variable) in self.flat.variables.iter_enumerated() {
            // Integers that decide nothing never waited for their turn.
            if matches!(variable.ty, Type::Integer | Type::Enumeration(_))
                && matches!(self.meaning(id), Some(Meaning::Variable(_)))
                && !collected.decides(id)
            {
                self.number_equations(collected, id);
            }
        }
        for equation in &collected.numeric {
            let guard = self.chain_condition(collected, equation.chain);
            self.at(&equation.origin.clone(), |this| {
                this.equality(equation, guard)
            });
        }
    }

    fn equality(&mut self, equation: &Guarded<'m>, guard: CondId) {
        match equation.ty {
            Type::Real => {
                let (lhs, rhs) = (self.number(equation.lhs), self.number(equation.rhs));
                self.push_equation(EquationKind::Long, guard, lhs, rhs);
            }
            Type::Array(_) | Type::Record(_) | Type::Tuple(_) | Type::Unknown => {
                for (lhs, rhs) in self.pairs(equation.lhs, equation.rhs) {
                    self.push_equation(EquationKind::Long, guard, lhs, rhs);
                }
            }
            Type::Boolean | Type::Integer | Type::Enumeration(_) => {
                self.unsupported("an equation between arrays of discrete values");
            }
            // Strings, external objects: nothing that could have a structure.
            _ => {}
        }
    }

    /// The scalar equations of `lhs = rhs`.
    pub(super) fn pairs(&mut self, lhs: &FlatExp, rhs: &FlatExp) -> Vec<(Expr, Expr)> {
        // `(a, , c) = f(x)`: outputs that nobody takes have no equation.
        if let modeshift_inst::exp::Exp::Tuple(items) = lhs {
            let mut pairs = Vec::new();
            for (i, item) in items.iter().enumerate() {
                let Some(item) = item else { continue };
                let left = self.components(item);
                let parts = self.parts_of_target(item, left.len());
                for (left, part) in left.iter().zip(parts) {
                    let output = self.output_of_call(rhs, i as u32 + 1);
                    pairs.push((left.clone(), super::numeric::appended(&output, &part)));
                }
            }
            return pairs;
        }
        let (left, right) = (self.components(lhs), self.components(rhs));
        match (left.len(), right.len()) {
            (n, m) if n == m => left.into_iter().zip(right).collect(),
            // `zeros(3) = f` and the like: one side stands for all elements.
            (1, _) => right.into_iter().map(|r| (left[0].clone(), r)).collect(),
            (_, 1) => left.into_iter().map(|l| (l, right[0].clone())).collect(),
            _ => {
                self.unsupported("an equation between arrays of different sizes");
                Vec::new()
            }
        }
    }

    /// Initial equations over numbers. They decide no mode, so those between discrete values are left
    /// to the start of a simulation.
    pub(super) fn lower_initial(&mut self) {
        let running = std::mem::take(&mut self.out.equations);
        self.frozen = true;
        for equation in &self.flat.initial_equations {
            self.at(&equation.origin.clone(), |this| {
                this.initial_equation(equation, Conds::TRUE)
            });
        }
        self.frozen = false;
        self.initial_algorithms();
        let initial = std::mem::replace(&mut self.out.equations, running);
        self.out.initial_equations.extend(initial);
    }

    fn initial_equation(&mut self, equation: &FlatEquation, guard: CondId) {
        match &equation.kind {
            FlatKind::Equality { lhs, rhs, ty } => {
                let discrete = matches!(ty, Type::Boolean | Type::Enumeration(_) | Type::String);
                let before = self.diagnostics.len();
                self.missing = false;
                let pairs = if discrete {
                    Vec::new()
                } else {
                    self.pairs(lhs, rhs)
                };
                self.diagnostics.truncate(before);
                if !self.missing {
                    for (lhs, rhs) in pairs {
                        self.push_equation(EquationKind::Long, guard, lhs, rhs);
                    }
                }
            }
            FlatKind::If { branches, else_ } => {
                let mut rest = guard;
                for (condition, inner) in branches {
                    self.missing = false;
                    let condition = self.cond(condition);
                    if self.missing {
                        return;
                    }
                    let inside = self.out.conds.and([rest, condition]);
                    for equation in inner {
                        self.initial_equation(equation, inside);
                    }
                    let negated = self.out.conds.not(condition);
                    rest = self.out.conds.and([rest, negated]);
                }
                for equation in else_ {
                    self.initial_equation(equation, rest);
                }
            }
            _ => {}
        }
    }
}
