//! The instance tree itself: components with their parts, and the equations and algorithms of each class.

use crate::ceval::{Value, World};
use crate::cx::{Cx, Kept, ROOT};
use crate::node::{CompElem, Def, Elem, ElemId, ElemKind, Item, NodeId, Progress};
use crate::tree::Place;
use crate::tree::{Algorithm, ClassInst, ClassInstId, ComponentId, Instance};
use crate::ty::{Dim, Type, Variability};
use crate::typing::Env;
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, Db, full_name};
use modeshift_syntax::ast::{self, ClassKind, RefPart, SectionKind};
use std::sync::Arc;

/// How often a model is instantiated again because arrays of components turn out to be unequal.
const MAX_ATTEMPTS: usize = 24;

/// Instantiates a class. What is wrong is in the result. Where the elements of an array of components differ in
/// structure, this is done again with that array split into its elements.
pub fn instantiate(db: &dyn Db, class: ClassId) -> Instance {
    let mut splits: FxHashSet<Arc<str>> = FxHashSet::default();
    for attempt in 0.. {
        let kept = Kept::default();
        let mut cx = Cx::new(db, &kept);
        cx.split_names = Arc::new(
            splits
                .iter()
                .map(|it| crate::split::name_of_path(it))
                .collect(),
        );
        cx.splits = Arc::new(splits.clone());
        if let Some(root) = cx.declare_root(class) {
            cx.complete_root(root);
        }
        let before = splits.len();
        splits.extend(cx.state.ragged.drain(..));
        if splits.len() == before || attempt >= MAX_ATTEMPTS {
            return cx.state.out;
        }
    }
    Instance::default()
}

/// A function as those who call it see it: its body is typed, and there are no variables around it.
pub fn instantiate_function(db: &dyn Db, class: ClassId) -> Instance {
    let kept = Kept::default();
    let mut cx = Cx::new(db, &kept);
    cx.declare_function(class);
    cx.state.out
}

/// The model itself, once its components are there.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub elem: ElemId,
    pub node: NodeId,
    pub class: ClassInstId,
}

