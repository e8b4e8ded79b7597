//! Types of values in functions: which registers a value takes.
//!
//! A record is a value for each field, an array of records an array for each field, so that fields cost nothing.

use crate::ins::{Bank, Of, Reg, Slot};
use modeshift_base::Name;
use modeshift_inst::ty::{EnumType, Type};
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    Real,
    Int,
    Bool,
    Enum(Arc<EnumType>),
    Str,
    /// An external object.
    Object(Arc<str>),
}

impl Kind {
    pub const fn of(&self) -> Of {
        match self {
            Self::Real => Of::Real,
            Self::Str => Of::Str,
            _ => Of::Int,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// Numbers, strings and arrays of them, with the number of dimensions.
    Leaf(Kind, usize),
    /// Ranks of fields include that of the record.
    Record(usize, Vec<(Name, Self)>),
    Function,
}

/// Registers that hold a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Val {
    Leaf(Kind, usize, Reg),
    Record(usize, Vec<(Name, Self)>),
    Function(Reg),
}

pub fn bank(kind: &Kind, rank: usize) -> Bank {
    match (kind.of(), rank) {
        (Of::Real, 0) => Bank::Real,
        (Of::Int, 0) => Bank::Int,
        (Of::Str, 0) => Bank::Str,
        (Of::Real, _) => Bank::Reals,
        (Of::Int, _) => Bank::Ints,
        (Of::Str, _) => Bank::Strs,
    }
}

impl Ty {
    /// `None` for what is no value in a function.
    pub fn new(ty: &Type) -> Option<Self> {
        Self::lifted(ty, 0)
    }

    /// The type of arrays of so many dimensions of values of the type.
    pub fn lifted(ty: &Type, rank: usize) -> Option<Self> {
        Some(match ty {
            Type::Real => Self::Leaf(Kind::Real, rank),
            Type::Integer => Self::Leaf(Kind::Int, rank),
            Type::Boolean => Self::Leaf(Kind::Bool, rank),
            Type::String => Self::Leaf(Kind::Str, rank),
            Type::Enumeration(ty) => Self::Leaf(Kind::Enum(ty.clone()), rank),
            Type::External(path) => Self::Leaf(Kind::Object(path.clone()), rank),
            Type::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|(name, ty)| Some((*name, Self::lifted(ty, rank)?)));
                Self::Record(rank, fields.collect::<Option<_>>()?)
            }
            Type::Array(array) => Self::lifted(&array.element, rank + array.dims.len())?,
            Type::Function(_) => Self::Function,
            Type::Clock | Type::Tuple(_) | Type::NoReturn | Type::Unknown => return None,
        })
    }

    /// Registers from `next` on, which is moved behind them.
    pub fn allocate(&self, next: &mut impl FnMut(Bank) -> Reg) -> Val {
        match self {
            Self::Leaf(kind, rank) => Val::Leaf(kind.clone(), *rank, next(bank(kind, *rank))),
            Self::Record(rank, fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, ty)| (*name, ty.allocate(next)));
                Val::Record(*rank, fields.collect())
            }
            Self::Function => Val::Function(next(Bank::Function)),
        }
    }
}

impl Val {
    pub fn ty(&self) -> Ty {
        match self {
            Self::Leaf(kind, rank, _) => Ty::Leaf(kind.clone(), *rank),
            Self::Record(rank, fields) => {
                let fields = fields.iter().map(|(name, val)| (*name, val.ty()));
                Ty::Record(*rank, fields.collect())
            }
            Self::Function(_) => Ty::Function,
        }
    }

    pub fn rank(&self) -> usize {
        match self {
            Self::Leaf(_, rank, _) | Self::Record(rank, _) => *rank,
            Self::Function(_) => 0,
        }
    }

    pub fn slots(&self, into: &mut Vec<Slot>) {
        match self {
            Self::Leaf(kind, rank, reg) => into.push((bank(kind, *rank), *reg)),
            Self::Record(_, fields) => fields.iter().for_each(|(_, val)| val.slots(into)),
            Self::Function(reg) => into.push((Bank::Function, *reg)),
        }
    }

    pub fn field(&self, name: Name) -> Option<&Self> {
        match self {
            Self::Record(_, fields) => fields
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, val)| val),
            _ => None,
        }
    }

    /// Some array in it, to ask for sizes.
    pub fn first_leaf(&self) -> Option<(&Kind, usize, Reg)> {
        match self {
            Self::Leaf(kind, rank, reg) => Some((kind, *rank, *reg)),
            Self::Record(_, fields) => fields.iter().find_map(|(_, val)| val.first_leaf()),
            Self::Function(_) => None,
        }
    }
}
