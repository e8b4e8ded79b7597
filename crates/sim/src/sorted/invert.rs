//! Equations in which their unknown stands once, under operations that can be undone: `R = 1/x`, `u = exp(x) + c`, or
//! functions with an inverse by annotation. Newton's method would need a start value for them that is near enough.

use super::order::{Pair, Rule};
use crate::tape::{Binary, Copier, Graph, Op, Reg, Unary};

/// What the unknown of an equation is, in a graph of its own.
pub struct Inverted {
    pub graph: Graph,
    pub value: Reg,
    /// The author of a function says so: where the equation decides otherwise it is a guess.
    pub claimed: bool,
    /// It is divided by a coefficient that depends on conditions, which may say nothing about the unknown: in friction
    /// that is locked, no torque follows from the acceleration.
    pub conditional: bool,
}

/// What the unknown of a pair is; nothing where it stands twice, or under something that is not
/// one-to-one. A step that has no result, such as the logarithm of a negative number, leaves no number: then there is
/// no solution.
pub fn inverted(graph: &Graph, pair: &Pair) -> Option<Inverted> {
    let mut small = Graph::default();
    let mut node = Copier::default().copy(graph, pair.rule.reg(), &mut small);
    let x = small.input(pair.slot);
    if let Rule::Value(_) = pair.rule {
        node = small.sub(x, node);
    }
    let all: Vec<Reg> = (0..small.len() as Reg).collect();
    let depends = small.dependent(&all, &[x]);
    // What is made below is made from what does not depend on it.
    let depends = |reg: Reg| depends.get(reg as usize).copied().unwrap_or(false);
    if !depends(node) {
        return None;
    }
    let mut value = small.constant(0.0);
    let mut claimed = false;
    while node != x {
        (node, value) = match small.op(node) {
            Op::Unary(Unary::Neg, a) => (a, small.neg(value)),
            Op::Unary(Unary::Exp, a) => (a, small.unary(Unary::Log, value)),
            Op::Unary(Unary::Log, a) => (a, small.unary(Unary::Exp, value)),
            Op::Binary(op, a, b) => match (op, depends(a), depends(b)) {
                (Binary::Add, true, false) => (a, small.sub(value, b)),
                (Binary::Add, false, true) => (b, small.sub(value, a)),
                (Binary::Sub, true, false) => (a, small.add(value, b)),
                (Binary::Sub, false, true) => (b, small.sub(a, value)),
                (Binary::Mul, true, false) => (a, small.div(value, b)),
                (Binary::Mul, false, true) => (b, small.div(value, a)),
                (Binary::Div, true, false) => (a, small.mul(value, b)),
                (Binary::Div, false, true) => (b, small.div(a, value)),
                _ => return None,
            },
            Op::Result(call, _) => {
                claimed = true;
                small.undone(call, value, &depends)?
            }
            _ => return None,
        };
    }
    Some(Inverted {
        graph: small,
        value,
        claimed,
        conditional: false,
    })
}

#[cfg(test)]
mod tests {
    use super::inverted;
    use crate::sorted::order::{Kind, Pair, Rule};
    use crate::tape::{Graph, Program, Reg, Unary, Work};
    use modeshift_mdae::sym::{VarId, VarRef};

    fn solution(graph: &Graph, residual: Reg, values: &[f64]) -> Option<f64> {
        let pair = Pair {
            slot: 0,
            name: VarRef::now(VarId(0), 0),
            rule: Rule::Residual(residual),
            kind: Kind::Continuous,
        };
        let found = inverted(graph, &pair)?;
        let program = Program::new(&found.graph, &[found.value]);
        let mut work = Work::default();
        program.run(values, &mut work);
        Some(program.output(&work, 0))
    }

    #[test]
    fn a_reciprocal_needs_no_start_value() {
        let mut graph = Graph::default();
        let (x, r) = (graph.input(0), graph.input(1));
        let one = graph.constant(1.0);
        let inverse = graph.div(one, x);
        let residual = graph.sub(r, inverse);
        assert_eq!(solution(&graph, residual, &[0.0, 4.0]), Some(0.25));
    }

    #[test]
    fn a_chain_is_undone_from_outside() {
        let mut graph = Graph::default();
        let (x, u) = (graph.input(0), graph.input(1));
        let exp = graph.unary(Unary::Exp, x);
        let two = graph.constant(2.0);
        let scaled = graph.mul(two, exp);
        let residual = graph.sub(scaled, u);
        assert_eq!(solution(&graph, residual, &[0.0, 2.0]), Some(0.0));
    }

    #[test]
    fn an_unknown_that_stands_twice_is_left_alone() {
        let mut graph = Graph::default();
        let x = graph.input(0);
        let exp = graph.unary(Unary::Exp, x);
        let residual = graph.add(exp, x);
        assert_eq!(solution(&graph, residual, &[0.0]), None);
        let square = graph.mul(x, x);
        assert_eq!(solution(&graph, square, &[0.0]), None);
    }
}
