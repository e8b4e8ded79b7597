//! Predefined operators and functions with scalar meaning (Modelica 3.6 §3.7): mathematics, derivatives, events.

use super::call::{Arg, TypedArgs, index_by};
use super::{Env, Typed, fit};
use crate::cx::Cx;
use crate::exp::{Call, Callee, Exp};
use crate::tree::Place;
use crate::ty::{Dim, Type, Variability};
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{Args, Expr};
use std::sync::OnceLock;

const OPERATORS: &[&str] = &[
    "der",
    "initial",
    "terminal",
    "pre",
    "edge",
    "change",
    "noEvent",
    "reinit",
    "smooth",
    "inStream",
    "actualStream",
];

const FUNCTIONS: &[&str] = &[
    "abs",
    "sign",
    "sqrt",
    "String",
    "Integer",
    "Real",
    "Boolean",
    "div",
    "mod",
    "rem",
    "ceil",
    "floor",
    "integer",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log10",
    "delay",
    "cardinality",
    "homotopy",
    "semiLinear",
    "spatialDistribution",
    "getInstanceName",
    "sample",
    "assert",
    "terminate",
    "promote",
    "ndims",
    "size",
    "scalar",
    "vector",
    "matrix",
    "identity",
    "diagonal",
    "zeros",
    "ones",
    "fill",
    "linspace",
    "min",
    "max",
    "sum",
    "product",
    "transpose",
    "outerProduct",
    "symmetric",
    "cross",
    "skew",
    "cat",
    "array",
    "pure",
    "DynamicSelect",
    "rooted",
    "Connections.branch",
    "Connections.root",
    "Connections.potentialRoot",
    "Connections.isRoot",
    "Connections.rooted",
    "Connections.uniqueRoot",
    "Connections.uniqueRootIndices",
    "Clock",
    "previous",
    "hold",
    "subSample",
    "superSample",
    "shiftSample",
    "backSample",
    "noClock",
    "firstTick",
    "interval",
    "activeState",
    "initialState",
    "transition",
    "ticksInState",
    "timeInState",
];

fn set(
    names: &'static [&'static str],
    cell: &'static OnceLock<FxHashSet<Name>>,
) -> &'static FxHashSet<Name> {
    cell.get_or_init(|| names.iter().map(|name| Name::new(name)).collect())
}

/// Operators that nothing declared can hide.
pub(crate) fn is_operator(name: Name) -> bool {
    static SET: OnceLock<FxHashSet<Name>> = OnceLock::new();
    set(OPERATORS, &SET).contains(&name)
}

/// Predefined functions, operators included.
pub(crate) fn is_function(name: Name) -> bool {
    static SET: OnceLock<FxHashSet<Name>> = OnceLock::new();
    is_operator(name) || set(FUNCTIONS, &SET).contains(&name)
}

/// A call of a predefined function.
pub(crate) fn builtin(name: &str, args: Vec<Exp>, ty: Type, var: Variability) -> Typed {
    let call = Call {
        function: Callee::Builtin(Name::new(name)),
        args,
        ty: ty.clone(),
    };
    Typed::new(Exp::Call(Box::new(call)), ty, var)
}

