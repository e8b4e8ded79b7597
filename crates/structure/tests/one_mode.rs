//! Laws of the one-mode algorithms, against definitions turned into programs.

mod common;

use modeshift_structure::testing::{brute_force_matching_size, brute_force_offsets};
use modeshift_structure::{
    Bipartite, DulmageMendelsohn, EqId, Floor, VarId, least_dual, max_weight_perfect_matching,
    maximum_matching, sigma_method,
};
use proptest::prelude::*;

fn neighbours(graph: &Bipartite, equations: &[EqId]) -> Vec<VarId> {
    let mut found: Vec<_> = equations
        .iter()
        .flat_map(|&f| graph.row(f))
        .copied()
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn matchings_are_maximum(matrix in common::matrices(6)) {
        let graph = matrix.graph();
        let matching = maximum_matching(graph);
        prop_assert_eq!(matching.size(), brute_force_matching_size(graph, None, None));
        for (f, x) in matching.pairs() {
            prop_assert!(graph.edge(f, x).is_some());
            prop_assert_eq!(matching.equation_of(x), Some(f));
        }
        prop_assert_eq!(matching.pairs().count(), matching.size());
    }

    #[test]
    fn offsets_are_the_smallest(matrix in common::matrices(3)) {
        let found = sigma_method(&matrix).map(|offsets| (offsets.c, offsets.d));
        prop_assert_eq!(found, brute_force_offsets(&matrix));
    }

    #[test]
    fn offsets_come_with_a_tight_matching(matrix in common::matrices(7)) {
        let graph = matrix.graph();
        let full = maximum_matching(graph).is_perfect();
        let Some(offsets) = sigma_method(&matrix) else {
            prop_assert!(!full);
            return Ok(());
        };
        for f in graph.equations() {
            prop_assert!(offsets.c[f.index()] >= 0);
            for edge in graph.edges_of(f) {
                let x = graph.variable_at(edge);
                let slack = offsets.d[x.index()] - offsets.c[f.index()] - matrix.sigma()[edge];
                prop_assert!(slack >= 0);
                if offsets.matching.variable_of(f) == Some(x) {
                    prop_assert_eq!(slack, 0);
                }
            }
        }
        let again = least_dual(graph, matrix.sigma(), &offsets.matching, &Floor::default());
        let again = again.expect("the matching has maximum weight");
        prop_assert_eq!((again.c, again.d), (offsets.c, offsets.d));
    }

    #[test]
    fn the_parts_of_dulmage_and_mendelsohn_are_what_some_maximum_matching_misses(
        matrix in common::matrices(5),
    ) {
        let graph = matrix.graph();
        let dm = DulmageMendelsohn::new(graph);
        let size = brute_force_matching_size(graph, None, None);
        let over: Vec<EqId> = graph
            .equations()
            .filter(|&f| brute_force_matching_size(graph, Some(f), None) == size)
            .collect();
        let under: Vec<VarId> = graph
            .variables()
            .filter(|&x| brute_force_matching_size(graph, None, Some(x)) == size)
            .collect();
        prop_assert_eq!(neighbours(graph, &over), dm.over.variables.clone());
        prop_assert_eq!(over, dm.over.equations.clone());
        let readers: Vec<EqId> = graph
            .equations()
            .filter(|&f| graph.row(f).iter().any(|x| under.contains(x)))
            .collect();
        prop_assert_eq!(readers, dm.under.equations.clone());
        prop_assert_eq!(under, dm.under.variables.clone());
        let well: usize = dm.well.iter().map(|block| block.equations.len()).sum();
        let outside = dm.over.equations.len() + dm.under.equations.len();
        prop_assert_eq!(well + outside, graph.n_equations());
    }

    #[test]
    fn witnesses_are_minimal_hall_violators(matrix in common::matrices(6)) {
        let graph = matrix.graph();
        let dm = DulmageMendelsohn::new(graph);
        let witness = dm.over_witness(graph);
        prop_assert_eq!(witness.is_some(), !dm.over.is_empty());
        if let Some(witness) = witness {
            prop_assert_eq!(witness.variables.len() + 1, witness.equations.len());
            prop_assert_eq!(neighbours(graph, &witness.equations), witness.variables.clone());
            // Without any one of them the rest can be matched.
            for &left_out in &witness.equations {
                let rest = graph.filtered(|f, _| f != left_out && witness.equations.contains(&f));
                prop_assert_eq!(maximum_matching(&rest).size(), witness.variables.len());
            }
        }
        let witness = dm.under_witness(graph);
        prop_assert_eq!(witness.is_some(), !dm.under.is_empty());
        if let Some(witness) = witness {
            prop_assert_eq!(witness.equations.len() + 1, witness.variables.len());
        }
    }

    #[test]
    fn blocks_are_irreducible_and_read_only_backwards(matrix in common::matrices(7)) {
        let graph = matrix.graph();
        let dm = DulmageMendelsohn::new(graph);
        let mut known = dm.over.variables.clone();
        for block in dm.well.iter() {
            known.extend(block.variables);
            for &f in block.equations {
                prop_assert!(graph.row(f).iter().all(|x| known.contains(x)));
            }
            // A reducible block has a proper nonempty subset of its equations with as few variables.
            let inside: Vec<EqId> = block.equations.to_vec();
            for subset in 1..(1usize << inside.len()) - 1 {
                let chosen: Vec<_> =
                    inside.iter().enumerate().filter(|(k, _)| subset >> k & 1 == 1).collect();
                let chosen: Vec<EqId> = chosen.into_iter().map(|(_, &f)| f).collect();
                let variables = neighbours(graph, &chosen);
                let own = variables.iter().filter(|x| block.variables.contains(x)).count();
                prop_assert!(own > chosen.len());
            }
        }
    }

    #[test]
    fn rectangular_matchings_have_maximum_weight(matrix in common::matrices(5)) {
        let graph = matrix.graph();
        let found = max_weight_perfect_matching(graph, matrix.sigma());
        let best = best_cover(graph, matrix.sigma(), 0, &mut vec![false; graph.n_variables()]);
        prop_assert_eq!(found.is_some(), best.is_some());
        if let (Some((matching, dual)), Some(best)) = (found, best) {
            let weight: i32 = matching.pairs().map(|(f, x)| matrix.get(f, x).unwrap()).sum();
            prop_assert_eq!(weight, best);
            for f in graph.equations() {
                prop_assert!(dual.c[f.index()] >= 0);
                for (x, sigma) in matrix.row(f) {
                    prop_assert!(dual.d[x.index()] - dual.c[f.index()] >= sigma);
                }
            }
        }
    }
}

/// The largest weight of a matching that covers all equations.
fn best_cover(graph: &Bipartite, weights: &[i32], f: usize, used: &mut [bool]) -> Option<i32> {
    if f == graph.n_equations() {
        return Some(0);
    }
    let mut best = None;
    for edge in graph.edges_of(EqId::new(f)) {
        let x = graph.variable_at(edge).index();
        if !used[x] {
            used[x] = true;
            let total = best_cover(graph, weights, f + 1, used).map(|rest| rest + weights[edge]);
            used[x] = false;
            best = best.max(total);
        }
    }
    best
}
