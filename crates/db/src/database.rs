//! The concrete database, and the log that tests read to see which queries ran.

use crate::{Db, Files, System, Workspace};
use std::sync::{Arc, Mutex, PoisonError};

/// The database of a session. Clones are handles to the same storage for other threads.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Files,
    log: Option<EventLog>,
}

/// The names of the queries executed so far.
#[derive(Clone, Default, Debug)]
pub struct EventLog(Arc<Mutex<Vec<String>>>);

impl EventLog {
    /// Forgets and gives what was logged.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, entry: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry);
    }
}

impl Database {
    /// A database without files and libraries.
    pub fn new(system: Arc<dyn System>) -> Self {
        Self::build(system, salsa::Storage::default(), None)
    }

    /// A database that logs which queries run, see [`Database::executed`].
    pub fn logging(system: Arc<dyn System>) -> Self {
        let log = EventLog::default();
        let sink = log.clone();
        let storage = salsa::Storage::new(Some(Box::new(move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                sink.push(format!("{database_key:?}"));
            }
        })));
        Self::build(system, storage, Some(log))
    }

    fn build(
        system: Arc<dyn System>,
        storage: salsa::Storage<Self>,
        log: Option<EventLog>,
    ) -> Self {
        let db = Self {
            storage,
            files: Files::new(system),
            log,
        };
        Workspace::new(&db, Vec::new(), Vec::new(), true, false);
        db
    }

    /// Runs `work` and tells which queries were executed, by name and in order of their start.
    /// Always empty unless the database was made by [`Database::logging`].
    pub fn executed<T>(&self, work: impl FnOnce(&Self) -> T) -> Vec<String> {
        if let Some(log) = &self.log {
            log.take();
        }
        work(self);
        let log = self.log.as_ref().map(EventLog::take).unwrap_or_default();
        let name = |entry: String| entry.split('(').next().unwrap_or_default().to_owned();
        log.into_iter().map(name).collect()
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn files(&self) -> &Files {
        &self.files
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}
