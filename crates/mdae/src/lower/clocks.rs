//! Clocked models (Modelica 3.6 §16) are not analysed: this says so, with the place.

use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{FlatExp, FlatModel, Place};
use modeshift_flat::walk::{equation_exps, statement_exps, walk};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;

/// The first use of a clock, if there is one. Linear in the model.
pub(super) fn not_supported(flat: &FlatModel) -> Option<Diagnostic<Place>> {
    let place = flat.variables.iter().find_map(|variable| {
        let clocked = variable.ty == Type::Clock || variable.binding.as_ref().is_some_and(uses);
        clocked.then_some(variable.origin.span)
    });
    let place = place.or_else(|| {
        let all = flat.equations.iter().chain(&flat.initial_equations);
        all.into_iter().find_map(|equation| {
            let mut found = false;
            equation_exps(equation, &mut |exp| found |= uses(exp));
            found.then_some(equation.origin.span)
        })
    });
    let place = place.or_else(|| {
        let statements = flat.algorithms.iter().flat_map(|it| &it.statements);
        statements.into_iter().find_map(|statement| {
            let mut found = false;
            statement_exps(statement, &mut |exp| found |= uses(exp));
            found.then_some(statement.origin.span)
        })
    })?;
    Some(
        Diagnostic::new(
            Code::MS2037,
            "clocks are not supported by the analysis of modes yet",
        )
        .label(place, "a clock, or an operator on clocked variables")
        .note("The model can be flattened. Without clocks, `when sample(…)` says nearly the same."),
    )
}

fn uses(exp: &FlatExp) -> bool {
    let mut found = false;
    walk(exp, &mut |part| {
        if let Exp::Call(call) = part
            && let Callee::Builtin(name) = &call.function
        {
            found |= matches!(
                name.as_str(),
                "Clock"
                    | "hold"
                    | "previous"
                    | "subSample"
                    | "superSample"
                    | "shiftSample"
                    | "backSample"
                    | "noClock"
                    | "firstTick"
                    | "interval"
            );
        }
    });
    found
}
