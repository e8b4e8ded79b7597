//! Holds what a command printed against what a test model's header expects.

use crate::directives::{Expectation, JsonTest, Run};
use serde_json::Value;
use std::process::Output;

/// A diagnostic as found in a command's output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    pub code: String,
    pub is_error: bool,
    /// Of the primary label.
    pub line: Option<u32>,
}

/// What a command left behind.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// `None` when a signal ended it.
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            exit: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Outcome {
    /// Both streams as one text, for snapshots and messages.
    pub fn transcript(&self) -> String {
        let mut text = String::new();
        if !self.stdout.is_empty() {
            text.push_str(self.stdout.trim_end());
            text.push('\n');
        }
        if !self.stderr.is_empty() {
            text.push_str("----- stderr\n");
            text.push_str(self.stderr.trim_end());
            text.push('\n');
        }
        text
    }

    /// The diagnostics in both streams: drawn for the terminal, or listed by a JSON document.
    pub fn diagnostics(&self) -> Vec<Reported> {
        let mut found = drawn(&self.stderr);
        if let Ok(document) = serde_json::from_str::<Value>(&self.stdout) {
            listed(&document, &mut found);
        } else {
            let lines = self.stdout.lines().filter(|line| line.starts_with('{'));
            for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
                found.extend(reported(&line));
            }
        }
        found
    }
}

/// Finds `error[MS0001]: …` and the place under it.
fn drawn(text: &str) -> Vec<Reported> {
    let mut found: Vec<Reported> = Vec::new();
    let mut waiting = false;
    for line in text.lines() {
        if let Some((code, is_error)) = headline(line) {
            found.push(Reported {
                code,
                is_error,
                line: None,
            });
            waiting = true;
        } else if waiting && let Some((_, place)) = line.split_once("┌─ ") {
            let number = place
                .rsplit(':')
                .nth(1)
                .and_then(|number| number.parse().ok());
            if let Some(last) = found.last_mut() {
                last.line = number;
            }
            waiting = false;
        }
    }
    found
}

fn headline(line: &str) -> Option<(String, bool)> {
    let (severity, rest) = line.split_once('[')?;
    let (code, _) = rest.split_once("]: ")?;
    let known = matches!(severity, "error" | "warning" | "note") && code.starts_with("MS");
    known.then(|| (code.to_owned(), severity == "error"))
}

/// Every array called `diagnostics`, wherever it is in the document.
fn listed(value: &Value, found: &mut Vec<Reported>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::Array(items) if key == "diagnostics" => {
                        found.extend(items.iter().filter_map(reported));
                    }
                    _ => listed(field, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| listed(item, found)),
        _ => {}
    }
}

fn reported(value: &Value) -> Option<Reported> {
    let labels = value["labels"].as_array();
    let primary = labels.and_then(|labels| labels.iter().find(|label| label["primary"] == true));
    Some(Reported {
        code: value["code"].as_str()?.to_owned(),
        is_error: value["severity"] == "error",
        line: primary
            .and_then(|label| label["line"].as_u64())
            .map(|line| line as u32),
    })
}

/// Everything that is not as the run expects, in words.
pub fn complaints(run: &Run, outcome: &Outcome) -> Vec<String> {
    let mut complaints = Vec::new();
    if outcome.exit != Some(run.exit) {
        let found = outcome
            .exit
            .map_or("a signal".to_owned(), |status| status.to_string());
        complaints.push(format!("exit: {} expected, found {found}", run.exit));
    }
    let document = serde_json::from_str::<Value>(&outcome.stdout);
    let diagnostics = outcome.diagnostics();
    for expectation in &run.expectations {
        let verdict = match expectation {
            Expectation::Json { pointer, test } => match &document {
                Ok(document) => json(document, pointer, test),
                Err(error) => Err(format!("standard output is no JSON document: {error}")),
            },
            Expectation::Approx {
                pointer,
                value,
                tolerance,
            } => match &document {
                Ok(document) => approx(document, pointer, *value, *tolerance),
                Err(error) => Err(format!("standard output is no JSON document: {error}")),
            },
            Expectation::Code { code, line } => code_at(&diagnostics, code, *line),
            Expectation::Stdout(text) => contains(&outcome.stdout, text),
            Expectation::Stderr(text) => contains(&outcome.stderr, text),
        };
        if let Err(found) = verdict {
            complaints.push(format!("{expectation}: {found}"));
        }
    }
    complaints.extend(unexpected_errors(run, &diagnostics));
    complaints
}

/// With exit status 1, and whenever some codes are listed, all error codes must be.
fn unexpected_errors(run: &Run, diagnostics: &[Reported]) -> Vec<String> {
    let codes: Vec<&String> = run
        .expectations
        .iter()
        .filter_map(|expectation| match expectation {
            Expectation::Code { code, .. } => Some(code),
            _ => None,
        })
        .collect();
    if run.exit == 1 && codes.is_empty() && diagnostics.is_empty() {
        return Vec::new(); // `fmt --check` and the like.
    }
    let mut unexpected: Vec<&Reported> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error && !codes.contains(&&diagnostic.code))
        .collect();
    unexpected.dedup();
    let describe = |diagnostic: &&Reported| match diagnostic.line {
        Some(line) => format!("not expected: code: {} line {line}", diagnostic.code),
        None => format!("not expected: code: {}", diagnostic.code),
    };
    unexpected.iter().map(describe).collect()
}

