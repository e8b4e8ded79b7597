//! Algorithms: one task with several results.

use crate::eval::{Phase, Scope, Target, variable};
use crate::value::{Result, Stop, Value, unsupported};
use modeshift_flat::model::{Algorithm, FlatExp, FlatRef, Statement, StatementKind, VarId};
use modeshift_inst::exp::{Exp, Subscript};

impl Scope<'_> {
    /// Runs an algorithm once everything it reads is known. What it assigns begins with its left limit, or with its start
    /// value if it is continuous.
    pub fn run(&mut self, algorithm: &Algorithm) -> Result<()> {
        let initial = self.phase == Phase::Initial
            && self
                .model
                .initial_algorithms
                .iter()
                .any(|a| std::ptr::eq(a, algorithm));
        let mut targets = Vec::new();
        let mut reads = Vec::new();
        self.survey(&algorithm.statements, &mut targets, &mut reads);
        for read in reads {
            let known = match read {
                Target::Value(var) => targets.contains(&var) || self.values[var.index()].is_some(),
                Target::Pre(var) => self.pre[var.index()].is_some(),
                Target::Derivative(var) => self.derivatives[var.index()].is_some(),
            };
            if !known {
                return Err(Stop::Unknown);
            }
        }
        let mut entries = Vec::with_capacity(targets.len());
        for &var in &targets {
            let entry = if self.is_discrete(var) {
                match self.pre[var.index()].clone() {
                    Some(pre) => pre,
                    // An initial algorithm gives what is not known before.
                    None if initial => self.start(var)?,
                    None => return Err(Stop::Unknown),
                }
            } else {
                self.start(var)?
            };
            entries.push((var, entry));
        }
        for (var, entry) in entries {
            self.values[var.index()] = Some(entry);
        }
        let done = self.statements(&algorithm.statements);
        if done.is_err() {
            targets
                .iter()
                .for_each(|var| self.values[var.index()] = None);
        }
        done
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<()> {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    let var = match target {
                        Exp::Ref(FlatRef::Element(group, subscripts)) => {
                            self.element(*group, subscripts)?
                        }
                        target => variable(target).map_or_else(|| unsupported(target), Ok)?,
                    };
                    let value = self.eval(value)?;
                    self.set(Target::Value(var), value)?;
                }
                StatementKind::If { branches, else_ } => {
                    let body = self.branch(branches)?.unwrap_or(else_);
                    self.statements(body)?;
                }
                StatementKind::When { branches } => {
                    let mut fired: Option<&[Statement]> = None;
                    for (condition, body) in branches {
                        if self.fires(condition)? && fired.is_none() {
                            fired = Some(body);
                        }
                    }
                    let around = std::mem::replace(&mut self.literal, true);
                    let done = self.statements(fired.unwrap_or_default());
                    self.literal = around;
                    done?;
                }
                StatementKind::While { condition, body } => {
                    let mut turns = 0;
                    while self.eval(condition)? == Value::Bool(true) {
                        self.statements(body)?;
                        turns += 1;
                        if turns > 100 {
                            return unsupported("a loop that does not end");
                        }
                    }
                }
                StatementKind::Assert { .. } => {}
                other => return unsupported(other),
            }
        }
        Ok(())
    }

    fn branch<'s>(
        &mut self,
        branches: &'s [(FlatExp, Vec<Statement>)],
    ) -> Result<Option<&'s Vec<Statement>>> {
        for (condition, body) in branches {
            if self.eval(condition)? == Value::Bool(true) {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// The start value, by the type if there is none.
    pub fn start(&mut self, var: VarId) -> Result<Value> {
        use modeshift_inst::ty::Type;
        let model = self.model;
        let variable = &model.variables[var];
        let given = variable
            .attributes
            .iter()
            .find(|a| a.name.as_str() == "start");
        let value = match given {
            Some(attribute) => self.eval(&attribute.value)?,
            None => match &variable.ty {
                Type::Real => Value::real(0.0),
                Type::Boolean => Value::Bool(false),
                Type::Enumeration(_) => Value::Int(1),
                Type::String => Value::Text("".into()),
                _ => Value::Int(0),
            },
        };
        Ok(self.typed(var, value))
    }

    /// What statements assign, and what they read.
    pub fn survey(
        &self,
        statements: &[Statement],
        targets: &mut Vec<VarId>,
        reads: &mut Vec<Target>,
    ) {
        let conditions = |branches: &[(FlatExp, Vec<Statement>)], reads: &mut Vec<Target>| {
            for (condition, _) in branches {
                self.occurrences(condition, &mut |found| reads.push(found));
            }
        };
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    let assigned: Vec<VarId> = match target {
                        Exp::Ref(FlatRef::Element(group, subscripts)) => {
                            for subscript in subscripts {
                                if let Subscript::Index(index) = subscript {
                                    self.occurrences(index, &mut |found| reads.push(found));
                                }
                            }
                            self.model.groups[*group].members.clone()
                        }
                        target => variable(target).into_iter().collect(),
                    };
                    for var in assigned {
                        if !targets.contains(&var) {
                            targets.push(var);
                        }
                    }
                    self.occurrences(value, &mut |found| reads.push(found));
                }
                StatementKind::If { branches, else_ } => {
                    conditions(branches, reads);
                    branches
                        .iter()
                        .for_each(|(_, body)| self.survey(body, targets, reads));
                    self.survey(else_, targets, reads);
                }
                StatementKind::While { condition, body } => {
                    self.occurrences(condition, &mut |found| reads.push(found));
                    self.survey(body, targets, reads);
                }
                StatementKind::When { branches } => {
                    conditions(branches, reads);
                    branches
                        .iter()
                        .for_each(|(_, body)| self.survey(body, targets, reads));
                }
                _ => {}
            }
        }
    }
}
