//! What matters only while a model runs: assertions on values, `terminate`, and what `initial()` enables.

use super::Lower;
use super::collect::{Collected, is_builtin};
use super::constants::Value;
use super::when::Branch;
use crate::cond::Conds;
use crate::model::{Check, End, Firing};
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
