//! Algorithms, as equations.
//!
//! The statements are gone through with the values assigned so far; branches are merged by if-expressions,
//! loops with known bounds unrolled. At the end every assigned variable has one equation. Where that is
//! not possible (`while`, loops over unknown ranges) the whole section becomes a block: each variable
//! it assigns is a function of everything it reads.

use super::collect::{Collected, push_children, targets};
use super::constants::Value;
use super::numeric::{if_else, left_limit};
use super::when::Branch;
use super::{Bound, Lower, as_variable};
use crate::cond::Conds;
use crate::model::{EquationKind, Meaning, ModeDef};
use crate::sym::{CondId, Expr, Func};
use modeshift_base::{FxHashMap, FxIndexSet};
use modeshift_flat::model::{self as flat, FlatExp, FlatRef, Statement, StatementKind};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Type, Variability};

/// Unrolled statements per algorithm; beyond it the algorithm becomes a block.
const MAX_STEPS: usize = 100_000;

/// The section cannot be written as equations.
pub(super) struct Opaque;

type Env = FxHashMap<flat::VarId, Bound>;

impl<'m> Lower<'m> {
    pub(super) fn lower_remaining_algorithms(&mut self, _collected: &Collected<'m>) {
        for algorithm in 0..self.flat.algorithms.len() {
            self.lower_algorithm(algorithm);
        }
    }

    /// Lowers an algorithm section, once.
    pub(super) fn lower_algorithm(&mut self, index: usize) {
        if std::mem::replace(&mut self.algorithms_done[index], true) {
            return;
        }
        let algorithm = &self.flat.algorithms[index];
        let origin = algorithm.origin.clone();
        self.at(&origin, |this| {
            let mut assigned = FxIndexSet::default();
            collect_targets(this, &algorithm.statements, &mut assigned, false);
            for &id in &assigned {
                let before = this.value_before(id);
                this.env.insert(id, before);
            }
            let mut steps = 0;
            let result = this.run(&algorithm.statements, &mut steps);
            let env = std::mem::take(&mut this.env);
            match result {
                Ok(()) => this.assign_all(&assigned, &env),
                Err(Opaque) => this.block(&algorithm.statements, &assigned),
            }
        });
    }

    /// What a variable is before its first assignment: its left limit if it is discrete, else its
    /// start value (Modelica 3.6, 11.1.2).
    pub(super) fn value_before(&mut self, id: flat::VarId) -> Bound {
        let variable = &self.flat.variables[id];
        match &variable.ty {
            Type::Boolean => Bound::Truth(self.start_truth(id)),
            Type::Integer | Type::Enumeration(_) if self.possible_values(id).is_some() => {
                let values = self.possible_values(id).unwrap_or_default();
                Bound::Choice(vec![(values.first().copied().unwrap_or(0), Conds::TRUE)])
            }
            Type::Real if variable.variability == Variability::Continuous => {
                let start = variable.attributes.iter().find(|a| a.name == "start");
                let start = start.and_then(|start| self.constant_number(&start.value));
                Bound::Number(start.unwrap_or_else(Expr::zero))
            }
            _ => {
                let now = self.value_of(id);
                Bound::Number(left_limit(&now))
            }
        }
    }

    fn start_truth(&self, id: flat::VarId) -> CondId {
        let attributes = &self.flat.variables[id].attributes;
        let start = attributes
            .iter()
            .find(|attribute| attribute.name == "start");
        let value = start.and_then(|start| self.constants.evaluate(&start.value));
        Conds::constant(value == Some(Value::Bool(true)))
    }

    pub(super) fn run(
        &mut self,
        statements: &'m [Statement],
        steps: &mut usize,
    ) -> Result<(), Opaque> {
        for statement in statements {
            *steps += 1;
            if *steps > MAX_STEPS {
                return Err(Opaque);
            }
            let origin = statement.origin.clone();
            self.at(&origin, |this| this.step(statement, steps))?;
        }
        Ok(())
    }

