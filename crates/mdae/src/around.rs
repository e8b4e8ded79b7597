//! Singular modes that a run goes around.
//!
//! A switch closes beside a diode that conducts: with both closed the source would be short-circuited, and no equations
//! determine that mode. But the diode reads the instant before, so at this instant it may only be late: with its condition
//! changed there is a mode with a solution. A run takes that one, if exactly one such condition leads to a mode that its
//! values agree with (`sim::mythical`), and stops otherwise. Here is what the structure can say about it: whether there is
//! such a condition in every mode of a set. Where there is none a run cannot go on, and the mode is an error.

use crate::analysis::{Analysis, Class, Kind, Members, Part};
use crate::cond::Formula;
use crate::mode::{OneMode, Rows};
use crate::model::{MDae, ModeDef, ModeId, Predicate, Reads};
use crate::space::mode_id;
use crate::sym::CondId;
use modeshift_structure::{BddSet, ModeSets, ModeStructure, NodeLimit};

/// The mode variable that a formula is, or is the opposite of.
fn literal(mdae: &MDae, condition: CondId) -> Option<ModeId> {
    match mdae.conds.formula(condition) {
        Formula::Mode(id) => Some(*id),
        Formula::Not(inner) => match mdae.conds.formula(*inner) {
            Formula::Mode(id) => Some(*id),
            _ => None,
        },
        _ => None,
    }
}

/// The mode variables that change with a late one, itself included: nothing if it is not the truth of one condition on the
/// instant before. Those are `pre(s) >= 0`, and `pre(b)` with `b = s < 0`, by whatever name.
fn late(mdae: &MDae, id: ModeId) -> Option<Vec<ModeId>> {
    let mut same = vec![id];
    loop {
        let last = *same.last()?;
        let mode = &mdae.modes[last];
        match &mode.def {
            ModeDef::Predicate(read) => {
                return (mode.reads == Reads::LeftLimit && moves(mdae, read)).then_some(same);
            }
            ModeDef::Left(condition) => {
                let read = &mdae.modes[literal(mdae, *condition)?].def;
                return matches!(read, ModeDef::Predicate(it) if moves(mdae, it)).then_some(same);
            }
            ModeDef::Formula(condition) => {
                let next = literal(mdae, *condition)?;
                if same.contains(&next) {
                    return None;
                }
                same.push(next);
            }
            _ => return None,
        }
    }
}

/// Whether a condition can become another by what happens between events: a counter is what it is until the next one.
fn moves(mdae: &MDae, predicate: &Predicate) -> bool {
    mdae.passes(&predicate.lhs) || mdae.passes(&predicate.rhs)
}

/// The late conditions by one of which a run can leave each mode of a singular class for a regular one; nothing if some
/// mode has none. The set operations are linear in the number of conditions of the part.
pub(crate) fn around(analysis: &Analysis, part: &Part, class: &Class) -> Option<Vec<ModeId>> {
    let classes = part.classes.as_ref()?;
    let Members::Set(modes) = &class.members else {
        return None;
    };
    let sets = &analysis.space.sets;
    let mut bad = sets.empty();
    for class in &classes.classes {
        match (&class.kind, &class.members) {
            (Kind::Regular(_), _) => {}
            (_, Members::Set(set)) => bad = sets.or(&bad, set).ok()?,
            _ => return None,
        }
    }
    let possible = analysis.care.about(sets, &classes.modes).ok()?;
    let mut others = sets.support(&possible);
    others.retain(|var| !classes.modes.contains(var));
    let possible = sets.exists(&possible, &others).ok()?;
    let good = sets.diff(&possible, &bad).ok()?;
    let mut left = modes.clone();
    let mut found = Vec::new();
    for &var in &classes.modes {
        if late(&analysis.mdae, mode_id(var)).is_none() || sets.is_empty(&left) {
            continue;
        }
        let leads_out = || -> Result<BddSet, NodeLimit> {
            let with = |value| {
                sets.and(
                    &sets.literal(var, value)?,
                    &sets.restrict(&good, var, !value)?,
                )
            };
            sets.or(&with(true)?, &with(false)?)
        };
        let leads_out = leads_out().ok()?;
        if sets.intersects(&left, &leads_out).ok()? {
            left = sets.diff(&left, &leads_out).ok()?;
            found.push(mode_id(var));
        }
    }
    sets.is_empty(&left).then_some(found)
}

/// The same for one mode, without sets: the late conditions of which each alone leads to a regular mode.
pub fn around_mode(mdae: &MDae, mode: &[bool]) -> Vec<ModeId> {
    let mut mdae = mdae.clone();
    let rows = Rows::new(&mut mdae);
    let mdae = &mdae;
    let care: Vec<_> = mdae.care.iter().map(|fact| fact.condition).collect();
    let leads_out = |id: &ModeId| {
        let mut mode = mode.to_vec();
        for same in late(mdae, *id).into_iter().flatten() {
            mode[same.index()] ^= true;
        }
        let truth = mdae.conds.evaluate(&mode);
        let possible = care.iter().all(|fact| truth[fact.0 as usize]);
        let structure = || OneMode::new(mdae, &rows, &truth).structure();
        possible && matches!(structure(), ModeStructure::Regular { .. })
    };
    let is_late = |id: &ModeId| !mdae.modes[*id].auxiliary && late(mdae, *id).is_some();
    mdae.modes.ids().filter(is_late).filter(leads_out).collect()
}

/// What is said of such a mode.
pub fn note(mdae: &MDae, late: &[ModeId]) -> String {
    let names: Vec<String> = late
        .iter()
        .map(|&id| format!("`{}`", mdae.modes[id].name))
        .collect();
    let (read, one) = match names.len() {
        1 => ("reads", "changes it"),
        _ => ("read", "changes the one of them that fits"),
    };
    format!(
        "{} {read} the instant before: a run that comes to this mode {one} at the same instant and goes on in a mode with a \
         solution; it stops if its values do not determine which",
        crate::diagnose::list(&names)
    )
}
