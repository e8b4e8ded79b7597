//! Short formulas for mode sets: a sum of products, or how many of some variables are true.

use super::cover::{Cube, Literal, MaxLength, irredundant_cover};
use super::{ModeSets, NodeLimit};
use crate::ModeVar;

/// Sums of products up to this cost are as easy to read as a condition on a number of variables.
const SHORT: usize = 8;

/// A readable description of a mode set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A disjunction of cubes, negated as a whole if that is shorter.
    Sum { negated: bool, cubes: Vec<Cube> },
    /// How many of the variables are true. Only where a sum of products would be longer.
    Count {
        vars: Vec<ModeVar>,
        counts: Vec<usize>,
    },
}

/// A short formula for `set`, of which only the modes in `care` matter; `None` if it would be longer than
/// `most` and is no condition on the number of true variables either.
///
/// O(products · variables) set operations for a sum, O(variables · different cofactors) steps for a count.
pub fn formula<M: ModeSets>(
    sets: &M,
    set: &M::Set,
    care: &M::Set,
    most: MaxLength,
) -> Result<Option<Formula>, NodeLimit> {
    let inside = sets.and(set, care)?;
    let outside = sets.diff(care, set)?;
    let sum = sum_of_products(sets, &inside, &outside, most)?;
    if let Some((cost, formula)) = &sum
        && *cost <= SHORT
    {
        return Ok(Some(formula.clone()));
    }
    let mut count = count_formula(sets, &inside);
    if count.is_none() && !sets.is_full(care) {
        count = count_formula(sets, &sets.not(&outside)?);
    }
    Ok(count.or(sum.map(|(_, formula)| formula)))
}

/// The shorter of the sums for what is `inside` and, negated, for what is `outside`, with its number of
/// literals.
fn sum_of_products<M: ModeSets>(
    sets: &M,
    inside: &M::Set,
    outside: &M::Set,
    most: MaxLength,
) -> Result<Option<(usize, Formula)>, NodeLimit> {
    let (not_inside, not_outside) = (sets.not(inside)?, sets.not(outside)?);
    // Where every mode matters, each variable of the support must be mentioned.
    let exact = *inside == not_outside;
    if exact && sets.support(inside).len() > most.literals {
        return Ok(None);
    }
    let cover = |lower: &M::Set, upper: &M::Set| -> Result<Option<Vec<Cube>>, NodeLimit> {
        let Some(mut cubes) = irredundant_cover(sets, lower, upper, most)? else {
            return Ok(None);
        };
        if !exact {
            cubes = positive_first(sets, cubes, lower, upper)?;
        }
        let words = |l: &Literal| (l.var, !l.positive);
        cubes.sort_by(|a, b| a.iter().map(words).cmp(b.iter().map(words)));
        Ok(Some(cubes))
    };
    let sum = |negated: bool, cubes: Vec<Cube>| {
        let literals = cubes.iter().map(Vec::len).sum::<usize>();
        (literals, Formula::Sum { negated, cubes })
    };
    let plain = cover(inside, &not_outside)?;
    let negative = cover(outside, &not_inside)?;
    let cost = |cubes: &[Cube]| cubes.iter().map(|cube| cube.len() + 1).sum::<usize>();
    Ok(match (plain, negative) {
        (Some(cubes), Some(other)) if cost(&cubes) <= cost(&other) + 1 => Some(sum(false, cubes)),
        (Some(cubes), None) => Some(sum(false, cubes)),
        (_, Some(cubes)) => Some(sum(true, cubes)),
        (None, None) => None,
    })
}

/// Where impossible modes leave a choice of words, says what is true rather than what is not: of three
/// exclusive switches, `g1` and not `not g2 and not g3`.
///
/// For each product: the literals common to everything that only it covers, of which as many as possible are
/// dropped again, the negative ones first. O(products · variables) set operations.
fn positive_first<M: ModeSets>(
    sets: &M,
    mut cubes: Vec<Cube>,
    lower: &M::Set,
    upper: &M::Set,
) -> Result<Vec<Cube>, NodeLimit> {
    let cost = |cube: &Cube| (cube.len(), cube.iter().filter(|l| !l.positive).count());
    for place in (0..cubes.len()).rev() {
        let mut alone = lower.clone();
        for (other, cube) in cubes.iter().enumerate() {
            if other != place {
                alone = sets.diff(&alone, &product(sets, cube)?)?;
            }
        }
        if sets.is_empty(&alone) {
            // The new words of another product say this, too.
            cubes.remove(place);
            continue;
        }
        let cube = reworded(sets, &alone, upper)?;
        if cost(&cube) < cost(&cubes[place]) {
            cubes[place] = cube;
        }
    }
    Ok(cubes)
}

