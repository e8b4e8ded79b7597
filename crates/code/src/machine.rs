//! Runs code: a stack of windows of registers, one for each call that is under way.
//!
//! A window is made when a function is first entered, with the numbers and arrays of its text in it, and kept for the
//! next call; only a function that calls itself needs several. Arrays go to a function by exchanging registers, since
//! it does not write to its inputs, and come back when it returns.
//!
//! Scalar instructions and elements of arrays are executed in a tight loop on slices of the banks; everything else
//! leaves the loop for `cold`. Steps, depth of calls and memory are limited, so that any function ends.

mod cold;
mod derivative;
mod strings;

pub use strings::format_real;

use crate::array::{Array, position};
use crate::context::Context;
use crate::error::{CallError, Trouble};
use crate::ins::{BANKS, Bank, Code, Ins, Of, Reg, Slot};
use crate::library::Library;
use crate::num::Num;
use modeshift_inst::builtin::Binary;
use modeshift_jit::End;
use std::sync::Arc;

/// Steps of loops and calls in one call from outside; array operations count by their size.
pub(crate) const MAX_STEPS: u64 = 200_000_000;
/// Calls within calls.
const MAX_DEPTH: usize = 5_000;
/// Elements of all arrays that live at the same time.
const MAX_CELLS: usize = 50_000_000;
/// Bytes of the strings that one instruction makes.
const MAX_TEXT: usize = 10_000_000;
/// Arrays of more elements are not kept for the next call.
const BIG: usize = 100_000;
/// Registers of all windows.
const MAX_REGISTERS: usize = 20_000_000;

/// A function as a value: what is given already, by parameter.
#[derive(Clone, Debug)]
pub struct Closure<R> {
    pub function: u32,
    pub given: Vec<(u16, Value<R>)>,
}

/// The contents of one register.
#[derive(Clone, Debug)]
pub enum Value<R> {
    Real(R),
    Int(i64),
    Str(Arc<str>),
    Reals(Array<R>),
    Ints(Array<i64>),
    Strs(Array<Arc<str>>),
    Function(Option<Arc<Closure<R>>>),
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: u32,
    pc: u32,
    base: Base,
    /// Where arrays came from in the caller, unless they were copied.
    args: Option<u16>,
    /// Where the results go in the caller.
    results: u16,
}

/// Where a window begins in each bank.
pub(crate) type Base = [usize; BANKS];

/// The registers of functions that run.
#[derive(Debug)]
pub struct Machine<R> {
    pub(crate) reals: Vec<R>,
    pub(crate) ints: Vec<i64>,
    pub(crate) strs: Vec<Arc<str>>,
    pub(crate) ra: Vec<Array<R>>,
    pub(crate) ia: Vec<Array<i64>>,
    pub(crate) sa: Vec<Array<Arc<str>>>,
    pub(crate) functions: Vec<Option<Arc<Closure<R>>>>,
    frames: Vec<Frame>,
    /// Windows that are not in use, by function.
    free: Vec<Vec<Base>>,
    /// The library whose functions have windows here.
    library: u64,
    /// An array of more than [`BIG`] elements was made.
    big: bool,
    steps: u64,
    /// Derivatives by annotation that are being computed.
    nested: usize,
}

impl<R> Default for Machine<R> {
    fn default() -> Self {
        Self {
            reals: Vec::new(),
            ints: Vec::new(),
            strs: Vec::new(),
            ra: Vec::new(),
            ia: Vec::new(),
            sa: Vec::new(),
            functions: Vec::new(),
            frames: Vec::new(),
            free: Vec::new(),
            library: 0,
            big: false,
            steps: 0,
            nested: 0,
        }
    }
}

impl<R: Num> Machine<R> {
    /// Gets the registers for a call from outside ready; parameters are then set with [`Machine::set`].
    pub fn prepare(&mut self, library: &Library, function: u32) -> Result<(), Trouble> {
        if self.library != library.id || self.big {
            *self = Self {
                library: library.id,
                free: vec![Vec::new(); library.functions.len()],
                ..Self::default()
            };
        }
        self.unwind(&library.functions);
        self.steps = library.steps;
        let base = self.window(&library.functions, function)?;
        self.frames.push(Frame {
            function,
            pc: 0,
            base,
            args: None,
            results: 0,
        });
        Ok(())
    }

