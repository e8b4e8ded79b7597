//! One random model: the simulator against the interpreter.

use crate::compare::{Table, difference};
use crate::generate::Model;
use crate::interpret::{Doubt, interpret, interpret_to_the_end, reads_terminal};
use crate::{flat_of, session_of};
use modeshift_base::FxHashMap;
use modeshift_driver::Session;
use modeshift_driver::simulate::{Engine, Request, simulate};
use modeshift_sim::run::{Options, Solver};
use std::sync::Arc;

/// How long models run.
pub const STOP: f64 = 3.0;

/// What came of one model.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Agreement up to this time.
    Agrees(f64),
    /// The first difference.
    Differs(String),
    /// The simulator says no, or the interpreter.
    Refused(String),
    /// Nothing to compare.
    Skipped(&'static str),
}

/// Compares the simulator with the interpreter on a model.
pub fn judge(engine: Engine, model: &Model) -> Outcome {
    let session = session_of(&model.text());
    let reference = session_of(&model.reference());
    let flat = match flat_of(&session).and_then(|_| flat_of(&reference)) {
        Ok(flat) => flat,
        Err(why) => return Outcome::Refused(format!("front end: {why}")),
    };
    let trace = interpret(flat, STOP);
    match &trace.doubt {
        Some(Doubt::Unsupported(why)) => return Outcome::Refused(format!("interpreter: {why}")),
        Some(_) if trace.end <= 0.0 => return Outcome::Skipped("in doubt from the start"),
        _ => {}
    }
    // Beyond a doubt the models may do anything.
    let stop = trace.end - if trace.doubt.is_some() { 1e-4 } else { 0.0 };
    if stop <= 1e-3 {
        return Outcome::Skipped("in doubt from the start");
    }
    let mut trace = trace;
    trace.end = stop;
    trace.segments.retain(|segment| segment.start < stop);
    if reads_terminal(flat) {
        let to_the_end = interpret_to_the_end(flat, stop);
        if to_the_end.doubt.is_some() {
            return Outcome::Skipped("in doubt at the end");
        }
        trace = to_the_end;
    }
    match run(&session, engine, stop) {
        Ok(table) => match difference(&trace, &table) {
            None => Outcome::Agrees(trace.end),
            Some(what) => Outcome::Differs(what),
        },
        Err(why) => Outcome::Refused(why),
    }
}

/// The trajectory of a text, or what is wrong.
pub fn table_of(engine: Engine, text: &str) -> Result<Table, String> {
    run(&session_of(text), engine, STOP)
}

/// The trajectory, or what is wrong.
fn run(session: &Session, engine: Engine, stop: f64) -> Result<Table, String> {
    const INTERVALS: f64 = 24.0;
    let options = Options {
        start: 0.0,
        stop,
        tolerance: 1e-8,
        interval: stop / INTERVALS,
        solver: Solver::Auto,
        params: FxHashMap::default(),
        inputs: Arc::default(),
        profile: false,
        keep_undetermined: false,
    };
    let request = Request {
        class: None,
        options,
        engine,
        set: &[],
        prepare: &|_| {},
    };
    let Ok(simulated) = simulate(session, &request, &mut |_| {}) else {
        return Err("a parameter or input that does not exist".to_owned());
    };
    let mut errors = simulated.diagnostics.iter().filter(|d| d.is_error());
    match (errors.next(), simulated.trajectory) {
        (None, Some(trajectory)) => Ok(Table::of(&trajectory)),
        (error, _) => {
            let message = error.map_or_else(|| "no word".to_owned(), |d| d.message.to_string());
            Err(message.chars().filter(|c| !c.is_ascii_digit()).collect())
        }
    }
}

/// A smaller model that differs, too: parts and lines are left out as long as it does.
pub fn shrink(engine: Engine, mut model: Model) -> Model {
    let differs = |model: &Model| matches!(judge(engine, model), Outcome::Differs(_));
    loop {
        let parts = (0..model.parts.len()).map(|i| {
            let mut smaller = model.clone();
            smaller.parts.remove(i);
            smaller
        });
        match parts.into_iter().find(differs) {
            Some(smaller) => model = smaller,
            None => return model,
        }
    }
}
