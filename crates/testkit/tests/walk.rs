//! The ways that the documentation shows through the code lead somewhere.

use std::collections::BTreeSet;
use std::fs;

/// The cells of all table rows of a page that name a place of the repository in backticks.
fn rows(page: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(modeshift_testkit::root().join(page)).expect("the page is there");
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.map(|line| {
        let cells = line.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

fn code(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_way_of_the_clutch_names_functions_that_exist() {
    let steps: Vec<Vec<String>> = rows("docs/architecture.md")
        .into_iter()
        .filter(|row| row.len() == 3 && row[1].starts_with("`crates/"))
        .collect();
    assert!(steps.len() > 12, "{} steps", steps.len());
    for step in steps {
        let (file, function) = (code(&step[1])[0], code(&step[2])[0]);
        let text = fs::read_to_string(modeshift_testkit::root().join(file))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let declared = ["(", "<"].map(|open| format!("fn {function}{open}"));
        assert!(
            declared.iter().any(|it| text.contains(it.as_str())),
            "{file} has no function `{function}`"
        );
    }
}

#[test]
fn the_places_for_changes_exist() {
    let places: Vec<String> = rows("CONTRIBUTING.md")
        .into_iter()
        .filter(|row| row.len() == 2 && !row[0].starts_with('`'))
        .flat_map(|row| {
            code(&row[1])
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(places.len() >= 20, "{} places", places.len());
    for place in places {
        assert!(modeshift_testkit::root().join(&place).exists(), "{place}");
    }
}

/// The functions behind `#[salsa::tracked]` in all crates.
fn queries() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![modeshift_testkit::root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.components().any(|it| it.as_os_str() == "src") {
                let text = fs::read_to_string(path).expect("a source");
                for behind in text.split("#[salsa::tracked").skip(1) {
                    let name = behind.split_once("fn ").map(|(_, name)| name);
                    let name = name.and_then(|it| it.split(['(', '<']).next());
                    found.extend(name.map(str::to_owned));
                }
            }
        }
    }
    found
}

#[test]
fn the_architecture_lists_the_queries_that_there_are() {
    let told: BTreeSet<String> = rows("docs/architecture.md")
        .iter()
        .skip_while(|row| row[0] != "queries")
        .skip(2)
        .take_while(|row| row.len() == 3 && row[0].starts_with('`'))
        .flat_map(|row| code(&row[0]))
        .map(str::to_owned)
        .collect();
    assert_eq!(told, queries());
}
