//! `modeshift simulate`: a model over time.

use super::Run;
use crate::changes::{Analysed, Found};
use crate::hint;
use crate::model::ModelArgs;
use crate::progress::Progress;
use crate::ui::{Failure, Ui};
use modeshift_base::FxHashMap;
use modeshift_mdae::analysis::split_items;
use modeshift_mdae::model::{MDae, ModeDef, VarKind};
use modeshift_mdae::sym::ParamId;
use modeshift_report::plot;
use modeshift_report::simulation::{self, Document};
use modeshift_restart::left_limits::parameter_values;
use modeshift_sim::export;
use modeshift_sim::inputs::{Inputs, NoInputs};
use modeshift_sim::result::{Simulation, Trajectory};
use modeshift_sim::run::{Options, Solver};
use modeshift_sim::tape::Functions;
use std::path::{Path, PathBuf};

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

    /// Distance of the points of the output
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

    /// How to integrate
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    method: Method,

    /// Write the trajectories to a file; its ending tells the format: `.csv`, `.mat` (as Dymola and
    /// OpenModelica read it), `.parquet`, or, for the signals of `--plot`, `.svg` and `.html`
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Draw these signals: `x,y`
    #[arg(long, value_name = "SIGNALS")]
    plot: Option<String>,

    /// Print the mode changes
    #[arg(long)]
    events: bool,

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
        let machine = self.format == Format::Json;
        let session = self.model.session()?;
        let mut ordinary = self.ordinary(ui, &session)?;
        if let Some(ordinary) = &ordinary
            && !ordinary.needs_modes
        {
            return self.finish_ordinary(ui, &session, ordinary);
        }
        let Analysed {
            mdae,
            name,
            diagnostics,
            ..
        } = Analysed::of(&session, self.model.class.as_deref());
        let rejected =
            mdae.is_none() || diagnostics.iter().any(modeshift_diag::Diagnostic::is_error);
        if let Some(ordinary) = &ordinary
            && rejected
        {
            return self.finish_ordinary(ui, &session, ordinary);
        }
        let mut found = Found::new(&session, ui, diagnostics);
        let mut document = simulation::empty(name);
        let Some(mdae) = &mdae else {
            document.diagnostics = found.json();
            return found.finish(ui, machine.then_some(&document));
        };
        if let Some(refusal) = self.input.as_ref().and_then(|_| memory(mdae)) {
            found.add(vec![refusal]);
            document.diagnostics = found.json();
            return found.finish(ui, machine.then_some(&document));
        }
        let experiment = session
            .target(self.model.class.as_deref())
            .map(|class| session.experiment(class))
            .unwrap_or_default();
        let options = self.options(&experiment)?;
        let options = Options {
            params: parameter_values(mdae, &self.given(mdae, options.start)?),
            inputs: self
                .input
                .as_deref()
                .map_or_else(|| Ok(Inputs::default()), |path| inputs(mdae, path))?,
            ..options
        };
        let functions = match session.target(self.model.class.as_deref()) {
            Ok(class) => Functions::new(&session.flat(class).model.functions),
            Err(_) => Functions::default(),
        };
        self.open_files(&functions)?;
        let simulated = self.simulate(ui, mdae, &functions, &options);
        if let Some(ordinary) = &ordinary
            && simulated
                .failure
                .as_ref()
                .is_some_and(|failure| ordinary.says_more_than(failure))
        {
            return self.finish_ordinary(ui, &session, ordinary);
        }
        if let Some(ordinary) = &mut ordinary
            && let Some(difference) = ordinary.disagrees_with(&simulated.trajectory)
        {
            ordinary.diagnostics = vec![difference];
            return self.finish_ordinary(ui, &session, ordinary);
        }
        let plotted = self.plotted(&simulated.trajectory)?;
        let mut diagnostics = modeshift_sim::diagnose::diagnostics(mdae, &simulated);
        if let (Some(error), Some(last)) = (functions.take_error(), diagnostics.last_mut()) {
            last.notes
                .push(format!("the last trouble in a function: {error}"));
        }
        found.add(diagnostics);
        document.start_time = options.start;
        document.stop_time = options.stop;
        document.tolerance = options.tolerance;
        simulation::fill(&mut document, mdae, &simulated);
        document.diagnostics = found.json();
        let unit = self.units(&session);
        self.show(ui, &document, &simulated.trajectory, &plotted, &unit)?;
        found.finish(ui, machine.then_some(&document))
    }
}

