//! Mode sets as binary decision diagrams with complement edges (Brace, Rudell and Bryant 1990).
//!
//! Written here because the libraries keep threads, a node store of fixed size and a large cache for every manager,
//! where an editor holds thousands of small models at the same time. Here an algebra is as large as its sets: a few
//! hundred bytes for three switches. Nodes live as long as their algebra; the limit on how many may be made ends
//! an analysis that gets nowhere, and is the same on every machine.

use super::{ModeSets, NodeLimit, Valuation};
use crate::ModeVar;
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A set of modes: an edge into the diagram of its algebra. Cloning is cheap; equality takes constant time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BddSet(Edge);

impl std::fmt::Debug for BddSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BddSet({:?})", self.0)
    }
}

/// The number of a node, and in the lowest bit whether the complement is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Edge(u32);

impl Edge {
    const FULL: Self = Self(0);
    const EMPTY: Self = Self(1);

    fn complement(self) -> Self {
        Self(self.0 ^ 1)
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// Carries the complement of an edge over to a child of its node.
    fn child(self, child: Self) -> Self {
        Self(child.0 ^ (self.0 & 1))
    }

    fn is_terminal(self) -> bool {
        self.0 <= 1
    }

    fn node(self) -> usize {
        self.0 as usize >> 1
    }
}

/// Both cofactors by a variable; all variables below are smaller. `high` is never a complement, which makes diagrams
/// of equal sets equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    var: u32,
    high: Edge,
    low: Edge,
}

/// An intersection that was computed: both operands and the result.
type Computed = [Edge; 3];

/// The nodes of an algebra.
struct Diagram {
    /// Node 0 stands for the terminal.
    nodes: Vec<Node>,
    unique: FxHashMap<Node, u32>,
    /// Direct-mapped: a collision forgets the older result. Grows with the nodes.
    computed: Vec<Computed>,
    limit: usize,
}

/// The cache is at most this large: 12 MB.
const MAX_COMPUTED: usize = 1 << 20;

impl Diagram {
    fn new(limit: usize) -> Self {
        let terminal = Node {
            var: 0,
            high: Edge::FULL,
            low: Edge::FULL,
        };
        Self {
            nodes: vec![terminal],
            unique: FxHashMap::default(),
            computed: vec![[Edge::EMPTY; 3]; 64],
            limit: limit.min(u32::MAX as usize >> 1),
        }
    }

    fn make(&mut self, var: u32, high: Edge, low: Edge) -> Result<Edge, NodeLimit> {
        if high == low {
            return Ok(high);
        }
        if high.is_complement() {
            let node = self.make(var, high.complement(), low.complement())?;
            return Ok(node.complement());
        }
        let node = Node { var, high, low };
        if let Some(&known) = self.unique.get(&node) {
            return Ok(Edge(known << 1));
        }
        if self.nodes.len() > self.limit {
            return Err(NodeLimit { limit: self.limit });
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.unique.insert(node, number);
        if self.nodes.len() > self.computed.len() && self.computed.len() < MAX_COMPUTED {
            self.grow_cache();
        }
        Ok(Edge(number << 1))
    }

    fn grow_cache(&mut self) {
        let larger = vec![[Edge::EMPTY; 3]; 4 * self.computed.len()];
        for entry in std::mem::replace(&mut self.computed, larger) {
            let place = self.place(entry[0], entry[1]);
            self.computed[place] = entry;
        }
    }

    fn place(&self, a: Edge, b: Edge) -> usize {
        let key = u64::from(a.0) << 32 | u64::from(b.0);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & (self.computed.len() - 1)
    }

    /// The top variable and both cofactors by it.
    fn split(&self, a: Edge) -> Option<(u32, Edge, Edge)> {
        if a.is_terminal() {
            return None;
        }
        let node = self.nodes[a.node()];
        Some((node.var, a.child(node.high), a.child(node.low)))
    }

    /// Both cofactors by `var`, which is not below the top variable.
    fn cofactors(&self, a: Edge, var: u32) -> (Edge, Edge) {
        match self.split(a) {
            Some((top, high, low)) if top == var => (high, low),
            _ => (a, a),
        }
    }

    fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, NodeLimit> {
        if a == b || b == Edge::FULL {
            return Ok(a);
        }
        if a == Edge::FULL {
            return Ok(b);
        }
        if a == b.complement() || a == Edge::EMPTY || b == Edge::EMPTY {
            return Ok(Edge::EMPTY);
        }
        let (a, b) = (a.min(b), a.max(b));
        let entry = self.computed[self.place(a, b)];
        if entry[..2] == [a, b] {
            return Ok(entry[2]);
        }
        let var = self.nodes[a.node()].var.max(self.nodes[b.node()].var);
        let (a_high, a_low) = self.cofactors(a, var);
        let (b_high, b_low) = self.cofactors(b, var);
        let high = self.and(a_high, b_high)?;
        let low = self.and(a_low, b_low)?;
        let result = self.make(var, high, low)?;
        let place = self.place(a, b);
        self.computed[place] = [a, b, result];
        Ok(result)
    }

    fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, NodeLimit> {
        Ok(self.and(a.complement(), b.complement())?.complement())
    }

    /// Puts `value` of both cofactors by each of `vars` (ascending) in their place.
    fn replace(
        &mut self,
        a: Edge,
        vars: &[u32],
        value: &impl Fn(&mut Self, Edge, Edge) -> Result<Edge, NodeLimit>,
        known: &mut FxHashMap<Edge, Edge>,
    ) -> Result<Edge, NodeLimit> {
        let Some((var, high, low)) = self.split(a) else {
            return Ok(a);
        };
        if vars.first().is_none_or(|&first| first > var) {
            return Ok(a);
        }
        if let Some(&result) = known.get(&a) {
            return Ok(result);
        }
        let high = self.replace(high, vars, value, known)?;
        let low = self.replace(low, vars, value, known)?;
        let result = match vars.binary_search(&var) {
            Ok(_) => value(self, high, low)?,
            Err(_) => self.make(var, high, low)?,
        };
        known.insert(a, result);
        Ok(result)
    }

    /// The numbers of the nodes that a set is made of, without the terminal.
    fn reachable(&self, a: Edge) -> FxHashSet<usize> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![a];
        while let Some(edge) = stack.pop() {
            if !edge.is_terminal() && seen.insert(edge.node()) {
                let node = self.nodes[edge.node()];
                stack.extend([node.high, node.low]);
            }
        }
        seen
    }

