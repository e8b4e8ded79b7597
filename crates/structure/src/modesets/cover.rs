//! Short Boolean formulas for mode sets.
//!
//! The irredundant sum of products of Minato and Morreale (Minato, "Fast generation of prime-irredundant
//! covers from binary decision diagrams", 1993): given what must be covered (`lower`) and what may be
//! (`upper`, everything impossible included), split at the last variable; cover with its negative literal
//! what only that half allows, the same with the positive literal, and cover the rest without it. No
//! product of the result can lose a literal, and none can be left out.

use super::{ModeSets, NodeLimit};
use crate::ModeVar;

/// A mode variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub var: ModeVar,
    pub positive: bool,
}

/// A conjunction of literals, ascending by variable; the empty one is true.
pub type Cube = Vec<Literal>;

/// A readable description of a mode set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A disjunction of cubes, negated as a whole if that is shorter.
    Sum { negated: bool, cubes: Vec<Cube> },
    /// How many of the variables are true. Only where a sum of products would be long.
    Count {
        vars: Vec<ModeVar>,
        counts: Vec<usize>,
    },
}

/// An irredundant sum of products that covers `lower` and stays within `upper` (which must contain
/// `lower`), or `None` if it has more than `max_cubes` products. O(products · variables) set operations.
pub fn irredundant_cover<M: ModeSets>(
    sets: &M,
    lower: &M::Set,
    upper: &M::Set,
    max_cubes: usize,
) -> Result<Option<Vec<Cube>>, NodeLimit> {
    let mut cubes: Vec<Cube> = Vec::new();
    let mut stack: Vec<Frame<M::Set>> = Vec::new();
    let mut call = Some((lower.clone(), upper.clone()));
    let mut returned = sets.empty();
    loop {
        if let Some((lower, upper)) = call.take() {
            if sets.is_empty(&lower) {
                returned = sets.empty();
            } else if sets.is_full(&upper) {
                if cubes.len() == max_cubes {
                    return Ok(None);
                }
                cubes.push(Cube::new());
                returned = sets.full();
            } else {
                let mut frame = Frame::new(sets, &lower, &upper, cubes.len());
                call = Some(frame.negative_half(sets)?);
                stack.push(frame);
                continue;
            }
        }
        let Some(frame) = stack.last_mut() else { break };
        match frame.stage {
            Stage::Negative => {
                frame.covered_low = returned.clone();
                frame.label(&mut cubes, false);
                call = Some(frame.positive_half(sets)?);
            }
            Stage::Positive => {
                frame.covered_high = returned.clone();
                frame.label(&mut cubes, true);
                call = Some(frame.both_halves(sets)?);
            }
            Stage::Both => {
                returned = frame.result(sets, &returned)?;
                stack.pop();
            }
        }
    }
    Ok(Some(cubes))
}

enum Stage {
    Negative,
    Positive,
    Both,
}

/// One level of the recursion, kept on a stack of our own.
struct Frame<S> {
    var: ModeVar,
    stage: Stage,
    lower: [S; 2],
    upper: [S; 2],
    covered_low: S,
    covered_high: S,
    /// The first cube of the half that is being covered.
    first: usize,
}

impl<S: Clone> Frame<S> {
    fn new<M: ModeSets<Set = S>>(sets: &M, lower: &S, upper: &S, first: usize) -> Self {
        let (l, u) = (sets.split(lower), sets.split(upper));
        let top = |split: &Option<(ModeVar, S, S)>| split.as_ref().map(|(var, ..)| *var);
        let var = [top(&l), top(&u)].into_iter().flatten().max();
        // One of them is neither empty nor full, so that there is a variable.
        let var = var.unwrap_or(ModeVar(0));
        let halves = |set: &S, split: Option<(ModeVar, S, S)>| match split {
            Some((v, high, low)) if v == var => [low, high],
            _ => [set.clone(), set.clone()],
        };
        Self {
            var,
            stage: Stage::Negative,
            lower: halves(lower, l),
            upper: halves(upper, u),
            covered_low: sets.empty(),
            covered_high: sets.empty(),
            first,
        }
    }

