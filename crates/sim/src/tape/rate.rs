//! Derivatives by time that an annotation gives and the text of the function does not (`noDerivative`).
//!
//! Such an annotation says that some arguments belong together, as a position that comes with its speed and its
//! acceleration: the derivative by time is a call of another function, which is given the same arguments and takes the
//! speed. It says nothing about derivatives by the arguments one by one, which follow from the text. So the value of a
//! call is what the text says, under a name of its own that remembers the call; [`super::Derivatives`] looks there.

use super::call::CallArg;
use super::{Functions, Graph, Op, Reg};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_code::Shape;
use modeshift_flat::hints;
use modeshift_flat::model::{Function, FunctionVariable};
use modeshift_inst::tree::DerivativeHint;
use modeshift_inst::ty::{Causality, Type};
use std::sync::Arc;

/// Derivatives of derivatives that are followed.
const MAX_ORDER: u32 = 8;

/// What is known of a function as a derivative of another one: its order, and the inputs that are derivatives of that order.
#[derive(Clone, Debug, Default)]
pub struct Order {
    order: u32,
    last: Vec<usize>,
}

/// The call that a value comes from.
#[derive(Debug)]
struct Call {
    function: Arc<str>,
    /// The order of the derivative that it is, and the arguments that are derivatives of that order.
    order: Order,
    args: Vec<CallArg>,
    shapes: Vec<Shape>,
    /// How often it can be differentiated this way.
    chain: u32,
    /// Arguments whose derivatives the next function is given.
    given: Vec<usize>,
}

/// A value whose derivative by time another function gives.
#[derive(Clone, Debug)]
pub struct Rate {
    call: Arc<Call>,
    result: usize,
}

pub type Rates = FxHashMap<Reg, Rate>;

impl Rate {
    /// All arguments.
    pub fn regs(&self) -> Vec<Reg> {
        let mut regs = Vec::new();
        self.call.args.iter().for_each(|arg| arg.regs(&mut regs));
        regs
    }
}

/// A slot that a value reads, and how much lower than that of the value the order is at which its derivatives read it.
pub struct Read {
    pub slot: u32,
    pub less: u32,
}

impl Graph {
    pub(super) fn rate(&self, node: Reg) -> Option<&Rate> {
        match self.rates.is_empty() {
            true => None,
            false => self.rates.get(&node),
        }
    }

    pub fn has_rates(&self) -> bool {
        !self.rates.is_empty()
    }

    fn rate_by(&mut self, value: Reg, rate: Rate) -> Reg {
        let named = self.copy(value);
        self.rates.insert(named, rate);
        named
    }

    /// The node of another graph with what is remembered of it; `of` says what its operands and arguments are here.
    pub(super) fn copy_rate(&self, node: Reg, to: &mut Self, of: &dyn Fn(Reg) -> Reg) -> Reg {
        let (Op::Copy(value, _), Some(rate)) = (self.op(node), self.rate(node)) else {
            return of(node);
        };
        let value = of(value);
        if to.value(value).is_some() && rate.regs().iter().all(|&r| to.value(of(r)).is_some()) {
            return value;
        }
        let call = &rate.call;
        let call = Call {
            function: call.function.clone(),
            order: call.order.clone(),
            args: call.args.iter().map(|arg| arg.map(of)).collect(),
            shapes: call.shapes.clone(),
            chain: call.chain,
            given: call.given.clone(),
        };
        let result = rate.result;
        let call = Arc::new(call);
        to.rate_by(value, Rate { call, result })
    }

    /// The slots that a node and its derivatives by time read. Linear in the nodes below it, times the nested values
    /// with rates.
    pub fn reads(&self, reg: Reg) -> Vec<Read> {
        let mut seen = FxHashSet::default();
        let mut slots = FxHashSet::default();
        let mut open = vec![reg];
        let mut rated: Vec<(Reg, u32)> = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            if let Op::Input(slot) = self.op(node) {
                slots.insert(slot);
                continue;
            }
            match (self.rate(node), self.op(node)) {
                (Some(rate), Op::Copy(value, _)) => {
                    rated.push((value, rate.call.chain));
                    for &k in &rate.call.given {
                        rate.call.args[k].regs(&mut open);
                    }
                }
                (_, op) => open.extend(op.operands().into_iter().flatten()),
            }
        }
        let mut less: FxHashMap<u32, u32> = FxHashMap::default();
        for (value, chain) in rated {
            for slot in self.slots_of(value) {
                if !slots.contains(&slot) {
                    let least = less.entry(slot).or_insert(chain);
                    *least = chain.min(*least);
                }
            }
        }
        let plain = slots.into_iter().map(|slot| Read { slot, less: 0 });
        let less = less.into_iter().map(|(slot, less)| Read { slot, less });
        let mut all: Vec<Read> = plain.chain(less).collect();
        all.sort_unstable_by_key(|read| read.slot);
        all
    }
}

impl CallArg {
    fn map(&self, of: &dyn Fn(Reg) -> Reg) -> Self {
        match self {
            Self::Value(shape, regs) => {
                Self::Value(shape.clone(), regs.iter().map(|&reg| of(reg)).collect())
            }
            Self::Function(name, given) => {
                let given = given.iter().map(|(input, arg)| (*input, arg.map(of)));
                Self::Function(name.clone(), given.collect())
            }
        }
    }
}

fn inputs(function: &Function) -> Vec<&FunctionVariable> {
    let locals = function.locals.iter();
    locals
        .filter(|local| local.causality == Some(Causality::Input))
        .collect()
}

