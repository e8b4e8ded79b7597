//! Left limits for a numeric restart: what was given, what the old mode says, what is assumed.

use crate::array::derivatives;
use crate::change::Role;
use crate::complete::{Completed, complete};
use crate::explore::{Exploration, PartResult};
use crate::numeric::Numbers;
use crate::parts::Part;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_mdae::model::{EqId, MDae, Parameter};
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarRef, evaluate, substitute, variables,
};

/// Values that a restart can be computed from.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Occurrences of the model (`w1`, `der(u)`) with their left limits.
    pub left: FxIndexMap<VarRef, f64>,
    pub params: FxHashMap<ParamId, f64>,
    pub time: f64,
}

/// The parameters with their values: those set by the user, then bindings evaluated with them.
pub fn parameter_values(mdae: &MDae, set: &FxHashMap<ParamId, f64>) -> FxHashMap<ParamId, f64> {
    let mut numbers = Numbers {
        params: set.clone(),
        ..Numbers::default()
    };
    let pending: Vec<(ParamId, &Parameter)> = (0..mdae.parameters.len() as u32)
        .map(ParamId)
        .filter(|id| !set.contains_key(id))
        .map(|id| (id, mdae.parameter(id)))
        .collect();
    if set.is_empty() {
        for (id, parameter) in &pending {
            numbers
                .params
                .extend(parameter.value.map(|value| (*id, value)));
        }
    }
    // Bindings may refer to each other in any order: as many rounds as the longest chain.
    loop {
        let before = numbers.params.len();
        for (id, parameter) in &pending {
            if numbers.params.contains_key(id) {
                continue;
            }
            let bound = parameter
                .binding
                .as_ref()
                .and_then(|e| evaluate(e, &numbers).ok());
            let constant = parameter
                .binding
                .is_none()
                .then_some(parameter.value)
                .flatten();
            numbers
                .params
                .extend(bound.or(constant).map(|value| (*id, value)));
        }
        if numbers.params.len() == before {
            break;
        }
    }
    for (id, parameter) in &pending {
        if !numbers.params.contains_key(id) {
            numbers
                .params
                .extend(parameter.value.map(|value| (*id, value)));
        }
    }
    numbers.params
}

/// Gives parameters other values: what is said about the model is said about these.
pub fn set_parameters(mdae: &mut MDae, set: &FxHashMap<ParamId, f64>) {
    if set.is_empty() {
        return;
    }
    for (id, value) in parameter_values(mdae, set) {
        let parameter = &mut mdae.parameters[id.0 as usize];
        parameter.value = Some(value);
        if set.contains_key(&id) {
            parameter.binding = None;
        }
    }
}

/// Left limits of one part.
pub struct LeftLimits {
    /// In the part's own numbers.
    pub numbers: Numbers,
    /// Occurrences of the part that were neither given nor determined by the rest.
    pub assumed: Vec<VarRef>,
    /// Equations that hold before the change, which the left limits do not satisfy.
    pub contradictions: Vec<Contradiction>,
}

/// An equation before the change that given values contradict.
#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    /// The equation of the model; `None` for a zero crossing that causes the change.
    pub equation: Option<EqId>,
    /// How far the sides are apart, relative to what they are made of.
    pub residual: f64,
}

/// Residuals above this are no rounding of what was typed.
const CONTRADICTED: f64 = 1e-6;

