//! Stream connectors (Modelica 3.6 §15): `inStream`, `actualStream`, and the equations of outside
//! connectors, in the form OpenModelica prints them.

use super::Connection;
use super::equations::{Sets, origin};
use super::pairs::Kind;
use crate::flatten::Flattener;
use crate::model::{Attribute, Equation, EquationKind, FlatExp, FlatRef, Origin, VarId};
use crate::simplify;
use modeshift_base::{FxHashMap, Idx, Name};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp};
use modeshift_inst::ty::Type;
use std::sync::Arc;

/// A stream variable in a connection set.
#[derive(Clone, Debug)]
struct Stream {
    variable: VarId,
    flow: Option<VarId>,
    outside: bool,
}

/// The stream sets of the model.
pub(crate) struct Streams {
    sets: Vec<Vec<Stream>>,
    origins: Vec<Arc<Origin>>,
    /// Set of a stream variable as member of an inside connector.
    inside: FxHashMap<VarId, usize>,
    flows: FxHashMap<VarId, VarId>,
}

/// How deep outside connectors may be chained.
const DEPTH: usize = 500;

/// Flows below this fraction of their nominal value do not decide what flows in.
const EPSILON: f64 = 1e-7;

impl Streams {
    pub fn new(
        flattener: &Flattener<'_>,
        sets: &Sets,
        list: &[Connection],
        families: &[Vec<u32>],
    ) -> Self {
        let flows: FxHashMap<VarId, VarId> = flattener
            .connections
            .stream_flows
            .iter()
            .map(|(&stream, &flow)| (Idx::new(stream as usize), Idx::new(flow as usize)))
            .collect();
        let mut streams = Self {
            sets: Vec::new(),
            origins: Vec::new(),
            inside: FxHashMap::default(),
            flows,
        };
        for family in families {
            let is_stream = family
                .first()
                .is_some_and(|&number| sets.members[number as usize].kind == Kind::Stream);
            if is_stream {
                streams.add(sets, list, family);
            }
        }
        streams
    }

    /// Formulas list the members in the reverse order of the equations.
    fn add(&mut self, sets: &Sets, list: &[Connection], family: &[u32]) {
        let mut set = Vec::with_capacity(family.len());
        for &number in family.iter().rev() {
            let member = &sets.members[number as usize];
            if !member.outside {
                self.inside.insert(member.variable, self.sets.len());
            }
            set.push(Stream {
                variable: member.variable,
                flow: self.flows.get(&member.variable).copied(),
                outside: member.outside,
            });
        }
        self.sets.push(set);
        self.origins.push(origin(sets, list, family));
    }

    /// What determines the stream variables of outside connectors.
    pub fn outside_equations(&self, flattener: &Flattener<'_>, out: &mut Vec<Equation>) {
        for (number, set) in self.sets.iter().enumerate() {
            let inside: Vec<&Stream> = set.iter().filter(|stream| !stream.outside).collect();
            let inside = contributing(flattener, inside);
            let outside: Vec<&Stream> = set.iter().filter(|stream| stream.outside).collect();
            match (inside.as_slice(), outside.as_slice()) {
                (_, []) => {}
                ([one], [border]) => {
                    out.push(self.equation(number, one.variable, reference(border.variable), None));
                }
                ([], [a, b]) => {
                    let of_b = self.in_stream(flattener, b.variable, 0);
                    let of_a = self.in_stream(flattener, a.variable, 0);
                    out.push(self.equation(number, a.variable, of_b, None));
                    out.push(self.equation(number, b.variable, of_a, None));
                }
                _ => {
                    for border in &outside {
                        let others: Vec<&Stream> = outside
                            .iter()
                            .copied()
                            .filter(|other| other.variable != border.variable)
                            .collect();
                        let mixed = self.mixture(flattener, &others, &inside, Exp::Int(0), 0);
                        let comment = " equation generated from stream connection";
                        out.push(self.equation(number, border.variable, mixed, Some(comment)));
                    }
                }
            }
        }
    }

    fn equation(
        &self,
        set: usize,
        stream: VarId,
        value: FlatExp,
        comment: Option<&str>,
    ) -> Equation {
        let mut origin = self.origins[set].clone();
        if let Some(comment) = comment {
            Arc::make_mut(&mut origin).comment = Some(comment.into());
        }
        Equation {
            kind: EquationKind::Equality {
                lhs: reference(stream),
                rhs: value,
                ty: Type::Real,
            },
            origin,
        }
    }

