//! The rescaling calculus: orders of impulses.
//!
//! On the enabled square system every variable gets an order `μ_x ≥ 0` (it is `O(ε^-μ)`) and every row
//! the largest order of its terms, such that the term of the matched variable has that order. With the
//! weights 1 for the ε⁻¹ terms of Euler identities and a matching of largest weight this is the dual of
//! the Sigma-method, and the least solution is finite. A variable that occurs as a power `x^q` gets the
//! order divided by `q`; then the matching is improved along the cycle that drives the orders up.

use crate::array::{Array, Row, RowTerm};
use crate::sigma::least_offsets;
use crate::terms::Order;
use num_traits::{Signed as _, Zero as _};

/// The orders of a square enabled system.
#[derive(Clone, Debug)]
pub struct Orders {
    /// By column.
    pub variable: Vec<Order>,
    /// By position in the list of enabled rows.
    pub row: Vec<Order>,
    /// Column matched with each enabled row.
    pub column_of: Vec<usize>,
    /// Enabled rows in which an impulsive variable is locked in a function, with those columns.
    pub locked: Vec<(usize, Vec<usize>)>,
}

/// No matching gives finite orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unbounded;

/// Solves the calculus for the `enabled` rows, which have a perfect matching with the columns they use.
///
/// O(n) sweeps of the array for each of at most `n` matchings; one suffices for linear rows.
pub fn orders(array: &Array, enabled: &[usize]) -> Result<Orders, Unbounded> {
    let rows: Vec<&Row> = enabled.iter().map(|&row| &array.rows[row]).collect();
    let weights: Vec<Vec<(usize, u32)>> = rows.iter().map(|row| weights(row)).collect();
    let matched = least_offsets(&weights, array.columns.len()).map_err(|_| Unbounded)?;
    let mut column_of = matched.column_of;
    for _ in 0..=rows.len() {
        match sweep(&rows, &column_of, array.columns.len()) {
            Ok((variable, row)) => {
                let locked = locked_rows(&rows, &column_of, &variable);
                return Ok(Orders {
                    variable,
                    row,
                    column_of,
                    locked,
                });
            }
            Err(cycle) => {
                if cycle.is_empty() {
                    return Err(Unbounded);
                }
                for (row, column) in cycle {
                    column_of[row] = column;
                }
            }
        }
    }
    Err(Unbounded)
}

fn weights(row: &Row) -> Vec<(usize, u32)> {
    let weight = |column: usize| {
        let terms = row
            .terms
            .iter()
            .filter(|term| term.powers.iter().any(|p| p.0 == column));
        terms
            .map(|term| u32::try_from(term.eps).unwrap_or(0))
            .max()
            .unwrap_or(0)
    };
    row.columns
        .iter()
        .map(|&column| (column, weight(column)))
        .collect()
}

/// The order of a term; locked variables count as not impulsive here and are judged afterwards.
pub fn term_order(term: &RowTerm, orders: &[Order]) -> Order {
    let powers = term
        .powers
        .iter()
        .map(|(column, exponent)| orders[*column] * exponent);
    powers.fold(Order::from_integer(term.eps), |sum, order| sum + order)
}

type Flips = Vec<(usize, usize)>;

/// Least fixpoint for one matching, or the exchanges along the cycle that makes it diverge.
fn sweep(
    rows: &[&Row],
    column_of: &[usize],
    n_columns: usize,
) -> Result<(Vec<Order>, Vec<Order>), Flips> {
    let mut orders = vec![Order::zero(); n_columns];
    // Which row raised a column last, and which column was to blame.
    let mut blame: Vec<Option<usize>> = vec![None; n_columns];
    let mut row_of = vec![usize::MAX; n_columns];
    for (row, &column) in column_of.iter().enumerate() {
        row_of[column] = row;
    }
    for _ in 0..=2 * n_columns + 2 {
        let mut changed = false;
        for (row, &column) in rows.iter().zip(column_of) {
            let Some((top, culprit)) = dominant(row, &orders) else {
                continue;
            };
            if let Some(needed) = needed_order(row, column, top, &orders)
                && needed > orders[column]
            {
                orders[column] = needed;
                blame[column] = culprit.filter(|&c| c != column);
                changed = true;
            }
        }
        if !changed {
            let row_orders = rows.iter().map(|row| row_order(row, &orders)).collect();
            return Ok((orders, row_orders));
        }
    }
    Err(find_cycle(&blame, &row_of))
}

fn row_order(row: &Row, orders: &[Order]) -> Order {
    dominant(row, orders).map_or_else(Order::zero, |(top, _)| top.max(Order::zero()))
}

/// The largest order of a term (at least 0), and the impulsive column in it.
fn dominant(row: &Row, orders: &[Order]) -> Option<(Order, Option<usize>)> {
    let mut best: Option<(Order, Option<usize>)> = None;
    for term in &row.terms {
        let order = term_order(term, orders);
        let culprit = term
            .powers
            .iter()
            .max_by_key(|(column, _)| orders[*column])
            .map(|(column, _)| *column);
        if best.as_ref().is_none_or(|(top, _)| order > *top) {
            best = Some((order, culprit));
        }
    }
    best
}

/// The order `column` needs for one of its terms to reach `top`: the smallest over its terms.
fn needed_order(row: &Row, column: usize, top: Order, orders: &[Order]) -> Option<Order> {
    let needed = row.terms.iter().filter_map(|term| {
        let (_, exponent) = term.powers.iter().find(|(c, _)| *c == column)?;
        if !exponent.is_positive() || term.locked.contains(&column) {
            return None;
        }
        let others = term_order(term, orders) - orders[column] * exponent;
        Some((top - others) / exponent)
    });
    needed.min()
}

fn find_cycle(blame: &[Option<usize>], row_of: &[usize]) -> Flips {
    for start in 0..blame.len() {
        let mut seen = vec![start];
        let mut current = start;
        while let Some(next) = blame[current] {
            if let Some(at) = seen.iter().position(|&column| column == next) {
                let cycle = &seen[at..];
                // The row matched with `a` blames the next column of the cycle: match it with that one.
                let following = cycle.iter().cycle().skip(1);
                let flips = cycle.iter().zip(following).map(|(&a, &b)| (row_of[a], b));
                return flips.filter(|&(row, _)| row != usize::MAX).collect();
            }
            seen.push(next);
            current = next;
        }
    }
    Vec::new()
}

/// Rows with an impulsive variable inside a function, and rows that an impulse reaches while the
/// variable that should balance it is inside a function.
fn locked_rows(rows: &[&Row], column_of: &[usize], orders: &[Order]) -> Vec<(usize, Vec<usize>)> {
    let impulsive = |column: usize| orders[column].is_positive();
    let locked = |row: &Row, matched: usize| -> Vec<usize> {
        let inside = row.terms.iter().flat_map(|term| {
            let negative = term
                .powers
                .iter()
                .filter(|(_, e)| e.is_negative())
                .map(|(c, _)| *c);
            term.locked.iter().copied().chain(negative)
        });
        let mut list: Vec<usize> = inside.filter(|&column| impulsive(column)).collect();
        let top = row_order(row, orders);
        if top.is_positive() && needed_order(row, matched, top, orders) != Some(orders[matched]) {
            list.push(matched);
        }
        list.sort_unstable();
        list.dedup();
        list
    };
    rows.iter()
        .enumerate()
        .map(|(i, row)| (i, locked(row, column_of[i])))
        .filter(|(_, columns)| !columns.is_empty())
        .collect()
}
