//! What is wrong or doubtful about the modes of a model, in words.
//!
//! The same component used a thousand times gives one message: findings whose equations stand at the same
//! places in the source are told once, with the number of others like it.

mod chatter;
mod connections;
mod dependence;
mod fixpoints;
mod index;
mod lag;
mod prescribed;
mod rank;
mod singular;
mod suspects;
#[cfg(test)]
mod tests;

pub use fixpoints::witness_text;
pub use lag::{Lag, lags};
pub use prescribed::has_open_instants;
pub(crate) use prescribed::prescribed;
pub(crate) use rank::Samples;

use crate::analysis::{Analysis, Part, Structure};
use crate::cond::Conds;
use crate::model::{CareReason, EqId, MDae, ModeId, VarKind};
use crate::print::{condition, equation_body};
use crate::sym::VarId;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::{Origin, Place};
use modeshift_structure::{BddSet, ModeSets, NodeLimit};

/// Labels in one message; more are counted, not drawn.
const MAX_LABELS: usize = 6;

/// Everything there is to say about the modes of a model, without its components.
pub fn diagnostics(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    watched_diagnostics(analysis, None, &|| {})
}

/// The same in terms of the components of `circuit`, under supervision: `check` is called often and gives up by
/// unwinding.
pub fn watched_diagnostics(
    analysis: &Analysis,
    circuit: Option<&Circuit<'_>>,
    check: &dyn Fn(),
) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    if let Some(limit) = analysis.over_limit() {
        found.extend(over_limit(analysis, limit));
    }
    found.extend(no_possible_mode(analysis));
    found.extend(unused_unknowns(analysis));
    let singular = singular::singular_modes(analysis, circuit);
    let regular = singular.is_empty();
    found.extend(singular);
    // Whether a loop has a solution cannot be decided where the equations are singular anyway.
    let loops = fixpoints::fixpoints(analysis).into_iter();
    found.extend(loops.filter(|it| regular || it.code != Code::MS4003));
    found.extend(fixpoints::hysteresis(analysis));
    found.extend(chatter::chattering(analysis));
    check();
    found.extend(rank::dependent_equations(analysis, circuit, check));
    check();
    found.extend(index::index_changes(analysis));
    found.extend(index::moving_states(analysis));
    found.extend(never_true(analysis));
    found
}

/// A name in a sentence.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// `a`, `b` and `c`; cut after a few.
pub(crate) fn list(items: &[String]) -> String {
    list_up_to(items, 5)
}

fn list_up_to(items: &[String], most: usize) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] if items.len() <= most => format!("{} and {last}", first.join(", ")),
        _ => {
            let shown = &items[..most - 1];
            format!(
                "{} and {} more",
                shown.join(", "),
                items.len() - shown.len()
            )
        }
    }
}

pub(crate) fn variable_names(mdae: &MDae, variables: &[VarId]) -> String {
    let names: Vec<String> = variables
        .iter()
        .map(|&x| quoted(&mdae.variable(x).name))
        .collect();
    list(&names)
}

/// `when …` for the words of a mode set, empty for all modes.
pub(crate) fn in_modes(when: &str) -> String {
    if when == "true" {
        "in every mode".to_owned()
    } else {
        format!("when `{when}`")
    }
}

/// `when …, `: what comes before a sentence that holds in some modes only.
pub(crate) fn opening(when: &str) -> String {
    match when {
        "true" => String::new(),
        _ => format!("{}, ", in_modes(when)),
    }
}

/// An equation with its component, for notes.
pub(crate) fn equation_text(mdae: &MDae, id: EqId) -> String {
    let equation = &mdae.equations[id];
    let mut text = equation_body(mdae, equation);
    if text.chars().count() > 80 {
        text = text.chars().take(77).collect::<String>() + "…";
    }
    match &*equation.origin.instance {
        "" => format!("`{text}`"),
        instance => format!("`{text}` of `{instance}`"),
    }
}

