//! Derivatives at a point, without making them as expressions.

use super::derive::partial_of_call;
use super::eval::{EvalError, Field, Valuation, evaluate};
use super::expr::{Expr, Kind, VarRef};
use modeshift_algebra::Rational;

/// Nodes that are visited in one expression: one with much sharing is visited too often.
const MAX_VISITS: u32 = 4096;

/// Why there is no gradient.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoGradient {
    Undefined(EvalError),
    /// The expression is shared too much: make derivatives instead.
    TooShared,
}

/// Adds `scale · ∂expr/∂x` for every occurrence `x` that is wanted to `found`; one that stands at several places is
/// found several times. Nothing is evaluated that the derivatives do not need.
///
/// At worst O(depth · size), which is limited.
pub fn gradient<T: Field, V: Valuation<T>>(
    expr: &Expr,
    scale: T,
    values: &V,
    wanted: &impl Fn(VarRef) -> bool,
    found: &mut Vec<(VarRef, T)>,
) -> Result<(), NoGradient> {
    let mut walk = Walk {
        values,
        wanted,
        found,
        visits: 0,
    };
    walk.add(expr, scale)
}

struct Walk<'a, T, V, W> {
    values: &'a V,
    wanted: &'a W,
    found: &'a mut Vec<(VarRef, T)>,
    visits: u32,
}

impl<T: Field, V: Valuation<T>, W: Fn(VarRef) -> bool> Walk<'_, T, V, W> {
    fn add(&mut self, expr: &Expr, scale: T) -> Result<(), NoGradient> {
        self.visit()?;
        match expr.kind() {
            Kind::Const(_)
            | Kind::Time
            | Kind::Param(_)
            | Kind::Cond(_)
            | Kind::Text(_)
            | Kind::Relation(..) => {}
            Kind::Var(occurrence) => {
                if (self.wanted)(*occurrence) {
                    self.found.push((*occurrence, scale));
                }
            }
            Kind::Sum(terms) => {
                for term in terms {
                    self.add(term, scale.clone())?;
                }
            }
            Kind::Prod(factors) => {
                for (i, factor) in factors.iter().enumerate() {
                    if !self.mentions(factor)? {
                        continue;
                    }
                    let mut product = scale.clone();
                    for (_, other) in factors.iter().enumerate().filter(|(j, _)| *j != i) {
                        product = product.mul(&self.value(other)?);
                    }
                    self.add(factor, product)?;
                }
            }
            Kind::Pow(base, exponent) => {
                if self.mentions(base)? {
                    let lowered = base.pow(exponent - &Rational::one());
                    let factor = self.value(&Expr::constant(exponent.clone()))?;
                    let factor = factor.mul(&self.value(&lowered)?);
                    self.add(base, scale.mul(&factor))?;
                }
            }
            Kind::Call(function, args) => {
                for (i, arg) in args.iter().enumerate() {
                    if self.mentions(arg)? {
                        let outer = self.value(&partial_of_call(function, args, i))?;
                        self.add(arg, scale.mul(&outer))?;
                    }
                }
            }
            Kind::If(condition, then, otherwise) => {
                let undecided = NoGradient::Undefined(EvalError::Condition(*condition));
                let taken = match self.values.cond(*condition).ok_or(undecided)? {
                    true => then,
                    false => otherwise,
                };
                self.add(taken, scale)?;
            }
        }
        Ok(())
    }

    fn visit(&mut self) -> Result<(), NoGradient> {
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return Err(NoGradient::TooShared);
        }
        Ok(())
    }

    fn value(&self, expr: &Expr) -> Result<T, NoGradient> {
        evaluate(expr, self.values).map_err(NoGradient::Undefined)
    }

    /// Whether a wanted occurrence stands in `expr`, outside relations.
    fn mentions(&mut self, expr: &Expr) -> Result<bool, NoGradient> {
        self.visit()?;
        match expr.kind() {
            Kind::Const(_)
            | Kind::Time
            | Kind::Param(_)
            | Kind::Cond(_)
            | Kind::Text(_)
            | Kind::Relation(..) => Ok(false),
            Kind::Var(occurrence) => Ok((self.wanted)(*occurrence)),
            Kind::Sum(items) | Kind::Prod(items) | Kind::Call(_, items) => {
                for item in items {
                    if self.mentions(item)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Kind::Pow(base, _) => self.mentions(base),
            Kind::If(condition, then, otherwise) => match self.values.cond(*condition) {
                Some(true) => self.mentions(then),
                Some(false) => self.mentions(otherwise),
                None => Ok(self.mentions(then)? || self.mentions(otherwise)?),
            },
        }
    }
}
