//! Conditions that no value satisfies: `x > 5 and x < 3`. Those of `if` the analysis of modes reports.

use crate::export::modelica::exp_text;
use crate::model::{EquationKind, FlatExp, FlatModel, Place};
use crate::walk::walk;
use modeshift_base::{FxHashSet, shown};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{BinaryOp, Exp, UnaryOp};
use modeshift_inst::ty::Type;

pub(super) fn never_true(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let mut told: FxHashSet<Place> = FxHashSet::default();
    let mut look = |exp: &FlatExp, place: Place| {
        walk(exp, &mut |part| {
            if let Exp::Binary(BinaryOp::And, _) = part
                && let Some((bounded, low, high)) = empty(part)
                && told.insert(place)
            {
                let subject = exp_text(model, bounded);
                let condition = exp_text(model, part);
                found.push(
                    Diagnostic::new(Code::MS4006, format!("`{condition}` is never true"))
                        .label(place, "this condition holds for no value")
                        .note(format!(
                            "`{subject}` cannot be above {} and below {} at once: is `or` meant, or are the numbers exchanged?",
                            shown(low),
                            shown(high)
                        )),
                );
            }
        });
    };
    for equation in &model.equations {
        match &equation.kind {
            EquationKind::Equality { rhs, ty, .. } if *ty == Type::Boolean => {
                look(rhs, equation.origin.span);
            }
            EquationKind::When { branches } => {
                for (condition, _) in branches {
                    look(condition, equation.origin.span);
                }
            }
            _ => {}
        }
    }
    for variable in model.variables.iter().filter(|it| it.ty == Type::Boolean) {
        if let Some(binding) = &variable.binding {
            look(binding, variable.origin.span);
        }
    }
    found
}

/// What a conjunction bounds from below by no less than from above, with both bounds.
fn empty(conjunction: &FlatExp) -> Option<(&FlatExp, f64, f64)> {
    let mut bounds: Vec<Bound<'_>> = Vec::new();
    collect(conjunction, &mut bounds);
    for low in bounds.iter().filter(|it| it.from_below) {
        let above = bounds.iter().filter(|it| !it.from_below && it.of == low.of);
        for high in above {
            let touches = low.value == high.value && (low.strict || high.strict);
            if low.value > high.value || touches {
                return Some((low.of, low.value, high.value));
            }
        }
    }
    None
}

/// `of > value`, `of >= value`, `of < value` or `of <= value`.
struct Bound<'e> {
    of: &'e FlatExp,
    value: f64,
    from_below: bool,
    strict: bool,
}

fn collect<'e>(exp: &'e FlatExp, into: &mut Vec<Bound<'e>>) {
    let Exp::Binary(op, sides) = exp else { return };
    let (from_below, strict) = match op {
        BinaryOp::And => {
            collect(&sides.0, into);
            collect(&sides.1, into);
            return;
        }
        BinaryOp::Less => (false, true),
        BinaryOp::LessEq => (false, false),
        BinaryOp::Greater => (true, true),
        BinaryOp::GreaterEq => (true, false),
        _ => return,
    };
    match (number(&sides.0), number(&sides.1)) {
        (None, Some(value)) => into.push(Bound {
            of: &sides.0,
            value,
            from_below,
            strict,
        }),
        (Some(value), None) => into.push(Bound {
            of: &sides.1,
            value,
            from_below: !from_below,
            strict,
        }),
        _ => {}
    }
}

/// A number that is written as such: a parameter may be set to another one.
fn number(exp: &FlatExp) -> Option<f64> {
    match exp {
        Exp::Real(value) => Some(*value),
        Exp::Int(value) => Some(*value as f64),
        Exp::Cast(_, inner) => number(inner),
        Exp::Unary(UnaryOp::Neg, inner) => number(inner).map(|it| -it),
        _ => None,
    }
}
