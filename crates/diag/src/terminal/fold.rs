//! Folding text that is wider than the terminal.

use super::canvas::{Canvas, Ink, Line};
use unicode_width::UnicodeWidthStr;

/// Breaks `text` at spaces so that no line is wider than `width`. The first line already has
/// `first` columns before it, every other gets `hang` spaces. Words wider than a line stay whole.
pub(super) fn wrap(text: &str, first: usize, hang: usize, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len() + 16);
    let mut column = first;
    let mut at_start = true;
    for word in words(text) {
        let word_width = word.width();
        let gap = usize::from(!at_start);
        if !at_start && column + gap + word_width > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', hang));
            column = hang;
        } else if !at_start {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += word_width;
        at_start = false;
    }
    wrapped
}

/// Words at single spaces; a short quotation of code such as `` `x = y` `` is one word, because an
/// equation broken over two lines is hard to read.
fn words(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST_QUOTATION: usize = 40;
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut quoted = false;
        let mut plain_end = None;
        let mut end = rest.len();
        for (i, char) in rest.char_indices() {
            match char {
                '`' => quoted = !quoted,
                ' ' => {
                    plain_end.get_or_insert(i);
                    if !quoted {
                        end = i;
                        break;
                    }
                }
                _ => {}
            }
        }
        if quoted || end > LONGEST_QUOTATION {
            end = plain_end.unwrap_or(end);
        }
        let (word, tail) = rest.split_at(end);
        rest = tail.trim_start();
        Some(word)
    })
}

/// Folds label messages that stick out on the right. `messages` are those of the drawn labels.
pub(super) fn fold_labels(canvas: &mut Canvas, messages: &[&str], width: usize) {
    let mut folded = Vec::with_capacity(canvas.lines.len());
    for (i, line) in canvas.lines.iter().enumerate() {
        let text = line.text();
        if text.width() <= width {
            folded.push(line.clone());
            continue;
        }
        match message_at_end(line, &text, messages) {
            Some((ink, message)) => {
                let below = canvas.lines.get(i + 1).map(Line::text).unwrap_or_default();
                folded.extend(fold_label(line, &text, ink, message, &below, width));
            }
            None => folded.push(line.clone()),
        }
    }
    canvas.lines = folded;
}

/// The label message that ends the line. A line of source is never in the ink of a label up to its
/// end and equal to a message.
fn message_at_end<'m>(line: &Line, text: &str, messages: &[&'m str]) -> Option<(Ink, &'m str)> {
    let ink = line.runs.last()?.ink;
    let Ink::Label(..) = ink else { return None };
    let fitting = messages
        .iter()
        .filter(|message| !message.is_empty() && text.ends_with(**message));
    fitting
        .max_by_key(|message| message.len())
        .map(|message| (ink, *message))
}

fn fold_label(
    line: &Line,
    text: &str,
    ink: Ink,
    message: &str,
    below: &str,
    width: usize,
) -> Vec<Line> {
    let lead = &text[..text.len() - message.len()];
    let column = lead.width();
    let border = lead.find(['│', '·']).map_or(0, |at| lead[..at].width());
    // Where little room is left beside the label, the message goes below it.
    let beside = column + 24.min(message.width()) <= width;
    let indent = if beside {
        column
    } else {
        (border + 4).min(column)
    };
    let mut lines = Vec::new();
    let mut first = truncated(line, lead.len());
    let room = width.saturating_sub(indent).max(12);
    let wrapped = wrap(message, 0, 0, room);
    for (i, part) in wrapped.lines().enumerate() {
        if i == 0 && beside {
            first.push(ink, part);
            lines.push(std::mem::take(&mut first));
            continue;
        }
        if i == 0 {
            lines.push(std::mem::take(&mut first));
        }
        let mut next = Line::default();
        next.push(Ink::Border, &continuation(lead, below, border, indent));
        next.push(ink, part);
        lines.push(next);
    }
    lines
}

/// What stands left of a continued message: the border, and the lines that lead down to labels
/// whose messages are still to come.
fn continuation(lead: &str, below: &str, border: usize, indent: usize) -> String {
    let lead: Vec<char> = lead.chars().collect();
    let below: Vec<char> = below.chars().collect();
    (0..indent)
        .map(|i| match (lead.get(i), below.get(i)) {
            (Some(char), _) if i <= border => *char,
            (_, Some('│')) => '│',
            _ => ' ',
        })
        .collect()
}

/// The first `bytes` bytes of `line`.
fn truncated(line: &Line, mut bytes: usize) -> Line {
    let mut short = Line::default();
    for run in &line.runs {
        let taken = bytes.min(run.text.len());
        short.push(run.ink, &run.text[..taken]);
        bytes -= taken;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn no_line_is_wider_than_asked_unless_a_word_is() {
        let text = "the equations of this part determine more unknowns than there are";
        let wrapped = wrap(text, 4, 2, 20);
        assert_eq!(
            wrapped.split_whitespace().collect::<Vec<_>>().join(" "),
            text
        );
        for (i, line) in wrapped.lines().enumerate() {
            assert!(line.len() + if i == 0 { 4 } else { 0 } <= 20, "{line:?}");
        }
    }

    #[test]
    fn quoted_code_stays_on_one_line() {
        assert_eq!(
            wrap("see `x = y + z` there", 0, 0, 14),
            "see\n`x = y + z`\nthere"
        );
    }

    #[test]
    fn an_unclosed_quotation_mark_is_a_letter() {
        assert_eq!(wrap("a `b c d e", 0, 0, 5), "a `b\nc d e");
    }
}
