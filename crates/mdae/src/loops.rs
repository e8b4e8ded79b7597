//! Deciding loops between conditions and unknowns.
//!
//! After progressive evaluation ([`crate::fixpoint`]) a loop is a set of conditions and unknowns that can only be found
//! together. For a valuation of its conditions the equations give the unknowns; the valuation *fits* if the conditions,
//! evaluated there, give it back. How many valuations fit, for which values of what is known, is the loop's [`Status`].
//!
//! [`system`] takes the equations out of the model, [`case`] fixes what is known about conditions; [`continuous`] and
//! [`monotone`] and [`regions`] are the procedures, cheapest first, [`slopes`] is for what is not linear, and [`selection`] shows
//! less where these take too long. Everything is exact: numbers are rationals, parameters have their values
//! as they are written. Equal components are decided once. What a loop comes to depends on its own equations alone, whatever was
//! decided before it: it is kept with the structure until one of them changes ([`crate::numbers`]).

mod affine;
mod before;
mod behaviour;
mod calls;
mod case;
mod continuous;
mod curve;
mod decided;
mod form;
mod inner;
mod lp;
mod merged;
mod monotone;
mod range;
mod regions;
mod selected;
mod selection;
mod slopes;
mod system;
mod tables;
#[cfg(test)]
mod tests;
mod told;
mod trial;
mod truth;
mod writers;

use crate::analysis::{Analysis, Options};
use crate::fixpoint::graph::{self, Knot, Node};
use crate::model::{MDae, ModeId};
use crate::numbers::{Outcomes, Trace};
use crate::sym::{Rational, VarRef};
use behaviour::{Behaviour, behaviours};
use case::Case;
use continuous::Slopes;
pub use decided::{Decider, Loop};
use form::Solved;
pub(crate) use inner::{chooses, chosen_by};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::Severity;
use regions::Outcome;
use system::{Beyond, Detail, System};
use told::told;
pub(crate) use writers::Writers;

/// Combinations of the behaviours of the groups of one loop.
const MAX_CASES: usize = 300;

/// Numbers that elimination and linear programmes of one loop may touch: about a second.
const MAX_WORK: usize = 1_500_000;

/// Where there are not more comparisons, all valuations are compared: that gives values to show.
const MAX_SMALL: usize = 4;

/// Points that are tried where coefficients depend on what is known.
const MAX_TRIALS: u64 = 48;

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
    /// Values of unknowns for each solution, where the valuations do not tell them apart.
    pub solutions: Vec<Vec<(VarRef, Rational)>>,
}

/// Decides one loop after the other.
pub(crate) struct Decide {
    deny: bool,
    /// How many were not known.
    pub(crate) decided: usize,
    /// What came out for equal cases, and its work.
    known: FxHashMap<Case, (Result<Outcome, Beyond>, usize)>,
}

/// Verdicts on the loops of a structure, by the place of the loop.
pub(crate) type Verdicts = Outcomes<Verdict>;

/// A verdict on a loop.
#[derive(Clone)]
pub(crate) struct Verdict {
    status: Status,
    procedure: String,
    witness: Option<Witness>,
    continuous: bool,
    /// Something always fits.
    exists: bool,
}

impl Verdict {
    fn beyond(why: &Beyond, mdae: &MDae) -> Self {
        Self {
            status: Status::Undecided,
            procedure: why.text(mdae),
            witness: None,
            continuous: false,
            exists: false,
        }
    }
}

const BY_MINORS: &str = "determinants of one sign";
const BY_PROGRAMMES: &str = "linear programmes";
const BY_SECTIONS: &str = "linear programmes over one monotone characteristic";
const BY_SLOPES: &str = "determinants of one sign for all slopes between their bounds";
const BY_SELECTION: &str = "an unbroken part of each characteristic";

impl Decide {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            deny: options.deny_fixpoints,
            decided: 0,
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn status(
        &mut self,
        analysis: &Analysis,
        number: usize,
        state_changing: bool,
        check: &dyn Fn(),
    ) -> Loop {
        let knot = &analysis.knots[number];
        let verdict = if state_changing {
            Verdict {
                status: Status::StateChanging,
                procedure: "offsets in all modes".to_owned(),
                witness: None,
                continuous: false,
                exists: false,
            }
        } else {
            self.verdict(analysis, number, check)
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
            exists: verdict.exists,
            status: verdict.status,
            procedure: verdict.procedure,
            witness: verdict.witness,
            continuous: verdict.continuous,
            mode: knot.mode.clone(),
        };
        for node in &knot.nodes {
            match *node {
                Node::Condition(id) => decided.modes.push(id),
                Node::Row(row, level) => decided.rows.push((row, level)),
                Node::Value(..) | Node::Choice(_) => {}
            }
        }
        // Equations that are not linear are no news; only where conditions are in them a run depends on more than its iteration.
        if decided.modes.is_empty() && decided.status == Status::Undecided {
            decided.severity = None;
        }
        decided
    }

