//! Diagnostics of all phases, made ready to be shown.

use crate::Session;
use crate::allowed::Allowed;
use modeshift_base::{FileId, FxHashMap};
use modeshift_db::Db;
use modeshift_diag::{Diagnostic, Files};
use modeshift_hir::resolve_place;
use std::collections::BTreeSet;
use std::path::Path;

/// Diagnostics with their places in files, sorted, each once, and the files they point into.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub diagnostics: Vec<Diagnostic>,
    pub files: Files,
}

/// Where files stand in a report.
struct FileOrder<'s> {
    session: &'s Session,
    open: FxHashMap<FileId, usize>,
}

impl<'s> FileOrder<'s> {
    fn new(session: &'s Session) -> Self {
        let open = session.open_files().iter().enumerate();
        let open = open.map(|(rank, file)| (file.id(session.db()), rank));
        Self {
            session,
            open: open.collect(),
        }
    }

    fn rank(&self, id: FileId) -> (usize, Option<&'s Path>) {
        match self.open.get(&id) {
            Some(&rank) => (rank, None),
            None => {
                let db = self.session.db();
                let path = db.files().by_id(id).map(|file| file.path(db));
                (usize::MAX, path)
            }
        }
    }
}

impl Report {
    /// Sorted by file and position of the primary label, then by code and message; diagnostics without a
    /// place come first. Open files come in their order, then all others by their paths: the order in which
    /// they happened to be read does not matter.
    pub(crate) fn collect(
        session: &Session,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
    ) -> Self {
        let resolve = |place| resolve_place(session.db(), place);
        let mut diagnostics: Vec<Diagnostic> = diagnostics
            .into_iter()
            .map(|diagnostic| diagnostic.map(resolve))
            .collect();
        let lints = &session.settings().lints;
        diagnostics.retain(|it| !it.code.is_opt_in() || lints.contains(&it.code));
        let mut allowed = Allowed::default();
        diagnostics.retain(|it| it.is_error() || !allowed.contains(session, it));
        let order = FileOrder::new(session);
        diagnostics.sort_by_cached_key(|it| {
            let place = it.labels.first().map(|label| label.at);
            let place = place.map(|at| (order.rank(at.file), at.span));
            (place, it.code, it.message.clone())
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
