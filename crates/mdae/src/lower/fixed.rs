//! Conditions that never change, because what they compare never does.
//!
//! A library offers an equation for every case, and a model decides between them with a constant: `level = 0` beside
//! `flooded = level >= height` and `height = 0`. The modes of the other value do not exist. A fact in the care set says so;
//! the equations stay as they are.

use super::Lower;
use crate::model::{CareFact, CareReason, MDae, ModeDef};
use crate::sym::{
    At, CondId, EvalError, Expr, ParamId, Valuation, VarId, VarRef, evaluate, variables,
};
use modeshift_base::FxHashMap;

/// The numbers of parameters and of variables that an equation gives one value for good.
struct Fixed<'m> {
    mdae: &'m MDae,
    known: FxHashMap<VarId, f64>,
}

impl Valuation<f64> for Fixed<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        let value = self.known.get(&occurrence.var)?;
        Some(if occurrence.order == 0 { *value } else { 0.0 })
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.mdae.parameter(id).value
    }
    fn time(&self) -> Option<f64> {
        None
    }
}

impl<'m> Fixed<'m> {
    /// Follows equations `x = e` that hold in all modes, from those without variables on. Each is evaluated once for each of its
    /// variables.
    fn new(mdae: &'m MDae) -> Self {
        let now = |side: &Expr| side.as_var().filter(|it| it.order == 0 && it.at == At::Now);
        let mut readers: FxHashMap<VarId, Vec<(VarId, &Expr)>> = FxHashMap::default();
        let mut open = Vec::new();
        let always = mdae.equations.iter();
        for equation in always.filter(|it| it.is_long() && it.guard == crate::cond::Conds::TRUE) {
            let sides = [
                (&equation.lhs, &equation.rhs),
                (&equation.rhs, &equation.lhs),
            ];
            for (target, value) in sides {
                let Some(target) = now(target) else { continue };
                let read = variables(value);
                if read.is_empty() {
                    open.push((target.var, value));
                }
                for occurrence in read {
                    readers
                        .entry(occurrence.var)
                        .or_default()
                        .push((target.var, value));
                }
            }
        }
        let mut this = Self {
            mdae,
            known: FxHashMap::default(),
        };
        while let Some((target, value)) = open.pop() {
            if this.known.contains_key(&target) {
                continue;
            }
            let value: Result<f64, EvalError> = evaluate(value, &this);
            if let Ok(value) = value {
                this.known.insert(target, value);
                open.extend(readers.get(&target).into_iter().flatten());
            }
        }
        this
    }

    fn truth(&self, def: &ModeDef) -> Option<bool> {
        let ModeDef::Predicate(predicate) = def else {
            return None;
        };
        let relation = Expr::relation(predicate.op, &predicate.lhs, &predicate.rhs);
        let value: Result<f64, EvalError> = evaluate(&relation, self);
        value.ok().map(|value| value != 0.0)
    }
}

impl Lower<'_> {
    pub(super) fn fixed_conditions(&mut self) {
        if !self
            .out
            .modes
            .iter()
            .any(|mode| matches!(mode.def, ModeDef::Predicate(_)))
        {
            return;
        }
        let fixed = Fixed::new(&self.out);
        if fixed.known.is_empty() {
            return;
        }
        let modes = self.out.modes.iter_enumerated();
        let decided = modes.filter_map(|(id, mode)| Some((id, fixed.truth(&mode.def)?)));
        let decided: Vec<_> = decided.collect();
        for (id, truth) in decided {
            let condition: CondId = self.out.conds.mode(id);
            let condition = if truth {
                condition
            } else {
                self.out.conds.not(condition)
            };
            let origin = Some(self.out.modes[id].origin.clone());
            self.out.care.push(CareFact {
                condition,
                reason: CareReason::Constant,
                origin,
            });
        }
    }
}
