//! A fix as the text it leads to: the changed lines, with what is new marked under them.

use super::excerpt::printable;
use crate::diagnostic::{Edit, Fix};
use crate::files::{Files, SourceFile};
use modeshift_base::FileId;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// A fix that touches more lines or text than this is described by its title alone.
const MOST_LINES: usize = 6;
const MOST_BYTES: usize = 4096;

/// Lines such as
/// ```text
///   12 │ der(x) = v;
///      │           +
/// ```
/// Nothing when the fix is too large or its edits make no sense. O(edits + length of the lines shown).
pub(super) fn changed_lines(fix: &Fix, files: &Files, width: usize) -> Vec<String> {
    let mut edits: Vec<&Edit> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| (edit.at.file, edit.at.span));
    let overlap = edits.windows(2).any(|pair| {
        pair[0].at.file == pair[1].at.file && pair[0].at.span.end > pair[1].at.span.start
    });
    if overlap || edits.is_empty() {
        return Vec::new();
    }
    let mut groups: Vec<(FileId, usize, usize, Vec<&Edit>)> = Vec::new();
    for edit in edits {
        let Some(file) = files.get(edit.at.file) else {
            return Vec::new();
        };
        let first = file.line_of(edit.at.span.start);
        let last = file.line_of(edit.at.span.end);
        match groups.last_mut() {
            Some((id, _, end, group)) if *id == edit.at.file && first <= *end => {
                *end = last.max(*end);
                group.push(edit);
            }
            _ => groups.push((edit.at.file, first, last, vec![edit])),
        }
    }
    let mut lines = Vec::new();
    for (id, first, last, edits) in groups {
        let Some(file) = files.get(id) else {
            return Vec::new();
        };
        lines.extend(render_group(file, first, last, &edits, width));
    }
    if lines.len() > 2 * MOST_LINES {
        Vec::new()
    } else {
        lines
    }
}

/// The lines `first..=last` of the file after the edits with marks under new text; or, when the edits
/// only take away, as they are with marks under what goes.
fn render_group(
    file: &SourceFile,
    first: usize,
    last: usize,
    edits: &[&Edit],
    width: usize,
) -> Vec<String> {
    let only_deletes = edits.iter().all(|edit| edit.text.is_empty());
    let start = file.line_start(first) as usize;
    let end = start.max(file.line_start(last) as usize + file.line(last).len());
    if end - start > MOST_BYTES {
        return Vec::new();
    }
    let mut text = String::new();
    let mut marked: Vec<Range<usize>> = Vec::new();
    let mut at = start;
    for edit in edits {
        let from = (file.floor(edit.at.span.start) as usize).clamp(at, end);
        let to = (file.floor(edit.at.span.end) as usize).clamp(from, end);
        text.push_str(&file.text()[at..from]);
        let new = if only_deletes {
            &file.text()[from..to]
        } else {
            &edit.text
        };
        marked.push(text.len()..text.len() + new.len());
        text.push_str(new);
        at = to;
    }
    text.push_str(&file.text()[at..end]);
    render_lines(
        &text,
        &marked,
        first,
        if only_deletes { '-' } else { '+' },
        width,
    )
}

/// The first line of `text` and those with marks; nothing when one is wider than `width`.
fn render_lines(
    text: &str,
    marked: &[Range<usize>],
    first: usize,
    mark: char,
    width: usize,
) -> Vec<String> {
    let number_width = (first + text.matches('\n').count() + 1).to_string().len();
    let mut rows = Vec::new();
    let mut offset = 0;
    for (i, line) in text.split('\n').enumerate() {
        let marks = marks(line, offset, marked, mark);
        if (i == 0 && mark == '+') || !marks.is_empty() {
            let number = first + i + 1;
            let shown = printable(line.trim_end_matches('\r'));
            rows.push(format!("  {number:>number_width$} │ {shown}"));
        }
        if !marks.is_empty() {
            rows.push(format!("  {:>number_width$} │ {marks}", ""));
        }
        offset += line.len() + 1;
    }
    if rows.iter().any(|row| row.width() > width) {
        Vec::new()
    } else {
        rows
    }
}

/// `mark` under every column of the marked text, apart from a line's indentation.
fn marks(line: &str, offset: usize, marked: &[Range<usize>], mark: char) -> String {
    let mut marks = String::new();
    let indentation = line.len() - line.trim_start().len();
    for (i, char) in line.trim_end().char_indices() {
        let here = i >= indentation && marked.iter().any(|range| range.contains(&(offset + i)));
        let width = printable(char.encode_utf8(&mut [0; 4])).width();
        marks.extend(std::iter::repeat_n(if here { mark } else { ' ' }, width));
    }
    marks.truncate(marks.trim_end().len());
    marks
}
