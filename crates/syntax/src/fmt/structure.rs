//! Which words begin a line, and how far it is indented.

use crate::lexer::Lexed;
use crate::token::{Token, TokenKind};
use modeshift_base::Span;

/// A word or a comment with its place in the layout.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub kind: TokenKind,
    pub span: Span,
    /// Begins a line at this level of indentation: the first word of a statement, a section, an `end`,
    /// or a comment between statements.
    pub starts: Option<u32>,
    /// Line ends before it in the text: none, one, or a blank line as well.
    pub line_ends: u8,
}

/// All words and comments of a text without mistakes, in order. O(length).
pub fn items(text: &str, lexed: &Lexed) -> Vec<Item> {
    let mut items = Vec::with_capacity(lexed.tokens.len() + lexed.comments.len());
    let mut comments = lexed.comments.iter().peekable();
    let mut blocks = Blocks {
        fresh: true,
        ..Blocks::default()
    };
    let mut end = 0;
    for (index, &token) in lexed.tokens.iter().enumerate() {
        let starts = blocks.advance(&lexed.tokens, index);
        while let Some(comment) = comments.next_if(|comment| comment.span.start < token.span.start)
        {
            let line_ends = line_ends(text, end, comment.span.start);
            // A comment between statements belongs to the one behind it, or to the body that ends there.
            let level = starts.map(|level| level + u32::from(blocks.dedents(token.kind)));
            let starts = level.filter(|_| line_ends > 0 || items.is_empty());
            items.push(Item {
                kind: comment.kind,
                span: comment.span,
                starts,
                line_ends,
            });
            end = comment.span.end;
        }
        items.push(Item {
            kind: token.kind,
            span: token.span,
            starts,
            line_ends: line_ends(text, end, token.span.start),
        });
        end = token.span.end;
    }
    for comment in comments {
        let line_ends = line_ends(text, end, comment.span.start);
        let starts = (line_ends > 0 || items.is_empty()).then_some(0);
        items.push(Item {
            kind: comment.kind,
            span: comment.span,
            starts,
            line_ends,
        });
        end = comment.span.end;
    }
    items
}

fn line_ends(text: &str, from: u32, to: u32) -> u8 {
    let gap = text.get(from as usize..to as usize).unwrap_or_default();
    memchr::memchr_iter(b'\n', gap.as_bytes()).take(2).count() as u8
}

/// Follows classes and blocks through a text without mistakes.
#[derive(Default)]
struct Blocks {
    /// Whether each open block is a class.
    open: Vec<bool>,
    brackets: u32,
    /// The next word begins a statement.
    fresh: bool,
    /// `if` expressions whose `else` has not come.
    ifs: u32,
    /// The name of a class that is being opened.
    class_name: Option<usize>,
    /// The last word of the head of a class: its name, its modification or its description.
    in_head: bool,
}

impl Blocks {
    /// The level at which `tokens[index]` begins a line, if it does.
    fn advance(&mut self, tokens: &[Token], index: usize) -> Option<u32> {
        use TokenKind as K;
        let kind = tokens[index].kind;
        let next = tokens.get(index + 1).map(|token| token.kind);
        let mut first = self.fresh;
        let outside = self.brackets == 0;
        if outside && self.in_head && !matches!(kind, K::String | K::Plus | K::LParen) {
            self.in_head = false;
            first = true;
        }
        if outside && kind == K::End && next.is_some_and(ends_block) {
            self.fresh = false;
            self.open.pop();
            return Some(self.level());
        }
        match kind {
            K::LParen | K::LBracket | K::LBrace => self.brackets += 1,
            K::RParen | K::RBracket | K::RBrace => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        if self.in_head {
            None
        } else {
            self.statement(tokens, index, first, outside)
        }
    }

    fn level(&self) -> u32 {
        self.open.len() as u32
    }

    fn statement(
        &mut self,
        tokens: &[Token],
        index: usize,
        first: bool,
        outside: bool,
    ) -> Option<u32> {
        use TokenKind as K;
        let kind = tokens[index].kind;
        let next = tokens.get(index + 1).map(|token| token.kind);
        let after = tokens.get(index + 2).map(|token| token.kind);
        let inner = self.level();
        self.fresh = false;
        let outer = self.level().saturating_sub(1);
        match kind {
            K::Semicolon if outside => {
                self.fresh = true;
                self.ifs = 0;
            }
            K::Equation | K::Algorithm
                if outside && index > 0 && tokens[index - 1].kind == K::Initial =>
            {
                self.fresh = true;
            }
            K::Equation | K::Algorithm | K::Public | K::Protected if outside => {
                self.fresh = true;
                return Some(outer);
            }
            K::Initial if outside && matches!(next, Some(K::Equation | K::Algorithm)) => {
                return Some(outer);
            }
            K::If if first && outside => {
                self.open.push(false);
                return Some(inner);
            }
            K::If => self.ifs += 1,
            K::For | K::While | K::When if first && outside => {
                self.open.push(false);
                return Some(inner);
            }
            K::Then if outside && self.ifs == 0 => self.fresh = true,
            K::Loop => self.fresh = true,
            K::Else if self.ifs > 0 => self.ifs -= 1,
            K::Else if outside => {
                self.fresh = true;
                return Some(outer);
            }
            K::ElseIf if outside && self.ifs == 0 => return Some(outer),
            K::ElseWhen if outside => return Some(outer),
            K::Ident if self.class_name == Some(index) => {
                self.class_name = None;
                self.open.push(true);
                self.in_head = true;
            }
            K::Class
            | K::Model
            | K::Record
            | K::Block
            | K::Connector
            | K::Type
            | K::Package
            | K::Function
            | K::Operator
                if outside =>
            {
                self.class_name = match (next, after) {
                    (Some(K::Ident), after) if after != Some(K::Equals) => Some(index + 1),
                    (Some(K::Extends), _) => Some(index + 2),
                    _ => None,
                };
            }
            _ => {}
        }
        (first && outside).then_some(inner)
    }

    /// Whether the word stands one level further out than the body before it.
    fn dedents(&self, kind: TokenKind) -> bool {
        use TokenKind as K;
        matches!(
            kind,
            K::End
                | K::Else
                | K::ElseIf
                | K::ElseWhen
                | K::Equation
                | K::Algorithm
                | K::Initial
                | K::Public
                | K::Protected
        )
    }
}

/// What follows the `end` of a block, as opposed to `end` in a subscript.
fn ends_block(next: TokenKind) -> bool {
    use TokenKind as K;
    matches!(next, K::Ident | K::If | K::For | K::While | K::When)
}
