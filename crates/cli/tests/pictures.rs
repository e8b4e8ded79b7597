//! Reports, graphs, new packages, and checking again when files change.

use modeshift_testkit::root;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

fn command(args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_modeshift"));
    command
        .args(args)
        .current_dir(dir)
        .env_remove("MODELICAPATH");
    command
}

fn modeshift(args: &[&str]) -> Output {
    command(args, &root())
        .output()
        .expect("modeshift can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The data inside a report.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page
        .split_once("<script id=\"data\" type=\"application/json\">")
        .expect("the data begins");
    let (data, _) = rest.split_once("</script>").expect("the data ends");
    serde_json::from_str(data).expect("the data is JSON")
}

#[test]
fn a_report_is_one_page_with_everything_in_it() {
    let output = modeshift(&["report", "-q", "-o", "-", "test-models/modes/Clutch.mo"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    assert!(page.starts_with("<!doctype html>"));
    assert!(
        !page.contains("src=") && !page.contains("<link"),
        "nothing is loaded from elsewhere"
    );
    let data = data(&page);
    assert_eq!(data["model"], "Clutch");
    assert_eq!(data["verdict"], "accepted");
    assert_eq!(
        data["diagnostics"][0]["code"], "MS4004",
        "`--quiet` is about the terminal"
    );
    assert_eq!(data["summary"]["modes"], "2");
    assert_eq!(
        data["groups"][0]["classes"].as_array().map(Vec::len),
        Some(2)
    );
    let engaged = &data["changes"]["classes"]
        .as_array()
        .expect("changes are listed")[0];
    assert_eq!(engaged["effect"], "impulsive");
    assert_eq!(engaged["restart"].as_array().map(Vec::len), Some(4));
    assert!(
        engaged["arrays"][0]["rows"]
            .as_array()
            .is_some_and(|rows| rows.len() >= 6)
    );
    let source = data["files"][0]["chunks"][0]["text"]
        .as_str()
        .expect("the source is embedded");
    assert!(source.contains("w1 - w2 = 0"));
}

#[test]
fn the_matching_of_a_matrix_lies_on_its_diagonal() {
    let output = modeshift(&[
        "report",
        "-q",
        "-o",
        "-",
        "test-models/transitions/MotorAndLoad.mo",
    ]);
    let data = data(&text(&output.stdout));
    for structure in data["structures"].as_array().expect("there are matrices") {
        let matching: Vec<i64> = structure["matching"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_i64().unwrap())
            .collect();
        // Within a block any order will do; the blocks are in the order of solving.
        let blocks: Vec<i64> = structure["blocks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_i64().unwrap())
            .collect();
        let mut start = 0;
        for size in blocks {
            let block = &matching[start as usize..(start + size) as usize];
            assert!(
                block
                    .iter()
                    .all(|column| (start..start + size).contains(column))
            );
            start += size;
        }
        for entry in structure["entries"].as_array().unwrap().chunks(3) {
            let [row, column, sigma] = [0, 1, 2].map(|i| entry[i].as_i64().unwrap());
            let (c, d) = (
                structure["c"][row as usize].as_i64(),
                structure["d"][column as usize].as_i64(),
            );
            assert!(d.unwrap() - c.unwrap() >= sigma, "offsets dominate");
        }
    }
}

#[test]
fn a_rejected_model_has_a_report_too() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("r.html");
    let output = modeshift(&[
        "report",
        "test-models/modes/RLDC2.mo",
        "-o",
        page.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        data(&fs::read_to_string(page).unwrap())["verdict"],
        "rejected"
    );
}

#[test]
fn names_cannot_break_the_page() {
    let dir = tempfile::tempdir().unwrap();
    let model = "model M\n  Real '</script><b>'(start = 1);\nequation\n  der('</script><b>') = 1 \"</script>\";\nend M;\n";
    fs::write(dir.path().join("M.mo"), model).unwrap();
    let output = command(&["report", "-o", "-", "M.mo"], dir.path())
        .output()
        .unwrap();
    let page = text(&output.stdout);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(data(&page)["variables"][0], "'</script><b>'");
}

#[test]
fn graphs_are_drawn_in_both_languages() {
    for what in ["incidence", "dependencies", "modes"] {
        let args = [
            "graph",
            "-q",
            "test-models/modes/Clutch.mo",
            "--what",
            what,
            "--format",
        ];
        let dot = text(&modeshift(&[&args[..], &["dot"]].concat()).stdout);
        assert!(
            dot.starts_with("digraph \"Clutch\" {") && dot.ends_with("}\n"),
            "{dot}"
        );
        assert!(dot.contains("->"), "{dot}");
        let svg = text(&modeshift(&[&args[..], &["svg"]].concat()).stdout);
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn the_graph_of_modes_tells_impulses_by_colour() {
    let dot = text(
        &modeshift(&[
            "graph",
            "-q",
            "test-models/modes/Clutch.mo",
            "--what",
            "modes",
        ])
        .stdout,
    );
    assert!(
        dot.contains("n0 -> n1 [color=\"#c06a00\", label=\"when g becomes true\"]"),
        "{dot}"
    );
    assert!(
        dot.contains("n1 -> n0 [color=\"#2e7d4f\", label=\"when g becomes false\"]"),
        "{dot}"
    );
}

#[test]
fn the_incidence_of_a_mode_can_be_asked_for() {
    let args = [
        "graph",
        "-q",
        "test-models/modes/Clutch.mo",
        "--what",
        "incidence",
        "--mode",
    ];
    let engaged = text(&modeshift(&[&args[..], &["g=true"]].concat()).stdout);
    assert!(
        engaged.contains("w1 - w2 = 0") && !engaged.contains("t1 = 0\""),
        "{engaged}"
    );
    let output = modeshift(&[&args[..], &["nonsense=true"]].concat());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_new_package_checks_and_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| command(args, dir.path()).output().unwrap();
    assert_eq!(run(&["new", "Drive"]).status.code(), Some(0));
    for file in ["Drive", "Drive/Clutch.mo"] {
        let output = run(&["check", file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let output = run(&["check", "--class", "Drive.Clutch", "Drive"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(run(&["fmt", "--check", "Drive"]).status.code(), Some(0));
    let whole = run(&["check", "Drive"]);
    assert_eq!(text(&whole.stdout), "2 files, 1 model: 1 warning\n");
    fs::write(dir.path().join("Drive/Clutch.mo"), "mine").unwrap();
    let whole = run(&["check", "Drive"]);
    assert_eq!(whole.status.code(), Some(1), "{}", text(&whole.stderr));
    assert!(text(&whole.stderr).contains("Drive/Clutch.mo:1"));
    let again = run(&["new", "Drive"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("exists already"));
    assert_eq!(
        fs::read_to_string(dir.path().join("Drive/Clutch.mo")).unwrap(),
        "mine"
    );
    for bad in ["model", "9lives", "a.b", "../up", ""] {
        assert_eq!(run(&["new", bad]).status.code(), Some(2), "{bad}");
    }
}

/// `check --watch`, until it is dropped.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn new(what: &str, dir: &Path) -> Self {
        let mut child = command(&["check", "--watch", what], dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("modeshift can be run");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// What it says next.
    fn says(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn check_watches_all_files_of_a_package() {
    let dir = tempfile::tempdir().unwrap();
    let made = command(&["new", "Drive"], dir.path()).status();
    assert!(made.expect("modeshift can be run").success());
    let path = dir.path().join("Drive/Clutch.mo");
    let mut watch = Watch::new("Drive", dir.path());
    assert_eq!(watch.says(), "2 files, 1 model: 1 warning");
    let model = fs::read_to_string(&path).unwrap();
    fs::write(&path, model.replace("t1 + t2 = 0;", "t1 + t3 = 0;")).unwrap();
    assert_eq!(watch.says(), "2 files, 1 model: 1 error");
}

#[test]
fn check_watches() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("A.mo");
    let write = |value: &str| {
        let text = format!("model A\n  Real x;\nequation\n  x = {value};\nend A;\n");
        fs::write(&path, text).unwrap();
    };
    write("1");
    let mut watch = Watch::new("A.mo", dir.path());
    assert_eq!(watch.says(), "no errors");
    write("y");
    assert_eq!(watch.says(), "1 error");
    write("2");
    assert_eq!(watch.says(), "no errors");
}
