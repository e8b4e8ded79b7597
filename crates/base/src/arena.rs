//! Vectors indexed by their own small id type, so that an equation number cannot index variables.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The index of a `T` in an [`IndexVec<T>`].
pub struct Idx<T> {
    raw: u32,
    _of: PhantomData<fn() -> T>,
}

impl<T> Idx<T> {
    pub const fn new(raw: usize) -> Self {
        Self {
            raw: raw as u32,
            _of: PhantomData,
        }
    }

    pub const fn index(self) -> usize {
        self.raw as usize
    }
}

impl<T> Clone for Idx<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Idx<T> {}
impl<T> PartialEq for Idx<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Idx<T> {}
impl<T> PartialOrd for Idx<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Idx<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.raw.cmp(&other.raw)
    }
}
impl<T> Hash for Idx<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> fmt::Debug for Idx<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.raw)
    }
}

/// A growable vector of `T` indexed by [`Idx<T>`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexVec<T> {
    items: Vec<T>,
}

impl<T> IndexVec<T> {
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    pub fn push(&mut self, item: T) -> Idx<T> {
        self.items.push(item);
        Idx::new(self.items.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, id: Idx<T>) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Idx<T>> + ExactSizeIterator + use<T> {
        (0..self.items.len()).map(Idx::new)
    }

    pub fn iter_enumerated(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Idx<T>, &T)> + ExactSizeIterator {
        self.items
            .iter()
            .enumerate()
            .map(|(i, item)| (Idx::new(i), item))
    }

    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for IndexVec<T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<T> Index<Idx<T>> for IndexVec<T> {
    type Output = T;
    fn index(&self, id: Idx<T>) -> &T {
        &self.items[id.index()]
    }
}
impl<T> IndexMut<Idx<T>> for IndexVec<T> {
    fn index_mut(&mut self, id: Idx<T>) -> &mut T {
        &mut self.items[id.index()]
    }
}
impl<T> FromIterator<T> for IndexVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self {
            items: iter.into_iter().collect(),
        }
    }
}
impl<T> IntoIterator for IndexVec<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}
impl<'a, T> IntoIterator for &'a IndexVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
impl<T: fmt::Debug> fmt::Debug for IndexVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}
