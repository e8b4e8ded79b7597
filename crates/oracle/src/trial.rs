//! One random model: the simulator as a process against the interpreter.

use crate::compare::{Table, difference};
use crate::flatten;
use crate::generate::Model;
use crate::interpret::{Doubt, interpret};
use std::path::Path;
use std::process::{Command, Stdio};

/// How long models run.
pub const STOP: f64 = 3.0;
/// Seconds that a run may take.
const PATIENCE: u64 = 20;

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
pub fn judge(simulator: &Path, model: &Model) -> Outcome {
    let text = model.text();
    let flat = match flatten(&text) {
        Ok(flat) => flat,
        Err(why) => return Outcome::Refused(format!("front end: {why}")),
    };
    let trace = interpret(&flat, STOP);
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
    match run(simulator, &text, stop) {
        Ok(table) => match difference(&trace, &table) {
            None => Outcome::Agrees(trace.end),
            Some(what) => Outcome::Differs(what),
        },
        Err(why) => Outcome::Refused(why),
    }
}

/// The trajectory, or the first line of the error.
fn run(simulator: &Path, text: &str, stop: f64) -> Result<Table, String> {
    let stop = stop.to_string();
    let base = std::env::temp_dir().join(format!(
        "hybrid-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let (path, result, words) = (
        base.with_extension("mo"),
        base.with_extension("csv"),
        base.with_extension("txt"),
    );
    let told = |error: std::io::Error| error.to_string();
    std::fs::write(&path, text).map_err(told)?;
    let mut child = Command::new(simulator)
        .arg("simulate")
        .arg(&path)
        .args([
            "--quiet",
            "--tolerance",
            "1e-8",
            "--intervals",
            "24",
            "--stop-time",
            &stop,
        ])
        .arg("--output")
        .arg(&result)
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&words).map_err(told)?)
        .spawn()
        .map_err(told)?;
    let begin = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(told)? {
            break status;
        }
        if begin.elapsed().as_secs() >= PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err("no end".to_owned());
        }
        std::thread::sleep(std::time::Duration::from_micros(500));
    };
    if status.success() {
        return Ok(Table::parse(
            &std::fs::read_to_string(&result).map_err(told)?,
        ));
    }
    let text = std::fs::read_to_string(&words).map_err(told)?;
    let line = text
        .lines()
        .find(|line| line.starts_with("error"))
        .unwrap_or("no word");
    Err(line.chars().filter(|c| !c.is_ascii_digit()).collect())
}

/// A smaller model that differs, too: parts and lines are left out as long as it does.
pub fn shrink(simulator: &Path, mut model: Model) -> Model {
    let differs = |model: &Model| matches!(judge(simulator, model), Outcome::Differs(_));
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
