//! The formatter: the same words and comments in the same order, in a tidy layout.
//!
//! It works on words, not on the tree, because only words know where comments stand. Nothing but the
//! white space between words changes, so the meaning cannot; [`fn@format`] checks even that before it gives
//! a result. What the layout is:
//!
//! - Every element, equation, statement, section keyword and `end` begins a line, indented by two blanks
//!   per class or block ([`structure`]).
//! - Within a statement the author's line breaks stay, because tables and graphical annotations are laid out
//!   by hand; the lines are indented anew, and lines over 100 columns are broken at the outermost commas,
//!   operators, descriptions or annotations ([`lines`]).
//! - Blanks between words follow one table ([`spacing`]). At most one blank line in a row stays.
//! - Comments stay where they are: behind a word, or on lines of their own.
//!
//! All passes are linear in the length of the text, and formatting a formatted text changes nothing.

mod lines;
mod spacing;
mod structure;

use crate::lexer::{Lexed, lex};
use crate::token::Token;
use modeshift_base::Span;
use modeshift_diag::Diagnostic;

/// Why a text was left alone.
#[derive(Clone, PartialEq, Debug)]
pub enum FormatError {
    /// It has mistakes; their messages.
    Mistakes(Vec<Diagnostic<Span>>),
    /// The formatter would have changed a word at this place: its own mistake, please report it.
    Unsafe(Span),
}

impl std::fmt::Display for FormatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mistakes(errors) => write!(
                f,
                "the text has {} mistakes and is left as it is",
                errors.len()
            ),
            Self::Unsafe(at) => write!(
                f,
                "formatting would change the text at byte {}, which is a mistake of modeshift",
                at.start
            ),
        }
    }
}

impl std::error::Error for FormatError {}

/// Formats a Modelica file. A text with syntax errors is left alone.
pub fn format(text: &str) -> Result<String, FormatError> {
    let errors: Vec<_> = crate::parse(text)
        .errors
        .into_iter()
        .filter(Diagnostic::is_error)
        .collect();
    if !errors.is_empty() {
        return Err(FormatError::Mistakes(errors));
    }
    let lexed = lex(text);
    let formatted = lines::write(text, &structure::items(text, &lexed));
    match first_difference(text, &lexed, &formatted) {
        None => Ok(formatted),
        Some(at) => Err(FormatError::Unsafe(at)),
    }
}

/// The first word or comment that is not the same in both texts.
fn first_difference(text: &str, lexed: &Lexed, formatted: &str) -> Option<Span> {
    let after = lex(formatted);
    let differ = |(a, b): &(&Token, &Token)| {
        let (a_text, b_text) = (&text[a.span.range()], &formatted[b.span.range()]);
        a.kind != b.kind
            || (a_text != b_text && !(a.kind.is_comment() && a_text.trim_end() == b_text))
    };
    let pairs = lexed
        .tokens
        .iter()
        .zip(&after.tokens)
        .chain(lexed.comments.iter().zip(&after.comments));
    let changed = { pairs }.find(differ).map(|(a, _)| a.span);
    let counts =
        lexed.tokens.len() == after.tokens.len() && lexed.comments.len() == after.comments.len();
    changed.or((!counts).then_some(Span::default()))
}

#[cfg(test)]
mod tests;
