//! Loops in general: the regions of known values that valuations fit, compared by linear programmes in exact arithmetic.
//!
//! For one valuation the equations are linear, so that the comparisons become affine in the known terms: the values
//! that a valuation fits are a polyhedron. Do two of them overlap? Is there a point in none? And where a valuation
//! stops fitting, at a facet of its polyhedron, how many others fit just beyond it? Only what has an inside counts: what
//! happens at single points of a line is nobody's business.

use super::Status;
use super::case::{Case, remembered};
use super::continuous::unpack;
use super::form::{Form, Solved};
use super::lp::{Budget, Exhausted, Row, point, value};
use super::system::Beyond;
use crate::sym::Rational;
use modeshift_base::FxHashMap;

/// Comparisons whose valuations are all looked at.
pub(super) const MAX_ATOMS: usize = 10;

/// Linear programmes for one loop.
const MAX_PROGRAMMES: usize = 20_000;

/// What was found, with the values of the terms (without the constant one) and the valuations that fit there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) at: Vec<Rational>,
    pub(super) fits: Vec<Vec<bool>>,
    /// Nothing jumps where a comparison changes.
    pub(super) continuous: bool,
}

pub(super) struct Region {
    /// At least zero inside.
    sides: Vec<Row>,
    allowed: bool,
    /// Equal for valuations with the same equations.
    piece: usize,
    /// The values of the conditions of the model: a run has nothing else to go by.
    remembered: Vec<bool>,
}

/// What regions come to, with a point that shows it.
pub(super) enum Judged {
    Unique,
    Hysteresis(Vec<Rational>),
    Several(Vec<Rational>),
    None(Vec<Rational>),
}

pub(super) struct Programmes {
    n: usize,
    domain: Vec<Row>,
    budget: Budget,
    left: usize,
}

impl Programmes {
    /// Programmes over `n` known terms in a domain, where so many steps are left.
    pub(super) fn new(n: usize, domain: Vec<Row>, steps: usize) -> Self {
        Self {
            n,
            domain,
            budget: Budget { left: steps },
            left: MAX_PROGRAMMES,
        }
    }

