//! Initial values: a system of its own.
//!
//! Unknown are all variables with their derivatives, the left limits of discrete variables and free parameters. The
//! equations of the model with their derivatives, the initial equations and fixed start values come first; then the
//! start values of discrete variables, which are their left limits; then those of states, until the system is square.
//! What is left over must hold.

use super::lower::{Class, Lowering};
use super::order::{Kind, Pair, Rule, Step, order};
use super::slots::Key;
use super::system::{CONDITIONS, Sorted, fixed_initial, isolated};
use crate::tape::{Graph, Op, Program, Reg};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::Origin;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::{VarId, VarRef};
use std::sync::Arc;

/// The start value of an unknown.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub value: Reg,
    /// Whether the model gives one.
    pub given: bool,
    pub fixed: bool,
}

/// An equation of the initial system.
struct Row {
    /// Unknowns that it may determine, and how.
    candidates: Vec<(u32, Rule)>,
    lhs: Reg,
    rhs: Reg,
    origin: Option<Arc<Origin>>,
}

/// How the initial values are computed.
pub struct Initial {
    pub steps: Vec<Step>,
    /// Guesses by slot.
    pub guesses: Vec<(u32, f64)>,
    /// Conditions, evaluated once with the guesses.
    pub seeds: Program,
    pub seed_slots: Vec<u32>,
    /// Differences of equations that are left over, and what they are.
    pub checks: Program,
    pub check_origins: Vec<Option<Arc<Origin>>>,
    /// Unknowns that took their start value although it is not fixed.
    pub chosen: Vec<VarRef>,
}

/// The start values of all unknowns: a fixed one among the aliases counts most, then one that is given, and among
/// those the one nearest to the top of the model.
pub fn starts(lowering: &mut Lowering<'_>) -> FxHashMap<u32, Start> {
    let mut best: FxHashMap<u32, (Start, (bool, bool, usize))> = FxHashMap::default();
    for v in 0..lowering.class.len() as u32 {
        if !matches!(
            lowering.class_of(v),
            Class::Continuous | Class::Discrete | Class::Free | Class::Input
        ) {
            continue;
        }
        let Ok((value, given)) = lowering.start(v) else {
            continue;
        };
        let fixed = lowering.attribute(v, "fixed") == Some(1.0);
        let (unknown, negative) = lowering.aliases.of(v);
        if unknown != v && lowering.class_of(v) == Class::Discrete {
            // It speaks of the left limit of `v` alone, which does not count.
            continue;
        }
        let value = if negative {
            lowering.graph.neg(value)
        } else {
            value
        };
        let depth = lowering.variable(v).name.matches('.').count();
        let rank = (!fixed, !given, depth);
        let start = Start {
            value,
            given,
            fixed,
        };
        match best.get(&unknown) {
            Some((_, known)) if *known <= rank => {}
            _ => {
                best.insert(unknown, (start, rank));
            }
        }
    }
    best.into_iter().map(|(v, (start, _))| (v, start)).collect()
}

struct Builder<'s> {
    graph: Graph,
    rows: Vec<Row>,
    /// Slots of unknowns that may stand in loops of numbers.
    real: FxHashSet<u32>,
    unknowns: Vec<u32>,
    places: FxHashMap<u32, usize>,
    sorted: &'s Sorted,
}

