//! Connected components of the union of all modes, and the care set of each.

use super::Component;
use super::rows::exclusive_rows;
use crate::{EqId, GuardedProblem, ModeSets, ModeVar, NodeLimit, VarId};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The equations, variables and edges (by their place in the problem) of one component.
pub(super) struct PartEdges {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub edges: Vec<u32>,
}

pub(super) struct Split {
    pub parts: Vec<PartEdges>,
    pub component_of_equation: Vec<usize>,
    pub component_of_variable: Vec<Option<usize>>,
}

/// Splits the problem along its union graph. O(problem · α).
pub(super) fn split<S>(problem: &GuardedProblem<S>) -> Split {
    let n = problem.active.len();
    let mut classes: UnionFind<u32> = UnionFind::new(n + problem.n_variables);
    for edge in &problem.edges {
        classes.union(edge.equation.0, n as u32 + edge.variable.0);
    }
    let labels = classes.into_labeling();
    let mut parts: Vec<PartEdges> = Vec::new();
    let mut number: FxHashMap<u32, usize> = FxHashMap::default();
    let mut component_of_equation = Vec::with_capacity(n);
    for (f, &label) in labels[..n].iter().enumerate() {
        let part = *number.entry(label).or_insert(parts.len());
        if part == parts.len() {
            parts.push(PartEdges {
                equations: vec![],
                variables: vec![],
                edges: vec![],
            });
        }
        parts[part].equations.push(EqId::new(f));
        component_of_equation.push(part);
    }
    let mut component_of_variable = Vec::with_capacity(problem.n_variables);
    for (x, label) in labels[n..].iter().enumerate() {
        let part = number.get(label).copied();
        if let Some(part) = part {
            parts[part].variables.push(VarId::new(x));
        }
        component_of_variable.push(part);
    }
    for (e, edge) in problem.edges.iter().enumerate() {
        parts[component_of_equation[edge.equation.index()]]
            .edges
            .push(e as u32);
    }
    Split {
        parts,
        component_of_equation,
        component_of_variable,
    }
}

/// The conjuncts of the care set, grouped into clusters that share mode variables.
pub(super) struct CareClusters<S> {
    clusters: Vec<(Vec<S>, BTreeSet<ModeVar>)>,
    cluster_of: FxHashMap<ModeVar, usize>,
    /// Supports of mode sets seen before: a model has few different guards and many edges.
    supports: RefCell<FxHashMap<S, Vec<ModeVar>>>,
}

impl<S: Clone + Eq + std::hash::Hash> CareClusters<S> {
    pub(super) fn new<M: ModeSets<Set = S>>(sets: &M, care: &[S]) -> Self {
        let supports: Vec<Vec<ModeVar>> = care.iter().map(|c| sets.support(c)).collect();
        let mut classes: UnionFind<u32> = UnionFind::new(sets.n_vars());
        for support in &supports {
            for pair in support.windows(2) {
                classes.union(pair[0].0, pair[1].0);
            }
        }
        let mut clusters: Vec<(Vec<S>, BTreeSet<ModeVar>)> = Vec::new();
        let mut number: FxHashMap<Option<u32>, usize> = FxHashMap::default();
        let mut cluster_of = FxHashMap::default();
        for (conjunct, support) in care.iter().zip(&supports) {
            let class = support.first().map(|v| classes.find(v.0));
            let cluster = *number.entry(class).or_insert(clusters.len());
            if cluster == clusters.len() {
                clusters.push((vec![], BTreeSet::new()));
            }
            clusters[cluster].0.push(conjunct.clone());
            clusters[cluster].1.extend(support);
            cluster_of.extend(support.iter().map(|&v| (v, cluster)));
        }
        Self {
            clusters,
            cluster_of,
            supports: RefCell::default(),
        }
    }

    /// Conjuncts with the variables they depend on; no variable is in two clusters.
    pub(super) fn clusters(&self) -> &[(Vec<S>, BTreeSet<ModeVar>)] {
        &self.clusters
    }

    /// The mode variables of a component: those its guards and edges depend on.
    pub(super) fn mode_variables<M: ModeSets<Set = S>>(
        &self,
        sets: &M,
        problem: &GuardedProblem<S>,
        equations: &[EqId],
        edges: &[u32],
    ) -> Vec<ModeVar> {
        let mut supports = self.supports.borrow_mut();
        let mut variables = BTreeSet::new();
        let guards = equations.iter().map(|f| &problem.active[f.index()]);
        for set in guards.chain(edges.iter().map(|&e| &problem.edges[e as usize].modes)) {
            if !sets.is_full(set) {
                let support = supports
                    .entry(set.clone())
                    .or_insert_with_key(|set| sets.support(set));
                variables.extend(support.iter().copied());
            }
        }
        variables.into_iter().collect()
    }

