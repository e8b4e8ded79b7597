//! Automatic differentiation: derivatives of nodes as further nodes.

use super::{Binary, Graph, Op, Reg, Unary};
use modeshift_mdae::sym::RelOp;

impl Graph {
    /// `∂out/∂by` for every pair, `None` where it is zero. For each of `by`, linear in the nodes between it
    /// and the last output.
    pub fn derivatives(&mut self, outputs: &[Reg], by: &[Reg]) -> Vec<Vec<Option<Reg>>> {
        let (Some(&last), Some(&first)) = (outputs.iter().max(), by.iter().min()) else {
            return vec![Vec::new(); outputs.len()];
        };
        let mut rows = vec![vec![None; by.len()]; outputs.len()];
        if first > last {
            return rows;
        }
        let needed = self.needed(outputs, first);
        for (column, &seed) in by.iter().enumerate() {
            if seed > last || !needed[(seed - first) as usize] {
                continue;
            }
            let mut dot: Vec<Option<Reg>> = vec![None; (last - seed) as usize + 1];
            dot[0] = Some(self.constant(1.0));
            for node in seed + 1..=last {
                if needed[(node - first) as usize] {
                    let of = |reg: Reg| {
                        let index = reg.checked_sub(seed)?;
                        dot.get(index as usize).copied().flatten()
                    };
                    dot[(node - seed) as usize] = self.dot(node, false, &of);
                }
            }
            for (row, &output) in outputs.iter().enumerate() {
                if output >= seed {
                    rows[row][column] = dot[(output - seed) as usize];
                }
            }
        }
        rows
    }

    /// Which nodes from `first` on the `outputs` are made of.
    pub(super) fn needed(&self, outputs: &[Reg], first: Reg) -> Vec<bool> {
        let last = outputs.iter().copied().max().unwrap_or(0);
        let mut needed = vec![false; (last + 1).saturating_sub(first) as usize];
        for &output in outputs.iter().filter(|&&output| output >= first) {
            needed[(output - first) as usize] = true;
        }
        for node in (first..=last).rev() {
            if needed[(node - first) as usize] {
                for operand in self.op(node).operands().into_iter().flatten() {
                    if operand >= first {
                        needed[(operand - first) as usize] = true;
                    }
                }
            }
        }
        needed
    }

    /// The derivative of a node, given those of its operands; `None` where it is zero. The operands move as in time if
    /// `in_time`.
    pub(super) fn dot(
        &mut self,
        node: Reg,
        in_time: bool,
        of: &dyn Fn(Reg) -> Option<Reg>,
    ) -> Option<Reg> {
        let result = match self.op(node) {
            Op::Const(_) | Op::Input(_) | Op::Compare(..) | Op::Join(..) | Op::Call(..) => {
                return None;
            }
            Op::Result(call, index) => self.result_dot(call, index, in_time, &of)?,
            Op::Copy(a, _) => of(a)?,
            Op::Unary(op, a) => {
                let inner = of(a)?;
                self.unary_dot(op, node, a, inner)?
            }
            Op::Binary(op, a, b) => self.binary_dot(op, node, (a, of(a)), (b, of(b)))?,
            Op::Power(a, n) => {
                let inner = of(a)?;
                let lowered = self.power(a, n - 1);
                let factor = self.constant(f64::from(n));
                let outer = self.mul(factor, lowered);
                self.mul(outer, inner)
            }
            Op::Select(c, a, b) => {
                let (x, y) = (of(a), of(b));
                if x.is_none() && y.is_none() {
                    return None;
                }
                let zero = self.constant(0.0);
                self.select(c, x.unwrap_or(zero), y.unwrap_or(zero))
            }
        };
        (!self.is_zero(result)).then_some(result)
    }