impl Initial {
    pub fn new(lowering: &mut Lowering<'_>, sorted: &Sorted) -> Self {
        let starts = starts(lowering);
        let mut graph = Graph::default();
        let mut copier = fixed_initial(1.0, &mut graph);
        let mut builder = Builder {
            graph,
            rows: Vec::new(),
            real: FxHashSet::default(),
            unknowns: Vec::new(),
            places: FxHashMap::default(),
            sorted,
        };
        builder.find_unknowns(lowering);
        // Equations with their derivatives.
        for (list, origin) in sorted.raw_derivatives.iter().zip(&sorted.origins) {
            for &reg in list {
                let reg = copier.copy(&lowering.graph, reg, &mut builder.graph);
                let zero = builder.graph.constant(0.0);
                builder.real_row(reg, zero, Some(origin.clone()));
            }
        }
        let model = lowering.equations.iter().filter(|e| !e.real);
        for equation in model.chain(&lowering.initial) {
            let lhs = copier.copy(&lowering.graph, equation.lhs, &mut builder.graph);
            let rhs = copier.copy(&lowering.graph, equation.rhs, &mut builder.graph);
            builder.row(lhs, rhs, equation.real, &equation.origin);
        }
        for &(v, binding) in &lowering.free {
            if let (Some(binding), Some(slot)) = (binding, lowering.slots.get(Key::Var(v, 0))) {
                let lhs = builder.graph.input(slot);
                let rhs = copier.copy(&lowering.graph, binding, &mut builder.graph);
                let real = matches!(lowering.variable(v).ty, Type::Real);
                builder.row(lhs, rhs, real, &lowering.variable(v).origin);
            }
        }
        for delay in &lowering.delays {
            let lhs = builder.graph.input(delay.slot);
            let rhs = copier.copy(&lowering.graph, delay.node, &mut builder.graph);
            let residual = builder.graph.sub(lhs, rhs);
            let candidates = vec![(delay.slot, Rule::Residual(residual))];
            builder.rows.push(Row {
                candidates,
                lhs,
                rhs,
                origin: None,
            });
        }
        let hard = builder.rows.len();
        let mut matching = Kuhn::new(builder.unknowns.len());
        for row in 0..hard {
            matching.augment(&builder, row);
        }
        // Fixed start values.
        let mut order_of: Vec<(u32, Key)> = lowering.slots.iter().collect();
        order_of.sort_by_key(|(_, key)| match key {
            Key::Var(v, order) => (*order, *v),
            Key::Pre(v) => (0, *v),
            _ => (u32::MAX, 0),
        });
        let mut soft = |source: &Graph,
                        builder: &mut Builder<'_>,
                        matching: &mut Kuhn,
                        slot: u32,
                        value: Reg|
         -> bool {
            let lhs = builder.graph.input(slot);
            let rhs = copier.copy(source, value, &mut builder.graph);
            let residual = builder.graph.sub(lhs, rhs);
            let rule = if builder.real.contains(&slot) {
                Rule::Residual(residual)
            } else {
                Rule::Value(rhs)
            };
            let row = builder.rows.len();
            builder.rows.push(Row {
                candidates: vec![(slot, rule)],
                lhs,
                rhs,
                origin: None,
            });
            matching.augment(builder, row)
        };
        let start_of = |v: u32| starts.get(&v).copied();
        let mut fixed_rows = Vec::new();
        for &(slot, key) in &order_of {
            let Key::Var(v, 0) = key else { continue };
            let Some(start) = start_of(v).filter(|start| start.fixed) else {
                continue;
            };
            let slot = match class(lowering, v) {
                Class::Continuous => slot,
                Class::Discrete => match lowering.slots.get(Key::Pre(v)) {
                    Some(slot) => slot,
                    None => continue,
                },
                _ => continue,
            };
            let row = builder.rows.len();
            if !soft(
                &lowering.graph,
                &mut builder,
                &mut matching,
                slot,
                start.value,
            ) {
                fixed_rows.push((row, v));
            }
        }
        // Left limits of discrete variables are their start values.
        let zero = lowering.graph.constant(0.0);
        for &(slot, key) in &order_of {
            let Key::Pre(v) = key else { continue };
            let now = lowering.slots.get(Key::Var(v, 0));
            let value = match (class(lowering, v), now) {
                (Class::Continuous | Class::Input, Some(now)) => lowering.graph.input(now),
                _ => start_of(v).map_or(zero, |start| start.value),
            };
            soft(&lowering.graph, &mut builder, &mut matching, slot, value);
        }
        // Start values of states.
        let mut chosen = Vec::new();
        let mut states: Vec<(u32, u32, u32)> = Vec::new();
        for &(slot, key) in &order_of {
            if let Key::Var(v, order) = key
                && sorted.d.get(&v).is_some_and(|&d| order < d)
            {
                states.push((slot, v, order));
            }
        }
        states.sort_by_key(|&(_, v, order)| {
            let given = start_of(v).is_some_and(|start| start.given);
            let weight = (sorted.weight_of(v) * 1e6) as u64;
            (order, weight, !given, v)
        });
        for (slot, v, order) in states {
            let value = if order == 0 {
                start_of(v).map_or(zero, |s| s.value)
            } else {
                zero
            };
            if soft(&lowering.graph, &mut builder, &mut matching, slot, value) {
                chosen.push(VarRef::now(VarId(v), order));
            }
        }
        // Whatever is left.
        for &(slot, key) in &order_of {
            if let Some(&place) = builder.places.get(&slot)
                && matching.row_of[place].is_none()
            {
                let value = match key {
                    Key::Var(v, 0) => start_of(v).map_or(zero, |s| s.value),
                    _ => zero,
                };
                soft(&lowering.graph, &mut builder, &mut matching, slot, value);
                if let Key::Var(v, order) = key {
                    chosen.push(VarRef::now(VarId(v), order));
                }
            }
        }
        let mut guesses = Vec::new();
        for (slot, key) in lowering.slots.iter() {
            let v = match key {
                Key::Var(v, 0) | Key::Pre(v) => v,
                _ => continue,
            };
            let value = start_of(v).and_then(|start| lowering.graph.value(start.value));
            guesses.push((slot, value.filter(|v| v.is_finite()).unwrap_or(0.0)));
        }
        let mut pairs = builder.pairs(&matching);
        let held: Vec<_> = lowering
            .held
            .iter()
            .map(|held| held.copied(&lowering.graph, &mut copier, &mut builder.graph))
            .collect();
        for (i, held) in held.iter().enumerate() {
            pairs.push(Pair {
                slot: held.slot,
                name: VarRef::now(VarId(CONDITIONS + i as u32), 0),
                rule: Rule::Value(held.value),
                kind: Kind::Held,
            });
        }
        // Equations without an unknown of their own must hold.
        let matched: FxHashSet<usize> = matching.row_of.iter().flatten().copied().collect();
        let fixed: FxHashMap<usize, u32> = fixed_rows.into_iter().collect();
        let mut checks = Vec::new();
        let mut check_origins = Vec::new();
        for row in 0..builder.rows.len() {
            if matched.contains(&row) || (row >= hard && !fixed.contains_key(&row)) {
                continue;
            }
            let (lhs, rhs) = (builder.rows[row].lhs, builder.rows[row].rhs);
            let residual = builder.graph.sub(lhs, rhs);
            if builder.graph.value(residual) == Some(0.0) {
                continue;
            }
            checks.extend([residual, lhs]);
            let of_start = fixed
                .get(&row)
                .map(|&v| lowering.variable(v).origin.clone());
            check_origins.push(builder.rows[row].origin.clone().or(of_start));
        }
        let seeds: Vec<Reg> = held.iter().map(|held| held.value).collect();
        Self {
            steps: order(&builder.graph, &pairs),
            guesses,
            seeds: Program::new(&builder.graph, &seeds),
            seed_slots: held.iter().map(|held| held.slot).collect(),
            checks: Program::new(&builder.graph, &checks),
            check_origins,
            chosen,
        }
    }
}

