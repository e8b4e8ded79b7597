//! The graph of needs against progressive evaluation, mode by mode.

use super::progress::Progress;
use super::waiting;
use crate::analysis::oracle::{N_MODES, System, system, text_with};
use crate::analysis::{Analysis, Options, Structure};
use crate::space::mode_var;
use crate::testing::mdae;
use modeshift_structure::ModeSets;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Whether evaluation gets stuck in some possible mode in which the model is regular, mode by mode.
fn is_stuck_somewhere(analysis: &Analysis) -> bool {
    let waiting = waiting(analysis);
    let Structure::All(all) = &analysis.structure else {
        return false;
    };
    let sets = &analysis.space.sets;
    let everything: Vec<_> = analysis.mdae.modes.ids().map(mode_var).collect();
    let possible = analysis.care.about(sets, &everything).unwrap();
    let ids: Vec<_> = analysis.mdae.modes.ids().collect();
    let mut sorted: Vec<_> = waiting.iter().copied().collect();
    sorted.sort_unstable();
    let rows: Vec<usize> = (0..analysis.rows.equations.len()).collect();
    let part = Progress::new(analysis, sorted, &rows);
    (0..1usize << ids.len()).any(|bits| {
        let mode: Vec<bool> = (0..ids.len()).map(|i| bits >> i & 1 == 1).collect();
        let values: BTreeMap<_, _> = ids.iter().copied().zip(mode.iter().copied()).collect();
        let regular = all
            .1
            .components
            .iter()
            .all(|component| sets.contains(&component.regular, &mode));
        if !regular || !sets.contains(&possible, &mode) {
            return false;
        }
        // What occurs in no equation of the mode is no unknown there.
        let truth = analysis.mdae.conds.evaluate(&mode);
        let system = crate::mode::OneMode::new(&analysis.mdae, &analysis.rows, &truth);
        let occurs = |read: &crate::sym::VarRef| system.variables.contains(&read.var);
        let all_occur = |id: &crate::model::ModeId| super::reads(analysis, *id).iter().all(occurs);
        if !waiting.iter().all(all_occur) {
            return false;
        }
        let mut left = part.waiting.clone();
        part.run(analysis, &values, &mut left);
        !left.is_empty()
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
    fn something_needs_itself_iff_evaluation_gets_stuck_in_some_mode(
        system in system(),
        conditions in conditions(),
    ) {
        let text = declared(&system, &conditions);
        let analysis = Analysis::new(mdae(&text), &Options::default());
        let expected = is_stuck_somewhere(&analysis);
        let knots = &analysis.knots;
        // The graph knows more where a variable is a state in some modes only: there it is known.
        if all_regular(&analysis) {
            prop_assert!(knots.is_empty() || expected, "a loop that is none: {}", text);
        }
        if same_states(&analysis) {
            prop_assert!(!knots.is_empty() || !expected, "a loop that is missed: {}", text);
        }
    }
}

/// Whether no part of the model is singular in any mode.
fn all_regular(analysis: &Analysis) -> bool {
    match &analysis.structure {
        Structure::All(all) => all
            .1
            .components
            .iter()
            .all(|part| part.regular == part.care),
        _ => false,
    }
}

/// Whether every variable has the same leading derivative in all modes.
fn same_states(analysis: &Analysis) -> bool {
    match &analysis.structure {
        Structure::All(all) => all.1.d.iter().all(|pieces| pieces.len() <= 1),
        _ => false,
    }
}
