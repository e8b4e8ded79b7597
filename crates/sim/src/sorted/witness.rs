//! The discrete variables of a run mode by mode, computed a second time.
//!
//! Such a run has an event iteration of its own, which follows conditions through mode changes and their restarts. What
//! discrete variables are is a matter of appendix B of the specification alone: here its iteration goes over the discrete
//! equations of the sorted system, from event to event of the finished run, with the continuous values that the run found
//! before and after each. Where the two disagree the run must not be shown.

use super::initial::start_values;
use super::lower::{Class, Held, HeldKind, Lowering, Refusal};
use super::machine::Machine;
use super::order::{Kind, Pair, Rule, Step, order, without_cycles};
use super::slots::{INITIAL, Key, RIGHT, Slots, TIME};
use super::system::{discrete_pairs, fixed_initial, held_pairs};
use crate::agree::Difference;
use crate::block::Scratch;
use crate::result::Trajectory;
use crate::tape::{Binary, Functions, Graph, Op, Program, Reg, Unary, compare};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::FlatModel;
use modeshift_inst::ty::Type;
use modeshift_mdae::sym::{RelOp, VarId, VarRef};

/// Passes of the event iteration.
const MAX_PASSES: usize = 100;

/// On a threshold a condition keeps its truth: relative to the numbers it compares.
const MARGIN: f64 = 5e-12;

/// What is a jump and no rounding.
const JUMP: f64 = 1e-6;

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// No variable of the run is assigned at events, or all are what they should be.
    Agrees,
    Differs(Difference),
    /// What discrete variables depend on is no signal of the run.
    Unknown(String),
}

/// A condition on continuous values, with the slot of its truth before.
struct Threshold {
    slot: u32,
    before: u32,
    op: RelOp,
}

struct Witness<'t> {
    trajectory: &'t Trajectory,
    slots: Slots,
    /// Whether discrete variables keep values from event to event.
    remembers: bool,
    steps: Vec<Step>,
    /// The same at the start.
    first: Vec<Step>,
    values: Vec<f64>,
    scratch: Scratch,
    /// Slots that the run gives, with their columns and signs.
    given: Vec<(u32, usize, f64)>,
    /// Left limits, what they are limits of, and whether that is discrete.
    lefts: Vec<(u32, u32, bool)>,
    /// Slots and columns of what is computed here, and how far it may differ.
    compared: Vec<(u32, usize, f64)>,
    thresholds: Vec<Threshold>,
    /// Left minus right of the conditions, and their size.
    functions: Program,
    /// When `reinit` counts, and the value it gives.
    reinits: Program,
    reinit_columns: Vec<usize>,
    /// Start, interval and slot.
    samples: Vec<(f64, f64, u32)>,
}

/// Holds a run against the discrete equations. Linear in its events.
pub fn witness(
    flat: &FlatModel,
    functions: &Functions,
    overrides: &FxHashMap<u32, f64>,
    trajectory: &Trajectory,
) -> Result<Verdict, Refusal> {
    let mut lowering = Lowering::new(flat, functions, overrides, false);
    let remembers = lowering.remembers();
    match lowering.model() {
        Err(_) if !remembers => return Ok(Verdict::Agrees),
        lowered => lowered?,
    }
    lowering.propagate_constants();
    // A run mode by mode does not stop where an integer part changes.
    let is_part = |held: &Held| matches!(held.kind, HeldKind::Round(..));
    if lowering.held.iter().any(is_part) {
        let what = "an event where an integer part changes (`floor`, `integer`, `mod`, …)";
        return Ok(Verdict::Unknown(what.to_owned()));
    }
    if !remembers {
        return Ok(Verdict::Agrees);
    }
    let mut witness = match Witness::new(&mut lowering, trajectory)? {
        Ok(witness) if !witness.remembers => return Ok(Verdict::Agrees),
        Ok(witness) => witness,
        Err(unknown) => return Ok(Verdict::Unknown(unknown)),
    };
    if trajectory.n_rows() == 0 {
        return Ok(Verdict::Agrees);
    }
    let first = trajectory.row(0);
    if !witness.start_as_one(Lowering::new(flat, functions, overrides, false), first[0])
        && !witness.start(&lowering, first)
    {
        let what = "what the initial equations say about discrete variables";
        return Ok(Verdict::Unknown(what.to_owned()));
    }
    Ok(witness.follow().map_or(Verdict::Agrees, Verdict::Differs))
}

