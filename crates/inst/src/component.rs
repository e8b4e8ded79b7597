//! Components: from an element to an entry of the instance tree. Everything here is done on demand and
//! without looking at parts, dimensions or values, so that those may refer to each other in any order.

use crate::cx::{CompInfo, Cx, DimSource};
use crate::modifier::{Mod, merge};
use crate::node::{CompDecl, Def, ElemId, ElemKind, NodeId, Progress};
use crate::resolve::{Alias, Target, TypeDims};
use crate::tree::{Component, ComponentId};
use crate::ty::{Causality, RecordType, Type, Variability};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::Element;
use modeshift_syntax::ast::{self, ClassKind, TypePrefix, VariabilityPrefix};
use std::sync::Arc;

/// What the type of a component turned out to be.
struct Shape<'a> {
    ty: Type,
    node: Option<NodeId>,
    mods: Option<Arc<Mod<'a>>>,
    kind: ClassKind,
    prefix: TypePrefix,
    dims: Vec<TypeDims<'a>>,
    partial: bool,
}

impl<'a> Cx<'_, 'a> {
    /// The entry of a component in the instance tree, made when first asked for. `None` for classes and
    /// inside a declaration that needs itself.
    pub fn component(&mut self, elem: ElemId) -> Option<ComponentId> {
        let comp = self.elem(elem).component()?;
        match comp.instance {
            Progress::Done(id) => return Some(id),
            Progress::Busy => return None,
            Progress::Todo => {}
        }
        let place = comp.decl.place();
        self.set_instance(elem, Progress::Busy);
        let id = self
            .deeper(Some(place), |cx| cx.make_component(elem))
            .flatten();
        match id {
            Some(id) => self.set_instance(elem, Progress::Done(id)),
            None => self.set_instance(elem, Progress::Todo),
        }
        id
    }

    fn set_instance(&mut self, elem: ElemId, state: Progress<ComponentId>) {
        if let ElemKind::Component(comp) = &mut self.elem_mut(elem).kind {
            comp.instance = state;
        }
    }

    fn make_component(&mut self, elem: ElemId) -> Option<ComponentId> {
        let comp = self.elem(elem).component()?;
        let (decl, scope, modifier) = (comp.decl, comp.scope, comp.modifier.clone());
        let has_condition = comp.condition.is_some();
        let element = comp.element.clone();
        let original = comp.original.clone();
        let home = self.elem(elem).node;
        let parent = match self.node(home).owner {
            Some(owner) => Some(self.component(owner)?),
            None => None,
        };
        let prefixes = merged_prefixes(&decl, original.as_deref().map(|it| &it.0));
        let type_prefix = merged_type_prefix(&decl, original.as_deref().map(|it| &it.0));
        if self.is_recursive(elem, &decl) {
            return None;
        }
        if prefixes.outer && !prefixes.inner {
            self.check_outer(&decl, modifier.as_deref(), home);
        }
        let outer = if prefixes.outer {
            self.find_inner(elem, &decl)
        } else {
            None
        };
        let shape = self.shape(elem, &decl, scope, modifier, prefixes.outer);
        if !matches!(
            shape.kind,
            ClassKind::Connector | ClassKind::ExpandableConnector
        ) {
            self.check_prefix_conflict(&decl, shape.prefix);
        }
        let prefix = TypePrefix {
            flow: type_prefix.flow.or(shape.prefix.flow),
            variability: type_prefix.variability.or(shape.prefix.variability),
            causality: type_prefix.causality.or(shape.prefix.causality),
        };
        let dims = match element {
            Some(_) => Vec::new(),
            None => self.dim_sources(&decl, scope, original.as_deref(), &shape.dims),
        };
        // A record class used as a function is its constructor.
        let constructor = self.node(home).owner.is_none()
            && matches!(
                self.node(self.derived_most(home)).def.kind(),
                ClassKind::Record | ClassKind::OperatorRecord
            )
            && self.derived_most(home) != self.root;
        let in_function = self.is_function_node(home)
            || constructor
            || parent.is_some_and(|parent| self.info(parent).in_function);
        let component = self.entry(elem, &decl, parent, &shape, prefix);
        let mut component = component;
        self.check_prefixes(elem, &decl, prefix, &component);
        component.inner = prefixes.inner;
        component.final_ = parent.is_some_and(|parent| self.out.components[parent].final_)
            || prefixes.final_
            || shape.mods.as_ref().is_some_and(|mods| mods.final_);
        component.outer = outer.filter(|_| !prefixes.inner);
        component.around = outer.filter(|_| prefixes.inner);
        let id = self.out.components.push(component);
        let evaluate = boolean_annotation(decl.annotation, "Evaluate");
        self.add_info(CompInfo {
            elem,
            node: shape.node,
            mods: shape.mods,
            dims,
            element,
            typed: Progress::Todo,
            raw: Progress::Todo,
            absent: Progress::Todo,
            bound: Progress::Todo,
            attributed: Progress::Todo,
            value: Progress::Todo,
            has_condition,
            in_function,
            evaluate,
            outer_target: outer,
            built: false,
            partial: shape.partial,
        });
        Some(id)
    }

    fn entry(
        &self,
        elem: ElemId,
        decl: &CompDecl<'a>,
        parent: Option<ComponentId>,
        shape: &Shape<'a>,
        prefix: TypePrefix,
    ) -> Component {
        let above = parent.map(|parent| &self.out.components[parent]);
        let own = match prefix.variability {
            Some(VariabilityPrefix::Constant) => Variability::Constant,
            Some(VariabilityPrefix::Parameter) => Variability::Parameter,
            Some(VariabilityPrefix::Discrete) => Variability::Discrete,
            None if shape.ty.is_discrete() => Variability::Discrete,
            None => Variability::Continuous,
        };
        let inherited = above.map_or(Variability::Continuous, |above| above.variability);
        let structured_parent = above.is_some_and(|above| is_value_kind(above.kind));
        let causality = match prefix.causality {
            Some(ast::Causality::Input) => Some(Causality::Input),
            Some(ast::Causality::Output) => Some(Causality::Output),
            None => above
                .filter(|_| structured_parent)
                .and_then(|above| above.causality),
        };
        let flow = prefix.flow.or_else(|| {
            above
                .filter(|_| structured_parent)
                .and_then(|above| above.flow)
        });
        Component {
            name: self.elem(elem).name,
            parent,
            ty: shape.ty.clone(),
            dims: Vec::new(),
            class: None,
            kind: shape.kind,
            variability: if causality.is_some() && self.is_function_node(self.elem(elem).node) {
                if shape.ty.is_discrete() {
                    Variability::Discrete
                } else {
                    Variability::Continuous
                }
            } else if inherited <= Variability::Parameter || structured_parent {
                own.min(inherited)
            } else {
                own
            },
            discrete: prefix.variability == Some(VariabilityPrefix::Discrete),
            causality,
            flow,
            inner: false,
            outer: None,
            around: None,
            generated: false,
            constraint: None,
            added: false,
            protected: self.elem(elem).protected || above.is_some_and(|above| above.protected),
            final_: false,
            absent: false,
            left_open: None,
            attributes: Vec::new(),
            binding: None,
            value: None,
            comment: decl
                .description
                .map(|description| Arc::from(&*description.text)),
            place: decl.place(),
        }
    }

    /// Looks up the type and, for classes with parts, makes the node that holds them.
    fn shape(
        &mut self,
        elem: ElemId,
        decl: &CompDecl<'a>,
        scope: NodeId,
        modifier: Option<Arc<Mod<'a>>>,
        outer: bool,
    ) -> Shape<'a> {
        let unknown = |mods| Shape {
            ty: Type::Unknown,
            node: None,
            mods,
            kind: ClassKind::Class,
            prefix: TypePrefix::default(),
            dims: Vec::new(),
            partial: false,
        };
        let Some(class_elem) = self.lookup_class(scope, decl.type_name, decl.text) else {
            return unknown(modifier);
        };
        if let Some(alias) = self.alias(class_elem) {
            return self.basic_shape(&alias, modifier);
        }
        let Some(class) = self.elem(class_elem).class().cloned() else {
            return unknown(modifier);
        };
        let place = self.place(decl.text, decl.type_name.span);
        let node = self.reserve_node(scope);
        let Some(resolved) = self.resolve(class_elem, &class, node, Some(place)) else {
            return unknown(modifier);
        };
        let mut errors = Vec::new();
        let mods = merge(modifier.as_ref(), resolved.modifier.as_ref(), &mut errors);
        self.report_mod_errors(errors);
        let Target::Class {
            def,
            scope: parent,
            inherited,
        } = resolved.target
        else {
            let Target::Basic(ty) = resolved.target else {
                return unknown(mods);
            };
            return Shape {
                ty,
                node: None,
                mods,
                kind: resolved.kind,
                prefix: resolved.prefix,
                dims: resolved.dims,
                partial: false,
            };
        };
        self.note_use(def);
        let path = self.component_path(elem);
        let slot = self.node_mut(node);
        slot.def = def;
        slot.parent = parent;
        slot.owner = Some(elem);
        slot.modifier = mods.clone();
        slot.inherited = inherited;
        slot.path = path;
        let type_path = self.class_path(class_elem);
        let ty = match resolved.kind {
            ClassKind::Function | ClassKind::OperatorFunction => {
                self.node_mut(node).owner = None;
                // What such a function takes and gives is part of the result.
                if let Some(info) = self.function(class_elem) {
                    self.require_function(&info);
                }
                Type::Function(Arc::from(&*type_path))
            }
            _ if self.is_external_object(node) => {
                self.external_objects.push(class_elem);
                Type::External(Arc::from(&*type_path))
            }
            _ => Type::Record(Arc::new(RecordType {
                path: (&*type_path).into(),
                fields: Vec::new(),
            })),
        };
        // `connector C = input R` is a connector, whose operators are those of `R`.
        if matches!(resolved.kind, ClassKind::Record | ClassKind::OperatorRecord)
            || def.kind() == ClassKind::OperatorRecord
        {
            self.remember_record(class_elem);
        }
        self.check_component_kind(elem, decl, resolved.kind, place);
        if resolved.kind == ClassKind::OperatorRecord
            && decl.type_prefix.flow == Some(ast::Flow::Flow)
        {
            self.check_flow_operators(node, decl);
        }
        if let Some(mods) = &modifier {
            self.check_modifier_targets(node, mods, false);
        }
        Shape {
            ty,
            node: Some(node),
            mods,
            kind: resolved.kind,
            prefix: resolved.prefix,
            dims: resolved.dims,
            partial: resolved.partial && !outer,
        }
    }

    fn basic_shape(&mut self, alias: &Alias<'a>, modifier: Option<Arc<Mod<'a>>>) -> Shape<'a> {
        let mut errors = Vec::new();
        let mods = match (&modifier, &alias.modifier) {
            (None, Some(own)) => Some(own.clone()),
            (outer, own) => merge(outer.as_ref(), own.as_ref(), &mut errors),
        };
        self.report_mod_errors(errors);
        Shape {
            ty: alias.ty.clone(),
            node: None,
            mods,
            kind: alias.kind,
            prefix: alias.prefix,
            dims: alias.dims.clone(),
            partial: false,
        }
    }

    fn dim_sources(
        &mut self,
        decl: &CompDecl<'a>,
        scope: NodeId,
        original: Option<&(CompDecl<'a>, NodeId)>,
        of_type: &[TypeDims<'a>],
    ) -> Vec<DimSource<'a>> {
        let of_decl = |decl: &CompDecl<'a>, scope: NodeId| -> Vec<DimSource<'a>> {
            let source = |subscript| DimSource {
                subscript,
                scope,
                text: decl.text,
            };
            decl.dims
                .iter()
                .chain(decl.clause_dims)
                .map(source)
                .collect()
        };
        let mut dims = of_decl(decl, scope);
        if dims.is_empty()
            && let Some((decl, scope)) = original
        {
            dims = of_decl(decl, *scope);
        }
        for level in of_type {
            dims.extend(level.dims.iter().map(|subscript| DimSource {
                subscript,
                scope: level.scope,
                text: level.text,
            }));
        }
        dims
    }

    /// A component that contains its own declaration would never end.
    fn is_recursive(&mut self, elem: ElemId, decl: &CompDecl<'a>) -> bool {
        let mut at = self.node(self.elem(elem).node).owner;
        let mut repeats = 0;
        while let Some(owner) = at {
            let owner = self.elem(owner);
            if owner.place() == Some(decl.place()) {
                repeats += 1;
            }
            at = self.node(owner.node).owner;
        }
        if repeats == 0 {
            return false;
        }
        // The component that closes the circle.
        let owner = self.node(self.elem(elem).node).owner;
        let closing = owner.map(|owner| self.elem(owner));
        let (name, place) = closing
            .and_then(|owner| Some((owner.name, owner.place()?)))
            .unwrap_or((decl.name.name, decl.place()));
        self.report(
            Diagnostic::new(
                Code::MS2013,
                format!("`{name}` contains itself"),
            )
            .label(place, "this component is part of its own class")
            .note("A class cannot have itself, directly or by way of its parts, as the type of a component."),
        );
        true
    }

    /// The name of a component by the instances it is in.
    pub fn component_path(&self, elem: ElemId) -> Arc<str> {
        let elem = self.elem(elem);
        let scope = &self.node(elem.node).path;
        if scope.is_empty() {
            elem.name.as_str().into()
        } else {
            format!("{scope}.{}", elem.name).into()
        }
    }

    pub(crate) fn is_function_node(&self, node: NodeId) -> bool {
        matches!(
            self.node(self.derived_most(node)).def.kind(),
            ClassKind::Function | ClassKind::OperatorFunction
        )
    }

    /// The class that inherits a base, at the end of the chain.
    pub(crate) fn derived_most(&self, mut node: NodeId) -> NodeId {
        while let Some(derived) = self.node(node).derived {
            node = derived;
        }
        node
    }

    pub(crate) fn is_external_object(&mut self, node: NodeId) -> bool {
        let Def::Class(_, data) = self.node(node).def else {
            return false;
        };
        let Some(extends) = data.extends().next() else {
            return false;
        };
        let Some(last) = extends.base.parts.last() else {
            return false;
        };
        last.name.as_str() == "ExternalObject"
            && extends.base.parts.len() == 1
            && self.builtins.contains_key(&last.name)
            && data
                .elements()
                .iter()
                .any(|it| matches!(it, Element::Class(_)))
    }

    /// A component that exists cannot be of a partial class.
    pub(crate) fn check_not_partial(&mut self, id: ComponentId) {
        let elem = self.info(id).elem;
        let (Some(node), Some(comp)) = (self.info(id).node, self.elem(elem).component()) else {
            return;
        };
        let (decl, def) = (comp.decl, self.node(node).def);
        let in_function = self.is_function_node(self.elem(elem).node);
        // What is missing then is the `inner` component.
        let generated = self.generated_order.contains(&elem);
        if !self.info(id).partial
            || in_function
            || generated
            || matches!(def.kind(), ClassKind::Function)
        {
            return;
        }
        let class = self.def_name(def);
        let place = self.place(decl.text, decl.type_name.span);
        let mut diagnostic = Diagnostic::new(
            Code::MS2014,
            format!(
                "`{class}` is partial, so `{}` cannot be of that class",
                decl.name.name
            ),
        )
        .label(place, "a partial class is only there to be extended");
        if let Some(declared) = def.name_place() {
            diagnostic = diagnostic.label(declared, "declared partial");
        }
        self.report(diagnostic);
    }
}