fn json(document: &Value, pointer: &str, test: &JsonTest) -> Result<(), String> {
    let found = document.pointer(pointer);
    if *test == JsonTest::Absent {
        return match found {
            None => Ok(()),
            Some(found) => Err(format!("found {found}")),
        };
    }
    let found = found.ok_or("there is nothing at this pointer")?;
    let holds = match test {
        JsonTest::Equals(value) => same(found, value),
        JsonTest::Differs(value) => !same(found, value),
        JsonTest::Contains(value) => match (found, value) {
            (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
            (Value::Array(items), _) => items.iter().any(|item| same(item, value)),
            (Value::Object(fields), Value::String(key)) => fields.contains_key(key),
            _ => false,
        },
        JsonTest::Len(len) => match found {
            Value::Array(items) => items.len() == *len,
            Value::Object(fields) => fields.len() == *len,
            _ => false,
        },
        JsonTest::Absent => false,
    };
    if holds {
        Ok(())
    } else {
        Err(format!("found {found}"))
    }
}

/// Equal as data: `1` and `1.0` are the same number, the order of an object's keys does not matter.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn approx(document: &Value, pointer: &str, value: f64, tolerance: f64) -> Result<(), String> {
    let found = document
        .pointer(pointer)
        .ok_or("there is nothing at this pointer")?;
    let number = match found {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if (number - value).abs() <= tolerance => Ok(()),
        _ => Err(format!("found {found}")),
    }
}

fn code_at(diagnostics: &[Reported], code: &str, line: Option<u32>) -> Result<(), String> {
    let mut with_code = diagnostics
        .iter()
        .filter(|found| found.code == code)
        .peekable();
    if with_code.peek().is_none() {
        return Err("not reported".into());
    }
    let lines: Vec<Option<u32>> = with_code.map(|found| found.line).collect();
    if line.is_none() || lines.contains(&line) {
        return Ok(());
    }
    let lines: Vec<String> = lines.iter().flatten().map(u32::to_string).collect();
    Err(format!("reported at line {}", lines.join(", ")))
}

fn contains(text: &str, part: &str) -> Result<(), String> {
    if text.contains(part) {
        Ok(())
    } else {
        Err(format!("found {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directives::{Header, parse};

    const DOCUMENT: &str = r#"{"verdict": "accepted", "classes": [{"index": 1.0}, {"index": 2}],
        "right": {"w1": 1.3333333, "w2": "0.5"},
        "diagnostics": [{"code": "MS0002", "severity": "warning",
                         "labels": [{"line": 3, "primary": true}]}]}"#;

    const DRAWN: &str = "error[MS0002]: expected `;`\n   ┌─ a b.mo:12:11\n   │\n\n\
                         warning[MS0001]: odd\n";

    fn judge(header: &str, exit: i32, stdout: &str, stderr: &str) -> Vec<String> {
        let Header::Runs(runs) = parse(header).unwrap() else {
            panic!("runs expected")
        };
        let (stdout, stderr) = (stdout.to_owned(), stderr.to_owned());
        complaints(
            &runs[0],
            &Outcome {
                exit: Some(exit),
                stdout,
                stderr,
            },
        )
    }

    #[test]
    fn what_holds_passes() {
        for directive in [
            "json: /verdict == \"accepted\"",
            "json: /verdict != \"rejected\"",
            "json: /verdict contains \"accept\"",
            "json: /classes len 2",
            "json: /classes/0/index == 1",
            "json: /classes contains {\"index\": 2}",
            "json: /right contains \"w1\"",
            "json: /right/w3 absent",
            "approx: /right/w1 == 1.3333 +- 1e-4",
            "approx: /right/w2 == 0.5 +- 0",
            "code: MS0002 line 3",
            "stdout: \"verdict\"",
        ] {
            let complaints = judge(&format!("//! {directive}"), 0, DOCUMENT, "");
            assert_eq!(complaints, Vec::<String>::new(), "{directive}");
        }
    }

    #[test]
    fn a_wrong_expectation_fails() {
        for directive in [
            "json: /verdict == \"rejected\"",
            "json: /verdict != \"accepted\"",
            "json: /verdict contains \"x\"",
            "json: /nowhere == 1",
            "json: /classes len 3",
            "json: /verdict len 8",
            "json: /right/w1 absent",
            "json: /classes contains {\"index\": 3}",
            "approx: /right/w1 == 1.3 +- 1e-4",
            "approx: /verdict == 1 +- 1",
            "code: MS0002 line 4",
            "code: MS0001",
            "stdout: nothing like this",
            "stderr: nothing like this",
            "exit: 1",
        ] {
            let complaints = judge(&format!("//! {directive}"), 0, DOCUMENT, "");
            assert_eq!(complaints.len(), 1, "{directive}: {complaints:?}");
        }
    }

    #[test]
    fn drawn_diagnostics_are_found_with_their_lines() {
        assert!(judge("//! exit: 1\n//! code: MS0002 line 12", 1, "", DRAWN).is_empty());
        assert_eq!(
            judge("//! exit: 1\n//! code: MS0002 line 13", 1, "", DRAWN),
            ["code: MS0002 line 13: reported at line 12"]
        );
    }

    #[test]
    fn every_error_code_must_be_listed() {
        assert_eq!(
            judge("//! exit: 1\n//! code: MS0001", 1, "", DRAWN),
            ["not expected: code: MS0002 line 12"]
        );
        assert_eq!(judge("//! exit: 1", 1, "", DRAWN).len(), 1);
    }

    #[test]
    fn json_expectations_need_a_document() {
        let complaints = judge("//! json: /a absent", 0, "no json", "");
        assert!(complaints[0].contains("no JSON document"), "{complaints:?}");
    }

    #[test]
    fn a_crash_is_no_exit_status() {
        let Header::Runs(runs) = parse("").unwrap() else {
            panic!("runs expected")
        };
        let outcome = Outcome {
            exit: None,
            stdout: String::new(),
            stderr: String::new(),
        };
        assert_eq!(
            complaints(&runs[0], &outcome),
            ["exit: 0 expected, found a signal"]
        );
    }
}
