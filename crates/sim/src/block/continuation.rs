//! Solving a block from afar: the way that leads from a guess to the solution.
//!
//! `F(x) = (1 − λ) F(x₀)` holds at the guess `x₀` for `λ = 0`, and at `λ = 1` it is the system itself (Newton homotopy). `λ`
//! goes up as fast as a few steps of Newton's method allow.

use super::{Block, BlockError, Scratch, norm};

/// Steps of Newton's method for one value of `λ`.
const CORRECTIONS: usize = 8;
/// The way ends where it goes on only by less than this.
const SMALLEST: f64 = 1e-5;

impl Block {
    /// Solves the block in place, from the values that are there.
    pub fn follow(&self, values: &mut [f64], scratch: &mut Scratch) -> Result<(), BlockError> {
        self.residuals.run(values, &mut scratch.work);
        let residual = |i| self.residuals.output(&scratch.work, i);
        let start: Vec<f64> = (0..self.tears.len()).map(residual).collect();
        if start.iter().any(|r| !r.is_finite()) {
            return Err(BlockError::Undefined(self.unknowns.clone()));
        }
        let (mut lambda, mut step) = (0.0_f64, 0.1_f64);
        while lambda < 1.0 {
            let before: Vec<f64> = self
                .tears
                .iter()
                .map(|&slot| values[slot as usize])
                .collect();
            let next = (lambda + step).min(1.0);
            if self.correct(values, scratch, &start, 1.0 - next) {
                lambda = next;
                step *= 2.0;
                continue;
            }
            for (&slot, value) in self.tears.iter().zip(before) {
                values[slot as usize] = value;
            }
            step *= 0.25;
            if step < SMALLEST {
                return Err(BlockError::Diverged(self.unknowns.clone()));
            }
        }
        // To the last digits.
        self.solve(values, scratch)
    }

    /// Newton's method for `F(x) = part · F(x₀)`.
    fn correct(&self, values: &mut [f64], scratch: &mut Scratch, start: &[f64], part: f64) -> bool {
        let mut jacobian = self.jacobian.borrow_mut();
        for _ in 0..CORRECTIONS {
            self.linearise(values, scratch, &mut jacobian);
            for (residual, start) in scratch.step.iter_mut().zip(start) {
                *residual -= part * start;
            }
            if !norm(&scratch.step).is_finite() || !jacobian.factor() {
                return false;
            }
            jacobian.factors.solve(&mut scratch.step);
            let mut largest = 0.0_f64;
            for (&slot, step) in self.tears.iter().zip(&scratch.step) {
                let value = &mut values[slot as usize];
                largest = largest.max(step.abs() / (1.0 + value.abs()));
                *value -= step;
            }
            if !largest.is_finite() {
                return false;
            }
            if largest < 1e-6 {
                return true;
            }
        }
        false
    }
}
