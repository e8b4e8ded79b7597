//! The stages after the class tree, as queries.

use crate::Session;
use crate::attempt::{Interrupted, attempt};
use crate::memory::memory;
use crate::modes::{change_findings, has_errors, mode_findings, with_circuit};
use crate::plain::{self, components, outlined};
use crate::start::start_findings;
use modeshift_base::{FileId, FxHashSet, Name};
use modeshift_db::{SourceFile, Workspace, parse};
use modeshift_diag::{Code, Diagnostic, Files, Severity};
use modeshift_flat::balance::completed_outside;
use modeshift_flat::clocks::{Translated, translate};
use modeshift_flat::events::written_out;
use modeshift_flat::flatten::{Flat, Options, flatten};
use modeshift_flat::lint::lints;
use modeshift_flat::model::{FlatModel, Place};
use modeshift_flat::named::named;
use modeshift_hir::statics::{Symbol, class_of, with_ancestors};
use modeshift_hir::{
    ClassId, ClassSpan, Db, Element, Experiment, enclosing, file_diagnostics, in_library,
    openmodelica_options, outline, resolve_place,
};
use modeshift_inst::tree::Instance;
use modeshift_inst::{Skeleton, instantiate};
use modeshift_mdae::{Lowered, lower, lower_again};
use modeshift_syntax::ast::ClassKind;
use std::collections::BTreeSet;
use std::panic::resume_unwind;

/// The typed instance tree of a class. Like all that is as large as the model it is kept for the classes looked at last, see
/// [`Session::keep`].
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
pub fn instance(db: &dyn Db, class: ClassId) -> Instance {
    let live = Workspace::get(db).live(db);
    let skeleton = live.then(|| declared(db, class).as_ref()).flatten();
    let completed = skeleton.and_then(|it| it.complete(db, modeshift_hir::class(db, class)));
    completed.unwrap_or_else(|| instantiate(db, class))
}

/// The components of a model, which an edit of its equations leaves as they are. Kept for the models that were looked at
/// last: it is as large as the instance.
#[salsa::tracked(returns(ref), no_eq, lru = 32)]
pub(crate) fn declared(db: &dyn Db, class: ClassId) -> Option<Skeleton> {
    Skeleton::new(db, class)
}

/// How models are flattened that are analysed.
pub(crate) const OPTIONS: Options = Options {
    keep_arrays: false,
    scalar: true,
    classic: false,
};

/// The flat model of a class, with everything that instantiation and flattening have to say. It is empty
/// when instantiation found errors: what it left out would only give more of them.
///
/// Compared with the last one: what is made of it later costs more than the comparison.
#[salsa::tracked(returns(ref), lru = 64)]
pub fn flat(db: &dyn Db, class: ClassId) -> Flat {
    if !Workspace::get(db).live(db) {
        return flat_with(db, class, OPTIONS);
    }
    plain::flat_by_frame(db, class)
        .unwrap_or_else(|| plain::flat_of(db, class, instance(db, class)))
}

/// The same with other options, as the exports need them.
pub fn flat_with(db: &dyn Db, class: ClassId, options: Options) -> Flat {
    flat_by(instance(db, class), |instance| flatten(instance, options))
}

pub(crate) fn flat_by(instance: &Instance, flatten: impl FnOnce(&Instance) -> Flat) -> Flat {
    if instance.diagnostics.iter().any(Diagnostic::is_error) {
        return Flat {
            diagnostics: instance.diagnostics.clone(),
            ..Flat::default()
        };
    }
    let mut flat = flatten(instance);
    flat.diagnostics
        .splice(0..0, instance.diagnostics.iter().cloned());
    flat
}

