//! What the analysis knows about the modes of a class, as plain texts and numbers beside the places they are about:
//! for editors.

use crate::modes::{analysis, change_findings, has_errors, mode_findings};
use modeshift_flat::model::Place;
use modeshift_hir::{ClassId, ClassSpan, Db};
use modeshift_mdae::analysis::{Analysis, Kind, Offsets};
use modeshift_mdae::print::{condition, definition, meaning};
use modeshift_mdae::sym::CondId;

/// The modes in which something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// How many of all modes that can last.
    pub modes: usize,
    pub of: usize,
    /// The smallest and the largest index in them; `None` if all are singular.
    pub index: Option<(i32, i32)>,
    /// Some of them are singular.
    pub singular: bool,
}

impl Share {
    fn add(&mut self, kind: &Kind) {
        self.modes += 1;
        match kind {
            Kind::Regular(indices) => {
                let (low, high) = self.index.unwrap_or((indices.index, indices.index));
                self.index = Some((low.min(indices.index), high.max(indices.index)));
            }
            Kind::Singular(_) => self.singular = true,
            Kind::Transient => {}
        }
    }
}

/// An equation of the model that is written in a class of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct EquationFact {
    pub place: Place,
    /// The instance it belongs to: `motor.gear`, empty for the model itself.
    pub instance: String,
    /// The condition under which it holds.
    pub when: String,
    /// `None` when there are too many modes to look at one by one.
    pub active: Option<Share>,
    /// How often it is differentiated, by mode.
    pub offsets: Offsets,
}

/// A condition that decides modes.
#[derive(Clone, PartialEq, Debug)]
pub struct ConditionFact {
    pub place: Place,
    /// The Boolean's name as the flat model has it, or the text of the predicate.
    pub name: String,
    pub definition: String,
    /// The modes in which it is true, and those in which it is false.
    pub holds: Option<Share>,
    pub fails: Option<Share>,
    /// What was decided about the loop it is on, if it is on one.
    pub on_loop: Option<String>,
}

/// The modes of a class in short.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModeFacts {
    /// As a number in words: there may be 2¹⁰⁰⁰.
    pub modes: Option<String>,
    /// The smallest and the largest index over all modes.
    pub index: Option<(i32, i32)>,
    pub singular: bool,
    /// Changes in which something is impulsive; `None` if the changes were not looked at.
    pub impulsive_changes: Option<usize>,
    pub changes: Option<usize>,
    pub equations: Vec<EquationFact>,
    pub conditions: Vec<ConditionFact>,
}

/// Beyond this many equations nothing is told about single ones.
const MAX_EQUATIONS: usize = 5000;

/// What there is to tell about a class; `None` while it has mistakes that keep its modes from being analysed.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
pub fn mode_facts(db: &dyn Db, class: ClassId) -> Option<ModeFacts> {
    if has_errors(&crate::flat(db, class).diagnostics)
        || has_errors(&crate::mdae(db, class).diagnostics)
    {
        return None;
    }
    let analysis = analysis(db, class, false);
    let shares = shares(analysis);
    let mut facts = summary(analysis);
    if !has_errors(&mode_findings(db, class, false).diagnostics) {
        let found = change_findings(db, class, false);
        (facts.changes, facts.impulsive_changes) = (found.changes, found.impulsive);
    }
    if analysis.rows.equations.len() > MAX_EQUATIONS {
        return Some(facts);
    }
    let file = class.file(db);
    let here = |place: Place| {
        ClassSpan::from_place(place).is_some_and(|place| place.class.file(db) == file)
    };
    let mdae = &analysis.mdae;
    for (row, &id) in analysis.rows.equations.iter().enumerate() {
        let equation = &mdae.equations[id];
        if here(equation.origin.span) {
            facts.equations.push(EquationFact {
                place: equation.origin.span,
                instance: equation.origin.instance.to_string(),
                when: condition(mdae, equation.guard),
                active: shares.as_ref().map(|it| it[equation.guard.0 as usize].0),
                offsets: analysis.equation_offsets(row),
            });
        }
    }
    facts.conditions = conditions(analysis, shares.as_deref(), here);
    Some(facts)
}

