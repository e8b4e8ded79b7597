//! Mode sets as readable formulas.

use crate::model::{MDae, ModeDef};
use crate::space::mode_id;
use modeshift_structure::{Cube, Formula, ModeSets, ModeVar, NodeLimit, formula};

/// More alternatives than this are no formula anybody reads.
const MAX_CUBES: usize = 16;

/// How a literal is written: predicates turn round instead of being negated.
pub fn literal(mdae: &MDae, var: ModeVar, value: bool) -> String {
    let mode = &mdae.modes[mode_id(var)];
    if value {
        return mode.name.to_string();
    }
    if let ModeDef::Predicate(predicate) = &mode.def {
        let text = crate::print::definition(mdae, mode);
        if *mode.name == *text {
            let negated = negation(predicate.op);
            let symbol = format!(" {} ", predicate.op.symbol());
            if let Some(at) = text.rfind(&symbol) {
                return format!("{} {negated} {}", &text[..at], &text[at + symbol.len()..]);
            }
        }
    }
    if mode.name.contains(' ') {
        format!("not ({})", mode.name)
    } else {
        format!("not {}", mode.name)
    }
}

const fn negation(op: crate::sym::RelOp) -> &'static str {
    use crate::sym::RelOp as R;
    match op {
        R::Less => ">=",
        R::LessEqual => ">",
        R::Greater => "<=",
        R::GreaterEqual => "<",
        R::Equal => "<>",
        R::NotEqual => "==",
    }
}

/// A set of modes as text, given what is possible.
pub fn when<M: ModeSets>(
    mdae: &MDae,
    sets: &M,
    set: &M::Set,
    care: &M::Set,
) -> Result<String, NodeLimit> {
    if let Some(formula) = formula(sets, set, care, MAX_CUBES)? {
        return Ok(text(mdae, &formula));
    }
    let mode = sets.pick(set).unwrap_or_default();
    let support = sets.support(set);
    let literals: Vec<String> = support
        .iter()
        .take(4)
        .map(|&var| literal(mdae, var, mode.get(var.index()) == Some(&true)))
        .collect();
    let more = if support.len() > 4 { " and …" } else { "" };
    Ok(format!(
        "{}{more} or other combinations of {} conditions",
        literals.join(" and "),
        support.len()
    ))
}

/// A formula as Modelica would write it.
pub fn text(mdae: &MDae, formula: &Formula) -> String {
    match formula {
        Formula::Sum { negated, cubes } => {
            let sum = disjunction(mdae, cubes);
            match (negated, &*sum) {
                (false, _) => sum,
                (true, "false") => "true".to_owned(),
                (true, "true") => "false".to_owned(),
                (true, _) => format!("not ({sum})"),
            }
        }
        Formula::Count { vars, counts } => {
            let names: Vec<&str> = vars
                .iter()
                .map(|&var| &*mdae.modes[mode_id(var)].name)
                .collect();
            let names = match &names[..] {
                [first, second, .., last] if names.len() > 6 => {
                    format!("{first}, {second}, …, {last}")
                }
                all => all.join(", "),
            };
            format!(
                "{} of the {} conditions {names}",
                ranges(counts),
                vars.len()
            )
        }
    }
}

/// `1, 3 to 7`
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let run = rest
            .iter()
            .enumerate()
            .take_while(|(i, n)| **n == first + i)
            .count();
        let last = rest[run - 1];
        parts.push(if run > 2 {
            format!("{first} to {last}")
        } else {
            first.to_string()
        });
        rest = if run > 2 { &rest[run..] } else { &rest[1..] };
    }
    format!("exactly {}", parts.join(" or "))
}

fn disjunction(mdae: &MDae, cubes: &[Cube]) -> String {
    if cubes.is_empty() {
        return "false".to_owned();
    }
    // What is true comes first, in the order of the mode variables.
    let mut cubes: Vec<&Cube> = cubes.iter().collect();
    cubes.sort_by_key(|cube| {
        cube.iter()
            .map(|l| (l.var, !l.positive))
            .collect::<Vec<_>>()
    });
    let text: Vec<String> = cubes
        .into_iter()
        .map(|cube| {
            if cube.is_empty() {
                return "true".to_owned();
            }
            let literals: Vec<String> = cube
                .iter()
                .map(|l| literal(mdae, l.var, l.positive))
                .collect();
            literals.join(" and ")
        })
        .collect();
    text.join(" or ")
}
