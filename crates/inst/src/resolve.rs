//! From a class element to what it stands for: short classes are seen through, their modifiers collected.

use crate::cx::{ALIAS, Cx, ROOT};
use crate::modifier::{Mod, ModError, ModSite, applied_at, merge};
use crate::node::{Builtin, ClassElem, Def, ElemId, NodeId};
use crate::tree::Place;
use crate::ty::{EnumType, Type};
use crate::unknown::{Wanted, replace};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, ClassSpec, Element, full_name};
use modeshift_syntax::ast::{ClassKind, Subscript, TypePrefix};
use std::sync::Arc;

/// What a chain of short classes ends in.
pub(crate) enum Target<'a> {
    Basic(Type),
    Class {
        def: Def<'a>,
        scope: NodeId,
        inherited: Option<Arc<ClassElem<'a>>>,
    },
}

/// Dimensions written at a short class.
#[derive(Clone, Copy)]
pub(crate) struct TypeDims<'a> {
    pub dims: &'a [Subscript],
    pub scope: NodeId,
    pub text: ClassId,
}

pub(crate) struct Resolved<'a> {
    pub target: Target<'a>,
    pub modifier: Option<Arc<Mod<'a>>>,
    /// Outermost first.
    pub dims: Vec<TypeDims<'a>>,
    pub prefix: TypePrefix,
    pub kind: ClassKind,
    pub partial: bool,
}

/// A class that is a predefined type with modifiers: `SI.Voltage`, `enumeration(a, b)`, `Real[3]`.
pub(crate) struct Alias<'a> {
    pub ty: Type,
    pub modifier: Option<Arc<Mod<'a>>>,
    pub dims: Vec<TypeDims<'a>>,
    pub prefix: TypePrefix,
    pub kind: ClassKind,
}

