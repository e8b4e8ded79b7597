//! The worked examples of the papers, as hand-made systems.

use crate::testing::Text;
use crate::{Analysis, Change, Flag, Verdict, analyse};

fn impulsive(text: &Text, analysis: &Analysis) -> Vec<String> {
    analysis
        .impulsive
        .iter()
        .map(|(v, order)| format!("{}:{order}", text.name(*v)))
        .collect()
}

#[track_caller]
fn check(
    text: &Text,
    change: &Change,
    verdict: Verdict,
    jumps: &[&str],
    impulses: &[&str],
) -> Analysis {
    let analysis = analyse(change);
    assert_eq!(analysis.verdict, verdict, "{analysis:#?}");
    assert_eq!(text.names(&analysis.jumps), jumps, "jumps");
    assert_eq!(impulsive(text, &analysis), impulses, "impulsive");
    analysis
}

const SHAFTS: [&str; 2] = ["w1' = a1*w1 + b1*t1", "w2' = a2*w2 + b2*t2"];
const RELEASED: [&str; 2] = ["t1 = 0", "t2 = 0"];
const ENGAGED: [&str; 2] = ["w1 - w2 = 0", "t1 + t2 = 0"];

#[test]
fn the_clutch_jumps_when_it_engages() {
    let mut text = Text::new("a1 a2 b1 b2");
    let change = text.change(&SHAFTS, &RELEASED, &ENGAGED);
    let analysis = check(
        &text,
        &change,
        Verdict::Determined,
        &["w1", "w2"],
        &["w1':1", "t1:1", "w2':1", "t2:1"],
    );
    assert_eq!(analysis.heights, [1, 1, 1, 1]);
    let back = text.change(&SHAFTS, &ENGAGED, &RELEASED);
    check(&text, &back, Verdict::Determined, &[], &[]);
}

#[test]
fn a_torque_inside_a_function_is_rejected_and_a_cubic_one_has_order_one_third() {
    let mut text = Text::new("a1 a2 b1 b2");
    let both = ["w1' = a1*w1 + sin(t1)", "w2' = a2*w2 + b2*t2"];
    let change = text.change(&both, &RELEASED, &ENGAGED);
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::NonlinearImpulse, "{analysis:#?}");
    assert_eq!(analysis.nonlinear.len(), 1);

    let mut text = Text::new("a1 a2 b1 b2");
    let both = ["w1' = a1*w1 + b1*t1^3", "w2' = a2*w2 + b2*t2"];
    let change = text.change(&both, &RELEASED, &ENGAGED);
    check(
        &text,
        &change,
        Verdict::Determined,
        &["w1"],
        &["w1':1", "t1:1/3", "w2':1/3", "t2:1/3"],
    );
}

#[test]
fn a_nonlinear_junction_keeps_the_orders() {
    let mut text = Text::new("a1 a2 b1 b2");
    let change = text.change(&SHAFTS, &RELEASED, &["w2 = sin(w1)", "t1 + t2 = 0"]);
    let impulses = ["w1':1", "t1:1", "w2':1", "t2:1"];
    check(
        &text,
        &change,
        Verdict::Determined,
        &["w1", "w2"],
        &impulses,
    );
}

const BALL: [&str; 2] = ["x'' + l*x = 0", "y'' + l*y + g = 0"];
const FREE: [&str; 2] = ["l = 0", "s = L^2 - (x^2 + y^2)"];
const STRAIGHT: [&str; 2] = ["0 = L^2 - (x^2 + y^2)", "l + s = 0"];

#[test]
fn the_ball_keeps_its_place_and_loses_its_radial_velocity() {
    let mut text = Text::new("g L");
    let mut change = text.change(&BALL, &FREE, &STRAIGHT);
    text.crossing(&mut change, "s");
    let analysis = check(
        &text,
        &change,
        Verdict::Determined,
        &["x'", "y'"],
        &["x'':1", "l:1", "y'':1", "s:1"],
    );
    assert!(!analysis.facts.is_empty());
    let back = text.change(&BALL, &STRAIGHT, &FREE);
    check(&text, &back, Verdict::Determined, &[], &[]);
}

