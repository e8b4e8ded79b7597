//! The functions of LAPACK that `Modelica.Math.Matrices` calls, by their documented meaning.
//!
//! Factorisations by elimination and by reflections are generic in the numbers, so that derivatives go through them.

use super::eigen;
use super::{Args, External};
use crate::array::{Array, Dims};
use crate::error::Trouble;
use crate::num::Num;
use modeshift_inst::builtin::Unary;

type Done = Result<(), Trouble>;

/// Elimination with row exchanges; the row that each step exchanges, and the first step without a pivot.
fn eliminate<R: Num>(a: &mut Array<R>) -> (Vec<usize>, Option<usize>) {
    let (rows, columns) = (a.dims[0], a.dims[1]);
    let mut pivots = Vec::new();
    let mut singular = None;
    for k in 0..rows.min(columns) {
        let size = |i: usize| a.data[i * columns + k].value().abs();
        let mut best = k;
        for i in k + 1..rows {
            if size(i) > size(best) {
                best = i;
            }
        }
        pivots.push(best);
        if size(best) == 0.0 {
            singular.get_or_insert(k);
            continue;
        }
        if best != k {
            for j in 0..columns {
                a.data.swap(k * columns + j, best * columns + j);
            }
        }
        let pivot = a.data[k * columns + k];
        for i in k + 1..rows {
            let factor = a.data[i * columns + k].div(pivot);
            a.data[i * columns + k] = factor;
            if factor.is_zero() {
                continue;
            }
            for j in k + 1..columns {
                let term = factor.mul(a.data[k * columns + j]);
                a.data[i * columns + j] = a.data[i * columns + j].sub(term);
            }
        }
    }
    (pivots, singular)
}

/// Solves with the factors for all columns of `b`.
fn back<R: Num>(lu: &Array<R>, pivots: &[usize], b: &mut Array<R>) {
    let n = lu.dims[0];
    let width = b.dims.get(1).copied().unwrap_or(1);
    for (k, &pivot) in pivots.iter().enumerate() {
        if pivot != k {
            for c in 0..width {
                b.data.swap(k * width + c, pivot * width + c);
            }
        }
    }
    for c in 0..width {
        for i in 0..n {
            for j in 0..i {
                let term = lu.data[i * n + j].mul(b.data[j * width + c]);
                b.data[i * width + c] = b.data[i * width + c].sub(term);
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                let term = lu.data[i * n + j].mul(b.data[j * width + c]);
                b.data[i * width + c] = b.data[i * width + c].sub(term);
            }
            b.data[i * width + c] = b.data[i * width + c].div(lu.data[i * n + i]);
        }
    }
}

/// Reflections that make a matrix upper triangular: below the diagonal the vectors, their first component 1.
fn reflect<R: Num>(a: &mut Array<R>, mut exchange: Option<&mut Vec<i64>>) -> Vec<R> {
    let (m, n) = (a.dims[0], a.dims[1]);
    let mut taus = Vec::new();
    for k in 0..m.min(n) {
        if let Some(order) = exchange.as_deref_mut() {
            let norm = |j: usize| {
                (k..m)
                    .map(|i| a.data[i * n + j].value().powi(2))
                    .sum::<f64>()
            };
            let mut best = k;
            for j in k + 1..n {
                if norm(j) > norm(best) * (1.0 + 1e-14) {
                    best = j;
                }
            }
            if best != k {
                order.swap(k, best);
                (0..m).for_each(|i| a.data.swap(i * n + k, i * n + best));
            }
        }
        let mut tail = R::of(0.0);
        for i in k + 1..m {
            let x = a.data[i * n + k];
            tail = tail.add(x.mul(x));
        }
        let alpha = a.data[k * n + k];
        if tail.value() == 0.0 {
            taus.push(R::of(0.0));
            continue;
        }
        let norm = R::unary(Unary::Sqrt, alpha.mul(alpha).add(tail));
        let beta = if alpha.value() > 0.0 {
            norm.neg()
        } else {
            norm
        };
        let tau = beta.sub(alpha).div(beta);
        let scale = R::of(1.0).div(alpha.sub(beta));
        for i in k + 1..m {
            a.data[i * n + k] = a.data[i * n + k].mul(scale);
        }
        a.data[k * n + k] = beta;
        for j in k + 1..n {
            let mut sum = a.data[k * n + j];
            for i in k + 1..m {
                sum = sum.add(a.data[i * n + k].mul(a.data[i * n + j]));
            }
            let sum = tau.mul(sum);
            a.data[k * n + j] = a.data[k * n + j].sub(sum);
            for i in k + 1..m {
                let term = a.data[i * n + k].mul(sum);
                a.data[i * n + j] = a.data[i * n + j].sub(term);
            }
        }
        taus.push(tau);
    }
    taus
}

