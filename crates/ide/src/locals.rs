//! Iterators: the only names of Modelica that are declared inside an expression or equation.

use modeshift_base::{Name, Span};
use modeshift_syntax::ast::{
    ClassDef, EquationKind, ExprKind, Iterator as Iter, Node, StatementKind, Visit,
};

/// An iterator of a `for` or a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Local {
    pub name: Name,
    pub declared: Span,
    /// Where the name means the iterator.
    pub scope: Span,
}

/// The iterators of a class and of those in it. O(size of the class).
pub(crate) fn locals(def: &ClassDef) -> Vec<Local> {
    let mut found = Vec::new();
    let mut add = |iterators: &[Iter], scope: Span| {
        found.extend(iterators.iter().map(|iterator| Local {
            name: iterator.name.name,
            declared: iterator.name.span,
            scope,
        }));
    };
    def.visit(&mut |node| {
        match node {
            Node::Equation(it) => {
                if let EquationKind::For { iterators, .. } = &it.kind {
                    add(iterators, it.span);
                }
            }
            Node::Statement(it) => {
                if let StatementKind::For { iterators, .. } = &it.kind {
                    add(iterators, it.span);
                }
            }
            Node::Expr(it) => {
                if let ExprKind::Comprehension { iterators, .. } = &it.kind {
                    add(iterators, it.span);
                }
            }
            Node::Args(it) => add(&it.iterators, it.span),
            // Graphics have no iterators.
            Node::Annotation(_) => return false,
            _ => {}
        }
        true
    });
    found
}