impl<'a> Cx<'_, 'a> {
    /// The class with all its components, but without its own equations and algorithms. `None` if it cannot be
    /// instantiated at all.
    pub(crate) fn declare_root(&mut self, class: ClassId) -> Option<Root> {
        let elem = self.root_element(class);
        let node = self.class_node(elem)?;
        let place = self.node(node).def.name_place()?;
        self.root = node;
        if !self.check_root(node, place) {
            return None;
        }
        let class = self.build_components(node, None);
        self.check_connectors();
        Some(Root { elem, node, class })
    }

    /// The element of a class that is looked at for itself.
    fn root_element(&mut self, class: ClassId) -> ElemId {
        let path = full_name(self.db, class);
        let found = self.lookup_global(&path);
        match found {
            Some(elem) if matches!(self.elem(elem).class().map(|it| it.def), Some(Def::Class(id, _)) if id == class) => {
                elem
            }
            _ => self.static_element(ROOT, class, class.name(self.db)),
        }
    }

    fn declare_function(&mut self, class: ClassId) -> Option<()> {
        let elem = self.root_element(class);
        let node = self.class_node(elem)?;
        let def = self.node(node).def;
        let place = def.name_place()?;
        self.root = node;
        if !self.check_root(node, place) {
            return None;
        }
        let info = self.function(elem)?;
        self.require_function(&info);
        self.finish_functions();
        let root = self.out.classes.push(ClassInst {
            name: info.name.clone(),
            kind: def.kind(),
            owner: None,
            components: Vec::new(),
            initial_equations: Vec::new(),
            equations: Vec::new(),
            initial_algorithms: Vec::new(),
            algorithms: Vec::new(),
            comment: None,
            place,
        });
        self.out.root = Some(root);
        Some(())
    }

    /// The rest, which may look at all components.
    pub(crate) fn complete_root(&mut self, root: Root) {
        self.build_sections(root.node, root.class);
        self.build_generated(root.class);
        self.finish_constraints();
        let before = self.out.diagnostics.len();
        self.check_redeclarations();
        // What does not fit is the cause of what is missing where it is used.
        let misfits: Vec<_> = self.out.diagnostics.drain(before..).collect();
        self.out.diagnostics.splice(0..0, misfits);
        self.check_outers();
        self.check_connectors();
        self.check_blocks();
        self.finish_values();
        self.finish_functions();
        self.check_unused_imports();
        self.report_lacking();
        self.out.root = Some(root.class);
    }

    fn check_root(&mut self, node: NodeId, place: Place) -> bool {
        let def = self.node(node).def;
        if def.is_error() {
            return false;
        }
        if matches!(def.kind(), ClassKind::Package | ClassKind::Operator) {
            let name = self.def_name(def);
            let message = format!(
                "`{name}` is a {} and cannot be instantiated",
                def.kind().as_str()
            );
            let diagnostic = Diagnostic::new(Code::MS2015, message).label(place, "not a model");
            self.report(
                diagnostic
                    .note("name one of the models in it (on the command line with `--class`)"),
            );
            return false;
        }
        if def.partial() {
            let name = self.def_name(def);
            let diagnostic = Diagnostic::new(
                Code::MS2014,
                format!("`{name}` is partial and cannot be instantiated"),
            )
            .label(place, "declared partial")
            .note("A partial class is only there to be extended.");
            self.report(diagnostic);
            return false;
        }
        true
    }

    /// The class of a component with all its parts.
    fn build_class(&mut self, node: NodeId, owner: ComponentId) {
        let class = self.build_components(node, Some(owner));
        self.build_sections(node, class);
    }

    /// The class of a component, or the model itself, with its components alone.
    fn build_components(&mut self, node: NodeId, owner: Option<ComponentId>) -> ClassInstId {
        let def = self.node(node).def;
        let place = def
            .name_place()
            .or_else(|| owner.map(|owner| self.out.components[owner].place));
        let place = place.unwrap_or_else(|| {
            self.node(self.root)
                .def
                .name_place()
                .unwrap_or_else(|| self.fallback_place())
        });
        let name: Arc<str> = match owner {
            Some(_) => self.def_name(def).into(),
            None => Arc::from(&*self.node(node).path),
        };
        let kind = owner.map_or(def.kind(), |owner| self.out.components[owner].kind);
        let id = self.out.classes.push(ClassInst {
            name,
            kind,
            owner,
            components: Vec::new(),
            initial_equations: Vec::new(),
            equations: Vec::new(),
            initial_algorithms: Vec::new(),
            algorithms: Vec::new(),
            comment: def.description().map(|text| Arc::from(&*text.text)),
            place,
        });
        if let Some(owner) = owner {
            self.out.components[owner].class = Some(id);
        }
        let mut elems = Vec::new();
        self.collect_components(node, &mut elems);
        for elem in elems {
            for elem in self.elements_of(elem) {
                if let Some(component) = self.component(elem) {
                    self.build_component(component, Some(id));
                }
            }
        }
        id
    }

    fn fallback_place(&self) -> Place {
        // The root always has a name in the text; this is for the type checker's sake.
        match self.out.components.iter().next() {
            Some(component) => component.place,
            None => unreachable_place(self.node(self.root).def),
        }
    }

    fn build_component(&mut self, id: ComponentId, class: Option<ClassInstId>) {
        if self.is_absent(id) {
            return;
        }
        self.check_not_partial(id);
        self.type_component(id);
        self.bind_component(id);
        if self.out.components[id].outer.is_some() {
            return;
        }
        if let Some(class) = class
            && !self.out.classes[class].components.contains(&id)
        {
            self.out.classes[class].components.push(id);
        }
        self.build_parts(id);
    }

    /// The parts of a component of a structured type.
    pub(crate) fn build_parts(&mut self, id: ComponentId) {
        let Some(node) = self.info(id).node else {
            return;
        };
        if self.info(id).built || !matches!(self.out.components[id].ty, Type::Record(_)) {
            return;
        }
        self.info_mut(id).built = true;
        let place = self.out.components[id].place;
        self.deeper(Some(place), |cx| cx.build_class(node, id));
    }

    /// Equations and algorithms: those of the class itself, then those of its bases.
    fn build_sections(&mut self, node: NodeId, class: ClassInstId) {
        let def = self.node(node).def;
        if let (Some(body), Some(text)) = (def.body(), def.text()) {
            for section in &body.sections {
                let mut env = Env::new(node, text);
                env.initial = section.initial;
                let place = crate::tree::place_of(text, section.span);
                match &section.kind {
                    SectionKind::Equations(equations) => {
                        let first = equations.first().map_or(section.span, |it| it.span);
                        self.check_no_equations(node, crate::tree::place_of(text, first));
                        let typed = self.type_equations(equations, &mut env);
                        let slot = &mut self.out.classes[class];
                        if section.initial {
                            slot.initial_equations.extend(typed)
                        } else {
                            slot.equations.extend(typed)
                        }
                    }
                    SectionKind::Algorithm(statements) => {
                        let first = statements.first().map_or(section.span, |it| it.span);
                        self.check_no_equations(node, crate::tree::place_of(text, first));
                        env.algorithm = true;
                        let statements = self.type_statements(statements, &mut env);
                        let algorithm = Algorithm { statements, place };
                        let slot = &mut self.out.classes[class];
                        if section.initial {
                            slot.initial_algorithms.push(algorithm)
                        } else {
                            slot.algorithms.push(algorithm)
                        }
                    }
                }
            }
        }
        for base in self.node(node).bases.clone() {
            self.build_sections(base, class);
        }
    }

    fn check_no_equations(&mut self, node: NodeId, place: Place) {
        let kind = self.node(self.derived_most(node)).def.kind();
        if matches!(
            kind,
            ClassKind::Record
                | ClassKind::OperatorRecord
                | ClassKind::Connector
                | ClassKind::ExpandableConnector
                | ClassKind::Package
                | ClassKind::Type
        ) {
            let message = format!("a {} cannot have equations or algorithms", kind.as_str());
            self.error(Code::MS2015, place, message, "not allowed here");
        }
    }

    /// Inner components that were missing come last.
    fn build_generated(&mut self, root: ClassInstId) {
        let mut index = 0;
        while let Some(&elem) = self.generated_order.get(index) {
            if let Some(id) = self.component(elem) {
                self.build_component(id, Some(root));
            }
            index += 1;
        }
    }

    fn finish_functions(&mut self) {
        for elem in std::mem::take(&mut self.external_objects) {
            let Some(node) = self.class_node(elem) else {
                continue;
            };
            for name in ["constructor", "destructor"] {
                if let Some(function) = self
                    .lookup_member(node, Name::new(name))
                    .and_then(|elem| self.function(elem))
                {
                    self.require_function(&function);
                }
            }
        }
        let mut index = 0;
        while let Some(&node) = self.needed_functions.get(index) {
            self.function_body(node);
            index += 1;
        }
        let mut functions = std::mem::take(&mut self.done_functions);
        functions.sort_by(|a, b| a.name.cmp(&b.name));
        functions.dedup_by(|a, b| a.name == b.name);
        self.out.functions = functions;
    }

    /// Values of structural parameters and of those with `Evaluate = true`.
    fn finish_values(&mut self) {
        for id in self.out.components.ids() {
            if self.info(id).evaluate == Some(true) {
                self.mark_component(id);
            }
        }
        for id in self.out.components.ids() {
            if self.out.components[id].variability > Variability::Structural
                || self.info(id).in_function
            {
                continue;
            }
            let result = self.quietly(|cx| World::value_of(cx, id)).0;
            match result {
                Ok((value, chain)) if chain.is_empty() => self.settle(id, &value),
                Err(fail) if fail.wrong => self.wrong_value(fail.of.unwrap_or(id), &fail),
                _ => {}
            }
        }
    }

    /// What is known is written down as known.
    fn settle(&mut self, id: ComponentId, value: &Value) {
        let component = &mut self.out.components[id];
        component.value = Some(value.to_exp());
        if let Some(binding) = &mut component.binding
            && binding.indexed_by.is_empty()
            && !matches!(component.ty, Type::Record(_))
        {
            let known = value.to_exp();
            if component.variability == Variability::Structural && binding.exp != known {
                binding.given = Some(Box::new(binding.exp.clone()));
            }
            binding.exp = known;
        }
    }

    /// An element that a `connect` adds to an expandable connector: like `other`, as large as what is connected.
    pub(crate) fn added_component(
        &mut self,
        owner: ComponentId,
        other: ComponentId,
        size: Vec<Dim>,
        part: &RefPart,
        place: Place,
    ) -> Option<ComponentId> {
        let node = self.info(owner).node?;
        let existing = self.lookup_member(node, part.name);
        let elem = match existing {
            Some(elem) => elem,
            None => self.added_element(node, other, part)?,
        };
        let id = self.component(elem)?;
        self.out.components[id].added = true;
        self.out.components[id].place = place;
        self.out.components[id].causality = None;
        self.info_mut(id).has_condition = false;
        if !part.subscripts.is_empty() || existing.is_none() {
            self.info_mut(id).dims.clear();
        }
        self.type_component(id);
        // What is connected may be an element of an array, or an array of components.
        if part.subscripts.is_empty() && existing.is_none() {
            self.out.components[id].dims = size;
        }
        for (index, subscript) in part.subscripts.iter().enumerate() {
            let position = match subscript {
                ast::Subscript::Expr(ast::Expr {
                    kind: ast::ExprKind::Int(position),
                    ..
                }) => *position,
                _ => 1,
            };
            let dims = &mut self.out.components[id].dims;
            if dims.len() <= index {
                dims.push(Dim::Known(position));
            } else if let Dim::Known(size) = &mut dims[index] {
                *size = (*size).max(position);
            }
        }
        if existing.is_none() {
            self.bind_component(id);
            self.build_parts(id);
            if let Some(class) = self.out.components[owner].class {
                self.out.classes[class].components.push(id);
            }
        }
        Some(id)
    }

    fn added_element(
        &mut self,
        node: NodeId,
        other: ComponentId,
        part: &RefPart,
    ) -> Option<ElemId> {
        let like = self.elem(self.info(other).elem).component()?;
        let mut decl = like.decl;
        decl.name = ast::Ident {
            name: part.name,
            span: part.span,
        };
        decl.condition = None;
        decl.modification = None;
        decl.prefixes = ast::ElementPrefixes::default();
        let (scope, original) = (like.scope, like.original.clone());
        let comp = CompElem {
            decl,
            scope,
            modifier: None,
            constraint: None,
            original,
            condition: None,
            element: None,
            instance: Progress::Todo,
        };
        let elem = self.add_elem(Elem {
            name: part.name,
            node,
            protected: false,
            kind: ElemKind::Component(comp),
            class_node: None,
        });
        self.node_mut(node).members.insert(part.name, Some(elem));
        self.node_mut(node).items.push(Item::Component(elem));
        Some(elem)
    }
}

/// A place inside a definition; classes that reach here always have a text.
fn unreachable_place(def: Def<'_>) -> Place {
    match def.name_place() {
        Some(place) => place,
        None => unreachable!("the root of an instance is a class with a text"),
    }
}