/// Applies the reflections, the first one first or the last one first, to the columns of `b`.
fn apply<R: Num>(qr: &Array<R>, taus: &[R], b: &mut Array<R>, forward: bool) {
    let (m, n) = (qr.dims[0], qr.dims[1]);
    let width = b.dims.get(1).copied().unwrap_or(1);
    let steps: Vec<usize> = match forward {
        true => (0..taus.len()).collect(),
        false => (0..taus.len()).rev().collect(),
    };
    for k in steps {
        for c in 0..width {
            let mut sum = b.data[k * width + c];
            for i in k + 1..m {
                sum = sum.add(qr.data[i * n + k].mul(b.data[i * width + c]));
            }
            let sum = taus[k].mul(sum);
            b.data[k * width + c] = b.data[k * width + c].sub(sum);
            for i in k + 1..m {
                let term = qr.data[i * n + k].mul(sum);
                b.data[i * width + c] = b.data[i * width + c].sub(term);
            }
        }
    }
}

fn pivots_of(array: &Array<i64>) -> Vec<usize> {
    array
        .data
        .iter()
        .map(|&p| (p - 1).max(0) as usize)
        .collect()
}

pub fn call<R: Num>(function: External, args: &mut Args<'_, R>) -> Done {
    match function {
        External::Dgesv => {
            let mut a = args.reals(2)?.clone();
            let mut x = args.reals(5)?.clone();
            let (pivots, singular) = eliminate(&mut a);
            if singular.is_none() {
                back(&a, &pivots, &mut x);
            }
            args.put_reals(2, a)?;
            args.put_reals(5, x)?;
            args.put_ints(
                4,
                Array::vector(pivots.iter().map(|&p| p as i64 + 1).collect()),
            )?;
            args.put_int(7, singular.map_or(0, |k| k as i64 + 1))
        }
        External::Dgetrf => {
            let mut a = args.reals(2)?.clone();
            let (pivots, singular) = eliminate(&mut a);
            args.put_reals(2, a)?;
            args.put_ints(
                4,
                Array::vector(pivots.iter().map(|&p| p as i64 + 1).collect()),
            )?;
            args.put_int(5, singular.map_or(0, |k| k as i64 + 1))
        }
        External::Dgetri => {
            let a = args.reals(1)?.clone();
            let n = a.dims[0];
            let pivots = pivots_of(args.ints(3)?);
            let mut inverse = unit(n);
            back(&a, &pivots, &mut inverse);
            args.put_reals(1, inverse)?;
            args.put_int(6, 0)
        }
        External::Dgetrs => {
            let a = args.reals(3)?.clone();
            let pivots = pivots_of(args.ints(5)?);
            let mut x = args.reals(6)?.clone();
            back(&a, &pivots, &mut x);
            args.put_reals(6, x)?;
            args.put_int(8, 0)
        }
        External::Dgels => {
            let (a, b) = (args.reals(4)?.clone(), args.reals(6)?.clone());
            let (x, _) = least_squares(a, b, 0.0)?;
            args.put_reals(6, x)?;
            args.put_int(10, 0)
        }
        External::Dgelsy => {
            let (a, b) = (args.reals(3)?.clone(), args.reals(5)?.clone());
            let rcond = args.real(8)?.value();
            let (x, rank) = least_squares(a, b, rcond)?;
            args.put_reals(5, x)?;
            args.put_int(9, rank as i64)?;
            args.put_int(12, 0)
        }
        External::Dgglse => {
            let (a, b) = (args.reals(3)?.clone(), args.reals(5)?.clone());
            let (c, d) = (args.reals(7)?.clone(), args.reals(8)?.clone());
            let (x, solved) = constrained(&a, &b, &c, &d)?;
            args.put_reals(9, x)?;
            args.put_int(12, i64::from(!solved))
        }
        External::Dgeqrf => {
            let mut a = args.reals(2)?.clone();
            let taus = reflect(&mut a, None);
            args.put_reals(2, a)?;
            args.put_reals(4, Array::vector(taus))?;
            args.put_int(7, 0)
        }
        External::Dgeqp3 => {
            let mut a = args.reals(2)?.clone();
            let mut order: Vec<i64> = (1..=a.dims[1] as i64).collect();
            let taus = reflect(&mut a, Some(&mut order));
            args.put_reals(2, a)?;
            args.put_ints(4, Array::vector(order))?;
            args.put_reals(5, Array::vector(taus))?;
            args.put_int(8, 0)
        }
        External::Dorgqr => {
            let q = args.reals(3)?.clone();
            let taus = args.reals(5)?.data.clone();
            let (m, n) = (q.dims[0], q.dims[1]);
            let mut out = Array::default();
            out.filled(&[m, n], R::of(0.0));
            (0..n.min(m)).for_each(|i| out.data[i * n + i] = R::of(1.0));
            apply(&q, &taus, &mut out, false);
            args.put_reals(3, out)?;
            args.put_int(8, 0)
        }
        External::Dpotrf => {
            let upper = args.text(0)?.starts_with(['U', 'u']);
            let mut a = args.reals(2)?.clone();
            let info = cholesky(&mut a, upper);
            args.put_reals(2, a)?;
            args.put_int(4, info)
        }
        External::Dgtsv => {
            let (sub, diagonal, sup) = (args.reals(2)?, args.reals(3)?, args.reals(4)?);
            let n = diagonal.data.len();
            let mut a = Array::default();
            a.filled(&[n, n], R::of(0.0));
            for i in 0..n {
                a.data[i * n + i] = diagonal.data[i];
                if i + 1 < n {
                    a.data[(i + 1) * n + i] = sub.data[i];
                    a.data[i * n + i + 1] = sup.data[i];
                }
            }
            let mut x = args.reals(5)?.clone();
            let (pivots, singular) = eliminate(&mut a);
            if singular.is_none() {
                back(&a, &pivots, &mut x);
            }
            args.put_reals(5, x)?;
            args.put_int(7, singular.map_or(0, |k| k as i64 + 1))
        }
        External::Dlange => {
            let kind = args.text(0)?;
            let a = args.reals(3)?;
            let (m, n) = a.matrix()?;
            let abs = |i: usize, j: usize| R::unary(Unary::Abs, a.data[i * n + j]);
            let largest = |values: Vec<R>| {
                let found = values
                    .into_iter()
                    .reduce(|a, b| if b.value() > a.value() { b } else { a });
                found.unwrap_or(R::of(0.0))
            };
            let sum = |values: Vec<R>| values.into_iter().fold(R::of(0.0), R::add);
            let value = match kind.chars().next() {
                Some('1' | 'O' | 'o') => largest(
                    (0..n)
                        .map(|j| sum((0..m).map(|i| abs(i, j)).collect()))
                        .collect(),
                ),
                Some('I' | 'i') => largest(
                    (0..m)
                        .map(|i| sum((0..n).map(|j| abs(i, j)).collect()))
                        .collect(),
                ),
                Some('F' | 'f' | 'E' | 'e') => {
                    R::unary(Unary::Sqrt, sum(a.data.iter().map(|x| x.mul(*x)).collect()))
                }
                _ => largest((0..m * n).map(|k| abs(k / n, k % n)).collect()),
            };
            args.give_real(value)
        }
        External::Dgesvd | External::Dgesdd => {
            let whole = args.text(0)?.starts_with('A');
            let (at_a, at_s) = match function {
                External::Dgesvd => (4, 6),
                _ => (3, 5),
            };
            let (at_u, at_v, at_info) = match function {
                External::Dgesvd => (7, 9, 13),
                _ => (6, 8, 13),
            };
            let a = args.numbers(at_a)?;
            let (s, u, vt) = eigen::singular_values(&a);
            args.put_reals(at_s, Array::vector(s.into_iter().map(R::of).collect()))?;
            if whole {
                args.put_reals(at_u, lift(u))?;
                args.put_reals(at_v, lift(vt))?;
            }
            args.put_int(at_info, 0)
        }
        External::Dgbsv => {
            let (below, above) = (args.int(1)?, args.int(2)?);
            let band = args.reals(4)?;
            let (rows, n) = band.matrix()?;
            let x = args.reals(7)?;
            let fits = x.dims.first() == Some(&n);
            if below < 0 || above < 0 || 2 * below + above >= rows as i64 || !fits {
                return Err(sizes());
            }
            let mut a = Array::default();
            a.filled(&[n, n], R::of(0.0));
            for i in 0..n as i64 {
                for j in (i - below).max(0)..=(i + above).min(n as i64 - 1) {
                    let row = below + above + i - j;
                    a.data[i as usize * n + j as usize] = band.data[row as usize * n + j as usize];
                }
            }
            let mut x = args.reals(7)?.clone();
            let (pivots, singular) = eliminate(&mut a);
            if singular.is_none() {
                back(&a, &pivots, &mut x);
            }
            args.put_reals(7, x)?;
            args.put_int(9, singular.map_or(0, |k| k as i64 + 1))
        }
        External::Dgesvx => {
            let transposed = args.text(1)?.starts_with(['T', 't', 'C', 'c']);
            let mut x = args.reals(12)?.clone();
            let n = order(args.reals(4)?)?;
            if x.dims.first() != Some(&n) {
                return Err(sizes());
            }
            let mut a = args.reals(4)?.clone();
            if transposed {
                a = flipped(&a);
            }
            let size = norm_1(&a);
            let (pivots, singular) = eliminate(&mut a);
            let mut info = singular.map_or(0, |k| k as i64 + 1);
            let mut rcond = R::of(0.0);
            if singular.is_none() {
                back(&a, &pivots, &mut x);
                let mut inverse = unit(n);
                back(&a, &pivots, &mut inverse);
                rcond = R::of(1.0).div(size.mul(norm_1(&inverse)));
                if rcond.value().is_nan() || rcond.value() < f64::EPSILON {
                    info = n as i64 + 1;
                }
            }
            args.put_reals(14, x)?;
            args.put_real(16, rcond)?;
            args.put_int(21, info)
        }
        External::Dgecon => {
            let infinite = args.text(0)?.starts_with(['I', 'i']);
            let lu = args.reals(2)?;
            let n = order(lu)?;
            // The exchanged rows are columns of the inverse, whose order changes no norm.
            let pivots: Vec<usize> = (0..n).collect();
            let mut inverse = unit(n);
            back(lu, &pivots, &mut inverse);
            if infinite {
                inverse = flipped(&inverse);
            }
            let size = args.real(4)?.mul(norm_1(&inverse));
            let rcond = R::of(1.0).div(size);
            let known = rcond.value().is_finite();
            args.put_real(5, if known { rcond } else { R::of(0.0) })?;
            args.put_int(8, 0)
        }
        External::Dtrsm => {
            let right = args.text(0)?.starts_with(['R', 'r']);
            let upper = args.text(1)?.starts_with(['U', 'u']);
            let transposed = args.text(2)?.starts_with(['T', 't', 'C', 'c']);
            let unit_diagonal = args.text(3)?.starts_with(['U', 'u']);
            let alpha = args.real(6)?;
            let mut a = args.reals(7)?.clone();
            let n = order(&a)?;
            let (rows, columns) = args.reals(9)?.matrix()?;
            if n != if right { columns } else { rows } {
                return Err(sizes());
            }
            for i in 0..n {
                for j in 0..n {
                    if i == j && unit_diagonal {
                        a.data[i * n + j] = R::of(1.0);
                    } else if i != j && (i < j) != upper {
                        a.data[i * n + j] = R::of(0.0);
                    }
                }
            }
            let mut x = args.reals(9)?.clone();
            x.data.iter_mut().for_each(|v| *v = v.mul(alpha));
            // From the right it is the transposed system.
            if transposed != right {
                a = flipped(&a);
            }
            if right {
                x = flipped(&x);
            }
            let (pivots, _) = eliminate(&mut a);
            back(&a, &pivots, &mut x);
            args.put_reals(9, if right { flipped(&x) } else { x })
        }
        External::Dormqr => {
            let a = args.reals(5)?;
            let taus = &args.reals(7)?.data;
            let (n, columns) = a.matrix()?;
            if taus.len() > n.min(columns) {
                return Err(sizes());
            }
            let mut q = unit(n);
            apply(a, taus, &mut q, false);
            let turned = turn(args, q, 8)?;
            args.put_reals(8, turned)?;
            args.put_int(12, 0)
        }
        External::Dormhr => {
            let a = args.reals(6)?;
            let taus = &args.reals(8)?.data;
            let n = order(a)?;
            // The reflections of the rows after the first one.
            let k = n.saturating_sub(1);
            let mut inner = Array::default();
            inner.filled(&[k, k], R::of(0.0));
            for i in 0..k {
                (0..k).for_each(|j| inner.data[i * k + j] = a.data[(i + 1) * n + j]);
            }
            let mut turning = unit(k);
            apply(&inner, &taus[..k.min(taus.len())], &mut turning, false);
            let mut q = unit(n);
            for i in 0..k {
                (0..k).for_each(|j| q.data[(i + 1) * n + j + 1] = turning.data[i * k + j]);
            }
            let turned = turn(args, q, 9)?;
            args.put_reals(9, turned)?;
            args.put_int(13, 0)
        }
        _ => Err(Trouble::External("no function of matrices".into())),
    }
}

