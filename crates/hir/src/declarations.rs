//! Rules about what a class may declare, whoever uses it: reserved names (Modelica 3.6 §4.9), enumeration literals
//! (§4.9.5), the restrictions of specialized classes (§4.7).
//! Linear in the class.

use crate::data::{ClassData, ClassSpec, Component, Element};
use crate::{ClassId, ClassSpan, Db};
use modeshift_base::{FileSpan, FxHashMap, Name, Span};
use modeshift_diag::{Code, Diagnostic};
use modeshift_syntax::ast::{Causality, ClassKind, EnumLiteral, Flow};

/// What breaks one of them.
pub(crate) fn check(db: &dyn Db, id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    reserved_names(db, id, data, found);
    if let ClassSpec::Enumeration {
        literals: Some(literals),
    } = &data.spec
    {
        enumeration(id, literals, found);
    }
    public_only(id, data, found);
    prefixes(id, data, found);
    if data.kind == ClassKind::Operator {
        only_functions(id, data, found);
    }
}

/// The predefined types cannot be declared again. Top-level classes cannot hide the other predefined ones either.
fn reserved_names(db: &dyn Db, id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let reserved = |name: Name| matches!(name.as_str(), "Real" | "Integer" | "Boolean" | "String");
    let mut tell = |name: Name, place: FileSpan| {
        found.push(
            Diagnostic::new(
                Code::MS1002,
                format!("`{name}` is the name of a predefined type and cannot be declared again"),
            )
            .label(place, "declared here")
            .note("Choose another name: the predefined one is visible everywhere."),
        );
    };
    for component in data.components() {
        // In a text with mistakes the type of a declaration may have been read as a name.
        if reserved(component.name.name) && !is_broken(db, id) {
            tell(
                component.name.name,
                ClassSpan::new(id, component.name.span).to_place(),
            );
        }
    }
    let top = id.parent(db).is_none() && crate::enclosing(db, id).is_none();
    let predefined = matches!(
        id.name(db).as_str(),
        "Clock" | "StateSelect" | "AssertionLevel" | "ExternalObject"
    );
    if reserved(id.name(db)) || top && predefined {
        tell(id.name(db), ClassSpan::of_name(id).to_place());
    }
}

fn is_broken(db: &dyn Db, id: ClassId) -> bool {
    let parsed = modeshift_db::parse(db, id.file(db));
    parsed.errors.iter().any(Diagnostic::is_error)
}

/// Literals have different names, and none of those of the type's attributes.
fn enumeration(id: ClassId, literals: &[EnumLiteral], found: &mut Vec<Diagnostic>) {
    let at = |span: Span| ClassSpan::new(id, span).to_place();
    let mut first: FxHashMap<Name, Span> = FxHashMap::default();
    for literal in literals {
        let name = literal.name.name;
        if matches!(
            name.as_str(),
            "quantity" | "min" | "max" | "start" | "fixed"
        ) {
            found.push(
                Diagnostic::new(
                    Code::MS2005,
                    format!("`{name}` cannot be a literal of an enumeration, because it is an attribute of every enumeration"),
                )
                .label(at(literal.name.span), "already an attribute"),
            );
        }
        if let Some(&earlier) = first.get(&name) {
            found.push(
                Diagnostic::new(
                    Code::MS2005,
                    format!("the literal `{name}` is listed twice"),
                )
                .label(at(literal.name.span), "listed again here")
                .label(at(earlier), "first listed here"),
            );
        } else {
            first.insert(name, literal.name.span);
        }
    }
}

/// Records and connectors have no protected section at all, not even for an import.
fn public_only(id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let Some(kind) = value_kind(data.kind) else {
        return;
    };
    for element in data.elements() {
        let span = match element {
            Element::Import(import) if import.protected => import.span,
            Element::Extends(extends) if extends.protected => extends.span,
            _ => continue,
        };
        found.push(
            Diagnostic::new(
                Code::MS2015,
                format!("{kind} cannot have a protected section"),
            )
            .label(
                ClassSpan::new(id, span).to_place(),
                "in a protected section",
            ),
        );
    }
}

fn value_kind(kind: ClassKind) -> Option<&'static str> {
    Some(match kind {
        ClassKind::Record => "a record",
        ClassKind::OperatorRecord => "an operator record",
        ClassKind::Connector => "a connector",
        ClassKind::ExpandableConnector => "an expandable connector",
        _ => return None,
    })
}

/// Which prefixes the elements of records and connectors cannot have.
fn prefixes(id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    let Some(kind) = value_kind(data.kind) else {
        return;
    };
    let record = matches!(data.kind, ClassKind::Record | ClassKind::OperatorRecord);
    for component in data.components() {
        let Some(prefix) = forbidden_prefix(component, record, data.kind) else {
            continue;
        };
        let name = component.name.name;
        found.push(
            Diagnostic::new(
                Code::MS2015,
                format!("`{name}` cannot be `{prefix}` in {kind}"),
            )
            .label(
                ClassSpan::new(id, component.name.span).to_place(),
                format!("declared `{prefix}`"),
            ),
        );
    }
}

fn forbidden_prefix(component: &Component, record: bool, kind: ClassKind) -> Option<&'static str> {
    let clause = &component.clause;
    let flow = match clause.type_prefix.flow {
        Some(Flow::Flow) if record || kind == ClassKind::ExpandableConnector => Some("flow"),
        Some(Flow::Stream) if record => Some("stream"),
        _ => None,
    };
    let causality = match clause.type_prefix.causality {
        Some(Causality::Input) if record => Some("input"),
        Some(Causality::Output) if record => Some("output"),
        _ => None,
    };
    let scope = if clause.prefixes.inner {
        Some("inner")
    } else if clause.prefixes.outer {
        Some("outer")
    } else {
        None
    };
    flow.or(causality).or(scope)
}

/// An `operator` is a list of functions.
fn only_functions(id: ClassId, data: &ClassData, found: &mut Vec<Diagnostic>) {
    for component in data.components() {
        found.push(
            Diagnostic::new(
                Code::MS2015,
                format!(
                    "`{}` cannot be declared in an operator, which has functions only",
                    component.name.name
                ),
            )
            .label(
                ClassSpan::new(id, component.name.span).to_place(),
                "a component",
            ),
        );
    }
}
