//! Both methods on problems with known solutions.

use super::{Dopri5, Method, NoValue, Radau5, Settings, Slopes, System};
use crate::linear::Sparse;

struct Linear<F>(usize, F);

impl<F: FnMut(f64, &[f64], &mut [f64])> System for Linear<F> {
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

fn settings(tolerance: f64) -> Settings {
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

fn oscillator(_: f64, y: &[f64], out: &mut [f64]) {
    out[0] = y[1];
    out[1] = -y[0];
}

#[test]
fn an_oscillator_comes_round_and_the_dense_output_is_as_good() {
    let tau = std::f64::consts::TAU;
    for tolerance in [1e-6, 1e-9] {
        let mut explicit = Dopri5::new(settings(tolerance), 0.0, &[1.0, 0.0], None);
        let mut implicit = Radau5::new(settings(tolerance), 0.0, &[1.0, 0.0], None);
        let methods: [&mut dyn Method; 2] = [&mut explicit, &mut implicit];
        for method in methods {
            let mut system = Linear(2, oscillator);
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
            assert!((method.state()[0] - 1.0).abs() < 100.0 * tolerance);
            assert!(worst < 1000.0 * tolerance, "{worst} for {tolerance}");
        }
    }
}

#[test]
fn a_stiff_problem_is_noticed_and_takes_the_implicit_method_few_steps() {
    let stiff = |t: f64, y: &[f64], out: &mut [f64]| out[0] = -1e5 * (y[0] - libm::cos(t));
    let mut system = Linear(1, stiff);
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
fn van_der_pol_relaxes() {
    let mu = 1000.0;
    let pol = move |_: f64, y: &[f64], out: &mut [f64]| {
        out[0] = y[1];
        out[1] = mu * (1.0 - y[0] * y[0]) * y[1] - y[0];
    };
    let mut system = Linear(2, pol);
    let mut implicit = Radau5::new(settings(1e-6), 0.0, &[2.0, 0.0], None);
    run(&mut implicit, &mut system, 2000.0);
    // Hairer's reference for the scaled problem at t = 2.
    assert!((implicit.state()[0] - 1.706_167_732_170_483).abs() < 1e-3);
}