/// What instantiation and flattening have to say, which is kept when the flat model is not.
#[salsa::tracked(returns(ref))]
fn type_findings(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    let mut found = flat(db, class).diagnostics.clone();
    // Rules without which a flat model can be printed all the same; a model that is checked has to keep them, but cannot make a
    // library keep them.
    let strict = |it: &&mut Diagnostic| {
        let broken = matches!(
            it.code,
            Code::MS2034 | Code::MS2045 | Code::MS2078 | Code::MS3002 | Code::MS3010
        );
        let place = it.labels.first().map(|label| label.at);
        broken && it.severity != Severity::Note && place.is_none_or(|place| !in_library(db, place))
    };
    if !has_errors(&found) {
        let broken = found.iter_mut().filter(strict);
        broken.for_each(|it| it.severity = Severity::Error);
    }
    found
}

/// What is to be said about a function, whoever calls it.
#[salsa::tracked(returns(ref))]
fn function_findings(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    let mut instance = modeshift_inst::instantiate_function(db, class);
    let mut found = std::mem::take(&mut instance.diagnostics);
    if !has_errors(&found) {
        found.extend(flatten(&instance, OPTIONS).diagnostics);
    }
    found
}

/// How far a check has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Texts, where they are stored, names declared twice.
    Files,
    /// Instances, types, connections: up to the flat model.
    Types,
    /// The structure of all modes.
    Modes,
    /// What happens when modes change, and whether equations and unknowns are as many.
    Changes,
}

impl Session {
    /// Forgets instances, flat models and analyses of all but the classes looked at last; what was found out about the others
    /// stays. Without a call it is 64 instances and flat models, 32 sets of components and 8 analyses, counted whenever a
    /// text changes.
    pub fn keep(&mut self, classes: usize) {
        let db = self.db_mut();
        instance::set_lru_capacity(db, classes);
        flat::set_lru_capacity(db, classes);
        mdae::set_lru_capacity(db, classes);
        declared::set_lru_capacity(db, classes.min(32));
        crate::memory::keep(db, classes.min(32));
        plain::keep(db, classes);
        crate::modes::keep(db, classes.min(8));
        salsa::Database::trigger_lru_eviction(db);
    }

    /// Everything that can be said about the open files and the class named, or the default one. Later
    /// phases speak only when earlier ones found no error.
    pub fn check(&self, class: Option<&str>, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let mut found = self.check_files();
        if has_errors(&found) {
            return found;
        }
        match self.target(class) {
            Ok(class) => {
                let mut open = FxHashSet::default();
                for nested in self.checkable(class, true) {
                    // What a component of a package needs from its surroundings is not its mistake, opened alone or not.
                    let is_part = !is_function(self.db(), nested)
                        && is_component(self.db(), nested)
                        && (nested != class || is_in_package(self.db(), class));
                    let said = match is_part {
                        true => self.check_part(nested),
                        false => self.check_class(nested, deny_fixpoints),
                    };
                    open.extend(open_places(nested, &said));
                    found.extend(match nested == class && !is_part {
                        true => said,
                        false => self.without_context(nested, said),
                    });
                }
                keep_causes(&mut found, &open);
            }
            Err(diagnostic) => found.push(*diagnostic),
        }
        found
    }

    /// Everything that can be said about the open files and all their classes: what an editor shows. A
    /// file with errors of its own does not hide what is wrong with the others.
    pub fn check_all(&self) -> Vec<Diagnostic> {
        self.check_all_denying(false)
    }

    /// The same, where with `deny_fixpoints` conditions that depend on what they decide are errors throughout.
    pub fn check_all_denying(&self, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        let as_is = |_, diagnostic| diagnostic;
        let look = |class, phase| self.look(class, phase, deny_fixpoints);
        self.phase_by_phase(look, as_is, |_, found| all.extend(found));
        all
    }

    /// The same, told phase by phase: each class is looked at in one phase before any is in the next, so that
    /// the cheap answers come first. Components are checked as far as they can be without their surroundings. What a
    /// model does with a library is told in the model. A panic is a mistake of ours about one class: that class is `lost`,
    /// and the others are looked at.
    pub fn check_in_phases(
        &self,
        tell: impl FnMut(Phase, Vec<Diagnostic>),
        mut lost: impl FnMut(ClassId),
    ) {
        let look = |class, phase| match attempt(|| self.look(class, phase, false)) {
            Ok(found) => found,
            Err(Interrupted::Edited(why)) => resume_unwind(Box::new(why)),
            Err(Interrupted::Panicked) => {
                lost(class);
                None
            }
        };
        let at_home = |class, diagnostic| self.at_home(class, diagnostic);
        self.phase_by_phase(look, at_home, tell);
    }

