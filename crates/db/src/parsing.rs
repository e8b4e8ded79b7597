//! Text to tree.

use crate::{Db, SourceFile};
use modeshift_syntax::{Lexed, Parse};

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

/// The words of a file, for questions that are about words. Kept for the few files that are being looked at.
#[salsa::tracked(returns(ref), no_eq, lru = 8)]
pub fn words(db: &dyn Db, file: SourceFile) -> Lexed {
    modeshift_syntax::lex(file.text(db))
}
