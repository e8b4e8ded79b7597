//! Inputs of the model from a table: numbers straight between the rows, integers and Booleans held.

use modeshift_mdae::model::{MDae, ModeDef, ModeId, Values, VarKind};
use modeshift_mdae::sym::VarId;

/// What a column of the table drives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Variable(VarId),
    Mode(ModeId),
}

#[derive(Clone, PartialEq, Debug)]
struct Signal {
    target: Target,
    held: bool,
    values: Vec<f64>,
}

/// The inputs of a run. Two rows with the same time make a jump.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    times: Vec<f64>,
    signals: Vec<Signal>,
    /// The row from which the signals come at present.
    row: usize,
}

/// Why a table does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoInputs {
    NoSuchInput(String),
    /// The number of the row, from 1.
    TimeGoesBack(usize),
    Empty,
}

impl Inputs {
    /// `columns` are names with one value per time.
    pub fn new(
        mdae: &MDae,
        times: Vec<f64>,
        columns: Vec<(String, Vec<f64>)>,
    ) -> Result<Self, NoInputs> {
        if times.is_empty() || times.iter().any(|t| !t.is_finite()) {
            return Err(NoInputs::Empty);
        }
        if let Some(row) = (1..times.len()).find(|&i| times[i] < times[i - 1]) {
            return Err(NoInputs::TimeGoesBack(row + 1));
        }
        let mut signals = Vec::new();
        for (name, values) in columns {
            let variable = mdae.variable_ids().find(|&id| {
                *mdae.variable(id).name == *name && mdae.variable(id).kind == VarKind::Input
            });
            let mut modes = mdae.modes.iter_enumerated();
            let mode = modes.find(|(_, m)| *m.name == *name && matches!(m.def, ModeDef::Input));
            let (target, held) = match (variable, mode) {
                (Some(id), _) => (
                    Target::Variable(id),
                    mdae.variable(id).values != Values::Real,
                ),
                (None, Some((id, _))) => (Target::Mode(id), true),
                (None, None) => return Err(NoInputs::NoSuchInput(name)),
            };
            signals.push(Signal {
                target,
                held,
                values,
            });
        }
        Ok(Self {
            times,
            signals,
            row: 0,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.signals.is_empty()
    }

    /// Where the signals go another way than before, after the present row.
    pub fn next_break(&self) -> Option<f64> {
        (!self.signals.is_empty())
            .then(|| self.times.get(self.row + 1).copied())
            .flatten()
    }

    /// Rows up to `time` are reached. Whether a new one is.
    pub fn pass(&mut self, time: f64) -> bool {
        let before = self.row;
        while self.times.get(self.row + 1).is_some_and(|&t| t <= time) {
            self.row += 1;
        }
        self.row != before
    }

    /// The value and the slope of all signals.
    pub fn at(&self, time: f64) -> impl Iterator<Item = (Target, f64, f64)> + '_ {
        let (i, j) = (self.row, self.row + 1);
        self.signals.iter().map(move |signal| {
            let here = signal.values[i];
            let slope = match (self.times.get(j), signal.values.get(j)) {
                (Some(&next), Some(there)) if !signal.held && next > self.times[i] => {
                    (there - here) / (next - self.times[i])
                }
                _ => 0.0,
            };
            let since = (time - self.times[i]).max(0.0);
            (signal.target, here + slope * since, slope)
        })
    }
}
