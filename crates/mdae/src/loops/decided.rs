//! What is told of a loop, and who in it needs whom.

use super::{Status, Witness, chooses, chosen_by};
use crate::analysis::{Analysis, Structure};
use crate::model::{EqId, ModeId};
use crate::print::Text;
use crate::sym::{Expr, Kind, Style, VarId, VarRef, for_each_node, print, variables};
use modeshift_base::FxHashMap;
use modeshift_diag::Severity;
use modeshift_structure::ModeSets;

/// A condition of a loop, or an expression that chooses without one.
pub struct Decider {
    pub name: String,
    /// The unknowns of the loop that it reads.
    pub reads: Vec<VarRef>,
    /// The variables of the loop in whose equations it decides, also through formulas.
    pub decides: Vec<VarId>,
}

/// A loop, decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Ascending.
    pub modes: Vec<ModeId>,
    /// The unknowns on the loop.
    pub unknowns: Vec<VarRef>,
    /// Rows of [`Structured::rows`](crate::analysis::Structured::rows) on the loop, with how many times they are differentiated.
    pub rows: Vec<(usize, i32)>,
    pub status: Status,
    /// How it was decided, or what was tried.
    pub procedure: String,
    pub witness: Option<Witness>,
    /// Nothing jumps where the conditions change: what is wrong then is a slope.
    pub continuous: bool,
    /// Something fits, whatever the known values are.
    pub exists: bool,
    /// `None` for what nobody needs to be told.
    pub severity: Option<Severity>,
    /// A mode in which the conditions depend on themselves.
    pub mode: Vec<bool>,
}

impl Loop {
    /// What decides in the loop: its conditions, or without any the expressions that choose.
    pub fn deciders(&self, analysis: &Analysis) -> Vec<Decider> {
        if self.modes.is_empty() {
            let choices = self.choices(analysis).into_iter();
            return choices
                .map(|(id, choice)| self.chooser(analysis, id, &choice))
                .collect();
        }
        let modes = self.modes.iter().map(|&mode| Decider {
            name: analysis.mdae.modes[mode].name.to_string(),
            reads: self.reads(analysis, mode),
            decides: self.decides(analysis, mode),
        });
        modes.collect()
    }

    fn chooser(&self, analysis: &Analysis, id: EqId, choice: &Expr) -> Decider {
        let equation = &analysis.mdae.equations[id];
        let own = |expr: &Expr| -> Vec<VarRef> {
            let reads = variables(expr).into_iter();
            reads.filter(|read| self.unknowns.contains(read)).collect()
        };
        let mut decides: Vec<VarId> = [&equation.lhs, &equation.rhs]
            .into_iter()
            .flat_map(|side| own(side).into_iter().map(|read| read.var))
            .collect();
        decides.sort_unstable();
        decides.dedup();
        Decider {
            name: print(choice, &Text(&analysis.mdae), Style::Modelica),
            reads: own(choice),
            decides,
        }
    }

    /// The unknowns of the loop that a condition reads.
    fn reads(&self, analysis: &Analysis, mode: ModeId) -> Vec<VarRef> {
        let mut found = crate::fixpoint::reads(analysis, mode);
        found.retain(|read| self.unknowns.contains(read));
        found
    }

    /// The variables of the loop in whose equations a condition decides, also through formulas.
    fn decides(&self, analysis: &Analysis, mode: ModeId) -> Vec<VarId> {
        let mdae = &analysis.mdae;
        let mut found: Vec<VarId> = Vec::new();
        for &(row, _) in &self.rows {
            let conditions = crate::fixpoint::conditions(mdae, analysis.rows.equations[row]);
            if mdae.conds.support(conditions).contains(&mode) {
                let own = analysis.rows.occurrences[row].iter();
                let own = own.map(|occurrence| occurrence.variable);
                found.extend(own.filter(|x| self.unknowns.iter().any(|unknown| unknown.var == *x)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The expressions that choose by an unknown of the loop without a condition, such as `abs(x)`, with their equations.
    pub fn choices(&self, analysis: &Analysis) -> Vec<(EqId, Expr)> {
        let mdae = &analysis.mdae;
        let mut found: Vec<(EqId, Expr)> = Vec::new();
        for &(row, _) in &self.rows {
            let id = analysis.rows.equations[row];
            for side in [&mdae.equations[id].lhs, &mdae.equations[id].rhs] {
                for_each_node(side, &mut |node| {
                    let chooses = matches!(node.kind(), Kind::Call(function, args)
                        if chooses(function) && self.has_any(chosen_by(function, args)));
                    if chooses && !found.iter().any(|old| old.1 == *node) {
                        found.push((id, node.clone()));
                    }
                    !chooses
                });
            }
        }
        found
    }

    fn has_any(&self, exprs: &[Expr]) -> bool {
        let mut reads = exprs.iter().flat_map(variables);
        reads.any(|read| self.unknowns.contains(&read))
    }

    /// Which unknowns of the loop need which others, in the mode that shows the cycle: the equation that determines the first reads
    /// the second. Linear in the equations of the loop.
    pub fn needs(&self, analysis: &Analysis) -> Vec<(VarRef, VarRef)> {
        let Structure::All(all) = &analysis.structure else {
            return Vec::new();
        };
        let sets = &analysis.space.sets;
        let levels: FxHashMap<usize, i32> = self.rows.iter().copied().collect();
        let mut components: Vec<usize> = levels
            .keys()
            .map(|&row| all.1.component_of_equation[row])
            .collect();
        components.sort_unstable();
        components.dedup();
        let mut found = Vec::new();
        for component in components {
            for edge in &all.1.components[component].matched {
                let row = edge.equation.index();
                let Some(&level) = levels.get(&row) else {
                    continue;
                };
                if !sets.contains(&edge.modes, &self.mode) {
                    continue;
                }
                let order = |order: i32| u32::try_from(order).unwrap_or(0);
                let own = VarRef::now(VarId(edge.variable.0), order(edge.sigma + level));
                if !self.unknowns.contains(&own) {
                    continue;
                }
                for occurrence in &analysis.rows.occurrences[row] {
                    let read = occurrence.order as i32 + level;
                    let read = VarRef::now(occurrence.variable, order(read));
                    if read != own && self.unknowns.contains(&read) {
                        found.push((own, read));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What the status means, as a sentence.
    pub fn sentence(&self) -> String {
        match self.status {
            Status::StateChanging => "It decides over states and depends on what it decides: rejected.".to_owned(),
            Status::Unique => "It is found together with unknowns that depend on it; exactly one value fits.".to_owned(),
            Status::Hysteresis => {
                "It is found together with unknowns that depend on it; where several values fit, the one before stays."
                    .to_owned()
            }
            Status::Several => "It is found together with unknowns that depend on it; which value follows is not determined.".to_owned(),
            Status::None => "It depends on unknowns that depend on it, and for some values there is no solution: rejected.".to_owned(),
            Status::Undecided if self.exists => {
                "It is found together with unknowns that depend on it; some value always fits, and the one before stays as long as it does."
                    .to_owned()
            }
            Status::Undecided => "It is found together with unknowns that depend on it; modeshift cannot decide whether that is always possible.".to_owned(),
        }
    }
}
