//! The real Schur form of small dense matrices, A = Z T Zᵀ with T triangular but for blocks of two rows that belong to pairs of
//! conjugate eigenvalues, and what follows from it: eigenvectors, other orders of the eigenvalues, Sylvester's equation.

use super::complex::Complex;
use smallvec::SmallVec;

/// A square matrix by rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Square {
    pub n: usize,
    pub data: Vec<f64>,
}

impl Square {
    pub fn zero(n: usize) -> Self {
        Self {
            n,
            data: vec![0.0; n * n],
        }
    }

    pub fn identity(n: usize) -> Self {
        let mut out = Self::zero(n);
        (0..n).for_each(|i| out.set(i, i, 1.0));
        out
    }

    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.n + j]
    }

    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.n + j] = value;
    }

    fn size(&self) -> f64 {
        self.data.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    /// Whether rows `i` and `i + 1` are those of a pair.
    fn is_pair(&self, i: usize) -> bool {
        i + 1 < self.n && self.get(i + 1, i) != 0.0
    }

    /// Where the blocks of the diagonal begin, and their sizes.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut i = 0;
        while i < self.n {
            let size = 1 + usize::from(self.is_pair(i));
            out.push((i, size));
            i += size;
        }
        out
    }

    /// Rows from `first` on become their combinations by the columns of `q`, from column `from` on.
    fn turn_rows(&mut self, first: usize, q: &[f64], from: usize) {
        let m = order(q);
        for j in from..self.n {
            let old: SmallVec<[f64; 4]> = (0..m).map(|k| self.get(first + k, j)).collect();
            for i in 0..m {
                self.set(first + i, j, (0..m).map(|k| q[k * m + i] * old[k]).sum());
            }
        }
    }

    /// The same for columns, in the rows before `to`.
    fn turn_columns(&mut self, first: usize, q: &[f64], to: usize) {
        let m = order(q);
        for i in 0..to {
            let old: SmallVec<[f64; 4]> = (0..m).map(|k| self.get(i, first + k)).collect();
            for j in 0..m {
                self.set(i, first + j, (0..m).map(|k| q[k * m + j] * old[k]).sum());
            }
        }
    }
}

/// The number of rows of a small square matrix.
fn order(q: &[f64]) -> usize {
    match q.len() {
        0 => 0,
        1 => 1,
        2..=4 => 2,
        5..=9 => 3,
        _ => 4,
    }
}

/// The reflection that makes all of `v` but its first component zero; `None` if that is so.
fn reflection(v: &[f64]) -> Option<SmallVec<[f64; 16]>> {
    let m = v.len();
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm == 0.0 || v[1..].iter().all(|&x| x == 0.0) {
        return None;
    }
    let mut w: SmallVec<[f64; 4]> = v.iter().map(|x| x / norm).collect();
    w[0] += if w[0] < 0.0 { -1.0 } else { 1.0 };
    let square: f64 = w.iter().map(|x| x * x).sum();
    let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * w[i] * w[j] / square;
    Some((0..m * m).map(|k| entry(k / m, k % m)).collect())
}

/// Reflections that clear below the first subdiagonal, in columns `low` to `high`; their vectors are left there, without their first
/// component, which is 1. Their factors.
pub fn hessenberg(a: &mut Square, low: usize, high: usize) -> Vec<f64> {
    let n = a.n;
    let mut taus = vec![0.0; n.saturating_sub(1)];
    for k in low..high.saturating_sub(1) {
        let tail: f64 = (k + 2..=high).map(|i| a.get(i, k).powi(2)).sum();
        if tail == 0.0 {
            continue;
        }
        let alpha = a.get(k + 1, k);
        let norm = (alpha * alpha + tail).sqrt();
        let beta = if alpha > 0.0 { -norm } else { norm };
        let tau = (beta - alpha) / beta;
        let mut v = vec![0.0; n];
        v[k + 1] = 1.0;
        (k + 2..=high).for_each(|i| v[i] = a.get(i, k) / (alpha - beta));
        let span = k + 1..=high;
        for j in k + 1..n {
            let sum: f64 = span.clone().map(|i| v[i] * a.get(i, j)).sum();
            span.clone()
                .for_each(|i| a.data[i * n + j] -= tau * sum * v[i]);
        }
        for i in 0..=high {
            let sum: f64 = span.clone().map(|j| v[j] * a.get(i, j)).sum();
            span.clone()
                .for_each(|j| a.data[i * n + j] -= tau * sum * v[j]);
        }
        a.set(k + 1, k, beta);
        (k + 2..=high).for_each(|i| a.set(i, k, v[i]));
        taus[k] = tau;
    }
    taus
}

