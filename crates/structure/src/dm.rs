//! The Dulmage–Mendelsohn decomposition: which part of a system has too many equations, which has
//! too few, and in which order the rest can be solved.
//!
//! Dulmage and Mendelsohn ("Coverings of bipartite graphs", 1958), in the formulation of Pothen and
//! Fan ("Computing the block triangular form of a sparse matrix", 1990). Fix a maximum matching. What
//! can be reached from the unmatched equations by alternating paths is *over-determined*: all
//! variables there are matched, and some equation is left. What can be reached from the unmatched
//! variables is *under-determined*. The rest is square and perfectly matched: its strongly connected
//! components are the blocks of the fine decomposition. The three parts do not depend on the matching.

use crate::btf::{Blocks, blocks_of};
use crate::{Bipartite, EqId, Matching, VarId, maximum_matching};

/// Equations and variables, both ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
}

impl Part {
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty() && self.variables.is_empty()
    }

    fn sorted(mut self) -> Self {
        self.equations.sort_unstable();
        self.variables.sort_unstable();
        self
    }
}

/// The Dulmage–Mendelsohn decomposition of a bipartite graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DulmageMendelsohn {
    /// The maximum matching it was computed from.
    pub matching: Matching,
    /// More equations than variables.
    pub over: Part,
    /// More variables than equations.
    pub under: Part,
    /// The square part, in solving order. Its equations may read variables of the over-determined
    /// part, and those of the under-determined part may read its variables; never the other way round.
    pub well: Blocks,
}

impl DulmageMendelsohn {
    /// O(edges · √vertices) for the matching, linear for the rest.
    pub fn new(graph: &Bipartite) -> Self {
        Self::with_matching(graph, maximum_matching(graph))
    }

    /// The decomposition from a maximum matching that is known already. O(vertices + edges).
    pub fn with_matching(graph: &Bipartite, matching: Matching) -> Self {
        let mut search = Alternating::new(graph.n_equations(), graph.n_variables());
        let free: Vec<_> = matching.free_equations().collect();
        let over = search
            .reach(graph, &matching, free, usize::MAX)
            .unwrap_or_default();
        let mut search = Alternating::new(graph.n_variables(), graph.n_equations());
        let free: Vec<_> = matching.free_variables().map(|x| EqId(x.0)).collect();
        let under = if free.is_empty() {
            Part::default()
        } else {
            let transposed = graph.transposed().0;
            let mirrored = matching.transposed();
            let part = search.reach(&transposed, &mirrored, free, usize::MAX);
            flipped(part.unwrap_or_default())
        };
        let mut in_well = vec![true; graph.n_equations()];
        for f in over.equations.iter().chain(&under.equations) {
            in_well[f.index()] = false;
        }
        let rows = (0..graph.n_equations())
            .filter(|&f| in_well[f])
            .map(|f| f as u32);
        let in_block = |_: EqId, edge: usize| {
            let reader = matching.equation_of(graph.variable_at(edge));
            reader.is_some_and(|g| in_well[g.index()])
        };
        let well = blocks_of(graph, &matching, rows, in_block);
        Self {
            matching,
            over,
            under,
            well,
        }
    }

    /// Whether the system is square and every equation has a variable of its own.
    pub fn is_regular(&self) -> bool {
        self.over.is_empty() && self.under.is_empty()
    }

    /// A smallest set of too many equations: `k + 1` equations that mention only the `k` variables
    /// returned with them, and without any one of the equations there would be enough variables.
    ///
    /// For each unmatched equation the equations reachable from it are such a set (the fundamental
    /// circuit of the transversal matroid); the smallest of these is taken. If there is one equation too
    /// many it is the only such set. O(unmatched equations · answer), at worst · edges.
    pub fn over_witness(&self, graph: &Bipartite) -> Option<Part> {
        self.over_circuit(graph).map(|circuit| circuit.part)
    }

    pub(crate) fn over_circuit(&self, graph: &Bipartite) -> Option<Circuit> {
        smallest_circuit(graph, &self.matching, self.matching.free_equations())
    }

    /// A smallest set of undetermined unknowns: `k + 1` variables that occur in only `k` equations,
    /// returned with them. See [`Self::over_witness`].
    pub fn under_witness(&self, graph: &Bipartite) -> Option<Part> {
        self.under_circuit(graph).map(|circuit| circuit.part)
    }

    pub(crate) fn under_circuit(&self, graph: &Bipartite) -> Option<Circuit> {
        let free = self.matching.free_variables().map(|x| EqId(x.0));
        let transposed = graph.transposed().0;
        let circuit = smallest_circuit(&transposed, &self.matching.transposed(), free)?;
        let edges = circuit
            .edges
            .into_iter()
            .map(|(f, x)| (EqId(x.0), VarId(f.0)))
            .collect();
        Some(Circuit {
            part: flipped(circuit.part),
            edges,
        })
    }
}

/// A smallest set of too many equations (or, transposed, of too many variables) with the edges that
/// prove it minimal: a matching of all but one, and a tree of alternating paths from that one to all
/// others. As long as these edges are there, and none that leaves the set, it is minimal.
pub(crate) struct Circuit {
    pub part: Part,
    pub edges: Vec<(EqId, VarId)>,
}

