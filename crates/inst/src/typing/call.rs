//! Calls of functions: which function is meant, its arguments by position and name, defaults, and application
//! to arrays element by element (Modelica 3.6 §12.4).

use super::{Env, Typed, fit};
use crate::cx::{Cx, FunctionInfo};
use crate::exp::{Call, Callee, Exp, Range, Reduction, Subscript};
use crate::node::ElemId;
use crate::tree::{ComponentId, FunctionBody, Place, StatementKind};
use crate::ty::{Dim, RecordType, Type, Variability};
use crate::unknown::{Wanted, ident_of, replace, suggest};
use modeshift_base::{FxHashMap, Name, Span};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{Args, ClassKind, ComponentRef, Ident, RefPart};
use std::sync::Arc;

/// Functions of other languages, and how Modelica writes them.
const FOREIGN: [(&str, &str); 14] = [
    ("ln", "`log(x)` for the natural logarithm"),
    ("lg", "`log10(x)` for the logarithm to the base 10"),
    ("pow", "`x^n` for a power"),
    ("power", "`x^n` for a power"),
    ("sqr", "`x^2` for a square"),
    ("square", "`x^2` for a square"),
    ("fabs", "`abs(x)` for the absolute value"),
    ("sgn", "`sign(x)` for the sign"),
    ("signum", "`sign(x)` for the sign"),
    ("round", "`integer(x + 0.5)` for the nearest Integer"),
    ("trunc", "`integer(x)` for the Integer below"),
    ("len", "`size(x, 1)` for the length of a vector"),
    ("length", "`size(x, 1)` for the length of a vector"),
    ("ddt", "`der(x)` for the derivative"),
];

/// `np.log` and `Math.log`: the functions of mathematics have plain names.
fn predefined_function(
    diagnostic: Diagnostic<Place>,
    name: Name,
    whole: Place,
) -> Diagnostic<Place> {
    match FOREIGN.iter().find(|(word, _)| *word == name.as_str()) {
        Some((_, right)) => diagnostic.note(format!("Modelica writes {right}")),
        None => {
            let diagnostic = diagnostic.note(format!("Modelica has a function `{name}`"));
            replace(diagnostic, whole, name.to_string())
        }
    }
}

/// A typed argument with its place.
pub(crate) struct Arg {
    pub value: Typed,
    pub place: Place,
}

/// The arguments of a call, typed.
pub(crate) struct TypedArgs {
    pub positional: Vec<Arg>,
    pub named: Vec<(Ident, Arg)>,
}

