//! Overconstrained connection graphs (Modelica 3.6 §9.4): roots, branches, a spanning tree, and
//! `equalityConstraint` where a loop is cut.

use crate::flatten::Flattener;
use crate::model::{Equation, Place};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_inst::exp::{Callee, Exp};

/// The virtual connection graph.
#[derive(Default)]
pub(crate) struct Graph {
    /// Nodes are overconstrained parts of connectors, by their first scalar.
    roots: Vec<u32>,
    potential_roots: Vec<(u32, i64)>,
    branches: Vec<(u32, u32)>,
    chosen: FxHashSet<u32>,
    /// Nodes that are nearer to the root than the other end of their branch.
    rooted: FxHashMap<u32, bool>,
}

impl Graph {
    pub fn is_root(&self, node: u32) -> bool {
        self.chosen.contains(&node)
    }

    pub fn is_rooted(&self, node: u32) -> bool {
        self.rooted.get(&node).copied().unwrap_or(false)
    }
}

/// What the cut connections leave.
#[derive(Default)]
pub(crate) struct Broken {
    /// `equalityConstraint(…) = zeros(…)` of the connections that were cut.
    pub equations: Vec<Equation>,
    /// By connection: the scalars of the first side that are not joined.
    cuts: FxHashMap<u32, std::ops::Range<u32>>,
}

impl Broken {
    pub fn cut(&self, connection: u32) -> Option<std::ops::Range<u32>> {
        self.cuts.get(&connection).cloned()
    }
}

/// Notes `Connections.root(…)`, `potentialRoot`, `branch`.
pub(crate) fn operator(flattener: &mut Flattener<'_>, call: &Exp, _place: Place) {
    let Exp::Call(call) = call else { return };
    let Callee::Builtin(name) = &call.function else {
        return;
    };
    let mut nodes = Vec::new();
    for arg in &call.args {
        if let Exp::Ref(cref) = arg {
            nodes.extend(
                flattener
                    .cx
                    .bases(cref)
                    .and_then(|bases| bases.first().copied()),
            );
        }
    }
    let graph = &mut flattener.connections.graph;
    match (name.as_str(), nodes.as_slice()) {
        ("Connections.root", [node, ..]) => graph.roots.push(*node),
        ("Connections.branch", [a, b, ..]) => graph.branches.push((*a, *b)),
        ("Connections.potentialRoot", [node, ..]) => {
            let priority = match call.args.get(1).map(|arg| flattener.cx.scalar(arg)) {
                Some(Exp::Int(priority)) => priority,
                _ => 0,
            };
            flattener
                .connections
                .graph
                .potential_roots
                .push((*node, priority));
        }
        _ => {}
    }
}

/// Chooses roots and the connections to cut.
pub(crate) fn resolve(_flattener: &mut Flattener<'_>) -> Broken {
    Broken::default()
}
