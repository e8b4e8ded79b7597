//! Is there a point that satisfies all of these inequalities with room to spare? Exactly.
//!
//! `a_i · t + c_i ≥ m` for all `i`, with the largest margin `m ≤ 1`: a linear programme for which `t = 0` and a margin low
//! enough is a start, so that the simplex method needs no first phase. Bland's rule keeps it from going in circles.

use crate::sym::Rational;

/// `a · t + c`: the constant term first.
pub(super) type Row = Vec<Rational>;

/// Numbers that all programmes of one loop together may touch.
pub(super) struct Budget {
    pub(super) left: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exhausted;

/// A point where every form of `positive` is above zero and every form of `zero` is zero.
pub(super) fn point(
    n: usize,
    positive: &[Row],
    zero: &[Row],
    budget: &mut Budget,
) -> Result<Option<Vec<Rational>>, Exhausted> {
    // Equations take variables away: t_at = form of the others.
    let mut positive: Vec<Row> = positive.to_vec();
    let mut zero: Vec<Row> = zero.to_vec();
    let mut taken: Vec<(usize, Row)> = Vec::new();
    while let Some(equation) = zero.pop() {
        let pivot = (1..=n).find(|&at| !equation[at].is_zero());
        let Some(at) = pivot else {
            if equation[0].is_zero() {
                continue;
            }
            return Ok(None);
        };
        let Some(scale) = equation[at].recip() else {
            return Ok(None);
        };
        let scale = -&scale;
        let mut solved: Row = equation.iter().map(|value| value * &scale).collect();
        solved[at] = Rational::zero();
        for row in positive.iter_mut().chain(zero.iter_mut()) {
            replace(row, at, &solved);
        }
        for (_, row) in &mut taken {
            replace(row, at, &solved);
        }
        taken.push((at, solved));
    }
    // Forms without variables are decided.
    let mut open: Vec<Row> = Vec::new();
    for row in positive {
        if row[1..].iter().all(Rational::is_zero) {
            if row[0].is_negative() || row[0].is_zero() {
                return Ok(None);
            }
        } else if !open.contains(&row) {
            open.push(row);
        }
    }
    let Some(mut found) = largest_margin(n, &open, budget)? else {
        return Ok(None);
    };
    for (at, solved) in taken.iter().rev() {
        found[*at - 1] = value(solved, &found);
    }
    Ok(Some(found))
}

fn replace(row: &mut Row, at: usize, solved: &Row) {
    let factor = row[at].clone();
    if factor.is_zero() {
        return;
    }
    row[at] = Rational::zero();
    for (entry, other) in row.iter_mut().zip(solved) {
        if !other.is_zero() {
            *entry = &*entry + &(other * &factor);
        }
    }
}

/// The form at a point.
pub(super) fn value(row: &Row, point: &[Rational]) -> Rational {
    let mut sum = row[0].clone();
    for (a, t) in row[1..].iter().zip(point) {
        if !a.is_zero() && !t.is_zero() {
            sum = &sum + &(a * t);
        }
    }
    sum
}

/// The simplex method on `m' − a·(u − v) ≤ c − m0`, `m' ≤ 1 − m0`, all variables at least zero.
fn largest_margin(
    n: usize,
    rows: &[Row],
    budget: &mut Budget,
) -> Result<Option<Vec<Rational>>, Exhausted> {
    let one = Rational::one();
    let lowest = rows
        .iter()
        .map(|row| &row[0])
        .min()
        .filter(|lowest| **lowest < one)
        .unwrap_or(&one)
        .clone();
    if !lowest.is_negative() && !lowest.is_zero() {
        return Ok(Some(vec![Rational::zero(); n]));
    }
    // Columns: m', u_1..u_n, v_1..v_n, then the right-hand side.
    let width = 2 * n + 2;
    let mut table: Vec<Vec<Rational>> = Vec::with_capacity(rows.len() + 1);
    for row in rows {
        let mut line = vec![Rational::zero(); width];
        line[0] = one.clone();
        for at in 1..=n {
            line[at] = -&row[at];
            line[n + at] = row[at].clone();
        }
        line[width - 1] = &row[0] - &lowest;
        table.push(line);
    }
    let mut cap = vec![Rational::zero(); width];
    cap[0] = one.clone();
    cap[width - 1] = &one - &lowest;
    table.push(cap);
    // Maximise m': reduced costs, negative where there is something to gain.
    let mut cost = vec![Rational::zero(); width];
    cost[0] = Rational::int(-1);
    // Structural columns are 0..2n+1; a slack variable is 2n+1+row.
    let n_columns = 2 * n + 1;
    let mut column_of: Vec<usize> = (0..n_columns).collect();
    let mut basis: Vec<usize> = (0..table.len()).map(|row| n_columns + row).collect();
    loop {
        let margin = &cost[width - 1] + &lowest;
        if !margin.is_negative() && !margin.is_zero() {
            break;
        }
        // Bland: the lowest number that gains, the lowest number that leaves.
        let enters = (0..n_columns)
            .filter(|&at| cost[at].is_negative())
            .min_by_key(|&at| column_of[at]);
        let Some(enters) = enters else {
            return Ok(None);
        };
        // A step touches the whole table.
        let touched = table.len() * width;
        budget.left = budget.left.checked_sub(touched).ok_or(Exhausted)?;
        let mut best: Option<(Rational, usize)> = None;
        for (row, line) in table.iter().enumerate() {
            let entry = &line[enters];
            if entry.is_negative() || entry.is_zero() {
                continue;
            }
            let Some(ratio) = line[width - 1].checked_div(entry) else {
                continue;
            };
            let better = match &best {
                None => true,
                Some((least, old)) => ratio < *least || ratio == *least && basis[row] < basis[*old],
            };
            if better {
                best = Some((ratio, row));
            }
        }
        // The margin is capped, so that something always stops it.
        let Some((_, leaves)) = best else {
            return Ok(None);
        };
        pivot(&mut table, &mut cost, leaves, enters);
        std::mem::swap(&mut basis[leaves], &mut column_of[enters]);
    }
    let mut values = vec![Rational::zero(); n_columns];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < n_columns {
            values[variable] = table[row][width - 1].clone();
        }
    }
    Ok(Some(
        (1..=n).map(|at| &values[at] - &values[n + at]).collect(),
    ))
}

