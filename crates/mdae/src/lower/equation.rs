//! Equations and `when` equations over numbers.

use super::collect::{ChainId, Collected, Guarded};
use super::{Lower, as_variable};
use crate::cond::Conds;
use crate::model::{EquationKind, Meaning, ModeUpdate};
use crate::sym::{CondId, Expr};
use modeshift_flat::model::{
    self as flat, Equation as FlatEquation, EquationKind as FlatKind, FlatExp, Origin, OriginKind,
};
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// The guard of a `when` branch, and those of the branches before it.
#[derive(Clone)]
pub(super) struct Firing {
    pub(super) guard: CondId,
    pub(super) unless: Box<[CondId]>,
}

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
                for (k, left) in left.iter().enumerate() {
                    let output = self.output_of_call(rhs, i as u32 + 1);
                    let output = if k == 0 {
                        output
                    } else {
                        super::numeric::named_part(&output, &(k + 1).to_string()).unwrap_or(output)
                    };
                    pairs.push((left.clone(), output));
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

    pub(super) fn lower_whens(&mut self, collected: &Collected<'m>) {
        for when in &collected.whens {
            let outer = self.chain_condition(collected, when.chain);
            let mut earlier: Vec<CondId> = Vec::new();
            for (condition, body) in when.branches {
                let condition = self.at(&when.origin.clone(), |this| this.cond(condition));
                let firing = Firing {
                    guard: self.out.conds.and([outer, condition]),
                    unless: earlier.clone().into(),
                };
                if condition != Conds::FALSE {
                    self.when_body(body, &firing);
                    earlier.push(firing.guard);
                }
            }
        }
    }

    fn when_body(&mut self, body: &[FlatEquation], firing: &Firing) {
        for equation in body {
            self.at(&equation.origin.clone(), |this| {
                this.when_equation(equation, firing)
            });
        }
    }

    fn when_equation(&mut self, equation: &FlatEquation, firing: &Firing) {
        match &equation.kind {
            FlatKind::Equality { lhs, rhs, ty } => match ty {
                Type::Boolean | Type::Enumeration(_) | Type::Integer => {
                    let (target, value) = match as_variable(lhs) {
                        Some(id) => (Some(id), rhs),
                        None => (as_variable(rhs), lhs),
                    };
                    match target {
                        Some(id) => self.discrete_update(id, value, firing),
                        None => {
                            self.unsupported("this equation between discrete values in a `when`")
                        }
                    }
                }
                Type::Real => {
                    let (lhs, rhs) = (self.number(lhs), self.number(rhs));
                    self.fire(firing, lhs, rhs);
                }
                Type::String => {}
                _ => {
                    for (lhs, rhs) in self.pairs(lhs, rhs) {
                        self.fire(firing, lhs, rhs);
                    }
                }
            },
            FlatKind::If { branches, else_ } => {
                let mut rest = firing.clone();
                for (condition, inner) in branches {
                    let condition = self.cond(condition);
                    let mut inside = rest.clone();
                    inside.guard = self.out.conds.and([rest.guard, condition]);
                    self.when_body(inner, &inside);
                    let negated = self.out.conds.not(condition);
                    rest.guard = self.out.conds.and([rest.guard, negated]);
                }
                self.when_body(else_, &rest);
            }
            FlatKind::Reinit { variable, value } => self.reinit(variable, value, firing),
            FlatKind::Assert { .. } | FlatKind::Terminate { .. } | FlatKind::Call(_) => {}
            FlatKind::When { .. } => self.unsupported("a `when` inside a `when`"),
            FlatKind::For { .. } => {
                self.unsupported("a loop in a `when` that could not be unrolled")
            }
        }
    }

    pub(super) fn fire(&mut self, firing: &Firing, lhs: Expr, rhs: Expr) {
        let kind = EquationKind::Transient {
            unless: firing.unless.clone(),
        };
        self.push_equation(kind, firing.guard, lhs, rhs);
    }

    /// `b = e` in a `when`, for a variable that is held between events.
    pub(super) fn discrete_update(&mut self, id: flat::VarId, value: &FlatExp, firing: &Firing) {
        match self.meaning(id).cloned() {
            Some(Meaning::Mode(mode)) => {
                let value = self.cond(value);
                self.push_update(mode, firing, value);
            }
            Some(Meaning::Family(_)) => match self.choices(value) {
                Some(choices) => self.choose(id, &choices, firing),
                None => self.unsupported("this value of an enumeration or integer"),
            },
            Some(Meaning::Variable(var)) => {
                let value = self.number(value);
                self.fire(firing, Expr::var(var), value);
            }
            _ => {}
        }
    }

    pub(super) fn push_update(
        &mut self,
        mode: crate::model::ModeId,
        firing: &Firing,
        value: CondId,
    ) {
        let origin = self.origin.clone();
        self.out.updates.push(ModeUpdate {
            mode,
            guard: firing.guard,
            value,
            origin,
        });
    }

    pub(super) fn choose(&mut self, id: flat::VarId, choices: &[(i64, CondId)], firing: &Firing) {
        let Some(family) = self.family(id) else {
            return;
        };
        let values: Vec<(i64, CondId)> = self.out.families[family]
            .values
            .iter()
            .map(|choice| (choice.value, choice.condition))
            .collect();
        for (value, condition) in values {
            let new = choices
                .iter()
                .find(|(v, _)| *v == value)
                .map_or(Conds::FALSE, |&(_, c)| c);
            if let crate::cond::Formula::Mode(mode) = *self.out.conds.formula(condition) {
                self.push_update(mode, firing, new);
            }
        }
    }

    pub(super) fn reinit(&mut self, variable: &FlatExp, value: &FlatExp, firing: &Firing) {
        let pairs = self.pairs(variable, value);
        for (lhs, rhs) in pairs {
            match lhs.as_var() {
                Some(occurrence) if occurrence.order == 0 => {
                    let kind = EquationKind::Reinit {
                        variable: occurrence.var,
                        unless: firing.unless.clone(),
                    };
                    self.push_equation(kind, firing.guard, lhs, rhs);
                }
                _ => self.unsupported("`reinit` of something that is not a variable"),
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
        let initial = std::mem::replace(&mut self.out.equations, running);
        self.out.initial_equations = initial.into_iter().collect();
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
