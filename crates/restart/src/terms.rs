//! The terms of an equation: which variables multiply which, and which are locked inside functions.

use modeshift_mdae::sym::{Expr, Kind, Limits, VarRef, normal_form, variables};
use num_rational::Ratio;

/// Orders of impulses and exponents: small exact fractions.
pub type Order = Ratio<i64>;

/// One summand of an equation.
#[derive(Clone, Debug)]
pub struct Term {
    /// Variables with their exponents.
    pub powers: Vec<(VarRef, Order)>,
    /// Variables inside functions, sums under a power, conditions.
    pub locked: Vec<VarRef>,
    /// The summand itself.
    pub expr: Expr,
}

/// An equation's residual as a sum of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    pub terms: Vec<Term>,
}

/// Splits `expr` into terms, multiplied out where that stays small; otherwise by its outermost sum,
/// which locks more variables than necessary but never fewer.
pub fn terms_of(expr: &Expr) -> Terms {
    let expanded = normal_form(
        expr,
        Limits {
            terms: 512,
            power: 8,
        },
    );
    let summands: Vec<Expr> = match &expanded {
        Ok(polynomial) => split(&polynomial.to_expr()),
        Err(_) => split(expr),
    };
    Terms {
        terms: summands.into_iter().map(term).collect(),
    }
}

fn split(expr: &Expr) -> Vec<Expr> {
    match expr.kind() {
        Kind::Sum(terms) => terms.to_vec(),
        _ if expr.is_zero() => Vec::new(),
        _ => vec![expr.clone()],
    }
}

fn term(expr: Expr) -> Term {
    let mut powers: Vec<(VarRef, Order)> = Vec::new();
    let mut locked = Vec::new();
    let factors = match expr.kind() {
        Kind::Prod(factors) => factors.to_vec(),
        _ => vec![expr.clone()],
    };
    for factor in &factors {
        let (base, exponent) = match factor.kind() {
            Kind::Pow(base, exponent) => (base, exponent.to_small()),
            _ => (factor, Some((1, 1))),
        };
        match (base.as_var(), exponent) {
            (Some(var), Some((numerator, denominator))) => {
                let exponent = Order::new(numerator, denominator);
                match powers.iter_mut().find(|(v, _)| *v == var) {
                    Some((_, sum)) => *sum += exponent,
                    None => powers.push((var, exponent)),
                }
            }
            _ => locked.extend(variables(factor)),
        }
    }
    Term {
        powers,
        locked,
        expr,
    }
}
