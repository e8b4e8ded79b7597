//! What is wrong with events whatever the simulation does: samples without an interval, assertions that are false from the
//! beginning.

use crate::circuit::Circuit;
use crate::known::{Known, Knowns};
use crate::model::{EquationKind, FlatExp, FlatModel, Place};
use crate::walk::{equation_exps, walk};
use modeshift_base::FxIndexMap;
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;

/// `sample(start, interval)` whose interval is zero or negative.
pub(super) fn samples_without_interval(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut found: FxIndexMap<Place, (f64, bool)> = FxIndexMap::default();
    let knowns = Knowns::always(model);
    let mut look = |exp: &FlatExp, place: Place| {
        walk(exp, &mut |part| {
            let Exp::Call(call) = part else { return };
            let [first, interval] = call.args.as_slice() else {
                return;
            };
            let is_sample = matches!(&call.function, Callee::Builtin(name) if *name == "sample")
                && call.ty == Type::Boolean;
            if let Some(value) = knowns.number(interval).filter(|it| is_sample && *it <= 0.0) {
                let exchanged = knowns.number(first).is_some_and(|it| it > 0.0);
                found.entry(place).or_insert((value, exchanged));
            }
        });
    };
    for equation in &model.equations {
        let place = equation.origin.span;
        equation_exps(equation, &mut |exp| look(exp, place));
    }
    for variable in &model.variables {
        if let Some(binding) = &variable.binding {
            look(binding, variable.origin.span);
        }
    }
    let told = found.into_iter().map(|(place, (value, exchanged))| {
        let diagnostic = Diagnostic::new(
            Code::MS2034,
            format!("the interval of `sample` must be positive, but it is {value}"),
        )
        .label(place, "no next instant follows the first one");
        diagnostic.note(match exchanged {
            true => "the first argument is the first instant, the second the interval: are they exchanged?",
            false => "the first argument is the first instant, the second the interval: `sample(0, 0.1)`",
        })
    });
    told.collect()
}

/// Assertions that are false whatever the simulation does.
pub(super) fn assertions_that_never_hold(
    model: &FlatModel,
    circuit: &Circuit<'_>,
) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let knowns = Knowns::always(model);
    for equation in &model.equations {
        let EquationKind::Assert {
            condition,
            message,
            level,
        } = &equation.kind
        else {
            continue;
        };
        if knowns.value(condition) != Some(Known::Bool(false)) {
            continue;
        }
        let text = match knowns.value(message) {
            Some(Known::Text(text)) => format!("an assertion does not hold: {text}"),
            _ => "an assertion never holds".to_owned(),
        };
        // The first literal of `AssertionLevel` is `warning`.
        let severity = match level {
            Exp::Enum(_, 1) => Severity::Warning,
            _ => Severity::Error,
        };
        let code = match severity {
            Severity::Error => Code::MS6010,
            _ => Code::MS6016,
        };
        let origin = &equation.origin;
        let component = circuit.component(&origin.instance);
        let mut diagnostic = Diagnostic::new(code, text);
        if let Some((name, place)) = component {
            diagnostic = diagnostic.label(place, format!("in `{name}`"));
        }
        found.push(diagnostic.label(
            origin.span,
            "its condition is false for these parameters and connections",
        ));
    }
    found
}
