//! Expressions, straight from their trees. Both operands of `and` and all branches of `if` are evaluated, as a
//! simulator watches all relations.

use crate::instant::all_parts;
use crate::round;
use crate::value::{NEAR, Poly, Result, Stop, Value, unsupported};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, GroupId, VarId};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, Subscript, UnaryOp};

/// A place in the model: trees do not move while they are interpreted.
pub type Node = *const FlatExp;

pub fn node(exp: &FlatExp) -> Node {
    std::ptr::from_ref(exp)
}

/// What is being computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Initial,
    Event,
    /// Between events: relations keep their truth, values are functions of time.
    Between,
}

/// A relation between reals that keeps its truth.
pub struct Watched {
    /// Left minus right.
    pub difference: Poly,
    pub op: BinaryOp,
    /// What it reads.
    pub variables: Vec<VarId>,
}

/// Values from an instant on.
#[derive(Clone, Debug)]
pub struct Past {
    pub start: f64,
    /// Whether the instant is known exactly.
    pub exact: bool,
    pub values: Vec<Option<Value>>,
}

/// What expressions are evaluated against.
pub struct Scope<'m> {
    pub model: &'m FlatModel,
    pub phase: Phase,
    pub states: Vec<VarId>,
    pub time: Poly,
    pub values: Vec<Option<Value>>,
    pub derivatives: Vec<Option<Value>>,
    pub pre: Vec<Option<Value>>,
    /// What was, for delays.
    pub history: Vec<Past>,
    /// The run ends at this instant.
    pub terminal: bool,
    /// The event iteration has just begun: `sample` may be true.
    pub first: bool,
    /// Inside a `when`: relations are what they are at the instant, and make no events.
    pub literal: bool,
    /// Truths of relations since the last event.
    pub held: FxHashMap<Node, bool>,
    /// Integer parts since the last event.
    pub rounded: FxHashMap<Node, i64>,
    /// Relations that flip at this event.
    pub crossed: FxHashMap<Node, bool>,
    /// What relations compare, between events.
    pub watched: FxHashMap<Node, Watched>,
    /// Discrete variables that got a value at this instant.
    pub assigned: FxHashSet<VarId>,
    /// The values of conditions of `when` before.
    pub conditions: FxHashMap<Node, bool>,
    /// Their values now.
    pub conditions_now: FxHashMap<Node, bool>,
}

impl<'m> Scope<'m> {
    pub fn new(model: &'m FlatModel) -> Self {
        let n = model.variables.len();
        Self {
            model,
            phase: Phase::Initial,
            states: Vec::new(),
            time: Poly::number(0.0, true),
            values: vec![None; n],
            derivatives: vec![None; n],
            pre: vec![None; n],
            history: Vec::new(),
            terminal: false,
            first: false,
            literal: false,
            held: FxHashMap::default(),
            rounded: FxHashMap::default(),
            crossed: FxHashMap::default(),
            watched: FxHashMap::default(),
            assigned: FxHashSet::default(),
            conditions: FxHashMap::default(),
            conditions_now: FxHashMap::default(),
        }
    }

    pub fn eval(&mut self, exp: &FlatExp) -> Result<Value> {
        match exp {
            Exp::Int(value) => Ok(Value::Int(*value)),
            Exp::Real(value) => Ok(Value::real(*value)),
            Exp::Bool(value) => Ok(Value::Bool(*value)),
            Exp::Str(text) => Ok(Value::Text(text.clone())),
            Exp::Ref(FlatRef::Element(group, subscripts)) => {
                let member = self.element(*group, subscripts)?;
                self.values[member.index()].clone().ok_or(Stop::Unknown)
            }
            Exp::Enum(_, index) => Ok(Value::Int(i64::from(*index))),
            Exp::Time => Ok(Value::Real(self.time.clone())),
            Exp::Ref(FlatRef::Var(var)) => self.values[var.index()].clone().ok_or(Stop::Unknown),
            Exp::Cast(_, inner) => {
                let value = self.eval(inner)?;
                value
                    .poly()
                    .map(Value::Real)
                    .map_or_else(|| unsupported(exp), Ok)
            }
            Exp::Unary(UnaryOp::Not, inner) => match self.eval(inner)? {
                Value::Bool(value) => Ok(Value::Bool(!value)),
                _ => unsupported(exp),
            },
            Exp::Unary(UnaryOp::Neg, inner) => match self.eval(inner)? {
                Value::Int(value) => Ok(Value::Int(-value)),
                Value::Real(poly) => Ok(Value::Real(Poly::number(0.0, true).add(&poly, -1.0))),
                Value::Bool(_) | Value::Text(_) => unsupported(exp),
            },
            Exp::Binary(op, sides) => self.binary(exp, *op, &sides.0, &sides.1),
            Exp::If(inner) => {
                let condition = self.eval(&inner.condition)?.truth();
                let (then, else_) = (self.eval(&inner.then)?, self.eval(&inner.else_)?);
                match condition {
                    Some(true) => Ok(then),
                    Some(false) => Ok(else_),
                    None => unsupported(exp),
                }
            }
            Exp::Call(call) => self.call(exp, call),
            other => unsupported(other),
        }
    }