/// A product that covers `alone` and stays within `upper`, with as few negative literals as possible.
fn reworded<M: ModeSets>(sets: &M, alone: &M::Set, upper: &M::Set) -> Result<Cube, NodeLimit> {
    let mut kept = common_literals(sets, alone)?;
    kept.sort_by_key(|l| (l.positive, std::cmp::Reverse(l.var)));
    // What the literals still to be tried allow together, from the back: dropping one costs two operations.
    let mut rest = vec![sets.full()];
    for l in kept.iter().rev() {
        let last = &rest[rest.len() - 1];
        rest.push(sets.and(&sets.literal(l.var, l.positive)?, last)?);
    }
    let mut chosen = sets.full();
    let mut cube = Cube::new();
    for (i, l) in kept.iter().enumerate() {
        let without = sets.and(&chosen, &rest[kept.len() - 1 - i])?;
        if !sets.is_subset(&without, upper)? {
            chosen = sets.and(&chosen, &sets.literal(l.var, l.positive)?)?;
            cube.push(*l);
        }
    }
    cube.sort_unstable();
    Ok(cube)
}

/// The set of the modes in which all literals hold.
fn product<M: ModeSets>(sets: &M, cube: &[Literal]) -> Result<M::Set, NodeLimit> {
    let mut set = sets.full();
    for literal in cube {
        set = sets.and(&sets.literal(literal.var, literal.positive)?, &set)?;
    }
    Ok(set)
}

/// The literals that hold in all modes of a set. One operation per variable of the support.
fn common_literals<M: ModeSets>(sets: &M, set: &M::Set) -> Result<Cube, NodeLimit> {
    let mut cube = Cube::new();
    for var in sets.support(set) {
        for positive in [true, false] {
            if sets.is_subset(set, &sets.literal(var, positive)?)? {
                cube.push(Literal { var, positive });
            }
        }
    }
    Ok(cube)
}

fn count_formula<M: ModeSets>(sets: &M, set: &M::Set) -> Option<Formula> {
    let vars = sets.support(set);
    if vars.len() < 3 {
        return None;
    }
    let counts = true_counts(sets, set, &vars)?;
    Some(Formula::Count { vars, counts })
}

/// If membership depends only on how many of `vars` (ascending, with the whole support) are true: on which
/// numbers.
///
/// Goes through the variables with the list of cofactors by the number of true ones so far, in which equal
/// neighbours are kept once: O(variables · different cofactors).
pub fn true_counts<M: ModeSets>(sets: &M, set: &M::Set, vars: &[ModeVar]) -> Option<Vec<usize>> {
    let mut row = vec![(set.clone(), 1)];
    for &var in vars.iter().rev() {
        row = next_row(sets, &row, var)?;
    }
    let mut counts = Vec::new();
    let mut n = 0;
    for (set, times) in row {
        if !sets.is_empty(&set) {
            counts.extend(n..n + times);
        }
        n += times;
    }
    Some(counts)
}

