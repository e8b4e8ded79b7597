//! Files and directories as inputs that come into being when a query first asks for them.
//!
//! A query never touches the file system: it asks for [`Files::source`] or [`Files::directory`], which
//! creates the input by one read through [`System`] and gives the same input ever after. What does
//! not exist is an input too (with [`Contents::Missing`]), so that its later appearance is a change
//! like any other. Changes come in through the `&mut dyn Db` functions only.

use crate::system::{DirEntry, ReadError, System};
use crate::{Db, builtin};
use modeshift_base::{FileId, FxHashMap, Span};
use modeshift_diag::Diagnostic;
use salsa::{Durability, Setter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known about the text of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Contents {
    Text {
        text: Arc<str>,
        /// Bytes that are not text; they have been replaced.
        problems: Vec<Diagnostic<Span>>,
    },
    Missing,
    /// The reason, for the user.
    Unreadable(Arc<str>),
}

impl Contents {
    /// A text without problems.
    pub fn of(text: impl Into<Arc<str>>) -> Self {
        Self::Text {
            text: text.into(),
            problems: Vec::new(),
        }
    }

    /// The text, empty when there is none.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text, .. } => text,
            Self::Missing | Self::Unreadable(_) => "",
        }
    }

    pub fn problems(&self) -> &[Diagnostic<Span>] {
        match self {
            Self::Text { problems, .. } => problems,
            Self::Missing | Self::Unreadable(_) => &[],
        }
    }
}

impl From<Result<Vec<u8>, ReadError>> for Contents {
    fn from(read: Result<Vec<u8>, ReadError>) -> Self {
        match read.map(modeshift_syntax::decode) {
            Ok((text, problems)) => Self::Text {
                text: text.into(),
                problems,
            },
            Err(ReadError::Missing) => Self::Missing,
            Err(ReadError::Unreadable(reason)) => Self::Unreadable(reason.into()),
        }
    }
}

/// A file.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(deref)]
    pub path: PathBuf,
    /// The small number by which diagnostics tell the file.
    #[returns(copy)]
    pub id: FileId,
    #[returns(ref)]
    pub contents: Contents,
}

impl SourceFile {
    pub fn text(self, db: &dyn Db) -> &str {
        self.contents(db).text()
    }
}

/// A directory entry, as lookup wants it.
pub type Entry = DirEntry;

/// A directory that some query asked about, with its entries sorted by name.
#[salsa::input(debug)]
pub struct Directory {
    #[returns(deref)]
    pub path: PathBuf,
    /// `None`: there is no such directory.
    #[returns(ref)]
    pub entries: Option<Arc<[DirEntry]>>,
}

impl Directory {
    /// Whether the directory has a file (or, with `is_dir`, a sub-directory) of that name. O(log n).
    pub fn has(self, db: &dyn Db, name: &str, is_dir: bool) -> bool {
        let Some(entries) = self.entries(db) else {
            return false;
        };
        entries
            .binary_search_by(|entry| (entry.name.as_str(), entry.is_dir).cmp(&(name, is_dir)))
            .is_ok()
    }
}

#[derive(Default, Debug)]
struct Registry {
    sources: FxHashMap<PathBuf, SourceFile>,
    directories: FxHashMap<PathBuf, Directory>,
    by_id: Vec<SourceFile>,
    /// Files whose text comes from an editor and not from the system.
    overlays: FxHashMap<PathBuf, Arc<str>>,
}

/// The registry of all files and directories. Clones share it, as clones of the database share storage.
#[derive(Clone, Debug)]
pub struct Files {
    system: Arc<dyn System>,
    registry: Arc<Mutex<Registry>>,
}

impl Files {
    pub fn new(system: Arc<dyn System>) -> Self {
        Self {
            system,
            registry: Arc::default(),
        }
    }

    /// The file at `path`, read now if it is asked for the first time.
    pub fn source(&self, db: &dyn Db, path: &Path) -> SourceFile {
        self.source_with(db, path, Durability::HIGH)
    }

    fn source_with(&self, db: &dyn Db, path: &Path, durability: Durability) -> SourceFile {
        let mut registry = self.registry();
        if let Some(&file) = registry.sources.get(path) {
            return file;
        }
        let contents = self.contents(&registry, path);
        let id = FileId(registry.by_id.len() as u32);
        let file = SourceFile::builder(path.to_owned(), id, contents)
            .durability(durability)
            .path_durability(Durability::NEVER_CHANGE)
            .id_durability(Durability::NEVER_CHANGE)
            .new(db);
        registry.sources.insert(path.to_owned(), file);
        registry.by_id.push(file);
        file
    }

