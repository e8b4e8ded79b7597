//! Every kind of change in a flat model is found, and what only looks different is not.

use super::*;

const FLAT: &str = r#"function f
  input Real x;
  input Real y;
  output Real z;
algorithm
  z := x * y;
end f;

class Circuit
  parameter Real R.R(unit = "Ohm", start = 1.0) = 100.0;
  Real R.v;
  Real R.i;
  Real R.p.v;
  Real R.p.i;
  Real R.n.v;
  Real R.n.i;
  Real C.v(start = 0.5, fixed = true);
  Real q = C.v * 2.0;
  protected Real s[1];
  discrete enumeration(a, b) e(start = E.a);
  Boolean on = C.v > 1.0;
  String name = "x" + String(R.v, 0, true);
initial equation
  R.i = 0.0;
equation
  R.p.v = R.n.v;
  R.n.v = C.v;
  R.p.i + R.n.i = 0.0;
  R.i = R.p.i;
  R.v = R.R * R.i;
  der(C.v) = -(R.v / R.R + f(R.v, 1.0));
  s[1] = if on then 1.0 else -C.v;
  when on then
    e = E.b;
    reinit(C.v, -pre(C.v));
  end when;
algorithm
  name := "a";
end Circuit;
"#;

fn differences(theirs: &str, ours: &str) -> Vec<String> {
    let [theirs, ours] =
        [theirs, ours].map(|text| FlatText::read(text).expect("flat text can be read"));
    compare(&theirs, &ours)
        .iter()
        .map(Difference::label)
        .collect()
}

/// `FLAT` against itself with a change.
fn changed(from: &str, to: &str) -> Vec<String> {
    assert!(FLAT.contains(from), "{from}");
    let found = differences(FLAT, &FLAT.replace(from, to));
    let turned = differences(&FLAT.replace(from, to), FLAT);
    assert_eq!(
        found.len(),
        turned.len(),
        "the other way round as many differ"
    );
    found
}

#[test]
fn a_text_does_not_differ_from_itself() {
    assert_eq!(differences(FLAT, FLAT), [""; 0]);
}

#[test]
fn a_changed_sign_is_found() {
    assert_eq!(
        changed("R.p.i + R.n.i = 0.0", "R.p.i - R.n.i = 0.0").len(),
        2
    );
    assert_eq!(
        changed("R.v / R.R + f(R.v, 1.0)", "R.v / R.R - f(R.v, 1.0)").len(),
        2
    );
    assert_eq!(changed("else -C.v", "else C.v").len(), 2);
    assert_eq!(
        changed("reinit(C.v, -pre(C.v))", "reinit(C.v, pre(C.v))").len(),
        2
    );
}

#[test]
fn a_dropped_equation_is_found() {
    for equation in [
        "  R.p.v = R.n.v;\n",
        "  R.v = R.R * R.i;\n",
        "    e = E.b;\n",
        "  R.p.i + R.n.i = 0.0;\n",
    ] {
        assert!(!changed(equation, "").is_empty(), "{equation}");
    }
    assert_eq!(
        changed("initial equation\n  R.i = 0.0;\n", ""),
        ["initial-equation R.i = 0.0"]
    );
}

#[test]
fn a_repeated_equation_is_found() {
    assert_eq!(
        changed(
            "  R.v = R.R * R.i;\n",
            "  R.v = R.R * R.i;\n  R.i * R.R = R.v;\n"
        ),
        ["equation R.i * R.R = R.v"]
    );
    assert!(!changed("  R.n.v = C.v;\n", "  R.n.v = C.v;\n  R.p.v = C.v;\n").is_empty());
}

#[test]
fn wrong_attributes_are_found() {
    assert_eq!(
        changed("C.v(start = 0.5,", "C.v(start = 0.25,"),
        ["attribute C.v.start"]
    );
    assert_eq!(changed(", fixed = true)", ")"), ["attribute C.v.fixed"]);
    assert_eq!(
        changed("unit = \"Ohm\"", "unit = \"kOhm\""),
        ["attribute R.R.unit"]
    );
}

