//! Random hybrid models: the simulator against the interpreter.
//!
//! ```text
//! cargo run --release -p modeshift-oracle --bin hybrid -- 1 1000000
//! ```
//!
//! The arguments are the first seed and the number of models, and `modes` to run them mode by mode, or `clutch` for models
//! beside a clutch, whose structure changes; `print` and a
//! seed print a model, `interpret` and a file print what the interpreter says, `run` or `modes` and a file what the
//! simulator computes. A difference is printed with the
//! smallest model that has it; a summary follows.

use modeshift_driver::simulate::Engine;
use modeshift_oracle::generate::{model, model_with_clutch};
use modeshift_oracle::trial::{Outcome, STOP, judge, shrink, table_of};
use modeshift_oracle::{flatten, interpret};
use std::collections::BTreeMap;
use std::io::Write as _;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [word, seed] = args.as_slice()
        && word == "print"
        && let Ok(seed) = seed.parse()
    {
        print!("{}", model(seed).text());
        return;
    }
    if let [word, path] = args.as_slice()
        && word == "interpret"
    {
        trace(path);
        return;
    }
    if let [word, path] = args.as_slice()
        && let Some(engine) = match word.as_str() {
            "run" => Some(Engine::Fitting),
            "modes" => Some(Engine::Modes),
            _ => None,
        }
    {
        rows(engine, path);
        return;
    }
    let (first, count, engine) = match args.as_slice() {
        [first, count] => (first, count, Engine::Fitting),
        [first, count, word] if word == "modes" => (first, count, Engine::Modes),
        [first, count, word] if word == "clutch" => (first, count, Engine::Fitting),
        _ => {
            eprintln!("usage: hybrid <first seed> <number of models> [modes|clutch]");
            std::process::exit(2);
        }
    };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else {
        eprintln!("seeds are numbers");
        std::process::exit(2);
    };
    let clutch = args.get(2).is_some_and(|word| word == "clutch");
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut refusals: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut covered = 0.0;
    for seed in first..first + count {
        let random = match clutch {
            true => model_with_clutch(seed),
            false => model(seed),
        };
        match judge(engine, &random) {
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
                let small = shrink(engine, random);
                let what = match judge(engine, &small) {
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

/// Prints what the simulator computes for a file.
fn rows(engine: Engine, path: &str) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let table = match table_of(engine, &text) {
        Ok(table) => table,
        Err(why) => return println!("{why}"),
    };
    for row in &table.rows {
        let values = table.names.iter().zip(row);
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        println!("{}", values.join(" "));
    }
}

/// Prints what the interpreter says about a file.
fn trace(path: &str) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let flat = match flatten(&text) {
        Ok(flat) => flat,
        Err(why) => return println!("{why}"),
    };
    let trace = interpret(&flat, STOP);
    for segment in &trace.segments {
        print!("{:.6}:", segment.start);
        for (name, value) in trace.names.iter().zip(&segment.values) {
            print!(
                " {name} = {}",
                value.as_ref().map_or(f64::NAN, |value| value.written(0.0))
            );
        }
        println!();
    }
    println!("until {} {:?}", trace.end, trace.doubt);
}
