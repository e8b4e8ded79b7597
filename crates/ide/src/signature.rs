//! What can be written between the brackets that the cursor is in.

use crate::builtins::builtin;
use crate::cursor::Cursor;
use crate::symbols::dotted;
use modeshift_base::{Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::with_ancestors;
use modeshift_hir::{ClassData, ClassId, ClassSpan, Component, class, full_name, resolve};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{Causality, ClassKind, VariabilityPrefix};

/// A function, record or class with what it can be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// `f(Real x, Real y = 1) → Real z`
    pub label: String,
    pub about: String,
    /// Each parameter's part of the label, in bytes, and its description.
    pub parameters: Vec<(Span, String)>,
    /// The parameter that is being written.
    pub active: Option<usize>,
}

/// Most parameters that a signature shows: models may have hundreds.
const MAX_PARAMETERS: usize = 24;

/// The call or modification around `offset`. O(length of the file).
pub fn signature(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Signature> {
    let cursor = Cursor::new(db, file);
    let index = cursor.index_after(offset);
    let open = cursor.open_bracket(index)?;
    if cursor.in_annotation(open) {
        return None;
    }
    let (position, named) = argument(&cursor, open, index);
    match cursor.bracket_class(index) {
        Some(id) => Some(of_class(db, id, position, named)),
        None => {
            let last = cursor.before_subscripts(open)?;
            let name = match cursor.kind(last)? {
                TokenKind::Ident => cursor.name(last),
                TokenKind::Der => Name::new("der"),
                TokenKind::Initial => Name::new("initial"),
                _ => return None,
            };
            let builtin = builtin(name.as_str())?;
            let parts = builtin.inputs.iter();
            let parts: Vec<(String, String)> =
                parts.map(|it| ((*it).to_owned(), String::new())).collect();
            let mut signature = assemble(builtin.name, &parts, "", builtin.about.to_owned());
            let last = builtin.inputs.len().checked_sub(1);
            signature.active = last.map(|last| position.min(last));
            Some(signature)
        }
    }
}

/// How many arguments are before the cursor, and the name of the one it is in.
fn argument(cursor: &Cursor<'_>, open: usize, index: usize) -> (usize, Option<Name>) {
    let (mut depth, mut commas, mut start) = (0usize, 0, open + 1);
    for at in open + 1..index.min(cursor.len()) {
        match cursor.kind(at) {
            Some(TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket) => depth += 1,
            Some(TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket) => {
                depth = depth.saturating_sub(1);
            }
            Some(TokenKind::Comma) if depth == 0 => (commas, start) = (commas + 1, at + 1),
            _ => {}
        }
    }
    let prefix = |at: &usize| matches!(cursor.kind(*at), Some(TokenKind::Each | TokenKind::Final));
    let first = (start..index).find(|at| !prefix(at));
    let named = first.filter(|&at| {
        let follows = cursor.kind(at + 1);
        cursor.kind(at) == Some(TokenKind::Ident)
            && matches!(follows, Some(TokenKind::Equals | TokenKind::LParen))
    });
    (commas, named.map(|at| cursor.name(at)))
}

fn of_class(db: &dyn Db, id: ClassId, position: usize, named: Option<Name>) -> Signature {
    let data = class(db, id);
    let callable = is_callable(data);
    let mut names = Vec::new();
    let mut parts = Vec::new();
    let mut outputs = Vec::new();
    // What is inherited comes first, as in a call.
    for ancestor in with_ancestors(db, id).into_iter().rev() {
        for component in class(db, ancestor).components() {
            if is_input(data, component) {
                names.push(component.name.name);
                let about = component.description.as_ref();
                let about = about.map_or(String::new(), |it| it.text.to_string());
                parts.push((declaration(db, ancestor, component), about));
            } else if component.clause.type_prefix.causality == Some(Causality::Output) {
                let named = format!("{} {}", type_name(component), component.name.name);
                outputs.push(named);
            }
        }
    }
    let active = match named {
        Some(name) => names.iter().position(|it| *it == name),
        None => callable.then_some(position),
    };
    let cut = parts.len() > MAX_PARAMETERS;
    parts.truncate(MAX_PARAMETERS);
    if cut {
        parts.push(("…".to_owned(), String::new()));
    }
    let result = match (callable, outputs.as_slice()) {
        (false, _) | (true, []) => String::new(),
        (true, [one]) => format!(" → {one}"),
        (true, several) => format!(" → ({})", several.join(", ")),
    };
    let about = data.description.as_ref();
    let about = about.map_or(String::new(), |it| it.text.to_string());
    let mut signature = assemble(&dotted(full_name(db, id)), &parts, &result, about);
    signature.active = active.filter(|&it| it < signature.parameters.len());
    signature
}

fn is_callable(data: &ClassData) -> bool {
    matches!(
        data.kind,
        ClassKind::Function
            | ClassKind::OperatorFunction
            | ClassKind::Record
            | ClassKind::OperatorRecord
            | ClassKind::Operator
    )
}

/// Whether a call or a modifier would name it.
fn is_input(data: &ClassData, component: &Component) -> bool {
    if component.protected || component.clause.prefixes.final_ {
        return false;
    }
    let prefix = component.clause.type_prefix;
    match data.kind {
        ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Operator => {
            prefix.causality == Some(Causality::Input)
        }
        ClassKind::Record | ClassKind::OperatorRecord => {
            prefix.variability != Some(VariabilityPrefix::Constant)
        }
        _ => prefix.variability == Some(VariabilityPrefix::Parameter),
    }
}

fn type_name(component: &Component) -> String {
    let parts = component.clause.type_name.parts.last();
    parts.map_or(String::new(), |part| part.name.to_string())
}

/// `Real x = 1`: the declaration with its binding as it is written.
fn declaration(db: &dyn Db, owner: ClassId, component: &Component) -> String {
    let mut text = format!("{} {}", type_name(component), component.name.name);
    let binding = component
        .modification
        .as_ref()
        .and_then(|it| it.binding.as_ref());
    if let Some(modeshift_syntax::ast::Binding::Expr(value)) = binding {
        let place = resolve(db, ClassSpan::new(owner, value.span));
        let written = owner.file(db).text(db).get(place.span.range());
        let written = written.unwrap_or_default().split_whitespace();
        let written = written.collect::<Vec<_>>().join(" ");
        text.push_str(" = ");
        match written.chars().count() > 30 {
            true => text.push('…'),
            false => text.push_str(&written),
        }
    }
    text
}

fn assemble(name: &str, parts: &[(String, String)], result: &str, about: String) -> Signature {
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for (index, (part, about)) in parts.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        label.push_str(part);
        parameters.push((Span::new(start, label.len() as u32), about.clone()));
    }
    label.push(')');
    label.push_str(result);
    Signature {
        label,
        about,
        parameters,
        active: None,
    }
}
