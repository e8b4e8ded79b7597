//! What tests share (development only): the directives of test models, assertions on JSON, fixtures
//! of several files, the examples of documentation pages, pictures of terminal output, and a client of language
//! servers.

pub mod book;
pub mod client;
pub mod conversation;
pub mod directives;
pub mod fixture;
pub mod judge;
pub mod markdown;
pub mod picture;
pub mod schema;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}