    fn step(&mut self, statement: &'m Statement, steps: &mut usize) -> Result<(), Opaque> {
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => self.assign(target, value),
            StatementKind::If { branches, else_ } => self.branch(branches, else_, steps),
            StatementKind::For {
                iterator,
                range,
                body,
            } => {
                let Some(values) = range.as_ref().and_then(|range| self.range_values(range)) else {
                    return Err(Opaque);
                };
                for value in values {
                    self.iterators.push((*iterator, value));
                    let result = self.run(body, steps);
                    self.iterators.pop();
                    result?;
                }
                Ok(())
            }
            StatementKind::When { branches } => self.when_statement(branches, steps),
            StatementKind::Assert { .. }
            | StatementKind::Terminate { .. }
            | StatementKind::Call(_)
            | StatementKind::Reinit { .. } => Ok(()),
            StatementKind::While { .. } | StatementKind::Break | StatementKind::Return => {
                Err(Opaque)
            }
        }
    }

    fn range_values(&mut self, range: &FlatExp) -> Option<Vec<i64>> {
        match range {
            Exp::Range(range) => {
                let (start, stop) = (self.integer(&range.start)?, self.integer(&range.stop)?);
                let step = match &range.step {
                    Some(step) => self.integer(step)?,
                    None => 1,
                };
                let count = stop
                    .checked_sub(start)?
                    .checked_div(step)?
                    .checked_add(1)?
                    .max(0);
                let count = usize::try_from(count).ok().filter(|&n| n <= MAX_STEPS)?;
                Some((0..count as i64).map(|k| start + k * step).collect())
            }
            Exp::Array(items, _) => items.iter().map(|item| self.integer(item)).collect(),
            _ => None,
        }
    }

    fn assign(&mut self, target: &FlatExp, value: &FlatExp) -> Result<(), Opaque> {
        if let Exp::Tuple(items) = target {
            let mut values = Vec::new();
            for (i, item) in items.iter().enumerate() {
                let Some(item) = item else { continue };
                let id = as_variable(item).ok_or(Opaque)?;
                values.push((id, self.output_of_call(value, i as u32 + 1)));
            }
            for (id, value) in values {
                self.env.insert(id, Bound::Number(value));
            }
            return Ok(());
        }
        if let Exp::Ref(FlatRef::Group(group)) = target {
            let members = self.flat.groups[*group].members.clone();
            let values = self.components(value);
            if values.len() != members.len() {
                return Err(Opaque);
            }
            for (id, value) in members.into_iter().zip(values) {
                self.env.insert(id, Bound::Number(value));
            }
            return Ok(());
        }
        let id = self.assigned_variable(target).ok_or(Opaque)?;
        let bound = self.bound(id, value)?;
        self.env.insert(id, bound);
        Ok(())
    }

    /// The scalar an assignment changes: a variable, or an element with a known index.
    fn assigned_variable(&mut self, target: &FlatExp) -> Option<flat::VarId> {
        if let Exp::Ref(FlatRef::Element(group, subscripts)) = target {
            let indices: Vec<i64> = subscripts
                .iter()
                .map(|subscript| match subscript {
                    modeshift_inst::exp::Subscript::Index(index) => self.integer(index),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            return super::array::member(&self.flat.groups[*group], &indices);
        }
        as_variable(target)
    }

    fn bound(&mut self, id: flat::VarId, value: &FlatExp) -> Result<Bound, Opaque> {
        match &self.flat.variables[id].ty {
            Type::Boolean => Ok(Bound::Truth(self.cond(value))),
            Type::Integer | Type::Enumeration(_) if self.possible_values(id).is_some() => {
                self.choices(value).map(Bound::Choice).ok_or(Opaque)
            }
            _ => Ok(Bound::Number(self.number(value))),
        }
    }

    fn branch(
        &mut self,
        branches: &'m [(FlatExp, Vec<Statement>)],
        else_: &'m [Statement],
        steps: &mut usize,
    ) -> Result<(), Opaque> {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return self.run(else_, steps);
        };
        let condition = self.cond(condition);
        match condition {
            Conds::TRUE => return self.run(body, steps),
            Conds::FALSE => return self.branch(rest, else_, steps),
            _ => {}
        }
        let before = self.env.clone();
        self.run(body, steps)?;
        let then = std::mem::replace(&mut self.env, before);
        self.branch(rest, else_, steps)?;
        self.merge(condition, then)
    }

    /// After both branches: `self.env` is that of the second one.
    fn merge(&mut self, condition: CondId, then: Env) -> Result<(), Opaque> {
        let mut changed: Vec<(flat::VarId, Bound)> = then
            .into_iter()
            .filter(|(id, bound)| self.env.get(id) != Some(bound))
            .collect();
        changed.sort_unstable_by_key(|(id, _)| *id);
        for (id, then) in changed {
            let merged = match (then, self.env.get(&id).cloned()) {
                (Bound::Number(a), Some(Bound::Number(b))) => {
                    Bound::Number(if_else(condition, &a, &b))
                }
                (Bound::Truth(a), Some(Bound::Truth(b))) => {
                    Bound::Truth(self.out.conds.ite(condition, a, b))
                }
                (Bound::Choice(a), Some(Bound::Choice(b))) => {
                    Bound::Choice(self.merge_choices(condition, &a, &b))
                }
                _ => return Err(Opaque),
            };
            self.env.insert(id, merged);
        }
        Ok(())
    }

    /// A `when` in an algorithm: what it assigns holds from that instant on.
    fn when_statement(
        &mut self,
        branches: &'m [(FlatExp, Vec<Statement>)],
        steps: &mut usize,
    ) -> Result<(), Opaque> {
        let mut earlier: Vec<CondId> = Vec::new();
        for (condition, body) in branches {
            let Some(branch) = self.when_branch(Conds::TRUE, condition, &mut earlier) else {
                continue;
            };
            let before = self.env.clone();
            self.bind_left_limits(body);
            self.run(body, steps)?;
            let after = std::mem::replace(&mut self.env, before);
            let mut changed: Vec<(flat::VarId, Bound)> = after
                .into_iter()
                .filter(|(id, bound)| self.env.get(id) != Some(bound))
                .collect();
            changed.sort_unstable_by_key(|(id, _)| *id);
            for (id, bound) in changed {
                self.update(id, bound, &branch);
            }
            self.reinits(body, &branch);
        }
        Ok(())
    }

    /// A number that nothing has assigned yet has its left limit (Modelica 3.6, 11.1.2).
    fn bind_left_limits(&mut self, body: &[Statement]) {
        let mut assigned = FxIndexSet::default();
        collect_targets(self, body, &mut assigned, false);
        for id in assigned {
            if self.env.contains_key(&id) {
                continue;
            }
            if let Some(Meaning::Variable(var)) = self.meaning(id).cloned() {
                let before = left_limit(&Expr::var(var));
                self.env.insert(id, Bound::Number(before));
            }
        }
    }

    fn update(&mut self, id: flat::VarId, bound: Bound, branch: &Branch) {
        match (bound, self.meaning(id).cloned()) {
            (Bound::Truth(value), Some(Meaning::Mode(mode))) => {
                self.push_update(mode, branch, value)
            }
            (Bound::Choice(values), Some(Meaning::Family(_))) => self.choose(id, &values, branch),
            (Bound::Number(value), Some(Meaning::Variable(var))) => {
                self.fire(branch, Expr::var(var), value);
            }
            _ => self.unsupported("this assignment in a `when`"),
        }
    }

    fn reinits(&mut self, body: &'m [Statement], branch: &Branch) {
        for statement in body {
            if let StatementKind::Reinit { variable, value } = &statement.kind {
                let origin = statement.origin.clone();
                self.at(&origin, |this| this.reinit(variable, value, branch));
            }
        }
    }

    /// One equation for every variable that the section assigns outside `when`.
    fn assign_all(&mut self, assigned: &FxIndexSet<flat::VarId>, env: &Env) {
        for &id in assigned {
            let Some(bound) = env.get(&id).cloned() else {
                continue;
            };
            match (bound, self.meaning(id).cloned()) {
                (Bound::Truth(condition), None) => self.bind_boolean(id, condition, None),
                (Bound::Choice(values), None) => self.bind_choice(id, values, None),
                (Bound::Number(value), Some(Meaning::Variable(var))) => {
                    self.push_equation(EquationKind::Long, Conds::TRUE, Expr::var(var), value);
                }
                (Bound::Number(value), None) => self.assign_integer(id, value),
                _ => {}
            }
        }
    }

    fn assign_integer(&mut self, id: flat::VarId, value: Expr) {
        let variable = &self.flat.variables[id];
        let meaning = self.new_variable(
            variable,
            crate::model::VarKind::Unknown,
            crate::model::Values::Integer,
        );
        self.set_meaning(id, meaning);
        let lhs = self.value_of(id);
        self.push_equation(EquationKind::Long, Conds::TRUE, lhs, value);
    }

    /// Full incidence: every assigned variable depends on everything that is read.
    fn block(&mut self, statements: &'m [Statement], assigned: &FxIndexSet<flat::VarId>) {
        let mut read = FxIndexSet::default();
        collect_reads(self, statements, &mut read);
        let args: Vec<Expr> = read
            .iter()
            .filter(|id| !assigned.contains(*id))
            .map(|&id| self.value_of(id))
            .collect();
        for &id in assigned {
            let name = format!("algorithm.{}", self.flat.variables[id].name);
            let value = Expr::apply(Func::new(&name), args.iter().cloned());
            match self.meaning(id).cloned() {
                Some(Meaning::Variable(var)) => {
                    self.push_equation(EquationKind::Long, Conds::TRUE, Expr::var(var), value);
                }
                None if matches!(
                    self.flat.variables[id].ty,
                    Type::Integer | Type::Enumeration(_)
                ) =>
                {
                    self.assign_integer(id, value)
                }
                None if self.flat.variables[id].ty == Type::Boolean => {
                    let truth = self.opaque_mode(value.clone(), ModeDef::Opaque(value));
                    self.bind_boolean(id, truth, None);
                }
                _ => self.unsupported("a loop that assigns what a `when` assigns, too"),
            }
        }
    }
}

