//! The ledger of the specification names tests that exist.

use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The rows of all tables: section, rule, test.
fn rows(text: &str) -> Vec<[&str; 3]> {
    text.lines()
        .filter(|line| {
            line.starts_with("| ") && !line.starts_with("| §") && !line.starts_with("| ---")
        })
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            cells.try_into().ok()
        })
        .collect()
}

#[test]
fn every_rule_of_the_ledger_names_a_test_that_is_there() {
    let text =
        fs::read_to_string(root().join("docs/specification.md")).expect("the ledger is there");
    let rows = rows(&text);
    assert!(rows.len() >= 400, "{} rows", rows.len());
    for [section, rule, test] in rows {
        let file = match test.strip_prefix('`') {
            Some(model) => format!("test-models/{}", model.trim_end_matches('`')),
            None => {
                let page = test.split(['(', ')']).nth(1).unwrap_or_default();
                format!("docs/{page}")
            }
        };
        assert!(
            root().join(&file).is_file(),
            "§{section}, {rule}: there is no {file}"
        );
    }
}
