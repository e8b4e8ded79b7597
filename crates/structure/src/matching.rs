//! Maximum cardinality matchings of bipartite graphs.
//!
//! The algorithm is Hopcroft and Karp's ("An n^{5/2} algorithm for maximum matchings in bipartite
//! graphs", 1973): rounds of a breadth-first search that layers the graph from the free equations, and
//! a depth-first search that takes a maximal set of disjoint shortest augmenting paths. It starts from
//! the heuristic of Karp and Sipser ("Maximum matching in sparse random graphs", 1981): as long as
//! some vertex has a single free neighbour, matching the two cannot be a mistake.

use crate::{Bipartite, EqId, VarId};

const NONE: u32 = u32::MAX;

/// A matching: pairs of an equation and a variable that occurs in it, every vertex in at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    variable_of: Vec<u32>,
    equation_of: Vec<u32>,
    size: usize,
}

impl Matching {
    pub fn empty(n_equations: usize, n_variables: usize) -> Self {
        Self {
            variable_of: vec![NONE; n_equations],
            equation_of: vec![NONE; n_variables],
            size: 0,
        }
    }

    /// The matching of these pairs.
    ///
    /// # Panics
    /// If a vertex occurs twice.
    pub fn from_pairs(
        n_equations: usize,
        n_variables: usize,
        pairs: impl IntoIterator<Item = (EqId, VarId)>,
    ) -> Self {
        let mut matching = Self::empty(n_equations, n_variables);
        for (f, x) in pairs {
            assert!(matching.is_free_equation(f) && matching.is_free_variable(x));
            matching.join(f, x);
        }
        matching
    }

    pub fn variable_of(&self, f: EqId) -> Option<VarId> {
        Some(self.variable_of[f.index()])
            .filter(|&x| x != NONE)
            .map(VarId)
    }

    pub fn equation_of(&self, x: VarId) -> Option<EqId> {
        Some(self.equation_of[x.index()])
            .filter(|&f| f != NONE)
            .map(EqId)
    }

    pub fn is_free_equation(&self, f: EqId) -> bool {
        self.variable_of[f.index()] == NONE
    }

    pub fn is_free_variable(&self, x: VarId) -> bool {
        self.equation_of[x.index()] == NONE
    }

    /// How many pairs there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether every equation and every variable is matched.
    pub fn is_perfect(&self) -> bool {
        self.size == self.variable_of.len() && self.size == self.equation_of.len()
    }

    /// Whether every equation is matched.
    pub fn covers_equations(&self) -> bool {
        self.size == self.variable_of.len()
    }

    /// The matched pairs, ascending by equation.
    pub fn pairs(&self) -> impl Iterator<Item = (EqId, VarId)> + '_ {
        let numbered = self.variable_of.iter().enumerate();
        numbered
            .filter(|&(_, &x)| x != NONE)
            .map(|(f, &x)| (EqId::new(f), VarId(x)))
    }

    pub fn free_equations(&self) -> impl Iterator<Item = EqId> + '_ {
        let numbered = self.variable_of.iter().enumerate();
        numbered
            .filter(|&(_, &x)| x == NONE)
            .map(|(f, _)| EqId::new(f))
    }

    pub fn free_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let numbered = self.equation_of.iter().enumerate();
        numbered
            .filter(|&(_, &f)| f == NONE)
            .map(|(x, _)| VarId::new(x))
    }

    /// The same matching of the transposed graph.
    pub fn transposed(&self) -> Self {
        Self {
            variable_of: self.equation_of.clone(),
            equation_of: self.variable_of.clone(),
            size: self.size,
        }
    }

    /// Pairs two free vertices.
    fn join(&mut self, f: EqId, x: VarId) {
        self.variable_of[f.index()] = x.0;
        self.equation_of[x.index()] = f.0;
        self.size += 1;
    }
}

/// A maximum cardinality matching. O(edges · √vertices), close to linear on equation systems.
pub fn maximum_matching(graph: &Bipartite) -> Matching {
    let mut matching = karp_sipser(graph);
    Augmenter::new(graph).augment(graph, &mut matching, |_, _| true);
    matching
}

