//! A single unknown between two values at which the residual has different signs.
//!
//! Newton's method fails where a slope vanishes at the solution, as that of `x·|x|` at zero, and where it changes
//! abruptly. One equation for one unknown needs no slope: a change of sign is enough.

use super::{Block, Scratch};

/// The distance from the guess grows up to so many times its first value by factors of four.
const WIDENINGS: i32 = 40;
const MAX_HALVINGS: usize = 200;

impl Block {
    /// Solves a block of one tearing variable in place, near the value that is there; whether it did. A residual that only
    /// jumps from one sign to the other is not solved by that.
    pub(super) fn bracket(&self, values: &mut [f64], scratch: &mut Scratch) -> bool {
        let &[slot] = &self.tears[..] else {
            return false;
        };
        let slot = slot as usize;
        let guess = values[slot];
        let unit = 1e-6 * guess.abs().max(scratch.nominal(slot as u32));
        let mut residual = |x: f64| {
            values[slot] = x;
            self.residuals.run(values, &mut scratch.work);
            self.residuals.output(&scratch.work, 0)
        };
        let found = nearest_change(&mut residual, guess, unit);
        let root = found.and_then(|(a, b)| root_between(&mut residual, a, b));
        values[slot] = root.unwrap_or(guess);
        root.is_some()
    }
}

type Point = (f64, f64);

/// The two points nearest to the guess between which the sign changes.
fn nearest_change(
    residual: &mut impl FnMut(f64) -> f64,
    guess: f64,
    unit: f64,
) -> Option<(Point, Point)> {
    let start = residual(guess);
    let mut ends = [(guess, start), (guess, start)];
    let mut lost = [false; 2];
    for k in 0..WIDENINGS {
        let distance = unit * 4f64.powi(k);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            if lost[side] {
                continue;
            }
            let x = guess + sign * distance;
            let value = residual(x);
            // Beyond the domain of the equation there is nothing to find.
            lost[side] = !value.is_finite();
            if lost[side] {
                continue;
            }
            let before = std::mem::replace(&mut ends[side], (x, value));
            if before.1.is_finite() && before.1.signum() * value.signum() <= 0.0 {
                return Some((before, (x, value)));
            }
        }
        if lost == [true; 2] {
            return None;
        }
    }
    None
}

/// The root between two points, by the method of Illinois with halvings; none where the residual jumps.
fn root_between(residual: &mut impl FnMut(f64) -> f64, mut a: Point, mut b: Point) -> Option<f64> {
    let size = a.1.abs().max(b.1.abs());
    let (mut weight_a, mut weight_b) = (a.1, b.1);
    for step in 0..MAX_HALVINGS {
        if a.1 == 0.0 {
            return Some(a.0);
        }
        if b.1 == 0.0 {
            return Some(b.0);
        }
        let middle = 0.5 * (a.0 + b.0);
        if middle == a.0 || middle == b.0 {
            break;
        }
        let secant = (a.0 * weight_b - b.0 * weight_a) / (weight_b - weight_a);
        let (low, high) = (a.0.min(b.0), a.0.max(b.0));
        let inside = secant > low && secant < high;
        let x = if inside && step % 3 != 2 {
            secant
        } else {
            middle
        };
        let value = residual(x);
        if !value.is_finite() {
            return None;
        }
        if value.signum() == a.1.signum() && value != 0.0 {
            a = (x, value);
            (weight_a, weight_b) = (value, 0.5 * weight_b);
        } else {
            b = (x, value);
            (weight_a, weight_b) = (0.5 * weight_a, value);
        }
    }
    let best = if a.1.abs() < b.1.abs() { a } else { b };
    (best.1.abs() <= 1e-6 * size).then_some(best.0)
}
