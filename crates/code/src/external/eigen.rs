//! Eigenvalues and singular values of small dense matrices.

use crate::array::{Array, Dims};

fn zeros(rows: usize, columns: usize) -> Array<f64> {
    Array {
        dims: Dims::from_slice(&[rows, columns]),
        data: vec![0.0; rows * columns],
    }
}

/// Singular values in decreasing order with full orthogonal factors: A = U diag(s) Vᵀ. By rotations of pairs of
/// columns until all are orthogonal.
pub fn singular_values(a: &Array<f64>) -> (Vec<f64>, Array<f64>, Array<f64>) {
    let (m, n) = (a.dims[0], a.dims[1]);
    if m < n {
        let mut transposed = zeros(n, m);
        for i in 0..m {
            for j in 0..n {
                transposed.data[j * m + i] = a.data[i * n + j];
            }
        }
        let (s, u, vt) = singular_values(&transposed);
        let flip = |x: &Array<f64>| {
            let k = x.dims[0];
            let mut out = zeros(k, k);
            for i in 0..k {
                for j in 0..k {
                    out.data[j * k + i] = x.data[i * k + j];
                }
            }
            out
        };
        return (s, flip(&vt), flip(&u));
    }
    let mut w = a.data.clone();
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..60 {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let (mut alpha, mut beta, mut gamma) = (0.0, 0.0, 0.0);
                for i in 0..m {
                    let (x, y) = (w[i * n + p], w[i * n + q]);
                    alpha += x * x;
                    beta += y * y;
                    gamma += x * y;
                }
                if gamma == 0.0 || gamma.abs() <= 1e-15 * (alpha * beta).sqrt() {
                    continue;
                }
                rotated = true;
                let zeta = (beta - alpha) / (2.0 * gamma);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                let turn = |data: &mut [f64], rows: usize| {
                    for i in 0..rows {
                        let (x, y) = (data[i * n + p], data[i * n + q]);
                        data[i * n + p] = c * x - s * y;
                        data[i * n + q] = s * x + c * y;
                    }
                };
                turn(&mut w, m);
                turn(&mut v, n);
            }
        }
        if !rotated {
            break;
        }
    }
    let norm = |j: usize| (0..m).map(|i| w[i * n + j].powi(2)).sum::<f64>().sqrt();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| norm(b).total_cmp(&norm(a)));
    let s: Vec<f64> = order.iter().map(|&j| norm(j)).collect();
    let (mut u, mut vt) = (zeros(m, m), zeros(n, n));
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for (k, &j) in order.iter().enumerate() {
        (0..n).for_each(|i| vt.data[k * n + i] = v[i * n + j]);
        if s[k] > 1e-300 {
            columns.push((0..m).map(|i| w[i * n + j] / s[k]).collect());
        } else {
            columns.push(complete(&columns, m));
        }
    }
    while columns.len() < m {
        let next = complete(&columns, m);
        columns.push(next);
    }
    for (k, column) in columns.iter().enumerate() {
        (0..m).for_each(|i| u.data[i * m + k] = column[i]);
    }
    (s, u, vt)
}

/// A unit vector that is orthogonal to all others.
fn complete(columns: &[Vec<f64>], m: usize) -> Vec<f64> {
    for axis in 0..m {
        let mut x = vec![0.0; m];
        x[axis] = 1.0;
        for _ in 0..2 {
            for column in columns {
                let along: f64 = x.iter().zip(column).map(|(a, b)| a * b).sum();
                x.iter_mut().zip(column).for_each(|(a, b)| *a -= along * b);
            }
        }
        let norm = x.iter().map(|a| a * a).sum::<f64>().sqrt();
        if norm > 0.1 / (m as f64).sqrt() {
            return x.into_iter().map(|a| a / norm).collect();
        }
    }
    vec![0.0; m]
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Complex(f64, f64);

impl Complex {
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1)
    }
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0, self.1 - b.1)
    }
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0 - self.1 * b.1, self.0 * b.1 + self.1 * b.0)
    }
    fn div(self, b: Self) -> Self {
        let size = b.0 * b.0 + b.1 * b.1;
        let top = self.mul(b.conj());
        Self(top.0 / size, top.1 / size)
    }
    fn conj(self) -> Self {
        Self(self.0, -self.1)
    }
    fn abs(self) -> f64 {
        self.0.hypot(self.1)
    }
    fn sqrt(self) -> Self {
        let size = self.abs();
        let re = ((size + self.0) / 2.0).max(0.0).sqrt();
        let im = ((size - self.0) / 2.0).max(0.0).sqrt();
        Self(re, if self.1 < 0.0 { -im } else { im })
    }
    fn times(self, k: f64) -> Self {
        Self(self.0 * k, self.1 * k)
    }
}

