//! What must not be computed anew after an edit, and what must be noticed.

mod common;

use common::Fixture;
use modeshift_base::Span;
use modeshift_hir::{ClassSpan, class, file_diagnostics, outline, resolve};

const TWO: &str = "model A\n  Real x;\nequation\n  x = 1;\nend A;\n\
                   model B\n  Real y = 2;\nend B;\n";

fn opened(text: &str) -> (Fixture, modeshift_db::SourceFile) {
    let mut fixture = Fixture::new(&[("/m.mo", text)]);
    let file = fixture.open("/m.mo");
    (fixture, file)
}

#[test]
fn editing_a_body_keeps_the_outline() {
    let (mut fixture, file) = opened(TWO);
    let before = outline(&fixture.db, file).clone();
    fixture.write("/m.mo", &TWO.replace("x = 1", "x = 1 + time"));
    let ran = fixture.db.executed(|db| outline(db, file).clone());
    assert_eq!(ran, ["parse", "outline"]);
    assert_eq!(*outline(&fixture.db, file), before);
    // What stands on the outline is not looked at again.
    fixture.class("A");
    fixture.write("/m.mo", &TWO.replace("x = 1", "x = 2"));
    assert!(
        fixture
            .ran(&["open_classes"], |_| fixture.class("A"))
            .is_empty()
    );
}

#[test]
fn typing_in_one_class_leaves_other_classes_untouched() {
    let (mut fixture, _) = opened(TWO);
    let b = fixture.class("B").unwrap();
    let before = class(&fixture.db, b).clone();
    fixture.write(
        "/m.mo",
        &TWO.replace("Real x;", "Real x(start = 3) \"longer\";"),
    );
    assert_eq!(*class(&fixture.db, b), before);
    assert_eq!(fixture.class("B"), Some(b));
}

#[test]
fn typing_in_a_nested_class_leaves_the_class_around_it_untouched() {
    let text = "package P\n model A\n  Real x = 1;\n end A;\n constant Real c = 1;\nend P;\n";
    let (mut fixture, _) = opened(text);
    let p = fixture.class("P").unwrap();
    let before = class(&fixture.db, p).clone();
    fixture.write("/m.mo", &text.replace("x = 1", "x = 12345"));
    assert_eq!(*class(&fixture.db, p), before);
    let a = fixture.class("P.A").unwrap();
    assert!(format!("{:?}", class(&fixture.db, a)).contains("12345"));
}

#[test]
fn moving_an_icon_changes_no_class() {
    let text = "model A\n Real x annotation(Placement(a = 1));\n Real y;\nequation\n \
                x = y annotation(Line(points = {1}));\n y = 1;\n annotation(Icon());\nend A;\n";
    let (mut fixture, _) = opened(text);
    let a = fixture.class("A").unwrap();
    let before = class(&fixture.db, a).clone();
    fixture.write(
        "/m.mo",
        &text
            .replace("a = 1", "a = 1234")
            .replace("{1}", "{1, 2, 3}"),
    );
    assert_eq!(*class(&fixture.db, a), before);
}

#[test]
fn meaningful_annotations_are_kept() {
    let text =
        "model A\n parameter Real x = 1 annotation(Evaluate = true, Dialog(tab = 1));\nend A;";
    let (fixture, _) = opened(text);
    let data = class(&fixture.db, fixture.class("A").unwrap());
    let x = data.components().next().unwrap();
    assert!(x.annotation("Evaluate").is_some());
    assert!(x.annotation("Dialog").is_none());
}

