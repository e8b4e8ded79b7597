//! The salsa inputs (files, directories, workspace settings), the one door to the outside world, and
//! the `parse` query.
//!
//! Never here: knowledge of classes or of the Modelica library layout (that is `hir`), and IO other
//! than through [`System`].

mod builtin;
mod database;
mod files;
mod parsing;
mod system;
mod workspace;

pub use builtin::BUILTIN_ROOT;
pub use database::{Database, EventLog};
pub use files::{Contents, Directory, Entry, Files, SourceFile};
pub use parsing::{parse, words};
pub use system::{DirEntry, MemorySystem, OsSystem, ReadError, System};
pub use workspace::Workspace;

/// What every query needs. All queries of all crates take `&dyn Db`.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The registry of files and directories seen so far.
    fn files(&self) -> &Files;
}
