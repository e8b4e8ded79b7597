//! Which changes there are, and their analyses: every change in which one mode variable flips by itself.

use crate::change::{Change, Role};
use crate::enumerate::{Events, events, long_modes};
use crate::events::{Event, is_long, settle_formulas};
use crate::left_limits::{AtStart, Given};
use crate::modes::{Mode, Modes};
use crate::parts::{Part, PartKey, Situation};
use crate::sigma::mode_offsets;
use crate::start::{implied, satisfied_at_start};
use crate::verdict::{Analysis, Verdict, analyse};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_mdae::calm::Calm;
use modeshift_mdae::model::{MDae, ModeDef, ModeId};
use modeshift_mdae::sym::{
    CondId, Expr, RelOp, VarId, VarRef, evaluate, time_derivative, variables,
};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Conditions on the mode before.
    pub from: Vec<(CondId, bool)>,
    /// Conditions on the mode at or after the instant.
    pub to: Vec<(CondId, bool)>,
    /// Whether one particular change was asked for, by either of the two.
    pub selected: bool,
    /// More modes than this are not enumerated; 0 stands for 4,096.
    pub max_modes: usize,
    /// More changes than this are not analysed, those out of the mode at the start first; 0 stands for all.
    pub max_changes: usize,
    /// Changes that leave all states alone but those they reset are told without being analysed.
    pub calm: Calm,
}

/// The analysis of one part, shared by all changes that contain it.
#[derive(Clone, Debug)]
pub struct PartResult {
    pub part: Part,
    pub analysis: Arc<Analysis>,
}

/// One change of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// `None` for the initialisation.
    pub from: Option<Mode>,
    pub to: Mode,
    /// The valuation at the instant when it cannot last.
    pub transient: Option<Mode>,
    /// The mode variables that flip by themselves.
    pub flipped: Vec<ModeId>,
    /// Where changes are told by groups: the one it belongs to, in [`Exploration::groups`].
    pub group: Option<usize>,
    /// The equations of the instant came from a cascade that does not settle.
    pub unbounded: bool,
    /// Indices into [`Exploration::parts`].
    pub parts: Vec<usize>,
}

/// All changes that were asked for, with their analyses.
pub struct Exploration<'m> {
    pub modes: Modes<'m>,
    pub transitions: Vec<Transition>,
    pub parts: Vec<PartResult>,
    /// There are more modes than were enumerated.
    pub truncated: bool,
    /// How many of the changes that were found were not analysed.
    pub left_out: usize,
    /// Conditions that have nothing to do with each other, where there are too many modes to combine
    /// them: changes are told for each group, with the others as they are at the start.
    pub groups: Vec<Group>,
}

/// Mode variables whose changes concern one independent part of the model.
#[derive(Clone, Debug)]
pub struct Group {
    pub members: Vec<ModeId>,
    /// The long modes of the group, other groups as they are at the start. Only the first when there are too many.
    pub modes: Vec<Mode>,
}

impl Exploration<'_> {
    pub fn verdict(&self, transition: &Transition) -> Verdict {
        let verdicts = transition
            .parts
            .iter()
            .map(|&part| self.parts[part].analysis.verdict);
        verdicts.max().unwrap_or(Verdict::Determined)
    }

    /// Whether a change could only happen if time ran backwards: a condition such as `time >= 5` does not
    /// become false again.
    pub fn needs_earlier_time(&self, transition: &Transition) -> bool {
        let Some(from) = &transition.from else {
            return false;
        };
        let modes = &self.modes;
        transition.flipped.iter().any(|&id| {
            let ModeDef::Predicate(predicate) = &modes.mdae.modes[id].def else {
                return false;
            };
            let difference = modes.elimination.apply(&predicate.lhs.sub(&predicate.rhs));
            let rate = if variables(&difference).is_empty() {
                time_derivative(&difference, &mut |_| true)
            } else {
                return false;
            };
            let later = match predicate.op {
                RelOp::Greater | RelOp::GreaterEqual => true,
                RelOp::Less | RelOp::LessEqual => false,
                RelOp::Equal | RelOp::NotEqual => return false,
            };
            rate.as_const().is_some_and(|rate| {
                let becomes_true = later != rate.is_negative();
                !rate.is_zero() && from[id.index()] == becomes_true
            })
        })
    }
}

