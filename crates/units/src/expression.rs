//! The unit of an expression, as far as it can be told.

use crate::unit::Unit;
use modeshift_base::{FxHashMap, Name};
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, Function, VarId};
use modeshift_inst::exp::{BinaryOp, Call, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Causality, Type};
use std::f64::consts::PI;

/// Two units that should be the same, with what they belong to.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub what: &'static str,
    pub units: [Unit; 2],
    pub variables: [Option<VarId>; 2],
}

/// How deep expressions are followed.
const DEPTH: u32 = 200;

pub(crate) struct Units<'m> {
    pub model: &'m FlatModel,
    /// Declared or found, by variable.
    pub of: Vec<Option<Unit>>,
    /// Those of the function that is looked at.
    locals: FxHashMap<Name, Unit>,
    functions: FxHashMap<&'m str, &'m Function>,
    pub clashes: Vec<Clash>,
    depth: u32,
}

impl<'m> Units<'m> {
    pub fn new(model: &'m FlatModel) -> Self {
        let functions = model.functions.iter().map(|it| (&*it.name, it)).collect();
        // A model has many variables and few units.
        let mut known: FxHashMap<&str, Option<Unit>> = FxHashMap::default();
        let name = Name::new("unit");
        let of = model.variables.iter().map(|variable| {
            let unit = variable.attributes.iter().find(|it| it.name == name)?;
            match &unit.value {
                Exp::Str(text) => *known.entry(text).or_insert_with(|| Unit::parse(text)),
                _ => None,
            }
        });
        Self {
            model,
            of: of.collect(),
            locals: FxHashMap::default(),
            functions,
            clashes: Vec::new(),
            depth: 0,
        }
    }

    /// From now on local variables are those of this function.
    pub fn enter(&mut self, function: &Function) {
        let units = function.locals.iter().filter_map(|local| {
            let unit = local.attributes.iter().find(|it| it.name == "unit")?;
            Some((local.name, declared(&unit.value)?))
        });
        self.locals = units.collect();
    }

    /// The unit of an expression; `None` if it is not known, or any will do. What clashes inside is noted.
    pub fn unit(&mut self, exp: &FlatExp) -> Option<Unit> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let unit = self.unit_inner(exp);
        self.depth -= 1;
        unit
    }

    fn unit_inner(&mut self, exp: &FlatExp) -> Option<Unit> {
        match exp {
            Exp::Time => Some(Unit::SECOND),
            Exp::Ref(FlatRef::Var(id)) => self.of[id.index()],
            Exp::Ref(FlatRef::Local(local)) => match local.parts.as_slice() {
                [(name, _)] => self.locals.get(name).copied(),
                _ => None,
            },
            Exp::Cast(_, inner) | Exp::Unary(UnaryOp::Neg, inner) => self.unit(inner),
            Exp::Binary(op, sides) => self.binary(*op, &sides.0, &sides.1),
            Exp::If(branch) => {
                self.unit(&branch.condition);
                self.same("branches of this `if`", &branch.then, &branch.else_)
            }
            Exp::Call(call) => self.call(call),
            Exp::Unary(UnaryOp::Not, inner) => {
                self.unit(inner);
                None
            }
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &FlatExp, b: &FlatExp) -> Option<Unit> {
        use BinaryOp as B;
        match op {
            B::Add | B::AddElem => self.sum(a, b, false),
            B::Sub | B::SubElem => self.sum(a, b, true),
            B::Less | B::LessEq | B::Greater | B::GreaterEq | B::Equal | B::NotEqual => {
                self.same("sides of this relation", a, b);
                None
            }
            // Both are looked into, whether or not the unit of the other is known.
            B::Mul | B::MulElem => {
                let (a, b) = (self.factor(a), self.factor(b));
                a?.times(b?)
            }
            B::Div | B::DivElem => {
                let (a, b) = (self.factor(a), self.factor(b));
                a?.per(b?)
            }
            B::Pow | B::PowElem => {
                let base = self.unit(a)?;
                let (numerator, denominator) = fraction(number(b)?)?;
                base.power(numerator, denominator)
            }
            B::And | B::Or => {
                self.unit(a);
                self.unit(b);
                None
            }
            B::MatMul | B::MatPow => None,
        }
    }

    /// The unit of a factor. A number that is none of the usual ones may carry a unit.
    fn factor(&mut self, exp: &FlatExp) -> Option<Unit> {
        match number(exp) {
            Some(value) => is_plain(value).then_some(Unit::ONE),
            None => self.unit(exp),
        }
    }

    /// The unit of a sum. On a scale with a zero of its own, the difference of two places is an amount, and a place and an
    /// amount give a place; a number may be anything.
    fn sum(&mut self, a: &FlatExp, b: &FlatExp, minus: bool) -> Option<Unit> {
        const WHAT: &str = "terms of this sum";
        let units = (self.unit(a), self.unit(b));
        let zero = |it: Option<Unit>| it.and_then(Unit::zero);
        if zero(units.0).is_none() && zero(units.1).is_none() {
            // What is added to a difference of temperatures may be a place on any scale.
            if let (Some(known), None) | (None, Some(known)) = units
                && known.same_dimension(Unit::KELVIN)
            {
                return None;
            }
            return self.agree(WHAT, [a, b], units);
        }
        let (Some(left), Some(right)) = units else {
            return None;
        };
        match (left.zero(), right.zero()) {
            (Some(_), Some(_)) => (left.is_same(right) && minus).then(|| left.of_differences()),
            (Some(_), None) if left.same_dimension(right) => Some(left),
            (None, Some(_)) if left.same_dimension(right) && !minus => Some(right),
            _ => self.agree(WHAT, [a, b], units),
        }
    }

    /// The common unit of two expressions; a clash is noted if they have different ones.
    pub fn same(&mut self, what: &'static str, a: &FlatExp, b: &FlatExp) -> Option<Unit> {
        let units = (self.unit(a), self.unit(b));
        self.agree(what, [a, b], units)
    }

    fn agree(
        &mut self,
        what: &'static str,
        [a, b]: [&FlatExp; 2],
        (left, right): (Option<Unit>, Option<Unit>),
    ) -> Option<Unit> {
        let (Some(left), Some(right)) = (left, right) else {
            return left.or(right);
        };
        if left.is_same(right) {
            return Some(left);
        }
        self.clashes.push(Clash {
            what,
            units: [left, right],
            variables: [variable(a), variable(b)],
        });
        None
    }

    fn call(&mut self, call: &Call<FlatRef>) -> Option<Unit> {
        let name = match &call.function {
            Callee::Builtin(name) => name.as_str(),
            Callee::User(name) => return self.user_call(name, &call.args),
        };
        match (name, call.args.as_slice()) {
            ("der", [inner]) => self.unit(inner)?.per(Unit::SECOND),
            ("abs" | "pre" | "previous" | "noEvent" | "hold" | "sample", [inner, ..])
                if call.ty == Type::Real =>
            {
                self.unit(inner)
            }
            ("smooth", [_, inner]) => self.unit(inner),
            ("delay" | "homotopy", [inner, rest @ ..]) => {
                rest.iter().for_each(|it| {
                    self.unit(it);
                });
                self.unit(inner)
            }
            ("min" | "max", [a, b]) => self.same("arguments of this call", a, b),
            ("sqrt", [inner]) => self.unit(inner)?.power(1, 2),
            ("sin" | "cos" | "tan", [inner]) => {
                self.unit(inner);
                Some(Unit::ONE)
            }
            (_, args) => {
                args.iter().for_each(|it| {
                    self.unit(it);
                });
                None
            }
        }
    }

    /// Arguments are compared with what the inputs declare; the unit of the call is that of its one output.
    fn user_call(&mut self, name: &str, args: &[FlatExp]) -> Option<Unit> {
        let units: Vec<Option<Unit>> = args.iter().map(|arg| self.unit(arg)).collect();
        let function = *self.functions.get(name)?;
        let with = |wanted: Causality| {
            let locals = function.locals.iter();
            locals.filter(move |it| it.causality == Some(wanted))
        };
        let declared_unit = |attributes: &[modeshift_flat::model::Attribute]| {
            let unit = attributes.iter().find(|it| it.name == "unit")?;
            declared(&unit.value)
        };
        for ((arg, unit), input) in args.iter().zip(&units).zip(with(Causality::Input)) {
            if let (Some(unit), Some(wanted)) = (unit, declared_unit(&input.attributes))
                && !unit.is_same(wanted)
            {
                self.clashes.push(Clash {
                    what: "argument and input of this call",
                    units: [*unit, wanted],
                    variables: [variable(arg), None],
                });
            }
        }
        let mut outputs = with(Causality::Output);
        let output = outputs.next()?;
        if outputs.next().is_some() || output.ty != Type::Real {
            return None;
        }
        declared_unit(&output.attributes)
    }
}

