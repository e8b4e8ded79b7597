//! What an edit makes the whole pipeline do again, and what not.

use modeshift_db::Database;
use modeshift_driver::{MemorySystem, Session, Settings};
use std::sync::Arc;

const PARTS: &str = "package Parts
  connector Pin Real v; flow Real i; end Pin;
  model Resistor \"Ohm\"
    Pin p annotation(Placement(x = 1));
    Pin n;
    parameter Real R = 1;
  equation
    p.v - n.v = R * p.i;
    p.i + n.i = 0;
  end Resistor;
  model Source Pin p; equation p.v = time; end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Unused Real z = 1; end Unused;
end Parts;
";
const USER: &str = "model User
  Parts.Resistor r(R = 2);
  Parts.Source s;
  Parts.Ground g;
  Real x = 1 + time;
equation
  connect(s.p, r.p);
  connect(r.n, g.p);
end User;
model Other Real x = 1; end Other;
";

fn session() -> Session {
    session_with(Settings::in_dir("/work").library("/lib").live())
}

fn session_with(settings: Settings) -> Session {
    let system = Arc::new(MemorySystem::new());
    system.write("/lib/Parts.mo", PARTS);
    let mut session = Session::with_database(Database::logging(system), settings);
    session.open_text("user.mo", USER);
    session
}

/// Which of the expensive stages run when everything is checked.
fn stages(session: &Session) -> Vec<String> {
    let mut log = session.db().executed(|_| session.check_all());
    let expensive = [
        "declared",
        "instance",
        "frame_instance",
        "flat",
        "class",
        "parse",
    ];
    log.retain(|name| expensive.contains(&name.as_str()));
    log
}

#[test]
fn an_edit_flattens_only_the_class_that_was_edited() {
    let mut session = session();
    assert!(session.check_all().is_empty(), "{:?}", session.check_all());
    assert_eq!(stages(&session), [""; 0], "nothing changed, nothing runs");
    session.open_text("user.mo", &USER.replace("1 + time", "2 * time"));
    // The two classes of the file are extracted from its new tree; one of them has changed.
    assert_eq!(
        stages(&session),
        [
            "parse",
            "class",
            "class",
            "declared",
            "frame_instance",
            "flat"
        ]
    );
}

#[test]
fn an_edit_of_an_equation_keeps_the_components() {
    let mut session = session();
    session.check_all();
    for equation in [
        "connect(g.p, r.n); // as before",
        "connect(r.n, g.p); x = 3;",
    ] {
        session.open_text("user.mo", &USER.replace("connect(r.n, g.p);", equation));
        let expected = ["parse", "class", "class", "frame_instance", "flat"];
        assert_eq!(stages(&session), expected, "{equation}");
    }
}

#[test]
fn without_edits_nothing_is_kept_for_them() {
    let session = session_with(Settings::in_dir("/work").library("/lib"));
    let ran = stages(&session);
    assert!(ran.contains(&"instance".to_owned()), "{ran:?}");
    assert!(!ran.contains(&"declared".to_owned()), "{ran:?}");
}

#[test]
fn an_edit_before_a_class_does_not_flatten_it() {
    let mut session = session();
    session.check_all();
    session.open_text("user.mo", &format!("// A remark\n\n{USER}"));
    assert_eq!(stages(&session), ["parse", "class", "class"]);
}

#[test]
fn a_class_added_to_a_file_does_not_flatten_the_others() {
    let mut session = session();
    session.check_all();
    session.open_text(
        "user.mo",
        &format!("{USER}model New Real y = 1; end New;\n"),
    );
    let new = [
        "parse",
        "class",
        "class",
        "class",
        "flat",
        "declared",
        "frame_instance",
    ];
    assert_eq!(stages(&session), new, "only the new class is flattened");
}

#[test]
fn graphics_do_not_flatten_anything() {
    let mut session = session();
    session.check_all();
    session.open_text("/lib/Parts.mo", PARTS);
    session.check_all();
    session.open_text("/lib/Parts.mo", &PARTS.replace("x = 1", "x = 12345"));
    let stages = stages(&session);
    let flattened = |it: &String| it.contains("instance") || it == "flat";
    assert!(!stages.iter().any(flattened), "{stages:?}");
}

#[test]
fn a_change_in_a_library_reaches_the_model() {
    let mut session = session();
    let user = session.find_class("User").unwrap();
    let before = session.flat(user).model.clone();
    session.open_text("/lib/Parts.mo", &PARTS.replace("R * p.i", "R * p.i + 1"));
    assert_ne!(session.flat(user).model, before);
    session.open_text("/lib/Parts.mo", PARTS);
    assert_eq!(session.flat(user).model, before);
    // A class that is not used is not the model's business.
    session.open_text("/lib/Parts.mo", &PARTS.replace("z = 1", "z = 2"));
    let ran = session.db().executed(|_| session.flat(user).model.clone());
    assert!(!ran.iter().any(|name| name.contains("instance")), "{ran:?}");
}

