//! A diagnostic as plain data. Rendering is somebody else's job.

use crate::registry::Code;
use modeshift_base::{FileId, FileSpan, FxIndexSet};
use serde::Serialize;

/// How bad it is. `Error` makes the command fail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// A place with a remark. The first label of a diagnostic is its primary one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label<L = FileSpan> {
    pub at: L,
    pub message: String,
}

/// Replace the text at `at` by `text`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit<L = FileSpan> {
    pub at: L,
    pub text: String,
}

/// A change that a tool can apply on the user's word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix<L = FileSpan> {
    pub title: String,
    pub edits: Vec<Edit<L>>,
}

/// One message to the user. `L` is how places are told: analyses that must survive edits elsewhere
/// in a file use class-relative places and are mapped by [`Diagnostic::map`] when shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic<L = FileSpan> {
    pub code: Code,
    pub severity: Severity,
    /// One line that makes sense alone.
    pub message: String,
    pub labels: Vec<Label<L>>,
    pub notes: Vec<String>,
    pub fixes: Vec<Fix<L>>,
}

/// Quoted source may run over several lines; every line break and the blanks around it become one blank.
fn on_one_line(text: String) -> String {
    if !text.contains(['\n', '\r']) {
        return text;
    }
    let lines = text.split(['\n', '\r']).map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

impl<L> Diagnostic<L> {
    /// A diagnostic with the code's own severity. Its message is one line, whatever text it quotes.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: on_one_line(message.into()),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
        }
    }

    #[must_use]
    pub fn label(mut self, at: L, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            at,
            message: message.into(),
        });
        self
    }

    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit<L>>) -> Self {
        self.fixes.push(Fix {
            title: on_one_line(title.into()),
            edits,
        });
        self
    }

    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same diagnostic with its places told in another way.
    pub fn map<M>(self, mut place: impl FnMut(L) -> M) -> Diagnostic<M> {
        Diagnostic {
            code: self.code,
            severity: self.severity,
            message: self.message,
            labels: self
                .labels
                .into_iter()
                .map(|label| Label {
                    at: place(label.at),
                    message: label.message,
                })
                .collect(),
            notes: self.notes,
            fixes: self
                .fixes
                .into_iter()
                .map(|fix| Fix {
                    title: fix.title,
                    edits: fix
                        .edits
                        .into_iter()
                        .map(|edit| Edit {
                            at: place(edit.at),
                            text: edit.text,
                        })
                        .collect(),
                })
                .collect(),
        }
    }
}

impl Diagnostic<FileSpan> {
    /// The files it points into, each once.
    pub fn files(&self) -> FxIndexSet<FileId> {
        let edits = self
            .fixes
            .iter()
            .flat_map(|fix| &fix.edits)
            .map(|edit| edit.at.file);
        self.labels
            .iter()
            .map(|label| label.at.file)
            .chain(edits)
            .collect()
    }
}
