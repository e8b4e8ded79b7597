//! Packages stored as directories: `package.mo`, `package.order`, and a file or directory per member.

use crate::{ClassId, Db, class};
use modeshift_base::{Name, Span};
use modeshift_db::{Directory, SourceFile};
use std::path::Path;

/// The directory whose files belong to the package declared in `path`.
pub(crate) fn package_directory(path: &Path) -> Option<&Path> {
    (path.file_name()? == "package.mo").then(|| path.parent())?
}

/// Where a member of a package is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    pub name: Name,
    /// `X/package.mo` rather than `X.mo`.
    pub as_directory: bool,
}

/// The members that have a file or directory of their own, in the order of the listing. Reads listings
/// only.
pub(crate) fn stored_members(db: &dyn Db, package: SourceFile) -> Vec<Stored> {
    let Some((dir, listing)) = listing(db, package) else {
        return Vec::new();
    };
    let entries = listing.entries(db).as_deref().unwrap_or_default();
    let stored = entries.iter().filter_map(|entry| {
        if entry.is_dir {
            let inner = db.files().directory(db, &dir.join(&entry.name));
            let is_package = inner.has(db, "package.mo", false);
            is_package.then(|| Stored {
                name: Name::new(&entry.name),
                as_directory: true,
            })
        } else {
            let name = entry
                .name
                .strip_suffix(".mo")
                .filter(|name| *name != "package")?;
            Some(Stored {
                name: Name::new(name),
                as_directory: false,
            })
        }
    });
    stored.collect()
}

fn listing(db: &dyn Db, package: SourceFile) -> Option<(&Path, Directory)> {
    let dir = package_directory(package.path(db))?;
    Some((dir, db.files().directory(db, dir)))
}

/// One line of `package.order`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ordered {
    pub name: Name,
    pub span: Span,
}

/// The `package.order` beside a `package.mo` and what it lists.
pub(crate) fn package_order(
    db: &dyn Db,
    package: SourceFile,
) -> Option<(SourceFile, Vec<Ordered>)> {
    let (dir, listing) = listing(db, package)?;
    if !listing.has(db, "package.order", false) {
        return None;
    }
    let file = db.files().source(db, &dir.join("package.order"));
    let text = file.text(db);
    let mut at = 0;
    let mut entries = Vec::new();
    for line in text.split_inclusive('\n') {
        let name = line.trim();
        let start = at + (line.len() - line.trim_start().len()) as u32;
        at += line.len() as u32;
        if !name.is_empty() {
            let span = Span::new(start, start + name.len() as u32);
            entries.push(Ordered {
                name: Name::new(name),
                span,
            });
        }
    }
    Some((file, entries))
}

/// The names of everything a class has: what it declares and what is stored in its directory, in the
/// order of `package.order` where there is one. Reads no files of members.
pub fn member_names(db: &dyn Db, id: ClassId) -> Vec<Name> {
    let declared = class(db, id)
        .elements()
        .iter()
        .filter_map(crate::Element::name);
    let mut names: Vec<Name> = declared.collect();
    if id.parent(db).is_none() {
        let package = id.file(db);
        names.extend(
            stored_members(db, package)
                .into_iter()
                .map(|stored| stored.name),
        );
        if let Some((_, order)) = package_order(db, package) {
            let rank: modeshift_base::FxHashMap<Name, usize> = order
                .iter()
                .enumerate()
                .map(|(index, entry)| (entry.name, index))
                .collect();
            names.sort_by_key(|name| rank.get(name).copied().unwrap_or(usize::MAX));
        }
    }
    let open = crate::library::open_members(db);
    if !open.is_empty() {
        let scope = crate::full_name(db, id);
        names.extend(open.in_scope(&scope).map(|class| class.name(db)));
    }
    let mut seen = modeshift_base::FxHashSet::default();
    names.retain(|name| seen.insert(*name));
    names
}
