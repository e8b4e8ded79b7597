//! Integer parts, which make events where they change: `floor`, `ceil`, `integer`, and `div`, `mod`, `rem` of reals.
//!
//! Between events the part is held, and both ends of the interval in which it stays are watched like relations.

use crate::eval::{Node, Phase, Scope, Watched, node, variable};
use crate::instant::{all_parts, is_call};
use crate::value::{NEAR, Poly, Result, Stop, Value, unsupported};
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef};
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::Type;

/// How a number becomes an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Down,
    Up,
    ToZero,
}

impl Way {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Down => value.floor(),
            Self::Up => value.ceil(),
            Self::ToZero => value.trunc(),
        }
    }

    /// The ends of the numbers that become `part`.
    fn interval(self, part: i64) -> (f64, f64) {
        let part = part as f64;
        match self {
            Self::Down => (part, part + 1.0),
            Self::Up => (part - 1.0, part),
            Self::ToZero if part > 0.0 => (part, part + 1.0),
            Self::ToZero if part < 0.0 => (part - 1.0, part),
            Self::ToZero => (-1.0, 1.0),
        }
    }
}

/// Whether a call is an integer part and nothing more.
pub fn is_integer_part(exp: &FlatExp) -> bool {
    let Exp::Call(call) = exp else {
        return false;
    };
    matches!(&call.function, Callee::Builtin(name) if matches!(name.as_str(), "floor" | "ceil" | "integer" | "div"))
}

/// Whether a division is one of reals.
pub fn has_reals(a: &FlatExp, b: &FlatExp, model: &FlatModel) -> bool {
    is_real(a, model) || is_real(b, model)
}

fn is_real(exp: &FlatExp, model: &FlatModel) -> bool {
    match exp {
        Exp::Real(_) | Exp::Time | Exp::Cast(..) => true,
        Exp::Ref(FlatRef::Var(v)) => model.variables[*v].ty == Type::Real,
        Exp::Ref(FlatRef::Element(group, _)) => {
            let first = model.groups[*group].members.first();
            first.is_some_and(|&v| model.variables[v].ty == Type::Real)
        }
        Exp::Unary(_, inner) => is_real(inner, model),
        Exp::Binary(_, sides) => is_real(&sides.0, model) || is_real(&sides.1, model),
        Exp::If(inner) => is_real(&inner.then, model) || is_real(&inner.else_, model),
        Exp::Call(call) if is_call(&call.function, "integer") => false,
        Exp::Call(call) => call.args.iter().any(|arg| is_real(arg, model)),
        _ => false,
    }
}

impl Scope<'_> {
    /// `floor`, `ceil` and `integer` of a value that may not be known yet.
    pub fn integer_part(&mut self, exp: &FlatExp, name: &str, arg: Result<Value>) -> Result<Value> {
        let way = match name {
            "ceil" => Way::Up,
            "div" => Way::ToZero,
            _ => Way::Down,
        };
        let part = match arg {
            Err(Stop::Unknown) if self.is_held(exp) => self.rounded[&node(exp)],
            arg => {
                let poly = arg?.poly().map_or_else(|| unsupported(exp), Ok)?;
                self.part(exp, way, &poly)?
            }
        };
        Ok(match name {
            "integer" => Value::Int(part),
            _ => Value::real(part as f64),
        })
    }

    /// `div`, `mod` and `rem` of reals; what is divided by is a constant.
    pub fn division(
        &mut self,
        exp: &FlatExp,
        name: &str,
        a: &FlatExp,
        b: &FlatExp,
    ) -> Result<Value> {
        let by = self.number(b)?;
        if by == 0.0 {
            return unsupported(exp);
        }
        let quotient = |value: Value| {
            let poly = value.poly()?;
            Some(poly.mul(&Poly::number(1.0 / by, false)))
        };
        let value = self.eval(a);
        if name == "div" {
            let quotient = value.and_then(|value| {
                let poly = quotient(value).map_or_else(|| unsupported(exp), Ok)?;
                Ok(Value::Real(poly))
            });
            return self.integer_part(exp, name, quotient);
        }
        let value = value?;
        let way = if name == "mod" {
            Way::Down
        } else {
            Way::ToZero
        };
        let quotient = quotient(value.clone()).map_or_else(|| unsupported(exp), Ok)?;
        let part = self.part(exp, way, &quotient)?;
        let whole = Poly::number(part as f64 * by, false);
        let value = value.poly().map_or_else(|| unsupported(exp), Ok)?;
        Ok(Value::Real(value.add(&whole, -1.0)))
    }

    /// The part of a value; between events the held one.
    fn part(&mut self, exp: &FlatExp, way: Way, value: &Poly) -> Result<i64> {
        let at = node(exp);
        let [low, high] = ends(at);
        if self.phase == Phase::Between {
            let part = match self.rounded.get(&at) {
                Some(&part) => part,
                None => rounded(way, value)?,
            };
            self.rounded.insert(at, part);
            let mut variables = Vec::new();
            all_parts(exp, &mut |part| variables.extend(variable(part)));
            let (from, to) = way.interval(part);
            for (end, limit, op) in [(low, from, BinaryOp::GreaterEq), (high, to, BinaryOp::Less)] {
                self.held.insert(end, true);
                let watched = Watched {
                    difference: value.add(&Poly::number(limit, false), -1.0),
                    op,
                    variables: variables.clone(),
                };
                self.watched.insert(end, watched);
            }
            return Ok(part);
        }
        if self.literal {
            return rounded(way, value);
        }
        let before = self.rounded.get(&at).copied();
        let here = |limit: f64| (value.at(0.0) - limit).abs() < NEAR;
        let part = match before {
            Some(part) if self.crossed.contains_key(&high) && here(way.interval(part).1) => {
                part + 1
            }
            Some(part) if self.crossed.contains_key(&low) && here(way.interval(part).0) => part - 1,
            // In the rounds after the one in which it changed.
            Some(part)
                if [low, high].iter().any(|end| self.crossed.contains_key(end))
                    && (here(way.interval(part).0) || here(way.interval(part).1)) =>
            {
                part
            }
            _ => rounded(way, value)?,
        };
        self.rounded.insert(at, part);
        self.held.insert(low, true);
        self.held.insert(high, true);
        Ok(part)
    }
}

/// Names of the ends of a part's interval: no expressions live there.
fn ends(at: Node) -> [Node; 2] {
    [1, 2].map(|offset| at.wrapping_byte_add(offset))
}

/// The part by numbers alone.
fn rounded(way: Way, value: &Poly) -> Result<i64> {
    let value = value.at(0.0);
    if (value - value.round()).abs() < NEAR {
        return Err(Stop::Doubt("an integer part at its threshold"));
    }
    Ok(way.of(value) as i64)
}
