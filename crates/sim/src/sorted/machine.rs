//! A model at an instant: its values, what happens at an event, and where conditions change.

use super::initial::Initial;
use super::lower::{Class, HeldKind, Lowering, Refusal};
use super::order::{costs, for_each_branches};
use super::slots::{INITIAL, Key, LAMBDA, RIGHT, TERMINAL, TIME};
use super::system::{CONDITIONS, Choice, Dummies, Sorted, fixed_initial};
use super::transport::Pipe;
use crate::block::{BlockError, Scratch};
use crate::delay::{Line, Varying};
use crate::inputs::{Driven, Inputs, Table};
use crate::integrate::Trouble;
use crate::profile::{At, BlockCost};
use crate::tape::{Copier, Graph, Op, Program, Reg, Unary};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{RelOp, VarRef};
use std::rc::Rc;
use std::sync::Arc;

/// Passes of the event iteration.
const MAX_PASSES: usize = 100;

/// The numbers of branches begin here, behind all conditions.
const BRANCHES: u32 = 1 << 31;

/// Why a run ended before its time.
#[derive(Clone, Debug)]
pub struct Stop {
    pub time: f64,
    pub kind: StopKind,
}

#[derive(Clone, Debug)]
pub enum StopKind {
    /// Equations have no solution.
    Unsolved(BlockError),
    /// The initial values contradict each other.
    Initial(Contradiction),
    /// No choice of states.
    NoStates(Vec<VarRef>),
    /// The event iteration does not end; who alternates.
    NoEnd(Vec<VarRef>),
    /// A differentiated variable jumps without `reinit`.
    Jump(VarRef),
    Zeno(f64, usize, Vec<u32>),
    Chattering(usize, Vec<u32>),
    /// The state that is to blame, and what is wrong with it.
    StepTooSmall(Option<VarRef>, Option<Trouble>),
    /// `sample` with this interval.
    Sample(f64),
    /// The number of an assertion.
    Assertion(usize),
    /// A call that was made for what it does failed: its number.
    Effect(usize),
}

/// A check of the initial values that fails: its number, and by how much.
#[derive(Clone, Copy, Debug)]
pub struct Contradiction {
    pub check: usize,
    pub residual: f64,
    /// The value of its left side: that of the variable, if a start value does not hold.
    pub value: f64,
    /// It may be the mode at the start that contradicts: then the start is a change into it.
    structural: bool,
}

impl StopKind {
    /// Whether other states may do better.
    pub fn may_be_due_to_states(&self) -> bool {
        matches!(
            self,
            Self::Unsolved(_)
                | Self::Initial(_)
                | Self::NoStates(_)
                | Self::Jump(_)
                | Self::StepTooSmall(..)
                // A speed that rests on a threshold is zero exactly only if it is a state.
                | Self::NoEnd(_)
                | Self::Chattering(..)
        )
    }

    /// Whether the reason may be that the structure of the model changes.
    pub fn may_be_structural(&self) -> bool {
        match self {
            // Discrete variables are computed in the same way in all modes.
            Self::Unsolved(BlockError::Discrete(..)) => false,
            Self::Initial(contradiction) => contradiction.structural,
            Self::Unsolved(_) | Self::NoStates(_) | Self::NoEnd(_) | Self::Jump(_) => true,
            Self::Zeno(..)
            | Self::Chattering(..)
            | Self::StepTooSmall(..)
            | Self::Sample(_)
            | Self::Assertion(_)
            | Self::Effect(_) => false,
        }
    }
}

/// A held condition on continuous values: where its function crosses zero it changes.
struct Watched {
    slot: u32,
    index: u32,
    kind: WatchedKind,
}

enum WatchedKind {
    Relation(RelOp),
    Round(Unary),
}

/// A condition that time decides.
struct Timed {
    slot: u32,
    op: RelOp,
    /// One side is time itself; the other one is the instant.
    plain: bool,
}

/// What happened at an event.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    /// Held values that changed, by number.
    pub conditions: Vec<u32>,
    /// `reinit` was used.
    pub reinit: bool,
    /// Variables that jumped, with the value before.
    pub discrete: Vec<VarRef>,
}

