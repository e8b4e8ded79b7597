//! The pages of `docs/diagnostics`: every code has one, every page has a code, titles agree, and every
//! example does what it says.

use modeshift_diag::Code;
use modeshift_testkit::fixture::Fixture;
use modeshift_testkit::judge::Outcome;
use modeshift_testkit::markdown::{Example, Page, parse_page};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
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
        let mut failing = 0;
        for example in &page.examples {
            let outcome = execute(example);
            if example.fails {
                failing += 1;
                compare_with_snapshot(&page.code, failing, &outcome);
            }
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

/// The full wording of the messages, so that a change of it is seen in review.
fn compare_with_snapshot(code: &str, number: usize, outcome: &Outcome) {
    let name = match number {
        1 => code.to_owned(),
        _ => format!("{code}-{number}"),
    };
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(messages());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, outcome.stderr.trim_end()));
}

fn messages() -> PathBuf {
    modeshift_testkit::root().join("crates/cli/tests/messages")
}

/// Codes whose wording no snapshot shows, with the reason.
const WITHOUT_SNAPSHOT: &[(&str, &str)] = &[
    ("MS0020", "a mistake of the formatter itself"),
    ("MS1006", "needs a directory without permission to read"),
    ("MS3004", "subscripts of connections are refused before"),
    (
        "MS6005",
        "needs a run that comes to a loop with two solutions far from both, which none of the test models does",
    ),
];

/// What no page can show: texts too deep or too strange to be written down.
#[test]
fn messages_about_texts_that_nobody_writes() {
    let brackets = format!(
        "model Deep\n  Real y = {}time{};\nend Deep;\n",
        "(".repeat(300),
        ")".repeat(300)
    );
    let parts = (0..300).map(|at| format!("  model M{at}\n    M{} part;\n  end M{at};\n", at + 1));
    let nested = format!(
        "package Nested\n{}  model M300\n    Real x = time;\n  end M300;\nend Nested;\n",
        parts.collect::<String>()
    );
    let bytes = b"model Bytes\n  Real x = 1; // caf\xe9\nend Bytes;\n";
    let texts: [(&str, &[u8], &[&str]); 3] = [
        ("MS0010", brackets.as_bytes(), &[]),
        ("MS0011", bytes, &[]),
        ("MS2038", nested.as_bytes(), &["--class", "Nested.M0"]),
    ];
    for (code, text, flags) in texts {
        let dir = Fixture::parse("").write().expect("a directory can be made");
        fs::write(dir.path().join("Text.mo"), text).expect("a file can be written");
        let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
            .args(["check", "Text.mo"])
            .args(flags)
            .current_dir(dir.path())
            .env_remove("MODELICAPATH")
            .output()
            .expect("modeshift can be run");
        let outcome: Outcome = output.into();
        compare_with_snapshot(code, 1, &outcome);
    }
}

#[test]
fn every_message_has_a_snapshot() {
    let mut shown = BTreeSet::new();
    let mut waiting = vec![messages(), modeshift_testkit::root().join("test-models")];
    while let Some(dir) = waiting.pop() {
        for path in fs::read_dir(&dir).expect("a directory can be read") {
            let path = path.expect("an entry can be read").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|it| it == "snap") {
                let text = fs::read_to_string(&path).expect("a snapshot can be read");
                let codes = Code::ALL.iter().map(|code| code.as_str());
                shown.extend(codes.filter(|code| text.contains(&format!("[{code}]: "))));
            }
        }
    }
    let listed: BTreeSet<&str> = WITHOUT_SNAPSHOT.iter().map(|(code, _)| *code).collect();
    let missing = Code::ALL.iter().map(|code| code.as_str());
    let missing: Vec<&str> = missing
        .filter(|code| !shown.contains(code) && !listed.contains(code))
        .collect();
    assert!(missing.is_empty(), "no snapshot shows {missing:?}");
    let needless: Vec<_> = listed.intersection(&shown).collect();
    assert!(needless.is_empty(), "snapshots show {needless:?}");
}

/// The worst slips of wording, looked for in what users read: plurals of one, blanks in a row, phrases of `docs/style.md`.
#[test]
fn messages_read_well() {
    let mut slips = Vec::new();
    for path in fs::read_dir(messages()).expect("the snapshots can be listed") {
        let path = path.expect("an entry can be read").path();
        let text = fs::read_to_string(&path).expect("a snapshot can be read");
        let is_prose = |line: &&str| {
            let line = line.trim_start();
            ["= ", "error[", "warning[", "note["]
                .iter()
                .any(|it| line.starts_with(it))
        };
        for line in text.lines().filter(is_prose) {
            let words: Vec<&str> = line.trim().split(' ').collect();
            let of_one = words.windows(2).any(|pair| {
                let plural =
                    pair[1].ends_with('s') && !["is", "was", "has", "does"].contains(&pair[1]);
                pair[0] == "1" && plural && pair[1].chars().all(|c| c.is_ascii_lowercase())
            });
            let phrases = [
                "cannot not",
                "has not as",
                "stands where",
                "another truth",
                "nothing says what",
                " no word",
            ];
            if of_one || words.contains(&"") || phrases.iter().any(|it| line.contains(it)) {
                slips.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(slips.is_empty(), "{slips:#?}");
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