pub fn sizes() -> Trouble {
    Trouble::External("the sizes of matrices differ".into())
}

/// The number of rows of a square matrix.
fn order<R: Num>(a: &Array<R>) -> Result<usize, Trouble> {
    match a.matrix()? {
        (m, n) if m == n => Ok(n),
        _ => Err(sizes()),
    }
}

fn unit<R: Num>(n: usize) -> Array<R> {
    let mut out = Array::default();
    out.filled(&[n, n], R::of(0.0));
    (0..n).for_each(|i| out.data[i * n + i] = R::of(1.0));
    out
}

/// The transposed matrix.
fn flipped<R: Num>(a: &Array<R>) -> Array<R> {
    let (m, n) = (a.dims[0], a.dims[1]);
    let mut out = Array::default();
    out.filled(&[n, m], R::of(0.0));
    for i in 0..m {
        (0..n).for_each(|j| out.data[j * m + i] = a.data[i * n + j]);
    }
    out
}

/// The greatest sum of a column.
fn norm_1<R: Num>(a: &Array<R>) -> R {
    let (m, n) = (a.dims[0], a.dims[1]);
    let column = |j: usize| {
        let entries = (0..m).map(|i| R::unary(Unary::Abs, a.data[i * n + j]));
        entries.fold(R::of(0.0), R::add)
    };
    let sums = (0..n).map(column);
    let largest = sums.reduce(|a, b| if b.value() > a.value() { b } else { a });
    largest.unwrap_or(R::of(0.0))
}

