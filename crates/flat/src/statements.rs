//! Algorithm sections and function bodies: loops stay, references are resolved.

use crate::flatten::Flattener;
use crate::lower::Cx;
use crate::model::{Algorithm, FlatExp, Origin, OriginKind, Place, Statement, StatementKind};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::tree;
use modeshift_inst::ty::Causality;
use std::sync::Arc;

impl Flattener<'_> {
    /// An algorithm section; `None` if nothing is left of it.
    pub(crate) fn algorithm(&mut self, algorithm: &tree::Algorithm) -> Option<Algorithm> {
        let instance = self.instance_name().clone();
        let statements = statements(&mut self.cx, &algorithm.statements, &instance);
        let origin = self.origin(algorithm.place, OriginKind::Algorithm);
        (!statements.is_empty()).then_some(Algorithm { statements, origin })
    }
}

/// Lowers statements in the current scope.
pub(crate) fn statements(
    cx: &mut Cx<'_>,
    statements: &[tree::Statement],
    instance: &Arc<str>,
) -> Vec<Statement> {
    let mut out = Vec::with_capacity(statements.len());
    let printed = !cx.scalar && !cx.keep_arrays && !cx.classic;
    let outer = std::mem::replace(&mut cx.in_statement, printed);
    for statement in statements {
        let mut lower = Lower { cx, instance };
        lower.statement(statement, &mut out);
    }
    cx.in_statement = outer;
    out
}

struct Lower<'f, 'a> {
    cx: &'f mut Cx<'a>,
    instance: &'f Arc<str>,
}

impl Lower<'_, '_> {
    fn block(&mut self, body: &[tree::Statement]) -> Vec<Statement> {
        let mut out = Vec::with_capacity(body.len());
        for statement in body {
            self.statement(statement, &mut out);
        }
        out
    }

    fn statement(&mut self, statement: &tree::Statement, out: &mut Vec<Statement>) {
        use tree::StatementKind as Tree;
        let kind = match &statement.kind {
            Tree::Assign { target, value, ty } => {
                let target = self.cx.target(target);
                let value = self.cx.value(value);
                if let (Exp::Tuple(targets), Exp::Tuple(values)) = (&target, &value) {
                    return self.one_by_one(statement.place, targets, values, out);
                }
                let ty = ty.clone();
                StatementKind::Assign { target, value, ty }
            }
            Tree::If { branches, else_ } => return self.if_(statement.place, branches, else_, out),
            Tree::For {
                iterator,
                range,
                body,
            } => {
                let range = range.as_ref().map(|range| self.cx.range(range));
                let body = self.cx_body(*iterator, body);
                StatementKind::For {
                    iterator: *iterator,
                    range,
                    body,
                }
            }
            Tree::While { condition, body } => StatementKind::While {
                condition: self.cx.scalar(condition),
                body: self.block(body),
            },
            Tree::When { branches } => StatementKind::When {
                branches: self.branches(branches),
            },
            Tree::Assert {
                condition,
                message,
                level,
            } => {
                let condition = self.cx.scalar(condition);
                if condition == Exp::Bool(true) {
                    return;
                }
                StatementKind::Assert {
                    condition,
                    message: self.cx.scalar(message),
                    level: self.cx.scalar(level),
                }
            }
            Tree::Terminate { message } => StatementKind::Terminate {
                message: self.cx.scalar(message),
            },
            Tree::Reinit { variable, value } => StatementKind::Reinit {
                variable: self.cx.value(variable),
                value: self.cx.value(value),
            },
            Tree::Call(call) => {
                let call = self.cx.value(call);
                if self.does_nothing(&call) {
                    return;
                }
                StatementKind::Call(call)
            }
            Tree::Break => StatementKind::Break,
            Tree::Return => StatementKind::Return,
        };
        let mut made = self.made(statement.place, kind);
        if let Some(comment) = &statement.comment {
            Arc::make_mut(&mut made.origin).comment = Some(comment.clone());
        }
        out.push(made);
    }

    /// Whether a call with known arguments is of a function without results and without statements.
    fn does_nothing(&self, call: &FlatExp) -> bool {
        let Exp::Call(call) = call else { return false };
        if !call.args.iter().all(crate::simplify::is_literal) {
            return false;
        }
        let Callee::User(name) = &call.function else {
            return false;
        };
        let instance = self.cx.instance;
        let function = instance.functions.iter().find(|it| it.name == *name);
        function.is_some_and(|function| {
            let is_output = |id: &tree::ComponentId| {
                instance.components[*id].causality == Some(Causality::Output)
            };
            let is_empty = match &function.body {
                tree::FunctionBody::Algorithm(body) => body.is_empty(),
                tree::FunctionBody::Partial => true,
                _ => false,
            };
            is_empty && function.pure && !function.variables.iter().any(is_output)
        })
    }

    /// `(a, b) := (1, 2)`, after the evaluation of a call with several outputs.
    fn one_by_one(
        &self,
        place: Place,
        targets: &[Option<FlatExp>],
        values: &[Option<FlatExp>],
        out: &mut Vec<Statement>,
    ) {
        for pair in targets.iter().zip(values) {
            if let (Some(target), Some(value)) = pair {
                let (target, value) = (target.clone(), value.clone());
                let ty = modeshift_inst::ty::Type::Unknown;
                out.push(self.made(place, StatementKind::Assign { target, value, ty }));
            }
        }
    }

    fn made(&self, place: Place, kind: StatementKind) -> Statement {
        let origin = Arc::new(Origin {
            span: place,
            also: Vec::new(),
            instance: self.instance.clone(),
            kind: OriginKind::Algorithm,
            comment: None,
        });
        Statement { kind, origin }
    }

    /// The body of a loop that stays: its iterator stays a name.
    fn cx_body(
        &mut self,
        iterator: modeshift_base::Name,
        body: &[tree::Statement],
    ) -> Vec<Statement> {
        self.cx.iterators.push((iterator, Exp::Iterator(iterator)));
        let body = self.block(body);
        self.cx.iterators.pop();
        body
    }

    fn branches(
        &mut self,
        branches: &[(Exp, Vec<tree::Statement>)],
    ) -> Vec<(FlatExp, Vec<Statement>)> {
        let mut lowered = Vec::with_capacity(branches.len());
        for (condition, body) in branches {
            let condition = self.cx.when_condition(condition);
            lowered.push((condition, self.block(body)));
        }
        lowered
    }

    fn if_(
        &mut self,
        place: Place,
        branches: &[(Exp, Vec<tree::Statement>)],
        else_: &[tree::Statement],
        out: &mut Vec<Statement>,
    ) {
        let mut kept: Vec<(FlatExp, Vec<Statement>)> = Vec::new();
        for (condition, body) in branches {
            match self.cx.scalar(condition) {
                Exp::Bool(false) => {}
                Exp::Bool(true) if kept.is_empty() => {
                    out.extend(self.block(body));
                    return;
                }
                Exp::Bool(true) => {
                    let else_ = self.block(body);
                    out.push(self.made(
                        place,
                        StatementKind::If {
                            branches: kept,
                            else_,
                        },
                    ));
                    return;
                }
                condition => {
                    let body = self.block(body);
                    kept.push((condition, body));
                }
            }
        }
        let else_ = self.block(else_);
        if kept.is_empty() {
            out.extend(else_);
        } else {
            out.push(self.made(
                place,
                StatementKind::If {
                    branches: kept,
                    else_,
                },
            ));
        }
    }
}
