//! An element of a loop as a curve in the plane of two quantities, such as acceleration and torque of a clutch.
//!
//! Each valuation of its comparisons gives a straight part, along a path parameter that all its comparisons compare with something
//! known. The coordinates are chosen so that no part falls.

use super::case::Case;
use super::continuous::unpack;
use super::form::{Form, Solved, Sparse};
use crate::sym::Rational;
use modeshift_base::FxHashSet;

/// Comparisons of the element.
const MAX_OWN: usize = 6;

/// A straight part of the element: both coordinates along the path parameter, `(slope, what is known)`.
pub(super) struct Part {
    pub(super) bits: usize,
    pub(super) allowed: bool,
    pub(super) x: (Rational, Sparse),
    pub(super) y: (Rational, Sparse),
}

pub(super) struct Curve {
    /// How many unknowns only the element has.
    pub(super) n_own: usize,
    /// The two coordinates, over unknowns that the surroundings have as well.
    pub(super) x: Sparse,
    pub(super) y: Sparse,
    pub(super) parts: Vec<Part>,
    /// Per comparison: whether it holds above its threshold, and the threshold.
    pub(super) thresholds: Vec<(bool, Sparse)>,
}

/// The parts of a vector inside and outside a set of places.
fn split(form: &Sparse, inside: &FxHashSet<usize>) -> (Sparse, Sparse) {
    let parts = form.iter().map(|(at, value)| (*at, value.clone()));
    parts.partition(|(at, _)| inside.contains(at))
}

pub(super) fn scaled(form: &Sparse, factor: &Rational) -> Sparse {
    let mut result = Sparse::new();
    super::form::add(&mut result, form, factor);
    result
}

pub(super) fn is_positive(value: &Rational) -> bool {
    !value.is_negative() && !value.is_zero()
}

impl Curve {
    /// `outside` are the unknowns that occur elsewhere.
    pub(super) fn new(case: &Case, outside: &FxHashSet<usize>) -> Option<Self> {
        if case.atoms.len() > MAX_OWN {
            return None;
        }
        let path = case.atoms.first()?.0.unknown.clone();
        let mut thresholds = Vec::with_capacity(case.atoms.len());
        for (form, _) in &case.atoms {
            let factor = factor(&form.unknown, &path)?;
            let threshold = scaled(&form.known, &-&factor.recip()?);
            thresholds.push((is_positive(&factor), threshold));
        }
        let forms = |case: &Case| -> Vec<Sparse> {
            let rows = case.rows.iter().flat_map(|row| row.forms.iter().flatten());
            rows.map(|form| form.unknown.clone())
                .chain([path.clone()])
                .collect()
        };
        let all = forms(case);
        let own: FxHashSet<usize> = all
            .iter()
            .flat_map(|form| form.keys().copied())
            .filter(|at| !outside.contains(at))
            .collect();
        let plane = plane(all.iter().map(|form| split(form, &own).1))?;
        // Unknowns of the element: its own and the two of the plane.
        let place = |form: &Sparse| -> Option<Sparse> {
            let (inside, rest) = split(form, &own);
            let (a, b) = combination(&rest, &plane)?;
            let mut form: Sparse = inside;
            for (at, value) in [(FIRST, a), (SECOND, b)] {
                if !value.is_zero() {
                    form.insert(at, value);
                }
            }
            Some(form)
        };
        let mut lines: Vec<(usize, bool, Form, Form)> = Vec::new();
        for bits in 0..1usize << case.atoms.len() {
            let allowed = case.allowed.as_ref().is_none_or(|allowed| allowed[bits]);
            let line = || {
                let mut equations: Vec<Form> = Vec::new();
                for form in case.equations(&unpack(bits, case.atoms.len())) {
                    let unknown = place(&form.unknown)?;
                    equations.push(Form { unknown, ..form });
                }
                // Along the path.
                let mut known = Sparse::new();
                known.insert(PATH, Rational::int(-1));
                equations.push(Form {
                    unknown: place(&path)?,
                    known,
                });
                if equations.len() != own.len() + 2 {
                    return None;
                }
                let solved = Solved::new(equations).ok()?;
                let of = |at: usize| {
                    let unknown = Sparse::from([(at, Rational::one())]);
                    let form = solved.apply(&Form {
                        unknown,
                        ..Form::default()
                    });
                    form.unknown.is_empty().then_some(form)
                };
                Some((of(FIRST)?, of(SECOND)?))
            };
            match line() {
                Some((first, second)) => lines.push((bits, allowed, first, second)),
                None if allowed => return None,
                None => {}
            }
        }
        let slope = |form: &Form| {
            form.known
                .get(&PATH)
                .cloned()
                .unwrap_or_else(Rational::zero)
        };
        let directions: Vec<(Rational, Rational)> = lines
            .iter()
            .filter(|(_, allowed, ..)| *allowed)
            .map(|(_, _, first, second)| (slope(first), slope(second)))
            .collect();
        let (u, v) = quadrant(&directions)?;
        // first = u.0 x + v.0 y, second = u.1 x + v.1 y
        let scale = (&(&u.0 * &v.1) - &(&u.1 * &v.0)).recip()?;
        let x_of = |a: &Sparse, b: &Sparse| {
            let mut x = scaled(a, &(&v.1 * &scale));
            super::form::add(&mut x, b, &-&(&v.0 * &scale));
            x
        };
        let y_of = |a: &Sparse, b: &Sparse| {
            let mut y = scaled(b, &(&u.0 * &scale));
            super::form::add(&mut y, a, &-&(&u.1 * &scale));
            y
        };
        let mut parts = Vec::with_capacity(lines.len());
        for (bits, allowed, a, b) in lines {
            let coordinate = |mut known: Sparse| {
                let slope = known.remove(&PATH).unwrap_or_else(Rational::zero);
                (slope, known)
            };
            let part = Part {
                bits,
                allowed,
                x: coordinate(x_of(&a.known, &b.known)),
                y: coordinate(y_of(&a.known, &b.known)),
            };
            let rises = !part.x.0.is_negative()
                && !part.y.0.is_negative()
                && (is_positive(&part.x.0) || is_positive(&part.y.0));
            if rises {
                parts.push(part);
            } else if allowed {
                return None;
            }
        }
        Some(Self {
            n_own: own.len(),
            x: x_of(&plane.0, &plane.1),
            y: y_of(&plane.0, &plane.1),
            parts,
            thresholds,
        })
    }
}

