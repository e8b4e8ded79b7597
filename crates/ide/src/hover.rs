//! What is shown about the name under the pointer.

use crate::builtins::builtin;
use crate::constants::computed;
use crate::cursor::Cursor;
use crate::documentation::documentation;
use crate::insight::{guard_text, mode_hover};
use crate::predefined::{attributes, written};
use crate::symbols::dotted;
use modeshift_base::{Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_driver::Session;
use modeshift_hir::statics::{Symbol, class_of};
use modeshift_hir::{ClassData, ClassId, ClassSpec, Component, Element, class, full_name};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{Causality, Description, Flow, Purity, VariabilityPrefix};

/// Markdown about a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The name, in the file that was asked about.
    pub span: Span,
    pub markdown: String,
}

/// What is known about the name at `offset`: its declaration and, for Booleans, the modes they decide. Elsewhere in an
/// equation, the modes in which it holds. O(length of the file) once the modes are known.
pub fn hover(session: &Session, file: SourceFile, offset: u32) -> Option<Hover> {
    let named = hover_name(session.db(), file, offset);
    let modes = || {
        let (span, markdown) = mode_hover(session, file, offset)?;
        Some(Hover { span, markdown })
    };
    let Some((mut hover, symbol)) = named else {
        return modes();
    };
    if let Some(symbol) = symbol
        && let Some(text) = guard_text(session, file, offset, symbol)
    {
        hover.markdown = format!("{}\n\n{text}", hover.markdown);
    }
    Some(hover)
}

/// What is known about the name at `offset` without an analysis: it never takes long.
pub fn quick_hover(session: &Session, file: SourceFile, offset: u32) -> Option<Hover> {
    Some(hover_name(session.db(), file, offset)?.0)
}

/// What the text alone tells about the name at `offset`.
fn hover_name(db: &dyn Db, file: SourceFile, offset: u32) -> Option<(Hover, Option<Symbol>)> {
    let cursor = Cursor::new(db, file);
    let index = cursor.word_at(offset)?;
    let Some(symbol) = cursor.symbol(index) else {
        return Some((built_in(&cursor, index)?, None));
    };
    let markdown = match symbol {
        Symbol::Class(id) => class_text(db, id),
        Symbol::Component { class: id, element } => {
            let Element::Component(component) = class(db, id).elements().get(element)? else {
                return None;
            };
            component_text(db, id, element, component)
        }
        Symbol::Literal { class: id, index } => literal_text(db, id, index)?,
    };
    let span = cursor.span(index);
    Some((Hover { span, markdown }, Some(symbol)))
}

/// What Modelica itself has under that name, if it is called.
fn built_in(cursor: &Cursor<'_>, index: usize) -> Option<Hover> {
    if cursor.kind(index + 1) != Some(TokenKind::LParen) {
        return None;
    }
    let builtin = builtin(cursor.name(index).as_str())?;
    Some(Hover {
        span: cursor.span(index),
        markdown: format!("{}\n\n{}", code(&builtin.signature()), builtin.about),
    })
}

fn code(text: &str) -> String {
    format!("```modelica\n{text}\n```")
}

fn described(code_text: &str, description: Option<&Description>, place: &str) -> String {
    let mut parts = vec![code(code_text)];
    parts.extend(description.map(|description| description.text.to_string()));
    if !place.is_empty() {
        parts.push(place.to_owned());
    }
    parts.join("\n\n")
}

fn class_text(db: &dyn Db, id: ClassId) -> String {
    let data = class(db, id);
    let header = format!("{} {}", class_words(data), dotted(full_name(db, id)));
    let header = match &data.spec {
        ClassSpec::Short(short) => {
            format!(
                "{header} = {}",
                dotted(short.base.parts.iter().map(|part| part.name))
            )
        }
        ClassSpec::Enumeration {
            literals: Some(literals),
        } => {
            let names: Vec<&str> = literals.iter().map(|it| it.name.name.as_str()).collect();
            format!("{header} = enumeration({})", names.join(", "))
        }
        ClassSpec::Enumeration { literals: None } => format!("{header} = enumeration(:)"),
        _ => header,
    };
    let about = documentation(db, id).unwrap_or_default();
    described(&header, data.description.as_ref(), &about)
}

