//! `modeshift report`: everything about a model on one page.

use super::Run;
use super::modes::find;
use crate::changes::Found;
use crate::model::ModelArgs;
use crate::progress::Progress;
use crate::ui::{Failure, Ui};
use modeshift_base::FxHashMap;
use modeshift_diag::Code;
use modeshift_driver::analysis::Options;
use modeshift_driver::{Session, simulate};
use modeshift_report::ModelVerdict;
use modeshift_report::html::{Simulation, page};
use modeshift_report::plot;
use modeshift_sim::result::Trajectory;
use modeshift_sim::run;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Make a page about a model: modes, matrices, dependencies, changes, restart systems
///
/// Writes one HTML file that needs no other: the modes as a table that can be sorted and filtered by a formula, the
/// incidence matrix of each class of modes in block triangular form, the conditional dependency graph, the graph of
/// modes with the restart system of every change, and the source of every equation.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift report Clutch.mo -o clutch.html\n  \
    modeshift report --class Drive.Examples.Shift Drive -o shift.html\n  \
    modeshift report Clutch.mo --simulate --stop-time 15 -o clutch.html\n  \
    modeshift report Clutch.mo -o - > clutch.html")]
pub struct Report {
    #[command(flatten)]
    model: ModelArgs,

    /// The file to write; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,

    /// Run the model, too, and show the trajectories with the modes it went through
    #[arg(long)]
    simulate: bool,

    /// When the run stops [default: from the `experiment` annotation, else 1]
    #[arg(long, value_name = "TIME", requires = "simulate")]
    stop_time: Option<f64>,

    /// The signals to show: `x,y` [default: the first states that change]
    #[arg(long, value_name = "SIGNALS", requires = "simulate")]
    plot: Option<String>,
}

impl Run for Report {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        ui.reserve_stdout();
        let session = self.model.session(ui)?;
        let options = Options {
            deny_fixpoints: ui.denies(Code::MS4003),
            ..Options::default()
        };
        let modes = find(&session, &self.model, &options);
        let mut found = Found::new(&session, ui, modes.diagnostics.clone());
        let bar: OnceLock<Progress> = OnceLock::new();
        let progress = |_, total| {
            bar.get_or_init(|| Progress::new(ui, total, "mode changes"))
                .advance();
        };
        // The page tells everything, also what `--quiet` keeps off the terminal.
        let class = session.target(self.model.class.as_deref()).ok();
        let document = session.page(class, &modes, &progress, &mut |diagnostics| {
            found.add(diagnostics)
        });
        if let Some(bar) = bar.into_inner() {
            bar.finish();
        }
        let Some(mut document) = document else {
            return found.finish(ui, None::<&()>);
        };
        if found.has_errors() {
            document.verdict = ModelVerdict::Rejected;
        }
        if self.simulate {
            let decides = |name: &str| {
                let mut modes = modes.analysis.iter().flat_map(|it| it.mdae.modes.iter());
                modes.any(|mode| !mode.auxiliary && *mode.name == *name)
            };
            document.simulation = Some(self.run_model(&session, &decides)?);
        }
        let page = page(&document)?;
        found.finish(ui, None::<&()>)?;
        self.write(ui, &page)
    }
}

/// Signals that are shown when none are named.
const SHOWN: usize = 6;

/// The signals that tell most about a run: the states that change, or without any, what else changes.
fn moving(trajectory: &Trajectory) -> Vec<usize> {
    let changes = |&i: &usize| {
        let mut values = trajectory.column(i);
        let first = values.next();
        !trajectory.columns[i].parameter && values.any(|value| Some(value) != first)
    };
    let derivative = |i: usize| format!("der({})", trajectory.columns[i].name);
    let mut found: Vec<usize> = (1..trajectory.columns.len()).filter(changes).collect();
    found.retain(|&i| !trajectory.columns[i].name.starts_with("der("));
    let is_state = |i: &usize| trajectory.find(&derivative(*i)).is_some();
    if found.iter().any(is_state) {
        found.retain(is_state);
    }
    found.truncate(SHOWN);
    found
}

impl Report {
    /// The run, or why there is none: the page is made in any case.
    fn run_model(
        &self,
        session: &Session,
        decides: &dyn Fn(&str) -> bool,
    ) -> Result<Simulation, Failure> {
        let class = self.model.class.as_deref();
        let experiment = session.target(class).map(|class| session.experiment(class));
        let experiment = experiment.unwrap_or_default();
        let start = experiment.start_time.unwrap_or(0.0);
        let stop = self.stop_time.or(experiment.stop_time);
        let stop = stop.unwrap_or(start + 1.0);
        if !(stop.is_finite() && stop > start) {
            let message = format!("the simulation cannot go from time {start} to time {stop}");
            return Err(Failure::Usage(message));
        }
        let options = run::Options {
            start,
            stop,
            tolerance: experiment.tolerance.unwrap_or(1e-6),
            interval: (stop - start) / 500.0,
            solver: run::Solver::Auto,
            params: FxHashMap::default(),
            inputs: Arc::default(),
            keep_undetermined: false,
            profile: false,
        };
        let request = simulate::Request {
            class,
            options,
            engine: simulate::Engine::Fitting,
            set: &[],
            prepare: &|_| {},
        };
        let Ok(simulated) = simulate::simulate(session, &request, &mut |_| {}) else {
            return Ok(Simulation {
                run: None,
                note: "the model cannot be simulated".to_owned(),
            });
        };
        let stopped = simulated.diagnostics.iter().find(|it| it.is_error());
        let stopped = stopped.map(|it| format!("{}: {}", it.code, it.message));
        let Some(trajectory) = simulated.trajectory else {
            let why = stopped.unwrap_or_default();
            return Ok(Simulation {
                run: None,
                note: format!("The model does not run. {why}"),
            });
        };
        let columns = match &self.plot {
            Some(names) => super::simulate::columns(names, &trajectory)?,
            None => moving(&trajectory),
        };
        let about = plot::page::About {
            unit: &super::simulate::units(session, class),
            decides,
        };
        let events = &simulated.document.events;
        let model = &simulated.document.model;
        Ok(Simulation {
            run: Some(plot::page::run(
                model,
                &trajectory,
                &columns,
                &about,
                events,
            )),
            note: stopped.map_or_else(String::new, |why| format!("The run stopped. {why}")),
        })
    }

    fn write(&self, ui: &mut Ui, page: &str) -> Result<(), Failure> {
        if self.output.as_os_str() == "-" {
            return ui.print(|out| out.write_all(page.as_bytes()));
        }
        fs::write(&self.output, page).map_err(|error| {
            Failure::Usage(format!(
                "{}: {}",
                self.output.display(),
                crate::sources::reason(&error)
            ))
        })?;
        ui.remark(format!("the report is in {}", self.output.display()))
    }
}
