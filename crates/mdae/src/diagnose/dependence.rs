//! Which equations of a part depend on each other, and which unknowns move together.
//!
//! The coefficients of a part, `Σ ∂f/∂x^(k) · s^k` with a random `s` for the derivative, are taken at random values
//! modulo a large prime. Rows whose combination vanishes are equations that say something about each other whatever
//! the values are; columns whose combination vanishes are unknowns that can change together unnoticed. Each combination
//! found is minimal: it uses no row that it could do without.

use crate::model::{EqId, MDae};
use crate::sym::{
    At, Expr, Fp, ParamId, Rational, Sample, Valuation, VarId, VarRef, evaluate, partial, resolve,
    variables,
};
use modeshift_algebra::{Echelon, Row};
use modeshift_base::{FxHashMap, FxHashSet};

/// Parts with more equations are not looked at: their message could not list them anyway.
const MAX_ROWS: usize = 400;

/// Steps of elimination.
const BUDGET: usize = 4_000_000;

/// Rows with their coefficients in a vanishing combination.
pub(super) type Combination = Vec<(usize, Fp)>;

/// The coefficients of some equations.
pub(super) struct Coefficients {
    rows: Vec<Row>,
    columns: usize,
}

/// Random values for variables, known values for parameters.
struct Point<'m> {
    mdae: &'m MDae,
    sample: Sample,
    /// Variables that are zero, with all their derivatives.
    zero: FxHashSet<VarId>,
    /// Whether parameters keep their values.
    known_parameters: bool,
}

impl Valuation<Fp> for Point<'_> {
    fn var(&self, occurrence: VarRef) -> Option<Fp> {
        if occurrence.at == At::Now && self.zero.contains(&occurrence.var) {
            return Some(Fp::ZERO);
        }
        self.sample.var(occurrence)
    }

    fn param(&self, id: ParamId) -> Option<Fp> {
        let value = self.mdae.parameter(id).value;
        let known = value.filter(|_| self.known_parameters);
        let known = known.and_then(Rational::from_decimal);
        known
            .as_ref()
            .and_then(Fp::from_rational)
            .or_else(|| self.sample.param(id))
    }

    fn time(&self) -> Option<Fp> {
        self.sample.time()
    }
}

fn residual(mdae: &MDae, id: EqId, truth: &[bool]) -> Expr {
    let mut decide = |id: crate::sym::CondId| truth.get(id.0 as usize).copied();
    resolve(&mdae.equations[id].residual(), &mut decide)
}

impl Coefficients {
    /// `None` where they are too many or cannot be evaluated.
    pub(super) fn new(
        mdae: &MDae,
        equations: &[EqId],
        unknowns: &[VarId],
        truth: &[bool],
    ) -> Option<Self> {
        if equations.len().max(unknowns.len()) > MAX_ROWS {
            return None;
        }
        let point = Point {
            mdae,
            sample: Sample::new(0x636f_6566),
            zero: FxHashSet::default(),
            known_parameters: true,
        };
        let derivative = Fp::new(0x1357_9bdf_0246_8ace);
        let numbered = unknowns.iter().enumerate();
        let column: FxHashMap<VarId, usize> = numbered.map(|(i, &x)| (x, i)).collect();
        let mut rows = Vec::with_capacity(equations.len());
        for &id in equations {
            let residual = residual(mdae, id, truth);
            let mut row = Vec::new();
            for occurrence in variables(&residual) {
                let Some(&column) = column.get(&occurrence.var) else {
                    continue;
                };
                if occurrence.at != At::Now {
                    continue;
                }
                let value: Fp = evaluate(&partial(&residual, occurrence), &point).ok()?;
                let value = value.times(derivative.to_the(u64::from(occurrence.order)));
                row.push((column, value));
            }
            rows.push(row.into_iter().collect());
        }
        Some(Self {
            rows,
            columns: unknowns.len(),
        })
    }

    pub(super) fn transposed(&self) -> Self {
        let mut rows = vec![Vec::new(); self.columns];
        for (i, row) in self.rows.iter().enumerate() {
            for &(column, value) in row.entries() {
                rows[column].push((i, value));
            }
        }
        Self {
            rows: rows.into_iter().map(Row::from_iter).collect(),
            columns: self.rows.len(),
        }
    }

    /// The columns that a row mentions.
    pub(super) fn mentioned(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows[row].columns()
    }

