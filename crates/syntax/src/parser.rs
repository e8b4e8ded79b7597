//! From words to the tree. [`parse`] never fails.
//!
//! Three hands work together: [`feed`] closes brackets and blocks that the text leaves open, the grammar
//! recovers at its `!` from whatever else is wrong, and [`diagnose`] turns the places where that happened
//! into messages, one per mistake.

pub(crate) mod actions;
mod diagnose;
mod feed;
mod misplaced;
pub(crate) mod prefix;

use crate::ast::StoredDefinition;
use crate::grammar::FileParser;
use crate::lexer::lex;
use actions::{Around, Context, Mistake};
use modeshift_base::Span;
use modeshift_diag::Diagnostic;
use std::cell::Cell;

/// A file's tree with what was wrong in it, in the order of the text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parse {
    pub file: StoredDefinition,
    pub errors: Vec<Diagnostic<Span>>,
}

/// Reads a Modelica file. Mistakes are mended where they stand: the tree holds the rest of the text.
///
/// O(length). Texts of more than 4 GiB are cut, since places are 32-bit numbers.
pub fn parse(text: &str) -> Parse {
    let lexed = lex(text);
    let stop = Cell::new(false);
    let mut context = Context::new(text, &stop);
    let mut feed = feed::Feed::new(text, &lexed.tokens, &stop);
    feed.quiet_end = lexed.ends_in_comment;
    let result = FileParser::new().parse(&mut context, &mut feed);
    let file = result.unwrap_or_else(|error| {
        let recovery = lalrpop_util::ErrorRecovery {
            error,
            dropped_tokens: Vec::new(),
        };
        context.mistakes.push(Mistake {
            recovery,
            around: Around::Broken("class"),
        });
        StoredDefinition::default()
    });
    if lexed.errors.is_empty()
        && feed.errors.is_empty()
        && context.errors.is_empty()
        && context.mistakes.is_empty()
    {
        let errors = misplaced::annotations(text, &file.classes);
        return Parse { file, errors };
    }
    let mut known = lexed.errors;
    known.append(&mut feed.errors);
    known.append(&mut context.errors);
    let errors = diagnose::messages(text, &lexed.tokens, known, context.mistakes, stop.get());
    Parse { file, errors }
}
