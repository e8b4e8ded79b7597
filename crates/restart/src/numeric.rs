//! Newton's method on restart systems.

use crate::system::{Meaning, RestartSystem};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarRef, evaluate, partial, variables,
};

/// The numbers a restart starts from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Numbers {
    pub params: FxHashMap<ParamId, f64>,
    /// Left limits and known variables; unknowns are added while solving.
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

/// A square system `residuals = 0` in `unknowns`.
pub struct Equations {
    pub residuals: Vec<Expr>,
    pub unknowns: Vec<VarRef>,
    jacobian: Vec<Vec<(usize, Expr)>>,
}

impl Equations {
    pub fn new(residuals: Vec<Expr>, unknowns: Vec<VarRef>) -> Self {
        let index: FxHashMap<VarRef, usize> =
            unknowns.iter().enumerate().map(|(i, u)| (*u, i)).collect();
        let row = |residual: &Expr| {
            let occurring = variables(residual).into_iter();
            occurring
                .filter_map(|o| index.get(&o).map(|&i| (i, partial(residual, o))))
                .collect()
        };
        let jacobian = residuals.iter().map(row).collect();
        Self {
            residuals,
            unknowns,
            jacobian,
        }
    }

    /// Damped Newton iteration from the values of the unknowns in `numbers`. O(n³) per step.
    pub fn solve(&self, numbers: &mut Numbers) -> Result<Solution, SolveError> {
        let mut residual = self.residual_vector(numbers)?;
        let mut size = norm(&residual);
        for _ in 0..60 {
            let step = self.step(numbers, &residual)?;
            let before: Vec<f64> = self.read(numbers);
            let mut damping = 1.0;
            let mut accepted = false;
            for _ in 0..12 {
                self.write(numbers, &before, &step, damping);
                if let Ok(next) = self.residual_vector(numbers)
                    && (norm(&next) < size || norm(&next) <= 1e-300)
                {
                    size = norm(&next);
                    residual = next;
                    accepted = true;
                    break;
                }
                damping *= 0.5;
            }
            let moved = step
                .iter()
                .zip(&before)
                .map(|(s, b)| s.abs() / (1.0 + b.abs()));
            let moved = moved.fold(0.0, f64::max) * damping;
            if !accepted {
                self.write(numbers, &before, &step, 0.0);
            }
            if !accepted || moved < 1e-14 {
                break;
            }
        }
        let scale = self.scale(numbers);
        if size <= 1e-9 * scale {
            Ok(Solution {
                values: self.read(numbers),
                residual: size,
            })
        } else {
            Err(SolveError::Diverged(size))
        }
    }

    fn read(&self, numbers: &Numbers) -> Vec<f64> {
        self.unknowns
            .iter()
            .map(|u| numbers.values.get(u).copied().unwrap_or(0.0))
            .collect()
    }

    fn write(&self, numbers: &mut Numbers, from: &[f64], step: &[f64], damping: f64) {
        for ((unknown, start), change) in self.unknowns.iter().zip(from).zip(step) {
            numbers.values.insert(*unknown, start - damping * change);
        }
    }

    fn residual_vector(&self, numbers: &Numbers) -> Result<Vec<f64>, SolveError> {
        let values = self.residuals.iter().map(|r| evaluate(r, numbers));
        values
            .collect::<Result<Vec<f64>, _>>()
            .map_err(SolveError::Evaluate)
    }

    /// The size of the numbers the residuals are made of.
    fn scale(&self, numbers: &Numbers) -> f64 {
        let largest = numbers.values.values().map(|v| v.abs()).fold(0.0, f64::max);
        1.0 + largest
    }

    fn step(&self, numbers: &Numbers, residual: &[f64]) -> Result<Vec<f64>, SolveError> {
        let n = self.unknowns.len();
        let mut matrix = vec![vec![0.0; n + 1]; self.residuals.len()];
        for ((row, entries), value) in matrix.iter_mut().zip(&self.jacobian).zip(residual) {
            for (column, entry) in entries {
                row[*column] = evaluate(entry, numbers).map_err(SolveError::Evaluate)?;
            }
            row[n] = *value;
        }
        gauss(matrix).ok_or(SolveError::Singular)
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|v| v.abs()).fold(0.0, f64::max)
}

/// Solves the augmented square system `[A | b]` by elimination with scaled partial pivoting; `None` when
/// `A` is singular to working precision.
pub fn gauss(mut matrix: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = matrix.len();
    for row in &mut matrix {
        let width = row.len().saturating_sub(1);
        let largest = norm(&row[..width]);
        if largest == 0.0 || !largest.is_finite() || width != n {
            return None;
        }
        for entry in row.iter_mut() {
            *entry /= largest;
        }
    }
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-13 {
            return None;
        }
        matrix.swap(column, pivot);
        let (upper, lower) = matrix.split_at_mut(column + 1);
        let lead = &upper[column];
        for row in lower {
            let factor = row[column] / lead[column];
            if factor != 0.0 {
                for (entry, above) in row.iter_mut().zip(lead).skip(column) {
                    *entry -= factor * above;
                }
            }
        }
    }
    let mut solution = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n)
            .map(|column| matrix[row][column] * solution[column])
            .sum();
        solution[row] = (matrix[row][n] - known) / matrix[row][row];
    }
    Some(solution)
}

impl RestartSystem {
    /// Right limits and impulse weights for the left limits in `numbers`.
    ///
    /// Newton starts with the left limits themselves and weights 0, then tries other weights: a cubic
    /// term has no slope at 0.
    pub fn solve(&self, numbers: &Numbers) -> Result<Solution, SolveError> {
        let residuals = self.equations.iter().map(|e| e.residual.clone()).collect();
        let unknowns: Vec<VarRef> = (0..self.unknowns.len()).map(|i| self.unknown(i)).collect();
        let equations = Equations::new(residuals, unknowns);
        let mut failure = None;
        for guess in [0.0, 1.0, -1.0, 0.1, 10.0] {
            let mut attempt = numbers.clone();
            for (index, unknown) in self.unknowns.iter().enumerate() {
                let cell = unknown.cell;
                let left = VarRef {
                    var: cell.var,
                    order: cell.order,
                    at: At::Left,
                };
                let start = match unknown.meaning {
                    Meaning::Weight(_) => guess,
                    Meaning::Right | Meaning::Auxiliary => {
                        numbers.values.get(&left).copied().unwrap_or(guess)
                    }
                };
                attempt.values.insert(self.unknown(index), start);
            }
            match equations.solve(&mut attempt) {
                Ok(solution) => return Ok(solution),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        Err(failure.unwrap_or(SolveError::Singular))
    }
}
