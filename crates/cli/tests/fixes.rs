//! Every fix that is offered for a test model mends: applied, there are fewer mistakes and no new ones.

use modeshift_diag::{Diagnostic, Severity, apply_fixes};
use modeshift_driver::{MemorySystem, Session, Settings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const NAME: &str = "/project/main.mo";

/// What a text is told: by severity, code and message, with how often.
fn check(text: &str) -> (Vec<Diagnostic>, Session) {
    let system = Arc::new(MemorySystem::new());
    system.write(NAME, text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open(NAME);
    let report = session.report(session.check(None, false));
    (report.diagnostics, session)
}

fn counted(found: &[Diagnostic]) -> BTreeMap<(Severity, String), usize> {
    let mut counts = BTreeMap::new();
    for it in found.iter().filter(|it| it.severity > Severity::Note) {
        let key = (it.severity, format!("{}: {}", it.code, it.message));
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn total(counts: &BTreeMap<(Severity, String), usize>, severity: Severity) -> usize {
    let of_severity = counts.iter().filter(|((it, _), _)| *it == severity);
    of_severity.map(|(_, count)| count).sum()
}

/// What is wrong with the fixes of one text, and how many there were.
fn complaints(text: &str) -> (Vec<String>, usize) {
    let (found, session) = check(text);
    let before = counted(&found);
    let mut complaints = Vec::new();
    let mut offered = 0;
    for diagnostic in &found {
        for fix in &diagnostic.fixes {
            offered += 1;
            let Some(file) = fix.edits.first().map(|edit| edit.at.file) else {
                complaints.push(format!("`{}` changes nothing", fix.title));
                continue;
            };
            let name = session.db().files().by_id(file).map(|it| it.path(session.db()).to_owned());
            if name.as_deref() != Some(Path::new(NAME)) {
                complaints.push(format!("`{}` changes another file", fix.title));
                continue;
            }
            let (mended, applied) = apply_fixes([fix], file, text);
            let after = counted(&check(&mended).0);
            let severity = diagnostic.severity.max(Severity::Warning);
            let fewer = total(&after, severity) < total(&before, severity);
            // A text that cannot be parsed hides what is wrong with its meaning.
            let syntax = |key: &String| key.starts_with("MS0");
            let was_syntax = diagnostic.code.as_str().starts_with("MS0");
            let new: Vec<&String> = after
                .iter()
                .filter(|(key, count)| key.0 == Severity::Error && before.get(key) < Some(count))
                .map(|((_, message), _)| message)
                .filter(|message| !was_syntax || syntax(message))
                .collect();
            let syntax_before = before.keys().filter(|key| syntax(&key.1)).count();
            let syntax_after = after.keys().filter(|key| syntax(&key.1)).count();
            let better = fewer || was_syntax && syntax_after < syntax_before;
            if applied == 0 || !better || !new.is_empty() {
                complaints.push(format!(
                    "{} `{}`: {applied} applied, {}, new: {new:?}",
                    diagnostic.code,
                    fix.title,
                    if better { "fewer mistakes" } else { "not fewer mistakes" },
                ));
            }
        }
    }
    (complaints, offered)
}

fn models(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("test-models can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|it| it == "mo") {
            out.push(path);
        }
    }
}

#[test]
fn every_fix_of_every_test_model_mends() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models");
    let mut paths = Vec::new();
    for topic in ["mistakes", "wrong", "parse", "front", "loops", "modes", "functions"] {
        models(&root.join(topic), &mut paths);
    }
    let mut all = Vec::new();
    let mut offered = 0;
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let (found, count) = complaints(&text);
        offered += count;
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        all.extend(found.into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(offered > 30, "only {offered} fixes are offered at all");
    assert!(all.is_empty(), "of {offered} fixes {} do not mend:\n{}", all.len(), all.join("\n"));
}
