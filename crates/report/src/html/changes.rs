//! Mode changes: classes with their arrays and restart systems, and which mode leads to which.

use super::sources::{SourceRef, Sources};
use super::structure::bits;
use crate::graph::{Picture, picture, readable_modes};
use crate::transitions::{Outcome, Source, group};
use modeshift_base::FxIndexMap;
use modeshift_diag::Diagnostic;
use modeshift_diag::json::JsonDiagnostic;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::sym::{VarId, VarRef};
use modeshift_restart::array::{Builder, Rank, RowKind, Setting};
use modeshift_restart::describe::describe;
use modeshift_restart::diagnose::{diagnose as say, row_text};
use modeshift_restart::explore::{Exploration, PartResult};
use modeshift_restart::modes::Mode;
use modeshift_restart::names::PartNames;
use modeshift_restart::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeSet;

/// Changes that are embedded one by one.
const MAX_CHANGES: usize = 60_000;
/// Arrays with more rows are left out.
const MAX_ROWS: usize = 150;

/// Shows diagnostics to the user and gives them as they appear in a document.
pub type Diagnose<'a> = &'a mut dyn FnMut(Vec<Diagnostic>) -> Vec<JsonDiagnostic>;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Changes {
    /// What [`TextId`]s stand for: equations and names recur in many changes.
    texts: Vec<String>,
    /// Modes that changes lead out of or into, as values of the model's conditions.
    modes: Vec<String>,
    classes: Vec<Class>,
    /// Class, mode before, mode after: three numbers for each change.
    pairs: Vec<u32>,
    /// Changes that are not in `pairs`.
    more: usize,
    initialisation: Option<Class>,
    /// Modes and changes, by class if they are many.
    picture: Picture,
}

#[derive(Clone, Debug, Serialize)]
struct Class {
    event: String,
    #[serde(serialize_with = "crate::verdict::of_change")]
    verdict: Verdict,
    /// What the colour says: `continuous`, `jump`, `impulsive`, `undetermined`, `rejected`.
    effect: &'static str,
    count: usize,
    impulsive: Vec<(String, String)>,
    jumps: Vec<String>,
    determined: Vec<String>,
    undetermined: Vec<String>,
    facts: Vec<Line>,
    redundant: Vec<Line>,
    conflicts: Vec<Line>,
    nonlinear: Vec<Line>,
    restart: Vec<Line>,
    flags: Vec<String>,
    arrays: Vec<ArrayTable>,
    /// The offset μ of every variable that the change touches.
    offsets: Vec<Offset>,
    diagnostics: Vec<JsonDiagnostic>,
}

/// Number of a text in [`Changes::texts`].
type TextId = u32;

/// Texts, each once.
#[derive(Default)]
struct Texts {
    texts: FxIndexMap<String, ()>,
}

impl Texts {
    fn id(&mut self, text: impl Into<String>) -> TextId {
        self.texts.insert_full(text.into(), ()).0 as TextId
    }
}

/// An equation with what it comes from.
#[derive(Clone, Debug, Serialize)]
struct Line {
    text: TextId,
    note: Option<&'static str>,
    source: Option<TextId>,
    at: Option<SourceRef>,
}

/// The mode change array of one part of a change.
#[derive(Clone, Debug, Serialize)]
struct ArrayTable {
    /// Set if it is too large to be shown.
    too_large: Option<usize>,
    columns: Vec<Cell>,
    rows: Vec<ArrayRow>,
}

#[derive(Clone, Debug, Serialize)]
struct Cell {
    name: TextId,
    instant: u32,
    /// Set by the old mode.
    past: bool,
}

#[derive(Clone, Debug, Serialize)]
struct ArrayRow {
    text: TextId,
    instant: u32,
    rank: &'static str,
    /// `fact`, `redundant`, `conflict`, or nothing.
    mark: &'static str,
    columns: Vec<u32>,
}

/// A variable and its μ.
#[derive(Clone, Debug, Serialize)]
struct Offset(TextId, String);

impl Changes {
    pub fn diagnostics(&self) -> Vec<JsonDiagnostic> {
        let classes = self.classes.iter().chain(&self.initialisation);
        classes
            .flat_map(|class| class.diagnostics.iter().cloned())
            .collect()
    }
}

