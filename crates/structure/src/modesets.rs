//! Sets of modes. A mode is a valuation of the Boolean mode variables; a set of modes is a Boolean
//! function of them.
//!
//! [`ModeSets`] is the small door in front of the decision diagrams: the analysis is generic over it, so
//! that they stay exchangeable and the tests can run the same code on plain truth tables
//! ([`ExplicitSets`]).

mod bdd;
mod cover;
mod explicit;
mod formula;
mod sum;
mod watched;

pub use bdd::{BddSet, BddSets};
pub use cover::{Cube, Literal, MaxLength, irredundant_cover};
pub use explicit::ExplicitSets;
pub use formula::{Formula, formula, true_counts};
pub use sum::{Distribution, Sum, Within};
pub use watched::Watched;

use crate::ModeVar;
use num_bigint::BigUint;
use std::fmt;
use std::hash::Hash;

/// The mode sets have become too large: they needed more nodes than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeLimit {
    /// The largest number of nodes that was allowed, at one time or in all.
    pub limit: usize,
}

impl fmt::Display for NodeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the mode sets need more than {} decision diagram nodes",
            self.limit
        )
    }
}

impl std::error::Error for NodeLimit {}

/// One mode: the value of every mode variable, by its number.
pub type Valuation = Vec<bool>;

/// An algebra of mode sets over the variables `ModeVar(0)..ModeVar(n_vars)`.
///
/// Equal sets are equal values of `Set` (`==` and hash take constant time with BDDs). Every operation
/// that can make new nodes can fail with [`NodeLimit`]; after a failure all existing sets stay valid.
pub trait ModeSets {
    type Set: Clone + Eq + Hash + fmt::Debug;

