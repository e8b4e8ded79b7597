//! Equations of the connection sets.

use super::pairs::{Kind, Pair};
use super::sets::DisjointSets;
use super::{Connection, End, sources, stream};
use crate::flatten::Flattener;
use crate::model::{Equation, EquationKind, FlatExp, FlatRef, Origin, OriginKind, Place, VarId};
use crate::simplify;
use modeshift_base::{Idx, Name};
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::tree::ClassKind;
use modeshift_inst::ty::{EnumType, Type};
use std::sync::Arc;

/// A scalar variable seen from inside or outside of its component.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub variable: VarId,
    pub outside: bool,
    pub kind: Kind,
    /// A signal that gives its value to all others of the set.
    pub source: bool,
    /// The first connection that mentions it.
    pub connection: Option<u32>,
}

/// All members and how they are joined.
pub(crate) struct Sets {
    pub members: Vec<Member>,
    disjoint: DisjointSets,
    /// Member number by variable and side; `u32::MAX` if it is none.
    index: Vec<u32>,
}

impl Sets {
    fn new(variables: usize) -> Self {
        Self {
            members: Vec::new(),
            disjoint: DisjointSets::default(),
            index: vec![u32::MAX; 2 * variables],
        }
    }

    fn member(&mut self, variable: u32, outside: bool, kind: Kind, connection: Option<u32>) -> u32 {
        let slot = 2 * variable as usize + usize::from(outside);
        let known = self.index[slot];
        if known != u32::MAX {
            let member = &mut self.members[known as usize];
            member.connection = member.connection.or(connection);
            return known;
        }
        let number = self.disjoint.add();
        self.members.push(Member {
            variable: Idx::new(variable as usize),
            outside,
            kind,
            source: false,
            connection,
        });
        self.index[slot] = number;
        number
    }

    fn end(&mut self, end: End, offset: u32, pair: &Pair, side: usize, connection: u32) -> u32 {
        let number = self.member(end.base + offset, end.outside, pair.kind, Some(connection));
        let source = sources::is_source(end, pair.causality[side]);
        self.members[number as usize].source |= source;
        number
    }
}

/// Turns the connections into equations, which come before all others; then gives the operators that
/// ask for connections their values.
pub(crate) fn generate(flattener: &mut Flattener<'_>) {
    let broken = super::overconstrained::resolve(flattener);
    let mut sets = Sets::new(flattener.model.variables.len());
    add_flows(flattener, &mut sets);
    let list = std::mem::take(&mut flattener.connections.list);
    let is_bus = |connection: &Connection| {
        let components = &flattener.cx.instance.components;
        let kind = |id| components.get(id).map(|component| component.kind);
        connection
            .components
            .iter()
            .all(|&id| kind(id) == Some(ClassKind::ExpandableConnector))
    };
    // Connections between buses come before those to their members.
    for buses in [true, false] {
        for (number, connection) in list.iter().enumerate().rev() {
            if is_bus(connection) == buses {
                join(&mut sets, connection, number as u32, &broken);
            }
        }
    }
    let families = sets.disjoint.sets();
    sources::check(flattener, &sets, &list, &families);
    let mut equations = Vec::with_capacity(sets.members.len() + flattener.model.equations.len());
    for family in &families {
        write_set(flattener, &sets, &list, family, &mut equations);
    }
    let streams = stream::Streams::new(flattener, &sets, &list, &families);
    streams.outside_equations(flattener, &mut equations);
    equations.extend(broken.equations);
    equations.append(&mut flattener.model.equations);
    flattener.model.equations = equations;
    if flattener.cx.uses_connections {
        super::operators::resolve(flattener, &streams);
    }
}

/// Every flow variable is in a set from inside, alone if nothing is connected to it. One that a connection added to an
/// expandable connector is in one from outside as well: its own model knows nothing of it (Modelica 3.6 §9.2).
fn add_flows(flattener: &Flattener<'_>, sets: &mut Sets) {
    for (id, variable) in flattener.model.variables.iter_enumerated().rev() {
        if variable.flow {
            sets.member(id.index() as u32, false, Kind::Flow, None);
        }
    }
    for &id in &flattener.connections.added_flows {
        sets.member(id.index() as u32, true, Kind::Flow, None);
    }
}

fn join(
    sets: &mut Sets,
    connection: &Connection,
    number: u32,
    broken: &super::overconstrained::Broken,
) {
    for pair in connection.pairs.iter().rev() {
        if broken.is_cut(number, pair.from) {
            continue;
        }
        let a = sets.end(connection.from, pair.from, pair, 0, number);
        let b = sets.end(connection.to, pair.to, pair, 1, number);
        sets.disjoint.join(a, b);
    }
}

fn write_set(
    flattener: &mut Flattener<'_>,
    sets: &Sets,
    list: &[Connection],
    family: &[u32],
    out: &mut Vec<Equation>,
) {
    let Some(first) = family.first().map(|&number| &sets.members[number as usize]) else {
        return;
    };
    match first.kind {
        Kind::Flow => out.push(flow_sum(flattener, sets, list, family)),
        Kind::Stream => {}
        Kind::Potential if family.len() > 1 => {
            let origin = origin(sets, list, family);
            let ty = flattener.model.variables[first.variable].ty.clone();
            out.extend(family[1..].iter().map(|&number| Equation {
                kind: EquationKind::Equality {
                    lhs: Exp::Ref(FlatRef::Var(first.variable)),
                    rhs: Exp::Ref(FlatRef::Var(sets.members[number as usize].variable)),
                    ty: ty.clone(),
                },
                origin: origin.clone(),
            }));
        }
        Kind::Fixed if family.len() > 1 => {
            let origin = origin(sets, list, family);
            for &number in &family[1..] {
                let other = sets.members[number as usize].variable;
                let assertion = equal_parameters(flattener, first.variable, other, &origin);
                if let Some(assertion) = &assertion
                    && is_violated(assertion)
                {
                    sources::different_constants(flattener, [first.variable, other], &origin);
                }
                out.extend(assertion);
            }
        }
        Kind::Potential | Kind::Fixed => {}
    }
}