impl<'a> Cx<'_, 'a> {
    pub(crate) fn type_call(
        &mut self,
        function: &ComponentRef,
        args: &Args,
        span: Span,
        env: &mut Env,
    ) -> Typed {
        let place = env.place(span);
        if let Some(name) = self.builtin_name(function, env) {
            return self.type_builtin(name, args, place, env);
        }
        let Some(elem) = self.lookup_function(function, env) else {
            // Mistakes in the arguments are worth telling all the same. Whether the function takes a loop is not known.
            if args.iterators.is_empty() {
                self.type_args(args, env);
            }
            return Typed::error();
        };
        self.type_user_call(elem, args, place, env)
    }

    /// The name of a predefined function, unless something of that name is declared.
    fn builtin_name(&mut self, function: &ComponentRef, env: &Env) -> Option<Name> {
        match function.parts.as_slice() {
            [part] => {
                let name = part.name;
                if super::builtin::is_operator(name) {
                    return (!self.hides_operator(part, env)).then_some(name);
                }
                if !super::builtin::is_function(name) {
                    return None;
                }
                let found = if function.global {
                    self.lookup_member(crate::cx::ROOT, name)
                } else {
                    self.lookup_name(env.scope, name)
                };
                match found {
                    None => Some(name),
                    Some(elem) if self.builtins.get(&name) == Some(&elem) => Some(name),
                    Some(elem) if self.elem(elem).component().is_some() => Some(name),
                    Some(_) => None,
                }
            }
            [first, second] if first.name.as_str() == "Connections" => {
                let name = Name::new(&format!("Connections.{}", second.name));
                if !super::builtin::is_function(name) {
                    return None;
                }
                // A class of that name hides the operators only if it has something called like them.
                let own = self.lookup_name(env.scope, first.name);
                let hidden = own
                    .and_then(|elem| self.inside(elem))
                    .and_then(|node| self.lookup_member(node, second.name));
                hidden.is_none().then_some(name)
            }
            _ => None,
        }
    }

    /// Whether a function of the model has the name of an operator, which its calls mean. That is reported.
    fn hides_operator(&mut self, part: &RefPart, env: &Env) -> bool {
        // Names of operators that somebody may choose for a function; `der` and `pre` are hardly among them.
        const TEMPTING: [&str; 8] = [
            "smooth",
            "sample",
            "delay",
            "hold",
            "change",
            "edge",
            "shiftSample",
            "interval",
        ];
        if !TEMPTING.contains(&part.name.as_str()) {
            return false;
        }
        let Some(elem) = self.lookup_name(env.scope, part.name) else {
            return false;
        };
        let Some(class) = self.elem(elem).class() else {
            return false;
        };
        if class.def.kind() != ClassKind::Function
            || self.builtins.get(&part.name) == Some(&elem)
            || class.def.text().is_none()
        {
            return false;
        }
        let name = part.name;
        let mut diagnostic = Diagnostic::new(
            Code::MS2042,
            format!("`{name}` means the operator of this name, not the function declared here"),
        )
        .label(
            env.place(part.span),
            "the operator `".to_owned() + name.as_str() + "(…)` of Modelica",
        )
        .note(format!("give the function another name than `{name}`"));
        if let Some(declared) = class.def.name_place() {
            diagnostic = diagnostic.label(declared, "this function is not called");
        }
        self.report_once(diagnostic);
        true
    }

    /// The class or component that a call names.
    pub(crate) fn lookup_function(
        &mut self,
        function: &ComponentRef,
        env: &mut Env,
    ) -> Option<ElemId> {
        let (first, rest) = function.parts.split_first()?;
        let start = if function.global {
            self.lookup_member(crate::cx::ROOT, first.name)
        } else {
            self.lookup_name(env.scope, first.name)
        };
        let Some(mut elem) = start else {
            if self.import_failed(env.scope, first.name) || self.base_failed(env.scope) {
                return None;
            }
            let place = env.place(first.span);
            let mut diagnostic = Diagnostic::new(
                Code::MS2042,
                format!("no function is called `{}`", first.name),
            )
            .label(place, "not found");
            let foreign = FOREIGN
                .iter()
                .find(|(word, _)| *word == first.name.as_str());
            if let Some((_, right)) = foreign.filter(|_| rest.is_empty()) {
                self.report(diagnostic.note(format!("Modelica writes {right}")));
                return None;
            }
            if let Some(last) = rest.last()
                && (super::builtin::is_function(last.name)
                    || FOREIGN.iter().any(|(word, _)| *word == last.name.as_str()))
            {
                let whole = env.place(first.span.to(last.span));
                self.report(predefined_function(diagnostic, last.name, whole));
                return None;
            }
            let predefined = super::builtin::NAMES.concat();
            let similar = self.similar_name(env.scope, first.name, &predefined, Wanted::Class);
            // In another case it is the same name.
            let same = |name: Name| name.as_str().eq_ignore_ascii_case(first.name.as_str());
            if rest.is_empty() && !similar.iter().copied().any(same) {
                diagnostic = self.note_elsewhere(diagnostic, first.name, place);
            }
            if !similar.is_empty() {
                diagnostic = suggest(diagnostic, place, &similar);
            }
            self.report(diagnostic);
            return None;
        };
        let through_component = self.elem(elem).component().is_some();
        let mut through_class = false;
        for (index, part) in rest.iter().enumerate() {
            let before = &function.parts[index];
            if let Some(array) = self.array_of_parts(elem, before) {
                let message = format!(
                    "a function of `{array}` cannot be called, because `{array}` is an array"
                );
                self.error(
                    Code::MS2042,
                    env.place(before.span),
                    message,
                    "the function may differ from element to element",
                );
                return None;
            }
            if let Some(id) = self
                .elem(elem)
                .component()
                .is_some()
                .then(|| self.component(elem))
                .flatten()
                && let Some(inner) = self.out.components[id].outer
            {
                elem = self.info(inner).elem;
            }
            let node = self.inside(elem)?;
            let Some(next) = self.lookup_member(node, part.name) else {
                let path = rest[index..].iter().map(ident_of).collect::<Vec<_>>();
                self.unknown_on_path(node, &path, env.text);
                return None;
            };
            if self.elem(elem).class().is_some() {
                self.check_looked_into(elem, node, next, env.place(part.span));
                through_class = true;
            }
            if through_class && through_component && self.elem(next).component().is_some() {
                let message = format!(
                    "`{}` is a component of a class: a function is named by components, then by classes",
                    part.name
                );
                self.error(Code::MS2003, env.place(part.span), message, "not a class");
                return None;
            }
            if through_component
                && let Some(class) = self.elem(next).class()
                && matches!(
                    class.def.kind(),
                    ClassKind::Operator | ClassKind::OperatorFunction
                )
            {
                let message = format!(
                    "`{}` is an operator and cannot be named through a component",
                    part.name
                );
                self.error(Code::MS2042, env.place(part.span), message, "an operator");
                return None;
            }
            if self.elem(next).protected {
                self.protected_access(next, part.name, env.place(part.span));
            }
            elem = next;
        }
        Some(self.inner_class(elem))
    }

    /// The name of an element that is an array of components.
    fn array_of_parts(&mut self, elem: ElemId, part: &RefPart) -> Option<Name> {
        self.elem(elem).component()?;
        let id = self.component(elem)?;
        let is_array = !part.subscripts.is_empty() || !self.info(id).dims.is_empty();
        is_array.then_some(part.name)
    }

    fn type_user_call(&mut self, elem: ElemId, args: &Args, place: Place, env: &mut Env) -> Typed {
        if self.elem(elem).component().is_some() {
            return self.call_component(elem, args, place, env);
        }
        if let Some(alias) = self.alias(elem) {
            if let Type::Enumeration(_) = &alias.ty {
                return self.enumeration_from_integer(&alias.ty, args, place, env);
            }
            let name = self.elem(elem).name;
            self.not_a_function(elem, name, place);
            return Typed::error();
        }
        let Some(node) = self.class_node(elem) else {
            return Typed::error();
        };
        let def = self.node(node).def;
        if def.is_error() {
            return Typed::error();
        }
        match def.kind() {
            // `class g = f` is no function, even if `f` is one.
            ClassKind::Function | ClassKind::OperatorFunction
                if self
                    .elem(elem)
                    .class()
                    .is_some_and(|class| class.def.kind() == ClassKind::Class) =>
            {
                let name = self.elem(elem).name;
                self.not_a_function(elem, name, place);
                Typed::error()
            }
            ClassKind::Function | ClassKind::OperatorFunction => {
                let Some(info) = self.function(elem) else {
                    return Typed::error();
                };
                let args = self.type_args(args, env);
                self.call_function(&info, args, place, env)
            }
            ClassKind::OperatorRecord => self.call_constructor(elem, args, place, env),
            ClassKind::Record => {
                let Some(info) = self.function(elem) else {
                    return Typed::error();
                };
                let args = self.type_args(args, env);
                self.call_function(&info, args, place, env)
            }
            ClassKind::Operator => {
                let args = self.type_args(args, env);
                self.call_operator(node, args, place, env)
            }
            _ if self.is_external_object(node) => {
                self.call_external_constructor(elem, args, place, env)
            }
            _ => {
                let name = self.elem(elem).name;
                self.not_a_function(elem, name, place);
                Typed::error()
            }
        }
    }

    fn not_a_function(&mut self, elem: ElemId, name: Name, place: Place) {
        let what = match self.elem(elem).class() {
            Some(class) => class.def.kind().as_str().to_owned(),
            None => "component".to_owned(),
        };
        let mut diagnostic = Diagnostic::new(
            Code::MS2042,
            format!("`{name}` is a {what} and cannot be called"),
        )
        .label(place, "called here");
        if let Some(declared) = self.elem(elem).place() {
            diagnostic = diagnostic.label(declared, format!("a {what}"));
        }
        let array = self
            .component(elem)
            .is_some_and(|id| !self.out.components[id].dims.is_empty());
        if array {
            diagnostic = diagnostic.note(format!(
                "an element of an array is written with square brackets: `{name}[1]`"
            ));
        }
        self.report(diagnostic);
    }

    /// A call of a function that came in as an argument.
    fn call_component(&mut self, elem: ElemId, args: &Args, place: Place, env: &mut Env) -> Typed {
        let args = self.type_args(args, env);
        let Some(id) = self.component(elem) else {
            return Typed::error();
        };
        let ty = self.out.components[id].ty.clone();
        let (Type::Function(_), Some(node)) = (&ty, self.info(id).node) else {
            if !ty.is_unknown() {
                let name = self.out.components[id].name;
                self.not_a_function(elem, name, place);
            }
            return Typed::error();
        };
        let Some(info) = self.function_of_node(node) else {
            return Typed::error();
        };
        let mut typed = self.call_function(&info, args, place, env);
        // The call goes through the variable.
        if let Exp::Call(call) = &mut typed.exp {
            call.function = Callee::User(self.out.components[id].name.as_str().into());
        }
        typed
    }

    fn call_external_constructor(
        &mut self,
        elem: ElemId,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let args = self.type_args(args, env);
        let Some(node) = self.class_node(elem) else {
            return Typed::error();
        };
        let Some(constructor) = self.lookup_member(node, Name::new("constructor")) else {
            return Typed::error();
        };
        let Some(info) = self.function(constructor) else {
            return Typed::error();
        };
        let path = self.class_path(elem);
        let mut typed = self.call_function(&info, args, place, env);
        // Applied to arrays, a constructor makes an array of objects as other functions do (§12.4.6).
        let object = Type::External((&*path).into());
        typed.ty = Type::array(object.clone(), typed.ty.dims().to_vec());
        let mut exp = &mut typed.exp;
        while let Exp::Reduction(reduction) = exp {
            reduction.ty = Type::array(object.clone(), reduction.ty.dims().to_vec());
            exp = &mut reduction.body;
        }
        if let Exp::Call(call) = exp {
            call.ty = object;
        }
        typed.var = typed.var.max(Variability::Parameter);
        typed
    }

    fn enumeration_from_integer(
        &mut self,
        ty: &Type,
        args: &Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let args = self.type_args(args, env);
        let Type::Enumeration(enumeration) = ty else {
            return Typed::error();
        };
        match args.positional.as_slice() {
            [one] if one.value.ty == Type::Integer => {
                if let Exp::Int(index) = one.value.exp
                    && index >= 1
                    && index as usize <= enumeration.literals.len()
                {
                    return Typed::constant(
                        Exp::Enum(enumeration.clone(), index as u32),
                        ty.clone(),
                    );
                }
                let call = Call {
                    function: Callee::User((&*enumeration.path).into()),
                    args: vec![one.value.exp.clone()],
                    ty: ty.clone(),
                };
                Typed::new(Exp::Call(Box::new(call)), ty.clone(), one.value.var)
            }
            [one] if one.value.is_error() => Typed::error(),
            _ => {
                let message = format!("`{}` makes a literal from one Integer", enumeration.path);
                self.error(Code::MS2022, place, message, "one Integer is needed");
                Typed::error()
            }
        }
    }

    /// A call of a function with a known signature.
    pub(crate) fn call_function(
        &mut self,
        info: &Arc<FunctionInfo>,
        args: TypedArgs,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let Some(slots) = self.fill_slots(info, args, place, env) else {
            return Typed::error();
        };
        if slots
            .iter()
            .any(|slot| slot.value.is_error() && !slot.value.ty.is_array())
        {
            return Typed::error();
        }
        let given: Vec<Type> = slots.iter().map(|slot| slot.value.ty.clone()).collect();
        let Some((exps, vector, var)) = self.match_slots(info, slots) else {
            return Typed::error();
        };
        if info.partial && !env.function {
            self.partial_call(info, place);
            return Typed::error();
        }
        let ty = self.result_type(info, &exps);
        if let Some(builtin) = self.external_builtin(info) {
            let call = Call {
                function: Callee::Builtin(builtin),
                args: exps,
                ty: ty.clone(),
            };
            return self.vectorised(Exp::Call(Box::new(call)), ty, vector, var);
        }
        self.require_function(info);
        if let Some(Type::Record(record)) = &info.record {
            let exp = self.record_value_of(info, record, exps);
            let exp = if vector.is_empty() {
                self.with_sizes(exp, info, &given)
            } else {
                exp
            };
            return self.vectorised(exp, ty, vector, var);
        }
        let var = if info.pure {
            var
        } else {
            var.max(Variability::Parameter)
        };
        let discrete = !matches!(ty.element(), Type::Real | Type::Record(_) | Type::Tuple(_));
        let var = match info.generate_events && discrete && !env.no_event && !env.function {
            true => var.min(Variability::Discrete),
            false => var,
        };
        let call = Call {
            function: Callee::User(info.name.clone()),
            args: exps,
            ty: ty.clone(),
        };
        // A function that is given as an argument is called when the model runs.
        let functional = (call.args.iter()).any(|arg| matches!(arg, Exp::PartialFunction(..)));
        let result = self.vectorised(Exp::Call(Box::new(call)), ty, vector, var);
        if result.var == Variability::Constant
            && !functional
            && info.pure
            && !info.external
            && info.record.is_none()
            && env.iterators.is_empty()
            && !env.function
            && let Some(value) = self.eval_quiet(&result.exp)
        {
            return Typed::constant(value.to_exp(), result.ty);
        }
        result
    }

    /// The value of a record whose type tells how large the arguments of its constructor were, where the
    /// declaration leaves that open.
    fn with_sizes(&self, exp: Exp, info: &FunctionInfo, given: &[Type]) -> Exp {
        let Exp::Record(Type::Record(record), values) = exp else {
            return exp;
        };
        let mut sized = RecordType {
            path: record.path.clone(),
            fields: record.fields.clone(),
        };
        for (&input, ty) in info.inputs.iter().zip(given) {
            let name = self.out.components[input].name;
            let field = sized.fields.iter_mut().find(|(field, _)| *field == name);
            if let Some((_, own)) = field
                && own.rank() == ty.rank()
                && ty.is_array()
            {
                *own = Type::array(own.element().clone(), ty.dims().to_vec());
            }
        }
        Exp::Record(Type::Record(Arc::new(sized)), values)
    }

    /// The value made by a constructor: the arguments, and what the record settles itself.
    fn record_value_of(
        &mut self,
        info: &Arc<FunctionInfo>,
        record: &Arc<RecordType>,
        args: Vec<Exp>,
    ) -> Exp {
        let mut given: FxHashMap<ComponentId, Exp> =
            info.inputs.iter().copied().zip(args).collect();
        let mut fields = Vec::with_capacity(record.fields.len());
        let mut types = record.fields.clone();
        for (at, (name, _)) in record.fields.iter().enumerate() {
            let by_name = |id: &&ComponentId| self.out.components[**id].name == *name;
            let id = info
                .inputs
                .iter()
                .find(by_name)
                .or_else(|| info.locals.iter().find(by_name))
                .copied();
            let exp = match id {
                Some(id) if given.contains_key(&id) => given[&id].clone(),
                Some(id) => match self.default_value(info, id, &mut given, &mut Vec::new()) {
                    Some(typed) => {
                        let mut wanted = self.full_type(id);
                        if wanted.rank() == typed.ty.rank() && typed.ty.is_array() {
                            let dims = typed.ty.dims().to_vec();
                            wanted = Type::array(wanted.element().clone(), dims);
                            types[at].1 = wanted.clone();
                        }
                        fit(typed.exp, &typed.ty, &wanted).unwrap_or(Exp::Error)
                    }
                    None => Exp::Error,
                },
                None => Exp::Error,
            };
            fields.push(exp);
        }
        let sized = RecordType {
            path: record.path.clone(),
            fields: types,
        };
        Exp::Record(Type::Record(Arc::new(sized)), fields)
    }

    /// `external "builtin"` functions are the predefined ones under another name.
    fn external_builtin(&self, info: &FunctionInfo) -> Option<Name> {
        let (external, _) = self.external_of(info.node)?;
        let language = external.language.as_ref()?;
        if &*language.text != "builtin" {
            return None;
        }
        external
            .name
            .map(|name| name.name)
            .filter(|name| super::builtin::is_function(*name))
    }

    /// `array(f(x[i]) for i in 1:n)` for a call that is applied element by element.
    pub(crate) fn vectorised(
        &mut self,
        call: Exp,
        ty: Type,
        iterators: Vec<(Dim, Name)>,
        var: Variability,
    ) -> Typed {
        let mut result = Typed::new(call, ty, var);
        for (dim, name) in iterators.into_iter().rev() {
            let ty = Type::array(result.ty.clone(), vec![dim.clone()]);
            let range = dim_range(&dim);
            let reduction = Reduction {
                function: Callee::Builtin(Name::new("array")),
                body: result.exp,
                iterators: vec![(name, range)],
                ty: ty.clone(),
            };
            result = Typed::new(Exp::Reduction(Box::new(reduction)), ty, var);
        }
        result
    }

    /// The type of the result, with sizes that depend on the arguments worked out where possible.
    fn result_type(&mut self, info: &FunctionInfo, args: &[Exp]) -> Type {
        let assigned = self.assigned_type(info);
        let ty = assigned.as_ref().unwrap_or(&info.ty);
        if !needs_sizes(ty) {
            return ty.clone();
        }
        let map: FxHashMap<ComponentId, Exp> = info
            .inputs
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect();
        self.sized(ty, &map)
    }

    /// The type of an output whose sizes are open, by the one assignment that gives it a value as a whole.
    fn assigned_type(&mut self, info: &FunctionInfo) -> Option<Type> {
        let [output] = *info.outputs.as_slice() else {
            return None;
        };
        let open = |dim: &Dim| matches!(dim, Dim::Flexible(None));
        if !info.ty.dims().iter().any(open) {
            return None;
        }
        let index = self.function_body(info.node)?;
        let FunctionBody::Algorithm(body) = &self.done_functions[index].body else {
            return None;
        };
        let mut values = body.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Assign { target, value, .. } => match target {
                Exp::Ref(cref) if cref.component() == Some(output) => Some((cref, value)),
                _ => None,
            },
            _ => None,
        });
        let (cref, value) = values.next()?;
        let whole = cref.parts.len() == 1 && cref.parts[0].subscripts.is_empty();
        let nested = body.iter().any(|statement| {
            !matches!(
                statement.kind,
                StatementKind::Assign { .. } | StatementKind::Assert { .. }
            )
        });
        let dims = super::argument::sizes_of(value)?;
        let fits = whole && !nested && values.next().is_none() && dims.len() == info.ty.rank();
        fits.then(|| Type::array(info.ty.element().clone(), dims))
    }

    fn sized(&mut self, ty: &Type, args: &FxHashMap<ComponentId, Exp>) -> Type {
        match ty {
            Type::Tuple(items) => {
                let items: Vec<Type> = items.iter().map(|item| self.sized(item, args)).collect();
                Type::Tuple(items.into())
            }
            Type::Array(array) => {
                let dims = array.dims.iter().map(|dim| match dim {
                    Dim::Flexible(Some(exp)) => {
                        let name = |id: ComponentId| self.out.components[id].name;
                        let exp = crate::exp::substitute((**exp).clone(), args, &name);
                        match self.eval_quiet(&exp) {
                            Some(crate::ceval::Value::Int(size)) if size >= 0 => Dim::Known(size),
                            _ => Dim::Flexible(None),
                        }
                    }
                    other => other.clone(),
                });
                let dims = dims.collect();
                Type::array(array.element.clone(), dims)
            }
            Type::Record(record) if needs_sizes(ty) => {
                let fields = record.fields.iter();
                Type::Record(Arc::new(RecordType {
                    path: record.path.clone(),
                    fields: fields
                        .map(|(name, field)| (*name, self.sized(field, args)))
                        .collect(),
                }))
            }
            other => other.clone(),
        }
    }
}

