//! Tearing: which unknowns of a block are guessed, so that the others follow one after the other.

use crate::tape::{Copier, Graph, Reg};
use modeshift_base::FxHashMap;

/// How a torn block is computed.
pub struct Torn {
    /// Row, column and coefficient, in the order of computation.
    pub explicit: Vec<(usize, usize, f64)>,
    pub tears: Vec<usize>,
    pub rows: Vec<usize>,
}

/// Which entries of the Jacobian are there, and which of them are numbers.
struct Entries {
    /// By row: column and constant coefficient.
    rows: Vec<Vec<(usize, Option<f64>)>>,
    columns: Vec<Vec<usize>>,
}

impl Entries {
    /// Whether a row may be divided by a coefficient. Beside coefficients a trillion times as large, as in `F = A*dp` with an
    /// area of 1e120, an unknown is of another size; as a tear it would be taken for rounding.
    fn is_usable(&self, row: usize, coefficient: f64) -> bool {
        let numbers = self.rows[row].iter().filter_map(|(_, c)| *c);
        let largest = numbers.fold(0.0, |m: f64, c| m.max(c.abs()));
        let part = coefficient.abs() / largest;
        coefficient.is_finite() && (part > 1e-3 || part > 0.0 && part < 1e-12)
    }
}

/// Row by row: linear in the nodes of a row times its unknowns.
fn entries(source: &Graph, residuals: &[Reg], slots: &[u32]) -> Entries {
    let places: FxHashMap<u32, usize> = slots.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    let mut columns = vec![Vec::new(); slots.len()];
    let mut rows = Vec::with_capacity(residuals.len());
    for (i, &residual) in residuals.iter().enumerate() {
        let mut graph = Graph::default();
        let reg = Copier::default().copy(source, residual, &mut graph);
        let read = graph.slots_of(reg);
        let mut read: Vec<usize> = read.iter().filter_map(|s| places.get(s).copied()).collect();
        read.sort_unstable();
        let inputs: Vec<Reg> = read.iter().map(|&x| graph.input(slots[x])).collect();
        let row = graph.derivatives(&[reg], &inputs).swap_remove(0);
        let mut list = Vec::new();
        for (entry, column) in row.into_iter().zip(read) {
            if let Some(entry) = entry {
                list.push((column, graph.value(entry)));
                columns[column].push(i);
            }
        }
        rows.push(list);
    }
    Entries { rows, columns }
}

/// Greedy tearing: rows in which one unknown is left, with a coefficient that is a number of reasonable
/// size, are solved for it; when there is none, the unknown is torn that brings most rows nearest to that. A `preferred`
/// one counts as if it brought them two unknowns further. O(entries · tears).
pub fn tear(source: &Graph, residuals: &[Reg], slots: &[u32], preferred: &[bool]) -> Torn {
    let entries = entries(source, residuals, slots);
    let mut rows = OpenRows {
        count: entries.rows.iter().map(Vec::len).collect(),
        open: vec![true; residuals.len()],
        ready: Vec::new(),
    };
    rows.ready
        .extend((0..residuals.len()).filter(|&row| rows.count[row] == 1));
    let mut open = vec![true; slots.len()];
    let mut torn = Torn {
        explicit: Vec::new(),
        tears: Vec::new(),
        rows: Vec::new(),
    };
    loop {
        while let Some(row) = rows.ready.pop() {
            let left = entries.rows[row].iter().find(|(column, _)| open[*column]);
            let Some(&(column, coefficient)) = left else {
                continue;
            };
            if let Some(slope) = coefficient.filter(|&c| entries.is_usable(row, c)) {
                rows.open[row] = false;
                open[column] = false;
                torn.explicit.push((row, column, slope));
                rows.close_column(&entries, column);
            }
        }
        let score = |x: usize| {
            let near = |row: usize| libm::pow(0.25, rows.count[row] as f64 - 2.0);
            let list = entries.columns[x].iter().filter(|&&row| rows.open[row]);
            let sum = list.map(|&row| near(row)).sum::<f64>();
            if preferred[x] { 16.0 * sum } else { sum }
        };
        let candidates = (0..slots.len()).filter(|&x| open[x]);
        let best = candidates.map(|x| (score(x), x)).max_by(|a, b| {
            let order = a.0.total_cmp(&b.0);
            order.then(b.1.cmp(&a.1))
        });
        let Some((_, best)) = best else { break };
        open[best] = false;
        torn.tears.push(best);
        rows.close_column(&entries, best);
    }
    torn.tears.sort_unstable();
    torn.rows = (0..residuals.len()).filter(|&row| rows.open[row]).collect();
    torn
}

/// Rows that are neither solved nor without unknowns.
struct OpenRows {
    /// How many unknowns are left.
    count: Vec<usize>,
    open: Vec<bool>,
    /// One unknown is left.
    ready: Vec<usize>,
}

impl OpenRows {
    fn close_column(&mut self, entries: &Entries, column: usize) {
        for &row in entries.columns[column].iter().rev() {
            self.count[row] -= 1;
            if self.open[row] && self.count[row] == 1 {
                self.ready.push(row);
            }
        }
    }
}
