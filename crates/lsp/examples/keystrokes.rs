//! Replays an editing session and measures how long diagnostics take after each keystroke.
//!
//! ```text
//! cargo run --release -p modeshift-lsp --example keystrokes -- [--library DIR] [--edits N] [--long N]
//! ```
//!
//! A model of a drive (electrical motor, controller, gear, clutches of its own) is edited in an equation, in
//! declarations, in a connector and in a class of a library, one character at a time. With `--library` the drive is
//! built from the Modelica Standard Library there, and its resistor is the library class that is edited; else the
//! built-in library serves, and a library of one class is edited. After `--edits` keystrokes (500) the times
//! and the memory are told, and the memory again after `--long` (5,000).
//!
//! Two times are told: by the clock on the wall, and what all threads of server and client together spent on a
//! processor. On a machine that has nothing else to do the second is an upper bound of the first, apart from waiting.

#![expect(
    clippy::disallowed_methods,
    reason = "a developer's tool that reads and writes files"
)]

use lsp_server::Connection;
use modeshift_lsp::{Environment, serve};
use modeshift_testkit::client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments = Arguments::read();
    let place = tempfile::tempdir().expect("a directory for the documents");
    let documents = Documents::new(place.path(), arguments.library.as_deref());
    let cold = cold_check(&documents);
    println!(
        "cold check              {:>8.1} ms, {:.1} ms of a processor",
        ms(cold.wall),
        ms(cold.processor)
    );

    let mut session = Session::start(&documents);
    let script = script(&documents);
    let mut times: Vec<(usize, Time)> = Vec::new();
    let mut strokes = script.iter().cycle();
    for _ in 0..arguments.edits {
        let stroke = strokes.next().expect("the script has keystrokes");
        times.push((stroke.site, session.press(&documents, stroke)));
    }
    tell(&documents, &times, cold);
    let memory = resident();
    println!(
        "memory after {:>6} edits {:>8.1} MB",
        arguments.edits, memory
    );
    for _ in arguments.edits..arguments.long {
        let stroke = strokes.next().expect("the script has keystrokes");
        session.press(&documents, stroke);
    }
    let later = resident();
    let more = 100.0 * (later / memory - 1.0);
    println!(
        "memory after {:>6} edits {later:>8.1} MB ({more:+.1} %)",
        arguments.long
    );
    session.client.shut_down();
}

/// How long something took.
#[derive(Clone, Copy)]
struct Time {
    wall: Duration,
    /// Of all threads of the process.
    processor: Duration,
}

impl Time {
    fn of(work: impl FnOnce()) -> Self {
        let (wall, processor) = (Instant::now(), processor_time());
        work();
        Self {
            wall: wall.elapsed(),
            processor: processor_time().saturating_sub(processor),
        }
    }
}

fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Resident memory in megabytes, where the system tells it.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |it| it / 1024.0)
}

struct Arguments {
    library: Option<PathBuf>,
    edits: usize,
    long: usize,
}

impl Arguments {
    fn read() -> Self {
        let mut this = Self {
            library: None,
            edits: 500,
            long: 5000,
        };
        let mut rest = std::env::args().skip(1);
        while let Some(option) = rest.next() {
            let value = rest.next().unwrap_or_default();
            let count = || value.parse().expect("a number of edits");
            match option.as_str() {
                "--library" => this.library = Some(PathBuf::from(&value)),
                "--edits" => this.edits = count(),
                "--long" => this.long = count(),
                other => panic!("unknown option `{other}`"),
            }
        }
        this
    }
}

/// The documents that are open in the editor.
struct Documents {
    library: Option<PathBuf>,
    local: PathBuf,
    /// URI and text: the drive, and the class of a library.
    all: [(String, String); 2],
}

const DRIVE: usize = 0;
const LIBRARY: usize = 1;

impl Documents {
    fn new(place: &Path, library: Option<&Path>) -> Self {
        let local = place.join("library");
        let friction = local.join("Parts").join("Friction.mo");
        std::fs::create_dir_all(friction.parent().expect("it has a directory"))
            .and_then(|()| std::fs::write(local.join("Parts/package.mo"), PARTS))
            .and_then(|()| std::fs::write(&friction, FRICTION))
            .expect("the library can be written");
        let edited = match library {
            Some(library) => library.join("Modelica/Electrical/Analog/Basic/Resistor.mo"),
            None => friction,
        };
        let text = std::fs::read_to_string(&edited).expect("the library class can be read");
        let uri = |path: &Path| format!("file://{}", path.display());
        Self {
            library: library.map(Path::to_owned),
            all: [
                (uri(&place.join("Drive.mo")), DRIVE_TEXT.to_owned()),
                (uri(&edited), text),
            ],
            local,
        }
    }
}

