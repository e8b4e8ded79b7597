//! Initial values: a system of its own.
//!
//! Unknown are all variables with their derivatives, the left limits of discrete variables and free parameters. The
//! equations of the model with their derivatives, the initial equations and fixed start values come first; then the
//! start values of discrete variables, which are their left limits; then those of states, until the system is square.
//! What is left over must hold; where a start value that nobody fixed is left over, another one was taken.

use super::kuhn::{Kuhn, Rows};
use super::lower::{Class, Lowering};
use super::order::{Kind, Pair, Rule, Step, order_at_start};
use super::slots::Key;
use super::system::{CONDITIONS, Sorted, fixed_initial, isolated};
use crate::tape::{Graph, Op, Program, Reg, Work};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::Origin;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::{VarId, VarRef};
use std::sync::Arc;

/// The start value of an unknown.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub value: Reg,
    /// The variable whose declaration gives it.
    of: u32,
    /// Whether the model gives one.
    pub given: bool,
    pub fixed: bool,
}

/// What says something about the initial values.
#[derive(Clone, Debug)]
pub enum Said {
    /// An equation of the model.
    Equation(Arc<Origin>),
    /// An initial equation.
    Initial(Arc<Origin>),
    /// `start` with `fixed = true`, of this variable.
    Fixed(u32),
    /// `start` without.
    Start(u32),
}

impl Said {
    /// Whether the modeller may leave it out and still have the same model.
    pub fn is_about_the_start(&self) -> bool {
        matches!(self, Self::Initial(_) | Self::Fixed(_))
    }
}

/// An equation of the initial system.
struct Row {
    /// Unknowns that it may determine, and how.
    candidates: Vec<(u32, Rule)>,
    lhs: Reg,
    rhs: Reg,
    said: Option<Said>,
}

/// Something that must hold, since other equations determine all its unknowns.
#[derive(Clone, Debug)]
pub struct Check {
    pub said: Option<Said>,
    /// What determines its unknowns, as far as that is about the start.
    pub against: Vec<Said>,
    /// It is about a variable that is equal to another one.
    pub of_alias: bool,
}

/// A start value that is not fixed and was not taken, because others were.
#[derive(Clone, Debug)]
pub struct Untaken {
    pub variable: u32,
    /// The slot of its unknown, and whether with the other sign.
    slot: u32,
    negative: bool,
    /// Variables whose start values were taken.
    pub taken: Vec<u32>,
}

/// An unknown whose start value was taken although it is not fixed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chosen {
    pub unknown: VarRef,
    pub slot: u32,
}

/// The start values of all unknowns, and those of their aliases.
#[derive(Default)]
struct Starts {
    best: FxHashMap<u32, Start>,
    /// Given start values of variables that are another unknown: variable, unknown, sign, start.
    others: Vec<(u32, u32, bool, Start)>,
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
    pub checked: Vec<Check>,
    /// Unknowns that took their start value although it is not fixed.
    pub chosen: Vec<Chosen>,
    /// Start values that were not taken.
    pub untaken: Vec<Untaken>,
    pub untaken_values: Program,
}

impl Initial {
    /// Those start values that were not taken and are not what was found: number in `untaken`, start value, value.
    pub fn contradictions(&self, values: &[f64], work: &mut Work) -> Vec<(usize, f64, f64)> {
        self.untaken_values.run(values, work);
        let mut list = Vec::new();
        for (i, untaken) in self.untaken.iter().enumerate() {
            let start = self.untaken_values.output(work, i);
            let found = values[untaken.slot as usize];
            let found = if untaken.negative { -found } else { found };
            if (start - found).abs() > 1e-6 * (1.0 + start.abs().max(found.abs())) {
                list.push((i, start, found));
            }
        }
        list
    }
}

/// Not fixed, not given, depth of the name: the least counts.
type Rank = (bool, bool, usize);

/// The start values of all unknowns: a fixed one among the aliases counts most, then one that is given, and among
/// those the one nearest to the top of the model.
fn starts(lowering: &mut Lowering<'_>) -> Starts {
    let mut best: FxHashMap<u32, (Start, u32, Rank)> = FxHashMap::default();
    let mut given_ones = Vec::new();
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
            of: v,
            given,
            fixed,
        };
        if given {
            given_ones.push((v, unknown, negative, start));
        }
        match best.get(&unknown) {
            Some((.., known)) if *known <= rank => {}
            _ => {
                best.insert(unknown, (start, v, rank));
            }
        }
    }
    given_ones.retain(|(v, unknown, ..)| best.get(unknown).is_some_and(|(_, taken, _)| taken != v));
    Starts {
        best: best
            .into_iter()
            .map(|(v, (start, ..))| (v, start))
            .collect(),
        others: given_ones,
    }
}