impl Exploration<'_> {
    /// The states of a mode that has been visited. Empty for modes that are too large to be looked at as
    /// a whole: there only the parts that change are told.
    pub fn states_of(&self, mode: &Mode) -> Vec<VarRef> {
        let modes = &self.modes;
        let variants = modes.visited(mode);
        if variants.len() > MAX_WHOLE_MODE {
            return Vec::new();
        }
        let whole = Change {
            roles: modes.roles.clone(),
            after: modes.mode_equations(&variants),
            ..Change::default()
        };
        let Ok(offsets) = mode_offsets(&whole, &whole.after) else {
            return Vec::new();
        };
        let orders = |(&var, &d): (&VarId, &u32)| (0..d).map(move |order| VarRef::now(var, order));
        let mut states: Vec<VarRef> = offsets.d.iter().flat_map(orders).collect();
        states.sort_unstable();
        states
    }

    /// Those of `states` that lie outside the parts a change concerns: they are continuous. As
    /// occurrences of the model.
    pub fn continuous(&self, transition: &Transition, states: &[VarRef]) -> Vec<VarRef> {
        let modes = &self.modes;
        let mut inside: FxHashSet<VarId> = FxHashSet::default();
        for &part in &transition.parts {
            let part = &self.parts[part].part;
            let unknowns = part.change.roles.iter().zip(&part.vars);
            inside.extend(unknowns.filter_map(|(role, var)| {
                matches!(role, Role::Unknown | Role::Discrete).then_some(*var)
            }));
        }
        states
            .iter()
            .filter(|state| !inside.contains(&state.var))
            .map(|state| modes.elimination.backward(*state))
            .collect()
    }
}

impl Exploration<'_> {
    /// How many modes the changes lead out of, combinations of independent groups included. Saturates.
    pub fn modes_left(&self) -> u64 {
        if self.groups.is_empty() {
            let from: FxHashSet<&Mode> = self
                .transitions
                .iter()
                .filter_map(|t| t.from.as_ref())
                .collect();
            return from.len() as u64;
        }
        let each = self
            .groups
            .iter()
            .map(|group| group.modes.len().max(1) as u64);
        each.fold(1, u64::saturating_mul)
    }

    /// How many of the modes that changes lead out of were visited where there are too many to list.
    pub fn visited_modes(&self) -> usize {
        let modes = self.transitions.iter().filter_map(|t| t.from.as_ref());
        modes.collect::<FxHashSet<&Mode>>().len()
    }

    /// How many changes lead out of a mode, at most.
    pub fn changes_per_mode(&self) -> u64 {
        crate::enumerate::changes_per_mode(self.modes.mdae)
    }

    /// How many changes a transition stands for: one for each combination of modes of the other groups.
    /// Saturates.
    pub fn multiplicity(&self, transition: &Transition) -> u64 {
        let Some(own) = transition.group else {
            return 1;
        };
        let others = self.groups.iter().enumerate().filter(|(i, _)| *i != own);
        others.fold(1, |product: u64, (_, group)| {
            product.saturating_mul(group.modes.len().max(1) as u64)
        })
    }

    /// The first `limit` changes that a transition stands for: itself, then with other modes of the other
    /// groups.
    pub fn combinations(&self, transition: &Transition, limit: usize) -> Vec<Transition> {
        let mut list = vec![transition.clone()];
        for (i, group) in self.groups.iter().enumerate() {
            if transition.group == Some(i) || transition.group.is_none() {
                continue;
            }
            for known in 0..list.len() {
                for mode in &group.modes {
                    if list.len() >= limit {
                        return list;
                    }
                    let mut changed = list[known].clone();
                    let sides = [
                        changed.from.as_mut(),
                        Some(&mut changed.to),
                        changed.transient.as_mut(),
                    ];
                    for side in sides.into_iter().flatten() {
                        for id in &group.members {
                            side[id.index()] = mode[id.index()];
                        }
                    }
                    if changed.from != list[known].from {
                        list.push(changed);
                    }
                }
            }
        }
        list
    }
}

