//! Which of several variables that share too few equations lacks one of its own. The structure cannot tell: any of them
//! could get the missing equation. How equations are written can: nearly everybody writes `x = …` and `J*der(w) = …`.

use crate::model::{EqId, MDae};
use crate::sym::{Expr, VarId, variables};

/// Those of `unknowns` that none of `equations` gives on a side of its own. Nothing where that is true of all.
pub(super) fn without_own_equation(
    mdae: &MDae,
    equations: &[EqId],
    unknowns: &[VarId],
) -> Vec<VarId> {
    let given: Vec<VarId> = equations
        .iter()
        .flat_map(|&id| {
            let equation = &mdae.equations[id];
            [alone_in(&equation.lhs), alone_in(&equation.rhs)]
        })
        .flatten()
        .collect();
    let open: Vec<VarId> = unknowns
        .iter()
        .copied()
        .filter(|x| !given.contains(x))
        .collect();
    match open.len() < unknowns.len() {
        true => open,
        false => Vec::new(),
    }
}

/// The variable that an expression mentions, if it is only one.
fn alone_in(side: &Expr) -> Option<VarId> {
    let mut mentioned = variables(side).into_iter().map(|it| it.var);
    let first = mentioned.next()?;
    mentioned.all(|other| other == first).then_some(first)
}
