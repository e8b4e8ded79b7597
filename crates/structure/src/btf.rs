//! Block triangular form: the order in which a matched system can be solved, block by block.

use crate::scc::{Successor, strong_components};
use crate::{Bipartite, EqId, Matching, VarId};

/// The diagonal blocks of a block triangular form, in the order in which they can be solved: the
/// equations of a block read variables of this block and of earlier ones only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    starts: Vec<u32>,
    equations: Vec<EqId>,
    variables: Vec<VarId>,
}

/// One block: as many equations as variables, matched place by place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    pub equations: &'a [EqId],
    pub variables: &'a [VarId],
}

impl Blocks {
    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, block: usize) -> Block<'_> {
        let range = self.starts[block] as usize..self.starts[block + 1] as usize;
        Block {
            equations: &self.equations[range.clone()],
            variables: &self.variables[range],
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Block<'_>> + ExactSizeIterator {
        (0..self.len()).map(|block| self.get(block))
    }

    /// The size of the largest block.
    pub fn largest(&self) -> usize {
        self.iter()
            .map(|block| block.equations.len())
            .max()
            .unwrap_or(0)
    }
}

/// The block triangular form of the matched part of `graph`: the strongly connected components of
/// "`f` reads the variable that `g` is matched with". It does not depend on which maximum matching
/// was found, except for the order of independent blocks. O(vertices + edges).
pub fn block_triangular_form(graph: &Bipartite, matching: &Matching) -> Blocks {
    let matched = matching.pairs().map(|(f, _)| f.0);
    blocks_of(graph, matching, matched, |_, _| true)
}

/// The same, restricted to the matched equations in `rows` (closed under reading each other's
/// variables) and to the admissible edges.
pub(crate) fn blocks_of(
    graph: &Bipartite,
    matching: &Matching,
    rows: impl Iterator<Item = u32>,
    admissible: impl Fn(EqId, usize) -> bool,
) -> Blocks {
    let successor = |v: u32, position: u32| {
        let edges = graph.edges_of(EqId(v));
        let edge = edges.start + position as usize;
        if edge >= edges.end {
            return Successor::End;
        }
        if !admissible(EqId(v), edge) {
            return Successor::Gap;
        }
        match matching.equation_of(graph.variable_at(edge)) {
            Some(g) if g.0 != v => Successor::Vertex(g.0),
            _ => Successor::Gap,
        }
    };
    let (order, starts) = strong_components(graph.n_equations(), rows, successor);
    let mut equations: Vec<EqId> = order.into_iter().map(EqId).collect();
    for range in starts.windows(2) {
        equations[range[0] as usize..range[1] as usize].sort_unstable();
    }
    let variables = equations
        .iter()
        .map(|&f| {
            matching
                .variable_of(f)
                .expect("blocks are made of matched equations")
        })
        .collect();
    Blocks {
        starts,
        equations,
        variables,
    }
}
