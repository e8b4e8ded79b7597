//! Random hybrid models: the simulator against the interpreter.
//!
//! ```text
//! cargo run --release -p modeshift-oracle --bin hybrid -- target/release/modeshift 1 1000000
//! ```
//!
//! The arguments are the simulator, the first seed and the number of models. A difference is printed with the
//! smallest model that has it; a summary follows.

use modeshift_oracle::compare::{Table, difference};
use modeshift_oracle::generate::{Model, model};
use modeshift_oracle::{Doubt, flatten, interpret};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Command;

const STOP: f64 = 3.0;

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
    let path = std::env::temp_dir().join(format!("hybrid-{}.mo", std::process::id()));
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let output = Command::new(simulator)
        .arg("simulate")
        .arg(&path)
        .args(["--format", "csv", "--tolerance", "1e-8", "--intervals", "24"])
        .args(["--stop-time", &stop])
        .output()
        .map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&path);
    if output.status.success() {
        return Ok(Table::parse(&String::from_utf8_lossy(&output.stdout)));
    }
    let text = String::from_utf8_lossy(&output.stderr);
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
