//! Flat models are those OpenModelica prints: the same declarations, equations, algorithms and functions,
//! in any order. `test-models/omc/differences.txt` names the models where they are not, with the reason.

use modeshift_testkit::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A flat text as sorted blocks: each line with what is nested in it, under the section it stands in.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut unit = String::new();
    let mut section = String::new();
    let mut is_open = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let body = line.trim();
        if depth == 0 {
            is_open = false;
            if is_section(body) {
                section = body.to_owned();
                // Statements of an algorithm belong together.
                if body.ends_with("algorithm") {
                    blocks.push(format!("{unit} {section}:"));
                    is_open = true;
                }
            } else {
                unit = body.to_owned();
                section = "declarations".to_owned();
                blocks.push(unit.clone());
            }
        } else if is_open || is_continuation(depth, body) {
            if let Some(last) = blocks.last_mut() {
                last.push(' ');
                last.push_str(body);
            }
        } else {
            blocks.push(format!("{unit} {section}: {body}"));
        }
    }
    blocks.sort();
    blocks
}

fn is_section(line: &str) -> bool {
    matches!(
        line,
        "equation" | "algorithm" | "initial equation" | "initial algorithm"
    )
}

/// Nested lines, and the keywords that go on or close a block.
fn is_continuation(depth: usize, body: &str) -> bool {
    depth > 2
        || ["end ", "else", "elseif ", "elsewhen "]
            .iter()
            .any(|word| body.starts_with(word))
}

fn flatten(model: &Path, class: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg("flatten")
        .arg(model)
        .args(["--class", class])
        .env_remove("MODELICAPATH")
        .output()
        .expect("modeshift can be run");
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// `NAME: reason`, one per line.
fn known_differences(dir: &Path) -> BTreeMap<String, String> {
    fs::read_to_string(dir.join("differences.txt"))
        .expect("the list of differences can be read")
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, reason)| (name.trim().to_owned(), reason.trim().to_owned()))
        .collect()
}

/// What differs, as a text for the message; `None` if nothing does.
fn difference(expected: &str, printed: &Result<String, String>) -> Option<String> {
    let printed = match printed {
        Ok(printed) => printed,
        Err(message) => return Some(format!("rejected:\n{message}")),
    };
    let (expected, printed) = (blocks(expected), blocks(printed));
    if expected == printed {
        return None;
    }
    let missing = expected
        .iter()
        .filter(|block| !printed.contains(block))
        .map(|block| format!("- {block}"));
    let extra = printed
        .iter()
        .filter(|block| !expected.contains(block))
        .map(|block| format!("+ {block}"));
    Some(missing.chain(extra).collect::<Vec<_>>().join("\n"))
}

#[test]
fn flat_models_are_those_of_openmodelica() {
    let dir = root().join("test-models/omc");
    let known = known_differences(&dir);
    let mut complaints = Vec::new();
    let mut models: Vec<_> = fs::read_dir(dir.join("flat"))
        .expect("expected texts can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    models.sort();
    for path in models {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let expected = fs::read_to_string(&path).expect("an expected text can be read");
        let printed = flatten(&dir.join(format!("{name}.mo")), &name);
        match (difference(&expected, &printed), known.get(&name)) {
            (Some(difference), None) => complaints.push(format!("{name} differs:\n{difference}")),
            (None, Some(_)) => {
                complaints.push(format!("{name} no longer differs: take it off the list"))
            }
            _ => {}
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
