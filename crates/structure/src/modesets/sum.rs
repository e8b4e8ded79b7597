//! Functions from modes to integers that are sums over many mode sets, as edge-valued decision diagrams.
//!
//! A list of one mode set per value is no good for a sum: the number of closed switches among a thousand has
//! a thousand and one values, whose sets take half a million nodes. With the values on the edges
//! (Lai and Sastry, "Edge-valued binary decision diagrams for multi-level hierarchical verification", 1992)
//! the same function takes a thousand nodes. From it follow, without any mode set, which values there are, how
//! many modes have each of them, and what it looks like if only the number of true variables matters.

use super::{ModeSets, NodeLimit, Valuation};
use crate::ModeVar;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The most nodes and memory entries of a sum.
const MAX_NODES: usize = 1 << 19;

const LEAF: u32 = 0;

/// `value + f`, where `f` is the function of a node. The leaf is the function that is 0 everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    value: i64,
    node: u32,
}

/// `if var then value + high else low`. The edge to `low` has no value, which makes the diagram unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    var: ModeVar,
    low: u32,
    value: i64,
    high: u32,
}

/// A function from modes to integers.
#[derive(Clone, Debug)]
pub struct Sum<S> {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, u32>,
    indicators: FxHashMap<S, Edge>,
    root: Edge,
}

/// Modes with the same value.
pub type Distribution = BTreeMap<i64, BigUint>;

impl<S: Clone + Eq + std::hash::Hash> Sum<S> {
    /// The function that has the same value everywhere.
    pub fn constant(value: i64) -> Self {
        let leaf = Node {
            var: ModeVar(0),
            low: LEAF,
            value: 0,
            high: LEAF,
        };
        Self {
            nodes: vec![leaf],
            unique: FxHashMap::default(),
            indicators: FxHashMap::default(),
            root: Edge { value, node: LEAF },
        }
    }

    /// Adds `value` everywhere.
    pub fn add_constant(&mut self, value: i64) {
        self.root.value += value;
    }

    /// Adds `value` in the modes of a set. O(nodes of the set · nodes of the sum) at worst, and close to the
    /// nodes of the set when sets are added from the first mode variable to the last.
    pub fn add<M: ModeSets<Set = S>>(
        &mut self,
        sets: &M,
        modes: &S,
        value: i64,
    ) -> Result<(), NodeLimit> {
        let indicator = self.indicator(sets, modes)?;
        let scaled = self.scaled(indicator, value)?;
        let sum = self.plus(self.root.node, scaled.node)?;
        self.root = Edge {
            value: self.root.value + scaled.value + sum.value,
            node: sum.node,
        };
        Ok(())
    }

    /// The value in one mode.
    pub fn value(&self, mode: &[bool]) -> i64 {
        let Edge {
            mut value,
            mut node,
        } = self.root;
        while node != LEAF {
            let n = self.nodes[node as usize];
            if mode.get(n.var.index()) == Some(&true) {
                value += n.value;
                node = n.high;
            } else {
                node = n.low;
            }
        }
        value
    }

    fn node(&mut self, var: ModeVar, low: Edge, high: Edge) -> Result<Edge, NodeLimit> {
        if low == high {
            return Ok(low);
        }
        let node = Node {
            var,
            low: low.node,
            value: high.value - low.value,
            high: high.node,
        };
        let next = self.nodes.len() as u32;
        let number = *self.unique.entry(node).or_insert(next);
        if number == next {
            if self.nodes.len() >= MAX_NODES {
                return Err(NodeLimit { limit: MAX_NODES });
            }
            self.nodes.push(node);
        }
        Ok(Edge {
            value: low.value,
            node: number,
        })
    }

