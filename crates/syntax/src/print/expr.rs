//! Printing expressions.

use super::separated;
use crate::ast::{
    Args, BinaryOp, ComponentRef, Expr, ExprKind, Ident, Iterator, NamedArg, Path, RefPart,
    Subscript, UnaryOp,
};
use crate::string::quote;
use std::fmt::{self, Display, Formatter};

/// How tightly an expression binds; a child that binds less tightly than its place asks for gets
/// parentheses. The order is that of the grammar's rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    Range,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
    Primary,
}

impl Level {
    fn of(kind: &ExprKind) -> Self {
        match kind {
            ExprKind::If { .. } => Self::Any,
            ExprKind::Range { .. } => Self::Range,
            ExprKind::Unary {
                op: UnaryOp::Not, ..
            } => Self::Not,
            ExprKind::Unary { .. } => Self::Sum,
            ExprKind::Binary { op, .. } => Self::of_operator(*op),
            ExprKind::Int(value) if *value < 0 => Self::Sum,
            ExprKind::Real(value) if value.is_sign_negative() => Self::Sum,
            _ => Self::Primary,
        }
    }

    const fn of_operator(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Or => Self::Or,
            BinaryOp::And => Self::And,
            BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual => Self::Relation,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::ElementAdd | BinaryOp::ElementSub => {
                Self::Sum
            }
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::ElementMul | BinaryOp::ElementDiv => {
                Self::Product
            }
            BinaryOp::Pow | BinaryOp::ElementPow => Self::Power,
        }
    }

    /// What the operands of an operator of this level must bind at least: left, right.
    const fn operands(self) -> (Self, Self) {
        match self {
            Self::Any | Self::Range => (Self::Or, Self::Or),
            Self::Or => (Self::Or, Self::And),
            Self::And => (Self::And, Self::Not),
            Self::Not => (Self::Relation, Self::Relation),
            Self::Relation => (Self::Sum, Self::Sum),
            Self::Sum => (Self::Sum, Self::Product),
            Self::Product => (Self::Product, Self::Power),
            Self::Power | Self::Primary => (Self::Primary, Self::Primary),
        }
    }
}

struct At<'e>(Level, &'e Expr);

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(level, expr) = self;
        if Level::of(&expr.kind) < *level {
            write!(f, "({expr})")
        } else {
            expr.fmt(f)
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Real(value) => write!(f, "{value:?}"),
            ExprKind::Str(text) => f.write_str(&quote(text)),
            ExprKind::Bool(value) => write!(f, "{value}"),
            ExprKind::Ref(reference) => reference.fmt(f),
            ExprKind::Call { function, args } => write!(f, "{function}{args}"),
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => {
                write!(f, "not {}", At(Level::Relation, operand))
            }
            ExprKind::Unary { op, operand } => {
                write!(f, "{}{}", op.symbol(), At(Level::Product, operand))
            }
            ExprKind::Binary { op, lhs, rhs } => binary(f, *op, lhs, rhs),
            ExprKind::If { branches, else_ } => conditional(f, branches, else_),
            ExprKind::Range { start, step, stop } => {
                write!(f, "{}:", At(Level::Or, start))?;
                if let Some(step) = step {
                    write!(f, "{}:", At(Level::Or, step))?;
                }
                At(Level::Or, stop).fmt(f)
            }
            ExprKind::Array(items) => {
                f.write_str("{")?;
                separated(f, items, ", ")?;
                f.write_str("}")
            }
            ExprKind::Comprehension { body, iterators } => {
                write!(f, "{{{body} for ")?;
                separated(f, iterators, ", ")?;
                f.write_str("}")
            }
            ExprKind::Matrix(rows) => matrix(f, rows),
            ExprKind::Tuple(items) => tuple(f, items),
            ExprKind::Paren(inner) => write!(f, "({inner})"),
            ExprKind::Index { base, subscripts } => {
                postfix_base(f, base)?;
                bracketed(f, subscripts)
            }
            ExprKind::Field { base, field } => {
                postfix_base(f, base)?;
                write!(f, ".{field}")
            }
            ExprKind::PartialFunction { function, args } => write!(f, "function {function}{args}"),
            ExprKind::End => f.write_str("end"),
            // Never read back: about errors everybody stays silent.
            ExprKind::Error => f.write_str("?"),
        }
    }
}

