//! Functions: signatures of function classes, record constructors and operators, and their typed bodies.

use super::hints::generates_events;
use super::{Env, Typed};
use crate::cx::{Cx, FunctionInfo};
use crate::exp::Exp;
use crate::node::{Def, ElemId, NodeId, Progress};
use crate::tree::Place;
use crate::tree::{ComponentId, Function, FunctionBody};
use crate::ty::{Causality, RecordType, Type, Variability};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_hir::{ClassId, ClassSpec, in_library};
use modeshift_syntax::ast::{self, ClassKind, Purity, SectionKind};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// The signature of a function class, or of the constructor of a record class.
    pub(crate) fn function(&mut self, elem: ElemId) -> Option<Arc<FunctionInfo>> {
        let node = self.class_node(elem)?;
        self.function_of_node(node)
    }

    pub(crate) fn function_of_node(&mut self, node: NodeId) -> Option<Arc<FunctionInfo>> {
        if let Some(info) = self.functions.get(&node) {
            return Some(info.clone());
        }
        let place = self.node(node).def.name_place();
        let info = self.deeper(place, |cx| cx.signature(node)).flatten()?;
        let info = Arc::new(info);
        self.functions.insert(node, info.clone());
        Some(info)
    }

    fn signature(&mut self, node: NodeId) -> Option<FunctionInfo> {
        let def = self.node(node).def;
        let name: Arc<str> = Arc::from(&*self.node(node).path);
        if let Def::Class(id, data) = def
            && let ClassSpec::Der { function, .. } = &data.spec
        {
            // A partial derivative takes and gives what its function does.
            let elem = self.lookup_class(self.node(node).parent, function, id)?;
            let of = self.function(elem)?;
            return Some(FunctionInfo {
                name,
                inputs: of.inputs.clone(),
                outputs: of.outputs.clone(),
                locals: Vec::new(),
                node,
                pure: of.pure,
                ty: of.ty.clone(),
                record: None,
                partial: false,
                external: false,
                generate_events: false,
            });
        }
        let record = matches!(def.kind(), ClassKind::Record | ClassKind::OperatorRecord);
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        let (mut inputs, mut outputs, mut locals) = (Vec::new(), Vec::new(), Vec::new());
        for elem in elems {
            let Some(id) = self.component(elem) else {
                continue;
            };
            if !record {
                self.check_formal(elem, id);
            }
            let component = &self.out.components[id];
            match component.causality {
                _ if record => {
                    let settable = !component.final_ && !self.elem(elem).protected;
                    if settable {
                        inputs.push(id)
                    } else {
                        locals.push(id)
                    }
                }
                Some(Causality::Input) => inputs.push(id),
                Some(Causality::Output) => outputs.push(id),
                None => locals.push(id),
            }
        }
        if record {
            return self.record_constructor(node, name, inputs, locals);
        }
        // Types are worked out on demand, except that results need theirs now.
        let mut types = Vec::with_capacity(outputs.len());
        for &id in &outputs {
            types.push(self.full_type(id));
        }
        let ty = match types.len() {
            0 => Type::NoReturn,
            1 => types.pop().unwrap_or(Type::Unknown),
            _ => Type::Tuple(types.into()),
        };
        let pure = self.is_pure(node);
        let external = self.external_of(node).is_some();
        Some(FunctionInfo {
            name,
            inputs,
            outputs,
            locals,
            node,
            pure,
            ty,
            record: None,
            partial: def.partial(),
            external,
            generate_events: generates_events(def.annotation()),
        })
    }

    /// Variables of a function are inputs, outputs, or protected.
    fn check_formal(&mut self, elem: ElemId, id: ComponentId) {
        let component = &self.out.components[id];
        let (name, place, causality) = (component.name, component.place, component.causality);
        let protected = self.elem(elem).protected;
        let Some(decl) = self.elem(elem).component().map(|comp| comp.decl) else {
            return;
        };
        if causality.is_none() && !protected {
            let diagnostic = Diagnostic::new(
                Code::MS2031,
                format!("`{name}` is neither input, output nor protected"),
            )
            // As in other tools, it is taken for protected.
            .with_severity(match in_library(self.db, place) {
                true => Severity::Warning,
                false => Severity::Error,
            })
            .label(place, "a variable of a function")
            .note("write `output` before its type if it is a result, or declare it in a `protected` section if only the function uses it");
            self.report(diagnostic);
        } else if causality.is_some() && protected {
            let word = match causality {
                Some(Causality::Output) => "output",
                _ => "input",
            };
            let diagnostic = Diagnostic::new(
                Code::MS2031,
                format!("`{name}` is an {word} and cannot be protected"),
            )
            .label(place, format!("an {word} in a protected section"))
            .note(format!("callers give inputs and get outputs: move the declaration before `protected`, or leave out `{word}` if the function uses it for itself"));
            self.report(diagnostic);
        }
        if decl.prefixes.inner || decl.prefixes.outer {
            self.error(
                Code::MS2031,
                place,
                format!("`{name}` cannot be inner or outer in a function"),
                "a variable of a function",
            );
        }
    }

    fn record_constructor(
        &mut self,
        node: NodeId,
        name: Arc<str>,
        inputs: Vec<ComponentId>,
        locals: Vec<ComponentId>,
    ) -> Option<FunctionInfo> {
        let ty = self.record_type(node);
        Some(FunctionInfo {
            name,
            inputs,
            outputs: Vec::new(),
            locals,
            node,
            pure: true,
            ty: ty.clone(),
            record: Some(ty),
            partial: false,
            external: false,
            generate_events: false,
        })
    }

    /// The type of the values of a record class.
    pub(crate) fn record_type(&mut self, node: NodeId) -> Type {
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        let mut fields = Vec::with_capacity(elems.len());
        for elem in elems {
            let name = self.elem(elem).name;
            if let Some(id) = self.component(elem) {
                fields.push((name, self.full_type(id)));
            }
        }
        let path = (&*self.node(node).path).into();
        Type::Record(Arc::new(RecordType { path, fields }))
    }

    /// Type of a component with its dimensions.
    pub(crate) fn full_type(&mut self, id: ComponentId) -> Type {
        self.type_component(id);
        let component = &self.out.components[id];
        Type::array(component.ty.clone(), component.dims.clone())
    }

    fn is_pure(&self, node: NodeId) -> bool {
        let purity = match self.node(node).def {
            Def::Class(_, data) => data.purity,
            Def::Short { def, .. } => def.purity,
            _ => None,
        };
        match purity {
            Some(Purity::Impure) => false,
            _ => self.node(node).bases.iter().all(|base| self.is_pure(*base)),
        }
    }

    /// Notes that a function is called in the model, so that it is handed out.
    pub(crate) fn require_function(&mut self, info: &Arc<FunctionInfo>) {
        if !self.function_names.contains_key(&info.name) {
            self.function_names.insert(info.name.clone(), info.node);
            self.needed_functions.push(info.node);
        }
    }

    /// The typed function of a node: an index into the list that is handed out.
    pub(crate) fn function_body(&mut self, node: NodeId) -> Option<usize> {
        match self.function_bodies.get(&node) {
            Some(Progress::Done(index)) => return Some(*index),
            Some(_) => return None,
            None => {}
        }
        let info = self.function_of_node(node)?;
        self.function_bodies.insert(node, Progress::Busy);
        let place = self.node(node).def.name_place();
        let function = self.deeper(place, |cx| cx.type_function(&info)).flatten()?;
        self.done_functions.push(Arc::new(function));
        let index = self.done_functions.len() - 1;
        self.function_bodies.insert(node, Progress::Done(index));
        Some(index)
    }

    fn type_function(&mut self, info: &FunctionInfo) -> Option<Function> {
        let node = info.node;
        let def = self.node(node).def;
        let place = def.name_place()?;
        let mut variables: Vec<ComponentId> = Vec::new();
        variables.extend(&info.inputs);
        variables.extend(&info.outputs);
        variables.extend(&info.locals);
        for &id in &variables {
            self.type_component(id);
            self.bind_component(id);
            self.build_parts(id);
        }
        let variables = self.by_dependence(variables);
        let (hints, along) = self.hints(info, def, &variables);
        let body = if info.record.is_some() {
            FunctionBody::RecordConstructor
        } else if info.partial {
            FunctionBody::Partial
        } else {
            self.type_function_body(node, def, def.text()?)
        };
        let pure = info.pure && (!info.external || self.declared_pure(node));
        let comment = def.description().map(|text| Arc::from(&*text.text));
        Some(Function {
            name: info.name.clone(),
            comment,
            pure,
            variables,
            body,
            along,
            annotation: None,
            hints: Arc::new(hints),
            place,
        })
    }

    /// Outputs and protected variables in an order in which each value only needs those before it.
    fn by_dependence(&mut self, variables: Vec<ComponentId>) -> Vec<ComponentId> {
        let mut sorted: Vec<ComponentId> = Vec::with_capacity(variables.len());
        let mut on_the_way: Vec<ComponentId> = Vec::new();
        for &id in &variables {
            self.place_after_needed(id, &variables, &mut sorted, &mut on_the_way);
        }
        sorted
    }

    fn place_after_needed(
        &mut self,
        id: ComponentId,
        all: &[ComponentId],
        sorted: &mut Vec<ComponentId>,
        on_the_way: &mut Vec<ComponentId>,
    ) {
        if sorted.contains(&id) {
            return;
        }
        if on_the_way.contains(&id) {
            let component = &self.out.components[id];
            let (name, place) = (component.name, component.place);
            let message = format!("the value of `{name}` depends on itself");
            self.error(Code::MS2028, place, message, "circular definition");
            return;
        }
        on_the_way.push(id);
        let component = &self.out.components[id];
        let mut needed = Vec::new();
        if component.causality != Some(Causality::Input) {
            let mut note = |exp: &Exp| {
                crate::exp::visit_refs(exp, &mut |cref: &crate::exp::Cref| {
                    needed.extend(cref.parts.first().map(|part| part.component));
                });
            };
            if let Some(binding) = &component.binding {
                note(&binding.exp);
            }
            for dim in &component.dims {
                if let crate::ty::Dim::Flexible(Some(exp)) = dim {
                    note(exp);
                }
            }
        }
        for other in needed {
            if other != id && all.contains(&other) {
                self.place_after_needed(other, all, sorted, on_the_way);
            }
        }
        on_the_way.pop();
        sorted.push(id);
    }

    fn type_function_body(&mut self, node: NodeId, def: Def<'a>, text: ClassId) -> FunctionBody {
        if let Def::Class(id, data) = def
            && let ClassSpec::Der { function, wrt } = &data.spec
        {
            let of = self
                .lookup_class(self.node(node).parent, function, id)
                .and_then(|elem| self.function(elem));
            if let Some(of) = of {
                self.require_function(&of);
                let wrt: Vec<Name> = wrt.iter().map(|ident| ident.name).collect();
                return FunctionBody::Derivative {
                    of: of.name.clone(),
                    wrt,
                };
            }
        }
        if let Some((external, home)) = self.external_of(node) {
            if let Some(section) = self.algorithm_of(node) {
                let diagnostic = Diagnostic::new(
                    Code::MS2031,
                    "a function has one algorithm or one external declaration, not both",
                );
                let diagnostic = match self.node(node).def.name_place() {
                    Some(place) => diagnostic.label(place, "this function"),
                    None => diagnostic,
                };
                let diagnostic = diagnostic.label(section, "an algorithm");
                let diagnostic = match self.node(home).def.text() {
                    Some(text) => diagnostic.label(
                        crate::tree::place_of(text, external.span),
                        "an external declaration",
                    ),
                    None => diagnostic,
                };
                self.report(diagnostic);
            }
            return self.type_external(external, home, text);
        }
        let mut statements = Vec::new();
        let sections = self.function_statements(node, &mut statements);
        if sections.is_empty() {
            return FunctionBody::Partial;
        }
        self.check_one_algorithm(node, &sections);
        FunctionBody::Algorithm(statements)
    }

    /// Where a function or one of its bases has an algorithm.
    fn algorithm_of(&self, node: NodeId) -> Option<Place> {
        let def = self.node(node).def;
        let own = def.body().zip(def.text()).and_then(|(body, text)| {
            let mut sections = body.sections.iter();
            let section = sections.find(|it| matches!(it.kind, SectionKind::Algorithm(_)))?;
            let span = match &section.kind {
                SectionKind::Algorithm(statements) => statements.first().map(|it| it.span),
                SectionKind::Equations(_) => None,
            };
            Some(crate::tree::place_of(text, span.unwrap_or(section.span)))
        });
        own.or_else(|| {
            let mut bases = self.node(node).bases.iter();
            bases.find_map(|&base| self.algorithm_of(base))
        })
    }

    /// Whether a function can be given where one like `wanted` is expected, with its inputs `bound` fixed already.
    pub(crate) fn function_fits(
        &mut self,
        name: &str,
        bound: &[(Name, Exp)],
        wanted: NodeId,
    ) -> bool {
        let Some(&node) = self.function_names.get(name) else {
            return true;
        };
        let (Some(own), Some(wanted)) =
            (self.function_of_node(node), self.function_of_node(wanted))
        else {
            return true;
        };
        let open: Vec<ComponentId> = own
            .inputs
            .iter()
            .copied()
            .filter(|&id| {
                !bound
                    .iter()
                    .any(|(name, _)| *name == self.out.components[id].name)
            })
            .collect();
        if open.len() < wanted.inputs.len() || own.outputs.len() < wanted.outputs.len() {
            return false;
        }
        let pairs: Vec<(ComponentId, ComponentId)> = (open.iter().copied())
            .zip(wanted.inputs.iter().copied())
            .chain((own.outputs.iter().copied()).zip(wanted.outputs.iter().copied()))
            .collect();
        pairs.into_iter().all(|(own, wanted)| {
            let (own, wanted) = (self.full_type(own), self.full_type(wanted));
            let basic =
                |ty: &Type| !matches!(ty, Type::Record(_) | Type::Function(_) | Type::Unknown);
            own.rank() == wanted.rank()
                && (own.element() == wanted.element()
                    || !basic(own.element()) && !basic(wanted.element()))
        })
    }

    /// Types the algorithms of a function and of its bases; tells where they are.
    fn function_statements(
        &mut self,
        node: NodeId,
        into: &mut Vec<crate::tree::Statement>,
    ) -> Vec<Place> {
        let mut sections = Vec::new();
        let def = self.node(node).def;
        if let (Some(body), Some(text)) = (def.body(), def.text()) {
            for section in &body.sections {
                match &section.kind {
                    SectionKind::Algorithm(statements) => {
                        sections.push(self.check_function_section(section, text));
                        let mut env = Env::new(node, text);
                        env.function = true;
                        env.algorithm = true;
                        into.extend(self.type_statements(statements, &mut env));
                    }
                    SectionKind::Equations(equations) => {
                        let span = equations
                            .first()
                            .map_or(section.span, |equation| equation.span);
                        let diagnostic = Diagnostic::new(Code::MS2031, "a function cannot have equations")
                            .label(crate::tree::place_of(text, span), "an equation in a function")
                            .note("Functions compute their outputs by an `algorithm` with assignments (`:=`).");
                        self.report(diagnostic);
                    }
                }
            }
        }
        for base in self.node(node).bases.clone() {
            sections.extend(self.function_statements(base, into));
        }
        sections
    }

    /// Where the algorithm begins.
    fn check_function_section(&mut self, section: &ast::Section, text: ClassId) -> Place {
        let first = match &section.kind {
            SectionKind::Algorithm(statements) => statements.first().map(|it| it.span),
            SectionKind::Equations(equations) => equations.first().map(|it| it.span),
        };
        let place = crate::tree::place_of(text, first.unwrap_or(section.span));
        if section.initial {
            self.error(
                Code::MS2031,
                place,
                "a function cannot have an initial algorithm",
                "not allowed in a function",
            );
        }
        place
    }

    /// A function has at most one algorithm, those that it inherits included (Modelica 3.6 §12.2).
    fn check_one_algorithm(&mut self, node: NodeId, sections: &[Place]) {
        let [first, second, ..] = sections else {
            return;
        };
        let def = self.node(node).def;
        let mut diagnostic = Diagnostic::new(Code::MS2031, "a function has one algorithm only");
        if let Some(place) = def.name_place() {
            diagnostic = diagnostic.label(place, "this function");
        }
        let diagnostic = diagnostic
            .label(*first, "one algorithm")
            .label(*second, "another one");
        self.report(diagnostic);
    }

    /// A function given as an argument, some of its inputs fixed.
    pub(crate) fn type_partial_function(
        &mut self,
        function: &ast::ComponentRef,
        args: &ast::Args,
        place: Place,
        env: &mut Env,
    ) -> Typed {
        let Some(elem) = self.lookup_function(function, env) else {
            return Typed::error();
        };
        let Some(info) = self.function(elem) else {
            return Typed::error();
        };
        self.require_function(&info);
        let mut bound = Vec::new();
        let mut var = Variability::Constant;
        for argument in &args.named {
            let name = argument.name.name;
            let Some(&input) = info
                .inputs
                .iter()
                .find(|id| self.out.components[**id].name == name)
            else {
                let message = format!("`{}` has no input `{name}`", info.name);
                self.error(
                    Code::MS2022,
                    env.place(argument.name.span),
                    message,
                    "no such input",
                );
                continue;
            };
            let typed = self.type_exp(&argument.value, env);
            let wanted = self.full_type(input);
            var = var.max(typed.var);
            match super::fit(typed.exp.clone(), &typed.ty, &wanted) {
                Some(exp) => bound.push((name, exp)),
                None => self.wrong_argument(
                    &info.name,
                    name,
                    &typed.ty,
                    &wanted,
                    env.place(argument.value.span),
                ),
            }
        }
        let _ = place;
        bound.sort_by_key(|(name, _): &(Name, Exp)| {
            info.inputs
                .iter()
                .position(|id| self.out.components[*id].name == *name)
        });
        let ty = Type::Function(info.name.clone());
        Typed::new(
            Exp::PartialFunction(info.name.clone(), bound, ty.clone()),
            ty,
            var,
        )
    }
}
