//! Changes that leave all states alone but those they reset.
//!
//! Where a part of the model has the same constraints on the same states in all modes ([`crate::common`]), a condition is *calm* if
//! no constraint depends on it. What held before it changes is consistent afterwards: nothing jumps but what follows from
//! the states, and nothing is impulsive. A state that no constraint mentions may be reset to anything. Such changes need no analysis,
//! and a rectifier has hundreds of them.

use crate::analysis::{Analysis, Structure};
use crate::common::{Common, Watched};
use crate::model::{EqId, Equation, EquationKind, VarKind};
use crate::sym::{At, Kind, VarId, variables};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{AllModes, BddSet, GuardedProblem, ModeSets};

/// What leaves states alone.
#[derive(Clone, Debug, Default)]
pub struct Calm {
    /// Per mode variable.
    modes: Vec<bool>,
    /// Equations of instants, with the variable that each gives a new value.
    laws: FxHashMap<EqId, VarId>,
}

impl Calm {
    /// Linear in the model, apart from set operations.
    pub fn new(analysis: &Analysis) -> Self {
        let mdae = &analysis.mdae;
        let Structure::All(all) = &analysis.structure else {
            return Self::default();
        };
        let mut modes = vec![true; mdae.modes.len()];
        // What constraints speak about, and everything in parts whose constraints change.
        let mut bound: FxHashSet<VarId> = FxHashSet::default();
        let mut read: FxHashSet<VarId> = FxHashSet::default();
        for (number, component) in all.1.components.iter().enumerate() {
            let rows: Vec<usize> = component.equations.iter().map(|row| row.index()).collect();
            let constraints = constraints(analysis, all, number);
            let of = |row: &usize| mentioned(&mdae.equations[analysis.rows.equations[*row]]);
            read.extend(rows.iter().flat_map(of));
            // Conditions that decide over values alone are calm, even where others decide over constraints.
            let deciding = constraints.unwrap_or(rows);
            bound.extend(deciding.iter().flat_map(of));
            let conditions = deciding.iter().flat_map(|&row| {
                let id = analysis.rows.equations[row];
                crate::fixpoint::conditions(mdae, id)
            });
            for mode in mdae.conds.support(conditions) {
                modes[mode.index()] = false;
            }
        }
        let states: FxHashSet<VarId> = mdae
            .equations
            .iter()
            .flat_map(|equation| [&equation.lhs, &equation.rhs])
            .flat_map(variables)
            .filter(|it| it.order > 0)
            .map(|it| it.var)
            .collect();
        let mut laws = FxHashMap::default();
        for id in mdae.equations.ids() {
            let target = match mdae.equations[id].kind {
                EquationKind::Long => None,
                EquationKind::Reinit { variable, .. } => {
                    // What is no state follows from others, which a reset of it contradicts.
                    let occurs = all.1.component_of_variable[variable.0 as usize].is_some();
                    (occurs && states.contains(&variable)).then_some(variable)
                }
                EquationKind::Transient(_) => assigned(analysis, &mdae.equations[id], &read),
            };
            if let Some(target) = target.filter(|target| !bound.contains(target)) {
                laws.insert(id, target);
            }
        }
        Self { modes, laws }
    }

    /// Whether a change of these mode variables by these laws leaves all states alone that it does not reset.
    pub fn covers(&self, mut flips: impl Iterator<Item = usize>, laws: &[EqId]) -> bool {
        let mut targets: FxHashSet<VarId> = FxHashSet::default();
        let once = |law: &EqId| self.laws.get(law).is_some_and(|x| targets.insert(*x));
        flips.all(|mode| self.modes.get(mode) == Some(&true)) && laws.iter().all(once)
    }
}

/// The variable that an equation of an instant assigns, if that cannot depend on the new value itself: it reads left limits
/// only, or nobody reads what it assigns.
fn assigned(analysis: &Analysis, law: &Equation, read: &FxHashSet<VarId>) -> Option<VarId> {
    let mdae = &analysis.mdae;
    let Kind::Var(target) = *law.lhs.kind() else {
        return None;
    };
    let is_held = |var: VarId| mdae.variable(var).kind == VarKind::Held;
    let plain = target.at == At::Now && is_held(target.var);
    let safe = variables(&law.rhs).into_iter().all(|x| {
        let known = x.at == At::Left || !mdae.is_unknown(x.var) && !is_held(x.var);
        known || !is_held(x.var) && !read.contains(&target.var)
    });
    (plain && safe).then_some(target.var)
}

fn mentioned(equation: &Equation) -> Vec<VarId> {
    let sides = [&equation.lhs, &equation.rhs];
    let all = sides.into_iter().flat_map(variables);
    all.map(|read| read.var).collect()
}

/// The equations that constrain states, if they are the same in all modes of a part.
fn constraints(
    analysis: &Analysis,
    all: &(GuardedProblem<BddSet>, AllModes<BddSet>),
    number: usize,
) -> Option<Vec<usize>> {
    let component = &all.1.components[number];
    if component.over_limit.is_some() || !analysis.space.sets.is_empty(&component.singular) {
        return None;
    }
    let own = component.mode_variables.clone();
    let watched = Watched::all(analysis, component);
    let found = Common::new(analysis, all, number, own).constraints(watched);
    // A left limit may change at any event.
    let is_lasting = |row: &usize| {
        let equation = &analysis.mdae.equations[analysis.rows.equations[*row]];
        let sides = [&equation.lhs, &equation.rhs];
        let mut reads = sides.into_iter().flat_map(variables);
        reads.all(|read| read.at == At::Now)
    };
    let found = found.ok().flatten();
    found.filter(|rows| rows.iter().all(is_lasting))
}
