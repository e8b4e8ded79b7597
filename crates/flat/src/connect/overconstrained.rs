//! Overconstrained connection graphs (Modelica 3.6 §9.4): roots, branches, a spanning tree, and
//! `equalityConstraint` where a loop is cut.
//!
//! Nodes are overconstrained members of connectors, named by their first scalar. Branches are required
//! edges, connections optional ones; the last connection written is the first to enter the tree, as in
//! OpenModelica. Almost linear in the number of edges.

use super::Connection;
use super::sets::DisjointSets;
use crate::flatten::{Flattener, is_connector};
use crate::layout::is_present;
use crate::model::{Equation, EquationKind, FlatExp, FlatRef, Origin, OriginKind};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Idx};
use modeshift_inst::exp::{Call, Callee, Exp};
use modeshift_inst::tree::ComponentId;
use modeshift_inst::ty::{ArrayType, Dim, Type};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The virtual connection graph.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    roots: Vec<u32>,
    potential_roots: Vec<(u32, i64)>,
    branches: Vec<(u32, u32)>,
    /// Components that the operators were applied to: what is overconstrained here.
    members: FxHashSet<ComponentId>,
    chosen: FxHashSet<u32>,
    /// Distance to the root along the tree.
    distance: FxHashMap<u32, u32>,
}

impl Graph {
    pub fn is_root(&self, node: u32) -> bool {
        self.chosen.contains(&node)
    }

    /// Whether `node` is nearer to the root than the other end of its branch.
    pub fn is_rooted(&self, node: u32) -> bool {
        let far = u32::MAX;
        let distance = |node: &u32| self.distance.get(node).copied().unwrap_or(far);
        self.branches.iter().any(|(a, b)| {
            (*a == node && distance(a) < distance(b)) || (*b == node && distance(b) < distance(a))
        })
    }
}

/// What the cut connections leave.
#[derive(Default)]
pub(crate) struct Broken {
    /// `equalityConstraint(…) = zeros(…)` of the connections that were cut.
    pub equations: Vec<Equation>,
    /// By connection: the scalars of the first side that are not joined.
    cuts: FxHashMap<u32, Vec<Range<u32>>>,
}

impl Broken {
    /// Whether a scalar of the first connector is left out of the sets.
    pub fn is_cut(&self, connection: u32, offset: u32) -> bool {
        self.cuts
            .get(&connection)
            .is_some_and(|cuts| cuts.iter().any(|cut| cut.contains(&offset)))
    }
}

/// Notes `Connections.root(…)`, `potentialRoot`, `branch`.
pub(crate) fn operator(flattener: &mut Flattener<'_>, call: &Exp) {
    let Exp::Call(call) = call else { return };
    let Callee::Builtin(name) = &call.function else {
        return;
    };
    let mut nodes = Vec::new();
    for arg in &call.args {
        if let Exp::Ref(cref) = arg {
            nodes.extend(first_of(flattener, cref));
            flattener.connections.graph.members.extend(cref.component());
        }
    }
    let priority = match call.args.get(1).map(|arg| flattener.cx.scalar(arg)) {
        Some(Exp::Int(priority)) => priority,
        Some(Exp::Ref(FlatRef::Var(id))) => match flattener.model.variables.get(id) {
            Some(variable) => match variable.binding {
                Some(Exp::Int(priority)) => priority,
                _ => 0,
            },
            None => 0,
        },
        _ => 0,
    };
    let graph = &mut flattener.connections.graph;
    match (name.as_str(), nodes.as_slice()) {
        ("Connections.root" | "Connections.uniqueRoot", [node, ..]) => graph.roots.push(*node),
        ("Connections.branch", [a, b, ..]) => graph.branches.push((*a, *b)),
        ("Connections.potentialRoot", [node, ..]) => graph.potential_roots.push((*node, priority)),
        _ => {}
    }
}

/// First scalar of a node, whatever array dimensions it has.
fn first_of(flattener: &mut Flattener<'_>, cref: &modeshift_inst::exp::Cref) -> Option<u32> {
    flattener.cx.bases(cref)?.first().copied()
}

/// An optional edge: one overconstrained member of one connection.
struct Edge {
    connection: u32,
    /// First scalars of both ends.
    ends: [u32; 2],
    /// Scalars of the member relative to the first connector.
    scalars: Range<u32>,
    members: [ComponentId; 2],
}

