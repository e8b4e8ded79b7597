//! Where libraries are and how much of what is built in is used.

use modeshift_diag::Code;
use std::ffi::OsStr;
use std::path::PathBuf;

/// What a session is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Directories the user works in: what they hold is found like a library, before all libraries.
    pub folders: Vec<PathBuf>,
    /// Directories that hold libraries, or are one; the first that offers a name wins.
    pub library_dirs: Vec<PathBuf>,
    /// Whether the library compiled into the program is offered when no other has the name.
    pub builtin_library: bool,
    /// Whether texts will change while the session lasts: then what an edit can start from is kept in memory.
    pub live: bool,
    /// Messages that are shown although they are [`Code::is_opt_in`].
    pub lints: Vec<Code>,
    /// What relative paths start from, and what file names are shown relative to.
    pub base_dir: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            folders: Vec::new(),
            library_dirs: Vec::new(),
            builtin_library: true,
            live: false,
            lints: Vec::new(),
            base_dir: PathBuf::new(),
        }
    }
}

impl Settings {
    /// Settings of a process that runs in `base_dir`.
    pub fn in_dir(base_dir: impl Into<PathBuf>) -> Self {
        Self {
            base_dir: base_dir.into(),
            ..Self::default()
        }
    }

    /// Settings of a session in which texts change, as in an editor.
    #[must_use]
    pub fn live(self) -> Self {
        Self { live: true, ..self }
    }

    /// Adds a directory the user works in.
    #[must_use]
    pub fn folder(mut self, dir: impl Into<PathBuf>) -> Self {
        let dir = self.base_dir.join(dir.into());
        if !self.folders.contains(&dir) {
            self.folders.push(dir);
        }
        self
    }

    /// Adds a library directory behind those there are.
    #[must_use]
    pub fn library(mut self, dir: impl Into<PathBuf>) -> Self {
        let dir = self.base_dir.join(dir.into());
        if !self.library_dirs.contains(&dir) {
            self.library_dirs.push(dir);
        }
        self
    }

    /// Adds the directories of a `MODELICAPATH`, separated as the system separates paths. Entries that
    /// do not exist are usual there, so those for which `exists` is false are left out.
    #[must_use]
    pub fn modelica_path(self, value: &OsStr, exists: impl Fn(&PathBuf) -> bool) -> Self {
        let dirs: Vec<PathBuf> = std::env::split_paths(value)
            .map(|dir| self.base_dir.join(dir))
            .filter(|dir| !dir.as_os_str().is_empty() && exists(dir))
            .collect();
        dirs.into_iter().fold(self, Self::library)
    }
}
