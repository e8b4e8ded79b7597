//! Deciding loops between conditions and unknowns.
//!
//! After progressive evaluation ([`crate::fixpoint`]) a loop is a set of conditions and unknowns that can only be found
//! together. For a valuation of its conditions the equations give the unknowns; the valuation *fits* if the conditions,
//! evaluated there, give it back. How many valuations fit, for which values of what is known, is the loop's [`Status`].
//!
//! [`system`] takes the equations out of the model, [`case`] fixes what is known about conditions; [`continuous`] and
//! [`regions`] are the procedures, cheapest first. Everything is exact: numbers are rationals, parameters have their values
//! as they are written. Equal components are decided once.

mod case;
mod continuous;
mod form;
mod lp;
mod regions;
mod system;
#[cfg(test)]
mod tests;

use crate::analysis::{Analysis, Options};
use crate::fixpoint::graph::{self, Knot, Node};
use crate::model::{ModeDef, ModeId};
use crate::space::mode_var;
use crate::sym::{Rational, VarId, VarRef};
use case::Case;
use form::Solved;
use modeshift_base::FxHashMap;
use modeshift_diag::Severity;
use modeshift_structure::{BddSet, ModeSets, ModeVar};
use regions::Outcome;
use system::{Beyond, Known, System};

/// Valuations of the known conditions of one loop.
const MAX_CASES: usize = 600;

/// Points that are tried where coefficients depend on what is known.
const MAX_TRIALS: u64 = 48;

/// Known conditions of one loop.
const MAX_KNOWN: usize = 16;

/// What is known about the valuations of a loop that fit. The gravest that applies is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Exactly one valuation fits, whatever the known values are.
    Unique,
    /// Several may fit, but where the one that held stops fitting exactly one other takes over.
    Hysteresis,
    /// No procedure applies.
    Undecided,
    /// Where a valuation stops fitting several others fit.
    Several,
    /// For some values none fits.
    None,
    /// The valuations differ in states or constraints on them: deciding needs a restart.
    StateChanging,
}

impl Status {
    /// As documents spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StateChanging => "state-changing",
            Self::Unique => "unique",
            Self::Hysteresis => "hysteresis",
            Self::Several => "several",
            Self::None => "none",
            Self::Undecided => "undecided",
        }
    }

    const fn severity(self, deny: bool) -> Option<Severity> {
        match self {
            Self::Unique => None,
            Self::Hysteresis => Some(Severity::Note),
            Self::StateChanging | Self::None => Some(Severity::Error),
            Self::Several | Self::Undecided if deny => Some(Severity::Error),
            Self::Several | Self::Undecided => Some(Severity::Warning),
        }
    }
}

/// Values for which something was shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness {
    /// The known values, by the name that the modeller gave them.
    pub known: Vec<(String, Rational)>,
    /// The valuations that fit them.
    pub fits: Vec<Vec<(ModeId, bool)>>,
}

/// A loop, decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Ascending.
    pub modes: Vec<ModeId>,
    /// The unknowns on the loop.
    pub unknowns: Vec<VarRef>,
    /// Rows of [`Analysis::rows`] on the loop, with how many times they are differentiated.
    pub rows: Vec<(usize, i32)>,
    pub status: Status,
    /// How it was decided, or what was tried.
    pub procedure: String,
    pub witness: Option<Witness>,
    /// `None` for what nobody needs to be told.
    pub severity: Option<Severity>,
    /// A mode in which the conditions depend on themselves.
    pub mode: Vec<bool>,
}

impl Loop {
    /// The unknowns of the loop that a condition reads.
    pub fn reads(&self, analysis: &Analysis, mode: ModeId) -> Vec<VarRef> {
        let mut found = crate::fixpoint::reads(analysis, mode);
        found.retain(|read| self.unknowns.contains(read));
        found
    }

