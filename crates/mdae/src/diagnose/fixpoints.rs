//! Conditions and equations that depend on each other.

use super::{Labels, about, grouped, list, others, quoted, variable_names, which};
use crate::analysis::Analysis;
use crate::fixpoint::Fixpoint;
use crate::model::{MDae, ModeDef};
use crate::print::definition;
use crate::sym::VarId;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::Place;

pub(super) fn fixpoints(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let places = |fixpoint: &&Fixpoint| -> Vec<Place> {
        let modes = fixpoint
            .modes
            .iter()
            .map(|&mode| mdae.modes[mode].origin.span);
        modes
            .chain(
                fixpoint
                    .path
                    .iter()
                    .map(|&id| mdae.equations[id].origin.span),
            )
            .collect()
    };
    grouped(&analysis.fixpoints, places)
        .into_iter()
        .map(|(fixpoint, n)| others(diagnostic(mdae, fixpoint), n))
        .collect()
}

/// Conditions whose cases were too many to be told apart.
pub(super) fn unexplored(analysis: &Analysis) -> Option<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let first = analysis.unexplored.first()?;
    let names: Vec<String> = analysis
        .unexplored
        .iter()
        .map(|&mode| quoted(&mdae.modes[mode].name))
        .collect();
    let diagnostic = Diagnostic::new(
        Code::MS4009,
        format!(
            "whether {} can be evaluated in every mode was not decided",
            list(&names)
        ),
    );
    Some(
        diagnostic
            .label(mdae.modes[*first].origin.span, "evaluated here")
            .note(
                "what can be computed before it depends on more combinations of other conditions than could be \
                 told apart; no combination was found in which it depends on itself",
            ),
    )
}

fn diagnostic(mdae: &MDae, fixpoint: &Fixpoint) -> Diagnostic<Place> {
    let names: Vec<String> = fixpoint
        .modes
        .iter()
        .map(|&mode| quoted(&mdae.modes[mode].name))
        .collect();
    let reads = variable_names(mdae, &fixpoint.variables);
    let (code, message) = if fixpoint.structural {
        let message = format!(
            "{} must be known before {reads} can be computed, and the other way round",
            list(&names)
        );
        (Code::MS4002, message)
    } else {
        let message = format!("{} and {reads} can only be found together", list(&names));
        (Code::MS4003, message)
    };
    let mut diagnostic = Diagnostic::new(code, message).with_severity(fixpoint.severity);
    let mut labels = Labels::new();
    for &mode in &fixpoint.modes {
        let mode = &mdae.modes[mode];
        let origin = mode.origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || match &mode.def {
            ModeDef::Predicate(predicate) => {
                let mut own = crate::sym::variables(&predicate.lhs);
                own.extend(crate::sym::variables(&predicate.rhs));
                let own: Vec<VarId> = own.into_iter().map(|occurrence| occurrence.var).collect();
                let own = variable_names(mdae, &own);
                let definition = definition(mdae, mode);
                if *mode.name == *definition {
                    format!("`{definition}` needs the value of {own}")
                } else {
                    format!("`{}` needs the value of {own}: `{definition}`", mode.name)
                }
            }
            _ => format!("`{}` is decided here", mode.name),
        });
    }
    for &id in fixpoint.path.iter().chain(&fixpoint.equations) {
        let origin = mdae.equations[id].origin.clone();
        let on_cycle = fixpoint.equations.contains(&id);
        diagnostic = labels.add(diagnostic, &origin, || {
            if on_cycle {
                format!(
                    "which follows from this, whose form depends on {}{}",
                    list(&names),
                    which(mdae, id)
                )
            } else {
                about(mdae, id, "which follows from this")
            }
        });
    }
    explain(labels.finish(diagnostic), fixpoint, &reads, &names)
}

fn explain(
    diagnostic: Diagnostic<Place>,
    fixpoint: &Fixpoint,
    reads: &str,
    names: &[String],
) -> Diagnostic<Place> {
    let diagnostic = if fixpoint.structural {
        diagnostic.note(format!(
            "which equations apply depends on {}, so there is no order in which to compute: Modelica tools \
             accept this and fail when they run it, with a division by zero or an endless event iteration",
            list(names)
        ))
    } else {
        diagnostic.note(
            "only coefficients change, so Modelica tools try the values of the condition one after another at \
             each event; there may be no value that fits, or several",
        )
    };
    let first = fixpoint.variables.first();
    match first {
        Some(_) => diagnostic.note(format!(
            "if the condition may lag by an instant, let it read the value just before: `pre(…)` around {reads}"
        )),
        None => diagnostic,
    }
}
