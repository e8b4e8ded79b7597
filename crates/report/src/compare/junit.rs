//! The result of a comparison in JUnit's XML, which CI servers show.

use super::{Document, Outcome};
use std::fmt::Write as _;

/// One test case for each model.
pub fn junit(document: &Document) -> String {
    let summary = document.summary;
    let skipped = summary.not_expressible + summary.not_recorded;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"modeshift compare\" \
         tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{skipped}\">\n",
        summary.models, summary.different
    );
    if let Some(version) = &document.openmodelica {
        let _ = writeln!(
            out,
            "    <properties>\n      <property name=\"openmodelica\" value=\"{}\"/>\n    </properties>",
            escape(version)
        );
    }
    for model in &document.models {
        let (name, file) = (escape(&model.class), escape(&model.file));
        let _ = write!(
            out,
            "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\""
        );
        let reason = escape(model.reason.as_deref().unwrap_or_default());
        let _ = match model.result {
            Outcome::Equal | Outcome::BothReject => writeln!(out, "/>"),
            Outcome::Known => {
                writeln!(
                    out,
                    ">\n      <system-out>known: {reason}</system-out>\n    </testcase>"
                )
            }
            Outcome::Different => {
                let text = escape(&super::differences(model));
                let message = escape(&format!("{} differences", model.differences.len()));
                writeln!(
                    out,
                    ">\n      <failure message=\"{message}\">{text}</failure>\n    </testcase>"
                )
            }
            Outcome::NotExpressible | Outcome::NotRecorded => {
                let message = if reason.is_empty() {
                    escape(model.result.as_str())
                } else {
                    reason
                };
                writeln!(
                    out,
                    ">\n      <skipped message=\"{message}\"/>\n    </testcase>"
                )
            }
        };
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Text for XML; characters that XML does not have become `\u{fffd}`.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
