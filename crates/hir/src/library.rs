//! Where top-level classes come from: open files, library directories, the built-in library.
//!
//! A library directory holds `Name/package.mo`, `Name.mo`, or either with a version behind the name
//! (`Name 4.0.0/package.mo`), or it is itself such a package (it holds `package.mo`). Only
//! listings are read until a name is looked up.

use crate::uses::uses;
use crate::{ClassId, ClassSpan, Db, class, outline};
use modeshift_base::{FileSpan, FxIndexMap, Name};
use modeshift_db::{BUILTIN_ROOT, SourceFile, Workspace};
use std::collections::VecDeque;
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

    pub fn is_empty(&self) -> bool {
        self.by_scope.is_empty()
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

/// The part of [`open_classes`] that is in packages. Mostly empty, so that looking for a member of a
/// package mostly depends on nothing that the user types.
#[salsa::tracked(returns(ref))]
pub fn open_members(db: &dyn Db) -> OpenClasses {
    let mut members = open_classes(db).clone();
    members.by_scope.retain(|scope, _| !scope.is_empty());
    members
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

/// Whether a place is in a library that is used and not worked on: its file is in a library directory and not open. What such a
/// text does against the rules cannot be changed by who uses it.
pub fn in_library(db: &dyn Db, place: FileSpan) -> bool {
    let file = match ClassSpan::from_place(place) {
        Some(span) => Some(span.class.file(db)),
        None => db.files().by_id(place.file),
    };
    let Some(file) = file else { return false };
    let workspace = Workspace::get(db);
    let path = file.path(db);
    let mut dirs = workspace.library_dirs(db).iter();
    !workspace.open_files(db).contains(&file) && dirs.any(|dir| path.starts_with(dir))
}

#[salsa::tracked(returns(copy))]
fn library_class_query(db: &dyn Db, workspace: Workspace, name: Name) -> Option<ClassId> {
    let candidates = candidates(db, name);
    // With one candidate there is nothing to choose, and nothing is read to find out what to choose.
    let wanted = match candidates.len() {
        0 | 1 => None,
        _ => wanted_versions(db).get(&name).cloned(),
    };
    file_class(db, workspace, name, &candidates, wanted.as_deref())
}

fn file_class(
    db: &dyn Db,
    workspace: Workspace,
    name: Name,
    candidates: &[Candidate],
    wanted: Option<&str>,
) -> Option<ClassId> {
    let builtin = || {
        let root = workspace
            .builtin_library(db)
            .then_some(Path::new(BUILTIN_ROOT))?;
        candidates_in(db, root, name)
            .pop()
            .map(|candidate| candidate.path)
    };
    let chosen = choose(candidates, wanted).map(|candidate| candidate.path.clone());
    top_level_class(db, db.files().source(db, &chosen.or_else(builtin)?), name)
}

/// Which version of each library is asked for: by the open files, or by the libraries these ask for.
/// The first to ask is heard.
#[salsa::tracked(returns(ref))]
fn wanted_versions(db: &dyn Db) -> FxIndexMap<Name, String> {
    let workspace = Workspace::get(db);
    let mut wanted = FxIndexMap::default();
    let mut queue: VecDeque<ClassId> = VecDeque::new();
    for &file in workspace.open_files(db) {
        let top = outline(db, file).classes.iter();
        queue.extend(top.map(|class| ClassId::new(db, file, None, class.name, 0)));
    }
    while let Some(id) = queue.pop_front() {
        for asked in uses(class(db, id)) {
            let Some(version) = asked.version else {
                continue;
            };
            if wanted.contains_key(&asked.library) {
                continue;
            }
            let candidates = candidates(db, asked.library);
            queue.extend(file_class(
                db,
                workspace,
                asked.library,
                &candidates,
                Some(&version),
            ));
            wanted.insert(asked.library, version);
        }
    }
    wanted
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

/// The names of all top-level classes that open files and libraries offer, each once. Lists
/// directories but reads no file.
pub fn root_names(db: &dyn Db) -> Vec<Name> {
    let workspace = Workspace::get(db);
    let mut names: Vec<Name> = open_classes(db)
        .in_scope(&[])
        .map(|id| id.name(db))
        .collect();
    let builtin = workspace
        .builtin_library(db)
        .then_some(PathBuf::from(BUILTIN_ROOT));
    for dir in workspace.library_dirs(db).iter().chain(&builtin) {
        let listing = db.files().directory(db, dir);
        let own = dir.file_name().and_then(|own| own.to_str());
        match own.filter(|_| listing.has(db, "package.mo", false)) {
            Some(own) => names.push(without_version(own)),
            None => {
                let entries = listing.entries(db).as_deref().unwrap_or_default().iter();
                names.extend(entries.filter_map(|entry| {
                    let is_package = || {
                        let package = db.files().directory(db, &dir.join(&entry.name));
                        package.has(db, "package.mo", false)
                    };
                    match entry.is_dir {
                        true => is_package().then(|| without_version(&entry.name)),
                        false => entry.name.strip_suffix(".mo").map(without_version),
                    }
                }));
            }
        }
    }
    let mut seen = modeshift_base::FxHashSet::default();
    names.retain(|name| seen.insert(*name));
    names
}

fn without_version(entry: &str) -> Name {
    // A quoted name may contain spaces: `'my package'`.
    let end = match entry.strip_prefix('\'').and_then(|rest| rest.find('\'')) {
        Some(closing) => closing + 2,
        None => entry.find(' ').unwrap_or(entry.len()),
    };
    Name::new(&entry[..end])
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

/// Whether a library of version `offered` is what `wanted` asks for.
pub fn same_release(offered: &str, wanted: &str) -> bool {
    release(offered) == release(wanted)
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
