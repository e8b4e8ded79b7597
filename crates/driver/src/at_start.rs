//! Numbers that depend on `initial()`. A run mode by mode starts in a mode of the running model, where `initial()` is false
//! already, so such equations need a run as one system at the start.

use modeshift_flat::model::{Equation, EquationKind, FlatExp, FlatModel, FlatRef};
use modeshift_flat::walk::{equation_exps, statement_exps, walk};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;

/// Whether an equation, a declaration or an algorithm for numbers has other values while the model is initialised. `when
/// initial()` is none of these, and Boolean equations are followed by every run. Linear in the model.
pub(crate) fn numbers_read_initial(model: &FlatModel) -> bool {
    let bindings = model.variables.iter().any(|variable| {
        let binding = variable.binding.as_ref();
        variable.ty == Type::Real && binding.is_some_and(reads_initial)
    });
    let algorithms = || {
        let statements = model.algorithms.iter().flat_map(|it| &it.statements);
        statements.into_iter().any(|statement| {
            let mut found = false;
            statement_exps(statement, &mut |exp| found |= reads_initial(exp));
            found
        })
    };
    bindings || model.equations.iter().any(|it| is_numeric(model, it)) || algorithms()
}

fn is_numeric(model: &FlatModel, equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, .. } => {
            let logical = |side: &FlatExp| match side {
                Exp::Ref(FlatRef::Var(id)) => model.variables[*id].ty != Type::Real,
                _ => false,
            };
            !logical(lhs) && !logical(rhs) && (reads_initial(lhs) || reads_initial(rhs))
        }
        EquationKind::If { .. } | EquationKind::For { .. } => {
            let mut found = false;
            equation_exps(equation, &mut |exp| found |= reads_initial(exp));
            found
        }
        _ => false,
    }
}

fn reads_initial(exp: &FlatExp) -> bool {
    let mut found = false;
    walk(exp, &mut |part| {
        let Exp::Call(call) = part else { return };
        found |= matches!(&call.function, Callee::Builtin(name) if *name == "initial");
    });
    found
}
