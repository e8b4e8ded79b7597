//! Blocks: what is opened by a class header, `if`, `for`, `while` or `when` and closed by `end`.

use super::section::SectionKind;
use super::{Feed, Muted, Statement, depth};
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    Class,
    If,
    For,
    While,
    When,
}

impl BlockKind {
    pub const fn of(kind: TokenKind) -> Self {
        match kind {
            TokenKind::If => Self::If,
            TokenKind::For => Self::For,
            TokenKind::While => Self::While,
            TokenKind::When => Self::When,
            _ => Self::Class,
        }
    }

    pub(super) const fn token(self) -> TokenKind {
        match self {
            Self::Class => TokenKind::Ident,
            Self::If => TokenKind::If,
            Self::For => TokenKind::For,
            Self::While => TokenKind::While,
            Self::When => TokenKind::When,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub kind: BlockKind,
    /// The keyword that opens it.
    opener: Span,
    /// What `end` names: the class, or the keyword.
    pub name: Span,
    /// The section that a class is in.
    pub section: SectionKind,
    /// `else if` on one line inside this `if`: maybe an `elseif` was meant.
    else_if: Option<Span>,
    /// How far in the line is that it opens, if it is the first word of its line.
    pub(super) indent: Option<usize>,
    /// Where the indentation says that it ends: the place before a statement that is no further in.
    dedent: Option<Span>,
    /// The word of the section of equations or statements that a declaration interrupts.
    pub(super) interrupted: Option<TokenKind>,
    /// Where its present section begins: the keyword.
    pub(super) section_at: Option<Span>,
    /// Whose `end` its own seems to have been taken by: a block inside, and the place before that `end`.
    robbed: Option<(Span, Span)>,
}

impl Feed<'_> {
    fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    pub(super) fn open_block(&mut self, kind: BlockKind, opener: Span, name: Span) {
        let section = self
            .blocks
            .last()
            .map_or(SectionKind::Elements, |block| block.section);
        let section = if kind == BlockKind::Class {
            SectionKind::Elements
        } else {
            section
        };
        if self.blocks.len() == depth::MAX_BLOCKS {
            self.too_deep(
                opener,
                Muted::Block(self.blocks.len()),
                "classes and blocks are nested too deeply here",
            );
        }
        let indent = self.indent(opener);
        self.blocks.push(Block {
            kind,
            opener,
            name,
            section,
            else_if: None,
            indent,
            dedent: None,
            interrupted: None,
            section_at: None,
            robbed: None,
        });
    }

    /// Removes the innermost block.
    fn pop_block(&mut self) {
        self.blocks.pop();
        if self.muted == Muted::Block(self.blocks.len()) {
            self.muted = Muted::No;
        }
    }

    /// `if` opens a block where a statement begins, and an expression elsewhere.
    pub(super) fn if_word(&mut self, token: Token) -> Option<Token> {
        if !self.brackets.is_empty() || (self.statement.begun && !self.operand_ended()) {
            self.statement.ifs += 1;
            self.operator(token);
            return self.plain(token);
        }
        let else_if = self
            .at
            .checked_sub(2)
            .and_then(|at| self.tokens.get(at))
            .and_then(|before| {
                let between = Span::new(before.span.start, token.span.end);
                let same_line = !self.slice(between).contains('\n');
                (before.kind == TokenKind::Else && same_line).then_some(between)
            });
        if let (Some(span), Some(block)) = (else_if, self.blocks.last_mut()) {
            block.else_if.get_or_insert(span);
        }
        self.begin_statement(token);
        self.open_block(BlockKind::If, token.span, token.span);
        self.statement.begun = true;
        self.statement.awaits = Some(TokenKind::Then);
        self.plain(token)
    }

    /// Whether an `if` behind the last word can only begin a statement before which a `;` is missing.
    fn operand_ended(&self) -> bool {
        let in_code = self
            .blocks
            .last()
            .is_some_and(|block| block.section != SectionKind::Elements);
        in_code && self.before().is_some_and(TokenKind::ends_operand)
    }

    pub(super) fn before(&self) -> Option<TokenKind> {
        let at = self.at.checked_sub(2)?;
        match self.reread {
            Some((place, kind)) if place == at => Some(kind),
            _ => self.tokens.get(at).map(|token| token.kind),
        }
    }

    /// The head of a block ends where something begins that cannot continue an expression: puts the
    /// missing `then` or `loop` there. Gives whether `token` itself was meant to be that word.
    pub(super) fn end_head(&mut self, word: TokenKind, token: Token) -> bool {
        use TokenKind as K;
        let begins = match token.kind {
            K::Ident | K::Integer | K::Real | K::String | K::True | K::False | K::Der => true,
            K::LParen => self.before() != Some(K::Ident),
            K::Connect | K::If | K::For | K::While | K::When | K::Semicolon | K::End => true,
            _ => false,
        };
        if !begins
            || !self.brackets.is_empty()
            || !self.before().is_some_and(TokenKind::ends_operand)
        {
            return false;
        }
        if self.misspelt_head_end(word, token) {
            self.insert(word, token.span);
            self.end_statement();
            return true;
        }
        let gap = self.gap();
        let (text, why) = match word {
            K::Then => ("then", "expected `then` after this condition"),
            _ => ("loop", "expected `loop` after the head of this loop"),
        };
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0021, why)
                    .label(gap, format!("`{text}` is missing here"))
                    .fix(
                        format!("insert `{text}`"),
                        vec![Edit {
                            at: gap,
                            text: format!(" {text}"),
                        }],
                    ),
            );
        }
        self.insert(word, gap);
        self.end_statement();
        false
    }

    /// A class keyword: opens a block when a name and not `=` follows.
    pub(super) fn class_word(&mut self, token: Token) {
        use TokenKind as K;
        if !self.brackets.is_empty() {
            return;
        }
        let name = match (self.peek(0), self.peek(1), self.peek(2)) {
            (Some(K::Ident), next, _) if next != Some(K::Equals) => self.at,
            (Some(K::Extends), Some(K::Ident), _) => self.at + 1,
            _ => return,
        };
        let name = self.tokens.get(name).map_or(token.span, |name| name.span);
        self.name_expected = true;
        self.open_block(BlockKind::Class, token.span, name);
    }

    /// The name behind a class keyword has been read: elements follow.
    pub(super) fn is_class_name(&self, token: Token) -> bool {
        self.blocks
            .last()
            .is_some_and(|block| block.kind == BlockKind::Class && block.name == token.span)
    }

    /// `end`: closes a block, or stands for the last index of a dimension.
    pub(super) fn end_word(&mut self, token: Token) -> Option<Token> {
        use TokenKind as K;
        let Some(&name) = self.tokens.get(self.at) else {
            return self.unnamed_end(token);
        };
        match name.kind {
            K::Ident | K::If | K::For | K::While | K::When => {}
            _ if !self.brackets.is_empty() => {
                self.statement.begun = true;
                return self.plain(Token {
                    kind: K::EndIndex,
                    span: token.span,
                });
            }
            // `end model Name;`: the keyword in front of the name.
            kind if super::section::begins_declaration(kind)
                && self.peek(1) == Some(K::Ident)
                && self.peek(2) == Some(K::Semicolon) =>
            {
                self.finish_statement(token);
                let class = self.tokens[self.at + 1];
                self.at += 2;
                self.keyword_after_end(token, name, class);
                self.end_named(token, class);
                return None;
            }
            // `end model;`: the keyword in place of the name.
            kind if super::section::begins_declaration(kind)
                && self.peek(1) == Some(K::Semicolon) => {}
            K::Loop | K::Then if self.peek(1) == Some(K::Semicolon) => {
                self.finish_statement(token);
                self.at += 1;
                self.end_by_head(token, name);
                return None;
            }
            K::Equation | K::Algorithm if self.peek(1) == Some(K::Semicolon) => {
                self.finish_statement(token);
                let semicolon = self.tokens[self.at + 1].span;
                self.at += 2;
                self.stray(
                    token.span.to(semicolon),
                    "closes nothing: a section ends where the next one begins or the class ends",
                );
                return None;
            }
            _ => return self.unnamed_end(token),
        }
        self.finish_statement(token);
        self.at += 1;
        self.end_named(token, name);
        None
    }

    fn keyword_after_end(&mut self, end: Token, keyword: Token, class: Token) {
        if self.muted != Muted::No {
            return;
        }
        let (word, name) = (self.slice(keyword.span), self.slice(class.span));
        let message = format!("only the name of the class follows `end`, not `{word}`");
        let fix = format!("write `end {name}`");
        let at = Span::new(keyword.span.start, class.span.start);
        self.errors.push(
            Diagnostic::new(Code::MS0003, message)
                .label(end.span.to(class.span), fix.clone())
                .fix(
                    fix,
                    vec![Edit {
                        at,
                        text: String::new(),
                    }],
                ),
        );
    }

    /// `else when` in a `when`, which has no `else`: `elsewhen` was meant.
    pub(super) fn is_else_when(&self) -> bool {
        self.peek(0) == Some(TokenKind::When)
            && (self.blocks.last()).is_some_and(|block| block.kind == BlockKind::When)
    }

    pub(super) fn else_when(&mut self, word: Token) -> Option<Token> {
        self.finish_statement(word);
        let at = word.span.to(self.tokens[self.at].span);
        self.at += 1;
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0022, "`elsewhen` is one word")
                    .label(at, "write `elsewhen`")
                    .fix(
                        "write `elsewhen`",
                        vec![Edit {
                            at,
                            text: "elsewhen".into(),
                        }],
                    ),
            );
        }
        self.statement.awaits = Some(TokenKind::Then);
        self.plain(Token {
            kind: TokenKind::ElseWhen,
            span: at,
        })
    }

    /// `end loop`, `end then`: a block is closed by the word that opens it.
    fn end_by_head(&mut self, end: Token, name: Token) {
        match self.blocks.last() {
            Some(block) if block.kind != BlockKind::Class => {
                self.wrong_name(end, name);
                self.finish_block(end, name.span);
            }
            _ => self.stray(end.span.to(name.span), "closes nothing"),
        }
    }

    /// `end` with a name: finds the block that it closes.
    pub(super) fn end_named(&mut self, end: Token, name: Token) {
        let kind = BlockKind::of(name.kind);
        let matches = |feed: &Self, block: &Block| {
            block.kind == kind
                && (kind != BlockKind::Class || feed.slice(block.name) == feed.slice(name.span))
        };
        let same_class = |block: &Block| kind == BlockKind::Class || block.kind != BlockKind::Class;
        // Deeper than the limit nothing is built, and looking further would take quadratic time.
        let mut within_reach = (self.blocks.iter().enumerate().rev())
            .take_while(|(_, block)| same_class(block))
            .take(depth::MAX_BLOCKS)
            .peekable();
        let nothing_open = within_reach.peek().is_none();
        match within_reach.find(|(_, block)| matches(self, block)) {
            Some((index, _)) => {
                self.close_blocks_above(index + 1, end.span.to(name.span));
                self.compare_indentation(end);
                self.finish_block(end, name.span);
            }
            None if nothing_open => {
                let mut span = end.span.to(name.span);
                let semicolon = self
                    .tokens
                    .get(self.at)
                    .filter(|next| next.kind == TokenKind::Semicolon);
                if let Some(semicolon) = semicolon {
                    span = span.to(semicolon.span);
                    self.at += 1;
                }
                self.stray(span, "closes nothing");
            }
            None => {
                if let (BlockKind::Class, Some(class)) = (
                    kind,
                    self.blocks
                        .iter()
                        .rposition(|block| block.kind == BlockKind::Class),
                ) {
                    self.close_blocks_above(class + 1, end.span.to(name.span));
                }
                self.wrong_name(end, name);
                self.finish_block(end, name.span);
            }
        }
    }

    /// How far in a word is that begins its line: the blanks before it. The words before `at` have been read.
    pub(super) fn indent(&self, at: Span) -> Option<usize> {
        let before = self.gap_before(at).end as usize;
        let gap = self.text.get(before..at.start as usize)?;
        let line = gap.rfind('\n').map(|newline| newline + 1);
        let first = (before == 0).then_some(0);
        line.or(first).map(|start| gap.len() - start)
    }

    /// A statement begins: if it is no further in than the block around it, that block should have ended.
    pub(super) fn note_dedent(&mut self, token: Token) {
        let Some(block) = self.blocks.last() else {
            return;
        };
        let Some(opened) = block.indent.filter(|_| block.kind != BlockKind::Class) else {
            return;
        };
        if block.dedent.is_some() || self.indent(token.span).is_none_or(|now| now > opened) {
            return;
        }
        let gap = self.gap_before(token.span);
        if let Some(block) = self.blocks.last_mut() {
            block.dedent = Some(gap);
        }
    }

    /// An `end` that is as far in as an outer block and closes an inner one: if an `end` is missing later, this
    /// is where.
    fn compare_indentation(&mut self, end: Token) {
        let Some(&inner) = self.blocks.last() else {
            return;
        };
        let indent = self.indent(end.span);
        if inner.kind == BlockKind::Class || indent.is_none() || indent >= inner.indent {
            return;
        }
        let gap = self.gap_before(end.span);
        let outer = (self.blocks.iter_mut().rev().skip(1).take(depth::MAX_BLOCKS))
            .take_while(|block| block.kind != BlockKind::Class)
            .find(|block| block.indent == indent);
        if let Some(outer) = outer.filter(|outer| outer.kind == inner.kind) {
            outer.robbed.get_or_insert((inner.opener, gap));
        }
    }

    /// Closes the innermost block, handing out `end` and what its kind asks for.
    fn finish_block(&mut self, end: Token, name: Span) {
        let Some(&block) = self.blocks.last() else {
            return;
        };
        self.emit(end);
        self.insert(block.kind.token(), name);
        self.pop_block();
        // The description or annotation of the equation may follow.
        self.statement = Statement {
            begun: true,
            ..Statement::default()
        };
    }

    /// `Name;` alone, where the class `Name` is open, can only be its `end Name;`.
    pub(super) fn lacks_end(&self, name: Token) -> bool {
        self.peek(0) == Some(TokenKind::Semicolon)
            && self.blocks.last().is_some_and(|block| {
                block.kind == BlockKind::Class
                    && block.name != name.span
                    && self.slice(block.name) == self.slice(name.span)
            })
    }

    pub(super) fn name_without_end(&mut self, name: Token) {
        let word = self.slice(name.span).to_owned();
        let before = Span::new(name.span.start, name.span.start);
        if self.muted == Muted::No {
            self.errors.push(
                Diagnostic::new(Code::MS0003, format!("`end` is missing before `{word}`"))
                    .label(name.span, format!("write `end {word}`"))
                    .fix(
                        format!("write `end {word}`"),
                        vec![Edit {
                            at: before,
                            text: "end ".into(),
                        }],
                    ),
            );
        }
        let end = Token {
            kind: TokenKind::End,
            span: before,
        };
        self.end_named(end, name);
    }

    /// `end` without a name.
    fn unnamed_end(&mut self, end: Token) -> Option<Token> {
        self.finish_statement(end);
        let Some(&block) = self.blocks.last() else {
            self.stray(end.span, "closes nothing");
            return None;
        };
        let name = self.slice(block.name).to_owned();
        if self.muted == Muted::No {
            let after = Span::new(end.span.end, end.span.end);
            self.errors.push(
                Diagnostic::new(
                    Code::MS0003,
                    format!("`end` does not say what it closes: `end {name}`"),
                )
                .label(end.span, format!("write `end {name}`"))
                .label(block.name, "opened here")
                .fix(
                    format!("write `end {name}`"),
                    vec![Edit {
                        at: after,
                        text: format!(" {name}"),
                    }],
                ),
            );
        }
        self.finish_block(end, Span::new(end.span.end, end.span.end));
        None
    }

    fn wrong_name(&mut self, end: Token, name: Token) {
        let Some(&block) = self.blocks.last() else {
            return;
        };
        if self.muted != Muted::No {
            return;
        }
        let (right, wrong) = (
            self.slice(block.name).to_owned(),
            self.slice(name.span).to_owned(),
        );
        let message = match block.kind {
            BlockKind::Class => format!("`{right}` is closed by `end {wrong}`"),
            _ => format!("this `{right}` is closed by `end {wrong}`"),
        };
        self.errors.push(
            Diagnostic::new(Code::MS0003, message)
                .label(block.name, "opened here")
                .label(end.span.to(name.span), format!("should be `end {right}`"))
                .fix(
                    format!("write `end {right}`"),
                    vec![Edit {
                        at: name.span,
                        text: right,
                    }],
                ),
        );
    }

    /// Closes the blocks from `keep` on, because what stands at `before` belongs to an outer one.
    pub(super) fn close_blocks_above(&mut self, keep: usize, before: Span) {
        if self.blocks.len() <= keep {
            return;
        }
        let gap = self.gap_before(before);
        if self.muted == Muted::No {
            let message = self.missing_end(&self.blocks[keep..], before, gap);
            self.errors.push(message);
        }
        while self.blocks.len() > keep {
            self.insert_end(gap);
        }
    }

    /// Everything still open when the text is over.
    pub(super) fn close_all_blocks(&mut self, eof: Span) {
        if self.blocks.is_empty() {
            return;
        }
        if !self.quiet() {
            let message = self.unclosed_at_eof(eof);
            self.errors.push(message);
        }
        while !self.blocks.is_empty() {
            self.insert_end(eof);
        }
    }

    fn insert_end(&mut self, gap: Span) {
        let Some(&block) = self.blocks.last() else {
            return;
        };
        self.insert(TokenKind::End, gap);
        self.insert(block.kind.token(), gap);
        self.insert(TokenKind::Semicolon, gap);
        self.pop_block();
    }

    /// Names what ends at `gap`, for messages.
    pub(super) fn piece_before(&self, gap: Span) -> String {
        let index = self
            .tokens
            .partition_point(|token| token.span.start < gap.start);
        let ended = index
            .checked_sub(2)
            .and_then(|at| self.tokens.get(at..index));
        match (ended, self.blocks.last().map(|block| block.section)) {
            (Some([end, name]), _) if end.kind == TokenKind::End => {
                // What stands between the two words may be a comment, and a message is one line.
                let name = self.slice(name.span).lines().next().unwrap_or_default();
                format!("`end {name}`")
            }
            (_, Some(SectionKind::Equations)) => "this equation".into(),
            (_, Some(SectionKind::Algorithm)) => "this statement".into(),
            (_, Some(SectionKind::Elements)) => "this declaration".into(),
            (_, None) => "this class".into(),
        }
    }

    fn gap_before(&self, before: Span) -> Span {
        let index = self
            .tokens
            .partition_point(|token| token.span.start < before.start);
        let end = index
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at))
            .map_or(0, |token| token.span.end);
        Span::new(end, end)
    }

    fn missing_end(&self, open: &[Block], before: Span, gap: Span) -> Diagnostic<Span> {
        if let [block] = open
            && let Some((opener, place)) = block.robbed
        {
            return self.robbed_end(*block, opener, place);
        }
        let gap = match open {
            [block] => block.dedent.unwrap_or(gap),
            _ => gap,
        };
        let ends = self.ends_of(open);
        let what = match open {
            [one] => format!("`end {}`", self.slice(one.name)),
            _ => format!("{} `end`s", open.len()),
        };
        let here = self.slice(before);
        let mut diagnostic =
            Diagnostic::new(Code::MS0004, format!("{what} is missing before `{here}`")).label(
                before,
                format!("expected `{}` first", ends.replace('\n', " ")),
            );
        for block in open.iter().rev().take(4) {
            diagnostic = diagnostic.label(block.opener.to(block.name), "opened here");
        }
        if let Some(else_if) = open.iter().find_map(|block| block.else_if) {
            return diagnostic
                .label(
                    else_if,
                    "an `if` inside `else` needs its own `end if`; `elseif` does not",
                )
                .fix(
                    "write `elseif`",
                    vec![Edit {
                        at: else_if,
                        text: "elseif".into(),
                    }],
                );
        }
        diagnostic.fix(
            format!("insert `{}`", ends.replace('\n', " ")),
            vec![Edit {
                at: gap,
                text: self.indented_ends_of(open),
            }],
        )
    }

    /// The indentation shows which block lacks its `end`: one inside, which took that of `block`.
    fn robbed_end(&self, block: Block, opener: Span, place: Span) -> Diagnostic<Span> {
        let inner = Block {
            opener,
            name: opener,
            ..block
        };
        let word = self.slice(block.name);
        Diagnostic::new(
            Code::MS0004,
            format!("this `{word}` is not closed: `end {word}` is missing"),
        )
        .label(opener, "opened here")
        .label(
            block.opener,
            format!("by the indentation, the next `end {word}` closes this `{word}`"),
        )
        .fix(
            format!("insert `end {word};`"),
            vec![Edit {
                at: place,
                text: self.indented_ends_of(&[inner]),
            }],
        )
    }

    fn unclosed_at_eof(&self, eof: Span) -> Diagnostic<Span> {
        let ends = self.ends_of(&self.blocks);
        let innermost = self
            .blocks
            .last()
            .map_or("", |block| self.slice(block.name));
        let mut diagnostic = Diagnostic::new(
            Code::MS0004,
            format!("the file ends before `end {innermost}`"),
        );
        for block in self.blocks.iter().rev().take(4) {
            diagnostic = diagnostic.label(block.opener.to(block.name), "not closed");
        }
        // In the middle of a statement more is missing than the ends.
        if self.tokens.last().map(|token| token.kind) != Some(TokenKind::Semicolon) {
            return diagnostic;
        }
        diagnostic.fix(
            format!("insert `{}` at the end", ends.replace('\n', " ")),
            vec![Edit {
                at: eof,
                text: self.indented_ends_of(&self.blocks),
            }],
        )
    }

    /// The lines that close `open`, innermost first.
    fn ends_of(&self, open: &[Block]) -> String {
        let ends: Vec<String> = open
            .iter()
            .rev()
            .map(|block| format!("end {};", self.slice(block.name)))
            .collect();
        ends.join("\n")
    }

    /// The same in lines of their own, each as far in as the line that opens its block.
    fn indented_ends_of(&self, open: &[Block]) -> String {
        let line = |block: &Block| {
            let start = block.opener.start as usize;
            let before = self.text.get(..start).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            let indent: String = line
                .chars()
                .take_while(|c| *c == ' ' || *c == '\t')
                .collect();
            format!("\n{indent}end {};", self.slice(block.name))
        };
        open.iter().rev().map(line).collect()
    }
}
