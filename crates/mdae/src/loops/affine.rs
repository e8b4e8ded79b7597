//! Expressions as affine forms of unknowns.

use super::system::Beyond;
use crate::sym::{Expr, Kind, Limits, Polynomial, Rational, VarRef, normal_form, variables};
use modeshift_base::FxHashSet;

pub(super) fn polynomial(expr: &Expr) -> Result<Polynomial, Beyond> {
    normal_form(
        expr,
        Limits {
            terms: 512,
            power: 8,
        },
    )
    .map_err(|_| Beyond::TooLarge)
}

/// The unknowns that occur in products with others, with coefficients that are no numbers, or inside functions, as it is written.
pub(super) fn nonlinear(
    expr: &Expr,
    is_unknown: &dyn Fn(VarRef) -> bool,
    found: &mut FxHashSet<VarRef>,
) {
    let own = |expr: &Expr| -> Vec<VarRef> {
        let reads = variables(expr).into_iter();
        reads.filter(|read| is_unknown(*read)).collect()
    };
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match expr.kind() {
            Kind::Sum(items) => stack.extend(items.iter()),
            Kind::If(_, then, otherwise) => stack.extend([then, otherwise]),
            Kind::Relation(_, a, b) => stack.extend([a, b]),
            Kind::Prod(items) => {
                let with: Vec<&Expr> = items.iter().filter(|item| !own(item).is_empty()).collect();
                let numbers = items
                    .iter()
                    .filter(|item| own(item).is_empty())
                    .all(is_number);
                match with[..] {
                    [] => {}
                    [only] if numbers => stack.push(only),
                    _ => found.extend(with.into_iter().flat_map(own)),
                }
            }
            Kind::Pow(..) | Kind::Call(..) => found.extend(own(expr)),
            _ => {}
        }
    }
}

/// Whether an expression is a number in every mode.
fn is_number(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Const(_) => true,
        Kind::If(_, then, otherwise) => is_number(then) && is_number(otherwise),
        Kind::Sum(items) | Kind::Prod(items) => items.iter().all(is_number),
        Kind::Pow(base, _) => is_number(base),
        _ => false,
    }
}

pub(super) type Parts = (Vec<(VarRef, Rational)>, Vec<(Expr, Rational)>);

/// The terms with an unknown and those without.
pub(super) fn affine(
    polynomial: &Polynomial,
    is_unknown: &dyn Fn(VarRef) -> bool,
) -> Result<Parts, Beyond> {
    let (mut unknown, mut known) = (Vec::new(), Vec::new());
    for (monomial, factor) in polynomial.terms() {
        let nonlinear = || {
            let powers = monomial.iter();
            let powers = powers.map(|(generator, exponent)| generator.pow(exponent.clone()));
            Err(Beyond::Nonlinear(Expr::product(powers)))
        };
        let mut own: Option<VarRef> = None;
        let mut rest: Vec<Expr> = Vec::new();
        for (generator, exponent) in monomial {
            match generator.kind() {
                Kind::Var(read) if is_unknown(*read) => {
                    if own.is_some() || !exponent.is_one() {
                        return nonlinear();
                    }
                    own = Some(*read);
                }
                Kind::Var(_) => rest.push(generator.pow(exponent.clone())),
                _ => {
                    if variables(generator).into_iter().any(is_unknown) {
                        return nonlinear();
                    }
                    rest.push(generator.pow(exponent.clone()));
                }
            }
        }
        match own {
            Some(read) if rest.is_empty() => unknown.push((read, factor.clone())),
            Some(read) => return Err(Beyond::Coefficient(read, Expr::product(rest))),
            None => known.push((Expr::product(rest), factor.clone())),
        }
    }
    Ok((unknown, known))
}
