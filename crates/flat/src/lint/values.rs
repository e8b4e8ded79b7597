//! Values that are hardly meant: outside the bounds of their variable, left to initial equations that do not exist, or
//! computed from themselves; and subscripts that a loop makes too small or too large.

use super::is_pre;
use crate::circuit::Circuit;
use crate::known::Knowns;
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Group, Place, VarId, Variable,
};
use crate::walk::{equation_exps, walk, walk_while};
use modeshift_base::{FxHashSet, FxIndexMap, shown};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_inst::exp::{BinaryOp, Callee, Exp, Subscript, UnaryOp};
use modeshift_inst::ty::{Type, Variability};

fn attribute<'v>(variable: &'v Variable, name: &str) -> Option<&'v FlatExp> {
    let mut attributes = variable.attributes.iter();
    Some(&attributes.find(|it| it.name.as_str() == name)?.value)
}

fn is_fixed(variable: &Variable) -> bool {
    attribute(variable, "fixed") == Some(&Exp::Bool(true))
}

/// Values of parameters and fixed start values outside `min` and `max`.
pub(super) fn out_of_bounds(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let knowns = Knowns::always(model);
    let number = |exp: &FlatExp| knowns.number(exp);
    for variable in &model.variables {
        let (what, value) = match (variable.variability, &variable.binding) {
            (Variability::Parameter, Some(binding)) => ("has the value", number(binding)),
            (Variability::Discrete | Variability::Continuous, None) if is_fixed(variable) => (
                "has the fixed start value",
                attribute(variable, "start").and_then(number),
            ),
            _ => continue,
        };
        let Some(value) = value else { continue };
        let bound = |name| attribute(variable, name).and_then(number);
        let (side, bound) = match (bound("min"), bound("max")) {
            (Some(min), _) if value < min => (("below", "min"), min),
            (_, Some(max)) if value > max => (("above", "max"), max),
            _ => continue,
        };
        let name = &variable.name;
        let component = circuit.component(name);
        let at = component.map_or(variable.origin.span, |(_, place)| place);
        let mut diagnostic = Diagnostic::new(
            Code::MS2052,
            format!(
                "`{name}` {what} {}, which is {} its `{} = {}`",
                shown(value),
                side.0,
                side.1,
                shown(bound)
            ),
        )
        .label(at, format!("{} is outside the bounds", shown(value)));
        if at != variable.origin.span {
            diagnostic = diagnostic.label(variable.origin.span, "declared here");
        }
        found.push(diagnostic);
    }
    found
}

/// Parameters with `fixed = false` that nothing determines when a simulation begins.
pub(super) fn left_to_initial_equations(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let open = |variable: &&Variable| {
        variable.variability == Variability::Parameter
            && variable.binding.is_none()
            && attribute(variable, "fixed") == Some(&Exp::Bool(false))
    };
    let Some(first) = model.variables.iter().find(open) else {
        return Vec::new();
    };
    let differentiated = differentiated(model);
    // A fixed start value of what is no state is one more equation for the start.
    let conditions = (model.variables.iter_enumerated())
        .any(|(id, variable)| is_fixed(variable) && !differentiated.contains(&id));
    // Where some of what is differentiated is fixed, there may be more of it than states, which constraints reduce.
    let fixed = differentiated
        .iter()
        .filter(|id| is_fixed(&model.variables[**id]))
        .count();
    let conditions = conditions || fixed > 0 && fixed < differentiated.len();
    if conditions || !model.initial_equations.is_empty() || !model.initial_algorithms.is_empty() {
        return Vec::new();
    }
    let name = &first.name;
    let short = name.rsplit('.').next().unwrap_or(name);
    vec![
        Diagnostic::new(
            Code::MS2046,
            format!("the parameter `{name}` has `fixed = false`, but there is no initial equation for it"),
        )
        .label(first.origin.span, "left to the initial equations")
        .note(format!(
            "write `initial equation` with a condition that determines `{short}`, or give it a value: `{short} = …`"
        )),
    ]
}

/// The variables whose derivative occurs.
pub fn differentiated(model: &FlatModel) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    let mut look = |exp: &FlatExp| {
        walk(exp, &mut |part| {
            if let Exp::Call(call) = part
                && matches!(&call.function, Callee::Builtin(name) if name.as_str() == "der")
            {
                for argument in &call.args {
                    match argument {
                        Exp::Ref(FlatRef::Var(id)) => {
                            found.insert(*id);
                        }
                        Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                            let group = model.groups.get(*id);
                            found.extend(group.into_iter().flat_map(|it| it.members.clone()));
                        }
                        _ => {}
                    }
                }
            }
        });
    };
    for equation in &model.equations {
        equation_exps(equation, &mut look);
    }
    for variable in &model.variables {
        variable.binding.iter().for_each(&mut look);
    }
    found
}

