//! Redeclaration (Modelica 3.6 §7.3): elements that take the place of inherited ones.

use crate::cx::Cx;
use crate::expand::{Later, without_redeclare};
use crate::modifier::{Mod, ModError, ModSite, Redeclare, RedeclareKind, merge};
use crate::node::{ClassElem, CompDecl, Def, Elem, ElemKind, Item, NodeId};
use crate::tree::Place;
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::{ClassId, ClassSpec};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    pub(crate) fn redeclare_elements(&mut self, node: NodeId, later: &[Later<'a>], text: ClassId) {
        for step in later {
            match step {
                Later::Extends(..) => {}
                Later::RedeclareComponent(component) => {
                    let decl = CompDecl::from_class(component, text);
                    self.redeclare_component(node, decl, component.protected);
                }
                Later::RedeclareClass(id, name) => self.redeclare_class(node, *id, *name),
            }
        }
    }

    /// Applies the modifier of `node` for `name`, a redeclaration maybe, to a class element.
    pub(crate) fn modified_class(
        &mut self,
        node: NodeId,
        name: Name,
        own: ClassElem<'a>,
    ) -> ClassElem<'a> {
        let Some(outer) = self
            .node(node)
            .modifier
            .as_ref()
            .and_then(|outer| outer.sub(name))
            .cloned()
        else {
            return own;
        };
        if let (Some(again), Some(first)) = (outer.redeclare, outer.replaced) {
            self.redeclared_again.push((again, first));
        }
        let prefixes = own.def.prefixes();
        if prefixes.outer
            && !prefixes.inner
            && let Some(declared) = own.def.name_place()
        {
            let diagnostic = Diagnostic::new(
                Code::MS2006,
                format!("`{name}` is outer and cannot be modified"),
            )
            .label(outer.place, "modified here")
            .label(declared, "declared outer")
            .note("Modify the `inner` class that it stands for.");
            self.report(diagnostic);
        }
        let mut errors = Vec::new();
        let result = match outer.redeclare {
            Some(Redeclare {
                kind: RedeclareKind::Class { def, text },
                scope,
                place,
                redeclare,
                ..
            }) => {
                if let Some(declared) = own.def.name_place() {
                    let prefixes = own.def.prefixes();
                    if redeclare && declared != crate::tree::place_of(text, def.name.span) {
                        self.check_replaceable(
                            prefixes.replaceable,
                            prefixes.final_,
                            name,
                            place,
                            declared,
                        );
                    }
                }
                let constraining = self.constraining_modifier(&own, node, &mut errors);
                ClassElem {
                    def: Def::Short { def, text },
                    scope,
                    modifier: Some(without_redeclare(outer)),
                    constraining,
                    original: Some(Arc::new(own)),
                }
            }
            Some(Redeclare {
                kind: RedeclareKind::Component(_),
                place,
                ..
            }) => {
                if let Some(declared) = own.def.name_place() {
                    self.redeclared_as_other(name, place, declared, "a class", "a component");
                }
                own
            }
            None => {
                if own.def.prefixes().final_
                    && let Some(declared) = own.def.name_place()
                {
                    errors.push(ModError::Final {
                        name,
                        outer: outer.place,
                        inner: declared,
                    });
                }
                ClassElem {
                    modifier: Some(outer),
                    ..own
                }
            }
        };
        self.report_mod_errors(errors);
        result
    }

    /// The modifiers that every redeclaration of a class has to keep.
    pub(crate) fn constraining_modifier(
        &mut self,
        class: &ClassElem<'a>,
        at: NodeId,
        errors: &mut Vec<ModError>,
    ) -> Option<Arc<Mod<'a>>> {
        let text = class.def.text()?;
        let site = ModSite {
            scope: class.scope,
            at,
            text,
        };
        match class.def.constrained_by() {
            Some(clause) => Mod::of_arguments(&clause.modification, site, errors),
            None => Mod::of_arguments(&class.def.short()?.modification, site, errors),
        }
    }

    /// Whether both declarations have the same class.
    pub(crate) fn same_type(
        &mut self,
        a: &CompDecl<'a>,
        a_scope: NodeId,
        b: &CompDecl<'a>,
        b_scope: NodeId,
    ) -> bool {
        let (a, b) = self
            .quietly(|cx| {
                let a = cx.lookup_class(a_scope, a.type_name, a.text);
                (a, cx.lookup_class(b_scope, b.type_name, b.text))
            })
            .0;
        match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = (
                    self.elem(a).class().map(|it| it.def),
                    self.elem(b).class().map(|it| it.def),
                );
                a.zip(b).is_some_and(|(a, b)| a.same(b))
            }
            _ => false,
        }
    }

    /// Whether something may be redeclared; if not, that is reported.
    pub(crate) fn check_replaceable(
        &mut self,
        replaceable: bool,
        final_: bool,
        name: Name,
        place: Place,
        declared: Place,
    ) -> bool {
        if replaceable && !final_ {
            return true;
        }
        let why = if final_ { "final" } else { "not replaceable" };
        let note = match final_ {
            true => "a `final` declaration cannot be replaced where the class is used".to_owned(),
            false => format!("if the class is yours, declare `{name}` with `replaceable`"),
        };
        self.report(
            Diagnostic::new(
                Code::MS2010,
                format!("`{name}` cannot be redeclared, because it is {why}"),
            )
            .label(place, "redeclared here")
            .label(declared, format!("declared here, {why}"))
            .note(note),
        );
        false
    }

    pub(crate) fn redeclared_as_other(
        &mut self,
        name: Name,
        place: Place,
        declared: Place,
        is: &str,
        as_: &str,
    ) {
        self.report(
            Diagnostic::new(
                Code::MS2011,
                format!("`{name}` is {is} and cannot be redeclared as {as_}"),
            )
            .label(place, format!("redeclared as {as_}"))
            .label(declared, format!("declared as {is}")),
        );
    }

    pub(crate) fn redeclare_component(
        &mut self,
        node: NodeId,
        decl: CompDecl<'a>,
        protected: bool,
    ) {
        let name = decl.name.name;
        let Some(old) = self.inherited(node, name) else {
            self.nothing_to_redeclare(name, decl.place());
            return;
        };
        let (original, constraint, condition) = match &self.elem(old).kind {
            ElemKind::Component(comp) => {
                let original = match &comp.original {
                    // A modifier that redeclares it from outside redeclares this redeclaration, not what it replaces.
                    Some(first) if comp.scope != self.elem(old).node => first.clone(),
                    _ => Arc::new((comp.decl, comp.scope)),
                };
                (original, comp.constraint.clone(), comp.condition)
            }
            ElemKind::Class(class) => {
                if let Some(declared) = class.def.name_place() {
                    self.redeclared_as_other(
                        name,
                        decl.place(),
                        declared,
                        "a class",
                        "a component",
                    );
                }
                return;
            }
        };
        let prefixes = original.0.prefixes;
        self.check_replaceable(
            prefixes.replaceable,
            prefixes.final_,
            name,
            decl.place(),
            original.0.place(),
        );
        self.check_redeclared_component(&decl, &original.0);
        let own_clause = original.0.constrained_by.is_some();
        self.check_redeclared_section(
            name,
            decl.place(),
            protected,
            old,
            self.node(node).protected,
        );
        let outer_of_old = self
            .elem(old)
            .component()
            .and_then(|comp| comp.modifier.clone());
        let elem = self.component_element(node, decl, protected, Some(original));
        if let ElemKind::Component(comp) = &mut self.elem_mut(elem).kind {
            comp.condition = condition.or(comp.condition);
            if let Some(first) = constraint.filter(|_| !own_clause) {
                comp.constraint = Some(first);
            }
        }
        // A modifier of the `extends` clause reaches the redeclared element too.
        let extends_value = outer_of_old.filter(|modifier| modifier.at == node);
        if let (Some(outer), ElemKind::Component(comp)) = (extends_value, &self.elem(elem).kind) {
            let merged = merge(Some(&outer), comp.modifier.as_ref(), &mut Vec::new());
            if let ElemKind::Component(comp) = &mut self.elem_mut(elem).kind {
                comp.modifier = merged;
            }
        }
        self.node_mut(node).members.insert(name, Some(elem));
        self.node_mut(node).items.push(Item::Component(elem));
        for base in self.node(node).bases.clone() {
            self.replace_in_bases(base, name, Some(elem));
        }
    }

    pub(crate) fn redeclare_class(&mut self, node: NodeId, id: ClassId, name: Name) {
        let data = self.class_data(id);
        let place = crate::tree::place_of(id, data.name.span);
        let Some(old) = self.inherited(node, name) else {
            self.nothing_to_redeclare(name, place);
            return;
        };
        let Some(original) = self.elem(old).class().cloned() else {
            if let Some(declared) = self.elem(old).place() {
                self.redeclared_as_other(name, place, declared, "a component", "a class");
            }
            return;
        };
        self.check_redeclared_section(name, place, data.protected, old, self.node(node).protected);
        let class_extends = matches!(data.spec, ClassSpec::Extends { .. });
        if class_extends && !data.prefixes.redeclare {
            self.redeclare_missing(name, place, &original);
        }
        // A class that was extended in this way once can be extended again, as other tools have it.
        let extended_again = class_extends
            && matches!(original.def, Def::Class(_, data) if matches!(data.spec, ClassSpec::Extends { .. }));
        // A modifier that redeclares it from outside redeclares this redeclaration, not what it replaces.
        let replaced = match (&original.def, &original.original) {
            (Def::Short { .. }, Some(first)) => first.def,
            _ => original.def,
        };
        if let Some(declared) = replaced.name_place().filter(|_| !extended_again) {
            let prefixes = replaced.prefixes();
            self.check_replaceable(prefixes.replaceable, prefixes.final_, name, place, declared);
        }
        let mut errors = Vec::new();
        let constraining = self.constraining_modifier(&original, node, &mut errors);
        self.report_mod_errors(errors);
        let own = ClassElem {
            def: Def::Class(id, data),
            scope: node,
            modifier: None,
            constraining,
            original: Some(Arc::new(original)),
        };
        let class = self.modified_class(node, name, own);
        let compared = !class_extends && crate::subtype::is_compared(&class);
        let elem = self.add_elem(Elem {
            name,
            node,
            protected: data.protected,
            kind: ElemKind::Class(class),
            class_node: None,
        });
        if compared {
            self.redeclared.push(elem);
        }
        self.node_mut(node).members.insert(name, Some(elem));
        for base in self.node(node).bases.clone() {
            self.lookup_member(base, name);
            self.replace_in_bases(base, name, Some(elem));
        }
    }

    /// `model extends M` is read as the redeclaration it was before Modelica 3.4, as other tools read it.
    fn redeclare_missing(&mut self, name: Name, place: Place, original: &ClassElem<'a>) {
        let message = format!("`extends {name}` is missing the word `redeclare`");
        let mut diagnostic = Diagnostic::new(Code::MS0018, message)
            .label(place, "extends an inherited class of the same name")
            .note("The class replaces the inherited one, also where it was used before: write `redeclare` in front of it.");
        if let Some(declared) = original.def.name_place() {
            diagnostic = diagnostic.label(declared, "the inherited class");
        }
        self.report(diagnostic);
    }

    pub(crate) fn nothing_to_redeclare(&mut self, name: Name, place: Place) {
        self.report(
            Diagnostic::new(Code::MS2010, format!("there is no inherited `{name}` to redeclare"))
                .label(place, "redeclared here")
                .note("An element can be redeclared in a class that inherits it. Drop `redeclare` to declare a new one."),
        );
    }
}
