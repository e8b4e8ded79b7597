//! The three-stage Radau IIA method of order 5 (Hairer and Wanner, *Solving Ordinary Differential Equations
//! II*, IV.8), with its collocation polynomial as dense output.

use super::{Method, NoValue, Settings, StepError, System, error_norm, first_step, resolution};
use crate::linear::Lu;

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

pub struct Radau5 {
    settings: Settings,
    constants: Constants,
    t: f64,
    y: Vec<f64>,
    slope: Vec<f64>,
    t_before: f64,
    y_before: Vec<f64>,
    /// Coefficients of the collocation polynomial of the last step.
    q: [Vec<f64>; 3],
    has_dense: bool,
    jacobian: Vec<f64>,
    jacobian_is_current: bool,
    real: Lu,
    /// The complex system as a real one of twice the size.
    complex: Lu,
    factored_for: f64,
    h: f64,
    last: Option<(f64, f64)>,
    newton_tolerance: f64,
    started: bool,
    evaluations: usize,
}

impl Radau5 {
    /// `step` is tried first if it is given.
    pub fn new(settings: Settings, t: f64, y: &[f64], step: Option<f64>) -> Self {
        let n = y.len();
        let tolerance = settings.relative.max(1e-13);
        Self {
            settings,
            constants: constants(),
            t,
            y: y.to_vec(),
            slope: vec![0.0; n],
            t_before: t,
            y_before: y.to_vec(),
            q: std::array::from_fn(|_| vec![0.0; n]),
            has_dense: false,
            jacobian: vec![0.0; n * n],
            jacobian_is_current: false,
            real: Lu::default(),
            complex: Lu::default(),
            factored_for: 0.0,
            h: step.unwrap_or(0.0),
            last: None,
            newton_tolerance: (10.0 * f64::EPSILON / tolerance).max(0.03_f64.min(tolerance.sqrt())),
            started: false,
            evaluations: 0,
        }
    }

    /// Forward differences, O(n) evaluations.
    fn differentiate(&mut self, system: &mut dyn System) -> Result<(), NoValue> {
        let n = self.y.len();
        let mut moved = self.y.clone();
        let mut slope = vec![0.0; n];
        for column in 0..n {
            let y = self.y[column];
            let wanted = f64::EPSILON.sqrt() * y.abs().max(self.settings.absolute.sqrt()).max(1e-8);
            let wanted = if self.slope[column] < 0.0 {
                -wanted
            } else {
                wanted
            };
            moved[column] = y + wanted;
            let h = moved[column] - y;
            self.evaluations += 1;
            let mut step = h;
            if system.derivative(self.t, &moved, &mut slope).is_err() {
                moved[column] = y - h;
                step = -h;
                self.evaluations += 1;
                system.derivative(self.t, &moved, &mut slope)?;
            }
            for (row, (there, here)) in slope.iter().zip(&self.slope).enumerate() {
                self.jacobian[row * n + column] = (there - here) / step;
            }
            moved[column] = y;
        }
        self.jacobian_is_current = true;
        self.factored_for = 0.0;
        Ok(())
    }

    /// `μ/h·I − J` for the real and the complex eigenvalue.
    fn factor(&mut self, h: f64) -> bool {
        if self.factored_for == h {
            return true;
        }
        let n = self.y.len();
        let matrix = self.real.reset(n);
        for (entry, j) in matrix.iter_mut().zip(&self.jacobian) {
            *entry = -j;
        }
        for i in 0..n {
            matrix[i * n + i] += self.constants.mu_real / h;
        }
        let (re, im) = (self.constants.mu_re / h, self.constants.mu_im / h);
        let matrix = self.complex.reset(2 * n);
        for row in 0..n {
            for column in 0..n {
                let entry = -self.jacobian[row * n + column];
                matrix[row * 2 * n + column] = entry;
                matrix[(n + row) * 2 * n + n + column] = entry;
            }
            matrix[row * 2 * n + row] += re;
            matrix[(n + row) * 2 * n + n + row] += re;
            matrix[row * 2 * n + n + row] = -im;
            matrix[(n + row) * 2 * n + row] = im;
        }
        let fine = self.real.factor().is_ok() && self.complex.factor().is_ok();
        self.factored_for = if fine { h } else { 0.0 };
        fine
    }

