//! A model over time: which of the two engines runs it.
//!
//! A model is run as one sorted system (`sim::sorted`), which is right for all discrete variables. Where such a run meets a
//! change of structure, the model is run mode by mode from the start (`sim::run`), and this run is shown only if it agrees
//! with the first one until the change.

use crate::at_start::numbers_read_initial;
use crate::modes::{faults, with_circuit};
use crate::{Analysed, CLOCK_START, Session, calls};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::FlatModel;
use modeshift_inst::ty::Variability;
use modeshift_mdae::model::MDae;
use modeshift_mdae::sym::ParamId;
use modeshift_report::simulation::{self, Document};
use modeshift_restart::left_limits::{parameter_values, set_parameters};
use modeshift_sim::agree;
use modeshift_sim::discrete::split::split;
use modeshift_sim::discrete::{self, Discrete};
use modeshift_sim::profile::{Phases, timed};
use modeshift_sim::result::{Simulation, Trajectory};
use modeshift_sim::run::{Options, simulate_beside};
use modeshift_sim::sorted;
use modeshift_sim::sorted::texts::without_texts;
use modeshift_sim::sorted::witness::Verdict;
use modeshift_sim::tape::Functions;
use std::borrow::Cow;

/// Who runs a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The sorted system, and modes where the structure changes.
    #[default]
    Fitting,
    /// Modes from the start.
    Modes,
    /// Implicit Euler with fixed steps, mode by mode.
    Capture,
}

/// What to run, and how.
pub struct Request<'r> {
    /// The name of the class, if it is not the default one.
    pub class: Option<&'r str>,
    /// Without parameters of the mode engine.
    pub options: Options,
    pub engine: Engine,
    /// Parameters with values of the user.
    pub set: &'r [(String, f64)],
    /// Says what functions may read and write.
    pub prepare: &'r dyn Fn(&Functions),
}

/// A run as it is shown.
pub struct Simulated {
    /// Without its diagnostics.
    pub document: Document,
    /// Nothing if the model could not be run at all.
    pub trajectory: Option<Trajectory>,
    pub diagnostics: Vec<Diagnostic>,
    pub phases: Phases,
    /// What functions printed.
    pub printed: String,
}

/// What the user said that is not possible.
pub enum Unknown {
    /// With the names that there are.
    Parameter(String, Vec<String>),
    /// A parameter that decides the structure of the model.
    Structural(String),
    Input(String),
}

