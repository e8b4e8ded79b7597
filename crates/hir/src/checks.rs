//! What can be said about files and classes before anything is instantiated (MS1xxx).

use crate::library::{candidates, same_release};
use crate::near::{near_names, one_of};
use crate::package::{package_order, stored_members};
use crate::uses::{uses, version};
use crate::{
    ClassId, ClassSpan, Db, Element, OutlineClass, class, class_by_path, enclosing_of_file,
    full_name, library_class, member_names, outline, root_class, root_names,
};
use modeshift_base::{FileSpan, FxHashMap, Name, Span};
use modeshift_db::{Contents, SourceFile, Workspace, parse};
use modeshift_diag::{Code, Diagnostic};

/// Everything that is wrong with a file by itself: it cannot be read, syntax, where it is stored, names
/// declared twice. Places may be in the own text of classes, see [`crate::resolve_place`].
#[salsa::tracked(returns(ref))]
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let id = file.id(db);
    if let Some(unreadable) = unreadable(db, file) {
        return vec![unreadable];
    }
    let at = |span| FileSpan { file: id, span };
    let mut found: Vec<Diagnostic> = parse(db, file)
        .errors
        .iter()
        .map(|error| error.clone().map(at))
        .collect();
    found.extend(declared_twice_at_top(db, file));
    found.extend(wrong_within(db, file));
    found.extend(package_storage(db, file));
    for id in all_classes(db, file) {
        found.extend_from_slice(class_diagnostics(db, id));
    }
    found
}

fn unreadable(db: &dyn Db, file: SourceFile) -> Option<Diagnostic> {
    let path = file.path(db).display();
    let message = match file.contents(db) {
        Contents::Text { .. } => return None,
        Contents::Missing => format!("there is no file `{path}`"),
        Contents::Unreadable(reason) => format!("`{path}` cannot be read: {reason}"),
    };
    Some(Diagnostic::new(Code::MS0011, message))
}

/// All classes of a file, each before those nested in it.
pub fn all_classes(db: &dyn Db, file: SourceFile) -> Vec<ClassId> {
    fn visit(
        db: &dyn Db,
        file: SourceFile,
        parent: Option<ClassId>,
        classes: &[OutlineClass],
        into: &mut Vec<ClassId>,
    ) {
        let mut seen: FxHashMap<Name, u32> = FxHashMap::default();
        for class in classes {
            let nth = seen.entry(class.name).or_insert(0);
            let id = ClassId::new(db, file, parent, class.name, *nth);
            *nth += 1;
            into.push(id);
            visit(db, file, Some(id), &class.classes, into);
        }
    }
    let mut into = Vec::new();
    visit(db, file, None, &outline(db, file).classes, &mut into);
    into
}

/// What is wrong with the declarations of one class.
#[salsa::tracked(returns(ref))]
pub fn class_diagnostics(db: &dyn Db, id: ClassId) -> Vec<Diagnostic> {
    let data = class(db, id);
    let mut first: FxHashMap<Name, FileSpan> = FxHashMap::default();
    let mut found = Vec::new();
    for element in data.elements() {
        let (name, at) = match element {
            Element::Component(component) => {
                (component.name.name, ClassSpan::new(id, component.name.span))
            }
            Element::Class(nested) => (nested.name, ClassSpan::of_name(nested.id)),
            Element::Import(_) | Element::Extends(_) => continue,
        };
        let at = at.to_place();
        if let Some(&earlier) = first.get(&name) {
            found.push(declared_twice(
                name,
                &format!("class `{}`", id.name(db)),
                at,
                earlier,
            ));
        } else {
            first.insert(name, at);
        }
    }
    found.extend_from_slice(crate::rules::class_rules(db, id));
    found
}

