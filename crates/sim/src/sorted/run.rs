//! The loop over time: steps, outputs, events.

use super::lower::{Lowering, Refusal};
use super::machine::{Happened, Machine, Stop, StopKind};
use super::output::Columns;
use super::slots::{TERMINAL, TIME};
use super::valuation::Modes;
use crate::block::BlockError;
use crate::border;
use crate::crossing::Search;
use crate::delay::Line;
use crate::integrate::{Kind, Method, NoValue, Settings, Slopes, StepError, System, Trouble};
use crate::profile::{Phases, Profile, timed};
use crate::result::{Statistics, Trajectory};
use crate::run::{Options, Progress};
use crate::tape::Functions;
use crate::zeno::{Endless, Watch};
use modeshift_algebra::Sparse;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{FlatModel, Place};
use modeshift_mdae::sym::VarRef;
use modeshift_restart::names::derivative_name;
use std::time::Instant;

/// Remarks of one kind.
const MAX_REMARKS: usize = 8;
/// Fewer failed attempts at a step say nothing about stiffness.
const MANY_REJECTED: usize = 100;

/// One event.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub time: f64,
    /// Conditions that changed, and discrete variables.
    pub causes: Vec<String>,
    /// What conditions and Boolean variables were and are, in the order of [`Outcome::modes`].
    pub from: Vec<bool>,
    pub to: Vec<bool>,
    /// Name, value before, value after.
    pub jumps: Vec<(String, f64, f64)>,
}

/// Something worth knowing that did not end the run.
#[derive(Clone, Debug)]
pub enum Remark {
    /// An assertion with the level `warning` does not hold.
    Warned(f64, usize),
    /// `terminate` was reached.
    Ended(f64, usize),
    /// A start value was not taken: its number, the value, and what the variable starts at.
    Untaken(usize, f64, f64),
    /// Variables that nothing reads have no value from this time on.
    /// Perhaps because of a subscript out of range: its number and value.
    NoNumber(
        f64,
        Vec<String>,
        Option<(usize, f64)>,
        Option<(Place, String)>,
    ),
    /// Several values of these conditions fitted.
    Several(f64, Vec<VarRef>),
    /// The equations do not determine these; they keep their values.
    Kept(f64, Vec<VarRef>),
}

/// A run, complete or up to where it stopped.
pub struct Outcome<'a> {
    pub trajectory: Trajectory,
    pub events: Vec<Event>,
    pub statistics: Statistics,
    pub solver: &'static str,
    pub remarks: Vec<Remark>,
    pub stop: Option<Stop>,
    /// A subscript that is out of range at the end: its number and value.
    pub out_of_range: Option<(usize, f64)>,
    pub modes: Modes,
    pub machine: Machine<'a>,
    pub phases: Phases,
}

impl Outcome<'_> {
    /// What blocks and functions cost, if that was asked for.
    pub fn profile(&self) -> Profile {
        Profile {
            blocks: self.machine.costs(),
            functions: self.machine.lowering.functions.costs(),
        }
        .sorted()
    }

    /// Whether the equations did not determine something.
    pub fn is_undetermined(&self) -> bool {
        let stop = self.stop.as_ref().map(|stop| &stop.kind);
        matches!(stop, Some(StopKind::Unsolved(BlockError::Singular(_))))
    }

    /// Whether what stopped it may be a change of structure. No other structure has the element that a subscript asks for.
    pub fn may_be_structural(&self) -> bool {
        let Some(stop) = &self.stop else { return false };
        let undefined = matches!(stop.kind, StopKind::Unsolved(BlockError::Undefined(_)));
        stop.kind.may_be_structural() && !(undefined && self.out_of_range.is_some())
    }

    /// The time that was reached; infinite for a run that is complete.
    fn reached(&self) -> f64 {
        self.stop.as_ref().map_or(f64::INFINITY, |stop| stop.time)
    }

    /// The variables that were integrated last.
    pub fn states(&self) -> Vec<String> {
        let states = self.machine.choice.plan.states.iter();
        states.map(|&state| self.name(state)).collect()
    }

    /// An unknown in the modeller's words.
    pub fn name(&self, unknown: VarRef) -> String {
        let lowering = &self.machine.lowering;
        if unknown.var.0 as usize >= lowering.class.len() {
            return "a condition".to_owned();
        }
        derivative_name(&lowering.variable(unknown.var.0).name, unknown.order)
    }
}

