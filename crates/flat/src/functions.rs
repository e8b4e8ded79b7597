//! Functions that the flat model uses, lowered for printing and for the analyses: arrays stay arrays.
//!
//! Which ones are used is found out from the flat model itself, after evaluation and simplification, and
//! from the bodies of those already found.

use crate::lower::{Cx, Scope};
use crate::model::{
    Attribute, FlatExp, FlatModel, FlatRef, Function, FunctionBody, FunctionDim, FunctionVariable,
    Origin, OriginKind, Statement,
};
use crate::statements::statements;
use crate::walk::{equation_exps, statement_exps, walk};
use modeshift_base::{FxHashMap, FxHashSet, Name};
use modeshift_inst::exp::{Callee, Cref, CrefPart, Exp, substitute};
use modeshift_inst::tree::{self, Component, ComponentId, Instance};
use modeshift_inst::ty::{Causality, Dim, Type, Variability};
use std::fmt::Write;
use std::sync::Arc;

/// The functions that `model` uses, and the one named `own`, sorted by name.
pub(crate) fn lower(cx: &mut Cx<'_>, model: &FlatModel, own: Option<&str>) -> Vec<Function> {
    let instance = cx.instance;
    let by_name: FxHashMap<&str, &tree::Function> = instance
        .functions
        .iter()
        .map(|function| (&*function.name, &**function))
        .collect();
    cx.scope = Scope::Function;
    let mut wanted = Wanted::default();
    wanted.model(model);
    own.into_iter().for_each(|name| wanted.add(name));
    (instance.constructors.iter()).for_each(|name| wanted.add(name));
    if cx.classic {
        // Also those that were called only while translating.
        let all = instance.functions.iter();
        all.for_each(|function| wanted.add(&function.name));
    }
    let mut functions = Vec::new();
    while let Some(name) = wanted.queue.pop() {
        let Some(function) = by_name.get(&*name) else {
            continue;
        };
        let lowered = one(cx, function);
        wanted.function(&lowered);
        function.along.iter().for_each(|name| wanted.add(name));
        functions.push(lowered);
    }
    cx.scope = Scope::Model;
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    functions
}

/// Names of functions that are used, each once.
#[derive(Default)]
struct Wanted {
    seen: FxHashSet<Arc<str>>,
    queue: Vec<Arc<str>>,
}

impl Wanted {
    fn add(&mut self, name: &str) {
        if !self.seen.contains(name) {
            let name: Arc<str> = name.into();
            self.seen.insert(name.clone());
            self.queue.push(name);
        }
    }

    fn exp(&mut self, exp: &FlatExp) {
        walk(exp, &mut |part| match part {
            Exp::Call(call) => {
                if let Callee::User(name) = &call.function {
                    self.add(name);
                }
            }
            Exp::Reduction(reduction) => {
                if let Callee::User(name) = &reduction.function {
                    self.add(name);
                }
            }
            Exp::Record(Type::Record(ty), _) => self.add(&ty.path),
            Exp::PartialFunction(name, ..) => self.add(name),
            _ => {}
        });
    }

    fn model(&mut self, model: &FlatModel) {
        for variable in &model.variables {
            variable
                .binding
                .iter()
                .for_each(|binding| self.exp(binding));
            variable
                .attributes
                .iter()
                .for_each(|attribute| self.exp(&attribute.value));
            if let Type::External(path) = &variable.ty {
                self.add(&format!("{path}.constructor"));
                self.add(&format!("{path}.destructor"));
            }
        }
        for equation in model.initial_equations.iter().chain(&model.equations) {
            equation_exps(equation, &mut |exp| self.exp(exp));
        }
        for algorithm in model.initial_algorithms.iter().chain(&model.algorithms) {
            self.statements(&algorithm.statements);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            statement_exps(statement, &mut |exp| self.exp(exp));
        }
    }

    fn function(&mut self, function: &Function) {
        for local in &function.locals {
            local.binding.iter().for_each(|binding| self.exp(binding));
            local.defaults.iter().for_each(|(_, value)| self.exp(value));
            local
                .attributes
                .iter()
                .for_each(|attribute| self.exp(&attribute.value));
        }
        match &function.body {
            FunctionBody::Algorithm(body) => self.statements(body),
            FunctionBody::External { args, .. } => args.iter().for_each(|arg| self.exp(arg)),
            FunctionBody::Derivative { of, .. } => self.add(of),
            FunctionBody::RecordConstructor | FunctionBody::Partial => {}
        }
    }
}

