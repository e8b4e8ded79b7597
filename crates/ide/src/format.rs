//! Formatting, as edits of whole lines so that the cursor and folds of an editor stay where they are.

use modeshift_base::Span;
use modeshift_db::{Db, SourceFile};
use similar::{Algorithm, DiffOp, TextDiff};
use std::ops::Range;
use std::time::Duration;

/// A text to be put in place of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    pub span: Span,
    pub text: String,
}

/// The edits that format the lines `lines` (counted from 0) of a file; none when the file has mistakes. Lines
/// that belong to a change reaching into the range are changed, too. O(length of the file), apart from the
/// comparison, which gives up on finding the smallest change after a while.
pub fn format(db: &dyn Db, file: SourceFile, lines: Range<usize>) -> Vec<TextEdit> {
    let text = file.text(db);
    match modeshift_syntax::format(text) {
        Ok(formatted) => line_edits(text, &formatted, &lines),
        Err(_) => Vec::new(),
    }
}

/// Formats what was finished by typing `typed` in front of `offset`: `;` and the line before a new one. The line
/// of the cursor is left alone behind a new line, because the user is about to write there.
pub fn format_on_type(db: &dyn Db, file: SourceFile, offset: u32, typed: &str) -> Vec<TextEdit> {
    let text = file.text(db);
    let before = &text[..text.floor_char_boundary(offset as usize)];
    let line = before.matches('\n').count();
    let lines = match typed {
        "\n" => line.saturating_sub(1)..line,
        _ => line..line + 1,
    };
    let edits = format(db, file, lines.clone());
    let start = line_starts(text);
    let at = |line: usize| start.get(line).copied().unwrap_or(text.len() as u32);
    let allowed = Span::new(at(lines.start), at(lines.end));
    edits
        .into_iter()
        .filter(|edit| allowed.start <= edit.span.start && edit.span.end <= allowed.end)
        .collect()
}

fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
    std::iter::once(0).chain(ends).collect()
}

fn line_edits(old: &str, new: &str, lines: &Range<usize>) -> Vec<TextEdit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let starts = line_starts(old);
    let at = |line: usize| starts.get(line).copied().unwrap_or(old.len() as u32);
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(Duration::from_millis(200))
        .diff_slices(&old_lines, &new_lines);
    let changed = diff
        .ops()
        .iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed
        .filter(|op| {
            let range = op.old_range();
            range.start < lines.end && lines.start < range.end.max(range.start + 1)
        })
        .map(|op| {
            let (old, new) = (op.old_range(), op.new_range());
            TextEdit {
                span: Span::new(at(old.start), at(old.end)),
                text: new_lines[new].concat(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::line_edits;

    fn apply(old: &str, new: &str, lines: std::ops::Range<usize>) -> String {
        let mut text = old.to_owned();
        for edit in line_edits(old, new, &lines).into_iter().rev() {
            text.replace_range(edit.span.range(), &edit.text);
        }
        text
    }

    #[test]
    fn all_edits_together_give_the_formatted_text() {
        let (old, new) = ("a\n b\nc\n\n\nd", "a\nb\nc\n\nd\n");
        assert_eq!(apply(old, new, 0..usize::MAX), new);
        assert_eq!(apply("", "x\n", 0..usize::MAX), "x\n");
    }

    #[test]
    fn a_range_changes_its_lines_only() {
        let (old, new) = (" a\nb\n c\n", "a\nb\nc\n");
        assert_eq!(apply(old, new, 2..3), " a\nb\nc\n");
    }
}
