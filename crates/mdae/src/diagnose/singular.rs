//! Modes whose equations cannot determine their unknowns.

use super::connections::{Scene, Story};
use super::dependence::superfluous;
use super::suspects::{gives_nothing, without_own_equation};
use super::{
    Labels, about, equation_text, in_modes, list, list_up_to, opening, others, quoted,
    variable_names,
};
use crate::analysis::{Analysis, Class, Kind, Members, Part, Singular};
use crate::around::{around, note};
use crate::model::{EqId, MDae, ModeId, VarKind};
use crate::sym::{self, CondId, Expr, VarId, variables};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_diag::{Code, Diagnostic, Severity};
use modeshift_flat::circuit::Circuit;
use modeshift_flat::model::{OriginKind, Place};
use modeshift_structure::{BddSet, ModeSets, NodeLimit};
use num_bigint::BigUint;

/// Labels in one of these messages: the one that matters must not be among those left out.
const MAX_LABELS: usize = 12;

/// Unknowns in a headline.
const MAX_NAMES: usize = 8;

/// Characters of a condition that a label repeats.
const LABEL_WORDS: usize = 40;

/// A class of singular modes of a part.
type Finding<'a> = (&'a Part, &'a Class, &'a Singular);

pub(super) fn singular_modes(
    analysis: &Analysis,
    circuit: Option<&Circuit<'_>>,
) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let mut found: Vec<Finding<'_>> = Vec::new();
    // Parts of which no mode has a solution, for one reason.
    let mut everywhere: Vec<&Part> = Vec::new();
    for part in &analysis.parts {
        let of_part = || part.classes.iter().flat_map(|it| &it.classes);
        let singular = of_part().filter_map(|class| match &class.kind {
            Kind::Singular(reason) => Some((part, class, reason)),
            _ => None,
        });
        let singular: Vec<Finding<'_>> = singular.collect();
        match smallest(&singular) {
            Some(one) if singular.len() > 1 && singular.len() == of_part().count() => {
                everywhere.push(part);
                found.push(one);
            }
            _ => found.extend(singular),
        }
    }
    let places = |(_, _, reason): &Finding<'_>| -> Vec<Place> {
        let equations = reason.over_equations.iter().chain(&reason.under_equations);
        let variables = reason.under_variables.iter();
        equations
            .map(|&id| mdae.equations[id].origin.span)
            .chain(variables.map(|&x| mdae.variable(x).origin.span))
            .collect()
    };
    let mut groups: FxIndexMap<Vec<Place>, Vec<Finding<'_>>> = FxIndexMap::default();
    for item in found {
        let mut key = places(&item);
        key.sort_unstable();
        key.dedup();
        groups.entry(key).or_default().push(item);
    }
    let mut told: Vec<Diagnostic<Place>> = Vec::new();
    // Components that prescribe something twice, and messages about what is not determined in such components.
    let mut twice: FxHashSet<String> = FxHashSet::default();
    let mut loose: Vec<(String, Vec<String>)> = Vec::new();
    for alike in groups.into_values() {
        let (part, class, reason) = alike[0];
        let late = around_all(analysis, &alike);
        let is_left = !late.is_empty();
        // What holds in every mode is said without a word about modes.
        let of_part = alike.iter().filter(|it| std::ptr::eq(it.0, part)).count();
        let always = of_part == part.classes.iter().flat_map(|it| &it.classes).count();
        let some = analysis.some_of(class).ok().flatten().filter(|_| !always);
        let when = match &some {
            Some(some) => some.as_str(),
            None if always => "true",
            None => class.when.as_str(),
        };
        let mut next = match singular_connections(analysis, circuit, class, when, reason) {
            Some((next, about)) => {
                if !reason.over_equations.is_empty() {
                    twice.extend(about);
                }
                next
            }
            None => {
                let next = singular_mode(analysis, class, when, reason, is_left);
                if reason.over_equations.is_empty() {
                    loose.push((next.message.clone(), owners(mdae, circuit, reason)));
                }
                next
            }
        };
        if is_left {
            next = next
                .with_severity(Severity::Warning)
                .note(note(mdae, &late));
        }
        if some.is_some() {
            next = next.note("it happens in other modes, too: `modeshift modes` lists them");
        }
        let about_mode = next.message.starts_with(&opening(when)) && when != "true";
        if everywhere.iter().any(|it| std::ptr::eq(*it, part)) {
            next.notes.retain(|note| note != CANNOT_HAPPEN);
        }
        if about_mode && everywhere.iter().any(|it| std::ptr::eq(*it, part)) {
            next = next.note(match reason.over_equations.is_empty() {
                true => "every mode has too few equations here; in this one the fewest unknowns are involved",
                false => "every mode has too many equations here; in this one the fewest are involved",
            });
        }
        // What holds in all modes may have been found in several kinds of them.
        if told.iter().all(|known| known.message != next.message) {
            told.push(match always && of_part == alike.len() {
                true => next,
                false => also(next, &alike[1..]),
            });
        }
    }
    // What is prescribed twice leaves the reaction to it open: that is no second mistake.
    told.retain(|it| {
        let mut known = loose.iter().filter(|(message, _)| *message == it.message);
        !known.any(|(_, of)| !of.is_empty() && of.iter().all(|name| twice.contains(name)))
    });
    told
}

