//! Values that follow from others by equations, with what stays free and what is contradicted.
//!
//! Newton's method on systems that may have too many or too few equations. An elimination with full pivoting finds
//! which symbols the equations determine; those that are left keep their first values, and nobody is told that
//! they were computed.

use crate::numeric::Numbers;
use modeshift_algebra::{Pivot, Preference, reduce};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{EvalError, Expr, VarRef, evaluate, partial, variables};

/// What became of the symbols.
pub(crate) struct Completed {
    /// Symbols with one value only, given those that were not to be changed.
    pub determined: FxHashSet<VarRef>,
    /// By equation: what is left, relative to its terms.
    pub residuals: Vec<f64>,
}

/// A system in `free`, whose columns are sorted: earlier ones are solved for rather than later ones.
struct Linear<'e> {
    equations: &'e [Expr],
    free: &'e [VarRef],
    /// By equation: columns with their slopes.
    slopes: Vec<Vec<(usize, Expr)>>,
}

/// Solves `equations` for as many of `free` as they determine, from the values in `numbers`. Symbols of a lower
/// `class` are solved for first. O(n³) per step.
pub(crate) fn complete(
    equations: &[Expr],
    free: &[VarRef],
    class: impl Fn(VarRef) -> u32,
    numbers: &mut Numbers,
) -> Result<Completed, EvalError> {
    let column: FxHashMap<VarRef, usize> = free.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let row = |equation: &Expr| {
        let occurring = variables(equation).into_iter();
        occurring
            .filter_map(|o| Some((*column.get(&o)?, partial(equation, o))))
            .collect()
    };
    let linear = Linear {
        equations,
        free,
        slopes: equations.iter().map(row).collect(),
    };
    let preference = |symbol: &VarRef| Preference {
        class: class(*symbol),
        ..Preference::default()
    };
    let preferences: Vec<Preference> = free.iter().map(preference).collect();
    let mut residual = linear.residual(numbers)?;
    let mut size = length(&residual);
    for _ in 0..40 {
        let mut matrix = linear.matrix(numbers, &residual)?;
        let pivots = reduce(&mut matrix, &preferences);
        let solved = pivots.iter().zip(&matrix);
        let step: Vec<(usize, f64)> = solved
            .map(|(pivot, row)| (pivot.column, row[free.len()] / pivot.size))
            .collect();
        let moved = step
            .iter()
            .map(|(column, step)| step.abs() / (1.0 + value(numbers, free[*column]).abs()));
        let moved = moved.fold(0.0, f64::max);
        if moved < 1e-15 {
            break;
        }
        let before = numbers.clone();
        let mut damping = 1.0;
        loop {
            for &(column, step) in &step {
                let start = value(&before, free[column]);
                numbers.values.insert(free[column], start - damping * step);
            }
            if let Ok(next) = linear.residual(numbers)
                && (length(&next) < size || moved * damping < 1e-13)
            {
                size = length(&next);
                residual = next;
                break;
            }
            damping *= 0.5;
            if damping < 1e-3 {
                *numbers = before;
                break;
            }
        }
        if damping < 1e-3 {
            break;
        }
    }
    let mut matrix = linear.matrix(numbers, &residual)?;
    let pivots = reduce(&mut matrix, &preferences);
    let scales = linear.scales(numbers);
    Ok(Completed {
        determined: determined(&matrix, &pivots, free),
        residuals: residual
            .iter()
            .zip(scales)
            .map(|(r, s)| r.abs() / s)
            .collect(),
    })
}

fn value(numbers: &Numbers, symbol: VarRef) -> f64 {
    numbers.values.get(&symbol).copied().unwrap_or(0.0)
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|v| v.abs()).fold(0.0, f64::max)
}

impl Linear<'_> {
    fn residual(&self, numbers: &Numbers) -> Result<Vec<f64>, EvalError> {
        let residual: Vec<f64> = self
            .equations
            .iter()
            .map(|equation| evaluate(equation, numbers))
            .collect::<Result<_, _>>()?;
        match residual.iter().all(|r| r.is_finite()) {
            true => Ok(residual),
            false => Err(EvalError::Undefined),
        }
    }

    /// The Jacobian with the residual as its last column.
    fn matrix(&self, numbers: &Numbers, residual: &[f64]) -> Result<Vec<Vec<f64>>, EvalError> {
        let n = self.free.len();
        let mut matrix = Vec::with_capacity(residual.len());
        for (slopes, r) in self.slopes.iter().zip(residual) {
            let mut row = vec![0.0; n + 1];
            for (column, slope) in slopes {
                row[*column] = evaluate(slope, numbers)?;
            }
            row[n] = *r;
            let largest = norm(&row[..n]);
            if largest > 0.0 && largest.is_finite() {
                for entry in &mut row {
                    *entry /= largest;
                }
            }
            matrix.push(row);
        }
        Ok(matrix)
    }

    /// The size of what each equation is made of.
    fn scales(&self, numbers: &Numbers) -> Vec<f64> {
        let scale = |equation: &Expr| {
            let terms = match equation.kind() {
                modeshift_mdae::sym::Kind::Sum(terms) => terms.to_vec(),
                _ => vec![equation.clone()],
            };
            let sizes = terms.iter().filter_map(|term| evaluate(term, numbers).ok());
            sizes.map(f64::abs).fold(1.0, f64::max)
        };
        self.equations.iter().map(scale).collect()
    }
}

/// The columns whose rows mention no other.
fn determined(matrix: &[Vec<f64>], pivots: &[Pivot], free: &[VarRef]) -> FxHashSet<VarRef> {
    let n = free.len();
    let alone = |(pivot, row): &(&Pivot, &Vec<f64>)| {
        let small = 1e-9 * pivot.size.abs();
        (0..n).all(|other| other == pivot.column || row[other].abs() < small)
    };
    let found = pivots.iter().zip(matrix).filter(alone);
    found.map(|(pivot, _)| free[pivot.column]).collect()
}

#[cfg(test)]
mod tests {
    use super::complete;
    use crate::numeric::Numbers;
    use crate::testing::Text;
    use modeshift_mdae::sym::VarRef;

    #[test]
    fn what_equations_do_not_determine_keeps_its_value() {
        let mut text = Text::new("");
        let equations = [text.equation("x + y = 3"), text.equation("z^3 = 8")];
        let free: Vec<VarRef> = ["x", "y", "z"].map(|name| text.var(name)).to_vec();
        let mut numbers = Numbers::default();
        for (symbol, start) in free.iter().zip([0.0, 1.0, 1.0]) {
            numbers.values.insert(*symbol, start);
        }
        // `y` may keep its value rather than `x`.
        let class = |symbol: VarRef| u32::from(symbol == free[1]);
        let completed = complete(&equations, &free, class, &mut numbers).unwrap();
        let values: Vec<f64> = free.iter().map(|s| numbers.values[s]).collect();
        assert_eq!(values, [2.0, 1.0, 2.0]);
        assert!(completed.determined.contains(&free[2]));
        assert_eq!(completed.determined.len(), 1);
    }

    #[test]
    fn a_contradiction_is_left_in_its_own_equation() {
        let mut text = Text::new("");
        let equations = [text.equation("x = 1"), text.equation("5 = 7")];
        let free = [text.var("x")];
        let mut numbers = Numbers::default();
        numbers.values.insert(free[0], 0.0);
        let completed = complete(&equations, &free, |_| 0, &mut numbers).unwrap();
        assert!(completed.residuals[0] < 1e-12 && completed.residuals[1] > 0.1);
    }
}