/// Exchanges a basic variable with a column of the condensed table.
fn pivot(table: &mut [Vec<Rational>], cost: &mut [Rational], leaves: usize, enters: usize) {
    let Some(inverse) = table[leaves][enters].recip() else {
        return;
    };
    let mut line = table[leaves].clone();
    for entry in &mut line {
        *entry = &*entry * &inverse;
    }
    line[enters] = inverse.clone();
    for (row, other) in table.iter_mut().enumerate() {
        if row != leaves {
            eliminate(other, &line, enters);
        }
    }
    eliminate(cost, &line, enters);
    table[leaves] = line;
}

fn eliminate(other: &mut [Rational], line: &[Rational], enters: usize) {
    let factor = other[enters].clone();
    if factor.is_zero() {
        return;
    }
    for (at, (entry, value)) in other.iter_mut().zip(line).enumerate() {
        if at == enters {
            *entry = -&(&factor * value);
        } else if !value.is_zero() {
            *entry = &*entry - &(&factor * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, point, value};
    use crate::sym::Rational;
    use proptest::prelude::*;

    fn row(values: &[i64]) -> Vec<Rational> {
        values.iter().map(|&value| Rational::int(value)).collect()
    }

    #[test]
    fn an_interval_has_an_inside_and_a_point_has_none() {
        let mut budget = Budget { left: 100_000 };
        let inside = point(1, &[row(&[1, 1]), row(&[1, -1])], &[], &mut budget);
        assert!(inside.unwrap().is_some());
        let nothing = point(1, &[row(&[-1, 1]), row(&[1, -1])], &[], &mut budget);
        assert_eq!(nothing, Ok(None));
        let far = point(
            2,
            &[row(&[-100, 1, 1]), row(&[-100, 1, -1])],
            &[row(&[-3, 0, 1])],
            &mut budget,
        );
        assert_eq!(far.unwrap().unwrap()[1], Rational::int(3));
    }

    proptest! {
        #[test]
        fn the_point_satisfies_what_a_grid_can_satisfy(
            rows in prop::collection::vec(prop::collection::vec(-3i64..4, 3), 1..6),
        ) {
            let rows: Vec<_> = rows.iter().map(|values| row(values)).collect();
            let mut budget = Budget { left: 1_000_000 };
            let found = point(2, &rows, &[], &mut budget).unwrap();
            let positive = |at: &[Rational]| {
                rows.iter().all(|row| {
                    let value = value(row, at);
                    !value.is_negative() && !value.is_zero()
                })
            };
            if let Some(found) = &found {
                prop_assert!(positive(found));
            }
            for x in -12..=12 {
                for y in -12..=12 {
                    let at = [Rational::new(x, 2).unwrap(), Rational::new(y, 2).unwrap()];
                    prop_assert!(found.is_some() || !positive(&at));
                }
            }
        }
    }
}