#[test]
fn a_rope_that_straightens_from_outside_leaves_the_velocities_open() {
    for crossing in [None, Some("s'")] {
        let mut text = Text::new("g L");
        let mut change = text.change(&BALL, &FREE, &STRAIGHT);
        if let Some(crossing) = crossing {
            text.crossing(&mut change, crossing);
        }
        let analysis = analyse(&change);
        assert_eq!(analysis.verdict, Verdict::Undetermined, "{analysis:#?}");
        assert_eq!(text.names(&analysis.determined), ["x", "y"]);
        assert_eq!(text.names(&analysis.undetermined), ["x'", "y'"]);
    }
}

const LAW: &str = "x*x' + y*y' + x~*x'~ + y~*y'~ = 0";

#[test]
fn an_elastic_impact_needs_its_law() {
    let mut text = Text::new("g L");
    let mut change = text.change(&BALL, &FREE, &FREE);
    text.crossing(&mut change, "s");
    let laws = ["0 = L^2 - (x^2 + y^2)", "l + s = 0", LAW];
    text.transient(&mut change, &BALL, &laws);
    check(
        &text,
        &change,
        Verdict::Determined,
        &["x'", "y'"],
        &["x'':1", "l:1", "y'':1", "s:1"],
    );
    text.transient(&mut change, &BALL, &laws[..2]);
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Undetermined, "{analysis:#?}");
    assert_eq!(text.names(&analysis.undetermined), ["x'", "y'"]);
}

#[test]
fn a_law_may_contradict_or_repeat_the_new_mode() {
    let mut text = Text::new("g L");
    let mut change = text.change(&BALL, &FREE, &STRAIGHT);
    text.crossing(&mut change, "s");
    let instant = [BALL[0], BALL[1], STRAIGHT[0], STRAIGHT[1]];
    text.transient(&mut change, &instant, &[LAW]);
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Inconsistent, "{analysis:#?}");

    text.transient(&mut change, &instant, &["3*x*x' + 3*y*y' = 0"]);
    let analysis = check(
        &text,
        &change,
        Verdict::Determined,
        &["x'", "y'"],
        &["x'':1", "l:1", "y'':1", "s:1"],
    );
    assert_eq!(analysis.redundant.len(), 1);
}

#[test]
fn a_reinit_replaces_continuity_of_one_state_only() {
    let mut text = Text::new("g");
    let mut change = text.change(&["h'' = -g", "z' = h"], &[], &[]);
    text.crossing(&mut change, "h");
    text.transient(&mut change, &["h'' = -g", "z' = h"], &["h' := -0.8*h'~"]);
    check(&text, &change, Verdict::Determined, &["h'"], &[]);
}

#[test]
fn trenns_linear_system_loses_one_state() {
    let mut text = Text::new("");
    text.inputs.push("u".into());
    let both = ["v1' = i", "v2' = i - vr", "i' = vr", "v1 + u = 0"];
    let mut change = text.change(&[], &[], &both);
    change.initial = true;
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Undetermined, "{analysis:#?}");
    assert_eq!(text.names(&analysis.undetermined), ["v2"]);
}

#[test]
fn mixing_torques_with_speeds_is_numerically_singular() {
    let mut text = Text::new("a");
    let both = [
        "w1' + s1' = s1 - w1 - a*(s1 + w1)",
        "w2' + s2' = s2 - w2 - a*(s2 + w2)",
    ];
    let change = text.change(
        &both,
        &["w1 - s1 = 0", "w2 - s2 = 0"],
        &["w1 + s1 = w2 + s2", "s1 + s2 - w1 - w2 = 0"],
    );
    let analysis = analyse(&change);
    assert_eq!(
        analysis.verdict,
        Verdict::NumericallySingular,
        "{analysis:#?}"
    );
}

