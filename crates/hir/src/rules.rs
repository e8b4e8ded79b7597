//! Rules that a class can be held to without instantiating it: external objects (Modelica 3.6 §12.9.7),
//! external functions (§12.9), derivatives and inverses by annotation (§12.7, §12.8). Linear in the class.

use crate::data::{ClassData, Component, Element};
use crate::uses::arguments;
use crate::{ClassId, ClassSpan, Db, class};
use modeshift_base::{FileSpan, Name, Span};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{
    Argument, ArgumentKind, Causality, ClassKind, Expr, ExprKind, SectionKind, VariabilityPrefix,
};

/// What breaks one of them, or one about declarations. Instantiation asks this of each class that it uses.
#[salsa::tracked(returns(ref))]
pub fn class_rules(db: &dyn Db, id: ClassId) -> Vec<Diagnostic> {
    let data = class(db, id);
    let mut found = Vec::new();
    crate::declarations::check(db, id, data, &mut found);
    if extends_external_object(data) {
        external_object(db, id, data, &mut found);
    }
    if matches!(data.kind, ClassKind::Function | ClassKind::OperatorFunction) {
        external_function(id, data, &mut found);
        // Inputs may be inherited; then their names are not known here.
        if data.extends().next().is_none() && data.body().is_some() {
            annotated_inputs(id, data, &mut found);
        }
    }
    found
}

fn extends_external_object(data: &ClassData) -> bool {
    data.extends().any(|extends| {
        let parts = &extends.base.parts;
        parts.len() == 1 && parts[0].name == "ExternalObject"
    })
}

/// An external object has a constructor, a destructor and nothing else.
fn external_object(db: &dyn Db, id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let class_name = id.name(db);
    for element in data.elements() {
        let (name, place, problem) = match element {
            Element::Component(component) => (
                component.name.name,
                ClassSpan::new(id, component.name.span),
                "only a constructor and a destructor belong here",
            ),
            Element::Class(nested) => {
                let place = ClassSpan::of_name(nested.id);
                if !matches!(nested.name.as_str(), "constructor" | "destructor") {
                    let problem = "only a constructor and a destructor belong here";
                    (nested.name, place, problem)
                } else if nested.prefixes.replaceable {
                    (nested.name, place, "must not be replaceable")
                } else {
                    continue;
                }
            }
            Element::Import(_) | Element::Extends(_) => continue,
        };
        let message = format!("`{name}` cannot be in the external object `{class_name}` like this");
        found.push(Diagnostic::new(Code::MS2015, message).label(place.to_place(), problem));
    }
    for wanted in ["constructor", "destructor"] {
        if data.classes().any(|nested| nested.name == *wanted) {
            continue;
        }
        let message = format!("the external object `{class_name}` has no {wanted}");
        let place = ClassSpan::of_name(id).to_place();
        let note = format!("Declare `function {wanted}` in it: it is called automatically, once.");
        found.push(
            Diagnostic::new(Code::MS2015, message)
                .label(place, format!("needs a function `{wanted}`"))
                .note(note),
        );
    }
}

/// An external function has no algorithm, and passes variables, scalar literals and sizes.
fn external_function(id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let Some(body) = data.body() else { return };
    let Some(external) = &body.external else {
        return;
    };
    let at = |span: Span| ClassSpan::new(id, span).to_place();
    let is_algorithm = |kind: &SectionKind| matches!(kind, SectionKind::Algorithm(_));
    if let Some(section) = body.sections.iter().find(|it| is_algorithm(&it.kind)) {
        let message = "an external function cannot have an algorithm as well";
        found.push(
            Diagnostic::new(Code::MS2031, message)
                .label(at(external.span), "says what is called")
                .label(at(section.span), "the algorithm"),
        );
    }
    for arg in &external.args {
        if let Some(index) = unknown_dimension(data, arg) {
            let message = "the dimension whose size is passed must be a constant";
            found.push(
                Diagnostic::new(Code::MS2031, message)
                    .label(at(arg.span), "an argument of the external function")
                    .label(at(index.name.span), "not a constant"),
            );
        }
        if !can_be_passed(arg) {
            let message = "this cannot be an argument of an external function";
            found.push(
                Diagnostic::new(Code::MS2031, message)
                    .label(at(arg.span), "not a variable, a scalar literal or a size")
                    .note("Compute it in a protected variable of the function and pass that."),
            );
        }
    }
}

