//! Every fix that is offered for a test model mends: applied, there are fewer mistakes and no new ones.

use modeshift_diag::{Code, Diagnostic, Phase, Severity, apply_fixes};
use modeshift_driver::{MemorySystem, Session, Settings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const NAME: &str = "/project/main.mo";

fn check(text: &str) -> (Vec<Diagnostic>, Session) {
    let system = Arc::new(MemorySystem::new());
    system.write(NAME, text);
    let mut session = Session::new(system, Settings::in_dir("/project"));
    session.open(NAME);
    let report = session.report(session.check(None, false));
    (report.diagnostics, session)
}

type Counts = BTreeMap<(Severity, Code, String), usize>;

fn counted(found: &[Diagnostic]) -> Counts {
    let mut counts = Counts::new();
    for it in found.iter().filter(|it| it.severity > Severity::Note) {
        let key = (it.severity, it.code, it.message.clone());
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// What is wrong with the fixes of one text, and how many there were.
fn complaints(text: &str) -> (Vec<String>, usize) {
    let (found, session) = check(text);
    let before = counted(&found);
    let mut complaints = Vec::new();
    let mut offered = 0;
    // A model that is only to be parsed means nothing.
    let parsed_only = text.starts_with("//! run: parse");
    let wanted = |it: &&Diagnostic| !parsed_only || it.code.phase() == Phase::Syntax;
    for diagnostic in found.iter().filter(wanted) {
        for fix in &diagnostic.fixes {
            offered += 1;
            let Some(file) = fix.edits.first().map(|edit| edit.at.file) else {
                complaints.push(format!("`{}` changes nothing", fix.title));
                continue;
            };
            let own = session.open_files().first().map(|it| it.id(session.db()));
            if own != Some(file) {
                complaints.push(format!("`{}` changes another file", fix.title));
                continue;
            }
            let (mended, applied) = apply_fixes([fix], file, text);
            let after = counted(&check(&mended).0);
            // Mistakes that later phases find were hidden before: they are no consequence of the fix.
            let phase = diagnostic.code.phase();
            let of_phase = |counts: &Counts| -> usize {
                let known = counts.iter().filter(|((severity, code, _), _)| {
                    *severity == diagnostic.severity.max(Severity::Warning) && code.phase() <= phase
                });
                known.map(|(_, count)| count).sum()
            };
            let better = of_phase(&after) < of_phase(&before);
            let new: Vec<String> = after
                .iter()
                .filter(|((severity, code, _), _)| {
                    *severity == Severity::Error && code.phase() <= phase
                })
                .filter(|(key, count)| before.get(key) < Some(count))
                .map(|((_, code, message), _)| format!("{code}: {message}"))
                .collect();
            if applied == 0 || !better || !new.is_empty() {
                complaints.push(format!(
                    "{} `{}`: {applied} applied, {}, new: {new:?}",
                    diagnostic.code,
                    fix.title,
                    if better {
                        "fewer mistakes"
                    } else {
                        "not fewer mistakes"
                    },
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
    models(&root, &mut paths);
    let mut all = Vec::new();
    let mut offered = 0;
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let (found, count) = complaints(&text);
        offered += count;
        let name = path
            .strip_prefix(&root)
            .unwrap_or(&path)
            .display()
            .to_string();
        all.extend(found.into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(offered > 30, "only {offered} fixes are offered at all");
    assert!(
        all.is_empty(),
        "of {offered} fixes {} do not mend:\n{}",
        all.len(),
        all.join("\n")
    );
}