    /// A window for a call of a function: one that is free, or a new one.
    fn window(&mut self, functions: &[Code], function: u32) -> Result<Base, Trouble> {
        if let Some(base) = self.free[function as usize].pop() {
            return Ok(base);
        }
        let code = &functions[function as usize];
        let base = [
            self.reals.len(),
            self.ints.len(),
            self.strs.len(),
            self.ra.len(),
            self.ia.len(),
            self.sa.len(),
            self.functions.len(),
        ];
        if base.iter().sum::<usize>() > MAX_REGISTERS {
            return Err(Trouble::Depth);
        }
        let end = |bank: Bank| base[bank as usize] + usize::from(code.sizes[bank as usize]);
        self.reals.resize(end(Bank::Real), R::default());
        self.ints.resize(end(Bank::Int), 0);
        self.strs.resize(end(Bank::Str), Arc::from(""));
        self.ra.resize_with(end(Bank::Reals), Array::default);
        self.ia.resize_with(end(Bank::Ints), Array::default);
        self.sa.resize_with(end(Bank::Strs), Array::default);
        self.functions.resize(end(Bank::Function), None);
        let first = base[0] + usize::from(code.reals.0);
        for (to, &value) in self.reals[first..].iter_mut().zip(&code.reals.1) {
            *to = R::of(value);
        }
        let first = base[1] + usize::from(code.ints.0);
        self.ints[first..first + code.ints.1.len()].copy_from_slice(&code.ints.1);
        for (of, reg, array) in &code.arrays {
            if *of == Of::Real {
                let out = &mut self.ra[at(base, Bank::Reals, *reg)];
                out.reset(&array.dims);
                out.data.extend(array.data.iter().map(|&x| R::of(x)));
            } else {
                let out = &mut self.ia[at(base, Bank::Ints, *reg)];
                out.reset(&array.dims);
                out.data.extend(array.data.iter().map(|&x| x as i64));
            }
        }
        Ok(base)
    }

    /// Ends the innermost call: arrays that it was given go back to the caller, which it tells.
    fn leave(&mut self, functions: &[Code]) -> Option<(Frame, Frame)> {
        let frame = self.frames.pop()?;
        self.free[frame.function as usize].push(frame.base);
        let caller = self.frames.last().copied()?;
        if let Some(args) = frame.args {
            let args = &functions[caller.function as usize].lists[usize::from(args)];
            let params = &functions[frame.function as usize].params;
            for (&from, &to) in args.iter().zip(params) {
                self.exchange(caller.base, from, frame.base, to);
            }
        }
        Some((frame, caller))
    }

    /// Ends all calls that are under way.
    fn unwind(&mut self, functions: &[Code]) {
        while !self.frames.is_empty() {
            self.leave(functions);
        }
    }

    /// Exchanges two array registers; `false` for other registers.
    fn exchange(&mut self, from: Base, source: Slot, to: Base, target: Slot) -> bool {
        let a = from[source.0 as usize] + usize::from(source.1);
        let b = to[target.0 as usize] + usize::from(target.1);
        match (source.0, target.0) {
            (Bank::Reals, Bank::Reals) => self.ra.swap(a, b),
            (Bank::Ints, Bank::Ints) => self.ia.swap(a, b),
            (Bank::Strs, Bank::Strs) => self.sa.swap(a, b),
            _ => return false,
        }
        true
    }

    /// Where the outermost call has its registers.
    pub(crate) fn base(&self) -> Base {
        self.frames.first().map_or([0; BANKS], |frame| frame.base)
    }

    /// Sets a register of the outermost call.
    pub fn set(&mut self, slot: Slot, value: Value<R>) {
        self.set_at(self.base(), slot, value);
    }

    /// Runs what was prepared to its end.
    pub fn run(&mut self, functions: &[Code], context: &mut Context) -> Result<(), Box<CallError>> {
        self.nested = 0;
        let done = self.enter(functions, context);
        match done.and_then(|()| self.go(functions, context, 1)) {
            Ok(()) => Ok(()),
            Err(trouble) => {
                let stack = self.frames.iter().rev().map(|frame| {
                    let code = &functions[frame.function as usize];
                    let after = code.places.partition_point(|(pc, _)| *pc < frame.pc);
                    let place = after.checked_sub(1).map(|i| code.places[i].1);
                    (code.name.clone(), place)
                });
                let error = CallError {
                    trouble,
                    stack: stack.collect(),
                };
                self.unwind(functions);
                Err(Box::new(error))
            }
        }
    }