/// The start values of all unknowns, by variable.
pub fn start_values(lowering: &mut Lowering<'_>) -> FxHashMap<u32, Reg> {
    let starts = starts(lowering).best.into_iter();
    starts.map(|(v, start)| (v, start.value)).collect()
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
                builder.real_row(reg, zero, Said::Equation(origin.clone()));
            }
        }
        let model = lowering.equations.iter().filter(|e| !e.real);
        let model = model.map(|e| (e, Said::Equation(e.origin.clone())));
        let initial = lowering.initial.iter();
        let initial = initial.map(|e| (e, Said::Initial(e.origin.clone())));
        for (equation, said) in model.chain(initial) {
            let lhs = copier.copy(&lowering.graph, equation.lhs, &mut builder.graph);
            let rhs = copier.copy(&lowering.graph, equation.rhs, &mut builder.graph);
            builder.row(lhs, rhs, equation.real, said);
        }
        // `reinit` at the start is an initial equation.
        for reinit in &lowering.reinits {
            let fires = copier.copy(&lowering.graph, reinit.fires, &mut builder.graph);
            if builder.graph.value(fires).is_some_and(|fires| fires != 0.0)
                && let Some(slot) = lowering.slots.get(Key::Var(reinit.variable, 0))
            {
                let lhs = builder.graph.input(slot);
                let rhs = copier.copy(&lowering.graph, reinit.value, &mut builder.graph);
                builder.real_row(lhs, rhs, Said::Initial(reinit.origin.clone()));
            }
        }
        for &(v, binding) in &lowering.free {
            if let (Some(binding), Some(slot)) = (binding, lowering.slots.get(Key::Var(v, 0))) {
                let lhs = builder.graph.input(slot);
                let rhs = copier.copy(&lowering.graph, binding, &mut builder.graph);
                let real = matches!(lowering.variable(v).ty, Type::Real);
                let origin = lowering.variable(v).origin.clone();
                builder.row(lhs, rhs, real, Said::Equation(origin));
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
                said: None,
            });
        }
        let hard = builder.rows.len();
        let mut matching = Kuhn::new(builder.unknowns.len());
        // What is left over, with the rows that determine its unknowns.
        let mut left_over: Vec<(usize, Vec<usize>)> = Vec::new();
        for row in 0..hard {
            if !matching.augment(&builder, row) {
                left_over.push((row, matching.rows_in_the_way()));
            }
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
                        value: Reg,
                        said: Option<Said>|
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
                said,
            });
            matching.augment(builder, row)
        };
        let start_of = |v: u32| starts.best.get(&v).copied();
        let mut fixed: Vec<(u32, u32, Start)> = Vec::new();
        for &(slot, key) in &order_of {
            let Key::Var(v, 0) = key else { continue };
            let Some(start) = start_of(v).filter(|start| start.fixed) else {
                continue;
            };
            match class(lowering, v) {
                Class::Continuous => fixed.push((slot, start.of, start)),
                // What the modes give to the discrete part has a left limit, too.
                it if it == Class::Discrete || it == Class::Input && lowering.is_part => {
                    let left = lowering.slots.get(Key::Pre(v));
                    fixed.extend(left.map(|slot| (slot, start.of, start)));
                }
                _ => {}
            }
        }
        // What is fixed twice must agree.
        for &(v, unknown, _, start) in starts.others.iter().filter(|(.., start)| start.fixed) {
            let slot = lowering.slots.get(Key::Var(unknown, 0));
            fixed.extend(slot.map(|slot| (slot, v, start)));
        }
        for (slot, v, start) in fixed {
            let row = builder.rows.len();
            let said = Some(Said::Fixed(v));
            let (source, value) = (&lowering.graph, start.value);
            if !soft(source, &mut builder, &mut matching, slot, value, said) {
                left_over.push((row, matching.rows_in_the_way()));
            }
        }
        // Left limits of discrete variables are their start values.
        let zero = lowering.graph.constant(0.0);
        for &(slot, key) in &order_of {
            let Key::Pre(v) = key else { continue };
            let now = lowering.slots.get(Key::Var(v, 0));
            let value = match (class(lowering, v), now) {
                (Class::Input, Some(now)) if lowering.is_part && !lowering.slot_moves(now) => {
                    start_of(v).map_or(zero, |start| start.value)
                }
                (Class::Continuous | Class::Input, Some(now)) => lowering.graph.input(now),
                _ => start_of(v).map_or(zero, |start| start.value),
            };
            let source = &lowering.graph;
            soft(source, &mut builder, &mut matching, slot, value, None);
        }
        // Start values of states.
        let mut chosen = Vec::new();
        let mut untaken = Vec::new();
        let mut untaken_values = Vec::new();
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
            // A start value of what follows from others would have to be carried back to them.
            (order, weight, !given, sorted.is_certain_dummy(v), v)
        });
        for (slot, v, order) in states {
            let value = if order == 0 {
                start_of(v).map_or(zero, |s| s.value)
            } else {
                zero
            };
            let said = (order == 0).then_some(Said::Start(v));
            let source = &lowering.graph;
            if soft(source, &mut builder, &mut matching, slot, value, said) {
                let unknown = VarRef::now(VarId(v), order);
                chosen.push(Chosen { unknown, slot });
            } else if order == 0 && start_of(v).is_some_and(|start| start.given && !start.fixed) {
                let taken: Vec<u32> = matching
                    .rows_in_the_way()
                    .iter()
                    .filter_map(|&row| match builder.rows[row].said {
                        Some(Said::Start(other)) if other != v => Some(other),
                        _ => None,
                    })
                    .collect();
                if !taken.is_empty() {
                    untaken_values.push(value);
                    untaken.push(Untaken {
                        variable: v,
                        slot,
                        negative: false,
                        taken,
                    });
                }
            }
        }
        for &(v, unknown, negative, start) in &starts.others {
            let taken = chosen.iter().find(|it| it.unknown.var.0 == unknown);
            if let Some(taken) = taken.filter(|it| it.unknown.order == 0 && !start.fixed) {
                // The value is that of the unknown, as seen from the variable.
                let value = match negative {
                    true => lowering.graph.neg(start.value),
                    false => start.value,
                };
                untaken_values.push(value);
                untaken.push(Untaken {
                    variable: v,
                    slot: taken.slot,
                    negative,
                    taken: vec![unknown],
                });
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
                let source = &lowering.graph;
                soft(source, &mut builder, &mut matching, slot, value, None);
                if let Key::Var(v, order) = key {
                    let unknown = VarRef::now(VarId(v), order);
                    chosen.push(Chosen { unknown, slot });
                }
            }
        }
        let mut guesses = Vec::new();
        let mut given = FxHashSet::default();
        for (slot, key) in lowering.slots.iter() {
            let v = match key {
                Key::Var(v, 0) | Key::Pre(v) => v,
                _ => continue,
            };
            let value = start_of(v).and_then(|start| lowering.graph.value(start.value));
            let value = value.filter(|v| v.is_finite()).unwrap_or(0.0);
            // Zero is what unknowns begin with anyway.
            if value != 0.0 && start_of(v).is_some_and(|start| start.given) {
                given.insert(slot);
            }
            guesses.push((slot, value));
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
        let mut checks = Vec::new();
        let mut checked = Vec::new();
        for (row, others) in left_over {
            let (lhs, rhs) = (builder.rows[row].lhs, builder.rows[row].rhs);
            let residual = builder.graph.sub(lhs, rhs);
            if builder.graph.value(residual) == Some(0.0) {
                continue;
            }
            checks.extend([residual, lhs]);
            let said = |row: &usize| builder.rows[*row].said.clone();
            let against = others.iter().filter_map(said);
            checked.push(Check {
                of_alias: matches!(said(&row), Some(Said::Fixed(v)) if lowering.aliases_of(v) != v),
                said: said(&row),
                against: against.filter(Said::is_about_the_start).collect(),
            });
        }
        let untaken_values: Vec<Reg> = untaken_values
            .into_iter()
            .map(|reg| copier.copy(&lowering.graph, reg, &mut builder.graph))
            .collect();
        let seeds: Vec<Reg> = held.iter().map(|held| held.value).collect();
        Self {
            steps: order_at_start(&builder.graph, &pairs, &given),
            guesses,
            seeds: Program::new(&builder.graph, &seeds),
            seed_slots: held.iter().map(|held| held.slot).collect(),
            checks: Program::new(&builder.graph, &checks),
            checked,
            chosen,
            untaken,
            untaken_values: Program::new(&builder.graph, &untaken_values),
        }
    }
}