#[test]
fn wrong_declarations_are_found() {
    assert_eq!(changed("Real s[1]", "Integer s[1]"), ["type s[1]"]);
    assert_eq!(
        changed("enumeration(a, b)", "enumeration(b, a)"),
        ["type e"]
    );
    assert_eq!(
        changed("parameter Real R.R", "final parameter Real R.R"),
        ["prefixes R.R"]
    );
    assert_eq!(
        changed("protected Real s[1]", "Real s[1]"),
        ["prefixes s[1]"]
    );
    assert_eq!(changed("= 100.0", "= 10.0"), ["binding R.R"]);
    assert_eq!(
        changed("  Real q = ", "  Real extra;\n  Real q = "),
        ["variable extra"]
    );
    assert_eq!(changed("C.v > 1.0", "C.v >= 1.0"), ["binding on"]);
}

#[test]
fn wrong_functions_and_algorithms_are_found() {
    assert_eq!(changed("z := x * y", "z := x / y").len(), 2);
    assert_eq!(
        changed(
            "input Real x;\n  input Real y;",
            "input Real y;\n  input Real x;"
        ),
        ["signature f: inputs"]
    );
    assert_eq!(changed("name := \"a\"", "name := \"b\"").len(), 2);
    let without = FLAT
        .split_once("class")
        .map(|(_, model)| format!("class{model}"))
        .unwrap();
    assert!(differences(FLAT, &without).contains(&"class f: f".to_owned()));
}

#[test]
fn the_way_of_writing_does_not_matter() {
    let same = [
        ("100.0", "1e2"),
        ("R.v = R.R * R.i", "-(R.i * R.R) = -R.v"),
        ("R.v = R.R * R.i", "R.v - R.R * R.i = 0"),
        ("-(R.v / R.R + f(R.v, 1.0))", "-f(R.v, 1) - R.v / R.R"),
        ("C.v > 1.0", "1.0 < C.v"),
        (
            "R.p.v = R.n.v;\n  R.n.v = C.v;",
            "R.p.v = C.v;\n  C.v = R.n.v;",
        ),
        (
            "R.p.i + R.n.i = 0.0;\n  R.i = R.p.i;",
            "R.n.i = -R.i;\n  R.p.i = R.i;",
        ),
        ("Real q = C.v * 2.0;", "Real q;"),
        (
            "    e = E.b;\n    reinit(C.v, -pre(C.v));\n",
            "    reinit(C.v, -pre(C.v));\n    e = E.b;\n",
        ),
    ];
    for (from, to) in same {
        let mut other = FLAT.replace(from, to);
        if to == "Real q;" {
            other = other.replace("\nequation\n", "\nequation\n  2 * C.v = q;\n");
        }
        assert_eq!(differences(FLAT, &other), [""; 0], "{from} → {to}");
    }
}

#[test]
fn the_same_equality_twice_does_not_make_up_for_another() {
    let changed = changed(
        "R.p.i + R.n.i = 0.0;\n  R.i = R.p.i;",
        "R.n.i = -R.i;\n  R.i + R.n.i = 0;",
    );
    assert!(!changed.is_empty());
}

#[test]
fn another_name_of_an_alias_does_not_matter() {
    assert_eq!(changed("R.v = R.R * R.i", "R.v = R.R * R.p.i"), [""; 0]);
    assert_eq!(changed("R.v = R.R * R.i", "R.v = -R.R * R.n.i"), [""; 0]);
    assert_eq!(changed("R.v = R.R * R.i", "R.v = R.R * R.n.i").len(), 2);
}

