//! The words of Modelica.

use logos::{FilterResult, Lexer, Logos};
use modeshift_base::Span;

/// A word of the text with its place. Its text is `&source[token.span.range()]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// What a word is. Declares the lexer, too; use [`crate::lex`] rather than logos directly, because
/// it also sorts out what the patterns below cannot match.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub enum TokenKind {
    #[token("algorithm")]
    Algorithm,
    #[token("and")]
    And,
    #[token("annotation")]
    Annotation,
    #[token("block")]
    Block,
    #[token("break")]
    Break,
    #[token("class")]
    Class,
    #[token("connect")]
    Connect,
    #[token("connector")]
    Connector,
    #[token("constant")]
    Constant,
    #[token("constrainedby")]
    ConstrainedBy,
    #[token("der")]
    Der,
    #[token("discrete")]
    Discrete,
    #[token("each")]
    Each,
    #[token("else")]
    Else,
    #[token("elseif")]
    ElseIf,
    #[token("elsewhen")]
    ElseWhen,
    #[token("encapsulated")]
    Encapsulated,
    #[token("end")]
    End,
    #[token("enumeration")]
    Enumeration,
    #[token("equation")]
    Equation,
    #[token("expandable")]
    Expandable,
    #[token("extends")]
    Extends,
    #[token("external")]
    External,
    #[token("false")]
    False,
    #[token("final")]
    Final,
    #[token("flow")]
    Flow,
    #[token("for")]
    For,
    #[token("function")]
    Function,
    #[token("if")]
    If,
    #[token("import")]
    Import,
    #[token("impure")]
    Impure,
    #[token("in")]
    In,
    #[token("initial")]
    Initial,
    #[token("inner")]
    Inner,
    #[token("input")]
    Input,
    #[token("loop")]
    Loop,
    #[token("model")]
    Model,
    #[token("not")]
    Not,
    #[token("operator")]
    Operator,
    #[token("or")]
    Or,
    #[token("outer")]
    Outer,
    #[token("output")]
    Output,
    #[token("package")]
    Package,
    #[token("parameter")]
    Parameter,
    #[token("partial")]
    Partial,
    #[token("protected")]
    Protected,
    #[token("public")]
    Public,
    #[token("pure")]
    Pure,
    #[token("record")]
    Record,
    #[token("redeclare")]
    Redeclare,
    #[token("replaceable")]
    Replaceable,
    #[token("return")]
    Return,
    #[token("stream")]
    Stream,
    #[token("then")]
    Then,
    #[token("true")]
    True,
    #[token("type")]
    Type,
    #[token("when")]
    When,
    #[token("while")]
    While,
    #[token("within")]
    Within,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("=")]
    Equals,
    #[token(":=")]
    Assign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("^")]
    Caret,
    #[token(".+")]
    DotPlus,
    #[token(".-")]
    DotMinus,
    #[token(".*")]
    DotStar,
    #[token("./")]
    DotSlash,
    #[token(".^")]
    DotCaret,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("<>")]
    NotEqual,

    #[regex("[_a-zA-Z][_a-zA-Z0-9]*")]
    #[token("'", quoted_identifier)]
    Ident,
    #[regex("[0-9]+")]
    Integer,
    #[regex(r"[0-9]+\.[0-9]*([eE][+\-]?[0-9]+)?|[0-9]+[eE][+\-]?[0-9]+")]
    #[regex(r"\.[0-9]+([eE][+\-]?[0-9]+)?")]
    Real,
    #[token("\"", string)]
    String,

    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,

    /// An operator of C or Python that Modelica writes otherwise: the lexer replaces it.
    #[token("!=")]
    #[token("=>")]
    #[token("=<")]
    #[token("!")]
    #[token("&&")]
    #[token("||")]
    #[token("**")]
    Foreign,
    /// Something that is no Modelica word at all; a message about it has been given.
    Error,

    /// `initial equation`, fused between lexer and parser.
    InitialEquation,
    /// `initial algorithm`, fused between lexer and parser.
    InitialAlgorithm,
    /// `end` as the last index of a dimension, told apart between lexer and parser.
    EndIndex,
}

impl TokenKind {
    pub const fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Words that an operand of an expression can end with.
    pub const fn ends_operand(self) -> bool {
        matches!(
            self,
            Self::Ident
                | Self::Integer
                | Self::Real
                | Self::String
                | Self::True
                | Self::False
                | Self::RParen
                | Self::RBracket
                | Self::RBrace
        )
    }

    /// By how much the nesting of brackets grows with this word.
    pub const fn nesting(self) -> i32 {
        match self {
            Self::LParen | Self::LBracket | Self::LBrace => 1,
            Self::RParen | Self::RBracket | Self::RBrace => -1,
            _ => 0,
        }
    }

    /// The closing partner of an opening bracket.
    pub const fn closing(self) -> Option<Self> {
        match self {
            Self::LParen => Some(Self::RParen),
            Self::LBracket => Some(Self::RBracket),
            Self::LBrace => Some(Self::RBrace),
            _ => None,
        }
    }
}

/// Extends the token over the rest of a string; fails when the text ends before its closing quote.
fn string(lexer: &mut Lexer<'_, TokenKind>) -> bool {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &rest[at..]) {
        at += found;
        if rest[at] == b'"' {
            lexer.bump(at + 1);
            return true;
        }
        // An escape: whatever follows the backslash does not end the string. It is skipped by its
        // first byte only, the remaining bytes of a longer character are neither quote nor backslash.
        at += 2;
        if at > rest.len() {
            return false;
        }
    }
    false
}

/// Extends the token over the rest of a quoted identifier, which does not cross a line.
fn quoted_identifier(lexer: &mut Lexer<'_, TokenKind>) -> bool {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\'' if at > 0 => {
                lexer.bump(at + 1);
                return true;
            }
            b'\'' | b'\n' | b'\r' => return false,
            b'\\' if !matches!(rest.get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            _ => at += 1,
        }
    }
    false
}

/// Extends the token over the rest of a block comment. Modelica's do not nest.
fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), ()> {
    match memchr::memmem::find(lexer.remainder().as_bytes(), b"*/") {
        Some(at) => {
            lexer.bump(at + 2);
            FilterResult::Emit(())
        }
        None => FilterResult::Error(()),
    }
}
