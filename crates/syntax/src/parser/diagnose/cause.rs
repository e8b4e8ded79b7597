//! Recognises what the modeller did wrong from the words around the place where the parser stumbled.
//!
//! Each cause is one function that looks at the place and either knows it or passes; the first that knows it
//! writes the message. The order is from the specific to the general.

use super::super::actions::Around;
use super::Site;
use crate::token::{Token, TokenKind};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

type Message = Diagnostic<Span>;

pub(super) fn message(site: &Site<'_>) -> Message {
    const CAUSES: [fn(&Site<'_>) -> Option<Message>; 24] = [
        loop_by_equals,
        comma_for_semicolon,
        returned_value,
        missing_semicolon,
        reserved_word,
        name_begins_with_digit,
        decimal_comma,
        second_dot,
        superfluous_comma,
        compound_assignment,
        signed_operand,
        comparison_as_value,
        connect_without_brackets,
        connected_expression,
        missing_type,
        comparison_by_equals,
        missing_word,
        second_type,
        missing_comma,
        missing_then,
        missing_operator,
        missing_operand,
        stray_keyword,
        end_of_file,
    ];
    CAUSES
        .iter()
        .find_map(|cause| cause(site))
        .unwrap_or_else(|| unexpected(site))
}

/// Words with which only a new statement, section or class begins.
pub(super) fn begins_statement(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(
        kind,
        K::Equation
            | K::InitialEquation
            | K::Algorithm
            | K::InitialAlgorithm
            | K::Public
            | K::Protected
            | K::End
            | K::Import
            | K::Extends
            | K::Connect
            | K::When
            | K::While
            | K::ElseWhen
            | K::Parameter
            | K::Constant
            | K::Model
            | K::Package
            | K::Record
            | K::Connector
            | K::Block
            | K::Class
            | K::Type
    )
}

fn missing_semicolon(site: &Site<'_>) -> Option<Message> {
    let before = site.before(1).filter(|_| site.lacks_semicolon())?;
    let piece = match site.around {
        Around::Complete(piece) => piece,
        Around::Broken(_) => "line",
    };
    let gap = Span::new(before.span.end, before.span.end);
    let mut message = Diagnostic::new(Code::MS0002, format!("expected `;` after this {piece}"))
        .label(gap, "`;` is missing here");
    if !site.at_end() {
        message = message.label(
            site.found.span,
            format!("{} begins something new", named(site, site.found)),
        );
    }
    Some(message.fix(
        "insert `;`",
        vec![Edit {
            at: gap,
            text: ";".into(),
        }],
    ))
}

/// `sum(x[i] for i = 1:n)`: the `=` of a loop in other languages.
fn loop_by_equals(site: &Site<'_>) -> Option<Message> {
    let loops = site
        .before(2)
        .is_some_and(|word| word.kind == TokenKind::For);
    if site.found.kind != TokenKind::Equals || !loops {
        return None;
    }
    let message = Diagnostic::new(Code::MS0022, "the range of a loop follows `in`, not `=`");
    let edit = Edit {
        at: site.found.span,
        text: "in".into(),
    };
    Some(
        message
            .label(site.found.span, "write `in`")
            .fix("write `in`", vec![edit]),
    )
}

/// A `,` at the end of a line where the declaration or equation should have ended.
fn comma_for_semicolon(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    if site.in_brackets() || site.at_end() {
        return None;
    }
    let begins = |index: usize| {
        let (Some(before), Some(token)) = (index.checked_sub(1), site.tokens.get(index)) else {
            return false;
        };
        let before = site.tokens.get(before).map_or(0, |token| token.span.end);
        let gap = site.text.get(before as usize..token.span.start as usize);
        gap.is_some_and(|gap| gap.contains(['\n', '\r']))
    };
    let is_comma = |token: Option<Token>| token.filter(|token| token.kind == K::Comma);
    let declares = begins_statement(site.found.kind)
        || matches!(
            site.found.kind,
            K::Final
                | K::Discrete
                | K::Input
                | K::Output
                | K::Inner
                | K::Outer
                | K::Replaceable
                | K::Flow
        );
    // `Real a = 1,` before `parameter Real b`; before `Real b`; and `a = b,` in an equation.
    let comma = if let Some(comma) = is_comma(site.before(1)) {
        (declares && begins(site.index)).then_some(comma)
    } else if let Some(comma) = is_comma(site.before(2)) {
        let typed = site.before_kind() == Some(K::Ident) && site.found.kind == K::Ident;
        (typed && begins(site.index - 1)).then_some(comma)
    } else {
        let ends = site.expects(";") || matches!(site.around, Around::Complete(_));
        (site.found.kind == K::Comma && ends && begins(site.index + 1)).then_some(site.found)
    }?;
    let piece = match site.around {
        Around::Complete(piece) | Around::Broken(piece) => piece,
    };
    Some(
        Diagnostic::new(
            Code::MS0002,
            format!("this {piece} ends with `,` instead of `;`"),
        )
        .label(comma.span, "write `;`")
        .fix(
            "write `;`",
            vec![Edit {
                at: comma.span,
                text: ";".into(),
            }],
        ),
    )
}

/// `return y;`: a function returns what its outputs hold.
fn returned_value(site: &Site<'_>) -> Option<Message> {
    let word = site
        .before(1)
        .filter(|word| word.kind == TokenKind::Return)?;
    if site.found.kind == TokenKind::Semicolon || site.at_end() {
        return None;
    }
    Some(
        Diagnostic::new(Code::MS0001, "`return` takes no value")
            .label(site.found.span, "no value can follow `return`")
            .label(word.span, "leaves the function")
            .note("a function returns the values of its outputs: assign the output with `:=`, then write `return;`"),
    )
}

fn reserved_word(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let word = site.slice(site.found);
    let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let name_follows = matches!(
        site.after_kind(1),
        Some(K::Semicolon | K::Equals | K::Assign | K::Comma | K::LBracket | K::Dot | K::RParen)
    ) || (site.after_kind(1) == Some(K::LParen)
        && site.before_kind() == Some(K::Ident));
    if site.found.kind == K::Ident
        || !is_word
        || !name_follows
        || !site.expects("IDENT")
        || site.at_end()
    {
        return None;
    }
    Some(reserved(site))
}

/// The word found is a keyword that is used as a name.
pub(super) fn reserved(site: &Site<'_>) -> Message {
    let word = site.slice(site.found);
    Diagnostic::new(
        Code::MS0015,
        format!("`{word}` is a word of the language and cannot be a name"),
    )
    .label(site.found.span, "reserved word")
    .note("Choose another name, or write it as a quoted identifier everywhere.")
    .fix(
        format!("write `'{word}'`"),
        vec![Edit {
            at: site.found.span,
            text: format!("'{word}'"),
        }],
    )
}

/// Powers of ten as circuit simulators write them.
const SUFFIXES: [(&str, i32); 10] = [
    ("f", -15),
    ("p", -12),
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("k", 3),
    ("K", 3),
    ("Meg", 6),
    ("MEG", 6),
    ("G", 9),
];

fn name_begins_with_digit(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let number = |token: Token| matches!(token.kind, K::Integer | K::Real);
    let (number, word) = match (site.before(1), site.found, site.tokens.get(site.index + 1)) {
        (Some(before), found, _) if number(before) && found.kind == K::Ident => (before, found),
        (_, found, Some(&after)) if number(found) && after.kind == K::Ident => (found, after),
        _ => return None,
    };
    if number.span.end != word.span.start {
        return None;
    }
    let span = number.span.to(word.span);
    let text = site.text.get(span.range()).unwrap_or_default();
    let suffix = site.text.get(word.span.range()).unwrap_or_default();
    let power = SUFFIXES.iter().find(|(name, _)| *name == suffix);
    if let (Some((_, power)), Some(digits)) = (power, site.text.get(number.span.range()))
        && !digits.contains(['e', 'E'])
    {
        let right = format!("{digits}e{power}");
        return Some(
            Diagnostic::new(
                Code::MS0001,
                format!("Modelica has no suffixes for powers of ten: write `{right}`"),
            )
            .label(span, format!("`{suffix}` belongs to no number"))
            .fix(
                format!("write `{right}`"),
                vec![Edit {
                    at: span,
                    text: right,
                }],
            ),
        );
    }
    Some(
        Diagnostic::new(
            Code::MS0001,
            format!("`{text}` is neither a number nor a name"),
        )
        .label(span, "a name begins with a letter")
        .note("Between a number and a variable there is an operator, e.g. `2*x`."),
    )
}

/// `0,5`: a decimal comma.
fn decimal_comma(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let (whole, comma) = (site.before(2)?, site.before(1)?);
    let number = |token: Token| matches!(token.kind, K::Integer | K::Real);
    let touch = whole.span.end == comma.span.start && comma.span.end == site.found.span.start;
    if comma.kind != K::Comma || whole.kind != K::Integer || !number(site.found) || !touch {
        return None;
    }
    let right = format!("{}.{}", site.slice(whole), site.slice(site.found));
    Some(
        Diagnostic::new(
            Code::MS0001,
            format!("a number has a decimal point, not a comma: `{right}`"),
        )
        .label(comma.span, "write `.`")
        .fix(
            format!("write `{right}`"),
            vec![Edit {
                at: comma.span,
                text: ".".into(),
            }],
        ),
    )
}

/// `Modelica.Blocks..Sources`
fn second_dot(site: &Site<'_>) -> Option<Message> {
    let before = site.before(1)?;
    if before.kind != TokenKind::Dot || site.found.kind != TokenKind::Dot {
        return None;
    }
    Some(
        Diagnostic::new(Code::MS0007, "one `.` too many")
            .label(site.found.span, "a name follows `.`")
            .fix(
                "remove `.`",
                vec![Edit {
                    at: site.found.span,
                    text: String::new(),
                }],
            ),
    )
}

/// `x += 1` and `i++` of other languages.
fn compound_assignment(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let operator = site.before(1)?;
    let arithmetic = matches!(operator.kind, K::Plus | K::Minus | K::Star | K::Slash);
    let touch = operator.span.end == site.found.span.start;
    let counts = site.found.kind == operator.kind && site.after_kind(1) == Some(K::Semicolon);
    if !arithmetic || !touch || !(site.found.kind == K::Equals || counts) {
        return None;
    }
    let words = site.tokens.get(..site.index - 1)?;
    let begins = words.iter().rposition(|word| {
        matches!(
            word.kind,
            K::Semicolon | K::Then | K::Else | K::Loop | K::Algorithm | K::Equation
        )
    })?;
    let first = words.get(begins + 1)?;
    let target = Span::new(first.span.start, operator.span.start);
    let target = site.text.get(target.range())?.trim_end();
    let symbol = site.slice(operator);
    let (value, end) = match counts {
        true => ("1".to_owned(), site.found.span.end),
        false => {
            let rest = site.tokens.get(site.index + 1..)?.iter().take(200);
            let end = rest.take_while(|word| word.kind != K::Semicolon).last()?;
            let value = Span::new(site.tokens.get(site.index + 1)?.span.start, end.span.end);
            let text = site.text.get(value.range())?;
            // Only a sum goes on with any other expression.
            match operator.kind {
                K::Plus => (text.to_owned(), end.span.end),
                _ => (format!("({text})"), end.span.end),
            }
        }
    };
    let right = format!("{target} := {target} {symbol} {value}");
    let written = format!("{symbol}{}", site.slice(site.found));
    Some(
        Diagnostic::new(
            Code::MS0009,
            format!("Modelica has no `{written}`: write `{right}`"),
        )
        .label(operator.span.to(site.found.span), "not an operator")
        .fix(
            format!("write `{right}`"),
            vec![Edit {
                at: Span::new(first.span.start, end),
                text: right,
            }],
        ),
    )
}

/// `Gain g(k == 2)`, `Gain g(k: 2)`: another sign where a value is given.
fn comparison_as_value(site: &Site<'_>) -> Option<Message> {
    let written = match site.found.kind {
        TokenKind::EqualEqual => "==",
        TokenKind::Colon if site.in_brackets() => ":",
        _ => return None,
    };
    if !site.expects("=") {
        return None;
    }
    Some(
        Diagnostic::new(
            Code::MS0008,
            format!("a value is given with `=`, not `{written}`"),
        )
        .label(site.found.span, "write `=`")
        .fix(
            "write `=`",
            vec![Edit {
                at: site.found.span,
                text: "=".into(),
            }],
        ),
    )
}

/// `connect a.p, b.p;`
fn connect_without_brackets(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let word = site.before(1).filter(|word| word.kind == K::Connect)?;
    if site.found.kind == K::LParen {
        return None;
    }
    let message = Diagnostic::new(
        Code::MS0005,
        "`connect` is written with brackets: `connect(a, b)`",
    )
    .label(site.found.span, "`(` is missing before this");
    let rest = site.tokens.get(site.index..)?.iter().take(100);
    let last = rest
        .take_while(|token| token.kind != K::Semicolon && token.kind != K::RParen)
        .last()?;
    let next = site
        .tokens
        .iter()
        .find(|token| token.span.start >= last.span.end)?;
    let mut edits = vec![Edit {
        at: Span::new(word.span.end, site.found.span.start),
        text: "(".into(),
    }];
    if next.kind != K::RParen {
        edits.push(Edit {
            at: Span::new(last.span.end, last.span.end),
            text: ")".into(),
        });
    }
    Some(message.fix("put the connectors in brackets", edits))
}

fn superfluous_comma(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let comma = site.before(1).filter(|before| before.kind == K::Comma)?;
    if !matches!(
        site.found.kind,
        K::RParen | K::RBrace | K::RBracket | K::Semicolon | K::Comma
    ) {
        return None;
    }
    let what = if site.found.kind == K::Comma {
        "something is missing between two commas"
    } else {
        "nothing follows this comma"
    };
    Some(
        Diagnostic::new(Code::MS0007, what)
            .label(comma.span, "one comma too many")
            .fix(
                "remove the comma",
                vec![Edit {
                    at: comma.span,
                    text: String::new(),
                }],
            ),
    )
}

fn is_operator(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(
        kind,
        K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Caret
            | K::DotPlus
            | K::DotMinus
            | K::DotStar
            | K::DotSlash
            | K::DotCaret
            | K::Less
            | K::LessEqual
            | K::Greater
            | K::GreaterEqual
            | K::EqualEqual
            | K::NotEqual
            | K::And
            | K::Or
            | K::Not
    )
}

/// `a * -b`: Modelica wants parentheses around a signed operand.
fn signed_operand(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let operator = site.before(1).filter(|before| is_operator(before.kind))?;
    if !matches!(site.found.kind, K::Plus | K::Minus) {
        return None;
    }
    let message = Diagnostic::new(
        Code::MS0001,
        format!("a sign cannot follow `{}` directly", site.slice(operator)),
    )
    .label(operator.span.to(site.found.span), "two operators in a row")
    .note("Put the signed operand in parentheses, e.g. `a*(-b)`.");
    let operand = site.tokens.get(site.index + 1).filter(|operand| {
        let simple = matches!(operand.kind, K::Integer | K::Real | K::Ident);
        simple
            && !matches!(
                site.after_kind(2),
                Some(K::Dot | K::LParen | K::LBracket | K::Caret | K::DotCaret)
            )
    });
    Some(match operand {
        None => message,
        Some(operand) => {
            let start = Span::new(site.found.span.start, site.found.span.start);
            let end = Span::new(operand.span.end, operand.span.end);
            message.fix(
                "put it in parentheses",
                vec![
                    Edit {
                        at: start,
                        text: "(".into(),
                    },
                    Edit {
                        at: end,
                        text: ")".into(),
                    },
                ],
            )
        }
    })
}

/// `if x = 1 then`: an equation sign where a comparison is meant.
fn comparison_by_equals(site: &Site<'_>) -> Option<Message> {
    if site.found.kind != TokenKind::Equals || !site.expects("==") {
        return None;
    }
    Some(
        Diagnostic::new(Code::MS0008, "a comparison is written `==`, not `=`")
            .label(site.found.span, "write `==`")
            .fix(
                "write `==`",
                vec![Edit {
                    at: site.found.span,
                    text: "==".into(),
                }],
            ),
    )
}

/// `then`, `loop`, `else` and the like: where a keyword is wanted, it is the only one.
fn missing_word(site: &Site<'_>) -> Option<Message> {
    let before = site.before(1)?;
    let words: Vec<&str> = site
        .expected
        .iter()
        .map(|terminal| terminal.trim_matches('"'))
        .filter(|word| matches!(*word, "then" | "loop" | "else" | "in"))
        .collect();
    let (first, rest) = words.split_first()?;
    if begins_operand(site) {
        return None;
    }
    let word = if rest.is_empty() || *first != "in" {
        first
    } else {
        rest.first()?
    };
    let gap = Span::new(before.span.end, before.span.end);
    let why = match *word {
        "then" => "a condition is followed by `then`",
        "loop" => "the head of a loop ends with `loop`",
        "else" => "an `if` expression needs an `else`",
        _ => "a range follows `in`",
    };
    let mut message = Diagnostic::new(
        Code::MS0001,
        format!("expected `{word}` before {}", named(site, site.found)),
    )
    .label(site.found.span, format!("`{word}` is missing before this"))
    .note(format!("{}.", capitalised(why)));
    if *word != "else" {
        message = message.fix(
            format!("insert `{word}`"),
            vec![Edit {
                at: gap,
                text: format!(" {word}"),
            }],
        );
    }
    Some(message)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn ends_operand(kind: TokenKind) -> bool {
    // In a subscript `end` is one.
    kind.ends_operand() || kind == TokenKind::End
}

/// An operand begins where one has just ended.
fn begins_operand(site: &Site<'_>) -> bool {
    use TokenKind as K;
    let begins = matches!(
        site.found.kind,
        K::Ident
            | K::Integer
            | K::Real
            | K::String
            | K::True
            | K::False
            | K::LBrace
            | K::LParen
            | K::Der
    );
    begins && site.before_kind().is_some_and(ends_operand)
}

/// `Real m = 2, Real k = 3;`: the names after a comma have the type before the first one.
fn second_type(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let (comma, ty) = (site.before(2)?, site.before(1)?);
    let word = site.slice(ty);
    let is_type = matches!(word, "Real" | "Integer" | "Boolean" | "String");
    if comma.kind != K::Comma || site.found.kind != K::Ident || !is_type || site.in_brackets() {
        return None;
    }
    let gap = Span::new(ty.span.start, site.found.span.start);
    Some(
        Diagnostic::new(
            Code::MS0007,
            format!("a declaration names its type once: `{word}` cannot follow a comma"),
        )
        .label(ty.span, "a second type")
        .note("all names of a list have the type at its beginning; write `;` before another type")
        .fix(
            format!("leave out `{word}`"),
            vec![Edit {
                at: gap,
                text: String::new(),
            }],
        ),
    )
}

/// `Real x start=1;`: the attribute of a declaration outside of brackets.
fn attribute_without_brackets(site: &Site<'_>, name: Token) -> Option<Message> {
    use TokenKind as K;
    let word = site.slice(site.found);
    let is_attribute = matches!(
        word,
        "start" | "fixed" | "min" | "max" | "unit" | "displayUnit" | "nominal" | "stateSelect"
    );
    let mut rest = site.tokens.get(site.index + 1..)?.iter();
    if !is_attribute || rest.next()?.kind != K::Equals {
        return None;
    }
    let variable = site.slice(name);
    let message = Diagnostic::new(
        Code::MS0016,
        format!("attributes are written in parentheses: `{variable}({word} = …)`"),
    )
    .label(site.found.span, format!("an attribute of `{variable}`"));
    let value: Vec<&Token> = rest
        .take(200)
        .take_while(|it| !matches!(it.kind, K::Semicolon | K::String | K::Annotation | K::Comma))
        .collect();
    let last = value.last()?;
    let open = Span::new(name.span.end, site.found.span.start);
    let close = Span::new(last.span.end, last.span.end);
    Some(message.fix(
        "write the parentheses",
        vec![
            Edit {
                at: open,
                text: "(".into(),
            },
            Edit {
                at: close,
                text: ")".into(),
            },
        ],
    ))
}

fn missing_comma(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let before = site.before(1)?;
    let names = before.kind == K::Ident && site.found.kind == K::Ident;
    if !site.in_brackets() && !names {
        return None;
    }
    let begins =
        begins_operand(site) || matches!(site.found.kind, K::Each | K::Final | K::Redeclare);
    if !begins || !site.expects(",") {
        return None;
    }
    if names && let Some(message) = attribute_without_brackets(site, before) {
        return Some(message);
    }
    let gap = Span::new(before.span.end, before.span.end);
    Some(
        Diagnostic::new(
            Code::MS0016,
            format!(
                "expected `,` between {} and {}",
                named(site, before),
                named(site, site.found)
            ),
        )
        .label(gap, "`,` is missing here")
        .fix(
            "insert `,`",
            vec![Edit {
                at: gap,
                text: ",".into(),
            }],
        ),
    )
}

/// `if x > 0 1 else 2`: a value where the condition of the expression has just ended.
fn missing_then(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let before = site.before(1).filter(|_| begins_operand(site))?;
    let back = site.tokens.get(..site.index)?.iter().rev().take(200);
    let mut closed = 0;
    let mut head = back.take_while(|token| {
        closed -= token.kind.nesting();
        closed >= 0 && token.kind != K::Semicolon
    });
    let word = head.find(|token| matches!(token.kind, K::If | K::ElseIf | K::Then | K::Else))?;
    let rest = site.tokens.get(site.index..)?.iter().take(200);
    let mut rest = rest.take_while(|token| token.kind != K::Semicolon);
    let goes_on = rest.find(|token| matches!(token.kind, K::Then | K::Else | K::ElseIf));
    if !matches!(word.kind, K::If | K::ElseIf)
        || !goes_on.is_some_and(|token| token.kind != K::Then)
    {
        return None;
    }
    let gap = Span::new(before.span.end, before.span.end);
    let message = Diagnostic::new(Code::MS0021, "expected `then` after this condition")
        .label(gap, "`then` is missing here")
        .label(word.span, "the condition begins here");
    Some(message.fix(
        "insert `then`",
        vec![Edit {
            at: gap,
            text: " then".into(),
        }],
    ))
}

/// `connect(2*a.y, b.u)`: an expression in the place of a connector.
fn connected_expression(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let heads = (site.before(2)?.kind, site.before(1)?.kind) == (K::Connect, K::LParen);
    if !heads || site.found.kind == K::RParen {
        return None;
    }
    Some(
        Diagnostic::new(
            Code::MS0001,
            "`connect` joins two connectors, not expressions",
        )
        .label(site.found.span, "the name of a connector is needed here")
        .note("compute the value in a block, or write an equation instead of the connection"),
    )
}

/// `parameter k = 2;`: a declaration without a type.
fn missing_type(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let (prefix, name) = (site.before(2)?, site.before(1)?);
    let declares = matches!(
        prefix.kind,
        K::Parameter | K::Constant | K::Discrete | K::Flow | K::Stream
    );
    let ends = matches!(site.found.kind, K::Equals | K::Semicolon | K::LParen);
    if !declares || !ends || name.kind != K::Ident {
        return None;
    }
    let (word, prefix) = (site.slice(name), site.slice(prefix));
    Some(
        Diagnostic::new(
            Code::MS0001,
            format!("the declaration of `{word}` has no type"),
        )
        .label(name.span, "expected a type before this name")
        .note(format!("write for example `{prefix} Real {word}`")),
    )
}

fn missing_operator(site: &Site<'_>) -> Option<Message> {
    let before = site.before(1)?;
    if !begins_operand(site) || !(site.expects("*") || matches!(site.around, Around::Complete(_))) {
        return None;
    }
    if (before.kind, site.found.kind) == (TokenKind::String, TokenKind::LParen)
        && let Some(name) = site.before(2).filter(|it| it.kind == TokenKind::Ident)
    {
        return Some(
            Diagnostic::new(
                Code::MS0001,
                "the description of a declaration comes after its attributes",
            )
            .label(
                site.found.span,
                format!("belongs right after `{}`", site.slice(name)),
            )
            .label(before.span, "the description"),
        );
    }
    let message = Diagnostic::new(
        Code::MS0001,
        format!(
            "an operator is missing between {} and {}",
            named(site, before),
            named(site, site.found)
        ),
    )
    .label(site.found.span, "expected an operator or `;` before this");
    let suffix = matches!(
        site.slice(site.found),
        "k" | "M" | "G" | "m" | "u" | "n" | "p"
    );
    let next = site.tokens.get(site.index + 1).map(|token| token.kind);
    let is_last = matches!(
        next,
        Some(TokenKind::Semicolon | TokenKind::Comma | TokenKind::RParen | TokenKind::String)
    );
    if suffix && is_last && matches!(before.kind, TokenKind::Integer | TokenKind::Real) {
        return Some(message.note(
            "numbers have no suffixes such as `k` or `m`: write `1e3` or `1e-3`; a product is written with `*`",
        ));
    }
    // A number before a name in the same line is a factor.
    let factor = matches!(before.kind, TokenKind::Integer | TokenKind::Real)
        && matches!(
            site.found.kind,
            TokenKind::Ident | TokenKind::LParen | TokenKind::Der
        )
        && !site.begins_line();
    Some(match factor {
        true => message.fix(
            "insert `*`",
            vec![Edit {
                at: Span::new(before.span.end, site.found.span.start),
                text: "*".into(),
            }],
        ),
        false => message,
    })
}

fn missing_operand(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let before = site.before(1)?;
    let wants = is_operator(before.kind)
        || matches!(
            before.kind,
            K::Equals
                | K::Assign
                | K::Then
                | K::Else
                | K::ElseIf
                | K::If
                | K::While
                | K::In
                | K::Colon
        );
    if !wants || !site.expects("INTEGER") {
        return None;
    }
    let message = if site.at_end() {
        format!(
            "the file ends where `{}` needs an expression",
            site.slice(before)
        )
    } else {
        format!(
            "an expression is missing between `{}` and {}",
            site.slice(before),
            named(site, site.found)
        )
    };
    Some(Diagnostic::new(Code::MS0001, message).label(
        before.span,
        format!("`{}` needs an expression after it", site.slice(before)),
    ))
}

/// A keyword that has lost its place.
fn stray_keyword(site: &Site<'_>) -> Option<Message> {
    use TokenKind as K;
    let home = match site.found.kind {
        K::Else | K::ElseIf => "belongs between `if` and `end if`",
        K::ElseWhen => "belongs between `when` and `end when`",
        K::Then => "follows the condition of `if` or `when`",
        K::Loop => "follows the head of `for` or `while`",
        K::Within => "is only allowed at the beginning of a file",
        K::External => "is only allowed in a function",
        _ => return None,
    };
    let word = site.slice(site.found);
    Some(
        Diagnostic::new(Code::MS0007, format!("`{word}` {home}"))
            .label(site.found.span, "does not belong here"),
    )
}

fn end_of_file(site: &Site<'_>) -> Option<Message> {
    let before = site.before(1).filter(|_| site.at_end())?;
    let wanted = wanted(site);
    Some(
        Diagnostic::new(
            Code::MS0004,
            format!("the file ends in the middle of something: expected {wanted}"),
        )
        .label(before.span, "the text stops here"),
    )
}

fn unexpected(site: &Site<'_>) -> Message {
    let found = named(site, site.found);
    let broken = match site.around {
        Around::Broken(piece) | Around::Complete(piece) => piece,
    };
    Diagnostic::new(
        Code::MS0001,
        format!("expected {}, found {found}", wanted(site)),
    )
    .label(site.found.span, format!("does not fit into this {broken}"))
}

/// A word as it is shown.
fn named(site: &Site<'_>, token: Token) -> String {
    let text = site.slice(token);
    match token.kind {
        TokenKind::String if text.len() > 20 || text.contains('\n') => "a string".into(),
        // A semicolon that the feed put before the next word.
        _ if text.is_empty() => match site.tokens.get(site.index) {
            Some(next) => format!("`{}`", site.slice(*next)),
            None => "the end of the file".into(),
        },
        _ => format!("`{text}`"),
    }
}

/// What would have fitted, in few words.
fn wanted(site: &Site<'_>) -> String {
    let mut wanted: Vec<String> = Vec::new();
    if site.expects("INTEGER") {
        wanted.push("an expression".into());
    } else if site.expects("IDENT") {
        wanted.push("a name".into());
    }
    if site.expects("*") {
        wanted.push("an operator".into());
    }
    let symbols = [
        "=", ":=", ";", ",", ")", "]", "}", "(", "end", "then", "loop", "else", "in", "if",
    ];
    let symbols = symbols.into_iter().filter(|symbol| site.expects(symbol));
    if !site.expects("INTEGER") {
        wanted.extend(
            symbols
                .map(|symbol| format!("`{symbol}`"))
                .take(4 - wanted.len().min(3)),
        );
    }
    match wanted.split_last() {
        None => "something else".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
