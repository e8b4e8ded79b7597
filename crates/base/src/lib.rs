//! Ids, interned names, text ranges and index maps that every other crate shares.

mod arena;
mod cow;
mod invariant;
mod name;
mod number;
mod shared;
mod span;

pub use arena::{Idx, IndexVec};
pub use cow::Shared;
pub use name::Name;
pub use number::{rounded, shown};
pub use shared::SharedVec;
pub use span::{FileId, FileSpan, Span};

/// Hash map with a fast, deterministic hasher. Never iterate one for output.
pub type FxHashMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// Hash set with a fast, deterministic hasher. Never iterate one for output.
pub type FxHashSet<T> = rustc_hash::FxHashSet<T>;
/// Insertion-ordered map: what is printed is stored in one of these.
pub type FxIndexMap<K, V> = indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher>;
/// Insertion-ordered set.
pub type FxIndexSet<T> = indexmap::IndexSet<T, rustc_hash::FxBuildHasher>;
