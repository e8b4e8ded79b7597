//! Modes grouped by index and degrees of freedom. On demand: telling apart the sums of many offsets can
//! cost more than the analysis itself.

use super::components::CareClusters;
use super::partition::{self, Partition};
use super::{AllModes, Component};
use crate::{ModeSets, NodeLimit, Sum, Within};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// What the modes of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Indices {
    /// The largest `c_f`.
    pub index: i32,
    /// Whether some variable is algebraic: `d_x = 0`.
    pub algebraic: bool,
    /// `Σd − Σc`.
    pub degrees_of_freedom: i64,
}

impl Indices {
    /// The structural index of the DAE literature.
    pub fn pryce_index(&self) -> i32 {
        self.index + i32::from(self.algebraic)
    }

    /// Of two independent parts together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            index: self.index.max(other.index),
            algebraic: self.algebraic || other.algebraic,
            degrees_of_freedom: self.degrees_of_freedom + other.degrees_of_freedom,
        }
    }
}

/// All modes with the same indices, or all singular ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class<S> {
    pub modes: S,
    /// `None`: the modes are singular.
    pub indices: Option<Indices>,
}

/// The classes of one component: the regular ones ascending by their indices, the singular one last.
/// Together they are the component's care set. One mode set for each class: see [`Profile`] where there are
/// many.
pub fn component_classes<M: ModeSets>(
    sets: &M,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
) -> Result<Vec<Class<M::Set>>, NodeLimit> {
    Profile::new(sets, result, component)?.classes(sets, component)
}

/// Index and degrees of freedom of a component in all its regular modes, without a mode set for each value.
#[derive(Clone, Debug)]
pub struct Profile<S> {
    /// The regular modes by index and by whether there is an algebraic variable.
    pub by_index: Vec<(i32, bool, S)>,
    /// The degrees of freedom, where the modes are regular, unless even the sum is too large.
    pub freedom: Result<Sum<S>, NodeLimit>,
}

impl<S: Clone + Eq + std::hash::Hash> Profile<S> {
    pub fn new<M: ModeSets<Set = S>>(
        sets: &M,
        result: &AllModes<S>,
        component: &Component<S>,
    ) -> Result<Self, NodeLimit> {
        let index = index_partition(sets, result, component)?;
        let algebraic = algebraic_modes(sets, result, component)?;
        let mut by_index = Vec::new();
        for piece in index {
            let with = sets.and(&piece.modes, &algebraic)?;
            let without = sets.diff(&piece.modes, &with)?;
            for (algebraic, modes) in [(false, without), (true, with)] {
                if !sets.is_empty(&modes) {
                    by_index.push((piece.value, algebraic, modes));
                }
            }
        }
        Ok(Self {
            by_index,
            freedom: freedom(sets, result, component),
        })
    }

    /// One mode set for each class.
    pub fn classes<M: ModeSets<Set = S>>(
        &self,
        sets: &M,
        component: &Component<S>,
    ) -> Result<Vec<Class<S>>, NodeLimit> {
        let freedom = self.freedom.as_ref().map_err(|limit| *limit)?;
        let mut classes = BTreeMap::new();
        for (index, algebraic, modes) in &self.by_index {
            let mut within = Within::new(sets, freedom, modes, &component.mode_variables);
            for freedom in within.distribution()?.into_keys() {
                let modes = within.modes_with(freedom)?;
                classes.insert(indices(*index, *algebraic, freedom), modes);
            }
        }
        Ok(finish(sets, classes, component.singular.clone()))
    }
}

const fn indices(index: i32, algebraic: bool, degrees_of_freedom: i64) -> Indices {
    Indices {
        index,
        algebraic,
        degrees_of_freedom,
    }
}

fn finish<M: ModeSets>(
    sets: &M,
    classes: BTreeMap<Indices, M::Set>,
    singular: M::Set,
) -> Vec<Class<M::Set>> {
    let regular = classes
        .into_iter()
        .map(|(indices, modes)| (modes, Some(indices)));
    let all = regular.chain([(singular, None)]);
    all.filter(|(modes, _)| !sets.is_empty(modes))
        .map(|(modes, indices)| Class { modes, indices })
        .collect()
}

