//! Keywords that are misspelt or written as in another language: `elsif`, `than`, `equations`, `for i = 1:n`.
//!
//! To the parser such a word is a name, and it stumbles over what follows. A word is taken for a keyword only
//! where no name can be, or where it is the heading of a section by its line and indentation.

use super::block::BlockKind;
use super::section::SectionKind;
use super::{Feed, Muted};
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

/// What other languages call the words of Modelica.
const FOREIGN: [(&str, &str); 11] = [
    ("elsif", "elseif"),
    ("elif", "elseif"),
    ("elseif", "elseif"),
    ("otherwise", "else"),
    ("foreach", "for"),
    ("do", "loop"),
    ("until", "while"),
    ("endif", "end if"),
    ("endfor", "end for"),
    ("endwhen", "end when"),
    ("endwhile", "end while"),
];

/// The keyword of `words` that `written` stands for: another language's word, or a slip of the pen.
fn meant(written: &str, words: &[&'static str]) -> Option<&'static str> {
    // Longer than any keyword with a slip: nothing to compare.
    if written.len() > 14 || words.contains(&written) {
        return None;
    }
    let lower = written.to_ascii_lowercase();
    let joined = lower.replace('_', "");
    let foreign = (FOREIGN.iter()).find(|(word, right)| *word == joined && words.contains(right));
    if let Some((_, right)) = foreign {
        return Some(right);
    }
    let near = |word: &&&'static str| {
        let slips = match word.len() {
            0..=3 => 0,
            4..=5 => 1,
            _ => 2,
        };
        strsim::damerau_levenshtein(&lower, word) <= slips
    };
    words.iter().find(near).copied()
}

impl Feed<'_> {
    /// A name at the beginning of a statement where only a keyword can be. Gives whether it was taken for one.
    pub(super) fn misspelt_beginning(&mut self, token: Token) -> bool {
        use TokenKind as K;
        let Some(&block) = self.blocks.last() else {
            return false;
        };
        let (kind, section) = (block.kind, block.section);
        let types = matches!(self.peek(0), Some(K::Ident))
            && matches!(self.peek(1), Some(K::Ident | K::Dot))
            && !self.next_line_follows(token);
        if self.is_class_name(token) || self.statement.header && !types {
            return false;
        }
        if self.misspelt_end(token) {
            return true;
        }
        let alone = self.begins_line(token) && self.next_line_follows(token);
        let mut words: Vec<&'static str> = Vec::new();
        if alone && kind == BlockKind::Class && self.indent(token.span) <= block.indent {
            words.extend(["equation", "algorithm", "protected", "public"]);
        }
        let prefixes = [
            "parameter",
            "constant",
            "discrete",
            "input",
            "output",
            "flow",
        ];
        if section == SectionKind::Elements && kind == BlockKind::Class && types {
            words.extend(prefixes);
        }
        if section != SectionKind::Elements {
            let operand = matches!(
                self.peek(0),
                Some(K::Ident | K::Integer | K::Real | K::Not | K::True | K::False | K::Der)
            );
            let operand = operand && !self.next_line_follows(token);
            let bracketed = self.peek(0) == Some(K::LParen) && self.then_follows();
            if operand || bracketed {
                words.extend(["for", "when", "while", "if"]);
                match kind {
                    BlockKind::If => words.push("elseif"),
                    BlockKind::When => words.push("elsewhen"),
                    _ => {}
                }
            }
            if kind == BlockKind::If && alone {
                words.push("else");
            }
            if self.peek(0) == Some(K::Semicolon) {
                words.extend(match kind {
                    BlockKind::If => Some("end if"),
                    BlockKind::For => Some("end for"),
                    BlockKind::While => Some("end while"),
                    BlockKind::When => Some("end when"),
                    BlockKind::Class => None,
                });
            }
        }
        let Some(right) = meant(self.word(token), &words) else {
            return false;
        };
        self.misspelt(token, right);
        let kind = match right {
            "equation" => K::Equation,
            "algorithm" => K::Algorithm,
            "protected" => K::Protected,
            "public" => K::Public,
            "else" => K::Else,
            "elseif" => K::ElseIf,
            "elsewhen" => K::ElseWhen,
            "for" => K::For,
            "when" => K::When,
            "while" => K::While,
            "if" => K::If,
            "parameter" => K::Parameter,
            "constant" => K::Constant,
            "discrete" => K::Discrete,
            "input" => K::Input,
            "output" => K::Output,
            "flow" => K::Flow,
            _ => {
                self.end_misspelt(token, kind);
                return true;
            }
        };
        self.reread = Some((self.at - 1, kind));
        let word = Token {
            kind,
            span: token.span,
        };
        if let Some(word) = self.accept(word) {
            self.emit(word);
        }
        true
    }

    /// `edn Tank;`, `End if;`: a word close to `end` before what the innermost block ends with.
    fn misspelt_end(&mut self, token: Token) -> bool {
        use TokenKind as K;
        let (Some(&name), Some(block)) = (self.tokens.get(self.at), self.blocks.last()) else {
            return false;
        };
        let closes = match name.kind {
            K::Ident => {
                block.kind == BlockKind::Class
                    && self.text.get(block.name.range()) == Some(self.word(name))
            }
            kind => kind == block.kind.token(),
        };
        let lower = self.word(token).to_ascii_lowercase();
        if !closes
            || self.peek(1) != Some(K::Semicolon)
            || lower.len() > 6
            || strsim::damerau_levenshtein(&lower, "end") > 1
        {
            return false;
        }
        self.misspelt(token, "end");
        self.at += 1;
        let end = Token {
            kind: K::End,
            span: token.span,
        };
        self.end_named(end, name);
        true
    }

    /// `if a > 0 than`: a name at the end of a head's line, where `then` or `loop` is awaited.
    pub(super) fn misspelt_head_end(&mut self, word: TokenKind, token: Token) -> bool {
        let right = match word {
            TokenKind::Then => "then",
            _ => "loop",
        };
        let ends_line = token.kind == TokenKind::Ident && self.next_line_follows(token);
        // Other languages begin both kinds of bodies with `do`.
        let meant = match self.word(token) {
            "do" => Some(right),
            written => meant(written, &[right]),
        };
        if !ends_line || meant.is_none() {
            return false;
        }
        self.misspelt(token, right);
        true
    }

    /// `for i = 1:n loop`: the `=` of a loop in other languages.
    pub(super) fn loop_by_equals(&mut self, token: Token) -> Option<Token> {
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0022, "the range of a loop follows `in`, not `=`")
                    .label(token.span, "write `in`")
                    .fix(
                        "write `in`",
                        vec![Edit {
                            at: token.span,
                            text: "in".into(),
                        }],
                    ),
            );
        }
        self.plain(Token {
            kind: TokenKind::In,
            span: token.span,
        })
    }

    /// `if x = 1 then`: an equation sign where a comparison is meant.
    pub(super) fn comparison_by_equals(&mut self, token: Token) -> Option<Token> {
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0008, "a comparison is written `==`, not `=`")
                    .label(token.span, "write `==`")
                    .fix(
                        "write `==`",
                        vec![Edit {
                            at: token.span,
                            text: "==".into(),
                        }],
                    ),
            );
        }
        self.plain(Token {
            kind: TokenKind::EqualEqual,
            span: token.span,
        })
    }

    /// `for (i in 1:n) loop`: the brackets of other languages are left out.
    pub(super) fn unwrap_loop_head(&mut self) {
        use TokenKind as K;
        if (self.peek(0), self.peek(1)) != (Some(K::LParen), Some(K::Ident))
            || !matches!(self.peek(2), Some(K::In | K::Equals))
        {
            return;
        }
        let close = self.closing();
        let Some(close) = close.filter(|at| self.peek(at + 1) == Some(K::Loop)) else {
            return;
        };
        let (open, close) = (self.at, self.at + close);
        if self.muted == Muted::No {
            let without = |at: usize| Edit {
                at: self.tokens[at].span,
                text: String::new(),
            };
            let message = Diagnostic::new(Code::MS0007, "the head of a loop has no brackets")
                .label(self.tokens[open].span, "not written in Modelica")
                .fix("remove the brackets", vec![without(open), without(close)]);
            self.errors.push(message);
        }
        self.at += 1;
        self.dropped = Some(close);
    }

    /// Whether the comma at a place is the one of `connect(a, b), annotation(…)`.
    pub(super) fn is_before_annotation(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1).map(|token| token.kind);
        next == Some(TokenKind::Annotation) && self.brackets.is_empty()
    }

    /// Leaves out such a comma.
    pub(super) fn comma_before_annotation(&mut self, token: Token) {
        if self.muted != Muted::No {
            return;
        }
        let edit = Edit {
            at: token.span,
            text: String::new(),
        };
        self.errors.push(
            Diagnostic::new(Code::MS0007, "an annotation follows without a comma")
                .label(token.span, "does not belong here")
                .fix("remove `,`", vec![edit]),
        );
    }

    /// `a, b = f(x)`: the brackets around the list are put in. Gives whether that was done.
    pub(super) fn list_without_brackets(&mut self) -> bool {
        use TokenKind as K;
        const FAR: usize = 60;
        if !self.in_equations() || self.peek(0) != Some(K::Comma) || self.muted != Muted::No {
            return false;
        }
        let start = self.at - 1;
        let rest = self.tokens.get(start..).unwrap_or_default();
        let is_list = |word: &&Token| matches!(word.kind, K::Ident | K::Dot | K::Comma);
        let length = rest.iter().take(FAR).take_while(is_list).count();
        let Some(after) = rest.get(length) else {
            return false;
        };
        let names = |pair: &[Token]| pair[0].kind == K::Ident && pair[1].kind == K::Ident;
        if !matches!(after.kind, K::Equals | K::Assign) || rest[..length].windows(2).any(names) {
            return false;
        }
        let (first, last) = (rest[0].span, rest[length - 1].span);
        let brackets = [(K::LParen, first.start), (K::RParen, last.end)].map(|(kind, at)| Token {
            kind,
            span: Span::new(at, at),
        });
        self.queue.push_back(brackets[0]);
        self.queue.extend(rest[..length].iter().copied());
        self.queue.push_back(brackets[1]);
        let edits = brackets.map(|bracket| Edit {
            at: bracket.span,
            text: if bracket.kind == K::LParen { "(" } else { ")" }.into(),
        });
        self.errors.push(
            Diagnostic::new(
                Code::MS0001,
                "a list of variables that take the results of a function is written in brackets",
            )
            .label(first.to(last), "brackets are missing around this list")
            .fix("insert the brackets", edits.to_vec()),
        );
        self.at = start + length;
        true
    }

    /// Whether `token` is the `=` of such a loop.
    pub(super) fn is_loop_equals(&self, token: Token) -> bool {
        let before = |back: usize| {
            let at = self.at.checked_sub(back + 1)?;
            self.tokens.get(at).map(|token| token.kind)
        };
        token.kind == TokenKind::Equals
            && before(1) == Some(TokenKind::Ident)
            && before(2) == Some(TokenKind::For)
    }

    fn misspelt(&mut self, token: Token, right: &str) {
        if self.muted != Muted::No {
            return;
        }
        let written = self.word(token);
        self.errors.push(
            Diagnostic::new(
                Code::MS0022,
                format!("`{written}` is not a word of Modelica: write `{right}`"),
            )
            .label(token.span, format!("did you mean `{right}`?"))
            .fix(
                format!("write `{right}`"),
                vec![Edit {
                    at: token.span,
                    text: right.into(),
                }],
            ),
        );
    }

    pub(super) fn word(&self, token: Token) -> &str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    /// Whether the next word is in another line than `token`.
    pub(super) fn next_line_follows(&self, token: Token) -> bool {
        let next = self.tokens.get(self.at).map(|next| next.span.start);
        let end = token.span.end as usize;
        next.is_none_or(|next| {
            let between = self.text.get(end..next as usize);
            between.is_none_or(|gap| gap.contains(['\n', '\r']))
        })
    }

    /// Whether the bracket that opens next is followed by `then` or `loop` before its statement ends.
    fn then_follows(&self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        let mut rest = rest.iter().take(200);
        let end = rest.find(|token| {
            use TokenKind as K;
            matches!(
                token.kind,
                K::Semicolon | K::Equals | K::Assign | K::Then | K::Loop
            )
        });
        end.is_some_and(|token| matches!(token.kind, TokenKind::Then | TokenKind::Loop))
    }

    /// `endif` and its kin: two words in one.
    fn end_misspelt(&mut self, token: Token, kind: BlockKind) {
        let end = Token {
            kind: TokenKind::End,
            span: token.span,
        };
        let name = Token {
            kind: kind.token(),
            span: Span::new(token.span.end, token.span.end),
        };
        self.end_named(end, name);
    }
}
