//! Conditions that never change, because what they compare never does.
//!
//! A library offers an equation for every case, and a model decides between them with a constant: `level = 0` beside
//! `flooded = level >= height` and `height = 0`. The modes of the other value do not exist. A fact in the care set says so;
//! the equations stay as they are.

use super::Lower;
use crate::model::{CareFact, CareReason, MDae, ModeDef, ModeId};
use crate::sym::{
    At, CondId, EvalError, Expr, ParamId, Valuation, VarId, VarRef, evaluate, variables,
};
use modeshift_base::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

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
    /// Follows equations `x = e` that hold in all modes, from those without variables on, as far as the wanted variables
    /// depend on them. Each is evaluated once for each of its variables.
    fn new(mdae: &'m MDae, wanted: Vec<VarId>) -> Self {
        let definitions = definitions(mdae);
        let mut readers: FxHashMap<VarId, Vec<(VarId, &Expr)>> = FxHashMap::default();
        let mut open = Vec::new();
        let needed = needed(&definitions, wanted);
        for &(target, value) in definitions.iter().filter(|it| needed.contains(&it.0)) {
            let read = variables(value);
            if read.is_empty() {
                open.push((target, value));
            }
            for occurrence in read {
                let readers = readers.entry(occurrence.var).or_default();
                readers.push((target, value));
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

/// Variables with what an equation that always holds says about them: `x = e`.
fn definitions(mdae: &MDae) -> Vec<(VarId, &Expr)> {
    let now = |side: &Expr| side.as_var().filter(|it| it.order == 0 && it.at == At::Now);
    let always = mdae.equations.iter();
    let always = always.filter(|it| it.is_long() && it.guard == crate::cond::Conds::TRUE);
    let sides = always.flat_map(|it| [(&it.lhs, &it.rhs), (&it.rhs, &it.lhs)]);
    sides
        .filter_map(|(target, value)| Some((now(target)?.var, value)))
        .collect()
}

/// The wanted variables and all that their definitions read, and so on.
fn needed(definitions: &[(VarId, &Expr)], mut wanted: Vec<VarId>) -> FxHashSet<VarId> {
    let mut of: FxHashMap<VarId, SmallVec<[&Expr; 2]>> = FxHashMap::default();
    for &(target, value) in definitions {
        of.entry(target).or_default().push(value);
    }
    let mut needed = FxHashSet::default();
    while let Some(x) = wanted.pop() {
        if needed.insert(x) {
            let values = of.get(&x).into_iter().flatten();
            wanted.extend(values.flat_map(|value| variables(value)).map(|it| it.var));
        }
    }
    needed
}

/// Mode variables that compare what never changes, with their values.
pub(super) fn decided(mdae: &MDae) -> Vec<(ModeId, bool)> {
    let predicates = mdae.modes.iter().filter_map(|mode| match &mode.def {
        ModeDef::Predicate(predicate) => Some(predicate),
        _ => None,
    });
    let sides = predicates.flat_map(|it| [&it.lhs, &it.rhs]);
    let wanted: Vec<VarId> = sides.flat_map(variables).map(|it| it.var).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let fixed = Fixed::new(mdae, wanted);
    if fixed.known.is_empty() {
        return Vec::new();
    }
    let modes = mdae.modes.iter_enumerated();
    modes
        .filter_map(|(id, mode)| Some((id, fixed.truth(&mode.def)?)))
        .collect()
}

impl Lower<'_> {
    pub(super) fn fixed_conditions(&mut self) {
        for (id, truth) in decided(&self.out) {
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
