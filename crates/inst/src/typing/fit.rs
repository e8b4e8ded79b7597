//! When a value of one type can stand where another is expected, and what has to be done to it.

use crate::exp::{Call, Callee, Exp, IfExp, Range, Reduction};
use crate::ty::{Dim, RecordType, Type};
use modeshift_base::Name;
use std::sync::Arc;

/// `exp` of type `from`, made to be of type `to`; `None` if it cannot. Integer becomes Real.
pub(crate) fn fit(exp: Exp, from: &Type, to: &Type) -> Option<Exp> {
    if from.is_unknown() || to.is_unknown() {
        return Some(exp);
    }
    if from.rank() != to.rank()
        || !from
            .dims()
            .iter()
            .zip(to.dims())
            .all(|(a, b)| a.compatible(b))
    {
        return None;
    }
    fit_element(exp, from, to)
}

/// The same, whatever the dimensions.
pub(crate) fn fit_element(exp: Exp, from: &Type, to: &Type) -> Option<Exp> {
    match (from.element(), to.element()) {
        (Type::Integer, Type::Real) => Some(to_real(exp, from)),
        (Type::Record(a), Type::Record(b))
            if a.path != b.path && compatible(from.element(), to.element()) =>
        {
            Some(reordered(exp, from, a, b))
        }
        (a, b) if compatible(a, b) => Some(exp),
        _ => None,
    }
}

/// A record made one of another class: its fields are told by name, since their order may differ.
fn reordered(exp: Exp, from: &Type, own: &RecordType, wanted: &Arc<RecordType>) -> Exp {
    let same = |(a, b): (&(Name, Type), &(Name, Type))| a.0 == b.0;
    if own.fields.len() != wanted.fields.len() || own.fields.iter().zip(&wanted.fields).all(same) {
        return exp;
    }
    let place = |name: Name| own.fields.iter().position(|(field, _)| *field == name);
    match exp {
        Exp::Array(items, ty) => {
            let inner = from.strip(1);
            let items = items
                .into_iter()
                .map(|item| reordered(item, &inner, own, wanted))
                .collect();
            Exp::Array(items, ty.with_element(Type::Record(wanted.clone())))
        }
        exp if from.is_array() => exp,
        exp => {
            let fields = (wanted.fields.iter())
                .map(|(name, _)| match &exp {
                    Exp::Record(_, values) => (place(*name))
                        .and_then(|at| values.get(at).cloned())
                        .unwrap_or(Exp::Error),
                    other => Exp::Field(Box::new(other.clone()), *name),
                })
                .collect();
            Exp::Record(Type::Record(wanted.clone()), fields)
        }
    }
}

/// Whether scalars of both types are the same without any conversion.
pub(crate) fn compatible(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (Type::Enumeration(a), Type::Enumeration(b)) => {
            a.literals == b.literals || b.literals.is_empty()
        }
        (Type::Record(a), Type::Record(b)) => {
            a.path == b.path
                || a.fields.len() == b.fields.len()
                    && a.fields.iter().all(|(name, ty)| {
                        b.fields.iter().any(|(other, wanted)| {
                            name == other
                                && ty.rank() == wanted.rank()
                                && fits(ty.element(), wanted.element())
                        })
                    })
        }
        (Type::Function(_), Type::Function(_)) => true,
        (Type::External(a), Type::External(b)) => a == b || &**b == "ExternalObject",
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| fits(a, b))
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Whether a value of type `from` can stand where `to` is expected.
pub(crate) fn fits(from: &Type, to: &Type) -> bool {
    fit(Exp::Error, from, to).is_some()
}

/// The type that both can be made to be.
pub(crate) fn join(a: &Type, b: &Type) -> Option<Type> {
    if a.is_unknown() {
        return Some(b.clone());
    }
    if b.is_unknown() {
        return Some(a.clone());
    }
    if a.rank() != b.rank() || !a.dims().iter().zip(b.dims()).all(|(a, b)| a.compatible(b)) {
        return None;
    }
    let element = match (a.element(), b.element()) {
        (Type::Integer, Type::Real) | (Type::Real, Type::Integer) => Type::Real,
        (a, b) if compatible(a, b) => a.clone(),
        _ => return None,
    };
    let dims = a
        .dims()
        .iter()
        .zip(b.dims())
        .map(|(a, b)| better(a, b))
        .collect();
    Some(Type::array(element, dims))
}

/// The dimension that says more.
pub(crate) fn better(a: &Dim, b: &Dim) -> Dim {
    match (a, b) {
        (Dim::Flexible(None), other) => other.clone(),
        (Dim::Flexible(_), Dim::Known(_) | Dim::Boolean | Dim::Enumeration(_)) => b.clone(),
        _ => a.clone(),
    }
}

/// Integer elements as Reals. Conversions go to the leaves where that reads better.
pub(crate) fn to_real(exp: Exp, from: &Type) -> Exp {
    match exp {
        Exp::Int(value) => Exp::Real(value as f64),
        Exp::Array(items, ty) => {
            let inner = from.strip(1);
            let items = items
                .into_iter()
                .map(|item| to_real(item, &inner))
                .collect();
            Exp::Array(items, ty.with_element(Type::Real))
        }
        Exp::Range(range) => {
            let Range {
                start,
                step,
                stop,
                ty,
            } = *range;
            Exp::Range(Box::new(Range {
                start: to_real(start, &Type::Integer),
                step: step.map(|step| to_real(step, &Type::Integer)),
                stop: to_real(stop, &Type::Integer),
                ty: ty.with_element(Type::Real),
            }))
        }
        Exp::Unary(op, operand) => Exp::Unary(op, Box::new(to_real(*operand, from))),
        Exp::If(inner) => {
            let IfExp {
                condition,
                then,
                else_,
                ty,
            } = *inner;
            Exp::If(Box::new(IfExp {
                condition,
                then: to_real(then, from),
                else_: to_real(else_, from),
                ty: ty.with_element(Type::Real),
            }))
        }
        Exp::Cast(_, inner) => Exp::Cast(from.with_element(Type::Real), inner),
        Exp::Error => Exp::Error,
        Exp::Call(call) if casts_inside(&call.function) => {
            let Call {
                function,
                mut args,
                ty,
            } = *call;
            let first = match &function {
                Callee::Builtin(name) if name.as_str() == "cat" => 1..args.len(),
                _ => 0..1,
            };
            for arg in args.get_mut(first).unwrap_or_default() {
                let inner = std::mem::replace(arg, Exp::Error);
                *arg = to_real(inner, &Type::Integer);
            }
            Exp::Call(Box::new(Call {
                function,
                args,
                ty: ty.with_element(Type::Real),
            }))
        }
        Exp::Reduction(reduction)
            if from.rank() > 0
                && matches!(&reduction.function, Callee::Builtin(name) if name.as_str() == "array") =>
        {
            let Reduction {
                function,
                body,
                iterators,
                ty,
            } = *reduction;
            let inner = from.strip(iterators.len());
            let body = to_real(body, &inner);
            Exp::Reduction(Box::new(Reduction {
                function,
                body,
                iterators,
                ty: ty.with_element(Type::Real),
            }))
        }
        exp => Exp::Cast(from.with_element(Type::Real), Box::new(exp)),
    }
}

/// Functions whose result is made of their arguments: the arguments are converted instead.
fn casts_inside(function: &Callee) -> bool {
    matches!(function, Callee::Builtin(name) if matches!(name.as_str(), "fill" | "cat"))
}
