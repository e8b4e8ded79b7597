//! Comparing two flat texts: classes, equations and algorithms; [`super::variables`] compares what they declare.

use super::canon::Canon;
use super::equalities::{Aliases, Equality};
use super::read::{FlatText, unquoted};
use super::scope::{Component, Scope, Shape, components, functions};
use super::{Difference, Kind};
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_syntax::ast::{
    Binding, ClassBody, ClassDef, ClassSpec, Equation, EquationKind, Expr, SectionKind,
};

/// What differs: first in the model, then in its functions, each in the order of OpenModelica's text with what only
/// modeshift has behind it. Takes time in proportion to both texts, apart from sorting.
pub fn compare(theirs: &FlatText, ours: &FlatText) -> Vec<Difference> {
    let sides = [theirs, ours].map(|text| (text, functions(&text.classes)));
    let [theirs, ours] = [&sides[0], &sides[1]].map(|(text, functions)| Side { text, functions });
    let mut found = Found::default();
    let [their_model, our_model] = [theirs, ours].map(Side::model);
    let names = [their_model, our_model].map(|class| class.map(class_name).unwrap_or_default());
    if names[0] != names[1] {
        let [theirs, ours] = names.clone();
        found.add(Kind::Class, "name".to_owned(), Some(theirs), Some(ours));
    }
    if let (Some(a), Some(b)) = (their_model, our_model) {
        Unit::compare(theirs, a, ours, b, &mut found);
    }
    let [mut a, mut b] = [theirs, ours].map(Side::others);
    for (name, class) in &a {
        found.function = Some(name.clone());
        match b.get(name) {
            Some(other) => Unit::compare(theirs, class, ours, other, &mut found),
            None => found.add(Kind::Class, name.clone(), Some(kind_of(class)), None),
        }
    }
    b.retain(|name, _| !a.contains_key(name));
    a.clear();
    for (name, class) in b {
        found.function = Some(name.clone());
        found.add(Kind::Class, name, None, Some(kind_of(class)));
    }
    found.differences
}

#[derive(Default)]
pub(super) struct Found {
    pub(super) function: Option<String>,
    differences: Vec<Difference>,
}

impl Found {
    pub(super) fn add(
        &mut self,
        kind: Kind,
        item: String,
        openmodelica: Option<String>,
        modeshift: Option<String>,
    ) {
        let function = self.function.clone();
        self.differences.push(Difference {
            kind,
            function,
            item,
            openmodelica,
            modeshift,
        });
    }
}

#[derive(Clone, Copy)]
pub(super) struct Side<'t> {
    pub(super) text: &'t FlatText,
    functions: &'t FxHashMap<String, Shape>,
}

impl<'t> Side<'t> {
    fn model(self) -> Option<&'t ClassDef> {
        self.text.classes.last()
    }

    /// Everything before the model, by name.
    fn others(self) -> FxIndexMap<String, &'t ClassDef> {
        let others = self
            .text
            .classes
            .split_last()
            .map_or(&[][..], |(_, others)| others);
        others
            .iter()
            .map(|class| (class_name(class), class))
            .collect()
    }
}

fn class_name(class: &ClassDef) -> String {
    unquoted(class.name.name.as_str())
}

fn kind_of(class: &ClassDef) -> String {
    let purity = class
        .purity
        .map(|purity| format!("{purity:?} "))
        .unwrap_or_default();
    format!("{purity}{:?}", class.kind).to_lowercase()
}

/// A class of a flat text.
pub(super) struct Unit<'t> {
    pub(super) side: Side<'t>,
    body: &'t ClassBody,
    pub(super) scope: Scope<'t>,
    pub(super) variables: FxIndexMap<String, Component<'t>>,
}

/// An equation or algorithm: what it is compared by, and what is shown.
struct Item<'t> {
    key: String,
    text: String,
    equality: Option<Equality>,
    source: Source<'t>,
}

#[derive(Clone, Copy)]
enum Source<'t> {
    Equation(&'t Equation),
    /// The variable that is bound.
    Binding(&'t str, &'t Expr),
}

