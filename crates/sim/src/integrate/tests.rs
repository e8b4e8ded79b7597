//! All methods on problems with known solutions.

use super::{Dopri5, Kind, Method, NoValue, Radau5, Settings, Slopes, System};
use modeshift_algebra::Sparse;
use proptest::prelude::*;

/// A right-hand side of so many states.
pub struct Problem<F>(pub usize, pub F);

impl<F: FnMut(f64, &[f64], &mut [f64])> System for Problem<F> {
    fn dimension(&self) -> usize {
        self.0
    }
    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue> {
        (self.1)(t, y, out);
        Ok(())
    }
    fn pattern(&mut self) -> Sparse {
        Sparse::full(self.0)
    }
    /// Central differences.
    fn jacobian(&mut self, t: f64, y: &[f64], _: Slopes, out: &mut Sparse) -> Result<(), NoValue> {
        let n = self.0;
        let (mut above, mut below) = (vec![0.0; n], vec![0.0; n]);
        for column in 0..n {
            let mut moved = y.to_vec();
            let h = 1e-6 * y[column].abs().max(1e-3);
            moved[column] = y[column] + h;
            self.derivative(t, &moved, &mut above)?;
            moved[column] = y[column] - h;
            self.derivative(t, &moved, &mut below)?;
            for row in 0..n {
                out.values[column * n + row] = (above[row] - below[row]) / (2.0 * h);
            }
        }
        Ok(())
    }
}

pub fn settings(tolerance: f64) -> Settings {
    Settings {
        relative: tolerance,
        absolute: tolerance,
        largest_step: f64::INFINITY,
    }
}

fn run(method: &mut dyn Method, system: &mut dyn System, end: f64) -> usize {
    let mut steps = 0;
    while method.interval().1 < end {
        method.step(system, end).unwrap();
        steps += 1;
    }
    steps
}

const ALL: [Kind; 3] = [Kind::Dopri5, Kind::Radau5, Kind::Bdf];
const IMPLICIT: [Kind; 2] = [Kind::Radau5, Kind::Bdf];

fn oscillator(_: f64, y: &[f64], out: &mut [f64]) {
    out[0] = y[1];
    out[1] = -y[0];
}

#[test]
fn an_oscillator_comes_round_and_the_dense_output_is_as_good() {
    let tau = std::f64::consts::TAU;
    for tolerance in [1e-6, 1e-9] {
        for kind in ALL {
            let mut method = kind.start(settings(tolerance), 0.0, &[1.0, 0.0], None);
            let mut system = Problem(2, oscillator);
            let mut worst = 0.0_f64;
            while method.interval().1 < tau {
                method.step(&mut system, tau).unwrap();
                let (a, b) = method.interval();
                let mut y = [0.0; 2];
                for part in [0.25, 0.5, 0.75] {
                    let t = a + part * (b - a);
                    method.interpolate(t, &mut y);
                    worst = worst.max((y[0] - libm::cos(t)).abs());
                }
            }
            let error = (method.state()[0] - 1.0).abs();
            assert!(
                error < 100.0 * tolerance,
                "{kind:?}: {error} for {tolerance}"
            );
            assert!(worst < 1000.0 * tolerance, "{worst} for {tolerance}");
        }
    }
}

#[test]
fn a_stiff_problem_is_noticed_and_takes_the_implicit_method_few_steps() {
    let stiff = |t: f64, y: &[f64], out: &mut [f64]| out[0] = -1e5 * (y[0] - libm::cos(t));
    let mut system = Problem(1, stiff);
    let mut explicit = Dopri5::new(settings(1e-6), 0.0, &[0.0], None);
    for _ in 0..200 {
        explicit.step(&mut system, 1.0).unwrap();
    }
    assert!(explicit.is_stiff());
    let mut implicit = Radau5::new(settings(1e-6), 0.0, &[0.0], None);
    let steps = run(&mut implicit, &mut system, 1.0);
    assert!(steps < 60, "{steps}");
    assert!((implicit.state()[0] - libm::cos(1.0)).abs() < 1e-4);
}

#[test]
fn what_is_forced_slowly_through_a_stiff_part_is_stiff() {
    let slow = |t: f64, y: &[f64], out: &mut [f64]| out[0] = -27.0 * (y[0] - libm::cos(0.01 * t));
    let mut system = Problem(1, slow);
    let mut explicit = Dopri5::new(settings(1e-6), 0.0, &[1.0], None);
    for _ in 0..200 {
        explicit.step(&mut system, 1000.0).unwrap();
    }
    assert!(explicit.is_stiff());
}

#[test]
fn van_der_pol_relaxes() {
    let mu = 1000.0;
    let pol = move |_: f64, y: &[f64], out: &mut [f64]| {
        out[0] = y[1];
        out[1] = mu * (1.0 - y[0] * y[0]) * y[1] - y[0];
    };
    for kind in IMPLICIT {
        let mut system = Problem(2, pol);
        let mut implicit = kind.start(settings(1e-6), 0.0, &[2.0, 0.0], None);
        run(implicit.as_mut(), &mut system, 2000.0);
        // Hairer's reference for the scaled problem at t = 2.
        let error = implicit.state()[0] - 1.706_167_732_170_483;
        assert!(error.abs() < 1e-3, "{kind:?}: {error}");
    }
}

