//! Maximum-weight perfect matchings and their least dual solution.
//!
//! The Sigma-method and the rescaling analysis of mode changes both ask for a perfect matching of the
//! largest total weight, and then for the smallest numbers `c_f ≥ 0`, `d_x` with `d_x − c_f ≥ w(f, x)`
//! on all edges and equality on the matching. The primal-dual method of Kuhn ("The Hungarian method for
//! the assignment problem", 1955) gives both in one go, run on all unmatched equations together:
//!
//! - Start with `c = 0`, `d_x` the largest weight in column `x`. An edge is *tight* where equality holds.
//! - Grow the matching to a maximum one on the tight edges (Hopcroft–Karp).
//! - If equations are left, measure from them by Dijkstra's method, where an edge is as long as its
//!   slack `d_x − c_f − w` and matched edges lead back for nothing. Let `D` be the distance of the nearest
//!   free variable; raise `c` and `d` of everything nearer than `D` by the difference. That makes a path
//!   to it tight, keeps the matching tight and all slacks nonnegative. Repeat.
//!
//! Every raise is forced: an argument like the one for a single root shows that any feasible dual
//! above the present one must raise all reached equations. Hence the duals are the least ones at the
//! end, whichever matching was found (Pryce, "A simple structural analysis method for DAEs", 2001).
//! A round raises the free equations by at least the smallest slack, so that there are no more rounds
//! than the largest offset has units; each takes one Dijkstra and one Hopcroft–Karp.

use crate::matching::Augmenter;
use crate::{Bipartite, EqId, Matching, VarId};
use num_traits::Zero;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::{Add, Sub};

/// Weights that can be compared, added and subtracted: machine integers, rationals.
pub trait Weight: Clone + Ord + Zero + Add<Output = Self> + Sub<Output = Self> {}

impl<T: Clone + Ord + Zero + Add<Output = T> + Sub<Output = T>> Weight for T {}

/// A dual solution: `d_x − c_f ≥ w(f, x)` on every edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dual<W> {
    pub c: Vec<W>,
    pub d: Vec<W>,
}

impl<W: Weight> Dual<W> {
    /// How far the edge is from being tight.
    fn slack(&self, f: EqId, x: VarId, weight: &W) -> W {
        self.d[x.index()].clone() - self.c[f.index()].clone() - weight.clone()
    }

    fn is_tight(&self, f: EqId, x: VarId, weight: &W) -> bool {
        self.slack(f, x, weight).is_zero()
    }
}

/// A matching of maximum weight among those that match every equation, with its least dual: `c ≥ 0`
/// and `d` smallest with equality on the matching. `None` if no matching covers all equations.
///
/// `weights` is parallel to the edge numbers of `graph`. There may be more variables than equations;
/// then some stay free, and their `d_x` is the largest `w(f, x) + c_f` of their column. A variable that
/// occurs nowhere has `d_x = 0`.
///
/// To have the two sides change roles (`μ_f ≥ w + μ_x`), pass the transposed graph.
/// O((largest offset + 1) · edges · √vertices) for integers.
pub fn max_weight_perfect_matching<W: Weight>(
    graph: &Bipartite,
    weights: &[W],
) -> Option<(Matching, Dual<W>)> {
    if graph.n_equations() == graph.n_variables() {
        return PrimalDual::new(graph, weights, column_maxima(graph, weights)).run();
    }
    // With free variables the start must not favour any of them: all `d` equal, so that those that
    // stay free end with the smallest one, as optimality requires. The least dual comes afterwards.
    let level = Dual {
        c: negative_row_maxima(graph, weights)?,
        d: vec![W::zero(); graph.n_variables()],
    };
    let (matching, _) = PrimalDual::new(graph, weights, level).run()?;
    let dual = least_dual(graph, weights, &matching, &Floor::default())?;
    Some((matching, dual))
}

fn column_maxima<W: Weight>(graph: &Bipartite, weights: &[W]) -> Dual<W> {
    let mut d: Vec<Option<W>> = vec![None; graph.n_variables()];
    for (edge, weight) in weights.iter().enumerate() {
        let entry = &mut d[graph.variable_at(edge).index()];
        if entry.as_ref().is_none_or(|old| old < weight) {
            *entry = Some(weight.clone());
        }
    }
    let d = d
        .into_iter()
        .map(|entry| entry.unwrap_or_else(W::zero))
        .collect();
    Dual {
        c: vec![W::zero(); graph.n_equations()],
        d,
    }
}

fn negative_row_maxima<W: Weight>(graph: &Bipartite, weights: &[W]) -> Option<Vec<W>> {
    let largest = |f| {
        weights[graph.edges_of(f)]
            .iter()
            .max()
            .map(|w| W::zero() - w.clone())
    };
    graph.equations().map(largest).collect()
}

