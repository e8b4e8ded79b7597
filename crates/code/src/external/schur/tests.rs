//! The laws that the results are named after, on random matrices and on those with multiple and infinite eigenvalues.

use super::super::complex::Complex;
use super::super::pencil::pencil;
use super::*;

/// Numbers between −1 and 1 from a fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn matrix(&mut self, n: usize) -> Square {
        Square {
            n,
            data: (0..n * n).map(|_| self.next()).collect(),
        }
    }
}

fn transposed(a: &Square) -> Square {
    let mut out = Square::zero(a.n);
    for i in 0..a.n {
        (0..a.n).for_each(|j| out.set(j, i, a.get(i, j)));
    }
    out
}

#[track_caller]
fn near(a: &Square, b: &Square, tolerance: f64) {
    for (x, y) in a.data.iter().zip(&b.data) {
        assert!((x - y).abs() <= tolerance, "{a:?}\n{b:?}");
    }
}

fn samples() -> Vec<Square> {
    let mut from = Sequence(17);
    let mut all: Vec<Square> = (0..60).map(|k| from.matrix(1 + k % 8)).collect();
    all.push(Square::zero(3));
    all.push(Square::identity(4));
    // A rotation, a Jordan block, a companion matrix, and one with a zero above the diagonal.
    for data in [
        vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
        vec![2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0],
        vec![0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -6.0, -11.0, -6.0],
        vec![1.0, 0.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, 7.0],
    ] {
        all.push(Square { n: 3, data });
    }
    all
}

#[test]
fn a_schur_form_is_the_matrix_in_orthogonal_coordinates() {
    for a in samples() {
        let (t, z) = schur(&a).unwrap();
        near(&times(&transposed(&z), &z), &Square::identity(a.n), 1e-12);
        near(&times(&times(&z, &t), &transposed(&z)), &a, 1e-11);
        for i in 0..a.n {
            (0..i.saturating_sub(1)).for_each(|j| assert_eq!(t.get(i, j), 0.0));
            if t.is_pair(i) {
                assert_eq!(t.get(i, i), t.get(i + 1, i + 1));
                assert!(t.get(i, i + 1) * t.get(i + 1, i) < 0.0);
                assert!(!t.is_pair(i + 1));
            }
        }
        let trace: f64 = (0..a.n).map(|i| a.get(i, i)).sum();
        let sum: f64 = values(&t).iter().map(|v| v.0).sum();
        assert!((trace - sum).abs() < 1e-11);
    }
}

#[test]
fn reflections_give_a_hessenberg_matrix() {
    for a in samples() {
        let mut h = a.clone();
        let taus = hessenberg(&mut h, 0, a.n - 1);
        let q = product(&h, &taus);
        clear(&mut h);
        near(&times(&transposed(&q), &q), &Square::identity(a.n), 1e-12);
        near(&times(&times(&q, &h), &transposed(&q)), &a, 1e-11);
    }
}

/// A column of eigenvectors as LAPACK stores them.
fn column(x: &Square, values: &[(f64, f64)], k: usize) -> Vec<Complex> {
    let entry = |i: usize| match values[k].1 {
        im if im > 0.0 => Complex(x.get(i, k), x.get(i, k + 1)),
        im if im < 0.0 => Complex(x.get(i, k - 1), -x.get(i, k)),
        _ => Complex(x.get(i, k), 0.0),
    };
    (0..x.n).map(entry).collect()
}