/// The product of the reflections that `hessenberg` left.
pub fn product(a: &Square, taus: &[f64]) -> Square {
    let n = a.n;
    let mut q = Square::identity(n);
    for k in (0..taus.len().min(n.saturating_sub(1))).rev() {
        if taus[k] == 0.0 {
            continue;
        }
        let v = |i: usize| if i == k + 1 { 1.0 } else { a.get(i, k) };
        for j in k + 1..n {
            let sum: f64 = (k + 1..n).map(|i| v(i) * q.get(i, j)).sum();
            (k + 1..n).for_each(|i| q.data[i * n + j] -= taus[k] * sum * v(i));
        }
    }
    q
}

/// A = Z T Zᵀ; `None` where the iteration does not converge.
pub fn schur(a: &Square) -> Option<(Square, Square)> {
    let mut t = a.clone();
    let last = a.n.saturating_sub(1);
    let taus = hessenberg(&mut t, 0, last);
    let mut z = product(&t, &taus);
    clear(&mut t);
    triangular(&mut t, &mut z).then_some((t, z))
}

/// Zeros below the first subdiagonal.
pub fn clear(t: &mut Square) {
    for i in 2..t.n {
        (0..i - 1).for_each(|j| t.set(i, j, 0.0));
    }
}

/// The double-shift QR method of Francis from a Hessenberg matrix on; `z` is turned with it. Whether it converges.
pub fn triangular(t: &mut Square, z: &mut Square) -> bool {
    let n = t.n;
    let size = t.size();
    if !size.is_finite() {
        return false;
    }
    let mut high = n;
    let mut rounds = 0;
    while high > 0 {
        let mut low = high - 1;
        while low > 0 {
            let near = t.get(low, low).abs() + t.get(low - 1, low - 1).abs();
            let near = if near == 0.0 { size } else { near };
            if t.get(low, low - 1).abs() <= f64::EPSILON * near {
                t.set(low, low - 1, 0.0);
                break;
            }
            low -= 1;
        }
        if high - low <= 2 {
            if high - low == 2 {
                standardise(t, z, low);
            }
            high = low;
            rounds = 0;
            continue;
        }
        rounds += 1;
        if rounds > 300 {
            return false;
        }
        sweep(t, z, low, high, rounds % 10 == 0);
    }
    true
}

/// One step with both eigenvalues of the last two rows as shifts.
fn sweep(t: &mut Square, z: &mut Square, low: usize, high: usize, exceptional: bool) {
    let n = t.n;
    let (p, q) = (high - 2, high - 1);
    let (mut sum, mut product) = (
        t.get(p, p) + t.get(q, q),
        t.get(p, p) * t.get(q, q) - t.get(p, q) * t.get(q, p),
    );
    if exceptional {
        let w = t.get(q, p).abs() + t.get(p, p - 1).abs();
        (sum, product) = (1.5 * w, w * w);
    }
    let (a, b) = (t.get(low, low), t.get(low + 1, low));
    let mut v = [
        a * a + t.get(low, low + 1) * b - sum * a + product,
        b * (a + t.get(low + 1, low + 1) - sum),
        b * t.get(low + 2, low + 1),
    ];
    for k in low..high - 1 {
        let m = (high - k).min(3);
        if let Some(h) = reflection(&v[..m]) {
            t.turn_rows(k, &h, if k > low { k - 1 } else { k });
            t.turn_columns(k, &h, (k + m + 1).min(high));
            z.turn_columns(k, &h, n);
        }
        if k > low {
            (k + 1..k + m).for_each(|i| t.set(i, k - 1, 0.0));
        }
        v = [0.0; 3];
        (0..(high - k - 1).min(3)).for_each(|i| v[i] = t.get(k + 1 + i, k));
    }
}

