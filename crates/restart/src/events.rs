//! What follows at an instant when a mode variable flips: definitions, `when` guards, cascades.

use crate::cascade::{decided_by_resets, held_by, left_open};
use crate::modes::{Mode, Modes};
use modeshift_mdae::calm::Calm;
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::{CareReason, EqId, MDae, ModeDef, ModeId};
use modeshift_mdae::sym::CondId;

/// More transient valuations in a row than this are reported as unbounded.
const MAX_CASCADE: usize = 64;

/// The instant of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub from: Mode,
    /// The valuation at the instant itself.
    pub instant: Mode,
    /// Where the discrete part settles.
    pub settled: Mode,
    /// The `when` equations that fire, in order.
    pub laws: Vec<EqId>,
    /// Valuations visited between the instant and the settled one.
    pub cascade: Vec<Mode>,
    /// The discrete part did not settle.
    pub unbounded: bool,
    /// A condition reads what is set at this instant, so that only a run knows what follows.
    pub open: bool,
}

impl Event {
    /// Whether it leaves all states alone but those it resets.
    pub(crate) fn is_calm(&self, calm: &Calm) -> bool {
        let flips = (0..self.from.len()).filter(|&mode| {
            let before = self.from[mode];
            before != self.instant[mode] || before != self.settled[mode]
        });
        calm.covers(flips, &self.laws)
    }
}

/// Whether a valuation may last: it is in the care set, instants are over, and left limits agree.
pub fn is_long(mdae: &MDae, mode: &Mode) -> bool {
    let truth = mdae.conds.evaluate(mode);
    mdae.care
        .iter()
        .all(|fact| truth[fact.condition.0 as usize])
        && is_steady(mdae, mode, &truth)
}

fn is_steady(mdae: &MDae, mode: &Mode, truth: &[bool]) -> bool {
    mdae.modes
        .iter_enumerated()
        .all(|(id, variable)| match &variable.def {
            ModeDef::Left(condition) => mode[id.index()] == truth[condition.0 as usize],
            ModeDef::Pulse(_) => !mode[id.index()],
            _ => true,
        })
}

/// Whether a valuation can happen at an instant.
fn can_happen(mdae: &MDae, mode: &Mode) -> bool {
    let truth = mdae.conds.evaluate(mode);
    let holds = |condition: CondId| truth[condition.0 as usize];
    mdae.care
        .iter()
        .all(|fact| fact.reason == CareReason::Instant || holds(fact.condition))
}

