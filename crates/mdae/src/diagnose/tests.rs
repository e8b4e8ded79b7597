//! The messages, drawn as users see them.

use crate::analysis::{Analysis, Options};
use crate::diagnose::diagnostics;
use crate::testing::mdae;

/// Messages, labels with the text they point at, and notes.
fn messages(text: &str) -> String {
    use std::fmt::Write as _;
    let analysis = Analysis::new(mdae(text), &Options::default());
    let mut out = String::new();
    for diagnostic in diagnostics(&analysis) {
        let _ = writeln!(
            out,
            "{:?}[{}]: {}",
            diagnostic.severity,
            diagnostic.code.as_str(),
            diagnostic.message
        );
        for label in &diagnostic.labels {
            let source = text[label.at.span.range()]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let _ = writeln!(out, "  at {source}\n     {}", label.message);
        }
        for note in &diagnostic.notes {
            let _ = writeln!(out, "  note: {note}");
        }
    }
    out
}

macro_rules! paper {
    ($name:literal) => {
        messages(include_str!(concat!(
            "../../../../test-models/modes/",
            $name,
            ".mo"
        )))
    };
}

#[test]
fn the_clutch() {
    insta::assert_snapshot!(paper!("Clutch"));
}

#[test]
fn the_cup_and_ball() {
    insta::assert_snapshot!(paper!("CupAndBall"));
}

#[test]
fn two_diodes() {
    insta::assert_snapshot!(paper!("RLDC2"));
    insta::assert_snapshot!(paper!("RLDC2Pre"));
}

#[test]
fn the_clutch_in_other_coordinates_is_numerically_singular() {
    insta::assert_snapshot!(paper!("ClutchTransformed"));
}

#[test]
fn a_point_of_the_switching_dae() {
    insta::assert_snapshot!(paper!("RoccaStrict"));
}

#[test]
fn two_switches_in_parallel_with_a_source() {
    insta::assert_snapshot!(messages(
        "model M input Boolean a, b; Real i1, i2, u1, u2; equation
           u1 = 10; u2 = 5;
           if a then u1 = u2; else i1 = 0; end if;
           if b then i2 = i1; else i2 = 0; end if;
         end M;",
    ));
}

#[test]
fn a_branch_that_cannot_be_taken_and_modes_that_cannot_be() {
    insta::assert_snapshot!(messages(
        "model M Real x, y; equation
           der(x) = 1;
           if x > 2 then if x < 1 then y = 1; else y = 2; end if; else y = 3; end if;
         end M;",
    ));
    insta::assert_snapshot!(messages(
        "model M input Boolean a; Real x; equation
           assert(a, \"on\"); assert(not a, \"off\");
           der(x) = if a then 1 else 2;
         end M;",
    ));
}

#[test]
fn a_diode_with_resistances() {
    insta::assert_snapshot!(messages(
        "model M Real i, v, s, u(start = 1), unused; Boolean off; equation
           off = s < 0;
           v = s*(if off then 1 else 1e-5);
           i = s*(if off then 1e-5 else 1);
           sin(time) = v + u;
           der(u) = i - u;
         end M;",
    ));
}
