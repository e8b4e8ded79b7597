//! Prefixes of elements, classes and arguments: read in any order, checked here.
//!
//! The grammar would need one optional keyword after another, which multiplies the tables and can
//! only say "unexpected token". A list with a check afterwards says what is wrong and how to mend it.

use super::actions::Context;
use crate::ast::{Causality, ElementPrefixes, Flow, Purity, TypePrefix, VariabilityPrefix};
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

/// The prefixes in the order in which the specification wants them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Prefix {
    Redeclare,
    Each,
    Final,
    Inner,
    Outer,
    Replaceable,
    Encapsulated,
    Partial,
    Expandable,
    Pure,
    Impure,
    Flow,
    Stream,
    Discrete,
    Parameter,
    Constant,
    Input,
    Output,
}

impl Prefix {
    const ALL: [Self; 18] = [
        Self::Redeclare,
        Self::Each,
        Self::Final,
        Self::Inner,
        Self::Outer,
        Self::Replaceable,
        Self::Encapsulated,
        Self::Partial,
        Self::Expandable,
        Self::Pure,
        Self::Impure,
        Self::Flow,
        Self::Stream,
        Self::Discrete,
        Self::Parameter,
        Self::Constant,
        Self::Input,
        Self::Output,
    ];

    fn of(kind: TokenKind) -> Option<Self> {
        Some(match kind {
            TokenKind::Redeclare => Self::Redeclare,
            TokenKind::Each => Self::Each,
            TokenKind::Final => Self::Final,
            TokenKind::Inner => Self::Inner,
            TokenKind::Outer => Self::Outer,
            TokenKind::Replaceable => Self::Replaceable,
            TokenKind::Encapsulated => Self::Encapsulated,
            TokenKind::Partial => Self::Partial,
            TokenKind::Expandable => Self::Expandable,
            TokenKind::Pure => Self::Pure,
            TokenKind::Impure => Self::Impure,
            TokenKind::Flow => Self::Flow,
            TokenKind::Stream => Self::Stream,
            TokenKind::Discrete => Self::Discrete,
            TokenKind::Parameter => Self::Parameter,
            TokenKind::Constant => Self::Constant,
            TokenKind::Input => Self::Input,
            TokenKind::Output => Self::Output,
            _ => return None,
        })
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Redeclare => "redeclare",
            Self::Each => "each",
            Self::Final => "final",
            Self::Inner => "inner",
            Self::Outer => "outer",
            Self::Replaceable => "replaceable",
            Self::Encapsulated => "encapsulated",
            Self::Partial => "partial",
            Self::Expandable => "expandable",
            Self::Pure => "pure",
            Self::Impure => "impure",
            Self::Flow => "flow",
            Self::Stream => "stream",
            Self::Discrete => "discrete",
            Self::Parameter => "parameter",
            Self::Constant => "constant",
            Self::Input => "input",
            Self::Output => "output",
        }
    }

    /// Prefixes of which only one may stand, as a set of bits.
    const fn rivals(self) -> u32 {
        match self {
            Self::Pure | Self::Impure => Self::Pure.bit() | Self::Impure.bit(),
            Self::Flow | Self::Stream => Self::Flow.bit() | Self::Stream.bit(),
            Self::Discrete | Self::Parameter | Self::Constant => {
                Self::Discrete.bit() | Self::Parameter.bit() | Self::Constant.bit()
            }
            Self::Input | Self::Output => Self::Input.bit() | Self::Output.bit(),
            _ => self.bit(),
        }
    }
}

/// Where a list of prefixes stands: decides which of them make sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Class,
    Component,
    /// A modifier without `redeclare` or `replaceable`.
    Modifier,
    /// The class behind `type A =`.
    ShortBase,
}

/// A set of prefixes with the range of text they cover.
#[derive(Clone, Copy, Default, Debug)]
pub struct Prefixes {
    bits: u32,
    span: Span,
    /// A message about two words that clash has been given.
    reported: bool,
    /// The words are not in the order of the specification.
    unordered: bool,
}

impl Prefixes {
    pub const fn has(self, prefix: Prefix) -> bool {
        self.bits & prefix.bit() != 0
    }

    pub const fn element(self) -> ElementPrefixes {
        ElementPrefixes {
            redeclare: self.has(Prefix::Redeclare),
            final_: self.has(Prefix::Final),
            inner: self.has(Prefix::Inner),
            outer: self.has(Prefix::Outer),
            replaceable: self.has(Prefix::Replaceable),
        }
    }

    pub fn type_prefix(self) -> TypePrefix {
        let one = |choices: &[Prefix]| choices.iter().copied().find(|prefix| self.has(*prefix));
        TypePrefix {
            flow: one(&[Prefix::Flow, Prefix::Stream]).map(|p| {
                if p == Prefix::Flow {
                    Flow::Flow
                } else {
                    Flow::Stream
                }
            }),
            variability: one(&[Prefix::Discrete, Prefix::Parameter, Prefix::Constant]).map(|p| {
                match p {
                    Prefix::Discrete => VariabilityPrefix::Discrete,
                    Prefix::Parameter => VariabilityPrefix::Parameter,
                    _ => VariabilityPrefix::Constant,
                }
            }),
            causality: one(&[Prefix::Input, Prefix::Output]).map(|p| {
                if p == Prefix::Input {
                    Causality::Input
                } else {
                    Causality::Output
                }
            }),
        }
    }

    pub const fn purity(self) -> Option<Purity> {
        if self.has(Prefix::Pure) {
            Some(Purity::Pure)
        } else if self.has(Prefix::Impure) {
            Some(Purity::Impure)
        } else {
            None
        }
    }

