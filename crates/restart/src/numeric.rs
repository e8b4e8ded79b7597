//! Restart systems in numbers, evaluated as they stand.

use crate::newton::{Evaluator, Solution, SolveError, Solver};
use crate::system::RestartSystem;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{Expr, ParamId, Valuation, VarRef, evaluate};

/// The numbers a restart starts from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Numbers {
    pub params: FxHashMap<ParamId, f64>,
    /// Left limits and known variables.
    pub values: FxHashMap<VarRef, f64>,
    pub time: f64,
}

impl Valuation<f64> for Numbers {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        self.values.get(&occurrence).copied()
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.params.get(&id).copied()
    }
    fn time(&self) -> Option<f64> {
        Some(self.time)
    }
}

/// The equations of a system at numbers.
struct AsWritten<'a> {
    system: &'a RestartSystem,
    solver: &'a Solver,
    numbers: &'a Numbers,
}

/// The numbers together with values of the unknowns.
struct WithUnknowns<'a> {
    base: u32,
    x: &'a [f64],
    numbers: &'a Numbers,
}

impl Valuation<f64> for WithUnknowns<'_> {
    fn var(&self, o: VarRef) -> Option<f64> {
        match o.var.0.checked_sub(self.base) {
            Some(index) => self.x.get(index as usize).copied(),
            None => self.numbers.var(o),
        }
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.numbers.param(id)
    }
    fn time(&self) -> Option<f64> {
        self.numbers.time()
    }
}

impl AsWritten<'_> {
    fn at<'x>(&'x self, x: &'x [f64]) -> impl Fn(&Expr) -> Result<f64, SolveError> + 'x {
        let values = WithUnknowns {
            base: self.system.base,
            x,
            numbers: self.numbers,
        };
        move |expr| evaluate(expr, &values).map_err(SolveError::Evaluate)
    }
}

impl Evaluator for AsWritten<'_> {
    fn residuals(&mut self, x: &[f64]) -> Result<Vec<f64>, SolveError> {
        let value = self.at(x);
        let equations = self.system.equations.iter();
        equations
            .map(|equation| value(&equation.residual))
            .collect()
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Vec<Vec<f64>>, SolveError> {
        let value = self.at(x);
        let rows = self.solver.jacobian().iter();
        rows.map(|row| row.iter().map(|(_, entry)| value(entry)).collect())
            .collect()
    }
}

impl RestartSystem {
    /// Right limits and impulse weights for the left limits in `numbers`.
    pub fn solve(&self, numbers: &Numbers) -> Result<Solution, SolveError> {
        let solver = Solver::new(self);
        let mut evaluator = AsWritten {
            system: self,
            solver: &solver,
            numbers,
        };
        let largest = numbers.values.values().map(|v| v.abs()).fold(0.0, f64::max);
        solver.solve(&mut evaluator, |left| numbers.var(left), largest)
    }
}