/// A character typed behind `before`, or deleted there.
#[derive(Clone)]
struct Stroke {
    /// Which of [`SITES`] it belongs to.
    site: usize,
    document: usize,
    /// Where it goes, in the text before the whole script.
    anchor: usize,
    /// How many characters of the insertion stand there before it.
    typed: usize,
    character: char,
    deletes: bool,
}

const SITES: [&str; 4] = ["equation", "declaration", "connector", "library class"];

/// Types a text at each place and takes it back, character by character.
fn script(documents: &Documents) -> Vec<Stroke> {
    let library = match documents.library {
        Some(_) => ("equation\n", " assert(R >= 0, \"a\");"),
        None => ("equation\n", " assert(d > 0, \"a\");"),
    };
    let insertions = [
        (0, DRIVE, "loss = 0.1 * load.w", " + 2*sin(load.phi)^2"),
        (
            1,
            DRIVE,
            "Real loss;",
            " parameter Real k9 = 2.5; Real q = k9*loss;",
        ),
        (2, DRIVE, "flow Real j;", " Real level; "),
        (3, LIBRARY, library.0, library.1),
    ];
    let mut strokes = Vec::new();
    for (site, document, behind, text) in insertions {
        let (_, whole) = &documents.all[document];
        let anchor = whole.find(behind).expect("the place is there") + behind.len();
        let stroke = |(typed, character): (usize, char), deletes| Stroke {
            site,
            document,
            anchor,
            typed,
            character,
            deletes,
        };
        let characters: Vec<(usize, char)> = text.chars().enumerate().collect();
        strokes.extend(characters.iter().map(|&it| stroke(it, false)));
        strokes.extend(characters.iter().rev().map(|&it| stroke(it, true)));
    }
    strokes
}

/// A running server with the documents open.
struct Session {
    client: Client,
    versions: [i32; 2],
    /// The line and column of the anchors, which the script does not move.
    texts: [String; 2],
}

impl Session {
    fn start(documents: &Documents) -> Self {
        let (server, client) = Connection::memory();
        let environment = Environment {
            current_dir: documents.local.clone(),
            modelica_path: None,
            memory_limit: None,
            explain: None,
        };
        std::thread::spawn(move || serve(server, environment));
        let mut client = Client::new(client);
        let libraries: Vec<&Path> = [
            Some(documents.local.as_path()),
            documents.library.as_deref(),
        ]
        .into_iter()
        .flatten()
        .collect();
        client.initialize(json!({}), &[], json!({ "libraries": libraries }));
        for (uri, text) in &documents.all {
            client.open(uri, 1, text);
            client.quiet(uri, 1);
        }
        let errors = client.diagnostics.values().flatten();
        let errors: Vec<&Value> = errors.filter(|it| it["severity"] == 1).collect();
        let errors: Vec<&Value> = errors.iter().map(|it| &it["message"]).collect();
        assert!(errors.is_empty(), "the documents are correct: {errors:#?}");
        let texts = [documents.all[0].1.clone(), documents.all[1].1.clone()];
        Self {
            client,
            versions: [1, 1],
            texts,
        }
    }

    /// From the edit to the last word of the server about it.
    fn press(&mut self, documents: &Documents, stroke: &Stroke) -> Time {
        let (uri, _) = &documents.all[stroke.document];
        let before = &self.texts[stroke.document][..stroke.anchor];
        let line = before.matches('\n').count();
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + stroke.typed;
        let end = column + usize::from(stroke.deletes);
        let range = json!({
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": end},
        });
        let text = match stroke.deletes {
            true => String::new(),
            false => stroke.character.to_string(),
        };
        self.versions[stroke.document] += 1;
        let version = self.versions[stroke.document];
        Time::of(|| {
            self.client.change(uri, version, range, &text);
            self.client.quiet(uri, version);
        })
    }
}

/// How long a new server takes from the first document to its last word about both.
fn cold_check(documents: &Documents) -> Time {
    let mut session = None;
    let time = Time::of(|| session = Some(Session::start(documents)));
    session.into_iter().for_each(|it| it.client.shut_down());
    time
}

/// The value below which that share of all values is.
fn share(mut times: Vec<Duration>, share: f64) -> Duration {
    times.sort();
    let last = times.len().saturating_sub(1);
    times
        .get((last as f64 * share) as usize)
        .copied()
        .unwrap_or_default()
}

