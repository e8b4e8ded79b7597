//! Loops through conditions and other held values: the values that are guessed, what follows from them, and whether
//! that confirms the guess.
//!
//! The valuation before is tried first and stays as long as it fits. Then all guesses that were not confirmed change at once, which
//! takes few rounds where it ends. Where it goes round in circles they change one at a time, the first one first: Murty's least-index
//! method, which ends for every complementarity problem with a P-matrix, that is, for the continuous loops with
//! exactly one solution (K. G. Murty, Note on a Bard-type scheme, 1974). At last all valuations of up to
//! [`MAX_SEARCH`] Booleans are tried, the nearest first. A valuation that was found by several changes at once may not be the nearest one that
//! fits: in small loops the nearer ones are looked at, and if one fits it is taken and the choice is remarked. Where several guesses
//! stopped being confirmed at once, so are others that are as near.

use super::order::{Kind, Pair, Step};
use crate::block::{BlockError, Scratch};
use crate::tape::Program;
use modeshift_base::FxHashSet;
use modeshift_mdae::sym::VarRef;

/// So many Booleans are searched through.
const MAX_SEARCH: usize = 12;
/// So many Booleans are looked at for a nearer valuation.
const MAX_NEAREST: usize = 8;
/// Rounds in which all guesses change at once.
const MAX_ROUNDS: usize = 200;
/// Rounds in which one guess changes: Murty's method may need many, and never the same valuation twice.
const MAX_SINGLE_ROUNDS: usize = 20_000;

#[derive(Clone, Debug)]
pub struct Mixed {
    steps: Vec<Step>,
    guessed: Vec<u32>,
    names: Vec<VarRef>,
    /// What the guessed values are according to the rest.
    check: Program,
    /// The slots that are computed inside, restored between attempts.
    inner: Vec<u32>,
    held: bool,
}

impl Mixed {
    pub fn new(steps: Vec<Step>, guessed: &[Pair], check: Program) -> Self {
        let mut inner = Vec::new();
        for step in &steps {
            match step {
                Step::Task(crate::plan::Task::Assign { slots, .. }) => inner.extend(slots),
                Step::Task(crate::plan::Task::Solve(block)) => inner.extend(block.outputs()),
                Step::Mixed(mixed) => inner.extend(mixed.guessed.iter().chain(&mixed.inner)),
            }
        }
        Self {
            steps,
            guessed: guessed.iter().map(|pair| pair.slot).collect(),
            names: guessed.iter().map(|pair| pair.name).collect(),
            check,
            inner,
            held: guessed.iter().any(|pair| pair.kind == Kind::Held),
        }
    }

    /// What is computed for a guess.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether conditions are among the guesses.
    pub fn has_conditions(&self) -> bool {
        self.held
    }

