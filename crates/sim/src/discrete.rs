//! The discrete variables of a run mode by mode.
//!
//! What discrete variables are at an event is said by appendix B of the specification, whatever the structure does. So a
//! model is [`split`]: its discrete part is a sorted system of its own, with the continuous variables as inputs, and runs
//! beside the modes. At an event the two alternate: with the left limits as they are, the discrete part is computed, the
//! modes restart with what it says, and both are computed again until neither changes the other. Then left limits become
//! what was computed, until nothing changes at all.

mod leaves;
mod outright;
mod parts;
pub mod split;
mod straight;

use crate::failure::{Failure, FailureKind};
use crate::result::Trajectory;
use crate::simulator::{GivenStart, Simulator};
use crate::sorted::lower::{Lowering, Refusal};
use crate::sorted::machine::{Machine, Stop, StopKind};
use crate::sorted::output::Columns;
use crate::sorted::slots::{Key, RIGHT, TERMINAL, TIME};
use crate::tape::Functions;
use modeshift_base::FxHashMap;
use modeshift_flat::model::VarId as FlatVar;
use modeshift_inst::ty::Type;
use modeshift_mdae::cond::Formula;
use modeshift_mdae::model::{MDae, Meaning, ModeDef, ModeId};
use modeshift_mdae::sym::{Kind, VarId, VarRef, evaluate};
use modeshift_restart::numeric::Numbers;
use split::{NEVER, Split, Way};

/// A condition counts as changed a little beyond its threshold, as far as one of a mode does and then some: what both
/// watch happens at once.
const MARGIN: f64 = 2e-11;

/// How the modes take a value.
#[derive(Clone, Debug)]
enum Gives {
    Mode(ModeId),
    /// One mode variable for each value.
    Choice(Vec<(i64, ModeId)>),
    /// By a `when` at this instant: the variable that carries the number, and the one that keeps it.
    Number {
        instant: ModeId,
        carrier: VarId,
        variable: VarId,
    },
    /// A `when` fires at this instant.
    Fires(ModeId),
}

pub struct Discrete<'a> {
    machine: Machine<'a>,
    columns: Columns,
    /// One row of what it computes, and one of the run.
    own: Trajectory,
    run: Trajectory,
    /// Slots, columns of the run, and whether events alone change the variable.
    taken: Vec<(u32, usize, bool)>,
    /// Continuous variables are computed here, too.
    follows: bool,
    /// Columns of [`Self::own`], and who takes them.
    gives: Vec<(usize, Gives)>,
    /// By `sample`: start, interval, how many instants are over, slot.
    samples: Vec<(f64, f64, f64, u32)>,
    due: Vec<u32>,
    /// What was computed with the left limits before.
    last: Vec<f64>,
    excesses: Vec<f64>,
}

/// Instants at which numbers change are called as the variables that do.
pub fn name_instants(mdae: &mut MDae, split: &Split) {
    for (v, way) in &split.given {
        if let Some(instant) = instant_of(mdae, *v) {
            let variable = &split.continuous.variables[FlatVar::new(*v as usize)];
            mdae.modes[instant].name = match way {
                Way::Fires => "when".into(),
                _ if variable.name.starts_with('$') => "integer part".into(),
                _ => variable.name.clone(),
            };
        }
    }
}

fn instant_of(mdae: &MDae, v: u32) -> Option<ModeId> {
    let numbers = Numbers::default();
    let mut modes = mdae.modes.iter_enumerated();
    let found = modes.find(|(_, mode)| {
        let ModeDef::Pulse(call) = &mode.def else {
            return false;
        };
        let Kind::Call(_, args) = call.kind() else {
            return false;
        };
        let number = |i: usize| args.get(i).and_then(|arg| evaluate(arg, &numbers).ok());
        number(0) == Some(NEVER) && number(1) == Some(f64::from(v + 1))
    });
    found.map(|(id, _)| id)
}

