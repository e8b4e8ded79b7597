//! Tokens, the syntax tree with spans, the parser with recovery, and the formatter.

pub mod ast;
