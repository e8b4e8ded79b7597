//! The test models of the repository, for properties that all of them have.

use std::path::{Path, PathBuf};

/// All model files of all topics, in a fixed order.
pub fn model_files() -> Vec<PathBuf> {
    let mut list = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "mo") {
                list.push(path);
            }
        }
    }
    list.sort();
    list
}