    fn binary(&mut self, exp: &FlatExp, op: BinaryOp, a: &FlatExp, b: &FlatExp) -> Result<Value> {
        use BinaryOp::{
            Add, And, Div, Equal, Greater, GreaterEq, Less, LessEq, Mul, NotEqual, Or, Sub,
        };
        let (left, right) = match (self.eval(a), self.eval(b)) {
            // The truth is known before what is compared.
            (Err(Stop::Unknown), _) | (_, Err(Stop::Unknown)) if self.is_held(exp) => {
                return Ok(Value::Bool(self.held[&node(exp)]));
            }
            (left, right) => (left?, right?),
        };
        let sides = (a, b);
        match (op, &left, &right) {
            (And, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(*a && *b)),
            (Or, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(*a || *b)),
            (Equal, a, b) => Ok(Value::Bool(a == b)),
            (NotEqual, a, b) => Ok(Value::Bool(a != b)),
            (Less | LessEq | Greater | GreaterEq, Value::Int(a), Value::Int(b)) => {
                Ok(Value::Bool(holds(op, a.cmp(b))))
            }
            (Less | LessEq | Greater | GreaterEq, Value::Bool(a), Value::Bool(b)) => {
                Ok(Value::Bool(holds(op, a.cmp(b))))
            }
            (Add, Value::Int(a), Value::Int(b)) => Ok(Value::Int(a + b)),
            (Sub, Value::Int(a), Value::Int(b)) => Ok(Value::Int(a - b)),
            (Mul, Value::Int(a), Value::Int(b)) => Ok(Value::Int(a * b)),
            _ => {
                let (Some(a), Some(b)) = (left.poly(), right.poly()) else {
                    return unsupported(exp);
                };
                match op {
                    Add => Ok(Value::Real(a.add(&b, 1.0))),
                    Sub => Ok(Value::Real(a.add(&b, -1.0))),
                    Mul => Ok(Value::Real(a.mul(&b))),
                    Div if b.degree() == 0 && b.powers[0] != 0.0 => {
                        let inverse = Poly::number(1.0 / b.powers[0], b.exact);
                        Ok(Value::Real(a.mul(&inverse)))
                    }
                    Less | LessEq | Greater | GreaterEq => self
                        .relation(node(exp), op, a.add(&b, -1.0), sides)
                        .map(Value::Bool),
                    _ => unsupported(exp),
                }
            }
        }
    }

    /// Whether this is a relation between reals that keeps its truth, or an integer part that keeps its value.
    pub fn is_held(&self, exp: &FlatExp) -> bool {
        let keeps = || self.rounded.contains_key(&node(exp)) && round::is_integer_part(exp);
        self.phase == Phase::Between && (self.held.contains_key(&node(exp)) || keeps())
    }

    /// A relation between reals, from their difference.
    fn relation(
        &mut self,
        at: Node,
        op: BinaryOp,
        difference: Poly,
        sides: (&FlatExp, &FlatExp),
    ) -> Result<bool> {
        if self.phase == Phase::Between {
            let held = match self.held.get(&at) {
                Some(&held) => held,
                // A branch that was not taken at the event.
                None => exactly(op, &difference)?,
            };
            self.held.insert(at, held);
            let mut variables = Vec::new();
            for side in [sides.0, sides.1] {
                all_parts(side, &mut |part| variables.extend(variable(part)));
            }
            let watched = Watched {
                difference,
                op,
                variables,
            };
            self.watched.insert(at, watched);
            return Ok(held);
        }
        if self.literal {
            return exactly(op, &difference);
        }
        let truth = match self.crossed.get(&at) {
            Some(&truth) if difference.at(0.0).abs() < NEAR => truth,
            _ => match self.drift(&difference, sides)? {
                Some(slope) => truth(op, slope),
                None => exactly(op, &difference)?,
            },
        };
        self.held.insert(at, truth);
        Ok(truth)
    }

