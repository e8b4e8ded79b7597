//! Every text of `test-models/parse/err` has mistakes. The snapshots beside them hold what is said about
//! them and the tree that is left; applying all fixes must never make things worse.

#![expect(clippy::disallowed_methods, reason = "the test reads its models")]

use modeshift_base::Span;
use modeshift_diag::{Code, Diagnostic, Edit};
use modeshift_syntax::parse;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../test-models/parse")
        .join(folder);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "mo"))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn place(text: &str, at: u32) -> String {
    let before = &text[..at as usize];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!("{line}:{column}")
}

fn shown(text: &str, error: &Diagnostic<Span>) -> String {
    let mut out = format!("{}: {}\n", error.code.as_str(), error.message);
    for label in &error.labels {
        let words = text[label.at.range()].replace('\n', "⏎");
        let _ = writeln!(
            out,
            "  {} `{words}` {}",
            place(text, label.at.start),
            label.message
        );
    }
    for note in &error.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    for fix in &error.fixes {
        let edits: Vec<String> = fix
            .edits
            .iter()
            .map(|edit| {
                format!(
                    "{} `{}` -> `{}`",
                    place(text, edit.at.start),
                    &text[edit.at.range()],
                    edit.text.replace('\n', "⏎")
                )
            })
            .collect();
        let _ = writeln!(out, "  fix: {} ({})", fix.title, edits.join(", "));
    }
    out
}

/// The text after the first fix of every message, from the end so that places stay.
fn fixed(text: &str, errors: &[Diagnostic<Span>]) -> String {
    let mut edits: Vec<&Edit<Span>> = errors
        .iter()
        .filter_map(|error| error.fixes.first())
        .flat_map(|fix| &fix.edits)
        .collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.at.start, edit.at.end)));
    let mut text = text.to_owned();
    let mut from = u32::MAX;
    for edit in edits {
        if edit.at.end <= from {
            text.replace_range(edit.at.range(), &edit.text);
            from = edit.at.start;
        }
    }
    text
}

#[test]
fn mistakes_are_told_once_and_the_rest_stays() {
    for path in models("err") {
        let text = read(&path);
        let parsed = parse(&text);
        assert_ne!(parsed.errors, [], "{} has no mistake", path.display());
        let mut out = String::new();
        for error in &parsed.errors {
            out.push_str(&shown(&text, error));
        }
        let _ = write!(out, "---\n{}", parsed.file);
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.with_file_name("snap"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, out));
    }
}

#[test]
fn applying_the_fixes_mends_what_they_are_about() {
    for path in models("err") {
        let text = read(&path);
        let before = parse(&text).errors;
        let after = parse(&fixed(&text, &before)).errors;
        assert!(
            after.len() <= before.len(),
            "{}: {before:#?}\nbecame {after:#?}",
            path.display()
        );
        for error in before.iter().filter(|error| !error.fixes.is_empty()) {
            let same = |other: &&Diagnostic<Span>| {
                (other.code, &other.message) == (error.code, &error.message)
            };
            let count = |errors: &[Diagnostic<Span>]| errors.iter().filter(same).count();
            assert!(
                count(&after) < count(&before),
                "{}: {error:#?} remains",
                path.display()
            );
        }
    }
}

/// The bracket is put in at a guess, and what follows from a wrong guess is not told.
#[test]
fn a_bracket_lost_in_a_list_is_one_mistake() {
    let text = "model M annotation(Icon(graphics={\n  Line(points={{0, 0}, {1, 1}}, color={0, 0, 255},\n  \
                Text(extent={{0, 0}, {1, 1}}, textString=\"a\"),\n  Line(points={{0, 1}, {1, 0}})}));\nend M;";
    let codes: Vec<Code> = parse(text).errors.iter().map(|error| error.code).collect();
    assert_eq!(codes, [Code::MS0005]);
}
