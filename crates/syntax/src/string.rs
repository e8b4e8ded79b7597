//! Escapes in string literals.

use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

/// Resolves the escapes of `inner`, the text between the quotes, which begins at byte `start` of the
/// file. Unknown escapes are reported and kept as they are. O(length).
pub fn unescape(inner: &str, start: u32, errors: &mut Vec<Diagnostic<Span>>) -> Box<str> {
    let Some(first) = memchr::memchr(b'\\', inner.as_bytes()) else {
        return inner.into();
    };
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    let mut next = Some(first);
    while let Some(at) = next {
        text.push_str(&rest[..at]);
        let escaped = rest[at + 1..].chars().next();
        match escaped.and_then(escape) {
            Some(character) => text.push(character),
            None => {
                let offset = start + (inner.len() - rest.len() + at) as u32;
                let length = 1 + escaped.map_or(0, char::len_utf8) as u32;
                errors.push(unknown_escape(Span::new(offset, offset + length), escaped));
                text.push('\\');
                text.extend(escaped);
            }
        }
        rest = &rest[at + 1 + escaped.map_or(0, char::len_utf8)..];
        next = memchr::memchr(b'\\', rest.as_bytes());
    }
    text.push_str(rest);
    text.into()
}

const fn escape(character: char) -> Option<char> {
    Some(match character {
        '\'' | '"' | '?' | '\\' => character,
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0C',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0B',
        _ => return None,
    })
}

/// Writes `text` as a string literal, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0B' => out.push_str("\\v"),
            '\x0C' => out.push_str("\\f"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn unknown_escape(at: Span, escaped: Option<char>) -> Diagnostic<Span> {
    let shown = escaped.map_or_else(String::new, |c| c.escape_default().to_string());
    Diagnostic::new(Code::MS0014, format!("`\\{shown}` is not an escape sequence of Modelica"))
        .with_severity(Severity::Warning)
        .label(at, "unknown escape")
        .note("Known are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v. A backslash itself is written `\\\\`.")
        .fix("write the backslash itself", vec![Edit { at: Span::new(at.start, at.start + 1), text: "\\\\".into() }])
}
