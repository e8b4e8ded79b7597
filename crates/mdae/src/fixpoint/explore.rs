//! Progressive evaluation in all modes: which conditions stay unknown in some mode.
//!
//! What can be evaluated may depend on the values of conditions that are known already. Instead of trying all modes,
//! values are told apart only when evaluation has come to a halt, and only of conditions that are known by then:
//! a decision tree whose leaves are sets of modes with the same course of evaluation. The tree visits every
//! possible mode, so that its verdict is exact. Parts of the model that share no waiting condition have a tree
//! each.

use super::progress::Progress;
use super::{Stuck, conditions, reads, regular_mode};
use crate::analysis::{Analysis, Structure};
use crate::model::{ModeDef, ModeId};
use crate::space::mode_var;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{BddSet, ModeSets, ModeVar};
use petgraph::unionfind::UnionFind;
use std::collections::BTreeMap;

/// Nodes of one decision tree.
const MAX_NODES: usize = 4096;

/// Equations that are looked at in all nodes of one tree together.
const MAX_STEPS: usize = 8_000_000;

/// The outcome for all parts of a model.
pub(super) struct Found {
    pub(super) stuck: Option<Stuck>,
    /// Conditions whose tree was cut off: that they can always be evaluated is not proven.
    pub(super) unexplored: Vec<ModeId>,
}

/// Looks for modes in which progressive evaluation gets stuck. At most O([`MAX_NODES`]) rounds of evaluation per
/// part.
pub(super) fn all_stuck(
    analysis: &Analysis,
    waiting: &FxHashSet<ModeId>,
    check: &dyn Fn(),
) -> Found {
    let nothing = vec![false; analysis.mdae.modes.len()];
    let mut valuation = regular_mode(analysis).unwrap_or(nothing);
    let mut stuck = Vec::new();
    let mut unexplored = Vec::new();
    for part in parts(analysis, waiting) {
        check();
        match explore(analysis, &part, check) {
            Outcome::Known => {}
            Outcome::Stuck { left, values } => {
                stuck.extend(left);
                // Parts have their own conditions: their values can be put side by side.
                for (id, value) in values {
                    valuation[id.index()] = value;
                }
            }
            Outcome::CutOff => unexplored.extend(&part.waiting),
        }
    }
    stuck.sort_unstable();
    let stuck = (!stuck.is_empty()).then_some(Stuck {
        modes: stuck,
        valuation,
    });
    Found { stuck, unexplored }
}

/// The waiting conditions by the parts of the model that they read and decide. O(model · α).
fn parts(analysis: &Analysis, waiting: &FxHashSet<ModeId>) -> Vec<Progress> {
    let mdae = &analysis.mdae;
    let n_modes = mdae.modes.len();
    let n_components = match &analysis.structure {
        Structure::All(all) => all.1.components.len(),
        _ => 1,
    };
    let component_of_row = |row: usize| match &analysis.structure {
        Structure::All(all) => all.1.component_of_equation[row],
        _ => 0,
    };
    let mut classes: UnionFind<usize> = UnionFind::new(n_modes + n_components);
    for &id in waiting {
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            for part in mdae.conds.support([formula]) {
                classes.union(id.index(), part.index());
            }
        }
        for read in reads(analysis, id) {
            let component = match &analysis.structure {
                Structure::All(all) => all.1.component_of_variable[read.var.0 as usize],
                _ => Some(0),
            };
            if let Some(component) = component {
                classes.union(id.index(), n_modes + component);
            }
        }
    }
    for (row, &id) in analysis.rows.equations.iter().enumerate() {
        for mode in mdae.conds.support(conditions(mdae, id)) {
            if waiting.contains(&mode) {
                classes.union(mode.index(), n_modes + component_of_row(row));
            }
        }
    }
    let mut sorted: Vec<ModeId> = waiting.iter().copied().collect();
    sorted.sort_unstable();
    let mut number: FxHashMap<usize, usize> = FxHashMap::default();
    let mut found: Vec<(Vec<ModeId>, Vec<usize>)> = Vec::new();
    for id in sorted {
        let part = *number
            .entry(classes.find(id.index()))
            .or_insert(found.len());
        if part == found.len() {
            found.push((Vec::new(), Vec::new()));
        }
        found[part].0.push(id);
    }
    for row in 0..analysis.rows.equations.len() {
        let class = classes.find(n_modes + component_of_row(row));
        if let Some(&part) = number.get(&class) {
            found[part].1.push(row);
        }
    }
    let part = |(waiting, rows): (Vec<ModeId>, Vec<usize>)| Progress::new(analysis, waiting, &rows);
    found.into_iter().map(part).collect()
}

enum Outcome {
    Known,
    /// The conditions that stay unknown, and values of conditions for which they do.
    Stuck {
        left: Vec<ModeId>,
        values: Vec<(ModeId, bool)>,
    },
    CutOff,
}

/// A node of the tree: the values told apart so far, the modes that have them, and what is still unknown.
struct Branch {
    values: BTreeMap<ModeId, bool>,
    modes: Option<BddSet>,
    left: Vec<ModeId>,
}

