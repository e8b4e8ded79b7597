//! A model whose components were kept is the model: whatever its equations, completing a skeleton gives what
//! instantiating gives.

#![expect(clippy::disallowed_methods, reason = "tests read their files")]

use modeshift_base::Name;
use modeshift_db::{Database, Files, MemorySystem, Workspace};
use modeshift_hir::{ClassId, all_classes, class, class_by_path};
use modeshift_inst::{Skeleton, instantiate};
use salsa::Setter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn open(db: &mut Database, text: &str) -> modeshift_db::SourceFile {
    let file = Files::overlay(db, Path::new("/test.mo"), text);
    let workspace = Workspace::get(db);
    workspace.set_open_files(db).to(vec![file]);
    file
}

fn models(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("it can be listed") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => models(&path, into),
            false if path.extension().is_some_and(|it| it == "mo") => into.push(path),
            false => {}
        }
    }
}

#[test]
fn a_completed_skeleton_is_the_instance_for_all_test_models() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-models");
    let mut files = Vec::new();
    models(&dir, &mut files);
    let mut kept = 0;
    for path in files {
        let mut db = Database::new(Arc::new(MemorySystem::new()));
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let file = open(&mut db, &text);
        for id in all_classes(&db, file) {
            let Some(skeleton) = Skeleton::new(&db, id) else {
                continue;
            };
            let Some(complete) = skeleton.complete(&db, class(&db, id)) else {
                continue;
            };
            kept += 1;
            let whole = instantiate(&db, id);
            assert_eq!(
                complete.diagnostics,
                whole.diagnostics,
                "{}",
                path.display()
            );
            assert!(complete == whole, "{}", path.display());
            let again = skeleton.complete(&db, class(&db, id));
            assert!(again == Some(whole), "again: {}", path.display());
        }
    }
    assert!(kept > 100, "only {kept} models");
}

const EDITED: &str = "model M
  Part a(k = 2);
  Part b[n];
  parameter Integer n = 2;
  Real x = pre(y) + 1;
  discrete Real y;
equation
  EQUATIONS
end M;
model Part parameter Real k = 1; Real z; equation z = k * time; end Part;
";

/// Each of these leaves something else behind: structural parameters, discrete variables, functions, mistakes.
const EQUATIONS: &[&str] = &[
    "y = 1;",
    "when time > 1 then y = 2; end when;",
    "for i in 1:n loop b[i].z = y; end for;",
    "y = b[3].z;",
    "y = sin(a.k) + a.q;",
    "y = M.f(x);",
    "if n > 1 then y = 1; else y = 2; end if;",
    "connect(a, b[1]);",
    "",
];

#[test]
fn equations_come_and_go_on_the_same_components() {
    let mut db = Database::new(Arc::new(MemorySystem::new()));
    open(&mut db, &EDITED.replace("EQUATIONS", ""));
    let model = |db: &Database| -> ClassId {
        class_by_path(db, &[Name::new("M")]).expect("it is declared")
    };
    let skeleton = Skeleton::new(&db, model(&db)).expect("a model has one");
    for equations in EQUATIONS.iter().chain(EQUATIONS.iter().rev()) {
        open(&mut db, &EDITED.replace("EQUATIONS", equations));
        // What a `when` assigns is a matter of declarations: only there the old components will not do.
        if equations.contains("when") {
            continue;
        }
        let whole = instantiate(&db, model(&db));
        let complete = skeleton.complete(&db, class(&db, model(&db)));
        assert!(complete == Some(whole), "{equations}");
    }
}

#[test]
fn classes_that_need_their_own_equations_have_no_skeleton() {
    let mut db = Database::new(Arc::new(MemorySystem::new()));
    let text = "model M N n; equation n.x = 1; end M; model N extends M; end N;
        record R Real x; end R; function f output Real y; algorithm y := 1; end f;";
    let file = open(&mut db, text);
    for class in all_classes(&db, file) {
        assert!(Skeleton::new(&db, class).is_none(), "{:?}", class.name(&db));
    }
}
