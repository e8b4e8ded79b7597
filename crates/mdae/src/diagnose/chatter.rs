//! Conditions whose switching undoes itself: on both sides of a threshold the equations lead back to it.
//!
//! `cooling = T > 20; der(T) = if cooling then -2 else 3` switches without end and without time between: above the
//! threshold the temperature falls, below it rises. This is looked for at one point of the threshold, the one nearest to
//! the start values, and only where the equations give what is compared and the derivatives one after the other: then the
//! point proves it. Everything else is left to the simulation.

use super::{list, quoted};
use crate::analysis::Analysis;
use crate::cond::Conds;
use crate::model::{MDae, ModeDef, ModeId, Predicate, Reads};
use crate::sym::{
    At, CondId, Expr, Field, ParamId, RelOp, Valuation, VarId, VarRef, evaluate, variables,
};
use modeshift_base::{FxHashMap, FxHashSet, rounded};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{Origin, Place};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// States that what is compared may depend on; beyond, a point says little.
const MAX_STATES: usize = 8;

/// Conditions of a model that are looked at: at each point all of them are computed.
const MAX_MODES: usize = 64;

/// How deep definitions are followed.
const MAX_DEPTH: u32 = 32;

/// Steps towards the threshold.
const MAX_STEPS: usize = 8;

pub(super) fn chattering(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let modes = mdae
        .modes
        .ids()
        .filter(|&id| mdae.modes[id].reads == Reads::Current);
    let candidates = modes.filter_map(|id| match &mdae.modes[id].def {
        ModeDef::Predicate(predicate) => Some((id, predicate)),
        _ => None,
    });
    let candidates: Vec<(ModeId, &Predicate)> = candidates.collect();
    if candidates.is_empty() || mdae.modes.len() > MAX_MODES {
        return Vec::new();
    }
    let explicit = Explicit::new(mdae);
    let told = candidates.into_iter();
    told.filter_map(|(id, predicate)| explicit.chatters(id, predicate))
        .collect()
}

/// An equation that gives one variable or derivative when the others are known.
#[derive(Clone, Copy)]
struct Solved<'m> {
    lhs: &'m Expr,
    rhs: &'m Expr,
    origin: &'m Arc<Origin>,
}

/// The equations that always hold, in an order in which each gives one more variable or derivative from the states.
struct Explicit<'m> {
    mdae: &'m MDae,
    values: FxHashMap<VarId, Solved<'m>>,
    derivatives: FxHashMap<VarId, Solved<'m>>,
}