/// A capacitor that follows a voltage through a small resistance: at every point of the dense output, and with it the
/// current, which the error of the voltage reaches a hundred thousand times as large.
#[test]
fn what_is_forced_through_a_stiff_part_follows_the_force_everywhere() {
    let omega = 100.0 * std::f64::consts::PI;
    let (rate, size) = (1e8, 10.0);
    let forced = move |t: f64, y: &[f64], out: &mut [f64]| {
        out[0] = rate * (size * libm::sin(omega * t) - y[0]);
    };
    // The solution after the transient.
    let exact = move |t: f64| {
        let part = omega / rate;
        size * (libm::sin(omega * t) - part * libm::cos(omega * t)) / (1.0 + part * part)
    };
    let tolerance = 1e-6;
    for kind in IMPLICIT {
        let mut system = Problem(1, forced);
        let mut method = kind.start(settings(tolerance), 0.0, &[0.0], None);
        let (mut worst, mut worst_slope) = (0.0_f64, 0.0_f64);
        let mut steps = 0;
        while method.interval().1 < 0.1 {
            method.step(&mut system, 0.1).unwrap();
            steps += 1;
            let (a, b) = method.interval();
            for part in 0..10 {
                let t = a + f64::from(part) / 10.0 * (b - a);
                let mut y = [0.0];
                method.interpolate(t, &mut y);
                if t > 1e-6 {
                    worst = worst.max((y[0] - exact(t)).abs());
                    method.refine(&mut system, t, &mut y);
                    let mut slope = [0.0];
                    system.derivative(t, &y, &mut slope).unwrap();
                    let expected = size * omega * libm::cos(omega * t);
                    worst_slope = worst_slope.max((slope[0] - expected).abs() / (size * omega));
                }
            }
        }
        assert!(
            worst < 10.0 * tolerance * size,
            "{kind:?}: {worst}, {steps} steps"
        );
        assert!(worst_slope < 1e-2, "{kind:?}: {worst_slope}");
        assert!(steps < 2000, "{kind:?}: {steps}");
    }
}

/// An event may lie one rounding before the end.
#[test]
fn the_smallest_step_to_a_limit_is_taken() {
    for kind in ALL {
        let mut system = Problem(1, |_: f64, _: &[f64], out: &mut [f64]| out[0] = 1.0);
        let start = 1.0 - f64::EPSILON / 2.0;
        let mut method = kind.start(settings(1e-6), start, &[3.0], None);
        method.step(&mut system, 1.0).unwrap();
        assert_eq!(method.interval(), (start, 1.0), "{kind:?}");
        assert!((method.state()[0] - 3.0).abs() < 1e-14);
    }
}

/// Who is to blame is known after a failure.
#[test]
fn the_state_with_a_singularity_is_named() {
    for kind in ALL {
        let burst = |_: f64, y: &[f64], out: &mut [f64]| {
            out[0] = -y[0];
            out[1] = y[1] * y[1];
        };
        let mut system = Problem(2, burst);
        let mut method = kind.start(settings(1e-6), 0.0, &[1.0, 1.0], None);
        while method.step(&mut system, 2.0).is_ok() {}
        let trouble = method.trouble().unwrap();
        assert!(
            !format!("{trouble:?}").contains("(0)"),
            "{kind:?}: {trouble:?}"
        );
        assert!((method.interval().1 - 1.0).abs() < 1e-3, "{kind:?}");
    }
}

/// A symmetric matrix with these eigenvalues: rotations of a diagonal one, and the rotations.
fn rotated(eigenvalues: &[f64], angles: &[f64]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let n = eigenvalues.len();
    let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
    let mut q: Vec<Vec<f64>> = (0..n).map(unit).collect();
    let mut next = angles.iter().cycle();
    for i in 0..n {
        for j in i + 1..n {
            let (s, c) = libm::sincos(*next.next().unwrap());
            for row in &mut q {
                (row[i], row[j]) = (c * row[i] - s * row[j], s * row[i] + c * row[j]);
            }
        }
    }
    let entry = |i: usize, j: usize| (0..n).map(|k| q[i][k] * eigenvalues[k] * q[j][k]).sum();
    let matrix = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    (matrix, q)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// `y' = Ay` with rates from slow to a million times as fast, against `exp(At) y₀`, at the ends of steps and
    /// between them.
    #[test]
    fn linear_stiff_systems_follow_the_matrix_exponential(
        exponents in prop::collection::vec(-1.0..6.0_f64, 1..6),
        angles in prop::collection::vec(0.0..6.0_f64, 1..10),
        y0 in prop::collection::vec(-1.0..1.0_f64, 6),
    ) {
        let rates: Vec<f64> = exponents.iter().map(|e| -libm::pow(10.0, *e)).collect();
        let n = rates.len();
        let (matrix, q) = rotated(&rates, &angles);
        let y0 = &y0[..n];
        let exact = |t: f64| -> Vec<f64> {
            let along = |k: usize| -> f64 {
                (0..n).map(|i| q[i][k] * y0[i]).sum::<f64>() * libm::exp(rates[k] * t)
            };
            (0..n).map(|i| (0..n).map(|k| q[i][k] * along(k)).sum()).collect()
        };
        let tolerance = 1e-6;
        for kind in IMPLICIT {
            let product = |_: f64, y: &[f64], out: &mut [f64]| {
                for (out, row) in out.iter_mut().zip(&matrix) {
                    *out = row.iter().zip(y).map(|(a, b)| a * b).sum();
                }
            };
            let mut system = Problem(n, product);
            let mut method = kind.start(settings(tolerance), 0.0, y0, None);
            let mut steps = 0;
            while method.interval().1 < 1.0 {
                prop_assert!(method.step(&mut system, 1.0).is_ok());
                steps += 1;
                let (a, b) = method.interval();
                for part in [0.3, 0.6, 0.9, 1.0] {
                    let t = a + part * (b - a);
                    let mut y = vec![0.0; n];
                    method.interpolate(t, &mut y);
                    let worst = y.iter().zip(exact(t)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    prop_assert!(worst < 100.0 * tolerance, "{kind:?} at {t}: {worst}");
                }
            }
            prop_assert!(steps < 600, "{kind:?}: {steps}");
        }
    }
}
