//! The identity of a class.

use modeshift_base::{FileId, FileSpan, Name, Span};
use modeshift_db::SourceFile;
use salsa::plumbing::{AsId, FromId};

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

/// Stands for the place of the class's name, see [`ClassSpan::of_name`].
pub(crate) const NAME: Span = Span::new(u32::MAX, u32::MAX);

impl ClassSpan {
    pub const fn new(class: ClassId, span: Span) -> Self {
        Self { class, span }
    }

    /// Where the class's name is declared. The class is not looked at until the place is resolved, so
    /// whoever keeps it does not depend on what is written in the class.
    pub const fn of_name(class: ClassId) -> Self {
        Self::new(class, NAME)
    }

    /// The same place in the form that the instance tree and everything after it carries along. There
    /// a [`FileId`] is either a file or, with this bit, the own text of a class; only
    /// [`crate::resolve_place`] tells them apart, when something is shown.
    pub fn to_place(self) -> FileSpan {
        let file = FileId(OWN_TEXT | self.class.as_id().index());
        FileSpan {
            file,
            span: self.span,
        }
    }

    /// Inverse of [`ClassSpan::to_place`]; `None` for places in files.
    pub fn from_place(place: FileSpan) -> Option<Self> {
        let index = place.file.0.checked_sub(OWN_TEXT)?;
        let class = ClassId::from_id(salsa::Id::from_bits(u64::from(index) + 1));
        Some(Self {
            class,
            span: place.span,
        })
    }
}

/// Files are numbered from 0 and never come near.
const OWN_TEXT: u32 = 1 << 31;
