//! `annotation(uses(Library(version = "1.2")))`: which libraries a package wants, in which version.

use crate::data::ClassData;
use modeshift_base::{Name, Span};
use modeshift_syntax::ast::{Argument, ArgumentKind, Binding, ExprKind};

/// One library that a class wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uses {
    pub library: Name,
    pub version: Option<String>,
    /// In the own text of the class.
    pub span: Span,
}

/// What the class asks for, in the order of the text.
pub fn uses(data: &ClassData) -> Vec<Uses> {
    let Some(argument) = data.annotation("uses") else {
        return Vec::new();
    };
    arguments(argument)
        .iter()
        .filter_map(|argument| {
            let ArgumentKind::Modify { target, .. } = &argument.kind else {
                return None;
            };
            let version = arguments(argument)
                .iter()
                .find_map(|inner| string(inner, "version"));
            Some(Uses {
                library: target.first()?.name,
                version,
                span: argument.span,
            })
        })
        .collect()
}

/// The version that a top-level package says it has.
pub fn version(data: &ClassData) -> Option<String> {
    string(data.annotation("version")?, "version")
}

/// The options that the class asks OpenModelica for.
pub fn openmodelica_options(data: &ClassData) -> Option<String> {
    const NAME: &str = "__OpenModelica_commandLineOptions";
    string(data.annotation(NAME)?, NAME)
}

pub(crate) fn arguments(argument: &Argument) -> &[Argument] {
    match &argument.kind {
        ArgumentKind::Modify {
            modification: Some(modification),
            ..
        } => &modification.args,
        _ => &[],
    }
}

/// The text of `name = "text"`.
pub(crate) fn string(argument: &Argument, name: &str) -> Option<String> {
    let ArgumentKind::Modify {
        target,
        modification,
        ..
    } = &argument.kind
    else {
        return None;
    };
    let binding = modification.as_ref()?.binding.as_ref()?;
    match (target.as_slice(), binding) {
        ([ident], Binding::Expr(expr)) if ident.name == name => match &expr.kind {
            ExprKind::Str(text) => Some(text.to_string()),
            _ => None,
        },
        _ => None,
    }
}
