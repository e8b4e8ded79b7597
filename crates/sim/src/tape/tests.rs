//! Derivatives against difference quotients, programs against a slow evaluation of the graph.

use super::{Binary, Graph, LANES, Op, Program, Reg, Unary, Work};
use proptest::prelude::*;

/// The value of a node, computed without bytecode.
fn slow(graph: &Graph, reg: Reg, inputs: &[f64]) -> f64 {
    let of = |r: Reg| slow(graph, r, inputs);
    match graph.op(reg) {
        Op::Const(bits) => f64::from_bits(bits),
        Op::Input(slot) => inputs[slot as usize],
        Op::Unary(op, a) => op.apply(of(a)),
        Op::Binary(op, a, b) => op.apply(of(a), of(b)),
        Op::Power(a, n) => super::op::whole_power(of(a), n),
        Op::Compare(op, a, b) => f64::from(super::compare(op, of(a), of(b))),
        Op::Select(c, a, b) => {
            if of(c) != 0.0 {
                of(a)
            } else {
                of(b)
            }
        }
        Op::Copy(a, _) => of(a),
        Op::Join(..) | Op::Call(..) | Op::Result(..) => f64::NAN,
    }
}

fn fast(graph: &Graph, reg: Reg, inputs: &[f64]) -> f64 {
    let program = Program::new(graph, &[reg]);
    let mut work = Work::default();
    program.run(inputs, &mut work);
    program.output(&work, 0)
}

/// A graph over three inputs, from a list of choices. All functions are smooth where they are used.
fn build(choices: &[(u8, u8, u8)]) -> (Graph, Reg) {
    let mut graph = Graph::default();
    let mut regs: Vec<Reg> = (0..3).map(|slot| graph.input(slot)).collect();
    regs.push(graph.constant(2.0));
    for &(op, a, b) in choices {
        let (a, b) = (regs[a as usize % regs.len()], regs[b as usize % regs.len()]);
        let reg = match op % 10 {
            0 => graph.add(a, b),
            1 => graph.sub(a, b),
            2 => graph.mul(a, b),
            3 => {
                let square = graph.mul(b, b);
                let one = graph.constant(1.0);
                let bottom = graph.add(one, square);
                graph.div(a, bottom)
            }
            4 => graph.unary(Unary::Sin, a),
            5 => graph.unary(Unary::Tanh, a),
            6 => graph.unary(Unary::Atan, a),
            7 => {
                let bounded = graph.unary(Unary::Tanh, a);
                graph.unary(Unary::Exp, bounded)
            }
            8 => {
                let bounded = graph.unary(Unary::Tanh, a);
                graph.power(bounded, 3)
            }
            _ => {
                let bounded = graph.unary(Unary::Tanh, a);
                let two = graph.constant(2.0);
                let positive = graph.add(bounded, two);
                let exponent = graph.unary(Unary::Cos, b);
                graph.binary(Binary::Pow, positive, exponent)
            }
        };
        regs.push(reg);
    }
    let last = regs[regs.len() - 1];
    (graph, last)
}

proptest! {
    #[test]
    fn derivatives_are_the_limits_of_difference_quotients(
        choices in prop::collection::vec((0u8..10, any::<u8>(), any::<u8>()), 1..12),
        point in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let (mut graph, out) = build(&choices);
        let seeds: Vec<Reg> = (0..3).map(|slot| graph.input(slot)).collect();
        let row = graph.derivatives(&[out], &seeds).remove(0);
        let value = fast(&graph, out, &point);
        prop_assume!(value.is_finite() && value.abs() < 1e3);
        prop_assert!((value - slow(&graph, out, &point)).abs() <= 1e-12 * (1.0 + value.abs()));
        for (i, slope) in row.into_iter().enumerate() {
            let slope = slope.map_or(0.0, |reg| fast(&graph, reg, &point));
            let h = 1e-5;
            let moved = |by: f64| {
                let mut there = point;
                there[i] += by;
                fast(&graph, out, &there)
            };
            let quotient = (moved(h) - moved(-h)) / (2.0 * h);
            prop_assume!(slope.abs() < 1e3);
            prop_assert!((slope - quotient).abs() < 1e-4 * (1.0 + slope.abs()), "{slope} {quotient}");
        }
    }
}

