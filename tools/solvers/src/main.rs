//! The integrators of modeshift beside those of diffsol, on the same right-hand sides.
//!
//! ```text
//! cargo run --release --manifest-path tools/solvers/Cargo.toml
//! ```
//!
//! Every run has a relative tolerance of 1e-6, an absolute one of 1e-8, and 500 points of dense output. Printed are
//! evaluations of the right-hand side (those for Jacobians counted as products with a vector), the time, and the
//! largest error at the points relative to a run of ours at 1e-11. "100 restarts" starts anew 100 times.

// The sources themselves: the rest of modeshift is not needed.
#[allow(dead_code)]
#[path = "../../../crates/sim/src"]
mod sim {
    pub mod integrate;
    pub mod linear;
}

use diffsol::{
    FaerSparseLU, FaerSparseMat, NalgebraLU, NalgebraMat, OdeBuilder, OdeEquations, OdeSolverMethod,
};
use integrate::{Dopri5, Method, NoValue, Radau5, Settings, Slopes, System};
use linear::Sparse;
use sim::{integrate, linear};
use std::cell::Cell;
use std::time::Instant;

const POINTS: usize = 500;

/// A right-hand side with the product of its Jacobian and a vector.
trait Problem: Copy {
    fn name(self) -> &'static str;
    fn start(self) -> Vec<f64>;
    fn stop(self) -> f64;
    fn f(self, t: f64, y: &[f64], out: &mut [f64]);
    fn jv(self, t: f64, y: &[f64], v: &[f64], out: &mut [f64]);
    /// Columns of the Jacobian by colour, and the rows of each column.
    fn columns(self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let n = self.start().len();
        ((0..n).map(|i| vec![i]).collect(), vec![(0..n).collect(); n])
    }
    fn is_stiff(self) -> bool;
}

#[derive(Clone, Copy)]
struct Oscillator;

impl Problem for Oscillator {
    fn name(self) -> &'static str {
        "oscillator"
    }
    fn start(self) -> Vec<f64> {
        vec![1.0, 0.0]
    }
    fn stop(self) -> f64 {
        100.0
    }
    fn f(self, _: f64, y: &[f64], out: &mut [f64]) {
        out[0] = y[1];
        out[1] = -y[0];
    }
    fn jv(self, _: f64, _: &[f64], v: &[f64], out: &mut [f64]) {
        out[0] = v[1];
        out[1] = -v[0];
    }
    fn is_stiff(self) -> bool {
        false
    }
}

#[derive(Clone, Copy)]
struct VanDerPol;

impl Problem for VanDerPol {
    fn name(self) -> &'static str {
        "van der Pol, µ = 1000"
    }
    fn start(self) -> Vec<f64> {
        vec![2.0, 0.0]
    }
    fn stop(self) -> f64 {
        2000.0
    }
    fn f(self, _: f64, y: &[f64], out: &mut [f64]) {
        out[0] = y[1];
        out[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
    }
    fn jv(self, _: f64, y: &[f64], v: &[f64], out: &mut [f64]) {
        out[0] = v[1];
        out[1] = (-2000.0 * y[0] * y[1] - 1.0) * v[0] + 1000.0 * (1.0 - y[0] * y[0]) * v[1];
    }
    fn is_stiff(self) -> bool {
        true
    }
}

/// Heat conduction in so many pieces.
#[derive(Clone, Copy)]
struct Rod(usize);

impl Problem for Rod {
    fn name(self) -> &'static str {
        if self.0 > 100 {
            "rod of 500 pieces"
        } else {
            "rod of 30 pieces"
        }
    }
    fn start(self) -> Vec<f64> {
        vec![0.0; self.0]
    }
    fn stop(self) -> f64 {
        10.0
    }
    fn f(self, t: f64, y: &[f64], out: &mut [f64]) {
        let n = self.0;
        let square = (n * n) as f64;
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { libm::sin(t) };
            let right = if i + 1 < n { y[i + 1] } else { 0.0 };
            out[i] = square * (left - 2.0 * y[i] + right);
        }
    }
    fn jv(self, _: f64, _: &[f64], v: &[f64], out: &mut [f64]) {
        let n = self.0;
        let square = (n * n) as f64;
        for i in 0..n {
            let left = if i > 0 { v[i - 1] } else { 0.0 };
            let right = if i + 1 < n { v[i + 1] } else { 0.0 };
            out[i] = square * (left - 2.0 * v[i] + right);
        }
    }
    fn columns(self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let n = self.0;
        let colours = (0..3).map(|c| (c..n).step_by(3).collect()).collect();
        let rows = (0..n).map(|i| (i.saturating_sub(1)..(i + 2).min(n)).collect());
        (colours, rows.collect())
    }
    fn is_stiff(self) -> bool {
        true
    }
}

