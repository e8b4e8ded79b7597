//! Which scalars of two connectors belong together.

use crate::flatten::Flattener;
use crate::layout::{extent, is_present};
use crate::model::Place;
use modeshift_base::{FxHashMap, Name};
use modeshift_diag::{Code, Diagnostic, Edit, Severity};
use modeshift_inst::exp::{Cref, Subscript};
use modeshift_inst::tree::{ClassKind, Component, ComponentId, Flow, Instance};
use modeshift_inst::ty::{Causality, Type, Variability};
use std::sync::Arc;

/// What a connection does with a pair of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Potential,
    Flow,
    Stream,
    /// Parameters and constants must be equal.
    Fixed,
}

/// Offsets of two scalars in their connectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub from: u32,
    pub to: u32,
    pub kind: Kind,
    /// Whether the first, and the second, is declared `input` or `output`. On a bus nothing is.
    pub causality: [Option<Causality>; 2],
}

pub(crate) type PairList = Arc<[Pair]>;

/// Pairs by the two components; the connectors of an array share one entry.
pub(crate) type KnownPairs = FxHashMap<(ComponentId, ComponentId), Option<PairList>>;

#[derive(Clone, Default)]
pub(crate) struct Pairs {
    known: KnownPairs,
    /// From the last time the same components were connected. All of these fit.
    before: Arc<KnownPairs>,
}

impl Pairs {
    /// Goes on with what was found for the same components.
    pub(crate) fn resume(&mut self, before: Arc<KnownPairs>) {
        self.before = before;
    }

    /// What was found this time and fits. What does not is to be reported again.
    pub(crate) fn found(&self) -> impl Iterator<Item = ((ComponentId, ComponentId), PairList)> {
        let known = self.known.iter();
        known.filter_map(|(key, pairs)| Some((*key, pairs.clone()?)))
    }
}

/// The pairs of two connectors; `None` if they do not fit, which is reported once.
pub(super) fn pairs_of(
    flattener: &mut Flattener<'_>,
    from: &Cref,
    to: &Cref,
    places: [Place; 2],
    connect: Place,
) -> Option<PairList> {
    let key = (from.component()?, to.component()?);
    let Pairs { known, before } = &flattener.connections.pairs;
    if let Some(known) = known.get(&key).or_else(|| before.get(&key)) {
        return known.clone();
    }
    let instance = flattener.cx.instance;
    let leaves = [leaves_of(flattener, key.0), leaves_of(flattener, key.1)];
    let result = match_leaves(instance, key, &leaves);
    let pairs = match result {
        Ok(pairs) => Some(Arc::from(pairs)),
        Err(mismatch) => {
            let components = [&instance.components[key.0], &instance.components[key.1]];
            let named = |cref: &Cref| -> String {
                let parts = cref.parts.iter();
                let names = parts.map(|part| instance.components[part.component].name.to_string());
                names.collect::<Vec<_>>().join(".")
            };
            let names = [named(from), named(to)];
            let others = others_that_fit(flattener, [from, to], &leaves);
            let members = leaves.map(|leaves| members(&leaves));
            let mut diagnostic = mismatch.explain(components, names, members, places, connect);
            if !others.is_empty() {
                let quoted: Vec<String> = others.iter().map(|it| format!("`{it}`")).collect();
                diagnostic = diagnostic.note(format!("{} would fit", quoted.join(" or ")));
            }
            flattener.cx.diagnostics.push(diagnostic);
            None
        }
    };
    flattener.connections.pairs.known.insert(key, pairs.clone());
    pairs
}