pub struct Machine<'a> {
    pub lowering: Lowering<'a>,
    pub sorted: Sorted,
    initial: Initial,
    choices: FxHashMap<Dummies, Rc<Choice>>,
    pub choice: Rc<Choice>,
    pub values: Vec<f64>,
    pub scratch: Scratch,
    watched: Vec<Watched>,
    watch_program: Program,
    timed: Vec<Timed>,
    timed_program: Program,
    reinits: Program,
    reinit_slots: Vec<u32>,
    assertions: Program,
    /// Their messages, as numbers that stand for strings.
    messages: Program,
    /// What they said when they were violated first.
    pub told: FxHashMap<usize, Arc<str>>,
    ends: Program,
    effects: Vec<Program>,
    /// Start and interval of each `sample`.
    samples: Program,
    subscripts: Program,
    pub lines: Vec<Line>,
    pub pipes: Vec<Pipe>,
    /// The slots of a value and of its derivative, from a table.
    pub inputs: Inputs<(u32, Option<u32>)>,
    /// Slots that are known at the start.
    pub known: Vec<(u32, f64)>,
    /// Left limit and value, and whether the value is discrete.
    lefts: Vec<(u32, u32, bool, VarRef)>,
    /// Discrete variables and conditions.
    discrete: Vec<(u32, VarRef)>,
    /// What must not jump: values and derivatives below the leading ones.
    smooth: Vec<(u32, VarRef)>,
    pub uses_terminal: bool,
    /// `terminate` was reached: its number.
    pub ended: Option<usize>,
    /// Assertions that were violated within an event.
    pub failed: Vec<usize>,
}