    /// What is found about each class in one phase after the other; a class of which `look` gives nothing is left out of
    /// later ones.
    fn phase_by_phase(
        &self,
        mut look: impl FnMut(ClassId, Phase) -> Option<Vec<Diagnostic>>,
        place: impl Fn(ClassId, Diagnostic) -> Diagnostic,
        mut tell: impl FnMut(Phase, Vec<Diagnostic>),
    ) {
        tell(Phase::Files, self.check_files());
        let files = self.open_files().iter().copied();
        let sound = files.filter(|&file| !has_errors(file_diagnostics(self.db(), file)));
        let mut classes: Vec<ClassId> = sound.flat_map(|file| self.classes_of(file)).collect();
        for phase in [Phase::Types, Phase::Modes, Phase::Changes] {
            let mut all = Vec::new();
            classes.retain(|&class| {
                let Some(found) = look(class, phase) else {
                    return false;
                };
                let go_on = !has_errors(&found);
                let found = self.without_context(class, found).into_iter();
                all.extend(found.map(|it| place(class, it)));
                go_on
            });
            tell(phase, all);
        }
    }

    /// What one phase says about a class of an open file, if it is looked at in that phase.
    fn look(&self, class: ClassId, phase: Phase, deny_fixpoints: bool) -> Option<Vec<Diagnostic>> {
        let only_types = is_function(self.db(), class);
        if phase == Phase::Modes && (only_types || rests_on_broken_text(self.db(), class)) {
            return None;
        }
        Some(
            match phase > Phase::Types && is_component(self.db(), class) {
                true => self.check_component(class, phase),
                false => self.check_phase(class, phase, deny_fixpoints),
            },
        )
    }

    /// Leaves out what only the surroundings of a class can settle: `inner` components, values of constants and parameters
    /// that are given where the class is used, and partial classes that are replaced there.
    fn without_context(&self, class: ClassId, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let db = self.db();
        let in_package = is_in_package(db, class);
        // With a second place there is an `inner`, and it does not fit.
        found.retain(|it| it.code != Code::MS2016 || it.labels.len() > 1);
        let of_context = |it: &Diagnostic| {
            matches!(
                it.code,
                Code::MS2014 | Code::MS2025 | Code::MS2029 | Code::MS2040
            )
        };
        let waits_for_values = found.iter().any(|it| {
            let waits = match it.code {
                Code::MS2014 | Code::MS2029 => true,
                Code::MS2040 => in_package,
                _ => false,
            };
            waits && (is_component(db, class) || is_abstract(db, class))
        });
        if waits_for_values {
            found.retain(|it| !of_context(it));
        }
        // A block gets its parameters where it is used: the values that it has by itself need not make sense.
        if in_package && modeshift_hir::class(db, class).kind == ClassKind::Block {
            found.retain(|it| !matches!(it.code, Code::MS6008 | Code::MS6010));
        }
        found
    }

    /// What can be said about a component without its surroundings.
    fn check_part(&self, class: ClassId) -> Vec<Diagnostic> {
        let found = type_findings(self.db(), class).clone();
        match has_errors(&found) {
            true => found,
            false => [found, self.check_component(class, Phase::Changes)].concat(),
        }
    }

    /// The modes of a component depend on what it is connected to; its equations can be counted.
    fn check_component(&self, class: ClassId, phase: Phase) -> Vec<Diagnostic> {
        match phase {
            Phase::Changes => component_balance(self.db(), class).clone(),
            _ => Vec::new(),
        }
    }

    /// The classes of a file that a check looks at: complete models, components and functions.
    fn classes_of(&self, file: SourceFile) -> Vec<ClassId> {
        let top = outline(self.db(), file).classes.iter();
        let top = top.map(|class| ClassId::new(self.db(), file, None, class.name, 0));
        top.flat_map(|class| self.checkable(class, false)).collect()
    }

