//! Components that take no part in the model because of how they are connected: not at all, at one end only, or with
//! both ends to the same point.
//!
//! Found from flows, potentials and what a component's equations say of its flows, so in every domain and for the
//! modeller's own connectors. Only connectors with a single flow count: where several flows belong together, an open
//! end may be meant.

use crate::circuit::{Circuit, Role};
use crate::known::Knowns;
use crate::model::{EquationKind, FlatExp, FlatModel, FlatRef, OriginKind, Place, VarId};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{BinaryOp, Exp, UnaryOp};

/// A connector of a component, with its flow and its potentials.
struct Port {
    name: String,
    flow: VarId,
    potentials: Vec<VarId>,
}

/// A component of the modeller's own text with its connectors.
struct Part {
    name: String,
    place: Place,
    ports: Vec<Port>,
}

pub(super) fn idle_components(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Diagnostic<Place>> {
    let connections = || {
        let equations = model.equations.iter();
        equations.filter(|it| it.origin.kind == OriginKind::Connection)
    };
    let mut components = circuit.instance.components.iter();
    if connections().next().is_none() && components.all(|it| it.left_open.is_none()) {
        return Vec::new();
    }
    let open: FxHashSet<VarId> = model
        .equations
        .iter()
        .filter(|it| it.origin.kind == OriginKind::UnconnectedFlow)
        .filter_map(|it| match &it.kind {
            EquationKind::Equality { lhs, .. } => variable(lhs),
            _ => None,
        })
        .collect();
    let mut joined = Alike::apart(model);
    for equation in connections() {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind
            && let (Some(a), Some(b)) = (variable(lhs), variable(rhs))
        {
            joined.union(a, b);
        }
    }
    let mut same_size = related(model, &signed);
    let knowns = Knowns::always(model);
    let mut proportional = related(model, &|exp| scaled(&knowns, exp));
    let mut found = Vec::new();
    let mut told: FxHashSet<Place> = FxHashSet::default();
    for part in parts(model, circuit) {
        let diagnostic = vanished(circuit, &part, &open)
            .or_else(|| isolated(&part, &open))
            .or_else(|| dead_end(model, circuit, &part, &open, &mut proportional))
            .or_else(|| shorted(model, &part, &mut joined, &mut same_size));
        if let Some(diagnostic) = diagnostic
            && told.insert(part.place)
        {
            found.push(diagnostic);
        }
    }
    found
}

/// One of its connectors is open because what it is connected to does not exist.
fn vanished(
    circuit: &Circuit<'_>,
    part: &Part,
    open: &FxHashSet<VarId>,
) -> Option<Diagnostic<Place>> {
    let mut ports = part.ports.iter().filter(|port| open.contains(&port.flow));
    let (port, why) = ports.find_map(|port| Some((port, circuit.left_open(&port.name)?)))?;
    let absent = &why.absent;
    let mut diagnostic = Diagnostic::new(
        Code::MS3012,
        format!(
            "`{}` is connected to `{absent}`, which does not exist, because its condition is false",
            port.name
        ),
    )
    .label(why.connect, "this connection has no effect");
    let Some((declared, condition)) = &why.declared else {
        return Some(diagnostic);
    };
    diagnostic = diagnostic.label(*declared, format!("exists only if `{condition}`"));
    let plain = |it: char| it.is_alphanumeric() || it == '_';
    Some(match absent.rsplit_once('.') {
        Some((owner, _)) if condition.chars().all(plain) => {
            diagnostic.note(format!("set the parameter: `{owner}({condition} = true)`"))
        }
        _ => diagnostic,
    })
}

/// None of its connectors is connected.
fn isolated(part: &Part, open: &FxHashSet<VarId>) -> Option<Diagnostic<Place>> {
    if !part.ports.iter().all(|port| open.contains(&port.flow)) {
        return None;
    }
    let ports: Vec<String> = part
        .ports
        .iter()
        .map(|it| format!("`{}`", it.name))
        .collect();
    let message = match ports.len() {
        1 => format!("`{}` is not connected to anything", part.name),
        _ => format!("none of the connectors of `{}` is connected", part.name),
    };
    Some(
        Diagnostic::new(Code::MS3012, message)
            .label(part.place, "has no effect on the rest of the model")
            .note(match &ports[..] {
                [only] => format!("connect {only}, or remove the component"),
                _ => format!("connect {}, or remove the component", ports.join(" and ")),
            }),
    )
}

/// What flows in at one connector flows out at another, which is not connected.
fn dead_end(
    model: &FlatModel,
    circuit: &Circuit<'_>,
    part: &Part,
    open: &FxHashSet<VarId>,
    proportional: &mut Alike,
) -> Option<Diagnostic<Place>> {
    let is_open = |port: &&Port| open.contains(&port.flow);
    let end = part.ports.iter().find(is_open)?;
    let mut others = part.ports.iter().filter(|port| port.name != end.name);
    others.find(|port| proportional.root(port.flow) == proportional.root(end.flow))?;
    let noun = circuit.noun(&model.variables[end.flow].name);
    Some(
        Diagnostic::new(
            Code::MS3012,
            format!(
                "`{}` is not connected, so {noun} through `{}` is always zero",
                end.name, part.name
            ),
        )
        .label(part.place, format!("`{}` is open", end.name))
        .note(format!(
            "connect `{}` to the component where the path goes on",
            end.name
        )),
    )
}

/// Both connectors are connected to the same point.
fn shorted(
    model: &FlatModel,
    part: &Part,
    joined: &mut Alike,
    same_size: &mut Alike,
) -> Option<Diagnostic<Place>> {
    let [a, b] = &part.ports[..] else { return None };
    let through = same_size.root(a.flow) == same_size.root(b.flow);
    let (Some(&x), Some(&y)) = (a.potentials.first(), b.potentials.first()) else {
        return None;
    };
    if !through || joined.root(x) != joined.root(y) {
        return None;
    }
    let mut diagnostic = Diagnostic::new(
        Code::MS3012,
        format!(
            "both connectors of `{}` are connected to the same point, so it has no effect",
            part.name
        ),
    )
    .label(
        part.place,
        format!("`{}` and `{}` are connected to each other", a.name, b.name),
    );
    for place in places_of(model, [x, y]) {
        diagnostic = diagnostic.label(place, "connected here");
    }
    Some(diagnostic.note(format!(
        "connect `{}` and `{}` to different points",
        a.name, b.name
    )))
}

/// The `connect` equations that make these two equal, a few of them.
fn places_of(model: &FlatModel, both: [VarId; 2]) -> Vec<Place> {
    const MAX_SHOWN: usize = 3;
    let mentions = |exp: &FlatExp| variable(exp).is_some_and(|id| both.contains(&id));
    let mut places: Vec<Place> = Vec::new();
    for equation in &model.equations {
        if equation.origin.kind == OriginKind::Connection
            && let EquationKind::Equality { lhs, rhs, .. } = &equation.kind
            && (mentions(lhs) || mentions(rhs))
        {
            let all = std::iter::once(equation.origin.span).chain(equation.origin.also.clone());
            places.extend(all);
        }
    }
    places.sort_unstable();
    places.dedup();
    places.truncate(MAX_SHOWN);
    places
}

/// The components of the modeller's own text that have connectors with one flow each.
fn parts(model: &FlatModel, circuit: &Circuit<'_>) -> Vec<Part> {
    let mut ports: FxIndexMap<String, Vec<VarId>> = FxIndexMap::default();
    for (id, variable) in model.variables.iter_enumerated() {
        if variable.flow
            && let Some((connector, Role::Flow)) = circuit.role(&variable.name)
        {
            ports.entry(connector).or_default().push(id);
        }
    }
    let mut potentials: FxHashMap<&str, Vec<VarId>> = FxHashMap::default();
    for (id, variable) in model.variables.iter_enumerated() {
        if !variable.flow
            && let Some((connector, _)) = variable.name.rsplit_once('.')
            && ports.contains_key(connector)
            && let Some((_, Role::Potential)) = circuit.role(&variable.name)
        {
            potentials.entry(connector).or_default().push(id);
        }
    }
    let mut parts: FxIndexMap<String, Option<Part>> = FxIndexMap::default();
    for (connector, flows) in &ports {
        let Some(name) = circuit.owner(connector) else {
            continue;
        };
        let part = parts.entry(name.to_owned()).or_insert_with(|| {
            let place = circuit.own_component(name)?;
            Some(Part {
                name: name.to_owned(),
                place,
                ports: Vec::new(),
            })
        });
        match (&flows[..], part.as_mut()) {
            (_, Some(_)) if circuit.left_open(connector).is_some_and(|it| it.own) => *part = None,
            (&[flow], Some(part)) => part.ports.push(Port {
                name: connector.clone(),
                flow,
                potentials: potentials.remove(connector.as_str()).unwrap_or_default(),
            }),
            (_, Some(_)) => *part = None,
            _ => {}
        }
    }
    parts.into_values().flatten().collect()
}

/// Variables of which some equation says that one is zero if and only if another is, where `side` gives the variable that
/// a side of an equation or an operand of a sum stands for.
fn related(model: &FlatModel, side: &dyn Fn(&FlatExp) -> Option<VarId>) -> Alike {
    let mut alike = Alike::apart(model);
    let equations = model.equations.iter();
    for equation in equations.filter(|it| it.origin.kind == OriginKind::Equation) {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind {
            let pair = match (side(lhs), side(rhs)) {
                (Some(a), Some(b)) => Some((a, b)),
                _ if is_zero(lhs) => sum(rhs, side),
                _ if is_zero(rhs) => sum(lhs, side),
                _ => None,
            };
            if let Some((a, b)) = pair {
                alike.union(a, b);
            }
        }
    }
    for (id, variable) in model.variables.iter_enumerated() {
        if let Some(other) = variable.binding.as_ref().and_then(side) {
            alike.union(id, other);
        }
    }
    alike
}

fn variable(exp: &FlatExp) -> Option<VarId> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(*id),
        _ => None,
    }
}