/// Greedy matching that serves vertices with a single free neighbour first. O(edges).
fn karp_sipser(graph: &Bipartite) -> Matching {
    let mut greedy = KarpSipser::new(graph);
    greedy.serve_forced();
    for f in graph.equations() {
        if greedy.matching.is_free_equation(f) {
            let free = graph
                .row(f)
                .iter()
                .find(|&&x| greedy.matching.is_free_variable(x));
            if let Some(&x) = free {
                greedy.pair(f, x);
                greedy.serve_forced();
            }
        }
    }
    greedy.matching
}

struct KarpSipser<'a> {
    graph: &'a Bipartite,
    transposed: Bipartite,
    matching: Matching,
    /// How many free neighbours every equation and variable still has.
    equation_degree: Vec<u32>,
    variable_degree: Vec<u32>,
    /// Vertices whose degree became one; they may have changed since.
    forced_equations: Vec<EqId>,
    forced_variables: Vec<VarId>,
}

impl<'a> KarpSipser<'a> {
    fn new(graph: &'a Bipartite) -> Self {
        let (transposed, _) = graph.transposed();
        let degree =
            |g: &Bipartite| -> Vec<u32> { g.equations().map(|f| g.row(f).len() as u32).collect() };
        let equation_degree = degree(graph);
        let variable_degree = degree(&transposed);
        let single = |degrees: &[u32]| -> Vec<usize> {
            (0..degrees.len())
                .rev()
                .filter(|&v| degrees[v] == 1)
                .collect()
        };
        Self {
            graph,
            matching: Matching::empty(graph.n_equations(), graph.n_variables()),
            forced_equations: single(&equation_degree)
                .into_iter()
                .map(EqId::new)
                .collect(),
            forced_variables: single(&variable_degree)
                .into_iter()
                .map(VarId::new)
                .collect(),
            transposed,
            equation_degree,
            variable_degree,
        }
    }

    fn serve_forced(&mut self) {
        loop {
            if let Some(f) = self.forced_equations.pop() {
                if self.matching.is_free_equation(f) && self.equation_degree[f.index()] == 1 {
                    let row = self.graph.row(f);
                    let free = row.iter().find(|&&x| self.matching.is_free_variable(x));
                    if let Some(&x) = free {
                        self.pair(f, x);
                    }
                }
            } else if let Some(x) = self.forced_variables.pop() {
                if self.matching.is_free_variable(x) && self.variable_degree[x.index()] == 1 {
                    let column = self.transposed.row(EqId(x.0));
                    let free = column
                        .iter()
                        .find(|f| self.matching.is_free_equation(EqId(f.0)));
                    if let Some(&f) = free {
                        self.pair(EqId(f.0), x);
                    }
                }
            } else {
                return;
            }
        }
    }

    fn pair(&mut self, f: EqId, x: VarId) {
        self.matching.join(f, x);
        for &y in self.graph.row(f) {
            let degree = &mut self.variable_degree[y.index()];
            *degree -= 1;
            if *degree == 1 && self.matching.is_free_variable(y) {
                self.forced_variables.push(y);
            }
        }
        for g in self.transposed.row(EqId(x.0)) {
            let degree = &mut self.equation_degree[g.index()];
            *degree -= 1;
            if *degree == 1 && self.matching.is_free_equation(EqId(g.0)) {
                self.forced_equations.push(EqId(g.0));
            }
        }
    }
}

const UNSEEN: u32 = u32::MAX;

/// The buffers of Hopcroft–Karp, kept between calls so that a call costs what it visits.
pub(crate) struct Augmenter {
    level: Vec<u32>,
    next_edge: Vec<u32>,
    queue: Vec<EqId>,
    path: Vec<EqId>,
}

