//! Warnings that are known: a list of them beside old models, so that only new ones are shown.
//!
//! A warning is known by its file, code and message, not by its line: texts may move. As often as it is listed it is left
//! out. Errors are never left out.

use crate::ui::Failure;
use modeshift_diag::{Diagnostic, Files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How often each warning is known: by `file: code: message`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Baseline {
    known: BTreeMap<String, usize>,
}

impl Baseline {
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |error: &dyn std::fmt::Display| {
            Failure::Usage(format!("the baseline {}: {error}", path.display()))
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let known = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        Ok(Self { known })
    }

    /// A list of these warnings and notes.
    pub fn of(diagnostics: &[Diagnostic], files: &Files) -> Self {
        let mut known = BTreeMap::new();
        for diagnostic in diagnostics.iter().filter(|it| !it.is_error()) {
            *known.entry(key(diagnostic, files)).or_default() += 1;
        }
        Self { known }
    }

    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&self.known)?;
        Ok(fs::write(path, text + "\n")?)
    }

    pub fn len(&self) -> usize {
        self.known.values().sum()
    }

    /// What is not known.
    pub fn new_ones(&self, diagnostics: Vec<Diagnostic>, files: &Files) -> Vec<Diagnostic> {
        let mut left = self.known.clone();
        let is_new = |diagnostic: &Diagnostic| match left.get_mut(&key(diagnostic, files)) {
            Some(count) if *count > 0 && !diagnostic.is_error() => {
                *count -= 1;
                false
            }
            _ => true,
        };
        diagnostics.into_iter().filter(is_new).collect()
    }
}

fn key(diagnostic: &Diagnostic, files: &Files) -> String {
    let place = diagnostic
        .labels
        .first()
        .and_then(|label| files.place(label.at));
    let file = place.map_or("", |(file, _)| file.name());
    format!("{file}: {}: {}", diagnostic.code, diagnostic.message)
}
