//! What a jump sets off at the same instant: transient modes that follow, and modes left at once.
//!
//! RR-9334, 7.4.3: a transient mode resets some variables; conditions that read them may become true and
//! fire further `when` equations, which reset others. The chain of these sets must end. Where values are
//! known, as functions of time and parameters, conditions are decided; otherwise every condition on a reset variable counts as one that may fire.

use crate::eliminate::Elimination;
use crate::explore::{Exploration, Transition};
use crate::modes::Modes;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_mdae::model::{EqId, Equation, EquationKind, MDae, ModeDef, ModeId, VarKind};
use modeshift_mdae::sym::{
    At, Expr, Limits, ParamId, RelOp, TooLarge, Valuation, VarId, VarRef, contains_condition,
    evaluate, incidence, normal_form, substitute, variables,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values after a reset that are known: functions of time and parameters alone.
type Known<'a> = FxHashMap<VarRef, &'a Expr>;

/// Parameters, and nothing else: what they decide holds at every time.
struct Parameters<'a>(&'a MDae);

impl Valuation<f64> for Parameters<'_> {
    fn var(&self, _: VarRef) -> Option<f64> {
        None
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.0.parameter(id).value
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
    /// The states and held variables it sets, with their values where these are known.
    resets: Vec<(VarRef, Option<Expr>)>,
    /// The mode variables of its guard.
    guard: Vec<ModeId>,
}

/// A comparison, as the changes see it.
struct Condition {
    op: RelOp,
    difference: Expr,
    reads: BTreeSet<VarRef>,
    /// Reads what events leave alone unless they reset it: states and values that are held.
    steady: bool,
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
        let mut orders: BTreeMap<VarId, u32> = BTreeMap::new();
        for equation in mdae.equations.iter().filter(|it| it.is_long()) {
            for (var, order) in incidence(&elimination.apply(&equation.residual())) {
                let highest = orders.entry(var).or_default();
                *highest = order.max(*highest);
            }
        }
        let is_steady = |o: &VarRef| {
            let kind = mdae.variable(o.var).kind;
            kind != VarKind::Unknown || orders.get(&o.var).is_some_and(|&d| o.order < d)
        };
        let conditions = mdae.modes.iter_enumerated().filter_map(|(mode, variable)| {
            let ModeDef::Predicate(predicate) = &variable.def else {
                return None;
            };
            let difference = elimination.apply(&predicate.lhs.sub(&predicate.rhs));
            let reads: BTreeSet<VarRef> = variables(&difference).into_iter().map(now).collect();
            let steady = reads.iter().all(is_steady);
            let op = predicate.op;
            Some((
                mode,
                Condition {
                    op,
                    difference,
                    reads,
                    steady,
                },
            ))
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

    fn resets(&self, law: EqId) -> &[(VarRef, Option<Expr>)] {
        self.laws.get(&law).map_or(&[], |facts| &facts.resets)
    }

    /// What is known after some laws have fired.
    fn known<'a>(&'a self, laws: impl IntoIterator<Item = &'a EqId>) -> Known<'a> {
        let resets = laws.into_iter().flat_map(|&law| self.resets(law));
        known(resets.map(|(v, value)| (*v, value.as_ref())))
    }

    /// The conditions that read one of some variables.
    fn reading(
        &self,
        chosen: impl Fn(&VarRef) -> bool,
    ) -> impl Iterator<Item = (ModeId, &Condition)> {
        let conditions = self.conditions.iter();
        conditions
            .filter(move |(_, condition)| condition.reads.iter().any(&chosen))
            .map(|(mode, condition)| (*mode, condition))
    }

    /// The laws that may fire because the values of `reset` changed.
    fn triggered(&self, mdae: &MDae, reset: &FxHashMap<VarRef, Option<&Expr>>) -> BTreeSet<EqId> {
        let known = known(reset.iter().map(|(v, value)| (*v, *value)));
        let touched = self.reading(|o| reset.contains_key(o));
        let flips = touched.filter(|(_, it)| it.decide(mdae, &known) != Some(false));
        let flips: FxHashSet<ModeId> = flips.map(|(mode, _)| mode).collect();
        let fires = |facts: &LawFacts| facts.guard.iter().any(|id| flips.contains(id));
        let laws = self.laws.iter().filter(|(_, facts)| fires(facts));
        laws.map(|(id, _)| *id).collect()
    }
}

impl Condition {
    /// Its truth once `known` holds, if that depends on nothing else: `time > pre(t0) + 2` is false after `t0 = time`.
    fn decide(&self, mdae: &MDae, known: &Known<'_>) -> Option<bool> {
        let reset = |o: &VarRef| known.contains_key(o);
        if !self.reads.iter().all(reset) {
            return None;
        }
        let mut replace = |occurrence: VarRef| known.get(&now(occurrence)).copied().cloned();
        let difference = substitute(&self.difference, &mut replace);
        let value = match normal_form(&difference, Limits::default()) {
            Ok(form) => form.to_expr(),
            Err(TooLarge) => difference,
        };
        let value: f64 = evaluate(&value, &Parameters(mdae)).ok()?;
        Some(match self.op {
            RelOp::Less => value < 0.0,
            RelOp::LessEqual => value <= 0.0,
            RelOp::Greater => value > 0.0,
            RelOp::GreaterEqual => value >= 0.0,
            RelOp::Equal => value == 0.0,
            RelOp::NotEqual => value != 0.0,
        })
    }
}

fn now(occurrence: VarRef) -> VarRef {
    VarRef {
        at: At::Now,
        ..occurrence
    }
}

fn known<'a>(resets: impl Iterator<Item = (VarRef, Option<&'a Expr>)>) -> Known<'a> {
    resets.filter_map(|(v, value)| Some((v, value?))).collect()
}