fn flipped(part: Part) -> Part {
    Part {
        equations: part.variables.into_iter().map(|x| EqId(x.0)).collect(),
        variables: part.equations.into_iter().map(|f| VarId(f.0)).collect(),
    }
}

fn smallest_circuit(
    graph: &Bipartite,
    matching: &Matching,
    free: impl Iterator<Item = EqId>,
) -> Option<Circuit> {
    let mut search = Alternating::new(graph.n_equations(), graph.n_variables());
    let mut best: Option<Circuit> = None;
    for root in free {
        let limit = best
            .as_ref()
            .map_or(usize::MAX, |best| best.part.equations.len() - 1);
        if let Some(part) = search.reach(graph, matching, vec![root], limit) {
            let mut edges = std::mem::take(&mut search.tree);
            let matched = |&x: &VarId| Some((matching.equation_of(x)?, x));
            edges.extend(part.variables.iter().filter_map(matched));
            best = Some(Circuit { part, edges });
        }
        search.forget();
    }
    best
}

/// Alternating breadth-first search whose buffers can be used again.
struct Alternating {
    seen_equation: Vec<bool>,
    seen_variable: Vec<bool>,
    touched: Part,
    /// The edge over which each variable was reached.
    tree: Vec<(EqId, VarId)>,
}

impl Alternating {
    fn new(n_equations: usize, n_variables: usize) -> Self {
        Self {
            seen_equation: vec![false; n_equations],
            seen_variable: vec![false; n_variables],
            touched: Part::default(),
            tree: Vec::new(),
        }
    }

    /// Everything reachable from `roots`; `None` if that is more than `limit` equations.
    fn reach(
        &mut self,
        graph: &Bipartite,
        matching: &Matching,
        roots: Vec<EqId>,
        limit: usize,
    ) -> Option<Part> {
        for &f in &roots {
            self.seen_equation[f.index()] = true;
        }
        self.touched.equations = roots;
        let mut head = 0;
        while head < self.touched.equations.len() {
            if self.touched.equations.len() > limit {
                return None;
            }
            let f = self.touched.equations[head];
            head += 1;
            for &x in graph.row(f) {
                if std::mem::replace(&mut self.seen_variable[x.index()], true) {
                    continue;
                }
                self.touched.variables.push(x);
                self.tree.push((f, x));
                // With a maximum matching every variable reached is matched.
                if let Some(g) = matching.equation_of(x)
                    && !std::mem::replace(&mut self.seen_equation[g.index()], true)
                {
                    self.touched.equations.push(g);
                }
            }
        }
        Some(self.touched.clone().sorted())
    }

    fn forget(&mut self) {
        self.tree.clear();
        for f in self.touched.equations.drain(..) {
            self.seen_equation[f.index()] = false;
        }
        for x in self.touched.variables.drain(..) {
            self.seen_variable[x.index()] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, m: usize, edges: &[(u32, u32)]) -> Bipartite {
        let edges: Vec<_> = edges.iter().map(|&(f, x)| (EqId(f), VarId(x))).collect();
        Bipartite::from_edges(n, m, &edges)
    }

    #[test]
    fn the_three_parts_and_the_witnesses_are_found() {
        // f0, f1 both fix x0; f2 reads x0 and x1; f3 has x2 and x3 to choose from.
        let g = graph(
            4,
            4,
            &[(0, 0), (1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (3, 3)],
        );
        let dm = DulmageMendelsohn::new(&g);
        assert_eq!(dm.over.equations, [EqId(0), EqId(1)]);
        assert_eq!(dm.over.variables, [VarId(0)]);
        assert_eq!(dm.under.equations, [EqId(3)]);
        assert_eq!(dm.under.variables, [VarId(2), VarId(3)]);
        assert_eq!(dm.well.len(), 1);
        assert_eq!(dm.well.get(0).equations, [EqId(2)]);
        assert_eq!(dm.over_witness(&g), Some(dm.over.clone()));
        assert_eq!(dm.under_witness(&g), Some(dm.under.clone()));
    }

    #[test]
    fn the_smallest_of_several_witnesses_is_reported() {
        // Three equations for two variables, and two for one.
        let g = graph(
            5,
            3,
            &[
                (0, 0),
                (0, 1),
                (1, 0),
                (1, 1),
                (2, 0),
                (2, 1),
                (3, 2),
                (4, 2),
            ],
        );
        let witness = DulmageMendelsohn::new(&g).over_witness(&g).unwrap();
        assert_eq!(witness.equations, [EqId(3), EqId(4)]);
        assert_eq!(witness.variables, [VarId(2)]);
    }

    #[test]
    fn blocks_come_in_solving_order() {
        // A loop of x1, x2 that reads x0.
        let g = graph(3, 3, &[(0, 1), (0, 2), (1, 1), (1, 2), (1, 0), (2, 0)]);
        let dm = DulmageMendelsohn::new(&g);
        let blocks: Vec<_> = dm.well.iter().map(|b| b.equations.to_vec()).collect();
        assert_eq!(blocks, [vec![EqId(2)], vec![EqId(0), EqId(1)]]);
    }
}
