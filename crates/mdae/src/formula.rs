//! Mode sets as readable formulas.

use crate::model::{MDae, ModeDef};
use crate::space::mode_id;
use modeshift_structure::{Cube, Formula, MaxLength, ModeSets, ModeVar, NodeLimit, formula};

/// Longer than this is no formula anybody reads.
const READABLE: MaxLength = MaxLength {
    cubes: 16,
    literals: 48,
};

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
    if let Some(formula) = formula(sets, set, care, READABLE)? {
        return Ok(text(mdae, &formula));
    }
    let mode = sets.pick(set).unwrap_or_default();
    Ok(example(mdae, &sets.support(set), &mode))
}

/// Words for modes that no formula of readable length describes: the beginning of one of them.
pub fn example(mdae: &MDae, vars: &[ModeVar], mode: &[bool]) -> String {
    let literals: Vec<String> = vars
        .iter()
        .take(4)
        .map(|&var| literal(mdae, var, mode.get(var.index()) == Some(&true)))
        .collect();
    let more = if vars.len() > 4 { " and …" } else { "" };
    format!(
        "{}{more} or other combinations of {} conditions",
        literals.join(" and "),
        vars.len()
    )
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
            let how_many = how_many(counts, vars.len());
            match &names[..] {
                [first, second, .., last] if names.len() > 6 => format!(
                    "{how_many} of the {} conditions {first}, {second}, …, {last}",
                    vars.len()
                ),
                all => format!("{how_many} of ({})", all.join(", ")),
            }
        }
    }
}

/// `none`, `at least 2`, `exactly 1 or 3 to 7`
fn how_many(counts: &[usize], n: usize) -> String {
    let (Some(&first), Some(&last)) = (counts.first(), counts.last()) else {
        return "no number".to_owned();
    };
    let contiguous = counts.len() == last + 1 - first;
    match (first, last) {
        (0, 0) => "none".to_owned(),
        (first, _) if first == n => "all".to_owned(),
        (1, last) if contiguous && last == n => "at least one".to_owned(),
        (first, last) if contiguous && last == n => format!("at least {first}"),
        (0, last) if contiguous => format!("at most {last}"),
        _ => format!("exactly {}", ranges(counts)),
    }
}

/// `1 or 3 to 7`
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
    const MAX_PARTS: usize = 8;
    let left_out = parts.len().saturating_sub(MAX_PARTS);
    parts.truncate(MAX_PARTS);
    if left_out > 0 {
        parts.push("…".to_owned());
    }
    parts.join(" or ")
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
