//! From code on registers to Cranelift's intermediate language. Linear in the code.

use crate::{Callee, Op, Rel, Source};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData as MemFlags, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

/// The module and the address of the function in it.
pub(crate) fn compile(source: Source<'_>) -> Option<(JITModule, *const u8)> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").ok()?;
    let isa = cranelift_native::builder().ok()?;
    let isa = isa.finish(settings::Flags::new(flags)).ok()?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let mut context = module.make_context();
    let pointer = module.target_config().pointer_type();
    let signature = &mut context.func.signature;
    signature.params.extend([AbiParam::new(pointer); 3]);
    signature.returns.push(AbiParam::new(types::I64));
    let mut frames = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut frames);
    Translation::new(builder, &module, pointer, source)?.all()?;
    let id = module
        .declare_anonymous_function(&context.func.signature)
        .ok()?;
    module.define_function(id, &mut context).ok()?;
    module.clear_context(&mut context);
    module.finalize_definitions().ok()?;
    let address = module.get_finalized_function(id);
    Some((module, address))
}

struct Translation<'t> {
    builder: FunctionBuilder<'t>,
    source: Source<'t>,
    reals: Vec<Variable>,
    ints: Vec<Variable>,
    steps: Variable,
    pointer: Type,
    config: TargetFrontendConfig,
    /// The parameters: registers and steps.
    memory: [Value; 3],
    /// The blocks that begin at instructions.
    blocks: Vec<Option<Block>>,
    signatures: [SigRef; 3],
}

fn condition(rel: Rel) -> (FloatCC, IntCC) {
    match rel {
        Rel::Less => (FloatCC::LessThan, IntCC::SignedLessThan),
        Rel::LessEq => (FloatCC::LessThanOrEqual, IntCC::SignedLessThanOrEqual),
        Rel::Greater => (FloatCC::GreaterThan, IntCC::SignedGreaterThan),
        Rel::GreaterEq => (FloatCC::GreaterThanOrEqual, IntCC::SignedGreaterThanOrEqual),
        Rel::Equal => (FloatCC::Equal, IntCC::Equal),
        Rel::NotEqual => (FloatCC::NotEqual, IntCC::NotEqual),
    }
}

