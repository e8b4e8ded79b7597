//! Which classes a name may lead through (Modelica 3.6 §5.3.2): `A.B` looks into a package, and into other classes for
//! what is encapsulated there; never into a partial class.

use crate::cx::Cx;
use crate::node::{ElemId, ElemKind, Item, NodeId};
use crate::tree::Place;
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{ClassKind, VariabilityPrefix};

impl Cx<'_, '_> {
    /// Holds `class.member`, found as `member` in `node`, to these rules.
    pub(crate) fn check_looked_into(
        &mut self,
        class: ElemId,
        node: NodeId,
        member: ElemId,
        place: Place,
    ) {
        let Some(found) = self.elem(class).class() else {
            return;
        };
        let def = self.node(node).def;
        let (replaceable, name) = (found.def.prefixes().replaceable, self.elem(class).name);
        // What a replaceable class will be in the end is not known yet.
        let open = replaceable || found.original.is_some();
        let wanted = self.elem(member).name;
        if def.partial() && !open && matches!(self.elem(member).kind, ElemKind::Component(_)) {
            let mut diagnostic = Diagnostic::new(
                Code::MS2051,
                format!("`{wanted}` cannot be taken from `{name}`, because `{name}` is partial"),
            )
            .label(place, "an element of a partial class");
            if let Some(declared) = def.name_place() {
                diagnostic = diagnostic.label(declared, "declared partial");
            }
            self.report(diagnostic.note("A partial class may lack what it needs: take the element from a class that extends it."));
            return;
        }
        if self.is_encapsulated(member) || self.is_package_like(node, 0) {
            return;
        }
        let kind = def.kind().as_str();
        let mut diagnostic = Diagnostic::new(
            Code::MS2050,
            format!("`{wanted}` cannot be named through `{name}`, because `{name}` is a {kind} and not a package"),
        )
        .label(place, "inside a class that is not a package");
        if let Some(declared) = self.elem(member).place() {
            diagnostic = diagnostic.label(declared, format!("`{wanted}` is declared here"));
        }
        self.report(diagnostic.note(format!(
            "Only elements that are `encapsulated` can be used outside a {kind} like this; others belong into a package."
        )));
    }

    fn is_encapsulated(&self, elem: ElemId) -> bool {
        let class = self.elem(elem).class();
        class.is_some_and(|class| class.def.encapsulated())
    }

    /// Whether the class has classes and constants only. Linear in its elements.
    fn is_package_like(&mut self, node: NodeId, depth: u32) -> bool {
        let def = self.node(node).def;
        if matches!(def.kind(), ClassKind::Package | ClassKind::Operator) || depth > 32 {
            return true;
        }
        if def.body().is_some_and(|body| !body.sections.is_empty()) {
            return false;
        }
        self.expand(node);
        for item in self.node(node).items.clone() {
            let fine = match item {
                Item::Base(base) => self.is_package_like(base, depth + 1),
                Item::Component(elem) => self.elem(elem).component().is_some_and(|component| {
                    let prefix = component.decl.type_prefix.variability;
                    prefix == Some(VariabilityPrefix::Constant)
                }),
            };
            if !fine {
                return false;
            }
        }
        true
    }
}
