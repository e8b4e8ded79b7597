//! Text to tree.

use crate::{Db, SourceFile};
use modeshift_base::Span;
use modeshift_diag::Diagnostic;
use modeshift_syntax::ast::StoredDefinition;
use std::sync::Arc;

/// A parsed file, spans relative to the file.
#[derive(Debug, Default)]
pub struct ParsedFile {
    pub tree: Arc<StoredDefinition>,
    pub errors: Vec<Diagnostic<Span>>,
}

/// The tree of a file. Trees are not compared (that costs as much as the queries that would be
/// spared), so everything that must survive edits elsewhere in the file stands behind the
/// projections of `hir`. Trees that were not used for long are dropped and made anew when needed.
#[salsa::tracked(returns(ref), no_eq, lru = 128)]
pub fn parse(db: &dyn Db, file: SourceFile) -> ParsedFile {
    let _text = file.text(db);
    ParsedFile::default()
}
