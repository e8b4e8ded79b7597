//! When a clock ticks, in terms of `sample`, `time` and `when`.

use super::Work;
use super::build::{and, call, if_, minus, over, plus, pre, times, var};
use super::infer::{Base, SubClock};
use super::rational::Rational;
use super::stand_in::Source;
use crate::model::{Attribute, Equation, EquationKind, FlatExp, Origin, VarId};
use modeshift_base::Name;
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::{Dim, Type, Variability};
use std::sync::Arc;

/// Later than any simulation.
const NEVER: f64 = 1e60;

/// A clock as the equations of its class see it.
#[derive(Clone, Debug)]
pub(super) struct Ticking {
    /// Becomes true at each tick, or at each tick of the base clock if there is a guard.
    pub(super) condition: FlatExp,
    /// Whether this clock ticks when the base clock does.
    pub(super) guard: Option<VarId>,
    /// True until the first tick; `pre` of it is `firstTick()`.
    pub(super) first: VarId,
    /// The time since the last tick.
    pub(super) interval: FlatExp,
}

/// What the sub-clocks of one base clock share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    condition: FlatExp,
    /// Ticks so far, with this one.
    counter: VarId,
}

impl Work {
    pub(super) fn ticking(&mut self, clock: &SubClock, origin: &Arc<Origin>) -> Ticking {
        let first = self.held("first", Type::Boolean, Exp::Bool(true), origin);
        let literal = |value: Rational| Exp::Real(value.to_f64());
        let periodic = |this: &mut Self, unit: FlatExp| {
            let interval = times(literal(clock.interval), unit.clone());
            let start = plus(this.start_time(), times(literal(clock.shift), unit));
            Ticking {
                condition: call("sample", vec![start, interval.clone()], Type::Boolean),
                guard: None,
                first,
                interval,
            }
        };
        let ticking = match &clock.base {
            Base::Seconds => periodic(self, Exp::Real(1.0)),
            Base::Of(Source::Rational(_)) => periodic(self, Exp::Real(1.0)),
            Base::Of(Source::Real(interval)) => periodic(self, interval.clone()),
            Base::Of(source) => {
                let shared = self.shared(clock.root, source, origin);
                let every = clock.interval.whole().unwrap_or(1);
                let shift = clock.shift.whole().unwrap_or(0);
                let guard = ((every, shift) != (1, 0)).then(|| {
                    let active = self.held("active", Type::Boolean, Exp::Bool(false), origin);
                    let since = minus(var(shared.counter), Exp::Int(shift + 1));
                    let rest = call("mod", vec![since.clone(), Exp::Int(every)], Type::Integer);
                    let relation = |op, a, b| Exp::Binary(op, Box::new((a, b)));
                    let ticks = and(
                        relation(BinaryOp::GreaterEq, since, Exp::Int(0)),
                        relation(BinaryOp::Equal, rest, Exp::Int(0)),
                    );
                    let ticks = call("noEvent", vec![ticks], Type::Boolean);
                    let body = vec![equality(var(active), ticks, Type::Boolean, origin)];
                    self.push_when(shared.condition.clone(), body, origin);
                    active
                });
                let interval = match source {
                    Source::Varying {
                        variable,
                        resolution,
                    } if guard.is_none() => self.planned(*variable, *resolution),
                    _ => {
                        let last = self.held("last", Type::Real, Exp::Real(0.0), origin);
                        let now = match guard {
                            Some(guard) => if_(
                                var(guard),
                                Exp::Time,
                                pre(var(last), Type::Real),
                                Type::Real,
                            ),
                            None => Exp::Time,
                        };
                        let body = vec![equality(var(last), now, Type::Real, origin)];
                        self.push_when(shared.condition.clone(), body, origin);
                        let at_first = match source {
                            Source::Varying {
                                variable,
                                resolution,
                            } => times(
                                Exp::Real(clock.interval.to_f64()),
                                self.planned(*variable, *resolution),
                            ),
                            Source::Event { start, .. } => start.clone(),
                            _ => Exp::Real(0.0),
                        };
                        let since = minus(Exp::Time, pre(var(last), Type::Real));
                        let at_first_tick = pre(var(first), Type::Boolean);
                        if_(at_first_tick, at_first, since, Type::Real)
                    }
                };
                Ticking {
                    condition: shared.condition,
                    guard,
                    first,
                    interval,
                }
            }
        };
        let over_ = match ticking.guard {
            Some(guard) => and(
                pre(var(first), Type::Boolean),
                crate::simplify::not(var(guard)),
            ),
            None => Exp::Bool(false),
        };
        let body = vec![equality(var(first), over_, Type::Boolean, origin)];
        self.flags.push((first, self.out.len()));
        self.push_when(ticking.condition.clone(), body, origin);
        ticking
    }

