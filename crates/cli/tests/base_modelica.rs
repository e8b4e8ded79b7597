//! Base Modelica as OpenModelica writes it: the models under `test-models/omc` against recorded files under
//! `tests/base`. Declarations, equations, statements and functions must be the same lines; their order and
//! the layout are free.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Models whose Base Modelica differs from OpenModelica's; the list may only become shorter.
const DIFFERENT: &[&str] = &[
    "ArrayConstructors",
    "ArrayEquations",
    "ConnectorWithRecord",
    "EnumBasics",
    "EnumIndex",
    "EvaluateAnnotation",
    "ExpandableBus",
    "ExpandableBusElements",
    "ExternalFunctions",
    "ForEquationsUnrolled",
    "FunctionAnnotations",
    "FunctionHigherOrder",
    "FunctionRecords",
    "FunctionVectorized",
    "Imports",
    "IntegerLogic",
    "MediumPackage",
    "RecordArrays",
    "Reinit",
    "ShortClasses",
    "SizesAndDims",
    "StreamOutside",
    "TypeAliases",
    "UnitsAndAttributes",
    "VectorsOfModels",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The lines that matter, sorted.
fn lines(text: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| words(line.split("//").next().unwrap_or_default()))
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort();
    lines
}

fn flatten(name: &str) -> String {
    let model = root().join(format!("test-models/omc/{name}.mo"));
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(["flatten", "--format", "base-modelica", "--class", name])
        .arg(model)
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn base_modelica_has_the_lines_that_openmodelica_writes() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/base");
    let files = std::fs::read_dir(recorded).unwrap_or_else(|error| panic!("{error}"));
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut different = Vec::new();
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let wanted = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}"));
        if lines(&wanted) != lines(&flatten(&name)) {
            different.push(name.into_owned());
        }
    }
    assert!(paths.len() > 100, "the recorded files are missing");
    assert_eq!(different, DIFFERENT, "different of {}", paths.len());
}
