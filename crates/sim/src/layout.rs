//! Where numbers live while simulating: one slot per variable and derivative, the same in all modes.

use crate::delay::Delayed;
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{Expr, VarId, VarRef};

/// Slot 0 is time.
pub const TIME: u32 = 0;

/// Gives every occurrence that is ever read a slot.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    slots: FxIndexMap<VarRef, ()>,
    pub delays: Vec<Delayed>,
}

/// Symbols for delayed expressions, which are no variables of the model.
const DELAYS: u32 = 0x4000_0000;

impl Layout {
    pub fn slot(&mut self, occurrence: VarRef) -> u32 {
        let next = self.slots.len();
        let index = self.slots.insert_full(occurrence, ()).0;
        debug_assert!(index <= next);
        index as u32 + 1
    }

    /// The slot from which `delay(expr, time)` is read.
    pub fn delay(&mut self, expr: &Expr, time: f64) -> u32 {
        let known = self.delays.iter();
        if let Some(found) = known.clone().find(|d| d.expr == *expr && d.time == time) {
            return found.slot;
        }
        let symbol = VarRef::now(VarId(DELAYS + self.delays.len() as u32), 0);
        let slot = self.slot(symbol);
        self.delays.push(Delayed {
            expr: expr.clone(),
            time,
            slot,
        });
        slot
    }

    /// The slot of an occurrence that has one.
    pub fn get(&self, occurrence: VarRef) -> Option<u32> {
        self.slots.get_index_of(&occurrence).map(|i| i as u32 + 1)
    }

    pub fn len(&self) -> usize {
        self.slots.len() + 1
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, VarRef)> + '_ {
        self.slots
            .keys()
            .enumerate()
            .map(|(i, o)| (i as u32 + 1, *o))
    }
}