    /// The complete models of a file: what can be simulated.
    pub fn models_of(&self, file: SourceFile) -> Vec<ClassId> {
        let mut classes = self.classes_of(file);
        classes.retain(|&class| !is_function(self.db(), class) && !is_component(self.db(), class));
        classes
    }

    /// What the phases after lookup say about one class. With `deny_fixpoints`, conditions that depend on
    /// what they decide are errors throughout.
    pub fn check_class(&self, class: ClassId, deny_fixpoints: bool) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for phase in [Phase::Types, Phase::Modes, Phase::Changes] {
            if phase > Phase::Types && is_function(self.db(), class) {
                break;
            }
            let found = self.check_phase(class, phase, deny_fixpoints);
            let failed = has_errors(&found);
            all.extend(found);
            if failed {
                break;
            }
        }
        all
    }

    /// What one phase says about a class in which those before it found no error.
    fn check_phase(&self, class: ClassId, phase: Phase, deny_fixpoints: bool) -> Vec<Diagnostic> {
        match phase {
            Phase::Files => Vec::new(),
            Phase::Types if is_function(self.db(), class) => {
                function_findings(self.db(), class).clone()
            }
            Phase::Types => {
                let mut found = type_findings(self.db(), class).clone();
                if !has_errors(&found) {
                    found.extend(unit_findings(self.db(), class).iter().cloned());
                }
                found
            }
            Phase::Modes => {
                let findings = mode_findings(self.db(), class, deny_fixpoints);
                let mut found = findings.diagnostics.clone();
                self.offer_left_limits(class, &findings.lags, &mut found);
                found
            }
            Phase::Changes => {
                let findings = change_findings(self.db(), class, deny_fixpoints);
                let mut found = findings.diagnostics.clone();
                if !has_errors(&found) {
                    found.extend(start_findings(self.db(), class).iter().cloned());
                    found.extend(self.start_in_an_instant(class));
                }
                found
            }
        }
    }

    /// The classes that checking `class` means: the complete models in the text of a package, and of other
    /// classes themselves, if they are complete models or the user asked for them.
    fn checkable(&self, class: ClassId, asked_for: bool) -> Vec<ClassId> {
        let mut found = Vec::new();
        let mut waiting = vec![class];
        while let Some(id) = waiting.pop() {
            let data = modeshift_hir::class(self.db(), id);
            match data.kind {
                ClassKind::Package => {
                    let nested: Vec<ClassId> = data.classes().map(|nested| nested.id).collect();
                    waiting.extend(nested.into_iter().rev());
                }
                _ if id == class && asked_for => found.push(id),
                ClassKind::Model | ClassKind::Block | ClassKind::Class | ClassKind::Function
                    if !data.partial =>
                {
                    found.push(id);
                }
                _ => {}
            }
        }
        found
    }

    /// The options that a class asks OpenModelica for, as its annotation gives them.
    pub fn openmodelica_options(&self, class: ClassId) -> Option<String> {
        openmodelica_options(modeshift_hir::class(self.db(), class))
    }

    /// The flat model of a class.
    pub fn flat(&self, class: ClassId) -> &Flat {
        flat(self.db(), class)
    }

    /// The flat model of a class as analysis and simulation see it: without clocks.
    pub fn without_clocks(&self, class: ClassId) -> &FlatModel {
        without_clocks(self.db(), class)
    }

    /// What is to be said about the clocks of a class.
    pub fn clock_findings(&self, class: ClassId) -> Vec<Diagnostic> {
        let translated = translated(self.db(), class).as_ref();
        translated
            .map(|it| it.diagnostics.clone())
            .unwrap_or_default()
    }

    /// What the class says about its simulation.
    pub fn experiment(&self, class: ClassId) -> Experiment {
        modeshift_hir::experiment(modeshift_hir::class(self.db(), class))
    }

    /// The place in its file, whatever text it is relative to.
    pub fn resolve(&self, place: Place) -> Place {
        resolve_place(self.db(), place)
    }

    /// Names and texts of the files that resolved places point into.
    pub fn files_of(&self, places: impl IntoIterator<Item = Place>) -> Files {
        let mentioned: BTreeSet<FileId> = places.into_iter().map(|place| place.file).collect();
        let mut files = Files::new();
        for id in mentioned {
            if let Some((name, text)) = self.name_and_text(id) {
                files.insert(id, name, text);
            }
        }
        files
    }
}