/// Chooses roots and the connections to cut.
pub(crate) fn resolve(flattener: &mut Flattener<'_>) -> Broken {
    if flattener.connections.graph.members.is_empty() {
        return Broken::default();
    }
    let edges = optional_edges(flattener);
    let mut tree = Tree::default();
    let graph = &flattener.connections.graph;
    for &root in &graph.roots {
        tree.attach_root(root);
    }
    for &(a, b) in &graph.branches {
        tree.join(a, b);
        tree.edge(a, b);
    }
    let mut cut = Vec::new();
    // A connection set is joined by as few edges as it takes; connections beyond them say nothing new (§9.4.2).
    let mut sets = Tree::default();
    let mut redundant = Vec::new();
    for edge in edges.iter().rev() {
        let [a, b] = edge.ends;
        let connection = &flattener.connections.list[edge.connection as usize];
        let outside = [connection.from.outside, connection.to.outside].map(u32::from);
        if !sets.join(2 * a + outside[0], 2 * b + outside[1]) {
            redundant.push(edge);
        } else if tree.join(a, b) {
            tree.edge(a, b);
        } else {
            cut.push(edge);
        }
    }
    let graph = &mut flattener.connections.graph;
    graph.chosen.extend(graph.roots.iter().copied());
    let mut candidates = graph.potential_roots.clone();
    candidates.sort_by_key(|&(_, priority)| priority);
    for (node, _) in candidates {
        if tree.attach_root(node) {
            graph.chosen.insert(node);
        }
    }
    graph.distance = tree.distances(&graph.chosen);
    cut.reverse();
    broken(flattener, &cut, &redundant)
}

/// Overconstrained members of all connections, in order.
fn optional_edges(flattener: &Flattener<'_>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (number, connection) in flattener.connections.list.iter().enumerate() {
        member_edges(flattener, number as u32, connection, &mut edges);
    }
    edges
}

fn member_edges(
    flattener: &Flattener<'_>,
    number: u32,
    connection: &Connection,
    edges: &mut Vec<Edge>,
) {
    let whole = Nested {
        components: connection.components,
        offsets: [0, 0],
    };
    nested_edges(flattener, number, connection, &whole, edges);
}

/// A connector inside the two that are connected, by its first scalars relative to them.
struct Nested {
    components: [ComponentId; 2],
    offsets: [u32; 2],
}

/// The members of connectors, those of connectors inside them included: each element of an array is a node of its own.
fn nested_edges(
    flattener: &Flattener<'_>,
    number: u32,
    connection: &Connection,
    nested: &Nested,
    edges: &mut Vec<Edge>,
) {
    let cx = &flattener.cx;
    let members = &flattener.connections.graph.members;
    let parts = |id: ComponentId| {
        let class = cx.instance.components[id].class;
        class.map_or(&[][..], |class| &cx.instance.classes[class].components)
    };
    let [from, to] = nested.components;
    for &left in parts(from) {
        let component = &cx.instance.components[left];
        if !is_present(component) {
            continue;
        }
        let same_name = |id: &&ComponentId| cx.instance.components[**id].name == component.name;
        let Some(&right) = parts(to).iter().find(same_name) else {
            continue;
        };
        let (a, b) = (cx.layout.slot(left), cx.layout.slot(right));
        let [here, there] = [nested.offsets[0] + a.offset, nested.offsets[1] + b.offset];
        let is_node = |id| members.contains(&id) || cx.instance.components[id].constraint.is_some();
        if is_node(left) || is_node(right) {
            edges.push(Edge {
                connection: number,
                ends: [connection.from.base + here, connection.to.base + there],
                scalars: here..here + a.count * a.size,
                members: [left, right],
            });
        } else if is_connector(component.kind) {
            for k in 0..a.count.min(b.count) {
                let inside = Nested {
                    components: [left, right],
                    offsets: [here + k * a.size, there + k * b.size],
                };
                nested_edges(flattener, number, connection, &inside, edges);
            }
        }
    }
}

/// The spanning forest under construction.
#[derive(Default)]
struct Tree {
    sets: DisjointSets,
    numbers: FxHashMap<u32, u32>,
    neighbours: FxIndexMap<u32, Vec<u32>>,
    /// The dummy node all roots hang on.
    top: Option<u32>,
}