/// The matrix in argument `index` times `q` on the side, and transposed or not, as the first two arguments say.
fn turn<R: Num>(args: &Args<'_, R>, q: Array<R>, index: usize) -> Result<Array<R>, Trouble> {
    let right = args.text(0)?.starts_with(['R', 'r']);
    let transposed = args.text(1)?.starts_with(['T', 't', 'C', 'c']);
    let q = if transposed { flipped(&q) } else { q };
    let c = args.reals(index)?;
    let (a, b) = if right { (c, &q) } else { (&q, c) };
    let ((m, k), (rows, n)) = (a.matrix()?, b.matrix()?);
    if k != rows {
        return Err(sizes());
    }
    let mut out = Array::default();
    out.filled(&[m, n], R::of(0.0));
    for i in 0..m {
        for j in 0..n {
            let terms = (0..k).map(|l| a.data[i * k + l].mul(b.data[l * n + j]));
            out.data[i * n + j] = terms.fold(R::of(0.0), R::add);
        }
    }
    Ok(out)
}

pub fn lift<R: Num>(a: Array<f64>) -> Array<R> {
    Array {
        dims: a.dims,
        data: a.data.into_iter().map(R::of).collect(),
    }
}

/// The lower or upper factor; the other triangle stays as it is. The first step that fails, from 1.
fn cholesky<R: Num>(a: &mut Array<R>, upper: bool) -> i64 {
    let n = a.dims[0];
    let at = |i: usize, j: usize| if upper { j * n + i } else { i * n + j };
    for j in 0..n {
        let mut sum = a.data[at(j, j)];
        for k in 0..j {
            let x = a.data[at(j, k)];
            sum = sum.sub(x.mul(x));
        }
        if sum.value() <= 0.0 {
            return j as i64 + 1;
        }
        let root = R::unary(Unary::Sqrt, sum);
        a.data[at(j, j)] = root;
        for i in j + 1..n {
            let mut sum = a.data[at(i, j)];
            for k in 0..j {
                sum = sum.sub(a.data[at(i, k)].mul(a.data[at(j, k)]));
            }
            a.data[at(i, j)] = sum.div(root);
        }
    }
    0
}

