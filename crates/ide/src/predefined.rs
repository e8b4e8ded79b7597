//! The predefined types and their attributes (Modelica 3.6, section 4.9), told from what is written.

use modeshift_base::{Name, Span};
use modeshift_db::Db;
use modeshift_hir::statics::{Symbol, bases, lookup_path};
use modeshift_hir::{ClassId, ClassSpan, ClassSpec, Element, class, resolve};
use modeshift_syntax::ast::{Argument, ArgumentKind, Binding, Path};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Predefined {
    Real,
    Integer,
    Boolean,
    String,
    Enumeration,
}

/// An attribute, which types have it, and what it says.
pub(crate) struct Attribute {
    pub name: &'static str,
    pub about: &'static str,
    types: &'static [Predefined],
}

use Predefined::{Boolean, Enumeration, Integer, Real, String as Text};
const ALL: &[Predefined] = &[Real, Integer, Boolean, Text, Enumeration];
const ORDERED: &[Predefined] = &[Real, Integer, Enumeration];
const REAL: &[Predefined] = &[Real];

/// In the order in which they are used most.
const ATTRIBUTES: &[Attribute] = &[
    attribute(
        "start",
        "The value before the first instant is solved: a guess, or with `fixed = true` the initial value.",
        ALL,
    ),
    attribute(
        "fixed",
        "Whether `start` is an initial condition rather than a guess; `true` for parameters and constants.",
        ALL,
    ),
    attribute(
        "unit",
        "The unit in which the value is computed, such as \"m/s2\".",
        REAL,
    ),
    attribute(
        "displayUnit",
        "The unit in which tools show the value, such as \"deg\".",
        REAL,
    ),
    attribute("min", "The smallest value that is allowed.", ORDERED),
    attribute("max", "The largest value that is allowed.", ORDERED),
    attribute(
        "nominal",
        "The size that the value typically has: it scales tolerances.",
        REAL,
    ),
    attribute(
        "stateSelect",
        "Whether the variable shall be a state: StateSelect.never, avoid, default, prefer or always.",
        REAL,
    ),
    attribute("quantity", "The kind of quantity, such as \"Length\".", ALL),
    attribute(
        "unbounded",
        "Whether the value may grow without bound without that being an error.",
        REAL,
    ),
];

const fn attribute(
    name: &'static str,
    about: &'static str,
    types: &'static [Predefined],
) -> Attribute {
    Attribute { name, about, types }
}

impl Predefined {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Real" => Real,
            "Integer" => Integer,
            "Boolean" => Boolean,
            "String" => Text,
            _ => return None,
        })
    }

    pub fn attributes(self) -> impl Iterator<Item = &'static Attribute> {
        ATTRIBUTES.iter().filter(move |it| it.types.contains(&self))
    }
}

/// Chains of types are short; wrong ones may go round.
const MAX_STEPS: usize = 32;

/// The predefined type that a component or class is of, if it is of one.
pub(crate) fn predefined(db: &dyn Db, symbol: Symbol) -> Option<Predefined> {
    let mut at = symbol;
    for _ in 0..MAX_STEPS {
        at = match step(db, at)? {
            Step::Predefined(found) => return Some(found),
            Step::Type(class) => Symbol::Class(class),
        };
    }
    None
}

/// The predefined type that a path written in `scope` means.
pub(crate) fn predefined_path(
    db: &dyn Db,
    scope: ClassId,
    global: bool,
    names: &[Name],
) -> Option<Predefined> {
    match lookup_path(db, scope, global, names) {
        Some(symbol) => predefined(db, symbol),
        None => match names {
            [only] => Predefined::named(only.as_str()),
            _ => None,
        },
    }
}

enum Step {
    Predefined(Predefined),
    Type(ClassId),
}

/// One step along the chain from a component to its type, or from a type to what it is made of.
fn step(db: &dyn Db, symbol: Symbol) -> Option<Step> {
    match symbol {
        Symbol::Component { class: id, element } => {
            let Element::Component(component) = class(db, id).elements().get(element)? else {
                return None;
            };
            named(db, id, &component.clause.type_name)
        }
        Symbol::Class(id) => match &class(db, id).spec {
            ClassSpec::Enumeration { .. } => Some(Step::Predefined(Enumeration)),
            ClassSpec::Short(short) => match bases(db, id) {
                [] => unresolved(&short.base),
                [base, ..] => Some(Step::Type(*base)),
            },
            _ => match bases(db, id) {
                [] => unresolved(&class(db, id).extends().next()?.base),
                [base, ..] => Some(Step::Type(*base)),
            },
        },
        Symbol::Literal { .. } => None,
    }
}

fn named(db: &dyn Db, scope: ClassId, path: &Path) -> Option<Step> {
    let names: Vec<Name> = path.parts.iter().map(|part| part.name).collect();
    match lookup_path(db, scope, path.global, &names) {
        Some(symbol) => symbol.as_class().map(Step::Type),
        None => unresolved(path),
    }
}

fn unresolved(path: &Path) -> Option<Step> {
    match path.parts.as_slice() {
        [only] => Predefined::named(only.name.as_str()).map(Step::Predefined),
        _ => None,
    }
}

/// The attributes that a component's declaration and its type give, as they are written, the nearest first.
pub(crate) fn attributes(db: &dyn Db, symbol: Symbol) -> Vec<(&'static str, String)> {
    let Some(kind) = predefined(db, symbol) else {
        return Vec::new();
    };
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let mut add = |owner: ClassId, arguments: &[Argument]| {
        for (target, value) in arguments.iter().filter_map(bound) {
            let attribute = kind.attributes().find(|it| it.name == target.as_str());
            if let Some(attribute) = attribute
                && found.iter().all(|(name, _)| *name != attribute.name)
            {
                found.push((attribute.name, written(db, owner, value)));
            }
        }
    };
    let mut at = symbol;
    for _ in 0..MAX_STEPS {
        match at {
            Symbol::Component { class: id, element } => {
                if let Some(Element::Component(it)) = class(db, id).elements().get(element) {
                    let arguments = it.modification.as_ref().map(|it| it.args.as_slice());
                    add(id, arguments.unwrap_or_default());
                }
            }
            Symbol::Class(id) => match &class(db, id).spec {
                ClassSpec::Short(short) => add(id, &short.modification),
                _ => class(db, id)
                    .extends()
                    .for_each(|it| add(id, &it.modification)),
            },
            Symbol::Literal { .. } => break,
        }
        match step(db, at) {
            Some(Step::Type(class)) => at = Symbol::Class(class),
            _ => break,
        }
    }
    found
}

/// A modifier of one name with a value, and where the value stands.
fn bound(argument: &Argument) -> Option<(Name, Span)> {
    match &argument.kind {
        ArgumentKind::Modify {
            target,
            modification: Some(modification),
            ..
        } => match (target.as_slice(), &modification.binding) {
            ([name], Some(Binding::Expr(value))) => Some((name.name, value.span)),
            _ => None,
        },
        _ => None,
    }
}

/// What is written at a place of a class, on one line.
pub(crate) fn written(db: &dyn Db, owner: ClassId, span: Span) -> String {
    let place = resolve(db, ClassSpan::new(owner, span));
    let text = owner.file(db).text(db);
    let text = text.get(place.span.range()).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
