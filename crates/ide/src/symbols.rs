//! The tree of what a file declares, and finding classes by a part of their name.

use crate::cursor::Cursor;
use crate::index::{ClassIndex, Entry, fuzzy};
use modeshift_base::{FileSpan, FxHashSet, Name, Span};
use modeshift_db::{Db, SourceFile, parse};
use modeshift_hir::{ClassId, ClassSpan, all_classes, class, full_name, resolve};
use modeshift_syntax::ast::{
    ClassDef, ClassKind, ClassSpec, Element, ElementKind, VariabilityPrefix,
};

/// What a symbol is, as far as icons tell it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    Class(ClassKind),
    Constant,
    Parameter,
    /// A variable or a component with parts.
    Component,
}

/// Something declared in a file. Spans are in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: Name,
    pub kind: SymbolKind,
    /// The type of a component, the description of a class.
    pub detail: String,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub selection: Span,
    pub children: Vec<Symbol>,
}

/// More symbols of one file are of no use, and take the protocol kilobytes each.
const MAX_SYMBOLS: usize = 50_000;

/// How much of a file is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depth {
    /// Classes of the file, without what is in them.
    Top,
    Classes,
    All,
}

/// What a file declares, as a tree: everything, or of a very large file classes alone, or only those that are in no other.
/// Taken from the syntax tree. O(size of the file).
pub fn document_symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    let classes = &parse(db, file).file.classes;
    let number = |depth| -> usize { classes.iter().map(|it| number(it, depth)).sum() };
    let depths = [Depth::All, Depth::Classes];
    let fits = depths.into_iter().find(|&it| number(it) <= MAX_SYMBOLS);
    let depth = fits.unwrap_or(Depth::Top);
    classes.iter().map(|it| class_symbol(it, depth)).collect()
}

fn elements(def: &ClassDef, depth: Depth) -> &[Element] {
    match &def.spec {
        ClassSpec::Long(body) | ClassSpec::Extends { body, .. } if depth != Depth::Top => {
            &body.elements
        }
        _ => &[],
    }
}

/// How many symbols a class becomes.
fn number(def: &ClassDef, depth: Depth) -> usize {
    let inside = elements(def, depth).iter().map(|it| match &it.kind {
        ElementKind::Class(def) => number(def, depth),
        ElementKind::Components(clause) if depth == Depth::All => clause.declarations.len(),
        _ => 0,
    });
    1 + inside.sum::<usize>()
}

fn class_symbol(def: &ClassDef, depth: Depth) -> Symbol {
    let inside = elements(def, depth).iter();
    let about = def.comment.description.as_ref();
    Symbol {
        name: def.name.name,
        kind: SymbolKind::Class(def.kind),
        detail: about.map(|it| it.text.to_string()).unwrap_or_default(),
        span: def.span,
        selection: def.name.span,
        children: inside.flat_map(|it| element_symbols(it, depth)).collect(),
    }
}

fn element_symbols(element: &Element, depth: Depth) -> Vec<Symbol> {
    match &element.kind {
        ElementKind::Class(def) => vec![class_symbol(def, depth)],
        ElementKind::Components(clause) if depth == Depth::All => {
            let kind = match clause.type_prefix.variability {
                Some(VariabilityPrefix::Constant) => SymbolKind::Constant,
                Some(VariabilityPrefix::Parameter) => SymbolKind::Parameter,
                _ => SymbolKind::Component,
            };
            let detail = dotted(clause.type_name.parts.iter().map(|part| part.name));
            let declared = clause.declarations.iter();
            declared
                .map(|it| Symbol {
                    name: it.name.name,
                    kind,
                    detail: detail.clone(),
                    span: it.span,
                    selection: it.name.span,
                    children: Vec::new(),
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The innermost class around a position. At the very end of a class it is still that class.
pub fn class_at(db: &dyn Db, file: SourceFile, offset: u32) -> Option<ClassId> {
    Cursor::new(db, file).scope_at(offset)
}

/// Classes of the given files and of the libraries that fit `query`, the best first: its letters occur in the name in
/// this order, or it is a part of the full name. O(number of classes).
pub fn workspace_symbols(
    db: &dyn Db,
    files: impl IntoIterator<Item = SourceFile>,
    index: &ClassIndex,
    query: &str,
    limit: usize,
) -> Vec<(String, SymbolKind, FileSpan)> {
    let lower = query.to_lowercase();
    // The path to a class is looked at last, and only as it is written.
    let rank = |name: &str, full: &str| {
        let in_path = || full.to_lowercase().contains(&lower).then_some(u32::MAX);
        fuzzy(query, name).or_else(in_path)
    };
    let mut paths = FxHashSet::default();
    let mut found: Vec<(u32, bool, String, Hit<'_>)> = Vec::new();
    for file in files {
        paths.insert(file.path(db));
        for id in all_classes(db, file) {
            let full = dotted(full_name(db, id));
            let fits = rank(id.name(db).as_str(), &full);
            found.extend(fits.map(|rank| (rank, false, full, Hit::Class(id))));
        }
    }
    for entry in index.iter().filter(|it| !paths.contains(&*it.path)) {
        let fits = rank(entry.name.as_str(), &entry.full);
        found.extend(fits.map(|rank| (rank, true, entry.full.clone(), Hit::Entry(entry))));
    }
    // What the user works on comes before what is only used, and short names before long ones.
    found.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    found.truncate(limit);
    found
        .into_iter()
        .map(|(_, _, full, hit)| match hit {
            Hit::Class(id) => {
                let data = class(db, id);
                let place = resolve(db, ClassSpan::new(id, data.name.span));
                (full, SymbolKind::Class(data.kind), place)
            }
            Hit::Entry(entry) => {
                let file = db.files().source(db, &entry.path);
                let place = FileSpan {
                    file: file.id(db),
                    span: entry.span,
                };
                (full, SymbolKind::Class(entry.kind), place)
            }
        })
        .collect()
}

enum Hit<'a> {
    Class(ClassId),
    Entry(&'a Entry),
}

/// `A.B.C`
pub(crate) fn dotted(names: impl IntoIterator<Item = Name>) -> String {
    let names: Vec<&str> = names.into_iter().map(Name::as_str).collect();
    names.join(".")
}
