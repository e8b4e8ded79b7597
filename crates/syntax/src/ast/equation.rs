//! Equations and statements.

use super::{Args, Comment, ComponentRef, Expr, Iterator};
use modeshift_base::Span;

#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    pub kind: EquationKind,
    pub comment: Comment,
    pub span: Span,
}

/// A condition with what it guards; the `else` branch is kept apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch<T> {
    pub condition: Expr,
    pub body: Vec<T>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EquationKind {
    Equality {
        lhs: Expr,
        rhs: Expr,
    },
    If {
        branches: Vec<Branch<Equation>>,
        else_: Option<Vec<Equation>>,
    },
    For {
        iterators: Vec<Iterator>,
        body: Vec<Equation>,
    },
    Connect {
        from: ComponentRef,
        to: ComponentRef,
    },
    When {
        branches: Vec<Branch<Equation>>,
    },
    /// `assert(...)`, `reinit(...)`, `terminate(...)`, `Connections.root(...)`, …
    Call {
        function: ComponentRef,
        args: Args,
    },
    Error,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub comment: Comment,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    Assign {
        target: ComponentRef,
        value: Expr,
    },
    /// `(a, , b) := f(x)`
    AssignTuple {
        targets: Vec<Option<Expr>>,
        function: ComponentRef,
        args: Args,
    },
    Call {
        function: ComponentRef,
        args: Args,
    },
    Break,
    Return,
    If {
        branches: Vec<Branch<Statement>>,
        else_: Option<Vec<Statement>>,
    },
    For {
        iterators: Vec<Iterator>,
        body: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    When {
        branches: Vec<Branch<Statement>>,
    },
    Error,
}
