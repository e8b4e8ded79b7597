//! What bytecode costs: right-hand sides and Jacobians of three models beside the same written in Rust.
//!
//! Run with `cargo bench -p modeshift-sim`.

use divan::{Bencher, black_box};
use modeshift_mdae::sym::RelOp;
use modeshift_sim::tape::{Graph, LANES, Lanes, Program, Reg, Unary, Work};

fn main() {
    divan::main();
}

/// A model: as a graph from inputs to derivatives, and by hand. Slot 0 is time.
trait Model {
    const STATES: usize;
    /// Columns of the Jacobian that can be found together.
    const COLOURS: usize;
    fn graph(graph: &mut Graph, time: Reg, y: &[Reg]) -> Vec<Reg>;
    fn hand(time: f64, y: &[f64], out: &mut [f64]);
    /// The Jacobian times a vector.
    fn hand_product(time: f64, y: &[f64], v: &[f64], out: &mut [f64]);
}

/// Masses and springs: sums and differences only.
struct Chain;

impl Model for Chain {
    const STATES: usize = 200;
    const COLOURS: usize = 4;

    fn graph(graph: &mut Graph, time: Reg, y: &[Reg]) -> Vec<Reg> {
        let (n, zero, two) = (y.len() / 2, graph.constant(0.0), graph.constant(2.0));
        let wall = graph.unary(Unary::Sin, time);
        let mut out: Vec<Reg> = y[n..].to_vec();
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { wall };
            let right = if i + 1 < n { y[i + 1] } else { zero };
            let twice = graph.mul(two, y[i]);
            let pull = graph.sub(left, twice);
            out.push(graph.add(pull, right));
        }
        out
    }

    fn hand(time: f64, y: &[f64], out: &mut [f64]) {
        let n = y.len() / 2;
        out[..n].copy_from_slice(&y[n..]);
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { libm::sin(time) };
            let right = if i + 1 < n { y[i + 1] } else { 0.0 };
            out[n + i] = left - 2.0 * y[i] + right;
        }
    }

    fn hand_product(_: f64, _: &[f64], v: &[f64], out: &mut [f64]) {
        let n = v.len() / 2;
        out[..n].copy_from_slice(&v[n..]);
        for i in 0..n {
            let left = if i > 0 { v[i - 1] } else { 0.0 };
            let right = if i + 1 < n { v[i + 1] } else { 0.0 };
            out[n + i] = left - 2.0 * v[i] + right;
        }
    }
}

/// Ten pendulums: sines.
struct Pendulums;

impl Model for Pendulums {
    const STATES: usize = 20;
    const COLOURS: usize = 2;

    fn graph(graph: &mut Graph, _: Reg, y: &[Reg]) -> Vec<Reg> {
        let (n, weight) = (y.len() / 2, graph.constant(-9.81));
        let mut out: Vec<Reg> = y[n..].to_vec();
        for &angle in &y[..n] {
            let sine = graph.unary(Unary::Sin, angle);
            out.push(graph.mul(weight, sine));
        }
        out
    }

    fn hand(_: f64, y: &[f64], out: &mut [f64]) {
        let n = y.len() / 2;
        out[..n].copy_from_slice(&y[n..]);
        for i in 0..n {
            out[n + i] = -9.81 * libm::sin(y[i]);
        }
    }

    fn hand_product(_: f64, y: &[f64], v: &[f64], out: &mut [f64]) {
        let n = v.len() / 2;
        out[..n].copy_from_slice(&v[n..]);
        for i in 0..n {
            out[n + i] = -9.81 * libm::cos(y[i]) * v[i];
        }
    }
}

/// Fifty diodes that charge capacitors: exponentials and a choice.
struct Diodes;

impl Model for Diodes {
    const STATES: usize = 50;
    const COLOURS: usize = 1;