impl<'a> Cx<'a> {
    pub(crate) fn type_builtin(
        &mut self,
        name: Name,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let text = name.as_str();
        if !args.iterators.is_empty() {
            return self.builtin_reduction(text, args, place, env);
        }
        match text {
            "terminate" if env.function => {
                self.not_in_function("terminate", place, env);
                Typed::error()
            }
            "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "exp"
            | "log" | "log10" | "sqrt" => self.real_function(text, 1, args, place, env),
            "atan2" => self.real_function(text, 2, args, place, env),
            "abs" | "sign" | "ceil" | "floor" | "integer" => self.rounding(text, args, place, env),
            "div" | "mod" | "rem" => self.division(text, args, place, env),
            "der" => self.type_der(args, place, env),
            "pre" | "edge" | "change" | "previous" => self.type_pre(text, args, place, env),
            "initial" | "terminal" => {
                self.no_arguments(text, args, place);
                self.not_in_function(text, place, env);
                builtin(text, Vec::new(), Type::Boolean, Variability::Discrete)
            }
            "noEvent" => self.type_no_event(args, place, env),
            "smooth" => self.type_smooth(args, place, env),
            "delay" => self.type_delay(args, place, env),
            "homotopy" => self.type_homotopy(args, place, env),
            "semiLinear" => self.real_function(text, 3, args, place, env),
            "sample" => self.type_sample(args, place, env),
            "inStream" | "actualStream" => self.type_stream(text, args, place, env),
            "String" => self.type_string(args, place, env),
            "Integer" => self.type_to_integer(args, place, env),
            "cardinality" => self.type_cardinality(args, place, env),
            "getInstanceName" => self.instance_name(env),
            "spatialDistribution" => self.type_spatial_distribution(args, place, env),
            "assert" | "terminate" | "reinit" => {
                self.error(
                    Code::MS2022,
                    place,
                    format!("`{text}` has no value"),
                    "used as a value",
                );
                Typed::error()
            }
            "pure" => self.type_pure(args, env),
            _ if text.starts_with("Connections.") || text == "rooted" => {
                self.type_connections(text, args, place, env)
            }
            "Real" | "Boolean" => {
                self.error(
                    Code::MS2042,
                    place,
                    format!("`{text}` is a type and cannot be called"),
                    "called here",
                );
                Typed::error()
            }
            "Clock" | "hold" | "subSample" | "superSample" | "shiftSample" | "backSample"
            | "noClock" | "firstTick" | "interval" => self.type_clocked(text, args, place, env),
            "activeState" | "initialState" | "transition" | "ticksInState" | "timeInState" => {
                self.unsupported(&format!("state machines (`{text}`)"), place);
                self.type_args(args, env);
                Typed::error()
            }
            _ => self.type_array_builtin(text, args, place, env),
        }
    }

    pub(crate) fn unsupported(&mut self, what: &str, place: Place) {
        let message = format!("{what} are not supported yet");
        self.error(Code::MS2037, place, message, "not supported");
    }

    fn builtin_reduction(&mut self, text: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(body) = args.positional.first() else {
            return Typed::error();
        };
        if !matches!(text, "array" | "sum" | "product" | "min" | "max") {
            let message = format!("`{text}` does not take a loop as argument");
            self.error(
                Code::MS2022,
                place,
                message,
                "`array`, `sum`, `product`, `min` and `max` do",
            );
            return Typed::error();
        }
        self.type_reduction(text, body, &args.iterators, place, env)
    }

