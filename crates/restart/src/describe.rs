//! What happens at a change, in the modeller's words.
//!
//! Conditions are named as the model names them: where `g = time >= 5 and time < 10`, a change is one of `g`, and the relation
//! that flips is the reason. What a translation of clocks and state machines made up has no name that anybody wrote.

use crate::explore::{Exploration, Transition};
use crate::modes::Mode;
use modeshift_mdae::model::{MDae, ModeDef, ModeId};
use std::fmt::Write as _;

/// More named Booleans than this are not told for one change.
const MAX_NAMES: usize = 2;

/// Whether a name stands in the model: no relation, no left limit, nothing made up.
fn is_written(name: &str) -> bool {
    !name.contains(['<', '>', '=', '(', '$'])
}

fn is_made_up(name: &str) -> bool {
    name.contains('$')
}

/// A condition and the value that it gets.
struct Flip<'m> {
    name: &'m str,
    becomes: bool,
}

/// The mode variables that flip by themselves at a change; all that differ where nobody says which.
fn causes<'m>(mdae: &'m MDae, transition: &Transition, from: &Mode) -> Vec<(ModeId, Flip<'m>)> {
    let instant = transition.transient.as_ref().unwrap_or(&transition.to);
    let flipped = transition.flipped.iter().map(|&id| {
        let variable = &mdae.modes[id];
        let becomes = matches!(variable.def, ModeDef::Pulse(_)) || !from[id.index()];
        let name = &*variable.name;
        (id, Flip { name, becomes })
    });
    let causes: Vec<_> = flipped.collect();
    match causes.is_empty() {
        true => differing(mdae, from, instant, |_| true),
        false => causes,
    }
}

fn differing<'m>(
    mdae: &'m MDae,
    from: &Mode,
    to: &Mode,
    shown: impl Fn(ModeId) -> bool,
) -> Vec<(ModeId, Flip<'m>)> {
    let modes = mdae.modes.iter_enumerated();
    let differing = modes.filter(|(id, _)| from[id.index()] != to[id.index()] && shown(*id));
    differing
        .map(|(id, variable)| {
            let flip = Flip {
                name: &variable.name,
                becomes: to[id.index()],
            };
            (id, flip)
        })
        .collect()
}

/// The named Booleans that flip with some of `causes`, those that depend on the fewest conditions first.
fn named<'m>(mdae: &'m MDae, from: &Mode, to: &Mode, causes: &[ModeId]) -> Vec<Flip<'m>> {
    if mdae.derived.is_empty() || causes.is_empty() {
        return Vec::new();
    }
    let (old, new) = (mdae.conds.evaluate(from), mdae.conds.evaluate(to));
    let mut found: Vec<(usize, Flip<'m>)> = Vec::new();
    for derived in &mdae.derived {
        let value = derived.value.0 as usize;
        let first = mdae
            .name_of(derived.value)
            .is_some_and(|it| it.name == derived.name);
        if old[value] == new[value] || !first || !is_written(&derived.name) {
            continue;
        }
        let support = mdae.conds.support([derived.value]);
        if support.iter().any(|id| causes.contains(id)) {
            let flip = Flip {
                name: &derived.name,
                becomes: new[value],
            };
            found.push((support.len(), flip));
        }
    }
    found.sort_by_key(|(support, _)| *support);
    found.truncate(MAX_NAMES);
    found.into_iter().map(|(_, flip)| flip).collect()
}

/// What happens, in the modeller's words: ``when `g` becomes true``.
pub fn describe(found: &Exploration<'_>, transition: &Transition) -> String {
    let mdae = found.modes.mdae;
    let Some(from) = &transition.from else {
        return "at the start".to_owned();
    };
    let instant = transition.transient.as_ref().unwrap_or(&transition.to);
    let causes = causes(mdae, transition, from);
    let becomes = |flip: &Flip<'_>| format!("`{}` becomes {}", flip.name, flip.becomes);
    let unnamed = causes.iter().filter(|(_, flip)| !is_written(flip.name));
    let unnamed: Vec<ModeId> = unnamed.map(|(id, _)| *id).collect();
    let named = named(mdae, from, instant, &unnamed);
    if named.is_empty() {
        let texts: Vec<String> = causes.iter().map(|(_, flip)| becomes(flip)).collect();
        return format!("when {}", texts.join(" and "));
    }
    let written = causes.iter().map(|(_, flip)| flip);
    let written = written.filter(|flip| is_written(flip.name));
    let texts: Vec<String> = named.iter().chain(written).map(becomes).collect();
    let mut text = format!("when {}", texts.join(" and "));
    let reasons = causes.iter().map(|(_, flip)| flip);
    let reasons = reasons.filter(|flip| !is_written(flip.name) && !is_made_up(flip.name));
    let reasons: Vec<String> = reasons.map(becomes).collect();
    if !reasons.is_empty() {
        let _ = write!(text, " ({})", reasons.join(" and "));
    }
    text
}

/// The conditions that flip at a change: `g: false → true (time >= 5)`. Nothing where only instants are told from outside.
pub fn headline(found: &Exploration<'_>, transition: &Transition) -> String {
    let mdae = found.modes.mdae;
    let Some(from) = &transition.from else {
        return "start".to_owned();
    };
    let instant = transition.transient.as_ref().unwrap_or(&transition.to);
    let flips = differing(mdae, from, instant, |id| !mdae.modes[id].auxiliary);
    let unnamed: Vec<ModeId> = flips
        .iter()
        .filter(|(_, flip)| !is_written(flip.name))
        .map(|(id, _)| *id)
        .collect();
    let named = named(mdae, from, instant, &unnamed);
    let arrow = |flip: &Flip<'_>| format!("{}: {} → {}", flip.name, !flip.becomes, flip.becomes);
    let flips = flips.iter().map(|(_, flip)| flip);
    let made_up = flips.clone().filter(|flip| is_made_up(flip.name)).count();
    let told = flips.filter(|flip| !is_made_up(flip.name));
    let (first, reasons): (Vec<&Flip<'_>>, Vec<&Flip<'_>>) =
        told.partition(|flip| is_written(flip.name) || named.is_empty());
    // What only clocks read is no condition of a mode, but the reason why something happens.
    let causes = match first.is_empty() && named.is_empty() && made_up > 0 {
        true => causes(mdae, transition, from),
        false => Vec::new(),
    };
    let causes = causes.iter().map(|(_, flip)| flip);
    let causes = causes.filter(|flip| is_written(flip.name));
    let texts = named.iter().chain(first).chain(causes).map(arrow);
    let mut text = texts.collect::<Vec<_>>().join(", ");
    if !reasons.is_empty() {
        let reasons = reasons.iter().map(|flip| match flip.becomes {
            true => flip.name.to_owned(),
            false => format!("not {}", flip.name),
        });
        let _ = write!(text, " ({})", reasons.collect::<Vec<_>>().join(", "));
    }
    if made_up > 0 {
        let conditions = match made_up {
            1 => "condition",
            _ => "conditions",
        };
        let and = if text.is_empty() { "" } else { " and " };
        let _ = write!(text, "{and}{made_up} {conditions} of clocks");
    }
    text
}