/// The unit that an attribute gives.
fn declared(value: &FlatExp) -> Option<Unit> {
    match value {
        Exp::Str(text) => Unit::parse(text),
        _ => None,
    }
}

pub(crate) fn variable(exp: &FlatExp) -> Option<VarId> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(*id),
        Exp::Cast(_, inner) | Exp::Unary(UnaryOp::Neg, inner) => variable(inner),
        _ => None,
    }
}

/// The value of a number that is written down.
pub(crate) fn number(exp: &FlatExp) -> Option<f64> {
    match exp {
        Exp::Int(value) => Some(*value as f64),
        Exp::Real(value) => Some(*value),
        Exp::Cast(_, inner) => number(inner),
        Exp::Unary(UnaryOp::Neg, inner) => number(inner).map(|value| -value),
        _ => None,
    }
}

/// Whether the value is a number divided by something.
pub(crate) fn divides_number(exp: &FlatExp) -> bool {
    match exp {
        Exp::Binary(BinaryOp::Div | BinaryOp::DivElem, sides) => {
            number(&sides.0).is_some() || divides_number(&sides.0)
        }
        Exp::Cast(_, inner) | Exp::Unary(UnaryOp::Neg, inner) => divides_number(inner),
        _ => false,
    }
}

/// A number that counts or halves, or belongs to a circle: it converts nothing. One is often the value of a constant
/// that carries a unit.
fn is_plain(value: f64) -> bool {
    let simple = |value: f64| {
        [2.0, 3.0, 4.0, 0.5, 0.25, 1.5]
            .iter()
            .any(|it| (value - it).abs() < 1e-12)
    };
    let value = value.abs();
    simple(value) || simple(value / PI) || (value / PI - 1.0).abs() < 1e-12
}

/// A power as a fraction with a small denominator.
fn fraction(value: f64) -> Option<(i32, i32)> {
    [1, 2, 3, 4].into_iter().find_map(|denominator| {
        let numerator = value * f64::from(denominator);
        let rounded = numerator.round();
        ((numerator - rounded).abs() < 1e-12 && rounded.abs() <= 12.0)
            .then_some((rounded as i32, denominator))
    })
}