fn declared_twice(name: Name, scope: &str, at: FileSpan, earlier: FileSpan) -> Diagnostic {
    Diagnostic::new(
        Code::MS1002,
        format!("`{name}` is declared twice in {scope}"),
    )
    .label(at, "declared again here")
    .label(earlier, "first declared here")
    .note("rename one of them, or delete the one that is not wanted")
}

/// Top-level classes of the same name, in this file or in open files before it.
fn declared_twice_at_top(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let scope = outline(db, file).within_path();
    let mut first: FxHashMap<Name, ClassId> = FxHashMap::default();
    let open = Workspace::get(db).open_files(db);
    for &other in open.iter().take_while(|&&other| other != file) {
        let outline = outline(db, other);
        if outline.within_path() == scope {
            for class in &outline.classes {
                first
                    .entry(class.name)
                    .or_insert(ClassId::new(db, other, None, class.name, 0));
            }
        }
    }
    let place = |id| ClassSpan::of_name(id).to_place();
    let mut found = Vec::new();
    for id in all_classes(db, file)
        .into_iter()
        .filter(|id| id.parent(db).is_none())
    {
        match first.get(&id.name(db)) {
            Some(&earlier) => {
                let scope = match scope {
                    [] => "the global scope".to_owned(),
                    names => format!("package `{}`", dotted(names)),
                };
                found.push(declared_twice(
                    id.name(db),
                    &scope,
                    place(id),
                    place(earlier),
                ));
            }
            None => {
                first.insert(id.name(db), id);
            }
        }
    }
    found
}

pub(crate) fn dotted(names: &[Name]) -> String {
    names
        .iter()
        .map(|name| name.as_str())
        .collect::<Vec<_>>()
        .join(".")
}

/// `within` must name the package the file is stored in, or one that exists.
fn wrong_within(db: &dyn Db, file: SourceFile) -> Option<Diagnostic> {
    let within = parse(db, file).file.within.as_ref()?;
    let at = FileSpan {
        file: file.id(db),
        span: within.path.as_ref()?.span,
    };
    let written = outline(db, file).within_path();
    let owner = enclosing_of_file(db, file);
    let actual = owner.map(|owner| full_name(db, owner)).unwrap_or_default();
    if actual == written {
        return None;
    }
    let package = dotted(written);
    let wrong = Diagnostic::new(
        Code::MS1003,
        format!("`within {package}` does not name the package that this file belongs to"),
    );
    if let Some(owner) = owner {
        let name = dotted(&actual);
        let place = ClassSpan::of_name(owner).to_place();
        let edit = modeshift_diag::Edit {
            at,
            text: name.clone(),
        };
        return Some(
            wrong
                .label(at, format!("this should be `{name}`"))
                .label(place, "the package whose directory the file is in")
                .fix(format!("write `within {name}`"), vec![edit]),
        );
    }
    Some(
        wrong
            .label(at, "there is no such package")
            .note(not_found_note(db, written))
            .note(
                "add the directory that holds the package with `--library`, or remove the clause",
            ),
    )
}

/// How far a path leads, and what might have been meant.
pub fn not_found_note(db: &dyn Db, path: &[Name]) -> String {
    let mut known = 0;
    while known < path.len() && class_by_path(db, &path[..=known]).is_some() {
        known += 1;
    }
    let Some(&missing) = path.get(known) else {
        return String::new();
    };
    let (scope, candidates) = match class_by_path(db, &path[..known]) {
        Some(scope) => (
            format!("`{}`", dotted(&path[..known])),
            member_names(db, scope),
        ),
        None => ("any open file or library".to_owned(), root_names(db)),
    };
    match near_names(missing.as_str(), candidates).as_slice() {
        [] => format!("there is no `{missing}` in {scope}"),
        near => format!(
            "there is no `{missing}` in {scope}; did you mean {}?",
            one_of(near)
        ),
    }
}

