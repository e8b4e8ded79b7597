//! Diagnostics as a SARIF 2.1.0 log, the form that code hosts and CI dashboards read.
//!
//! The first label is the result's location, the others are related locations; fixes become
//! `fixes`, the code's title and page become the rule. Columns are counted in Unicode code points,
//! which `columnKind` says.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::files::Files;
use crate::json::JsonPlace;
use crate::registry::Code;
use modeshift_base::{FileSpan, FxIndexSet};
use serde_json::{Map, Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log in the making.
#[derive(Clone, Debug, Default)]
pub struct Log {
    codes: FxIndexSet<Code>,
    results: Vec<Value>,
}

impl Log {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, diagnostic: &Diagnostic, files: &Files) {
        let (rule_index, _) = self.codes.insert_full(diagnostic.code);
        self.results.push(result(diagnostic, rule_index, files));
    }

    /// The whole log as one JSON value.
    pub fn finish(self) -> Value {
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "modeshift",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": self.codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
                }},
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        })
    }
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "name": code.slug(),
        "shortDescription": { "text": code.title() },
        "help": { "text": format!("Run `modeshift explain {code}`, or read {}.", code.page()) },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn result(diagnostic: &Diagnostic, rule_index: usize, files: &Files) -> Value {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push('\n');
        text.push_str(note);
    }
    let mut result = Map::new();
    result.insert("ruleId".into(), diagnostic.code.as_str().into());
    result.insert("ruleIndex".into(), rule_index.into());
    result.insert("level".into(), level(diagnostic.severity).into());
    result.insert("message".into(), json!({ "text": text }));
    let mut labels = diagnostic.labels.iter().filter_map(|label| {
        let mut location = json!({ "physicalLocation": physical_location(label.at, files)? });
        if !label.message.is_empty() {
            location["message"] = json!({ "text": label.message });
        }
        Some(location)
    });
    result.insert("locations".into(), labels.next().into_iter().collect());
    let related: Vec<Value> = labels.collect();
    if !related.is_empty() {
        result.insert("relatedLocations".into(), related.into());
    }
    if !diagnostic.fixes.is_empty() {
        let fixes = diagnostic
            .fixes
            .iter()
            .map(|f| fix(f, files))
            .collect::<Vec<_>>();
        result.insert("fixes".into(), fixes.into());
    }
    Value::Object(result)
}

/// SARIF groups the replacements of a fix by file.
fn fix(fix: &Fix, files: &Files) -> Value {
    let touched: FxIndexSet<_> = fix.edits.iter().map(|edit| edit.at.file).collect();
    let changes = touched.iter().filter_map(|file| {
        let source = files.get(*file)?;
        let replacements = fix
            .edits
            .iter()
            .filter(|edit| edit.at.file == *file)
            .map(|edit| {
                json!({
                    "deletedRegion": region(&JsonPlace::new(edit.at, files)),
                    "insertedContent": { "text": edit.text },
                })
            });
        Some(json!({
            "artifactLocation": { "uri": uri(source.name()) },
            "replacements": replacements.collect::<Vec<_>>(),
        }))
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<_>>(),
    })
}

fn physical_location(at: FileSpan, files: &Files) -> Option<Value> {
    let place = JsonPlace::new(at, files);
    Some(json!({
        "artifactLocation": { "uri": uri(place.file.as_deref()?) },
        "region": region(&place),
    }))
}

fn region(at: &JsonPlace) -> Value {
    json!({
        "startLine": at.place.line,
        "startColumn": at.place.column,
        "endLine": at.place.end_line,
        "endColumn": at.place.end_column,
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A file name as a URI reference: forward slashes, everything unusual percent-encoded. A name that
/// would read as absolute URI (`C:`) gets the `file` scheme.
fn uri(name: &str) -> String {
    let name = name.replace('\\', "/");
    let mut uri = String::with_capacity(name.len());
    if name.starts_with('/') {
        uri.push_str("file://");
    } else if name.as_bytes().get(1) == Some(&b':') {
        uri.push_str("file:///");
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b':' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn file_names_become_uri_references() {
        assert_eq!(uri("a b/ü.mo"), "a%20b/%C3%BC.mo");
        assert_eq!(uri("/tmp/A.mo"), "file:///tmp/A.mo");
        assert_eq!(uri(r"C:\A.mo"), "file:///C:/A.mo");
    }
}