/// The shortest of the solutions with the smallest residual, in the first rows, and the rank.
fn least_squares<R: Num>(
    a: Array<R>,
    b: Array<R>,
    rcond: f64,
) -> Result<(Array<R>, usize), Trouble> {
    let (m, n) = a.matrix()?;
    let width = b.dims.get(1).copied().unwrap_or(1);
    let rows = b.dims[0];
    if rows < m.max(n) {
        return Err(Trouble::Sizes(a.dims.clone(), b.dims.clone()));
    }
    let mut qr = a.clone();
    let mut order: Vec<i64> = (0..n as i64).collect();
    let taus = reflect(&mut qr, Some(&mut order));
    let size = |k: usize| qr.data[k * n + k].value().abs();
    let limit =
        rcond.max(f64::EPSILON * m.max(n) as f64) * if n > 0 && m > 0 { size(0) } else { 0.0 };
    let rank = (0..m.min(n)).take_while(|&k| size(k) > limit).count();
    let mut out = b.clone();
    if rank == n {
        let mut rhs = Array::default();
        rhs.filled(&[m, width], R::of(0.0));
        rhs.data.copy_from_slice(&b.data[..m * width]);
        apply(&qr, &taus, &mut rhs, true);
        for c in 0..width {
            let mut x = vec![R::of(0.0); n];
            for i in (0..n).rev() {
                let mut sum = rhs.data[i * width + c];
                for (j, &known) in x.iter().enumerate().skip(i + 1) {
                    sum = sum.sub(qr.data[i * n + j].mul(known));
                }
                x[i] = sum.div(qr.data[i * n + i]);
            }
            for (i, &to) in order.iter().enumerate() {
                out.data[to as usize * width + c] = x[i];
            }
        }
        return Ok((out, rank));
    }
    // Of full row rank: x = Aᵀ y with A Aᵀ y = b. Otherwise by singular values, without derivatives.
    if rank == m {
        let mut square = Array::default();
        square.filled(&[m, m], R::of(0.0));
        for i in 0..m {
            for j in 0..m {
                for k in 0..n {
                    let term = a.data[i * n + k].mul(a.data[j * n + k]);
                    square.data[i * m + j] = square.data[i * m + j].add(term);
                }
            }
        }
        let mut y = Array {
            dims: Dims::from_slice(&[m, width]),
            data: b.data[..m * width].to_vec(),
        };
        let (pivots, _) = eliminate(&mut square);
        back(&square, &pivots, &mut y);
        for k in 0..n {
            for c in 0..width {
                let terms = (0..m).map(|i| a.data[i * n + k].mul(y.data[i * width + c]));
                out.data[k * width + c] = terms.fold(R::of(0.0), R::add);
            }
        }
        return Ok((out, rank));
    }
    let values = Array {
        dims: a.dims.clone(),
        data: a.data.iter().map(|x| x.value()).collect(),
    };
    let (s, u, vt) = eigen::singular_values(&values);
    for c in 0..width {
        let mut x = vec![0.0; n];
        for k in (0..s.len()).take(rank) {
            let sum: f64 = (0..m)
                .map(|i| u.data[i * m + k] * b.data[i * width + c].value())
                .sum();
            (0..n).for_each(|j| x[j] += vt.data[k * n + j] * sum / s[k]);
        }
        (0..n).for_each(|j| out.data[j * width + c] = R::of(x[j]));
    }
    Ok((out, rank))
}

