//! From the places where the parser had to recover to messages: one per mistake, in a modeller's words.
//!
//! LALRPOP only says which word did not fit and which words would have. What the modeller did wrong is
//! recognised from the words around the place (see [`cause`]); and because a parser that has just recovered
//! may stumble again, only the first complaint about a statement counts.

mod cause;
mod choice;

use super::actions::{Around, Mistake};
use crate::token::{Token, TokenKind};
use lalrpop_util::ParseError;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Label};

/// All messages of a file in the order of the text. `known` are those given by lexer, feed and actions.
pub fn messages(
    text: &str,
    tokens: &[Token],
    known: Vec<Diagnostic<Span>>,
    mistakes: Vec<Mistake>,
    stopped: bool,
) -> Vec<Diagnostic<Span>> {
    let statements = Statements::new(tokens);
    let (firm, derived): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|error| is_firm(error.code));
    let mut taken: Vec<u32> = firm
        .iter()
        .filter(|error| explains_its_statement(error.code))
        .map(|e| statements.of(place(e)))
        .collect();
    taken.sort_unstable();
    // A bracket put in at a guess may leave others of the statement without a partner.
    let guessed: Vec<(u32, u32)> = firm
        .iter()
        .filter(|error| error.code == Code::MS0005 && inserts(error))
        .map(|e| (statements.of(place(e)), place(e)))
        .collect();
    let follows_guess = |error: &Diagnostic<Span>| {
        let (statement, at) = (statements.of(place(error)), place(error));
        guessed
            .iter()
            .any(|&(other, before)| other == statement && before < at)
    };
    let mut sites: Vec<Site<'_>> = mistakes
        .iter()
        .filter_map(|mistake| Site::new(text, tokens, mistake))
        .collect();
    sites.sort_by_key(|site| site.found.span.start);

    // A `;` that the feed put behind something unfinished: what is unfinished is the better message.
    let unfinished: Vec<u32> = sites
        .iter()
        .filter(|site| site.found.span.is_empty())
        .map(|site| site.found.span.start)
        .collect();
    let mut errors = firm;
    for error in &mut errors {
        choice::explain(error, text, tokens);
    }
    errors.retain(|error| match error.code {
        Code::MS0002 => unfinished.binary_search(&place(error)).is_err(),
        Code::MS0005 => !follows_guess(error),
        _ => true,
    });
    let mut until = 0;
    // Where each mistake was found, for the complaints of the actions that follow from it.
    // A bracket that is exchanged for another leaves the rest of the statement as it is.
    let mut found: Vec<(u32, u32)> = errors
        .iter()
        .filter(|error| explains_its_statement(error.code) && error.code != Code::MS0005)
        .map(|e| (statements.of(place(e)), place(e)))
        .collect();
    for site in sites {
        let at = site.found.span.start;
        let statement = statements.of(at);
        if at < until || (taken.binary_search(&statement).is_ok() && !site.begins_line()) {
            continue;
        }
        if site.found.kind == TokenKind::Annotation && in_open_block(&errors, at) {
            continue;
        }
        if site.at_end()
            && let Some(eof) = errors.iter_mut().find(|error| is_eof(error))
        {
            // The file just stops: one message, not one for the statement and one for its surroundings.
            if let Some(last) = site.before(1) {
                let label = Label {
                    at: last.span,
                    message: cause::message(&site).message,
                };
                eof.labels.push(label);
            }
            continue;
        }
        if !site.lacks_semicolon() {
            until = statements.end(at);
            found.push((statement, at));
        }
        let again = site.is_reserved_word(&errors);
        errors.push(match again {
            true => cause::reserved(&site),
            false => cause::message(&site),
        });
    }
    errors.extend(derived.into_iter().filter(|error| {
        let at = place(error);
        let statement = statements.of(at);
        let site_before = (found.iter()).any(|&(other, before)| other == statement && before <= at);
        !site_before && !follows_guess(error)
    }));
    let end = tokens.last().map_or(0, |token| token.span.end);
    if errors.iter().any(is_eof) {
        errors.retain(|error| error.code != Code::MS0002 || place(error) != end);
    }
    errors.sort_by_key(place);
    merge_reserved_words(&mut errors);
    if stopped && let Some(last) = errors.last_mut() {
        last.notes.push(
            "There are more mistakes than modeshift lists; the rest of the file was not read."
                .into(),
        );
    }
    errors
}