/// The state of the primal-dual method.
struct PrimalDual<'a, W> {
    graph: &'a Bipartite,
    weights: &'a [W],
    matching: Matching,
    dual: Dual<W>,
    /// Distances of this round's variables. Those of the equations follow from their matched variable.
    distance: Vec<Option<W>>,
    touched: Vec<VarId>,
    settled: Vec<VarId>,
}

impl<'a, W: Weight> PrimalDual<'a, W> {
    fn new(graph: &'a Bipartite, weights: &'a [W], dual: Dual<W>) -> Self {
        let matching = Matching::empty(graph.n_equations(), graph.n_variables());
        let distance = vec![None; graph.n_variables()];
        Self {
            graph,
            weights,
            matching,
            dual,
            distance,
            touched: vec![],
            settled: vec![],
        }
    }

    fn run(mut self) -> Option<(Matching, Dual<W>)> {
        let (graph, weights) = (self.graph, self.weights);
        // Karp–Sipser on the tight edges finds nearly everything.
        let tight =
            |dual: &Dual<W>, f: EqId, e: usize| dual.is_tight(f, graph.variable_at(e), &weights[e]);
        let tight_graph = graph.filtered(|f, e| tight(&self.dual, f, e));
        self.matching = crate::maximum_matching(&tight_graph);
        drop(tight_graph);
        let mut augmenter = Augmenter::new(graph);
        while !self.matching.covers_equations() {
            let nearest = self.measure()?;
            self.raise(&nearest);
            let dual = &self.dual;
            augmenter.augment(graph, &mut self.matching, |f, e| tight(dual, f, e));
        }
        Some((self.matching, self.dual))
    }

    /// Dijkstra from all free equations, up to the nearest free variable, whose distance is returned.
    fn measure(&mut self) -> Option<W> {
        for x in self.touched.drain(..) {
            self.distance[x.index()] = None;
        }
        self.settled.clear();
        // Most edges are tight: what is reached at the present distance skips the heap.
        let mut here: VecDeque<VarId> = VecDeque::new();
        let mut heap: BinaryHeap<Reverse<(W, VarId)>> = BinaryHeap::new();
        let mut now = W::zero();
        let free: Vec<EqId> = self.matching.free_equations().collect();
        for f in free {
            self.relax(f, &now, &mut here, &mut heap);
        }
        loop {
            let x = match here.pop_front() {
                Some(x) => x,
                None => {
                    let Reverse((distance, x)) = heap.pop()?;
                    if self.distance[x.index()].as_ref() != Some(&distance) {
                        continue;
                    }
                    now = distance;
                    x
                }
            };
            let Some(f) = self.matching.equation_of(x) else {
                return Some(now);
            };
            self.settled.push(x);
            self.relax(f, &now, &mut here, &mut heap);
        }
    }

    fn relax(
        &mut self,
        f: EqId,
        now: &W,
        here: &mut VecDeque<VarId>,
        heap: &mut BinaryHeap<Reverse<(W, VarId)>>,
    ) {
        for edge in self.graph.edges_of(f) {
            let x = self.graph.variable_at(edge);
            let slack = self.dual.slack(f, x, &self.weights[edge]);
            let distance = now.clone() + slack;
            let known = &mut self.distance[x.index()];
            match known {
                Some(old) if *old <= distance => continue,
                Some(_) => {}
                None => self.touched.push(x),
            }
            *known = Some(distance.clone());
            if distance == *now {
                here.push_back(x);
            } else {
                heap.push(Reverse((distance, x)));
            }
        }
    }

    /// Raises everything nearer than `nearest` by its difference to it.
    fn raise(&mut self, nearest: &W) {
        let free: Vec<EqId> = self.matching.free_equations().collect();
        for f in free {
            let c = &mut self.dual.c[f.index()];
            *c = c.clone() + nearest.clone();
        }
        for &x in &self.settled {
            let Some(distance) = &self.distance[x.index()] else {
                continue;
            };
            let difference = nearest.clone() - distance.clone();
            let d = &mut self.dual.d[x.index()];
            *d = d.clone() + difference.clone();
            if let Some(f) = self.matching.equation_of(x) {
                let c = &mut self.dual.c[f.index()];
                *c = c.clone() + difference;
            }
        }
    }
}

/// Lower bounds of a dual solution. An absent vector means 0 for every `c_f`, and no bound for `d_x`
/// beyond what the edges ask for.
#[derive(Clone, Debug)]
pub struct Floor<'a, W> {
    pub c: Option<&'a [W]>,
    pub d: Option<&'a [W]>,
}

impl<W> Default for Floor<'_, W> {
    fn default() -> Self {
        Self { c: None, d: None }
    }
}

