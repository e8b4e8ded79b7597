//! Which prefixes a component can have (Modelica 3.6 §4.4.2, §9.3, §15.1): they belong to variables, records and
//! connectors, and what has one on the outside cannot have another of its kind within.

use crate::cx::Cx;
use crate::node::{CompDecl, ElemId, NodeId};
use crate::tree::{Component, ComponentId};
use crate::ty::Type;
use modeshift_base::Name;
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_syntax::ast::{Causality, ClassKind, Flow, TypePrefix, VariabilityPrefix};

impl<'a> Cx<'_, 'a> {
    /// `prefix` is what the declaration and its type give together; `component` what came of it.
    pub(crate) fn check_prefixes(
        &mut self,
        elem: ElemId,
        decl: &CompDecl<'a>,
        prefix: TypePrefix,
        component: &Component,
    ) {
        self.check_prefix_of_kind(decl, component.kind, component);
        self.check_prefix_of_type(elem, decl, prefix, &component.ty);
        if let Some(parent) = component.parent {
            self.check_prefix_within(decl, prefix, parent);
        }
    }

    /// The flows of a connection sum to zero, so an operator record that flows can be added, negated, and be zero
    /// (Modelica 3.6 §14.4). The fields can be summed all the same, so only a check makes it an error.
    pub(crate) fn check_flow_operators(&mut self, node: NodeId, decl: &CompDecl<'a>) {
        for operator in ["'+'", "'-'", "'0'"] {
            if self.lookup_member(node, Name::new(operator)).is_none() {
                let name = decl.name.name;
                let diagnostic = Diagnostic::new(
                    Code::MS2045,
                    format!("`{name}` is a flow, but its operator record has no `{operator}`"),
                )
                .with_severity(Severity::Warning)
                .label(decl.place(), "declared `flow`")
                .note("The sum of the flows of a connection needs `'+'`, `'-'` and `'0'`.");
                self.report(diagnostic);
            }
        }
    }

    /// Models and blocks are neither given nor held constant as a whole.
    fn check_prefix_of_kind(
        &mut self,
        decl: &CompDecl<'a>,
        kind: ClassKind,
        component: &Component,
    ) {
        let own = decl.type_prefix;
        let variability = match own.variability {
            Some(VariabilityPrefix::Constant) => Some("constant"),
            Some(VariabilityPrefix::Parameter) => Some("parameter"),
            Some(VariabilityPrefix::Discrete) => Some("discrete"),
            None => None,
        };
        let other = match (own.causality, own.flow) {
            (Some(Causality::Input), _) => Some("input"),
            (Some(Causality::Output), _) => Some("output"),
            (_, Some(Flow::Flow)) => Some("flow"),
            (_, Some(Flow::Stream)) => Some("stream"),
            _ => None,
        };
        let structured = matches!(component.ty, Type::Record(_));
        let problem = match kind {
            ClassKind::Model | ClassKind::Block if structured => variability.or(other),
            ClassKind::Connector | ClassKind::ExpandableConnector if structured => {
                variability.filter(|prefix| *prefix != "discrete")
            }
            _ => None,
        };
        let Some(prefix) = problem else { return };
        let kind = kind.as_str();
        // Others let whole models be parameters or constants; then all their variables have to be. A check makes it an error.
        let model = !kind.contains("connector") && matches!(prefix, "constant" | "parameter");
        let severity = if model {
            Severity::Warning
        } else {
            Severity::Error
        };
        let diagnostic = Diagnostic::new(
            Code::MS2045,
            format!(
                "`{}` cannot be `{prefix}`, because it is a {kind}",
                decl.name.name
            ),
        )
        .with_severity(severity)
        .label(decl.place(), format!("a {kind} declared `{prefix}`"))
        .note("Give the prefix to the variables inside that need it.");
        self.report(diagnostic);
    }

    /// What flows is a real number, and streams are in connectors.
    fn check_prefix_of_type(
        &mut self,
        elem: ElemId,
        decl: &CompDecl<'a>,
        prefix: TypePrefix,
        ty: &Type,
    ) {
        let Some(flow) = prefix.flow else { return };
        let text = match flow {
            Flow::Flow => "flow",
            Flow::Stream => "stream",
        };
        if matches!(
            ty,
            Type::Integer | Type::Boolean | Type::String | Type::Enumeration(_)
        ) {
            self.error(
                Code::MS2045,
                decl.place(),
                format!(
                    "`{}` cannot be `{text}`, because it is {ty}",
                    decl.name.name
                ),
                "only Real variables can be",
            );
        }
        let home = self.derived_most(self.elem(elem).node);
        let inside = matches!(
            self.node(home).def.kind(),
            ClassKind::Connector
                | ClassKind::ExpandableConnector
                | ClassKind::Record
                | ClassKind::OperatorRecord
                | ClassKind::Class
                | ClassKind::Function
        );
        if flow == Flow::Stream && !inside {
            self.error(
                Code::MS2045,
                decl.place(),
                format!("`{}` is `stream` outside a connector", decl.name.name),
                "only variables of connectors can be",
            );
        }
    }

    /// A prefix of a structured component is one of all its variables: they cannot have their own.
    fn check_prefix_within(
        &mut self,
        decl: &CompDecl<'a>,
        prefix: TypePrefix,
        parent: ComponentId,
    ) {
        let above = &self.out.components[parent];
        let what = if prefix.causality.is_some() && above.causality.is_some() {
            "input or output"
        } else if prefix.flow.is_some() && above.flow.is_some() {
            "flow or stream"
        } else {
            return;
        };
        let diagnostic = Diagnostic::new(
            Code::MS2045,
            format!(
                "`{}` is {what}, and so is all of `{}`",
                decl.name.name, above.name
            ),
        )
        .label(decl.place(), format!("{what} by itself"))
        .label(above.place, format!("{what} as a whole"));
        self.report(diagnostic);
    }
}
