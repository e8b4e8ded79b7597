//! Our integrators beside diffsol's, on the same right-hand sides with the same tolerances.
//!
//! `cargo run --release` in this directory prints one line per problem and method: evaluations of the right-hand
//! side, time, and the error against a run with a far smaller tolerance.

/// The sources as they are: the crate itself would bring the whole compiler with it.
#[path = "../../../../crates/sim/src"]
#[allow(dead_code)]
mod sim {
    pub mod integrate;
    pub mod linear;
}
use sim::{integrate, linear};

use diffsol::{NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverState};
use integrate::{Dopri5, Method, NoValue, Radau5, Settings, System};
use std::cell::Cell;
use std::time::Instant;

type Matrix = NalgebraMat<f64>;
type Solver = NalgebraLU<f64>;

struct Problem {
    name: &'static str,
    start: Vec<f64>,
    stop: f64,
    /// How often the integration starts anew, as after an event.
    restarts: usize,
    f: fn(f64, &[f64], &mut [f64]),
}

fn oscillators(_: f64, y: &[f64], out: &mut [f64]) {
    let n = y.len() / 2;
    for i in 0..n {
        let left = if i == 0 { 0.0 } else { y[i - 1] };
        let right = if i + 1 == n { 0.0 } else { y[i + 1] };
        out[i] = y[n + i];
        out[n + i] = left - 2.0 * y[i] + right;
    }
}

fn van_der_pol(_: f64, y: &[f64], out: &mut [f64]) {
    out[0] = y[1];
    out[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

fn rod(t: f64, y: &[f64], out: &mut [f64]) {
    let n = y.len();
    for i in 0..n {
        let left = if i == 0 { libm::sin(t) } else { y[i - 1] };
        let right = if i + 1 == n { 0.0 } else { y[i + 1] };
        out[i] = (n * n) as f64 * (left - 2.0 * y[i] + right);
    }
}

struct Counted<'p>(&'p Problem, usize);

impl System for Counted<'_> {
    fn dimension(&self) -> usize {
        self.0.start.len()
    }
    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue> {
        self.1 += 1;
        (self.0.f)(t, y, out);
        Ok(())
    }
}

fn ours(problem: &Problem, tolerance: f64, implicit: bool) -> (Vec<f64>, usize) {
    let settings = Settings {
        relative: tolerance,
        absolute: tolerance,
        largest_step: f64::INFINITY,
    };
    let mut system = Counted(problem, 0);
    let mut y = problem.start.clone();
    for part in 0..problem.restarts {
        let length = problem.stop / problem.restarts as f64;
        let (from, to) = (part as f64 * length, (part + 1) as f64 * length);
        let mut method: Box<dyn Method> = if implicit {
            Box::new(Radau5::new(settings, from, &y, None))
        } else {
            Box::new(Dopri5::new(settings, from, &y, None))
        };
        while method.interval().1 < to {
            method.step(&mut system, to).expect("a step can be taken");
        }
        y = method.state().to_vec();
    }
    (y, system.1)
}

fn theirs(problem: &Problem, tolerance: f64, implicit: bool) -> (Vec<f64>, usize) {
    let count = Cell::new(0);
    let f = problem.f;
    let mut y = problem.start.clone();
    let n = y.len();
    for part in 0..problem.restarts {
        let length = problem.stop / problem.restarts as f64;
        let (from, to) = (part as f64 * length, (part + 1) as f64 * length);
        let begin = y.clone();
        let counter = &count;
        let ode = OdeBuilder::<Matrix>::new()
            .t0(from)
            .h0(1e-6)
            .rtol(tolerance)
            .atol([tolerance])
            .rhs_implicit(
                move |x, _p, t, out| {
                    counter.set(counter.get() + 1);
                    let mut slope = vec![0.0; n];
                    let point: Vec<f64> = (0..n).map(|i| x[i]).collect();
                    f(t, &point, &mut slope);
                    for i in 0..n {
                        out[i] = slope[i];
                    }
                },
                // The product of the Jacobian with a vector, by a difference quotient as ours is.
                move |x, _p, t, v, out| {
                    counter.set(counter.get() + 2);
                    let size = (0..n).fold(1e-300, |m: f64, i| m.max(v[i].abs()));
                    let h = 1e-7 / size;
                    let point: Vec<f64> = (0..n).map(|i| x[i]).collect();
                    let moved: Vec<f64> = (0..n).map(|i| x[i] + h * v[i]).collect();
                    let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
                    f(t, &point, &mut a);
                    f(t, &moved, &mut b);
                    for i in 0..n {
                        out[i] = (b[i] - a[i]) / h;
                    }
                },
            )
            .init(
                move |_p, _t, out| {
                    for i in 0..n {
                        out[i] = begin[i];
                    }
                },
                n,
            )
            .build()
            .expect("the problem can be built");
        y = if implicit {
            let mut solver = ode.bdf::<Solver>().expect("a solver");
            while solver.state().t < to {
                solver.step().expect("a step can be taken");
            }
            let end = solver.interpolate(to).expect("within the step");
            (0..n).map(|i| end[i]).collect()
        } else {
            let mut solver = ode.tsit45().expect("a solver");
            while solver.state().t < to {
                solver.step().expect("a step can be taken");
            }
            let end = solver.interpolate(to).expect("within the step");
            (0..n).map(|i| end[i]).collect()
        };
    }
    (y, count.get())
}

fn main() {
    let mut wave = vec![0.0; 40];
    wave[0] = 1.0;
    let problems = [
        Problem { name: "20 oscillators", start: wave.clone(), stop: 100.0, restarts: 1, f: oscillators },
        Problem { name: "20 oscillators, 500 restarts", start: wave, stop: 100.0, restarts: 500, f: oscillators },
        Problem { name: "van der Pol, mu = 1000", start: vec![2.0, 0.0], stop: 2000.0, restarts: 1, f: van_der_pol },
        Problem { name: "rod of 30 pieces", start: vec![0.0; 30], stop: 10.0, restarts: 1, f: rod },
        Problem { name: "rod of 30 pieces, 100 restarts", start: vec![0.0; 30], stop: 10.0, restarts: 100, f: rod },
    ];
    for problem in &problems {
        let stiff = problem.name.starts_with("van") || problem.name.starts_with("rod");
        let (exact, _) = ours(problem, 1e-11, stiff);
        println!("{}", problem.name);
        type Run = fn(&Problem, f64, bool) -> (Vec<f64>, usize);
        let runs: [(&str, Run, bool); 4] = [
            ("our dopri5", ours, false),
            ("diffsol tsit45", theirs, false),
            ("our radau5", ours, true),
            ("diffsol bdf", theirs, true),
        ];
        for (name, run, implicit) in runs {
            if stiff != implicit {
                continue;
            }
            let begin = Instant::now();
            let (y, evaluations) = run(problem, 1e-6, implicit);
            let time = begin.elapsed();
            let error = y.iter().zip(&exact).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            println!("  {name:<15} {evaluations:>8} evaluations {:>9.3} ms  error {error:.1e}", time.as_secs_f64() * 1e3);
        }
    }
}