/// `when … then y = 0.9*y + u`: the value after the instant on both sides, where the one before it is meant.
pub(super) fn computed_from_themselves(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let whens = model.equations.iter().filter_map(|it| match &it.kind {
        EquationKind::When { branches } => Some(branches),
        _ => None,
    });
    let mut states: Option<FxHashSet<VarId>> = None;
    let knowns = Knowns::always(model);
    for part in whens.flatten().flat_map(|(_, body)| body) {
        let EquationKind::Equality {
            lhs: Exp::Ref(FlatRef::Var(id)),
            rhs,
            ty,
        } = &part.kind
        else {
            continue;
        };
        // What an Integer is computed from, the analysis of the instant sees.
        if !matches!(ty, Type::Real | Type::Boolean) {
            continue;
        }
        let reads = reads_new_value(rhs, *id);
        let states = states.get_or_insert_with(|| differentiated(model));
        if !reads || states.contains(id) {
            continue;
        }
        let cancels = coefficient(&knowns, rhs, *id) == Some(1.0);
        // `y = y + 1` has no solution at all, which the analysis of the instant says. `y = y + x` would reset `x`.
        if cancels && !reads_continuous(model, rhs) {
            continue;
        }
        let name = &model.variables[*id].name;
        // `b = not b` holds for no value.
        let severity = match rhs {
            Exp::Unary(UnaryOp::Not, inner) if **inner == Exp::Ref(FlatRef::Var(*id)) => {
                Severity::Error
            }
            _ if cancels => Severity::Error,
            _ => Severity::Warning,
        };
        found.push(
            Diagnostic::new(
                Code::MS4019,
                format!("`{name}` is computed from its own new value"),
            )
            .with_severity(severity)
            .label(
                part.origin.span,
                format!("`{name}` is the value after the instant on both sides"),
            )
            .note(format!(
                "write `pre({name})` on the right for the value before the instant"
            )),
        );
    }
    found
}

/// Whether an expression reads a Real that changes between events.
fn reads_continuous(model: &FlatModel, exp: &FlatExp) -> bool {
    let mut found = false;
    walk(exp, &mut |part| {
        if let Exp::Ref(FlatRef::Var(id)) = part {
            let variable = &model.variables[*id];
            found |= variable.variability == Variability::Continuous && !variable.discrete;
        }
    });
    found
}

fn reads_new_value(exp: &FlatExp, id: VarId) -> bool {
    let mut found = false;
    walk_while(exp, &mut |part| {
        found |= *part == Exp::Ref(FlatRef::Var(id));
        !is_pre(part)
    });
    found
}

