//! The conditional dependency graph: which equation's leading system reads what which other determines,
//! in which modes (RR-9334, figure 35). Evaluated in one mode it is the graph whose strongly connected
//! components are the blocks of that mode.

use super::{AllModes, Component, Piece, partition};
use crate::{EqId, GuardedProblem, ModeSets, NodeLimit, VarId};
use std::collections::BTreeMap;

/// In `modes`, the leading system of `reader` reads `variable`, which `writer` determines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency<S> {
    pub reader: EqId,
    pub writer: EqId,
    pub variable: VarId,
    pub modes: S,
}

/// The conditional dependency graph of a component, ascending by reader, variable and writer. An
/// equation's reading of its own variable is left out. O(edges · matched edges of the variable) set
/// operations.
pub fn dependency_graph<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
) -> Result<Vec<Dependency<M::Set>>, NodeLimit> {
    let mut writers: BTreeMap<VarId, Vec<(EqId, &M::Set)>> = BTreeMap::new();
    for edge in &component.matched {
        writers
            .entry(edge.variable)
            .or_default()
            .push((edge.equation, &edge.modes));
    }
    let mut labels: BTreeMap<(EqId, VarId, EqId), M::Set> = BTreeMap::new();
    for edge in result.edges_of(problem, component) {
        let c = &result.c[edge.equation.index()];
        let d = &result.d[edge.variable.index()];
        let leading = leading_modes(sets, c, d, edge.sigma, &edge.modes)?;
        if sets.is_empty(&leading) {
            continue;
        }
        for &(writer, written) in writers.get(&edge.variable).into_iter().flatten() {
            let modes = sets.and(&leading, written)?;
            if writer != edge.equation && !sets.is_empty(&modes) {
                let key = (edge.equation, edge.variable, writer);
                let label = labels.entry(key).or_insert_with(|| sets.empty());
                *label = sets.or(label, &modes)?;
            }
        }
    }
    let dependency = |((reader, variable, writer), modes)| Dependency {
        reader,
        writer,
        variable,
        modes,
    };
    Ok(labels.into_iter().map(dependency).collect())
}

/// The part of `modes` in which an edge with this σ belongs to the leading system.
fn leading_modes<M: ModeSets>(
    sets: &M,
    c: &[Piece<M::Set>],
    d: &[Piece<M::Set>],
    sigma: i32,
    modes: &M::Set,
) -> Result<M::Set, NodeLimit> {
    let mut leading = sets.empty();
    for piece in c {
        if let Some(d_modes) = partition::modes_with(d, piece.value + sigma) {
            let both = sets.and(&sets.and(modes, &piece.modes)?, d_modes)?;
            leading = sets.or(&leading, &both)?;
        }
    }
    Ok(leading)
}
