//! What happens at an instant: event iteration and hot restarts.
//!
//! A mode variable flips; definitions, `when` equations and left limits follow ([`Modes::follow`]); the
//! parts of the model that change are restarted by their restart systems; the new values may flip further
//! mode variables, and so on until nothing flips any more.
//!
//! [`Modes::follow`]: modeshift_restart::modes::Modes::follow

use crate::failure::{Failure, FailureKind};
use crate::predicates::{Predicates, Sides, with_flips};
use crate::restarts::Prepared;
use crate::result::{EventRecord, Jump};
use crate::simulator::Simulator;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::model::{End, EquationKind, ModeDef, ModeId, Reads};
use modeshift_mdae::sym::{At, CondId, VarId, VarRef, variables};
use modeshift_restart::analyse;
use modeshift_restart::change::Role;
use modeshift_restart::events::{Event, is_long};
use modeshift_restart::explore::causes;
use modeshift_restart::parts::PartKey;
use modeshift_restart::verdict::Verdict;
use std::rc::Rc;

/// Mode variables with the values they take.
pub(crate) type Flips = Vec<(ModeId, bool)>;

/// Rounds of event iteration at one instant.
const MAX_ROUNDS: usize = 100;

/// How far is looked ahead where a number lies on its threshold, until it has moved.
const AHEAD: [f64; 3] = [1e-7, 1e-5, 1e-3];