/// A run of a model whose structure does not change, or why there is none.
struct Ordinary {
    name: String,
    options: Options,
    diagnostics: Vec<modeshift_diag::Diagnostic>,
    simulated: Option<simulation::Run>,
    /// The time that was reached.
    reached: f64,
    /// What stopped it may be a change of structure.
    needs_modes: bool,
}

impl Ordinary {
    /// Where a run mode by mode departs from this one before this one ends.
    fn disagrees_with(&self, modes: &Trajectory) -> Option<modeshift_diag::Diagnostic> {
        let run = self.simulated.as_ref()?;
        let Options {
            start, interval, ..
        } = self.options;
        let times = (0..).map(|k| start + f64::from(k) * interval);
        let found = modeshift_sim::agree::difference(&run.trajectory, modes, times, self.reached)?;
        let modeshift_sim::agree::Difference {
            signal,
            time,
            values,
        } = found;
        let message = format!(
            "this model changes its structure at time {}, and cannot be run mode by mode until then: at time {time} \
             `{signal}` would be {} instead of {}",
            self.reached, values.1, values.0
        );
        let diagnostic = modeshift_diag::Diagnostic::new(modeshift_diag::Code::MS6001, message);
        let why = self.diagnostics.last().map(|d| d.message.clone());
        Some(diagnostic.note(format!(
            "it stops being one system there: {}",
            why.unwrap_or_default()
        )))
    }

