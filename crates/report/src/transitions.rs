//! Mode changes as documents: classes of changes with equal results.

pub mod text;

use modeshift_base::{FileSpan, FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::json::{JsonDiagnostic, JsonPlace};
use modeshift_mdae::model::{EqId, MDae, ModeId};
use modeshift_mdae::sym::{Style, VarRef};
use modeshift_restart::array::RowKind;
use modeshift_restart::describe::{describe, headline};
use modeshift_restart::diagnose::{row_text, source_text};
use modeshift_restart::explore::{Exploration, Group, Transition};
use modeshift_restart::modes::Mode;
use modeshift_restart::names::{PartNames, derivative_name, order_text};
use modeshift_restart::verdict::{Flag, Verdict};
use serde::Serialize;
use serde_json::Value;

/// Version of the document below; `docs/schemas/transitions.schema.json` describes it.
pub const SCHEMA: &str = "modeshift.transitions/1";

/// A class that stands for more changes than this lists only the first ones.
const MAX_CHANGES: usize = 4096;

/// The whole document of `modeshift transitions --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    pub schema: &'static str,
    pub model: String,
    /// How many changes there are.
    pub change_count: u64,
    /// Only changes out of the first mode were analysed: there are too many modes.
    pub truncated: bool,
    /// How many modes there are whose changes were not analysed; left out where all were.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub modes_not_analysed: Value,
    /// How many changes were not analysed, at most.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub changes_not_analysed: Value,
    /// What was not analysed, in words.
    #[serde(skip)]
    pub left_out: Option<String>,
    /// Conditions that have nothing to do with each other, where there are too many modes to list them:
    /// each change is told once, and happens with every mode of the other groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub independent: Vec<Vec<String>>,
    pub transitions: Vec<Class>,
    /// From the start values into the first mode.
    pub initialisation: Option<Class>,
    pub diagnostics: Vec<JsonDiagnostic>,
}

/// Truth values by name of the mode variable.
pub type Valuation = FxIndexMap<String, bool>;

/// Changes with equal results.
#[derive(Clone, Debug, Serialize)]
pub struct Class {
    /// `null` for the initialisation.
    pub from: Option<Valuation>,
    pub to: Valuation,
    pub transient: Option<Valuation>,
    /// How many entries of a valuation are mode variables of their own; the others follow from them.
    #[serde(skip)]
    pub own: usize,
    /// The conditions that flip, in a few words.
    #[serde(skip)]
    pub headline: String,
    /// What happens, in words.
    pub event: String,
    #[serde(flatten)]
    pub result: Outcome,
    pub count: u64,
    pub changes: Vec<Pair>,
    pub diagnostics: Vec<JsonDiagnostic>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    pub from: Option<Valuation>,
    pub to: Valuation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transient: Option<Valuation>,
}

/// The result of a change, in the model's own names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Outcome {
    #[serde(serialize_with = "crate::verdict::of_change")]
    pub verdict: Verdict,
    /// It could only happen if time ran backwards.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_earlier_time: bool,
    #[serde(serialize_with = "as_map")]
    pub impulsive: Vec<(String, String)>,
    /// How many of them are more than another name for one of the others.
    #[serde(skip)]
    pub own_impulses: usize,
    pub jumps: Vec<String>,
    pub determined_states: Vec<String>,
    pub undetermined_states: Vec<String>,
    pub facts: Vec<Fact>,
    pub redundant: Vec<Sourced>,
    /// Rows that cannot be reconciled.
    pub conflicts: Vec<Sourced>,
    /// Equations in which an impulse is locked in a function.
    pub nonlinear: Vec<Sourced>,
    pub heights: Vec<Height>,
    pub restart: Vec<RestartLine>,
    pub flags: Vec<FlagText>,
}