    fn negative_half<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        Ok((
            sets.diff(&self.lower[0], &self.upper[1])?,
            self.upper[0].clone(),
        ))
    }

    fn positive_half<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        self.stage = Stage::Positive;
        Ok((
            sets.diff(&self.lower[1], &self.upper[0])?,
            self.upper[1].clone(),
        ))
    }

    fn both_halves<M: ModeSets<Set = S>>(&mut self, sets: &M) -> Result<(S, S), NodeLimit> {
        self.stage = Stage::Both;
        let low = sets.diff(&self.lower[0], &self.covered_low)?;
        let high = sets.diff(&self.lower[1], &self.covered_high)?;
        Ok((
            sets.or(&low, &high)?,
            sets.and(&self.upper[0], &self.upper[1])?,
        ))
    }

    fn result<M: ModeSets<Set = S>>(&self, sets: &M, both: &S) -> Result<S, NodeLimit> {
        let var = sets.var(self.var)?;
        let high = sets.and(&var, &self.covered_high)?;
        let low = sets.diff(&self.covered_low, &var)?;
        sets.or(&sets.or(&high, &low)?, both)
    }

    /// Adds the literal to the cubes of the half just covered; inner literals are there already.
    fn label(&mut self, cubes: &mut [Cube], positive: bool) {
        for cube in &mut cubes[self.first..] {
            cube.push(Literal {
                var: self.var,
                positive,
            });
        }
        self.first = cubes.len();
    }
}

