//! The few lines of each file that a diagnostic shows, made fit to print.
//!
//! codespan-reporting addresses text by byte ranges in a source. We give it a small source of our
//! own, holding only the lines it will ask for: control characters are made visible, tabs are
//! spaces, and a line wider than the terminal is cropped around its labels. Line numbers stay those
//! of the file.

use crate::diagnostic::Diagnostic;
use crate::files::{Files, SourceFile};
use codespan_reporting::diagnostic::{Label, LabelStyle};
use codespan_reporting::files::{self as codespan, Error, Location};
use modeshift_base::{FileId, FxIndexMap, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

pub(super) const TAB_WIDTH: usize = 4;
/// Lines shown inside a label of several lines, after its first and before its last line. These are
/// codespan-reporting's defaults.
const AFTER_START: usize = 3;
const BEFORE_END: usize = 1;
/// Columns kept to the left of a label in a cropped line.
const LEAD: usize = 12;
const ELLIPSIS: &str = "…";
/// Of a line longer than this, only what lies around its first label is looked at: a file may be one line.
const LONG_LINE: usize = 8192;

pub(super) struct Excerpts<'a> {
    files: FxIndexMap<FileId, Excerpt<'a>>,
}

struct Excerpt<'a> {
    file: &'a SourceFile,
    /// The printable lines, each with a line ending.
    text: String,
    lines: BTreeMap<usize, ExcerptLine>,
    /// Where labels begin: in `text`, and as told to the user.
    starts: Vec<(usize, Location)>,
}

struct ExcerptLine {
    /// In [`Excerpt::text`], with the line ending.
    range: Range<usize>,
    /// For each boundary of characters in the file's line: its byte offset there and in the
    /// printable line. Ascending.
    boundaries: Vec<(u32, u32)>,
}

impl<'a> Excerpts<'a> {
    /// The excerpts for `diagnostic` and its labels in terms of them. Labels in files that are not
    /// known are left out. O(lines inside the labels), as of a long line only a part is looked at.
    pub(super) fn of(
        diagnostic: &Diagnostic,
        files: &'a Files,
        width: usize,
    ) -> (Self, Vec<Label<FileId>>) {
        let mut spans: FxIndexMap<FileId, (&'a SourceFile, Vec<Span>)> = FxIndexMap::default();
        for label in &diagnostic.labels {
            if let Some(file) = files.get(label.at.file) {
                spans
                    .entry(label.at.file)
                    .or_insert((file, Vec::new()))
                    .1
                    .push(label.at.span);
            }
        }
        let room = width.saturating_sub(gutter(&spans) + 3);
        let files: FxIndexMap<FileId, Excerpt<'a>> = spans
            .into_iter()
            .map(|(id, (file, spans))| (id, Excerpt::new(file, &spans, room)))
            .collect();
        let labels = diagnostic
            .labels
            .iter()
            .enumerate()
            .filter_map(|(i, label)| {
                let range = files.get(&label.at.file)?.range(label.at.span);
                let style = if i == 0 {
                    LabelStyle::Primary
                } else {
                    LabelStyle::Secondary
                };
                Some(Label {
                    style,
                    file_id: label.at.file,
                    range,
                    message: super::one_line(&label.message),
                })
            });
        let labels = labels.collect();
        (Self { files }, labels)
    }

    /// Digits of the widest line number.
    pub(super) fn gutter(&self) -> usize {
        let lines = self
            .files
            .values()
            .filter_map(|excerpt| excerpt.lines.last_key_value());
        lines.map(|(line, _)| digits(line + 1)).max().unwrap_or(0)
    }

    fn get(&self, id: FileId) -> Result<&Excerpt<'a>, Error> {
        self.files.get(&id).ok_or(Error::FileMissing)
    }
}

fn gutter(spans: &FxIndexMap<FileId, (&SourceFile, Vec<Span>)>) -> usize {
    let ends = spans
        .values()
        .flat_map(|(file, spans)| spans.iter().map(|span| file.line_of(span.end) + 1));
    digits(ends.max().unwrap_or(1))
}

fn digits(number: usize) -> usize {
    number.max(1).ilog10() as usize + 1
}

