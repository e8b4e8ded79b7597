//! Byte ranges in a source text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A half-open byte range. What it is relative to (the file, or the enclosing class for trees that
/// must not change when text before them is edited) is said by whoever holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The same range seen from an origin at `base` (saturating at zero).
    pub const fn relative_to(self, base: u32) -> Self {
        Self {
            start: self.start.saturating_sub(base),
            end: self.end.saturating_sub(base),
        }
    }

    /// Inverse of [`Span::relative_to`].
    pub const fn shifted_by(self, base: u32) -> Self {
        Self {
            start: self.start + base,
            end: self.end + base,
        }
    }

    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A file, as a small number handed out by whoever owns the texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A byte range in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FileSpan {
    pub file: FileId,
    pub span: Span,
}

impl FileSpan {
    /// The empty place before its first character.
    pub const fn start(self) -> Self {
        let at = self.span.start;
        Self {
            file: self.file,
            span: Span::new(at, at),
        }
    }

    /// The empty place after its last character.
    pub const fn end(self) -> Self {
        let at = self.span.end;
        Self {
            file: self.file,
            span: Span::new(at, at),
        }
    }
}
