//! From a class to the structure of its modes.

use crate::Session;
use crate::memory::memory;
use crate::pipeline::{balance, doubts, is_component, mdae, without_clocks};
use crate::plain::components;
use modeshift_base::FileSpan;
use modeshift_db::Workspace;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::FlatModel;
use modeshift_hir::{ClassId, ClassSpan, Db};
use modeshift_mdae::analysis::{Analysis, Options, Structured};
use modeshift_mdae::calm::Calm;
use modeshift_mdae::diagnose::{Lag, has_open_instants, lags, watched_diagnostics};
use modeshift_mdae::model::{CareFact, CareReason, MDae, ModeId, Reads};
use modeshift_mdae::shape::Shape;
use modeshift_mdae::sym::CondId;
use modeshift_report::transitions::LeftOut;
use modeshift_restart::diagnose::{ForcedJump, diagnose as restart_diagnostics, forced_jump};
use modeshift_restart::explore::{self, Parts, explore_with};
use modeshift_restart::{Analysis as PartAnalysis, Change, analyse};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The modes of a class. Without an analysis something before it failed.
pub struct Modes {
    pub analysis: Option<Analysis>,
    /// Of all phases up to the modes, places as the phases carry them.
    pub diagnostics: Vec<Diagnostic>,
}

/// What lowering and the structure of the modes have to say about a class: kept, so that an editor pays for
/// it only when the flat model has changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ModeFindings {
    pub diagnostics: Vec<Diagnostic>,
    /// What [`Session::offer_left_limits`] looks for in the text.
    pub lags: Vec<Lag>,
}

/// What mode changes have to say about a class.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ChangeFindings {
    pub diagnostics: Vec<Diagnostic>,
    /// Changes at which something that steps makes states jump.
    pub forced: Vec<ForcedJump>,
    /// How many changes there are, and how many of them are impulsive; `None` if there are too many to look at.
    pub changes: Option<usize>,
    pub impulsive: Option<usize>,
}

/// The modes of a class, for those who look at them one after the other: findings, hover texts, hints. Kept for
/// the classes that were asked about last, because diagrams are large.
#[salsa::tracked(returns(ref), no_eq, lru = 8)]
pub(crate) fn analysis(db: &dyn Db, class: ClassId, deny_fixpoints: bool) -> Arc<Analysis> {
    let options = Options {
        deny_fixpoints,
        ..Options::default()
    };
    let check = || db.unwind_if_revision_cancelled();
    let mdae = mdae(db, class).mdae.clone();
    let structured = structured(db, class).clone();
    Arc::new(Analysis::of(mdae, structured, &options, &check))
}

/// What the structure of the modes depends on: it stays equal while numbers and places change.
#[salsa::tracked(returns(ref), lru = 8)]
fn shape(db: &dyn Db, class: ClassId) -> Shape {
    let mdae = &mdae(db, class).mdae;
    match Workspace::get(db).live(db) {
        true => (memory(db, class).outlined).with(|known| Shape::again(mdae, known)),
        false => Shape::of(mdae),
    }
}

/// The structure of all modes of a class.
#[salsa::tracked(returns(ref), no_eq, lru = 8)]
fn structured(db: &dyn Db, class: ClassId) -> Arc<Structured> {
    // The longest part of an editor's work: given up as soon as the next edit comes in.
    let check = || db.unwind_if_revision_cancelled();
    let shape = shape(db, class);
    Arc::new(Structured::new(shape, &Options::default(), &check))
}

/// Keeps analyses of so many classes.
pub(crate) fn keep(db: &mut modeshift_db::Database, classes: usize) {
    analysis::set_lru_capacity(db, classes);
    shape::set_lru_capacity(db, classes);
    structured::set_lru_capacity(db, classes);
}

pub(crate) fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(Diagnostic::is_error)
}