/// Other connectors of the components on the two sides that fit the opposite one. Each side has a few of them.
fn others_that_fit(
    flattener: &Flattener<'_>,
    sides: [&Cref; 2],
    leaves: &[Vec<Leaf>; 2],
) -> Vec<String> {
    let instance = flattener.cx.instance;
    let mut found = Vec::new();
    for (side, other) in [(0, 1), (1, 0)] {
        let [before @ .., _] = &sides[side].parts[..] else {
            continue;
        };
        let (Some(owner), Some(opposite)) = (before.last(), sides[other].component()) else {
            continue;
        };
        let Some(class) = instance.components[owner.component].class else {
            continue;
        };
        for &id in &instance.classes[class].components {
            let component = &instance.components[id];
            let fits = component.kind == ClassKind::Connector
                && component.dims.is_empty()
                && is_present(component)
                && match_leaves(
                    instance,
                    (id, opposite),
                    &[leaves_of(flattener, id), leaves[other].clone()],
                )
                .is_ok()
                && !(component.causality.is_some()
                    && component.causality == instance.components[opposite].causality);
            if fits {
                let names = before
                    .iter()
                    .map(|part| instance.components[part.component].name);
                let path: Vec<Name> = names.chain([component.name]).collect();
                found.push(dotted(&path));
            }
        }
    }
    // Where many fit, none of them says what was meant.
    match found.len() {
        0..=2 => found,
        _ => Vec::new(),
    }
}

/// A primitive member of a connector with all its scalars.
#[derive(Clone, Debug)]
struct Leaf {
    /// Names below the connector; empty for a connector that is a scalar type itself.
    path: Vec<Name>,
    kind: Kind,
    ty: Type,
    offsets: Vec<u32>,
    extents: Vec<usize>,
    causality: Option<Causality>,
    constant: bool,
    /// Part of an expandable connector: its causality follows from the connections.
    bus: bool,
    place: Place,
}

fn leaves_of(flattener: &Flattener<'_>, id: ComponentId) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let walk = LeafWalk {
        instance: flattener.cx.instance,
        flattener,
    };
    let component = &flattener.cx.instance.components[id];
    let start = Leaf {
        path: Vec::new(),
        kind: Kind::Potential,
        ty: Type::Unknown,
        offsets: vec![0],
        extents: Vec::new(),
        causality: None,
        constant: false,
        bus: is_on_bus(flattener.cx.instance, component),
        place: component.place,
    };
    walk.one_element(component, start, &mut leaves);
    leaves
}

/// Whether the component is an expandable connector or inside one.
fn is_on_bus(instance: &Instance, component: &Component) -> bool {
    let mut at = Some(component);
    while let Some(component) = at {
        if component.kind == ClassKind::ExpandableConnector || component.added {
            return true;
        }
        at = component.parent.map(|parent| &instance.components[parent]);
    }
    false
}

struct LeafWalk<'w, 'a> {
    instance: &'a Instance,
    flattener: &'w Flattener<'a>,
}

impl LeafWalk<'_, '_> {
    /// One element of a component: `so_far` holds the addresses of its elements.
    fn one_element(&self, component: &Component, mut so_far: Leaf, leaves: &mut Vec<Leaf>) {
        so_far.kind = kind_of(component, so_far.kind);
        so_far.causality = component.causality.or(so_far.causality);
        so_far.bus |= component.kind == ClassKind::ExpandableConnector;
        so_far.place = component.place;
        let Some(class) = component.class else {
            so_far.ty = component.ty.clone();
            so_far.constant = component.variability == Variability::Constant;
            leaves.push(so_far);
            return;
        };
        for &id in &self.instance.classes[class].components {
            let part = &self.instance.components[id];
            if !is_present(part) {
                continue;
            }
            let slot = self.flattener.cx.layout.slot(id);
            let mut next = so_far.clone();
            next.path.push(part.name);
            next.offsets = so_far
                .offsets
                .iter()
                .flat_map(|base| (0..slot.count).map(move |k| base + slot.offset + k * slot.size))
                .collect();
            next.extents
                .extend(part.dims.iter().map(|dim| extent(dim).unwrap_or(0)));
            self.one_element(part, next, leaves);
        }
    }
}

fn kind_of(component: &Component, outer: Kind) -> Kind {
    match component.flow {
        _ if component.variability <= Variability::Parameter && component.class.is_none() => {
            Kind::Fixed
        }
        Some(Flow::Flow) => Kind::Flow,
        Some(Flow::Stream) => Kind::Stream,
        None => outer,
    }
}

