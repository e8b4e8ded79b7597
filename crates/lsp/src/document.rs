//! Between byte offsets and what the protocol calls positions.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use modeshift_base::Span;

/// What a client counts columns in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<u32>,
    encoding: Encoding,
}

impl<'a> LineIndex<'a> {
    /// O(length of the text). Lines end with `\n`, `\r\n` or a lone `\r`.
    pub fn new(text: &'a str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        let starts = std::iter::once(0)
            .chain(ends.map(|(at, _)| at as u32 + 1))
            .collect();
        Self {
            text,
            starts,
            encoding,
        }
    }

    /// The position of a byte offset; offsets behind the end or inside a character move back.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.text.floor_char_boundary(offset as usize);
        let line = self
            .starts
            .partition_point(|&start| start as usize <= offset)
            .saturating_sub(1);
        let before = &self.text[self.starts[line] as usize..offset];
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        Position::new(line as u32, column as u32)
    }

    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    /// The byte offset of a position; columns behind the end of the line and lines behind the end of the
    /// text mean those ends, as the protocol says.
    pub fn offset(&self, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return self.text.len() as u32;
        };
        let end = self.starts.get(position.line as usize + 1).copied();
        let line = &self.text[start as usize..end.map_or(self.text.len(), |end| end as usize)];
        let line = line.trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, character) in line.char_indices() {
            if column >= position.character {
                return start + at as u32;
            }
            column += match self.encoding {
                Encoding::Utf8 => character.len_utf8() as u32,
                Encoding::Utf16 => character.len_utf16() as u32,
            };
        }
        start + line.len() as u32
    }
}

/// The text after the client's changes, each of which is meant for the result of those before it.
pub(crate) fn apply(
    mut text: String,
    changes: &[TextDocumentContentChangeEvent],
    encoding: Encoding,
) -> String {
    for change in changes {
        match change.range {
            None => text.clone_from(&change.text),
            Some(range) => {
                let index = LineIndex::new(&text, encoding);
                let (start, end) = (index.offset(range.start), index.offset(range.end));
                text.replace_range(start as usize..end.max(start) as usize, &change.text);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_inverse_in_both_encodings() {
        let text = "model é\n  Real 𝔵; // ü\r\nend é;\n\nlast";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let index = LineIndex::new(text, encoding);
            for (offset, c) in text.char_indices() {
                let position = index.position(offset as u32);
                let back = index.offset(position) as usize;
                // Inside a line end, the offset is that of the end of the line.
                assert!(
                    back == offset || "\r\n".contains(c),
                    "{offset} {position:?} {back}"
                );
            }
        }
        let behind_the_wide_letter = |encoding| LineIndex::new(text, encoding).position(20);
        assert_eq!(behind_the_wide_letter(Encoding::Utf16), Position::new(1, 9));
        assert_eq!(behind_the_wide_letter(Encoding::Utf8), Position::new(1, 11));
    }

    #[test]
    fn positions_past_the_end_are_clamped() {
        let index = LineIndex::new("ab\ncd", Encoding::Utf16);
        assert_eq!(index.offset(Position::new(0, 99)), 2);
        assert_eq!(index.offset(Position::new(9, 0)), 5);
        assert_eq!(index.position(99), Position::new(1, 2));
    }

    #[test]
    fn changes_build_on_each_other() {
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        };
        let at = |line, start, end| {
            Some(Range::new(
                Position::new(line, start),
                Position::new(line, end),
            ))
        };
        let changes = [
            change(at(0, 0, 1), "é"),
            change(at(0, 1, 1), "x"),
            change(at(9, 0, 0), "!"),
        ];
        assert_eq!(apply("ab".to_owned(), &changes, Encoding::Utf16), "éxb!");
        assert_eq!(
            apply("ab".to_owned(), &[change(None, "new")], Encoding::Utf16),
            "new"
        );
    }
}
