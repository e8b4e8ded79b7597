//! Parts of one graph written into another with other leaves, and derivatives by time.

use super::call::CallNode;
use super::{Functions, Graph, Op, Reg};
use modeshift_base::FxHashMap;

impl Graph {
    /// The slots that a node reads, each once, in no particular order. Linear in the nodes below it.
    pub fn slots_of(&self, reg: Reg) -> Vec<u32> {
        let mut seen = modeshift_base::FxHashSet::default();
        let mut open = vec![reg];
        let mut slots = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.op(node) {
                Op::Input(slot) => slots.push(slot),
                op => open.extend(op.operands().into_iter().flatten()),
            }
        }
        slots
    }

    /// Makes the node of an operation, folding what is constant.
    fn make(&mut self, op: Op, of: &impl Fn(Reg) -> Reg) -> Reg {
        match op {
            Op::Const(bits) => self.constant(f64::from_bits(bits)),
            Op::Input(slot) => self.input(slot),
            Op::Unary(op, a) => self.unary(op, of(a)),
            Op::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            Op::Power(a, n) => self.power(of(a), n),
            Op::Compare(op, a, b) => self.compare(op, of(a), of(b)),
            Op::Select(c, a, b) => self.select(of(c), of(a), of(b)),
            Op::Copy(a, _) => of(a),
            // Calls are copied with their results.
            Op::Join(a, ..) | Op::Call(_, a) | Op::Result(a, _) => of(a),
        }
    }
}

/// Copies nodes from one graph to another. Leaves that `leaves` knows by their slot become what it says.
#[derive(Clone, Debug, Default)]
pub struct Copier {
    memo: FxHashMap<Reg, Reg>,
    /// Results of calls, by the node of the call.
    calls: FxHashMap<Reg, Vec<Reg>>,
    pub leaves: FxHashMap<u32, Reg>,
    /// Derivatives by time will be asked for: what annotations say of them is kept.
    pub keeps_rates: bool,
    /// More is known than before, so results of these functions may be settled.
    pub settles: Option<Functions>,
}

impl Copier {
    pub fn with_leaves(leaves: FxHashMap<u32, Reg>) -> Self {
        Self {
            leaves,
            ..Self::default()
        }
    }

    /// Linear in the nodes below `reg` that were not copied before.
    pub fn copy(&mut self, from: &Graph, reg: Reg, to: &mut Graph) -> Reg {
        let mut open = vec![reg];
        while let Some(&node) = open.last() {
            if self.memo.contains_key(&node) {
                open.pop();
                continue;
            }
            let op = from.op(node);
            if let Op::Input(slot) = op
                && let Some(&leaf) = self.leaves.get(&slot)
            {
                self.memo.insert(node, leaf);
                open.pop();
                continue;
            }
            if let Op::Result(call, index) = op {
                if let Some(copied) = self.result(from, call, index, to, &mut open) {
                    self.memo.insert(node, copied);
                    open.pop();
                }
                continue;
            }
            if self.keeps_rates
                && let Some(rate) = from.rate(node)
            {
                let mut missing = rate.regs();
                missing.extend(op.operands().into_iter().flatten());
                missing.retain(|r| !self.memo.contains_key(r));
                if missing.is_empty() {
                    let of = |r: Reg| self.memo.get(&r).copied().unwrap_or(0);
                    let copied = from.copy_rate(node, to, &of);
                    self.memo.insert(node, copied);
                    open.pop();
                } else {
                    open.extend(missing);
                }
                continue;
            }
            let before = open.len();
            // A decided condition hides what the other branch reads.
            if let Op::Select(c, a, b) = op {
                match self.memo.get(&c) {
                    None => open.push(c),
                    Some(&condition) => match to.value(condition) {
                        Some(value) => {
                            let chosen = if value != 0.0 { a } else { b };
                            match self.memo.get(&chosen) {
                                None => open.push(chosen),
                                Some(&copied) => {
                                    self.memo.insert(node, copied);
                                    open.pop();
                                    continue;
                                }
                            }
                        }
                        None => {
                            let missing = [a, b].into_iter();
                            open.extend(missing.filter(|r| !self.memo.contains_key(r)));
                        }
                    },
                }
            } else {
                let operands = op.operands().into_iter().flatten();
                open.extend(operands.filter(|r| !self.memo.contains_key(r)));
            }
            if open.len() == before {
                let memo = &self.memo;
                let copied = to.make(op, &|r| memo.get(&r).copied().unwrap_or(0));
                self.memo.insert(node, copied);
                open.pop();
            }
        }
        self.memo.get(&reg).copied().unwrap_or(0)
    }

