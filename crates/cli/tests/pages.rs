//! The pages of `docs/diagnostics`: every code has one, every page has a code, titles agree, and every
//! example does what it says.

use modeshift_diag::Code;
use modeshift_testkit::fixture::Fixture;
use modeshift_testkit::judge::Outcome;
use modeshift_testkit::markdown::{Example, Page, parse_page};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Pages by file name without `.md`.
fn pages() -> BTreeMap<String, Page> {
    let dir = modeshift_testkit::root().join("docs/diagnostics");
    let entries = fs::read_dir(dir).expect("docs/diagnostics can be read");
    let mut pages = BTreeMap::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if stem == "index" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a page can be read");
        let page = parse_page(&text).unwrap_or_else(|error| panic!("{stem}.md: {error}"));
        pages.insert(stem, page);
    }
    pages
}

/// Codes that no short text on a page can provoke through a command: limits, files that cannot be read,
/// mistakes of our own, counts that the analysis of modes tells more precisely, and what only a run mode by mode reports.
const WITHOUT_EXAMPLE: &[&str] = &[
    "MS0010", "MS0011", "MS0020", "MS1006", "MS2038", "MS3001", "MS3004", "MS3005", "MS3006",
    "MS4009", "MS6005", "MS6013",
];

fn shows_failure(page: &Page) -> bool {
    page.examples.iter().any(|example| example.fails)
        || WITHOUT_EXAMPLE.contains(&page.code.as_str())
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let mut pages = pages();
    let mut complaints = Vec::new();
    for code in Code::ALL {
        match pages.remove(code.as_str()) {
            None => complaints.push(format!("{} has no page", code.as_str())),
            Some(page) if page.code != code.as_str() || page.title != code.title() => {
                let expected = format!("# {}: {}", code.as_str(), code.title());
                complaints.push(format!("{code}.md should begin with `{expected}`"));
            }
            Some(page) if !shows_failure(&page) => {
                complaints.push(format!("{code}.md shows no example that fails"));
            }
            Some(_) => {}
        }
    }
    complaints.extend(
        pages
            .into_keys()
            .map(|name| format!("{name}.md belongs to no code")),
    );
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn every_example_does_what_its_page_says() {
    let mut complaints = Vec::new();
    for (name, page) in pages() {
        for example in &page.examples {
            let outcome = execute(example);
            if let Some(complaint) = complaint(&page, example, &outcome) {
                let printed = outcome.transcript();
                complaints.push(format!(
                    "{name}.md:{}: {complaint}\n{printed}",
                    example.line
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Runs an example in a directory of its own. One that consists of several files (`//- /A.mo`) is
/// run on the first of them.
fn execute(example: &Example) -> Outcome {
    let (command, flags) = example
        .command
        .split_first()
        .expect("an example has a command");
    let fixture = Fixture::parse(&example.text);
    let dir = fixture.write().expect("an example can be written");
    let (file, _) = fixture.files.first().expect("an example has a file");
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .arg(command)
        .arg(file.trim_start_matches('/'))
        .args(flags)
        .current_dir(dir.path())
        .env_remove("MODELICAPATH")
        .output()
        .expect("modeshift can be run");
    output.into()
}

fn complaint(page: &Page, example: &Example, outcome: &Outcome) -> Option<String> {
    let reported = outcome.diagnostics();
    let command = example.command.join(" ");
    if outcome.exit.is_none_or(|status| status > 1) {
        return Some(format!("`{command}` ended with {:?}", outcome.exit));
    }
    if example.fails {
        let found = reported
            .iter()
            .any(|diagnostic| diagnostic.code == page.code);
        (!found).then(|| format!("`{command}` should report {}", page.code))
    } else {
        (outcome.exit != Some(0)).then(|| format!("`{command}` should report no error"))
    }
}
