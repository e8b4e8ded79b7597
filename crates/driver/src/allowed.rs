//! Messages that the modeller does not want to see at one place.
//!
//! `// modeshift: allow MS4004` in the line of a message, or alone in the line before it; or
//! `annotation(__modeshift(allow = "MS4004"))` of an equation, a declaration or a class, for what is inside it. Several
//! codes or names are separated by commas; in a comment, what follows ` -- ` is a reason. Errors cannot be allowed.
//!
//! A message is placed by its first label in a file that the modeller works on: labels in libraries cannot be edited.

use crate::Session;
use modeshift_base::{FileId, FileSpan, FxHashMap, Span};
use modeshift_db::{Db, parse};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{
    Annotation, Argument, ArgumentKind, Binding, ElementKind, ExprKind, Modification, Node, Visit,
};

const MARK: &str = "// modeshift: allow ";

/// What is allowed where, file by file as it is asked for.
#[derive(Default)]
pub(crate) struct Allowed {
    annotations: FxHashMap<FileId, Vec<(Span, Vec<Code>)>>,
}

impl Allowed {
    pub fn contains(&mut self, session: &Session, diagnostic: &Diagnostic) -> bool {
        let open = session.open_files();
        let is_open = |at: &FileSpan| open.iter().any(|it| it.id(session.db()) == at.file);
        let places = || diagnostic.labels.iter().map(|label| label.at);
        let Some(at) = places().find(is_open).or_else(|| places().next()) else {
            return false;
        };
        let Some((_, text)) = session.name_and_text(at.file) else {
            return false;
        };
        by_comment(&text, at.span, diagnostic.code)
            || text.contains("__modeshift") && self.by_annotation(session, at, diagnostic.code)
    }

    fn by_annotation(&mut self, session: &Session, at: FileSpan, code: Code) -> bool {
        let known = self.annotations.entry(at.file).or_insert_with(|| {
            let file = session.db().files().by_id(at.file);
            file.map(|file| annotations(&parse(session.db(), file).file))
                .unwrap_or_default()
        });
        known.iter().any(|(span, codes)| {
            span.start <= at.span.start && at.span.start <= span.end && codes.contains(&code)
        })
    }
}

fn codes(names: &str) -> impl Iterator<Item = Code> {
    names.split(',').flat_map(|name| Code::named(name.trim()))
}

fn by_comment(text: &str, at: Span, code: Code) -> bool {
    if !text.contains(MARK) {
        return false;
    }
    let start = (at.start as usize).min(text.len());
    let Some((before, rest)) = text.split_at_checked(start) else {
        return false;
    };
    let (above, begin) = before.rsplit_once('\n').unwrap_or(("", before));
    let here = format!("{begin}{}", rest.lines().next().unwrap_or_default());
    let above = above.lines().next_back().unwrap_or_default();
    let above = above.trim_start().starts_with(MARK).then_some(above);
    [Some(&*here), above].into_iter().flatten().any(|line| {
        let Some((_, names)) = line.split_once(MARK) else {
            return false;
        };
        let names = names.split(" -- ").next().unwrap_or_default();
        codes(names).any(|it| it == code)
    })
}

/// The places whose annotations allow something, each with the codes. O(size of the file).
fn annotations(file: &impl Visit) -> Vec<(Span, Vec<Code>)> {
    let mut found = Vec::new();
    file.visit(&mut |node| {
        let mut note = |span: Span, annotation: Option<&Annotation>| {
            let codes = annotation.map(allowed_by).unwrap_or_default();
            if !codes.is_empty() {
                found.push((span, codes));
            }
        };
        match node {
            Node::ClassDef(it) => note(it.span, it.comment.annotation.as_deref()),
            Node::Equation(it) => note(it.span, it.comment.annotation.as_deref()),
            Node::Statement(it) => note(it.span, it.comment.annotation.as_deref()),
            Node::Element(it) => match &it.kind {
                ElementKind::Components(clause) => {
                    note(it.span, clause.comment.annotation.as_deref());
                    for declaration in &clause.declarations {
                        note(it.span, declaration.comment.annotation.as_deref());
                    }
                }
                ElementKind::Extends(extends) => note(it.span, extends.annotation.as_deref()),
                _ => {}
            },
            _ => {}
        }
        true
    });
    found
}

fn allowed_by(annotation: &Annotation) -> Vec<Code> {
    let named = |args: &[Argument], name: &str| -> Vec<Modification> {
        let matching = args.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Modify {
                target,
                modification: Some(modification),
                ..
            } if matches!(&target[..], [only] if only.name.as_str() == name) => {
                Some((**modification).clone())
            }
            _ => None,
        });
        matching.collect()
    };
    let mut found = Vec::new();
    for own in named(&annotation.args, "__modeshift") {
        for allow in named(&own.args, "allow") {
            if let Some(Binding::Expr(value)) = &allow.binding
                && let ExprKind::Str(text) = &value.kind
            {
                found.extend(codes(text));
            }
        }
    }
    found
}