fn resets(
    mdae: &MDae,
    elimination: &Elimination,
    equation: &Equation,
) -> Vec<(VarRef, Option<Expr>)> {
    let target = match equation.kind {
        EquationKind::Reinit { variable, .. } => Some(variable),
        _ => held_by(mdae, equation),
    };
    let Some(target) = target else {
        // A law on positions and velocities moves the velocities: the highest derivative it mentions.
        let residual = elimination.apply(&equation.residual());
        let moved = incidence(&residual).into_iter();
        return moved
            .map(|(var, order)| (VarRef::now(var, order), None))
            .collect();
    };
    let Ok(target) = elimination.forward(VarRef::now(target, 0)) else {
        return Vec::new();
    };
    let value = elimination.apply(&equation.rhs);
    let known = variables(&value).is_empty() && !contains_condition(&value);
    let value = known.then(|| match target.negative {
        true => value.neg(),
        false => value,
    });
    vec![(target.occurrence, value)]
}

/// The variable held between events that a law assigns.
pub(crate) fn held_by(mdae: &MDae, law: &Equation) -> Option<VarId> {
    let variable = law.lhs.as_var()?.var;
    (mdae.variable(variable).kind == VarKind::Held).then_some(variable)
}

/// The conditions that are decided because of what these laws set, and whether these are all that read it.
pub(crate) fn decided_by_resets(modes: &Modes<'_>, laws: &[EqId]) -> (Vec<(ModeId, bool)>, bool) {
    let cascades = modes.cascades();
    let known = cascades.known(laws);
    if known.is_empty() {
        return (Vec::new(), true);
    }
    let touched = cascades.reading(|o| known.contains_key(o));
    let (mut decided, mut all) = (Vec::new(), true);
    for (mode, condition) in touched {
        match condition.decide(modes.mdae, &known) {
            Some(truth) => decided.push((mode, truth)),
            None => all = false,
        }
    }
    (decided, all)
}

/// Whether a condition reads what these laws set, or what may jump with the mode, and its truth then depends on numbers that
/// only a run knows.
pub(crate) fn left_open(modes: &Modes<'_>, laws: &[EqId]) -> bool {
    let cascades = modes.cascades();
    if cascades.conditions.values().any(|it| !it.steady) {
        return true;
    }
    let known = cascades.known(laws);
    let set: FxHashSet<VarRef> = laws
        .iter()
        .flat_map(|&law| cascades.resets(law))
        .map(|(v, _)| *v)
        .collect();
    let mut touched = cascades.reading(|o| set.contains(o));
    touched.any(|(_, condition)| condition.decide(modes.mdae, &known).is_none())
}

/// The laws of a chain of transient modes that cannot be shown to end; empty if it ends. The same laws fire the same ones, so the
/// chain is endless once it comes back.
pub fn unbounded_laws(found: &Exploration<'_>, transition: &Transition) -> Vec<EqId> {
    let modes = &found.modes;
    let mut reset: FxHashMap<VarRef, Option<&Expr>> = FxHashMap::default();
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
                let resets = modes.cascades().resets(source).iter();
                reset.extend(resets.map(|(v, value)| (*v, value.as_ref())));
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
        let next = next.map(|(v, value)| (*v, value.as_ref())).collect();
        laws = cascades.triggered(modes.mdae, &next);
    }
    laws.into_iter().collect()
}

/// Conditions of long equations that hold at the instant and that the values after the jump contradict.
pub fn left_at_once(found: &Exploration<'_>, transition: &Transition) -> Vec<ModeId> {
    let modes = &found.modes;
    let mut known = Known::default();
    for &part in &transition.parts {
        let part = &found.parts[part].part;
        let laws = part
            .change
            .transient
            .iter()
            .flat_map(|transient| &transient.laws);
        for law in laws.filter_map(|law| part.sources.get(law.source)) {
            let values = modes.cascades().resets(*law).iter();
            known.extend(values.filter_map(|(v, value)| Some((*v, value.as_ref()?))));
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
