//! Values known at compile time.

use crate::exp::Exp;
use crate::ty::{Dim, EnumType, RecordType, Type};
use modeshift_base::Name;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int(i64),
    Real(f64),
    Bool(bool),
    Str(Arc<str>),
    /// Literal number, from 1.
    Enum(Arc<EnumType>, u32),
    /// Elements along the first dimension, and the type of the whole.
    Array(Arc<Vec<Value>>, Type),
    /// Fields in order of declaration.
    Record(Arc<RecordType>, Arc<Vec<Value>>),
    Tuple(Vec<Value>),
    /// A function with some inputs fixed.
    Function(Arc<str>, Vec<(Name, Value)>),
}

impl Value {
    /// As an expression.
    pub fn to_exp<R>(&self) -> Exp<R> {
        match self {
            Self::Int(value) => Exp::Int(*value),
            Self::Real(value) => Exp::Real(*value),
            Self::Bool(value) => Exp::Bool(*value),
            Self::Str(text) => Exp::Str(text.clone()),
            Self::Enum(ty, index) => Exp::Enum(ty.clone(), *index),
            Self::Array(items, ty) => {
                Exp::Array(items.iter().map(Self::to_exp).collect(), ty.clone())
            }
            Self::Record(ty, fields) => Exp::Record(
                Type::Record(ty.clone()),
                fields.iter().map(Self::to_exp).collect(),
            ),
            Self::Tuple(items) => {
                Exp::Tuple(items.iter().map(|item| Some(item.to_exp())).collect())
            }
            Self::Function(name, bound) => Exp::PartialFunction(
                name.clone(),
                bound
                    .iter()
                    .map(|(input, value)| (*input, value.to_exp()))
                    .collect(),
                Type::Function(name.clone()),
            ),
        }
    }

    pub fn ty(&self) -> Type {
        match self {
            Self::Int(_) => Type::Integer,
            Self::Real(_) => Type::Real,
            Self::Bool(_) => Type::Boolean,
            Self::Str(_) => Type::String,
            Self::Enum(ty, _) => Type::Enumeration(ty.clone()),
            Self::Array(_, ty) => ty.clone(),
            Self::Record(ty, _) => Type::Record(ty.clone()),
            Self::Tuple(items) => Type::Tuple(items.iter().map(Self::ty).collect()),
            Self::Function(name, _) => Type::Function(name.clone()),
        }
    }

    /// How many scalars or records it is made of.
    pub(super) fn elements(&self) -> usize {
        let Self::Array(_, ty) = self else { return 1 };
        let sizes = ty.dims().iter().filter_map(|dim| match dim {
            Dim::Known(size) => usize::try_from(*size).ok(),
            _ => None,
        });
        sizes.fold(1, usize::saturating_mul)
    }

    /// An array of values of one type; `inner` is the type of an element, needed when there are none.
    pub fn array(items: Vec<Self>, inner: &Type) -> Self {
        let inner = items.first().map_or_else(|| inner.clone(), Self::ty);
        let ty = Type::array(inner, vec![Dim::Known(items.len() as i64)]);
        Self::Array(Arc::new(items), ty)
    }

    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The position, from 1, that the value selects in a dimension.
    pub fn as_index(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Bool(value) => Some(i64::from(*value) + 1),
            Self::Enum(_, index) => Some(i64::from(*index)),
            _ => None,
        }
    }

    pub fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items, _) => Some(items),
            _ => None,
        }
    }

    /// Scalars in row-major order.
    pub fn scalars<'v>(&'v self, into: &mut Vec<&'v Self>) {
        match self {
            Self::Array(items, _) => items.iter().for_each(|item| item.scalars(into)),
            other => into.push(other),
        }
    }

    /// What a variable of the type holds before anything is assigned to it; `None` for unknown sizes.
    pub fn default_of(ty: &Type) -> Option<Self> {
        Some(match ty {
            Type::Real => Self::Real(0.0),
            Type::Integer => Self::Int(0),
            Type::Boolean => Self::Bool(false),
            Type::String => Self::Str("".into()),
            Type::Enumeration(ty) => Self::Enum(ty.clone(), 1),
            Type::Record(record) => {
                let fields: Option<Vec<Self>> = record
                    .fields
                    .iter()
                    .map(|(_, ty)| Self::default_of(ty))
                    .collect();
                Self::Record(record.clone(), Arc::new(fields?))
            }
            Type::Array(array) => {
                let size = array.dims.first()?.known()?;
                if size > 100_000 {
                    return None;
                }
                let inner = ty.strip(1);
                let element = if size == 0 {
                    Self::Int(0)
                } else {
                    Self::default_of(&inner)?
                };
                Self::Array(Arc::new(vec![element; size as usize]), ty.clone())
            }
            _ => return None,
        })
    }
}

/// How many values a range has; `None` for a step of zero or values that cannot be counted.
pub fn range_length(start: &Value, step: Option<&Value>, stop: &Value) -> Option<i64> {
    if let (Value::Real(_), _) | (_, Value::Real(_)) = (start, stop) {
        return real_range_length(
            start.as_real()?,
            step.map_or(Some(1.0), Value::as_real)?,
            stop.as_real()?,
        );
    }
    if let Some(Value::Real(step)) = step {
        return real_range_length(start.as_real()?, *step, stop.as_real()?);
    }
    let (a, c) = (start.as_index()?, stop.as_index()?);
    let step = step.map_or(Some(1), Value::as_index)?;
    match step {
        0 => None,
        step if step > 0 => Some(if a > c {
            0
        } else {
            c.checked_sub(a)?.div_euclid(step) + 1
        }),
        step => Some(if a < c {
            0
        } else {
            a.checked_sub(c)?.div_euclid(-step) + 1
        }),
    }
}

fn real_range_length(start: f64, step: f64, stop: f64) -> Option<i64> {
    if step == 0.0 || !step.is_finite() {
        return None;
    }
    let count = ((stop - start) / step + 1e-10).floor();
    (count.is_finite() && count < 1e7).then(|| if count < 0.0 { 0 } else { count as i64 + 1 })
}