/// Why two connectors do not fit together.
enum Mismatch {
    /// A member that the other side lacks; `true` if it is missing in the second.
    Missing { path: Vec<Name>, in_second: bool },
    Kinds {
        path: Vec<Name>,
        kinds: [Kind; 2],
        places: [Place; 2],
    },
    /// One is a constant and the other a parameter.
    Variability { path: Vec<Name>, places: [Place; 2] },
    /// Only one of them is `input` or `output`; `true` if it is the first.
    Causality {
        path: Vec<Name>,
        first: bool,
        places: [Place; 2],
    },
    Types {
        path: Vec<Name>,
        types: [Type; 2],
        places: [Place; 2],
    },
    Extents {
        path: Vec<Name>,
        extents: [Vec<usize>; 2],
        places: [Place; 2],
    },
}

/// Whether the member of a connector, or something it is part of, is left out by its condition: what would be connected to
/// it is not (Modelica 3.6 §4.4.5). Linear in the instance tree.
fn is_left_out(instance: &Instance, connector: ComponentId, path: &[Name]) -> bool {
    let mut at = connector;
    for name in path {
        let mut ids = instance.components.ids();
        let is_member = |id: &ComponentId| {
            let component = &instance.components[*id];
            component.parent == Some(at) && component.name == *name
        };
        match ids.find(is_member) {
            Some(id) if instance.components[id].absent => return true,
            Some(id) => at = id,
            None => return false,
        }
    }
    false
}

/// Pairs by name; a parameter that only one side has is no obstacle, and neither is what one side leaves out.
fn match_leaves(
    instance: &Instance,
    connectors: (ComponentId, ComponentId),
    [from, to]: &[Vec<Leaf>; 2],
) -> Result<Vec<Pair>, Mismatch> {
    let mut pairs = Vec::new();
    let by_path: FxHashMap<&[Name], &Leaf> =
        to.iter().map(|leaf| (leaf.path.as_slice(), leaf)).collect();
    for left in from {
        let Some(right) = by_path.get(left.path.as_slice()) else {
            if left.kind == Kind::Fixed || is_left_out(instance, connectors.1, &left.path) {
                continue;
            }
            return Err(Mismatch::Missing {
                path: left.path.clone(),
                in_second: true,
            });
        };
        check(left, right)?;
        let both = left.offsets.iter().zip(&right.offsets);
        pairs.extend(both.map(|(&from, &to)| Pair {
            from,
            to,
            kind: left.kind,
            causality: [left, right].map(|leaf| leaf.causality.filter(|_| !leaf.bus)),
        }));
    }
    let mine: modeshift_base::FxHashSet<&[Name]> =
        from.iter().map(|leaf| leaf.path.as_slice()).collect();
    for right in to {
        let unmatched = right.kind != Kind::Fixed && !mine.contains(right.path.as_slice());
        if unmatched && !is_left_out(instance, connectors.0, &right.path) {
            return Err(Mismatch::Missing {
                path: right.path.clone(),
                in_second: false,
            });
        }
    }
    Ok(pairs)
}

fn check(left: &Leaf, right: &Leaf) -> Result<(), Mismatch> {
    let path = || left.path.clone();
    let places = [left.place, right.place];
    if left.kind != right.kind {
        return Err(Mismatch::Kinds {
            path: path(),
            kinds: [left.kind, right.kind],
            places,
        });
    }
    if left.kind == Kind::Fixed && left.constant != right.constant {
        let (constant, parameter) = if left.constant { (0, 1) } else { (1, 0) };
        return Err(Mismatch::Variability {
            path: path(),
            places: [places[constant], places[parameter]],
        });
    }
    if left.kind == Kind::Potential
        && !left.bus
        && !right.bus
        && left.causality.is_some() != right.causality.is_some()
    {
        return Err(Mismatch::Causality {
            path: path(),
            first: left.causality.is_some(),
            places,
        });
    }
    if !same_type(&left.ty, &right.ty) {
        let types = [left.ty.clone(), right.ty.clone()];
        return Err(Mismatch::Types {
            path: path(),
            types,
            places,
        });
    }
    if left.extents != right.extents {
        let extents = [left.extents.clone(), right.extents.clone()];
        return Err(Mismatch::Extents {
            path: path(),
            extents,
            places,
        });
    }
    Ok(())
}

