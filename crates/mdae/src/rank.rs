//! A numeric check of what structure promises.
//!
//! Structural regularity is generic: it holds for almost all coefficients, not for the ones in the model.
//! The Jacobian of the leading system, `∂f^(c_f) / ∂x^(d_x) = ∂f / ∂x^(d_x − c_f)`, is evaluated at random
//! values modulo a large prime. If its rank falls short, the determinant is zero for all values, up to a
//! chance of about one in 10¹⁸: there are no false alarms from an unlucky point. Parameters with a value keep
//! it, so that a balanced bridge is found, too.

use crate::mode::OneMode;
use crate::model::{EqId, MDae};
use crate::sym::{
    Expr, Field, Fp, ParamId, Rational, Sample, Valuation, VarId, VarRef, evaluate, partial,
    resolve,
};
use modeshift_base::FxHashMap;
use modeshift_structure::{self as structure, Block, ModeStructure, Offsets};

/// Steps of elimination in one call; what does not fit is not checked.
const BUDGET: usize = 20_000_000;

/// The entries of a row that are not zero, ascending by column.
type SparseRow = Vec<(usize, Fp)>;

/// A block whose equations depend on each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deficient {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub rank: usize,
}

/// The first blocks of a mode that are singular whatever the values of the variables are, at most
/// `limit`. At worst O(Σ size³) over the blocks, within a budget; close to linear on sparse ones.
pub fn deficient_blocks(
    mdae: &MDae,
    system: &OneMode,
    structure: &ModeStructure,
    truth: &[bool],
    limit: usize,
) -> Vec<Deficient> {
    let ModeStructure::Regular { offsets, blocks } = structure else {
        return Vec::new();
    };
    let point = Point {
        mdae,
        sample: Sample::new(0x6d6f_6465),
    };
    let mut found = Vec::new();
    let mut budget = BUDGET;
    for block in blocks.iter() {
        if found.len() >= limit {
            break;
        }
        let Some(matrix) = jacobian(mdae, system, offsets, &block, truth, &point) else {
            continue;
        };
        let Some(rank) = rank(matrix, &mut budget) else {
            continue;
        };
        if rank < block.equations.len() {
            found.push(Deficient {
                equations: block
                    .equations
                    .iter()
                    .map(|f| system.equations[f.index()])
                    .collect(),
                variables: block
                    .variables
                    .iter()
                    .map(|x| system.variables[x.index()])
                    .collect(),
                rank,
            });
        }
    }
    found
}

/// The Jacobian of a block, `None` where it cannot be evaluated.
fn jacobian(
    mdae: &MDae,
    system: &OneMode,
    offsets: &Offsets,
    block: &Block<'_>,
    truth: &[bool],
    point: &Point<'_>,
) -> Option<Vec<SparseRow>> {
    let mut columns: Vec<(structure::VarId, usize)> = block
        .variables
        .iter()
        .enumerate()
        .map(|(column, &x)| (x, column))
        .collect();
    columns.sort_unstable();
    let mut matrix = Vec::with_capacity(block.equations.len());
    for &f in block.equations {
        let equation = &mdae.equations[system.equations[f.index()]];
        let mut decide = |id: crate::sym::CondId| truth.get(id.0 as usize).copied();
        let sides = [
            resolve(&equation.lhs, &mut decide),
            resolve(&equation.rhs, &mut decide),
        ];
        let mut row = SparseRow::new();
        for (x, sigma) in system.matrix.row(f) {
            let order = offsets.d[x.index()] - offsets.c[f.index()];
            let Ok(column) = columns.binary_search_by_key(&x, |entry| entry.0) else {
                continue;
            };
            if sigma != order {
                continue;
            }
            let by = VarRef::now(system.variables[x.index()], order as u32);
            let value = difference(&sides, by, point)?;
            if !value.is_zero() {
                row.push((columns[column].1, value));
            }
        }
        row.sort_unstable_by_key(|entry| entry.0);
        matrix.push(row);
    }
    Some(matrix)
}

/// ∂(lhs − rhs) at the point.
fn difference(sides: &[Expr; 2], by: VarRef, point: &Point<'_>) -> Option<Fp> {
    let left: Fp = evaluate(&partial(&sides[0], by), point).ok()?;
    let right: Fp = evaluate(&partial(&sides[1], by).neg(), point).ok()?;
    Some(left.plus(right))
}

/// Random values for variables, known values for parameters.
struct Point<'m> {
    mdae: &'m MDae,
    sample: Sample,
}

impl Valuation<Fp> for Point<'_> {
    fn var(&self, occurrence: VarRef) -> Option<Fp> {
        self.sample.var(occurrence)
    }

    fn param(&self, id: ParamId) -> Option<Fp> {
        let known = self
            .mdae
            .parameter(id)
            .value
            .and_then(Rational::from_decimal);
        known
            .as_ref()
            .and_then(Fp::from_rational)
            .or_else(|| self.sample.param(id))
    }

    fn time(&self) -> Option<Fp> {
        self.sample.time()
    }
}

/// Gaussian elimination on sparse rows, shortest first; `None` when it takes more than `budget` steps.
fn rank(mut rows: Vec<SparseRow>, budget: &mut usize) -> Option<usize> {
    rows.sort_by_key(Vec::len);
    let mut pivots: FxHashMap<usize, SparseRow> = FxHashMap::default();
    for mut row in rows {
        while let Some(&(column, value)) = row.first() {
            let Some(pivot) = pivots.get(&column) else {
                let inverse = value.inverse()?;
                for (_, entry) in &mut row {
                    *entry = entry.times(inverse);
                }
                pivots.insert(column, row);
                break;
            };
            *budget = budget.checked_sub(row.len() + pivot.len())?;
            row = reduced(&row, pivot, value);
        }
    }
    Some(pivots.len())
}

/// `row − factor · pivot`, both ascending by column.
fn reduced(row: &SparseRow, pivot: &SparseRow, factor: Fp) -> SparseRow {
    let mut result = SparseRow::with_capacity(row.len() + pivot.len());
    let (mut i, mut j) = (0, 0);
    while i < row.len() || j < pivot.len() {
        let a = row.get(i).map_or(usize::MAX, |entry| entry.0);
        let b = pivot.get(j).map_or(usize::MAX, |entry| entry.0);
        let column = a.min(b);
        let mut value = Fp::ZERO;
        if a == column {
            value = row[i].1;
            i += 1;
        }
        if b == column {
            value = value.minus(factor.times(pivot[j].1));
            j += 1;
        }
        if !value.is_zero() {
            result.push((column, value));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{SparseRow, rank};
    use crate::sym::Fp;

    fn rows(dense: &[&[u64]]) -> Vec<SparseRow> {
        dense
            .iter()
            .map(|row| {
                let entries = row.iter().enumerate().filter(|(_, value)| **value != 0);
                entries
                    .map(|(column, &value)| (column, Fp::new(value)))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn a_row_that_is_the_sum_of_others_does_not_count() {
        let mut budget = 1000;
        let matrix = rows(&[&[1, 2, 0], &[0, 1, 5], &[1, 3, 5]]);
        assert_eq!(rank(matrix, &mut budget), Some(2));
        let matrix = rows(&[&[1, 2, 0], &[0, 1, 5], &[1, 3, 6]]);
        assert_eq!(rank(matrix, &mut budget), Some(3));
    }
}
