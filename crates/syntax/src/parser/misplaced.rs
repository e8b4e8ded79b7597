//! An annotation of a class that an equation or a declaration has swallowed, because the `;` before it is missing. The
//! text is valid, and the annotation has no effect.

use crate::ast::{
    Annotation, ArgumentKind, ClassBody, ClassDef, ClassSpec, ElementKind, SectionKind,
};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

/// Annotations that only a class has.
const OF_CLASSES: [&str; 4] = ["experiment", "Icon", "Diagram", "uses"];

/// O(elements and sections of the classes).
pub(super) fn annotations(text: &str, classes: &[ClassDef]) -> Vec<Diagnostic<Span>> {
    let mut found = Vec::new();
    if text.contains("annotation") {
        classes
            .iter()
            .for_each(|class| look(text, class, &mut found));
    }
    found
}

fn look(text: &str, class: &ClassDef, found: &mut Vec<Diagnostic<Span>>) {
    let (ClassSpec::Long(body) | ClassSpec::Extends { body, .. }) = &class.spec else {
        return;
    };
    for element in &body.elements {
        if let ElementKind::Class(nested) = &element.kind {
            look(text, nested, found);
        }
    }
    let Some((annotation, what)) = last_of(body) else {
        return;
    };
    let name = annotation
        .args
        .iter()
        .find_map(|argument| match &argument.kind {
            ArgumentKind::Modify { target, .. } => target
                .first()
                .map(|it| it.name)
                .filter(|name| OF_CLASSES.contains(&name.as_str())),
            _ => None,
        });
    let Some(name) = name else { return };
    let before = text
        .get(..annotation.span.start as usize)
        .unwrap_or_default();
    let gap = before.trim_end().len() as u32;
    let gap = Span::new(gap, gap);
    found.push(
        Diagnostic::new(
            Code::MS0002,
            format!("`{name}` belongs to the class, but `;` is missing before this annotation"),
        )
        .with_severity(Severity::Warning)
        .label(
            annotation.span,
            format!("taken for an annotation of the {what} before it"),
        )
        .fix(
            "insert `;`",
            vec![Edit {
                at: gap,
                text: ";".into(),
            }],
        ),
    );
}

/// The annotation of the last equation, statement or declaration of a class.
fn last_of(body: &ClassBody) -> Option<(&Annotation, &'static str)> {
    let (comment, what) = match body.sections.last().map(|it| &it.kind) {
        Some(SectionKind::Equations(equations)) => (&equations.last()?.comment, "equation"),
        Some(SectionKind::Algorithm(statements)) => (&statements.last()?.comment, "statement"),
        None => match &body.elements.last()?.kind {
            ElementKind::Components(clause) => {
                (&clause.declarations.last()?.comment, "declaration")
            }
            _ => return None,
        },
    };
    Some((comment.annotation.as_deref()?, what))
}
