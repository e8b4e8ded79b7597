//! Types, variability and the other small enumerations that typed trees carry.

use crate::exp::Exp;
use modeshift_base::Name;
use std::sync::Arc;

/// Modelica 3.6 §3.8: constant ≤ parameter ≤ discrete ≤ continuous. `Structural` parameters are
/// parameters whose value the compiler has used (sizes, conditions); they print as `final parameter`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variability {
    Constant,
    Structural,
    Parameter,
    Discrete,
    Continuous,
}

/// One array dimension.
#[derive(Clone, PartialEq, Debug)]
pub enum Dim {
    Known(i64),
    /// `Boolean` as a dimension.
    Boolean,
    /// An enumeration type as a dimension.
    Enumeration(Arc<EnumType>),
    /// `:` in a function argument, or a size that depends on one: `size(a, 1)`.
    Flexible(Option<Box<Exp>>),
}

#[derive(PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    /// Fully qualified name.
    pub path: Box<str>,
    pub literals: Vec<Name>,
}

/// The record or other structured class a value has.
#[derive(PartialEq, Debug)]
pub struct RecordType {
    /// Fully qualified name, as printed.
    pub path: Box<str>,
    pub fields: Vec<(Name, Type)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    Real,
    Integer,
    Boolean,
    String,
    Clock,
    Enumeration(Arc<EnumType>),
    /// Records, and connectors or models seen as values (in `connect` only).
    Record(Arc<RecordType>),
    /// A function value (partial application); the signature's printed form is enough for messages.
    Function(Arc<str>),
    /// An external object type.
    External(Arc<str>),
    Array(Arc<ArrayType>),
    Tuple(Arc<[Type]>),
    /// Statements and equations such as `assert` have no value.
    NoReturn,
    /// After an error, so that one mistake gives one message.
    Unknown,
}

/// `element` is never itself an array.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayType {
    pub element: Type,
    pub dims: Vec<Dim>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Causality {
    Input,
    Output,
}

impl Type {
    /// `element[dims]`, or `element` itself when there are no dimensions. Dimensions of `element` come last.
    pub fn array(element: Self, mut dims: Vec<Dim>) -> Self {
        match element {
            Self::Array(inner) => {
                dims.extend(inner.dims.iter().cloned());
                Self::array(inner.element.clone(), dims)
            }
            element if dims.is_empty() => element,
            element => Self::Array(Arc::new(ArrayType { element, dims })),
        }
    }

    /// The dimensions, none for a scalar.
    pub fn dims(&self) -> &[Dim] {
        match self {
            Self::Array(array) => &array.dims,
            _ => &[],
        }
    }

    pub fn rank(&self) -> usize {
        self.dims().len()
    }

    /// The type of the scalars in it.
    pub fn element(&self) -> &Self {
        match self {
            Self::Array(array) => &array.element,
            other => other,
        }
    }

    /// The same dimensions with other scalars.
    #[must_use]
    pub fn with_element(&self, element: Self) -> Self {
        Self::array(element, self.dims().to_vec())
    }

    /// The type behind the first `count` dimensions.
    #[must_use]
    pub fn strip(&self, count: usize) -> Self {
        let dims = self.dims().get(count..).unwrap_or_default().to_vec();
        Self::array(self.element().clone(), dims)
    }

    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Real or Integer elements.
    pub fn is_numeric(&self) -> bool {
        matches!(self.element(), Self::Real | Self::Integer)
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self.element(), Self::Unknown)
    }

    pub fn is_record(&self) -> bool {
        matches!(self.element(), Self::Record(_))
    }

    /// Whether values change at events only.
    pub fn is_discrete(&self) -> bool {
        match self.element() {
            Self::Integer | Self::Boolean | Self::String | Self::Enumeration(_) | Self::Clock => {
                true
            }
            Self::Record(record) => {
                !record.fields.is_empty() && record.fields.iter().all(|(_, ty)| ty.is_discrete())
            }
            _ => false,
        }
    }

    /// How many scalars the value has, if known.
    pub fn size(&self) -> Option<i64> {
        self.dims()
            .iter()
            .try_fold(1i64, |size, dim| size.checked_mul(dim.known()?))
    }
}

impl Dim {
    /// The number of indices, if known.
    pub fn known(&self) -> Option<i64> {
        match self {
            Self::Known(size) => Some(*size),
            Self::Boolean => Some(2),
            Self::Enumeration(ty) => Some(ty.literals.len() as i64),
            Self::Flexible(_) => None,
        }
    }

    /// Whether both may be the same size.
    pub fn compatible(&self, other: &Self) -> bool {
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

impl std::fmt::Display for Dim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Known(size) => write!(f, "{size}"),
            Self::Boolean => f.write_str("Boolean"),
            Self::Enumeration(ty) => f.write_str(&ty.path),
            Self::Flexible(_) => f.write_str(":"),
        }
    }
}

/// As in messages: `Real[3, :]`.
impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Real => f.write_str("Real"),
            Self::Integer => f.write_str("Integer"),
            Self::Boolean => f.write_str("Boolean"),
            Self::String => f.write_str("String"),
            Self::Clock => f.write_str("Clock"),
            Self::Enumeration(ty) => f.write_str(&ty.path),
            Self::Record(record) => f.write_str(&record.path),
            Self::Function(signature) => write!(f, "function {signature}"),
            Self::External(path) => f.write_str(path),
            Self::Array(array) => {
                write!(f, "{}[", array.element)?;
                for (index, dim) in array.dims.iter().enumerate() {
                    write!(f, "{}{dim}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Tuple(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            Self::NoReturn => f.write_str("nothing"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl Variability {
    /// As in messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Structural | Self::Parameter => "parameter",
            Self::Discrete => "discrete-time",
            Self::Continuous => "continuous-time",
        }
    }
}
