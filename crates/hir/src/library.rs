//! Where top-level classes come from: open files, library directories, the built-in library.
//!
//! A library directory holds `Name/package.mo`, `Name.mo`, or either with a version behind the name
//! (`Name 4.0.0/package.mo`), or it is itself such a package (it holds `package.mo`). Only
//! listings are read until a name is looked up.

use crate::{ClassId, Db, outline};
use modeshift_base::{FxIndexMap, Name};
use modeshift_db::{BUILTIN_ROOT, SourceFile, Workspace};
use std::path::{Path, PathBuf};

/// The classes of the open files by the package their `within` names (empty: the global scope).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenClasses {
    by_scope: FxIndexMap<Vec<Name>, FxIndexMap<Name, ClassId>>,
}

impl OpenClasses {
    /// Class `name` of an open file whose `within` is `scope`.
    pub fn get(&self, scope: &[Name], name: Name) -> Option<ClassId> {
        self.by_scope.get(scope)?.get(&name).copied()
    }

    /// All classes of open files in that package, in order.
    pub fn in_scope(&self, scope: &[Name]) -> impl Iterator<Item = ClassId> {
        self.by_scope
            .get(scope)
            .into_iter()
            .flat_map(|classes| classes.values().copied())
    }

    /// Whether some open file says `within` with a name behind it.
    pub fn has_within(&self) -> bool {
        self.by_scope.keys().any(|scope| !scope.is_empty())
    }
}

/// What the open files declare. When two declare the same name the later one counts.
#[salsa::tracked(returns(ref))]
pub fn open_classes(db: &dyn Db) -> OpenClasses {
    let mut classes = OpenClasses::default();
    for &file in Workspace::get(db).open_files(db) {
        let outline = outline(db, file);
        let scope = classes
            .by_scope
            .entry(outline.within_path().to_vec())
            .or_default();
        for class in &outline.classes {
            scope.insert(class.name, ClassId::new(db, file, None, class.name, 0));
        }
    }
    classes
}

/// A place where a library offers a top-level class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub path: PathBuf,
    /// The version in the name of the directory or file.
    pub version: Option<String>,
}

/// The top-level class that the libraries offer under that name, the built-in one last.
pub fn library_class(db: &dyn Db, name: Name) -> Option<ClassId> {
    library_class_query(db, Workspace::get(db), name)
}

#[salsa::tracked(returns(copy))]
fn library_class_query(db: &dyn Db, workspace: Workspace, name: Name) -> Option<ClassId> {
    let candidates = candidates(db, name);
    let chosen = choose(&candidates, None).map(|candidate| candidate.path.clone());
    let builtin = || {
        let builtin = Path::new(BUILTIN_ROOT);
        let root = workspace.builtin_library(db).then_some(builtin)?;
        candidates_in(db, root, name)
            .pop()
            .map(|candidate| candidate.path)
    };
    let file = db.files().source(db, &chosen.or_else(builtin)?);
    top_level_class(db, file, name)
}

/// The class `name` at the top of a file.
pub(crate) fn top_level_class(db: &dyn Db, file: SourceFile, name: Name) -> Option<ClassId> {
    let found = outline(db, file)
        .classes
        .iter()
        .any(|class| class.name == name);
    found.then(|| ClassId::new(db, file, None, name, 0))
}

/// Everything the library directories offer under that name, in the order of the directories.
pub fn candidates(db: &dyn Db, name: Name) -> Vec<Candidate> {
    let dirs = Workspace::get(db).library_dirs(db);
    dirs.iter()
        .flat_map(|dir| candidates_in(db, dir, name))
        .collect()
}

fn candidates_in(db: &dyn Db, dir: &Path, name: Name) -> Vec<Candidate> {
    let listing = db.files().directory(db, dir);
    if listing.has(db, "package.mo", false) {
        let itself = dir
            .file_name()
            .and_then(|own| own.to_str())
            .and_then(|own| offers(own, name));
        let path = dir.join("package.mo");
        return itself
            .map(|version| Candidate { path, version })
            .into_iter()
            .collect();
    }
    let entries = listing.entries(db).as_deref().unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| {
            if entry.is_dir {
                let version = offers(&entry.name, name)?;
                let package = dir.join(&entry.name);
                let has = db
                    .files()
                    .directory(db, &package)
                    .has(db, "package.mo", false);
                has.then(|| Candidate {
                    path: package.join("package.mo"),
                    version,
                })
            } else {
                let version = offers(entry.name.strip_suffix(".mo")?, name)?;
                Some(Candidate {
                    path: dir.join(&entry.name),
                    version,
                })
            }
        })
        .collect()
}

/// Whether a directory or file called `entry` (without `.mo`) is the library `name`, and which version.
fn offers(entry: &str, name: Name) -> Option<Option<String>> {
    match entry.strip_prefix(name.as_str())? {
        "" => Some(None),
        rest => rest
            .strip_prefix(' ')
            .map(|version| Some(version.to_owned())),
    }
}

/// The best candidate: the wanted version, else the first without a version, else the highest.
pub fn choose<'a>(candidates: &'a [Candidate], wanted: Option<&str>) -> Option<&'a Candidate> {
    let exact = |candidate: &&Candidate| {
        wanted.is_some() && candidate.version.as_deref().map(release) == wanted.map(release)
    };
    candidates
        .iter()
        .find(exact)
        .or_else(|| {
            candidates
                .iter()
                .find(|candidate| candidate.version.is_none())
        })
        .or_else(|| {
            candidates
                .iter()
                .max_by_key(|candidate| version_key(candidate))
        })
}

/// A version without build metadata: `4.0.0+maint.om` is release `4.0.0`.
fn release(version: &str) -> &str {
    version.split('+').next().unwrap_or(version)
}

/// Numbers compare as numbers; a pre-release comes before its release.
fn version_key(candidate: &Candidate) -> (Vec<u64>, bool) {
    let version = release(candidate.version.as_deref().unwrap_or_default());
    let numbers = version.split('-').next().unwrap_or_default();
    let numbers = numbers
        .split('.')
        .map(|part| part.parse().unwrap_or(0))
        .collect();
    (numbers, !version.contains('-'))
}
