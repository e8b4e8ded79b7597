//! Logico-numerical fixpoints: conditions that read what can only be computed once they are known.
//!
//! RR-9334, Comments 5, 6 and 32. At the start of an instant inputs, left limits, held values and states
//! are known; a state is `x^(m)` with `m` below the smallest `d_x` over the regular modes. *Progressive
//! evaluation* ([`progress`]) then takes the equations whose form does not depend on unknown
//! conditions, adds what they determine, and evaluates the conditions that become known, until all are
//! known or nothing moves any more. Where the values of known conditions matter, [`explore`] tells them apart.
//! What is stuck is explained by [`cycle`].
//!
//! With transient modes in the model it is not known whether the instant belongs to a long mode while
//! conditions are unknown, so only the equations that hold in every mode may be used, once.

mod cycle;
mod explore;
mod progress;

use crate::analysis::{Analysis, Options, Structure};
use crate::model::{EqId, MDae, ModeDef, ModeId, Reads};
use crate::sym::{At, CondId, Expr, Kind, VarId, VarRef, for_each_node};
use modeshift_base::FxHashSet;
use modeshift_diag::Severity;
use modeshift_structure::{ModeSets, ModeStructure};

/// A set of conditions that depend on each other through equations.
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
    /// Whether the conditions change which variables occur in the equations.
    pub structural: bool,
    pub severity: Severity,
}

/// All fixpoints of a model, in order of their mode variables.
pub(crate) fn find(analysis: &mut Analysis, options: &Options, check: &dyn Fn()) -> Vec<Fixpoint> {
    let waiting = waiting(analysis);
    if waiting.is_empty() {
        return Vec::new();
    }
    let found = explore::all_stuck(analysis, &waiting, check);
    analysis.unexplored = found.unexplored;
    let Some(stuck) = found.stuck else {
        return Vec::new();
    };
    let mut found = cycle::cycles(analysis, &stuck);
    for fixpoint in &mut found {
        let harmless = !fixpoint.structural && !options.deny_fixpoints;
        fixpoint.severity = if harmless {
            Severity::Warning
        } else {
            Severity::Error
        };
    }
    found
}

/// What progressive evaluation could not evaluate, and a mode in which it could not.
pub(crate) struct Stuck {
    pub(crate) modes: Vec<ModeId>,
    pub(crate) valuation: Vec<bool>,
}

/// Mode variables that cannot be evaluated at the start of an instant.
fn waiting(analysis: &Analysis) -> FxHashSet<ModeId> {
    let mdae = &analysis.mdae;
    let mut wanted: Vec<ModeId> = mdae
        .modes
        .ids()
        .filter(|&id| !mdae.modes[id].auxiliary)
        .collect();
    let mut seen: FxHashSet<ModeId> = wanted.iter().copied().collect();
    let mut waiting = FxHashSet::default();
    while let Some(id) = wanted.pop() {
        if mdae.modes[id].reads != Reads::Current {
            continue;
        }
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            let parts = mdae.conds.support([formula]);
            wanted.extend(parts.into_iter().filter(|&part| seen.insert(part)));
            waiting.insert(id);
        } else if reads(analysis, id)
            .iter()
            .any(|read| !is_state(analysis, *read))
        {
            waiting.insert(id);
        }
    }
    // A formula over conditions that are known at once is known at once.
    let mut formulas: Vec<ModeId> = waiting.iter().copied().collect();
    formulas.sort_unstable();
    for id in formulas {
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            let parts = mdae.conds.support([formula]);
            if parts
                .iter()
                .all(|part| *part == id || !waiting.contains(part))
            {
                waiting.remove(&id);
            }
        }
    }
    waiting
}

/// The current values a mode variable is evaluated from, with the conditions inside its expressions.
pub(crate) fn reads(analysis: &Analysis, mode: ModeId) -> Vec<VarRef> {
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
pub(crate) fn is_state(analysis: &Analysis, occurrence: VarRef) -> bool {
    (occurrence.order as i32) < known_below(analysis, occurrence.var)
}

/// Derivatives of `variable` below this order are known at the start of an instant.
pub(crate) fn known_below(analysis: &Analysis, variable: VarId) -> i32 {
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
fn regular_mode(analysis: &Analysis) -> Option<Vec<bool>> {
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
            true
        });
    }
    conditions
}