/// Inside flows count positive, outside flows negative; a flow alone is zero.
fn flow_sum(
    flattener: &Flattener<'_>,
    sets: &Sets,
    list: &[Connection],
    family: &[u32],
) -> Equation {
    let zero = Exp::Real(0.0);
    let member = |number: &u32| &sets.members[*number as usize];
    let (lhs, origin) = match family {
        [only] => {
            let variable = member(only).variable;
            let declared = &flattener.model.variables[variable].origin;
            let origin = Origin {
                span: declared.span,
                also: Vec::new(),
                instance: declared.instance.clone(),
                kind: OriginKind::UnconnectedFlow,
                comment: None,
            };
            (Exp::Ref(FlatRef::Var(variable)), Arc::new(origin))
        }
        _ => {
            let terms = family.iter().map(member).map(|member| {
                let flow = Exp::Ref(FlatRef::Var(member.variable));
                if member.outside {
                    simplify::negate(flow)
                } else {
                    flow
                }
            });
            (
                simplify::sum(terms, zero.clone()),
                origin(sets, list, family),
            )
        }
    };
    let kind = EquationKind::Equality {
        lhs,
        rhs: zero,
        ty: Type::Real,
    };
    Equation { kind, origin }
}

/// The connections that made a set: the first one and, as further places, the others.
pub(super) fn origin(sets: &Sets, list: &[Connection], family: &[u32]) -> Arc<Origin> {
    let mut numbers: Vec<u32> = family
        .iter()
        .filter_map(|&number| sets.members[number as usize].connection)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut places: Vec<Place> = Vec::new();
    for number in &numbers {
        let place = list[*number as usize].place;
        // A loop gives the same place many times over.
        if places.last() != Some(&place) && places.len() < 64 {
            places.push(place);
        }
    }
    let first = numbers.first().map(|&number| &list[number as usize]);
    let Some(first) = first else {
        // Sets of more than one member come from connections.
        return Arc::new(Origin {
            span: places.first().copied().unwrap_or_else(no_place),
            also: Vec::new(),
            instance: Arc::from(""),
            kind: OriginKind::Connection,
            comment: None,
        });
    };
    Arc::new(Origin {
        span: first.place,
        also: places.into_iter().skip(1).collect(),
        instance: first.instance.clone(),
        kind: OriginKind::Connection,
        comment: None,
    })
}

fn no_place() -> Place {
    Place {
        file: modeshift_base::FileId(0),
        span: modeshift_base::Span::default(),
    }
}

/// `assert(abs(a - b) <= 0, …)`, unless both values are known and equal.
fn equal_parameters(
    flattener: &Flattener<'_>,
    a: VarId,
    b: VarId,
    origin: &Arc<Origin>,
) -> Option<Equation> {
    let variables = &flattener.model.variables;
    let ty = variables[a].ty.clone();
    let value = |id: VarId| match &variables[id].binding {
        Some(binding)
            if variables[id].variability <= modeshift_inst::ty::Variability::Structural
                && simplify::is_literal(binding) =>
        {
            binding.clone()
        }
        _ => Exp::Ref(FlatRef::Var(id)),
    };
    let (left, right) = (value(a), value(b));
    if flattener.cx.classic {
        let condition = Exp::Binary(BinaryOp::Equal, Box::new((left, right)));
        let message = "automatically generated from connect";
        return Some(assertion(condition, message, origin));
    }
    let condition = match ty {
        Type::Real | Type::Integer => {
            let difference = simplify::binary(BinaryOp::Sub, left, right);
            let distance = simplify::call(Name::new("abs"), vec![difference], ty);
            let zero = if matches!(distance, Exp::Int(_)) {
                Exp::Int(0)
            } else {
                Exp::Real(0.0)
            };
            simplify::binary(BinaryOp::LessEq, distance, zero)
        }
        _ => simplify::binary(BinaryOp::Equal, left, right),
    };
    if condition == Exp::Bool(true) {
        return None;
    }
    let message = "Connected constants/parameters must be equal";
    Some(assertion(condition, message, origin))
}

/// Whether the values are known now, and differ.
fn is_violated(equation: &Equation) -> bool {
    matches!(&equation.kind, EquationKind::Assert { condition, .. } if *condition == Exp::Bool(false))
}

fn assertion(condition: FlatExp, message: &str, origin: &Arc<Origin>) -> Equation {
    Equation {
        kind: EquationKind::Assert {
            condition,
            message: Exp::Str(message.into()),
            level: error_level(),
        },
        origin: origin.clone(),
    }
}

/// `AssertionLevel.error`
pub(crate) fn error_level() -> FlatExp {
    let ty = EnumType {
        path: "AssertionLevel".into(),
        literals: vec![Name::new("warning"), Name::new("error")],
    };
    Exp::Enum(Arc::new(ty), 2)
}
