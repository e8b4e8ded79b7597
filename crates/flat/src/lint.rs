//! What is allowed to be written and hardly meant: parameters without a value, results of functions that nothing computes,
//! impure calls that happen at no definite instant, discrete variables that nothing assigns, annotations that do not fit.
//!
//! Each looks at the flat model alone and is linear in its size.

mod assigned;
mod conditions;
mod events;
mod instants;
mod locals;
mod operations;
mod reset;
mod values;
mod wiring;

pub use values::differentiated;

use crate::balance::{is_unknown, statement_targets};
use crate::circuit::Circuit;
use crate::hints::misfits;
use crate::known::Knowns;
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Function, FunctionBody, Origin, Place,
    Statement, StatementKind, VarId, Variable,
};
use crate::walk::{equation_exps, statement_exps, walk, walk_while};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Name, shown};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::{Causality, Variability};
use std::sync::Arc;

/// Everything that this module looks for.
pub fn lints(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Diagnostic<Place>> {
    let mut found = parameters_without_value(model, circuit);
    // What the author of a library left open the modeller cannot change.
    let own = model
        .functions
        .iter()
        .filter(|it| (circuit.own)(it.origin.span));
    for function in own {
        found.extend(outputs_of(function));
    }
    found.extend(impure_calls(model));
    found.extend(never_assigned(model));
    found.extend(several_whens(model));
    found.extend(also_outside(model));
    let misfits = misfits(model).into_iter();
    found.extend(misfits.filter(|it| it.labels.iter().any(|label| (circuit.own)(label.at))));
    found.extend(crate::recursion::endless(model));
    found.extend(wiring::idle_components(model, circuit));
    found.extend(wiring::inputs_given_twice(model, circuit));
    found.extend(values::out_of_bounds(model, circuit));
    found.extend(values::left_to_initial_equations(model));
    found.extend(values::computed_from_themselves(model));
    found.extend(values::outside_of_arrays(model));
    found.extend(values::derivatives_at_instants(model));
    found.extend(events::samples_without_interval(model));
    found.extend(events::assertions_that_never_hold(model, circuit));
    found.extend(instants::conditions_that_read_what_they_assign(model));
    found.extend(values::derivatives_given_twice(model, circuit));
    found.extend(operations::without_value(model, circuit));
    found.extend(reset::of_computed(model));
    found.extend(reset::integers_by_continuous(model));
    found.extend(conditions::never_true(model));
    found
}

/// Parameters that something reads and nothing gives a value.
fn parameters_without_value(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Diagnostic<Place>> {
    let open: Vec<VarId> = model
        .variables
        .iter_enumerated()
        .filter(|(_, variable)| is_open_parameter(variable))
        .map(|(id, _)| id)
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    let read = read_variables(model);
    let mut by_place: FxIndexMap<Place, Vec<VarId>> = FxIndexMap::default();
    for id in open.into_iter().filter(|id| read.contains(id)) {
        let variable = &model.variables[id];
        let component = circuit.component(&variable.name);
        let at = component.map_or(variable.origin.span, |(_, place)| place);
        by_place.entry(at).or_default().push(id);
    }
    let totals = crate::balance::totals(model);
    let surplus = totals.equations > totals.unknowns;
    let told = by_place.into_iter();
    told.map(|(at, ids)| {
        match ids[..] {
            [only] if surplus => given_by_equation(model, only),
            [only] => given_at_start(model, only),
            _ => None,
        }
        .unwrap_or_else(|| without_value(model, at, &ids))
    })
    .collect()
}

/// A parameter without a value that an equation of the model gives one, in a model with an equation too many.
fn given_by_equation(model: &FlatModel, id: VarId) -> Option<Diagnostic<Place>> {
    let gives = |equation: &&Equation| match &equation.kind {
        EquationKind::Equality { lhs, .. } => *lhs == Exp::Ref(FlatRef::Var(id)),
        _ => false,
    };
    let equation = model.equations.iter().find(gives)?;
    let variable = &model.variables[id];
    let name = &variable.name;
    Some(
        Diagnostic::new(
            Code::MS2046,
            format!("`{name}` is a parameter, but an equation determines it"),
        )
        .with_severity(Severity::Error)
        .label(variable.origin.span, "declared as a parameter, without a value")
        .label(equation.origin.span, format!("this equation determines `{name}`"))
        .note(format!(
            "declare `{name}` without `parameter` if the equation is to determine it; the value of a parameter is given in \
             its declaration"
        )),
    )
}

/// A parameter without a value that the initial section gives one, without `fixed = false`.
fn given_at_start(model: &FlatModel, id: VarId) -> Option<Diagnostic<Place>> {
    let equations = model
        .initial_equations
        .iter()
        .filter_map(|it| match &it.kind {
            EquationKind::Equality { lhs, .. } if *lhs == Exp::Ref(FlatRef::Var(id)) => {
                Some(it.origin.span)
            }
            _ => None,
        });
    let algorithms = (model.initial_algorithms.iter())
        .flat_map(|it| &it.statements)
        .filter(|it| statement_targets(model, std::slice::from_ref(it)).contains(&id))
        .map(|it| it.origin.span);
    let place = equations.chain(algorithms).next()?;
    let variable = &model.variables[id];
    let name = &variable.name;
    Some(
        Diagnostic::new(
            Code::MS2046,
            format!("`{name}` is computed at the start, but is not declared with `fixed = false`"),
        )
        .with_severity(Severity::Error)
        .label(
            variable.origin.span,
            "a parameter that keeps the value of its declaration",
        )
        .label(place, format!("gives `{name}` a value"))
        .note(format!(
            "declare it with `{}(fixed = false)`, or give it the value in its declaration",
            name.rsplit('.').next().unwrap_or(name)
        )),
    )
}

fn without_value(model: &FlatModel, at: Place, ids: &[VarId]) -> Diagnostic<Place> {
    let first = &model.variables[ids[0]];
    let names: Vec<String> = ids
        .iter()
        .take(6)
        .map(|&id| format!("`{}`", model.variables[id].name))
        .collect();
    let left = ids.len() - names.len();
    let mut list = names.join(", ");
    if left > 0 {
        list.push_str(&format!(" and {left} more"));
    }
    let message = match ids.len() {
        1 => format!("the parameter {list} has no value"),
        _ => format!("the parameters {list} have no values"),
    };
    let mut diagnostic = Diagnostic::new(Code::MS2046, message);
    diagnostic = diagnostic.label(at, "no value is given here");
    if first.origin.span != at {
        diagnostic = diagnostic.label(first.origin.span, "declared here without a default");
    }
    let name = &first.name;
    let field = name.rsplit('.').next().unwrap_or(name);
    let start = first
        .attributes
        .iter()
        .find(|it| it.name.as_str() == "start");
    if let Some(value) = start.and_then(|it| Knowns::always(model).number(&it.value)) {
        diagnostic = diagnostic.note(format!(
            "a simulation takes its start value {} instead, which may not be what you mean",
            shown(value)
        ));
    }
    diagnostic.note(format!(
        "give it a value: `{field} = …` in the declaration, or `--set {name}=…` on the command line"
    ))
}

fn is_open_parameter(variable: &Variable) -> bool {
    let attribute = |name: &str| {
        let mut attributes = variable.attributes.iter();
        attributes.find(|it| it.name.as_str() == name)
    };
    let fixed = attribute("fixed").is_none_or(|it| it.value != Exp::Bool(false));
    variable.variability == Variability::Parameter
        && variable.binding.is_none()
        && fixed
        && !matches!(variable.ty, modeshift_inst::ty::Type::External(_))
}

/// Real parameters of the model itself that nothing reads: a hint at an equation that is missing.
pub fn unread_parameters(model: &FlatModel) -> Vec<Arc<str>> {
    let read = read_variables(model);
    let own = model.variables.iter_enumerated().filter(|(id, variable)| {
        variable.variability == Variability::Parameter
            && variable.ty == modeshift_inst::ty::Type::Real
            && !variable.name.contains('.')
            && !read.contains(id)
    });
    own.map(|(_, variable)| Arc::clone(&variable.name))
        .collect()
}

/// What equations, algorithms and the values of other variables read, directly or through parameters.
fn read_variables(model: &FlatModel) -> FxHashSet<VarId> {
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    let mut waiting: Vec<VarId> = Vec::new();
    let mut note = |exp: &FlatExp, waiting: &mut Vec<VarId>| {
        walk(exp, &mut |part| {
            let mut add = |id: VarId| {
                if read.insert(id) {
                    waiting.push(id);
                }
            };
            match part {
                Exp::Ref(FlatRef::Var(id)) => add(*id),
                Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                    let group = model.groups.get(*id);
                    group
                        .into_iter()
                        .flat_map(|it| &it.members)
                        .for_each(|&id| add(id));
                }
                _ => {}
            }
        });
    };
    for equation in model.equations.iter().chain(&model.initial_equations) {
        equation_exps(equation, &mut |exp| note(exp, &mut waiting));
    }
    for algorithm in model.algorithms.iter().chain(&model.initial_algorithms) {
        for statement in &algorithm.statements {
            statement_exps(statement, &mut |exp| note(exp, &mut waiting));
        }
    }
    for variable in model.variables.iter().filter(|it| is_unknown(it)) {
        variable
            .binding
            .iter()
            .for_each(|exp| note(exp, &mut waiting));
        for attribute in variable
            .attributes
            .iter()
            .filter(|it| it.name.as_str() == "start")
        {
            note(&attribute.value, &mut waiting);
        }
    }
    while let Some(id) = waiting.pop() {
        if let Some(binding) = &model.variables[id].binding {
            note(binding, &mut waiting);
        }
    }
    read
}

/// Outputs that a function does not assign, or not always, and variables that it reads before.
pub(crate) fn outputs_of(function: &Function) -> Vec<Diagnostic<Place>> {
    let mut found = unassigned_outputs_of(function);
    found.extend(assigned::sometimes_unassigned(function));
    found.extend(locals::read_before_assigned(function));
    found
}

/// Outputs of a function that no statement assigns.
fn unassigned_outputs_of(function: &Function) -> Vec<Diagnostic<Place>> {
    let FunctionBody::Algorithm(statements) = &function.body else {
        return Vec::new();
    };
    if assigned::always_fails(statements) {
        return Vec::new();
    }
    let mut assigned: FxHashSet<Name> = FxHashSet::default();
    statements
        .iter()
        .for_each(|it| assigned_locals(it, &mut assigned));
    let outputs = function.locals.iter().filter(|local| {
        local.causality == Some(Causality::Output)
            && local.binding.is_none()
            && local.defaults.is_empty()
            && !assigned.contains(&local.name)
    });
    outputs
        .map(|output| {
            let name = &output.name;
            Diagnostic::new(
                Code::MS2047,
                format!(
                    "the function `{}` never assigns its output `{name}`",
                    function.name
                ),
            )
            .label(
                function.origin.span,
                format!("`{name}` has no value when this returns"),
            )
            .note(match last_assigned(statements) {
                Some(local) if !is_output(function, local) => format!(
                    "its last statement assigns `{local}`, which is no output: is `{name} := …` meant?"
                ),
                _ => format!("add `{name} := …;` to its algorithm, or remove the output"),
            })
        })
        .collect()
}

/// The variable that the last statement assigns.
fn last_assigned(statements: &[Statement]) -> Option<Name> {
    match &statements.last()?.kind {
        StatementKind::Assign {
            target: Exp::Ref(FlatRef::Local(local)),
            ..
        } => Some(local.parts.first()?.0),
        _ => None,
    }
}

fn is_output(function: &Function, name: Name) -> bool {
    let mut locals = function.locals.iter();
    locals.any(|it| it.name == name && it.causality == Some(Causality::Output))
}

fn assigned_locals(statement: &Statement, assigned: &mut FxHashSet<Name>) {
    let mut all = |body: &[Statement]| body.iter().for_each(|it| assigned_locals(it, assigned));
    match &statement.kind {
        StatementKind::Assign { target, .. } => target_locals(target, assigned),
        StatementKind::If { branches, else_ } => {
            branches.iter().for_each(|(_, body)| all(body));
            all(else_);
        }
        StatementKind::When { branches } => branches.iter().for_each(|(_, body)| all(body)),
        StatementKind::For { body, .. } | StatementKind::While { body, .. } => all(body),
        _ => {}
    }
}

fn target_locals(target: &FlatExp, assigned: &mut FxHashSet<Name>) {
    walk(target, &mut |part| {
        if let Exp::Ref(FlatRef::Local(local)) = part
            && let Some((name, _)) = local.parts.first()
        {
            assigned.insert(*name);
        }
    });
}

/// Calls of functions declared `impure` that no `when` makes at a definite instant (Modelica 3.6 §12.3).
fn impure_calls(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let impure: FxHashMap<&str, &Function> = model
        .functions
        .iter()
        .filter(|it| !it.pure && matches!(it.body, FunctionBody::Algorithm(_)))
        .map(|it| (&*it.name, it))
        .collect();
    if impure.is_empty() {
        return Vec::new();
    }
    let mut found: FxIndexMap<Place, (Arc<Origin>, Arc<str>)> = FxIndexMap::default();
    let mut look = |exp: &FlatExp, origin: &Arc<Origin>| {
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part
                && let Callee::User(name) = &call.function
                && impure.contains_key(&**name)
            {
                let entry = found.entry(origin.span);
                entry.or_insert_with(|| (origin.clone(), name.clone()));
            }
        });
    };
    for equation in &model.equations {
        between_events(equation, &mut look);
    }
    for statement in model.algorithms.iter().flat_map(|it| &it.statements) {
        if !matches!(statement.kind, StatementKind::When { .. }) {
            statement_exps(statement, &mut |exp| look(exp, &statement.origin));
        }
    }
    for variable in model.variables.iter().filter(|it| is_unknown(it)) {
        variable
            .binding
            .iter()
            .for_each(|exp| look(exp, &variable.origin));
    }
    found
        .into_values()
        .map(|(origin, name)| {
            Diagnostic::new(
                Code::MS2048,
                format!("the impure function `{name}` is called outside `when`"),
            )
            .label(origin.span, "called whenever a solver looks at this equation")
            .note("an impure function may give another value at every call, so it can only be called at definite instants")
            .note("call it in a `when`, in an initial equation or in another impure function")
        })
        .collect()
}