impl Rows for Builder<'_> {
    fn candidates(&self, row: usize) -> impl Iterator<Item = usize> + Clone {
        let candidates = self.rows[row].candidates.iter();
        candidates.filter_map(|(slot, _)| self.places.get(slot).copied())
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
                Key::Held(_) | Key::Sample(_) | Key::Transport(_) => continue,
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

    fn row(&mut self, lhs: Reg, rhs: Reg, real: bool, said: Said) {
        if lhs == rhs {
            return;
        }
        let is_real = |this: &Self, reg: Reg| match this.graph.op(reg) {
            Op::Input(slot) => this.real.contains(&slot),
            _ => false,
        };
        if real || is_real(self, lhs) || is_real(self, rhs) {
            return self.real_row(lhs, rhs, said);
        }
        let candidates = isolated(&mut self.graph, lhs, rhs);
        let candidates = candidates
            .into_iter()
            .filter(|(slot, _)| self.places.contains_key(slot))
            .map(|(slot, value)| (slot, Rule::Value(value)))
            .collect();
        let said = Some(said);
        self.rows.push(Row {
            candidates,
            lhs,
            rhs,
            said,
        });
    }

    fn real_row(&mut self, lhs: Reg, rhs: Reg, said: Said) {
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
        let said = Some(said);
        self.rows.push(Row {
            candidates,
            lhs,
            rhs,
            said,
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
