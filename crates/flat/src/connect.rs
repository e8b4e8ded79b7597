//! Connections: from `connect` equations to equalities, flow sums and stream formulas.
//!
//! [`collect`] notes each connection as a pair of element addresses while the model is walked;
//! [`generate`] joins the scalar parts into connection sets and writes the equations. Time is almost linear
//! in the number of connected scalars.

pub(crate) mod equations;
pub(crate) mod expandable;
pub(crate) mod operators;
pub(crate) mod overconstrained;
pub(crate) mod pairs;
pub(crate) mod rules;
pub mod sets;
mod sources;
pub(crate) mod stream;

use crate::flatten::Flattener;
use crate::model::{Place, VarId};
use modeshift_base::FxHashMap;
use modeshift_inst::exp::{Callee, Cref, Exp};
use modeshift_inst::tree::{ClassKind, ComponentId, Equation, EquationKind};
use pairs::{PairList, Pairs};
use std::sync::Arc;

pub(crate) use equations::generate;
pub(crate) use overconstrained::operator;

/// Everything about connections that the walk has met.
#[derive(Clone, Default)]
pub(crate) struct Connections {
    /// In the order of the walk.
    pub list: Vec<Connection>,
    /// Which scalars of two connectors belong together, by the pair of components.
    pub pairs: Pairs,
    /// For each stream variable the flow variable of its connector.
    pub stream_flows: FxHashMap<u32, u32>,
    /// How many connections a connector element takes part in, by its first scalar; for `cardinality`.
    pub cardinality: FxHashMap<u32, i64>,
    /// Flow variables that connections added to expandable connectors.
    pub added_flows: Vec<VarId>,
    /// Roots, potential roots and branches of the virtual connection graph.
    pub graph: overconstrained::Graph,
}

/// One element of a connector seen from one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    /// First scalar.
    pub base: u32,
    /// A connector of the class the `connect` stands in, not of one of its components.
    pub outside: bool,
    /// A protected connector of that class: nothing comes in from outside.
    pub protected: bool,
}

/// One connection between two scalar elements of connectors.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub from: End,
    pub to: End,
    pub pairs: PairList,
    /// The connector components of both sides.
    pub components: [ComponentId; 2],
    pub place: Place,
    /// The instance whose class the `connect` stands in.
    pub instance: Arc<str>,
}

/// Notes a `connect` equation, element by element.
pub(crate) fn collect(
    flattener: &mut Flattener<'_>,
    equation: &Equation,
    owner: Option<ComponentId>,
) {
    let EquationKind::Connect {
        from,
        to,
        from_place,
        to_place,
    } = &equation.kind
    else {
        return;
    };
    if is_absent(flattener, from) || is_absent(flattener, to) {
        return;
    }
    let (Some(lefts), Some(rights)) = (flattener.cx.bases(from), flattener.cx.bases(to)) else {
        return pairs::unknown_elements(
            flattener,
            [from, to],
            [*from_place, *to_place],
            equation.place,
        );
    };
    let Some(pairs) = pairs::pairs_of(
        flattener,
        from,
        to,
        [*from_place, *to_place],
        equation.place,
    ) else {
        return;
    };
    if lefts.len() != rights.len() {
        return pairs::different_sizes(
            flattener,
            [from, to],
            [lefts.len(), rights.len()],
            [*from_place, *to_place],
        );
    }
    pairs::check_ranks(flattener, [from, to], lefts.len(), [*from_place, *to_place]);
    let scope = scope_of(flattener, [from, to], owner);
    let outside = [from, to].map(|cref| is_outside(flattener, cref, scope));
    let protected = [from, to].map(|cref| {
        let first = cref.parts.first();
        first
            .and_then(|part| flattener.cx.instance.components.get(part.component))
            .is_some_and(|component| component.protected)
    });
    let instance = flattener.instance_name().clone();
    let (Some(a), Some(b)) = (from.component(), to.component()) else {
        return;
    };
    let components = [a, b];
    for (left, right) in lefts.into_iter().zip(rights) {
        *flattener.connections.cardinality.entry(left).or_default() += 1;
        *flattener.connections.cardinality.entry(right).or_default() += 1;
        flattener.connections.list.push(Connection {
            from: End {
                base: left,
                outside: outside[0],
                protected: protected[0],
            },
            to: End {
                base: right,
                outside: outside[1],
                protected: protected[1],
            },
            pairs: pairs.clone(),
            components,
            place: equation.place,
            instance: instance.clone(),
        });
    }
}

/// A component on the way is switched off: the connection vanishes with it.
fn is_absent(flattener: &Flattener<'_>, cref: &Cref) -> bool {
    let components = &flattener.cx.instance.components;
    let first = cref.parts.first().map(|part| part.component);
    let mut above = first.and_then(|id| components.get(id)?.parent);
    while let Some(component) = above.and_then(|id| components.get(id)) {
        if component.absent {
            return true;
        }
        above = component.parent;
    }
    cref.parts.iter().any(|part| {
        components
            .get(part.component)
            .is_some_and(|component| component.absent)
    })
}

/// The class a connection belongs to: where an `outer` connector is meant, that of the `inner` one
/// (Modelica 3.6 §9.2).
fn scope_of(
    flattener: &Flattener<'_>,
    sides: [&Cref; 2],
    owner: Option<ComponentId>,
) -> Option<ComponentId> {
    let components = &flattener.cx.instance.components;
    let first = |cref: &Cref| components.get(cref.parts.first()?.component);
    sides
        .into_iter()
        .filter_map(first)
        .find(|component| component.parent != owner)
        .map_or(owner, |component| component.parent)
}

/// Whether the reference names a connector of the class itself (Modelica 3.6 §9.1.2).
fn is_outside(flattener: &Flattener<'_>, cref: &Cref, scope: Option<ComponentId>) -> bool {
    let components = &flattener.cx.instance.components;
    cref.parts
        .first()
        .and_then(|part| components.get(part.component))
        .is_some_and(|first| {
            first.parent == scope
                && matches!(
                    first.kind,
                    ClassKind::Connector | ClassKind::ExpandableConnector
                )
        })
}

/// `Connections.root(…)` and its like, which are no equations.
pub(crate) fn is_operator(call: &Exp) -> bool {
    matches!(call, Exp::Call(call)
        if matches!(&call.function, Callee::Builtin(name) if name.as_str().starts_with("Connections.")))
}
