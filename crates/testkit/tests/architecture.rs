//! The direction of the data, held by a test: a crate knows the crates to its left, never one to its
//! right. The order is that of the root `Cargo.toml`; crates it does not list are front ends, to the
//! right of all others.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Crates for tests, which every crate may use in its own.
const FOR_TESTS: &[&str] = &["modeshift-testkit", "modeshift-oracle"];

/// Packages that only some of our crates may know, because they are a matter of one layer.
const RESERVED: &[(&str, &[&str])] = &[
    ("clap", &["modeshift-cli"]),
    ("clap_complete", &["modeshift-cli"]),
    ("clap_mangen", &["modeshift-cli"]),
    ("indicatif", &["modeshift-cli"]),
    ("codespan-reporting", &["modeshift-diag"]),
    ("lalrpop", &["modeshift-syntax"]),
    ("logos", &["modeshift-syntax"]),
];

/// Pure crates: they must stay usable without a database.
const WITHOUT_SALSA: &[&str] = &[
    "modeshift-base",
    "modeshift-diag",
    "modeshift-syntax",
    "modeshift-structure",
];

/// Our own packages.
fn metadata() -> Value {
    metadata_with(&["--no-deps"])
}

fn metadata_with(options: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(options)
        .current_dir(modeshift_testkit::root())
        .output()
        .expect("cargo can be run");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// Our crates from left to right.
fn order() -> Vec<String> {
    let manifest = std::fs::read_to_string(modeshift_testkit::root().join("Cargo.toml"))
        .expect("the root manifest is there");
    let ours = manifest
        .lines()
        .filter_map(|line| line.split_once(" = { path = \"crates/"));
    ours.map(|(name, _)| name.to_owned()).collect()
}

fn complaints(metadata: &Value, order: &[String]) -> Vec<String> {
    let position = |name: &str| order.iter().position(|crate_name| crate_name == name);
    let mut complaints = Vec::new();
    for package in metadata["packages"]
        .as_array()
        .expect("packages are listed")
    {
        let name = package["name"].as_str().expect("a package has a name");
        let own = position(name).unwrap_or(usize::MAX);
        for dependency in package["dependencies"]
            .as_array()
            .expect("dependencies are listed")
        {
            let on = dependency["name"]
                .as_str()
                .expect("a dependency has a name");
            let for_tests_only = dependency["kind"] == "dev";
            if FOR_TESTS.contains(&on) {
                if !for_tests_only {
                    complaints.push(format!("`{name}` needs `{on}` outside its tests"));
                }
            } else if position(on).is_some_and(|other| other >= own) {
                complaints.push(format!("`{name}` depends on `{on}`, which is to its right"));
            }
            let reserved = RESERVED.iter().find(|(package, _)| *package == on);
            if let Some((_, allowed)) = reserved
                && !allowed.contains(&name)
            {
                complaints.push(format!(
                    "`{name}` depends on `{on}`, which only {allowed:?} may"
                ));
            }
            if on == "salsa" && WITHOUT_SALSA.contains(&name) {
                complaints.push(format!("`{name}` must not know salsa"));
            }
        }
    }
    complaints
}

#[test]
fn a_crate_never_depends_on_one_to_its_right() {
    let order = order();
    assert!(
        order.len() > 10 && order[0] == "modeshift-base",
        "{order:?}"
    );
    assert_eq!(complaints(&metadata(), &order), Vec::<String>::new());
}

#[test]
fn a_wrong_dependency_is_found() {
    let order = ["a".to_owned(), "b".to_owned()];
    let package = |name: &str, on: &str, kind: Value| serde_json::json!({"packages": [{"name": name, "dependencies": [{"name": on, "kind": kind}]}]});
    assert!(complaints(&package("b", "a", Value::Null), &order).is_empty());
    assert!(complaints(&package("front", "b", Value::Null), &order).is_empty());
    assert!(complaints(&package("a", "modeshift-testkit", "dev".into()), &order).is_empty());
    assert_eq!(complaints(&package("a", "b", Value::Null), &order).len(), 1);
    assert_eq!(
        complaints(&package("a", "b", "dev".into()), &order).len(),
        1
    );
    assert_eq!(
        complaints(&package("a", "modeshift-testkit", Value::Null), &order).len(),
        1
    );
    assert_eq!(
        complaints(&package("a", "clap", Value::Null), &order).len(),
        1
    );
    assert_eq!(
        complaints(&package("modeshift-base", "salsa", Value::Null), &order).len(),
        1
    );
}

/// Whether a word stands in one of the Rust files below a folder.
fn is_mentioned(word: &str, folder: &Path) -> bool {
    let boundary =
        |char: Option<char>| char.is_none_or(|char| !char.is_alphanumeric() && char != '_');
    let mentions = |text: &str| {
        text.match_indices(word).any(|(at, _)| {
            boundary(text[..at].chars().next_back())
                && boundary(text[at + word.len()..].chars().next())
        })
    };
    walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "rs"))
        .filter_map(|entry| std::fs::read_to_string(entry.path()).ok())
        .any(|text| mentions(&text))
}

/// What cargo-machete does, here because all checks must run with nothing but Rust installed.
#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    let mut unused = Vec::new();
    for package in metadata["packages"]
        .as_array()
        .expect("packages are listed")
    {
        let manifest = Path::new(
            package["manifest_path"]
                .as_str()
                .expect("a manifest has a path"),
        );
        let folder = manifest.parent().expect("a manifest is in a folder");
        for dependency in package["dependencies"]
            .as_array()
            .expect("dependencies are listed")
        {
            let name = dependency["name"]
                .as_str()
                .expect("a dependency has a name");
            if !is_mentioned(&name.replace('-', "_"), folder) {
                unused.push(format!("{}: {name}", package["name"]));
            }
        }
    }
    assert!(unused.is_empty(), "these are never used: {unused:#?}");
}

/// Licences that ask for nothing but their own text.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression can be met: of alternatives one is enough, of conjunctions all are needed.
fn is_allowed(licence: &str) -> bool {
    let text = licence.replace(['(', ')'], "").replace('/', " OR ");
    text.split(" AND ")
        .all(|all| all.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}

#[test]
fn every_dependency_has_a_licence_that_fits() {
    assert!(is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0") && !is_allowed("MIT AND GPL-3.0"));
    let host = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc can be run");
    let host = String::from_utf8_lossy(&host.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    // What other systems need is not there to be read.
    let metadata = metadata_with(&["--filter-platform", host.expect("rustc names its host")]);
    let packages = metadata["packages"]
        .as_array()
        .expect("packages are listed");
    let refused: Vec<&Value> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| &package["name"])
        .collect();
    assert!(refused.is_empty(), "look at the licences of {refused:?}");
}
