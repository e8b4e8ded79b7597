//! The tree of what a file declares, and finding classes by a part of their name.

use modeshift_base::{FileSpan, Name, Span};
use modeshift_db::{Db, SourceFile};
use modeshift_hir::{
    ClassId, ClassSpan, Element, all_classes, class, class_layout, full_name, resolve,
};
use modeshift_syntax::ast::{ClassKind, VariabilityPrefix};

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

/// Everything a file declares, as a tree. O(size of the file).
pub fn document_symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    let top = all_classes(db, file)
        .into_iter()
        .filter(|id| id.parent(db).is_none());
    top.map(|id| class_symbol(db, id)).collect()
}

fn class_symbol(db: &dyn Db, id: ClassId) -> Symbol {
    let data = class(db, id);
    let layout = class_layout(db, id);
    let children = data
        .elements()
        .iter()
        .filter_map(|element| match element {
            Element::Class(nested) => Some(class_symbol(db, nested.id)),
            Element::Component(component) => Some(Symbol {
                name: component.name.name,
                kind: match component.clause.type_prefix.variability {
                    Some(VariabilityPrefix::Constant) => SymbolKind::Constant,
                    Some(VariabilityPrefix::Parameter) => SymbolKind::Parameter,
                    _ => SymbolKind::Component,
                },
                detail: dotted(
                    component
                        .clause
                        .type_name
                        .parts
                        .iter()
                        .map(|part| part.name),
                ),
                span: layout.to_file(component.span),
                selection: layout.to_file(component.name.span),
                children: Vec::new(),
            }),
            Element::Import(_) | Element::Extends(_) => None,
        })
        .collect();
    Symbol {
        name: data.name.name,
        kind: SymbolKind::Class(data.kind),
        detail: data
            .description
            .as_ref()
            .map(|text| text.text.to_string())
            .unwrap_or_default(),
        span: layout.file_span(),
        selection: layout.to_file(data.name.span),
        children,
    }
}

/// The innermost class around a position. At the very end of a class it is still that class.
pub fn class_at(db: &dyn Db, file: SourceFile, offset: u32) -> Option<ClassId> {
    // Nested classes come after those around them, so the last match is the innermost.
    all_classes(db, file).into_iter().rfind(|&id| {
        let span = class_layout(db, id).file_span();
        span.start <= offset && offset <= span.end
    })
}

/// Classes of the given files whose full name contains `query`, letter case aside; exact names first,
/// then those that start with it. O(number of classes).
pub fn workspace_symbols(
    db: &dyn Db,
    files: impl IntoIterator<Item = SourceFile>,
    query: &str,
    limit: usize,
) -> Vec<(String, SymbolKind, FileSpan)> {
    let query = query.to_lowercase();
    let mut found: Vec<(u8, String, ClassId)> = files
        .into_iter()
        .flat_map(|file| all_classes(db, file))
        .filter_map(|id| {
            let name = id.name(db).as_str().to_lowercase();
            let full = dotted(full_name(db, id));
            let rank = match () {
                () if name == query => 0,
                () if name.starts_with(&query) => 1,
                () if name.contains(&query) => 2,
                () if full.to_lowercase().contains(&query) => 3,
                () => return None,
            };
            Some((rank, full, id))
        })
        .collect();
    found.sort();
    found.truncate(limit);
    found
        .into_iter()
        .map(|(_, full, id)| {
            let data = class(db, id);
            let place = resolve(db, ClassSpan::new(id, data.name.span));
            (full, SymbolKind::Class(data.kind), place)
        })
        .collect()
}

/// `A.B.C`
pub(crate) fn dotted(names: impl IntoIterator<Item = Name>) -> String {
    let names: Vec<&str> = names.into_iter().map(Name::as_str).collect();
    names.join(".")
}
