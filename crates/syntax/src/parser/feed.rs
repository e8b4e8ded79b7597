//! Between lexer and parser: the context that decides what a word is.

use crate::token::{Token, TokenKind};

/// Hands the parser its words.
pub struct Feed<'tokens> {
    tokens: std::iter::Peekable<std::iter::Copied<std::slice::Iter<'tokens, Token>>>,
}

impl<'tokens> Feed<'tokens> {
    pub fn new(tokens: &'tokens [Token]) -> Self {
        Self {
            tokens: tokens.iter().copied().peekable(),
        }
    }

    fn step(&mut self) -> Option<Token> {
        let found = self.tokens.by_ref().find(|token| !token.kind.is_comment());
        while self
            .tokens
            .next_if(|token| token.kind.is_comment())
            .is_some()
        {}
        found
    }
}

impl Iterator for Feed<'_> {
    type Item = (u32, Token, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let mut token = self.step()?;
        let next = self.tokens.peek().map(|token| token.kind);
        match (token.kind, next) {
            (TokenKind::Initial, Some(TokenKind::Equation | TokenKind::Algorithm)) => {
                if let Some(second) = self.step() {
                    token.span = token.span.to(second.span);
                    token.kind = if second.kind == TokenKind::Equation {
                        TokenKind::InitialEquation
                    } else {
                        TokenKind::InitialAlgorithm
                    };
                }
            }
            (TokenKind::End, next)
                if !matches!(
                    next,
                    Some(
                        TokenKind::Ident
                            | TokenKind::If
                            | TokenKind::For
                            | TokenKind::While
                            | TokenKind::When
                    )
                ) =>
            {
                token.kind = TokenKind::EndIndex;
            }
            _ => {}
        }
        Some((token.span.start, token, token.span.end))
    }
}
