//! Random left limits that the mode before and the zero crossing allow, modulo the prime.

use crate::facts::{TIME, with_time};
use modeshift_algebra::Solution;
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{At, Expr, Fp, Sample, VarRef, evaluate, partial, variables};

/// A random point at which all `hypotheses` are zero; `None` where they are not linear in the left limits, or
/// contradict each other.
pub(super) fn random_point(hypotheses: &[Expr], seed: u64) -> Option<Sample> {
    let mut sample = Sample::new(seed);
    let hypotheses: Vec<Expr> = hypotheses.iter().map(with_time).collect();
    // Where a crossing says at which time it happens, or at which value of an input, all others are evaluated there.
    for hypothesis in &hypotheses {
        if let Some((known, value)) = known_value(hypothesis, &sample) {
            sample.set(known, value);
        }
    }
    let mut columns: FxIndexMap<VarRef, ()> = FxIndexMap::default();
    for hypothesis in &hypotheses {
        columns.extend(variables(hypothesis).into_iter().map(|o| (o, ())));
    }
    // Time and inputs that occur in a coefficient or inside a function are chosen beforehand.
    for hypothesis in &hypotheses {
        for o in variables(hypothesis) {
            for inner in variables(&partial(hypothesis, o)) {
                if inner.at == At::Now {
                    columns.shift_remove(&inner);
                }
            }
        }
    }
    let n = columns.len();
    let mut zero = sample.clone();
    for column in columns.keys() {
        zero.set(*column, Fp::ZERO);
    }
    let mut rows = Vec::new();
    for hypothesis in &hypotheses {
        let mut sum = evaluate(hypothesis, &zero).ok()?;
        let mut row = vec![(n, sum)];
        for o in variables(hypothesis) {
            let Some(column) = columns.get_index_of(&o) else {
                continue;
            };
            let slope = partial(hypothesis, o);
            if variables(&slope).iter().any(|o| columns.contains_key(o)) {
                return None;
            }
            let slope = evaluate(&slope, &zero).ok()?;
            sum = sum.plus(slope.times(sample.get(o)));
            row.push((column, slope));
        }
        // What has no slope but is not constant is not linear.
        if evaluate(hypothesis, &sample).ok()? != sum {
            return None;
        }
        let only_known = row.len() == 1;
        if !only_known {
            rows.push(row.into_iter().collect());
        }
    }
    let solution = Solution::of(rows, n);
    if solution.is_contradictory() {
        return None;
    }
    let values =
        solution.pick(|column| sample.get(columns.get_index(column).map_or(TIME, |c| *c.0)));
    for (column, value) in columns.keys().zip(values) {
        sample.set(*column, value);
    }
    Some(sample)
}

/// The value of time or of an input that an equation gives by itself.
fn known_value(equation: &Expr, sample: &Sample) -> Option<(VarRef, Fp)> {
    let occurring = variables(equation);
    let mut occurring = occurring.iter();
    let (Some(&known), None) = (occurring.next(), occurring.next()) else {
        return None;
    };
    let slope = partial(equation, known);
    if known.at != At::Now || !variables(&slope).is_empty() {
        return None;
    }
    let mut zero = sample.clone();
    zero.set(known, Fp::ZERO);
    let constant = evaluate(equation, &zero).ok()?;
    let inverse = evaluate(&slope, &zero).ok()?.inverse()?;
    Some((known, constant.times(inverse).negated()))
}
