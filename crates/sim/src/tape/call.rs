//! Calls of functions as nodes of the graph and as instructions.
//!
//! A call has any number of arguments, so they are held together by nodes of three operands each; its results are
//! read by number. Pure functions with equal arguments are called once, at run time only where an argument changed,
//! and while compiling where all arguments are known. Derivatives come from the same function on dual numbers: a call
//! that gives the partial derivatives by its arguments as well serves all directions; where there are too many
//! arguments, or for derivatives of partial derivatives, a call follows one direction.
//!
//! An impure function is called when the statement of its call is reached: a call has a guard for that. However often an
//! event computes it, it is called once at an instant ([`Functions::next_instant`]).

use super::rate::Order as RateOrder;
use super::tangent::Lanes;
use super::{Functions, Graph, Op, Reg, Unsupported};
use crate::profile::{CallCost, FunctionCost};
use modeshift_base::{FxHashMap, FxIndexMap, Name};
use modeshift_code::{Argument, CallError, LANES, Runtime, Shape, Site, Wanted};
use modeshift_flat::hints;
use modeshift_flat::model::FunctionBody;
use modeshift_inst::ty::Causality;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// A call site with what its function needs to run.
#[derive(Debug)]
pub struct Bound {
    pub runtime: Arc<Runtime>,
    pub site: Site,
    pub name: Arc<str>,
    args: Vec<Argument>,
    results: Vec<Shape>,
    inverses: Vec<Inverse>,
    /// For impure functions: the number of the current instant, and what the call gave at its last one.
    instant: Arc<AtomicU64>,
    once: Mutex<Once>,
    profiling: Arc<AtomicBool>,
    cost: CallCost,
}

/// A function that gives an argument for a result, by annotation.
#[derive(Debug)]
struct Inverse {
    /// The number of the argument.
    solves: usize,
    bound: Arc<Bound>,
    /// What it is given: arguments of the function, or the result.
    args: Vec<Option<Range<usize>>>,
}

/// A call of an impure function at an instant.
#[derive(Debug, Default)]
struct Once {
    instant: Option<u64>,
    args: Vec<f64>,
    out: Vec<f64>,
}

/// What is called, and which derivatives it gives.
#[derive(Clone, Debug)]
pub struct Target {
    pub bound: Arc<Bound>,
    /// How often it was differentiated along a direction; each doubles the arguments.
    order: u8,
    /// Which of these directions are that of time, by bit.
    times: u8,
    /// The arguments by which there are partial derivatives, behind the values.
    by: Arc<[u16]>,
}

/// Functions with more arguments that move are differentiated along directions.
const MAX_PARTIALS: usize = 2 * LANES;

impl Target {
    fn plain(bound: &Arc<Bound>) -> Self {
        Self {
            bound: bound.clone(),
            order: 0,
            times: 0,
            by: Arc::default(),
        }
    }

    /// Numbers of the values, without partial derivatives.
    fn n_values(&self) -> usize {
        self.bound.site.n_results() << self.order
    }

    fn n_results(&self) -> usize {
        self.n_values() * (1 + self.by.len())
    }

    /// Puts numbers in the place of results that are settled, now that some arguments are known.
    pub(super) fn settle(
        &self,
        functions: &Functions,
        graph: &mut Graph,
        args: &[Reg],
        results: &mut [Reg],
    ) {
        if self.order > 0 || !self.by.is_empty() {
            return;
        }
        let mut rest = args;
        let args: Vec<CallArg> = (self.bound.args.iter())
            .map(|arg| CallArg::taken(arg, &mut rest))
            .collect();
        let Bound {
            name,
            results: shapes,
            ..
        } = &*self.bound;
        functions.settle(graph, name, &args, shapes, results);
    }

    fn evaluate(&self, args: &[f64], out: &mut Vec<f64>) -> Result<(), Box<CallError>> {
        let wanted = Wanted {
            order: self.order,
            times: self.times,
            by: &self.by,
        };
        let bound = &self.bound;
        bound.evaluate(wanted, args, out)
    }
}

/// A call in a graph.
#[derive(Clone, Debug)]
pub struct CallNode {
    pub target: Target,
    pub args: Vec<Reg>,
    /// Where this is 0 the call is not made.
    pub guard: Option<Reg>,
}

/// What tells calls apart: the function, its derivatives, arguments and guard.
type Key = (usize, (u8, u8), Arc<[u16]>, Vec<Reg>, Option<Reg>);

#[derive(Clone, Debug, Default)]
pub struct Calls {
    all: Vec<CallNode>,
    known: FxHashMap<Key, Reg>,
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

