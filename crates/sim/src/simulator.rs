//! The state of a simulation: numbers, mode, and what was compiled for the modes visited so far.

use crate::block::{BlockError, ModeValues, Scratch, compile};
use crate::delay::Line;
use crate::failure::{Failure, FailureKind, Place, Unsolvable};
use crate::inputs::{Driven, Inputs, Table};
use crate::layout::{Layout, TIME};
use crate::mode::{Context, ModeError, ModeProgram};
use crate::parameters::complete;
use crate::plan::Plan;
use crate::predicates::{Predicates, Sides};
use crate::profile::BlockCost;
use crate::restarts::RestartCache;
use crate::result::{Column, Trajectory};
use crate::tape::{Functions, Graph, Program};
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, ModeDef, ModeId, Values, VarKind};
use modeshift_mdae::sym::{At, CondId, Expr, Kind, ParamId, VarId, VarRef, evaluate, substitute};
use modeshift_restart::change::{ModeEquation, Role};
use modeshift_restart::modes::{Mode, Modes};
use modeshift_restart::numeric::Numbers;
use std::rc::Rc;
use std::sync::Arc;

/// What a column of the table of inputs drives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Variable(VarId),
    Mode(ModeId),
}

/// What was compiled for one mode.
pub struct Compiled {
    pub program: ModeProgram,
    pub predicates: Predicates,
    /// The assertions that count in the mode.
    checks: Vec<usize>,
    check_program: Program,
}

pub struct Simulator<'m> {
    pub mdae: &'m MDae,
    pub modes: Modes<'m>,
    pub params: FxHashMap<ParamId, f64>,
    pub functions: &'m Functions,
    pub layout: Layout,
    /// By slot.
    pub values: Vec<f64>,
    pub mode: Mode,
    pub truth: Vec<bool>,
    compiled: FxHashMap<Mode, Rc<std::cell::RefCell<Compiled>>>,
    watched: FxHashMap<Mode, Rc<Predicates>>,
    pub restarts: RestartCache,
    pub scratch: Scratch,
    weight: Vec<f64>,
    pub plan: Rc<Plan>,
    dummies: Vec<Vec<Vec<VarId>>>,
    outputs: Outputs,
    sides: Vec<Sides>,
    /// Predicates that are beyond their threshold although the mode was returned to: how much further they
    /// must go.
    pub disarmed: FxHashMap<usize, f64>,
    pub inputs: Inputs<Target>,
    /// Initial equations over unknowns, with their guards.
    pub initial: Vec<(CondId, Expr)>,
    /// Initial equations that give variables held between events, and parameters, their value.
    pub first_values: FirstValues,
    pub lines: Vec<Line>,
    /// The `terminate` that was reached.
    pub ended: Option<usize>,
    /// What the discrete part says about the start.
    pub given: GivenStart,
    /// At the start, left limits that do not follow yet.
    pub remembered: Vec<(ModeId, bool)>,
}

/// Values at the start that come from outside.
#[derive(Clone, Debug, Default)]
pub struct GivenStart {
    pub modes: Vec<(ModeId, bool)>,
    pub numbers: Vec<(VarId, f64)>,
}

impl<'m> Simulator<'m> {
    pub fn new(
        mdae: &'m MDae,
        params: &FxHashMap<ParamId, f64>,
        functions: &'m Functions,
        time: f64,
    ) -> Self {
        let mut modes = Modes::new(mdae);
        modes.is_run = true;
        let (params, used) = complete(mdae, functions, params, time);
        let (initial, first_values) = initial_equations(&modes, &used);
        // Variables with a start value would rather be states.
        let weight = mdae
            .variables
            .iter()
            .map(|v| match (v.fixed, v.start.is_some()) {
                (true, _) => 0.5,
                (false, true) => 0.8,
                (false, false) => 1.0,
            })
            .collect();
        let mut this = Self {
            mdae,
            params,
            functions,
            layout: Layout::default(),
            values: vec![0.0],
            mode: vec![false; mdae.modes.len()].into(),
            truth: Vec::new(),
            compiled: FxHashMap::default(),
            watched: FxHashMap::default(),
            restarts: RestartCache::default(),
            scratch: Scratch::default(),
            weight,
            plan: Rc::default(),
            dummies: Vec::new(),
            outputs: Outputs::default(),
            sides: Vec::new(),
            disarmed: FxHashMap::default(),
            inputs: Inputs::default(),
            initial,
            first_values,
            lines: Vec::new(),
            ended: None,
            given: GivenStart::default(),
            remembered: Vec::new(),
            modes,
        };
        this.outputs = Outputs::new(&mut this);
        this
    }

