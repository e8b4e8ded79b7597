//! Gaussian elimination modulo the prime on sparse rows.

use modeshift_base::FxHashMap;
use modeshift_mdae::sym::Fp;
use std::collections::BTreeMap;

pub(crate) type SparseRow = BTreeMap<usize, Fp>;

/// Rows with the pivot 1 in different columns.
#[derive(Clone, Default)]
pub(crate) struct Echelon {
    rows: BTreeMap<usize, SparseRow>,
}

impl Echelon {
    fn reduce(&self, mut row: SparseRow) -> SparseRow {
        row.retain(|_, value| !value.is_zero());
        let mut from = 0;
        while let Some((&pivot, &value)) = row.range(from..).next() {
            if let Some(known) = self.rows.get(&pivot) {
                subtract(&mut row, value, known);
            }
            from = pivot + 1;
        }
        row
    }

    /// Whether the row was independent of those before it.
    pub(crate) fn insert(&mut self, row: SparseRow) -> bool {
        let mut row = self.reduce(row);
        let Some((&pivot, &lead)) = row.first_key_value() else {
            return false;
        };
        let Some(inverse) = lead.inverse() else {
            return false;
        };
        for value in row.values_mut() {
            *value = value.times(inverse);
        }
        self.rows.insert(pivot, row);
        true
    }

    /// Every pivot column has no other entry afterwards.
    pub(crate) fn back_substitute(&mut self) {
        let pivots: Vec<usize> = self.rows.keys().copied().rev().collect();
        for &pivot in &pivots {
            let Some(mut row) = self.rows.remove(&pivot) else {
                continue;
            };
            let others: Vec<(usize, Fp)> = row
                .range(pivot + 1..)
                .map(|(column, value)| (*column, *value))
                .collect();
            for (column, value) in others {
                if let Some(known) = self.rows.get(&column) {
                    subtract(&mut row, value, known);
                }
            }
            self.rows.insert(pivot, row);
        }
    }

    pub(crate) fn row(&self, pivot: usize) -> Option<&SparseRow> {
        self.rows.get(&pivot)
    }
}

fn subtract(row: &mut SparseRow, factor: Fp, other: &SparseRow) {
    for (&column, &entry) in other {
        let slot = row.entry(column).or_insert(Fp::ZERO);
        *slot = slot.minus(factor.times(entry));
        if slot.is_zero() {
            row.remove(&column);
        }
    }
}

/// What a linear system says about its columns.
pub(crate) struct Solution {
    echelon: Echelon,
    /// The number of the column of constants.
    n: usize,
}

impl Solution {
    /// `rows` with the constant in column `n`.
    pub(crate) fn of(rows: impl IntoIterator<Item = SparseRow>, n: usize) -> Self {
        let mut echelon = Echelon::default();
        for row in rows {
            echelon.insert(row);
        }
        echelon.back_substitute();
        Self { echelon, n }
    }

    /// The same with column `i` called `names[i]`.
    pub(crate) fn renamed(self, names: &[usize]) -> Self {
        let name = |column: usize| names.get(column).copied().unwrap_or(self.n);
        let rows = self.echelon.rows.iter().map(|(pivot, row)| {
            let row = row.iter().map(|(column, value)| (name(*column), *value));
            (name(*pivot), row.collect())
        });
        Self {
            echelon: Echelon {
                rows: rows.collect(),
            },
            n: self.n,
        }
    }

    /// Whether some combination of the rows is a number that is not zero.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.echelon.row(self.n).is_some()
    }

    /// The value of a column, if there is only one.
    pub(crate) fn value(&self, column: usize) -> Option<Fp> {
        let row = self.echelon.row(column)?;
        let alone = row.keys().all(|&c| c == column || c == self.n);
        alone.then(|| row.get(&self.n).map_or(Fp::ZERO, |value| value.negated()))
    }

    /// The columns without a row of their own that a column depends on.
    pub(crate) fn depends_on(&self, column: usize) -> Vec<usize> {
        match self.echelon.row(column) {
            Some(row) => {
                let others = row.keys().copied().filter(|&c| c != column && c != self.n);
                others.collect()
            }
            None => vec![column],
        }
    }

    /// A value for every column: `choose` where there are several.
    pub(crate) fn pick(&self, choose: impl Fn(usize) -> Fp) -> Vec<Fp> {
        let free: FxHashMap<usize, Fp> = (0..self.n)
            .filter(|column| self.echelon.row(*column).is_none())
            .map(|column| (column, choose(column)))
            .collect();
        let value = |column: usize| match self.echelon.row(column) {
            None => free.get(&column).copied().unwrap_or(Fp::ZERO),
            Some(row) => {
                row.iter()
                    .filter(|(c, _)| **c != column)
                    .fold(Fp::ZERO, |sum, (c, entry)| {
                        let known = if *c == self.n {
                            Fp::ONE
                        } else {
                            free.get(c).copied().unwrap_or(Fp::ZERO)
                        };
                        sum.minus(entry.times(known))
                    })
            }
        };
        (0..self.n).map(value).collect()
    }
}