impl<'a> Machine<'a> {
    pub fn new(mut lowering: Lowering<'a>) -> Result<Self, Refusal> {
        lowering.model()?;
        lowering.propagate_constants();
        let sorted = Sorted::new(&mut lowering)?;
        let initial = Initial::new(&mut lowering, &sorted);
        let mut graph = Graph::default();
        let mut copier = fixed_initial(0.0, &mut graph);
        let (mut watched, mut watch_regs) = (Vec::new(), Vec::new());
        let (mut timed, mut timed_regs) = (Vec::new(), Vec::new());
        for (index, held) in lowering.held.iter().enumerate() {
            let (slot, index) = (held.slot, index as u32);
            match (held.kind, held.time_slope) {
                (HeldKind::Relation(op, a, b), Some(slope)) => {
                    let source = &lowering.graph;
                    let plain = source.op(a) == Op::Input(TIME) && source.value(slope) == Some(1.0);
                    let [a, b, slope] =
                        [a, b, slope].map(|reg| copier.copy(source, reg, &mut graph));
                    timed.push(Timed { slot, op, plain });
                    timed_regs.extend([a, b, slope]);
                }
                (HeldKind::Relation(op, a, b), None) => {
                    let [a, b] = [a, b].map(|reg| copier.copy(&lowering.graph, reg, &mut graph));
                    watched.push(Watched {
                        slot,
                        index,
                        kind: WatchedKind::Relation(op),
                    });
                    watch_regs.push(graph.sub(a, b));
                }
                (HeldKind::Round(op, a), _) => {
                    let a = copier.copy(&lowering.graph, a, &mut graph);
                    watched.push(Watched {
                        slot,
                        index,
                        kind: WatchedKind::Round(op),
                    });
                    watch_regs.push(a);
                }
            }
        }
        let mut copied = |regs: &[Reg]| -> Program {
            let regs: Vec<Reg> = regs
                .iter()
                .map(|&reg| copier.copy(&lowering.graph, reg, &mut graph))
                .collect();
            Program::new(&graph, &regs)
        };
        let reinit_regs: Vec<Reg> = lowering
            .reinits
            .iter()
            .flat_map(|r| [r.fires, r.value])
            .collect();
        let reinits = copied(&reinit_regs);
        let sample_regs: Vec<Reg> = lowering
            .samples
            .iter()
            .flat_map(|s| [s.start, s.interval])
            .collect();
        let samples = copied(&sample_regs);
        let subscript_regs: Vec<Reg> = lowering.subscripts.iter().map(|s| s.index).collect();
        let subscripts = copied(&subscript_regs);
        let lines = lowering
            .delays
            .iter()
            .map(|delay| {
                let time = lowering.graph.value(delay.time);
                let mut line =
                    Line::of_program(copied(&[delay.node]), time.unwrap_or(0.0), delay.slot);
                line.varying = time.is_none().then(|| Varying {
                    program: copied(&[delay.time]),
                    most: delay.most,
                });
                line
            })
            .collect();
        let pipes = lowering.transports.iter();
        let pipes = pipes.map(|it| Pipe::new(copied(&it.nodes), it)).collect();
        let watch_program = Program::new(&graph, &watch_regs);
        let timed_program = Program::new(&graph, &timed_regs);
        // What may happen at the start, too.
        let mut graph = Graph::default();
        let mut copier = Copier::default();
        let mut copied = |regs: Vec<Reg>| -> Program {
            let copy = |reg| copier.copy(&lowering.graph, reg, &mut graph);
            let regs: Vec<Reg> = regs.into_iter().map(copy).collect();
            Program::new(&graph, &regs)
        };
        let assertions = copied(lowering.assertions.iter().map(|a| a.holds).collect());
        let messages = lowering
            .assertions
            .iter()
            .map(|a| a.text.unwrap_or(a.holds));
        let messages = copied(messages.collect());
        let ends = copied(lowering.ends.iter().map(|e| e.fires).collect());
        let effects = lowering.effects.iter().map(|effect| {
            let call = copier.copy_effect(&lowering.graph, effect.call, &mut graph);
            Program::new(&graph, &[call])
        });
        let effects = effects.collect();
        let mut lefts = Vec::new();
        for (slot, key) in sorted.slots.iter() {
            if let Key::Pre(v) = key
                && let Some(now) = sorted.slots.get(Key::Var(v, 0))
            {
                let discrete = !lowering.slot_moves(now);
                let name = VarRef::now(modeshift_mdae::sym::VarId(v), 0);
                lefts.push((slot, now, discrete, name));
            }
        }
        let reinit_slots = lowering
            .reinits
            .iter()
            .map(|r| sorted.slots.get(Key::Var(r.variable, 0)).unwrap_or(0));
        let reinit_slots = reinit_slots.collect();
        let mut discrete: Vec<(u32, VarRef)> = sorted.discrete_slots().collect();
        for (slot, key) in sorted.slots.iter() {
            if let Key::Var(v, 0) = key
                && lowering.class_of(v) == Class::Input
                && !lowering.slot_moves(slot)
            {
                discrete.push((slot, VarRef::now(modeshift_mdae::sym::VarId(v), 0)));
            }
        }
        let mut smooth = Vec::new();
        for &v in &sorted.unknowns {
            for order in 0..sorted.d[&v] {
                if let Some(slot) = sorted.slots.get(Key::Var(v, order)) {
                    smooth.push((slot, VarRef::now(modeshift_mdae::sym::VarId(v), order)));
                }
            }
        }
        let terminal = lowering.graph.len();
        let uses_terminal =
            (0..terminal as Reg).any(|r| lowering.graph.op(r) == Op::Input(TERMINAL));
        let values = vec![0.0; sorted.slots.len()];
        let nominals = nominals(&mut lowering, &sorted);
        Ok(Self {
            lowering,
            choices: FxHashMap::default(),
            choice: Rc::new(Choice {
                plan: crate::plan::Plan::default(),
                event: Vec::new(),
                dummies: Vec::new(),
            }),
            values,
            scratch: Scratch::with_nominals(nominals),
            watched,
            watch_program,
            timed,
            timed_program,
            reinits,
            reinit_slots,
            assertions,
            messages,
            told: FxHashMap::default(),
            ends,
            effects,
            samples,
            subscripts,
            lines,
            pipes,
            inputs: Inputs::default(),
            known: Vec::new(),
            lefts,
            discrete,
            smooth,
            uses_terminal,
            ended: None,
            failed: Vec::new(),
            initial,
            sorted,
        })
    }

    pub fn time(&self) -> f64 {
        self.values[TIME as usize]
    }

    pub fn stop(&self, kind: StopKind) -> Stop {
        Stop {
            time: self.time(),
            kind,
        }
    }

    /// Start, interval and slot of each `sample`.
    pub fn samples(&mut self) -> Vec<(f64, f64, u32)> {
        self.samples.run(&self.values, &mut self.scratch.work);
        let get = |i: usize| self.samples.output(&self.scratch.work, i);
        let all = self.lowering.samples.iter().enumerate();
        all.map(|(i, sample)| (get(2 * i), get(2 * i + 1), sample.slot))
            .collect()
    }

