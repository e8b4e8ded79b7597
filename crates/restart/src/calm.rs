//! Changes that are known to leave all states alone but those they reset ([`modeshift_mdae::calm`]).
//!
//! The calculus of orders looks at leading terms only, and where values come from tables or functions it may see jumps and impulses
//! that are none. What follows from the structure of all modes is stronger: it takes the place of what the calculus found.

use crate::array::{Cell, RowKind};
use crate::change::Change;
use crate::explore::{Exploration, Transition};
use crate::sigma::mode_offsets;
use crate::system::{Meaning, RestartEquation, RestartSystem, Unknown};
use crate::verdict::{Analysis, Verdict};
use modeshift_mdae::calm::Calm;
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, substitute, variables};
use std::sync::Arc;

impl Exploration<'_> {
    /// Whether a change leaves all states alone but those it resets.
    fn is_calm(&self, transition: &Transition, calm: &Calm) -> bool {
        let Some(from) = &transition.from else {
            return false;
        };
        let flipped = transition.flipped.iter();
        let flips: Vec<_> = flipped.map(|id| (*id, !from[id.index()])).collect();
        let event = self.modes.follow(from, &flips);
        event.is_some_and(|event| event.is_calm(calm))
    }

    /// Puts what is known about calm changes in the place of analyses that say something else.
    pub fn keep_calm(&mut self, calm: &Calm) {
        for number in 0..self.transitions.len() {
            let transition = &self.transitions[number];
            let parts = transition.parts.iter().copied();
            let doubtful = parts.filter(|&part| !is_quiet(&self.parts[part].analysis));
            let doubtful: Vec<usize> = doubtful.collect();
            if doubtful.is_empty() || !self.is_calm(transition, calm) {
                continue;
            }
            for part in doubtful {
                let part = &mut self.parts[part];
                if let Some(analysis) = without_jumps(&part.part.change) {
                    part.analysis = Arc::new(analysis);
                }
            }
        }
    }
}

/// Whether nothing is said about a change but that states have values, or something about the numbers in a mode: what follows
/// from structure does not hold against that.
fn is_quiet(analysis: &Analysis) -> bool {
    match analysis.verdict {
        Verdict::Determined => analysis.impulsive.is_empty() && analysis.flags.is_empty(),
        verdict => matches!(
            verdict,
            Verdict::NumericallySingular | Verdict::SingularMode
        ),
    }
}

/// The analysis of a change in which only resets move states; `None` where the mode after has no offsets.
fn without_jumps(change: &Change) -> Option<Analysis> {
    let offsets = mode_offsets(change, &change.after).ok()?;
    let mut analysis = Analysis::new(Verdict::Determined);
    for (&var, &d) in &offsets.d {
        let states = (0..d).map(|order| VarRef::now(var, order));
        analysis.determined.extend(states);
    }
    analysis.determined.sort_unstable();
    analysis.system = RestartSystem {
        base: change.roles.len() as u32,
        ..RestartSystem::default()
    };
    let laws = change.transient.iter().flat_map(|it| &it.laws);
    for (law, found) in laws.enumerate() {
        let assigned = found.target.map(|var| VarRef::now(var, 0));
        let Some(target) = found.reinit.or(assigned) else {
            continue;
        };
        let open = |o: &VarRef| *o != target && o.at == At::Now && change.is_unknown(o.var);
        if variables(&found.residual).iter().any(open) {
            continue;
        }
        let unknown = analysis.system.base + analysis.system.unknowns.len() as u32;
        let residual = substitute(&found.residual, &mut |o| {
            (o == target).then(|| Expr::var(VarId(unknown)))
        });
        analysis.system.unknowns.push(Unknown {
            cell: Cell {
                var: target.var,
                order: target.order,
                instant: 0,
            },
            meaning: Meaning::Right,
        });
        let kind = RowKind::Law { law };
        analysis
            .system
            .equations
            .push(RestartEquation { kind, residual });
        if analysis.determined.contains(&target) {
            analysis.jumps.push(target);
        }
    }
    analysis.heights = vec![0; change.after.len()];
    analysis.offsets_after = Some(offsets);
    Some(analysis)
}
