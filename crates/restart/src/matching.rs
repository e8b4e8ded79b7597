//! Bipartite matching with alternating reachability (the Dulmage–Mendelsohn parts) on small graphs.
//!
//! Arrays have tens to hundreds of rows, grow row by row and are asked for their over- and
//! under-determined parts after every change, so the incremental form is kept here.

use std::collections::VecDeque;

/// Rows (equations) with the columns (variables) that occur in them.
#[derive(Clone, Debug, Default)]
pub struct Incidence {
    pub rows: Vec<Vec<usize>>,
    pub n_columns: usize,
}

/// A matching between rows and columns.
#[derive(Clone, Debug)]
pub struct Matching {
    pub column_of: Vec<Option<usize>>,
    pub row_of: Vec<Option<usize>>,
}

impl Matching {
    pub fn empty(graph: &Incidence) -> Self {
        Self {
            column_of: vec![None; graph.rows.len()],
            row_of: vec![None; graph.n_columns],
        }
    }

    /// A maximum matching that covers as many of the rows in `order` as possible, earlier ones first.
    /// O(rows · edges).
    pub fn of(graph: &Incidence, order: impl IntoIterator<Item = usize>) -> Self {
        let mut matching = Self::empty(graph);
        for row in order {
            matching.augment(graph, row);
        }
        matching
    }

    /// Tries to match `row`; rows and columns that are matched stay matched.
    pub fn augment(&mut self, graph: &Incidence, row: usize) -> bool {
        let mut reached_from = vec![None; graph.n_columns];
        let mut queue = VecDeque::from([row]);
        while let Some(current) = queue.pop_front() {
            for &column in &graph.rows[current] {
                if reached_from[column].is_some() {
                    continue;
                }
                reached_from[column] = Some(current);
                match self.row_of[column] {
                    Some(next) => queue.push_back(next),
                    None => {
                        self.flip(column, &reached_from, row);
                        return true;
                    }
                }
            }
        }
        false
    }

    fn flip(&mut self, free: usize, reached_from: &[Option<usize>], root: usize) {
        let mut column = free;
        while let Some(row) = reached_from[column] {
            let previous = self.column_of[row].replace(column);
            self.row_of[column] = Some(row);
            match previous {
                Some(next) if row != root => column = next,
                _ => break,
            }
        }
    }

    pub fn free_columns(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.row_of.len()).filter(|&column| self.row_of[column].is_none())
    }

    /// The rows of the over-determined part spanned by the unmatched rows among `roots`: those
    /// reachable by alternating paths.
    pub fn over_part(
        &self,
        graph: &Incidence,
        roots: impl IntoIterator<Item = usize>,
    ) -> Vec<usize> {
        let mut seen = vec![false; graph.rows.len()];
        let mut stack: Vec<usize> = roots
            .into_iter()
            .filter(|&row| self.column_of[row].is_none())
            .collect();
        for &row in &stack {
            seen[row] = true;
        }
        while let Some(row) = stack.pop() {
            for &column in &graph.rows[row] {
                if let Some(next) = self.row_of[column]
                    && !seen[next]
                {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        (0..seen.len()).filter(|&row| seen[row]).collect()
    }

    /// The columns of the under-determined part: those reachable from unmatched columns.
    pub fn under_part(&self, graph: &Incidence, enabled: &[bool]) -> Vec<usize> {
        let mut rows_of = vec![Vec::new(); graph.n_columns];
        for (row, columns) in graph.rows.iter().enumerate() {
            if enabled[row] {
                for &column in columns {
                    rows_of[column].push(row);
                }
            }
        }
        let mut seen = vec![false; graph.n_columns];
        let mut stack: Vec<usize> = self.free_columns().collect();
        for &column in &stack {
            seen[column] = true;
        }
        while let Some(column) = stack.pop() {
            for &row in &rows_of[column] {
                if let Some(next) = self.column_of[row]
                    && !seen[next]
                {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        (0..seen.len()).filter(|&column| seen[column]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Incidence, Matching};

    #[test]
    fn parts_of_a_system_with_one_row_too_many_and_one_column_too_many() {
        // Rows 0 and 1 share column 0; row 2 has columns 1 and 2.
        let graph = Incidence {
            rows: vec![vec![0], vec![0], vec![1, 2]],
            n_columns: 3,
        };
        let matching = Matching::of(&graph, 0..3);
        assert_eq!(matching.over_part(&graph, 0..3), [0, 1]);
        assert_eq!(matching.under_part(&graph, &[true; 3]), [1, 2]);
    }

    #[test]
    fn augmenting_keeps_what_is_matched() {
        let graph = Incidence {
            rows: vec![vec![0, 1], vec![0]],
            n_columns: 2,
        };
        let matching = Matching::of(&graph, 0..2);
        assert_eq!(matching.column_of, [Some(1), Some(0)]);
    }
}