/// A function has no equations and no modes: it is looked at as far as its types.
fn is_function(db: &dyn Db, class: ClassId) -> bool {
    modeshift_hir::class(db, class).kind == ClassKind::Function
}

/// Whether a class waits for others to complete it: it is part of a partial class, it has a parameter without a value, or
/// something in it can be replaced and is partial so far.
#[salsa::tracked(returns(copy))]
fn is_abstract(db: &dyn Db, class: ClassId) -> bool {
    let mut around = std::iter::successors(Some(class), |&it| enclosing(db, it));
    let mut outside = around.clone().skip(1);
    if outside.any(|it| modeshift_hir::class(db, it).partial) {
        return true;
    }
    let open = |id: ClassId| {
        let data = modeshift_hir::class(db, id);
        let mut parameters = data.components();
        let waits = parameters.any(|it| {
            let binding = it.modification.as_ref().and_then(|it| it.binding.as_ref());
            it.clause.type_prefix.variability.is_some() && binding.is_none()
        });
        let mut replaced = data.classes().filter(|it| {
            let nested = modeshift_hir::class(db, it.id);
            nested.prefixes.replaceable
        });
        waits
            || replaced.any(|it| {
                let mut all = with_ancestors(db, it.id).into_iter();
                all.any(|base| modeshift_hir::class(db, base).partial)
            })
    };
    around.any(|it| with_ancestors(db, it).into_iter().any(open))
}

/// Whether a class is stored in a package, to be used elsewhere.
fn is_in_package(db: &dyn Db, class: ClassId) -> bool {
    let around = enclosing(db, class);
    around.is_some_and(|it| modeshift_hir::class(db, it).kind == ClassKind::Package)
}

/// Whether a class is made to be connected: it has connectors with flows or with signals in both directions, or says itself that its equations only fit with
/// those around it. By itself it is no model, because a flow that nothing is connected to is zero.
#[salsa::tracked(returns(copy))]
pub fn is_component(db: &dyn Db, class: ClassId) -> bool {
    let data = modeshift_hir::class(db, class);
    if data
        .annotation("defaultConnectionStructurallyInconsistent")
        .is_some()
    {
        return true;
    }
    let ancestors = with_ancestors(db, class).into_iter();
    let elements = ancestors.flat_map(|id| {
        let elements = modeshift_hir::class(db, id).elements().iter();
        elements
            .enumerate()
            .map(move |(element, it)| (id, element, it))
    });
    // Models have many components of few types.
    let mut seen: FxHashSet<(ClassId, bool, Vec<Name>)> = FxHashSet::default();
    let mut connectors = elements.filter_map(|(id, element, it)| match it {
        Element::Component(component) if !component.protected => {
            let ty = &component.clause.type_name;
            let names = ty.parts.iter().map(|part| part.name).collect();
            seen.insert((id, ty.global, names)).then_some(())?;
            let component = Symbol::Component { class: id, element };
            class_of(db, component).filter(|&it| is_connector(db, it))
        }
        _ => None,
    });
    connectors.any(|connector| has_directed_parts(db, connector))
}

fn is_connector(db: &dyn Db, class: ClassId) -> bool {
    matches!(
        modeshift_hir::class(db, class).kind,
        ClassKind::Connector | ClassKind::ExpandableConnector
    )
}

/// Whether a connector has flows, or signals in a direction of their own. A connector that is a signal as a whole has none.
fn has_directed_parts(db: &dyn Db, connector: ClassId) -> bool {
    with_ancestors(db, connector).into_iter().any(|id| {
        let mut components = modeshift_hir::class(db, id).components();
        components.any(|it| {
            let prefix = &it.clause.type_prefix;
            prefix.flow.is_some() || prefix.causality.is_some()
        })
    })
}