fn binary(f: &mut Formatter<'_>, op: BinaryOp, lhs: &Expr, rhs: &Expr) -> fmt::Result {
    let level = Level::of_operator(op);
    let (left, right) = level.operands();
    // `1.^x` would read as `1. ^ x`.
    if op == BinaryOp::Pow {
        write!(f, "{}{}{}", At(left, lhs), op.symbol(), At(right, rhs))
    } else {
        write!(f, "{} {} {}", At(left, lhs), op.symbol(), At(right, rhs))
    }
}

fn conditional(f: &mut Formatter<'_>, branches: &[(Expr, Expr)], else_: &Expr) -> fmt::Result {
    for (i, (condition, value)) in branches.iter().enumerate() {
        let word = if i == 0 { "if" } else { "elseif" };
        write!(f, "{word} {condition} then {value} ")?;
    }
    write!(f, "else {else_}")
}

fn matrix(f: &mut Formatter<'_>, rows: &[Vec<Expr>]) -> fmt::Result {
    f.write_str("[")?;
    for (i, row) in rows.iter().enumerate() {
        if i > 0 {
            f.write_str("; ")?;
        }
        separated(f, row, ", ")?;
    }
    f.write_str("]")
}

pub(super) fn tuple(f: &mut Formatter<'_>, items: &[Option<Expr>]) -> fmt::Result {
    f.write_str("(")?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        if let Some(item) = item {
            item.fmt(f)?;
        }
    }
    f.write_str(")")
}

/// Subscripts and fields follow a call, a parenthesised expression, or another subscript or field.
fn postfix_base(f: &mut Formatter<'_>, base: &Expr) -> fmt::Result {
    match base.kind {
        ExprKind::Call { .. }
        | ExprKind::Paren(_)
        | ExprKind::Tuple(_)
        | ExprKind::Index { .. }
        | ExprKind::Field { .. } => base.fmt(f),
        _ => write!(f, "({base})"),
    }
}

pub(super) fn bracketed(f: &mut Formatter<'_>, subscripts: &[Subscript]) -> fmt::Result {
    if subscripts.is_empty() {
        return Ok(());
    }
    f.write_str("[")?;
    separated(f, subscripts, ", ")?;
    f.write_str("]")
}

impl UnaryOp {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::ElementPlus => ".+",
            Self::ElementMinus => ".-",
            Self::Not => "not",
        }
    }
}

impl BinaryOp {
    /// The operator as it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Pow => "^",
            Self::ElementAdd => ".+",
            Self::ElementSub => ".-",
            Self::ElementMul => ".*",
            Self::ElementDiv => "./",
            Self::ElementPow => ".^",
            Self::And => "and",
            Self::Or => "or",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "<>",
        }
    }
}

impl Display for Ident {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.global {
            f.write_str(".")?;
        }
        separated(f, &self.parts, ".")
    }
}

impl Display for ComponentRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.global {
            f.write_str(".")?;
        }
        separated(f, &self.parts, ".")
    }
}

impl Display for RefPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        bracketed(f, &self.subscripts)
    }
}

impl Display for Subscript {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(_) => f.write_str(":"),
            Self::Expr(expr) => expr.fmt(f),
        }
    }
}

impl Display for Args {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        separated(f, &self.positional, ", ")?;
        if !self.positional.is_empty() && !self.named.is_empty() {
            f.write_str(", ")?;
        }
        separated(f, &self.named, ", ")?;
        if !self.iterators.is_empty() {
            f.write_str(" for ")?;
            separated(f, &self.iterators, ", ")?;
        }
        f.write_str(")")
    }
}

impl Display for NamedArg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

impl Display for Iterator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        match &self.range {
            Some(range) => write!(f, " in {range}"),
            None => Ok(()),
        }
    }
}