/// Runs a model. `overrides` are parameters by number.
pub fn run<'a>(
    flat: &'a FlatModel,
    functions: &'a Functions,
    overrides: &'a FxHashMap<u32, f64>,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Outcome<'a>, Refusal> {
    let mut attempt = |how| attempt(flat, functions, overrides, options, how, progress);
    let mut how = How::default();
    let mut first = attempt(how);
    // Impure functions would be called twice.
    if flat.functions.iter().any(|function| !function.pure) {
        return first;
    }
    if let Ok(outcome) = &first
        && let Some(Stop { kind, .. }) = &outcome.stop
        && matches!(kind, StopKind::Chattering(..) | StopKind::Zeno(..))
        && outcome.machine.lowering.has_kinks
    {
        how.kink_events = false;
        first = farther(first, attempt(how));
    }
    let other_states = match &first {
        Ok(outcome) => {
            let stop = outcome.stop.as_ref();
            let due = stop.is_some_and(|stop| stop.kind.may_be_due_to_states());
            outcome.machine.sorted.prefers && due
        }
        Err(_) => true,
    };
    if !other_states {
        return first;
    }
    // A preferred variable that jumps, or an equation without a derivative: the states are those that are differentiated.
    functions.take_error();
    how.prefer = false;
    farther(first, attempt(how))
}

/// Which of several ways to run a model is taken.
#[derive(Clone, Copy, Debug)]
struct How {
    /// Preferred variables may be states even if nobody differentiates them.
    prefer: bool,
    /// Relations in `smooth(0, …)` make events.
    kink_events: bool,
}

impl Default for How {
    fn default() -> Self {
        Self {
            prefer: true,
            kink_events: true,
        }
    }
}

/// The run that came farther, the first one among equals.
fn farther<'a>(
    first: Result<Outcome<'a>, Refusal>,
    second: Result<Outcome<'a>, Refusal>,
) -> Result<Outcome<'a>, Refusal> {
    match (second, first) {
        (Ok(second), Ok(first)) if second.reached() <= first.reached() => Ok(first),
        (Err(_), Ok(first)) => Ok(first),
        (second, _) => second,
    }
}