#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn mode_findings(db: &dyn Db, class: ClassId, deny_fixpoints: bool) -> ModeFindings {
    let mut found = ModeFindings {
        diagnostics: mdae(db, class).diagnostics.clone(),
        lags: Vec::new(),
    };
    let model = without_clocks(db, class);
    if !is_component(db, class) {
        found.diagnostics.extend(doubts(db, class));
    }
    // An equation that cannot determine a variable is the cause, that the variable has no definition what follows.
    let given: Vec<_> = (found.diagnostics.iter())
        .filter(|it| it.code == Code::MS2025)
        .filter_map(|it| Some(it.labels.get(1)?.at))
        .collect();
    let follows = |it: &Diagnostic| {
        it.code == Code::MS4012
            && it
                .labels
                .first()
                .is_some_and(|label| given.contains(&label.at))
    };
    found.diagnostics.retain(|it| !follows(it));
    // What could not be read gives no variable a value.
    if found.diagnostics.iter().any(|it| it.code == Code::MS4010) {
        found.diagnostics.retain(|it| it.code != Code::MS4012);
    }
    if !has_errors(&found.diagnostics) {
        let analysis = analysis(db, class, deny_fixpoints);
        let check = || db.unwind_if_revision_cancelled();
        let mut of_modes = in_terms_of_components(db, class, analysis, &check);
        if !analysis.has_laws() {
            name_branches(&crate::flat(db, class).model, analysis, &mut of_modes);
        }
        name_components(db, class, &mut of_modes);
        name_open_connectors(&mut of_modes);
        if analysis.lacks_equations() {
            name_unread_parameters(&crate::flat(db, class).model, &mut of_modes);
        }
        name_initial_equations(model, &mut of_modes);
        // What a contradiction or a gap in the equations says of a component says more.
        let told = of_modes.iter().filter(|it| it.is_error());
        let told: Vec<_> = told
            .flat_map(|it| it.labels.iter().map(|label| label.at))
            .collect();
        found.diagnostics.retain(|it| {
            it.code != Code::MS3012 || !it.labels.iter().any(|label| told.contains(&label.at))
        });
        found.diagnostics.extend(of_modes);
        found.lags = lags(analysis);
    }
    found
}

