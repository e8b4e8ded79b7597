//! Predefined operators on time, events, streams and connections: `der`, `pre`, `sample`, `inStream` …

use super::builtin::builtin;
use super::call::TypedArgs;
use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::Exp;
use crate::tree::{ComponentId, Place};
use crate::ty::{Type, Variability};
use modeshift_base::{FxHashMap, Name};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_syntax::ast::{Args, ClassKind};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_der(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function("der", place, env);
        let Some(mut args) = self.exact_args("der", 1, args, place, env) else {
            return Typed::error();
        };
        let mut arg = args.remove(0);
        let mut ty = arg.value.ty.clone();
        if *ty.element() != Type::Real && !ty.is_record() {
            // Other tools take a constant Integer for a Real. A check makes it an error.
            let real = Type::array(Type::Real, ty.dims().to_vec());
            let constant = arg.value.var <= Variability::Parameter;
            let as_real = fit(arg.value.exp.clone(), &ty, &real).filter(|_| constant);
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                format!("`der` needs a Real that changes continuously, but this is {ty}"),
            )
            .with_severity(match as_real {
                Some(_) => Severity::Warning,
                None => Severity::Error,
            })
            .label(arg.place, format!("this is {ty}"));
            let integer = match &arg.value.exp {
                Exp::Ref(cref) if ty == Type::Integer && !constant => cref.component(),
                _ => None,
            };
            let diagnostic = match integer.map(|id| self.out.components[id].name) {
                Some(name) => diagnostic.note(format!(
                    "declare `{name}` as Real if it changes continuously"
                )),
                None => diagnostic,
            };
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            let Some(exp) = as_real else {
                return Typed::error();
            };
            if ty.dims().is_empty() {
                return Typed::new(Exp::Real(0.0), Type::Real, arg.value.var);
            }
            arg.value = Typed::new(exp, real.clone(), arg.value.var);
            ty = real;
        }
        if arg.value.var == Variability::Discrete {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                "`der` of something that changes at events only",
            )
            .label(arg.place, "discrete-time");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
        }
        let var = if arg.value.var <= Variability::Parameter {
            arg.value.var
        } else {
            Variability::Continuous
        };
        if ty.is_array() && !matches!(arg.value.exp, Exp::Ref(_)) {
            let args = vec![arg];
            return self.scalar_call("der", args, Type::Real, Type::Real, None);
        }
        builtin("der", vec![arg.value.exp], ty, var)
    }

    /// Adds where a referenced component is declared.
    pub(crate) fn label_declaration(
        &self,
        diagnostic: Diagnostic<Place>,
        exp: &Exp,
    ) -> Diagnostic<Place> {
        match exp {
            Exp::Ref(cref) => match cref.component() {
                Some(id) => {
                    let component = &self.out.components[id];
                    diagnostic.label(
                        component.place,
                        format!("`{}` is declared here", component.name),
                    )
                }
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }

    pub(crate) fn type_pre(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        self.not_in_function(name, place, env);
        let Some(mut args) = self.exact_args(name, 1, args, place, env) else {
            return Typed::error();
        };
        let arg = args.remove(0);
        let is_ref =
            matches!(arg.value.exp, Exp::Ref(_)) || arg.value.var <= Variability::Parameter;
        if !is_ref {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                format!("`{name}` is defined for variables only"),
            )
            .label(arg.place, "an expression")
            .note(match name {
                "edge" => "give the condition a Boolean variable of its own, or use it as the condition of a `when`, which acts when it becomes true".to_owned(),
                _ => format!("apply `{name}` to each variable, as in `{name}(a) + {name}(b)`, or give the expression a variable of its own"),
            });
            self.report(diagnostic);
            return Typed::error();
        }
        if name == "edge" && !matches!(arg.value.ty.element(), Type::Boolean) {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                format!("`edge` needs a Boolean, but this is {}", arg.value.ty),
            )
            .label(arg.place, format!("this is {}", arg.value.ty))
            .note("`edge(b)` is true when the Boolean `b` becomes true; a number crosses a limit in `when x > 0.5 then`");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
        }
        if arg.value.var == Variability::Continuous
            && !env.when
            && !self.changes_at_events(&arg.value.exp)
            && !env.relation
            && !env.dynamic
            && name != "previous"
            && !arg.value.ty.is_record()
        {
            let diagnostic = Diagnostic::new(Code::MS2034, format!("`{name}` is applied to a variable that changes continuously"))
                .label(arg.place, "continuous-time")
                .note("`pre` gives the value just before an event, and between events a continuous variable has no other value than its own: use it inside `when`")
                .note("the value some time ago is `delay(x, T)`, the rate of change is `der(x)`, and a value from the last sample is kept by a `discrete` variable in `when sample(…)`");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
        }
        if name == "pre"
            && arg.value.var == Variability::Continuous
            && !env.when
            && !self.changes_at_events(&arg.value.exp)
        {
            let diagnostic = Diagnostic::new(
                Code::MS2077,
                "`pre` of a variable that changes continuously is an extension, which other tools reject",
            )
            .label(place, "the value just before the instant")
            .note("in standard Modelica the condition gets a Boolean of its own: `reached = x >= 0; on = pre(reached);`");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
        }
        let ty = if name == "pre" || name == "previous" {
            arg.value.ty.clone()
        } else {
            if name == "edge" && *arg.value.ty.element() != Type::Boolean {
                self.wrong_argument(
                    name,
                    Name::new("1"),
                    &arg.value.ty,
                    &Type::Boolean,
                    arg.place,
                );
                return Typed::error();
            }
            arg.value.ty.with_element(Type::Boolean)
        };
        let var = arg.value.var.min(Variability::Discrete);
        builtin(name, vec![arg.value.exp], ty, var)
    }

    pub(crate) fn type_no_event(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.no_event, true);
        let args = self.exact_args("noEvent", 1, args, place, env);
        env.no_event = before;
        let Some(mut args) = args else {
            return Typed::error();
        };
        let Typed { exp, ty, var } = args.remove(0).value;
        builtin("noEvent", vec![exp], ty, var)
    }

    pub(crate) fn type_smooth(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(mut args) = self.exact_args("smooth", 2, args, place, env) else {
            return Typed::error();
        };
        let value = args.remove(1).value;
        let order = args.remove(0);
        if order.value.ty != Type::Integer || order.value.var > Variability::Parameter {
            let message = "the order of `smooth` must be an Integer parameter expression";
            self.error(
                Code::MS2023,
                order.place,
                message,
                format!("this is {}, {}", order.value.ty, order.value.var.describe()),
            );
            return Typed::error();
        }
        let ty = if *value.ty.element() == Type::Integer {
            value.ty.with_element(Type::Real)
        } else {
            value.ty.clone()
        };
        let exp = fit(value.exp, &value.ty, &ty).unwrap_or(Exp::Error);
        builtin("smooth", vec![order.value.exp, exp], ty, value.var)
    }

    pub(crate) fn type_delay(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function("delay", place, env);
        let names = ["expr", "delayTime", "delayMax"];
        let Some(slots) = self.named_slots("delay", &names, 2, args, place, env) else {
            return Typed::error();
        };
        let mut exps = Vec::new();
        let mut ty = Type::Real;
        for (index, slot) in slots.into_iter().enumerate() {
            let Some(slot) = slot else { continue };
            let Some(typed) = self.real_arg("delay", slot, env) else {
                return Typed::error();
            };
            if index == 0 {
                ty = typed.ty.clone();
            }
            let limit = if index == 2 || index == 1 && args.positional.len() + args.named.len() == 2
            {
                Variability::Parameter
            } else {
                Variability::Continuous
            };
            if typed.var > limit {
                let message = "without `delayMax`, the delay time must be a parameter expression";
                self.report(
                    Diagnostic::new(Code::MS2025, message)
                        .label(env.place(slot.span), format!("this is {}", typed.var.describe()))
                        .note("give the largest delay as a third argument: `delay(x, delayTime, delayMax)`"),
                );
                return Typed::error();
            }
            exps.push(typed.exp);
        }
        if let [_, delay, most] = exps.as_slice()
            && let (Some(delay), Some(most)) = (number(delay), number(most))
            && (delay > most || delay < 0.0)
        {
            let message = format!("a delay of {delay} is not between 0 and `delayMax`, {most}");
            self.error(Code::MS2034, place, message, "outside its range");
            return Typed::error();
        }
        if let [_, delay] = exps.as_slice() {
            let delay = delay.clone();
            exps.push(delay);
        }
        builtin("delay", exps, ty, Variability::Continuous)
    }

    pub(crate) fn type_sample(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function("sample", place, env);
        let names = ["start", "interval"];
        let clocked = args.positional.len() + args.named.len() == 1
            || args
                .named
                .iter()
                .any(|arg| matches!(arg.name.name.as_str(), "u" | "c"))
            || args.positional.get(1).is_some_and(|clock| {
                let typed = self.quietly(|cx| cx.type_exp(clock, env)).0;
                typed.ty == Type::Clock
            });
        if clocked {
            return self.type_clocked("sample", args, place, env);
        }
        let Some(slots) = self.named_slots("sample", &names, 2, args, place, env) else {
            return Typed::error();
        };
        let mut exps = Vec::new();
        for (index, slot) in slots.into_iter().flatten().enumerate() {
            let typed = super::operator::first_output(self.type_exp(slot, env));
            let Some(exp) = fit(typed.exp, &typed.ty, &Type::Real) else {
                let at = env.place(slot.span);
                self.wrong_argument(
                    "sample",
                    Name::new(names[index]),
                    &typed.ty,
                    &Type::Real,
                    at,
                );
                return Typed::error();
            };
            if typed.var > Variability::Parameter {
                let at = env.place(slot.span);
                let message = format!(
                    "`{}` of `sample` must be a parameter expression",
                    names[index]
                );
                self.error(
                    Code::MS2025,
                    at,
                    message,
                    format!("this is {}", typed.var.describe()),
                );
                return Typed::error();
            }
            exps.push(exp);
        }
        builtin("sample", exps, Type::Boolean, Variability::Discrete)
    }

    pub(crate) fn type_stream(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let Some(mut args) = self.exact_args(name, 1, args, place, env) else {
            return Typed::error();
        };
        let arg = args.remove(0);
        let stream = match &arg.value.exp {
            Exp::Ref(cref) => cref.component().is_some_and(|id| {
                self.out.components[id].flow == Some(modeshift_syntax::ast::Flow::Stream)
            }),
            _ => false,
        };
        if let Exp::Ref(cref) = &arg.value.exp
            && arg.value.var > Variability::Parameter
            && self.subscripts_change(cref)
        {
            let message =
                format!("which connector `{name}` means must be known before the simulation");
            self.error(
                Code::MS2025,
                arg.place,
                message,
                "a subscript changes during the simulation",
            );
            return Typed::error();
        }
        if !stream {
            let diagnostic =
                Diagnostic::new(Code::MS2034, format!("`{name}` needs a stream variable"))
                    .label(arg.place, "not declared `stream`");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
        }
        builtin(
            name,
            vec![arg.value.exp],
            arg.value.ty,
            Variability::Continuous,
        )
    }

    /// Whether a subscript of the reference is more than a parameter expression.
    fn subscripts_change(&self, cref: &crate::exp::Cref) -> bool {
        let mut changes = false;
        for part in &cref.parts {
            for subscript in &part.subscripts {
                let (crate::exp::Subscript::Index(exp) | crate::exp::Subscript::Slice(exp)) =
                    subscript
                else {
                    continue;
                };
                changes |= matches!(exp, Exp::Time);
                crate::exp::visit_refs(exp, &mut |cref| {
                    changes |= cref.component().is_some_and(|id| {
                        self.out.components[id].variability > Variability::Parameter
                    });
                });
            }
        }
        changes
    }

    pub(crate) fn type_cardinality(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.connect, true);
        let typed = self.exact_args("cardinality", 1, args, place, env);
        env.connect = before;
        let Some(mut args) = typed else {
            return Typed::error();
        };
        let arg = args.remove(0);
        let connector = match &arg.value.exp {
            Exp::Ref(cref) => cref.component().is_some_and(|id| {
                matches!(
                    self.out.components[id].kind,
                    ClassKind::Connector | ClassKind::ExpandableConnector
                )
            }),
            _ => false,
        };
        if !connector || arg.value.ty.is_array() {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                "`cardinality` counts the connections of one connector",
            )
            .label(arg.place, format!("this is {}", arg.value.ty));
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
        }
        if !env.condition {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                "`cardinality` can only be asked in the condition of an `if` or an `assert`",
            )
            .label(place, "not in such a condition");
            self.report(diagnostic);
            return Typed::error();
        }
        builtin(
            "cardinality",
            vec![arg.value.exp],
            Type::Integer,
            Variability::Structural,
        )
    }

    pub(crate) fn type_connections(
        &mut self,
        name: &str,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let before = std::mem::replace(&mut env.connect, true);
        let TypedArgs { positional, named } = self.type_args(args, env);
        env.connect = before;
        if positional.iter().any(|arg| arg.value.is_error()) {
            return Typed::error();
        }
        let makes_graph = !matches!(name, "Connections.isRoot" | "Connections.rooted" | "rooted");
        if makes_graph && !self.is_fixed_place(name, place, env) {
            return Typed::error();
        }
        let (count, ty): (std::ops::RangeInclusive<usize>, Type) = match name {
            "Connections.branch" => (2..=2, Type::NoReturn),
            "Connections.root" => (1..=1, Type::NoReturn),
            "Connections.potentialRoot" => (1..=2, Type::NoReturn),
            "Connections.uniqueRoot" => (1..=2, Type::NoReturn),
            _ => (1..=1, Type::Boolean),
        };
        let places: Vec<Place> = positional.iter().map(|arg| arg.place).collect();
        let mut exps: Vec<Exp> = positional.into_iter().map(|arg| arg.value.exp).collect();
        exps.extend(named.into_iter().map(|(_, arg)| arg.value.exp));
        if !count.contains(&exps.len()) {
            self.wrong_count(name, *count.start(), *count.end(), exps.len(), place);
            return Typed::error();
        }
        let referred = if name == "Connections.branch" { 2 } else { 1 };
        for (exp, place) in exps.iter().zip(&places).take(referred) {
            self.check_overdetermined(name, exp, *place);
        }
        self.has_graph = true;
        if name == "Connections.potentialRoot" {
            match exps.get(1) {
                // The priority decides which equations there are.
                Some(priority) => self.mark_structural(&priority.clone()),
                None => exps.push(Exp::Int(0)),
            }
        }
        builtin(name, exps, ty, Variability::Structural)
    }

    /// The graph of overconstrained connections is fixed, like the connections: what makes it stands in equations that
    /// are there from the start (Modelica 3.6 §9.4).
    fn is_fixed_place(&mut self, name: &str, place: Place, env: &Env) -> bool {
        let (problem, label) = if env.algorithm {
            ("in an algorithm", "not an equation")
        } else if env.when {
            ("in a `when`", "the graph does not change at events")
        } else if env.dynamic {
            (
                "under a condition that changes during the simulation",
                "inside an `if` that is not decided before the simulation",
            )
        } else if env.initial {
            ("in an initial equation section", "not an initial equation")
        } else {
            return true;
        };
        let message = format!("`{name}` is not allowed {problem}");
        self.error(Code::MS2043, place, message, label);
        false
    }

    /// The nodes of the graph are `A.R`: `R` an over-determined part of the connector `A`.
    fn check_overdetermined(&mut self, name: &str, exp: &Exp, place: Place) {
        let fine = match exp {
            Exp::Ref(cref) => cref.component().is_some_and(|id| {
                let parent = self.out.components[id].parent;
                parent.is_some_and(|parent| {
                    matches!(
                        self.out.components[parent].kind,
                        ClassKind::Connector | ClassKind::ExpandableConnector
                    )
                })
            }),
            _ => false,
        };
        if !fine {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                format!("`{name}` needs an over-determined part of a connector"),
            )
            .label(place, "not of the form `connector.part`");
            self.report(self.label_declaration(diagnostic, exp));
        }
    }

    /// Finds the functions that compare two values of the overconstrained members of connectors: connections
    /// that close a loop call them.
    pub(crate) fn finish_constraints(&mut self) {
        if !self.has_graph {
            return;
        }
        let mut known: FxHashMap<Box<str>, Option<Arc<str>>> = FxHashMap::default();
        for id in self.out.components.ids() {
            let parent = self.out.components[id].parent;
            let in_connector = parent.is_some_and(|parent| {
                let kind = self.out.components[parent].kind;
                kind == ClassKind::Connector || kind == ClassKind::ExpandableConnector
            });
            if !in_connector {
                continue;
            }
            let class = match &self.out.components[id].ty {
                Type::Record(record) => record.path.clone(),
                _ => {
                    self.out.components[id].constraint = self.constraint_of_type(id);
                    continue;
                }
            };
            if !known.contains_key(&class) {
                let function = self.constraint_of(&class);
                known.insert(class.clone(), function);
            }
            self.out.components[id].constraint = known.get(&class).cloned().flatten();
        }
    }

    /// The same of a type that is an array with a function of its own: `type T extends Real[3]; function …`.
    fn constraint_of_type(&mut self, id: ComponentId) -> Option<Arc<str>> {
        let comp = self.elem(self.info(id).elem).component()?;
        let (scope, path, text) = (comp.scope, comp.decl.type_name, comp.decl.text);
        let elem = self.quietly(|cx| cx.lookup_class(scope, path, text)).0?;
        self.elem(elem).class()?.def.body()?;
        let node = self.class_node(elem)?;
        let elem = self.lookup_member(node, Name::new("equalityConstraint"))?;
        let function = self.function(elem)?;
        self.require_function(&function);
        Some(function.name.clone())
    }

    fn constraint_of(&mut self, record: &str) -> Option<Arc<str>> {
        let elem = *self.record_elems.get(record)?;
        let node = self.class_node(elem)?;
        let elem = self.lookup_member(node, Name::new("equalityConstraint"))?;
        let function = self.function(elem)?;
        self.require_function(&function);
        Some(function.name.clone())
    }
}

/// The value of a literal number.
fn number(exp: &Exp) -> Option<f64> {
    match exp {
        Exp::Real(value) => Some(*value),
        Exp::Int(value) => Some(*value as f64),
        Exp::Cast(_, inner) => number(inner),
        Exp::Unary(crate::exp::UnaryOp::Neg, inner) => number(inner).map(|value| -value),
        _ => None,
    }
}