/// Completes the left limits of a part: given values are kept, and the equations of the old mode (with those
/// derivatives that its offsets ask for) are solved for the others. What they leave open has the value of its
/// `start` attribute, or zero, and is said to be assumed. O(n³) per step.
pub fn left_limits(found: &Exploration<'_>, result: &PartResult, given: &Given) -> LeftLimits {
    let part = &result.part;
    let mut numbers = Numbers {
        params: given.params.clone(),
        time: given.time,
        ..Numbers::default()
    };
    let mut fixed: FxHashSet<VarRef> = FxHashSet::default();
    let local: FxHashMap<_, u32> = part
        .vars
        .iter()
        .enumerate()
        .map(|(i, var)| (*var, i as u32))
        .collect();
    for (&occurrence, &value) in &given.left {
        let Ok(signed) = found.modes.elimination.forward(occurrence) else {
            continue;
        };
        let forward = signed.occurrence;
        if let Some(&index) = local.get(&forward.var) {
            let var = modeshift_mdae::sym::VarId(index);
            let symbol = symbol(part.change.role(var), VarRef { var, ..forward });
            numbers
                .values
                .insert(symbol, if signed.negative { -value } else { value });
            fixed.insert(symbol);
        }
    }
    let needed = needed(result);
    let held = held_before(result, &needed);
    let mut free: Vec<VarRef> = Vec::new();
    let mut seen: FxHashSet<VarRef> = needed.iter().copied().collect();
    free.extend(needed.iter().filter(|o| !fixed.contains(o)));
    for o in held.iter().flat_map(|held| variables(&held.residual)) {
        if seen.insert(o) && !fixed.contains(&o) {
            free.push(o);
        }
    }
    free.sort_unstable();
    let started: FxHashMap<VarRef, f64> = free
        .iter()
        .filter_map(|&symbol| Some((symbol, start_value(found, result, symbol, &numbers)?)))
        .collect();
    for &symbol in &free {
        let start = started.get(&symbol).copied().unwrap_or(0.0);
        numbers.values.insert(symbol, start);
    }
    // Derivatives and algebraic variables follow from states, those without a start value first.
    let states = before_states(result);
    // Inputs come from outside: what they are is the last thing to follow from others.
    let class = |symbol: VarRef| match symbol.at {
        At::Now => 3,
        At::Left => u32::from(states.contains(&symbol)) + u32::from(started.contains_key(&symbol)),
    };
    let first = numbers.clone();
    let mut contradictions = Vec::new();
    let mut determined = FxHashSet::default();
    let completed = complete_held(&held, &free, class, &mut numbers);
    match completed.map(|completed| (contradicted(part, &held, &completed.residuals), completed)) {
        Ok((found, completed)) => {
            contradictions = found;
            determined = completed.determined;
        }
        Err(_) => numbers = first.clone(),
    }
    // Values that only the crossing contradicts are another instant's; no equation is to blame.
    let (crossings, own): (Vec<Held>, Vec<Held>) =
        held.iter().cloned().partition(|held| held.source.is_none());
    if !contradictions.is_empty() && !crossings.is_empty() {
        let mut without = first;
        if let Ok(completed) = complete_held(&own, &free, class, &mut without)
            && contradicted(part, &own, &completed.residuals).is_empty()
        {
            numbers = without;
            determined = completed.determined;
            let largest = contradictions.iter().map(|it| it.residual);
            contradictions = vec![Contradiction {
                equation: None,
                residual: largest.fold(0.0, f64::max),
            }];
        }
    }
    let told: FxHashSet<VarRef> = needed.iter().copied().collect();
    let shown = |symbol: &VarRef| told.contains(symbol) || !held_only_by_derivation(&held, *symbol);
    let hidden: Vec<VarRef> = free.iter().copied().filter(|s| !shown(s)).collect();
    for symbol in &hidden {
        numbers.values.remove(symbol);
    }
    let assumed = free
        .into_iter()
        .filter(|symbol| shown(symbol) && !determined.contains(symbol))
        .collect();
    LeftLimits {
        numbers,
        assumed,
        contradictions,
    }
}

fn complete_held(
    held: &[Held],
    free: &[VarRef],
    class: impl Fn(VarRef) -> u32,
    numbers: &mut Numbers,
) -> Result<Completed, EvalError> {
    let equations: Vec<Expr> = held.iter().map(|held| held.residual.clone()).collect();
    complete(&equations, free, class, numbers)
}

/// The equations that do not hold, each once.
fn contradicted(part: &Part, held: &[Held], residuals: &[f64]) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for (held, &residual) in held.iter().zip(residuals) {
        let equation = held.source.and_then(|source| part.sources.get(source));
        let known = found.iter().any(|c| c.equation.as_ref() == equation);
        if residual > CONTRADICTED && !known {
            found.push(Contradiction {
                equation: equation.copied(),
                residual,
            });
        }
    }
    found
}

/// The left limits that the restart reads, and those of its continuous states.
fn needed(result: &PartResult) -> Vec<VarRef> {
    let n = result.part.vars.len();
    let mut list: Vec<VarRef> = Vec::new();
    for equation in &result.analysis.system.equations {
        let given = variables(&equation.residual).into_iter();
        list.extend(given.filter(|o| (o.var.0 as usize) < n));
    }
    list.extend(result.analysis.determined.iter().map(|state| VarRef {
        at: At::Left,
        ..*state
    }));
    list.sort_unstable();
    list.dedup();
    list
}

/// The states of the mode before, as left limits.
fn before_states(result: &PartResult) -> FxHashSet<VarRef> {
    let offsets = result.analysis.offsets_before.as_ref();
    let d = offsets.into_iter().flat_map(|offsets| &offsets.d);
    d.flat_map(|(&var, &d)| (0..d).map(move |order| VarRef::left(var, order)))
        .collect()
}

