//! Generalised eigenvalues of small dense matrices, βAx = αBx, by the QZ method with complex rotations.

use super::complex::Complex;
use super::schur::Square;

/// What makes det(βA − αB) zero, and the vectors that belong to it, by columns; those of a pair as real and imaginary parts.
pub struct Pencil {
    /// Real and imaginary part of α, and β ≥ 0, which is 0 for an infinite eigenvalue.
    pub values: Vec<(f64, f64, f64)>,
    pub left: Square,
    pub right: Square,
}

/// The state of the iteration: QᴴAZ = S and QᴴBZ = T.
struct Qz {
    n: usize,
    s: Vec<Complex>,
    t: Vec<Complex>,
    q: Vec<Complex>,
    z: Vec<Complex>,
}

/// What is smaller than this in relation to the largest entry is what rounding leaves of zero.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
const ZERO: Complex = Complex(0.0, 0.0);

/// `None` where the iteration does not converge.
pub fn pencil(a: &Square, b: &Square) -> Option<Pencil> {
    let n = a.n;
    let lift = |m: &Square| -> Vec<Complex> { m.data.iter().map(|&x| Complex(x, 0.0)).collect() };
    let identity = lift(&Square::identity(n));
    let mut qz = Qz {
        n,
        s: lift(a),
        t: lift(b),
        q: identity.clone(),
        z: identity,
    };
    qz.reduce();
    if !qz.iterate() {
        return None;
    }
    Some(qz.read())
}

impl Qz {
    /// Rotates rows `k` and `k + 1` so that entry (k + 1, column) of one matrix becomes zero.
    fn rows(&mut self, k: usize, of_t: bool, column: usize) {
        let n = self.n;
        let from = if of_t { &mut self.t } else { &mut self.s };
        let (c, s) = rotation(from[k * n + column], from[(k + 1) * n + column]);
        rotate_rows(&mut self.s, n, k, c, s, 0);
        rotate_rows(&mut self.t, n, k, c, s, 0);
        // The columns of Q are turned by the conjugate of what turns rows.
        rotate_columns(&mut self.q, n, k, c, s, n);
        let cleared = if of_t { &mut self.t } else { &mut self.s };
        cleared[(k + 1) * n + column] = ZERO;
    }

    /// Rotates columns `k` and `k + 1` so that entry (row, k) of one matrix becomes zero.
    fn columns(&mut self, k: usize, of_t: bool, row: usize) {
        let n = self.n;
        let from = if of_t { &self.t } else { &self.s };
        let (x, y) = (from[row * n + k], from[row * n + k + 1]);
        let size = x.abs().hypot(y.abs());
        if size == 0.0 {
            return;
        }
        // x·y/size − y·x/size = 0.
        let (c, s) = (y.times(1.0 / size), x.times(1.0 / size));
        for m in [&mut self.s, &mut self.t, &mut self.z] {
            for i in 0..n {
                let (u, v) = (m[i * n + k], m[i * n + k + 1]);
                m[i * n + k] = u.mul(c).sub(v.mul(s));
                m[i * n + k + 1] = u.mul(s.conj()).add(v.mul(c.conj()));
            }
        }
        let cleared = if of_t { &mut self.t } else { &mut self.s };
        cleared[row * n + k] = ZERO;
    }

    /// T becomes triangular, then S a Hessenberg matrix.
    fn reduce(&mut self) {
        let n = self.n;
        for column in 0..n {
            for i in (column + 1..n).rev() {
                self.rows(i - 1, true, column);
            }
        }
        for column in 0..n.saturating_sub(2) {
            for i in (column + 2..n).rev() {
                self.rows(i - 1, false, column);
                self.columns(i - 1, true, i);
            }
        }
    }

