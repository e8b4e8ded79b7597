//! Diagnostics of all phases, made ready to be shown.

use crate::Session;
use modeshift_base::{FileId, FxHashMap};
use modeshift_db::Db;
use modeshift_diag::{Code, Diagnostic, Files};
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

/// Whether a comment `// modeshift: allow MS4004` stands in the line of a message or alone in the line before it. Several
/// codes or names are separated by commas; what follows ` -- ` is a reason. Errors cannot be allowed.
fn is_allowed(session: &Session, diagnostic: &Diagnostic) -> bool {
    const MARK: &str = "// modeshift: allow ";
    let Some(at) = diagnostic.labels.first().map(|label| label.at) else {
        return false;
    };
    let text = session.name_and_text(at.file).map(|(_, text)| text);
    let Some(text) = text.filter(|text| text.contains(MARK)) else {
        return false;
    };
    let start = (at.span.start as usize).min(text.len());
    let Some((before, rest)) = text.split_at_checked(start) else {
        return false;
    };
    let (above, begin) = before.rsplit_once('\n').unwrap_or(("", before));
    let here = format!("{begin}{}", rest.lines().next().unwrap_or_default());
    let above = above.lines().next_back().unwrap_or_default();
    let above = above.trim_start().starts_with(MARK).then_some(above);
    [Some(&*here), above].into_iter().flatten().any(|line| {
        let Some((_, names)) = line.split_once(MARK) else {
            return false;
        };
        let names = names.split(" -- ").next().unwrap_or_default();
        let mut names = names.split(',').map(str::trim);
        names.any(|name| Code::named(name).contains(&diagnostic.code))
    })
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
        diagnostics.retain(|it| it.is_error() || !is_allowed(session, it));
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
