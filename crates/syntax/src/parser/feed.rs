//! Between lexer and parser: decides what a word is from its context, and mends what an LR parser
//! cannot mend well, because it would throw half the file away.
//!
//! The feed follows brackets and blocks (classes, `if`, `for`, `while`, `when`). A bracket that is not
//! closed before the statement ends, or a block that is not closed before its surroundings end, is closed
//! here, with one message that points at the opener; the parser then never notices. The feed also
//! bounds how deep the tree can become. One pass, O(1) per word.

mod block;
mod depth;
mod foreign;
mod keyword;
mod section;

use crate::token::{Token, TokenKind};
use block::{Block, BlockKind};
use depth::Depth;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};
use std::cell::Cell;
use std::collections::VecDeque;

/// Hands the parser its words.
pub struct Feed<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The next word of `tokens`.
    at: usize,
    /// Words to hand out before going on with `tokens`.
    queue: VecDeque<Token>,
    brackets: Vec<Token>,
    blocks: Vec<Block>,
    depth: Depth,
    statement: Statement,
    muted: Muted,
    /// Set from outside when there are too many mistakes to go on.
    stop: &'a Cell<bool>,
    finished: bool,
    /// Inside a statement of which nothing special is awaited: see `passes`.
    calm: bool,
    /// The name of a class that has just been opened comes next.
    name_expected: bool,
    /// The place in `tokens` of a name that was taken for a keyword, and which.
    reread: Option<(usize, TokenKind)>,
    /// The place in `tokens` of a bracket that is left out when it comes.
    dropped: Option<usize>,
    /// What is missing at the end of the text has been told already.
    pub quiet_end: bool,
    pub errors: Vec<Diagnostic<Span>>,
}

/// What is known of the statement, equation or element being read.
#[derive(Clone, Copy, Default)]
struct Statement {
    /// It has begun: a word of it has been read.
    begun: bool,
    /// `if` expressions whose `else` has not come yet.
    ifs: u32,
    /// It has the prefix `replaceable`.
    replaceable: bool,
    /// The head of a block is being read, which this word ends: `then` or `loop`.
    awaits: Option<TokenKind>,
    /// The head of a class, up to its description: its first element has not begun.
    header: bool,
}

/// Words are dropped because the tree would become too deep.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Muted {
    No,
    /// Until the statement ends.
    Statement,
    /// Until the block at this position of the stack is closed.
    Block(usize),
}

