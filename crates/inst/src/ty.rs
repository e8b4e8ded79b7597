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
