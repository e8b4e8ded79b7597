//! Plain equations, and what a class is without them.
//!
//! A plain equation is made of numbers, variables, sums, products and smooth functions. It decides nothing: not which
//! components there are, how they are connected or which modes the model has. So the *frame* of a class, which has a mark in
//! the place of each plain equation, is all that its other equations and its components depend on. It stays equal while somebody
//! types in a plain equation, and with it all that is made of it.

use crate::data::{Body, ClassData, ClassSpec};
use crate::{ClassId, Db, class};
use modeshift_base::Span;
use modeshift_syntax::ast::{
    BinaryOp, Comment, ComponentRef, Equation, EquationKind, Expr, ExprKind, SectionKind, UnaryOp,
};
use std::sync::Arc;

/// Built-in functions whose results change smoothly with their arguments.
pub const SMOOTH: [&str; 15] = [
    "der", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "exp", "log", "log10",
];

/// What a class declares, with marks in the places of all equations that look plain.
#[salsa::tracked(returns(ref))]
pub fn class_frame(db: &dyn Db, id: ClassId) -> Arc<ClassData> {
    frame(class(db, id), |_| true)
}

/// The same with marks in the places of those that are `chosen`, by their number among the
/// [plain equations](plain_equations). Linear in the class.
pub fn frame(data: &Arc<ClassData>, chosen: impl Fn(usize) -> bool) -> Arc<ClassData> {
    if plain_equations(data).next().is_none() {
        return data.clone();
    }
    let mut frame = ClassData::clone(data);
    if let ClassSpec::Long(body) | ClassSpec::Extends { body, .. } = &mut frame.spec {
        mark(body, &chosen);
    }
    Arc::new(frame)
}

/// Where the marks of a frame are, in the order of the text: in front of each plain equation, however long it is.
pub fn marks(frame: &ClassData) -> impl Iterator<Item = Span> {
    let equations = running_equations(frame).map(|it| it.span);
    equations.filter(|span| span.is_empty())
}

/// The equations of a class that look plain, in the order of the text, those that hold at the start only left out. What their
/// names mean may say that they are more than that.
pub fn plain_equations(data: &ClassData) -> impl Iterator<Item = &Equation> {
    running_equations(data).filter(|it| is_plain(it))
}

fn running_equations(data: &ClassData) -> impl Iterator<Item = &Equation> {
    let sections = data.body().into_iter().flat_map(|body| &body.sections);
    let running = sections.filter(|section| !section.initial);
    running.flat_map(|section| match &section.kind {
        SectionKind::Equations(equations) => equations.as_slice(),
        SectionKind::Algorithm(_) => &[],
    })
}

fn mark(body: &mut Body, chosen: &dyn Fn(usize) -> bool) {
    let mut number = 0;
    for section in &mut body.sections {
        let SectionKind::Equations(equations) = &mut section.kind else {
            continue;
        };
        // The section ends where its last equation does.
        section.span = Span::new(section.span.start, section.span.start);
        if section.initial {
            continue;
        }
        for equation in equations.iter_mut().filter(|it| is_plain(it)) {
            if chosen(number) {
                *equation = mark_instead(equation);
            }
            number += 1;
        }
    }
}

/// An equation that says nothing.
fn mark_instead(equation: &Equation) -> Equation {
    let span = Span::new(equation.span.start, equation.span.start);
    let zero = || Expr {
        kind: ExprKind::Int(0),
        span,
    };
    Equation {
        kind: EquationKind::Equality {
            lhs: zero(),
            rhs: zero(),
        },
        comment: Comment {
            description: None,
            annotation: None,
        },
        span,
    }
}

fn is_plain(equation: &Equation) -> bool {
    match &equation.kind {
        EquationKind::Equality { lhs, rhs } => is_smooth(lhs) && is_smooth(rhs),
        _ => false,
    }
}

fn is_smooth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Real(_) => true,
        ExprKind::Ref(reference) => is_simple(reference),
        ExprKind::Paren(inner) => is_smooth(inner),
        ExprKind::Unary { op, operand } => {
            matches!(op, UnaryOp::Plus | UnaryOp::Minus) && is_smooth(operand)
        }
        ExprKind::Binary { op, lhs, rhs } => {
            use BinaryOp::{Add, Div, Mul, Pow, Sub};
            matches!(op, Add | Sub | Mul | Div | Pow) && is_smooth(lhs) && is_smooth(rhs)
        }
        ExprKind::Call { function, args } => {
            let [name] = function.parts.as_slice() else {
                return false;
            };
            SMOOTH.contains(&name.name.as_str())
                && args.named.is_empty()
                && args.iterators.is_empty()
                && args.positional.iter().all(is_smooth)
        }
        _ => false,
    }
}

/// `a.b.c`
fn is_simple(reference: &ComponentRef) -> bool {
    !reference.global
        && reference
            .parts
            .iter()
            .all(|part| part.subscripts.is_empty())
}