/// The components of a class, in the texts that the user works on: those of open files and of the class itself.
pub(crate) fn with_circuit<T>(
    db: &dyn Db,
    class: ClassId,
    look: impl FnOnce(&Circuit<'_>) -> T,
) -> T {
    let open = Workspace::get(db).open_files(db);
    let own = |place: FileSpan| {
        let file = ClassSpan::from_place(place).map(|it| it.class.file(db));
        file.is_some_and(|file| file == class.file(db) || open.contains(&file))
    };
    look(&Circuit::new(components(db, class), &own))
}

/// What is wrong with the modes, in terms of components.
fn in_terms_of_components(
    db: &dyn Db,
    class: ClassId,
    analysis: &Analysis,
    check: &dyn Fn(),
) -> Vec<Diagnostic> {
    with_circuit(db, class, |circuit| {
        watched_diagnostics(analysis, Some(circuit), check)
    })
}

/// Singular modes whose cause is an if-equation with a branch too long or too short: the branch is reported, and what it
/// leads to is a note.
fn name_branches(model: &FlatModel, analysis: &Analysis, found: &mut Vec<Diagnostic>) {
    let Some(singular) = found.iter().position(|it| it.code == Code::MS4001) else {
        return;
    };
    let concerned = analysis.singular_names();
    let mut uneven = modeshift_flat::balance::uneven_branches(model, &concerned);
    if let Some(first) = uneven.first_mut() {
        first.notes.insert(0, found[singular].message.clone());
        found.retain(|it| it.code != Code::MS4001);
        found.splice(0..0, uneven);
    }
}

/// Where an open connector makes a model singular, that nothing determines its variables follows.
fn name_open_connectors(found: &mut Vec<Diagnostic>) {
    let singular: Vec<Diagnostic> = (found.iter())
        .filter(|it| it.code == Code::MS4001 && it.is_error())
        .cloned()
        .collect();
    let told = |connector: &str| {
        let quoted = format!("`{connector}`");
        singular.iter().any(|it| {
            it.message.contains(&quoted) || it.notes.iter().any(|note| note.contains(&quoted))
        })
    };
    found.retain(|it| {
        let name = it.message.split('`').nth(1);
        let connector = name.and_then(|name| Some(name.rsplit_once('.')?.0));
        it.code != Code::MS4013 || !connector.is_some_and(told)
    });
}

/// A singular model in which some component alone has too many or too few equations: that is the cause.
fn name_components(db: &dyn Db, class: ClassId, found: &mut Vec<Diagnostic>) {
    let Some(singular) = found.iter().position(|it| it.code == Code::MS4001) else {
        return;
    };
    let model = &crate::flat(db, class).model;
    let Some(mut off) = modeshift_flat::balance::components_off(components(db, class), model)
    else {
        return;
    };
    if !off.message.contains("no equation mentions") {
        off.notes.insert(0, found[singular].message.clone());
    }
    found.retain(|it| it.code != Code::MS4001);
    found.insert(0, off);
}

/// A variable that no equation mentions, but an initial equation does: that is in the wrong section.
fn name_initial_equations(model: &FlatModel, found: &mut [Diagnostic]) {
    for it in found.iter_mut().filter(|it| it.code == Code::MS4013) {
        let Some(place) = it.labels.first().map(|label| label.at) else {
            continue;
        };
        let mut variables = model.variables.iter_enumerated();
        let Some((id, _)) = variables.find(|(_, variable)| variable.origin.span == place) else {
            continue;
        };
        let mentions = |equation: &&modeshift_flat::model::Equation| {
            let mut found = false;
            modeshift_flat::walk::equation_exps(equation, &mut |exp| {
                modeshift_flat::walk::walk(exp, &mut |part| found |= is_variable(part, id));
            });
            found
        };
        if let Some(initial) = model.initial_equations.iter().find(mentions) {
            it.labels.push(modeshift_diag::Label {
                at: initial.origin.span,
                message: "holds at the start only".into(),
            });
            it.notes.insert(
                0,
                "only an initial equation mentions it: move that to the section `equation` if it always holds".into(),
            );
        }
    }
}

fn is_variable(exp: &modeshift_flat::model::FlatExp, id: modeshift_flat::model::VarId) -> bool {
    use modeshift_flat::model::FlatRef;
    use modeshift_inst::exp::Exp;
    matches!(exp, Exp::Ref(FlatRef::Var(it)) if *it == id)
}

/// Where an equation is missing, parameters that nothing reads tell which one.
fn name_unread_parameters(model: &FlatModel, found: &mut [Diagnostic]) {
    const MAX_NAMED: usize = 6;
    let singular = found.iter_mut().find(|it| it.code == Code::MS4001);
    let names = modeshift_flat::lint::unread_parameters(model);
    let Some((singular, (last, rest))) = singular.zip(names.split_last()) else {
        return;
    };
    if names.len() > MAX_NAMED {
        return;
    }
    let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
    singular.notes.push(match rest.is_empty() {
        true => {
            format!("the parameter `{last}` is not used; does the missing equation contain it?")
        }
        false => format!(
            "the parameters {} and `{last}` are not used; does the missing equation contain them?",
            rest.join(", ")
        ),
    });
}

/// What is said about a class in which the modes are in order: mode changes and, where these find nothing, the
/// number of equations. The structure tells more about the same mistakes, so they are counted last.
#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn change_findings(db: &dyn Db, class: ClassId, deny_fixpoints: bool) -> ChangeFindings {
    let cancel = || db.unwind_if_revision_cancelled();
    let remembered = |change: &Change| part_analysis(db, Part::new(db, change.clone()));
    // Parts are remembered for those who ask again; others are better served by all threads.
    let how = match Workspace::get(db).live(db) {
        true => Parts::OneByOne(&remembered),
        false => Parts::InParallel(&|_, _| {}),
    };
    let mut found = changes(analysis(db, class, deny_fixpoints), how, &cancel);
    // Equations of a mode that depend on each other are the cause; that they do so after a change follows.
    let modes = &mode_findings(db, class, deny_fixpoints).diagnostics;
    if modes.iter().any(|it| it.code == Code::MS4008) {
        found.diagnostics.retain(|it| it.code != Code::MS5005);
    }
    // A law that contradicts the equations resets nothing.
    let place = |it: &Diagnostic| it.labels.first().map(|label| label.at);
    let impossible = found.diagnostics.iter();
    let impossible = impossible.filter(|it| it.code == Code::MS5003).map(place);
    let impossible: Vec<_> = impossible.collect();
    found
        .diagnostics
        .retain(|it| it.code != Code::MS5006 || !impossible.contains(&place(it)));
    if modes.iter().any(|it| it.code == Code::MS4001) {
        found.diagnostics.retain(|it| it.code != Code::MS5014);
    }
    // Where the index changes that is the cause of jumps, and it has been said.
    let analysis = analysis(db, class, deny_fixpoints);
    if !modes.iter().any(|it| it.code == Code::MS4004) && !has_open_instants(analysis) {
        let mdae = &analysis.mdae;
        let forced = with_circuit(db, class, |circuit| {
            let told = found.forced.iter().take(1);
            told.map(|it| forced_jump_warning(mdae, circuit, it))
                .collect::<Vec<_>>()
        });
        found.diagnostics.extend(forced);
    }
    if !has_errors(&found.diagnostics) {
        found.diagnostics.extend(counted(db, class, deny_fixpoints));
    }
    found
}

