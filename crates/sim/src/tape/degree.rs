//! How the outputs of a program depend on some of its inputs: not at all, linearly, or otherwise.

use super::Program;
use super::program::Instruction;

/// How a value depends on some inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Degree {
    /// It is a number.
    Number,
    /// It depends on other inputs only.
    Free,
    /// Linearly, with coefficients that are numbers, up to something that does not depend on the inputs.
    Linear,
    /// Linearly, with coefficients that depend on other inputs.
    LinearInFree,
    Beyond,
}

impl Degree {
    pub fn is_linear(self) -> bool {
        self < Self::Beyond
    }

    fn depends(self) -> bool {
        self >= Self::Linear
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a.depends() && b.depends() => Self::Beyond,
            (a, Self::Number) => a,
            (Self::Number, b) => b,
            (a, b) if a.depends() || b.depends() => a.max(b).max(Self::LinearInFree),
            _ => Self::Free,
        }
    }

    fn over(self, other: Self) -> Self {
        if other.depends() {
            Self::Beyond
        } else {
            self.times(other)
        }
    }

    /// Of a function of values.
    fn of_function(arguments: impl IntoIterator<Item = Self>) -> Self {
        match arguments.into_iter().max() {
            Some(most) if most.depends() => Self::Beyond,
            Some(most) => most,
            None => Self::Free,
        }
    }
}

impl Program {
    /// The degree of the outputs together in the inputs that `unknown` tells. Linear in the code.
    pub fn degree(&self, unknown: &dyn Fn(u32) -> bool) -> Degree {
        let mut list = vec![Degree::Number; self.constants.len()];
        let of_input = |&slot: &u32| {
            if unknown(slot) {
                Degree::Linear
            } else {
                Degree::Free
            }
        };
        list.extend(self.inputs.iter().map(of_input));
        let mut of_calls: Vec<Degree> = Vec::new();
        for instruction in &self.code {
            let at = |reg: u32| list[reg as usize];
            let degree = match *instruction {
                Instruction::Add(a, b) | Instruction::Sub(a, b) => at(a).max(at(b)),
                Instruction::Mul(a, b) => at(a).times(at(b)),
                Instruction::Div(a, b) => at(a).over(at(b)),
                Instruction::Neg(a) | Instruction::Copy(a) => at(a),
                Instruction::Power(a, _) | Instruction::Unary(_, a) => Degree::of_function([at(a)]),
                Instruction::Binary(_, a, b) | Instruction::Compare(_, a, b) => {
                    Degree::of_function([at(a), at(b)])
                }
                Instruction::Select(c, a, b) if at(c).depends() => {
                    Degree::of_function([at(c), at(a), at(b)])
                }
                Instruction::Select(_, a, b) => match at(a).max(at(b)) {
                    Degree::Linear => Degree::LinearInFree,
                    Degree::Number => Degree::Free,
                    other => other,
                },
                Instruction::Join => Degree::Number,
                Instruction::Call(call) => {
                    let arguments = self.calls.all_args(call).map(at);
                    of_calls.push(Degree::of_function(arguments).max(Degree::Free));
                    Degree::Number
                }
                Instruction::Result(call, _) => of_calls[call as usize],
            };
            list.push(degree);
        }
        let outputs = self.outputs.iter().map(|&reg| list[reg as usize]);
        outputs.max().unwrap_or(Degree::Number)
    }
}