/// Eigenvalues, and right eigenvectors as LAPACK stores them: a column for a real one, two for a pair.
pub struct Eigen {
    pub values: Vec<(f64, f64)>,
    pub vectors: Array<f64>,
}

/// By the shifted QR method on the complex Hessenberg form. `None` where it does not converge.
pub fn eigenvalues(a: &Array<f64>, vectors: bool) -> Option<Eigen> {
    let n = a.dims[0];
    let mut h: Vec<Complex> = a.data.iter().map(|&x| Complex(x, 0.0)).collect();
    let mut z = vec![Complex(0.0, 0.0); n * n];
    (0..n).for_each(|i| z[i * n + i] = Complex(1.0, 0.0));
    // Rotations that clear below the first subdiagonal.
    for k in 0..n.saturating_sub(2) {
        for i in (k + 2..n).rev() {
            let (c, s) = rotation(h[(i - 1) * n + k], h[i * n + k]);
            rotate_rows(&mut h, n, i - 1, c, s, 0);
            rotate_columns(&mut h, n, i - 1, c, s, n);
            rotate_columns(&mut z, n, i - 1, c, s, n);
        }
    }
    let scale: f64 = h.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let mut high = n;
    let mut rounds = 0;
    while high > 1 {
        let mut low = high - 1;
        while low > 0 {
            let near = h[low * n + low].abs() + h[(low - 1) * n + low - 1].abs();
            let near = if near == 0.0 { scale } else { near };
            if h[low * n + low - 1].abs() <= f64::EPSILON * near {
                h[low * n + low - 1] = Complex(0.0, 0.0);
                break;
            }
            low -= 1;
        }
        if low == high - 1 {
            high -= 1;
            rounds = 0;
            continue;
        }
        rounds += 1;
        if rounds > 300 {
            return None;
        }
        let shift = match rounds % 11 {
            0 => Complex(
                h[(high - 1) * n + high - 2].abs() + h[(high - 1) * n + high - 1].0,
                0.0,
            ),
            _ => wilkinson(&h, n, high),
        };
        (low..high).for_each(|i| h[i * n + i] = h[i * n + i].sub(shift));
        let mut turns = Vec::new();
        for k in low..high - 1 {
            let (c, s) = rotation(h[k * n + k], h[(k + 1) * n + k]);
            rotate_rows(&mut h, n, k, c, s, low);
            turns.push((k, c, s));
        }
        for (k, c, s) in turns {
            rotate_columns(&mut h, n, k, c, s, high);
            rotate_columns(&mut z, n, k, c, s, n);
        }
        (low..high).for_each(|i| h[i * n + i] = h[i * n + i].add(shift));
    }
    // What rounding leaves of an imaginary part is none.
    let clean = |x: Complex| {
        let tiny = x.1.abs() <= 1e-12 * scale.max(x.abs());
        (x.0, if tiny { 0.0 } else { x.1 })
    };
    let raw: Vec<(f64, f64)> = (0..n).map(|i| clean(h[i * n + i])).collect();
    let (order, values) = pairs(&raw);
    let mut out = zeros(n, n);
    if vectors {
        let mut column = 0;
        while column < n {
            let x = vector(&h, &z, n, order[column]);
            (0..n).for_each(|i| out.data[i * n + column] = x[i].0);
            if values[column].1 != 0.0 && column + 1 < n {
                (0..n).for_each(|i| out.data[i * n + column + 1] = x[i].1);
                column += 1;
            }
            column += 1;
        }
    }
    Some(Eigen {
        values,
        vectors: out,
    })
}