/// What a part of the equations is known by: the unknown alone on one side.
fn explicit(lowering: &Lowering<'_>, graph: &Graph, lhs: Reg, rhs: Reg) -> Option<(u32, u32, Reg)> {
    [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(x, value)| {
        let Op::Input(slot) = graph.op(x) else {
            return None;
        };
        let Some(Key::Var(v, 0)) = lowering.slots.key(slot) else {
            return None;
        };
        let plain = lowering.class_of(v) == Class::Continuous
            && lowering.slots.get(Key::Var(v, 1)).is_none()
            && !graph.slots_of(value).contains(&slot);
        plain.then_some((slot, v, value))
    })
}

/// The column of a derivative, or of that of an equal variable, and its sign.
fn column_of(
    lowering: &Lowering<'_>,
    columns: &FxHashMap<&str, usize>,
    v: u32,
    order: u32,
) -> Option<(usize, f64)> {
    let of = |w: u32| {
        let name = lowering.variable(w).name.to_string();
        let name = (0..order).fold(name, |name, _| format!("der({name})"));
        columns.get(name.as_str()).copied()
    };
    if v as usize >= lowering.class.len() {
        return None;
    }
    let mut equal = (0..lowering.class.len() as u32).filter_map(|w| match lowering.aliases.of(w) {
        (u, negative) if u == v => Some((of(w)?, if negative { -1.0 } else { 1.0 })),
        _ => None,
    });
    let own = of(v).map(|column| (column, 1.0));
    own.or_else(|| equal.next())
}

fn is_continuous_left(lowering: &Lowering<'_>, slot: u32) -> bool {
    match lowering.slots.key(slot) {
        Some(Key::Pre(v)) => lowering.class_of(v) == Class::Continuous,
        _ => false,
    }
}

/// Whether a relation with the left limit of a continuous variable stands in an expression.
fn compares_left_limits(lowering: &Lowering<'_>, graph: &Graph, reg: Reg) -> bool {
    let mut open = vec![reg];
    let mut seen: FxHashSet<Reg> = FxHashSet::default();
    while let Some(reg) = open.pop() {
        if !seen.insert(reg) {
            continue;
        }
        if let Op::Compare(..) = graph.op(reg)
            && graph
                .slots_of(reg)
                .into_iter()
                .any(|slot| is_continuous_left(lowering, slot))
        {
            return true;
        }
        open.extend(graph.op(reg).operands().into_iter().flatten());
    }
    false
}