    /// An argument of a kind, made of the next numbers.
    fn taken(kind: &Argument, rest: &mut &[Reg]) -> Self {
        match kind {
            Argument::Value(shape) => {
                let (regs, left) = rest.split_at(shape.width().min(rest.len()));
                *rest = left;
                Self::Value(shape.clone(), regs.to_vec())
            }
            Argument::Function(name, given) => {
                let given = given.iter();
                let given = given.map(|(input, arg)| (*input, Self::taken(arg, rest)));
                Self::Function(name.clone(), given.collect())
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
    pub(super) fn call(&mut self, target: &Target, args: Vec<Reg>, guard: Option<Reg>) -> Vec<Reg> {
        if let Some(values) = self.folded(target, &args) {
            let numbers = values.into_iter();
            return numbers.map(|value| self.constant(value)).collect();
        }
        let call = self.call_node(target, args, guard);
        let results = 0..target.n_results() as u32;
        results
            .map(|index| self.intern(Op::Result(call, index)))
            .collect()
    }

    /// A call that is made for what it does; the node's value means nothing. A check that is passed now is passed always.
    pub(super) fn effect(&mut self, target: &Target, args: Vec<Reg>, guard: Reg) -> Reg {
        match self.folded(target, &args) {
            Some(_) => self.constant(0.0),
            None => self.call_node(target, args, Some(guard)),
        }
    }

    /// What a pure function gives for arguments that are known.
    fn folded(&self, target: &Target, args: &[Reg]) -> Option<Vec<f64>> {
        if !target.bound.site.pure {
            return None;
        }
        let values: Option<Vec<f64>> = args.iter().map(|&arg| self.value(arg)).collect();
        let mut out = Vec::new();
        // What fails is told when it is needed.
        target.evaluate(&values?, &mut out).ok().map(|()| out)
    }

    fn call_node(&mut self, target: &Target, args: Vec<Reg>, guard: Option<Reg>) -> Reg {
        let bound = Arc::as_ptr(&target.bound) as usize;
        let kind = (target.order, target.times);
        let key = (bound, kind, target.by.clone(), args, guard);
        if let Some(&node) = self.calls.known.get(&key) {
            return node;
        }
        let args = &key.3;
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
            target: target.clone(),
            args: args.clone(),
            guard,
        });
        let node = self.intern(Op::Call(index, joined));
        self.calls.known.insert(key, node);
        node
    }

    /// The argument of a call that has to change, if it is one for which the function's author gave an inverse, and what
    /// it is if the only result is `value`.
    pub fn undone(
        &mut self,
        call: Reg,
        value: Reg,
        depends: &dyn Fn(Reg) -> bool,
    ) -> Option<(Reg, Reg)> {
        let Op::Call(number, _) = self.op(call) else {
            return None;
        };
        let CallNode { target, args, .. } = self.call_at(number).clone();
        let mut moving = (0..args.len()).filter(|&k| depends(args[k]));
        let (solves, None) = (moving.next()?, moving.next()) else {
            return None;
        };
        if target.order != 0 || !target.by.is_empty() || target.n_results() != 1 {
            return None;
        }
        let mut inverses = target.bound.inverses.iter();
        let inverse = inverses.find(|inverse| inverse.solves == solves)?;
        let mut given = Vec::new();
        for source in &inverse.args {
            match source {
                Some(range) => given.extend_from_slice(&args[range.clone()]),
                None => given.push(value),
            }
        }
        let results = self.call(&Target::plain(&inverse.bound), given, None);
        Some((args[solves], *results.first()?))
    }

    /// The derivative of a result, given those of the arguments; along time if `in_time`.
    pub(super) fn result_dot(
        &mut self,
        call: Reg,
        index: u32,
        in_time: bool,
        of: &dyn Fn(Reg) -> Option<Reg>,
    ) -> Option<Reg> {
        let Op::Call(number, _) = self.op(call) else {
            return None;
        };
        let CallNode { target, args, .. } = self.call_at(number).clone();
        let site = &target.bound.site;
        if !site.pure {
            return None;
        }
        let (n, m) = (site.n_args().max(1), site.n_results().max(1));
        if !site.is_real_result(index as usize % m) {
            return None;
        }
        let real = |at: usize| site.is_real_arg(at % n);
        let dots: Vec<Option<Reg>> = (args.iter().enumerate())
            .map(|(at, &arg)| of(arg).filter(|_| real(at)))
            .collect();
        let moving = |at: &u16| dots[usize::from(*at)].is_some();
        let places = || 0..u16::try_from(args.len()).unwrap_or(0);
        if !places().any(|at| moving(&at)) {
            return None;
        }
        // The same arguments whatever moves, if they are few, so that one call serves all directions.
        let changes =
            |at: &u16| real(usize::from(*at)) && self.value(args[usize::from(*at)]).is_none();
        let mut by: Vec<u16> = places().filter(changes).collect();
        if by.len() > LANES {
            by.retain(moving);
        }
        // What belongs together along time is not told by the arguments one by one.
        let assumes = in_time && site.assumes;
        if !assumes && target.by.is_empty() && by.len() <= MAX_PARTIALS {
            let partial = Target {
                by: by.into(),
                ..target
            };
            let results = self.call(&partial, args, None);
            let n_values = partial.n_values();
            let mut sum = None;
            for (k, &at) in partial.by.iter().enumerate() {
                if let Some(dot) = dots[usize::from(at)] {
                    let slope = results[(k + 1) * n_values + index as usize];
                    let term = self.mul(slope, dot);
                    sum = Some(match sum {
                        Some(sum) => self.add(sum, term),
                        None => term,
                    });
                }
            }
            return sum;
        }
        let zero = self.constant(0.0);
        let along = Target {
            order: target.order + 1,
            times: target.times | u8::from(in_time) << target.order.min(7),
            ..target.clone()
        };
        let mut all = args;
        all.extend(dots.into_iter().map(|dot| dot.unwrap_or(zero)));
        let results = self.call(&along, all, None);
        // Values and each group of partial derivatives are followed by their derivatives.
        let (group, within) = (
            index as usize / target.n_values(),
            index as usize % target.n_values(),
        );
        let place = group * along.n_values() + target.n_values() + within;
        results.get(place).copied()
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
        if let Some(partial) = self.partial(graph, name, args, results)? {
            return Ok(partial);
        }
        let regs = self.plain_site(graph, name, args, results, guard)?;
        Ok(self.rated(graph, name, RateOrder::default(), args, results, regs))
    }

    /// The same without regard for what annotations say of its derivative by time.
    pub(super) fn plain_site(
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
        let mut given = graph.call(&Target::plain(&bound), regs, guard);
        self.settle(graph, name, args, results, &mut given);
        Ok(given)
    }

    /// The results of a function that is defined as a partial derivative: `function fx = der(f, x)`.
    fn partial(
        &self,
        graph: &mut Graph,
        name: &str,
        args: &[CallArg],
        results: &[Shape],
    ) -> Result<Option<Vec<Reg>>, Unsupported> {
        let Some(FunctionBody::Derivative { of, wrt }) = self.function(name).map(|it| &it.body)
        else {
            return Ok(None);
        };
        let refused = |why: &str| Unsupported::Function(Name::new(name), why.into());
        let Some(function) = self.function(of) else {
            return Err(refused("its function is not there"));
        };
        let inputs = function.locals.iter();
        let inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
        let names: Vec<Name> = inputs.map(|local| local.name).collect();
        let mut moved: Vec<CallArg> = Vec::new();
        for arg in args {
            moved.push(match arg {
                // Derivatives are by the argument itself, whatever it is made of.
                CallArg::Value(shape, regs) => {
                    let copies = regs.iter().map(|&reg| graph.copy(reg)).collect();
                    CallArg::Value(shape.clone(), copies)
                }
                other => other.clone(),
            });
        }
        let mut regs = self.call_site(graph, of, &moved, results, None)?;
        for input in wrt {
            let place = names.iter().position(|name| name == input);
            let arg = place.and_then(|place| moved.get(place));
            let Some(CallArg::Value(_, by)) = arg.filter(|arg| arg.argument().width() == 1) else {
                return Err(refused(
                    "it is differentiated by something that is no number",
                ));
            };
            let rows = graph.derivatives(&regs, by);
            let zero = graph.constant(0.0);
            regs = rows.iter().map(|row| row[0].unwrap_or(zero)).collect();
        }
        Ok(Some(regs))
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
        Ok(graph.effect(&Target::plain(&bound), regs, guard))
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

    /// Whether the time of calls is taken from now on.
    pub fn profile(&self, wanted: bool) {
        self.profiling.store(wanted, Ordering::Relaxed);
    }

    /// What the calls of each function cost since then.
    pub fn costs(&self) -> Vec<FunctionCost> {
        let mut by_name: FxIndexMap<Arc<str>, FunctionCost> = FxIndexMap::default();
        let sites = self.all_sites.lock();
        let sites = sites.unwrap_or_else(PoisonError::into_inner);
        for bound in sites.iter().filter_map(Weak::upgrade) {
            let entry = by_name.entry(bound.name.clone());
            let cost = entry.or_insert_with(|| FunctionCost {
                name: bound.name.to_string(),
                runs: 0,
                time: Duration::ZERO,
            });
            cost.runs += bound.cost.runs();
            cost.time += bound.cost.time();
        }
        by_name.into_values().filter(|it| it.runs > 0).collect()
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
        let inverses = self.inverses(name, &key.1, results);
        let bound = self.bind(name, site, (key.1.clone(), results.to_vec()), inverses);
        // Each call of an impure function is one of its own.
        if bound.site.pure {
            sites.insert(key, bound.clone());
        }
        Ok(bound)
    }
}

impl Functions {
    fn bind(
        &self,
        name: &str,
        site: Site,
        (args, results): (Vec<Argument>, Vec<Shape>),
        inverses: Vec<Inverse>,
    ) -> Arc<Bound> {
        let bound = Arc::new(Bound {
            runtime: self.runtime.clone(),
            site,
            name: name.into(),
            args,
            results,
            inverses,
            instant: self.instant.clone(),
            once: Mutex::default(),
            profiling: self.profiling.clone(),
            cost: CallCost::default(),
        });
        if let Ok(mut all) = self.all_sites.lock() {
            all.push(Arc::downgrade(&bound));
        }
        bound
    }

    /// The inverses of a function that gives one number, for arguments that are one number.
    fn inverses(&self, name: &str, args: &[Argument], results: &[Shape]) -> Vec<Inverse> {
        let Some(function) = self.function(name).filter(|_| *results == [Shape::SCALAR]) else {
            return Vec::new();
        };
        let hints = function.hints.inverses.iter();
        let found = hints.filter_map(|hint| {
            let target = self.function(&hint.function)?;
            let places = hints::inverse(function, hint, target).ok()?;
            let inputs = function.locals.iter();
            let mut inputs = inputs.filter(|local| local.causality == Some(Causality::Input));
            let input = inputs.position(|local| local.name == hint.input)?;
            let start = |k: usize| args[..k].iter().map(Argument::width).sum::<usize>();
            let shapes = places.iter().map(|place| match place {
                Some(k) => args.get(*k).cloned(),
                None => Some(Argument::Value(Shape::SCALAR)),
            });
            let shapes: Vec<Argument> = shapes.collect::<Option<_>>()?;
            if *args.get(input)? != Argument::Value(Shape::SCALAR) {
                return None;
            }
            let library = &self.runtime.library;
            let site = Site::new(library, &hint.function, &shapes, results).ok()?;
            let ranges = places.iter().map(|place| {
                let k = (*place)?;
                Some(start(k)..start(k + 1))
            });
            let site = site.pure.then_some(site)?;
            let kinds = (shapes, results.to_vec());
            Some(Inverse {
                solves: start(input),
                bound: self.bind(&hint.function, site, kinds, Vec::new()),
                args: ranges.collect(),
            })
        });
        found.collect()
    }
}

impl Bound {
    fn evaluate(
        &self,
        wanted: Wanted<'_>,
        args: &[f64],
        out: &mut Vec<f64>,
    ) -> Result<(), Box<CallError>> {
        let profiling = self.profiling.load(Ordering::Relaxed);
        self.cost.of(profiling, || {
            self.runtime.evaluate(&self.site, wanted, args, out)
        })
    }

    /// Calls an impure function, unless it was called with these arguments at this instant.
    fn once(&self, args: &[f64], out: &mut Vec<f64>) -> Result<(), Box<CallError>> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.instant.load(Ordering::Relaxed);
        if once.instant == Some(now) && once.args == args {
            out.clone_from(&once.out);
            return Ok(());
        }
        let wanted = Wanted {
            order: 0,
            times: 0,
            by: &[],
        };
        self.evaluate(wanted, args, out)?;
        once.instant = Some(now);
        once.args = args.to_vec();
        once.out.clone_from(out);
        Ok(())
    }
}

/// Call sites by name and shapes.
pub(super) type Sites = FxHashMap<(Arc<str>, Vec<Argument>, Vec<Shape>), Arc<Bound>>;

/// A call in a program.
#[derive(Clone, Debug)]
struct ProgramCall {
    target: Target,
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
            target: call.target.clone(),
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

