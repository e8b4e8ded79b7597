//! Evaluation over any field: floating point for restarts, a prime field for rank and identity tests.

use super::expr::{CondId, Expr, Func, Kind, ParamId, RelOp, VarRef};
use modeshift_algebra::Rational;
use modeshift_base::{FxHashMap, Name};
use modeshift_inst::builtin::{self, Binary, Unary};
use std::fmt;

/// Numbers an expression can be evaluated to. `None` means undefined: division by zero, a root that
/// does not exist, a function that is not known.
pub trait Field: Clone {
    fn from_rational(value: &Rational) -> Option<Self>;
    fn add(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn pow(&self, exponent: &Rational) -> Option<Self>;
    fn call(function: &Func, args: &[Self]) -> Option<Self>;
    fn compare(op: RelOp, left: &Self, right: &Self) -> Option<bool>;
}

/// Where the leaves get their values from.
pub trait Valuation<T> {
    fn var(&self, occurrence: VarRef) -> Option<T>;
    fn param(&self, id: ParamId) -> Option<T>;
    fn time(&self) -> Option<T>;
    fn cond(&self, _id: CondId) -> Option<bool> {
        None
    }
}

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    Variable(VarRef),
    Parameter(ParamId),
    Time,
    Condition(CondId),
    /// A function the field cannot compute, or computed outside its domain.
    Function(Name),
    /// Division by zero or a root outside its domain.
    Undefined,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(_) => f.write_str("a variable has no value"),
            Self::Parameter(_) => f.write_str("a parameter has no value"),
            Self::Time => f.write_str("time has no value"),
            Self::Condition(_) => f.write_str("a condition is not decided"),
            Self::Function(name) => write!(f, "`{name}` cannot be evaluated here"),
            Self::Undefined => f.write_str("a division by zero or a root outside its domain"),
        }
    }
}

/// The value of `expr`. Linear in the number of distinct nodes.
pub fn evaluate<T: Field, V: Valuation<T>>(expr: &Expr, values: &V) -> Result<T, EvalError> {
    Evaluation {
        memo: FxHashMap::default(),
        values,
    }
    .of(expr)
}

struct Evaluation<'v, T, V> {
    memo: FxHashMap<usize, T>,
    values: &'v V,
}

impl<T: Field, V: Valuation<T>> Evaluation<'_, T, V> {
    fn of(&mut self, expr: &Expr) -> Result<T, EvalError> {
        match expr.kind() {
            Kind::Const(value) => T::from_rational(value).ok_or(EvalError::Undefined),
            Kind::Time => self.values.time().ok_or(EvalError::Time),
            Kind::Param(id) => self.values.param(*id).ok_or(EvalError::Parameter(*id)),
            Kind::Var(v) => self.values.var(*v).ok_or(EvalError::Variable(*v)),
            Kind::Cond(id) => self.condition(*id).and_then(truth),
            Kind::Text(name) => Err(EvalError::Function(*name)),
            _ => {
                if let Some(done) = self.memo.get(&expr.address()) {
                    return Ok(done.clone());
                }
                let value = self.inner(expr)?;
                self.memo.insert(expr.address(), value.clone());
                Ok(value)
            }
        }
    }

    fn inner(&mut self, expr: &Expr) -> Result<T, EvalError> {
        match expr.kind() {
            Kind::Sum(terms) => self.fold(terms, T::add),
            Kind::Prod(factors) => self.fold(factors, T::mul),
            Kind::Pow(base, exponent) => self.of(base)?.pow(exponent).ok_or(EvalError::Undefined),
            Kind::Call(function, args) if function.name == *"indicator" => {
                let [arg] = &**args else {
                    return Err(EvalError::Function(function.name));
                };
                self.of(arg)
            }
            Kind::Call(function, args) => {
                let args = args
                    .iter()
                    .map(|arg| self.of(arg))
                    .collect::<Result<Vec<T>, _>>()?;
                T::call(function, &args).ok_or(EvalError::Function(function.name))
            }
            Kind::If(condition, then, otherwise) => {
                let taken = if self.condition(*condition)? {
                    then
                } else {
                    otherwise
                };
                self.of(taken)
            }
            Kind::Relation(op, left, right) => {
                let (left, right) = (self.of(left)?, self.of(right)?);
                truth(T::compare(*op, &left, &right).ok_or(EvalError::Undefined)?)
            }
            // Leaves were answered by `of`.
            _ => Err(EvalError::Undefined),
        }
    }

    fn fold(&mut self, items: &[Expr], op: fn(&T, &T) -> T) -> Result<T, EvalError> {
        let mut items = items.iter();
        let first = items.next().ok_or(EvalError::Undefined)?;
        let mut value = self.of(first)?;
        for item in items {
            value = op(&value, &self.of(item)?);
        }
        Ok(value)
    }

    fn condition(&self, id: CondId) -> Result<bool, EvalError> {
        self.values.cond(id).ok_or(EvalError::Condition(id))
    }
}

fn truth<T: Field>(value: bool) -> Result<T, EvalError> {
    T::from_rational(&Rational::int(i64::from(value))).ok_or(EvalError::Undefined)
}

impl Field for f64 {
    fn from_rational(value: &Rational) -> Option<Self> {
        Some(value.to_f64())
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn pow(&self, exponent: &Rational) -> Option<Self> {
        let value = match exponent.to_i64().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => builtin::whole_power(*self, n),
            // Odd roots of negative numbers are real.
            None if *self < 0.0 => match exponent.to_small() {
                Some((n, d)) if d % 2 == 1 => {
                    let root = libm::pow(-self, exponent.to_f64());
                    if n % 2 == 0 { root } else { -root }
                }
                _ => return None,
            },
            None => libm::pow(*self, exponent.to_f64()),
        };
        value.is_finite().then_some(value)
    }

    fn call(function: &Func, args: &[Self]) -> Option<Self> {
        if !function.partials.is_empty() {
            return None;
        }
        let name = function.name.as_str();
        let value = match *args {
            [x] => Unary::named(name)?.apply(x),
            [a, b] => {
                let op = Binary::named(name)?;
                if op.divides() && b == 0.0 {
                    return None;
                }
                op.apply(a, b)
            }
            _ => return None,
        };
        value.is_finite().then_some(value)
    }

    fn compare(op: RelOp, left: &Self, right: &Self) -> Option<bool> {
        Some(match op {
            RelOp::Less => left < right,
            RelOp::LessEqual => left <= right,
            RelOp::Greater => left > right,
            RelOp::GreaterEqual => left >= right,
            RelOp::Equal => left == right,
            RelOp::NotEqual => left != right,
        })
    }
}
