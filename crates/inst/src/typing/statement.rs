//! Statements of algorithms.

use super::{Env, Iter, Typed, fit};
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::Place;
use crate::tree::{Statement, StatementKind};
use crate::ty::{Causality, Type, Variability};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{self, Args, Branch, ComponentRef, Expr};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_statements(
        &mut self,
        statements: &[ast::Statement],
        env: &mut Env,
    ) -> Vec<Statement> {
        let mut typed = Vec::with_capacity(statements.len());
        for statement in statements {
            let place = env.place(statement.span);
            if let ast::StatementKind::For { iterators, body } = &statement.kind
                && self.mentions_split(body)
                && self.type_unrolled_for(iterators, body, env, &mut typed)
            {
                continue;
            }
            if let Some(kind) = self.type_statement(statement, place, env) {
                let description = statement.comment.description.as_ref();
                let comment = description.map(|text| Arc::from(&*text.text));
                typed.push(Statement {
                    kind,
                    place,
                    comment,
                });
            }
        }
        typed
    }

    /// A loop over elements of a split array, one turn after the other; false if its range is not known.
    fn type_unrolled_for(
        &mut self,
        iterators: &[ast::Iterator],
        body: &[ast::Statement],
        env: &mut Env,
        into: &mut Vec<Statement>,
    ) -> bool {
        let Some((iterator, rest)) = iterators.split_first() else {
            into.extend(self.type_statements(body, env));
            return true;
        };
        if iterator.range.is_none() {
            return false;
        }
        let range = self.type_iterator_range(iterator, None, env);
        let Some(values) = self.unrolled_values(&range) else {
            return false;
        };
        for value in values {
            let ty = range.ty.element().clone();
            env.iterators
                .push(Iter::known(iterator.name.name, ty, value));
            let done = self.type_unrolled_for(rest, body, env, into);
            env.iterators.pop();
            if !done {
                return false;
            }
        }
        true
    }

    fn type_statement(
        &mut self,
        statement: &ast::Statement,
        place: Place,
        env: &mut Env,
    ) -> Option<StatementKind> {
        match &statement.kind {
            ast::StatementKind::Assign { target, value } => self.type_assign(target, value, env),
            ast::StatementKind::AssignTuple {
                targets,
                function,
                args,
            } => self.type_assign_tuple(targets, function, args, place, env),
            ast::StatementKind::Call { function, args } => {
                self.type_call_statement(function, args, place, env)
            }
            ast::StatementKind::Break => {
                if !env.loop_ {
                    self.error(
                        Code::MS2031,
                        place,
                        "`break` can only be used in a loop",
                        "not in a loop",
                    );
                    return None;
                }
                Some(StatementKind::Break)
            }
            ast::StatementKind::Return => {
                if !env.function {
                    self.error(
                        Code::MS2031,
                        place,
                        "`return` can only be used in a function",
                        "not in a function",
                    );
                    return None;
                }
                Some(StatementKind::Return)
            }
            ast::StatementKind::If { branches, else_ } => {
                let before = std::mem::replace(&mut env.dynamic, true);
                let mut typed = Vec::with_capacity(branches.len());
                for branch in branches {
                    let condition = self.type_condition(&branch.condition, "if", env);
                    let body = self.type_statements(&branch.body, env);
                    typed.push((condition.exp, body));
                }
                let else_ = else_
                    .as_ref()
                    .map(|body| self.type_statements(body, env))
                    .unwrap_or_default();
                env.dynamic = before;
                Some(StatementKind::If {
                    branches: typed,
                    else_,
                })
            }
            ast::StatementKind::For { iterators, body } => {
                self.type_for(iterators, body, place, env)
            }
            ast::StatementKind::While { condition, body } => {
                let condition = self.type_condition(condition, "while", env);
                let before = (
                    std::mem::replace(&mut env.loop_, true),
                    std::mem::replace(&mut env.dynamic, true),
                );
                let body = self.type_statements(body, env);
                (env.loop_, env.dynamic) = before;
                Some(StatementKind::While {
                    condition: condition.exp,
                    body,
                })
            }
            ast::StatementKind::When { branches } => self.type_when(branches, place, env),
            ast::StatementKind::Error => None,
        }
    }

    fn type_target(&mut self, target: &ComponentRef, env: &mut Env) -> Typed {
        let typed = self.type_ref(target, env);
        self.check_target(&typed, target, env);
        typed
    }

    /// Only variables that the class computes can be assigned to.
    fn check_target(&mut self, typed: &Typed, target: &ComponentRef, env: &Env) {
        if typed.is_error() {
            return;
        }
        let place = env.place(target.span);
        let Exp::Ref(cref) = &typed.exp else {
            let what = if matches!(typed.exp, Exp::Iterator(_)) {
                "a loop variable cannot be assigned to"
            } else {
                "only variables can be assigned to"
            };
            self.error(Code::MS2035, place, what, "not a variable");
            return;
        };
        let Some(root) = cref.parts.first().map(|part| part.component) else {
            return;
        };
        let Some(last) = cref.component() else { return };
        let (root, last) = (&self.out.components[root], &self.out.components[last]);
        let name = root.name;
        let reason = if root.causality == Some(Causality::Input)
            && (env.function || cref.parts.len() == 1 && root.parent.is_none())
        {
            Some("an input, which is given from outside")
        } else if last.variability <= Variability::Parameter && !env.initial && !env.function {
            Some("a parameter, which does not change during the simulation")
        } else {
            None
        };
        if let Some(reason) = reason {
            let diagnostic = Diagnostic::new(
                Code::MS2035,
                format!("`{name}` cannot be assigned to"),
            )
            .label(place, "assigned here")
            .label(last.place, format!("`{}` is {reason}", last.name))
            .note(
                "assign to a variable of your own: an output, or one that is declared `protected`",
            );
            self.report(diagnostic);
        }
    }

    fn type_assign(
        &mut self,
        target: &ComponentRef,
        value: &Expr,
        env: &mut Env,
    ) -> Option<StatementKind> {
        let place = env.place(value.span);
        let target_place = env.place(target.span);
        let target = self.type_target(target, env);
        let value = super::operator::first_output(self.type_exp(value, env));
        if target.is_error() || value.is_error() && !matches!(value.exp, Exp::Array(..)) {
            return None;
        }
        if !self.is_value(&target, target_place) || !self.is_value(&value, place) {
            return None;
        }
        let given = value.exp.clone();
        let Some(exp) = fit(value.exp, &value.ty, &target.ty) else {
            let same = value.ty.element() == target.ty.element();
            let diagnostic = Diagnostic::new(
                if same { Code::MS2024 } else { Code::MS2020 },
                format!(
                    "a value of type {} cannot be assigned to a variable of type {}",
                    value.ty, target.ty
                ),
            )
            .label(place, format!("this is {}", value.ty))
            .label(target_place, format!("this is {}", target.ty));
            let value = Typed {
                exp: given,
                ..value
            };
            let sides = [(&target, target_place), (&value, place)];
            let diagnostic = self.explain_sides(diagnostic, sides);
            self.report(diagnostic);
            return None;
        };
        Some(StatementKind::Assign {
            target: target.exp,
            value: exp,
            ty: target.ty,
        })
    }

    fn type_assign_tuple(
        &mut self,
        targets: &[Option<Expr>],
        function: &ComponentRef,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<StatementKind> {
        let mut exps = Vec::with_capacity(targets.len());
        let mut types = Vec::with_capacity(targets.len());
        for target in targets {
            match target {
                Some(Expr {
                    kind: ast::ExprKind::Ref(reference),
                    ..
                }) => {
                    let typed = self.type_target(reference, env);
                    types.push(typed.ty);
                    exps.push(Some(typed.exp));
                }
                Some(other) => {
                    self.error(
                        Code::MS2035,
                        env.place(other.span),
                        "only variables can be assigned to",
                        "not a variable",
                    );
                    return None;
                }
                None => {
                    types.push(Type::Unknown);
                    exps.push(None);
                }
            }
        }
        let value = self.type_call(function, args, place.span, env);
        if value.is_error() {
            return None;
        }
        let outputs: Vec<Type> = match &value.ty {
            Type::Tuple(outputs) => outputs.to_vec(),
            Type::NoReturn => Vec::new(),
            other => vec![other.clone()],
        };
        if types.len() > outputs.len() {
            let message = format!(
                "{} values are expected, but the function has {} output{}",
                types.len(),
                outputs.len(),
                if outputs.len() == 1 { "" } else { "s" }
            );
            self.error(Code::MS2020, place, message, "too many targets");
            return None;
        }
        for (index, (target, output)) in types.iter().zip(&outputs).enumerate() {
            if !fit::fits(output, target) {
                let message = format!(
                    "output {} is {output} and cannot be assigned to a variable of type {target}",
                    index + 1
                );
                self.error(Code::MS2020, place, message, "types differ");
                return None;
            }
        }
        Some(StatementKind::Assign {
            target: Exp::Tuple(exps),
            value: value.exp,
            ty: value.ty,
        })
    }

    fn type_call_statement(
        &mut self,
        function: &ComponentRef,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<StatementKind> {
        let simple = (function.parts.len() == 1).then(|| function.parts[0].name.as_str());
        match simple {
            Some("assert") => {
                let (condition, message, level) = self.type_assert(args, place, env)?;
                Some(StatementKind::Assert {
                    condition,
                    message,
                    level,
                })
            }
            Some("terminate") => {
                let message = self.type_terminate(args, place, env)?;
                Some(StatementKind::Terminate { message })
            }
            Some("reinit") => {
                let (variable, value) = self.type_reinit(args, place, env)?;
                Some(StatementKind::Reinit { variable, value })
            }
            _ => {
                let typed = self.type_call(function, args, place.span, env);
                if typed.is_error() {
                    return None;
                }
                Some(StatementKind::Call(typed.exp))
            }
        }
    }

    fn type_for(
        &mut self,
        iterators: &[ast::Iterator],
        body: &[ast::Statement],
        place: Place,
        env: &mut Env,
    ) -> Option<StatementKind> {
        let (iterator, rest) = iterators.split_first()?;
        let range = match &iterator.range {
            Some(_) => self.type_iterator_range(iterator, None, env),
            None => {
                let found = super::reduction::indexed(body, iterator.name.name);
                self.range_of_indexed(found, iterator, env)
            }
        };
        if range.is_error() {
            return None;
        }
        let ty = range.ty.element().clone();
        env.iterators.push(Iter {
            name: iterator.name.name,
            ty,
            var: range
                .var
                .max(Variability::Discrete)
                .min(Variability::Discrete),
            max: None,
            value: None,
        });
        let before = std::mem::replace(&mut env.loop_, true);
        let body = if rest.is_empty() {
            self.type_statements(body, env)
        } else {
            let inner = self.type_for(rest, body, place, env);
            inner
                .map(|kind| Statement {
                    kind,
                    place,
                    comment: None,
                })
                .into_iter()
                .collect()
        };
        env.loop_ = before;
        env.iterators.pop();
        Some(StatementKind::For {
            iterator: iterator.name.name,
            range: Some(range.exp),
            body,
        })
    }

    fn type_when(
        &mut self,
        branches: &[Branch<ast::Statement>],
        place: Place,
        env: &mut Env,
    ) -> Option<StatementKind> {
        if env.function {
            let diagnostic = Diagnostic::new(Code::MS2031, "a function cannot have a `when`")
                .label(place, "in a function")
                .note("A function has no events: use `if`.");
            self.report(diagnostic);
            return None;
        }
        if env.when {
            self.nested_when(place);
            return None;
        }
        if env.loop_ || env.dynamic || env.initial {
            let diagnostic = Diagnostic::new(
                Code::MS2032,
                "a `when` is not allowed inside `if`, `for`, `while` or an initial algorithm",
            )
            .label(place, "nested here");
            self.report(diagnostic);
            return None;
        }
        let mut typed = Vec::with_capacity(branches.len());
        for branch in branches {
            let condition = self.type_condition(&branch.condition, "when", env);
            if condition.ty == Type::Clock {
                self.error(
                    Code::MS2032,
                    place,
                    "a clocked `when` is an equation and is not allowed in an algorithm",
                    "its condition is a clock",
                );
                return None;
            }
            let before = std::mem::replace(&mut env.when, true);
            let body = self.type_statements(&branch.body, env);
            env.when = before;
            if condition.is_error() {
                return None;
            }
            typed.push((condition.exp, body));
        }
        Some(StatementKind::When { branches: typed })
    }
}
