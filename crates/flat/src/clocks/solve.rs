//! Solving an equation for a variable that occurs linearly in it.

use super::build::{is_call, minus, over, plus, times};
use super::reads_now;
use crate::model::{FlatExp, FlatRef, VarId};
use crate::simplify;
use modeshift_inst::exp::{BinaryOp, Exp, UnaryOp};
use modeshift_inst::ty::Type;

/// The value of `id` by `lhs = rhs`, if it can be written down.
pub(super) fn solve(lhs: &FlatExp, rhs: &FlatExp, ty: &Type, id: VarId) -> Option<FlatExp> {
    let is = |exp: &FlatExp| matches!(exp, Exp::Ref(FlatRef::Var(it)) if *it == id);
    for (this, other) in [(lhs, rhs), (rhs, lhs)] {
        if reads_now(other, id) {
            continue;
        }
        match this {
            _ if is(this) => return Some(other.clone()),
            Exp::Unary(UnaryOp::Neg, inner) if is(inner) => {
                return Some(simplify::negate(other.clone()));
            }
            Exp::Unary(UnaryOp::Not, inner) if is(inner) => {
                return Some(simplify::not(other.clone()));
            }
            _ => {}
        }
    }
    if *ty != Type::Real {
        return None;
    }
    let left = linear(lhs, id)?;
    let right = linear(rhs, id)?;
    let slope = minus(left.slope, right.slope);
    if matches!(slope, Exp::Real(0.0) | Exp::Int(0)) {
        return None;
    }
    Some(over(minus(right.rest, left.rest), slope))
}

/// `slope * x + rest`.
struct Linear {
    slope: FlatExp,
    rest: FlatExp,
}

fn linear(exp: &FlatExp, id: VarId) -> Option<Linear> {
    let zero = || Exp::Real(0.0);
    if !reads_now(exp, id) {
        return Some(Linear {
            slope: zero(),
            rest: exp.clone(),
        });
    }
    match exp {
        Exp::Ref(FlatRef::Var(it)) if *it == id => Some(Linear {
            slope: Exp::Real(1.0),
            rest: zero(),
        }),
        Exp::Unary(UnaryOp::Neg, inner) => {
            let inner = linear(inner, id)?;
            Some(Linear {
                slope: simplify::negate(inner.slope),
                rest: simplify::negate(inner.rest),
            })
        }
        Exp::Binary(BinaryOp::Add, parts) => {
            let (a, b) = (linear(&parts.0, id)?, linear(&parts.1, id)?);
            Some(Linear {
                slope: plus(a.slope, b.slope),
                rest: plus(a.rest, b.rest),
            })
        }
        Exp::Binary(BinaryOp::Sub, parts) => {
            let (a, b) = (linear(&parts.0, id)?, linear(&parts.1, id)?);
            Some(Linear {
                slope: minus(a.slope, b.slope),
                rest: minus(a.rest, b.rest),
            })
        }
        Exp::Binary(BinaryOp::Mul, parts) => {
            let (with, by) = match reads_now(&parts.0, id) {
                true => (&parts.0, &parts.1),
                false => (&parts.1, &parts.0),
            };
            if reads_now(by, id) {
                return None;
            }
            let with = linear(with, id)?;
            Some(Linear {
                slope: times(with.slope, by.clone()),
                rest: times(with.rest, by.clone()),
            })
        }
        Exp::Binary(BinaryOp::Div, parts) if !reads_now(&parts.1, id) => {
            let with = linear(&parts.0, id)?;
            Some(Linear {
                slope: over(with.slope, parts.1.clone()),
                rest: over(with.rest, parts.1.clone()),
            })
        }
        Exp::If(inner) if !reads_now(&inner.condition, id) => {
            let (a, b) = (linear(&inner.then, id)?, linear(&inner.else_, id)?);
            let either = |a, b| simplify::if_(inner.condition.clone(), a, b, inner.ty.clone());
            let slope = either(a.slope, b.slope);
            let rest = either(a.rest, b.rest);
            // A branch without the variable leaves nothing to divide by.
            let absent = |exp: &FlatExp| matches!(exp, Exp::If(it) if [&it.then, &it.else_].iter().any(|x| matches!(x, Exp::Real(0.0) | Exp::Int(0))));
            (!absent(&slope)).then_some(Linear { slope, rest })
        }
        Exp::Call(call) if is_call(exp, "noEvent") => linear(call.args.first()?, id),
        Exp::Call(call) if is_call(exp, "smooth") => linear(call.args.get(1)?, id),
        _ => None,
    }
}
