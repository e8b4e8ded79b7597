//! Rules for connector classes that only the whole class can break (Modelica 3.6 §9.3, §15.1).

use crate::model::Place;
use modeshift_base::FxHashSet;
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::tree::{ClassInst, ClassKind, Component, Flow, Instance};
use modeshift_inst::ty::Type;

/// A connector with stream variables has exactly one flow variable, a scalar Real. Each class is
/// reported once, however many components have it.
pub(crate) fn check(instance: &Instance) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Place> = FxHashSet::default();
    for class in &instance.classes {
        if class.kind == ClassKind::Connector
            && let Some(diagnostic) = stream_without_flow(instance, class)
            && seen.insert(class.place)
        {
            found.push(diagnostic);
        }
    }
    found
}

fn stream_without_flow(instance: &Instance, class: &ClassInst) -> Option<Diagnostic<Place>> {
    let members = |wanted: Flow| -> Vec<&Component> {
        class
            .components
            .iter()
            .map(|&id| &instance.components[id])
            .filter(|component| component.flow == Some(wanted))
            .collect()
    };
    let streams = members(Flow::Stream);
    let stream = streams.first()?;
    let flows = members(Flow::Flow);
    let is_scalar = |flow: &&Component| flow.dims.is_empty() && flow.ty == Type::Real;
    if flows.len() == 1 && flows.iter().all(is_scalar) {
        return None;
    }
    let has = match flows.len() {
        0 => "no `flow` variable".to_owned(),
        1 => "a `flow` variable that is not a scalar Real".to_owned(),
        n => format!("{n} `flow` variables"),
    };
    let mut diagnostic = Diagnostic::new(
        Code::MS3007,
        format!(
            "connector `{}` has a `stream` variable but {has}",
            class.name
        ),
    )
    .label(
        stream.place,
        format!("`{}` is carried by a flow", stream.name),
    );
    for flow in &flows {
        diagnostic = diagnostic.label(flow.place, "a flow");
    }
    Some(diagnostic.note(
        "A stream variable is the property of what flows through the connector; exactly one scalar `flow` variable says which way it flows.",
    ))
}