/// What is wrong with the numbers of equations. A law for the instant of a mode change is neither an equation of the modes nor
/// of a discrete variable: where there are such laws the structure of all modes has said what can be said.
pub(crate) fn counted(db: &dyn Db, class: ClassId, deny_fixpoints: bool) -> Vec<Diagnostic> {
    let analysis = analysis(db, class, deny_fixpoints);
    match analysis.has_laws() && analysis.over_limit().is_none() {
        true => modeshift_flat::balance::check_cycles(&crate::flat(db, class).model),
        false => balance(db, class),
    }
}

/// A source that steps, and a state that must follow it at once.
fn forced_jump_warning(mdae: &MDae, circuit: &Circuit<'_>, forced: &ForcedJump) -> Diagnostic {
    let quoted = |names: &mut dyn Iterator<Item = &String>| -> String {
        let names: Vec<String> = names.take(4).map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let jumps = quoted(&mut forced.jumps.iter().map(|(_, name)| name));
    let verbs = |count: usize| match count {
        1 => ("jumps", "is"),
        _ => ("jump", "are"),
    };
    let message = format!(
        "{}, {jumps} {}, and {} {} infinite for an instant",
        forced.when,
        verbs(forced.jumps.len()).0,
        quoted(&mut forced.impulsive.iter()),
        verbs(forced.impulsive.len()).1,
    );
    let mut diagnostic = Diagnostic::new(Code::MS5016, message);
    for (x, name) in forced.jumps.iter().take(4) {
        let variable = mdae.variable(*x);
        let component = circuit.component(&variable.name);
        let place = component.map_or(variable.origin.span, |(_, place)| place);
        diagnostic = diagnostic.label(place, format!("`{name}` follows a step at once"));
    }
    diagnostic.note(
        "a state that is tied to a source takes every step of it: let the source change gradually, or add a component that \
         takes up the difference meanwhile",
    )
}

/// A part of a mode change, known by its whole content: an edit mostly leaves the parts that change as they are. Parts
/// that have not been met in so many edits are forgotten.
#[salsa::interned(revisions = 64)]
struct Part<'db> {
    #[returns(ref)]
    change: Change,
}

/// What happens in a part.
#[salsa::tracked(returns(clone), no_eq)]
fn part_analysis<'db>(db: &'db dyn Db, part: Part<'db>) -> Arc<PartAnalysis> {
    Arc::new(analyse(part.change(db)))
}

/// What there is to say about the mode changes of a model of moderate size; larger ones are left to
/// `modeshift transitions`, which shows its progress.
///
/// `checkpoint` may unwind.
fn changes(analysis: &Analysis, how: Parts<'_>, checkpoint: &dyn Fn()) -> ChangeFindings {
    const MAX_MODES: u32 = 256;
    const MAX_EQUATIONS: usize = 2000;
    // Of larger models with many modes only as many changes are looked at as take a moment.
    const MANY_EQUATIONS: usize = 300;
    const WORK: usize = 3000;
    let few = analysis
        .mode_count
        .as_ref()
        .is_some_and(|count| *count <= MAX_MODES.into());
    let equations = analysis.rows.equations.len();
    if equations > MAX_EQUATIONS {
        let mut found = ChangeFindings::default();
        if !analysis.mdae.modes.is_empty() {
            let message =
                format!("the mode changes of a model with {equations} equations were not analysed");
            found.diagnostics.push(not_all(message));
        }
        return found;
    }
    // Without conditions nothing changes.
    if analysis.mdae.modes.is_empty() {
        return ChangeFindings {
            changes: Some(0),
            impulsive: Some(0),
            ..ChangeFindings::default()
        };
    }
    let options = explore::Options {
        max_modes: if few { MAX_MODES as usize } else { 16 },
        max_changes: match few || equations <= MANY_EQUATIONS {
            true => 0,
            false => (WORK / equations).max(1),
        },
        calm: Calm::new(analysis),
        ..explore::Options::default()
    };
    let explored = explore_with(&analysis.mdae, &options, how, checkpoint);
    let mut found: Vec<Diagnostic> = Vec::new();
    let own = explored.transitions.iter().filter(|it| it.from.is_some());
    let impulsive = own.clone().filter(|transition| {
        let mut parts = transition.parts.iter().map(|&part| &explored.parts[part]);
        parts.any(|part| !part.analysis.impulsive.is_empty())
    });
    let (changes, impulsive) = (own.clone().count(), impulsive.count());
    let possible = |it: &&explore::Transition| !explored.needs_earlier_time(it);
    for transition in explored.transitions.iter().filter(possible) {
        // That a state starts from its last value is no finding.
        let said = restart_diagnostics(&explored, transition, 1);
        for diagnostic in said.into_iter().filter(|it| it.code != Code::MS5009) {
            let places = |d: &Diagnostic| -> Vec<FileSpan> {
                d.labels.iter().map(|label| label.at).collect()
            };
            let known = found
                .iter()
                .any(|d| d.code == diagnostic.code && places(d) == places(&diagnostic));
            if !known {
                found.push(diagnostic);
            }
        }
    }
    if let Some(left_out) = LeftOut::of(&explored, analysis.mode_count.as_ref()) {
        found.push(not_all(left_out.text()));
    }
    let forced = explored.transitions.iter().filter(possible);
    ChangeFindings {
        forced: forced.filter_map(|it| forced_jump(&explored, it)).collect(),
        diagnostics: found,
        changes: few.then_some(changes),
        impulsive: few.then_some(impulsive),
    }
}

