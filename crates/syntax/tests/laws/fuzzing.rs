//! What must hold for any bytes at all.

use modeshift_syntax::ast::MapSpans;
use modeshift_syntax::{decode, format, lex, parse};

/// Words and comments lie in the text, in order, and do not overlap.
pub fn lexer(bytes: &[u8]) {
    let (text, _) = decode(bytes.to_vec());
    let lexed = lex(&text);
    for list in [&lexed.tokens, &lexed.comments] {
        let mut end = 0;
        for token in list {
            assert!(end <= token.span.start && token.span.start < token.span.end);
            assert!(
                text.get(token.span.range()).is_some(),
                "{token:?} cuts a character"
            );
            end = token.span.end;
        }
    }
}

/// Every place of every message lies in the text, and so does every place of the tree.
pub fn parser(bytes: &[u8]) {
    let (text, _) = decode(bytes.to_vec());
    let mut parsed = parse(&text);
    for error in &parsed.errors {
        let edits = error
            .fixes
            .iter()
            .flat_map(|fix| fix.edits.iter().map(|edit| edit.at));
        for at in error.labels.iter().map(|label| label.at).chain(edits) {
            assert!(text.get(at.range()).is_some(), "{error:?}");
        }
        assert!(
            !error.labels.is_empty() && !error.message.contains('\n'),
            "{error:?}"
        );
    }
    parsed.file.map_spans(&mut |span| {
        assert!(
            span.start <= span.end && text.get(span.range()).is_some(),
            "{span:?}"
        );
        span
    });
}

/// Formatting keeps the tree, and formatting again changes nothing. What has mistakes is left alone.
pub fn formatter(text: &str) {
    let mut before = parse(text);
    let Ok(once) = format(text) else {
        assert!(
            before.errors.iter().any(|error| error.is_error()),
            "refused without a reason: {text:?}"
        );
        return;
    };
    let mut after = parse(&once);
    before.file.erase_spans();
    after.file.erase_spans();
    assert_eq!(before.file, after.file, "{once}");
    assert_eq!(format(&once).as_ref(), Ok(&once), "{text}");
}
