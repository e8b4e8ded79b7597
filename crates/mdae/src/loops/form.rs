//! Affine forms with exact coefficients, and elimination among them.
//!
//! A form is `Σ a_i z_i + Σ c_j t_j`: unknowns of a loop and known terms, of which number 0 is the constant one.

use crate::sym::Rational;
use std::collections::BTreeMap;

/// A sparse vector.
pub(super) type Sparse = BTreeMap<usize, Rational>;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Form {
    pub(super) unknown: Sparse,
    pub(super) known: Sparse,
}

/// `into += factor · other`
pub(super) fn add(into: &mut Sparse, other: &Sparse, factor: &Rational) {
    for (&at, value) in other {
        let term = value * factor;
        let sum = match into.get(&at) {
            Some(old) => old + &term,
            None => term,
        };
        if sum.is_zero() {
            into.remove(&at);
        } else {
            into.insert(at, sum);
        }
    }
}

impl Form {
    pub(super) fn plus(mut self, other: &Self, factor: &Rational) -> Self {
        self.add(other, factor);
        self
    }

    pub(super) fn add(&mut self, other: &Self, factor: &Rational) {
        add(&mut self.unknown, &other.unknown, factor);
        add(&mut self.known, &other.known, factor);
    }

    pub(super) fn is_zero(&self) -> bool {
        self.unknown.is_empty() && self.known.is_empty()
    }

    /// `factor` with `self = factor · other`.
    pub(super) fn ratio(&self, other: &Self) -> Option<Rational> {
        let first = match other.unknown.first_key_value() {
            Some((at, value)) => self.unknown.get(at)?.checked_div(value)?,
            None => {
                let (at, value) = other.known.first_key_value()?;
                self.known.get(at)?.checked_div(value)?
            }
        };
        let rest = self.clone().plus(other, &-&first);
        rest.is_zero().then_some(first)
    }

    fn size(&self) -> usize {
        self.unknown.len() + self.known.len()
    }
}

/// Unknowns expressed by others: `z_at = form`.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    /// In the order of elimination: a form may contain unknowns that are eliminated later.
    steps: Vec<(usize, Form)>,
}

/// The equations contradict each other or leave unknowns open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// An equation without unknowns is left: whether it holds depends on the known terms.
    Singular,
    TooLarge,
}

/// Numbers in all forms of one elimination.
const MAX_ENTRIES: usize = 400_000;

impl Solved {
    /// Eliminates as many unknowns as there are `equations`, sparsest first. At worst cubic, close to linear for circuits.
    pub(super) fn new(mut equations: Vec<Form>) -> Result<Self, Stop> {
        let mut this = Self::default();
        // Which equations an unknown occurs in.
        let mut users: BTreeMap<usize, std::collections::BTreeSet<usize>> = BTreeMap::new();
        for (row, form) in equations.iter().enumerate() {
            for &at in form.unknown.keys() {
                users.entry(at).or_default().insert(row);
            }
        }
        let mut open: std::collections::BTreeSet<(usize, usize)> = equations
            .iter()
            .enumerate()
            .map(|(row, form)| (form.unknown.len(), row))
            .collect();
        let mut entries = 0;
        while let Some((n, row)) = open.pop_first() {
            if n == 0 {
                if equations[row].known.is_empty() {
                    continue;
                }
                return Err(Stop::Singular);
            }
            let form = std::mem::take(&mut equations[row]);
            for at in form.unknown.keys() {
                if let Some(rows) = users.get_mut(at) {
                    rows.remove(&row);
                }
            }
            let pivot = form
                .unknown
                .keys()
                .copied()
                .min_by_key(|at| users.get(at).map_or(0, std::collections::BTreeSet::len));
            let Some(pivot) = pivot else {
                return Err(Stop::Singular);
            };
            let Some(scale) = form.unknown[&pivot].recip() else {
                return Err(Stop::Singular);
            };
            let mut solved = Form::default().plus(&form, &-&scale);
            solved.unknown.remove(&pivot);
            for other in users.remove(&pivot).unwrap_or_default() {
                let before = equations[other].unknown.len();
                open.remove(&(before, other));
                let Some(factor) = equations[other].unknown.remove(&pivot) else {
                    continue;
                };
                equations[other].add(&solved, &factor);
                for &at in solved.unknown.keys() {
                    let rows = users.entry(at).or_default();
                    if equations[other].unknown.contains_key(&at) {
                        rows.insert(other);
                    } else {
                        rows.remove(&other);
                    }
                }
                open.insert((equations[other].unknown.len(), other));
                entries += solved.size();
            }
            entries += solved.size();
            if entries > MAX_ENTRIES {
                return Err(Stop::TooLarge);
            }
            this.steps.push((pivot, solved));
        }
        Ok(this)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// `form` without the eliminated unknowns.
    pub(super) fn apply(&self, form: &Form) -> Form {
        let mut result = form.clone();
        for (at, solved) in &self.steps {
            if let Some(factor) = result.unknown.remove(at) {
                result.add(solved, &factor);
            }
        }
        result
    }
}
