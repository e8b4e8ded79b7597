//! Unknowns of a loop that nothing but its conditions decide, such as the sign of a friction force.
//!
//! Such a value is a choice among known ones. Where it stands in a product or inside a function the equations are not linear as they
//! are written, but they are for each valuation: so it is replaced by what defines it.

use super::affine::nonlinear;
use super::system::System;
use crate::cond::Conds;
use crate::sym::{At, Expr, Kind, VarRef, for_each_node, substitute, variables};
use modeshift_base::{FxHashMap, FxHashSet};

/// The longest chain of choices that is followed.
const MAX_ROUNDS: usize = 16;

/// Nodes of a choice that is written in the place of an unknown.
const MAX_SIZE: usize = 200;

/// Where an equation of the loop comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A row of the model, and how often it is differentiated.
    Model(usize, i32),
    /// What is compared inside an expression ([`super::inner`]).
    Compared,
    /// What an expression is where the inner comparison of this number holds, and where it does not.
    Then(usize),
    Otherwise(usize),
}

/// An equation of the loop: where it comes from, its residual.
pub(super) type LoopRow = (Origin, Expr);

impl System<'_> {
    /// Replaces values that are chosen by conditions and stand where unknowns must not. `kept` are read by comparisons.
    pub(super) fn select(&mut self, rows: Vec<LoopRow>, kept: &FxHashSet<VarRef>) -> Vec<LoopRow> {
        let mut wanted: FxHashSet<VarRef> = FxHashSet::default();
        for (_, residual) in &rows {
            let own = &self.unknowns;
            nonlinear(residual, &|read| own.contains_key(&read), &mut wanted);
        }
        wanted.retain(|x| !kept.contains(x) && x.order == 0);
        if wanted.is_empty() {
            return rows;
        }
        let mut chosen: FxHashMap<VarRef, Expr> = FxHashMap::default();
        let mut used = vec![false; rows.len()];
        for _ in 0..MAX_ROUNDS {
            let before = chosen.len();
            for (at, (origin, _)) in rows.iter().enumerate() {
                let &Origin::Model(row, 0) = origin else {
                    continue;
                };
                if used[at] {
                    continue;
                }
                let Some((x, value)) = self.choice(row, &wanted) else {
                    continue;
                };
                let value = substitute(&value, &mut |read| chosen.get(&read).cloned());
                let open = variables(&value)
                    .into_iter()
                    .any(|read| self.unknowns.contains_key(&read));
                if open || chosen.contains_key(&x) || size(&value) > MAX_SIZE {
                    continue;
                }
                used[at] = true;
                chosen.insert(x, value);
            }
            if chosen.len() == before {
                break;
            }
        }
        self.unknowns.retain(|x, ()| !chosen.contains_key(x));
        let left = rows.into_iter().zip(used).filter(|(_, used)| !used);
        left.map(|((origin, residual), _)| {
            let residual = substitute(&residual, &mut |read| chosen.get(&read).cloned());
            (origin, residual)
        })
        .collect()
    }

    /// A wanted unknown that a row gives explicitly, whatever the mode is.
    fn choice(&self, row: usize, wanted: &FxHashSet<VarRef>) -> Option<(VarRef, Expr)> {
        let id = self.analysis.rows.equations[row];
        self.trace.equation(id);
        let equation = &self.analysis.mdae.equations[id];
        if equation.guard != Conds::TRUE {
            return None;
        }
        let sides = [
            (&equation.lhs, &equation.rhs),
            (&equation.rhs, &equation.lhs),
        ];
        sides.into_iter().find_map(|(x, value)| {
            let Kind::Var(x) = *x.kind() else {
                return None;
            };
            let next = VarRef::now(x.var, 1);
            let fits = x.at == At::Now
                && wanted.contains(&x)
                && !self.unknowns.contains_key(&next)
                && !variables(value).contains(&x);
            fits.then(|| (x, self.with_parameters(value)))
        })
    }
}

fn size(expr: &Expr) -> usize {
    let mut n = 0;
    for_each_node(expr, &mut |_| {
        n += 1;
        true
    });
    n
}
