//! What a reset takes along: `x` and `y = -2*x` are one state by two names, so `reinit(x, 1)` moves both.
//!
//! That holds for a target without a derivative, too: `reinit` makes a variable a state if any choice of states can have it, and the
//! one that it is tied to follows. [`reset_states`] says such a law about the state: with `y = 4*x` in both modes `reinit(y, e)` is
//! a reset of `x` that ends at `4*x = e`.

use crate::change::{Change, Law, ModeEquation};
use modeshift_base::FxHashSet;
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, partial, substitute, variables};
use std::collections::BTreeSet;

/// Turns resets of what nobody differentiates into resets of the states that `shared` ties it to. `after` are the equations of the
/// mode after. Linear in the equations for each law that needs it.
pub(crate) fn reset_states(
    laws: &mut [Law],
    shared: &[ModeEquation],
    after: &[ModeEquation],
    is_unknown: &dyn Fn(VarId) -> bool,
) {
    if laws.iter().all(|law| law.reinit.is_none()) {
        return;
    }
    let rates: FxHashSet<VarRef> = after
        .iter()
        .flat_map(|equation| variables(&equation.residual))
        .filter(|o| o.at == At::Now && o.order > 0)
        .collect();
    let is_state = |o: VarRef| rates.iter().any(|it| it.var == o.var && it.order > o.order);
    for law in laws {
        let Some(target) = law.reinit.filter(|target| !is_state(*target)) else {
            continue;
        };
        let Some((state, value)) = in_terms_of_a_state(target, shared, is_unknown, &is_state)
        else {
            continue;
        };
        law.residual = substitute(&law.residual, &mut |o| (o == target).then(|| value.clone()));
        law.reinit = Some(state);
    }
}

/// A state that `target` is a function of, by equations between two unknowns, and the function.
fn in_terms_of_a_state(
    target: VarRef,
    shared: &[ModeEquation],
    is_unknown: &dyn Fn(VarId) -> bool,
    is_state: &dyn Fn(VarRef) -> bool,
) -> Option<(VarRef, Expr)> {
    let mut reached = vec![(target, Expr::var_ref(target))];
    let mut next = 0;
    while let Some((known, value)) = reached.get(next).cloned() {
        next += 1;
        for equation in shared {
            let occurring = variables(&equation.residual).into_iter();
            let mut unknown = occurring.filter(|o| is_unknown(o.var));
            let (Some(a), Some(b), None) = (unknown.next(), unknown.next(), unknown.next()) else {
                continue;
            };
            let other = if a == known { b } else { a };
            let ties = (a == known || b == known) && a.at == At::Now && b.at == At::Now;
            if !ties || other.var == known.var || reached.iter().any(|(it, _)| *it == other) {
                continue;
            }
            let slope = partial(&equation.residual, known);
            if slope.is_zero() || variables(&slope).into_iter().any(|o| is_unknown(o.var)) {
                continue;
            }
            let rest = substitute(&equation.residual, &mut |o| (o == known).then(Expr::zero));
            let solved = rest.neg().div(&slope);
            let value = substitute(&value, &mut |o| (o == known).then(|| solved.clone()));
            if is_state(other) {
                return Some((other, value));
            }
            reached.push((other, value));
        }
    }
    None
}

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