    /// Where time itself is at its threshold, a relation has the truth it is about to have, whether it was watched
    /// before or not: the slope of the difference.
    fn drift(&mut self, difference: &Poly, (a, b): (&FlatExp, &FlatExp)) -> Result<Option<f64>> {
        if self.phase != Phase::Event || !difference.exact || difference.at(0.0) != 0.0 {
            return Ok(None);
        }
        let moving = Poly::new(vec![self.time.at(0.0), 1.0], true);
        let still = std::mem::replace(&mut self.time, moving);
        let sides = (self.eval(a), self.eval(b));
        self.time = still;
        let (Some(a), Some(b)) = (sides.0?.poly(), sides.1?.poly()) else {
            return Ok(None);
        };
        let slope = a.add(&b, -1.0).slope(0.0);
        Ok((slope != 0.0).then_some(slope))
    }

    fn call(&mut self, exp: &FlatExp, call: &Call<FlatRef>) -> Result<Value> {
        let Callee::Builtin(name) = &call.function else {
            return unsupported(exp);
        };
        let pre = |this: &Self, arg: &FlatExp| match arg {
            Exp::Ref(FlatRef::Var(var)) => this.pre[var.index()].clone().ok_or(Stop::Unknown),
            other => unsupported(other),
        };
        match (name.as_str(), call.args.as_slice()) {
            ("der", [arg]) => {
                let var = variable(arg).map_or_else(|| unsupported(arg), Ok)?;
                self.derivatives[var.index()].clone().ok_or(Stop::Unknown)
            }
            ("pre", [arg]) => pre(self, arg),
            ("edge", [arg]) => match (self.eval(arg)?, pre(self, arg)?) {
                (Value::Bool(now), Value::Bool(before)) => Ok(Value::Bool(now && !before)),
                _ => unsupported(exp),
            },
            ("change", [arg]) => {
                let (now, before) = (self.eval(arg)?, pre(self, arg)?);
                match (&now, &before) {
                    (Value::Real(a), Value::Real(b)) => {
                        let difference = a.add(b, -1.0);
                        // What was computed anew may be off by a rounding.
                        let anew = variable(arg).is_some_and(|v| self.assigned.contains(&v));
                        let near = difference.at(0.0).abs() <= NEAR;
                        if !difference.exact && near && (anew || difference.at(0.0) != 0.0) {
                            return Err(Stop::Doubt("change"));
                        }
                        Ok(Value::Bool(difference.at(0.0) != 0.0))
                    }
                    _ => Ok(Value::Bool(now != before)),
                }
            }
            ("initial", []) => Ok(Value::Bool(self.phase == Phase::Initial)),
            ("terminal", []) => Ok(Value::Bool(self.terminal)),
            ("noEvent" | "homotopy", [arg, ..]) | ("smooth", [_, arg]) => self.eval(arg),
            ("delay", [Exp::Ref(FlatRef::Var(var)), by, ..]) => {
                let by = self.number(by)?;
                self.delayed(*var, by)
            }
            ("Integer", [arg]) => self.eval(arg),
            ("sample", [start, interval]) => {
                let due = self.is_due(start, interval)?;
                Ok(Value::Bool(due))
            }
            ("floor" | "ceil" | "integer", [arg]) => {
                let value = self.eval(arg);
                self.integer_part(exp, name.as_str(), value)
            }
            ("div" | "mod" | "rem", [a, b]) if round::has_reals(a, b, self.model) => {
                self.division(exp, name.as_str(), a, b)
            }
            ("mod" | "div" | "rem" | "min" | "max", [a, b]) => match (self.eval(a)?, self.eval(b)?)
            {
                (Value::Int(a), Value::Int(b)) => match name.as_str() {
                    "min" => Ok(Value::Int(a.min(b))),
                    "max" => Ok(Value::Int(a.max(b))),
                    _ if b == 0 => unsupported(exp),
                    "div" => Ok(Value::Int(a / b)),
                    "rem" => Ok(Value::Int(a % b)),
                    _ => Ok(Value::Int(
                        a.rem_euclid(b) + if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 },
                    )),
                },
                _ => unsupported(exp),
            },
            ("abs", [a]) => match self.eval(a)? {
                Value::Int(a) => Ok(Value::Int(a.abs())),
                _ => unsupported(exp),
            },
            _ => unsupported(exp),
        }
    }

    /// The member of an array that subscripts choose.
    pub fn element(&mut self, group: GroupId, subscripts: &[Subscript<FlatRef>]) -> Result<VarId> {
        let [Subscript::Index(index)] = subscripts else {
            return unsupported("a subscript");
        };
        let Value::Int(index) = self.eval(index)? else {
            return unsupported(index);
        };
        let members = &self.model.groups[group].members;
        let member = usize::try_from(index - 1).ok().and_then(|i| members.get(i));
        member.map_or_else(
            || unsupported("a subscript out of range"),
            |&member| Ok(member),
        )
    }

    /// The value of a variable some time ago; before the start it is that of the start.
    fn delayed(&mut self, var: VarId, by: f64) -> Result<Value> {
        let now = self.time.at(0.0);
        let then = now - by;
        let Some(first) = self.history.first() else {
            return self.values[var.index()].clone().ok_or(Stop::Unknown);
        };
        let of = |segment: &Past| segment.values[var.index()].as_ref().and_then(Value::poly);
        let found = match self.history.iter().rfind(|it| it.start <= then + 1e-12) {
            Some(segment) => of(segment).map(|poly| poly.shifted(then - segment.start)),
            None => of(first).map(|poly| Poly::number(poly.at(0.0), poly.exact)),
        };
        let poly = found.map_or_else(|| unsupported("a delayed value"), Ok)?;
        let poly = Poly::new(poly.powers, poly.exact && self.time.exact);
        Ok(Value::Real(match self.phase {
            Phase::Between => poly,
            _ => Poly::number(poly.at(0.0), poly.exact),
        }))
    }

    /// Whether a sampled instant is now.
    fn is_due(&mut self, start: &FlatExp, interval: &FlatExp) -> Result<bool> {
        if self.phase != Phase::Event || !self.first || !self.time.exact {
            return Ok(false);
        }
        let (start, interval) = (self.number(start)?, self.number(interval)?);
        let passed = (self.time.at(0.0) - start) / interval;
        Ok(passed >= 0.0 && passed == passed.round())
    }

    pub fn number(&mut self, exp: &FlatExp) -> Result<f64> {
        let value = self.eval(exp)?;
        value
            .poly()
            .map_or_else(|| unsupported(exp), |poly| Ok(poly.at(0.0)))
    }
}

