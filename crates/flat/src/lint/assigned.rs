//! Outputs that a function assigns on some of its ways only.
//!
//! Follows the branches of `if`. A loop is taken to run, and an element or a field to stand for the whole: what is
//! reported is a way through the function on which nothing at all is assigned. An array of open size that conditions on
//! sizes leave out may be empty there: nothing is said of it.

use super::target_locals;
use crate::model::{
    FlatExp, FlatRef, Function, FunctionBody, FunctionDim, Place, Statement, StatementKind,
};
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{BinaryOp, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Type};

pub(super) fn sometimes_unassigned(function: &Function) -> Vec<Diagnostic<Place>> {
    let FunctionBody::Algorithm(statements) = &function.body else {
        return Vec::new();
    };
    let mut ever: FxHashSet<Name> = FxHashSet::default();
    for statement in statements {
        super::assigned_locals(statement, &mut ever);
    }
    let mut found = Vec::new();
    for output in &function.locals {
        let name = output.name;
        let needs = output.causality == Some(Causality::Output)
            && output.binding.is_none()
            && output.defaults.is_empty()
            && ever.contains(&name);
        if !needs {
            continue;
        }
        let mut way = Way {
            name,
            may_be_empty: (output.dims.iter())
                .any(|dim| matches!(dim, FunctionDim::Flexible | FunctionDim::Given(_))),
            lacking: None,
        };
        if way.follow(statements) == Now::Open
            && let Some((place, no_else)) = way.lacking
        {
            found.push(
                Diagnostic::new(
                    Code::MS2047,
                    format!(
                        "the function `{}` does not always assign its output `{name}`",
                        function.name
                    ),
                )
                .label(
                    place,
                    match no_else {
                        true => {
                            format!("`{name}` has no value if none of these conditions is true")
                        }
                        false => format!("not every branch assigns `{name}`"),
                    },
                )
                .note(match no_else {
                    true => {
                        format!("add an `else` that assigns `{name}`, or assign it before the `if`")
                    }
                    false => format!("assign `{name}` in every branch, or before the `if`"),
                }),
            );
        }
    }
    found
}

/// Whether the statements end with an assertion that never holds: `assert(false, "not defined for this medium")`.
pub(super) fn always_fails(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Assert { condition, .. } => *condition == Exp::Bool(false),
        StatementKind::If { branches, else_ } => {
            always_fails(else_) && branches.iter().all(|(_, body)| always_fails(body))
        }
        _ => false,
    })
}

/// What is known of the output after some statements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    Assigned,
    Open,
    /// The function does not come here.
    Never,
}

struct Way {
    name: Name,
    /// An array whose size follows from the call.
    may_be_empty: bool,
    /// The last `if` after which the output may be open, and whether an `else` is what it lacks.
    lacking: Option<(Place, bool)>,
}

impl Way {
    fn follow(&mut self, statements: &[Statement]) -> Now {
        for statement in statements {
            match self.one(statement) {
                Now::Open => {}
                done => return done,
            }
        }
        Now::Open
    }

    fn one(&mut self, statement: &Statement) -> Now {
        match &statement.kind {
            StatementKind::Assign { target, .. } => {
                let mut assigned = FxHashSet::default();
                target_locals(target, &mut assigned);
                match assigned.contains(&self.name) {
                    true => Now::Assigned,
                    false => Now::Open,
                }
            }
            StatementKind::If { branches, else_ } => {
                let mut ways: Vec<Now> = Vec::new();
                for (_, body) in branches {
                    ways.push(self.follow(body));
                }
                let no_else = else_.is_empty();
                if !no_else || !covers_all(branches) {
                    ways.push(self.follow(else_));
                }
                if ways.contains(&Now::Open) {
                    let sized = || branches.iter().all(|(condition, _)| about_sizes(condition));
                    if self.may_be_empty && ways.contains(&Now::Assigned) && sized() {
                        return Now::Assigned;
                    }
                    // Some branch is about the output: this is where the way around it is.
                    if ways.contains(&Now::Assigned) {
                        let others = &ways[..ways.len() - 1];
                        let only_else = no_else && !others.contains(&Now::Open);
                        self.lacking = Some((statement.origin.span, only_else));
                    }
                    return Now::Open;
                }
                match ways.contains(&Now::Assigned) {
                    true => Now::Assigned,
                    false => Now::Never,
                }
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                let mut inside = FxHashSet::default();
                body.iter()
                    .for_each(|it| super::assigned_locals(it, &mut inside));
                match inside.contains(&self.name) {
                    true => Now::Assigned,
                    false => Now::Open,
                }
            }
            StatementKind::Assert { condition, .. } if *condition == Exp::Bool(false) => Now::Never,
            // A call for its effect alone may end the program.
            StatementKind::Terminate { .. } | StatementKind::Call(_) => Now::Never,
            _ => Now::Open,
        }
    }
}

/// Whether a condition compares sizes and other Integers only.
fn about_sizes(condition: &FlatExp) -> bool {
    match condition {
        Exp::Int(_) | Exp::Size(..) => true,
        Exp::Ref(FlatRef::Local(local)) => *local.ty.element() == Type::Integer,
        Exp::Binary(_, sides) => about_sizes(&sides.0) && about_sizes(&sides.1),
        Exp::Unary(_, inner) | Exp::Cast(_, inner) => about_sizes(inner),
        Exp::Call(call) => call.args.iter().all(about_sizes),
        _ => false,
    }
}

/// Whether the conditions of an `if` without `else` leave nothing over, as far as their form tells: comparisons of one
/// value with several, or a condition and its opposite.
fn covers_all(branches: &[(FlatExp, Vec<Statement>)]) -> bool {
    let conditions: Vec<&FlatExp> = branches.iter().map(|(condition, _)| condition).collect();
    let compared = |exp: &FlatExp| match exp {
        Exp::Binary(BinaryOp::Equal, sides) => Some(sides.0.clone()),
        _ => None,
    };
    if conditions.len() > 1
        && let Some(first) = compared(conditions[0])
        && conditions
            .iter()
            .all(|it| compared(it).as_ref() == Some(&first))
    {
        return true;
    }
    conditions
        .windows(2)
        .any(|pair| opposite(pair[0], pair[1]) || opposite(pair[1], pair[0]))
}

fn opposite(a: &FlatExp, b: &FlatExp) -> bool {
    match (a, b) {
        (_, Exp::Unary(UnaryOp::Not, inner)) => **inner == *a,
        (Exp::Binary(p, x), Exp::Binary(q, y)) if x == y => matches!(
            (p, q),
            (BinaryOp::Less, BinaryOp::GreaterEq)
                | (BinaryOp::LessEq, BinaryOp::Greater | BinaryOp::GreaterEq)
                | (BinaryOp::Equal, BinaryOp::NotEqual)
        ),
        _ => false,
    }
}
