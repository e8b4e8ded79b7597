//! Dormand and Prince's explicit Runge–Kutta method of order 5(4) with its continuous extension of order 4.

use super::{Method, Settings, StepError, System, error_norm, first_step, resolution};

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// Differences to the embedded method of order 4.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// Of the continuous extension.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

pub struct Dopri5 {
    settings: Settings,
    t: f64,
    y: Vec<f64>,
    /// The step before `t`, with its continuous extension.
    t_before: f64,
    dense: [Vec<f64>; 5],
    k: [Vec<f64>; 7],
    stage: Vec<f64>,
    h: f64,
    last_error: f64,
    started: bool,
    evaluations: usize,
    stiff_steps: u32,
    calm_steps: u32,
}

impl Dopri5 {
    /// `step` is tried first if it is given.
    pub fn new(settings: Settings, t: f64, y: &[f64], step: Option<f64>) -> Self {
        let n = y.len();
        let zeros = || vec![0.0; n];
        Self {
            settings,
            t,
            y: y.to_vec(),
            t_before: t,
            dense: std::array::from_fn(|_| zeros()),
            k: std::array::from_fn(|_| zeros()),
            stage: zeros(),
            h: step.unwrap_or(0.0),
            last_error: 1e-4,
            started: false,
            evaluations: 0,
            stiff_steps: 0,
            calm_steps: 0,
        }
    }

    fn stages(&mut self, system: &mut dyn System, h: f64) -> bool {
        for stage in 1..7 {
            for i in 0..self.y.len() {
                let mut sum = 0.0;
                for (a, k) in A[stage].iter().zip(&self.k) {
                    sum += a * k[i];
                }
                self.stage[i] = self.y[i] + h * sum;
            }
            self.evaluations += 1;
            let t = self.t + C[stage] * h;
            if system
                .derivative(t, &self.stage, &mut self.k[stage])
                .is_err()
            {
                return false;
            }
            if stage == 5 {
                // The test on stiffness compares the points of the last two stages.
                self.dense[3].copy_from_slice(&self.stage);
            }
        }
        true
    }

    /// An estimate of `h·|λ|` from the last two stages: outside the region of stability for a while means
    /// that stability, not accuracy, limits the step.
    fn watch_stiffness(&mut self, h: f64) {
        let (mut top, mut bottom) = (0.0, 0.0);
        for i in 0..self.y.len() {
            let slope = self.k[6][i] - self.k[5][i];
            let moved = self.stage[i] - self.dense[3][i];
            top += slope * slope;
            bottom += moved * moved;
        }
        if bottom > 0.0 && h * (top / bottom).sqrt() > 3.25 {
            self.calm_steps = 0;
            self.stiff_steps += 1;
        } else {
            self.calm_steps += 1;
            if self.calm_steps == 6 {
                self.stiff_steps = 0;
            }
        }
    }

    fn keep_dense(&mut self, h: f64) {
        for i in 0..self.y.len() {
            let (y0, y1) = (self.y[i], self.stage[i]);
            let difference = y1 - y0;
            let bend = h * self.k[0][i] - difference;
            let extension: f64 = D.iter().zip(&self.k).map(|(d, k)| d * k[i]).sum();
            self.dense[0][i] = y0;
            self.dense[1][i] = difference;
            self.dense[2][i] = bend;
            self.dense[3][i] = difference - h * self.k[6][i] - bend;
            self.dense[4][i] = h * extension;
        }
    }
}

impl Method for Dopri5 {
    fn step(&mut self, system: &mut dyn System, limit: f64) -> Result<(), StepError> {
        if !self.started {
            self.evaluations += 1;
            if system.derivative(self.t, &self.y, &mut self.k[0]).is_err() {
                return Err(StepError::NoValue);
            }
            if self.h <= 0.0 {
                self.h = first_step(system, self.t, &self.y, &self.k[0], 5.0, &self.settings);
                self.evaluations += 1;
            }
            self.started = true;
        }
        let mut rejected = false;
        loop {
            let rest = limit - self.t;
            let mut h = self.h.min(self.settings.largest_step).min(rest);
            // No tiny step at the end.
            if rest < 1.0001 * h {
                h = rest;
            }
            if h < resolution(self.t) {
                return Err(StepError::TooSmall);
            }
            let error = if self.stages(system, h) {
                let error: Vec<f64> = (0..self.y.len())
                    .map(|i| h * E.iter().zip(&self.k).map(|(e, k)| e * k[i]).sum::<f64>())
                    .collect();
                error_norm(&error, &self.y, &self.stage, &self.settings)
            } else {
                f64::INFINITY
            };
            if error <= 1.0 {
                // Proportional and integral control of the step.
                let factor = libm::pow(error.max(1e-10), 0.17) / libm::pow(self.last_error, 0.04);
                let mut growth = (0.9 / factor).clamp(0.2, 10.0);
                if rejected {
                    growth = growth.min(1.0);
                }
                self.watch_stiffness(h);
                self.keep_dense(h);
                self.last_error = error.max(1e-4);
                self.t_before = self.t;
                self.t = if h == rest { limit } else { self.t + h };
                std::mem::swap(&mut self.y, &mut self.stage);
                self.k.swap(0, 6);
                // A step that was cut short says nothing about the next one.
                self.h = if h < self.h {
                    self.h.max(h * growth)
                } else {
                    h * growth
                };
                return Ok(());
            }
            rejected = true;
            let factor = if error.is_finite() {
                (0.9 / libm::pow(error, 0.2)).max(0.2)
            } else {
                0.2
            };
            self.h = h * factor;
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
        let r = 1.0 - s;
        let [a, b, c, d, e] = &self.dense;
        for (i, out) in out.iter_mut().enumerate() {
            *out = a[i] + s * (b[i] + r * (c[i] + s * (d[i] + r * e[i])));
        }
    }

    fn is_stiff(&self) -> bool {
        self.stiff_steps >= 15
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn evaluations(&self) -> usize {
        self.evaluations
    }
}
