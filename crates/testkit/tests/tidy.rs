//! Tidiness that no other tool checks: module headers, leftovers, machine paths, dead links.

use std::fs;
use std::path::{Path, PathBuf};

/// Directories that hold no text of ours.
const SKIPPED: &[&str] = &[
    "target",
    "node_modules",
    ".git",
    "out",
    "corpus",
    "artifacts",
];
const TEXT: &[&str] = &[
    "rs", "toml", "md", "mo", "lalrpop", "sh", "py", "json", "yml", "yaml", "txt",
];

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&modeshift_testkit::root(), &mut files);
    files.sort();
    assert!(files.len() > 40, "the repository has more files than that");
    files
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(dir).expect("the repository can be read");
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if SKIPPED.contains(&name.as_ref()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_none_or(|ext| TEXT.iter().any(|text| ext == *text))
        {
            files.push(path);
        }
    }
}

fn name(path: &Path) -> String {
    let root = modeshift_testkit::root();
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// The tracked files that can be read as text, with their names relative to the root.
fn texts() -> impl Iterator<Item = (PathBuf, String)> {
    files()
        .into_iter()
        .filter_map(|path| Some((path.clone(), fs::read_to_string(path).ok()?)))
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ext| ext == "rs")
}

#[test]
fn every_module_begins_with_a_header() {
    let without: Vec<String> = texts()
        .filter(|(path, text)| is_rust(path) && !text.trim_start().starts_with("//!"))
        .map(|(path, _)| name(&path))
        .collect();
    assert!(
        without.is_empty(),
        "these begin without a `//!` header: {without:#?}"
    );
}

#[test]
fn no_leftovers() {
    // Put together here, so that this file does not find itself.
    let leftovers = ["todo", "dbg", "unimplemented"].map(|word| format!("{word}!("));
    let found: Vec<String> = texts()
        .filter(|(path, _)| is_rust(path))
        .filter(|(_, text)| leftovers.iter().any(|leftover| text.contains(leftover)))
        .map(|(path, _)| name(&path))
        .collect();
    assert!(
        found.is_empty(),
        "these hold one of {leftovers:?}: {found:#?}"
    );
}

#[test]
fn no_phrase_that_the_style_page_rules_out() {
    // The second half of each phrase is kept apart, so that this file does not find itself.
    let phrases = [
        ("has not ", "as many"),
        ("stands where ", "it cannot"),
        ("another ", "truth of"),
        ("told as ", "one"),
        ("who occurs where ", "suggests"),
        ("Messages come ", "for people"),
    ]
    .map(|(a, b)| format!("{a}{b}"));
    let found: Vec<String> = texts()
        .filter(|(path, _)| !path.ends_with("docs/style.md"))
        .filter(|(_, text)| phrases.iter().any(|phrase| text.contains(phrase)))
        .map(|(path, _)| name(&path))
        .collect();
    assert!(
        found.is_empty(),
        "docs/style.md rules out a phrase in: {found:#?}"
    );
}

/// The texts between quotes in the program itself, with their places.
fn literals() -> impl Iterator<Item = (String, String)> {
    let sources = texts().filter(|(path, _)| {
        let inside = name(path);
        is_rust(path) && inside.starts_with("crates/") && inside.contains("/src/")
    });
    sources.flat_map(|(path, text)| {
        let mut found = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            let parts = line.split('"').skip(1).step_by(2);
            found.extend(parts.map(|part| (format!("{}:{}", name(&path), i + 1), part.to_owned())));
        }
        found
    })
}

#[test]
fn messages_are_in_plain_words() {
    let words = [
        "cannot stand",
        "stands where",
        " stand where",
        " anew",
        " behind it",
        " behind the ",
        "is told",
        "are told",
        "  in `",
        "please",
        "is what there is",
        "no escape that",
        "opening partner",
        "know the time",
        "know nothing of",
        "one number of all",
        "called by itself, once",
        "nested too deep here",
        "Modelica does not know",
    ];
    let found: Vec<String> = literals()
        .filter(|(_, text)| words.iter().any(|word| text.contains(word)))
        .map(|(place, text)| format!("{place}: {text}"))
        .collect();
    assert!(found.is_empty(), "see docs/style.md: {found:#?}");
}

