//! Variables that are used as what they are not: `reinit` of what is computed from states, and Integers that an equation
//! gives a value which changes continuously.

use super::values::differentiated;
use crate::balance::{is_unknown, statement_targets};
use crate::model::{Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, Place, VarId};
use crate::walk::{walk, walk_while};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::{Type, Variability};

/// `reinit` of a variable that no equation differentiates and that one computes from others, other than as a sum of
/// multiples: that might be chosen as a state instead.
pub(super) fn of_computed(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut reset: FxIndexMap<VarId, Place> = FxIndexMap::default();
    for_each(&model.equations, false, &mut |equation, _| {
        if let EquationKind::Reinit { variable, .. } = &equation.kind
            && let Exp::Ref(FlatRef::Var(id)) = variable
        {
            reset.entry(*id).or_insert(equation.origin.span);
        }
    });
    if reset.is_empty() {
        return Vec::new();
    }
    let states = differentiated(model);
    let definitions = definitions(model);
    let mut found = Vec::new();
    for (id, place) in reset {
        let Some((value, origin)) = definitions.get(&id).filter(|_| !states.contains(&id)) else {
            continue;
        };
        if is_sum(model, value) {
            continue;
        }
        let name = &model.variables[id].name;
        let from = leaves_of(model, &states, &definitions, value);
        let why = match from.is_empty() {
            true => format!("an equation determines `{name}`"),
            false => format!("`{name}` is computed from other variables"),
        };
        let mut diagnostic =
            Diagnostic::new(Code::MS2034, format!("`reinit` resets a state, but {why}"))
                .label(place, format!("`{name}` is not a state"))
                .label(origin.span, format!("computes `{name}`"));
        if let [only] = from[..]
            && states.contains(&only)
        {
            let state = &model.variables[only].name;
            diagnostic = diagnostic.note(format!(
                "`{state}` is the state that it follows from: `reinit({state}, …)`"
            ));
        }
        found.push(diagnostic);
    }
    found
}

/// What explicit equations and bindings say that variables are.
fn definitions(model: &FlatModel) -> FxHashMap<VarId, (&FlatExp, &Origin)> {
    let mut found = FxHashMap::default();
    for (id, variable) in model.variables.iter_enumerated() {
        if let Some(binding) = &variable.binding {
            found.insert(id, (binding, &*variable.origin));
        }
    }
    for equation in &model.equations {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind
            && let Exp::Ref(FlatRef::Var(id)) = lhs
        {
            found.entry(*id).or_insert((rhs, &*equation.origin));
        }
    }
    found
}

/// Whether an expression is made of variables by addition and multiplication with what does not change.
fn is_sum(model: &FlatModel, exp: &FlatExp) -> bool {
    let still = |exp: &FlatExp| {
        let mut still = true;
        walk(exp, &mut |part| {
            still &= match part {
                Exp::Ref(FlatRef::Var(id)) => {
                    model.variables[*id].variability <= Variability::Parameter
                }
                Exp::Ref(_) | Exp::Time | Exp::Call(_) => false,
                _ => true,
            };
        });
        still
    };
    match exp {
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => is_sum(model, inner),
        Exp::Binary(op, sides) => match op {
            BinaryOp::Add | BinaryOp::Sub => is_sum(model, &sides.0) && is_sum(model, &sides.1),
            BinaryOp::Mul => {
                still(&sides.0) && is_sum(model, &sides.1)
                    || is_sum(model, &sides.0) && still(&sides.1)
            }
            BinaryOp::Div => is_sum(model, &sides.0) && still(&sides.1),
            _ => still(exp),
        },
        // `v = der(x)` is how a speed becomes a state.
        Exp::Call(call) => {
            matches!(&call.function, Callee::Builtin(name) if name.as_str() == "der") || still(exp)
        }
        Exp::Ref(_) => true,
        _ => still(exp),
    }
}

/// The states and other variables without a definition that an expression depends on through definitions.
fn leaves_of(
    model: &FlatModel,
    states: &FxHashSet<VarId>,
    definitions: &FxHashMap<VarId, (&FlatExp, &Origin)>,
    exp: &FlatExp,
) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<VarId> = FxHashSet::default();
    let mut waiting = vec![exp];
    while let Some(exp) = waiting.pop() {
        walk(exp, &mut |part| {
            let Exp::Ref(FlatRef::Var(id)) = part else {
                return;
            };
            if model.variables[*id].variability <= Variability::Parameter || !seen.insert(*id) {
                return;
            }
            match definitions.get(id) {
                Some((value, _)) if !states.contains(id) => waiting.push(value),
                _ => found.push(*id),
            }
        });
    }
    found
}