    /// What the rest says about a guess that is in `values`.
    fn attempt(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<Vec<f64>, BlockError> {
        for step in &self.steps {
            step.run(values, scratch)?;
        }
        self.check.run(values, &mut scratch.work);
        // A relation without a value confirms nothing.
        let of = |i: usize| Some(self.check.output(&scratch.work, i)).filter(|v| !v.is_nan());
        Ok((0..self.guessed.len())
            .map(|i| of(i).unwrap_or(0.0))
            .collect())
    }

    fn put(&self, values: &mut [f64], guess: &[f64]) {
        for (&slot, &value) in self.guessed.iter().zip(guess) {
            values[slot as usize] = value;
        }
    }

    pub fn solve(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        let read = |slots: &[u32], values: &[f64]| -> Vec<f64> {
            slots.iter().map(|&slot| values[slot as usize]).collect()
        };
        let start = read(&self.guessed, values);
        let before = read(&self.inner, values);
        let flat_places = scratch.flat_places;
        let result = self.solve_one_way(values, scratch, &start, &before);
        if result.is_ok() || scratch.flat_places == flat_places {
            return result;
        }
        // A flow that starts from zero may go either way, and in `m² = dp` both are solutions before the condition is asked.
        scratch.downwards = !scratch.downwards;
        let other = self.solve_one_way(values, scratch, &start, &before);
        scratch.downwards = !scratch.downwards;
        other.or(result)
    }

    fn solve_one_way(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        start: &[f64],
        before: &[f64],
    ) -> Result<(), BlockError> {
        let mut failure = None;
        for one_by_one in [false, true] {
            self.restore(values, before);
            match self.flip(values, scratch, start.to_vec(), one_by_one) {
                Ok(None) => {}
                Ok(Some((found, doubts))) => {
                    self.nearer(values, scratch, (start, before), &found, doubts);
                    return Ok(());
                }
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
        self.search(values, scratch, start, before)
            .then_some(())
            .ok_or_else(|| failure.unwrap_or_else(|| BlockError::Diverged(self.names.clone())))
    }

    /// Changes guesses that are not confirmed until all are; `None` if that goes round in circles. Also tells how many were not
    /// confirmed at first.
    fn flip(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        mut guess: Vec<f64>,
        one_by_one: bool,
    ) -> Result<Option<(Vec<f64>, usize)>, BlockError> {
        let mut doubts = None;
        let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
        let rounds = if one_by_one {
            MAX_SINGLE_ROUNDS
        } else {
            MAX_ROUNDS
        };
        for _ in 0..rounds {
            if !seen.insert(guess.iter().map(|v| v.to_bits()).collect()) {
                return Ok(None);
            }
            self.put(values, &guess);
            let found = self.attempt(values, scratch)?;
            let differ = (0..guess.len()).filter(|&i| found[i] != guess[i]);
            let doubts = *doubts.get_or_insert(differ.count());
            if found == guess {
                return Ok(Some((guess, doubts)));
            }
            if one_by_one {
                let first = (0..guess.len()).find(|&i| found[i] != guess[i]);
                first.into_iter().for_each(|i| guess[i] = found[i]);
            } else {
                guess = found;
            }
        }
        Ok(None)
    }

    /// Takes a valuation that is nearer to the one before than `found`, if one fits, too, and remarks that there are several. Others
    /// that are as near are looked for where more than one guess was in doubt.
    fn nearer(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        (start, before): (&[f64], &[f64]),
        found: &[f64],
        doubts: usize,
    ) {
        let distance = |guess: &[f64]| start.iter().zip(guess).filter(|(a, b)| a != b).count();
        let changed = distance(found);
        let end = if doubts > 1 { changed + 1 } else { changed };
        if end < 2 || start.len() > MAX_NEAREST || !is_boolean(start) || !is_boolean(found) {
            return;
        }
        // Nothing changed is what was tried first.
        let other = valuations(start, 1..end as u32)
            .into_iter()
            .filter(|guess| guess != found)
            .find(|guess| self.fits(values, scratch, guess, before));
        if other.is_some() {
            scratch.several.push(self.names.clone());
        }
        if other.is_none_or(|other| distance(&other) == changed) {
            // The values of what was found come back.
            self.fits(values, scratch, found, before);
        }
    }

    /// Whether a guess confirms itself; the values are those of the guess then.
    fn fits(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        guess: &[f64],
        before: &[f64],
    ) -> bool {
        self.restore(values, before);
        self.put(values, guess);
        matches!(self.attempt(values, scratch), Ok(found) if found == guess)
    }

    fn restore(&self, values: &mut [f64], before: &[f64]) {
        for (&slot, &value) in self.inner.iter().zip(before) {
            values[slot as usize] = value;
        }
    }

    /// Tries all valuations of Booleans, those that differ in the fewest places first.
    fn search(
        &self,
        values: &mut [f64],
        scratch: &mut Scratch,
        start: &[f64],
        before: &[f64],
    ) -> bool {
        if start.len() > MAX_SEARCH || !is_boolean(start) {
            return false;
        }
        for guess in valuations(start, 0..start.len() as u32 + 1) {
            if self.fits(values, scratch, &guess, before) {
                return true;
            }
        }
        self.restore(values, before);
        self.put(values, start);
        false
    }
}

fn is_boolean(guess: &[f64]) -> bool {
    guess.iter().all(|&v| v == 0.0 || v == 1.0)
}

/// The valuations that differ from `start` in so many places, the nearest first.
fn valuations(start: &[f64], changes: std::ops::Range<u32>) -> Vec<Vec<f64>> {
    let mut masks: Vec<u32> = (0..1_u32 << start.len())
        .filter(|mask| changes.contains(&mask.count_ones()))
        .collect();
    masks.sort_by_key(|mask| (mask.count_ones(), *mask));
    let flipped = |mask: u32| {
        let flip = |(i, &v): (usize, &f64)| if mask >> i & 1 == 1 { 1.0 - v } else { v };
        start.iter().enumerate().map(flip).collect()
    };
    masks.into_iter().map(flipped).collect()
}
