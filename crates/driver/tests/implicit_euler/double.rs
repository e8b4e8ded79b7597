//! Numbers with about 32 digits, so that a step of 1e-8 may be divided by several times.

use modeshift_mdae::sym::{Field, Func, Rational, RelOp};
use twofloat::TwoFloat;

/// A sum of two floating point numbers.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Double(pub TwoFloat);

impl Double {
    pub const ZERO: Self = Self(TwoFloat::from_f64(0.0));

    pub fn new(value: f64) -> Self {
        Self(TwoFloat::from(value))
    }

    pub fn to_f64(self) -> f64 {
        f64::from(self.0)
    }

    pub fn size(self) -> f64 {
        self.to_f64().abs()
    }

    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    pub fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    pub fn times(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }

    pub fn over(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Field for Double {
    fn from_rational(value: &Rational) -> Option<Self> {
        // Decimals such as 0.1 are exact fractions here.
        Some(match value.to_small() {
            Some((n, d)) => Self(TwoFloat::from(n) / TwoFloat::from(d)),
            None => Self::new(value.to_f64()),
        })
    }

    fn add(&self, other: &Self) -> Self {
        self.plus(*other)
    }

    fn mul(&self, other: &Self) -> Self {
        self.times(*other)
    }

    fn pow(&self, exponent: &Rational) -> Option<Self> {
        let value = match exponent.to_i64().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => self.0.powi(n),
            None if self.to_f64() > 0.0 && exponent.to_small() == Some((1, 2)) => self.0.sqrt(),
            None if self.to_f64() > 0.0 => self.0.powf(TwoFloat::from(exponent.to_f64())),
            None => return None,
        };
        value.is_valid().then_some(Self(value))
    }

    fn call(function: &Func, args: &[Self]) -> Option<Self> {
        if !function.partials.is_empty() {
            return None;
        }
        let value = match (function.name.as_str(), args) {
            ("sin", [x]) => x.0.sin(),
            ("cos", [x]) => x.0.cos(),
            ("exp", [x]) => x.0.exp(),
            ("abs", [x]) => x.0.abs(),
            ("sign", [x]) => return Some(Self::new(sign(x.to_f64()))),
            ("min", [a, b]) => return Some(if a < b { *a } else { *b }),
            ("max", [a, b]) => return Some(if a < b { *b } else { *a }),
            _ => return None,
        };
        value.is_valid().then_some(Self(value))
    }

    fn compare(op: RelOp, left: &Self, right: &Self) -> Option<bool> {
        f64::compare(op, &left.minus(*right).to_f64(), &0.0)
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Newton's step for an augmented system `[A | b]`: unknowns that the rows leave open do not move, and rows
/// that depend on others wait for the next step.
pub fn eliminate(mut rows: Vec<Vec<Double>>, n: usize) -> Vec<Double> {
    equilibrate(&mut rows, n);
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    let mut used = vec![false; rows.len()];
    for column in 0..n {
        let best = (0..rows.len())
            .filter(|&row| !used[row])
            .max_by(|&a, &b| rows[a][column].size().total_cmp(&rows[b][column].size()));
        let Some(pivot) = best.filter(|&row| rows[row][column].size() > 1e-26) else {
            continue;
        };
        used[pivot] = true;
        let lead = rows[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == pivot || row[column].to_f64() == 0.0 {
                continue;
            }
            let factor = row[column].over(lead[column]);
            for (entry, above) in row.iter_mut().zip(&lead) {
                if above.to_f64() != 0.0 {
                    *entry = entry.minus(factor.times(*above));
                }
            }
            row[column] = Double::ZERO;
        }
        pivots.push((pivot, column));
    }
    let mut solution = vec![Double::ZERO; n];
    for (row, column) in pivots {
        solution[column] = rows[row][n].over(rows[row][column]);
    }
    solution
}

/// Divides rows by their largest entries. Unknowns keep their units: they are part of the answer.
fn equilibrate(rows: &mut [Vec<Double>], n: usize) {
    for row in rows {
        let largest = row[..n]
            .iter()
            .map(|entry| entry.size())
            .fold(0.0, f64::max);
        if largest > 0.0 {
            let scale = Double::new(largest);
            for entry in row {
                *entry = entry.over(scale);
            }
        }
    }
}