/// Runs a model in one way.
fn attempt<'a>(
    flat: &'a FlatModel,
    functions: &'a Functions,
    overrides: &'a FxHashMap<u32, f64>,
    options: &Options,
    how: How,
    progress: Progress<'_>,
) -> Result<Outcome<'a>, Refusal> {
    let began = Instant::now();
    let mut phases = Phases::default();
    let mut compiled = |homotopy: bool| -> Result<Machine<'a>, Refusal> {
        timed(&mut phases.compile, || {
            let mut lowering = Lowering::new(flat, functions, overrides, homotopy);
            lowering.prefer = how.prefer;
            lowering.kink_events = how.kink_events;
            let mut machine = Machine::new(lowering)?;
            machine.drive(&options.inputs);
            Ok(machine)
        })
    };
    let mut machine = compiled(false)?;
    // The modeller chose the solution by a simplified system.
    let mut simplified = match machine.lowering.has_homotopy {
        true => Some(compiled(true)?),
        false => None,
    };
    for machine in simplified.iter_mut().chain([&mut machine]) {
        machine.scratch.profiling = options.profile;
        machine.scratch.keeps = options.keep_undetermined;
    }
    let mut started = Ok(());
    timed(&mut phases.start, || {
        let simplified = simplified.map(|mut other| (other.start(options.start), other));
        match simplified {
            Some((Ok(()), other)) => machine = other,
            _ => started = machine.start(options.start),
        }
    });
    let columns = Columns::new(&mut machine);
    let modes = Modes::new(&machine);
    let mut run = Run {
        modes,
        trajectory: columns
            .trajectory(((options.stop - options.start) / options.interval) as usize),
        columns,
        options,
        events: Vec::new(),
        statistics: Statistics::default(),
        search: Search::new(options.tolerance),
        method: options.solver.first(),
        next_output: 1,
        watch: Watch::of_bounces(options.stop - options.start),
        samples: Vec::new(),
        attempts: (0, 0),
        remarks: Vec::new(),
        without_value: FxHashSet::default(),
        progress,
        machine,
        phases,
    };
    let stop = match started {
        Ok(()) => run.go().err(),
        Err(stop) => Some(stop),
    };
    run.statistics.modes = run.machine.n_choices();
    let phases = &mut run.phases;
    let others = phases.compile + phases.start + phases.events;
    phases.integrate = began.elapsed().saturating_sub(others);
    Ok(Outcome {
        phases: run.phases,
        trajectory: run.trajectory,
        events: run.events,
        statistics: run.statistics,
        solver: run.method.name(),
        remarks: run.remarks,
        out_of_range: stop.as_ref().and_then(|_| run.machine.out_of_range()),
        stop,
        modes: run.modes,
        machine: run.machine,
    })
}

struct Run<'a, 'p, 'o> {
    machine: Machine<'a>,
    columns: Columns,
    modes: Modes,
    options: &'o Options,
    trajectory: Trajectory,
    events: Vec<Event>,
    statistics: Statistics,
    search: Search,
    method: Kind,
    /// The number of the next point of the output.
    next_output: usize,
    watch: Watch<u32>,
    /// By `sample`: start, interval, how many instants are over, slot.
    samples: Vec<(f64, f64, f64, u32)>,
    /// Steps that were taken so far, and attempts that failed.
    attempts: (usize, usize),
    remarks: Vec<Remark>,
    /// Slots of variables without a value that were told of.
    without_value: FxHashSet<u32>,
    progress: Progress<'p>,
    phases: Phases,
}

/// The right-hand side between events.
struct Adapter<'s, 'a> {
    machine: &'s mut Machine<'a>,
}

impl System for Adapter<'_, '_> {
    fn dimension(&self) -> usize {
        self.machine.choice.plan.states.len()
    }

    fn nominal(&self, state: usize) -> f64 {
        let slot = self.machine.choice.plan.state_slots[state];
        self.machine.scratch.nominal(slot)
    }

    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue> {
        self.machine.set_states(t, y);
        self.machine.evaluate().map_err(|_| NoValue)?;
        let choice = &self.machine.choice;
        for (out, &slot) in out.iter_mut().zip(&choice.plan.derivative_slots) {
            *out = self.machine.values[slot as usize];
        }
        if out.iter().all(|v| v.is_finite()) {
            Ok(())
        } else {
            Err(NoValue)
        }
    }

    fn pattern(&mut self) -> Sparse {
        self.machine.choice.plan.coloured().pattern.clone()
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        slopes: Slopes,
        out: &mut Sparse,
    ) -> Result<(), NoValue> {
        match slopes {
            Slopes::Exact => {
                self.machine.set_states(t, y);
                self.machine.evaluate().map_err(|_| NoValue)?;
                let choice = self.machine.choice.clone();
                let Machine {
                    values, scratch, ..
                } = &mut *self.machine;
                choice
                    .plan
                    .jacobian(values, scratch, out)
                    .map_err(|_| NoValue)?;
            }
            Slopes::Quotients => self.quotients(t, y, out)?,
        }
        if out.values.iter().all(|v| v.is_finite()) {
            Ok(())
        } else {
            Err(NoValue)
        }
    }
}