impl<'a> Cx<'_, 'a> {
    /// The class as an alias of a predefined type, if it is one. Computed once per class element.
    pub fn alias(&mut self, elem: ElemId) -> Option<Arc<Alias<'a>>> {
        if let Some(found) = self.aliases.get(&elem) {
            return found.clone();
        }
        self.aliases.insert(elem, None);
        let class = self.elem(elem).class()?.clone();
        if class.def.body().is_some() && !is_derived_type(class.def) {
            return None;
        }
        let resolved = self.resolve(elem, &class, ALIAS, None)?;
        let Target::Basic(ty) = resolved.target else {
            return None;
        };
        if let Some(modifier) = &resolved.modifier {
            for broken in &modifier.breaks {
                if let crate::modifier::Break::Component(name) = broken {
                    self.broken_is_no_component(name, modifier.text);
                }
            }
        }
        let alias = Some(Arc::new(Alias {
            ty,
            modifier: resolved.modifier,
            dims: resolved.dims,
            prefix: resolved.prefix,
            kind: resolved.kind,
        }));
        self.aliases.insert(elem, alias.clone());
        alias
    }

    /// Follows short classes to the class meant in the end. `at` is the node that the result is for.
    pub(crate) fn resolve(
        &mut self,
        elem: ElemId,
        class: &ClassElem<'a>,
        at: NodeId,
        used: Option<Place>,
    ) -> Option<Resolved<'a>> {
        let mut errors = Vec::new();
        let result = self.resolve_chain(elem, class, at, used, &mut errors);
        self.report_mod_errors(errors);
        result
    }

    fn resolve_chain(
        &mut self,
        elem: ElemId,
        class: &ClassElem<'a>,
        at: NodeId,
        used: Option<Place>,
        errors: &mut Vec<ModError>,
    ) -> Option<Resolved<'a>> {
        let mut class = class.clone();
        let mut elem = elem;
        let mut kind = class.def.kind();
        let mut result = Resolved {
            target: Target::Basic(Type::Unknown),
            modifier: None,
            dims: Vec::new(),
            prefix: TypePrefix::default(),
            kind,
            partial: false,
        };
        for _ in 0..64 {
            result.partial |= class.def.partial();
            let constraining = class.constraining.as_ref().map(|it| applied_at(it, at));
            let weaker = class.modifier.as_ref().map(|weaker| applied_at(weaker, at));
            result.modifier = merge(result.modifier.as_ref(), weaker.as_ref(), errors);
            let step = self.short_step(class.def, elem, class.scope);
            let Some((arguments, path, scope, dims)) = step else {
                result.modifier = merge(
                    result.modifier.as_ref(),
                    constraining.as_ref(),
                    &mut Vec::new(),
                );
                result.target = self.target(elem, &class)?;
                if matches!(kind, ClassKind::Type | ClassKind::Class)
                    || kind == ClassKind::Model && matches!(class.def.kind(), ClassKind::Block)
                {
                    kind = class.def.kind();
                }
                result.kind = kind;
                return Some(result);
            };
            let text = class.def.text()?;
            if let Some(short) = class.def.short() {
                let prefix = short.type_prefix;
                result.prefix.flow = result.prefix.flow.or(prefix.flow);
                result.prefix.variability = result.prefix.variability.or(prefix.variability);
                result.prefix.causality = result.prefix.causality.or(prefix.causality);
            }
            if !dims.is_empty() {
                result.dims.push(TypeDims {
                    dims,
                    scope: class.scope,
                    text,
                });
            }
            let site = ModSite {
                scope: class.scope,
                at,
                text,
            };
            let own = Mod::of_arguments(arguments, site, errors);
            let own = merge(own.as_ref(), constraining.as_ref(), &mut Vec::new());
            result.modifier = merge(result.modifier.as_ref(), own.as_ref(), errors);
            elem = self.lookup_class(scope, path, text)?;
            class = self.elem(elem).class()?.clone();
            if matches!(kind, ClassKind::Class | ClassKind::Type) {
                kind = class.def.kind();
            }
        }
        let place = used.or(class.def.name_place())?;
        let name = self.elem(elem).name;
        self.error(
            Code::MS2012,
            place,
            format!("`{name}` is defined by itself"),
            "a circle of short classes",
        );
        None
    }

    /// One step from a short class, or from a long one that only extends a type, to its base.
    fn short_step(
        &mut self,
        def: Def<'a>,
        elem: ElemId,
        scope: NodeId,
    ) -> Option<(
        &'a [modeshift_syntax::ast::Argument],
        &'a modeshift_syntax::ast::Path,
        NodeId,
        &'a [Subscript],
    )> {
        if let Some(short) = def.short() {
            return Some((&short.modification, &short.base, scope, &short.dims));
        }
        if !is_derived_type(def) {
            return None;
        }
        let base = def
            .body()?
            .elements
            .iter()
            .find_map(|element| match element {
                Element::Extends(extends) => Some(extends),
                _ => None,
            })?;
        let first = base.base.parts.first()?.name;
        let found = self.lookup_name(scope, first)?;
        // Only if the base is a predefined type is the class one too.
        if found == elem || base.base.parts.len() == 1 && self.alias(found).is_none() {
            return None;
        }
        let target = self.lookup_class(scope, &base.base, def.text()?)?;
        self.alias(target)?;
        if self.builtins.get(&Name::new("ExternalObject")) == Some(&target) {
            return None;
        }
        Some((&base.modification, &base.base, scope, &[]))
    }

    fn target(&mut self, elem: ElemId, class: &ClassElem<'a>) -> Option<Target<'a>> {
        if class.def.is_error() {
            return None;
        }
        if let Def::Builtin(builtin) = class.def {
            return Some(Target::Basic(builtin_type(builtin)));
        }
        if let Some(literals) = class.def.enumeration() {
            let path = self.relative_path(elem);
            let literals = literals
                .unwrap_or_default()
                .iter()
                .map(|literal| literal.name.name)
                .collect();
            return Some(Target::Basic(Type::Enumeration(Arc::new(EnumType {
                path: path.as_ref().into(),
                literals,
            }))));
        }
        let inherited = match class.def {
            Def::Class(_, data) if matches!(data.spec, ClassSpec::Extends { .. }) => {
                class.original.clone()
            }
            _ => None,
        };
        Some(Target::Class {
            def: class.def,
            scope: class.scope,
            inherited,
        })
    }

    /// The node of a class that is used as a scope: a package, a function, a record's constructor.
    /// Made once per element; `None` when the class makes no sense.
    pub fn class_node(&mut self, elem: ElemId) -> Option<NodeId> {
        if let Some(node) = self.elem(elem).class_node {
            return Some(node);
        }
        let class = self.elem(elem).class()?.clone();
        let parent = self.elem(elem).node;
        let node = self.reserve_node(parent);
        self.elem_mut(elem).class_node = Some(node);
        let path = self.class_path(elem);
        self.node_mut(node).path = path;
        let Some(resolved) = self.resolve(elem, &class, node, None) else {
            // What it would have is not known.
            self.broken_bases.insert(node);
            return None;
        };
        if let Target::Class {
            def,
            scope,
            inherited,
        } = resolved.target
        {
            let slot = self.node_mut(node);
            slot.def = def;
            slot.parent = scope;
            slot.modifier = resolved.modifier;
            slot.inherited = inherited;
            if let Some(modifier) = self.node(node).modifier.clone() {
                self.check_modifier_targets(node, &modifier, true);
            }
        } else {
            self.node_mut(node).def = class.def;
            self.node_mut(node).parent = class.scope;
            self.node_mut(node).state = crate::node::State::Expanded;
        }
        Some(node)
    }

    /// The name of a class element by the instances it is reached through.
    pub fn class_path(&self, elem: ElemId) -> Arc<str> {
        let elem = self.elem(elem);
        let scope = &self.node(elem.node).path;
        if scope.is_empty() {
            return elem.name.as_str().into();
        }
        format!("{scope}.{}", elem.name).into()
    }

    /// The same without the name of the model that is instantiated.
    fn relative_path(&self, elem: ElemId) -> Arc<str> {
        let path = self.class_path(elem);
        let root = &self.node(self.root).path;
        match path
            .strip_prefix(&**root)
            .and_then(|rest| rest.strip_prefix('.'))
        {
            Some(rest) if !root.is_empty() => rest.into(),
            _ => path,
        }
    }

    /// The full name of a definition, as declared.
    pub fn def_name(&self, def: Def<'a>) -> String {
        match def {
            Def::Class(id, _) => join(&full_name(self.db, id)),
            Def::Short { def, .. } => def.name.name.to_string(),
            Def::Root => "the global scope".to_owned(),
            Def::Builtin(builtin) => format!("{builtin:?}"),
        }
    }

    /// Every name that a modifier mentions must exist in the class it modifies.
    pub(crate) fn check_modifier_targets(
        &mut self,
        node: NodeId,
        modifier: &Mod<'a>,
        inside: bool,
    ) {
        if self.node(node).def.is_error() || node == ROOT {
            return;
        }
        for (name, sub) in &modifier.subs {
            match self.lookup_member(node, *name) {
                None => {
                    if self.has_error_base(node) {
                        continue;
                    }
                    let class = self.def_name(self.node(node).def);
                    let mut diagnostic =
                        Diagnostic::new(Code::MS2006, format!("`{class}` has no element `{name}`"))
                            .label(sub.place, format!("there is no `{name}` to modify"));
                    if let Some(declared) = self.node(node).def.name_place() {
                        diagnostic = diagnostic.label(declared, "the class that is modified");
                    }
                    let similar = self.similar_member(node, *name, Wanted::Any);
                    if let Some(new) = self.renamed_element(node, *name) {
                        diagnostic = diagnostic.note(format!(
                            "`{name}` of an older version of the library is now `{new}`"
                        ));
                        if sub.begins_with_name() {
                            diagnostic =
                                replace(diagnostic, sub.name_place(*name), new.to_string());
                        }
                    } else if !similar.is_empty() {
                        diagnostic = sub.suggest(diagnostic, *name, &similar);
                    } else {
                        diagnostic = self.note_elements(diagnostic, node);
                    }
                    self.report(diagnostic);
                }
                Some(elem) if self.elem(elem).protected && !inside && sub.at != node => {
                    let mut diagnostic = Diagnostic::new(
                        Code::MS2009,
                        format!("`{name}` is protected and cannot be modified from outside"),
                    )
                    .label(sub.place, "modified here");
                    if let Some(declared) = self.elem(elem).place() {
                        diagnostic = diagnostic.label(declared, "declared in a protected section");
                    }
                    self.report(diagnostic);
                }
                Some(_) => {}
            }
        }
    }

    /// Whether something the class extends could not be found, so that elements may be missing for that reason.
    pub(crate) fn has_error_base(&mut self, node: NodeId) -> bool {
        if self.broken_bases.contains(&node) {
            return true;
        }
        self.expand(node);
        if self.is_external_object(node) {
            return false;
        }
        let extends = match self.node(node).def {
            Def::Class(_, data) => data.extends().count(),
            _ => 0,
        };
        let found = self.node(node).bases.len()
            - usize::from(self.node(node).inherited.is_some()).min(self.node(node).bases.len());
        extends > found
            || self
                .node(node)
                .bases
                .clone()
                .into_iter()
                .any(|base| self.has_error_base(base))
    }
}

