//! Where numbers live: one slot per variable and derivative, left limit, condition.

use modeshift_base::FxIndexMap;

pub use crate::layout::TIME;
/// 1 while the initial values are computed.
pub const INITIAL: u32 = 1;
/// 1 at the last instant.
pub const TERMINAL: u32 = 2;
/// 1 at events: conditions on time take their right limit.
pub const RIGHT: u32 = 3;
/// The homotopy parameter.
pub const LAMBDA: u32 = 4;
const FIRST: u32 = 5;

/// What a slot holds. Variables are numbered as in the flat model; auxiliary ones follow them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A variable or its derivative of some order.
    Var(u32, u32),
    /// The left limit of a variable.
    Pre(u32),
    /// A condition or integer part that is held between events.
    Held(u32),
    /// 1 at the instants of `sample`.
    Sample(u32),
    /// A value some time ago.
    Delay(u32),
    /// What comes out at an end of `spatialDistribution`.
    Transport(u32),
}

#[derive(Clone, Debug, Default)]
pub struct Slots {
    keys: FxIndexMap<Key, ()>,
}

impl Slots {
    pub fn of(&mut self, key: Key) -> u32 {
        self.keys.insert_full(key, ()).0 as u32 + FIRST
    }

    pub fn get(&self, key: Key) -> Option<u32> {
        self.keys.get_index_of(&key).map(|i| i as u32 + FIRST)
    }

    pub fn key(&self, slot: u32) -> Option<Key> {
        let index = slot.checked_sub(FIRST)?;
        self.keys.get_index(index as usize).map(|(key, ())| *key)
    }

    #[allow(
        clippy::len_without_is_empty,
        reason = "there are slots from the beginning"
    )]
    pub fn len(&self) -> usize {
        self.keys.len() + FIRST as usize
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, Key)> + '_ {
        self.keys
            .keys()
            .enumerate()
            .map(|(i, key)| (i as u32 + FIRST, *key))
    }
}
