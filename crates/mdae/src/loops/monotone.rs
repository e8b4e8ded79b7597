//! One element that jumps in surroundings that do not: a clutch with a break-away torque beside others without.
//!
//! The element is a curve in the plane of two quantities, such as acceleration and torque: each valuation of its
//! comparisons gives a straight part of it, along a path parameter `s` that all its comparisons compare with something known. What is
//! around the element is a function `y = ψ(x)`. If no part of the curve falls and `ψ` falls everywhere, a part and `ψ` meet once, and
//! on which side of a threshold of `s` depends on nothing but `ψ` at the place of the threshold. So the values of `ψ` at the
//! thresholds are all that is known about the surroundings: they take the place of all their comparisons and of all
//! that is known there. They are not independent, because the slope of `ψ` has bounds.
//!
//! What is true for all such values is true for the loop. Hence only `unique` and `hysteresis` come out of this.

use super::Status;
use super::behaviour::Behaviour;
use super::case::Case;
use super::continuous::{Slopes, is_unique};
use super::curve::{Curve, Part, is_positive, scaled};
use super::form::{Form, Solved, Sparse};
use super::lp::Row;
use super::regions::{Judged, Programmes, Region, judged, negated};
use super::system::System;
use crate::sym::Rational;
use modeshift_base::FxHashSet;

/// Comparisons of the surroundings, whose slopes are all computed.
const MAX_AROUND: usize = 10;

/// Orders of the thresholds that are looked at.
const MAX_ORDERS: usize = 16;

/// `Unique` or `Hysteresis` if that can be shown for the loop of the element `own` in surroundings in which nothing
/// jumps, whatever is known there. The steps that are taken count against `left`.
pub(super) fn decide(
    system: &System<'_>,
    before: &Solved,
    own: &Behaviour,
    around: &[&Slopes],
    left: &mut usize,
    check: &dyn Fn(),
) -> Option<Status> {
    let case = Case::new(system, before, &[own]);
    let n = case.n;
    let mut outside: FxHashSet<usize> = FxHashSet::default();
    for slopes in around {
        outside.extend(slopes.unknowns());
    }
    let curve = Curve::new(&case, &outside)?;
    let surroundings = Surroundings::new(n - curve.n_own, around, &curve)?;
    Reduced::new(&case, &curve, &surroundings)?.decide(left, check)
}

/// `ψ`, as far as it is known: it falls at least by `least` and at most by `most`.
struct Surroundings {
    least: Rational,
    most: Rational,
}

impl Surroundings {
    /// `None` unless `x` and `y` each determine everything else, and one falls where the other rises.
    fn new(n: usize, around: &[&Slopes], curve: &Curve) -> Option<Self> {
        for coordinate in [&curve.x, &curve.y] {
            let given = Slopes {
                equations: vec![Form {
                    unknown: coordinate.clone(),
                    ..Form::default()
                }],
                atoms: Vec::new(),
            };
            let mut all: Vec<&Slopes> = around.to_vec();
            all.push(&given);
            if is_unique(n, &all) != Some(true) {
                return None;
            }
        }
        let atoms: Vec<&(usize, Sparse)> = around.iter().flat_map(|it| &it.atoms).collect();
        if atoms.len() > MAX_AROUND {
            return None;
        }
        let mut range: Option<(Rational, Rational)> = None;
        for bits in 0..1usize << atoms.len() {
            let mut equations: Vec<Form> = Vec::with_capacity(n);
            for row in around.iter().flat_map(|it| &it.equations) {
                let mut unknown = row.unknown.clone();
                for (bit, (number, form)) in atoms.iter().enumerate() {
                    if let (true, Some(factor)) = (bits >> bit & 1 == 1, row.known.get(number)) {
                        super::form::add(&mut unknown, form, factor);
                    }
                }
                equations.push(Form {
                    unknown,
                    ..Form::default()
                });
            }
            equations.push(Form {
                unknown: curve.x.clone(),
                known: Sparse::from([(0, Rational::int(-1))]),
            });
            let y = Form {
                unknown: curve.y.clone(),
                ..Form::default()
            };
            let y = Solved::new(equations).ok()?.apply(&y);
            if !y.unknown.is_empty() {
                return None;
            }
            let falls = -y.known.get(&0)?;
            if !is_positive(&falls) {
                return None;
            }
            range = Some(match range {
                None => (falls.clone(), falls),
                Some((least, most)) => (least.min(falls.clone()), most.max(falls)),
            });
        }
        let (least, most) = range?;
        Some(Self { least, most })
    }
}

/// A part of the curve: the bits of its valuation, whether it can happen, which line it is on, its comparisons.
struct Comparisons {
    bits: usize,
    allowed: bool,
    line: usize,
    rows: Vec<Row>,
}

/// Whether a comparison holds above its threshold, the place of the threshold, and the other coordinate there.
type At = (bool, usize, Sparse);

/// The loop over the values of `ψ` at the thresholds.
struct Reduced {
    n_terms: usize,
    /// Over known terms and, behind them, values of `ψ`.
    domain: Vec<Row>,
    /// Per part its comparisons: above zero where they hold.
    comparisons: Vec<Comparisons>,
    /// Differences between two thresholds, with the places of the values of `ψ` there.
    pairs: Vec<(Row, usize, usize)>,
    least: Rational,
    most: Rational,
}

