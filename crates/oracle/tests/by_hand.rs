//! The interpreter on models whose behaviour follows from the specification with paper and pencil.

use modeshift_oracle::interpret::Segment;
use modeshift_oracle::{Doubt, Trace, flatten, interpret};

fn trace(body: &str) -> Trace {
    let text = format!("model M\n{body}\nend M;\n");
    let flat = flatten(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
    interpret(&flat, 3.0)
}

/// The value of a variable just after each instant.
fn steps(trace: &Trace, name: &str) -> Vec<(f64, f64)> {
    let index = trace
        .names
        .iter()
        .position(|n| n == name)
        .expect("a variable");
    let at = |s: &Segment| {
        (
            s.start,
            s.values[index]
                .as_ref()
                .map_or(f64::NAN, |v| v.written(0.0)),
        )
    };
    trace.segments.iter().map(at).collect()
}

#[test]
fn a_counter_counts_samples() {
    let t = trace(
        "Integer n(start = 3, fixed = true); equation when sample(0, 1) then n = pre(n) + 1; end when;",
    );
    assert_eq!(steps(&t, "n"), [(0.0, 4.0), (1.0, 5.0), (2.0, 6.0)]);
    assert_eq!(t.doubt, None);
}

#[test]
fn intermediates_are_never_stale() {
    let t = trace(
        "discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true); Real u; equation u = a; \
         when sample(0.25, 1) then a = pre(a) + 1; b = u; end when;",
    );
    assert_eq!(
        steps(&t, "b"),
        [(0.0, 0.0), (0.25, 1.0), (1.25, 2.0), (2.25, 3.0)]
    );
}

#[test]
fn hysteresis_remembers() {
    let t = trace(
        "Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true); equation \
         der(x) = if b then -1 else 1; b = x > 1 or pre(b) and x > 0.5;",
    );
    // `x > 0.5` alone changes nothing, and `x > 1` flips back at once.
    let mut changes = steps(&t, "b");
    changes.dedup_by_key(|(_, value)| *value);
    assert_eq!(
        changes,
        [(0.0, 0.0), (1.0, 1.0), (1.5, 0.0), (2.0, 1.0), (2.5, 0.0)]
    );
}

#[test]
fn an_edge_counts_once() {
    let t = trace(
        "Boolean b(start = false, fixed = true); Integer n(start = 0, fixed = true); equation \
         b = time >= 1; n = if edge(b) then pre(n) + 1 else pre(n);",
    );
    assert_eq!(steps(&t, "n"), [(0.0, 0.0), (1.0, 1.0)]);
}

#[test]
fn a_condition_that_is_true_at_the_start_does_not_fire() {
    let t = trace(
        "Integer n(start = 0, fixed = true); equation when time < 2 then n = pre(n) + 1; end when;",
    );
    assert_eq!(steps(&t, "n"), [(0.0, 0.0), (2.0, 0.0)]);
}

#[test]
fn when_initial_fires_at_the_start_only() {
    let t = trace(
        "Integer n(start = 5, fixed = true); equation when {initial(), time > 1} then n = pre(n) + 1; end when;",
    );
    assert_eq!(steps(&t, "n"), [(0.0, 6.0), (1.0, 7.0)]);
}

#[test]
fn reinit_is_seen_by_the_next_pass() {
    let t = trace(
        "Real x(start = 0, fixed = true); Boolean high(start = false, fixed = true); equation der(x) = 1; \
         high = x > 1.5; when time >= 1 then reinit(x, 2); end when;",
    );
    assert_eq!(steps(&t, "high"), [(0.0, 0.0), (1.0, 1.0)]);
    assert_eq!(steps(&t, "x"), [(0.0, 0.0), (1.0, 2.0)]);
}

#[test]
fn initial_equations_speak_of_left_limits() {
    let t = trace(
        "Boolean b; Integer n(start = 0, fixed = true); initial equation pre(b) = true; equation \
         b = time > 5; n = if change(b) then pre(n) + 1 else pre(n);",
    );
    assert_eq!(steps(&t, "n"), [(0.0, 1.0)]);
}

#[test]
fn left_limits_of_equal_variables_are_their_own_at_the_start() {
    let t = trace(
        "Boolean a(start = true, fixed = true), b(start = false, fixed = true); equation \
         when pre(b) then a = time > 5; end when; b = a;",
    );
    assert_eq!(steps(&t, "a"), [(0.0, 0.0)]);
}

#[test]
fn algorithms_begin_with_left_limits() {
    let t = trace(
        "Integer n(start = 1, fixed = true), m(start = 0, fixed = true); algorithm \
         when sample(1, 1) then n := n + 1; end when; if n > 2 then m := n; end if;",
    );
    assert_eq!(steps(&t, "m"), [(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)]);
}

#[test]
fn what_rounding_could_decide_is_left_open() {
    let t = trace("Real x(start = 0, fixed = true); equation der(x) = if x > 1 then -1 else 1;");
    assert!(matches!(t.doubt, Some(Doubt::Doubt(_))), "{:?}", t.doubt);
    assert_eq!(t.end, 1.0);
}

#[test]
fn an_event_without_end_is_noticed() {
    let t = trace("Boolean b(start = false, fixed = true); equation b = not pre(b);");
    assert_eq!(t.doubt, Some(Doubt::Endless));
}

#[test]
fn after_the_start_a_round_without_initial_comes_before_samples() {
    let t = trace(
        "Boolean b(start = true, fixed = true) = initial(); Integer n(start = 0, fixed = true); equation \
         when sample(0, 1) then n = if pre(b) then 1 else 2; end when;",
    );
    assert_eq!(steps(&t, "n")[0], (0.0, 2.0));
}

#[test]
fn a_value_that_is_computed_anew_may_differ_by_a_rounding() {
    let doubted = trace(
        "Real x(start = 0, fixed = true); discrete Real a(start = 0, fixed = true); Boolean b; equation der(x) = 0.1; \
         when sample(0.5, 1) then a = 2*x; reinit(x, 0.05); end when; b = change(a);",
    );
    assert_eq!(doubted.doubt, Some(Doubt::Doubt("change")));
    let sure = trace(
        "discrete Real a(start = 1, fixed = true); Boolean b; equation when sample(0.5, 1) then a = 1; end when; \
         b = change(a);",
    );
    assert_eq!(sure.doubt, None);
}