pub(super) fn changes(
    analysis: &Analysis,
    explored: &Exploration<'_>,
    start: Option<&Exploration<'_>>,
    sources: &mut Sources<'_>,
    diagnose: Diagnose<'_>,
) -> Changes {
    let mut texts = Texts::default();
    let (classes, members) = classes(explored, &mut texts, sources, diagnose);
    let mut modes: FxIndexMap<&Mode, ()> = FxIndexMap::default();
    let mut class_of = vec![0_u32; explored.transitions.len()];
    for (class, members) in members.iter().enumerate() {
        for &member in members {
            class_of[member] = class as u32;
        }
    }
    let mut pairs = Vec::new();
    for (transition, &class) in explored.transitions.iter().zip(&class_of).take(MAX_CHANGES) {
        if let Some(from) = &transition.from {
            let from = modes.insert_full(from, ()).0 as u32;
            let to = modes.insert_full(&transition.to, ()).0 as u32;
            pairs.extend([class, from, to]);
        }
    }
    let initialisation = start.and_then(|start| {
        self::classes(start, &mut texts, sources, diagnose)
            .0
            .into_iter()
            .next()
    });
    let shows = |transition: usize| class_of.get(transition).map(|&class| class as usize);
    Changes {
        picture: picture(&readable_modes(analysis, explored, &shows)),
        texts: texts.texts.into_keys().collect(),
        modes: modes.keys().map(|mode| bits(mode)).collect(),
        classes,
        more: explored.transitions.len().saturating_sub(MAX_CHANGES),
        pairs,
        initialisation,
    }
}

fn classes(
    explored: &Exploration<'_>,
    texts: &mut Texts,
    sources: &mut Sources<'_>,
    diagnose: Diagnose<'_>,
) -> (Vec<Class>, Vec<Vec<usize>>) {
    let grouped = {
        let sources = &*sources;
        group(explored, &|at| sources.locate(at))
    };
    let mut classes = Vec::new();
    for (members, outcome) in grouped.members.iter().zip(&grouped.outcomes) {
        let Some(&first) = members.first() else {
            continue;
        };
        let transition = &explored.transitions[first];
        let diagnostics = diagnose(say(explored, transition, members.len()));
        let arrays = transition
            .parts
            .iter()
            .map(|&part| array(explored, &explored.parts[part], texts))
            .collect();
        let offsets = offsets(explored, &transition.parts, outcome, texts);
        let event = describe(explored, transition);
        let mut class = Writer { sources, texts }.class(event, outcome, members.len());
        class.arrays = arrays;
        class.offsets = offsets;
        class.diagnostics = diagnostics;
        classes.push(class);
    }
    (classes, grouped.members)
}

struct Writer<'w, 'p> {
    sources: &'w mut Sources<'p>,
    texts: &'w mut Texts,
}

