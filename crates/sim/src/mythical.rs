//! Modes that last no time because an impulse contradicts a condition.
//!
//! A switch opens in series with an inductor, whose current finds no way but through a diode. Taken literally, the
//! diode still blocks at that instant, since its condition reads the left limit; the current jumps to zero, and
//! the voltage that it takes, an impulse, opens the diode too late. In the physics the impulse does not build up: the
//! diode conducts before the current has changed. Mosterman and Biswas call modes like the first one *mythical*: the
//! state that they would restart is not taken over. So a change whose impulses contradict conditions is taken back, and
//! the restart is computed again from the same left limits with these conditions flipped. Where that leads nowhere,
//! the literal reading stands.

use crate::failure::{Failure, FailureKind};
use crate::predicates::Sides;
use crate::result::{EventRecord, Impulse};
use crate::simulator::Simulator;
use modeshift_mdae::model::{ModeDef, ModeId, Reads};
use modeshift_restart::events::Event;
use modeshift_restart::modes::Mode;

/// Mythical modes in a row before the literal reading is taken.
const MAX_MYTHICAL: usize = 32;

/// Conditions that are tried where a mode has no solution.
const MAX_AROUND: usize = 16;

/// Impulses below this weight are rounding.
const NO_IMPULSE: f64 = 1e-9;

/// What a change that is taken back has to restore.
pub(crate) struct Before {
    values: Vec<f64>,
    mode: Mode,
}