/// Of modes that all have too many equations, or all too few, the one that involves the fewest, if they have some in common: then
/// it tells what is wrong with the others.
fn smallest<'a>(singular: &[Finding<'a>]) -> Option<Finding<'a>> {
    let (_, _, first) = singular.first()?;
    let over = |it: &Singular| !it.over_equations.is_empty() && it.under_variables.is_empty();
    let under = |it: &Singular| it.over_equations.is_empty() && !it.under_variables.is_empty();
    let all = |of: &dyn Fn(&Singular) -> bool| singular.iter().all(|(_, _, reason)| of(reason));
    let in_common = match (all(&over), all(&under)) {
        (true, _) => {
            let mut own = first.over_equations.iter();
            own.any(|id| all(&|it| it.over_equations.contains(id)))
        }
        (_, true) => {
            let mut own = first.under_variables.iter();
            own.any(|x| all(&|it| it.under_variables.contains(x)))
        }
        _ => false,
    };
    let size = |it: &&Finding<'_>| it.2.over_equations.len() + it.2.under_variables.len();
    in_common.then(|| singular.iter().min_by_key(size).copied())?
}

/// The components that have the unknowns of a mode without enough equations.
fn owners(mdae: &MDae, circuit: Option<&Circuit<'_>>, reason: &Singular) -> Vec<String> {
    let variables = reason.under_variables.iter();
    let owner = |x: &VarId| Some(circuit?.component(&mdae.variable(*x).name)?.0);
    let names = variables.map(|x| quoted(&owner(x).unwrap_or_default()));
    names.collect()
}

