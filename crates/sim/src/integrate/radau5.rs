//! The three-stage Radau IIA method of order 5 (Hairer and Wanner, *Solving Ordinary Differential Equations
//! II*, IV.8), with its collocation polynomial as dense output.
//!
//! The method's own estimate of the error looks at the end of a step through a filter that damps stiff parts, and
//! rightly so: there the method is accurate. Between the collocation points the polynomial may be far off all the
//! same, by whole periods of a force. So the polynomial is held against the equations there, too, and the step is as
//! long as both allow.

use super::linearised::{Ends, Linearised, add_correction, correction, shifted};
use super::{Effort, Method, Reached, Settings, StepError, System, Trouble, Weights, first_step};
use modeshift_algebra::{Factors, Sparse};

struct Constants {
    c: [f64; 3],
    /// The error estimate.
    e: [f64; 3],
    mu_real: f64,
    mu_re: f64,
    mu_im: f64,
    t: [[f64; 3]; 3],
    ti: [[f64; 3]; 3],
    /// The collocation polynomial in powers of `s`.
    p: [[f64; 3]; 3],
}

fn constants() -> Constants {
    let s6 = 6.0_f64.sqrt();
    let cube = |x: f64| libm::cbrt(x);
    let (a, b) = (cube(9.0), cube(3.0));
    Constants {
        c: [(4.0 - s6) / 10.0, (4.0 + s6) / 10.0, 1.0],
        e: [
            (-13.0 - 7.0 * s6) / 3.0,
            (-13.0 + 7.0 * s6) / 3.0,
            -1.0 / 3.0,
        ],
        mu_real: 3.0 + a - b,
        mu_re: 3.0 + 0.5 * (b - a),
        mu_im: -0.5 * (libm::pow(3.0, 5.0 / 6.0) + libm::pow(3.0, 7.0 / 6.0)),
        t: [
            [
                0.094_438_762_488_975_24,
                -0.141_255_295_020_954_2,
                0.030_029_194_105_147_42,
            ],
            [
                0.250_213_122_965_333_3,
                0.204_129_352_293_799_93,
                -0.382_942_112_757_261_9,
            ],
            [1.0, 1.0, 0.0],
        ],
        ti: [
            [
                4.178_718_591_551_905,
                0.327_682_820_761_062_4,
                0.523_376_445_499_449_5,
            ],
            [
                -4.178_718_591_551_905,
                -0.327_682_820_761_062_4,
                0.476_623_554_500_550_44,
            ],
            [
                0.502_872_634_945_786_8,
                -2.571_926_949_855_605,
                0.596_039_204_828_224_9,
            ],
        ],
        p: [
            [
                13.0 / 3.0 + 7.0 * s6 / 3.0,
                -23.0 / 3.0 - 22.0 * s6 / 3.0,
                10.0 / 3.0 + 5.0 * s6,
            ],
            [
                13.0 / 3.0 - 7.0 * s6 / 3.0,
                -23.0 / 3.0 + 22.0 * s6 / 3.0,
                10.0 / 3.0 - 5.0 * s6,
            ],
            [1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0],
        ],
    }
}

const NEWTON_ITERATIONS: usize = 6;

/// A point between the first two collocation points, where the polynomial is about as far off as it gets.
const BETWEEN: f64 = 0.4;

/// The three stages, or what belongs to them.
type Stages = [Vec<f64>; 3];

pub struct Radau5 {
    settings: Settings,
    weights: Weights,
    constants: Constants,
    at: Reached,
    slope: Vec<f64>,
    y_before: Vec<f64>,
    /// Coefficients of the collocation polynomial of the last step.
    q: Stages,
    has_dense: bool,
    jacobian: Linearised,
    real: Factors,
    /// The complex system as a real one of twice the size.
    complex: Factors,
    factored_for: f64,
    h: f64,
    last: Option<(f64, f64)>,
    newton_tolerance: f64,
    started: bool,
    effort: Effort,
    trouble: Option<Trouble>,
    buffers: Buffers,
    ends: Ends,
}

/// Vectors of Newton's method.
struct Buffers {
    z: Stages,
    w: Stages,
    f: Stages,
    point: Vec<f64>,
    first: Vec<f64>,
    both: Vec<f64>,
}

impl Buffers {
    fn new(n: usize) -> Self {
        let stages = || std::array::from_fn(|_| vec![0.0; n]);
        Self {
            z: stages(),
            w: stages(),
            f: stages(),
            point: vec![0.0; n],
            first: vec![0.0; n],
            both: vec![0.0; 2 * n],
        }
    }
}