/// The factor of a variable in an expression that is linear in it by its form.
fn coefficient(knowns: &Knowns<'_>, exp: &FlatExp, id: VarId) -> Option<f64> {
    if !reads_new_value(exp, id) {
        return Some(0.0);
    }
    match exp {
        Exp::Ref(_) => Some(1.0),
        Exp::Unary(UnaryOp::Neg, inner) => coefficient(knowns, inner, id).map(|it| -it),
        Exp::Cast(_, inner) => coefficient(knowns, inner, id),
        Exp::Binary(op, sides) => {
            let (l, r) = (&sides.0, &sides.1);
            match op {
                BinaryOp::Add => Some(coefficient(knowns, l, id)? + coefficient(knowns, r, id)?),
                BinaryOp::Sub => Some(coefficient(knowns, l, id)? - coefficient(knowns, r, id)?),
                BinaryOp::Mul => match (knowns.number(l), knowns.number(r)) {
                    (Some(factor), _) => Some(factor * coefficient(knowns, r, id)?),
                    (_, Some(factor)) => Some(factor * coefficient(knowns, l, id)?),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Elements of arrays that equations of a loop name and that do not exist.
pub(super) fn outside_of_arrays(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut found: FxIndexMap<Place, (String, i64, i64)> = FxIndexMap::default();
    for equation in &model.equations {
        outside_in(model, equation, &mut found);
    }
    found
        .into_iter()
        .map(|(place, (array, given, size))| {
            Diagnostic::new(
                Code::MS2026,
                format!("subscript {given} is out of bounds: `{array}` has size {size}"),
            )
            .with_severity(Severity::Error)
            .label(
                place,
                format!("this makes `{array}[{given}]` for one value of the loop"),
            )
            .note(format!(
                "subscripts go from 1 to {size}: change the range of the loop"
            ))
        })
        .collect()
}

fn outside_in(
    model: &FlatModel,
    equation: &Equation,
    found: &mut FxIndexMap<Place, (String, i64, i64)>,
) {
    // What a condition guards may never be computed.
    let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
        return;
    };
    for side in [lhs, rhs] {
        walk_while(side, &mut |part| {
            if let Exp::Ref(FlatRef::Element(id, subscripts)) = part
                && let Some(group) = model.groups.get(*id)
                && let Some((given, size)) = outside(group, subscripts)
            {
                let at = equation.origin.span;
                let entry = found.entry(at);
                entry.or_insert_with(|| (group.name.to_string(), given, size));
            }
            !matches!(part, Exp::If(_))
        });
    }
}

/// A subscript that is a number outside its dimension, and the size of that. What a group with several open dimensions has
/// in each is not known here.
fn outside(group: &Group, subscripts: &[Subscript<FlatRef>]) -> Option<(i64, i64)> {
    let size = i64::try_from(group.members.len()).ok()?;
    match subscripts {
        [Subscript::Index(Exp::Int(given))] if group.ty.rank() == 0 => {
            (*given < 1 || *given > size).then_some((*given, size))
        }
        _ => None,
    }
}

/// Differential equations in a `when`, which would hold at single instants.
pub(super) fn derivatives_at_instants(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let whens = model.equations.iter().filter_map(|it| match &it.kind {
        EquationKind::When { branches } => Some(branches),
        _ => None,
    });
    let mut found = Vec::new();
    for part in whens.flatten().flat_map(|(_, body)| body) {
        let EquationKind::Equality { lhs, .. } = &part.kind else {
            continue;
        };
        let mut of = None;
        walk(lhs, &mut |exp| {
            if let Exp::Call(call) = exp
                && matches!(&call.function, Callee::Builtin(name) if name.as_str() == "der")
                && let Some(Exp::Ref(FlatRef::Var(id))) = call.args.first()
            {
                of.get_or_insert(*id);
            }
        });
        let Some(id) = of else { continue };
        let name = &model.variables[id].name;
        found.push(
            Diagnostic::new(
                Code::MS2032,
                format!("a differential equation for `{name}` cannot be in a `when`"),
            )
            .label(part.origin.span, "holds at single instants only")
            .note(format!(
                "write it outside, with an `if` for what depends on a condition: `der({name}) = if … then … else …`; `reinit({name}, \
                 …)` sets the value at an instant"
            )),
        );
    }
    found
}

/// Two equations of a component that begin with the same derivative, beside a variable with a start value that has no
/// derivative: an index that was not changed when a line was copied. Structure alone may be content with it.
pub(super) fn derivatives_given_twice(
    model: &FlatModel,
    circuit: &Circuit<'_>,
) -> Vec<Diagnostic<Place>> {
    let mut first: FxIndexMap<(&str, VarId), &Equation> = FxIndexMap::default();
    let mut found = Vec::new();
    let mut states: Option<FxHashSet<VarId>> = None;
    for equation in &model.equations {
        let EquationKind::Equality { lhs, .. } = &equation.kind else {
            continue;
        };
        let Some(id) = given_derivative(model, lhs) else {
            continue;
        };
        let instance: &str = &equation.origin.instance;
        let Some(other) = first.insert((instance, id), equation) else {
            continue;
        };
        if other.origin.span == equation.origin.span || !(circuit.own)(equation.origin.span) {
            continue;
        }
        let states = states.get_or_insert_with(|| differentiated(model));
        let inside = |name: &str| {
            let rest = match instance {
                "" => Some(name),
                _ => name
                    .strip_prefix(instance)
                    .and_then(|it| it.strip_prefix('.')),
            };
            rest.is_some_and(|it| !it.contains('.'))
        };
        let forgotten = model.variables.iter_enumerated().find(|(other, variable)| {
            variable.ty == Type::Real
                && variable.variability == Variability::Continuous
                && variable.binding.is_none()
                && attribute(variable, "start").is_some()
                && !states.contains(other)
                && inside(&variable.name)
        });
        let Some((_, forgotten)) = forgotten else {
            continue;
        };
        let (name, missing) = (&model.variables[id].name, &forgotten.name);
        found.push(
            Diagnostic::new(
                Code::MS4020,
                format!("two equations give the derivative of `{name}`, and none gives that of `{missing}`"),
            )
            .label(other.origin.span, format!("gives `der({name})`"))
            .label(equation.origin.span, format!("gives `der({name})`, too"))
            .label(forgotten.origin.span, format!("`{missing}` has a start value, but no derivative"))
            .note(format!("was `der({missing})` meant in one of them?")),
        );
    }
    found
}

/// The variable of `C*der(x)`, with a constant or parameter `C`.
fn given_derivative(model: &FlatModel, lhs: &FlatExp) -> Option<VarId> {
    match lhs {
        Exp::Call(call) => match (&call.function, call.args.as_slice()) {
            (Callee::Builtin(name), [Exp::Ref(FlatRef::Var(id))]) if *name == "der" => Some(*id),
            _ => None,
        },
        Exp::Binary(BinaryOp::Mul, sides) => {
            let still = |exp: &FlatExp| match exp {
                Exp::Ref(FlatRef::Var(id)) => {
                    model.variables[*id].variability <= Variability::Parameter
                }
                Exp::Int(_) | Exp::Real(_) => true,
                _ => false,
            };
            match (still(&sides.0), still(&sides.1)) {
                (true, _) => given_derivative(model, &sides.1),
                (_, true) => given_derivative(model, &sides.0),
                _ => None,
            }
        }
        _ => None,
    }
}