    /// Counts bottom-up, with an explicit stack; one more than the top variable is the height.
    fn count(&self, a: Edge, n_vars: usize) -> BigUint {
        // `known[s]` counts the modes of `s` over the variables up to its top variable.
        let mut known: FxHashMap<Edge, BigUint> = FxHashMap::default();
        let height = |a: Edge| self.split(a).map_or(0, |(var, ..)| var as usize + 1);
        known.insert(Edge::EMPTY, BigUint::ZERO);
        known.insert(Edge::FULL, BigUint::one());
        let mut stack = vec![a];
        while let Some(&set) = stack.last() {
            let split = self.split(set).filter(|_| !known.contains_key(&set));
            let Some((var, high, low)) = split else {
                stack.pop();
                continue;
            };
            match (known.get(&high), known.get(&low)) {
                (Some(h), Some(l)) => {
                    let skipped = |child| var as usize - height(child);
                    let sum = (h << skipped(high)) + (l << skipped(low));
                    known.insert(set, sum);
                    stack.pop();
                }
                (h, l) => {
                    let missing = [h.is_none().then_some(high), l.is_none().then_some(low)];
                    stack.extend(missing.into_iter().flatten());
                }
            }
        }
        let n = known.get(&a);
        n.map_or(BigUint::ZERO, |n| n << (n_vars - height(a)))
    }
}

/// The algebra of decision diagrams over a fixed number of mode variables.
#[derive(Clone)]
pub struct BddSets {
    diagram: Arc<Mutex<Diagram>>,
    n_vars: usize,
}

impl BddSets {
    /// The node limit used unless the caller has its own. The families that are tractable stay far
    /// below it (256 diodes in parallel: 200,000 nodes); a mesh that is not reaches it after some seconds and 100 MB.
    pub const DEFAULT_NODE_LIMIT: usize = 1 << 21;

    /// An algebra over `n_vars` variables, in this order, that makes at most `node_limit` nodes.
    pub fn new(n_vars: usize, node_limit: usize) -> Self {
        Self {
            diagram: Arc::new(Mutex::new(Diagram::new(node_limit))),
            n_vars,
        }
    }

    /// How many nodes have been made.
    pub fn n_nodes(&self) -> usize {
        self.diagram().nodes.len()
    }

    /// How many nodes this set has, the terminal included.
    pub fn size(&self, a: &BddSet) -> usize {
        self.diagram().reachable(a.0).len() + 1
    }