/// The least dual above `floor` with equality on the edges of `matching` (which need not cover
/// everything). `None` if there is none: the matching is not of maximum weight.
///
/// Longest paths by a work list: raising `c_f` raises `d_x` of its row, raising `d_x` raises `c` of the
/// equation matched with it. O(equations · edges) at worst, usually close to linear.
pub fn least_dual<W: Weight>(
    graph: &Bipartite,
    weights: &[W],
    matching: &Matching,
    floor: &Floor<'_, W>,
) -> Option<Dual<W>> {
    let n = graph.n_equations();
    let c = floor.c.map_or_else(|| vec![W::zero(); n], <[W]>::to_vec);
    let d = match floor.d {
        Some(d) => d.to_vec(),
        None => lowest_columns(graph, weights, &c),
    };
    let mut dual = Dual { c, d };
    let matched_weight = |f: EqId| {
        let x = matching.variable_of(f)?;
        Some((x, weights[graph.edge(f, x)?].clone()))
    };
    // Bounds on `d` pull up the equations matched there before anything else happens.
    for f in graph.equations() {
        if let Some((x, weight)) = matched_weight(f) {
            let pulled = dual.d[x.index()].clone() - weight;
            if pulled > dual.c[f.index()] {
                dual.c[f.index()] = pulled;
            }
        }
    }
    let mut waiting: VecDeque<EqId> = graph.equations().collect();
    let mut queued = vec![true; n];
    let mut raises = vec![0usize; n];
    while let Some(f) = waiting.pop_front() {
        queued[f.index()] = false;
        for edge in graph.edges_of(f) {
            let x = graph.variable_at(edge);
            let wanted = dual.c[f.index()].clone() + weights[edge].clone();
            if wanted <= dual.d[x.index()] {
                continue;
            }
            dual.d[x.index()] = wanted.clone();
            let Some(g) = matching.equation_of(x) else {
                continue;
            };
            let Some((_, weight)) = matched_weight(g) else {
                continue;
            };
            let pulled = wanted - weight;
            if pulled > dual.c[g.index()] {
                dual.c[g.index()] = pulled;
                raises[g.index()] += 1;
                if raises[g.index()] > n {
                    return None;
                }
                if !std::mem::replace(&mut queued[g.index()], true) {
                    waiting.push_back(g);
                }
            }
        }
    }
    let equal = matching.pairs().all(|(f, x)| {
        graph
            .edge(f, x)
            .is_some_and(|edge| dual.is_tight(f, x, &weights[edge]))
    });
    equal.then_some(dual)
}

/// Starting values of `d` when only the edges bound it.
fn lowest_columns<W: Weight>(graph: &Bipartite, weights: &[W], c: &[W]) -> Vec<W> {
    let mut d: Vec<Option<W>> = vec![None; graph.n_variables()];
    for f in graph.equations() {
        for edge in graph.edges_of(f) {
            let wanted = c[f.index()].clone() + weights[edge].clone();
            let entry = &mut d[graph.variable_at(edge).index()];
            if entry.as_ref().is_none_or(|old| *old < wanted) {
                *entry = Some(wanted);
            }
        }
    }
    d.into_iter()
        .map(|entry| entry.unwrap_or_else(W::zero))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(entries: &[(u32, u32, i64)]) -> (Bipartite, Vec<i64>) {
        let edges: Vec<_> = entries
            .iter()
            .map(|&(f, x, _)| (EqId(f), VarId(x)))
            .collect();
        let graph = Bipartite::from_edges(2, 2, &edges);
        (graph, entries.iter().map(|&(.., w)| w).collect())
    }

    #[test]
    fn a_matching_that_is_not_heaviest_has_no_dual() {
        let (graph, weights) = square(&[(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]);
        let light = [(EqId(0), VarId(1)), (EqId(1), VarId(0))];
        let light = Matching::from_pairs(2, 2, light);
        assert_eq!(
            least_dual(&graph, &weights, &light, &Floor::default()),
            None
        );
        let (heavy, dual) = max_weight_perfect_matching(&graph, &weights).unwrap();
        assert_eq!(heavy.variable_of(EqId(0)), Some(VarId(0)));
        assert_eq!((dual.c, dual.d), (vec![0, 0], vec![1, 1]));
    }

    #[test]
    fn floors_lift_what_hangs_on_them() {
        let (graph, weights) = square(&[(0, 0, 0), (0, 1, 1), (1, 1, 0)]);
        let (matching, dual) = max_weight_perfect_matching(&graph, &weights).unwrap();
        assert_eq!((dual.c, dual.d), (vec![0, 1], vec![0, 1]));
        let floor = Floor {
            c: None,
            d: Some(&[2, 0][..]),
        };
        let lifted = least_dual(&graph, &weights, &matching, &floor).unwrap();
        assert_eq!((lifted.c, lifted.d), (vec![2, 3], vec![2, 3]));
        let floor = Floor {
            c: Some(&[0, 5][..]),
            d: None,
        };
        let lifted = least_dual(&graph, &weights, &matching, &floor).unwrap();
        assert_eq!((lifted.c, lifted.d), (vec![0, 5], vec![0, 5]));
    }
}
