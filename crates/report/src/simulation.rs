//! A simulation as a document: where it started and ended, and its events.

pub mod profile;
pub mod summary;

use crate::transitions::{Valuation, valuation};
use modeshift_base::FxIndexMap;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_mdae::model::MDae;
use modeshift_restart::eliminate::Elimination;
use modeshift_sim::diagnose::occurrence_name;
use modeshift_sim::profile::Phases;
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
    /// The variables that were integrated last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// Start values that were taken although they are not fixed, because nothing else determines the start.
    #[serde(skip_serializing_if = "FxIndexMap::is_empty")]
    pub chosen_starts: FxIndexMap<String, Option<f64>>,
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
    /// What blocks and functions cost, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<profile::Profile>,
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
        states: Vec::new(),
        chosen_starts: FxIndexMap::default(),
        initial: FxIndexMap::default(),
        last: FxIndexMap::default(),
        minimum: FxIndexMap::default(),
        maximum: FxIndexMap::default(),
        event_count: 0,
        events: Vec::new(),
        statistics: Statistics::default(),
        profile: None,
        diagnostics: Vec::new(),
    }
}

/// Fills a document with the results of a simulation.
pub fn fill(document: &mut Document, mdae: &MDae, simulation: &Simulation) {
    document.completed = simulation.failure.is_none();
    document.solver = simulation.solver;
    fill_values(document, &simulation.trajectory);
    let elimination = Elimination::of(mdae);
    document.events = simulation
        .events
        .iter()
        .map(|e| event(mdae, &elimination, e))
        .collect();
    document.event_count = document.events.len();
    document.statistics = statistics(&simulation.statistics, simulation.trajectory.n_rows());
}

/// What a run mode by mode cost.
pub fn profile_of_modes(
    mdae: &MDae,
    costs: modeshift_sim::profile::Profile,
    phases: Phases,
) -> profile::Profile {
    let elimination = Elimination::of(mdae);
    let name = |unknown| occurrence_name(mdae, &elimination, unknown);
    profile::Profile::of(costs, phases, &name)
}

fn statistics(found: &modeshift_sim::result::Statistics, points: usize) -> Statistics {
    Statistics {
        steps: found.steps,
        rejected: found.effort.rejected,
        evaluations: found.effort.evaluations,
        jacobians: found.effort.jacobians,
        factorisations: found.effort.factorisations,
        modes: found.modes,
        reselections: found.reselections,
        points,
    }
}

/// First and last values, and the range between.
fn fill_values(document: &mut Document, trajectory: &Trajectory) {
    let n = trajectory.n_rows();
    if n == 0 {
        return;
    }
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

/// A run of a model whose structure does not change.
pub struct Run {
    pub trajectory: Trajectory,
    events: Vec<modeshift_sim::sorted::run::Event>,
    /// The names of conditions and Boolean variables.
    modes: Vec<String>,
    chosen: FxIndexMap<String, Option<f64>>,
    statistics: Statistics,
    solver: &'static str,
    states: Vec<String>,
    completed: bool,
    pub phases: Phases,
    profile: Option<profile::Profile>,
}

impl Run {
    /// With `profiled`, what blocks and functions cost is kept.
    pub fn of(outcome: modeshift_sim::sorted::Outcome<'_>, profiled: bool) -> Self {
        Self {
            profile: profiled.then(|| {
                let name = |unknown| outcome.name(unknown);
                profile::Profile::of(outcome.profile(), outcome.phases, &name)
            }),
            states: outcome.states(),
            phases: outcome.phases,
            chosen: chosen_starts(&outcome),
            modes: outcome.modes.names,
            statistics: statistics(&outcome.statistics, outcome.trajectory.n_rows()),
            trajectory: outcome.trajectory,
            events: outcome.events,
            solver: outcome.solver,
            completed: outcome.stop.is_none(),
        }
    }

    /// Fills a document with its results.
    pub fn fill(&self, document: &mut Document) {
        document.completed = self.completed;
        document.solver = self.solver;
        document.states.clone_from(&self.states);
        document.profile.clone_from(&self.profile);
        fill_values(document, &self.trajectory);
        document.chosen_starts = self.chosen.clone();
        let events = self.events.iter();
        document.events = events
            .map(|event| ordinary_event(&self.modes, event))
            .collect();
        document.event_count = document.events.len();
        document.statistics = self.statistics;
    }
}

/// Start values that were taken although they are not fixed, by name.
fn chosen_starts(outcome: &modeshift_sim::sorted::Outcome<'_>) -> FxIndexMap<String, Option<f64>> {
    let machine = &outcome.machine;
    let chosen = machine.initial().chosen.iter();
    let first = (outcome.trajectory.n_rows() > 0).then(|| outcome.trajectory.row(0));
    chosen
        .filter_map(|chosen| {
            let variable = chosen.unknown.var.0;
            let known = (variable as usize) < machine.lowering.class.len();
            let name = known.then(|| machine.lowering.variable(variable).name.to_string())?;
            let name = (0..chosen.unknown.order).fold(name, |name, _| format!("der({name})"));
            let value = outcome.trajectory.find(&name).and_then(|i| Some(first?[i]));
            Some((name, value.and_then(number)))
        })
        .collect()
}

/// All conditions where there are few; where there are many, those that changed.
fn valuations(names: &[String], from: &[bool], to: &[bool]) -> (Valuation, Valuation) {
    const FEW: usize = 64;
    let told = |i: &usize| names.len() <= FEW || from[*i] != to[*i];
    let of = |values: &[bool]| -> Valuation {
        let numbers = (0..names.len()).filter(told);
        numbers.map(|i| (names[i].clone(), values[i])).collect()
    };
    (of(from), of(to))
}

fn ordinary_event(names: &[String], event: &modeshift_sim::sorted::run::Event) -> Event {
    let (from, to) = valuations(names, &event.from, &event.to);
    let jump = |(name, before, after): &(String, f64, f64)| {
        let (before, after) = (number(*before), number(*after));
        (name.clone(), Jump { before, after })
    };
    Event {
        time: event.time,
        causes: event.causes.clone(),
        from,
        to,
        transient: None,
        fired: 0,
        jumps: event.jumps.iter().map(jump).collect(),
        impulses: FxIndexMap::default(),
    }
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
