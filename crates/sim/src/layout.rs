//! Where numbers live while simulating: one slot per variable and derivative, the same in all modes.

use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::VarRef;

/// Slot 0 is time.
pub const TIME: u32 = 0;

/// Gives every occurrence that is ever read a slot.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    slots: FxIndexMap<VarRef, ()>,
}

impl Layout {
    pub fn slot(&mut self, occurrence: VarRef) -> u32 {
        let next = self.slots.len();
        let index = self.slots.insert_full(occurrence, ()).0;
        debug_assert!(index <= next);
        index as u32 + 1
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