impl<'t> Unit<'t> {
    fn new(side: Side<'t>, class: &'t ClassDef) -> Option<Self> {
        let ClassSpec::Long(body) = &class.spec else {
            return None;
        };
        let variables = components(body)
            .map(|component| (component.name.clone(), component))
            .collect();
        Some(Self {
            side,
            body,
            scope: Scope::new(body, side.functions),
            variables,
        })
    }

    fn compare(
        theirs: Side<'t>,
        a: &'t ClassDef,
        ours: Side<'t>,
        b: &'t ClassDef,
        found: &mut Found,
    ) {
        let kinds = [kind_of(a), kind_of(b)];
        if kinds[0] != kinds[1] {
            let [theirs, ours] = kinds;
            found.add(Kind::Class, class_name(a), Some(theirs), Some(ours));
        }
        let (Some(a), Some(b)) = (Self::new(theirs, a), Self::new(ours, b)) else {
            return;
        };
        a.compare_variables(&b, found);
        a.compare_signatures(&b, found);
        for initial in [true, false] {
            a.compare_equations(&b, initial, found);
            a.compare_algorithms(&b, initial, found);
        }
        let external = |unit: &Self| {
            unit.body
                .external
                .as_ref()
                .map(|external| unit.side.text.excerpt(external.span))
        };
        if external(&a) != external(&b) {
            found.add(
                Kind::External,
                "external".to_owned(),
                external(&a),
                external(&b),
            );
        }
    }

    /// The equations of a kind, and of those of the simulation also the bindings that `other` has not.
    fn items(&'t self, initial: bool, other: &Self) -> Vec<Item<'t>> {
        let sections = self
            .body
            .sections
            .iter()
            .filter(|section| section.initial == initial);
        let equations = sections.flat_map(|section| match &section.kind {
            SectionKind::Equations(equations) => equations.as_slice(),
            SectionKind::Algorithm(_) => &[],
        });
        let mut items: Vec<Item<'t>> = equations
            .map(|equation| self.item(Source::Equation(equation)))
            .collect();
        if !initial {
            for (name, variable) in &self.variables {
                let same = other.variables.get(name);
                let is_equation =
                    |v: &Component<'_>| v.variability.is_none() && v.causality.is_none();
                let alone = same.is_some_and(|same| bound_to(same).is_none() && is_equation(same));
                if let Some(value) = bound_to(variable).filter(|_| alone && is_equation(variable)) {
                    items.push(self.item(Source::Binding(name, value)));
                }
            }
        }
        items
    }

    fn item(&self, source: Source<'t>) -> Item<'t> {
        let text = match source {
            Source::Equation(equation) => self.side.text.excerpt(equation.span),
            Source::Binding(name, value) => {
                format!("{name} = {}", self.side.text.excerpt(value.span))
            }
        };
        let equality = match source {
            Source::Equation(Equation {
                kind: EquationKind::Equality { lhs, rhs },
                ..
            }) => Canon::new(&self.scope)
                .residual(lhs, rhs)
                .as_ref()
                .and_then(Equality::of),
            _ => None,
        };
        Item {
            key: self.key(source, &self.scope),
            text,
            equality,
            source,
        }
    }

    fn key(&self, source: Source<'t>, scope: &Scope<'_>) -> String {
        let mut canon = Canon::new(scope);
        match source {
            Source::Equation(equation) => canon.equation(equation),
            Source::Binding(name, value) => {
                // As an equation of the same text, so that the same laws apply.
                let target =
                    modeshift_syntax::parse(&format!("model M equation {name} = 0; end M;"));
                let lhs = target
                    .file
                    .classes
                    .into_iter()
                    .next()
                    .and_then(first_left_side);
                match lhs {
                    Some(lhs) => {
                        let rhs = value.clone();
                        let kind = EquationKind::Equality { lhs, rhs };
                        let span = value.span;
                        canon.equation(&Equation {
                            kind,
                            comment: Default::default(),
                            span,
                        })
                    }
                    None => format!("{name}={}", canon.expr(value)),
                }
            }
        }
    }

    fn compare_equations(&'t self, other: &'t Self, initial: bool, found: &mut Found) {
        let kind = if initial {
            Kind::InitialEquation
        } else {
            Kind::Equation
        };
        let [theirs, ours] = [self.items(initial, other), other.items(initial, self)];
        let [mut a, mut b] = unmatched(&theirs, &ours);
        if a.is_empty() && b.is_empty() {
            return;
        }
        let aliases = [&theirs, &ours].map(|items| {
            let equalities: Vec<Equality> = items
                .iter()
                .filter_map(|item| item.equality.clone())
                .collect();
            Aliases::of(&equalities)
        });
        let [their_aliases, our_aliases] = &aliases;
        // An equality is fine if the other side has it by another way, with as many in all.
        let is_fine = |item: &Item<'_>| {
            item.equality.as_ref().is_some_and(|equality| {
                aliases.iter().all(|aliases| aliases.implies(equality))
                    && their_aliases.count(&equality.left) == our_aliases.count(&equality.left)
            })
        };
        a.retain(|item| !is_fine(item));
        b.retain(|item| !is_fine(item));
        let renamed = |unit: &'t Self, items: Vec<&Item<'t>>| -> Vec<(String, String)> {
            let mut scope = Scope::new(unit.body, unit.side.functions);
            scope.aliases = Some(their_aliases);
            let key = |item: &Item<'t>| match item.equality {
                Some(_) => item.key.clone(),
                None => unit.key(item.source, &scope),
            };
            items
                .into_iter()
                .map(|item| (key(item), item.text.clone()))
                .collect()
        };
        let [a, b] = [renamed(self, a), renamed(other, b)];
        report(kind, &a, &b, found);
    }

