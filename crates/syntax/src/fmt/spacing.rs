//! The blanks between words on one line.

use crate::token::TokenKind as K;

/// What decides about a blank, besides the two words.
#[derive(Clone, Copy)]
pub struct Context {
    /// Open brackets around the place.
    pub brackets: usize,
    /// The word before is a sign, not an operator between two operands.
    pub after_sign: bool,
    /// The statement is an import.
    pub import: bool,
}

/// Whether a blank stands between two words on one line.
pub fn blank(before: K, after: K, context: Context) -> bool {
    if before.is_comment() || after.is_comment() {
        return !matches!(before, K::LParen | K::LBracket | K::LBrace);
    }
    if context.after_sign || matches!(before, K::LParen | K::LBracket | K::LBrace | K::Dot) {
        return false;
    }
    match after {
        K::Semicolon | K::Comma | K::RParen | K::RBracket | K::RBrace => {
            return before == K::Comma && after == K::Comma;
        }
        K::LParen if callable(before) => return false,
        K::LBracket | K::Dot if before == K::Ident || closes(before) => return false,
        K::DotStar if context.import => return false,
        K::Colon => return before == K::Comma,
        K::Equals if context.brackets > 0 => return false,
        K::Star | K::Slash | K::Caret => return false,
        _ => {}
    }
    match before {
        K::Colon | K::Star | K::Slash | K::Caret => false,
        K::Equals => context.brackets == 0,
        _ => true,
    }
}

/// Words that an argument list follows directly.
const fn callable(kind: K) -> bool {
    matches!(
        kind,
        K::Ident
            | K::Der
            | K::Initial
            | K::Pure
            | K::Annotation
            | K::Connect
            | K::Enumeration
            | K::RBracket
    )
}

const fn closes(kind: K) -> bool {
    matches!(kind, K::RParen | K::RBracket | K::RBrace)
}

/// Whether `kind` behind `before` is a sign rather than an operator between two operands.
pub const fn is_sign(before: Option<K>, kind: K) -> bool {
    let sign = matches!(kind, K::Plus | K::Minus | K::DotPlus | K::DotMinus);
    sign && match before {
        None => true,
        Some(before) => {
            !(matches!(
                before,
                K::Ident | K::Integer | K::Real | K::String | K::True | K::False | K::End
            ) || closes(before))
        }
    }
}