    /// What went wrong in a function does not matter.
    pub(super) fn forget_trouble(&self) {
        let calls = self.all.iter();
        calls.for_each(|call| drop(call.target.bound.runtime.take_error()));
    }

    /// All arguments.
    pub(super) fn args(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        self.all[call as usize].args.iter().copied()
    }

    /// Arguments that results can change with.
    pub(super) fn real_args(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let call = &self.all[call as usize];
        let site = &call.target.bound.site;
        let n = site.n_args().max(1);
        let args = call.args.iter().enumerate();
        args.filter(move |(at, _)| site.is_real_arg(at % n))
            .map(|(_, &arg)| arg)
    }
}

/// The last arguments and results of a call.
#[derive(Clone, Debug, Default)]
struct Kept {
    valid: bool,
    args: Vec<f64>,
    out: Vec<f64>,
    /// Derivatives of the results along the directions, results of one direction after the other.
    lanes: Vec<f64>,
    /// Arguments that moved so far.
    moving: Vec<u16>,
}

/// Calls of a program that runs.
#[derive(Debug, Default)]
pub struct CallWork {
    id: u64,
    kept: Vec<Kept>,
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
        let guard = call.guard.map(|guard| registers[guard as usize]);
        if guard == Some(0.0) {
            return;
        }
        let target = &call.target;
        let same = kept.valid && target.bound.site.pure && kept.args.len() == call.args.len();
        let changed =
            |(&arg, old): (&u32, &f64)| registers[arg as usize].to_bits() != old.to_bits();
        if same && !call.args.iter().zip(&kept.args).any(changed) {
            return;
        }
        kept.args.clear();
        kept.args
            .extend(call.args.iter().map(|&arg| registers[arg as usize]));
        let result = match target.bound.site.pure {
            true => target.evaluate(&kept.args, &mut kept.out),
            false => target.bound.once(&kept.args, &mut kept.out),
        };
        kept.valid = result.is_ok();
        if let Err(error) = result {
            kept.out.fill(f64::NAN);
            self.failed = true;
            target.bound.runtime.record(*error);
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
        let n = call.target.n_results();
        kept.lanes.clear();
        kept.lanes.resize(n * LANES, 0.0);
        let site = &call.target.bound.site;
        let n_args = site.n_args().max(1);
        for (at, &arg) in call.args.iter().enumerate() {
            let moves = tangents[arg as usize] != [0.0; LANES] && site.is_real_arg(at % n_args);
            if moves && !kept.moving.contains(&(at as u16)) {
                kept.moving.push(at as u16);
            }
        }
        let args: Vec<f64> = call
            .args
            .iter()
            .map(|&arg| registers[arg as usize])
            .collect();
        let dots = |at: u16| tangents[call.args[usize::from(at)] as usize];
        if kept.moving.is_empty() || !site.pure {
            return;
        }
        if let Err(error) = call
            .target
            .lanes(&args, &kept.moving, &dots, &mut kept.lanes)
        {
            kept.lanes.fill(f64::NAN);
            call.target.bound.runtime.record(*error);
        }
    }