/// Variables that name a condition on continuous values, and those without a past that follow from such conditions: they are
/// a matter of modes, and what they are on their thresholds is for the run to say. A mode that is left by a step meets its
/// threshold again in the mode after it (a free wheel that is let go turns with the shaft at first), and only the run knows
/// on which side it came there.
fn decided_by_run(
    lowering: &Lowering<'_>,
    graph: &Graph,
    pairs: &[Pair],
    thresholds: &[Threshold],
) -> FxHashSet<u32> {
    let conditions: FxHashSet<u32> = thresholds.iter().map(|it| it.slot).collect();
    // So are conditions on left limits of continuous variables, past or not.
    let on_left_limits = pairs
        .iter()
        .filter(|pair| compares_left_limits(lowering, graph, pair.rule.reg()));
    let mut decided: FxHashSet<u32> = on_left_limits.map(|pair| pair.slot).collect();
    let named = pairs.iter().filter(|pair| {
        let read = graph.slots_of(pair.rule.reg());
        pair.kind != Kind::Continuous
            && (pair.name.var.0 as usize) < lowering.class.len()
            && !conditions.contains(&pair.slot)
            && !read.is_empty()
            && read.iter().all(|slot| conditions.contains(slot))
    });
    decided.extend(named.map(|pair| pair.slot));
    let plain = |pair: &&Pair| {
        let v = pair.name.var.0;
        (v as usize) < lowering.class.len() && lowering.slots.get(Key::Pre(v)).is_none()
    };
    loop {
        let before = decided.len();
        for pair in pairs.iter().filter(plain) {
            let from_run = |slot: u32| {
                let left = is_continuous_left(lowering, slot);
                let left_of_decided = match lowering.slots.key(slot) {
                    Some(Key::Pre(v)) => lowering.slots.get(Key::Var(v, 0)),
                    _ => None,
                };
                let left = left || left_of_decided.is_some_and(|now| decided.contains(&now));
                left || conditions.contains(&slot) || decided.contains(&slot)
            };
            if graph.slots_of(pair.rule.reg()).into_iter().any(from_run) {
                decided.insert(pair.slot);
            }
        }
        if decided.len() == before {
            return decided;
        }
    }
}

