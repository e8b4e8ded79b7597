//! Loops between conditions and unknowns, as graphs.

use modeshift_base::FxHashMap;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::loops::Loop as Decided;
use modeshift_mdae::sym::VarRef;
use serde::Serialize;
use std::collections::VecDeque;

/// Loops that are shown; more of them are more of the same.
const MAX_LOOPS: usize = 40;

/// Conditions and unknowns of one loop that are drawn.
const MAX_NODES: usize = 16;

/// Conditions from which a cycle is looked for.
const MAX_STARTS: usize = 64;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Loop {
    status: &'static str,
    procedure: String,
    /// What the witness says, in words.
    witness: Option<String>,
    conditions: Vec<String>,
    unknowns: Vec<String>,
    /// Places in the two lists: a condition reads an unknown.
    reads: Vec<(usize, usize)>,
    /// Places in the two lists: an equation for the unknown depends on the condition.
    decides: Vec<(usize, usize)>,
    /// Unknowns that need others.
    needs: Vec<(usize, usize)>,
    /// A shortest cycle: places in `conditions`, then those in `unknowns` behind them.
    cycle: Vec<usize>,
    /// Conditions and unknowns that are not drawn.
    more: usize,
}

pub(super) fn loops(analysis: &Analysis) -> Vec<Loop> {
    let shown = analysis.loops.iter().take(MAX_LOOPS);
    shown.map(|decided| one(analysis, decided)).collect()
}

fn one(analysis: &Analysis, decided: &Decided) -> Loop {
    let mdae = &analysis.mdae;
    let all_conditions = decided.deciders(analysis);
    let all_unknowns = &decided.unknowns;
    let place: FxHashMap<VarRef, usize> = all_unknowns.iter().copied().zip(0..).collect();
    let mut reads: Vec<(usize, usize)> = Vec::new();
    let mut decides: Vec<(usize, usize)> = Vec::new();
    for (c, decider) in all_conditions.iter().enumerate() {
        let read = decider.reads.iter();
        reads.extend(read.filter_map(|read| Some((c, *place.get(read)?))));
        for var in &decider.decides {
            let lowest = (0..all_unknowns.len())
                .filter(|&u| all_unknowns[u].var == *var)
                .min_by_key(|&u| all_unknowns[u].order);
            decides.extend(lowest.map(|u| (u, c)));
        }
    }
    let needs: Vec<(usize, usize)> = decided
        .needs(analysis)
        .iter()
        .filter_map(|(a, b)| Some((*place.get(a)?, *place.get(b)?)))
        .collect();
    let n = all_conditions.len();
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); n + all_unknowns.len()];
    for &(c, u) in &reads {
        edges[c].push(n + u);
    }
    for &(u, c) in &decides {
        edges[n + u].push(c);
    }
    for &(a, b) in &needs {
        edges[n + a].push(n + b);
    }
    let cycle = shortest_cycle(&edges, n);
    // The cycle first, then what conditions read, then what they decide over.
    let mut conditions: Vec<usize> = (0..n).collect();
    conditions.sort_by_key(|c| !cycle.contains(c));
    conditions.truncate(MAX_NODES);
    let mut unknowns: Vec<usize> = (0..all_unknowns.len())
        .filter(|&u| {
            cycle.contains(&(n + u))
                || reads.iter().any(|read| read.1 == u)
                || decides.iter().any(|decided| decided.0 == u)
        })
        .collect();
    unknowns.sort_by_key(|&u| {
        let read = reads.iter().any(|read| read.1 == u);
        (!cycle.contains(&(n + u)), !read)
    });
    unknowns.truncate(MAX_NODES);
    let drawn_condition = |c: usize| conditions.iter().position(|&other| other == c);
    let drawn_unknown = |u: usize| unknowns.iter().position(|&other| other == u);
    let drawn = |node: usize| match node.checked_sub(n) {
        Some(u) => drawn_unknown(u).map(|at| conditions.len() + at),
        None => drawn_condition(node),
    };
    let cycle: Option<Vec<usize>> = cycle.iter().map(|&node| drawn(node)).collect();
    Loop {
        status: decided.status.name(),
        procedure: decided.procedure.clone(),
        witness: decided
            .witness
            .as_ref()
            .map(|witness| modeshift_mdae::diagnose::witness_text(mdae, witness)),
        conditions: conditions
            .iter()
            .map(|&c| all_conditions[c].name.clone())
            .collect(),
        unknowns: unknowns
            .iter()
            .map(|&u| crate::modes::derivative_text(mdae, all_unknowns[u]))
            .collect(),
        reads: pairs(&reads, &drawn_condition, &drawn_unknown),
        decides: pairs(&decides, &drawn_unknown, &drawn_condition),
        needs: pairs(&needs, &drawn_unknown, &drawn_unknown),
        cycle: cycle.unwrap_or_default(),
        more: n - conditions.len() + all_unknowns.len() - unknowns.len(),
    }
}

/// Those pairs of which both sides are drawn, each once.
fn pairs(
    list: &[(usize, usize)],
    first: &dyn Fn(usize) -> Option<usize>,
    second: &dyn Fn(usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = list
        .iter()
        .filter_map(|&(a, b)| Some((first(a)?, second(b)?)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A shortest way from one of the first `n` nodes back to it. A search for each of them: at most `MAX_STARTS` are tried.
fn shortest_cycle(edges: &[Vec<usize>], n: usize) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    for start in 0..n.min(MAX_STARTS) {
        let mut from: Vec<Option<usize>> = vec![None; edges.len()];
        let mut queue = VecDeque::from([start]);
        let mut end = None;
        'search: while let Some(node) = queue.pop_front() {
            for &to in &edges[node] {
                if to == start {
                    end = Some(node);
                    break 'search;
                }
                if from[to].is_none() {
                    from[to] = Some(node);
                    queue.push_back(to);
                }
            }
        }
        let Some(mut node) = end else { continue };
        let mut cycle = vec![node];
        while node != start {
            let Some(before) = from[node] else { break };
            node = before;
            cycle.push(node);
        }
        cycle.reverse();
        if best.is_empty() || cycle.len() < best.len() {
            best = cycle;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::shortest_cycle;

    #[test]
    fn the_shortest_way_back_is_found() {
        // 0 → 2 → 3 → 0 and 1 → 3 → 1
        let edges = [vec![2], vec![3], vec![3], vec![0, 1]];
        assert_eq!(shortest_cycle(&edges, 2), [1, 3]);
        assert_eq!(shortest_cycle(&edges, 1), [0, 2, 3]);
        assert!(shortest_cycle(&[vec![1], vec![]], 1).is_empty());
    }
}
