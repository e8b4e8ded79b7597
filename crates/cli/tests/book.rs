//! What the documentation shows is what modeshift prints: the commands in `console` blocks of the
//! README and of `docs/` are run, and the pictures are drawn anew. `tools/update-docs` rewrites both.
//! Every other block says how it is tested, or why not; see [`untested`].

use modeshift_testkit::book::Block;
use modeshift_testkit::{book, directives, picture, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

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

/// A directory that looks like the root of the repository, in which commands may leave files.
struct Workplace(TempDir);

impl Workplace {
    fn new() -> Self {
        let place = TempDir::new().expect("a directory can be made");
        for entry in fs::read_dir(root()).expect("the repository can be read") {
            let entry = entry.expect("the repository can be read");
            if entry.file_name() != "target" {
                link(&entry.path(), &place.path().join(entry.file_name()));
            }
        }
        Self(place)
    }

    /// Runs a command line as shown to the user. `cargo modeshift` is this build's binary; pipes and redirections
    /// are a shell's.
    fn run(&self, line: &str, more: &[&str]) -> String {
        let binary = Path::new(env!("CARGO_BIN_EXE_modeshift"));
        let mut command = if line.contains(['|', '>', ';']) {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            let path = std::env::var_os("PATH").unwrap_or_default();
            let dirs = binary
                .parent()
                .map(Path::to_path_buf)
                .into_iter()
                .chain(std::env::split_paths(&path));
            shell.env("PATH", std::env::join_paths(dirs).expect("a path"));
            shell
        } else {
            let words = directives::split(line).expect("a command can be split");
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let args = match &words[..] {
                ["modeshift", args @ ..] | ["cargo", "modeshift", args @ ..] => args,
                _ => panic!("only modeshift can be run: {line}"),
            };
            let mut command = Command::new(binary);
            command.args(args).args(more);
            command
        };
        let output = command
            .current_dir(self.0.path())
            .env_remove("MODELICAPATH")
            .output()
            .expect("the command can be run");
        // The order in which a terminal shows the streams: reports before summaries.
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stdout));
        text
    }
}

#[cfg(unix)]
fn link(original: &Path, place: &Path) {
    std::os::unix::fs::symlink(original, place).expect("a link can be made");
}

#[cfg(windows)]
fn link(original: &Path, place: &Path) {
    let made = if original.is_dir() {
        std::os::windows::fs::symlink_dir(original, place)
    } else {
        std::os::windows::fs::symlink_file(original, place)
    };
    made.expect("a link can be made");
}

fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    pages.extend(
        ["stdlib", "grammar", "tools/fuzz", "tools/vscode"]
            .map(|dir| root.join(dir).join("README.md")),
    );
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
            let place = Workplace::new();
            let page = fs::read_to_string(path).expect("a page can be read");
            settle(
                path,
                &page,
                &book::rewritten(&page, &mut |command| place.run(command, &[])),
            )
        })
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn pictures_show_what_is_printed() {
    let place = Workplace::new();
    let complaints: Vec<String> = PICTURES
        .iter()
        .filter_map(|(name, command)| {
            let path = root().join("docs/images").join(name);
            let printed = place.run(command, &["--color", "always", "--width", "96"]);
            let found = fs::read_to_string(&path).unwrap_or_default();
            settle(&path, &found, &picture::svg(command, &printed))
        })
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Why a block is not tested as it says, or nothing if it is. The words behind its fence say how:
///
/// - `console`: commands and what they print, run by [`commands_print_what_the_pages_show`]
/// - `modelica passes`, `modelica fails`: run by the test `pages`
/// - `modelica file=PATH`, `text file=PATH`: lines of that file, one after the other
/// - `modelica equations`: equations, which must parse
/// - `modelica parses`: whole classes, which must parse
/// - `json`, `toml`, `lua`: read here, or used by the test `editors`
/// - `text`: holds no command
/// - `sh not-run: WHY`, `yaml not-run: WHY`: not run, for this reason; what it names exists
fn untested(block: &Block<'_>, place: &Workplace) -> Option<String> {
    let (language, how) = block.info.split_once(' ').unwrap_or((block.info, ""));
    if let Some(file) = how.strip_prefix("file=") {
        let text = fs::read_to_string(root().join(file)).ok()?;
        let found = text.contains(block.text.as_str());
        return (!found).then(|| format!("is not in {file}"));
    }
    match (language, how) {
        ("console", "") | ("lua" | "toml", "") => None,
        ("modelica", _) if how.starts_with("passes") || how.starts_with("fails") => None,
        ("modelica", "equations") => {
            parses(&format!("model M\nequation\n{}end M;\n", block.text), place)
        }
        ("modelica", "parses") => parses(&block.text, place),
        ("json", "") => {
            let read: Result<serde_json::Value, _> = serde_json::from_str(&block.text);
            read.err().map(|error| error.to_string())
        }
        ("text", "") => {
            let command = |line: &&str| {
                ["$ ", "modeshift ", "cargo "]
                    .iter()
                    .any(|start| line.starts_with(start))
            };
            let found = block.text.lines().find(command);
            found.map(|line| format!("holds the command `{line}`, which nobody runs"))
        }
        ("sh" | "yaml", _)
            if how
                .strip_prefix("not-run: ")
                .is_some_and(|why| why.len() > 8) =>
        {
            block.text.lines().find_map(missing)
        }
        _ => Some("does not say how it is tested".to_owned()),
    }
}

fn parses(text: &str, place: &Workplace) -> Option<String> {
    let file = place.0.path().join("Block.mo");
    fs::write(&file, text).expect("a file can be written");
    let printed = place.run("modeshift parse Block.mo", &[]);
    (!printed.contains("no errors")).then_some(printed)
}

/// What a command that is not run names, and is not there: a program of `tools/`, a crate, an example, a benchmark.
fn missing(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let behind = |option: &str| {
        let at = words.iter().position(|word| *word == option)?;
        words.get(at + 1).copied()
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    let program = words.first().copied().unwrap_or_default();
    if program.starts_with("tools/") || program.starts_with(".ci/") {
        paths.push(root().join(program));
    }
    if let Some(folder) = behind("-p").and_then(|package| package.strip_prefix("modeshift-")) {
        let dir = root().join("crates").join(folder);
        let parts = [("--example", "examples"), ("--bench", "benches")];
        let parts = parts
            .iter()
            .filter_map(|(option, part)| Some(dir.join(part).join(behind(option)?)));
        // A bench or an example is a file or a directory.
        paths.extend(parts.map(|path| {
            if path.is_dir() {
                path
            } else {
                path.with_extension("rs")
            }
        }));
        paths.push(dir);
    }
    paths.extend(behind("--path").map(|path| root().join(path)));
    let lost = paths.into_iter().find(|path| !path.exists())?;
    Some(format!("names {}, which does not exist", lost.display()))
}

#[test]
fn every_block_says_how_it_is_tested() {
    let place = Workplace::new();
    let mut complaints = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).expect("a page can be read");
        let blocks = book::blocks(&page);
        assert!(
            blocks.iter().all(|block| !block.text.is_empty()),
            "{}",
            path.display()
        );
        for block in blocks {
            if let Some(why) = untested(&block, &place) {
                complaints.push(format!("{}:{} {why}", path.display(), block.line));
            }
        }
        for line in book::indented_code(&page) {
            complaints.push(format!("{}:{line} is code without a fence", path.display()));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// The book's summary with `entries` below the chapter on diagnostics. mdBook allows no marks there.
fn summary_with(page: &str, entries: &str) -> String {
    let chapter = "- [Diagnostics](diagnostics/index.md)\n";
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
        complain("diagnostics/index.md", &|page| page_with(page, &table)),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
