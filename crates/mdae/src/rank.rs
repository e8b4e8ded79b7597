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
use modeshift_structure::{Block, ModeStructure, Offsets};

/// Blocks larger than this are not checked: elimination is cubic.
const MAX_BLOCK: usize = 300;

/// A block whose equations depend on each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deficient {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub rank: usize,
}

/// The first blocks of a mode that are singular whatever the values of the variables are, at most
/// `limit`. O(Σ size³) over the blocks, plus the size of their equations.
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
    for block in blocks.iter() {
        if block.equations.len() > MAX_BLOCK || found.len() >= limit {
            continue;
        }
        let Some(matrix) = jacobian(mdae, system, offsets, &block, truth, &point) else {
            continue;
        };
        let rank = rank(matrix);
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
) -> Option<Vec<Vec<Fp>>> {
    let mut matrix = Vec::with_capacity(block.equations.len());
    for &f in block.equations {
        let equation = &mdae.equations[system.equations[f.index()]];
        let mut decide = |id: crate::sym::CondId| truth.get(id.0 as usize).copied();
        let sides = [
            resolve(&equation.lhs, &mut decide),
            resolve(&equation.rhs, &mut decide),
        ];
        let mut row = vec![Fp::ZERO; block.variables.len()];
        for (column, &x) in block.variables.iter().enumerate() {
            let order = offsets.d[x.index()] - offsets.c[f.index()];
            if system.matrix.get(f, x) != Some(order) {
                continue;
            }
            let by = VarRef::now(system.variables[x.index()], order as u32);
            row[column] = difference(&sides, by, point)?;
        }
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

/// Gaussian elimination.
fn rank(mut matrix: Vec<Vec<Fp>>) -> usize {
    let columns = matrix.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..matrix.len()).find(|&row| !matrix[row][column].is_zero()) else {
            continue;
        };
        matrix.swap(rank, pivot);
        let Some(inverse) = matrix[rank][column].inverse() else {
            continue;
        };
        let pivot_row = matrix[rank].clone();
        for row in &mut matrix[rank + 1..] {
            if row[column].is_zero() {
                continue;
            }
            let factor = row[column].times(inverse);
            for (entry, above) in row.iter_mut().zip(&pivot_row).skip(column) {
                *entry = entry.minus(factor.times(*above));
            }
        }
        rank += 1;
    }
    rank
}
