//! What is possible: the care set, in clusters of facts that share mode variables.
//!
//! The facts about one clutch say nothing about another one. Their conjunction over a whole model is a product whose
//! decision diagram can be far larger than all its factors together, so it is only made where few modes are left.

use crate::cond::Conds;
use crate::model::MDae;
use crate::space::{Space, mode_var};
use modeshift_structure::{BddSet, BddSets, ModeSets, ModeVar, NodeLimit};
use num_bigint::BigUint;
use petgraph::unionfind::UnionFind;
use std::collections::BTreeMap;

/// Facts that share mode variables with each other and with no other facts.
struct Cluster {
    /// Ascending.
    vars: Vec<ModeVar>,
    possible: Result<BddSet, NodeLimit>,
}

/// The care set of an mDAE.
#[derive(Default)]
pub(crate) struct Care {
    clusters: Vec<Cluster>,
    /// Per mode variable.
    cluster_of: Vec<Option<usize>>,
    /// A fact that nothing satisfies.
    contradiction: bool,
}

impl Care {
    /// O(facts · α), and the set operations of each cluster.
    pub(crate) fn new(mdae: &MDae, space: &mut Space) -> Self {
        let supports: Vec<Vec<ModeVar>> = mdae
            .care
            .iter()
            .map(|fact| mdae.conds.support([fact.condition]))
            .map(|support| support.into_iter().map(mode_var).collect())
            .collect();
        let mut classes: UnionFind<usize> = UnionFind::new(mdae.modes.len());
        for pair in supports.iter().flat_map(|support| support.windows(2)) {
            classes.union(pair[0].index(), pair[1].index());
        }
        let mut facts: BTreeMap<usize, (Vec<ModeVar>, Vec<_>)> = BTreeMap::new();
        for (fact, support) in mdae.care.iter().zip(&supports) {
            if let Some(first) = support.first() {
                let cluster = facts.entry(classes.find(first.index())).or_default();
                cluster.0.extend(support);
                cluster.1.push(fact.condition);
            }
        }
        let mut this = Self {
            clusters: Vec::with_capacity(facts.len()),
            cluster_of: vec![None; mdae.modes.len()],
            contradiction: mdae.care.iter().any(|fact| fact.condition == Conds::FALSE),
        };
        for (mut vars, conditions) in facts.into_values() {
            vars.sort_unstable();
            vars.dedup();
            for var in &vars {
                this.cluster_of[var.index()] = Some(this.clusters.len());
            }
            let sets: Result<Vec<BddSet>, NodeLimit> = conditions
                .into_iter()
                .map(|id| space.set(mdae, id))
                .collect();
            let possible = sets.and_then(|sets| space.sets.intersection(sets));
            this.clusters.push(Cluster { vars, possible });
        }
        this
    }

    /// The facts that concern some mode variables, also through others.
    pub(crate) fn about(&self, sets: &BddSets, vars: &[ModeVar]) -> Result<BddSet, NodeLimit> {
        if self.contradiction {
            return Ok(sets.empty());
        }
        let of = |var: &ModeVar| self.cluster_of.get(var.index()).copied().flatten();
        let mut wanted: Vec<usize> = vars.iter().filter_map(of).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut possible = sets.full();
        for cluster in wanted {
            let facts = self.clusters[cluster].possible.as_ref();
            possible = sets.and(&possible, facts.map_err(|limit| *limit)?)?;
        }
        Ok(possible)
    }

    /// The possible modes over the mode variables that guards read.
    pub(crate) fn over_guards(&self, sets: &BddSets, mdae: &MDae) -> Result<BddSet, NodeLimit> {
        if self.contradiction {
            return Ok(sets.empty());
        }
        let projected: Result<Vec<BddSet>, NodeLimit> = self
            .clusters
            .iter()
            .map(|cluster| cluster.projected(sets, mdae).map(|(possible, _)| possible))
            .collect();
        sets.intersection(projected?)
    }

    /// How many modes are possible, over the mode variables that guards read.
    pub(crate) fn count(&self, sets: &BddSets, mdae: &MDae) -> Result<BigUint, NodeLimit> {
        if self.contradiction {
            return Ok(BigUint::ZERO);
        }
        let mut free = mdae.modes.iter().filter(|mode| !mode.auxiliary).count();
        let mut count = BigUint::from(1u32);
        for cluster in &self.clusters {
            let (possible, own) = cluster.projected(sets, mdae)?;
            count *= sets.count_over(&possible, &own);
            free -= own.len();
        }
        Ok(count << free)
    }
}

impl Cluster {
    /// The possible modes over those of the variables that guards read.
    fn projected(&self, sets: &BddSets, mdae: &MDae) -> Result<(BddSet, Vec<ModeVar>), NodeLimit> {
        let is_auxiliary = |var: &&ModeVar| mdae.modes.as_slice()[var.index()].auxiliary;
        let (auxiliary, own): (Vec<&ModeVar>, Vec<&ModeVar>) =
            self.vars.iter().partition(is_auxiliary);
        let auxiliary: Vec<ModeVar> = auxiliary.into_iter().copied().collect();
        let possible = self.possible.as_ref().map_err(|limit| *limit)?;
        let possible = sets.exists(possible, &auxiliary)?;
        Ok((possible, own.into_iter().copied().collect()))
    }
}
