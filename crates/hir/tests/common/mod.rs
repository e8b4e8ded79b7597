//! A database over files in memory that tells which queries ran.

#![allow(dead_code, reason = "no test file uses all of it")]

use modeshift_base::Name;
use modeshift_db::{Database, Files, MemorySystem, SourceFile, Workspace};
use modeshift_hir::{ClassId, class_by_path};
use salsa::{Durability, Setter};
use std::path::PathBuf;
use std::sync::Arc;

pub struct Fixture {
    pub db: Database,
    pub system: Arc<MemorySystem>,
}

impl Fixture {
    /// Files on disk, none of them open.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let system = Arc::new(MemorySystem::new());
        for (path, text) in files {
            system.write(*path, *text);
        }
        Self {
            db: Database::logging(system.clone()),
            system,
        }
    }

    pub fn libraries(mut self, dirs: &[&str]) -> Self {
        let dirs = dirs.iter().map(PathBuf::from).collect();
        let workspace = Workspace::get(&self.db);
        workspace
            .set_library_dirs(&mut self.db)
            .with_durability(Durability::HIGH)
            .to(dirs);
        self
    }

    pub fn open(&mut self, path: &str) -> SourceFile {
        let file = Files::open(&mut self.db, path.as_ref());
        let workspace = Workspace::get(&self.db);
        let mut open = workspace.open_files(&self.db).to_vec();
        open.push(file);
        workspace
            .set_open_files(&mut self.db)
            .with_durability(Durability::HIGH)
            .to(open);
        file
    }

    /// Changes a file on disk and tells the database.
    pub fn write(&mut self, path: &str, text: &str) {
        self.system.write(path, text);
        Files::refresh(&mut self.db, path.as_ref());
    }

    pub fn remove(&mut self, path: &str) {
        self.system.remove(path);
        Files::refresh(&mut self.db, path.as_ref());
    }

    pub fn class(&self, path: &str) -> Option<ClassId> {
        let names: Vec<Name> = path.split('.').map(Name::new).collect();
        class_by_path(&self.db, &names)
    }

    /// Which of `queries` ran during `work`, in order.
    pub fn ran<T>(&self, queries: &[&str], work: impl FnOnce(&Database) -> T) -> Vec<String> {
        let mut log = self.db.executed(work);
        log.retain(|name| queries.contains(&name.as_str()));
        log
    }
}