impl<'t> Witness<'t> {
    /// What to compute, or the name of something that is missing.
    fn new(
        lowering: &mut Lowering<'_>,
        trajectory: &'t Trajectory,
    ) -> Result<Result<Self, String>, Refusal> {
        let columns = trajectory.columns.iter().enumerate();
        let columns: FxHashMap<&str, usize> = columns
            .map(|(i, column)| (column.name.as_str(), i))
            .collect();
        let mut n_slots = lowering.slots.len() as u32;
        let mut graph = Graph::default();
        let mut copier = fixed_initial(0.0, &mut graph);
        let mut pairs = discrete_pairs(lowering, &mut copier, &mut graph)?;
        let mut thresholds = Vec::new();
        let mut functions = Vec::new();
        let first_of_held = pairs.len();
        let held: Vec<_> = lowering
            .held
            .iter()
            .map(|held| held.copied(&lowering.graph, &mut copier, &mut graph))
            .collect();
        pairs.extend(held_pairs(&held));
        for (held, pair) in held.iter().zip(&mut pairs[first_of_held..]) {
            let (HeldKind::Relation(op, a, b), None) = (held.kind, held.time_slope) else {
                continue;
            };
            let difference = graph.sub(a, b);
            let [x, y] = [a, b].map(|reg| graph.unary(Unary::Abs, reg));
            let size = graph.binary(Binary::Max, x, y);
            let one = graph.constant(1.0);
            let size = graph.add(one, size);
            let before = n_slots;
            n_slots += 1;
            let [margin, kept] = [graph.constant(MARGIN), graph.input(before)];
            let distance = graph.unary(Unary::Abs, difference);
            let margin = graph.mul(margin, size);
            let near = graph.compare(RelOp::LessEqual, distance, margin);
            pair.rule = Rule::Value(graph.select(near, kept, held.value));
            let slot = held.slot;
            thresholds.push(Threshold { slot, before, op });
            functions.extend([difference, size]);
        }
        // Continuous variables that are said outright follow at once, and not an iteration later.
        let mut explicit_pairs: Vec<Pair> = Vec::new();
        let mut known: FxHashSet<u32> = FxHashSet::default();
        for equation in lowering
            .equations
            .iter()
            .filter(|e| e.real && !e.at_instants)
        {
            let lhs = copier.copy(&lowering.graph, equation.lhs, &mut graph);
            let rhs = copier.copy(&lowering.graph, equation.rhs, &mut graph);
            if let Some((slot, v, value)) = explicit(lowering, &graph, lhs, rhs)
                && known.insert(slot)
            {
                explicit_pairs.push(Pair {
                    slot,
                    name: VarRef::now(VarId(v), 0),
                    rule: Rule::Value(value),
                    kind: Kind::Continuous,
                });
            }
        }
        pairs.extend(without_cycles(&graph, explicit_pairs));
        let decided = decided_by_run(lowering, &graph, &pairs, &thresholds);
        let pairs: Vec<Pair> = pairs
            .into_iter()
            .filter(|pair| !decided.contains(&pair.slot))
            .collect();
        let computed: FxHashSet<u32> = pairs.iter().map(|pair| pair.slot).collect();
        let read: FxHashSet<u32> = pairs
            .iter()
            .flat_map(|pair| graph.slots_of(pair.rule.reg()))
            .chain(functions.iter().flat_map(|&reg| graph.slots_of(reg)))
            .collect();
        let mut given = Vec::new();
        for (slot, key) in lowering.slots.iter() {
            let left = match key {
                Key::Var(v, 0) => lowering.slots.get(Key::Pre(v)),
                _ => None,
            };
            let wanted = read.contains(&slot) || left.is_some_and(|left| read.contains(&left));
            let wanted = wanted && !computed.contains(&slot);
            let (Key::Var(v, _) | Key::Pre(v)) = key else {
                if wanted && matches!(key, Key::Delay(_) | Key::Transport(_)) {
                    return Ok(Err("a delayed value".to_owned()));
                }
                continue;
            };
            if !wanted || matches!(key, Key::Pre(_)) {
                continue;
            }
            let Key::Var(_, order) = key else { continue };
            let name = lowering.flat.variables.iter().nth(v as usize);
            let name = name.map(|it| it.name.to_string()).unwrap_or_default();
            let name = (0..order).fold(name, |name, _| format!("der({name})"));
            match column_of(lowering, &columns, v, order) {
                Some((column, sign)) => given.push((slot, column, sign)),
                None => return Ok(Err(format!("`{name}`"))),
            }
        }
        let mut lefts = Vec::new();
        for (slot, key) in lowering.slots.iter() {
            if let Key::Pre(v) = key
                && let Some(now) = lowering.slots.get(Key::Var(v, 0))
            {
                lefts.push((slot, now, !lowering.slot_moves(now)));
            }
        }
        let (mut reinits, mut reinit_columns) = (Vec::new(), Vec::new());
        for reinit in &lowering.reinits {
            if let Some((column, sign)) = column_of(lowering, &columns, reinit.variable, 0)
                && sign > 0.0
            {
                let [fires, value] = [reinit.fires, reinit.value]
                    .map(|reg| copier.copy(&lowering.graph, reg, &mut graph));
                reinits.extend([fires, value]);
                reinit_columns.push(column);
            }
        }
        let (mut compared, mut remembers) = (Vec::new(), false);
        for v in 0..lowering.class.len() as u32 {
            if lowering.aliases.of(v) == (v, false)
                && let Some(slot) = lowering.slots.get(Key::Var(v, 0))
                && computed.contains(&slot)
                && let Some(&column) = columns.get(&*lowering.variable(v).name)
            {
                remembers |= lowering.class_of(v) == Class::Discrete
                    && lowering.slots.get(Key::Pre(v)).is_some();
                let real = matches!(lowering.variable(v).ty, Type::Real);
                compared.push((slot, column, if real { 1e-4 } else { 0.0 }));
            }
        }
        // At the start.
        let starts = start_values(lowering);
        let mut initial_graph = Graph::default();
        let mut copier = fixed_initial(1.0, &mut initial_graph);
        let mut first = discrete_pairs(lowering, &mut copier, &mut initial_graph)?;
        first.retain(|pair| !decided.contains(&pair.slot));
        let held: Vec<_> = lowering
            .held
            .iter()
            .map(|held| held.copied(&lowering.graph, &mut copier, &mut initial_graph))
            .collect();
        first.extend(held_pairs(&held));
        let mut values = vec![0.0; n_slots as usize];
        for &(left, ..) in &lefts {
            let Some(Key::Pre(v)) = lowering.slots.key(left) else {
                continue;
            };
            let start = starts.get(&v).and_then(|&reg| lowering.graph.value(reg));
            values[left as usize] = start.unwrap_or(0.0);
        }
        let mut samples = Vec::new();
        for sample in &lowering.samples {
            let [start, interval] =
                [sample.start, sample.interval].map(|reg| lowering.graph.value(reg));
            let (Some(start), Some(interval)) = (start, interval) else {
                return Ok(Err("the interval of a `sample`".to_owned()));
            };
            samples.push((start, interval, sample.slot));
        }
        Ok(Ok(Self {
            trajectory,
            slots: lowering.slots.clone(),
            remembers,
            steps: order(&graph, &pairs),
            first: order(&initial_graph, &first),
            values,
            scratch: Scratch::default(),
            given,
            lefts,
            compared,
            thresholds,
            functions: Program::new(&graph, &functions),
            reinits: Program::new(&graph, &reinits),
            reinit_columns,
            samples,
        }))
    }

