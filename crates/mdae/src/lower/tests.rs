//! What becomes of Modelica's ways to write modes.

use crate::model::{CareReason, EquationKind, MDae, ModeDef, Reads, VarKind};
use crate::print::{condition, definition, equation_body};
use crate::testing::{lowered, mdae};

fn modes(mdae: &MDae) -> Vec<String> {
    let mode = |mode: &crate::model::ModeVar| {
        let text = format!(
            "{} := {} ({:?})",
            mode.name,
            definition(mdae, mode),
            mode.reads
        );
        if mode.auxiliary {
            format!("({text})")
        } else {
            text
        }
    };
    mdae.modes.iter().map(mode).collect()
}

fn equations(mdae: &MDae) -> Vec<String> {
    let kind = |kind: &EquationKind| {
        if *kind == EquationKind::Long {
            "if"
        } else {
            "when"
        }
    };
    mdae.equations
        .iter()
        .map(|e| {
            format!(
                "{} {}: {}",
                kind(&e.kind),
                condition(mdae, e.guard),
                equation_body(mdae, e)
            )
        })
        .collect()
}

fn care(mdae: &MDae) -> Vec<String> {
    mdae.care
        .iter()
        .map(|fact| format!("{:?}: {}", fact.reason, condition(mdae, fact.condition)))
        .collect()
}

#[test]
fn the_branches_of_an_if_equation_are_guarded_and_an_if_expression_stays_in_one_piece() {
    let m = mdae(
        "model M input Boolean g; Real x, y, z; equation
           if g then x = 1; else x = 2; end if;
           y = if g then x else z;
           der(z) = 1;
         end M;",
    );
    insta::assert_debug_snapshot!(equations(&m));
    insta::assert_debug_snapshot!(modes(&m));
}

#[test]
fn a_relation_and_its_opposite_share_a_mode_variable() {
    let m = mdae(
        "model M Real x, y, z; equation
           der(x) = if x > 0 then y else z;
           y = if x <= 0 then 1 else 2;
           z = if 0 < x then 1 else 2;
         end M;",
    );
    insta::assert_debug_snapshot!(modes(&m));
}

#[test]
fn a_boolean_names_its_predicate_and_formulas_are_derived() {
    let m = mdae(
        "model M Real x, s; Boolean g, h, both; equation
           g = pre(s) >= 0;
           h = not g;
           both = g and x > 1;
           s = if h then x else 2;
           der(x) = if both then 1 else 0;
         end M;",
    );
    insta::assert_debug_snapshot!(modes(&m));
    assert_eq!(m.derived.len(), 2);
    assert_eq!(condition(&m, m.derived[0].value), "not g");
}

#[test]
fn thresholds_on_the_same_expression_are_ordered() {
    let m = mdae(
        "model M parameter Real high = 5; Real x, y; equation
           der(x) = if x > high then -1 elseif x > 1 then 2 else 1;
           y = if x < 1 then 1 else 2;
         end M;",
    );
    insta::assert_debug_snapshot!(care(&m));
}

#[test]
fn memory_makes_a_mode_variable_of_its_own() {
    let m = mdae(
        "model M Real x; Boolean on; equation
           on = x < 1 or pre(on) and x < 2;
           der(x) = if on then 1 else -1;
         end M;",
    );
    insta::assert_debug_snapshot!(modes(&m));
    assert!(
        m.care
            .iter()
            .any(|fact| fact.reason == CareReason::Definition)
    );
}

#[test]
fn an_enumeration_held_by_when_is_one_hot() {
    let m = mdae(
        "model M type Phase = enumeration(Idle, Run, Stop); Phase phase(start = Phase.Idle); Real x;
         equation
           when x > 1 then phase = Phase.Run; elsewhen x < -1 then phase = Phase.Stop; end when;
           der(x) = if phase == Phase.Run then -x elseif phase == Phase.Idle then 1 else 0;
         end M;",
    );
    insta::assert_debug_snapshot!(modes(&m));
    insta::assert_debug_snapshot!(care(&m));
    assert_eq!(m.updates.len(), 6);
}

#[test]
fn an_integer_with_few_values_is_a_choice_and_another_one_a_number() {
    let m = mdae(
        "model M Integer gear, count; Real x; equation
           gear = if x > 2 then 3 elseif x > 1 then 2 else 1;
           when x > 5 then count = pre(count) + 1; end when;
           der(x) = if gear == 2 then 1 elseif count > 3 then 2 else 3;
         end M;",
    );
    insta::assert_debug_snapshot!(modes(&m));
    assert_eq!(
        m.variable(m.find_variable("count").unwrap()).kind,
        VarKind::Held
    );
    assert!(m.find_variable("gear").is_none());
}

