//! Values of expressions while lowering: arrays and records of nodes.

use crate::tape::Reg;
use modeshift_base::Name;
use modeshift_inst::ty::{Dim, RecordType, Type};
use std::sync::Arc;

/// An array of any number of dimensions; a scalar has none. Records are written out, field by field.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    pub dims: Vec<usize>,
    pub items: Vec<Reg>,
    /// The type of the elements, if they are records.
    pub record: Option<Arc<RecordType>>,
}

/// Why an expression cannot be lowered, for people.
pub type Why = String;

/// How many numbers a value of this type is made of; `None` if that is not known.
pub fn width(ty: &Type) -> Option<usize> {
    match ty {
        Type::Record(record) => record.fields.iter().map(|(_, ty)| width(ty)).sum(),
        Type::Array(array) => {
            Some(known(&array.dims)?.iter().product::<usize>() * width(&array.element)?)
        }
        _ => Some(1),
    }
}

/// The sizes of dimensions.
pub fn known(dims: &[Dim]) -> Option<Vec<usize>> {
    dims.iter()
        .map(|dim| usize::try_from(dim.known()?).ok())
        .collect()
}

/// The types of the scalars in a value, in order; `None` if a size is not known.
pub fn scalars(ty: &Type, out: &mut Vec<Type>) -> Option<()> {
    match ty {
        Type::Record(record) => record
            .fields
            .iter()
            .try_for_each(|(_, ty)| scalars(ty, out)),
        Type::Array(array) => {
            for _ in 0..known(&array.dims)?.iter().product::<usize>() {
                scalars(&array.element, out)?;
            }
            Some(())
        }
        other => {
            out.push(other.clone());
            Some(())
        }
    }
}

impl Value {
    pub fn new(dims: Vec<usize>, items: Vec<Reg>) -> Self {
        Self {
            dims,
            items,
            record: None,
        }
    }

    pub fn scalar(reg: Reg) -> Self {
        Self::new(Vec::new(), vec![reg])
    }

    /// A value of this type.
    pub fn typed(ty: &Type, items: Vec<Reg>) -> Option<Self> {
        let record = match ty.element() {
            Type::Record(record) => Some(record.clone()),
            _ => None,
        };
        Some(Self {
            dims: known(ty.dims())?,
            items,
            record,
        })
    }

    /// How many numbers an element is.
    pub fn width(&self) -> usize {
        match &self.record {
            None => 1,
            Some(record) => record
                .fields
                .iter()
                .map(|(_, ty)| width(ty).unwrap_or(1))
                .sum(),
        }
    }

    /// A field of every element.
    pub fn field(&self, name: Name) -> Result<Self, Why> {
        let unknown = || format!("the field `{name}` is not known");
        let record = self.record.as_ref().ok_or_else(unknown)?;
        let mut first = 0;
        for (field, ty) in &record.fields {
            let size = width(ty).ok_or_else(unknown)?;
            if *field == name {
                let elements = self.items.chunks(self.width().max(1));
                let items = elements.flat_map(|e| &e[first..first + size]).copied();
                let mut dims = self.dims.clone();
                dims.extend(known(ty.dims()).ok_or_else(unknown)?);
                let record = match ty.element() {
                    Type::Record(record) => Some(record.clone()),
                    _ => None,
                };
                return Ok(Self {
                    items: items.collect(),
                    dims,
                    record,
                });
            }
            first += size;
        }
        Err(unknown())
    }

    /// The single node of a scalar.
    pub fn only(&self) -> Result<Reg, Why> {
        match self.items[..] {
            [reg] => Ok(reg),
            _ => Err("an array is given where a number is expected".to_owned()),
        }
    }
}
