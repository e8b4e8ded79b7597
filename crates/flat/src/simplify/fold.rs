//! Evaluation of operators and pure built-in functions on literals.
//!
//! What has no value (division by zero, overflow of an Integer, a domain error) is left as it
//! stands, so that it is reported where it is used.

use crate::model::FlatExp;
use modeshift_inst::builtin::{self, Binary, Unary};
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::Type;
use std::cmp::Ordering;

fn number(exp: &FlatExp) -> Option<f64> {
    match exp {
        Exp::Int(value) => Some(*value as f64),
        Exp::Real(value) => Some(*value),
        _ => None,
    }
}

fn finite(value: f64) -> Option<FlatExp> {
    value.is_finite().then_some(Exp::Real(value))
}

/// The value of `lhs op rhs` on scalar literals.
pub fn fold_binary(op: BinaryOp, lhs: &FlatExp, rhs: &FlatExp) -> Option<FlatExp> {
    match (lhs, rhs) {
        (Exp::Int(a), Exp::Int(b)) => fold_integers(op, *a, *b),
        (Exp::Str(a), Exp::Str(b)) if op == BinaryOp::Add => {
            Some(Exp::Str([&**a, &**b].concat().into()))
        }
        (Exp::Int(_) | Exp::Real(_), Exp::Int(_) | Exp::Real(_)) => {
            fold_reals(op, number(lhs)?, number(rhs)?)
        }
        _ => relation(op, lhs, rhs),
    }
}

fn fold_integers(op: BinaryOp, a: i64, b: i64) -> Option<FlatExp> {
    let value = match op {
        BinaryOp::Add | BinaryOp::AddElem => a.checked_add(b)?,
        BinaryOp::Sub | BinaryOp::SubElem => a.checked_sub(b)?,
        BinaryOp::Mul | BinaryOp::MulElem => a.checked_mul(b)?,
        BinaryOp::Div | BinaryOp::DivElem | BinaryOp::Pow | BinaryOp::PowElem => {
            return fold_reals(op, a as f64, b as f64);
        }
        _ => return order(op, a.cmp(&b)),
    };
    Some(Exp::Int(value))
}

fn fold_reals(op: BinaryOp, a: f64, b: f64) -> Option<FlatExp> {
    match op {
        BinaryOp::Add | BinaryOp::AddElem => finite(a + b),
        BinaryOp::Sub | BinaryOp::SubElem => finite(a - b),
        BinaryOp::Mul | BinaryOp::MulElem => finite(a * b),
        BinaryOp::Div | BinaryOp::DivElem => finite(a / b),
        BinaryOp::Pow | BinaryOp::PowElem => finite(builtin::power(a, b)),
        _ => order(op, a.partial_cmp(&b)?),
    }
}

fn order(op: BinaryOp, order: Ordering) -> Option<FlatExp> {
    let value = match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEq => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::GreaterEq => order.is_ge(),
        BinaryOp::Equal => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        _ => return None,
    };
    Some(Exp::Bool(value))
}

/// Relations between literals of the other types.
pub fn relation(op: BinaryOp, lhs: &FlatExp, rhs: &FlatExp) -> Option<FlatExp> {
    match (lhs, rhs) {
        (Exp::Bool(a), Exp::Bool(b)) => order(op, a.cmp(b)),
        (Exp::Str(a), Exp::Str(b)) => order(op, a.cmp(b)),
        (Exp::Enum(_, a), Exp::Enum(_, b)) => order(op, a.cmp(b)),
        _ => None,
    }
}

/// The value of a pure built-in function of literals.
pub fn builtin(name: &str, args: &[FlatExp], ty: &Type) -> Option<FlatExp> {
    match args {
        [value, format @ ..] if name == "String" => text_of(value, format),
        [arg] => unary_function(name, arg),
        [a, b] => binary_function(name, a, b, ty),
        _ => None,
    }
}

