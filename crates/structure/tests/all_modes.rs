//! The analysis of all modes against the enumeration of all modes.

mod common;

use common::{N_MODE_VARS, Tables, mode, problem, problems};
use modeshift_structure::{
    BddSets, ExplicitSets, GuardedProblem, ModeSets, Partition, analyse_all_modes, sigma_method,
};
use proptest::prelude::*;

fn value_in<M: ModeSets>(sets: &M, partition: &Partition<M::Set>, mode: &[bool]) -> Option<i32> {
    let mut values = partition
        .iter()
        .filter(|p| sets.contains(&p.modes, mode))
        .map(|piece| piece.value);
    let value = values.next();
    assert_eq!(values.next(), None, "pieces overlap");
    value
}

fn equals_enumeration<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
) -> Result<(), TestCaseError> {
    let result = analyse_all_modes(sets, problem);
    prop_assert_eq!(result.over_limit(), None);
    for m in 0..16 {
        let mode = mode(m);
        if !problem.is_possible(sets, &mode) {
            continue;
        }
        let system = problem.mode_system(sets, &mode);
        for component in &result.components {
            prop_assert!(sets.contains(&component.care, &mode));
        }
        let regular = result
            .components
            .iter()
            .all(|c| sets.contains(&c.regular, &mode));
        let singular = result
            .components
            .iter()
            .any(|c| sets.contains(&c.singular, &mode));
        let offsets = sigma_method(&system.matrix);
        prop_assert_eq!(regular, offsets.is_some(), "regular in {:?}", mode);
        prop_assert_eq!(singular, offsets.is_none(), "singular in {:?}", mode);
        let Some(offsets) = offsets else { continue };
        for (row, f) in system.equations.iter().enumerate() {
            let found = value_in(sets, &result.c[f.index()], &mode);
            prop_assert_eq!(found, Some(offsets.c[row]), "c of {:?} in {:?}", f, mode);
        }
        for (column, x) in system.variables.iter().enumerate() {
            let found = value_in(sets, &result.d[x.index()], &mode);
            prop_assert_eq!(found, Some(offsets.d[column]), "d of {:?} in {:?}", x, mode);
        }
        let mut matched = Vec::new();
        for edge in result.components.iter().flat_map(|c| &c.matched) {
            if sets.contains(&edge.modes, &mode) {
                let row = system.equations.binary_search(&edge.equation).unwrap();
                let column = system.variables.binary_search(&edge.variable).unwrap();
                prop_assert_eq!(offsets.d[column] - offsets.c[row], edge.sigma);
                matched.push((row, column));
            }
        }
        prop_assert_eq!(matched.len(), system.equations.len());
        matched.sort_unstable_by_key(|&(_, column)| column);
        matched.dedup_by_key(|&mut (_, column)| column);
        prop_assert_eq!(matched.len(), system.variables.len());
    }
    Ok(())
}

thread_local! {
    /// One manager for all cases: making one starts threads.
    static BDD: BddSets = BddSets::new(N_MODE_VARS, 1 << 14);
}

fn check(tables: &Tables) -> Result<(), TestCaseError> {
    BDD.with(|bdd| equals_enumeration(bdd, &problem(bdd, tables)))?;
    let explicit = ExplicitSets::new(N_MODE_VARS);
    equals_enumeration(&explicit, &problem(&explicit, tables))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn all_modes_together_equal_one_mode_at_a_time(tables in problems()) {
        check(&tables)?;
    }
}