/// The `x` with `B x = d` for which `|A x - c|` is smallest, and whether `B` has full rank. With `Bᵀ = Q R` and `x = Q y` the
/// constraint determines the first components of `y`, and the rest is a problem without one.
fn constrained<R: Num>(
    a: &Array<R>,
    b: &Array<R>,
    c: &Array<R>,
    d: &Array<R>,
) -> Result<(Array<R>, bool), Trouble> {
    let ((m, n), (p, _)) = (a.matrix()?, b.matrix()?);
    let mut qr = Array::default();
    b.transpose_into(&mut qr)?;
    let taus = reflect(&mut qr, None);
    let mut y = Array::default();
    y.filled(&[n], R::of(0.0));
    let mut regular = p <= n;
    for i in 0..p.min(n) {
        let pivot = qr.data[i * p + i];
        regular &= pivot.value() != 0.0;
        let known = (0..i).map(|k| qr.data[k * p + i].mul(y.data[k]));
        let rest = known.fold(d.data[i], R::sub);
        y.data[i] = rest.div(pivot);
    }
    if !regular {
        return Ok((y, false));
    }
    // The columns of A Q, whose transpose is Qᵀ Aᵀ.
    let mut turned = Array::default();
    a.transpose_into(&mut turned)?;
    apply(&qr, &taus, &mut turned, true);
    let mut free = Array::default();
    free.filled(&[m, n - p], R::of(0.0));
    let mut rest = Array::default();
    rest.filled(&[m.max(n - p)], R::of(0.0));
    for i in 0..m {
        let known = (0..p).map(|k| turned.data[k * m + i].mul(y.data[k]));
        rest.data[i] = known.fold(c.data[i], R::sub);
        (p..n).for_each(|k| free.data[i * (n - p) + k - p] = turned.data[k * m + i]);
    }
    if p < n {
        let (found, _) = least_squares(free, rest, 0.0)?;
        y.data[p..].copy_from_slice(&found.data[..n - p]);
    }
    apply(&qr, &taus, &mut y, false);
    Ok((y, true))
}
