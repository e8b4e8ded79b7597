//! Where classes are found.

mod common;

use common::Fixture;
use modeshift_base::Name;
use modeshift_db::{BUILTIN_ROOT, Db};
use modeshift_hir::{
    class, enclosing, file_diagnostics, full_name, library_diagnostics, member_names, named_import,
    root_names,
};

const ANALOG: &[(&str, &str)] = &[
    (
        "/msl/Modelica 4.0.0/package.mo",
        "package Modelica annotation(version = \"4.0.0\"); end Modelica;",
    ),
    (
        "/msl/Modelica 4.0.0/package.order",
        "Electrical\nBlocks\nConstants\n",
    ),
    (
        "/msl/Modelica 4.0.0/Constants.mo",
        "within Modelica; package Constants end Constants;",
    ),
    (
        "/msl/Modelica 4.0.0/Electrical/package.mo",
        "within Modelica; package Electrical end Electrical;",
    ),
    (
        "/msl/Modelica 4.0.0/Electrical/Analog.mo",
        "within Modelica.Electrical; package Analog model Resistor end Resistor; end Analog;",
    ),
    (
        "/msl/Modelica 4.0.0/Blocks/package.mo",
        "within Modelica; package Blocks end Blocks;",
    ),
    (
        "/msl/Modelica 3.2.3/package.mo",
        "package Modelica annotation(version = \"3.2.3\"); end Modelica;",
    ),
];

fn names(found: &[Name]) -> Vec<&str> {
    found.iter().map(|name| name.as_str()).collect()
}

#[test]
fn looking_up_one_library_class_reads_only_its_path() {
    let fixture = Fixture::new(&ANALOG[..6]).libraries(&["/msl"]);
    let resistor = fixture
        .class("Modelica.Electrical.Analog.Resistor")
        .unwrap();
    let files = fixture.db.files();
    let read: Vec<_> = (0..files.len() as u32)
        .filter_map(|id| files.by_id(modeshift_base::FileId(id)))
        .map(|file| file.path(&fixture.db).display().to_string())
        .collect();
    assert_eq!(
        read,
        [
            "/msl/Modelica 4.0.0/package.mo",
            "/msl/Modelica 4.0.0/Electrical/package.mo",
            "/msl/Modelica 4.0.0/Electrical/Analog.mo",
        ]
    );
    let full = full_name(&fixture.db, resistor);
    assert_eq!(
        names(&full),
        ["Modelica", "Electrical", "Analog", "Resistor"]
    );
    assert_eq!(
        enclosing(&fixture.db, resistor),
        fixture.class("Modelica.Electrical.Analog")
    );
}

#[test]
fn the_highest_version_is_taken_unless_another_is_asked_for() {
    let version = |fixture: &Fixture| {
        let modelica = fixture.class("Modelica").unwrap();
        modeshift_hir::version(class(&fixture.db, modelica))
    };
    let mut fixture = Fixture::new(ANALOG).libraries(&["/msl"]);
    assert_eq!(version(&fixture).as_deref(), Some("4.0.0"));
    fixture.write(
        "/m.mo",
        "model M annotation(uses(Modelica(version = \"3.2.3\"))); end M;",
    );
    fixture.open("/m.mo");
    assert_eq!(version(&fixture).as_deref(), Some("3.2.3"));
    assert_eq!(library_diagnostics(&fixture.db), &[]);
    fixture.write(
        "/m.mo",
        "model M annotation(uses(Modelica(version = \"2.0\"))); end M;",
    );
    assert_eq!(version(&fixture).as_deref(), Some("4.0.0"));
    let found = library_diagnostics(&fixture.db);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].message,
        "`M` asks for version 2.0 of `Modelica`, but version 4.0.0 is what was found"
    );
}

#[test]
fn what_a_library_uses_decides_too() {
    let mut fixture = Fixture::new(&[
        (
            "/lib/A 1.0/package.mo",
            "package A annotation(uses(B(version = \"1.0\"))); end A;",
        ),
        ("/lib/B 1.0.mo", "package B model Old end Old; end B;"),
        ("/lib/B 2.0.mo", "package B model New end New; end B;"),
        (
            "/m.mo",
            "model M annotation(uses(A(version = \"1.0\"))); end M;",
        ),
    ])
    .libraries(&["/lib"]);
    assert!(fixture.class("B.New").is_some());
    fixture.open("/m.mo");
    assert!(fixture.class("B.Old").is_some());
}

#[test]
fn the_built_in_library_steps_back_as_a_whole() {
    let fixture = Fixture::new(&[]);
    let builtin = fixture.class("Modelica").unwrap();
    assert!(
        builtin
            .file(&fixture.db)
            .path(&fixture.db)
            .starts_with(BUILTIN_ROOT)
    );
    assert!(fixture.class("Modelica.Units.SI").is_some());
    let fixture = Fixture::new(ANALOG).libraries(&["/msl"]);
    assert!(fixture.class("Modelica").is_some());
    assert_eq!(fixture.class("Modelica.Units.SI"), None);
}

