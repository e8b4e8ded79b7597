//! Conditions and unknowns that depend on each other, as far as there is something to say about them.

use super::{Labels, about, grouped, list, others, quoted, variable_names, which};
use crate::analysis::Analysis;
use crate::fixpoint::Fixpoint;
use crate::loops::{Loop, Status, Witness};
use crate::model::{MDae, ModeDef, ModeId};
use crate::print::{Text, definition};
use crate::sym::{Expr, Style, VarId, print};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_flat::model::Place;

pub(super) fn fixpoints(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let places = |fixpoint: &&Fixpoint| -> Vec<Place> {
        let modes = fixpoint
            .modes
            .iter()
            .map(|&mode| mdae.modes[mode].origin.span);
        let path = fixpoint.path.iter();
        modes
            .chain(path.map(|&id| mdae.equations[id].origin.span))
            .collect()
    };
    grouped(&analysis.fixpoints, places)
        .into_iter()
        .map(|(fixpoint, n)| others(diagnostic(analysis, fixpoint), n))
        .collect()
}

/// Loops in which the mode before decides: worth knowing, nothing to mend.
pub(super) fn hysteresis(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let found = analysis
        .loops
        .iter()
        .filter(|decided| decided.severity == Some(Severity::Note));
    let places = |decided: &&Loop| -> Vec<Place> {
        let modes = decided.modes.iter();
        modes.map(|&mode| mdae.modes[mode].origin.span).collect()
    };
    grouped(found, places)
        .into_iter()
        .filter_map(|(decided, n)| {
            let first = decided.modes.first()?;
            let names = mode_names(mdae, &decided.modes);
            let message = format!(
                "more than one value of {names} can fit; the one before the instant stays as long as it does"
            );
            let mut diagnostic = Diagnostic::new(Code::MS4016, message)
                .label(mdae.modes[*first].origin.span, "decided here");
            if let Some(witness) = &decided.witness {
                diagnostic = diagnostic.note(witness_text(mdae, witness));
            }
            Some(others(diagnostic, n))
        })
        .collect()
}

fn mode_names(mdae: &MDae, modes: &[ModeId]) -> String {
    let names: Vec<String> = modes
        .iter()
        .map(|&mode| quoted(&mdae.modes[mode].name))
        .collect();
    list(&names)
}

/// Equations that choose by what they determine, as in `x + 2*abs(x) = u`.
fn choosing(analysis: &Analysis, fixpoint: &Fixpoint) -> Diagnostic<Place> {
    let mdae = &analysis.mdae;
    let decided = &analysis.loops[fixpoint.number];
    let reads = variable_names(mdae, &fixpoint.variables);
    let (code, message) = match decided.status {
        Status::None => (
            Code::MS4014,
            format!("for some values the equations have no solution for {reads}"),
        ),
        _ => (
            Code::MS4015,
            format!(
                "several values of {reads} satisfy the equations, and nothing determines which one follows"
            ),
        ),
    };
    let mut diagnostic = Diagnostic::new(code, message).with_severity(fixpoint.severity);
    let mut labels = Labels::new();
    let choices = decided.choices(analysis);
    for (id, choice) in &choices {
        diagnostic = labels.add(diagnostic, &mdae.equations[*id].origin, || {
            let choice = print(choice, &Text(mdae), Style::Modelica);
            about(
                mdae,
                *id,
                &format!("the branch of `{choice}` depends on the result of this equation"),
            )
        });
    }
    diagnostic = labels.finish(diagnostic);
    if let Some(witness) = &decided.witness {
        diagnostic = diagnostic.note(witness_text(mdae, witness));
    }
    let choices: Vec<String> = choices
        .iter()
        .map(|(_, choice)| quoted(&print(choice, &Text(mdae), Style::Modelica)))
        .collect();
    let what = list(&choices);
    let changes = if choices.len() == 1 {
        "changes"
    } else {
        "change"
    };
    diagnostic.note(match decided.continuous {
        true => format!(
            "where {what} {changes} to the other branch, the slope of the equations changes its sign: check the signs and sizes of \
             the coefficients"
        ),
        false => format!(
            "nothing remembers which branch of {what} held: give the choice a condition of its own (`high = …`) and read that with \
             `pre(high)`"
        ),
    })
}

