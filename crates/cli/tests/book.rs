//! What the documentation shows is what modeshift prints: the commands in `console` blocks of the
//! README and of `docs/` are run, and the pictures are drawn anew. `tools/update-docs` rewrites both.

use modeshift_testkit::{book, directives, picture, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set to rewrite pages and pictures instead of complaining about them.
const UPDATE: &str = "MODESHIFT_UPDATE_DOCS";

/// Pictures: the file under `docs/images` and the command they show, run at the root.
const PICTURES: &[(&str, &str)] = &[
    (
        "rldc2.svg",
        "modeshift check --quiet test-models/modes/RLDC2.mo",
    ),
    (
        "clutch-basic.svg",
        "modeshift check test-models/modes/ClutchBasic.mo",
    ),
];

fn update() -> bool {
    std::env::var_os(UPDATE).is_some()
}

/// Runs a command line as shown to the user. `cargo modeshift` is this build's binary.
fn run(command: &str, more: &[&str]) -> String {
    let words = directives::split(command).expect("a command can be split");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let args = match &words[..] {
        ["modeshift", args @ ..] | ["cargo", "modeshift", args @ ..] => args,
        _ => panic!("only modeshift can be run: {command}"),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(args)
        .args(more)
        .current_dir(root())
        .env_remove("MODELICAPATH")
        .output()
        .expect("modeshift can be run");
    // The order in which a terminal shows the streams: reports before summaries.
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text
}

fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    collect(&root.join("docs"), &mut pages);
    pages.sort();
    pages
}

fn collect(dir: &Path, pages: &mut Vec<PathBuf>) {
    for path in fs::read_dir(dir)
        .expect("docs can be read")
        .filter_map(|e| Some(e.ok()?.path()))
    {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|ext| ext == "md") {
            pages.push(path);
        }
    }
}

/// Rewrites `path`, or gives a complaint.
fn settle(path: &Path, found: &str, truth: &str) -> Option<String> {
    if found == truth {
        return None;
    }
    if update() {
        fs::write(path, truth).expect("documentation can be written");
        return None;
    }
    Some(format!(
        "{} is not what modeshift prints; run tools/update-docs",
        path.display()
    ))
}

#[test]
fn commands_print_what_the_pages_show() {
    let complaints: Vec<String> = pages()
        .iter()
        .filter_map(|path| {
            let page = fs::read_to_string(path).expect("a page can be read");
            settle(
                path,
                &page,
                &book::rewritten(&page, &mut |command| run(command, &[])),
            )
        })
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn pictures_show_what_is_printed() {
    let complaints: Vec<String> = PICTURES
        .iter()
        .filter_map(|(name, command)| {
            let path = root().join("docs/images").join(name);
            let printed = run(command, &["--color", "always", "--width", "96"]);
            let found = fs::read_to_string(&path).unwrap_or_default();
            settle(&path, &found, &picture::svg(command, &printed))
        })
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// The book's summary with `entries` below the chapter on diagnostics. mdBook allows no marks there.
fn summary_with(page: &str, entries: &str) -> String {
    let chapter = "- [Diagnostics](diagnostics/README.md)\n";
    let others = page
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("  - [MS"));
    others
        .collect::<String>()
        .replace(chapter, &format!("{chapter}{entries}"))
}

/// `page` with the text between its marks replaced.
fn page_with(page: &str, table: &str) -> String {
    let (start, end) = ("<!-- codes -->\n", "<!-- end of codes -->\n");
    let (before, rest) = page.split_once(start).expect("the list begins");
    let (_, after) = rest.split_once(end).expect("the list ends");
    format!("{before}{start}{table}{end}{after}")
}

#[test]
fn all_codes_are_listed() {
    let codes = modeshift_diag::Code::ALL
        .iter()
        .filter(|code| root().join(code.page()).exists());
    let mut entries = String::new();
    let mut table =
        String::from("\n| code | name | severity | about |\n| --- | --- | --- | --- |\n");
    for code in codes {
        let (slug, title) = (code.slug(), code.title());
        let severity = format!("{:?}", code.severity()).to_lowercase();
        entries += &format!("  - [{code}: {title}](diagnostics/{code}.md)\n");
        table += &format!("| [{code}]({code}.md) | `{slug}` | {severity} | {title} |\n");
    }
    table.push('\n');
    let complain = |name: &str, truth: &dyn Fn(&str) -> String| {
        let path = root().join("docs").join(name);
        let page = fs::read_to_string(&path).expect("a page can be read");
        settle(&path, &page, &truth(&page))
    };
    let complaints: Vec<String> = [
        complain("SUMMARY.md", &|page| summary_with(page, &entries)),
        complain("diagnostics/README.md", &|page| page_with(page, &table)),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
