//! States by several names, where equations are linear: what a reset of one of them takes along.
//!
//! `reinit(x, e)` replaces the left limit of `x`. The equations that both modes have hold before and after a reset, too, so
//! whatever they make an affine function of `x` alone is the same state by another name, and its left limit is replaced with that
//! of `x`: in `y = -2*x`, but also in `2*der(y) + y = 3` with `der(y) = x`, which together say `2*x + y = 3`. Which
//! variables that are is a question of linear algebra: take the equations and their derivatives as rows over values and rates, and
//! ask whether a combination of rows has entries for `x` and `y` only.
//!
//! The question is decided modulo the prime; the answer is written down as a combination of expressions.

use crate::facts::with_time;
use modeshift_algebra::{Echelon, Row};
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{Expr, Fp, Sample, VarRef, evaluate};
use std::collections::{BTreeMap, BTreeSet};

/// One equation, perhaps differentiated: `Σ coefficient·occurrence + rest = 0`.
#[derive(Clone)]
pub(super) struct Statement {
    /// Its number, and how many times it was differentiated.
    pub equation: (usize, u32),
    pub terms: BTreeMap<VarRef, Expr>,
    pub rest: Expr,
}

/// What makes two states one.
pub(super) struct Same {
    pub equation: (usize, u32),
    pub terms: [(VarRef, Expr); 2],
    pub rest: Expr,
}

/// Combinations of more statements than this are not written down.
const MAX_STATEMENTS: usize = 12;

/// What `statements` make the same as `state`, among `states`. The cost is that of an elimination of all statements.
pub(super) fn same_as(
    state: VarRef,
    states: &BTreeSet<VarRef>,
    statements: &[Statement],
) -> Vec<Same> {
    (0..4)
        .find_map(|seed| same_at(state, states, statements, &Sample::new(seed)))
        .unwrap_or_default()
}

/// `None` where the point is outside the domain of some coefficient.
fn same_at(
    state: VarRef,
    states: &BTreeSet<VarRef>,
    statements: &[Statement],
    sample: &Sample,
) -> Option<Vec<Same>> {
    // What is in the way comes first, then the other states, and the one that is reset last.
    let mut columns: FxIndexMap<VarRef, ()> = FxIndexMap::default();
    let mentioned = statements.iter().flat_map(|it| it.terms.keys().copied());
    columns.extend(mentioned.map(|o| (o, ())));
    columns.sort_by_key(|o, ()| (*o == state, states.contains(o), std::cmp::Reverse(o.order)));
    let own = columns.get_index_of(&state)?;
    let mut echelon = Echelon::default();
    for (i, statement) in statements.iter().enumerate() {
        let mut row = vec![(columns.len() + i, Fp::ONE)];
        for (o, coefficient) in &statement.terms {
            let value = evaluate(&with_time(coefficient), sample).ok()?;
            row.push((columns.get_index_of(o)?, value));
        }
        // Behind the columns stands how the row was made, which is no pivot: what is left without an entry says nothing.
        let row = echelon.reduced(row.into_iter().collect());
        if row.lead().is_some_and(|(column, _)| column < columns.len()) {
            echelon.push(row);
        }
    }
    if echelon.row(own).is_some() {
        return Some(Vec::new());
    }
    echelon.back_substitute();
    let mut found = Vec::new();
    for (column, (&other, ())) in columns.iter().enumerate() {
        if column == own || !states.contains(&other) {
            continue;
        }
        let Some(row) = echelon.row(column) else {
            continue;
        };
        let relates = |row: &Row| {
            let entries = row.columns().filter(|c| *c < columns.len());
            entries.eq([column, own])
        };
        if !relates(row) {
            continue;
        }
        let used = row.columns().filter_map(|c| c.checked_sub(columns.len()));
        let used: Vec<Statement> = used.map(|i| statements[i].clone()).collect();
        found.extend(combined(used, [state, other], sample));
    }
    Some(found)
}

/// The one combination of statements that mentions these two alone.
fn combined(mut rows: Vec<Statement>, states: [VarRef; 2], sample: &Sample) -> Option<Same> {
    if rows.len() > MAX_STATEMENTS {
        return None;
    }
    let value = |expr: &Expr| evaluate(&with_time(expr), sample).ok();
    loop {
        // The fewest products: the row and the occurrence that meet the fewest others.
        let mentioned = rows.iter().flat_map(|row| row.terms.keys());
        let others = mentioned.filter(|o| !states.contains(o));
        let mut counts: BTreeMap<VarRef, usize> = BTreeMap::new();
        for o in others {
            *counts.entry(*o).or_default() += 1;
        }
        let Some((&o, _)) = counts.iter().min_by_key(|(_, count)| **count) else {
            break;
        };
        let holds = |row: &&(usize, usize)| rows[row.0].terms.contains_key(&o);
        let sizes: Vec<(usize, usize)> = rows
            .iter()
            .enumerate()
            .map(|(i, row)| (i, row.terms.len()))
            .collect();
        let &(pivot, _) = sizes.iter().filter(holds).min_by_key(|(_, size)| *size)?;
        let pivot = rows.swap_remove(pivot);
        let lead = &pivot.terms[&o];
        for row in &mut rows {
            let Some(entry) = row.terms.remove(&o) else {
                continue;
            };
            let factor = entry.div(lead);
            for (other, coefficient) in pivot.terms.iter().filter(|(it, _)| **it != o) {
                let known = row.terms.remove(other).unwrap_or_else(Expr::zero);
                let sum = known.sub(&factor.mul(coefficient));
                if !value(&sum)?.is_zero() {
                    row.terms.insert(*other, sum);
                }
            }
            row.rest = row.rest.sub(&factor.mul(&pivot.rest));
        }
    }
    let row = rows.into_iter().find(|row| row.terms.len() == 2)?;
    let terms = states.map(|state| (state, row.terms.get(&state).cloned()));
    let [(first, Some(a)), (second, Some(b))] = terms else {
        return None;
    };
    Some(Same {
        equation: row.equation,
        terms: [(first, a), (second, b)],
        rest: row.rest,
    })
}
