//! Newton's method on restart systems: the one way from left limits to right limits and impulse weights.
//!
//! `modeshift restart` evaluates the equations as they stand, a simulation as compiled code with the functions of the model.
//! They hand in an [`Evaluator`]; from where the search starts, how it goes, when it has arrived and what the solution means is the
//! same for both.

use crate::system::{Meaning, RestartSystem, Unknown};
use crate::terms::Order;
use modeshift_algebra::Lu;
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{EvalError, Expr, VarRef};
use modeshift_structure::{
    Bipartite, Blocks, EqId, VarId, block_triangular_form, maximum_matching,
};
use num_traits::One as _;
use std::collections::BTreeMap;

/// Why there is no numeric answer.
#[derive(Clone, PartialEq, Debug)]
pub enum SolveError {
    /// A value is missing or an expression undefined at the left limits.
    Evaluate(EvalError),
    /// The Jacobian is singular at the left limits.
    Singular,
    /// Newton's method did not converge; the smallest residual it reached.
    Diverged(f64),
}

/// The values of the unknowns with the largest residual that remains.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    pub values: Vec<f64>,
    pub residual: f64,
}

/// The equations of a restart in numbers.
pub trait Evaluator {
    /// The residuals at the values `x` of the unknowns.
    fn residuals(&mut self, x: &[f64]) -> Result<Vec<f64>, SolveError>;

    /// The entries of [`Solver::jacobian`], row by row.
    fn slopes(&mut self, x: &[f64]) -> Result<Vec<Vec<f64>>, SolveError>;
}

/// Impulse weights are looked for from these values: a cubic term has no slope at 0.
const GUESSES: [f64; 5] = [0.0, 1.0, -1.0, 0.1, 10.0];

const MAX_STEPS: usize = 60;
const MAX_HALVINGS: usize = 12;

/// A restart system, ready to be solved any number of times.
#[derive(Clone, Debug)]
pub struct Solver {
    unknowns: Vec<Unknown>,
    /// By rows: `(unknown, entry)`.
    jacobian: Vec<Vec<(usize, Expr)>>,
    /// Nothing where some equation has no unknown of its own.
    blocks: Option<Blocks>,
}

impl Solver {
    pub fn new(system: &RestartSystem) -> Self {
        let jacobian = system.jacobian();
        let n = system.unknowns.len();
        let mut edges = Vec::new();
        for (row, entries) in jacobian.iter().enumerate() {
            let columns = entries.iter().map(|(column, _)| VarId(*column as u32));
            edges.extend(columns.map(|column| (EqId(row as u32), column)));
        }
        let graph = Bipartite::from_edges(jacobian.len(), n, &edges);
        let matching = maximum_matching(&graph);
        let blocks = matching.is_perfect();
        Self {
            unknowns: system.unknowns.clone(),
            jacobian,
            blocks: blocks.then(|| block_triangular_form(&graph, &matching)),
        }
    }

    pub fn jacobian(&self) -> &[Vec<(usize, Expr)>] {
        &self.jacobian
    }

