//! Progressive evaluation of conditions.

use super::{known_below, reads};
use crate::analysis::{Analysis, Structure};
use crate::model::{ModeDef, ModeId};
use crate::sym::{CondId, Kind, VarId, VarRef, for_each_node};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_structure::{self as structure, Bipartite, DulmageMendelsohn, ModeVar};

/// How far evaluation came.
pub(super) enum Outcome {
    Done,
    /// These conditions stay unknown.
    Stuck(Vec<ModeId>),
}

/// An equation that may help to determine variables, with its derivatives.
struct Row {
    row: usize,
    guard: CondId,
    /// Every condition inside the equation: its form is known only when they are.
    conditions: Vec<CondId>,
    /// Derivatives that hold in every mode in which the equation holds.
    derivatives: i32,
}

/// The part of the model that has to do with the waiting conditions.
pub(super) struct Progress {
    waiting: Vec<ModeId>,
    rows: Vec<Row>,
    /// The mode variables on which these equations depend.
    modes: Vec<ModeId>,
}

impl Progress {
    pub(super) fn new(analysis: &Analysis, waiting: &FxHashSet<ModeId>) -> Self {
        let mut waiting: Vec<ModeId> = waiting.iter().copied().collect();
        waiting.sort_unstable();
        let wanted: FxHashSet<usize> = waiting
            .iter()
            .flat_map(|&mode| reads(analysis, mode))
            .filter_map(|read| component_of(analysis, read.var))
            .collect();
        let rows = (0..analysis.rows.equations.len())
            .filter(|&row| match &analysis.structure {
                Structure::All(all) => wanted.contains(&all.1.component_of_equation[row]),
                _ => true,
            })
            .map(|row| row_of(analysis, row))
            .collect::<Vec<Row>>();
        let roots = rows
            .iter()
            .flat_map(|row| row.conditions.iter().copied().chain([row.guard]));
        let modes = analysis.mdae.conds.support(roots);
        Self {
            waiting,
            rows,
            modes,
        }
    }

    /// The mode variables on which the equations depend, ascending.
    pub(super) fn relevant_modes(&self) -> Vec<ModeVar> {
        let mut modes: Vec<ModeVar> = self
            .modes
            .iter()
            .map(|mode| crate::space::mode_var(*mode))
            .collect();
        modes.sort_unstable();
        modes
    }

    /// Whether knowing the values of known conditions could bring any of `left` further.
    pub(super) fn can_help(&self, left: &[ModeId]) -> bool {
        self.modes.iter().any(|mode| !left.contains(mode))
    }

    /// Evaluates progressively. Known conditions have the values of `mode`; with `None` only what holds
    /// whatever their values are is used, and no value of a condition either.
    ///
    /// Each round costs a maximum matching of the equations whose form is known; there are at most as
    /// many rounds as waiting conditions.
    pub(super) fn run(&self, analysis: &Analysis, mode: Option<&[bool]>) -> Outcome {
        let mdae = &analysis.mdae;
        let mut left: Vec<ModeId> = self.waiting.clone();
        loop {
            let unknown: FxHashSet<ModeId> = left.iter().copied().collect();
            let partial: Vec<Option<bool>> = mdae
                .modes
                .ids()
                .map(|id| {
                    if unknown.contains(&id) {
                        None
                    } else {
                        mode.map(|m| m[id.index()])
                    }
                })
                .collect();
            let determined = self.determined(analysis, &mdae.conds.evaluate_partial(&partial));
            let before = left.len();
            let still = unknown.clone();
            left.retain(|&id| !self.is_known(analysis, id, &determined, &still));
            if left.is_empty() {
                return Outcome::Done;
            }
            if left.len() == before {
                return Outcome::Stuck(left);
            }
        }
    }

    fn is_known(
        &self,
        analysis: &Analysis,
        mode: ModeId,
        determined: &FxHashSet<VarRef>,
        unknown: &FxHashSet<ModeId>,
    ) -> bool {
        if let ModeDef::Formula(formula) = analysis.mdae.modes[mode].def {
            let parts = analysis.mdae.conds.support([formula]);
            return parts
                .iter()
                .all(|part| *part == mode || !unknown.contains(part));
        }
        reads(analysis, mode)
            .into_iter()
            .all(|read| super::is_state(analysis, read) || determined.contains(&read))
    }

    /// The derivatives that the equations with a known form determine.
    fn determined(&self, analysis: &Analysis, truth: &[Option<bool>]) -> FxHashSet<VarRef> {
        let is = |id: CondId| truth.get(id.0 as usize).copied().flatten();
        let mut nodes: FxIndexMap<(VarId, i32), ()> = FxIndexMap::default();
        let mut edges = Vec::new();
        let mut n_rows = 0;
        let mut below: FxHashMap<VarId, i32> = FxHashMap::default();
        for row in &self.rows {
            let usable =
                is(row.guard) == Some(true) && row.conditions.iter().all(|&c| is(c).is_some());
            if !usable {
                continue;
            }
            for k in 0..=row.derivatives {
                for occurrence in &analysis.rows.occurrences[row.row] {
                    if is(occurrence.when) != Some(true) {
                        continue;
                    }
                    let var = occurrence.variable;
                    let known = *below
                        .entry(var)
                        .or_insert_with(|| known_below(analysis, var));
                    let order = occurrence.order as i32;
                    for j in order.max(known)..=order + k {
                        let (node, _) = nodes.insert_full((var, j), ());
                        edges.push((structure::EqId::new(n_rows), structure::VarId::new(node)));
                    }
                }
                n_rows += 1;
            }
        }
        let graph = Bipartite::from_edges(n_rows, nodes.len(), &edges);
        let parts = DulmageMendelsohn::new(&graph);
        let mut open = vec![false; nodes.len()];
        for x in &parts.under.variables {
            open[x.index()] = true;
        }
        nodes
            .keys()
            .zip(open)
            .filter(|(_, open)| !open)
            .map(|(&(var, order), _)| VarRef::now(var, order as u32))
            .collect()
    }
}

fn component_of(analysis: &Analysis, variable: VarId) -> Option<usize> {
    match &analysis.structure {
        Structure::All(all) => all.1.component_of_variable[variable.0 as usize],
        _ => Some(0),
    }
}

fn row_of(analysis: &Analysis, row: usize) -> Row {
    let equation = &analysis.mdae.equations[analysis.rows.equations[row]];
    let mut conditions = Vec::new();
    for side in [&equation.lhs, &equation.rhs] {
        for_each_node(side, &mut |node| {
            if let Kind::If(condition, ..) | Kind::Cond(condition) = node.kind() {
                conditions.push(*condition);
            }
            true
        });
    }
    conditions.sort_unstable();
    conditions.dedup();
    let derivatives = match &analysis.structure {
        Structure::All(all) => all.1.c[row]
            .iter()
            .map(|piece| piece.value)
            .min()
            .unwrap_or(0),
        _ => 0,
    };
    Row {
        row,
        guard: equation.guard,
        conditions,
        derivatives,
    }
}
