//! Equations between two variables, `a = b` and `a + b = 0`: which of them are written down is a matter of choice,
//! as long as the same variables end up equal.

use super::canon::{Sum, VARIABLE};
use modeshift_base::{FxHashMap, FxIndexMap};
use std::collections::BTreeMap;

/// `left = sign * right`
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Equality {
    pub left: String,
    pub sign: f64,
    pub right: String,
}

impl Equality {
    /// An equation that says no more than that two variables are equal up to sign.
    pub fn of(residual: &Sum) -> Option<Self> {
        let mut terms = residual.iter();
        let (Some((left, a)), Some((right, b)), None) = (terms.next(), terms.next(), terms.next())
        else {
            return None;
        };
        let is_variable = |text: &str| {
            text.starts_with(VARIABLE) && !text.contains(['*', '/']) && text != "@time"
        };
        let is_plain = a.abs() == 1.0 && b.abs() == 1.0 && is_variable(left) && is_variable(right);
        is_plain.then(|| Self {
            left: left.clone(),
            sign: -a * b,
            right: right.clone(),
        })
    }
}

/// Sets of variables that equalities tie together, each with its sign against the first by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases {
    /// By variable: its set and its sign in it.
    members: FxHashMap<String, (usize, f64)>,
    /// By set: the first variable by name, how many equalities there are, and whether they contradict
    /// each other, so that all its variables are zero.
    sets: Vec<(String, usize, bool)>,
}

impl Aliases {
    /// Almost linear in the equalities, apart from sorting names.
    pub fn of(equalities: &[Equality]) -> Self {
        let mut forest = Forest::default();
        for equality in equalities {
            let (left, right) = (forest.node(&equality.left), forest.node(&equality.right));
            forest.join(left, right, equality.sign);
        }
        let mut sets: BTreeMap<usize, Vec<(String, f64)>> = BTreeMap::new();
        for node in 0..forest.names.len() {
            let (root, sign) = forest.find(node);
            let name = forest
                .names
                .get_index(node)
                .map(|(name, ())| name.clone())
                .unwrap_or_default();
            sets.entry(root).or_default().push((name, sign));
        }
        let mut aliases = Self::default();
        for (root, mut set) in sets {
            set.sort_by(|a, b| a.0.cmp(&b.0));
            let id = aliases.sets.len();
            let (first, first_sign) = set[0].clone();
            aliases
                .sets
                .push((first, forest.edges[root], forest.zero[root]));
            aliases.members.extend(
                set.into_iter()
                    .map(|(name, sign)| (name, (id, sign * first_sign))),
            );
        }
        aliases
    }

    /// The variable that stands for `name`, and its sign.
    pub fn representative(&self, name: &str) -> Option<(f64, String)> {
        let &(set, sign) = self.members.get(name)?;
        Some((sign, self.sets[set].0.clone()))
    }

    /// Does the equality follow from these?
    pub fn implies(&self, equality: &Equality) -> bool {
        match (
            self.members.get(&equality.left),
            self.members.get(&equality.right),
        ) {
            (Some(left), Some(right)) => {
                left.0 == right.0 && (self.sets[left.0].2 || left.1 * right.1 == equality.sign)
            }
            _ => false,
        }
    }

    /// How many equalities tie the set together that `name` is in.
    pub fn count(&self, name: &str) -> usize {
        self.members
            .get(name)
            .map_or(0, |(set, _)| self.sets[*set].1)
    }
}

/// Union-find with signs.
#[derive(Default)]
struct Forest {
    names: FxIndexMap<String, ()>,
    parent: Vec<usize>,
    /// Against the parent.
    sign: Vec<f64>,
    size: Vec<usize>,
    edges: Vec<usize>,
    zero: Vec<bool>,
}

impl Forest {
    fn node(&mut self, name: &str) -> usize {
        let (node, _) = self.names.insert_full(name.to_owned(), ());
        if node == self.parent.len() {
            self.parent.push(node);
            self.sign.push(1.0);
            self.size.push(1);
            self.edges.push(0);
            self.zero.push(false);
        }
        node
    }

    /// The root and the sign against it; trees stay flat because the smaller goes below the larger.
    fn find(&self, mut node: usize) -> (usize, f64) {
        let mut sign = 1.0;
        while self.parent[node] != node {
            sign *= self.sign[node];
            node = self.parent[node];
        }
        (node, sign)
    }

    fn join(&mut self, left: usize, right: usize, sign: f64) {
        let ((a, sign_a), (b, sign_b)) = (self.find(left), self.find(right));
        if a == b {
            self.edges[a] += 1;
            self.zero[a] |= sign_a * sign_b != sign;
            return;
        }
        let (root, child) = if self.size[a] >= self.size[b] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[child] = root;
        self.sign[child] = sign * sign_a * sign_b;
        self.size[root] += self.size[child];
        self.edges[root] += self.edges[child] + 1;
        self.zero[root] |= self.zero[child];
    }
}
