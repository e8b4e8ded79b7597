//! What matters only while a model runs: assertions on values, `terminate`, and what `initial()` enables.

use super::algorithm::collect_targets;
use super::collect::{Collected, is_builtin};
use super::constants::Value;
use super::when::Branch;
use super::{Bound, Lower};
use crate::cond::Conds;
use crate::model::{Check, End, EquationKind, Firing, Meaning};
use crate::sym::Expr;
use modeshift_base::FxIndexSet;
use modeshift_flat::model::{Equation, EquationKind as FlatKind, FlatExp};
use modeshift_inst::exp::{BinaryOp, Exp};
use std::sync::Arc;

impl<'m> Lower<'m> {
    /// Assertions as numbers, without mode variables of their own: what they compare decides about no equation.
    pub(super) fn checks(&mut self, collected: &Collected<'m>) {
        self.frozen = true;
        for &(chain, equation) in &collected.assertions {
            let FlatKind::Assert {
                condition,
                message,
                level,
            } = &equation.kind
            else {
                continue;
            };
            if self.constants.evaluate(condition) == Some(Value::Bool(true)) {
                continue;
            }
            let before = self.diagnostics.len();
            self.missing = false;
            let guard = self.chain_condition(collected, chain);
            let outer = std::mem::replace(&mut self.no_event, true);
            let condition = self.at(&equation.origin.clone(), |this| {
                this.condition_value(condition)
            });
            self.no_event = outer;
            let known = !self.missing && self.diagnostics.len() == before;
            self.diagnostics.truncate(before);
            if known {
                // AssertionLevel = enumeration(warning, error)
                let warning = self.constants.evaluate(level) == Some(Value::Enum(1));
                self.out.checks.push(Check {
                    condition,
                    guard,
                    message: text(message),
                    warning,
                    origin: equation.origin.clone(),
                });
            }
        }
        self.frozen = false;
    }

    /// Initial algorithms over numbers: each variable and parameter that they assign has an initial equation.
    pub(super) fn initial_algorithms(&mut self) {
        self.frozen = true;
        for algorithm in &self.flat.initial_algorithms {
            let before = self.diagnostics.len();
            self.missing = false;
            let mut assigned = FxIndexSet::default();
            collect_targets(self, &algorithm.statements, &mut assigned, false);
            for &id in &assigned {
                let start = self.value_before(id);
                self.env.insert(id, start);
            }
            let origin = algorithm.origin.clone();
            let mut steps = 0;
            let done = self.at(&origin, |this| this.run(&algorithm.statements, &mut steps));
            let env = std::mem::take(&mut self.env);
            let known = done.is_ok() && !self.missing && self.diagnostics.len() == before;
            self.diagnostics.truncate(before);
            for &id in assigned.iter().filter(|_| known) {
                let target = match self.meaning(id) {
                    Some(Meaning::Variable(var)) => Expr::var(*var),
                    Some(Meaning::Parameter(param)) => Expr::param(*param),
                    _ => continue,
                };
                if let Some(Bound::Number(value)) = env.get(&id).cloned() {
                    self.at(&origin, |this| {
                        this.push_equation(EquationKind::Long, Conds::TRUE, target, value);
                    });
                }
            }
        }
        self.frozen = false;
    }

    /// `terminate` in a `when`.
    pub(super) fn terminate(&mut self, message: &FlatExp, branch: &Branch) {
        self.out.ends.push(End {
            guard: branch.guard,
            firing: branch.firing.clone(),
            message: text(message),
            origin: self.origin.clone(),
        });
    }

    /// The body of a `when` that `initial()` enables holds at the start (Modelica 3.6, 8.6).
    pub(super) fn enabled_at_start(&mut self, body: &'m [Equation]) {
        let equations = std::mem::take(&mut self.out.equations);
        let updates = std::mem::take(&mut self.out.updates);
        let ends = self.out.ends.len();
        let branch = Branch {
            guard: Conds::TRUE,
            firing: Firing {
                triggers: Box::default(),
                unless: Box::default(),
            },
        };
        self.when_body(body, &branch);
        self.out.ends.truncate(ends);
        let found = std::mem::replace(&mut self.out.equations, equations);
        self.out.initial_equations.extend(found);
        let found = std::mem::replace(&mut self.out.updates, updates);
        self.out.initial_updates.extend(found);
    }
}

/// Whether a condition of a `when` is true at the start because it says so.
pub(super) fn holds_initially(condition: &FlatExp) -> bool {
    let mut stack = vec![condition];
    while let Some(exp) = stack.pop() {
        match exp {
            Exp::Call(call) if is_builtin(&call.function, "initial") => return true,
            Exp::Array(items, _) => stack.extend(items.iter()),
            Exp::Binary(BinaryOp::Or, sides) => stack.extend([&sides.0, &sides.1]),
            _ => {}
        }
    }
    false
}

fn text(message: &FlatExp) -> Arc<str> {
    match message {
        Exp::Str(text) => text.clone(),
        _ => Arc::from(""),
    }
}