    /// 1 in the modes of a set, 0 elsewhere.
    fn indicator<M: ModeSets<Set = S>>(&mut self, sets: &M, set: &S) -> Result<Edge, NodeLimit> {
        let leaf = |value| Edge { value, node: LEAF };
        let mut stack = vec![set.clone()];
        while let Some(top) = stack.last() {
            if self.indicators.contains_key(top) {
                stack.pop();
                continue;
            }
            let Some((var, high, low)) = sets.split(top) else {
                let edge = leaf(i64::from(sets.is_full(top)));
                self.indicators.insert(top.clone(), edge);
                continue;
            };
            let known = (self.indicators.get(&low), self.indicators.get(&high));
            if let (Some(&l), Some(&h)) = known {
                let edge = self.node(var, l, h)?;
                if let Some(done) = stack.pop() {
                    self.indicators.insert(done, edge);
                }
            } else {
                stack.extend([low, high]);
            }
        }
        Ok(self.indicators.get(set).copied().unwrap_or(leaf(0)))
    }

    /// `factor` times a function.
    fn scaled(&mut self, edge: Edge, factor: i64) -> Result<Edge, NodeLimit> {
        let zero = Edge {
            value: 0,
            node: LEAF,
        };
        if factor == 1 || edge.node == LEAF {
            let value = edge.value * factor;
            return Ok(Edge { value, ..edge });
        }
        let mut known: FxHashMap<u32, Edge> = FxHashMap::from_iter([(LEAF, zero)]);
        let mut stack = vec![edge.node];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let n = self.nodes[top as usize];
            if let (Some(&low), Some(&high)) = (known.get(&n.low), known.get(&n.high)) {
                let value = high.value + factor * n.value;
                let scaled = self.node(n.var, low, Edge { value, ..high })?;
                known.insert(top, scaled);
            } else {
                stack.extend([n.low, n.high]);
            }
        }
        let scaled = known[&edge.node];
        let value = scaled.value + factor * edge.value;
        Ok(Edge { value, ..scaled })
    }

    /// The sum of the functions of two nodes.
    fn plus(&mut self, a: u32, b: u32) -> Result<Edge, NodeLimit> {
        let mut known: FxHashMap<(u32, u32), Edge> = FxHashMap::default();
        let root = (a, b);
        let mut stack = vec![root];
        while let Some(&(a, b)) = stack.last() {
            if known.contains_key(&(a, b)) {
                stack.pop();
                continue;
            }
            if a == LEAF || b == LEAF {
                // The leaf has number 0, so that this is the other one.
                let node = a.max(b);
                known.insert((a, b), Edge { value: 0, node });
                continue;
            }
            let var = self.nodes[a as usize].var.max(self.nodes[b as usize].var);
            let (a_low, a_value, a_high) = self.cofactors(a, var);
            let (b_low, b_value, b_high) = self.cofactors(b, var);
            let children = [(a_low, b_low), (a_high, b_high)];
            if let [Some(&low), Some(&high)] = children.map(|pair| known.get(&pair)) {
                let value = high.value + a_value + b_value;
                let sum = self.node(var, low, Edge { value, ..high })?;
                known.insert((a, b), sum);
                if known.len() > MAX_NODES {
                    return Err(NodeLimit { limit: MAX_NODES });
                }
            } else {
                stack.extend(children);
            }
        }
        Ok(known[&root])
    }

    /// `(low, value, high)` of a node seen from a variable at or above its own.
    fn cofactors(&self, node: u32, var: ModeVar) -> (u32, i64, u32) {
        let n = self.nodes[node as usize];
        if node != LEAF && n.var == var {
            (n.low, n.value, n.high)
        } else {
            (node, 0, node)
        }
    }

    /// The smallest and the largest value over all valuations.
    pub fn range(&self) -> (i64, i64) {
        // Children have smaller numbers than their parents.
        let mut ranges: Vec<(i64, i64)> = vec![(0, 0)];
        for n in &self.nodes[1..] {
            let (low, high) = (ranges[n.low as usize], ranges[n.high as usize]);
            ranges.push((low.0.min(high.0 + n.value), low.1.max(high.1 + n.value)));
        }
        let (least, most) = ranges[self.root.node as usize];
        (self.root.value + least, self.root.value + most)
    }

    /// If the value depends only on how many of `vars` (ascending, all of the function's variables) are true:
    /// the value for each number. O(variables²).
    pub fn by_count(&self, vars: &[ModeVar]) -> Option<Vec<i64>> {
        let mut row = vec![self.root];
        for &var in vars.iter().rev() {
            let mut next: Vec<Edge> = Vec::with_capacity(row.len() + 1);
            for edge in &row {
                let (low, value, high) = self.cofactors(edge.node, var);
                let low = Edge {
                    value: edge.value,
                    node: low,
                };
                match next.last() {
                    Some(last) if *last != low => return None,
                    Some(_) => {}
                    None => next.push(low),
                }
                next.push(Edge {
                    value: edge.value + value,
                    node: high,
                });
            }
            row = next;
        }
        let is_constant = row.iter().all(|edge| edge.node == LEAF);
        is_constant.then(|| row.into_iter().map(|edge| edge.value).collect())
    }
}