/// `row · (a, b, c)` at `k`.
fn along(row: &[f64; 3], stages: &Stages, k: usize) -> f64 {
    row[0] * stages[0][k] + row[1] * stages[1][k] + row[2] * stages[2][k]
}

impl Radau5 {
    /// `step` is tried first if it is given.
    pub fn new(settings: Settings, t: f64, y: &[f64], step: Option<f64>) -> Self {
        let n = y.len();
        let tolerance = settings.relative.max(1e-13);
        Self {
            settings,
            weights: Weights::default(),
            constants: constants(),
            at: Reached::new(t, y),
            slope: vec![0.0; n],
            y_before: y.to_vec(),
            q: std::array::from_fn(|_| vec![0.0; n]),
            has_dense: false,
            jacobian: Linearised::default(),
            real: Factors::default(),
            complex: Factors::default(),
            factored_for: 0.0,
            h: step.unwrap_or(0.0),
            last: None,
            newton_tolerance: (10.0 * f64::EPSILON / tolerance).max(0.03_f64.min(tolerance.sqrt())),
            started: false,
            effort: Effort::default(),
            trouble: None,
            buffers: Buffers::new(n),
            ends: Ends::default(),
        }
    }

    fn start(&mut self, system: &mut dyn System) -> Result<(), StepError> {
        self.weights = Weights::new(&self.settings, system);
        self.effort.evaluations += 1;
        let start = system.derivative(self.at.t, &self.at.y, &mut self.slope);
        if start.is_err() || !self.differentiate(system) {
            return Err(StepError::NoValue);
        }
        if self.h <= 0.0 {
            let (at, settings) = (&self.at, &self.settings);
            let slope = &self.slope;
            self.h = first_step(system, at.t, &at.y, slope, 3.0, settings, &self.weights);
            self.effort.evaluations += 1;
        }
        self.started = true;
        Ok(())
    }

    fn differentiate(&mut self, system: &mut dyn System) -> bool {
        self.factored_for = 0.0;
        let (t, y) = (self.at.t, &self.at.y);
        self.jacobian.find(system, t, y, &mut self.effort)
    }

    /// After Newton's method failed: another Jacobian, or else a smaller step.
    fn try_otherwise(&mut self, system: &mut dyn System, h: f64) {
        self.effort.rejected += 1;
        self.has_dense = false;
        self.factored_for = 0.0;
        let (t, y) = (self.at.t, &self.at.y);
        if !self.jacobian.find_another(system, t, y, &mut self.effort) {
            self.h = 0.5 * h;
        }
    }

    /// `μ/h·I − J` for the real and the complex eigenvalue.
    fn factor(&mut self, h: f64) -> bool {
        if self.factored_for == h {
            return true;
        }
        self.effort.factorisations += 1;
        let constants = &self.constants;
        let real = shifted(&self.jacobian.matrix, constants.mu_real / h);
        let (re, im) = (constants.mu_re / h, constants.mu_im / h);
        let complex = shifted_complex(&self.jacobian.matrix, re, im);
        let fine = self.real.factor(&real).is_ok() && self.complex.factor(&complex).is_ok();
        self.factored_for = if fine { h } else { 0.0 };
        fine
    }

    /// Simplified Newton iteration for the three stages. Returns whether it converged, and how fast.
    fn solve_stages(&mut self, system: &mut dyn System, h: f64) -> Option<usize> {
        let n = self.at.y.len();
        let constants = &self.constants;
        let Buffers {
            z,
            w,
            f,
            point,
            first,
            both,
        } = &mut self.buffers;
        for (row, w) in constants.ti.iter().zip(w.iter_mut()) {
            for (k, w) in w.iter_mut().enumerate() {
                *w = along(row, z, k);
            }
        }
        let mut last: Option<f64> = None;
        for iteration in 0..NEWTON_ITERATIONS {
            for i in 0..3 {
                for ((point, y), z) in point.iter_mut().zip(&self.at.y).zip(&z[i]) {
                    *point = y + z;
                }
                self.effort.evaluations += 1;
                let t = self.at.t + h * constants.c[i];
                if system.derivative(t, point, &mut f[i]).is_err() {
                    self.trouble = Some(Trouble::NoValue);
                    return None;
                }
            }
            let (re, im) = (constants.mu_re / h, constants.mu_im / h);
            for k in 0..n {
                first[k] = along(&constants.ti[0], f, k) - constants.mu_real / h * w[0][k];
                both[k] = along(&constants.ti[1], f, k) - (re * w[1][k] - im * w[2][k]);
                both[n + k] = along(&constants.ti[2], f, k) - (im * w[1][k] + re * w[2][k]);
            }
            self.real.solve(first);
            self.complex.solve(both);
            let mut sum = 0.0;
            for k in 0..n {
                let scale = self.weights.of(k, self.at.y[k]);
                for step in [first[k], both[k], both[n + k]] {
                    sum += (step / scale) * (step / scale);
                }
            }
            let size = (sum / (3 * n.max(1)) as f64).sqrt();
            let rate = last.map(|last| size / last);
            let left = (NEWTON_ITERATIONS - iteration) as i32;
            let hopeless = |rate: f64| {
                rate >= 1.0 || rate.powi(left) / (1.0 - rate) * size > self.newton_tolerance
            };
            if !size.is_finite() || rate.is_some_and(hopeless) {
                let state = self.weights.worst(first, &self.at.y);
                self.trouble = Some(Trouble::Iteration(state));
                return None;
            }
            for k in 0..n {
                w[0][k] += first[k];
                w[1][k] += both[k];
                w[2][k] += both[n + k];
                for (row, z) in constants.t.iter().zip(z.iter_mut()) {
                    z[k] = along(row, w, k);
                }
            }
            let small = |rate: f64| rate / (1.0 - rate) * size < self.newton_tolerance;
            if size == 0.0 || rate.is_some_and(small) {
                return Some(iteration + 1);
            }
            last = Some(size);
        }
        let state = self.weights.worst(first, &self.at.y);
        self.trouble = Some(Trouble::Iteration(state));
        None
    }