/// The conditions by which a run goes around all these modes; none if it cannot.
fn around_all(analysis: &Analysis, alike: &[Finding<'_>]) -> Vec<ModeId> {
    let mut late = Vec::new();
    for (part, class, _) in alike {
        match around(analysis, part, class) {
            Some(found) => late.extend(found),
            None => return Vec::new(),
        }
    }
    late.sort_unstable();
    late.dedup();
    late
}

/// Says where else the same happens: in other modes, or in other parts of the model with the same text.
fn also(diagnostic: Diagnostic<Place>, alike: &[Finding<'_>]) -> Diagnostic<Place> {
    const MAX_LISTED: usize = 3;
    if alike.is_empty() || alike.len() > MAX_LISTED {
        return others(diagnostic, alike.len());
    }
    let modes: Vec<String> = alike
        .iter()
        .map(|(_, class, _)| in_modes(&class.when))
        .collect();
    diagnostic.note(format!("the same happens {}", list(&modes)))
}

/// The same in terms of connected components, where these are the reason, with the components concerned.
fn singular_connections(
    analysis: &Analysis,
    circuit: Option<&Circuit<'_>>,
    class: &Class,
    when: &str,
    reason: &Singular,
) -> Option<(Diagnostic<Place>, Vec<String>)> {
    let mdae = &analysis.mdae;
    let circuit = circuit?;
    if is_point(analysis, class) {
        return None;
    }
    let scene = Scene {
        mdae,
        circuit,
        truth: mdae.conds.evaluate(&class.representative),
    };
    let story: Story = if reason.over_equations.is_empty() {
        // Connected or not does not depend on the mode.
        if let Some(open) = scene.open_input(&reason.under_variables) {
            let message = open.message.clone();
            let told = open.tell(Diagnostic::new(Code::MS4001, message));
            return Some((told, Vec::new()));
        }
        let floating = scene.floating(&reason.under_equations, &reason.under_variables);
        let mut stories = floating.into_iter();
        let undetermined = || scene.undetermined(&reason.under_equations, &reason.under_variables);
        stories.next().or_else(undetermined)?
    } else {
        scene.conflict(&reason.over_equations, &reason.over_variables)?
    };
    let message = format!("{}{}", opening(when), story.message);
    let about = story.about.clone();
    let diagnostic = story.tell(Diagnostic::new(Code::MS4001, message));
    let diagnostic = match when {
        "true" => diagnostic,
        _ => diagnostic.note(CANNOT_HAPPEN),
    };
    Some((diagnostic, about))
}

const CANNOT_HAPPEN: &str = "if the mode cannot happen, say so with an `assert` over the conditions: modes that assertions \
                             exclude are not analysed";

fn singular_mode(
    analysis: &Analysis,
    class: &Class,
    when: &str,
    reason: &Singular,
    is_left: bool,
) -> Diagnostic<Place> {
    let mdae = &analysis.mdae;
    let opening = opening(when);
    // The headline has said when.
    let modes = match when.chars().count() {
        _ if opening.is_empty() => String::new(),
        0..=LABEL_WORDS => format!(" {}", in_modes(when)),
        _ => " then".to_owned(),
    };
    let twice = match reason.over_variables.len() {
        0 | 1 => None,
        _ => given_twice(mdae, &reason.over_equations),
    };
    // Equations that say nothing new are found by what they say; otherwise how they are written is a hint.
    let needless = match &twice {
        Some(twice) if twice.identical => None,
        _ if reason.over_variables.len() < 2 => None,
        _ => {
            let truth = mdae.conds.evaluate(&class.representative);
            superfluous(mdae, &reason.over_equations, &reason.over_variables, &truth)
        }
    };
    let twice = twice.filter(|_| needless.is_none());
    let suspects = without_own_equation(mdae, &reason.under_equations, &reason.under_variables);
    let suspect = match suspects[..] {
        [only] if reason.over_equations.is_empty() => Some(only),
        _ => None,
    };
    let odd = match twice.is_none() && needless.is_none() && reason.over_variables.len() > 1 {
        true => gives_nothing(mdae, &reason.over_equations),
        false => None,
    };
    let headline = match (suspect, odd.filter(|_| reason.under_variables.is_empty())) {
        (Some(x), _) => format!(
            "{opening}an equation for {} seems to be missing: {} unknowns share only {}",
            quoted(&mdae.variable(x).name),
            reason.under_variables.len(),
            equations(reason.under_equations.len())
        ),
        (_, Some(id)) => format!(
            "{opening}{} seems to be one equation too many: {} have only {}",
            equation_text(mdae, id),
            equations(reason.over_equations.len()),
            match reason.over_variables.len() {
                1 => "one unknown".to_owned(),
                n => format!("{n} unknowns"),
            }
        ),
        _ => headline(mdae, &opening, reason, twice.as_ref(), needless.as_deref()),
    };
    let mut diagnostic = Diagnostic::new(Code::MS4001, headline);
    let mut labels = Labels::at_most(MAX_LABELS);
    let over: Vec<EqId> = match (&twice, &needless) {
        (Some(twice), _) => twice.equations.to_vec(),
        (None, Some(needless)) => needless.clone(),
        (None, None) => {
            let others = reason.over_equations.iter().copied();
            let others = others.filter(|id| Some(*id) != odd);
            odd.into_iter().chain(others).collect()
        }
    };
    for &id in &over {
        let origin = mdae.equations[id].origin.clone();
        let text = match reason.over_variables.as_slice() {
            [] => match input_of(mdae, id) {
                Some(name) => {
                    format!("mentions only the input `{name}`, which is given from outside")
                }
                None => "mentions no unknown".to_owned(),
            },
            [x] if needless.is_none() => format!("determines `{}`", mdae.variable(*x).name),
            _ if let Some(twice) = &twice => {
                let name = &mdae.variable(twice.variable).name;
                match id == over[0] {
                    true => format!("gives `{name}`"),
                    false => format!("gives `{name}`, too"),
                }
            }
            _ if needless.is_some() => match (id == over[0], over.len()) {
                (true, _) => "says nothing new".to_owned(),
                (false, 2) => "says the same".to_owned(),
                (false, _) => "follows from this".to_owned(),
            },
            _ if Some(id) == odd => "the only one with no variable alone on one side".to_owned(),
            _ if odd.is_some() => "determines the same unknowns".to_owned(),
            _ if id == over[0] => "one of the marked equations is too many".to_owned(),
            _ => "one of them".to_owned(),
        };
        diagnostic = labels.add(diagnostic, &origin, || about(mdae, id, &text));
    }
    let others = reason.under_variables.iter();
    let others = others.filter(|x| !suspects.contains(x));
    for &x in suspects.iter().chain(others) {
        let origin = mdae.variable(x).origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || {
            let name = &mdae.variable(x).name;
            match suspect {
                Some(suspect) if x == suspect => {
                    format!("no equation gives `{name}` alone on one side{modes}")
                }
                Some(_) => format!("`{name}` is one of the unknowns"),
                None => format!("`{name}` is not determined{modes}"),
            }
        });
    }
    let mentions = if reason.under_variables.len() == 1 {
        "mentions it"
    } else {
        "mentions them"
    };
    for &id in &reason.under_equations {
        let origin = mdae.equations[id].origin.clone();
        diagnostic = labels.add(diagnostic, &origin, || about(mdae, id, mentions));
    }
    diagnostic = labels.finish(diagnostic);
    if needless.is_some() {
        diagnostic = diagnostic.note(format!(
            "{} equations have only {} unknowns: {}; remove one of the marked equations, or write what was meant instead",
            reason.over_equations.len(),
            reason.over_variables.len(),
            list_up_to(&names(mdae, &reason.over_variables), MAX_NAMES)
        ));
    }
    if twice.is_some() {
        diagnostic = diagnostic.note(format!(
            "{} equations have only {} unknowns: {}; is one of these two too many?",
            reason.over_equations.len(),
            reason.over_variables.len(),
            list_up_to(&names(mdae, &reason.over_variables), MAX_NAMES)
        ));
    }
    if let [only] = suspects[..] {
        let name = &mdae.variable(only).name;
        diagnostic = diagnostic.note(format!(
            "`{name}` is the only one of {} that no equation gives alone on one side: is `{name} = …` missing?",
            list_up_to(&names(mdae, &reason.under_variables), MAX_NAMES)
        ));
    }
    if is_point(analysis, class) {
        return diagnostic.with_severity(Severity::Warning).note(
            "this can only happen at the single point where both conditions meet; a simulation passes \
             through it, unless it slides along it",
        );
    }
    if opening.is_empty()
        && let Some(note) = parameter_given(mdae, &reason.over_equations)
    {
        return diagnostic.note(note);
    }
    if reason.over_equations.is_empty() && reason.under_variables.is_empty() {
        return diagnostic
            .note("these modes were not analysed one by one: there are too many reasons");
    }
    let diagnostic = match opening.is_empty() {
        true if reason.over_variables.len() == 1 && needless.is_none() => {
            diagnostic.note("remove one of them")
        }
        true => diagnostic,
        false if is_left => diagnostic,
        false => diagnostic.note(
            "a simulation that enters this mode stops with a singular matrix or a division by zero, or goes \
             on with arbitrary values",
        ),
    };
    if when == "true" {
        diagnostic
    } else {
        diagnostic.note(CANNOT_HAPPEN)
    }
}

/// An input of the model that an equation mentions.
fn input_of(mdae: &MDae, id: EqId) -> Option<&str> {
    let equation = &mdae.equations[id];
    let mut mentioned = variables(&equation.lhs);
    mentioned.extend(variables(&equation.rhs));
    let mut inputs = mentioned.into_iter().map(|it| mdae.variable(it.var));
    let input = inputs.find(|it| it.kind == VarKind::Input)?;
    Some(&input.name)
}

/// Two equations that both give a variable, by how they are written.
struct Twice {
    variable: VarId,
    equations: [EqId; 2],
    /// They say the same.
    identical: bool,
}

/// A variable that two of the equations give, directly or through variables that connections make equal. Equations that
/// say the same come first, then two of the form `x = …`, then `x = …` and `C*der(x) = …`.
fn given_twice(mdae: &MDae, equations: &[EqId]) -> Option<Twice> {
    let connects = |id: &EqId| mdae.equations[*id].origin.kind == OriginKind::Connection;
    let own: Vec<EqId> = equations
        .iter()
        .copied()
        .filter(|id| !connects(id))
        .collect();
    let twice = |variable: VarId, mut both: [EqId; 2], identical: bool| {
        // The modeller's own equation comes first.
        both.sort_by_key(|id| !mdae.equations[*id].origin.instance.is_empty());
        Some(Twice {
            variable,
            equations: both,
            identical,
        })
    };
    for (index, &id) in own.iter().enumerate() {
        let this = &mdae.equations[id];
        let same = |other: &&EqId| {
            let other = &mdae.equations[**other];
            other.lhs == this.lhs && other.rhs == this.rhs && other.guard == this.guard
        };
        if let Some(&other) = own[..index].iter().find(same) {
            let variable = gives(mdae, id).or_else(|| gives_by_derivative(mdae, id))?;
            return twice(variable, [other, id], true);
        }
    }
    let mut equal: FxHashMap<VarId, VarId> = FxHashMap::default();
    let root = |equal: &FxHashMap<VarId, VarId>, mut x: VarId| {
        while let Some(&next) = equal.get(&x) {
            x = next;
        }
        x
    };
    for id in equations.iter().filter(|id| connects(id)) {
        let equation = &mdae.equations[*id];
        if let (Some(a), Some(b)) = (plain(&equation.lhs), plain(&equation.rhs)) {
            let (a, b) = (root(&equal, a), root(&equal, b));
            if a != b {
                equal.insert(a, b);
            }
        }
    }
    let mut given: FxHashMap<VarId, EqId> = FxHashMap::default();
    for &id in &own {
        let Some(x) = gives(mdae, id) else { continue };
        if let Some(other) = given.insert(root(&equal, x), id) {
            return twice(x, [other, id], false);
        }
    }
    for &id in &own {
        let Some(x) = gives_by_derivative(mdae, id) else {
            continue;
        };
        if let Some(&other) = given.get(&root(&equal, x)) {
            return twice(x, [other, id], false);
        }
    }
    None
}

fn plain(side: &Expr) -> Option<VarId> {
    side.as_var().filter(|it| it.order == 0).map(|it| it.var)
}

/// The variable that an equation of the form `x = …` gives; `v = der(s)` is about `s`.
fn gives(mdae: &MDae, id: EqId) -> Option<VarId> {
    let equation = &mdae.equations[id];
    let derivative = equation.rhs.as_var().is_some_and(|it| it.order > 0);
    plain(&equation.lhs).filter(|_| !derivative)
}

/// The variable whose derivative an equation of the form `C*der(x) = …` or `v = der(x)` gives.
fn gives_by_derivative(mdae: &MDae, id: EqId) -> Option<VarId> {
    let equation = &mdae.equations[id];
    let derivative = |side: &Expr| {
        let mentioned = variables(side);
        let mut mentioned = mentioned.iter();
        let first = mentioned.next().filter(|it| it.order > 0)?;
        mentioned.all(|it| it == first).then_some(first.var)
    };
    derivative(&equation.lhs).or_else(|| {
        let other = equation.rhs.as_var().filter(|it| it.order > 0)?;
        Some(other.var)
    })
}

/// An equation that gives a parameter a value is one too many: a parameter has its value from its declaration.
fn parameter_given(mdae: &MDae, equations: &[EqId]) -> Option<String> {
    let name = equations.iter().find_map(|&id| {
        let equation = &mdae.equations[id];
        // `x = p` gives `x` the value of the parameter, as it should.
        match equation.lhs.kind() {
            sym::Kind::Param(id) if equation.rhs.as_var().is_none() => {
                Some(&mdae.parameter(*id).name)
            }
            _ => None,
        }
    })?;
    Some(format!(
        "`{name}` is a parameter, and an equation determines it: declare `{name}` without `parameter` if it changes with \
         time, or give the value in its declaration"
    ))
}

fn equations(n: usize) -> String {
    match n {
        1 => "one equation".to_owned(),
        n => format!("{n} equations"),
    }
}

fn headline(
    mdae: &MDae,
    opening: &str,
    reason: &Singular,
    twice: Option<&Twice>,
    needless: Option<&[EqId]>,
) -> String {
    let too_many = reason.over_equations.len();
    let undetermined = names(mdae, &reason.under_variables);
    let over = match reason.over_variables.len() {
        _ if let Some([first, others @ ..]) = needless => {
            let first = equation_text(mdae, *first);
            match others {
                [other] => format!("{first} says the same as {}", equation_text(mdae, *other)),
                _ => format!("{first} follows from {} other equations", others.len()),
            }
        }
        0 => "an equation mentions no unknown at all".to_owned(),
        1 => format!(
            "{} is determined by {}",
            variable_names(mdae, &reason.over_variables),
            equations(too_many),
        ),
        _ if let Some(twice) = twice => {
            let name = quoted(&mdae.variable(twice.variable).name);
            match twice.identical {
                true => format!(
                    "the equation {} is there twice",
                    equation_text(mdae, twice.equations[0])
                ),
                false => format!("two equations give {name}"),
            }
        }
        n => format!(
            "{} have only {n} unknowns: {}",
            equations(too_many),
            list_up_to(&names(mdae, &reason.over_variables), MAX_NAMES)
        ),
    };
    let under = match (undetermined.len(), reason.under_equations.len()) {
        (1, _) => format!("nothing determines {}", undetermined[0]),
        (_, n) => {
            let names = list_up_to(&undetermined, MAX_NAMES);
            format!("{names} share only {}", equations(n))
        }
    };
    match (too_many, undetermined.len()) {
        (0, 0) => format!("{opening}the equations cannot determine the unknowns"),
        (0, _) => format!("{opening}{under}"),
        (_, 0) => format!("{opening}{over}"),
        _ => format!("{opening}{over}, while {under}"),
    }
}

fn names(mdae: &MDae, variables: &[VarId]) -> Vec<String> {
    let names = variables.iter();
    names.map(|&x| quoted(&mdae.variable(x).name)).collect()
}

/// Whether every mode of a class is a single point of some predicate's axis.
fn is_point(analysis: &Analysis, class: &Class) -> bool {
    let truth = analysis.mdae.conds.evaluate(&class.representative);
    let holds = |id: &CondId| truth[id.0 as usize];
    if !analysis.mdae.points.iter().any(holds) {
        return false;
    }
    let Members::Set(modes) = &class.members else {
        return class.count == BigUint::from(1_u8);
    };
    let outside = || -> Result<BddSet, NodeLimit> {
        let points = analysis.mdae.points.iter();
        let mut points = points.filter_map(|&it| analysis.space.known(it));
        points.try_fold(modes.clone(), |left, point| {
            analysis.sets().diff(&left, point)
        })
    };
    outside().is_ok_and(|left| analysis.sets().is_empty(&left))
}
