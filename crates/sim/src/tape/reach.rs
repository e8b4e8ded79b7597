//! Which outputs of a program can change when some of its inputs do.

use super::Program;
use super::program::Instruction;
use modeshift_base::FxHashSet;

impl Program {
    /// By output, whether it reads an input for which `moves` holds or an output of `moved`, also through a condition or an
    /// argument of a function. Linear in the code.
    pub fn reached(&self, moves: &dyn Fn(u32) -> bool, moved: &[bool]) -> Vec<bool> {
        let given = self.outputs.iter().zip(moved).filter(|(_, moved)| **moved);
        let given: FxHashSet<u32> = given.map(|(&reg, _)| reg).collect();
        let mut reached: Vec<bool> = (0..self.constants.len() as u32)
            .map(|reg| given.contains(&reg))
            .collect();
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
            let own = given.contains(&(reached.len() as u32));
            reached.push(next || own);
        }
        let output = |&reg: &u32| reached[reg as usize];
        self.outputs.iter().map(output).collect()
    }
}
