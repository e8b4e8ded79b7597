//! Equations.

use super::{Env, Iter, Typed, fit};
use crate::cx::Cx;
use crate::exp::{Cref, Exp};
use crate::tree::Place;
use crate::tree::{Equation, EquationKind};
use crate::ty::{Type, Variability};
use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{self, Args, Branch, ComponentRef, Expr};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_equations(
        &mut self,
        equations: &[ast::Equation],
        env: &mut Env,
    ) -> Vec<Equation> {
        let mut typed = Vec::with_capacity(equations.len());
        for equation in equations {
            self.type_equation(equation, env, &mut typed);
        }
        typed
    }

    pub(crate) fn type_equation(
        &mut self,
        equation: &ast::Equation,
        env: &mut Env,
        into: &mut Vec<Equation>,
    ) {
        let place = env.place(equation.span);
        let kind = match &equation.kind {
            ast::EquationKind::Equality { lhs, rhs } => self.type_equality(lhs, rhs, env),
            ast::EquationKind::If { branches, else_ } => {
                return self.type_if_equation(branches, else_.as_deref(), equation.span, env, into);
            }
            ast::EquationKind::For { iterators, body } => {
                return self.type_for_equation(iterators, body, equation.span, env, into);
            }
            ast::EquationKind::Connect { from, to } => {
                return self.type_connects(from, to, place, env, into);
            }
            ast::EquationKind::When { branches } => self.type_when_equation(branches, place, env),
            ast::EquationKind::Call { function, args } => {
                self.type_call_equation(function, args, place, env)
            }
            ast::EquationKind::Error => None,
        };
        let description = equation.comment.description.as_ref();
        let comment = description.map(|text| Arc::from(&*text.text));
        into.extend(kind.map(|kind| Equation {
            kind,
            place,
            comment,
        }));
    }

    fn type_equality(&mut self, lhs: &Expr, rhs: &Expr, env: &mut Env) -> Option<EquationKind> {
        let places = [env.place(lhs.span), env.place(rhs.span)];
        let left = self.type_exp(lhs, env);
        let right = self.type_exp(rhs, env);
        if let Exp::Tuple(_) = left.exp {
            return self.type_tuple_equation(left, right, places);
        }
        let (left, right) = (
            super::operator::first_output(left),
            super::operator::first_output(right),
        );
        let unknown = |typed: &Typed| typed.is_error() && !matches!(typed.exp, Exp::Array(..));
        if unknown(&left) || unknown(&right) {
            return None;
        }
        if !self.is_value(&left, places[0]) || !self.is_value(&right, places[1]) {
            return None;
        }
        if left.ty == Type::NoReturn || right.ty == Type::NoReturn {
            let place = if left.ty == Type::NoReturn {
                places[0]
            } else {
                places[1]
            };
            self.error(
                Code::MS2020,
                place,
                "a function without output has no value",
                "no value",
            );
            return None;
        }
        if env.when && self.parameter_at_event(&left, places[0]) {
            return None;
        }
        let Some(ty) = fit::join(&left.ty, &right.ty) else {
            let same = left.ty.element() == right.ty.element()
                || left.ty.is_numeric() && right.ty.is_numeric();
            let what = if same { "sizes" } else { "types" };
            let diagnostic = Diagnostic::new(
                if same { Code::MS2024 } else { Code::MS2020 },
                format!(
                    "the sides of this equation have different {what}, {} and {}",
                    left.ty, right.ty
                ),
            )
            .label(places[0], format!("this is {}", left.ty))
            .label(places[1], format!("this is {}", right.ty));
            let diagnostic =
                self.explain_sides(diagnostic, [(&left, places[0]), (&right, places[1])]);
            self.report(diagnostic);
            return None;
        };
        self.require_other_constructor(&left.ty, &right.ty);
        self.require_other_constructor(&right.ty, &left.ty);
        let lhs = fit(left.exp, &left.ty, &ty)?;
        let rhs = fit(right.exp, &right.ty, &ty)?;
        Some(EquationKind::Equality { lhs, rhs, ty })
    }

    /// `when … then p = 2`, with a parameter `p`. Gives whether that was reported.
    fn parameter_at_event(&mut self, left: &Typed, place: Place) -> bool {
        let Exp::Ref(cref) = &left.exp else {
            return false;
        };
        let Some(id) = cref.component() else {
            return false;
        };
        let component = &self.out.components[id];
        if component.variability > Variability::Parameter {
            return false;
        }
        let name = component.name;
        self.report(
            Diagnostic::new(Code::MS2035, format!("`{name}` cannot be changed at an event"))
                .label(place, "given a new value here")
                .label(
                    component.place,
                    format!("`{name}` is a parameter, which does not change during the simulation"),
                )
                .note(format!(
                    "declare `{name}` as `discrete`, with the first value as its start value: `discrete Real {name}(start = …, \
                     fixed = true)`"
                )),
        );
        true
    }

    fn type_tuple_equation(
        &mut self,
        left: Typed,
        right: Typed,
        places: [Place; 2],
    ) -> Option<EquationKind> {
        let (Type::Tuple(targets), Exp::Tuple(items)) = (&left.ty, &left.exp) else {
            return None;
        };
        if right.is_error() {
            return None;
        }
        if items
            .iter()
            .flatten()
            .any(|item| !matches!(item, Exp::Ref(_) | Exp::Error))
        {
            self.error(
                Code::MS2035,
                places[0],
                "the results of a function can only go to variables",
                "not all of these are variables",
            );
            return None;
        }
        let outputs: Vec<Type> = match &right.ty {
            Type::Tuple(outputs) => outputs.to_vec(),
            other => vec![other.clone()],
        };
        if targets.len() > outputs.len() || !matches!(right.exp, Exp::Call(_) | Exp::Tuple(_)) {
            let there = match outputs.len() {
                1 => "is 1".to_owned(),
                many => format!("are {many}"),
            };
            let plural = if targets.len() == 1 { "" } else { "s" };
            let message = format!(
                "{} value{plural} {} expected, but there {there}",
                targets.len(),
                if targets.len() == 1 { "is" } else { "are" },
            );
            let diagnostic = Diagnostic::new(Code::MS2020, message)
                .label(places[0], format!("{} target{plural}", targets.len()))
                .label(places[1], format!("this gives {}", right.ty));
            self.report(diagnostic);
            return None;
        }
        for (index, (target, output)) in targets.iter().zip(&outputs).enumerate() {
            let ignored = items.get(index).is_none_or(Option::is_none);
            if !ignored && fit::join(target, output).is_none() {
                let message = format!("value {} is {output} and cannot be {target}", index + 1);
                self.error(
                    Code::MS2020,
                    places[0],
                    message,
                    format!("target {} is {target}", index + 1),
                );
                return None;
            }
        }
        Some(EquationKind::Equality {
            lhs: left.exp,
            rhs: right.exp,
            ty: right.ty,
        })
    }

    fn type_if_equation(
        &mut self,
        branches: &[Branch<ast::Equation>],
        else_: Option<&[ast::Equation]>,
        span: Span,
        env: &mut Env,
        into: &mut Vec<Equation>,
    ) {
        let mut typed: Vec<(Exp, Vec<Equation>)> = Vec::new();
        for branch in branches {
            let condition = self.type_condition(&branch.condition, "if", env);
            if condition.is_error() {
                return;
            }
            let mut dynamic = condition.var > Variability::Parameter;
            if !dynamic && self.must_not_evaluate(&condition.exp) {
                dynamic = true;
            }
            if !dynamic && !crate::exp::has_iterator(&condition.exp) {
                match self.eval_structural_bool(&condition.exp) {
                    Some(true) if typed.is_empty() => {
                        let body = self.type_equations(&branch.body, env);
                        into.extend(body);
                        return;
                    }
                    Some(true) => {
                        let body = self.type_equations(&branch.body, env);
                        let kind = EquationKind::If {
                            branches: typed,
                            else_: body,
                        };
                        into.push(Equation {
                            kind,
                            place: env.place(span),
                            comment: None,
                        });
                        return;
                    }
                    Some(false) => continue,
                    None => {
                        self.split_for_connections(&condition.exp, &branch.body, else_);
                        dynamic = true;
                    }
                }
            }
            if !dynamic {
                self.mark_structural(&condition.exp);
            }
            let before = env.dynamic;
            env.dynamic |= dynamic;
            let body = self.type_equations(&branch.body, env);
            env.dynamic = before;
            typed.push((condition.exp, body));
        }
        let before = env.dynamic;
        env.dynamic |= !typed.is_empty();
        let else_ = else_
            .map(|body| self.type_equations(body, env))
            .unwrap_or_default();
        env.dynamic = before;
        if typed.is_empty() {
            into.extend(else_);
            return;
        }
        let kind = EquationKind::If {
            branches: typed,
            else_,
        };
        into.push(Equation {
            kind,
            place: env.place(span),
            comment: None,
        });
    }

    /// Connections are fixed: where their condition differs between the elements of an array, each has its own.
    fn split_for_connections(
        &mut self,
        condition: &Exp,
        body: &[ast::Equation],
        else_: Option<&[ast::Equation]>,
    ) {
        if !connects(body) && !else_.is_some_and(connects) {
            return;
        }
        self.differing = None;
        self.eval_quiet(condition);
        if let Some(array) = self.differing {
            self.needs_split(array);
        }
    }

    /// Whether `Evaluate = false` forbids to use a parameter of the expression now.
    fn must_not_evaluate(&self, exp: &Exp) -> bool {
        let mut forbidden = false;
        crate::exp::visit_refs(exp, &mut |cref: &Cref| {
            forbidden |= cref
                .component()
                .is_some_and(|id| self.info(id).evaluate == Some(false));
        });
        forbidden
    }

    fn type_for_equation(
        &mut self,
        iterators: &[ast::Iterator],
        body: &[ast::Equation],
        span: Span,
        env: &mut Env,
        into: &mut Vec<Equation>,
    ) {
        let Some((iterator, rest)) = iterators.split_first() else {
            into.extend(self.type_equations(body, env));
            return;
        };
        let range = match &iterator.range {
            Some(_) => self.type_iterator_range(iterator, None, env),
            None => {
                let found = super::reduction::indexed(body, iterator.name.name);
                self.range_of_indexed(found, iterator, env)
            }
        };
        if range.is_error() {
            return;
        }
        if range.var > Variability::Parameter {
            let place = iterator
                .range
                .as_ref()
                .map_or(iterator.name.span, |range| range.span);
            let diagnostic = Diagnostic::new(
                Code::MS2025,
                format!("the range of `{}` must be known before the simulation", iterator.name.name),
            )
            .label(env.place(place), format!("this is {}", range.var.describe()))
            .note("A loop of equations is unrolled: its range must be a constant or parameter expression.");
            self.report(diagnostic);
            return;
        }
        let mut exp = range.exp;
        if !crate::exp::has_iterator(&exp) {
            let place = env.place(
                iterator
                    .range
                    .as_ref()
                    .map_or(iterator.name.span, |range| range.span),
            );
            match self.eval_structural(&exp, place) {
                Some(value) => exp = value.to_exp(),
                None => return,
            }
        }
        let ty = range.ty.element().clone();
        let name = iterator.name.name;
        if self.mentions_split(body)
            && let Exp::Array(values, _) = exp
        {
            for value in values {
                env.iterators.push(Iter::known(name, ty.clone(), value));
                self.type_for_equation(rest, body, span, env, into);
                env.iterators.pop();
            }
            return;
        }
        env.iterators.push(Iter {
            name,
            ty,
            var: Variability::Structural.min(range.var.max(Variability::Constant)),
            max: largest(&exp),
            value: None,
        });
        let mut inner = Vec::new();
        self.type_for_equation(rest, body, span, env, &mut inner);
        env.iterators.pop();
        let kind = EquationKind::For {
            iterator: name,
            range: exp,
            body: inner,
        };
        into.push(Equation {
            kind,
            place: env.place(span),
            comment: None,
        });
    }

    fn type_call_equation(
        &mut self,
        function: &ComponentRef,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<EquationKind> {
        let simple = (function.parts.len() == 1).then(|| function.parts[0].name.as_str());
        match simple {
            Some("assert") => {
                let (condition, message, level) = self.type_assert(args, place, env)?;
                Some(EquationKind::Assert {
                    condition,
                    message,
                    level,
                })
            }
            Some("terminate") => {
                let message = self.type_terminate(args, place, env)?;
                Some(EquationKind::Terminate { message })
            }
            Some("reinit") => {
                let (variable, value) = self.type_reinit(args, place, env)?;
                Some(EquationKind::Reinit { variable, value })
            }
            _ => {
                let typed = self.type_call(function, args, place.span, env);
                match (&typed.exp, &typed.ty) {
                    (_, Type::Unknown) => None,
                    (Exp::Call(_), _) => Some(EquationKind::Call(typed.exp)),
                    _ => None,
                }
            }
        }
    }
}

/// Whether some of the equations are connections or say something of their graph.
fn connects(equations: &[ast::Equation]) -> bool {
    equations.iter().any(|equation| match &equation.kind {
        ast::EquationKind::Connect { .. } => true,
        ast::EquationKind::Call { function, .. } => {
            function.parts.len() == 2 && function.parts[0].name.as_str() == "Connections"
        }
        ast::EquationKind::For { body, .. } => connects(body),
        ast::EquationKind::If { branches, else_ } => {
            branches.iter().any(|branch| connects(&branch.body))
                || else_.as_deref().is_some_and(connects)
        }
        _ => false,
    })
}

/// The largest number of a range of known numbers.
fn largest(range: &Exp) -> Option<i64> {
    match range {
        Exp::Array(items, _) => items
            .iter()
            .map(|item| match item {
                Exp::Int(value) => Some(*value),
                _ => None,
            })
            .collect::<Option<Vec<i64>>>()?
            .into_iter()
            .max(),
        Exp::Range(range) => match (&range.start, &range.stop) {
            (Exp::Int(start), Exp::Int(stop)) => Some(*start.max(stop)),
            _ => None,
        },
        _ => None,
    }
}
