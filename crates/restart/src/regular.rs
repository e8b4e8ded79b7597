//! Whether square systems are regular for almost all values, by their ranks at random points modulo a large prime.
//!
//! A full rank at one point is a proof. A smaller one at each of several points is wrong with a probability of about 2⁻⁶⁰.
//! Where no point can be evaluated nothing is said against a system.

use crate::change::ModeEquation;
use crate::sigma::ModeOffsets;
use modeshift_algebra::Echelon;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::sym::{
    At, Expr, Sample, VarId, VarRef, evaluate, partial, substitute, time_derivative, variables,
};

/// Points that are tried.
const POINTS: u64 = 6;

/// Longer chains of unknowns that give each other are not followed against the order of equations.
const MAX_CHAIN: usize = 8;

/// A square matrix by rows: `(column, entry)`. O(n³) per point, much less for the sparse matrices of models.
pub(crate) fn is_regular(matrix: &[Vec<(usize, Expr)>]) -> bool {
    is_regular_at(matrix, Sample::new)
}

fn is_regular_at(matrix: &[Vec<(usize, Expr)>], point: impl Fn(u64) -> Sample) -> bool {
    let mut short = false;
    for seed in 0..POINTS {
        match rank(matrix, &point(seed)) {
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
    for entries in matrix {
        let row = entries.iter();
        let row = row.map(|(column, entry)| Some((*column, evaluate(entry, sample).ok()?)));
        echelon.insert(row.collect::<Option<_>>()?);
    }
    Some(echelon.rank())
}

/// Whether the leading equations of a mode determine its leading variables, where the mode can be: with `x = 3` the coefficient
/// `der(x)` of some other variable is zero.
pub(crate) fn is_mode_regular(equations: &[ModeEquation], offsets: &ModeOffsets) -> bool {
    let given = given(equations, offsets);
    let matrix = leading_matrix(equations, offsets);
    is_regular_at(&matrix, |seed| consistent_point(&given, offsets, seed))
}

/// Unknowns that an equation gives from known ones and from unknowns before them in the list.
fn given(equations: &[ModeEquation], offsets: &ModeOffsets) -> Vec<(VarId, Expr)> {
    let mut known: FxHashSet<VarId> = FxHashSet::default();
    let mut list = Vec::new();
    let mut rest: Vec<&Expr> = equations.iter().map(|e| &e.residual).collect();
    for _ in 0..MAX_CHAIN {
        let before = list.len();
        rest.retain(|residual| {
            let occurring = variables(residual).into_iter();
            let mut open = occurring.filter(|o| {
                o.at == At::Now && offsets.d.contains_key(&o.var) && !known.contains(&o.var)
            });
            let (Some(o), None) = (open.next(), open.next()) else {
                return true;
            };
            let slope = partial(residual, o);
            if o.order > 0
                || variables(&slope)
                    .iter()
                    .any(|it| offsets.d.contains_key(&it.var))
            {
                return true;
            }
            let others = substitute(residual, &mut |it| (it == o).then(Expr::zero));
            list.push((o.var, others.neg().div(&slope)));
            known.insert(o.var);
            false
        });
        if list.len() == before {
            break;
        }
    }
    list
}

/// A random point at which given unknowns have their values, and the derivatives of these.
fn consistent_point(given: &[(VarId, Expr)], offsets: &ModeOffsets, seed: u64) -> Sample {
    let mut sample = Sample::new(seed);
    let most = offsets.d.values().copied().max().unwrap_or(0);
    for (var, value) in given {
        let mut value = value.clone();
        for order in 0..=most {
            let Ok(number) = evaluate(&value, &sample) else {
                break;
            };
            sample.set(VarRef::now(*var, order), number);
            value = time_derivative(&value, &mut |_| false);
        }
    }
    sample
}

/// The equations of a mode whose leading parts depend on each other: those that can be left out without losing rank. Empty for
/// modes with more equations than anybody reads.
pub(crate) fn dependent_equations(equations: &[ModeEquation], offsets: &ModeOffsets) -> Vec<usize> {
    const MOST: usize = 200;
    let matrix = leading_matrix(equations, offsets);
    let given = given(equations, offsets);
    let found = (0..POINTS).find_map(|seed| {
        let sample = consistent_point(&given, offsets, seed);
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