/// The expressions of an equation that are not inside a `when`.
fn between_events(equation: &Equation, look: &mut dyn FnMut(&FlatExp, &Arc<Origin>)) {
    match &equation.kind {
        EquationKind::When { .. } => {}
        EquationKind::If { branches, else_ } => {
            for (condition, body) in branches {
                look(condition, &equation.origin);
                body.iter().for_each(|it| between_events(it, look));
            }
            else_.iter().for_each(|it| between_events(it, look));
        }
        _ => equation_exps(equation, &mut |exp| look(exp, &equation.origin)),
    }
}

/// Variables declared `discrete` that no equation and no algorithm gives a value.
fn never_assigned(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let waiting = |variable: &Variable| {
        variable.discrete && is_unknown(variable) && variable.binding.is_none()
    };
    if !model.variables.iter().any(waiting) {
        return Vec::new();
    }
    let mut given: FxHashSet<VarId> = FxHashSet::default();
    for equation in &model.equations {
        sides(model, equation, &mut given);
    }
    for algorithm in &model.algorithms {
        given.extend(statement_targets(model, &algorithm.statements));
    }
    let variables = model.variables.iter_enumerated();
    variables
        .filter(|(id, variable)| waiting(variable) && !given.contains(id))
        .map(|(id, variable)| {
            let diagnostic = Diagnostic::new(
                Code::MS4012,
                format!(
                    "the discrete variable `{}` is never assigned",
                    variable.name
                ),
            )
            .label(variable.origin.span, "no equation gives it a value");
            if let Some(place) = mentioned_in_when(model, id) {
                let name = &variable.name;
                return diagnostic
                    .label(place, format!("mentions `{name}`, but not alone on one side"))
                    .note(format!("an equation in a `when` determines the variable on its left side: write `{name} = …`"));
            }
            diagnostic.note(format!(
                "assign it in a `when`, or declare it as a `parameter` if it never changes: \
                 `parameter {} {}`",
                variable.ty,
                variable.name.rsplit('.').next().unwrap_or(&variable.name)
            ))
        })
        .collect()
}

