//! Modes that are regular by structure and singular by their coefficients.

use super::connections::{Scene, Story};
use super::{Labels, about, opening, quoted, variable_names};
use crate::analysis::{Analysis, Structure, Structured};
use crate::cond::Conds;
use crate::fixpoint::conditions;
use crate::formula;
use crate::mode::OneMode;
use crate::model::{EqId, MDae, Values};
use crate::rank::{Deficient, RankCheck};
use crate::space::mode_var;
use crate::sym::{CondId, VarId, resolve};
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::Place;
use modeshift_structure::{BddSet, Component, ModeSets, ModeStructure, ModeVar, NodeLimit};
use std::sync::{Arc, PoisonError};

/// Models beyond this many equations are not checked numerically: their blocks are many, and a report
/// must not take longer than the analysis.
const MAX_RANK_CHECK: usize = 200_000;

/// Modes that are looked at.
const MAX_SAMPLES: usize = 64;

/// Equations that are looked at in all of these modes together, so that the check takes a fraction of a second.
const MAX_CHECKED: usize = 60_000;

/// Blocks that are singular for all values although their structure is not.
pub(super) fn dependent_equations(
    analysis: &Analysis,
    circuit: Option<&Circuit<'_>>,
    check: &dyn Fn(),
) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    if analysis.rows.equations.len() > MAX_RANK_CHECK {
        return Vec::new();
    }
    let samples = analysis.samples.get_or_init(|| samples(analysis, check));
    let known = || {
        let ranks = &analysis.ranks;
        ranks.lock().unwrap_or_else(PoisonError::into_inner)
    };
    let before = known().take();
    let mut ranks = RankCheck::after(mdae, &samples.conditions, before);
    let mut found = samples.deficient(&mut ranks, check);
    if ranks.depends_on_known() {
        ranks = RankCheck::new(mdae, &samples.conditions);
        found = samples.deficient(&mut ranks, check);
    }
    *known() = ranks.into_known();
    let mut told: Vec<Diagnostic<Place>> = Vec::new();
    for (block, modes) in found.values() {
        let when = samples.words(analysis, block, modes);
        let stories = circuit.map_or_else(Vec::new, |it| connected(analysis, it, block, modes[0]));
        if stories.is_empty() {
            let truth = mdae.conds.evaluate(modes[0]);
            told.push(match own_value(mdae, block, &truth) {
                Some(x) => defined_by_itself(mdae, &when, block, x),
                None => dependent_block(mdae, &when, block),
            });
        }
        for story in stories {
            let message = format!("{}{}", opening(&when), story.message);
            // The flows into a part that floats cannot be told apart either: the same cause, found twice.
            if told.iter().all(|known| known.message != message) {
                told.push(story.tell(Diagnostic::new(Code::MS4008, message)));
            }
        }
    }
    told
}

/// The causes of a block's defect that lie in connections: those that the components of its variables take part in.
fn connected(
    analysis: &Analysis,
    circuit: &Circuit<'_>,
    block: &Deficient,
    mode: &[bool],
) -> Vec<Story> {
    let mdae = &analysis.mdae;
    let truth = mdae.conds.evaluate(mode);
    let (system, _) = analysis.mode(mode);
    let scene = Scene {
        mdae,
        circuit,
        truth,
    };
    let mut stories: Vec<Story> = scene
        .conflict(&system.equations, &system.variables)
        .into_iter()
        .collect();
    stories.extend(scene.floating(&system.equations, &system.variables));
    let names = block.variables.iter();
    let components: Vec<String> = names
        .filter_map(|&x| circuit.component(&mdae.variable(x).name))
        .map(|(path, _)| quoted(&path))
        .collect();
    stories.retain(|story| components.iter().any(|it| story.about.contains(it)));
    stories
}

