//! The examples of the papers, and systems against enumeration.

use super::{Analysis, Kind, Options};
use crate::diagnose::watched_diagnostics;
use crate::loops::Status;
use crate::shape::Shape;
use crate::testing::mdae;
use modeshift_diag::Severity;

fn analyse(text: &str) -> Analysis {
    Analysis::new(mdae(text), &Options::default())
}

/// `(when, index, degrees of freedom, number of modes)` per class.
fn classes(analysis: &Analysis) -> Vec<String> {
    let Some(classes) = &analysis.classes else {
        return Vec::new();
    };
    let describe = |kind: &Kind| match kind {
        Kind::Regular(i) => format!("index {} dof {}", i.index, i.degrees_of_freedom),
        Kind::Singular(s) => format!(
            "over {:?}/{:?} under {:?}/{:?}",
            s.over_equations, s.over_variables, s.under_equations, s.under_variables
        ),
        Kind::Transient => "transient".to_owned(),
    };
    classes
        .classes
        .iter()
        .map(|class| {
            format!(
                "{}: {} ({})",
                class.when,
                describe(&class.kind),
                class.count
            )
        })
        .collect()
}

macro_rules! paper {
    ($name:literal) => {
        analyse(include_str!(concat!(
            "../../../../test-models/modes/",
            $name,
            ".mo"
        )))
    };
}

#[test]
fn the_index_of_the_clutch_rises_when_it_engages() {
    let clutch = paper!("Clutch");
    assert_eq!(
        classes(&clutch),
        ["not g: index 0 dof 2 (1)", "g: index 1 dof 1 (1)"]
    );
    assert!(clutch.fixpoints.is_empty());
}

#[test]
fn a_straight_rope_decided_by_what_it_determines_is_a_fixpoint() {
    let ball = paper!("CupAndBall");
    assert_eq!(ball.fixpoints.len(), 1);
    assert_eq!(ball.fixpoints[0].severity, Severity::Error);
    assert_eq!(
        &*ball.mdae.variable(ball.fixpoints[0].variables[0]).name,
        "s"
    );
    assert_eq!(ball.fixpoints[0].equations.len(), 1);
}

#[test]
fn the_left_limit_breaks_the_fixpoint() {
    let ball = paper!("CupAndBallPre");
    assert!(ball.fixpoints.is_empty());
    assert_eq!(
        classes(&ball),
        [
            "not straight: index 0 dof 4 (1)",
            "straight: index 2 dof 2 (1)"
        ]
    );
}

#[test]
fn a_mode_that_only_a_when_makes_square_is_transient() {
    let ball = paper!("CupAndBallElastic");
    assert_eq!(
        classes(&ball),
        ["not straight: index 0 dof 4 (1)", "straight: transient (1)"]
    );
    assert!(ball.fixpoints.is_empty());
}

#[test]
fn two_diodes_have_index_one_where_both_pass_or_both_block() {
    let rldc2 = paper!("RLDC2Pre");
    assert_eq!(
        classes(&rldc2),
        [
            "g1 and not g2 or not g1 and g2: index 0 dof 4 (2)",
            "g1 and g2 or not g1 and not g2: index 1 dof 3 (2)"
        ]
    );
    assert!(rldc2.fixpoints.is_empty());
    let rejected = paper!("RLDC2");
    assert!(
        rejected
            .fixpoints
            .iter()
            .all(|f| f.severity == Severity::Error)
    );
    assert!(!rejected.fixpoints.is_empty());
}

#[test]
fn the_modes_of_the_switching_dae_have_the_same_index() {
    assert_eq!(classes(&paper!("Rocca")), ["true: index 1 dof 1 (2)"]);
    assert_eq!(classes(&paper!("Pendulum")), ["true: index 2 dof 2 (1)"]);
}

#[test]
fn a_diode_with_resistances_has_one_mode_for_all_values() {
    let rectifier = analyse(
        "model M Real i, v, s, u(start = 1); Boolean off; equation
           off = s < 0;
           v = s*(if off then 1 else 1e-5);
           i = s*(if off then 1e-5 else 1);
           sin(time) = v + u;
           der(u) = i - u;
         end M;",
    );
    assert!(rectifier.fixpoints.is_empty());
    assert_eq!(rectifier.loops.len(), 1);
    assert_eq!(rectifier.loops[0].status, Status::Unique);
}

#[test]
fn what_is_not_decided_can_be_denied() {
    let cubic = analyse(
        "model M Real y, u(start = 1); equation
           der(u) = -y; y^3 + y = u + (if y > 0 then 0.5 else 0); end M;",
    );
    assert_eq!(cubic.loops[0].status, Status::Undecided);
    assert_eq!(cubic.fixpoints[0].severity, Severity::Warning);
    let options = Options {
        deny_fixpoints: true,
        ..Options::default()
    };
    let denied = Analysis::new(cubic.mdae.clone(), &options);
    assert_eq!(denied.fixpoints[0].severity, Severity::Error);
}