impl<'a> Excerpt<'a> {
    fn new(file: &'a SourceFile, spans: &[Span], room: usize) -> Self {
        // Labels of several lines draw their bars into the inner gutter, two columns each.
        let bars = spans
            .iter()
            .filter(|span| first_line(file, span) < last_line(file, span))
            .count();
        let room = room.saturating_sub(2 * bars).max(8);
        let mut excerpt = Self {
            file,
            text: String::new(),
            lines: BTreeMap::new(),
            starts: vec![],
        };
        for line in shown_lines(file, spans) {
            excerpt.push_line(line, spans, room);
        }
        for span in spans {
            let place = file.place(*span);
            let location = Location {
                line_number: place.line as usize,
                column_number: place.column as usize,
            };
            excerpt.starts.push((excerpt.range(*span).start, location));
        }
        excerpt
    }

    fn push_line(&mut self, line: usize, spans: &[Span], room: usize) {
        let targets = targets(self.file, line, spans);
        let (source, skipped) = neighbourhood(self.file.line(line), &targets);
        let within = |offset: u32| offset.saturating_sub(skipped).min(source.len() as u32);
        let targets: Vec<Range<u32>> = targets
            .iter()
            .map(|target| within(target.start)..within(target.end))
            .collect();
        let (text, mut boundaries) = printable_line(source, &targets, room);
        for (from, _) in &mut boundaries {
            *from += skipped;
        }
        let start = self.text.len();
        self.text.push_str(&text);
        self.text.push('\n');
        self.lines.insert(
            line,
            ExcerptLine {
                range: start..self.text.len(),
                boundaries,
            },
        );
    }

    /// `span` in terms of the excerpt's text. A span that ends with a line's ending ends before it.
    fn range(&self, span: Span) -> Range<usize> {
        let start = self.offset(first_line(self.file, &span), span.start);
        let end = self.offset(last_line(self.file, &span), span.end.max(span.start));
        start..end.max(start)
    }

    fn offset(&self, line: usize, offset: u32) -> usize {
        let Some(shown) = self.lines.get(&line) else {
            return 0;
        };
        let within = offset.saturating_sub(self.file.line_start(line));
        let after = shown
            .boundaries
            .partition_point(|(from, _)| *from <= within);
        let to = after
            .checked_sub(1)
            .and_then(|i| shown.boundaries.get(i))
            .map_or(0, |(_, to)| *to);
        shown.range.start + to as usize
    }
}

fn first_line(file: &SourceFile, span: &Span) -> usize {
    file.line_of(file.floor(span.start))
}

/// The line that holds the last byte of `span`: one that covers a line with its ending, or ends
/// with white space at the beginning of the next, is a label of one line.
fn last_line(file: &SourceFile, span: &Span) -> usize {
    let first = first_line(file, span);
    file.line_of(file.floor(span.end.saturating_sub(1)))
        .max(first)
}

/// Which lines will be asked for, in order.
fn shown_lines(file: &SourceFile, spans: &[Span]) -> Vec<usize> {
    let mut lines = Vec::new();
    for span in spans {
        let (first, last) = (first_line(file, span), last_line(file, span));
        lines.extend(first..=last.min(first + AFTER_START));
        lines.extend(last.saturating_sub(BEFORE_END).max(first)..=last);
    }
    lines.sort_unstable();
    lines.dedup();
    // A single line between two shown ones is shown too, instead of dots.
    let between: Vec<usize> = lines
        .windows(2)
        .filter(|pair| pair[1] == pair[0] + 2)
        .map(|pair| pair[0] + 1)
        .collect();
    lines.extend(between);
    lines.sort_unstable();
    lines
}

/// The parts of line `line` that labels point at, as byte ranges in the line, in the order of the
/// labels.
fn targets(file: &SourceFile, line: usize, spans: &[Span]) -> Vec<Range<u32>> {
    let start = file.line_start(line);
    let targets = spans.iter().filter_map(|span| {
        let (first, last) = (first_line(file, span), last_line(file, span));
        match (first == line, last == line) {
            (true, true) => Some(span.start..span.end),
            (true, false) => Some(span.start..span.start + 1),
            (false, true) => Some(span.end.saturating_sub(1)..span.end),
            (false, false) => None,
        }
    });
    targets
        .map(|range| range.start.saturating_sub(start)..range.end.saturating_sub(start))
        .collect()
}

/// The part of a very long line around the first target, and how many bytes lie before it.
fn neighbourhood<'a>(line: &'a str, targets: &[Range<u32>]) -> (&'a str, u32) {
    if line.len() <= LONG_LINE {
        return (line, 0);
    }
    let focus = targets.first().map_or(0, |target| target.start as usize);
    let start = line.floor_char_boundary(focus.saturating_sub(LONG_LINE / 2));
    let end = line.floor_char_boundary(start + LONG_LINE);
    (&line[start..end], start as u32)
}

