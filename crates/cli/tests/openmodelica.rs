//! Flat models are those OpenModelica prints, and what OpenModelica rejects is rejected, with the exceptions that
//! `test-models/omc/differences.txt` gives reasons for.

use modeshift_testkit::{root, schema};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const RECORDED: &[&str] = &[
    "--recorded",
    "test-models/omc/flat",
    "--recorded",
    "test-models/wrong/omc",
    "--recorded",
    "test-models/recorded",
];

fn modeshift(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg("compare")
        .args(args)
        .current_dir(root())
        .env_remove("MODELICAPATH")
        .output()
        .expect("modeshift can be run")
}

fn json(args: &[&str]) -> (Value, Option<i32>) {
    let mut all = vec!["--format", "json"];
    all.extend(args);
    let output = modeshift(&all);
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (document, output.status.code())
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A directory with a model and what omc would print for it.
fn example(recording: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory can be made");
    let model = "model A\n  Real x(start = 1);\nequation\n  der(x) = -x;\nend A;\n";
    fs::write(dir.path().join("A.mo"), model).expect("a file can be written");
    fs::write(dir.path().join("A.txt"), recording).expect("a file can be written");
    dir
}

const FLAT: &str = "class A\n  Real x(start = 1.0);\nequation\n  der(x) = -x;\nend A;\n";

#[test]
fn no_model_differs_without_a_reason() {
    let mut args = vec!["test-models", "--known", "test-models/omc/differences.txt"];
    args.extend(RECORDED);
    let (document, status) = json(&args);
    let complaints = schema::complaints(
        &root().join("docs/schemas"),
        "compare.schema.json",
        &document,
    );
    assert!(complaints.is_empty(), "{complaints:#?}");
    let unexplained: Vec<&Value> = document["models"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|model| model["result"] == "different")
        .collect();
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    let outdated: Vec<&Value> = document["models"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|model| model["result"] == "not-recorded" && !model["reason"].is_null())
        .map(|model| &model["file"])
        .collect();
    assert!(
        outdated.is_empty(),
        "changed since they were recorded; record them again with tools/record-omc, or remove the recordings: {outdated:#?}"
    );
    let stale: Vec<&Value> = document["models"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|model| !model["stale"].as_array().unwrap().is_empty())
        .collect();
    assert!(
        stale.is_empty(),
        "these do not differ any more: take them off the list: {stale:#?}"
    );
    assert_eq!(status, Some(0));
    assert!(
        document["summary"]["equal"].as_u64() > Some(230),
        "{:#}",
        document["summary"]
    );
    assert!(
        document["summary"]["both_reject"].as_u64() > Some(90),
        "{:#}",
        document["summary"]
    );
    assert!(
        document["summary"]["not_expressible"].as_u64() > Some(0),
        "{:#}",
        document["summary"]
    );
    assert!(
        document["openmodelica"]
            .as_str()
            .is_some_and(|version| version.starts_with("OpenModelica v"))
    );
}

#[test]
fn a_difference_is_told_and_fails() {
    let dir = example(&FLAT.replace("-x", "x"));
    let path = dir.path().to_str().unwrap();
    let output = modeshift(&["--recorded", path, path]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output);
    for line in ["    - der(x) = x", "    + der(x) = -x", "1  DIFFERENT"] {
        assert!(printed.contains(line), "{printed}");
    }
    let known = dir.path().join("known.txt");
    fs::write(
        &known,
        "A: because\n  equation der(x) = x\n  equation der(x) = -x\n",
    )
    .unwrap();
    let output = modeshift(&["--recorded", path, "--known", known.to_str().unwrap(), path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("known difference: because"));
}

#[test]
fn a_recording_of_another_text_is_not_compared() {
    let dir = example(&FLAT.replace("-x", "x"));
    let path = dir.path().to_str().unwrap();
    fs::write(dir.path().join("MODELS"), "12345 A\n").unwrap();
    let (document, status) = json(&["--recorded", path, path]);
    assert_eq!(status, Some(0));
    assert_eq!(document["models"][0]["result"], "not-recorded");
    assert_eq!(
        document["models"][0]["reason"],
        "the model has changed since it was recorded"
    );
}

#[test]
fn junit_counts_what_differs() {
    let dir = example(&FLAT.replace("1.0", "2.0"));
    let path = dir.path().to_str().unwrap();
    let printed = text(&modeshift(&["--format", "junit", "--recorded", path, path]));
    assert!(printed.contains("tests=\"1\" failures=\"1\""), "{printed}");
    assert!(printed.contains("attribute x.start"), "{printed}");
    let dir = example(FLAT);
    let path = dir.path().to_str().unwrap();
    let printed = text(&modeshift(&["--format", "junit", "--recorded", path, path]));
    assert!(printed.contains("tests=\"1\" failures=\"0\""), "{printed}");
}

/// A stand-in for omc that prints what is in a file.
#[cfg(unix)]
fn fake_omc(dir: &Path, printed: &str, status: i32) -> String {
    use std::os::unix::fs::PermissionsExt;
    let (path, flat) = (dir.join("omc"), dir.join("printed"));
    fs::write(&flat, printed).unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'OpenModelica v0'; exit; fi\n\
         [ \"$1\" = -i=A ] || exit 9\n[ -f \"$2\" ] || exit 8\ncat '{}'\nexit {status}\n",
        flat.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn an_installed_omc_is_run() {
    let dir = example("");
    let model = dir.path().join("A.mo");
    let omc = fake_omc(dir.path(), FLAT, 0);
    let (document, status) = json(&["--omc", &omc, model.to_str().unwrap()]);
    assert_eq!(status, Some(0));
    assert_eq!(document["openmodelica"], "OpenModelica v0");
    assert_eq!(document["models"][0]["result"], "equal");
}

#[cfg(unix)]
#[test]
fn a_model_that_only_omc_rejects_differs() {
    let dir = example("");
    let model = dir.path().join("A.mo");
    let omc = fake_omc(dir.path(), "Error: class A is not to its taste\n", 1);
    let output = modeshift(&["--omc", &omc, model.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("- rejects: Error: class A is not to its taste"),
        "{}",
        text(&output)
    );
}

/// Runs `tools/record-omc` with a stand-in that accepts `Good`, rejects `Bad`, and finds the mistake of `Late` only
/// when it translates; gives what it said.
#[cfg(unix)]
fn record(dir: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let omc = dir.join("omc");
    let script = r#"#!/bin/sh
case "$*" in
--version) echo 'OpenModelica v0' ;;
'-i=Good Good.mo') printf 'class Good\n  Real x = 1.0;\nend Good;\n' ;;
'-i=Late Late.mo') printf 'class Late\n  Real x;\nend Late;\n' ;;
'-s -i=Late Late.mo') printf '\nError: Too few equations\n' ;;
*) echo "Error: $* is not to its taste" >&2; exit 1 ;;
esac
"#;
    fs::write(&omc, script).unwrap();
    fs::set_permissions(&omc, fs::Permissions::from_mode(0o755)).unwrap();
    let models = [
        ("omc/Good", "model Good\n  Real x = 1;\nend Good;\n"),
        ("omc/Bad", "model Bad\n  Real x = y;\nend Bad;\n"),
        ("omc/Part", "//! part: of Good\nmodel Part\nend Part;\n"),
        ("wrong/Late", "model Late\n  Real x;\nend Late;\n"),
    ];
    for (name, text) in models {
        let file = dir.join("models").join(name).with_extension("mo");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let output = Command::new(root().join("tools/record-omc"))
        .args([omc, dir.join("models"), dir.join("out")])
        .output()
        .expect("the script can be run");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text(&output)
}

#[cfg(unix)]
#[test]
fn recordings_of_the_script_are_what_compare_reads() {
    let dir = tempfile::tempdir().expect("a directory can be made");
    let said = record(dir.path());
    assert_eq!(
        said,
        "OpenModelica v0: 1 flat models, 2 rejections recorded\n"
    );
    let recorded = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).ok();
    assert_eq!(
        recorded("omc/Good.txt").as_deref(),
        Some("class Good\n  Real x = 1.0;\nend Good;\n")
    );
    assert_eq!(
        recorded("omc/Bad.err").as_deref(),
        Some("Error: -i=Bad Bad.mo is not to its taste\n")
    );
    assert_eq!(
        recorded("wrong/Late.err").as_deref(),
        Some("Error: Too few equations\n")
    );
    assert_eq!(recorded("omc/Part.txt").or(recorded("omc/Part.err")), None);
    let [models, out] = ["models", "out"].map(|name| dir.path().join(name).display().to_string());
    let (document, status) = json(&[&models, "--recorded", &out]);
    assert_eq!(status, Some(0), "{document:#}");
    assert_eq!(document["openmodelica"], "OpenModelica v0");
    let results: Vec<(&str, &str)> = document["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| {
            (
                model["class"].as_str().unwrap(),
                model["result"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        results,
        [
            ("Bad", "both-reject"),
            ("Good", "equal"),
            ("Part", "not-recorded"),
            ("Late", "both-reject")
        ]
    );
}

#[test]
fn without_omc_and_recordings_the_command_says_what_to_do() {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(["compare", "test-models/modes/Clutch.mo"])
        .current_dir(root())
        .env("PATH", "")
        .output()
        .expect("modeshift can be run");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--recorded"));
}