impl<'t> Translation<'t> {
    fn new(
        mut builder: FunctionBuilder<'t>,
        module: &JITModule,
        pointer: Type,
        source: Source<'t>,
    ) -> Option<Self> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let memory: [Value; 3] = builder.block_params(entry).try_into().ok()?;
        let convention = module.target_config().default_call_conv;
        let mut signature = |params: &[Type]| {
            let mut made = Signature::new(convention);
            made.params
                .extend(params.iter().map(|&ty| AbiParam::new(ty)));
            made.returns.push(AbiParam::new(types::F64));
            builder.import_signature(made)
        };
        let signatures = [
            signature(&[types::F64]),
            signature(&[types::F64, types::I32]),
            signature(&[types::F64, types::F64]),
        ];
        let mut registers = |count: usize, ty: Type, at: Value| -> Vec<Variable> {
            let registers = (0..count).map(|k| {
                let variable = builder.declare_var(ty);
                let value = builder
                    .ins()
                    .load(ty, MemFlags::trusted(), at, 8 * k as i32);
                builder.def_var(variable, value);
                variable
            });
            registers.collect()
        };
        let reals = registers(source.n_reals, types::F64, memory[0]);
        let ints = registers(source.n_ints, types::I64, memory[1]);
        let steps = registers(1, types::I64, memory[2]).pop()?;
        let mut blocks = vec![None; source.ops.len()];
        for (at, op) in source.ops.iter().enumerate() {
            let (target, follows) = match *op {
                Op::Jmp(to) | Op::Back(to) => (to as usize, true),
                Op::JmpIf(_, to)
                | Op::JmpUnless(_, to)
                | Op::JmpUnlessR(.., to)
                | Op::JmpUnlessI(.., to)
                | Op::Loop(.., to) => (to as usize, true),
                _ => continue,
            };
            for place in [Some(target), follows.then_some(at + 1)]
                .into_iter()
                .flatten()
            {
                if place >= blocks.len() {
                    return None;
                }
                blocks[place].get_or_insert_with(|| builder.create_block());
            }
        }
        Some(Self {
            builder,
            source,
            reals,
            ints,
            steps,
            pointer,
            config: module.target_config(),
            memory,
            blocks,
            signatures,
        })
    }

    fn r(&mut self, reg: u16) -> Value {
        self.builder.use_var(self.reals[usize::from(reg)])
    }

    fn n(&mut self, reg: u16) -> Value {
        self.builder.use_var(self.ints[usize::from(reg)])
    }

    fn set_r(&mut self, reg: u16, value: Value) {
        self.builder.def_var(self.reals[usize::from(reg)], value);
    }

    fn set_n(&mut self, reg: u16, value: Value) {
        self.builder.def_var(self.ints[usize::from(reg)], value);
    }

    /// Whether all registers that an instruction names are there.
    fn fits(&self, op: Op) -> bool {
        let r = |regs: &[u16]| regs.iter().all(|&reg| usize::from(reg) < self.reals.len());
        let n = |regs: &[u16]| regs.iter().all(|&reg| usize::from(reg) < self.ints.len());
        match op {
            Op::LitR(d, _) => r(&[d]),
            Op::MovR(d, a) | Op::NegR(d, a) | Op::Call1(d, _, a) | Op::CallN(d, _, a, _) => {
                r(&[d, a])
            }
            Op::AddR(d, a, b)
            | Op::SubR(d, a, b)
            | Op::MulR(d, a, b)
            | Op::DivR(d, a, b)
            | Op::Call2(d, _, a, b) => r(&[d, a, b]),
            Op::MulAddR(d, a, b, c) | Op::MulSubR(d, a, b, c) | Op::SubMulR(d, a, b, c) => {
                r(&[d, a, b, c])
            }
            Op::LitI(d, _) => n(&[d]),
            Op::MovI(d, a) | Op::NotI(d, a) | Op::Loop(d, a, _) => n(&[d, a]),
            Op::AddI(d, a, b) | Op::SubI(d, a, b) | Op::MulI(d, a, b) | Op::CmpI(_, d, a, b) => {
                n(&[d, a, b])
            }
            Op::ItoR(d, a) => r(&[d]) && n(&[a]),
            Op::CmpR(_, d, a, b) => n(&[d]) && r(&[a, b]),
            Op::JmpIf(c, _) | Op::JmpUnless(c, _) => n(&[c]),
            Op::JmpUnlessR(_, a, b, _) => r(&[a, b]),
            Op::JmpUnlessI(_, a, b, _) => n(&[a, b]),
            Op::Jmp(_) | Op::Back(_) | Op::Return => true,
        }
    }

    fn all(mut self) -> Option<()> {
        // The last instruction must not run on.
        if self.source.ops.last() != Some(&Op::Return) {
            return None;
        }
        let mut open = true;
        for at in 0..self.source.ops.len() {
            if let Some(block) = self.blocks[at] {
                if open {
                    self.builder.ins().jump(block, &[]);
                }
                self.builder.switch_to_block(block);
                open = true;
            }
            let op = self.source.ops[at];
            if !self.fits(op) {
                return None;
            }
            if open {
                open = self.op(op, at)?;
            }
        }
        self.builder.seal_all_blocks();
        self.builder.finalize(self.config);
        Some(())
    }

    fn block(&self, at: usize) -> Option<Block> {
        self.blocks.get(at).copied().flatten()
    }

    /// One instruction; whether the next one is reached from it directly.
    fn op(&mut self, op: Op, at: usize) -> Option<bool> {
        macro_rules! real {
            ($d:expr, $make:ident, $a:expr, $b:expr) => {{
                let (a, b) = (self.r($a), self.r($b));
                let value = self.builder.ins().$make(a, b);
                self.set_r($d, value);
            }};
        }
        match op {
            Op::MovR(d, a) => {
                let value = self.r(a);
                self.set_r(d, value);
            }
            Op::LitR(d, value) => {
                let value = self.builder.ins().f64const(value);
                self.set_r(d, value);
            }
            Op::AddR(d, a, b) => real!(d, fadd, a, b),
            Op::SubR(d, a, b) => real!(d, fsub, a, b),
            Op::MulR(d, a, b) => real!(d, fmul, a, b),
            Op::DivR(d, a, b) => real!(d, fdiv, a, b),
            Op::NegR(d, a) => {
                let value = self.r(a);
                let value = self.builder.ins().fneg(value);
                self.set_r(d, value);
            }
            Op::MulAddR(d, a, b, c) | Op::MulSubR(d, a, b, c) | Op::SubMulR(d, a, b, c) => {
                let (a, b, c) = (self.r(a), self.r(b), self.r(c));
                let product = self.builder.ins().fmul(a, b);
                let value = match op {
                    Op::MulAddR(..) => self.builder.ins().fadd(product, c),
                    Op::MulSubR(..) => self.builder.ins().fsub(product, c),
                    _ => self.builder.ins().fsub(c, product),
                };
                self.set_r(d, value);
            }
            Op::Call1(d, callee, a) => {
                let args = [self.r(a)];
                self.call(d, callee, &args)?;
            }
            Op::CallN(d, callee, a, n) => {
                let n = self.builder.ins().iconst(types::I32, i64::from(n));
                let args = [self.r(a), n];
                self.call(d, callee, &args)?;
            }
            Op::Call2(d, callee, a, b) => {
                let args = [self.r(a), self.r(b)];
                self.call(d, callee, &args)?;
            }
            Op::MovI(d, a) => {
                let value = self.n(a);
                self.set_n(d, value);
            }
            Op::LitI(d, value) => {
                let value = self.builder.ins().iconst(types::I64, value);
                self.set_n(d, value);
            }
            Op::AddI(d, a, b) | Op::SubI(d, a, b) | Op::MulI(d, a, b) => {
                let (a, b) = (self.n(a), self.n(b));
                let (value, overflow) = match op {
                    Op::AddI(..) => self.builder.ins().sadd_overflow(a, b),
                    Op::SubI(..) => self.builder.ins().ssub_overflow(a, b),
                    _ => self.builder.ins().smul_overflow(a, b),
                };
                self.leave_if(overflow, 2, at);
                self.set_n(d, value);
            }
            Op::NotI(d, a) => {
                let value = self.n(a);
                let zero = self.builder.ins().icmp_imm_s(IntCC::Equal, value, 0);
                let value = self.builder.ins().uextend(types::I64, zero);
                self.set_n(d, value);
            }
            Op::ItoR(d, a) => {
                let value = self.n(a);
                let value = self.builder.ins().fcvt_from_sint(types::F64, value);
                self.set_r(d, value);
            }
            Op::CmpR(rel, d, a, b) => {
                let (a, b) = (self.r(a), self.r(b));
                let holds = self.builder.ins().fcmp(condition(rel).0, a, b);
                let value = self.builder.ins().uextend(types::I64, holds);
                self.set_n(d, value);
            }
            Op::CmpI(rel, d, a, b) => {
                let (a, b) = (self.n(a), self.n(b));
                let holds = self.builder.ins().icmp(condition(rel).1, a, b);
                let value = self.builder.ins().uextend(types::I64, holds);
                self.set_n(d, value);
            }
            Op::Jmp(to) => {
                let to = self.block(to as usize)?;
                self.builder.ins().jump(to, &[]);
                return Some(false);
            }
            Op::Back(to) => {
                self.step(at);
                let to = self.block(to as usize)?;
                self.builder.ins().jump(to, &[]);
                return Some(false);
            }
            Op::JmpIf(c, to) | Op::JmpUnless(c, to) => {
                let value = self.n(c);
                let (to, next) = (self.block(to as usize)?, self.block(at + 1)?);
                match op {
                    Op::JmpIf(..) => self.builder.ins().brif(value, to, &[], next, &[]),
                    _ => self.builder.ins().brif(value, next, &[], to, &[]),
                };
                return Some(false);
            }
            Op::JmpUnlessR(rel, a, b, to) => {
                let (a, b) = (self.r(a), self.r(b));
                let holds = self.builder.ins().fcmp(condition(rel).0, a, b);
                let (to, next) = (self.block(to as usize)?, self.block(at + 1)?);
                self.builder.ins().brif(holds, next, &[], to, &[]);
                return Some(false);
            }
            Op::JmpUnlessI(rel, a, b, to) => {
                let (a, b) = (self.n(a), self.n(b));
                let holds = self.builder.ins().icmp(condition(rel).1, a, b);
                let (to, next) = (self.block(to as usize)?, self.block(at + 1)?);
                self.builder.ins().brif(holds, next, &[], to, &[]);
                return Some(false);
            }
            Op::Loop(i, limit, to) => {
                let (value, limit) = (self.n(i), self.n(limit));
                let more = self.builder.ins().icmp(IntCC::SignedLessThan, value, limit);
                let (to, next) = (self.block(to as usize)?, self.block(at + 1)?);
                let again = self.builder.create_block();
                self.builder.ins().brif(more, again, &[], next, &[]);
                self.builder.switch_to_block(again);
                let value = self.builder.ins().iadd_imm_s(value, 1);
                self.set_n(i, value);
                self.step(at);
                self.builder.ins().jump(to, &[]);
                return Some(false);
            }
            Op::Return => {
                self.leave(0, at);
                return Some(false);
            }
        }
        Some(true)
    }

    fn call(&mut self, d: u16, callee: u32, args: &[Value]) -> Option<()> {
        let (address, signature) = match *self.source.callees.get(callee as usize)? {
            Callee::One(f) => (f as usize, self.signatures[0]),
            Callee::Whole(f) => (f as usize, self.signatures[1]),
            Callee::Two(f) => (f as usize, self.signatures[2]),
        };
        let address = self.builder.ins().iconst(self.pointer, address as i64);
        let call = self.builder.ins().call_indirect(signature, address, args);
        let value = self.builder.inst_results(call).first().copied()?;
        self.set_r(d, value);
        Some(())
    }

    /// Counts a step, or ends.
    fn step(&mut self, at: usize) {
        let steps = self.builder.use_var(self.steps);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, steps, 0);
        self.leave_if(none, 1, at);
        let left = self.builder.ins().iadd_imm_s(steps, -1);
        self.builder.def_var(self.steps, left);
    }

    fn leave_if(&mut self, condition: Value, code: i64, at: usize) {
        let (end, next) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(end);
        self.builder.ins().brif(condition, end, &[], next, &[]);
        self.builder.switch_to_block(end);
        self.leave(code, at);
        self.builder.switch_to_block(next);
    }

    /// Writes the registers back and ends.
    fn leave(&mut self, code: i64, at: usize) {
        let banks = [
            (0, self.reals.clone()),
            (1, self.ints.clone()),
            (2, vec![self.steps]),
        ];
        for (bank, registers) in banks {
            for (k, register) in registers.into_iter().enumerate() {
                let value = self.builder.use_var(register);
                let memory = self.memory[bank];
                let flags = MemFlags::trusted();
                self.builder.ins().store(flags, value, memory, 8 * k as i32);
            }
        }
        let code = self
            .builder
            .ins()
            .iconst(types::I64, (at as i64) << 2 | code);
        self.builder.ins().return_(&[code]);
    }
}
