//! The structure of a single mode, without decision diagrams.

use crate::incidence::{Occurrence, occurrences};
use crate::model::{EqId, MDae};
use crate::sym::VarId;
use modeshift_structure::{self as structure, ModeStructure, Part, SigmaMatrix};

/// The incidence of the long equations: row `i` belongs to `equations[i]`.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub equations: Vec<EqId>,
    pub occurrences: Vec<Vec<Occurrence>>,
    /// Per variable whether it is differentiated somewhere.
    pub differentiated: Vec<bool>,
}

impl Rows {
    /// Linear in the size of the equations.
    pub fn new(mdae: &mut MDae) -> Self {
        let mut rows = Self {
            differentiated: vec![false; mdae.variables.len()],
            ..Self::default()
        };
        for id in mdae.equations.ids() {
            if !mdae.equations[id].is_long() {
                continue;
            }
            let (lhs, rhs) = (
                mdae.equations[id].lhs.clone(),
                mdae.equations[id].rhs.clone(),
            );
            let mut found = occurrences(mdae, &lhs);
            found.extend(occurrences(mdae, &rhs));
            for occurrence in found.iter().filter(|occurrence| occurrence.order > 0) {
                rows.differentiated[occurrence.variable.0 as usize] = true;
            }
            rows.equations.push(id);
            rows.occurrences.push(found);
        }
        rows
    }
}

/// The enabled equations and the variables present in one mode, with dense numbers.
#[derive(Clone, Debug)]
pub struct OneMode {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub matrix: SigmaMatrix,
}

impl OneMode {
    /// `truth` is the value of every condition, from [`crate::cond::Conds::evaluate`]. Linear.
    pub fn new(mdae: &MDae, rows: &Rows, truth: &[bool]) -> Self {
        Self::of_rows(mdae, rows, truth, 0..rows.equations.len())
    }

    /// The same for some of the rows.
    pub fn of_rows(
        mdae: &MDae,
        rows: &Rows,
        truth: &[bool],
        wanted: impl IntoIterator<Item = usize>,
    ) -> Self {
        let holds = |id: crate::sym::CondId| truth.get(id.0 as usize) == Some(&true);
        let mut column = vec![u32::MAX; mdae.variables.len()];
        let mut this = Self {
            equations: Vec::new(),
            variables: Vec::new(),
            matrix: SigmaMatrix::from_entries(0, 0, &[]),
        };
        let mut entries = Vec::new();
        for row in wanted {
            if !holds(mdae.equations[rows.equations[row]].guard) {
                continue;
            }
            let f = structure::EqId::new(this.equations.len());
            this.equations.push(rows.equations[row]);
            for occurrence in rows.occurrences[row].iter().filter(|o| holds(o.when)) {
                let x = &mut column[occurrence.variable.0 as usize];
                if *x == u32::MAX {
                    *x = this.variables.len() as u32;
                    this.variables.push(occurrence.variable);
                }
                entries.push((f, structure::VarId(*x), occurrence.order as i32));
            }
        }
        this.matrix =
            SigmaMatrix::from_entries(this.equations.len(), this.variables.len(), &entries);
        this
    }

    pub fn structure(&self) -> ModeStructure {
        ModeStructure::new(&self.matrix)
    }

    /// Which row determines which variable at which derivative, if the mode is regular.
    pub fn matched(&self, structure: &ModeStructure) -> Vec<(usize, VarId, i32)> {
        let mut found = Vec::new();
        let Some(offsets) = structure.offsets() else {
            return found;
        };
        for row in 0..self.equations.len() {
            let f = structure::EqId::new(row);
            let own = offsets.matching.variable_of(f);
            let edge = self.matrix.row(f).find(|edge| Some(edge.0) == own);
            found.extend(edge.map(|(x, sigma)| (row, self.variables[x.index()], sigma)));
        }
        found
    }

    pub fn equations_of(&self, part: &Part) -> Vec<EqId> {
        part.equations
            .iter()
            .map(|f| self.equations[f.index()])
            .collect()
    }

    pub fn variables_of(&self, part: &Part) -> Vec<VarId> {
        part.variables
            .iter()
            .map(|x| self.variables[x.index()])
            .collect()
    }
}
