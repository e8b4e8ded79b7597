//! Files, libraries and classes of a session.

use crate::collect::Report;
use crate::settings::Settings;
use modeshift_base::{FileId, Name};
use modeshift_db::{Contents, Database, Db, Files, SourceFile, System, Workspace};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, class_by_path, file_diagnostics, library_diagnostics, outline};
use salsa::{Durability, Setter};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory with more files than this is hardly one that a user works in: the rest is not searched.
const MAX_WORKSPACE_FILES: usize = 20_000;

/// A database with what the user has opened.
#[derive(Clone, Debug)]
pub struct Session {
    db: Database,
    settings: Settings,
}

impl Session {
    pub fn new(system: Arc<dyn System>, settings: Settings) -> Self {
        Self::with_database(Database::new(system), settings)
    }

    /// A session on a given database, e.g. one that logs.
    pub fn with_database(db: Database, settings: Settings) -> Self {
        let mut session = Self { db, settings };
        session.set_open_files(Vec::new());
        session
    }

    pub fn db(&self) -> &Database {
        &self.db
    }

    pub(crate) fn db_mut(&mut self) -> &mut Database {
        &mut self.db
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Other libraries from now on.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.set_open_files(self.open_files().to_vec());
    }

    /// The files that are open, in order.
    pub fn open_files(&self) -> &[SourceFile] {
        Workspace::get(&self.db).open_files(&self.db)
    }

    /// Opens a file; its classes are in the global scope or in the package its `within` names. A file
    /// that cannot be read is open too, and [`Session::check_files`] says what is wrong with it.
    pub fn open(&mut self, path: impl AsRef<Path>) -> SourceFile {
        let path = self.absolute(path.as_ref());
        let file = Files::open(&mut self.db, &path);
        self.add_open(file);
        file
    }

    /// Opens a file with a text that is not on disk: standard input, an editor's buffer. Called again, it
    /// changes the text.
    pub fn open_text(&mut self, path: impl AsRef<Path>, text: &str) -> SourceFile {
        let path = self.absolute(path.as_ref());
        let file = Files::overlay(&mut self.db, &path, text);
        self.add_open(file);
        file
    }

    /// The user is done with the file: its text comes from disk again, and its classes count only if
    /// a library has them.
    pub fn close(&mut self, path: impl AsRef<Path>) {
        let path = self.absolute(path.as_ref());
        Files::close_overlay(&mut self.db, &path);
        let open = self.open_files().iter().copied();
        let rest = open.filter(|file| file.path(&self.db) != path).collect();
        self.set_open_files(rest);
    }

    /// Something was created, changed, removed or renamed away at `path`.
    pub fn refresh(&mut self, path: impl AsRef<Path>) {
        let path = self.absolute(path.as_ref());
        Files::refresh(&mut self.db, &path);
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.settings.base_dir.join(path)
    }

    fn add_open(&mut self, file: SourceFile) {
        let open = self.open_files();
        if !open.contains(&file) {
            let open = open.iter().copied().chain([file]).collect();
            self.set_open_files(open);
        }
    }

    /// Opening is rare next to typing: what depends on the list of files need not be looked at when a
    /// text changes, which the higher durability says.
    fn set_open_files(&mut self, files: Vec<SourceFile>) {
        let workspace = Workspace::get(&self.db);
        let mut dirs = self.enclosing_roots(&files);
        let (folders, libraries) = (&self.settings.folders, &self.settings.library_dirs);
        dirs.retain(|dir| !folders.contains(dir) && !libraries.contains(dir));
        dirs.splice(0..0, folders.iter().cloned());
        dirs.extend(
            libraries
                .iter()
                .filter(|dir| !folders.contains(dir))
                .cloned(),
        );
        let db = &mut self.db;
        workspace
            .set_open_files(db)
            .with_durability(Durability::HIGH)
            .to(files);
        workspace
            .set_library_dirs(db)
            .with_durability(Durability::HIGH)
            .to(dirs);
        workspace
            .set_live(db)
            .with_durability(Durability::HIGH)
            .to(self.settings.live);
        let builtin = self.settings.builtin_library;
        workspace
            .set_builtin_library(db)
            .with_durability(Durability::HIGH)
            .to(builtin);
    }

