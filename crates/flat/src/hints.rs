//! Annotations of functions that name other functions: whether those fit.
//!
//! A derivative has the inputs of its function, then a derivative for each input with Reals that is not excluded, and a
//! derivative for each output with Reals (12.7.1 of the specification). An inverse has one output, of the type of the
//! input it solves for, and its arguments are inputs of the function and its output (12.7.3).

use crate::model::{FlatModel, Function, FunctionVariable, Place};
use modeshift_base::{FxHashMap, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::tree::{DerivativeHint, InverseHint};
use modeshift_inst::ty::{Causality, Type};

/// A number, string or object with the rank of the array it is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaf {
    Real(usize),
    Other(usize),
}

fn leaves(ty: &Type, rank: usize, into: &mut Vec<Leaf>) {
    match ty {
        Type::Real => into.push(Leaf::Real(rank)),
        Type::Array(array) => leaves(&array.element, rank + array.dims.len(), into),
        Type::Record(record) => {
            let fields = record.fields.iter();
            fields.for_each(|(_, ty)| leaves(ty, rank, into));
        }
        _ => into.push(Leaf::Other(rank)),
    }
}

fn of(local: &FunctionVariable) -> Vec<Leaf> {
    let mut found = Vec::new();
    leaves(&local.ty, local.dims.len(), &mut found);
    found
}

fn reals(local: &FunctionVariable) -> Vec<Leaf> {
    let mut found = of(local);
    found.retain(|leaf| matches!(leaf, Leaf::Real(_)));
    found
}

fn with(function: &Function, causality: Causality) -> impl Iterator<Item = &FunctionVariable> {
    let locals = function.locals.iter();
    locals.filter(move |local| local.causality == Some(causality))
}

/// Whether a derivative of the function leaves out what a Real input contributes (`noDerivative`). Then it says something that
/// the function itself does not, as for a position that comes with its speed and acceleration. A record that is left out holds
/// what follows from other inputs.
pub fn leaves_out_reals(function: &Function) -> bool {
    let mut left_out = function.hints.derivatives.iter().flat_map(|hint| &hint.no);
    left_out.any(|name| {
        let mut inputs = with(function, Causality::Input);
        inputs.any(|input| input.name == *name && *input.ty.element() == Type::Real)
    })
}

/// The inputs whose derivatives a first derivative is given, in order, or why it cannot be used.
pub fn derivative(
    function: &Function,
    hint: &DerivativeHint,
    target: &Function,
) -> Result<Vec<Name>, String> {
    let inputs: Vec<_> = with(function, Causality::Input).collect();
    let excluded =
        |local: &FunctionVariable| hint.zero.contains(&local.name) || hint.no.contains(&local.name);
    let moving = inputs.iter().copied();
    let moving = moving.filter(|local| !excluded(local) && !reals(local).is_empty());
    let moving: Vec<_> = moving.collect();
    if moving.is_empty() {
        return Err("there is no input left to differentiate by".into());
    }
    let given: Vec<_> = with(target, Causality::Input).collect();
    let wanted = inputs.len() + moving.len();
    if given.len() != wanted {
        return Err(format!(
            "it should have {wanted} inputs, those of `{}` and the derivatives of {}, and it has {}",
            function.name,
            list(&moving),
            given.len()
        ));
    }
    for (own, input) in given.iter().zip(&inputs) {
        if of(own) != of(input) {
            return Err(format!(
                "its input `{}` has another type than `{}`",
                own.name, input.name
            ));
        }
    }
    for (own, input) in given[inputs.len()..].iter().zip(&moving) {
        if reals(own) != reals(input) {
            return Err(format!(
                "its input `{}` should be the derivative of `{}` and has another type",
                own.name, input.name
            ));
        }
    }
    let outputs = |function| with(function, Causality::Output).flat_map(reals).collect();
    let (wanted, given): (Vec<Leaf>, Vec<Leaf>) = (outputs(function), outputs(target));
    if wanted.is_empty() || wanted != given {
        return Err(format!(
            "its outputs are not the derivatives of the outputs of `{}`",
            function.name
        ));
    }
    Ok(moving.iter().map(|local| local.name).collect())
}