    /// Those for a case. Bounds count where they leave an inside: with `min = 0`, `u <= 0` holds at a single value, and matters all the
    /// same.
    fn of(case: &Case, n: usize, steps: usize) -> Self {
        let rows = |forms: &[Form]| {
            forms
                .iter()
                .map(|form| dense(form, n))
                .collect::<Vec<Row>>()
        };
        let domain = rows(&case.domain);
        if case.bounds.is_empty() {
            return Self::new(n, domain, steps);
        }
        let both = domain.iter().cloned().chain(rows(&case.bounds)).collect();
        let mut bounded = Self::new(n, both, steps);
        match bounded.inside(&[], &[]) {
            Ok(Some(_)) => bounded,
            _ => Self::new(n, domain, bounded.left()),
        }
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> usize {
        self.budget.left
    }

    /// The region with these sides, if it has an inside.
    pub(super) fn region(
        &mut self,
        sides: Vec<Row>,
        allowed: bool,
        piece: usize,
        remembered: Vec<bool>,
    ) -> Result<Option<Region>, Exhausted> {
        let all: Vec<&Row> = sides.iter().collect();
        let inside = self.inside(&all, &[])?.is_some();
        Ok(inside.then_some(Region {
            sides,
            allowed,
            piece,
            remembered,
        }))
    }

    /// Elimination counts like steps.
    fn pay(&mut self, cost: usize) -> Result<(), Exhausted> {
        self.budget.left = self.budget.left.checked_sub(cost).ok_or(Exhausted)?;
        Ok(())
    }

    /// A point inside the domain where all `positive` forms are above zero.
    pub(super) fn inside(
        &mut self,
        positive: &[&Row],
        zero: &[Row],
    ) -> Result<Option<Vec<Rational>>, Exhausted> {
        self.left = self.left.checked_sub(1).ok_or(Exhausted)?;
        let mut rows = self.domain.clone();
        rows.extend(positive.iter().map(|row| (*row).clone()));
        point(self.n, &rows, zero, &mut self.budget)
    }
}

/// Decides a loop with at most [`MAX_ATOMS`] comparisons and `n_terms` known terms, the constant one included.
/// The steps that are taken count against `left`.
pub(super) fn decide(
    case: &Case,
    n_terms: usize,
    left: &mut usize,
    check: &dyn Fn(),
) -> Result<Outcome, Beyond> {
    let mut programmes = Programmes::of(case, n_terms - 1, *left);
    let decided = compare(case, &mut programmes, check);
    *left = programmes.left();
    decided
}

/// Known values that two valuations fit, if there are any.
pub(super) fn ambiguous(
    case: &Case,
    n_terms: usize,
    left: &mut usize,
    check: &dyn Fn(),
) -> Result<Option<Outcome>, Beyond> {
    let mut programmes = Programmes::of(case, n_terms - 1, *left);
    let found = regions(case, &mut programmes, check).and_then(|regions| {
        overlap(&mut programmes, &regions, &|_, _| true, check).map_err(too_many)
    });
    *left = programmes.left();
    Ok(found?.map(|at| shown(case, &programmes, Status::Hysteresis, &at)))
}

/// The regions of all valuations that have an inside.
fn regions(
    case: &Case,
    programmes: &mut Programmes,
    check: &dyn Fn(),
) -> Result<Vec<Region>, Beyond> {
    let k = case.atoms.len();
    let n = programmes.n;
    let mut regions = Vec::new();
    let mut pieces: FxHashMap<Vec<Form>, usize> = FxHashMap::default();
    for bits in 0..1usize << k {
        check();
        programmes.pay(case.n * (case.n + 4)).map_err(too_many)?;
        let allowed = case.allowed.as_ref().is_none_or(|allowed| allowed[bits]);
        let valuation = unpack(bits, k);
        let comparisons = match case.comparisons(&valuation) {
            Ok(comparisons) => comparisons,
            Err(why) if allowed => return Err(why),
            Err(_) => continue,
        };
        // What is zero whatever is known holds unless it is asked to be above zero.
        let strict = case.atoms.iter().map(|(_, strict)| *strict);
        let mut sides: Vec<Row> = Vec::with_capacity(k);
        let mut fits = true;
        for ((form, strict), &holds) in comparisons.iter().zip(strict).zip(&valuation) {
            let row = dense(form, n);
            if form.known.is_empty() {
                fits &= holds != strict;
            } else {
                sides.push(if holds { row } else { negated(&row) });
            }
        }
        if !fits {
            continue;
        }
        let equations = case.equations(&valuation);
        let n_pieces = pieces.len();
        let piece = *pieces.entry(equations).or_insert(n_pieces);
        let remembered = remembered(&case.named, &valuation);
        let region = programmes.region(sides, allowed, piece, remembered);
        regions.extend(region.map_err(too_many)?);
    }
    Ok(regions)
}

fn outcome(case: &Case, status: Status, at: Vec<Rational>, fits: &[usize]) -> Outcome {
    let k = case.atoms.len();
    Outcome {
        status,
        at,
        fits: fits.iter().map(|&bits| unpack(bits, k)).collect(),
        continuous: false,
    }
}

/// What fits at a point, with short numbers.
fn shown(case: &Case, programmes: &Programmes, status: Status, at: &[Rational]) -> Outcome {
    let fits = fitting(case, at);
    let at = simplified(at, |at| {
        fitting(case, at) == fits && programmes.contains(at)
    });
    outcome(case, status, at, &fits)
}

fn compare(case: &Case, programmes: &mut Programmes, check: &dyn Fn()) -> Result<Outcome, Beyond> {
    let regions = regions(case, programmes, check)?;
    let judged = judged(programmes, &regions, check).map_err(too_many)?;
    match judged {
        Judged::None(at) => {
            let nothing = |at: &[Rational]| programmes.contains(at) && fitting(case, at).is_empty();
            // What fits at single points only has no region, and the point may be one of those.
            let at = std::iter::once(at.clone())
                .chain(around(&at))
                .find(|at| nothing(at))
                .ok_or(Beyond::Unconfirmed)?;
            Ok(outcome(case, Status::None, simplified(&at, nothing), &[]))
        }
        Judged::Unique => Ok(outcome(case, Status::Unique, Vec::new(), &[])),
        Judged::Several(at) => Ok(shown(case, programmes, Status::Several, &at)),
        Judged::Hysteresis(at) => Ok(shown(case, programmes, Status::Hysteresis, &at)),
    }
}

/// Compares regions.
pub(super) fn judged(
    programmes: &mut Programmes,
    regions: &[Region],
    check: &dyn Fn(),
) -> Result<Judged, Exhausted> {
    if let Some(at) = uncovered(programmes, regions, check)? {
        return Ok(Judged::None(at));
    }
    let Some(both) = overlap(programmes, regions, &|_, _| true, check)? else {
        return Ok(Judged::Unique);
    };
    // Between solutions with the same conditions nothing chooses.
    let alike = |a: &Region, b: &Region| a.remembered == b.remembered;
    if let Some(at) = overlap(programmes, regions, &alike, check)? {
        return Ok(Judged::Several(at));
    }
    Ok(match branching(programmes, regions, check)? {
        Some(at) => Judged::Several(at),
        None => Judged::Hysteresis(both),
    })
}

fn too_many(_: Exhausted) -> Beyond {
    Beyond::TooLong
}

impl Programmes {
    fn contains(&self, at: &[Rational]) -> bool {
        self.domain.iter().all(|row| !value(row, at).is_negative())
    }
}

pub(super) fn dense(form: &Form, n: usize) -> Row {
    let mut row = vec![Rational::zero(); n + 1];
    for (&at, value) in &form.known {
        row[at] = value.clone();
    }
    row
}

pub(super) fn negated(row: &Row) -> Row {
    row.iter().map(|value| -value).collect()
}

/// The valuations that fit values of the terms, by solving the equations once more with the numbers put in.
fn fitting(case: &Case, at: &[Rational]) -> Vec<usize> {
    let k = case.atoms.len();
    let numbers = |form: &Form| -> Form {
        let mut constant = Rational::zero();
        for (&term, factor) in &form.known {
            let value = match term {
                0 => Rational::one(),
                _ => at[term - 1].clone(),
            };
            constant = &constant + &(factor * &value);
        }
        let mut form = Form {
            unknown: form.unknown.clone(),
            ..Form::default()
        };
        if !constant.is_zero() {
            form.known.insert(0, constant);
        }
        form
    };
    (0..1usize << k)
        .filter(|&bits| case.allowed.as_ref().is_none_or(|allowed| allowed[bits]))
        .filter(|&bits| {
            let valuation = unpack(bits, k);
            let equations: Vec<Form> = case.equations(&valuation).iter().map(numbers).collect();
            let Ok(solved) = Solved::new(equations) else {
                return false;
            };
            case.atoms
                .iter()
                .zip(&valuation)
                .all(|((form, strict), &holds)| {
                    let form = solved.apply(&numbers(form));
                    let value = form.known.get(&0).cloned().unwrap_or_else(Rational::zero);
                    let truth = match strict {
                        true => !value.is_negative() && !value.is_zero(),
                        false => !value.is_negative(),
                    };
                    form.unknown.is_empty() && truth == holds
                })
        })
        .collect()
}

/// Whether no valuation fits a loop without known terms, with every comparison clearly decided.
pub(super) fn fits_nothing(case: &Case) -> bool {
    let k = case.atoms.len();
    let inside = case.domain.iter().all(|form| {
        let value = form.known.get(&0);
        value.is_some_and(|value| !value.is_negative() && !value.is_zero())
    });
    inside
        && (0..1usize << k).all(|bits| {
            let valuation = unpack(bits, k);
            let Ok(comparisons) = case.comparisons(&valuation) else {
                // Singular for these numbers: nothing is claimed.
                return false;
            };
            comparisons.iter().zip(&valuation).any(|(form, &holds)| {
                let value = form.known.get(&0);
                value.is_some_and(|value| value.is_negative() == holds)
            })
        })
}

/// Points near `at`, in directions along which no plane that a modeller wrote is likely to lie.
fn around(at: &[Rational]) -> impl Iterator<Item = Vec<Rational>> + '_ {
    let steps = [(1, 7), (-1, 7), (1, 71), (-1, 71), (1, 7001), (-1, 7001)];
    steps.into_iter().filter_map(|(n, d)| {
        let step = Rational::new(n, d)?;
        let mut factor = Rational::one();
        let turn = Rational::new(10, 11)?;
        let moved = at.iter().map(|value| {
            factor = &factor * &turn;
            value + &(&step * &factor)
        });
        Some(moved.collect())
    })
}