/// Enumerations are the same if their literals are.
fn same_type(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Enumeration(a), Type::Enumeration(b)) => a.literals == b.literals,
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        _ => left == right,
    }
}

fn dotted(path: &[Name]) -> String {
    path.iter()
        .map(|name| name.as_str())
        .collect::<Vec<_>>()
        .join(".")
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Real => "Real".into(),
        Type::Integer => "Integer".into(),
        Type::Boolean => "Boolean".into(),
        Type::String => "String".into(),
        Type::Enumeration(ty) => ty.path.to_string(),
        Type::Record(ty) => ty.path.to_string(),
        other => format!("{other:?}"),
    }
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Potential => "a potential (no prefix)",
        Kind::Flow => "a `flow` variable",
        Kind::Stream => "a `stream` variable",
        Kind::Fixed => "a parameter or constant",
    }
}

fn shape_text(extents: &[usize]) -> String {
    if extents.is_empty() {
        return "a single value".into();
    }
    let extents: Vec<String> = extents.iter().map(ToString::to_string).collect();
    format!("of size [{}]", extents.join(", "))
}

impl Mismatch {
    fn explain(
        self,
        components: [&Component; 2],
        names: [String; 2],
        members: [String; 2],
        places: [Place; 2],
        connect: Place,
    ) -> Diagnostic<Place> {
        let start = |what: String| {
            Diagnostic::new(
                Code::MS3002,
                format!(
                    "`{}` and `{}` cannot be connected: {what}",
                    names[0], names[1]
                ),
            )
            .label(connect, "in this connection")
        };
        let told = match self {
            Self::Missing { path, in_second } if path.is_empty() => {
                let (signal, other) = if in_second { (0, 1) } else { (1, 0) };
                return start(format!("only `{}` is a signal", names[signal]))
                    .label(places[signal], "this is a signal: a single value")
                    .label(places[other], format!("this connector has {}", members[other]))
                    .note(
                        "put a component between them: a source with an input makes a physical quantity of a signal, a sensor a \
                         signal of a physical quantity",
                    );
            }
            Self::Missing { path, in_second } => {
                let (has, lacks) = if in_second { (0, 1) } else { (1, 0) };
                start(format!("only `{}` has a member `{}`", names[has], dotted(&path)))
                    .label(places[has], format!("this connector has {}", members[has]))
                    .label(places[lacks], format!("this connector has {}", members[lacks]))
            }
            Self::Kinds { path, kinds, places } => {
                start(format!("their members `{}` are of different kinds", dotted(&path)))
                    .label(places[0], format!("here it is {}", kind_name(kinds[0])))
                    .label(places[1], format!("here it is {}", kind_name(kinds[1])))
                    .note("A `flow` sums to zero at a connection, a potential is equal; the two cannot be mixed.")
            }
            Self::Variability { path, places } => {
                start(format!("one of their members `{}` is a constant, the other a parameter", dotted(&path)))
                    .label(places[0], "here it is a constant")
                    .label(places[1], "here it is a parameter")
            }
            Self::Causality { path, first, places } => {
                let (causal, other) = if first { (0, 1) } else { (1, 0) };
                let what = if path.is_empty() {
                    "only one of them is an input or output".to_owned()
                } else {
                    format!("only one of their members `{}` is an input or output", dotted(&path))
                };
                start(what)
                    .label(places[causal], "here it is a signal, `input` or `output`")
                    .label(places[other], "here it has no direction")
                    .note("A signal can be connected to signals only: connect it to a connector that is `input` or `output`, or write an equation.")
            }
            Self::Types { path, types, places: _ } if path.is_empty() => {
                let written = [type_name(&types[0]), type_name(&types[1])];
                let diagnostic = Diagnostic::new(
                    Code::MS3002,
                    format!(
                        "`{}` is {} and `{}` is {}: they cannot be connected",
                        names[0], written[0], names[1], written[1]
                    ),
                )
                .label(connect, "in this connection")
                .label(places[0], format!("this is {}", written[0]))
                .label(places[1], format!("this is {}", written[1]));
                let (from, to) = match components[0].causality {
                    Some(Causality::Output) => (0, 1),
                    _ => (1, 0),
                };
                return match converter(&types[from], &types[to]) {
                    Some(advice) => diagnostic.note(advice),
                    None => diagnostic,
                };
            }
            Self::Types { path, types, places } => {
                start(format!("their members `{}` have different types", dotted(&path)))
                    .label(places[0], format!("here it is {}", type_name(&types[0])))
                    .label(places[1], format!("here it is {}", type_name(&types[1])))
            }
            Self::Extents { path, extents, places } => {
                start(format!("their members `{}` have different sizes", dotted(&path)))
                    .label(places[0], format!("here it is {}", shape_text(&extents[0])))
                    .label(places[1], format!("here it is {}", shape_text(&extents[1])))
            }
        };
        told.note(
            "connected connectors must have members of the same names, kinds, types and sizes",
        )
    }
}

