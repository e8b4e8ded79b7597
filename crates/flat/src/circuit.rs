//! The components and connectors behind the names of variables and equations.
//!
//! What the flat model calls `charger.p.i` is the flow of the connector `p` of the component `charger`, which stands in
//! the modeller's own text. Nothing here depends on the names of components or of libraries: roles come from the
//! declarations of connectors alone.

use crate::model::Place;
use modeshift_base::{FxHashMap, Name};
use modeshift_inst::exp::Exp;
use modeshift_inst::tree::{
    ClassInstId, ClassKind, Component, ComponentId, Flow, Instance, LeftOpen,
};
use modeshift_inst::ty::{Causality, Variability};
use std::cell::RefCell;

/// What a variable of a connector is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Equal where connectors are connected.
    Potential,
    /// Adds up to zero where connectors are connected.
    Flow,
}

/// The instance tree of a model, and which places are in texts that the modeller works on.
pub struct Circuit<'a> {
    pub instance: &'a Instance,
    pub own: &'a dyn Fn(Place) -> bool,
    /// The components of the large classes that were walked through, by name.
    by_name: RefCell<FxHashMap<ClassInstId, FxHashMap<Name, ComponentId>>>,
    /// A component that was walked to, and the way: variables that follow each other mostly belong to one.
    last: RefCell<(String, Vec<(usize, ComponentId)>)>,
}

impl<'a> Circuit<'a> {
    pub fn new(instance: &'a Instance, own: &'a dyn Fn(Place) -> bool) -> Self {
        Self {
            instance,
            own,
            by_name: RefCell::default(),
            last: RefCell::default(),
        }
    }

    /// The component of a class that has this name. O(1) on average, whatever the size of the class.
    fn part(&self, class: ClassInstId, name: &str) -> Option<ComponentId> {
        // Most classes have a few dozen components and as many instances as the model has components of a type.
        const SMALL: usize = 48;
        let components = &self.instance.classes[class].components;
        let component = |id: ComponentId| &self.instance.components[id];
        let name = Name::new(name);
        if components.len() <= SMALL {
            let mut all = components.iter().copied();
            return all.find(|&id| component(id).name == name);
        }
        let mut known = self.by_name.borrow_mut();
        let by_name = known.entry(class).or_insert_with(|| {
            let all = components.iter().rev();
            all.map(|&id| (component(id).name, id)).collect()
        });
        by_name.get(&name).copied()
    }

    /// The components on the way to `path`, each with the end of its name in `path`.
    fn walk(&self, path: &str) -> Vec<(usize, &'a Component)> {
        let mut last = self.last.borrow_mut();
        let inside = path.strip_prefix(last.0.as_str());
        let mut found = match inside.is_some_and(|rest| rest.starts_with('.')) {
            true => last.1.clone(),
            false => Vec::new(),
        };
        let components = &self.instance.components;
        let (mut class, from) = match found.last() {
            Some(&(end, component)) => (components[component].class, end + 1),
            None => (self.instance.root, 0),
        };
        let mut start = from;
        for end in segment_ends(&path[from..]) {
            let Some(inner) = class else { break };
            let end = from + end;
            let segment = &path[start..end];
            let name = match segment.strip_prefix('\'') {
                Some(_) => segment,
                None => segment.split('[').next().unwrap_or(segment),
            };
            let Some(component) = self.part(inner, name) else {
                break;
            };
            found.push((end, component));
            class = components[component].class;
            start = end + 1;
        }
        if let [way @ .., _] = &found[..]
            && let Some(&(end, _)) = way.last()
            && path[..end] != last.0
        {
            *last = (path[..end].to_owned(), way.to_vec());
        }
        let found = found.into_iter();
        found.map(|(end, id)| (end, &components[id])).collect()
    }

    /// The connector that a variable belongs to, and what it is for there.
    pub fn role(&self, variable: &str) -> Option<(String, Role)> {
        let way = self.walk(variable);
        let connector = way.iter().position(|(_, it)| is_connector(it))?;
        let (end, _) = way[connector];
        let (last, leaf) = *way.last()?;
        if last != variable.len() || connector + 1 >= way.len() {
            return None;
        }
        let flow = way[connector..].iter().find_map(|(_, it)| it.flow);
        let role = match flow {
            Some(Flow::Flow) => Role::Flow,
            Some(Flow::Stream) => return None,
            None if leaf.causality.is_some() || leaf.variability != Variability::Continuous => {
                return None;
            }
            None => Role::Potential,
        };
        Some((variable[..end].to_owned(), role))
    }