fn needs_sizes(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => items.iter().any(needs_sizes),
        Type::Record(record) => record.fields.iter().any(|(_, field)| needs_sizes(field)),
        Type::Array(array) => array
            .dims
            .iter()
            .any(|dim| matches!(dim, Dim::Flexible(Some(_)))),
        _ => false,
    }
}

/// Dimensions with those that are not known told by `size`.
pub(crate) fn open_dims(exp: &Exp, dims: &[Dim]) -> Vec<Dim> {
    let size = |at: usize| {
        Exp::Size(
            Box::new(exp.clone()),
            Some(Box::new(Exp::Int(at as i64 + 1))),
        )
    };
    dims.iter()
        .enumerate()
        .map(|(at, dim)| match dim {
            Dim::Flexible(None) => Dim::Flexible(Some(Box::new(size(at)))),
            other => other.clone(),
        })
        .collect()
}

/// The values a dimension's index runs through.
pub(crate) fn dim_range(dim: &Dim) -> Exp {
    match dim {
        Dim::Known(size) => Exp::Range(Box::new(Range {
            start: Exp::Int(1),
            step: None,
            stop: Exp::Int(*size),
            ty: Type::array(Type::Integer, vec![dim.clone()]),
        })),
        Dim::Boolean | Dim::Enumeration(_) => Exp::TypeRange(dim.clone()),
        Dim::Flexible(exp) => Exp::Range(Box::new(Range {
            start: Exp::Int(1),
            step: None,
            stop: exp.as_deref().cloned().unwrap_or(Exp::Error),
            ty: Type::array(Type::Integer, vec![dim.clone()]),
        })),
    }
}

