//! Restarts in numbers: from left limits to right limits and impulse weights, in the model's variables.
//!
//! Two ways lead here. Whoever lists mode changes has an [`Exploration`] and asks for one of its
//! transitions ([`solve`]). Whoever meets them one at a time, as a simulation does, keeps a [`Planner`]:
//! [`Planner::plan`] takes the mode before and the mode variables that flipped, follows definitions and
//! `when` equations to the mode after, and analyses each distinct change once; [`Planner::solve`] then
//! costs no more than the solution of a small system of equations.

use crate::change::Role;
use crate::explore::{Collector, Exploration, PartResult, Transition, analyse_part};
use crate::left_limits::{Contradiction, Given, left_limits};
use crate::modes::{Mode, Modes};
use crate::names::PartNames;
use crate::newton::{SolveError, Weight};
use crate::numeric::Numbers;
use crate::verdict::Verdict;
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_mdae::model::{MDae, ModeId};
use modeshift_mdae::sym::{At, VarRef};

/// The numbers of one restart. Occurrences are those of the model: `w`, or `der(w)` as order 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Restarted {
    /// Left limits that were used, given or computed.
    pub left: FxIndexMap<VarRef, f64>,
    /// Left limits that were neither given nor determined by the mode before.
    pub assumed: Vec<VarRef>,
    /// Equations of the mode before that the given left limits contradict.
    pub contradictions: Vec<Contradiction>,
    /// States of the mode after, and discrete variables that were assigned.
    pub right: FxIndexMap<VarRef, f64>,
    pub weights: FxIndexMap<VarRef, Weight>,
    /// The largest residual that is left in the equations of the restart.
    pub residual: f64,
    /// Parts without numbers, as indices into [`Exploration::parts`].
    pub failures: Vec<Failure>,
}

/// A part of a change that could not be solved, with the left limits in its own numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub part: usize,
    pub error: SolveError,
    pub numbers: Numbers,
}

/// Solves the parts of a change for given left limits. Left limits that are missing follow from the
/// equations of the mode before, or are `start` values. Parts whose verdict gives no meaning to a restart
/// are left out. O(n³) in the size of each part.
pub fn solve(found: &Exploration<'_>, transition: &Transition, given: &Given) -> Restarted {
    let mut restarted = Restarted::default();
    for &part in &transition.parts {
        let hopeless = matches!(
            found.parts[part].analysis.verdict,
            Verdict::Inconsistent | Verdict::SingularMode | Verdict::NumericallySingular
        );
        if !hopeless {
            solve_part(&mut restarted, found, part, given);
        }
    }
    add_continuous(&mut restarted, found, transition, given);
    add_aliases(&mut restarted, found);
    restarted
}

fn names<'a>(found: &'a Exploration<'_>, result: &'a PartResult) -> PartNames<'a> {
    PartNames {
        mdae: found.modes.mdae,
        elimination: &found.modes.elimination,
        result,
    }
}

fn solve_part(restarted: &mut Restarted, found: &Exploration<'_>, index: usize, given: &Given) {
    let result = &found.parts[index];
    let names = names(found, result);
    let in_model = |local: VarRef| {
        names.model_occurrence(VarRef {
            at: At::Now,
            ..local
        })
    };
    let left = left_limits(found, result, given);
    restarted
        .assumed
        .extend(left.assumed.iter().map(|v| in_model(*v)));
    for contradiction in &left.contradictions {
        if !restarted.contradictions.contains(contradiction) {
            restarted.contradictions.push(contradiction.clone());
        }
    }
    let mut known: Vec<(&VarRef, &f64)> = left.numbers.values.iter().collect();
    known.sort_by_key(|(symbol, _)| **symbol);
    restarted.left.extend(
        known
            .into_iter()
            .map(|(symbol, value)| (in_model(*symbol), *value)),
    );
    let system = &result.analysis.system;
    let solution = match system.solve(&left.numbers) {
        Ok(solution) => solution,
        Err(error) => {
            restarted.failures.push(Failure {
                part: index,
                error,
                numbers: left.numbers,
            });
            return;
        }
    };
    restarted.residual = restarted.residual.max(solution.residual);
    let told = system.told(&result.analysis.impulsive, &solution.values);
    for (local, value) in told.right {
        restarted.right.insert(in_model(local), value);
    }
    for (local, weight) in told.weights {
        restarted.weights.entry(in_model(local)).or_insert(weight);
    }
    // States that the array knows as past are continuous.
    for &state in &result.analysis.determined {
        let occurrence = in_model(state);
        let symbol = VarRef {
            at: At::Left,
            ..state
        };
        if !restarted.right.contains_key(&occurrence)
            && let Some(&value) = left.numbers.values.get(&symbol)
        {
            restarted.right.insert(occurrence, value);
        }
    }
}