    /// The directory at `path`, listed now if it is asked for the first time.
    pub fn directory(&self, db: &dyn Db, path: &Path) -> Directory {
        let mut registry = self.registry();
        if let Some(&directory) = registry.directories.get(path) {
            return directory;
        }
        let entries = self.entries(&registry, path);
        let directory = Directory::builder(path.to_owned(), entries)
            .durability(Durability::HIGH)
            .path_durability(Durability::NEVER_CHANGE)
            .new(db);
        registry.directories.insert(path.to_owned(), directory);
        directory
    }

    /// What is at `path` now, without making it an input: for those who look at many files once.
    pub fn peek(&self, path: &Path) -> Contents {
        self.contents(&self.registry(), path)
    }

    /// The entries of the directory at `path` now, without making it an input.
    pub fn peek_directory(&self, path: &Path) -> Option<Arc<[DirEntry]>> {
        self.entries(&self.registry(), path)
    }

    /// The file with that number. Numbers come from [`SourceFile::id`] only.
    pub fn by_id(&self, id: FileId) -> Option<SourceFile> {
        self.registry().by_id.get(id.0 as usize).copied()
    }

    /// How many files have been read so far.
    pub fn len(&self) -> usize {
        self.registry().by_id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A file the user edits: its text changes often, which the database should expect.
    pub fn open(db: &mut dyn Db, path: &Path) -> SourceFile {
        let files = db.files().clone();
        let file = files.source_with(db, path, Durability::LOW);
        let contents = file.contents(db).clone();
        file.set_contents(db)
            .with_durability(Durability::LOW)
            .to(contents);
        file
    }

    /// The text of `path` is `text` from now on, whatever the system says, until
    /// [`Files::close_overlay`].
    pub fn overlay(db: &mut dyn Db, path: &Path, text: &str) -> SourceFile {
        let files = db.files().clone();
        let text: Arc<str> = text.into();
        let new = files
            .registry()
            .overlays
            .insert(path.to_owned(), text.clone())
            .is_none();
        let file = files.source_with(db, path, Durability::LOW);
        let contents = Contents::of(text);
        // The first time also lowers the durability, even if the text is the same: what becomes less
        // durable makes everything that stands on it be looked at again, which had better happen when
        // a file is opened than at the first keystroke in it.
        if new || *file.contents(db) != contents {
            file.set_contents(db)
                .with_durability(Durability::LOW)
                .to(contents);
        }
        if new {
            Self::refresh_directories_of(db, path);
        }
        file
    }

    /// The text of `path` comes from the system again.
    pub fn close_overlay(db: &mut dyn Db, path: &Path) {
        let files = db.files().clone();
        let removed = files.registry().overlays.remove(path);
        if removed.is_some() {
            Self::refresh(db, path);
        }
    }

    /// Something happened at `path` (created, changed, removed, renamed away): look again.
    /// Only what was asked for before is read.
    pub fn refresh(db: &mut dyn Db, path: &Path) {
        let files = db.files().clone();
        let file = files.registry().sources.get(path).copied();
        if let Some(file) = file {
            let contents = files.contents(&files.registry(), path);
            if *file.contents(db) != contents {
                file.set_contents(db).to(contents);
            }
        }
        Self::refresh_directories_of(db, path);
    }

    /// `path` itself and its ancestors, as far as they were listed before.
    fn refresh_directories_of(db: &mut dyn Db, path: &Path) {
        let files = db.files().clone();
        for dir in path.ancestors() {
            let Some(directory) = files.registry().directories.get(dir).copied() else {
                continue;
            };
            let entries = files.entries(&files.registry(), dir);
            if *directory.entries(db) != entries {
                directory.set_entries(db).to(entries);
            }
        }
    }

    fn contents(&self, registry: &Registry, path: &Path) -> Contents {
        if let Some(text) = registry.overlays.get(path) {
            return Contents::of(text.clone());
        }
        builtin::read(path)
            .unwrap_or_else(|| self.system.read(path))
            .into()
    }

    /// What the system lists, and files that exist in an editor only.
    fn entries(&self, registry: &Registry, path: &Path) -> Option<Arc<[DirEntry]>> {
        let mut entries = builtin::list(path).unwrap_or_else(|| self.system.list(path));
        for overlay in registry.overlays.keys() {
            let Ok(rest) = overlay.strip_prefix(path) else {
                continue;
            };
            let mut rest = rest.components();
            let Some(name) = rest.next().and_then(|name| name.as_os_str().to_str()) else {
                continue;
            };
            let entry = DirEntry {
                name: name.to_owned(),
                is_dir: rest.next().is_some(),
            };
            entries.get_or_insert_default().push(entry);
        }
        let mut entries = entries?;
        entries.sort();
        entries.dedup();
        Some(entries.into())
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