/// The line as it can be printed in `room` columns, and how its character boundaries moved.
fn printable_line(line: &str, targets: &[Range<u32>], room: usize) -> (String, Vec<(u32, u32)>) {
    let cells = cells(line);
    let total: usize = cells.iter().map(|cell| cell.width).sum();
    let window = window(&cells, total, targets, room);
    let mut text = String::new();
    let mut boundaries = Vec::with_capacity(cells.len() + 1);
    if window.start > 0 {
        text.push_str(ELLIPSIS);
    }
    let mut column = 0;
    for cell in &cells {
        // What is cut off at the left is the ellipsis.
        let to = if column < window.start { 0 } else { text.len() };
        boundaries.push((cell.offset, to as u32));
        if window.start <= column && column + cell.width <= window.end {
            text.push_str(&cell.text);
        }
        column += cell.width;
    }
    boundaries.push((line.len() as u32, text.len() as u32));
    if window.end < total {
        text.push_str(ELLIPSIS);
    }
    (text, boundaries)
}

/// Which columns of a line to show: its beginning if all targets are there, else a stretch with all
/// of them, else one with the first, which belongs to the most important label.
fn window(cells: &[Cell], total: usize, targets: &[Range<u32>], room: usize) -> Range<usize> {
    if total <= room {
        return 0..total;
    }
    let column_of = |offset: u32| -> usize {
        cells
            .iter()
            .take_while(|cell| cell.offset < offset)
            .map(|cell| cell.width)
            .sum()
    };
    let columns = |range: &Range<u32>| column_of(range.start)..column_of(range.end);
    let all = targets
        .iter()
        .map(columns)
        .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
    let all = all.unwrap_or(0..0);
    if all.end < room {
        return 0..room - 1;
    }
    // One column for each ellipsis.
    let room = room.saturating_sub(2);
    let focus = if all.len() <= room {
        all
    } else {
        targets.first().map_or(all, columns)
    };
    let lead = LEAD.min(room.saturating_sub(focus.len()));
    // No gap is left at the right end of the line.
    let start = focus
        .start
        .saturating_sub(lead)
        .min(total.saturating_sub(room));
    start..(start + room).min(total)
}

/// A character of the file and what is printed for it.
struct Cell {
    offset: u32,
    text: String,
    width: usize,
}

fn cells(line: &str) -> Vec<Cell> {
    let mut column = 0;
    let cells = line.char_indices().map(|(offset, char)| {
        let text = match char {
            '\t' => " ".repeat(TAB_WIDTH - column % TAB_WIDTH),
            _ => visible(char).to_string(),
        };
        let width = if char == '\t' {
            text.len()
        } else {
            visible(char).width().unwrap_or(0)
        };
        column += width;
        Cell {
            offset: offset as u32,
            text,
            width,
        }
    });
    cells.collect()
}

/// Control characters as their pictures, so that a source text cannot drive the terminal.
fn visible(char: char) -> char {
    match char {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + char as u32).unwrap_or('�'),
        '\u{7f}' => '␡',
        // Other controls, and marks that reorder text.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => '�',
        _ => char,
    }
}

/// `text` with control characters made visible.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|char| if char == '\t' { ' ' } else { visible(char) })
        .collect()
}

impl<'a> codespan::Files<'a> for Excerpts<'_> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(self.get(id)?.file.name())
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.get(id)?.text)
    }

    fn line_index(&'a self, id: FileId, offset: usize) -> Result<usize, Error> {
        let lines = &self.get(id)?.lines;
        let line = lines.iter().find(|(_, line)| offset < line.range.end);
        Ok(line
            .or(lines.iter().next_back())
            .map_or(0, |(index, _)| *index))
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        // Lines that are not in the excerpt lie in the hidden middle of a long label.
        Ok(self
            .get(id)?
            .lines
            .get(&line)
            .map_or(0..0, |line| line.range.clone()))
    }

    fn location(&'a self, id: FileId, offset: usize) -> Result<Location, Error> {
        let starts = &self.get(id)?.starts;
        let start = starts.iter().find(|(at, _)| *at == offset);
        Ok(start.map_or(
            Location {
                line_number: 1,
                column_number: 1,
            },
            |(_, location)| *location,
        ))
    }
}
