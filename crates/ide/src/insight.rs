//! What is known about modes, beside the text it is about: hover texts for equations and conditions, hints,
//! lenses.

use crate::symbols::{class_at, dotted};
use modeshift_base::{FileSpan, Span};
use modeshift_db::{SourceFile, parse};
use modeshift_driver::{ConditionFact, EquationFact, ModeFacts, Session, Share, mode_facts};
use modeshift_hir::statics::{Symbol, with_ancestors};
use modeshift_hir::{ClassId, class, class_layout, full_name, resolve_place};
use modeshift_syntax::ast::{Branch, Equation, EquationKind, Node, Visit};
use std::fmt::Write as _;

/// A short text to be shown at a place in the line, which is not part of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    pub offset: u32,
    pub text: String,
    /// What is shown when the pointer rests on it.
    pub more: String,
}

/// A line of its own above a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The name of the class.
    pub span: Span,
    /// Its full name.
    pub class: String,
    pub text: String,
}

/// The model whose modes a position is about: the class around it, if it is one.
fn model_at(session: &Session, file: SourceFile, offset: u32) -> Option<(ClassId, &ModeFacts)> {
    let id = class_at(session.db(), file, offset)?;
    if !session.models_of(file).contains(&id) {
        return None;
    }
    Some((id, mode_facts(session.db(), id).as_ref()?))
}

/// What is known about the equation at `offset`, in Markdown, and its place. An equation of a component is told about as
/// the first model of the file that uses it has it.
pub fn mode_hover(session: &Session, file: SourceFile, offset: u32) -> Option<(Span, String)> {
    let own = model_at(session, file, offset).map(|(id, _)| id);
    let others = session.models_of(file).into_iter();
    let others = others.filter(|&id| Some(id) != own && own.is_none());
    own.into_iter()
        .chain(others)
        .find_map(|model| equations_at(session, file, offset, model))
}

fn equations_at(
    session: &Session,
    file: SourceFile,
    offset: u32,
    model: ClassId,
) -> Option<(Span, String)> {
    let db = session.db();
    let facts = mode_facts(db, model).as_ref()?;
    let around = |place: FileSpan| {
        let place = resolve_place(db, place);
        let inside =
            place.file == file.id(db) && place.span.start <= offset && offset <= place.span.end;
        inside.then_some(place.span)
    };
    let mut found: Vec<(Span, &EquationFact)> = facts
        .equations
        .iter()
        .filter_map(|it| Some((around(it.place)?, it)))
        .collect();
    // An equation with arrays or several branches is many: those at the smallest place are meant.
    let smallest = found.iter().map(|(span, _)| span.len()).min()?;
    found.retain(|(span, _)| span.len() == smallest);
    let span = found[0].0;
    let instances = found.iter().any(|(_, it)| !it.instance.is_empty());
    let text = |(_, it): &(Span, &EquationFact)| match it.instance.as_str() {
        "" => equation_text(facts, it),
        instance => format!("`{instance}`: {}", equation_text(facts, it)),
    };
    let mut texts: Vec<String> = found.iter().map(text).collect();
    texts.dedup();
    let count = texts.len();
    texts.truncate(MAX_EQUATIONS);
    if count > MAX_EQUATIONS {
        texts.push(format!("and {} more", count - MAX_EQUATIONS));
    }
    if instances {
        texts.insert(0, format!("In `{}`:", dotted(full_name(db, model))));
    }
    // Conditions that are written in the equation have no name to point at.
    let mut on_loop: Vec<(&str, &str)> = facts
        .conditions
        .iter()
        .filter(|it| around(it.place).is_some_and(|place| place == span))
        .filter_map(|it| Some((it.name.as_str(), it.on_loop.as_deref()?)))
        .collect();
    on_loop.sort_unstable();
    on_loop.dedup();
    for (name, sentence) in on_loop.into_iter().take(MAX_EQUATIONS) {
        texts.push(format!("`{name}`: {sentence}"));
    }
    Some((span, texts.join("\n\n")))
}

/// Most scalar equations of one place that are told about.
const MAX_EQUATIONS: usize = 4;