fn tell(documents: &Documents, times: &[(usize, Time)], cold: Time) {
    let library = match &documents.library {
        Some(_) => "Modelica Standard Library",
        None => "built-in library",
    };
    println!("{} keystrokes, {library}", times.len());
    println!("{:24}{:^30}  {:^30}", "", "wall", "processor");
    let heads = ["median", "95 %", "worst"]
        .map(|it| format!("{it:>8}"))
        .join("  ");
    println!("{:24}{heads}    {heads}", "");
    let kinds: [fn(&Time) -> Duration; 2] = [|it| it.wall, |it| it.processor];
    let line = |name: &str, own: &[Time]| {
        let columns = kinds.map(|kind| {
            let values = [0.5, 0.95, 1.0].map(|part| share(own.iter().map(kind).collect(), part));
            values.map(|it| format!("{:>8.2}", ms(it))).join("  ")
        });
        println!("{name:<24}{} ms {} ms", columns[0], columns[1]);
    };
    for (site, name) in SITES.iter().enumerate() {
        let own: Vec<Time> = times
            .iter()
            .filter(|it| it.0 == site)
            .map(|it| it.1)
            .collect();
        line(name, &own);
    }
    let all: Vec<Time> = times.iter().map(|it| it.1).collect();
    line("all", &all);
    let ratio = |kind: fn(&Time) -> Duration| {
        let median = share(all.iter().map(kind).collect(), 0.5);
        kind(&cold).as_secs_f64() / median.as_secs_f64()
    };
    println!(
        "a cold check takes {:.0} times as long as the median (wall), {:.0} times (processor)",
        ratio(kinds[0]),
        ratio(kinds[1])
    );
}

const PARTS: &str = "package Parts \"A small library\"\nend Parts;\n";

const FRICTION: &str = "within Parts;
model Friction \"Viscous friction\"
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
  parameter Real d = 0.01 \"Damping\";
equation
  flange.tau = d * der(flange.phi);
end Friction;
";

const DRIVE_TEXT: &str = r#"package Drive "A motor with a controller, a gear and two clutches"
  connector Tap "A place to measure"
    Real u;
    flow Real j;
  end Tap;

  model Clutch "Two shafts, together or apart"
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
    parameter Real engage = 1 "When it closes";
    Boolean closed = time > engage;
    Real w_rel;
  equation
    w_rel = der(flange_b.phi) - der(flange_a.phi);
    flange_a.tau + flange_b.tau = 0;
    if closed then
      w_rel = 0;
    else
      flange_a.tau = 0;
    end if;
  end Clutch;

  model Meter "Takes a little current"
    Tap tap;
    parameter Real G = 1e-6;
  equation
    tap.j = G * tap.u;
  end Meter;

  model Supply "Voltage given by a signal"
    Modelica.Electrical.Analog.Interfaces.PositivePin p;
    Modelica.Electrical.Analog.Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealInput u;
  equation
    p.v - n.v = u;
    p.i + n.i = 0;
  end Supply;

  model Motor "DC motor"
    Modelica.Electrical.Analog.Basic.Resistor resistor(R = 0.5);
    Modelica.Electrical.Analog.Basic.Inductor inductor(L = 0.05);
    Modelica.Electrical.Analog.Basic.RotationalEMF emf(k = 1);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Supply source;
    Modelica.Mechanics.Rotational.Components.Inertia rotor(J = 0.001);
    Modelica.Blocks.Interfaces.RealInput u;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
  equation
    connect(u, source.u);
    connect(source.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, emf.p);
    connect(emf.n, source.n);
    connect(source.n, ground.p);
    connect(emf.flange, rotor.flange_a);
    connect(rotor.flange_b, flange);
  end Motor;

  model System "Everything"
    Motor motor;
    Modelica.Blocks.Sources.Step command(height = 10, startTime = 0.1);
    Modelica.Blocks.Math.Feedback feedback;
    Modelica.Blocks.Continuous.PI controller(k = 5, T = 0.1);
    Modelica.Mechanics.Rotational.Sensors.SpeedSensor sensor;
    Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio = 10);
    Modelica.Mechanics.Rotational.Components.SpringDamper shaft(c = 1e4, d = 10);
    Modelica.Mechanics.Rotational.Components.Inertia middle(J = 0.1);
    Modelica.Mechanics.Rotational.Components.Inertia load(J = 1);
    Modelica.Mechanics.Rotational.Components.Inertia wheel(J = 2);
    Modelica.Mechanics.Rotational.Components.Damper damper(d = 0.2);
    Modelica.Mechanics.Rotational.Components.Fixed wall;
    Clutch first(engage = 1), second(engage = 2);
    Parts.Friction friction;
    Meter meter;
    Real loss;
  equation
    loss = 0.1 * load.w;
    connect(command.y, feedback.u1);
    connect(sensor.w, feedback.u2);
    connect(feedback.y, controller.u);
    connect(controller.y, motor.u);
    connect(motor.flange, gear.flange_a);
    connect(motor.flange, sensor.flange);
    connect(gear.flange_b, shaft.flange_a);
    connect(shaft.flange_b, middle.flange_a);
    connect(middle.flange_b, first.flange_a);
    connect(first.flange_b, load.flange_a);
    connect(load.flange_b, second.flange_a);
    connect(second.flange_b, wheel.flange_a);
    connect(wheel.flange_b, friction.flange);
    connect(load.flange_b, damper.flange_a);
    connect(damper.flange_b, wall.flange);
  end System;
end Drive;
"#;