/// For each argument of the inverse the input of the function that it is, `None` for the output; or why it cannot be used.
pub fn inverse(
    function: &Function,
    hint: &InverseHint,
    target: &Function,
) -> Result<Vec<Option<usize>>, String> {
    let inputs: Vec<_> = with(function, Causality::Input).collect();
    let mut outputs = with(function, Causality::Output);
    let (Some(output), None) = (outputs.next(), outputs.next()) else {
        return Err(format!("`{}` has not exactly one output", function.name));
    };
    let Some(solved) = inputs.iter().find(|local| local.name == hint.input) else {
        return Err(format!("`{}` has no input `{}`", function.name, hint.input));
    };
    let mut results = with(target, Causality::Output);
    match (results.next(), results.next()) {
        (Some(result), None) if of(result) == of(solved) => {}
        _ => {
            return Err(format!("its output is not a value for `{}`", solved.name));
        }
    }
    let given: Vec<_> = with(target, Causality::Input).collect();
    let open = given.get(hint.args.len()..).unwrap_or(&[]);
    if hint.args.len() > given.len() || open.iter().any(|local| local.binding.is_none()) {
        return Err(format!("it has {} inputs", given.len()));
    }
    if !open.is_empty() {
        return Err("some of its inputs are left to their defaults".into());
    }
    let mut args = Vec::new();
    for (name, own) in hint.args.iter().zip(&given) {
        let place = inputs.iter().position(|local| local.name == *name);
        let (place, local) = match place {
            Some(_) if *name == hint.input => {
                return Err(format!("it takes `{name}`, which it should give"));
            }
            Some(place) => (Some(place), inputs[place]),
            None if *name == output.name => (None, output),
            None => return Err(format!("`{}` has no `{name}`", function.name)),
        };
        if of(own) != of(local) {
            return Err(format!(
                "its input `{}` has another type than `{name}`",
                own.name
            ));
        }
        args.push(place);
    }
    match args.contains(&None) {
        true => Ok(args),
        false => Err(format!("it is not given `{}`", output.name)),
    }
}

fn list(locals: &[&FunctionVariable]) -> String {
    let names: Vec<String> = locals.iter().map(|it| format!("`{}`", it.name)).collect();
    names.join(", ")
}

/// Annotations that name functions which do not fit.
pub fn misfits(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let by_name: FxHashMap<&str, &Function> =
        model.functions.iter().map(|it| (&*it.name, it)).collect();
    let mut found = Vec::new();
    let mut tell = |what: &str, of: &Function, named: &str, place, why: String| {
        let message = format!("`{named}` cannot be {what} of `{}`: {why}", of.name);
        let diagnostic = Diagnostic::new(Code::MS2049, message)
            .label(place, "named here")
            .note("The annotation is not used.");
        found.push(diagnostic);
    };
    for function in &model.functions {
        for hint in &function.hints.derivatives {
            let Some(target) = by_name.get(&*hint.function) else {
                continue;
            };
            let why = match hint.order {
                0 => Some("its order is not a number from 1 on".to_owned()),
                1 => derivative(function, hint, target).err(),
                _ => None,
            };
            if let Some(why) = why {
                tell("a derivative", function, &hint.function, hint.place, why);
            }
        }
        for hint in &function.hints.inverses {
            let Some(target) = by_name.get(&*hint.function) else {
                continue;
            };
            if let Err(why) = inverse(function, hint, target) {
                tell("an inverse", function, &hint.function, hint.place, why);
            }
        }
    }
    found
}

/// A function whose relations should make events and do not.
pub(crate) fn without_events(name: &str, place: Place) -> Diagnostic<Place> {
    let message =
        format!("the relations in `{name}` make no events, although it says `GenerateEvents`");
    Diagnostic::new(Code::MS2049, message)
        .label(place, "declared here")
        .note("Events are made in functions of scalars that have assignments and `if` only.")
}
