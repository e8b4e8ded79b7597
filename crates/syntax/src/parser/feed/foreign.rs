//! Heads of blocks and calls as other languages write them: read as what is meant, with one message.

use super::{Feed, Muted, section};
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Label};

/// How far a head in the manner of another language is followed.
const FAR: usize = 200;

/// What is said of all colons at once: a text that has one has several.
const COLONS: &str = "no colon belongs after the head of a block";

impl Feed<'_> {
    /// `if x > 1:` and `else:`, at the end of a line. The word that belongs there is put in. Gives whether it was so.
    pub(super) fn colon_for_word(&mut self, token: Token, word: Option<TokenKind>) -> bool {
        let ends = self
            .before()
            .is_some_and(|before| before.ends_operand() || before == TokenKind::Else);
        if token.kind != TokenKind::Colon
            || !self.brackets.is_empty()
            || !ends
            || !self.next_line_follows(token)
            || word.is_some_and(|word| self.goes_on_to(word))
        {
            return false;
        }
        let (text, label) = match word {
            Some(TokenKind::Then) => (" then", "write `then`"),
            Some(_) => (" loop", "write `loop`"),
            None => ("", "leave out `:`"),
        };
        if self.muted == Muted::No {
            let edit = Edit {
                at: token.span,
                text: text.into(),
            };
            match self.errors.iter_mut().find(|it| it.message == COLONS) {
                Some(known) => {
                    known.labels.push(Label {
                        at: token.span,
                        message: label.into(),
                    });
                    known.fixes[0].edits.push(edit);
                }
                None => self.errors.push(
                    Diagnostic::new(Code::MS0021, COLONS)
                        .label(token.span, label)
                        .note("a condition ends with `then`, the head of a loop with `loop`")
                        .fix("write the words of Modelica", vec![edit]),
                ),
            }
        }
        if let Some(word) = word {
            self.insert(word, token.span);
            self.end_statement();
        }
        true
    }

    /// Where the bracket that opens with the next word is closed, counted from there.
    pub(super) fn closing(&self) -> Option<usize> {
        let mut depth = 0;
        let mut rest = self.tokens.get(self.at..)?.iter().take(FAR);
        rest.position(|word| {
            depth += word.kind.nesting();
            depth == 0
        })
    }

    /// Whether the head goes on in the next line, because a word ends it or nothing ends the statement: then the colon belongs to a
    /// range.
    fn goes_on_to(&self, word: TokenKind) -> bool {
        use TokenKind as K;
        let mut depth = 0;
        for token in self
            .tokens
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take(FAR)
        {
            depth += token.kind.nesting();
            match token.kind {
                K::Semicolon if depth == 0 => return false,
                kind if kind == word => return true,
                _ => {}
            }
        }
        true
    }

    /// `for (i = 1; i <= n; i++) loop`: read as a loop over the first value. Gives whether it was so.
    pub(super) fn loop_of_three_parts(&mut self, for_: Token) -> bool {
        use TokenKind as K;
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let mut head = rest;
        // `for (int i = 1; …)`
        let typed = matches!(head, [open, a, b, ..] if (open.kind, a.kind, b.kind) == (K::LParen, K::Ident, K::Ident));
        if typed {
            head = &head[1..];
        }
        let [before, name, equals, ..] = head else {
            return false;
        };
        let opens = before.kind == K::LParen || typed;
        if !opens
            || name.kind != K::Ident
            || !matches!(equals.kind, K::Equals | K::Assign)
            || self.muted != Muted::No
        {
            return false;
        }
        let Some(close) = self.closing() else {
            return false;
        };
        let first = usize::from(typed) + 3;
        let semicolon = |from: usize| {
            let words = rest.get(from..close)?;
            let found = words.iter().position(|word| word.kind == K::Semicolon)?;
            Some(from + found)
        };
        let Some(end) = semicolon(first) else {
            return false;
        };
        if end == first {
            return false;
        }
        let (name, start) = (*name, rest[first..end].to_vec());
        let span = rest[0].span.to(rest[close].span);
        let followed = rest.get(close + 1).is_some_and(|it| it.kind == K::Loop);
        let range =
            semicolon(end + 1).and_then(|last| self.range_of(name, &start, &rest[end + 1..last]));
        let word = self.word(name);
        let mut message = Diagnostic::new(
            Code::MS0022,
            format!("a loop is written `for {word} in first:last loop`"),
        )
        .label(span, "the head of a loop in another language");
        if let Some(range) = range {
            let loop_ = if followed { "" } else { " loop" };
            message = message.fix(
                "write the range",
                vec![Edit {
                    at: span,
                    text: format!("{word} in {range}{loop_}"),
                }],
            );
        }
        self.errors.push(message);
        self.emit(for_);
        self.emit(name);
        self.insert(K::In, span);
        start.into_iter().for_each(|it| self.emit(it));
        self.at += close + 1;
        if !followed {
            self.insert(K::Loop, Span::new(span.end, span.end));
            self.end_statement();
        }
        true
    }

    /// `1:n` for a loop from `1` while `i <= n`.
    fn range_of(&self, name: Token, start: &[Token], condition: &[Token]) -> Option<String> {
        let [first, relation, limit @ ..] = condition else {
            return None;
        };
        let text = |tokens: &[Token]| {
            let span = tokens.first()?.span.to(tokens.last()?.span);
            self.text.get(span.range())
        };
        if first.kind != TokenKind::Ident || self.word(*first) != self.word(name) {
            return None;
        }
        let (start, limit) = (text(start)?, text(limit)?);
        match relation.kind {
            TokenKind::LessEqual => Some(format!("{start}:{limit}")),
            TokenKind::Less => Some(format!("{start}:{limit} - 1")),
            _ => None,
        }
    }

    /// `when a, b then`: the braces around several events are missing. Read as `a or b`. Gives whether it was so.
    pub(super) fn list_of_events(&mut self, comma: Token) -> bool {
        use TokenKind as K;
        let back = self.tokens.get(..self.at).unwrap_or_default();
        let head = back.iter().rev().take(FAR).find(|it| {
            matches!(
                it.kind,
                K::When | K::ElseWhen | K::If | K::ElseIf | K::For | K::While
            )
        });
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let then = rest
            .iter()
            .take(FAR)
            .position(|it| matches!(it.kind, K::Then | K::Semicolon));
        let (Some(head), Some(then)) = (head, then) else {
            return false;
        };
        let last = match then {
            0 => return false,
            _ => rest[then - 1].span,
        };
        if !matches!(head.kind, K::When | K::ElseWhen) || rest[then].kind != K::Then {
            return false;
        }
        const LIST: &str = "several events of a `when` are a list in braces";
        let known = |it: &Diagnostic<Span>| {
            it.message == LIST && it.labels.iter().any(|label| label.at.end == last.end)
        };
        if self.muted == Muted::No && !self.errors.iter().any(known) {
            let first = Span::new(head.span.end, head.span.end);
            let edit = |at: u32, text: &str| Edit {
                at: Span::new(at, at),
                text: text.into(),
            };
            let at = self
                .text
                .get(first.start as usize..)
                .map_or(0, |rest| rest.len() - rest.trim_start().len()) as u32;
            self.errors.push(
                Diagnostic::new(Code::MS0005, LIST)
                    .label(Span::new(first.start + at, last.end), "this list has none")
                    .fix(
                        "put braces around the list",
                        vec![edit(first.start + at, "{"), edit(last.end, "}")],
                    ),
            );
        }
        self.insert(K::Or, comma.span);
        true
    }

    /// `equation;` and `if c then;`: no `;` belongs after a word that begins something. Gives whether it was so.
    pub(super) fn semicolon_after_word(&mut self, token: Token) -> bool {
        use TokenKind as K;
        let begins = matches!(
            self.before(),
            Some(
                K::Equation | K::Algorithm | K::Public | K::Protected | K::Then | K::Loop | K::Else
            )
        );
        // `end loop;` is another mistake.
        let closes = self.at.checked_sub(3).and_then(|at| self.tokens.get(at));
        let closes = closes.is_some_and(|it| it.kind == K::End);
        if !begins || closes || !self.brackets.is_empty() {
            return false;
        }
        let word = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        let word = word.map_or("", |word| self.word(*word)).to_owned();
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0007, format!("no `;` belongs after `{word}`"))
                    .label(token.span, "leave this out")
                    .fix(
                        "remove `;`",
                        vec![Edit {
                            at: token.span,
                            text: String::new(),
                        }],
                    ),
            );
        }
        true
    }

    /// `der x` in an equation: the brackets are put in. Gives whether it was so.
    pub(super) fn derivative_without_brackets(&mut self, der: Token) -> bool {
        use TokenKind as K;
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        if self.muted != Muted::No || !self.in_equations() {
            return false;
        }
        let mut length = 0;
        while rest.get(length).is_some_and(|it| it.kind == K::Ident) {
            length += 1;
            if rest.get(length).is_some_and(|it| it.kind == K::LBracket) {
                let close = rest.iter().take(FAR).position(|it| it.kind == K::RBracket);
                let Some(close) = close.filter(|close| *close > length) else {
                    return false;
                };
                length = close + 1;
            }
            if rest.get(length).is_none_or(|it| it.kind != K::Dot) || length >= FAR {
                break;
            }
            length += 1;
        }
        let Some(last) = length.checked_sub(1).map(|at| rest[at].span) else {
            return false;
        };
        let argument = rest[..length].to_vec();
        let open = Span::new(der.span.end, argument[0].span.start);
        let close = Span::new(last.end, last.end);
        let name = self.text.get(argument[0].span.to(last).range());
        let name = name.unwrap_or_default();
        self.errors.push(
            Diagnostic::new(
                Code::MS0005,
                format!("`der` is a function and is called with brackets: `der({name})`"),
            )
            .label(der.span.to(last), "the brackets are missing")
            .fix(
                format!("write `der({name})`"),
                vec![
                    Edit {
                        at: open,
                        text: "(".into(),
                    },
                    Edit {
                        at: close,
                        text: ")".into(),
                    },
                ],
            ),
        );
        self.begin_statement(der);
        self.advance_statement();
        self.emit(der);
        self.insert(K::LParen, open);
        argument.into_iter().for_each(|it| self.emit(it));
        self.insert(K::RParen, close);
        self.at += length;
        true
    }

    /// `elseif` alone in its line, before an equation: its condition is missing, or `else` was meant. Read as a branch
    /// with any condition. Gives whether it was so.
    pub(super) fn lacks_condition(&mut self, token: Token) -> bool {
        use TokenKind as K;
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let end = rest
            .iter()
            .take(FAR)
            .find(|it| matches!(it.kind, K::Semicolon | K::Then));
        let statement = end.is_some_and(|it| it.kind == K::Semicolon);
        if !statement || !self.next_line_follows(token) {
            return false;
        }
        let word = self.word(token).to_owned();
        if self.muted == Muted::No {
            let mut message = Diagnostic::new(Code::MS0001, format!("`{word}` needs a condition"))
                .label(token.span, format!("write `{word} condition then`"));
            if token.kind == K::ElseIf && self.is_last_branch() {
                let edit = Edit {
                    at: token.span,
                    text: "else".into(),
                };
                message = message
                    .note("the branch for all other cases begins with `else`")
                    .fix("write `else`", vec![edit]);
            }
            self.errors.push(message);
        }
        self.emit(token);
        self.insert(K::True, token.span);
        self.insert(K::Then, token.span);
        self.end_statement();
        true
    }

    /// Whether no other branch follows in this `if`.
    fn is_last_branch(&self) -> bool {
        use TokenKind as K;
        let mut depth = 0;
        let mut before = K::Semicolon;
        for token in self
            .tokens
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take(FAR)
        {
            match token.kind {
                K::If if before == K::End && depth == 0 => return true,
                K::If if before == K::End => depth -= 1,
                // An `if` that begins an expression has an `else` of its own.
                K::If => depth += 1,
                K::Else | K::ElseIf if depth == 0 => return false,
                _ => {}
            }
            before = token.kind;
        }
        false
    }

    /// `{1, 2; 3, 4}`: the rows of a matrix in braces. The rest of the statement is not read. Gives whether it was so.
    pub(super) fn rows_in_braces(&mut self, semicolon: Token) -> bool {
        use TokenKind as K;
        let Some(&open) = self.brackets.last().filter(|open| open.kind == K::LBrace) else {
            return false;
        };
        let mut depth = 0;
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let close = rest.iter().take(FAR).find(|token| {
            depth += token.kind.nesting();
            let begins = section::begins_declaration(token.kind)
                || matches!(
                    token.kind,
                    K::Equals | K::Assign | K::Annotation | K::End | K::Connect
                );
            depth < 0 || begins
        });
        let Some(&close) = close.filter(|token| token.kind == K::RBrace && depth < 0) else {
            return false;
        };
        if self.muted == Muted::No {
            let edit = |at: Span, text: &str| Edit {
                at,
                text: text.into(),
            };
            self.errors.push(
                Diagnostic::new(
                    Code::MS0005,
                    "the rows of a matrix are written in `[ ]`, not in `{ }`",
                )
                .label(open.span.to(close.span), "`;` separates rows")
                .note("`[1, 2; 3, 4]` and `{{1, 2}, {3, 4}}` are the same matrix")
                .fix(
                    "write `[` and `]`",
                    vec![edit(open.span, "["), edit(close.span, "]")],
                ),
            );
        }
        // The parser gives up the statement; its brackets are closed without another message.
        self.brackets.clear();
        self.insert(K::Error, semicolon.span);
        self.muted = Muted::Statement;
        self.at = self
            .tokens
            .partition_point(|token| token.span.start <= close.span.start);
        true
    }
}
