//! Expressions as graphs of floating-point operations, and as code that computes them.
//!
//! A [`Graph`] holds operations in the order in which they can be computed; equal ones are one node, and
//! what is constant is folded, parameters included. [`Graph::derivatives`] differentiates nodes by adding
//! nodes (automatic differentiation in forward mode, by transformation of the graph, so that zeros cost
//! nothing). A [`Program`] is the part of a graph that some outputs need, laid out as bytecode;
//! [`Program::tangent`] differentiates it along directions.

mod ad;
mod call;
mod compile;
mod degree;
mod function;
mod op;
mod program;
mod rate;
mod reach;
mod rewrite;
mod settled;
mod tangent;
#[cfg(test)]
mod tests;

pub use call::{Bound, CallArg};
pub use compile::{Compiler, Unsupported, Values};
pub use degree::Degree;
pub use function::Functions;
pub use op::{Binary, Unary, compare, relation};
pub use program::{Program, Work};
pub use rate::Read;
pub use rewrite::{Copier, Derivatives};
pub use tangent::{LANES, Lanes, Set, union};

use modeshift_base::FxHashMap;
use modeshift_mdae::sym::RelOp;

/// A node of a graph.
pub type Reg = u32;

/// What a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The bits of a number.
    Const(u64),
    /// Read from outside.
    Input(u32),
    Unary(Unary, Reg),
    Binary(Binary, Reg, Reg),
    Power(Reg, i32),
    Compare(RelOp, Reg, Reg),
    /// `if c ≠ 0 then a else b`
    Select(Reg, Reg, Reg),
    /// The same number under another name, so that a derivative by it is not one by its origin.
    Copy(Reg, u32),
    /// Holds arguments of a call together; its value means nothing.
    Join(Reg, Reg, Reg),
    /// A call of a function, by its number in the graph, and its arguments; its value means nothing.
    Call(u32, Reg),
    /// One of the numbers that a call gives.
    Result(Reg, u32),
}

impl Op {
    pub(crate) fn operands(self) -> [Option<Reg>; 3] {
        match self {
            Self::Const(_) | Self::Input(_) => [None; 3],
            Self::Unary(_, a)
            | Self::Power(a, _)
            | Self::Copy(a, _)
            | Self::Call(_, a)
            | Self::Result(a, _) => [Some(a), None, None],
            Self::Binary(_, a, b) | Self::Compare(_, a, b) => [Some(a), Some(b), None],
            Self::Select(a, b, c) | Self::Join(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }
}

/// Shared operations, operands before their users.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    ops: Vec<Op>,
    known: FxHashMap<Op, Reg>,
    copies: u32,
    calls: call::Calls,
    rates: rate::Rates,
    /// Where functions are followed only to look at them.
    followed: Option<settled::Followed>,
}

impl Graph {
    pub fn op(&self, reg: Reg) -> Op {
        self.ops[reg as usize]
    }

    pub fn len(&self) -> usize {
        self.ops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    pub fn value(&self, reg: Reg) -> Option<f64> {
        match self.op(reg) {
            Op::Const(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    pub fn is_zero(&self, reg: Reg) -> bool {
        self.value(reg) == Some(0.0)
    }

    fn is_one(&self, reg: Reg) -> bool {
        self.value(reg) == Some(1.0)
    }

    fn intern(&mut self, op: Op) -> Reg {
        if let Some(&reg) = self.known.get(&op) {
            return reg;
        }
        let reg = self.ops.len() as Reg;
        self.ops.push(op);
        self.known.insert(op, reg);
        reg
    }

    pub fn constant(&mut self, value: f64) -> Reg {
        // One zero: `-0.0` would be another node.
        let value = if value == 0.0 { 0.0 } else { value };
        self.intern(Op::Const(value.to_bits()))
    }

    pub fn input(&mut self, slot: u32) -> Reg {
        self.intern(Op::Input(slot))
    }

    /// A new node with the value of `reg`, different from all others.
    pub fn copy(&mut self, reg: Reg) -> Reg {
        self.copies += 1;
        self.intern(Op::Copy(reg, self.copies))
    }

    pub fn add(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x + y),
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            _ => match (self.op(a), self.op(b)) {
                (_, Op::Unary(Unary::Neg, b)) => self.sub(a, b),
                (Op::Unary(Unary::Neg, a), _) => self.sub(b, a),
                _ => self.intern(Op::Binary(Binary::Add, a.min(b), a.max(b))),
            },
        }
    }

    pub fn sub(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x - y),
            (Some(0.0), _) => self.neg(b),
            (_, Some(0.0)) => a,
            _ if a == b => self.constant(0.0),
            _ => match self.op(b) {
                Op::Unary(Unary::Neg, b) => self.add(a, b),
                _ => self.intern(Op::Binary(Binary::Sub, a, b)),
            },
        }
    }