    /// A result of a call; nothing while arguments are missing, which are then opened.
    fn result(
        &mut self,
        from: &Graph,
        call: Reg,
        index: u32,
        to: &mut Graph,
        open: &mut Vec<Reg>,
    ) -> Option<Reg> {
        if let Some(results) = self.calls.get(&call) {
            return results.get(index as usize).copied();
        }
        let Op::Call(number, _) = from.op(call) else {
            return Some(to.constant(f64::NAN));
        };
        let node = from.call_at(number);
        let (args, guard) = self.arguments(node, open)?;
        let mut results = to.call(&node.target, args.clone(), guard);
        if let Some(functions) = &self.settles {
            node.target.settle(functions, to, &args, &mut results);
        }
        let result = results.get(index as usize).copied();
        self.calls.insert(call, results);
        result.or_else(|| Some(to.constant(f64::NAN)))
    }

    /// The arguments of a call and its guard; nothing while some are missing, which are then opened.
    fn arguments(&self, node: &CallNode, open: &mut Vec<Reg>) -> Option<(Vec<Reg>, Option<Reg>)> {
        let all = || node.args.iter().chain(&node.guard);
        let before = open.len();
        open.extend(all().filter(|r| !self.memo.contains_key(r)));
        if open.len() > before {
            return None;
        }
        let of = |r: &Reg| self.memo.get(r).copied();
        Some((
            node.args.iter().filter_map(of).collect(),
            node.guard.as_ref().and_then(of),
        ))
    }

    /// A call that is made for what it does.
    pub fn copy_effect(&mut self, from: &Graph, call: Reg, to: &mut Graph) -> Reg {
        let Op::Call(number, _) = from.op(call) else {
            return to.constant(0.0);
        };
        let node = from.call_at(number);
        for &reg in node.args.iter().chain(&node.guard) {
            self.copy(from, reg, to);
        }
        match self.arguments(node, &mut Vec::new()) {
            Some((args, Some(guard))) => to.effect(&node.target, args, guard),
            _ => to.constant(0.0),
        }
    }

    /// A node of the source becomes `by`, whatever it computes.
    pub fn replace(&mut self, node: Reg, by: Reg) {
        self.memo.insert(node, by);
    }

    /// From now on a leaf means something else; what was copied before and does not read it stays.
    pub fn set(&mut self, slot: u32, reg: Reg) {
        self.leaves.insert(slot, reg);
    }
}

/// Derivatives of nodes by time, each made once.
#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    /// `None` for zero.
    memo: FxHashMap<Reg, Option<Reg>>,
}

impl Derivatives {
    /// The derivative of a node; `leaf` gives those of slots, `None` where they are zero. Linear in the nodes below
    /// `reg` that are new.
    pub fn of(
        &mut self,
        functions: &Functions,
        graph: &mut Graph,
        reg: Reg,
        leaf: &mut dyn FnMut(&mut Graph, u32) -> Option<Reg>,
    ) -> Option<Reg> {
        let mut open = vec![reg];
        while let Some(&node) = open.last() {
            if self.memo.contains_key(&node) {
                open.pop();
                continue;
            }
            let op = graph.op(node);
            let before = open.len();
            if !matches!(op, Op::Input(_) | Op::Const(_)) {
                let operands = op.operands().into_iter().flatten();
                open.extend(operands.filter(|r| !self.memo.contains_key(r)));
            }
            if let Some(rate) = graph.rate(node) {
                let args = rate.regs().into_iter();
                open.extend(args.filter(|r| !self.memo.contains_key(r)));
            }
            if open.len() > before {
                continue;
            }
            let dot = match op {
                Op::Const(_) => None,
                Op::Input(slot) => leaf(graph, slot),
                _ => {
                    let memo = &self.memo;
                    let of = |r| memo.get(&r).copied().flatten();
                    let rate = functions.rate(graph, node, &of);
                    rate.unwrap_or_else(|| graph.dot(node, true, &of))
                }
            };
            self.memo.insert(node, dot);
            open.pop();
        }
        self.memo.get(&reg).copied().flatten()
    }
}
