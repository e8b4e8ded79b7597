//! Offsets that depend on the mode: what most tools do not look at. Where larger offsets are common to all modes
//! ([`crate::common`]) the states are the same, and there is nothing to tell.

use super::{Labels, equation_text, grouped, in_modes, others, variable_names, which};
use crate::analysis::{Analysis, Structure};
use crate::common::{Common, Watched};
use crate::model::EqId;
use crate::sym::VarId;
use modeshift_base::FxHashSet;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::Place;
use modeshift_structure::{AllModes, BddSet, Component, GuardedProblem, ModeSets, NodeLimit};

/// A part of the model whose offsets depend on the mode.
struct Change {
    number: usize,
    /// Equations that are differentiated in some modes only, the most often differentiated first.
    equations: Vec<(EqId, usize)>,
}

pub(super) fn index_changes(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let Structure::All(all) = &analysis.structure else {
        return Vec::new();
    };
    let (_, ref structure) = **all;
    let mdae = &analysis.mdae;
    let known = analysis.prescribed();
    let changes = (0..structure.components.len())
        .filter_map(|number| change(analysis, structure, known, number))
        .filter(|change| !has_common_offsets(analysis, all, change.number));
    let places = |change: &Change| -> Vec<Place> {
        change
            .equations
            .iter()
            .map(|&(id, _)| mdae.equations[id].origin.span)
            .collect()
    };
    grouped(changes, places)
        .into_iter()
        .map(|(change, n)| others(index_change(analysis, structure, &change), n))
        .collect()
}

/// Whether all modes of a part have the same states and constraints, although the smallest offsets differ.
fn has_common_offsets(
    analysis: &Analysis,
    all: &(GuardedProblem<BddSet>, AllModes<BddSet>),
    number: usize,
) -> bool {
    let component = &all.1.components[number];
    let watched = Watched::all(analysis, component);
    let own = component.mode_variables.clone();
    let common = Common::new(analysis, all, number, own).with_same_forms();
    common.exist(watched) == Ok(true)
}

/// Variables that are states in some modes and algebraic in others, by part of the model.
pub(super) fn moving_states(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let Structure::All(all) = &analysis.structure else {
        return Vec::new();
    };
    let (_, ref structure) = **all;
    let known = analysis.prescribed();
    let is_moving = |x: &VarId| {
        let pieces = &structure.d[x.0 as usize];
        !known.contains(x)
            && pieces.iter().any(|piece| piece.value == 0)
            && pieces.iter().any(|piece| piece.value > 0)
    };
    let parts = analysis
        .parts
        .iter()
        .enumerate()
        .filter_map(|(number, part)| {
            let moving: Vec<VarId> = part.variables.iter().copied().filter(is_moving).collect();
            let tells = !moving.is_empty() && !has_common_offsets(analysis, all, number);
            tells.then_some((number, moving))
        });
    let places = |(_, moving): &(usize, Vec<VarId>)| -> Vec<Place> {
        moving
            .iter()
            .map(|&x| analysis.mdae.variable(x).origin.span)
            .collect()
    };
    grouped(parts, places)
        .into_iter()
        .map(|((number, moving), n)| {
            others(moving_in_part(analysis, structure, number, &moving), n)
        })
        .collect()
}

/// The equations whose offset is positive in some regular modes of their part and not in all, apart from those between `known`
/// functions of time.
fn change(
    analysis: &Analysis,
    all: &AllModes<BddSet>,
    known: &FxHashSet<VarId>,
    number: usize,
) -> Option<Change> {
    let component = &all.components[number];
    if component.mode_variables.is_empty() || component.over_limit.is_some() {
        return None;
    }
    let sets = &analysis.space.sets;
    let mut equations = Vec::new();
    for row in &component.equations {
        let pieces = &all.c[row.index()];
        let largest = pieces.iter().map(|piece| piece.value).max().unwrap_or(0);
        let mut reads = analysis.rows.occurrences[row.index()].iter();
        if largest == 0 || reads.all(|it| known.contains(&it.variable)) {
            continue;
        }
        let covers_all =
            pieces.len() == 1 && sets.is_subset(&component.regular, &pieces[0].modes) == Ok(true);
        if !covers_all {
            equations.push((analysis.equation(*row), row.index(), largest));
        }
    }
    if equations.is_empty() {
        return None;
    }
    // The equation that differs between the modes explains more than those it pulls along.
    let depends = |id: EqId| {
        let conditions = crate::fixpoint::conditions(&analysis.mdae, id);
        conditions
            .iter()
            .any(|condition| *condition != crate::cond::Conds::TRUE)
    };
    equations.sort_by_key(|&(id, _, largest)| (!depends(id), -largest, id));
    let equations = equations
        .into_iter()
        .map(|(id, row, _)| (id, row))
        .collect();
    Some(Change { number, equations })
}