#[test]
fn an_impulse_times_a_jumping_state_depends_on_the_scheme() {
    let mut text = Text::new("");
    let both = ["w1' = (1 + w1^2)*t1", "w2' = t2"];
    let change = text.change(&both, &RELEASED, &ENGAGED);
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Determined);
    assert!(matches!(analysis.flags[0], Flag::SchemeDependent { .. }));
}

#[test]
fn a_state_that_was_algebraic_starts_from_its_last_value() {
    // Linear and not.
    for rate in ["x' = -x", "x' = -x^3"] {
        let mut text = Text::new("");
        let change = text.change(&["y' = -y"], &["x = y"], &[rate]);
        let analysis = analyse(&change);
        assert_eq!(analysis.verdict, Verdict::Determined, "{rate}");
        assert!(analysis.jumps.is_empty(), "{rate}");
        assert!(matches!(analysis.flags[0], Flag::AlgebraicBefore { .. }));
    }
}

#[test]
fn an_impulse_is_followed_into_an_integrator_and_an_output() {
    let mut text = Text::new("a1 a2 b1 b2");
    let both = [SHAFTS[0], SHAFTS[1], "z' = t1", "o = 2*t1", "q' = o - z"];
    let change = text.change(&both, &RELEASED, &ENGAGED);
    let impulses = ["w1':1", "t1:1", "w2':1", "t2:1", "z':1", "o:1", "q':1"];
    check(
        &text,
        &change,
        Verdict::Determined,
        &["w1", "w2", "z", "q"],
        &impulses,
    );
}

const RLDC2: [&str; 7] = [
    "0 = i1 + i2 + j1 + j2",
    "u = r1*j1 + l1*j1'",
    "u = r2*j2 + l2*j2'",
    "u = u1 + v1",
    "u = u2 + v2",
    "i1 = c1*v1'",
    "i2 = c2*v2'",
];

#[test]
fn a_diode_that_starts_to_conduct_makes_no_impulse() {
    let mut text = Text::new("r1 r2 l1 l2 c1 c2");
    let mut change = text.change(&RLDC2, &["u1 = 0", "i2 = 0"], &["u1 = 0", "u2 = 0"]);
    text.crossing(&mut change, "-u2");
    check(&text, &change, Verdict::Determined, &[], &[]);
    // Without the crossing the capacitors are short-circuited against each other.
    change.crossings.clear();
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Determined, "{analysis:#?}");
    assert_eq!(text.names(&analysis.jumps), ["u", "v1", "u2", "v2"]);
}

#[test]
fn roccas_switch_jumps_with_an_impulse_in_z() {
    let mut text = Text::new("b1 b2 a11 a12");
    let both = ["x1' = 1 + b1*z", "x2' = 1 + b2*z"];
    let mut change = text.change(&both, &["x2 + x1 = 0 - 1"], &["x2 - x1 = 1"]);
    text.crossing(&mut change, "x1");
    check(
        &text,
        &change,
        Verdict::Determined,
        &["x1", "x2"],
        &["x1':1", "z:1", "x2':1"],
    );
}

fn depends_on_scheme(analysis: &Analysis) -> bool {
    let flags = analysis.flags.iter();
    flags
        .filter(|flag| matches!(flag, Flag::SchemeDependent { .. }))
        .count()
        > 0
}

#[test]
fn a_lost_state_beside_an_impulse_matters_only_if_it_moves() {
    // `x` is no state any more, but equal to `z`, which is one and stays.
    let mut text = Text::new("");
    let both = ["x = z", "z' = 1", "y' = x*u"];
    let change = text.change(&both, &["x' = w", "u = 0"], &["w = 0", "y = 2"]);
    let analysis = analyse(&change);
    assert_eq!(analysis.verdict, Verdict::Determined, "{analysis:#?}");
    assert!(!analysis.impulsive.is_empty());
    assert!(!depends_on_scheme(&analysis), "{analysis:#?}");

    let mut text = Text::new("");
    let change = text.change(&["y' = x*u"], &["x' = 1", "u = 0"], &["x = 3", "y = 2"]);
    let analysis = analyse(&change);
    assert!(depends_on_scheme(&analysis), "{analysis:#?}");
}
