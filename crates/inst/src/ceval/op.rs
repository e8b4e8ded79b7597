//! Operators on values.

use super::{Eval, Fail, MAX_TEXT, Value, room};
use crate::exp::{BinaryOp, UnaryOp};
use crate::ty::{Dim, Type};
use std::sync::Arc;

pub(super) fn unary(op: UnaryOp, value: Value) -> Eval {
    match (op, value) {
        (UnaryOp::Neg, Value::Int(value)) => {
            value.checked_neg().map(Value::Int).ok_or_else(overflow)
        }
        (UnaryOp::Neg, Value::Real(value)) => Ok(Value::Real(-value)),
        (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
        (op, Value::Array(items, ty)) => {
            let items: Eval<Vec<Value>> =
                items.iter().map(|item| unary(op, item.clone())).collect();
            Ok(Value::Array(Arc::new(items?), ty))
        }
        _ => Err(Fail::new("an operator does not fit its operand")),
    }
}

fn overflow() -> Fail {
    Fail::wrong("the result is too large for an Integer")
}

/// How many elements are looked at.
pub(super) fn work(op: BinaryOp, a: &Value, b: &Value) -> Eval<usize> {
    let each = a.elements().max(b.elements());
    let columns = |value: &Value| match value.items() {
        Some([Value::Array(row, _), ..]) => row.len(),
        _ => 1,
    };
    Ok(match op {
        BinaryOp::MatMul => {
            room([a.items().map_or(1, <[Value]>::len), columns(b)])?;
            a.elements().saturating_mul(columns(b)).max(each)
        }
        BinaryOp::MatPow => each.saturating_mul(64).saturating_mul(columns(a)),
        _ => each,
    })
}

pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Eval {
    match op {
        BinaryOp::MatMul => matrix_product(a, b),
        BinaryOp::MatPow => matrix_power(a, b),
        _ => elementwise(op, a, b),
    }
}

fn elementwise(op: BinaryOp, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Array(x, ty), Value::Array(y, _)) => {
            if x.len() != y.len() {
                return Err(Fail::new("arrays of different sizes"));
            }
            let items: Eval<Vec<Value>> = x
                .iter()
                .zip(y.iter())
                .map(|(x, y)| elementwise(op, x, y))
                .collect();
            Ok(Value::Array(Arc::new(items?), result_type(op, ty)))
        }
        (Value::Array(x, ty), scalar) => {
            let items: Eval<Vec<Value>> = x.iter().map(|x| elementwise(op, x, scalar)).collect();
            Ok(Value::Array(Arc::new(items?), result_type(op, ty)))
        }
        (scalar, Value::Array(y, ty)) => {
            let items: Eval<Vec<Value>> = y.iter().map(|y| elementwise(op, scalar, y)).collect();
            Ok(Value::Array(Arc::new(items?), result_type(op, ty)))
        }
        _ => scalar(op, a, b),
    }
}

fn result_type(op: BinaryOp, ty: &Type) -> Type {
    use BinaryOp as B;
    match op {
        B::Div | B::DivElem | B::Pow | B::PowElem => ty.with_element(Type::Real),
        _ => ty.clone(),
    }
}

fn scalar(op: BinaryOp, a: &Value, b: &Value) -> Eval {
    use BinaryOp as B;
    match (op, a, b) {
        (B::Add | B::AddElem, Value::Int(a), Value::Int(b)) => {
            a.checked_add(*b).map(Value::Int).ok_or_else(overflow)
        }
        (B::Sub | B::SubElem, Value::Int(a), Value::Int(b)) => {
            a.checked_sub(*b).map(Value::Int).ok_or_else(overflow)
        }
        (B::Mul | B::MulElem, Value::Int(a), Value::Int(b)) => {
            a.checked_mul(*b).map(Value::Int).ok_or_else(overflow)
        }
        (B::Add, Value::Str(a), Value::Str(b)) if a.len() + b.len() > MAX_TEXT => {
            Err(Fail::new("a string is too long"))
        }
        (B::Add, Value::Str(a), Value::Str(b)) => Ok(Value::Str(format!("{a}{b}").into())),
        (B::And, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(*a && *b)),
        (B::Or, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(*a || *b)),
        (B::Less | B::LessEq | B::Greater | B::GreaterEq | B::Equal | B::NotEqual, a, b) => {
            compare(op, a, b)
        }
        (_, a, b) => {
            let (Some(x), Some(y)) = (a.as_real(), b.as_real()) else {
                return Err(Fail::new("an operator does not fit its operands"));
            };
            arithmetic(op, x, y)
        }
    }
}

fn arithmetic(op: BinaryOp, x: f64, y: f64) -> Eval {
    use BinaryOp as B;
    Ok(Value::Real(match op {
        B::Add | B::AddElem => x + y,
        B::Sub | B::SubElem => x - y,
        B::Mul | B::MulElem => x * y,
        B::Div | B::DivElem => {
            if y == 0.0 {
                return Err(Fail::wrong("division by zero"));
            }
            x / y
        }
        B::Pow | B::PowElem => crate::builtin::power(x, y),
        _ => return Err(Fail::new("an operator does not fit its operands")),
    }))
}

