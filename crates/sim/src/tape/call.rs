//! Calls of functions as nodes of the graph and as instructions.
//!
//! A call has any number of arguments, so they are held together by nodes of three operands each; its results are
//! read by number. Pure functions with equal arguments are called once, at run time only where an argument changed,
//! and while compiling where all arguments are known. The derivative of a result is a result of another call, of the
//! same function on dual numbers; that is differentiated in the same way.
//!
//! An impure function is called when the statement of its call is reached: a call has a guard for that. However often an
//! event computes it, it is called once at an instant ([`Functions::next_instant`]).

use super::tangent::Lanes;
use super::{Functions, Graph, Op, Reg, Unsupported};
use modeshift_base::{FxHashMap, Name};
use modeshift_code::{Argument, CallError, LANES, Machines, Runtime, Shape, Site};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A call site with what its function needs to run.
#[derive(Debug)]
pub struct Bound {
    pub runtime: Arc<Runtime>,
    pub site: Site,
    pub name: Arc<str>,
    /// For impure functions: the number of the current instant, and what the call gave at its last one.
    instant: Arc<AtomicU64>,
    once: Mutex<Once>,
}

/// A call of an impure function at an instant.
#[derive(Debug, Default)]
struct Once {
    instant: Option<u64>,
    args: Vec<f64>,
    out: Vec<f64>,
}

/// A call in a graph.
#[derive(Clone, Debug)]
pub struct CallNode {
    pub bound: Arc<Bound>,
    /// How often it was differentiated.
    pub order: u8,
    pub args: Vec<Reg>,
    /// Where this is 0 the call is not made.
    pub guard: Option<Reg>,
}

impl CallNode {
    fn n_results(&self) -> usize {
        self.bound.site.n_results() << self.order
    }
}

#[derive(Clone, Debug, Default)]
pub struct Calls {
    all: Vec<CallNode>,
    known: FxHashMap<(usize, u8, Vec<Reg>, Option<Reg>), Reg>,
}

/// An argument of a call with its numbers: arrays row by row, records field by field.
#[derive(Clone, Debug)]
pub enum CallArg {
    Value(Shape, Vec<Reg>),
    /// A function with some of its arguments.
    Function(Arc<str>, Vec<(Name, CallArg)>),
}

impl CallArg {
    pub(super) fn argument(&self) -> Argument {
        match self {
            Self::Value(shape, _) => Argument::Value(shape.clone()),
            Self::Function(name, given) => {
                let given = given.iter().map(|(input, arg)| (*input, arg.argument()));
                Argument::Function(name.clone(), given.collect())
            }
        }
    }

    pub(super) fn regs(&self, into: &mut Vec<Reg>) {
        match self {
            Self::Value(_, regs) => into.extend_from_slice(regs),
            Self::Function(_, given) => given.iter().for_each(|(_, arg)| arg.regs(into)),
        }
    }
}

impl Graph {
    pub(super) fn call_at(&self, index: u32) -> &CallNode {
        &self.calls.all[index as usize]
    }

    /// The numbers that a call gives.
    pub(super) fn call(
        &mut self,
        bound: &Arc<Bound>,
        order: u8,
        args: Vec<Reg>,
        guard: Option<Reg>,
    ) -> Vec<Reg> {
        if let Some(values) = self.folded(bound, order, &args) {
            let numbers = values.into_iter();
            return numbers.map(|value| self.constant(value)).collect();
        }
        let n = bound.site.n_results() << order;
        let call = self.call_node(bound, order, args, guard);
        let results = 0..n as u32;
        results
            .map(|index| self.intern(Op::Result(call, index)))
            .collect()
    }

    /// A call that is made for what it does; the node's value means nothing. A check that is passed now is passed always.
    pub(super) fn effect(&mut self, bound: &Arc<Bound>, args: Vec<Reg>, guard: Reg) -> Reg {
        match self.folded(bound, 0, &args) {
            Some(_) => self.constant(0.0),
            None => self.call_node(bound, 0, args, Some(guard)),
        }
    }

