//! Expressions.

use super::Ident;
use modeshift_base::{Name, Span};

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Int(i64),
    Real(f64),
    /// Escapes resolved.
    Str(Box<str>),
    Bool(bool),
    Ref(ComponentRef),
    /// Function calls and operators with call syntax, `der`, `initial` and `pure` included.
    Call {
        function: ComponentRef,
        args: Box<Args>,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    If {
        branches: Vec<(Expr, Expr)>,
        else_: Box<Expr>,
    },
    /// `start : stop` or `start : step : stop`
    Range {
        start: Box<Expr>,
        step: Option<Box<Expr>>,
        stop: Box<Expr>,
    },
    /// `{a, b}`
    Array(Vec<Expr>),
    /// `{e for i in r}`
    Comprehension {
        body: Box<Expr>,
        iterators: Vec<Iterator>,
    },
    /// `[a, b; c, d]`
    Matrix(Vec<Vec<Expr>>),
    /// `(a, , b)`, never of length one
    Tuple(Vec<Option<Expr>>),
    /// `(a)`: kept for the formatter and for messages
    Paren(Box<Expr>),
    /// `(expr)[subscripts]` and `f(x).field`: what Modelica 3.7 allows behind an expression
    Index {
        base: Box<Expr>,
        subscripts: Vec<Subscript>,
    },
    Field {
        base: Box<Expr>,
        field: Ident,
    },
    /// `function f(a = 1)` as an argument
    PartialFunction {
        function: ComponentRef,
        args: Box<Args>,
    },
    /// `end` inside subscripts
    End,
    Error,
}

/// `.a[1].b`
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentRef {
    pub global: bool,
    pub parts: Vec<RefPart>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RefPart {
    pub name: Name,
    pub subscripts: Vec<Subscript>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Subscript {
    /// `:`
    All(Span),
    Expr(Expr),
}

/// `f(a, b, c = d)` or `f(e for i in r)`
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Args {
    pub positional: Vec<Expr>,
    pub named: Vec<NamedArg>,
    /// With iterators, `positional` has exactly one expression.
    pub iterators: Vec<Iterator>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct NamedArg {
    pub name: Ident,
    pub value: Expr,
}

/// `i in range`; without a range it follows from the use.
#[derive(Clone, PartialEq, Debug)]
pub struct Iterator {
    pub name: Ident,
    pub range: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    ElementPlus,
    ElementMinus,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    ElementAdd,
    ElementSub,
    ElementMul,
    ElementDiv,
    ElementPow,
    And,
    Or,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}
