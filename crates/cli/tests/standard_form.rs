//! A lagging condition in standard Modelica, `reached = s >= 0; on = pre(reached);`, and in our extension, `on = pre(s) >= 0;`,
//! mean the same: equal verdicts, restarts and trajectories for every test model that has one.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDERS: [&str; 5] = ["modes", "multimode", "restart", "simulate", "transitions"];

/// The model with `pre(s) >= 0` where it reads `pre(reached)`; `None` if it reads no such thing.
fn with_extension(text: &str) -> Option<String> {
    let mut derived = text.to_owned();
    for name in ["reached", "reached1", "reached2"] {
        let Some(relation) = definition(text, name) else {
            continue;
        };
        let mut words = relation.split(' ');
        let (Some(variable), Some(op), Some(limit), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        for subscript in ["", "[k]"] {
            let own = format!("({} {op} {limit})", left_limit(variable));
            derived = derived.replace(&format!("pre({name}{subscript})"), &own);
        }
        // The Boolean is idle now: with its relation it would have events of its own.
        derived = derived.replace(&format!("\n  {name} = {relation};"), "");
        for start in ["true", "false"] {
            let idle = format!("{name}(start = {start}, fixed = true)");
            derived = derived.replace(&format!("{idle} = {relation}"), &idle);
            derived = derived.replace(&idle, &format!("{idle} = {start}"));
        }
    }
    (derived != text).then_some(derived)
}

fn left_limit(variable: &str) -> String {
    format!("pre({variable})")
}

/// The relation behind the Boolean: in an equation, or in its declaration.
fn definition<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let is_end = |c: char| c == ';' || c == ',';
    let starts = [
        format!("\n  {name} = "),
        format!("\n    {name}[k] = "),
        format!("{name}(start = true, fixed = true) = "),
        format!("{name}(start = false, fixed = true) = "),
    ];
    let mut found = starts.iter().filter_map(|start| {
        let at = text.find(start)? + start.len();
        text[at..].split(is_end).next()
    });
    found.next()
}

fn modeshift(arguments: &[&str], file: &Path) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(arguments)
        .arg("--quiet")
        .arg(file)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.success())
}

fn json(command: &str, file: &Path) -> Value {
    let (text, _) = modeshift(&[command, "--format", "json"], file);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{command}: {error}\n{text}"))
}

/// What a command found, without what only names conditions.
fn verdicts(file: &Path) -> Vec<String> {
    let modes = json("modes", file);
    let classes = modes["classes"].as_array().into_iter().flatten();
    let mut classes: Vec<String> = classes
        .map(|class| format!("{} {}", class["index"], class["states"]))
        .collect();
    classes.sort();
    let changes = json("transitions", file);
    let listed = changes["transitions"].as_array().into_iter().flatten();
    let mut listed: Vec<String> = listed
        .map(|it| format!("{} {} {}", it["verdict"], it["jumps"], it["impulsive"]))
        .collect();
    listed.sort();
    let mut found = vec![modes["verdict"].to_string()];
    found.extend(classes);
    found.extend(listed);
    found
}

/// The names and the last row of a trajectory.
fn last_row(file: &Path) -> Option<Vec<(String, f64)>> {
    let (text, ok) = modeshift(&["simulate", "--format", "csv"], file);
    let names = text.lines().next()?.split(',').map(str::to_owned);
    let last = text.lines().next_back()?.split(',');
    let row = names.zip(last.map(|it| it.parse().unwrap_or(f64::NAN)));
    ok.then(|| row.collect())
}

fn differences(standard: &Path, extension: &Path, simulated: bool) -> Vec<String> {
    let (ours, theirs) = (verdicts(standard), verdicts(extension));
    let mut found = Vec::new();
    if ours != theirs {
        found.push(format!("standard {ours:#?}\nextension {theirs:#?}"));
    }
    if !simulated {
        return found;
    }
    let (ours, theirs) = (last_row(standard), last_row(extension));
    let (Some(ours), Some(theirs)) = (&ours, &theirs) else {
        if ours.is_some() != theirs.is_some() {
            found.push("only one of them runs".to_owned());
        }
        return found;
    };
    let physical = |it: &&(String, f64)| !it.0.starts_with("reached");
    let theirs = theirs.iter().filter(physical);
    for ((name, a), (other, b)) in ours.iter().filter(physical).zip(theirs) {
        if name != other || (a - b).abs() > 1e-5 * (1.0 + a.abs()) {
            found.push(format!("{name} = {a}, {other} = {b}"));
        }
    }
    found
}

#[test]
fn standard_form_and_extension_agree() {
    let dir = std::env::temp_dir().join(format!("modeshift-standard-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut pairs = 0;
    let mut complaints = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../test-models")
            .join(folder);
        let entries = std::fs::read_dir(&folder).expect("a folder");
        let mut files: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
        files.sort();
        for file in files {
            if file.extension().is_none_or(|it| it != "mo") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a text");
            let Some(derived) = with_extension(&text) else {
                continue;
            };
            pairs += 1;
            let extension = dir.join(file.file_name().expect("a name"));
            std::fs::write(&extension, derived).expect("a copy");
            let simulated = text.contains("//! run: simulate");
            let found = differences(&file, &extension, simulated);
            let found = found.iter();
            complaints.extend(found.map(|it| format!("{}: {it}", file.display())));
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    assert!(pairs >= 30, "only {pairs} pairs");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
