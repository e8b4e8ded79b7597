//! Changes that leave all states alone but those they reset.
//!
//! Where a part of the model has the same constraints on the same states in all modes ([`crate::common`]), a condition is *calm* if
//! no constraint depends on it. What held before it changes is consistent afterwards: nothing jumps but what follows from
//! the states, and nothing is impulsive. A state that no constraint mentions may be reset to anything. Such changes need no analysis,
//! and a rectifier has hundreds of them.

use crate::analysis::{Analysis, Structure};
use crate::common::{Common, Watched};
use crate::model::{EqId, Equation, EquationKind, VarKind};
use crate::sym::{At, Kind, VarId, VarRef, variables};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_structure::{AllModes, BddSet, GuardedProblem, ModeSets};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

/// What leaves states alone.
#[derive(Clone, Debug, Default)]
pub struct Calm {
    /// Per mode variable.
    modes: Vec<bool>,
    /// Equations of instants, with the variable that each gives a new value.
    laws: FxHashMap<EqId, VarId>,
}

impl Calm {
    /// Linear in the model, apart from set operations. It follows from the shape of the model, so it is found once for each.
    pub fn new(analysis: &Analysis) -> Self {
        analysis.calm(|| Self::find(analysis)).clone()
    }

    fn find(analysis: &Analysis) -> Self {
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
        let assigned = Assigned::new(analysis, &read);
        let mut laws = FxHashMap::default();
        for id in mdae.equations.ids() {
            let target = match mdae.equations[id].kind {
                EquationKind::Long => None,
                EquationKind::Reinit { variable, .. } => {
                    // What is no state in some mode follows from others there, which a reset of it contradicts.
                    let occurs = all.1.component_of_variable[variable.0 as usize].is_some();
                    let is_state = occurs && crate::fixpoint::known_below(analysis, variable) > 0;
                    is_state.then_some(variable)
                }
                EquationKind::Transient(_) => assigned.by(&mdae.equations[id]),
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

/// What equations of an instant assign one after the other: no new value depends on itself.
struct Assigned<'a> {
    analysis: &'a Analysis,
    /// What the equations between instants read.
    read: &'a FxHashSet<VarId>,
    settled: FxHashSet<VarId>,
    /// Variables whose new value needs itself.
    circular: FxHashSet<VarId>,
}

impl<'a> Assigned<'a> {
    /// Linear in the model.
    fn new(analysis: &'a Analysis, read: &'a FxHashSet<VarId>) -> Self {
        let mut assigned = Self {
            analysis,
            read,
            settled: settled(analysis),
            circular: FxHashSet::default(),
        };
        let mdae = &analysis.mdae;
        let mut graph: DiGraphMap<VarId, ()> = DiGraphMap::new();
        for law in &mdae.equations {
            if let (EquationKind::Transient(_), Kind::Var(target)) = (&law.kind, law.lhs.kind()) {
                for x in variables(&law.rhs) {
                    if x.at == At::Now && assigned.is_held(x.var) {
                        graph.add_edge(target.var, x.var, ());
                    }
                }
            }
        }
        for part in kosaraju_scc(&graph) {
            if part.len() > 1 || graph.contains_edge(part[0], part[0]) {
                assigned.circular.extend(part);
            }
        }
        assigned
    }

    fn is_held(&self, var: VarId) -> bool {
        self.analysis.mdae.variable(var).kind == VarKind::Held
    }

    /// The variable that an equation of an instant assigns, if that cannot depend on the new value itself: what it reads is
    /// known at the instant or assigned before, or nobody reads what it assigns.
    fn by(&self, law: &Equation) -> Option<VarId> {
        let Kind::Var(target) = *law.lhs.kind() else {
            return None;
        };
        let plain = target.at == At::Now && self.is_held(target.var);
        let safe = variables(&law.rhs).into_iter().all(|x| {
            let is_known = x.at == At::Left
                || !self.analysis.mdae.is_unknown(x.var)
                || self.settled.contains(&x.var);
            is_known || !self.read.contains(&target.var)
        });
        (plain && safe && !self.circular.contains(&target.var)).then_some(target.var)
    }
}

/// Unknowns that follow from time, inputs and the past, one after the other, whatever the mode is. Linear in the model.
fn settled(analysis: &Analysis) -> FxHashSet<VarId> {
    let mdae = &analysis.mdae;
    let mut settled: FxHashSet<VarId> = FxHashSet::default();
    // Equations with what they still wait for.
    let mut open: Vec<FxHashSet<VarId>> = Vec::new();
    let mut waiting: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    let mut ready: Vec<VarId> = Vec::new();
    for id in mdae.equations.ids() {
        let equation = &mdae.equations[id];
        let conditions = crate::fixpoint::conditions(mdae, id).into_iter();
        let is_plain =
            equation.kind == EquationKind::Long && mdae.conds.support(conditions).is_empty();
        let reads = [&equation.lhs, &equation.rhs]
            .into_iter()
            .flat_map(variables);
        let reads: Vec<VarRef> = reads.filter(|x| x.at == At::Now).collect();
        let algebraic = |x: &VarRef| {
            x.order == 0
                && mdae.variable(x.var).kind != VarKind::Held
                && !analysis.rows.differentiated[x.var.0 as usize]
        };
        if !is_plain || !reads.iter().all(algebraic) {
            continue;
        }
        let unknowns: FxHashSet<VarId> = reads
            .iter()
            .map(|x| x.var)
            .filter(|x| mdae.is_unknown(*x))
            .collect();
        match unknowns.len() {
            0 => {}
            1 => ready.extend(unknowns),
            _ => {
                for x in &unknowns {
                    waiting.entry(*x).or_default().push(open.len());
                }
                open.push(unknowns);
            }
        }
    }
    while let Some(x) = ready.pop() {
        if settled.insert(x) {
            for row in waiting.remove(&x).unwrap_or_default() {
                open[row].remove(&x);
                if open[row].len() == 1 {
                    ready.extend(open[row].iter());
                }
            }
        }
    }
    settled
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
