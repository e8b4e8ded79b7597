//! The loop over time: initialisation, event iteration, exact flows, exact events.

use crate::eval::{Node, Past, Phase, Scope, Target, Watched, truth};
use crate::generate::LOCK;
use crate::instant::{Task, all_parts, is_call};
use crate::value::{NEAR, Poly, Result, Stop, Value};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_flat::model::{
    Algorithm, Equation, EquationKind, FlatExp, FlatModel, Statement, StatementKind, VarId,
};
use modeshift_inst::exp::{BinaryOp, Callee, Exp};
use modeshift_inst::ty::{Type, Variability};

/// Event iterations at one instant.
const ROUNDS: usize = 40;
/// Events of one run.
const EVENTS: usize = 300;

/// Events in a row without time between them.
const AT_ONCE: usize = 3;

/// Values from an instant to the next.
#[derive(Clone, Debug)]
pub struct Segment {
    pub start: f64,
    /// It begins where a delay repeats an instant: no event of the model's own.
    pub echo: bool,
    pub values: Vec<Option<Value>>,
}

/// Why a trace ends before the stop time.
#[derive(Clone, PartialEq, Debug)]
pub enum Doubt {
    /// Rounding could decide there.
    Doubt(&'static str),
    /// The iteration at an event does not end.
    Endless,
    TooManyEvents,
    Unsupported(String),
}

/// What a model does, as far as that is beyond doubt.
#[derive(Clone, Debug)]
pub struct Trace {
    pub names: Vec<String>,
    /// Whether a variable is no parameter.
    pub varies: Vec<bool>,
    pub segments: Vec<Segment>,
    /// The end of the last segment.
    pub end: f64,
    pub doubt: Option<Doubt>,
}

/// Interprets a flat model from time zero.
pub fn interpret(model: &FlatModel, stop: f64) -> Trace {
    trace(model, stop, false)
}

/// The same up to the end of a run, where `terminal()` is true.
pub fn interpret_to_the_end(model: &FlatModel, stop: f64) -> Trace {
    trace(model, stop, true)
}

/// Whether a model asks for its end.
pub fn reads_terminal(model: &FlatModel) -> bool {
    let mut found = false;
    each_expression(model, &mut |exp| {
        found |= matches!(exp, Exp::Call(call) if is_call(&call.function, "terminal"));
    });
    found
}

fn trace(model: &FlatModel, stop: f64, ends: bool) -> Trace {
    let mut run = Run::new(model);
    run.ends = ends;
    let doubt = match run.go(stop) {
        Ok(doubt) => doubt,
        Err(Stop::Doubt(what)) => Some(Doubt::Doubt(what)),
        Err(Stop::Unsupported(what)) => Some(Doubt::Unsupported(what)),
        Err(Stop::Unknown) => Some(Doubt::Unsupported("an unknown value".to_owned())),
    };
    Trace {
        names: model.variables.iter().map(|v| v.name.to_string()).collect(),
        varies: (model.variables.iter())
            .map(|v| v.variability > Variability::Parameter)
            .collect(),
        segments: run.segments,
        end: run.reached,
        doubt,
    }
}

struct Run<'m> {
    scope: Scope<'m>,
    model: &'m FlatModel,
    parameters: Vec<VarId>,
    states: Vec<VarId>,
    discrete: Vec<VarId>,
    samples: Vec<(f64, f64)>,
    delays: Vec<f64>,
    /// It is followed to its end.
    ends: bool,
    /// What stands for a change of structure.
    lock: Option<VarId>,
    /// The last instant is one that a delay repeats.
    echo: bool,
    segments: Vec<Segment>,
    reached: f64,
    time: f64,
    exact: bool,
}

impl Scope<'_> {
    pub fn is_discrete(&self, var: VarId) -> bool {
        let variable = &self.model.variables[var];
        variable.ty != Type::Real
            || variable.discrete
            || variable.variability <= Variability::Discrete
    }
}