/// The truth of a relation by numbers alone.
pub fn exactly(op: BinaryOp, difference: &Poly) -> Result<bool> {
    let value = difference.at(0.0);
    if !difference.exact && value.abs() < NEAR {
        return Err(Stop::Doubt("a relation at its threshold"));
    }
    Ok(truth(op, value))
}

/// The truth of a relation between reals from the sign of their difference.
pub fn truth(op: BinaryOp, difference: f64) -> bool {
    difference
        .partial_cmp(&0.0)
        .is_some_and(|order| holds(op, order))
}

fn holds(op: BinaryOp, order: std::cmp::Ordering) -> bool {
    match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEq => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

pub fn variable(exp: &FlatExp) -> Option<VarId> {
    match exp {
        Exp::Ref(FlatRef::Var(var)) => Some(*var),
        _ => None,
    }
}

/// What an expression is about when it stands alone on one side: `x`, `pre(x)` or `der(x)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    Value(VarId),
    Pre(VarId),
    Derivative(VarId),
}

pub fn target(exp: &FlatExp) -> Option<Target> {
    if let Some(var) = variable(exp) {
        return Some(Target::Value(var));
    }
    let Exp::Call(call) = exp else {
        return None;
    };
    let Callee::Builtin(name) = &call.function else {
        return None;
    };
    let var = variable(call.args.first()?)?;
    match name.as_str() {
        "der" => Some(Target::Derivative(var)),
        "pre" => Some(Target::Pre(var)),
        _ => None,
    }
}
