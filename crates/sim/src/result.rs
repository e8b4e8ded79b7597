//! What a simulation gives back: trajectories, the log of events, statistics.

use crate::capture::Relaxations;
use crate::failure::Failure;
use crate::integrate::Effort;
use crate::profile::{BlockCost, Profile};
use crate::tape::Functions;
use modeshift_mdae::model::ModeId;
use modeshift_mdae::sym::VarRef;
use modeshift_restart::modes::Mode;

/// One signal of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub name: String,
    pub comment: Option<String>,
    /// Constant over the whole simulation.
    pub parameter: bool,
}

impl Column {
    /// Whether a table of signals shows it: all that changes, and the parameters that the model itself declares as numbers
    /// or vectors, by which tables of several runs are told apart.
    fn is_tabulated(&self) -> bool {
        !self.parameter || !self.name.contains(['.', ','])
    }
}

/// Signals over time, row by row. Around an event there are two rows with the same time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trajectory {
    /// The first one is `time`.
    pub columns: Vec<Column>,
    /// `columns.len()` numbers per point in time.
    pub rows: Vec<f64>,
}

impl Trajectory {
    pub fn n_rows(&self) -> usize {
        self.rows.len() / self.columns.len().max(1)
    }

    pub fn row(&self, index: usize) -> &[f64] {
        let n = self.columns.len();
        &self.rows[index * n..(index + 1) * n]
    }

    /// The columns of a table.
    pub fn tabulated(&self) -> Vec<usize> {
        let all = 0..self.columns.len();
        all.filter(|&i| self.columns[i].is_tabulated()).collect()
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    pub fn column(&self, index: usize) -> impl Iterator<Item = f64> + '_ {
        let n = self.columns.len();
        self.rows.iter().skip(index).step_by(n.max(1)).copied()
    }
}

/// A jump of a variable at an event.
#[derive(Clone, PartialEq, Debug)]
pub struct Jump {
    pub variable: VarRef,
    pub before: f64,
    pub after: f64,
}

/// The weight of an impulse, with its order.
#[derive(Clone, PartialEq, Debug)]
pub struct Impulse {
    pub variable: VarRef,
    /// As [`Self::degree`], for people.
    pub order: String,
    /// The power of the step size by which it grows as the step vanishes.
    pub degree: f64,
    pub weight: f64,
}

/// One event.
#[derive(Clone, PartialEq, Debug)]
pub struct EventRecord {
    pub time: f64,
    pub from: Mode,
    pub to: Mode,
    /// The valuation at the instant when it did not last.
    pub transient: Option<Mode>,
    /// The mode variables that flipped by themselves.
    pub causes: Vec<ModeId>,
    /// How many `when` equations fired.
    pub fired: usize,
    pub jumps: Vec<Jump>,
    pub impulses: Vec<Impulse>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub steps: usize,
    pub effort: Effort,
    pub events: usize,
    /// Modes that were compiled.
    pub modes: usize,
    /// How often other states were chosen.
    pub reselections: usize,
}

/// Something worth knowing that did not stop the simulation.
#[derive(Clone, PartialEq, Debug)]
pub enum Remark {
    /// The start values were not consistent; the largest correction.
    StartMoved {
        variable: VarRef,
        from: f64,
        to: f64,
    },
    /// The start was computed like a mode change from the start values.
    StartRestarted,
    /// Another valuation of these mode variables fits, too.
    SeveralModes { time: f64, guards: Vec<ModeId> },
    /// An assertion with the level `warning` does not hold.
    Warned { time: f64, index: usize },
    /// `terminate` was reached.
    Ended { time: f64, index: usize },
    /// The point lies on a switching surface, with a relaxed constraint.
    Relaxed {
        time: f64,
        guard: ModeId,
        relaxations: Relaxations,
    },
}

/// A simulation, complete or up to its failure.
#[derive(Clone, PartialEq, Debug)]
pub struct Simulation {
    pub trajectory: Trajectory,
    pub events: Vec<EventRecord>,
    pub statistics: Statistics,
    pub remarks: Vec<Remark>,
    pub solver: &'static str,
    pub failure: Option<Failure>,
    /// What blocks cost.
    pub blocks: Vec<BlockCost>,
}

impl Simulation {
    /// What blocks and functions cost.
    pub fn profile(&self, functions: &Functions) -> Profile {
        Profile {
            blocks: self.blocks.clone(),
            functions: functions.costs(),
        }
        .sorted()
    }
}
