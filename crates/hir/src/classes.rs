//! The per-class queries.

use crate::data::ClassData;
use crate::id::NAME;
use crate::layout::Layout;
use crate::lower::{layout_of, lower};
use crate::{ClassId, ClassSpan, Db};
use modeshift_base::{FileSpan, FxHashMap, Name};
use modeshift_db::{SourceFile, parse};
use modeshift_syntax::ast::{self, ClassDef, ClassSpec, ElementKind, StoredDefinition};
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
    // An edit of a plain equation ends there.
    Arc::new(crate::class_frame(db, id).declarations())
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

/// The definition of a class in the tree of its file, and whether it is protected. O(depth of the class).
fn find<'a>(db: &dyn Db, tree: &'a StoredDefinition, id: ClassId) -> Option<(&'a ClassDef, bool)> {
    let index = class_index(db, id.file(db));
    let mut at = index.place_of(db, id)?;
    let mut path = Vec::new();
    while let Some(parent) = index.entries[at as usize].parent {
        path.push(index.entries[at as usize].element as usize);
        at = parent;
    }
    let mut found = (
        tree.classes
            .get(index.entries[at as usize].element as usize)?,
        false,
    );
    for element in path.into_iter().rev() {
        let element = elements(found.0).get(element)?;
        let ElementKind::Class(class) = &element.kind else {
            return None;
        };
        found = (class.as_ref(), element.protected);
    }
    Some(found)
}

/// Where the classes of a file are in its tree, so that finding one of many does not go over all of them.
#[derive(Default, Debug)]
struct ClassIndex {
    entries: Vec<Entry>,
    /// By the class around it, its name, and how many of that name come before it.
    places: FxHashMap<(Option<u32>, Name, u32), u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: Option<u32>,
    /// Its place among the classes of the file or the elements of its parent.
    element: u32,
}

impl ClassIndex {
    fn place_of(&self, db: &dyn Db, id: ClassId) -> Option<u32> {
        let parent = match id.parent(db) {
            Some(parent) => Some(self.place_of(db, parent)?),
            None => None,
        };
        let key = (parent, id.name(db), id.nth(db));
        self.places.get(&key).copied()
    }

    fn add(&mut self, parent: Option<u32>, element: usize, name: Name, nth: u32) -> u32 {
        let place = self.entries.len() as u32;
        let element = element as u32;
        self.entries.push(Entry { parent, element });
        self.places.insert((parent, name, nth), place);
        place
    }
}

/// Linear in the classes and their elements.
#[salsa::tracked(returns(ref), no_eq)]
fn class_index(db: &dyn Db, file: SourceFile) -> ClassIndex {
    let mut index = ClassIndex::default();
    let mut seen: FxHashMap<(Option<u32>, Name), u32> = FxHashMap::default();
    let mut nth = |parent, name| {
        let next = seen.entry((parent, name)).or_insert(0);
        *next += 1;
        *next - 1
    };
    let mut waiting: Vec<(u32, &ClassDef)> = Vec::new();
    for (at, class) in parse(db, file).file.classes.iter().enumerate() {
        let name = class.name.name;
        waiting.push((index.add(None, at, name, nth(None, name)), class));
    }
    while let Some((parent, class)) = waiting.pop() {
        for (at, element) in elements(class).iter().enumerate() {
            if let ElementKind::Class(class) = &element.kind {
                let name = class.name.name;
                let nth = nth(Some(parent), name);
                waiting.push((index.add(Some(parent), at, name, nth), class));
            }
        }
    }
    index
}

fn elements(def: &ClassDef) -> &[ast::Element] {
    match &def.spec {
        ClassSpec::Long(body) | ClassSpec::Extends { body, .. } => &body.elements,
        _ => &[],
    }
}
