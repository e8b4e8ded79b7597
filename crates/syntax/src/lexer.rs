//! From text to words.

use crate::token::{Token, TokenKind};
use logos::Logos;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Label};

/// The words of a text and its comments, each in the order of the text, with what could not be read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub comments: Vec<Token>,
    pub errors: Vec<Diagnostic<Span>>,
    /// The text ends inside a comment: what is missing at the end is not a mistake of its own.
    pub ends_in_comment: bool,
}

/// Strings that are not closed are mended by guessing where they end. Each guess may reread the rest
/// of the text, so there are few.
const MAX_GUESSES: usize = 8;

/// Splits `text` into words. Never fails. O(length).
pub fn lex(text: &str) -> Lexed {
    let tokens = Vec::with_capacity(text.len() / 5);
    let mut lexer = Lexer {
        text,
        lexed: Lexed {
            tokens,
            ..Lexed::default()
        },
        guesses: 0,
    };
    let mut from = Some(0);
    while let Some(start) = from {
        from = lexer.run(start);
    }
    lexer.lexed
}

struct Lexer<'text> {
    text: &'text str,
    lexed: Lexed,
    guesses: usize,
}

impl Lexer<'_> {
    fn report(&mut self, error: Diagnostic<Span>) {
        if self.lexed.errors.len() < crate::MAX_ERRORS {
            self.lexed.errors.push(error);
        }
    }

    /// Reads from byte `start` on. Gives the place to go on at when a guess changed how the rest reads.
    fn run(&mut self, start: usize) -> Option<usize> {
        let mut words = TokenKind::lexer(&self.text[start..]);
        while let Some(kind) = words.next() {
            let range = words.span();
            let span = Span::new((start + range.start) as u32, (start + range.end) as u32);
            match kind {
                Ok(TokenKind::LineComment | TokenKind::BlockComment) => {
                    let kind = kind.unwrap_or(TokenKind::Error);
                    self.lexed.comments.push(Token { kind, span });
                }
                Ok(TokenKind::Foreign) => self.foreign(span),
                Ok(TokenKind::Ident) if self.text[span.range()].starts_with('\'') => {
                    if let Some(next) = self.derivative_sign(span.start as usize) {
                        return Some(next);
                    }
                    self.lexed.tokens.push(Token {
                        kind: TokenKind::Ident,
                        span,
                    });
                }
                Ok(kind) => self.lexed.tokens.push(Token { kind, span }),
                Err(()) => {
                    let next = self.unreadable(span)?;
                    if next != span.end as usize {
                        return Some(next);
                    }
                }
            }
        }
        None
    }

    fn foreign(&mut self, span: Span) {
        let word = &self.text[span.range()];
        let (kind, right) = match word {
            "!=" => (TokenKind::NotEqual, "<>"),
            "&&" => (TokenKind::And, "and"),
            "||" => (TokenKind::Or, "or"),
            "**" => (TokenKind::Caret, "^"),
            "=>" => (TokenKind::GreaterEqual, ">="),
            "=<" => (TokenKind::LessEqual, "<="),
            _ => (TokenKind::Not, "not"),
        };
        let text = if word == "!" {
            "not ".into()
        } else {
            right.into()
        };
        self.report(
            Diagnostic::new(
                Code::MS0009,
                format!("Modelica writes `{right}` for `{word}`"),
            )
            .label(span, format!("write `{right}`"))
            .fix(format!("write `{right}`"), vec![Edit { at: span, text }]),
        );
        self.lexed.tokens.push(Token { kind, span });
    }

    /// What no pattern matches, beginning at `span`. Gives the place behind it, nothing when the text
    /// is over.
    fn unreadable(&mut self, span: Span) -> Option<usize> {
        let start = span.start as usize;
        let rest = &self.text[start..];
        if rest.starts_with("/*") {
            self.lexed.ends_in_comment = true;
            self.report(
                Diagnostic::new(Code::MS0006, "this comment is not closed")
                    .label(Span::new(span.start, span.start + 2), "`/*` opens here")
                    .note("A block comment ends with `*/`. The rest of the file is part of it."),
            );
            return None;
        }
        if let Some(end) = self.inverted_quotes() {
            return Some(end);
        }
        match rest.as_bytes().first() {
            Some(b'"') => Some(match self.closed_by_other_quote(start) {
                Some(end) => end,
                None => {
                    let end = self.end_of_unclosed(start);
                    self.string_to(start, end);
                    end
                }
            }),
            Some(b'\'') => Some(match self.derivative_sign(start) {
                Some(next) => next,
                None => self.unclosed_identifier(start),
            }),
            _ => Some(self.invalid_characters(start)),
        }
    }

    /// Something cannot be read, perhaps because it is part of a string. Strings may cross lines, so the one
    /// to blame may be an earlier one: a string that crosses a line and is directly followed by what
    /// begins a string was closed by the quote that should have opened the next. It is cut, and what
    /// follows is read again from the place given.
    fn inverted_quotes(&mut self) -> Option<usize> {
        if self.guesses == MAX_GUESSES {
            return None;
        }
        self.guesses += 1;
        let text = self.text;
        let opens = |next: char| next.is_alphanumeric() || "<%\\".contains(next);
        let index = self.lexed.tokens.iter().position(|token| {
            token.kind == TokenKind::String
                && text[token.span.end as usize..].starts_with(opens)
                && text[token.span.range()].contains('\n')
        })?;
        let start = self.lexed.tokens[index].span.start;
        self.lexed.tokens.truncate(index);
        self.lexed
            .comments
            .retain(|comment| comment.span.start < start);
        self.lexed
            .errors
            .retain(|e| e.labels.first().is_none_or(|l| l.at.start < start));
        let end = self.end_of_unclosed(start as usize);
        self.string_to(start as usize, end);
        Some(end)
    }

    /// Where a string that is not closed was probably meant to end: documentation with its last tag, other
    /// strings with their line.
    fn end_of_unclosed(&self, start: usize) -> usize {
        const LAST_TAG: &str = "</html>";
        let rest = &self.text[start..];
        if rest.starts_with("\"<html>")
            && let Some(at) = rest.find(LAST_TAG)
        {
            return start + at + LAST_TAG.len();
        }
        let line = rest.find(['\n', '\r']).map_or(rest, |at| &rest[..at]);
        // What closes the statement is more likely meant as such than as part of the string.
        let mut body = line.trim_end();
        let count = |bracket| line.matches(bracket).count();
        let mut unopened = count(')').saturating_sub(count('('));
        loop {
            body = match body.strip_suffix([';', ',', ' ']) {
                Some(shorter) => shorter,
                None if unopened > 0 && body.ends_with(')') => {
                    unopened -= 1;
                    &body[..body.len() - 1]
                }
                None => return start + body.len(),
            };
        }
    }

    /// `"1/s'`: a string that a single quote was to close, before what can follow a string. Gives the place behind it.
    fn closed_by_other_quote(&mut self, start: usize) -> Option<usize> {
        let line = self.text[start + 1..].lines().next()?;
        let follows = |rest: &str| {
            let next = rest.trim_start().chars().next();
            next.is_none_or(|next| "),;}]".contains(next))
        };
        let (at, _) = line
            .match_indices('\'')
            .find(|(at, _)| follows(&line[at + 1..]))?;
        let end = start + 1 + at + 1;
        let quote = Span::new(end as u32 - 1, end as u32);
        self.report(
            Diagnostic::new(Code::MS0006, "this string is closed by `'` instead of `\"`")
                .label(quote, "write `\"`")
                .label(Span::new(start as u32, start as u32 + 1), "`\"` opens here")
                .fix(
                    "write `\"`",
                    vec![Edit {
                        at: quote,
                        text: "\"".into(),
                    }],
                ),
        );
        self.lexed.tokens.push(Token {
            kind: TokenKind::String,
            span: Span::new(start as u32, end as u32),
        });
        Some(end)
    }

    fn string_to(&mut self, start: usize, end: usize) {
        let span = Span::new(start as u32, end as u32);
        let at = Span::new(span.end, span.end);
        self.report(
            Diagnostic::new(Code::MS0006, "this string is not closed")
                .label(span, "`\"` opens here")
                .fix(
                    "insert `\"`",
                    vec![Edit {
                        at,
                        text: "\"".into(),
                    }],
                ),
        );
        self.lexed.tokens.push(Token {
            kind: TokenKind::String,
            span,
        });
    }

    fn unclosed_identifier(&mut self, start: usize) -> usize {
        let text = self.text;
        let rest = &text[start + 1..];
        let stop = |next: char| "=;(),:[]\"'\r\n".contains(next);
        let length = rest
            .find(stop)
            .map_or(rest, |at| &rest[..at])
            .trim_end()
            .len();
        let end = start + 1 + length;
        let span = Span::new(start as u32, end as u32);
        if text[start..].starts_with("''") {
            let span = Span::new(start as u32, start as u32 + 2);
            self.report(
                Diagnostic::new(Code::MS0006, "a quoted identifier cannot be empty")
                    .label(span, "nothing between the quotes")
                    .note("Strings are written in double quotes."),
            );
            self.lexed.tokens.push(Token {
                kind: TokenKind::Ident,
                span,
            });
            return start + 2;
        }
        let at = Span::new(span.end, span.end);
        self.report(
            Diagnostic::new(Code::MS0006, "this quoted identifier is not closed")
                .label(span, "`'` opens here")
                .note("Single quotes enclose an identifier with special characters; strings are written in double quotes.")
                .fix("insert `'`", vec![Edit { at, text: "'".into() }]),
        );
        self.lexed.tokens.push(Token {
            kind: TokenKind::Ident,
            span,
        });
        end
    }

    /// A run of characters that no word has.
    fn invalid_characters(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let length = rest
            .find(is_known)
            .unwrap_or(rest.len())
            .max(rest.chars().next().map_or(1, char::len_utf8));
        if rest.starts_with(char::is_alphabetic) {
            return self.foreign_letters(start);
        }
        if rest.starts_with(['#', '%']) && self.begins_line(start) {
            return self.foreign_comment(start);
        }
        if let Some(length) = tool_name(rest) {
            return self.tool_name(start, start + length);
        }
        let span = Span::new(start as u32, (start + length) as u32);
        self.report(invalid(self.text, &rest[..length], span));
        start + length
    }

    fn begins_line(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        self.text[line..at].trim().is_empty()
    }

    /// `# text` or `% text`: a comment of another language, up to the end of the line.
    fn foreign_comment(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let span = Span::new(start as u32, start as u32 + 1);
        let sign = &rest[..1];
        self.report(
            Diagnostic::new(
                Code::MS0009,
                format!("a comment begins with `//`, not with `{sign}`"),
            )
            .label(span, "write `//`")
            .fix(
                "write `//`",
                vec![Edit {
                    at: span,
                    text: "//".into(),
                }],
            ),
        );
        start + length
    }

    /// `x'`, a quote directly after a name: the derivative in other notations. It is read as the name; gives the place after it.
    fn derivative_sign(&mut self, quote: usize) -> Option<usize> {
        let name = *self.lexed.tokens.last()?;
        let touches = name.kind == TokenKind::Ident && name.span.end as usize == quote;
        if !touches || self.text[quote + 1..].starts_with('\'') {
            return None;
        }
        let word = &self.text[name.span.range()];
        let at = Span::new(name.span.start, name.span.end + 1);
        let text = format!("der({word})");
        self.report(
            Diagnostic::new(
                Code::MS0009,
                format!("the derivative of `{word}` is written `{text}`"),
            )
            .label(at, format!("write `{text}`"))
            .fix(format!("write `{text}`"), vec![Edit { at, text }]),
        );
        Some(quote + 1)
    }

    /// `$name`: not Modelica, but tools use such names for their own operators.
    fn tool_name(&mut self, start: usize, end: usize) -> usize {
        let span = Span::new(start as u32, end as u32);
        self.report(
            Diagnostic::new(
                Code::MS0018,
                format!(
                    "`{}` is a name that only some tools know",
                    &self.text[span.range()]
                ),
            )
            .label(span, "Modelica has no names with `$`"),
        );
        self.lexed.tokens.push(Token {
            kind: TokenKind::Ident,
            span,
        });
        end
    }

    /// A word with letters that Modelica does not know is read as one name nevertheless.
    fn foreign_letters(&mut self, at: usize) -> usize {
        let begun = self.lexed.tokens.pop_if(|last| {
            last.kind == TokenKind::Ident
                && last.span.end as usize == at
                && !self.text[last.span.range()].ends_with('\'')
        });
        let start = begun.map_or(at, |token| token.span.start as usize);
        let rest = &self.text[at..];
        let end = at
            + rest
                .find(|next: char| !(next.is_alphanumeric() || next == '_'))
                .unwrap_or(rest.len());
        let span = Span::new(start as u32, end as u32);
        let word = &self.text[span.range()];
        let message = format!("the name `{word}` contains letters that Modelica does not allow");
        let edit = Edit {
            at: span,
            text: format!("'{word}'"),
        };
        // One name is one mistake, however often it occurs.
        if let Some(known) = self
            .lexed
            .errors
            .iter_mut()
            .find(|it| it.message == message)
        {
            if known.labels.len() < MAX_LABELS {
                known.labels.push(Label {
                    at: span,
                    message: "used here".into(),
                });
            }
            known
                .fixes
                .iter_mut()
                .for_each(|fix| fix.edits.push(edit.clone()));
            self.lexed.tokens.push(Token {
                kind: TokenKind::Ident,
                span,
            });
            return end;
        }
        self.report(
            Diagnostic::new(Code::MS0009, message)
                .label(span, "only a to z, A to Z, digits and `_`")
                .note("Any other character needs a quoted identifier.")
                .fix("write a quoted identifier", vec![edit]),
        );
        self.lexed.tokens.push(Token {
            kind: TokenKind::Ident,
            span,
        });
        end
    }
}

