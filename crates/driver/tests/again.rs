//! Stages that go on from the last edit come to what they come to from the start.

#[path = "common/models.rs"]
mod models;

use modeshift_base::Shared;
use modeshift_driver::{OsSystem, Session, Settings};
use modeshift_mdae::lower;
use modeshift_mdae::model::MDae;
use modeshift_mdae::shape::Shape;
use std::sync::Arc;

/// Of so many test models one is tried.
const STRIDE: usize = 7;
/// Numbers of a text that are changed, one after the other.
const NUMBERS: usize = 5;

/// The text with another digit before one of the numbers in its equations.
fn with_other_number(text: &str, which: usize) -> Option<String> {
    let from = text.find("equation")?;
    let bytes = text.as_bytes();
    let starts = (from..bytes.len()).filter(|&at| {
        let before = bytes[at - 1];
        bytes[at].is_ascii_digit() && !before.is_ascii_alphanumeric() && !b"._[".contains(&before)
    });
    let at = starts.collect::<Vec<_>>().get(which).copied()?;
    Some(format!("{}1{}", &text[..at], &text[at..]))
}

/// Whether one was made from the other by exchanging equations.
fn exchanged(a: &MDae, b: &MDae) -> bool {
    Shared::same(&a.variables, &b.variables)
        && Shared::same(&a.parameters, &b.parameters)
        && Shared::same(&a.conds, &b.conds)
}

#[test]
fn an_exchanged_equation_gives_the_model_that_is_lowered_from_the_start() {
    let paths = models::model_files();
    let (mut compared, mut exchanges) = (0, 0);
    for path in paths.iter().step_by(STRIDE) {
        let Some(text) = std::fs::read_to_string(path).ok() else {
            continue;
        };
        let dir = path.parent().expect("a file is in a directory");
        let mut session = Session::new(Arc::new(OsSystem), Settings::in_dir(dir).live());
        let mut last: Option<MDae> = None;
        let mut shape: Option<(MDae, Shape)> = None;
        let texts = (0..NUMBERS).map_while(|which| with_other_number(&text, which));
        for text in texts.chain([text.clone()]) {
            let file = session.open_text(path, &text);
            let Some(class) = session.models_of(file).first().copied() else {
                continue;
            };
            let Ok(mdae) = session.lowered(class) else {
                continue;
            };
            let whole = lower(session.without_clocks(class)).mdae;
            assert!(mdae == whole, "{}", path.display());
            assert!(
                Shape::again(&mdae, &mut shape) == Shape::of(&mdae),
                "{}",
                path.display()
            );
            compared += 1;
            exchanges += usize::from(last.as_ref().is_some_and(|it| exchanged(it, &mdae)));
            last = Some(mdae);
        }
    }
    assert!(
        compared > 100 && exchanges > 30,
        "{exchanges} of {compared}"
    );
}

const BESIDE: &str = "model Beside
  Real x(start = 1, fixed = true);
  Real y;
  Real z;
  parameter Real k = 0;
equation
  der(x) = if x > 1 then -x else -2 * x;
  y = 2 * x;
  z = k * x + 3;
end Beside;
";

/// The model before and after an edit, as the analysis sees it.
fn before_and_after(words: &str, instead: &str) -> (MDae, MDae) {
    let mut session = Session::new(Arc::new(OsSystem), Settings::in_dir("/nowhere").live());
    let mut lowered = |text: &str| {
        let file = session.open_text("Beside.mo", text);
        let class = session.models_of(file)[0];
        session.lowered(class).expect("a sound model")
    };
    let before = lowered(BESIDE);
    let edited = BESIDE.replace(words, instead);
    assert_ne!(edited, BESIDE);
    (before, lowered(&edited))
}

#[test]
fn a_plain_equation_is_exchanged_alone() {
    // Places behind a longer text move, and nothing else.
    for instead in ["y = 7 * x", "y = 123 * x", "y = sin(x) + time"] {
        let (before, after) = before_and_after("y = 2 * x", instead);
        assert!(exchanged(&before, &after), "{instead}");
        let pairs = before.equations.iter().zip(&after.equations);
        let others = pairs.filter(|(a, b)| a.rhs != b.rhs).count();
        assert_eq!(others, 1, "{instead}");
    }
}

#[test]
fn what_is_more_than_an_equation_is_lowered_from_the_start() {
    let edits = [
        ("x > 1", "x > 2"),
        ("y = 2 * x", "y = if x > 3 then x else 2"),
        ("y = 2 * x", "y = abs(x)"),
        // The parameter takes a variable out of its equation.
        ("z = k * x + 3", "z = k * y + 3"),
        ("k = 0", "k = 1"),
    ];
    for (words, instead) in edits {
        let (before, after) = before_and_after(words, instead);
        assert!(!exchanged(&before, &after), "{instead}");
    }
}