proptest! {
    #[test]
    fn tangents_are_combinations_of_the_derivatives(
        choices in prop::collection::vec((0u8..10, any::<u8>(), any::<u8>()), 1..12),
        point in prop::array::uniform3(-1.0..1.0f64),
        directions in prop::array::uniform3(prop::array::uniform4(-1.0..1.0f64)),
    ) {
        let (mut graph, out) = build(&choices);
        let seeds: Vec<Reg> = (0..3).map(|slot| graph.input(slot)).collect();
        let row = graph.derivatives(&[out], &seeds).remove(0);
        let slopes: Vec<f64> = row
            .into_iter()
            .map(|slope| slope.map_or(0.0, |reg| fast(&graph, reg, &point)))
            .collect();
        prop_assume!(slopes.iter().all(|s| s.abs() < 1e6));
        let program = Program::new(&graph, &[out]);
        let mut work = Work::default();
        program.run(&point, &mut work);
        program.tangent(&mut work, &directions);
        let tangent = program.output_tangent(&work, 0);
        for lane in 0..LANES {
            let expected: f64 = (0..3).map(|i| slopes[i] * directions[i][lane]).sum();
            let size: f64 = slopes.iter().map(|s| s.abs()).sum();
            prop_assert!((tangent[lane] - expected).abs() < 1e-9 * (1.0 + size));
        }
    }
}

#[test]
fn slopes_of_operations_are_those_of_the_graph() {
    let unaries = [
        "sqrt", "abs", "sign", "floor", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
        "cosh", "tanh", "exp", "log", "log10",
    ];
    for op in unaries.map(|name| Unary::named(name).unwrap()) {
        let mut graph = Graph::default();
        let x = graph.input(0);
        let y = graph.unary(op, x);
        let slope = graph.derivatives(&[y], &[x])[0][0];
        let slope = slope.map_or(0.0, |reg| fast(&graph, reg, &[0.3]));
        let found = op.slope(0.3, op.apply(0.3));
        assert!((found - slope).abs() < 1e-14, "{op:?}: {found} {slope}");
    }
    for op in
        ["^", "atan2", "min", "max", "mod", "rem", "div"].map(|name| Binary::named(name).unwrap())
    {
        let mut graph = Graph::default();
        let (a, b) = (graph.input(0), graph.input(1));
        let y = graph.binary(op, a, b);
        let row = graph.derivatives(&[y], &[a, b]).remove(0);
        let slopes = [0, 1].map(|i| row[i].map_or(0.0, |reg| fast(&graph, reg, &[2.3, 0.7])));
        let (by_a, by_b) = op.slopes(2.3, 0.7, op.apply(2.3, 0.7));
        assert!(
            (by_a - slopes[0]).abs() < 1e-14 && (by_b - slopes[1]).abs() < 1e-14,
            "{op:?}"
        );
    }
}

#[test]
fn equal_operations_are_one_node_and_constants_are_folded() {
    let mut graph = Graph::default();
    let (x, two) = (graph.input(1), graph.constant(2.0));
    let a = graph.mul(x, two);
    let b = graph.mul(two, x);
    assert_eq!(a, b);
    let zero = graph.sub(a, b);
    assert!(graph.is_zero(zero));
}

#[test]
fn a_copy_has_its_value_but_not_its_derivative() {
    let mut graph = Graph::default();
    let x = graph.input(0);
    let copy = graph.copy(x);
    let product = graph.mul(x, copy);
    let slope = graph.derivatives(&[product], &[copy])[0][0].unwrap();
    assert_eq!(fast(&graph, product, &[3.0]), 9.0);
    assert_eq!(fast(&graph, slope, &[3.0]), 3.0);
}
