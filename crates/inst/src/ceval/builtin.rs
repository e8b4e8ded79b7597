//! Predefined functions on values.

use super::eval::{Frame, eval};
use super::{Eval, Fail, MAX_ELEMENTS, Value, World, op, room};
use crate::builtin::{Binary, Unary};
use crate::exp::{BinaryOp, Exp};
use crate::ty::{Dim, Type};
use modeshift_base::Name;
use std::sync::Arc;

fn unknown(name: Name) -> Fail {
    Fail::new(format!("`{name}` has no value before the simulation"))
}

/// Operators that do not evaluate all their arguments.
pub(super) fn lazy(
    world: &mut dyn World,
    name: Name,
    args: &[Exp],
    frame: &mut Frame,
) -> Eval<Option<Value>> {
    match (name.as_str(), args) {
        ("noEvent" | "pre" | "homotopy", [first, ..]) => eval(world, first, frame).map(Some),
        ("smooth", [_, value]) => eval(world, value, frame).map(Some),
        ("der", [first]) => match eval(world, first, frame) {
            Ok(_) => Ok(Some(Value::Real(0.0))),
            Err(fail) => Err(fail),
        },
        (
            "initial"
            | "terminal"
            | "sample"
            | "edge"
            | "change"
            | "delay"
            | "cardinality"
            | "inStream"
            | "actualStream"
            | "spatialDistribution",
            _,
        ) => Err(unknown(name)),
        _ => Ok(None),
    }
}

/// A call with evaluated arguments; `ty` is the type of the result.
pub(super) fn call(name: Name, args: Vec<Value>, ty: &Type) -> Eval {
    let text = name.as_str();
    match (text, args.as_slice()) {
        ("fill", [value, sizes @ ..]) => fill(value, sizes),
        ("identity", [Value::Int(size)]) if *size <= 1000 => {
            Ok(op::identity(*size as usize, *ty.element() == Type::Real))
        }
        ("diagonal", [Value::Array(items, _)]) => diagonal(items, ty),
        ("linspace", [a, b, Value::Int(n)]) => linspace(a, b, *n),
        ("min" | "max", [a, b]) => {
            let less = op::binary(BinaryOp::LessEq, a, b)? == Value::Bool(true);
            Ok(if less == (text == "min") {
                a.clone()
            } else {
                b.clone()
            })
        }
        ("min" | "max" | "sum" | "product", [array]) => {
            let mut scalars = Vec::new();
            array.scalars(&mut scalars);
            fold(text, scalars.into_iter().cloned().collect(), ty)
        }
        ("transpose", [matrix]) => op::transpose(matrix),
        ("symmetric", [Value::Array(rows, ty)]) => symmetric(rows, ty),
        ("cross", [Value::Array(a, _), Value::Array(b, _)]) => cross(a, b),
        ("skew", [Value::Array(v, _)]) => skew(v),
        ("outerProduct", [Value::Array(a, _), Value::Array(b, _)]) => outer_product(a, b),
        ("scalar" | "vector" | "matrix" | "promote", [value, ..]) => reshape(value, ty),
        ("cat", [Value::Int(dim), arrays @ ..]) => cat(*dim, arrays),
        ("ndims", [value]) => Ok(Value::Int(value.ty().rank() as i64)),
        ("String", _) => string(&args),
        ("Integer" | "integer", [Value::Enum(_, index)]) => Ok(Value::Int(i64::from(*index))),
        ("abs", [Value::Int(value)]) => Ok(Value::Int(value.saturating_abs())),
        ("sign", [value]) => {
            let value = value.as_real().ok_or_else(|| unknown(name))?;
            Ok(Value::Int(if value > 0.0 {
                1
            } else if value < 0.0 {
                -1
            } else {
                0
            }))
        }
        ("integer", [value]) => {
            let value = value.as_real().ok_or_else(|| unknown(name))?.floor();
            if value.abs() < 9e18 {
                Ok(Value::Int(value as i64))
            } else {
                Err(Fail::new("too large for an Integer"))
            }
        }
        ("div" | "mod" | "rem", [Value::Int(a), Value::Int(b)]) => {
            let result = Binary::named(text).and_then(|op| op.integer(*a, *b));
            result
                .map(Value::Int)
                .ok_or_else(|| Fail::wrong("division by zero"))
        }
        (_, [a]) => {
            let x = a.as_real().ok_or_else(|| unknown(name))?;
            math(text, x).map(Value::Real).ok_or_else(|| {
                if matches!(text, "asin" | "acos" | "log" | "log10" | "sqrt") {
                    Fail::wrong(format!("`{text}({x})` is not defined"))
                } else {
                    unknown(name)
                }
            })
        }
        (_, [a, b]) => {
            let (Some(x), Some(y)) = (a.as_real(), b.as_real()) else {
                return Err(unknown(name));
            };
            let op = Binary::named(text).ok_or_else(|| unknown(name))?;
            if op.divides() && y == 0.0 {
                return Err(Fail::wrong("division by zero"));
            }
            let value = op.apply(x, y);
            Ok(Value::Real(value))
        }
        ("semiLinear", [x, p, n]) => {
            let (Some(x), Some(p), Some(n)) = (x.as_real(), p.as_real(), n.as_real()) else {
                return Err(unknown(name));
            };
            Ok(Value::Real(if x >= 0.0 { p * x } else { n * x }))
        }
        _ => Err(unknown(name)),
    }
}