pub(super) fn collect_targets(
    lower: &Lower<'_>,
    statements: &[Statement],
    found: &mut FxIndexSet<flat::VarId>,
    in_when: bool,
) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { target, .. } if !in_when => {
                for target in targets(target) {
                    match target {
                        Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                            found.extend(&lower.flat.groups[*group].members);
                        }
                        other => found.extend(as_variable(other)),
                    }
                }
            }
            StatementKind::If { branches, else_ } => {
                for (_, body) in branches {
                    collect_targets(lower, body, found, in_when);
                }
                collect_targets(lower, else_, found, in_when);
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                collect_targets(lower, body, found, in_when);
            }
            StatementKind::When { branches } => {
                for (_, body) in branches {
                    collect_targets(lower, body, found, true);
                }
            }
            _ => {}
        }
    }
}

fn collect_reads(lower: &Lower<'_>, statements: &[Statement], found: &mut FxIndexSet<flat::VarId>) {
    let mut expressions: Vec<&FlatExp> = Vec::new();
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign { value, .. } => expressions.push(value),
            StatementKind::If { branches, else_ } => {
                for (condition, body) in branches {
                    expressions.push(condition);
                    collect_reads(lower, body, found);
                }
                collect_reads(lower, else_, found);
            }
            StatementKind::For { range, body, .. } => {
                expressions.extend(range);
                collect_reads(lower, body, found);
            }
            StatementKind::While { condition, body } => {
                expressions.push(condition);
                collect_reads(lower, body, found);
            }
            StatementKind::When { branches } => {
                for (_, body) in branches {
                    collect_reads(lower, body, found);
                }
            }
            _ => {}
        }
    }
    while let Some(exp) = expressions.pop() {
        match exp {
            Exp::Ref(FlatRef::Var(id)) => {
                found.insert(*id);
            }
            Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                found.extend(&lower.flat.groups[*group].members);
            }
            _ => {}
        }
        push_children(exp, &mut expressions);
    }
}