/// Every span of a class leads back to the text it was made from.
#[test]
fn places_lead_back_to_the_text() {
    let text = "// é\npackage P\n  model A Real inA; end A; Real z1;\n  replaceable model B Real inB; end B\
                 ;\n  Real z2 annotation(D()), z3; annotation(X());\nequation z1 = 1; public Real z4; end P;";
    let (fixture, file) = opened(text);
    assert_eq!(file_diagnostics(&fixture.db, file), &[]);
    for path in ["P", "P.A", "P.B"] {
        let id = fixture.class(path).unwrap();
        let data = class(&fixture.db, id);
        let mut names = vec![(data.name.name, data.name.span)];
        names.extend(data.components().map(|it| (it.name.name, it.name.span)));
        names.extend(data.components().map(|it| {
            let path = &it.clause.type_name;
            (path.parts[0].name, path.parts[0].span)
        }));
        for (name, span) in names {
            let place = resolve(&fixture.db, ClassSpan::new(id, span));
            assert_eq!(&text[place.span.range()], name.as_str());
            let there_and_back = ClassSpan::from_place(ClassSpan::new(id, span).to_place());
            assert_eq!(there_and_back, Some(ClassSpan::new(id, span)));
        }
    }
    let p = fixture.class("P").unwrap();
    assert_eq!(
        resolve(&fixture.db, ClassSpan::new(p, Span::new(0, 7)))
            .span
            .start,
        6
    );
}

#[test]
fn a_class_added_later_is_seen() {
    let (mut fixture, _) = opened(TWO);
    assert_eq!(fixture.class("C"), None);
    fixture.write("/m.mo", &format!("{TWO}model C end C;"));
    assert!(fixture.class("C").is_some());
    assert_eq!(fixture.class("A.N"), None);
    fixture.write("/m.mo", &TWO.replace("Real x;", "Real x; model N end N;"));
    assert!(fixture.class("A.N").is_some());
    assert_eq!(fixture.class("C"), None);
}

#[test]
fn a_class_that_is_gone_is_empty_and_not_a_panic() {
    let (mut fixture, _) = opened(TWO);
    let b = fixture.class("B").unwrap();
    fixture.write("/m.mo", "model A end A;");
    assert_eq!(fixture.class("B"), None);
    assert!(class(&fixture.db, b).elements().is_empty());
}

#[test]
fn a_deleted_file_is_noticed() {
    let mut fixture =
        Fixture::new(&[("/lib/L.mo", "package L model A end A; end L;")]).libraries(&["/lib"]);
    assert!(fixture.class("L.A").is_some());
    fixture.remove("/lib/L.mo");
    assert_eq!(fixture.class("L.A"), None);
}

#[test]
fn a_file_added_later_is_noticed() {
    let mut fixture =
        Fixture::new(&[("/lib/L/package.mo", "package L end L;")]).libraries(&["/lib"]);
    assert_eq!(fixture.class("L.A"), None);
    assert_eq!(fixture.class("M"), None);
    fixture.write("/lib/L/A.mo", "within L; model A end A;");
    fixture.write("/lib/M.mo", "package M end M;");
    assert!(fixture.class("L.A").is_some());
    assert!(fixture.class("M").is_some());
    // A whole directory, too.
    assert_eq!(fixture.class("L.Sub.B"), None);
    fixture.write(
        "/lib/L/Sub/package.mo",
        "within L; package Sub model B end B; end Sub;",
    );
    assert!(fixture.class("L.Sub.B").is_some());
}

#[test]
fn a_renamed_file_is_noticed() {
    let mut fixture = Fixture::new(&[
        ("/lib/L/package.mo", "package L end L;"),
        ("/lib/L/A.mo", "within L; model A end A;"),
    ])
    .libraries(&["/lib"]);
    assert!(fixture.class("L.A").is_some());
    fixture.remove("/lib/L/A.mo");
    fixture.write("/lib/L/B.mo", "within L; model B end B;");
    assert_eq!(fixture.class("L.A"), None);
    assert!(fixture.class("L.B").is_some());
}

#[test]
fn typing_in_an_open_file_does_not_touch_libraries() {
    let mut fixture = Fixture::new(&[
        ("/lib/L/package.mo", "package L end L;"),
        ("/lib/L/A.mo", "within L; model A Real x; end A;"),
        ("/m.mo", "model M L.A a; end M;"),
    ])
    .libraries(&["/lib"]);
    fixture.open("/m.mo");
    let a = fixture.class("L.A").unwrap();
    class(&fixture.db, a);
    fixture.write("/m.mo", "model M L.A a; Real y; end M;");
    let ran = fixture
        .db
        .executed(|db| class(db, fixture.class("L.A").unwrap()).clone());
    assert_eq!(
        ran,
        ["parse", "outline"],
        "only the open file is read again"
    );
}
