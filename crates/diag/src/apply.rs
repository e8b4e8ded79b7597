//! Fixes, applied to the texts they are about.

use crate::diagnostic::{Edit, Fix};
use modeshift_base::{FileId, FileSpan};

/// The text of a file with as many of the fixes as fit together, the earlier ones first, and how many these are. A fix is
/// applied as a whole or not at all; one that also changes other files is left out.
pub fn apply_fixes<'f>(
    fixes: impl IntoIterator<Item = &'f Fix>,
    file: FileId,
    text: &str,
) -> (String, usize) {
    let mut chosen: Vec<&Edit<FileSpan>> = Vec::new();
    let mut applied = 0;
    for fix in fixes {
        let known = fix.edits.iter().all(|edit| chosen.contains(&edit));
        if known || fix.edits.is_empty() {
            continue;
        }
        let fits = |edit: &Edit<FileSpan>| {
            let range = edit.at.span.range();
            edit.at.file == file
                && text.get(range).is_some()
                && chosen.iter().all(|other| !touch(edit, other))
        };
        if fix.edits.iter().all(fits) {
            chosen.extend(&fix.edits);
            applied += 1;
        }
    }
    chosen.sort_by_key(|edit| (edit.at.span.start, edit.at.span.end));
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for edit in chosen {
        let range = edit.at.span.range();
        out.push_str(text.get(from..range.start).unwrap_or_default());
        out.push_str(&edit.text);
        from = range.end.max(from);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (out, applied)
}

/// Whether two edits change the same place: then their order would matter.
fn touch(a: &Edit<FileSpan>, b: &Edit<FileSpan>) -> bool {
    let (a, b) = (a.at.span, b.at.span);
    a.start <= b.end && b.start <= a.end
}

#[cfg(test)]
mod tests {
    use super::apply_fixes;
    use crate::diagnostic::{Edit, Fix};
    use modeshift_base::{FileId, FileSpan, Span};

    fn fix(edits: &[(u32, u32, &str)]) -> Fix {
        let edit = |&(start, end, text): &(u32, u32, &str)| Edit {
            at: FileSpan {
                file: FileId(0),
                span: Span::new(start, end),
            },
            text: text.into(),
        };
        Fix {
            title: String::new(),
            edits: edits.iter().map(edit).collect(),
        }
    }

    #[test]
    fn fixes_that_meet_are_not_applied_together() {
        let fixes = [
            fix(&[(0, 1, "A"), (4, 5, "E")]),
            fix(&[(4, 4, "x")]),
            fix(&[(2, 2, "-")]),
        ];
        assert_eq!(
            apply_fixes(&fixes, FileId(0), "abcdef"),
            ("Ab-cdEf".into(), 2)
        );
    }

    #[test]
    fn a_fix_of_another_file_or_beyond_the_end_is_left_out() {
        let fixes = [fix(&[(9, 12, "A")])];
        assert_eq!(apply_fixes(&fixes, FileId(0), "abc"), ("abc".into(), 0));
        assert_eq!(apply_fixes(&fixes, FileId(1), "abc"), ("abc".into(), 0));
    }
}