fn one(cx: &mut Cx<'_>, function: &tree::Function) -> Function {
    let is_constructor = matches!(function.body, tree::FunctionBody::RecordConstructor);
    let mut locals: Vec<FunctionVariable> = function
        .variables
        .iter()
        .map(|&id| variable(cx, id))
        .collect();
    let mut comment = function.comment.clone();
    order_locals(&mut locals);
    if is_constructor {
        let is_final = |name: Name| {
            let mut fields = function.variables.iter();
            fields.any(|&id| {
                let field = &cx.instance.components[id];
                field.name == name && field.final_
            })
        };
        complete_constructor(&function.name, &mut locals, &is_final);
        let text = format!(
            "Automatically generated record constructor for {}",
            function.name
        );
        comment = Some(text.into());
    }
    Function {
        name: function.name.clone(),
        comment,
        pure: function.pure,
        locals,
        body: body(cx, function),
        annotation: function.annotation.clone(),
        hints: function.hints.clone(),
        origin: Arc::new(Origin {
            span: function.place,
            also: Vec::new(),
            instance: Arc::from(""),
            kind: OriginKind::Declaration,
            comment: None,
        }),
    }
}

fn body(cx: &mut Cx<'_>, function: &tree::Function) -> FunctionBody {
    match &function.body {
        tree::FunctionBody::Algorithm(body) => {
            FunctionBody::Algorithm(statements(cx, body, &function.name))
        }
        tree::FunctionBody::External {
            language,
            name,
            args,
            output,
            annotation,
            code,
        } => FunctionBody::External {
            code: code.clone(),
            language: language.clone(),
            name: name.clone(),
            args: args.iter().map(|arg| cx.value(arg)).collect(),
            output: output.as_ref().map(|output| cx.value(output)),
            annotation: annotation.clone(),
        },
        tree::FunctionBody::RecordConstructor => FunctionBody::RecordConstructor,
        tree::FunctionBody::Derivative { of, wrt } => FunctionBody::Derivative {
            of: of.clone(),
            wrt: wrt.clone(),
        },
        tree::FunctionBody::Partial => FunctionBody::Partial,
    }
}

/// Variables whose sizes or values need protected ones come behind those. Outputs stay in their order, which is that of a
/// call's results.
fn order_locals(locals: &mut [FunctionVariable]) {
    let Some(start) = locals.iter().position(|local| local.protected) else {
        return;
    };
    let mut level: FxHashMap<Name, u32> = FxHashMap::default();
    let mut last_output = 0;
    for local in &locals[start..] {
        let is_output = local.causality == Some(Causality::Output);
        let mut own = if is_output { last_output } else { 0 };
        let mut look = |exp: &FlatExp| {
            walk(exp, &mut |part| {
                if let Exp::Ref(FlatRef::Local(reference)) = part
                    && let Some((name, _)) = reference.parts.first()
                    && let Some(below) = level.get(name)
                {
                    own = own.max(below + 1);
                }
            });
        };
        for dim in &local.dims {
            if let FunctionDim::Given(size) = dim {
                look(size);
            }
        }
        local.binding.iter().for_each(&mut look);
        if is_output {
            last_output = own;
        }
        level.insert(local.name, own);
    }
    locals[start..].sort_by_key(|local| level.get(&local.name).copied().unwrap_or(0));
}

/// Fields become inputs; what cannot be given from outside stays inside; the record is the output.
fn complete_constructor(
    name: &str,
    locals: &mut Vec<FunctionVariable>,
    is_final: &dyn Fn(Name) -> bool,
) {
    for local in locals.iter_mut() {
        local.attributes.clear();
        local.comment = None;
        local.variability = Variability::Continuous;
        if local.protected || is_final(local.name) {
            local.protected = true;
            local.causality = None;
            continue;
        }
        local.causality = Some(Causality::Input);
    }
    let short = name.rsplit('.').next().unwrap_or(name);
    let record = modeshift_inst::ty::RecordType {
        path: short.into(),
        fields: Vec::new(),
    };
    let result = FunctionVariable {
        name: Name::new("res"),
        ty: Type::Record(Arc::new(record)),
        dims: Vec::new(),
        causality: Some(Causality::Output),
        variability: Variability::Continuous,
        protected: false,
        attributes: Vec::new(),
        binding: None,
        defaults: Vec::new(),
        comment: None,
    };
    locals.push(result);
}