/// Two rows of the diagonal become triangular, or if their eigenvalues are complex, equal on the diagonal.
fn standardise(t: &mut Square, z: &mut Square, i: usize) {
    let (a, b) = (t.get(i, i), t.get(i, i + 1));
    let (c, d) = (t.get(i + 1, i), t.get(i + 1, i + 1));
    if c == 0.0 {
        return;
    }
    let half = 0.5 * (a - d);
    let inside = half * half + b * c;
    let real = inside >= 0.0;
    let (cos, sin) = if b == 0.0 {
        (0.0, 1.0)
    } else if real {
        let from = half + inside.sqrt().copysign(half);
        let size = c.hypot(from);
        (from / size, c / size)
    } else {
        let sigma = b + c;
        let size = sigma.hypot(a - d);
        let cos = (0.5 * (1.0 + sigma.abs() / size)).sqrt();
        (cos, -half / (size * cos) * 1.0_f64.copysign(sigma))
    };
    let q = [cos, -sin, sin, cos];
    t.turn_rows(i, &q, i);
    t.turn_columns(i, &q, i + 2);
    z.turn_columns(i, &q, z.n);
    if real {
        t.set(i + 1, i, 0.0);
    } else {
        let mean = 0.5 * (t.get(i, i) + t.get(i + 1, i + 1));
        t.set(i, i, mean);
        t.set(i + 1, i + 1, mean);
    }
}

/// The eigenvalues of a Schur form, real and imaginary parts; of a pair, the one above the real axis first.
pub fn values(t: &Square) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    for (i, size) in t.blocks() {
        let a = t.get(i, i);
        if size == 1 {
            out.push((a, 0.0));
            continue;
        }
        let (b, c, d) = (t.get(i, i + 1), t.get(i + 1, i), t.get(i + 1, i + 1));
        let half = 0.5 * (a - d);
        let imaginary = (-(half * half + b * c)).max(0.0).sqrt();
        out.extend([(0.5 * (a + d), imaginary), (0.5 * (a + d), -imaginary)]);
    }
    out
}

/// The eigenvectors of a Schur form by columns, those of pairs as real and imaginary parts of the first one's. `left`: u with
/// uᴴT = λuᴴ.
pub fn vectors(t: &Square, left: bool) -> Square {
    let n = t.n;
    let flipped = left.then(|| {
        let mut out = Square::zero(n);
        for i in 0..n {
            (0..n).for_each(|j| out.set(i, j, t.get(n - 1 - j, n - 1 - i)));
        }
        out
    });
    let mut out = Square::zero(n);
    for (k, size) in t.blocks() {
        let x = match &flipped {
            Some(flipped) => {
                let mut x = vector(flipped, n - k - size, size);
                x.reverse();
                // The phase that LAPACK chooses.
                let turn = Complex(0.0, 1.0);
                match size {
                    2 => x.into_iter().map(|v| v.conj().mul(turn)).collect(),
                    _ => x,
                }
            }
            None => vector(t, k, size),
        };
        (0..n).for_each(|i| out.set(i, k, x[i].0));
        if size == 2 {
            (0..n).for_each(|i| out.set(i, k + 1, x[i].1));
        }
    }
    out
}

/// The eigenvector of a block by substitution from its rows upwards. O(n²).
fn vector(t: &Square, k: usize, size: usize) -> Vec<Complex> {
    let n = t.n;
    let mut x = vec![Complex(0.0, 0.0); n];
    let mut lambda = Complex(t.get(k, k), 0.0);
    x[k] = Complex(1.0, 0.0);
    if size == 2 {
        let (b, c) = (t.get(k, k + 1), t.get(k + 1, k));
        let imaginary = b.abs().sqrt() * c.abs().sqrt();
        lambda.1 = imaginary;
        if b.abs() >= c.abs() {
            x[k + 1] = Complex(0.0, imaginary / b);
        } else {
            x[k] = Complex(-imaginary / c, 0.0);
            x[k + 1] = Complex(0.0, 1.0);
        }
    }
    let least = f64::EPSILON * t.size().max(f64::MIN_POSITIVE);
    let apart = |v: Complex| {
        if v.abs() < least {
            Complex(least, 0.0)
        } else {
            v
        }
    };
    let mut i = k;
    while i > 0 {
        let pair = i > 1 && t.get(i - 1, i - 2) != 0.0;
        let first = i - 1 - usize::from(pair);
        let rest = |row: usize| {
            let terms = (i..n).map(|j| x[j].times(t.get(row, j)));
            terms.fold(Complex(0.0, 0.0), Complex::sub)
        };
        let on = |row: usize| Complex(t.get(row, row), 0.0).sub(lambda);
        if pair {
            let (r, s) = (rest(first), rest(first + 1));
            let (a, d) = (on(first), on(first + 1));
            let (b, c) = (t.get(first, first + 1), t.get(first + 1, first));
            let det = apart(a.mul(d).sub(Complex(b * c, 0.0)));
            x[first] = d.mul(r).sub(s.times(b)).div(det);
            x[first + 1] = a.mul(s).sub(r.times(c)).div(det);
        } else {
            x[first] = rest(first).div(apart(on(first)));
        }
        i = first;
    }
    x
}