/// Modes with more equations than this are looked at part by part only.
const MAX_WHOLE_MODE: usize = 2000;

/// How far the analysis is: called with (done, total), from several threads.
pub type Progress<'p> = &'p (dyn Fn(usize, usize) + Sync);

/// How the analyses of parts are made.
#[derive(Clone, Copy)]
pub enum Parts<'p> {
    /// By all threads, telling how far they are.
    InParallel(Progress<'p>),
    /// One after the other on this thread, by somebody who remembers those made before: it spares an editor all parts
    /// that an edit has not changed.
    OneByOne(&'p dyn Fn(&Change) -> Arc<Analysis>),
}

/// Enumerates the changes and analyses each distinct part once, in parallel.
pub fn explore<'m>(mdae: &'m MDae, options: &Options, progress: Progress<'_>) -> Exploration<'m> {
    explore_with(mdae, options, Parts::InParallel(progress), &|| {})
}

/// The same with a choice of who analyses parts. `checkpoint` is called now and then on this thread, and may unwind.
pub fn explore_with<'m>(
    mdae: &'m MDae,
    options: &Options,
    how: Parts<'_>,
    checkpoint: &dyn Fn(),
) -> Exploration<'m> {
    let mut modes = Modes::new(mdae);
    let Events {
        list,
        truncated,
        groups,
    } = events(&mut modes, options);
    let mut collector = Collector {
        calm: options.calm.clone(),
        ..Collector::default()
    };
    // What needs no analysis costs nothing.
    let (calm, mut changing): (Vec<_>, Vec<_>) = list
        .into_iter()
        .partition(|(event, _)| event.is_calm(&options.calm));
    let left_out = match options.max_changes {
        0 => 0,
        most => changing.len().saturating_sub(most),
    };
    if left_out > 0 {
        let start = initial_mode(mdae, &options.from, &Given::default());
        changing.sort_by_key(|(event, _)| event.from != start);
        changing.truncate(options.max_changes);
    }
    for (event, flipped) in changing.into_iter().chain(calm) {
        checkpoint();
        collector.add(&mut modes, event, flipped);
    }
    for transition in &mut collector.transitions {
        let flips = &transition.flipped;
        transition.group = groups
            .iter()
            .position(|group| group.members.iter().any(|id| flips.contains(id)));
    }
    let parts = match how {
        Parts::InParallel(progress) => {
            analyse_in_parallel(&modes, collector.keys, progress, checkpoint)
        }
        Parts::OneByOne(analyse) => {
            let keys = collector.keys.iter();
            keys.map(|(key, truth)| {
                checkpoint();
                let part = modes.part(key, truth);
                let analysis = analyse(&part.change);
                PartResult { part, analysis }
            })
            .collect()
        }
    };
    Exploration {
        modes,
        transitions: collector.transitions,
        parts,
        truncated,
        left_out,
        groups,
    }
}

/// The start as the modeller means it: guesses give way to what follows from fixed start values, which is added to `given`.
pub fn initialise_from_fixed<'m>(
    mdae: &'m MDae,
    given: &mut Given,
    to: &[(CondId, bool)],
) -> Exploration<'m> {
    let found = initialise(mdae, given, to);
    let more = implied(&found, given);
    if more.is_empty() {
        return found;
    }
    given.left.extend(more);
    initialise(mdae, given, to)
}

