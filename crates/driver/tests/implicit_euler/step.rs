//! Implicit Euler on the model's own equations: nothing differentiated, nothing eliminated.

use crate::double::{Double, eliminate};
use crate::point::{Point, holds};
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, VarKind};
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarId, VarRef, evaluate, partial, variables,
};

use std::fmt;

/// Values of all variables at one point of time.
pub type Values = FxHashMap<VarId, Double>;

/// One step.
struct Step<'a> {
    mdae: &'a MDae,
    left: &'a Point,
    /// The point before; left limits at first.
    old: &'a Values,
    h: Double,
    /// Steps since the instant, this one included.
    number: u32,
    new: Values,
}

impl Valuation<Double> for Step<'_> {
    fn var(&self, o: VarRef) -> Option<Double> {
        if o.at == At::Left {
            return Some(self.left.left(o));
        }
        match self.mdae.variable(o.var).kind {
            VarKind::Input => Some(self.input(o)),
            VarKind::Held => self.new.get(&o.var).copied(),
            VarKind::Unknown => {
                let value = *self.new.get(&o.var)?;
                match o.order {
                    0 => Some(value),
                    1 => Some(value.minus(*self.old.get(&o.var)?).over(self.h)),
                    _ => None,
                }
            }
        }
    }
    fn param(&self, id: ParamId) -> Option<Double> {
        self.left.param(id)
    }
    fn time(&self) -> Option<Double> {
        let elapsed = self.h.times(Double::new(f64::from(self.number)));
        Some(Double::new(self.left.time).plus(elapsed))
    }
}

impl Step<'_> {
    /// Inputs go on as their derivatives at the left limit say.
    fn input(&self, o: VarRef) -> Double {
        let elapsed = self.h.times(Double::new(f64::from(self.number)));
        let (mut sum, mut power) = (Double::ZERO, Double::new(1.0));
        for k in 0..3_u32 {
            let derivative = self.left.left(VarRef::now(o.var, o.order + k));
            sum = sum.plus(derivative.times(power));
            power = power.times(elapsed).over(Double::new(f64::from(k + 1)));
        }
        sum
    }

    /// Newton's method from the values in `new`. The size of the last correction.
    fn solve(&mut self, equations: &[Expr], unknowns: &[VarId]) -> Result<f64, EvalError> {
        let column: FxHashMap<VarId, usize> =
            unknowns.iter().enumerate().map(|(i, v)| (*v, i)).collect();
        let mut last = f64::INFINITY;
        for _ in 0..80 {
            let mut rows = Vec::with_capacity(equations.len());
            for equation in equations {
                let mut row = vec![Double::ZERO; unknowns.len() + 1];
                for o in variables(equation) {
                    if let (Some(&i), At::Now) = (column.get(&o.var), o.at) {
                        let slope = evaluate(&partial(equation, o), self)?;
                        let slope = if o.order > 0 {
                            slope.over(self.h)
                        } else {
                            slope
                        };
                        row[i] = row[i].plus(slope);
                    }
                }
                row[unknowns.len()] = evaluate(equation, self)?;
                rows.push(row);
            }
            let step = eliminate(rows, unknowns.len());
            let mut size = 0.0_f64;
            for (var, step) in unknowns.iter().zip(step) {
                let value = self
                    .new
                    .get(var)
                    .copied()
                    .unwrap_or(Double::ZERO)
                    .minus(step);
                size = size.max(step.size() / (1.0 + value.size()));
                self.new.insert(*var, value);
            }
            let settled = size < 1e-12 && size > 0.1 * last;
            if size < 1e-24 || settled || !size.is_finite() {
                return Ok(size);
            }
            last = size;
        }
        Ok(last)
    }
}

/// Why a step was not made.
pub enum Trouble {
    /// Equations and unknowns.
    Unbalanced(usize, usize),
    Unknown(EvalError),
    Diverged,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbalanced(equations, unknowns) => {
                write!(f, "{equations} equations for {unknowns} unknowns")
            }
            Self::Unknown(error) => error.fmt(f),
            Self::Diverged => f.write_str("the step does not converge"),
        }
    }
}

/// The values after one step from `old`. `guesses` are tried in turn; what they do not mention is as in `old`.
pub fn step(
    mdae: &MDae,
    equations: &[Expr],
    (left, old, h, number): (&Point, &Values, f64, u32),
    assigned: &[VarId],
    guesses: &[Values],
) -> Result<Values, Trouble> {
    let mut unknowns: Vec<VarId> = Vec::new();
    for equation in equations {
        let occurring = variables(equation).into_iter().filter(|o| o.at == At::Now);
        unknowns.extend(
            occurring
                .map(|o| o.var)
                .filter(|var| crate::left::is_unknown(mdae, *var) || assigned.contains(var)),
        );
    }
    unknowns.sort_unstable();
    unknowns.dedup();
    if unknowns.len() != equations.len() {
        return Err(Trouble::Unbalanced(equations.len(), unknowns.len()));
    }
    let mut trouble = Trouble::Diverged;
    for guess in guesses {
        let mut attempt = Step {
            mdae,
            left,
            old,
            h: Double::new(h),
            number,
            new: old.clone(),
        };
        attempt
            .new
            .extend(guess.iter().map(|(var, value)| (*var, *value)));
        match attempt.solve(equations, &unknowns) {
            Ok(size) if size < 1e-12 && holds(equations, &attempt) => return Ok(attempt.new),
            Ok(_) => {}
            Err(error) => trouble = Trouble::Unknown(error),
        }
    }
    Err(trouble)
}