    /// Simplified Newton iteration for the three stages. Returns whether it converged, and how fast.
    fn solve_stages(
        &mut self,
        system: &mut dyn System,
        h: f64,
        z: &mut [Vec<f64>; 3],
    ) -> Option<usize> {
        let n = self.y.len();
        let constants = constants();
        let (ti, tt) = (&constants.ti, &constants.t);
        let mut w: [Vec<f64>; 3] = std::array::from_fn(|i| {
            (0..n)
                .map(|k| (0..3).map(|j| ti[i][j] * z[j][k]).sum())
                .collect()
        });
        let mut f: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; n]);
        let mut point = vec![0.0; n];
        let mut both = vec![0.0; 2 * n];
        let mut first = vec![0.0; n];
        let mut last: Option<f64> = None;
        for iteration in 0..NEWTON_ITERATIONS {
            for i in 0..3 {
                for k in 0..n {
                    point[k] = self.y[k] + z[i][k];
                }
                self.evaluations += 1;
                let t = self.t + h * constants.c[i];
                system.derivative(t, &point, &mut f[i]).ok()?;
            }
            for k in 0..n {
                let along = |row: &[f64; 3]| (0..3).map(|j| row[j] * f[j][k]).sum::<f64>();
                first[k] = along(&ti[0]) - constants.mu_real / h * w[0][k];
                let (re, im) = (constants.mu_re / h, constants.mu_im / h);
                both[k] = along(&ti[1]) - (re * w[1][k] - im * w[2][k]);
                both[n + k] = along(&ti[2]) - (im * w[1][k] + re * w[2][k]);
            }
            self.real.solve(&mut first);
            self.complex.solve(&mut both);
            let mut sum = 0.0;
            for k in 0..n {
                let scale = self.settings.absolute + self.settings.relative * self.y[k].abs();
                for step in [first[k], both[k], both[n + k]] {
                    sum += (step / scale) * (step / scale);
                }
            }
            let size = (sum / (3 * n.max(1)) as f64).sqrt();
            let rate = last.map(|last| size / last);
            let left = (NEWTON_ITERATIONS - iteration) as i32;
            if !size.is_finite()
                || rate.is_some_and(|rate| {
                    rate >= 1.0 || rate.powi(left) / (1.0 - rate) * size > self.newton_tolerance
                })
            {
                return None;
            }
            for k in 0..n {
                w[0][k] += first[k];
                w[1][k] += both[k];
                w[2][k] += both[n + k];
                for i in 0..3 {
                    z[i][k] = (0..3).map(|j| tt[i][j] * w[j][k]).sum();
                }
            }
            let done = size == 0.0
                || rate.is_some_and(|rate| rate / (1.0 - rate) * size < self.newton_tolerance);
            if done {
                return Some(iteration + 1);
            }
            last = Some(size);
        }
        None
    }

    fn guess(&self, h: f64) -> [Vec<f64>; 3] {
        let n = self.y.len();
        std::array::from_fn(|i| {
            if !self.has_dense {
                return vec![0.0; n];
            }
            let mut out = vec![0.0; n];
            self.interpolate(self.t + h * self.constants.c[i], &mut out);
            out.iter().zip(&self.y).map(|(a, b)| a - b).collect()
        })
    }

    fn error(&mut self, system: &mut dyn System, h: f64, z: &[Vec<f64>; 3], again: bool) -> f64 {
        let n = self.y.len();
        let weighted: Vec<f64> = (0..n)
            .map(|k| (0..3).map(|j| self.constants.e[j] * z[j][k]).sum::<f64>() / h)
            .collect();
        let mut error: Vec<f64> = weighted
            .iter()
            .zip(&self.slope)
            .map(|(a, b)| a + b)
            .collect();
        self.real.solve(&mut error);
        let next: Vec<f64> = self.y.iter().zip(&z[2]).map(|(a, b)| a + b).collect();
        let mut size = error_norm(&error, &self.y, &next, &self.settings);
        if again && size > 1.0 {
            let moved: Vec<f64> = self.y.iter().zip(&error).map(|(a, b)| a + b).collect();
            let mut slope = vec![0.0; n];
            self.evaluations += 1;
            if system.derivative(self.t, &moved, &mut slope).is_ok() {
                let mut error: Vec<f64> = weighted.iter().zip(&slope).map(|(a, b)| a + b).collect();
                self.real.solve(&mut error);
                size = error_norm(&error, &self.y, &next, &self.settings);
            }
        }
        if size.is_finite() {
            size
        } else {
            f64::INFINITY
        }
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

    fn accept(&mut self, h: f64, z: &[Vec<f64>; 3], t_new: f64) {
        let n = self.y.len();
        std::mem::swap(&mut self.y_before, &mut self.y);
        for k in 0..n {
            self.y[k] = self.y_before[k] + z[2][k];
            for (power, q) in self.q.iter_mut().enumerate() {
                q[k] = (0..3).map(|j| z[j][k] * self.constants.p[j][power]).sum();
            }
        }
        self.t_before = self.t;
        self.t = t_new;
        self.has_dense = h > 0.0;
    }
}