fn unary_function(name: &str, arg: &FlatExp) -> Option<FlatExp> {
    match (name, arg) {
        ("abs", Exp::Int(value)) => return value.checked_abs().map(Exp::Int),
        ("sign", Exp::Int(value)) => return Some(Exp::Int(value.signum())),
        ("Integer", Exp::Enum(_, index)) => return Some(Exp::Int(i64::from(*index))),
        ("noEvent" | "pre", Exp::Int(_) | Exp::Real(_) | Exp::Bool(_) | Exp::Enum(..)) => {
            return Some(arg.clone());
        }
        ("der", Exp::Int(_) | Exp::Real(_)) => return Some(Exp::Real(0.0)),
        _ => {}
    }
    let x = number(arg)?;
    let op = Unary::named(name).filter(|op| *op != Unary::Not && op.defined(x))?;
    let value = op.apply(x);
    match name {
        "sign" => return Some(Exp::Int(value as i64)),
        "integer" => return (x.abs() < 9e18).then_some(Exp::Int(value as i64)),
        _ => {}
    }
    finite(value)
}

fn binary_function(name: &str, a: &FlatExp, b: &FlatExp, ty: &Type) -> Option<FlatExp> {
    match (name, a, b) {
        ("max", Exp::Bool(a), Exp::Bool(b)) => return Some(Exp::Bool(*a | *b)),
        ("min", Exp::Bool(a), Exp::Bool(b)) => return Some(Exp::Bool(*a & *b)),
        ("max", Exp::Enum(ty, a), Exp::Enum(_, b)) => {
            return Some(Exp::Enum(ty.clone(), *a.max(b)));
        }
        ("min", Exp::Enum(ty, a), Exp::Enum(_, b)) => {
            return Some(Exp::Enum(ty.clone(), *a.min(b)));
        }
        _ => {}
    }
    if let (Exp::Int(x), Exp::Int(y)) = (a, b) {
        let Some(op) = Binary::named(name).filter(|op| *op != Binary::Atan2) else {
            return real_function(name, *x as f64, *y as f64);
        };
        let value = op.integer(*x, *y)?;
        return Some(if *ty == Type::Real {
            Exp::Real(value as f64)
        } else {
            Exp::Int(value)
        });
    }
    real_function(name, number(a)?, number(b)?)
}

fn real_function(name: &str, a: f64, b: f64) -> Option<FlatExp> {
    let op =
        Binary::named(name).filter(|op| !matches!(op, Binary::Pow | Binary::And | Binary::Or))?;
    if op.divides() && b == 0.0 {
        return None;
    }
    finite(op.apply(a, b))
}

/// `String(value, …)` of a literal, in the formats that need no more than padding.
fn text_of(value: &FlatExp, format: &[FlatExp]) -> Option<FlatExp> {
    let (text, rest) = match (value, format) {
        (Exp::Int(value), rest) => (value.to_string(), rest),
        (Exp::Bool(value), rest) => (value.to_string(), rest),
        (Exp::Enum(ty, index), rest) => {
            let literal = ty.literals.get(index.checked_sub(1)? as usize)?;
            (literal.to_string(), rest)
        }
        (Exp::Real(value), [Exp::Int(digits), rest @ ..]) => {
            (significant(*value, usize::try_from(*digits).ok()?), rest)
        }
        _ => return None,
    };
    let (width, left) = match rest {
        [] => (0, true),
        [Exp::Int(width), Exp::Bool(left)] => (usize::try_from(*width).ok()?.min(4096), *left),
        _ => return None,
    };
    let padded = if left {
        format!("{text:<width$}")
    } else {
        format!("{text:>width$}")
    };
    Some(Exp::Str(padded.into()))
}

/// As C's `%.*g`: that many significant digits, without trailing zeros.
fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 {
            "0".into()
        } else {
            value.to_string()
        };
    }
    let digits = digits.clamp(1, 17);
    let scientific = format!("{:.*e}", digits - 1, value);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| -> String {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.places$}"))
}