    /// What another thread left when it gave up is whole: nodes are added in one step.
    fn diagram(&self) -> MutexGuard<'_, Diagram> {
        self.diagram.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation, which recurses once per variable, where the stack is deep enough for that.
    fn run<R>(&self, operation: impl FnOnce(&mut Diagram) -> R) -> R {
        let depth = self.stack_depth();
        stacker::maybe_grow(depth, 2 * depth, || operation(&mut self.diagram()))
    }

    /// What one operation can need: more than twice what was measured per variable.
    fn stack_depth(&self) -> usize {
        (64 << 10) + 512 * self.n_vars
    }
}

impl ModeSets for BddSets {
    type Set = BddSet;

    fn n_vars(&self) -> usize {
        self.n_vars
    }

    fn with_deep_stack<R>(&self, work: impl FnOnce() -> R) -> R {
        let depth = self.stack_depth();
        stacker::maybe_grow(2 * depth, 4 * depth, work)
    }

    fn empty(&self) -> BddSet {
        BddSet(Edge::EMPTY)
    }

    fn full(&self) -> BddSet {
        BddSet(Edge::FULL)
    }

    fn var(&self, var: ModeVar) -> Result<BddSet, NodeLimit> {
        let mut diagram = self.diagram();
        let set = diagram.make(var.index() as u32, Edge::FULL, Edge::EMPTY)?;
        Ok(BddSet(set))
    }

    fn not(&self, a: &BddSet) -> Result<BddSet, NodeLimit> {
        Ok(BddSet(a.0.complement()))
    }

    fn and(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        self.run(|diagram| diagram.and(a.0, b.0)).map(BddSet)
    }

    fn or(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        self.run(|diagram| diagram.or(a.0, b.0)).map(BddSet)
    }

    fn diff(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        let difference = self.run(|diagram| diagram.and(a.0, b.0.complement()));
        difference.map(BddSet)
    }

    fn is_empty(&self, a: &BddSet) -> bool {
        a.0 == Edge::EMPTY
    }

    fn is_full(&self, a: &BddSet) -> bool {
        a.0 == Edge::FULL
    }

    fn split(&self, a: &BddSet) -> Option<(ModeVar, BddSet, BddSet)> {
        let (var, high, low) = self.diagram().split(a.0)?;
        Some((ModeVar::new(var as usize), BddSet(high), BddSet(low)))
    }

    fn restrict(&self, a: &BddSet, var: ModeVar, value: bool) -> Result<BddSet, NodeLimit> {
        let choose = |_: &mut Diagram, high, low| Ok(if value { high } else { low });
        let vars = [var.index() as u32];
        let set =
            self.run(|diagram| diagram.replace(a.0, &vars, &choose, &mut FxHashMap::default()));
        set.map(BddSet)
    }

    fn exists(&self, a: &BddSet, vars: &[ModeVar]) -> Result<BddSet, NodeLimit> {
        let mut vars: Vec<u32> = vars.iter().map(|var| var.index() as u32).collect();
        vars.sort_unstable();
        let set = self
            .run(|diagram| diagram.replace(a.0, &vars, &Diagram::or, &mut FxHashMap::default()));
        set.map(BddSet)
    }

    fn contains(&self, a: &BddSet, mode: &[bool]) -> bool {
        let diagram = self.diagram();
        let mut edge = a.0;
        while let Some((var, high, low)) = diagram.split(edge) {
            edge = match mode.get(var as usize) {
                Some(true) => high,
                _ => low,
            };
        }
        edge == Edge::FULL
    }

    fn support(&self, a: &BddSet) -> Vec<ModeVar> {
        let diagram = self.diagram();
        let nodes = diagram.reachable(a.0);
        let vars: FxHashSet<u32> = nodes.iter().map(|&node| diagram.nodes[node].var).collect();
        let mut vars: Vec<_> = vars.iter().map(|&v| ModeVar::new(v as usize)).collect();
        vars.sort_unstable();
        vars
    }

    fn count(&self, a: &BddSet) -> BigUint {
        self.diagram().count(a.0, self.n_vars)
    }

    fn pick(&self, a: &BddSet) -> Option<Valuation> {
        let diagram = self.diagram();
        let mut mode = vec![false; self.n_vars];
        let mut edge = a.0;
        while let Some((var, high, low)) = diagram.split(edge) {
            let only_high = low == Edge::EMPTY;
            mode[var as usize] = only_high;
            edge = if only_high { high } else { low };
        }
        (edge == Edge::FULL).then_some(mode)
    }
}
