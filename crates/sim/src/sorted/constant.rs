//! Variables that are constant by an equation `x = c` are that number everywhere else: what is multiplied by a
//! capacitance of zero does not occur, and what a constant switches off does not either.

use super::lower::{Class, HeldKind, Lowering, Scalar};
use super::slots::{Key, LAMBDA, TIME};
use crate::tape::{Copier, Derivatives, Graph, Op, Reg, Unary};
use modeshift_base::FxHashMap;

/// Chains of constants that are followed.
const MAX_ROUNDS: usize = 30;

impl Lowering<'_> {
    /// Linear in the graph, times the length of the longest chain.
    pub fn propagate_constants(&mut self) {
        let mut known: FxHashMap<u32, f64> = FxHashMap::default();
        for _ in 0..MAX_ROUNDS {
            let before = known.len();
            let equations = std::mem::take(&mut self.equations);
            for equation in &equations {
                if let Some((slot, value)) = self.constant_of(equation) {
                    known.entry(slot).or_insert(value);
                }
            }
            self.equations = equations;
            self.constant_parameters(&mut known);
            if known.len() == before {
                return;
            }
            self.rewrite(&known);
        }
    }

    /// Parameters that the initial equations determine, but which are numbers after all: by a binding, or by an
    /// equation `p = c`, as records of parameters have them.
    fn constant_parameters(&self, known: &mut FxHashMap<u32, f64>) {
        for equation in &self.initial {
            if let Some((slot, value)) = self.constant_of(equation)
                && let Some(Key::Var(v, _)) = self.slots.key(slot)
                && self.class_of(v) == Class::Free
            {
                known.entry(slot).or_insert(value);
            }
        }
        for &(v, binding) in &self.free {
            let value = binding.and_then(|reg| self.graph.value(reg));
            if let (Some(value), Some(slot)) = (value, self.slots.get(Key::Var(v, 0)))
                && value.is_finite()
            {
                known.entry(slot).or_insert(value);
            }
        }
    }

    /// The variable that an equation says is a number.
    fn constant_of(&self, equation: &Scalar) -> Option<(u32, f64)> {
        if equation.at_instants {
            return None;
        }
        let sides = [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)];
        sides.into_iter().find_map(|(x, value)| {
            let value = self.graph.value(value).filter(|v| v.is_finite())?;
            let (x, value) = match self.graph.op(x) {
                Op::Unary(Unary::Neg, inner) => (inner, -value),
                _ => (x, value),
            };
            match self.graph.op(x) {
                Op::Input(slot) if slot != TIME && slot != LAMBDA => {
                    matches!(self.slots.key(slot), Some(Key::Var(_, 0))).then_some((slot, value))
                }
                _ => None,
            }
        })
    }

    fn rewrite(&mut self, known: &FxHashMap<u32, f64>) {
        let mut graph = Graph::default();
        let mut copier = Copier::default();
        copier.keeps_rates = true;
        copier.settles = Some(self.functions.clone());
        for (slot, key) in self.slots.iter() {
            let Key::Var(v, order) = key else { continue };
            let value = self
                .slots
                .get(Key::Var(v, 0))
                .and_then(|first| known.get(&first));
            if let Some(&value) = value {
                let reg = graph.constant(if order == 0 { value } else { 0.0 });
                copier.set(slot, reg);
            }
        }
        let old = std::mem::take(&mut self.graph);
        // The equation that says so stays as it is.
        let mut said: FxHashMap<u32, bool> = FxHashMap::default();
        let constant = |equation: &Scalar| -> Option<(u32, f64)> {
            let sides = [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)];
            sides.into_iter().find_map(|(x, value)| {
                let value = old.value(value)?;
                let (x, value) = match old.op(x) {
                    Op::Unary(Unary::Neg, inner) => (inner, -value),
                    _ => (x, value),
                };
                match old.op(x) {
                    Op::Input(slot) if known.get(&slot) == Some(&value) => Some((slot, value)),
                    _ => None,
                }
            })
        };
        for equation in self.equations.iter_mut().chain(&mut self.initial) {
            let found = constant(equation).filter(|_| !equation.at_instants);
            if let Some((slot, value)) = found
                && !std::mem::replace(said.entry(slot).or_default(), true)
            {
                equation.lhs = graph.input(slot);
                equation.rhs = graph.constant(value);
                continue;
            }
            equation.lhs = copier.copy(&old, equation.lhs, &mut graph);
            equation.rhs = copier.copy(&old, equation.rhs, &mut graph);
        }
        let mut map = |reg: &mut Reg| *reg = copier.copy(&old, *reg, &mut graph);
        for held in &mut self.held {
            match &mut held.kind {
                HeldKind::Relation(_, a, b) => {
                    map(a);
                    map(b);
                }
                HeldKind::Round(_, a) => map(a),
            }
            map(&mut held.value);
            held.time_slope.iter_mut().for_each(&mut map);
        }
        for reinit in &mut self.reinits {
            map(&mut reinit.fires);
            map(&mut reinit.value);
        }
        for assertion in &mut self.assertions {
            map(&mut assertion.holds);
            assertion.text.iter_mut().for_each(&mut map);
        }
        for transport in &mut self.transports {
            transport.nodes.iter_mut().for_each(&mut map);
        }
        self.ends.iter_mut().for_each(|e| map(&mut e.fires));
        for effect in &mut self.effects {
            effect.call = copier.copy_effect(&old, effect.call, &mut graph);
        }
        let mut map = |reg: &mut Reg| *reg = copier.copy(&old, *reg, &mut graph);
        self.subscripts.iter_mut().for_each(|s| map(&mut s.index));
        for delay in &mut self.delays {
            map(&mut delay.node);
            map(&mut delay.time);
        }
        for sample in &mut self.samples {
            map(&mut sample.start);
            map(&mut sample.interval);
        }
        self.free
            .iter_mut()
            .filter_map(|(_, binding)| binding.as_mut())
            .for_each(&mut map);
        self.map_parameters(&mut map);
        map(&mut self.path);
        self.graph = graph;
        self.derivatives = Derivatives::default();
    }
}
