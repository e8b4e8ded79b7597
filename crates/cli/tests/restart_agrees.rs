//! `simulate` and `restart` come to the same values after the same change.
//!
//! Every event of the simulated test models in which something jumps: the values just before it, as the run recorded
//! them, are given to `restart`, and its right limits are held against those of the run.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../test-models")
        .join(name)
}

fn modeshift(arguments: &[&str], dir: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(arguments)
        .arg("--quiet")
        .current_dir(dir)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The class that the first `simulate` of a test model names, and whether it has one without inputs from files.
fn simulated(text: &str) -> Option<Option<String>> {
    let run = text
        .lines()
        .find_map(|line| line.strip_prefix("//! run: simulate"))?;
    if run.contains("--input") || run.contains("capture") {
        return None;
    }
    let mut words = run.split_whitespace();
    words.find(|word| *word == "--class");
    Some(words.next().map(str::to_owned))
}

/// Runs that do not go mode by mode have no valuations.
fn valuation(value: &Value) -> Option<String> {
    let map = value.as_object().filter(|map| !map.is_empty())?;
    let pairs = map.iter().map(|(name, value)| {
        let usable = !name.contains(',') && !name.contains('=');
        usable.then(|| Some(format!("{name}={}", value.as_bool()?)))?
    });
    Some(pairs.collect::<Option<Vec<_>>>()?.join(","))
}

/// The rows of a CSV as maps; names may be quoted.
fn rows(text: &str) -> Vec<BTreeMap<String, f64>> {
    let mut lines = text.lines();
    let names: Vec<String> = split(lines.next().unwrap_or_default());
    lines
        .map(|line| {
            let values = split(line);
            let numbers = names.iter().zip(values);
            numbers
                .filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?)))
                .collect()
        })
        .collect()
}

/// Splits at commas outside of quotes.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

struct Run<'a> {
    dir: &'a Path,
    file: &'a str,
    class: Option<&'a str>,
}

impl Run<'_> {
    fn command(&self, command: &str, rest: &[&str]) -> String {
        let mut arguments = vec![command, self.file];
        if let Some(class) = self.class {
            arguments.extend(["--class", class]);
        }
        arguments.extend(rest);
        modeshift(&arguments, self.dir)
    }

    fn restart(&self, event: &Value, at: &str) -> Option<Value> {
        // An instant that does not last is named by the valuation it passes through.
        let to = Some(&event["transient"])
            .filter(|it| !it.is_null())
            .unwrap_or(&event["to"]);
        let (from, to) = (valuation(&event["from"])?, valuation(to)?);
        let text = self.command(
            "restart",
            &["--from", &from, "--to", &to, "--at", at, "--format", "json"],
        );
        serde_json::from_str(&text).ok()
    }

    /// Compares one event; `None` where `restart` cannot be asked the same.
    fn compare(&self, event: &Value, rows: &[BTreeMap<String, f64>]) -> Option<Result<(), String>> {
        let time = event["time"].as_f64()?;
        let before = rows.iter().find(|row| {
            row.get("time")
                .is_some_and(|t| (t - time).abs() <= 1e-12 * (1.0 + time.abs()))
        })?;
        // Which conditions change depends on the values, and with them what is read: until nothing is left to give.
        let mut given: BTreeMap<String, f64> = BTreeMap::from([("time".to_owned(), time)]);
        let restarted = loop {
            let at = given
                .iter()
                .map(|(name, value)| format!("{name}={value:?}"));
            let restarted = self.restart(event, &at.collect::<Vec<_>>().join(","))?;
            let asked = restarted["left"].as_object()?.keys();
            let more = asked.filter(|name| !given.contains_key(*name) && !name.contains(','));
            let more = more.filter_map(|name| Some((name.clone(), *before.get(name)?)));
            let more: Vec<_> = more.collect();
            if more.is_empty() {
                break restarted;
            }
            given.extend(more);
        };
        if restarted["verdict"] != "determined" || restarted["transient"] != event["transient"] {
            return None;
        }
        for (name, jump) in event["jumps"].as_object()? {
            let Some(right) = restarted["right"][name].as_f64() else {
                continue;
            };
            let after = jump["after"].as_f64()?;
            if (right - after).abs() > 1e-9 * (1.0 + after.abs()) {
                let what = format!(
                    "{} at {time}: `{name}` is {after}, restart says {right}",
                    self.file
                );
                return Some(Err(what));
            }
        }
        Some(Ok(()))
    }
}

#[test]
fn simulate_and_restart_agree_on_every_jump() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for name in ["simulate", "restart"] {
        let dir = folder(name);
        let entries = std::fs::read_dir(&dir).unwrap().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for path in files
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "mo"))
        {
            let text = std::fs::read_to_string(path).unwrap();
            let Some(class) = simulated(&text) else {
                continue;
            };
            let file = path.file_name().unwrap().to_string_lossy();
            let run = Run {
                dir: &dir,
                file: &file,
                class: class.as_deref(),
            };
            let json: Value = serde_json::from_str(&run.command("simulate", &["--format", "json"]))
                .unwrap_or_default();
            let Some(events) = json["events"].as_array() else {
                continue;
            };
            // Events come in the order of time.
            let at_time_of = |i: usize, other: Option<usize>| {
                let other = other.and_then(|other| events.get(other));
                other.is_some_and(|other| other["time"] == events[i]["time"])
            };
            let alone = |i: &usize| {
                let jumps = events[*i]["jumps"].as_object();
                jumps.is_some_and(|jumps| !jumps.is_empty())
                    && !at_time_of(*i, i.checked_sub(1))
                    && !at_time_of(*i, Some(i + 1))
            };
            let jumping = (0..events.len()).filter(alone).take(4);
            let jumping: Vec<&Value> = jumping.map(|i| &events[i]).collect();
            if jumping.is_empty() {
                continue;
            }
            let rows = rows(&run.command("simulate", &["--format", "csv"]));
            for event in jumping {
                match run.compare(event, &rows) {
                    Some(Ok(())) => compared += 1,
                    Some(Err(problem)) => wrong.push(problem),
                    None => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 12, "only {compared} changes could be compared");
}
