//! Which outputs of a program can change when some of its inputs do.

use super::Program;
use super::program::Instruction;

impl Program {
    /// By output, whether it reads an input for which `moves` holds, also through a condition or an argument of a function.
    /// Linear in the code.
    pub fn reached(&self, moves: &dyn Fn(u32) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.constants.len()];
        reached.extend(self.inputs.iter().map(|&slot| moves(slot)));
        let mut of_calls: Vec<bool> = Vec::new();
        for instruction in &self.code {
            let at = |reg: u32| reached[reg as usize];
            let next = match *instruction {
                Instruction::Add(a, b)
                | Instruction::Sub(a, b)
                | Instruction::Mul(a, b)
                | Instruction::Div(a, b)
                | Instruction::Binary(_, a, b)
                | Instruction::Compare(_, a, b) => at(a) || at(b),
                Instruction::Select(c, a, b) => at(c) || at(a) || at(b),
                Instruction::Neg(a)
                | Instruction::Copy(a)
                | Instruction::Power(a, _)
                | Instruction::Unary(_, a) => at(a),
                Instruction::Join => false,
                Instruction::Call(call) => {
                    of_calls.push(self.calls.args(call).any(at));
                    false
                }
                Instruction::Result(call, _) => of_calls[call as usize],
            };
            reached.push(next);
        }
        let output = |&reg: &u32| reached[reg as usize];
        self.outputs.iter().map(output).collect()
    }
}