/// Pairs of conjugates next to each other, the one with the positive imaginary part first, exactly conjugate.
fn pairs(raw: &[(f64, f64)]) -> (Vec<usize>, Vec<(f64, f64)>) {
    let mut used = vec![false; raw.len()];
    let (mut order, mut values) = (Vec::new(), Vec::new());
    for i in 0..raw.len() {
        if used[i] {
            continue;
        }
        used[i] = true;
        if raw[i].1 == 0.0 {
            order.push(i);
            values.push(raw[i]);
            continue;
        }
        let distance = |j: usize| (raw[j].0 - raw[i].0).hypot(raw[j].1 + raw[i].1);
        let partner = (0..raw.len())
            .filter(|&j| !used[j])
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let Some(j) = partner else {
            order.push(i);
            values.push((raw[i].0, 0.0));
            continue;
        };
        used[j] = true;
        let (first, second) = if raw[i].1 > 0.0 { (i, j) } else { (j, i) };
        let value = (raw[first].0, raw[first].1.abs());
        order.extend([first, second]);
        values.extend([value, (value.0, -value.1)]);
    }
    (order, values)
}

/// The unit eigenvector of the triangular form, turned back; its largest component is real.
fn vector(t: &[Complex], z: &[Complex], n: usize, k: usize) -> Vec<Complex> {
    let mut y = vec![Complex(0.0, 0.0); n];
    y[k] = Complex(1.0, 0.0);
    let lambda = t[k * n + k];
    let scale: f64 = t.iter().map(|x| x.abs()).fold(f64::MIN_POSITIVE, f64::max);
    for i in (0..k).rev() {
        let mut sum = Complex(0.0, 0.0);
        for j in i + 1..=k {
            sum = sum.sub(t[i * n + j].mul(y[j]));
        }
        let mut gap = t[i * n + i].sub(lambda);
        if gap.abs() < f64::EPSILON * scale {
            gap = Complex(f64::EPSILON * scale, 0.0);
        }
        y[i] = sum.div(gap);
    }
    let mut x: Vec<Complex> = (0..n)
        .map(|i| (0..=k).fold(Complex(0.0, 0.0), |sum, j| sum.add(z[i * n + j].mul(y[j]))))
        .collect();
    let norm = x.iter().map(|v| v.abs().powi(2)).sum::<f64>().sqrt();
    let largest = x.iter().copied().fold(Complex(0.0, 0.0), |best, v| {
        if v.abs() > best.abs() * (1.0 + 1e-12) {
            v
        } else {
            best
        }
    });
    let turn = largest.conj().times(1.0 / (largest.abs() * norm));
    x.iter_mut().for_each(|v| *v = v.mul(turn));
    x
}

/// `c` real and `s` so that the second number becomes zero.
fn rotation(a: Complex, b: Complex) -> (Complex, Complex) {
    let size = a.abs().hypot(b.abs());
    if size == 0.0 {
        return (Complex(1.0, 0.0), Complex(0.0, 0.0));
    }
    (a.conj().times(1.0 / size), b.conj().times(1.0 / size))
}

fn rotate_rows(h: &mut [Complex], n: usize, k: usize, c: Complex, s: Complex, from: usize) {
    for j in from..n {
        let (x, y) = (h[k * n + j], h[(k + 1) * n + j]);
        h[k * n + j] = c.mul(x).add(s.mul(y));
        h[(k + 1) * n + j] = c.conj().mul(y).sub(s.conj().mul(x));
    }
}

fn rotate_columns(h: &mut [Complex], n: usize, k: usize, c: Complex, s: Complex, to: usize) {
    for i in 0..to {
        let (x, y) = (h[i * n + k], h[i * n + k + 1]);
        h[i * n + k] = x.mul(c.conj()).add(y.mul(s.conj()));
        h[i * n + k + 1] = y.mul(c).sub(x.mul(s));
    }
}

/// The eigenvalue of the last two rows that is nearer to the last entry.
fn wilkinson(h: &[Complex], n: usize, high: usize) -> Complex {
    let (p, q) = (high - 2, high - 1);
    let (a, b) = (h[p * n + p], h[p * n + q]);
    let (c, d) = (h[q * n + p], h[q * n + q]);
    let half = a.sub(d).times(0.5);
    let root = half.mul(half).add(b.mul(c)).sqrt();
    let (x, y) = (d.add(half).add(root), d.add(half).sub(root));
    if x.sub(d).abs() < y.sub(d).abs() {
        x
    } else {
        y
    }
}
