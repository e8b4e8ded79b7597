//! What could be typed at a position.

mod members;
mod place;
mod words;

use crate::cursor::Cursor;
use crate::format::TextEdit;
use crate::index::ClassIndex;
use members::{Found, Wanted};
use modeshift_base::{Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, class_of, lookup};
use modeshift_hir::{ClassId, class_layout, enclosing, root_names};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::ClassKind;
use place::{Place, place};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompletionKind {
    Class(ClassKind),
    /// A class whose file has not been read.
    UnreadClass,
    Component,
    Literal,
    /// `start`, `fixed`, …
    Attribute,
    Keyword,
    /// A construct with places to fill in.
    Snippet,
}

/// One proposal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    pub name: Name,
    pub kind: CompletionKind,
    /// The type of a component, or where an inherited element comes from.
    pub detail: String,
    /// What it is about, in Markdown; empty if nothing is known yet.
    pub documentation: String,
    /// What is inserted instead of the name, in the snippet syntax of editors: `${1:x}` is filled in.
    pub snippet: Option<String>,
    /// Makes the name known: an `import`.
    pub import: Option<TextEdit>,
    /// The full name of the class that is proposed: [`crate::class_documentation`] tells more about it.
    pub class: Option<String>,
}

/// Proposals for a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// What a chosen proposal replaces.
    pub span: Span,
    pub items: Vec<Completion>,
    /// More may be proposed when more has been typed.
    pub incomplete: bool,
}

/// Proposals for the word at `offset`. They are not filtered by what has been typed, because editors do that; only
/// classes that would have to be imported must begin with it. Nothing is read for them and nothing analysed.
/// O(length of the file + number of proposals).
pub fn completions(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    index: Option<&ClassIndex>,
) -> Completions {
    let cursor = Cursor::new(db, file);
    let (span, at) = match cursor.identifier_at(offset) {
        Some(at) => (cursor.span(at), at),
        None => match cursor.keyword_before(offset) {
            Some(at) => (cursor.span(at), at),
            None => (Span::new(offset, offset), cursor.index_after(offset)),
        },
    };
    let mut completions = Completions {
        span,
        items: Vec::new(),
        incomplete: false,
    };
    if cursor.in_text(offset) || cursor.is_number_before(offset) {
        return completions;
    }
    let mut found = Found::new(db);
    let annotation = cursor.annotation_path(at);
    let here = place(&cursor, at, cursor.scope_at(offset).is_some());
    if let Some(before) = cursor.before_dot(at) {
        if let (Some(_), [name]) = (&annotation, before.names.as_slice()) {
            found.annotation_literals(name.as_str());
        }
        if let Some(symbol) = cursor.resolve(&before)
            && let Some(class) = class_of(db, symbol)
        {
            let wanted = match here {
                Place::Connect => Wanted::Connectors,
                Place::Class | Place::Element { .. } | Place::Import => Wanted::Classes,
                _ if matches!(symbol, Symbol::Class(_)) => Wanted::OfPackage,
                _ => Wanted::OfComponent,
            };
            found.members(class, wanted);
        }
        completions.items = found.items;
        return completions;
    }
    if let Some(path) = &annotation
        && found.annotations(&cursor, at, path)
    {
        completions.items = found.items;
        return completions;
    }
    let scope = cursor.scope_at(offset);
    let typed = Span::new(span.start, offset.max(span.start));
    let typed = file.text(db).get(typed.range()).unwrap_or_default();
    let importing = |found: &mut Found<'_>, functions_only: bool| {
        let Some(scope) = scope else {
            return false;
        };
        // Until the libraries have been looked through, the answer is not the last one.
        let Some(index) = index else {
            return true;
        };
        if typed.chars().count() < MIN_TYPED {
            return true;
        }
        let edit = Importing::new(db, &cursor, scope);
        for entry in index.starting_with(typed, MAX_IMPORTED) {
            let callable = matches!(
                entry.kind,
                ClassKind::Function | ClassKind::OperatorFunction | ClassKind::Package
            );
            if (callable || !functions_only) && lookup(db, scope, entry.name).is_none() {
                found.imported(entry, edit.of(&entry.full));
            }
        }
        true
    };
    match here {
        Place::Nothing => {}
        // The class whose `end` this is may already be over.
        Place::End => {
            let end = at.checked_sub(1).map(|end| cursor.span(end).start);
            found.closings(&cursor, at, end.and_then(|end| cursor.scope_at(end)));
        }
        Place::Import => found.roots(),
        Place::Connect => found.connectors_in_scope(scope),
        Place::Modifier(modified) => {
            if let Some(class) = modified.class {
                found.members(class, Wanted::Modifiable);
            }
            if let Some(predefined) = modified.predefined {
                found.attributes(predefined);
            }
            found.words(words::MODIFIER);
        }
        Place::Class => {
            found.visible(scope, Wanted::Classes);
            completions.incomplete = importing(&mut found, false);
        }
        Place::Element { begins } => {
            found.visible(scope, Wanted::Classes);
            found.words(words::TYPES);
            found.words(words::PREFIXES);
            if begins {
                found.words(words::ELEMENT);
                found.words(words::CLASS);
                found.snippets(words::ELEMENT_SNIPPETS);
            }
            completions.incomplete = importing(&mut found, false);
        }
        Place::Top => {
            found.words(words::TOP);
            found.words(words::CLASS);
            found.snippets(words::CLASS_SNIPPETS);
        }
        Place::Equation | Place::Statement | Place::Expression => {
            found.named_arguments(&cursor, at);
            found.visible(scope, Wanted::All);
            found.builtins();
            match here {
                Place::Equation => {
                    found.snippets(words::EQUATION_SNIPPETS);
                    found.words(words::EQUATION);
                }
                Place::Statement => {
                    found.snippets(words::STATEMENT_SNIPPETS);
                    found.words(words::STATEMENT);
                }
                _ => {}
            }
            found.words(words::EXPRESSION);
            completions.incomplete = importing(&mut found, true);
        }
    }
    completions.items = found.items;
    completions
}