    /// Runs the innermost call to its end, where `floor` calls are under way.
    fn go(
        &mut self,
        functions: &[Code],
        context: &mut Context,
        floor: usize,
    ) -> Result<(), Trouble> {
        while let Some(frame) = self.frames.last().copied() {
            let code = &functions[frame.function as usize];
            let mut pc = frame.pc as usize;
            let stopped = match pc {
                0 => self.machine_code(code, &frame, &mut pc),
                _ => None,
            };
            let stopped = stopped.unwrap_or_else(|| self.tight(code, &frame, &mut pc));
            if let Some(frame) = self.frames.last_mut() {
                frame.pc = pc as u32;
            }
            match stopped? {
                Ins::Return => {
                    if self.frames.len() == floor {
                        return Ok(());
                    }
                    if let Some((frame, caller)) = self.leave(functions) {
                        let lists = &functions[caller.function as usize].lists;
                        for (&from, &to) in
                            code.results.iter().zip(&lists[usize::from(frame.results)])
                        {
                            // Nobody reads an array where it was made.
                            if !self.exchange(frame.base, from, caller.base, to) {
                                self.pass(frame.base, from, caller.base, to);
                            }
                        }
                        if self.big {
                            self.shed(code, frame.base);
                        }
                    }
                }
                Ins::Call(function, args, results) => {
                    let base = self.call_window(functions, function)?;
                    let params = &functions[function as usize].params;
                    for (&from, &to) in code.lists[usize::from(args)].iter().zip(params) {
                        if !self.exchange(frame.base, from, base, to) {
                            self.pass(frame.base, from, base, to);
                        }
                    }
                    self.frames.push(Frame {
                        function,
                        pc: 0,
                        base,
                        args: Some(args),
                        results,
                    });
                    if R::LAYERS > 0 {
                        self.enter(functions, context)?;
                    }
                }
                Ins::CallF(function, args, results) => {
                    let place = at(frame.base, Bank::Function, function);
                    let Some(closure) = self.functions[place].clone() else {
                        return Err(Trouble::Refused(
                            "a function that is not given is called".into(),
                        ));
                    };
                    let base = self.call_window(functions, closure.function)?;
                    self.frames.push(Frame {
                        function: closure.function,
                        pc: 0,
                        base,
                        args: None,
                        results,
                    });
                    let target = &functions[closure.function as usize];
                    let mut args = code.lists[usize::from(args)].iter();
                    for (number, &to) in target.params.iter().enumerate() {
                        let mut given = closure.given.iter();
                        match given.find(|(k, _)| usize::from(*k) == number) {
                            Some((_, value)) => {
                                let value = value.clone();
                                self.set_at(base, to, value);
                            }
                            None => match args.next() {
                                Some(&from) => self.pass(frame.base, from, base, to),
                                None => {
                                    let why = format!(
                                        "`{}` is called with too few arguments",
                                        target.name
                                    );
                                    return Err(Trouble::Refused(why.into()));
                                }
                            },
                        }
                    }
                    if R::LAYERS > 0 {
                        self.enter(functions, context)?;
                    }
                }
                other => self.cold(other, code, frame.base, context)?,
            }
        }
        Ok(())
    }

