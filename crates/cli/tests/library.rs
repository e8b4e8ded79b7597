//! The bundled library holds what it promises: every example of `Modeshift.Examples` checks, through
//! connectors, as a user would do it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn modeshift(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(args)
        .env_remove("MODELICAPATH")
        .output()
        .expect("the binary runs")
}

fn stdlib() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../stdlib")
}

/// Full names of the models in a file of the library, nested ones included.
fn models(file: &Value) -> Vec<String> {
    fn collect(prefix: &str, class: &Value, out: &mut Vec<String>) {
        let name = format!("{prefix}.{}", class["name"].as_str().expect("a name"));
        if class["kind"] == "model" {
            out.push(name.clone());
        }
        for nested in class["classes"].as_array().into_iter().flatten() {
            collect(&name, nested, out);
        }
    }
    let within = file["within"].as_str().expect("the library is in packages");
    let mut out = Vec::new();
    for class in file["classes"].as_array().into_iter().flatten() {
        collect(within, class, &mut out);
    }
    out
}

#[test]
fn every_example_of_the_library_checks() {
    let examples = stdlib().join("Modeshift/Examples");
    let parsed = modeshift(&[
        "parse",
        "--format",
        "json",
        examples.to_str().expect("a path"),
    ]);
    let outline: Value = serde_json::from_slice(&parsed.stdout).expect("JSON");
    let names: Vec<String> = outline["files"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(models)
        .collect();
    assert!(names.len() >= 20, "only {} examples", names.len());
    for name in names {
        let checked = modeshift(&["check", "--class", &name]);
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{name} does not check:\n{said}");
    }
}

#[test]
fn the_library_has_the_layout_of_the_formatter() {
    let checked = modeshift(&["fmt", "--check", stdlib().to_str().expect("a path")]);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert!(
        checked.status.success(),
        "run `modeshift fmt stdlib`:\n{said}"
    );
}
