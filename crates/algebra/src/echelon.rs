//! Gaussian elimination modulo the prime on sparse rows.

use crate::modular::Fp;
use modeshift_base::FxHashMap;

/// The entries of a row that are not zero, ascending by column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row(Vec<(usize, Fp)>);

impl FromIterator<(usize, Fp)> for Row {
    /// Entries in any order; those of one column are added.
    fn from_iter<I: IntoIterator<Item = (usize, Fp)>>(entries: I) -> Self {
        let mut list: Vec<(usize, Fp)> = entries.into_iter().collect();
        list.sort_by_key(|entry| entry.0);
        list.dedup_by(|next, entry| {
            let same = next.0 == entry.0;
            if same {
                entry.1 = entry.1.plus(next.1);
            }
            same
        });
        list.retain(|entry| !entry.1.is_zero());
        Self(list)
    }
}

impl Row {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn entries(&self) -> &[(usize, Fp)] {
        &self.0
    }

    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|entry| entry.0)
    }

    /// The first entry.
    pub fn lead(&self) -> Option<(usize, Fp)> {
        self.0.first().copied()
    }

    pub fn get(&self, column: usize) -> Fp {
        let found = self.0.binary_search_by_key(&column, |entry| entry.0);
        found.map_or(Fp::ZERO, |at| self.0[at].1)
    }

    /// `self − factor · other`
    fn minus(&self, factor: Fp, other: &Self) -> Self {
        let (row, other) = (&self.0, &other.0);
        let mut result = Vec::with_capacity(row.len() + other.len());
        let (mut i, mut j) = (0, 0);
        while i < row.len() || j < other.len() {
            let a = row.get(i).map_or(usize::MAX, |entry| entry.0);
            let b = other.get(j).map_or(usize::MAX, |entry| entry.0);
            let column = a.min(b);
            let mut value = Fp::ZERO;
            if a == column {
                value = row[i].1;
                i += 1;
            }
            if b == column {
                value = value.minus(factor.times(other[j].1));
                j += 1;
            }
            if !value.is_zero() {
                result.push((column, value));
            }
        }
        Self(result)
    }
}

/// Rows with the pivot 1 in different columns.
#[derive(Clone, Debug, Default)]
pub struct Echelon {
    rows: FxHashMap<usize, Row>,
}

impl Echelon {
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The row less a combination of those here, until its first entry is in a column without pivot: empty if and only if the row
    /// is such a combination.
    #[must_use]
    pub fn reduced(&self, row: Row) -> Row {
        let mut unlimited = usize::MAX;
        self.reduced_within(row, &mut unlimited).unwrap_or_default()
    }

    /// The same; `None` when it takes more than `budget` steps.
    pub fn reduced_within(&self, mut row: Row, budget: &mut usize) -> Option<Row> {
        while let Some((column, value)) = row.lead() {
            let Some(pivot) = self.rows.get(&column) else {
                break;
            };
            *budget = budget.checked_sub(row.len() + pivot.len())?;
            row = row.minus(value, pivot);
        }
        Some(row)
    }

    /// Whether the row is independent of those before it.
    pub fn insert(&mut self, row: Row) -> bool {
        let row = self.reduced(row);
        self.push(row)
    }

    /// A row that is reduced already; whether there was anything left of it.
    pub fn push(&mut self, mut row: Row) -> bool {
        let lead = row
            .lead()
            .and_then(|(column, value)| Some((column, value.inverse()?)));
        let Some((column, inverse)) = lead else {
            return false;
        };
        for (_, value) in &mut row.0 {
            *value = value.times(inverse);
        }
        self.rows.insert(column, row);
        true
    }

    /// Every pivot column has no other entry afterwards.
    pub fn back_substitute(&mut self) {
        let mut pivots: Vec<usize> = self.rows.keys().copied().collect();
        pivots.sort_unstable_by(|a, b| b.cmp(a));
        for pivot in pivots {
            let Some(row) = self.rows.get(&pivot) else {
                continue;
            };
            let mut result = row.clone();
            for &(column, value) in row.entries().iter().skip(1) {
                if let Some(known) = self.rows.get(&column) {
                    result = result.minus(value, known);
                }
            }
            self.rows.insert(pivot, result);
        }
    }

    pub fn row(&self, pivot: usize) -> Option<&Row> {
        self.rows.get(&pivot)
    }
}

/// What a linear system says about its columns.
pub struct Solution {
    echelon: Echelon,
    /// The number of the column of constants.
    n: usize,
}

impl Solution {
    /// `rows` with the constant in column `n`.
    pub fn of(rows: impl IntoIterator<Item = Row>, n: usize) -> Self {
        let mut echelon = Echelon::default();
        for row in rows {
            echelon.insert(row);
        }
        echelon.back_substitute();
        Self { echelon, n }
    }