#[test]
fn a_library_directory_may_be_the_library_itself() {
    let fixture = Fixture::new(ANALOG).libraries(&["/msl/Modelica 4.0.0"]);
    assert!(fixture.class("Modelica.Electrical.Analog").is_some());
    assert_eq!(fixture.class("Electrical"), None);
}

#[test]
fn open_files_come_first_and_may_be_within_a_library() {
    let mut fixture = Fixture::new(ANALOG).libraries(&["/msl"]);
    fixture.write(
        "/mine.mo",
        "within Modelica.Electrical; model Mine end Mine;",
    );
    fixture.open("/mine.mo");
    let mine = fixture.class("Modelica.Electrical.Mine").unwrap();
    assert_eq!(
        enclosing(&fixture.db, mine),
        fixture.class("Modelica.Electrical")
    );
    fixture.write(
        "/other.mo",
        "package Modelica model Other end Other; end Modelica;",
    );
    fixture.open("/other.mo");
    assert!(fixture.class("Modelica.Other").is_some());
}

#[test]
fn quoted_and_unicode_names_are_names() {
    let fixture = Fixture::new(&[
        (
            "/lib/'my lib'/package.mo",
            "package 'my lib' model 'a.b' end 'a.b'; end 'my lib';",
        ),
        (
            "/lib/'my lib'/'x y'.mo",
            "within 'my lib'; model 'x y' end 'x y';",
        ),
    ])
    .libraries(&["/lib"]);
    let quoted = |path: &[&str]| {
        let path: Vec<Name> = path.iter().map(|name| Name::new(name)).collect();
        modeshift_hir::class_by_path(&fixture.db, &path)
    };
    assert!(quoted(&["'my lib'", "'a.b'"]).is_some());
    assert!(quoted(&["'my lib'", "'x y'"]).is_some());
    assert!(names(&root_names(&fixture.db)).contains(&"'my lib'"));
}

#[test]
fn members_come_in_the_order_of_the_package() {
    let fixture = Fixture::new(ANALOG).libraries(&["/msl"]);
    let modelica = fixture.class("Modelica").unwrap();
    assert_eq!(
        names(&member_names(&fixture.db, modelica)),
        ["Electrical", "Blocks", "Constants"]
    );
}

#[test]
fn all_forms_of_imports_are_understood() {
    let mut fixture = Fixture::new(&[(
        "/m.mo",
        "model M import A.B.C; import D = A.X; import A.Y.{E, F}; import A.Z.*; end M;",
    )]);
    fixture.open("/m.mo");
    let data = class(&fixture.db, fixture.class("M").unwrap());
    let path = |name: &str| {
        let found = named_import(data, Name::new(name))?;
        Some(names(&found.path).join("."))
    };
    assert_eq!(path("C").as_deref(), Some("A.B.C"));
    assert_eq!(path("D").as_deref(), Some("A.X"));
    assert_eq!(path("F").as_deref(), Some("A.Y.F"));
    assert_eq!(path("X"), None);
    let all: Vec<_> = modeshift_hir::unqualified_imports(data).collect();
    assert_eq!(all.len(), 1);
    assert_eq!(names(&all[0].path), ["A", "Z"]);
}

#[test]
fn problems_of_files_and_packages_are_told() {
    let mut fixture = Fixture::new(&[
        ("/lib/P/package.mo", "package P model In end In; end P;"),
        ("/lib/P/package.order", "Ina\n\nA\n"),
        ("/lib/P/A.mo", "within Q; model A Real x; Real x; end A;"),
        ("/lib/P/B.mo", "within P; model C end C;"),
        ("/lib/P/In.mo", "within P; model In end In;"),
        ("/lone.mo", "within P.Sub; model L end L; model L end L;"),
    ])
    .libraries(&["/lib", "/nowhere"]);
    let package = fixture.open("/lib/P/package.mo");
    let a = fixture.open("/lib/P/A.mo");
    let lone = fixture.open("/lone.mo");
    let missing = fixture.open("/missing.mo");
    let mut told = Vec::new();
    for file in [package, a, lone, missing] {
        told.extend(file_diagnostics(&fixture.db, file).clone());
    }
    told.extend(library_diagnostics(&fixture.db).clone());
    let told: Vec<String> = told
        .iter()
        .map(|it| {
            format!(
                "{} {}\n    {}",
                it.code,
                it.message,
                it.notes.join("\n    ")
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn circular_within_clauses_end() {
    let mut fixture = Fixture::new(&[
        ("/lib/L.mo", "within L; package L end L;"),
        ("/lib/X.mo", "within Y.X; package X end X;"),
        ("/lib/Y.mo", "within X.Y; package Y end Y;"),
        ("/a.mo", "within B; package A end A;"),
        ("/b.mo", "within A; package B end B;"),
        ("/l.mo", "within L.L; package L end L;"),
    ])
    .libraries(&["/lib"]);
    for path in ["/a.mo", "/b.mo", "/l.mo"] {
        let file = fixture.open(path);
        file_diagnostics(&fixture.db, file);
    }
    for path in ["A.B.A", "L.L.L", "X.Y.X.Y"] {
        if let Some(class) = fixture.class(path) {
            assert!(full_name(&fixture.db, class).len() < 10, "{path}");
        }
    }
}