impl Writer<'_, '_> {
    /// What the outcome says; arrays, offsets and messages are not part of it.
    fn class(&mut self, event: String, outcome: &Outcome, count: usize) -> Class {
        let lines = |list: &[crate::transitions::Sourced], this: &mut Self| -> Vec<Line> {
            list.iter()
                .map(|line| this.line(&line.equation, None, &line.source))
                .collect()
        };
        Class {
            event,
            verdict: outcome.verdict,
            effect: effect(outcome),
            count,
            impulsive: outcome.impulsive.clone(),
            jumps: outcome.jumps.clone(),
            determined: outcome.determined_states.clone(),
            undetermined: outcome.undetermined_states.clone(),
            facts: outcome
                .facts
                .iter()
                .map(|fact| self.line(&fact.equation, Some(fact.reason), &fact.source))
                .collect(),
            redundant: lines(&outcome.redundant, self),
            conflicts: lines(&outcome.conflicts, self),
            nonlinear: lines(&outcome.nonlinear, self),
            restart: outcome
                .restart
                .iter()
                .map(|line| self.line(&line.equation, None, &line.source))
                .collect(),
            flags: outcome
                .flags
                .iter()
                .map(|flag| format!("{}: {}", flag.flag, flag.variables.join(", ")))
                .collect(),
            arrays: Vec::new(),
            offsets: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn line(&mut self, text: &str, note: Option<&'static str>, source: &Source) -> Line {
        let at = source.span.as_ref().and_then(|span| {
            let lines = [span.line, span.column, span.end_line, span.end_column];
            self.sources.add_lines(span.file.as_deref()?, lines)
        });
        Line {
            text: self.texts.id(text),
            note,
            source: source
                .source
                .as_ref()
                .map(|text| self.texts.id(text.as_str())),
            at,
        }
    }
}

fn effect(outcome: &Outcome) -> &'static str {
    match outcome.verdict {
        Verdict::Determined if !outcome.impulsive.is_empty() => "impulsive",
        Verdict::Determined if !outcome.jumps.is_empty() => "jump",
        Verdict::Determined => "continuous",
        Verdict::Undetermined | Verdict::Ambiguous | Verdict::NumericallySingular => "undetermined",
        Verdict::NonlinearImpulse | Verdict::Inconsistent | Verdict::SingularMode => "rejected",
    }
}

/// Builds the array of a part again, as the analysis left it. Linear in its size.
fn array(explored: &Exploration<'_>, result: &PartResult, texts: &mut Texts) -> ArrayTable {
    let names = PartNames {
        mdae: explored.modes.mdae,
        elimination: &explored.modes.elimination,
        result,
    };
    let analysis = &result.analysis;
    let mut table = ArrayTable {
        too_large: None,
        columns: Vec::new(),
        rows: Vec::new(),
    };
    let (Some(before), Some(after)) = (&analysis.offsets_before, &analysis.offsets_after) else {
        return table;
    };
    let setting = Setting::new(&result.part.change, before.clone(), after.clone());
    if analysis.heights.len() != result.part.change.after.len() {
        return table;
    }
    let array = Builder::build(&setting, &analysis.heights, &BTreeSet::new());
    if array.rows.len() > MAX_ROWS {
        table.too_large = Some(array.rows.len());
        return table;
    }
    table.columns = array
        .columns
        .iter()
        .map(|cell| Cell {
            name: texts.id(names.state(VarRef::now(cell.var, cell.order))),
            instant: cell.instant,
            past: setting.is_past(*cell),
        })
        .collect();
    let mark = |kind: &RowKind| {
        if analysis.conflict.contains(kind) {
            "conflict"
        } else if analysis.facts.iter().any(|(row, _)| row == kind) {
            "fact"
        } else if analysis.redundant.contains(kind) {
            "redundant"
        } else {
            ""
        }
    };
    table.rows = array
        .rows
        .iter()
        .map(|row| ArrayRow {
            text: texts.id(match row.kind {
                RowKind::Euler(cell) => {
                    format!(
                        "Euler identity of {}",
                        names.state(VarRef::now(cell.var, cell.order))
                    )
                }
                kind => row_text(&names, kind).unwrap_or_default(),
            }),
            instant: match row.kind {
                RowKind::Equation { instant, .. } => instant,
                RowKind::Euler(cell) => cell.instant,
                RowKind::Instant { .. } | RowKind::Law { .. } => 0,
            },
            rank: match row.rank {
                Rank::Tail => "new mode",
                Rank::Invariant => "both modes",
                Rank::Transient => "instant",
                Rank::Optional => "new mode, early",
                Rank::Euler => "Euler",
            },
            mark: mark(&row.kind),
            columns: row.columns.iter().map(|&column| column as u32).collect(),
        })
        .collect();
    table
}

/// The offsets of all variables in the parts that change, those that stand for them in the model included. Linear in
/// the parts and in the eliminated variables of the model.
fn offsets(
    explored: &Exploration<'_>,
    parts: &[usize],
    outcome: &Outcome,
    texts: &mut Texts,
) -> Vec<Offset> {
    let (mdae, elimination) = (explored.modes.mdae, &explored.modes.elimination);
    let mut orders: FxIndexMap<String, String> = outcome.impulsive.iter().cloned().collect();
    let mut none = |name: String| {
        orders.entry(name).or_insert_with(|| "0".to_owned());
    };
    let mut touched: BTreeSet<VarId> = BTreeSet::new();
    for &part in parts {
        let result = &explored.parts[part];
        touched.extend(&result.part.vars);
        let names = PartNames {
            mdae,
            elimination,
            result,
        };
        for (local, _) in result.part.vars.iter().enumerate() {
            none(names.state(VarRef::now(VarId(local as u32), 0)));
        }
        for unknown in &result.analysis.system.unknowns {
            none(names.state(VarRef::now(unknown.cell.var, unknown.cell.order)));
        }
    }
    for var in elimination.eliminated() {
        let forward = elimination.forward(VarRef::now(var, 0));
        if forward.is_ok_and(|signed| touched.contains(&signed.occurrence.var)) {
            none(mdae.variable(var).name.to_string());
        }
    }
    let offsets = orders.into_iter();
    offsets
        .map(|(name, mu)| Offset(texts.id(name), mu))
        .collect()
}
