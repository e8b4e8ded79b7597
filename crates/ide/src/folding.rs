//! What can be folded.

use modeshift_base::Span;
use modeshift_db::{Db, SourceFile, parse};
use modeshift_syntax::ast::{EquationKind, Node, StatementKind, Visit};
use modeshift_syntax::lex;

/// What a fold hides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    Class,
    /// Equation and algorithm sections, and the blocks in them.
    Block,
    Annotation,
    Comment,
}

/// Classes, sections, blocks, annotations and comments, each before those in it. O(length of the file).
pub fn folds(db: &dyn Db, file: SourceFile) -> Vec<(Span, Fold)> {
    let mut found = Vec::new();
    parse(db, file).file.visit(&mut |node| {
        let fold = match node {
            Node::ClassDef(it) => Some((it.span, Fold::Class)),
            Node::Section(it) => Some((it.span, Fold::Block)),
            Node::Equation(it) => {
                let block = !matches!(
                    it.kind,
                    EquationKind::Equality { .. } | EquationKind::Connect { .. }
                );
                block.then_some((it.span, Fold::Block))
            }
            Node::Statement(it) => {
                let block = !matches!(it.kind, StatementKind::Assign { .. });
                block.then_some((it.span, Fold::Block))
            }
            Node::Annotation(it) => Some((it.span, Fold::Annotation)),
            _ => None,
        };
        found.extend(fold);
        !matches!(node, Node::Annotation(_) | Node::Expr(_))
    });
    let comments = lex(file.text(db)).comments.into_iter();
    found.extend(comments.map(|token| (token.span, Fold::Comment)));
    found
}