impl Simulator<'_> {
    /// Lets mode variables flip and iterates until the mode settles. Returns what happened.
    pub fn handle(&mut self, flips: Vec<(ModeId, bool)>) -> Result<Vec<EventRecord>, Failure> {
        let mut flips = flips;
        let mut records = Vec::new();
        let mut flipped: FxHashSet<ModeId> = FxHashSet::default();
        for _ in 0..MAX_ROUNDS {
            let (record, next) = self.round(&flips, &mut flipped)?;
            records.extend(record);
            flips = next;
            if flips.is_empty() {
                return Ok(records);
            }
        }
        let flipping = flips.into_iter().map(|(id, _)| id).collect();
        Err(self.fail(FailureKind::NoMode {
            flipping,
            rounds: MAX_ROUNDS,
        }))
    }

    /// Whether a `reinit` counts at an event.
    pub(crate) fn resets(&self, event: &Event) -> bool {
        let mut laws = event.laws.iter();
        laws.any(|&law| matches!(self.mdae.equations[law].kind, EquationKind::Reinit { .. }))
    }

    /// One change: lets mode variables flip. What happened, and the mode variables that flip next.
    pub(crate) fn round(
        &mut self,
        flips: &[(ModeId, bool)],
        flipped: &mut FxHashSet<ModeId>,
    ) -> Result<(Option<EventRecord>, Flips), Failure> {
        let again = flips.iter().any(|(id, _)| flipped.contains(id));
        flipped.extend(flips.iter().map(|(id, _)| *id));
        let Some(event) = self.follow(flips)? else {
            return Ok((None, self.flips()?));
        };
        let before = self.compared()?;
        if let Some((record, mut next)) = self.pass_by_pass(&event, flips)? {
            next.extend(self.landed(&before, flipped)?);
            return Ok((Some(record), next));
        }
        if event.unbounded && again {
            return Err(self.fail(self.endless(&event)));
        }
        if event.unbounded {
            return self.on_new_values(event, flips);
        }
        let record = self.change_through(event, flips)?;
        let mut next = self.flips()?;
        next.extend(self.landed(&before, flipped)?);
        Ok((Some(record), next))
    }

    /// A cascade that has no end with the values from before the instant may have one with those after it: a contact that a position
    /// closes stays closed by the force, which is there only then. So the first change is made, and what its values say goes on.
    fn on_new_values(
        &mut self,
        event: Event,
        flips: &[(ModeId, bool)],
    ) -> Result<(Option<EventRecord>, Flips), Failure> {
        let endless = self.fail(self.endless(&event));
        if !event.laws.is_empty() {
            return Err(endless);
        }
        let before = self.now();
        let first = Event {
            settled: event.instant.clone(),
            cascade: Vec::new(),
            unbounded: false,
            ..event
        };
        if let Ok(record) = self.change_through(first, flips)
            && let Ok(next) = self.settling()
        {
            return Ok((Some(record), next));
        }
        self.take_back(&before)?;
        Err(endless)
    }

    /// The flips after which the mode lasts, if the values have some to tell: clearly, or by where they go from the thresholds on
    /// which they lie.
    fn settling(&mut self) -> Result<Flips, Failure> {
        let mut next = self.flips()?;
        if next.is_empty() && is_long(self.mdae, &self.mode) {
            return Ok(next);
        }
        if next.is_empty() {
            next = self.turning()?;
        }
        match self.follow(&next)? {
            Some(event) if !event.unbounded => Ok(next),
            _ => Err(self.fail(FailureKind::NoMode {
                flipping: next.into_iter().map(|(id, _)| id).collect(),
                rounds: 1,
            })),
        }
    }

    /// The conditions on whose thresholds the values lie, and which are about to change.
    fn turning(&mut self) -> Result<Flips, Failure> {
        let here = self.compared()?;
        let compiled = self.compiled()?;
        let predicates = &compiled.borrow().predicates;
        let ahead: Vec<Vec<Sides>> = AHEAD
            .iter()
            .filter_map(|&distance| self.ahead(predicates, distance))
            .collect();
        let turned = |i: usize| {
            let id = predicates.mode(i);
            let mut ahead = ahead.iter();
            let side = ahead.find_map(|ahead| predicates.side_ahead(i, here[i], ahead[i]))?;
            let turns = Predicates::is_on_threshold(here[i]) && side != self.mode[id.index()];
            turns.then_some((id, side))
        };
        Ok((0..predicates.len()).filter_map(turned).collect())
    }

    /// Where conditions follow from left limits that follow: the first pass alone, if its values change conditions, too. As in
    /// appendix B of the specification these are then what counts in the next pass.
    fn pass_by_pass(
        &mut self,
        event: &Event,
        flips: &[(ModeId, bool)],
    ) -> Result<Option<(EventRecord, Flips)>, Failure> {
        let Some(first) = self.modes.first_pass(&event.from, flips) else {
            return Ok(None);
        };
        let modes = self.mdae.modes.iter_enumerated();
        let more = modes
            .filter(|(_, variable)| !matches!(variable.def, ModeDef::Left(_)))
            .any(|(id, _)| first.settled[id.index()] != event.settled[id.index()]);
        // The same equations have the same values.
        let same = self.modes.enabled(&event.from) == self.modes.enabled(&first.settled);
        if !more || same && first.laws.is_empty() {
            return Ok(None);
        }
        let kept = (self.now(), self.ended, self.disarmed.clone());
        let ids: Vec<ModeId> = flips.iter().map(|(id, _)| *id).collect();
        if let Ok(record) = self.change(first, &ids, &ids)
            && let Ok(mut next) = self.flips()
            && !next.is_empty()
        {
            next.extend(self.modes.lefts_behind(&self.mode));
            return Ok(Some((record, next)));
        }
        (self.ended, self.disarmed) = (kept.1, kept.2);
        self.take_back(&kept.0)?;
        Ok(None)
    }

    /// The conditions that take turns in a cascade without end.
    fn endless(&self, event: &Event) -> FailureKind {
        let modes = self.mdae.modes.iter_enumerated();
        let turns = modes.filter(|(id, variable)| {
            let last = event.settled[id.index()];
            let mut values = event.cascade.iter().map(|mode| mode[id.index()]);
            !matches!(variable.def, ModeDef::Left(_)) && values.any(|value| value != last)
        });
        FailureKind::NoMode {
            flipping: turns.map(|(id, _)| id).collect(),
            rounds: event.cascade.len(),
        }
    }

    /// The numbers that all predicates compare at the current values.
    fn compared(&mut self) -> Result<Vec<Sides>, Failure> {
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        Ok(self.sides(&compiled.predicates))
    }

    /// The mode variables that flip because a jump ended on their thresholds. One that has flipped at this instant
    /// flips back only if it does not move on to the side where it is: a lock that a step of force opens has its speed
    /// on the threshold, and leaves it at once.
    fn landed(
        &mut self,
        before: &[Sides],
        flipped: &FxHashSet<ModeId>,
    ) -> Result<Vec<(ModeId, bool)>, Failure> {
        let after = self.compared()?;
        let compiled = self.compiled()?;
        let predicates = &compiled.borrow().predicates;
        let landed: Vec<usize> = (0..predicates.len())
            .filter(|&i| {
                let current = self.mode[predicates.mode(i).index()];
                predicates.landed(i, before[i], after[i], current)
            })
            .collect();
        let back = landed
            .iter()
            .any(|&i| flipped.contains(&predicates.mode(i)));
        // A speed leaves its threshold sooner than a position.
        let distances: &[f64] = if back { &AHEAD } else { &[] };
        let ahead: Vec<Vec<Sides>> = distances
            .iter()
            .filter_map(|&distance| self.ahead(predicates, distance))
            .collect();
        let stays = |i: usize| {
            let id = predicates.mode(i);
            let mut sides = ahead.iter().filter(|_| flipped.contains(&id));
            let moved = sides.find_map(|ahead| predicates.side_ahead(i, after[i], ahead[i]));
            moved == Some(self.mode[id.index()])
        };
        Ok(landed
            .into_iter()
            .filter(|&i| !stays(i))
            .map(|i| {
                let id = predicates.mode(i);
                (id, !self.mode[id.index()])
            })
            .collect())
    }

    /// The numbers that predicates compare a short while later, by a few Euler steps. `None` where they have no value.
    fn ahead(&mut self, predicates: &Predicates, distance: f64) -> Option<Vec<Sides>> {
        const STEPS: usize = 3;
        let kept = self.values.clone();
        let h = distance * (1.0 + self.time().abs()) / STEPS as f64;
        let plan = self.plan.clone();
        let mut solved = true;
        for _ in 0..STEPS {
            let values = &self.values;
            let rates = plan.state_slots.iter().zip(&plan.derivative_slots);
            let y: Vec<f64> = rates
                .map(|(&state, &rate)| values[state as usize] + h * values[rate as usize])
                .collect();
            self.set_states(self.time() + h, &y);
            let mut scratch = std::mem::take(&mut self.scratch);
            solved &= plan.run(&mut self.values, &mut scratch).is_ok();
            self.scratch = scratch;
        }
        let sides = solved.then(|| self.sides(predicates));
        self.values[..kept.len()].copy_from_slice(&kept);
        sides
    }

    /// The mode variables that are to flip at the current values.
    pub fn flips(&mut self) -> Result<Vec<(ModeId, bool)>, Failure> {
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        let mut excess = Vec::new();
        self.excesses(&compiled.predicates, &mut excess);
        let beyond = (0..excess.len()).filter(|&i| excess[i] > 0.0);
        Ok(beyond
            .map(|i| {
                let id = compiled.predicates.mode(i);
                (id, !self.mode[id.index()])
            })
            .collect())
    }

    /// Follows flips through the definitions. Predicates on one expression flip together: where the care set
    /// rules out some flips alone, the exact truth of all predicates decides.
    pub fn follow(&mut self, flips: &[(ModeId, bool)]) -> Result<Option<Event>, Failure> {
        let from = self.mode.clone();
        if let Some(event) = self.modes.follow(&from, flips) {
            return Ok(Some(event));
        }
        if with_flips(&from, flips) == from {
            return Ok(None);
        }
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        let sides = self.sides(&compiled.predicates);
        let mut exact: Vec<(ModeId, bool)> = sides
            .iter()
            .enumerate()
            .map(|(i, &s)| (compiled.predicates.mode(i), compiled.predicates.truth(i, s)))
            .collect();
        for flip in flips {
            match exact.iter_mut().find(|(id, _)| *id == flip.0) {
                Some(known) => known.1 = flip.1,
                None => exact.push(*flip),
            }
        }
        match self.modes.follow(&from, &exact) {
            Some(event) => Ok(Some(event)),
            None if let Some(index) = self.violated_after(&exact) => {
                Err(self.fail(FailureKind::Assertion(index)))
            }
            None => Err(self.fail(FailureKind::NoMode {
                flipping: flips.iter().map(|(id, _)| *id).collect(),
                rounds: 1,
            })),
        }
    }

    fn violated_after(&self, flips: &[(ModeId, bool)]) -> Option<usize> {
        let mode = with_flips(&self.mode, flips);
        self.violated(&self.mdae.conds.evaluate(&mode))
    }

    /// The mode variables whose other value fits the current states just as well. Looked at are those that
    /// are decided by values of the same instant: with states alone there is no choice. O(such variables)
    /// evaluations.
    pub fn other_fitting_modes(&mut self) -> Result<Vec<ModeId>, Failure> {
        const MAX_TRIED: usize = 16;
        let compiled = self.compiled()?;
        let candidates: Vec<ModeId> = {
            let compiled = compiled.borrow();
            let decided_now = |id: &ModeId| self.reads_algebraic(*id, &compiled.program.d);
            let all = (0..compiled.predicates.len()).map(|i| compiled.predicates.mode(i));
            all.filter(decided_now).take(MAX_TRIED).collect()
        };
        let mut found = Vec::new();
        if candidates.is_empty() {
            return Ok(found);
        }
        let kept = (self.values.clone(), self.mode.clone(), self.plan.clone());
        for id in candidates {
            if self.fits_with(id) {
                found.push(id);
            }
            self.mode = kept.1.clone();
            self.compiled()?;
            self.values[..kept.0.len()].copy_from_slice(&kept.0);
        }
        self.choose_states()?;
        debug_assert_eq!(self.plan.states, kept.2.states);
        self.evaluate()?;
        Ok(found)
    }

    /// Whether a predicate on current values reads something that is no state.
    fn reads_algebraic(&self, id: ModeId, depths: &FxHashMap<VarId, u32>) -> bool {
        let mode = &self.mdae.modes[id];
        let ModeDef::Predicate(predicate) = &mode.def else {
            return false;
        };
        if mode.reads != Reads::Current {
            return false;
        }
        let difference = self
            .modes
            .elimination
            .apply(&predicate.lhs.sub(&predicate.rhs));
        variables(&difference).into_iter().any(|o| {
            o.at == At::Now
                && matches!(
                    self.modes.roles[o.var.0 as usize],
                    Role::Unknown | Role::Discrete
                )
                && depths.get(&o.var).is_some_and(|&d| o.order >= d)
        })
    }

    fn fits_with(&mut self, id: ModeId) -> bool {
        let flip = [(id, !self.mode[id.index()])];
        let from = self.mode.clone();
        let Some(event) = self.modes.follow(&from, &flip) else {
            return false;
        };
        // What was just before is known, whatever is true now.
        let modes = self.mdae.modes.iter_enumerated();
        let lefts = modes.filter(|(_, mode)| matches!(mode.def, ModeDef::Left(_)));
        let lefts = lefts.map(|(left, _)| (left, from[left.index()])).collect();
        let remembered = std::mem::replace(&mut self.remembered, lefts);
        let mut other = event.settled;
        self.settle(&mut other);
        self.remembered = remembered;
        if other == from || !event.laws.is_empty() {
            return false;
        }
        let states = self.plan.states.clone();
        self.mode = other;
        self.choose_states().is_ok()
            && self.plan.states == states
            && self.evaluate().is_ok()
            && self.flips().is_ok_and(|flips| flips.is_empty())
            && self.clearly(id).unwrap_or(false)
    }

    /// Whether the values speak for the predicate's value; on its threshold, both values stand for one solution.
    fn clearly(&mut self, id: ModeId) -> Result<bool, Failure> {
        let compiled = self.compiled()?;
        let predicates = &compiled.borrow().predicates;
        let sides = self.sides(predicates);
        let other = !self.mode[id.index()];
        let mut own = (0..predicates.len()).filter(|&i| predicates.mode(i) == id);
        Ok(own.all(|i| predicates.excess(i, sides[i], other, 0.0) > 0.0))
    }

    /// One mode change: restarts what changes, then computes everything in the new mode. Of what `flipped`, the conditions that
    /// `crossed` are at their thresholds; others flip because of what follows.
    pub fn change(
        &mut self,
        event: Event,
        crossed: &[ModeId],
        flipped: &[ModeId],
    ) -> Result<EventRecord, Failure> {
        let situation = self.modes.situation(&event);
        let truth = self.mdae.conds.evaluate(&event.instant);
        let before = self.mdae.conds.evaluate(&event.from);
        let rises = |id: CondId| truth[id.0 as usize] && !before[id.0 as usize];
        let reached = |end: &End| truth[end.guard.0 as usize] && end.firing.fires(rises);
        self.ended = self
            .ended
            .or_else(|| self.mdae.ends.iter().position(reached));
        let causes = causes(&self.modes, &event, crossed);
        let keys = self.modes.part_keys(&situation, &causes, &truth, false);
        let to = if situation.returns {
            event.from.clone()
        } else {
            event.settled.clone()
        };
        let mut prepared = Vec::with_capacity(keys.len());
        for key in keys {
            prepared.push(self.prepared(key, &truth)?);
        }
        for part in &prepared {
            self.watch_jumps(part);
        }
        self.keep_left_limits();
        let mut record = EventRecord {
            time: self.time(),
            from: event.from,
            transient: situation.returns.then_some(event.instant),
            to: to.clone(),
            causes: self.told(flipped),
            fired: event.laws.len(),
            jumps: Vec::new(),
            impulses: Vec::new(),
        };
        for part in &prepared {
            self.restart(part, &to, &mut record)?;
        }
        self.mode = to;
        self.choose_states()?;
        self.evaluate()?;
        self.disarm(situation.returns, flipped)?;
        for part in &prepared {
            self.note_jumps(part, &mut record);
        }
        Ok(record)
    }

    /// Left limits follow from what else changed.
    fn told(&self, flipped: &[ModeId]) -> Vec<ModeId> {
        let lags = |id: &ModeId| matches!(self.mdae.modes[*id].def, ModeDef::Left(_));
        let all = flipped.iter().copied();
        all.filter(|id| !lags(id)).collect()
    }

    fn prepared(&mut self, key: PartKey, truth: &[bool]) -> Result<Rc<Prepared>, Failure> {
        if let Some(known) = self.restarts.parts.get(&key) {
            return Ok(known.clone());
        }
        let part = self.modes.part(&key, truth);
        let analysis = analyse(&part.change);
        let prepared = Rc::new(Prepared::new(self, part, analysis)?);
        self.restarts.parts.insert(key, prepared.clone());
        Ok(prepared)
    }

    fn restart(
        &mut self,
        prepared: &Prepared,
        to: &[bool],
        record: &mut EventRecord,
    ) -> Result<(), Failure> {
        let analysis = &prepared.analysis;
        if analysis.verdict != Verdict::Determined {
            let global = |o: &VarRef| VarRef {
                var: prepared.part.vars[o.var.0 as usize],
                ..*o
            };
            return Err(self.fail(FailureKind::Restart {
                to: to.into(),
                verdict: analysis.verdict,
                undetermined: analysis.undetermined.iter().map(global).collect(),
            }));
        }
        if !prepared.solve(self, &mut record.impulses) {
            return Err(self.fail(FailureKind::RestartUnsolved { to: to.into() }));
        }
        Ok(())
    }

    /// The log tells what jumps, also where the restart does not read it.
    fn watch_jumps(&mut self, prepared: &Prepared) {
        for jump in &prepared.analysis.jumps {
            let var = prepared.part.vars[jump.var.0 as usize];
            self.layout.slot(VarRef::left(var, jump.order));
        }
        self.grow();
    }

    fn note_jumps(&mut self, prepared: &Prepared, record: &mut EventRecord) {
        for jump in &prepared.analysis.jumps {
            let variable = VarRef::now(prepared.part.vars[jump.var.0 as usize], jump.order);
            let left = VarRef {
                at: At::Left,
                ..variable
            };
            record.jumps.push(Jump {
                variable,
                before: self.value(left),
                after: self.value(variable),
            });
        }
    }

    /// A mode that was returned to at once must not be left again for the same reason: predicates that are
    /// still beyond their thresholds have to go ten times as far.
    fn disarm(&mut self, returned: bool, flipped: &[ModeId]) -> Result<(), Failure> {
        if !returned {
            return Ok(());
        }
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        let mut excess = Vec::new();
        self.excesses(&compiled.predicates, &mut excess);
        for (index, &beyond) in excess.iter().enumerate() {
            if beyond > 0.0 && flipped.contains(&compiled.predicates.mode(index)) {
                *self.disarmed.entry(index).or_insert(0.0) += 9.0 * beyond + 1e-10;
            }
        }
        Ok(())
    }

    /// Predicates that came back from beyond their thresholds count again.
    pub fn rearm(&mut self, excess: &[f64]) {
        if !self.disarmed.is_empty() {
            self.disarmed
                .retain(|&index, extra| excess.get(index).is_some_and(|e| e + *extra > 0.0));
        }
    }
}
