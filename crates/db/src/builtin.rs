//! The library that is compiled into the program: `stdlib/` of this repository, served under the
//! virtual path [`BUILTIN_ROOT`] as if it were on disk.

use crate::system::{DirEntry, ReadError};
use include_dir::{Dir, include_dir};
use std::path::Path;

/// Where the built-in library appears. The angle brackets keep it apart from any real path.
pub const BUILTIN_ROOT: &str = "<stdlib>";

static STDLIB: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../stdlib");

/// The path inside the built-in library, if `path` is in it.
fn inside(path: &Path) -> Option<&Path> {
    path.strip_prefix(BUILTIN_ROOT).ok()
}

/// Reads a built-in file; `None` when the path is not in the built-in library at all.
pub(crate) fn read(path: &Path) -> Option<Result<Vec<u8>, ReadError>> {
    let inner = inside(path)?;
    let file = STDLIB.get_file(inner).ok_or(ReadError::Missing);
    Some(file.map(|file| file.contents().to_vec()))
}

/// Lists a built-in directory; `None` when the path is not in the built-in library at all.
pub(crate) fn list(path: &Path) -> Option<Option<Vec<DirEntry>>> {
    let inner = inside(path)?;
    let dir = if inner.as_os_str().is_empty() {
        Some(&STDLIB)
    } else {
        STDLIB.get_dir(inner)
    };
    Some(dir.map(|dir| {
        let mut entries: Vec<DirEntry> = dir
            .entries()
            .iter()
            .filter_map(|entry| {
                let name = entry.path().file_name()?.to_str()?.to_owned();
                Some(DirEntry {
                    name,
                    is_dir: entry.as_dir().is_some(),
                })
            })
            .collect();
        entries.sort();
        entries
    }))
}
