//! Conditions, classes of modes, and the conditional dependency graph.

use super::diagrams::{ClassModes, Diagrams};
use super::sources::{SourceRef, Sources};
use super::structure::{Collector, bits};
use modeshift_mdae::analysis::{Analysis, Classes, Kind, UNKNOWN_FREEDOM};
use modeshift_mdae::model::{EqId, MDae, Reads};
use modeshift_mdae::print::definition;
use serde::Serialize;

/// Parts of the model with classes of their own that are listed.
const MAX_PARTS: usize = 200;
/// Modes of one class that are listed.
const MAX_MODES: usize = 4096;
/// Dependencies that are embedded.
const MAX_DEPENDENCIES: usize = 5000;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Condition {
    name: String,
    definition: String,
    reads: &'static str,
    /// Decides no equation itself.
    auxiliary: bool,
    at: Option<SourceRef>,
}

/// A partition of modes, of the model or of a part of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Group {
    title: String,
    equations: usize,
    /// Numbers of the conditions it speaks about.
    conditions: Vec<u32>,
    /// Null beyond the node limit.
    classes: Option<Vec<Class>>,
}

#[derive(Clone, Debug, Serialize)]
struct Class {
    when: String,
    count: String,
    kind: &'static str,
    index: Option<i32>,
    pryce_index: Option<i32>,
    freedom: Option<i64>,
    /// Number of the structure of one of its modes.
    structure: Option<usize>,
    over: Option<Side>,
    under: Option<Side>,
    /// Values of the group's conditions, if the modes are few.
    modes: Vec<String>,
    /// Which modes they are, if they are not listed.
    members: Option<ClassModes>,
}

#[derive(Clone, Debug, Serialize)]
struct Side {
    equations: Vec<u32>,
    variables: Vec<u32>,
}

/// In `when`, `to` needs `variable`, which `from` determines; numbers of equations.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Dependency {
    from: u32,
    to: u32,
    variable: String,
    when: String,
}

pub(super) fn conditions(mdae: &MDae, sources: &mut Sources<'_>) -> Vec<Condition> {
    mdae.modes
        .iter()
        .map(|mode| Condition {
            name: mode.name.to_string(),
            definition: definition(mdae, mode),
            reads: match mode.reads {
                Reads::Input => "inputs and time",
                Reads::LeftLimit => "values just before",
                Reads::Current => "current values",
            },
            auxiliary: mode.auxiliary,
            at: sources.of(&mode.origin),
        })
        .collect()
}

pub(super) fn groups(
    analysis: &Analysis,
    structures: &mut Collector<'_>,
    diagrams: &mut Diagrams<'_>,
) -> Vec<Group> {
    let mut groups = Vec::new();
    if let Some(classes) = &analysis.classes {
        groups.push(Group {
            title: "The whole model".to_owned(),
            equations: analysis.rows.equations.len(),
            conditions: classes.modes.iter().map(|var| var.index() as u32).collect(),
            classes: Some(described(classes, None, structures, diagrams)),
        });
    }
    let alone = analysis.parts.len() <= 1 && !groups.is_empty();
    // Parts with conditions first: they are what the report is about.
    let mut parts: Vec<_> = analysis
        .parts
        .iter()
        .filter(|_| !alone)
        .enumerate()
        .collect();
    parts.sort_by_key(|(i, part)| {
        (
            part.classes.as_ref().is_some_and(|c| c.modes.is_empty()),
            *i,
        )
    });
    for (i, part) in parts.into_iter().take(MAX_PARTS) {
        let names: Vec<&str> = part
            .variables
            .iter()
            .take(3)
            .map(|&x| &*analysis.mdae.variable(x).name)
            .collect();
        let more = if part.variables.len() > 3 {
            ", …"
        } else {
            ""
        };
        groups.push(Group {
            title: format!("Part {}: {}{more}", i + 1, names.join(", ")),
            equations: part.equations.len(),
            conditions: part
                .classes
                .iter()
                .flat_map(|classes| classes.modes.iter().map(|var| var.index() as u32))
                .collect(),
            classes: part
                .classes
                .as_ref()
                .map(|classes| described(classes, Some(&part.equations), structures, diagrams)),
        });
    }
    groups
}

fn described(
    classes: &Classes,
    equations: Option<&[EqId]>,
    structures: &mut Collector<'_>,
    diagrams: &mut Diagrams<'_>,
) -> Vec<Class> {
    let side = |equations: &[EqId], variables: &[modeshift_mdae::sym::VarId]| Side {
        equations: equations.iter().map(|id| id.index() as u32).collect(),
        variables: variables.iter().map(|x| x.0).collect(),
    };
    classes
        .classes
        .iter()
        .map(|class| {
            let (kind, indices, singular) = match &class.kind {
                Kind::Regular(indices) => ("regular", Some(indices), None),
                Kind::Singular(reason) => ("singular", None, Some(reason)),
                Kind::Transient => ("transient", None, None),
            };
            let valuations = class.valuations.as_deref().unwrap_or_default();
            Class {
                when: class.when.clone(),
                count: class.count.to_string(),
                kind,
                index: indices.map(|i| i.index),
                pryce_index: indices.map(|i| i.pryce_index()),
                freedom: indices
                    .map(|i| i.degrees_of_freedom)
                    .filter(|&freedom| freedom != UNKNOWN_FREEDOM),
                structure: structures.add(&class.representative, equations),
                over: singular.map(|s| side(&s.over_equations, &s.over_variables)),
                under: singular.map(|s| side(&s.under_equations, &s.under_variables)),
                modes: valuations
                    .iter()
                    .take(MAX_MODES)
                    .map(|values| bits(values))
                    .collect(),
                members: class.valuations.is_none().then(|| diagrams.modes(class)),
            }
        })
        .collect()
}

/// The dependencies that are embedded, and how many are not.
pub(super) fn dependencies(analysis: &Analysis) -> (Vec<Dependency>, usize) {
    let all = analysis.dependencies();
    let number = |row: usize| analysis.rows.equations[row].index() as u32;
    let more = all.len().saturating_sub(MAX_DEPENDENCIES);
    let kept = all
        .into_iter()
        .take(MAX_DEPENDENCIES)
        .map(|dependency| Dependency {
            from: number(dependency.writer),
            to: number(dependency.reader),
            variable: dependency.variable,
            when: dependency.when,
        });
    (kept.collect(), more)
}
