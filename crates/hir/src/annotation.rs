//! Which annotations have a meaning for the model, and reading them.

use modeshift_base::Name;
use modeshift_syntax::ast::{Annotation, Argument, ArgumentKind};
use std::sync::OnceLock;

/// Annotations that translation or its messages look at. Everything else (graphics, documentation,
/// user interface, vendors') is left out of [`crate::ClassData`], so that moving an icon leaves the
/// flat model untouched.
const MEANINGFUL: &[&str] = &[
    "Evaluate",
    "GenerateEvents",
    "HideResult",
    "Include",
    "IncludeDirectory",
    "Inline",
    "InlineAfterIndexReduction",
    "LateInline",
    "Library",
    "LibraryDirectory",
    "TestCase",
    "__OpenModelica_commandLineOptions",
    "absoluteValue",
    "conversion",
    "defaultConnectionStructurallyInconsistent",
    "derivative",
    "experiment",
    "inverse",
    "mayOnlyConnectOnce",
    "missingInnerMessage",
    "mustBeConnected",
    "obsolete",
    "smoothOrder",
    "unassignedMessage",
    "uses",
    "version",
];

fn meaningful() -> &'static [Name] {
    static NAMES: OnceLock<Vec<Name>> = OnceLock::new();
    NAMES.get_or_init(|| MEANINGFUL.iter().map(|name| Name::new(name)).collect())
}

/// Whether this argument of an annotation is kept.
pub(crate) fn is_meaningful(argument: &Argument) -> bool {
    target(argument).is_some_and(|name| meaningful().contains(&name))
}

/// The argument of that name.
pub(crate) fn find<'a>(annotation: &'a Annotation, name: &str) -> Option<&'a Argument> {
    annotation
        .args
        .iter()
        .find(|argument| target(argument).is_some_and(|it| it == name))
}

fn target(argument: &Argument) -> Option<Name> {
    match &argument.kind {
        ArgumentKind::Modify { target, .. } => target.first().map(|ident| ident.name),
        _ => None,
    }
}
