//! What the conditions of a loop are where its comparisons and the known conditions have values.

use super::system::{Beyond, Known, System};
use crate::model::{ModeDef, ModeId};
use crate::sym::CondId;
use modeshift_base::{FxHashMap, FxHashSet};

impl System<'_> {
    /// Puts the conditions that are no comparisons into an order, parts before what is made of them.
    pub(super) fn order_conditions(&mut self, modes: &[ModeId]) -> Result<(), Beyond> {
        let mdae = &self.analysis.mdae;
        let mut done: FxHashSet<ModeId> = FxHashSet::default();
        let mut open: Vec<ModeId> = Vec::new();
        for &id in modes {
            match &mdae.modes[id].def {
                ModeDef::Predicate(_) => {
                    done.insert(id);
                }
                ModeDef::Formula(_) | ModeDef::Held | ModeDef::Choice(_) => open.push(id),
                _ => return Err(Beyond::Condition),
            }
        }
        let inside: FxHashSet<ModeId> = modes.iter().copied().collect();
        while !open.is_empty() {
            let before = open.len();
            open.retain(|&id| {
                let parts = mdae.conds.support(self.conditions_of(id));
                let ready = parts
                    .iter()
                    .all(|part| *part == id || !inside.contains(part) || done.contains(part));
                if ready {
                    done.insert(id);
                    self.derived.push(id);
                }
                !ready
            });
            if open.len() == before {
                return Err(Beyond::Condition);
            }
        }
        Ok(())
    }

    pub(super) fn conditions_of(&self, id: ModeId) -> Vec<CondId> {
        let mdae = &self.analysis.mdae;
        let mut found = crate::fixpoint::update_conditions(mdae, id);
        if let ModeDef::Formula(formula) = mdae.modes[id].def {
            found.push(formula);
        }
        found
    }

    /// The truth of conditions where atoms and known ones have values; `None` where these do not suffice.
    pub(super) fn truth(
        &self,
        atoms: &dyn Fn(usize) -> Option<bool>,
        known: &dyn Fn(usize) -> Option<bool>,
    ) -> FxHashMap<ModeId, bool> {
        let mdae = &self.analysis.mdae;
        let mut values: FxHashMap<ModeId, bool> = FxHashMap::default();
        for (at, atom) in self.atoms.iter().enumerate() {
            let alias = self.alias(at);
            values.extend(atoms(alias.atom).map(|value| (atom.mode, value != alias.negated)));
        }
        let mut special: FxHashMap<Known, bool> = FxHashMap::default();
        for (at, which) in self.known.iter().enumerate() {
            if let Some(value) = known(at) {
                match which {
                    Known::Mode(id) => {
                        values.insert(*id, value);
                    }
                    _ => {
                        special.insert(*which, value);
                    }
                }
            }
        }
        for &id in &self.derived {
            let value = match mdae.modes[id].def {
                ModeDef::Formula(formula) => self.holds(formula, &values),
                _ => self.held(id, &values, &special),
            };
            values.extend(value.map(|value| (id, value)));
        }
        values
    }

    /// A condition, given the values of mode variables.
    pub(super) fn holds(&self, id: CondId, values: &FxHashMap<ModeId, bool>) -> Option<bool> {
        let conds = &self.analysis.mdae.conds;
        let mut known = self.closed.borrow_mut();
        let closed = known.entry(id).or_insert_with(|| conds.closed([id]).into());
        let closed = closed.clone();
        drop(known);
        let truth = conds.evaluate_some(&closed, |mode| values.get(&mode).copied());
        truth.get(&id).copied()
    }

    /// What a held mode variable becomes: the value of the branch that fires, else what it was.
    fn held(
        &self,
        id: ModeId,
        values: &FxHashMap<ModeId, bool>,
        special: &FxHashMap<Known, bool>,
    ) -> Option<bool> {
        let mdae = &self.analysis.mdae;
        let rises = |trigger: CondId| -> Option<bool> {
            let now = self.holds(trigger, values)?;
            let before = *special.get(&Known::Before(trigger))?;
            Some(now && !before)
        };
        for update in mdae.updates.iter().filter(|update| update.mode == id) {
            let mut fires = false;
            for &trigger in &update.firing.triggers {
                fires |= rises(trigger)?;
            }
            for &trigger in &update.firing.unless {
                fires &= !rises(trigger)?;
            }
            if fires && self.holds(update.guard, values)? {
                return self.holds(update.value, values);
            }
        }
        special.get(&Known::Held(id)).copied()
    }
}
