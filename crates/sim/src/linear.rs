//! Linear systems: dense ones here, sparse ones in [`sparse`].

mod sparse;

pub use sparse::{Factors, Sparse};

/// A square matrix in rows, decomposed in place with scaled partial pivoting.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    entries: Vec<f64>,
    pivots: Vec<usize>,
    scale: Vec<f64>,
}

/// The matrix is singular to working precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Singular;

impl Lu {
    /// An `n` by `n` matrix of zeros, with the storage of the last one.
    pub fn reset(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.entries.clear();
        self.entries.resize(n * n, 0.0);
        &mut self.entries
    }

    /// O(n³).
    pub fn factor(&mut self) -> Result<(), Singular> {
        let n = self.n;
        self.pivots.clear();
        self.scale.clear();
        for row in self.entries.chunks_exact(n.max(1)) {
            let largest = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            if largest == 0.0 || !largest.is_finite() {
                return Err(Singular);
            }
            self.scale.push(1.0 / largest);
        }
        for column in 0..n {
            let size = |row: usize| (self.entries[row * n + column] * self.scale[row]).abs();
            let pivot = (column..n).max_by(|&a, &b| size(a).total_cmp(&size(b)));
            let pivot = pivot.unwrap_or(column);
            if size(pivot) < 1e-14 {
                return Err(Singular);
            }
            self.pivots.push(pivot);
            if pivot != column {
                self.scale.swap(pivot, column);
                for k in 0..n {
                    self.entries.swap(pivot * n + k, column * n + k);
                }
            }
            let (upper, lower) = self.entries.split_at_mut((column + 1) * n);
            let lead = &upper[column * n..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[column] / lead[column];
                row[column] = factor;
                if factor != 0.0 {
                    for (entry, above) in row[column + 1..].iter_mut().zip(&lead[column + 1..n]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the determinant of what was decomposed is above zero.
    pub fn is_positive(&self) -> bool {
        let swapped = |&(column, &pivot): &(usize, &usize)| column != pivot;
        let swaps = self.pivots.iter().enumerate().filter(swapped).count();
        let below = |&i: &usize| self.entries[i * self.n + i] < 0.0;
        let negative = (0..self.n).filter(below).count();
        (swaps + negative) % 2 == 0
    }

    /// Replaces `b` by the solution. O(n²).
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for (column, &pivot) in self.pivots.iter().enumerate() {
            b.swap(column, pivot);
        }
        for row in 1..n {
            let known: f64 = (0..row).map(|k| self.entries[row * n + k] * b[k]).sum();
            b[row] -= known;
        }
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| self.entries[row * n + k] * b[k]).sum();
            b[row] = (b[row] - known) / self.entries[row * n + row];
        }
    }
}

/// Chooses as many columns as there are rows so that they are as independent as possible: Gaussian
/// elimination with complete pivoting. `weight` says how gladly a column is taken. The smallest pivot comes
/// with the columns; `None` when the rows are dependent. O(rows² · columns).
pub fn independent_columns(matrix: &[Vec<f64>], weight: &[f64]) -> Option<(Vec<usize>, f64)> {
    let mut rows = matrix.to_vec();
    let n = weight.len();
    let mut chosen = Vec::with_capacity(rows.len());
    let mut smallest = f64::INFINITY;
    for step in 0..rows.len() {
        let mut best = (0.0, step, 0);
        for (i, row) in rows.iter().enumerate().skip(step) {
            for column in (0..n).filter(|column| !chosen.contains(column)) {
                let size = row[column].abs() * weight[column];
                if size > best.0 {
                    best = (size, i, column);
                }
            }
        }
        let (_, pivot, column) = best;
        let size = rows[pivot].get(column).copied().unwrap_or(0.0).abs();
        if size < 1e-12 || !size.is_finite() {
            return None;
        }
        smallest = smallest.min(size);
        chosen.push(column);
        rows.swap(step, pivot);
        let (upper, lower) = rows.split_at_mut(step + 1);
        let lead = &upper[step];
        for row in lower {
            let factor = row[column] / lead[column];
            for (entry, above) in row.iter_mut().zip(lead) {
                *entry -= factor * above;
            }
        }
    }
    Some((chosen, smallest))
}

#[cfg(test)]
mod tests {
    use super::{Lu, independent_columns};

    #[test]
    fn a_system_that_needs_pivoting_is_solved() {
        let mut lu = Lu::default();
        lu.reset(3)
            .copy_from_slice(&[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0, 3.0]);
        lu.factor().unwrap();
        let mut b = [7.0, 3.0, 11.0];
        lu.solve(&mut b);
        for (value, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-14);
        }
        // 0·3 − 2·3 + 1·(0 − 2) = −8
        assert!(!lu.is_positive());
    }

    #[test]
    fn dependent_rows_are_singular() {
        let mut lu = Lu::default();
        lu.reset(2).copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(lu.factor().is_err());
        assert!(independent_columns(&[vec![1.0, 2.0], vec![2.0, 4.0]], &[1.0, 1.0]).is_none());
    }

    #[test]
    fn the_largest_pivots_are_chosen() {
        let (columns, _) = independent_columns(&[vec![0.1, 2.0, 0.3]], &[1.0; 3]).unwrap();
        assert_eq!(columns, [1]);
        let (columns, _) = independent_columns(&[vec![0.1, 2.0, 1.9]], &[1.0, 0.5, 1.0]).unwrap();
        assert_eq!(columns, [2]);
    }
}