/// The diagnostic for a class that was asked for by its full name and does not exist.
pub fn unknown_class(db: &dyn Db, path: &[Name]) -> Diagnostic {
    let message = format!("there is no class `{}`", dotted(path));
    let mut diagnostic = Diagnostic::new(Code::MS1001, message).note(not_found_note(db, path));
    if let [single] = path
        && let Some(full) = elsewhere(db, *single)
    {
        diagnostic = diagnostic.note(format!("there is a class `{full}`"));
    }
    diagnostic
}

/// A class of that name nested in an open file.
fn elsewhere(db: &dyn Db, name: Name) -> Option<String> {
    let files = Workspace::get(db).open_files(db);
    let mut classes = files.iter().flat_map(|&file| all_classes(db, file));
    classes
        .find(|id| id.name(db) == name)
        .map(|id| dotted(&full_name(db, id)))
}

/// Problems of a package stored as a directory: told when its `package.mo` is checked.
fn package_storage(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let Some(package) = outline(db, file).classes.first() else {
        return Vec::new();
    };
    let id = ClassId::new(db, file, None, package.name, 0);
    let stored = stored_members(db, file);
    let mut found = Vec::new();
    let data = class(db, id);
    let name_at = ClassSpan::new(id, data.name.span).to_place();
    let mut seen: FxHashMap<Name, bool> = FxHashMap::default();
    for member in &stored {
        let name = member.name;
        let declared = data.element(name).is_some();
        if seen.insert(name, member.as_directory).is_some() || declared {
            let other = match declared {
                true => "in `package.mo`".to_owned(),
                false => format!("as `{name}/package.mo`"),
            };
            let message = format!("`{name}` is stored twice: {other} and as `{name}.mo`");
            let twice = Diagnostic::new(Code::MS1007, message);
            found.push(twice.label(name_at, "in the directory of this package"));
        }
        found.extend(wrong_class_in_file(
            db,
            file,
            member.name,
            member.as_directory,
            name_at,
        ));
    }
    let names: Vec<Name> = seen.keys().copied().collect();
    found.extend(order_problems(db, file, id, names));
    found
}

fn wrong_class_in_file(
    db: &dyn Db,
    package: SourceFile,
    name: Name,
    as_directory: bool,
    package_at: FileSpan,
) -> Option<Diagnostic> {
    let dir = package.path(db).parent()?;
    let path = match as_directory {
        true => dir.join(name.as_str()).join("package.mo"),
        false => dir.join(format!("{name}.mo")),
    };
    let member = db.files().source(db, &path);
    let classes = &outline(db, member).classes;
    if classes.iter().any(|class| class.name == name) || !parse(db, member).errors.is_empty() {
        return None;
    }
    // Told from the package: the whole path is the business of whoever shows the place.
    let shown = dir.parent().and_then(|above| path.strip_prefix(above).ok());
    let shown = shown.unwrap_or(&path).display();
    let message = format!("`{shown}` does not hold a class `{name}`");
    let wrong = Diagnostic::new(Code::MS1010, message);
    let start = Span::new(0, 0);
    Some(match classes.first() {
        Some(first) => {
            let id = ClassId::new(db, member, None, first.name, 0);
            wrong
                .label(
                    ClassSpan::of_name(id).to_place(),
                    format!("it holds `{}`", first.name),
                )
                .label(package_at, "in the directory of this package")
        }
        None => wrong
            .label(
                FileSpan {
                    file: member.id(db),
                    span: start,
                },
                "it holds no class at all",
            )
            .label(package_at, "in the directory of this package"),
    })
}

