//! Random guarded systems: what all modes at once say must be what each mode says by itself.

use super::{Analysis, Kind, Options, kind_of};
use crate::testing::mdae;
use proptest::prelude::*;
use std::fmt::Write as _;

/// One term of an equation: a variable or its derivative, under an optional condition.
#[derive(Clone, Debug)]
struct Term {
    variable: usize,
    differentiated: bool,
    condition: Option<(usize, bool)>,
}

/// A mode variable and the value it must have.
type Guard = Option<(usize, bool)>;

#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) n_variables: usize,
    equations: Vec<(Guard, Vec<Term>)>,
    exclusive: bool,
}

pub(crate) const N_MODES: usize = 3;

fn literal() -> impl Strategy<Value = Option<(usize, bool)>> {
    prop_oneof![
        2 => Just(None),
        1 => (0..N_MODES, any::<bool>()).prop_map(Some),
    ]
}

pub(crate) fn system() -> impl Strategy<Value = System> {
    (1usize..5).prop_flat_map(|n_variables| {
        let term = (0..n_variables, any::<bool>(), literal()).prop_map(
            |(variable, differentiated, condition)| Term {
                variable,
                differentiated,
                condition,
            },
        );
        let equation = (literal(), prop::collection::vec(term, 1..4));
        (prop::collection::vec(equation, 1..7), any::<bool>()).prop_map(
            move |(equations, exclusive)| System {
                n_variables,
                equations,
                exclusive,
            },
        )
    })
}

fn condition(literal: (usize, bool)) -> String {
    if literal.1 {
        format!("g{}", literal.0)
    } else {
        format!("not g{}", literal.0)
    }
}

fn text(system: &System) -> String {
    text_with(
        system,
        &[
            "input Boolean g0;",
            "input Boolean g1;",
            "input Boolean g2;",
        ]
        .map(String::from),
    )
}

/// The model with these declarations of `g0`, `g1` and `g2`.
pub(crate) fn text_with(system: &System, modes: &[String; N_MODES]) -> String {
    let mut text = String::from("model M\n");
    for variable in 0..system.n_variables {
        let _ = writeln!(text, "  Real x{variable};");
    }
    for mode in modes {
        let _ = writeln!(text, "  {mode}");
    }
    text.push_str("equation\n");
    if system.exclusive {
        text.push_str("  assert(not (g0 and g1), \"never both\");\n");
    }
    for (i, (guard, terms)) in system.equations.iter().enumerate() {
        let sum: Vec<String> = terms
            .iter()
            .enumerate()
            .map(|(k, term)| {
                let variable = if term.differentiated {
                    format!("der(x{})", term.variable)
                } else {
                    format!("x{}", term.variable)
                };
                let factor = i * 7 + k + 2;
                match term.condition {
                    Some(literal) => {
                        format!(
                            "(if {} then {factor}*{variable} else 0)",
                            condition(literal)
                        )
                    }
                    None => format!("{factor}*{variable}"),
                }
            })
            .collect();
        let equation = format!("0 = 1 + {}", sum.join(" + "));
        let _ = match guard {
            Some(literal) => writeln!(
                text,
                "  if {} then {equation}; end if;",
                condition(*literal)
            ),
            None => writeln!(text, "  {equation};"),
        };
    }
    text.push_str("end M;\n");
    text
}

#[test]
fn an_analysis_that_nobody_waits_for_is_given_up() {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    let text = include_str!("../../../../test-models/modes/RLDC2Pre.mo");
    let calls = std::cell::Cell::new(0);
    let check = || {
        calls.set(calls.get() + 1);
        if calls.get() == 100 {
            resume_unwind(Box::new("given up"));
        }
    };
    let run = || Analysis::watched(mdae(text), &Options::default(), &check);
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert_eq!(calls.get(), 100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn all_modes_at_once_agree_with_every_mode_by_itself(system in system()) {
        let text = text(&system);
        let analysis = Analysis::new(mdae(&text), &Options::default());
        let Some(classes) = &analysis.classes else {
            return Err(TestCaseError::fail("few modes, but no classes"));
        };
        let mut seen = 0u32;
        for class in &classes.classes {
            let valuations = class.valuations.as_ref().expect("few modes");
            for values in valuations {
                seen += 1;
                let mut mode = vec![false; analysis.mdae.modes.len()];
                for (var, value) in classes.modes.iter().zip(values) {
                    mode[var.index()] = *value;
                }
                let (system, structure) = analysis.mode(&mode);
                match (&class.kind, kind_of(&system, &structure)) {
                    (Kind::Regular(all), Kind::Regular(one)) => prop_assert_eq!(all, &one, "{}", text),
                    (Kind::Singular(_), Kind::Singular(_)) => {}
                    (all, one) => prop_assert!(false, "{all:?} and {one:?} in {mode:?} of\n{text}"),
                }
            }
        }
        prop_assert_eq!(analysis.mode_count.clone(), Some(seen.into()));
    }
}
