//! Machine code for functions of numbers: code on registers in, a function of the processor out.
//!
//! The interpreter of `code` takes about ten times as long as the processor for a loop of additions and multiplications. Here
//! such code is compiled by Cranelift. Its registers are Reals and Integers; nothing is allocated and nothing is called but
//! the mathematical functions that are handed in. Every jump back counts a step, so that what has no end ends here as well,
//! and Integers that overflow end the function as in the interpreter.

#![allow(unsafe_code, reason = "machine code is called here")]

mod translate;

use cranelift_jit::JITModule;
use std::sync::Arc;

/// A register.
pub type Reg = u16;

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rel {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    NotEqual,
}

/// An instruction; jumps lead to instructions by number. The first register is the one that is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    MovR(Reg, Reg),
    LitR(Reg, f64),
    AddR(Reg, Reg, Reg),
    SubR(Reg, Reg, Reg),
    MulR(Reg, Reg, Reg),
    DivR(Reg, Reg, Reg),
    NegR(Reg, Reg),
    /// `a*b + c`, `a*b - c`, `c - a*b`, each rounded twice.
    MulAddR(Reg, Reg, Reg, Reg),
    MulSubR(Reg, Reg, Reg, Reg),
    SubMulR(Reg, Reg, Reg, Reg),
    /// A function that is handed in, by its number.
    Call1(Reg, u32, Reg),
    /// The same with a whole number.
    CallN(Reg, u32, Reg, i32),
    Call2(Reg, u32, Reg, Reg),
    MovI(Reg, Reg),
    LitI(Reg, i64),
    AddI(Reg, Reg, Reg),
    SubI(Reg, Reg, Reg),
    MulI(Reg, Reg, Reg),
    NotI(Reg, Reg),
    ItoR(Reg, Reg),
    CmpR(Rel, Reg, Reg, Reg),
    CmpI(Rel, Reg, Reg, Reg),
    Jmp(u32),
    /// A jump back, which is a step.
    Back(u32),
    JmpIf(Reg, u32),
    JmpUnless(Reg, u32),
    JmpUnlessR(Rel, Reg, Reg, u32),
    JmpUnlessI(Rel, Reg, Reg, u32),
    /// Counts up and jumps back while the limit is not reached.
    Loop(Reg, Reg, u32),
    Return,
}

/// A mathematical function that code may call.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    One(extern "C" fn(f64) -> f64),
    Whole(extern "C" fn(f64, i32) -> f64),
    Two(extern "C" fn(f64, f64) -> f64),
}

/// What is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub ops: &'s [Op],
    pub callees: &'s [Callee],
    pub n_reals: usize,
    pub n_ints: usize,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Returned,
    /// There were no steps left, at this instruction.
    Steps(u32),
    /// An Integer became too large, at this instruction.
    Overflow(u32),
}

/// Registers, registers, steps that are left; where it ended.
type Entry = unsafe extern "C" fn(*mut f64, *mut i64, *mut u64) -> u64;

/// A compiled function.
#[derive(Clone)]
pub struct Function {
    entry: Entry,
    n_reals: usize,
    n_ints: usize,
    _memory: Arc<Memory>,
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({} reals, {} ints)", self.n_reals, self.n_ints)
    }
}

/// Keeps the machine code where it is.
struct Memory(Option<JITModule>);

// The module is only kept; nothing is done with it until it is freed.
unsafe impl Send for Memory {}
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // The last function that could be called is gone.
            unsafe { module.free_memory() };
        }
    }
}

impl Function {
    /// `None` where the processor is not known or the code makes no sense.
    pub fn compile(source: Source<'_>) -> Option<Self> {
        let (module, address) = translate::compile(source)?;
        // The code was made with this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Some(Self {
            entry,
            n_reals: source.n_reals,
            n_ints: source.n_ints,
            _memory: Arc::new(Memory(Some(module))),
        })
    }

    /// Runs it on registers. What is not there is not run.
    pub fn run(&self, reals: &mut [f64], ints: &mut [i64], steps: &mut u64) -> Option<End> {
        if reals.len() < self.n_reals || ints.len() < self.n_ints {
            return None;
        }
        // The code reads and writes the registers that it was compiled for, and they are there.
        let end = unsafe { (self.entry)(reals.as_mut_ptr(), ints.as_mut_ptr(), steps) };
        Some(match (end & 3, (end >> 2) as u32) {
            (0, _) => End::Returned,
            (1, at) => End::Steps(at),
            (_, at) => End::Overflow(at),
        })
    }
}
