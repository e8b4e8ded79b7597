//! Names and texts of files, and where in them a byte is: what every renderer needs.

use modeshift_base::{FileId, FileSpan, Span};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files that diagnostics may point into.
///
/// Whoever hands out [`FileId`]s may put in only those that its diagnostics mention: see
/// [`Diagnostic::files`](crate::Diagnostic::files).
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: BTreeMap<FileId, SourceFile>,
}

/// One file: its name as the user wrote it, its text, and where its lines begin.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    /// Byte offset of the first character of each line; the first entry is 0.
    line_starts: Vec<u32>,
}

/// A place as people count: lines and columns from 1, columns in characters, the end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Files {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file under the next free id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(
            self.files
                .last_key_value()
                .map_or(0, |(last, _)| last.0 + 1),
        );
        self.insert(id, name, text);
        id
    }

    /// Adds or replaces the file known as `id` elsewhere.
    pub fn insert(&mut self, id: FileId, name: impl Into<String>, text: impl Into<Arc<str>>) {
        self.files.insert(id, SourceFile::new(name, text));
    }

    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(&id)
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().map(|(id, file)| (*id, file))
    }

    /// The file and the place of `at`; nothing when the file is not here.
    pub fn place(&self, at: FileSpan) -> Option<(&SourceFile, Place)> {
        let file = self.get(at.file)?;
        Some((file, file.place(at.span)))
    }
}

impl SourceFile {
    /// O(length of the text).
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let line_starts = line_starts(&text);
        Self {
            name: name.into(),
            text,
            line_starts,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many lines there are; an empty text has one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The line (from 0) that holds the byte at `offset`; the last one for offsets behind the end.
    /// O(log lines).
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// Where line `line` (from 0) begins.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts
            .get(line)
            .copied()
            .unwrap_or(self.text.len() as u32)
    }

    /// The text of line `line` (from 0) without its line ending.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_start(line) as usize;
        let end = self.line_start(line + 1) as usize;
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of `span`. O(log lines + length of its lines).
    pub fn place(&self, span: Span) -> Place {
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end.max(span.start));
        Place {
            line,
            column,
            end_line,
            end_column,
        }
    }

    fn position(&self, offset: u32) -> (u32, u32) {
        let offset = self.floor(offset);
        let line = self.line_of(offset);
        let before = &self.text[self.line_start(line) as usize..offset as usize];
        (line as u32 + 1, before.chars().count() as u32 + 1)
    }

    /// The nearest character boundary at or before `offset`, so that a sloppy span cannot panic.
    pub(crate) fn floor(&self, offset: u32) -> u32 {
        self.text.floor_char_boundary(offset as usize) as u32
    }
}

/// Lines end with `\n`, `\r\n` or a lone `\r`.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(i, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0)
        .chain(ends.map(|(i, _)| i as u32 + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, start: u32, end: u32) -> (u32, u32, u32, u32) {
        let place = SourceFile::new("a.mo", text).place(Span::new(start, end));
        (place.line, place.column, place.end_line, place.end_column)
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        assert_eq!(place("é = ü;\n", 5, 7), (1, 5, 1, 6));
    }

    #[test]
    fn every_line_ending_ends_a_line() {
        assert_eq!(place("a\rb\r\nc\nd", 7, 8), (4, 1, 4, 2));
        let file = SourceFile::new("a.mo", "a\rb\r\nc\nd");
        assert_eq!(
            (0..4).map(|i| file.line(i)).collect::<Vec<_>>(),
            ["a", "b", "c", "d"]
        );
    }

    #[test]
    fn a_span_past_the_end_or_inside_a_character_is_clamped() {
        assert_eq!(place("ab", 9, 12), (1, 3, 1, 3));
        assert_eq!(place("é", 1, 2), (1, 1, 1, 2));
        assert_eq!(place("", 0, 0), (1, 1, 1, 1));
    }

    #[test]
    fn the_end_never_comes_before_the_start() {
        assert_eq!(place("abc", 2, 1), (1, 3, 1, 3));
    }
}