impl Reduced {
    fn new(case: &Case, curve: &Curve, surroundings: &Surroundings) -> Option<Self> {
        // Known terms, numbered anew.
        let mut terms: Vec<usize> = vec![0];
        let mut places: Vec<Sparse> = Vec::new();
        let mut comparisons: Vec<(usize, &Part, Vec<At>)> = Vec::new();
        for part in &curve.parts {
            let mut own = Vec::with_capacity(curve.thresholds.len());
            for (above, threshold) in &curve.thresholds {
                let (x, y) = part.at(threshold);
                terms.extend(x.keys().chain(y.keys()));
                let at = places.iter().position(|old| *old == x);
                let at = at.unwrap_or_else(|| {
                    places.push(x);
                    places.len() - 1
                });
                own.push((*above, at, y));
            }
            let same = |other: &Part| other.x == part.x && other.y == part.y;
            let line = curve.parts.iter().position(same)?;
            comparisons.push((line, part, own));
        }
        terms.extend(case.domain.iter().flat_map(|form| form.known.keys()));
        terms.sort_unstable();
        terms.dedup();
        let is_linear = surroundings.least == surroundings.most;
        let n_known = terms.len();
        let n_values = if is_linear { 1 } else { places.len() };
        let n = n_known + n_values;
        let row = |known: &Sparse| -> Option<Row> {
            let mut row = vec![Rational::zero(); n];
            for (term, value) in known {
                row[terms.binary_search(term).ok()?] = value.clone();
            }
            Some(row)
        };
        // ψ at a place; on a straight line one value is enough.
        let value = |at: usize| -> Option<Row> {
            let mut value = vec![Rational::zero(); n];
            if is_linear {
                let mut moved = places[at].clone();
                super::form::add(&mut moved, &places[0], &Rational::int(-1));
                value = row(&scaled(&moved, &-&surroundings.least))?;
            }
            let own = if is_linear { 0 } else { at };
            value[n_known + own] = Rational::one();
            Some(value)
        };
        let mut found = Vec::with_capacity(comparisons.len());
        for (line, part, own) in comparisons {
            let mut rows = Vec::with_capacity(own.len());
            for (above, at, y) in own {
                let minus = row(&scaled(&y, &Rational::int(-1)))?;
                let sum: Row = value(at)?.iter().zip(&minus).map(|(a, b)| a + b).collect();
                rows.push(if above { sum } else { negated(&sum) });
            }
            found.push(Comparisons {
                bits: part.bits,
                allowed: part.allowed,
                line,
                rows,
            });
        }
        let mut pairs = Vec::new();
        if !is_linear {
            for (i, a) in places.iter().enumerate() {
                for (j, b) in places.iter().enumerate().skip(i + 1) {
                    let mut apart = a.clone();
                    super::form::add(&mut apart, b, &Rational::int(-1));
                    pairs.push((row(&apart)?, n_known + i, n_known + j));
                }
            }
        }
        let domain: Option<Vec<Row>> = case.domain.iter().map(|form| row(&form.known)).collect();
        Some(Self {
            n_terms: n,
            domain: domain?,
            comparisons: found,
            pairs,
            least: surroundings.least.clone(),
            most: surroundings.most.clone(),
        })
    }

    fn decide(&self, left: &mut usize, check: &dyn Fn()) -> Option<Status> {
        let mut status = Status::Unique;
        for domain in self.orders(left)? {
            let mut programmes = Programmes::new(self.n_terms - 1, domain, *left);
            let mut regions: Vec<Region> = Vec::new();
            let mut result = Ok(());
            for part in &self.comparisons {
                let of = part.rows.iter().enumerate();
                let sides = of.map(|(bit, row)| match part.bits >> bit & 1 == 1 {
                    true => row.clone(),
                    false => negated(row),
                });
                result = result.and_then(|()| {
                    let own = (0..part.rows.len()).map(|bit| part.bits >> bit & 1 == 1);
                    regions.extend(programmes.region(
                        sides.collect(),
                        part.allowed,
                        part.line,
                        own.collect(),
                    )?);
                    Ok(())
                });
            }
            let outcome = result.and_then(|()| judged(&mut programmes, &regions, check));
            *left = programmes.left();
            match outcome.ok()? {
                Judged::Unique => {}
                Judged::Hysteresis(_) => status = Status::Hysteresis,
                Judged::None(_) | Judged::Several(_) => return None,
            }
        }
        Some(status)
    }

    /// The domain for each order of the thresholds along `x`, with what the slope of `ψ` says about its values there.
    fn orders(&self, left: &mut usize) -> Option<Vec<Vec<Row>>> {
        let mut found: Vec<Vec<Row>> = vec![self.domain.clone()];
        for (apart, i, j) in &self.pairs {
            let mut next: Vec<Vec<Row>> = Vec::new();
            for domain in found {
                for sign in [1, -1] {
                    let apart: Row = scaled_row(apart, &Rational::int(sign));
                    let mut programmes = Programmes::new(self.n_terms - 1, domain.clone(), *left);
                    let possible = programmes.inside(&[&apart], &[]);
                    *left = programmes.left();
                    if possible.ok()?.is_none() {
                        continue;
                    }
                    let (i, j) = if sign == 1 { (*i, *j) } else { (*j, *i) };
                    // ψ(j) - ψ(i), where i is further along.
                    let fall = |factor: &Rational, sign: i64| {
                        let mut row = scaled_row(&apart, &(factor * &Rational::int(-sign)));
                        row[j] = &row[j] + &Rational::int(sign);
                        row[i] = &row[i] - &Rational::int(sign);
                        row
                    };
                    let mut domain = domain.clone();
                    domain.extend([apart.clone(), fall(&self.least, 1), fall(&self.most, -1)]);
                    next.push(domain);
                }
            }
            found = next;
            if found.len() > MAX_ORDERS {
                return None;
            }
        }
        Some(found)
    }
}

fn scaled_row(row: &Row, factor: &Rational) -> Row {
    row.iter().map(|value| value * factor).collect()
}