impl Part {
    /// The point of the part at a value of the path parameter.
    pub(super) fn at(&self, path: &Sparse) -> (Sparse, Sparse) {
        let along = |(slope, known): &(Rational, Sparse)| {
            let mut value = known.clone();
            super::form::add(&mut value, path, slope);
            value
        };
        (along(&self.x), along(&self.y))
    }
}

/// Places of the coordinates of the plane and of the path parameter, beyond those of unknowns and of known terms.
const FIRST: usize = usize::MAX - 1;
const SECOND: usize = usize::MAX;
const PATH: usize = usize::MAX;

/// `factor` with `form = factor · other`, not zero.
fn factor(form: &Sparse, other: &Sparse) -> Option<Rational> {
    let wrap = |form: &Sparse| Form {
        unknown: form.clone(),
        ..Form::default()
    };
    if other.is_empty() {
        return None;
    }
    wrap(form).ratio(&wrap(other)).filter(|it| !it.is_zero())
}

/// Two of some vectors of which all others are combinations.
fn plane(forms: impl Iterator<Item = Sparse>) -> Option<(Sparse, Sparse)> {
    let (mut first, mut second): (Option<Sparse>, Option<Sparse>) = (None, None);
    for form in forms.filter(|form| !form.is_empty()) {
        match (&first, &second) {
            (None, _) => first = Some(form),
            (Some(a), None) if factor(&form, a).is_none() => second = Some(form),
            (Some(_), None) => {}
            (Some(a), Some(b)) => {
                combination(&form, &(a.clone(), b.clone()))?;
            }
        }
    }
    Some((first?, second?))
}

/// `(α, β)` with `form = α a + β b`.
fn combination(form: &Sparse, (a, b): &(Sparse, Sparse)) -> Option<(Rational, Rational)> {
    if form.is_empty() {
        return Some((Rational::zero(), Rational::zero()));
    }
    let at = |form: &Sparse, place: usize| form.get(&place).cloned().unwrap_or_else(Rational::zero);
    let i = *a.keys().next()?;
    // A second place where the two are independent.
    let det = |j: usize| &(&at(a, i) * &at(b, j)) - &(&at(a, j) * &at(b, i));
    let j = a
        .keys()
        .chain(b.keys())
        .copied()
        .find(|&j| !det(j).is_zero())?;
    let scale = det(j).recip()?;
    let alpha = &(&(&at(form, i) * &at(b, j)) - &(&at(form, j) * &at(b, i))) * &scale;
    let beta = &(&(&at(a, i) * &at(form, j)) - &(&at(a, j) * &at(form, i))) * &scale;
    let mut rest = form.clone();
    super::form::add(&mut rest, a, &-&alpha);
    super::form::add(&mut rest, b, &-&beta);
    rest.is_empty().then_some((alpha, beta))
}

type Direction = (Rational, Rational);

/// Two of the directions between which all others lie.
fn quadrant(directions: &[Direction]) -> Option<(Direction, Direction)> {
    let cross = |a: &Direction, b: &Direction| &(&a.0 * &b.1) - &(&a.1 * &b.0);
    for u in directions {
        for v in directions {
            let all = cross(u, v);
            let between = |w: &Direction| !cross(w, v).is_negative() && !cross(u, w).is_negative();
            if is_positive(&all) && directions.iter().all(between) {
                return Some((u.clone(), v.clone()));
            }
        }
    }
    None
}
