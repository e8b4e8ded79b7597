//! Regular matrix pencils in exact rationals: consistency projectors and impulses by the Wong sequences.
//!
//! For `E x' = A x` with a regular pencil, a left limit `x⁻` leads to the right limit `Π x⁻`, with the impulses
//! `−Σ Nⁱ⁺¹ x⁻ δ^(i)`, where `Π` projects along the second Wong limit onto the first, and `N` is the impulse matrix
//! (Tanwani and Trenn 2010).

use modeshift_mdae::sym::Rational;

pub type Vector = Vec<Rational>;
/// By rows.
pub type Matrix = Vec<Vector>;

pub fn zero() -> Rational {
    Rational::zero()
}

pub fn zeros(rows: usize, columns: usize) -> Matrix {
    vec![vec![zero(); columns]; rows]
}

pub fn times(m: &Matrix, v: &[Rational]) -> Vector {
    m.iter().map(|row| dot(row, v)).collect()
}

pub fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    let products = a
        .iter()
        .zip(b)
        .filter(|(x, y)| !x.is_zero() && !y.is_zero());
    products.fold(zero(), |sum, (x, y)| &sum + &(x * y))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transposed(b);
    a.iter()
        .map(|row| columns.iter().map(|column| dot(row, column)).collect())
        .collect()
}

fn transposed(m: &Matrix) -> Matrix {
    let n = m.first().map_or(0, Vec::len);
    (0..n)
        .map(|j| m.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// Reduces to row echelon form with leading ones; the pivot columns.
fn reduce(m: &mut Matrix) -> Vec<usize> {
    let n = m.first().map_or(0, Vec::len);
    let mut pivots = Vec::new();
    for column in 0..n {
        let rank = pivots.len();
        let Some(row) = (rank..m.len()).find(|&row| !m[row][column].is_zero()) else {
            continue;
        };
        m.swap(rank, row);
        let lead = m[rank][column].clone();
        for entry in &mut m[rank] {
            *entry = entry.checked_div(&lead).unwrap_or_else(zero);
        }
        let pivot = m[rank].clone();
        for (i, row) in m.iter_mut().enumerate() {
            if i != rank && !row[column].is_zero() {
                let factor = row[column].clone();
                for (entry, above) in row.iter_mut().zip(&pivot) {
                    if !above.is_zero() {
                        *entry = &*entry - &(&factor * above);
                    }
                }
            }
        }
        pivots.push(column);
    }
    pivots
}

/// A basis of the null space, of vectors of length `n`.
pub fn kernel(m: &Matrix, n: usize) -> Vec<Vector> {
    let mut m = m.clone();
    let pivots = if m.is_empty() {
        Vec::new()
    } else {
        reduce(&mut m)
    };
    let free = (0..n).filter(|column| !pivots.contains(column));
    free.map(|column| {
        let mut v = vec![zero(); n];
        v[column] = Rational::one();
        for (row, &pivot) in pivots.iter().enumerate() {
            v[pivot] = &zero() - &m[row][column];
        }
        v
    })
    .collect()
}

/// A basis of what vectors span.
pub fn independent(vectors: Vec<Vector>) -> Vec<Vector> {
    let mut rows = vectors;
    if rows.is_empty() {
        return rows;
    }
    let rank = reduce(&mut rows).len();
    rows.truncate(rank);
    rows
}

/// `{x : m x ∈ span(basis)}`
fn preimage(m: &Matrix, basis: &[Vector]) -> Vec<Vector> {
    let n = m.first().map_or(0, Vec::len);
    let joined: Matrix = m
        .iter()
        .enumerate()
        .map(|(i, row)| {
            row.iter()
                .cloned()
                .chain(basis.iter().map(|b| b[i].clone()))
                .collect()
        })
        .collect();
    let found = kernel(&joined, n + basis.len());
    independent(found.into_iter().map(|v| v[..n].to_vec()).collect())
}

/// The first Wong limit of `E x' = A x`, with as many rows as there are: all values that its solutions can have.
pub fn consistent(e: &Matrix, a: &Matrix) -> Vec<Vector> {
    let n = e.first().map_or(0, Vec::len);
    let unit = |i: usize| {
        (0..n)
            .map(|j| if i == j { Rational::one() } else { zero() })
            .collect()
    };
    let mut v: Vec<Vector> = (0..n).map(unit).collect();
    loop {
        let next: Vec<Vector> = v.iter().map(|b| times(e, b)).collect();
        let next = preimage(a, &next);
        let done = next.len() == v.len();
        v = next;
        if done {
            return v;
        }
    }
}

fn inverse(m: &Matrix) -> Option<Matrix> {
    let n = m.len();
    let mut joined: Matrix = m
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let unit = (0..n).map(|j| if i == j { Rational::one() } else { zero() });
            row.iter().cloned().chain(unit).collect()
        })
        .collect();
    let pivots = reduce(&mut joined);
    let regular = pivots.len() == n && pivots.iter().enumerate().all(|(i, &p)| i == p);
    regular.then(|| joined.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// What a regular pencil does to a left limit.
pub struct Pencil {
    projector: Matrix,
    impulse: Matrix,
}

impl Pencil {
    /// `None` for a singular pencil.
    pub fn new(e: &Matrix, a: &Matrix) -> Option<Self> {
        let n = e.len();
        let v = consistent(e, a);
        let mut w: Vec<Vector> = Vec::new();
        loop {
            let next: Vec<Vector> = w.iter().map(|b| times(a, b)).collect();
            let next = preimage(e, &next);
            let done = next.len() == w.len();
            w = next;
            if done {
                break;
            }
        }
        if v.len() + w.len() != n {
            return None;
        }
        let columns: Vec<Vector> = v.iter().chain(&w).cloned().collect();
        let t = transposed(&columns);
        let t_inverse = inverse(&t)?;
        let images: Vec<Vector> = v
            .iter()
            .map(|b| times(e, b))
            .chain(w.iter().map(|b| times(a, b)))
            .collect();
        let s = inverse(&transposed(&images))?;
        let part = |m: &Matrix, first: bool| -> Matrix {
            m.iter()
                .enumerate()
                .map(|(i, row)| {
                    if (i < v.len()) == first {
                        row.clone()
                    } else {
                        vec![zero(); n]
                    }
                })
                .collect()
        };
        Some(Self {
            projector: product(&t, &part(&t_inverse, true)),
            impulse: product(&t, &part(&product(&s, e), false)),
        })
    }

    pub fn right_limit(&self, left: &[Rational]) -> Vector {
        times(&self.projector, left)
    }

    /// The coefficients of δ, δ', …, up to the last that is not zero.
    pub fn impulses(&self, left: &[Rational]) -> Vec<Vector> {
        let mut list = Vec::new();
        let mut power = left.to_vec();
        for _ in 0..left.len() {
            power = times(&self.impulse, &power);
            if power.iter().all(Rational::is_zero) {
                break;
            }
            list.push(power.iter().map(|value| &zero() - value).collect());
        }
        list
    }
}