    /// What a pure function gives for arguments that are known.
    fn folded(&self, bound: &Bound, order: u8, args: &[Reg]) -> Option<Vec<f64>> {
        if !bound.site.pure {
            return None;
        }
        let values: Option<Vec<f64>> = args.iter().map(|&arg| self.value(arg)).collect();
        let mut out = vec![0.0; bound.site.n_results() << order];
        let mut machines = Machines::default();
        let result = machines.call(&bound.runtime, &bound.site, order, &values?, &mut out);
        // What fails is told when it is needed.
        result.is_ok().then_some(out)
    }

    fn call_node(
        &mut self,
        bound: &Arc<Bound>,
        order: u8,
        args: Vec<Reg>,
        guard: Option<Reg>,
    ) -> Reg {
        let key = (Arc::as_ptr(bound) as usize, order, args, guard);
        if let Some(&node) = self.calls.known.get(&key) {
            return node;
        }
        let args = &key.2;
        let mut joined = match args.first() {
            Some(&first) => first,
            None => self.constant(0.0),
        };
        for pair in args.get(1..).unwrap_or(&[]).chunks(2) {
            let last = pair.get(1).copied().unwrap_or(pair[0]);
            joined = self.intern(Op::Join(joined, pair[0], last));
        }
        if let Some(guard) = guard {
            joined = self.intern(Op::Join(joined, guard, guard));
        }
        let index = self.calls.all.len() as u32;
        self.calls.all.push(CallNode {
            bound: bound.clone(),
            order,
            args: args.clone(),
            guard,
        });
        let node = self.intern(Op::Call(index, joined));
        self.calls.known.insert(key, node);
        node
    }

    /// The derivative of a result, given those of the arguments.
    pub(super) fn result_dot(
        &mut self,
        call: Reg,
        index: u32,
        of: &dyn Fn(Reg) -> Option<Reg>,
    ) -> Option<Reg> {
        let Op::Call(number, _) = self.op(call) else {
            return None;
        };
        let node = self.call_at(number).clone();
        if !node.bound.site.pure {
            return None;
        }
        let (n, m) = (node.bound.site.n_args(), node.bound.site.n_results());
        if !node.bound.site.is_real_result(index as usize % m.max(1)) {
            return None;
        }
        let moves = |at: usize| node.bound.site.is_real_arg(at % n.max(1));
        let dots: Vec<Option<Reg>> = (node.args.iter().enumerate())
            .map(|(at, &arg)| of(arg).filter(|_| moves(at)))
            .collect();
        if dots.iter().all(Option::is_none) {
            return None;
        }
        let zero = self.constant(0.0);
        let mut args = node.args.clone();
        args.extend(dots.into_iter().map(|dot| dot.unwrap_or(zero)));
        let results = self.call(&node.bound, node.order + 1, args, node.guard);
        results.get(node.n_results() + index as usize).copied()
    }
}

impl Functions {
    /// The results of a call, one after the other: arrays row by row, records field by field. `results` are the shapes
    /// of the outputs that are wanted. An impure function is called where `guard` is not 0.
    pub fn call_site(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
        results: &[Shape],
        guard: Option<Reg>,
    ) -> Result<Vec<Reg>, Unsupported> {
        if let Some(inlined) = self.inlined(graph, name, args, results) {
            return Ok(inlined);
        }
        let (bound, regs) = self.site(name, args, results)?;
        let guard = guard.filter(|_| !bound.site.pure);
        Ok(graph.call(&bound, 0, regs, guard))
    }

    /// A call that is made for what it does, where `guard` is not 0.
    pub fn effect_site(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
        guard: Reg,
    ) -> Result<Reg, Unsupported> {
        let (bound, regs) = self.site(name, args, &[])?;
        Ok(graph.effect(&bound, regs, guard))
    }

    fn site(
        &self,
        name: &str,
        args: &[CallArg],
        results: &[Shape],
    ) -> Result<(Arc<Bound>, Vec<Reg>), Unsupported> {
        let mut regs = Vec::new();
        args.iter().for_each(|arg| arg.regs(&mut regs));
        let arguments: Vec<Argument> = args.iter().map(CallArg::argument).collect();
        let bound = self.bound(name, arguments, results)?;
        if regs.len() != bound.site.n_args() {
            let why = "its arguments have other sizes".into();
            return Err(Unsupported::Function(Name::new(name), why));
        }
        Ok((bound, regs))
    }

