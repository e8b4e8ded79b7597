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

/// All that is predefined.
pub(crate) const NAMES: [&[&str]; 2] = [OPERATORS, FUNCTIONS];

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

impl<'a> Cx<'_, 'a> {
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
                self.type_state_machine(text, args, place, env)
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

    pub(crate) fn wrong_count(
        &mut self,
        function: &str,
        low: usize,
        high: usize,
        given: usize,
        place: Place,
    ) {
        let wanted = if low == high {
            format!("{low}")
        } else {
            format!("{low} to {high}")
        };
        let message = format!(
            "`{function}` takes {wanted} argument{}, but {given} {} given",
            if wanted == "1" { "" } else { "s" },
            if given == 1 { "is" } else { "are" }
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
            let diagnostic = Diagnostic::new(
                Code::MS2031,
                format!("`{what}` cannot be used in a function"),
            )
            .label(place, "in a function")
            .note("the result of a function depends on its arguments alone, not on time or events");
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
        if let [only] = args.as_slice()
            && let Some(value) = literal(&only.value.exp)
            && let Some(domain) = domain(name, value)
        {
            let message = format!("`{name}` of {value} is not defined");
            self.error(
                Code::MS2029,
                only.place,
                message,
                format!("must be {domain}"),
            );
            return Typed::error();
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

    pub(crate) fn real_arg(&mut self, function: &str, exp: &Expr, env: &mut Env) -> Option<Typed> {
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
}

/// The number that is written there.
fn literal(exp: &Exp) -> Option<f64> {
    match exp {
        Exp::Int(value) => Some(*value as f64),
        Exp::Real(value) => Some(*value),
        _ => None,
    }
}

/// What an argument has to be for a function that is not defined everywhere, if `value` is not (Modelica 3.6 §3.7.3).
fn domain(function: &str, value: f64) -> Option<&'static str> {
    match function {
        "sqrt" if value < 0.0 => Some("at least 0"),
        "log" | "log10" if value <= 0.0 => Some("greater than 0"),
        "asin" | "acos" if !(-1.0..=1.0).contains(&value) => Some("between -1 and 1"),
        _ => None,
    }
}
