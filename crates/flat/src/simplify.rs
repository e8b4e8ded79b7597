//! Smart constructors: expressions are simplified while they are built, bottom-up, in the shape
//! OpenModelica gives them. Nothing is reordered across operands; what is folded are literals, neutral
//! and absorbing elements, and signs: `-a - b` is `-(a + b)`, `a + (-b)` is `a - b`.
//!
//! Each constructor is O(1) in the size of its operands.

mod fold;

use crate::model::{FlatExp, FlatRef};
pub use fold::{builtin, fold_binary, relation};
use modeshift_base::Name;
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, IfExp, UnaryOp};
use modeshift_inst::ty::Type;

/// Whether `exp` is a literal number equal to `value`.
fn is_number(exp: &FlatExp, value: f64) -> bool {
    match exp {
        Exp::Int(v) => *v as f64 == value,
        Exp::Real(v) => *v == value,
        Exp::Cast(_, inner) => is_number(inner, value),
        _ => false,
    }
}

pub fn is_literal(exp: &FlatExp) -> bool {
    match exp {
        Exp::Int(_) | Exp::Real(_) | Exp::Bool(_) | Exp::Str(_) | Exp::Enum(..) => true,
        Exp::Array(elements, _) => elements.iter().all(is_literal),
        _ => false,
    }
}

/// Whether the expression carries a minus sign that can be taken off.
fn is_negated(exp: &FlatExp) -> bool {
    match exp {
        Exp::Int(value) => *value < 0,
        Exp::Real(value) => *value < 0.0,
        Exp::Unary(UnaryOp::Neg, _) => true,
        Exp::Cast(_, inner) => is_negated(inner),
        _ => false,
    }
}

/// `-exp`
pub fn negate(exp: FlatExp) -> FlatExp {
    match exp {
        Exp::Int(value) => value.checked_neg().map_or(Exp::Int(value), Exp::Int),
        // Zero has no sign in Modelica texts.
        Exp::Real(0.0) => Exp::Real(0.0),
        Exp::Real(value) => Exp::Real(-value),
        Exp::Unary(UnaryOp::Neg, inner) => *inner,
        Exp::Cast(ty, inner) if is_negated(&inner) => cast(ty, negate(*inner)),
        other => Exp::Unary(UnaryOp::Neg, Box::new(other)),
    }
}

pub fn not(exp: FlatExp) -> FlatExp {
    match exp {
        Exp::Bool(value) => Exp::Bool(!value),
        Exp::Unary(UnaryOp::Not, inner) => *inner,
        other => Exp::Unary(UnaryOp::Not, Box::new(other)),
    }
}

pub fn unary(op: UnaryOp, operand: FlatExp) -> FlatExp {
    match op {
        UnaryOp::Neg => negate(operand),
        UnaryOp::Not => not(operand),
    }
}

fn raw(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    Exp::Binary(op, Box::new((lhs, rhs)))
}

/// A scalar operation (or an array operation that stays whole).
pub fn binary(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if let Some(value) = fold_binary(op, &lhs, &rhs) {
        return value;
    }
    match op {
        BinaryOp::Add | BinaryOp::AddElem => add(op, lhs, rhs),
        BinaryOp::Sub | BinaryOp::SubElem => subtract(op, lhs, rhs),
        BinaryOp::Mul | BinaryOp::MulElem => multiply(op, lhs, rhs),
        BinaryOp::Div | BinaryOp::DivElem => divide(op, lhs, rhs),
        BinaryOp::Pow => power(op, lhs, rhs),
        BinaryOp::And => and(lhs, rhs),
        BinaryOp::Or => or(lhs, rhs),
        _ => raw(op, lhs, rhs),
    }
}

fn add(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if is_number(&lhs, 0.0) {
        rhs
    } else if is_number(&rhs, 0.0) {
        lhs
    } else if is_negated(&rhs) {
        let minus = if op == BinaryOp::Add {
            BinaryOp::Sub
        } else {
            BinaryOp::SubElem
        };
        subtract(minus, lhs, negate(rhs))
    } else if is_negated(&lhs) {
        let minus = if op == BinaryOp::Add {
            BinaryOp::Sub
        } else {
            BinaryOp::SubElem
        };
        raw(minus, rhs, negate(lhs))
    } else {
        raw(op, lhs, rhs)
    }
}

