//! Laws of simulation that need several runs.

use std::process::Command;

/// Runs `simulate` and gives its document.
fn simulate(args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg("simulate")
        .args(args)
        .args(["--format", "json"])
        .env_remove("MODELICAPATH")
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}\n{text}"))
}

fn number(document: &serde_json::Value, pointer: &str) -> f64 {
    let value = document
        .pointer(pointer)
        .and_then(serde_json::Value::as_f64);
    value.unwrap_or_else(|| panic!("no number at {pointer}"))
}

fn root() -> std::path::PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    std::path::Path::new(root)
        .canonicalize()
        .expect("the repository")
}

#[test]
fn every_example_of_the_library_simulates() {
    let mut names = Vec::new();
    let examples = root().join("stdlib/Modeshift/Examples");
    for file in std::fs::read_dir(examples).expect("examples") {
        let path = file.expect("a file").path();
        let package = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let models = text
            .lines()
            .filter_map(|line| line.strip_prefix("  model "));
        let words = models.filter_map(|rest| rest.split_whitespace().next());
        names.extend(words.map(|name| format!("Modeshift.Examples.{package}.{name}")));
    }
    names.sort();
    assert!(names.len() >= 28, "{names:?}");
    for name in names {
        let document = simulate(&["--class", &name, "--stop-time", "0.5"]);
        assert_eq!(
            document["completed"], true,
            "{name}: {}",
            document["diagnostics"]
        );
        assert_eq!(number(&document, "/time"), 0.5, "{name}");
    }
}

/// The trajectory of Rocca's example between its points, at an instant.
fn sliding(step: f64, at: f64) -> [f64; 2] {
    let model = root().join("test-models/simulate/SlidingCrossing.mo");
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg("simulate")
        .arg(model)
        .args([
            "--method",
            "capture",
            "--format",
            "csv",
            "--step",
            &step.to_string(),
        ])
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).expect("a column");
    let columns = [column("time"), column("x1"), column("x2")];
    let rows: Vec<[f64; 3]> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            columns.map(|i| cells[i].parse().expect("a number"))
        })
        .collect();
    let next = rows
        .iter()
        .position(|row| row[0] >= at)
        .expect("a later point")
        .max(1);
    let (a, b) = (rows[next - 1], rows[next]);
    let part = (at - a[0]) / (b[0] - a[0]);
    [1, 2].map(|i| a[i] + part * (b[i] - a[i]))
}

#[test]
fn the_event_capturing_scheme_is_of_first_order() {
    // The equations are linear with constant coefficients and the points lie on the solution; what a step misses is
    // the switching instant within it. Where that falls depends on the step, so several of about one size are taken.
    let errors: Vec<f64> = [0.08, 0.04, 0.02, 0.01]
        .iter()
        .map(|size| {
            let errors = [1.03, 1.11, 1.19, 1.27].map(|factor| {
                let ([x1, x2], [y1, y2]) =
                    (sliding(size * factor, 2.5), sliding(size * factor, 3.5));
                [x1, x2 + 1.0, y1, y2 - 1.0]
                    .map(f64::abs)
                    .into_iter()
                    .fold(0.0, f64::max)
            });
            errors.into_iter().fold(0.0, f64::max)
        })
        .collect();
    let order = (errors[0] / errors[3]).log2() / 3.0;
    assert!(
        (0.8..1.2).contains(&order),
        "order {order}, errors {errors:?}"
    );
    let [x1, x2] = sliding(0.0103, 10.0);
    assert!((x1 - 13.0 / 3.0).abs() < 1e-9 && (x2 - 16.0 / 3.0).abs() < 1e-9);
}

#[test]
fn a_long_ladder_is_simulated_with_few_evaluations() {
    let ladder = |n: usize| {
        format!(
            "model Ladder\n  Real v[{n}];\nequation\n  1e-3*der(v[1]) = 1 - 2*v[1] + v[2];\n  \
             for k in 2:{m} loop\n    1e-3*der(v[k]) = v[k-1] - 2*v[k] + v[k+1];\n  end for;\n  \
             1e-3*der(v[{n}]) = v[{m}] - v[{n}];\nend Ladder;\n",
            m = n - 1
        )
    };
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("Ladder.mo");
    let counts = [50, 1000].map(|n| {
        std::fs::write(&path, ladder(n)).expect("a file");
        let document = simulate(&[&path.to_string_lossy(), "--method", "radau5"]);
        assert_eq!(document["completed"], true);
        // The front has reached the first cells only: the solution does not depend on the length.
        assert!((number(&document, "/final/v[5]") - 0.9).abs() < 0.1);
        number(&document, "/statistics/evaluations")
    });
    // With one evaluation per column of the Jacobian the long one would need many times as much.
    assert!(counts[1] < 3.0 * counts[0], "{counts:?}");
}