fn places(mdae: &MDae, block: &Deficient) -> Vec<Place> {
    let equations = block.equations.iter();
    let mut places: Vec<Place> = equations
        .map(|&id| mdae.equations[id].origin.span)
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The variable of an equation that has become `x = x`.
fn own_value(mdae: &MDae, block: &Deficient, truth: &[bool]) -> Option<VarId> {
    let [id] = block.equations[..] else {
        return None;
    };
    let equation = &mdae.equations[id];
    let mut decide = |condition: CondId| truth.get(condition.0 as usize).copied();
    let left = resolve(&equation.lhs, &mut decide).as_var()?;
    let right = resolve(&equation.rhs, &mut decide).as_var()?;
    (left == right).then_some(left.var)
}

fn defined_by_itself(mdae: &MDae, when: &str, block: &Deficient, x: VarId) -> Diagnostic<Place> {
    let variable = mdae.variable(x);
    let name = &variable.name;
    let message = format!(
        "{}this equation says `{name} = {name}`, so nothing determines `{name}`",
        opening(when)
    );
    let mut diagnostic = Diagnostic::new(Code::MS4008, message);
    for &id in &block.equations {
        let place = mdae.equations[id].origin.span;
        diagnostic = diagnostic.label(place, format!("`{name}` depends on itself here"));
    }
    match variable.discrete || variable.values != Values::Real {
        true => diagnostic.note(format!(
            "write `pre({name})` where the value is to stay as it was before the event"
        )),
        false => diagnostic.note(format!(
            "a variable that keeps its value between events is assigned in a `when` or reads `pre({name})`; it must be \
             discrete"
        )),
    }
}

fn dependent_block(mdae: &MDae, when: &str, block: &Deficient) -> Diagnostic<Place> {
    let opening = opening(when);
    let names = variable_names(mdae, &block.variables);
    let message = match block.equations.len() {
        1 => format!(
            "{opening}the equation for {names} does not determine it: its coefficient is zero"
        ),
        n => format!(
            "{opening}the {n} equations for {names} depend on each other, whatever the values are"
        ),
    };
    let mut diagnostic = Diagnostic::new(Code::MS4008, message);
    let this = match block.equations.len() {
        1 => "this equation",
        _ => "one of them",
    };
    let mut labels = Labels::new();
    for &id in &block.equations {
        let origin = mdae.equations[id].origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || about(mdae, id, this));
    }
    let diagnostic = labels.finish(diagnostic);
    if block.equations.len() == 1 {
        return diagnostic;
    }
    diagnostic.note(
        "one of these equations follows from the others or contradicts them, so they do not determine the variables: \
         a simulation stops, or goes on with values that the model does not determine",
    )
}

/// Modes to look at: all modes of parts with few of them, else some, with each value of each mode variable among
/// them, so that every equation is seen in its forms. Independent parts are sampled side by side.
pub(crate) struct Samples {
    modes: Vec<Vec<bool>>,
    /// Of each of these modes. Modes that differ in coefficients only share one.
    structures: Vec<Arc<(OneMode, ModeStructure)>>,
    /// The conditions inside each equation that has some.
    conditions: FxHashMap<EqId, Box<[CondId]>>,
    /// By the equations of a part: what was sampled of it.
    parts: FxHashMap<EqId, Arc<SampledPart>>,
}

/// The modes of a part that are looked at.
struct SampledPart {
    vars: Vec<ModeVar>,
    /// All regular modes are among the samples.
    complete: bool,
}

/// Blocks by the places of their equations, with the modes in which they are singular.
type Found<'s> = FxIndexMap<Vec<Place>, (Deficient, Vec<&'s [bool]>)>;