/// Classes are proposed for import when so many letters have been typed.
const MIN_TYPED: usize = 2;

/// Most classes that are proposed for import.
const MAX_IMPORTED: usize = 40;

/// Where an `import` is written: as the first element of the class around the position.
struct Importing {
    offset: u32,
    indent: String,
}

impl Importing {
    fn new(db: &dyn Db, cursor: &Cursor<'_>, scope: ClassId) -> Self {
        // A package that only holds the class would have to be encapsulated to matter: the class itself imports.
        let span = class_layout(db, scope).file_span();
        let mut at = cursor.index_after(span.start);
        while at < cursor.len() && !cursor.names_class(at) {
            at += 1;
        }
        while matches!(
            cursor.kind(at + 1),
            Some(TokenKind::String | TokenKind::Plus)
        ) {
            at += 1;
        }
        let offset = match at < cursor.len() {
            true => cursor.span(at).end,
            false => span.start,
        };
        let depth = {
            let (mut depth, mut around) = (1, Some(scope));
            while let Some(parent) = around.and_then(|it| it.parent(db)) {
                (depth, around) = (depth + 1, Some(parent));
            }
            depth
        };
        Self {
            offset,
            indent: "  ".repeat(depth),
        }
    }

    fn of(&self, full: &str) -> TextEdit {
        TextEdit {
            span: Span::new(self.offset, self.offset),
            text: format!("\n{}import {full};", self.indent),
        }
    }
}

/// The classes from `scope` outwards whose elements can be named without a path.
fn scopes(db: &dyn Db, scope: Option<ClassId>) -> impl Iterator<Item = ClassId> {
    const MAX_DEPTH: usize = 1000;
    std::iter::successors(scope, |&class| {
        enclosing(db, class).filter(|_| !modeshift_hir::class(db, class).encapsulated)
    })
    .take(MAX_DEPTH)
}

fn roots(db: &dyn Db) -> Vec<Name> {
    root_names(db)
}