    /// The variables of the loop in whose equations a condition decides, also through formulas.
    pub fn decides(&self, analysis: &Analysis, mode: ModeId) -> Vec<VarId> {
        let mdae = &analysis.mdae;
        let mut found: Vec<VarId> = Vec::new();
        for &(row, _) in &self.rows {
            let conditions = crate::fixpoint::conditions(mdae, analysis.rows.equations[row]);
            if mdae.conds.support(conditions).contains(&mode) {
                let own = analysis.rows.occurrences[row].iter();
                let own = own.map(|occurrence| occurrence.variable);
                found.extend(own.filter(|x| self.unknowns.iter().any(|unknown| unknown.var == *x)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What the status means, as a sentence.
    pub fn sentence(&self) -> String {
        match self.status {
            Status::StateChanging => "It decides over states and depends on what it decides: rejected.".to_owned(),
            Status::Unique => "It is found together with unknowns that depend on it; exactly one value fits.".to_owned(),
            Status::Hysteresis => {
                "It is found together with unknowns that depend on it; where several values fit, the one before stays."
                    .to_owned()
            }
            Status::Several => "It is found together with unknowns that depend on it; which value follows is not determined.".to_owned(),
            Status::None => "It depends on unknowns that depend on it, and for some values nothing fits: rejected.".to_owned(),
            Status::Undecided => "It is found together with unknowns that depend on it; whether that is always possible was not decided.".to_owned(),
        }
    }
}

/// Decides one loop after the other.
pub(crate) struct Decide {
    deny: bool,
    /// What came out for equal cases.
    known: FxHashMap<Case, Result<(Outcome, &'static str), Beyond>>,
}

/// A verdict on a loop.
struct Verdict {
    status: Status,
    procedure: String,
    witness: Option<Witness>,
}

impl Verdict {
    fn beyond(why: &Beyond) -> Self {
        Self {
            status: Status::Undecided,
            procedure: why.text(),
            witness: None,
        }
    }
}

const BY_MINORS: &str = "determinants of one sign";
const BY_PROGRAMMES: &str = "linear programmes";

impl Decide {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            deny: options.deny_fixpoints,
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn status(
        &mut self,
        analysis: &Analysis,
        knot: &Knot,
        state_changing: bool,
        check: &dyn Fn(),
    ) -> Loop {
        let verdict = if state_changing {
            Verdict {
                status: Status::StateChanging,
                procedure: "offsets in all modes".to_owned(),
                witness: None,
            }
        } else {
            let decided = self.decide(analysis, knot, check);
            decided.unwrap_or_else(|why| Verdict::beyond(&why))
        };
        let mut decided = Loop {
            modes: Vec::new(),
            unknowns: knot
                .nodes
                .iter()
                .filter_map(|&node| graph::value(node))
                .collect(),
            rows: Vec::new(),
            severity: verdict.status.severity(self.deny),
            status: verdict.status,
            procedure: verdict.procedure,
            witness: verdict.witness,
            mode: knot.mode.clone(),
        };
        for node in &knot.nodes {
            match *node {
                Node::Condition(id) => decided.modes.push(id),
                Node::Row(row, level) => decided.rows.push((row, level)),
                Node::Value(..) => {}
            }
        }
        decided
    }

    /// The gravest of what the valuations of the known conditions give.
    fn decide(
        &mut self,
        analysis: &Analysis,
        knot: &Knot,
        check: &dyn Fn(),
    ) -> Result<Verdict, Beyond> {
        let mut system = match System::new(analysis, knot, None) {
            Err(Beyond::Coefficient) => {
                let found = tried(analysis, knot, check);
                return found.ok_or(Beyond::Coefficient);
            }
            other => other?,
        };
        let before = Solved::new(system.fixed.clone()).map_err(|stop| match stop {
            form::Stop::Singular => Beyond::Singular,
            form::Stop::TooLarge => Beyond::TooLarge,
        })?;
        let cases = cases(&system)?;
        let mut gravest = Verdict {
            status: Status::Unique,
            procedure: BY_MINORS.to_owned(),
            witness: None,
        };
        for (known, possible) in cases {
            check();
            let (allowed, usual) = valuations(&system, &known, possible.as_ref());
            if allowed.as_ref().is_some_and(|all| !all.contains(&true)) {
                continue;
            }
            let mut case = match Case::new(&mut system, &before, &known, allowed, usual) {
                Err(Beyond::Coefficient) => {
                    let found = tried(analysis, knot, check);
                    return found.ok_or(Beyond::Coefficient);
                }
                other => other?,
            };
            let terms = case.renumbered();
            let found = match self.known.get(&case) {
                Some(found) => found.clone(),
                None => {
                    let found = decide_case(&case, terms.len(), check);
                    self.known.insert(case.clone(), found.clone());
                    found
                }
            };
            let (outcome, procedure) = found?;
            if procedure == BY_PROGRAMMES && gravest.procedure == BY_MINORS {
                gravest.procedure = procedure.to_owned();
            }
            if outcome.status > gravest.status {
                gravest = told(&system, &known, &terms, &outcome, procedure);
            }
            if gravest.status == Status::None {
                break;
            }
        }
        Ok(gravest)
    }
}

fn decide_case(
    case: &Case,
    n_terms: usize,
    check: &dyn Fn(),
) -> Result<(Outcome, &'static str), Beyond> {
    let continuous = continuous::is_unique(case);
    if continuous == Some(true) {
        let outcome = Outcome {
            status: Status::Unique,
            at: Vec::new(),
            fits: Vec::new(),
        };
        return Ok((outcome, BY_MINORS));
    }
    if case.atoms.len() > regions::MAX_ATOMS {
        return Err(Beyond::Many("conditions", case.atoms.len()));
    }
    regions::decide(case, n_terms, check).map(|outcome| (outcome, BY_PROGRAMMES))
}

/// Looks for values that nothing fits by putting numbers in, where coefficients depend on what is known.
fn tried(analysis: &Analysis, knot: &Knot, check: &dyn Fn()) -> Option<Verdict> {
    for trial in 0..MAX_TRIALS {
        check();
        let trial = system::Trial(trial);
        let mut system = System::new(analysis, knot, Some(trial)).ok()?;
        if system.atoms.len() > regions::MAX_ATOMS || !system.is_closed() {
            return None;
        }
        let before = Solved::new(system.fixed.clone()).ok()?;
        for (known, possible) in cases(&system).ok()? {
            let (allowed, usual) = valuations(&system, &known, possible.as_ref());
            if allowed.as_ref().is_some_and(|all| !all.contains(&true))
                || !can_begin(&system, &known)
            {
                continue;
            }
            let case = Case::new(&mut system, &before, &known, allowed, usual).ok()?;
            if system.terms.len() > 1 {
                return None;
            }
            if regions::fits_nothing(&case) {
                return Some(Verdict {
                    status: Status::None,
                    procedure: "numbers put in".to_owned(),
                    witness: Some(Witness {
                        known: system.trial_values(),
                        fits: Vec::new(),
                    }),
                });
            }
        }
    }
    None
}

/// What an outcome says about the model: a claim about values is made only if these can be given.
fn told(
    system: &System<'_>,
    known: &[bool],
    terms: &[usize],
    outcome: &Outcome,
    procedure: &'static str,
) -> Verdict {
    let mut values: Vec<(String, Rational)> = Vec::new();
    for (at, &term) in terms.iter().enumerate().skip(1) {
        if let Some(value) = outcome.at.get(at - 1) {
            values.push((system.term_name(term), value.clone()));
        }
    }
    let fits = outcome.fits.iter().map(|fit| {
        let holds = |at: usize| fit.get(at).copied();
        let all = system.truth(&holds, &|at| known.get(at).copied());
        let mut shown: Vec<(ModeId, bool)> = all
            .into_iter()
            .filter(|(mode, _)| {
                system.derived.contains(mode) || system.atoms.iter().any(|atom| atom.mode == *mode)
            })
            .collect();
        shown.sort_unstable();
        shown
    });
    let witness = Witness {
        known: values,
        fits: fits.collect(),
    };
    let status = match outcome.status {
        Status::None | Status::Several => {
            let tied: Vec<String> = terms
                .iter()
                .skip(1)
                .filter(|&&term| !system.is_free(term))
                .map(|&term| format!("`{}`", system.term_name(term)))
                .collect();
            if !tied.is_empty() {
                return Verdict {
                    status: Status::Undecided,
                    procedure: format!(
                        "{procedure}, which find values for which {}, but not whether {} can have them",
                        match outcome.status {
                            Status::None => "nothing fits",
                            _ => "several truth values follow",
                        },
                        crate::diagnose::list(&tied)
                    ),
                    witness: None,
                };
            }
            if !can_begin(system, known) {
                return Verdict {
                    status: Status::Undecided,
                    procedure: format!(
                        "{procedure}, which find values that do not have one continuation after modes that may never occur"
                    ),
                    witness: None,
                };
            }
            outcome.status
        }
        other => other,
    };
    Verdict {
        status,
        procedure: procedure.to_owned(),
        witness: Some(witness),
    }
}

/// Whether the values before the instant are those of the start: other ones may never occur.
fn can_begin(system: &System<'_>, known: &[bool]) -> bool {
    let mdae = &system.analysis.mdae;
    system
        .known
        .iter()
        .zip(known)
        .all(|(which, &value)| match which {
            Known::Mode(id) => match mdae.modes[*id].def {
                ModeDef::Left(_) => value == mdae.modes[*id].start.unwrap_or(false),
                ModeDef::Predicate(_) | ModeDef::Input => true,
                ModeDef::Held | ModeDef::Choice(_) => {
                    value == mdae.modes[*id].start.unwrap_or(false)
                }
                _ => false,
            },
            Known::Held(id) => value == mdae.modes[*id].start.unwrap_or(false),
            Known::Before(_) => !value,
        })
}

type Cases = Vec<(Vec<bool>, Option<BddSet>)>;

/// The possible values of the known conditions, each with the modes that have them.
fn cases(system: &System<'_>) -> Result<Cases, Beyond> {
    let analysis = system.analysis;
    let sets = &analysis.space.sets;
    if system.known.len() > MAX_KNOWN {
        return Err(Beyond::Many("known conditions", system.known.len()));
    }
    let mut vars: Vec<ModeVar> = Vec::new();
    for which in &system.known {
        if let Known::Mode(id) = which {
            vars.push(mode_var(*id));
        }
    }
    vars.extend(system.atoms.iter().map(|atom| mode_var(atom.mode)));
    vars.extend(system.derived.iter().map(|&id| mode_var(id)));
    let possible = analysis.care.about(sets, &vars).ok();
    let mut cases: Cases = vec![(Vec::new(), possible)];
    for which in &system.known {
        let mut next: Cases = Vec::with_capacity(cases.len() * 2);
        for (values, modes) in cases {
            for value in [false, true] {
                let rest = match (which, &modes) {
                    (Known::Mode(id), Some(modes)) => {
                        let rest = sets.restrict(modes, mode_var(*id), value).ok();
                        if rest.as_ref().is_some_and(|rest| sets.is_empty(rest)) {
                            continue;
                        }
                        rest
                    }
                    _ => modes.clone(),
                };
                let mut values = values.clone();
                values.push(value);
                next.push((values, rest));
            }
        }
        cases = next;
        if cases.len() > MAX_CASES {
            return Err(Beyond::Many("known conditions", system.known.len()));
        }
    }
    Ok(cases)
}

/// Which valuations of the comparisons can happen, if they are few, and one of them.
fn valuations(
    system: &System<'_>,
    known: &[bool],
    possible: Option<&BddSet>,
) -> (Option<Vec<bool>>, Vec<bool>) {
    let sets = &system.analysis.space.sets;
    let k = system.atoms.len();
    let picked = possible.and_then(|possible| sets.pick(possible));
    let usual: Vec<bool> = system
        .atoms
        .iter()
        .map(|atom| {
            let value = picked
                .as_ref()
                .and_then(|picked| picked.get(atom.mode.index()));
            value == Some(&true)
        })
        .collect();
    let (true, Some(possible)) = (k <= regions::MAX_ATOMS, possible) else {
        return (None, usual);
    };
    let allowed = (0..1usize << k).map(|bits| {
        let truth = system.truth(&|at| Some(bits >> at & 1 == 1), &|at| {
            known.get(at).copied()
        });
        let mut rest = possible.clone();
        for (mode, value) in truth {
            match sets.restrict(&rest, mode_var(mode), value) {
                Ok(smaller) => rest = smaller,
                Err(_) => return true,
            }
        }
        !sets.is_empty(&rest)
    });
    (Some(allowed.collect()), usual)
}
