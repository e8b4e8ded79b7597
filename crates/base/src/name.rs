//! Interned names. Equal text gives an equal [`Name`], so that lookup compares integers.

use crate::FxHashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{OnceLock, RwLock};

/// An interned identifier. Quoted identifiers keep their quotes: `'a b'`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

const SHARD_BITS: u32 = 4;
const SHARDS: usize = 1 << SHARD_BITS;

#[derive(Default)]
struct Shard {
    ids: FxHashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

/// Texts live as long as the process: the set of names of a Modelica session is small, and a `'static`
/// text spares every holder of a name a lifetime or a reference count.
fn shards() -> &'static [RwLock<Shard>; SHARDS] {
    static TABLE: OnceLock<[RwLock<Shard>; SHARDS]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|_| RwLock::new(Shard::default())))
}

impl Name {
    /// Interns `text`. O(length).
    pub fn new(text: &str) -> Self {
        let hash = rustc_hash::FxBuildHasher.hash_one(text);
        let shard = (hash >> 40) as usize % SHARDS;
        let table = &shards()[shard];
        if let Some(&id) = read(table).ids.get(text) {
            return Self::pack(shard, id);
        }
        let mut table = table
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&id) = table.ids.get(text) {
            return Self::pack(shard, id);
        }
        let text: &'static str = Box::leak(text.into());
        let id = table.texts.len() as u32;
        table.texts.push(text);
        table.ids.insert(text, id);
        Self::pack(shard, id)
    }

    pub fn as_str(self) -> &'static str {
        let shard = self.0 as usize % SHARDS;
        read(&shards()[shard]).texts[(self.0 >> SHARD_BITS) as usize]
    }

    const fn pack(shard: usize, id: u32) -> Self {
        Self(id << SHARD_BITS | shard as u32)
    }
}

fn read(table: &RwLock<Shard>) -> std::sync::RwLockReadGuard<'_, Shard> {
    table
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Alphabetical, so that sorting does not depend on the order of interning.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn equal_text_gives_an_equal_name_and_the_text_comes_back() {
        let names: Vec<Name> = (0..1000).map(|i| Name::new(&format!("n{i}"))).collect();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(*name, Name::new(&format!("n{i}")));
            assert_eq!(name.as_str(), format!("n{i}"));
        }
        assert!(Name::new("a") < Name::new("b"));
    }
}
