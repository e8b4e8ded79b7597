//! Whether a loop decides over states: what it needs then is a restart, not an iteration.
//!
//! Two valuations of a loop's conditions differ in more than values if they differ in the offsets of differentiated variables
//! or in the constraints on states, the equations with an offset above zero. Sets of modes answer this for all
//! valuations at once: an offset depends on the loop if for some values of all other conditions it has one
//! value here and another there.

use super::graph::Node;
use crate::analysis::{Analysis, Structure};
use crate::model::ModeId;
use crate::space::mode_var;
use crate::sym::{Expr, Limits, normal_form};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{BddSet, ModeSets, ModeVar, NodeLimit};

/// Whether the valuations of the loop `nodes` that are possible differ in offsets. Where the sets become too large to tell, they
/// do not count as different.
pub(super) fn changes_state(analysis: &Analysis, nodes: &[Node]) -> bool {
    varying(analysis, nodes) == Ok(true)
}

fn varying(analysis: &Analysis, nodes: &[Node]) -> Result<bool, NodeLimit> {
    let Structure::All(all) = &analysis.structure else {
        return Ok(false);
    };
    let sets = &analysis.space.sets;
    let own: Vec<ModeVar> = conditions(nodes).map(mode_var).collect();
    let rows: FxHashSet<usize> = nodes
        .iter()
        .filter_map(|node| match node {
            Node::Row(row, _) => Some(*row),
            _ => None,
        })
        .collect();
    let mut components: Vec<usize> = rows
        .iter()
        .map(|&row| all.1.component_of_equation[row])
        .collect();
    components.sort_unstable();
    components.dedup();
    for component in components {
        let component = &all.1.components[component];
        let mut asked: FxHashSet<BddSet> = FxHashSet::default();
        let mut depends = |set: &BddSet| -> Result<bool, NodeLimit> {
            if *set == component.regular || !asked.insert(set.clone()) {
                return Ok(false);
            }
            let mut vars = sets.support(set);
            if !vars.iter().any(|var| own.contains(var)) {
                return Ok(false);
            }
            vars.extend(&own);
            let possible = analysis.care.about(sets, &vars)?;
            let possible = sets.and(&possible, &component.regular)?;
            let here = sets.and(set, &possible)?;
            let there = sets.diff(&possible, set)?;
            if sets.is_empty(&here) || sets.is_empty(&there) {
                return Ok(false);
            }
            sets.intersects(&sets.exists(&here, &own)?, &sets.exists(&there, &own)?)
        };
        // Twins under different guards are one constraint.
        let mut constraints: FxHashMap<(Expr, i32), BddSet> = FxHashMap::default();
        for equation in &component.equations {
            let row = equation.index();
            if !rows.contains(&row) {
                continue;
            }
            for occurrence in &analysis.rows.occurrences[row] {
                let x = occurrence.variable.0 as usize;
                if analysis.rows.differentiated[x] {
                    for piece in &all.1.d[x] {
                        if depends(&piece.modes)? {
                            return Ok(true);
                        }
                    }
                }
            }
            for piece in all.1.c[row].iter().filter(|piece| piece.value > 0) {
                let key = (residual(analysis, row), piece.value);
                let set = match constraints.get(&key) {
                    Some(old) => sets.or(old, &piece.modes)?,
                    None => piece.modes.clone(),
                };
                constraints.insert(key, set);
            }
        }
        for set in constraints.values() {
            if depends(set)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn residual(analysis: &Analysis, row: usize) -> Expr {
    let residual = analysis.mdae.equations[analysis.rows.equations[row]].residual();
    match normal_form(
        &residual,
        Limits {
            terms: 64,
            ..Limits::default()
        },
    ) {
        Ok(form) => form.monic().to_expr(),
        Err(_) => residual,
    }
}

pub(super) fn conditions(nodes: &[Node]) -> impl Iterator<Item = ModeId> + '_ {
    nodes.iter().filter_map(|node| match node {
        Node::Condition(id) => Some(*id),
        _ => None,
    })
}
