//! What a jump sets off at the same instant: transient modes that follow, and modes left at once.
//!
//! RR-9334, 7.4.3: a transient mode resets some variables; conditions that read them may become true and
//! fire further `when` equations, which reset others. The chain of these sets must end. Where values are
//! known, conditions are decided; otherwise every condition on a reset variable counts as one that may fire.

use crate::eliminate::Elimination;
use crate::explore::{Exploration, Transition};
use crate::modes::Modes;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_mdae::model::{EqId, Equation, EquationKind, MDae, ModeDef, ModeId};
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarRef, evaluate, incidence, variables,
};
use std::collections::{BTreeMap, BTreeSet};

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

/// Which laws reset what, and which conditions that may fire them read what: the same for all changes of a model.
pub(crate) struct Cascades {
    /// By law.
    laws: BTreeMap<EqId, LawFacts>,
    conditions: FxIndexMap<ModeId, Condition>,
    /// The conditions of equations that hold between instants.
    long: Vec<ModeId>,
}

struct LawFacts {
    /// The states it resets, with their values where these are numbers.
    resets: Vec<(VarRef, Option<f64>)>,
    /// The mode variables of its guard.
    guard: Vec<ModeId>,
}

/// A comparison, as the changes see it.
struct Condition {
    relation: Expr,
    reads: BTreeSet<VarRef>,
}

impl Cascades {
    /// Linear in the laws and conditions.
    pub(crate) fn new(mdae: &MDae, elimination: &Elimination) -> Self {
        let laws = mdae.equations.iter_enumerated();
        let laws = laws.filter(|(_, equation)| !equation.is_long());
        let laws = laws.map(|(id, equation)| {
            let facts = LawFacts {
                resets: resets(mdae, elimination, equation),
                guard: mdae.conds.support([equation.guard]),
            };
            (id, facts)
        });
        let conditions = mdae.modes.iter_enumerated().filter_map(|(mode, variable)| {
            let ModeDef::Predicate(predicate) = &variable.def else {
                return None;
            };
            let relation = Expr::relation(predicate.op, &predicate.lhs, &predicate.rhs);
            let relation = elimination.apply(&relation);
            let reads = variables(&relation).into_iter();
            let reads = reads.map(|o| VarRef { at: At::Now, ..o }).collect();
            Some((mode, Condition { relation, reads }))
        });
        let long = mdae.equations.iter().filter(|e| e.is_long()).flat_map(|e| {
            let inside = crate::modes::conditions(&e.residual()).into_vec();
            inside.into_iter().chain([e.guard])
        });
        Self {
            laws: laws.collect(),
            conditions: conditions.collect(),
            long: mdae.conds.support(long.collect::<Vec<_>>()),
        }
    }

    fn resets(&self, law: EqId) -> &[(VarRef, Option<f64>)] {
        self.laws.get(&law).map_or(&[], |facts| &facts.resets)
    }

    /// The laws that may fire because the values of `reset` changed.
    fn triggered(&self, mdae: &MDae, reset: &FxHashMap<VarRef, Option<f64>>) -> BTreeSet<EqId> {
        let known: FxHashMap<VarRef, f64> = reset
            .iter()
            .filter_map(|(v, number)| Some((*v, (*number)?)))
            .collect();
        let may_flip = |condition: &Condition| {
            condition.reads.iter().any(|o| reset.contains_key(o))
                && condition.decide(mdae, &known) != Some(false)
        };
        let flips = self.conditions.iter().filter(|(_, it)| may_flip(it));
        let flips: FxHashSet<ModeId> = flips.map(|(mode, _)| *mode).collect();
        let fires = |facts: &LawFacts| facts.guard.iter().any(|id| flips.contains(id));
        let laws = self.laws.iter().filter(|(_, facts)| fires(facts));
        laws.map(|(id, _)| *id).collect()
    }
}

impl Condition {
    fn decide(&self, mdae: &MDae, known: &FxHashMap<VarRef, f64>) -> Option<bool> {
        let value: Result<f64, EvalError> = evaluate(&self.relation, &After { known, mdae });
        value.ok().map(|value| value != 0.0)
    }
}

fn resets(
    mdae: &MDae,
    elimination: &Elimination,
    equation: &Equation,
) -> Vec<(VarRef, Option<f64>)> {
    match equation.kind {
        EquationKind::Reinit { variable, .. } => {
            let Ok(target) = elimination.forward(VarRef::now(variable, 0)) else {
                return Vec::new();
            };
            let number = elimination.apply(&equation.rhs);
            let known = &FxHashMap::default();
            let number: Result<f64, EvalError> = evaluate(&number, &After { known, mdae });
            let number = number.ok();
            let number = number.map(|value| if target.negative { -value } else { value });
            vec![(target.occurrence, number)]
        }
        _ => {
            // A law on positions and velocities moves the velocities: the highest derivative it mentions.
            let residual = elimination.apply(&equation.residual());
            incidence(&residual)
                .into_iter()
                .map(|(var, order)| (VarRef::now(var, order), None))
                .collect()
        }
    }
}

/// The conditions that are decided because these laws reset variables to numbers.
pub(crate) fn decided_by_resets(modes: &Modes<'_>, laws: &[EqId]) -> Vec<(ModeId, bool)> {
    let cascades = modes.cascades();
    let resets = laws.iter().flat_map(|&law| cascades.resets(law));
    let known: FxHashMap<VarRef, f64> = resets
        .filter_map(|(v, value)| Some((*v, (*value)?)))
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let decided = cascades.conditions.iter();
    decided
        .filter_map(|(mode, condition)| Some((*mode, condition.decide(modes.mdae, &known)?)))
        .collect()
}

/// The laws of a chain of transient modes that cannot be shown to end; empty if it ends. The same laws fire the same ones, so the
/// chain is endless once it comes back.
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
                reset.extend(modes.cascades().resets(source).iter().copied());
            }
        }
    }
    if reset.is_empty() {
        return Vec::new();
    }
    let cascades = modes.cascades();
    let mut laws = cascades.triggered(modes.mdae, &reset);
    let mut seen: FxHashSet<BTreeSet<EqId>> = FxHashSet::default();
    while !laws.is_empty() && seen.insert(laws.clone()) {
        let next = laws.iter().flat_map(|&law| cascades.resets(law));
        laws = cascades.triggered(modes.mdae, &next.copied().collect());
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
            let values = modes.cascades().resets(*law).iter();
            known.extend(values.filter_map(|(v, number)| Some((*v, (*number)?))));
        }
    }
    if known.is_empty() {
        return Vec::new();
    }
    let cascades = modes.cascades();
    // At the instant itself, before the reset.
    let entered = |id: ModeId| match &transition.from {
        Some(from) if transition.flipped.contains(&id) => !from[id.index()],
        _ => transition.to[id.index()],
    };
    let contradicts = |mode: &&ModeId| {
        let condition = cascades.conditions.get(*mode);
        let value = condition.and_then(|condition| condition.decide(modes.mdae, &known));
        value == Some(!entered(**mode))
    };
    cascades.long.iter().filter(contradicts).copied().collect()
}