/// A problem for our methods.
struct Ours<P> {
    problem: P,
    colours: Vec<Vec<usize>>,
    pattern: Sparse,
    evaluations: usize,
}

impl<P: Problem> Ours<P> {
    fn new(problem: P) -> Self {
        let (colours, rows) = problem.columns();
        Self {
            problem,
            colours,
            pattern: Sparse::new(&rows),
            evaluations: 0,
        }
    }
}

impl<P: Problem> System for Ours<P> {
    fn dimension(&self) -> usize {
        self.pattern.n
    }
    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue> {
        self.evaluations += 1;
        self.problem.f(t, y, out);
        Ok(())
    }
    fn pattern(&mut self) -> Sparse {
        self.pattern.clone()
    }
    fn jacobian(&mut self, t: f64, y: &[f64], _: Slopes, out: &mut Sparse) -> Result<(), NoValue> {
        let n = y.len();
        let (mut v, mut product) = (vec![0.0; n], vec![0.0; n]);
        for colour in &self.colours {
            self.evaluations += 1;
            colour.iter().for_each(|&i| v[i] = 1.0);
            self.problem.jv(t, y, &v, &mut product);
            colour.iter().for_each(|&i| v[i] = 0.0);
            for &column in colour {
                for k in out.starts[column]..out.starts[column + 1] {
                    out.values[k] = product[out.rows[k]];
                }
            }
        }
        Ok(())
    }
}

/// Evaluations, seconds, and the points.
struct Outcome {
    evaluations: usize,
    seconds: f64,
    points: Vec<Vec<f64>>,
}

fn ours<P: Problem>(problem: P, tolerance: f64, restarts: usize) -> Outcome {
    let mut system = Ours::new(problem);
    let settings = Settings {
        relative: tolerance,
        absolute: tolerance * 1e-2,
        largest_step: problem.stop(),
    };
    let begin = Instant::now();
    let mut y = problem.start();
    let mut points = Vec::new();
    for part in 0..restarts {
        let at = |i: usize| problem.stop() * i as f64 / restarts as f64;
        let (from, to) = (at(part), at(part + 1));
        let mut method: Box<dyn Method> = if problem.is_stiff() {
            Box::new(Radau5::new(settings, from, &y, None))
        } else {
            Box::new(Dopri5::new(settings, from, &y, None))
        };
        while method.interval().1 < to {
            method.step(&mut system, to).expect("a step");
            while point(problem, points.len()) <= method.interval().1 && points.len() < POINTS {
                let mut out = vec![0.0; y.len()];
                method.interpolate(point(problem, points.len()), &mut out);
                points.push(out);
            }
        }
        y = method.state().to_vec();
    }
    let seconds = begin.elapsed().as_secs_f64();
    Outcome {
        evaluations: system.evaluations,
        seconds,
        points,
    }
}

fn point<P: Problem>(problem: P, index: usize) -> f64 {
    problem.stop() * (index + 1) as f64 / POINTS as f64
}

/// Steps one of diffsol's solvers to `to`, with points of dense output on the way.
fn drive<'a, P: Problem, Eqn: OdeEquations<T = f64> + 'a>(
    problem: P,
    solver: &mut impl OdeSolverMethod<'a, Eqn>,
    to: f64,
    points: &mut Vec<Vec<f64>>,
    copy: impl Fn(&Eqn::V) -> Vec<f64>,
) -> Vec<f64> {
    solver.set_stop_time(to).expect("a stop time");
    while solver.state().t < to {
        solver.step().expect("a step");
        while points.len() < POINTS && point(problem, points.len()) <= solver.state().t {
            let y = solver
                .interpolate(point(problem, points.len()))
                .expect("a point");
            points.push(copy(&y));
        }
    }
    copy(solver.state().y)
}

