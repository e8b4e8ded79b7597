//! What a jump sets off at the same instant: transient modes that follow, and modes left at once.
//!
//! RR-9334, 7.4.3: a transient mode resets some variables; conditions that read them may become true and
//! fire further `when` equations, which reset others. The chain of these sets must end. Where values are
//! known, conditions are decided; otherwise every condition on a reset variable counts as one that may fire.

use crate::explore::{Exploration, Transition};
use crate::modes::Modes;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::model::{EqId, EquationKind, MDae, ModeDef, ModeId, ModeVar, Predicate};
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarRef, evaluate, incidence, variables,
};
use std::collections::BTreeSet;

/// Numbers that are known after a reset, and parameters.
struct After<'a> {
    known: &'a FxHashMap<VarRef, f64>,
    mdae: &'a MDae,
}

impl Valuation<f64> for After<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        let now = VarRef {
            at: At::Now,
            ..occurrence
        };
        self.known.get(&now).copied()
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.mdae.parameter(id).value
    }
    fn time(&self) -> Option<f64> {
        None
    }
}

fn decide(
    modes: &Modes<'_>,
    predicate: &Predicate,
    known: &FxHashMap<VarRef, f64>,
) -> Option<bool> {
    let relation = Expr::relation(predicate.op, &predicate.lhs, &predicate.rhs);
    let relation = modes.elimination.apply(&relation);
    let after = After {
        known,
        mdae: modes.mdae,
    };
    let value: Result<f64, EvalError> = evaluate(&relation, &after);
    value.ok().map(|value| value != 0.0)
}

/// The states that a law resets, with their values where these are numbers.
fn resets(modes: &Modes<'_>, law: EqId) -> Vec<(VarRef, Option<f64>)> {
    let equation = &modes.mdae.equations[law];
    match equation.kind {
        EquationKind::Reinit { variable, .. } => {
            let Ok(target) = modes.elimination.forward(VarRef::now(variable, 0)) else {
                return Vec::new();
            };
            let number = modes.elimination.apply(&equation.rhs);
            let after = After {
                known: &FxHashMap::default(),
                mdae: modes.mdae,
            };
            let number: Result<f64, EvalError> = evaluate(&number, &after);
            let number = number.ok();
            let number = number.map(|value| if target.negative { -value } else { value });
            vec![(target.occurrence, number)]
        }
        _ => {
            // A law on positions and velocities moves the velocities: the highest derivative it mentions.
            let residual = modes.elimination.apply(&equation.residual());
            incidence(&residual)
                .into_iter()
                .map(|(var, order)| (VarRef::now(var, order), None))
                .collect()
        }
    }
}

/// The conditions that are decided because these laws reset variables to numbers.
pub(crate) fn decided_by_resets(modes: &Modes<'_>, laws: &[EqId]) -> Vec<(ModeId, bool)> {
    let resets = laws.iter().flat_map(|&law| resets(modes, law));
    let known: FxHashMap<VarRef, f64> = resets.filter_map(|(v, value)| Some((v, value?))).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let decided = |(id, variable): (ModeId, &ModeVar)| match &variable.def {
        ModeDef::Predicate(predicate) => Some((id, decide(modes, predicate, &known)?)),
        _ => None,
    };
    modes
        .mdae
        .modes
        .iter_enumerated()
        .filter_map(decided)
        .collect()
}

/// The laws that may fire because the values of `reset` changed.
fn triggered(modes: &Modes<'_>, reset: &FxHashMap<VarRef, Option<f64>>) -> BTreeSet<EqId> {
    let mdae = modes.mdae;
    let known: FxHashMap<VarRef, f64> = reset
        .iter()
        .filter_map(|(v, number)| Some((*v, (*number)?)))
        .collect();
    let may_flip = |id: ModeId| match &mdae.modes[id].def {
        ModeDef::Predicate(predicate) => {
            let both = predicate.lhs.sub(&predicate.rhs);
            let reads = variables(&modes.elimination.apply(&both))
                .into_iter()
                .any(|o| reset.contains_key(&VarRef { at: At::Now, ..o }));
            reads && decide(modes, predicate, &known) != Some(false)
        }
        _ => false,
    };
    let flips: FxHashSet<ModeId> = mdae.modes.ids().filter(|&id| may_flip(id)).collect();
    mdae.equations
        .iter_enumerated()
        .filter(|(_, equation)| !equation.is_long())
        .filter(|(_, e)| {
            mdae.conds
                .support([e.guard])
                .iter()
                .any(|id| flips.contains(id))
        })
        .map(|(id, _)| id)
        .collect()
}

/// The laws of a chain of transient modes that cannot be shown to end; empty if it ends. At most as many
/// steps as there are laws.
pub fn unbounded_laws(found: &Exploration<'_>, transition: &Transition) -> Vec<EqId> {
    let modes = &found.modes;
    let mut reset: FxHashMap<VarRef, Option<f64>> = FxHashMap::default();
    for &part in &transition.parts {
        let result = &found.parts[part];
        let Some(transient) = &result.part.change.transient else {
            continue;
        };
        for jump in result
            .analysis
            .jumps
            .iter()
            .chain(&result.analysis.undetermined)
        {
            let var = result.part.vars[jump.var.0 as usize];
            reset.insert(VarRef { var, ..*jump }, None);
        }
        for law in transient.laws.iter().filter(|law| law.reinit.is_some()) {
            if let Some(&source) = result.part.sources.get(law.source) {
                reset.extend(resets(modes, source));
            }
        }
    }
    let limit = modes.mdae.equations.iter().filter(|e| !e.is_long()).count();
    let mut laws = triggered(modes, &reset);
    for _ in 0..=limit {
        if laws.is_empty() {
            return Vec::new();
        }
        reset = laws.iter().flat_map(|&law| resets(modes, law)).collect();
        laws = triggered(modes, &reset);
    }
    laws.into_iter().collect()
}

/// Conditions of long equations that hold at the instant and that the values after the jump contradict.
pub fn left_at_once(found: &Exploration<'_>, transition: &Transition) -> Vec<ModeId> {
    let modes = &found.modes;
    let mut known: FxHashMap<VarRef, f64> = FxHashMap::default();
    for &part in &transition.parts {
        let part = &found.parts[part].part;
        let laws = part
            .change
            .transient
            .iter()
            .flat_map(|transient| &transient.laws);
        for law in laws.filter_map(|law| part.sources.get(law.source)) {
            let values = resets(modes, *law).into_iter();
            known.extend(values.filter_map(|(v, number)| Some((v, number?))));
        }
    }
    if known.is_empty() {
        return Vec::new();
    }
    let mdae = modes.mdae;
    let guards = mdae.equations.iter().filter(|e| e.is_long()).flat_map(|e| {
        let inside = crate::modes::conditions(&e.residual()).into_vec();
        inside.into_iter().chain([e.guard])
    });
    let support = mdae.conds.support(guards.collect::<Vec<_>>());
    // At the instant itself, before the reset.
    let entered = |id: ModeId| match &transition.from {
        Some(from) if transition.flipped.contains(&id) => !from[id.index()],
        _ => transition.to[id.index()],
    };
    let contradicts = |id: &ModeId| match &mdae.modes[*id].def {
        ModeDef::Predicate(predicate) => decide(modes, predicate, &known) == Some(!entered(*id)),
        _ => false,
    };
    support.into_iter().filter(contradicts).collect()
}
