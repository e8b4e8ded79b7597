//! Modes as a table for people.

use modeshift_mdae::analysis::{Analysis, Class, Kind, UNKNOWN_FREEDOM};
use modeshift_mdae::loops::Status;
use modeshift_mdae::print::definition;
use std::fmt::Write as _;

/// Components listed one by one; of more only the first are.
const MAX_COMPONENTS: usize = 20;

/// The table of `modeshift modes`.
pub fn table(analysis: &Analysis) -> String {
    let mdae = &analysis.mdae;
    let mut out = String::new();
    let count = match &analysis.mode_count {
        Some(count) if count.bits() > 64 => {
            format!("about 10^{}", count.to_string().len().saturating_sub(1))
        }
        Some(count) => count.to_string(),
        None => "unknown".to_owned(),
    };
    let _ = writeln!(
        out,
        "{}: {}, {}, {count} possible {}",
        mdae.name,
        counted(analysis.rows.equations.len(), "equation"),
        counted(
            mdae.modes.iter().filter(|mode| !mode.auxiliary).count(),
            "mode variable"
        ),
        if count == "1" { "mode" } else { "modes" },
    );
    modes(analysis, &mut out);
    match &analysis.classes {
        Some(classes) => rows(&classes.classes, &mut out),
        None => {
            let with_modes: Vec<_> = analysis
                .parts
                .iter()
                .filter_map(|part| part.classes.as_ref())
                .filter(|classes| !classes.modes.is_empty())
                .collect();
            let entangled = analysis
                .parts
                .iter()
                .filter(|part| part.over_limit.is_some())
                .count();
            if !with_modes.is_empty() {
                let _ = writeln!(
                    out,
                    "\n{} with modes of {} own",
                    counted(with_modes.len(), "independent part"),
                    if with_modes.len() == 1 {
                        "its"
                    } else {
                        "their"
                    }
                );
            }
            if entangled > 0 || analysis.parts.is_empty() {
                let _ = writeln!(
                    out,
                    "\n{} too entangled for all modes at once; `--mode` shows single ones",
                    counted(entangled.max(1), "part")
                );
            }
            for classes in with_modes.iter().take(MAX_COMPONENTS) {
                rows(&classes.classes, &mut out);
            }
            if with_modes.len() > MAX_COMPONENTS {
                let _ = writeln!(out, "\n… and {} more", with_modes.len() - MAX_COMPONENTS);
            }
        }
    }
    loops(analysis, &mut out);
    out
}

/// The loops between conditions and unknowns, also those about which nothing needs to be said.
fn loops(analysis: &Analysis, out: &mut String) {
    const MAX_CONDITIONS: usize = 4;
    if analysis.loops.is_empty() {
        return;
    }
    let mut lines = vec![["loop", "decided by", "conditions"].map(str::to_owned)];
    for decided in analysis.loops.iter().take(MAX_ROWS) {
        let all = decided.deciders(analysis).into_iter();
        let all: Vec<String> = all.map(|decider| decider.name).collect();
        let mut names = all[..all.len().min(MAX_CONDITIONS)].join(", ");
        if all.len() > MAX_CONDITIONS {
            let _ = write!(names, " and {} more", all.len() - MAX_CONDITIONS);
        }
        // What was tried is told by the message.
        let how = match decided.status {
            Status::Undecided => "-".to_owned(),
            _ => decided.procedure.clone(),
        };
        lines.push([decided.status.name().to_owned(), how, names]);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let (a, b) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
    out.push('\n');
    for [status, how, names] in &lines {
        let _ = writeln!(out, "  {status:a$}  {how:b$}  {names}");
    }
    if analysis.loops.len() > MAX_ROWS {
        let _ = writeln!(out, "  … and {} more", analysis.loops.len() - MAX_ROWS);
    }
}

/// `1 equation`, `2 equations`
fn counted(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

fn modes(analysis: &Analysis, out: &mut String) {
    const MAX_MODES: usize = 40;
    let mdae = &analysis.mdae;
    let own: Vec<_> = mdae.modes.iter().filter(|mode| !mode.auxiliary).collect();
    if own.is_empty() {
        return;
    }
    out.push('\n');
    let width = own
        .iter()
        .take(MAX_MODES)
        .map(|mode| mode.name.chars().count())
        .max()
        .unwrap_or(0);
    for mode in own.iter().take(MAX_MODES) {
        let _ = writeln!(out, "  {:width$}  {}", mode.name, definition(mdae, mode));
    }
    if own.len() > MAX_MODES {
        let _ = writeln!(out, "  … and {} more", own.len() - MAX_MODES);
    }
}

/// Rows of one table; of more only the first are shown.
const MAX_ROWS: usize = 40;

fn rows(classes: &[Class], out: &mut String) {
    let header = ["index", "Pryce", "dof", "modes", "when"].map(str::to_owned);
    let mut lines: Vec<[String; 5]> = vec![header];
    for class in classes.iter().take(MAX_ROWS) {
        let (index, pryce, dof) = match &class.kind {
            Kind::Regular(i) => {
                let dof = match i.degrees_of_freedom {
                    UNKNOWN_FREEDOM => "?".to_owned(),
                    known => known.to_string(),
                };
                (i.index.to_string(), i.pryce_index().to_string(), dof)
            }
            Kind::Singular(_) => ("singular".to_owned(), "-".to_owned(), "-".to_owned()),
            Kind::Transient => ("instant".to_owned(), "-".to_owned(), "-".to_owned()),
        };
        let count = match class.count.bits() {
            0..=64 => class.count.to_string(),
            _ => format!("~10^{}", class.count.to_string().len().saturating_sub(1)),
        };
        lines.push([index, pryce, dof, count, class.when.clone()]);
    }
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (a, p, b, c) = (width(0), width(1), width(2), width(3));
    out.push('\n');
    for [index, pryce, dof, count, when] in &lines {
        let _ = writeln!(
            out,
            "  {index:>a$}  {pryce:>p$}  {dof:>b$}  {count:>c$}  {when}"
        );
    }
    if classes.len() > MAX_ROWS {
        let _ = writeln!(out, "  … and {} more", classes.len() - MAX_ROWS);
    }
}