impl<'m> Explicit<'m> {
    /// Linear in the size of the equations.
    fn new(mdae: &'m MDae) -> Self {
        let mut found = Self {
            mdae,
            values: FxHashMap::default(),
            derivatives: FxHashMap::default(),
        };
        let always = mdae.equations.iter();
        let always = always.filter(|it| it.is_long() && it.guard == Conds::TRUE);
        let mut mentioned: Vec<(Solved<'m>, BTreeSet<VarRef>)> = Vec::new();
        for equation in always {
            let mut all = variables(&equation.lhs);
            all.extend(variables(&equation.rhs));
            let solved = Solved {
                lhs: &equation.lhs,
                rhs: &equation.rhs,
                origin: &equation.origin,
            };
            mentioned.push((solved, all.into_iter().collect()));
        }
        let all = mentioned.iter().flat_map(|(_, all)| all);
        let states: FxHashSet<VarId> = all.filter(|it| it.order > 0).map(|it| it.var).collect();
        let mut reads: FxHashMap<VarRef, Vec<usize>> = FxHashMap::default();
        for (index, (_, all)) in mentioned.iter_mut().enumerate() {
            all.retain(|it| it.order > 0 || it.at != At::Now || !states.contains(&it.var));
            for it in &*all {
                reads.entry(*it).or_default().push(index);
            }
        }
        let ready = |(_, all): &(Solved<'m>, BTreeSet<VarRef>)| all.len() == 1;
        let mut waiting: VecDeque<usize> = (0..mentioned.len())
            .filter(|&index| ready(&mentioned[index]))
            .collect();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        while let Some(index) = waiting.pop_front() {
            let (solved, open) = &mentioned[index];
            let Some(&only) = open.first().filter(|it| it.at == At::Now) else {
                continue;
            };
            match only.order {
                0 => found.values.insert(only.var, *solved),
                1 => found.derivatives.insert(only.var, *solved),
                _ => continue,
            };
            used.insert(index);
            for &reader in reads.get(&only).into_iter().flatten() {
                mentioned[reader].1.remove(&only);
                if ready(&mentioned[reader]) {
                    waiting.push_back(reader);
                }
            }
        }
        // An equation in which all is known restricts the states: a point of them need not be possible.
        let restricts = |(index, (_, open)): (usize, &(_, BTreeSet<VarRef>))| {
            open.is_empty() && !used.contains(&index)
        };
        if mentioned.iter().enumerate().any(restricts) {
            found.values.clear();
            found.derivatives.clear();
        }
        found
    }

    /// The states that an expression depends on, if it depends on nothing else.
    fn states_of(&self, expr: &Expr) -> Option<Vec<VarId>> {
        let mut found: Vec<VarId> = Vec::new();
        let mut seen: Vec<VarId> = Vec::new();
        let mut waiting: Vec<VarRef> = variables(expr).into_iter().collect();
        while let Some(next) = waiting.pop() {
            if next.order != 0 || next.at != At::Now {
                return None;
            }
            if seen.contains(&next.var) {
                continue;
            }
            seen.push(next.var);
            if self.derivatives.contains_key(&next.var) {
                found.push(next.var);
            } else {
                let solved = self.values.get(&next.var)?;
                waiting.extend(variables(solved.lhs));
                waiting.extend(variables(solved.rhs));
            }
            if seen.len() > MAX_STATES * 8 {
                return None;
            }
        }
        found.sort_unstable();
        (!found.is_empty() && found.len() <= MAX_STATES).then_some(found)
    }

    fn chatters(&self, id: ModeId, predicate: &Predicate) -> Option<Diagnostic<Place>> {
        // Positive where the condition holds.
        let distance = match predicate.op {
            RelOp::Greater | RelOp::GreaterEqual => predicate.lhs.sub(&predicate.rhs),
            RelOp::Less | RelOp::LessEqual => predicate.rhs.sub(&predicate.lhs),
            RelOp::Equal | RelOp::NotEqual => return None,
        };
        let states = self.states_of(&distance)?;
        let point = self.on_threshold(id, &distance, &states)?;
        let speed = |truth: bool| -> Option<f64> {
            let here = self.at(&point, id, truth);
            let gradient = self.gradient(id, truth, &distance, &point)?;
            let mut speed = 0.0;
            for (state, slope) in states.iter().zip(gradient) {
                speed += slope * self.derivative(&here, *state)?;
            }
            Some(speed)
        };
        let (above, below) = (speed(true)?, speed(false)?);
        let size = above.abs().max(below.abs());
        if above >= -1e-6 * size || below <= 1e-6 * size {
            return None;
        }
        Some(self.tell(id, predicate, &states, &point))
    }

    /// The point of the threshold that is nearest to the start values, as far as a few steps along the gradient find it.
    fn on_threshold(
        &self,
        id: ModeId,
        distance: &Expr,
        states: &[VarId],
    ) -> Option<BTreeMap<VarId, f64>> {
        let start = |x: VarId| {
            let start = self.mdae.variable(x).start.as_ref();
            start.and_then(|it| evaluate(it, &Nowhere(self.mdae)).ok())
        };
        // Derivatives may depend on states that the comparison does not.
        let all = self.derivatives.keys();
        let mut point: BTreeMap<VarId, f64> = all.map(|&x| (x, start(x).unwrap_or(0.0))).collect();
        for _ in 0..MAX_STEPS {
            let value = evaluate(distance, &self.at(&point, id, true)).ok()?;
            let other = evaluate(distance, &self.at(&point, id, false)).ok()?;
            let size: f64 = states.iter().map(|x| point[x].abs()).fold(1.0, f64::max);
            if value != other {
                return None;
            }
            if value.abs() <= 1e-12 * size {
                return Some(point);
            }
            let gradient = self.gradient(id, true, distance, &point)?;
            let length: f64 = gradient.iter().map(|it| it * it).sum();
            if length == 0.0 {
                return None;
            }
            for (state, slope) in states.iter().zip(gradient) {
                *point.entry(*state).or_default() -= value * slope / length;
            }
        }
        None
    }

    /// By differences: the expression is a chain of definitions.
    fn gradient(
        &self,
        id: ModeId,
        truth: bool,
        distance: &Expr,
        point: &BTreeMap<VarId, f64>,
    ) -> Option<Vec<f64>> {
        let states = self.states_of(distance)?;
        let value = |x: VarId, shift: f64| {
            let mut moved = point.clone();
            *moved.entry(x).or_default() += shift;
            evaluate(distance, &self.at(&moved, id, truth)).ok()
        };
        let mut slopes = Vec::with_capacity(states.len());
        for x in states {
            let step = 1e-5 * point[&x].abs().max(1.0);
            slopes.push((value(x, step)? - value(x, -step)?) / (2.0 * step));
        }
        Some(slopes)
    }

    fn derivative(&self, here: &Here<'_, 'm>, state: VarId) -> Option<f64> {
        let unknown = VarRef {
            var: state,
            order: 1,
            at: At::Now,
        };
        self.derivatives.get(&state)?.value(here, unknown)
    }

    /// The valuation at a point, with this truth of one condition and that of the others as they are there.
    fn at<'a>(&'a self, point: &'a BTreeMap<VarId, f64>, id: ModeId, truth: bool) -> Here<'a, 'm> {
        let mut known = vec![None; self.mdae.modes.len()];
        known[id.index()] = Some(truth);
        let mut here = Here {
            explicit: self,
            point,
            truth: self.mdae.conds.evaluate_partial(&known),
            known: RefCell::default(),
            depth: Cell::new(0),
        };
        for other in self.mdae.modes.ids().filter(|&other| other != id) {
            if let ModeDef::Predicate(it) = &self.mdae.modes[other].def
                && let (Ok(left), Ok(right)) = (evaluate(&it.lhs, &here), evaluate(&it.rhs, &here))
            {
                known[other.index()] = f64::compare(it.op, &left, &right);
            }
        }
        here.truth = self.mdae.conds.evaluate_partial(&known);
        here.known = RefCell::default();
        here
    }

    fn tell(
        &self,
        id: ModeId,
        predicate: &Predicate,
        states: &[VarId],
        point: &BTreeMap<VarId, f64>,
    ) -> Diagnostic<Place> {
        let mode = &self.mdae.modes[id];
        let mut compared = variables(&predicate.lhs);
        compared.extend(variables(&predicate.rhs));
        let compared = match compared.iter().copied().collect::<Vec<_>>()[..] {
            [only] => quoted(&self.mdae.variable(only.var).name),
            _ => "what it compares".to_owned(),
        };
        let values: Vec<String> = states
            .iter()
            .map(|x| format!("`{} = {}`", self.mdae.variable(*x).name, rounded(point[x])))
            .collect();
        let mut diagnostic = Diagnostic::new(
            Code::MS4018,
            format!(
                "switching at `{}` undoes itself: {compared} is driven back to the threshold from both sides",
                mode.name
            ),
        )
        .label(
            mode.origin.span,
            "this condition becomes false as soon as it is true, and true as soon as it is false",
        );
        if let [state] = states {
            let name = quoted(&self.mdae.variable(*state).name);
            diagnostic = diagnostic.label(
                self.derivatives[state].origin.span,
                format!("the derivative of {name} has opposite signs in the two cases"),
            );
        }
        diagnostic
            .note(format!(
                "this happens at {}, for example: there a simulation would switch without end and without time passing",
                list(&values)
            ))
            .note(
                "use two thresholds (hysteresis): switch on at one value and off at another, and keep the decision with \
                 `pre`; or make the change gradual near the threshold",
            )
    }
}

impl Solved<'_> {
    /// What the equation gives its unknown, if that occurs linearly in it.
    fn value(&self, here: &Here<'_, '_>, unknown: VarRef) -> Option<f64> {
        let residual = |value: f64| {
            let with = With {
                here,
                unknown,
                value,
            };
            Some(evaluate(self.lhs, &with).ok()? - evaluate(self.rhs, &with).ok()?)
        };
        let (offset, one) = (residual(0.0)?, residual(1.0)?);
        let value = -offset / (one - offset);
        let left = residual(value).filter(|it| it.is_finite())?;
        (left.abs() <= 1e-9 * (1.0 + offset.abs())).then_some(value)
    }
}

