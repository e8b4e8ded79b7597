//! Mode sets as binary decision diagrams with complement edges, from the oxidd library.
//!
//! One thread: the sets of a structural analysis are small and many, and splitting single operations
//! over threads costs far more than it gives.
//!
//! Two limits end an analysis that gets nowhere, both in nodes and so the same on every machine: how many
//! may live at one time, and how many may be made in all, dead ones included. The manager's capacity is larger
//! than the first, because the library collects dead nodes in a thread of its own when it is nearly
//! exhausted, and what is found must not depend on the speed of that thread.

use super::{ModeSets, NodeLimit, Valuation};
use crate::ModeVar;
use num_bigint::BigUint;
use num_traits::One;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{BooleanFunction, BooleanFunctionQuant, Function, HasLevel, Manager, ManagerRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A set of modes, as a decision diagram. Cloning is cheap; equality takes constant time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BddSet(BCDDFunction);

impl std::fmt::Debug for BddSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BddSet({} nodes)", self.0.node_count())
    }
}

/// The algebra of decision diagrams over a fixed number of mode variables.
#[derive(Clone)]
pub struct BddSets {
    manager: BCDDManagerRef,
    n_vars: usize,
    limit: usize,
    meter: Arc<Meter>,
}

/// What has been done so far; shared by the clones of an algebra.
#[derive(Debug, Default)]
struct Meter {
    operations: AtomicUsize,
    /// Nodes that were collected.
    collected: AtomicUsize,
}

/// Between two looks at the number of nodes.
const OPERATIONS_PER_LOOK: usize = 64;

/// How many times the node limit may be made in all.
const TURNOVER: usize = 2;

impl BddSets {
    /// The node limit used unless the caller has its own. The families that are tractable stay far
    /// below it (256 diodes in parallel: 200,000 nodes in all, dead ones included); a mesh that is not
    /// reaches it after some ten seconds and 50 MB.
    pub const DEFAULT_NODE_LIMIT: usize = 1 << 20;

    /// An algebra over `n_vars` variables, in this order, with at most `node_limit` live nodes.
    pub fn new(n_vars: usize, node_limit: usize) -> Self {
        // A large cache takes milliseconds to set up: too long for a model with three switches.
        let cache = (n_vars << 12)
            .min(node_limit)
            .next_power_of_two()
            .clamp(1 << 10, 1 << 20);
        let capacity = node_limit + node_limit / 4;
        let manager = oxidd::bcdd::new_manager(capacity, cache, 1);
        manager.with_manager_exclusive(|m| m.add_vars(n_vars as u32));
        Self {
            manager,
            n_vars,
            limit: node_limit,
            meter: Arc::default(),
        }
    }

    /// How many nodes are stored now, dead ones included.
    pub fn n_nodes(&self) -> usize {
        self.manager.with_manager_shared(|m| m.num_inner_nodes())
    }

    /// How many nodes this set has.
    pub fn size(&self, a: &BddSet) -> usize {
        a.0.node_count()
    }

    /// The library's number of a variable: the last one is the top of the diagrams.
    fn level(&self, var: ModeVar) -> u32 {
        (self.n_vars - 1 - var.index()) as u32
    }

    /// Runs an operation of the library, which recurses once per variable, where the stack is deep
    /// enough for that.
    fn attempt(
        &self,
        operation: impl Fn() -> AllocResult<BCDDFunction>,
    ) -> Result<BddSet, NodeLimit> {
        let depth = self.stack_depth();
        stacker::maybe_grow(depth, 2 * depth, || self.attempt_here(operation))
    }

    /// What one operation can need, at 512 bytes (twice what was measured) per variable.
    fn stack_depth(&self) -> usize {
        (64 << 10) + 512 * self.n_vars
    }

    fn attempt_here(
        &self,
        operation: impl Fn() -> AllocResult<BCDDFunction>,
    ) -> Result<BddSet, NodeLimit> {
        let n = self.meter.operations.fetch_add(1, Relaxed);
        if n.is_multiple_of(OPERATIONS_PER_LOOK) {
            self.look()?;
        }
        if let Ok(set) = operation() {
            return Ok(BddSet(set));
        }
        // A single operation has filled what is left.
        self.collect()?;
        operation()
            .map(BddSet)
            .map_err(|_| NodeLimit { limit: self.limit })
    }

    /// Keeps the number of nodes below the limits.
    fn look(&self) -> Result<(), NodeLimit> {
        let nodes = self
            .manager
            .with_manager_shared(|m| m.approx_num_inner_nodes());
        if nodes < self.limit {
            return Ok(());
        }
        self.collect()
    }

    fn collect(&self) -> Result<(), NodeLimit> {
        let (dead, alive) = self
            .manager
            .with_manager_shared(|m| (m.gc(), m.num_inner_nodes()));
        let collected = self.meter.collected.fetch_add(dead, Relaxed) + dead;
        let made = collected + alive;
        // Most of the limit taken by living nodes: the next collection would come at once.
        if alive > self.limit / 8 * 7 {
            return Err(NodeLimit { limit: self.limit });
        }
        if made > TURNOVER * self.limit {
            return Err(NodeLimit {
                limit: TURNOVER * self.limit,
            });
        }
        Ok(())
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
        BddSet(self.manager.with_manager_shared(|m| BCDDFunction::f(m)))
    }

