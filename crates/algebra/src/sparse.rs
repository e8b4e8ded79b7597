//! Sparse linear systems: ordering by approximate minimum degree and left-looking decomposition (the methods of
//! Davis, *Direct Methods for Sparse Linear Systems*, 2006), by the crate `rsparse`.

use crate::dense::{Lu, Singular};
use rsparse::data::{Nmrc, Sprs, Symb};

/// Up to this many unknowns the dense decomposition is faster, whatever the pattern.
const SMALL: usize = 16;
/// A pivot on the diagonal is taken if it is at least this part of the largest entry of its column.
const DIAGONAL: f64 = 0.1;

/// A square matrix by columns, rows in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sparse {
    pub n: usize,
    pub starts: Vec<usize>,
    pub rows: Vec<usize>,
    pub values: Vec<f64>,
}

impl Sparse {
    /// A pattern from the rows of each column, with zeros as values.
    pub fn new(columns: &[Vec<usize>]) -> Self {
        let mut this = Self {
            n: columns.len(),
            starts: vec![0],
            ..Self::default()
        };
        for column in columns {
            this.rows.extend_from_slice(column);
            this.starts.push(this.rows.len());
        }
        this.values = vec![0.0; this.rows.len()];
        this
    }

    /// Every entry.
    pub fn full(n: usize) -> Self {
        Self::new(&vec![(0..n).collect(); n])
    }

    /// No columns yet, but room for them.
    pub fn empty(n: usize) -> Self {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Self {
            n,
            starts,
            ..Self::default()
        }
    }

    /// An entry of the last column that is open.
    pub fn push(&mut self, row: usize, value: f64) {
        self.rows.push(row);
        self.values.push(value);
    }

    pub fn close_column(&mut self) {
        self.starts.push(self.rows.len());
    }

    /// Into the last column that is open: a column of `shift·I − other`, moved down.
    pub fn push_shifted(&mut self, other: &Self, column: usize, down: usize, shift: f64) {
        let mut diagonal = true;
        for (row, value) in other.column(column) {
            if diagonal && row > column {
                self.push(column + down, shift);
            }
            diagonal &= row < column;
            let shift = if row == column { shift } else { 0.0 };
            self.push(row + down, shift - value);
        }
        if diagonal {
            self.push(column + down, shift);
        }
    }

    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[column]..self.starts[column + 1];
        range.map(|i| (self.rows[i], self.values[i]))
    }

    /// Whether the sparse decomposition is likely to be the faster one: few unknowns and crowded matrices are
    /// better off with the dense one, which has no indices to follow.
    pub fn prefers_sparse(&self) -> bool {
        self.n > SMALL && self.rows.len() < self.n * self.n / 8
    }
}

/// A matrix, decomposed.
#[derive(Clone, Debug)]
pub enum Factors {
    Dense(Lu),
    Sparse(Box<SparseLu>),
}

impl Default for Factors {
    fn default() -> Self {
        Self::Dense(Lu::default())
    }
}

impl Factors {
    /// Decomposes a matrix; the order of elimination is kept for the next one with the same pattern.
    pub fn factor(&mut self, matrix: &Sparse) -> Result<(), Singular> {
        if !matrix.prefers_sparse() {
            if !matches!(self, Self::Dense(_)) {
                *self = Self::default();
            }
            let Self::Dense(lu) = self else {
                return Err(Singular);
            };
            let n = matrix.n;
            let entries = lu.reset(n);
            for column in 0..n {
                for (row, value) in matrix.column(column) {
                    entries[row * n + column] = value;
                }
            }
            return lu.factor();
        }
        if !matches!(self, Self::Sparse(_)) {
            *self = Self::Sparse(Box::default());
        }
        match self {
            Self::Sparse(lu) => lu.factor(matrix),
            Self::Dense(_) => Err(Singular),
        }
    }

    /// Replaces `b` by the solution.
    pub fn solve(&mut self, b: &mut [f64]) {
        match self {
            Self::Dense(lu) => lu.solve(b),
            Self::Sparse(lu) => lu.solve(b),
        }
    }
}

/// The sparse decomposition.
#[derive(Clone, Debug, Default)]
pub struct SparseLu {
    matrix: Sprs<f64>,
    order: Option<Symb>,
    factors: Nmrc<f64>,
    work: Vec<f64>,
}