/// Whether a long class might be a derived type: `type T extends Real(...); end T;`.
fn is_derived_type(def: Def<'_>) -> bool {
    matches!(
        def.kind(),
        ClassKind::Type | ClassKind::Connector | ClassKind::Class
    ) && def.body().is_some_and(|body| {
        let count = body
            .elements
            .iter()
            .filter(|it| matches!(it, Element::Extends(_)))
            .count();
        let other = body
            .elements
            .iter()
            .any(|it| matches!(it, Element::Component(_)));
        count == 1 && !other && body.sections.is_empty()
    })
}

pub(crate) fn builtin_type(builtin: Builtin) -> Type {
    match builtin {
        Builtin::Real => Type::Real,
        Builtin::Integer => Type::Integer,
        Builtin::Boolean => Type::Boolean,
        Builtin::String => Type::String,
        Builtin::Clock => Type::Clock,
        Builtin::ExternalObject => Type::External("ExternalObject".into()),
        Builtin::StateSelect => predefined_enumeration(
            "StateSelect",
            &["never", "avoid", "default", "prefer", "always"],
        ),
        Builtin::AssertionLevel => predefined_enumeration("AssertionLevel", &["warning", "error"]),
    }
}

fn predefined_enumeration(path: &str, literals: &[&str]) -> Type {
    Type::Enumeration(Arc::new(EnumType {
        path: path.into(),
        literals: literals.iter().map(|name| Name::new(name)).collect(),
    }))
}

pub(crate) fn join(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(".")
}
