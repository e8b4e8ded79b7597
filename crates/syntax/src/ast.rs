//! The syntax tree: Modelica 3.6 as it is written, names interned, every node with its span.
//!
//! The tree says what the text says and nothing more: `Real x, y;` stays one clause with two
//! declarations, prefixes stay flags. Places that the parser could not make sense of are `Error`
//! nodes, about which later phases stay silent.

mod class;
mod equation;
mod expr;
mod spans;
mod visit;

pub use class::*;
pub use equation::*;
pub use expr::*;
pub use spans::{MapSpans, Node};
pub use visit::Visit;

use modeshift_base::{Name, Span};

/// A name where it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// A dotted class name, `.A.B` when `global`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    pub global: bool,
    pub parts: Vec<Ident>,
    pub span: Span,
}

/// One file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoredDefinition {
    pub within: Option<Within>,
    pub classes: Vec<ClassDef>,
}

/// `within A.B;`, or `within;` without a path.
#[derive(Clone, PartialEq, Debug)]
pub struct Within {
    pub path: Option<Path>,
    pub span: Span,
}

/// A description string, joined over `+`, with its place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Description {
    pub text: Box<str>,
    pub span: Span,
}

/// What may follow every element, equation and class: `"text" annotation(...)`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comment {
    pub description: Option<Description>,
    pub annotation: Option<Box<Annotation>>,
}

/// `annotation(...)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Annotation {
    pub args: Vec<Argument>,
    pub span: Span,
}
