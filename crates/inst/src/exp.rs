//! Typed expressions. One tree serves the instance phase, the flat model and functions: what differs
//! is only how a variable is named, the leaf `R`.

use crate::tree::ComponentId;
use crate::ty::{Dim, EnumType, Type};
use modeshift_base::Name;
use std::sync::Arc;

/// How the instance phase names a component: by the ids of the components on its path. What stands
/// before the first part follows from that component's parents, see [`crate::tree`].
#[derive(Clone, PartialEq, Debug)]
pub struct Cref {
    /// Never empty. Each part but the first is a component of the class of the part before.
    pub parts: Vec<CrefPart>,
    /// Type of the whole reference: dimensions that subscripts leave over, of all parts.
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CrefPart {
    pub component: ComponentId,
    /// Empty, or one for each dimension of the component.
    pub subscripts: Vec<Subscript<Cref>>,
}

impl Cref {
    /// The component that is meant in the end.
    pub fn component(&self) -> Option<ComponentId> {
        self.parts.last().map(|part| part.component)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Subscript<R = Cref> {
    All,
    Index(Exp<R>),
    /// A vector of indices.
    Slice(Exp<R>),
}

/// A typed expression over references `R`.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp<R = Cref> {
    Int(i64),
    Real(f64),
    Bool(bool),
    Str(Arc<str>),
    /// Literal `index` (from 1) of the enumeration.
    Enum(Arc<EnumType>, u32),
    Time,
    Ref(R),
    /// An iterator of an enclosing `for` or comprehension.
    Iterator(Name),
    /// `{a, b}`; `dims` of the whole, elements of one dimension less.
    Array(Vec<Exp<R>>, Type),
    Range(Box<Range<R>>),
    Tuple(Vec<Option<Exp<R>>>),
    /// A record value, fields in order of declaration.
    Record(Type, Vec<Exp<R>>),
    Call(Box<Call<R>>),
    /// `array(e for i in r)`, `sum(e for …)`: `function` is `array`, `sum`, `product`, `min`, `max`.
    Reduction(Box<Reduction<R>>),
    Unary(UnaryOp, Box<Exp<R>>),
    Binary(BinaryOp, Box<(Exp<R>, Exp<R>)>),
    If(Box<IfExp<R>>),
    /// `Integer` used where a `Real` is expected, and `size`-changing casts of arrays of them.
    Cast(Type, Box<Exp<R>>),
    /// Subscripts on something that is not a reference.
    Subscripted(Box<Exp<R>>, Vec<Subscript<R>>),
    /// The `index`-th (from 1) output of a call with several.
    TupleElement(Box<Exp<R>>, u32),
    /// `f(x).field`
    Field(Box<Exp<R>>, Name),
    /// `function f(a = 1)`
    PartialFunction(Arc<str>, Vec<(Name, Exp<R>)>, Type),
    /// `size(A, i)` that is not known; also `end`.
    Size(Box<Exp<R>>, Option<Box<Exp<R>>>),
    /// A dimension's type used as a value: `Boolean` or an enumeration as a range.
    TypeRange(Dim),
    /// An expression that failed to type; said already.
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Range<R = Cref> {
    pub start: Exp<R>,
    pub step: Option<Exp<R>>,
    pub stop: Exp<R>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call<R = Cref> {
    pub function: Callee,
    pub args: Vec<Exp<R>>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A built-in operator or function: `der`, `pre`, `sin`, `noEvent`, `assert` …
    Builtin(Name),
    /// A user function, by the name it is printed with.
    User(Arc<str>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reduction<R = Cref> {
    pub function: Callee,
    pub body: Exp<R>,
    pub iterators: Vec<(Name, Exp<R>)>,
    pub ty: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub struct IfExp<R = Cref> {
    pub condition: Exp<R>,
    pub then: Exp<R>,
    pub else_: Exp<R>,
    pub ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Neg,
    Not,
}

/// Operators after typing: which array form is meant is settled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// Elementwise forms, scalars broadcast: `.+ .- .* ./ .^`
    AddElem,
    SubElem,
    MulElem,
    DivElem,
    PowElem,
    /// Scalar product, matrix–vector and matrix–matrix products, matrix power.
    MatMul,
    MatPow,
    And,
    Or,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    NotEqual,
}
