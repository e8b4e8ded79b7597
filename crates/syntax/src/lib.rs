//! Tokens, the syntax tree with spans, the parser with recovery, and the formatter.
//!
//! `parse` never fails: it gives a tree and what was wrong, in a modeller's words. The grammar is
//! `grammar/modelica.lalrpop` at the top of the repository. Never here: files, lookup, meaning.

pub mod ast;
mod decode;
mod fmt;
mod lexer;
mod parser;
mod print;
mod string;
mod token;

/// After so many mistakes of one kind the rest of a file is not looked at any more.
const MAX_ERRORS: usize = 200;

pub use decode::decode;
pub use fmt::{FormatError, format};
pub use lexer::{Lexed, lex};
pub use parser::{Parse, parse};
pub use string::quote;
pub use token::{Token, TokenKind};

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, unused_qualifications, reason = "generated")]
    grammar,
    "/modelica.rs"
);