#[test]
fn what_always_holds_is_known_before_the_conditions() {
    // `a` follows from the state alone, so `h` is known, then `b`, then `k`.
    let accepted = analyse(
        "model M Real x, a, b, c; Boolean h, k; equation
           der(x) = -x + c;
           a = 2*x + 1;
           h = a > 1;
           b = if h then a else x;
           k = b > 2;
           c = if k then b else 0;
         end M;",
    );
    assert!(accepted.fixpoints.is_empty());
}

#[test]
fn a_when_does_not_keep_conditions_from_being_evaluated_one_after_another() {
    let accepted = analyse(
        "model M Real x, a, b, c; Boolean h, k; equation
           der(x) = -x + c;
           a = 2*x + 1;
           h = a > 1;
           b = if h then a else x;
           k = b > 2;
           c = if k then b else 0;
           when x > 3 then reinit(x, 0); end when;
         end M;",
    );
    assert!(accepted.loops.is_empty());
}

#[test]
fn a_constraint_that_always_holds_determines_by_its_derivative() {
    let accepted = analyse(
        "model M Real w1, w2, t, brake; Boolean slip; equation
           der(w1) = 1 + t; der(w2) = -t + brake; w1 = w2;
           slip = t > 1;
           brake = -w1;
           when slip then reinit(w1, 0); end when;
         end M;",
    );
    assert!(accepted.fixpoints.is_empty());
}

#[test]
fn a_mode_can_be_asked_for_by_name() {
    let rldc2 = paper!("RLDC2Pre");
    let place = |name: &str| rldc2.mdae.modes.iter().position(|mode| &*mode.name == name);
    let read = |text: &str| {
        let mode = rldc2.read_mode(text)?;
        Ok(["g1", "g2"].map(|name| place(name).map(|at| mode[at])))
    };
    let expected = |g1, g2| Ok::<_, String>([Some(g1), Some(g2)]);
    assert_eq!(read("g1=true, g2=false"), expected(true, false));
    assert_eq!(read("g2=1"), expected(false, true));
    assert!(rldc2.read_mode("g3=true").unwrap_err().contains("g1, g2"));
    assert!(rldc2.read_mode("g1=maybe").is_err());
    assert_eq!(
        super::split_items("a[1,2]=true, b=false"),
        ["a[1,2]=true", "b=false"]
    );
}

/// What an edit of numbers takes over is what would be found anew; with how many loops and blocks were looked at.
fn edited(text: &str, from: &str, to: &str) -> (usize, usize) {
    let options = Options::default();
    let told = |analysis: &Analysis| watched_diagnostics(analysis, None, &|| {});
    let first = Analysis::new(mdae(text), &options);
    told(&first);
    let shape = Shape::of(&mdae(text));
    let text = text.replace(from, to);
    let fresh = Analysis::new(mdae(&text), &options);
    assert!(Shape::of(&mdae(&text)) == shape, "{text}");
    let structured = first.structured.clone();
    let second = Analysis::of(mdae(&text), structured, &options, &|| {});
    assert_eq!(second.loops, fresh.loops, "{text}");
    assert_eq!(told(&second), told(&fresh), "{text}");
    second.looked_at()
}

const TWO_LOOPS: &str = "model M
  parameter Real R = 0.5; parameter Real k = 3;
  input Real u; Real s, x, y, v, p, q; Boolean g;
equation
  g = s > 0; (if g then 1 else R)*s = u;
  x = v - 2*y; y = if x > 1 then 1 else if x < -1 then -1 else x;
  v = k*u + 1;
  p + 2*q = 4; 3*p + 7*q = 5;
end M;";

#[test]
fn a_number_beside_a_loop_does_not_decide_it() {
    let (decided, evaluated) = edited(TWO_LOOPS, "7*q", "8*q");
    assert_eq!((decided, evaluated), (0, 1));
}

#[test]
fn a_number_in_a_loop_decides_that_loop_alone() {
    assert_eq!(edited(TWO_LOOPS, "2*y", "5*y").0, 1);
    assert_eq!(edited(TWO_LOOPS, "R = 0.5", "R = 0.25").0, 1);
    assert_eq!(
        edited(TWO_LOOPS, "2*y", "(-2)*y").0,
        1,
        "it is another verdict"
    );
    assert_eq!(
        edited(TWO_LOOPS, "R = 0.5", "R = -0.5").0,
        1,
        "it is another verdict"
    );
}

#[test]
fn what_a_loop_is_computed_from_decides_it() {
    assert_eq!(edited(TWO_LOOPS, "k = 3", "k = 4").0, 1);
    assert_eq!(edited(TWO_LOOPS, "k*u + 1", "k*u + 2").0, 1);
}

#[test]
fn a_number_that_makes_equations_dependent_is_seen() {
    let (_, evaluated) = edited(TWO_LOOPS, "7*q", "6*q");
    assert!(evaluated >= 1);
    let dependent = TWO_LOOPS.replace("7*q", "6*q");
    edited(&dependent, "6*q", "7*q");
    edited(&dependent, "k = 3", "k = 4");
}
