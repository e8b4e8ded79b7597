//! What a reset takes along: `x` and `y = -2*x` are one state by two names, so `reinit(x, 1)` moves both.
//!
//! That holds for a target without a derivative, too: `reinit` makes a variable a state if any choice of states can have it, and the
//! one that it is tied to follows.

use crate::change::Change;
use modeshift_base::FxHashSet;
use modeshift_mdae::sym::{At, Expr, VarRef, variables};
use std::collections::BTreeSet;

/// An equation of both modes between two states that are reset together.
pub(crate) struct Tie {
    pub equation: usize,
    /// How many times it is differentiated.
    pub order: u32,
    /// One that is reset, and what follows it.
    pub states: [VarRef; 2],
}

/// Equations of both modes, among those that `fits` admits, that tie an unknown to one that a law resets, or to one that follows it.
/// At worst the number of resets times the number of equations.
pub(crate) fn ties(change: &Change, fits: &dyn Fn(usize) -> bool) -> Vec<Tie> {
    let laws = change.transient.iter().flat_map(|it| &it.laws);
    let targets: BTreeSet<VarRef> = laws.filter_map(|law| law.reinit).collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let shared: FxHashSet<&Expr> = change.before.iter().map(|e| &e.residual).collect();
    let occurring: Vec<Vec<VarRef>> = change
        .after
        .iter()
        .map(|e| {
            let now = |o: &VarRef| o.at == At::Now && change.is_unknown(o.var);
            variables(&e.residual).into_iter().filter(now).collect()
        })
        .collect();
    let is_rate = |o: VarRef| {
        let mut all = occurring.iter().flatten();
        all.any(|it| it.var == o.var && it.order > o.order)
    };
    let mut waiting: Vec<VarRef> = targets.iter().copied().collect();
    let mut seen = targets;
    let mut used = vec![false; occurring.len()];
    let mut found = Vec::new();
    while let Some(state) = waiting.pop() {
        for (equation, occurring) in occurring.iter().enumerate() {
            let [first, second] = occurring[..] else {
                continue;
            };
            let (own, other) = match first.var == state.var && first.order <= state.order {
                true if second == state => (second, first),
                true => (first, second),
                false => (second, first),
            };
            // A variable and its own rate, after velocities were put in the place of derivatives: what follows must be a value that
            // something integrates, or the rate that is reset.
            let follows = match own.var == other.var {
                true => own == state && (own.order > other.order || is_rate(other)),
                false => own.var == state.var && own.order <= state.order,
            };
            let ties = follows
                && !used[equation]
                && shared.contains(&change.after[equation].residual)
                && fits(equation);
            if !ties {
                continue;
            }
            used[equation] = true;
            let order = state.order - own.order;
            let partner = VarRef::now(other.var, other.order + order);
            found.push(Tie {
                equation,
                order,
                states: [state, partner],
            });
            if seen.insert(partner) {
                waiting.push(partner);
            }
        }
    }
    found
}