/// The members of a connector, a few of them: "`v` and `i`".
fn members(leaves: &[Leaf]) -> String {
    const MAX_SHOWN: usize = 4;
    let names = leaves.iter().filter(|leaf| leaf.kind != Kind::Fixed);
    let names: Vec<String> = names
        .map(|leaf| format!("`{}`", dotted(&leaf.path)))
        .collect();
    match &names[..] {
        [] => "no members".into(),
        [only] if only == "``" => "a single value".to_owned(),
        [only] => format!("the member {only}"),
        [rest @ .., last] if names.len() <= MAX_SHOWN => {
            format!("the members {} and {last}", rest.join(", "))
        }
        _ => format!("the members {} and others", names[..MAX_SHOWN].join(", ")),
    }
}

/// Which block makes a signal of another type of one.
fn converter(from: &Type, to: &Type) -> Option<&'static str> {
    Some(match (from, to) {
        (Type::Real, Type::Boolean) => {
            "put a block between them that compares the signal with a threshold, such as `Modelica.Blocks.Logical.GreaterThreshold`"
        }
        (Type::Boolean, Type::Real) => {
            "put a block between them that gives a number for each truth value, such as `Modelica.Blocks.Math.BooleanToReal`"
        }
        (Type::Integer, Type::Real) => {
            "put a block between them that converts the signal: `Modelica.Blocks.Math.IntegerToReal`"
        }
        (Type::Real, Type::Integer) => {
            "put a block between them that rounds the signal: `Modelica.Blocks.Math.RealToInteger`"
        }
        (Type::Boolean, Type::Integer) => {
            "put a block between them that converts the signal: `Modelica.Blocks.Math.BooleanToInteger`"
        }
        (Type::Integer, Type::Boolean) => {
            "put a block between them that compares the signal with a threshold"
        }
        _ => return None,
    })
}

/// The two sides of a `connect` have different numbers of elements.
pub(super) fn different_sizes(
    flattener: &mut Flattener<'_>,
    sides: [&Cref; 2],
    counts: [usize; 2],
    places: [Place; 2],
) {
    let components = &flattener.cx.instance.components;
    let declared = sides.map(|cref| cref.component().and_then(|id| components.get(id)));
    let count = |n: usize| {
        if n == 1 {
            "1 connector".to_owned()
        } else {
            format!("{n} connectors")
        }
    };
    let mut diagnostic = Diagnostic::new(
        Code::MS3003,
        format!(
            "{} cannot be connected to {}",
            count(counts[0]),
            count(counts[1])
        ),
    )
    .label(places[0], count(counts[0]))
    .label(places[1], count(counts[1]));
    for component in declared.into_iter().flatten() {
        diagnostic = diagnostic.label(
            component.place,
            format!("`{}` is declared here", component.name),
        );
    }
    flattener.cx.diagnostics.push(diagnostic.note(
        "Arrays of connectors are connected element by element, so both sides need the same size.",
    ));
}