/// Parameters only.
struct Nowhere<'m>(&'m MDae);

impl Valuation<f64> for Nowhere<'_> {
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

/// The start time and values of all states; other variables follow by their definitions.
struct Here<'a, 'm> {
    explicit: &'a Explicit<'m>,
    point: &'a BTreeMap<VarId, f64>,
    truth: Vec<Option<bool>>,
    known: RefCell<FxHashMap<VarId, Option<f64>>>,
    depth: Cell<u32>,
}

impl Valuation<f64> for Here<'_, '_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        if occurrence.order != 0 || occurrence.at != At::Now {
            return None;
        }
        if let Some(&value) = self.point.get(&occurrence.var) {
            return Some(value);
        }
        let solved = self.explicit.values.get(&occurrence.var)?;
        if let Some(&known) = self.known.borrow().get(&occurrence.var) {
            return known;
        }
        if self.depth.get() >= MAX_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let value = solved.value(self, occurrence);
        self.depth.set(self.depth.get() - 1);
        self.known.borrow_mut().insert(occurrence.var, value);
        value
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.explicit.mdae.parameter(id).value
    }
    fn time(&self) -> Option<f64> {
        Some(0.0)
    }
    fn cond(&self, id: CondId) -> Option<bool> {
        self.truth.get(id.0 as usize).copied().flatten()
    }
}

/// The same with a value for one variable or derivative more.
struct With<'a, 'b, 'm> {
    here: &'a Here<'b, 'm>,
    unknown: VarRef,
    value: f64,
}

impl Valuation<f64> for With<'_, '_, '_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        match occurrence == self.unknown {
            true => Some(self.value),
            false => self.here.var(occurrence),
        }
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.here.param(id)
    }
    fn time(&self) -> Option<f64> {
        self.here.time()
    }
    fn cond(&self, id: CondId) -> Option<bool> {
        self.here.cond(id)
    }
}