pub(super) fn math(name: &str, x: f64) -> Option<f64> {
    let op = Unary::named(name).filter(|op| *op != Unary::Not)?;
    let value = op.defined(x).then(|| op.apply(x));
    value.filter(|value| value.is_finite())
}

/// `sum`, `product`, `min` or `max` of values.
pub(super) fn fold(function: &str, values: Vec<Value>, ty: &Type) -> Eval {
    let real = *ty.element() == Type::Real;
    let mut values = values.into_iter();
    let start = match function {
        "sum" => Some(if real {
            Value::Real(0.0)
        } else {
            Value::Int(0)
        }),
        "product" => Some(if real {
            Value::Real(1.0)
        } else {
            Value::Int(1)
        }),
        _ => values.next().or_else(|| empty_extreme(function, ty)),
    };
    let Some(start) = start else {
        return Err(Fail::new(format!("`{function}` of nothing")));
    };
    values.try_fold(start, |result, value| match function {
        "sum" => op::binary(BinaryOp::Add, &result, &value),
        "product" => op::binary(BinaryOp::Mul, &result, &value),
        _ => {
            let less = op::binary(BinaryOp::Less, &value, &result)? == Value::Bool(true);
            Ok(if less == (function == "min") && value != result {
                value
            } else {
                result
            })
        }
    })
}

fn empty_extreme(function: &str, ty: &Type) -> Option<Value> {
    match (function, ty.element()) {
        ("min", Type::Real) => Some(Value::Real(8.777_798_510_069_901e304)),
        ("max", Type::Real) => Some(Value::Real(-8.777_798_510_069_901e304)),
        ("min", Type::Integer) => Some(Value::Int(4_611_686_018_427_387_903)),
        ("max", Type::Integer) => Some(Value::Int(-4_611_686_018_427_387_903)),
        _ => None,
    }
}

fn fill(value: &Value, sizes: &[Value]) -> Eval {
    let mut result = value.clone();
    let mut total = value.elements();
    for size in sizes.iter().rev() {
        let Value::Int(size) = size else {
            return Err(Fail::new("a size that is not an Integer"));
        };
        let size = usize::try_from(*size).map_err(|_| Fail::new("a negative size"))?;
        total = room([total, size.max(1)])?;
        let ty = result.ty();
        result = Value::Array(
            Arc::new(vec![result; size]),
            Type::array(ty, vec![Dim::Known(size as i64)]),
        );
    }
    Ok(result)
}

fn diagonal(items: &[Value], ty: &Type) -> Eval {
    let zero = if *ty.element() == Type::Real {
        Value::Real(0.0)
    } else {
        Value::Int(0)
    };
    let size = items.len();
    room([size, size])?;
    let rows = (0..size)
        .map(|row| {
            let cells = (0..size).map(|column| {
                if row == column {
                    items[row].clone()
                } else {
                    zero.clone()
                }
            });
            Value::array(cells.collect(), ty.element())
        })
        .collect();
    Ok(Value::array(rows, &ty.strip(1)))
}

fn linspace(a: &Value, b: &Value, n: i64) -> Eval {
    let (Some(a), Some(b)) = (a.as_real(), b.as_real()) else {
        return Err(Fail::new("not a number"));
    };
    if !(2..=MAX_ELEMENTS as i64).contains(&n) {
        return Err(Fail::new("`linspace` needs at least two points"));
    }
    let items = (0..n)
        .map(|i| Value::Real(a + (b - a) * i as f64 / (n - 1) as f64))
        .collect();
    Ok(Value::array(items, &Type::Real))
}

fn symmetric(rows: &[Value], ty: &Type) -> Eval {
    let cell = |row: usize, column: usize| {
        let (row, column) = if row > column {
            (column, row)
        } else {
            (row, column)
        };
        rows.get(row)
            .and_then(Value::items)
            .and_then(|row| row.get(column))
            .cloned()
    };
    let mut result = Vec::with_capacity(rows.len());
    for row in 0..rows.len() {
        let cells: Option<Vec<Value>> = (0..rows.len()).map(|column| cell(row, column)).collect();
        result.push(Value::array(
            cells.ok_or_else(|| Fail::new("not a square matrix"))?,
            ty.element(),
        ));
    }
    Ok(Value::array(result, &ty.strip(1)))
}

fn cross(a: &[Value], b: &[Value]) -> Eval {
    let (a, b) = (three(a)?, three(b)?);
    let items = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    Ok(Value::array(items.map(Value::Real).to_vec(), &Type::Real))
}

fn skew(v: &[Value]) -> Eval {
    let [x, y, z] = three(v)?;
    let rows = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let rows = rows
        .map(|row| Value::array(row.map(Value::Real).to_vec(), &Type::Real))
        .to_vec();
    Ok(Value::array(rows, &Type::Real))
}

