//! Consistent start: from start values, initial equations and parameters.
//!
//! Where start values contradict the equations, what is `fixed` and the initial equations win over the rest,
//! which moves as little as possible. Without either, or when they contradict each other, the start is a mode
//! change like any other, with the start values as left limits.

use crate::block::{ModeValues, compile};
use crate::failure::{Failure, FailureKind, Place};
use crate::restarts::Prepared;
use crate::result::Remark;
use crate::simulator::{Defined, Simulator};
use crate::tape::{Graph, Program, Reg};
use modeshift_algebra::{Factors, Sparse};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::cond::Formula;
use modeshift_mdae::model::{ModeDef, ModeId, Reads, VarKind};
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, variables};
use modeshift_restart::explore::{initial_mode, initialise};
use modeshift_restart::left_limits::Given;
use modeshift_restart::modes::Mode;
use modeshift_restart::verdict::Verdict;

/// Rounds of finding the first mode.
const MAX_ROUNDS: usize = 50;

impl Simulator<'_> {
    /// Finds the first mode and consistent values in it.
    pub fn start(&mut self, time: f64, remarks: &mut Vec<Remark>) -> Result<(), Failure> {
        let result = self.find_start(time, remarks);
        self.remembered.clear();
        result
    }

    fn find_start(&mut self, time: f64, remarks: &mut Vec<Remark>) -> Result<(), Failure> {
        self.values[0] = time;
        self.inputs.pass(time);
        let given = Given {
            params: self.params.clone(),
            time,
            ..Given::default()
        };
        let mut first = initial_mode(self.mdae, &[], &given);
        self.mode.clone_from(&first);
        for (id, value) in self.read_inputs() {
            first[id.index()] = value;
        }
        for &(id, value) in &self.given.modes {
            first[id.index()] = value;
        }
        let truth = self.mdae.conds.evaluate(&first);
        for update in &self.mdae.initial_updates {
            if truth[update.guard.0 as usize] {
                first[update.mode.index()] = truth[update.value.0 as usize];
            }
        }
        self.remembered = self.first_left_limits(&first);
        self.settle(&mut first);
        let result = self.start_from(first.clone(), &given, remarks);
        if result.is_ok() && remarks.is_empty() {
            return Ok(());
        }
        // Conditions may depend on what they decide: a mode is looked for that fits the start values as they
        // are; failing that, one that fits at all.
        let mut fallback = result.is_ok().then(|| self.snapshot(remarks));
        for mode in self.candidates(&first) {
            let mut own = Vec::new();
            if self.start_from(mode, &given, &mut own).is_ok() {
                if own.is_empty() {
                    remarks.clear();
                    return Ok(());
                }
                fallback.get_or_insert_with(|| self.snapshot(&own));
            }
        }
        let Some(found) = fallback else {
            return result;
        };
        *remarks = found.remarks;
        self.mode = found.mode;
        self.values[..found.values.len()].copy_from_slice(&found.values);
        self.choose_states()?;
        self.evaluate()?;
        self.keep_left_limits();
        Ok(())
    }

    fn snapshot(&self, remarks: &[Remark]) -> Snapshot {
        Snapshot {
            mode: self.mode.clone(),
            values: self.values.clone(),
            remarks: remarks.to_vec(),
        }
    }

    /// The left limits of variables that equations define by their past: start values, or what initial equations say.
    fn first_left_limits(&self, first: &Mode) -> Vec<(ModeId, bool)> {
        let given: FxHashSet<ModeId> = (self.mdae.initial_updates.iter())
            .map(|update| update.mode)
            .collect();
        let modes = self.mdae.modes.iter_enumerated();
        let lefts = modes.filter_map(|(id, variable)| {
            let ModeDef::Left(condition) = variable.def else {
                return None;
            };
            // A variable that is no more than its formula has its start value in its left limit.
            let of = match *self.mdae.conds.formula(condition) {
                Formula::Mode(of) => Some(of),
                _ => None,
            };
            let own = |of: &ModeId| &self.mdae.modes[*of];
            if of.is_some_and(|of| !matches!(own(&of).def, ModeDef::Formula(_))) {
                return None;
            }
            let mut both = [Some(id), of].into_iter().flatten();
            let said = both.clone().find(|id| given.contains(id));
            let value = said.map(|id| first[id.index()]);
            let value = value.or_else(|| both.find_map(|id| own(&id).start));
            value.map(|value| (id, value))
        });
        lefts.collect()
    }

    /// Follows the conditions from one mode until they agree with it.
    fn start_from(
        &mut self,
        mode: Mode,
        given: &Given,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Failure> {
        let remembered = self.remembered.clone();
        let result = self.follow_from(mode, given, remarks);
        self.remembered = remembered;
        result
    }

    fn follow_from(
        &mut self,
        mode: Mode,
        given: &Given,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Failure> {
        self.mode = mode;
        let mut seen: FxHashSet<Mode> = FxHashSet::default();
        for round in 0..MAX_ROUNDS {
            self.set_start_values();
            self.start_with_first_values(given, remarks)?;
            self.keep_left_limits();
            let before = self.mode.clone();
            if !self.refit_mode()? {
                // With their first left limits all variables are what they are: now left limits follow.
                if std::mem::take(&mut self.remembered).is_empty() || !self.refit_mode()? {
                    return Ok(());
                }
                seen.clear();
            }
            if !seen.insert(self.mode.clone()) || round + 1 == MAX_ROUNDS {
                let differs = |id: &ModeId| before[id.index()] != self.mode[id.index()];
                let flipping = self.mdae.modes.ids().filter(differs).collect();
                let rounds = round + 2;
                return Err(self.fail(FailureKind::NoMode { flipping, rounds }));
            }
        }
        Ok(())
    }

    /// A consistent start in which variables held between events have the values that initial equations and
    /// `when initial()` give them; those may depend on the rest of the start.
    fn start_with_first_values(
        &mut self,
        given: &Given,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Failure> {
        for _ in 0..MAX_ROUNDS {
            remarks.clear();
            self.consistent_start(given, remarks)?;
            self.add_lines()?;
            let waited = self.remember(0);
            if !self.take_first_values()? && !waited {
                break;
            }
        }
        Ok(())
    }

    /// Whether a value changed.
    fn take_first_values(&mut self) -> Result<bool, Failure> {
        let list: Vec<(Defined, Expr)> = self
            .first_values
            .iter()
            .filter(|(guard, ..)| self.truth[guard.0 as usize])
            .map(|(_, var, value)| (*var, self.modes.resolved(value, &self.truth)))
            .collect();
        if list.is_empty() {
            return Ok(false);
        }
        let exprs: Vec<Expr> = list.iter().map(|(_, value)| value.clone()).collect();
        // Before the start a held variable has its start value.
        for o in exprs.iter().flat_map(variables) {
            if o.at == At::Left && self.mdae.variable(o.var).kind == VarKind::Held {
                let start = self.start_value(o.var).unwrap_or(0.0);
                self.set_value(o, start);
            }
        }
        let mut graph = Graph::default();
        let regs = compile_all(self, &mut graph, &exprs)?;
        let program = Program::new(&graph, &regs);
        program.run(&self.values, &mut self.scratch.work);
        let mut changed = false;
        for (i, (what, _)) in list.iter().enumerate() {
            let value = program.output(&self.scratch.work, i);
            match *what {
                Defined::Held(var) => {
                    changed |= self.value(VarRef::now(var, 0)) != value;
                    self.set_value(VarRef::now(var, 0), value);
                }
                Defined::Parameter(id) if value.is_finite() => {
                    changed |= self.set_parameter(id, value);
                }
                Defined::Parameter(_) => {}
            }
        }
        Ok(changed)
    }

    /// Modes that differ from the first one in predicates that are not decided by start values of states.
    fn candidates(&self, first: &Mode) -> Vec<Mode> {
        const MAX_FREE: usize = 8;
        let free: Vec<ModeId> = self
            .mdae
            .modes
            .iter_enumerated()
            .filter(|(_, m)| matches!(m.def, ModeDef::Predicate(_)) && m.reads != Reads::Input)
            .map(|(id, _)| id)
            .take(MAX_FREE)
            .collect();
        let mut list = Vec::new();
        for bits in 0..1_usize << free.len() {
            let mut mode = first.clone();
            for (i, id) in free.iter().enumerate() {
                mode[id.index()] = bits >> i & 1 == 1;
            }
            self.settle(&mut mode);
            if mode != *first && !list.contains(&mode) {
                list.push(mode);
            }
        }
        list
    }

    /// Formulas and left limits take the values that the rest of the mode gives them.
    pub fn settle(&self, mode: &mut Mode) {
        for &(left, value) in &self.remembered {
            mode[left.index()] = value;
        }
        let stays = |id: ModeId| self.remembered.iter().any(|(left, _)| *left == id);
        for _ in 0..=self.mdae.modes.len().min(64) {
            let truth = self.mdae.conds.evaluate(mode);
            let before = mode.clone();
            for (id, variable) in self.mdae.modes.iter_enumerated() {
                match variable.def {
                    ModeDef::Formula(condition) | ModeDef::Left(condition) if !stays(id) => {
                        mode[id.index()] = truth[condition.0 as usize];
                    }
                    _ => {}
                }
            }
            if before == *mode {
                return;
            }
        }
    }

    /// Start attributes into the slots; those of variables that were eliminated count for what they are.
    pub(crate) fn set_start_values(&mut self) {
        for slot in self.values.iter_mut().skip(1) {
            *slot = 0.0;
        }
        // Kept variables have the last word over their aliases, fixed ones over all.
        let mut vars: Vec<VarId> = self.mdae.variable_ids().collect();
        vars.sort_by_key(|&var| {
            let kept = !self.modes.elimination.is_eliminated(var);
            (self.mdae.variable(var).fixed, kept)
        });
        for var in vars {
            let Some(value) = self.start_value(var) else {
                continue;
            };
            if self.mdae.variable(var).kind == VarKind::Unknown {
                if let Ok(signed) = self.modes.elimination.forward(VarRef::now(var, 0)) {
                    let value = if signed.negative { -value } else { value };
                    self.set_value(signed.occurrence, value);
                }
            } else {
                self.set_value(VarRef::now(var, 0), value);
            }
        }
        for (var, value) in self.given.numbers.clone() {
            self.set_value(VarRef::now(var, 0), value);
        }
        self.read_inputs();
    }

    /// Gives predicates their truth at the values found. Whether the mode is another one now.
    fn refit_mode(&mut self) -> Result<bool, Failure> {
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        let sides = self.sides(&compiled.predicates);
        let mut mode = self.mode.clone();
        for (index, &sides) in sides.iter().enumerate() {
            let id = compiled.predicates.mode(index);
            mode[id.index()] = compiled.predicates.truth(index, sides);
        }
        self.settle(&mut mode);
        let changed = mode != self.mode;
        self.mode = mode;
        Ok(changed)
    }

    fn consistent_start(
        &mut self,
        given: &Given,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Failure> {
        let conditions = self.conditions()?;
        if conditions.constraints.is_empty() && self.initial.is_empty() {
            self.choose_states()?;
            return self.evaluate();
        }
        let hard = conditions.fixed.len() + self.initial.len() > 0;
        if conditions.are_satisfied(self)? && self.initial.is_empty() {
            self.choose_states()?;
            return self.evaluate();
        }
        let start = self.values.clone();
        // Start values that are not given may take any value: what is given may be consistent.
        if self.initial.is_empty() {
            let given_starts = self.given_starts(&conditions);
            if conditions.pull(self, &given_starts)? <= 1e-9 {
                self.choose_states()?;
                return self.evaluate();
            }
            self.values.clone_from(&start);
            self.grow();
        }
        if !hard && self.restart_from_start(given)? {
            remarks.push(Remark::StartRestarted);
            return Ok(());
        }
        self.values.clone_from(&start);
        self.grow();
        let left = conditions.pull(self, &conditions.fixed)?;
        if left <= 1e-8 {
            self.choose_states()?;
            self.evaluate()?;
            return self.note_moved(&start, remarks);
        }
        self.values = start;
        self.grow();
        if hard && self.initial.is_empty() && self.restart_from_start(given)? {
            remarks.push(Remark::StartRestarted);
            return Ok(());
        }
        Err(self.fail(FailureKind::Initial(left)))
    }

    fn note_moved(&mut self, start: &[f64], remarks: &mut Vec<Remark>) -> Result<(), Failure> {
        let depths = self.compiled()?.borrow().program.d.clone();
        for var in self.mdae.variable_ids() {
            if self.mdae.variable(var).start.is_none() || self.mdae.variable(var).fixed {
                continue;
            }
            let Ok(signed) = self.modes.elimination.forward(VarRef::now(var, 0)) else {
                continue;
            };
            let Some(slot) = self.layout.get(signed.occurrence) else {
                continue;
            };
            let o = signed.occurrence;
            if depths.get(&o.var).is_none_or(|&d| o.order >= d) {
                continue;
            }
            let from = start.get(slot as usize).copied().unwrap_or(0.0);
            let to = self.values[slot as usize];
            if (from - to).abs() > 1e-6 * (1.0 + from.abs()) {
                remarks.push(Remark::StartMoved {
                    variable: signed.occurrence,
                    from,
                    to,
                });
            }
        }
        Ok(())
    }

    /// The start as a mode change from the start values. Whether they determine it.
    fn restart_from_start(&mut self, given: &Given) -> Result<bool, Failure> {
        let mode = self.mode.clone();
        let to: Vec<_> = self
            .mdae
            .modes
            .ids()
            .filter_map(|id| {
                let formula = Formula::Mode(id);
                let (condition, _) = self.mdae.conds.iter().find(|(_, f)| **f == formula)?;
                Some((condition, mode[id.index()]))
            })
            .collect();
        let explored = initialise(self.mdae, given, &to);
        let Some(transition) = explored.transitions.first() else {
            return Ok(false);
        };
        if explored.verdict(transition) != Verdict::Determined {
            return Ok(false);
        }
        let mut prepared = Vec::new();
        for &part in &transition.parts {
            let result = &explored.parts[part];
            let part = result.part.clone();
            prepared.push(Prepared::new(self, part, (*result.analysis).clone())?);
        }
        self.keep_left_limits();
        for part in &prepared {
            if !part.solve(self, &mut Vec::new()) {
                return Ok(false);
            }
        }
        self.choose_states()?;
        self.evaluate()?;
        Ok(true)
    }

    /// Start values of states that the modeller gave.
    fn given_starts(&self, conditions: &Conditions) -> Vec<(VarRef, f64)> {
        let mut list = conditions.fixed.clone();
        for var in self.mdae.variable_ids() {
            let variable = self.mdae.variable(var);
            if variable.kind != VarKind::Unknown || variable.start.is_none() || variable.fixed {
                continue;
            }
            let forward = self.modes.elimination.forward(VarRef::now(var, 0));
            if let (Ok(signed), Some(value)) = (forward, self.start_value(var)) {
                let o = signed.occurrence;
                let is_state = conditions.depths.get(&o.var).is_some_and(|&d| o.order < d);
                let value = if signed.negative { -value } else { value };
                if is_state && !list.iter().any(|(known, _)| *known == o) {
                    list.push((o, value));
                }
            }
        }
        list
    }

    fn conditions(&mut self) -> Result<Conditions, Failure> {
        let compiled = self.compiled()?;
        let compiled = compiled.borrow();
        let program = &compiled.program;
        let mut fixed = Vec::new();
        for var in self
            .mdae
            .variable_ids()
            .filter(|&var| self.mdae.variable(var).fixed)
        {
            if self.mdae.variable(var).kind != VarKind::Unknown {
                continue;
            }
            if let (Ok(signed), Some(value)) = (
                self.modes.elimination.forward(VarRef::now(var, 0)),
                self.start_value(var),
            ) {
                let value = if signed.negative { -value } else { value };
                fixed.push((signed.occurrence, value));
            }
        }
        fixed.sort_by_key(|(occurrence, _)| *occurrence);
        fixed.dedup();
        let unknowns: Vec<VarRef> = program.occurrences().collect();
        let constraints: Vec<Expr> = program.constraints().map(|(_, e)| e.clone()).collect();
        let completion: Vec<Expr> = program.completion().cloned().collect();
        Ok(Conditions {
            depths: program.d.clone(),
            fixed,
            unknowns,
            constraints,
            completion,
        })
    }
}

/// A start that was found.
struct Snapshot {
    mode: Mode,
    values: Vec<f64>,
    remarks: Vec<Remark>,
}

/// What a consistent start has to satisfy.
struct Conditions {
    /// `d` by variable.
    depths: FxHashMap<VarId, u32>,
    fixed: Vec<(VarRef, f64)>,
    unknowns: Vec<VarRef>,
    constraints: Vec<Expr>,
    completion: Vec<Expr>,
}

impl Conditions {
    /// Whether the start values lie on the constraints.
    fn are_satisfied(&self, simulator: &mut Simulator<'_>) -> Result<bool, Failure> {
        let mut graph = Graph::default();
        let regs = compile_all(simulator, &mut graph, &self.constraints)?;
        let program = Program::new(&graph, &regs);
        program.run(&simulator.values, &mut simulator.scratch.work);
        Ok((0..regs.len()).all(|i| program.output(&simulator.scratch.work, i).abs() < 1e-9))
    }

    /// Brings the unknowns onto the equations, with those in `kept` where they are: Gauss and Newton's method
    /// with the smallest step, `x ← x − Jᵀ(JJᵀ + δ)⁻¹ r`. The residual that
    /// remains. O(equations³) per step.
    fn pull(&self, simulator: &mut Simulator<'_>, kept: &[(VarRef, f64)]) -> Result<f64, Failure> {
        let mut residuals = self.completion.clone();
        for (guard, residual) in &simulator.initial {
            if simulator.truth[guard.0 as usize] {
                residuals.push(simulator.modes.resolved(residual, &simulator.truth));
            }
        }
        let mut graph = Graph::default();
        let mut regs = compile_all(simulator, &mut graph, &residuals)?;
        for &(occurrence, value) in kept {
            let slot = simulator.layout.slot(occurrence);
            let (input, value) = (graph.input(slot), graph.constant(value));
            regs.push(graph.sub(input, value));
        }
        simulator.grow();
        let slots: Vec<u32> = self
            .unknowns
            .iter()
            .map(|&x| simulator.layout.slot(x))
            .collect();
        simulator.grow();
        let inputs: Vec<Reg> = slots.iter().map(|&slot| graph.input(slot)).collect();
        let m = regs.len();
        let mut pattern: Vec<(usize, usize)> = Vec::new();
        let jacobian = graph.derivatives(&regs.clone(), &inputs);
        for (row, entries) in jacobian.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                if let Some(entry) = *entry {
                    pattern.push((row, column));
                    regs.push(entry);
                }
            }
        }
        let system = Pulled {
            program: Program::new(&graph, &regs),
            pattern,
            slots,
            equations: m,
        };
        Ok(system.solve(simulator))
    }
}

/// Equations that are fewer or more than their unknowns.
struct Pulled {
    /// Residuals, then the entries of the Jacobian.
    program: Program,
    pattern: Vec<(usize, usize)>,
    slots: Vec<u32>,
    equations: usize,
}

impl Pulled {
    /// Steps of Gauss and Newton, shortened until the residuals get smaller. Rows count in units of their
    /// largest coefficient, so that pressures and lengths weigh the same.
    fn solve(&self, simulator: &mut Simulator<'_>) -> f64 {
        let (mut rows, mut right) = self.rows(simulator);
        let mut size = largest(&right);
        for _ in 0..100 {
            if !size.is_finite() || size < 1e-13 {
                break;
            }
            let Some(step) = smallest_step(&rows, &mut right, self.slots.len()) else {
                break;
            };
            let start: Vec<f64> = self
                .slots
                .iter()
                .map(|&s| simulator.values[s as usize])
                .collect();
            let moved = step
                .iter()
                .zip(&start)
                .map(|(s, x)| s.abs() / (1.0 + x.abs()));
            let longest = moved.fold(0.0, f64::max);
            let mut factor = 1.0 / longest.max(1.0);
            let mut next = (rows, right);
            for _ in 0..12 {
                for ((s, x), &slot) in step.iter().zip(&start).zip(&self.slots) {
                    simulator.values[slot as usize] = x - factor * s;
                }
                next = self.rows(simulator);
                if largest(&next.1) < size {
                    break;
                }
                factor *= 0.5;
            }
            (rows, right) = next;
            let before = std::mem::replace(&mut size, largest(&right));
            if longest < 1e-14 || (size >= 0.9 * before && size < 1e-11) {
                break;
            }
        }
        size
    }

    /// The rows of the Jacobian and the residuals, scaled.
    fn rows(&self, simulator: &mut Simulator<'_>) -> (Vec<Vec<(usize, f64)>>, Vec<f64>) {
        let m = self.equations;
        self.program
            .run(&simulator.values, &mut simulator.scratch.work);
        let work = &simulator.scratch.work;
        let mut rows = vec![Vec::new(); m];
        for (i, &(row, column)) in self.pattern.iter().enumerate() {
            rows[row].push((column, self.program.output(work, m + i)));
        }
        let mut right: Vec<f64> = (0..m).map(|i| self.program.output(work, i)).collect();
        for (row, right) in rows.iter_mut().zip(&mut right) {
            let scale = row.iter().fold(0.0, |a: f64, (_, v)| a.max(v.abs()));
            if scale > 0.0 && scale.is_finite() {
                row.iter_mut().for_each(|(_, v)| *v /= scale);
                *right /= scale;
            }
        }
        (rows, right)
    }
}

fn largest(vector: &[f64]) -> f64 {
    let size = |r: &f64| if r.is_nan() { f64::INFINITY } else { r.abs() };
    vector.iter().map(size).fold(0.0, f64::max)
}

/// `Jᵀ(JJᵀ + δ)⁻¹ r` for sparse rows; δ keeps dependent rows apart. As many operations as `JJᵀ` and its factors
/// have entries.
fn smallest_step(rows: &[Vec<(usize, f64)>], right: &mut [f64], n: usize) -> Option<Vec<f64>> {
    let m = rows.len();
    let mut columns = vec![Vec::new(); n];
    for (i, row) in rows.iter().enumerate() {
        for &(column, value) in row {
            columns[column].push((i, value));
        }
    }
    let mut matrix = Sparse::empty(m);
    let mut sums = vec![0.0; m];
    for (i, row) in rows.iter().enumerate() {
        let mut touched = vec![i];
        sums[i] += 1e-13;
        for &(column, value) in row {
            for &(j, other) in &columns[column] {
                sums[j] += value * other;
                touched.push(j);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for j in touched {
            matrix.push(j, std::mem::take(&mut sums[j]));
        }
        matrix.close_column();
    }
    let mut factors = Factors::default();
    factors.factor(&matrix).ok()?;
    factors.solve(right);
    let mut step = vec![0.0; n];
    for (row, weight) in rows.iter().zip(right.iter()) {
        for &(column, value) in row {
            step[column] += value * weight;
        }
    }
    step.iter().all(|s| s.is_finite()).then_some(step)
}

fn compile_all(
    simulator: &mut Simulator<'_>,
    graph: &mut Graph,
    exprs: &[Expr],
) -> Result<Vec<Reg>, Failure> {
    let mut values = ModeValues {
        layout: &mut simulator.layout,
        params: &simulator.params,
        truth: &simulator.truth,
        local: FxHashMap::default(),
    };
    let regs = compile(graph, simulator.functions, &mut values, exprs);
    simulator.grow();
    regs.map_err(|what| simulator.fail(FailureKind::Unsupported(what, Place::Equation(0))))
}
