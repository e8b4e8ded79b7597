//! Rewriting the calls of an expression.

use crate::sym::{Expr, Kind};

/// Expressions nested deeper than this are left as they are.
const MAX_DEPTH: usize = 64;

/// The expression with what `value` gives in the place of calls, innermost first. It gets a call as it was and its arguments as they are
/// now.
pub(super) fn replaced(expr: &Expr, value: &mut dyn FnMut(&Expr, &[Expr]) -> Option<Expr>) -> Expr {
    rebuilt(expr, value, MAX_DEPTH)
}

fn rebuilt(
    expr: &Expr,
    value: &mut dyn FnMut(&Expr, &[Expr]) -> Option<Expr>,
    depth: usize,
) -> Expr {
    let Some(depth) = depth.checked_sub(1) else {
        return expr.clone();
    };
    let mut all = |items: &[Expr]| -> Vec<Expr> {
        items
            .iter()
            .map(|item| rebuilt(item, value, depth))
            .collect()
    };
    match expr.kind() {
        Kind::Sum(items) => Expr::sum(all(items)),
        Kind::Prod(items) => Expr::product(all(items)),
        Kind::Pow(base, exponent) => rebuilt(base, value, depth).pow(exponent.clone()),
        Kind::If(condition, a, b) => {
            let (a, b) = (rebuilt(a, value, depth), rebuilt(b, value, depth));
            Expr::if_else(*condition, &a, &b)
        }
        Kind::Relation(op, a, b) => {
            let (a, b) = (rebuilt(a, value, depth), rebuilt(b, value, depth));
            Expr::relation(*op, &a, &b)
        }
        Kind::Call(function, args) => {
            let args = all(args);
            value(expr, &args).unwrap_or_else(|| Expr::apply(function.clone(), args))
        }
        _ => expr.clone(),
    }
}
