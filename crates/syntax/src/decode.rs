//! From the bytes of a file to text.

use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

/// Reads `bytes` as UTF-8 (or UTF-16, when its byte-order mark says so) and never fails: other bytes are read as
/// Windows-1252, which contains Latin-1, and one message per file tells where. A byte-order mark is dropped, and a
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
        for &byte in chunk.invalid() {
            let start = text.len() as u32;
            text.push(windows_1252(byte));
            bad.push(Span::new(start, text.len() as u32));
        }
    }
    let errors = bad
        .first()
        .map(|&first| not_utf8(first, bad.len(), &bytes, &text))
        .into_iter()
        .collect();
    (text, errors)
}

/// The character of a byte in the encoding that most files use which are not UTF-8.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => FROM_80[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

fn not_utf8(first: Span, count: usize, bytes: &[u8], text: &str) -> Diagnostic<Span> {
    let message = if count == 1 {
        "a byte is not UTF-8 text".to_owned()
    } else {
        format!("{count} places are not UTF-8 text")
    };
    let diagnostic = Diagnostic::new(Code::MS0011, message).label(first, "the first one");
    if bytes.contains(&0) {
        return diagnostic.note("The file also has NUL bytes: it may not be a text file at all.");
    }
    // Writing any part of the text writes the whole file as UTF-8.
    let edit = Edit {
        at: first,
        text: text[first.start as usize..first.end as usize].into(),
    };
    diagnostic
        .with_severity(Severity::Warning)
        .note("The file is read as Windows-1252; Modelica files are UTF-8.")
        .fix("save the file as UTF-8", vec![edit])
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
                "aäbö".into(),
                vec!["1..3 2 places are not UTF-8 text".into()]
            )
        );
        assert_eq!(
            read(b"a\xC3"),
            ("aÃ".into(), vec!["1..3 a byte is not UTF-8 text".into()])
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