    /// The stages where the last collocation polynomial leads.
    fn guess(&mut self, h: f64) {
        let mut z = std::mem::take(&mut self.buffers.z);
        for (i, z) in z.iter_mut().enumerate() {
            if !self.has_dense {
                z.fill(0.0);
                continue;
            }
            self.interpolate(self.at.t + h * self.constants.c[i], z);
            for (z, y) in z.iter_mut().zip(&self.at.y) {
                *z -= y;
            }
        }
        self.buffers.z = z;
    }

    fn error(&mut self, system: &mut dyn System, h: f64, again: bool) -> f64 {
        let n = self.at.y.len();
        let z = &self.buffers.z;
        let weighted: Vec<f64> = (0..n).map(|k| along(&self.constants.e, z, k) / h).collect();
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let mut error: Vec<f64> = sum(&weighted, &self.slope);
        self.real.solve(&mut error);
        let next: Vec<f64> = sum(&self.at.y, &z[2]);
        let mut size = self.weights.norm(&error, &self.at.y, &next);
        if again && size > 1.0 {
            let moved: Vec<f64> = sum(&self.at.y, &error);
            let mut slope = vec![0.0; n];
            self.effort.evaluations += 1;
            if system.derivative(self.at.t, &moved, &mut slope).is_ok() {
                error = sum(&weighted, &slope);
                self.real.solve(&mut error);
                size = self.weights.norm(&error, &self.at.y, &next);
            }
        }
        if size <= 1.0 {
            let between = self.error_between(system, h);
            size = size.max(self.weights.norm(&between, &self.at.y, &next));
            if size > 1.0 {
                error = between;
            }
        }
        if size > 1.0 {
            self.trouble = Some(Trouble::Error(self.weights.worst(&error, &self.at.y)));
        }
        if size.is_finite() {
            size
        } else {
            f64::INFINITY
        }
    }

    /// How far the collocation polynomial is from the equations between the collocation points.
    fn error_between(&mut self, system: &mut dyn System, h: f64) -> Vec<f64> {
        let n = self.at.y.len();
        let s = BETWEEN;
        let (mut y, mut slope) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..n {
            let q = coefficients(&self.constants.p, &self.buffers.z, k);
            y[k] = self.at.y[k] + s * (q[0] + s * (q[1] + s * q[2]));
            slope[k] = (q[0] + s * (2.0 * q[1] + 3.0 * s * q[2])) / h;
        }
        self.effort.evaluations += 1;
        let t = self.at.t + s * h;
        correction(system, &mut self.real, 1.0, t, &y, &slope)
            .unwrap_or_else(|_| vec![f64::INFINITY; n])
    }

    fn growth(&self, h: f64, error: f64) -> f64 {
        if error == 0.0 {
            return 10.0;
        }
        let predicted = match self.last {
            Some((h_old, error_old)) if error_old > 0.0 => {
                h / h_old * libm::pow(error_old / error, 0.25)
            }
            _ => 1.0,
        };
        predicted.min(1.0) * libm::pow(error, -0.25)
    }

    fn accept(&mut self, h: f64, end: f64) {
        let z = &self.buffers.z;
        std::mem::swap(&mut self.y_before, &mut self.at.y);
        for (k, y) in self.at.y.iter_mut().enumerate() {
            *y = self.y_before[k] + z[2][k];
            let powers = coefficients(&self.constants.p, z, k);
            for (q, power) in self.q.iter_mut().zip(powers) {
                q[k] = power;
            }
        }
        self.at.before = self.at.t;
        self.at.t = end;
        self.has_dense = h > 0.0;
    }