    pub fn time(&self) -> f64 {
        self.values[TIME as usize]
    }

    pub fn fail(&self, kind: FailureKind) -> Failure {
        Failure {
            time: self.time(),
            mode: self.mode.clone(),
            kind,
        }
    }

    /// The number of an occurrence; 0 for what was never computed.
    pub fn value(&self, occurrence: VarRef) -> f64 {
        let slot = self.layout.get(occurrence);
        slot.and_then(|slot| self.values.get(slot as usize))
            .copied()
            .unwrap_or(0.0)
    }

    pub fn set_value(&mut self, occurrence: VarRef, value: f64) {
        let slot = self.layout.slot(occurrence) as usize;
        self.grow();
        self.values[slot] = value;
    }

    pub fn grow(&mut self) {
        if self.values.len() < self.layout.len() {
            self.values.resize(self.layout.len(), 0.0);
        }
    }

    /// Copies the current values into those left limits that something reads.
    pub fn keep_left_limits(&mut self) {
        let lefts: Vec<(u32, VarRef)> = self
            .layout
            .iter()
            .filter(|(_, o)| o.at == At::Left)
            .collect();
        for (slot, occurrence) in lefts {
            let now = self.value(VarRef {
                at: At::Now,
                ..occurrence
            });
            self.grow();
            self.values[slot as usize] = now;
        }
    }

    /// Compiles the current mode if it is new.
    pub fn compiled(&mut self) -> Result<Rc<std::cell::RefCell<Compiled>>, Failure> {
        self.truth = self.mdae.conds.evaluate(&self.mode);
        if let Some(compiled) = self.compiled.get(&self.mode) {
            return Ok(compiled.clone());
        }
        let mode = self.mode.clone();
        let variants = self.modes.enabled(&mode);
        let mut equations = self.modes.mode_equations(&variants);
        let roles = self.modes.roles.clone();
        for equation in &mut equations {
            equation.residual = between_events(equation);
        }
        let program = ModeProgram::new(&mut self.context(&roles), &equations)
            .map_err(|error| self.mode_failure(error))?;
        let predicates = Predicates::new(
            &self.modes,
            &mut self.layout,
            &self.params,
            self.functions,
            &self.truth,
        )
        .map_err(|(what, id)| self.fail(FailureKind::Unsupported(what, Place::Mode(id))))?;
        let (checks, check_program) = self.compile_checks();
        self.grow();
        let compiled = Rc::new(std::cell::RefCell::new(Compiled {
            program,
            predicates,
            checks,
            check_program,
        }));
        self.compiled.insert(mode, compiled.clone());
        Ok(compiled)
    }

    /// The predicates in the current mode, for schemes that have equations of their own.
    pub fn watched_only(&mut self) -> Result<Rc<Predicates>, Failure> {
        self.truth = self.mdae.conds.evaluate(&self.mode);
        if let Some(known) = self.watched.get(&self.mode) {
            return Ok(known.clone());
        }
        let predicates = Predicates::new(
            &self.modes,
            &mut self.layout,
            &self.params,
            self.functions,
            &self.truth,
        )
        .map_err(|(what, id)| self.fail(FailureKind::Unsupported(what, Place::Mode(id))))?;
        self.grow();
        let predicates = Rc::new(predicates);
        self.watched.insert(self.mode.clone(), predicates.clone());
        Ok(predicates)
    }

    /// What the blocks of all modes cost so far.
    pub fn costs(&self) -> Vec<BlockCost> {
        let mut list = Vec::new();
        for compiled in self.compiled.values() {
            list.extend(compiled.borrow().program.costs());
        }
        list.retain(|it| it.runs > 0);
        list
    }

    pub fn n_compiled(&self) -> usize {
        self.compiled.len()
    }

    fn context<'a>(&'a mut self, roles: &'a [Role]) -> Context<'a>
    where
        'm: 'a,
    {
        Context {
            layout: &mut self.layout,
            params: &self.params,
            functions: self.functions,
            truth: &self.truth,
            weight: &self.weight,
            roles,
        }
    }

