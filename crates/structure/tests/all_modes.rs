//! The analysis of all modes against the enumeration of all modes.

mod common;

use common::{N_MODE_VARS, mode, problem, problems};
use modeshift_structure::{
    AllModes, BddSets, Class, Cube, DulmageMendelsohn, ExplicitSets, Formula, GuardedProblem,
    Indices, MaxLength, ModeSets, ModeVar, Partition, analyse_all_modes, combined_classes,
    component_classes, dependency_graph, diagnose, formula, irredundant_cover, sigma_method,
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
    classes_equal_enumeration(sets, problem, &result)?;
    diagnoses_hold(sets, problem, &result)?;
    dependencies_give_the_blocks(sets, problem, &result)
}

fn classes_equal_enumeration<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    result: &AllModes<M::Set>,
) -> Result<(), TestCaseError> {
    let components: Result<Vec<Vec<Class<M::Set>>>, _> = result
        .components
        .iter()
        .map(|c| component_classes(sets, result, c))
        .collect();
    let care = sets.intersection(problem.care.iter().cloned()).unwrap();
    let classes = combined_classes(sets, &care, &components.unwrap()).unwrap();
    let mut total = num_bigint::BigUint::ZERO;
    for class in &classes {
        total += sets.count(&class.modes);
    }
    prop_assert_eq!(total, sets.count(&care));
    for m in (0..16).map(mode).filter(|m| sets.contains(&care, m)) {
        let mut containing = classes
            .iter()
            .filter(|class| sets.contains(&class.modes, &m));
        let found = containing.next().map(|class| class.indices);
        let offsets = sigma_method(&problem.mode_system(sets, &m).matrix);
        let expected = offsets.map(|offsets| Indices {
            index: offsets.index(),
            algebraic: offsets.pryce_index() > offsets.index(),
            degrees_of_freedom: offsets.degrees_of_freedom(),
        });
        prop_assert_eq!(found, Some(expected));
        prop_assert!(containing.next().is_none());
    }
    Ok(())
}

fn diagnoses_hold<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    result: &AllModes<M::Set>,
) -> Result<(), TestCaseError> {
    for component in &result.components {
        let diagnoses = diagnose(sets, problem, result, component, 100).unwrap();
        prop_assert!(sets.is_empty(&diagnoses.rest));
        let explained = sets
            .union(diagnoses.diagnoses.iter().map(|d| d.modes.clone()))
            .unwrap();
        prop_assert_eq!(&explained, &component.singular);
        for diagnosis in &diagnoses.diagnoses {
            for m in (0..16)
                .map(mode)
                .filter(|m| sets.contains(&diagnosis.modes, m))
            {
                let system = problem.mode_system(sets, &m);
                let dm = DulmageMendelsohn::new(system.matrix.graph());
                let over: Vec<_> = dm
                    .over
                    .equations
                    .iter()
                    .map(|f| system.equations[f.index()])
                    .collect();
                let under: Vec<_> = dm
                    .under
                    .variables
                    .iter()
                    .map(|x| system.variables[x.index()])
                    .collect();
                prop_assert!(diagnosis.over.equations.iter().all(|f| over.contains(f)));
                prop_assert!(diagnosis.under.variables.iter().all(|x| under.contains(x)));
                let nonempty = !diagnosis.over.is_empty() || !diagnosis.under.is_empty();
                prop_assert!(nonempty);
            }
        }
    }
    Ok(())
}