/// The incremental result is that of a fresh session, whatever the way to it.
#[test]
fn any_sequence_of_edits_ends_where_a_fresh_session_begins() {
    let mut session = session();
    let versions = [
        USER.replace("R = 2", "R = 3"),
        USER.replace("Parts.Resistor r", "Parts.Resistr r"),
        USER.replace("end User;", ""),
        USER.replace("equation", "equation r.q = 1;"),
        format!("within Nowhere;\n{USER}"),
        String::new(),
        USER.replace("model Other", "model User"),
        USER.to_owned(),
    ];
    for text in versions.iter().chain(versions.iter().rev()) {
        session.open_text("user.mo", text);
        let report = session.report(session.check_all());
        // The fresh one takes no part in what is kept for edits.
        let mut fresh = session_with(Settings::in_dir("/work").library("/lib"));
        fresh.open_text("user.mo", text);
        let expected = fresh.report(fresh.check_all());
        let brief = |report: &modeshift_driver::Report| -> Vec<String> {
            let place = |d: &modeshift_diag::Diagnostic| {
                d.labels
                    .iter()
                    .map(|label| label.at.span)
                    .collect::<Vec<_>>()
            };
            let lines = report.diagnostics.iter();
            lines
                .map(|d| format!("{} {} {:?}", d.code, d.message, place(d)))
                .collect()
        };
        assert_eq!(brief(&report), brief(&expected), "{text}");
    }
}

const CLUTCH: &str = "model Clutch
  Real w1(start = 1);
  Real w2;
  Real t1;
  Real t2;
  Real beside;
  Boolean engaged = time > 1;
equation
  beside = 1 * time;
  der(w1) = t1;
  2 * der(w2) = t2;
  if engaged then
    w1 - w2 = 0;
    t1 + t2 = 0;
  else
    t1 = 0;
    t2 = 0;
  end if;
end Clutch;
";

#[test]
fn an_edit_beside_a_mode_change_does_not_analyse_it_again() {
    let mut session = session();
    let mut parts = |text: &str| {
        session.open_text("clutch.mo", text);
        let ran = session.db().executed(|_| session.check_all());
        ran.iter().filter(|name| *name == "part_analysis").count()
    };
    let first = parts(CLUTCH);
    assert!(first > 0, "the clutch changes its mode");
    assert_eq!(parts(&CLUTCH.replace("1 * time", "2 * time")), 0);
    assert!(parts(&CLUTCH.replace("2 * der(w2)", "3 * der(w2)")) > 0);
    assert_eq!(parts(CLUTCH), 0, "what was undone is known");
}

/// Which stages run when everything is checked after `edit`, given that everything was checked before.
fn after(text: &str, edit: impl FnOnce(&str) -> String) -> Vec<String> {
    let mut session = session();
    session.open_text("edited.mo", text);
    session.check_all();
    let edited = edit(text);
    assert_ne!(edited, text, "the edit changes something");
    session.open_text("edited.mo", &edited);
    session.db().executed(|_| session.check_all())
}

fn ran(stages: &[String], stage: &str) -> usize {
    stages.iter().filter(|name| *name == stage).count()
}

#[test]
fn a_comment_or_a_blank_runs_nothing() {
    for (words, instead) in [
        ("equation", "equation // the clutch\n\n"),
        ("  der(w1) = t1;", "\n    /* why */ der(w1) =\n      t1;  "),
        ("Real w2;", "Real   w2; // slow"),
    ] {
        let stages = after(CLUTCH, |text| text.replace(words, instead));
        for stage in [
            "class_frame",
            "frame_instance",
            "instance",
            "flat",
            "mdae",
            "structured",
            "analysis",
        ] {
            assert_eq!(
                ran(&stages, stage),
                0,
                "{stage} after {instead:?}: {stages:?}"
            );
        }
        assert!(ran(&stages, "parse") > 0);
    }
}

#[test]
fn a_number_keeps_the_structure_of_all_modes() {
    let numbers = [
        ("1 * time", "27 * time"),
        ("2 * der(w2)", "3 * der(w2)"),
        ("w1(start = 1)", "w1(start = 10)"),
    ];
    for (number, another) in numbers {
        let stages = after(CLUTCH, |text| text.replace(number, another));
        assert_eq!(ran(&stages, "structured"), 0, "{another}: {stages:?}");
        assert_eq!(ran(&stages, "analysis"), 1, "{another}: {stages:?}");
    }
    let stages = after(CLUTCH, |text| text.replace("1 * time", "w1 * time"));
    assert_eq!(ran(&stages, "structured"), 1, "an unknown more: {stages:?}");
}

#[test]
fn a_number_runs_every_stage_but_those_of_components_and_structure() {
    let stages = after(CLUTCH, |text| text.replace("1 * time", "27 * time"));
    let once = [
        "typed",
        "plain",
        "flat",
        "mdae",
        "shape",
        "analysis",
        "mode_findings",
    ];
    for stage in once {
        assert_eq!(ran(&stages, stage), 1, "{stage}: {stages:?}");
    }
    let never = [
        "declared",
        "memory",
        "frame_instance",
        "instance",
        "frame",
        "structured",
        "part_analysis",
    ];
    for stage in never {
        assert_eq!(ran(&stages, stage), 0, "{stage}: {stages:?}");
    }
}

