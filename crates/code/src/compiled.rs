//! Loops of numbers as machine code: which functions can be compiled for the processor, and how.
//!
//! A function is compiled when it is first called with plain numbers, if it has a loop and all of it is arithmetic on scalar
//! registers. Everything else is interpreted, and so are dual numbers.

use crate::ins::{Code, Ins, Rel};
use modeshift_inst::builtin::{Binary, Unary, whole_power};
use modeshift_jit::{Callee, Function, Op, Source};

macro_rules! callees {
    ($($function:ident = $op:ident,)*; $($function2:ident = $op2:ident,)*) => {
        $(extern "C" fn $function(x: f64) -> f64 {
            Unary::$op.apply(x)
        })*
        $(extern "C" fn $function2(x: f64, y: f64) -> f64 {
            Binary::$op2.apply(x, y)
        })*

        fn unary(op: Unary) -> Option<Callee> {
            Some(Callee::One(match op {
                $(Unary::$op => $function,)*
                Unary::Neg | Unary::Not => return None,
            }))
        }

        fn binary(op: Binary) -> Option<Callee> {
            Some(Callee::Two(match op {
                $(Binary::$op2 => $function2,)*
                _ => return None,
            }))
        }
    };
}

callees! {
    sqrt = Sqrt, cbrt = Cbrt, abs = Abs, sign = Sign, floor = Floor, ceil = Ceil, trunc = Trunc, sin = Sin, cos = Cos,
    tan = Tan, asin = Asin, acos = Acos, atan = Atan, sinh = Sinh, cosh = Cosh, tanh = Tanh, exp = Exp, log = Log,
    log10 = Log10,;
    pow = Pow, atan2 = Atan2, min = Min, max = Max,
}

extern "C" fn whole(x: f64, n: i32) -> f64 {
    whole_power(x, n)
}

const fn relation(rel: Rel) -> modeshift_jit::Rel {
    use modeshift_jit::Rel as To;
    match rel {
        Rel::Less => To::Less,
        Rel::LessEq => To::LessEq,
        Rel::Greater => To::Greater,
        Rel::GreaterEq => To::GreaterEq,
        Rel::Equal => To::Equal,
        Rel::NotEqual => To::NotEqual,
    }
}

/// Larger functions take too long to compile.
const MAX_CODE: usize = 20_000;

/// The machine code of a function, if it is worth it and possible.
pub fn compile(code: &Code) -> Option<Function> {
    let loops = |ins: &Ins| matches!(ins, Ins::Back(_) | Ins::Loop(..));
    if code.code.len() > MAX_CODE || !code.code.iter().any(loops) {
        return None;
    }
    let mut callees = Vec::new();
    let ops = code.code.iter().map(|ins| op(code, *ins, &mut callees));
    let ops = ops.collect::<Option<Vec<Op>>>()?;
    Function::compile(Source {
        ops: &ops,
        callees: &callees,
        n_reals: usize::from(code.sizes[0]),
        n_ints: usize::from(code.sizes[1]),
    })
}

fn op(code: &Code, ins: Ins, callees: &mut Vec<Callee>) -> Option<Op> {
    let mut callee = |callee: Callee| {
        callees.push(callee);
        callees.len() as u32 - 1
    };
    Some(match ins {
        Ins::MovR(d, a) => Op::MovR(d, a),
        Ins::LitR(d, k) => Op::LitR(d, code.literals[k as usize]),
        Ins::AddR(d, a, b) => Op::AddR(d, a, b),
        Ins::SubR(d, a, b) => Op::SubR(d, a, b),
        Ins::MulR(d, a, b) => Op::MulR(d, a, b),
        Ins::DivR(d, a, b) => Op::DivR(d, a, b),
        Ins::MulAddR(d, a, b, c) => Op::MulAddR(d, a, b, c),
        Ins::MulSubR(d, a, b, c) => Op::MulSubR(d, a, b, c),
        Ins::SubMulR(d, a, b, c) => Op::SubMulR(d, a, b, c),
        Ins::NegR(d, a) => Op::NegR(d, a),
        Ins::PowiR(d, a, n) => Op::CallN(d, callee(Callee::Whole(whole)), a, n),
        Ins::UnR(Unary::Neg, d, a) => Op::NegR(d, a),
        Ins::UnR(op, d, a) => Op::Call1(d, callee(unary(op)?), a),
        // Those that jump check what they divide by.
        Ins::BinR(op, d, a, b) if !op.jumps() => match op {
            Binary::Add => Op::AddR(d, a, b),
            Binary::Sub => Op::SubR(d, a, b),
            Binary::Mul => Op::MulR(d, a, b),
            Binary::Div => Op::DivR(d, a, b),
            _ => Op::Call2(d, callee(binary(op)?), a, b),
        },
        Ins::MovI(d, a) => Op::MovI(d, a),
        Ins::LitI(d, k) => Op::LitI(d, code.integers[k as usize]),
        Ins::AddI(d, a, b) => Op::AddI(d, a, b),
        Ins::SubI(d, a, b) => Op::SubI(d, a, b),
        Ins::MulI(d, a, b) => Op::MulI(d, a, b),
        Ins::NotI(d, a) => Op::NotI(d, a),
        Ins::ItoR(d, a) => Op::ItoR(d, a),
        Ins::CmpR(rel, d, a, b) => Op::CmpR(relation(rel), d, a, b),
        Ins::CmpI(rel, d, a, b) => Op::CmpI(relation(rel), d, a, b),
        Ins::Jmp(to) => Op::Jmp(to),
        Ins::Back(to) => Op::Back(to),
        Ins::JmpIf(c, to) => Op::JmpIf(c, to),
        Ins::JmpUnless(c, to) => Op::JmpUnless(c, to),
        Ins::JmpUnlessR(rel, a, b, to) => Op::JmpUnlessR(relation(rel), a, b, to),
        Ins::JmpUnlessI(rel, a, b, to) => Op::JmpUnlessI(relation(rel), a, b, to),
        Ins::Loop(i, limit, to) => Op::Loop(i, limit, to),
        Ins::Return => Op::Return,
        _ => return None,
    })
}
