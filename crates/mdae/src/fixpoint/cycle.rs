//! Explaining why evaluation got stuck: from the condition to what it reads, through the equations that
//! determine it, back to the condition.

use super::{Fixpoint, Stuck, conditions, is_state, reads};
use crate::analysis::Analysis;
use crate::mode::OneMode;
use crate::model::{EqId, ModeDef, ModeId};
use crate::sym::{CondId, VarId};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexSet};
use modeshift_diag::Severity;
use modeshift_structure::{self as structure, Matching, ModeStructure};
use petgraph::graph::DiGraph;
use std::collections::VecDeque;

/// Stuck conditions that are followed through the equations; more of them are more of the same.
const MAX_FOLLOWED: usize = 2000;

/// Conditions of a cycle that are flipped to see what they change.
const MAX_FLIPPED: usize = 16;

/// The fixpoints among the stuck conditions, in order of their mode variables.
pub(super) fn cycles(analysis: &mut Analysis, stuck: &Stuck) -> Vec<Fixpoint> {
    let follower = Follower::new(analysis, stuck);
    let mut graph = DiGraph::<ModeId, ()>::new();
    let nodes: FxHashMap<ModeId, _> = stuck
        .modes
        .iter()
        .map(|&mode| (mode, graph.add_node(mode)))
        .collect();
    let mut reached: FxHashMap<ModeId, Reached> = FxHashMap::default();
    for &mode in stuck.modes.iter().take(MAX_FOLLOWED) {
        let found = follower.follow(analysis, mode);
        for other in &found.modes {
            if let Some(&node) = nodes.get(other) {
                graph.add_edge(nodes[&mode], node, ());
            }
        }
        reached.insert(mode, found);
    }
    let mut components: Vec<Vec<ModeId>> = petgraph::algo::kosaraju_scc(&graph)
        .into_iter()
        .map(|component| {
            component
                .into_iter()
                .map(|node| graph[node])
                .collect::<Vec<_>>()
        })
        .filter(|modes| {
            let reads_itself = |found: &Reached| found.modes.contains(&modes[0]);
            modes.len() > 1 || reached.get(&modes[0]).is_some_and(reads_itself)
        })
        .collect();
    // Stuck without a cycle of our own making: name them all rather than none.
    if components.is_empty() {
        components.push(stuck.modes.clone());
    }
    for modes in &mut components {
        modes.sort_unstable();
    }
    components.sort();
    components
        .into_iter()
        .map(|modes| fixpoint(analysis, &follower, &reached, modes, &stuck.valuation))
        .collect()
}

/// What a condition depends on.
struct Reached {
    variables: Vec<VarId>,
    /// Stuck conditions that the equations on the way depend on.
    modes: FxIndexSet<ModeId>,
    /// Rows in order of discovery, each with the row that led to it.
    rows: Vec<(usize, Option<usize>)>,
}

/// Follows variables to the equations that determine them, in one mode.
struct Follower {
    system: OneMode,
    matching: Matching,
    column: FxHashMap<VarId, usize>,
    /// Per row of the system: the stuck conditions on which the form of the equation depends.
    depends: Vec<Vec<ModeId>>,
}

impl Follower {
    fn new(analysis: &Analysis, stuck: &Stuck) -> Self {
        let (system, structure) = analysis.mode(&stuck.valuation);
        let matching = match structure {
            ModeStructure::Regular { offsets, .. } => offsets.matching,
            ModeStructure::Singular(parts) => parts.matching,
        };
        let column = system
            .variables
            .iter()
            .enumerate()
            .map(|(i, &x)| (x, i))
            .collect();
        let waiting: FxHashSet<ModeId> = stuck.modes.iter().copied().collect();
        let depends = system
            .equations
            .iter()
            .map(|&id| {
                let mut modes = analysis.mdae.conds.support(conditions(&analysis.mdae, id));
                modes.retain(|mode| waiting.contains(mode));
                modes
            })
            .collect();
        Self {
            system,
            matching,
            column,
            depends,
        }
    }