    pub fn neg(&mut self, a: Reg) -> Reg {
        match self.op(a) {
            Op::Const(bits) => self.constant(-f64::from_bits(bits)),
            Op::Unary(Unary::Neg, inner) => inner,
            Op::Binary(Binary::Sub, x, y) => self.intern(Op::Binary(Binary::Sub, y, x)),
            _ => self.intern(Op::Unary(Unary::Neg, a)),
        }
    }

    pub fn mul(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x * y),
            (Some(0.0), _) | (_, Some(0.0)) => self.constant(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.neg(b),
            (_, Some(-1.0)) => self.neg(a),
            _ => self.intern(Op::Binary(Binary::Mul, a.min(b), a.max(b))),
        }
    }

    pub fn div(&mut self, a: Reg, b: Reg) -> Reg {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x / y),
            (Some(0.0), _) => self.constant(0.0),
            (_, Some(y)) if y != 0.0 && (1.0 / y) * y == 1.0 && is_power_of_two(y) => {
                let inverse = self.constant(1.0 / y);
                self.mul(a, inverse)
            }
            _ if self.is_one(b) => a,
            _ => self.intern(Op::Binary(Binary::Div, a, b)),
        }
    }

    pub fn power(&mut self, a: Reg, exponent: i32) -> Reg {
        match (self.value(a), exponent) {
            (_, 0) => self.constant(1.0),
            (_, 1) => a,
            (Some(x), _) => self.constant(op::whole_power(x, exponent)),
            (None, 2) => self.mul(a, a),
            (None, -1) => {
                let one = self.constant(1.0);
                self.div(one, a)
            }
            _ => self.intern(Op::Power(a, exponent)),
        }
    }

    pub fn unary(&mut self, op: Unary, a: Reg) -> Reg {
        match (op, self.value(a)) {
            (Unary::Neg, _) => self.neg(a),
            (_, Some(x)) => self.constant(op.apply(x)),
            _ => self.intern(Op::Unary(op, a)),
        }
    }

    pub fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Reg {
        match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Div => self.div(a, b),
            Binary::And | Binary::Or => {
                let deciding = op == Binary::Or;
                match (self.value(a), self.value(b)) {
                    (Some(x), Some(y)) => self.constant(op.apply(x, y)),
                    (Some(x), _) => self.decided(a, b, (x != 0.0) == deciding),
                    (_, Some(y)) => self.decided(b, a, (y != 0.0) == deciding),
                    _ => self.intern(Op::Binary(op, a, b)),
                }
            }
            _ => match (self.value(a), self.value(b)) {
                (Some(x), Some(y)) => self.constant(op.apply(x, y)),
                _ => self.intern(Op::Binary(op, a, b)),
            },
        }
    }

    /// A connective with a known side: that side if it decides, else the other.
    fn decided(&mut self, known: Reg, other: Reg, decides: bool) -> Reg {
        if decides { known } else { other }
    }

    pub fn compare(&mut self, op: RelOp, a: Reg, b: Reg) -> Reg {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(relation(op, x, y)),
            _ => self.intern(Op::Compare(op, a, b)),
        }
    }

    pub fn select(&mut self, condition: Reg, a: Reg, b: Reg) -> Reg {
        match self.value(condition) {
            Some(value) if value.is_nan() => condition,
            Some(value) => {
                if value != 0.0 {
                    a
                } else {
                    b
                }
            }
            None if a == b => a,
            None => self.intern(Op::Select(condition, a, b)),
        }
    }

    /// Which of `regs` depend on one of `inputs`. Linear in the nodes from the first input to the last of `regs`.
    pub fn dependent(&self, regs: &[Reg], inputs: &[Reg]) -> Vec<bool> {
        let (Some(&first), Some(&last)) = (inputs.iter().min(), regs.iter().max()) else {
            return vec![false; regs.len()];
        };
        let mut depends = vec![false; (last + 1).saturating_sub(first) as usize];
        for &input in inputs.iter().filter(|&&input| input <= last) {
            depends[(input - first) as usize] = true;
        }
        for node in first..=last {
            let mut operands = self.op(node).operands().into_iter().flatten();
            if operands.any(|o| o >= first && depends[(o - first) as usize]) {
                depends[(node - first) as usize] = true;
            }
        }
        let of = |reg: &Reg| *reg >= first && depends[(reg - first) as usize];
        regs.iter().map(of).collect()
    }
}

fn is_power_of_two(y: f64) -> bool {
    y.to_bits() & ((1 << 52) - 1) == 0 && y.is_normal()
}
