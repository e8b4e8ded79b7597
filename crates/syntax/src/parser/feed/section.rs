//! Sections of a class: what may stand in which.

use super::block::BlockKind;
use super::{Feed, Muted};
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit, Severity};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionKind {
    Elements,
    Equations,
    Algorithm,
}

/// Words that only a declaration begins with.
pub const fn begins_declaration(kind: TokenKind) -> bool {
    use TokenKind as K;
    is_class_word(kind)
        || matches!(
            kind,
            K::Import
                | K::Extends
                | K::Redeclare
                | K::Final
                | K::Inner
                | K::Outer
                | K::Replaceable
                | K::Encapsulated
                | K::Partial
                | K::Expandable
                | K::Pure
                | K::Impure
                | K::Flow
                | K::Stream
                | K::Discrete
                | K::Parameter
                | K::Constant
                | K::Input
                | K::Output
        )
}

const fn is_class_word(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(
        kind,
        K::Class
            | K::Model
            | K::Record
            | K::Block
            | K::Connector
            | K::Type
            | K::Package
            | K::Function
            | K::Operator
    )
}

impl Feed<'_> {
    /// In a section of equations or statements.
    pub(super) fn in_equations(&self) -> bool {
        self.section_now() != SectionKind::Elements
    }

    fn section_now(&self) -> SectionKind {
        self.blocks
            .last()
            .map_or(SectionKind::Elements, |block| block.section)
    }

    /// `equation`, `algorithm`, `public`, `protected`: every block of the section before is over.
    pub(super) fn section(&mut self, token: Token) -> Option<Token> {
        use TokenKind as K;
        self.finish_statement(token);
        if let Some(class) = self
            .blocks
            .iter()
            .rposition(|block| block.kind == BlockKind::Class)
        {
            self.close_blocks_above(class + 1, token.span);
        }
        if let Some(class) = self.blocks.last_mut() {
            class.section = match token.kind {
                K::Equation | K::InitialEquation => SectionKind::Equations,
                K::Algorithm | K::InitialAlgorithm => SectionKind::Algorithm,
                _ => SectionKind::Elements,
            };
            class.interrupted = None;
            class.section_at = Some(token.span);
        }
        self.plain(token)
    }

    /// `initial equation` and `initial algorithm` become one word, else `initial()` would collide.
    pub(super) fn initial_section(&mut self, initial: Token) -> Option<Token> {
        let second = self.tokens.get(self.at).copied().unwrap_or(initial);
        self.at += 1;
        let kind = match second.kind {
            TokenKind::Equation => TokenKind::InitialEquation,
            _ => TokenKind::InitialAlgorithm,
        };
        self.section(Token {
            kind,
            span: initial.span.to(second.span),
        })
    }

    /// A word that begins a declaration, or stands for a name.
    pub(super) fn declaration_word(&mut self, token: Token) -> Option<Token> {
        let again = self.statement.begun
            && self.section_now() != SectionKind::Elements
            && self.is_known_name(token);
        if self.stands_for_name(token.kind) || again {
            return self.keyword_as_name(token);
        }
        let outside = self.brackets.is_empty();
        if outside && self.section_now() != SectionKind::Elements {
            if self.statement.begun && !self.begins_line(token) {
                self.stray(token.span, "is not allowed in an equation or a statement");
                return None;
            }
            self.declaration_among_equations(token);
        }
        self.advance_statement();
        self.statement.replaceable |= outside && token.kind == TokenKind::Replaceable;
        if is_class_word(token.kind) {
            self.class_word(token);
        }
        self.plain(token)
    }

    /// Whether a keyword was reported as a name before: there it is one again.
    fn is_known_name(&self, token: Token) -> bool {
        let begins = format!("`{}` is a word", self.word(token));
        let known =
            |it: &Diagnostic<Span>| it.code == Code::MS0015 && it.message.starts_with(&begins);
        self.errors.iter().any(known)
    }

    pub(super) fn begins_line(&self, token: Token) -> bool {
        self.text
            .get(self.gap().end as usize..token.span.start as usize)
            .is_none_or(|gap| gap.contains(['\n', '\r']))
    }

    /// Whether a keyword is followed by something that only a name is followed by.
    fn stands_for_name(&self, kind: TokenKind) -> bool {
        use TokenKind as K;
        match self.peek(0) {
            Some(
                K::Semicolon
                | K::Equals
                | K::Assign
                | K::Comma
                | K::LParen
                | K::RParen
                | K::LBracket,
            ) => true,
            Some(K::Dot) => is_class_word(kind) && kind != K::Function,
            _ => false,
        }
    }

    /// Reports a keyword in the place of a name and reads it as that name.
    pub(super) fn keyword_as_name(&mut self, token: Token) -> Option<Token> {
        let word = self.text.get(token.span.range()).unwrap_or_default();
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(
                    Code::MS0015,
                    format!("`{word}` is a word of the language and cannot be a name"),
                )
                .label(token.span, "reserved word")
                .note("Choose another name, or write it as a quoted identifier everywhere.")
                .fix(
                    format!("write `'{word}'`"),
                    vec![Edit {
                        at: token.span,
                        text: format!("'{word}'"),
                    }],
                ),
            );
        }
        let name = Token {
            kind: TokenKind::Ident,
            span: token.span,
        };
        self.begin_statement(name);
        self.plain(name)
    }

    /// Whether `initial` is in an expression, and nobody uses it as a name.
    pub(super) fn is_call_without_brackets(&self) -> bool {
        let named = |error: &Diagnostic<Span>| {
            error.code == Code::MS0015 && error.message.starts_with("`initial`")
        };
        self.peek(0) != Some(TokenKind::LParen)
            && self.statement.begun
            && self.section_now() != SectionKind::Elements
            && !self.errors.iter().any(named)
    }

    /// `initial` in an expression is a call whose brackets are missing.
    pub(super) fn call_without_brackets(&mut self, token: Token) -> Option<Token> {
        let word = self.text.get(token.span.range()).unwrap_or_default();
        let after = Span::new(token.span.end, token.span.end);
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(
                    Code::MS0005,
                    format!("`{word}` is a function and is called with brackets: `{word}()`"),
                )
                .label(token.span, "`()` is missing after this")
                .fix(
                    format!("write `{word}()`"),
                    vec![Edit {
                        at: after,
                        text: "()".into(),
                    }],
                ),
            );
        }
        self.emit(token);
        self.insert(TokenKind::LParen, after);
        self.insert(TokenKind::RParen, after);
        None
    }

    /// Between the classes of a file nothing else can stand: skips what does, up to the next class. Gives
    /// whether there was anything.
    pub(super) fn skips_junk(&mut self) -> bool {
        use TokenKind as K;
        let belongs = |kind| begins_declaration(kind) && kind != K::Import && kind != K::Extends;
        let first = self.at;
        while let Some(token) = self.tokens.get(self.at) {
            let within = token.kind == K::Within && self.at == 0;
            let end = token.kind == K::End && matches!(self.peek(1), Some(K::Ident));
            if (belongs(token.kind) && !self.stands_for_name(token.kind)) || within || end {
                break;
            }
            self.at += 1;
            if token.kind == K::Semicolon {
                break;
            }
        }
        let junk = self.tokens.get(first..self.at).unwrap_or_default();
        let (Some(&start), Some(end)) = (junk.first(), junk.last()) else {
            return false;
        };
        let span = start.span.to(end.span);
        if start.kind == K::Semicolon {
            self.stray(start.span, "follows no class");
            return true;
        }
        self.errors.push(
            Diagnostic::new(
                Code::MS0007,
                "only classes are allowed at the top of a file",
            )
            .label(span, "not inside any class"),
        );
        true
    }

    /// A declaration behind `equation`: either the class before it lacks its `end`, or a `public` is
    /// missing. The class is closed further down in the second case.
    fn declaration_among_equations(&mut self, token: Token) {
        self.finish_statement(token);
        let Some(index) = self
            .blocks
            .iter()
            .rposition(|block| block.kind == BlockKind::Class)
        else {
            return;
        };
        let name = self.blocks[index].name;
        if self.closed_later(name) {
            self.close_blocks_above(index + 1, token.span);
            self.moved_declaration(token);
        } else {
            self.close_blocks_above(index, token.span);
        }
    }

    /// A declaration between equations or statements, which go on after it: its place is before them.
    fn moved_declaration(&mut self, token: Token) {
        let gap = Span::new(token.span.start, token.span.start);
        let (home, section) = match self.blocks.last() {
            Some(class) => (class.section_at, class.section),
            None => return,
        };
        let (word, kind) = match section {
            SectionKind::Algorithm => ("algorithm", TokenKind::Algorithm),
            _ => ("equation", TokenKind::Equation),
        };
        if self.muted == Muted::No {
            let message = match section {
                SectionKind::Algorithm => "a declaration cannot be among statements",
                _ => "a declaration cannot be among equations",
            };
            let mut diagnostic = Diagnostic::new(Code::MS0017, message)
                .label(token.span, format!("declare it before `{word}`"));
            if let Some(home) = home {
                diagnostic = diagnostic.label(home, "the declarations end here");
                if let Some(edits) = self.moves_before(token, home) {
                    diagnostic = diagnostic.fix(format!("move it before `{word}`"), edits);
                }
            }
            self.errors.push(diagnostic);
        }
        self.insert(TokenKind::Public, gap);
        if let Some(class) = self.blocks.last_mut() {
            class.section = SectionKind::Elements;
            class.interrupted = Some(kind);
        }
    }

    /// The edits that move the declaration from `token` to its `;` before the word at `home`; none if it has lines of
    /// others.
    fn moves_before(&self, token: Token, home: Span) -> Option<Vec<Edit<Span>>> {
        let rest = self.tokens.get(self.at..)?.iter();
        let end = rest
            .take(400)
            .take_while(|word| !matches!(word.kind, TokenKind::Equation | TokenKind::End))
            .find(|word| word.kind == TokenKind::Semicolon)?;
        let line = |at: u32| {
            self.text
                .get(..at as usize)
                .and_then(|text| text.rfind('\n'))
        };
        let from = line(token.span.start)? as u32;
        let text = self
            .text
            .get(token.span.start as usize..end.span.end as usize)?;
        let before = self.text.get(from as usize..token.span.start as usize)?;
        let at_home = line(home.start).map_or(0, |at| at as u32 + 1);
        let indented = self.text.get(at_home as usize..home.start as usize)?;
        if !before.trim().is_empty() || !indented.trim().is_empty() {
            return None;
        }
        Some(vec![
            Edit {
                at: Span::new(at_home, at_home),
                text: format!("{}{text}\n", before.trim_start_matches(['\r', '\n'])),
            },
            Edit {
                at: Span::new(from, end.span.end),
                text: String::new(),
            },
        ])
    }

    /// Whether `end` with the name at `name` follows anywhere in the text. Linear in the rest of the text;
    /// asked once per mistake, and mistakes are bounded.
    fn closed_later(&self, name: Span) -> bool {
        let name = self.text.get(name.range());
        self.tokens[self.at..].windows(2).any(|pair| {
            pair[0].kind == TokenKind::End
                && pair[1].kind == TokenKind::Ident
                && self.text.get(pair[1].span.range()) == name
        })
    }

    fn wrong_section(&mut self, token: Token, insert: TokenKind, message: &str, word: &str) {
        let gap = Span::new(token.span.start, token.span.start);
        if self.muted == Muted::No {
            let class = self.blocks.last().and_then(|class| class.indent);
            let edit = match self.indent(token.span).zip(class) {
                // In a line of its own, as far in as the class.
                Some((own, class)) => {
                    let line = token.span.start.saturating_sub(own as u32);
                    Edit {
                        at: Span::new(line, line),
                        text: format!("{}{word}\n", " ".repeat(class)),
                    }
                }
                None => Edit {
                    at: gap,
                    text: format!("{word}\n  "),
                },
            };
            self.errors.push(
                Diagnostic::new(Code::MS0017, message)
                    .label(token.span, format!("expected `{word}` before this"))
                    .fix(format!("insert `{word}`"), vec![edit]),
            );
        }
        self.insert(insert, gap);
        if let Some(class) = self.blocks.last_mut() {
            class.section = match insert {
                TokenKind::Equation => SectionKind::Equations,
                TokenKind::Algorithm => SectionKind::Algorithm,
                _ => SectionKind::Elements,
            };
        }
    }

    /// Called with the first word of a statement; later words change nothing.
    pub(super) fn begin_statement(&mut self, token: Token) {
        if self.statement.begun || !self.brackets.is_empty() {
            return;
        }
        if self.is_class_name(token) {
            return;
        }
        if self.is_typed_declaration(token) {
            self.declaration_among_equations(token);
        }
        self.statement.begun = true;
        self.note_dedent(token);
        let inside_class = self
            .blocks
            .last()
            .is_some_and(|block| block.kind == BlockKind::Class);
        if !inside_class || self.section_now() != SectionKind::Elements {
            return;
        }
        let begins = self.code_begins(token);
        let interrupted = self.blocks.last().and_then(|class| class.interrupted);
        match begins {
            Some(_) if let Some(kind) = interrupted => {
                self.insert(kind, Span::new(token.span.start, token.span.start));
                if let Some(class) = self.blocks.last_mut() {
                    class.interrupted = None;
                    class.section = match kind {
                        TokenKind::Equation => SectionKind::Equations,
                        _ => SectionKind::Algorithm,
                    };
                }
            }
            Some(TokenKind::Equation) => {
                self.wrong_section(
                    token,
                    TokenKind::Equation,
                    "an equation cannot be among declarations",
                    "equation",
                );
            }
            Some(_) => {
                self.wrong_section(
                    token,
                    TokenKind::Algorithm,
                    "a statement cannot be among declarations",
                    "algorithm",
                );
            }
            None => {}
        }
    }

    /// Whether a section of equations or statements goes on with `Real x = …` or `SI.Voltage u;`: a type that begins as
    /// types do, and a name.
    fn is_typed_declaration(&self, token: Token) -> bool {
        use TokenKind as K;
        let in_code = self.blocks.last().is_some_and(|block| {
            block.kind == BlockKind::Class && block.section != SectionKind::Elements
        });
        if !in_code || token.kind != K::Ident {
            return false;
        }
        let mut last = token;
        let mut ahead = 0;
        while self.peek(ahead) == Some(K::Dot) && self.peek(ahead + 1) == Some(K::Ident) {
            last = self.tokens[self.at + ahead + 1];
            ahead += 2;
        }
        let mut letters = self.text.get(last.span.range()).unwrap_or_default().chars();
        let like_type = letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase);
        let declares = self.peek(ahead) == Some(K::Ident)
            && matches!(
                self.peek(ahead + 1),
                Some(K::Equals | K::Semicolon | K::LParen | K::LBracket | K::String | K::Comma)
            );
        like_type && declares
    }

    /// Whether the words from `token` on are an equation or a statement and no declaration: a type is
    /// followed by a name, never by `=`, `:=`, a parenthesis or an operator.
    fn code_begins(&self, token: Token) -> Option<TokenKind> {
        use TokenKind as K;
        match token.kind {
            K::Connect | K::For | K::If | K::When | K::Der => return Some(K::Equation),
            K::While => return Some(K::Algorithm),
            K::Ident => {}
            _ => return None,
        }
        let mut ahead = 0;
        while self.peek(ahead) == Some(K::Dot) && self.peek(ahead + 1) == Some(K::Ident) {
            ahead += 2;
        }
        match self.peek(ahead)? {
            K::Equals | K::LParen | K::Plus | K::Minus | K::Star | K::Slash => Some(K::Equation),
            K::Assign => Some(K::Algorithm),
            _ => None,
        }
    }

    // Modelica 1 wrote `extends` where `constrainedby` stands today.

    pub(super) fn is_old_constraint(&self) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        self.statement.replaceable
            && self.brackets.is_empty()
            && before.is_some_and(|before| !is_class_word(before.kind))
    }

    pub(super) fn old_constraint(&mut self, token: Token) -> Option<Token> {
        self.errors.push(
            Diagnostic::new(
                Code::MS0018,
                "`extends` after a replaceable element is written `constrainedby` today",
            )
            .with_severity(Severity::Warning)
            .label(token.span, "write `constrainedby`")
            .fix(
                "write `constrainedby`",
                vec![Edit {
                    at: token.span,
                    text: "constrainedby".into(),
                }],
            ),
        );
        self.plain(Token {
            kind: TokenKind::ConstrainedBy,
            span: token.span,
        })
    }
}