fn compare(op: BinaryOp, a: &Value, b: &Value) -> Eval {
    use std::cmp::Ordering as O;
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Enum(_, a), Value::Enum(_, b)) => a.cmp(b),
        _ => match (a.as_real(), b.as_real()) {
            (Some(a), Some(b)) => match a.partial_cmp(&b) {
                Some(order) => order,
                // As everywhere in floating point: what is no number differs from everything.
                None => return Ok(Value::Bool(op == BinaryOp::NotEqual)),
            },
            _ => return Err(Fail::new("values that cannot be compared")),
        },
    };
    Ok(Value::Bool(match op {
        BinaryOp::Less => order == O::Less,
        BinaryOp::LessEq => order != O::Greater,
        BinaryOp::Greater => order == O::Greater,
        BinaryOp::GreaterEq => order != O::Less,
        BinaryOp::Equal => order == O::Equal,
        _ => order != O::Equal,
    }))
}

fn dot(a: &[Value], b: &[Value], element: &Type) -> Eval {
    if a.len() != b.len() {
        return Err(Fail::new("vectors of different sizes"));
    }
    let zero = if *element == Type::Integer {
        Value::Int(0)
    } else {
        Value::Real(0.0)
    };
    a.iter().zip(b).try_fold(zero, |sum, (x, y)| {
        scalar(BinaryOp::Add, &sum, &scalar(BinaryOp::Mul, x, y)?)
    })
}

pub(super) fn transpose(value: &Value) -> Eval {
    let (Value::Array(rows, ty), 2..) = (value, value.ty().rank()) else {
        return Err(Fail::new("not a matrix"));
    };
    let columns = match rows.first().and_then(Value::items) {
        Some(first) => first.len(),
        None => ty.dims().get(1).and_then(Dim::known).unwrap_or(0) as usize,
    };
    let mut dims = ty.dims().to_vec();
    dims.swap(0, 1);
    let whole = Type::array(ty.element().clone(), dims);
    let inner = whole.strip(1);
    let mut result = Vec::with_capacity(columns);
    for column in 0..columns {
        let items: Option<Vec<Value>> = rows
            .iter()
            .map(|row| row.items().and_then(|row| row.get(column)).cloned())
            .collect();
        let items = items.ok_or_else(|| Fail::new("not a matrix"))?;
        result.push(Value::Array(Arc::new(items), inner.clone()));
    }
    Ok(Value::Array(Arc::new(result), whole))
}

fn matrix_product(a: &Value, b: &Value) -> Eval {
    let (ta, tb) = (a.ty(), b.ty());
    let element = if *ta.element() == Type::Integer && *tb.element() == Type::Integer {
        Type::Integer
    } else {
        Type::Real
    };
    let bad = || Fail::new("not a product of vectors and matrices");
    match (ta.rank(), tb.rank()) {
        (1, 1) => dot(
            a.items().ok_or_else(bad)?,
            b.items().ok_or_else(bad)?,
            &element,
        ),
        (1, 2) => {
            let columns = transpose(b)?;
            let row = a.items().ok_or_else(bad)?;
            let items: Eval<Vec<Value>> = columns
                .items()
                .ok_or_else(bad)?
                .iter()
                .map(|column| dot(row, column.items().ok_or_else(bad)?, &element))
                .collect();
            Ok(Value::array(items?, &element))
        }
        (2, 1) => {
            let column = b.items().ok_or_else(bad)?;
            let items: Eval<Vec<Value>> = a
                .items()
                .ok_or_else(bad)?
                .iter()
                .map(|row| dot(row.items().ok_or_else(bad)?, column, &element))
                .collect();
            Ok(Value::array(items?, &element))
        }
        (2, 2) => {
            let columns = transpose(b)?;
            let columns = columns.items().ok_or_else(bad)?;
            let mut rows = Vec::new();
            for row in a.items().ok_or_else(bad)? {
                let row = row.items().ok_or_else(bad)?;
                let items: Eval<Vec<Value>> = columns
                    .iter()
                    .map(|column| dot(row, column.items().ok_or_else(bad)?, &element))
                    .collect();
                rows.push(Value::array(items?, &element));
            }
            Ok(Value::array(
                rows,
                &Type::array(element, vec![Dim::Known(columns.len() as i64)]),
            ))
        }
        _ => Err(bad()),
    }
}

fn matrix_power(a: &Value, b: &Value) -> Eval {
    let Value::Int(n) = b else {
        return Err(Fail::new("a matrix power needs an Integer exponent"));
    };
    if *n < 0 || *n > 64 {
        return Err(Fail::new("a matrix power that is negative or too large"));
    }
    let size = a.items().map_or(0, <[Value]>::len);
    let mut result = identity(size, true);
    for _ in 0..*n {
        result = matrix_product(&result, a)?;
    }
    Ok(result)
}

pub(super) fn identity(size: usize, real: bool) -> Value {
    let element = if real { Type::Real } else { Type::Integer };
    let number = |one: bool| {
        if real {
            Value::Real(f64::from(u8::from(one)))
        } else {
            Value::Int(i64::from(one))
        }
    };
    let rows = (0..size)
        .map(|row| {
            Value::array(
                (0..size).map(|column| number(row == column)).collect(),
                &element,
            )
        })
        .collect();
    Value::array(
        rows,
        &Type::array(element.clone(), vec![Dim::Known(size as i64)]),
    )
}
