//! Derivatives of a program along directions: forward automatic differentiation while interpreting, several
//! directions at once. The derivatives that [`Graph::derivatives`] writes down as further nodes suit small
//! systems that are differentiated by all their unknowns; here the code does not grow, and a Jacobian whose
//! columns share directions costs a few runs whatever its size.
//!
//! [`Graph::derivatives`]: super::Graph::derivatives

use super::op::whole_power;
use super::program::Instruction;
use super::{Program, Work};

/// How many directions are followed at once.
pub const LANES: usize = 4;
/// A number for each direction.
pub type Lanes = [f64; LANES];

const ZERO: Lanes = [0.0; LANES];

impl Program {
    /// After [`Program::run`]: the derivatives of all registers, given those of the inputs by slot. Linear in
    /// the code.
    pub fn tangent(&self, work: &mut Work, dots: &[Lanes]) {
        self.tangent_along(work, |_, slot| dots[slot as usize]);
    }

    /// The same, with directions that are given by input: its number in the program, and its slot.
    pub fn tangent_along(&self, work: &mut Work, dot: impl Fn(usize, u32) -> Lanes) {
        let registers = &work.registers;
        let tangents = &mut work.tangents;
        let calls = &mut work.calls;
        tangents.clear();
        tangents.resize(self.constants.len(), ZERO);
        tangents.extend(
            self.inputs
                .iter()
                .enumerate()
                .map(|(i, &slot)| dot(i, slot)),
        );
        let first = tangents.len();
        for (i, instruction) in self.code.iter().enumerate() {
            let r = |reg: u32| registers[reg as usize];
            let d = |reg: u32| tangents[reg as usize];
            let result = registers[first + i];
            let tangent = match *instruction {
                Instruction::Join => ZERO,
                Instruction::Call(call) => {
                    calls.tangent(&self.calls, call, registers, tangents);
                    ZERO
                }
                Instruction::Result(call, index) => calls.result_tangent(call, index),
                Instruction::Add(a, b) => both(d(a), d(b), |x, y| x + y),
                Instruction::Sub(a, b) => both(d(a), d(b), |x, y| x - y),
                Instruction::Mul(a, b) => {
                    let (p, q) = (r(a), r(b));
                    both(d(a), d(b), |x, y| x * q + p * y)
                }
                Instruction::Div(a, b) => {
                    let q = r(b);
                    both(d(a), d(b), |x, y| (x - result * y) / q)
                }
                Instruction::Neg(a) => d(a).map(|x| -x),
                Instruction::Copy(a) => d(a),
                Instruction::Power(a, n) => along(d(a), || {
                    f64::from(n) * whole_power(r(a), n.saturating_sub(1))
                }),
                Instruction::Unary(op, a) => along(d(a), || op.slope(r(a), result)),
                Instruction::Binary(op, a, b) => {
                    let left = along(d(a), || op.slopes(r(a), r(b), result).0);
                    let right = along(d(b), || op.slopes(r(a), r(b), result).1);
                    both(left, right, |x, y| x + y)
                }
                Instruction::Compare(..) => ZERO,
                Instruction::Select(c, a, b) => d(if r(c) != 0.0 { a } else { b }),
            };
            tangents.push(tangent);
        }
    }

    /// The derivatives of an output.
    pub fn output_tangent(&self, work: &Work, index: usize) -> Lanes {
        work.tangents[self.outputs[index] as usize]
    }

    /// Which inputs each output depends on, as sorted sets that `of_input` gives for slots. Linear in the
    /// code times the size of the sets.
    pub fn dependencies(&self, of_input: &mut dyn FnMut(u32) -> Set) -> Vec<Set> {
        let empty = Set::default();
        let mut sets: Vec<Set> = vec![empty.clone(); self.constants.len()];
        sets.extend(self.inputs.iter().map(|&slot| of_input(slot)));
        let mut of_calls: Vec<Set> = Vec::new();
        for instruction in &self.code {
            let at = |reg: u32| &sets[reg as usize];
            let set = match *instruction {
                Instruction::Add(a, b)
                | Instruction::Sub(a, b)
                | Instruction::Mul(a, b)
                | Instruction::Div(a, b)
                | Instruction::Binary(_, a, b)
                | Instruction::Select(_, a, b) => union(at(a), at(b)),
                Instruction::Neg(a)
                | Instruction::Copy(a)
                | Instruction::Power(a, _)
                | Instruction::Unary(_, a) => at(a).clone(),
                Instruction::Compare(..) | Instruction::Join => empty.clone(),
                Instruction::Call(call) => {
                    let all = self.calls.real_args(call);
                    let set = all.fold(empty.clone(), |set, arg| union(&set, at(arg)));
                    of_calls.push(set);
                    empty.clone()
                }
                Instruction::Result(call, _) => of_calls[call as usize].clone(),
            };
            sets.push(set);
        }
        let set = |&reg: &u32| sets[reg as usize].clone();
        self.outputs.iter().map(set).collect()
    }
}

fn both(a: Lanes, b: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// The chain rule; a slope that is not finite does not matter where nothing moves.
fn along(inner: Lanes, slope: impl Fn() -> f64) -> Lanes {
    if inner == ZERO {
        return ZERO;
    }
    let slope = slope();
    inner.map(|x| if x == 0.0 { 0.0 } else { slope * x })
}

/// A sorted set that is shared by those who have the same.
pub type Set = std::rc::Rc<[u32]>;

/// Linear in the sizes; one of the two itself where it contains the other.
pub fn union(a: &Set, b: &Set) -> Set {
    if b.is_empty() || std::rc::Rc::ptr_eq(a, b) {
        return a.clone();
    }
    if a.is_empty() {
        return b.clone();
    }
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        merged.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    match merged.len() {
        n if n == a.len() => a.clone(),
        n if n == b.len() => b.clone(),
        _ => merged.into(),
    }
}
