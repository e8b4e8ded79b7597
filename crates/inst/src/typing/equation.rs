//! Equations.

use super::cref::Meaning;
use super::{Env, Iter, Typed, fit};
use crate::cx::Cx;
use crate::exp::{Cref, CrefPart, Exp};
use crate::tree::Place;
use crate::tree::{ComponentId, Equation, EquationKind};
use crate::ty::{Type, Variability};
use modeshift_base::{Name, Span};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{self, Args, Branch, ClassKind, ComponentRef, Expr, RefPart};

impl<'a> Cx<'a> {
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

    fn type_equation(&mut self, equation: &ast::Equation, env: &mut Env, into: &mut Vec<Equation>) {
        let place = env.place(equation.span);
        let kind = match &equation.kind {
            ast::EquationKind::Equality { lhs, rhs } => self.type_equality(lhs, rhs, env),
            ast::EquationKind::If { branches, else_ } => {
                return self.type_if_equation(branches, else_.as_deref(), equation.span, env, into);
            }
            ast::EquationKind::For { iterators, body } => {
                return self.type_for_equation(iterators, body, equation.span, env, into);
            }
            ast::EquationKind::Connect { from, to } => self.type_connect(from, to, place, env),
            ast::EquationKind::When { branches } => self.type_when_equation(branches, place, env),
            ast::EquationKind::Call { function, args } => {
                self.type_call_equation(function, args, place, env)
            }
            ast::EquationKind::Error => None,
        };
        into.extend(kind.map(|kind| Equation { kind, place }));
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
        let Some(ty) = fit::join(&left.ty, &right.ty) else {
            let same = left.ty.element() == right.ty.element()
                || left.ty.is_numeric() && right.ty.is_numeric();
            let diagnostic = Diagnostic::new(
                if same { Code::MS2024 } else { Code::MS2020 },
                format!(
                    "the sides of this equation have different types, {} and {}",
                    left.ty, right.ty
                ),
            )
            .label(places[0], format!("this is {}", left.ty))
            .label(places[1], format!("this is {}", right.ty));
            self.report(diagnostic);
            return None;
        };
        let lhs = fit(left.exp, &left.ty, &ty)?;
        let rhs = fit(right.exp, &right.ty, &ty)?;
        Some(EquationKind::Equality { lhs, rhs, ty })
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
            && !matches!(right.exp, Exp::Tuple(_))
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
            let message = format!(
                "{} values are expected, but there are {}",
                targets.len(),
                outputs.len()
            );
            let diagnostic = Diagnostic::new(Code::MS2020, message)
                .label(places[0], format!("{} targets", targets.len()))
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
                        });
                        return;
                    }
                    Some(false) => continue,
                    None => dynamic = true,
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
        });
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
                let found = find_in_equations(body, iterator.name.name);
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
        env.iterators.push(Iter {
            name,
            ty,
            var: Variability::Structural.min(range.var.max(Variability::Constant)),
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
        });
    }

    fn type_when_equation(
        &mut self,
        branches: &[Branch<ast::Equation>],
        place: Place,
        env: &mut Env,
    ) -> Option<EquationKind> {
        if env.when {
            self.nested_when(place);
            return None;
        }
        if env.initial {
            self.error(
                Code::MS2032,
                place,
                "`when` cannot stand in an initial equation section",
                "there are no events yet during initialisation",
            );
            return None;
        }
        if env.dynamic {
            self.error(
                Code::MS2032,
                place,
                "this `when` depends on a condition that changes during the simulation",
                "inside an `if` that is not decided before the simulation",
            );
            return None;
        }
        let mut typed = Vec::with_capacity(branches.len());
        for branch in branches {
            let condition = self.type_condition(&branch.condition, "when", env);
            if condition.ty == Type::Clock {
                self.unsupported("clocked when-equations", place);
                return None;
            }
            let before = std::mem::replace(&mut env.when, true);
            let body = self.type_equations(&branch.body, env);
            env.when = before;
            if condition.is_error() {
                return None;
            }
            typed.push((condition.exp, body));
        }
        self.check_when_targets(&typed, place);
        Some(EquationKind::When { branches: typed })
    }

    /// Each branch of a when-equation determines the same variables (Modelica 3.6 §8.3.5.2).
    fn check_when_targets(&mut self, branches: &[(Exp, Vec<Equation>)], place: Place) {
        let mut first: Option<Vec<ComponentId>> = None;
        for (_, body) in branches {
            let mut targets = Vec::new();
            if !self.when_targets(body, &mut targets) {
                return;
            }
            targets.sort_unstable();
            targets.dedup();
            match &first {
                None => first = Some(targets),
                Some(first) if *first != targets => {
                    let other = first
                        .iter()
                        .chain(&targets)
                        .find(|id| !(first.contains(id) && targets.contains(id)));
                    let name = other.map_or(String::new(), |id| {
                        self.out.components[*id].name.to_string()
                    });
                    let diagnostic = Diagnostic::new(
                        Code::MS2032,
                        format!("the branches of this `when` determine different variables: `{name}` is not in all of them"),
                    )
                    .label(place, "all branches must determine the same variables")
                    .note("Keep a value in a branch with `x = pre(x)`.");
                    self.report(diagnostic);
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// The variables that equations of a `when` determine; false when a left-hand side is wrong.
    fn when_targets(&mut self, body: &[Equation], into: &mut Vec<ComponentId>) -> bool {
        for equation in body {
            match &equation.kind {
                EquationKind::Equality {
                    lhs: Exp::Ref(cref),
                    ..
                } => into.extend(cref.component()),
                EquationKind::Equality {
                    lhs: Exp::Tuple(items),
                    ..
                } => {
                    for item in items.iter().flatten() {
                        if let Exp::Ref(cref) = item {
                            into.extend(cref.component());
                        }
                    }
                }
                EquationKind::Equality { lhs, .. }
                    if matches!(
                        lhs,
                        Exp::Binary(..)
                            | Exp::Unary(..)
                            | Exp::Call(_)
                            | Exp::Int(_)
                            | Exp::Real(_)
                            | Exp::Bool(_)
                    ) =>
                {
                    let diagnostic = Diagnostic::new(
                        Code::MS2032,
                        "an equation in a `when` must give a variable its value",
                    )
                    .label(equation.place, "the left-hand side is not a variable")
                    .note("Write `variable = expression`.");
                    self.report(diagnostic);
                    return false;
                }
                EquationKind::If { branches, else_ } => {
                    let mut ok = self.when_targets(else_, into);
                    for (_, body) in branches {
                        ok &= self.when_targets(body, into);
                    }
                    if !ok {
                        return false;
                    }
                }
                EquationKind::For { body, .. } => {
                    if !self.when_targets(body, into) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }

    pub(crate) fn nested_when(&mut self, place: Place) {
        let diagnostic =
            Diagnostic::new(Code::MS2032, "a `when` cannot stand inside another `when`")
                .label(place, "nested here")
                .note("Combine the conditions with `and`, or use an `if` inside the `when`.");
        self.report(diagnostic);
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

    pub(crate) fn type_assert(
        &mut self,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<(Exp, Exp, Exp)> {
        let names = ["condition", "message", "level"];
        let slots = self.named_slots("assert", &names, 2, args, place, env)?;
        let condition = self.type_condition(slots[0]?, "assert", env);
        let message = super::operator::first_output(self.type_exp(slots[1]?, env));
        if message.ty != Type::String && !message.is_error() {
            self.wrong_argument(
                "assert",
                Name::new("message"),
                &message.ty,
                &Type::String,
                env.place(slots[1]?.span),
            );
            return None;
        }
        let error_level = crate::resolve::builtin_type(crate::node::Builtin::AssertionLevel);
        let level = match slots[2] {
            Some(level) => {
                let typed = self.type_exp(level, env);
                if !fit::fits(&typed.ty, &error_level) {
                    self.wrong_argument(
                        "assert",
                        Name::new("level"),
                        &typed.ty,
                        &error_level,
                        env.place(level.span),
                    );
                    return None;
                }
                typed.exp
            }
            None => match &error_level {
                Type::Enumeration(ty) => Exp::Enum(ty.clone(), 2),
                _ => return None,
            },
        };
        if condition.is_error() || message.is_error() {
            return None;
        }
        Some((condition.exp, message.exp, level))
    }

    pub(crate) fn type_terminate(
        &mut self,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<Exp> {
        self.not_in_function("terminate", place, env);
        let args = self.exact_args("terminate", 1, args, place, env)?;
        let arg = &args[0];
        if arg.value.ty != Type::String {
            self.wrong_argument(
                "terminate",
                Name::new("message"),
                &arg.value.ty,
                &Type::String,
                arg.place,
            );
            return None;
        }
        Some(arg.value.exp.clone())
    }

    pub(crate) fn type_reinit(
        &mut self,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<(Exp, Exp)> {
        if !env.when {
            let diagnostic = Diagnostic::new(Code::MS2032, "`reinit` can only be used in a `when`")
                .label(place, "not in a `when`")
                .note("A state is set anew at an event: `when condition then reinit(x, value); end when;`.");
            self.report(diagnostic);
            return None;
        }
        let args = self.exact_args("reinit", 2, args, place, env)?;
        let [variable, value] = args.as_slice() else {
            return None;
        };
        let is_ref = matches!(variable.value.exp, Exp::Ref(_));
        if !is_ref
            || *variable.value.ty.element() != Type::Real
            || variable.value.var != Variability::Continuous
        {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                "`reinit` needs a state: a Real variable that changes continuously",
            )
            .label(variable.place, "not a state");
            self.report(self.label_declaration(diagnostic, &variable.value.exp));
            return None;
        }
        let Some(exp) = fit(value.value.exp.clone(), &value.value.ty, &variable.value.ty) else {
            self.wrong_argument(
                "reinit",
                Name::new("expr"),
                &value.value.ty,
                &variable.value.ty,
                value.place,
            );
            return None;
        };
        Some((variable.value.exp.clone(), exp))
    }

    fn type_connect(
        &mut self,
        from: &ComponentRef,
        to: &ComponentRef,
        place: Place,
        env: &mut Env,
    ) -> Option<EquationKind> {
        if env.when {
            self.error(
                Code::MS2043,
                place,
                "`connect` cannot stand in a `when`",
                "connections do not change during the simulation",
            );
            return None;
        }
        if env.dynamic {
            let diagnostic = Diagnostic::new(
                Code::MS2043,
                "this `connect` depends on a condition that changes during the simulation",
            )
            .label(
                place,
                "inside an `if` that is not decided before the simulation",
            )
            .note(
                "Connections are fixed: the condition around them must be a parameter expression.",
            );
            self.report(diagnostic);
            return None;
        }
        if env.initial {
            self.error(
                Code::MS2043,
                place,
                "`connect` cannot stand in an initial equation section",
                "not an initial equation",
            );
            return None;
        }
        if self.is_broken_connect(from, to, env.scope) {
            return None;
        }
        let before = std::mem::replace(&mut env.connect, true);
        let a = self.connector(from, env);
        let b = self.connector(to, env);
        env.connect = before;
        let (from_place, to_place) = (env.place(from.span), env.place(to.span));
        let (from, to) = match (a?, b?) {
            (Side::Known(a), Side::Known(b)) => (a, b),
            (Side::Known(a), Side::Missing(path, name)) => {
                let b = self.add_to_expandable(&path, name, &a, env)?;
                (a, b)
            }
            (Side::Missing(path, name), Side::Known(b)) => {
                let a = self.add_to_expandable(&path, name, &b, env)?;
                (a, b)
            }
            (Side::Missing(..), Side::Missing(..)) => {
                let diagnostic =
                    Diagnostic::new(Code::MS2043, "neither side of this `connect` is declared")
                        .label(from_place, "not declared in the expandable connector")
                        .label(to_place, "not declared in the expandable connector");
                self.report(diagnostic);
                return None;
            }
        };
        Some(EquationKind::Connect {
            from,
            to,
            from_place,
            to_place,
        })
    }

    /// Whether selective extension removed the connection.
    fn is_broken_connect(
        &self,
        from: &ComponentRef,
        to: &ComponentRef,
        scope: crate::node::NodeId,
    ) -> bool {
        let Some(modifier) = &self.node(scope).modifier else {
            return false;
        };
        modifier.breaks.iter().any(|it| match it {
            crate::modifier::Break::Connect(a, b) => {
                let same = |a: &ComponentRef, b: &ComponentRef| {
                    crate::print::reference(a) == crate::print::reference(b)
                };
                same(a, from) && same(b, to) || same(a, to) && same(b, from)
            }
            crate::modifier::Break::Component(_) => false,
        })
    }

    /// One side of a connect equation. `None`: said already, or part of an absent component.
    fn connector<'r>(&mut self, reference: &'r ComponentRef, env: &mut Env) -> Option<Side<'r>> {
        let place = env.place(reference.span);
        let path = match self.meaning(reference, env) {
            Meaning::Components(path) => path,
            Meaning::Absent | Meaning::Error => return None,
            Meaning::Value(value) => {
                if !value.is_error() {
                    self.error(
                        Code::MS2044,
                        place,
                        "only connectors can be connected",
                        "not a connector",
                    );
                }
                return None;
            }
            Meaning::Class(elem) => {
                let name = self.elem(elem).name;
                self.error(
                    Code::MS2044,
                    place,
                    format!("`{name}` is a class; only connectors can be connected"),
                    "not a connector",
                );
                return None;
            }
        };
        if path.len() < reference.parts.len() {
            let missing = &reference.parts[path.len()];
            return Some(Side::Missing(path, missing));
        }
        let typed = self.type_cref(&path, reference.span, env);
        let Exp::Ref(cref) = typed.exp else {
            if !typed.is_error() {
                self.error(
                    Code::MS2044,
                    place,
                    "only connectors can be connected",
                    "not a connector",
                );
            }
            return None;
        };
        if !self.is_connector_path(&path) {
            let name = Self::print_path(&path);
            let (last, _) = path.last()?;
            let diagnostic = Diagnostic::new(
                Code::MS2044,
                format!("`{name}` is not a connector and cannot be connected"),
            )
            .label(place, "not a connector")
            .label(self.out.components[*last].place, "declared here");
            self.report(diagnostic);
            return None;
        }
        Some(Side::Known(cref))
    }

    /// A connector, or a part of one.
    fn is_connector_path(&self, path: &[(ComponentId, &RefPart)]) -> bool {
        let is_connector = |id: &ComponentId| {
            matches!(
                self.out.components[*id].kind,
                ClassKind::Connector | ClassKind::ExpandableConnector
            )
        };
        let Some((last, _)) = path.last() else {
            return false;
        };
        is_connector(last) || path.iter().any(|(id, _)| is_connector(id)) || {
            // Part of a connector inside which the class of the reference stands.
            let mut at = self.out.components[path[0].0].parent;
            let mut found = false;
            while let Some(parent) = at {
                found |= is_connector(&parent);
                at = self.out.components[parent].parent;
            }
            found
        }
    }

    /// A `connect` adds an element to an expandable connector, of the type of the other side.
    fn add_to_expandable(
        &mut self,
        path: &[(ComponentId, &RefPart)],
        name: &RefPart,
        other: &Cref,
        env: &mut Env,
    ) -> Option<Cref> {
        let (owner, _) = *path.last()?;
        let other_id = other.component()?;
        let span = path.first().map_or(name.span, |(_, part)| part.span);
        let typed = self.type_cref(path, span, env);
        let Exp::Ref(mut cref) = typed.exp else {
            return None;
        };
        let id = self.added_component(owner, other_id, name, env.place(name.span))?;
        let dims = self.out.components[id].dims.clone();
        let mut left = typed.ty.dims().to_vec();
        let subscripts = if name.subscripts.is_empty() {
            left.extend(dims);
            Vec::new()
        } else {
            let base = Exp::Ref(cref.clone());
            let (subscripts, rest, _) =
                self.type_subscripts(&name.subscripts, &dims, &base, env)?;
            left.extend(rest);
            subscripts
        };
        cref.parts.push(CrefPart {
            component: id,
            subscripts,
        });
        cref.ty = Type::array(self.out.components[id].ty.clone(), left);
        Some(cref)
    }
}

/// A side of a connect equation.
enum Side<'r> {
    Known(Cref),
    /// An element that an expandable connector does not declare.
    Missing(Vec<(ComponentId, &'r RefPart)>, &'r RefPart),
}

/// Where a loop without range gets its size from.
fn find_in_equations(body: &[ast::Equation], name: Name) -> Option<(ComponentRef, usize, usize)> {
    let mut found = None;
    for equation in body {
        match &equation.kind {
            ast::EquationKind::Equality { lhs, rhs } => {
                super::reduction::find_indexed(lhs, name, &mut found);
                super::reduction::find_indexed(rhs, name, &mut found);
            }
            ast::EquationKind::Connect { from, to } => {
                super::reduction::indexed_ref(from, name, &mut found);
                super::reduction::indexed_ref(to, name, &mut found);
            }
            ast::EquationKind::Call { args, .. } => {
                args.positional
                    .iter()
                    .for_each(|arg| super::reduction::find_indexed(arg, name, &mut found));
            }
            ast::EquationKind::For { body, .. } => {
                if let Some(inner) = find_in_equations(body, name) {
                    return Some(inner);
                }
            }
            ast::EquationKind::If { branches, else_ } => {
                for branch in branches {
                    super::reduction::find_indexed(&branch.condition, name, &mut found);
                    if found.is_none()
                        && let Some(inner) = find_in_equations(&branch.body, name)
                    {
                        return Some(inner);
                    }
                }
                if found.is_none()
                    && let Some(inner) = else_
                        .as_deref()
                        .and_then(|body| find_in_equations(body, name))
                {
                    return Some(inner);
                }
            }
            ast::EquationKind::When { branches } => {
                for branch in branches {
                    if let Some(inner) = find_in_equations(&branch.body, name) {
                        return Some(inner);
                    }
                }
            }
            ast::EquationKind::Error => {}
        }
        if found.is_some() {
            break;
        }
    }
    found.map(|(reference, part, index)| (reference.clone(), part, index))
}