#[test]
fn a_real_assigned_in_when_is_held_unless_other_equations_determine_it() {
    let m = mdae(
        "model M Real x, v, sampled, a; Boolean g; equation
           g = pre(x) <= 0;
           der(x) = v;
           der(v) = a;
           a = -9.81 + sampled;
           when g then v = -0.5*pre(v); sampled = x; end when;
         end M;",
    );
    let kind = |name: &str| m.variable(m.find_variable(name).unwrap()).kind;
    assert_eq!(kind("sampled"), VarKind::Held);
    assert_eq!(kind("v"), VarKind::Unknown);
    assert_eq!(kind("a"), VarKind::Unknown);
}

#[test]
fn algorithms_become_equations_with_if_expressions() {
    let m = mdae(
        "model M Real x, y, z; Boolean b; algorithm
           y := x;
           if x > 1 then y := 2*y; b := true; else b := false; end if;
           for i in 1:3 loop y := y + i; end for;
         equation
           der(x) = if b then y else z;
           z = 1;
         end M;",
    );
    insta::assert_debug_snapshot!(equations(&m));
    insta::assert_debug_snapshot!(modes(&m));
}

#[test]
fn a_loop_of_unknown_length_is_a_block_with_full_incidence() {
    let m = mdae(
        "model M Real x, y; algorithm
           y := x; while y > 1 loop y := y/2; end while;
         equation der(x) = -y; end M;",
    );
    insta::assert_debug_snapshot!(equations(&m));
}

#[test]
fn parameters_in_conditions_are_folded_and_no_event_makes_no_mode() {
    let m = mdae(
        "model M parameter Boolean use = true; parameter Integer n = 2; Real x, y; equation
           if use then der(x) = 1; else der(x) = y; end if;
           y = noEvent(if x > 0 then x else -x) + (if n > 1 then x else 0);
         end M;",
    );
    assert!(m.modes.is_empty());
    insta::assert_debug_snapshot!(equations(&m));
}

#[test]
fn an_assertion_about_modes_restricts_them_and_others_make_no_modes() {
    let m = mdae(
        "model M input Boolean a, b; Real x; equation
           assert(not (a and b), \"one at a time\");
           assert(x < 100, \"too large\");
           der(x) = if a then 1 elseif b then 2 else 3;
         end M;",
    );
    assert_eq!(m.modes.len(), 2);
    insta::assert_debug_snapshot!(care(&m));
}

#[test]
fn sampling_is_an_instant_and_no_mode() {
    let m = mdae(
        "model M Real x; discrete Real u; equation
           when sample(0, 0.1) then u = -x; end when;
           der(x) = u;
         end M;",
    );
    assert!(matches!(
        m.modes.iter().next().unwrap().def,
        ModeDef::Pulse(_)
    ));
    assert_eq!(m.modes.iter().next().unwrap().reads, Reads::Input);
    insta::assert_debug_snapshot!(care(&m));
}

#[test]
fn booleans_that_define_each_other_are_reported_once() {
    let found = lowered(
        "model M Boolean a, b; Real x; equation
           a = not b; b = not a or x > 0; der(x) = if a then 1 else 2;
         end M;",
    );
    let messages: Vec<_> = found
        .diagnostics
        .iter()
        .map(|d| (d.code, &d.message))
        .collect();
    insta::assert_debug_snapshot!(messages);
}

#[test]
fn equal_booleans_take_their_value_from_the_side_that_has_one() {
    let m = mdae(
        "model M Boolean a, b, c; Real x; equation
           a = b; b = c; c = x > 0; der(x) = if a then 1 else 2;
         end M;",
    );
    assert_eq!(m.modes.len(), 1);
    assert_eq!(&*m.modes.iter().next().unwrap().name, "c");
}

#[test]
fn a_chain_of_ten_thousand_booleans_does_not_overflow_the_stack() {
    use std::fmt::Write as _;
    let mut text = String::from("model M input Boolean b0; Real x;\n");
    for i in 1..=10_000 {
        let _ = writeln!(text, "Boolean b{i};");
    }
    text.push_str("equation\n");
    for i in 1..=10_000 {
        let _ = writeln!(text, "b{i} = not b{};", i - 1);
    }
    text.push_str("der(x) = if b10000 then 1 else 2;\nend M;");
    assert_eq!(mdae(&text).modes.len(), 1);
}