    pub(super) fn result_tangent(&self, call: u32, index: u32) -> Lanes {
        let lanes = &self.kept[call as usize].lanes;
        let n = lanes.len() / LANES;
        std::array::from_fn(|lane| {
            let at = lane * n + index as usize;
            lanes.get(at).copied().unwrap_or(f64::NAN)
        })
    }
}

impl Target {
    /// Derivatives of all results along directions, by partial derivatives: `dots` tells how an argument of `moving`
    /// moves. `out` holds zeros.
    fn lanes(
        &self,
        args: &[f64],
        moving: &[u16],
        dots: &dyn Fn(u16) -> Lanes,
        out: &mut [f64],
    ) -> Result<(), Box<CallError>> {
        let (values, n) = (self.n_values(), self.n_results());
        let mut add = |slopes: &[f64], at: u16, first: usize| {
            for (lane, &dot) in dots(at).iter().enumerate().filter(|(_, dot)| **dot != 0.0) {
                let row = &mut out[lane * n + first..lane * n + first + slopes.len()];
                for (sum, slope) in row.iter_mut().zip(slopes) {
                    *sum += slope * dot;
                }
            }
        };
        let mut results = Vec::new();
        let partial = Self {
            by: moving.into(),
            ..self.clone()
        };
        partial.evaluate(args, &mut results)?;
        for (&at, slopes) in moving.iter().zip(results[values..].chunks(values)) {
            add(slopes, at, 0);
        }
        // Partial derivatives move as well: each is a direction of its own.
        for (k, &by) in self.by.iter().enumerate() {
            let mut along = args.to_vec();
            along.resize(2 * args.len(), 0.0);
            along[args.len() + usize::from(by)] = 1.0;
            let second = Self {
                order: self.order + 1,
                ..partial.clone()
            };
            second.evaluate(&along, &mut results)?;
            let groups = results[2 * values..].chunks(2 * values);
            for (&at, group) in moving.iter().zip(groups) {
                add(&group[values..], at, (k + 1) * values);
            }
        }
        Ok(())
    }
}