    /// Chooses states for the current mode at the current values.
    pub fn choose_states(&mut self) -> Result<(), Failure> {
        let compiled = self.compiled()?;
        self.grow();
        let roles = self.modes.roles.clone();
        let mut scratch = std::mem::take(&mut self.scratch);
        let values = std::mem::take(&mut self.values);
        let chosen =
            compiled
                .borrow_mut()
                .program
                .plan(&mut self.context(&roles), &values, &mut scratch);
        self.values = values;
        self.scratch = scratch;
        let (plan, dummies) = chosen.map_err(|error| self.mode_failure(error))?;
        self.plan = plan;
        self.dummies = dummies;
        self.grow();
        Ok(())
    }

    /// Whether the states are still a good choice.
    pub fn states_are_good(&mut self, compiled: &Compiled) -> bool {
        !compiled.program.needs_watching()
            || compiled
                .program
                .is_good(&self.dummies, &self.values, &mut self.scratch)
    }

    /// Assertions whose guard holds; those that cannot be computed are left out.
    fn compile_checks(&mut self) -> (Vec<usize>, Program) {
        let (mut list, mut outputs) = (Vec::new(), Vec::new());
        let mut graph = Graph::default();
        for (index, check) in self.mdae.checks.iter().enumerate() {
            if !self.truth[check.guard.0 as usize] {
                continue;
            }
            let condition = self.modes.elimination.apply(&check.condition);
            let mut values = ModeValues {
                layout: &mut self.layout,
                params: &self.params,
                truth: &self.truth,
                local: FxHashMap::default(),
            };
            let found = compile(&mut graph, self.functions, &mut values, &[condition]);
            if let Ok(regs) = found {
                list.push(index);
                outputs.extend(regs);
            }
        }
        (list, Program::new(&graph, &outputs))
    }

    /// The assertions that the current values violate.
    pub fn violated_checks(&mut self, compiled: &Compiled) -> Vec<usize> {
        if compiled.checks.is_empty() {
            return Vec::new();
        }
        let program = &compiled.check_program;
        program.run(&self.values, &mut self.scratch.work);
        let work = &self.scratch.work;
        let list = compiled.checks.iter().enumerate();
        list.filter(|(i, _)| program.output(work, *i) == 0.0)
            .map(|(_, &check)| check)
            .collect()
    }

    /// From now on inputs come from a table.
    pub fn drive(&mut self, table: &Arc<Table>) {
        let mdae = self.mdae;
        self.inputs = Inputs::new(table, |name| {
            let variable = mdae.variable_ids().find(|&id| {
                let variable = mdae.variable(id);
                *variable.name == *name && variable.kind == VarKind::Input
            });
            if let Some(id) = variable {
                return Some(Driven {
                    target: Target::Variable(id),
                    held: mdae.variable(id).values != Values::Real,
                });
            }
            let mut modes = mdae.modes.iter_enumerated();
            let mode = modes.find(|(_, m)| *m.name == *name && matches!(m.def, ModeDef::Input));
            mode.map(|(id, _)| Driven {
                target: Target::Mode(id),
                held: true,
            })
        });
    }

    /// Inputs take their values at the current time; Boolean ones that do not fit the mode are given back.
    pub fn read_inputs(&mut self) -> Vec<(ModeId, bool)> {
        if self.inputs.is_empty() {
            return Vec::new();
        }
        let mut flips = Vec::new();
        for (target, value, slope) in self.inputs.at(self.values[TIME as usize]) {
            match target {
                Target::Variable(var) => {
                    for (order, value) in [(0, value), (1, slope), (2, 0.0)] {
                        if let Some(slot) = self.layout.get(VarRef::now(var, order))
                            && let Some(place) = self.values.get_mut(slot as usize)
                        {
                            *place = value;
                        }
                    }
                }
                Target::Mode(id) if self.mode[id.index()] != (value != 0.0) => {
                    flips.push((id, value != 0.0));
                }
                Target::Mode(_) => {}
            }
        }
        flips
    }