impl Samples {
    /// The first blocks of each mode that are singular for all values.
    fn deficient(&self, ranks: &mut RankCheck<'_>, check: &dyn Fn()) -> Found<'_> {
        let mut found = Found::default();
        for (mode, one) in self.modes.iter().zip(&self.structures) {
            check();
            let mdae = ranks.mdae();
            let truth = mdae.conds.evaluate(mode);
            for block in ranks.deficient_blocks(&one.0, &one.1, &truth, 4) {
                let (_, modes) = found
                    .entry(places(mdae, &block))
                    .or_insert((block, Vec::new()));
                modes.push(mode);
            }
        }
        found
    }

    /// Puts values of the mode variables of one part into the modes, which become more if need be.
    fn add(&mut self, vars: &[ModeVar], local: &[Vec<bool>]) {
        let Some(first) = local.first() else { return };
        let more = self.modes[0].clone();
        self.modes.resize(self.modes.len().max(local.len()), more);
        for (i, sample) in self.modes.iter_mut().enumerate() {
            let values = local.get(i).unwrap_or(first);
            for (var, value) in vars.iter().zip(values) {
                sample[var.index()] = *value;
            }
        }
    }

    fn add_part(&mut self, analysis: &Structured, component: &Component<BddSet>, most: usize) {
        let vars = coefficient_modes(analysis, component);
        if vars.is_empty() || component.over_limit.is_some() {
            return;
        }
        let local = regular_modes(analysis, component, &vars)
            .and_then(|modes| some_of(&analysis.space.sets, &modes, &vars, most));
        if let Ok((local, complete)) = local {
            self.add(&vars, &local);
            let part = Arc::new(SampledPart { vars, complete });
            let equations = component.equations.iter();
            let ids = equations.map(|&row| (analysis.equation(row), Arc::clone(&part)));
            self.parts.extend(ids);
        }
    }

    /// The structure of each mode, found once for all in which the same equations hold between the same unknowns.
    fn find_structures(&mut self, analysis: &Structured, check: &dyn Fn()) {
        let rows = &analysis.rows;
        let guards = rows
            .equations
            .iter()
            .map(|&id| analysis.mdae.equations[id].guard);
        let whens = rows.occurrences.iter().flatten().map(|it| it.when);
        let mut deciding: Vec<CondId> = guards.chain(whens).collect();
        deciding.retain(|&condition| condition != Conds::TRUE);
        deciding.sort_unstable();
        deciding.dedup();
        let mut known: FxHashMap<Vec<bool>, Arc<(OneMode, ModeStructure)>> = FxHashMap::default();
        for mode in &self.modes {
            check();
            let truth = analysis.mdae.conds.evaluate(mode);
            let decided = deciding.iter().map(|id| truth[id.0 as usize]).collect();
            let one = known
                .entry(decided)
                .or_insert_with(|| Arc::new(analysis.mode(mode)));
            self.structures.push(one.clone());
        }
    }

    /// When a block depends on itself: exactly where all modes of its part were looked at, else one of the modes.
    fn words(&self, analysis: &Analysis, block: &Deficient, modes: &[&[bool]]) -> String {
        let Some(part) = block.equations.first().and_then(|id| self.parts.get(id)) else {
            return "true".to_owned();
        };
        let sets = &analysis.space.sets;
        let exact = || -> Result<String, NodeLimit> {
            let mut union = sets.empty();
            for mode in modes {
                let mut one = sets.full();
                for &var in &part.vars {
                    one = sets.and(&one, &sets.literal(var, mode[var.index()])?)?;
                }
                union = sets.or(&union, &one)?;
            }
            let possible = analysis.care.about(sets, &part.vars)?;
            formula::when(&analysis.mdae, sets, &union, &possible)
        };
        match exact() {
            Ok(words) if part.complete => words,
            _ => formula::example(&analysis.mdae, &part.vars, modes[0]),
        }
    }
}

fn samples(analysis: &Structured, check: &dyn Fn()) -> Samples {
    let mut samples = Samples {
        modes: vec![vec![false; analysis.mdae.modes.len()]],
        structures: Vec::new(),
        conditions: FxHashMap::default(),
        parts: FxHashMap::default(),
    };
    if let Structure::All(all) = &analysis.structure {
        let affordable = MAX_CHECKED / analysis.rows.equations.len().max(1);
        let most = affordable.clamp(2, MAX_SAMPLES);
        for component in &all.1.components {
            samples.add_part(analysis, component, most);
        }
    }
    for &id in &analysis.rows.equations {
        let mut inside = conditions(&analysis.mdae, id);
        // The guard holds wherever the equation is looked at.
        inside.remove(0);
        if !inside.is_empty() {
            samples.conditions.insert(id, inside.into());
        }
    }
    samples.find_structures(analysis, check);
    samples
}

/// The mode variables on which the equations of a part depend: also those that only change coefficients.
fn coefficient_modes(analysis: &Structured, component: &Component<BddSet>) -> Vec<ModeVar> {
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
    analysis: &Structured,
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

/// Some of the modes of a part, and whether these are all.
fn some_of(
    sets: &impl ModeSets<Set = BddSet>,
    modes: &BddSet,
    vars: &[ModeVar],
    most: usize,
) -> Result<(Vec<Vec<bool>>, bool), NodeLimit> {
    let mut local = sets.valuations(modes, vars, most + 1);
    if local.len() <= most {
        return Ok((local, true));
    }
    local.truncate(most);
    if most < MAX_SAMPLES {
        return Ok((local, false));
    }
    local.truncate(MAX_SAMPLES / 2);
    for &var in vars.iter().take(MAX_SAMPLES / 2) {
        let with = sets.and(&sets.literal(var, true)?, modes)?;
        if let Some(mode) = sets.pick(&with) {
            local.push(vars.iter().map(|var| mode[var.index()]).collect());
        }
    }
    Ok((local, false))
}
