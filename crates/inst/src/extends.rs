//! Rules for `extends` clauses: base classes that nobody can change (Modelica 3.6 §7.1.4), names of base classes that
//! mean the same with and without what is inherited (§7.1), and what selective extension takes away (3.7, §7.4).

use crate::cx::{Cx, ROOT};
use crate::modifier::{Break, Mod};
use crate::node::{Def, NodeId};
use crate::tree::{Place, place_of};
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic};
use modeshift_hir::ClassId;
use modeshift_syntax::ast::{ComponentRef, Equation, EquationKind, Ident, Path, SectionKind};

impl<'a> Cx<'_, 'a> {
    /// No class on the way to a base class may be replaceable.
    pub(crate) fn check_base_path(&mut self, node: NodeId, path: &Path, place: Place) {
        let Some((first, rest)) = path.parts.split_first() else {
            return;
        };
        let start = if path.global {
            self.lookup_member(ROOT, first.name)
        } else {
            self.lookup_name(node, first.name)
        };
        let Some(mut at) = start else { return };
        for part in rest {
            self.check_base_not_replaceable(at, place);
            let next = self
                .inside(at)
                .and_then(|inside| self.lookup_member(inside, part.name));
            match next {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    /// What extends an array, or a class with a prefix like `input`, is that and has nothing else (§7.1.3).
    pub(crate) fn check_only_base(&mut self, node: NodeId, place: Place, array: bool) {
        let Def::Class(_, data) = self.node(node).def else {
            return;
        };
        if data.extends().count() == 1 && data.components().next().is_none() {
            return;
        }
        let what = if array {
            "an array"
        } else {
            "a class with a prefix"
        };
        let mut diagnostic = Diagnostic::new(
            Code::MS2015,
            format!("a class that extends {what} cannot have other elements"),
        )
        .label(place, what);
        if let Some(own) = self.node(node).def.name_place() {
            diagnostic = diagnostic.label(own, "has other elements");
        }
        self.report(diagnostic);
    }

    /// The name of a base class must not be one of the names that are inherited.
    pub(crate) fn check_base_names(&mut self, node: NodeId, def: Def<'a>) {
        let Def::Class(id, data) = def else { return };
        for extends in data.extends() {
            let Some(first) = extends.base.parts.first() else {
                continue;
            };
            if extends.base.global || data.element(first.name).is_some() {
                continue;
            }
            let Some(inherited) = self.inherited(node, first.name) else {
                continue;
            };
            let outside = self.lookup_outside(node, first.name);
            let declared = self.elem(inherited).place();
            if outside.is_some_and(|outside| self.elem(outside).place() == declared) {
                continue;
            }
            let mut diagnostic = Diagnostic::new(
                Code::MS2015,
                format!(
                    "`{}` cannot be the name of a base class here, because it is also inherited",
                    first.name
                ),
            )
            .label(place_of(id, extends.base.span), "extended here");
            if let Some(declared) = declared {
                diagnostic = diagnostic.label(declared, "inherited");
            }
            self.report(diagnostic.note(
                "What a class inherits cannot depend on what it inherits. Use the full name of the base class.",
            ));
        }
    }

    /// What a name means for somebody who sees the imports of a class and the scopes around it, not its elements.
    fn lookup_outside(&mut self, node: NodeId, name: Name) -> Option<crate::node::ElemId> {
        if let Some(found) = self.lookup_import(node, name) {
            return Some(found);
        }
        if node == ROOT || self.node(node).def.encapsulated() {
            return None;
        }
        self.lookup_name(self.node(node).parent, name)
    }

    /// Whether a class would extend a class that it stands in: that one has it as an element, which extends it again.
    pub(crate) fn extends_enclosing(&mut self, node: NodeId, def: Def<'a>, place: Place) -> bool {
        let mut at = node;
        while at != ROOT {
            at = self.node(at).parent;
            if matches!(def, Def::Class(..)) && self.node(at).def.same(def) {
                let name = self.def_name(def);
                self.error(
                    Code::MS2012,
                    place,
                    format!("a class inside `{name}` cannot extend `{name}`"),
                    "extends a class around it",
                );
                return true;
            }
        }
        false
    }

    /// Takes away what selective extension names; it must be there, and be a component or a connection.
    pub(crate) fn remove_broken(&mut self, base: NodeId, modifier: &Mod<'a>) {
        for broken in &modifier.breaks {
            self.expand(base);
            match broken {
                Break::Component(name) => match self.lookup_member(base, name.name) {
                    None => self.unknown_in(base, name, modifier.text),
                    Some(elem) if self.elem(elem).component().is_none() => {
                        self.broken_is_no_component(name, modifier.text);
                    }
                    Some(_) => self.replace_in_bases(base, name.name, None),
                },
                Break::Connect(from, to) => {
                    if !self.has_connect(base, from, to) {
                        let text = format!(
                            "connect({}, {})",
                            crate::print::reference(from),
                            crate::print::reference(to)
                        );
                        let class = self.def_name(self.node(base).def);
                        self.error(
                            Code::MS2006,
                            place_of(modifier.text, from.span),
                            format!("`{class}` has no `{text}` to take away"),
                            "no such connection is inherited",
                        );
                    }
                }
            }
        }
    }

    pub(crate) fn broken_is_no_component(&mut self, name: &Ident, text: ClassId) {
        self.error(
            Code::MS2006,
            place_of(text, name.span),
            format!(
                "`{}` is no component: `break` takes components and connections away",
                name.name
            ),
            "not a component",
        );
    }

    /// Whether the text of the class or of one it extends has the connection.
    fn has_connect(&self, node: NodeId, from: &ComponentRef, to: &ComponentRef) -> bool {
        let own = self.node(node).def.body().is_some_and(|body| {
            body.sections.iter().any(|section| match &section.kind {
                SectionKind::Equations(equations) => connects(equations, from, to),
                SectionKind::Algorithm(_) => false,
            })
        });
        own || self
            .node(node)
            .bases
            .iter()
            .any(|&base| self.has_connect(base, from, to))
    }
}

/// Whether one of the equations connects the two, in this order or the other.
fn connects(equations: &[Equation], a: &ComponentRef, b: &ComponentRef) -> bool {
    let same = |a: &ComponentRef, b: &ComponentRef| {
        crate::print::reference(a) == crate::print::reference(b)
    };
    equations.iter().any(|equation| match &equation.kind {
        EquationKind::Connect { from, to } => {
            same(a, from) && same(b, to) || same(a, to) && same(b, from)
        }
        EquationKind::For { body, .. } => connects(body, a, b),
        EquationKind::If { branches, else_ } => {
            branches.iter().any(|branch| connects(&branch.body, a, b))
                || else_.as_ref().is_some_and(|body| connects(body, a, b))
        }
        _ => false,
    })
}
