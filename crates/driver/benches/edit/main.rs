//! What an edit costs next to a cold start: `cargo bench -p modeshift-driver --bench edit`.
//!
//! Cold is a new database: libraries are found, files read and parsed, the model instantiated, flattened and analysed in
//! all phases of a check. An edit changes the text of the model in a database that has seen it, and everything is checked
//! again, phase by phase, as an editor does. What is measured is CPU time of the thread, so that other processes disturb
//! less.
//!
//! ```text
//! cargo bench -p modeshift-driver --bench edit -- [--library DIR] [--edits N] [--only KIND] [MODEL…]
//! ```
//!
//! A model is `circuit:40`, `gearbox:8` or the name of a class that is extended; without any, small circuits and a
//! gearbox are measured. Components come from the bundled library unless another one is given.

mod models;

use models::{Edit, Model};
use modeshift_driver::{OsSystem, Phase, Session, Settings};
use rustix::time::{ClockId, clock_gettime};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

// As in the executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Bench {
    library: Option<PathBuf>,
    edits: u32,
    only: Option<String>,
    models: Vec<Model>,
}

fn main() {
    let bench = Bench::from_args(std::env::args().skip(1));
    println!("CPU milliseconds; phases are files, types, modes, changes");
    for model in &bench.models {
        bench.measure(model);
    }
}

impl Bench {
    fn from_args(mut args: impl Iterator<Item = String>) -> Self {
        let mut bench = Self {
            library: None,
            edits: 60,
            only: None,
            models: Vec::new(),
        };
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--library" => bench.library = args.next().map(PathBuf::from),
                "--edits" => bench.edits = args.next().and_then(|n| n.parse().ok()).unwrap_or(60),
                "--only" => bench.only = args.next().map(|kind| kind.to_lowercase()),
                // What `cargo bench` adds.
                _ if arg.starts_with("--") => {}
                _ => bench.models.push(model(&arg)),
            }
        }
        if bench.models.is_empty() {
            bench.models = vec![Model::Circuit(40), Model::Circuit(400), Model::Gearbox(8)];
        }
        bench
    }

    fn measure(&self, model: &Model) {
        println!("{}", model.name());
        let runs = (self.edits / 10).clamp(2, 10);
        let cold: Vec<Times> = (0..runs)
            .map(|_| {
                let clock = cpu_time();
                let session = self.session(&model.text(Edit::Constant, 0));
                check(&session, clock)
            })
            .collect();
        let cold = Summary::of(&cold);
        println!("  {:<10} {cold}", "cold");
        for edit in model.edits() {
            let name = format!("{edit:?}").to_lowercase();
            if self.only.as_ref().is_some_and(|only| *only != name) {
                continue;
            }
            let mut session = self.session(&model.text(edit, 0));
            check(&session, cpu_time());
            let library = (edit == Edit::Library).then(|| connector(&session, model));
            let times: Vec<Times> = (1..=self.edits)
                .map(|count| {
                    let (path, text) = match &library {
                        Some((path, text)) => {
                            (path.clone(), text.replace("= @)", &format!("= {count})")))
                        }
                        None => (PathBuf::from("Edited.mo"), model.text(edit, count)),
                    };
                    let clock = cpu_time();
                    session.open_text(path, &text);
                    check(&session, clock)
                })
                .collect();
            let edited = Summary::of(&times);
            let ratio = cold.median.total() / edited.median.total().max(1e-6);
            println!("  {name:<10} {edited}, {ratio:.0} times less than cold");
        }
    }

    fn session(&self, text: &str) -> Session {
        let mut settings = Settings::in_dir(std::env::temp_dir()).live();
        if let Some(library) = &self.library {
            settings = settings.library(library);
        }
        let mut session = Session::new(Arc::new(OsSystem), settings);
        session.open_text("Edited.mo", text);
        session
    }
}

/// The file of a connector of the library, with `@` where the number of an attribute belongs.
fn connector(session: &Session, model: &Model) -> (PathBuf, String) {
    let (names, declaration) = model.connector();
    let class = names.iter().find_map(|name| session.find_class(name).ok());
    let file = class.expect("a connector").file(session.db());
    let text = file.text(session.db());
    let edited = text.replacen(declaration, &format!("{declaration}(nominal = @)"), 1);
    assert_ne!(edited, *text, "no `{declaration}` in {}", names[0]);
    (file.path(session.db()).to_path_buf(), edited)
}

fn model(arg: &str) -> Model {
    let sized = arg.split_once(':');
    match sized.and_then(|(name, size)| Some((name, size.parse().ok()?))) {
        Some(("circuit", size)) => Model::Circuit(size),
        Some(("gearbox", size)) => Model::Gearbox(size),
        _ => Model::Extends(arg.to_owned()),
    }
}

/// Milliseconds of each phase.
#[derive(Clone, Copy, Default)]
struct Times([f64; 4]);

impl Times {
    fn total(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// Checks everything; the first phase began at `start`.
fn check(session: &Session, start: Duration) -> Times {
    let mut times = Times::default();
    let mut last = start;
    let tell = |phase, found: Vec<modeshift_diag::Diagnostic>| {
        let errors = || found.iter().filter(|it| it.is_error());
        let broken = phase <= Phase::Types && errors().next().is_some();
        assert!(!broken, "{:?}", errors().collect::<Vec<_>>());
        let now = cpu_time();
        times.0[phase as usize] = now.saturating_sub(last).as_secs_f64() * 1e3;
        last = now;
    };
    session.check_in_phases(tell, |_| unreachable!("nothing panics"));
    times
}

struct Summary {
    median: Times,
    /// 95 % of all take less.
    most: Times,
}

impl Summary {
    fn of(times: &[Times]) -> Self {
        let mut times = times.to_vec();
        times.sort_unstable_by(|a, b| a.total().total_cmp(&b.total()));
        Self {
            median: times[times.len() / 2],
            most: times[(times.len() * 95 / 100).min(times.len() - 1)],
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [files, types, modes, changes] = self.median.0;
        let (median, most) = (self.median.total(), self.most.total());
        write!(
            f,
            "{median:>9.2} ({files:.2} {types:.2} {modes:.2} {changes:.2}), 95 % {most:.2}"
        )
    }
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}