/// Components, connections, units, doubts and counts do not depend on the numbers in plain equations.
#[test]
fn a_number_in_a_plain_equation_keeps_what_does_not_look_at_numbers() {
    let stages = after(CLUTCH, |text| text.replace("2 * der(w2)", "3 * der(w2)"));
    let never = [
        "frame_instance",
        "frame",
        "outlined",
        "outlined_units",
        "outlined_doubts",
        "outlined_balance",
        "outline_is_translated",
        "worth_a_start",
        "rests_on_broken_text",
    ];
    for stage in never {
        assert_eq!(ran(&stages, stage), 0, "{stage}: {stages:?}");
    }
    assert_eq!(ran(&stages, "model_outline"), 1, "{stages:?}");
    // What is read is more than a number.
    let stages = after(CLUTCH, |text| text.replace("1 * time", "w1 * time"));
    assert_eq!(ran(&stages, "frame_instance"), 0, "{stages:?}");
    assert_eq!(ran(&stages, "outlined_doubts"), 1, "{stages:?}");
}

/// Brakes that have nothing to do with each other, and `connect` equations between some of them.
fn brakes(inertias: &[u32], connections: &str) -> String {
    let mut text = "connector Flange Real w; flow Real t; end Flange;\n".to_owned();
    let mut brakes = String::new();
    for (at, inertia) in inertias.iter().enumerate() {
        text += &format!(
            "model Brake{at}
  Flange f;
  Real w(start = 1);
  Real t;
  Boolean locked = time > {inertia};
equation
  f.t = f.w - w;
  {inertia} * der(w) = t + f.t;
  if locked then w = 0; else t = 0; end if;
end Brake{at};
"
        );
        brakes += &format!("  Brake{at} b{at};\n");
    }
    text + &format!("model Brakes\n{brakes}equation\n{connections}end Brakes;\n")
}

#[test]
fn an_edit_of_one_component_keeps_the_mode_changes_of_the_others() {
    let all = after(CLUTCH, |_| brakes(&[2, 3, 4], ""));
    let all = ran(&all, "part_analysis");
    let one = after(&brakes(&[2, 3, 4], ""), |_| brakes(&[2, 3, 5], ""));
    let one = ran(&one, "part_analysis");
    assert!(one > 0 && 3 * one == all, "{one} of {all}");
}

#[test]
fn a_new_equation_keeps_the_mode_changes_of_the_parts_it_does_not_read() {
    let all = after(CLUTCH, |_| brakes(&[2, 3, 4], ""));
    let all = ran(&all, "part_analysis");
    let more = after(&brakes(&[2, 3, 4], ""), |text| {
        let declared = text.replace("  Brake2 b2;\n", "  Brake2 b2;\n  Real more;\n");
        declared.replace("end Brakes;", "  more = 2 * b1.w;\nend Brakes;")
    });
    let more = ran(&more, "part_analysis");
    assert!(3 * more <= all, "{more} of {all}");
}

#[test]
fn a_new_connection_merges_two_parts_and_keeps_the_third() {
    let connect = "  connect(b0.f, b1.f);\n";
    let two = after(CLUTCH, |_| brakes(&[2, 3], connect));
    let merged = after(&brakes(&[2, 3, 4], ""), |_| brakes(&[2, 3, 4], connect));
    let (two, merged) = (ran(&two, "part_analysis"), ran(&merged, "part_analysis"));
    assert!(merged > 0 && merged == two, "{merged} instead of {two}");
}

/// Places count in the text of the class, and what follows the edit moves.
#[test]
fn a_longer_equation_keeps_the_mode_changes_behind_it() {
    for longer in ["27 * time", "2 * time + 123456789"] {
        let stages = after(CLUTCH, |text| text.replace("1 * time", longer));
        assert_eq!(ran(&stages, "part_analysis"), 0, "{longer}: {stages:?}");
        assert_eq!(ran(&stages, "structured"), 0, "{longer}: {stages:?}");
        assert_eq!(ran(&stages, "flat"), 1, "{longer}: {stages:?}");
    }
}

#[test]
fn a_connector_of_a_library_concerns_those_that_use_it() {
    let mut session = session();
    session.open_text("clutch.mo", CLUTCH);
    session.open_text("/lib/Parts.mo", PARTS);
    session.check_all();
    let edited = PARTS.replace("Real v;", "Real v(nominal = 2);");
    session.open_text("/lib/Parts.mo", &edited);
    let stages = session.db().executed(|_| session.check_all());
    // The user of the connector, and the three parts in the library itself that have one.
    assert_eq!(ran(&stages, "flat"), 4, "{stages:?}");
    assert_eq!(
        ran(&stages, "structured"),
        0,
        "a nominal value is no structure: {stages:?}"
    );
}
