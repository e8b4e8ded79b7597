//! The tree as Modelica text: for messages, for generated code, and for the law that reading what was
//! printed gives the same tree.
//!
//! Every node of the tree implements [`std::fmt::Display`]. Parentheses are added where the tree needs
//! them, so trees built by hand print correctly, too. Layout is simple; [`crate::format`] is the tool for
//! text that people keep, since the tree has no comments.

mod class;
mod equation;
mod expr;

use std::fmt::{self, Display, Formatter};

/// Items with a separator between them.
pub(crate) fn separated<T: Display>(
    f: &mut Formatter<'_>,
    items: &[T],
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// Writes `word` and a blank when `present`.
fn word(f: &mut Formatter<'_>, present: bool, word: &str) -> fmt::Result {
    if present {
        write!(f, "{word} ")
    } else {
        Ok(())
    }
}

/// A writer that indents every line by two blanks.
struct Indented<'a, 'f> {
    inner: &'a mut Formatter<'f>,
    at_line_start: bool,
}

impl fmt::Write for Indented<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.split_inclusive('\n') {
            if self.at_line_start && piece != "\n" {
                self.inner.write_str("  ")?;
            }
            self.inner.write_str(piece)?;
            self.at_line_start = piece.ends_with('\n');
        }
        Ok(())
    }
}

/// Every item on lines of its own, indented, with `;` behind it.
fn lines<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result {
    use fmt::Write;
    for item in items {
        writeln!(
            Indented {
                inner: f,
                at_line_start: true
            },
            "{item};"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