/// A short formula for `set`, of which only the modes in `care` matter; `None` if it would have more
/// than `max_cubes` products and is no condition on the number of true variables either.
pub fn formula<M: ModeSets>(
    sets: &M,
    set: &M::Set,
    care: &M::Set,
    max_cubes: usize,
) -> Result<Option<Formula>, NodeLimit> {
    let inside = sets.and(set, care)?;
    let outside = sets.diff(care, set)?;
    let cover = |lower: &M::Set, upper: M::Set| -> Result<Option<Vec<Cube>>, NodeLimit> {
        let cubes = irredundant_cover(sets, lower, &upper, max_cubes)?;
        cubes
            .map(|cubes| positive_first(sets, cubes, lower, &upper))
            .transpose()
    };
    let plain = cover(&inside, sets.not(&outside)?)?;
    let negative = cover(&outside, sets.not(&inside)?)?;
    let cost = |cubes: &[Cube]| cubes.iter().map(|cube| cube.len() + 1).sum::<usize>();
    Ok(match (plain, negative) {
        (Some(cubes), Some(other)) if cost(&cubes) <= cost(&other) + 1 => Some(Formula::Sum {
            negated: false,
            cubes,
        }),
        (Some(cubes), None) => Some(Formula::Sum {
            negated: false,
            cubes,
        }),
        (_, Some(cubes)) => Some(Formula::Sum {
            negated: true,
            cubes,
        }),
        (None, None) => count_formula(sets, &inside)?,
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
        let mut cube = common_literals(sets, &alone)?;
        let mut candidates = cube.clone();
        candidates.sort_by_key(|l| (l.positive, std::cmp::Reverse(l.var)));
        for literal in candidates {
            let shorter: Cube = cube.iter().copied().filter(|l| *l != literal).collect();
            if sets.is_subset(&product(sets, &shorter)?, upper)? {
                cube = shorter;
            }
        }
        if cost(&cube) < cost(&cubes[place]) {
            cubes[place] = cube;
        }
    }
    let words = |l: &Literal| (l.var, !l.positive);
    cubes.sort_by(|a, b| a.iter().map(words).cmp(b.iter().map(words)));
    Ok(cubes)
}

/// The set of the modes in which all literals hold.
fn product<M: ModeSets>(sets: &M, cube: &[Literal]) -> Result<M::Set, NodeLimit> {
    let mut set = sets.full();
    for literal in cube {
        set = sets.and(&sets.literal(literal.var, literal.positive)?, &set)?;
    }
    Ok(set)
}

/// The literals that hold in all modes of a set.
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

/// If membership depends only on how many variables of the support are true: on which numbers.
/// O(variables²) set operations.
fn count_formula<M: ModeSets>(sets: &M, set: &M::Set) -> Result<Option<Formula>, NodeLimit> {
    let vars = sets.support(set);
    // The cofactors after the last variables, by the number of true ones among them.
    let mut row = vec![set.clone()];
    for &var in vars.iter().rev() {
        let mut next: Vec<M::Set> = Vec::with_capacity(row.len() + 1);
        for set in &row {
            let (high, low) = match sets.split(set) {
                Some((top, high, low)) if top == var => (high, low),
                _ => (set.clone(), set.clone()),
            };
            match next.last() {
                Some(last) if *last != low => return Ok(None),
                Some(_) => {}
                None => next.push(low),
            }
            next.push(high);
        }
        row = next;
    }
    let counts = (0..row.len())
        .filter(|&k| !sets.is_empty(&row[k]))
        .collect();
    Ok(Some(Formula::Count { vars, counts }))
}

impl Formula {
    /// The formula in Modelica's words, such as `g1 and not g2`.
    pub fn to_text(&self, name: impl Fn(ModeVar) -> String) -> String {
        match self {
            Self::Sum { negated, cubes } => sum_text(*negated, cubes, &name),
            Self::Count { vars, counts } => count_text(vars, counts, &name),
        }
    }
}

fn sum_text(negated: bool, cubes: &[Cube], name: &dyn Fn(ModeVar) -> String) -> String {
    let literal = |l: &Literal| {
        if l.positive {
            name(l.var)
        } else {
            format!("not {}", name(l.var))
        }
    };
    let product = |cube: &Cube| {
        let text = cube.iter().map(literal).collect::<Vec<_>>().join(" and ");
        if cube.len() > 1 && cubes.len() > 1 {
            format!("({text})")
        } else {
            text
        }
    };
    if cubes.is_empty() || cubes.iter().any(Vec::is_empty) {
        return (cubes.is_empty() == negated).to_string();
    }
    let text = cubes.iter().map(product).collect::<Vec<_>>().join(" or ");
    if negated {
        format!("not ({text})")
    } else {
        text
    }
}

fn count_text(vars: &[ModeVar], counts: &[usize], name: &dyn Fn(ModeVar) -> String) -> String {
    let (first, last) = (
        counts.first().copied().unwrap_or(0),
        counts.last().copied().unwrap_or(0),
    );
    let contiguous = counts.len() == last + 1 - first;
    let how_many = if contiguous && first == last {
        format!("exactly {first}")
    } else if contiguous && last == vars.len() {
        format!("at least {first}")
    } else if contiguous && first == 0 {
        format!("at most {last}")
    } else if contiguous {
        format!("between {first} and {last}")
    } else {
        let counts: Vec<_> = counts.iter().map(usize::to_string).collect();
        format!("exactly {}", counts.join(" or "))
    };
    let names: Vec<_> = vars.iter().map(|&var| name(var)).collect();
    format!("{how_many} of ({})", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BddSets;

    fn text(sets: &BddSets, set: &crate::BddSet, care: &crate::BddSet) -> String {
        let formula = formula(sets, set, care, 8).unwrap().unwrap();
        formula.to_text(|var| format!("g{}", var.0 + 1))
    }

    #[test]
    fn formulas_are_short_and_in_modelica_words() {
        let sets = BddSets::new(3, 1 << 12);
        let [a, b, c] = [0, 1, 2].map(|v| sets.var(ModeVar(v)).unwrap());
        let full = sets.full();
        let not_b = sets.not(&b).unwrap();
        assert_eq!(
            text(&sets, &sets.and(&a, &not_b).unwrap(), &full),
            "g1 and not g2"
        );
        assert_eq!(text(&sets, &full, &full), "true");
        assert_eq!(text(&sets, &sets.empty(), &full), "false");
        let both = sets.and(&a, &b).unwrap();
        let mixed = sets.or(&both, &c).unwrap();
        assert_eq!(text(&sets, &mixed, &full), "(g1 and g2) or g3");
        assert_eq!(
            text(&sets, &sets.not(&both).unwrap(), &full),
            "not g1 or not g2"
        );
    }

    #[test]
    fn impossible_modes_make_formulas_shorter() {
        let sets = BddSets::new(2, 1 << 12);
        let [a, b] = [0, 1].map(|v| sets.var(ModeVar(v)).unwrap());
        let one_hot = sets
            .diff(&sets.or(&a, &b).unwrap(), &sets.and(&a, &b).unwrap())
            .unwrap();
        let only_a = sets.diff(&a, &b).unwrap();
        assert_eq!(text(&sets, &only_a, &one_hot), "g1");
        assert_eq!(text(&sets, &sets.diff(&b, &a).unwrap(), &one_hot), "g2");
    }

    #[test]
    fn what_depends_on_a_number_of_switches_says_so() {
        let n = 40;
        let sets = BddSets::new(n, 1 << 16);
        let mut by_count = vec![sets.full()];
        for v in (0..n).rev() {
            let var = sets.var(ModeVar::new(v)).unwrap();
            let mut next = vec![sets.empty(); by_count.len() + 1];
            for (k, set) in by_count.iter().enumerate() {
                next[k] = sets.or(&next[k], &sets.diff(set, &var).unwrap()).unwrap();
                next[k + 1] = sets.and(set, &var).unwrap();
            }
            by_count = next;
        }
        let all = (1..=n)
            .map(|k| format!("g{k}"))
            .collect::<Vec<_>>()
            .join(", ");
        let full = sets.full();
        assert_eq!(
            text(&sets, &by_count[1], &full),
            format!("exactly 1 of ({all})")
        );
        let many = sets.union(by_count[2..].iter().cloned()).unwrap();
        assert_eq!(text(&sets, &many, &full), format!("at least 2 of ({all})"));
    }
}
