//! `modeshift simulate`: a model over time.

use super::Run;
use crate::changes::Found;
use crate::hint;
use crate::model::ModelArgs;
use crate::progress::Progress;
use crate::ui::{Failure, Ui};
use modeshift_base::FxHashMap;
use modeshift_driver::simulate::{self, Engine, Simulated};
use modeshift_mdae::analysis::split_items;
use modeshift_report::plot;
use modeshift_report::simulation::{Document, summary};
use modeshift_sim::export;
use modeshift_sim::inputs::{NoTable, Table};
use modeshift_sim::result::Trajectory;
use modeshift_sim::run::{Options, Solver};
use modeshift_sim::tape::Functions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Simulate a model: modes, mode changes with restarts, and everything in between
///
/// Start and stop time, tolerance and the distance of output points come from the `experiment` annotation of
/// the class unless they are given.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    modeshift simulate Clutch.mo --stop-time 15 --events\n  \
    modeshift simulate Clutch.mo --plot w1,w2 --output result.csv --output picture.svg\n  \
    modeshift simulate Clutch.mo --set j2=4 --format json")]
pub struct Simulate {
    #[command(flatten)]
    model: ModelArgs,

    /// When to start [default: from the `experiment` annotation, else 0]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    start_time: Option<f64>,

    /// When to stop [default: from the `experiment` annotation, else 1]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    stop_time: Option<f64>,

    /// Relative tolerance of the integration [default: from the `experiment` annotation, else 1e-6]
    #[arg(long, value_name = "NUMBER")]
    tolerance: Option<f64>,

    /// Time between the points of the output
    #[arg(long, value_name = "TIME", conflicts_with = "intervals")]
    step: Option<f64>,

    /// Number of intervals between the points of the output [default: 500]
    #[arg(long, value_name = "N")]
    intervals: Option<u32>,

    /// Parameters: `j1=1`
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    set: Vec<String>,

    /// Values of top-level inputs over time, as CSV: a column `time`, and one for each input, by name
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// Let functions of the model run that are in shared libraries: code of its author, which can do everything that you
    /// can
    #[arg(long)]
    allow_external: bool,

    /// How to integrate
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    method: Method,

    /// Write the trajectories to a file; its extension determines the format: `.csv`, `.mat` (as Dymola and
    /// OpenModelica read it), `.parquet`, or, for the signals of `--plot`, `.svg` and `.html`
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Draw these signals: `x,y`
    #[arg(long, value_name = "SIGNALS")]
    plot: Option<String>,

    /// Print the mode changes
    #[arg(long)]
    events: bool,

    /// Show how much time each block of equations and each function takes
    #[arg(long)]
    profile: bool,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Explicit until the model proves stiff
    Auto,
    /// Dormand and Prince's explicit Runge–Kutta method
    Dopri5,
    /// The implicit Radau IIA method, for stiff models
    Radau5,
    /// Backward differentiation of order 1 to 5, for stiff models with long smooth stretches
    Bdf,
    /// Implicit Euler with fixed steps (`--step`) that slides where modes alternate
    Capture,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A summary
    Text,
    /// The trajectories
    Csv,
    /// See docs/schemas/simulation.schema.json
    Json,
}

impl Run for Simulate {
    fn run(self, ui: &mut Ui) -> Result<(), Failure> {
        if self.format != Format::Text {
            ui.reserve_stdout();
        }
        let began = Instant::now();
        let session = self.model.session(ui)?;
        let class = self.model.class.as_deref();
        let experiment = session.target(class).map(|class| session.experiment(class));
        let options = self.options(&experiment.unwrap_or_default())?;
        let mut set = Vec::new();
        for item in self.set.iter().flat_map(|text| split_items(text)) {
            let (name, value) = crate::changes::parse_number(item)?;
            set.push((name.to_owned(), value));
        }
        let files = self.files()?;
        let request = simulate::Request {
            class,
            options,
            engine: match self.method {
                Method::Capture => Engine::Capture,
                _ => Engine::Fitting,
            },
            set: &set,
            prepare: &|functions| files.open(functions),
        };
        let simulated = with_progress(ui, &request.options, |tell| {
            simulate::simulate(&session, &request, tell)
        });
        let Simulated {
            mut document,
            trajectory,
            diagnostics,
            phases,
            printed,
        } = simulated.map_err(|unknown| self.usage(unknown))?;
        if !printed.is_empty() {
            ui.remark(printed.trim_end())?;
        }
        let found = Found::new(&session, ui, diagnostics);
        document.diagnostics = found.json();
        if let Some(trajectory) = &trajectory {
            let plotted = self.plotted(trajectory)?;
            chosen_starts(ui, &document)?;
            let unit = units(&session, class);
            self.show(ui, &document, trajectory, &plotted, &unit)?;
            if ui.wants_times() || self.profile {
                ui.remark(summary::phases(&phases, began.elapsed()))?;
            }
        }
        let machine = self.format == Format::Json;
        found.finish(ui, machine.then_some(&document))
    }
}

