//! Sums and products as the first frontend's simplification left them: literals in front, signs on the
//! first factor, `x * x` as a power.

use crate::model::{FlatExp, FlatRef, LocalRef};
use crate::simplify::{fold_binary, negate};
use modeshift_inst::exp::{BinaryOp, Exp, Subscript, UnaryOp};
use std::sync::Arc;

/// The expression in that order, parts first.
pub(super) fn exp(exp: FlatExp) -> FlatExp {
    match exp {
        Exp::Ref(reference) => Exp::Ref(in_subscripts(reference)),
        Exp::Subscripted(operand, subscripts) => {
            Exp::Subscripted(Box::new(self::exp(*operand)), all(subscripts))
        }
        Exp::Reduction(mut reduction) => {
            reduction.body = self::exp(reduction.body);
            for (_, range) in &mut reduction.iterators {
                *range = self::exp(std::mem::replace(range, Exp::Error));
            }
            Exp::Reduction(reduction)
        }
        Exp::Array(elements, ty) => Exp::Array(elements.into_iter().map(self::exp).collect(), ty),
        Exp::Record(ty, fields) => Exp::Record(ty, fields.into_iter().map(self::exp).collect()),
        Exp::Tuple(elements) => {
            Exp::Tuple(elements.into_iter().map(|it| it.map(self::exp)).collect())
        }
        Exp::Range(mut range) => {
            range.start = self::exp(range.start);
            range.step = range.step.map(self::exp);
            range.stop = self::exp(range.stop);
            Exp::Range(range)
        }
        Exp::Call(mut call) => {
            call.args = call.args.into_iter().map(self::exp).collect();
            Exp::Call(call)
        }
        Exp::If(mut branches) => {
            branches.condition = self::exp(branches.condition);
            branches.then = self::exp(branches.then);
            branches.else_ = self::exp(branches.else_);
            Exp::If(branches)
        }
        Exp::Cast(ty, operand) => Exp::Cast(ty, Box::new(self::exp(*operand))),
        Exp::TupleElement(call, index) => Exp::TupleElement(Box::new(self::exp(*call)), index),
        Exp::Field(operand, name) => Exp::Field(Box::new(self::exp(*operand)), name),
        Exp::Unary(UnaryOp::Neg, operand) => negative(self::exp(*operand)),
        Exp::Unary(op, operand) => Exp::Unary(op, Box::new(self::exp(*operand))),
        Exp::Binary(op, operands) => {
            let (lhs, rhs) = *operands;
            operator(op, self::exp(lhs), self::exp(rhs))
        }
        other => other,
    }
}

fn operator(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    match op {
        BinaryOp::Add => sum(lhs, rhs),
        BinaryOp::Sub if is_number(&rhs) => sum(lhs, negate(rhs)),
        BinaryOp::Mul => product(lhs, rhs),
        BinaryOp::Div => quotient(lhs, rhs),
        _ => Exp::Binary(op, Box::new((lhs, rhs))),
    }
}

fn binary(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    fold_binary(op, &lhs, &rhs).unwrap_or_else(|| Exp::Binary(op, Box::new((lhs, rhs))))
}

fn is_number(exp: &FlatExp) -> bool {
    match exp {
        Exp::Int(_) | Exp::Real(_) => true,
        Exp::Cast(_, inner) => is_number(inner),
        _ => false,
    }
}

/// The literal that a sum or product starts with, and the rest.
fn leading(op: BinaryOp, exp: FlatExp) -> (Option<FlatExp>, Option<FlatExp>) {
    match exp {
        exp if is_number(&exp) => (Some(exp), None),
        Exp::Binary(inner, operands) if inner == op => {
            let (lhs, rhs) = *operands;
            match leading(op, lhs) {
                (number, None) => (number, Some(rhs)),
                (number, Some(lhs)) => (number, Some(Exp::Binary(op, Box::new((lhs, rhs))))),
            }
        }
        Exp::Binary(BinaryOp::Sub, operands) if op == BinaryOp::Add => {
            let (lhs, rhs) = *operands;
            match leading(op, lhs) {
                (number, None) => (number, Some(negate(rhs))),
                (number, Some(lhs)) => (
                    number,
                    Some(Exp::Binary(BinaryOp::Sub, Box::new((lhs, rhs)))),
                ),
            }
        }
        other => (None, Some(other)),
    }
}