/// The classes of several components together, over the modes of `care`. Their number multiplies in
/// bad cases: for models of few modes or few components.
pub fn combined_classes<M: ModeSets>(
    sets: &M,
    care: &M::Set,
    components: &[Vec<Class<M::Set>>],
) -> Result<Vec<Class<M::Set>>, NodeLimit> {
    let none = Indices {
        index: 0,
        algebraic: false,
        degrees_of_freedom: 0,
    };
    let mut regular = BTreeMap::from([(none, care.clone())]);
    let mut singular = sets.empty();
    for classes in components {
        let mut next: BTreeMap<Indices, M::Set> = BTreeMap::new();
        for (so_far, modes) in &regular {
            for class in classes {
                let both = sets.and(modes, &class.modes)?;
                if sets.is_empty(&both) {
                    continue;
                }
                match class.indices {
                    None => singular = sets.or(&singular, &both)?,
                    Some(indices) => {
                        let entry = next
                            .entry(so_far.with(indices))
                            .or_insert_with(|| sets.empty());
                        *entry = sets.or(entry, &both)?;
                    }
                }
            }
        }
        regular = next;
    }
    Ok(finish(sets, regular, singular))
}

/// How many modes the care set leaves, over all mode variables: exactly. Conjuncts that share no
/// variable are counted apart.
pub fn mode_count<M: ModeSets>(sets: &M, care: &[M::Set]) -> Result<BigUint, NodeLimit> {
    let clusters = CareClusters::new(sets, care);
    let mut count = BigUint::from(1u32);
    let mut free = sets.n_vars();
    for (conjuncts, support) in clusters.clusters() {
        let all = sets.intersection(conjuncts.iter().cloned())?;
        let vars: Vec<_> = support.iter().copied().collect();
        count *= sets.count_over(&all, &vars);
        free -= vars.len();
    }
    Ok(count << free)
}

fn index_partition<M: ModeSets>(
    sets: &M,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
) -> Result<Partition<M::Set>, NodeLimit> {
    let pieces = component
        .equations
        .iter()
        .flat_map(|f| &result.c[f.index()]);
    let positive = pieces.filter(|piece| piece.value > 0);
    let contributions = positive.map(|piece| (piece.value, piece.modes.clone()));
    partition::maximum(sets, contributions.chain([(0, component.regular.clone())]))
}

fn algebraic_modes<M: ModeSets>(
    sets: &M,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
) -> Result<M::Set, NodeLimit> {
    let mut algebraic = sets.empty();
    for x in &component.variables {
        if algebraic == component.regular {
            break;
        }
        if let Some(modes) = partition::modes_with(&result.d[x.index()], 0) {
            algebraic = sets.or(&algebraic, modes)?;
        }
    }
    Ok(algebraic)
}

/// `Σd − Σc`. The offsets are the smallest ones, so that each is a simple function of few mode variables, which
/// cannot be said of the matching. They are added from the first mode variable to the last: with sets that are
/// local in the variable order, an addition then only works near the top of the diagrams.
fn freedom<M: ModeSets>(
    sets: &M,
    result: &AllModes<M::Set>,
    component: &Component<M::Set>,
) -> Result<Sum<M::Set>, NodeLimit> {
    let mut sum = Sum::constant(0);
    let mut terms: Vec<(M::Set, i64)> = Vec::new();
    let offsets = component
        .variables
        .iter()
        .map(|x| (1, &result.d[x.index()]));
    let equations = component
        .equations
        .iter()
        .map(|f| (-1, &result.c[f.index()]));
    for (sign, partition) in offsets.chain(equations) {
        match &partition[..] {
            [only] if only.modes == component.regular => {
                sum.add_constant(sign * i64::from(only.value));
            }
            pieces => {
                let pieces = pieces.iter().filter(|piece| piece.value != 0);
                terms.extend(pieces.map(|p| (p.modes.clone(), sign * i64::from(p.value))));
            }
        }
    }
    terms.sort_by_cached_key(|(modes, _)| sets.split(modes).map(|(top, ..)| top));
    for (modes, value) in terms {
        sum.add(sets, &modes, value)?;
    }
    Ok(sum)
}