    /// The window of a call within a call.
    fn call_window(&mut self, functions: &[Code], function: u32) -> Result<Base, Trouble> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Trouble::Depth);
        }
        self.spend(1)?;
        self.window(functions, function)
    }

    #[inline(always)]
    fn spend(&mut self, steps: u64) -> Result<(), Trouble> {
        match self.steps.checked_sub(steps) {
            Some(rest) => {
                self.steps = rest;
                Ok(())
            }
            None => Err(Trouble::Steps),
        }
    }

    /// Whether there is room for so many elements more.
    fn room(&mut self, cells: usize) -> Result<(), Trouble> {
        self.spend(cells as u64 / 8)?;
        if cells > MAX_CELLS {
            return Err(Trouble::Memory);
        }
        if cells > BIG {
            self.big = true;
            let live = self.ra.iter().map(|a| a.data.capacity()).sum::<usize>()
                + self.ia.iter().map(|a| a.data.capacity()).sum::<usize>();
            if live + cells > MAX_CELLS {
                return Err(Trouble::Memory);
            }
        }
        Ok(())
    }

    /// Frees the big arrays of a window that is not used any more.
    fn shed(&mut self, code: &Code, base: Base) {
        let written = |of: Of, reg: usize| {
            let mut constants = code.arrays.iter();
            !constants.any(|(own, constant, _)| (*own, usize::from(*constant)) == (of, reg))
        };
        for reg in 0..usize::from(code.sizes[Bank::Reals as usize]) {
            let array = &mut self.ra[base[Bank::Reals as usize] + reg];
            if array.data.capacity() > BIG && written(Of::Real, reg) {
                *array = Array::default();
            }
        }
        for reg in 0..usize::from(code.sizes[Bank::Ints as usize]) {
            let array = &mut self.ia[base[Bank::Ints as usize] + reg];
            if array.data.capacity() > BIG && written(Of::Int, reg) {
                *array = Array::default();
            }
        }
    }

    fn set_at(&mut self, base: Base, (bank, reg): Slot, value: Value<R>) {
        let at = base[bank as usize] + usize::from(reg);
        match (bank, value) {
            (Bank::Real, Value::Real(value)) => self.reals[at] = value,
            (Bank::Real, Value::Int(value)) => self.reals[at] = R::of(value as f64),
            (Bank::Int, Value::Int(value)) => self.ints[at] = value,
            (Bank::Str, Value::Str(value)) => self.strs[at] = value,
            (Bank::Reals, Value::Reals(value)) => self.ra[at] = value,
            (Bank::Ints, Value::Ints(value)) => self.ia[at] = value,
            (Bank::Strs, Value::Strs(value)) => self.sa[at] = value,
            (Bank::Function, Value::Function(value)) => self.functions[at] = value,
            _ => {}
        }
    }

    /// Copies a register from one window to another; an Integer becomes a Real where one is expected.
    fn pass(&mut self, from: Base, source: Slot, to: Base, target: Slot) {
        let a = from[source.0 as usize] + usize::from(source.1);
        let b = to[target.0 as usize] + usize::from(target.1);
        match (source.0, target.0) {
            (Bank::Real, Bank::Real) => self.reals[b] = self.reals[a],
            (Bank::Int, Bank::Int) => self.ints[b] = self.ints[a],
            (Bank::Int, Bank::Real) => self.reals[b] = R::of(self.ints[a] as f64),
            (Bank::Str, Bank::Str) => self.strs[b] = self.strs[a].clone(),
            (Bank::Reals, Bank::Reals) => copy(&mut self.ra, a, b),
            (Bank::Ints, Bank::Ints) => copy(&mut self.ia, a, b),
            (Bank::Strs, Bank::Strs) => copy(&mut self.sa, a, b),
            (Bank::Ints, Bank::Reals) => {
                let (ints, reals) = (&self.ia[a], &mut self.ra[b]);
                reals.reset(&ints.dims);
                reals
                    .data
                    .extend(ints.data.iter().map(|&x| R::of(x as f64)));
            }
            (Bank::Function, Bank::Function) => self.functions[b] = self.functions[a].clone(),
            _ => {}
        }
    }

    /// Runs a function that is compiled for the processor from its beginning to its end.
    fn machine_code(
        &mut self,
        code: &Code,
        frame: &Frame,
        pc: &mut usize,
    ) -> Option<Result<Ins, Trouble>> {
        if R::LAYERS > 0 {
            return None;
        }
        let compiled = code.compiled()?;
        let window = |bank: Bank| {
            let base = frame.base[bank as usize];
            base..base + usize::from(code.sizes[bank as usize])
        };
        let reals = R::plain(&mut self.reals[window(Bank::Real)])?;
        let ints = &mut self.ints[window(Bank::Int)];
        let (at, result) = match compiled.run(reals, ints, &mut self.steps)? {
            End::Returned => (code.code.len() - 1, Ok(Ins::Return)),
            End::Steps(at) => (at as usize, Err(Trouble::Steps)),
            End::Overflow(at) => (at as usize, Err(Trouble::Overflow)),
        };
        *pc = at + 1;
        Some(result)
    }

    /// Scalar code until something else comes.
    fn tight(&mut self, code: &Code, frame: &Frame, at: &mut usize) -> Result<Ins, Trouble> {
        let mut pc = *at;
        let window = |bank: Bank| {
            let base = frame.base[bank as usize];
            base..base + usize::from(code.sizes[bank as usize])
        };
        let r = &mut self.reals[window(Bank::Real)];
        let n = &mut self.ints[window(Bank::Int)];
        let ra = &mut self.ra[window(Bank::Reals)];
        let ia = &mut self.ia[window(Bank::Ints)];
        let mut steps = self.steps;
        let list = &code.code[..];
        macro_rules! r {
            ($reg:expr) => {
                r[usize::from($reg)]
            };
        }
        macro_rules! n {
            ($reg:expr) => {
                n[usize::from($reg)]
            };
        }
        macro_rules! back {
            ($target:expr) => {{
                if steps == 0 {
                    break Err(Trouble::Steps);
                }
                steps -= 1;
                pc = $target as usize;
            }};
        }
        macro_rules! attempt {
            ($value:expr) => {
                match $value {
                    Ok(value) => value,
                    Err(trouble) => break Err(trouble),
                }
            };
        }
        let result = loop {
            let ins = list[pc];
            pc += 1;
            match ins {
                Ins::MovR(d, a) => r!(d) = r!(a),
                Ins::AddR(d, a, b) => r!(d) = r!(a).add(r!(b)),
                Ins::SubR(d, a, b) => r!(d) = r!(a).sub(r!(b)),
                Ins::MulR(d, a, b) => r!(d) = r!(a).mul(r!(b)),
                Ins::DivR(d, a, b) => r!(d) = r!(a).div(r!(b)),
                Ins::MulAddR(d, a, b, c) => r!(d) = r!(a).mul(r!(b)).add(r!(c)),
                Ins::MulSubR(d, a, b, c) => r!(d) = r!(a).mul(r!(b)).sub(r!(c)),
                Ins::SubMulR(d, a, b, c) => r!(d) = r!(c).sub(r!(a).mul(r!(b))),
                Ins::NegR(d, a) => r!(d) = r!(a).neg(),
                Ins::PowiR(d, a, exponent) => r!(d) = r!(a).powi(exponent),
                Ins::UnR(op, d, a) => r!(d) = R::unary(op, r!(a)),
                Ins::BinR(op, d, a, b) => {
                    if op.jumps() && r!(b).value() == 0.0 {
                        break Err(Trouble::DivisionByZero(op.name()));
                    }
                    r!(d) = R::binary(op, r!(a), r!(b));
                }
                Ins::LitR(d, k) => r!(d) = R::of(code.literals[k as usize]),
                Ins::MovI(d, a) => n!(d) = n!(a),
                Ins::LitI(d, k) => n!(d) = code.integers[k as usize],
                Ins::AddI(d, a, b) => {
                    n!(d) = attempt!(n!(a).checked_add(n!(b)).ok_or(Trouble::Overflow));
                }
                Ins::SubI(d, a, b) => {
                    n!(d) = attempt!(n!(a).checked_sub(n!(b)).ok_or(Trouble::Overflow));
                }
                Ins::MulI(d, a, b) => {
                    n!(d) = attempt!(n!(a).checked_mul(n!(b)).ok_or(Trouble::Overflow));
                }
                Ins::BinI(op, d, a, b) => n!(d) = attempt!(integer(op, n!(a), n!(b))),
                Ins::NegI(d, a) => n!(d) = attempt!(n!(a).checked_neg().ok_or(Trouble::Overflow)),
                Ins::NotI(d, a) => n!(d) = i64::from(n!(a) == 0),
                Ins::AbsI(d, a) => n!(d) = attempt!(n!(a).checked_abs().ok_or(Trouble::Overflow)),
                Ins::SignI(d, a) => n!(d) = n!(a).signum(),
                Ins::SignR(d, a) => {
                    let x = r!(a).value();
                    n!(d) = i64::from(x > 0.0) - i64::from(x < 0.0);
                }
                Ins::ItoR(d, a) => r!(d) = R::of(n!(a) as f64),
                Ins::RtoI(d, a) => {
                    let x = r!(a).value().floor();
                    if x.abs() < 9.2e18 {
                        n!(d) = x as i64;
                    } else {
                        break Err(Trouble::NotAnInteger(x));
                    }
                }
                Ins::CmpR(rel, d, a, b) => {
                    n!(d) = i64::from(rel.holds(&r!(a).value(), &r!(b).value()));
                }
                Ins::CmpI(rel, d, a, b) => n!(d) = i64::from(rel.holds(&n!(a), &n!(b))),
                Ins::Jmp(target) => pc = target as usize,
                Ins::Back(target) => back!(target),
                Ins::JmpIf(c, target) => {
                    if n!(c) != 0 {
                        pc = target as usize;
                    }
                }
                Ins::JmpUnless(c, target) => {
                    if n!(c) == 0 {
                        pc = target as usize;
                    }
                }
                Ins::JmpUnlessR(rel, a, b, target) => {
                    if !rel.holds(&r!(a).value(), &r!(b).value()) {
                        pc = target as usize;
                    }
                }
                Ins::JmpUnlessI(rel, a, b, target) => {
                    if !rel.holds(&n!(a), &n!(b)) {
                        pc = target as usize;
                    }
                }
                Ins::Loop(i, limit, target) => {
                    if n!(i) < n!(limit) {
                        n!(i) += 1;
                        back!(target);
                    }
                }
                Ins::GetR1(d, a, i) => {
                    let array = &ra[usize::from(a)];
                    let at = attempt!(position(n!(i), array.data.len(), 0));
                    r!(d) = array.data[at];
                }
                Ins::GetR2(d, a, i, j) => {
                    let array = &ra[usize::from(a)];
                    let at = attempt!(two(&array.dims, n!(i), n!(j)));
                    r!(d) = array.data[at];
                }
                Ins::GetI1(d, a, i) => {
                    let array = &ia[usize::from(a)];
                    let at = attempt!(position(n!(i), array.data.len(), 0));
                    n!(d) = array.data[at];
                }
                Ins::SetR1(a, i, v) => {
                    let array = &mut ra[usize::from(a)];
                    let at = attempt!(position(n!(i), array.data.len(), 0));
                    array.data[at] = r!(v);
                }
                Ins::SetR2(a, i, j, v) => {
                    let array = &mut ra[usize::from(a)];
                    let at = attempt!(two(&array.dims, n!(i), n!(j)));
                    array.data[at] = r!(v);
                }
                Ins::SetI1(a, i, v) => {
                    let array = &mut ia[usize::from(a)];
                    let at = attempt!(position(n!(i), array.data.len(), 0));
                    array.data[at] = n!(v);
                }
                Ins::Dim(Of::Real, d, a, k) => {
                    let dims = &ra[usize::from(a)].dims;
                    let at = attempt!(position(n!(k), dims.len(), 0));
                    n!(d) = dims[at] as i64;
                }
                other => break Ok(other),
            }
        };
        self.steps = steps;
        *at = pc;
        result
    }
}

#[inline(always)]
fn two(dims: &[usize], i: i64, j: i64) -> Result<usize, Trouble> {
    match *dims {
        [rows, columns] => Ok(position(i, rows, 0)? * columns + position(j, columns, 1)?),
        _ => Err(Trouble::Subscripts(2, dims.len())),
    }
}

pub(crate) fn integer(op: Binary, a: i64, b: i64) -> Result<i64, Trouble> {
    op.integer(a, b).ok_or(if op.divides() && b == 0 {
        Trouble::DivisionByZero(op.name())
    } else {
        Trouble::Overflow
    })
}

/// Copies within a bank, into the memory that is there.
fn copy<T: Clone + Default>(bank: &mut [Array<T>], from: usize, to: usize) {
    if from == to {
        return;
    }
    let mut target = std::mem::take(&mut bank[to]);
    target.copy_from(&bank[from]);
    bank[to] = target;
}

/// A register at its place in a bank.
pub(crate) fn at(base: Base, bank: Bank, reg: Reg) -> usize {
    base[bank as usize] + usize::from(reg)
}
