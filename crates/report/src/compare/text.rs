//! The result of a comparison for people.

use super::{Comparison, Document, Outcome};
use std::fmt::Write as _;

/// What differs in a model: `-` is OpenModelica's, `+` ours.
pub fn differences(model: &Comparison) -> String {
    let mut out = String::new();
    for difference in &model.differences {
        let place = difference
            .function
            .as_ref()
            .map(|f| format!(" in function {f}"))
            .unwrap_or_default();
        let (theirs, ours) = (&difference.openmodelica, &difference.modeshift);
        let is_shown = [theirs, ours]
            .iter()
            .any(|side| side.as_ref() == Some(&difference.item));
        let item = if is_shown {
            String::new()
        } else {
            format!(" {}", difference.item)
        };
        let _ = writeln!(out, "  {}{item}{place}", difference.kind.as_str());
        for (mark, side) in [('-', theirs), ('+', ours)] {
            if let Some(text) = side {
                let shown = if text.is_empty() { "(none)" } else { text };
                let _ = writeln!(out, "    {mark} {shown}");
            }
        }
    }
    out
}

/// A table of the models, all of them or those worth a look, and how many have which result.
pub fn summary(document: &Document, all: bool) -> String {
    let mut out = String::new();
    let listed: Vec<&Comparison> = document
        .models
        .iter()
        .filter(|model| {
            all || !matches!(
                model.result,
                Outcome::Equal | Outcome::BothReject | Outcome::NotRecorded
            )
        })
        .collect();
    if !listed.is_empty() {
        let width = listed
            .iter()
            .map(|model| model.class.chars().count())
            .max()
            .unwrap_or(0)
            .max(5);
        let _ = writeln!(
            out,
            "{:<width$}  variables  equations  differences  result",
            "model"
        );
        for model in listed {
            let reason = model
                .reason
                .as_ref()
                .map(|reason| format!(": {reason}"))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "{:<width$}  {:>9}  {:>9}  {:>11}  {}{reason}",
                model.class,
                model.variables,
                model.equations,
                model.differences.len(),
                model.result.as_str()
            );
        }
        out.push('\n');
    }
    let summary = document.summary;
    let version = document
        .openmodelica
        .as_ref()
        .map(|version| format!(", against {version}"))
        .unwrap_or_default();
    let _ = writeln!(out, "{} models{version}", summary.models);
    let counts = [
        summary.equal,
        summary.both_reject,
        summary.known,
        summary.different,
        summary.not_expressible,
        summary.not_recorded,
    ];
    for (outcome, count) in Outcome::ALL
        .into_iter()
        .zip(counts)
        .filter(|(_, count)| *count > 0)
    {
        let _ = writeln!(out, "{count:>6}  {}", outcome.as_str());
    }
    out
}
