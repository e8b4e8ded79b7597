//! The block triangular form of the union of all modes.
//!
//! In a regular mode the enabled equations are matched with the present variables, and the absent ones
//! on either side are equally many. Give the union graph a *virtual* edge wherever an equation and
//! a variable are absent in a common mode: then every regular mode extends to a perfect matching of it, and
//! perfect matchings never leave the diagonal blocks. So every regular mode is matched block by block.
//! If the union graph has no perfect matching, no mode is regular.

use super::components::LocalProblem;
use crate::{Bipartite, EqId, ModeSets, NodeLimit, VarId, block_triangular_form, maximum_matching};

/// Equations and variables of one block, by their place in the component.
#[derive(Debug)]
pub(super) struct UnionBlock {
    pub equations: Vec<usize>,
    pub variables: Vec<usize>,
}

/// The blocks, those that use a variable before the one that determines it; `None` if all modes are
/// singular. O(edges · √vertices), plus one set operation per pair that could be absent together.
pub(super) fn union_blocks<M: ModeSets>(
    sets: &M,
    local: &LocalProblem<M::Set>,
) -> Result<Option<Vec<UnionBlock>>, NodeLimit> {
    let (n, m) = (local.active.len(), local.present.len());
    let mut edges: Vec<(EqId, VarId)> = local
        .edges
        .iter()
        .map(|edge| (EqId::new(edge.equation), VarId::new(edge.variable)))
        .collect();
    let absent = |present: &[M::Set]| -> Result<Vec<(usize, M::Set)>, NodeLimit> {
        let mut found = Vec::new();
        for (v, modes) in present.iter().enumerate() {
            if !sets.is_full(modes) {
                let absent = sets.diff(&local.care, modes)?;
                if !sets.is_empty(&absent) {
                    found.push((v, absent));
                }
            }
        }
        Ok(found)
    };
    let absent_equations = absent(&local.active)?;
    let absent_variables = absent(&local.present)?;
    // Fill the shorter side up with vertices that are absent in every mode.
    let size = n.max(m);
    let n_virtual = (absent_equations.len() + size - n) * (absent_variables.len() + size - m);
    if n_virtual > 4 * local.edges.len() + 1024 {
        // Too many pairs to look at: the whole component is one block, which is always right.
        return Ok(Some(vec![UnionBlock {
            equations: (0..n).collect(),
            variables: (0..m).collect(),
        }]));
    }
    for (f, f_absent) in &absent_equations {
        for (x, x_absent) in &absent_variables {
            if sets.intersects(f_absent, x_absent)? {
                edges.push((EqId::new(*f), VarId::new(*x)));
            }
        }
        edges.extend((m..size).map(|x| (EqId::new(*f), VarId::new(x))));
    }
    for (x, _) in &absent_variables {
        edges.extend((n..size).map(|f| (EqId::new(f), VarId::new(*x))));
    }
    let graph = Bipartite::from_edges(size, size, &edges);
    let matching = maximum_matching(&graph);
    if !matching.is_perfect() {
        return Ok(None);
    }
    let blocks = block_triangular_form(&graph, &matching);
    let block = |block: crate::Block<'_>| {
        let mut equations: Vec<usize> = block
            .equations
            .iter()
            .map(|f| f.index())
            .filter(|&f| f < n)
            .collect();
        let mut variables: Vec<usize> = block
            .variables
            .iter()
            .map(|x| x.index())
            .filter(|&x| x < m)
            .collect();
        equations.sort_unstable();
        variables.sort_unstable();
        UnionBlock {
            equations,
            variables,
        }
    };
    Ok(Some(blocks.iter().rev().map(block).collect()))
}