    /// Compiles expressions that equations have begun to delay.
    pub fn add_lines(&mut self) -> Result<(), Failure> {
        while self.lines.len() < self.layout.delays.len() {
            let delayed = self.layout.delays[self.lines.len()].clone();
            let mut graph = Graph::default();
            let mut values = ModeValues {
                layout: &mut self.layout,
                params: &self.params,
                truth: &self.truth,
                local: FxHashMap::default(),
            };
            let exprs = [self.modes.elimination.apply(&delayed.expr)];
            let regs = compile(&mut graph, self.functions, &mut values, &exprs);
            let regs =
                regs.map_err(|what| self.fail(FailureKind::Unsupported(what, Place::Equation(0))))?;
            self.grow();
            self.lines
                .push(Line::new(Program::new(&graph, &regs), &delayed));
        }
        Ok(())
    }

    /// Adds the current values to the past of delayed expressions. Those without a past take on the value itself
    /// as what was before; whether that changed what equations read.
    pub fn remember(&mut self, stretch: usize) -> bool {
        let mut changed = false;
        let time = self.values[TIME as usize];
        for line in &mut self.lines {
            line.program.run(&self.values, &mut self.scratch.work);
            let value = line.program.output(&self.scratch.work, 0);
            if line.is_new() {
                changed |= self.values[line.slot as usize] != value;
                self.values[line.slot as usize] = value;
            } else {
                line.push(time, value, stretch);
            }
        }
        changed
    }

    /// The past begins.
    pub fn begin_past(&mut self) {
        let time = self.values[TIME as usize];
        for line in self.lines.iter_mut().filter(|line| line.is_new()) {
            line.push(time, self.values[line.slot as usize], 0);
        }
    }