impl<'a> Feed<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token], stop: &'a Cell<bool>) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            queue: VecDeque::new(),
            brackets: Vec::new(),
            blocks: Vec::new(),
            depth: Depth::default(),
            statement: Statement::default(),
            muted: Muted::No,
            stop,
            finished: false,
            calm: false,
            name_expected: false,
            reread: None,
            dropped: None,
            quiet_end: false,
            errors: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<TokenKind> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    /// The empty place behind the last word read before `self.at - 1`.
    fn gap(&self) -> Span {
        let end = match self.at.checked_sub(2).and_then(|at| self.tokens.get(at)) {
            Some(before) => before.span.end,
            None => 0,
        };
        Span::new(end, end)
    }

    fn emit(&mut self, token: Token) {
        if self.muted == Muted::No {
            self.queue.push_back(token);
        }
    }

    fn insert(&mut self, kind: TokenKind, span: Span) {
        self.emit(Token { kind, span });
    }

    /// Takes a word that most statements are made of, if nothing is wrong with it.
    #[inline]
    fn passes(&mut self, token: Token) -> bool {
        use TokenKind as K;
        match token.kind {
            K::Comma if self.is_before_annotation(self.at) => return false,
            K::Comma => self.depth.restart(),
            K::LParen | K::LBracket | K::LBrace if self.depth.has_room(self.brackets.len()) => {
                self.brackets.push(token);
                self.depth.open();
            }
            K::RParen | K::RBracket | K::RBrace
                if (self.brackets.last())
                    .is_some_and(|open| open.kind.closing() == Some(token.kind)) =>
            {
                self.brackets.pop();
                self.depth.close();
            }
            kind if is_plain(kind) => {}
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// The next word for the parser, wherever the text stands.
    fn next_with_care(&mut self) -> Option<Token> {
        let token = loop {
            if let Some(token) = self.queue.pop_front() {
                break token;
            }
            if !self.statement.begun && self.blocks.is_empty() && self.skips_junk() {
                if self.errors.len() > crate::MAX_ERRORS {
                    self.stop.set(true);
                    self.at = self.tokens.len();
                }
                continue;
            }
            let Some(&token) = self.tokens.get(self.at).filter(|_| !self.stop.get()) else {
                if self.finished {
                    return None;
                }
                self.finish();
                continue;
            };
            self.at += 1;
            if let Some(token) = self.accept(token) {
                break token;
            }
            if self.errors.len() > crate::MAX_ERRORS {
                self.stop.set(true);
            }
        };
        self.calm = self.statement.begun
            && self.statement.awaits.is_none()
            && !self.name_expected
            && self.muted == Muted::No
            && self.queue.is_empty();
        Some(token)
    }

    /// Takes one word of the text. Gives the word that the parser gets, or nothing when it is dropped
    /// or has been queued behind inserted ones.
    #[inline]
    fn accept(&mut self, token: Token) -> Option<Token> {
        use TokenKind as K;
        if self.dropped == Some(self.at - 1) {
            self.dropped = None;
            return None;
        }
        if let Some(word) = self.statement.awaits {
            if self.is_loop_equals(token) {
                return self.loop_by_equals(token);
            }
            if token.kind == K::Equals && self.brackets.is_empty() {
                return self.comparison_by_equals(token);
            }
            if token.kind == K::Comma && self.brackets.is_empty() && self.list_of_events(token) {
                return None;
            }
            if self.end_head(word, token) || self.colon_for_word(token, Some(word)) {
                return None;
            }
        }
        if self.before() == Some(K::Else) && self.colon_for_word(token, None) {
            return None;
        }
        match token.kind {
            K::Ident if !self.statement.begun && self.misspelt_beginning(token) => return None,
            K::Ident if !self.statement.begun && self.lacks_end(token) => {
                self.name_without_end(token);
                return None;
            }
            K::Ident if !self.statement.begun => {
                self.begin_statement(token);
                if self.list_without_brackets() {
                    self.advance_statement();
                    return None;
                }
            }
            K::Ident if self.is_class_name(token) => {
                self.name_expected = false;
                self.end_statement();
                self.statement.header = true;
                return self.plain(token);
            }
            K::Ident => {}
            K::String | K::Plus if self.statement.header => return self.plain(token),
            K::Comma if self.is_before_annotation(self.at - 1) => {
                self.comma_before_annotation(token);
                return None;
            }
            K::Comma => self.depth.restart(),
            K::LParen | K::LBracket | K::LBrace => self.open(token),
            K::RParen | K::RBracket | K::RBrace => return self.close(token),
            K::Semicolon if self.semicolon_after_word(token) => return None,
            K::Semicolon => return self.semicolon(token),
            K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Caret
            | K::DotPlus
            | K::DotMinus
            | K::DotStar
            | K::DotSlash
            | K::DotCaret
            | K::And
            | K::Or
            | K::Not
            | K::Dot
            | K::Colon => {
                self.operator(token);
            }
            K::If => return self.if_word(token),
            // Outside brackets these begin a statement even if a `;` is missing before them.
            K::For | K::While | K::When if self.brackets.is_empty() => {
                self.begin_statement(token);
                self.open_block(BlockKind::of(token.kind), token.span, token.span);
                if token.kind == K::For && self.loop_of_three_parts(token) {
                    return None;
                }
                self.statement.awaits = Some(if token.kind == K::When {
                    K::Then
                } else {
                    K::Loop
                });
                if token.kind == K::For {
                    self.unwrap_loop_head();
                }
            }
            K::Then if self.statement.ifs == 0 => return self.statement_end_word(token),
            K::Loop => return self.statement_end_word(token),
            K::Else if self.statement.ifs > 0 => self.statement.ifs -= 1,
            K::Else if self.is_else_when() => return self.else_when(token),
            K::Else => {
                self.finish_statement(token);
                return self.statement_end_word(token);
            }
            K::ElseIf | K::ElseWhen if self.statement.ifs == 0 => {
                self.finish_statement(token);
                if self.lacks_condition(token) {
                    return None;
                }
                self.statement.awaits = Some(K::Then);
            }
            K::Equation | K::Algorithm => return self.section(token),
            K::Public | K::Protected => return self.section(token),
            K::Initial if matches!(self.peek(0), Some(K::Equation | K::Algorithm)) => {
                return self.initial_section(token);
            }
            K::End => return self.end_word(token),
            K::Extends if self.is_old_constraint() => return self.old_constraint(token),
            K::Initial if self.is_call_without_brackets() => {
                return self.call_without_brackets(token);
            }
            K::Der if self.peek(0) == Some(K::Ident) && self.derivative_without_brackets(token) => {
                return None;
            }
            K::Der | K::Initial if self.peek(0) != Some(K::LParen) => {
                return self.keyword_as_name(token);
            }
            K::Connect | K::Der => self.begin_statement(token),
            K::Pure if self.peek(0) == Some(K::LParen) => {}
            kind if section::begins_declaration(kind) => return self.declaration_word(token),
            _ => {}
        }
        self.advance_statement();
        self.plain(token)
    }

    /// A word of a statement has been read. The arguments in the head of a class are none.
    #[inline]
    fn advance_statement(&mut self) {
        if !self.statement.header || self.brackets.is_empty() {
            self.statement.header = false;
            self.statement.begun = true;
        }
    }

    /// Hands `token` out: directly, or behind the words already queued.
    #[inline]
    fn plain(&mut self, token: Token) -> Option<Token> {
        if self.muted != Muted::No {
            return None;
        }
        if self.queue.is_empty() {
            return Some(token);
        }
        self.queue.push_back(token);
        None
    }

    fn operator(&mut self, token: Token) {
        self.depth.operator();
        if self.depth.exceeded() {
            self.too_deep(
                token.span,
                Muted::Statement,
                "this expression is nested too deeply",
            );
        }
    }

    /// `then`, `loop` and `else` of a statement: what follows begins a new one.
    fn statement_end_word(&mut self, token: Token) -> Option<Token> {
        self.close_brackets(0, token);
        self.end_statement();
        self.plain(token)
    }

    /// The statement must be over before `token`. Puts the missing `;` there if it is not.
    fn finish_statement(&mut self, token: Token) {
        self.close_brackets(0, token);
        if self.statement.begun {
            let gap = self.gap();
            if self.muted == Muted::No {
                let message = self.missing_semicolon(gap);
                self.errors.push(message);
            }
            self.end_statement();
            self.insert(TokenKind::Semicolon, gap);
        } else {
            self.end_statement();
        }
    }

    fn missing_semicolon(&self, gap: Span) -> Diagnostic<Span> {
        let piece = self.piece_before(gap);
        Diagnostic::new(Code::MS0002, format!("expected `;` after {piece}"))
            .label(gap, "`;` is missing here")
            .fix(
                "insert `;`",
                vec![Edit {
                    at: gap,
                    text: ";".into(),
                }],
            )
    }

    fn end_statement(&mut self) {
        self.statement = Statement::default();
        self.depth.clear();
        if self.muted == Muted::Statement {
            self.muted = Muted::No;
        }
    }

    /// Reports that a limit is reached and drops words from here on. The parser gets one word that fits
    /// nowhere, so that it recovers as from any other mistake.
    fn too_deep(&mut self, at: Span, muted: Muted, message: &str) {
        if self.muted != Muted::No {
            return;
        }
        self.errors.push(
            Diagnostic::new(Code::MS0010, message)
                .label(at, "modeshift does not follow it further than this")
                .note(depth::LIMITS),
        );
        self.insert(TokenKind::Error, at);
        self.muted = muted;
    }

    // Brackets.

    fn open(&mut self, token: Token) {
        if !self.statement.header {
            self.begin_statement(token);
        }
        self.brackets.push(token);
        self.depth.open();
        if self.depth.exceeded() || self.brackets.len() > depth::MAX_BRACKETS {
            self.too_deep(
                token.span,
                Muted::Statement,
                "brackets are nested too deeply here",
            );
        }
    }

    fn close(&mut self, token: Token) -> Option<Token> {
        let recent = self
            .brackets
            .iter()
            .enumerate()
            .rev()
            .take(depth::MAX_BRACKETS);
        let partner = recent
            .filter(|(_, open)| open.kind.closing() == Some(token.kind))
            .map(|(index, _)| index)
            .next();
        match partner {
            Some(index) => {
                self.close_brackets(index + 1, token);
                self.brackets.pop();
                self.depth.close();
                self.plain(token)
            }
            None => match self.brackets.pop() {
                Some(open) => {
                    self.depth.close();
                    let right = open.kind.closing().unwrap_or(token.kind);
                    self.wrong_partner(open, token, right);
                    self.plain(Token {
                        kind: right,
                        span: token.span,
                    })
                }
                None => {
                    self.stray(token.span, "closes nothing");
                    None
                }
            },
        }
    }

    /// Closes all brackets above the lowest `keep`, because `before` cannot stand inside them.
    fn close_brackets(&mut self, keep: usize, before: Token) {
        if self.brackets.len() <= keep {
            return;
        }
        let gap = self.gap();
        let open = self.brackets.split_off(keep);
        if self.muted == Muted::No {
            self.errors.push(self.unclosed(&open, gap, before));
        }
        for bracket in open.iter().rev() {
            self.depth.close();
            if let Some(kind) = bracket.kind.closing() {
                self.insert(kind, gap);
            }
        }
    }

    fn unclosed(&self, open: &[Token], gap: Span, before: Token) -> Diagnostic<Span> {
        let missing: String = open
            .iter()
            .rev()
            .filter_map(|open| open.kind.closing())
            .map(symbol)
            .collect();
        let message = match open {
            [one] => format!("this `{}` is not closed", symbol(one.kind)),
            _ => format!("{} brackets are not closed", open.len()),
        };
        let mut diagnostic = Diagnostic::new(Code::MS0005, message);
        for open in open.iter().rev().take(4) {
            diagnostic = diagnostic.label(open.span, format!("`{}` opens here", symbol(open.kind)));
        }
        let what = self.text.get(before.span.range()).unwrap_or_default();
        if !what.is_empty() {
            diagnostic = diagnostic.label(
                before.span,
                format!("`{missing}` is missing somewhere before `{what}`"),
            );
        }
        diagnostic.fix(
            format!("insert `{missing}` at the end, if it does not belong further left"),
            vec![Edit {
                at: gap,
                text: missing,
            }],
        )
    }

    fn wrong_partner(&mut self, open: Token, close: Token, right: TokenKind) {
        if self.muted != Muted::No {
            return;
        }
        let (left, right) = (symbol(open.kind), symbol(right));
        self.errors.push(
            Diagnostic::new(
                Code::MS0005,
                format!("`{left}` is closed by `{}`", symbol(close.kind)),
            )
            .label(close.span, format!("this should be `{right}`"))
            .label(open.span, format!("`{left}` opens here"))
            .fix(
                format!("write `{right}`"),
                vec![Edit {
                    at: close.span,
                    text: right.into(),
                }],
            ),
        );
    }

    fn stray(&mut self, at: Span, why: &str) {
        if self.muted != Muted::No {
            return;
        }
        let what = self.text.get(at.range()).unwrap_or_default();
        self.errors.push(
            Diagnostic::new(Code::MS0007, format!("`{what}` {why}"))
                .label(at, "does not belong here")
                .fix(
                    format!("remove `{what}`"),
                    vec![Edit {
                        at,
                        text: String::new(),
                    }],
                ),
        );
    }

    /// A `;` ends the statement, unless it separates the rows of a matrix.
    fn semicolon(&mut self, token: Token) -> Option<Token> {
        let matrix = self
            .brackets
            .iter()
            .rposition(|open| open.kind == TokenKind::LBracket);
        match matrix {
            Some(index) if self.row_follows() => {
                self.close_brackets(index + 1, token);
                self.depth.restart();
                self.plain(token)
            }
            _ if self.argument_follows() => {
                self.semicolon_for_comma(token.span);
                self.depth.restart();
                self.plain(Token {
                    kind: TokenKind::Comma,
                    span: token.span,
                })
            }
            _ if self.rows_in_braces(token) => None,
            _ => {
                self.close_brackets(0, token);
                self.end_statement();
                self.plain(token)
            }
        }
    }

    /// Whether a `;` is between the arguments of a bracket that is closed later, before anything that only a statement
    /// begins with.
    fn argument_follows(&self) -> bool {
        use TokenKind as K;
        const FAR: usize = 200;
        let opened = self.brackets.last().map(|open| open.kind);
        if opened != Some(K::LParen) {
            return false;
        }
        let mut before = K::Semicolon;
        let mut nesting = 0;
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        for token in rest.iter().take(FAR) {
            nesting += token.kind.nesting();
            match token.kind {
                K::RParen if nesting < 0 => return before != K::Semicolon,
                K::Ident if before == K::Ident => return false,
                K::Assign | K::Annotation | K::Loop | K::Then | K::End | K::Connect => {
                    return false;
                }
                K::Equation | K::Algorithm | K::Public | K::Protected | K::When => return false,
                K::Final | K::Redeclare => {}
                kind if section::begins_declaration(kind) => return false,
                _ => {}
            }
            before = token.kind;
        }
        false
    }

    fn semicolon_for_comma(&mut self, at: Span) {
        if self.muted != Muted::No {
            return;
        }
        self.errors.push(
            Diagnostic::new(Code::MS0016, "inside brackets `,` separates, not `;`")
                .label(at, "write `,`")
                .fix(
                    "write `,`",
                    vec![Edit {
                        at,
                        text: ",".into(),
                    }],
                ),
        );
    }

    /// Whether the words behind a `;` look like another row of a matrix rather than another statement:
    /// a `]` or `;` comes before anything that cannot stand in a row. Looks at each word once per row.
    fn row_follows(&self) -> bool {
        use TokenKind as K;
        let mut before = K::Semicolon;
        let mut nesting = 0;
        for token in &self.tokens[self.at..] {
            match token.kind {
                K::RBracket if nesting == 0 => return true,
                K::Semicolon if nesting == 0 => return before != K::Semicolon,
                K::LParen | K::LBrace | K::LBracket => nesting += 1,
                K::RParen | K::RBrace | K::RBracket => nesting -= 1,
                K::Ident if before == K::Ident => return false,
                K::Assign | K::Annotation | K::Loop | K::Connect => return false,
                K::Equals if nesting == 0 => return false,
                K::Equation | K::Algorithm | K::Public | K::Protected | K::When => return false,
                kind if kind != K::Function && section::begins_declaration(kind) => return false,
                _ => {}
            }
            before = token.kind;
        }
        false
    }

    /// Whether the end of the text is not the place of a mistake of its own.
    fn quiet(&self) -> bool {
        self.stop.get() || self.quiet_end
    }

    /// The text is over: closes what is open.
    fn finish(&mut self) {
        self.finished = true;
        let end = self.tokens.last().map_or(0, |token| token.span.end);
        let eof = Token {
            kind: TokenKind::Semicolon,
            span: Span::new(end, end),
        };
        self.at = self.tokens.len() + 1;
        if self.quiet() {
            self.brackets.clear();
        }
        if self.statement.begun && self.quiet() {
            self.insert(TokenKind::Semicolon, eof.span);
        } else {
            self.finish_statement(eof);
        }
        self.muted = Muted::No;
        self.close_all_blocks(eof.span);
    }
}

impl Iterator for Feed<'_> {
    type Item = (u32, Token, u32);

    // Kept apart from the parser's loop, which grows beyond what the optimiser likes.
    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let token = match self.tokens.get(self.at) {
            Some(&token) if self.calm && self.passes(token) => token,
            _ => self.next_with_care()?,
        };
        Some((token.span.start, token, token.span.end))
    }
}

/// Words that mean the same everywhere inside a statement: most words of a text.
const fn is_plain(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(
        kind,
        K::Ident
            | K::Integer
            | K::Real
            | K::String
            | K::True
            | K::False
            | K::Equals
            | K::Assign
            | K::Annotation
            | K::Each
            | K::Less
            | K::LessEqual
            | K::Greater
            | K::GreaterEqual
            | K::EqualEqual
            | K::NotEqual
    )
}

/// A bracket as it is written.
fn symbol(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::LParen => "(",
        TokenKind::RParen => ")",
        TokenKind::LBracket => "[",
        TokenKind::RBracket => "]",
        TokenKind::LBrace => "{",
        _ => "}",
    }
}