#[test]
fn one_thing_is_no_plural() {
    let nouns = [
        "equations",
        "unknowns",
        "variables",
        "modes",
        "conditions",
        "classes",
        "groups",
        "errors",
        "warnings",
        "places",
        "values",
        "components",
        "events",
        "steps",
        "outputs",
        "inputs",
        "parameters",
    ];
    let is_snapshot = |path: &Path| path.extension().is_some_and(|ext| ext == "snap");
    let mut snapshots = Vec::new();
    let root = modeshift_testkit::root();
    let mut waiting = vec![root.join("crates"), root.join("test-models")];
    while let Some(dir) = waiting.pop() {
        let entries = fs::read_dir(dir).expect("the repository can be read");
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            match path.is_dir() {
                true if !path.ends_with("target") => waiting.push(path),
                false if is_snapshot(&path) => snapshots.push(path),
                _ => {}
            }
        }
    }
    assert!(snapshots.len() > 100, "there are more snapshots than that");
    let mut found = Vec::new();
    for path in snapshots {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for (i, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let wrong = words.windows(2).any(|pair| {
                let noun = pair[1].trim_end_matches([',', ':', ';', '.', ')']);
                matches!(pair[0], "1" | "(1") && nouns.contains(&noun)
            });
            if wrong {
                found.push(format!("{}:{}: {line}", name(&path), i + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_paths_of_somebodys_machine() {
    let places = ["work", "home", "root", "Users"].map(|dir| format!("/{dir}/"));
    let mut found = Vec::new();
    for (path, text) in texts() {
        for (i, line) in text.lines().enumerate() {
            let absolute = places.iter().any(|place| {
                line.match_indices(place.as_str()).any(|(at, _)| {
                    // `src/work/` is no absolute path.
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|char| !char.is_alphanumeric() && !"./_-~}*".contains(char))
                })
            });
            if absolute {
                found.push(format!("{}:{}", name(&path), i + 1));
            }
        }
    }
    assert!(found.is_empty(), "machine paths: {found:#?}");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut dead = Vec::new();
    let docs = modeshift_testkit::root().join("docs");
    for (path, text) in pages() {
        let dir = path.parent().unwrap_or(&path);
        for target in links(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = if file.is_empty() {
                path.clone()
            } else {
                dir.join(file)
            };
            let known = |to: &Path| {
                let page = fs::read_to_string(to).unwrap_or_default();
                anchor.is_empty() || anchors(&page).iter().any(|known| known == anchor)
            };
            // The book has no other files than those of its directory, and mdBook calls `README.md` otherwise.
            let inside = |to: &Path| {
                let real = to.canonicalize();
                let found = real.is_ok_and(|real| real.starts_with(&docs));
                !path.starts_with(&docs) || found && !to.ends_with("README.md")
            };
            if !to.exists() || !known(&to) || !inside(&to) {
                dead.push(format!("{}: {target}", name(&path)));
            }
        }
    }
    assert!(dead.is_empty(), "dead links: {dead:#?}");
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let docs = modeshift_testkit::root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("there is a summary");
    let listed: Vec<PathBuf> = links(&summary).iter().map(|link| docs.join(link)).collect();
    let lost: Vec<String> = pages()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with(&docs) && !path.ends_with("SUMMARY.md"))
        .filter(|path| !listed.contains(path))
        .map(|path| name(&path))
        .collect();
    assert!(lost.is_empty(), "not in docs/SUMMARY.md: {lost:#?}");
}

fn pages() -> impl Iterator<Item = (PathBuf, String)> {
    texts().filter(|(path, _)| path.extension().is_some_and(|ext| ext == "md"))
}

/// What headings are called in links: in small letters, words joined by `-`, without other signs.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len())
            .then(|| text.strip_prefix(' '))
            .flatten()
    });
    let anchor = |heading: &str| -> String {
        let chars = heading.trim().to_lowercase();
        let chars = chars
            .chars()
            .map(|char| if char == ' ' { '-' } else { char });
        chars
            .filter(|char| char.is_alphanumeric() || "-_".contains(*char))
            .collect()
    };
    headings.map(anchor).collect()
}

/// Targets of `[text](target)` outside code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut in_fence = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_fence = !in_fence;
        }
        if in_fence || line.starts_with("    ") {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for (at, _) in prose.match_indices("](") {
            let target = &prose[at + 2..];
            if let Some(end) = target.find(')') {
                links.push(target[..end].to_owned());
            }
        }
    }
    links
}
