//! Sets of modes as decision diagrams in one table of nodes, so that a page can ask which modes of a class satisfy a
//! formula, however many there are.

use modeshift_base::FxHashMap;
use modeshift_mdae::analysis::{Class, Members};
use modeshift_structure::{BddSet, BddSets, ModeSets};
use serde::Serialize;

/// Nodes that are embedded; classes that need more have no diagram.
const MAX_NODES: usize = 30_000;

/// Numbers of nodes: 0 is the empty set, 1 all modes, and `k + 2` the node `k` of [`Diagrams::nodes`].
type Node = u32;

/// Which modes belong to a class.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClassModes {
    /// The modes of a node.
    Node(Node),
    /// Those in which one of `counts` of the conditions hold.
    Counted {
        conditions: Vec<u32>,
        counts: Vec<usize>,
    },
    /// Only the mode whose structure is drawn is known.
    Example,
}

pub(super) struct Diagrams<'a> {
    sets: &'a BddSets,
    /// Condition, node where it holds, node where it does not. Nodes come after those they lead to.
    nodes: Vec<(u32, Node, Node)>,
    known: FxHashMap<BddSet, Node>,
}

impl<'a> Diagrams<'a> {
    pub fn new(sets: &'a BddSets) -> Self {
        Self {
            sets,
            nodes: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    pub fn modes(&mut self, class: &Class) -> ClassModes {
        match &class.members {
            Members::Set(set) => self.add(set).map_or(ClassModes::Example, ClassModes::Node),
            Members::Counted { vars, counts } => ClassModes::Counted {
                conditions: vars.iter().map(|var| var.index() as u32).collect(),
                counts: counts.clone(),
            },
            Members::Listed => ClassModes::Example,
        }
    }

    /// The node of a set; `None` when the table is full. Linear in the diagram, with a stack of its own, because
    /// diagrams are as deep as the model has conditions.
    fn add(&mut self, set: &BddSet) -> Option<Node> {
        let mut stack = vec![set.clone()];
        while let Some(set) = stack.last().cloned() {
            if self.node(&set).is_some() {
                stack.pop();
                continue;
            }
            let (var, holds, fails) = self.sets.split(&set)?;
            match (self.node(&holds), self.node(&fails)) {
                (Some(yes), Some(no)) => {
                    if self.nodes.len() >= MAX_NODES {
                        return None;
                    }
                    self.nodes.push((var.index() as u32, yes, no));
                    self.known.insert(set, self.nodes.len() as Node + 1);
                    stack.pop();
                }
                (yes, no) => {
                    let missing = [(yes, holds), (no, fails)].into_iter();
                    stack.extend(
                        missing
                            .filter(|(node, _)| node.is_none())
                            .map(|(_, set)| set),
                    );
                }
            }
        }
        self.node(set)
    }

    fn node(&self, set: &BddSet) -> Option<Node> {
        if self.sets.is_empty(set) {
            Some(0)
        } else if self.sets.is_full(set) {
            Some(1)
        } else {
            self.known.get(set).copied()
        }
    }

    /// Three numbers for each node.
    pub fn finish(self) -> Vec<u32> {
        let flat = self
            .nodes
            .into_iter()
            .flat_map(|(var, yes, no)| [var, yes, no]);
        flat.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Diagrams;
    use modeshift_structure::{BddSets, ModeSets, ModeVar};

    #[test]
    fn a_walk_through_the_nodes_finds_the_modes_of_each_set() {
        let sets = BddSets::new(4, 1000);
        let var = |i| sets.var(ModeVar::new(i)).expect("few nodes");
        let either = sets.or(&var(0), &sets.and(&var(2), &var(3)).expect("few"));
        let both = sets.and(&var(1), &var(3));
        let all = [either, both].map(|set| set.expect("few nodes"));
        let mut diagrams = Diagrams::new(&sets);
        let roots: Vec<_> = all.iter().map(|set| diagrams.add(set)).collect();
        let nodes = diagrams.finish();
        for bits in 0..16_u32 {
            let mode: Vec<bool> = (0..4).map(|i| bits >> i & 1 == 1).collect();
            for (set, root) in all.iter().zip(&roots) {
                let mut node = root.expect("the table is not full") as usize;
                while node > 1 {
                    let [var, yes, no] = [0, 1, 2].map(|i| nodes[3 * (node - 2) + i] as usize);
                    node = if mode[var] { yes } else { no };
                }
                assert_eq!(node == 1, sets.contains(set, &mode), "{mode:?}");
            }
        }
    }
}