    fn iterate(&mut self) -> bool {
        let n = self.n;
        let largest = |m: &[Complex]| m.iter().map(|x| x.abs()).fold(0.0, f64::max);
        let (size, size_t) = (largest(&self.s), largest(&self.t));
        if !(size.is_finite() && size_t.is_finite()) {
            return false;
        }
        let mut high = n;
        let mut rounds = 0;
        while high > 1 {
            let mut low = high - 1;
            while low > 0 && self.s[low * n + low - 1].abs() > f64::EPSILON * size {
                low -= 1;
            }
            if low > 0 {
                self.s[low * n + low - 1] = ZERO;
            }
            if low == high - 1 {
                high -= 1;
                rounds = 0;
                continue;
            }
            let last = high - 1;
            if self.t[last * n + last].abs() <= ROUNDING * size_t {
                // An infinite eigenvalue at the end.
                self.t[last * n + last] = ZERO;
                self.columns(last - 1, false, last);
                continue;
            }
            rounds += 1;
            if rounds > 300 {
                return false;
            }
            let (alpha, beta) = match rounds % 11 {
                0 => (
                    Complex(
                        self.s[last * n + last - 1].abs() + self.s[last * n + last].0,
                        0.0,
                    ),
                    Complex(self.t[last * n + last].abs(), 0.0),
                ),
                _ => self.shift(last, ROUNDING * size_t),
            };
            // The first column of βS − αT decides the first rotation.
            let first = low * n + low;
            let x = beta.mul(self.s[first]).sub(alpha.mul(self.t[first]));
            let y = beta.mul(self.s[first + n]);
            let (c, s) = rotation(x, y);
            rotate_rows(&mut self.s, n, low, c, s, 0);
            rotate_rows(&mut self.t, n, low, c, s, 0);
            rotate_columns(&mut self.q, n, low, c, s, n);
            self.columns(low, true, low + 1);
            for k in low..high - 2 {
                self.rows(k + 1, false, k);
                self.columns(k + 1, true, k + 2);
            }
        }
        true
    }

    /// The eigenvalue of the last two rows that is nearer to that of the last one, as α and β.
    fn shift(&self, last: usize, least: f64) -> (Complex, Complex) {
        let n = self.n;
        let at = |m: &[Complex], i: usize, j: usize| m[(last - 1 + i) * n + last - 1 + j];
        let (s, t) = (&self.s, &self.t);
        let (t0, t1, t2) = (at(t, 0, 0), at(t, 0, 1), at(t, 1, 1));
        if t0.abs() <= least {
            return (at(s, 1, 1), t2);
        }
        // The matrix S T⁻¹ of two rows.
        let a = at(s, 0, 0).div(t0);
        let c = at(s, 1, 0).div(t0);
        let b = at(s, 0, 1).sub(a.mul(t1)).div(t2);
        let d = at(s, 1, 1).sub(c.mul(t1)).div(t2);
        let half = a.sub(d).times(0.5);
        let root = half.mul(half).add(b.mul(c)).sqrt();
        let (x, y) = (d.add(half).add(root), d.add(half).sub(root));
        let near = if x.sub(d).abs() < y.sub(d).abs() {
            x
        } else {
            y
        };
        (near, Complex(1.0, 0.0))
    }

