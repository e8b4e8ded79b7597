//! Dormand and Prince's explicit Runge–Kutta method of order 5(4) with its continuous extension of order 4.

use super::{Effort, Method, Reached, Settings, StepError, System, Trouble, Weights, first_step};

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
/// Steps with `h·|λ|` beyond this are limited by a part that decays, whose border of stability is at 3.31: where it is forced slowly, its
/// error holds them somewhat below. What oscillates without decaying is unstable from 1 on.
const NEARLY_UNSTABLE: f64 = 2.5;

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
    weights: Weights,
    at: Reached,
    /// The continuous extension of the last step.
    dense: [Vec<f64>; 5],
    k: [Vec<f64>; 7],
    stage: Vec<f64>,
    error: Vec<f64>,
    h: f64,
    last_error: f64,
    started: bool,
    effort: Effort,
    stiff_steps: u32,
    calm_steps: u32,
    trouble: Option<Trouble>,
}

impl Dopri5 {
    /// `step` is tried first if it is given.
    pub fn new(settings: Settings, t: f64, y: &[f64], step: Option<f64>) -> Self {
        let n = y.len();
        let zeros = || vec![0.0; n];
        Self {
            settings,
            weights: Weights::default(),
            at: Reached::new(t, y),
            dense: std::array::from_fn(|_| zeros()),
            k: std::array::from_fn(|_| zeros()),
            stage: zeros(),
            error: zeros(),
            h: step.unwrap_or(0.0),
            last_error: 1e-4,
            started: false,
            effort: Effort::default(),
            stiff_steps: 0,
            calm_steps: 0,
            trouble: None,
        }
    }

    fn stages(&mut self, system: &mut dyn System, h: f64) -> bool {
        for stage in 1..7 {
            self.stage.copy_from_slice(&self.at.y);
            for (a, k) in A[stage].iter().zip(&self.k) {
                let factor = h * a;
                for (y, k) in self.stage.iter_mut().zip(k) {
                    *y += factor * k;
                }
            }
            self.effort.evaluations += 1;
            let t = self.at.t + C[stage] * h;
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

    /// The difference to the embedded method, in units of the tolerance.
    fn estimate(&mut self, h: f64) -> f64 {
        self.error.fill(0.0);
        for (e, k) in E.iter().zip(&self.k) {
            for (error, k) in self.error.iter_mut().zip(k) {
                *error += h * e * k;
            }
        }
        self.weights.norm(&self.error, &self.at.y, &self.stage)
    }

    /// An estimate of `h·|λ|` from the last two stages: at the border of the region of stability for a while
    /// means that stability, not accuracy, limits the step.
    fn watch_stiffness(&mut self, h: f64) {
        let (mut top, mut bottom) = (0.0, 0.0);
        for i in 0..self.at.y.len() {
            let slope = self.k[6][i] - self.k[5][i];
            let moved = self.stage[i] - self.dense[3][i];
            top += slope * slope;
            bottom += moved * moved;
        }
        if bottom > 0.0 && h * (top / bottom).sqrt() > NEARLY_UNSTABLE {
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
        for i in 0..self.at.y.len() {
            let (y0, y1) = (self.at.y[i], self.stage[i]);
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
            self.weights = Weights::new(&self.settings, system);
            self.effort.evaluations += 1;
            let at = &self.at;
            if system.derivative(at.t, &at.y, &mut self.k[0]).is_err() {
                return Err(StepError::NoValue);
            }
            if self.h <= 0.0 {
                let (settings, weights) = (&self.settings, &self.weights);
                self.h = first_step(system, at.t, &at.y, &self.k[0], 5.0, settings, weights);
                self.effort.evaluations += 1;
            }
            self.started = true;
        }
        let mut rejected = false;
        loop {
            let wanted = self.h.min(self.settings.largest_step);
            let Some((h, end)) = self.at.next(wanted, limit) else {
                let worst = || Trouble::Error(self.weights.worst(&self.error, &self.at.y));
                self.trouble = Some(self.trouble.filter(|_| rejected).unwrap_or_else(worst));
                return Err(StepError::TooSmall);
            };
            let error = if self.stages(system, h) {
                self.estimate(h)
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
                self.at.before = self.at.t;
                self.at.t = end;
                std::mem::swap(&mut self.at.y, &mut self.stage);
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
            self.effort.rejected += 1;
            self.trouble = Some(if error.is_finite() {
                Trouble::Error(self.weights.worst(&self.error, &self.at.y))
            } else {
                Trouble::NoValue
            });
            let factor = if error.is_finite() {
                (0.9 / libm::pow(error, 0.2)).max(0.2)
            } else {
                0.2
            };
            self.h = h * factor;
        }
    }

    fn reached(&self) -> &Reached {
        &self.at
    }

    fn interpolate(&self, t: f64, out: &mut [f64]) {
        let s = self.at.fraction(t);
        let r = 1.0 - s;
        let [a, b, c, d, e] = &self.dense;
        for (i, out) in out.iter_mut().enumerate() {
            *out = a[i] + s * (b[i] + r * (c[i] + s * (d[i] + r * e[i])));
        }
    }

    fn trouble(&self) -> Option<Trouble> {
        self.trouble
    }

    fn is_stiff(&self) -> bool {
        self.stiff_steps >= 15
    }

    fn next_step(&self) -> f64 {
        self.h
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}
