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
struct System {
    n_variables: usize,
    equations: Vec<(Guard, Vec<Term>)>,
    exclusive: bool,
}

const N_MODES: usize = 3;

fn literal() -> impl Strategy<Value = Option<(usize, bool)>> {
    prop_oneof![
        2 => Just(None),
        1 => (0..N_MODES, any::<bool>()).prop_map(Some),
    ]
}

fn system() -> impl Strategy<Value = System> {
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
    let mut text = String::from("model M\n");
    for mode in 0..N_MODES {
        let _ = writeln!(text, "  input Boolean g{mode};");
    }
    for variable in 0..system.n_variables {
        let _ = writeln!(text, "  Real x{variable};");
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

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