fn explore(analysis: &Analysis, part: &Progress, check: &dyn Fn()) -> Outcome {
    let affordable = (MAX_STEPS / part.n_rows().max(1)).clamp(16, MAX_NODES);
    let concerned = part.modes.iter().chain(&part.waiting);
    let concerned: Vec<ModeVar> = concerned.map(|&id| mode_var(id)).collect();
    let possible = analysis.care.about(&analysis.space.sets, &concerned);
    let mut stack = vec![Branch {
        values: BTreeMap::new(),
        modes: possible.ok(),
        left: part.waiting.clone(),
    }];
    let mut visited = 0;
    while let Some(mut branch) = stack.pop() {
        check();
        visited += 1;
        if visited > affordable {
            return Outcome::CutOff;
        }
        part.run(analysis, &branch.values, &mut branch.left);
        if branch.left.is_empty() {
            continue;
        }
        // With transient modes it is not known whether the instant belongs to a long mode.
        let next = if analysis.mdae.has_transients() {
            None
        } else {
            undecided(part, &branch)
        };
        let Some(next) = next else {
            return Outcome::Stuck {
                values: decided(analysis, part, &branch),
                left: branch.left,
            };
        };
        for value in [true, false] {
            stack.extend(with_value(analysis, &branch, next, value));
        }
    }
    Outcome::Known
}

/// A condition that matters to the equations, is known, and has not been told apart.
fn undecided(part: &Progress, branch: &Branch) -> Option<ModeId> {
    let open = |id: &&ModeId| !branch.values.contains_key(id) && !branch.left.contains(id);
    part.modes.iter().find(open).copied()
}

/// The half of a branch in which a condition has a value, if there are such modes.
fn with_value(analysis: &Analysis, branch: &Branch, id: ModeId, value: bool) -> Option<Branch> {
    let sets = &analysis.space.sets;
    let half = |modes: &BddSet| sets.and(modes, &sets.literal(mode_var(id), value)?);
    // Beyond the node limit every combination of values counts as possible.
    let modes = branch.modes.as_ref().and_then(|modes| half(modes).ok());
    if modes.as_ref().is_some_and(|modes| sets.is_empty(modes)) {
        return None;
    }
    let mut values = branch.values.clone();
    values.insert(id, value);
    Some(Branch {
        values,
        modes,
        left: branch.left.clone(),
    })
}

/// A mode of the branch, as far as the part depends on it; regular if there is one.
fn decided(analysis: &Analysis, part: &Progress, branch: &Branch) -> Vec<(ModeId, bool)> {
    let sets = &analysis.space.sets;
    let regular = regular_in(analysis, branch);
    let mode = regular.or_else(|| branch.modes.as_ref().and_then(|modes| sets.pick(modes)));
    let value = |id: ModeId| match (branch.values.get(&id), &mode) {
        (Some(&value), _) => value,
        (None, Some(mode)) => mode[id.index()],
        (None, None) => false,
    };
    let ids = part.modes.iter().chain(&part.waiting);
    ids.map(|&id| (id, value(id))).collect()
}

/// A mode of the branch in which the components it concerns are regular, to follow the determination of
/// variables in.
fn regular_in(analysis: &Analysis, branch: &Branch) -> Option<Vec<bool>> {
    let Structure::All(all) = &analysis.structure else {
        return None;
    };
    let sets = &analysis.space.sets;
    let mut modes = branch.modes.clone()?;
    let read = reads(analysis, *branch.left.first()?);
    let components = read
        .iter()
        .filter_map(|read| all.1.component_of_variable[read.var.0 as usize]);
    for component in components.map(|number| &all.1.components[number]) {
        let both = sets.and(&modes, &component.regular).ok()?;
        if !sets.is_empty(&both) {
            modes = both;
        }
    }
    sets.pick(&modes)
}

#[cfg(test)]
mod tests {
    use super::super::waiting;
    use super::{all_stuck, parts};
    use crate::analysis::oracle::{N_MODES, System, system, text_with};
    use crate::analysis::{Analysis, Options};
    use crate::space::mode_var;
    use crate::testing::mdae;
    use modeshift_structure::ModeSets;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Whether evaluation gets stuck in some possible mode, mode by mode.
    fn is_stuck_somewhere(analysis: &Analysis) -> bool {
        let waiting = waiting(analysis);
        let everything: Vec<_> = analysis.mdae.modes.ids().map(mode_var).collect();
        let possible = analysis
            .care
            .about(&analysis.space.sets, &everything)
            .unwrap();
        let parts = parts(analysis, &waiting);
        let ids: Vec<_> = analysis.mdae.modes.ids().collect();
        (0..1usize << ids.len()).any(|bits| {
            let mode: Vec<bool> = (0..ids.len()).map(|i| bits >> i & 1 == 1).collect();
            let values: BTreeMap<_, _> = ids.iter().copied().zip(mode.iter().copied()).collect();
            analysis.space.sets.contains(&possible, &mode)
                && parts.iter().any(|part| {
                    let mut left = part.waiting.clone();
                    part.run(analysis, &values, &mut left);
                    !left.is_empty()
                })
        })
    }

    /// Inputs and conditions on current values.
    fn conditions() -> impl Strategy<Value = [Option<(usize, i32)>; N_MODES]> {
        let one = prop::option::weighted(0.6, (0..4usize, 0..3i32));
        [one.clone(), one.clone(), one]
    }

    fn declared(system: &System, conditions: &[Option<(usize, i32)>; N_MODES]) -> String {
        let mut modes = [const { String::new() }; N_MODES];
        for (k, condition) in conditions.iter().enumerate() {
            modes[k] = match condition {
                None => format!("input Boolean g{k};"),
                Some((x, c)) => format!("Boolean g{k} = x{} > {c};", x % system.n_variables),
            };
        }
        text_with(system, &modes)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn the_tree_gets_stuck_iff_some_mode_does(system in system(), conditions in conditions()) {
            let text = declared(&system, &conditions);
            let analysis = Analysis::new(mdae(&text), &Options::default());
            let waiting = waiting(&analysis);
            let found = all_stuck(&analysis, &waiting, &|| {});
            prop_assert!(found.unexplored.is_empty());
            let expected = is_stuck_somewhere(&analysis);
            prop_assert_eq!(found.stuck.is_some(), expected, "{}", text);
        }
    }
}