    /// Breadth first from what `mode` reads. Linear in the part of the model it reaches.
    fn follow(&self, analysis: &Analysis, mode: ModeId) -> Reached {
        let mut found = Reached {
            variables: Vec::new(),
            modes: FxIndexSet::default(),
            rows: Vec::new(),
        };
        if let ModeDef::Formula(formula) = analysis.mdae.modes[mode].def {
            found.modes.extend(analysis.mdae.conds.support([formula]));
        }
        let mut queue: VecDeque<(VarId, Option<usize>)> = VecDeque::new();
        for read in reads(analysis, mode) {
            if !is_state(analysis, read) && !found.variables.contains(&read.var) {
                found.variables.push(read.var);
                queue.push_back((read.var, None));
            }
        }
        let mut seen: FxHashSet<VarId> = found.variables.iter().copied().collect();
        while let Some((variable, from)) = queue.pop_front() {
            let row = self
                .column
                .get(&variable)
                .and_then(|&column| self.matching.equation_of(structure::VarId::new(column)));
            let Some(row) = row else { continue };
            let step = found.rows.len();
            found.rows.push((row.index(), from));
            found.modes.extend(&self.depends[row.index()]);
            for (x, order) in self.system.matrix.row(row) {
                let other = self.system.variables[x.index()];
                let known = order < super::known_below(analysis, other);
                if !known && seen.insert(other) {
                    queue.push_back((other, Some(step)));
                }
            }
        }
        found
    }
}

fn fixpoint(
    analysis: &Analysis,
    follower: &Follower,
    reached: &FxHashMap<ModeId, Reached>,
    modes: Vec<ModeId>,
    valuation: &[bool],
) -> Fixpoint {
    let on_cycle = |row: usize| {
        follower.depends[row]
            .iter()
            .any(|mode| modes.contains(mode))
    };
    let mut variables: FxIndexSet<VarId> = FxIndexSet::default();
    let mut equations: FxIndexSet<EqId> = FxIndexSet::default();
    let mut path: Vec<EqId> = Vec::new();
    for mode in &modes {
        let Some(found) = reached.get(mode) else {
            continue;
        };
        variables.extend(&found.variables);
        for (step, &(row, _)) in found.rows.iter().enumerate() {
            if !on_cycle(row) {
                continue;
            }
            equations.insert(follower.system.equations[row]);
            if path.is_empty() {
                path = path_to(follower, found, step);
            }
        }
    }
    let structural = modes
        .iter()
        .take(MAX_FLIPPED)
        .any(|&mode| changes_structure(analysis, mode, valuation));
    Fixpoint {
        modes,
        variables: variables.into_iter().collect(),
        path,
        equations: equations.into_iter().collect(),
        structural,
        severity: Severity::Error,
    }
}

/// The equations from what is read to the one discovered at `step`.
fn path_to(follower: &Follower, found: &Reached, step: usize) -> Vec<EqId> {
    let mut path = Vec::new();
    let mut at = Some(step);
    while let Some(step) = at {
        let (row, from) = found.rows[step];
        path.push(follower.system.equations[row]);
        at = from;
    }
    path.reverse();
    path
}

/// Whether the value of a condition changes which variables occur in the equations, seen from one mode:
/// the rows with it and without it are compared as they are, whatever equation they come from.
fn changes_structure(analysis: &Analysis, mode: ModeId, valuation: &[bool]) -> bool {
    let rows = |value: bool| {
        let mut flipped = valuation.to_vec();
        flipped[mode.index()] = value;
        let truth = analysis.mdae.conds.evaluate(&flipped);
        let holds = |id: CondId| truth[id.0 as usize];
        let mut rows: Vec<Vec<(VarId, u32)>> = Vec::new();
        for (row, &id) in analysis.rows.equations.iter().enumerate() {
            if holds(analysis.mdae.equations[id].guard) {
                let mut occurrences: Vec<(VarId, u32)> = analysis.rows.occurrences[row]
                    .iter()
                    .filter(|occurrence| holds(occurrence.when))
                    .map(|occurrence| (occurrence.variable, occurrence.order))
                    .collect();
                occurrences.sort_unstable();
                occurrences.dedup();
                rows.push(occurrences);
            }
        }
        rows.sort();
        rows
    };
    rows(false) != rows(true)
}
