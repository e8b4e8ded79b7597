//! Expansion: from a class definition to its elements, inherited ones included.
//!
//! Expanding a node makes an element of each component it declares and a node of each base class, with the
//! node's modifiers passed on to both. Elements that a class redeclares take the place of the inherited ones
//! in every base, so that equations written there see the redeclaration. Linear in the number of
//! components, plus one lookup per `extends`.

use crate::cx::Cx;
use crate::modifier::{Mod, ModError, ModSite, Redeclare, RedeclareKind, merge};
use crate::node::{
    ClassElem, CompDecl, CompElem, Condition, Def, Elem, ElemId, ElemKind, Item, Node, NodeId,
    Progress, State,
};
use crate::resolve::Target;
use crate::tree::Place;
use modeshift_base::{FxHashMap, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, ClassSpec, Element, Extends};
use modeshift_syntax::ast::{Argument, ClassKind, TypePrefix};
use std::sync::Arc;

/// What an expansion does after the own elements are in place.
pub(crate) enum Later<'a> {
    Extends(usize, &'a Extends),
    RedeclareComponent(&'a modeshift_hir::Component),
    RedeclareClass(ClassId, Name),
}

impl<'a> Cx<'_, 'a> {
    /// Makes the elements of a node available. Does nothing when they are, or are about to be.
    pub fn expand(&mut self, node: NodeId) {
        if self.node(node).state != State::Unexpanded {
            return;
        }
        self.node_mut(node).state = State::Expanding;
        let def = self.node(node).def;
        let place = def.name_place();
        self.deeper(place, |cx| cx.expand_body(node, def));
        self.node_mut(node).state = State::Expanded;
        // What was looked up while the bases were missing may be found now.
        self.node_mut(node)
            .members
            .retain(|_, found| found.is_some());
    }

    fn expand_body(&mut self, node: NodeId, def: Def<'a>) {
        let (Some(body), Some(text)) = (def.body(), def.text()) else {
            return;
        };
        let mut later = Vec::new();
        if let Some(inherited) = self.node(node).inherited.clone() {
            self.extend_inherited(node, def, &inherited);
        }
        for element in &body.elements {
            let index = self.node(node).items.len();
            match element {
                Element::Component(component) if component.clause.prefixes.redeclare => {
                    later.push(Later::RedeclareComponent(component));
                }
                Element::Component(component) => self.own_component(node, component, text),
                Element::Extends(extends) => later.push(Later::Extends(index, extends)),
                Element::Class(nested) if nested.prefixes.redeclare || nested.class_extends => {
                    later.push(Later::RedeclareClass(nested.id, nested.name));
                    self.check_unique_class(node, nested.id, nested.name);
                }
                Element::Class(nested) => self.check_unique_class(node, nested.id, nested.name),
                Element::Import(_) => {}
            }
        }
        // Items are inserted at positions counted without each other.
        let mut inserted = 0;
        for step in &later {
            if let Later::Extends(index, extends) = step
                && let Some(base) = self.extend(node, extends, text)
            {
                self.node_mut(node)
                    .items
                    .insert(index + inserted, Item::Base(base));
                inserted += 1;
            }
        }
        self.check_base_names(node, def);
        self.redeclare_elements(node, &later, text);
        for base in self.node(node).bases.clone() {
            self.inherit(node, base);
        }
    }

    fn own_component(
        &mut self,
        node: NodeId,
        component: &'a modeshift_hir::Component,
        text: ClassId,
    ) {
        let name = component.name.name;
        if let Some(Some(first)) = self.node(node).members.get(&name).copied() {
            let place = crate::tree::place_of(text, component.name.span);
            self.duplicate(name, place, self.elem(first).place());
            return;
        }
        let decl = CompDecl::from_class(component, text);
        if let Some(Element::Class(other)) = self
            .node(node)
            .def
            .body()
            .and_then(|body| body.element(name))
        {
            let other = modeshift_hir::ClassSpan::of_name(other.id).to_place();
            self.duplicate(name, decl.place(), Some(other));
            return;
        }
        if component.protected {
            self.check_protected_element(node, decl.place());
        }
        let protected = component.protected || self.node(node).protected;
        let elem = self.component_element(node, decl, protected, None);
        self.node_mut(node).members.insert(name, Some(elem));
        self.node_mut(node).items.push(Item::Component(elem));
    }

    fn check_unique_class(&mut self, node: NodeId, id: ClassId, name: Name) {
        let place = modeshift_hir::ClassSpan::of_name(id).to_place();
        let Some(text) = self.node(node).def.text() else {
            return;
        };
        match self
            .node(node)
            .def
            .body()
            .and_then(|body| body.element(name))
        {
            Some(Element::Class(first)) if first.id != id => {
                let first = modeshift_hir::ClassSpan::of_name(first.id).to_place();
                self.duplicate(name, place, Some(first));
            }
            Some(Element::Component(first)) => {
                self.duplicate(
                    name,
                    place,
                    Some(crate::tree::place_of(text, first.name.span)),
                );
            }
            _ => {}
        }
    }

    fn duplicate(&mut self, name: Name, second: Place, first: Option<Place>) {
        let mut diagnostic = Diagnostic::new(Code::MS2005, format!("`{name}` is declared twice"))
            .label(second, "second declaration");
        if let Some(first) = first {
            diagnostic = diagnostic.label(first, "first declaration");
        }
        self.report(diagnostic);
    }

    /// The element of a component that `node` declares, with what modifies it from outside.
    pub(crate) fn component_element(
        &mut self,
        node: NodeId,
        decl: CompDecl<'a>,
        protected: bool,
        original: Option<Arc<(CompDecl<'a>, NodeId)>>,
    ) -> ElemId {
        let name = decl.name.name;
        let outer = self
            .node(node)
            .modifier
            .as_ref()
            .and_then(|outer| outer.sub(name))
            .cloned();
        let site = ModSite {
            scope: node,
            at: node,
            text: decl.text,
        };
        let mut errors = Vec::new();
        let mut own = Mod::of_declaration(decl.modification, site, &mut errors);
        if decl.prefixes.final_ {
            if let Some(outer) = &outer
                && outer.place != decl.place()
            {
                errors.push(ModError::Final {
                    name,
                    outer: outer.place,
                    inner: decl.place(),
                });
            }
            if let Some(own) = &mut own {
                let own = Arc::make_mut(own);
                own.final_ = true;
                own.value = own.value.map(|value| crate::modifier::ModValue {
                    final_: true,
                    ..value
                });
            }
        }
        if let Some(clause) = decl.constrained_by {
            let constraining = Mod::of_arguments(&clause.modification, site, &mut errors);
            own = merge(own.as_ref(), constraining.as_ref(), &mut Vec::new());
        }
        let redeclare = outer.as_ref().and_then(|outer| outer.redeclare);
        if let Some(again) = redeclare
            && let Some(first) = outer.as_ref().and_then(|outer| outer.replaced)
        {
            self.redeclared_again.push((again, first));
        }
        let under = outer.as_ref().and_then(|outer| outer.under.clone());
        let outer = outer.map(without_redeclare);
        let mut comp = CompElem {
            decl,
            scope: node,
            modifier: None,
            constraint: original.clone(),
            original,
            condition: Condition::of(&decl, node),
            element: None,
            instance: Progress::Todo,
        };
        match redeclare {
            Some(Redeclare {
                kind: RedeclareKind::Component(new),
                scope,
                at,
                place,
                redeclare,
                ..
            }) => {
                let is_redeclaration = new.place() != decl.place();
                if is_redeclaration {
                    self.check_redeclared_component(&new, &decl);
                }
                let allowed = !is_redeclaration
                    || !redeclare
                    || self.same_type(&new, scope, &decl, node)
                    || self.check_replaceable(
                        decl.prefixes.replaceable,
                        decl.prefixes.final_,
                        name,
                        place,
                        decl.place(),
                    );
                let constraining = match decl.constrained_by {
                    // Whether it fits is not the question.
                    _ if !allowed => None,
                    Some(clause) => Mod::of_arguments(&clause.modification, site, &mut errors),
                    None => own,
                };
                let inner_site = ModSite {
                    scope,
                    at,
                    text: new.text,
                };
                let own = Mod::of_declaration(new.modification, inner_site, &mut errors);
                let narrower = new.constrained_by.and_then(|clause| {
                    Mod::of_arguments(&clause.modification, inner_site, &mut errors)
                });
                let own = merge(own.as_ref(), narrower.as_ref(), &mut Vec::new());
                let own = merge(own.as_ref(), under.as_ref(), &mut Vec::new());
                let own = merge(own.as_ref(), constraining.as_ref(), &mut Vec::new());
                comp.modifier = merge(outer.as_ref(), own.as_ref(), &mut errors);
                let replaced = Arc::new((decl, node));
                if !allowed {
                    comp.constraint = None;
                } else if decl.constrained_by.is_some() || comp.constraint.is_none() {
                    comp.constraint = Some(replaced.clone());
                }
                comp.original = allowed.then_some(replaced);
                comp.decl = new;
                comp.scope = scope;
                comp.condition = comp.condition.or_else(|| Condition::of(&new, scope));
            }
            Some(Redeclare {
                kind: RedeclareKind::Class { .. },
                place,
                ..
            }) => {
                self.redeclared_as_other(name, place, decl.place(), "a component", "a class");
                comp.modifier = merge(outer.as_ref(), own.as_ref(), &mut errors);
            }
            None => comp.modifier = merge(outer.as_ref(), own.as_ref(), &mut errors),
        }
        self.report_mod_errors(errors);
        let compared = comp.original.is_some() || comp.decl.constrained_by.is_some();
        let elem = self.add_elem(Elem {
            name,
            node,
            protected,
            kind: ElemKind::Component(comp),
            class_node: None,
        });
        if compared {
            self.redeclared.push(elem);
        }
        elem
    }

    /// The element of class `id` that `node` declares, with what modifies it from outside.
    pub(crate) fn class_element(&mut self, node: NodeId, id: ClassId, name: Name) -> ElemId {
        self.report_rules(id);
        let data = self.class_data(id);
        let mut own = ClassElem {
            def: Def::Class(id, data),
            scope: node,
            modifier: None,
            constraining: None,
            original: None,
        };
        if data.constrained_by.is_some() {
            own.constraining = self.constraining_modifier(&own, node, &mut Vec::new());
        }
        let class = self.modified_class(node, name, own);
        let constrained = class.original.is_some() || data.constrained_by.is_some();
        let compared = constrained && crate::subtype::is_compared(&class);
        let protected = data.protected || self.node(node).protected;
        let elem = self.add_elem(Elem {
            name,
            node,
            protected,
            kind: ElemKind::Class(class),
            class_node: None,
        });
        if compared {
            self.redeclared.push(elem);
        }
        elem
    }

    /// Adds the base class of an `extends` clause.
    fn extend(&mut self, node: NodeId, extends: &'a Extends, text: ClassId) -> Option<NodeId> {
        let place = crate::tree::place_of(text, extends.base.span);
        let Some(elem) = self.lookup_base(node, &extends.base, text) else {
            self.broken_bases.insert(node);
            return None;
        };
        self.check_base_path(node, &extends.base, place);
        self.check_base_not_replaceable(elem, place);
        let base = self.add_base(node, elem, &extends.modification, place, text)?;
        if self.node(base).def.kind() == ClassKind::OperatorRecord {
            let name = self.def_name(self.node(base).def);
            let diagnostic = Diagnostic::new(
                Code::MS2015,
                format!("`{name}` is an operator record and cannot be extended"),
            )
            .label(place, "extended here")
            .note("A short class, `operator record B = A(...)`, can modify it.");
            self.report(diagnostic);
        }
        self.check_no_operator_records(base, place);
        self.node_mut(base).protected |= extends.protected;
        Some(base)
    }

    fn lookup_base(
        &mut self,
        node: NodeId,
        path: &modeshift_syntax::ast::Path,
        text: ClassId,
    ) -> Option<ElemId> {
        // A class cannot be its own base by its own name: `extends A` in `A` means an `A` further out.
        self.lookup_class(node, path, text)
    }

    fn add_base(
        &mut self,
        node: NodeId,
        elem: ElemId,
        arguments: &'a [Argument],
        place: Place,
        text: ClassId,
    ) -> Option<NodeId> {
        let class = self.elem(elem).class()?.clone();
        let base = self.reserve_node(node);
        let mut errors = Vec::new();
        let site = ModSite {
            scope: node,
            at: node,
            text,
        };
        let own = Mod::of_arguments(arguments, site, &mut errors);
        let resolved = self.resolve(elem, &class, base, Some(place));
        let Some(resolved) = resolved else {
            self.report_mod_errors(errors);
            return None;
        };
        let Target::Class {
            def,
            scope,
            inherited,
        } = resolved.target
        else {
            self.report_mod_errors(errors);
            if !matches!(resolved.target, Target::Basic(crate::ty::Type::External(_))) {
                let kind = self.node(node).def.kind().as_str();
                let message =
                    format!("a {kind} with elements of its own cannot extend a predefined type");
                let declared = self.node(node).def.name_place().unwrap_or(place);
                let diagnostic = Diagnostic::new(Code::MS2015, message)
                    .label(declared, "has other elements")
                    .label(place, "a predefined type");
                self.report(diagnostic);
            }
            return None;
        };
        if !resolved.dims.is_empty() || resolved.prefix != TypePrefix::default() {
            self.check_only_base(node, place, !resolved.dims.is_empty());
        }
        if self.cyclic_base(node, def, place) || self.extends_enclosing(node, def, place) {
            return None;
        }
        self.note_use(def);
        let own = merge(own.as_ref(), resolved.modifier.as_ref(), &mut errors);
        let outer = self.node(node).modifier.clone();
        let modifier = merge(outer.as_ref(), own.as_ref(), &mut errors);
        self.report_mod_errors(errors);
        let (owner, path) = (self.node(node).owner, self.node(node).path.clone());
        let protected = self.node(node).protected;
        let slot = self.node_mut(base);
        slot.def = def;
        slot.parent = scope;
        slot.derived = Some(node);
        slot.protected = protected;
        slot.owner = owner;
        slot.modifier = modifier;
        slot.inherited = inherited;
        slot.path = path;
        self.node_mut(node).bases.push(base);
        self.check_base_kind(node, base, place);
        if let Some(own) = own {
            self.check_modifier_targets(base, &own, true);
            self.remove_broken(base, &own);
        }
        Some(base)
    }

    /// `class extends` and redeclared classes that extend what they replace.
    fn extend_inherited(&mut self, node: NodeId, def: Def<'a>, inherited: &Arc<ClassElem<'a>>) {
        let (Def::Class(id, data), ClassSpec::Extends { modification, .. }) = (
            def,
            match def {
                Def::Class(_, data) => &data.spec,
                _ => return,
            },
        ) else {
            return;
        };
        let place = crate::tree::place_of(id, data.name.span);
        let name = data.name.name;
        let elem = self.add_elem(Elem {
            name,
            node: inherited.scope,
            protected: false,
            kind: ElemKind::Class((**inherited).clone()),
            class_node: None,
        });
        if let Some(base) = self.add_base(node, elem, modification, place, id) {
            self.node_mut(node).items.insert(0, Item::Base(base));
        }
    }

    fn cyclic_base(&mut self, node: NodeId, def: Def<'a>, place: Place) -> bool {
        let mut at = Some(node);
        let mut count = 0;
        while let Some(derived) = at {
            if self.node(derived).def.same(def) || count > 100 {
                let name = self.def_name(def);
                self.error(
                    Code::MS2012,
                    place,
                    format!("`{name}` extends itself"),
                    "by way of this `extends`",
                );
                return true;
            }
            at = self.node(derived).derived;
            count += 1;
        }
        false
    }

    /// A node to be filled in, so that modifiers can refer to it before its class is known.
    pub(crate) fn reserve_node(&mut self, parent: NodeId) -> NodeId {
        self.add_node(Node {
            def: Def::Root,
            parent,
            derived: None,
            owner: None,
            modifier: None,
            inherited: None,
            path: "".into(),
            state: State::Unexpanded,
            members: FxHashMap::default(),
            items: Vec::new(),
            bases: Vec::new(),
            protected: false,
        })
    }

    /// Takes over the components of a base, and settles those that come twice.
    fn inherit(&mut self, node: NodeId, base: NodeId) {
        self.expand(base);
        let mut components = Vec::new();
        self.collect_components(base, &mut components);
        for elem in components {
            let name = self.elem(elem).name;
            match self.node(node).members.get(&name).copied().flatten() {
                Some(first) if first == elem => {}
                Some(first) => {
                    self.check_identical(first, elem);
                    self.replace_in_bases(base, name, Some(first));
                }
                None => {
                    if let Some(Element::Class(own)) = self
                        .node(node)
                        .def
                        .body()
                        .and_then(|body| body.element(name))
                    {
                        let second = modeshift_hir::ClassSpan::of_name(own.id).to_place();
                        let first = self.elem(elem).place();
                        self.duplicate(name, second, first);
                    }
                    self.node_mut(node).members.insert(name, Some(elem));
                }
            }
        }
    }

    /// The components of a node and its bases in order, replaced and removed ones left out.
    pub(crate) fn collect_components(&mut self, node: NodeId, into: &mut Vec<ElemId>) {
        self.expand(node);
        for index in 0..self.node(node).items.len() {
            match self.node(node).items[index] {
                Item::Component(elem) => {
                    let name = self.elem(elem).name;
                    if self.node(node).members.get(&name).copied().flatten() == Some(elem) {
                        into.push(elem);
                    }
                }
                Item::Base(base) => self.collect_components(base, into),
            }
        }
    }

    /// References in `node` and its bases to `name` mean `elem` from now on.
    pub(crate) fn replace_in_bases(&mut self, node: NodeId, name: Name, elem: Option<ElemId>) {
        if let Some(slot) = self.node_mut(node).members.get_mut(&name)
            && slot.is_some()
        {
            *slot = elem;
        }
        for index in 0..self.node(node).bases.len() {
            let base = self.node(node).bases[index];
            if self.lookup_member(base, name).is_some() {
                self.replace_in_bases(base, name, elem);
            }
        }
    }
}

pub(crate) fn without_redeclare(modifier: Arc<Mod<'_>>) -> Arc<Mod<'_>> {
    if modifier.redeclare.is_none() {
        return modifier;
    }
    Arc::new(Mod {
        redeclare: None,
        under: None,
        replaced: None,
        ..(*modifier).clone()
    })
}