fn subtract(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    let plus = if op == BinaryOp::Sub {
        BinaryOp::Add
    } else {
        BinaryOp::AddElem
    };
    if is_number(&rhs, 0.0) {
        lhs
    } else if is_number(&lhs, 0.0) {
        negate(rhs)
    } else if is_negated(&rhs) {
        add(plus, lhs, negate(rhs))
    } else if is_negated(&lhs) {
        negate(raw(plus, negate(lhs), rhs))
    } else {
        raw(op, lhs, rhs)
    }
}

fn multiply(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if is_number(&lhs, 0.0) || is_number(&rhs, 1.0) {
        lhs
    } else if is_number(&rhs, 0.0) || is_number(&lhs, 1.0) {
        rhs
    } else {
        raw(op, lhs, rhs)
    }
}

fn divide(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if is_number(&rhs, 1.0) || (is_number(&lhs, 0.0) && !is_number(&rhs, 0.0)) {
        lhs
    } else {
        raw(op, lhs, rhs)
    }
}

fn power(op: BinaryOp, lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    if is_number(&rhs, 1.0) {
        lhs
    } else if is_number(&rhs, 0.0) || is_number(&lhs, 1.0) {
        Exp::Real(1.0)
    } else {
        raw(op, lhs, rhs)
    }
}

fn and(lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    match (lhs, rhs) {
        (Exp::Bool(true), other) | (other, Exp::Bool(true)) => other,
        (Exp::Bool(false), _) | (_, Exp::Bool(false)) => Exp::Bool(false),
        (lhs, rhs) => raw(BinaryOp::And, lhs, rhs),
    }
}

fn or(lhs: FlatExp, rhs: FlatExp) -> FlatExp {
    match (lhs, rhs) {
        (Exp::Bool(false), other) | (other, Exp::Bool(false)) => other,
        (Exp::Bool(true), _) | (_, Exp::Bool(true)) => Exp::Bool(true),
        (lhs, rhs) => raw(BinaryOp::Or, lhs, rhs),
    }
}

/// `if condition then then_ else else_`
pub fn if_(condition: FlatExp, then: FlatExp, else_: FlatExp, ty: Type) -> FlatExp {
    match (condition, then, else_) {
        (Exp::Bool(true), then, _) => then,
        (Exp::Bool(false), _, else_) => else_,
        (condition, Exp::Bool(true), Exp::Bool(false)) => condition,
        (condition, Exp::Bool(false), Exp::Bool(true)) => not(condition),
        (_, then, else_) if then == else_ => then,
        (condition, then, else_) => Exp::If(Box::new(IfExp {
            condition,
            then,
            else_,
            ty,
        })),
    }
}

/// `Integer` seen as `Real`: literals change, arrays pass it on, the rest keeps a mark.
pub fn cast(ty: Type, exp: FlatExp) -> FlatExp {
    match (element_type(&ty), exp) {
        (Type::Real, Exp::Int(value)) => Exp::Real(value as f64),
        (Type::Real, exp @ Exp::Real(_)) => exp,
        (element, Exp::Array(elements, array_ty)) => {
            let element = element.clone();
            let elements = elements
                .into_iter()
                .map(|part| cast(element.clone(), part))
                .collect();
            Exp::Array(elements, retype(&array_ty, element))
        }
        (Type::Real, Exp::Unary(UnaryOp::Neg, inner)) => negate(cast(ty, *inner)),
        (_, Exp::If(branches)) => {
            let branches = *branches;
            if_(
                branches.condition,
                cast(ty.clone(), branches.then),
                cast(ty.clone(), branches.else_),
                ty,
            )
        }
        (_, Exp::Cast(_, inner)) => cast(ty, *inner),
        (_, exp) => Exp::Cast(ty, Box::new(exp)),
    }
}

fn element_type(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => &array.element,
        other => other,
    }
}