    /// The same with column `i` called `names[i]`.
    #[must_use]
    pub fn renamed(self, names: &[usize]) -> Self {
        let name = |column: usize| names.get(column).copied().unwrap_or(self.n);
        let rows = self.echelon.rows.iter().map(|(pivot, row)| {
            let row = row.entries().iter();
            (
                name(*pivot),
                row.map(|&(c, value)| (name(c), value)).collect(),
            )
        });
        Self {
            echelon: Echelon {
                rows: rows.collect(),
            },
            n: self.n,
        }
    }

    /// Whether some combination of the rows is a number that is not zero.
    pub fn is_contradictory(&self) -> bool {
        self.echelon.row(self.n).is_some()
    }

    /// The value of a column, if there is only one.
    pub fn value(&self, column: usize) -> Option<Fp> {
        let row = self.echelon.row(column)?;
        let alone = row.columns().all(|c| c == column || c == self.n);
        alone.then(|| row.get(self.n).negated())
    }

    /// The columns without a row of their own that a column depends on.
    pub fn depends_on(&self, column: usize) -> Vec<usize> {
        match self.echelon.row(column) {
            Some(row) => {
                let others = row.columns().filter(|&c| c != column && c != self.n);
                others.collect()
            }
            None => vec![column],
        }
    }

    /// A value for every column: `choose` where there are several.
    pub fn pick(&self, choose: impl Fn(usize) -> Fp) -> Vec<Fp> {
        let free: FxHashMap<usize, Fp> = (0..self.n)
            .filter(|column| self.echelon.row(*column).is_none())
            .map(|column| (column, choose(column)))
            .collect();
        let value = |column: usize| match self.echelon.row(column) {
            None => free.get(&column).copied().unwrap_or(Fp::ZERO),
            Some(row) => {
                let others = row.entries().iter().filter(|entry| entry.0 != column);
                others.fold(Fp::ZERO, |sum, &(c, entry)| {
                    let known = if c == self.n {
                        Fp::ONE
                    } else {
                        free.get(&c).copied().unwrap_or(Fp::ZERO)
                    };
                    sum.minus(entry.times(known))
                })
            }
        };
        (0..self.n).map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Echelon, Row, Solution};
    use crate::modular::Fp;

    fn row(dense: &[u64]) -> Row {
        let entries = dense.iter().enumerate();
        entries
            .map(|(column, &value)| (column, Fp::new(value)))
            .collect()
    }

    #[test]
    fn a_row_that_is_the_sum_of_others_does_not_count() {
        let mut echelon = Echelon::default();
        assert!(echelon.insert(row(&[1, 2, 0])));
        assert!(echelon.insert(row(&[0, 1, 5])));
        assert!(!echelon.insert(row(&[1, 3, 5])));
        assert!(echelon.insert(row(&[1, 3, 6])));
        assert_eq!(echelon.rank(), 3);
    }

    #[test]
    fn what_costs_more_than_the_budget_is_not_answered() {
        let mut echelon = Echelon::default();
        echelon.insert(row(&[1, 2, 0]));
        assert_eq!(echelon.reduced_within(row(&[1, 3, 5]), &mut 4), None);
        assert!(echelon.reduced_within(row(&[1, 3, 5]), &mut 5).is_some());
    }

    #[test]
    fn entries_of_one_column_are_added_and_zeros_left_out() {
        let minus = Fp::new(3).negated();
        let found: Row = [(4, Fp::ONE), (2, Fp::new(3)), (2, minus)]
            .into_iter()
            .collect();
        assert_eq!(found.entries(), [(4, Fp::ONE)]);
    }

    /// `x + y = 3`, `x − y = 1`, and nothing about `z`.
    #[test]
    fn a_column_has_a_value_where_there_is_only_one() {
        let (one, minus) = (Fp::ONE, Fp::ONE.negated());
        let rows: [Row; 2] = [
            [(0, one), (1, one), (3, Fp::new(3).negated())]
                .into_iter()
                .collect(),
            [(0, one), (1, minus), (3, minus)].into_iter().collect(),
        ];
        let solution = Solution::of(rows, 3);
        assert!(!solution.is_contradictory());
        assert_eq!(solution.value(0), Some(Fp::new(2)));
        assert_eq!(solution.value(1), Some(Fp::ONE));
        assert_eq!(solution.value(2), None);
        assert_eq!(solution.depends_on(2), [2]);
        assert_eq!(
            solution.pick(|_| Fp::new(9)),
            [Fp::new(2), Fp::ONE, Fp::new(9)]
        );
    }
}
