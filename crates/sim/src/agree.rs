//! Two runs of one model, held against each other.
//!
//! A model whose structure changes begins as one sorted system and is then run mode by mode. Until the change both runs
//! compute the same thing; where they do not, one of them is wrong, and its results must not be shown.

use crate::result::Trajectory;
use modeshift_base::FxHashMap;

/// A signal with the time of a point from which on two runs differ, and both values.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    pub signal: String,
    pub time: f64,
    pub values: (f64, f64),
}

/// Part of its size by which a signal may differ: both runs keep to tolerances, and events shift a little.
const PART: f64 = 1e-2;

/// The first lasting difference before `until`: of a signal at two points of `times` in a row. Linear in the rows.
pub fn difference(
    a: &Trajectory,
    b: &Trajectory,
    times: impl Iterator<Item = f64>,
    until: f64,
) -> Option<Difference> {
    let others = b.columns.iter().enumerate();
    let others: FxHashMap<&str, usize> = others.map(|(j, c)| (c.name.as_str(), j)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (i, column) in a.columns.iter().enumerate().skip(1) {
        let varies = !column.parameter && !column.name.starts_with("der(");
        if let Some(&j) = others.get(column.name.as_str()).filter(|_| varies) {
            pairs.push((i, j));
        }
    }
    let sizes: Vec<f64> = pairs
        .iter()
        .map(|&(i, _)| a.column(i).fold(1e-3, |m: f64, x| m.max(x.abs())))
        .collect();
    let mut at = (Cursor::new(a), Cursor::new(b));
    let mut differed = vec![false; pairs.len()];
    for t in times.take_while(|&t| t < until) {
        let (Some(x), Some(y)) = (at.0.row(t), at.1.row(t)) else {
            return None;
        };
        for (k, &(i, j)) in pairs.iter().enumerate() {
            let values = (x[i], y[j]);
            let gap = (values.0 - values.1).abs();
            let differs = gap.is_nan() || gap > PART * sizes[k];
            if differs && differed[k] {
                return Some(Difference {
                    signal: a.columns[i].name.clone(),
                    time: t,
                    values,
                });
            }
            differed[k] = differs;
        }
    }
    None
}

/// Walks through the rows of a trajectory.
struct Cursor<'t> {
    trajectory: &'t Trajectory,
    next: usize,
}

impl<'t> Cursor<'t> {
    fn new(trajectory: &'t Trajectory) -> Self {
        Self {
            trajectory,
            next: 0,
        }
    }

    /// The last row up to time `t`, if there are later ones or it is there exactly. Times go up from call to call.
    fn row(&mut self, t: f64) -> Option<&'t [f64]> {
        let near = t + 1e-12 * t.abs();
        while self.next < self.trajectory.n_rows() && self.trajectory.row(self.next)[0] <= near {
            self.next += 1;
        }
        let found = self.trajectory.row(self.next.checked_sub(1)?);
        let ends = self.next == self.trajectory.n_rows();
        (!ends || (found[0] - t).abs() <= 1e-12 * t.abs()).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, difference};
    use crate::result::{Column, Trajectory};

    fn run(rows: &[[f64; 2]]) -> Trajectory {
        let column = |name: &str| Column {
            name: name.to_owned(),
            comment: None,
            parameter: false,
        };
        Trajectory {
            columns: vec![column("time"), column("n")],
            rows: rows.concat(),
        }
    }

    #[test]
    fn a_lasting_difference_is_found_and_a_shifted_event_is_none() {
        let a = run(&[[0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]]);
        let shifted = run(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]]);
        let other = run(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]);
        let times = || (0..5).map(f64::from);
        assert_eq!(difference(&a, &shifted, times(), 4.0), None);
        assert_eq!(difference(&a, &other, times(), 1.5), None);
        let found = Difference {
            signal: "n".to_owned(),
            time: 2.0,
            values: (1.0, 0.0),
        };
        assert_eq!(difference(&a, &other, times(), 4.0), Some(found));
    }
}