/// The cofactors by one more variable, `None` if they depend on which of the variables are true.
fn next_row<M: ModeSets>(
    sets: &M,
    row: &[(M::Set, usize)],
    var: ModeVar,
) -> Option<Vec<(M::Set, usize)>> {
    let mut next: Vec<(M::Set, usize)> = Vec::with_capacity(row.len() + 1);
    let mut push = |set: M::Set, times: usize| match next.last_mut() {
        Some((last, n)) if *last == set => *n += times,
        _ => next.push((set, times)),
    };
    let mut before: Option<M::Set> = None;
    for (set, times) in row {
        let (high, low) = match sets.split(set) {
            Some((top, high, low)) if top == var => (high, low),
            _ => (set.clone(), set.clone()),
        };
        // As many true ones, once with this variable and once without.
        if before.is_some_and(|high| high != low) || (*times > 1 && high != low) {
            return None;
        }
        push(low, *times);
        before = Some(high);
    }
    if let Some(high) = before {
        push(high, 1);
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BddSet, BddSets};

    const MOST: MaxLength = MaxLength {
        cubes: 8,
        literals: 64,
    };

    fn text(sets: &BddSets, set: &BddSet, care: &BddSet) -> String {
        match formula(sets, set, care, MOST).unwrap() {
            None => "long".to_owned(),
            Some(Formula::Count { vars, counts }) => format!("{counts:?} of {}", vars.len()),
            Some(Formula::Sum { negated, cubes }) => {
                let cubes: Vec<String> = cubes.iter().map(|cube| product_text(cube)).collect();
                let sum = cubes.join(" + ");
                if negated { format!("!({sum})") } else { sum }
            }
        }
    }

    fn product_text(cube: &[Literal]) -> String {
        let literal = |l: &Literal| format!("{}{}", if l.positive { "" } else { "!" }, l.var.0);
        cube.iter().map(literal).collect::<Vec<_>>().join(".")
    }

    #[test]
    fn formulas_are_short() {
        let sets = BddSets::new(3, 1 << 12);
        let [a, b, c] = [0, 1, 2].map(|v| sets.var(ModeVar(v)).unwrap());
        let full = sets.full();
        let not_b = sets.not(&b).unwrap();
        assert_eq!(text(&sets, &sets.and(&a, &not_b).unwrap(), &full), "0.!1");
        assert_eq!(text(&sets, &sets.empty(), &full), "");
        let both = sets.and(&a, &b).unwrap();
        assert_eq!(text(&sets, &sets.or(&both, &c).unwrap(), &full), "0.1 + 2");
        assert_eq!(text(&sets, &sets.not(&both).unwrap(), &full), "!0 + !1");
    }

    #[test]
    fn impossible_modes_make_formulas_shorter() {
        let sets = BddSets::new(2, 1 << 12);
        let [a, b] = [0, 1].map(|v| sets.var(ModeVar(v)).unwrap());
        let one_hot = sets
            .diff(&sets.or(&a, &b).unwrap(), &sets.and(&a, &b).unwrap())
            .unwrap();
        let only_a = sets.diff(&a, &b).unwrap();
        assert_eq!(text(&sets, &only_a, &one_hot), "0");
        assert_eq!(text(&sets, &sets.diff(&b, &a).unwrap(), &one_hot), "1");
    }

    /// The modes by the number of true variables.
    fn by_count(sets: &BddSets, n: usize) -> Vec<BddSet> {
        let mut by_count = vec![sets.full()];
        for v in 0..n {
            let var = sets.var(ModeVar::new(v)).unwrap();
            let mut next = vec![sets.empty(); by_count.len() + 1];
            for (k, set) in by_count.iter().enumerate() {
                next[k] = sets.or(&next[k], &sets.diff(set, &var).unwrap()).unwrap();
                next[k + 1] = sets.and(set, &var).unwrap();
            }
            by_count = next;
        }
        by_count
    }

    #[test]
    fn what_depends_on_a_number_of_switches_says_so() {
        for n in [3, 40] {
            let sets = BddSets::new(n, 1 << 16);
            let full = sets.full();
            let sets_by_count = by_count(&sets, n);
            assert_eq!(text(&sets, &sets_by_count[1], &full), format!("[1] of {n}"));
            let odd = sets_by_count.iter().skip(1).step_by(2).cloned();
            let odd = sets.union(odd).unwrap();
            let numbers: Vec<usize> = (1..=n).step_by(2).collect();
            assert_eq!(text(&sets, &odd, &full), format!("{numbers:?} of {n}"));
        }
    }

    #[test]
    fn a_thousand_switches_are_no_long_product() {
        let n = 1000;
        let sets = BddSets::new(n, 1 << 16);
        let open = (0..n).map(|v| sets.literal(ModeVar::new(v), false).unwrap());
        let all_open = sets.intersection(open).unwrap();
        assert_eq!(text(&sets, &all_open, &sets.full()), "[0] of 1000");
        let last = sets.var(ModeVar::new(n - 1)).unwrap();
        let mixed = sets.or(&last, &all_open).unwrap();
        assert_eq!(text(&sets, &mixed, &sets.full()), "long");
    }
}