/// Divides each eigenvector by what `size` says of its components.
pub fn normalise(x: &mut Square, values: &[(f64, f64)], size: impl Fn(&[Complex]) -> Complex) {
    let n = x.n;
    let mut k = 0;
    while k < n {
        let pair = values[k].1 != 0.0 && k + 1 < n;
        let imaginary = |i: usize| if pair { x.get(i, k + 1) } else { 0.0 };
        let list: Vec<Complex> = (0..n).map(|i| Complex(x.get(i, k), imaginary(i))).collect();
        let by = size(&list);
        if by.abs() > 0.0 {
            for (i, v) in list.into_iter().enumerate() {
                let v = v.div(by);
                x.set(i, k, v.0);
                if pair {
                    x.set(i, k + 1, v.1);
                }
            }
        }
        k += 1 + usize::from(pair);
    }
}

/// The largest component is as long as 1, in the sense of |re| + |im|.
pub fn by_largest(list: &[Complex]) -> Complex {
    let sizes = list.iter().map(|v| v.0.abs() + v.1.abs());
    Complex(sizes.fold(0.0, f64::max), 0.0)
}

/// Unit length, and the largest component is real.
pub fn by_length(list: &[Complex]) -> Complex {
    let norm = list.iter().map(|v| v.abs().powi(2)).sum::<f64>().sqrt();
    if list.iter().all(|v| v.1 == 0.0) {
        return Complex(norm, 0.0);
    }
    let largest = list.iter().copied().reduce(|best, v| {
        if v.abs() > best.abs() * (1.0 + 1e-12) {
            v
        } else {
            best
        }
    });
    largest.map_or(Complex(0.0, 0.0), |v| v.times(norm / v.abs()))
}

/// A product of square matrices.
pub fn times(a: &Square, b: &Square) -> Square {
    let mut out = Square::zero(a.n);
    for i in 0..a.n {
        for j in 0..a.n {
            let sum = (0..a.n).map(|k| a.get(i, k) * b.get(k, j)).sum();
            out.set(i, j, sum);
        }
    }
    out
}

/// Brings the chosen eigenvalues to the front; how many there are.
pub fn reorder(t: &mut Square, z: &mut Square, chosen: &[bool]) -> usize {
    let mut front = 0;
    for (k, size) in t.blocks() {
        if !chosen[k..k + size].iter().any(|&it| it) {
            continue;
        }
        let between = t.blocks().into_iter().rev();
        let between: Vec<_> = between.filter(|b| (front..k).contains(&b.0)).collect();
        let mut at = k;
        for (_, other) in between {
            swap(t, z, at - other, other, size);
            at -= other;
        }
        front += size;
    }
    front
}

/// The reciprocal condition of the mean of the first `m` eigenvalues.
pub fn condition(t: &Square, m: usize) -> f64 {
    let n = t.n;
    if m == 0 || m == n {
        return 1.0;
    }
    let part = |from: usize, to: usize| {
        let mut out = Square::zero(to - from);
        for i in from..to {
            (from..to).for_each(|j| out.set(i - from, j - from, t.get(i, j)));
        }
        out
    };
    let beside: Vec<f64> = (0..m)
        .flat_map(|i| (m..n).map(move |j| t.get(i, j)))
        .collect();
    let (x, _) = sylvester((&part(0, m), false), (&part(m, n), false), -1.0, &beside);
    1.0 / (1.0 + x.iter().map(|v| v * v).sum::<f64>()).sqrt()
}