/// Runs a model. Where a run stops, what `check` says against the model is the reason, and how the run stopped is a note on it:
/// the commands give one verdict.
pub fn simulate(
    session: &Session,
    request: &Request<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<Simulated, Unknown> {
    if let Some(faulty) = faulty(session, request) {
        return Ok(faulty);
    }
    let mut simulated = run(session, request, progress)?;
    if !simulated.document.completed {
        let told: FxHashSet<Code> = simulated.diagnostics.iter().map(|it| it.code).collect();
        let found = session.check(request.class, false).into_iter();
        // What the analysis does not support explains nothing: a run may well support it.
        let found =
            found.filter(|it| it.is_error() && it.code != Code::MS4010 && !told.contains(&it.code));
        let mut found: Vec<Diagnostic> = found.collect();
        if let Some(first) = found.first_mut() {
            explain_by(first, &mut simulated.diagnostics);
        }
        simulated.diagnostics.splice(0..0, found);
    }
    Ok(simulated)
}

/// A model that has a fault whatever its modes are is not run.
fn faulty(session: &Session, request: &Request<'_>) -> Option<Simulated> {
    if session.check_files().iter().any(Diagnostic::is_error) {
        return None;
    }
    let class = session.target(request.class).ok()?;
    let flat = session.flat(class);
    if flat.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let faults = faults(session.db(), class);
    let name = flat.model.name.to_string();
    (!faults.is_empty()).then(|| not_run(empty(name, &request.options), faults))
}

fn not_run(document: Document, diagnostics: Vec<Diagnostic>) -> Simulated {
    Simulated {
        document,
        trajectory: None,
        diagnostics,
        phases: Phases::default(),
        printed: String::new(),
    }
}

/// Makes notes on `reason` of messages that tell only how a run stopped.
fn explain_by(reason: &mut Diagnostic, stops: &mut Vec<Diagnostic>) {
    stops.retain(|it| {
        let symptom = matches!(
            it.code,
            Code::MS6001 | Code::MS6004 | Code::MS6008 | Code::MS6009 | Code::MS6012
        );
        // That it cannot be run is no news.
        if symptom && it.code != Code::MS6001 {
            reason.notes.push(format!("a run stops: {}", it.message));
        }
        !symptom
    });
}

/// Without a word on what `check` says.
pub(crate) fn run(
    session: &Session,
    request: &Request<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<Simulated, Unknown> {
    let ordinary_run = ordinary(session, request, false, progress)?;
    let undetermined = ordinary_run.as_ref().is_some_and(|it| it.undetermined);
    let simulated = with_modes(session, request, ordinary_run, progress)?;
    if simulated.document.completed || !undetermined {
        return Ok(simulated);
    }
    // No change of structure explains what is not determined: it keeps its value, if everything else is.
    let keeping = ordinary(session, request, true, progress)?;
    let keeping = keeping.filter(|it| it.reached == f64::INFINITY && it.run.is_some());
    Ok(keeping.map_or(simulated, |keeping| keeping.shown(None)))
}

/// Shows a run as one system, or runs the model mode by mode.
fn with_modes(
    session: &Session,
    request: &Request<'_>,
    ordinary: Option<Ordinary>,
    progress: &mut dyn FnMut(f64),
) -> Result<Simulated, Unknown> {
    if let Some(ordinary) = &ordinary
        && !ordinary.needs_modes
    {
        return Ok(ordinary.shown(None));
    }
    let Analysed {
        mdae,
        name,
        mut diagnostics,
        ..
    } = Analysed::of(session, request.class);
    let rejected = diagnostics.iter().any(Diagnostic::is_error);
    let mdae = mdae.filter(|_| !rejected || ordinary.is_none());
    let Some(mut mdae) = mdae else {
        return Ok(match &ordinary {
            Some(ordinary) => ordinary.shown(None),
            None => not_run(simulation::empty(name), diagnostics),
        });
    };
    let set = given(&mdae, request)?;
    set_parameters(&mut mdae, &set);
    let mdae = &mdae;
    let functions = match session.target(request.class) {
        Ok(class) => Functions::new(&session.flat(class).model.functions),
        Err(_) => Functions::default(),
    };
    (request.prepare)(&functions);
    functions.profile(request.options.profile);
    let options = Options {
        params: parameter_values(mdae, &set),
        ..request.options.clone()
    };
    let mut phases = Phases::default();
    // The discrete variables are computed apart where they keep values from event to event.
    let apart = timed(&mut phases.integrate, || beside(session, request, progress))?;
    // Where it stops, the modes may still know why a change happens: a crossing that a Boolean of the discrete part names.
    let apart = apart.filter(|it| ordinary.as_ref().is_none_or(|all| !all.refuses(&it.run)));
    let (apart, stopped) = match apart {
        Some(apart) if apart.run.failure.is_some() => (None, Some(apart)),
        apart => (apart, None),
    };
    let (mdae, run, refused) = match apart {
        Some(Apart { mdae, run, refused }) => (Cow::Owned(mdae), run, refused.map(Some)),
        None => {
            let run = timed(&mut phases.integrate, || match request.engine {
                Engine::Capture => {
                    modeshift_sim::capture::capture(mdae, &functions, &options, progress)
                }
                _ => modeshift_sim::simulate(mdae, &functions, &options, progress),
            });
            match (refusal(session, request, ordinary.as_ref(), &run)?, stopped) {
                // They do not: why the discrete part stopped is what there is to say.
                (
                    Some(Some(_)),
                    Some(Apart {
                        mdae,
                        run,
                        refused: None,
                    }),
                ) => (Cow::Owned(mdae), run, None),
                (refused, _) => (Cow::Borrowed(mdae), run, refused),
            }
        }
    };
    let mdae = &*mdae;
    if let Some(difference) = refused {
        return Ok(match &ordinary {
            Some(ordinary) => ordinary.shown(difference),
            None => Simulated {
                document: empty(name, &options),
                trajectory: None,
                diagnostics: difference.into_iter().collect(),
                phases,
                printed: calls::printed(&functions),
            },
        });
    }
    diagnostics.extend(told(mdae, &run, &functions));
    let mut document = empty(name, &options);
    simulation::fill(&mut document, mdae, &run);
    if options.profile {
        let costs = run.profile(&functions);
        document.profile = Some(simulation::profile_of_modes(mdae, costs, phases));
    }
    Ok(Simulated {
        document,
        trajectory: Some(run.trajectory),
        diagnostics,
        phases,
        printed: calls::printed(&functions),
    })
}

/// Why a run mode by mode is not shown: what is said instead, or nothing but what the ordinary run says.
fn refusal(
    session: &Session,
    request: &Request<'_>,
    ordinary: Option<&Ordinary>,
    run: &Simulation,
) -> Result<Option<Option<Diagnostic>>, Unknown> {
    if let Some(ordinary) = ordinary {
        let failure = run.failure.as_ref();
        if failure.is_some_and(|failure| ordinary.says_more_than(failure)) {
            return Ok(Some(None));
        }
        if let Some(difference) = ordinary.disagrees_with(&run.trajectory) {
            return Ok(Some(Some(difference)));
        }
    }
    let difference = contradicted(session, request, &run.trajectory)?;
    Ok(difference.map(Some))
}

/// The part that moves, its run, and why that is not shown.
struct Apart {
    mdae: MDae,
    run: Simulation,
    refused: Option<Diagnostic>,
}

/// The flat model whose discrete equations a run has to keep. Steps of fixed size know no such equations.
fn followed<'s>(session: &'s Session, request: &Request<'_>) -> Option<Cow<'s, FlatModel>> {
    let class = session.target(request.class).ok()?;
    let follows = request.engine != Engine::Capture;
    follows.then(|| without_texts(session.without_clocks(class)))
}

/// The functions of a model, ready to be called.
fn functions(model: &FlatModel, request: &Request<'_>) -> Functions {
    let functions = Functions::new(&model.functions);
    (request.prepare)(&functions);
    functions
}

/// A run mode by mode with the discrete variables apart, if the model can be split so.
fn beside(
    session: &Session,
    request: &Request<'_>,
    progress: &mut dyn FnMut(f64),
) -> Result<Option<Apart>, Unknown> {
    let Some(model) = followed(session, request) else {
        return Ok(None);
    };
    let model = &*model;
    let Some(split) = split(model) else {
        return Ok(None);
    };
    let lowered = modeshift_mdae::lower(&split.continuous);
    if lowered.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    let mut mdae = lowered.mdae;
    discrete::name_instants(&mut mdae, &split);
    let functions = functions(model, request);
    let overrides = overrides(model, request)?;
    let options = Options {
        params: parameter_values(&mdae, &given(&mdae, request)?),
        ..request.options.clone()
    };
    let make = |run| Discrete::new(&split, &functions, &overrides, &mdae, run);
    let run = simulate_beside(&mdae, &functions, Box::new(make), &options, progress);
    let Ok(run) = run else { return Ok(None) };
    // What algorithms mix is followed by the modes, so it is checked like a run by modes alone.
    let refused = match split.mixed {
        true => contradicted(session, request, &run.trajectory)?,
        false => None,
    };
    Ok(Some(Apart { mdae, run, refused }))
}

fn empty(name: String, options: &Options) -> Document {
    Document {
        start_time: options.start,
        stop_time: options.stop,
        tolerance: options.tolerance,
        ..simulation::empty(name)
    }
}

/// What a run mode by mode has to say.
fn told(mdae: &MDae, run: &Simulation, functions: &Functions) -> Vec<Diagnostic> {
    let mut diagnostics = modeshift_sim::diagnose::diagnostics(mdae, run);
    if let (Some(error), Some(last)) = (functions.take_error(), diagnostics.last_mut()) {
        let time = run.failure.as_ref().map(|failure| failure.time);
        calls::explain(last, &error, time);
    }
    diagnostics.extend(calls::warnings(functions));
    diagnostics
}

/// Where a run mode by mode contradicts the discrete equations.
fn contradicted(
    session: &Session,
    request: &Request<'_>,
    run: &Trajectory,
) -> Result<Option<Diagnostic>, Unknown> {
    let Some(model) = followed(session, request) else {
        return Ok(None);
    };
    let model = &*model;
    let functions = functions(model, request);
    let overrides = overrides(model, request)?;
    let why = match sorted::witness::witness(model, &functions, &overrides, run) {
        Ok(Verdict::Agrees) => return Ok(None),
        Ok(Verdict::Differs(agree::Difference {
            signal,
            time,
            values,
        })) => format!(
            "at time {time} it gives `{signal}` the value {} instead of {}",
            values.1, values.0
        ),
        Ok(Verdict::Unknown(what)) => format!("{what} is needed to check it"),
        Err(refusal) => refusal.why,
    };
    let message = format!("this model cannot be run mode by mode: {why}");
    let note = "the equations of a change of structure and those of discrete variables depend on each other here in a way \
                that such a run does not follow";
    Ok(Some(Diagnostic::new(Code::MS6001, message).note(note)))
}

/// Parameters with values of the user; clocks begin to tick at the start.
fn given(mdae: &MDae, request: &Request<'_>) -> Result<FxHashMap<ParamId, f64>, Unknown> {
    let named = |name: &str| {
        let position = mdae.parameters.iter().position(|it| &*it.name == name);
        position.map(|id| ParamId(id as u32))
    };
    let mut set = FxHashMap::default();
    set.extend(named(CLOCK_START).map(|id| (id, request.options.start)));
    for (name, value) in request.set {
        let id = named(name).ok_or_else(|| {
            let known = mdae.parameters.iter().map(|it| it.name.to_string());
            Unknown::Parameter(name.clone(), known.collect())
        })?;
        let parameter = mdae.parameter(id);
        if parameter.structural && parameter.value != Some(*value) {
            return Err(Unknown::Structural(name.clone()));
        }
        set.insert(id, *value);
    }
    Ok(set)
}

/// The same for the sorted system, by number of the variable.
fn overrides(model: &FlatModel, request: &Request<'_>) -> Result<FxHashMap<u32, f64>, Unknown> {
    let named = |name: &str| {
        let mut variables = model.variables.iter().zip(0..);
        variables.find(|(variable, _)| &*variable.name == name)
    };
    let mut overrides = FxHashMap::default();
    overrides.extend(named(CLOCK_START).map(|(_, v)| (v, request.options.start)));
    for (name, value) in request.set {
        let found = named(name).filter(|(variable, _)| sorted::is_parameter(variable));
        let Some((variable, v)) = found else {
            let known = model.variables.iter();
            let known = known.filter(|it| sorted::is_parameter(it));
            let known = known.map(|it| it.name.to_string()).collect();
            return Err(Unknown::Parameter(name.clone(), known));
        };
        let decides = |it| matches!(it, Variability::Constant | Variability::Structural);
        if decides(variable.variability) {
            return Err(Unknown::Structural(name.clone()));
        }
        overrides.insert(v, *value);
    }
    Ok(overrides)
}

/// A run as one sorted system, or why there is none.
struct Ordinary {
    name: String,
    options: Options,
    diagnostics: Vec<Diagnostic>,
    run: Option<simulation::Run>,
    /// The time that was reached.
    reached: f64,
    /// What stopped it may be a change of structure.
    needs_modes: bool,
    printed: String,
    /// It stopped where the equations do not determine something.
    undetermined: bool,
}

/// Runs the model as one sorted system. Nothing if there is no flat model, or where only modes will do.
fn ordinary(
    session: &Session,
    request: &Request<'_>,
    keep_undetermined: bool,
    progress: &mut dyn FnMut(f64),
) -> Result<Option<Ordinary>, Unknown> {
    if session.check_files().iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    let Ok(class) = session.target(request.class) else {
        return Ok(None);
    };
    let flat = session.flat(class);
    if flat.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(None);
    }
    for name in request.options.inputs.names() {
        let mut inputs = flat
            .model
            .variables
            .iter()
            .filter(|it| sorted::is_input(it));
        if !inputs.any(|input| &*input.name == name) {
            return Err(Unknown::Input(name.to_owned()));
        }
    }
    // Errors in clocks leave nothing.
    let model = &*without_texts(session.without_clocks(class));
    let empty = model.variables.is_empty() && !flat.model.variables.is_empty();
    if request.engine != Engine::Fitting || empty {
        return Ok(None);
    }
    let overrides = overrides(model, request)?;
    let functions = functions(model, request);
    functions.profile(request.options.profile);
    let options = Options {
        keep_undetermined,
        ..request.options.clone()
    };
    let outcome = sorted::run(model, &functions, &overrides, &options, progress);
    let trouble = functions.take_error();
    let printed = calls::printed(&functions);
    let name = model.name.to_string();
    Ok(Some(match outcome {
        Err(refusal) => Ordinary {
            name,
            reached: options.start,
            diagnostics: vec![sorted::diagnose::refusal(&refusal)],
            run: None,
            // Mode by mode a call is made whenever an equation is evaluated, which only pure functions bear.
            needs_modes: !refusal.at_start
                && model.functions.iter().all(|it| it.pure)
                && !numbers_read_initial(model),
            undetermined: false,
            options,
            printed,
        },
        Ok(outcome) => {
            let stop = outcome.stop.as_ref();
            // A function that failed does so in every mode.
            let needs_modes = trouble.is_none()
                && stop.is_some_and(|stop| {
                    let started = stop.time > options.start || !numbers_read_initial(model);
                    outcome.may_be_structural() && started
                });
            let mut diagnostics = with_circuit(session.db(), class, |circuit| {
                sorted::diagnose::diagnostics(&outcome, Some(circuit))
            });
            if let (Some(trouble), Some(last), true) =
                (trouble, diagnostics.last_mut(), stop.is_some())
            {
                calls::explain(last, &trouble, stop.map(|stop| stop.time));
            }
            diagnostics.extend(calls::warnings(&functions));
            Ordinary {
                name,
                reached: stop.map_or(f64::INFINITY, |stop| stop.time),
                diagnostics,
                needs_modes,
                // Impure functions would be called twice.
                undetermined: outcome.is_undetermined()
                    && model.functions.iter().all(|function| function.pure),
                run: Some(simulation::Run::of(outcome, options.profile)),
                options,
                printed,
            }
        }
    }))
}

impl Ordinary {
    /// The run with its own diagnostics, or with another one instead.
    fn shown(&self, instead: Option<Diagnostic>) -> Simulated {
        let mut document = empty(self.name.clone(), &self.options);
        if let Some(run) = &self.run {
            run.fill(&mut document);
        }
        Simulated {
            document,
            trajectory: self.run.as_ref().map(|run| run.trajectory.clone()),
            phases: self.run.as_ref().map(|run| run.phases).unwrap_or_default(),
            diagnostics: match instead {
                Some(diagnostic) => vec![diagnostic],
                None => self.diagnostics.clone(),
            },
            printed: self.printed.clone(),
        }
    }

    /// Whether a run mode by mode is none: it failed before this one did, or departs from it.
    fn refuses(&self, run: &Simulation) -> bool {
        let failure = run.failure.as_ref();
        failure.is_some_and(|failure| self.says_more_than(failure))
            || self.disagrees_with(&run.trajectory).is_some()
    }

    /// Where a run mode by mode departs from this one before this one ends.
    fn disagrees_with(&self, modes: &Trajectory) -> Option<Diagnostic> {
        let run = self.run.as_ref()?;
        let Options {
            start, interval, ..
        } = self.options;
        let times = (0..).map(|k| start + f64::from(k) * interval);
        let found = agree::difference(&run.trajectory, modes, times, self.reached)?;
        let agree::Difference {
            signal,
            time,
            values,
        } = found;
        let message = format!(
            "this model changes its structure at time {}, and cannot be run mode by mode until then: at time {time} \
             `{signal}` would be {} instead of {}",
            self.reached, values.1, values.0
        );
        let why = self.diagnostics.last().map(|d| d.message.clone());
        let why = format!(
            "it stops being one system there: {}",
            why.unwrap_or_default()
        );
        Some(Diagnostic::new(Code::MS6001, message).note(why))
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
