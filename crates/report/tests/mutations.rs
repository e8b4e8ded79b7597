//! The comparison finds what is wrong: every recorded flat model is changed in one place, in every way and at every
//! place that the lists below name, and each change must be told. Every eighth change is tried; all 13,000 with
//! `MODESHIFT_ALL_MUTATIONS=1`, which takes a minute.
#![expect(clippy::disallowed_methods, reason = "a test reads its recordings")]

use modeshift_report::compare::{FlatText, compare};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// One change of a text.
struct Mutant {
    what: &'static str,
    at: Range<usize>,
    by: String,
}

/// Words and signs that are exchanged for others, in declarations and equations alike.
const EXCHANGES: &[(&str, &str, &str)] = &[
    ("sign", " + ", " - "),
    ("sign", " - ", " + "),
    ("operator", " * ", " / "),
    ("operator", " / ", " * "),
    ("relation", " < ", " <= "),
    ("relation", " > ", " < "),
    ("relation", " >= ", " > "),
    ("relation", " == ", " <> "),
    ("logic", " and ", " or "),
    ("logic", " or ", " and "),
    ("logic", "not ", ""),
    ("function", "sin(", "cos("),
    ("function", "pre(", "noEvent("),
    ("function", "der(", "abs("),
    ("prefix", "  parameter ", "  "),
    ("prefix", "  final parameter ", "  parameter "),
    ("prefix", "  discrete ", "  "),
    ("prefix", "  protected ", "  "),
    ("prefix", "  input ", "  output "),
    ("type", "  Real ", "  Integer "),
    ("type", "  Boolean ", "  Integer "),
    ("attribute", "fixed = true", "fixed = false"),
    ("attribute", "unit = \"", "unit = \"k"),
    ("attribute", "quantity = \"", "quantity = \"k"),
    ("section", "initial equation\n", "equation\n"),
];

/// The places of a text that are not in a string or a comment, as a mask.
fn code(text: &str) -> Vec<bool> {
    let mut in_string = false;
    let mut escaped = false;
    text.bytes()
        .map(|byte| {
            let was = in_string;
            match byte {
                b'"' if !escaped => in_string = !in_string,
                _ => {}
            }
            escaped = in_string && byte == b'\\' && !escaped;
            !was
        })
        .collect()
}

fn mutants(text: &str) -> Vec<Mutant> {
    let code = code(text);
    let mut found = Vec::new();
    for &(what, from, to) in EXCHANGES {
        for (at, _) in text.match_indices(from) {
            if code[at] {
                let by = to.to_owned();
                let at = at..at + from.len();
                found.push(Mutant { what, at, by });
            }
        }
    }
    found.extend(numbers(text, &code));
    found.extend(dropped(text));
    found
}

/// Each number, one larger: start values, bindings, coefficients, subscripts.
fn numbers<'t>(text: &'t str, code: &'t [bool]) -> impl Iterator<Item = Mutant> + 't {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let starts = (1..bytes.len())
        .filter(move |&at| is_digit(at) && code[at] && b" ([{,-".contains(&bytes[at - 1]));
    starts.filter_map(|at| {
        let rest = &text[at..];
        let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.')?;
        let value: f64 = rest[..end].parse().ok()?;
        let integer = !rest[..end].contains('.');
        let by = if integer {
            format!("{}", value as i64 + 1)
        } else {
            format!("{:?}", value + 1.0)
        };
        Some(Mutant {
            what: "number",
            at: at..at + end,
            by,
        })
    })
}

/// Each equation, statement and declaration of one line, left out.
fn dropped(text: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let whole = line.starts_with("  ") && line.trim_end().ends_with(';');
        let opens = [
            "end ",
            "if ",
            "for ",
            "when ",
            "else",
            "annotation",
            "external",
        ];
        if whole && !opens.iter().any(|word| line.trim_start().starts_with(word)) {
            let at = at..at + line.len();
            let by = String::new();
            found.push(Mutant {
                what: "line",
                at,
                by,
            });
        }
        at += line.len();
    }
    found
}

/// Changes that change nothing: the model, a part of the line, and the reason.
const HARMLESS: &[(&str, &str, &str)] = &[
    (
        "ArrayEquations",
        "M[1,2]",
        "`M[1,2] = M[2,2]` makes the two names of one value",
    ),
    (
        "ElecThreePhase",
        "load.n[",
        "the star point makes all `load.n[i].v` equal",
    ),
    (
        "OverconstrainedFrame",
        "j1.a.f[",
        "round the loop `j1.a.f + ground.a.f` is zero",
    ),
    (
        "ShortClasses",
        "kilos[",
        "resistors in series have one current",
    ),
];

#[test]
fn every_change_of_a_recorded_model_is_found() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models/omc/flat");
    let mut files: Vec<_> = fs::read_dir(dir)
        .expect("there are recordings")
        .map(|entry| entry.expect("a recording").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();
    let all = std::env::var_os("MODESHIFT_ALL_MUTATIONS").is_some();
    let step = if all { 1 } else { 8 };
    let (mut tried, mut missed) = (0, Vec::new());
    for path in files {
        let text = fs::read_to_string(&path).expect("a recording can be read");
        let Ok(theirs) = FlatText::read(&text) else {
            continue;
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for mutant in mutants(&text).into_iter().step_by(step) {
            let mut other = text.clone();
            other.replace_range(mutant.at.clone(), &mutant.by);
            let Ok(ours) = FlatText::read(&other) else {
                continue;
            };
            tried += 1;
            if !compare(&theirs, &ours).is_empty() {
                continue;
            }
            let line = text[..mutant.at.start].matches('\n').count();
            let shown = text.lines().nth(line).unwrap_or_default();
            let harmless = HARMLESS
                .iter()
                .any(|(model, part, _)| *model == name && shown.contains(part));
            if !harmless {
                missed.push(format!(
                    "{name}:{line} {}: {shown} → {:?}",
                    mutant.what, mutant.by
                ));
            }
        }
    }
    assert!(tried * step > 10_000, "{tried} changes are too few");
    assert!(
        missed.is_empty(),
        "{} of {tried} changes were not found: {missed:#?}",
        missed.len()
    );
}
