//! How a variable occurs: not at all, linearly, as a power in monomials, or otherwise.
//!
//! Impulsive variables may enter an equation linearly, and with rational orders as powers of monomials;
//! everything else is a place to report.

use super::expr::{Expr, Kind, VarRef};
use modeshift_algebra::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// How one variable occurs in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// To the power one, with coefficients that do not contain it.
    Linear,
    /// With these exponents in monomials (0 for terms without it), not only 0 and 1.
    Powers(BTreeSet<Rational>),
    /// Inside a function, a condition, or a power of a sum.
    Nonlinear,
}

/// Exponent sets larger than this are as good as nonlinear.
const MAX_EXPONENTS: usize = 64;

/// Every variable of `expr` with the way it occurs.
pub fn occurrences(expr: &Expr) -> BTreeMap<VarRef, Occurrence> {
    let classify = |v| match exponents_of(expr, v) {
        Some(set) if set.iter().all(|e| e.is_zero() || e.is_one()) => Occurrence::Linear,
        Some(set) => Occurrence::Powers(set),
        None => Occurrence::Nonlinear,
    };
    super::variables(expr)
        .into_iter()
        .map(|v| (v, classify(v)))
        .collect()
}

/// The exponents with which `by` occurs in the monomials of `expr`, 0 for those without it; `None`
/// where it occurs inside a function or a power of a sum that does not expand.
pub fn exponents_of(expr: &Expr, by: VarRef) -> Option<BTreeSet<Rational>> {
    match expr.kind() {
        Kind::Var(occurrence) if *occurrence == by => Some(only(Rational::one())),
        Kind::Const(_)
        | Kind::Time
        | Kind::Param(_)
        | Kind::Var(_)
        | Kind::Cond(_)
        | Kind::Text(_) => Some(only(Rational::zero())),
        Kind::Sum(terms) => union(terms.iter().map(|term| exponents_of(term, by))),
        Kind::Prod(factors) => factors
            .iter()
            .try_fold(only(Rational::zero()), |sum, factor| {
                sumset(&sum, &exponents_of(factor, by)?)
            }),
        Kind::Pow(base, exponent) => power(base, exponent, by),
        Kind::Call(_, args) => args
            .iter()
            .all(|arg| absent(arg, by))
            .then(|| only(Rational::zero())),
        Kind::If(_, a, b) => union([exponents_of(a, by), exponents_of(b, by)].into_iter()),
        Kind::Relation(_, a, b) => (absent(a, by) && absent(b, by)).then(|| only(Rational::zero())),
    }
}

fn power(base: &Expr, exponent: &Rational, by: VarRef) -> Option<BTreeSet<Rational>> {
    if absent(base, by) {
        return Some(only(Rational::zero()));
    }
    let inner = exponents_of(base, by)?;
    if !matches!(base.kind(), Kind::Sum(_) | Kind::If(..)) {
        return Some(inner.iter().map(|e| e * exponent).collect());
    }
    let n = exponent.to_i64().filter(|n| (1..=16).contains(n))?;
    (1..n).try_fold(inner.clone(), |sum, _| sumset(&sum, &inner))
}

fn only(value: Rational) -> BTreeSet<Rational> {
    BTreeSet::from([value])
}

fn union(sets: impl Iterator<Item = Option<BTreeSet<Rational>>>) -> Option<BTreeSet<Rational>> {
    let mut all = BTreeSet::new();
    for set in sets {
        all.extend(set?);
    }
    (all.len() <= MAX_EXPONENTS).then_some(all)
}

fn sumset(a: &BTreeSet<Rational>, b: &BTreeSet<Rational>) -> Option<BTreeSet<Rational>> {
    let sums: BTreeSet<Rational> = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| x + y))
        .collect();
    (sums.len() <= MAX_EXPONENTS).then_some(sums)
}

fn absent(expr: &Expr, by: VarRef) -> bool {
    !super::variables(expr).contains(&by)
}