/// What a label at an equation adds about which one it is: nothing where the source says it already, that is, where
/// neither arrays nor instances make several equations of one.
pub(crate) fn which(mdae: &MDae, id: EqId) -> String {
    let instance = &*mdae.equations[id].origin.instance;
    let text = equation_text(mdae, id);
    if text.contains('[') {
        format!(": {text}")
    } else if instance.is_empty() {
        String::new()
    } else {
        format!(" (in `{instance}`)")
    }
}

/// `before` with the equation that it is about and the condition this stands under.
pub(crate) fn about(mdae: &MDae, id: EqId, before: &str) -> String {
    let text = format!("{before}{}", which(mdae, id));
    match mdae.equations[id].guard {
        Conds::TRUE => text,
        guard => format!("{text}, active when `{}`", condition(mdae, guard)),
    }
}

/// Adds labels without repeating a place, and a note on those left out.
pub(crate) struct Labels {
    most: usize,
    seen: FxHashSet<Place>,
    left_out: usize,
}

impl Labels {
    pub(crate) fn new() -> Self {
        Self::at_most(MAX_LABELS)
    }

    fn at_most(most: usize) -> Self {
        Self {
            most,
            seen: FxHashSet::default(),
            left_out: 0,
        }
    }

    pub(crate) fn add(
        &mut self,
        diagnostic: Diagnostic<Place>,
        origin: &Origin,
        text: impl FnOnce() -> String,
    ) -> Diagnostic<Place> {
        if !self.seen.insert(origin.span) {
            return diagnostic;
        }
        if self.seen.len() > self.most {
            self.left_out += 1;
            return diagnostic;
        }
        diagnostic.label(origin.span, text())
    }

    pub(crate) fn finish(self, diagnostic: Diagnostic<Place>) -> Diagnostic<Place> {
        match self.left_out {
            0 => diagnostic,
            1 => diagnostic.note("and at one more place"),
            n => diagnostic.note(format!("and at {n} more places")),
        }
    }
}

/// One finding per distinct list of places, with how many there are like it.
pub(crate) fn grouped<T>(
    items: impl IntoIterator<Item = T>,
    places: impl Fn(&T) -> Vec<Place>,
) -> Vec<(T, usize)> {
    let mut groups: FxIndexMap<Vec<Place>, (T, usize)> = FxIndexMap::default();
    for item in items {
        let mut key = places(&item);
        key.sort_unstable();
        key.dedup();
        groups
            .entry(key)
            .and_modify(|(_, n)| *n += 1)
            .or_insert((item, 0));
    }
    groups.into_values().collect()
}

/// `(and 12 more parts of the model like this one)`
pub(crate) fn others(diagnostic: Diagnostic<Place>, n: usize) -> Diagnostic<Place> {
    match n {
        0 => diagnostic,
        1 => diagnostic.note("the same happens in one more part of the model"),
        n => diagnostic.note(format!("the same happens in {n} more parts of the model")),
    }
}

fn over_limit(analysis: &Analysis, limit: NodeLimit) -> Option<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let part: Option<&Part> = analysis.parts.iter().find(|part| part.over_limit.is_some());
    let what = match part {
        Some(part) => format!("{} equations", part.equations.len()),
        None => "the conditions".to_owned(),
    };
    let mut diagnostic = Diagnostic::new(
        Code::MS4009,
        format!("the modes of {what} are too entangled to be analysed all at once"),
    );
    let first = part.and_then(|part| part.equations.first());
    if let Some(&id) = first {
        diagnostic = diagnostic.label(
            mdae.equations[id].origin.span,
            "one of the equations concerned",
        );
    }
    let names: Vec<String> = mdae
        .modes
        .iter()
        .filter(|mode| !mode.auxiliary)
        .zip(["true", "false"])
        .map(|(mode, value)| format!("{}={value}", mode.name))
        .collect();
    Some(
        diagnostic
            .note(format!(
                "the sets of modes need more than {} nodes; switches that form a two-dimensional \
                 mesh do this, chains and trees of them do not",
                limit.limit
            ))
            .note(format!(
                "single modes can still be analysed: `modeshift modes --mode \"{}\"` \
                 (conditions left out are false)",
                names.join(",")
            )),
    )
}

