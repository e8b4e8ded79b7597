//! When-equations, and what acts at events: `assert`, `terminate`, `reinit`.

use super::{Env, fit};
use crate::cx::Cx;
use crate::exp::{Cref, Exp, Subscript};
use crate::tree::{ComponentId, Equation, EquationKind, Place};
use crate::ty::{Type, Variability};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{self, Args, Branch};

/// A variable that a `when` determines, with the subscripts where they are literal; `None` for others.
type Target = (ComponentId, Option<Vec<i64>>);

fn target(cref: &Cref) -> Option<Target> {
    let mut index = Some(Vec::new());
    for part in &cref.parts {
        for subscript in &part.subscripts {
            match (subscript, &mut index) {
                (Subscript::Index(Exp::Int(value)), Some(index)) => index.push(*value),
                _ => index = None,
            }
        }
    }
    Some((cref.component()?, index))
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_when_equation(
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
                "`when` is not allowed in an initial equation section",
                "there are no events yet during initialisation",
            );
            return None;
        }
        if env.dynamic {
            let diagnostic = Diagnostic::new(
                Code::MS2032,
                "this `when` depends on a condition that changes during the simulation",
            )
            .label(
                place,
                "inside an `if` that is not decided before the simulation",
            )
            .note("make the condition a part of the event: `when condition and event then`, without the `if`");
            self.report(diagnostic);
            return None;
        }
        let mut typed = Vec::with_capacity(branches.len());
        let (known, quiet) = (self.out.diagnostics.len(), self.quiet_errors);
        for branch in branches {
            let condition = self.type_condition(&branch.condition, "when", env);
            if condition.ty == Type::Clock && branches.len() > 1 {
                self.error(
                    Code::MS2032,
                    place,
                    "a clocked `when` has one branch only",
                    "one of its conditions is a clock",
                );
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
        // An equation with a mistake is not among those that were typed: its branch seems to lack a variable.
        if self.out.diagnostics.len() == known && self.quiet_errors == quiet {
            self.check_when_targets(&typed, place);
        }
        Some(EquationKind::When { branches: typed })
    }

    /// Each branch of a when-equation determines the same variables (Modelica 3.6 §8.3.5.2).
    pub(crate) fn check_when_targets(&mut self, branches: &[(Exp, Vec<Equation>)], place: Place) {
        let mut all: Vec<Vec<Target>> = Vec::new();
        for (_, body) in branches {
            let mut targets = Vec::new();
            if !self.when_targets(body, &mut targets) {
                return;
            }
            all.push(targets);
        }
        // Elements of an array count one by one unless some branch determines it as a whole.
        let whole: Vec<ComponentId> = all
            .iter()
            .flatten()
            .filter(|(_, index)| index.is_none())
            .map(|(id, _)| *id)
            .collect();
        let mut first: Option<Vec<Target>> = None;
        for mut targets in all {
            for (id, index) in &mut targets {
                if whole.contains(id) {
                    *index = None;
                }
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
                    let name = other.map_or(String::new(), |(id, index)| {
                        let name = self.out.components[*id].name;
                        match index.as_deref() {
                            None | Some([]) => name.to_string(),
                            Some(index) => {
                                let index: Vec<String> = index.iter().map(i64::to_string).collect();
                                format!("{name}[{}]", index.join(","))
                            }
                        }
                    });
                    let diagnostic = Diagnostic::new(
                        Code::MS2032,
                        format!("the branches of this `when` determine different variables: `{name}` is not in all of them"),
                    )
                    .label(place, "all branches must determine the same variables")
                    .note(format!("to keep its value in a branch, write `{name} = pre({name})` there"));
                    self.report(diagnostic);
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// The variables that equations of a `when` determine; false when a left-hand side is wrong.
    fn when_targets(&mut self, body: &[Equation], into: &mut Vec<Target>) -> bool {
        for equation in body {
            match &equation.kind {
                EquationKind::Equality {
                    lhs: Exp::Ref(cref),
                    ..
                } => into.extend(target(cref)),
                EquationKind::Equality {
                    lhs: Exp::Tuple(items),
                    ..
                } => {
                    for item in items.iter().flatten() {
                        if let Exp::Ref(cref) = item {
                            into.extend(target(cref));
                        }
                    }
                }
                // A general equation is a law for the instant: which variable it gives a value is settled
                // by the analysis of the mode change.
                EquationKind::If { branches, else_ } => {
                    let mut ok = self.when_targets(else_, into);
                    for (_, body) in branches {
                        ok &= self.when_targets(body, into);
                    }
                    if !ok {
                        return false;
                    }
                }
                EquationKind::For { body, .. } if !self.when_targets(body, into) => return false,
                _ => {}
            }
        }
        true
    }

    pub(crate) fn nested_when(&mut self, place: Place) {
        let diagnostic = Diagnostic::new(
            Code::MS2032,
            "a `when` is not allowed inside another `when`",
        )
        .label(place, "nested here")
        .note("Combine the conditions with `and`, or use an `if` inside the `when`.");
        self.report(diagnostic);
    }

    pub(crate) fn type_assert(
        &mut self,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<(Exp, Exp, Exp)> {
        let names = ["condition", "message", "level"];
        let slots = self.named_slots("assert", &names, 2, args, place, env)?;
        if let [Some(text), Some(other)] = slots[..2]
            && matches!(text.kind, ast::ExprKind::Str(_))
            && !matches!(other.kind, ast::ExprKind::Str(_))
        {
            let diagnostic = Diagnostic::new(
                Code::MS2023,
                "the first argument of `assert` is the condition, the second the message",
            )
            .label(env.place(text.span), "this is the message")
            .note("exchange the arguments: `assert(condition, message)`");
            self.report(diagnostic);
            return None;
        }
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
                .note("a state is reset at an event: `when condition then reinit(x, value); end when;`");
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
            let diagnostic = match &variable.value.exp {
                Exp::Call(call) if matches!(&call.function, crate::exp::Callee::Builtin(name) if *name == "der") => diagnostic.note(
                    "a derivative cannot be reset: name the variable that is equal to it, as `v` in `der(s) = v`",
                ),
                _ => diagnostic,
            };
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
}
