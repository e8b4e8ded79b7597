//! A fix as the text it leads to: the changed lines, with what is new marked under them.

use super::excerpt::printable;
use crate::diagnostic::{Edit, Fix};
use crate::files::{Files, SourceFile};
use modeshift_base::FileId;
use unicode_width::UnicodeWidthStr;

/// A fix that touches more lines than this is described by its title alone.
const MOST_LINES: usize = 6;

/// Lines such as
/// ```text
///   12 │ der(x) = v;
///      │           +
/// ```
/// Nothing when the fix is too large or its edits make no sense. O(length of the touched lines).
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

/// The lines `first..=last` of the file after the edits, each followed by marks under new text.
fn render_group(
    file: &SourceFile,
    first: usize,
    last: usize,
    edits: &[&Edit],
    width: usize,
) -> Vec<String> {
    let mut text = String::new();
    // For each byte of `text`: was it inserted?
    let mut new: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = file.line_start(first) as usize;
    let end = file.line_start(last) as usize + file.line(last).len();
    for edit in edits {
        let start = (file.floor(edit.at.span.start) as usize).max(at);
        text.push_str(&file.text()[at..start]);
        new.push(text.len()..text.len() + edit.text.len());
        text.push_str(&edit.text);
        at = (file.floor(edit.at.span.end) as usize).max(start);
    }
    text.push_str(&file.text()[at..end.max(at)]);

    let number_width = (last + 1).to_string().len();
    let mut lines = Vec::new();
    let mut offset = 0;
    for (i, line) in text.split('\n').enumerate() {
        let shown = printable(line.trim_end_matches('\r'));
        let number = first + i + 1;
        let inserted: Vec<_> = new
            .iter()
            .map(|range| range.start.max(offset)..range.end.min(offset + line.len()))
            .filter(|range| range.start < range.end)
            .collect();
        // Lines inside a replaced stretch that only moved are not worth showing, unless the fix
        // deletes: then the remaining text is the point.
        if i == 0 || !inserted.is_empty() {
            let row = format!("  {number:>number_width$} │ {shown}");
            if row.width() > width {
                return Vec::new();
            }
            lines.push(row);
            if !inserted.is_empty() {
                let marks = marks(line, offset, &inserted);
                lines.push(format!("  {:>number_width$} │ {marks}", ""));
            }
        }
        offset += line.len() + 1;
    }
    lines
}

/// A `+` under every column of new text.
fn marks(line: &str, offset: usize, inserted: &[std::ops::Range<usize>]) -> String {
    let mut marks = String::new();
    for (i, char) in line.char_indices() {
        let is_new = inserted.iter().any(|range| range.contains(&(offset + i)));
        let width = printable(char.encode_utf8(&mut [0; 4])).width();
        marks.extend(std::iter::repeat_n(if is_new { '+' } else { ' ' }, width));
    }
    marks.truncate(marks.trim_end().len());
    marks
}