/// The equation inside a `when` that mentions a variable.
fn mentioned_in_when(model: &FlatModel, id: VarId) -> Option<Place> {
    let bodies = model.equations.iter().filter_map(|it| match &it.kind {
        EquationKind::When { branches } => Some(branches.iter().flat_map(|(_, body)| body)),
        _ => None,
    });
    let mut mentioning = bodies.flatten().filter(|equation| {
        let mut found = false;
        equation_exps(equation, &mut |exp| {
            walk_while(exp, &mut |part| {
                found |= *part == Exp::Ref(FlatRef::Var(id));
                // The value before the instant is another matter.
                !is_pre(part)
            });
        });
        found
    });
    mentioning.next().map(|equation| equation.origin.span)
}

fn is_pre(exp: &FlatExp) -> bool {
    let Exp::Call(call) = exp else { return false };
    matches!(&call.function, Callee::Builtin(name) if name.as_str() == "pre")
}

/// A variable, perhaps with its sign or its truth turned round.
fn is_variable(exp: &FlatExp) -> bool {
    match exp {
        Exp::Ref(_) => true,
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => is_variable(inner),
        _ => false,
    }
}

/// Discrete variables that a `when` assigns and an equation outside determines as well.
fn also_outside(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut assigned: FxIndexMap<VarId, Place> = FxIndexMap::default();
    for equation in &model.equations {
        let EquationKind::When { branches } = &equation.kind else {
            continue;
        };
        for part in branches.iter().flat_map(|(_, body)| body) {
            if let EquationKind::Equality {
                lhs: Exp::Ref(FlatRef::Var(id)),
                ..
            } = &part.kind
            {
                assigned.entry(*id).or_insert(part.origin.span);
            }
        }
    }
    let mut found = Vec::new();
    for equation in &model.equations {
        let EquationKind::Equality {
            lhs: Exp::Ref(FlatRef::Var(id)),
            rhs,
            ..
        } = &equation.kind
        else {
            continue;
        };
        // `a.y = b.u` may just as well determine the other side.
        if is_variable(rhs) {
            continue;
        }
        let variable = &model.variables[*id];
        // The value of a state or of an algebraic variable at an instant may have a law of its own.
        let discrete = variable.discrete || variable.ty != modeshift_inst::ty::Type::Real;
        let Some(place) = assigned.get(id).filter(|_| discrete) else {
            continue;
        };
        let name = &variable.name;
        found.push(
            Diagnostic::new(
                Code::MS4012,
                format!("`{name}` is assigned in a `when`, and an equation outside determines it as well"),
            )
            .label(equation.origin.span, format!("always determines `{name}`"))
            .label(*place, format!("assigns `{name}` at an instant"))
            .note(format!("between the instants `{name}` keeps its value by itself: leave out one of them; its first value is `start`, with `fixed = true`")),
        );
    }
    found
}