/// The own text of a class, if its own check found that something in it is not determined.
fn open_places(class: ClassId, said: &[Diagnostic]) -> Option<FileId> {
    let own = said
        .iter()
        .filter(|it| matches!(it.code, Code::MS4001 | Code::MS4013) && it.is_error());
    let mut places = own.filter_map(|it| Some(it.labels.first()?.at));
    let inside = |at: &Place| ClassSpan::from_place(*at).is_some_and(|it| it.class == class);
    Some(places.find(inside)?.file)
}

/// A class with too few or too many equations is reported once, not again for each model that uses it.
fn keep_causes(found: &mut Vec<Diagnostic>, open: &FxHashSet<FileId>) {
    let count = |it: &&Diagnostic| it.code == Code::MS3006;
    let classes: FxHashSet<Place> = (found.iter().filter(count))
        .filter_map(|it| Some(it.labels.first()?.at))
        .collect();
    found.retain(|it| {
        let mut further = it.labels.iter().skip(1).map(|label| label.at);
        it.code != Code::MS3006
            || !further.any(|at| classes.contains(&at) || open.contains(&at.file))
    });
}

/// Whether an equation or variable of the model comes from a file with syntax errors. What such a file means is a guess,
/// which is good enough for types; equations and modes are not counted on it.
#[salsa::tracked(returns(copy))]
fn rests_on_broken_text(db: &dyn Db, class: ClassId) -> bool {
    let model = outlined(db, class).unwrap_or_else(|| &flat(db, class).model);
    let mut seen: FxHashSet<FileId> = FxHashSet::default();
    let mut last = None;
    let files = model.places().filter_map(|place| {
        // Neighbours mostly come from one class.
        let new = last.replace(place.file) != Some(place.file) && seen.insert(place.file);
        new.then_some(())?;
        Some(ClassSpan::from_place(place)?.class.file(db))
    });
    let files: Vec<SourceFile> = files.collect();
    files.into_iter().any(|file| is_broken(db, file))
}

#[salsa::tracked(returns(copy))]
fn is_broken(db: &dyn Db, file: SourceFile) -> bool {
    parse(db, file).errors.iter().any(Diagnostic::is_error)
}

/// What is found in the model of a class. That is looked for in its outline, so that it is kept while a number is typed;
/// where something is found about a plain equation, in the model itself.
fn unless_told(
    db: &dyn Db,
    class: ClassId,
    look: impl FnOnce(&FlatModel) -> Vec<Diagnostic>,
) -> Option<Vec<Diagnostic>> {
    let found = look(outlined(db, class)?);
    let is_told = plain::model_outline(db, class).as_ref()?.is_told(&found);
    (!is_told).then_some(found)
}

/// What does not fit together by its units.
#[salsa::tracked(returns(ref), no_eq)]
fn unit_findings(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    match outlined_units(db, class) {
        Some(found) => found.clone(),
        None => modeshift_units::check(&flat(db, class).model),
    }
}

#[salsa::tracked(returns(ref), no_eq)]
fn outlined_units(db: &dyn Db, class: ClassId) -> Option<Vec<Diagnostic>> {
    unless_told(db, class, modeshift_units::check)
}

/// What is allowed and hardly meant in the model that is analysed.
pub(crate) fn doubts(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    match outlined_doubts(db, class) {
        Some(found) => found.clone(),
        None => with_circuit(db, class, |circuit| {
            lints(without_clocks(db, class), circuit)
        }),
    }
}

#[salsa::tracked(returns(ref), no_eq)]
fn outlined_doubts(db: &dyn Db, class: ClassId) -> Option<Vec<Diagnostic>> {
    if outline_is_translated(db, class) != Some(false) {
        return None;
    }
    unless_told(db, class, |model| {
        with_circuit(db, class, |circuit| lints(model, circuit))
    })
}