#[test]
fn texts_and_matrices_do_not_commute() {
    assert_eq!(
        changed(
            "\"x\" + String(R.v, 0, true)",
            "String(R.v, 0, true) + \"x\""
        ),
        ["binding name"]
    );
    let matrices = "class M\n  Real[2, 2] A;\n  Real[2, 2] B;\n  Real[2, 2] C;\nequation\n  C = A * B;\nend M;\n";
    assert_eq!(
        differences(matrices, &matrices.replace("A * B", "B * A")).len(),
        2
    );
}

#[test]
fn iterators_may_have_any_name() {
    let text = "class M\n  Real x[1];\nequation\n  x = array(sin($i0) for $i0 in 1:1);\nend M;\n";
    assert_eq!(differences(text, &text.replace("$i0", "$i7")), [""; 0]);
    assert_eq!(differences(text, &text.replace("sin", "cos")).len(), 2);
    let shown = compare(
        &FlatText::read(text).unwrap(),
        &FlatText::read(&text.replace("sin", "cos")).unwrap(),
    );
    assert_eq!(shown[0].item, "x = array(sin($i0) for $i0 in 1:1)");
}

#[test]
fn what_only_flat_text_has_is_read() {
    let text = "function g\n  input f<function>(#Real x) => #Real f;\n  input Real a.'b c'[1,2];\nend g;\n\n\
                class M\n  Real x[1];\nequation\n  x = array({1.0, {2.0}[1]}[$i] for $i in 1:1);\nend M;\n";
    assert_eq!(differences(text, text), [""; 0]);
    assert_eq!(
        differences(text, &text.replace("#Real f", "#Integer f")),
        ["type g: f"]
    );
    assert_eq!(differences(text, &text.replace("[1,2]", "[1,3]")).len(), 2);
    assert_eq!(differences(text, &text.replace("{2.0}", "{3.0}")).len(), 2);
}

#[test]
fn what_is_no_flat_text_is_refused() {
    for text in [
        "",
        "Error: class not found",
        "class A",
        "class A equation x = ; end A;",
    ] {
        assert!(FlatText::read(text).is_err(), "{text}");
    }
}

#[test]
fn known_differences_are_explained_one_by_one() {
    let known =
        Known::read("# list\nCircuit: rounded\n  attribute C.v.start\n  prefixes R.R\nAll: any\n")
            .unwrap();
    let [theirs, ours] = [FLAT, &FLAT.replace("start = 0.5", "start = 0.25")]
        .map(|text| FlatText::read(text).unwrap());
    let found = compare(&theirs, &ours);
    let judged = known.judge("Circuit", &found);
    assert!(judged.explained);
    assert_eq!(judged.stale, ["prefixes R.R"]);
    assert!(known.judge("All", &found).explained);
    assert!(!known.judge("Other", &found).explained);
    assert_eq!(known.judge("All", &[]).stale, ["All"]);
    let ours = FlatText::read(&FLAT.replace("100.0", "1.0")).unwrap();
    assert!(!known.judge("Circuit", &compare(&theirs, &ours)).explained);
}

#[test]
fn lists_with_mistakes_are_refused() {
    assert_eq!(Known::read("Model\n").unwrap_err().line, 1);
    assert_eq!(Known::read("\n  binding x\n").unwrap_err().line, 2);
    assert_eq!(Known::read("Model:\n").unwrap_err().line, 1);
}

#[test]
fn extensions_are_told() {
    let flat = |equations: &str| {
        let text = format!(
            "class M\n  Real x;\n  Real y;\n  input Boolean g;\nequation\n{equations}end M;\n"
        );
        extensions(&FlatText::read(&text).unwrap())
    };
    assert_eq!(
        flat("  x = time;\n  when g then\n    y = pre(x);\n  end when;\n"),
        [""; 0]
    );
    assert_eq!(
        flat("  when g then\n    x + y = 0.0;\n  end when;\n"),
        ["a law in `when` that is no assignment"]
    );
    assert_eq!(flat("  x = pre(y);\n"), ["`pre` of a continuous variable"]);
}