/// Variables that several `when` equations assign (Modelica 3.6 §8.3.5.2): each may be assigned by one alone.
fn several_whens(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut by_variable: FxIndexMap<VarId, Vec<Place>> = FxIndexMap::default();
    for equation in &model.equations {
        let EquationKind::When { branches } = &equation.kind else {
            continue;
        };
        let mut assigned: FxHashSet<VarId> = FxHashSet::default();
        for part in branches.iter().flat_map(|(_, body)| body) {
            if let EquationKind::Equality { lhs, .. } = &part.kind {
                side_variables(model, lhs, &mut assigned);
            }
        }
        let mut assigned: Vec<VarId> = assigned.into_iter().collect();
        assigned.sort_unstable();
        for id in assigned {
            by_variable
                .entry(id)
                .or_default()
                .push(equation.origin.span);
        }
    }
    let mut found: Vec<Diagnostic<Place>> = Vec::new();
    for (id, places) in by_variable {
        if places.len() < 2 {
            continue;
        }
        let name = &model.variables[id].name;
        let mut diagnostic = Diagnostic::new(
            Code::MS4012,
            format!("`{name}` is assigned in {} `when` equations", places.len()),
        );
        for place in places.iter().take(4) {
            diagnostic = diagnostic.label(*place, format!("assigns `{name}`"));
        }
        let both = match places.len() {
            2 => "both conditions",
            _ => "two of the conditions",
        };
        found.push(diagnostic.note(format!(
            "if {both} became true at one instant, two equations would determine it: join the `when` equations with `elsewhen`"
        )));
    }
    found
}