    /// `inStream(stream)`, where `stream` belongs to an inside connector.
    pub fn in_stream(&self, flattener: &Flattener<'_>, stream: VarId, depth: usize) -> FlatExp {
        let own = reference(stream);
        let Some(set) = self.inside.get(&stream).map(|&set| &self.sets[set]) else {
            return own;
        };
        let others: Vec<&Stream> = set
            .iter()
            .filter(|other| !other.outside && other.variable != stream)
            .collect();
        let inside = contributing(flattener, others);
        let outside: Vec<&Stream> = set.iter().filter(|other| other.outside).collect();
        match (inside.as_slice(), outside.as_slice()) {
            _ if depth > DEPTH => own,
            ([], []) => own,
            ([other], []) => reference(other.variable),
            ([], [border]) => self.in_stream(flattener, border.variable, depth + 1),
            _ => self.mixture(flattener, &outside, &inside, own, depth),
        }
    }

    /// The mixing formula: each stream weighted by what flows into the node from it.
    fn mixture(
        &self,
        flattener: &Flattener<'_>,
        outside: &[&Stream],
        inside: &[&Stream],
        otherwise: FlatExp,
        depth: usize,
    ) -> FlatExp {
        let mut weighted = Vec::new();
        let mut weights = Vec::new();
        for stream in outside.iter().chain(inside) {
            let Some(flow) = stream.flow else { continue };
            let (flowing, value) = if stream.outside {
                (
                    reference(flow),
                    self.in_stream(flattener, stream.variable, depth + 1),
                )
            } else {
                (
                    simplify::negate(reference(flow)),
                    reference(stream.variable),
                )
            };
            let weight = internal("$OMC$PositiveMax", vec![flowing, epsilon(flattener, flow)]);
            weighted.push(simplify::binary(BinaryOp::Mul, weight.clone(), value));
            weights.push(weight);
        }
        let sum = simplify::sum(weighted, Exp::Real(0.0));
        let total = simplify::sum(weights, Exp::Real(1.0));
        let quotient = simplify::binary(BinaryOp::Div, sum, total);
        internal("$OMC$inStreamDiv", vec![quotient, otherwise])
    }

    /// `actualStream(stream)`: what flows in or what flows out, by the sign of the flow.
    pub fn actual_stream(&self, flattener: &Flattener<'_>, stream: VarId) -> FlatExp {
        let in_stream = self.in_stream(flattener, stream, 0);
        let own = reference(stream);
        let Some(&flow) = self.flows.get(&stream) else {
            return own;
        };
        if bound(flattener, flow, "min").is_some_and(|min| min >= 0.0) {
            return in_stream;
        }
        if bound(flattener, flow, "max").is_some_and(|max| max <= 0.0) {
            return own;
        }
        let positive = simplify::binary(BinaryOp::Greater, reference(flow), Exp::Real(0.0));
        simplify::if_(positive, in_stream, own, Type::Real)
    }

    /// The flow variable of a stream variable's connector.
    pub fn flow_of(&self, stream: VarId) -> Option<VarId> {
        self.flows.get(&stream).copied()
    }
}

/// Streams from which something can flow into the node: not those whose flow is never negative.
fn contributing<'s>(flattener: &Flattener<'_>, streams: Vec<&'s Stream>) -> Vec<&'s Stream> {
    streams
        .into_iter()
        .filter(|stream| {
            let min = stream.flow.and_then(|flow| bound(flattener, flow, "min"));
            min.is_none_or(|min| min < 0.0)
        })
        .collect()
}

fn attribute<'m>(
    flattener: &'m Flattener<'_>,
    variable: VarId,
    name: &str,
) -> Option<&'m Attribute> {
    flattener.model.variables[variable]
        .attributes
        .iter()
        .find(|attribute| attribute.name == *name)
}

fn bound(flattener: &Flattener<'_>, variable: VarId, name: &str) -> Option<f64> {
    match attribute(flattener, variable, name)?.value {
        Exp::Real(value) => Some(value),
        Exp::Int(value) => Some(value as f64),
        _ => None,
    }
}

fn epsilon(flattener: &Flattener<'_>, flow: VarId) -> FlatExp {
    match attribute(flattener, flow, "nominal") {
        Some(nominal) => simplify::binary(BinaryOp::Mul, Exp::Real(EPSILON), nominal.value.clone()),
        None => Exp::Real(EPSILON),
    }
}

fn reference(variable: VarId) -> FlatExp {
    Exp::Ref(FlatRef::Var(variable))
}

fn internal(name: &str, args: Vec<FlatExp>) -> FlatExp {
    Exp::Call(Box::new(Call {
        function: Callee::Builtin(Name::new(name)),
        args,
        ty: Type::Real,
    }))
}