    fn graph(graph: &mut Graph, time: Reg, y: &[Reg]) -> Vec<Reg> {
        let (small, volt, one) = (
            graph.constant(1e-9),
            graph.constant(0.04),
            graph.constant(1.0),
        );
        let source = graph.unary(Unary::Sin, time);
        let mut out = Vec::new();
        for &v in y {
            let voltage = graph.sub(source, v);
            let limited = graph.compare(RelOp::Less, voltage, one);
            let bounded = graph.select(limited, voltage, one);
            let exponent = graph.div(bounded, volt);
            let grown = graph.unary(Unary::Exp, exponent);
            let excess = graph.sub(grown, one);
            out.push(graph.mul(small, excess));
        }
        out
    }

    fn hand(time: f64, y: &[f64], out: &mut [f64]) {
        let source = libm::sin(time);
        for (out, v) in out.iter_mut().zip(y) {
            let voltage = source - v;
            let bounded = if voltage < 1.0 { voltage } else { 1.0 };
            *out = 1e-9 * (libm::exp(bounded / 0.04) - 1.0);
        }
    }

    fn hand_product(time: f64, y: &[f64], v: &[f64], out: &mut [f64]) {
        let source = libm::sin(time);
        for (i, out) in out.iter_mut().enumerate() {
            let voltage = source - y[i];
            *out = if voltage < 1.0 {
                -1e-9 * libm::exp(voltage / 0.04) / 0.04 * v[i]
            } else {
                0.0
            };
        }
    }
}

fn program<M: Model>() -> (Program, Vec<f64>) {
    let mut graph = Graph::default();
    let time = graph.input(0);
    let y: Vec<Reg> = (0..M::STATES as u32).map(|i| graph.input(i + 1)).collect();
    let outputs = M::graph(&mut graph, time, &y);
    let values = (0..=M::STATES).map(|i| 0.3 + 0.001 * i as f64).collect();
    (Program::new(&graph, &outputs), values)
}

#[divan::bench(types = [Chain, Pendulums, Diodes])]
fn right_hand_side_bytecode<M: Model>(bencher: Bencher<'_, '_>) {
    let (program, values) = program::<M>();
    let mut work = Work::default();
    let mut out = vec![0.0; M::STATES];
    bencher.bench_local(|| {
        program.run(black_box(&values), &mut work);
        for (i, out) in out.iter_mut().enumerate() {
            *out = program.output(&work, i);
        }
        out[0]
    });
}

#[divan::bench(types = [Chain, Pendulums, Diodes])]
fn right_hand_side_rust<M: Model>(bencher: Bencher<'_, '_>) {
    let (_, values) = program::<M>();
    let mut out = vec![0.0; M::STATES];
    bencher.bench_local(|| {
        let values = black_box(&values);
        M::hand(values[0], &values[1..], &mut out);
        out[0]
    });
}

#[divan::bench(types = [Chain, Pendulums, Diodes])]
fn jacobian_bytecode<M: Model>(bencher: Bencher<'_, '_>) {
    let (program, values) = program::<M>();
    let mut work = Work::default();
    let mut dots: Vec<Lanes> = vec![[0.0; LANES]; M::STATES + 1];
    for (i, dot) in dots.iter_mut().enumerate().skip(1) {
        dot[i % M::COLOURS] = 1.0;
    }
    let mut out = vec![[0.0; LANES]; M::STATES];
    bencher.bench_local(|| {
        program.run(black_box(&values), &mut work);
        program.tangent(&mut work, &dots);
        for (i, out) in out.iter_mut().enumerate() {
            *out = program.output_tangent(&work, i);
        }
        out[0]
    });
}

#[divan::bench(types = [Chain, Pendulums, Diodes])]
fn jacobian_rust<M: Model>(bencher: Bencher<'_, '_>) {
    let (_, values) = program::<M>();
    let seeds: Vec<Vec<f64>> = (0..M::COLOURS)
        .map(|c| {
            (0..M::STATES)
                .map(|i| f64::from((i + 1) % M::COLOURS == c))
                .collect()
        })
        .collect();
    let mut out = vec![vec![0.0; M::STATES]; M::COLOURS];
    bencher.bench_local(|| {
        let values = black_box(&values);
        for (seed, out) in seeds.iter().zip(&mut out) {
            M::hand_product(values[0], &values[1..], seed, out);
        }
        out[0][0]
    });
}
