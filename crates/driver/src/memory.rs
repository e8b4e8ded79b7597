//! What the stages remember of a class from one edit to the next.
//!
//! A query of salsa runs again when something that it read has changed, and knows nothing of the last time. Some stages do
//! nearly the same again: they keep their last input with their last result, compare the new input with it, and redo what has
//! changed. What is kept never decides about a result, only about the way to it. Parts that are shared between inputs are
//! compared by their addresses ([`modeshift_base::Shared`], [`modeshift_base::SharedVec`]).

use crate::Db;
use modeshift_flat::walked::Before;
use modeshift_hir::ClassId;
use modeshift_mdae::Known;
use modeshift_mdae::model::MDae;
use modeshift_mdae::shape::Shape;
use std::sync::{Mutex, PoisonError};

/// What is remembered of one class.
#[derive(Default)]
pub(crate) struct Memory {
    pub flattened: Slot<Before>,
    pub lowered: Slot<Known>,
    pub outlined: Slot<(MDae, Shape)>,
}

/// What one stage remembers. While it is at work nobody else sees it, and if it is given up nothing is left.
pub(crate) struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    pub fn with<R>(&self, work: impl FnOnce(&mut Option<T>) -> R) -> R {
        let slot = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = slot().take();
        let result = work(&mut known);
        *slot() = known;
        result
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

/// The memory of a class. It depends on nothing, so it stays until others have been looked at more recently.
#[salsa::tracked(returns(ref), no_eq, lru = 32)]
pub(crate) fn memory(_db: &dyn Db, _class: ClassId) -> Memory {
    Memory::default()
}

/// Keeps the memories of so many classes.
pub(crate) fn keep(db: &mut modeshift_db::Database, classes: usize) {
    memory::set_lru_capacity(db, classes);
}