    fn read(&mut self, row: &[f64]) {
        self.values[TIME as usize] = row[0];
        for &(slot, column, sign) in &self.given {
            self.values[slot as usize] = sign * row[column];
        }
    }

    /// The first variable that is not what the run says.
    fn compare(&self, row: &[f64]) -> Option<Difference> {
        let fits = |(slot, column, part): &(u32, usize, f64)| {
            let (a, b) = (self.values[*slot as usize], row[*column]);
            (a - b).abs() <= part * (1.0 + a.abs().max(b.abs()))
        };
        let &(slot, column, _) = self.compared.iter().find(|it| !fits(it))?;
        Some(Difference {
            signal: self.trajectory.columns[column].name.clone(),
            time: row[0],
            values: (self.values[slot as usize], row[column]),
        })
    }

    fn follow(mut self) -> Option<Difference> {
        let trajectory = self.trajectory;
        let (n, mut k) = (trajectory.n_rows(), 0);
        while k < n {
            let time = trajectory.row(k)[0];
            let last = (k..n).take_while(|&i| trajectory.row(i)[0] == time).last();
            let last = last.unwrap_or(k);
            let rows = (trajectory.row(k), trajectory.row(last));
            let due = self.due(time);
            // `initial()` is false from now on.
            let first = (k == 0).then(|| self.event(rows, Vec::new())).flatten();
            let happens = k == 0 && !due.is_empty() || last > k;
            let then = happens.then(|| self.event(rows, due)).flatten();
            if let Some(difference) = first.or(then) {
                return Some(difference);
            }
            let event = k == 0 || last > k;
            let difference = event.then(|| self.compare(trajectory.row(last)));
            if let Some(difference) = difference.flatten() {
                return Some(difference);
            }
            k = last + 1;
        }
        None
    }

    /// The start as one sorted system has it, if the model can start so.
    fn start_as_one(&mut self, lowering: Lowering<'_>, time: f64) -> bool {
        let Ok(mut machine) = Machine::new(lowering) else {
            return false;
        };
        if machine.start(time).is_err() {
            return false;
        }
        for (slot, value) in self.values.iter_mut().enumerate() {
            let key = self.slots.key(slot as u32);
            if let Some(found) = key.and_then(|key| machine.sorted.slots.get(key)) {
                *value = machine.values[found as usize];
            }
        }
        true
    }

    /// The start of the discrete equations alone, unless initial equations count.
    fn start(&mut self, lowering: &Lowering<'_>, row: &[f64]) -> bool {
        let reads_discrete = |reg: Reg| {
            let mut slots = lowering.graph.slots_of(reg).into_iter();
            slots.any(|slot| {
                matches!(lowering.slots.key(slot), Some(Key::Var(..) | Key::Pre(_)))
                    && !lowering.slot_moves(slot)
            })
        };
        let mut initial = lowering.initial.iter();
        if initial.any(|equation| reads_discrete(equation.lhs) || reads_discrete(equation.rhs)) {
            return false;
        }
        self.read(row);
        self.values[INITIAL as usize] = 1.0;
        for step in &self.first {
            // What has no value here has one where it counts, or is told as a difference.
            let _ = step.run(&mut self.values, &mut self.scratch);
        }
        self.values[INITIAL as usize] = 0.0;
        true
    }