/// A keyword that is used as a name again and again is one mistake: one message, one fix for all places.
fn merge_reserved_words(errors: &mut Vec<Diagnostic<Span>>) {
    let mut first: Vec<Diagnostic<Span>> = Vec::new();
    errors.retain(|error| {
        if error.code != Code::MS0015 {
            return true;
        }
        let known = first
            .iter_mut()
            .find(|known| known.message == error.message);
        match known {
            Some(known) => {
                known.labels.extend(error.labels.iter().map(|label| Label {
                    at: label.at,
                    message: "used here".into(),
                }));
                for (fix, more) in known.fixes.iter_mut().zip(&error.fixes) {
                    fix.edits.extend(more.edits.iter().cloned());
                }
            }
            None => first.push(error.clone()),
        }
        false
    });
    errors.extend(first);
    errors.sort_by_key(place);
}

/// Whether a block that was not closed is open at this place: an annotation of the class seems to be inside it.
fn in_open_block(errors: &[Diagnostic<Span>], at: u32) -> bool {
    let unclosed = |error: &&Diagnostic<Span>| error.code == Code::MS0004;
    let opened = |error: &Diagnostic<Span>| error.labels.iter().any(|label| label.at.start < at);
    errors.iter().filter(unclosed).any(opened)
}

/// Whether the fix only adds text.
fn inserts(error: &Diagnostic<Span>) -> bool {
    let mut edits = error.fixes.iter().flat_map(|fix| &fix.edits);
    edits.all(|edit| edit.at.is_empty())
}

/// Whether this is the message that the file ends before a block is closed.
fn is_eof(error: &Diagnostic<Span>) -> bool {
    error.code == Code::MS0004 && error.message.starts_with("the file ends")
}

fn place(error: &Diagnostic<Span>) -> u32 {
    error.labels.first().map_or(0, |label| label.at.start)
}

/// Found by the lexer or the feed: the cause itself, never the consequence of another mistake.
fn is_firm(code: Code) -> bool {
    matches!(
        code,
        Code::MS0003
            | Code::MS0004
            | Code::MS0005
            | Code::MS0006
            | Code::MS0009
            | Code::MS0010
            | Code::MS0015
            | Code::MS0016
            | Code::MS0017
            | Code::MS0018
            | Code::MS0021
            | Code::MS0022
    )
}

/// Whether the parser's complaints about the same statement follow from this one.
fn explains_its_statement(code: Code) -> bool {
    matches!(
        code,
        Code::MS0005 | Code::MS0006 | Code::MS0009 | Code::MS0010
    )
}

/// Numbers the statements of a text by the semicolons between them.
struct Statements {
    semicolons: Vec<u32>,
}

impl Statements {
    fn new(tokens: &[Token]) -> Self {
        let semicolons = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Semicolon);
        Self {
            semicolons: semicolons.map(|token| token.span.start).collect(),
        }
    }

    fn of(&self, at: u32) -> u32 {
        self.semicolons.partition_point(|semicolon| *semicolon < at) as u32
    }

    /// The place behind the statement at `at`.
    fn end(&self, at: u32) -> u32 {
        self.semicolons
            .get(self.of(at) as usize)
            .map_or(u32::MAX, |semicolon| semicolon + 1)
    }
}