    fn full(&self) -> BddSet {
        BddSet(self.manager.with_manager_shared(|m| BCDDFunction::t(m)))
    }

    fn var(&self, var: ModeVar) -> Result<BddSet, NodeLimit> {
        self.attempt(|| {
            self.manager
                .with_manager_shared(|m| BCDDFunction::var(m, self.level(var)))
        })
    }

    fn not(&self, a: &BddSet) -> Result<BddSet, NodeLimit> {
        self.attempt(|| a.0.not())
    }

    fn and(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        self.attempt(|| a.0.and(&b.0))
    }

    fn or(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        self.attempt(|| a.0.or(&b.0))
    }

    fn diff(&self, a: &BddSet, b: &BddSet) -> Result<BddSet, NodeLimit> {
        // `b < a` as truth values: false in `b` and true in `a`.
        self.attempt(|| b.0.imp_strict(&a.0))
    }

    fn is_empty(&self, a: &BddSet) -> bool {
        !a.0.satisfiable()
    }

    fn is_full(&self, a: &BddSet) -> bool {
        a.0.valid()
    }

    fn split(&self, a: &BddSet) -> Option<(ModeVar, BddSet, BddSet)> {
        let (high, low) = a.0.cofactors()?;
        let top = a.0.with_manager_shared(|m, edge| match m.get_node(edge) {
            oxidd::Node::Inner(node) => m.level_to_var(node.level()),
            oxidd::Node::Terminal(_) => unreachable!("a set with cofactors has a top variable"),
        });
        Some((
            ModeVar::new(self.n_vars - 1 - top as usize),
            BddSet(high),
            BddSet(low),
        ))
    }

    fn restrict(&self, a: &BddSet, var: ModeVar, value: bool) -> Result<BddSet, NodeLimit> {
        let literal = self.literal(var, value)?;
        self.attempt(|| a.0.restrict(&literal.0))
    }

    fn exists(&self, a: &BddSet, vars: &[ModeVar]) -> Result<BddSet, NodeLimit> {
        let mut cube = self.full();
        let mut sorted = vars.to_vec();
        sorted.sort_unstable();
        for &var in &sorted {
            cube = self.and(&self.var(var)?, &cube)?;
        }
        self.attempt(|| a.0.exists(&cube.0))
    }

    fn contains(&self, a: &BddSet, mode: &[bool]) -> bool {
        a.0.eval(
            mode.iter()
                .enumerate()
                .map(|(v, &value)| (self.level(ModeVar::new(v)), value)),
        )
    }

    fn support(&self, a: &BddSet) -> Vec<ModeVar> {
        let mut seen = FxHashSet::default();
        let mut vars = FxHashSet::default();
        let mut stack = vec![a.clone()];
        while let Some(set) = stack.pop() {
            // A set and its complement have the same support, and `cofactors` keeps them apart: at
            // most twice the nodes are visited.
            if !seen.insert(set.clone()) {
                continue;
            }
            if let Some((var, high, low)) = self.split(&set) {
                vars.insert(var);
                stack.push(high);
                stack.push(low);
            }
        }
        let mut vars: Vec<_> = vars.into_iter().collect();
        vars.sort_unstable();
        vars
    }

    fn count(&self, a: &BddSet) -> BigUint {
        count(self, a)
    }

    fn pick(&self, a: &BddSet) -> Option<Valuation> {
        let cube = self.with_deep_stack(|| a.0.pick_cube(|_, _, _| false))?;
        Some(
            cube.into_iter()
                .rev()
                .map(|value| value == OptBool::True)
                .collect(),
        )
    }
}

/// Counts bottom-up with big integers and an explicit stack. The library's own counter recurses, and
/// with machine integers it overflows silently beyond 127 variables.
fn count(sets: &BddSets, a: &BddSet) -> BigUint {
    // `known[s]` counts the modes of `s` over the variables up to its top variable.
    let mut known: FxHashMap<BddSet, BigUint> = FxHashMap::default();
    let height = |set: &BddSet| sets.split(set).map_or(0, |(var, ..)| var.index() + 1);
    known.insert(sets.empty(), BigUint::ZERO);
    known.insert(sets.full(), BigUint::one());
    let mut stack = vec![a.clone()];
    while let Some(set) = stack.last() {
        if known.contains_key(set) {
            stack.pop();
            continue;
        }
        let Some((var, high, low)) = sets.split(set) else {
            stack.pop();
            continue;
        };
        match (known.get(&high), known.get(&low)) {
            (Some(h), Some(l)) => {
                let skipped = |child: &BddSet| var.index() - height(child);
                let sum = (h << skipped(&high)) + (l << skipped(&low));
                known.insert(set.clone(), sum);
                stack.pop();
            }
            (h, l) => {
                let missing = [h.is_none().then_some(high), l.is_none().then_some(low)];
                stack.extend(missing.into_iter().flatten());
            }
        }
    }
    known
        .get(a)
        .map_or(BigUint::ZERO, |n| n << (sets.n_vars - height(a)))
}
