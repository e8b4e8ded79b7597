//! Modes that are regular by structure and singular by their coefficients.

use super::{Labels, about, grouped, in_modes, variable_names};
use crate::analysis::{Analysis, Structure};
use crate::fixpoint::conditions;
use crate::formula::literal;
use crate::model::{EqId, MDae};
use crate::rank::{Deficient, deficient_blocks};
use crate::space::mode_var;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::Place;
use modeshift_structure::{BddSet, Component, ModeSets, ModeVar, NodeLimit};

/// Models beyond this many equations are not checked numerically: their blocks are many, and a report
/// must not take longer than the analysis.
const MAX_RANK_CHECK: usize = 200_000;

/// Modes that are looked at.
const MAX_SAMPLES: usize = 64;

/// Equations that are looked at in all of these modes together, so that the check takes a fraction of a second.
const MAX_CHECKED: usize = 60_000;

/// Blocks that are singular for all values although their structure is not.
pub(super) fn dependent_equations(analysis: &Analysis, check: &dyn Fn()) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    if analysis.rows.equations.len() > MAX_RANK_CHECK {
        return Vec::new();
    }
    let mut found = Vec::new();
    for mode in samples(analysis) {
        check();
        let truth = mdae.conds.evaluate(&mode);
        let (system, structure) = analysis.mode(&mode);
        for block in deficient_blocks(mdae, &system, &structure, &truth, 4) {
            found.push((words_for(mdae, &block.equations, &mode), block));
        }
    }
    let places = |(_, block): &(String, Deficient)| -> Vec<Place> {
        block
            .equations
            .iter()
            .map(|&id| mdae.equations[id].origin.span)
            .collect()
    };
    grouped(found, places)
        .into_iter()
        .map(|((when, block), _)| dependent_block(mdae, &when, &block))
        .collect()
}

fn dependent_block(mdae: &MDae, when: &str, block: &Deficient) -> Diagnostic<Place> {
    let mut diagnostic = Diagnostic::new(
        Code::MS4008,
        format!(
            "{}, {} equations for {} depend on each other whatever the values are",
            in_modes(when),
            block.equations.len(),
            variable_names(mdae, &block.variables)
        ),
    );
    let mut labels = Labels::new();
    for &id in &block.equations {
        let origin = mdae.equations[id].origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || about(mdae, id, "one of them"));
    }
    labels.finish(diagnostic).note(
        "who occurs where suggests that these equations can be solved, but their Jacobian has determinant \
         zero: a solver fails in this mode with a singular matrix",
    )
}

/// The values of the mode variables that the form of some equations depends on.
fn words_for(mdae: &MDae, equations: &[EqId], mode: &[bool]) -> String {
    let roots = equations.iter().flat_map(|&id| conditions(mdae, id));
    let literals: Vec<String> = mdae
        .conds
        .support(roots)
        .into_iter()
        .take(8)
        .map(|id| literal(mdae, mode_var(id), mode[id.index()]))
        .collect();
    if literals.is_empty() {
        "true".to_owned()
    } else {
        literals.join(" and ")
    }
}

/// Modes that show every equation in its forms: all modes of parts with few of them, else some, with each value
/// of each mode variable among them. Independent parts are sampled side by side.
fn samples(analysis: &Analysis) -> Vec<Vec<bool>> {
    let mut samples = vec![vec![false; analysis.mdae.modes.len()]];
    let Structure::All(all) = &analysis.structure else {
        return samples;
    };
    let affordable = MAX_CHECKED / analysis.rows.equations.len().max(1);
    let most = affordable.clamp(2, MAX_SAMPLES);
    let sets = &analysis.space.sets;
    for component in &all.1.components {
        let vars = coefficient_modes(analysis, component);
        if vars.is_empty() || component.over_limit.is_some() {
            continue;
        }
        let local = regular_modes(analysis, component, &vars)
            .and_then(|modes| some_of(sets, &modes, &vars, most));
        let Ok(local) = local else { continue };
        let Some(first) = local.first().cloned() else {
            continue;
        };
        while samples.len() < local.len() {
            let last = samples[0].clone();
            samples.push(last);
        }
        for (i, sample) in samples.iter_mut().enumerate() {
            let values = local.get(i).unwrap_or(&first);
            for (var, value) in vars.iter().zip(values) {
                sample[var.index()] = *value;
            }
        }
    }
    samples
}

/// The mode variables on which the equations of a part depend: also those that only change coefficients.
fn coefficient_modes(analysis: &Analysis, component: &Component<BddSet>) -> Vec<ModeVar> {
    let mdae = &analysis.mdae;
    let rows = component.equations.iter();
    let roots = rows.flat_map(|row| conditions(mdae, analysis.equation(*row)));
    let support = mdae.conds.support(roots);
    let mut vars: Vec<ModeVar> = support.into_iter().map(mode_var).collect();
    vars.extend(&component.mode_variables);
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The regular modes of a part over the variables given.
fn regular_modes(
    analysis: &Analysis,
    component: &Component<BddSet>,
    vars: &[ModeVar],
) -> Result<BddSet, NodeLimit> {
    if vars.len() == component.mode_variables.len() {
        return Ok(component.regular.clone());
    }
    let sets = &analysis.space.sets;
    let possible = analysis.care.about(sets, vars)?;
    let all = sets.and(&component.regular, &possible)?;
    let mut others = sets.support(&all);
    others.retain(|var| vars.binary_search(var).is_err());
    sets.exists(&all, &others)
}

fn some_of(
    sets: &impl ModeSets<Set = BddSet>,
    modes: &BddSet,
    vars: &[ModeVar],
    most: usize,
) -> Result<Vec<Vec<bool>>, NodeLimit> {
    let mut local = sets.valuations(modes, vars, most);
    if local.len() < MAX_SAMPLES {
        return Ok(local);
    }
    local.truncate(MAX_SAMPLES / 2);
    for &var in vars.iter().take(MAX_SAMPLES / 2) {
        let with = sets.and(&sets.literal(var, true)?, modes)?;
        if let Some(mode) = sets.pick(&with) {
            local.push(vars.iter().map(|var| mode[var.index()]).collect());
        }
    }
    Ok(local)
}
