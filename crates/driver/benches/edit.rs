//! How much faster than a cold start an edit is: `cargo bench -p modeshift-driver --bench edit`.
//!
//! Cold is a new database: libraries are found, files read and parsed, the model instantiated and flattened.
//! The edit changes one equation of the model in a database that has seen it, and asks for the flat model
//! again. The model is a small circuit over the bundled library; `-- LIBRARY` takes its components from another
//! one, for instance the Modelica Standard Library, and `-- LIBRARY CLASS` extends that class instead. What is
//! measured is CPU time of the thread where the system tells it, so that other processes do not disturb.

use modeshift_driver::{OsSystem, Session, Settings};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const COLD_RUNS: u32 = 10;
const EDITS: u32 = 200;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let (library, base) = match args.as_slice() {
        [library, class, ..] => (Some(PathBuf::from(library)), *class),
        [library] => (Some(PathBuf::from(library)), "Circuit"),
        [] => (None, "Circuit"),
    };
    let cold = cold(library.as_ref(), base);
    let edit = edit(library.as_ref(), base);
    println!("cold:  {:>10.3} ms", milliseconds(cold));
    println!("edit:  {:>10.3} ms", milliseconds(edit));
    println!("ratio: {:>10.1}", cold.as_secs_f64() / edit.as_secs_f64());
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The model with its one own equation, which `factor` varies.
fn text(base: &str, factor: u32) -> String {
    let circuit = "model Circuit
  Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10, f = 50);
  Modelica.Electrical.Analog.Basic.Resistor resistor(R = 10);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode;
  Modelica.Electrical.Analog.Basic.Capacitor capacitor(C = 1e-3);
  Modelica.Electrical.Analog.Basic.Inductor inductor(L = 1e-2);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, diode.p);
  connect(diode.n, capacitor.p);
  connect(capacitor.p, inductor.p);
  connect(capacitor.n, source.n);
  connect(inductor.n, source.n);
  connect(source.n, ground.p);
end Circuit;
";
    let own = if base == "Circuit" { circuit } else { "" };
    format!(
        "{own}model Edited\n  extends {base};\n  Real edited;\nequation\n  edited = {factor} * time;\nend Edited;\n"
    )
}

fn session(library: Option<&PathBuf>, base: &str) -> Session {
    let mut settings = Settings::in_dir(std::env::temp_dir());
    if let Some(library) = library {
        settings = settings.library(library);
    }
    let mut session = Session::new(Arc::new(OsSystem), settings);
    session.open_text("Edited.mo", &text(base, 0));
    session
}

/// Number of equations of the flat model, which must be there.
fn flatten(session: &Session) -> usize {
    let class = session.target(Some("Edited"));
    let class = class.unwrap_or_else(|diagnostic| panic!("{diagnostic:?}"));
    let flat = session.flat(class);
    assert!(!flat.model.equations.is_empty(), "{:?}", flat.diagnostics);
    flat.model.equations.len()
}

/// The median of several cold starts.
fn cold(library: Option<&PathBuf>, base: &str) -> Duration {
    median((0..COLD_RUNS).map(|_| {
        let clock = Clock::start();
        let session = session(library, base);
        flatten(&session);
        clock.elapsed()
    }))
}

/// The median of many edits of one equation.
fn edit(library: Option<&PathBuf>, base: &str) -> Duration {
    let mut session = session(library, base);
    flatten(&session);
    median((1..=EDITS).map(|factor| {
        let clock = Clock::start();
        session.open_text("Edited.mo", &text(base, factor));
        flatten(&session);
        clock.elapsed()
    }))
}

/// CPU time of this thread, or else the time on the wall.
struct Clock {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn elapsed(&self) -> Duration {
        match (self.cpu, cpu_time()) {
            (Some(start), Some(end)) => end - start,
            _ => self.wall.elapsed(),
        }
    }
}

/// Linux tells the nanoseconds a thread has run.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}
