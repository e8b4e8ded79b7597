//! Laws of blocks.

use super::{Block, Scratch};
use crate::tape::Graph;
use modeshift_mdae::sym::{VarId, VarRef};

/// `x + y/3 = a`, `x/7 - y = b`, nonsensical numbers that round.
fn linear() -> Block {
    let mut graph = Graph::default();
    let [x, y, a, b] = [1, 2, 3, 4].map(|slot| graph.input(slot));
    let [third, seventh] = [1.0 / 3.0, 1.0 / 7.0].map(|it| graph.constant(it));
    let part = graph.mul(y, third);
    let sum = graph.add(x, part);
    let first = graph.sub(sum, a);
    let part = graph.mul(x, seventh);
    let sum = graph.sub(part, y);
    let second = graph.sub(sum, b);
    let names = [0, 1].map(|v| VarRef::now(VarId(v), 0));
    Block::from_graph(&graph, &[first, second], &[1, 2], &names, &[false; 2])
}

#[test]
fn within_an_event_a_linear_block_does_not_depend_on_the_pass_before() {
    let block = linear();
    let before = vec![0.0, 0.3, -0.1, 0.7, 0.11];
    let solved = |x: f64, before_event: Option<Vec<f64>>| {
        let mut scratch = Scratch {
            before_event,
            ..Scratch::default()
        };
        let mut values = vec![0.0, x, 3.0 * x, 0.7, 0.11];
        assert_eq!(block.solve(&mut values, &mut scratch), Ok(()));
        [values[1].to_bits(), values[2].to_bits()]
    };
    let guesses = (0..50).map(|i| 1e3 * libm::sin(f64::from(i) + 0.1));
    let held: Vec<_> = guesses
        .clone()
        .map(|x| solved(x, Some(before.clone())))
        .collect();
    assert!(held.iter().all(|it| *it == held[0]));
    // From wherever the values are, the last digits differ: that is why.
    let free: Vec<_> = guesses.map(|x| solved(x, None)).collect();
    assert!(free.iter().any(|it| *it != free[0]));
}
