//! Numerical differentiation formulas of order 1 to 5 with steps of nearly constant size: Shampine and Reichelt,
//! *The MATLAB ODE Suite*, SIAM J. Sci. Comput. 18 (1997).
//!
//! The past is kept as backward differences `∇ʲy` on a grid as wide as the step; when the step changes, they are
//! brought to the new grid. The correction that Newton's method adds to the prediction is, but for a constant, the
//! error of the step, also in stiff directions: what is forced from outside counts in full. Between the last points
//! the solution is the polynomial through them, of the order of the method.

use super::linearised::{Ends, Linearised, add_correction, correction};
use super::{Effort, Method, Reached, Settings, StepError, System, Trouble, Weights, first_step};
use modeshift_algebra::{Factors, Sparse};

const MAX_ORDER: usize = 5;
const NEWTON_ITERATIONS: usize = 4;

/// Errors of a multistep method mostly have the same sign from step to step and add up: each is held to this part
/// of the tolerance.
const CAUTION: f64 = 3.0;

/// How far the formulas are from backward differentiation: they trade a little stability for a smaller error.
const KAPPA: [f64; MAX_ORDER + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// `1 + 1/2 + … + 1/k`.
const GAMMA: [f64; MAX_ORDER + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

/// The leading coefficient of the formula of order `k`.
fn alpha(k: usize) -> f64 {
    (1.0 - KAPPA[k]) * GAMMA[k]
}

/// The error of a step of order `k`, in units of the difference of order `k + 1`.
fn error_constant(k: usize) -> f64 {
    let kappa = KAPPA.get(k).copied().unwrap_or(0.0);
    let gamma = GAMMA.get(k).copied().unwrap_or(0.0);
    kappa * gamma + 1.0 / (k as f64 + 1.0)
}

pub struct Bdf {
    settings: Settings,
    weights: Weights,
    at: Reached,
    /// `∇ʲy` at the end of the last step, those of two more than the order included.
    differences: Vec<Vec<f64>>,
    /// The distance of the points that the differences are of.
    grid: f64,
    /// Of the last step.
    order: usize,
    /// Of the next step.
    next_order: usize,
    /// The next step.
    h: f64,
    /// Steps since the last change of step or order.
    equal_steps: usize,
    jacobian: Linearised,
    factors: Factors,
    /// `h/α` of the factors, zero if there are none.
    factored_for: f64,
    /// How fast Newton's method converged with these factors.
    rate: f64,
    newton_tolerance: f64,
    started: bool,
    effort: Effort,
    trouble: Option<Trouble>,
    prediction: Vec<f64>,
    /// The part of the formula that is known.
    psi: Vec<f64>,
    /// What was added to the prediction.
    added: Vec<f64>,
    point: Vec<f64>,
    slope: Vec<f64>,
    ends: Ends,
}

impl Bdf {
    /// The first step is at most `step` if that is given.
    pub fn new(settings: Settings, t: f64, y: &[f64], step: Option<f64>) -> Self {
        let n = y.len();
        let zeros = || vec![0.0; n];
        let mut differences = vec![zeros(); MAX_ORDER + 3];
        differences[0].copy_from_slice(y);
        let tolerance = settings.relative.max(1e-13);
        Self {
            settings,
            weights: Weights::default(),
            at: Reached::new(t, y),
            differences,
            grid: 0.0,
            order: 1,
            next_order: 1,
            h: step.unwrap_or(f64::INFINITY),
            equal_steps: 0,
            jacobian: Linearised::default(),
            factors: Factors::default(),
            factored_for: 0.0,
            rate: 1.0,
            newton_tolerance: (10.0 * f64::EPSILON / tolerance).max(0.03_f64.min(tolerance.sqrt())),
            started: false,
            effort: Effort::default(),
            trouble: None,
            prediction: zeros(),
            psi: zeros(),
            added: zeros(),
            point: zeros(),
            slope: zeros(),
            ends: Ends::default(),
        }
    }

    fn start(&mut self, system: &mut dyn System) -> Result<(), StepError> {
        self.weights = Weights::new(&self.settings, system);
        self.effort.evaluations += 2;
        let at = &self.at;
        let mut slope = vec![0.0; at.y.len()];
        let start = system.derivative(at.t, &at.y, &mut slope);
        if start.is_err() || !self.jacobian.find(system, at.t, &at.y, &mut self.effort) {
            return Err(StepError::NoValue);
        }
        let (settings, weights) = (&self.settings, &self.weights);
        let first = first_step(system, at.t, &at.y, &slope, 1.0, settings, weights);
        self.h = self.h.min(first);
        self.grid = self.h;
        for (difference, slope) in self.differences[1].iter_mut().zip(&slope) {
            *difference = self.grid * slope;
        }
        self.started = true;
        Ok(())
    }

    /// Brings the differences to the order and the step that come next. O(order² · n).
    fn change_grid(&mut self, h: f64) {
        if self.next_order != self.order {
            self.order = self.next_order;
            self.equal_steps = 0;
        }
        if h != self.grid {
            rescale(&mut self.differences[..=self.order], h / self.grid);
            self.grid = h;
            self.equal_steps = 0;
        }
    }

    /// `I − cJ`.
    fn factor(&mut self, c: f64) -> bool {
        if self.factored_for == c {
            return true;
        }
        self.effort.factorisations += 1;
        self.rate = 1.0;
        let matrix = newton_matrix(&self.jacobian.matrix, c);
        let fine = self.factors.factor(&matrix).is_ok();
        self.factored_for = if fine { c } else { 0.0 };
        fine
    }

    /// The prediction, and what the formula knows before the step.
    fn predict(&mut self) {
        let order = self.order;
        self.prediction.copy_from_slice(&self.differences[0]);
        self.psi.fill(0.0);
        let terms = GAMMA.iter().zip(&self.differences);
        for (gamma, differences) in terms.take(order + 1).skip(1) {
            let weight = gamma / alpha(order);
            for (k, difference) in differences.iter().enumerate() {
                self.prediction[k] += difference;
                self.psi[k] += weight * difference;
            }
        }
    }

    /// Solves `d = c·f(t, prediction + d) − ψ` for `d` by the simplified Newton method. The number of iterations, or
    /// `None` if it does not converge.
    fn correct(&mut self, system: &mut dyn System, t: f64, c: f64) -> Option<usize> {
        self.added.fill(0.0);
        let mut last: Option<f64> = None;
        for iteration in 0..NEWTON_ITERATIONS {
            for (k, point) in self.point.iter_mut().enumerate() {
                *point = self.prediction[k] + self.added[k];
            }
            self.effort.evaluations += 1;
            if system.derivative(t, &self.point, &mut self.slope).is_err() {
                self.trouble = Some(Trouble::NoValue);
                return None;
            }
            for (k, slope) in self.slope.iter_mut().enumerate() {
                *slope = c * *slope - self.psi[k] - self.added[k];
            }
            self.factors.solve(&mut self.slope);
            let size = self
                .weights
                .norm(&self.slope, &self.prediction, &self.prediction);
            let measured = last.map(|last| size / last);
            if let Some(rate) = measured {
                self.rate = rate.max(0.2 * self.rate);
            }
            let left = (NEWTON_ITERATIONS - iteration - 1) as i32;
            let hopeless = |rate: f64| {
                rate >= 1.0 || rate.powi(left) / (1.0 - rate) * size > self.newton_tolerance
            };
            if !size.is_finite() || measured.is_some_and(hopeless) {
                break;
            }
            for (added, step) in self.added.iter_mut().zip(&self.slope) {
                *added += step;
            }
            // Before a rate is measured, that of the steps before with the same factors counts.
            let rate = measured.unwrap_or(self.rate);
            if size == 0.0 || rate < 1.0 && rate / (1.0 - rate) * size < self.newton_tolerance {
                return Some(iteration + 1);
            }
            last = Some(size);
        }
        let state = self.weights.worst(&self.slope, &self.prediction);
        self.trouble = Some(Trouble::Iteration(state));
        None
    }

    /// Tries a step of size `h` to `end`: the number of iterations of Newton's method.
    fn attempt(&mut self, system: &mut dyn System, h: f64, end: f64) -> Option<usize> {
        self.change_grid(h);
        self.predict();
        let c = h / alpha(self.order);
        if !self.factor(c) {
            return None;
        }
        self.correct(system, end, c)
    }

    /// After Newton's method failed: another Jacobian, or else a smaller step.
    fn try_otherwise(&mut self, system: &mut dyn System, h: f64, end: f64) {
        self.effort.rejected += 1;
        self.factored_for = 0.0;
        let (jacobian, effort) = (&mut self.jacobian, &mut self.effort);
        if !jacobian.find_another(system, end, &self.prediction, effort) {
            self.h = 0.3 * h;
            // The next attempt predicts another point.
            self.jacobian.move_on();
        }
    }

    /// The error of a step of order `order` in units of the tolerance, from a difference of one order more.
    fn error(&self, difference: &[f64], order: usize) -> f64 {
        let size = self.weights.norm(difference, &self.at.y, &self.point);
        CAUTION * error_constant(order) * size
    }

    fn accept(&mut self, end: f64) {
        let order = self.order;
        let (low, high) = self.differences.split_at_mut(order + 2);
        for (k, &added) in self.added.iter().enumerate() {
            high[0][k] = added - low[order + 1][k];
            low[order + 1][k] = added;
        }
        for j in (0..=order).rev() {
            let (low, high) = self.differences.split_at_mut(j + 1);
            for (difference, next) in low[j].iter_mut().zip(&high[0]) {
                *difference += next;
            }
        }
        self.at.before = self.at.t;
        self.at.t = end;
        self.at.y.copy_from_slice(&self.differences[0]);
        self.equal_steps += 1;
        self.jacobian.move_on();
    }

    /// Step and order that promise to cover most time. Only after as many equal steps as the differences span.
    fn choose(&mut self, error: f64, safety: f64) {
        let order = self.order;
        self.h = self.grid;
        if self.equal_steps <= order {
            return;
        }
        let growth = |error: f64, order: usize| {
            if error > 0.0 {
                libm::pow(error, -1.0 / (order as f64 + 1.0)).min(100.0)
            } else {
                100.0
            }
        };
        let mut best = (growth(error, order), order);
        if order > 1 {
            let lower = growth(self.error(&self.differences[order], order - 1), order - 1);
            if lower > best.0 {
                best = (lower, order - 1);
            }
        }
        if order < MAX_ORDER {
            let higher = growth(
                self.error(&self.differences[order + 2], order + 1),
                order + 1,
            );
            if higher > best.0 {
                best = (higher, order + 1);
            }
        }
        let factor = (safety * best.0).min(10.0);
        // A slightly longer step is not worth another decomposition.
        if (1.0..1.2).contains(&factor) && best.1 == order {
            return;
        }
        self.next_order = best.1;
        self.h = self.grid * factor;
    }

    /// How far the polynomial with the value `y` at `t` is from the equations there.
    fn defect(&mut self, system: &mut dyn System, t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let mut slope = vec![0.0; y.len()];
        let mut value = vec![0.0; y.len()];
        self.polynomial(t, &mut value, Some(&mut slope));
        self.effort.evaluations += 1;
        let c = self.factored_for;
        correction(system, &mut self.factors, c, t, y, &slope).ok()
    }

    /// The value and the slope of the polynomial through the last points. O(order · n).
    fn polynomial(&self, t: f64, y: &mut [f64], mut slope: Option<&mut [f64]>) {
        y.copy_from_slice(&self.differences[0]);
        if let Some(slope) = slope.as_deref_mut() {
            slope.fill(0.0);
        }
        let h = self.grid;
        let s = (t - self.at.t) / h;
        // `s (s + 1) … (s + j − 1) / j!` and its derivative.
        let (mut value, mut derivative) = (1.0, 0.0);
        for j in 1..=self.order {
            let (shift, size) = (s + (j as f64 - 1.0), j as f64);
            derivative = (derivative * shift + value) / size;
            value *= shift / size;
            for (y, difference) in y.iter_mut().zip(&self.differences[j]) {
                *y += value * difference;
            }
            if let Some(slope) = slope.as_deref_mut() {
                for (slope, difference) in slope.iter_mut().zip(&self.differences[j]) {
                    *slope += derivative / h * difference;
                }
            }
        }
    }
}

/// `I − cJ`.
fn newton_matrix(jacobian: &Sparse, c: f64) -> Sparse {
    let mut matrix = Sparse::empty(jacobian.n);
    for column in 0..jacobian.n {
        matrix.push_shifted(jacobian, column, 0, 1.0 / c);
        matrix.close_column();
    }
    for value in &mut matrix.values {
        *value *= c;
    }
    matrix
}

/// Differences on a grid become those on a grid that is `factor` times as wide, of the same polynomial.
fn rescale(differences: &mut [Vec<f64>], factor: f64) {
    let size = differences.len();
    let (stretch, unit) = (binomials(size, factor), binomials(size, 1.0));
    let mut matrix = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
    for i in 0..size {
        for j in 0..size {
            matrix[i][j] = (0..size).map(|m| stretch[i][m] * unit[m][j]).sum();
        }
    }
    let mut old = [0.0; MAX_ORDER + 1];
    for k in 0..differences[0].len() {
        for (old, difference) in old.iter_mut().zip(differences.iter()) {
            *old = difference[k];
        }
        for (j, difference) in differences.iter_mut().enumerate().skip(1) {
            difference[k] = (1..size).map(|i| matrix[i][j] * old[i]).sum();
        }
    }
}

/// `(0 − factor·j)(1 − factor·j) … (i − 1 − factor·j) / i!` for all `i` and `j`.
#[allow(clippy::needless_range_loop, reason = "two rows of one table")]
fn binomials(size: usize, factor: f64) -> [[f64; MAX_ORDER + 1]; MAX_ORDER + 1] {
    let mut table = [[0.0; MAX_ORDER + 1]; MAX_ORDER + 1];
    table[0] = [1.0; MAX_ORDER + 1];
    for i in 1..size {
        for j in 0..size {
            let numerator = i as f64 - 1.0 - factor * j as f64;
            table[i][j] = table[i - 1][j] * numerator / i as f64;
        }
    }
    table
}

impl Method for Bdf {
    fn step(&mut self, system: &mut dyn System, limit: f64) -> Result<(), StepError> {
        if !self.started {
            self.start(system)?;
        }
        let mut failures = 0;
        let mut failed = false;
        loop {
            let wanted = self.h.min(self.settings.largest_step);
            let Some((h, end)) = self.at.next(wanted, limit) else {
                let worst = || Trouble::Error(self.weights.worst(&self.added, &self.at.y));
                self.trouble = Some(self.trouble.filter(|_| failed).unwrap_or_else(worst));
                return Err(StepError::TooSmall);
            };
            let Some(iterations) = self.attempt(system, h, end) else {
                self.try_otherwise(system, h, end);
                failed = true;
                continue;
            };
            for (k, point) in self.point.iter_mut().enumerate() {
                *point = self.prediction[k] + self.added[k];
            }
            let error = self.error(&self.added, self.order);
            let most = 2.0 * NEWTON_ITERATIONS as f64;
            let safety = 0.9 * (most + 1.0) / (most + iterations as f64);
            if error <= 1.0 {
                self.accept(end);
                self.choose(error, safety);
                return Ok(());
            }
            self.effort.rejected += 1;
            self.trouble = Some(Trouble::Error(self.weights.worst(&self.added, &self.at.y)));
            let factor = if error.is_finite() {
                safety * libm::pow(error, -1.0 / (self.order as f64 + 1.0))
            } else {
                0.0
            };
            self.h = h * factor.clamp(0.2, 0.95);
            failed = true;
            failures += 1;
            if failures == 4 {
                // The past tells nothing about what comes.
                self.next_order = 1;
            }
        }
    }

    fn reached(&self) -> &Reached {
        &self.at
    }

    fn interpolate(&self, t: f64, out: &mut [f64]) {
        self.polynomial(t, out, None);
    }

    fn refine(&mut self, system: &mut dyn System, t: f64, y: &mut [f64]) {
        if t >= self.at.t || self.factored_for == 0.0 {
            return;
        }
        let (s, delta_len) = (self.at.fraction(t), y.len());
        let Some(mut delta) = self.defect(system, t, y) else {
            return;
        };
        let (start, end) = (self.at.before, self.at.t);
        let mut ends = std::mem::take(&mut self.ends);
        ends.take_away(end, s, &mut delta, &mut |which| {
            let t = [start, end][which];
            let mut y = vec![0.0; delta_len];
            self.polynomial(t, &mut y, None);
            self.defect(system, t, &y)
        });
        self.ends = ends;
        add_correction(&self.weights, &delta, y);
    }

    fn trouble(&self) -> Option<Trouble> {
        self.trouble
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

#[cfg(test)]
mod tests;
