//! Rules about which classes may be used where.

use crate::cx::Cx;
use crate::modifier::Mod;
use crate::node::{CompDecl, ElemId, NodeId};
use crate::tree::Place;
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_syntax::ast::{Binding, ClassKind, TypePrefix};
use std::sync::Arc;

impl<'a> Cx<'_, 'a> {
    /// Components cannot be packages, nor functions outside functions.
    pub(crate) fn check_component_kind(
        &mut self,
        elem: ElemId,
        decl: &CompDecl<'a>,
        kind: ClassKind,
        place: Place,
    ) {
        let in_function = self.is_function_node(self.elem(elem).node);
        let bad = match kind {
            ClassKind::Package | ClassKind::Operator => true,
            ClassKind::Function | ClassKind::OperatorFunction => !in_function,
            // A function computes with values.
            ClassKind::Model | ClassKind::Block => in_function,
            _ => false,
        };
        if bad {
            let message = format!(
                "`{}` cannot be a component of a {}{}",
                decl.name.name,
                kind.as_str(),
                if in_function { " in a function" } else { "" }
            );
            self.error(Code::MS2015, place, message, format!("a {}", kind.as_str()));
        }
    }

    /// Which kind of class may extend which (Modelica 3.6 §7.1.3).
    pub(crate) fn check_base_kind(&mut self, node: NodeId, base: NodeId, place: Place) {
        use ClassKind as K;
        let (own, other) = (self.node(node).def.kind(), self.node(base).def.kind());
        let fine = match own {
            _ if own == other || other == K::Class || own == K::Class => true,
            K::Model => matches!(other, K::Block | K::Record),
            K::Block => matches!(other, K::Record),
            K::Connector | K::ExpandableConnector => matches!(
                other,
                K::Record | K::Connector | K::Type | K::OperatorRecord
            ),
            K::Function | K::OperatorFunction => matches!(other, K::Function | K::OperatorFunction),
            K::OperatorRecord => other == K::Record,
            K::Record => other == K::OperatorRecord,
            _ => false,
        };
        // A class without contents, like an icon, can be extended by everything.
        let empty = self.node(base).def.body().is_some_and(|body| {
            body.sections.is_empty()
                && !body.elements.iter().any(|element| {
                    matches!(
                        element,
                        modeshift_hir::Element::Component(_) | modeshift_hir::Element::Class(_)
                    )
                })
        });
        if fine || empty {
            return;
        }
        let mut diagnostic = Diagnostic::new(
            Code::MS2015,
            format!("a {} cannot extend a {}", own.as_str(), other.as_str()),
        )
        .label(place, format!("a {}", other.as_str()));
        if let Some(declared) = self.node(base).def.name_place() {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        self.report(diagnostic);
    }

    /// A base class must be settled: nobody may replace it afterwards (Modelica 3.6 §7.1.4).
    pub(crate) fn check_base_not_replaceable(&mut self, elem: ElemId, place: Place) {
        let Some(class) = self.elem(elem).class() else {
            return;
        };
        let replaceable = class.def.prefixes().replaceable;
        if !replaceable {
            return;
        }
        let name = self.elem(elem).name;
        let mut diagnostic = Diagnostic::new(
            Code::MS2015,
            format!("`{name}` is replaceable and cannot be a base class"),
        )
        .label(place, "extended here");
        if let Some(declared) = self.elem(elem).place() {
            diagnostic = diagnostic.label(declared, "declared replaceable");
        }
        self.report(
            diagnostic.note("What a class inherits must not depend on later redeclarations."),
        );
    }

    /// A class around an operator record is not extended (Modelica 3.6 §4.7): there would be two records with the same
    /// operators.
    pub(crate) fn check_no_operator_records(&mut self, base: NodeId, place: Place) {
        let body = self.node(base).def.body();
        let nested = body.into_iter().flat_map(|body| &body.elements);
        let ids: Vec<modeshift_hir::ClassId> = nested
            .filter_map(|element| match element {
                modeshift_hir::Element::Class(class) => Some(class.id),
                _ => None,
            })
            .collect();
        for id in ids {
            let data = self.class_data(id);
            if data.kind != ClassKind::OperatorRecord || data.body().is_none() {
                continue;
            }
            let name = data.name.name;
            let diagnostic = Diagnostic::new(
                Code::MS2015,
                format!("a class with the operator record `{name}` cannot be extended"),
            )
            .label(place, "extended here")
            .label(
                crate::tree::place_of(id, data.name.span),
                "the operator record",
            );
            self.report(diagnostic);
            return;
        }
    }

    /// An `outer` component only refers to the `inner` one, which is where it can be modified.
    pub(crate) fn check_outer(
        &mut self,
        decl: &CompDecl<'a>,
        modifier: Option<&Mod<'a>>,
        home: NodeId,
    ) {
        let name = decl.name.name;
        if let Some(modifier) = modifier {
            let diagnostic = Diagnostic::new(
                Code::MS2006,
                format!("`{name}` is outer and cannot be modified"),
            )
            .label(modifier.place, "modified here")
            .label(decl.place(), "declared outer")
            .note("Modify the `inner` component that it stands for.");
            self.report(diagnostic);
        }
        if self.node(home).owner.is_none() && self.derived_most(home) == self.root {
            let diagnostic = Diagnostic::new(
                Code::MS2016,
                format!("`{name}` is outer, but there is nothing around the model that could be its inner"),
            )
            .with_severity(Severity::Error)
            .label(decl.place(), "an outer component of the model itself");
            self.report(diagnostic);
        }
    }

    /// `input` and `flow` can be given by the declaration or by its type, not by both.
    pub(crate) fn check_prefix_conflict(&mut self, decl: &CompDecl<'a>, of_type: TypePrefix) {
        let own = decl.type_prefix;
        let what = match (own.causality, of_type.causality, own.flow, of_type.flow) {
            (Some(a), Some(b), _, _) if a != b => "input or output",
            (_, _, Some(a), Some(b)) if a != b => "flow or stream",
            _ => return,
        };
        let place = self.place(decl.text, decl.type_name.span);
        let diagnostic = Diagnostic::new(
            Code::MS2045,
            format!(
                "`{}` is declared {what}, but its type already is",
                decl.name.name
            ),
        )
        .label(decl.place(), "given here")
        .label(place, "the type has such a prefix");
        self.report(diagnostic);
    }

    /// Records and connectors have no protected elements (Modelica 3.6 §4.7).
    pub(crate) fn check_protected_element(&mut self, node: NodeId, place: Place) {
        let kind = self.node(node).def.kind();
        if matches!(
            kind,
            ClassKind::Connector
                | ClassKind::ExpandableConnector
                | ClassKind::Record
                | ClassKind::OperatorRecord
        ) {
            let message = format!("a {} cannot have protected elements", kind.as_str());
            self.error(Code::MS2015, place, message, "in a protected section");
        }
    }

    /// An element that is inherited twice must be the same both times.
    pub(crate) fn check_identical(&mut self, first: ElemId, second: ElemId) {
        let (Some(a), Some(b)) = (self.elem(first).component(), self.elem(second).component())
        else {
            return;
        };
        let (of_a, of_b) = (a.modifier.clone(), b.modifier.clone());
        let (a, b) = (a.decl, b.decl);
        let same_text = a.place() == b.place() || declaration(&a) == declaration(&b);
        if same_text && modified(of_a.as_deref()) == modified(of_b.as_deref()) {
            return;
        }
        if same_text {
            let place = |modifier: Option<Arc<Mod<'a>>>, decl: &CompDecl<'a>| {
                modifier.map_or(decl.place(), |modifier| modifier.place)
            };
            let diagnostic = Diagnostic::new(
                Code::MS2005,
                format!(
                    "`{}` is inherited twice, and modified differently",
                    a.name.name
                ),
            )
            .label(place(of_b, &b), "once like this")
            .label(place(of_a, &a), "once like this")
            .note("An element that comes from several classes must be the same in all of them.");
            self.report(diagnostic);
            return;
        }
        // Attributes that differ are one tool's matter of taste, values are not.
        let severity = if value_declaration(&a) == value_declaration(&b) {
            Severity::Warning
        } else {
            Severity::Error
        };
        let diagnostic = Diagnostic::new(
            Code::MS2005,
            format!("`{}` is declared twice, and differently", a.name.name),
        )
        .with_severity(severity)
        .label(a.place(), format!("here as `{}`", declaration(&a)))
        .label(b.place(), format!("here as `{}`", declaration(&b)))
        .note("An element that comes from several classes must be declared in the same way in all of them.");
        let inherited = format!(
            "`{0}` is inherited: to change it, modify it in the `extends` clause, `extends …({0}(…))`",
            a.name.name
        );
        let diagnostic = match a.text != b.text {
            true => diagnostic.note(inherited),
            false => diagnostic,
        };
        self.report(diagnostic);
    }
}

