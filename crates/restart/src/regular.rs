//! Whether square systems are regular for almost all values, by their ranks at random points modulo a large prime.
//!
//! A full rank at one point is a proof. A smaller one at each of several points is wrong with a probability of about 2⁻⁶⁰.
//! Where no point can be evaluated nothing is said against a system.

use crate::change::ModeEquation;
use crate::echelon::{Echelon, SparseRow};
use crate::sigma::ModeOffsets;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{At, Expr, Sample, VarId, evaluate, partial, variables};

/// Points that are tried.
const POINTS: u64 = 6;

/// A square matrix by rows: `(column, entry)`. O(n³) per point, much less for the sparse matrices of models.
pub(crate) fn is_regular(matrix: &[Vec<(usize, Expr)>]) -> bool {
    let mut short = false;
    for seed in 0..POINTS {
        match rank(matrix, &Sample::new(seed)) {
            Some(rank) if rank == matrix.len() => return true,
            Some(_) => short = true,
            None => {}
        }
    }
    !short
}

/// `None` where an entry has no value.
fn rank(matrix: &[Vec<(usize, Expr)>], sample: &Sample) -> Option<usize> {
    let mut echelon = Echelon::default();
    let mut rank = 0;
    for entries in matrix {
        let mut row = SparseRow::new();
        for (column, entry) in entries {
            row.insert(*column, evaluate(entry, sample).ok()?);
        }
        rank += usize::from(echelon.insert(row));
    }
    Some(rank)
}

/// Whether the leading equations of a mode determine its leading variables.
pub(crate) fn is_mode_regular(equations: &[ModeEquation], offsets: &ModeOffsets) -> bool {
    is_regular(&leading_matrix(equations, offsets))
}

/// The equations of a mode whose leading parts depend on each other: those that can be left out without losing rank. Empty for
/// modes with more equations than anybody reads.
pub(crate) fn dependent_equations(equations: &[ModeEquation], offsets: &ModeOffsets) -> Vec<usize> {
    const MOST: usize = 200;
    let matrix = leading_matrix(equations, offsets);
    let found = (0..POINTS).find_map(|seed| {
        let sample = Sample::new(seed);
        rank(&matrix, &sample).map(|rank| (sample, rank))
    });
    let (Some((sample, full)), true) = (found, matrix.len() <= MOST) else {
        return Vec::new();
    };
    let superfluous = |&row: &usize| {
        let mut others = matrix.clone();
        others.remove(row);
        rank(&others, &sample) == Some(full)
    };
    (0..matrix.len()).filter(superfluous).collect()
}

/// The Jacobian of the leading equations by the leading variables.
fn leading_matrix(equations: &[ModeEquation], offsets: &ModeOffsets) -> Vec<Vec<(usize, Expr)>> {
    let column: FxHashMap<VarId, usize> = offsets
        .equation_of
        .iter()
        .map(|(&var, &f)| (var, f))
        .collect();
    let mut matrix = Vec::with_capacity(equations.len());
    for (row, equation) in equations.iter().enumerate() {
        let mut entries = Vec::new();
        for occurrence in variables(&equation.residual) {
            let tight =
                offsets.d.get(&occurrence.var) == Some(&(offsets.c[row] + occurrence.order));
            if occurrence.at == At::Now
                && tight
                && let Some(&column) = column.get(&occurrence.var)
            {
                entries.push((column, partial(&equation.residual, occurrence)));
            }
        }
        matrix.push(entries);
    }
    matrix
}