    fn unary_dot(&mut self, op: Unary, node: Reg, a: Reg, inner: Reg) -> Option<Reg> {
        let one = self.constant(1.0);
        let outer = match op {
            Unary::Neg => return Some(self.neg(inner)),
            Unary::Sqrt => {
                let twice = self.add(node, node);
                return Some(self.div(inner, twice));
            }
            Unary::Cbrt => {
                let square = self.mul(node, node);
                let three = self.constant(3.0);
                let bottom = self.mul(three, square);
                return Some(self.div(inner, bottom));
            }
            Unary::Abs => self.unary(Unary::Sign, a),
            Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Not => return None,
            Unary::Sin => self.unary(Unary::Cos, a),
            Unary::Cos => {
                let sin = self.unary(Unary::Sin, a);
                self.neg(sin)
            }
            Unary::Tan => {
                let square = self.mul(node, node);
                self.add(one, square)
            }
            Unary::Asin | Unary::Acos => {
                let square = self.mul(a, a);
                let rest = self.sub(one, square);
                let root = self.unary(Unary::Sqrt, rest);
                let slope = self.div(inner, root);
                return Some(if op == Unary::Acos {
                    self.neg(slope)
                } else {
                    slope
                });
            }
            Unary::Atan => {
                let square = self.mul(a, a);
                let bottom = self.add(one, square);
                return Some(self.div(inner, bottom));
            }
            Unary::Sinh => self.unary(Unary::Cosh, a),
            Unary::Cosh => self.unary(Unary::Sinh, a),
            Unary::Tanh => {
                let square = self.mul(node, node);
                self.sub(one, square)
            }
            Unary::Exp => node,
            Unary::Log => return Some(self.div(inner, a)),
            Unary::Log10 => {
                let ln10 = self.constant(std::f64::consts::LN_10);
                let bottom = self.mul(a, ln10);
                return Some(self.div(inner, bottom));
            }
        };
        Some(self.mul(outer, inner))
    }

    fn binary_dot(
        &mut self,
        op: Binary,
        node: Reg,
        (a, da): (Reg, Option<Reg>),
        (b, db): (Reg, Option<Reg>),
    ) -> Option<Reg> {
        if da.is_none() && db.is_none() {
            return None;
        }
        let zero = self.constant(0.0);
        let (x, y) = (da.unwrap_or(zero), db.unwrap_or(zero));
        Some(match op {
            Binary::Add => self.add(x, y),
            Binary::Sub => self.sub(x, y),
            Binary::Mul => {
                let (left, right) = (self.mul(x, b), self.mul(a, y));
                self.add(left, right)
            }
            Binary::Div => {
                let moved = self.mul(node, y);
                let top = self.sub(x, moved);
                self.div(top, b)
            }
            Binary::Pow => self.power_dot(node, (a, da), (b, db)),
            Binary::Atan2 => {
                let (left, right) = (self.mul(b, x), self.mul(a, y));
                let top = self.sub(left, right);
                let (a2, b2) = (self.mul(a, a), self.mul(b, b));
                let bottom = self.add(a2, b2);
                self.div(top, bottom)
            }
            Binary::Min | Binary::Max => {
                let relation = if op == Binary::Min {
                    RelOp::LessEqual
                } else {
                    RelOp::GreaterEqual
                };
                let first = self.compare(relation, a, b);
                self.select(first, x, y)
            }
            // Between its jumps `mod(a, b)` is `a` minus a constant multiple of `b`.
            Binary::Mod | Binary::Rem => {
                let gone = self.sub(a, node);
                let times = self.div(gone, b);
                let moved = self.mul(times, y);
                self.sub(x, moved)
            }
            Binary::Quotient | Binary::And | Binary::Or => return None,
        })
    }

    fn power_dot(
        &mut self,
        node: Reg,
        (a, da): (Reg, Option<Reg>),
        (b, db): (Reg, Option<Reg>),
    ) -> Reg {
        let mut sum = self.constant(0.0);
        if let Some(x) = da {
            let one = self.constant(1.0);
            let lower = self.sub(b, one);
            let lowered = self.binary(Binary::Pow, a, lower);
            let outer = self.mul(b, lowered);
            let term = self.mul(outer, x);
            sum = self.add(sum, term);
        }
        if let Some(y) = db {
            let log = self.unary(Unary::Log, a);
            let outer = self.mul(node, log);
            let term = self.mul(outer, y);
            sum = self.add(sum, term);
        }
        sum
    }
}