pub(crate) fn is_value_kind(kind: ClassKind) -> bool {
    matches!(
        kind,
        ClassKind::Record
            | ClassKind::OperatorRecord
            | ClassKind::Connector
            | ClassKind::ExpandableConnector
    )
}

pub(crate) fn merged_prefixes(
    decl: &CompDecl<'_>,
    original: Option<&CompDecl<'_>>,
) -> ast::ElementPrefixes {
    let mut prefixes = decl.prefixes;
    if let Some(original) = original {
        prefixes.inner |= original.prefixes.inner;
        prefixes.outer |= original.prefixes.outer;
    }
    prefixes
}

fn merged_type_prefix(decl: &CompDecl<'_>, original: Option<&CompDecl<'_>>) -> TypePrefix {
    let own = decl.type_prefix;
    let old = original
        .map(|original| original.type_prefix)
        .unwrap_or_default();
    TypePrefix {
        flow: own.flow.or(old.flow),
        variability: own.variability.or(old.variability),
        causality: own.causality.or(old.causality),
    }
}

/// The value of an annotation `name = true` or `name = false`.
pub(crate) fn boolean_annotation(annotation: Option<&ast::Annotation>, name: &str) -> Option<bool> {
    annotation?
        .args
        .iter()
        .find_map(|argument| match &argument.kind {
            ast::ArgumentKind::Modify {
                target,
                modification: Some(modification),
                ..
            } => {
                let found = target.len() == 1 && target[0].name.as_str() == name;
                match &modification.binding {
                    Some(ast::Binding::Expr(ast::Expr {
                        kind: ast::ExprKind::Bool(value),
                        ..
                    })) if found => Some(*value),
                    _ => None,
                }
            }
            _ => None,
        })
}