    /// At the start a delayed value is the value itself, also after what happens at that instant; whether some were not.
    pub fn renew_past(&mut self) -> Result<bool, Failure> {
        const MAX_ROUNDS: usize = 20;
        let time = self.values[TIME as usize];
        let mut renewed = false;
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for line in self.lines.iter_mut().filter(|line| line.is_at_start(time)) {
                line.program.run(&self.values, &mut self.scratch.work);
                let value = line.program.output(&self.scratch.work, 0);
                if value != self.values[line.slot as usize] && value.is_finite() {
                    self.values[line.slot as usize] = value;
                    line.begin_again(time, value);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            renewed = true;
            self.evaluate()?;
        }
        Ok(renewed)
    }

    /// Delayed values are what they are right after a jump that comes out now; whether one does.
    pub fn pass_jumps(&mut self) -> Result<bool, Failure> {
        let t = self.values[TIME as usize];
        let mut changed = false;
        for line in self.lines.iter().filter(|line| !line.is_new()) {
            let value = line.right_after(t);
            changed |= value != self.values[line.slot as usize];
            self.values[line.slot as usize] = value;
        }
        if changed {
            self.evaluate()?;
        }
        Ok(changed)
    }

    /// Moves the states of the current mode.
    pub fn set_states(&mut self, t: f64, y: &[f64]) {
        self.values[TIME as usize] = t;
        self.read_inputs();
        for line in self.lines.iter().filter(|line| !line.is_new()) {
            self.values[line.slot as usize] = line.coming_out(t);
        }
        for (&slot, &value) in self.plan.state_slots.iter().zip(y) {
            self.values[slot as usize] = value;
        }
    }

    /// Computes everything from the states.
    pub fn evaluate(&mut self) -> Result<(), Failure> {
        let plan = self.plan.clone();
        plan.run(&mut self.values, &mut self.scratch)
            .map_err(|error| self.block_failure(error))
    }

    pub fn mode_failure(&self, error: ModeError) -> Failure {
        self.fail(match error {
            ModeError::Singular(equations) => FailureKind::SingularMode(equations),
            ModeError::Unsupported(what, equation) => {
                FailureKind::Unsupported(what, Place::Equation(equation))
            }
            ModeError::NoStates(variables) => FailureKind::DependentConstraints(variables),
        })
    }

    pub fn block_failure(&self, error: BlockError) -> Failure {
        let (kind, variables) = match error {
            BlockError::Singular(variables) => (Unsolvable::Singular, variables),
            BlockError::Diverged(variables) => (Unsolvable::Diverged, variables),
            BlockError::Undefined(variables) => (Unsolvable::Undefined, variables),
            BlockError::Discrete(variable, _) => (Unsolvable::Undefined, vec![variable]),
        };
        self.fail(FailureKind::Unsolvable(kind, variables))
    }

    /// The first assertion that a valuation violates.
    pub fn violated(&self, truth: &[bool]) -> Option<usize> {
        let holds = |a: &modeshift_mdae::model::Assertion| {
            truth.get(a.condition.0 as usize).copied().unwrap_or(true)
        };
        self.mdae
            .assertions
            .iter()
            .position(|assertion| !holds(assertion))
    }

    /// How far each predicate is beyond its threshold at the current values.
    pub fn excesses(&mut self, predicates: &Predicates, out: &mut Vec<f64>) {
        predicates.sides(&self.values, &mut self.scratch.work, &mut self.sides);
        out.clear();
        for (index, &sides) in self.sides.iter().enumerate() {
            let current = self.mode[predicates.mode(index).index()];
            let extra = self.disarmed.get(&index).copied().unwrap_or(0.0);
            out.push(predicates.excess(index, sides, current, extra));
        }
    }

    /// The numbers that the predicates compare, at the current values.
    pub fn sides(&mut self, predicates: &Predicates) -> Vec<Sides> {
        let mut sides = Vec::new();
        predicates.sides(&self.values, &mut self.scratch.work, &mut sides);
        sides
    }

    /// Gives a parameter another value: what was compiled has the old one in it. Whether it is another one.
    pub fn set_parameter(&mut self, id: ParamId, value: f64) -> bool {
        if self.params.insert(id, value) == Some(value) {
            return false;
        }
        self.compiled.clear();
        self.watched.clear();
        self.restarts = RestartCache::default();
        self.lines.clear();
        self.outputs = Outputs::new(self);
        true
    }

    /// The start attribute of a variable, over parameters.
    pub fn start_value(&self, var: VarId) -> Option<f64> {
        let start = self.mdae.variable(var).start.as_ref()?;
        let numbers = Numbers {
            params: self.params.clone(),
            ..Numbers::default()
        };
        evaluate(start, &numbers).ok()
    }

    pub fn new_trajectory(&self) -> Trajectory {
        Trajectory {
            columns: self.outputs.columns.clone(),
            rows: Vec::new(),
        }
    }

    /// Adds the current values to a trajectory.
    pub fn record(&self, trajectory: &mut Trajectory) {
        trajectory.rows.push(self.time());
        for source in &self.outputs.sources {
            trajectory.rows.push(match source {
                Source::Slot(slot, sign) => {
                    sign * self.values.get(*slot as usize).copied().unwrap_or(0.0)
                }
                Source::Constant(value) => *value,
                Source::Mode(id) => f64::from(self.mode[id.index()]),
                Source::Truth(condition) => {
                    f64::from(self.truth.get(*condition).copied().unwrap_or(false))
                }
                Source::Choice(choices) => choices
                    .iter()
                    .find(|(condition, _)| self.truth.get(*condition) == Some(&true))
                    .map_or(0.0, |(_, value)| *value),
            });
        }
    }
}

/// Initial equations over unknowns, with their guards.
type Initial = Vec<(CondId, Expr)>;
/// What an initial equation defines by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defined {
    /// A variable that is held between events.
    Held(VarId),
    /// A parameter with `fixed = false`.
    Parameter(ParamId),
}

/// Guard, what is defined, and its value.
type FirstValues = Vec<(CondId, Defined, Expr)>;

/// Splits the initial equations that did not go into parameters.
fn initial_equations(modes: &Modes<'_>, used: &[bool]) -> (Initial, FirstValues) {
    let (mut initial, mut first) = (Vec::new(), Vec::new());
    let open = modes.mdae.initial_equations.iter().zip(used);
    for equation in open
        .filter(|(_, used)| !**used)
        .map(|(equation, _)| equation)
    {
        let defined = |side: &Expr| match side.kind() {
            Kind::Param(id) if modes.mdae.parameter(*id).free => Some(Defined::Parameter(*id)),
            _ => {
                let var = side.as_var().filter(|o| o.order == 0)?.var;
                (modes.mdae.variable(var).kind == VarKind::Held).then_some(Defined::Held(var))
            }
        };
        let definition = match (defined(&equation.lhs), defined(&equation.rhs)) {
            (Some(what), _) => Some((what, &equation.rhs)),
            (None, Some(what)) => Some((what, &equation.lhs)),
            (None, None) => None,
        };
        match definition {
            Some((what, value)) => {
                first.push((equation.guard, what, modes.elimination.apply(value)));
            }
            None => {
                let residual = modes.elimination.apply(&equation.residual());
                initial.push((equation.guard, residual));
            }
        }
    }
    (initial, first)
}