    /// The arguments of a predefined function in the order of `names`; missing optional ones are `None`.
    pub(crate) fn named_slots<'e>(
        &mut self,
        function: &str,
        names: &[&str],
        required: usize,
        args: &'e Args,
        place: Place,
        env: &Env,
    ) -> Option<Vec<Option<&'e Expr>>> {
        let mut slots: Vec<Option<&'e Expr>> = vec![None; names.len()];
        if args.positional.len() > names.len() {
            self.wrong_count(
                function,
                required,
                names.len(),
                args.positional.len(),
                place,
            );
            return None;
        }
        for (slot, arg) in slots.iter_mut().zip(&args.positional) {
            *slot = Some(arg);
        }
        for arg in &args.named {
            let index = names
                .iter()
                .position(|name| arg.name.name.as_str() == *name);
            match index {
                Some(index) if slots[index].is_none() => slots[index] = Some(&arg.value),
                _ => {
                    let message =
                        format!("`{function}` has no input `{}` to give here", arg.name.name);
                    self.error(
                        Code::MS2022,
                        env.place(arg.name.span),
                        message,
                        "no such input",
                    );
                    return None;
                }
            }
        }
        if slots.iter().take(required).any(Option::is_none) {
            let given = slots.iter().flatten().count();
            self.wrong_count(function, required, names.len(), given, place);
            return None;
        }
        Some(slots)
    }

    fn wrong_count(&mut self, function: &str, low: usize, high: usize, given: usize, place: Place) {
        let wanted = if low == high {
            format!("{low}")
        } else {
            format!("{low} to {high}")
        };
        let message = format!(
            "`{function}` takes {wanted} argument{}, but {given} are given",
            if wanted == "1" { "" } else { "s" }
        );
        self.error(Code::MS2022, place, message, "wrong number of arguments");
    }

    /// All arguments typed; `None` when one is wrong or their number is.
    pub(crate) fn exact_args(
        &mut self,
        function: &str,
        count: usize,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Option<Vec<Arg>> {
        let TypedArgs { positional, named } = self.type_args(args, env);
        if let Some((name, _)) = named.first() {
            let message = format!("`{function}` takes its arguments by position");
            self.error(Code::MS2022, env.place(name.span), message, "given by name");
            return None;
        }
        if positional.len() != count {
            self.wrong_count(function, count, count, positional.len(), place);
            return None;
        }
        if positional.iter().any(|arg| arg.value.is_error()) {
            return None;
        }
        Some(positional)
    }

    fn no_arguments(&mut self, function: &str, args: &Args, place: Place) {
        let given = args.positional.len() + args.named.len();
        if given > 0 {
            self.wrong_count(function, 0, 0, given, place);
        }
    }

    pub(crate) fn not_in_function(&mut self, what: &str, place: Place, env: &Env) {
        if env.function {
            let diagnostic = Diagnostic::new(Code::MS2031, format!("`{what}` cannot be used in a function"))
                .label(place, "in a function")
                .note("A function knows nothing of time and events: its result depends on its arguments alone.");
            self.report(diagnostic);
        }
    }

    /// Functions of Reals, applied to arrays element by element.
    fn real_function(
        &mut self,
        name: &str,
        count: usize,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let Some(args) = self.exact_args(name, count, args, place, env) else {
            return Typed::error();
        };
        self.scalar_call(name, args, Type::Real, Type::Real, None)
    }

    /// A predefined scalar function on scalars or on arrays of equal size.
    pub(crate) fn scalar_call(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        element: Type,
        result: Type,
        cap: Option<Variability>,
    ) -> Typed {
        let mut dims: Option<Vec<Dim>> = None;
        let mut var = Variability::Constant;
        for (index, arg) in args.iter().enumerate() {
            var = var.max(arg.value.var);
            if !fit::fits(arg.value.ty.element(), &element) {
                let input = Name::new(&format!("{}", index + 1));
                self.wrong_argument(name, input, &arg.value.ty, &element, arg.place);
                return Typed::error();
            }
            if arg.value.ty.is_array() {
                let own = super::call::open_dims(&arg.value.exp, arg.value.ty.dims());
                match &dims {
                    None => dims = Some(own),
                    Some(first)
                        if first.len() == own.len()
                            && first.iter().zip(&own).all(|(a, b)| a.compatible(b)) => {}
                    Some(_) => {
                        let message = format!("`{name}` is applied to arrays of different sizes");
                        self.error(
                            Code::MS2024,
                            arg.place,
                            message,
                            format!("this is {}", arg.value.ty),
                        );
                        return Typed::error();
                    }
                }
            }
        }
        let iterators: Vec<(Dim, Name)> = dims
            .unwrap_or_default()
            .into_iter()
            .map(|dim| (dim, self.fresh_iterator()))
            .collect();
        let exps = args
            .into_iter()
            .map(|arg| {
                let Typed { exp, ty, .. } = arg.value;
                let wanted = ty.with_element(element.clone());
                let exp = fit::fit_element(exp, &ty, &wanted).unwrap_or(Exp::Error);
                if ty.is_array() {
                    index_by(exp, &iterators)
                } else {
                    exp
                }
            })
            .collect();
        let var = cap.map_or(var, |cap| var.min(cap));
        let call = Call {
            function: Callee::Builtin(Name::new(name)),
            args: exps,
            ty: result.clone(),
        };
        self.vectorised(Exp::Call(Box::new(call)), result, iterators, var)
    }

    fn rounding(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(mut args) = self.exact_args(name, 1, args, place, env) else {
            return Typed::error();
        };
        let element = args[0].value.ty.element().clone();
        if name == "integer" && matches!(element, Type::Enumeration(_)) {
            return self.scalar_call("Integer", args, element, Type::Integer, None);
        }
        let cap = Some(if env.no_event {
            Variability::Continuous
        } else {
            Variability::Discrete
        });
        match name {
            "abs" if element == Type::Integer => {
                self.scalar_call(name, args, Type::Integer, Type::Integer, None)
            }
            "abs" => self.scalar_call(name, args, Type::Real, Type::Real, None),
            "sign" => self.scalar_call(name, args, Type::Real, Type::Integer, cap),
            "integer" => {
                if element == Type::Integer {
                    return args.remove(0).value;
                }
                self.scalar_call(name, args, Type::Real, Type::Integer, cap)
            }
            _ => self.scalar_call(name, args, Type::Real, Type::Real, cap),
        }
    }

    fn division(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(args) = self.exact_args(name, 2, args, place, env) else {
            return Typed::error();
        };
        let integer = args
            .iter()
            .all(|arg| *arg.value.ty.element() == Type::Integer);
        let element = if integer { Type::Integer } else { Type::Real };
        let cap = (name == "div").then_some(Variability::Discrete);
        self.scalar_call(name, args, element.clone(), element, cap)
    }

    fn type_der(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function("der", place, env);
        let Some(mut args) = self.exact_args("der", 1, args, place, env) else {
            return Typed::error();
        };
        let arg = args.remove(0);
        let ty = arg.value.ty.clone();
        if *ty.element() != Type::Real && !ty.is_record() {
            let diagnostic = Diagnostic::new(
                Code::MS2034,
                format!("`der` needs a Real that changes continuously, but this is {ty}"),
            )
            .label(arg.place, format!("this is {ty}"));
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
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

    fn type_pre(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function(name, place, env);
        let Some(mut args) = self.exact_args(name, 1, args, place, env) else {
            return Typed::error();
        };
        let arg = args.remove(0);
        let is_ref =
            matches!(arg.value.exp, Exp::Ref(_)) || arg.value.var <= Variability::Parameter;
        if !is_ref {
            let message = format!("`{name}` is defined for variables only");
            self.error(Code::MS2034, arg.place, message, "not a variable");
            return Typed::error();
        }
        if arg.value.var == Variability::Continuous
            && !env.when
            && !self.changes_at_events(&arg.value.exp)
            && !env.relation
            && name != "previous"
            && !arg.value.ty.is_record()
        {
            let diagnostic = Diagnostic::new(Code::MS2034, format!("`{name}` of a variable that changes continuously"))
                .label(arg.place, "continuous-time")
                .note("Between events a continuous variable equals its left limit, so `pre` is of use in a guard, as in `pre(x) > 0`, and inside `when`. Elsewhere, assign the value in a `when`, or declare the variable `discrete`.");
            self.report(self.label_declaration(diagnostic, &arg.value.exp));
            return Typed::error();
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

    fn type_no_event(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.no_event, true);
        let args = self.exact_args("noEvent", 1, args, place, env);
        env.no_event = before;
        let Some(mut args) = args else {
            return Typed::error();
        };
        let Typed { exp, ty, var } = args.remove(0).value;
        builtin("noEvent", vec![exp], ty, var)
    }

    fn type_smooth(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
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

    fn real_arg(&mut self, function: &str, exp: &Expr, env: &mut Env) -> Option<Typed> {
        let typed = super::operator::first_output(self.type_exp(exp, env));
        if typed.is_error() {
            return None;
        }
        let to = typed.ty.with_element(Type::Real);
        match fit(typed.exp.clone(), &typed.ty, &to) {
            Some(exp) => Some(Typed::new(exp, to, typed.var)),
            None => {
                let place = env.place(exp.span);
                self.wrong_argument(function, Name::new("…"), &typed.ty, &Type::Real, place);
                None
            }
        }
    }

    fn type_delay(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
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
                self.error(
                    Code::MS2025,
                    env.place(slot.span),
                    message,
                    format!("this is {}", typed.var.describe()),
                );
                return Typed::error();
            }
            exps.push(typed.exp);
        }
        if let [_, delay] = exps.as_slice() {
            let delay = delay.clone();
            exps.push(delay);
        }
        builtin("delay", exps, ty, Variability::Continuous)
    }

    fn type_homotopy(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let names = ["actual", "simplified"];
        let Some(slots) = self.named_slots("homotopy", &names, 2, args, place, env) else {
            return Typed::error();
        };
        let mut typed = Vec::new();
        for slot in slots.into_iter().flatten() {
            let Some(value) = self.real_arg("homotopy", slot, env) else {
                return Typed::error();
            };
            typed.push(value);
        }
        let [actual, simplified] = typed.as_slice() else {
            return Typed::error();
        };
        if !fit::fits(&simplified.ty, &actual.ty) {
            let message = format!(
                "both arguments of `homotopy` must have one type, but these are {} and {}",
                actual.ty, simplified.ty
            );
            self.error(Code::MS2023, place, message, "different types");
            return Typed::error();
        }
        let var = actual.var.max(simplified.var);
        builtin(
            "homotopy",
            vec![actual.exp.clone(), simplified.exp.clone()],
            actual.ty.clone(),
            var,
        )
    }

    fn type_sample(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.not_in_function("sample", place, env);
        let names = ["start", "interval"];
        let Some(slots) = self.named_slots("sample", &names, 1, args, place, env) else {
            return Typed::error();
        };
        if slots[1].is_none() {
            return self.type_clocked("sample", args, place, env);
        }
        let mut exps = Vec::new();
        for (index, slot) in slots.into_iter().flatten().enumerate() {
            let typed = super::operator::first_output(self.type_exp(slot, env));
            if index == 1 && typed.ty == Type::Clock {
                let var = Variability::Discrete;
                let ty = Type::Real;
                exps.push(typed.exp);
                return builtin("sample", exps, ty, var);
            }
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

    fn type_stream(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
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

    fn type_string(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(first) = args.positional.first() else {
            self.wrong_count("String", 1, 4, 0, place);
            return Typed::error();
        };
        let value = super::operator::first_output(self.type_exp(first, env));
        if value.is_error() {
            return Typed::error();
        }
        if value.ty.is_record() {
            return self.overloaded_string(value, args, place, env);
        }
        let names: &[&str] = match (
            &value.ty,
            args.positional.len() > 1
                || args
                    .named
                    .iter()
                    .any(|arg| arg.name.name.as_str() == "format"),
        ) {
            (Type::Real, true) => &["r", "format"],
            (Type::Real, false) => &["r", "significantDigits", "minimumLength", "leftJustified"],
            (Type::Integer, true)
                if args
                    .named
                    .iter()
                    .any(|arg| arg.name.name.as_str() == "format") =>
            {
                &["i", "format"]
            }
            (Type::Integer | Type::Boolean | Type::Enumeration(_), _) => {
                &["i", "minimumLength", "leftJustified"]
            }
            (Type::String, _) => &["s"],
            _ => {
                self.wrong_argument(
                    "String",
                    Name::new("1"),
                    &value.ty,
                    &Type::Real,
                    env.place(first.span),
                );
                return Typed::error();
            }
        };
        let Some(slots) = self.named_slots("String", names, 1, args, place, env) else {
            return Typed::error();
        };
        let mut exps = vec![value.exp];
        let mut var = value.var;
        for (name, slot) in names.iter().zip(slots).skip(1) {
            let exp = match slot {
                Some(slot) => {
                    let typed = self.type_exp(slot, env);
                    var = var.max(typed.var);
                    typed.exp
                }
                None => match *name {
                    "significantDigits" => Exp::Int(6),
                    "minimumLength" => Exp::Int(0),
                    "leftJustified" => Exp::Bool(true),
                    _ => continue,
                },
            };
            exps.push(exp);
        }
        builtin("String", exps, Type::String, var)
    }

    fn type_to_integer(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let Some(args) = self.exact_args("Integer", 1, args, place, env) else {
            return Typed::error();
        };
        let element = args[0].value.ty.element().clone();
        if !matches!(element, Type::Enumeration(_)) {
            let message = format!(
                "`Integer` gives the number of an enumeration literal, but this is {element}"
            );
            self.error(
                Code::MS2023,
                args[0].place,
                message,
                "use `integer(…)` to round a Real down",
            );
            return Typed::error();
        }
        self.scalar_call("Integer", args, element, Type::Integer, None)
    }

    fn type_cardinality(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.connect, true);
        let typed = self.exact_args("cardinality", 1, args, place, env);
        env.connect = before;
        let Some(mut args) = typed else {
            return Typed::error();
        };
        let arg = args.remove(0);
        builtin(
            "cardinality",
            vec![arg.value.exp],
            Type::Integer,
            Variability::Structural,
        )
    }

    fn instance_name(&mut self, env: &Env) -> Typed {
        let path = self.node(self.derived_most(env.scope)).path.clone();
        Typed::constant(Exp::Str((&*path).into()), Type::String)
    }

    fn type_pure(&mut self, args: &Args, env: &mut Env) -> Typed {
        match args.positional.as_slice() {
            [one] => self.type_exp(one, env),
            _ => Typed::error(),
        }
    }

    fn type_spatial_distribution(&mut self, args: &Args, place: Place, env: &mut Env) -> Typed {
        let names = [
            "in0",
            "in1",
            "x",
            "positiveVelocity",
            "initialPoints",
            "initialValues",
        ];
        let Some(slots) = self.named_slots("spatialDistribution", &names, 4, args, place, env)
        else {
            return Typed::error();
        };
        let defaults = |values: [f64; 2]| {
            let ty = Type::array(Type::Real, vec![Dim::Known(2)]);
            Exp::Array(values.map(Exp::Real).to_vec(), ty)
        };
        let mut exps = Vec::new();
        for (index, slot) in slots.into_iter().enumerate() {
            let exp = match slot {
                Some(slot) if index == 3 => self.type_exp(slot, env).exp,
                Some(slot) => match self.real_arg("spatialDistribution", slot, env) {
                    Some(typed) => typed.exp,
                    None => return Typed::error(),
                },
                None if index == 4 => defaults([0.0, 1.0]),
                None => defaults([0.0, 0.0]),
            };
            exps.push(exp);
        }
        builtin(
            "spatialDistribution",
            exps,
            Type::Tuple([Type::Real, Type::Real].into()),
            Variability::Continuous,
        )
    }

    fn type_connections(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        let before = std::mem::replace(&mut env.connect, true);
        let TypedArgs { positional, named } = self.type_args(args, env);
        env.connect = before;
        if positional.iter().any(|arg| arg.value.is_error()) {
            return Typed::error();
        }
        let (count, ty): (std::ops::RangeInclusive<usize>, Type) = match name {
            "Connections.branch" => (2..=2, Type::NoReturn),
            "Connections.root" => (1..=1, Type::NoReturn),
            "Connections.potentialRoot" => (1..=2, Type::NoReturn),
            "Connections.uniqueRoot" => (1..=2, Type::NoReturn),
            _ => (1..=1, Type::Boolean),
        };
        let mut exps: Vec<Exp> = positional.into_iter().map(|arg| arg.value.exp).collect();
        exps.extend(named.into_iter().map(|(_, arg)| arg.value.exp));
        if !count.contains(&exps.len()) {
            self.wrong_count(name, *count.start(), *count.end(), exps.len(), place);
            return Typed::error();
        }
        for exp in &exps {
            if let Exp::Ref(cref) = exp {
                self.require_constraint(&cref.ty.clone());
            }
        }
        if name == "Connections.potentialRoot" {
            match exps.get(1) {
                // The priority decides which equations there are.
                Some(priority) => self.mark_structural(&priority.clone()),
                None => exps.push(Exp::Int(0)),
            }
        }
        builtin(name, exps, ty, Variability::Structural)
    }

    /// The function that compares two values of an overconstrained record: connections that close a loop
    /// call it.
    fn require_constraint(&mut self, ty: &Type) {
        let Type::Record(record) = ty.element() else {
            return;
        };
        let Some(&elem) = self.record_elems.get(&record.path) else {
            return;
        };
        let function = self
            .class_node(elem)
            .and_then(|node| self.lookup_member(node, Name::new("equalityConstraint")))
            .and_then(|function| self.function(function));
        if let Some(function) = function {
            self.require_function(&function);
        }
    }

    /// Synchronous operators keep their arguments; what they mean is not supported yet.
    fn type_clocked(&mut self, name: &str, args: &Args, place: Place, env: &mut Env) -> Typed {
        self.unsupported(&format!("clocks (`{name}`)"), place);
        self.type_args(args, env);
        Typed::error()
    }
}