impl<'m> Run<'m> {
    fn new(model: &'m FlatModel) -> Self {
        let mut scope = Scope::new(model);
        let is_parameter = |id: VarId| model.variables[id].variability < Variability::Discrete;
        let (parameters, rest): (Vec<_>, Vec<_>) =
            model.variables.ids().partition(|&id| is_parameter(id));
        let mut states: Vec<VarId> = Vec::new();
        each_expression(model, &mut |exp| {
            if let Some(Target::Derivative(x)) = crate::eval::target(exp)
                && !states.contains(&x)
            {
                states.push(x);
            }
        });
        states.sort_unstable();
        scope.states.clone_from(&states);
        let discrete = rest.into_iter().filter(|&v| scope.is_discrete(v)).collect();
        Self {
            scope,
            model,
            parameters,
            states,
            discrete,
            samples: Vec::new(),
            delays: Vec::new(),
            ends: false,
            lock: model
                .variables
                .ids()
                .find(|&v| &*model.variables[v].name == LOCK),
            echo: false,
            segments: Vec::new(),
            reached: 0.0,
            time: 0.0,
            exact: true,
        }
    }

    fn tasks(&self) -> Vec<Task<'m>> {
        let model = self.model;
        let variables = model.variables.iter_enumerated();
        let bound = variables.filter_map(|(id, variable)| Some((id, variable.binding.as_ref()?)));
        bound
            .filter(|(id, _)| !self.parameters.contains(id))
            .map(|(id, binding)| Task::Binding(id, binding))
            .chain(model.equations.iter().map(Task::Equation))
            .chain(model.algorithms.iter().map(Task::Algorithm))
            .collect()
    }

    fn go(&mut self, stop: f64) -> Result<Option<Doubt>> {
        self.initialise()?;
        if let Some(doubt) = self.settle()? {
            return Ok(Some(doubt));
        }
        self.find_samples()?;
        if self.next_sample(-1e-9) == Some(0.0)
            && let Some(doubt) = self.event()?
        {
            return Ok(Some(doubt));
        }
        if !self.delays.is_empty() {
            // What delays give before there is a past.
            self.scope.history.push(Past {
                start: 0.0,
                exact: true,
                values: self.scope.values.clone(),
            });
        }
        let mut at_once = 0;
        for _ in 0..EVENTS {
            self.flow()?;
            let (next, crossed, exact) = self.next_event(stop)?;
            if self.ends && next > stop {
                self.reached = stop;
                return self.end(stop);
            }
            if next >= stop - 1e-5 {
                self.reached = stop.min(next - 1e-5);
                return Ok(None);
            }
            at_once = if next == self.time { at_once + 1 } else { 0 };
            if at_once > AT_ONCE {
                return Ok(Some(Doubt::Doubt(
                    "modes that alternate without time between them",
                )));
            }
            self.reached = next;
            self.move_to(next, exact);
            self.scope.crossed = crossed;
            if let Some(doubt) = self.event()? {
                return Ok(Some(doubt));
            }
        }
        Ok(Some(Doubt::TooManyEvents))
    }

    /// The last event.
    fn end(&mut self, stop: f64) -> Result<Option<Doubt>> {
        self.move_to(stop, false);
        self.scope.crossed.clear();
        self.scope.terminal = true;
        let doubt = self.event()?;
        if doubt.is_none() {
            self.segments.push(Segment {
                start: stop,
                echo: false,
                values: self.scope.values.clone(),
            });
        }
        Ok(doubt)
    }

    fn initialise(&mut self) -> Result<()> {
        let mut tasks = Vec::new();
        for id in self.parameters.clone() {
            match &self.model.variables[id].binding {
                Some(binding) => tasks.push(Task::Binding(id, binding)),
                // Initial equations give it.
                None if self.is_computed(id)? => {}
                None => {
                    let value = self.scope.start(id)?;
                    self.scope.values[id.index()] = Some(value);
                }
            }
        }
        self.scope.solve(tasks, &mut |_| false)?;
        let mut given: FxHashSet<VarId> = FxHashSet::default();
        for algorithm in &self.model.initial_algorithms {
            let mut targets = Vec::new();
            self.scope
                .survey(&algorithm.statements, &mut targets, &mut Vec::new());
            given.extend(targets);
        }
        for equation in &self.model.initial_equations {
            if let EquationKind::Equality { lhs, .. } = &equation.kind
                && let Some(Target::Value(v) | Target::Pre(v)) = crate::eval::target(lhs)
            {
                given.insert(v);
            }
        }
        let mut open: Vec<Target> = Vec::new();
        let states = self.states.iter().map(|&x| Target::Value(x));
        let discrete = self.discrete.iter().map(|&v| Target::Pre(v));
        let targets: Vec<Target> = states.chain(discrete).collect();
        for target in targets {
            let (Target::Value(v) | Target::Pre(v) | Target::Derivative(v)) = target;
            let attributes = &self.model.variables[v].attributes;
            let fixed = attributes.iter().find(|a| a.name.as_str() == "fixed");
            let fixed = match fixed {
                Some(attribute) => self.scope.eval(&attribute.value)?.truth() == Some(true),
                None => false,
            };
            if fixed {
                let start = self.start(target)?;
                self.scope.set(target, start)?;
            } else if given.contains(&v) {
                open.push(target);
            } else {
                open.insert(0, target);
            }
        }
        let initial = self.model.initial_equations.iter().map(Task::Equation);
        let mut tasks: Vec<Task<'m>> = initial.collect();
        tasks.extend(self.model.initial_algorithms.iter().map(Task::Algorithm));
        tasks.extend(self.tasks());
        let states = self.states.clone();
        self.scope.solve(tasks, &mut |scope| {
            while !open.is_empty() {
                let target = open.remove(0);
                let (v, known) = match target {
                    Target::Value(v) | Target::Derivative(v) => (v, &scope.values[v.index()]),
                    Target::Pre(v) => (v, &scope.pre[v.index()]),
                };
                if known.is_none()
                    && let Ok(start) = scope.start(v)
                {
                    let start = if states.contains(&v) {
                        inexact(start)
                    } else {
                        start
                    };
                    return scope.set(target, start).is_ok();
                }
            }
            false
        })?;
        // What an equation gives has a left limit from its start value, whether that was asked for or not.
        for &v in &self.discrete {
            if self.scope.pre[v.index()].is_none() {
                let start = self.scope.start(v)?;
                self.scope.pre[v.index()] = Some(start);
            }
        }
        Ok(())
    }

    /// `fixed = false` of a parameter.
    fn is_computed(&mut self, id: VarId) -> Result<bool> {
        let attributes = &self.model.variables[id].attributes;
        match attributes.iter().find(|a| a.name.as_str() == "fixed") {
            Some(attribute) => Ok(self.scope.eval(&attribute.value)?.truth() == Some(false)),
            None => Ok(false),
        }
    }

    fn start(&mut self, target: Target) -> Result<Value> {
        let (Target::Value(v) | Target::Pre(v) | Target::Derivative(v)) = target;
        let start = self.scope.start(v)?;
        Ok(if self.states.contains(&v) {
            inexact(start)
        } else {
            start
        })
    }

    /// `pre(v) := v`; whether that changed a discrete variable.
    fn remember(&mut self) -> bool {
        let mut changed = false;
        for &v in &self.discrete {
            let (value, pre) = (
                &self.scope.values[v.index()],
                &mut self.scope.pre[v.index()],
            );
            let same = match (value, &pre) {
                (Some(a), Some(b)) => a.same(b),
                _ => false,
            };
            changed |= !same;
            pre.clone_from(value);
        }
        for &x in &self.states {
            self.scope.pre[x.index()].clone_from(&self.scope.values[x.index()]);
        }
        self.scope.conditions = std::mem::take(&mut self.scope.conditions_now);
        changed
    }

    /// After the initial equations: what they left to happen at the start.
    fn settle(&mut self) -> Result<Option<Doubt>> {
        self.scope.phase = Phase::Event;
        self.scope.time = Poly::number(0.0, false);
        self.remember();
        // Even if nothing has changed: `initial()` is false from now on.
        self.iterate()
    }

    /// Event iteration. States have their values from before.
    fn event(&mut self) -> Result<Option<Doubt>> {
        self.scope.phase = Phase::Event;
        self.scope.time = Poly::number(self.time, self.exact);
        self.iterate()
    }

    fn iterate(&mut self) -> Result<Option<Doubt>> {
        let mut locks: Vec<Value> = Vec::new();
        for round in 0..ROUNDS {
            self.scope.first = round == 0;
            self.forget();
            for &x in &self.states {
                self.scope.values[x.index()].clone_from(&self.scope.pre[x.index()]);
            }
            let reinits = self.scope.solve(self.tasks(), &mut |_| false)?;
            let lock = self.lock.and_then(|v| self.scope.values[v.index()].clone());
            if let Some(lock) = lock.filter(|lock| locks.last() != Some(lock)) {
                locks.push(lock);
            }
            // What comes and goes within one event is no mode of a model, which only `when` may see.
            if locks.len() > 2 || locks.len() == 2 && self.lock_before().as_ref() == locks.last() {
                return Err(Stop::Doubt("a change of structure that lasts no time"));
            }
            let mut moved = false;
            for (x, value) in reinits {
                let before = &self.scope.values[x.index()];
                moved |= !before.as_ref().is_some_and(|before| before.same(&value));
                self.scope.values[x.index()] = Some(inexact(value));
            }
            // Once more without samples, if there were some.
            let sampled = round == 0 && !self.samples.is_empty();
            if !self.remember() && !moved && !sampled {
                return Ok(None);
            }
        }
        Ok(Some(Doubt::Endless))
    }

    /// What closes the clutch of a model, just before the last event.
    fn lock_before(&self) -> Option<Value> {
        self.segments.last()?.values[self.lock?.index()].clone()
    }

    /// All values but parameters are unknown again.
    fn forget(&mut self) {
        for id in self.model.variables.ids() {
            if !self.parameters.contains(&id) {
                self.scope.values[id.index()] = None;
            }
        }
        self.scope.derivatives.fill(None);
        self.scope.conditions_now.clear();
        self.scope.assigned.clear();
    }

    /// The values as functions of time from now on.
    fn flow(&mut self) -> Result<()> {
        self.scope.phase = Phase::Between;
        self.scope.time = Poly::new(vec![self.time, 1.0], true);
        self.scope.watched.clear();
        self.forget();
        for &v in &self.discrete {
            self.scope.values[v.index()].clone_from(&self.scope.pre[v.index()]);
        }
        self.scope.solve(self.tasks(), &mut |_| false)?;
        // Once more, now that relations know what they compare.
        self.scope.solve(self.tasks(), &mut |_| false)?;
        self.scope.conditions = std::mem::take(&mut self.scope.conditions_now);
        for &v in &self.discrete {
            let (now, before) = (&self.scope.values[v.index()], &self.scope.pre[v.index()]);
            if let (Some(now), Some(before)) = (now, before)
                && !now.same(before)
            {
                return Err(Stop::Doubt("a discrete variable that moves between events"));
            }
        }
        let values = self.scope.values.clone();
        if !self.delays.is_empty() {
            self.scope.history.push(Past {
                start: self.time,
                exact: self.exact,
                values: values.clone(),
            });
        }
        self.segments.push(Segment {
            start: self.time,
            echo: self.echo,
            values,
        });
        Ok(())
    }

    /// The states and left limits at the next event.
    fn move_to(&mut self, next: f64, exact: bool) {
        let after = next - self.time;
        for &x in &self.states {
            let value = self.scope.values[x.index()].as_ref();
            self.scope.pre[x.index()] = value.map(|value| inexact(value.at(after, false)));
        }
        (self.time, self.exact) = (next, exact);
    }

    fn find_samples(&mut self) -> Result<()> {
        let mut calls: Vec<(FlatExp, FlatExp)> = Vec::new();
        each_expression(self.model, &mut |exp| {
            if let Exp::Call(call) = exp
                && matches!(&call.function, Callee::Builtin(name) if name.as_str() == "sample")
                && let [start, interval] = call.args.as_slice()
            {
                calls.push((start.clone(), interval.clone()));
            }
        });
        let mut delays: Vec<FlatExp> = Vec::new();
        each_expression(self.model, &mut |exp| {
            if let Exp::Call(call) = exp
                && is_call(&call.function, "delay")
                && let [_, by, ..] = call.args.as_slice()
            {
                delays.push(by.clone());
            }
        });
        for by in delays {
            let by = self.scope.number(&by)?;
            self.delays.push(by);
        }
        for (start, interval) in calls {
            let pair = (self.scope.number(&start)?, self.scope.number(&interval)?);
            self.samples.push(pair);
        }
        Ok(())
    }

    fn next_sample(&self, after: f64) -> Option<f64> {
        let next = |&(start, interval): &(f64, f64)| {
            let passed = ((after - start) / interval).floor() + 1.0;
            start + passed.max(0.0) * interval
        };
        self.samples.iter().map(next).min_by(f64::total_cmp)
    }

    /// When a delay repeats an earlier instant, and whether that is exact.
    fn next_echo(&self) -> Option<(f64, bool)> {
        let past = &self.scope.history;
        let delays = self.delays.iter();
        let all = delays.flat_map(|&by| past.iter().map(move |it| (it.start + by, it.exact)));
        let later = all.filter(|(at, _)| *at > self.time + 1e-9);
        later.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// When the next event is, who flips there, and whether the time is exact.
    fn next_event(&mut self, stop: f64) -> Result<(f64, FxHashMap<Node, bool>, bool)> {
        let mut found: Vec<(f64, Node, bool, &Watched)> = Vec::new();
        for (&at, watched) in &self.scope.watched {
            let held = self.scope.held.get(&at).copied().unwrap_or(false);
            let Watched { difference, op, .. } = watched;
            if let Some(after) = crossing(difference, *op, held, stop - self.time)? {
                found.push((after, at, !held, watched));
            }
        }
        let first = found.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let sample = self.next_sample(self.time);
        let echo = self.next_echo();
        self.echo = false;
        let crossing = first.map_or(f64::INFINITY, |it| self.time + it.0);
        if let Some((at, exact)) = echo
            && at < crossing.min(sample.unwrap_or(f64::INFINITY)) + NEAR
        {
            let alone = [Some(crossing), sample].into_iter().flatten();
            if alone.into_iter().any(|it| (it - at).abs() < NEAR) {
                return Err(Stop::Doubt("a delayed instant near another event"));
            }
            self.echo = true;
            return Ok((at, FxHashMap::default(), exact));
        }
        let Some(&(after, _, _, leading)) = first else {
            return Ok((sample.unwrap_or(f64::INFINITY), FxHashMap::default(), true));
        };
        let lead = &leading.difference;
        let mut time = self.time + after;
        if lead.exact {
            let snapped = (time * 1024.0).round() / 1024.0;
            if (snapped - time).abs() < 1e-12 {
                time = snapped;
            }
        }
        if let Some(sample) = sample {
            let near = (sample - time).abs() < NEAR;
            if near && !(lead.exact && sample == time) {
                return Err(Stop::Doubt("a sample near another event"));
            }
            if sample < time {
                return Ok((sample, FxHashMap::default(), true));
            }
        }
        let mut crossed = FxHashMap::default();
        for (other, at, truth, watched) in &found {
            if other - after > NEAR {
                continue;
            }
            let opposite = Poly::number(0.0, true).add(lead, -1.0);
            let poly = &watched.difference;
            // Two functions of the same variables, and not two that meet by chance.
            let same = (poly.powers == lead.powers || poly.powers == opposite.powers)
                && watched.variables == leading.variables;
            let at_once = poly.exact && lead.exact && (other - after).abs() < 1e-12;
            if !same && !at_once {
                return Err(Stop::Doubt("two events at almost the same time"));
            }
            crossed.insert(*at, *truth);
        }
        Ok((time, crossed, lead.exact))
    }
}

