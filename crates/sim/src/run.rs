//! The loop over time: steps, outputs, events.

use crate::crossing::Search;
use crate::diagnose::occurrence_name;
use crate::discrete::Discrete;
use crate::failure::{Blame, Failure, FailureKind};
use crate::inputs::Table;
use crate::integrate::{Kind, Method, NoValue, Settings, Slopes, StepError, System, Trouble};
use crate::layout::TIME;
use crate::predicates::Predicates;
use crate::result::{Remark, Simulation, Statistics, Trajectory};
use crate::samples::Samples;
use crate::simulator::{Compiled, Simulator};
use crate::sorted::Refusal;
use crate::tape::Functions;
use crate::zeno::Watch;
use modeshift_algebra::Sparse;
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, ModeId};
use modeshift_mdae::sym::ParamId;
use std::sync::Arc;

/// Which method integrates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solver {
    /// Explicit until the problem proves stiff.
    #[default]
    Auto,
    Explicit,
    Implicit,
    Multistep,
}

impl Solver {
    /// What is tried first.
    pub fn first(self) -> Kind {
        match self {
            Self::Auto | Self::Explicit => Kind::Dopri5,
            Self::Implicit => Kind::Radau5,
            Self::Multistep => Kind::Bdf,
        }
    }

    /// What takes over when the first proves too slow on a stiff problem.
    pub fn when_stiff(self) -> Option<Kind> {
        (self == Self::Auto).then_some(Kind::Bdf)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub start: f64,
    pub stop: f64,
    pub tolerance: f64,
    /// Between two points of the output.
    pub interval: f64,
    pub solver: Solver,
    pub params: FxHashMap<ParamId, f64>,
    /// What drives the inputs of the model.
    pub inputs: Arc<Table>,
    /// Whether unknowns that the equations do not determine keep their values.
    pub keep_undetermined: bool,
    /// Whether the time of blocks and functions is taken.
    pub profile: bool,
}

/// Told how much of the time is over, from 0 to 1.
pub type Progress<'p> = &'p mut dyn FnMut(f64);

/// Makes the discrete part of a model, given an empty trajectory of the run.
pub type MakeDiscrete<'d> = dyn FnOnce(Trajectory) -> Result<Discrete<'d>, Refusal> + 'd;

/// Simulates a model. Never fails as a whole: what was computed before a failure is there.
pub fn simulate(
    mdae: &MDae,
    functions: &Functions,
    options: &Options,
    progress: Progress<'_>,
) -> Simulation {
    let mut simulator = Simulator::new(mdae, &options.params, functions, options.start);
    simulator.drive(&options.inputs);
    run(simulator, None, options, progress)
}

/// Simulates a model whose discrete part runs beside its modes.
pub fn simulate_beside<'d>(
    mdae: &MDae,
    functions: &Functions,
    discrete: Box<MakeDiscrete<'d>>,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Simulation, Refusal> {
    let mut simulator = Simulator::new(mdae, &options.params, functions, options.start);
    simulator.drive(&options.inputs);
    let discrete = discrete(simulator.new_trajectory())?;
    Ok(run(simulator, Some(discrete), options, progress))
}

fn run(
    mut simulator: Simulator<'_>,
    discrete: Option<Discrete<'_>>,
    options: &Options,
    progress: Progress<'_>,
) -> Simulation {
    let mdae = simulator.mdae;
    simulator.scratch.profiling = options.profile;
    let samples = Samples::new(mdae, &simulator.params, options.start);
    let trajectory = simulator.new_trajectory();
    let mut run = Run {
        simulator,
        options,
        trajectory,
        events: Vec::new(),
        statistics: Statistics::default(),
        search: Search::new(options.tolerance),
        method: options.solver.first(),
        next_output: 1,
        watch: Watch::new(options.stop - options.start),
        samples,
        remarks: Vec::new(),
        progress,
        discrete,
    };
    let failure = match run.start() {
        Ok(()) => run.go().err(),
        Err(failure) => Some(failure),
    };
    run.statistics.modes = run.simulator.n_compiled();
    Simulation {
        trajectory: run.trajectory,
        events: run.events,
        statistics: run.statistics,
        remarks: run.remarks,
        solver: run.method.name(),
        failure,
        blocks: match options.profile {
            true => run.simulator.costs(),
            false => Vec::new(),
        },
    }
}