macro_rules! diffsol {
    ($problem:expr, $restarts:expr, $matrix:ty, $solver:expr) => {{
        let problem = $problem;
        let n = problem.start().len();
        let count = Cell::new(0_usize);
        let begin = Instant::now();
        let mut y = problem.start();
        let mut points = Vec::new();
        for part in 0..$restarts {
            let at = |i: usize| problem.stop() * i as f64 / $restarts as f64;
            let start = y.clone();
            let built = OdeBuilder::<$matrix>::new()
                .t0(at(part))
                .rtol(1e-6)
                .atol([1e-8])
                .rhs_implicit(
                    |x, _p, t, out| {
                        count.set(count.get() + 1);
                        problem.f(t, x, out);
                    },
                    |x, _p, t, v, out| {
                        count.set(count.get() + 1);
                        problem.jv(t, x, v, out);
                    },
                )
                .init(move |_p, _t, out| out.copy_from_slice(&start), n)
                .build()
                .expect("a problem");
            #[allow(clippy::redundant_closure_call)]
            let mut solver = ($solver)(&built);
            y = drive(problem, &mut solver, at(part + 1), &mut points, |v| {
                (0..n).map(|i| v[i]).collect()
            });
        }
        Outcome {
            evaluations: count.get(),
            seconds: begin.elapsed().as_secs_f64(),
            points,
        }
    }};
}

fn report(name: &str, method: &str, outcome: &Outcome, again: &Outcome, reference: &Outcome) {
    let error = outcome
        .points
        .iter()
        .zip(&reference.points)
        .flat_map(|(a, b)| a.iter().zip(b))
        .map(|(a, b)| (a - b).abs() / (1.0 + b.abs()))
        .fold(0.0, f64::max);
    println!(
        "| {name} | {method} | {} | {:.2} | {error:.1e} | {} | {:.2} |",
        outcome.evaluations,
        outcome.seconds * 1e3,
        again.evaluations,
        again.seconds * 1e3
    );
}

/// The faster of three runs.
fn best(run: impl Fn() -> Outcome) -> Outcome {
    let mut runs: Vec<Outcome> = (0..3).map(|_| run()).collect();
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs.swap_remove(0)
}

macro_rules! compare {
    ($problem:expr, $matrix:ty, [$(($method:expr, $solver:expr)),*]) => {{
        let problem = $problem;
        let reference = ours(problem, 1e-11, 1);
        let own = if problem.is_stiff() { "`radau5`" } else { "`dopri5`" };
        let runs = [1, 100].map(|n| best(|| ours(problem, 1e-6, n)));
        report(problem.name(), own, &runs[0], &runs[1], &reference);
        $(
            let runs = [1_usize, 100].map(|n| best(|| diffsol!(problem, n, $matrix, $solver)));
            report("", $method, &runs[0], &runs[1], &reference);
        )*
    }};
}

fn main() {
    println!("| problem | method | evaluations | ms | error | with 100 restarts | ms |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    type Dense = NalgebraMat<f64>;
    type DenseLu = NalgebraLU<f64>;
    type Sparse = FaerSparseMat<f64>;
    type SparseLu = FaerSparseLU<f64>;
    compare!(
        Oscillator,
        Dense,
        [
            ("diffsol `tsit45`", |p| diffsol::OdeSolverProblem::tsit45(p)
                .expect("a solver")),
            ("diffsol `bdf`", |p| {
                diffsol::OdeSolverProblem::bdf::<DenseLu>(p).expect("a solver")
            })
        ]
    );
    compare!(
        VanDerPol,
        Dense,
        [
            ("diffsol `bdf`", |p| {
                diffsol::OdeSolverProblem::bdf::<DenseLu>(p).expect("a solver")
            }),
            ("diffsol `esdirk34`", |p| {
                diffsol::OdeSolverProblem::esdirk34::<DenseLu>(p).expect("a solver")
            })
        ]
    );
    compare!(
        Rod(30),
        Sparse,
        [
            ("diffsol `bdf`", |p| diffsol::OdeSolverProblem::bdf::<
                SparseLu,
            >(p)
            .expect("a solver")),
            ("diffsol `esdirk34`", |p| {
                diffsol::OdeSolverProblem::esdirk34::<SparseLu>(p).expect("a solver")
            })
        ]
    );
    compare!(
        Rod(500),
        Sparse,
        [
            ("diffsol `bdf`", |p| diffsol::OdeSolverProblem::bdf::<
                SparseLu,
            >(p)
            .expect("a solver")),
            ("diffsol `esdirk34`", |p| {
                diffsol::OdeSolverProblem::esdirk34::<SparseLu>(p).expect("a solver")
            })
        ]
    );
}
