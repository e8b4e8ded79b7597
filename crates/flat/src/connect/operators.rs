//! Operators whose value follows from the connections: `inStream`, `actualStream`, `cardinality`,
//! `Connections.isRoot`, `Connections.rooted`. They are replaced when all connections are known; conditions
//! that become known choose their branch.

use super::overconstrained::Graph;
use super::stream::Streams;
use crate::flatten::Flattener;
use crate::model::{Equation, EquationKind, FlatExp, FlatRef, VarId};
use crate::simplify;
use crate::walk::{change_equations, change_statements, rewrite};
use modeshift_base::{FxHashMap, Name};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, UnaryOp};
use modeshift_inst::ty::Type;

struct Operators<'o, 'a> {
    flattener: &'o Flattener<'a>,
    streams: &'o Streams,
    graph: &'o Graph,
    cardinality: &'o FxHashMap<u32, i64>,
}

/// Replaces the operators everywhere in the model. Linear in its size.
pub(super) fn resolve(flattener: &mut Flattener<'_>, streams: &Streams) {
    let mut model = std::mem::take(&mut flattener.model);
    let graph = std::mem::take(&mut flattener.connections.graph);
    let cardinality = std::mem::take(&mut flattener.connections.cardinality);
    // Bounds and nominal values of flows are asked for while other parts of the model change.
    flattener.model.variables = model.variables.clone();
    let operators = Operators {
        flattener,
        streams,
        graph: &graph,
        cardinality: &cardinality,
    };
    let mut change = |exp: &mut FlatExp| operators.replace(exp);
    for variable in model.variables.iter_mut() {
        variable.binding.iter_mut().for_each(&mut change);
        variable
            .attributes
            .iter_mut()
            .for_each(|attribute| change(&mut attribute.value));
    }
    change_equations(&mut model.initial_equations, &mut change);
    change_equations(&mut model.equations, &mut change);
    for algorithm in model
        .initial_algorithms
        .iter_mut()
        .chain(&mut model.algorithms)
    {
        change_statements(&mut algorithm.statements, &mut change);
    }
    model.initial_equations = choose(std::mem::take(&mut model.initial_equations));
    model.equations = choose(std::mem::take(&mut model.equations));
    flattener.model = model;
}

/// Resolves if-equations whose conditions have become known.
fn choose(equations: Vec<Equation>) -> Vec<Equation> {
    let mut out = Vec::with_capacity(equations.len());
    for equation in equations {
        if matches!(
            &equation.kind,
            EquationKind::Assert {
                condition: Exp::Bool(true),
                ..
            }
        ) {
            continue;
        }
        let EquationKind::If { branches, else_ } = equation.kind else {
            out.push(equation);
            continue;
        };
        let mut kept = Vec::new();
        let mut rest = Some(else_);
        for (condition, body) in branches {
            match condition {
                Exp::Bool(false) => {}
                Exp::Bool(true) => {
                    rest = Some(body);
                    break;
                }
                condition => kept.push((condition, choose(body))),
            }
        }
        let else_ = choose(rest.unwrap_or_default());
        if kept.is_empty() {
            out.extend(else_);
        } else {
            let kind = EquationKind::If {
                branches: kept,
                else_,
            };
            out.push(Equation {
                kind,
                origin: equation.origin,
            });
        }
    }
    out
}

impl Operators<'_, '_> {
    fn replace(&self, exp: &mut FlatExp) {
        if !mentions(exp) {
            return;
        }
        let old = std::mem::replace(exp, Exp::Error);
        *exp = rewrite(self.smooth_products(old), &mut |part| self.one(part));
    }

    /// `m * actualStream(h)` with the flow of the same connector is smooth of order zero.
    fn smooth_products(&self, exp: FlatExp) -> FlatExp {
        rewrite(exp, &mut |part| {
            let Exp::Binary(BinaryOp::Mul, operands) = &part else {
                return part;
            };
            let stream = argument(&operands.1, "actualStream")
                .or_else(|| argument(&operands.0, "actualStream"));
            let flow = stream.and_then(|stream| self.streams.flow_of(stream));
            let Some(flow) = flow.map(|flow| Exp::Ref(FlatRef::Var(flow))) else {
                return part;
            };
            if operands.0 == flow || operands.1 == flow {
                smooth(part)
            } else {
                part
            }
        })
    }

    fn one(&self, exp: FlatExp) -> FlatExp {
        let Exp::Call(call) = &exp else { return exp };
        let Callee::Builtin(name) = &call.function else {
            return exp;
        };
        match name.as_str() {
            "inStream" => match argument(&exp, "inStream") {
                Some(stream) => self.streams.in_stream(self.flattener, stream, 0),
                None => exp,
            },
            "actualStream" => match argument(&exp, "actualStream") {
                Some(stream) => self.streams.actual_stream(self.flattener, stream),
                None => exp,
            },
            "cardinality" => match self.first_scalar(call) {
                Some(base) => Exp::Int(self.cardinality.get(&base).copied().unwrap_or(0)),
                None => exp,
            },
            "Connections.isRoot" => match self.first_scalar(call) {
                Some(base) => Exp::Bool(self.graph.is_root(base)),
                None => exp,
            },
            "Connections.rooted" | "rooted" => match self.first_scalar(call) {
                Some(base) => Exp::Bool(self.graph.is_rooted(base)),
                None => exp,
            },
            _ => exp,
        }
    }

    /// Number of the first scalar of the connector or record a call asks about.
    fn first_scalar(&self, call: &Call<FlatRef>) -> Option<u32> {
        match call.args.first()? {
            Exp::Ref(FlatRef::Var(id)) => Some(id.index() as u32),
            Exp::Ref(FlatRef::Group(id)) => {
                let group = self.flattener.cx.groups.get(*id)?;
                Some(group.members.first()?.index() as u32)
            }
            Exp::Array(elements, _) => match elements.first()? {
                Exp::Ref(FlatRef::Var(id)) => Some(id.index() as u32),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The variable `name` is applied to, if `exp` is such a call (a sign in front does not matter).
fn argument(exp: &FlatExp, name: &str) -> Option<VarId> {
    match exp {
        Exp::Call(call) => {
            let is_it = matches!(&call.function, Callee::Builtin(function) if *function == *name);
            match call.args.first() {
                Some(Exp::Ref(FlatRef::Var(id))) if is_it => Some(*id),
                _ => None,
            }
        }
        Exp::Unary(UnaryOp::Neg, operand) => argument(operand, name),
        _ => None,
    }
}

fn mentions(exp: &FlatExp) -> bool {
    let mut found = false;
    crate::walk::walk(exp, &mut |part| {
        if let Exp::Call(call) = part
            && let Callee::Builtin(name) = &call.function
        {
            let name = name.as_str();
            found |= matches!(name, "inStream" | "actualStream" | "cardinality" | "rooted")
                || name.starts_with("Connections.");
        }
    });
    found
}

fn smooth(exp: FlatExp) -> FlatExp {
    simplify::call(Name::new("smooth"), vec![Exp::Int(0), exp], Type::Real)
}