    /// The interval that was computed at the last tick.
    fn planned(&self, variable: VarId, resolution: i64) -> FlatExp {
        let ty = self.model.variables[variable].ty.clone();
        let value = pre(var(variable), ty.clone());
        in_seconds(value, &ty, resolution)
    }

    fn shared(&mut self, root: usize, source: &Source, origin: &Arc<Origin>) -> Shared {
        if let Some(shared) = self.shared.get(&root) {
            return shared.clone();
        }
        let counter = self.held("ticks", Type::Integer, Exp::Int(0), origin);
        let first = self.held("first", Type::Boolean, Exp::Bool(true), origin);
        let mut body = vec![
            equality(
                var(counter),
                plus(pre(var(counter), Type::Integer), Exp::Int(1)),
                Type::Integer,
                origin,
            ),
            equality(var(first), Exp::Bool(false), Type::Boolean, origin),
        ];
        let condition = match source {
            Source::Varying {
                variable,
                resolution,
            } => {
                let next = self.held("next", Type::Real, Exp::Real(NEVER), origin);
                let ty = self.model.variables[*variable].ty.clone();
                let interval = in_seconds(var(*variable), &ty, *resolution);
                let now = if_(
                    pre(var(first), Type::Boolean),
                    Exp::Time,
                    pre(var(next), Type::Real),
                    Type::Real,
                );
                body.push(equality(var(next), plus(now, interval), Type::Real, origin));
                let at_start = call(
                    "sample",
                    vec![self.start_time(), Exp::Real(NEVER)],
                    Type::Boolean,
                );
                let due = Exp::Binary(
                    BinaryOp::GreaterEq,
                    Box::new((Exp::Time, pre(var(next), Type::Real))),
                );
                let ty = Type::array(Type::Boolean, vec![Dim::Known(2)]);
                Exp::Array(vec![at_start, due], ty)
            }
            Source::Event { condition, .. } => {
                // One event iteration later, as samples are: the clock reads what they read.
                let tick = self.new_variable("tick", Type::Boolean, origin);
                let before = pre(var(*condition), Type::Boolean);
                self.out
                    .push(equality(var(tick), before, Type::Boolean, origin));
                var(tick)
            }
            Source::Rational(_) | Source::Real(_) => Exp::Bool(false),
        };
        self.push_when(condition.clone(), body, origin);
        let shared = Shared { condition, counter };
        self.shared.insert(root, shared.clone());
        shared
    }

    /// The instant at which clocks begin to tick, as a parameter.
    fn start_time(&mut self) -> FlatExp {
        if let Some(id) = self.start_parameter {
            return var(id);
        }
        let origin = self.nowhere.clone();
        let id = self.new_variable("start", Type::Real, &origin);
        let start = self.start;
        let variable = &mut self.model.variables[id];
        variable.name = super::START.into();
        variable.stem = variable.name.len() as u32;
        variable.variability = Variability::Parameter;
        variable.binding = Some(Exp::Real(start));
        self.start_parameter = Some(id);
        var(id)
    }

    /// A variable that a `when` assigns, with its value before.
    pub(super) fn held(
        &mut self,
        what: &str,
        ty: Type,
        start: FlatExp,
        origin: &Arc<Origin>,
    ) -> VarId {
        let id = self.new_variable(what, ty, origin);
        let variable = &mut self.model.variables[id];
        variable.variability = Variability::Discrete;
        variable.discrete = true;
        variable.attributes = vec![
            attribute("start", start),
            attribute("fixed", Exp::Bool(true)),
        ];
        id
    }

    pub(super) fn push_when(
        &mut self,
        condition: FlatExp,
        body: Vec<Equation>,
        origin: &Arc<Origin>,
    ) {
        if body.is_empty() {
            return;
        }
        self.out.push(Equation {
            kind: EquationKind::When {
                branches: vec![(condition, body)],
            },
            origin: origin.clone(),
        });
    }
}

fn in_seconds(value: FlatExp, ty: &Type, resolution: i64) -> FlatExp {
    let value = match ty {
        Type::Integer => crate::simplify::cast(Type::Real, value),
        _ => value,
    };
    match resolution {
        1 => value,
        _ => over(value, Exp::Real(resolution as f64)),
    }
}

pub(super) fn attribute(name: &str, value: FlatExp) -> Attribute {
    Attribute {
        name: Name::new(name),
        value,
        final_: false,
    }
}

pub(super) fn equality(lhs: FlatExp, rhs: FlatExp, ty: Type, origin: &Arc<Origin>) -> Equation {
    Equation {
        kind: EquationKind::Equality { lhs, rhs, ty },
        origin: origin.clone(),
    }
}