    /// Eigenvalues in pairs, and their vectors.
    fn read(&self) -> Pencil {
        let n = self.n;
        let diagonal = |i: usize| (self.s[i * n + i], self.t[i * n + i]);
        let largest = |m: &[Complex]| m.iter().map(|x| x.abs()).fold(f64::MIN_POSITIVE, f64::max);
        let (size, size_t) = (largest(&self.s), largest(&self.t));
        // What rounding leaves of an imaginary part is none.
        let ratio = |i: usize| {
            let (s, t) = diagonal(i);
            if t.abs() <= ROUNDING * size_t {
                return (f64::INFINITY, 0.0);
            }
            let v = s.div(t);
            let rounding = 1e-12 * v.abs().max(size / t.abs().max(1e-3 * size_t));
            (v.0, if v.1.abs() <= rounding { 0.0 } else { v.1 })
        };
        let raw: Vec<(f64, f64)> = (0..n).map(ratio).collect();
        let (order, found) = pairs(&raw);
        let mut out = Pencil {
            values: Vec::with_capacity(n),
            left: Square::zero(n),
            right: Square::zero(n),
        };
        let mut k = 0;
        while k < n {
            let i = order[k];
            let (s, t) = diagonal(i);
            let beta = t.abs();
            let pair = found[k].1 != 0.0 && k + 1 < n;
            let mut columns = vec![(k, found[k])];
            if pair {
                columns.push((k + 1, found[k + 1]));
            }
            for (_, value) in columns {
                out.values.push(if value.0.is_infinite() {
                    let sign = if t.abs() > 0.0 {
                        s.mul(t.conj()).0
                    } else {
                        s.0
                    };
                    (s.abs().copysign(sign), 0.0, 0.0)
                } else {
                    (value.0 * beta, value.1 * beta, beta)
                });
            }
            let vectors = [
                (&mut out.right, self.right(i)),
                (&mut out.left, self.left(i)),
            ];
            for (matrix, vector) in vectors {
                for (row, v) in vector.into_iter().enumerate() {
                    matrix.set(row, k, v.0);
                    if pair {
                        matrix.set(row, k + 1, v.1);
                    }
                }
            }
            k += 1 + usize::from(pair);
        }
        out
    }

    /// βS − αT for an eigenvalue.
    fn difference(&self, i: usize, row: usize, column: usize) -> Complex {
        let n = self.n;
        let (alpha, beta) = (self.s[i * n + i], self.t[i * n + i]);
        let place = row * n + column;
        beta.mul(self.s[place]).sub(alpha.mul(self.t[place]))
    }

    fn least(&self, i: usize) -> f64 {
        let all = (0..self.n * self.n).map(|k| self.difference(i, k / self.n, k % self.n).abs());
        f64::EPSILON * all.fold(f64::MIN_POSITIVE, f64::max)
    }

    fn right(&self, i: usize) -> Vec<Complex> {
        let n = self.n;
        let least = self.least(i);
        let mut y = vec![ZERO; n];
        y[i] = Complex(1.0, 0.0);
        for row in (0..i).rev() {
            let terms = (row + 1..=i).map(|j| self.difference(i, row, j).mul(y[j]));
            let sum = terms.fold(ZERO, Complex::sub);
            let on = self.difference(i, row, row);
            y[row] = sum.div(if on.abs() < least {
                Complex(least, 0.0)
            } else {
                on
            });
        }
        turned(&self.z, &y)
    }

    fn left(&self, i: usize) -> Vec<Complex> {
        let n = self.n;
        let least = self.least(i);
        let mut y = vec![ZERO; n];
        y[i] = Complex(1.0, 0.0);
        for column in i + 1..n {
            let terms = (i..column).map(|j| self.difference(i, j, column).conj().mul(y[j]));
            let sum = terms.fold(ZERO, Complex::sub);
            let on = self.difference(i, column, column).conj();
            y[column] = sum.div(if on.abs() < least {
                Complex(least, 0.0)
            } else {
                on
            });
        }
        turned(&self.q, &y)
    }
}

/// The vector in the coordinates of the matrices; its largest component is 1.
fn turned(by: &[Complex], y: &[Complex]) -> Vec<Complex> {
    let n = y.len();
    let row = |i: usize| (0..n).fold(ZERO, |sum, j| sum.add(by[i * n + j].mul(y[j])));
    let x: Vec<Complex> = (0..n).map(row).collect();
    let largest = x.iter().copied().fold(ZERO, |best, v| {
        if v.abs() > best.abs() * (1.0 + 1e-12) {
            v
        } else {
            best
        }
    });
    x.into_iter().map(|v| v.div(largest)).collect()
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
