//! The static part of lookup: what a class declares itself, the class around it, the global scope, and
//! imports. Inherited and redeclared names are found on instances.

use crate::library::{library_class, open_classes, open_members, top_level_class};
use crate::package::package_directory;
use crate::{ClassData, ClassId, Db, Element, ElementIdx, class, outline};
use modeshift_base::{Name, Span};
use modeshift_db::{SourceFile, Workspace};
use modeshift_syntax::ast::ImportKind;
use std::path::Path;

/// Packages cannot contain themselves in a directory tree, but `within` clauses can be circular.
const MAX_DEPTH: usize = 1000;

/// What a name means in a class, by its own declarations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// Declared in the class, or stored in a file of its own in the directory of the package.
    Class(ClassId),
    Component(ElementIdx),
}

/// The component or class `name` that `id` declares itself, be it in its text, in the directory of the
/// package, or in an open file that is `within` it.
pub fn own_member(db: &dyn Db, id: ClassId, name: Name) -> Option<Member> {
    member_of(db, id, class(db, id), name)
}

/// The same for those who have what the class declares at hand.
pub fn member_of(db: &dyn Db, id: ClassId, data: &ClassData, name: Name) -> Option<Member> {
    let index = data.body().and_then(|body| body.element_index(name));
    match index.and_then(|index| Some((index, data.elements().get(index)?))) {
        Some((_, Element::Class(nested))) => Some(Member::Class(nested.id)),
        Some((index, _)) => Some(Member::Component(index)),
        None => stored_class(db, id, name).map(Member::Class),
    }
}

/// The class `name` that `id` declares itself (not inherited).
pub fn nested_class(db: &dyn Db, id: ClassId, name: Name) -> Option<ClassId> {
    match own_member(db, id, name)? {
        Member::Class(class) => Some(class),
        Member::Component(_) => None,
    }
}

/// A member of a package that is stored in a file of its own.
fn stored_class(db: &dyn Db, id: ClassId, name: Name) -> Option<ClassId> {
    let open = open_members(db);
    if !open.is_empty()
        && let Some(found) = open.get(&full_name(db, id), name)
    {
        return Some(found);
    }
    let package = id.parent(db).is_none().then(|| id.file(db))?;
    directory_class(db, package, name)
}

/// The class `name` in the directory of `package.mo`.
#[salsa::tracked(returns(copy))]
fn directory_class(db: &dyn Db, package: SourceFile, name: Name) -> Option<ClassId> {
    let dir = package_directory(package.path(db))?;
    let listing = db.files().directory(db, dir);
    let file = if listing.has(db, name.as_str(), true)
        && db
            .files()
            .directory(db, &dir.join(name.as_str()))
            .has(db, "package.mo", false)
    {
        dir.join(name.as_str()).join("package.mo")
    } else {
        let file = format!("{name}.mo");
        (listing.has(db, &file, false) && file != "package.mo").then(|| dir.join(file))?
    };
    top_level_class(db, db.files().source(db, &file), name)
}

/// The class around `id`; `None` at the top level.
pub fn enclosing(db: &dyn Db, id: ClassId) -> Option<ClassId> {
    id.parent(db).or_else(|| enclosing_of_file(db, id.file(db)))
}

/// The package that the classes of a file belong to. A file in the directory of a package belongs to
/// it, unless the user opened it and it claims, by having no `within`, to be on its own. Another
/// file that the user opened belongs to the package that its `within` names, if there is one.
#[salsa::tracked(returns(copy), cycle_result = no_package)]
pub fn enclosing_of_file(db: &dyn Db, file: SourceFile) -> Option<ClassId> {
    let within = outline(db, file).within_path();
    let is_open = || Workspace::get(db).open_files(db).contains(&file);
    if within.is_empty() && is_open() {
        return None;
    }
    match owner_by_directory(db, file.path(db)) {
        Some(package) => {
            let first = outline(db, package).classes.first()?;
            Some(ClassId::new(db, package, None, first.name, 0))
        }
        None if !within.is_empty() && is_open() => class_by_path(db, within),
        None => None,
    }
}

fn no_package(_: &dyn Db, _: salsa::Id, _: SourceFile) -> Option<ClassId> {
    None
}

/// The `package.mo` of the directory that the file (or, for a `package.mo`, its directory) is in.
fn owner_by_directory(db: &dyn Db, path: &Path) -> Option<SourceFile> {
    let dir = package_directory(path).unwrap_or(path).parent()?;
    let has = db.files().directory(db, dir).has(db, "package.mo", false);
    has.then(|| db.files().source(db, &dir.join("package.mo")))
}

/// The top-level class `name`: of the open files, else of the libraries, else built in.
pub fn root_class(db: &dyn Db, name: Name) -> Option<ClassId> {
    root_class_query(db, Workspace::get(db), name)
}