fn is_real(local: &FunctionVariable) -> bool {
    *local.ty.element() == Type::Real
}

/// What the function that an annotation names is.
fn after(function: &Function, hint: &DerivativeHint, given: &[usize]) -> Order {
    let n = inputs(function).len();
    Order {
        order: hint.order,
        last: (n..n + given.len()).collect(),
    }
}

/// The next function, and the arguments whose derivatives it is given.
type Next<'f> = (&'f DerivativeHint, Vec<usize>);

impl Functions {
    /// The annotations that give the derivative of a call; those that continue a chain first.
    fn next<'f>(&'f self, function: &'f Function, order: &Order) -> Vec<Next<'f>> {
        let inputs = inputs(function);
        let reals: Vec<usize> = (0..inputs.len()).filter(|&k| is_real(inputs[k])).collect();
        let fits = |hint: &'f DerivativeHint| {
            let target = self.function(&hint.function)?;
            let moving = match hint.order {
                1 if hints::derivative(function, hint, target).is_ok() => &reals[..],
                n if n == order.order + 1 && n > 1 => &order.last,
                _ => return None,
            };
            let left_out = |k: usize| {
                let name = inputs[k].name;
                hint.zero.contains(&name) || hint.no.contains(&name)
            };
            let given: Vec<usize> = moving.iter().copied().filter(|&k| !left_out(k)).collect();
            // Records would be given without what is no Real.
            let known = given.iter().all(|&k| is_real(inputs[k]));
            let own = self::inputs(target);
            (known && own.len() == inputs.len() + given.len()).then_some((hint, given))
        };
        let hints = || function.hints.derivatives.iter();
        let higher = hints().filter(|hint| hint.order > 1);
        let first = hints().filter(|hint| hint.order == 1);
        higher.chain(first).filter_map(fits).collect()
    }

    /// How often a call can be differentiated by annotations.
    fn chain(&self, function: &Function, order: &Order, depth: u32) -> u32 {
        if depth >= MAX_ORDER || !hints::leaves_out_reals(function) {
            return 0;
        }
        let Some((hint, given)) = self.next(function, order).into_iter().next() else {
            return 0;
        };
        let Some(target) = self.function(&hint.function) else {
            return 0;
        };
        1 + self.chain(target, &after(function, hint, &given), depth + 1)
    }

    /// What a call gave, which remembers the call if an annotation says something about its derivative by time that its
    /// text does not.
    pub(super) fn rated(
        &self,
        graph: &mut Graph,
        name: &str,
        order: Order,
        args: &[CallArg],
        shapes: &[Shape],
        regs: Vec<Reg>,
    ) -> Vec<Reg> {
        let Some(function) = self.function(name) else {
            return regs;
        };
        if !hints::leaves_out_reals(function) || args.len() != inputs(function).len() {
            return regs;
        }
        let outputs = function.locals.iter();
        let mut outputs = outputs.filter(|local| local.causality == Some(Causality::Output));
        if !outputs.all(is_real) {
            return regs;
        }
        let mut all = Vec::new();
        args.iter().for_each(|arg| arg.regs(&mut all));
        if all.iter().all(|&reg| graph.value(reg).is_some()) {
            return regs;
        }
        let chain = self.chain(function, &order, 0);
        let Some((_, given)) = self.next(function, &order).into_iter().next() else {
            return regs;
        };
        let call = Arc::new(Call {
            function: name.into(),
            order,
            args: args.to_vec(),
            shapes: shapes.to_vec(),
            chain,
            given,
        });
        let named = regs.into_iter().enumerate().map(|(result, value)| {
            let call = call.clone();
            graph.rate_by(value, Rate { call, result })
        });
        named.collect()
    }

    /// The derivative by time of a value that remembers its call; nothing if no annotation applies.
    pub(super) fn rate(
        &self,
        graph: &mut Graph,
        node: Reg,
        dot: &dyn Fn(Reg) -> Option<Reg>,
    ) -> Option<Option<Reg>> {
        let Rate { call, result } = graph.rate(node)?.clone();
        let mut all = Vec::new();
        call.args.iter().for_each(|arg| arg.regs(&mut all));
        if !all.iter().any(|&reg| dot(reg).is_some()) {
            return Some(None);
        }
        let function = self.function(&call.function)?;
        let names = inputs(function);
        let moves = |k: usize| {
            let mut regs = Vec::new();
            call.args[k].regs(&mut regs);
            regs.iter().any(|&reg| dot(reg).is_some())
        };
        for (hint, given) in self.next(function, &call.order) {
            let still = |k: &usize| hint.zero.contains(&names[*k].name);
            if (0..names.len()).filter(still).any(moves) {
                continue;
            }
            let zero = graph.constant(0.0);
            let mut args = call.args.clone();
            for &k in &given {
                if let CallArg::Value(shape, regs) = &call.args[k] {
                    let dots = regs.iter().map(|&reg| dot(reg).unwrap_or(zero));
                    args.push(CallArg::Value(shape.clone(), dots.collect()));
                }
            }
            let Ok(regs) = self.plain_site(graph, &hint.function, &args, &call.shapes, None) else {
                continue;
            };
            let order = after(function, hint, &given);
            let regs = self.rated(graph, &hint.function, order, &args, &call.shapes, regs);
            let found = regs.get(result).copied()?;
            return Some((!graph.is_zero(found)).then_some(found));
        }
        None
    }
}
