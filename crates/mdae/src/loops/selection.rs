//! Several elements that jump: is there always something that fits?
//!
//! Each element is a curve ([`super::curve`]). If an unbroken curve that never falls can be chosen from the parts of each, as from
//! a clutch that sticks up to its sliding torque only, the loop of what is chosen has exactly one solution if that holds for
//! one such choice, two half-lines at a right angle, by the determinants of [`super::continuous`]: these are linear in the direction of
//! each part. A solution with the chosen parts is one of the loop. Whether others fit as well is not asked here.

use super::behaviour::Behaviour;
use super::case::Case;
use super::continuous::{Slopes, is_unique};
use super::curve::{Curve, Part};
use super::form::{Form, Solved, Sparse, add};
use super::lp::Row;
use super::regions::Programmes;
use super::system::System;
use crate::sym::Rational;
use modeshift_base::FxHashSet;

/// Numbers for unknowns and comparisons beyond those of all loops.
const BEYOND: usize = usize::MAX / 2;

/// Whether something fits whatever is known. `jumping` are the elements that jump, `around` is everything else.
pub(super) fn always_fits(
    system: &System<'_>,
    before: &Solved,
    jumping: &[&Behaviour],
    around: &[&Slopes],
    left: &mut usize,
) -> bool {
    exists(system, before, jumping, around, left).is_some()
}

fn exists(
    system: &System<'_>,
    before: &Solved,
    jumping: &[&Behaviour],
    around: &[&Slopes],
    left: &mut usize,
) -> Option<()> {
    let cases: Vec<Case> = jumping
        .iter()
        .map(|&one| Case::new(system, before, &[one]))
        .collect();
    let unknowns = |case: &Case| -> FxHashSet<usize> {
        let rows = case.rows.iter().flat_map(|row| row.forms.iter().flatten());
        let atoms = case.atoms.iter().map(|(form, _)| form);
        let forms = rows.chain(atoms);
        forms
            .flat_map(|form| form.unknown.keys().copied())
            .collect()
    };
    let of: Vec<FxHashSet<usize>> = cases.iter().map(unknowns).collect();
    let mut n = cases.first()?.n;
    let mut chosen: Vec<Slopes> = Vec::with_capacity(cases.len());
    for (number, case) in cases.iter().enumerate() {
        let mut outside: FxHashSet<usize> = FxHashSet::default();
        for (other, unknowns) in of.iter().enumerate() {
            if other != number {
                outside.extend(unknowns);
            }
        }
        for slopes in around {
            outside.extend(slopes.unknowns());
        }
        let curve = Curve::new(case, &outside)?;
        Path {
            case,
            curve: &curve,
        }
        .find(left)?;
        n = n + 1 - curve.n_own;
        chosen.push(corner(number, &curve));
    }
    let mut all: Vec<&Slopes> = around.to_vec();
    all.extend(&chosen);
    (is_unique(n, &all) == Some(true)).then_some(())
}

/// The half-lines `x < 0, y = 0` and `x = 0, y > 0`.
fn corner(number: usize, curve: &Curve) -> Slopes {
    let s = BEYOND + number;
    let with = |mut unknown: Sparse, own: i64, above: i64| {
        if own != 0 {
            unknown.insert(s, Rational::int(own));
        }
        Form {
            unknown,
            known: Sparse::from([(s, Rational::int(above))]),
        }
    };
    Slopes {
        equations: vec![with(curve.x.clone(), -1, 1), with(curve.y.clone(), 0, -1)],
        atoms: vec![(s, Sparse::from([(s, Rational::one())]))],
    }
}

/// The search for an unbroken curve among the parts of an element, in the order of the path parameter.
struct Path<'c> {
    case: &'c Case,
    curve: &'c Curve,
}