fn as_map<S: serde::Serializer>(
    pairs: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, order)| (name, order)))
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Fact {
    pub equation: String,
    pub reason: &'static str,
    #[serde(flatten)]
    pub source: Source,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Sourced {
    pub equation: String,
    #[serde(flatten)]
    pub source: Source,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Height {
    pub equation: String,
    pub height: u32,
}

/// One equation of the restart system.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct RestartLine {
    /// In readable mathematics: `x⁻`, `x⁺`, `t↓` for the weight of an impulse.
    pub equation: String,
    #[serde(skip)]
    pub latex: String,
    #[serde(flatten)]
    pub source: Source,
}

/// The equation of the model behind a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Source {
    /// The equation as flattened; `null` for the continuity of a state.
    pub source: Option<String>,
    /// The component it stands in.
    pub instance: Option<String>,
    pub span: Option<SourceSpan>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct SourceSpan {
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct FlagText {
    pub flag: &'static str,
    pub variables: Vec<String>,
    pub equation: Option<String>,
}

/// Tells a place as file, line and column.
pub type Locate<'l> = &'l dyn Fn(FileSpan) -> JsonPlace;

/// The changes of an exploration grouped by result, in the order of their first members.
pub struct Grouped {
    /// Transitions of each class.
    pub members: Vec<Vec<usize>>,
    pub outcomes: Vec<Outcome>,
}

/// Groups changes with equal results. Linear in the changes apart from hashing the distinct results.
pub fn group(found: &Exploration<'_>, locate: Locate<'_>) -> Grouped {
    let mut state_sets: FxIndexMap<Vec<VarRef>, ()> = FxIndexMap::default();
    let mut states_of: FxHashMap<&Mode, usize> = FxHashMap::default();
    let mut by_parts: FxHashMap<(&[usize], bool, bool, usize), usize> = FxHashMap::default();
    let mut by_outcome: FxHashMap<Outcome, usize> = FxHashMap::default();
    let mut grouped = Grouped {
        members: Vec::new(),
        outcomes: Vec::new(),
    };
    for (i, transition) in found.transitions.iter().enumerate() {
        let states = *states_of.entry(&transition.to).or_insert_with(|| {
            state_sets
                .insert_full(found.states_of(&transition.to), ())
                .0
        });
        let backwards = found.needs_earlier_time(transition);
        let parts = transition.parts.as_slice();
        let key = (parts, transition.unbounded, backwards, states);
        let class = *by_parts.entry(key).or_insert_with(|| {
            let mut outcome = outcome(found, transition, locate);
            if let Some((states, ())) = state_sets.get_index(states) {
                let continuous = found.continuous(transition, states).into_iter();
                outcome
                    .determined_states
                    .extend(continuous.map(|state| model_name(found.modes.mdae, state)));
                let mut seen = FxHashSet::default();
                outcome
                    .determined_states
                    .retain(|name| seen.insert(name.clone()));
            }
            *by_outcome.entry(outcome).or_insert_with_key(|outcome| {
                grouped.outcomes.push(outcome.clone());
                grouped.members.push(Vec::new());
                grouped.outcomes.len() - 1
            })
        });
        grouped.members[class].push(i);
    }
    grouped
}

/// How many of its `count` changes a class lists: all of them up to [`MAX_CHANGES`]. Where groups of conditions are
/// combined there are many more than anybody analysed; of those the list is kept readable.
fn listed_changes(found: &Exploration<'_>, count: u64) -> usize {
    if found.groups.is_empty() || count <= MAX_CHANGES as u64 {
        return MAX_CHANGES;
    }
    let entries = 2 * found.modes.mdae.modes.len() * found.transitions.len();
    (200_000 / entries.max(1)).clamp(1, MAX_CHANGES)
}

/// The groups of independent conditions by name.
pub fn independent(found: &Exploration<'_>) -> Vec<Vec<String>> {
    let name = |id: &ModeId| found.modes.mdae.modes[*id].name.to_string();
    let names = |group: &Group| group.members.iter().map(name).collect();
    found.groups.iter().map(names).collect()
}

/// What was not analysed of a model with more changes than can be listed.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// How many changes were analysed, of those that were looked for.
    analysed: usize,
    looked_for: usize,
    /// The modes that changes were followed out of, where these are not all.
    visited: Option<usize>,
    /// How many other modes there are; null where nobody knows.
    pub modes: Value,
    /// How many changes were not analysed, at most; null where nobody knows.
    pub changes: Value,
}

impl LeftOut {
    /// Nothing where all changes were analysed.
    pub fn of(found: &Exploration<'_>, modes: Option<&num_bigint::BigUint>) -> Option<Self> {
        if !found.truncated && found.left_out == 0 {
            return None;
        }
        let analysed = found
            .transitions
            .iter()
            .filter(|t| t.from.is_some())
            .count();
        let mut left_out = Self {
            analysed,
            looked_for: analysed + found.left_out,
            visited: found.truncated.then(|| found.visited_modes()),
            modes: Value::Null,
            changes: Value::Null,
        };
        let seen = num_bigint::BigUint::from(found.modes_left());
        match modes.filter(|_| found.truncated) {
            Some(all) if *all > seen => {
                left_out.modes = crate::modes::number(&(all - seen));
                let changes = all * found.changes_per_mode();
                let known = change_count(found).into();
                if changes > known {
                    left_out.changes = crate::modes::number(&(changes - known));
                }
            }
            _ if !found.truncated => left_out.changes = found.left_out.into(),
            _ => {}
        }
        Some(left_out)
    }

    /// One sentence for all who tell it.
    pub fn text(&self) -> String {
        let counted = |value: &Value, one: &str, many: &str| match value {
            Value::Null => None,
            value if *value == 1 => Some(format!("1 {one}")),
            value => Some(format!("{} {many}", number_text(value))),
        };
        let Some(visited) = self.visited else {
            return format!(
                "only {} of {} mode changes were analysed",
                self.analysed, self.looked_for
            );
        };
        let which = match visited {
            0 | 1 => "the mode at the start".to_owned(),
            n => format!("the {n} modes nearest to the start"),
        };
        let others = counted(&self.modes, "other", "others").unwrap_or_else(|| "others".into());
        let mut text = match self.looked_for > self.analysed {
            true => format!(
                "only {} of {} changes out of {which} were analysed, and none out of {others}",
                self.analysed, self.looked_for
            ),
            false => {
                format!("only the changes out of {which} were analysed, not those out of {others}")
            }
        };
        if let Some(changes) = counted(&self.changes, "change", "changes") {
            text.push_str(&format!(": at most {changes}"));
        }
        text
    }
}

/// A number from [`LeftOut`] for people.
pub fn number_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How many changes an exploration is about.
pub fn change_count(found: &Exploration<'_>) -> u64 {
    let each = found.transitions.iter().map(|t| found.multiplicity(t));
    each.fold(0, u64::saturating_add)
}

/// The document of a class.
pub fn class(
    found: &Exploration<'_>,
    members: &[usize],
    outcome: &Outcome,
    diagnostics: Vec<JsonDiagnostic>,
) -> Option<Class> {
    let mdae = found.modes.mdae;
    let pair = |transition: &Transition| Pair {
        from: transition.from.as_ref().map(|mode| valuation(mdae, mode)),
        to: valuation(mdae, &transition.to),
        transient: transition
            .transient
            .as_ref()
            .map(|mode| valuation(mdae, mode)),
    };
    let first = &found.transitions[*members.first()?];
    let Pair {
        from,
        to,
        transient,
    } = pair(first);
    let count = members
        .iter()
        .map(|&i| found.multiplicity(&found.transitions[i]))
        .fold(0, u64::saturating_add);
    let limit = listed_changes(found, count);
    let mut changes = Vec::new();
    for &i in members {
        let rest = limit.saturating_sub(changes.len());
        if rest == 0 {
            break;
        }
        let combined = found.combinations(&found.transitions[i], rest);
        changes.extend(combined.iter().map(pair));
    }
    Some(Class {
        from,
        to,
        transient,
        own: own_variables(mdae).count(),
        headline: headline(found, first),
        event: describe(found, first),
        result: outcome.clone(),
        count,
        changes,
        diagnostics,
    })
}

/// The mode variables that guards read, by name; then the Booleans that follow from them.
pub fn valuation(mdae: &MDae, mode: &Mode) -> Valuation {
    let own = own_variables(mdae).map(|(id, name)| (name.to_owned(), mode[id.index()]));
    let mut map: Valuation = own.collect();
    if !mdae.derived.is_empty() {
        let truth = mdae.conds.evaluate(mode);
        for derived in &mdae.derived {
            let value = truth.get(derived.value.0 as usize).copied();
            if let Some(value) = value.filter(|_| !map.contains_key(&*derived.name)) {
                map.insert(derived.name.to_string(), value);
            }
        }
    }
    map
}

fn own_variables(mdae: &MDae) -> impl Iterator<Item = (ModeId, &str)> {
    let shown = mdae
        .modes
        .iter_enumerated()
        .filter(|(_, variable)| !variable.auxiliary);
    shown.map(|(id, variable)| (id, &*variable.name))
}

fn outcome(found: &Exploration<'_>, transition: &Transition, locate: Locate<'_>) -> Outcome {
    let verdict = if transition.unbounded {
        Verdict::Undetermined
    } else {
        found.verdict(transition)
    };
    let mut outcome = Outcome {
        verdict,
        needs_earlier_time: found.needs_earlier_time(transition),
        impulsive: Vec::new(),
        own_impulses: 0,
        jumps: Vec::new(),
        determined_states: Vec::new(),
        undetermined_states: Vec::new(),
        facts: Vec::new(),
        redundant: Vec::new(),
        conflicts: Vec::new(),
        nonlinear: Vec::new(),
        heights: Vec::new(),
        restart: Vec::new(),
        flags: Vec::new(),
    };
    for &part in &transition.parts {
        let modes = &found.modes;
        let names = PartNames {
            mdae: modes.mdae,
            elimination: &modes.elimination,
            result: &found.parts[part],
        };
        Writer {
            found,
            locate,
            names,
        }
        .part(&mut outcome);
    }
    // Other names in the model itself are told like the first; those in components only where all are listed.
    let aliases = aliases(found, &outcome.impulsive);
    let (inner, own): (Vec<_>, Vec<_>) = aliases
        .into_iter()
        .partition(|(name, _)| name.contains('.'));
    outcome.impulsive.extend(own);
    outcome.own_impulses = outcome.impulsive.len();
    outcome.impulsive.extend(inner);
    outcome
}

/// `w`, `der(w)` for an occurrence of the model.
pub fn model_name(mdae: &MDae, occurrence: VarRef) -> String {
    derivative_name(&mdae.variable(occurrence.var).name, occurrence.order)
}

/// Other names of the impulsive variables: eliminated variables of components.
fn aliases(found: &Exploration<'_>, impulsive: &[(String, String)]) -> Vec<(String, String)> {
    if impulsive.is_empty() {
        return Vec::new();
    }
    let (mdae, elimination) = (found.modes.mdae, &found.modes.elimination);
    let orders: FxHashMap<&str, &str> = impulsive
        .iter()
        .map(|(name, order)| (name.as_str(), order.as_str()))
        .collect();
    let mut list = Vec::new();
    for var in elimination.eliminated() {
        let Ok(signed) = elimination.forward(VarRef::now(var, 0)) else {
            continue;
        };
        let name = model_name(mdae, elimination.listed(signed.occurrence));
        let Some(order) = orders.get(name.as_str()) else {
            continue;
        };
        let mut names = vec![mdae.variable(var).name.to_string()];
        // `der(w) = a` gives the impulse two names, and both stand in the model.
        if let Some(lower) = signed.occurrence.order.checked_sub(1) {
            let below = VarRef::now(signed.occurrence.var, lower);
            let below = elimination.listed(below);
            let below = VarRef::now(below.var, below.order + 1);
            names.push(model_name(mdae, below));
        }
        for own in names {
            if !orders.contains_key(own.as_str()) && !list.iter().any(|(known, _)| *known == own) {
                list.push((own, (*order).to_owned()));
            }
        }
    }
    list
}

struct Writer<'a, 'm> {
    found: &'a Exploration<'m>,
    locate: Locate<'a>,
    names: PartNames<'a>,
}

impl Writer<'_, '_> {
    fn part(&self, outcome: &mut Outcome) {
        let analysis = &self.names.result.analysis;
        let states = |list: &[VarRef]| -> Vec<String> {
            list.iter().map(|v| self.names.listed(*v)).collect()
        };
        for (v, order) in &analysis.impulsive {
            let name = self.names.listed(*v);
            if !outcome.impulsive.iter().any(|(known, _)| *known == name) {
                outcome.impulsive.push((name, order_text(*order)));
            }
        }
        // Unknowns with an equation of their own belong to several parts.
        let extend = |list: &mut Vec<String>, new: &[VarRef]| {
            for name in states(new) {
                if !list.contains(&name) {
                    list.push(name);
                }
            }
        };
        extend(&mut outcome.jumps, &analysis.jumps);
        extend(&mut outcome.determined_states, &analysis.determined);
        extend(&mut outcome.undetermined_states, &analysis.undetermined);
        for (row, reason) in &analysis.facts {
            let Sourced { equation, source } = self.sourced(*row);
            let fact = Fact {
                equation,
                reason: reason.as_str(),
                source,
            };
            // One equation may hold at several instants of the array.
            if !outcome.facts.contains(&fact) {
                outcome.facts.push(fact);
            }
        }
        outcome
            .redundant
            .extend(analysis.redundant.iter().map(|row| self.sourced(*row)));
        let visible = analysis
            .conflict
            .iter()
            .filter(|row| !matches!(row, RowKind::Euler(_)));
        outcome
            .conflicts
            .extend(visible.map(|row| self.sourced(*row)));
        outcome
            .nonlinear
            .extend(analysis.nonlinear.iter().map(|(row, _)| self.sourced(*row)));
        self.heights(outcome);
        for equation in analysis.system.condensed() {
            outcome.restart.push(RestartLine {
                equation: self.names.print_equation(&equation.residual, Style::Math),
                latex: self.names.print_equation(&equation.residual, Style::Latex),
                source: self.source(equation.kind),
            });
        }
        outcome
            .flags
            .extend(analysis.flags.iter().map(|flag| self.flag(flag)));
    }

    fn heights(&self, outcome: &mut Outcome) {
        let part = &self.names.result.part;
        for (equation, &height) in part
            .change
            .after
            .iter()
            .zip(&self.names.result.analysis.heights)
        {
            if let Some(&source) = part.sources.get(equation.source) {
                let equation = source_text(self.found, source);
                outcome.heights.push(Height { equation, height });
            }
        }
    }

    fn sourced(&self, row: RowKind) -> Sourced {
        let equation = row_text(&self.names, row).unwrap_or_default();
        Sourced {
            equation,
            source: self.source(row),
        }
    }

    fn source(&self, row: RowKind) -> Source {
        match self.names.source(row) {
            Some(equation) => self.equation(equation),
            None => Source {
                source: None,
                instance: None,
                span: None,
            },
        }
    }

    fn equation(&self, id: EqId) -> Source {
        let origin = &self.found.modes.mdae.equations[id].origin;
        let JsonPlace { file, place } = (self.locate)(origin.span);
        let span = SourceSpan {
            file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        };
        Source {
            source: Some(source_text(self.found, id)),
            instance: (!origin.instance.is_empty()).then(|| origin.instance.to_string()),
            span: Some(span),
        }
    }

    fn flag(&self, flag: &Flag) -> FlagText {
        match flag {
            Flag::SchemeDependent {
                row,
                impulse,
                states,
            } => {
                let mut variables = vec![self.names.state(*impulse)];
                variables.extend(states.iter().map(|v| self.names.state(*v)));
                FlagText {
                    flag: "scheme-dependent",
                    variables,
                    equation: row_text(&self.names, *row),
                }
            }
            Flag::AlgebraicBefore { state } => FlagText {
                flag: "algebraic-before",
                variables: vec![self.names.state(*state)],
                equation: None,
            },
        }
    }
}

/// The numbers of one restart, `modeshift restart --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct RestartDocument {
    pub schema: &'static str,
    pub model: String,
    pub from: Option<Valuation>,
    pub to: Valuation,
    pub transient: Option<Valuation>,
    #[serde(serialize_with = "crate::verdict::of_change")]
    pub verdict: Verdict,
    /// Left limits that were used, given or computed.
    pub left: FxIndexMap<String, f64>,
    /// Values that were not given and taken from `start` attributes or zero.
    pub assumed: Vec<String>,
    /// Equations of the mode before that the given values do not satisfy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    pub right: FxIndexMap<String, f64>,
    pub weights: FxIndexMap<String, f64>,
    /// Order of each impulse.
    pub orders: FxIndexMap<String, String>,
    pub residual: f64,
    pub diagnostics: Vec<JsonDiagnostic>,
}

pub const RESTART_SCHEMA: &str = "modeshift.restart/1";