    /// A subscript that is not within its bounds at the current values: its number, and what it is.
    pub fn out_of_range(&mut self) -> Option<(usize, f64)> {
        self.subscripts.run(&self.values, &mut self.scratch.work);
        let all = self.lowering.subscripts.iter().enumerate();
        let mut all = all.map(|(i, s)| (i, s.size, self.subscripts.output(&self.scratch.work, i)));
        let (i, _, value) = all.find(|&(_, size, value)| value < 1.0 || value > size as f64)?;
        Some((i, value))
    }

    /// How the initial values were found.
    pub fn initial(&self) -> &Initial {
        &self.initial
    }

    /// Start values that are not fixed and contradict others that were taken: number, start value, value.
    pub fn contradicting_starts(&mut self) -> Vec<(usize, f64, f64)> {
        self.initial
            .contradictions(&self.values, &mut self.scratch.work)
    }

    /// From now on inputs come from a table.
    pub fn drive(&mut self, table: &Arc<Table>) {
        let variables = self.lowering.flat.variables.iter();
        let inputs: FxHashMap<&str, u32> = variables
            .zip(0..)
            .filter(|(variable, _)| super::is_input(variable))
            .map(|(variable, v)| (&*variable.name, v))
            .collect();
        self.inputs = Inputs::new(table, |name| {
            let v = *inputs.get(name)?;
            let slots = &self.sorted.slots;
            let slot = slots.get(Key::Var(v, 0))?;
            Some(Driven {
                target: (slot, slots.get(Key::Var(v, 1))),
                held: !self.lowering.slot_moves(slot),
            })
        });
    }

    /// Inputs take their values at the current time.
    pub fn read_inputs(&mut self) {
        for ((slot, derivative), value, slope) in self.inputs.at(self.values[TIME as usize]) {
            self.values[slot as usize] = value;
            if let Some(derivative) = derivative {
                self.values[derivative as usize] = slope;
            }
        }
    }

    /// Rows of the table that are reached now, or a rounding later, are taken.
    pub fn pass_inputs(&mut self) {
        let t = self.time();
        if self.inputs.pass(t + 16.0 * f64::EPSILON * t.abs()) {
            self.read_inputs();
        }
    }

    /// Values to begin with.
    fn guess(&mut self) {
        for &(slot, guess) in &self.initial.guesses {
            self.values[slot as usize] = guess;
        }
        self.read_inputs();
        for &(slot, value) in &self.known {
            self.values[slot as usize] = value;
        }
        self.seed();
    }

    /// The initial values.
    pub fn start(&mut self, time: f64) -> Result<(), Stop> {
        self.lowering.functions.next_instant();
        self.values.fill(0.0);
        self.values[TIME as usize] = time;
        self.inputs.pass(time);
        self.values[LAMBDA as usize] = 1.0;
        self.values[INITIAL as usize] = 1.0;
        self.guess();
        if self.lowering.homotopy {
            self.follow_homotopy()?;
        } else {
            self.run_initial()
                .map_err(|error| self.stop(StopKind::Unsolved(error)))?;
        }
        self.check_initial()?;
        self.consequences()?;
        self.values[INITIAL as usize] = 0.0;
        for line in &mut self.lines {
            line.push(time, self.values[line.slot as usize], 0);
        }
        self.fill_pipes();
        self.choose_states()?;
        self.find_held_lines();
        Ok(())
    }

    fn seed(&mut self) {
        let initial = &self.initial;
        initial.seeds.run(&self.values, &mut self.scratch.work);
        for (i, &slot) in initial.seed_slots.iter().enumerate() {
            let value = initial.seeds.output(&self.scratch.work, i);
            self.values[slot as usize] = if value.is_finite() { value } else { 0.0 };
        }
    }

    fn run_initial(&mut self) -> Result<(), BlockError> {
        let Self {
            initial,
            values,
            scratch,
            ..
        } = self;
        initial
            .steps
            .iter()
            .try_for_each(|step| step.run_from_afar(values, scratch))
    }