fn variable(cx: &mut Cx<'_>, id: ComponentId) -> FunctionVariable {
    let component: &Component = &cx.instance.components[id];
    let dims = component
        .dims
        .iter()
        .map(|dim| dimension(cx, dim))
        .collect();
    let attributes = component
        .attributes
        .iter()
        .map(|attribute| Attribute {
            name: attribute.name,
            value: cx.value(&attribute.binding.exp),
            final_: attribute.binding.final_,
        })
        .collect();
    let binding = component
        .binding
        .as_ref()
        .map(|binding| cx.value(&binding.exp));
    let ty = match &component.ty {
        Type::Function(name) => {
            let variables = match component.class {
                Some(class) => Some(&cx.instance.classes[class].components),
                None => formal_variables(cx.instance, name),
            };
            let signature = variables.map(|variables| signature(cx.instance, variables));
            Type::Function(signature.unwrap_or_else(|| name.clone()))
        }
        ty => ty.clone(),
    };
    FunctionVariable {
        name: component.name,
        ty,
        dims,
        causality: component.causality,
        variability: component.variability,
        protected: component.protected && component.causality.is_none(),
        attributes,
        binding,
        defaults: defaults(cx, id),
        comment: component.comment.clone(),
    }
}

/// Values of fields that their declarations or modifiers give: `Complex result(re = re, im = im)`.
fn defaults(cx: &mut Cx<'_>, id: ComponentId) -> Vec<(Name, FlatExp)> {
    let instance = cx.instance;
    let component = &instance.components[id];
    let is_open = component.causality != Some(Causality::Input) && component.binding.is_none();
    let (Type::Record(_), Some(class), true) = (&component.ty, component.class, is_open) else {
        return Vec::new();
    };
    let fields = &instance.classes[class].components;
    // Fields that read other fields read those of this variable.
    let own = |field: ComponentId| {
        let part = |component| CrefPart {
            component,
            subscripts: Vec::new(),
        };
        let ty = instance.components[field].ty.clone();
        let ty = Type::array(ty, instance.components[field].dims.clone());
        Exp::Ref(Cref {
            parts: vec![part(id), part(field)],
            ty,
        })
    };
    let map: FxHashMap<ComponentId, Exp> =
        fields.iter().map(|&field| (field, own(field))).collect();
    let mut defaults = Vec::new();
    for &field in fields {
        let field = &instance.components[field];
        if let Some(binding) = &field.binding {
            let value = cx.value(&substitute(binding.exp.clone(), &map, &|id| {
                instance.components[id].name
            }));
            defaults.push((field.name, value));
        }
    }
    defaults
}

/// Variables of a function that is known by name.
fn formal_variables<'i>(instance: &'i Instance, name: &str) -> Option<&'i Vec<ComponentId>> {
    let function = instance
        .functions
        .iter()
        .find(|function| &*function.name == name)?;
    Some(&function.variables)
}

/// `(#Real x) => #Real`: what a function that is passed as argument takes and gives.
fn signature(instance: &Instance, variables: &[ComponentId]) -> Arc<str> {
    let mut inputs = String::new();
    let mut outputs: Vec<String> = Vec::new();
    for &id in variables {
        let component = &instance.components[id];
        let ty = type_name(&component.ty);
        match component.causality {
            Some(Causality::Input) => {
                if !inputs.is_empty() {
                    inputs.push_str(", ");
                }
                // Writing to a String does not fail.
                let _ = write!(inputs, "#{ty} {}", component.name);
            }
            Some(Causality::Output) => outputs.push(format!("#{ty}")),
            None => {}
        }
    }
    let outputs = match outputs.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    format!("({inputs}) => {outputs}").into()
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Real => "Real".into(),
        Type::Integer => "Integer".into(),
        Type::Boolean => "Boolean".into(),
        Type::String => "String".into(),
        Type::Record(record) => record.path.to_string(),
        Type::Enumeration(ty) => ty.path.to_string(),
        _ => "Any".into(),
    }
}

fn dimension(cx: &mut Cx<'_>, dim: &Dim) -> FunctionDim {
    match dim {
        Dim::Known(n) => FunctionDim::Known(*n),
        Dim::Boolean => FunctionDim::Boolean,
        Dim::Enumeration(ty) => FunctionDim::Enumeration(ty.clone()),
        Dim::Flexible(None) => FunctionDim::Flexible,
        Dim::Flexible(Some(size)) => FunctionDim::Given(cx.value(size)),
    }
}