impl<'a> Discrete<'a> {
    /// `mdae` is that of the part that moves, `run` an empty trajectory of its run.
    pub fn new(
        split: &'a Split,
        functions: &'a Functions,
        overrides: &'a FxHashMap<u32, f64>,
        mdae: &MDae,
        run: Trajectory,
    ) -> Result<Self, Refusal> {
        let mut lowering = Lowering::new(&split.discrete, functions, overrides, false);
        lowering.is_part = true;
        let mut machine = Machine::new(lowering)?;
        let columns = Columns::new(&mut machine);
        let own = columns.trajectory(1);
        let missing = |what: &str, lowering: &Lowering<'_>| {
            lowering.refuse(format!("{what} is needed to follow discrete variables"))
        };
        let mut taken = Vec::new();
        for &v in &split.taken {
            let variable = &split.continuous.variables[FlatVar::new(v as usize)];
            let (name, held) = (
                &variable.name,
                variable.ty != Type::Real || variable.discrete,
            );
            for order in 0..2 {
                let Some(slot) = machine.sorted.slots.get(Key::Var(v, order)) else {
                    continue;
                };
                let name = match order {
                    0 => name.to_string(),
                    _ => format!("der({name})"),
                };
                match run.find(&name) {
                    Some(column) => taken.push((slot, column, held)),
                    None => return Err(missing(&format!("`{name}`"), &machine.lowering)),
                }
            }
        }
        let mut gives = Vec::new();
        for &(v, way) in &split.given {
            let carrier = match way {
                Way::Copied(carrier) => Some(carrier),
                _ => None,
            };
            let variable = &split.continuous.variables[FlatVar::new(v as usize)];
            let name = &variable.name;
            // Equations that move have no strings.
            if variable.ty == Type::String {
                continue;
            }
            let Some(column) = own.find(name) else {
                return Err(missing(&format!("`{name}`"), &machine.lowering));
            };
            let meaning = |v: u32| mdae.meanings.iter().nth(v as usize);
            let how = match (meaning(v), carrier.and_then(meaning)) {
                _ if way == Way::Fires => instant_of(mdae, v).map(Gives::Fires),
                (Some(Meaning::Mode(id)), _) => Some(Gives::Mode(*id)),
                (Some(Meaning::Family(family)), None) => {
                    let values = mdae.families[*family].values.iter();
                    let modes =
                        values.filter_map(|choice| match mdae.conds.formula(choice.condition) {
                            Formula::Mode(id) => Some((choice.value, *id)),
                            _ => None,
                        });
                    Some(Gives::Choice(modes.collect()))
                }
                (Some(Meaning::Variable(variable)), Some(Meaning::Variable(carrier))) => {
                    instant_of(mdae, v).map(|instant| Gives::Number {
                        instant,
                        carrier: *carrier,
                        variable: *variable,
                    })
                }
                _ => None,
            };
            match how {
                Some(how) => gives.push((column, how)),
                None => return Err(missing(&format!("`{name}`"), &machine.lowering)),
            }
        }
        Ok(Self {
            machine,
            columns,
            own,
            run,
            taken,
            follows: split.follows,
            gives,
            samples: Vec::new(),
            due: Vec::new(),
            last: Vec::new(),
            excesses: Vec::new(),
        })
    }

    /// Takes the values of the run; whether some are new.
    fn load(&mut self, simulator: &Simulator<'_>) -> bool {
        self.load_some(simulator, true)
    }

    /// What a `reinit` has set is there in the next pass only; what moves is not taken before.
    fn load_some(&mut self, simulator: &Simulator<'_>, moving: bool) -> bool {
        self.run.rows.clear();
        simulator.record(&mut self.run);
        let values = &mut self.machine.values;
        values[TIME as usize] = simulator.time();
        let mut changed = false;
        for &(slot, column, held) in &self.taken {
            if !held && !moving {
                continue;
            }
            let value = self.run.rows[column];
            changed |= values[slot as usize] != value;
            values[slot as usize] = value;
        }
        changed
    }

    /// The same, with what follows from these values while conditions are held.
    fn load_between(&mut self, simulator: &Simulator<'_>) {
        self.load(simulator);
        if self.follows {
            // What has no value here is for the modes to say.
            let _ = self.machine.evaluate();
        }
    }

    /// What is computed, by the order of [`Self::gives`].
    fn outputs(&mut self) -> Vec<f64> {
        self.own.rows.clear();
        self.columns.record(&self.machine, &mut self.own);
        let columns = self.gives.iter();
        columns.map(|(column, _)| self.own.rows[*column]).collect()
    }

    /// What the modes do not know yet.
    fn flips(&mut self, simulator: &mut Simulator<'_>) -> Vec<(ModeId, bool)> {
        let outputs = self.outputs();
        let mut flips = Vec::new();
        for (i, (value, (_, how))) in outputs.into_iter().zip(&self.gives).enumerate() {
            match how {
                Gives::Fires(instant) if self.last.get(i).is_some_and(|last| *last != value) => {
                    flips.push((*instant, true));
                }
                Gives::Fires(_) => {}
                Gives::Mode(id) => flips.push((*id, value != 0.0)),
                Gives::Choice(modes) => {
                    flips.extend(modes.iter().map(|(v, id)| (*id, value == *v as f64)));
                }
                Gives::Number {
                    instant,
                    carrier,
                    variable,
                } => {
                    simulator.set_value(VarRef::now(*carrier, 0), value);
                    if simulator.value(VarRef::now(*variable, 0)) != value {
                        flips.push((*instant, true));
                    }
                }
            }
        }
        flips.retain(|(id, value)| simulator.mode[id.index()] != *value);
        flips
    }

    fn failure(&self, simulator: &Simulator<'_>, stop: Stop) -> Failure {
        let names = match stop.kind {
            StopKind::NoEnd(names) => names,
            StopKind::Unsolved(error) => error.variables(),
            _ => Vec::new(),
        };
        let names = names.into_iter().map(|name| name.var.0);
        let names = names.filter(|&v| (v as usize) < self.machine.lowering.class.len());
        let names = names.map(|v| self.machine.lowering.variable(v).name.replace('$', "."));
        simulator.fail(FailureKind::Discrete(names.collect()))
    }

    /// The start of both parts: each is computed with what the other one gives until they agree.
    pub fn start(
        &mut self,
        simulator: &mut Simulator<'_>,
        time: f64,
        mut start: impl FnMut(&mut Simulator<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        const MAX_ROUNDS: usize = 10;
        simulator.set_start_values();
        let mut last: Vec<f64> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            self.load(simulator);
            let values = &self.machine.values;
            let taken = self.taken.iter();
            let known = taken.map(|&(slot, ..)| (slot, values[slot as usize]));
            self.machine.known = known.collect();
            let found = self.machine.start(time);
            found.map_err(|stop| self.failure(simulator, stop))?;
            let outputs = self.outputs();
            if outputs == last {
                for (start, interval, slot) in self.machine.samples() {
                    if !(interval > 0.0 && interval.is_finite() && start.is_finite()) {
                        return Err(simulator.fail(FailureKind::Discrete(Vec::new())));
                    }
                    let passed = ((time - start) / interval - 1e-9).ceil().max(0.0);
                    self.samples.push((start, interval, passed, slot));
                }
                return Ok(());
            }
            simulator.given = GivenStart::default();
            for (&value, (_, how)) in outputs.iter().zip(&self.gives) {
                match how {
                    Gives::Fires(_) => {}
                    Gives::Mode(id) => simulator.given.modes.push((*id, value != 0.0)),
                    Gives::Choice(modes) => {
                        let modes = modes.iter().map(|(v, id)| (*id, value == *v as f64));
                        simulator.given.modes.extend(modes);
                    }
                    Gives::Number {
                        carrier, variable, ..
                    } => {
                        let both = [(*carrier, value), (*variable, value)];
                        simulator.given.numbers.extend(both);
                    }
                }
            }
            last = outputs;
            start(simulator)?;
        }
        Err(simulator.fail(FailureKind::Discrete(Vec::new())))
    }

    /// The next instant that is known beforehand.
    pub fn next_instant(&mut self, simulator: &Simulator<'_>) -> f64 {
        self.load_between(simulator);
        let next = self.machine.next_timed().unwrap_or(f64::INFINITY);
        let samples = self.samples.iter();
        samples.fold(next, |next, (start, interval, passed, _)| {
            next.min(start + passed * interval)
        })
    }

    pub fn watches(&self) -> bool {
        self.machine.watches()
    }

    pub fn uses_terminal(&self) -> bool {
        self.machine.uses_terminal
    }

    /// From now on it is the end.
    pub fn end_is_near(&mut self) {
        self.machine.values[TERMINAL as usize] = 1.0;
    }

    /// How far conditions are beyond their thresholds, added to those of the modes.
    pub fn excesses(&mut self, simulator: &Simulator<'_>, out: &mut Vec<f64>) {
        self.load_between(simulator);
        self.machine.excesses(&mut self.excesses);
        out.extend(self.excesses.iter().map(|excess| excess - MARGIN));
    }

    /// An event begins; at the first one, with which `initial()` ends, nothing is sampled yet.
    fn begin(&mut self, simulator: &Simulator<'_>, first: bool) {
        self.load(simulator);
        let t = simulator.time();
        self.due.clear();
        let samples: &mut [_] = if first { &mut [] } else { &mut self.samples };
        for (start, interval, passed, slot) in samples {
            let at = *start + *passed * *interval;
            if at <= t + 16.0 * f64::EPSILON * t.abs() {
                self.due.push(*slot);
                *passed += 1.0;
            }
        }
        self.machine.begin_event(&self.due);
        self.last = self.outputs();
    }

    /// Left limits follow; whether nothing changed.
    fn follow(&mut self, simulator: &Simulator<'_>) -> Result<bool, Failure> {
        self.last = self.outputs();
        let changed = self.machine.follow_lefts();
        let changed = changed.map_err(|stop| self.failure(simulator, stop))?;
        let due = std::mem::take(&mut self.due);
        self.machine.end_samples(&due);
        Ok(changed.is_empty() && due.is_empty())
    }
}

