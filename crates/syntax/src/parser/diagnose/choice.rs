//! `c ? a : b`, the choice between two values in other languages: how Modelica writes it.

use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

/// How far the condition and the values are followed.
const FAR: usize = 200;

/// Turns the message about an unknown character `?` into one about the choice that it belongs to, if it does.
pub(super) fn explain(error: &mut Diagnostic<Span>, text: &str, tokens: &[Token]) {
    let at = error.labels.first().map(|label| label.at);
    let Some(at) = at.filter(|at| text.get(at.range()) == Some("?")) else {
        return;
    };
    let Some([condition, first, second]) = parts(at, text, tokens) else {
        return;
    };
    let whole = Span::new(condition.start, second.end);
    let part = |span: Span| text.get(span.range()).unwrap_or_default().trim();
    let right = format!(
        "if {} then {} else {}",
        part(condition),
        part(first),
        part(second)
    );
    *error = Diagnostic::new(
        Code::MS0009,
        format!("Modelica has no `?`: write `{right}`"),
    )
    .label(at, "not valid here")
    .fix(
        "write the choice in words",
        vec![Edit {
            at: whole,
            text: right,
        }],
    );
}

/// The condition before `?`, and the values before and after `:`, in one line and without another choice inside.
fn parts(at: Span, text: &str, tokens: &[Token]) -> Option<[Span; 3]> {
    let index = tokens.partition_point(|token| token.span.start < at.start);
    let words = |token: &&Token| token.span.start != at.start;
    let before = tokens.get(..index)?.iter().rev().take(FAR);
    let start = extent(before, false)?.last()?.span.start;
    let after = extent(tokens.get(index..)?.iter().filter(words).take(FAR), true)?;
    let colon = after
        .iter()
        .position(|token| token.kind == TokenKind::Colon)?;
    let (first, second) = (&after[..colon], &after[colon + 1..]);
    let span = |words: &[&Token]| Some(words.first()?.span.to(words.last()?.span));
    let (first, second) = (span(first)?, span(second)?);
    let whole = text.get(start as usize..second.end as usize)?;
    let nested = whole.matches('?').nth(1).is_some() || after[colon + 1..].iter().any(is_colon);
    (!nested && !whole.contains(['\n', '\r'])).then_some([
        Span::new(start, at.start),
        first,
        second,
    ])
}

fn is_colon(token: &&Token) -> bool {
    token.kind == TokenKind::Colon
}

/// The words up to where the expression ends that they are in, or begins, if they are read backwards.
fn extent<'a>(words: impl Iterator<Item = &'a Token>, forward: bool) -> Option<Vec<&'a Token>> {
    use TokenKind as K;
    let mut depth = 0;
    let mut found = Vec::new();
    for token in words {
        let step = token.kind.nesting();
        depth += if forward { step } else { -step };
        let ends = match token.kind {
            K::Semicolon | K::Equals | K::Assign | K::Comma | K::Then | K::Else => true,
            K::Annotation | K::String => forward,
            _ => false,
        };
        if depth < 0 || ends && depth == 0 {
            return Some(found);
        }
        found.push(token);
    }
    None
}