fn can_be_passed(arg: &Expr) -> bool {
    match &arg.kind {
        ExprKind::Array(_)
        | ExprKind::Matrix(_)
        | ExprKind::Range { .. }
        | ExprKind::Comprehension { .. }
        | ExprKind::Tuple(_) => false,
        ExprKind::Paren(inner) => can_be_passed(inner),
        _ => true,
    }
}

/// `size(x, n)` as an argument: which dimension is meant must be known now.
fn unknown_dimension<'d>(data: &'d ClassData, arg: &Expr) -> Option<&'d Component> {
    let ExprKind::Call { function, args } = &arg.kind else {
        return None;
    };
    let is_size = function.parts.len() == 1 && function.parts[0].name == "size";
    let ExprKind::Ref(index) = &args.positional.get(1).filter(|_| is_size)?.kind else {
        return None;
    };
    let name = index.parts.first()?.name;
    components(data).find(|it| {
        it.name.name == name
            && it.clause.type_prefix.variability != Some(VariabilityPrefix::Constant)
    })
}

/// `derivative(zeroDerivative = x)` and `inverse(x = f(y))` name inputs of the function.
fn annotated_inputs(id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let at = |span: Span| ClassSpan::new(id, span).to_place();
    if let Some(inverse) = data.annotation("inverse") {
        for argument in arguments(inverse) {
            if let Some((name, span)) = target(argument) {
                found.extend(not_an_input(data, name, at(span)));
            }
        }
        let outputs = components(data).filter(|it| has_causality(it, Causality::Output));
        if outputs.count() != 1 {
            let message = "a function with an inverse must have exactly one output";
            let label = "an inverse is given here";
            found.push(Diagnostic::new(Code::MS2031, message).label(at(inverse.span), label));
        }
    }
    if let Some(derivative) = data.annotation("derivative") {
        for argument in arguments(derivative) {
            let Some((name, _)) = target(argument) else {
                continue;
            };
            if name == "order"
                && let Some((value, span)) = named_value(argument)
                && components(data).any(|it| it.name.name == value)
            {
                let message = "the order of a derivative must be a constant";
                let label = format!("`{value}` is a variable of the function");
                found.push(Diagnostic::new(Code::MS2031, message).label(at(span), label));
            }
            if !matches!(name.as_str(), "zeroDerivative" | "noDerivative") {
                continue;
            }
            if let Some((input, span)) = named_value(argument) {
                found.extend(not_an_input(data, input, at(span)));
            }
        }
    }
}

fn not_an_input(data: &ClassData, name: Name, place: FileSpan) -> Option<Diagnostic> {
    let inputs = || components(data).filter(|it| has_causality(it, Causality::Input));
    if inputs().any(|input| input.name.name == name) {
        return None;
    }
    let function = data.name.name;
    let names: Vec<String> = inputs().map(|it| format!("`{}`", it.name.name)).collect();
    Some(
        Diagnostic::new(
            Code::MS2031,
            format!("`{name}` is not an input of function `{function}`"),
        )
        .label(place, "must name an input")
        .note(format!("Its inputs are {}.", names.join(", "))),
    )
}

fn components(data: &ClassData) -> impl Iterator<Item = &Component> {
    data.elements().iter().filter_map(|element| match element {
        Element::Component(component) => Some(component),
        _ => None,
    })
}

fn has_causality(component: &Component, wanted: Causality) -> bool {
    component.clause.type_prefix.causality == Some(wanted)
}

fn target(argument: &Argument) -> Option<(Name, Span)> {
    match &argument.kind {
        ArgumentKind::Modify { target, .. } => target.first().map(|ident| (ident.name, ident.span)),
        _ => None,
    }
}

/// The name behind `=`.
fn named_value(argument: &Argument) -> Option<(Name, Span)> {
    let ArgumentKind::Modify {
        modification: Some(modification),
        ..
    } = &argument.kind
    else {
        return None;
    };
    match &modification.binding {
        Some(modeshift_syntax::ast::Binding::Expr(Expr {
            kind: ExprKind::Ref(reference),
            span,
        })) if reference.parts.len() == 1 => Some((reference.parts[0].name, *span)),
        _ => None,
    }
}
