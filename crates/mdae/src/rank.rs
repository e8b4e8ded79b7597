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
    CondId, Expr, Field, Fp, NoGradient, ParamId, Rational, Sample, Valuation, VarId, VarRef,
    evaluate, gradient, partial,
};
use modeshift_base::FxHashMap;
use modeshift_structure::{Block, ModeStructure, Offsets};
use std::cell::RefCell;

/// Steps of elimination in one mode; what does not fit is not checked.
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

/// Looks at one mode after the other. Blocks that look the same in several modes are evaluated once.
pub struct RankCheck<'m> {
    mdae: &'m MDae,
    /// The conditions inside each equation that has some.
    conditions: &'m FxHashMap<EqId, Box<[CondId]>>,
    sample: Sample,
    /// What parameters count with, as far as they were asked for.
    parameters: RefCell<Vec<Option<Fp>>>,
    /// By a block's equations, unknowns, offsets and conditions: its rank, if it falls short.
    known: FxHashMap<Box<[u32]>, Option<usize>>,
}

impl<'m> RankCheck<'m> {
    pub fn new(mdae: &'m MDae, conditions: &'m FxHashMap<EqId, Box<[CondId]>>) -> Self {
        Self {
            mdae,
            conditions,
            sample: Sample::new(0x6d6f_6465),
            parameters: RefCell::new(vec![None; mdae.parameters.len()]),
            known: FxHashMap::default(),
        }
    }

    /// The first blocks of a mode that are singular whatever the values of the variables are, at most
    /// `limit`. At worst O(Σ size³) over the blocks, within a budget; close to linear on sparse ones.
    pub fn deficient_blocks(
        &mut self,
        system: &OneMode,
        structure: &ModeStructure,
        truth: &[bool],
        limit: usize,
    ) -> Vec<Deficient> {
        let ModeStructure::Regular { offsets, blocks } = structure else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut budget = BUDGET;
        for block in blocks.iter() {
            if found.len() >= limit {
                break;
            }
            let key = self.key(system, offsets, &block, truth);
            let falls_short = match self.known.get(&key) {
                Some(known) => *known,
                None => {
                    let rank = self
                        .jacobian(system, offsets, &block, truth)
                        .and_then(|matrix| rank(matrix, &mut budget));
                    let falls_short = rank.filter(|&rank| rank < block.equations.len());
                    self.known.insert(key, falls_short);
                    falls_short
                }
            };
            if let Some(rank) = falls_short {
                let equations = block.equations.iter();
                let variables = block.variables.iter();
                found.push(Deficient {
                    equations: equations.map(|f| system.equations[f.index()]).collect(),
                    variables: variables.map(|x| system.variables[x.index()]).collect(),
                    rank,
                });
            }
        }
        found
    }

    /// All that the rank of a block depends on.
    fn key(
        &self,
        system: &OneMode,
        offsets: &Offsets,
        block: &Block<'_>,
        truth: &[bool],
    ) -> Box<[u32]> {
        let mut key = Vec::with_capacity(4 * block.equations.len());
        let level = block.equations.first().map_or(0, |f| offsets.c[f.index()]);
        for (f, x) in block.equations.iter().zip(block.variables) {
            let id = system.equations[f.index()];
            key.push(id.index() as u32);
            key.push((offsets.c[f.index()] - level) as u32);
            key.push(system.variables[x.index()].0);
            key.push((offsets.d[x.index()] - level) as u32);
            for condition in self.conditions.get(&id).into_iter().flatten() {
                key.push(u32::from(truth.get(condition.0 as usize) == Some(&true)));
            }
        }
        key.into()
    }

