//! Built-in functions and operators have one meaning: constants, parameters, variables, small functions (written out
//! in equations) and functions that are called give the same numbers to the last bit, and none of them makes up a
//! number where there is none.

use std::fmt::Write;
use std::process::Command;

/// What one number goes into.
const UNARY: [&str; 18] = [
    "abs", "sign", "floor", "ceil", "integer", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "exp", "log", "log10",
];
const BINARY: [&str; 6] = ["mod", "rem", "div", "atan2", "min", "max"];
const OPERATORS: [&str; 5] = ["+", "-", "*", "/", "^"];
const VALUES: [f64; 9] = [0.0, 1.0, -1.0, 0.5, -2.5, 7.0, -7.0, 1e-9, 123.456];

/// The places where an expression is evaluated, by the first letter of the variable that holds its value.
const EVALUATORS: [(&str, &str); 7] = [
    ("c", "a constant"),
    ("d", "a constant by a function"),
    ("q", "a parameter"),
    ("e", "a parameter by a function"),
    ("t", "a variable"),
    ("u", "a small function"),
    ("w", "a function"),
];

fn written(function: &str, a: &str, b: Option<&str>) -> String {
    match b {
        None => format!("{function}({a})"),
        Some(b) if OPERATORS.contains(&function) => format!("({a}) {function} ({b})"),
        Some(b) => format!("{function}({a}, {b})"),
    }
}

/// Whether Modelica defines a finite value.
fn defined(function: &str, a: f64, b: Option<f64>) -> bool {
    match (function, b) {
        ("sqrt", _) => a >= 0.0,
        ("log" | "log10", _) => a > 0.0,
        ("asin" | "acos", _) => a.abs() <= 1.0,
        ("mod" | "rem" | "div" | "/", Some(b)) => b != 0.0,
        ("atan2", Some(b)) => a != 0.0 || b != 0.0,
        ("^", Some(b)) => b.abs() < 10.0 && (a > 0.0 || b.fract() == 0.0) && (a != 0.0 || b > 0.0),
        _ => true,
    }
}

/// Functions for a function of the table: a small one, and one with a loop, which is called.
fn functions(text: &mut String, number: usize, function: &str, ty: &str, binary: bool) {
    let value = written(function, "a", binary.then_some("b"));
    let second = if binary {
        format!("input {ty} b;")
    } else {
        String::new()
    };
    let head = format!("input {ty} a; {second} output {ty} y; algorithm");
    writeln!(
        text,
        "function f{number} {head} y := {value}; end f{number};"
    )
    .unwrap();
    writeln!(
        text,
        "function g{number} {head} y := 0; for i in 1:1 loop y := {value}; end for; end g{number};"
    )
    .unwrap();
}

/// The expression in all places; `ty` is `Real` or `Integer`, `zero` something that is 0 and changes with time.
fn places(
    number: usize,
    (function, index): (&str, usize),
    (a, b): (&str, Option<&str>),
    ty: &str,
    zero: &str,
) -> [String; 7] {
    let names = (format!("a{number}"), format!("b{number}"));
    let moving = (
        format!("({} + {zero})", names.0),
        format!("({} + {zero})", names.1),
    );
    let args = |a: &str, second: &str| match b {
        Some(_) => format!("{a}, {second}"),
        None => a.to_owned(),
    };
    let on = |a: &str, second: &str| written(function, a, b.map(|_| second));
    let literal = args(a, b.unwrap_or_default());
    [
        format!(
            "constant {ty} c{number} = {};",
            on(a, b.unwrap_or_default())
        ),
        format!("constant {ty} d{number} = g{index}({literal});"),
        format!("parameter {ty} q{number} = {};", on(&names.0, &names.1)),
        format!(
            "parameter {ty} e{number} = g{index}({});",
            args(&names.0, &names.1)
        ),
        format!("{ty} t{number} = {};", on(&moving.0, &moving.1)),
        format!("{ty} u{number} = f{index}({});", args(&moving.0, &moving.1)),
        format!("{ty} w{number} = g{index}({});", args(&moving.0, &moving.1)),
    ]
}