impl Tree {
    fn number(&mut self, node: u32) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| self.sets.add())
    }

    /// Joins two nodes; `false` if they were joined already.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.number(a), self.number(b));
        let apart = self.sets.find(a) != self.sets.find(b);
        self.sets.join(a, b);
        apart
    }

    /// Makes `node` the root of its tree; `false` if that has one already.
    fn attach_root(&mut self, node: u32) -> bool {
        let top = *self.top.get_or_insert_with(|| self.sets.add());
        let node = self.number(node);
        let apart = self.sets.find(top) != self.sets.find(node);
        self.sets.join(top, node);
        apart
    }

    fn edge(&mut self, a: u32, b: u32) {
        self.neighbours.entry(a).or_default().push(b);
        self.neighbours.entry(b).or_default().push(a);
    }

    fn distances(&self, roots: &FxHashSet<u32>) -> FxHashMap<u32, u32> {
        let mut distance: FxHashMap<u32, u32> = roots.iter().map(|&root| (root, 0)).collect();
        let mut queue: VecDeque<u32> = roots.iter().copied().collect();
        while let Some(node) = queue.pop_front() {
            let next = distance.get(&node).copied().unwrap_or(0) + 1;
            for &neighbour in self.neighbours.get(&node).into_iter().flatten() {
                if let std::collections::hash_map::Entry::Vacant(entry) = distance.entry(neighbour)
                {
                    entry.insert(next);
                    queue.push_back(neighbour);
                }
            }
        }
        distance
    }
}

fn broken(flattener: &mut Flattener<'_>, cut: &[&Edge], redundant: &[&Edge]) -> Broken {
    let mut broken = Broken::default();
    for edge in cut.iter().chain(redundant) {
        let cuts = broken.cuts.entry(edge.connection).or_default();
        cuts.push(edge.scalars.clone());
    }
    for edge in cut {
        broken.equations.extend(constraint(flattener, edge));
    }
    broken
}

/// `T.equalityConstraint(a.R, b.R) = {0, …}`; nothing where the function has no output.
fn constraint(flattener: &mut Flattener<'_>, edge: &Edge) -> Option<Equation> {
    let constraint = |member| equality_constraint(flattener, member);
    let (function, size) = constraint(edge.members[0]).or_else(|| constraint(edge.members[1]))?;
    if size == 0 {
        return None;
    }
    let args = [0, 1].map(|side| whole(flattener, edge.ends[side], edge.members[side]));
    let ty = Type::Array(Arc::new(ArrayType {
        element: Type::Real,
        dims: vec![Dim::Known(size)],
    }));
    let lhs = Exp::Call(Box::new(Call {
        function: Callee::User(function),
        args: args.into(),
        ty: ty.clone(),
    }));
    let zeros = (0..size).map(|_| Exp::Real(0.0)).collect();
    let connection = &flattener.connections.list[edge.connection as usize];
    let origin = Origin {
        span: connection.place,
        also: Vec::new(),
        instance: connection.instance.clone(),
        kind: OriginKind::Connection,
        comment: None,
    };
    Some(Equation {
        kind: EquationKind::Equality {
            lhs,
            rhs: Exp::Array(zeros, ty.clone()),
            ty,
        },
        origin: Arc::new(origin),
    })
}

/// The function that tells how far two values are from being equal, and its number of outputs.
fn equality_constraint(flattener: &Flattener<'_>, member: ComponentId) -> Option<(Arc<str>, i64)> {
    let instance = flattener.cx.instance;
    let name = instance.components[member].constraint.as_ref()?;
    let function = instance
        .functions
        .binary_search_by(|function| function.name.cmp(name))
        .ok()
        .map(|position| &instance.functions[position])?;
    let output = function
        .variables
        .iter()
        .map(|&id| &instance.components[id])
        .find(|variable| variable.causality == Some(modeshift_inst::ty::Causality::Output))?;
    let size = match output.dims.first() {
        Some(Dim::Known(size)) => *size,
        _ => 1,
    };
    Some((function.name.clone(), size))
}

/// All scalars of one member as a group.
fn whole(flattener: &mut Flattener<'_>, base: u32, member: ComponentId) -> FlatExp {
    let slot = flattener.cx.layout.slot(member);
    let component = &flattener.cx.instance.components[member];
    let first = &flattener.model.variables[Idx::new(base as usize)];
    let stem = first.stem as usize;
    // The name of the first scalar up to and including the member's own name.
    let own = component.name.as_str();
    let end = first
        .name
        .rfind(own)
        .map_or(first.name.len(), |start| start + own.len());
    let name = first.name[..end].to_owned();
    let ty = match component.dims.as_slice() {
        [] => component.ty.clone(),
        dims => Type::Array(Arc::new(ArrayType {
            element: component.ty.clone(),
            dims: dims.to_vec(),
        })),
    };
    let members = (base..base + slot.count * slot.size)
        .map(|raw| Idx::new(raw as usize))
        .collect();
    let id = flattener.cx.group(&name, |name| crate::model::Group {
        name,
        ty,
        members,
        stem: stem.min(end) as u32,
        marks: Vec::new(),
    });
    Exp::Ref(FlatRef::Group(id))
}