/// Integers, Booleans, enumerations and `discrete` Reals that nothing gives a value but an equation between Reals that
/// change continuously.
pub(super) fn integers_by_continuous(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut suspects: FxIndexMap<VarId, Place> = FxIndexMap::default();
    let mut given: FxHashSet<VarId> = FxHashSet::default();
    for_each(&model.equations, false, &mut |equation, at_event| {
        let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
            return;
        };
        for (side, other) in [(lhs, rhs), (rhs, lhs)] {
            let (side, is_converted) = match side {
                Exp::Cast(Type::Real, inner) => (&**inner, true),
                side => (side, false),
            };
            // Between values of one type only `discrete` says that a variable changes at events.
            let changes_at_events = |id: VarId| {
                let variable = &model.variables[id];
                is_converted || variable.ty == Type::Real && variable.discrete
            };
            match side {
                Exp::Ref(FlatRef::Var(id))
                    if !at_event
                        && changes_at_events(*id)
                        && changes_continuously(model, other) =>
                {
                    suspects.entry(*id).or_insert(equation.origin.span);
                }
                _ => super::side_variables(model, side, &mut given),
            }
        }
    });
    for algorithm in &model.algorithms {
        given.extend(statement_targets(model, &algorithm.statements));
    }
    let mut found = Vec::new();
    for (id, place) in suspects {
        let variable = &model.variables[id];
        if given.contains(&id) || !is_unknown(variable) || variable.binding.is_some() {
            continue;
        }
        let (name, ty) = (&variable.name, &variable.ty);
        if *ty == Type::Real {
            found.push(
                Diagnostic::new(
                    Code::MS2025,
                    format!("`{name}` is declared `discrete`, but this equation changes it continuously"),
                )
                .with_severity(Severity::Warning)
                .label(place, format!("the only equation for `{name}`"))
                .label(variable.origin.span, "declared `discrete`")
                .note(format!(
                    "write the equation in a `when`, for example `when sample(0, 0.1) then {name} = …; end when;`, or remove \
                     `discrete`"
                )),
            );
            continue;
        }
        found.push(
            Diagnostic::new(
                Code::MS2025,
                format!(
                    "`{name}` is {ty}, but this equation gives it a Real that changes continuously"
                ),
            )
            .label(place, format!("the only equation for `{name}`"))
            .label(variable.origin.span, format!("`{name}` is {ty}"))
            .note(format!(
                "declare `{name}` as Real, or round the value: `integer(x)` is the Integer below it"
            )),
        );
    }
    found
}

/// Whether an expression is Real and depends on something that changes between events.
fn changes_continuously(model: &FlatModel, exp: &FlatExp) -> bool {
    let mut found = false;
    walk_while(exp, &mut |part| {
        match part {
            Exp::Time => found = true,
            Exp::Ref(FlatRef::Var(id)) => {
                let variable = &model.variables[*id];
                found |= variable.ty == Type::Real
                    && variable.variability == Variability::Continuous
                    && !variable.discrete;
            }
            _ => {}
        }
        let discrete = match part {
            Exp::Call(call) => match &call.function {
                Callee::Builtin(name) => matches!(
                    name.as_str(),
                    "floor" | "ceil" | "integer" | "div" | "pre" | "sample" | "sign" | "previous"
                ),
                Callee::User(_) => false,
            },
            // A comparison changes at events only.
            Exp::Binary(op, _) => matches!(
                op,
                BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq
            ),
            _ => false,
        };
        !discrete
    });
    found
}

/// Calls `visit` for all equations, those in branches and loops included, with whether they are in a `when`.
fn for_each<'m>(
    equations: &'m [Equation],
    at_event: bool,
    visit: &mut dyn FnMut(&'m Equation, bool),
) {
    for equation in equations {
        visit(equation, at_event);
        match &equation.kind {
            EquationKind::If { branches, else_ } => {
                for (_, body) in branches {
                    for_each(body, at_event, visit);
                }
                for_each(else_, at_event, visit);
            }
            EquationKind::When { branches } => {
                for (_, body) in branches {
                    for_each(body, true, visit);
                }
            }
            EquationKind::For { body, .. } => for_each(body, at_event, visit),
            _ => {}
        }
    }
}
