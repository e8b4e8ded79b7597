//! What the implicit methods share: the Jacobian, found anew only when Newton's method needs it, and the
//! correction that tells how far a polynomial is from the equations.

use super::{Effort, NoValue, Slopes, System, Weights};
use modeshift_algebra::{Factors, Sparse};

/// A Jacobian that may be of an earlier point.
#[derive(Clone, Debug, Default)]
pub struct Linearised {
    pub matrix: Sparse,
    /// How it was found, if that was at the present point.
    current: Option<Slopes>,
    known: bool,
}

impl Linearised {
    /// The Jacobian of this point; whether there is one.
    pub fn find(
        &mut self,
        system: &mut dyn System,
        t: f64,
        y: &[f64],
        effort: &mut Effort,
    ) -> bool {
        self.find_by(system, t, y, Slopes::Exact, effort)
            || self.find_by(system, t, y, Slopes::Quotients, effort)
    }

    fn find_by(
        &mut self,
        system: &mut dyn System,
        t: f64,
        y: &[f64],
        slopes: Slopes,
        effort: &mut Effort,
    ) -> bool {
        if !self.known {
            self.matrix = system.pattern();
            self.known = true;
        }
        effort.jacobians += 1;
        let found = system.jacobian(t, y, slopes, &mut self.matrix).is_ok();
        if found {
            self.current = Some(slopes);
        }
        found
    }

    /// A Jacobian that is better than the one there is, after Newton's method failed with that; whether there is one.
    pub fn find_another(
        &mut self,
        system: &mut dyn System,
        t: f64,
        y: &[f64],
        effort: &mut Effort,
    ) -> bool {
        match self.current {
            None => self.find(system, t, y, effort),
            Some(Slopes::Exact) => self.find_by(system, t, y, Slopes::Quotients, effort),
            Some(Slopes::Quotients) => false,
        }
    }

    /// The Jacobian is now that of an earlier point.
    pub fn move_on(&mut self) {
        self.current = None;
    }
}

/// `μI − J`.
pub fn shifted(jacobian: &Sparse, shift: f64) -> Sparse {
    let mut matrix = Sparse::empty(jacobian.n);
    for column in 0..jacobian.n {
        matrix.push_shifted(jacobian, column, 0, shift);
        matrix.close_column();
    }
    matrix
}

/// How far a polynomial with the value `y` and the slope `slope` at `t` is from the equations there: the solution of
/// `(μI − J) δ = scale·(f(t, y) − slope)`, where `factors` are those of `scale·(μI − J)` and `μ` is about the inverse
/// of the step. In stiff directions that is the distance to the solution that the force dictates, in the others
/// about the integral of the defect over the step.
pub fn correction(
    system: &mut dyn System,
    factors: &mut Factors,
    scale: f64,
    t: f64,
    y: &[f64],
    slope: &[f64],
) -> Result<Vec<f64>, NoValue> {
    let mut delta = vec![0.0; y.len()];
    system.derivative(t, y, &mut delta)?;
    for (delta, slope) in delta.iter_mut().zip(slope) {
        *delta = scale * (*delta - slope);
    }
    factors.solve(&mut delta);
    Ok(delta)
}

/// The corrections at both ends of a step, which is known by its end.
///
/// The solution goes through the ends: a correction there would be none. In stiff directions it is none; in the others the
/// defect of the polynomial is about a straight line between its values at the ends, and without that line what is
/// interpolated begins and ends with the states. A solution that jumped there would cross thresholds that it has passed.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    of: Option<f64>,
    corrections: [Vec<f64>; 2],
}

impl Ends {
    /// Takes away the part at the fraction `s` of the step to `end`. `at` computes a correction at an end.
    pub fn take_away(
        &mut self,
        end: f64,
        s: f64,
        delta: &mut [f64],
        at: &mut dyn FnMut(usize) -> Option<Vec<f64>>,
    ) {
        if self.of != Some(end) {
            let zeros = || vec![0.0; delta.len()];
            self.corrections = [0, 1].map(|which| at(which).unwrap_or_else(zeros));
            self.of = Some(end);
        }
        let [first, last] = &self.corrections;
        for (k, delta) in delta.iter_mut().enumerate() {
            *delta -= (1.0 - s) * first[k] + s * last[k];
        }
    }
}

/// Adds a correction to `y` that is about as small as the tolerance. A larger one comes from a Jacobian that does not
/// fit, since the step was accepted.
pub fn add_correction(weights: &Weights, delta: &[f64], y: &mut [f64]) {
    if weights.norm(delta, y, y) <= 10.0 {
        for (y, delta) in y.iter_mut().zip(delta) {
            *y += delta;
        }
    }
}