fn diagnostic(analysis: &Analysis, fixpoint: &Fixpoint) -> Diagnostic<Place> {
    if fixpoint.modes.is_empty() {
        return choosing(analysis, fixpoint);
    }
    let mdae = &analysis.mdae;
    let decided = &analysis.loops[fixpoint.number];
    let names = mode_names(mdae, &fixpoint.modes);
    let reads = variable_names(mdae, &fixpoint.variables);
    let (code, message) = match decided.status {
        Status::StateChanging => (
            Code::MS4002,
            format!(
                "{names} must be known before {reads} can be computed, and the other way round"
            ),
        ),
        Status::None => (
            Code::MS4014,
            match fixpoint.modes.len() {
                1 => format!(
                    "for some values the equations hold neither with {names} true nor with {names} false"
                ),
                _ => format!("for some values no combination of {names} satisfies the equations"),
            },
        ),
        Status::Several => (
            Code::MS4015,
            format!(
                "several values of {names} satisfy the equations, and nothing determines which one follows"
            ),
        ),
        Status::Undecided if decided.exists => (
            Code::MS4003,
            format!(
                "{names} and {reads} depend on each other, and modeshift cannot decide whether their values are determined"
            ),
        ),
        Status::Unique | Status::Hysteresis | Status::Undecided => (
            Code::MS4003,
            format!(
                "{names} and {reads} depend on each other, and modeshift cannot decide whether a solution always exists"
            ),
        ),
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
                    "which follows from this, whose form depends on {names}{}",
                    which(mdae, id)
                )
            } else {
                about(mdae, id, "which follows from this")
            }
        });
    }
    let told = explain(mdae, labels.finish(diagnostic), decided, &names, &reads);
    let own = |&mode: &ModeId| mdae.modes[mode].origin.instance.is_empty();
    match decided.status {
        // Components of a library are as they are; the modeller's own conditions can lag.
        Status::Unique | Status::Hysteresis | Status::Undecided
            if fixpoint.modes.iter().all(own) =>
        {
            told.note(format!(
                "if {names} should act from the next instant on, break the cycle: read it with `pre(…)` where it decides"
            ))
        }
        _ => told,
    }
}

fn explain(
    mdae: &MDae,
    mut diagnostic: Diagnostic<Place>,
    decided: &Loop,
    names: &str,
    reads: &str,
) -> Diagnostic<Place> {
    if let Some(witness) = &decided.witness {
        diagnostic = diagnostic.note(witness_text(mdae, witness));
    }
    match decided.status {
        Status::StateChanging => {
            let diagnostic = diagnostic.note(format!(
                "which states are free depends on {names}, so there is no order in which to compute"
            ));
            if reads.is_empty() {
                return diagnostic;
            }
            diagnostic.note(
                "if the condition may lag by an instant, give it a Boolean of its own and read that with `pre`: \
                 `reached = …; on = pre(reached);`",
            )
        }
        Status::None if decided.continuous => diagnostic.note(
            "a simulation stops when it reaches such values; where a condition changes, the slope of the compared value \
             changes its sign: check the signs of the coefficients",
        ),
        Status::None => diagnostic.note(
            "a simulation stops when it reaches such values: add a delay, an inertia, or a hysteresis that reads the previous \
             value with `pre`",
        ),
        Status::Several => diagnostic.note(
            "when the current truth values no longer fit, each of these can follow; a simulation takes the nearest",
        ),
        _ => diagnostic.note(format!(
            "tried: {}; a simulation searches for truth values that fit, beginning with the current ones",
            decided.procedure
        )),
    }
}

/// `for `u = 0` both `g` and `not g` fit`
pub fn witness_text(mdae: &MDae, witness: &Witness) -> String {
    let known: Vec<String> = witness
        .known
        .iter()
        .map(|(name, value)| format!("`{name} = {}`", number(value)))
        .collect();
    let known = match known.is_empty() {
        true => "always".to_owned(),
        false => format!("for {}", list(&known)),
    };
    let fits: Vec<String> = witness
        .fits
        .iter()
        .map(|valuation| {
            let values: Vec<String> = valuation
                .iter()
                .map(|&(mode, value)| match mdae.modes[mode].name.contains(' ') {
                    true => crate::formula::literal(mdae, crate::space::mode_var(mode), value),
                    false => format!("{} = {value}", mdae.modes[mode].name),
                })
                .collect();
            format!("`{}`", values.join(", "))
        })
        .collect();
    let solutions: Vec<String> = witness
        .solutions
        .iter()
        .map(|values| {
            let values: Vec<String> = values
                .iter()
                .map(|(unknown, value)| {
                    let unknown = print(&Expr::var_ref(*unknown), &Text(mdae), Style::Modelica);
                    format!("{unknown} = {}", number(value))
                })
                .collect();
            format!("`{}`", values.join(", "))
        })
        .collect();
    let (fits, what) = match solutions.is_empty() {
        true => (fits, "valuations"),
        false => (solutions, "solutions"),
    };
    match fits.len() {
        0 => format!("{known} there is no solution"),
        1 => format!("{known} {} fits", fits[0]),
        2 => format!("{known} both {} and {} fit", fits[0], fits[1]),
        n => format!("{known} {n} {what} fit: {}", list(&fits)),
    }
}

/// A rational as people write it.
fn number(value: &crate::sym::Rational) -> String {
    match value.to_small() {
        Some((n, 1)) => n.to_string(),
        _ => format!("{}", value.to_f64()),
    }
}
