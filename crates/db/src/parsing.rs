//! Text to tree.

use crate::{Db, SourceFile};
use modeshift_syntax::Parse;

/// The tree of a file, spans relative to the file. Trees are not compared (that costs as much as the
/// queries that would be spared), so everything that must survive edits elsewhere in the file stands
/// behind the projections of `hir`. Trees that were not used for long are dropped and made anew when
/// needed.
#[salsa::tracked(returns(ref), no_eq, lru = 128)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parse {
    let mut parsed = modeshift_syntax::parse(file.text(db));
    let problems = file.contents(db).problems().iter().cloned();
    parsed.errors.splice(0..0, problems);
    parsed
}
