//! The per-class queries.

use crate::data::ClassData;
use crate::id::NAME;
use crate::layout::Layout;
use crate::lower::{layout_of, lower};
use crate::{ClassId, ClassSpan, Db};
use modeshift_base::{FileSpan, Name};
use modeshift_db::parse;
use modeshift_syntax::ast::{ClassDef, ClassSpec, ElementKind, StoredDefinition};
use std::sync::Arc;

/// What a class declares. A class that does not exist (any more) is empty with [`crate::ClassSpec::Error`].
#[salsa::tracked(returns(ref))]
pub fn class(db: &dyn Db, id: ClassId) -> Arc<ClassData> {
    let tree = &parse(db, id.file(db)).file;
    Arc::new(match find(db, tree, id) {
        Some((def, protected)) => lower(db, id, def, protected),
        None => ClassData::unknown(id.name(db)),
    })
}

/// What a class declares, without its equations, its algorithms and its annotation: all that the components of its
/// instances depend on. It stays equal while an equation is typed.
#[salsa::tracked(returns(ref))]
pub fn class_declarations(db: &dyn Db, id: ClassId) -> Arc<ClassData> {
    Arc::new(class(db, id).declarations())
}

/// Where the own text of a class is in its file. This changes with every edit before or in the class:
/// ask for it only to show something to the user.
#[salsa::tracked(returns(ref))]
pub fn class_layout(db: &dyn Db, id: ClassId) -> Layout {
    let tree = &parse(db, id.file(db)).file;
    find(db, tree, id)
        .map(|(def, _)| layout_of(def, id.file(db).text(db)))
        .unwrap_or_default()
}

/// The place in the file.
pub fn resolve(db: &dyn Db, place: ClassSpan) -> FileSpan {
    let own = if place.span == NAME {
        class(db, place.class).name.span
    } else {
        place.span
    };
    let span = class_layout(db, place.class).to_file(own);
    FileSpan {
        file: place.class.file(db).id(db),
        span,
    }
}

/// The place in the file, for places that came from [`ClassSpan::to_place`]; others stay.
pub fn resolve_place(db: &dyn Db, place: FileSpan) -> FileSpan {
    ClassSpan::from_place(place).map_or(place, |place| resolve(db, place))
}

/// The definition of a class in the tree of its file, and whether it is protected.
fn find<'a>(db: &dyn Db, tree: &'a StoredDefinition, id: ClassId) -> Option<(&'a ClassDef, bool)> {
    let (name, nth) = (id.name(db), id.nth(db) as usize);
    let Some(parent) = id.parent(db) else {
        let class = tree
            .classes
            .iter()
            .filter(|class| class.name.name == name)
            .nth(nth)?;
        return Some((class, false));
    };
    let (parent, _) = find(db, tree, parent)?;
    nested(parent, name).nth(nth)
}

fn nested(def: &ClassDef, name: Name) -> impl Iterator<Item = (&ClassDef, bool)> {
    let elements = match &def.spec {
        ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => body.elements.as_slice(),
        _ => &[],
    };
    elements
        .iter()
        .filter_map(move |element| match &element.kind {
            ElementKind::Class(class) if class.name.name == name => {
                Some((class.as_ref(), element.protected))
            }
            _ => None,
        })
}
