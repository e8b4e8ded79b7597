//! The builders that the grammar's actions call: from pieces of a rule to a node of the tree.

#![expect(
    clippy::boxed_local,
    clippy::vec_box,
    reason = "the symbols of the generated parser travel boxed, so that all of them are small"
)]

mod class;
mod equation;
mod expr;

pub use class::*;
pub use equation::*;
pub use expr::*;

use crate::ast::{
    Comment, Element, ElementKind, Equation, EquationKind, Expr, ExprKind, Ident, RefPart,
    Statement, StatementKind, Subscript,
};
use crate::token::Token;
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_diag::{Code, Diagnostic};
use std::cell::Cell;

/// A syntax error as LALRPOP reports it.
pub type Recovery = lalrpop_util::ErrorRecovery<u32, Token, ()>;

/// What the parser had read, or tried to read, when it met a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// A complete piece of this name, which lacks its `;`.
    Complete(&'static str),
    /// A piece of this name that could not be completed.
    Broken(&'static str),
}

/// A syntax error and where it happened.
#[derive(Clone, Debug)]
pub struct Mistake {
    pub recovery: Recovery,
    pub around: Around,
}

/// What the actions share: the text, the names met so far, and what went wrong.
pub struct Context<'text> {
    pub(super) text: &'text str,
    /// Interning takes a lock; most names of a file occur many times.
    names: FxHashMap<&'text str, Name>,
    /// Messages about mistakes that the grammar accepts.
    pub(super) errors: Vec<Diagnostic<Span>>,
    /// Places where the grammar itself had to recover.
    pub(super) mistakes: Vec<Mistake>,
    /// Tells the feed that there are too many mistakes to go on.
    stop: &'text Cell<bool>,
}

pub fn pushed<T>(mut list: Vec<T>, item: T) -> Vec<T> {
    list.push(item);
    list
}

impl<'text> Context<'text> {
    pub(super) fn new(text: &'text str, stop: &'text Cell<bool>) -> Self {
        Self {
            text,
            names: FxHashMap::default(),
            errors: Vec::new(),
            mistakes: Vec::new(),
            stop,
        }
    }

    /// Notes a mistake. After too many of them the rest of the file is not read.
    pub(super) fn report(&mut self, error: Diagnostic<Span>) {
        self.errors.push(error);
        if self.errors.len() >= crate::MAX_ERRORS {
            self.stop.set(true);
        }
    }

    fn slice(&self, token: Token) -> &'text str {
        &self.text[token.span.range()]
    }

    pub fn ident(&mut self, token: Token) -> Ident {
        let text = self.slice(token);
        let name = *self.names.entry(text).or_insert_with(|| Name::new(text));
        Ident {
            name,
            span: token.span,
        }
    }

    pub fn ref_part(&mut self, token: Token) -> RefPart {
        RefPart {
            name: self.ident(token).name,
            subscripts: Vec::new(),
            span: token.span,
        }
    }

    pub fn indexed_part(&mut self, token: Token, subscripts: Vec<Subscript>, end: u32) -> RefPart {
        let span = Span::new(token.span.start, end);
        RefPart {
            name: self.ident(token).name,
            subscripts,
            span,
        }
    }

    // Recovery: what the grammar's `!` rules call.

    fn mistake(&mut self, recovery: Recovery, around: Around) {
        self.mistakes.push(Mistake { recovery, around });
        if self.mistakes.len() >= crate::MAX_ERRORS {
            self.stop.set(true);
        }
    }

    /// `piece` is complete, but no `;` follows.
    pub fn incomplete<T>(&mut self, piece: T, name: &'static str, recovery: Recovery) -> T {
        self.mistake(recovery, Around::Complete(name));
        piece
    }

    pub fn incomplete_element(&mut self, element: Element, recovery: Recovery) -> Element {
        let name = match &element.kind {
            ElementKind::Import(_) => "import",
            ElementKind::Extends(_) => "`extends` clause",
            ElementKind::Class(_) => "class",
            _ => "declaration",
        };
        self.incomplete(element, name, recovery)
    }

    pub fn lost<T>(&mut self, recovery: Recovery) -> Option<T> {
        self.mistake(recovery, Around::Broken("class"));
        None
    }

    pub fn lost_element(&mut self, recovery: Recovery, span: Span) -> Element {
        self.mistake(recovery, Around::Broken("declaration"));
        element(ElementKind::Error, span)
    }

    pub fn lost_equation(&mut self, recovery: Recovery, span: Span) -> Box<Equation> {
        self.mistake(recovery, Around::Broken("equation"));
        equation(Box::new(EquationKind::Error), Comment::default(), span)
    }

    pub fn lost_statement(&mut self, recovery: Recovery, span: Span) -> Box<Statement> {
        self.mistake(recovery, Around::Broken("statement"));
        statement(Box::new(StatementKind::Error), Comment::default(), span)
    }

    pub fn lost_expr(&mut self, recovery: Recovery, span: Span) -> Expr {
        self.mistake(recovery, Around::Broken("expression"));
        expr(ExprKind::Error, span)
    }

    pub fn misplaced_partial_function(&mut self, value: Expr) -> Expr {
        self.report(
            Diagnostic::new(
                Code::MS0001,
                "a function with some arguments given can only be passed to a call",
            )
            .label(value.span, "not an argument of a function call"),
        );
        expr(ExprKind::Error, value.span)
    }
}
