//! Who inherits from whom, and who calls whom.

use crate::cursor::Cursor;
use crate::references::references;
use crate::symbols::{SymbolKind, class_at, dotted};
use modeshift_base::{FileSpan, FxIndexMap, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, bases, class_of};
use modeshift_hir::{ClassId, ClassSpan, all_classes, class, class_layout, full_name, resolve};
use modeshift_syntax::TokenKind;
use modeshift_syntax::ast::ClassKind;

/// A class in a hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchyItem {
    /// Its full name.
    pub name: String,
    pub kind: SymbolKind,
    pub about: String,
    pub declaration: FileSpan,
    pub selection: FileSpan,
}

/// Calls between two functions: the other one, and where it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calls {
    pub item: HierarchyItem,
    pub at: Vec<Span>,
}

fn item(db: &dyn Db, id: ClassId) -> HierarchyItem {
    let data = class(db, id);
    let about = data.description.as_ref().map(|it| it.text.to_string());
    HierarchyItem {
        name: dotted(full_name(db, id)),
        kind: SymbolKind::Class(data.kind),
        about: about.unwrap_or_default(),
        declaration: FileSpan {
            file: id.file(db).id(db),
            span: class_layout(db, id).file_span(),
        },
        selection: resolve(db, ClassSpan::new(id, data.name.span)),
    }
}

/// The class at a position: the one named there, or that of the component.
fn named(db: &dyn Db, file: SourceFile, offset: u32) -> Option<ClassId> {
    let cursor = Cursor::new(db, file);
    let index = cursor.identifier_at(offset)?;
    class_of(db, cursor.symbol(index)?)
}

/// The class whose hierarchy is asked for at `offset`.
pub fn type_item(db: &dyn Db, file: SourceFile, offset: u32) -> Option<HierarchyItem> {
    named(db, file, offset).map(|id| item(db, id))
}

/// The classes that the class at `offset` inherits from.
pub fn supertypes(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Vec<HierarchyItem>> {
    let id = named(db, file, offset)?;
    Some(bases(db, id).iter().map(|&base| item(db, base)).collect())
}

/// The classes of the given files that inherit from the class at `offset` directly. O(classes of the files).
pub fn subtypes(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Option<Vec<HierarchyItem>> {
    let wanted = named(db, file, offset)?;
    let all = files.iter().flat_map(|&file| all_classes(db, file));
    let found = all.filter(|&id| bases(db, id).contains(&wanted));
    Some(found.map(|id| item(db, id)).collect())
}

/// The function at `offset`, if it is one.
pub fn call_item(db: &dyn Db, file: SourceFile, offset: u32) -> Option<HierarchyItem> {
    called(db, file, offset).map(|id| item(db, id))
}

fn called(db: &dyn Db, file: SourceFile, offset: u32) -> Option<ClassId> {
    named(db, file, offset).filter(|&id| is_function(db, id))
}

fn is_function(db: &dyn Db, id: ClassId) -> bool {
    matches!(
        class(db, id).kind,
        ClassKind::Function | ClassKind::OperatorFunction
    )
}

/// The classes of the given files that call the function at `offset`. O(length of the files).
pub fn incoming_calls(
    db: &dyn Db,
    file: SourceFile,
    offset: u32,
    files: &[SourceFile],
) -> Option<Vec<Calls>> {
    called(db, file, offset)?;
    let mut by_caller: FxIndexMap<ClassId, Vec<Span>> = FxIndexMap::default();
    let mut cursor = Cursor::new(db, file);
    for reference in references(db, file, offset, files)? {
        let Some(home) = db.files().by_id(reference.at.file) else {
            continue;
        };
        if home != cursor.file() {
            cursor = Cursor::new(db, home);
        }
        let span = reference.at.span;
        let index = cursor.identifier_at(span.start);
        let is_call = index.is_some_and(|it| cursor.kind(it + 1) == Some(TokenKind::LParen));
        if is_call && let Some(caller) = class_at(db, home, span.start) {
            by_caller.entry(caller).or_default().push(span);
        }
    }
    Some(calls(db, by_caller))
}

/// The functions that the class at `offset` calls. O(length of the class).
pub fn outgoing_calls(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Vec<Calls>> {
    let id = named(db, file, offset)?;
    let home = id.file(db);
    let cursor = Cursor::new(db, home);
    let span = class_layout(db, id).file_span();
    let mut by_callee: FxIndexMap<ClassId, Vec<Span>> = FxIndexMap::default();
    for index in cursor.index_after(span.start)..cursor.len() {
        let at = cursor.span(index);
        if at.end > span.end {
            break;
        }
        let call = cursor.kind(index) == Some(TokenKind::Ident)
            && cursor.kind(index + 1) == Some(TokenKind::LParen);
        if call
            && let Some(Symbol::Class(callee)) = cursor.symbol(index)
            && is_function(db, callee)
            && callee != id
        {
            by_callee.entry(callee).or_default().push(at);
        }
    }
    Some(calls(db, by_callee))
}

fn calls(db: &dyn Db, by_class: FxIndexMap<ClassId, Vec<Span>>) -> Vec<Calls> {
    let calls = by_class.into_iter().map(|(id, at)| Calls {
        item: item(db, id),
        at,
    });
    calls.collect()
}
