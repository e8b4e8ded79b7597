//! What a library says about its own older versions: `annotation(conversion(from(version = "3.2.3", script = "…")))`
//! names scripts with calls such as `convertClass("Old.Name", "New.Name")`. They are read only when a name of the
//! library is not found, to say what it is called now.

use crate::scope::root_class;
use crate::uses::{arguments, string};
use crate::{ClassId, Db, class};
use modeshift_base::Name;
use std::path::PathBuf;

/// What the scripts of one library rename.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Conversions {
    /// Full names of classes, old and new.
    classes: Vec<(String, String)>,
    /// A class, and the old and the new name of one of its elements.
    elements: Vec<(String, String, String)>,
}

/// The new name of what is at a path that is not found: how many of its parts it replaces, and by what. The entry for the
/// longest beginning of the path decides. O(number of renamings).
pub fn converted_class(db: &dyn Db, path: &[Name]) -> Option<(usize, String)> {
    let known = conversions(db, root_class(db, *path.first()?)?);
    let whole: Vec<&str> = path.iter().map(|name| name.as_str()).collect();
    (2..=whole.len()).rev().find_map(|count| {
        let old = whole[..count].join(".");
        let (_, new) = known.classes.iter().find(|(from, _)| *from == old)?;
        Some((count, new.clone()))
    })
}

/// The new name of an element that a class had in an older version of its library.
pub fn converted_element(db: &dyn Db, class: &str, element: &str) -> Option<String> {
    let library = Name::new(class.split('.').next()?);
    let mut known = conversions(db, root_class(db, library)?).elements.iter();
    let found = known.find(|(of, old, _)| of == class && old == element)?;
    Some(found.2.clone())
}

#[salsa::tracked(returns(ref))]
fn conversions(db: &dyn Db, id: ClassId) -> Conversions {
    let mut found = Conversions::default();
    let Some(directory) = id.file(db).path(db).parent() else {
        return found;
    };
    let Some(conversion) = class(db, id).annotation("conversion") else {
        return found;
    };
    let from = arguments(conversion).iter().flat_map(arguments);
    let prefix = format!("modelica://{}/", id.name(db));
    for script in from.filter_map(|argument| string(argument, "script")) {
        let Some(inside) = script.strip_prefix(&prefix) else {
            continue;
        };
        let path: PathBuf = directory.join(inside);
        read(db.files().source(db, &path).text(db), &mut found);
    }
    found
}

/// Reads the calls of a script that rename something; whatever else it does is left out.
fn read(script: &str, found: &mut Conversions) {
    for call in calls(script) {
        match (call.name, &call.arguments[..]) {
            ("convertClass", [old, new]) => {
                for old in old {
                    if let [new] = &new[..] {
                        found.classes.push((old.clone(), new.clone()));
                    }
                }
            }
            ("convertElement", [classes, old, new]) => {
                rename(classes, old, new, found);
            }
            // `{"old=1"}, {"new=%old%"}`: the value goes over as it is.
            ("convertModifiers", [classes, old, new]) => {
                if let ([old], [new]) = (&old[..], &new[..])
                    && let Some((new, value)) = new.split_once('=')
                    && let old = old.split('=').next().unwrap_or_default()
                    && value.trim() == format!("%{old}%")
                {
                    rename(classes, &[old.to_owned()], &[new.trim().to_owned()], found);
                }
            }
            _ => {}
        }
    }
}

fn rename(classes: &[String], old: &[String], new: &[String], found: &mut Conversions) {
    for class in classes {
        for (old, new) in old.iter().zip(new) {
            let entry = (class.clone(), old.clone(), new.clone());
            found.elements.push(entry);
        }
    }
}

struct Call<'a> {
    name: &'a str,
    /// Each a text, or a list of texts in braces.
    arguments: Vec<Vec<String>>,
}

/// All calls of a script whose arguments are texts and lists of texts. O(length).
fn calls(script: &str) -> Vec<Call<'_>> {
    let mut found: Vec<Call<'_>> = Vec::new();
    let mut rest = script;
    let mut open = false;
    let mut braces = false;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        rest = match first {
            '/' if after.starts_with('/') => after.find('\n').map_or("", |end| &after[end..]),
            '/' if after.starts_with('*') => after.find("*/").map_or("", |end| &after[end + 2..]),
            '"' => {
                let end = after.find('"').unwrap_or(after.len());
                if let (true, Some(call)) = (open, found.last_mut())
                    && let Some(last) = call.arguments.last_mut()
                {
                    last.push(after[..end].to_owned());
                }
                after.get(end + 1..).unwrap_or("")
            }
            '(' => {
                open = !found.is_empty();
                if let Some(call) = found.last_mut() {
                    call.arguments = vec![Vec::new()];
                }
                after
            }
            ')' => {
                open = false;
                after
            }
            '{' | '}' => {
                braces = first == '{';
                after
            }
            ',' => {
                if let (true, false, Some(call)) = (open, braces, found.last_mut()) {
                    call.arguments.push(Vec::new());
                }
                after
            }
            _ if !open && first.is_ascii_alphabetic() => {
                let end = rest
                    .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
                    .unwrap_or(rest.len());
                found.push(Call {
                    name: &rest[..end],
                    arguments: Vec::new(),
                });
                &rest[end..]
            }
            _ => after,
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Conversions, read};

    #[test]
    fn renamings_are_read_and_everything_else_is_left_out() {
        let mut found = Conversions::default();
        read(
            "// comment (\"a\", \"b\")\n\
             convertClass(\"L.A\",\n  \"L.B\");\n\
             convertElement({\"L.X\", \"L.Y\"}, \"f, g\", \"h\");\n\
             convertModifiers(\"L.Z\", {\"k=1\"}, {\"gain=%k%\"});\n\
             convertModifiers(\"L.Z\", {\"m=1\"}, {\"n=2*%m%\"});\n\
             convertMessage(\"L.W\", \"gone\"); /* x(\" */ convertClass(\"L.C\"",
            &mut found,
        );
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found.classes, [pair("L.A", "L.B")]);
        let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(
            found.elements,
            [
                triple("L.X", "f, g", "h"),
                triple("L.Y", "f, g", "h"),
                triple("L.Z", "k", "gain"),
            ]
        );
    }
}