    /// Vanishing combinations of rows, at most `limit`. Cubic at worst, within a budget.
    pub(super) fn dependences(&self, limit: usize) -> Vec<Combination> {
        let mut budget = BUDGET;
        let mut echelon = Echelon::default();
        let mut found = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
            // Columns behind the others keep account of the rows that a combination is made of.
            let account = (self.columns + number, Fp::ONE);
            let row = row.entries().iter().copied().chain([account]).collect();
            let Some(row) = echelon.reduced_within(row, &mut budget) else {
                break;
            };
            if row.lead().is_some_and(|(column, _)| column < self.columns) {
                echelon.push(row);
                continue;
            }
            let made_of = row.entries().iter();
            found.push(
                made_of
                    .map(|&(c, value)| (c - self.columns, value))
                    .collect(),
            );
            if found.len() >= limit {
                break;
            }
        }
        found
    }
}

/// What a combination of equations says once its unknowns cancel: whether anything but `0 = 0` is left.
pub(super) fn leaves_a_value(
    mdae: &MDae,
    combination: &[(EqId, Fp)],
    unknowns: &[VarId],
    truth: &[bool],
) -> bool {
    let point = Point {
        mdae,
        sample: Sample::new(0x7a65_726f),
        zero: unknowns.iter().copied().collect(),
        known_parameters: false,
    };
    let mut sum = Fp::ZERO;
    for &(id, coefficient) in combination {
        let value: Result<Fp, _> = evaluate(&residual(mdae, id, truth), &point);
        let Ok(value) = value else { return true };
        sum = sum.plus(value.times(coefficient));
    }
    !sum.is_zero()
}

/// An equation of a part with too many that says nothing new, and the others that it follows from. It is the modeller's own
/// and the last, if there is a choice. Nothing is claimed of equations that are not linear.
pub(super) fn superfluous(
    mdae: &MDae,
    equations: &[EqId],
    unknowns: &[VarId],
    truth: &[bool],
) -> Option<Vec<EqId>> {
    /// What follows from more equations than a reader can follow is no hint.
    const MAX: usize = 5;
    let coefficients = Coefficients::new(mdae, equations, unknowns, truth)?;
    let among: FxHashSet<VarId> = unknowns.iter().copied().collect();
    let is_linear = |id: EqId| {
        let residual = residual(mdae, id, truth);
        variables(&residual).into_iter().all(|occurrence| {
            let slope = partial(&residual, occurrence);
            !among.contains(&occurrence.var)
                || variables(&slope).iter().all(|it| !among.contains(&it.var))
        })
    };
    let found = coefficients.dependences(1).into_iter().next()?;
    if found.len() > MAX || found.len() < 2 {
        return None;
    }
    let combination: Vec<(EqId, Fp)> = found
        .iter()
        .map(|(i, value)| (equations[*i], *value))
        .collect();
    if !combination.iter().all(|(id, _)| is_linear(*id))
        || leaves_a_value(mdae, &combination, unknowns, truth)
    {
        return None;
    }
    let mut ids: Vec<EqId> = combination.iter().map(|(id, _)| *id).collect();
    ids.sort_by_key(|id| (mdae.equations[*id].origin.instance.is_empty(), *id));
    ids.reverse();
    ids[1..].sort_unstable();
    Some(ids)
}

#[cfg(test)]
mod tests {
    use super::{Coefficients, Fp};

    fn matrix(dense: &[&[u64]]) -> Coefficients {
        let row = |row: &&[u64]| {
            let entries = row.iter().enumerate();
            entries.map(|(i, &value)| (i, Fp::new(value))).collect()
        };
        Coefficients {
            rows: dense.iter().map(row).collect(),
            columns: dense[0].len(),
        }
    }

    #[test]
    fn a_combination_uses_only_the_rows_it_needs() {
        let found = matrix(&[&[1, 2, 0], &[0, 0, 1], &[0, 1, 0], &[1, 3, 0]]).dependences(4);
        let rows: Vec<Vec<usize>> = found
            .iter()
            .map(|it| it.iter().map(|entry| entry.0).collect())
            .collect();
        assert_eq!(rows, [[0, 2, 3]]);
    }

    #[test]
    fn unknowns_that_move_together_are_combinations_of_columns() {
        let minus_one = Fp::ONE.negated();
        let difference = |i| [(i, Fp::ONE), (i + 1, minus_one)].into_iter().collect();
        let differences = Coefficients {
            rows: vec![difference(0), difference(1)],
            columns: 3,
        };
        let found = differences.transposed().dependences(4);
        assert_eq!(found.len(), 1);
        assert!(found[0].iter().all(|entry| entry.1 == found[0][0].1));
    }
}