/// The same dimensions over another element type.
pub fn retype(ty: &Type, element: Type) -> Type {
    match ty {
        Type::Array(array) => Type::Array(std::sync::Arc::new(modeshift_inst::ty::ArrayType {
            element,
            dims: array.dims.clone(),
        })),
        _ => element,
    }
}

/// Casts where an Integer value is given for a Real variable.
pub fn cast_if_needed(wanted: &Type, exp: FlatExp, given: &Type) -> FlatExp {
    if *wanted == Type::Real && *given == Type::Integer {
        return cast(Type::Real, exp);
    }
    exp
}

/// A call of a built-in function, evaluated where its arguments are literals.
pub fn call(function: Name, args: Vec<FlatExp>, ty: Type) -> FlatExp {
    match builtin(function.as_str(), &args, &ty) {
        Some(value) => value,
        None if function == "delay" && args.get(1).is_some_and(|delay| is_number(delay, 0.0)) => {
            args.into_iter().next().unwrap_or(Exp::Error)
        }
        None if function == "rem" && args.len() == 2 => remainder(args, ty),
        None => Exp::Call(Box::new(Call::<FlatRef> {
            function: Callee::Builtin(function),
            args,
            ty,
        })),
    }
}

/// `rem(x, y)` is `x - div(x, y) * y`.
fn remainder(args: Vec<FlatExp>, ty: Type) -> FlatExp {
    let [x, y] = [args[0].clone(), args[1].clone()];
    let quotient = call(Name::new("div"), args, ty);
    binary(BinaryOp::Sub, x, binary(BinaryOp::Mul, quotient, y))
}

/// Left-leaning sum of `terms`, the way sums of array elements are printed.
pub fn sum(terms: impl IntoIterator<Item = FlatExp>, zero: FlatExp) -> FlatExp {
    terms
        .into_iter()
        .reduce(|sum, term| binary(BinaryOp::Add, sum, term))
        .unwrap_or(zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::modelica::exp_text;
    use crate::model::{FlatModel, LocalRef};
    use std::sync::Arc;

    fn var(name: &str) -> FlatExp {
        Exp::Ref(FlatRef::Local(Arc::new(LocalRef {
            parts: vec![(Name::new(name), Vec::new())],
            ty: Type::Real,
        })))
    }

    fn text(exp: &FlatExp) -> String {
        exp_text(&FlatModel::default(), exp)
    }

    #[test]
    fn signs_move_out_of_sums_and_differences() {
        use BinaryOp::{Add, Mul, Sub};
        let product = binary(Mul, var("d"), var("w"));
        let difference = binary(Sub, negate(product.clone()), var("tau"));
        assert_eq!(text(&difference), "-(d * w + tau)");
        assert_eq!(
            text(&binary(Add, negate(product), var("tau"))),
            "tau - d * w"
        );
        assert_eq!(text(&binary(Sub, Exp::Real(-1.0), var("x"))), "-(1.0 + x)");
        assert_eq!(text(&binary(Sub, var("x"), negate(var("y")))), "x + y");
        assert_eq!(text(&binary(Mul, Exp::Real(-2.0), var("x"))), "(-2.0) * x");
        assert_eq!(text(&binary(Mul, var("x"), negate(var("y")))), "x * (-y)");
    }

    #[test]
    fn neutral_and_absorbing_elements_vanish() {
        use BinaryOp::{Add, And, Div, Mul, Or, Pow};
        let x = || var("x");
        assert_eq!(binary(Add, Exp::Real(0.0), x()), x());
        assert_eq!(binary(Mul, Exp::Real(1.0), x()), x());
        assert_eq!(binary(Mul, x(), Exp::Real(0.0)), Exp::Real(0.0));
        assert_eq!(binary(Div, x(), Exp::Real(1.0)), x());
        assert_eq!(binary(Pow, x(), Exp::Real(1.0)), x());
        assert_eq!(binary(And, Exp::Bool(true), x()), x());
        assert_eq!(binary(Or, x(), Exp::Bool(true)), Exp::Bool(true));
        assert_eq!(
            if_(x(), Exp::Bool(true), Exp::Bool(false), Type::Boolean),
            x()
        );
    }
}