fn inexact(value: Value) -> Value {
    match value {
        Value::Real(poly) => Value::Real(Poly::new(poly.powers, false)),
        other => other,
    }
}

/// When a relation that is `held` flips, within `limit`.
fn crossing(difference: &Poly, op: BinaryOp, held: bool, limit: f64) -> Result<Option<f64>> {
    let p = &difference.powers;
    let still = difference.degree() == 0;
    if !difference.exact && still && p[0].abs() <= NEAR {
        return Err(Stop::Doubt("a value that stays on its threshold"));
    }
    if truth(op, p[0]) != held && (difference.exact && still || p[0].abs() > NEAR) {
        return Err(Stop::Doubt(
            "a relation that is not what it was at the event",
        ));
    }
    let roots = match difference.degree() {
        0 => Vec::new(),
        1 => vec![-p[0] / p[1]],
        2 => {
            let half = -0.5 * p[1] / p[2];
            let top = difference.at(half);
            if half > 0.0 && half < limit && top.abs() < NEAR {
                return Err(Stop::Doubt("a threshold that is only touched"));
            }
            let square = half * half - p[0] / p[2];
            if square < 0.0 {
                Vec::new()
            } else {
                vec![half - square.sqrt(), half + square.sqrt()]
            }
        }
        _ => return Err(Stop::Unsupported("curves of degree three".to_owned())),
    };
    for root in roots {
        let now = root.abs() < NEAR;
        if root < 0.0 && !now {
            continue;
        }
        // The truth after the root is that of the direction there.
        let slope = difference.slope(root);
        if slope.abs() < 1e-4 {
            return Err(Stop::Doubt("a threshold that is only touched"));
        }
        if truth(op, slope) != held {
            // It may flip back at once, as in a hysteresis.
            return match root.abs() {
                distance if distance < 1e-12 => Ok(Some(0.0)),
                _ if now => Err(Stop::Doubt("a relation that flips back almost at once")),
                _ => Ok(Some(root)),
            };
        }
    }
    Ok(None)
}

