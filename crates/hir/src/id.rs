//! The identity of a class.

use modeshift_base::{Name, Span};
use modeshift_db::SourceFile;

/// A class, as a small number that stays the same while the class is edited, moved inside its file or
/// its neighbours change: what counts is the file, the names of the classes around it in that file,
/// its name, and for classes that are wrongly declared twice, which of them it is.
#[salsa::interned(unsafe(no_lifetime), revisions = usize::MAX, debug)]
#[derive(PartialOrd, Ord)]
pub struct ClassId {
    #[returns(copy)]
    pub file: SourceFile,
    /// The class around it in the same file.
    #[returns(copy)]
    pub parent: Option<ClassId>,
    #[returns(copy)]
    pub name: Name,
    /// Counts classes of the same name in the same parent, from 0.
    #[returns(copy)]
    pub nth: u32,
}

/// A range of a class's own text, see [`crate::Layout`]. `resolve` tells the range in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ClassSpan {
    pub class: ClassId,
    pub span: Span,
}

impl ClassSpan {
    pub const fn new(class: ClassId, span: Span) -> Self {
        Self { class, span }
    }
}
