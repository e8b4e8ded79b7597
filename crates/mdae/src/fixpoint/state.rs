//! Whether a loop decides over states: what it needs then is a restart, not an iteration.
//!
//! Two valuations of a loop's conditions differ in more than values if they differ in the offsets of differentiated variables
//! or in the constraints on states, the equations with an offset above zero. Sets of modes answer this for all
//! valuations at once: an offset depends on the loop if for some values of all other conditions it has one
//! value here and another there.
//!
//! Where the smallest offsets differ, larger ones may agree ([`crate::common`]): then the states are the same.

use super::graph::Node;
use crate::analysis::{Analysis, Structure};
use crate::common::{Common, Watched};
use crate::model::ModeId;
use crate::space::mode_var;
use crate::sym::VarId;
use modeshift_base::FxHashMap;
use modeshift_structure::{ModeVar, NodeLimit};

/// Whether the valuations of the loop `nodes` that are possible differ in offsets. Where the sets become too large to tell, they
/// do not count as different.
pub(super) fn changes_state(analysis: &Analysis, nodes: &[Node]) -> bool {
    varying(analysis, nodes) == Ok(true)
}

fn varying(analysis: &Analysis, nodes: &[Node]) -> Result<bool, NodeLimit> {
    let Structure::All(all) = &analysis.structure else {
        return Ok(false);
    };
    let own: Vec<ModeVar> = conditions(nodes).map(mode_var).collect();
    let mut parts: FxHashMap<usize, Watched> = FxHashMap::default();
    for node in nodes {
        let &Node::Row(row, _) = node else {
            continue;
        };
        let part = parts.entry(all.1.component_of_equation[row]).or_default();
        part.rows.insert(row);
        for occurrence in &analysis.rows.occurrences[row] {
            if analysis.rows.differentiated[occurrence.variable.0 as usize] {
                part.variables.insert(VarId(occurrence.variable.0));
            }
        }
    }
    for (component, watched) in parts {
        let common = Common::new(analysis, all, component, own.clone()).with_same_forms();
        if !common.exist(watched)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn conditions(nodes: &[Node]) -> impl Iterator<Item = ModeId> + '_ {
    nodes.iter().filter_map(|node| match node {
        Node::Condition(id) => Some(*id),
        _ => None,
    })
}
