//! Explaining why evaluation got stuck: from the condition to what it reads, through the equations that
//! determine it, back to the condition.

use super::{Fixpoint, conditions, is_state, reads};
use crate::analysis::{Analysis, Structure};
use crate::loops::Loop;
use crate::mode::OneMode;
use crate::model::{EqId, ModeDef, ModeId};
use crate::sym::VarId;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexSet};
use modeshift_diag::Severity;
use modeshift_structure::{self as structure, Matching, ModeStructure};
use std::collections::VecDeque;

/// Conditions of one loop that are followed through the equations; more of them are more of the same.
const MAX_FOLLOWED: usize = 64;

/// Why the conditions of a loop depend on themselves.
pub(super) fn explained(analysis: &Analysis, decided: &Loop, number: usize) -> Fixpoint {
    if decided.modes.is_empty() {
        return without_conditions(analysis, decided, number);
    }
    let follower = Follower::new(analysis, decided);
    let reached: FxHashMap<ModeId, Reached> = decided
        .modes
        .iter()
        .take(MAX_FOLLOWED)
        .map(|&mode| (mode, follower.follow(analysis, mode)))
        .collect();
    fixpoint(&follower, &reached, decided, number)
}

/// A loop whose equations choose by themselves: these, and the unknowns by which.
fn without_conditions(analysis: &Analysis, decided: &Loop, number: usize) -> Fixpoint {
    let choices = decided.choices(analysis);
    let mut variables: FxIndexSet<VarId> = FxIndexSet::default();
    for (_, choice) in &choices {
        let reads = crate::sym::variables(choice).into_iter();
        variables.extend(
            reads
                .filter(|it| decided.unknowns.contains(it))
                .map(|it| it.var),
        );
    }
    let equations: FxIndexSet<EqId> = choices.into_iter().map(|(id, _)| id).collect();
    Fixpoint {
        modes: Vec::new(),
        variables: variables.into_iter().collect(),
        path: Vec::new(),
        equations: equations.into_iter().collect(),
        severity: decided.severity.unwrap_or(Severity::Note),
        number,
    }
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
    fn new(analysis: &Analysis, decided: &Loop) -> Self {
        let truth = analysis.mdae.conds.evaluate(&decided.mode);
        let rows = component_rows(analysis, decided);
        let system = OneMode::of_rows(&analysis.mdae, &analysis.rows, &truth, rows);
        let structure = system.structure();
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
        let waiting: FxHashSet<ModeId> = decided.modes.iter().copied().collect();
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

/// The rows of the components that a loop touches.
fn component_rows(analysis: &Analysis, decided: &Loop) -> Vec<usize> {
    let Structure::All(all) = &analysis.structure else {
        return (0..analysis.rows.equations.len()).collect();
    };
    let mut components: Vec<usize> = decided
        .rows
        .iter()
        .map(|&(row, _)| all.1.component_of_equation[row])
        .collect();
    components.sort_unstable();
    components.dedup();
    let equations = components
        .into_iter()
        .flat_map(|component| &all.1.components[component].equations);
    equations.map(|f| f.index()).collect()
}

fn fixpoint(
    follower: &Follower,
    reached: &FxHashMap<ModeId, Reached>,
    decided: &Loop,
    number: usize,
) -> Fixpoint {
    let on_cycle = |row: usize| {
        follower.depends[row]
            .iter()
            .any(|mode| decided.modes.contains(mode))
    };
    let mut variables: FxIndexSet<VarId> = FxIndexSet::default();
    let mut equations: FxIndexSet<EqId> = FxIndexSet::default();
    let mut path: Vec<EqId> = Vec::new();
    for mode in &decided.modes {
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
    Fixpoint {
        modes: decided.modes.clone(),
        variables: variables.into_iter().collect(),
        path,
        equations: equations.into_iter().collect(),
        severity: decided.severity.unwrap_or(Severity::Note),
        number,
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