impl Simulator<'_> {
    /// The change that an event causes, through mythical modes if its impulses contradict conditions. At most
    /// [`MAX_MYTHICAL`] restarts.
    pub fn change_through(
        &mut self,
        event: Event,
        flips: &[(ModeId, bool)],
    ) -> Result<EventRecord, Failure> {
        let before = self.now();
        let record = match self.change(event.clone(), &ids(flips), &ids(flips)) {
            Ok(record) => record,
            Err(failure) => return self.around(&before, flips, failure),
        };
        if record.fired > 0 || self.contradicted(&record.impulses)?.is_empty() {
            return Ok(record);
        }
        if let Some(record) = self.through_mythical_modes(&before, record, flips) {
            return Ok(record);
        }
        self.take_back(&before)?;
        self.change(event, &ids(flips), &ids(flips))
    }

    /// The change around a mode that has no solution: a switch closes beside a diode that conducts, and the two would
    /// short-circuit a source. In the physics the diode blocks at that very instant. So each condition on left limits is
    /// tried with its other value; where exactly one of them leads to a mode that its values agree with, that is the
    /// mode after. At most [`MAX_AROUND`] restarts, and one more.
    fn around(
        &mut self,
        before: &Before,
        flips: &[(ModeId, bool)],
        failure: Failure,
    ) -> Result<EventRecord, Failure> {
        let impossible = matches!(
            failure.kind,
            FailureKind::SingularMode(_)
                | FailureKind::DependentConstraints(_)
                | FailureKind::Unsolvable(..)
                | FailureKind::Restart { .. }
                | FailureKind::RestartUnsolved { .. }
        );
        self.take_back(before)?;
        if !impossible {
            return Err(failure);
        }
        // Those that the equations read as they were just before: by `pre` of what they compare, or of themselves.
        let modes = self.mdae.modes.iter();
        let lagging = modes.filter_map(|it| match it.def {
            ModeDef::Left(condition) => Some(condition),
            _ => None,
        });
        let lagging = self.mdae.conds.support(lagging);
        let modes = self.mdae.modes.iter_enumerated();
        let candidates: Vec<(ModeId, bool)> = modes
            .filter(|(id, variable)| {
                matches!(variable.def, ModeDef::Predicate(_))
                    && (variable.reads == Reads::LeftLimit || lagging.contains(id))
                    && !flips.iter().any(|(flipped, _)| flipped == id)
            })
            .map(|(id, _)| (id, !self.mode[id.index()]))
            .take(MAX_AROUND)
            .collect();
        let mut fitting = Vec::new();
        for candidate in candidates {
            let mut with = flips.to_vec();
            with.push(candidate);
            if self.fits_after(&ids(flips), &with) {
                fitting.push(with);
            }
            self.take_back(before)?;
        }
        let [with] = fitting.as_slice() else {
            return Err(failure);
        };
        match self.follow(with)? {
            Some(event) => self.change(event, &ids(flips), &ids(with)),
            None => Err(failure),
        }
    }

    /// Whether a change leads to a mode that neither its values nor its impulses contradict.
    fn fits_after(&mut self, crossed: &[ModeId], flips: &[(ModeId, bool)]) -> bool {
        let Ok(Some(event)) = self.follow(flips) else {
            return false;
        };
        let Ok(record) = self.change(event, crossed, &ids(flips)) else {
            return false;
        };
        let agrees =
            |found: Result<Vec<(ModeId, bool)>, Failure>| found.is_ok_and(|f| f.is_empty());
        agrees(self.contradicted(&record.impulses)) && agrees(self.flips())
    }

    /// The first change without contradiction; `None` where there is none.
    fn through_mythical_modes(
        &mut self,
        before: &Before,
        mut record: EventRecord,
        flips: &[(ModeId, bool)],
    ) -> Option<EventRecord> {
        let crossed = ids(flips);
        let mut flips = flips.to_vec();
        for _ in 0..MAX_MYTHICAL {
            let contradicted = self.contradicted(&record.impulses).ok()?;
            if contradicted.is_empty() {
                return Some(record);
            }
            for flip in contradicted {
                // A condition that has to flip back again finds no value.
                if flips.iter().any(|(id, _)| *id == flip.0) {
                    return None;
                }
                flips.push(flip);
            }
            self.take_back(before).ok()?;
            let event = self.follow(&flips).ok()??;
            record = self.change(event, &crossed, &ids(&flips)).ok()?;
        }
        None
    }

    /// What is to be restored if a change is taken back.
    pub(crate) fn now(&self) -> Before {
        Before {
            values: self.values.clone(),
            mode: self.mode.clone(),
        }
    }

    pub(crate) fn take_back(&mut self, before: &Before) -> Result<(), Failure> {
        self.mode = before.mode.clone();
        self.values[..before.values.len()].copy_from_slice(&before.values);
        self.choose_states()
    }

    /// The conditions that impulses decide otherwise: those whose sides move apart the wrong way as the impulses grow.
    fn contradicted(&mut self, impulses: &[Impulse]) -> Result<Vec<(ModeId, bool)>, Failure> {
        if impulses
            .iter()
            .all(|impulse| impulse.weight.abs() < NO_IMPULSE)
        {
            return Ok(Vec::new());
        }
        let compiled = self.compiled()?;
        let predicates = &compiled.borrow().predicates;
        let kept = self.values.clone();
        let [tall, taller]: [Vec<Sides>; 2] = [1e6, 1e9].map(|height: f64| {
            for impulse in impulses {
                let value = impulse.weight * libm::pow(height, impulse.degree);
                self.set_value(impulse.variable, value);
            }
            self.sides(predicates)
        });
        self.values[..kept.len()].copy_from_slice(&kept);
        let beyond = |i: &usize| {
            let current = self.mode[predicates.mode(*i).index()];
            let excess = |sides: &[Sides]| predicates.excess(*i, sides[*i], current, 0.0);
            let (low, high) = (excess(&tall), excess(&taller));
            low > 0.0 && high > 2.0 * low
        };
        let found = (0..predicates.len()).filter(beyond);
        Ok(found
            .map(|i| {
                let id = predicates.mode(i);
                (id, !self.mode[id.index()])
            })
            .collect())
    }
}

fn ids(flips: &[(ModeId, bool)]) -> Vec<ModeId> {
    flips.iter().map(|(id, _)| *id).collect()
}