/// What a function looks like within a set of modes. Both depend on `vars` (ascending) alone.
pub struct Within<'a, M: ModeSets> {
    sets: &'a M,
    sum: &'a Sum<M::Set>,
    set: &'a M::Set,
    vars: &'a [ModeVar],
    known: FxHashMap<(M::Set, u32), Distribution>,
}

impl<'a, M: ModeSets> Within<'a, M> {
    pub fn new(sets: &'a M, sum: &'a Sum<M::Set>, set: &'a M::Set, vars: &'a [ModeVar]) -> Self {
        Self {
            sets,
            sum,
            set,
            vars,
            known: FxHashMap::default(),
        }
    }

    /// How many modes of the set have which value. O(nodes of both together · values) additions.
    pub fn distribution(&mut self) -> Result<Distribution, NodeLimit> {
        let root = (self.set.clone(), self.sum.root.node);
        let mut stack = vec![root.clone()];
        while let Some(top) = stack.last() {
            if self.known.contains_key(top) {
                stack.pop();
                continue;
            }
            let Some((var, low, high, value)) = self.split(top) else {
                let one = BTreeMap::from([(0, BigUint::one())]);
                let leaf = if self.sets.is_empty(&top.0) {
                    BTreeMap::new()
                } else {
                    one
                };
                self.known.insert(top.clone(), leaf);
                continue;
            };
            if let (Some(l), Some(h)) = (self.known.get(&low), self.known.get(&high)) {
                let at = self.rank(var);
                let mut counts: Distribution = BTreeMap::new();
                for (child, below, by) in [(&low, l, 0), (&high, h, value)] {
                    let skipped = at - self.height(child);
                    for (v, n) in below {
                        *counts.entry(v + by).or_insert_with(BigUint::zero) += n << skipped;
                    }
                }
                if self.known.len() > MAX_NODES {
                    return Err(NodeLimit { limit: MAX_NODES });
                }
                if let Some(done) = stack.pop() {
                    self.known.insert(done, counts);
                }
            } else {
                stack.extend([low, high]);
            }
        }
        let skipped = self.vars.len() - self.height(&root);
        let shifted = self.known[&root].iter();
        Ok(shifted
            .map(|(v, n)| (v + self.sum.root.value, n << skipped))
            .collect())
    }

    /// A mode of the set with this value, for which [`Self::distribution`] must have been asked.
    pub fn pick(&self, value: i64) -> Option<Valuation> {
        let mut mode = vec![false; self.sets.n_vars()];
        let mut wanted = value - self.sum.root.value;
        let mut at = (self.set.clone(), self.sum.root.node);
        let has = |key: &(M::Set, u32), value: i64| {
            self.known
                .get(key)
                .is_some_and(|counts| counts.contains_key(&value))
        };
        while let Some((var, low, high, by)) = self.split(&at) {
            at = if has(&low, wanted) {
                low
            } else {
                mode[var.index()] = true;
                wanted -= by;
                high
            };
        }
        (wanted == 0 && !self.sets.is_empty(&at.0)).then_some(mode)
    }