/// The start of the model: its own change, from start values to the first mode.
pub fn initialise<'m>(mdae: &'m MDae, given: &Given, to: &[(CondId, bool)]) -> Exploration<'m> {
    let mut modes = Modes::new(mdae);
    let mode = initial_mode(mdae, to, given);
    let after = modes.enabled(&mode);
    let situation = Situation {
        before: Arc::from([]),
        after,
        instant: Arc::from([]),
        laws: Vec::new(),
        returns: false,
    };
    let truth = mdae.conds.evaluate(&mode);
    let mut keys: FxIndexMap<PartKey, Vec<bool>> = FxIndexMap::default();
    let mut parts = Vec::new();
    for key in modes.part_keys(&situation, &[], &truth, true) {
        parts.push(keys.insert_full(key, truth.clone()).0);
    }
    let transition = Transition {
        from: None,
        to: mode,
        transient: None,
        flipped: Vec::new(),
        group: None,
        unbounded: false,
        parts,
    };
    let parts = keys
        .iter()
        .map(|(key, truth)| {
            let mut part = modes.part(key, truth);
            part.change.crossings = satisfied_at_start(&modes, &part, given);
            let analysis = Arc::new(analyse(&part.change));
            PartResult { part, analysis }
        })
        .collect();
    Exploration {
        modes,
        transitions: vec![transition],
        parts,
        truncated: false,
        left_out: 0,
        groups: Vec::new(),
    }
}

/// The truth of a predicate at the start values, where they decide it.
fn at_start(mdae: &MDae, def: &ModeDef, given: &Given) -> Option<bool> {
    let ModeDef::Predicate(predicate) = def else {
        return None;
    };
    let relation = Expr::relation(predicate.op, &predicate.lhs, &predicate.rhs);
    let value: f64 = evaluate(&relation, &AtStart { mdae, given }).ok()?;
    Some(value != 0.0)
}

/// The mode in which the model starts: start values of Booleans, everything else false, definitions
/// followed; the first mode of the care set if that is none.
pub fn initial_mode(mdae: &MDae, to: &[(CondId, bool)], given: &Given) -> Mode {
    let mut mode: Mode = mdae
        .modes
        .iter()
        .map(|m| {
            m.start
                .or_else(|| at_start(mdae, &m.def, given))
                .unwrap_or(false)
        })
        .collect();
    for &(condition, value) in to {
        if let modeshift_mdae::cond::Formula::Mode(id) = mdae.conds.formula(condition) {
            mode[id.index()] = value;
        }
    }
    // The left limit of a variable with a past is its start value, from which the rest follows.
    let truth = mdae.conds.evaluate(&mode);
    for (id, variable) in mdae.modes.iter_enumerated() {
        if let (ModeDef::Left(condition), None) = (&variable.def, variable.start) {
            mode[id.index()] = truth[condition.0 as usize];
        }
    }
    for _ in 0..=mdae.modes.len().min(64) {
        settle_formulas(mdae, &mut mode);
        let truth = mdae.conds.evaluate(&mode);
        for (id, variable) in mdae.modes.iter_enumerated() {
            if let ModeDef::Left(condition) = variable.def {
                mode[id.index()] = truth[condition.0 as usize];
            }
        }
    }
    let truth = mdae.conds.evaluate(&mode);
    let wanted = to
        .iter()
        .all(|&(condition, value)| truth[condition.0 as usize] == value);
    if wanted && is_long(mdae, &mode) {
        return mode;
    }
    let all: Vec<ModeId> = mdae.modes.ids().collect();
    let mut found = long_modes(mdae, &vec![None; mdae.modes.len()], &all, to, 1);
    found.pop().unwrap_or(mode)
}

/// What makes two transitions the same: the modes before, after and in between, and the parts.
type Identity = (Vec<bool>, Vec<bool>, Option<Vec<bool>>, Vec<usize>);

/// Gathers transitions and numbers their distinct parts.
#[derive(Default)]
pub(crate) struct Collector {
    keys: FxIndexMap<PartKey, Vec<bool>>,
    transitions: Vec<Transition>,
    /// As in [`Options::calm`].
    calm: Calm,
    seen: FxHashMap<Identity, usize>,
}

impl Collector {
    pub(crate) fn keys_from(&self, first: usize) -> impl Iterator<Item = (&PartKey, &[bool])> {
        let rest = self.keys.iter().skip(first);
        rest.map(|(key, truth)| (key, truth.as_slice()))
    }

    pub(crate) fn transitions_from(&self, first: usize) -> &[Transition] {
        self.transitions.get(first..).unwrap_or_default()
    }

