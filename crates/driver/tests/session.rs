//! What both front ends rely on.

use modeshift_driver::{MemorySystem, Session, Settings};
use modeshift_hir::{class, enclosing, full_name};
use std::sync::Arc;

fn session(files: &[(&str, &str)]) -> (Session, Arc<MemorySystem>) {
    let system = Arc::new(MemorySystem::new());
    for (path, text) in files {
        system.write(*path, *text);
    }
    (
        Session::new(system.clone(), Settings::in_dir("/project")),
        system,
    )
}

fn codes(session: &Session) -> Vec<String> {
    let report = session.report(session.check_files());
    report
        .diagnostics
        .iter()
        .map(|it| it.code.to_string())
        .collect()
}

#[test]
fn the_last_class_of_the_last_file_is_the_default() {
    let (mut session, _) = session(&[
        ("/project/a.mo", "model A end A; model B end B;"),
        ("/project/b.mo", "model C end C; model D end D;"),
    ]);
    assert!(session.default_class().is_err());
    session.open("a.mo");
    session.open("b.mo");
    let class = session.default_class().unwrap();
    assert_eq!(class.name(session.db()), "D");
    assert_eq!(session.target(Some("A")).unwrap().name(session.db()), "A");
    let unknown = session.target(Some("Aa")).unwrap_err();
    assert_eq!(unknown.message, "there is no class `Aa`");
    assert_eq!(
        unknown.notes,
        ["there is no `Aa` in any open file or library; did you mean `A`?"]
    );
}

#[test]
fn a_file_of_a_package_brings_its_package_along() {
    let (mut session, _) = session(&[
        (
            "/project/P/package.mo",
            "package P constant Real c = 1; end P;",
        ),
        (
            "/project/P/Sub/package.mo",
            "within P; package Sub end Sub;",
        ),
        (
            "/project/P/Sub/M.mo",
            "within P.Sub; model M Real x = c; end M;",
        ),
    ]);
    session.open("P/Sub/M.mo");
    assert_eq!(codes(&session), [""; 0]);
    let m = session.default_class().unwrap();
    let name: Vec<_> = full_name(session.db(), m)
        .iter()
        .map(|it| it.as_str())
        .collect();
    assert_eq!(name, ["P", "Sub", "M"]);
    assert_eq!(session.find_class("P.Sub.M").unwrap(), m);
    let sub = enclosing(session.db(), m).unwrap();
    assert_eq!(
        enclosing(session.db(), sub),
        Some(session.find_class("P").unwrap())
    );
}

#[test]
fn diagnostics_come_sorted_with_places_in_files() {
    let text = "model A\n Real x; Real x;\nend A;\nmodel B Real y; Real y; end B;\n";
    let (mut session, _) = session(&[("/project/a.mo", text)]);
    session.open("a.mo");
    let twice = [session.check_files(), session.check_files()].concat();
    let report = session.report(twice.into_iter().rev());
    assert!(report.has_errors());
    let places: Vec<_> = report
        .diagnostics
        .iter()
        .map(|it| {
            let (file, place) = report.files.place(it.labels[0].at).unwrap();
            format!(
                "{} {}:{}:{}",
                it.code,
                file.name(),
                place.line,
                place.column
            )
        })
        .collect();
    assert_eq!(places, ["MS1002 a.mo:2:15", "MS1002 a.mo:4:22"]);
}

#[test]
fn an_edited_buffer_hides_the_file_until_it_is_closed() {
    let (mut session, system) = session(&[("/project/a.mo", "model A end A;")]);
    session.open("a.mo");
    session.open_text("a.mo", "model A Real x; Real x; end A;");
    assert_eq!(codes(&session), ["MS1002"]);
    // What happens on disk meanwhile does not count.
    system.write("/project/a.mo", "model A Real z; end A;");
    session.refresh("a.mo");
    assert_eq!(codes(&session), ["MS1002"]);
    session.open_text("a.mo", "model A Real x; end A;");
    assert_eq!(codes(&session), [""; 0]);
    session.close("a.mo");
    assert!(session.find_class("A").is_err());
    session.open("a.mo");
    let a = session.find_class("A").unwrap();
    assert_eq!(
        class(session.db(), a)
            .components()
            .next()
            .unwrap()
            .name
            .name,
        "z"
    );
}

#[test]
fn a_new_buffer_in_a_package_is_a_member_before_it_is_saved() {
    let (mut session, _) = session(&[("/project/P/package.mo", "package P end P;")]);
    session.open("P/package.mo");
    assert!(session.find_class("P.New").is_err());
    session.open_text("P/New.mo", "within P; model New end New;");
    assert!(session.find_class("P.New").is_ok());
    session.close("P/New.mo");
    assert!(session.find_class("P.New").is_err());
}

#[test]
fn a_missing_file_is_told_and_may_appear() {
    let (mut session, system) = session(&[]);
    session.open("late.mo");
    assert_eq!(codes(&session), ["MS0011"]);
    system.write("/project/late.mo", "model Late end Late;");
    session.refresh("late.mo");
    assert_eq!(codes(&session), [""; 0]);
    assert!(session.find_class("Late").is_ok());
}

#[test]
fn the_path_of_libraries_skips_what_is_not_there() {
    let joined = std::env::join_paths(["/here", "there", "/gone"]).unwrap();
    let settings = Settings::in_dir("/project")
        .library("mine")
        .modelica_path(&joined, |dir| !dir.starts_with("/gone"));
    let dirs: Vec<_> = settings
        .library_dirs
        .iter()
        .map(|dir| dir.to_str().unwrap())
        .collect();
    assert_eq!(dirs, ["/project/mine", "/here", "/project/there"]);
}
