//! Where a name is used, and what can be called otherwise.
//!
//! A search goes through the words of the files it is given; a word with the right text counts if it means the
//! same thing. Nothing is instantiated, so it works in text that does not compile, and it costs
//! O(length of the files) plus one lookup per word of that name.

use crate::cursor::{Cursor, Meaning};
use crate::symbols::dotted;
use modeshift_base::{FileId, FileSpan, FxHashSet, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, bases, lookup, member};
use modeshift_hir::{ClassId, Element, class, enclosing, full_name};
use modeshift_syntax::ast::{ElementPrefixes, ImportKind};
use modeshift_syntax::{TokenKind, lex};

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
enum Identity {
    Symbol(Symbol),
    /// Declared `inner` or `outer` under that name.
    Shared(Name),
    Local(FileId, Span),
}

fn identity(db: &dyn Db, file: SourceFile, meaning: Meaning) -> Identity {
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

/// Why something cannot be renamed, for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameError(pub String);

impl std::fmt::Display for RenameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenameError {}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RenameError> {
    Err(RenameError(reason.into()))
}

/// The word that would be renamed. Asked before the user types a new name.
pub fn prepare_rename(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Result<Span, RenameError> {
    let cursor = Cursor::new(db, file);
    let Some(index) = cursor.identifier_at(offset) else {
        return refuse("there is no name here");
    };
    let Some(meaning) = cursor.meaning(index) else {
        return refuse(format!("`{}` is not declared anywhere", cursor.name(index)));
    };
    let wanted = identity(db, file, meaning);
    if let Identity::Symbol(symbol) = wanted {
        let home = owner(symbol).file(db);
        if !files.contains(&home) {
            let path = home.path(db).display();
            return refuse(format!(
                "`{}` is declared in a library: {path}",
                symbol.name(db)
            ));
        }
        if cursor.name(index) != symbol.name(db) {
            return refuse(format!(
                "`{}` is another name for `{}` here; rename it where it is imported",
                cursor.name(index),
                symbol.name(db)
            ));
        }
    }
    Ok(cursor.span(index))
}

const fn owner(symbol: Symbol) -> ClassId {
    match symbol {
        Symbol::Class(class) | Symbol::Component { class, .. } | Symbol::Literal { class, .. } => {
            class
        }
    }
}

/// The places that a new name has to be written to. A name that would change the meaning of anything else is
/// refused.
pub fn rename(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    new: &str,
    files: &[SourceFile],
) -> Result<Vec<FileSpan>, RenameError> {
    let here = prepare_rename(db, file, offset, files)?;
    check_identifier(new)?;
    let old = Name::new(&file.text(db)[here.range()]);
    let new = Name::new(new);
    if old == new {
        return Ok(Vec::new());
    }
    let Some(uses) = references(db, file, offset, files) else {
        return refuse("there is no name here");
    };
    // An alias stays: the import leads it to the new name.
    let text_at = |place: FileSpan| {
        let file = db.files().by_id(place.file)?;
        file.text(db).get(place.span.range())
    };
    let places: Vec<FileSpan> = uses
        .iter()
        .map(|it| it.at)
        .filter(|place| text_at(*place) == Some(old.as_str()))
        .collect();
    let mut cursor = Cursor::new(db, file);
    for place in &places {
        if let Some(file) = db.files().by_id(place.file)
            && file != cursor.file()
        {
            cursor = Cursor::new(db, file);
        }
        check_free(db, &cursor, place.span, old, new)?;
    }
    check_no_member(db, file, offset, new)?;
    Ok(places)
}

fn check_identifier(new: &str) -> Result<(), RenameError> {
    let lexed = lex(new);
    match lexed.tokens.as_slice() {
        [token] if token.kind == TokenKind::Ident && token.span.len() as usize == new.len() => {
            Ok(())
        }
        [token] if token.span.len() as usize == new.len() && token.kind != TokenKind::Error => {
            refuse(format!("`{new}` is a word of Modelica"))
        }
        _ => refuse(format!(
            "`{new}` is not an identifier; in quotes any text is one: `'{}'`",
            new.replace('\'', "")
        )),
    }
}

/// Where a name is written first in a path, the new one must not mean anything yet.
fn check_free(
    db: &dyn Db,
    cursor: &Cursor<'_>,
    place: Span,
    old: Name,
    new: Name,
) -> Result<(), RenameError> {
    let index = cursor.identifier_at(place.start).filter(|&index| {
        let is_first = cursor.kind_before(index) != Some(TokenKind::Dot);
        is_first && !cursor.names_class(index) && !cursor.is_named_argument(index)
    });
    let (Some(index), Some(scope)) = (index, cursor.scope_at(place.start)) else {
        return Ok(());
    };
    if cursor.has_local(index, new) {
        return refuse(format!(
            "`{new}` is an iterator where `{old}` is used in `{}`",
            dotted(full_name(db, scope))
        ));
    }
    match lookup(db, scope, new) {
        Some(other) => {
            let owner = dotted(full_name(db, owner(other)));
            let owner = match other {
                Symbol::Class(_) => owner,
                _ => format!("{owner}.{new}"),
            };
            refuse(format!(
                "`{new}` already means `{owner}` where `{old}` is used in `{}`",
                dotted(full_name(db, scope))
            ))
        }
        None => Ok(()),
    }
}

/// The class that declares the name, and those that inherit it, must not have the new one.
fn check_no_member(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    new: Name,
) -> Result<(), RenameError> {
    let cursor = Cursor::new(db, file);
    let symbol = cursor
        .identifier_at(offset)
        .and_then(|index| cursor.symbol(index));
    let home = match symbol {
        Some(Symbol::Class(id)) => enclosing(db, id),
        Some(Symbol::Component { class, .. } | Symbol::Literal { class, .. }) => Some(class),
        None => None,
    };
    match home.filter(|&home| member(db, home, new).is_some()) {
        Some(home) => refuse(format!(
            "`{}` has a `{new}` already",
            dotted(full_name(db, home))
        )),
        None => Ok(()),
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
