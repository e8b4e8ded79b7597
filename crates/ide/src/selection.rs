//! The constructs around a position, for selections that grow.

use modeshift_base::Span;
use modeshift_db::{Db, SourceFile, parse};
use modeshift_syntax::ast::Visit;
use modeshift_syntax::lex;

/// The spans around `offset`, each inside the next: the word, the expressions, the equation, the section, the
/// classes, the file. O(length of the file).
pub fn selections(db: &dyn Db, file: SourceFile, offset: u32) -> Vec<Span> {
    let text = file.text(db);
    let around = |span: &Span| span.start <= offset && offset <= span.end;
    let mut spans: Vec<Span> = lex(text)
        .tokens
        .iter()
        .map(|token| token.span)
        .filter(around)
        .collect();
    parse(db, file).file.visit(&mut |node| match node.span() {
        Some(span) => {
            let inside = around(&span);
            spans.extend(inside.then_some(span));
            inside
        }
        None => true,
    });
    spans.push(Span::new(0, text.len() as u32));
    spans.sort_by_key(|span| (span.len(), span.start));
    // Neighbours that meet at the position are not inside each other: the later, larger one decides.
    let mut nested: Vec<Span> = Vec::new();
    for span in spans {
        match nested.last() {
            Some(inner) if *inner == span => {}
            Some(inner) if span.start <= inner.start && inner.end <= span.end => nested.push(span),
            None => nested.push(span),
            Some(_) => {}
        }
    }
    nested
}
