//! Expressions, literals and descriptions.

use super::Context;
use crate::ast::{
    Args, BinaryOp, ComponentRef, Description, Expr, ExprKind, Ident, Iterator, NamedArg, Path,
    RefPart, Subscript, UnaryOp,
};
use crate::token::Token;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic};

/// An argument of a call.
pub enum CallArg {
    Positional(Expr),
    Named(NamedArg),
}
pub fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

pub fn reference(reference: ComponentRef) -> Expr {
    let span = reference.span;
    expr(ExprKind::Ref(reference), span)
}

pub fn component_ref(dot: Option<Token>, parts: Vec<RefPart>) -> ComponentRef {
    let first = parts.first().map_or(Span::default(), |part| part.span);
    let last = parts.last().map_or(first, |part| part.span);
    let start = dot.map_or(first, |dot| dot.span);
    ComponentRef {
        global: dot.is_some(),
        parts,
        span: start.to(last),
    }
}

pub fn binary(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    let span = lhs.span.to(rhs.span);
    expr(
        ExprKind::Binary {
            op,
            lhs: Box::new(lhs),
            rhs: Box::new(rhs),
        },
        span,
    )
}

pub fn unary(start: u32, op: UnaryOp, operand: Expr) -> Expr {
    let span = Span::new(start, operand.span.end);
    expr(
        ExprKind::Unary {
            op,
            operand: Box::new(operand),
        },
        span,
    )
}

pub fn sign(op: BinaryOp) -> UnaryOp {
    match op {
        BinaryOp::Sub => UnaryOp::Minus,
        BinaryOp::ElementAdd => UnaryOp::ElementPlus,
        BinaryOp::ElementSub => UnaryOp::ElementMinus,
        _ => UnaryOp::Plus,
    }
}

pub fn if_expr(start: u32, first: (Expr, Expr), rest: Vec<Box<(Expr, Expr)>>, else_: Expr) -> Expr {
    let span = Span::new(start, else_.span.end);
    let branches = std::iter::once(first)
        .chain(rest.into_iter().map(|branch| *branch))
        .collect();
    expr(
        ExprKind::If {
            branches,
            else_: Box::new(else_),
        },
        span,
    )
}

pub fn range(start: Expr, step: Option<Expr>, stop: Expr) -> Expr {
    let span = start.span.to(stop.span);
    let kind = ExprKind::Range {
        start: Box::new(start),
        step: step.map(Box::new),
        stop: Box::new(stop),
    };
    expr(kind, span)
}

pub fn call(function: ComponentRef, args: Box<Args>) -> Expr {
    let span = function.span.to(args.span);
    expr(ExprKind::Call { function, args }, span)
}

/// `(a)` is an expression in parentheses, everything else a list of outputs.
pub fn tuple(mut list: Vec<Option<Expr>>, span: Span) -> Expr {
    if list.len() == 1 {
        let kind = match list.pop().flatten() {
            Some(inner) => ExprKind::Paren(Box::new(inner)),
            None => ExprKind::Tuple(Vec::new()),
        };
        return expr(kind, span);
    }
    expr(ExprKind::Tuple(list), span)
}

pub fn index(base: Expr, subscripts: Vec<Subscript>, end: u32) -> Expr {
    let span = Span::new(base.span.start, end);
    expr(
        ExprKind::Index {
            base: Box::new(base),
            subscripts,
        },
        span,
    )
}

pub fn field_of(base: Expr, field: Ident) -> Expr {
    let span = base.span.to(field.span);
    expr(
        ExprKind::Field {
            base: Box::new(base),
            field,
        },
        span,
    )
}

pub fn reduction_args(body: Expr, iterators: Vec<Iterator>, span: Span) -> Box<Args> {
    Box::new(Args {
        positional: vec![body],
        named: Vec::new(),
        iterators,
        span,
    })
}

pub fn partial_function(function: Path, args: Box<Args>, span: Span) -> Expr {
    let parts = function
        .parts
        .into_iter()
        .map(|part| RefPart {
            name: part.name,
            subscripts: Vec::new(),
            span: part.span,
        })
        .collect();
    let function = ComponentRef {
        global: function.global,
        parts,
        span: function.span,
    };
    expr(ExprKind::PartialFunction { function, args }, span)
}

pub fn joined((text, span): (String, Span)) -> Description {
    Description {
        text: text.into(),
        span,
    }
}

impl Context<'_> {
    pub fn integer(&mut self, token: Token) -> Expr {
        let text = self.slice(token);
        match text.parse() {
            Ok(value) => expr(ExprKind::Int(value), token.span),
            Err(_) => {
                self.report(
                    Diagnostic::new(Code::MS0013, "this integer is too large")
                        .label(token.span, "does not fit 64 bits")
                        .note("Write it as a Real number, e.g. with `.0` after it, if an Integer is not needed."),
                );
                expr(ExprKind::Error, token.span)
            }
        }
    }

    pub fn real(&mut self, token: Token) -> Expr {
        match self.slice(token).parse::<f64>() {
            Ok(value) if value.is_finite() => expr(ExprKind::Real(value), token.span),
            _ => {
                self.report(
                    Diagnostic::new(Code::MS0013, "this number is too large for a Real")
                        .label(token.span, "the largest Real is about 1.8e308"),
                );
                expr(ExprKind::Error, token.span)
            }
        }
    }

    pub fn string(&mut self, token: Token) -> Expr {
        expr(ExprKind::Str(self.unescaped(token)), token.span)
    }

    /// The text of a string literal, escapes resolved.
    fn unescaped(&mut self, token: Token) -> Box<str> {
        let text = self.slice(token);
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut errors = Vec::new();
        let text = crate::string::unescape(inner, token.span.start + 1, &mut errors);
        errors.into_iter().for_each(|error| self.report(error));
        text
    }

    pub fn description(&mut self, token: Token) -> Description {
        Description {
            text: self.unescaped(token),
            span: token.span,
        }
    }

    pub fn concatenation(&mut self, first: Token, more: Token) -> (String, Span) {
        let text = self.unescaped(first).into_string();
        self.longer((text, first.span), more)
    }

    pub fn longer(&mut self, (mut text, span): (String, Span), more: Token) -> (String, Span) {
        text.push_str(&self.unescaped(more));
        (text, span.to(more.span))
    }

    pub fn keyword_call(&mut self, word: Token, args: Box<Args>) -> Expr {
        call(component_ref(None, vec![self.ref_part(word)]), args)
    }

    pub fn args(&mut self, list: Vec<CallArg>, span: Span) -> Box<Args> {
        let mut args = Args {
            span,
            ..Args::default()
        };
        for arg in list {
            match arg {
                CallArg::Positional(value) => {
                    if let Some(named) = args.named.last() {
                        self.report(
                            Diagnostic::new(
                                Code::MS0001,
                                "arguments by position come before named ones",
                            )
                            .label(value.span, "this argument has no name")
                            .label(named.name.span, "a named argument precedes it"),
                        );
                    }
                    args.positional.push(value);
                }
                CallArg::Named(named) => args.named.push(named),
            }
        }
        Box::new(args)
    }
}