    /// From the simplified system to the actual one.
    fn follow_homotopy(&mut self) -> Result<(), Stop> {
        self.values[LAMBDA as usize] = 0.0;
        self.guess();
        self.run_initial()
            .map_err(|error| self.stop(StopKind::Unsolved(error)))?;
        let (mut lambda, mut step) = (0.0_f64, 0.1_f64);
        while lambda < 1.0 {
            let before = self.values.clone();
            let next = (lambda + step).min(1.0);
            self.values[LAMBDA as usize] = next;
            match self.run_initial() {
                Ok(()) => {
                    lambda = next;
                    step = (step * 1.5).min(0.25);
                }
                Err(error) => {
                    self.values = before;
                    step *= 0.5;
                    if step < 1e-4 {
                        return Err(self.stop(StopKind::Unsolved(error)));
                    }
                }
            }
        }
        Ok(())
    }

    fn check_initial(&mut self) -> Result<(), Stop> {
        let initial = &self.initial;
        initial.checks.run(&self.values, &mut self.scratch.work);
        for i in 0..initial.checked.len() {
            let residual = initial.checks.output(&self.scratch.work, 2 * i);
            let size = initial.checks.output(&self.scratch.work, 2 * i + 1);
            if residual.is_nan() || residual.abs() > 1e-6 * (1.0 + size.abs()) {
                let structural = !self.lowering.held.is_empty() && !initial.checked[i].of_alias;
                return Err(self.stop(StopKind::Initial(Contradiction {
                    check: i,
                    residual,
                    value: size,
                    structural,
                })));
            }
        }
        Ok(())
    }

    /// The states that are best at the current values.
    pub fn choose_states(&mut self) -> Result<(), Stop> {
        let dummies = self.sorted.choose(&self.values, &mut self.scratch);
        let dummies = dummies.map_err(|list| self.stop(StopKind::NoStates(list)))?;
        if let Some(choice) = self.choices.get(&dummies) {
            self.choice = choice.clone();
            self.accept_branches();
            return Ok(());
        }
        let choice = self.sorted.build(dummies.clone());
        let choice = Rc::new(choice.map_err(|list| self.stop(StopKind::NoStates(list)))?);
        self.choices.insert(dummies, choice.clone());
        self.choice = choice;
        self.accept_branches();
        Ok(())
    }

    /// Whether other states would be much better; then they are taken.
    pub fn reselect(&mut self) -> Result<bool, Stop> {
        if !self.sorted.needs_watching()
            || self
                .sorted
                .is_good(&self.choice.dummies, &self.values, &mut self.scratch)
        {
            return Ok(false);
        }
        let before = self.choice.dummies.clone();
        self.choose_states()?;
        Ok(self.choice.dummies != before)
    }

    /// What its blocks cost so far.
    pub fn costs(&self) -> Vec<BlockCost> {
        let mut list = Vec::new();
        costs(&self.initial.steps, At::Start, &mut list);
        for choice in self.choices.values() {
            list.extend(choice.plan.costs());
            costs(&choice.event, At::Events, &mut list);
        }
        list.retain(|it| it.runs > 0);
        list
    }

    pub fn n_choices(&self) -> usize {
        self.choices.len()
    }

    /// Blocks that may have several solutions stay on the branches where they are; the numbers of those that were on others
    /// before. Between events branches are held, at an event they may end.
    fn accept_branches(&mut self) -> Vec<u32> {
        let choice = self.choice.clone();
        let (values, work) = (&self.values, &mut self.scratch.work);
        for_each_branches(&choice.event, &mut |branches| {
            branches.accept(values, false, work);
        });
        let all = choice.plan.branches().zip(0..);
        all.filter(|(branches, _)| branches.accept(values, true, work))
            .map(|(_, number)| number)
            .collect()
    }

    /// Moves the states.
    pub fn set_states(&mut self, t: f64, y: &[f64]) {
        self.values[TIME as usize] = t;
        self.read_inputs();
        for line in &self.lines {
            self.values[line.slot as usize] = line.coming_out(t);
        }
        for (&slot, &value) in self.choice.plan.state_slots.iter().zip(y) {
            self.values[slot as usize] = value;
        }
    }