/// `pre(x)` in an equation that holds between events is `x`.
fn between_events(equation: &ModeEquation) -> Expr {
    substitute(&equation.residual, &mut |o| {
        (o.at == At::Left).then(|| Expr::var_ref(VarRef { at: At::Now, ..o }))
    })
}

/// Where a column of the trajectory comes from.
#[derive(Clone, Debug)]
enum Source {
    Slot(u32, f64),
    Constant(f64),
    Mode(ModeId),
    /// The index of a condition.
    Truth(usize),
    Choice(Vec<(usize, f64)>),
}

#[derive(Clone, Debug, Default)]
struct Outputs {
    columns: Vec<Column>,
    sources: Vec<Source>,
}

impl Outputs {
    fn new(simulator: &mut Simulator<'_>) -> Self {
        let mdae = simulator.mdae;
        let mut this = Self::default();
        let comment = |origin: &modeshift_flat::model::Origin| {
            origin.comment.as_ref().map(ToString::to_string)
        };
        this.columns.push(Column {
            name: "time".to_owned(),
            comment: Some("Time in [s]".to_owned()),
            parameter: false,
        });
        let mut differentiated = vec![false; mdae.variables.len()];
        for equation in &mdae.equations {
            for side in [&equation.lhs, &equation.rhs] {
                for o in modeshift_mdae::sym::variables(side) {
                    differentiated[o.var.0 as usize] |= o.order > 0;
                }
            }
        }
        for var in mdae.variable_ids() {
            let variable = mdae.variable(var);
            // What a part of the model gives to the other is no signal.
            if variable.name.starts_with('$') {
                continue;
            }
            this.push(
                &variable.name,
                comment(&variable.origin),
                simulator.source(var, 0),
            );
        }
        for var in mdae.variable_ids().filter(|v| differentiated[v.0 as usize]) {
            let name = &mdae.variable(var).name;
            if name.starts_with('$') {
                continue;
            }
            let name = format!("der({name})");
            this.push(&name, None, simulator.source(var, 1));
        }
        for (id, mode) in mdae
            .modes
            .iter_enumerated()
            .filter(|(_, m)| is_name(&m.name) && !matches!(m.def, ModeDef::Pulse(_)))
        {
            this.push(&mode.name, comment(&mode.origin), Source::Mode(id));
        }
        for derived in &mdae.derived {
            this.push(&derived.name, None, Source::Truth(derived.value.0 as usize));
        }
        for family in &mdae.families {
            let choices = family.values.iter();
            let choices = choices
                .map(|c| (c.condition.0 as usize, c.value as f64))
                .collect();
            this.push(&family.name, None, Source::Choice(choices));
        }
        for (i, parameter) in mdae.parameters.iter().enumerate() {
            if let Some(&value) = simulator.params.get(&ParamId(i as u32)) {
                this.push(
                    &parameter.name,
                    comment(&parameter.origin),
                    Source::Constant(value),
                );
                if let Some(column) = this.columns.last_mut() {
                    column.parameter = true;
                }
            }
        }
        this
    }

    fn push(&mut self, name: &str, comment: Option<String>, source: Source) {
        self.columns.push(Column {
            name: name.to_owned(),
            comment,
            parameter: matches!(source, Source::Constant(_)),
        });
        self.sources.push(source);
    }
}

impl Simulator<'_> {
    /// Where the values of a variable of the model come from.
    fn source(&mut self, var: VarId, order: u32) -> Source {
        if self.mdae.variable(var).kind == VarKind::Unknown {
            match self.modes.elimination.forward(VarRef::now(var, order)) {
                Ok(signed) => {
                    let slot = self.layout.slot(signed.occurrence);
                    self.grow();
                    return Source::Slot(slot, if signed.negative { -1.0 } else { 1.0 });
                }
                Err(constant) => {
                    let numbers = Numbers {
                        params: self.params.clone(),
                        ..Numbers::default()
                    };
                    return Source::Constant(evaluate(&constant, &numbers).unwrap_or(f64::NAN));
                }
            }
        }
        let slot = self.layout.slot(VarRef::now(var, order));
        self.grow();
        Source::Slot(slot, 1.0)
    }
}

/// Whether a text is the name of a component and not a predicate.
fn is_name(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | ','))
}