    fn sorted(self) -> impl Iterator<Item = Prefix> {
        Prefix::ALL
            .into_iter()
            .filter(move |prefix| self.has(*prefix))
    }
}

impl Context<'_> {
    /// Adds one word to a list of prefixes.
    pub fn prefix(&mut self, mut list: Prefixes, word: Token) -> Prefixes {
        let Some(prefix) = Prefix::of(word.kind) else {
            return list;
        };
        let before = list;
        list.span = if before.bits == 0 {
            word.span
        } else {
            before.span.to(word.span)
        };
        list.bits |= prefix.bit();
        list.unordered |= before.bits >= prefix.bit();
        if before.reported {
            return list;
        }
        let clash = before.bits & prefix.rivals();
        if clash != 0 {
            let other = Prefix::ALL
                .into_iter()
                .find(|p| p.bit() & clash != 0)
                .unwrap_or(prefix);
            self.report(clash_message(
                self.text,
                before.span,
                other,
                prefix,
                word.span,
            ));
            list.reported = true;
            if other != prefix {
                list.bits = before.bits;
            }
        }
        list
    }

    /// Checks a finished list against the place it stands in, once per list.
    pub(super) fn check_prefixes(&mut self, list: Prefixes, place: Place, what: &str) {
        if list.bits == 0 {
            return;
        }
        if list.unordered && !list.reported {
            let right: Vec<&str> = list.sorted().map(Prefix::word).collect();
            let right = right.join(" ");
            self.report(
                Diagnostic::new(
                    Code::MS0012,
                    format!("these prefixes belong in the order `{right}`"),
                )
                .label(list.span, "in the wrong order")
                .fix(
                    "put them in order",
                    vec![Edit {
                        at: list.span,
                        text: right,
                    }],
                ),
            );
        }
        let allowed = allowed_at(place);
        if let Some(bad) = list.sorted().find(|prefix| prefix.bit() & allowed == 0) {
            let at = word_in(self.text, list.span, bad);
            if place == Place::Modifier && matches!(bad, Prefix::Redeclare | Prefix::Replaceable) {
                let word = bad.word();
                let name = word_after(self.text, list.span.end);
                return self.report(
                    Diagnostic::new(
                        Code::MS0012,
                        format!("`{word}` needs a declaration after it, not only a name"),
                    )
                    .label(at, "before a kind of class or a type")
                    .note(format!(
                        "a class is replaced with its kind, as in `{word} package {name} = …` or `{word} model {name} = …`, and a \
                         component with its type, as in `{word} NewType {name}`"
                    )),
                );
            }
            self.report(
                Diagnostic::new(
                    Code::MS0012,
                    format!("`{}` has no meaning for {what}", bad.word()),
                )
                .label(at, "remove this prefix")
                .fix(
                    format!("remove `{}`", bad.word()),
                    vec![removal(self.text, at)],
                ),
            );
        }
    }
}

const fn allowed_at(place: Place) -> u32 {
    const ELEMENT: u32 = Prefix::Redeclare.bit()
        | Prefix::Final.bit()
        | Prefix::Inner.bit()
        | Prefix::Outer.bit()
        | Prefix::Replaceable.bit()
        | Prefix::Each.bit();
    const TYPE: u32 = Prefix::Flow.bit()
        | Prefix::Stream.bit()
        | Prefix::Discrete.bit()
        | Prefix::Parameter.bit()
        | Prefix::Constant.bit()
        | Prefix::Input.bit()
        | Prefix::Output.bit();
    match place {
        Place::Class => {
            ELEMENT
                | Prefix::Encapsulated.bit()
                | Prefix::Partial.bit()
                | Prefix::Expandable.bit()
                | Prefix::Pure.bit()
                | Prefix::Impure.bit()
        }
        Place::Component => ELEMENT | TYPE,
        Place::Modifier => Prefix::Each.bit() | Prefix::Final.bit(),
        Place::ShortBase => TYPE,
    }
}

/// The name that begins after a place.
fn word_after(text: &str, at: u32) -> &str {
    let rest = text.get(at as usize..).unwrap_or_default().trim_start();
    let end = rest
        .find(|it: char| !it.is_alphanumeric() && it != '_')
        .unwrap_or(rest.len());
    &rest[..end]
}

fn clash_message(
    text: &str,
    before: Span,
    other: Prefix,
    prefix: Prefix,
    at: Span,
) -> Diagnostic<Span> {
    let first = word_in(text, before, other);
    let diagnostic = if other == prefix {
        Diagnostic::new(
            Code::MS0012,
            format!("`{}` is written twice", prefix.word()),
        )
    } else {
        Diagnostic::new(
            Code::MS0012,
            format!(
                "`{}` and `{}` exclude each other",
                other.word(),
                prefix.word()
            ),
        )
    };
    diagnostic
        .label(
            at,
            if other == prefix {
                "again here"
            } else {
                "contradicts the earlier prefix"
            },
        )
        .label(first, format!("`{}` is here", other.word()))
        .fix(
            format!("remove `{}`", prefix.word()),
            vec![removal(text, at)],
        )
}

/// The place of a prefix in the text of its list. Only used for messages.
fn word_in(text: &str, list: Span, prefix: Prefix) -> Span {
    let tokens = crate::lexer::lex(&text[list.range()]).tokens;
    tokens
        .into_iter()
        .find(|token| Prefix::of(token.kind) == Some(prefix))
        .map_or(list, |token| token.span.shifted_by(list.start))
}

/// Takes a word and the blank behind it away.
fn removal(text: &str, at: Span) -> Edit<Span> {
    let blank = text[at.end as usize..].starts_with(' ');
    Edit {
        at: Span::new(at.start, at.end + u32::from(blank)),
        text: String::new(),
    }
}
