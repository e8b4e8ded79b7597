//! Where a name is used, and what can be called otherwise.
//!
//! A search goes through the words of the files it is given; a word with the right text counts if it means the
//! same thing. Nothing is instantiated, so it works in text that does not compile, and it costs
//! O(length of the files) plus one lookup per word of that name.

use crate::cursor::{Cursor, Meaning};
use modeshift_base::{FileId, FileSpan, FxHashSet, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, bases, member};
use modeshift_hir::{Element, class};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::{ElementPrefixes, ImportKind};

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Usage {
    Declaration,
    Write,
    Read,
}

/// One use of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    pub at: FileSpan,
    pub usage: Usage,
}

/// What words must have in common to be the same thing. Redeclarations are the element they replace, because
/// they cannot have another name; so are all `inner` and `outer` elements of one name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Identity {
    Symbol(Symbol),
    /// Declared `inner` or `outer` under that name.
    Shared(Name),
    Local(FileId, Span),
}

pub(crate) fn identity(db: &dyn Db, file: SourceFile, meaning: Meaning) -> Identity {
    match meaning {
        Meaning::Local(span) => Identity::Local(file.id(db), span),
        Meaning::Symbol(symbol) => {
            let root = redeclared(db, symbol);
            match prefixes(db, root) {
                Some(it) if it.inner || it.outer => Identity::Shared(root.name(db)),
                _ => Identity::Symbol(root),
            }
        }
    }
}

fn prefixes(db: &dyn Db, symbol: Symbol) -> Option<ElementPrefixes> {
    match symbol {
        Symbol::Class(id) => Some(class(db, id).prefixes),
        Symbol::Component { class: id, element } => match class(db, id).elements().get(element)? {
            Element::Component(component) => Some(component.clause.prefixes),
            _ => None,
        },
        Symbol::Literal { .. } => None,
    }
}

/// The element that a chain of redeclarations began with.
fn redeclared(db: &dyn Db, symbol: Symbol) -> Symbol {
    let mut at = symbol;
    let mut seen = FxHashSet::default();
    while seen.insert(at)
        && let Some(before) = overridden(db, at)
    {
        at = before;
    }
    at
}

/// The inherited element that a `redeclare` or `model extends` replaces.
fn overridden(db: &dyn Db, symbol: Symbol) -> Option<Symbol> {
    let (owner, replaces) = match symbol {
        Symbol::Class(id) => {
            let owner = id.parent(db)?;
            let declared = class(db, owner).classes().find(|nested| nested.id == id)?;
            (owner, declared.prefixes.redeclare || declared.class_extends)
        }
        Symbol::Component { class: owner, .. } => (owner, prefixes(db, symbol)?.redeclare),
        Symbol::Literal { .. } => return None,
    };
    let name = symbol.name(db);
    let mut bases = bases(db, owner).iter();
    replaces.then(|| bases.find_map(|&base| member(db, base, name)))?
}

/// All uses of what stands at `offset`, in the given files, in the order of the files; the declaration is
/// among them when it is in one of them.
pub fn references(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Option<Vec<Reference>> {
    let cursor = Cursor::new(db, file);
    let index = cursor.identifier_at(offset)?;
    let wanted = identity(db, file, cursor.meaning(index)?);
    let name = match wanted {
        Identity::Symbol(symbol) => symbol.name(db),
        Identity::Shared(name) => name,
        Identity::Local(..) => cursor.name(index),
    };
    let here = [file];
    let files = match wanted {
        Identity::Local(..) => &here,
        _ => files,
    };
    let uses = files
        .iter()
        .flat_map(|&file| uses_in(db, file, wanted, name));
    Some(uses.collect())
}

fn uses_in(db: &dyn Db, file: SourceFile, wanted: Identity, name: Name) -> Vec<Reference> {
    // A file that never writes the name cannot import it under another one either.
    if !file.text(db).contains(name.as_str()) {
        return Vec::new();
    }
    let cursor = Cursor::new(db, file);
    let mut names = vec![name];
    names.extend(aliases(db, file, name));
    let mut found: Vec<usize> = names
        .iter()
        .flat_map(|name| cursor.named(name.as_str()).collect::<Vec<_>>())
        .filter(|&index| {
            let meaning = cursor.meaning(index);
            meaning.is_some_and(|it| identity(db, file, it) == wanted)
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    let reference = |index: usize| Reference {
        at: FileSpan {
            file: file.id(db),
            span: cursor.span(index),
        },
        usage: usage(&cursor, index),
    };
    found.into_iter().map(reference).collect()
}

/// Other names that imports of the file give to classes of that name.
fn aliases(db: &dyn Db, file: SourceFile, name: Name) -> Vec<Name> {
    let classes = modeshift_hir::all_classes(db, file);
    let imports = classes.into_iter().flat_map(|id| class(db, id).imports());
    let alias = |import: &modeshift_hir::ImportElement| match &import.import.kind {
        ImportKind::Renaming(alias) => {
            let last = import.import.path.parts.last()?;
            (last.name == name).then_some(alias.name)
        }
        _ => None,
    };
    imports.filter_map(alias).collect()
}

/// Told from the words around it: a name that is declared follows its type or a keyword of classes, and what
/// is written to stands before `:=` or, as an argument or binding, before `=`.
fn usage(cursor: &Cursor<'_>, index: usize) -> Usage {
    let declares = cursor.names_class(index)
        || cursor.kind_before(index) == Some(TokenKind::Ident)
        || cursor.declares(index);
    match cursor.kind(index + 1) {
        _ if declares => Usage::Declaration,
        Some(TokenKind::Assign) => Usage::Write,
        Some(TokenKind::Equals) if cursor.open_bracket(index).is_some() => Usage::Write,
        _ => Usage::Read,
    }
}

/// What takes the place of the class or element at `offset`: the classes that extend a class, directly or not,
/// and the redeclarations of an element. O(classes in the files × their bases).
pub fn implementations(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Option<(Span, Vec<Symbol>)> {
    let cursor = Cursor::new(db, file);
    let index = cursor.identifier_at(offset)?;
    let symbol = redeclared(db, cursor.symbol(index)?);
    let all = files
        .iter()
        .flat_map(|&file| modeshift_hir::all_classes(db, file));
    let mut found = Vec::new();
    for id in all {
        match symbol {
            Symbol::Class(class) if id != class => {
                let ancestors = modeshift_hir::statics::with_ancestors(db, id);
                let own = Symbol::Class(id);
                if ancestors.contains(&class) || redeclared(db, own) == symbol {
                    found.push(own);
                }
            }
            Symbol::Component { class: owner, .. } if id != owner => {
                let name = symbol.name(db);
                let element = class(db, id).body().and_then(|it| it.element_index(name));
                let own = element.map(|element| Symbol::Component { class: id, element });
                found.extend(own.filter(|&own| redeclared(db, own) == symbol));
            }
            _ => {}
        }
    }
    Some((cursor.span(index), found))
}
