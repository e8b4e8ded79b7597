//! Logico-numerical fixpoints: conditions that read what can only be computed once they are known.
//!
//! RR-9334, Comments 5, 6 and 32. At the start of an instant inputs, left limits, held values and states
//! are known; a state is `x^(m)` with `m` below the smallest `d_x` over the regular modes. *Progressive
//! evaluation* then takes the equations whose form does not depend on unknown conditions, adds what they determine, and
//! evaluates the conditions that become known, until all are known or nothing moves any more. It succeeds in a mode
//! iff nothing in the graph of needs ([`graph`]) leads back to itself there, which is asked for all modes at once. That
//! the two ways agree is tested (`progress`).
//!
//! An expression that chooses by itself, such as `abs(x)`, is looked at where no condition is on the loop: it is one without a name.
//!
//! What is left are loops. One that decides over states ([`state`]) is rejected; the others are for
//! [`crate::loops`] to decide. What the user is told about a loop is explained by [`cycle`].

mod cycle;
pub(crate) mod graph;
#[cfg(test)]
mod progress;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use graph::Knot;

use crate::analysis::{Analysis, Options, Structure, Structured};
use crate::loops;
use crate::model::{EqId, MDae, ModeDef, ModeId, Reads};
use crate::sym::{At, CondId, Expr, Kind, VarId, VarRef, for_each_node};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::Severity;
use modeshift_structure::{ModeSets, ModeStructure};

/// The cycle of a loop, as it is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Fixpoint {
    /// The mode variables on the cycle.
    pub modes: Vec<ModeId>,
    /// What their predicates read and is not known beforehand.
    pub variables: Vec<VarId>,
    /// From the variable that is read, equation by equation, to one that depends on the condition.
    pub path: Vec<EqId>,
    /// All equations on the cycle whose form depends on the conditions.
    pub equations: Vec<EqId>,
    pub severity: Severity,
    /// Its place in [`Analysis::loops`].
    pub number: usize,
}

/// Finds all loops of a shape, in order of their mode variables.
pub(crate) fn knots(structured: &mut Structured, check: &dyn Fn()) -> Vec<Knot> {
    let waiting = waiting(structured);
    let choosers = choosers(structured);
    let is_known = matches!(structured.structure, Structure::All(_) | Structure::One(_));
    if waiting.is_empty() && choosers.is_empty() || !is_known {
        return Vec::new();
    }
    graph::Graph::new(structured, &waiting, &choosers, check).knots(check)
}

/// Rows with expressions that choose without a condition, such as `abs(x)`, with the values they choose by, as far as these are not
/// known at the start of an instant. Linear in the equations.
fn choosers(analysis: &Structured) -> FxHashMap<usize, Vec<VarRef>> {
    let mut found = FxHashMap::default();
    for (row, &id) in analysis.rows.equations.iter().enumerate() {
        let equation = &analysis.mdae.equations[id];
        let mut reads: Vec<VarRef> = Vec::new();
        for side in [&equation.lhs, &equation.rhs] {
            for_each_node(side, &mut |node| {
                if let Kind::Call(function, args) = node.kind()
                    && loops::chooses(function)
                {
                    let by = loops::chosen_by(function, args).iter();
                    reads.extend(by.flat_map(crate::sym::variables));
                }
                true
            });
        }
        reads.retain(|read| {
            read.at == At::Now && analysis.mdae.is_unknown(read.var) && !is_state(analysis, *read)
        });
        reads.sort_unstable();
        reads.dedup();
        if !reads.is_empty() {
            found.insert(row, reads);
        }
    }
    found
}

/// Decides the loops that were found, and explains those that are told. Gives how many were not known for these numbers.
pub(crate) fn decide(analysis: &mut Analysis, options: &Options, check: &dyn Fn()) -> usize {
    let mut decide = loops::Decide::new(options);
    let mut loops = Vec::with_capacity(analysis.knots.len());
    let over_states = analysis.over_states(|| {
        let over_states = analysis.knots.iter().map(|knot| {
            check();
            state::changes_state(analysis, &knot.nodes)
        });
        over_states.collect()
    });
    analysis.verdicts().prepare(&analysis.mdae);
    for (number, &over_states) in over_states.iter().enumerate() {
        check();
        loops.push(decide.status(analysis, number, over_states, check));
    }
    analysis.loops = loops;
    analysis.fixpoints = told(analysis);
    decide.decided
}

/// Explanations of the loops that are errors or warnings.
fn told(analysis: &Analysis) -> Vec<Fixpoint> {
    let mut found = Vec::new();
    for (number, decided) in analysis.loops.iter().enumerate() {
        if decided
            .severity
            .is_some_and(|severity| severity > Severity::Note)
        {
            found.push(cycle::explained(analysis, decided, number));
        }
    }
    found
}

