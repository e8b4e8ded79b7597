//! How much faster than a cold start an edit is: `cargo bench -p modeshift-driver --bench edit`.
//!
//! Cold is a new database: libraries are found, files read and parsed, the model instantiated and flattened, and for
//! `check` analysed. An edit changes one equation of the model, or the value of one parameter, in a database that has
//! seen the model, and asks again. The model is a small circuit over the bundled library; `-- LIBRARY` takes its
//! components from another one, for instance the Modelica Standard Library, and `-- LIBRARY CLASS…` extends these classes
//! instead. What is measured is CPU time of the thread, so that other processes disturb less.

use modeshift_driver::{OsSystem, Session, Settings};
use rustix::time::{ClockId, clock_gettime};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const COLD_RUNS: u32 = 10;
const EDITS: u32 = 200;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut args = args.iter().filter(|arg| !arg.starts_with("--"));
    let library = args.next().map(PathBuf::from);
    let mut bases: Vec<&str> = args.map(String::as_str).collect();
    if bases.is_empty() {
        bases.push("Circuit");
    }
    for base in bases {
        println!("{base}");
        for (name, work) in [("flatten", flatten as Work), ("check", check)] {
            let bench = Bench {
                library: library.as_ref(),
                base,
                work,
            };
            let cold = bench.cold();
            println!("  {name:<8} cold      {:>9.3} ms", milliseconds(cold));
            for (what, edit) in [("equation", (1, 0)), ("parameter", (0, 1))] {
                let time = bench.edit(edit);
                let ratio = cold.as_secs_f64() / time.as_secs_f64();
                let time = milliseconds(time);
                println!("  {name:<8} {what:<9} {time:>9.3} ms, {ratio:>5.0} times faster");
            }
        }
    }
}

type Work = fn(&Session);

struct Bench<'a> {
    library: Option<&'a PathBuf>,
    base: &'a str,
    work: Work,
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The model with one equation and one parameter of its own.
fn text(base: &str, factor: u32, value: u32) -> String {
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
        "{own}model Edited\n  extends {base};\n  parameter Real value = {value};\n  Real edited;\n\
         equation\n  edited = {factor} * time + value;\nend Edited;\n"
    )
}

/// Instantiates and flattens the model.
fn flatten(session: &Session) {
    let class = session.target(Some("Edited"));
    let class = class.unwrap_or_else(|diagnostic| panic!("{diagnostic:?}"));
    let flat = session.flat(class);
    assert!(!flat.model.equations.is_empty(), "{:?}", flat.diagnostics);
}

/// Checks the model in all phases.
fn check(session: &Session) {
    session.check(Some("Edited"), false);
}

impl Bench<'_> {
    fn session(&self) -> Session {
        let mut settings = Settings::in_dir(std::env::temp_dir()).live();
        if let Some(library) = self.library {
            settings = settings.library(library);
        }
        let mut session = Session::new(Arc::new(OsSystem), settings);
        session.open_text("Edited.mo", &text(self.base, 0, 0));
        session
    }

    /// The median of several cold starts.
    fn cold(&self) -> Duration {
        median((0..COLD_RUNS).map(|_| {
            let clock = Clock::start();
            (self.work)(&self.session());
            clock.elapsed()
        }))
    }

    /// The median of many edits, each of which changes the factor, the value, or both by as much as `step` says.
    fn edit(&self, step: (u32, u32)) -> Duration {
        let mut session = self.session();
        (self.work)(&session);
        median((1..=EDITS).map(|count| {
            let clock = Clock::start();
            let text = text(self.base, count * step.0, count * step.1);
            session.open_text("Edited.mo", &text);
            (self.work)(&session);
            clock.elapsed()
        }))
    }
}

/// CPU time of this thread.
struct Clock(Duration);

impl Clock {
    fn start() -> Self {
        Self(cpu_time())
    }

    fn elapsed(&self) -> Duration {
        cpu_time().saturating_sub(self.0)
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}