struct Run<'a, 'm, 'd> {
    simulator: Simulator<'m>,
    /// Discrete variables, where they are computed apart.
    discrete: Option<Discrete<'d>>,
    options: &'a Options,
    trajectory: Trajectory,
    events: Vec<crate::result::EventRecord>,
    statistics: Statistics,
    search: Search,
    method: Kind,
    /// The number of the next point of the output.
    next_output: usize,
    watch: Watch,
    samples: Samples,
    remarks: Vec<Remark>,
    progress: Progress<'a>,
}

/// The right-hand side of the current mode.
struct Adapter<'s, 'm> {
    simulator: &'s mut Simulator<'m>,
}

impl System for Adapter<'_, '_> {
    fn dimension(&self) -> usize {
        self.simulator.plan.states.len()
    }

    fn derivative(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), NoValue> {
        let plan = self.simulator.plan.clone();
        self.simulator.set_states(t, y);
        let values = &mut self.simulator.values;
        plan.run(values, &mut self.simulator.scratch)
            .map_err(|_| NoValue)?;
        for (out, &slot) in out.iter_mut().zip(&plan.derivative_slots) {
            *out = values[slot as usize];
        }
        if out.iter().all(|v| v.is_finite()) {
            Ok(())
        } else {
            Err(NoValue)
        }
    }

