//! Bipartite graphs of equations and variables in compressed sparse rows, and signature matrices.

use crate::{EqId, VarId};

/// A bipartite graph of equations and variables: row `f` lists, in ascending order and without
/// repetition, the variables that occur in `f`.
///
/// An *edge number* is the position of an edge in the concatenation of all rows; weights live in
/// vectors parallel to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bipartite {
    row_start: Vec<u32>,
    columns: Vec<VarId>,
    n_variables: usize,
}

impl Bipartite {
    /// Builds the graph from edges in any order; repeated edges count once. O(edges + vertices),
    /// plus sorting of rows that do not come sorted.
    pub fn from_edges(n_equations: usize, n_variables: usize, edges: &[(EqId, VarId)]) -> Self {
        let entries: Vec<_> = edges.iter().map(|&(f, x)| (f, x, ())).collect();
        from_entries(n_equations, n_variables, &entries, |_, ()| ()).0
    }

    pub fn n_equations(&self) -> usize {
        self.row_start.len() - 1
    }

    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub fn n_edges(&self) -> usize {
        self.columns.len()
    }

    pub fn equations(&self) -> impl DoubleEndedIterator<Item = EqId> + ExactSizeIterator + use<> {
        (0..self.n_equations()).map(EqId::new)
    }

    pub fn variables(&self) -> impl DoubleEndedIterator<Item = VarId> + ExactSizeIterator + use<> {
        (0..self.n_variables).map(VarId::new)
    }

    /// The edge numbers of row `f`.
    pub fn edges_of(&self, f: EqId) -> std::ops::Range<usize> {
        self.row_start[f.index()] as usize..self.row_start[f.index() + 1] as usize
    }

    /// The variables of row `f`, ascending.
    pub fn row(&self, f: EqId) -> &[VarId] {
        &self.columns[self.edges_of(f)]
    }

    /// The variable at an edge number.
    pub fn variable_at(&self, edge: usize) -> VarId {
        self.columns[edge]
    }

    /// The edge number of `(f, x)`, if `x` occurs in `f`. O(log row).
    pub fn edge(&self, f: EqId, x: VarId) -> Option<usize> {
        let found = self.row(f).binary_search(&x).ok()?;
        Some(self.edges_of(f).start + found)
    }

    /// The same graph read from the variables: its "equations" are our variables and vice versa.
    /// Also returns, for every edge number of the transposed graph, the edge number here.
    /// O(edges + vertices).
    pub fn transposed(&self) -> (Self, Vec<u32>) {
        let mut start = vec![0u32; self.n_variables + 1];
        for x in &self.columns {
            start[x.index() + 1] += 1;
        }
        prefix_sums(&mut start);
        let mut next = start.clone();
        let mut columns = vec![VarId(0); self.columns.len()];
        let mut origin = vec![0u32; self.columns.len()];
        for f in self.equations() {
            for edge in self.edges_of(f) {
                let place = &mut next[self.columns[edge].index()];
                columns[*place as usize] = VarId(f.0);
                origin[*place as usize] = edge as u32;
                *place += 1;
            }
        }
        (
            Self {
                row_start: start,
                columns,
                n_variables: self.n_equations(),
            },
            origin,
        )
    }

    /// The subgraph of the edges that `keep` accepts, with the same vertices.
    pub fn filtered(&self, mut keep: impl FnMut(EqId, usize) -> bool) -> Self {
        let mut row_start = Vec::with_capacity(self.row_start.len());
        let mut columns = Vec::new();
        row_start.push(0);
        for f in self.equations() {
            columns.extend(
                self.edges_of(f)
                    .filter(|&e| keep(f, e))
                    .map(|e| self.columns[e]),
            );
            row_start.push(columns.len() as u32);
        }
        Self {
            row_start,
            columns,
            n_variables: self.n_variables,
        }
    }
}

/// A signature matrix: the bipartite graph and, per edge, σ(f, x), the highest derivative of `x`
/// in `f`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigmaMatrix {
    graph: Bipartite,
    sigma: Vec<i32>,
}