/// A query so that a class added to an open file is not the business of those who asked for another.
#[salsa::tracked(returns(copy))]
fn root_class_query(db: &dyn Db, _: Workspace, name: Name) -> Option<ClassId> {
    open_classes(db)
        .get(&[], name)
        .or_else(|| library_class(db, name))
}

/// [`root_class`] as seen from inside `from`. A library that names itself is not asked whether an open
/// file has taken its name, so that what it looks up does not depend on what the user types.
pub fn root_class_from(db: &dyn Db, from: ClassId, name: Name) -> Option<ClassId> {
    let mut outermost = from;
    let mut steps = 0;
    while let Some(outer) = enclosing(db, outermost).filter(|_| steps < MAX_DEPTH) {
        (outermost, steps) = (outer, steps + 1);
    }
    if outermost.name(db) == name {
        Some(outermost)
    } else {
        root_class(db, name)
    }
}

/// How far a path of names from the global scope leads by declarations alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalPath {
    /// The last class found.
    pub class: ClassId,
    /// How many names it took; the rest may be inherited.
    pub consumed: usize,
}

/// Follows a path of names from the global scope; `None` when even the first is unknown.
pub fn global_path(db: &dyn Db, path: &[Name]) -> Option<GlobalPath> {
    let (&first, rest) = path.split_first()?;
    let mut found = GlobalPath {
        class: root_class(db, first)?,
        consumed: 1,
    };
    for &name in rest {
        let Some(class) = nested_class(db, found.class, name) else {
            break;
        };
        found = GlobalPath {
            class,
            consumed: found.consumed + 1,
        };
    }
    Some(found)
}

/// The class with that full name, found by declarations alone.
pub fn class_by_path(db: &dyn Db, path: &[Name]) -> Option<ClassId> {
    let whole = global_path(db, path).filter(|found| found.consumed == path.len());
    whole.map(|found| found.class).or_else(|| {
        // An open file may be `within` a package that is not there.
        let (&name, scope) = path.split_last()?;
        open_classes(db).get(scope, name)
    })
}

/// The names from the global scope to the class, its own included.
pub fn full_name(db: &dyn Db, id: ClassId) -> Vec<Name> {
    let mut names = vec![id.name(db)];
    let mut at = id;
    while let Some(outer) = enclosing(db, at).filter(|_| names.len() < MAX_DEPTH) {
        names.push(outer.name(db));
        at = outer;
    }
    names.reverse();
    names
}

/// An import that gives a name its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The full name from the global scope.
    pub path: Vec<Name>,
    /// The import clause, in the own text of the class.
    pub span: Span,
}

/// The meaning of `name` by the qualified, renaming and list imports of a class.
pub fn named_import(data: &ClassData, name: Name) -> Option<Imported> {
    named_imports(data, name).next()
}

/// All imports that give something the name; more than one only where it is imported twice.
pub fn named_imports(data: &ClassData, name: Name) -> impl Iterator<Item = Imported> {
    data.imports().filter_map(move |element| {
        let parts = || element.import.path.parts.iter().map(|part| part.name);
        let path: Vec<Name> = match &element.import.kind {
            ImportKind::Qualified => (parts().next_back()? == name).then(|| parts().collect())?,
            ImportKind::Renaming(alias) => (alias.name == name).then(|| parts().collect())?,
            ImportKind::Names(names) => {
                let listed = names.iter().any(|listed| listed.name == name);
                listed.then(|| parts().chain([name]).collect())?
            }
            ImportKind::All => return None,
        };
        Some(Imported {
            path,
            span: element.span,
        })
    })
}

/// All names that imports give to something.
pub fn imported_names(data: &ClassData) -> impl Iterator<Item = Name> {
    data.imports().flat_map(|element| {
        let names: Vec<Name> = match &element.import.kind {
            ImportKind::Qualified => {
                let last = element.import.path.parts.last();
                last.map(|part| part.name).into_iter().collect()
            }
            ImportKind::Renaming(alias) => vec![alias.name],
            ImportKind::Names(names) => names.iter().map(|listed| listed.name).collect(),
            ImportKind::All => Vec::new(),
        };
        names
    })
}

/// The packages of the unqualified imports (`import A.B.*`) of a class.
pub fn unqualified_imports(data: &ClassData) -> impl Iterator<Item = Imported> {
    data.imports().filter_map(|element| {
        let path = || {
            element
                .import
                .path
                .parts
                .iter()
                .map(|part| part.name)
                .collect()
        };
        matches!(element.import.kind, ImportKind::All).then(|| Imported {
            path: path(),
            span: element.span,
        })
    })
}