/// Where functions read and write.
struct Places {
    libraries: Vec<PathBuf>,
    output: Option<PathBuf>,
    /// Functions in shared libraries may run.
    native: bool,
}

impl Places {
    fn open(&self, functions: &Functions) {
        functions.runtime().with_context(|context| {
            context.libraries.clone_from(&self.libraries);
            context.output.clone_from(&self.output);
        });
        if self.native {
            functions.runtime().allow_native();
        }
    }
}

/// Says which start values were taken although they are not fixed.
fn chosen_starts(ui: &mut Ui, document: &Document) -> Result<(), Failure> {
    if document.chosen_starts.is_empty() {
        return Ok(());
    }
    let start = |(name, value): (&String, &Option<f64>)| match value {
        Some(value) => format!("{name} = {value}"),
        None => name.clone(),
    };
    let starts: Vec<String> = document.chosen_starts.iter().map(start).collect();
    let starts = starts.join(", ");
    let text = format!("start values that are not fixed, and were taken: {starts}");
    ui.detail(1, text)
}

impl Simulate {
    fn options(&self, experiment: &modeshift_driver::Experiment) -> Result<Options, Failure> {
        let start = self.start_time.or(experiment.start_time).unwrap_or(0.0);
        let stop = self
            .stop_time
            .or(experiment.stop_time)
            .unwrap_or(start + 1.0);
        if !start.is_finite() || !stop.is_finite() || stop < start {
            let message = format!("the simulation cannot go from time {start} to time {stop}");
            return Err(Failure::Usage(message));
        }
        let tolerance = self.tolerance.or(experiment.tolerance).unwrap_or(1e-6);
        if !(1e-13..=0.1).contains(&tolerance) {
            let message = format!("the tolerance {tolerance} is not between 1e-13 and 0.1");
            return Err(Failure::Usage(message));
        }
        let intervals = self
            .intervals
            .map(f64::from)
            .or(experiment.number_of_intervals);
        let by_number = (stop - start) / intervals.unwrap_or(500.0).max(1.0);
        let interval = match (self.step, self.intervals) {
            (Some(step), _) => step,
            (None, Some(_)) => by_number,
            (None, None) => experiment.interval.unwrap_or(by_number),
        };
        let too_many = (stop - start) / interval > 1e7;
        if stop > start && (!interval.is_finite() || interval <= 0.0 || too_many) {
            return Err(Failure::Usage(format!(
                "an output every {interval} s is not possible"
            )));
        }
        Ok(Options {
            start,
            stop,
            tolerance,
            interval,
            solver: match self.method {
                Method::Auto | Method::Capture => Solver::Auto,
                Method::Dopri5 => Solver::Explicit,
                Method::Radau5 => Solver::Implicit,
                Method::Bdf => Solver::Multistep,
            },
            params: FxHashMap::default(),
            inputs: Arc::new(match &self.input {
                Some(path) => inputs(path)?,
                None => Table::default(),
            }),
            keep_undetermined: false,
            profile: self.profile,
        })
    }

    /// Which files functions may read, and where they may write.
    fn files(&self) -> Result<Places, Failure> {
        Ok(Places {
            native: self.allow_external,
            libraries: self.model.resource_dirs()?,
            output: self.output.first().map(|path| match path.parent() {
                Some(dir) if !dir.as_os_str().is_empty() => dir.to_path_buf(),
                _ => PathBuf::from("."),
            }),
        })
    }

    fn usage(&self, unknown: simulate::Unknown) -> Failure {
        match unknown {
            simulate::Unknown::Parameter(name, known) => {
                hint::no_such("parameter", &name, known.iter().map(String::as_str))
            }
            simulate::Unknown::Structural(name) => crate::changes::decides_structure(&name),
            simulate::Unknown::Input(name) => {
                let path = self.input.as_deref().unwrap_or(Path::new("")).display();
                Failure::Usage(format!("--input {path}: the model has no input `{name}`"))
            }
        }
    }

    /// Writes and prints what was asked for.
    fn show(
        &self,
        ui: &mut Ui,
        document: &Document,
        trajectory: &Trajectory,
        plotted: &[usize],
        unit: &dyn Fn(&str) -> String,
    ) -> Result<(), Failure> {
        for path in &self.output {
            self.write(path, document, trajectory, plotted, unit)?;
        }
        match self.format {
            Format::Text => {
                let mut text = summary::text(document, self.events);
                if !plotted.is_empty() {
                    text.push_str(&plot::text(trajectory, plotted, ui.canvas()));
                }
                if let Some(profile) = &document.profile {
                    text.push_str(&profile.text());
                }
                ui.print(|out| out.write_all(text.as_bytes()))?;
            }
            Format::Csv => {
                let mut bytes = Vec::new();
                export::csv(trajectory, &mut bytes)?;
                ui.print(|out| out.write_all(&bytes))?;
            }
            Format::Json => {}
        }
        Ok(())
    }

