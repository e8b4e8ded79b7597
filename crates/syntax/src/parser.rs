//! From words to the tree. [`parse`] never fails.

pub(crate) mod actions;
mod feed;
pub(crate) mod prefix;

use crate::ast::StoredDefinition;
use crate::grammar::FileParser;
use crate::lexer::lex;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic};

/// A file's tree with what was wrong in it, in the order of the text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parse {
    pub file: StoredDefinition,
    pub errors: Vec<Diagnostic<Span>>,
}

/// Reads a Modelica file. Mistakes are mended where they stand: the tree holds the rest of the text.
pub fn parse(text: &str) -> Parse {
    let lexed = lex(text);
    let mut context = actions::Context::new(text);
    let result = FileParser::new().parse(&mut context, feed::Feed::new(&lexed.tokens));
    let mut errors = lexed.errors;
    errors.append(&mut context.errors);
    for recovery in context.recoveries {
        errors.push(residual(recovery.error));
    }
    let file = match result {
        Ok(file) => file,
        Err(error) => {
            errors.push(residual(error));
            StoredDefinition::default()
        }
    };
    Parse { file, errors }
}

fn residual(error: lalrpop_util::ParseError<u32, crate::Token, ()>) -> Diagnostic<Span> {
    use lalrpop_util::ParseError::{
        ExtraToken, InvalidToken, UnrecognizedEof, UnrecognizedToken, User,
    };
    let (at, expected) = match error {
        UnrecognizedToken {
            token: (l, _, r),
            expected,
        } => (Span::new(l, r), expected),
        UnrecognizedEof { location, expected } => (Span::new(location, location), expected),
        ExtraToken { token: (l, _, r) } => (Span::new(l, r), Vec::new()),
        InvalidToken { location } => (Span::new(location, location), Vec::new()),
        User { error: () } => (Span::default(), Vec::new()),
    };
    Diagnostic::new(Code::MS0001, "the text is not Modelica here")
        .label(at, format!("expected {}", expected.join(" ")))
}