    /// For files that are part of a package stored in directories: the directory that the outermost
    /// package is in, as if it had been given as a library.
    fn enclosing_roots(&self, files: &[SourceFile]) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> = Vec::new();
        for &file in files {
            if outline(&self.db, file).within_path().is_empty() {
                continue;
            }
            let Some(dir) = file.path(&self.db).parent() else {
                continue;
            };
            let is_package = |dir: &Path| {
                self.db
                    .files()
                    .directory(&self.db, dir)
                    .has(&self.db, "package.mo", false)
            };
            let outermost = dir.ancestors().take_while(|dir| is_package(dir)).last();
            if let Some(root) = outermost.and_then(Path::parent).map(Path::to_owned)
                && !roots.contains(&root)
            {
                roots.push(root);
            }
        }
        roots
    }

    /// The open files, and all Modelica files in the directories that the user works in, sorted by path. Reads
    /// those that were not read before. Directories with a dot in front are left out.
    pub fn workspace_files(&self) -> Vec<SourceFile> {
        let mut waiting: Vec<PathBuf> = self.settings.folders.clone();
        let mut paths: BTreeSet<PathBuf> = self
            .open_files()
            .iter()
            .map(|file| file.path(&self.db).to_owned())
            .collect();
        while let Some(dir) = waiting.pop().filter(|_| paths.len() < MAX_WORKSPACE_FILES) {
            let listing = self.db.files().directory(&self.db, &dir);
            for entry in listing.entries(&self.db).as_deref().unwrap_or_default() {
                let path = dir.join(&entry.name);
                if entry.is_dir && !entry.name.starts_with('.') {
                    waiting.push(path);
                } else if !entry.is_dir && entry.name.ends_with(".mo") {
                    paths.insert(path);
                }
            }
        }
        let files = self.db.files();
        paths
            .iter()
            .map(|path| files.source(&self.db, path))
            .collect()
    }

    /// The class with that full name, `A.B.C`.
    pub fn find_class(&self, name: &str) -> Result<ClassId, Box<Diagnostic>> {
        let path = split_path(name);
        class_by_path(&self.db, &path)
            .ok_or_else(|| Box::new(modeshift_hir::unknown_class(&self.db, &path)))
    }

    /// The full name of a class, `A.B.C`.
    pub fn name_of(&self, class: ClassId) -> String {
        let parts = modeshift_hir::full_name(&self.db, class);
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        parts.join(".")
    }

    /// What a command works on when no class is named: the last class of the last open file.
    pub fn default_class(&self) -> Result<ClassId, Box<Diagnostic>> {
        let last = self.open_files().last().and_then(|&file| {
            let class = outline(&self.db, file).classes.last()?;
            Some(ClassId::new(&self.db, file, None, class.name, 0))
        });
        last.ok_or_else(|| {
            let message = match self.open_files().last() {
                Some(file) => format!("there is no class in `{}`", self.display_name(*file)),
                None => "there is no class to work on".to_owned(),
            };
            let nothing = Diagnostic::new(Code::MS1011, message);
            Box::new(nothing.note("name a class with `--class`, or give a file that has one"))
        })
    }

    /// The named class, or the default one.
    pub fn target(&self, name: Option<&str>) -> Result<ClassId, Box<Diagnostic>> {
        name.map_or_else(|| self.default_class(), |name| self.find_class(name))
    }

    /// Everything that is wrong with the open files and the libraries before a class is instantiated.
    pub fn check_files(&self) -> Vec<Diagnostic> {
        let files = self.open_files().iter();
        let mut found: Vec<Diagnostic> = files
            .flat_map(|&file| file_diagnostics(&self.db, file).iter().cloned())
            .collect();
        found.extend_from_slice(library_diagnostics(&self.db));
        found
    }

    /// Diagnostics as they are shown: places in files, in order, each once, with the texts they point to.
    pub fn report(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Report {
        Report::collect(self, diagnostics)
    }

    /// The name of a file as the user would write it.
    pub fn display_name(&self, file: SourceFile) -> String {
        let path = file.path(&self.db);
        let base = &self.settings.base_dir;
        path.strip_prefix(base)
            .unwrap_or(path)
            .display()
            .to_string()
    }

    pub(crate) fn name_and_text(&self, id: FileId) -> Option<(String, Arc<str>)> {
        let file = self.db.files().by_id(id)?;
        let text = match file.contents(&self.db) {
            Contents::Text { text, .. } => text.clone(),
            Contents::Missing | Contents::Unreadable(_) => "".into(),
        };
        Some((self.display_name(file), text))
    }
}

/// Splits a full name at its dots, those in quoted identifiers excepted. A leading dot means nothing
/// here.
fn split_path(name: &str) -> Vec<Name> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for c in name.chars() {
        match c {
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            _ => {
                quoted ^= c == '\'' && !escaped;
                escaped = c == '\\' && !escaped;
                part.push(c);
            }
        }
    }
    parts.push(part);
    parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .map(Name::new)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::split_path;

    #[test]
    fn dots_in_quoted_names_do_not_split() {
        assert_eq!(split_path(".A.'b.c \\' d'.E"), ["A", "'b.c \\' d'", "E"]);
        assert_eq!(split_path(""), [""; 0]);
    }
}