/// So many places of one name are shown.
const MAX_LABELS: usize = 6;

/// The length of a `$name` at the beginning of `text`.
fn tool_name(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        .then(|| {
            1 + name
                .find(|next: char| !(next.is_ascii_alphanumeric() || next == '_'))
                .unwrap_or(name.len())
        })
}

/// Whether a word of Modelica, or the blank between two, can begin with `character`.
fn is_known(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || character.is_ascii_whitespace()
        || "_\x0B'\"()[]{};,.:=+-*/^<>!&|".contains(character)
}

/// Whether a character stands between two operands, as an operator would.
fn is_between_operands(text: &str, span: Span) -> bool {
    let range = span.range();
    let before = text
        .get(..range.start)
        .and_then(|it| it.trim_end().chars().next_back());
    let after = text
        .get(range.end..)
        .and_then(|it| it.trim_start().chars().next());
    let operand = |c: char| c.is_ascii_alphanumeric() || c == '_';
    before.is_some_and(|c| operand(c) || c == ')' || c == ']')
        && after.is_some_and(|c| operand(c) || c == '(')
}

fn invalid(text: &str, run: &str, span: Span) -> Diagnostic<Span> {
    let first = run.chars().next().unwrap_or_default();
    let one = run.chars().nth(1).is_none();
    let shown: String = run.chars().take(20).flat_map(char::escape_debug).collect();
    let message = match (one, first) {
        (_, '\0') => "the file has NUL bytes here; is it a text file?".to_owned(),
        (true, _) => format!("`{shown}` is not a character of Modelica"),
        (false, _) => format!("`{shown}` are not characters of Modelica"),
    };
    let diagnostic = Diagnostic::new(Code::MS0009, message).label(span, "not valid here");
    let replacement = match first {
        '\u{A0}' | '\u{2007}' | '\u{202F}' | '\u{200B}' | '\u{FEFF}' => " ",
        '“' | '”' | '„' => "\"",
        '‘' | '’' => "'",
        '–' | '−' => "-",
        '·' | '×' => "*",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "<>",
        '?' if one => {
            return diagnostic
                .note("a value that depends on a condition is written `if c then a else b`");
        }
        '%' if one && is_between_operands(text, span) => {
            return diagnostic.note("the remainder of a division is `mod(a, b)`");
        }
        _ if is_between_operands(text, span) => return diagnostic,
        _ => {
            return diagnostic.fix(
                "remove it",
                vec![Edit {
                    at: span,
                    text: String::new(),
                }],
            );
        }
    };
    diagnostic.fix(
        if replacement == " " {
            "replace it with a blank".into()
        } else {
            format!("write `{replacement}`")
        },
        vec![Edit {
            at: span,
            text: replacement.into(),
        }],
    )
}
