//! Whether an expression is written as linear in its variables: what can be said without multiplying anything out.

use super::expr::{Expr, Kind};
use super::walk::variables;
use modeshift_base::FxHashMap;

/// Whether an equation is written as linear in its variables, parameters aside. Linear in its nodes.
pub fn is_affine(expr: &Expr) -> bool {
    shape(expr, &mut FxHashMap::default()) != Shape::Nonlinear
}

/// How an expression depends on variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Constant,
    Affine,
    Nonlinear,
}

/// `known` by address of nodes.
fn shape(expr: &Expr, known: &mut FxHashMap<usize, Shape>) -> Shape {
    if let Some(&found) = known.get(&expr.address()) {
        return found;
    }
    let mut all = |list: &[Expr]| -> Vec<Shape> { list.iter().map(|e| shape(e, known)).collect() };
    let worst = |shapes: &[Shape]| match shapes {
        all if all.iter().all(|s| *s == Shape::Constant) => Shape::Constant,
        all if all.contains(&Shape::Nonlinear) => Shape::Nonlinear,
        _ => Shape::Affine,
    };
    let found = match expr.kind() {
        Kind::Sum(terms) => worst(&all(terms)),
        Kind::Prod(factors) => {
            let shapes = all(factors);
            match shapes.iter().filter(|s| **s == Shape::Affine).count() {
                0 | 1 => worst(&shapes),
                _ => Shape::Nonlinear,
            }
        }
        _ if expr.as_var().is_some() => Shape::Affine,
        _ if variables(expr).is_empty() => Shape::Constant,
        _ => Shape::Nonlinear,
    };
    known.insert(expr.address(), found);
    found
}