impl SparseLu {
    /// The order of elimination is found once per pattern, in nearly linear time for what comes from networks;
    /// the decomposition costs as many operations as it fills entries in.
    fn factor(&mut self, matrix: &Sparse) -> Result<(), Singular> {
        let same = self.matrix.n == matrix.n
            && self.matrix.i == matrix.rows
            && self
                .matrix
                .p
                .iter()
                .map(|&p| p as usize)
                .eq(matrix.starts.iter().copied());
        if same {
            self.matrix.x.clone_from(&matrix.values);
        } else {
            self.matrix = Sprs {
                nzmax: matrix.rows.len(),
                m: matrix.n,
                n: matrix.n,
                p: matrix.starts.iter().map(|&p| p as isize).collect(),
                i: matrix.rows.clone(),
                x: matrix.values.clone(),
            };
            self.order = None;
        }
        let order = self
            .order
            .get_or_insert_with(|| rsparse::sqr(&self.matrix, 1, false));
        self.factors = rsparse::lu(&self.matrix, order, DIAGONAL).map_err(|_| Singular)?;
        let diagonal = |k: usize| self.factors.u.x[self.factors.u.p[k + 1] as usize - 1];
        if (0..matrix.n).all(|k| diagonal(k).is_finite()) {
            Ok(())
        } else {
            Err(Singular)
        }
    }

    /// Linear in the entries of the factors.
    fn solve(&mut self, b: &mut [f64]) {
        let (Some(rows), Some(columns)) = (
            &self.factors.pinv,
            self.order.as_ref().and_then(|o| o.q.as_ref()),
        ) else {
            return;
        };
        self.work.resize(b.len(), 0.0);
        for (value, &to) in b.iter().zip(rows) {
            self.work[to as usize] = *value;
        }
        rsparse::lsolve(&self.factors.l, &mut self.work);
        rsparse::usolve(&self.factors.u, &mut self.work);
        for (value, &to) in self.work.iter().zip(columns) {
            b[to as usize] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Factors, Sparse};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_satisfy_their_system(
            n in 1_usize..60,
            entries in prop::collection::vec((0_usize..60, 0_usize..60, -1.0..1.0_f64), 0..150),
            b in prop::collection::vec(-1.0..1.0_f64, 60),
        ) {
            let mut columns = vec![std::collections::BTreeMap::new(); n];
            for (i, column) in columns.iter_mut().enumerate() {
                column.insert((i * 7 + 3) % n, 0.0);
            }
            for (row, column, value) in entries {
                columns[column % n].insert(row % n, value);
            }
            // Rows are dominated by an entry that is not on the diagonal.
            let mut sums = vec![0.0; n];
            for (row, value) in columns.iter().flatten() {
                sums[*row] += f64::abs(*value);
            }
            let mut taken = vec![false; n];
            for (i, column) in columns.iter_mut().enumerate() {
                let row = (0..n).map(|k| (i * 7 + 3 + k) % n).find(|&row| !taken[row]).unwrap();
                taken[row] = true;
                column.insert(row, 1.0 + 2.0 * sums[row]);
            }
            let rows: Vec<Vec<usize>> = columns.iter().map(|c| c.keys().copied().collect()).collect();
            let mut matrix = Sparse::new(&rows);
            matrix.values = columns.iter().flat_map(|c| c.values().copied()).collect();
            let mut x = b[..n].to_vec();
            prop_assert!(matrix.starts.windows(2).all(|s| matrix.rows[s[0]..s[1]].is_sorted()));
            let mut factors = Factors::default();
            factors.factor(&matrix).unwrap();
            factors.solve(&mut x);
            let mut left = b[..n].to_vec();
            for (column, x) in x.iter().enumerate() {
                for (row, value) in matrix.column(column) {
                    left[row] -= value * x;
                }
            }
            prop_assert!(left.iter().all(|r| r.abs() < 1e-9), "{left:?}");
        }
    }

    #[test]
    fn an_empty_row_is_singular() {
        let columns: Vec<Vec<usize>> = (0..40)
            .map(|i| if i == 7 { Vec::new() } else { vec![i] })
            .collect();
        let mut matrix = Sparse::new(&columns);
        matrix.values.fill(1.0);
        assert!(matrix.prefers_sparse());
        assert!(Factors::default().factor(&matrix).is_err());
    }
}