/// A point with short numbers of which the same is true.
fn simplified(at: &[Rational], holds: impl Fn(&[Rational]) -> bool) -> Vec<Rational> {
    for digits in 0..4 {
        let rounded: Option<Vec<Rational>> = at
            .iter()
            .map(|value| {
                let value = value.to_f64();
                let size = if value == 0.0 {
                    0
                } else {
                    libm::log10(value.abs()).floor() as i32
                };
                let scale = 10f64.powi(digits - size.min(0));
                Rational::from_decimal((value * scale).round() / scale)
            })
            .collect();
        if let Some(rounded) = rounded
            && holds(&rounded)
        {
            return rounded;
        }
    }
    at.to_vec()
}

/// A point that no valuation fits: points are tried, and the region around each is cut out side by side.
fn uncovered(
    programmes: &mut Programmes,
    regions: &[Region],
    check: &dyn Fn(),
) -> Result<Option<Vec<Rational>>, Exhausted> {
    let mut stack: Vec<Vec<Row>> = vec![Vec::new()];
    while let Some(outside) = stack.pop() {
        check();
        let rows: Vec<&Row> = outside.iter().collect();
        let Some(at) = programmes.inside(&rows, &[])? else {
            continue;
        };
        let around = regions.iter().find(|region| {
            region
                .sides
                .iter()
                .all(|row| !value(row, &at).is_negative())
        });
        let Some(region) = around else {
            return Ok(Some(at));
        };
        let mut before: Vec<Row> = Vec::new();
        for side in &region.sides {
            let beyond = negated(side);
            if !side[1..].iter().all(Rational::is_zero) {
                let mut next = outside.clone();
                next.extend(before.iter().cloned());
                next.push(beyond);
                stack.push(next);
            }
            before.push(side.clone());
        }
    }
    Ok(None)
}

