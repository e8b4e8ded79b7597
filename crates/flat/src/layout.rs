//! Where each scalar variable lies.
//!
//! Variables are numbered in print order: the elements of an array of components one after the other,
//! each with all its parts. So the number of `a[i].b[j].x[k]` is a sum of offsets and strides, and a
//! reference resolves in time proportional to its length, without any table of names.

use modeshift_base::{Idx, IndexVec};
use modeshift_inst::tree::{Component, ComponentId, Instance};
use modeshift_inst::ty::Dim;

/// Address of a component inside one element of the class it is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Scalars before it in the element.
    pub offset: u32,
    /// Scalars of one element of it.
    pub size: u32,
    /// Its number of elements.
    pub count: u32,
}

/// Slots of all components, by their id.
#[derive(Debug, Default)]
pub struct Layout {
    slots: IndexVec<Slot>,
    /// Scalars of the whole model.
    pub total: u32,
}

/// The model has more scalar variables than can be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// More scalars than this are refused: memory would run out long before the answer.
pub const LIMIT: u64 = 5_000_000;

/// The number of values of a dimension; `None` where it is not known.
pub fn extent(dim: &Dim) -> Option<usize> {
    match dim {
        Dim::Known(n) => Some(usize::try_from(*n).unwrap_or(0)),
        Dim::Boolean => Some(2),
        Dim::Enumeration(ty) => Some(ty.literals.len()),
        Dim::Flexible(_) => None,
    }
}

/// Components that have variables of their own.
pub fn is_present(component: &Component) -> bool {
    !component.absent && component.outer.is_none()
}

impl Layout {
    /// Linear in the number of components.
    pub fn new(instance: &Instance) -> Result<Self, TooLarge> {
        let mut layout = Self {
            slots: instance
                .components
                .iter()
                .map(|_| Slot::default())
                .collect(),
            total: 0,
        };
        if let Some(root) = instance.root {
            let top = &instance.classes[root].components;
            layout.total = layout.place(instance, top)?;
        }
        Ok(layout)
    }

    /// Lays the components of one class out one after the other; gives their total size.
    fn place(&mut self, instance: &Instance, components: &[ComponentId]) -> Result<u32, TooLarge> {
        let mut offset = 0u64;
        for &id in components {
            let component = &instance.components[id];
            let size = match component.class {
                _ if !is_present(component) => 0,
                Some(class) => self.place(instance, &instance.classes[class].components)?,
                None => 1,
            };
            let count = component
                .dims
                .iter()
                .map(|dim| extent(dim).unwrap_or(0) as u64)
                .try_fold(1u64, u64::checked_mul)
                .filter(|&count| count <= LIMIT)
                .ok_or(TooLarge)?;
            self.slots[Idx::new(id.index())] = Slot {
                offset: offset as u32,
                size,
                count: count as u32,
            };
            offset += count * u64::from(size);
            if offset > LIMIT {
                return Err(TooLarge);
            }
        }
        Ok(offset as u32)
    }

    pub fn slot(&self, component: ComponentId) -> Slot {
        self.slots
            .get(Idx::new(component.index()))
            .copied()
            .unwrap_or_default()
    }
}