fn arguments(number: usize, ty: &str, a: &str, b: Option<&str>) -> String {
    let second = b.map_or(String::new(), |b| {
        format!("parameter {ty} b{number} = {b};")
    });
    format!("parameter {ty} a{number} = {a}; {second}")
}

fn simulate(text: &str) -> serde_json::Value {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("M.mo"), text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_modeshift"))
        .args(["simulate", "M.mo", "--format", "json", "--intervals", "1"])
        .current_dir(dir.path())
        .env_remove("MODELICAPATH")
        .output()
        .expect("the program runs");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

const END: &str = "Real z(start = 0, fixed = true); equation der(z) = 0; \
                   annotation(experiment(StopTime = 0.1)); end M;";

#[test]
fn all_evaluators_give_the_same_numbers() {
    let table: Vec<(&str, bool)> = (UNARY.iter().map(|&name| (name, false)))
        .chain(BINARY.iter().chain(&OPERATORS).map(|&name| (name, true)))
        .collect();
    let mut text = "model M\n".to_owned();
    for (index, &(function, binary)) in table.iter().enumerate() {
        functions(&mut text, index, function, "Real", binary);
    }
    let mut cases = Vec::new();
    for (index, &(function, binary)) in table.iter().enumerate() {
        let seconds = if binary { &VALUES[..] } else { &[0.0] };
        for &a in &VALUES {
            for &b in seconds {
                let b = binary.then_some(b);
                if !defined(function, a, b) {
                    continue;
                }
                let number = cases.len();
                let (x, y) = (format!("{a:?}"), b.map(|b| format!("{b:?}")));
                writeln!(text, "{}", arguments(number, "Real", &x, y.as_deref())).unwrap();
                let args = (&*x, y.as_deref());
                for place in places(number, (function, index), args, "Real", "z") {
                    writeln!(text, "{place}").unwrap();
                }
                cases.push((function, a, b));
            }
        }
    }
    text.push_str(END);
    let document = simulate(&text);
    assert_eq!(document["completed"], true, "{}", document["diagnostics"]);
    for (number, case) in cases.iter().enumerate() {
        let value = |(letter, place): (&str, &str)| {
            let found = document["final"][format!("{letter}{number}")].as_f64();
            found.unwrap_or_else(|| panic!("{case:?}: no number for {place}"))
        };
        let wanted = value(EVALUATORS[0]);
        for evaluator in EVALUATORS {
            let found = value(evaluator);
            assert_eq!(
                (found + 0.0).to_bits(),
                (wanted + 0.0).to_bits(),
                "{case:?}: {found:?} for {}, {wanted:?} for {}",
                evaluator.1,
                EVALUATORS[0].1
            );
        }
    }
}

#[test]
fn no_evaluator_makes_up_a_number() {
    let integers = "integer(z)";
    let cases: [(&str, &str, Option<&str>, &str, &str); 12] = [
        ("mod", "7", Some("0"), "Integer", integers),
        ("div", "7", Some("0"), "Integer", integers),
        ("rem", "7", Some("0"), "Integer", integers),
        ("mod", "7.5", Some("0.0"), "Real", "z"),
        ("div", "-7.5", Some("0.0"), "Real", "z"),
        ("rem", "7.5", Some("0.0"), "Real", "z"),
        ("/", "1.0", Some("0.0"), "Real", "z"),
        ("sqrt", "(-1.0)", None, "Real", "z"),
        ("log", "0.0", None, "Real", "z"),
        ("log10", "(-2.0)", None, "Real", "z"),
        ("asin", "2.0", None, "Real", "z"),
        ("acos", "(-1.5)", None, "Real", "z"),
    ];
    for (function, a, b, ty, zero) in cases {
        for (k, (letter, place)) in EVALUATORS.into_iter().enumerate() {
            let mut text = "model M\n".to_owned();
            functions(&mut text, 0, function, ty, b.is_some());
            text.push_str(&arguments(0, ty, a, b));
            text.push_str(&places(0, (function, 0), (a, b), ty, zero)[k]);
            text.push_str(END);
            let document = simulate(&text);
            let found = document["final"][format!("{letter}0")].as_f64();
            assert!(
                found.is_none(),
                "{function}({a}, {b:?}) is {found:?} for {place}"
            );
        }
    }
}
