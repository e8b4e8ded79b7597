//! Which of several variables that share too few equations lacks one of its own. The structure cannot tell: any of them
//! could get the missing equation. How equations are written can: nearly everybody writes `x = …` and `J*der(w) = …`.

use crate::model::{EqId, Equation, MDae};
use crate::sym::{Expr, VarId, variables};
use modeshift_flat::model::OriginKind;

/// Those of `unknowns` that none of `equations` gives on a side of its own. Nothing where that is true of all.
pub(super) fn without_own_equation(
    mdae: &MDae,
    equations: &[EqId],
    unknowns: &[VarId],
) -> Vec<VarId> {
    let open = |sides: fn(&Equation) -> [Option<VarId>; 2]| -> Vec<VarId> {
        let given = equations.iter().flat_map(|&id| sides(&mdae.equations[id]));
        let given: Vec<VarId> = given.flatten().collect();
        let open = unknowns.iter().copied().filter(|x| !given.contains(x));
        open.collect()
    };
    let mut found = open(|it| [alone_in(&it.lhs), alone_in(&it.rhs)]);
    if found.is_empty() {
        // `der(y) = k*e` is about `y`.
        found = open(|it| [alone_in(&it.lhs), None]);
    }
    match found.len() < unknowns.len() {
        true => found,
        false => Vec::new(),
    }
}

/// The only one of too many equations that gives no variable on a side of its own: the others are how nearly everybody
/// writes definitions and balances.
pub(super) fn gives_nothing(mdae: &MDae, equations: &[EqId]) -> Option<EqId> {
    let mut open = equations.iter().copied().filter(|&id| {
        let equation = &mdae.equations[id];
        alone_in(&equation.lhs).is_none() && alone_in(&equation.rhs).is_none()
    });
    let only = open.next()?;
    let own = mdae.equations[only].origin.kind == OriginKind::Equation;
    (open.next().is_none() && own).then_some(only)
}

/// The variable that an expression mentions, if it is only one.
fn alone_in(side: &Expr) -> Option<VarId> {
    let mut mentioned = variables(side).into_iter().map(|it| it.var);
    let first = mentioned.next()?;
    mentioned.all(|other| other == first).then_some(first)
}
