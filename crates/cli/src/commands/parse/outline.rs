//! The classes of a file as `parse --format json` lists them.

use modeshift_diag::{Place, SourceFile};
use modeshift_syntax::ast::{ClassBody, ClassDef, ClassSpec, ElementKind, Path, SectionKind};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct ClassOutline {
    name: String,
    kind: &'static str,
    #[serde(flatten)]
    place: Place,
    components: Vec<String>,
    equations: usize,
    classes: Vec<Self>,
}

impl ClassOutline {
    /// Recurses as deep as classes are nested, which the parser bounds.
    pub(super) fn new(class: &ClassDef, source: &SourceFile) -> Self {
        let body = body(class);
        let elements = body.map_or(&[][..], |body| &body.elements);
        let components = elements.iter().filter_map(|element| match &element.kind {
            ElementKind::Components(clause) => Some(&clause.declarations),
            _ => None,
        });
        Self {
            name: class.name.name.to_string(),
            kind: class.kind.as_str(),
            place: source.place(class.span),
            components: components
                .flatten()
                .map(|c| c.name.name.to_string())
                .collect(),
            equations: body.map_or(0, equations),
            classes: nested(class)
                .map(|nested| Self::new(nested, source))
                .collect(),
        }
    }
}

/// How many classes there are, nested ones included.
pub(super) fn count(classes: &[ClassDef]) -> usize {
    classes.iter().map(count_class).sum()
}

fn count_class(class: &ClassDef) -> usize {
    1 + nested(class).map(count_class).sum::<usize>()
}

pub(super) fn dotted(path: &Path) -> String {
    let parts: Vec<&str> = path.parts.iter().map(|part| part.name.as_str()).collect();
    parts.join(".")
}

fn body(class: &ClassDef) -> Option<&ClassBody> {
    match &class.spec {
        ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => Some(body),
        _ => None,
    }
}

fn nested(class: &ClassDef) -> impl Iterator<Item = &ClassDef> {
    let elements = body(class).map_or(&[][..], |body| &body.elements);
    elements.iter().filter_map(|element| match &element.kind {
        ElementKind::Class(nested) => Some(&**nested),
        _ => None,
    })
}

fn equations(body: &ClassBody) -> usize {
    let sections = body.sections.iter().map(|section| match &section.kind {
        SectionKind::Equations(equations) => equations.len(),
        SectionKind::Algorithm(statements) => statements.len(),
    });
    sections.sum()
}
