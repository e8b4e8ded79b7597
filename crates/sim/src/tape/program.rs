//! Bytecode: the operations that some outputs need, in order, on a flat array of registers.

use super::call::{CallWork, ProgramCalls};
use super::tangent::Lanes;
use super::{Binary, Graph, Op, Reg, Unary, op};
use modeshift_mdae::sym::RelOp;

/// One instruction; its result goes to the next register. The common operations have an instruction of
/// their own, so that one jump reaches them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Add(u32, u32),
    Sub(u32, u32),
    Mul(u32, u32),
    Div(u32, u32),
    Neg(u32),
    Copy(u32),
    Power(u32, i32),
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    Compare(RelOp, u32, u32),
    Select(u32, u32, u32),
    /// Arguments of calls; nothing to do.
    Join,
    /// A call, by its number in the program.
    Call(u32),
    /// A number that a call gave.
    Result(u32, u32),
}

/// Registers: constants, then inputs, then one per instruction.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(super) constants: Vec<f64>,
    /// Which values are read from outside.
    pub(super) inputs: Vec<u32>,
    pub(super) code: Vec<Instruction>,
    pub(super) outputs: Vec<u32>,
    pub(super) calls: ProgramCalls,
}

/// The registers of a program that runs.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) registers: Vec<f64>,
    pub(super) tangents: Vec<Lanes>,
    pub(super) calls: CallWork,
}

impl Work {
    /// Whether a function failed while the last program ran.
    pub fn call_failed(&self) -> bool {
        self.calls.failed
    }
}

impl Program {
    /// Linear in the graph.
    pub fn new(graph: &Graph, outputs: &[Reg]) -> Self {
        let needed = graph.needed(outputs, 0);
        let mut place = vec![u32::MAX; graph.len()];
        let mut this = Self::default();
        let nodes = || (0..needed.len() as Reg).filter(|&node| needed[node as usize]);
        for node in nodes() {
            if let Some(value) = graph.value(node) {
                place[node as usize] = this.constants.len() as u32;
                this.constants.push(value);
            }
        }
        for node in nodes() {
            if let Op::Input(slot) = graph.op(node) {
                place[node as usize] = (this.constants.len() + this.inputs.len()) as u32;
                this.inputs.push(slot);
            }
        }
        let first = this.constants.len() + this.inputs.len();
        for node in nodes() {
            let at = |reg: Reg| place[reg as usize];
            let instruction = match graph.op(node) {
                Op::Const(_) | Op::Input(_) => continue,
                Op::Unary(Unary::Neg, a) => Instruction::Neg(at(a)),
                Op::Unary(op, a) => Instruction::Unary(op, at(a)),
                Op::Binary(Binary::Add, a, b) => Instruction::Add(at(a), at(b)),
                Op::Binary(Binary::Sub, a, b) => Instruction::Sub(at(a), at(b)),
                Op::Binary(Binary::Mul, a, b) => Instruction::Mul(at(a), at(b)),
                Op::Binary(Binary::Div, a, b) => Instruction::Div(at(a), at(b)),
                Op::Binary(op, a, b) => Instruction::Binary(op, at(a), at(b)),
                Op::Power(a, n) => Instruction::Power(at(a), n),
                Op::Compare(op, a, b) => Instruction::Compare(op, at(a), at(b)),
                Op::Select(c, a, b) => Instruction::Select(at(c), at(a), at(b)),
                Op::Copy(a, _) => Instruction::Copy(at(a)),
                Op::Join(..) => Instruction::Join,
                Op::Call(call, _) => {
                    let call = graph.call_at(call);
                    Instruction::Call(this.calls.add(node, call, at))
                }
                Op::Result(call, index) => Instruction::Result(this.calls.number(call), index),
            };
            place[node as usize] = (first + this.code.len()) as u32;
            this.code.push(instruction);
        }
        this.outputs = outputs.iter().map(|&reg| place[reg as usize]).collect();
        this
    }

    /// The slots that are read.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    pub fn n_outputs(&self) -> usize {
        self.outputs.len()
    }

    pub fn n_instructions(&self) -> usize {
        self.code.len()
    }

    /// Computes the outputs; they are read with [`Program::output`].
    pub fn run(&self, values: &[f64], work: &mut Work) {
        let registers = &mut work.registers;
        let calls = &mut work.calls;
        calls.begin(&self.calls);
        registers.clear();
        registers.extend_from_slice(&self.constants);
        registers.extend(self.inputs.iter().map(|&slot| values[slot as usize]));
        registers.reserve(self.code.len());
        for instruction in &self.code {
            let r = |reg: u32| registers[reg as usize];
            let value = match *instruction {
                Instruction::Join => 0.0,
                Instruction::Call(call) => {
                    calls.run(&self.calls, call, registers);
                    0.0
                }
                Instruction::Result(call, index) => calls.result(call, index),
                Instruction::Add(a, b) => r(a) + r(b),
                Instruction::Sub(a, b) => r(a) - r(b),
                Instruction::Mul(a, b) => r(a) * r(b),
                Instruction::Div(a, b) => r(a) / r(b),
                Instruction::Neg(a) => -r(a),
                Instruction::Copy(a) => r(a),
                Instruction::Power(a, n) => op::whole_power(r(a), n),
                Instruction::Unary(op, a) => op.apply(r(a)),
                Instruction::Binary(op, a, b) => op.apply(r(a), r(b)),
                Instruction::Compare(op, a, b) => op::relation(op, r(a), r(b)),
                Instruction::Select(c, a, b) => {
                    let condition = r(c);
                    if condition == 0.0 {
                        r(b)
                    } else if condition.is_nan() {
                        condition
                    } else {
                        r(a)
                    }
                }
            };
            registers.push(value);
        }
    }

    /// Forgets what went wrong in a function that the program called.
    pub fn forget_trouble(&self) {
        self.calls.forget_trouble();
    }

    pub fn output(&self, work: &Work, index: usize) -> f64 {
        work.registers[self.outputs[index] as usize]
    }
}
