//! What can be called otherwise, and what has to change for it: uses, files, directories, `package.order`.

use crate::cursor::Cursor;
use crate::references::{Identity, identity, references};
use crate::symbols::dotted;
use modeshift_base::{FileSpan, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, lookup, member};
use modeshift_hir::{ClassId, enclosing, full_name};
use modeshift_syntax::{TokenKind, lex};
use std::path::{Path, PathBuf};

/// What a new name changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rename {
    /// Where the new name is written, in files under their old names.
    pub places: Vec<FileSpan>,
    /// Files and directories that get a new name after that.
    pub moves: Vec<(PathBuf, PathBuf)>,
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

/// What has to change for a new name. A name that would change the meaning of anything else is refused.
pub fn rename(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    new: &str,
    files: &[SourceFile],
) -> Result<Rename, RenameError> {
    let here = prepare_rename(db, file, offset, files)?;
    check_identifier(new)?;
    let old = Name::new(&file.text(db)[here.range()]);
    let new = Name::new(new);
    if old == new {
        return Ok(Rename::default());
    }
    let Some(uses) = references(db, file, offset, files) else {
        return refuse("there is no name here");
    };
    // An alias stays: the import leads it to the new name.
    let text_at = |place: FileSpan| {
        let file = db.files().by_id(place.file)?;
        file.text(db).get(place.span.range())
    };
    let mut places: Vec<FileSpan> = uses
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
    let cursor = Cursor::new(db, file);
    let symbol = cursor
        .identifier_at(offset)
        .and_then(|index| cursor.symbol(index));
    let moves = match symbol {
        Some(symbol) => {
            places.extend(ordered(db, symbol, old));
            moved(db, symbol, old, new)?
        }
        None => Vec::new(),
    };
    Ok(Rename { places, moves })
}

/// The file or directory that a class is stored in under its name, and what it becomes.
fn moved(
    db: &dyn Db,
    symbol: Symbol,
    old: Name,
    new: Name,
) -> Result<Vec<(PathBuf, PathBuf)>, RenameError> {
    let Symbol::Class(id) = symbol else {
        return Ok(Vec::new());
    };
    let file = id.file(db).path(db);
    let stored = match id.parent(db) {
        None if is_package(file) => file.parent(),
        None => Some(file).filter(|file| file.file_stem() == Some(old.as_str().as_ref())),
        Some(_) => None,
    };
    let Some((stored, name)) = stored.and_then(|it| Some((it, it.file_name()?.to_str()?))) else {
        return Ok(Vec::new());
    };
    // `Old.mo`, `Old`, and of a library `Old 1.2`.
    let Some(rest) = name
        .strip_prefix(old.as_str())
        .filter(|rest| rest.is_empty() || *rest == ".mo" || rest.starts_with(' '))
    else {
        return Ok(Vec::new());
    };
    let target = stored.with_file_name(format!("{new}{rest}"));
    let listing = stored.parent().map(|dir| db.files().directory(db, dir));
    let entries = listing.and_then(|it| it.entries(db).clone());
    let taken = target.file_name().and_then(|it| it.to_str());
    if entries.is_some_and(|it| it.iter().any(|entry| Some(entry.name.as_str()) == taken)) {
        return refuse(format!("there is a `{}` already", target.display()));
    }
    Ok(vec![(stored.to_owned(), target)])
}

fn is_package(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "package.mo")
}

/// The line of `package.order` that names an element of a package.
fn ordered(db: &dyn Db, symbol: Symbol, old: Name) -> Option<FileSpan> {
    let dir = match symbol {
        Symbol::Class(id) => {
            let file = id.file(db).path(db);
            match id.parent(db) {
                None if is_package(file) => file.parent()?.parent()?,
                None => file.parent()?,
                Some(parent) => directory_of(db, parent)?,
            }
        }
        Symbol::Component { class, .. } => directory_of(db, class)?,
        Symbol::Literal { .. } => return None,
    };
    if !db
        .files()
        .directory(db, dir)
        .has(db, "package.order", false)
    {
        return None;
    }
    let order = db.files().source(db, &dir.join("package.order"));
    let mut start = 0;
    for line in order.text(db).split_inclusive('\n') {
        let name = line.trim();
        let at = start + (line.len() - line.trim_start().len()) as u32;
        start += line.len() as u32;
        if name == old.as_str() {
            return Some(FileSpan {
                file: order.id(db),
                span: Span::new(at, at + name.len() as u32),
            });
        }
    }
    None
}

/// The directory of a package that is stored as one.
fn directory_of(db: &dyn Db, class: ClassId) -> Option<&Path> {
    let file = class.file(db).path(db);
    (class.parent(db).is_none() && is_package(file)).then(|| file.parent())?
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
