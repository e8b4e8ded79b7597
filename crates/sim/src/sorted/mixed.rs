//! Loops through conditions and other held values: the values that are guessed, what follows from them, and whether
//! that confirms the guess.
//!
//! The valuation before is tried first. Then all guesses that were not confirmed change at once; where that goes round
//! in circles, one at a time, the first one first (which ends for the complementarity problems of passive networks with
//! ideal diodes); at last, all valuations of up to [`MAX_SEARCH`] Booleans, the nearest first.

use super::order::{Kind, Pair, Step};
use crate::block::{BlockError, Scratch};
use crate::tape::Program;
use modeshift_base::FxHashSet;
use modeshift_mdae::sym::VarRef;

/// So many Booleans are searched through.
const MAX_SEARCH: usize = 12;
const MAX_ROUNDS: usize = 200;

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
        let start: Vec<f64> = self
            .guessed
            .iter()
            .map(|&slot| values[slot as usize])
            .collect();
        let before: Vec<f64> = self
            .inner
            .iter()
            .map(|&slot| values[slot as usize])
            .collect();
        let mut failure = None;
        for one_by_one in [false, true] {
            let mut guess = start.clone();
            self.restore(values, &before);
            let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
            for _ in 0..MAX_ROUNDS {
                if !seen.insert(guess.iter().map(|v| v.to_bits()).collect()) {
                    break;
                }
                self.put(values, &guess);
                let found = match self.attempt(values, scratch) {
                    Ok(found) => found,
                    Err(error) => {
                        failure.get_or_insert(error);
                        break;
                    }
                };
                if found == guess {
                    return Ok(());
                }
                if one_by_one {
                    let first = (0..guess.len()).find(|&i| found[i] != guess[i]);
                    first.into_iter().for_each(|i| guess[i] = found[i]);
                } else {
                    guess = found;
                }
            }
        }
        self.search(values, scratch, &start, &before)?
            .then_some(())
            .ok_or_else(|| failure.unwrap_or_else(|| BlockError::Diverged(self.names.clone())))
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
    ) -> Result<bool, BlockError> {
        let n = start.len();
        let boolean = start.iter().all(|&v| v == 0.0 || v == 1.0);
        if n > MAX_SEARCH || !boolean {
            return Ok(false);
        }
        let mut masks: Vec<u32> = (0..1_u32 << n).collect();
        masks.sort_by_key(|mask| (mask.count_ones(), *mask));
        for mask in masks {
            let flip = |(i, &v): (usize, &f64)| if mask >> i & 1 == 1 { 1.0 - v } else { v };
            let guess: Vec<f64> = start.iter().enumerate().map(flip).collect();
            self.restore(values, before);
            self.put(values, &guess);
            if let Ok(found) = self.attempt(values, scratch)
                && found == guess
            {
                return Ok(true);
            }
        }
        self.restore(values, before);
        self.put(values, start);
        Ok(false)
    }
}
