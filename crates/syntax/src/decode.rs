//! From the bytes of a file to text.

use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic};

/// Reads `bytes` as UTF-8 (or UTF-16, when its byte-order mark says so) and never fails: what cannot
/// be read becomes `U+FFFD` and one message per file tells where. A byte-order mark is dropped, and a
/// carriage return that stands alone ends a line like any other line end, so spans are those of the
/// text returned. O(length).
pub fn decode(bytes: Vec<u8>) -> (String, Vec<Diagnostic<Span>>) {
    let (text, errors) = match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => utf8(bytes),
    };
    (unified_line_ends(text), errors)
}

fn utf8(mut bytes: Vec<u8>) -> (String, Vec<Diagnostic<Span>>) {
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, Vec::new()),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut bad = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            bad.push(text.len() as u32);
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let errors = bad
        .first()
        .map(|&first| not_utf8(first, bad.len(), &bytes))
        .into_iter()
        .collect();
    (text, errors)
}

fn not_utf8(first: u32, count: usize, bytes: &[u8]) -> Diagnostic<Span> {
    let message = if count == 1 {
        "a byte is not UTF-8 text".to_owned()
    } else {
        format!("{count} places are not UTF-8 text")
    };
    let hint = if bytes.contains(&0) {
        "The file also has NUL bytes: it may not be a text file at all."
    } else {
        "The file is probably in Latin-1 or Windows-1252; save it as UTF-8."
    };
    Diagnostic::new(Code::MS0011, message)
        .label(
            Span::new(first, first + char::REPLACEMENT_CHARACTER.len_utf8() as u32),
            "the first one",
        )
        .note(hint)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Vec<Diagnostic<Span>>) {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    let error = Diagnostic::new(Code::MS0011, "the file is UTF-16, Modelica files are UTF-8")
        .label(Span::new(0, 0), "save it as UTF-8");
    (text, vec![error])
}

/// Turns every carriage return that no line feed follows into a line feed, which keeps all offsets.
fn unified_line_ends(text: String) -> String {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let mut bytes = text.into_bytes();
    for at in 0..bytes.len() {
        if bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            bytes[at] = b'\n';
        }
    }
    // Only ASCII bytes were exchanged for ASCII bytes.
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn read(bytes: &[u8]) -> (String, Vec<String>) {
        let (text, errors) = decode(bytes.to_vec());
        let errors = errors
            .iter()
            .map(|e| format!("{:?} {}", e.labels[0].at, e.message))
            .collect();
        (text, errors)
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(read(b"\xEF\xBB\xBFmodel"), ("model".into(), vec![]));
    }

    #[test]
    fn bytes_that_are_no_text_are_told_once_with_their_place() {
        assert_eq!(
            read(b"a\xE4b\xF6"),
            (
                "a\u{FFFD}b\u{FFFD}".into(),
                vec!["1..4 2 places are not UTF-8 text".into()]
            )
        );
        assert_eq!(
            read(b"a\xC3"),
            (
                "a\u{FFFD}".into(),
                vec!["1..4 a byte is not UTF-8 text".into()]
            )
        );
    }

    #[test]
    fn sixteen_bit_text_is_read_and_told() {
        let (text, errors) = read(b"\xFF\xFEm\0o\0");
        assert_eq!((text.as_str(), errors.len()), ("mo", 1));
        assert_eq!(read(b"\xFE\xFF\0m\0o\0").0, "mo");
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line() {
        assert_eq!(read(b"a\rb\r\nc\r").0, "a\nb\r\nc\n");
    }
}