impl Simulator<'_> {
    /// An event of both parts, perhaps the one with which the start ends.
    pub fn handle_with(
        &mut self,
        discrete: &mut Discrete<'_>,
        flips: Vec<(ModeId, bool)>,
        first: bool,
    ) -> Result<Vec<crate::result::EventRecord>, Failure> {
        const MAX_ROUNDS: usize = 100;
        const MAX_TRIES: usize = 20;
        let mut own = flips;
        let mut records = Vec::new();
        let mut flipped = modeshift_base::FxHashSet::default();
        discrete.begin(self, first);
        for _ in 0..MAX_ROUNDS {
            let before = self.now();
            let mut tried: Option<(Vec<f64>, _)> = None;
            let mut agreed = false;
            for _ in 0..MAX_TRIES {
                let passed = discrete.machine.pass();
                passed.map_err(|stop| discrete.failure(self, stop))?;
                let outputs = discrete.outputs();
                if let Some((known, _)) = &tried {
                    if *known == outputs {
                        agreed = true;
                        break;
                    }
                    self.take_back(&before)?;
                }
                let mut flips = own.clone();
                for flip in discrete.flips(self) {
                    flips.retain(|(id, _)| *id != flip.0);
                    flips.push(flip);
                }
                let event = self.follow(&flips)?;
                let reset = event.is_some_and(|event| self.resets(&event));
                let round = self.round(&flips, &mut flipped)?;
                let transient = round.0.as_ref().and_then(|it| it.transient.clone());
                let new = self.in_mode(transient, |it| discrete.load_some(it, !reset));
                tried = Some((outputs, round));
                if !new {
                    agreed = true;
                    break;
                }
            }
            let Some((_, (record, next))) = tried.filter(|_| agreed) else {
                return Err(self.fail(FailureKind::Discrete(Vec::new())));
            };
            records.extend(record);
            let quiet = discrete.follow(self)?;
            let settled = !discrete.load(self);
            own = next;
            if quiet && settled && own.is_empty() {
                discrete.machine.values[RIGHT as usize] = 0.0;
                return Ok(records);
            }
        }
        Err(self.fail(FailureKind::Discrete(Vec::new())))
    }

    /// Does something in another mode, if there is one.
    fn in_mode<T>(
        &mut self,
        mode: Option<modeshift_restart::modes::Mode>,
        mut f: impl FnMut(&mut Self) -> T,
    ) -> T {
        let Some(mode) = mode else { return f(self) };
        let truth = self.mdae.conds.evaluate(&mode);
        let kept = (
            std::mem::replace(&mut self.mode, mode),
            std::mem::replace(&mut self.truth, truth),
        );
        let result = f(self);
        (self.mode, self.truth) = kept;
        result
    }
}