fn no_possible_mode(analysis: &Analysis) -> Option<Diagnostic<Place>> {
    let none = analysis
        .mode_count
        .as_ref()
        .is_some_and(|count| *count == 0u32.into());
    if !none {
        return None;
    }
    let mut diagnostic = Diagnostic::new(
        Code::MS4007,
        "no mode is possible: the assertions and conditions contradict each other",
    );
    let mut labels = Labels::new();
    for fact in &analysis.mdae.care {
        if let Some(origin) = &fact.origin {
            diagnostic = labels.add(diagnostic, origin, || {
                format!("requires `{}`", condition(&analysis.mdae, fact.condition))
            });
        }
    }
    Some(labels.finish(diagnostic))
}

fn unused_unknowns(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let mut used = vec![false; mdae.variables.len()];
    for occurrence in analysis.rows.occurrences.iter().flatten() {
        used[occurrence.variable.0 as usize] = true;
    }
    let unused: Vec<VarId> = mdae
        .variable_ids()
        .filter(|&x| mdae.variable(x).kind == VarKind::Unknown && !used[x.0 as usize])
        .collect();
    grouped(unused, |&x| vec![mdae.variable(x).origin.span])
        .into_iter()
        .map(|(x, n)| {
            let variable = mdae.variable(x);
            let diagnostic = Diagnostic::new(
                Code::MS4013,
                format!(
                    "no equation mentions `{}`, so nothing determines it",
                    variable.name
                ),
            )
            .label(variable.origin.span, "declared here")
            .note("add an equation for it, declare it as an `input` or `parameter`, or remove it");
            match n {
                0 => diagnostic,
                n => diagnostic.note(format!("and {n} more variables declared here")),
            }
        })
        .collect()
}

/// Guards that no possible mode satisfies.
fn never_true(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let Structure::All(all) = &analysis.structure else {
        return Vec::new();
    };
    let mdae = &analysis.mdae;
    let sets = &analysis.space.sets;
    if analysis
        .mode_count
        .as_ref()
        .is_none_or(|count| *count == 0u32.into())
    {
        return Vec::new();
    }
    let impossible = |active: &BddSet| -> Result<bool, NodeLimit> {
        let possible = analysis.care.about(sets, &sets.support(active))?;
        Ok(!sets.intersects(active, &possible)?)
    };
    let mut known: FxHashMap<&BddSet, bool> = FxHashMap::default();
    let mut dead: Vec<EqId> = Vec::new();
    for (row, active) in all.0.active.iter().enumerate() {
        if !sets.is_full(active)
            && *known
                .entry(active)
                .or_insert_with(|| impossible(active) == Ok(true))
        {
            dead.push(analysis.rows.equations[row]);
        }
    }
    // A case that a constant rules out is no mistake: libraries offer cases, models choose.
    let constant = mdae
        .care
        .iter()
        .filter(|it| it.reason == CareReason::Constant);
    let chosen = mdae.conds.support(constant.map(|it| it.condition));
    let chosen: FxHashSet<ModeId> = chosen.into_iter().collect();
    dead.retain(|&id| {
        let support = mdae.conds.support([mdae.equations[id].guard]);
        support.iter().all(|mode| !chosen.contains(mode))
    });
    grouped(dead, |&id| vec![mdae.equations[id].origin.span])
        .into_iter()
        .map(|(id, n)| {
            let guard = condition(mdae, mdae.equations[id].guard);
            let mut diagnostic = Diagnostic::new(
                Code::MS4006,
                format!("this equation is never used: `{guard}` cannot be true"),
            )
            .label(mdae.equations[id].origin.span, "never enabled");
            let mut labels = Labels::new();
            for fact in &mdae.care {
                let touches = mdae.conds.support([fact.condition]);
                let own = mdae.conds.support([mdae.equations[id].guard]);
                if touches.iter().any(|mode| own.contains(mode))
                    && let Some(origin) = &fact.origin
                {
                    diagnostic = labels.add(diagnostic, origin, || {
                        format!("requires `{}`", condition(mdae, fact.condition))
                    });
                }
            }
            others(labels.finish(diagnostic), n)
        })
        .collect()
}
