//! Connection sets by union–find on small ids.
//!
//! Elements keep the order in which they were first seen; sets come out by descending root, ties in rank
//! going to the first argument of the connection. That is the order in which OpenModelica generates its
//! equations, so that models can be compared line by line.

/// A growing family of disjoint sets over dense element numbers.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    /// For a root the bitwise complement of its rank, otherwise the parent.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Root { rank: u32 },
    Child { parent: u32 },
}

impl DisjointSets {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new element in a set of its own.
    pub fn add(&mut self) -> u32 {
        self.nodes.push(Node::Root { rank: 0 });
        (self.nodes.len() - 1) as u32
    }

    /// The representative of the set of `element`. Amortised almost constant (path halving).
    pub fn find(&mut self, mut element: u32) -> u32 {
        loop {
            let Node::Child { parent } = self.nodes[element as usize] else {
                return element;
            };
            let Node::Child { parent: above } = self.nodes[parent as usize] else {
                return parent;
            };
            self.nodes[element as usize] = Node::Child { parent: above };
            element = above;
        }
    }

    fn rank(&self, root: u32) -> u32 {
        match self.nodes[root as usize] {
            Node::Root { rank } => rank,
            Node::Child { .. } => 0,
        }
    }

    /// Joins the sets of two elements; of equally deep trees the first one's root stays.
    pub fn join(&mut self, first: u32, second: u32) {
        let (a, b) = (self.find(first), self.find(second));
        if a == b {
            return;
        }
        let (rank_a, rank_b) = (self.rank(a), self.rank(b));
        let (root, child) = if rank_a >= rank_b { (a, b) } else { (b, a) };
        self.nodes[child as usize] = Node::Child { parent: root };
        if rank_a == rank_b {
            self.nodes[root as usize] = Node::Root { rank: rank_a + 1 };
        }
    }

    /// All sets, by descending root; members in the order they were added. Linear.
    pub fn sets(&mut self) -> Vec<Vec<u32>> {
        let count = self.nodes.len();
        let mut slot = vec![u32::MAX; count];
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for root in (0..count as u32).rev() {
            if matches!(self.nodes[root as usize], Node::Root { .. }) {
                slot[root as usize] = sets.len() as u32;
                sets.push(Vec::new());
            }
        }
        for element in 0..count as u32 {
            let root = self.find(element);
            sets[slot[root as usize] as usize].push(element);
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::DisjointSets;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Joins by relabelling: slow and obvious.
    fn oracle(count: usize, joins: &[(usize, usize)]) -> BTreeSet<BTreeSet<u32>> {
        let mut label: Vec<usize> = (0..count).collect();
        for &(a, b) in joins {
            let (old, new) = (label[b], label[a]);
            label
                .iter_mut()
                .filter(|l| **l == old)
                .for_each(|l| *l = new);
        }
        (0..count)
            .map(|i| {
                (0..count)
                    .filter(|&j| label[j] == label[i])
                    .map(|j| j as u32)
                    .collect()
            })
            .collect()
    }

    proptest! {
        #[test]
        fn sets_are_those_of_relabelling(joins in prop::collection::vec((0usize..30, 0usize..30), 0..60)) {
            let mut sets = DisjointSets::default();
            for _ in 0..30 {
                sets.add();
            }
            for &(a, b) in &joins {
                sets.join(a as u32, b as u32);
            }
            let got = sets.sets();
            for set in &got {
                prop_assert!(set.windows(2).all(|pair| pair[0] < pair[1]));
            }
            let got: BTreeSet<BTreeSet<u32>> = got.into_iter().map(|set| set.into_iter().collect()).collect();
            prop_assert_eq!(got, oracle(30, &joins));
        }
    }

    #[test]
    fn the_first_argument_keeps_the_root_between_equals() {
        let mut sets = DisjointSets::default();
        let ids: Vec<u32> = (0..4).map(|_| sets.add()).collect();
        sets.join(ids[3], ids[0]);
        sets.join(ids[1], ids[2]);
        assert_eq!(sets.sets(), vec![vec![0, 3], vec![1, 2]]);
    }
}
