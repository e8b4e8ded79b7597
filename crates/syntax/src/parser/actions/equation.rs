//! Equations and statements.

use super::Context;
use crate::ast::{
    BinaryOp, Branch, Comment, Equation, EquationKind, Expr, ExprKind, Statement, StatementKind,
};
use crate::token::Token;
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};

/// A condition with what it guards, as the grammar reads it.
type Guarded<T> = Box<(Expr, Vec<T>)>;

pub fn branches<T>(first: Guarded<T>, rest: Vec<Guarded<T>>) -> Vec<Branch<T>> {
    let branch = |guarded: Guarded<T>| {
        let (condition, body) = *guarded;
        Branch { condition, body }
    };
    std::iter::once(first).chain(rest).map(branch).collect()
}

pub fn equation(kind: Box<EquationKind>, comment: Comment, span: Span) -> Box<Equation> {
    Box::new(Equation {
        kind: *kind,
        comment,
        span,
    })
}

pub fn statement(kind: Box<StatementKind>, comment: Comment, span: Span) -> Box<Statement> {
    Box::new(Statement {
        kind: *kind,
        comment,
        span,
    })
}

impl Context<'_> {
    pub fn assign_in_equation(&mut self, lhs: Expr, op: Token, rhs: Expr) -> EquationKind {
        self.report(
            Diagnostic::new(Code::MS0008, "an equation is written with `=`, not `:=`")
                .label(op.span, "write `=`")
                .note("`:=` assigns a value in an `algorithm` section; an equation states that both sides are equal.")
                .fix("replace `:=` with `=`", vec![Edit { at: op.span, text: "=".into() }]),
        );
        EquationKind::Equality { lhs, rhs }
    }

    pub fn call_equation(&mut self, expr: Expr) -> EquationKind {
        match expr.kind {
            ExprKind::Call { function, args } => EquationKind::Call {
                function,
                args: *args,
            },
            ExprKind::Binary {
                op: BinaryOp::Equal,
                lhs,
                rhs,
            } => {
                self.double_equals(&lhs, &rhs, "an equation is written with `=`, not `==`", "=");
                EquationKind::Equality {
                    lhs: *lhs,
                    rhs: *rhs,
                }
            }
            _ => {
                self.report(
                    Diagnostic::new(Code::MS0001, "an equation needs `=` between two sides")
                        .label(expr.span, "this is an expression, it states nothing"),
                );
                EquationKind::Error
            }
        }
    }

    fn double_equals(&mut self, lhs: &Expr, rhs: &Expr, message: &str, right: &str) {
        let between = Span::new(lhs.span.end, rhs.span.start);
        let operator = self
            .text
            .get(between.range())
            .and_then(|text| text.find("=="));
        let at = operator.map_or(between, |at| {
            let start = between.start + at as u32;
            Span::new(start, start + 2)
        });
        self.report(
            Diagnostic::new(Code::MS0008, message)
                .label(at, format!("write `{right}`"))
                .note("`==` compares two values.")
                .fix(
                    format!("write `{right}`"),
                    vec![Edit {
                        at,
                        text: right.into(),
                    }],
                ),
        );
    }

    pub fn assignment(&mut self, target: Expr, value: Expr) -> StatementKind {
        match target.kind {
            ExprKind::Ref(target) => StatementKind::Assign { target, value },
            ExprKind::Paren(inner) => self.tuple_assignment(vec![Some(*inner)], value),
            ExprKind::Tuple(targets) => self.tuple_assignment(targets, value),
            _ => {
                self.report(
                    Diagnostic::new(Code::MS0001, "only a variable can be assigned")
                        .label(target.span, "this is not a variable")
                        .note("On the left of `:=` is a variable, or a list of variables in parentheses."),
                );
                StatementKind::Error
            }
        }
    }

    fn tuple_assignment(&mut self, targets: Vec<Option<Expr>>, value: Expr) -> StatementKind {
        match value.kind {
            ExprKind::Call { function, args } => StatementKind::AssignTuple {
                targets,
                function,
                args: *args,
            },
            _ => {
                self.report(
                    Diagnostic::new(
                        Code::MS0001,
                        "several variables are assigned from a function call only",
                    )
                    .label(value.span, "this is not a function call"),
                );
                StatementKind::Error
            }
        }
    }

    pub fn equals_in_statement(&mut self, target: Expr, op: Token, value: Expr) -> StatementKind {
        self.report(
            Diagnostic::new(Code::MS0008, "a statement assigns with `:=`, not `=`")
                .label(op.span, "write `:=`")
                .note("`=` states an equation in an `equation` section; an algorithm assigns values in order.")
                .fix("replace `=` with `:=`", vec![Edit { at: op.span, text: ":=".into() }]),
        );
        self.assignment(target, value)
    }

    pub fn call_statement(&mut self, expr: Expr) -> StatementKind {
        match expr.kind {
            ExprKind::Call { function, args } => {
                return StatementKind::Call {
                    function,
                    args: *args,
                };
            }
            ExprKind::Binary {
                op: BinaryOp::Equal,
                lhs,
                rhs,
            } => {
                self.double_equals(&lhs, &rhs, "a statement assigns with `:=`, not `==`", ":=");
                return self.assignment(*lhs, *rhs);
            }
            _ => {}
        }
        self.report(
            Diagnostic::new(
                Code::MS0001,
                "a statement assigns with `:=` or calls a function",
            )
            .label(expr.span, "this is an expression, it does nothing"),
        );
        StatementKind::Error
    }
}