    /// The number of the transition; `None` for an event that changes nothing, or that only a run can follow to its end.
    pub(crate) fn add(
        &mut self,
        modes: &mut Modes<'_>,
        event: Event,
        flipped: Vec<ModeId>,
    ) -> Option<usize> {
        if event.unbounded && event.open {
            return None;
        }
        let mut parts = Vec::new();
        let returns = if event.is_calm(&self.calm) {
            false
        } else {
            let situation = modes.situation(&event);
            let truth = modes.mdae.conds.evaluate(&event.instant);
            let causes = causes(modes, &event, &flipped);
            for key in modes.part_keys(&situation, &causes, &truth, false) {
                let (index, _) = match self.keys.get_index_of(&key) {
                    Some(index) => (index, None),
                    None => self.keys.insert_full(key, truth.clone()),
                };
                parts.push(index);
            }
            situation.returns
        };
        let Event {
            from,
            instant,
            settled,
            unbounded,
            ..
        } = event;
        let (to, transient) = if returns {
            (from.clone(), Some(instant))
        } else {
            (settled, None)
        };
        let visible = |mode: &Mode| visible(modes.mdae, mode);
        let same_mode = visible(&from) == visible(&to) && transient.is_none();
        // A circle that comes back to the mode it left has not ended.
        if parts.is_empty() && same_mode && !unbounded {
            return None;
        }
        let identity = (
            visible(&from),
            visible(&to),
            transient.as_ref().map(visible),
            parts.clone(),
        );
        let transitions = &mut self.transitions;
        let number = *self.seen.entry(identity).or_insert_with(|| {
            let from = Some(from);
            transitions.push(Transition {
                from,
                to,
                transient,
                flipped,
                group: None,
                unbounded,
                parts,
            });
            transitions.len() - 1
        });
        Some(number)
    }
}

/// The values of the mode variables that guards read.
fn visible(mdae: &MDae, mode: &Mode) -> Vec<bool> {
    let shown = mdae
        .modes
        .iter()
        .zip(mode.iter())
        .filter(|(m, _)| !m.auxiliary);
    shown.map(|(_, value)| *value).collect()
}

/// The flips whose zero crossings are facts: one by itself, or several on one expression.
pub fn causes(modes: &Modes<'_>, event: &Event, flipped: &[ModeId]) -> Vec<ModeId> {
    let real: Vec<ModeId> = flipped
        .iter()
        .copied()
        .filter(|id| event.from[id.index()] != event.instant[id.index()])
        .collect();
    match real.as_slice() {
        [] | [_] => real,
        _ => {
            let crossings = modes.crossings(&real);
            let limits = modeshift_mdae::sym::Limits::default();
            let same = crossings.len() == real.len()
                && crossings.windows(2).all(|pair| {
                    let [(_, a), (_, b)] = pair else { return true };
                    modeshift_mdae::sym::equal_up_to_factor(a, b, limits) == Ok(true)
                });
            if same {
                real.into_iter().take(1).collect()
            } else {
                Vec::new()
            }
        }
    }
}

/// Analyses one part.
pub(crate) fn analyse_part(modes: &Modes<'_>, key: &PartKey, truth: &[bool]) -> PartResult {
    let part = modes.part(key, truth);
    let analysis = Arc::new(analyse(&part.change));
    PartResult { part, analysis }
}

/// Analyses the distinct parts.
fn analyse_in_parallel(
    modes: &Modes<'_>,
    keys: FxIndexMap<PartKey, Vec<bool>>,
    progress: Progress<'_>,
    checkpoint: &dyn Fn(),
) -> Vec<PartResult> {
    let total = keys.len();
    let done = AtomicUsize::new(0);
    let keys: Vec<(PartKey, Vec<bool>)> = keys.into_iter().collect();
    let analyse_one = |(key, truth): &(PartKey, Vec<bool>)| {
        let result = analyse_part(modes, key, truth);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        result
    };
    let mut results = Vec::with_capacity(total);
    for some in keys.chunks(PARTS_BETWEEN_CHECKPOINTS) {
        checkpoint();
        results.par_extend(some.par_iter().map(analyse_one));
    }
    results
}

/// So many parts keep the threads busy, and last for a moment only.
const PARTS_BETWEEN_CHECKPOINTS: usize = 64;