    /// Solves the system. `left` knows the left limits of variables, `scale` is the size of the numbers that residuals are
    /// made of. Per step O(n³) in the size of the largest block, and linear in the rest.
    pub fn solve(
        &self,
        evaluator: &mut impl Evaluator,
        left: impl Fn(VarRef) -> Option<f64>,
        scale: f64,
    ) -> Result<Solution, SolveError> {
        let mut failure = None;
        for guess in GUESSES {
            let start = self.unknowns.iter().map(|unknown| match unknown.meaning {
                Meaning::Weight(_) => guess,
                Meaning::Right | Meaning::Auxiliary => {
                    left(VarRef::left(unknown.cell.var, unknown.cell.order)).unwrap_or(guess)
                }
            });
            match self.from(start.collect(), evaluator, scale) {
                Ok(solution) => return Ok(solution),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        Err(failure.unwrap_or(SolveError::Singular))
    }

    /// Damped Newton iteration from `x`.
    fn from(
        &self,
        mut x: Vec<f64>,
        evaluator: &mut impl Evaluator,
        scale: f64,
    ) -> Result<Solution, SolveError> {
        let mut residual = evaluator.residuals(&x)?;
        let mut size = norm(&residual);
        for _ in 0..MAX_STEPS {
            let step = self.step(evaluator.slopes(&x)?, &residual)?;
            let mut damping = 1.0;
            let mut next = None;
            for _ in 0..MAX_HALVINGS {
                let tried = x.iter().zip(&step).map(|(x, s)| x - damping * s);
                let tried: Vec<f64> = tried.collect();
                if let Ok(found) = evaluator.residuals(&tried)
                    && (norm(&found) < size || norm(&found) <= 1e-300)
                {
                    next = Some((tried, found));
                    break;
                }
                damping *= 0.5;
            }
            let moved = step.iter().zip(&x).map(|(s, x)| s.abs() / (1.0 + x.abs()));
            let moved = moved.fold(0.0, f64::max) * damping;
            let Some((tried, found)) = next else {
                break;
            };
            x = tried;
            size = norm(&found);
            residual = found;
            if moved < 1e-14 {
                break;
            }
        }
        let largest = x.iter().map(|x| x.abs()).fold(scale, f64::max);
        match size <= 1e-9 * (1.0 + largest) {
            true => Ok(Solution {
                values: x,
                residual: size,
            }),
            false => Err(SolveError::Diverged(size)),
        }
    }

    /// The solution of `J s = residual`, block by block.
    fn step(&self, slopes: Vec<Vec<f64>>, residual: &[f64]) -> Result<Vec<f64>, SolveError> {
        let blocks = self.blocks.as_ref().ok_or(SolveError::Singular)?;
        let mut step = vec![0.0; self.unknowns.len()];
        let mut place = vec![None; self.unknowns.len()];
        let mut lu = Lu::default();
        for block in blocks.iter() {
            let n = block.variables.len();
            for (i, x) in block.variables.iter().enumerate() {
                place[x.0 as usize] = Some(i);
            }
            let mut found = Vec::with_capacity(n);
            let matrix = lu.reset(n);
            for (row, f) in block.equations.iter().enumerate() {
                let f = f.0 as usize;
                let mut rest = residual[f];
                for ((column, _), slope) in self.jacobian[f].iter().zip(&slopes[f]) {
                    match place[*column] {
                        Some(i) => matrix[row * n + i] += slope,
                        None => rest -= slope * step[*column],
                    }
                }
                found.push(rest);
            }
            lu.factor().map_err(|_| SolveError::Singular)?;
            lu.solve(&mut found);
            for (x, value) in block.variables.iter().zip(found) {
                step[x.0 as usize] = value;
                place[x.0 as usize] = None;
            }
        }
        Ok(step)
    }
}

fn norm(vector: &[f64]) -> f64 {
    let largest = vector.iter().map(|v| v.abs()).fold(0.0, f64::max);
    match vector.iter().any(|v| v.is_nan()) {
        true => f64::INFINITY,
        false => largest,
    }
}

/// The weight of an impulse: `lim ε^order · x`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weight {
    pub order: Order,
    pub value: f64,
}

/// Weights below this part of the largest one of a variable are rounding.
const NEGLIGIBLE: f64 = 1e-9;

impl Weight {
    /// One variable at the instants of a change, in their order. Plain impulses add up to one; of stronger ones, which go back and
    /// forth (the derivative of an impulse is `1/ε²`, then `−1/ε²`), the first one that is not zero counts: what comes later makes up
    /// for it. [`crate::distribution`] keeps to the same rule.
    fn of(instants: &[Self]) -> Option<Self> {
        let order = instants.iter().map(|it| it.order).max()?;
        let strongest = instants.iter().filter(|it| it.order == order);
        let mut values = strongest.map(|it| it.value);
        let value = if order.is_one() {
            values.sum()
        } else {
            let largest = values.clone().map(f64::abs).fold(0.0, f64::max);
            let counts = |value: &f64| value.abs() > NEGLIGIBLE * largest;
            values.find(counts).unwrap_or(0.0)
        };
        Some(Self { order, value })
    }
}

/// What a solution says, in the variables of the part.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
    pub right: FxIndexMap<VarRef, f64>,
    pub weights: FxIndexMap<VarRef, Weight>,
}

impl RestartSystem {
    /// The meaning of a solution; `impulsive` says which variables are.
    pub fn told(&self, impulsive: &BTreeMap<VarRef, Order>, values: &[f64]) -> Told {
        let mut told = Told::default();
        let mut weights: FxIndexMap<VarRef, Vec<Weight>> = FxIndexMap::default();
        let mut solved: Vec<(&Unknown, &f64)> = self.unknowns.iter().zip(values).collect();
        solved.sort_by_key(|(unknown, _)| unknown.cell.instant);
        for (unknown, &value) in solved {
            let o = VarRef::now(unknown.cell.var, unknown.cell.order);
            match unknown.meaning {
                Meaning::Right => {
                    told.right.insert(o, value);
                }
                Meaning::Weight(order) if impulsive.contains_key(&o) => {
                    weights.entry(o).or_default().push(Weight { order, value });
                }
                Meaning::Weight(_) | Meaning::Auxiliary => {}
            }
        }
        let joined = weights.into_iter();
        told.weights = joined
            .filter_map(|(o, instants)| Some((o, Weight::of(&instants)?)))
            .collect();
        told
    }
}