    /// Computes everything from the states, with conditions held.
    pub fn evaluate(&mut self) -> Result<(), BlockError> {
        let choice = self.choice.clone();
        choice.plan.run(&mut self.values, &mut self.scratch)?;
        for _ in 0..MAX_PASSES {
            if !self.varying_delays() {
                return Ok(());
            }
            choice.plan.run(&mut self.values, &mut self.scratch)?;
        }
        Err(BlockError::Diverged(self.delayed_by_themselves()))
    }

    /// The past of delayed values goes on.
    pub fn remember(&mut self, stretch: usize) {
        let time = self.values[TIME as usize];
        for line in &mut self.lines {
            line.program.run(&self.values, &mut self.scratch.work);
            let value = line.program.output(&self.scratch.work, 0);
            line.push(time, value, stretch);
        }
        self.fill_on(stretch);
    }

    /// How far conditions on continuous values are beyond what they are held at; positive means that they change.
    pub fn excesses(&mut self, out: &mut Vec<f64>) {
        self.watch_program.run(&self.values, &mut self.scratch.work);
        out.clear();
        for (i, watched) in self.watched.iter().enumerate() {
            let value = self.watch_program.output(&self.scratch.work, i);
            let held = self.values[watched.slot as usize];
            if held.is_nan() {
                // It has a value from where on there is one.
                out.push(if value.is_nan() { -1.0 } else { 1.0 });
                continue;
            }
            let excess = match watched.kind {
                WatchedKind::Relation(RelOp::Greater | RelOp::GreaterEqual) => {
                    if held != 0.0 {
                        -value
                    } else {
                        value
                    }
                }
                WatchedKind::Relation(_) => {
                    if held != 0.0 {
                        value
                    } else {
                        -value
                    }
                }
                WatchedKind::Round(op) => {
                    let up = match op {
                        Unary::Ceil => true,
                        Unary::Trunc => held < 0.0,
                        _ => false,
                    };
                    if op == Unary::Trunc && held == 0.0 {
                        (value - 1.0).max(-1.0 - value)
                    } else if up {
                        (value - held).max(held - 1.0 - value)
                    } else {
                        (held - value).max(value - held - 1.0)
                    }
                }
            };
            out.push(excess);
        }
        for branches in self.choice.plan.branches() {
            branches.excesses(&self.values, &mut self.scratch.work, out);
        }
    }

    /// Whether a condition is to change at the current values, and not only a branch.
    pub fn condition_changes(&mut self) -> bool {
        let mut all = Vec::new();
        self.excesses(&mut all);
        all.truncate(self.watched.len());
        all.iter().any(|excess| *excess > 0.0)
    }

    pub fn watches(&self) -> bool {
        !self.watched.is_empty() || self.choice.plan.branches().next().is_some()
    }

    /// The number of the condition behind an excess.
    pub fn condition(&self, excess: usize) -> u32 {
        self.watched[excess].index
    }

    /// The next instant at which time changes a condition.
    pub fn next_timed(&mut self) -> Option<f64> {
        self.timed_program.run(&self.values, &mut self.scratch.work);
        let t = self.time();
        let mut next = f64::INFINITY;
        for (i, timed) in self.timed.iter().enumerate() {
            let get = |k: usize| self.timed_program.output(&self.scratch.work, 3 * i + k);
            let (a, b, slope) = (get(0), get(1), get(2));
            if slope == 0.0 || !slope.is_finite() {
                continue;
            }
            let rising = matches!(timed.op, RelOp::Greater | RelOp::GreaterEqual) == (slope > 0.0);
            let held = self.values[timed.slot as usize] != 0.0;
            if held == rising {
                continue;
            }
            let at = if timed.plain { b } else { t - (a - b) / slope };
            if at.is_finite() {
                next = next.min(at.max(t));
            }
        }
        for line in &self.lines {
            // A jump that is over was taken with the event at its instant.
            let over = t + 16.0 * f64::EPSILON * t.abs();
            next = next.min(line.next_jump(over).unwrap_or(f64::INFINITY));
        }
        next.is_finite().then_some(next)
    }

