//! Names that the user may have meant.

use crate::library::root_names;
use crate::package::member_names;
use crate::{ClassId, Db, class_by_path, full_name, nested_class};
use modeshift_base::Name;
use modeshift_syntax::ast::ClassKind;
use std::collections::VecDeque;

/// At most three of `candidates` that are close to `wanted`, the closest first, ties in the order given.
/// O(number of candidates × length²).
pub fn near_names(wanted: &str, candidates: impl IntoIterator<Item = Name>) -> Vec<Name> {
    // Every other single letter is one slip away from a letter: only its other case is a hint.
    let limit = match wanted.chars().count() {
        1 => 0,
        count => (count / 3).clamp(1, 4),
    };
    let all: Vec<Name> = candidates.into_iter().collect();
    let mut found: Vec<(usize, Name)> = all
        .iter()
        .copied()
        .filter_map(|name| {
            let text = name.as_str();
            // `g` is the beginning of `g_n`; a longer word is rarely written without its end.
            let begins = wanted.len() <= 3
                && text
                    .strip_prefix(wanted)
                    .is_some_and(|rest| rest.starts_with('_'));
            let distance = if begins || text.eq_ignore_ascii_case(wanted) {
                0
            } else {
                strsim::damerau_levenshtein(wanted, text)
            };
            // `nu` is not a misspelt `mu`.
            let other_word = wanted.len() == 2 && text.len() == 2 && distance > 0;
            (distance <= limit && text != wanted && !other_word).then_some((distance, name))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    // A name that goes on where the one written ends, or ends where it goes on, if it is the only one.
    if found.is_empty() && wanted.len() >= 4 {
        let lower = wanted.to_ascii_lowercase();
        let mut longer = all.into_iter().filter(|name| {
            let text = name.as_str().to_ascii_lowercase();
            text.starts_with(&lower) || text.len() >= 4 && lower.starts_with(&text)
        });
        if let (Some(only), None) = (longer.next(), longer.next()) {
            found.push((0, only));
        }
    }
    let mut names: Vec<Name> = Vec::new();
    for (_, name) in found {
        if names.len() < 3 && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Those of [`near_names`] that are as close as the closest one: what can be offered without a better choice.
pub fn nearest_names(wanted: &str, candidates: impl IntoIterator<Item = Name>) -> Vec<Name> {
    let mut near = near_names(wanted, candidates);
    let case = |name: &Name| name.as_str().eq_ignore_ascii_case(wanted);
    let begins = |name: &Name| name.as_str().starts_with(wanted);
    if wanted.len() <= 3 && near.iter().any(begins) {
        near.retain(|name| case(name) || begins(name));
    } else {
        near.truncate(1);
    }
    near
}

/// More classes of one name tell nothing.
const MAX_FOUND: usize = 3;

/// Packages that are looked into for a name.
const MAX_SEARCHED: usize = 1500;

/// The full names of classes called `name` in open files and libraries, at most three, the least nested first. Searches
/// breadth first and gives up after a while: it is asked only for a message.
pub fn classes_named(db: &dyn Db, name: Name) -> Vec<String> {
    let roots = root_names(db)
        .into_iter()
        .filter_map(|root| Some((class_by_path(db, &[root])?, root.to_string())));
    named_below(db, name, roots.collect())
}

/// The same inside one package.
pub fn classes_named_in(db: &dyn Db, package: ClassId, name: Name) -> Vec<String> {
    let path = join(&full_name(db, package));
    let mut found = named_below(db, name, VecDeque::from([(package, path)]));
    // Models of examples are run, not used; only where nothing else has the name are they what is meant.
    let example = |path: &String| path.split('.').any(|part| part == "Examples");
    if !found.iter().all(example) {
        found.retain(|path| !example(path));
    }
    found
}

fn join(path: &[Name]) -> String {
    let parts: Vec<&str> = path.iter().map(|name| name.as_str()).collect();
    parts.join(".")
}

fn named_below(db: &dyn Db, name: Name, mut waiting: VecDeque<(ClassId, String)>) -> Vec<String> {
    let mut found = Vec::new();
    let mut searched = 0;
    while let Some((id, path)) = waiting.pop_front() {
        searched += 1;
        if searched > MAX_SEARCHED || found.len() == MAX_FOUND {
            break;
        }
        for member in member_names(db, id) {
            let Some(nested) = nested_class(db, id, member) else {
                continue;
            };
            let full = format!("{path}.{member}");
            if member == name && found.len() < MAX_FOUND {
                found.push(full.clone());
            }
            if crate::class(db, nested).kind == ClassKind::Package {
                waiting.push_back((nested, full));
            }
        }
    }
    found
}

/// The full name of a constant called `name`, or so in small letters, in a package right inside a library:
/// `Modelica.Constants.pi`.
pub fn constant_named(db: &dyn Db, name: Name) -> Option<String> {
    let small = Name::new(&name.as_str().to_lowercase());
    let exact = constant_called(db, name);
    exact.or_else(|| constant_called(db, small).filter(|_| small != name))
}

fn constant_called(db: &dyn Db, name: Name) -> Option<String> {
    use crate::Element;
    use modeshift_syntax::ast::VariabilityPrefix;
    for root in root_names(db) {
        let Some(library) = class_by_path(db, &[root]) else {
            continue;
        };
        for member in member_names(db, library) {
            let Some(package) = nested_class(db, library, member) else {
                continue;
            };
            let data = crate::class(db, package);
            let Some(Element::Component(found)) = data.element(name) else {
                continue;
            };
            let constant =
                found.clause.type_prefix.variability == Some(VariabilityPrefix::Constant);
            if data.kind == ClassKind::Package && constant {
                return Some(format!("{root}.{member}.{name}"));
            }
        }
    }
    None
}

/// "`a`", "`a` or `b`", "`a`, `b` or `c`".
pub fn one_of(names: &[Name]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{near_names, one_of};
    use modeshift_base::Name;

    #[test]
    fn the_closest_names_come_first_and_far_ones_not_at_all() {
        let names = ["Resistor", "resistor", "Capacitor", "Resisstor"].map(Name::new);
        assert_eq!(
            near_names("Resistro", names),
            [
                Name::new("Resistor"),
                Name::new("resistor"),
                Name::new("Resisstor")
            ]
        );
        assert!(near_names("x", names).is_empty());
        let letters = ["R", "L", "J"].map(Name::new);
        assert_eq!(near_names("j", letters), [Name::new("J")]);
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        let names = ["a", "b", "c"].map(Name::new);
        assert_eq!(one_of(&names), "`a`, `b` or `c`");
        assert_eq!(one_of(&names[..1]), "`a`");
    }
}