impl Path<'_> {
    fn find(&self, left: &mut usize) -> Option<()> {
        let steps = self.thresholds(left)?;
        let mut parts: Vec<&Part> = Vec::new();
        let mut joints: Vec<&Sparse> = Vec::new();
        for after in 0..=steps.len() {
            let mut bits = 0;
            for (step, (_, atoms)) in steps.iter().enumerate() {
                for &atom in atoms {
                    let above = self.curve.thresholds[atom].0;
                    if above == (step < after) {
                        bits |= 1 << atom;
                    }
                }
            }
            let part = self.curve.parts.iter().find(|part| part.bits == bits)?;
            if !part.allowed {
                return None;
            }
            let same = |old: &&Part| old.x == part.x && old.y == part.y;
            if parts.last().is_some_and(same) {
                continue;
            }
            if after > 0 {
                joints.push(&steps[after - 1].0);
            }
            parts.push(part);
        }
        // Where the chosen curve leaves a part and comes to the next one: before or after the threshold, on one of the two.
        let mut begins: Option<Sparse> = None;
        for (pair, joint) in parts.windows(2).zip(joints) {
            let [a, b] = pair else { return None };
            let (end, start) = (a.at(joint), b.at(joint));
            let minus = Rational::int(-1);
            let back = |from: &Sparse, to: &Sparse| {
                let mut back = from.clone();
                add(&mut back, to, &minus);
                back
            };
            let back = (back(&end.0, &start.0), back(&end.1, &start.1));
            let mut leaves = joint.clone();
            let mut next = joint.clone();
            if let Some(way) = along(a, &back)
                && self.is_at_least_zero(&way, left)?
            {
                add(&mut leaves, &way, &minus);
            } else if let Some(way) = along(b, &back)
                && self.is_at_least_zero(&way, left)?
            {
                add(&mut next, &way, &Rational::one());
            } else {
                return None;
            }
            if let Some(begins) = begins {
                let mut length = leaves;
                add(&mut length, &begins, &minus);
                if !self.is_at_least_zero(&length, left)? {
                    return None;
                }
            }
            begins = Some(next);
        }
        Some(())
    }

    /// The thresholds in ascending order, with the comparisons that have them; `None` if the order depends on what is known.
    fn thresholds(&self, left: &mut usize) -> Option<Vec<(Sparse, Vec<usize>)>> {
        let mut steps: Vec<(Sparse, Vec<usize>)> = Vec::new();
        for (atom, (_, threshold)) in self.curve.thresholds.iter().enumerate() {
            if let Some(step) = steps.iter_mut().find(|step| step.0 == *threshold) {
                step.1.push(atom);
                continue;
            }
            let mut place = 0;
            for (step, _) in &steps {
                let mut above = threshold.clone();
                add(&mut above, step, &Rational::int(-1));
                if self.is_at_least_zero(&above, left)? {
                    place += 1;
                } else {
                    let mut below = Sparse::new();
                    add(&mut below, &above, &Rational::int(-1));
                    if !self.is_at_least_zero(&below, left)? {
                        return None;
                    }
                    break;
                }
            }
            steps.insert(place, (threshold.clone(), vec![atom]));
        }
        Some(steps)
    }

    /// Whether a form of known terms is never below zero in the domain; `None` if that takes too long.
    fn is_at_least_zero(&self, form: &Sparse, left: &mut usize) -> Option<bool> {
        let mut terms: Vec<usize> = vec![0];
        terms.extend(form.keys());
        let domain = self.case.domain.iter();
        terms.extend(domain.flat_map(|form| form.known.keys()));
        terms.sort_unstable();
        terms.dedup();
        let row = |known: &Sparse, sign: i64| -> Option<Row> {
            let mut row = vec![Rational::zero(); terms.len()];
            for (term, value) in known {
                row[terms.binary_search(term).ok()?] = value * &Rational::int(sign);
            }
            Some(row)
        };
        let domain: Option<Vec<Row>> = self
            .case
            .domain
            .iter()
            .map(|it| row(&it.known, 1))
            .collect();
        let mut programmes = Programmes::new(terms.len() - 1, domain?, *left);
        let below = programmes.inside(&[&row(form, -1)?], &[]).ok()?;
        *left = programmes.left();
        Some(below.is_none())
    }
}

/// How far along a part a step is, if it is along it.
fn along(part: &Part, step: &(Sparse, Sparse)) -> Option<Sparse> {
    let (slope, own) = match part.x.0.is_zero() {
        true => (&part.y.0, &step.1),
        false => (&part.x.0, &step.0),
    };
    let way = super::curve::scaled(own, &slope.recip()?);
    let is = |slope: &Rational, step: &Sparse| super::curve::scaled(&way, slope) == *step;
    (is(&part.x.0, &step.0) && is(&part.y.0, &step.1)).then_some(way)
}