/// The value that a modifier gives an element, for comparison.
fn modified(modifier: Option<&Mod<'_>>) -> Option<String> {
    let value = modifier?.value?.exp?;
    Some(crate::print::expr(value))
}

/// The declaration in one line, for comparison and for messages.
fn declaration(decl: &CompDecl<'_>) -> String {
    let mut text = head(decl);
    if let Some(modification) = decl.modification {
        text += &crate::print::modification(modification);
    }
    text
}

/// The declaration without attributes.
fn value_declaration(decl: &CompDecl<'_>) -> String {
    let mut text = head(decl);
    if let Some(Binding::Expr(value)) = decl.modification.and_then(|it| it.binding.as_ref()) {
        text += &crate::print::expr(value);
    }
    text
}

fn head(decl: &CompDecl<'_>) -> String {
    let mut text = String::new();
    if let Some(prefix) = decl.type_prefix.variability {
        text += match prefix {
            modeshift_syntax::ast::VariabilityPrefix::Constant => "constant ",
            modeshift_syntax::ast::VariabilityPrefix::Parameter => "parameter ",
            modeshift_syntax::ast::VariabilityPrefix::Discrete => "discrete ",
        };
    }
    let path: Vec<&str> = decl
        .type_name
        .parts
        .iter()
        .map(|part| part.name.as_str())
        .collect();
    text += path.last().copied().unwrap_or_default();
    text.push(' ');
    text += decl.name.name.as_str();
    text += &crate::print::subscripts(decl.dims);
    text += &crate::print::subscripts(decl.clause_dims);
    text
}