/// Exchanges the blocks of `p` and `q` rows from row `i` on.
fn swap(t: &mut Square, z: &mut Square, i: usize, p: usize, q: usize) {
    let m = p + q;
    let block = |r: usize, c: usize, rows: usize, columns: usize| -> Vec<f64> {
        (0..rows * columns)
            .map(|k| t.get(i + r + k / columns, i + c + k % columns))
            .collect()
    };
    // The columns of [-X; I] span what belongs to the second block, if A₁₁X − XA₂₂ = A₁₂.
    let (x, _) = small(
        &block(0, 0, p, p),
        &block(p, p, q, q),
        -1.0,
        &block(0, p, p, q),
        p,
        q,
    );
    let mut w = vec![0.0; m * q];
    (0..p * q).for_each(|k| w[k] = -x[k]);
    (0..q).for_each(|k| w[(p + k) * q + k] = 1.0);
    let mut turn = Square::identity(m);
    for k in 0..q {
        let v: Vec<f64> = (k..m).map(|r| w[r * q + k]).collect();
        let Some(h) = reflection(&v) else { continue };
        let len = m - k;
        for c in 0..q {
            let old: Vec<f64> = (0..len).map(|r| w[(k + r) * q + c]).collect();
            for r in 0..len {
                w[(k + r) * q + c] = (0..len).map(|s| h[r * len + s] * old[s]).sum();
            }
        }
        turn.turn_columns(k, &h, m);
    }
    t.turn_rows(i, &turn.data, 0);
    t.turn_columns(i, &turn.data, t.n);
    z.turn_columns(i, &turn.data, z.n);
    for r in q..m {
        (0..q).for_each(|c| t.set(i + r, i + c, 0.0));
    }
    if q == 2 {
        standardise(t, z, i);
    }
    if p == 2 {
        standardise(t, z, i + q);
    }
}

/// AX + sign·XB = C for up to two rows and columns, by elimination; whether that was regular.
fn small(a: &[f64], b: &[f64], sign: f64, c: &[f64], p: usize, q: usize) -> (Vec<f64>, bool) {
    let n = p * q;
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n);
    for i in 0..p {
        for j in 0..q {
            let mut row = vec![0.0; n + 1];
            (0..p).for_each(|k| row[k * q + j] += a[i * p + k]);
            (0..q).for_each(|k| row[i * q + k] += sign * b[k * q + j]);
            row[n] = c[i * q + j];
            rows.push(row);
        }
    }
    let size = rows.iter().flat_map(|row| &row[..n]);
    let least = f64::EPSILON * size.fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
    let mut regular = true;
    for k in 0..n {
        let best = (k..n).max_by(|&r, &s| rows[r][k].abs().total_cmp(&rows[s][k].abs()));
        rows.swap(k, best.unwrap_or(k));
        if rows[k][k].abs() < least {
            regular = false;
            rows[k][k] = least;
        }
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            (k..=n).for_each(|j| row[j] -= factor * pivot[j]);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - sum) / rows[k][k];
    }
    (x, regular)
}

/// Sylvester's equation AX + sign·XB = C, with Schur forms that are given as they are or transposed; whether A and −sign·B have no
/// common eigenvalue. O(mn(m + n)).
pub fn sylvester(
    (a, a_transposed): (&Square, bool),
    (b, b_transposed): (&Square, bool),
    sign: f64,
    c: &[f64],
) -> (Vec<f64>, bool) {
    let (m, n) = (a.n, b.n);
    let (mut rows, mut columns) = (a.blocks(), b.blocks());
    if !a_transposed {
        rows.reverse();
    }
    if b_transposed {
        columns.reverse();
    }
    let at = |t: &Square, transposed: bool, i: usize, j: usize| match transposed {
        true => t.get(j, i),
        false => t.get(i, j),
    };
    let of_a = |i, j| at(a, a_transposed, i, j);
    let of_b = |i, j| at(b, b_transposed, i, j);
    let mut x = vec![0.0; m * n];
    let mut all_regular = true;
    for &(k, p) in &rows {
        for &(l, q) in &columns {
            // What is not known yet is zero in `x`.
            let rest = |place: usize| {
                let (i, j) = (k + place / q, l + place % q);
                let from_a: f64 = (0..m).map(|r| of_a(i, r) * x[r * n + j]).sum();
                let from_b: f64 = (0..n).map(|r| x[i * n + r] * of_b(r, j)).sum();
                c[i * n + j] - from_a - sign * from_b
            };
            let right: Vec<f64> = (0..p * q).map(rest).collect();
            let left: Vec<f64> = (0..p * p).map(|s| of_a(k + s / p, k + s % p)).collect();
            let other: Vec<f64> = (0..q * q).map(|s| of_b(l + s / q, l + s % q)).collect();
            let (found, regular) = small(&left, &other, sign, &right, p, q);
            all_regular &= regular;
            (0..p * q).for_each(|s| x[(k + s / q) * n + l + s % q] = found[s]);
        }
    }
    (x, all_regular)
}

#[cfg(test)]
mod tests;