impl Augmenter {
    pub(crate) fn new(graph: &Bipartite) -> Self {
        let n = graph.n_equations();
        Self {
            level: vec![UNSEEN; n],
            next_edge: vec![0; n],
            queue: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Grows `matching` to a maximum one of the admissible edges. Its edges must be admissible.
    pub(crate) fn augment(
        &mut self,
        graph: &Bipartite,
        matching: &mut Matching,
        admissible: impl Fn(EqId, usize) -> bool,
    ) {
        let mut free: Vec<EqId> = matching.free_equations().collect();
        while !free.is_empty() && self.layer(graph, matching, &free, &admissible) {
            for &root in &free {
                self.search(graph, matching, root, &admissible);
            }
            free.retain(|&f| matching.is_free_equation(f));
            self.forget();
        }
        self.forget();
    }

    fn forget(&mut self) {
        for f in self.queue.drain(..) {
            self.level[f.index()] = UNSEEN;
        }
    }

    /// Breadth-first layers from the free equations, up to the first layer with a free variable.
    fn layer(
        &mut self,
        graph: &Bipartite,
        matching: &Matching,
        free: &[EqId],
        admissible: &impl Fn(EqId, usize) -> bool,
    ) -> bool {
        for &f in free {
            self.reach(graph, f, 0);
        }
        let mut last_level = UNSEEN;
        let mut head = 0;
        while head < self.queue.len() {
            let f = self.queue[head];
            head += 1;
            let level = self.level[f.index()];
            if level >= last_level {
                break;
            }
            for edge in graph.edges_of(f).filter(|&e| admissible(f, e)) {
                match matching.equation_of(graph.variable_at(edge)) {
                    None => last_level = level + 1,
                    Some(g) if self.level[g.index()] == UNSEEN => self.reach(graph, g, level + 1),
                    Some(_) => {}
                }
            }
        }
        last_level != UNSEEN
    }

    fn reach(&mut self, graph: &Bipartite, f: EqId, level: u32) {
        self.level[f.index()] = level;
        self.next_edge[f.index()] = graph.edges_of(f).start as u32;
        self.queue.push(f);
    }

    /// Depth-first search for one augmenting path that descends one layer per step. Equations that
    /// lead nowhere leave the layering, so that all searches of a round together take O(edges).
    fn search(
        &mut self,
        graph: &Bipartite,
        matching: &mut Matching,
        root: EqId,
        admissible: &impl Fn(EqId, usize) -> bool,
    ) {
        self.path.clear();
        self.path.push(root);
        while let Some(&f) = self.path.last() {
            let edge = self.next_edge[f.index()] as usize;
            if edge == graph.edges_of(f).end {
                self.level[f.index()] = UNSEEN - 1;
                self.path.pop();
                continue;
            }
            self.next_edge[f.index()] += 1;
            if !admissible(f, edge) {
                continue;
            }
            match matching.equation_of(graph.variable_at(edge)) {
                None => return self.flip(graph, matching),
                Some(g) if self.level[g.index()] == self.level[f.index()] + 1 => self.path.push(g),
                Some(_) => {}
            }
        }
    }

    /// Matches every equation of the path with the variable its last edge leads to.
    fn flip(&mut self, graph: &Bipartite, matching: &mut Matching) {
        for &f in &self.path {
            let x = graph.variable_at(self.next_edge[f.index()] as usize - 1);
            matching.variable_of[f.index()] = x.0;
            matching.equation_of[x.index()] = f.0;
            // No other path of this round may use the equation.
            self.level[f.index()] = UNSEEN - 1;
        }
        matching.size += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, m: usize, edges: &[(u32, u32)]) -> Bipartite {
        let edges: Vec<_> = edges.iter().map(|&(f, x)| (EqId(f), VarId(x))).collect();
        Bipartite::from_edges(n, m, &edges)
    }

    #[test]
    fn a_long_chain_of_forced_choices_is_matched_without_recursion() {
        let n = 200_000;
        let edges: Vec<_> = (0..n)
            .flat_map(|k| [(k, k), (k, (k + 1) % n)])
            .filter(|&(_, x)| x != 7)
            .collect();
        let g = graph(n as usize, n as usize, &edges);
        assert_eq!(maximum_matching(&g).size(), n as usize - 1);
    }

    #[test]
    fn augmenting_repairs_a_bad_start() {
        let g = graph(2, 2, &[(0, 0), (0, 1), (1, 0)]);
        let mut m = Matching::from_pairs(2, 2, [(EqId(0), VarId(0))]);
        Augmenter::new(&g).augment(&g, &mut m, |_, _| true);
        assert!(m.is_perfect());
        assert_eq!(m.variable_of(EqId(1)), Some(VarId(0)));
    }
}
