//! Random hybrid models: the simulator against the interpreter.
//!
//! ```text
//! cargo run --release -p modeshift-oracle --bin hybrid -- target/release/modeshift 1 1000000
//! ```
//!
//! The arguments are the simulator, the first seed and the number of models; `print` and a seed print a model. A difference is printed with the
//! smallest model that has it; a summary follows.

use modeshift_oracle::compare::{Table, difference};
use modeshift_oracle::generate::{Model, model};
use modeshift_oracle::{Doubt, flatten, interpret};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

const STOP: f64 = 3.0;
/// Seconds that a run may take.
const PATIENCE: u64 = 5;

/// What came of one model.
enum Outcome {
    /// Agreement up to here.
    Agrees(f64),
    Differs(String),
    /// The simulator says no.
    Refused(String),
    /// Nothing to compare.
    Skipped(&'static str),
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [word, seed] = args.as_slice()
        && word == "print"
        && let Ok(seed) = seed.parse()
    {
        print!("{}", model(seed).text());
        return;
    }
    let [simulator, first, count] = args.as_slice() else {
        eprintln!("usage: hybrid <simulator> <first seed> <number of models>");
        std::process::exit(2);
    };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else {
        eprintln!("seeds are numbers");
        std::process::exit(2);
    };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut refusals: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut covered = 0.0;
    for seed in first..first + count {
        let random = model(seed);
        match judge(simulator, &random) {
            Outcome::Agrees(until) => {
                covered += until;
                *counts.entry("agrees").or_default() += 1;
            }
            Outcome::Skipped(why) => *counts.entry(why).or_default() += 1,
            Outcome::Refused(why) => {
                *counts.entry("refused").or_default() += 1;
                let entry = refusals.entry(why).or_insert((0, seed));
                entry.0 += 1;
            }
            Outcome::Differs(_) => {
                *counts.entry("differs").or_default() += 1;
                let small = shrink(simulator, random);
                let what = match judge(simulator, &small) {
                    Outcome::Differs(what) => what,
                    _ => String::new(),
                };
                println!("// seed {seed}: {what}\n{}", small.text());
                let _ = std::io::stdout().flush();
            }
        }
    }
    for (why, (n, seed)) in &refusals {
        println!("refused {n} times, first seed {seed}: {why}");
    }
    println!("{count} models, {counts:?}, {covered:.0} s compared");
    std::process::exit(i32::from(counts.contains_key("differs")));
}

fn judge(simulator: &str, model: &Model) -> Outcome {
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
fn run(simulator: &str, text: &str, stop: f64) -> Result<Table, String> {
    let stop = stop.to_string();
    let base = std::env::temp_dir().join(format!("hybrid-{}", std::process::id()));
    let (path, result, words) = (base.with_extension("mo"), base.with_extension("csv"), base.with_extension("txt"));
    let told = |error: std::io::Error| error.to_string();
    std::fs::write(&path, text).map_err(told)?;
    let mut child = Command::new(simulator)
        .arg("simulate")
        .arg(&path)
        .args(["--quiet", "--tolerance", "1e-8", "--intervals", "24", "--stop-time", &stop])
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
        return Ok(Table::parse(&std::fs::read_to_string(&result).map_err(told)?));
    }
    let text = std::fs::read_to_string(&words).map_err(told)?;
    let line = text.lines().find(|line| line.starts_with("error")).unwrap_or("no word");
    Err(line.chars().filter(|c| !c.is_ascii_digit()).collect())
}

/// A smaller model that differs, too: parts and lines are left out as long as it does.
fn shrink(simulator: &str, mut model: Model) -> Model {
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