/// A place where the parser recovered, with the words around it.
struct Site<'a> {
    text: &'a str,
    tokens: &'a [Token],
    around: Around,
    /// The word that did not fit; an empty semicolon at the end of the text.
    found: Token,
    /// Its index in `tokens`.
    index: usize,
    /// The words that would have fitted, as LALRPOP writes terminals.
    expected: &'a [String],
}

impl<'a> Site<'a> {
    /// Nothing when a message about this place has been given already: then the word was put there by
    /// the feed.
    fn new(text: &'a str, tokens: &'a [Token], mistake: &'a Mistake) -> Option<Self> {
        let (found, expected): (Token, &[String]) = match &mistake.recovery.error {
            ParseError::UnrecognizedToken {
                token: (_, token, _),
                expected,
            } => (*token, expected),
            ParseError::ExtraToken {
                token: (_, token, _),
            } => (*token, &[]),
            ParseError::UnrecognizedEof { expected, .. } => {
                let end = tokens.last().map_or(0, |token| token.span.end);
                let eof = Token {
                    kind: TokenKind::Semicolon,
                    span: Span::new(end, end),
                };
                return Some(Self {
                    text,
                    tokens,
                    around: mistake.around,
                    found: eof,
                    index: tokens.len(),
                    expected,
                });
            }
            ParseError::InvalidToken { .. } | ParseError::User { .. } => return None,
        };
        let inserted = found.span.is_empty() && found.kind != TokenKind::Semicolon;
        if found.kind == TokenKind::Error || inserted {
            return None;
        }
        let index = tokens.partition_point(|token| token.span.start < found.span.start);
        Some(Self {
            text,
            tokens,
            around: mistake.around,
            found,
            index,
            expected,
        })
    }

    /// Whether the word found has been reported as a keyword that is used as a name.
    fn is_reserved_word(&self, errors: &[Diagnostic<Span>]) -> bool {
        let word = self.slice(self.found);
        let names_it = |error: &Diagnostic<Span>| {
            let label = error.labels.first();
            error.code == Code::MS0015
                && label.is_some_and(|label| self.text.get(label.at.range()) == Some(word))
        };
        self.found.kind != TokenKind::Ident && errors.iter().any(names_it)
    }

    /// Whether a bracket is open here. Looks back at the statement.
    fn in_brackets(&self) -> bool {
        let mut closed = 0;
        for token in self.tokens[..self.index.min(self.tokens.len())]
            .iter()
            .rev()
        {
            match token.kind {
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => closed += 1,
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace if closed == 0 => {
                    return true;
                }
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => closed -= 1,
                TokenKind::Semicolon if closed == 0 => return false,
                _ => {}
            }
        }
        false
    }

    fn at_end(&self) -> bool {
        self.index >= self.tokens.len()
    }

    /// The word `back` places before the one found: 1 is its neighbour.
    fn before(&self, back: usize) -> Option<Token> {
        self.index
            .checked_sub(back)
            .and_then(|index| self.tokens.get(index))
            .copied()
    }

    fn before_kind(&self) -> Option<TokenKind> {
        self.before(1).map(|token| token.kind)
    }

    fn after_kind(&self, ahead: usize) -> Option<TokenKind> {
        self.tokens.get(self.index + ahead).map(|token| token.kind)
    }

    fn slice(&self, token: Token) -> &'a str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected
            .iter()
            .any(|expected| expected.trim_matches('"') == terminal)
    }

    /// The word found is the first of its line.
    fn begins_line(&self) -> bool {
        match self.before(1) {
            Some(before) => {
                self.at_end()
                    || self.text[before.span.end as usize..self.found.span.start as usize]
                        .contains(['\n', '\r'])
            }
            None => true,
        }
    }

    /// Whether a `;` before the word found is all that is missing.
    fn lacks_semicolon(&self) -> bool {
        let complete = matches!(self.around, Around::Complete(_));
        let fits = (complete || self.expects(";")) && self.found.kind != TokenKind::Semicolon;
        fits && (self.begins_line() || cause::begins_statement(self.found.kind))
    }
}