    /// Whether its own end is what to tell, and not how the run mode by mode failed.
    fn says_more_than(&self, failure: &modeshift_sim::Failure) -> bool {
        use modeshift_sim::FailureKind::{NoMode, Restart, RestartUnsolved, SingularMode};
        let about_modes = matches!(
            failure.kind,
            NoMode { .. } | Restart { .. } | RestartUnsolved { .. } | SingularMode(_)
        );
        failure.time < self.reached || failure.time == self.reached && !about_modes
    }
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
            inputs: Inputs::default(),
        })
    }

    /// Runs the model as one sorted system. Nothing if there is no flat model, or where only modes will do.
    fn ordinary(
        &self,
        ui: &Ui,
        session: &modeshift_driver::Session,
    ) -> Result<Option<Ordinary>, Failure> {
        use modeshift_diag::Diagnostic;
        if self.method == Method::Capture || self.input.is_some() {
            return Ok(None);
        }
        if session.check_files().iter().any(Diagnostic::is_error) {
            return Ok(None);
        }
        let Ok(class) = session.target(self.model.class.as_deref()) else {
            return Ok(None);
        };
        let flat = session.flat(class);
        if flat.diagnostics.iter().any(Diagnostic::is_error) {
            return Ok(None);
        }
        // Errors in clocks leave nothing.
        let model = session.without_clocks(class);
        if model.variables.is_empty() && !flat.model.variables.is_empty() {
            return Ok(None);
        }
        let options = self.options(&session.experiment(class))?;
        let mut overrides = FxHashMap::default();
        let named = |name: &str| {
            model
                .variables
                .iter()
                .position(|variable| &*variable.name == name)
        };
        overrides.extend(named(modeshift_driver::CLOCK_START).map(|v| (v as u32, options.start)));
        for item in self.set.iter().flat_map(|text| split_items(text)) {
            let (name, value) = crate::changes::parse_number(item)?;
            let found = named(name).filter(|&v| {
                let variable = model.variables.iter().nth(v);
                variable.is_some_and(modeshift_sim::sorted::is_parameter)
            });
            let v = found.ok_or_else(|| {
                let known = model.variables.iter();
                let known = known.filter(|it| modeshift_sim::sorted::is_parameter(it));
                hint::no_such("parameter", name, known.map(|it| &*it.name))
            })?;
            overrides.insert(v as u32, value);
        }
        let functions = Functions::new(&model.functions);
        self.open_files(&functions)?;
        let name = model.name.to_string();
        let outcome = with_progress(ui, |tell| {
            modeshift_sim::sorted::run(model, &functions, &overrides, &options, tell)
        });
        let trouble = functions
            .take_error()
            .map(|error| format!("the last trouble in a function: {error}"));
        // A function that failed does so in every mode.
        let failed = trouble.is_some();
        Ok(Some(match outcome {
            Err(refusal) => Ordinary {
                name,
                reached: options.start,
                diagnostics: vec![modeshift_sim::sorted::diagnose::refusal(&refusal)],
                simulated: None,
                // Mode by mode a call is made whenever an equation is evaluated, which only pure functions bear.
                needs_modes: model.functions.iter().all(|function| function.pure),
                options,
            },
            Ok(outcome) => Ordinary {
                name,
                reached: outcome
                    .stop
                    .as_ref()
                    .map_or(f64::INFINITY, |stop| stop.time),
                diagnostics: {
                    let mut list = modeshift_sim::sorted::diagnose::diagnostics(&outcome);
                    if let (Some(trouble), Some(last), true) =
                        (trouble, list.last_mut(), outcome.stop.is_some())
                    {
                        last.notes.push(trouble);
                    }
                    list
                },
                needs_modes: !failed
                    && outcome
                        .stop
                        .as_ref()
                        .is_some_and(|stop| stop.kind.may_be_structural()),
                simulated: Some(simulation::Run::of(outcome)),
                options,
            },
        }))
    }

    /// Which files functions may read, and where they may write.
    fn open_files(&self, functions: &Functions) -> Result<(), Failure> {
        let dirs = self.model.resource_dirs()?;
        let output = self.output.first().map(|path| match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir.to_path_buf(),
            _ => PathBuf::from("."),
        });
        functions.runtime().with_context(|context| {
            context.libraries = dirs;
            context.output = output;
        });
        Ok(())
    }

    fn finish_ordinary(
        &self,
        ui: &mut Ui,
        session: &modeshift_driver::Session,
        ordinary: &Ordinary,
    ) -> Result<(), Failure> {
        let machine = self.format == Format::Json;
        let found = Found::new(session, ui, ordinary.diagnostics.clone());
        let mut document = simulation::empty(ordinary.name.clone());
        document.start_time = ordinary.options.start;
        document.stop_time = ordinary.options.stop;
        document.tolerance = ordinary.options.tolerance;
        document.diagnostics = found.json();
        if let Some(simulated) = &ordinary.simulated {
            let plotted = self.plotted(&simulated.trajectory)?;
            simulated.fill(&mut document);
            if !document.chosen_starts.is_empty() {
                let start = |(name, value): (&String, &Option<f64>)| match value {
                    Some(value) => format!("{name} = {value}"),
                    None => name.clone(),
                };
                let starts: Vec<String> = document.chosen_starts.iter().map(start).collect();
                let starts = starts.join(", ");
                ui.detail(
                    1,
                    format!("start values that are not fixed, and were taken: {starts}"),
                )?;
            }
            let unit = self.units(session);
            self.show(ui, &document, &simulated.trajectory, &plotted, &unit)?;
        }
        found.finish(ui, machine.then_some(&document))
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
                let mut text = summary(document, self.events);
                if !plotted.is_empty() {
                    text.push_str(&plot::text(trajectory, plotted, 72, 16));
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

    /// Parameters with values of the user; clocks begin to tick at the start.
    fn given(&self, mdae: &MDae, start: f64) -> Result<FxHashMap<ParamId, f64>, Failure> {
        let clocks = mdae
            .parameters
            .iter()
            .position(|it| &*it.name == modeshift_driver::CLOCK_START);
        let mut set: FxHashMap<ParamId, f64> = clocks
            .map(|id| (ParamId(id as u32), start))
            .into_iter()
            .collect();
        for text in &self.set {
            for item in split_items(text) {
                let (id, value) = crate::changes::given_parameter(mdae, item)?;
                set.insert(id, value);
            }
        }
        Ok(set)
    }

    fn simulate(
        &self,
        ui: &Ui,
        mdae: &MDae,
        functions: &Functions,
        options: &Options,
    ) -> Simulation {
        with_progress(ui, |tell| {
            if self.method == Method::Capture {
                modeshift_sim::capture::capture(mdae, functions, options, tell)
            } else {
                modeshift_sim::simulate(mdae, functions, options, tell)
            }
        })
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
                let run =
                    plot::page::run(&document.model, trajectory, plotted, unit, &document.events);
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

    /// The unit of each signal, empty where the model tells none.
    fn units(&self, session: &modeshift_driver::Session) -> impl Fn(&str) -> String + use<> {
        let units: FxHashMap<String, String> = session
            .target(self.model.class.as_deref())
            .map(|class| {
                let variables = session.flat(class).model.variables.iter();
                let united =
                    variables.filter_map(|it| Some((it.name.to_string(), it.unit()?.to_owned())));
                united.collect()
            })
            .unwrap_or_default();
        move |name| units.get(name).cloned().unwrap_or_default()
    }

    /// The columns to draw.
    fn plotted(&self, trajectory: &Trajectory) -> Result<Vec<usize>, Failure> {
        let Some(text) = &self.plot else {
            return Ok(Vec::new());
        };
        let find = |name: &str| {
            let found = trajectory.find(name);
            found.ok_or_else(|| {
                let known = trajectory.columns.iter().map(|it| &*it.name);
                let hint = hint::did_you_mean(name, known);
                Failure::Usage(format!("--plot: there is no variable `{name}`{hint}"))
            })
        };
        split_items(text).into_iter().map(find).collect()
    }
}

/// Runs something that tells how far it is, with a bar.
fn with_progress<T>(ui: &Ui, run: impl FnOnce(&mut dyn FnMut(f64)) -> T) -> T {
    const STEPS: usize = 1000;
    let bar = Progress::new(ui, STEPS, "simulating");
    let mut shown = 0;
    let mut tell = |part: f64| {
        while shown < (part * STEPS as f64) as usize {
            bar.advance();
            shown += 1;
        }
    };
    let result = run(&mut tell);
    bar.finish();
    result
}

/// Why a model cannot be driven by a file: such runs go mode by mode, where counters and automata that are iterated at an
/// event may be an event behind.
fn memory(mdae: &MDae) -> Option<modeshift_diag::Diagnostic> {
    let variables = mdae.variables.iter();
    let held = variables
        .filter(|it| it.kind == VarKind::Held)
        .map(|it| (&it.name, &it.origin));
    let modes = mdae.modes.iter();
    let kept = modes
        .filter(|it| {
            let def = &it.def;
            matches!(
                def,
                ModeDef::Held | ModeDef::Formula(_) | ModeDef::Choice(_)
            )
        })
        .map(|it| (&it.name, &it.origin));
    let (name, origin) = held.chain(kept).next()?;
    let message = format!(
        "`--input` does not work yet for a model that keeps values between events, as `{name}` does"
    );
    let diagnostic = modeshift_diag::Diagnostic::new(modeshift_diag::Code::MS6001, message);
    let note = "give the input an equation over time instead, such as a table: then the model runs as one system";
    Some(
        diagnostic
            .label(origin.span, "keeps its value between events")
            .note(note),
    )
}

/// The inputs of the model from a file.
fn inputs(mdae: &MDae, path: &Path) -> Result<Inputs, Failure> {
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
    Inputs::new(mdae, times, signals.map(|(_, signal)| signal).collect()).map_err(|why| {
        about(match why {
            NoInputs::NoSuchInput(name) => format!("the model has no input `{name}`"),
            NoInputs::TimeGoesBack(row) => format!("time goes back in row {row}"),
            NoInputs::Empty => "there are no rows".to_owned(),
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

/// What a person wants to know at first: how it ended, and the events.
fn summary(document: &Document, events: bool) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let count = |n: usize, word: &str| crate::ui::plural(n, word);
    let _ = writeln!(
        out,
        "{}: time {} to {}, {}, {}, {}",
        document.model,
        document.start_time,
        document.time,
        count(document.statistics.steps, "step"),
        count(document.event_count, "event"),
        count(document.statistics.modes, "mode"),
    );
    if events {
        for event in &document.events {
            let _ = write!(out, "{:>12.6}  {}", event.time, event.causes.join(", "));
            for (name, jump) in &event.jumps {
                if let (Some(before), Some(after)) = (jump.before, jump.after) {
                    let _ = write!(out, "  {name}: {before:.6} → {after:.6}");
                }
            }
            let _ = writeln!(out);
        }
    }
    out
}
