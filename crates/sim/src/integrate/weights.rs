//! Errors in units of the tolerance.

use super::{Settings, System};

/// The tolerance of each state.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    relative: f64,
    absolute: Vec<f64>,
}

impl Weights {
    /// The absolute tolerance is that of the settings times the nominal value of each state.
    pub fn new(settings: &Settings, system: &dyn System) -> Self {
        let size = |k: usize| {
            let nominal = system.nominal(k).abs();
            let usable = nominal.is_finite() && nominal > 0.0;
            settings.absolute * if usable { nominal } else { 1.0 }
        };
        Self {
            relative: settings.relative,
            absolute: (0..system.dimension()).map(size).collect(),
        }
    }

    /// What state `k` may be off by where it is `y`.
    pub fn of(&self, k: usize, y: f64) -> f64 {
        self.absolute[k] + self.relative * y.abs()
    }

    /// The root mean square of errors at a step from `y0` to `y1`.
    pub fn norm(&self, error: &[f64], y0: &[f64], y1: &[f64]) -> f64 {
        if error.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for (k, (e, (a, b))) in error.iter().zip(y0.iter().zip(y1)).enumerate() {
            let part = e / self.of(k, a.abs().max(b.abs()));
            sum += part * part;
        }
        (sum / error.len() as f64).sqrt()
    }

    /// The state whose error is largest.
    pub fn worst(&self, error: &[f64], y: &[f64]) -> usize {
        let size = |k: usize| (error[k] / self.of(k, y[k])).abs();
        // What is not a number counts as the largest.
        let key = |k: usize| {
            if size(k).is_nan() {
                f64::INFINITY
            } else {
                size(k)
            }
        };
        let states = 0..error.len();
        states
            .max_by(|&a, &b| key(a).total_cmp(&key(b)))
            .unwrap_or(0)
    }
}