/// The variables that are a side of an equation, or part of one: equations that may determine them.
fn sides(model: &FlatModel, equation: &Equation, given: &mut FxHashSet<VarId>) {
    let mut bodies: Vec<&[Equation]> = Vec::new();
    match &equation.kind {
        EquationKind::Equality { lhs, rhs, .. } => {
            for side in [lhs, rhs] {
                side_variables(model, side, given);
            }
        }
        EquationKind::If { branches, else_ } => {
            bodies.extend(branches.iter().map(|(_, body)| &body[..]));
            bodies.push(else_);
        }
        EquationKind::When { branches } => {
            bodies.extend(branches.iter().map(|(_, body)| &body[..]));
        }
        EquationKind::For { body, .. } => bodies.push(body),
        _ => {}
    }
    for equation in bodies.into_iter().flatten() {
        sides(model, equation, given);
    }
}

fn side_variables(model: &FlatModel, side: &FlatExp, given: &mut FxHashSet<VarId>) {
    match side {
        Exp::Ref(FlatRef::Var(id)) => {
            given.insert(*id);
        }
        Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
            let group = model.groups.get(*id);
            given.extend(group.into_iter().flat_map(|it| it.members.iter().copied()));
        }
        Exp::Tuple(elements) => {
            let elements = elements.iter().flatten();
            elements.for_each(|element| side_variables(model, element, given));
        }
        Exp::Array(elements, _) | Exp::Record(_, elements) => {
            elements
                .iter()
                .for_each(|element| side_variables(model, element, given));
        }
        Exp::Unary(_, operand) | Exp::Cast(_, operand) => side_variables(model, operand, given),
        _ => {}
    }
}