/// Every expression of the model, with all parts.
fn each_expression(model: &FlatModel, visit: &mut dyn FnMut(&FlatExp)) {
    let mut deep = |exp: &FlatExp| all_parts(exp, visit);
    for binding in model.variables.iter().filter_map(|v| v.binding.as_ref()) {
        deep(binding);
    }
    equations(&model.equations, &mut deep);
    equations(&model.initial_equations, &mut deep);
    let algorithms: [&[Algorithm]; 2] = [&model.algorithms, &model.initial_algorithms];
    for algorithm in algorithms.into_iter().flatten() {
        statements(&algorithm.statements, &mut deep);
    }
}

fn equations(list: &[Equation], visit: &mut dyn FnMut(&FlatExp)) {
    for equation in list {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            EquationKind::If { branches, else_ } => {
                for (condition, body) in branches {
                    visit(condition);
                    equations(body, visit);
                }
                equations(else_, visit);
            }
            EquationKind::When { branches } => {
                for (condition, body) in branches {
                    visit(condition);
                    equations(body, visit);
                }
            }
            EquationKind::Reinit { value, .. } => visit(value),
            _ => {}
        }
    }
}

fn statements(list: &[Statement], visit: &mut dyn FnMut(&FlatExp)) {
    for statement in list {
        match &statement.kind {
            StatementKind::Assign { value, .. } => visit(value),
            StatementKind::If { branches, else_ } => {
                for (condition, body) in branches {
                    visit(condition);
                    statements(body, visit);
                }
                statements(else_, visit);
            }
            StatementKind::When { branches } => {
                for (condition, body) in branches {
                    visit(condition);
                    statements(body, visit);
                }
            }
            StatementKind::While { condition, body } => {
                visit(condition);
                statements(body, visit);
            }
            _ => {}
        }
    }
}
