//! Which variables occur in an equation, with how many derivatives, and in which modes.

use crate::cond::Conds;
use crate::model::{MDae, VarKind};
use crate::sym::{At, CondId, Expr, Kind, VarId, VarRef};
use modeshift_base::{FxHashSet, FxIndexMap};
use std::collections::BTreeSet;

/// `variable` occurs, differentiated `order` times, where `when` holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    pub variable: VarId,
    pub order: u32,
    pub when: CondId,
}

/// The occurrences of unknowns in an expression, in order of their first appearance. Conditions of
/// if-expressions around them are collected, never multiplied out. What stands inside a relation
/// decides, but is not an unknown of the equation: nobody can solve `x > 0` for `x`.
///
/// Linear in the number of distinct pairs of a sub-expression and the conditions it stands under.
pub fn occurrences(mdae: &mut MDae, expr: &Expr) -> Vec<Occurrence> {
    let mut found: FxIndexMap<(VarId, u32), Vec<CondId>> = FxIndexMap::default();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(expr, Conds::TRUE)];
    while let Some((node, when)) = stack.pop() {
        match node.kind() {
            Kind::Var(VarRef {
                var,
                order,
                at: At::Now,
            }) if mdae.variables[var.0 as usize].kind == VarKind::Unknown => {
                found.entry((*var, *order)).or_default().push(when);
            }
            Kind::Sum(items) | Kind::Prod(items) | Kind::Call(_, items)
                if seen.insert((address(node), when)) =>
            {
                stack.extend(items.iter().rev().map(|item| (item, when)));
            }
            Kind::Pow(base, _) => stack.push((base, when)),
            Kind::If(condition, then, otherwise) if seen.insert((address(node), when)) => {
                let negated = mdae.conds.not(*condition);
                let in_else = mdae.conds.and([when, negated]);
                let in_then = mdae.conds.and([when, *condition]);
                stack.extend([(otherwise, in_else), (then, in_then)]);
            }
            _ => {}
        }
    }
    found
        .into_iter()
        .map(|((variable, order), whens)| Occurrence {
            variable,
            order,
            when: mdae.conds.or(whens),
        })
        .filter(|occurrence| occurrence.when != Conds::FALSE)
        .collect()
}

/// Nodes are kept alive by the expression that is walked: their address names them.
fn address(expr: &Expr) -> *const Kind {
    expr.kind()
}

/// Whether two expressions read the same derivatives of the same variables.
pub fn reads_the_same(a: &Expr, b: &Expr) -> bool {
    current(a) == current(b)
}

fn current(expr: &Expr) -> BTreeSet<VarRef> {
    crate::sym::variables(expr)
        .into_iter()
        .filter(|v| v.at == At::Now)
        .collect()
}