    /// Impure functions are called anew from now on.
    pub fn next_instant(&self) {
        self.instant.fetch_add(1, Ordering::Relaxed);
    }

    /// A string as a number that functions understand.
    pub fn text(&self, graph: &mut Graph, text: &str) -> Reg {
        let number = self.runtime.with_context(|context| context.intern(text));
        graph.constant(f64::from(number))
    }

    /// The string that a number stands for.
    pub fn string(&self, number: f64) -> Arc<str> {
        self.runtime.with_context(|context| context.string(number))
    }

    /// What went wrong last in a function, once.
    pub fn take_error(&self) -> Option<CallError> {
        self.runtime.take_error()
    }

    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    fn bound(
        &self,
        name: &str,
        args: Vec<Argument>,
        results: &[Shape],
    ) -> Result<Arc<Bound>, Unsupported> {
        let key = (Arc::<str>::from(name), args, results.to_vec());
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bound) = sites.get(&key) {
            return Ok(bound.clone());
        }
        let site = Site::new(&self.runtime.library, name, &key.1, results);
        let site = site.map_err(|why| Unsupported::Function(Name::new(name), why))?;
        let bound = Arc::new(Bound {
            runtime: self.runtime.clone(),
            site,
            name: key.0.clone(),
            instant: self.instant.clone(),
            once: Mutex::default(),
        });
        // Each call of an impure function is one of its own.
        if bound.site.pure {
            sites.insert(key, bound.clone());
        }
        Ok(bound)
    }
}

impl Bound {
    /// Calls an impure function, unless it was called with these arguments at this instant.
    fn once(
        &self,
        machines: &mut Machines,
        args: &[f64],
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.instant.load(Ordering::Relaxed);
        if once.instant == Some(now) && once.args == args {
            out.copy_from_slice(&once.out);
            return Ok(());
        }
        machines.call(&self.runtime, &self.site, 0, args, out)?;
        once.instant = Some(now);
        once.args = args.to_vec();
        once.out = out.to_vec();
        Ok(())
    }
}

/// Call sites by name and shapes.
pub(super) type Sites = FxHashMap<(Arc<str>, Vec<Argument>, Vec<Shape>), Arc<Bound>>;

/// A call in a program.
#[derive(Clone, Debug)]
struct ProgramCall {
    bound: Arc<Bound>,
    order: u8,
    args: Vec<u32>,
    guard: Option<u32>,
}

/// The calls of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramCalls {
    all: Vec<ProgramCall>,
    numbers: FxHashMap<Reg, u32>,
    /// Tells programs apart whose results are kept.
    id: u64,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl ProgramCalls {
    pub(super) fn add(&mut self, node: Reg, call: &CallNode, at: impl Fn(Reg) -> u32) -> u32 {
        if self.all.is_empty() {
            self.id = NEXT.fetch_add(1, Ordering::Relaxed);
        }
        let number = self.all.len() as u32;
        self.all.push(ProgramCall {
            bound: call.bound.clone(),
            order: call.order,
            args: call.args.iter().map(|&arg| at(arg)).collect(),
            guard: call.guard.map(at),
        });
        self.numbers.insert(node, number);
        number
    }

    pub(super) fn number(&self, node: Reg) -> u32 {
        self.numbers.get(&node).copied().unwrap_or(0)
    }

    pub(super) fn all_args(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        self.all[call as usize].args.iter().copied()
    }

    /// Arguments that results can change with.
    pub(super) fn real_args(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let call = &self.all[call as usize];
        let n = call.bound.site.n_args().max(1);
        let args = call.args.iter().enumerate();
        args.filter(move |(at, _)| call.bound.site.is_real_arg(at % n))
            .map(|(_, &arg)| arg)
    }
}

