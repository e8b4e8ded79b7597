//! What every word is, for highlighting that knows meanings.

use crate::builtins::builtin;
use crate::cursor::{Cursor, Meaning};
use modeshift_base::Span;
use modeshift_db::{BUILTIN_ROOT, Db, SourceFile, words};
use modeshift_hir::statics::Symbol;
use modeshift_hir::{Element, class};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{ClassKind, VariabilityPrefix};

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Highlight {
    Package,
    Class,
    Connector,
    Record,
    Type,
    Function,
    Parameter,
    Variable,
    Literal,
    /// A name in an annotation, and attributes of predefined types.
    Property,
    Keyword,
    Number,
    Text,
    Comment,
    Operator,
}

/// A word and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Highlighted {
    pub span: Span,
    pub kind: Highlight,
    /// It is declared here.
    pub declared: bool,
    /// It never changes while time passes.
    pub constant: bool,
    /// It is part of the language or of the built-in library.
    pub built_in: bool,
}

/// The words of a file in `range`, in order. Words that mean nothing known are left out.
/// O(length of the file) plus one lookup per name.
pub fn highlights(db: &dyn Db, file: SourceFile, range: Span) -> Vec<Highlighted> {
    let cursor = Cursor::new(db, file);
    let inside = |span: Span| span.start < range.end && range.start < span.end;
    let mut found: Vec<Highlighted> = (0..cursor.len())
        .filter(|&index| inside(cursor.span(index)))
        .filter_map(|index| word(db, &cursor, index))
        .collect();
    let comments = words(db, file).comments.iter();
    let comments = comments.filter(|token| inside(token.span));
    found.extend(comments.map(|token| plain(token.span, Highlight::Comment)));
    found.sort_by_key(|it| it.span);
    found
}

const fn plain(span: Span, kind: Highlight) -> Highlighted {
    Highlighted {
        span,
        kind,
        declared: false,
        constant: false,
        built_in: false,
    }
}

fn word(db: &dyn Db, cursor: &Cursor<'_>, index: usize) -> Option<Highlighted> {
    let span = cursor.span(index);
    let kind = cursor.kind(index)?;
    if kind == TokenKind::Ident {
        return identifier(db, cursor, index);
    }
    let kind = match kind {
        TokenKind::Integer | TokenKind::Real => Highlight::Number,
        TokenKind::String => Highlight::Text,
        TokenKind::Error | TokenKind::Foreign => return None,
        _ if is_punctuation(kind) => return None,
        _ if is_operator(kind) => Highlight::Operator,
        _ => Highlight::Keyword,
    };
    Some(plain(span, kind))
}

const fn is_punctuation(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        LParen | RParen | LBracket | RBracket | LBrace | RBrace | Semicolon | Comma | Dot | Colon
    )
}

const fn is_operator(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Equals
            | Assign
            | Plus
            | Minus
            | Star
            | Slash
            | Caret
            | DotPlus
            | DotMinus
            | DotStar
            | DotSlash
            | DotCaret
            | Less
            | LessEqual
            | Greater
            | GreaterEqual
            | EqualEqual
            | NotEqual
    )
}

fn identifier(db: &dyn Db, cursor: &Cursor<'_>, index: usize) -> Option<Highlighted> {
    let span = cursor.span(index);
    let declared = cursor.names_class(index) || cursor.declares(index);
    let base = Highlighted {
        declared,
        ..plain(span, Highlight::Variable)
    };
    match cursor.meaning(index) {
        Some(Meaning::Local(_)) => Some(base),
        Some(Meaning::Symbol(symbol)) => Some(of_symbol(db, symbol, base)),
        None => unresolved(cursor, index),
    }
}

fn of_symbol(db: &dyn Db, symbol: Symbol, base: Highlighted) -> Highlighted {
    let built_in = |id: modeshift_hir::ClassId| id.file(db).path(db).starts_with(BUILTIN_ROOT);
    match symbol {
        Symbol::Class(id) => Highlighted {
            kind: of_class(class(db, id).kind),
            built_in: built_in(id),
            ..base
        },
        Symbol::Literal { class, .. } => Highlighted {
            kind: Highlight::Literal,
            constant: true,
            built_in: built_in(class),
            ..base
        },
        Symbol::Component { class: id, element } => {
            let variability = match class(db, id).elements().get(element) {
                Some(Element::Component(component)) => component.clause.type_prefix.variability,
                _ => None,
            };
            let constant = matches!(
                variability,
                Some(VariabilityPrefix::Constant | VariabilityPrefix::Parameter)
            );
            Highlighted {
                kind: match constant {
                    true => Highlight::Parameter,
                    false => Highlight::Variable,
                },
                constant,
                built_in: built_in(id),
                ..base
            }
        }
    }
}

const fn of_class(kind: ClassKind) -> Highlight {
    match kind {
        ClassKind::Package => Highlight::Package,
        ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Operator => {
            Highlight::Function
        }
        ClassKind::Connector | ClassKind::ExpandableConnector => Highlight::Connector,
        ClassKind::Record | ClassKind::OperatorRecord => Highlight::Record,
        ClassKind::Type => Highlight::Type,
        ClassKind::Class | ClassKind::Model | ClassKind::Block => Highlight::Class,
    }
}

/// Names that Modelica itself has, and those of annotations and attributes.
fn unresolved(cursor: &Cursor<'_>, index: usize) -> Option<Highlighted> {
    let span = cursor.span(index);
    let built_in = |kind| {
        Some(Highlighted {
            built_in: true,
            ..plain(span, kind)
        })
    };
    let name = cursor.name(index);
    let called = cursor.kind(index + 1) == Some(TokenKind::LParen);
    match name.as_str() {
        "Real" | "Integer" | "Boolean" | "String" | "Clock" | "StateSelect" | "AssertionLevel" => {
            built_in(Highlight::Type)
        }
        "time" => built_in(Highlight::Variable),
        it if called && builtin(it).is_some() => built_in(Highlight::Function),
        _ => {
            let named = called || cursor.kind(index + 1) == Some(TokenKind::Equals);
            let in_brackets = named && cursor.open_bracket(index).is_some();
            in_brackets.then(|| plain(span, Highlight::Property))
        }
    }
}
