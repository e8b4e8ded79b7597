//! Blocks with more than one solution: what the equations leave open keeps its value.
//!
//! Two locked brakes on one shaft share a torque in any way, and the temperature in a pipe without flow may be any. Where everything
//! else is determined a run can go on, and says what it kept.

use super::{Block, Jacobian, Scratch};
use modeshift_algebra::{Preference, reduce};

const MAX_ITERATIONS: usize = 40;
/// Larger blocks are not looked at: the elimination is dense.
const MAX_UNKNOWNS: usize = 300;

impl Block {
    /// Newton's method in which unknowns that the linear model leaves open do not move; whether the equations hold in the end.
    pub(super) fn solve_keeping(&self, values: &mut [f64], scratch: &mut Scratch) -> bool {
        let mut jacobian = self.jacobian.borrow_mut();
        if self.tears.len() > MAX_UNKNOWNS {
            return false;
        }
        for _ in 0..MAX_ITERATIONS {
            self.linearise(values, scratch, &mut jacobian);
            if scratch.step.iter().any(|r| !r.is_finite()) || !jacobian.is_finite() {
                return false;
            }
            let Some((step, free)) = eliminated(&jacobian, &scratch.step) else {
                return false;
            };
            let mut largest = 0.0_f64;
            for (&slot, step) in self.tears.iter().zip(&step) {
                let value = &mut values[slot as usize];
                largest = largest.max(step.abs() / (1.0 + value.abs()));
                *value -= step;
            }
            if !largest.is_finite() {
                return false;
            }
            if self.linear || largest < 1e-9 {
                for unknown in free.into_iter().map(|column| self.torn[column]) {
                    if !scratch.kept.contains(&unknown) {
                        scratch.kept.push(unknown);
                    }
                }
                return true;
            }
        }
        false
    }
}

/// The step that solves the linear model with as few unknowns as possible, by elimination with complete pivoting, and the
/// unknowns that it leaves where they are; nothing where the equations contradict each other. O(n³).
fn eliminated(jacobian: &Jacobian, residuals: &[f64]) -> Option<(Vec<f64>, Vec<usize>)> {
    let n = jacobian.matrix.n;
    // Rows in units of their largest coefficient, with the residual behind them.
    let mut rows = vec![vec![0.0; n + 1]; n];
    let entries = (0..n).flat_map(|column| {
        let entries = jacobian.matrix.column(column);
        entries.map(move |(row, value)| (row, column, value))
    });
    for (row, column, value) in entries {
        rows[row][column] = value;
    }
    let mut size = 0.0_f64;
    for (row, &residual) in rows.iter_mut().zip(residuals) {
        let largest = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        row[n] = residual;
        if largest > 0.0 {
            row.iter_mut().for_each(|v| *v /= largest);
        }
        size = size.max(row[n].abs());
    }
    let pivots = reduce(&mut rows, &vec![Preference::default(); n]);
    let contradicts = |row: &Vec<f64>| row[n].abs() > 1e-9 * (1.0 + size);
    if rows[pivots.len()..].iter().any(contradicts) {
        return None;
    }
    let mut step = vec![0.0; n];
    let mut taken = vec![false; n];
    for (row, pivot) in rows.iter().zip(&pivots) {
        step[pivot.column] = row[n] / pivot.size;
        taken[pivot.column] = true;
    }
    let free = (0..n).filter(|&column| !taken[column]).collect();
    Some((step, free))
}