    /// The care set as far as it concerns these variables: the valuations of them that can be
    /// completed to a possible mode.
    pub(super) fn project<M: ModeSets<Set = S>>(
        &self,
        sets: &M,
        variables: &[ModeVar],
    ) -> Result<S, NodeLimit> {
        let touched: BTreeSet<usize> = variables
            .iter()
            .filter_map(|v| self.cluster_of.get(v).copied())
            .collect();
        let mut care = sets.full();
        for cluster in touched {
            let (conjuncts, support) = &self.clusters[cluster];
            let others: Vec<ModeVar> = support
                .iter()
                .filter(|v| variables.binary_search(v).is_err())
                .copied()
                .collect();
            let all = sets.intersection(conjuncts.iter().cloned())?;
            care = sets.and(&care, &sets.exists(&all, &others)?)?;
        }
        Ok(care)
    }
}

/// An edge between the row and the variable with these numbers.
pub(super) struct LocalEdge<S> {
    /// The row: mutually exclusive equations share one.
    pub equation: usize,
    /// The place of the equation in the component.
    pub origin: usize,
    pub variable: usize,
    pub sigma: i32,
    pub modes: S,
}

/// A component with numbers of its own.
pub(super) struct LocalProblem<S> {
    pub care: S,
    /// Per row the modes in which one of its equations is active.
    pub active: Vec<S>,
    /// The modes in which some active equation mentions the variable.
    pub present: Vec<S>,
    /// Ascending by origin and variable. In a given mode a row and a variable have at most one edge,
    /// the one with the highest σ.
    pub edges: Vec<LocalEdge<S>>,
    /// Per equation of the component its row and the modes in which it is active itself.
    pub equations: Vec<(usize, S)>,
}

impl<S: Clone + Eq + std::hash::Hash> LocalProblem<S> {
    pub(super) fn new<M: ModeSets<Set = S>>(
        sets: &M,
        problem: &GuardedProblem<S>,
        component: &Component<S>,
        edges: &[u32],
    ) -> Result<Self, NodeLimit> {
        let active: Vec<S> = component
            .equations
            .iter()
            .map(|f| problem.active[f.index()].clone())
            .collect();
        let rows = exclusive_rows(sets, &component.care, &active)?;
        let place_f = |f: EqId| component.equations.partition_point(|&g| g < f);
        let place_x = |x: VarId| component.variables.partition_point(|&y| y < x);
        let mut order: Vec<u32> = edges.to_vec();
        order.sort_by_key(|&e| {
            let edge = &problem.edges[e as usize];
            (edge.equation, edge.variable, std::cmp::Reverse(edge.sigma))
        });
        let mut local: Vec<LocalEdge<S>> = Vec::with_capacity(order.len());
        for e in order {
            let edge = &problem.edges[e as usize];
            let (origin, variable) = (place_f(edge.equation), place_x(edge.variable));
            let mut modes = sets.and(&edge.modes, &active[origin])?;
            // What has a higher derivative already, lies before this edge.
            for higher in local.iter().rev() {
                if (higher.origin, higher.variable) != (origin, variable) {
                    break;
                }
                modes = sets.diff(&modes, &higher.modes)?;
            }
            if sets.is_empty(&modes) || !sets.intersects(&modes, &component.care)? {
                continue;
            }
            match local.last_mut() {
                Some(last)
                    if (last.origin, last.variable, last.sigma)
                        == (origin, variable, edge.sigma) =>
                {
                    last.modes = sets.or(&last.modes, &modes)?;
                }
                _ => local.push(LocalEdge {
                    equation: rows.row_of[origin],
                    origin,
                    variable,
                    sigma: edge.sigma,
                    modes,
                }),
            }
        }
        let mut present = vec![sets.empty(); component.variables.len()];
        for edge in &local {
            present[edge.variable] = sets.or(&present[edge.variable], &edge.modes)?;
        }
        Ok(Self {
            care: component.care.clone(),
            active: rows.active,
            present,
            edges: local,
            equations: rows.row_of.into_iter().zip(active).collect(),
        })
    }
}
