//! What the user has asked for: files, library directories, settings.

use crate::SourceFile;
use std::path::PathBuf;

/// The settings of a session. There is exactly one in a database.
#[salsa::input(singleton, debug)]
pub struct Workspace {
    /// The files the user works on, in the order given. Their classes are in the global scope, or in
    /// the package their `within` names.
    #[returns(deref)]
    pub open_files: Vec<SourceFile>,

    /// Where libraries are looked for, first match wins: `--library`, then `MODELICAPATH`.
    #[returns(deref)]
    pub library_dirs: Vec<PathBuf>,

    /// Whether the library compiled into the program is offered when no other has the name.
    #[returns(copy)]
    pub builtin_library: bool,

    /// Whether texts will change, as in an editor: then what an edit can start from is kept, at the price of memory.
    #[returns(copy)]
    pub live: bool,
}