impl Adapter<'_, '_> {
    /// Forward differences, one evaluation per colour.
    fn quotients(&mut self, t: f64, y: &[f64], out: &mut Sparse) -> Result<(), NoValue> {
        let choice = self.machine.choice.clone();
        let (mut here, mut there) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        self.derivative(t, y, &mut here)?;
        let mut moved = y.to_vec();
        for columns in &choice.plan.coloured().colours {
            for &i in columns {
                let size = y[i].abs().max(1e-4);
                moved[i] = y[i] + (f64::EPSILON.sqrt() * size).copysign(here[i]);
            }
            self.derivative(t, &moved, &mut there)?;
            for &i in columns {
                let step = moved[i] - y[i];
                for k in out.starts[i]..out.starts[i + 1] {
                    out.values[k] = (there[out.rows[k]] - here[out.rows[k]]) / step;
                }
                moved[i] = y[i];
            }
        }
        Ok(())
    }
}

/// How a stretch between events ended.
enum End {
    Limit,
    /// A condition changes here.
    Crossing,
    /// A branch of a loop without events ends here.
    Branch,
    /// Other states were chosen, or another method.
    Again,
}

fn near(a: f64, b: f64) -> bool {
    a.is_finite() && b.is_finite() && (a - b).abs() <= 16.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// The same value up to the rounding of an interpolation.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

impl Run<'_, '_, '_> {
    fn go(&mut self) -> Result<(), Stop> {
        let start = self.options.start;
        for (at, interval, slot) in self.machine.samples() {
            if !(interval > 0.0 && interval.is_finite() && at.is_finite()) {
                return Err(self.machine.stop(StopKind::Sample(interval)));
            }
            let passed = ((start - at) / interval - 1e-9).ceil().max(0.0);
            self.samples.push((at, interval, passed, slot));
        }
        let untaken = self.machine.contradicting_starts().into_iter();
        let untaken = untaken.map(|(index, start, found)| Remark::Untaken(index, start, found));
        self.remarks.extend(untaken.take(MAX_REMARKS));
        // The instant of the start is one of the event iteration, too: `initial()` is false from now on.
        let happened = self.machine.event(&[])?;
        drop(happened);
        self.record();
        self.check()?;
        let mut step = None;
        while self.machine.time() < self.options.stop && self.machine.ended.is_none() {
            let t = self.machine.time();
            let limit = self.next_instant();
            if limit <= t || near(limit, t) {
                self.event()?;
                step = None;
                continue;
            }
            if near(self.options.stop, t) {
                self.finish()?;
                break;
            }
            match self.stretch(limit.min(self.options.stop), &mut step)? {
                End::Limit if limit <= self.options.stop => {
                    if !self.only_bends()? {
                        self.event()?;
                    }
                    step = None;
                }
                End::Limit | End::Again => {}
                End::Crossing => {
                    self.event()?;
                    step = None;
                }
                End::Branch => {
                    self.switch()?;
                    step = None;
                }
            }
        }
        if let Some(index) = self.machine.ended {
            self.remarks.push(Remark::Ended(self.machine.time(), index));
        } else if self.machine.uses_terminal {
            self.machine.values[TERMINAL as usize] = 1.0;
            self.event()?;
        }
        Ok(())
    }

    /// Adds a row to the trajectory.
    fn record(&mut self) {
        self.columns.record(&self.machine, &mut self.trajectory);
        let n = self.trajectory.n_rows();
        let row = self.trajectory.row(n - 1);
        if row.iter().all(|value| value.is_finite()) || self.without_value.len() > MAX_REMARKS {
            return;
        }
        let new = self.columns.without_value(row, &mut self.without_value);
        if !new.is_empty() {
            let out = self.machine.out_of_range();
            let operation = super::undefined::operation(&self.machine);
            self.remarks
                .push(Remark::NoNumber(self.machine.time(), new, out, operation));
        }
    }

    /// The stop time is nearer than a step can be short.
    fn finish(&mut self) -> Result<(), Stop> {
        self.machine.values[TIME as usize] = self.options.stop;
        self.machine
            .evaluate()
            .map_err(|error| self.machine.stop(StopKind::Unsolved(error)))?;
        self.record();
        Ok(())
    }

    /// The next instant that is known beforehand.
    fn next_instant(&mut self) -> f64 {
        let mut next = self.machine.next_timed().unwrap_or(f64::INFINITY);
        for (start, interval, passed, _) in &self.samples {
            next = next.min(start + passed * interval);
        }
        next.min(self.machine.inputs.next_break().unwrap_or(f64::INFINITY))
    }

    /// Whether inputs reach a row of their table, and nothing else happens: nothing jumps, no condition changes.
    fn only_bends(&mut self) -> Result<bool, Stop> {
        let t = self.machine.time();
        let at = self.machine.inputs.next_break();
        if !at.is_some_and(|at| at <= t || near(at, t)) {
            return Ok(false);
        }
        let before = self.machine.values.clone();
        let row = self.machine.inputs.clone();
        self.machine.pass_inputs();
        let slots = self.machine.inputs.at(t);
        let jump = |((slot, _), value, _): ((u32, Option<u32>), f64, f64)| {
            !close(value, before[slot as usize])
        };
        let jumps = slots.into_iter().any(jump);
        let next = self.next_instant();
        if !jumps && next > t && !near(next, t) {
            self.machine
                .evaluate()
                .map_err(|error| self.machine.stop(StopKind::Unsolved(error)))?;
            if !self.machine.condition_changes() {
                return Ok(true);
            }
        }
        // What was before the event is still to be recorded.
        self.machine.inputs = row;
        self.machine.values = before;
        Ok(false)
    }

    /// The slots of samples that are due now; they are over.
    fn due(&mut self) -> Vec<u32> {
        let t = self.machine.time();
        let mut due = Vec::new();
        for (start, interval, passed, slot) in &mut self.samples {
            let at = *start + *passed * *interval;
            if at <= t || near(at, t) {
                due.push(*slot);
                *passed += 1.0;
            }
        }
        due
    }

    /// Records the values before, lets the event happen, records the values after.
    fn event(&mut self) -> Result<(), Stop> {
        let began = Instant::now();
        let result = self.event_untimed();
        self.phases.events += began.elapsed();
        result
    }

    /// An instant that is known beforehand is exact. An event that rounding found a little before it happens there: what is
    /// sampled at 1 does not see a time before 1.
    fn meet_instant(&mut self) {
        let t = self.machine.time();
        let at = self.next_instant();
        if at > t && near(at, t) && at <= self.options.stop {
            self.machine.values[TIME as usize] = at;
        }
    }

    fn event_untimed(&mut self) -> Result<(), Stop> {
        self.meet_instant();
        self.record();
        let before = self.machine.values.clone();
        let due = self.due();
        let happened = self.machine.event(&due)?;
        self.record();
        self.statistics.events += 1;
        self.machine.remember(self.statistics.events);
        if self.machine.reselect()? {
            self.statistics.reselections += 1;
        }
        self.log(&happened, &before);
        self.tell(self.machine.time());
        self.check()?;
        self.watch_for_end(happened)
    }

    /// Another branch of a loop takes over. For the model that is no event, since it wrote `noEvent`: nothing is recorded unless
    /// discrete values follow.
    fn switch(&mut self) -> Result<(), Stop> {
        let before = self.machine.values.clone();
        let happened = self.machine.event(&[])?;
        if happened.reinit || !happened.discrete.is_empty() {
            self.columns.record(&self.machine, &mut self.trajectory);
            self.statistics.events += 1;
            self.log(&happened, &before);
        }
        self.machine.remember(self.statistics.events);
        if self.machine.reselect()? {
            self.statistics.reselections += 1;
        }
        self.check()?;
        self.watch_for_end(happened)
    }

    fn watch_for_end(&mut self, happened: Happened) -> Result<(), Stop> {
        let changed =
            happened.reinit || !happened.conditions.is_empty() || !happened.discrete.is_empty();
        if !changed {
            return Ok(());
        }
        let endless = self
            .watch
            .note(self.machine.time(), happened.reinit, happened.conditions);
        match endless {
            None => Ok(()),
            Some(Endless::Zeno { at, guards, events }) => {
                Err(self.machine.stop(StopKind::Zeno(at, events, guards)))
            }
            Some(Endless::Chattering { guards, events }) => {
                Err(self.machine.stop(StopKind::Chattering(events, guards)))
            }
        }
    }

    fn log(&mut self, happened: &Happened, before: &[f64]) {
        const MAX_EVENTS: usize = 100_000;
        if self.events.len() >= MAX_EVENTS {
            return;
        }
        let name = |name: &VarRef| self.columns.name(*name);
        let mut causes: Vec<String> = happened.discrete.iter().filter_map(name).collect();
        let conditions = happened.conditions.iter();
        let conditions = conditions.filter_map(|&i| self.modes.condition(i));
        causes.extend(conditions.map(str::to_owned));
        let (from, to) = (self.modes.of(before), self.modes.of(&self.machine.values));
        let jumps = self.columns.jumps(before, &self.machine.values);
        self.events.push(Event {
            time: self.machine.time(),
            causes,
            from,
            to,
            jumps,
        });
    }

    /// Assertions, and calls that are checks: warnings are said once each, errors are the end.
    fn check(&mut self) -> Result<(), Stop> {
        self.machine.make_calls(false)?;
        let kept = std::mem::take(&mut self.machine.scratch.kept);
        let told = |it: &VarRef| {
            let mut remarks = self.remarks.iter();
            remarks.any(|r| matches!(r, Remark::Kept(_, list) if list.contains(it)))
        };
        let new: Vec<VarRef> = kept.into_iter().filter(|it| !told(it)).collect();
        if !new.is_empty() {
            self.remarks.push(Remark::Kept(self.machine.time(), new));
        }
        for names in std::mem::take(&mut self.machine.scratch.several) {
            let known = |r: &Remark| matches!(r, Remark::Several(_, list) if *list == names);
            if !self.remarks.iter().any(known) {
                self.remarks
                    .push(Remark::Several(self.machine.time(), names));
            }
        }
        let mut violated = self.machine.violated();
        violated.append(&mut self.machine.failed);
        for index in violated {
            if !self.machine.lowering.assertions[index].warning {
                return Err(self.machine.stop(StopKind::Assertion(index)));
            }
            let known = |r: &Remark| matches!(r, Remark::Warned(_, i) if *i == index);
            if !self.remarks.iter().any(known) {
                self.remarks
                    .push(Remark::Warned(self.machine.time(), index));
            }
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        let span = (self.options.stop - self.options.start) / 20.0;
        Settings {
            relative: self.options.tolerance,
            absolute: self.options.tolerance * 1e-2,
            largest_step: self
                .machine
                .lines
                .iter()
                .map(Line::longest_step)
                .fold(span, f64::min),
        }
    }

    /// Integrates until `limit` or the next event.
    fn stretch(&mut self, limit: f64, step: &mut Option<f64>) -> Result<End, Stop> {
        let t = self.machine.time();
        self.machine.lines.iter_mut().for_each(|line| line.aim(t));
        let choice = self.machine.choice.clone();
        let y: Vec<f64> = choice
            .plan
            .state_slots
            .iter()
            .map(|&slot| self.machine.values[slot as usize])
            .collect();
        let settings = self.settings();
        let steps_before = self.statistics.steps;
        let mut method = self.method.start(settings, t, &y, *step);
        let mut excess = Vec::new();
        self.machine.excesses(&mut excess);
        self.search.begin(t, excess);
        let watching = self.machine.watches();
        let result = loop {
            let taken = method.step(
                &mut Adapter {
                    machine: &mut self.machine,
                },
                limit,
            );
            if let Err(error) = taken {
                let crossed = watching
                    && border::is_reached(error, method.as_ref())
                    && self.cross_border(method.as_mut(), limit)?;
                break match crossed {
                    true => Ok(End::Crossing),
                    false => Err(self.step_failure(error, method.as_mut())),
                };
            }
            self.statistics.steps += 1;
            let (_, end) = method.interval();
            if watching && let Some((low, at)) = self.crossing(method.as_mut(), end)? {
                self.outputs_until(method.as_mut(), at, false)?;
                self.remember(method.as_mut(), at)?;
                self.load_left(method.as_mut(), low, at)?;
                break Ok(match self.machine.condition_changes() {
                    true => End::Crossing,
                    false => End::Branch,
                });
            }
            self.outputs_until(method.as_mut(), end, true)?;
            self.remember(method.as_mut(), end)?;
            self.load(method.as_mut(), end)?;
            self.check()?;
            self.tell(end);
            *step = Some(method.next_step());
            if end >= limit {
                break Ok(End::Limit);
            }
            if self.machine.reselect()? {
                self.statistics.reselections += 1;
                break Ok(End::Again);
            }
            if let Some(other) = self.options.solver.when_stiff()
                && method.is_stiff()
            {
                self.method = other;
                *step = None;
                break Ok(End::Again);
            }
        };
        let effort = method.effort();
        self.statistics.effort += effort;
        self.attempts.0 += self.statistics.steps - steps_before;
        self.attempts.1 += effort.rejected;
        // Between events that follow each other quickly a method does not live long enough to notice that the model is stiff.
        let (taken, rejected) = self.attempts;
        if self.method == Kind::Dopri5
            && let Some(other) = self.options.solver.when_stiff()
            && rejected > taken.max(MANY_REJECTED)
        {
            self.method = other;
            *step = None;
        }
        result
    }

    /// Delayed values keep four points of the step that ends at `end`.
    fn remember(&mut self, method: &mut dyn Method, end: f64) -> Result<(), Stop> {
        if self.machine.pipes.is_empty() && self.machine.lines.iter().all(|line| line.held) {
            return Ok(());
        }
        let (start, _) = method.interval();
        for part in 1..=4 {
            let t = if part == 4 {
                end
            } else {
                start + f64::from(part) / 4.0 * (end - start)
            };
            self.load(method, t)?;
            self.machine.remember(self.statistics.events);
        }
        Ok(())
    }

    fn tell(&mut self, t: f64) {
        let (start, stop) = (self.options.start, self.options.stop);
        if stop > start {
            (self.progress)(((t - start) / (stop - start)).clamp(0.0, 1.0));
        }
    }

    /// Why no step could be taken: what the equations say at the end of the last one.
    fn step_failure(&mut self, error: StepError, method: &mut dyn Method) -> Stop {
        let (_, end) = method.interval();
        if let Err(stop) = self.load(method, end) {
            return stop;
        }
        let trouble = match error {
            StepError::TooSmall => method.trouble(),
            StepError::NoValue => Some(Trouble::NoValue),
        };
        if trouble == Some(Trouble::NoValue) {
            // There are values here, and none a moment later: what has none is to be told.
            let later = end + 1e-9 * end.abs().max(1e-6);
            let values = self.machine.values.clone();
            self.machine.set_states(later, method.state());
            let found = self.machine.evaluate();
            self.machine.values = values;
            if let Err(error) = found {
                return self.machine.stop(StopKind::Unsolved(error));
            }
        }
        let states = &self.machine.choice.plan.states;
        let state = match trouble {
            Some(Trouble::Error(k) | Trouble::Iteration(k)) => states.get(k).copied(),
            _ => None,
        };
        self.machine.stop(StopKind::StepTooSmall(state, trouble))
    }

    /// Brings the machine to a point of the last step.
    fn load(&mut self, method: &mut dyn Method, t: f64) -> Result<(), Stop> {
        let choice = self.machine.choice.clone();
        let (_, end) = method.interval();
        let mut y = vec![0.0; choice.plan.state_slots.len()];
        if t == end {
            y.copy_from_slice(method.state());
        } else {
            method.interpolate(t, &mut y);
            let machine = &mut self.machine;
            method.refine(&mut Adapter { machine }, t, &mut y);
        }
        let values = &self.machine.values;
        let slots = choice.plan.state_slots.iter();
        let there = values[TIME as usize] == t
            && slots.zip(&y).all(|(&slot, &v)| values[slot as usize] == v);
        if there {
            return Ok(());
        }
        self.machine.set_states(t, &y);
        self.machine
            .evaluate()
            .map_err(|error| self.machine.stop(StopKind::Unsolved(error)))
    }

    /// Brings the machine to a threshold at `t`; what has no value there has that at `low`, just before.
    fn load_left(&mut self, method: &mut dyn Method, low: f64, t: f64) -> Result<(), Stop> {
        self.load(method, t)?;
        if self.machine.values.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        let mut values = self.machine.values.clone();
        self.load(method, low)?;
        border::keep(&mut values, &self.machine.values);
        self.machine.values = values;
        Ok(())
    }

    /// Whether a condition changes at the border of what has values, which is reached; then the machine is there.
    fn cross_border(&mut self, method: &mut dyn Method, limit: f64) -> Result<bool, Stop> {
        let (_, end) = method.interval();
        self.load(method, end)?;
        let before = self.machine.values.clone();
        let plan = &self.machine.choice.plan;
        let slots = plan.state_slots.iter().zip(&plan.derivative_slots);
        let states: Vec<(f64, f64, f64)> = slots
            .map(|(&y, &slope)| {
                let nominal = self.machine.scratch.nominal(y);
                (before[y as usize], before[slope as usize], nominal)
            })
            .collect();
        for (t, y) in border::beyond(end, limit, &states, self.settings()) {
            self.machine.set_states(t, &y);
            // Not everything has a value there.
            let _ = self.machine.evaluate();
            if self.machine.condition_changes() {
                border::keep(&mut self.machine.values, &before);
                return Ok(true);
            }
        }
        self.machine.values = before;
        Ok(false)
    }

    /// Where in the last step a condition changes first, if one does: just before, and there.
    fn crossing(&mut self, method: &mut dyn Method, end: f64) -> Result<Option<(f64, f64)>, Stop> {
        let mut search = std::mem::take(&mut self.search);
        let mut values = Vec::new();
        let found = search.follow(end, &mut |t| {
            values.clone_from(&self.machine.values);
            if let Err(stop) = self.load(method, t) {
                // Guesses for the next instant.
                self.machine.values.clone_from(&values);
                return Err(stop);
            }
            let mut there = Vec::new();
            self.machine.excesses(&mut there);
            Ok(there)
        });
        self.search = search;
        found
    }

    /// Records the points of the output up to `t`, which itself is one only if `closed`.
    fn outputs_until(&mut self, method: &mut dyn Method, t: f64, closed: bool) -> Result<(), Stop> {
        loop {
            let at = self.options.start + self.next_output as f64 * self.options.interval;
            let at = at.min(self.options.stop);
            let last = self.trajectory_end();
            if at > t || (at == t && !closed) || (at >= self.options.stop && last >= at) {
                return Ok(());
            }
            self.load(method, at)?;
            self.record();
            self.next_output += 1;
        }
    }

    fn trajectory_end(&self) -> f64 {
        match self.trajectory.n_rows() {
            0 => f64::NEG_INFINITY,
            n => self.trajectory.row(n - 1)[0],
        }
    }
}