impl SigmaMatrix {
    /// Builds the matrix from entries in any order; of repeated entries the largest σ counts.
    /// O(entries + vertices), plus sorting of rows that do not come sorted.
    pub fn from_entries(
        n_equations: usize,
        n_variables: usize,
        entries: &[(EqId, VarId, i32)],
    ) -> Self {
        let (graph, sigma) = from_entries(n_equations, n_variables, entries, i32::max);
        Self { graph, sigma }
    }

    pub fn graph(&self) -> &Bipartite {
        &self.graph
    }

    /// σ per edge number.
    pub fn sigma(&self) -> &[i32] {
        &self.sigma
    }

    /// σ(f, x), if `x` occurs in `f`.
    pub fn get(&self, f: EqId, x: VarId) -> Option<i32> {
        self.graph.edge(f, x).map(|edge| self.sigma[edge])
    }

    /// The entries of row `f`, ascending by variable.
    pub fn row(&self, f: EqId) -> impl Iterator<Item = (VarId, i32)> + '_ {
        self.graph
            .edges_of(f)
            .map(|e| (self.graph.variable_at(e), self.sigma[e]))
    }
}

fn prefix_sums(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Counting sort by row, then by column where a row is not sorted yet, then merging of repetitions.
fn from_entries<W: Copy>(
    n_equations: usize,
    n_variables: usize,
    entries: &[(EqId, VarId, W)],
    merge: impl Fn(W, W) -> W,
) -> (Bipartite, Vec<W>) {
    let mut start = vec![0u32; n_equations + 1];
    for &(f, x, _) in entries {
        assert!(
            x.index() < n_variables,
            "{x:?} is outside the {n_variables} variables"
        );
        start[f.index() + 1] += 1;
    }
    prefix_sums(&mut start);
    let mut order = vec![0u32; entries.len()];
    let mut next = start.clone();
    for (i, &(f, ..)) in entries.iter().enumerate() {
        order[next[f.index()] as usize] = i as u32;
        next[f.index()] += 1;
    }
    let mut columns: Vec<VarId> = Vec::with_capacity(entries.len());
    let mut weights: Vec<W> = Vec::with_capacity(entries.len());
    let mut row_start = Vec::with_capacity(n_equations + 1);
    row_start.push(0);
    for f in 0..n_equations {
        let row = &mut order[start[f] as usize..start[f + 1] as usize];
        let column = |i: &u32| entries[*i as usize].1;
        if !row.is_sorted_by_key(column) {
            row.sort_by_key(column);
        }
        let first = columns.len();
        for &i in &*row {
            let (_, x, w) = entries[i as usize];
            if columns.len() > first && columns.last() == Some(&x) {
                let last = weights.len() - 1;
                weights[last] = merge(weights[last], w);
            } else {
                columns.push(x);
                weights.push(w);
            }
        }
        row_start.push(columns.len() as u32);
    }
    (
        Bipartite {
            row_start,
            columns,
            n_variables,
        },
        weights,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_entries_keep_the_largest_sigma_and_rows_are_sorted() {
        let e = |f, x, s| (EqId(f), VarId(x), s);
        let m = SigmaMatrix::from_entries(2, 3, &[e(1, 2, 0), e(0, 1, 0), e(1, 0, 1), e(1, 2, 2)]);
        assert_eq!(m.graph().row(EqId(1)), [VarId(0), VarId(2)]);
        assert_eq!(m.get(EqId(1), VarId(2)), Some(2));
        assert_eq!(m.get(EqId(0), VarId(2)), None);
        assert_eq!(m.graph().n_edges(), 3);
    }

    #[test]
    fn transposing_twice_gives_the_graph_back() {
        let e = |f, x| (EqId(f), VarId(x));
        let g = Bipartite::from_edges(3, 2, &[e(0, 1), e(2, 0), e(2, 1)]);
        let (t, origin) = g.transposed();
        assert_eq!(t.n_equations(), 2);
        assert_eq!(t.transposed().0, g);
        assert_eq!(origin, [1, 0, 2]);
    }
}