fn class(lowering: &Lowering<'_>, v: u32) -> Class {
    lowering.class_of(v)
}

impl Builder<'_> {
    fn find_unknowns(&mut self, lowering: &Lowering<'_>) {
        let auxiliary = lowering.class.len() as u32;
        for (slot, key) in lowering.slots.iter() {
            let (v, unknown) = match key {
                Key::Var(v, order) => {
                    let unknown = match class(lowering, v) {
                        Class::Continuous => self.sorted.d.get(&v).is_some_and(|&d| order <= d),
                        Class::Discrete | Class::Free => order == 0,
                        _ => false,
                    };
                    (v, unknown)
                }
                Key::Pre(v) => (v, true),
                Key::Delay(_) => {
                    self.add(slot, true);
                    continue;
                }
                Key::Held(_) | Key::Sample(_) => continue,
            };
            if unknown {
                let real = v < auxiliary && matches!(lowering.variable(v).ty, Type::Real);
                self.add(slot, real);
            }
        }
    }

    fn add(&mut self, slot: u32, real: bool) {
        self.places.insert(slot, self.unknowns.len());
        self.unknowns.push(slot);
        if real {
            self.real.insert(slot);
        }
    }

    fn row(&mut self, lhs: Reg, rhs: Reg, real: bool, origin: &Arc<Origin>) {
        if lhs == rhs {
            return;
        }
        let is_real = |this: &Self, reg: Reg| match this.graph.op(reg) {
            Op::Input(slot) => this.real.contains(&slot),
            _ => false,
        };
        if real || is_real(self, lhs) || is_real(self, rhs) {
            return self.real_row(lhs, rhs, Some(origin.clone()));
        }
        let candidates = isolated(&mut self.graph, lhs, rhs);
        let candidates = candidates
            .into_iter()
            .filter(|(slot, _)| self.places.contains_key(slot))
            .map(|(slot, value)| (slot, Rule::Value(value)))
            .collect();
        let origin = Some(origin.clone());
        self.rows.push(Row {
            candidates,
            lhs,
            rhs,
            origin,
        });
    }

    fn real_row(&mut self, lhs: Reg, rhs: Reg, origin: Option<Arc<Origin>>) {
        let residual = self.graph.sub(lhs, rhs);
        if self.graph.value(residual) == Some(0.0) {
            return;
        }
        let mut slots = self.graph.slots_of(residual);
        slots.retain(|slot| self.real.contains(slot));
        slots.sort_unstable();
        let candidates = slots
            .into_iter()
            .map(|slot| (slot, Rule::Residual(residual)))
            .collect();
        self.rows.push(Row {
            candidates,
            lhs,
            rhs,
            origin,
        });
    }

    fn pairs(&self, matching: &Kuhn) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (place, row) in matching.row_of.iter().enumerate() {
            let Some(row) = *row else { continue };
            let slot = self.unknowns[place];
            let Some((_, rule)) = self.rows[row].candidates.iter().find(|(s, _)| *s == slot) else {
                continue;
            };
            let name = match self.sorted.slots.key(slot) {
                Some(Key::Var(v, order)) => VarRef::now(VarId(v), order),
                Some(Key::Pre(v)) => VarRef::now(VarId(v), 0),
                _ => VarRef::now(VarId(CONDITIONS), 0),
            };
            let kind = if self.real.contains(&slot) {
                Kind::Continuous
            } else {
                Kind::Discrete
            };
            pairs.push(Pair {
                slot,
                name,
                rule: *rule,
                kind,
            });
        }
        pairs
    }
}

