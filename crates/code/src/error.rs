//! What can go wrong in a function, and where it did.

use crate::array::Dims;
use modeshift_flat::model::Place;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub enum Trouble {
    /// A subscript that the array does not have; `dim` from 0.
    Bounds {
        index: i64,
        size: usize,
        dim: usize,
    },
    /// So many subscripts for so many dimensions.
    Subscripts(usize, usize),
    Sizes(Dims, Dims),
    Overflow,
    DivisionByZero(&'static str),
    NotAnInteger(f64),
    NoLiteral(i64, Arc<str>),
    Assertion(Arc<str>),
    Terminate(Arc<str>),
    Steps,
    Depth,
    Memory,
    /// Something that cannot be executed, with the reason.
    Refused(Arc<str>),
    /// What an external function says.
    External(String),
}

impl Trouble {
    /// Whether an argument has no value.
    pub(crate) fn is_missing_value(&self) -> bool {
        matches!(self, Self::NotAnInteger(value) if value.is_nan())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds { index, size, dim } => write!(
                f,
                "subscript {} is {index}, and the array has size {size} there",
                dim + 1
            ),
            Self::Subscripts(given, rank) => {
                write!(
                    f,
                    "an array of {rank} dimensions is used with {given} subscripts"
                )
            }
            Self::Sizes(a, b) => {
                write!(f, "arrays of sizes {} and {} do not fit", Show(a), Show(b))
            }
            Self::Overflow => f.write_str("an Integer is too large"),
            Self::DivisionByZero(what) => write!(f, "`{what}` divides by zero"),
            trouble if trouble.is_missing_value() => f.write_str("an Integer has no value"),
            Self::NotAnInteger(value) => write!(f, "{value} is too large for an Integer"),
            Self::NoLiteral(value, ty) => write!(f, "{value} is no literal of `{ty}`"),
            Self::Assertion(message) | Self::Terminate(message) => f.write_str(message),
            Self::Steps => f.write_str("it takes too many steps"),
            Self::Depth => f.write_str("its calls are nested too deeply"),
            Self::Memory => f.write_str("its arrays or strings take too much memory"),
            Self::Refused(why) => f.write_str(why),
            Self::External(message) => f.write_str(message),
        }
    }
}

struct Show<'a>(&'a Dims);

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, size) in self.0.iter().enumerate() {
            write!(f, "{}{size}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str("]")
    }
}

/// Trouble in a call, with the functions that were running, the innermost first.
#[derive(Clone, PartialEq, Debug)]
pub struct CallError {
    pub trouble: Trouble,
    pub stack: Vec<(Arc<str>, Option<Place>)>,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.trouble)?;
        for (i, (name, _)) in self.stack.iter().take(4).enumerate() {
            write!(f, "{} `{name}`", if i == 0 { ", in" } else { " called by" })?;
        }
        if self.stack.len() > 4 {
            write!(f, " and {} more", self.stack.len() - 4)?;
        }
        Ok(())
    }
}