    /// How far the collocation polynomial with the value `y` at the fraction `s` of the last step, `h`, is from the
    /// equations there.
    fn defect(&mut self, system: &mut dyn System, s: f64, h: f64, y: &[f64]) -> Option<Vec<f64>> {
        let [a, b, c] = &self.q;
        let slope = |k: usize| (a[k] + s * (2.0 * b[k] + 3.0 * s * c[k])) / h;
        let slopes: Vec<f64> = (0..y.len()).map(slope).collect();
        self.effort.evaluations += 1;
        let t = self.at.before + s * h;
        correction(system, &mut self.real, 1.0, t, y, &slopes).ok()
    }
}

/// The collocation polynomial of component `k` in powers of `s`.
fn coefficients(p: &[[f64; 3]; 3], z: &Stages, k: usize) -> [f64; 3] {
    std::array::from_fn(|power| (0..3).map(|j| z[j][k] * p[j][power]).sum())
}

/// `(re + im·i)I − J` as a real matrix of twice the size.
fn shifted_complex(jacobian: &Sparse, re: f64, im: f64) -> Sparse {
    let n = jacobian.n;
    let mut matrix = Sparse::empty(2 * n);
    for column in 0..n {
        matrix.push_shifted(jacobian, column, 0, re);
        matrix.push(n + column, im);
        matrix.close_column();
    }
    for column in 0..n {
        matrix.push(column, -im);
        matrix.push_shifted(jacobian, column, n, re);
        matrix.close_column();
    }
    matrix
}

impl Method for Radau5 {
    fn step(&mut self, system: &mut dyn System, limit: f64) -> Result<(), StepError> {
        if !self.started {
            self.start(system)?;
        }
        let (mut rejected, mut failed) = (false, false);
        loop {
            let wanted = self.h.min(self.settings.largest_step);
            let Some((h, end)) = self.at.next(wanted, limit) else {
                let worst = || Trouble::Error(self.weights.worst(&self.slope, &self.at.y));
                self.trouble = Some(self.trouble.filter(|_| failed).unwrap_or_else(worst));
                return Err(StepError::TooSmall);
            };
            self.guess(h);
            let solved = if self.factor(h) {
                self.solve_stages(system, h)
            } else {
                None
            };
            let Some(iterations) = solved else {
                self.try_otherwise(system, h);
                failed = true;
                continue;
            };
            let error = self.error(system, h, rejected || self.last.is_none());
            let most = 2.0 * NEWTON_ITERATIONS as f64;
            let safety = 0.9 * (most + 1.0) / (most + iterations as f64);
            let growth = self.growth(h, error);
            if error > 1.0 {
                self.h = h * (safety * growth).max(0.2);
                (rejected, failed) = (true, true);
                self.effort.rejected += 1;
                continue;
            }
            self.accept(h, end);
            self.effort.evaluations += 1;
            let slope = system.derivative(self.at.t, &self.at.y, &mut self.slope);
            // A Jacobian that Newton's method was happy with is kept, and a step that hardly changes, too.
            self.jacobian.move_on();
            if slope.is_err() || iterations > 2 && !self.differentiate(system) {
                return Err(StepError::NoValue);
            }
            let growth = (safety * growth).min(10.0);
            let growth = if growth < 1.2 && growth > 1.0 {
                1.0
            } else {
                growth
            };
            self.last = Some((h, error.max(1e-10)));
            self.h = if h < self.h {
                self.h.max(h * growth)
            } else {
                h * growth
            };
            return Ok(());
        }
    }

    fn reached(&self) -> &Reached {
        &self.at
    }

    fn interpolate(&self, t: f64, out: &mut [f64]) {
        let s = self.at.fraction(t);
        let [a, b, c] = &self.q;
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.y_before[i] + s * (a[i] + s * (b[i] + s * c[i]));
        }
    }

    fn refine(&mut self, system: &mut dyn System, t: f64, y: &mut [f64]) {
        let (s, h) = (self.at.fraction(t), self.at.t - self.at.before);
        if !self.has_dense || s >= 1.0 {
            return;
        }
        let n = y.len();
        let Some(mut delta) = self.defect(system, s, h, y) else {
            return;
        };
        let end = self.at.t;
        let mut ends = std::mem::take(&mut self.ends);
        ends.take_away(end, s, &mut delta, &mut |which| {
            let s = which as f64;
            let mut y = vec![0.0; n];
            self.interpolate([self.at.before, end][which], &mut y);
            self.defect(system, s, h, &y)
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