/// `x` or `-x`.
fn signed(exp: &FlatExp) -> Option<VarId> {
    match exp {
        Exp::Unary(UnaryOp::Neg, inner) => variable(inner),
        _ => variable(exp),
    }
}

/// The same with a factor that is not zero.
fn scaled(knowns: &Knowns<'_>, exp: &FlatExp) -> Option<VarId> {
    let factor = |exp: &FlatExp| knowns.number(exp).is_some_and(|it| it != 0.0);
    match exp {
        Exp::Unary(UnaryOp::Neg, inner) => scaled(knowns, inner),
        Exp::Binary(BinaryOp::Mul, sides) if factor(&sides.0) => scaled(knowns, &sides.1),
        Exp::Binary(BinaryOp::Mul | BinaryOp::Div, sides) if factor(&sides.1) => {
            scaled(knowns, &sides.0)
        }
        _ => variable(exp),
    }
}

/// `x + y` or `x - y`.
fn sum(exp: &FlatExp, side: &dyn Fn(&FlatExp) -> Option<VarId>) -> Option<(VarId, VarId)> {
    match exp {
        Exp::Binary(BinaryOp::Add | BinaryOp::Sub, sides) => side(&sides.0).zip(side(&sides.1)),
        _ => None,
    }
}

fn is_zero(exp: &FlatExp) -> bool {
    matches!(exp, Exp::Int(0)) || matches!(exp, Exp::Real(value) if *value == 0.0)
}

