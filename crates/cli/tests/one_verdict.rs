//! `check` and `simulate` give one verdict on one model.
//!
//! Over all test models that can be run: what `check` accepts runs, or stops for a reason that `check` announced, or for one
//! that only values along the way decide. What `check` rejects and a run goes around is a mode, which the message names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reasons that values along the way decide, after the start: Zeno and sliding, functions outside their domains, overflows, assertions,
/// steps, conditions that take turns.
const ON_THE_WAY: [&str; 6] = ["MS6004", "MS6006", "MS6007", "MS6008", "MS6009", "MS6010"];

/// What announces that a run cannot begin: by its code, and the codes of `check` that say so beforehand.
const ANNOUNCED: [(&str, &[&str]); 5] = [
    ("MS6002", &["MS2046", "MS6002"]),
    // Which start values fit is found by trying: that modes change states, or that conditions depend on each other, is the reason.
    ("MS6004", &["MS4002", "MS4003", "MS4004", "MS4014"]),
    ("MS6008", &["MS4003", "MS4008", "MS6008"]),
    ("MS6009", &["MS6008"]),
    ("MS6012", &["MS6012"]),
];

/// Findings about a mode or a mode change, which a run may never reach: the message names it.
const ABOUT_MODES: [&str; 4] = ["MS4001", "MS5001", "MS5003", "MS5006"];

struct Said {
    errors: Vec<(String, String)>,
    codes: BTreeSet<String>,
    text: String,
}

impl Said {
    fn of(command: &str, path: &Path) -> Self {
        let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
            .args([command, "--color", "never"])
            .arg(path.file_name().expect("a file"))
            .current_dir(path.parent().expect("a folder"))
            .env_remove("MODELICAPATH")
            .env("COLUMNS", "100")
            .output()
            .expect("the program runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        let (mut errors, mut codes) = (Vec::new(), BTreeSet::new());
        for line in text.lines() {
            let Some((level, rest)) = line.split_once('[') else {
                continue;
            };
            let Some((code, message)) = rest.split_once("]: ") else {
                continue;
            };
            if ["error", "warning", "note"].contains(&level) {
                codes.insert(code.to_owned());
                if level == "error" {
                    errors.push((code.to_owned(), message.to_owned()));
                }
            }
        }
        Self {
            errors,
            codes,
            text,
        }
    }

    /// Whether a run came further than its start.
    fn ran(&self) -> bool {
        !self.text.contains(", 0 steps,")
    }
}

/// What the two commands say that does not fit together.
fn contradiction(path: &Path) -> Option<String> {
    let (check, run) = (Said::of("check", path), Said::of("simulate", path));
    // What is not supported, or no model, is no verdict on a model.
    let none = |code: &str| ["MS6001", "MS2015"].contains(&code);
    if run.errors.iter().any(|(code, _)| none(code)) {
        return None;
    }
    if check.errors.is_empty() {
        let unexplained = run.errors.iter().find(|(code, _)| {
            let announced = ANNOUNCED.iter().find(|(stop, _)| stop == code);
            let announced =
                announced.is_some_and(|(_, by)| by.iter().any(|it| check.codes.contains(*it)));
            let on_the_way = run.ran() && ON_THE_WAY.contains(&code.as_str());
            !announced && !on_the_way
        });
        return unexplained
            .map(|(code, what)| format!("`check` accepts it, and a run says {code}: {what}"));
    }
    if run.errors.is_empty() {
        let about_modes = |code: &str| ABOUT_MODES.contains(&code);
        let mut all = check.errors.iter();
        let silent = all.find(|(code, message)| about_modes(code) && !message.contains("when "));
        return silent.map(|(code, what)| format!("it runs, and {code} names no mode: {what}"));
    }
    None
}

fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../test-models")
        .join(folder);
    let all = std::fs::read_dir(folder).expect("test models");
    let mut all: Vec<PathBuf> = all.map(|it| it.expect("a file").path()).collect();
    all.retain(|path| {
        let is_model = path.extension().is_some_and(|it| it == "mo");
        is_model
            && !std::fs::read_to_string(path)
                .expect("a text")
                .starts_with("//! part:")
    });
    all.sort();
    all
}

#[test]
fn what_check_accepts_runs() {
    let folders = [
        "simulate",
        "modes",
        "multimode",
        "loops",
        "restart",
        "mistakes",
    ];
    let all: Vec<PathBuf> = folders.iter().flat_map(|it| models(it)).collect();
    assert!(all.len() > 400, "only {} models", all.len());
    let halves = all.chunks(all.len().div_ceil(2));
    let found: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = halves
            .map(|half| {
                scope.spawn(|| {
                    let told = |path: &PathBuf| {
                        Some(format!("{}: {}", path.display(), contradiction(path)?))
                    };
                    half.iter().filter_map(told).collect::<Vec<String>>()
                })
            })
            .collect();
        let all = threads
            .into_iter()
            .flat_map(|it| it.join().expect("a thread"));
        all.collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