    /// The Jacobian of a block, `None` where it cannot be evaluated.
    fn jacobian(
        &self,
        system: &OneMode,
        offsets: &Offsets,
        block: &Block<'_>,
        truth: &[bool],
    ) -> Option<Vec<SparseRow>> {
        let mut columns: Vec<(VarId, i32, usize)> = block
            .variables
            .iter()
            .enumerate()
            .map(|(column, x)| (system.variables[x.index()], offsets.d[x.index()], column))
            .collect();
        columns.sort_unstable();
        let find = |occurrence: VarRef, c: i32| -> Option<usize> {
            let at = columns.binary_search_by_key(&occurrence.var, |it| it.0);
            let (var, d, column) = columns[at.ok()?];
            (occurrence == VarRef::now(var, (d - c) as u32)).then_some(column)
        };
        let point = Point { check: self, truth };
        let mut matrix = Vec::with_capacity(block.equations.len());
        for &f in block.equations {
            let equation = &self.mdae.equations[system.equations[f.index()]];
            let c = offsets.c[f.index()];
            let wanted = |occurrence: VarRef| find(occurrence, c).is_some();
            let sides = [&equation.lhs, &equation.rhs];
            let entries = differences(&sides, &point, &wanted)?;
            let mut row: SparseRow = Vec::with_capacity(entries.len());
            for (occurrence, value) in entries {
                row.push((find(occurrence, c)?, value));
            }
            row.sort_unstable_by_key(|entry| entry.0);
            row.dedup_by(|next, entry| {
                let same = next.0 == entry.0;
                if same {
                    entry.1 = entry.1.plus(next.1);
                }
                same
            });
            row.retain(|(_, value)| !value.is_zero());
            matrix.push(row);
        }
        Some(matrix)
    }

    fn parameter(&self, id: ParamId) -> Option<Fp> {
        let at = id.0 as usize;
        if let Some(known) = self.parameters.borrow().get(at).copied().flatten() {
            return Some(known);
        }
        let number = self.mdae.parameter(id).value;
        let value = number
            .and_then(Rational::from_decimal)
            .and_then(|number| Fp::from_rational(&number))
            .or_else(|| self.sample.param(id))?;
        if let Some(slot) = self.parameters.borrow_mut().get_mut(at) {
            *slot = Some(value);
        }
        Some(value)
    }
}

/// The derivatives of `lhs − rhs` at the point; an occurrence may come several times.
fn differences(
    sides: &[&Expr; 2],
    point: &Point<'_, '_>,
    wanted: &impl Fn(VarRef) -> bool,
) -> Option<Vec<(VarRef, Fp)>> {
    let mut found = Vec::new();
    for (side, sign) in sides.iter().zip([Fp::ONE, Fp::ONE.negated()]) {
        let before = found.len();
        match gradient(side, sign, point, wanted, &mut found) {
            Ok(()) => {}
            Err(NoGradient::Undefined(_)) => return None,
            Err(NoGradient::TooShared) => {
                found.truncate(before);
                let occurrences = crate::sym::variables(side).into_iter();
                for by in occurrences.filter(|it| wanted(*it)) {
                    let value: Fp = evaluate(&partial(side, by), point).ok()?;
                    found.push((by, value.times(sign)));
                }
            }
        }
    }
    Some(found)
}

/// Random values for variables, known values for parameters, in one mode.
struct Point<'a, 'm> {
    check: &'a RankCheck<'m>,
    truth: &'a [bool],
}

impl Valuation<Fp> for Point<'_, '_> {
    fn var(&self, occurrence: VarRef) -> Option<Fp> {
        self.check.sample.var(occurrence)
    }

    fn param(&self, id: ParamId) -> Option<Fp> {
        self.check.parameter(id)
    }

    fn time(&self) -> Option<Fp> {
        self.check.sample.time()
    }

    fn cond(&self, id: CondId) -> Option<bool> {
        self.truth.get(id.0 as usize).copied()
    }
}

/// Gaussian elimination on sparse rows, shortest first; `None` when it takes more than `budget` steps.
fn rank(mut rows: Vec<SparseRow>, budget: &mut usize) -> Option<usize> {
    if let [row] = rows.as_slice() {
        return Some(usize::from(!row.is_empty()));
    }
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