fn equation_text(facts: &ModeFacts, equation: &EquationFact) -> String {
    let mut text = match (equation.when.as_str(), &equation.active) {
        ("true", _) => match facts.modes.as_deref() {
            Some("1") | None => "Holds always".to_owned(),
            Some("2") => "Holds in both modes".to_owned(),
            Some(modes) => format!("Holds in all {modes} modes"),
        },
        (when, Some(share)) => format!("Holds in {}: `{when}`", of_all(share)),
        (when, None) => format!("Holds where `{when}`"),
    };
    if let Some(share) = &equation.active
        && let Some(index) = index_of(share)
    {
        let _ = write!(text, "; {index} there");
    }
    text.push('.');
    match equation.offsets.as_slice() {
        [] => {}
        [(_, 0)] => text.push_str(" It is not differentiated."),
        [(when, times)] if when == "true" => {
            let _ = write!(text, " It is differentiated {}.", times_of(*times));
        }
        several => {
            for (when, times) in several {
                let _ = write!(
                    text,
                    "\n- where `{when}`: differentiated {}",
                    times_of(*times)
                );
            }
        }
    }
    text
}

fn times_of(times: i32) -> String {
    match times {
        0 => "not at all".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn of_all(share: &Share) -> String {
    match share.modes {
        all if all == share.of => format!("all {all} modes"),
        some => format!("{some} of {} modes", share.of),
    }
}

/// `index 1`, `index 0–1`, `singular`; `None` for no mode at all.
fn index_of(share: &Share) -> Option<String> {
    index_text(share.index, share.singular)
}

fn index_text(index: Option<(i32, i32)>, singular: bool) -> Option<String> {
    let index = index.map(|(low, high)| match low == high {
        true => format!("index {low}"),
        false => format!("index {low}–{high}"),
    });
    match (index, singular) {
        (Some(index), true) => Some(format!("{index} or singular")),
        (Some(index), false) => Some(index),
        (None, true) => Some("singular".to_owned()),
        (None, false) => None,
    }
}

/// What is known about the Boolean that a symbol is, in the model around `offset`.
pub(crate) fn guard_text(
    session: &Session,
    file: SourceFile,
    offset: u32,
    symbol: Symbol,
) -> Option<String> {
    let (id, facts) = model_at(session, file, offset)?;
    let Symbol::Component { class: owner, .. } = symbol else {
        return None;
    };
    if !with_ancestors(session.db(), id).contains(&owner) {
        return None;
    }
    let name = symbol.name(session.db());
    let fact = facts
        .conditions
        .iter()
        .find(|it| it.name == name.as_str())?;
    Some(condition_text(fact))
}

fn condition_text(fact: &ConditionFact) -> String {
    let mut text = "Decides modes".to_owned();
    let definition = &fact.definition;
    if !definition.is_empty() && *definition != fact.name {
        let _ = write!(text, ": `{definition}`");
    }
    text.push('.');
    for (share, value) in [(&fact.holds, "true"), (&fact.fails, "false")] {
        if let Some(share) = share {
            let _ = write!(text, "\n- {value} in {}", of_all(share));
            if let Some(index) = index_of(share) {
                let _ = write!(text, ", {index}");
            }
        }
    }
    if let Some(sentence) = &fact.on_loop {
        let _ = write!(text, "\n\n{sentence}");
    }
    text
}

/// Hints for the part of a file in `range`: the index beside every branch of an if-equation, and behind a component
/// the modifiers it inherits. O(length of the file) once the modes are known.
pub fn hints(session: &Session, file: SourceFile, range: Span) -> Vec<Hint> {
    let mut found: Vec<Hint> = session
        .models_of(file)
        .into_iter()
        .filter_map(|id| Some((id, mode_facts(session.db(), id).as_ref()?)))
        .flat_map(|(id, facts)| index_hints(session, file, id, facts))
        .collect();
    found.extend(crate::inherited::hints(session.db(), file));
    found.retain(|hint| range.start <= hint.offset && hint.offset <= range.end);
    found.sort_by_key(|hint| hint.offset);
    found
}

fn index_hints(session: &Session, file: SourceFile, id: ClassId, facts: &ModeFacts) -> Vec<Hint> {
    let db = session.db();
    let within = class_layout(db, id).file_span();
    let places: Vec<(Span, &EquationFact)> = facts
        .equations
        .iter()
        .filter(|it| it.instance.is_empty() && it.active.is_some())
        .map(|it| (resolve_place(db, it.place).span, it))
        .collect();
    let mut hints = Vec::new();
    parse(db, file).file.visit(&mut |node| {
        if let Node::Equation(equation) = node
            && let EquationKind::If { branches, else_ } = &equation.kind
            && within.start <= equation.span.start
            && equation.span.end <= within.end
            && class_at(db, file, equation.span.start) == Some(id)
        {
            for Branch { condition, body } in branches {
                hints.extend(branch_hint(&places, condition.span.end, body));
            }
            let after_else = else_.as_ref().and_then(|body| {
                let start = branches.last().map_or(equation.span.start, |branch| {
                    let last = branch.body.last();
                    last.map_or(branch.condition.span.end, |it| it.span.end)
                });
                let text = file.text(db).get(start as usize..)?;
                let at = start + text.find("else")? as u32 + 4;
                branch_hint(&places, at, body)
            });
            hints.extend(after_else);
        }
        !matches!(node, Node::Annotation(_) | Node::Expr(_))
    });
    hints
}

/// Behind the condition of a branch: the index of the modes in which its equations hold.
fn branch_hint(places: &[(Span, &EquationFact)], at: u32, body: &[Equation]) -> Option<Hint> {
    let (start, end) = (body.first()?.span.start, body.last()?.span.end);
    let inside = |span: &Span| start <= span.start && span.end <= end;
    let facts = places.iter().filter(|(span, _)| inside(span));
    // Blocks inside the branch hold in fewer modes; the branch as a whole in the most.
    let (_, widest) = facts.max_by_key(|(_, it)| it.active.map_or(0, |it| it.modes))?;
    let share = widest.active.as_ref()?;
    Some(Hint {
        offset: at,
        text: index_of(share).unwrap_or_else(|| "never".to_owned()),
        more: format!("{}: `{}`", of_all(share), widest.when),
    })
}

/// One line above each model: how many modes it has, their index, and how many changes are impulsive.
pub fn lenses(session: &Session, file: SourceFile) -> Vec<Lens> {
    let db = session.db();
    let models = session.models_of(file).into_iter();
    let lens = |id: ClassId| {
        let facts = mode_facts(db, id).as_ref()?;
        Some(Lens {
            span: class_layout(db, id).to_file(class(db, id).name.span),
            class: dotted(full_name(db, id)),
            text: summary(facts),
        })
    };
    models.filter_map(lens).collect()
}

/// `4 modes, index 0–1, 2 impulsive changes`
fn summary(facts: &ModeFacts) -> String {
    let plural = |count: &str, one: &str, many: &str| match count {
        "1" => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let mut parts = vec![match facts.modes.as_deref() {
        // 2¹⁰⁰⁰ has three hundred digits.
        Some(count) if count.len() > 12 => format!("about 10^{} modes", count.len() - 1),
        Some(count) => plural(count, "mode", "modes"),
        None => "modes not counted".to_owned(),
    }];
    parts.extend(index_text(facts.index, facts.singular));
    if facts.changes.is_some_and(|changes| changes > 0) {
        parts.extend(facts.impulsive_changes.map(|count| match count {
            0 => "no impulsive changes".to_owned(),
            count => plural(&count.to_string(), "impulsive change", "impulsive changes"),
        }));
    }
    parts.join(", ")
}

/// The class that a command is about: the named one, or else the last model of the file.
pub fn commanded(session: &Session, file: SourceFile, name: Option<&str>) -> Option<ClassId> {
    match name {
        Some(name) => session.find_class(name).ok(),
        None => session.models_of(file).pop(),
    }
}

#[cfg(test)]
mod tests {
    use super::{index_text, summary};
    use modeshift_driver::ModeFacts;

    #[test]
    fn summaries_are_short_and_say_one_in_the_singular() {
        let facts = |modes: &str, index, singular, impulsive| {
            summary(&ModeFacts {
                modes: Some(modes.to_owned()),
                index,
                singular,
                changes: Some(3),
                impulsive_changes: impulsive,
                ..ModeFacts::default()
            })
        };
        assert_eq!(
            facts("4", Some((0, 1)), false, Some(2)),
            "4 modes, index 0–1, 2 impulsive changes"
        );
        assert_eq!(
            facts("1", Some((1, 1)), false, Some(1)),
            "1 mode, index 1, 1 impulsive change"
        );
        assert_eq!(facts("2", None, true, None), "2 modes, singular");
        assert_eq!(
            facts(&"9".repeat(20), None, false, None),
            "about 10^19 modes"
        );
        assert_eq!(
            index_text(Some((0, 2)), true).as_deref(),
            Some("index 0–2 or singular")
        );
    }
}