    fn write(
        &self,
        path: &Path,
        document: &Document,
        trajectory: &Trajectory,
        plotted: &[usize],
        unit: &dyn Fn(&str) -> String,
    ) -> Result<(), Failure> {
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        let mut bytes = Vec::new();
        let about = |what: &str| Failure::Usage(format!("--output {}: {what}", path.display()));
        match ending {
            "csv" => export::csv(trajectory, &mut bytes)?,
            "mat" => export::mat(trajectory, &mut bytes)?,
            "parquet" => export::parquet(trajectory, &mut bytes)?,
            "svg" | "html" if plotted.is_empty() => {
                return Err(about("say what to draw with `--plot`"));
            }
            "svg" => bytes = plot::svg(trajectory, plotted, &document.model).into_bytes(),
            "html" => {
                let about = plot::page::About {
                    unit,
                    decides: &|_| true,
                };
                let (model, events) = (&document.model, &document.events);
                let run = plot::page::run(model, trajectory, plotted, &about, events);
                bytes = plot::page::html(&run)?.into_bytes();
            }
            _ => {
                return Err(about(
                    "the ending must be `.csv`, `.mat`, `.parquet`, `.svg` or `.html`",
                ));
            }
        }
        std::fs::write(path, &bytes).map_err(|error| {
            let message = format!("{}: {error}", path.display());
            Failure::Io(std::io::Error::new(error.kind(), message))
        })
    }

    /// The columns to draw.
    fn plotted(&self, trajectory: &Trajectory) -> Result<Vec<usize>, Failure> {
        match &self.plot {
            Some(names) => columns(names, trajectory),
            None => Ok(Vec::new()),
        }
    }
}

/// The unit of each signal, empty where the model tells none.
pub(super) fn units(
    session: &modeshift_driver::Session,
    class: Option<&str>,
) -> impl Fn(&str) -> String + use<> {
    let units: FxHashMap<String, String> = session
        .target(class)
        .map(|class| {
            let variables = session.flat(class).model.variables.iter();
            let united =
                variables.filter_map(|it| Some((it.name.to_string(), it.unit()?.to_owned())));
            united.collect()
        })
        .unwrap_or_default();
    move |name| units.get(name).cloned().unwrap_or_default()
}

/// The columns of signals that `--plot` names.
pub(super) fn columns(names: &str, trajectory: &Trajectory) -> Result<Vec<usize>, Failure> {
    let find = |name: &str| {
        let found = trajectory.find(name);
        found.ok_or_else(|| {
            let known = trajectory.columns.iter().map(|it| &*it.name);
            let hint = hint::did_you_mean(name, known);
            Failure::Usage(format!("--plot: there is no variable `{name}`{hint}"))
        })
    };
    split_items(names).into_iter().map(find).collect()
}

/// Runs something that tells how far it is, with a bar.
fn with_progress<T>(ui: &Ui, options: &Options, run: impl FnOnce(&mut dyn FnMut(f64)) -> T) -> T {
    const STEPS: usize = 1000;
    let bar = Progress::of_parts(ui, STEPS, "simulating");
    let mut shown = 0;
    let mut tell = |part: f64| {
        let now = (part * STEPS as f64) as usize;
        if now > shown {
            shown = now;
            let time = options.start + part * (options.stop - options.start);
            bar.reach(now, format!("time {time:.3} of {}", options.stop));
        }
    };
    let result = run(&mut tell);
    bar.finish();
    result
}

/// The inputs of the model from a file.
fn inputs(path: &Path) -> Result<Table, Failure> {
    let about = |what: String| Failure::Usage(format!("--input {}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| about(error.to_string()))?;
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let names = lines
        .next()
        .map(|(_, line)| cells(line))
        .unwrap_or_default();
    let Some(clock) = names.iter().position(|name| name == "time") else {
        return Err(about(
            "the first line names the columns, and one of them is `time`".to_owned(),
        ));
    };
    let mut columns = vec![Vec::new(); names.len()];
    for (number, line) in lines {
        let row = cells(line);
        if row.len() != names.len() {
            let (found, wanted) = (row.len(), names.len());
            return Err(about(format!(
                "line {} has {found} columns instead of {wanted}",
                number + 1
            )));
        }
        for (column, cell) in columns.iter_mut().zip(&row) {
            let value = match cell.as_str() {
                "true" => Some(1.0),
                "false" => Some(0.0),
                other => other.parse().ok().filter(|value: &f64| value.is_finite()),
            };
            let Some(value) = value else {
                return Err(about(format!(
                    "line {}: `{cell}` is not a number",
                    number + 1
                )));
            };
            column.push(value);
        }
    }
    let times = std::mem::take(&mut columns[clock]);
    let signals = names
        .into_iter()
        .zip(columns)
        .enumerate()
        .filter(|(i, _)| *i != clock);
    Table::new(times, signals.map(|(_, signal)| signal).collect()).map_err(|why| {
        about(match why {
            NoTable::TimeGoesBack(row) => format!("time goes back in row {row}"),
            NoTable::Empty => "there are no rows".to_owned(),
        })
    })
}

/// The cells of a line of CSV; names such as `u[1,2]` are quoted.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}