/// Whether a symbol is only there because an equation was differentiated once more than the mode asks for.
fn held_only_by_derivation(held: &[Held], symbol: VarRef) -> bool {
    let mut occurring = held
        .iter()
        .filter(|h| variables(&h.residual).contains(&symbol));
    occurring.all(|held| held.beyond)
}

/// How a left limit is written in restart systems.
fn symbol(role: Role, occurrence: VarRef) -> VarRef {
    let at = if role == Role::Known {
        At::Now
    } else {
        At::Left
    };
    VarRef { at, ..occurrence }
}

/// How often equations of the mode before are differentiated beyond what it asks for, at most.
const MAX_BEYOND: u32 = 4;

/// An equation that holds before the change, over left limits.
#[derive(Clone)]
struct Held {
    residual: Expr,
    source: Option<usize>,
    /// Differentiated once more than the mode asks for.
    beyond: bool,
}

/// The equations that hold before the change, with one derivative more where the restart reads what it gives.
fn held_before(result: &PartResult, needed: &[VarRef]) -> Vec<Held> {
    let change = &result.part.change;
    if change.initial {
        return Vec::new();
    }
    let offsets = result.analysis.offsets_before.as_ref();
    let c = |i: usize| offsets.and_then(|o| o.c.get(i).copied()).unwrap_or(0);
    let at_left = |expr: &Expr| {
        substitute(expr, &mut |o| {
            Some(Expr::var_ref(symbol(change.role(o.var), o)))
        })
    };
    let mut list = Vec::new();
    let mut beyond = Vec::new();
    for (i, equation) in change.before.iter().enumerate() {
        let held = |residual: &Expr, beyond| Held {
            residual: at_left(residual),
            source: Some(equation.source),
            beyond,
        };
        let all = derivatives(change, &equation.residual, c(i));
        list.extend(all.iter().map(|residual| held(residual, false)));
        let more = all
            .last()
            .map(|last| derivatives(change, last, MAX_BEYOND))
            .unwrap_or_default();
        beyond.push(
            more.iter()
                .skip(1)
                .map(|residual| held(residual, true))
                .collect::<Vec<_>>(),
        );
    }
    list.extend(change.crossings.iter().map(|crossing| Held {
        residual: at_left(crossing),
        source: None,
        beyond: false,
    }));
    // As many derivatives more as it takes to reach what is missing.
    let mut known: FxHashSet<VarRef> = list.iter().flat_map(|h| variables(&h.residual)).collect();
    let here: FxHashSet<_> = known.iter().map(|o| o.var).collect();
    let reachable = |o: &&VarRef| o.at == At::Left && here.contains(&o.var);
    let missing: Vec<&VarRef> = needed.iter().filter(reachable).collect();
    let mut levels: Vec<_> = beyond.into_iter().map(Vec::into_iter).collect();
    for _ in 0..MAX_BEYOND {
        if missing.iter().all(|o| known.contains(o)) {
            break;
        }
        let level: Vec<Held> = levels.iter_mut().filter_map(Iterator::next).collect();
        known.extend(level.iter().flat_map(|h| variables(&h.residual)));
        list.extend(level);
    }
    list
}

fn start_value(
    found: &Exploration<'_>,
    result: &PartResult,
    symbol: VarRef,
    numbers: &Numbers,
) -> Option<f64> {
    let var = result.part.vars[symbol.var.0 as usize];
    let occurrence = found.modes.elimination.backward(VarRef { var, ..symbol });
    if occurrence.order > 0 {
        return None;
    }
    let start = found.modes.mdae.variable(occurrence.var).start.as_ref()?;
    evaluate(start, &Params(numbers)).ok()
}

/// Only parameters and time: start attributes may not read variables.
pub(crate) struct Params<'n>(pub &'n Numbers);

impl Valuation<f64> for Params<'_> {
    fn var(&self, _: VarRef) -> Option<f64> {
        None
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.0.params.get(&id).copied()
    }
    fn time(&self) -> Option<f64> {
        Some(self.0.time)
    }
}

/// Given values and `start` attributes of the model's own variables.
pub(crate) struct AtStart<'m> {
    pub mdae: &'m MDae,
    pub given: &'m Given,
}

impl Valuation<f64> for AtStart<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        let now = VarRef {
            at: At::Now,
            ..occurrence
        };
        if let Some(&value) = self.given.left.get(&now) {
            return Some(value);
        }
        let start = self.mdae.variable(occurrence.var).start.as_ref()?;
        let numbers = Numbers {
            params: self.given.params.clone(),
            ..Numbers::default()
        };
        if occurrence.order == 0 {
            evaluate(start, &Params(&numbers)).ok()
        } else {
            None
        }
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.given.params.get(&id).copied()
    }
    fn time(&self) -> Option<f64> {
        Some(self.given.time)
    }
}