    /// The verdict on a loop, unless it is known for these numbers.
    fn verdict(&mut self, analysis: &Analysis, number: usize, check: &dyn Fn()) -> Verdict {
        let known = analysis.verdicts().get(number);
        if let Some(verdict) = known.as_ref().and_then(|it| it.get(&analysis.mdae)) {
            return verdict.clone();
        }
        self.decided += 1;
        let trace = Trace::default();
        let verdict = self.in_detail(analysis, &trace, &analysis.knots[number], check);
        let kept = trace.keep(&analysis.mdae, verdict.clone());
        analysis.verdicts().insert(number, kept);
        verdict
    }

    /// Looks as closely as is needed for a decision.
    fn in_detail(
        &mut self,
        analysis: &Analysis,
        trace: &Trace,
        knot: &Knot,
        check: &dyn Fn(),
    ) -> Verdict {
        let first = self.decide(analysis, trace, knot, Detail::Plain, check);
        if let Ok(verdict) = &first
            && verdict.status != Status::Undecided
        {
            return verdict.clone();
        }
        let closer = self.decide(analysis, trace, knot, Detail::Closer, check);
        if let Ok(verdict) = closer
            && verdict.status != Status::Undecided
        {
            return verdict;
        }
        if slopes::is_unique(analysis, trace, knot, check) {
            return Verdict {
                status: Status::Unique,
                procedure: BY_SLOPES.to_owned(),
                witness: None,
                continuous: true,
                exists: true,
            };
        }
        if let Err(Beyond::Coefficient(..)) = first
            && let Some(verdict) = tried(analysis, trace, knot, check)
        {
            return verdict;
        }
        first.unwrap_or_else(|why| Verdict::beyond(&why, &analysis.mdae))
    }

    /// The gravest of what the cases give.
    fn decide(
        &mut self,
        analysis: &Analysis,
        trace: &Trace,
        knot: &Knot,
        detail: Detail,
        check: &dyn Fn(),
    ) -> Result<Verdict, Beyond> {
        let mut system = System::new(analysis, trace, knot, None, detail)?;
        let before = Solved::new(system.fixed.clone()).map_err(Beyond::from)?;
        system.merge_atoms(&before);
        let groups = behaviours(&mut system, &before, check)?;
        let mut gravest = Verdict {
            status: Status::Unique,
            procedure: BY_MINORS.to_owned(),
            witness: None,
            continuous: false,
            exists: true,
        };
        let n = system.unknowns.len() - before.len();
        let classes = classes(&system, &before, &groups);
        let mut work = Work {
            left: MAX_WORK,
            own: FxHashSet::default(),
            n_cases: 0,
        };
        let mut for_paths = MAX_WORK;
        for combined in combinations(&classes, MAX_CASES)? {
            check();
            // What is the same but for known terms is decided at once where nothing jumps.
            let slopes: Option<Vec<&Slopes>> = combined.iter().map(|c| c.slopes.as_ref()).collect();
            let continuous = slopes.is_some();
            if slopes.is_some_and(|slopes| continuous::is_unique(n, &slopes) == Some(true)) {
                continue;
            }
            let n_atoms: usize = combined.iter().map(|c| c.members[0].atoms.len()).sum();
            if n_atoms > MAX_SMALL
                && let Some(status) =
                    jumping_one(&system, &before, &combined, &mut work.left, check)
                // What is chosen inside expressions is not remembered.
                && (status == Status::Unique || system.named.comparisons.is_empty())
            {
                if status == Status::Hysteresis && gravest.status < status {
                    gravest = remembers(&system, &before, &combined, &mut work.left, check);
                }
                continue;
            }
            let compared = self.compare(
                &system,
                &before,
                &combined,
                continuous,
                &mut work,
                &mut gravest,
                check,
            );
            if let Err(why) = compared {
                if !something_fits(&system, &before, &combined, &mut for_paths) {
                    return Err(why);
                }
                if gravest.status < Status::Undecided {
                    gravest = Verdict {
                        procedure: format!(
                            "{BY_SELECTION}, which shows that something always fits, but not whether it is one thing only"
                        ),
                        status: Status::Undecided,
                        witness: None,
                        continuous,
                        exists: true,
                    };
                }
            }
            if gravest.status == Status::None {
                return Ok(gravest);
            }
        }
        Ok(gravest)
    }

