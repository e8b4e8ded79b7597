//! Hints on modifiers that come with a base class: what `extends Base(k = 2)` makes of the inherited `k`.

use crate::insight::Hint;
use modeshift_db::{Db, SourceFile};
use modeshift_hir::statics::{Symbol, lookup_path, member};
use modeshift_hir::{ClassId, ClassSpan, all_classes, class, class_layout, resolve};
use modeshift_syntax::ast::{Argument, ArgumentKind, Binding};

/// Behind each `extends` clause of a file: the values that bases further up give to what it inherits, if they
/// differ from the declared ones. O(classes × their ancestors).
pub(crate) fn hints(db: &dyn Db, file: SourceFile) -> Vec<Hint> {
    all_classes(db, file)
        .into_iter()
        .flat_map(|id| of_class(db, id))
        .collect()
}

fn of_class(db: &dyn Db, id: ClassId) -> Vec<Hint> {
    let layout = class_layout(db, id);
    let hint = |extends: &modeshift_hir::Extends| {
        let names: Vec<_> = extends.base.parts.iter().map(|part| part.name).collect();
        let base = lookup_path(db, id, extends.base.global, &names)?.as_class()?;
        let inherited = inherited(db, base, &extends.modification);
        let text = inherited.first()?;
        let more = inherited.join(", ");
        let short = match inherited.len() {
            1 => format!("({text})"),
            2 | 3 => format!("({more})"),
            more => format!("({text}, and {} more)", more - 1),
        };
        Some(Hint {
            offset: layout.to_file(extends.base.span).end,
            text: short,
            more: format!("given by base classes: {more}"),
        })
    };
    class(db, id).extends().filter_map(hint).collect()
}

/// `k = 2` for everything that the bases of `base` modify and `own` does not.
fn inherited(db: &dyn Db, base: ClassId, own: &[Argument]) -> Vec<String> {
    let mut taken: Vec<String> = own.iter().filter_map(target).collect();
    let mut found = Vec::new();
    let mut waiting = vec![base];
    let mut steps = 0;
    while let Some(id) = waiting.pop().filter(|_| steps < MAX_STEPS) {
        steps += 1;
        for extends in class(db, id).extends() {
            for argument in &extends.modification {
                if let Some(target) = target(argument)
                    && let Some(value) = value(db, id, argument)
                    && !taken.contains(&target)
                {
                    found.push(format!("{target} = {value}"));
                    taken.push(target);
                }
            }
            let names: Vec<_> = extends.base.parts.iter().map(|part| part.name).collect();
            let next = lookup_path(db, id, extends.base.global, &names);
            waiting.extend(next.and_then(Symbol::as_class));
        }
    }
    found.retain(|text| {
        let name = text.split([' ', '.']).next().unwrap_or_default();
        member(db, base, modeshift_base::Name::new(name)).is_some()
    });
    found
}

/// Chains of base classes are short; wrong ones may go round.
const MAX_STEPS: usize = 100;

fn target(argument: &Argument) -> Option<String> {
    match &argument.kind {
        ArgumentKind::Modify { target, .. } => {
            let names: Vec<&str> = target.iter().map(|it| it.name.as_str()).collect();
            Some(names.join("."))
        }
        _ => None,
    }
}

/// The binding as it is written, if it is short.
fn value(db: &dyn Db, owner: ClassId, argument: &Argument) -> Option<String> {
    let ArgumentKind::Modify {
        modification: Some(modification),
        ..
    } = &argument.kind
    else {
        return None;
    };
    let Some(Binding::Expr(value)) = &modification.binding else {
        return None;
    };
    let place = resolve(db, ClassSpan::new(owner, value.span));
    let text = owner.file(db).text(db).get(place.span.range())?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text.chars().count() <= 30).then_some(text)
}