/// The last arguments and results of a call.
#[derive(Clone, Debug, Default)]
struct Kept {
    valid: bool,
    args: Vec<f64>,
    out: Vec<f64>,
    lanes: Vec<f64>,
}

/// Calls of a program that runs.
#[derive(Debug, Default)]
pub struct CallWork {
    id: u64,
    kept: Vec<Kept>,
    machines: Option<Box<Machines>>,
    /// A call of the last run failed.
    pub(super) failed: bool,
}

impl Clone for CallWork {
    /// Results are kept by each for itself.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl CallWork {
    pub(super) fn begin(&mut self, calls: &ProgramCalls) {
        self.failed = false;
        if calls.all.is_empty() || self.id == calls.id {
            return;
        }
        self.id = calls.id;
        self.kept.clear();
        self.kept.resize_with(calls.all.len(), Kept::default);
    }

    pub(super) fn run(&mut self, calls: &ProgramCalls, call: u32, registers: &[f64]) {
        let number = call as usize;
        let (call, kept) = (&calls.all[number], &mut self.kept[number]);
        let site = &call.bound.site;
        if call
            .guard
            .is_some_and(|guard| registers[guard as usize] == 0.0)
        {
            return;
        }
        let same = kept.valid && site.pure && kept.args.len() == call.args.len();
        let changed =
            |(&arg, old): (&u32, &f64)| registers[arg as usize].to_bits() != old.to_bits();
        if same && !call.args.iter().zip(&kept.args).any(changed) {
            return;
        }
        kept.args.clear();
        kept.args
            .extend(call.args.iter().map(|&arg| registers[arg as usize]));
        kept.out.clear();
        kept.out.resize(site.n_results() << call.order, 0.0);
        let machines = self.machines.get_or_insert_default();
        let result = if site.pure {
            machines.call(
                &call.bound.runtime,
                site,
                call.order,
                &kept.args,
                &mut kept.out,
            )
        } else {
            call.bound.once(machines, &kept.args, &mut kept.out)
        };
        kept.valid = result.is_ok();
        if let Err(error) = result {
            kept.out.fill(f64::NAN);
            self.failed = true;
            call.bound.runtime.record(*error);
        }
    }

    pub(super) fn result(&self, call: u32, index: u32) -> f64 {
        let kept = &self.kept[call as usize];
        kept.out.get(index as usize).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn tangent(
        &mut self,
        calls: &ProgramCalls,
        call: u32,
        registers: &[f64],
        tangents: &[Lanes],
    ) {
        let number = call as usize;
        let (call, kept) = (&calls.all[number], &mut self.kept[number]);
        let site = &call.bound.site;
        let n = site.n_results() << call.order;
        kept.lanes.clear();
        let still = |&arg: &u32| tangents[arg as usize] == [0.0; LANES];
        if !site.pure || call.args.iter().all(still) {
            kept.lanes.resize(n * (LANES + 1), 0.0);
            return;
        }
        let mut args: Vec<f64> = Vec::with_capacity(call.args.len() * (LANES + 1));
        args.extend(call.args.iter().map(|&arg| registers[arg as usize]));
        #[allow(
            clippy::needless_range_loop,
            reason = "lane by lane, over all arguments"
        )]
        for lane in 0..LANES {
            args.extend(call.args.iter().map(|&arg| tangents[arg as usize][lane]));
        }
        kept.lanes.resize(n * (LANES + 1), 0.0);
        let machines = self.machines.get_or_insert_default();
        let result = machines.tangents(
            &call.bound.runtime,
            site,
            call.order,
            &args,
            &mut kept.lanes,
        );
        if let Err(error) = result {
            kept.lanes.fill(f64::NAN);
            call.bound.runtime.record(*error);
        }
    }

    pub(super) fn result_tangent(&self, call: u32, index: u32) -> Lanes {
        let lanes = &self.kept[call as usize].lanes;
        let n = lanes.len() / (LANES + 1);
        std::array::from_fn(|lane| {
            let at = (lane + 1) * n + index as usize;
            lanes.get(at).copied().unwrap_or(f64::NAN)
        })
    }
}
