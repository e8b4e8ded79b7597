//! The source texts that a report points into: whole files if they are small, else the lines around.

use crate::place::Places;
use modeshift_base::{FileSpan, FxIndexMap};
use modeshift_diag::json::JsonPlace;
use modeshift_flat::model::Origin;
use serde::Serialize;
use std::collections::BTreeSet;

/// Files up to this many bytes are embedded as a whole.
const WHOLE_FILE: usize = 60_000;
/// Lines shown around a place in larger ones.
const AROUND: u32 = 8;

/// A place: file, first line, first column, last line, last column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct SourceRef(u32, u32, u32, u32, u32);

#[derive(Clone, Debug, Serialize)]
pub(super) struct SourceFile {
    name: String,
    chunks: Vec<Chunk>,
}

/// Consecutive lines.
#[derive(Clone, Debug, Serialize)]
struct Chunk {
    line: u32,
    text: String,
}

/// Collects places and, in the end, the texts they point into.
pub(super) struct Sources<'p> {
    places: &'p Places<'p>,
    /// By file: the lines that are pointed to.
    lines: FxIndexMap<String, BTreeSet<u32>>,
}

impl<'p> Sources<'p> {
    pub fn new(places: &'p Places<'p>) -> Self {
        Self {
            places,
            lines: FxIndexMap::default(),
        }
    }

    pub fn of(&mut self, origin: &Origin) -> Option<SourceRef> {
        let at = self.places.of(origin);
        self.add(&at)
    }

    pub fn locate(&self, at: FileSpan) -> JsonPlace {
        JsonPlace::new((self.places.resolve)(at), self.places.files)
    }

    pub fn add(&mut self, at: &JsonPlace) -> Option<SourceRef> {
        let place = at.place;
        self.add_lines(
            at.file.as_deref()?,
            [place.line, place.column, place.end_line, place.end_column],
        )
    }

    /// `[line, column, end_line, end_column]`
    pub fn add_lines(
        &mut self,
        file: &str,
        [line, column, end_line, end_column]: [u32; 4],
    ) -> Option<SourceRef> {
        if line == 0 {
            return None;
        }
        let entry = self.lines.entry(file.to_owned());
        let index = entry.index() as u32;
        entry.or_default().extend([line, end_line]);
        Some(SourceRef(index, line, column, end_line, end_column))
    }

    pub fn finish(self) -> Vec<SourceFile> {
        let places = self.places;
        let text_of = |name: &str| {
            let file = places.files.iter().find(|(_, file)| file.name() == name);
            file.map(|(_, file)| file.text()).unwrap_or_default()
        };
        let file = |(name, lines): (String, BTreeSet<u32>)| {
            let text = text_of(&name);
            let chunks = if text.len() <= WHOLE_FILE {
                vec![Chunk {
                    line: 1,
                    text: text.to_owned(),
                }]
            } else {
                excerpts(text, &lines)
            };
            SourceFile { name, chunks }
        };
        self.lines.into_iter().map(file).collect()
    }
}

/// The lines around each of `lines`, joined where they touch. Linear in the text.
fn excerpts(text: &str, lines: &BTreeSet<u32>) -> Vec<Chunk> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        let (first, last) = (line.saturating_sub(AROUND).max(1), line + AROUND);
        match ranges.last_mut() {
            Some((_, end)) if first <= *end + 1 => *end = last,
            _ => ranges.push((first, last)),
        }
    }
    let mut chunks: Vec<Chunk> = ranges
        .iter()
        .map(|&(line, _)| Chunk {
            line,
            text: String::new(),
        })
        .collect();
    let mut current = 0;
    for (i, line) in text.lines().enumerate() {
        let number = i as u32 + 1;
        while ranges.get(current).is_some_and(|(_, last)| number > *last) {
            current += 1;
        }
        match ranges.get(current) {
            Some((first, _)) if number >= *first => {
                chunks[current].text.push_str(line);
                chunks[current].text.push('\n');
            }
            Some(_) => {}
            None => break,
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::excerpts;

    #[test]
    fn lines_around_places_are_kept_and_joined() {
        let text: String = (1..=100).map(|i| format!("{i}\n")).collect();
        let chunks = excerpts(&text, &[3, 15, 90].into());
        let found: Vec<(u32, usize)> = chunks
            .iter()
            .map(|chunk| (chunk.line, chunk.text.lines().count()))
            .collect();
        assert_eq!(found, [(1, 23), (82, 17)]);
        assert!(chunks[1].text.starts_with("82\n"));
    }
}