    /// What happens at an instant: the sorted system is computed with the left limits, which then become what was
    /// computed, until nothing changes.
    pub fn event(&mut self, due: &[u32]) -> Result<Happened, Stop> {
        let mut happened = Happened::default();
        let before = self.values.clone();
        self.begin_event(due);
        let t = self.time();
        for line in &self.lines {
            self.values[line.slot as usize] = line.right_after(t);
        }
        self.pass_inputs();
        self.scratch.before_event = Some(before.clone());
        let result = self.iterate(&mut happened, due);
        self.scratch.before_event = None;
        self.values[RIGHT as usize] = 0.0;
        result?;
        let changed = self.accept_branches().into_iter();
        happened
            .conditions
            .extend(changed.map(|number| BRANCHES + number));
        for &(slot, name) in &self.discrete {
            if self.values[slot as usize] != before[slot as usize] {
                if name.var.0 >= CONDITIONS {
                    happened.conditions.push(name.var.0 - CONDITIONS);
                } else {
                    happened.discrete.push(name);
                }
            }
        }
        if !happened.reinit {
            for &(slot, name) in &self.smooth {
                let (a, b) = (before[slot as usize], self.values[slot as usize]);
                if (a - b).abs() > 1e-5 * (1.0 + a.abs().max(b.abs())) && !self.may_jump(slot, name)
                {
                    return Err(self.stop(StopKind::Jump(name)));
                }
            }
        }
        Ok(happened)
    }

    /// Whether a differentiated variable is a signal that no state decides, and whose derivative nothing is integrated from, as
    /// that of a table behind a block `Der`: then the impulse of the derivative moves no state.
    fn may_jump(&self, slot: u32, name: VarRef) -> bool {
        let plan = &self.choice.plan;
        let spread = |from: &[u32]| {
            let mut moving = vec![false; self.values.len()];
            from.iter().for_each(|&slot| moving[slot as usize] = true);
            plan.tasks.iter().for_each(|task| task.spread(&mut moving));
            moving
        };
        if spread(&plan.state_slots)[slot as usize] {
            return false;
        }
        let orders = name.order + 1..=self.sorted.d[&name.var.0];
        let derivatives = orders.filter_map(|order| {
            let key = Key::Var(name.var.0, order);
            self.sorted.slots.get(key)
        });
        let moving = spread(&derivatives.collect::<Vec<u32>>());
        let reached = |slots: &[u32]| slots.iter().any(|&slot| moving[slot as usize]);
        !reached(&plan.derivative_slots) && !reached(&self.reinit_slots)
    }

    fn iterate(&mut self, happened: &mut Happened, due: &[u32]) -> Result<(), Stop> {
        let mut alternating = Vec::new();
        for pass in 0..MAX_PASSES {
            self.pass_with_delays()?;
            let mut again = self.apply_reinits(happened)?;
            again |= self.varying_delays();
            alternating = self.follow_lefts()?;
            again |= !alternating.is_empty();
            if pass == 0 && !due.is_empty() {
                self.end_samples(due);
                again = true;
            }
            if !again {
                return Ok(());
            }
        }
        Err(self.stop(StopKind::NoEnd(alternating)))
    }

    /// At the start, what comes out of a delay belongs to the same pass as what goes in: nothing that was computed with
    /// another value becomes a left limit.
    fn pass_with_delays(&mut self) -> Result<(), Stop> {
        self.pass()?;
        let mut rounds = 0;
        while self.delays_at_start(rounds) {
            self.pass()?;
            rounds += 1;
        }
        Ok(())
    }

    /// Computes everything at an event with the left limits as they are.
    pub fn pass(&mut self) -> Result<(), Stop> {
        let choice = self.choice.clone();
        for step in &choice.event {
            let ran = step.run(&mut self.values, &mut self.scratch);
            ran.map_err(|error| self.stop(StopKind::Unsolved(error)))?;
        }
        self.consequences()
    }

    /// Left limits become what was computed; the discrete variables that are not what they were.
    pub fn follow_lefts(&mut self) -> Result<Vec<VarRef>, Stop> {
        let mut changed = Vec::new();
        for &(left, now, discrete, name) in &self.lefts {
            let (a, b) = (self.values[left as usize], self.values[now as usize]);
            if discrete && b.is_nan() {
                let what = BlockError::Discrete(name, b);
                return Err(self.stop(StopKind::Unsolved(what)));
            }
            if a != b {
                self.values[left as usize] = b;
                if discrete {
                    changed.push(name);
                }
            }
        }
        Ok(changed)
    }