/// Mode variables that cannot be evaluated at the start of an instant.
fn waiting(analysis: &Structured) -> FxHashSet<ModeId> {
    let mdae = &analysis.mdae;
    let mut wanted: Vec<ModeId> = mdae
        .modes
        .ids()
        .filter(|&id| !mdae.modes[id].auxiliary)
        .collect();
    let mut seen: FxHashSet<ModeId> = wanted.iter().copied().collect();
    let mut users: FxHashMap<ModeId, Vec<ModeId>> = FxHashMap::default();
    let mut waiting: FxHashSet<ModeId> = FxHashSet::default();
    let mut reached: Vec<ModeId> = Vec::new();
    while let Some(id) = wanted.pop() {
        let mut conditions = update_conditions(mdae, id);
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            conditions.push(formula);
        }
        for part in mdae.conds.support(conditions) {
            users.entry(part).or_default().push(id);
            if seen.insert(part) {
                wanted.push(part);
            }
        }
        if mdae.modes[id].reads == Reads::Current
            && reads(analysis, id)
                .iter()
                .any(|read| !is_state(analysis, *read))
            && waiting.insert(id)
        {
            reached.push(id);
        }
    }
    while let Some(id) = reached.pop() {
        for &user in users.get(&id).into_iter().flatten() {
            if waiting.insert(user) {
                reached.push(user);
            }
        }
    }
    waiting
}

/// The conditions that decide at an instant what a mode variable becomes that is held between instants.
pub(crate) fn update_conditions(mdae: &MDae, mode: ModeId) -> Vec<CondId> {
    let mut found = Vec::new();
    for update in mdae.updates.iter().filter(|update| update.mode == mode) {
        found.extend([update.guard, update.value]);
        found.extend(update.firing.triggers.iter().chain(&update.firing.unless));
    }
    found
}

/// The current values a mode variable is evaluated from, with the conditions inside its expressions.
pub(crate) fn reads(analysis: &Structured, mode: ModeId) -> Vec<VarRef> {
    let mut found = Vec::new();
    let mut collect = |expr: &Expr| {
        for_each_node(expr, &mut |node| {
            if let Kind::Var(occurrence) = node.kind()
                && occurrence.at == At::Now
                && analysis.mdae.is_unknown(occurrence.var)
            {
                found.push(*occurrence);
            }
            true
        });
    };
    match &analysis.mdae.modes[mode].def {
        ModeDef::Predicate(predicate) => {
            collect(&predicate.lhs);
            collect(&predicate.rhs);
        }
        ModeDef::Opaque(value) => collect(value),
        _ => {}
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether an occurrence is a state in every mode.
pub(crate) fn is_state(analysis: &Structured, occurrence: VarRef) -> bool {
    (occurrence.order as i32) < known_below(analysis, occurrence.var)
}

/// Derivatives of `variable` below this order are known at the start of an instant.
pub(crate) fn known_below(analysis: &Structured, variable: VarId) -> i32 {
    let offset = match &analysis.structure {
        Structure::One(one) => match &one.1 {
            ModeStructure::Regular { offsets, .. } => {
                analysis.column(variable).map(|column| offsets.d[column])
            }
            ModeStructure::Singular(_) => None,
        },
        _ => analysis.smallest_offset(variable),
    };
    // Where the structure is not known, a variable that is differentiated somewhere is a state.
    offset.unwrap_or_else(|| i32::from(analysis.rows.differentiated[variable.0 as usize]))
}

/// A mode in which the model is regular, to follow the determination of variables in.
fn regular_mode(analysis: &Structured) -> Option<Vec<bool>> {
    let Structure::All(all) = &analysis.structure else {
        return None;
    };
    let sets = &analysis.space.sets;
    let mut mode = vec![false; analysis.mdae.modes.len()];
    for component in &all.1.components {
        if let Some(picked) = sets.pick(&component.regular) {
            for var in &component.mode_variables {
                mode[var.index()] = picked[var.index()];
            }
        }
    }
    Some(mode)
}

/// All conditions of an equation: its guard and those of its if-expressions.
pub(crate) fn conditions(mdae: &MDae, id: EqId) -> Vec<CondId> {
    let equation = &mdae.equations[id];
    let mut conditions = vec![equation.guard];
    for side in [&equation.lhs, &equation.rhs] {
        for_each_node(side, &mut |node| {
            if let Kind::If(condition, ..) | Kind::Cond(condition) = node.kind() {
                conditions.push(*condition);
            }
            node.is_conditional()
        });
    }
    conditions
}