/// What is wrong with the numbers of equations and unknowns.
pub(crate) fn balance(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    match outlined_balance(db, class) {
        Some(found) => found.clone(),
        None => modeshift_flat::balance::check(components(db, class), &flat(db, class).model),
    }
}

#[salsa::tracked(returns(ref), no_eq)]
fn outlined_balance(db: &dyn Db, class: ClassId) -> Option<Vec<Diagnostic>> {
    unless_told(db, class, |model| {
        modeshift_flat::balance::check(components(db, class), model)
    })
}

/// Whether a component has as many equations as unknowns, its flows counted as given.
#[salsa::tracked(returns(ref), no_eq)]
fn component_balance(db: &dyn Db, class: ClassId) -> Vec<Diagnostic> {
    let instance = components(db, class);
    // What an `inner` around the class does to its connectors is not known.
    if instance.components.iter().any(|it| it.generated) {
        return Vec::new();
    }
    let mut found = balance(db, class);
    let off = |it: &Diagnostic| it.code == Code::MS3006;
    if found.iter().any(off) && completed_outside(instance, &flat(db, class).model) {
        found.retain(|it| !off(it));
    }
    found
}

/// The mDAE of a class: empty when there is no flat model.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
pub fn mdae(db: &dyn Db, class: ClassId) -> Lowered {
    let mut lowered = match translated(db, class) {
        None if Workspace::get(db).live(db) => {
            let model = &flat(db, class).model;
            let lowered = &memory(db, class).lowered;
            lowered.with(|known| lower_again(model, known))
        }
        _ => lower(without_clocks(db, class)),
    };
    if let Some(translated) = translated(db, class) {
        let said = translated.diagnostics.iter().cloned();
        lowered.diagnostics.splice(0..0, said);
    }
    lowered
}

/// A model with clocks as an ordinary discrete one, with functions that make events written out and names for what is
/// differentiated and jumps; `None` for models without any of them.
#[salsa::tracked(returns(ref))]
fn translated(db: &dyn Db, class: ClassId) -> Option<Translated> {
    match outline_is_translated(db, class) {
        Some(false) => None,
        _ => translation(db, class, &flat(db, class).model),
    }
}

/// Whether there is anything to translate, which does not depend on numbers in plain equations.
#[salsa::tracked(returns(copy))]
fn outline_is_translated(db: &dyn Db, class: ClassId) -> Option<bool> {
    let outlined = outlined(db, class)?;
    Some(translation(db, class, outlined).is_some())
}

/// When a simulation of the class begins.
#[salsa::tracked(returns(ref))]
fn start_time(db: &dyn Db, class: ClassId) -> f64 {
    let experiment = modeshift_hir::experiment(modeshift_hir::class(db, class));
    experiment.start_time.unwrap_or(0.0)
}

/// Whether the model that is analysed is another one than the flat model.
pub(crate) fn is_translated(db: &dyn Db, class: ClassId) -> bool {
    outline_is_translated(db, class).unwrap_or_else(|| translated(db, class).is_some())
}

fn translation(db: &dyn Db, class: ClassId, flat: &FlatModel) -> Option<Translated> {
    let start = *start_time(db, class);
    let written = written_out(flat);
    let named = named(written.as_ref().map_or(flat, |(model, _)| model));
    let (model, mut diagnostics) = match (named, written) {
        (Some(model), written) => (model, written.map_or_else(Vec::new, |(_, said)| said)),
        (None, Some(written)) => written,
        (None, None) => return translate(flat, start),
    };
    Some(match translate(&model, start) {
        Some(translated) => {
            diagnostics.extend(translated.diagnostics);
            Translated {
                model: translated.model,
                diagnostics,
            }
        }
        None => Translated { model, diagnostics },
    })
}

/// The flat model as analysis and simulation see it: clocks are translated. With errors in the clocks it is empty.
pub fn without_clocks(db: &dyn Db, class: ClassId) -> &FlatModel {
    match translated(db, class) {
        Some(translated) => &translated.model,
        None => &flat(db, class).model,
    }
}