    /// Decides the cases of a combination one by one; what is graver than `gravest` takes its place.
    #[allow(clippy::too_many_arguments)]
    fn compare(
        &mut self,
        system: &System<'_>,
        before: &Solved,
        combined: &[&Class<'_>],
        continuous: bool,
        work: &mut Work,
        gravest: &mut Verdict,
        check: &dyn Fn(),
    ) -> Result<(), Beyond> {
        let members: Vec<Vec<&Behaviour>> = combined.iter().map(|c| c.members.clone()).collect();
        let cases = combinations(&members, MAX_CASES - work.n_cases)?;
        let n_before = work.n_cases;
        work.n_cases += cases.len();
        for (number, parts) in cases.into_iter().enumerate() {
            check();
            let parts: Vec<&Behaviour> = parts.into_iter().copied().collect();
            let mut case = Case::new(system, before, &parts);
            let terms = case.renumbered();
            let too_long = Beyond::After(n_before + number + 1, case.atoms.len());
            let outcome = match self.known.get(&case) {
                // A case that another loop has paid for costs this one as much, so that verdicts do not depend on
                // the loops before.
                Some((found, cost)) => {
                    if work.own.insert(case) {
                        work.left = work.left.checked_sub(*cost).ok_or(too_long)?;
                    }
                    found.clone()?
                }
                None => {
                    let before = work.left;
                    let found = compared(&case, terms.len(), continuous, &mut work.left, check);
                    if !matches!(found, Err(Beyond::TooLong)) {
                        work.own.insert(case.clone());
                        self.known.insert(case, (found.clone(), before - work.left));
                    }
                    found.map_err(|why| match why {
                        Beyond::TooLong => too_long,
                        other => other,
                    })?
                }
            };
            if gravest.status == Status::Unique {
                gravest.procedure = BY_PROGRAMMES.to_owned();
            }
            if outcome.status > gravest.status {
                let told = told(system, before, &parts, &terms, &outcome, BY_PROGRAMMES);
                // Of what is undecided the graver thing is told.
                if told.status > gravest.status || gravest.exists && !told.exists {
                    *gravest = told;
                }
            }
            if gravest.status == Status::None {
                break;
            }
        }
        Ok(())
    }
}

/// What the cases of one loop have cost.
struct Work {
    left: usize,
    own: FxHashSet<Case>,
    n_cases: usize,
}

/// Behaviours of a group that differ in known terms only, if nothing jumps in them.
struct Class<'b> {
    slopes: Option<Slopes>,
    members: Vec<&'b Behaviour>,
}

fn classes<'b>(
    system: &System<'_>,
    before: &Solved,
    groups: &'b [Vec<Behaviour>],
) -> Vec<Vec<Class<'b>>> {
    let classes = |group: &'b Vec<Behaviour>| {
        let mut classes: Vec<Class<'b>> = Vec::new();
        for one in group {
            let slopes = Slopes::new(&Case::new(system, before, &[one]), &one.atoms);
            let same = |class: &&mut Class<'_>| slopes.is_some() && class.slopes == slopes;
            match classes.iter_mut().find(same) {
                Some(class) => class.members.push(one),
                None => classes.push(Class {
                    slopes,
                    members: vec![one],
                }),
            }
        }
        classes
    };
    groups.iter().map(classes).collect()
}