/// What was not looked at is said, with the way to ask for it.
fn not_all(message: String) -> Diagnostic {
    Diagnostic::new(Code::MS5011, message)
        .note("`modeshift transitions` with `--from` and `--to` analyses the change that you name")
}

/// What is wrong with a model whatever its modes are: a discrete variable that nothing assigns, an index that is never in range.
/// Linear in the model.
pub(crate) fn faults(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    if is_component(db, class) {
        return Vec::new();
    }
    let mut found = doubts(db, class);
    found.retain(Diagnostic::is_error);
    // What could not be read gives no variable a value.
    let unread = |it: &Diagnostic| it.code == Code::MS4010;
    if found.iter().any(|it| it.code == Code::MS4012)
        && mdae(db, class).diagnostics.iter().any(unread)
    {
        found.retain(|it| it.code != Code::MS4012);
    }
    found
}

impl Session {
    /// The multimode DAE of a class, without a look at its modes; or what is wrong before there is one.
    pub fn lowered(&self, class: ClassId) -> Result<MDae, Vec<Diagnostic>> {
        let mut found = crate::flat(self.db(), class).diagnostics.clone();
        if has_errors(&found) {
            return Err(found);
        }
        let lowered = mdae(self.db(), class);
        found.extend(lowered.diagnostics.iter().cloned());
        if !has_errors(&found) {
            found.extend(faults(self.db(), class));
        }
        match has_errors(&found) {
            true => Err(found),
            false => Ok(lowered.mdae.clone()),
        }
    }

    /// Everything up to the modes of a class.
    pub fn modes(&self, class: ClassId, options: &Options) -> Modes {
        let model = match self.lowered(class) {
            Ok(model) => model,
            Err(diagnostics) => {
                return Modes {
                    analysis: None,
                    diagnostics,
                };
            }
        };
        let mut diagnostics = crate::flat(self.db(), class).diagnostics.clone();
        diagnostics.extend(mdae(self.db(), class).diagnostics.iter().cloned());
        let analysis = Analysis::new(model, options);
        diagnostics.extend(self.findings(class, &analysis));
        Modes {
            analysis: Some(analysis),
            diagnostics,
        }
    }

    /// The modes that share all conditions with one of `modes` which are known beforehand: inputs, time, left limits. The other
    /// conditions run through their values, because they are found together with the unknowns.
    pub fn modes_like(&self, class: ClassId, modes: &[&[bool]]) -> Option<Analysis> {
        let mut model = self.lowered(class).ok()?;
        let known = model.modes.iter_enumerated();
        let known = known.filter(|(_, variable)| variable.reads != Reads::Current);
        let known: Vec<ModeId> = known.map(|(id, _)| id).collect();
        let shared = modes.iter().map(|mode| {
            let values = known.iter().map(|id| mode[id.index()]);
            values.collect::<Vec<bool>>()
        });
        let shared: BTreeSet<Vec<bool>> = shared.collect();
        let conds = &mut model.conds;
        let cases: Vec<CondId> = shared
            .iter()
            .map(|values| {
                let literals = known.iter().zip(values).map(|(id, value)| {
                    let condition = conds.mode(*id);
                    match value {
                        true => condition,
                        false => conds.not(condition),
                    }
                });
                let literals: Vec<CondId> = literals.collect();
                conds.and(literals)
            })
            .collect();
        let condition = conds.or(cases);
        model.care.push(CareFact {
            condition,
            reason: CareReason::Assertion,
            origin: None,
        });
        Some(Analysis::new(model, &Options::default()))
    }

    /// What is wrong in the modes of an analysis.
    pub fn findings(&self, class: ClassId, analysis: &Analysis) -> Vec<Diagnostic> {
        let mut found = in_terms_of_components(self.db(), class, analysis, &|| {});
        self.offer_left_limits(class, &lags(analysis), &mut found);
        found
    }
}
