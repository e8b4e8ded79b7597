//! Diagnostics of all phases, made ready to be shown.

use crate::Session;
use modeshift_base::FileId;
use modeshift_diag::{Diagnostic, Files};
use modeshift_hir::resolve_place;
use std::collections::BTreeSet;

/// Diagnostics with their places in files, sorted, each once, and the files they point into.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub diagnostics: Vec<Diagnostic>,
    pub files: Files,
}

impl Report {
    /// Sorted by file and position of the primary label, then by code and message; diagnostics without a
    /// place come first.
    pub(crate) fn collect(
        session: &Session,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
    ) -> Self {
        let resolve = |place| resolve_place(session.db(), place);
        let mut diagnostics: Vec<Diagnostic> = diagnostics
            .into_iter()
            .map(|diagnostic| diagnostic.map(resolve))
            .collect();
        diagnostics.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.labels.first().map(|label| label.at), d.code);
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        diagnostics.dedup();
        let mentioned: BTreeSet<FileId> = diagnostics
            .iter()
            .flat_map(|diagnostic| {
                let labels = diagnostic.labels.iter().map(|label| label.at.file);
                let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits);
                labels.chain(edits.map(|edit| edit.at.file))
            })
            .collect();
        let mut files = Files::new();
        for id in mentioned {
            if let Some((name, text)) = session.name_and_text(id) {
                files.insert(id, name, text);
            }
        }
        Self { diagnostics, files }
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