impl Method for Radau5 {
    fn step(&mut self, system: &mut dyn System, limit: f64) -> Result<(), StepError> {
        if !self.started {
            self.evaluations += 1;
            let start = system.derivative(self.t, &self.y, &mut self.slope);
            if start.is_err() || self.differentiate(system).is_err() {
                return Err(StepError::NoValue);
            }
            if self.h <= 0.0 {
                self.h = first_step(system, self.t, &self.y, &self.slope, 3.0, &self.settings);
            }
            self.started = true;
        }
        let mut rejected = false;
        loop {
            let rest = limit - self.t;
            let mut h = self.h.min(self.settings.largest_step).min(rest);
            if rest < 1.0001 * h {
                h = rest;
            }
            if h < resolution(self.t) {
                return Err(StepError::TooSmall);
            }
            let mut z = self.guess(h);
            let solved = if self.factor(h) {
                self.solve_stages(system, h, &mut z)
            } else {
                None
            };
            let Some(iterations) = solved else {
                if self.jacobian_is_current || self.differentiate(system).is_err() {
                    self.h = 0.5 * h;
                }
                self.has_dense = false;
                continue;
            };
            let error = self.error(system, h, &z, rejected || self.last.is_none());
            let most = 2.0 * NEWTON_ITERATIONS as f64;
            let safety = 0.9 * (most + 1.0) / (most + iterations as f64);
            let growth = self.growth(h, error);
            if error > 1.0 {
                self.h = h * (safety * growth).max(0.2);
                rejected = true;
                continue;
            }
            let t_new = if h == rest { limit } else { self.t + h };
            self.accept(h, &z, t_new);
            self.evaluations += 1;
            if system.derivative(self.t, &self.y, &mut self.slope).is_err() {
                return Err(StepError::NoValue);
            }
            // A Jacobian that Newton's method was happy with is kept, and a step that hardly changes, too.
            self.jacobian_is_current = false;
            if iterations > 2 && self.differentiate(system).is_err() {
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

    fn interval(&self) -> (f64, f64) {
        (self.t_before, self.t)
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn interpolate(&self, t: f64, out: &mut [f64]) {
        let h = self.t - self.t_before;
        let s = if h > 0.0 {
            (t - self.t_before) / h
        } else {
            0.0
        };
        let [a, b, c] = &self.q;
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.y_before[i] + s * (a[i] + s * (b[i] + s * c[i]));
        }
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn evaluations(&self) -> usize {
        self.evaluations
    }
}
