//! Vectors whose copies share their items.

use crate::Idx;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Like [`IndexVec`](crate::IndexVec), but a vector and its copies share the list of items until one of them changes it, and
/// each item until one of them changes that: copying costs nothing, the first change a counter per item, however
/// large the items are.
pub struct SharedVec<T> {
    items: Arc<Vec<Arc<T>>>,
}

impl<T> SharedVec<T> {
    pub fn new() -> Self {
        Self {
            items: Arc::default(),
        }
    }

    /// Whether both are copies of one vector that nobody has changed. Others may be equal, too.
    pub fn same(a: &Self, b: &Self) -> bool {
        Arc::ptr_eq(&a.items, &b.items)
    }

    pub fn push(&mut self, item: T) -> Idx<T> {
        let items = Arc::make_mut(&mut self.items);
        items.push(Arc::new(item));
        Idx::new(items.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, id: Idx<T>) -> Option<&T> {
        self.items.get(id.index()).map(|item| &**item)
    }

    pub fn iter(&self) -> Iter<'_, T> {
        self.items.iter().map(|item| item)
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Idx<T>> + ExactSizeIterator + use<T> {
        (0..self.items.len()).map(Idx::new)
    }

    pub fn iter_enumerated(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Idx<T>, &T)> + ExactSizeIterator {
        self.iter()
            .enumerate()
            .map(|(index, item)| (Idx::new(index), item))
    }
}

/// The items of a [`SharedVec`] in order.
pub type Iter<'a, T> = std::iter::Map<std::slice::Iter<'a, Arc<T>>, fn(&'a Arc<T>) -> &'a T>;

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<T> Clone for SharedVec<T> {
    fn clone(&self) -> Self {
        Self {
            items: self.items.clone(),
        }
    }
}
impl<T: PartialEq> PartialEq for SharedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(a, b) || a == b;
        Self::same(self, other)
            || self.len() == other.len() && self.items.iter().zip(&*other.items).all(same)
    }
}
impl<T> Index<Idx<T>> for SharedVec<T> {
    type Output = T;
    fn index(&self, id: Idx<T>) -> &T {
        &self.items[id.index()]
    }
}
impl<T: Clone> IndexMut<Idx<T>> for SharedVec<T> {
    /// Copies the item if it is shared.
    fn index_mut(&mut self, id: Idx<T>) -> &mut T {
        Arc::make_mut(&mut Arc::make_mut(&mut self.items)[id.index()])
    }
}
impl<T> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self {
            items: Arc::new(iter.into_iter().map(Arc::new).collect()),
        }
    }
}
impl<'a, T> IntoIterator for &'a SharedVec<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
impl<T: fmt::Debug> fmt::Debug for SharedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::SharedVec;

    #[test]
    fn a_change_does_not_reach_the_copy() {
        let mut one: SharedVec<String> = ["a", "b"].into_iter().map(str::to_owned).collect();
        let other = one.clone();
        assert_eq!(one, other);
        let first = one.ids().next().unwrap();
        one[first].push('!');
        let new = one.push("c".to_owned());
        assert_eq!(one.iter().collect::<Vec<_>>(), ["a!", "b", "c"]);
        assert_eq!(other.iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(
            (one.get(new).map(String::as_str), other.get(new)),
            (Some("c"), None)
        );
        assert_ne!(one, other);
    }
}