fn index_change(analysis: &Analysis, all: &AllModes<BddSet>, change: &Change) -> Diagnostic<Place> {
    let mdae = &analysis.mdae;
    let mut diagnostic = Diagnostic::new(Code::MS4004, headline(analysis, all, change));
    let mut labels = Labels::new();
    for &(id, row) in &change.equations {
        let origin = mdae.equations[id].origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || {
            let times = offsets_text(analysis, all, change.number, row);
            format!("must be differentiated {times}{}", which(mdae, id))
        });
    }
    labels
        .finish(diagnostic)
        .note(
            "where it must be differentiated, such an equation ties states to each other, so fewer of them are \
             free; tools that choose states and the order of solving once for all modes accept this model, and \
             divide by zero when a simulation gets from one of these modes into the other",
        )
        .note("`modeshift transitions` shows what jumps when the mode changes, and `modeshift modes` all modes")
}

fn headline(analysis: &Analysis, all: &AllModes<BddSet>, change: &Change) -> String {
    let (first, row) = change.equations[0];
    let equation = equation_text(&analysis.mdae, first);
    match extremes(analysis, all, &all.components[change.number]) {
        Ok([(low, low_modes), (high, high_modes)]) if low < high => format!(
            "the index is {low} {low_modes} and {high} {high_modes}: {equation} constrains states only \
             there"
        ),
        _ => format!(
            "which equations constrain states depends on the mode: {equation} does only {}",
            offsets_words(analysis, all, change.number, row)
        ),
    }
}

/// The smallest and the largest index of a part, each with its modes in words.
fn extremes(
    analysis: &Analysis,
    all: &AllModes<BddSet>,
    component: &Component<BddSet>,
) -> Result<[(i32, String); 2], NodeLimit> {
    let sets = &analysis.space.sets;
    let pieces = || {
        let rows = component.equations.iter();
        rows.flat_map(|row| &all.c[row.index()])
    };
    let at_least = |value: i32| {
        let high = pieces().filter(|piece| piece.value >= value);
        sets.union(high.map(|piece| piece.modes.clone()))
    };
    let highest = pieces().map(|piece| piece.value).max().unwrap_or(0);
    // Offsets are small: the lowest index is the first one that not all modes exceed.
    let mut lowest = 0;
    let mut above = at_least(1)?;
    while lowest < highest && above == component.regular {
        lowest += 1;
        above = at_least(lowest + 1)?;
    }
    let low = sets.diff(&component.regular, &above)?;
    let high = at_least(highest)?;
    let words = |set: &BddSet| in_modes(&analysis.text(set, &component.regular));
    Ok([(lowest, words(&low)), (highest, words(&high))])
}

/// In which modes an equation is differentiated at all.
fn offsets_words(
    analysis: &Analysis,
    all: &AllModes<BddSet>,
    component: usize,
    row: usize,
) -> String {
    let sets = &analysis.space.sets;
    let positive = all.c[row].iter().filter(|piece| piece.value > 0);
    match sets.union(positive.map(|piece| piece.modes.clone())) {
        Ok(set) => in_modes(&analysis.text(&set, &all.components[component].regular)),
        Err(_) => "in some modes".to_owned(),
    }
}

/// `once when …, twice when …`
fn offsets_text(
    analysis: &Analysis,
    all: &AllModes<BddSet>,
    component: usize,
    row: usize,
) -> String {
    let regular = &all.components[component].regular;
    let parts: Vec<String> = all.c[row]
        .iter()
        .filter(|piece| piece.value > 0)
        .map(|piece| {
            let modes = in_modes(&analysis.text(&piece.modes, regular));
            match piece.value {
                1 => format!("once {modes}"),
                2 => format!("twice {modes}"),
                n => format!("{n} times {modes}"),
            }
        })
        .collect();
    parts.join(", ")
}

fn moving_in_part(
    analysis: &Analysis,
    all: &AllModes<BddSet>,
    number: usize,
    moving: &[VarId],
) -> Diagnostic<Place> {
    let mdae = &analysis.mdae;
    let verb = if moving.len() == 1 {
        "is a state"
    } else {
        "are states"
    };
    let mut diagnostic = Diagnostic::new(
        Code::MS4005,
        format!("{} {verb} in some modes only", variable_names(mdae, moving)),
    );
    let mut labels = Labels::new();
    for &x in moving {
        let origin = mdae.variable(x).origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || {
            let pieces = all.d[x.0 as usize].iter().filter(|piece| piece.value > 0);
            let sets = &analysis.space.sets;
            let modes = match sets.union(pieces.map(|piece| piece.modes.clone())) {
                Ok(set) => in_modes(&analysis.text(&set, &all.components[number].regular)),
                Err(_) => "in some modes".to_owned(),
            };
            let name = &mdae.variable(x).name;
            if name.contains('[') {
                format!("`{name}` is a state {modes}")
            } else {
                format!("a state {modes}")
            }
        });
    }
    labels.finish(diagnostic).note(
        "where it is a state its value is carried on, elsewhere it follows from the others; a value for it \
         after a change into those modes must come from the equations there",
    )
}
