//! Integration of `y' = f(t, y)` with adaptive steps and dense output.
//!
//! [`dopri5`] is for problems that are not stiff; it notices stiffness and says so. For those that are there are
//! two: [`radau5`], a one-step method, begins with its full order after each mode change; [`bdf`], a multistep method,
//! takes a fraction of the work on long smooth stretches.
//!
//! Between the ends of a step a solution is known from a polynomial. Both implicit methods hold it against the
//! equations (`Method::refine`): stiff parts that are forced from outside follow the force there, too, not only at the
//! ends of steps, where an estimate of the local error looks.

mod bdf;
mod dopri5;
mod linearised;
mod radau5;
#[cfg(test)]
mod tests;
mod weights;

pub use bdf::Bdf;
pub use dopri5::Dopri5;
pub use radau5::Radau5;

use weights::Weights;

use modeshift_algebra::Sparse;

/// The right-hand side has no value at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoValue;

/// A right-hand side.
pub trait System {
    fn dimension(&self) -> usize;
    /// The usual size of a state: errors of small numbers are measured by it.
    fn nominal(&self, _state: usize) -> f64 {
        1.0
    }
    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue>;
    /// A matrix with the pattern of the Jacobian.
    fn pattern(&mut self) -> Sparse;
    /// The Jacobian `∂f/∂y`. Where a slope is infinite at a point only, as that of a root at zero, quotients
    /// over a distance are the better linear model.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        slopes: Slopes,
        out: &mut Sparse,
    ) -> Result<(), NoValue>;
}

/// How a Jacobian is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slopes {
    Exact,
    Quotients,
}

/// Where a method stands: the end of its last step, and where that step began.
#[derive(Clone, Debug)]
pub struct Reached {
    before: f64,
    t: f64,
    y: Vec<f64>,
}

impl Reached {
    fn new(t: f64, y: &[f64]) -> Self {
        Self {
            before: t,
            t,
            y: y.to_vec(),
        }
    }

    /// Which part of the last step is over at `t`.
    fn fraction(&self, t: f64) -> f64 {
        let h = self.t - self.before;
        if h > 0.0 { (t - self.before) / h } else { 0.0 }
    }

    /// The next step: as long as wanted, but not beyond `limit`, nor so that a tiny step remains. With it comes
    /// where it ends. `None` if it would not move time.
    fn next(&self, wanted: f64, limit: f64) -> Option<(f64, f64)> {
        let rest = limit - self.t;
        let h = if rest < 1.0001 * wanted { rest } else { wanted };
        let end = if h == rest { limit } else { self.t + h };
        // An event may be one rounding before the limit.
        let moves = h >= resolution(self.t) || h == rest && h > 0.0;
        moves.then_some((h, end))
    }
}

/// How accurate, and how far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub relative: f64,
    /// For a state whose nominal value is 1.
    pub absolute: f64,
    pub largest_step: f64,
}

/// Why an integrator gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The step would be smaller than the resolution of time.
    TooSmall,
    /// The right-hand side has no value at the start of the step.
    NoValue,
}

/// What kept the last attempt at a step from success.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The error is too large, most of all that of this state.
    Error(usize),
    /// Newton's method moves this state most and does not converge.
    Iteration(usize),
    /// The right-hand side has no value where the step leads.
    NoValue,
}

/// An accepted step from `t0` to `t1`.
pub trait Method {
    /// Takes one step that ends at `limit` at the latest.
    fn step(&mut self, system: &mut dyn System, limit: f64) -> Result<(), StepError>;
    fn reached(&self) -> &Reached;
    fn interval(&self) -> (f64, f64) {
        (self.reached().before, self.reached().t)
    }
    /// The state at the end of the step.
    fn state(&self) -> &[f64] {
        &self.reached().y
    }
    /// The state within the last step.
    fn interpolate(&self, t: f64, out: &mut [f64]);
    /// Brings an interpolated state nearer to the equations, if the method knows how: what follows a state through a
    /// small resistance is as sensitive to errors as the resistance is small.
    fn refine(&mut self, _system: &mut dyn System, _t: f64, _y: &mut [f64]) {}
    /// What went wrong after a step failed.
    fn trouble(&self) -> Option<Trouble> {
        None
    }
    /// Whether an implicit method would be the better choice.
    fn is_stiff(&self) -> bool {
        false
    }
    /// The step that would come next.
    fn next_step(&self) -> f64;
    /// What it cost so far.
    fn effort(&self) -> Effort;
}

/// A method by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Dopri5,
    Radau5,
    Bdf,
}

impl Kind {
    /// Starts at `t` with `y`. `step` is the last one that was taken there, if it is known.
    pub fn start(
        self,
        settings: Settings,
        t: f64,
        y: &[f64],
        step: Option<f64>,
    ) -> Box<dyn Method> {
        match self {
            Self::Dopri5 => Box::new(Dopri5::new(settings, t, y, step)),
            Self::Radau5 => Box::new(Radau5::new(settings, t, y, step)),
            Self::Bdf => Box::new(Bdf::new(settings, t, y, step)),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Dopri5 => "dopri5",
            Self::Radau5 => "radau5",
            Self::Bdf => "bdf",
        }
    }
}

/// What an integration cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Of the right-hand side.
    pub evaluations: usize,
    pub jacobians: usize,
    pub factorisations: usize,
    pub rejected: usize,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.evaluations += other.evaluations;
        self.jacobians += other.jacobians;
        self.factorisations += other.factorisations;
        self.rejected += other.rejected;
    }
}

/// The first step, after Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.4.
fn first_step(
    system: &mut dyn System,
    t: f64,
    y: &[f64],
    slope: &[f64],
    order: f64,
    settings: &Settings,
    weights: &Weights,
) -> f64 {
    let n = y.len();
    let norm = |v: &[f64]| weights.norm(v, y, y);
    let (d0, d1) = (norm(y), norm(slope));
    let guess = if d0 < 1e-5 || d1 < 1e-5 {
        1e-6
    } else {
        0.01 * d0 / d1
    };
    let guess = guess.min(settings.largest_step);
    let moved: Vec<f64> = y.iter().zip(slope).map(|(a, b)| a + guess * b).collect();
    let mut there = vec![0.0; n];
    if system.derivative(t + guess, &moved, &mut there).is_err() {
        return guess * 0.1;
    }
    let change: Vec<f64> = there
        .iter()
        .zip(slope)
        .map(|(a, b)| (a - b) / guess)
        .collect();
    let d2 = norm(&change);
    let steepest = d1.max(d2);
    let better = if steepest <= 1e-15 {
        (guess * 1e-3).max(1e-6)
    } else {
        libm::pow(0.01 / steepest, 1.0 / (order + 1.0))
    };
    let step = (100.0 * guess).min(better).min(settings.largest_step);
    // A state that is zero but for rounding says nothing about the step, and time must move.
    step.max(1e3 * resolution(t))
}

/// The smallest step that still moves time.
fn resolution(t: f64) -> f64 {
    16.0 * f64::EPSILON * t.abs().max(1e-300)
}