/// The status of all cases of a combination in which one group jumps and the others do not, if it is harmless.
fn jumping_one(
    system: &System<'_>,
    before: &Solved,
    combined: &[&Class<'_>],
    left: &mut usize,
    check: &dyn Fn(),
) -> Option<Status> {
    let mut jumping = combined.iter().filter(|class| class.slopes.is_none());
    let (Some(own), None) = (jumping.next(), jumping.next()) else {
        return None;
    };
    let around: Vec<&Slopes> = combined
        .iter()
        .filter_map(|it| it.slopes.as_ref())
        .collect();
    let mut gravest = Status::Unique;
    for member in &own.members {
        let status = monotone::decide(system, before, member, &around, left, check)?;
        gravest = gravest.max(status);
    }
    Some(gravest)
}

/// The verdict on a combination that is `unique` or remembers: values that two valuations fit, if there are any.
fn remembers(
    system: &System<'_>,
    before: &Solved,
    combined: &[&Class<'_>],
    left: &mut usize,
    check: &dyn Fn(),
) -> Verdict {
    let verdict = |status: Status| Verdict {
        status,
        procedure: BY_SECTIONS.to_owned(),
        witness: None,
        continuous: false,
        exists: true,
    };
    let members: Vec<Vec<&Behaviour>> = combined.iter().map(|c| c.members.clone()).collect();
    let Ok(cases) = combinations(&members, MAX_CASES) else {
        return verdict(Status::Hysteresis);
    };
    for parts in cases {
        let parts: Vec<&Behaviour> = parts.into_iter().copied().collect();
        let mut case = Case::new(system, before, &parts);
        let terms = case.renumbered();
        if case.atoms.len() > regions::MAX_ATOMS {
            return verdict(Status::Hysteresis);
        }
        match regions::ambiguous(&case, terms.len(), left, check) {
            Ok(Some(outcome)) => {
                return told(system, before, &parts, &terms, &outcome, BY_SECTIONS);
            }
            Ok(None) => {}
            Err(_) => return verdict(Status::Hysteresis),
        }
    }
    verdict(Status::Unique)
}

/// Whether something fits in all cases of a combination in which groups jump.
fn something_fits(
    system: &System<'_>,
    before: &Solved,
    combined: &[&Class<'_>],
    left: &mut usize,
) -> bool {
    let around: Vec<&Slopes> = combined
        .iter()
        .filter_map(|it| it.slopes.as_ref())
        .collect();
    let jumping: Vec<Vec<&Behaviour>> = combined
        .iter()
        .filter(|class| class.slopes.is_none())
        .map(|class| class.members.clone())
        .collect();
    let Ok(cases) = combinations(&jumping, MAX_CASES) else {
        return false;
    };
    !jumping.is_empty()
        && cases.into_iter().all(|parts| {
            let parts: Vec<&Behaviour> = parts.into_iter().copied().collect();
            selection::always_fits(system, before, &parts, &around, left)
        })
}

/// All ways to take one of each, unless these are more than `most`.
fn combinations<T>(groups: &[Vec<T>], most: usize) -> Result<Vec<Vec<&T>>, Beyond> {
    let mut all: Vec<Vec<&T>> = vec![Vec::new()];
    for group in groups {
        if all.len() * group.len() > most {
            return Err(Beyond::Many("cases", all.len() * group.len()));
        }
        let mut longer = Vec::with_capacity(all.len() * group.len());
        for begun in &all {
            for one in group {
                let mut begun = begun.clone();
                begun.push(one);
                longer.push(begun);
            }
        }
        all = longer;
    }
    Ok(all)
}

/// Decides a case by comparing regions.
fn compared(
    case: &Case,
    n_terms: usize,
    continuous: bool,
    left: &mut usize,
    check: &dyn Fn(),
) -> Result<Outcome, Beyond> {
    if case.atoms.len() > regions::MAX_ATOMS {
        return Err(Beyond::Many("conditions", case.atoms.len()));
    }
    let mut outcome = regions::decide(case, n_terms, left, check)?;
    outcome.continuous = continuous;
    Ok(outcome)
}

/// Looks for values that nothing fits by putting numbers in, where coefficients depend on what is known.
fn tried(analysis: &Analysis, trace: &Trace, knot: &Knot, check: &dyn Fn()) -> Option<Verdict> {
    for trial in 0..MAX_TRIALS {
        check();
        let trial = trial::Trial(trial);
        let mut system = System::new(analysis, trace, knot, Some(trial), Detail::Plain).ok()?;
        if system.atoms.len() > regions::MAX_ATOMS || !system.is_closed() {
            return None;
        }
        let before = Solved::new(system.fixed.clone()).ok()?;
        system.merge_atoms(&before);
        let groups = behaviours(&mut system, &before, check).ok()?;
        for parts in combinations(&groups, MAX_CASES).ok()? {
            if !parts.iter().all(|part| part.can_begin) {
                continue;
            }
            let case = Case::new(&system, &before, &parts);
            if system.terms.len() > 1 {
                return None;
            }
            if regions::fits_nothing(&case) {
                let Some(known) = system.trial_values() else {
                    break;
                };
                return Some(Verdict {
                    status: Status::None,
                    procedure: "numbers put in".to_owned(),
                    witness: Some(Witness {
                        known,
                        fits: Vec::new(),
                        solutions: Vec::new(),
                    }),
                    continuous: false,
                    exists: false,
                });
            }
        }
    }
    None
}