/// A point that two valuations fit, of those that `count`.
fn overlap(
    programmes: &mut Programmes,
    regions: &[Region],
    count: &dyn Fn(&Region, &Region) -> bool,
    check: &dyn Fn(),
) -> Result<Option<Vec<Rational>>, Exhausted> {
    let allowed: Vec<&Region> = regions.iter().filter(|region| region.allowed).collect();
    for (i, a) in allowed.iter().enumerate() {
        check();
        for b in &allowed[..i] {
            let rows: Vec<&Row> = a.sides.iter().chain(&b.sides).collect();
            if !count(a, b) || opposed(&a.sides, &b.sides) {
                continue;
            }
            if let Some(at) = programmes.inside(&rows, &[])? {
                return Ok(Some(at));
            }
        }
    }
    Ok(None)
}

/// Whether a side of one is the opposite of a side of the other: they cannot overlap.
fn opposed(a: &[Row], b: &[Row]) -> bool {
    a.iter().any(|row| {
        let opposite = negated(row);
        b.contains(&opposite)
    })
}

/// `a = λ b` with its sign; `None` if they are different forms.
fn direction(a: &Row, b: &Row) -> Option<bool> {
    let at = (0..b.len()).find(|&at| !b[at].is_zero())?;
    let ratio = a[at].checked_div(&b[at])?;
    if ratio.is_zero() {
        return None;
    }
    let equal = a.iter().zip(b).all(|(a, b)| *a == b * &ratio);
    equal.then(|| !ratio.is_negative())
}

/// A point just beyond a side of a region where two others fit.
fn branching(
    programmes: &mut Programmes,
    regions: &[Region],
    check: &dyn Fn(),
) -> Result<Option<Vec<Rational>>, Exhausted> {
    for (number, region) in regions
        .iter()
        .enumerate()
        .filter(|(_, region)| region.allowed)
    {
        for side in &region.sides {
            check();
            if side[1..].iter().all(Rational::is_zero) {
                continue;
            }
            let Some(own) = along(&region.sides, side, true) else {
                continue;
            };
            let zero = [side.clone()];
            let mut others: Vec<(usize, Vec<&Row>)> = Vec::new();
            let mut goes_on = false;
            for (other, candidate) in regions.iter().enumerate() {
                if other == number || !candidate.allowed {
                    continue;
                }
                let Some(rows) = along(&candidate.sides, side, false) else {
                    continue;
                };
                let both: Vec<&Row> = own.iter().chain(&rows).copied().collect();
                if programmes.inside(&both, &zero)?.is_some() {
                    // With the same equations nothing changes but a comparison that decides nothing here; with the same conditions a run
                    // goes on as before.
                    goes_on |= candidate.piece == region.piece
                        || candidate.remembered == region.remembered;
                    others.push((other, rows));
                }
            }
            if goes_on {
                continue;
            }
            for (i, (_, a)) in others.iter().enumerate() {
                for (_, b) in &others[..i] {
                    let all: Vec<&Row> = own.iter().chain(a).chain(b).copied().collect();
                    if let Some(at) = programmes.inside(&all, &zero)? {
                        let (a, b) = (others[i].0, b);
                        let second: Vec<&Row> = b.clone();
                        return Ok(Some(beyond(&at, side, &regions[a].sides, &second)));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// The sides of a region that must be above zero on a facet: those that are not the facet itself. `None` if the region lies
/// on the wrong side of it.
fn along<'r>(sides: &'r [Row], facet: &Row, inward: bool) -> Option<Vec<&'r Row>> {
    let mut found = Vec::new();
    for row in sides {
        match direction(row, facet) {
            Some(same) if same == inward => {}
            Some(_) => return None,
            None => found.push(row),
        }
    }
    Some(found)
}

/// A little beyond a facet, still inside two regions.
fn beyond(at: &[Rational], facet: &Row, a: &[Row], b: &[&Row]) -> Vec<Rational> {
    let mut step = Rational::one();
    let half = Rational::new(1, 2).unwrap_or_else(Rational::one);
    for _ in 0..60 {
        let moved: Vec<Rational> = at
            .iter()
            .zip(&facet[1..])
            .map(|(value, slope)| value - &(slope * &step))
            .collect();
        let inside = |row: &Row| {
            let value = value(row, &moved);
            !value.is_negative() && !value.is_zero()
        };
        if a.iter().all(inside) && b.iter().all(|row| inside(row)) {
            return moved;
        }
        step = &step * &half;
    }
    at.to_vec()
}