/// Classes of variables.
struct Alike {
    /// Another one of the same class, up to one that is above itself.
    above: Vec<VarId>,
}

impl Alike {
    /// Each in a class of its own.
    fn apart(model: &FlatModel) -> Self {
        Self {
            above: model.variables.ids().collect(),
        }
    }

    fn root(&mut self, mut id: VarId) -> VarId {
        while self.above[id.index()] != id {
            // Halves the way for the next one.
            let further = self.above[self.above[id.index()].index()];
            self.above[id.index()] = further;
            id = further;
        }
        id
    }

    fn union(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a), self.root(b));
        self.above[a.index()] = b;
    }
}

/// Inputs of components that are connected and have a value from a modifier as well.
pub(super) fn inputs_given_twice(
    model: &FlatModel,
    circuit: &Circuit<'_>,
) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    let totals = crate::balance::totals(model);
    if totals.equations <= totals.unknowns {
        return found;
    }
    for equation in &model.equations {
        let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
            continue;
        };
        if equation.origin.kind != OriginKind::Connection {
            continue;
        }
        let (Some(a), Some(b)) = (variable(lhs), variable(rhs)) else {
            continue;
        };
        for (input, other) in [(a, b), (b, a)] {
            let name = &model.variables[input].name;
            // `input u = x` may be how a class says what `x` is: that is no second source.
            let binding = model.variables[input].binding.as_ref();
            let defines = |binding: &FlatExp| {
                variable(binding).is_some_and(|it| model.variables[it].binding.is_none())
            };
            let given = binding.is_some_and(|binding| !defines(binding))
                && !model.variables[input].protected;
            let Some(component) = circuit.input(name).filter(|_| given) else {
                continue;
            };
            let Some(place) = circuit.own_component(component) else {
                continue;
            };
            found.push(
                Diagnostic::new(
                    Code::MS3009,
                    format!("the input `{name}` is connected, and has a value as well"),
                )
                .label(place, format!("a modifier gives `{name}` a value"))
                .label(
                    equation.origin.span,
                    format!("connected to `{}` here", model.variables[other].name),
                )
                .note("an input has one source: remove the connection or the modifier"),
            );
        }
    }
    found
}
