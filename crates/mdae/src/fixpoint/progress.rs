//! Progressive evaluation of conditions, step by step in one mode: what the graph of needs is compared with.

use super::{known_below, reads};
use crate::analysis::{Analysis, Structure};
use crate::model::{ModeDef, ModeId};
use crate::sym::{CondId, VarId, VarRef};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_structure::{self as structure, Bipartite, DulmageMendelsohn};
use std::collections::BTreeMap;

/// An equation that may help to determine variables, with its derivatives.
struct Row {
    row: usize,
    guard: CondId,
    /// Every condition inside the equation: its form is known only when they are.
    conditions: Vec<CondId>,
    /// Derivatives that hold in every mode in which the equation holds.
    derivatives: i32,
}

/// A part of the model that has to do with some waiting conditions.
pub(super) struct Progress {
    /// Ascending.
    pub(super) waiting: Vec<ModeId>,
    rows: Vec<Row>,
    /// The conditions of these equations and all their parts.
    conditions: Vec<CondId>,
}

impl Progress {
    /// The waiting conditions and the rows of the components that they read or decide.
    pub(super) fn new(analysis: &Analysis, mut waiting: Vec<ModeId>, rows: &[usize]) -> Self {
        waiting.sort_unstable();
        let rows: Vec<Row> = rows.iter().map(|&row| row_of(analysis, row)).collect();
        let conds = &analysis.mdae.conds;
        let mut own: Vec<CondId> = Vec::new();
        let mut occurring: Vec<CondId> = Vec::new();
        for row in &rows {
            own.push(row.guard);
            own.extend(&row.conditions);
            let occurrences = analysis.rows.occurrences[row.row].iter();
            occurring.extend(occurrences.map(|occurrence| occurrence.when));
        }
        Self {
            waiting,
            conditions: conds.closed(own.into_iter().chain(occurring)),
            rows,
        }
    }

    /// Evaluates as many of the conditions in `left` as possible and takes them out. Only what holds for the
    /// `values` of conditions that are given is used.
    ///
    /// Each round costs a maximum matching of the equations whose form is known; there are at most as
    /// many rounds as waiting conditions.
    pub(super) fn run(
        &self,
        analysis: &Analysis,
        values: &BTreeMap<ModeId, bool>,
        left: &mut Vec<ModeId>,
    ) {
        while !left.is_empty() {
            let unknown: FxHashSet<ModeId> = left.iter().copied().collect();
            let known = |id: ModeId| {
                let value = values.get(&id).copied();
                value.filter(|_| !unknown.contains(&id))
            };
            let truth = analysis.mdae.conds.evaluate_some(&self.conditions, known);
            let determined = self.determined(analysis, &truth);
            let before = left.len();
            left.retain(|&id| !self.is_known(analysis, id, &determined, &unknown));
            if left.len() == before {
                return;
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
    fn determined(
        &self,
        analysis: &Analysis,
        truth: &FxHashMap<CondId, bool>,
    ) -> FxHashSet<VarRef> {
        let is = |id: CondId| truth.get(&id).copied();
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

fn row_of(analysis: &Analysis, row: usize) -> Row {
    let equation = &analysis.mdae.equations[analysis.rows.equations[row]];
    let mut conditions = super::conditions(&analysis.mdae, analysis.rows.equations[row]);
    conditions.retain(|condition| *condition != equation.guard);
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
