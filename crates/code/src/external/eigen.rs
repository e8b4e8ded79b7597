//! Singular values of small dense matrices.

use crate::array::{Array, Dims};

pub fn zeros(rows: usize, columns: usize) -> Array<f64> {
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
