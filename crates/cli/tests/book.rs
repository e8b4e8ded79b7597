//! What the documentation shows is what modeshift prints: the commands in `console` blocks of the
//! README and of `docs/` are run, and the pictures are drawn anew. `tools/update-docs` rewrites both.

use modeshift_testkit::{book, directives, picture, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set to rewrite pages and pictures instead of complaining about them.
const UPDATE: &str = "MODESHIFT_UPDATE_DOCS";

/// Pictures: the file under `docs/images` and the command they show, run at the root.
const PICTURES: &[(&str, &str)] = &[];

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
