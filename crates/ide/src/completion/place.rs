//! What can be written at a position, told from the words before it.

use crate::cursor::{Cursor, names_class};
use crate::predefined::{Predefined, predefined, predefined_path};
use modeshift_hir::ClassId;
use modeshift_hir::statics::{class_of, member};
use modeshift_syntax::TokenKind;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A name that does not exist yet, or nothing.
    Nothing,
    /// Behind `end`: what is closed.
    End,
    /// A class: behind `extends` and `constrainedby`.
    Class,
    /// A full name: behind `import` and `within`.
    Import,
    /// An argument of `connect`.
    Connect,
    /// An element that can be modified.
    Modifier(Modified),
    /// A class's element begins here, or the type in it.
    Element {
        begins: bool,
    },
    Equation,
    Statement,
    /// Outside all classes.
    Top,
    Expression,
}

/// What a modification is one of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Modified {
    pub class: Option<ClassId>,
    pub predefined: Option<Predefined>,
}

/// The place where the word `index` stands or would stand.
pub(super) fn place(cursor: &Cursor<'_>, index: usize, inside_class: bool) -> Place {
    // `a.b.|` stands where `a` stands.
    let first = cursor
        .before_dot(index)
        .map_or(index, |dotted| dotted.first);
    let before = cursor.kind_before(first);
    match before {
        Some(TokenKind::Extends | TokenKind::ConstrainedBy) => return Place::Class,
        Some(TokenKind::End) => return Place::End,
        Some(kind) if names_class(kind) => return Place::Nothing,
        _ => {}
    }
    if cursor.in_import(first) {
        return Place::Import;
    }
    if let Some(open) = cursor.open_bracket(first) {
        if cursor.kind_before(open) == Some(TokenKind::Connect) {
            return Place::Connect;
        }
        return match cursor.begins_argument(first) {
            true => modified(cursor, open, 16).map_or(Place::Expression, Place::Modifier),
            false => Place::Expression,
        };
    }
    let section = section(cursor, first);
    match before {
        None | Some(TokenKind::Semicolon) if !inside_class => Place::Top,
        Some(TokenKind::Semicolon | TokenKind::Then | TokenKind::Else | TokenKind::Loop)
            if section != Section::Declarations && !cursor.in_expression(first) =>
        {
            section.begin()
        }
        None
        | Some(
            TokenKind::Semicolon
            | TokenKind::Public
            | TokenKind::Protected
            | TokenKind::Equation
            | TokenKind::Algorithm,
        ) => section.begin(),
        Some(kind) if section == Section::Declarations && prefix(kind) => {
            Place::Element { begins: false }
        }
        // The description of a class, or that of something else.
        Some(TokenKind::String) if section == Section::Declarations => {
            match first.checked_sub(1).is_some_and(|it| header(cursor, it)) {
                true => section.begin(),
                false => Place::Nothing,
            }
        }
        Some(TokenKind::Ident | TokenKind::RBracket | TokenKind::RParen)
            if section == Section::Declarations && !cursor.in_expression(first) =>
        {
            match header(cursor, first) {
                true => section.begin(),
                false => Place::Nothing,
            }
        }
        _ => Place::Expression,
    }
}

/// Whether the name of a class stands right before.
fn header(cursor: &Cursor<'_>, index: usize) -> bool {
    cursor.kind_before(index) == Some(TokenKind::Ident) && cursor.names_class(index - 1)
}

const fn prefix(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Parameter
            | TokenKind::Constant
            | TokenKind::Discrete
            | TokenKind::Input
            | TokenKind::Output
            | TokenKind::Flow
            | TokenKind::Stream
            | TokenKind::Inner
            | TokenKind::Outer
            | TokenKind::Replaceable
            | TokenKind::Redeclare
            | TokenKind::Final
    )
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Section {
    Declarations,
    Equations,
    Statements,
}

impl Section {
    const fn begin(self) -> Place {
        match self {
            Self::Declarations => Place::Element { begins: true },
            Self::Equations => Place::Equation,
            Self::Statements => Place::Statement,
        }
    }
}

/// What the part of the class around a word consists of. Back to where it begins.
fn section(cursor: &Cursor<'_>, index: usize) -> Section {
    for at in (0..index).rev() {
        match cursor.kind(at) {
            Some(TokenKind::Equation) => return Section::Equations,
            Some(TokenKind::Algorithm) => return Section::Statements,
            Some(TokenKind::Public | TokenKind::Protected) => return Section::Declarations,
            // The head of a class, or the end of one inside this.
            Some(TokenKind::Ident) if cursor.names_class(at) => return Section::Declarations,
            _ => {}
        }
    }
    Section::Declarations
}

/// What the brackets that open at `open` modify; `None` where they are those of a call or an expression.
fn modified(cursor: &Cursor<'_>, open: usize, depth: u32) -> Option<Modified> {
    let last = cursor.before_subscripts(open)?;
    if cursor.kind(last) != Some(TokenKind::Ident) {
        return None;
    }
    let head = cursor.dotted(last);
    let of_path = |dotted: &crate::cursor::Dotted| {
        let symbol = cursor.resolve(dotted);
        let scope = cursor.scope(dotted.first);
        Modified {
            class: symbol.and_then(|symbol| class_of(cursor.db(), symbol)),
            predefined: match (symbol, scope) {
                (Some(symbol), _) => predefined(cursor.db(), symbol),
                (None, Some(scope)) => {
                    predefined_path(cursor.db(), scope, dotted.global, &dotted.names)
                }
                (None, None) => None,
            },
        }
    };
    let outer = || cursor.open_bracket(head.first);
    match cursor.kind_before(head.first)? {
        TokenKind::Extends | TokenKind::ConstrainedBy => Some(of_path(&head)),
        // A declaration: its type stands before it.
        TokenKind::Ident | TokenKind::RBracket => {
            let end = cursor.before_subscripts(head.first)?;
            (cursor.kind(end) == Some(TokenKind::Ident)).then(|| of_path(&cursor.dotted(end)))
        }
        // `type T = Real(|`
        TokenKind::Equals => {
            let name = head.first.checked_sub(2)?;
            let declares = cursor.kind(name) == Some(TokenKind::Ident) && cursor.names_class(name);
            declares.then(|| of_path(&head))
        }
        // `Real x, y(|`
        TokenKind::Comma
            if outer().is_none() && section(cursor, head.first) == Section::Declarations =>
        {
            Some(of_path(&head))
        }
        TokenKind::LParen | TokenKind::Comma | TokenKind::Each | TokenKind::Final if depth > 0 => {
            let around = modified(cursor, outer()?, depth - 1)?;
            let &[name] = head.names.as_slice() else {
                return Some(Modified::default());
            };
            let inner = around.class.and_then(|it| member(cursor.db(), it, name));
            Some(inner.map_or_else(Modified::default, |inner| Modified {
                class: class_of(cursor.db(), inner),
                predefined: predefined(cursor.db(), inner),
            }))
        }
        _ => None,
    }
}
