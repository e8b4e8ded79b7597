//! Definitions turned into programs, exponential and obvious.

use crate::{Bipartite, EqId, SigmaMatrix, VarId};

/// The smallest offsets by trying all of `c` up to a bound, and all permutations for the matching.
/// For at most four equations or so.
pub fn brute_force_offsets(matrix: &SigmaMatrix) -> Option<(Vec<i32>, Vec<i32>)> {
    let n = matrix.graph().n_equations();
    if n != matrix.graph().n_variables() {
        return None;
    }
    let best = best_assignment(matrix, 0, &mut vec![false; n])?;
    let largest = matrix.sigma().iter().copied().max().unwrap_or(0);
    let bound = largest * n as i32 + 1;
    let mut least: Option<(Vec<i32>, Vec<i32>)> = None;
    let mut c = vec![0; n];
    loop {
        let d = smallest_d(matrix, &c);
        // `Σd − Σc` equals the weight of the matching iff all its edges are tight.
        if d.iter().sum::<i32>() - c.iter().sum::<i32>() == best {
            let sum = |pair: &(Vec<i32>, Vec<i32>)| pair.0.iter().sum::<i32>();
            let candidate = (c.clone(), d);
            if least.as_ref().is_none_or(|old| sum(&candidate) < sum(old)) {
                least = Some(candidate);
            }
        }
        let Some(digit) = c.iter().position(|&value| value < bound) else {
            return least;
        };
        c[digit] += 1;
        c[..digit].fill(0);
    }
}

fn smallest_d(matrix: &SigmaMatrix, c: &[i32]) -> Vec<i32> {
    let mut d = vec![i32::MIN; matrix.graph().n_variables()];
    for f in matrix.graph().equations() {
        for (x, sigma) in matrix.row(f) {
            d[x.index()] = d[x.index()].max(sigma + c[f.index()]);
        }
    }
    d
}

fn best_assignment(matrix: &SigmaMatrix, f: usize, used: &mut [bool]) -> Option<i32> {
    if f == used.len() {
        return Some(0);
    }
    let mut best = None;
    for (x, sigma) in matrix.row(EqId::new(f)) {
        if !used[x.index()] {
            used[x.index()] = true;
            let total = best_assignment(matrix, f + 1, used).map(|rest| rest + sigma);
            used[x.index()] = false;
            best = best.max(total);
        }
    }
    best
}

/// The size of a maximum matching of the graph without some vertices, by trying everything.
pub fn brute_force_matching_size(
    graph: &Bipartite,
    without_equation: Option<EqId>,
    without_variable: Option<VarId>,
) -> usize {
    fn grow(graph: &Bipartite, f: usize, skip: Option<EqId>, used: &mut [bool]) -> usize {
        if f == graph.n_equations() {
            return 0;
        }
        let mut best = grow(graph, f + 1, skip, used);
        if skip != Some(EqId::new(f)) {
            for &x in graph.row(EqId::new(f)) {
                if !used[x.index()] {
                    used[x.index()] = true;
                    best = best.max(1 + grow(graph, f + 1, skip, used));
                    used[x.index()] = false;
                }
            }
        }
        best
    }
    let mut used = vec![false; graph.n_variables()];
    if let Some(x) = without_variable {
        used[x.index()] = true;
    }
    grow(graph, 0, without_equation, &mut used)
}