/// What is known about the class of that full name, in Markdown, for a proposal.
pub fn class_documentation(db: &dyn Db, full: &str) -> Option<String> {
    let path: Vec<Name> = full.split('.').map(Name::new).collect();
    Some(class_text(db, modeshift_hir::class_by_path(db, &path)?))
}

/// `encapsulated partial model`
fn class_words(data: &ClassData) -> String {
    let kind = data.kind.as_str();
    let words = [
        data.prefixes.replaceable.then_some("replaceable"),
        data.encapsulated.then_some("encapsulated"),
        data.partial.then_some("partial"),
        data.purity.map(|purity| match purity {
            Purity::Pure => "pure",
            Purity::Impure => "impure",
        }),
        Some(kind),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The declaration as it is written, without comment, and where it comes from.
fn component_text(db: &dyn Db, owner: ClassId, element: usize, component: &Component) -> String {
    let clause = &component.clause;
    let words = [
        component.protected.then_some("protected"),
        clause.prefixes.final_.then_some("final"),
        clause.prefixes.inner.then_some("inner"),
        clause.prefixes.outer.then_some("outer"),
        clause.prefixes.replaceable.then_some("replaceable"),
        clause.type_prefix.flow.map(|flow| match flow {
            Flow::Flow => "flow",
            Flow::Stream => "stream",
        }),
        clause
            .type_prefix
            .variability
            .map(|variability| match variability {
                VariabilityPrefix::Discrete => "discrete",
                VariabilityPrefix::Parameter => "parameter",
                VariabilityPrefix::Constant => "constant",
            }),
        clause
            .type_prefix
            .causality
            .map(|causality| match causality {
                Causality::Input => "input",
                Causality::Output => "output",
            }),
    ];
    let type_name = dotted(clause.type_name.parts.iter().map(|part| part.name));
    let mut declared: Vec<String> = words.into_iter().flatten().map(str::to_owned).collect();
    declared.push(type_name);
    // From the name to the end of the modification or subscripts: what the declaration says itself.
    let end = component
        .modification
        .as_ref()
        .map_or(component.name.span.end, |it| it.span.end);
    let own = Span::new(component.name.span.start, end.max(component.name.span.end));
    declared.push(written(db, owner, own));
    let symbol = Symbol::Component {
        class: owner,
        element,
    };
    let mut place = format!("declared in `{}`", dotted(full_name(db, owner)));
    let mut facts: Vec<String> = Vec::new();
    facts.extend(computed(db, symbol).map(|value| format!("value `{value}`")));
    let told = attributes(db, symbol).into_iter();
    facts.extend(told.map(|(name, value)| format!("{name} `{value}`")));
    if !facts.is_empty() {
        place = format!("{}\n\n{place}", facts.join(", "));
    }
    if let Some(class) = class_of(db, symbol) {
        let data = modeshift_hir::class(db, class);
        let about = data.description.as_ref().map(|it| format!(": {}", it.text));
        let full = dotted(full_name(db, class));
        place = format!("`{full}`{}\n\n{place}", about.unwrap_or_default());
    }
    described(&declared.join(" "), component.description.as_ref(), &place)
}

fn literal_text(db: &dyn Db, id: ClassId, index: usize) -> Option<String> {
    let ClassSpec::Enumeration {
        literals: Some(literals),
    } = &class(db, id).spec
    else {
        return None;
    };
    let literal = literals.get(index)?;
    let enumeration = dotted(full_name(db, id));
    let text = format!("{enumeration}.{}", literal.name.name);
    Some(described(&text, literal.comment.description.as_ref(), ""))
}