    fn pattern(&mut self) -> Sparse {
        self.simulator.plan.coloured().pattern.clone()
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
                let plan = self.simulator.plan.clone();
                self.simulator.set_states(t, y);
                let Simulator {
                    values, scratch, ..
                } = &mut *self.simulator;
                plan.run(values, scratch).map_err(|_| NoValue)?;
                plan.jacobian(values, scratch, out).map_err(|_| NoValue)?;
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
        let plan = self.simulator.plan.clone();
        let (mut here, mut there) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        self.derivative(t, y, &mut here)?;
        let mut moved = y.to_vec();
        for columns in &plan.coloured().colours {
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
    /// At the limit.
    Limit,
    /// Predicates flipped.
    Flips(Vec<(ModeId, bool)>),
    /// Other states must be chosen, or another method.
    Again,
}

impl Run<'_, '_, '_> {
    fn start(&mut self) -> Result<(), Failure> {
        let (time, remarks) = (self.options.start, &mut self.remarks);
        let simulator = &mut self.simulator;
        match &mut self.discrete {
            None => simulator.start(time, remarks),
            Some(discrete) => discrete.start(simulator, time, |simulator| {
                remarks.clear();
                simulator.start(time, remarks)
            }),
        }
    }

    fn go(&mut self) -> Result<(), Failure> {
        self.simulator.begin_past();
        if let Some(discrete) = &mut self.discrete {
            // The instant of the start is one of the event iteration, too: `initial()` is false from now on.
            self.simulator.handle_with(discrete, Vec::new(), true)?;
            if self.simulator.renew_past()? {
                let flips = self.simulator.flips()?;
                self.simulator.handle_with(discrete, flips, true)?;
            }
        }
        self.simulator.record(&mut self.trajectory);
        self.check_assertions()?;
        self.check_values()?;
        self.look_for_other_modes()?;
        let mut step = None;
        while self.simulator.time() < self.options.stop {
            if let Some(index) = self.simulator.ended {
                let time = self.simulator.time();
                self.remarks.push(Remark::Ended { time, index });
                return Ok(());
            }
            let (limit, at_limit) = self.next_time_event()?;
            if limit <= self.simulator.time() {
                self.samples.pass(limit);
                self.event(at_limit)?;
                step = None;
                continue;
            }
            match self.stretch(limit.min(self.options.stop), &mut step)? {
                End::Limit if limit <= self.options.stop => {
                    self.samples.pass(limit);
                    let mut flips = at_limit;
                    flips.extend(self.pass_inputs(limit)?);
                    if self.simulator.pass_jumps()? {
                        step = None;
                    }
                    for flip in self.simulator.flips()? {
                        if !flips.iter().any(|(id, _)| *id == flip.0) {
                            flips.push(flip);
                        }
                    }
                    let due = match &mut self.discrete {
                        Some(discrete) => discrete.next_instant(&self.simulator) <= limit,
                        None => false,
                    };
                    if due || !flips.is_empty() {
                        self.event(flips)?;
                        step = None;
                    }
                }
                End::Limit | End::Again => {}
                End::Flips(flips) => {
                    self.event(flips)?;
                    step = None;
                }
            }
        }
        if let Some(discrete) = &mut self.discrete
            && discrete.uses_terminal()
        {
            discrete.end_is_near();
            self.event(Vec::new())?;
        }
        Ok(())
    }

    /// The next instant that is known beforehand, and who flips there.
    fn next_time_event(&mut self) -> Result<(f64, Vec<(ModeId, bool)>), Failure> {
        let compiled = self.simulator.compiled()?;
        let compiled = compiled.borrow();
        let predicates = &compiled.predicates;
        let t = self.simulator.time();
        let mut limit = f64::INFINITY;
        let mut flips: Vec<(ModeId, bool)> = Vec::new();
        let sides = self.simulator.sides(predicates);
        for (index, &sides) in sides.iter().enumerate() {
            let id = predicates.mode(index);
            let current = self.simulator.mode[id.index()];
            let Some(at) = predicates.time_of_flip(index, sides, t, current) else {
                continue;
            };
            let same = (at - limit).abs() <= 1e-13 * (1.0 + t.abs());
            if at < limit && !same {
                flips.clear();
                limit = at;
            }
            if at <= limit || same {
                flips.push((id, !current));
            }
        }
        if let Some(at) = self.simulator.inputs.next_break()
            && at < limit
        {
            flips.clear();
            limit = at;
        }
        if let Some(discrete) = &mut self.discrete {
            let at = discrete.next_instant(&self.simulator);
            let same = (at - limit).abs() <= 1e-13 * (1.0 + t.abs());
            if at < limit && !same {
                flips.clear();
                limit = at;
            }
        }
        // A jump that is over was taken at its instant.
        let over = t + 16.0 * f64::EPSILON * t.abs();
        let lines = self.simulator.lines.iter();
        let jump = lines.filter_map(|line| line.next_jump(over));
        if let Some(at) = jump.min_by(f64::total_cmp)
            && at < limit
            && (at - limit).abs() > 1e-13 * (1.0 + t.abs())
        {
            flips.clear();
            limit = at;
        }
        if let Some((at, due)) = self.samples.next() {
            let same = (at - limit).abs() <= 1e-13 * (1.0 + t.abs());
            if at < limit && !same {
                flips.clear();
                limit = at;
            }
            if at <= limit || same {
                flips.extend(due.into_iter().map(|id| (id, true)));
            }
        }
        Ok((limit, flips))
    }

    /// At a row of the inputs: they go on from there, perhaps after a jump.
    fn pass_inputs(&mut self, time: f64) -> Result<Vec<(ModeId, bool)>, Failure> {
        if !self.simulator.inputs.pass(time) {
            return Ok(Vec::new());
        }
        let before = self.simulator.values.clone();
        let flips = self.simulator.read_inputs();
        if self.simulator.values != before {
            let after = std::mem::replace(&mut self.simulator.values, before);
            self.simulator.record(&mut self.trajectory);
            self.simulator.values = after;
            self.simulator.evaluate()?;
            self.simulator.record(&mut self.trajectory);
        }
        Ok(flips)
    }

    fn settings(&self) -> Settings {
        Settings {
            relative: self.options.tolerance,
            absolute: self.options.tolerance * 1e-2,
            largest_step: self
                .simulator
                .lines
                .iter()
                .map(|line| line.time)
                .fold((self.options.stop - self.options.start) / 20.0, f64::min),
        }
    }

    /// Integrates until `limit` or the next event.
    fn stretch(&mut self, limit: f64, step: &mut Option<f64>) -> Result<End, Failure> {
        let compiled = self.simulator.compiled()?;
        let compiled = compiled.borrow();
        let t = self.simulator.time();
        self.simulator.lines.iter_mut().for_each(|line| line.aim(t));
        let plan = self.simulator.plan.clone();
        let y: Vec<f64> = plan
            .state_slots
            .iter()
            .map(|&slot| self.simulator.values[slot as usize])
            .collect();
        let settings = self.settings();
        let mut method = self.method.start(settings, t, &y, *step);
        let mut excess = Vec::new();
        self.excesses(&compiled.predicates, &mut excess);
        self.search.begin(t, excess.clone());
        let watching = compiled.predicates.any_continuous()
            || self.discrete.as_ref().is_some_and(Discrete::watches);
        let result = loop {
            let taken = method.step(
                &mut Adapter {
                    simulator: &mut self.simulator,
                },
                limit,
            );
            if let Err(error) = taken {
                break Err(self.step_failure(error, method.as_mut()));
            }
            self.statistics.steps += 1;
            let (_, end) = method.interval();
            if watching {
                if let Some(at) = self.flip_in_step(&compiled.predicates, method.as_mut(), end)? {
                    self.outputs_until(method.as_mut(), at, false)?;
                    self.remember(method.as_mut(), at)?;
                    self.load(method.as_mut(), at)?;
                    self.excesses(&compiled.predicates, &mut excess);
                    break Ok(End::Flips(self.beyond(&compiled, &excess)));
                }
                self.simulator.rearm(self.search.excess());
            }
            self.outputs_until(method.as_mut(), end, true)?;
            self.remember(method.as_mut(), end)?;
            self.load(method.as_mut(), end)?;
            let violated = self.simulator.violated_checks(&compiled);
            self.judge(violated)?;
            self.tell(end);
            *step = Some(method.next_step());
            if end >= limit {
                break Ok(End::Limit);
            }
            if !self.simulator.states_are_good(&compiled) {
                self.statistics.reselections += 1;
                drop(compiled);
                self.simulator.choose_states()?;
                self.statistics.effort += method.effort();
                return Ok(End::Again);
            }
            if let Some(other) = self.options.solver.when_stiff()
                && method.is_stiff()
            {
                self.method = other;
                *step = None;
                break Ok(End::Again);
            }
        };
        self.statistics.effort += method.effort();
        result
    }

    /// Delayed expressions keep four points of the step that ends at `end`.
    fn remember(&mut self, method: &mut dyn Method, end: f64) -> Result<(), Failure> {
        if self.simulator.lines.is_empty() {
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
            self.simulator.remember(self.statistics.events);
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
    fn step_failure(&mut self, error: StepError, method: &mut dyn Method) -> Failure {
        let (_, end) = method.interval();
        if let Err(failure) = self.load(method, end) {
            return failure;
        }
        let trouble = match error {
            StepError::TooSmall => method.trouble(),
            StepError::NoValue => Some(Trouble::NoValue),
        };
        let states = &self.simulator.plan.states;
        let state = match trouble {
            Some(Trouble::Error(k) | Trouble::Iteration(k)) => states.get(k).copied(),
            _ => None,
        };
        let simulator = &self.simulator;
        let name = state.map(|x| occurrence_name(simulator.mdae, &simulator.modes.elimination, x));
        simulator.fail(FailureKind::StepTooSmall(Blame { name, trouble }))
    }

    /// Brings the simulator to a point of the last step.
    fn load(&mut self, method: &mut dyn Method, t: f64) -> Result<(), Failure> {
        let plan = self.simulator.plan.clone();
        let (_, end) = method.interval();
        let mut y = vec![0.0; plan.state_slots.len()];
        if t == end {
            y.copy_from_slice(method.state());
        } else {
            method.interpolate(t, &mut y);
            let simulator = &mut self.simulator;
            method.refine(&mut Adapter { simulator }, t, &mut y);
        }
        let values = &self.simulator.values;
        let there = values[TIME as usize] == t
            && plan
                .state_slots
                .iter()
                .zip(&y)
                .all(|(&slot, &v)| values[slot as usize] == v);
        if there {
            return Ok(());
        }
        self.simulator.set_states(t, &y);
        self.simulator.evaluate()
    }

    /// Records the points of the output up to `t`, which itself is one only if `closed`.
    fn outputs_until(
        &mut self,
        method: &mut dyn Method,
        t: f64,
        closed: bool,
    ) -> Result<(), Failure> {
        loop {
            let at = self.options.start + self.next_output as f64 * self.options.interval;
            let at = at.min(self.options.stop);
            let last = self.trajectory_end();
            if at > t || (at == t && !closed) || (at >= self.options.stop && last >= at) {
                return Ok(());
            }
            self.load(method, at)?;
            self.simulator.record(&mut self.trajectory);
            self.next_output += 1;
        }
    }

    fn trajectory_end(&self) -> f64 {
        let n = self.trajectory.n_rows();
        if n == 0 {
            f64::NEG_INFINITY
        } else {
            self.trajectory.row(n - 1)[0]
        }
    }

    fn beyond(&self, compiled: &Compiled, excess: &[f64]) -> Vec<(ModeId, bool)> {
        (0..compiled.predicates.len())
            .filter(|&i| excess[i] > 0.0)
            .map(|i| {
                let id = compiled.predicates.mode(i);
                (id, !self.simulator.mode[id.index()])
            })
            .collect()
    }

    /// How far conditions are beyond their thresholds: those of the mode, then those of the discrete part.
    fn excesses(&mut self, predicates: &Predicates, out: &mut Vec<f64>) {
        self.simulator.excesses(predicates, out);
        if let Some(discrete) = &mut self.discrete {
            discrete.excesses(&self.simulator, out);
        }
    }

    /// Where in the last step a predicate flips first, if one does.
    fn flip_in_step(
        &mut self,
        predicates: &Predicates,
        method: &mut dyn Method,
        end: f64,
    ) -> Result<Option<f64>, Failure> {
        let mut search = std::mem::take(&mut self.search);
        let mut values = Vec::new();
        let found = search.follow(end, &mut |t| {
            values.clone_from(&self.simulator.values);
            if let Err(failure) = self.load(method, t) {
                // Guesses for the next instant.
                self.simulator.values.clone_from(&values);
                return Err(failure);
            }
            let mut there = Vec::new();
            self.excesses(predicates, &mut there);
            Ok(there)
        });
        self.search = search;
        found
    }

    /// Records the values before, lets the event happen, records the values after.
    fn event(&mut self, flips: Vec<(ModeId, bool)>) -> Result<(), Failure> {
        self.simulator.record(&mut self.trajectory);
        let mut records = match &mut self.discrete {
            Some(discrete) => self.simulator.handle_with(discrete, flips, false)?,
            None => self.simulator.handle(flips)?,
        };
        if self.simulator.time() == self.options.start {
            self.simulator.renew_past()?;
        }
        self.simulator.record(&mut self.trajectory);
        self.statistics.events += 1;
        self.simulator.add_lines()?;
        self.simulator.remember(self.statistics.events);
        self.simulator.begin_past();
        self.tell(self.simulator.time());
        let verdict = self.watch.add(self.simulator.time(), &records);
        self.events.append(&mut records);
        self.check_assertions()?;
        self.check_values()?;
        self.look_for_other_modes()?;
        match verdict {
            Some(kind) => Err(self.simulator.fail(kind)),
            None => Ok(()),
        }
    }

    /// What the modeller asserts must hold in the mode that was reached.
    fn check_assertions(&self) -> Result<(), Failure> {
        match self.simulator.violated(&self.simulator.truth) {
            Some(index) => Err(self.simulator.fail(FailureKind::Assertion(index))),
            None => Ok(()),
        }
    }

    /// What the modeller asserts must hold for the values, too.
    fn check_values(&mut self) -> Result<(), Failure> {
        let compiled = self.simulator.compiled()?;
        let violated = self.simulator.violated_checks(&compiled.borrow());
        self.judge(violated)
    }

    /// Warnings are said once each, errors are the end.
    fn judge(&mut self, violated: Vec<usize>) -> Result<(), Failure> {
        let time = self.simulator.time();
        for index in violated {
            if !self.simulator.mdae.checks[index].warning {
                return Err(self.simulator.fail(FailureKind::Check(index)));
            }
            let known = |r: &Remark| matches!(r, Remark::Warned { index: i, .. } if *i == index);
            if !self.remarks.iter().any(known) {
                self.remarks.push(Remark::Warned { time, index });
            }
        }
        Ok(())
    }

    /// Says once per guard when another mode fits the same states.
    fn look_for_other_modes(&mut self) -> Result<(), Failure> {
        let time = self.simulator.time();
        for id in self.simulator.other_fitting_modes()? {
            let known = self.remarks.iter().any(
                |remark| matches!(remark, Remark::SeveralModes { guards, .. } if guards.contains(&id)),
            );
            if !known {
                let guards = vec![id];
                self.remarks.push(Remark::SeveralModes { time, guards });
            }
        }
        Ok(())
    }
}