fn three(values: &[Value]) -> Eval<[f64; 3]> {
    let numbers: Option<Vec<f64>> = values.iter().map(Value::as_real).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| Fail::new("not a vector of 3 numbers"))
}

fn outer_product(a: &[Value], b: &[Value]) -> Eval {
    room([a.len(), b.len()])?;
    let mut rows = Vec::with_capacity(a.len());
    for x in a {
        let row: Eval<Vec<Value>> = b.iter().map(|y| op::binary(BinaryOp::Mul, x, y)).collect();
        rows.push(Value::array(row?, &Type::Real));
    }
    Ok(Value::array(
        rows,
        &Type::array(Type::Real, vec![Dim::Known(b.len() as i64)]),
    ))
}

/// The same scalars with other dimensions.
fn reshape(value: &Value, ty: &Type) -> Eval {
    let mut scalars = Vec::new();
    value.scalars(&mut scalars);
    let mut scalars = scalars.into_iter().cloned();
    let mut ty = ty.clone();
    // Sizes that were not known when the call was typed follow from the value.
    if ty.size().is_none() {
        let known: Vec<Dim> = value
            .ty()
            .dims()
            .iter()
            .filter(|dim| dim.known() != Some(1))
            .cloned()
            .collect();
        ty = match ty.rank() {
            1 => Type::array(
                ty.element().clone(),
                vec![known.first().cloned().unwrap_or(Dim::Known(1))],
            ),
            rank => {
                let mut dims = value.ty().dims().to_vec();
                dims.resize(rank, Dim::Known(1));
                Type::array(ty.element().clone(), dims)
            }
        };
    }
    build(&ty, &mut scalars).ok_or_else(|| Fail::new("sizes do not fit"))
}

fn build(ty: &Type, scalars: &mut dyn Iterator<Item = Value>) -> Option<Value> {
    match ty.dims().first() {
        None => scalars.next(),
        Some(dim) => {
            let inner = ty.strip(1);
            let items: Option<Vec<Value>> =
                (0..dim.known()?).map(|_| build(&inner, scalars)).collect();
            Some(Value::Array(Arc::new(items?), ty.clone()))
        }
    }
}

fn cat(dim: i64, arrays: &[Value]) -> Eval {
    let bad = || Fail::new("arrays that cannot be joined");
    let Some(first) = arrays.first() else {
        return Err(bad());
    };
    room([arrays.iter().map(Value::elements).sum()])?;
    if dim == 1 {
        let mut items = Vec::new();
        for array in arrays {
            items.extend(array.items().ok_or_else(bad)?.iter().cloned());
        }
        return Ok(Value::array(items, &first.ty().strip(1)));
    }
    let count = first.items().ok_or_else(bad)?.len();
    let mut rows = Vec::with_capacity(count);
    for row in 0..count {
        let parts: Option<Vec<Value>> = arrays
            .iter()
            .map(|array| array.items().and_then(|items| items.get(row)).cloned())
            .collect();
        rows.push(cat(dim - 1, &parts.ok_or_else(bad)?)?);
    }
    Ok(Value::array(rows, &first.ty().strip(1)))
}

fn string(args: &[Value]) -> Eval {
    let Some(value) = args.first() else {
        return Err(Fail::new("nothing to print"));
    };
    let number = |index: usize| match args.get(index) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    };
    let flag = |index: usize| !matches!(args.get(index), Some(Value::Bool(false)));
    let (text, length, left) = match value {
        Value::Int(value) => (value.to_string(), number(1).unwrap_or(0), flag(2)),
        Value::Bool(value) => (value.to_string(), number(1).unwrap_or(0), flag(2)),
        Value::Enum(ty, index) => {
            let name = ty
                .literals
                .get(*index as usize - 1)
                .map(ToString::to_string)
                .unwrap_or_default();
            (name, number(1).unwrap_or(0), flag(2))
        }
        Value::Real(value) => {
            if matches!(args.get(1), Some(Value::Str(_))) {
                return Err(Fail::new("a format string"));
            }
            (
                significant(*value, number(1).unwrap_or(6)),
                number(2).unwrap_or(0),
                flag(3),
            )
        }
        Value::Str(text) => (text.to_string(), 0, true),
        _ => return Err(Fail::new("a value that cannot be printed")),
    };
    let width = length.clamp(0, 1000) as usize;
    let text = if left {
        format!("{text:<width$}")
    } else {
        format!("{text:>width$}")
    };
    Ok(Value::Str(text.into()))
}

/// Like C's `%.Ng`.
fn significant(value: f64, digits: i64) -> String {
    let digits = digits.clamp(1, 17) as usize;
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let exponent: i32 = scientific
        .split('e')
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if exponent < -4 || exponent >= digits as i32 {
        let mantissa = trim(scientific.split('e').next().unwrap_or_default());
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    trim(&format!(
        "{value:.*}",
        (digits as i32 - 1 - exponent).max(0) as usize
    ))
}
