//! A simulation as a document: where it started and ended, and its events.

use crate::transitions::{Valuation, valuation};
use modeshift_base::FxIndexMap;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_mdae::model::MDae;
use modeshift_restart::eliminate::Elimination;
use modeshift_sim::diagnose::occurrence_name;
use modeshift_sim::result::{EventRecord, Simulation, Trajectory};
use serde::Serialize;

/// Version of the document below; `docs/schemas/simulation.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.simulation/1";

/// The whole document of `modeshift simulate --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub schema: &'static str,
    pub model: String,
    pub start_time: f64,
    pub stop_time: f64,
    pub tolerance: f64,
    /// Whether the stop time was reached.
    pub completed: bool,
    /// The time that was reached.
    pub time: f64,
    /// The method that integrated last.
    pub solver: &'static str,
    /// Values at the start, consistent with the equations.
    pub initial: FxIndexMap<String, Option<f64>>,
    /// Values at the end.
    #[serde(rename = "final")]
    pub last: FxIndexMap<String, Option<f64>>,
    pub minimum: FxIndexMap<String, Option<f64>>,
    pub maximum: FxIndexMap<String, Option<f64>>,
    pub event_count: usize,
    pub events: Vec<Event>,
    pub statistics: Statistics,
    pub diagnostics: Vec<JsonDiagnostic>,
}

/// One mode change.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    pub time: f64,
    /// The mode variables that flipped by themselves.
    pub causes: Vec<String>,
    pub from: Valuation,
    pub to: Valuation,
    pub transient: Option<Valuation>,
    /// How many `when` equations fired.
    pub fired: usize,
    pub jumps: FxIndexMap<String, Jump>,
    pub impulses: FxIndexMap<String, Impulse>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Jump {
    pub before: Option<f64>,
    pub after: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Impulse {
    pub order: String,
    pub weight: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Statistics {
    pub steps: usize,
    pub rejected: usize,
    pub evaluations: usize,
    pub jacobians: usize,
    pub factorisations: usize,
    pub modes: usize,
    pub reselections: usize,
    pub points: usize,
}

/// JSON has no infinities.
fn number(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// An empty document, for a model that could not be simulated at all.
pub fn empty(model: String) -> Document {
    Document {
        schema: SCHEMA,
        model,
        start_time: 0.0,
        stop_time: 0.0,
        tolerance: 0.0,
        completed: false,
        time: 0.0,
        solver: "none",
        initial: FxIndexMap::default(),
        last: FxIndexMap::default(),
        minimum: FxIndexMap::default(),
        maximum: FxIndexMap::default(),
        event_count: 0,
        events: Vec::new(),
        statistics: Statistics::default(),
        diagnostics: Vec::new(),
    }
}

/// Fills a document with the results of a simulation.
pub fn fill(document: &mut Document, mdae: &MDae, simulation: &Simulation) {
    let trajectory = &simulation.trajectory;
    document.completed = simulation.failure.is_none();
    document.solver = simulation.solver;
    let n = trajectory.n_rows();
    if n > 0 {
        document.time = trajectory.row(n - 1)[0];
        document.initial = named(trajectory, trajectory.row(0));
        document.last = named(trajectory, trajectory.row(n - 1));
        let fold = |start: f64, op: fn(f64, f64) -> f64| -> Vec<f64> {
            (0..trajectory.columns.len())
                .map(|i| trajectory.column(i).fold(start, op))
                .collect()
        };
        document.minimum = named(trajectory, &fold(f64::INFINITY, f64::min));
        document.maximum = named(trajectory, &fold(f64::NEG_INFINITY, f64::max));
    }
    let elimination = Elimination::of(mdae);
    document.events = simulation
        .events
        .iter()
        .map(|e| event(mdae, &elimination, e))
        .collect();
    document.event_count = document.events.len();
    document.statistics = Statistics {
        steps: simulation.statistics.steps,
        rejected: simulation.statistics.effort.rejected,
        evaluations: simulation.statistics.effort.evaluations,
        jacobians: simulation.statistics.effort.jacobians,
        factorisations: simulation.statistics.effort.factorisations,
        modes: simulation.statistics.modes,
        reselections: simulation.statistics.reselections,
        points: n,
    };
}

fn named(trajectory: &Trajectory, row: &[f64]) -> FxIndexMap<String, Option<f64>> {
    let columns = trajectory.columns.iter().zip(row);
    columns
        .map(|(column, &value)| (column.name.clone(), number(value)))
        .collect()
}

/// An event in the modeller's names.
pub fn event(mdae: &MDae, elimination: &Elimination, record: &EventRecord) -> Event {
    Event {
        time: record.time,
        causes: record
            .causes
            .iter()
            .map(|&id| mdae.modes[id].name.to_string())
            .collect(),
        from: valuation(mdae, &record.from),
        to: valuation(mdae, &record.to),
        transient: record.transient.as_ref().map(|mode| valuation(mdae, mode)),
        fired: record.fired,
        jumps: record
            .jumps
            .iter()
            .map(|jump| {
                let name = occurrence_name(mdae, elimination, jump.variable);
                let (before, after) = (number(jump.before), number(jump.after));
                (name, Jump { before, after })
            })
            .collect(),
        impulses: record
            .impulses
            .iter()
            .map(|impulse| {
                let name = occurrence_name(mdae, elimination, impulse.variable);
                let (order, weight) = (impulse.order.clone(), number(impulse.weight));
                (name, Impulse { order, weight })
            })
            .collect(),
    }
}
