//! Values that copies share.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that is shared with its copies until one of them changes it. Copying costs a counter, and comparing a value with
/// its copy one look at two addresses, however large it is.
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Whether both are copies of one value. Others may be equal, too.
    pub fn same(a: &Self, b: &Self) -> bool {
        Arc::ptr_eq(&a.0, &b.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}
impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T: Clone> DerefMut for Shared<T> {
    /// Copies the value if it is shared.
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Self::from(T::default())
    }
}
impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Self::same(self, other) || *self.0 == *other.0
    }
}
impl<T: Eq> Eq for Shared<T> {}
impl<A, T: FromIterator<A>> FromIterator<A> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = A>>(iter: I) -> Self {
        Self::from(T::from_iter(iter))
    }
}
impl<T: IntoIterator + Clone> IntoIterator for Shared<T> {
    type Item = T::Item;
    type IntoIter = T::IntoIter;
    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}
impl<'a, T> IntoIterator for &'a Shared<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;
    fn into_iter(self) -> Self::IntoIter {
        (&**self).into_iter()
    }
}
impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Shared;

    #[test]
    fn a_change_does_not_reach_the_copy() {
        let mut one: Shared<Vec<u8>> = [1, 2].into_iter().collect();
        let other = one.clone();
        assert!(Shared::same(&one, &other));
        one.push(3);
        assert_eq!((&one[..], &other[..]), (&[1, 2, 3][..], &[1, 2][..]));
        assert_ne!(one, other);
    }
}