    /// `the electric potential `v``, `` `p` ``: a variable of a connector as modellers call it.
    pub fn noun(&self, variable: &str) -> String {
        let way = self.walk(variable);
        let name = variable.rsplit('.').next().unwrap_or(variable);
        let quantity = way.last().and_then(|(_, leaf)| {
            let given = leaf.attributes.iter();
            let mut given = given.filter(|it| it.name.as_str() == "quantity");
            match &given.next()?.binding.exp {
                Exp::Str(text) if !text.is_empty() => Some(words(text)),
                _ => None,
            }
        });
        match quantity {
            Some(quantity) => format!("the {quantity} `{name}`"),
            None => format!("`{name}`"),
        }
    }

    /// For an input of a component: the name of the component.
    pub fn input<'n>(&self, variable: &'n str) -> Option<&'n str> {
        let way = self.walk(variable);
        let (last, leaf) = *way.last()?;
        let is_input = last == variable.len() && leaf.causality == Some(Causality::Input);
        let inside = way.iter().rev().skip(1).find(|(_, it)| !is_connector(it));
        let (end, _) = inside.filter(|_| is_input)?;
        Some(&variable[..*end])
    }

    /// The component that a connector is part of, if it is not one of the model itself.
    pub fn owner<'n>(&self, connector: &'n str) -> Option<&'n str> {
        let way = self.walk(connector);
        let (end, owner) = *way.iter().rev().nth(1)?;
        (!is_connector(owner)).then_some(&connector[..end])
    }

    /// The `connect` of a connector that vanished with the other side.
    pub fn left_open(&self, connector: &str) -> Option<&'a LeftOpen> {
        self.walk(connector).last()?.1.left_open.as_deref()
    }

    /// Where a component of the modeller's own text is declared, unless others use it as `inner`.
    pub fn own_component(&self, name: &str) -> Option<Place> {
        let way = self.walk(name);
        let (end, component) = *way.last()?;
        let own = end == name.len() && (self.own)(component.place);
        (own && !component.inner && !component.generated).then_some(component.place)
    }

    /// The innermost component on the way to an instance that stands in the modeller's text and is no connector.
    pub fn component(&self, instance: &str) -> Option<(String, Place)> {
        let way = self.walk(instance);
        let parts = way.iter().take_while(|(_, it)| !is_connector(it));
        let parts: Vec<_> = parts.collect();
        let own = parts.iter().rev().find(|(_, it)| (self.own)(it.place));
        let (end, component) = own.or(parts.first())?;
        Some((instance[..*end].to_owned(), component.place))
    }
}

fn is_connector(component: &Component) -> bool {
    matches!(
        component.kind,
        ClassKind::Connector | ClassKind::ExpandableConnector
    )
}

/// Where the parts of `a[1].'b.c'.d` end.
fn segment_ends(path: &str) -> Vec<usize> {
    let (mut quoted, mut escaped, mut depth) = (false, false, 0usize);
    let mut ends = Vec::new();
    for (at, c) in path.char_indices() {
        match c {
            '.' if !quoted && depth == 0 => ends.push(at),
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            '\'' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    if !path.is_empty() {
        ends.push(path.len());
    }
    ends
}

/// `ElectricPotential` → `electric potential`.
fn words(quantity: &str) -> String {
    let mut text = String::new();
    let mut previous = ' ';
    for c in quantity.chars() {
        if c.is_uppercase() && previous.is_lowercase() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
        previous = c;
    }
    text.replace(['.', '_'], " ")
}

#[cfg(test)]
mod tests {
    use super::{segment_ends, words};

    #[test]
    fn quantities_become_words() {
        assert_eq!(words("ElectricPotential"), "electric potential");
        assert_eq!(words("Angle"), "angle");
    }

    #[test]
    fn names_are_split_at_their_own_dots() {
        assert_eq!(segment_ends("a[E.x].'b.c'.d"), [6, 12, 14]);
        assert_eq!(segment_ends(""), [0; 0]);
    }
}
