//! Conditions as sets of modes.

use crate::cond::Formula;
use crate::model::{MDae, ModeId};
use crate::sym::CondId;
use modeshift_structure::{BddSet, BddSets, ModeSets, ModeVar, NodeLimit};

/// The decision diagrams of an mDAE's conditions, built when they are asked for.
///
/// Mode variable `i` of the mDAE is variable `i` of the diagrams, so its place in the model is its place
/// in their order.
pub struct Space {
    pub sets: BddSets,
    known: Vec<Option<BddSet>>,
}

impl Space {
    pub fn new(mdae: &MDae, node_limit: usize) -> Self {
        Self {
            sets: BddSets::new(mdae.modes.len(), node_limit),
            known: Vec::new(),
        }
    }

    /// The modes in which a condition holds. Each entry of the table is converted once.
    pub fn set(&mut self, mdae: &MDae, id: CondId) -> Result<BddSet, NodeLimit> {
        if self.known.len() < mdae.conds.len() {
            self.known.resize(mdae.conds.len(), None);
        }
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            if self.known[id.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let formula = mdae.conds.formula(id);
            let before = stack.len();
            match formula {
                Formula::Not(inner) => stack.extend(self.missing(&[*inner])),
                Formula::And(inner) | Formula::Or(inner) => stack.extend(self.missing(inner)),
                Formula::Const(_) | Formula::Mode(_) => {}
            }
            if stack.len() == before {
                let set = self.build(formula)?;
                self.known[id.0 as usize] = Some(set);
                stack.pop();
            }
        }
        Ok(self.get(id))
    }

    fn missing(&self, ids: &[CondId]) -> Vec<CondId> {
        ids.iter()
            .copied()
            .filter(|id| self.known[id.0 as usize].is_none())
            .collect()
    }

    /// A condition that [`Self::set`] has converted.
    pub(crate) fn known(&self, id: CondId) -> Option<&BddSet> {
        self.known.get(id.0 as usize)?.as_ref()
    }

    fn get(&self, id: CondId) -> BddSet {
        self.known(id).cloned().unwrap_or_else(|| self.sets.empty())
    }

    fn build(&self, formula: &Formula) -> Result<BddSet, NodeLimit> {
        match formula {
            Formula::Const(true) => Ok(self.sets.full()),
            Formula::Const(false) => Ok(self.sets.empty()),
            Formula::Mode(mode) => self.sets.var(mode_var(*mode)),
            Formula::Not(inner) => self.sets.not(&self.get(*inner)),
            Formula::And(ids) => self.sets.intersection(ids.iter().map(|&id| self.get(id))),
            Formula::Or(ids) => self.sets.union(ids.iter().map(|&id| self.get(id))),
        }
    }

    /// The conjuncts of the care set.
    pub fn care(&mut self, mdae: &MDae) -> Result<Vec<BddSet>, NodeLimit> {
        mdae.care
            .iter()
            .map(|fact| self.set(mdae, fact.condition))
            .collect()
    }
}

pub fn mode_var(mode: ModeId) -> ModeVar {
    ModeVar::new(mode.index())
}

pub fn mode_id(var: ModeVar) -> ModeId {
    ModeId::new(var.index())
}
