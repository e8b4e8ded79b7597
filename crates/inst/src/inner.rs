//! The `inner` component that an `outer` one stands for (Modelica 3.6 §5.4); one is made when there is none.

use crate::component::merged_prefixes;
use crate::cx::Cx;
use crate::node::{CompDecl, CompElem, Condition, Elem, ElemId, ElemKind, NodeId, Progress};
use crate::tree::{ComponentId, Place};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic, Severity};

impl<'a> Cx<'_, 'a> {
    /// The `inner` component that an `outer` one stands for; one is made when there is none.
    pub(crate) fn find_inner(&mut self, elem: ElemId, decl: &CompDecl<'a>) -> Option<ComponentId> {
        let name = decl.name.name;
        let mut home = self.elem(elem).node;
        if self.is_function_node(home) {
            // That it stands in a function is what is told.
            return None;
        }
        while let Some(owner) = self.node(home).owner {
            home = self.elem(owner).node;
            let scope = self.derived_most(home);
            if let Some(found) = self.lookup_member(scope, name)
                && found != elem
                && let Some(comp) = self.elem(found).component()
                && merged_prefixes(&comp.decl, comp.original.as_deref().map(|it| &it.0)).inner
            {
                return self.component(found);
            }
        }
        self.generate_inner(elem, decl)
    }

    fn generate_inner(&mut self, elem: ElemId, decl: &CompDecl<'a>) -> Option<ComponentId> {
        let name = decl.name.name;
        if let Some(&made) = self.generated.get(&name) {
            return self.component(made);
        }
        let other = self
            .lookup_member(self.root, name)
            .filter(|&other| other != elem);
        if let Some(other) = other {
            let mut diagnostic = Diagnostic::new(
                Code::MS2016,
                format!("`outer {name}` has no `inner {name}` around it: the `{name}` there is not `inner`"),
            )
            .with_severity(Severity::Error)
            .label(decl.place(), "declared outer");
            if let Some(place) = self.elem(other).place() {
                diagnostic = diagnostic
                    .label(place, "declared without `inner`")
                    .note(format!(
                        "write `inner` at the beginning of the declaration of `{name}`"
                    ));
            }
            self.report(diagnostic);
            return None;
        }
        let made = self.make_inner(elem, decl)?;
        let id = self.component(made)?;
        self.out.components[id].generated = true;
        self.tell_no_inner(elem, decl, id);
        Some(id)
    }

    /// The declaration of an `outer` component as one of an `inner` component of the model.
    fn make_inner(&mut self, elem: ElemId, decl: &CompDecl<'a>) -> Option<ElemId> {
        let scope = self.elem(elem).component()?.scope;
        let mut new = *decl;
        new.prefixes.outer = false;
        new.prefixes.inner = true;
        let comp = CompElem {
            decl: new,
            scope,
            modifier: None,
            original: None,
            constraint: None,
            condition: Condition::of(&new, scope),
            element: None,
            instance: Progress::Todo,
        };
        let name = decl.name.name;
        let root = self.root;
        let made = self.add_elem(Elem {
            name,
            node: root,
            protected: false,
            kind: ElemKind::Component(comp),
            class_node: None,
        });
        self.generated.insert(name, made);
        self.generated_order.push(made);
        Some(made)
    }

    fn tell_no_inner(&mut self, elem: ElemId, decl: &CompDecl<'a>, made: ComponentId) {
        let name = decl.name.name;
        let node = self.info(made).node;
        let partial = self.info(made).partial;
        let class = node.map(|node| self.def_name(self.node(node).def));
        let mut diagnostic = Diagnostic::new(Code::MS2016, crate::unknown::no_inner(name))
            .with_severity(match partial {
                true => Severity::Error,
                false => Severity::Warning,
            });
        if let Some(place) = self.component_of_model(elem) {
            diagnostic = diagnostic.label(place, format!("contains `outer {name}`"));
        }
        diagnostic = diagnostic.label(decl.place(), "declared outer");
        if let Some((other, place)) = node.and_then(|node| self.inner_that_fits(node)) {
            diagnostic = diagnostic
                .label(place, format!("`inner {other}` fits, but has another name"))
                .note(format!(
                    "an `inner` and its `outer` component have the same name: call it `{name}` instead of `{other}`"
                ));
            return self.report(diagnostic);
        }
        self.report(match class {
            Some(class) if partial => diagnostic.note(format!(
                "declare an `inner` component `{name}` in the model, of a class that extends the partial class `{class}`"
            )),
            class => diagnostic
                .note("an `inner` of the same type with its default values is added to the model")
                .note(match class {
                    Some(class) => {
                        format!("declare `inner {class} {name};` in the model to choose its parameters")
                    }
                    None => format!("declare `inner` `{name}` in the model to choose its parameters"),
                }),
        });
    }

    /// An `inner` component of the model whose class is this one or extends it, if there is only one.
    fn inner_that_fits(&mut self, class: NodeId) -> Option<(Name, Place)> {
        let wanted = self.node(class).def;
        let mut parts = Vec::new();
        self.collect_components(self.root, &mut parts);
        let mut found = Vec::new();
        for part in parts {
            let Some(comp) = self.elem(part).component() else {
                continue;
            };
            let (decl, scope) = (comp.decl, comp.scope);
            if !decl.prefixes.inner || self.generated_order.contains(&part) {
                continue;
            }
            let fits = self.quietly(|cx| {
                let own = cx.lookup_class(scope, decl.type_name, decl.text)?;
                let own = cx.class_node(own)?;
                Some(cx.extends_def(own, wanted, 0))
            });
            if fits.0 == Some(true) {
                found.push((decl.name.name, decl.place()));
            }
        }
        match found[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Where the model declares the component that an element is in.
    fn component_of_model(&self, elem: ElemId) -> Option<Place> {
        let mut owner = self.node(self.elem(elem).node).owner?;
        while let Some(next) = self.node(self.elem(owner).node).owner {
            owner = next;
        }
        self.elem(owner).place()
    }
}
