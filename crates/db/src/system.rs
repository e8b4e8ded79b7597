//! The door to the world: everything that is read from outside comes through [`System`].

use modeshift_base::FxIndexMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// One entry of a directory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct DirEntry {
    pub name: String,
    pub is_dir: bool,
}

/// Why a file has no text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ReadError {
    Missing,
    /// There is something, but it cannot be read; the reason is for the user.
    Unreadable(String),
}

/// Reads files and directories. Implementations must not cache: the database does.
pub trait System: Send + Sync + std::fmt::Debug {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError>;

    /// The entries of a directory, sorted by name; `None` when there is no such directory.
    fn list(&self, path: &Path) -> Option<Vec<DirEntry>>;
}

/// The file system of the operating system.
#[derive(Debug, Default, Clone, Copy)]
pub struct OsSystem;

impl System for OsSystem {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ReadError::Missing,
            _ => ReadError::Unreadable(error.to_string()),
        })
    }

    fn list(&self, path: &Path) -> Option<Vec<DirEntry>> {
        let mut entries: Vec<DirEntry> = std::fs::read_dir(path)
            .ok()?
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let kind = entry.file_type().ok()?;
                let is_dir = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
                Some(DirEntry {
                    name: entry.file_name().into_string().ok()?,
                    is_dir,
                })
            })
            .collect();
        entries.sort();
        Some(entries)
    }
}

/// Files in memory, for tests and for hosts without a file system.
#[derive(Debug, Default)]
pub struct MemorySystem {
    files: RwLock<FxIndexMap<PathBuf, String>>,
}

impl MemorySystem {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn write(&self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.locked().insert(path.into(), text.into());
    }

    pub fn remove(&self, path: impl AsRef<Path>) {
        self.locked().shift_remove(path.as_ref());
    }

    fn locked(&self) -> std::sync::RwLockWriteGuard<'_, FxIndexMap<PathBuf, String>> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl System for MemorySystem {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let text = files.get(path).ok_or(ReadError::Missing)?;
        Ok(text.clone().into_bytes())
    }

    fn list(&self, path: &Path) -> Option<Vec<DirEntry>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let mut entries: Vec<DirEntry> = files
            .keys()
            .filter_map(|file| {
                let mut rest = file.strip_prefix(path).ok()?.components();
                let name = rest.next()?.as_os_str().to_str()?.to_owned();
                Some(DirEntry {
                    name,
                    is_dir: rest.next().is_some(),
                })
            })
            .collect();
        entries.sort();
        entries.dedup();
        (!entries.is_empty()).then_some(entries)
    }
}
