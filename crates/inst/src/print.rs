//! Syntax back to text, for messages, comparison and annotations that are passed on.

use modeshift_syntax::ast::{
    Annotation, Args, Argument, ArgumentKind, BinaryOp, Binding, ComponentRef, Expr, ExprKind,
    Modification, Subscript, UnaryOp,
};
use std::sync::Arc;

/// The arguments of an annotation.
pub(crate) fn annotation(annotation: &Annotation) -> Arc<str> {
    arguments(&annotation.args).into()
}

fn arguments(args: &[Argument]) -> String {
    args.iter().map(argument).collect::<Vec<_>>().join(", ")
}

fn argument(argument: &Argument) -> String {
    match &argument.kind {
        ArgumentKind::Modify {
            target,
            modification: inner,
            ..
        } => {
            let path: Vec<&str> = target.iter().map(|part| part.name.as_str()).collect();
            format!(
                "{}{}",
                path.join("."),
                inner.as_deref().map(modification).unwrap_or_default()
            )
        }
        ArgumentKind::RedeclareComponent(clause) => {
            let name = clause
                .declarations
                .first()
                .map_or("", |decl| decl.name.name.as_str());
            format!("redeclare {name}")
        }
        ArgumentKind::RedeclareClass(class) => format!("redeclare {}", class.name.name),
        ArgumentKind::BreakComponent(name) => format!("break {}", name.name),
        ArgumentKind::BreakConnect(a, b) => {
            format!("break connect({}, {})", reference(a), reference(b))
        }
        ArgumentKind::Error => String::new(),
    }
}

pub(crate) fn modification(modification: &Modification) -> String {
    let mut text = String::new();
    if !modification.args.is_empty() {
        text = format!("({})", arguments(&modification.args));
    }
    match &modification.binding {
        Some(Binding::Expr(exp)) => text + " = " + &expr(exp),
        Some(Binding::Break(_)) => text + " = break",
        None => text,
    }
}

pub(crate) fn subscripts(subscripts: &[Subscript]) -> String {
    if subscripts.is_empty() {
        return String::new();
    }
    let items: Vec<String> = subscripts
        .iter()
        .map(|subscript| match subscript {
            Subscript::All(_) => ":".to_owned(),
            Subscript::Expr(exp) => expr(exp),
        })
        .collect();
    format!("[{}]", items.join(", "))
}

pub(crate) fn reference(reference: &ComponentRef) -> String {
    let parts: Vec<String> = reference
        .parts
        .iter()
        .map(|part| format!("{}{}", part.name, subscripts(&part.subscripts)))
        .collect();
    parts.join(".")
}

fn args(args: &Args) -> String {
    let mut items: Vec<String> = args.positional.iter().map(expr).collect();
    items.extend(
        args.named
            .iter()
            .map(|named| format!("{} = {}", named.name.name, expr(&named.value))),
    );
    items.join(", ")
}

/// An expression in one line. Parentheses are as written.
pub(crate) fn expr(exp: &Expr) -> String {
    match &exp.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Real(value) => value.to_string(),
        ExprKind::Str(text) => format!("{text:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Ref(inner) => reference(inner),
        ExprKind::Call {
            function,
            args: inner,
        } => format!("{}({})", reference(function), args(inner)),
        ExprKind::Unary { op, operand } => {
            let op = match op {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
                UnaryOp::ElementPlus => ".+",
                UnaryOp::ElementMinus => ".-",
                UnaryOp::Not => "not ",
            };
            format!("{op}{}", expr(operand))
        }
        ExprKind::Binary { op, lhs, rhs } => {
            format!("{} {} {}", expr(lhs), operator(*op), expr(rhs))
        }
        ExprKind::If { branches, else_ } => {
            let mut text = String::new();
            for (index, (condition, value)) in branches.iter().enumerate() {
                text += if index == 0 { "if " } else { " elseif " };
                text += &format!("{} then {}", expr(condition), expr(value));
            }
            format!("{text} else {}", expr(else_))
        }
        ExprKind::Range { start, step, stop } => match step {
            Some(step) => format!("{}:{}:{}", expr(start), expr(step), expr(stop)),
            None => format!("{}:{}", expr(start), expr(stop)),
        },
        ExprKind::Array(items) => format!(
            "{{{}}}",
            items.iter().map(expr).collect::<Vec<_>>().join(", ")
        ),
        ExprKind::Comprehension { body, .. } => format!("{{{} for …}}", expr(body)),
        ExprKind::Matrix(rows) => {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| row.iter().map(expr).collect::<Vec<_>>().join(", "))
                .collect();
            format!("[{}]", rows.join("; "))
        }
        ExprKind::Tuple(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| item.as_ref().map(expr).unwrap_or_default())
                .collect();
            format!("({})", items.join(", "))
        }
        ExprKind::Paren(inner) => format!("({})", expr(inner)),
        ExprKind::Index {
            base,
            subscripts: inner,
        } => format!("{}{}", expr(base), subscripts(inner)),
        ExprKind::Field { base, field } => format!("{}.{}", expr(base), field.name),
        ExprKind::PartialFunction {
            function,
            args: inner,
        } => format!("function {}({})", reference(function), args(inner)),
        ExprKind::End => "end".to_owned(),
        ExprKind::Error => String::new(),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    crate::typing::symbol(op)
}
