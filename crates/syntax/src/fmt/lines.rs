//! Writing the lines: indentation, blanks, and breaks where a line is too long.

use super::spacing::{self, Context};
use super::structure::Item;
use crate::token::TokenKind as K;

/// Lines are broken before they get longer than this, if there is a place to break.
const WIDTH: usize = 100;
const INDENT: usize = 2;

/// Writes all items. O(length): a piece of a line is looked at again only after a break before it, and
/// then lies within one width of it.
pub fn write(text: &str, items: &[Item]) -> String {
    let line_end = if text.find('\n').is_some_and(|at| text[..at].ends_with('\r')) {
        "\r\n"
    } else {
        "\n"
    };
    let mut writer = Writer {
        text,
        line_end,
        out: String::with_capacity(text.len() + text.len() / 8),
        brackets: Vec::new(),
    };
    for statement in items.chunk_by(|_, next| next.starts.is_none()) {
        writer.statement(statement);
    }
    if !writer.out.is_empty() {
        writer.out.push_str(line_end);
    }
    writer.out
}

struct Writer<'a> {
    text: &'a str,
    line_end: &'static str,
    out: String,
    /// For each open bracket the indentation of the line it stands in.
    brackets: Vec<usize>,
}

/// A word or comment within a line.
struct Piece<'a> {
    text: &'a str,
    kind: K,
    blank: bool,
    /// Open brackets before it, when the line may be broken there.
    break_depth: Option<usize>,
}

impl<'a> Writer<'a> {
    fn statement(&mut self, items: &[Item]) {
        let Some(first) = items.first() else { return };
        let indent = first.starts.unwrap_or(0) as usize * INDENT;
        self.brackets.clear();
        if !self.out.is_empty() {
            self.out.push_str(self.line_end);
            if first.line_ends > 1 {
                self.out.push_str(self.line_end);
            }
        }
        let pieces = self.pieces(items);
        let mut from = 0;
        for at in 1..=items.len() {
            let ends = items.get(at).is_none_or(|item| new_line(items, at, item));
            if !ends {
                continue;
            }
            if from > 0 {
                self.out.push_str(self.line_end);
                if items[from].line_ends > 1 {
                    self.out.push_str(self.line_end);
                }
            }
            self.line(&pieces[from..at], indent, from == 0);
            from = at;
        }
    }

    fn pieces(&self, items: &[Item]) -> Vec<Piece<'a>> {
        let import = items.first().is_some_and(|item| item.kind == K::Import);
        let mut pieces = Vec::with_capacity(items.len());
        let mut context = Context {
            brackets: 0,
            after_sign: false,
            import,
        };
        // The last word that is no comment, and whether it is a sign.
        let mut before: Option<K> = None;
        for (index, item) in items.iter().enumerate() {
            let text = &self.text[item.span.range()];
            let text = if item.kind.is_comment() {
                text.trim_end()
            } else {
                text
            };
            let last = index.checked_sub(1).map(|index| items[index].kind);
            let sign = spacing::is_sign(before, item.kind);
            if matches!(item.kind, K::RParen | K::RBracket | K::RBrace) {
                context.brackets = context.brackets.saturating_sub(1);
            }
            let blank = last.is_some_and(|last| spacing::blank(last, item.kind, context));
            let breakable =
                last.is_some_and(|last| may_break(last, item.kind, sign, context.brackets));
            pieces.push(Piece {
                text,
                kind: item.kind,
                blank,
                break_depth: breakable.then_some(context.brackets),
            });
            if matches!(item.kind, K::LParen | K::LBracket | K::LBrace) {
                context.brackets += 1;
            }
            if !item.kind.is_comment() {
                before = Some(item.kind);
            }
            context.after_sign = sign;
        }
        pieces
    }

    /// Writes the pieces of one line of the text, on several lines if they do not fit one.
    fn line(&mut self, pieces: &[Piece<'_>], indent: usize, first: bool) {
        let mut start = 0;
        while start < pieces.len() {
            let column = self.indentation(&pieces[start], indent, first && start == 0);
            let end = line_length(&pieces[start..], column) + start;
            self.out.extend(std::iter::repeat_n(' ', column));
            for (index, piece) in pieces[start..end].iter().enumerate() {
                if index > 0 && piece.blank {
                    self.out.push(' ');
                }
                self.out.push_str(piece.text);
                match piece.kind {
                    K::LParen | K::LBracket | K::LBrace => self.brackets.push(column),
                    K::RParen | K::RBracket | K::RBrace => {
                        self.brackets.pop();
                    }
                    _ => {}
                }
            }
            start = end;
            if start < pieces.len() {
                self.out.push_str(self.line_end);
            }
        }
    }

    /// Where a line that begins with `piece` begins.
    fn indentation(&self, piece: &Piece<'_>, indent: usize, first: bool) -> usize {
        let closes = matches!(piece.kind, K::RParen | K::RBracket | K::RBrace);
        match self.brackets.last() {
            _ if first => indent,
            Some(opener) if closes => *opener,
            Some(opener) => opener + INDENT,
            None => indent + INDENT,
        }
    }
}

/// Whether the author's line break before `item` stays: not before a `;` or a comma, unless a comment
/// that ends with its line is in between.
fn new_line(items: &[Item], at: usize, item: &Item) -> bool {
    if items[at - 1].kind == K::LineComment {
        return true;
    }
    item.line_ends > 0 && !matches!(item.kind, K::Semicolon | K::Comma)
}

/// Whether a line may be broken between two words.
fn may_break(before: K, after: K, sign: bool, brackets: usize) -> bool {
    if matches!(
        after,
        K::Semicolon | K::Comma | K::RParen | K::RBracket | K::RBrace
    ) || after.is_comment()
    {
        return false;
    }
    match (before, after) {
        (K::Comma, _) => true,
        (K::Semicolon, _) => brackets > 0,
        (_, K::Annotation | K::ConstrainedBy) => brackets == 0,
        (K::Plus, K::String) => false,
        (K::Equals | K::Assign, _) => false,
        (_, K::String) => brackets == 0,
        (_, K::Plus | K::Minus | K::DotPlus | K::DotMinus) => !sign,
        (_, K::And | K::Or | K::Else | K::ElseIf) => true,
        _ => false,
    }
}

/// How many pieces go on a line that begins at `column`: all if they fit, else up to the outermost
/// place to break, the last one of these.
fn line_length(pieces: &[Piece<'_>], mut column: usize) -> usize {
    let mut best: Option<(usize, usize)> = None;
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            if let Some(depth) = piece.break_depth
                && best.is_none_or(|(outermost, _)| depth <= outermost)
            {
                best = Some((depth, index));
            }
            column += usize::from(piece.blank);
        }
        let (first_line, rest) = piece.text.split_once('\n').unwrap_or((piece.text, ""));
        let width = column + first_line.chars().count();
        // A comment at the end of a line may stick out: there is no better place for it.
        if width > WIDTH
            && !piece.kind.is_comment()
            && let Some((_, index)) = best
        {
            return index;
        }
        column = if rest.is_empty() && first_line.len() == piece.text.len() {
            width
        } else {
            rest.rsplit('\n').next().unwrap_or_default().chars().count()
        };
    }
    pieces.len()
}
