//! Consistent start: from start values, initial equations and parameters.
//!
//! Where start values contradict the equations, what is `fixed` and the initial equations win over the rest,
//! which moves as little as possible. Without either, or when they contradict each other, the start is a mode
//! change like any other, with the start values as left limits.

use crate::block::{ModeValues, compile};
use crate::event::Prepared;
use crate::failure::{Failure, FailureKind, Place};
use crate::linear::Lu;
use crate::result::Remark;
use crate::simulator::Simulator;
use crate::tape::{Graph, Program, Reg};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::model::{ModeDef, ModeId, Reads, VarKind};
use modeshift_mdae::sym::{Expr, VarId, VarRef};
use modeshift_restart::explore::{initial_mode, initialise};
use modeshift_restart::left_limits::Given;
use modeshift_restart::modes::Mode;
use modeshift_restart::verdict::Verdict;

/// Rounds of finding the first mode.
const MAX_ROUNDS: usize = 50;

impl Simulator<'_> {
    /// Finds the first mode and consistent values in it.
    pub fn start(&mut self, time: f64, remarks: &mut Vec<Remark>) -> Result<(), Failure> {
        self.values[0] = time;
        let given = Given {
            params: self.params.clone(),
            time,
            ..Given::default()
        };
        let first = initial_mode(self.mdae, &[], &given);
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

    /// Follows the conditions from one mode until they agree with it.
    fn start_from(
        &mut self,
        mode: Mode,
        given: &Given,
        remarks: &mut Vec<Remark>,
    ) -> Result<(), Failure> {
        self.mode = mode;
        let mut seen: FxHashSet<Mode> = FxHashSet::default();
        for round in 0..MAX_ROUNDS {
            self.set_start_values();
            remarks.clear();
            self.consistent_start(given, remarks)?;
            self.keep_left_limits();
            let before = self.mode.clone();
            if !self.refit_mode()? {
                return Ok(());
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
        for _ in 0..=self.mdae.modes.len().min(64) {
            let truth = self.mdae.conds.evaluate(mode);
            let before = mode.clone();
            for (id, variable) in self.mdae.modes.iter_enumerated() {
                match variable.def {
                    ModeDef::Formula(condition) | ModeDef::Left(condition) => {
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
    fn set_start_values(&mut self) {
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
        if conditions.constraints.is_empty() && self.mdae.initial_equations.is_empty() {
            self.choose_states()?;
            return self.evaluate();
        }
        let hard = conditions.fixed.len() + self.mdae.initial_equations.len() > 0;
        if conditions.are_satisfied(self)? && self.mdae.initial_equations.is_empty() {
            self.choose_states()?;
            return self.evaluate();
        }
        let start = self.values.clone();
        // Start values that are not given may take any value: what is given may be consistent.
        if self.mdae.initial_equations.is_empty() {
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
        if hard && self.mdae.initial_equations.is_empty() && self.restart_from_start(given)? {
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
                let formula = modeshift_mdae::cond::Formula::Mode(id);
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
        for equation in &simulator.mdae.initial_equations {
            let residual = simulator.modes.elimination.apply(&equation.residual());
            residuals.push(simulator.modes.resolved(&residual, &simulator.truth));
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
        let program = Program::new(&graph, &regs);
        let mut size = f64::INFINITY;
        for _ in 0..60 {
            program.run(&simulator.values, &mut simulator.scratch.work);
            let work = &simulator.scratch.work;
            let mut right: Vec<f64> = (0..m).map(|i| program.output(work, i)).collect();
            size = right.iter().fold(0.0, |a: f64, r| a.max(r.abs()));
            if !size.is_finite() || size < 1e-12 {
                break;
            }
            let mut rows = vec![Vec::new(); m];
            for (i, &(row, column)) in pattern.iter().enumerate() {
                rows[row].push((column, program.output(work, m + i)));
            }
            let Some(step) = smallest_step(&rows, &mut right, slots.len()) else {
                break;
            };
            let moved = step
                .iter()
                .zip(&slots)
                .map(|(s, &slot)| s.abs() / (1.0 + simulator.values[slot as usize].abs()));
            let factor = 1.0 / moved.fold(1.0, f64::max);
            for (s, &slot) in step.iter().zip(&slots) {
                simulator.values[slot as usize] -= factor * s;
            }
        }
        Ok(size)
    }
}

/// `Jᵀ(JJᵀ + δ)⁻¹ r` for sparse rows; δ keeps dependent rows apart.
fn smallest_step(rows: &[Vec<(usize, f64)>], right: &mut [f64], n: usize) -> Option<Vec<f64>> {
    let m = rows.len();
    let mut dense = vec![0.0; n];
    let mut lu = Lu::default();
    let matrix = lu.reset(m);
    for (i, row) in rows.iter().enumerate() {
        for &(column, value) in row {
            dense[column] = value;
        }
        for (j, other) in rows.iter().enumerate() {
            matrix[i * m + j] = other.iter().map(|&(column, v)| dense[column] * v).sum();
        }
        for &(column, _) in row {
            dense[column] = 0.0;
        }
    }
    let largest = (0..m).map(|i| matrix[i * m + i]).fold(1e-300, f64::max);
    for i in 0..m {
        matrix[i * m + i] += 1e-13 * largest;
    }
    lu.factor().ok()?;
    lu.solve(right);
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