/// `exp[i, j]`, pushed into references.
pub(crate) fn index_by(exp: Exp, iterators: &[(Dim, Name)]) -> Exp {
    let subscripts: Vec<Subscript> = iterators
        .iter()
        .map(|(_, name)| Subscript::Index(Exp::Iterator(*name)))
        .collect();
    if let Exp::Ref(cref) = &exp
        && let Some(last) = cref.parts.last()
        && last.subscripts.is_empty()
        && cref.parts[..cref.parts.len() - 1]
            .iter()
            .all(|part| part.subscripts.is_empty())
    {
        let mut cref = cref.clone();
        let ty = cref.ty.strip(iterators.len());
        // Only if all dimensions are those of the last part can they be indexed there.
        if cref.parts.len() == 1
            && let Some(last) = cref.parts.last_mut()
        {
            last.subscripts = subscripts;
            while last.subscripts.len() < cref.ty.rank() {
                last.subscripts.push(Subscript::All);
            }
            cref.ty = ty;
            return Exp::Ref(cref);
        }
    }
    if let Exp::Ref(cref) = &exp
        && let Some(narrowed) = open_subscripts(cref, &subscripts)
    {
        return Exp::Ref(narrowed);
    }
    Exp::Subscripted(Box::new(exp), subscripts)
}

/// `x[i, :]` indexed by `j` is `x[i, j]`. `None` where whole slices or parts would have to be indexed.
fn open_subscripts(cref: &crate::exp::Cref, subscripts: &[Subscript]) -> Option<crate::exp::Cref> {
    let [part] = cref.parts.as_slice() else {
        return None;
    };
    let mut narrowed = cref.clone();
    let mut rest = subscripts.iter();
    for (index, subscript) in part.subscripts.iter().enumerate() {
        match subscript {
            Subscript::Index(_) => {}
            Subscript::Slice(_) => return None,
            Subscript::All => match rest.next() {
                Some(chosen) => narrowed.parts[0].subscripts[index] = chosen.clone(),
                None => break,
            },
        }
    }
    if rest.next().is_some() {
        return None;
    }
    narrowed.ty = cref.ty.strip(subscripts.len());
    Some(narrowed)
}