#[test]
fn eigenvectors_are_stretched() {
    let mut from = Sequence(5);
    for k in 0..80 {
        let a = from.matrix(1 + k % 8);
        let (t, z) = schur(&a).unwrap();
        let values = values(&t);
        for left in [false, true] {
            let mut x = times(&z, &vectors(&t, left));
            normalise(&mut x, &values, by_length);
            for (k, value) in values.iter().enumerate() {
                let lambda = Complex(value.0, if left { -value.1 } else { value.1 });
                let v = column(&x, &values, k);
                for i in 0..a.n {
                    let entry = |j| if left { a.get(j, i) } else { a.get(i, j) };
                    let terms = (0..a.n).map(|j| v[j].times(entry(j)));
                    let sum = terms.fold(Complex(0.0, 0.0), Complex::add);
                    assert!(sum.sub(lambda.mul(v[i])).abs() < 1e-10);
                }
                let norm: f64 = v.iter().map(|x| x.abs().powi(2)).sum();
                assert!((norm - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn chosen_eigenvalues_come_first_and_the_form_stays_one_of_the_matrix() {
    let mut from = Sequence(11);
    for k in 0..200 {
        let a = from.matrix(2 + k % 6);
        let (mut t, mut z) = schur(&a).unwrap();
        let before = values(&t);
        let chosen: Vec<bool> = before.iter().map(|v| v.0 < 0.0).collect();
        let m = reorder(&mut t, &mut z, &chosen);
        assert_eq!(m, chosen.iter().filter(|&&it| it).count());
        near(&times(&times(&z, &t), &transposed(&z)), &a, 1e-9);
        for (i, value) in values(&t).iter().enumerate() {
            assert_eq!(value.0 < 0.0, i < m);
        }
        assert!((0.0..=1.0).contains(&condition(&t, m)));
    }
}

#[test]
fn a_solution_of_sylvesters_equation_solves_it() {
    let mut from = Sequence(3);
    for k in 0..100 {
        let (m, n) = (1 + k % 5, 1 + k % 4);
        let form = |a: Square| schur(&a).unwrap().0;
        let (a, b) = (form(from.matrix(m)), form(from.matrix(n)));
        let c: Vec<f64> = (0..m * n).map(|_| from.next()).collect();
        for (ta, tb, sign) in [
            (false, false, 1.0),
            (true, false, -1.0),
            (false, true, 1.0),
            (true, true, -1.0),
        ] {
            let (x, regular) = sylvester((&a, ta), (&b, tb), sign, &c);
            assert!(regular);
            let size = x.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
            for i in 0..m {
                for j in 0..n {
                    let of_a = |r| if ta { a.get(r, i) } else { a.get(i, r) };
                    let of_b = |r| if tb { b.get(j, r) } else { b.get(r, j) };
                    let left: f64 = (0..m).map(|r| of_a(r) * x[r * n + j]).sum();
                    let right: f64 = (0..n).map(|r| x[i * n + r] * of_b(r)).sum();
                    assert!((left + sign * right - c[i * n + j]).abs() < 1e-11 * size);
                }
            }
        }
    }
}

/// βA − αB has no full rank: the vectors say so.
fn check_pencil(a: &Square, b: &Square) -> Vec<(f64, f64, f64)> {
    let found = pencil(a, b).unwrap();
    let values: Vec<(f64, f64)> = found.values.iter().map(|v| (v.0, v.1)).collect();
    for (k, &(re, im, beta)) in found.values.iter().enumerate() {
        assert!(beta >= 0.0);
        for left in [false, true] {
            let x = if left { &found.left } else { &found.right };
            let v = column(x, &values, k);
            let alpha = Complex(re, if left { -im } else { im });
            for i in 0..a.n {
                let entry = |j| {
                    let place = if left { (j, i) } else { (i, j) };
                    let (p, q) = (a.get(place.0, place.1), b.get(place.0, place.1));
                    Complex(beta * p, 0.0).sub(alpha.times(q))
                };
                let terms = (0..a.n).map(|j| entry(j).mul(v[j]));
                let sum = terms.fold(Complex(0.0, 0.0), Complex::add);
                assert!(sum.abs() < 1e-9, "{k} {left} {sum:?} {:?}", found.values);
            }
            assert!(v.iter().any(|x| x.abs() > 0.5));
        }
    }
    found.values
}

#[test]
fn generalised_eigenvalues_take_the_rank() {
    let mut from = Sequence(29);
    for k in 0..120 {
        let n = 1 + k % 7;
        let (a, b) = (from.matrix(n), from.matrix(n));
        check_pencil(&a, &b);
    }
    for a in samples() {
        let ordinary = values(&schur(&a).unwrap().0);
        if a.n == 3 {
            continue;
        }
        let mut found = pencil(&a, &Square::identity(a.n)).unwrap().values;
        let mut ordinary: Vec<f64> = ordinary.iter().map(|v| v.0).collect();
        ordinary.sort_by(f64::total_cmp);
        found.sort_by(|x, y| (x.0 / x.2).total_cmp(&(y.0 / y.2)));
        for (x, y) in ordinary.iter().zip(&found) {
            assert!((x - y.0 / y.2).abs() < 1e-9);
        }
    }
}

#[test]
fn a_singular_matrix_on_the_right_gives_infinite_eigenvalues() {
    let mut from = Sequence(31);
    for k in 0..60 {
        let n = 2 + k % 4;
        let (a, mut b) = (from.matrix(n), from.matrix(n));
        let row = k % n;
        (0..n).for_each(|j| b.set(row, j, 0.0));
        let found = check_pencil(&a, &b);
        let infinite = found.iter().filter(|v| v.2 == 0.0).count();
        assert_eq!(infinite, 1, "{found:?}");
    }
}
