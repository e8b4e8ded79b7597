//! Models that grow with a number: what is known about them, at sizes where nothing can be enumerated.

use modeshift_structure::testing;
use modeshift_structure::{
    AllModes, BddSet, BddSets, EqId, GuardedEdge, GuardedProblem, ModeSets, ModeStructure, ModeVar,
    NodeLimit, VarId, analyse_all_modes, component_classes, diagnose, mode_count, sigma_method,
};
use num_bigint::BigUint;

type Problem = GuardedProblem<BddSet>;

fn analyse(
    n_vars: usize,
    family: impl Fn(&BddSets) -> Result<Problem, NodeLimit>,
) -> (BddSets, Problem, AllModes<BddSet>) {
    let sets = BddSets::new(n_vars, 1 << 20);
    let problem = family(&sets).unwrap();
    let result = analyse_all_modes(&sets, &problem);
    (sets, problem, result)
}

/// A fixed sequence of numbers without pattern (xorshift).
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |&x| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    })
}

/// Compares the offsets with those of the single mode, in some modes.
fn agrees_in_some_modes(sets: &BddSets, problem: &Problem, result: &AllModes<BddSet>) {
    assert_eq!(result.over_limit(), None);
    let mut bits = noise(88_172_645_463_325_252);
    for share in [1, 2, 8, 32] {
        let mode: Vec<bool> = (0..sets.n_vars())
            .map(|_| bits.next().unwrap().is_multiple_of(share))
            .collect();
        let system = problem.mode_system(sets, &mode);
        let offsets = sigma_method(&system.matrix);
        let regular = result
            .components
            .iter()
            .all(|c| sets.contains(&c.regular, &mode));
        assert_eq!(offsets.is_some(), regular);
        let Some(offsets) = offsets else { continue };
        for (row, f) in system.equations.iter().enumerate() {
            let mut pieces = result.c[f.index()].iter();
            let piece = pieces
                .find(|piece| sets.contains(&piece.modes, &mode))
                .unwrap();
            assert_eq!(piece.value, offsets.c[row], "{f:?}");
        }
    }
}

#[test]
fn rldc_has_index_0_with_exactly_one_diode_on() {
    let n = 64;
    let (sets, problem, result) = analyse(n, |sets| testing::rldc(sets, n));
    agrees_in_some_modes(&sets, &problem, &result);
    assert_eq!(result.components.len(), 1);
    let component = &result.components[0];
    assert!(sets.is_full(&component.regular));
    let classes = component_classes(&sets, &result, component).unwrap();
    // `k` diodes on: 2n − 1 degrees of freedom for k = 0, 2n − (k − 1) for k ≥ 1.
    let first = classes[0].indices.unwrap();
    assert_eq!((first.index, first.degrees_of_freedom), (0, 2 * n as i64));
    assert_eq!(sets.count(&classes[0].modes), BigUint::from(n));
    assert!(
        classes[1..]
            .iter()
            .all(|class| class.indices.unwrap().index == 1)
    );
    assert_eq!(classes.len(), n);
    let total: BigUint = classes.iter().map(|class| sets.count(&class.modes)).sum();
    assert_eq!(total, BigUint::from(1u32) << n);
}

#[test]
fn ladders_gearboxes_and_meshes_agree_with_single_modes() {
    let (sets, problem, result) = analyse(200, |sets| testing::ladder(sets, 200));
    agrees_in_some_modes(&sets, &problem, &result);
    let (sets, problem, result) = analyse(300, |sets| testing::gearbox(sets, 300));
    agrees_in_some_modes(&sets, &problem, &result);
    let (sets, problem, result) = analyse(12, |sets| testing::mesh(sets, 3, 3));
    agrees_in_some_modes(&sets, &problem, &result);
}