    /// How many mode variables there are.
    fn n_vars(&self) -> usize;
    /// Runs many operations where each of them finds a stack deep enough for its recursion. Single
    /// operations are safe without; this saves them from making room one by one.
    fn with_deep_stack<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }
    fn empty(&self) -> Self::Set;
    fn full(&self) -> Self::Set;
    /// The modes in which `var` is true.
    fn var(&self, var: ModeVar) -> Result<Self::Set, NodeLimit>;
    fn not(&self, a: &Self::Set) -> Result<Self::Set, NodeLimit>;
    fn and(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, NodeLimit>;
    fn or(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, NodeLimit>;
    /// The modes of `a` that are not in `b`.
    fn diff(&self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, NodeLimit>;
    fn is_empty(&self, a: &Self::Set) -> bool;
    fn is_full(&self, a: &Self::Set) -> bool;
    /// Both cofactors at the last variable of the support: `(variable, if true, if false)`, or
    /// `None` for the empty and the full set.
    ///
    /// The last variable is the top of the diagrams. The analysis goes through a model from its
    /// first equation to its last; so the variables that join late are placed on top of what is there,
    /// where they cost one node, and not below everything, where they copy it.
    fn split(&self, a: &Self::Set) -> Option<(ModeVar, Self::Set, Self::Set)>;
    /// The cofactor of `a` where `var` has the given value.
    fn restrict(&self, a: &Self::Set, var: ModeVar, value: bool) -> Result<Self::Set, NodeLimit>;
    /// Forgets `vars`: the modes that are in `a` for some value of them.
    fn exists(&self, a: &Self::Set, vars: &[ModeVar]) -> Result<Self::Set, NodeLimit>;
    /// Whether a mode is in the set. Variables beyond the valuation's length are false.
    fn contains(&self, a: &Self::Set, mode: &[bool]) -> bool;
    /// The variables on which the set depends, ascending.
    fn support(&self, a: &Self::Set) -> Vec<ModeVar>;
    /// The exact number of modes in the set, over all `n_vars` variables.
    fn count(&self, a: &Self::Set) -> BigUint;
    /// The number of valuations of `vars`, which must contain the support, that are in the set.
    fn count_over(&self, a: &Self::Set, vars: &[ModeVar]) -> BigUint {
        self.count(a) >> (self.n_vars() - vars.len())
    }

    /// A mode of the set, or `None` if empty: read from the last variable to the first, the one that
    /// has `false` at the first difference.
    fn pick(&self, a: &Self::Set) -> Option<Valuation>;

    /// Whether `a` and `b` have a mode in common.
    fn intersects(&self, a: &Self::Set, b: &Self::Set) -> Result<bool, NodeLimit> {
        Ok(!self.is_empty(&self.and(a, b)?))
    }

    /// Whether every mode of `a` is in `b`.
    fn is_subset(&self, a: &Self::Set, b: &Self::Set) -> Result<bool, NodeLimit> {
        Ok(self.is_empty(&self.diff(a, b)?))
    }

    /// The modes in which `var` has the given value.
    fn literal(&self, var: ModeVar, value: bool) -> Result<Self::Set, NodeLimit> {
        let set = self.var(var)?;
        if value { Ok(set) } else { self.not(&set) }
    }

    /// The union of many sets, as a balanced tree.
    fn union(&self, sets: impl IntoIterator<Item = Self::Set>) -> Result<Self::Set, NodeLimit>
    where
        Self: Sized,
    {
        balanced(sets.into_iter().collect(), self.empty(), |a, b| {
            self.or(a, b)
        })
    }

    /// The intersection of many sets, as a balanced tree.
    fn intersection(
        &self,
        sets: impl IntoIterator<Item = Self::Set>,
    ) -> Result<Self::Set, NodeLimit>
    where
        Self: Sized,
    {
        balanced(sets.into_iter().collect(), self.full(), |a, b| {
            self.and(a, b)
        })
    }

    /// The set of the single mode `mode`.
    fn singleton(&self, mode: &[bool]) -> Result<Self::Set, NodeLimit> {
        let mut set = self.full();
        for (v, &value) in mode.iter().enumerate() {
            set = self.and(&self.literal(ModeVar::new(v), value)?, &set)?;
        }
        Ok(set)
    }

    /// The modes of the set as valuations of `vars`, which must be ascending and contain the support.
    /// They are sorted (`false` first). If there are more than `limit`, they are the first ones in
    /// the order of [`Self::pick`].
    fn valuations(&self, a: &Self::Set, vars: &[ModeVar], limit: usize) -> Vec<Valuation>
    where
        Self: Sized,
    {
        valuations(self, a, vars, limit)
    }
}

/// Combines neighbours first, so that the intermediate sets stay local to their part of the model.
fn balanced<T: Clone>(
    mut items: Vec<T>,
    neutral: T,
    op: impl Fn(&T, &T) -> Result<T, NodeLimit>,
) -> Result<T, NodeLimit> {
    while items.len() > 1 {
        let pairs = items.chunks(2);
        items = pairs
            .map(|pair| match pair {
                [a, b] => op(a, b),
                rest => Ok(rest[0].clone()),
            })
            .collect::<Result<_, _>>()?;
    }
    Ok(items.pop().unwrap_or(neutral))
}

fn valuations<M: ModeSets>(sets: &M, a: &M::Set, vars: &[ModeVar], limit: usize) -> Vec<Valuation> {
    let mut found = Vec::new();
    if sets.is_empty(a) {
        return found;
    }
    // Depth-first from the last variable; the stack holds the untried `true` branches.
    let mut stack = vec![(vars.len(), a.clone(), None)];
    let mut mode: Valuation = vec![false; vars.len()];
    while let Some((left, set, value)) = stack.pop() {
        if let Some(value) = value {
            mode[left] = value;
        }
        if found.len() >= limit {
            break;
        }
        let Some(next) = left.checked_sub(1) else {
            found.push(mode.clone());
            continue;
        };
        let (high, low) = match sets.split(&set) {
            Some((top, high, low)) if top == vars[next] => (high, low),
            _ => (set.clone(), set),
        };
        for (branch, value) in [(high, true), (low, false)] {
            if !sets.is_empty(&branch) {
                stack.push((next, branch, Some(value)));
            }
        }
    }
    found.sort_unstable();
    found
}