/// Both sides of a `connect` have the same number of dimensions (Modelica 3.6 §9.1). One connector and an array of one
/// can mean only one thing, so this is a warning.
pub(super) fn check_ranks(
    flattener: &mut Flattener<'_>,
    sides: [&Cref; 2],
    count: usize,
    places: [Place; 2],
) {
    let instance = flattener.cx.instance;
    let rank = |cref: &Cref| -> usize {
        let parts = cref.parts.iter();
        let open = parts.map(|part| {
            let dims = instance
                .components
                .get(part.component)
                .map_or(0, |it| it.dims.len());
            let chosen = part.subscripts.iter();
            dims - chosen
                .filter(|it| matches!(it, Subscript::Index(_)))
                .count()
                .min(dims)
        });
        open.sum()
    };
    let ranks = sides.map(rank);
    if count != 1 || ranks[0].min(ranks[1]) != 0 || ranks[0] == ranks[1] {
        return;
    }
    let array = usize::from(ranks[1] > ranks[0]);
    let name = |cref: &Cref| -> String {
        let parts = cref.parts.iter();
        let names = parts.map(|part| instance.components[part.component].name.to_string());
        names.collect::<Vec<_>>().join(".")
    };
    let mut diagnostic = Diagnostic::new(
        Code::MS3003,
        format!(
            "`{}` is an array of 1 connector, and `{}` is a single one",
            name(sides[array]),
            name(sides[1 - array])
        ),
    )
    .with_severity(Severity::Warning)
    .label(places[array], "an array of 1 element")
    .label(places[1 - array], "not an array");
    let last = sides[array].parts.last();
    if ranks[array] == 1 && last.is_some_and(|part| part.subscripts.is_empty()) {
        let at = places[array].end();
        let edit = Edit {
            at,
            text: "[1]".into(),
        };
        diagnostic = diagnostic.fix("connect its first element", vec![edit]);
    }
    flattener.cx.diagnostics.push(diagnostic);
}

/// A subscript of a `connect` has no value at compile time, or names no element.
pub(super) fn unknown_elements(
    flattener: &mut Flattener<'_>,
    sides: [&Cref; 2],
    places: [Place; 2],
    whole: Place,
) {
    for (cref, place) in sides.into_iter().zip(places) {
        let Some((array, given, size)) = flattener.cx.subscript_outside(cref) else {
            continue;
        };
        let declared = cref
            .parts
            .iter()
            .rev()
            .find(|part| !part.subscripts.is_empty());
        let declared = declared
            .and_then(|part| flattener.cx.instance.components.get(part.component))
            .map(|component| component.place);
        let mut diagnostic = Diagnostic::new(
            Code::MS2026,
            match size {
                0 => format!("`{array}[{given}]` does not exist: `{array}` has no elements"),
                _ => format!("subscript {given} is out of bounds: `{array}` has size {size}"),
            },
        )
        .label(place, format!("`{array}[{given}]` is connected here"));
        if let Some(declared) = declared {
            let text = match size {
                0 => "the size given here is 0".to_owned(),
                _ => format!("the size given here is {size}"),
            };
            diagnostic = diagnostic.label(declared, text);
        }
        flattener.cx.diagnostics.push(match size {
            0 => diagnostic,
            _ => diagnostic.note(format!("subscripts go from 1 to {size}")),
        });
        return;
    }
    flattener.cx.diagnostics.push(
        Diagnostic::new(Code::MS3004, "which connectors are connected here is not known at compile time")
            .label(whole, "a subscript in this connection has no known value")
            .note("Connections decide which equations there are; their subscripts must be parameters or loop iterators."),
    );
}