    /// The modes of the set with this value.
    pub fn modes_with(&self, value: i64) -> Result<M::Set, NodeLimit> {
        let root = (
            self.set.clone(),
            self.sum.root.node,
            value - self.sum.root.value,
        );
        let mut known: FxHashMap<(M::Set, u32, i64), M::Set> = FxHashMap::default();
        let mut stack = vec![root.clone()];
        while let Some(top) = stack.last() {
            if known.contains_key(top) {
                stack.pop();
                continue;
            }
            let (set, node, wanted) = top.clone();
            let Some((var, low, high, by)) = self.split(&(set.clone(), node)) else {
                let found = if wanted == 0 { set } else { self.sets.empty() };
                known.insert(top.clone(), found);
                continue;
            };
            let (low, high) = ((low.0, low.1, wanted), (high.0, high.1, wanted - by));
            if let (Some(l), Some(h)) = (known.get(&low), known.get(&high)) {
                let var = self.sets.var(var)?;
                let (h, l) = (self.sets.and(&var, h)?, self.sets.diff(l, &var)?);
                known.insert((set, node, wanted), self.sets.or(&h, &l)?);
            } else {
                stack.extend([low, high]);
            }
        }
        Ok(known[&root].clone())
    }

    /// Both halves at the last variable of either the set or the function, and what the function gains where it
    /// is true; `None` when the value is known: there is no variable left, or no mode.
    #[expect(clippy::type_complexity, reason = "two keys of the tables above")]
    fn split(
        &self,
        (set, node): &(M::Set, u32),
    ) -> Option<(ModeVar, (M::Set, u32), (M::Set, u32), i64)> {
        if self.sets.is_empty(set) {
            return None;
        }
        let split = self.sets.split(set);
        let of_sum = (*node != LEAF).then(|| self.sum.nodes[*node as usize].var);
        let of_set = split.as_ref().map(|(var, ..)| *var);
        let var = of_sum.max(of_set)?;
        let (high, low) = match split {
            Some((top, high, low)) if top == var => (high, low),
            _ => (set.clone(), set.clone()),
        };
        let (sum_low, value, sum_high) = self.sum.cofactors(*node, var);
        Some((var, (low, sum_low), (high, sum_high), value))
    }

    fn rank(&self, var: ModeVar) -> usize {
        self.vars.partition_point(|v| *v < var)
    }

    /// How many of the variables lie at or below the top of a pair.
    fn height(&self, key: &(M::Set, u32)) -> usize {
        self.split(key).map_or(0, |(var, ..)| self.rank(var) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BddSets;

    #[test]
    fn a_thousand_switches_have_a_thousand_and_one_sums_in_a_thousand_nodes() {
        let n = 1000;
        let sets = BddSets::new(n, 1 << 16);
        let vars: Vec<ModeVar> = (0..n).map(ModeVar::new).collect();
        let mut sum = Sum::constant(5);
        for &var in &vars {
            sum.add(&sets, &sets.var(var).unwrap(), -1).unwrap();
        }
        assert_eq!(sum.range(), (5 - n as i64, 5));
        assert!(sum.nodes.len() < 4 * n);
        let by_count: Vec<i64> = (0..=n as i64).map(|k| 5 - k).collect();
        assert_eq!(sum.by_count(&vars), Some(by_count));
        let full = sets.full();
        let mut within = Within::new(&sets, &sum, &full, &vars);
        let counts = within.distribution().unwrap();
        assert_eq!(counts.len(), n + 1);
        assert_eq!(counts[&3], BigUint::from(499_500u32));
        let two = within.pick(3).unwrap();
        assert_eq!(two.iter().filter(|closed| **closed).count(), 2);
        assert_eq!(sum.value(&two), 3);
        assert_eq!(counts.values().sum::<BigUint>(), BigUint::one() << n);
    }
}