fn order_problems(
    db: &dyn Db,
    file: SourceFile,
    id: ClassId,
    mut stored: Vec<Name>,
) -> Vec<Diagnostic> {
    let Some((order, entries)) = package_order(db, file) else {
        return Vec::new();
    };
    let data = class(db, id);
    let package = id.name(db);
    let mut found = Vec::new();
    for entry in &entries {
        let known = stored.contains(&entry.name) || data.element(entry.name).is_some();
        if !known {
            let near = near_names(entry.name.as_str(), member_names(db, id));
            let message = format!(
                "`package.order` lists `{}`, which `{package}` does not have",
                entry.name
            );
            let mut wrong = Diagnostic::new(Code::MS1004, message).label(
                FileSpan {
                    file: order.id(db),
                    span: entry.span,
                },
                "there is no such class, constant or file",
            );
            if !near.is_empty() {
                wrong = wrong.note(format!("did you mean {}?", one_of(&near)));
            }
            found.push(wrong);
        }
    }
    stored.sort();
    stored.retain(|name| entries.iter().all(|entry| entry.name != *name));
    if let Some(first) = stored.first() {
        let names = one_of(&stored).replace(" or ", " and ");
        let end = order.text(db).len() as u32;
        let message = match stored.len() {
            1 => format!("`{first}` is not in the `package.order` of `{package}`"),
            count => format!("{count} classes are not in the `package.order` of `{package}`"),
        };
        found.push(
            Diagnostic::new(Code::MS1005, message)
                .label(
                    FileSpan {
                        file: order.id(db),
                        span: Span::new(end, end),
                    },
                    format!("{names} could be here"),
                )
                .note("without an entry the class comes last, in an order that tools choose"),
        );
    }
    found
}

/// What is wrong with the libraries as a whole: directories that cannot be read, and `uses` of the open
/// files that cannot be satisfied.
#[salsa::tracked(returns(ref))]
pub fn library_diagnostics(db: &dyn Db) -> Vec<Diagnostic> {
    let workspace = Workspace::get(db);
    let mut found = Vec::new();
    for dir in workspace.library_dirs(db) {
        if db.files().directory(db, dir).entries(db).is_none() {
            let message = format!("the library directory `{}` cannot be read", dir.display());
            found.push(
                Diagnostic::new(Code::MS1006, message)
                    .note("it was given with `--library` or in `MODELICAPATH`"),
            );
        }
    }
    for &file in workspace.open_files(db) {
        for class in &outline(db, file).classes {
            found.extend(uses_problems(
                db,
                ClassId::new(db, file, None, class.name, 0),
            ));
        }
    }
    found
}

fn uses_problems(db: &dyn Db, id: ClassId) -> Vec<Diagnostic> {
    let problems = uses(class(db, id)).into_iter().filter_map(|asked| {
        let library = asked.library;
        let at = ClassSpan::new(id, asked.span).to_place();
        let Some(found) = root_class(db, library) else {
            let message = format!(
                "`{}` uses the library `{library}`, which is not found",
                id.name(db)
            );
            let near = near_names(library.as_str(), root_names(db));
            let missing = Diagnostic::new(Code::MS1008, message)
                .label(at, "asked for here")
                .note("give the directory that holds it with `--library` or in `MODELICAPATH`");
            return Some(match near.as_slice() {
                [] => missing,
                near => missing.note(format!("did you mean {}?", one_of(near))),
            });
        };
        wrong_version(db, id, library, &asked.version?, found, at)
    });
    problems.collect()
}

fn wrong_version(
    db: &dyn Db,
    id: ClassId,
    library: Name,
    wanted: &str,
    found: ClassId,
    at: FileSpan,
) -> Option<Diagnostic> {
    if library_class(db, library) != Some(found) {
        return None;
    }
    let by_name = candidates(db, library)
        .into_iter()
        .find(|it| it.path == found.file(db).path(db));
    let offered = version(class(db, found)).or_else(|| by_name?.version)?;
    if same_release(&offered, wanted) {
        return None;
    }
    let message = format!(
        "`{}` asks for version {wanted} of `{library}`, but version {offered} is what was found",
        id.name(db)
    );
    Some(
        Diagnostic::new(Code::MS1009, message)
            .label(at, format!("version {wanted} asked for here"))
            .note(format!(
                "version {offered} is in `{}`",
                found.file(db).path(db).display()
            )),
    )
}
