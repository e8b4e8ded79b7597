//! From text to words.

use crate::token::{Token, TokenKind};
use logos::Logos;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic};

/// The words of a text, comments included, with what could not be read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub errors: Vec<Diagnostic<Span>>,
}

/// Splits `text` into words. Never fails. O(length).
pub fn lex(text: &str) -> Lexed {
    let mut lexed = Lexed {
        tokens: Vec::with_capacity(text.len() / 6),
        errors: Vec::new(),
    };
    let mut lexer = TokenKind::lexer(text);
    while let Some(kind) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start as u32, range.end as u32);
        match kind {
            Ok(kind) => lexed.tokens.push(Token { kind, span }),
            Err(()) => {
                lexed
                    .errors
                    .push(Diagnostic::new(Code::MS0009, "unknown character").label(span, "here"));
                lexed.tokens.push(Token {
                    kind: TokenKind::Error,
                    span,
                });
            }
        }
    }
    lexed
}