fn summary(analysis: &Analysis) -> ModeFacts {
    let mut facts = ModeFacts {
        modes: analysis.mode_count.as_ref().map(ToString::to_string),
        ..ModeFacts::default()
    };
    let whole = analysis.classes.iter().flat_map(|it| &it.classes);
    let parts = analysis
        .parts
        .iter()
        .filter_map(|part| part.classes.as_ref());
    let parts = parts.flat_map(|it| &it.classes);
    // The index of the whole is the largest of its parts, and so is the smallest there can be.
    let kinds: Vec<&Kind> = match analysis.classes {
        Some(_) => whole.map(|class| &class.kind).collect(),
        None => parts.map(|class| &class.kind).collect(),
    };
    let mut share = Share::default();
    kinds.into_iter().for_each(|kind| share.add(kind));
    (facts.index, facts.singular) = (share.index, share.singular);
    facts
}

/// For every condition of the model, the modes in which it holds and those in which it fails; `None` when the modes
/// are not listed. O(modes × conditions), modes at most 4,096.
fn shares(analysis: &Analysis) -> Option<Vec<(Share, Share)>> {
    let classes = analysis.classes.as_ref()?;
    let mdae = &analysis.mdae;
    let mut shares = vec![(Share::default(), Share::default()); mdae.conds.len()];
    let mut total = 0;
    for class in &classes.classes {
        for values in class.valuations.as_ref()? {
            total += 1;
            let mut mode = vec![false; mdae.modes.len()];
            for (var, &value) in classes.modes.iter().zip(values) {
                mode[var.index()] = value;
            }
            let truth = mdae.conds.evaluate(&mode);
            for (share, holds) in shares.iter_mut().zip(truth) {
                match holds {
                    true => share.0.add(&class.kind),
                    false => share.1.add(&class.kind),
                }
            }
        }
    }
    for (holds, fails) in &mut shares {
        (holds.of, fails.of) = (total, total);
    }
    Some(shares)
}

fn conditions(
    analysis: &Analysis,
    shares: Option<&[(Share, Share)]>,
    here: impl Fn(Place) -> bool,
) -> Vec<ConditionFact> {
    let mdae = &analysis.mdae;
    let share = |id: Option<CondId>| {
        let share = id.and_then(|id| shares?.get(id.0 as usize).copied());
        (share.map(|it| it.0), share.map(|it| it.1))
    };
    let formula = |id| {
        let known = mdae.conds.iter();
        let of_mode = |(_, formula): &(CondId, &modeshift_mdae::cond::Formula)| matches!(formula, modeshift_mdae::cond::Formula::Mode(mode) if *mode == id);
        known.into_iter().find(of_mode).map(|(id, _)| id)
    };
    let on_loop = |modes: &[modeshift_mdae::model::ModeId]| {
        let mut loops = analysis.loops.iter();
        let found = loops.find(|decided| modes.iter().any(|mode| decided.modes.contains(mode)));
        found.map(modeshift_mdae::loops::Loop::sentence)
    };
    let own = mdae.modes.iter_enumerated();
    let own = own.filter(|(_, mode)| !mode.auxiliary && here(mode.origin.span));
    let own = own.map(|(id, mode)| {
        let (holds, fails) = share(formula(id));
        ConditionFact {
            place: mode.origin.span,
            name: mode.name.to_string(),
            definition: definition(mdae, mode),
            holds,
            fails,
            on_loop: on_loop(&[id]),
        }
    });
    let derived = mdae.derived.iter().filter(|it| here(it.origin.span));
    let derived = derived.map(|it| {
        let (holds, fails) = share(Some(it.value));
        ConditionFact {
            place: it.origin.span,
            name: it.name.to_string(),
            definition: meaning(mdae, it.value),
            holds,
            fails,
            on_loop: on_loop(&mdae.conds.support([it.value])),
        }
    });
    own.chain(derived).collect()
}