#[test]
fn independent_clutches_are_independent_components() {
    let (sets, problem, result) = analyse(500, |sets| testing::clutches(sets, 500));
    agrees_in_some_modes(&sets, &problem, &result);
    assert_eq!(result.components.len(), 500);
    for component in &result.components {
        let classes = component_classes(&sets, &result, component).unwrap();
        let indices: Vec<_> = classes.iter().map(|class| class.indices.unwrap()).collect();
        assert_eq!(indices.iter().map(|i| i.index).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(
            indices.iter().map(|i| i.pryce_index()).collect::<Vec<_>>(),
            [1, 2]
        );
        assert_eq!(
            indices
                .iter()
                .map(|i| i.degrees_of_freedom)
                .collect::<Vec<_>>(),
            [2, 1]
        );
        for class in &classes {
            assert_eq!(
                sets.count_over(&class.modes, &component.mode_variables),
                1u32.into()
            );
        }
    }
    assert_eq!(
        mode_count(&sets, &problem.care).unwrap(),
        BigUint::from(1u32) << 500
    );
}

#[test]
fn seven_closed_switches_among_six_nodes_are_one_too_many() {
    let (sets, problem, result) = analyse(7, |sets| testing::mesh(sets, 2, 3));
    let component = &result.components[0];
    assert_eq!(sets.count(&component.singular), 1u32.into());
    let found = diagnose(&sets, &problem, &result, component, 10).unwrap();
    assert!(sets.is_empty(&found.rest));
    let [diagnosis] = &found.diagnoses[..] else {
        panic!("not one reason")
    };
    assert_eq!(diagnosis.representative, [true; 7]);
    // Seven switch equations for the six voltages; seven currents in the six balances of the nodes.
    let numbers = |range: std::ops::Range<u32>| range.collect::<Vec<_>>();
    let over: Vec<_> = diagnosis.over.equations.iter().map(|f| f.0).collect();
    let under: Vec<_> = diagnosis.under.variables.iter().map(|x| x.0).collect();
    assert_eq!((over, under), (numbers(6..13), numbers(6..13)));
    assert_eq!(
        (
            diagnosis.over.variables.len(),
            diagnosis.under.equations.len()
        ),
        (6, 6)
    );
}

/// A chain of if-equations, `if g[k] then x[k] = der(x[k-1]) else x[k] = x[k-1]`, each branch an
/// equation of its own: the number of true switches behind `x[k]` is how often it is differentiated.
fn differentiators(sets: &BddSets, n: usize) -> Result<Problem, NodeLimit> {
    let mut problem = Problem {
        active: vec![],
        n_variables: n,
        edges: vec![],
        care: vec![],
    };
    for k in 0..n {
        for (sigma, positive) in [(1, true), (0, false)] {
            let equation = EqId::new(problem.active.len());
            let modes = sets.literal(ModeVar::new(k), positive)?;
            let mut term = |x: usize, sigma| {
                let variable = VarId::new(x);
                problem.edges.push(GuardedEdge {
                    equation,
                    variable,
                    sigma,
                    modes: sets.full(),
                });
            };
            term(k, 0);
            if k > 0 {
                term(k - 1, sigma);
            }
            problem.active.push(modes);
        }
    }
    Ok(problem)
}

#[test]
fn branches_of_if_equations_do_not_entangle_a_chain() {
    let n = 60;
    let (sets, problem, result) = analyse(n, |sets| differentiators(sets, n));
    agrees_in_some_modes(&sets, &problem, &result);
    assert!(sets.is_full(&result.components[0].regular));
    let values: Vec<_> = result.d[0].iter().map(|piece| piece.value).collect();
    assert_eq!(values, (0..n as i32).collect::<Vec<_>>());
    assert_eq!(sets.support(&result.c[0][0].modes).len(), n);
}

#[test]
fn a_mesh_hits_the_node_limit_and_single_modes_still_have_answers() {
    let (width, height) = (6, 6);
    let n_switches = 2 * width * height - width - height;
    let sets = BddSets::new(n_switches, 50_000);
    let problem = testing::mesh(&sets, width, height).unwrap();
    let result = analyse_all_modes(&sets, &problem);
    assert!(result.over_limit().is_some());
    let open = problem.mode_system(&sets, &vec![false; n_switches]);
    assert!(matches!(
        ModeStructure::new(&open.matrix),
        ModeStructure::Regular { .. }
    ));
    // The sets are as good as before.
    assert_eq!(sets.count(&sets.full()), BigUint::from(1u32) << n_switches);
}

#[test]
fn counts_are_exact_beyond_machine_integers() {
    let n = 300;
    let sets = BddSets::new(n, 1 << 16);
    let pair = |k: usize| {
        let (a, b) = (ModeVar::new(k), ModeVar::new(k + 1));
        let both = sets
            .and(&sets.var(a).unwrap(), &sets.var(b).unwrap())
            .unwrap();
        sets.not(&both).unwrap()
    };
    let care: Vec<_> = (0..n).step_by(2).map(pair).collect();
    let expected = BigUint::from(3u32).pow(n as u32 / 2);
    assert_eq!(mode_count(&sets, &care).unwrap(), expected);
    let all = sets.intersection(care).unwrap();
    assert_eq!(sets.count(&all), expected);
}

#[test]
fn thousands_of_coupled_mode_variables_do_not_overflow_a_small_stack() {
    let work = || {
        let n = 20_000;
        let sets = BddSets::new(n, 1 << 18);
        let every_other = |odd: usize| {
            let vars = (0..n).filter(|v| v % 2 == odd);
            sets.intersection(vars.map(|v| sets.var(ModeVar::new(v)).unwrap()))
                .unwrap()
        };
        let both = sets.and(&every_other(0), &every_other(1)).unwrap();
        assert_eq!(sets.count(&both), 1u32.into());
        assert_eq!(sets.pick(&both), Some(vec![true; n]));
        assert_eq!(sets.support(&both).len(), n);
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn an_rc_chain_is_regular_with_one_state_per_capacitor() {
    let matrix = testing::rc_chain(50);
    let ModeStructure::Regular { offsets, blocks } = ModeStructure::new(&matrix) else {
        panic!("the chain is singular");
    };
    assert_eq!(offsets.index(), 0);
    assert_eq!(offsets.degrees_of_freedom(), 50);
    let sizes: usize = blocks.iter().map(|block| block.equations.len()).sum();
    assert_eq!(sizes, matrix.graph().n_equations());
}
