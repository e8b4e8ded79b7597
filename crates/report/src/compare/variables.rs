//! Comparing declarations: types, prefixes, attributes and bindings of variables, the signatures of functions.

use super::Kind;
use super::canon::Canon;
use super::diff::{Found, Unit, bound_to};
use super::read::unquoted;
use super::scope::Component;
use modeshift_base::FxIndexMap;
use modeshift_syntax::ast::{ArgumentKind, Binding, Causality, VariabilityPrefix};

impl<'t> Unit<'t> {
    pub(super) fn compare_variables(&self, other: &Self, found: &mut Found) {
        for (name, variable) in &self.variables {
            match other.variables.get(name) {
                Some(same) => self.compare_variable(variable, other, same, found),
                None => found.add(
                    Kind::Variable,
                    name.clone(),
                    Some(self.shown(variable)),
                    None,
                ),
            }
        }
        for (name, variable) in &other.variables {
            if !self.variables.contains_key(name) {
                found.add(
                    Kind::Variable,
                    name.clone(),
                    None,
                    Some(other.shown(variable)),
                );
            }
        }
    }

    fn compare_variable(
        &self,
        a: &Component<'t>,
        other: &Self,
        b: &Component<'t>,
        found: &mut Found,
    ) {
        let mut differ = |kind, item: String, a: Option<String>, b: Option<String>| {
            if a != b {
                found.add(kind, item, a, b);
            }
        };
        differ(
            Kind::Type,
            a.name.clone(),
            Some(type_text(a)),
            Some(type_text(b)),
        );
        differ(
            Kind::Prefixes,
            a.name.clone(),
            Some(prefixes(a)),
            Some(prefixes(b)),
        );
        let [theirs, ours] = [self.attributes(a), other.attributes(b)];
        let names = theirs
            .keys()
            .chain(ours.keys().filter(|name| !theirs.contains_key(*name)));
        for name in names {
            let [x, y] = [&theirs, &ours].map(|attributes| attributes.get(name));
            if x.map(|value| &value.0) != y.map(|value| &value.0) {
                let shown = |value: Option<&(String, String)>| value.map(|value| value.1.clone());
                differ(
                    Kind::Attribute,
                    format!("{}.{name}", a.name),
                    shown(x),
                    shown(y),
                );
            }
        }
        let [x, y] = [self.binding(a), other.binding(b)];
        let is_equation = [a, b].map(|v| v.variability.is_none() && v.causality.is_none());
        // Where only one of them has a binding, it counts as an equation.
        let both = x.is_some() && y.is_some();
        if (both || is_equation != [true; 2])
            && x.as_ref().map(|x| &x.0) != y.as_ref().map(|y| &y.0)
        {
            differ(
                Kind::Binding,
                a.name.clone(),
                x.map(|x| x.1),
                y.map(|y| y.1),
            );
        }
    }

    /// Canonical text and shown text of each attribute, by name.
    fn attributes(&self, variable: &Component<'t>) -> FxIndexMap<String, (String, String)> {
        let modification = variable.declaration.modification.as_ref();
        let args = modification
            .into_iter()
            .flat_map(|modification| &modification.args);
        let mut attributes = FxIndexMap::default();
        for arg in args {
            let ArgumentKind::Modify {
                target,
                modification,
                ..
            } = &arg.kind
            else {
                continue;
            };
            let name: Vec<&str> = target.iter().map(|part| part.name.as_str()).collect();
            let text = self.side.text.excerpt(arg.span);
            let binding = modification
                .as_ref()
                .and_then(|modification| modification.binding.as_ref());
            let value = match binding {
                Some(Binding::Expr(value)) => Canon::new(&self.scope).expr(value),
                _ => text.clone(),
            };
            attributes.insert(name.join("."), (value, text));
        }
        attributes
    }

    fn binding(&self, variable: &Component<'t>) -> Option<(String, String)> {
        let value = bound_to(variable)?;
        Some((
            Canon::new(&self.scope).expr(value),
            self.side.text.excerpt(value.span),
        ))
    }

    fn shown(&self, variable: &Component<'t>) -> String {
        let prefixes = prefixes(variable);
        let blank = if prefixes.is_empty() { "" } else { " " };
        let rest = variable.declaration.modification.as_ref();
        let rest = rest
            .map(|rest| self.side.text.excerpt(rest.span))
            .unwrap_or_default();
        let gap = if rest.is_empty() || rest.starts_with('(') {
            ""
        } else {
            " "
        };
        format!(
            "{prefixes}{blank}{} {}{gap}{rest}",
            type_text(variable),
            variable.name
        )
    }

    pub(super) fn compare_signatures(&self, other: &Self, found: &mut Found) {
        let order = |unit: &Self, causality| -> Vec<String> {
            let like = unit
                .variables
                .values()
                .filter(|variable| variable.causality == Some(causality));
            like.map(|variable| variable.name.clone()).collect()
        };
        if found.function.is_none() {
            return;
        }
        for (causality, name) in [(Causality::Input, "inputs"), (Causality::Output, "outputs")] {
            let [a, b] = [order(self, causality), order(other, causality)];
            let mut sorted = [a.clone(), b.clone()];
            sorted.iter_mut().for_each(|names| names.sort());
            // Missing ones were told already.
            if a != b && sorted[0] == sorted[1] {
                found.add(
                    Kind::Signature,
                    name.to_owned(),
                    Some(a.join(", ")),
                    Some(b.join(", ")),
                );
            }
        }
    }
}

fn type_text(variable: &Component<'_>) -> String {
    let path: Vec<String> = variable
        .clause
        .type_name
        .parts
        .iter()
        .map(|part| unquoted(part.name.as_str()))
        .collect();
    let dims: Vec<String> = variable
        .clause
        .dims
        .iter()
        .chain(&variable.declaration.dims)
        .map(ToString::to_string)
        .collect();
    let name = path.join(".");
    if dims.is_empty() {
        name
    } else {
        format!("{name}[{}]", dims.join(", "))
    }
}

fn prefixes(variable: &Component<'_>) -> String {
    let type_prefix = &variable.clause.type_prefix;
    let mut words = Vec::new();
    if variable.protected {
        words.push("protected");
    }
    if variable.clause.prefixes.final_ {
        words.push("final");
    }
    words.extend(match type_prefix.flow {
        Some(modeshift_syntax::ast::Flow::Flow) => Some("flow"),
        Some(modeshift_syntax::ast::Flow::Stream) => Some("stream"),
        None => None,
    });
    words.extend(match type_prefix.variability {
        Some(VariabilityPrefix::Discrete) => Some("discrete"),
        Some(VariabilityPrefix::Parameter) => Some("parameter"),
        Some(VariabilityPrefix::Constant) => Some("constant"),
        None => None,
    });
    words.extend(match type_prefix.causality {
        Some(Causality::Input) => Some("input"),
        Some(Causality::Output) => Some("output"),
        None => None,
    });
    words.join(" ")
}