/// A matching that grows row by row, so that earlier rows keep their place.
struct Kuhn {
    row_of: Vec<Option<usize>>,
    seen: Vec<u32>,
    round: u32,
}

impl Kuhn {
    fn new(unknowns: usize) -> Self {
        Self {
            row_of: vec![None; unknowns],
            seen: vec![0; unknowns],
            round: 0,
        }
    }

    /// Finds an unknown for a row, moving other rows if need be. Linear in the entries.
    fn augment(&mut self, builder: &Builder<'_>, row: usize) -> bool {
        self.round += 1;
        // A path of rows, each with the position in its candidates.
        let mut path: Vec<(usize, usize, usize)> = vec![(row, 0, usize::MAX)];
        // Free unknowns first: most rows need no search.
        while let Some(&mut (row, ref mut next, _)) = path.last_mut() {
            let candidates = &builder.rows[row].candidates;
            if *next == 0 {
                let free = candidates
                    .iter()
                    .filter_map(|(slot, _)| builder.places.get(slot).copied());
                if let Some(place) = free.into_iter().find(|&place| self.row_of[place].is_none()) {
                    self.row_of[place] = Some(row);
                    for i in (0..path.len() - 1).rev() {
                        let place = path[i + 1].2;
                        self.row_of[place] = Some(path[i].0);
                    }
                    return true;
                }
            }
            let Some((slot, _)) = candidates.get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            let Some(&place) = builder.places.get(slot) else {
                continue;
            };
            if self.seen[place] == self.round {
                continue;
            }
            self.seen[place] = self.round;
            if let Some(other) = self.row_of[place] {
                path.push((other, 0, place));
            }
        }
        false
    }
}