    fn compare_algorithms(&self, other: &Self, initial: bool, found: &mut Found) {
        let kind = if initial {
            Kind::InitialAlgorithm
        } else {
            Kind::Algorithm
        };
        let sections = |unit: &Self| -> Vec<(String, String)> {
            let sections = unit
                .body
                .sections
                .iter()
                .filter(|section| section.initial == initial);
            sections
                .filter_map(|section| match &section.kind {
                    SectionKind::Algorithm(statements) if !statements.is_empty() => {
                        let key = Canon::new(&unit.scope).statements(statements);
                        Some((key, unit.side.text.excerpt(section.span)))
                    }
                    _ => None,
                })
                .collect()
        };
        report(kind, &sections(self), &sections(other), found);
    }
}

fn first_left_side(class: ClassDef) -> Option<Expr> {
    let ClassSpec::Long(body) = class.spec else {
        return None;
    };
    let section = body.sections.into_iter().next()?;
    let SectionKind::Equations(equations) = section.kind else {
        return None;
    };
    match equations.into_iter().next()?.kind {
        EquationKind::Equality { lhs, .. } => Some(lhs),
        _ => None,
    }
}

/// What is in one list and not in the other, each as often as it is.
fn unmatched<'i, 't>(a: &'i [Item<'t>], b: &'i [Item<'t>]) -> [Vec<&'i Item<'t>>; 2] {
    let only = |items: &'i [Item<'t>], others: &[Item<'t>]| {
        let mut count: FxHashMap<&str, usize> = FxHashMap::default();
        for other in others {
            *count.entry(&other.key).or_default() += 1;
        }
        let is_new = |item: &&Item<'t>| match count.get_mut(item.key.as_str()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        items.iter().filter(is_new).collect()
    };
    [only(a, b), only(b, a)]
}

/// Reports texts whose keys have no partner.
fn report(kind: Kind, a: &[(String, String)], b: &[(String, String)], found: &mut Found) {
    let mut open: FxHashMap<&str, usize> = FxHashMap::default();
    for (key, _) in b {
        *open.entry(key).or_default() += 1;
    }
    for (key, text) in a {
        match open.get_mut(key.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => found.add(kind, text.clone(), Some(text.clone()), None),
        }
    }
    // The last ones of a kind are the ones left over.
    for (key, text) in b.iter().rev() {
        if let Some(count) = open.get_mut(key.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            found.add(kind, text.clone(), None, Some(text.clone()));
        }
    }
}

pub(super) fn bound_to<'t>(variable: &Component<'t>) -> Option<&'t Expr> {
    match variable
        .declaration
        .modification
        .as_ref()?
        .binding
        .as_ref()?
    {
        Binding::Expr(value) => Some(value),
        Binding::Break(_) => None,
    }
}