fn dependencies_give_the_blocks<M: ModeSets>(
    sets: &M,
    problem: &GuardedProblem<M::Set>,
    result: &AllModes<M::Set>,
) -> Result<(), TestCaseError> {
    for component in &result.components {
        let dependencies = dependency_graph(sets, problem, result, component).unwrap();
        for m in (0..16)
            .map(mode)
            .filter(|m| sets.contains(&component.regular, m))
        {
            let system = problem.mode_system(sets, &m);
            // Other components may be singular in this mode: look at the equations of this one only.
            let writers: std::collections::BTreeMap<_, _> = component
                .matched
                .iter()
                .filter(|edge| sets.contains(&edge.modes, &m))
                .map(|edge| (edge.variable, edge.equation))
                .collect();
            let mut expected = Vec::new();
            for (row, &f) in system.equations.iter().enumerate() {
                for (column, sigma) in system.matrix.row(modeshift_structure::EqId::new(row)) {
                    let x = system.variables[column.index()];
                    let Some(&writer) = writers.get(&x) else {
                        continue;
                    };
                    let c = value_in(sets, &result.c[f.index()], &m).unwrap();
                    let d = value_in(sets, &result.d[x.index()], &m).unwrap();
                    if writer != f && d - c == sigma {
                        expected.push((f, x, writer));
                    }
                }
            }
            let found: Vec<_> = dependencies
                .iter()
                .filter(|d| sets.contains(&d.modes, &m))
                .map(|d| (d.reader, d.variable, d.writer))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
    Ok(())
}

thread_local! {
    /// One manager for all cases: making one starts threads.
    static BDD: BddSets = BddSets::new(N_MODE_VARS, 1 << 14);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn all_modes_together_equal_one_mode_at_a_time(tables in problems()) {
        BDD.with(|bdd| equals_enumeration(bdd, &problem(bdd, &tables)))?;
    }

    #[test]
    fn the_analysis_does_not_depend_on_decision_diagrams(tables in problems()) {
        let explicit = ExplicitSets::new(N_MODE_VARS);
        equals_enumeration(&explicit, &problem(&explicit, &tables))?;
    }

    #[test]
    fn covers_equal_the_function_where_it_matters(table in any::<u16>(), care in common::tables()) {
        BDD.with(|sets| {
            let set = common::set(sets, table);
            let care = common::set(sets, care);
            let lower = sets.and(&set, &care).unwrap();
            let upper = sets.or(&set, &sets.not(&care).unwrap()).unwrap();
            let cubes = irredundant_cover(sets, &lower, &upper, LONG).unwrap().unwrap();
            let product = |cube: &Cube| {
                sets.intersection(cube.iter().map(|l| sets.literal(l.var, l.positive).unwrap()))
                    .unwrap()
            };
            let products: Vec<_> = cubes.iter().map(product).collect();
            let covered = sets.union(products.iter().cloned()).unwrap();
            prop_assert!(sets.is_subset(&lower, &covered).unwrap());
            prop_assert!(sets.is_subset(&covered, &upper).unwrap());
            for left_out in 0..products.len() {
                let mut rest = products.clone();
                rest.remove(left_out);
                let rest = sets.union(rest).unwrap();
                prop_assert!(!sets.is_subset(&lower, &rest).unwrap(), "redundant product");
            }
            for cube in &cubes {
                prop_assert!(cube.is_sorted());
                for left_out in 0..cube.len() {
                    let mut larger = cube.clone();
                    larger.remove(left_out);
                    prop_assert!(!sets.is_subset(&product(&larger), &upper).unwrap(), "not prime");
                }
            }
            let Some(found) = formula(sets, &set, &care, LONG).unwrap() else {
                return Err(TestCaseError::fail("no formula"));
            };
            let meant = match found {
                Formula::Sum { negated, cubes } => {
                    let sum = sets.union(cubes.iter().map(product)).unwrap();
                    if negated { sets.not(&sum).unwrap() } else { sum }
                }
                Formula::Count { vars, counts } => with_counts(sets, &vars, &counts),
            };
            prop_assert_eq!(sets.and(&meant, &care).unwrap(), lower);
            Ok(())
        })?;
    }

    #[test]
    fn set_operations_agree_with_truth_tables(a in any::<u16>(), b in common::tables(), v in 0..4u32) {
        let explicit = ExplicitSets::new(N_MODE_VARS);
        BDD.with(|sets| agree(sets, &explicit, a, b, ModeVar(v)))?;
    }
}

/// No sum of products over four variables is longer.
const LONG: MaxLength = MaxLength {
    cubes: 100,
    literals: 400,
};

/// The modes in which as many of the variables are true as one of `counts` says.
fn with_counts<M: ModeSets>(sets: &M, vars: &[ModeVar], counts: &[usize]) -> M::Set {
    let counted = |m: &Vec<bool>| {
        let n = vars.iter().filter(|var| m[var.index()]).count();
        counts.contains(&n)
    };
    let modes = (0..16).map(mode).filter(counted);
    sets.union(modes.map(|m| sets.singleton(&m).unwrap()))
        .unwrap()
}

fn agree<A: ModeSets, B: ModeSets>(
    left: &A,
    right: &B,
    a: u16,
    b: u16,
    v: ModeVar,
) -> Result<(), TestCaseError> {
    let (la, lb) = (common::set(left, a), common::set(left, b));
    let (ra, rb) = (common::set(right, a), common::set(right, b));
    let all = (0..N_MODE_VARS).map(ModeVar::new).collect::<Vec<_>>();
    prop_assert_eq!(left.count(&la), right.count(&ra));
    prop_assert_eq!(left.support(&lb), right.support(&rb));
    prop_assert_eq!(left.pick(&la), right.pick(&ra));
    prop_assert_eq!(
        left.valuations(&la, &all, 99),
        right.valuations(&ra, &all, 99)
    );
    prop_assert_eq!(
        left.valuations(&la, &all, 3),
        right.valuations(&ra, &all, 3)
    );
    let results = [
        (left.and(&la, &lb), right.and(&ra, &rb)),
        (left.or(&la, &lb), right.or(&ra, &rb)),
        (left.diff(&la, &lb), right.diff(&ra, &rb)),
        (left.not(&la), right.not(&ra)),
        (left.restrict(&la, v, true), right.restrict(&ra, v, true)),
        (left.restrict(&la, v, false), right.restrict(&ra, v, false)),
        (
            left.exists(&la, &all[v.index()..]),
            right.exists(&ra, &all[v.index()..]),
        ),
    ];
    for (l, r) in results {
        let (l, r) = (l.unwrap(), r.unwrap());
        for m in (0..16).map(mode) {
            prop_assert_eq!(left.contains(&l, &m), right.contains(&r, &m));
        }
        let cofactors = (left.split(&l), right.split(&r));
        prop_assert_eq!(cofactors.0.map(|s| s.0), cofactors.1.map(|s| s.0));
    }
    Ok(())
}
