//! Diagnostics as JSON: one object each, one per line when streamed, or inside a command's document.

use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{Files, Place};
use modeshift_base::FileSpan;
use serde::Serialize;

/// Version of the shape below; `docs/schemas/diagnostic.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.diagnostic/1";

/// A [`Diagnostic`] with places told as file, line and column, ready to be serialised.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JsonDiagnostic {
    pub code: &'static str,
    pub slug: &'static str,
    pub severity: Severity,
    pub message: String,
    pub labels: Vec<JsonLabel>,
    pub notes: Vec<String>,
    pub fixes: Vec<JsonFix>,
    /// Where the code is explained, relative to the repository.
    pub page: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JsonLabel {
    #[serde(flatten)]
    pub at: JsonPlace,
    pub message: String,
    pub primary: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JsonFix {
    pub title: String,
    pub edits: Vec<JsonEdit>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JsonEdit {
    #[serde(flatten)]
    pub at: JsonPlace,
    /// What replaces the text at the place.
    pub text: String,
}

/// A place in a file; `file` is null, and the numbers 0, when the file is unknown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct JsonPlace {
    pub file: Option<String>,
    #[serde(flatten)]
    pub place: Place,
}

impl JsonPlace {
    pub fn new(at: FileSpan, files: &Files) -> Self {
        match files.place(at) {
            Some((file, place)) => Self {
                file: Some(file.name().to_owned()),
                place,
            },
            None => {
                let place = Place {
                    line: 0,
                    column: 0,
                    end_line: 0,
                    end_column: 0,
                };
                Self { file: None, place }
            }
        }
    }
}

impl JsonDiagnostic {
    pub fn new(diagnostic: &Diagnostic, files: &Files) -> Self {
        let place = |at| JsonPlace::new(at, files);
        let labels = diagnostic
            .labels
            .iter()
            .enumerate()
            .map(|(i, label)| JsonLabel {
                at: place(label.at),
                message: label.message.clone(),
                primary: i == 0,
            });
        let fixes = diagnostic.fixes.iter().map(|fix| JsonFix {
            title: fix.title.clone(),
            edits: fix
                .edits
                .iter()
                .map(|edit| JsonEdit {
                    at: place(edit.at),
                    text: edit.text.clone(),
                })
                .collect(),
        });
        Self {
            code: diagnostic.code.as_str(),
            slug: diagnostic.code.slug(),
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            labels: labels.collect(),
            notes: diagnostic.notes.clone(),
            fixes: fixes.collect(),
            page: diagnostic.code.page(),
        }
    }
}