/// `a + b` with the literals of both sides in front.
fn sum(lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if !is_number(&rhs) {
        let (number, rest) = match &rhs {
            Exp::Binary(BinaryOp::Add, _) => leading(BinaryOp::Add, rhs.clone()),
            _ => (None, None),
        };
        return match (number, rest) {
            (Some(number), Some(rest)) => sum(sum(lhs, number), rest),
            _ => binary(BinaryOp::Add, lhs, rhs),
        };
    }
    let (number, rest) = leading(BinaryOp::Add, lhs);
    let number = match number {
        Some(number) => binary(BinaryOp::Add, number, rhs),
        None => rhs,
    };
    match rest {
        None => number,
        Some(rest) => prefixed(BinaryOp::Add, number, rest),
    }
}

/// `number op rest`, with the number at the innermost left.
fn prefixed(op: BinaryOp, number: FlatExp, rest: FlatExp) -> FlatExp {
    match rest {
        Exp::Binary(inner, operands)
            if inner == op || (op == BinaryOp::Add && inner == BinaryOp::Sub) =>
        {
            let (lhs, rhs) = *operands;
            let lhs = prefixed(op, number, lhs);
            Exp::Binary(inner, Box::new((lhs, rhs)))
        }
        Exp::Unary(UnaryOp::Neg, inner) if op == BinaryOp::Add => {
            Exp::Binary(BinaryOp::Sub, Box::new((number, *inner)))
        }
        rest => Exp::Binary(op, Box::new((number, rest))),
    }
}

fn product(lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if is_number(&rhs) && !is_number(&lhs) {
        return scaled(rhs, lhs);
    }
    if lhs == rhs && matches!(lhs, Exp::Ref(_) | Exp::Time) {
        return Exp::Binary(BinaryOp::Pow, Box::new((lhs, Exp::Real(2.0))));
    }
    if let Exp::Unary(UnaryOp::Neg, inner) = rhs {
        return negative(product(lhs, *inner));
    }
    if is_value(&lhs, -1.0) {
        return negative(rhs);
    }
    binary(BinaryOp::Mul, lhs, rhs)
}

fn is_value(exp: &FlatExp, value: f64) -> bool {
    match exp {
        Exp::Int(v) => *v as f64 == value,
        Exp::Real(v) => *v == value,
        _ => false,
    }
}

/// `number * exp`
fn scaled(number: FlatExp, exp: FlatExp) -> FlatExp {
    let (own, rest) = leading(BinaryOp::Mul, exp);
    let number = match own {
        Some(own) => binary(BinaryOp::Mul, number, own),
        None => number,
    };
    match rest {
        None => number,
        Some(rest) if is_value(&number, 1.0) => rest,
        Some(rest) if is_value(&number, -1.0) => negative(rest),
        Some(rest) => prefixed(BinaryOp::Mul, number, rest),
    }
}

/// Division by a literal is a product with its inverse.
fn quotient(lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    let inverse = match &rhs {
        Exp::Int(value) if *value != 0 => 1.0 / *value as f64,
        Exp::Real(value) if *value != 0.0 => 1.0 / value,
        _ => return binary(BinaryOp::Div, lhs, rhs),
    };
    scaled(Exp::Real(inverse), lhs)
}

/// `-(a * b)` is `(-a) * b`.
fn negative(exp: FlatExp) -> FlatExp {
    match exp {
        Exp::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), operands) => {
            let (lhs, rhs) = *operands;
            Exp::Binary(op, Box::new((negative(lhs), rhs)))
        }
        Exp::Binary(BinaryOp::Sub, operands) => {
            let (lhs, rhs) = *operands;
            Exp::Binary(BinaryOp::Sub, Box::new((rhs, lhs)))
        }
        other => negate(other),
    }
}

fn all(subscripts: Vec<Subscript<FlatRef>>) -> Vec<Subscript<FlatRef>> {
    subscripts
        .into_iter()
        .map(|subscript| match subscript {
            Subscript::Index(index) => Subscript::Index(exp(index)),
            Subscript::Slice(indices) => Subscript::Slice(exp(indices)),
            Subscript::All => Subscript::All,
        })
        .collect()
}

fn in_subscripts(reference: FlatRef) -> FlatRef {
    match reference {
        FlatRef::Element(group, subscripts) => FlatRef::Element(group, all(subscripts)),
        FlatRef::Local(local)
            if local
                .parts
                .iter()
                .any(|(_, subscripts)| !subscripts.is_empty()) =>
        {
            let parts = local.parts.iter().cloned();
            FlatRef::Local(Arc::new(LocalRef {
                parts: parts
                    .map(|(name, subscripts)| (name, all(subscripts)))
                    .collect(),
                ty: local.ty.clone(),
            }))
        }
        other => other,
    }
}