/// The states outside the parts that change keep their values, where those are known.
fn add_continuous(
    restarted: &mut Restarted,
    found: &Exploration<'_>,
    transition: &Transition,
    given: &Given,
) {
    let states = found.states_of(&transition.to);
    for state in found.continuous(transition, &states) {
        if let Some(&value) = given.left.get(&state) {
            restarted.right.insert(state, value);
        }
    }
}

/// Variables that are others by another name have their values.
fn add_aliases(restarted: &mut Restarted, found: &Exploration<'_>) {
    let elimination = &found.modes.elimination;
    let names = elimination.eliminated().into_iter();
    for own in names.flat_map(|var| (0..2).map(move |order| VarRef::now(var, order))) {
        let Ok(signed) = elimination.forward(own) else {
            continue;
        };
        let other = elimination.backward(signed.occurrence);
        let sign = if signed.negative { -1.0 } else { 1.0 };
        if let Some(&value) = restarted.right.get(&other) {
            // Zero has no sign for a reader.
            restarted.right.entry(own).or_insert(sign * value + 0.0);
        }
        if let Some(&weight) = restarted.weights.get(&other) {
            let value = sign * weight.value;
            let weights = &mut restarted.weights;
            weights.entry(own).or_insert(Weight { value, ..weight });
            // `der(w) = a` gives the impulse two names, and both stand in the model.
            if let Some(order) = signed.occurrence.order.checked_sub(1) {
                let below = elimination.backward(VarRef {
                    order,
                    ..signed.occurrence
                });
                let rate = VarRef::now(below.var, below.order + 1);
                weights.entry(rate).or_insert(weight);
            }
        }
    }
}

/// What makes a change: the mode before and the mode variables that flip by themselves.
type Cause = (Mode, Vec<(ModeId, bool)>);

/// Mode changes as they come, each distinct one analysed once.
pub struct Planner<'m> {
    found: Exploration<'m>,
    collector: Collector,
    known: FxHashMap<Cause, Option<usize>>,
}

impl<'m> Planner<'m> {
    pub fn new(mdae: &'m MDae) -> Self {
        Self {
            found: Exploration {
                modes: Modes::new(mdae),
                transitions: Vec::new(),
                parts: Vec::new(),
                truncated: false,
                left_out: 0,
                groups: Vec::new(),
            },
            collector: Collector::default(),
            known: FxHashMap::default(),
        }
    }

    /// All changes planned so far with their analyses.
    pub fn found(&self) -> &Exploration<'m> {
        &self.found
    }

    /// The change out of the long mode `from` in which the mode variables of `flips` take these values by
    /// themselves. Everything else follows: definitions, `when` equations, cascades. The result is a
    /// number of [`Exploration::transitions`], whose `to` is the mode after; `None` when the flip changes
    /// nothing, or the care set rules it out.
    pub fn plan(&mut self, from: &Mode, flips: &[(ModeId, bool)]) -> Option<usize> {
        let cause = (from.clone(), flips.to_vec());
        if let Some(known) = self.known.get(&cause) {
            return *known;
        }
        let modes = &mut self.found.modes;
        let flipped: Vec<ModeId> = flips.iter().map(|(id, _)| *id).collect();
        let event = modes.follow(from, flips);
        let planned = event.and_then(|event| self.collector.add(modes, event, flipped));
        for (key, truth) in self.collector.keys_from(self.found.parts.len()) {
            self.found.parts.push(analyse_part(modes, key, truth));
        }
        let new = self
            .collector
            .transitions_from(self.found.transitions.len());
        self.found.transitions.extend_from_slice(new);
        self.known.insert(cause, planned);
        planned
    }

    /// The numbers of a planned change.
    pub fn solve(&self, transition: usize, given: &Given) -> Restarted {
        match self.found.transitions.get(transition) {
            Some(transition) => solve(&self.found, transition, given),
            None => Restarted::default(),
        }
    }

    /// Whether a variable keeps its value between events: discrete variables that `when` assigns.
    pub fn is_held(&self, occurrence: VarRef) -> bool {
        self.found.modes.roles[occurrence.var.0 as usize] == Role::Held
    }
}