    /// What conditions compare, and how large that is.
    fn differences(&mut self) -> Vec<(f64, f64)> {
        self.functions.run(&self.values, &mut self.scratch.work);
        let get = |i: usize| self.functions.output(&self.scratch.work, i);
        let numbers = 0..self.thresholds.len();
        numbers.map(|i| (get(2 * i), get(2 * i + 1))).collect()
    }

    /// The slots of samples that are due.
    fn due(&self, t: f64) -> Vec<u32> {
        let all = self.samples.iter();
        all.filter(|(start, interval, _)| {
            let passed = (t - start) / interval;
            passed > -0.5 && (passed - passed.round()).abs() <= 1e-9 * (1.0 + passed.abs())
        })
        .map(|it| it.2)
        .collect()
    }

    /// One event; a `reinit` that the run did not see, if there is one.
    fn event(&mut self, (before, after): (&[f64], &[f64]), due: Vec<u32>) -> Option<Difference> {
        let mut missed = None;
        self.read(before);
        for &slot in &due {
            self.values[slot as usize] = 1.0;
        }
        self.values[RIGHT as usize] = 1.0;
        for threshold in &self.thresholds {
            self.values[threshold.before as usize] = self.values[threshold.slot as usize];
        }
        for &(left, now, _) in &self.lefts {
            self.values[left as usize] = self.values[now as usize];
        }
        let old = self.differences();
        for pass in 0..MAX_PASSES {
            if pass == 1 {
                for &slot in &due {
                    self.values[slot as usize] = 0.0;
                }
                self.read(after);
                for &(left, now, _) in self.lefts.iter().filter(|it| !it.2) {
                    self.values[left as usize] = self.values[now as usize];
                }
                let new = self.differences();
                let ends = self.thresholds.iter().zip(old.iter().zip(new));
                for (threshold, (old, new)) in ends {
                    let jumps = (new.0 - old.0).abs() > JUMP * new.1;
                    self.values[threshold.before as usize] = match jumps {
                        true => f64::from(u8::from(compare(threshold.op, 0.0, 0.0))),
                        false => self.values[threshold.slot as usize],
                    };
                }
            }
            for step in &self.steps {
                let _ = step.run(&mut self.values, &mut self.scratch);
            }
            missed = self.missed_reinit(before, after).or(missed);
            let mut again = pass == 0;
            for &(left, now, discrete) in &self.lefts {
                let (a, b) = (self.values[left as usize], self.values[now as usize]);
                if a != b {
                    self.values[left as usize] = b;
                    again |= discrete;
                }
            }
            if !again {
                break;
            }
        }
        self.values[RIGHT as usize] = 0.0;
        missed
    }

    /// A `reinit` that counts in this pass, of a variable that stays what it is in the run.
    fn missed_reinit(&mut self, before: &[f64], after: &[f64]) -> Option<Difference> {
        self.reinits.run(&self.values, &mut self.scratch.work);
        let get = |i: usize| self.reinits.output(&self.scratch.work, i);
        let mut all = self.reinit_columns.iter().enumerate();
        let (i, &column) = all.find(|(i, column)| {
            let (old, new, wanted) = (before[**column], after[**column], get(2 * i + 1));
            let size = 1.0 + old.abs().max(wanted.abs());
            let ignored = (new - old).abs() <= 1e-9 * size && (new - wanted).abs() > 1e-4 * size;
            get(2 * i) == 1.0 && ignored
        })?;
        Some(Difference {
            signal: self.trajectory.columns[column].name.clone(),
            time: before[0],
            values: (get(2 * i + 1), after[column]),
        })
    }
}