impl Modes<'_> {
    /// Follows the flip of some mode variables out of a long mode. `None` when the care set rules the
    /// result out or nothing changes. O(conditions) per step of the cascade.
    pub fn follow(&self, from: &Mode, flips: &[(ModeId, bool)]) -> Option<Event> {
        let mdae = self.mdae;
        let mut instant = from.clone();
        for &(id, value) in flips {
            instant[id.index()] = value;
        }
        settle_formulas(mdae, &mut instant);
        if instant == *from || !can_happen(mdae, &instant) {
            return None;
        }
        let mut event = Event {
            from: from.clone(),
            instant: instant.clone(),
            settled: instant.clone(),
            laws: Vec::new(),
            cascade: Vec::new(),
            unbounded: false,
            open: false,
        };
        let mut before = from.clone();
        let mut current = instant;
        loop {
            let (next, fired) = self.step(from, &before, &current, true);
            if event.cascade.is_empty() {
                event.instant = self.at_the_instant(&current, &next);
            }
            // A law holds once, however often the iteration comes back to it, and the last assignment to a variable that is
            // held between events is the one that counts.
            for law in fired {
                let target = held_by(mdae, &mdae.equations[law]);
                event.laws.retain(|&own| {
                    own != law
                        && (target.is_none() || held_by(mdae, &mdae.equations[own]) != target)
                });
                event.laws.push(law);
            }
            if next == current {
                // What was impossible at once is not possible by way of other modes either.
                if !event.cascade.is_empty() && !can_happen(mdae, &current) {
                    return None;
                }
                event.settled = current;
                return Some(event);
            }
            if event.cascade.contains(&next) || event.cascade.len() >= MAX_CASCADE {
                event.unbounded = true;
                event.open = left_open(self, &event.laws);
                event.settled = next;
                return Some(event);
            }
            event.cascade.push(next.clone());
            before = current;
            current = next;
        }
    }

    /// The same up to where left limits follow: what the conditions are then may be a matter of the new values.
    pub fn first_pass(&self, from: &Mode, flips: &[(ModeId, bool)]) -> Option<Event> {
        let mut current = from.clone();
        for &(id, value) in flips {
            current[id.index()] = value;
        }
        settle_formulas(self.mdae, &mut current);
        if current == *from || !can_happen(self.mdae, &current) {
            return None;
        }
        let (settled, laws) = self.step(from, from, &current, false);
        Some(Event {
            from: from.clone(),
            instant: self.at_the_instant(&current, &settled),
            settled,
            laws,
            cascade: Vec::new(),
            unbounded: false,
            open: false,
        })
    }

    /// The left limits that have not followed yet.
    pub fn lefts_behind(&self, mode: &Mode) -> Vec<(ModeId, bool)> {
        let truth = self.mdae.conds.evaluate(mode);
        let modes = self.mdae.modes.iter_enumerated();
        let lefts = modes.filter_map(|(id, variable)| match variable.def {
            ModeDef::Left(condition) => Some((id, truth[condition.0 as usize])),
            _ => None,
        });
        lefts
            .filter(|(id, value)| mode[id.index()] != *value)
            .collect()
    }

    /// The valuation at the instant with what a `when` assigns there: new values hold at once, while left limits are what
    /// they were.
    fn at_the_instant(&self, current: &Mode, next: &Mode) -> Mode {
        let mut instant = current.clone();
        for (id, variable) in self.mdae.modes.iter_enumerated() {
            if matches!(variable.def, ModeDef::Held | ModeDef::Choice(_)) {
                instant[id.index()] = next[id.index()];
            }
        }
        settle_formulas(self.mdae, &mut instant);
        instant
    }

    /// One round of event iteration: fires what became true, updates held variables, and left limits if these `follow`.
    fn step(&self, from: &Mode, before: &Mode, current: &Mode, follow: bool) -> (Mode, Vec<EqId>) {
        let mdae = self.mdae;
        let (old, new) = (mdae.conds.evaluate(before), mdae.conds.evaluate(current));
        let rises = |id: CondId| new[id.0 as usize] && !old[id.0 as usize];
        let mut fired = Vec::new();
        for &id in &self.laws {
            let equation = &mdae.equations[id];
            if let Some(firing) = equation.kind.firing()
                && new[equation.guard.0 as usize]
                && firing.fires(rises)
            {
                fired.push(id);
            }
        }
        let mut next = current.clone();
        for update in &mdae.updates {
            if new[update.guard.0 as usize] && update.firing.fires(rises) {
                next[update.mode.index()] = new[update.value.0 as usize];
            }
        }
        for (id, variable) in mdae.modes.iter_enumerated() {
            match &variable.def {
                ModeDef::Left(condition) if follow => {
                    next[id.index()] = new[condition.0 as usize];
                }
                ModeDef::Pulse(_) => next[id.index()] = false,
                _ => {}
            }
        }
        // `when v < 0 then reinit(v, 0)`: the condition is false again. What did not bring the event about changes here only
        // together with all that reads the new value.
        let (decided, all) = decided_by_resets(self, &fired);
        for (id, value) in decided {
            if all && !self.is_run || current[id.index()] != from[id.index()] {
                next[id.index()] = value;
            }
        }
        settle_formulas(mdae, &mut next);
        (next, fired)
    }
}

/// Gives mode variables that are formulas the value of their formula, until nothing changes.
pub(crate) fn settle_formulas(mdae: &MDae, mode: &mut Mode) {
    let formulas: Vec<(ModeId, CondId)> = mdae
        .modes
        .iter_enumerated()
        .filter_map(|(id, variable)| match variable.def {
            ModeDef::Formula(condition) => Some((id, condition)),
            _ => None,
        })
        .collect();
    if formulas.is_empty() {
        return;
    }
    for _ in 0..=formulas.len() {
        let truth = mdae.conds.evaluate(mode);
        let mut changed = false;
        for &(id, condition) in &formulas {
            let value = truth[condition.0 as usize];
            changed |= mode[id.index()] != value;
            mode[id.index()] = value;
        }
        if !changed {
            return;
        }
    }
}

/// Whether any condition of the table is more than a constant: the model has modes at all.
pub fn has_modes(conds: &Conds) -> bool {
    conds.len() > 2
}
