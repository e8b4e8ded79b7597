//! Dense linear systems of floating-point numbers.

/// A pivot below this part of the largest entry of its row makes a matrix singular: what is above it may still be solved.
pub const SINGULAR: f64 = 1e-14;

/// A row whose entries are below this after elimination, in units of its largest one before, depends on the others.
pub const DEPENDENT: f64 = 1e-11;

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
            if size(pivot) < SINGULAR {
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

/// Which columns an elimination solves for: those of a lower class first, then those with the larger weighted pivot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preference {
    pub class: u32,
    pub weight: f64,
}

impl Default for Preference {
    fn default() -> Self {
        Self {
            class: 0,
            weight: 1.0,
        }
    }
}

/// A column that was solved for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pivot {
    pub column: usize,
    /// What the elimination divided by.
    pub size: f64,
}

/// Gauss–Jordan elimination with complete pivoting over the columns that have a preference; further columns are carried along.
/// Row `i` is solved for the column of pivot `i`, rows behind the pivots have only entries below [`DEPENDENT`].
/// O(rows² · columns).
pub fn reduce(rows: &mut [Vec<f64>], preferences: &[Preference]) -> Vec<Pivot> {
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut open: Vec<usize> = (0..preferences.len()).collect();
    open.sort_by_key(|&column| preferences[column].class);
    while let Some(&first) = open.first() {
        let class = preferences[first].class;
        let step = pivots.len();
        let mut best: Option<(usize, usize, f64)> = None;
        let of_class = || {
            let columns = open.iter().copied();
            columns.take_while(|&column| preferences[column].class == class)
        };
        for (i, row) in rows.iter().enumerate().skip(step) {
            for column in of_class().filter(|&column| row[column].abs() > DEPENDENT) {
                let size = row[column].abs() * preferences[column].weight;
                if best.is_none_or(|(.., largest)| size > largest) {
                    best = Some((i, column, size));
                }
            }
        }
        let Some((row, column, _)) = best else {
            let rest = of_class().count();
            open.drain(..rest);
            continue;
        };
        rows.swap(step, row);
        open.retain(|&other| other != column);
        let lead = rows[step].clone();
        let size = lead[column];
        pivots.push(Pivot { column, size });
        for (i, row) in rows.iter_mut().enumerate() {
            if i != step && row[column] != 0.0 {
                let factor = row[column] / size;
                for (entry, above) in row.iter_mut().zip(&lead) {
                    *entry -= factor * above;
                }
                row[column] = 0.0;
            }
        }
    }
    pivots
}

/// Chooses as many columns as there are rows so that they are as independent as possible. `weight` says how gladly a column is
/// taken. The smallest pivot comes with the columns; `None` when the rows are dependent. O(rows² · columns).
pub fn independent_columns(matrix: &[Vec<f64>], weight: &[f64]) -> Option<(Vec<usize>, f64)> {
    let mut rows = matrix.to_vec();
    let preference = |&weight: &f64| Preference { class: 0, weight };
    let preferences: Vec<Preference> = weight.iter().map(preference).collect();
    let pivots = reduce(&mut rows, &preferences);
    let smallest = pivots.iter().map(|pivot| pivot.size.abs());
    let smallest = smallest.fold(f64::INFINITY, f64::min);
    let finite = pivots.iter().all(|pivot| pivot.size.is_finite());
    let columns = pivots.iter().map(|pivot| pivot.column).collect();
    (pivots.len() == matrix.len() && finite).then_some((columns, smallest))
}

#[cfg(test)]
mod tests {
    use super::{Lu, Preference, independent_columns, reduce};

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

    /// `x + y = 3`, `2x + 2y = 6`: `x` is solved for, because its class is the lower one.
    #[test]
    fn columns_of_lower_classes_are_solved_for() {
        let mut rows = [vec![1.0, 4.0, 3.0], vec![2.0, 8.0, 6.0]];
        let later = Preference {
            class: 1,
            ..Preference::default()
        };
        let pivots = reduce(&mut rows, &[Preference::default(), later]);
        assert_eq!(pivots.len(), 1);
        assert_eq!(pivots[0].column, 0);
        assert_eq!(rows[0][2] / pivots[0].size, 3.0);
        assert!(rows[1].iter().all(|entry| *entry == 0.0));
    }
}
