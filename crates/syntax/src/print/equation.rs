//! Printing equations and statements.

use super::{expr::tuple, lines, separated};
use crate::ast::{Branch, Comment, Equation, EquationKind, Iterator, Statement, StatementKind};
use std::fmt::{self, Display, Formatter};

impl Display for Equation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, Behind(&self.comment))
    }
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, Behind(&self.comment))
    }
}

/// A comment with a blank before each part.
pub(super) struct Behind<'c>(pub &'c Comment);

impl Display for Behind<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(description) = &self.0.description {
            write!(f, " {description}")?;
        }
        if let Some(annotation) = &self.0.annotation {
            write!(f, " {annotation}")?;
        }
        Ok(())
    }
}

impl Display for EquationKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            // An `if` on the left would begin an if-equation.
            Self::Equality { lhs, rhs } if matches!(lhs.kind, crate::ast::ExprKind::If { .. }) => {
                write!(f, "({lhs}) = {rhs}")
            }
            Self::Equality { lhs, rhs } => write!(f, "{lhs} = {rhs}"),
            Self::If { branches, else_ } => conditional(f, "if", branches, else_.as_deref()),
            Self::For { iterators, body } => repeated(f, iterators, body),
            Self::Connect { from, to } => write!(f, "connect({from}, {to})"),
            Self::When { branches } => conditional(f, "when", branches, None),
            Self::Call { function, args } => write!(f, "{function}{args}"),
            Self::Error => f.write_str("?"),
        }
    }
}

impl Display for StatementKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assign { target, value } => write!(f, "{target} := {value}"),
            Self::AssignTuple {
                targets,
                function,
                args,
            } => {
                tuple(f, targets)?;
                write!(f, " := {function}{args}")
            }
            Self::Call { function, args } => write!(f, "{function}{args}"),
            Self::Break => f.write_str("break"),
            Self::Return => f.write_str("return"),
            Self::If { branches, else_ } => conditional(f, "if", branches, else_.as_deref()),
            Self::For { iterators, body } => repeated(f, iterators, body),
            Self::While { condition, body } => {
                writeln!(f, "while {condition} loop")?;
                lines(f, body)?;
                f.write_str("end while")
            }
            Self::When { branches } => conditional(f, "when", branches, None),
            Self::Error => f.write_str("?"),
        }
    }
}

fn conditional<T: Display>(
    f: &mut Formatter<'_>,
    word: &str,
    branches: &[Branch<T>],
    else_: Option<&[T]>,
) -> fmt::Result {
    for (i, branch) in branches.iter().enumerate() {
        let again = if i == 0 { "" } else { "else" };
        writeln!(f, "{again}{word} {} then", branch.condition)?;
        lines(f, &branch.body)?;
    }
    if let Some(else_) = else_ {
        writeln!(f, "else")?;
        lines(f, else_)?;
    }
    write!(f, "end {word}")
}

fn repeated<T: Display>(f: &mut Formatter<'_>, iterators: &[Iterator], body: &[T]) -> fmt::Result {
    f.write_str("for ")?;
    separated(f, iterators, ", ")?;
    writeln!(f, " loop")?;
    lines(f, body)?;
    f.write_str("end for")
}