    /// An event begins: samples are due, left limits are what is, conditions on time take their right limit.
    pub fn begin_event(&mut self, due: &[u32]) {
        self.lowering.functions.next_instant();
        for &slot in due {
            self.values[slot as usize] = 1.0;
        }
        self.values[RIGHT as usize] = 1.0;
        for &(left, now, ..) in &self.lefts {
            self.values[left as usize] = self.values[now as usize];
        }
    }

    /// `sample` is true during the first event iteration of its instant only (section 3.7.5 of the specification).
    pub fn end_samples(&mut self, due: &[u32]) {
        for &slot in due {
            self.values[slot as usize] = 0.0;
        }
    }

    /// What a pass does beside computing values: `terminate`, assertions and calls whose instant is now.
    fn consequences(&mut self) -> Result<(), Stop> {
        if self.ended.is_none() {
            self.ended = self.reached_end();
        }
        for index in self.violated() {
            let now = self.lowering.assertions[index].at_instants;
            if now && !self.failed.contains(&index) {
                self.failed.push(index);
            }
        }
        self.make_calls(true)
    }

    /// Makes the calls that are there for what they do.
    pub fn make_calls(&mut self, at_instants: bool) -> Result<(), Stop> {
        for (index, program) in self.effects.iter().enumerate() {
            if self.lowering.effects[index].at_instants != at_instants {
                continue;
            }
            program.run(&self.values, &mut self.scratch.work);
            if self.scratch.work.call_failed() {
                return Err(self.stop(StopKind::Effect(index)));
            }
        }
        Ok(())
    }

    fn apply_reinits(&mut self, happened: &mut Happened) -> Result<bool, Stop> {
        self.reinits.run(&self.values, &mut self.scratch.work);
        let mut any = false;
        let mut changes = Vec::new();
        for (i, &slot) in self.reinit_slots.iter().enumerate() {
            if self.reinits.output(&self.scratch.work, 2 * i) != 0.0 {
                changes.push((slot, self.reinits.output(&self.scratch.work, 2 * i + 1)));
            }
        }
        for (slot, value) in changes {
            happened.reinit = true;
            any = true;
            if !self.choice.plan.state_slots.contains(&slot) {
                let name = self
                    .smooth
                    .iter()
                    .find(|(s, _)| *s == slot)
                    .map(|(_, name)| *name);
                return Err(self.stop(StopKind::NoStates(name.into_iter().collect())));
            }
            self.values[slot as usize] = value;
        }
        Ok(any)
    }

    /// Assertions that do not hold.
    pub fn violated(&mut self) -> Vec<usize> {
        if self.assertions.n_outputs() == 0 {
            return Vec::new();
        }
        self.assertions.run(&self.values, &mut self.scratch.work);
        let violated: Vec<usize> = (0..self.assertions.n_outputs())
            .filter(|&i| self.assertions.output(&self.scratch.work, i) == 0.0)
            .collect();
        for &index in &violated {
            let computed = self.lowering.assertions[index].text.is_some();
            if computed && !self.told.contains_key(&index) {
                self.messages.run(&self.values, &mut self.scratch.work);
                let number = self.messages.output(&self.scratch.work, index);
                let text = self.lowering.functions.string(number);
                self.told.insert(index, text);
            }
        }
        violated
    }

    /// Whether `terminate` is reached; asked inside an event.
    fn reached_end(&mut self) -> Option<usize> {
        if self.ends.n_outputs() == 0 {
            return None;
        }
        self.ends.run(&self.values, &mut self.scratch.work);
        (0..self.ends.n_outputs()).find(|&i| self.ends.output(&self.scratch.work, i) != 0.0)
    }
}

/// By slot, the usual size of a value: `nominal` of a variable or of one that is equal to it.
fn nominals(lowering: &mut Lowering<'_>, sorted: &Sorted) -> Vec<f64> {
    let mut nominals = vec![1.0; sorted.slots.len()];
    for v in 0..lowering.class.len() as u32 {
        if lowering.class_of(v) != Class::Continuous {
            continue;
        }
        let slot = sorted.slots.get(Key::Var(lowering.aliases_of(v), 0));
        let nominal = lowering.attribute(v, "nominal").map(f64::abs);
        let usable = nominal.filter(|it| it.is_finite() && *it > 0.0);
        if let (Some(slot), Some(nominal)) = (slot, usable) {
            nominals[slot as usize] = nominal;
        }
    }
    nominals
}
