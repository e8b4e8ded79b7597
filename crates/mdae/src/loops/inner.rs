//! Comparisons inside expressions: `abs`, `min`, `max`, and what `noEvent` keeps from being a condition.
//!
//! They have no name and no memory, but they choose between expressions as conditions do. So each is an unknown with an
//! equation that depends on one more comparison. A comparison of expressions that depend on conditions gets an unknown for what it
//! compares.

use super::selected::{LoopRow, Origin};
use super::system::System;
use crate::model::ModeId;
use crate::sym::{Expr, Kind, RelOp, VarId, VarRef, for_each_node, substitute, variables};
use modeshift_base::FxHashMap;

/// Choices inside the expressions of one loop.
const MAX_CHOICES: usize = 16;

/// A comparison that is no condition of the model.
pub(super) struct Inner {
    /// What is above zero (or zero, unless strict) where it holds.
    pub(super) compared: VarRef,
    pub(super) strict: bool,
}

/// The unknowns for expressions of a loop.
#[derive(Default)]
pub(super) struct Named {
    /// In the place of which expressions they are, as these are written.
    exprs: FxHashMap<VarRef, Expr>,
    choices: FxHashMap<Expr, VarRef>,
    pub(super) comparisons: Vec<Inner>,
    rows: Vec<LoopRow>,
}

/// `compared op 0`, and the expressions between which that chooses.
struct Choice {
    compared: Expr,
    strict: bool,
    then: Expr,
    otherwise: Expr,
}

impl System<'_> {
    /// The equations and the comparisons with unknowns for what they choose, and the equations of these unknowns.
    pub(super) fn name_choices(
        &mut self,
        rows: &mut Vec<LoopRow>,
        compared: &mut [(ModeId, Expr)],
    ) {
        for (_, residual) in rows.iter_mut() {
            *residual = self.with_choices(residual);
        }
        for (_, difference) in compared.iter_mut() {
            let as_written = difference.clone();
            *difference = self.with_choices(difference);
            if has_condition(difference) {
                let name = self.name(&as_written);
                let row = minus(difference, name);
                self.named.rows.push((Origin::Compared, row));
                *difference = Expr::var_ref(name);
            }
        }
        rows.append(&mut self.named.rows);
    }

    fn with_choices(&mut self, expr: &Expr) -> Expr {
        let mut any = false;
        for_each_node(expr, &mut |node| {
            any |= matches!(node.kind(), Kind::Call(..));
            !any
        });
        if !any {
            return expr.clone();
        }
        super::calls::replaced(expr, &mut |call, args| {
            let choice = choice(call, args)?;
            if let Some(known) = self.named.choices.get(call) {
                return Some(Expr::var_ref(*known));
            }
            let reads = variables(call);
            let depends = reads.iter().any(|read| self.unknowns.contains_key(read));
            let number = self.named.comparisons.len();
            if !depends || number == MAX_CHOICES {
                return None;
            }
            let (value, compared) = (self.name(call), self.name(&choice.compared));
            self.named.choices.insert(call.clone(), value);
            self.named.comparisons.push(Inner {
                compared,
                strict: choice.strict,
            });
            let rows = [
                (Origin::Compared, minus(&choice.compared, compared)),
                (Origin::Then(number), minus(&choice.then, value)),
                (Origin::Otherwise(number), minus(&choice.otherwise, value)),
            ];
            self.named.rows.extend(rows);
            Some(Expr::var_ref(value))
        })
    }

    /// A new unknown in the place of an expression.
    fn name(&mut self, expr: &Expr) -> VarRef {
        let n_variables = self.analysis.mdae.variables.len();
        let number = n_variables + self.named.exprs.len();
        let name = VarRef::now(VarId(u32::try_from(number).unwrap_or(u32::MAX)), 0);
        let as_written = self.as_written(expr);
        self.named.exprs.insert(name, as_written);
        self.unknowns.insert(name, ());
        name
    }

    pub(super) fn is_named(&self, read: VarRef) -> bool {
        self.named.exprs.contains_key(&read)
    }

    /// The expression without the unknowns of this module.
    pub(super) fn as_written(&self, expr: &Expr) -> Expr {
        substitute(expr, &mut |read| self.named.exprs.get(&read).cloned())
    }

    /// The number by which an inner comparison is known beside the conditions of the model.
    pub(super) fn inner_mode(&self, number: usize) -> ModeId {
        ModeId::new(self.analysis.mdae.modes.len() + number)
    }

    pub(super) fn is_inner(&self, mode: ModeId) -> bool {
        mode.index() >= self.analysis.mdae.modes.len()
    }
}

fn minus(expr: &Expr, name: VarRef) -> Expr {
    expr.sub(&Expr::var_ref(name))
}

pub(super) fn has_condition(expr: &Expr) -> bool {
    expr.is_conditional()
}

/// What a call chooses, if that is all it does.
fn choice(call: &Expr, args: &[Expr]) -> Option<Choice> {
    let Kind::Call(function, _) = call.kind() else {
        return None;
    };
    if !function.partials.is_empty() {
        return None;
    }
    let (compared, strict, then, otherwise) = match (function.name.as_str(), args) {
        ("abs", [x]) => (x.clone(), false, x.clone(), x.neg()),
        ("max", [a, b]) => (a.sub(b), false, a.clone(), b.clone()),
        ("min", [a, b]) => (b.sub(a), false, a.clone(), b.clone()),
        ("if", [condition, then, otherwise]) => {
            let Kind::Relation(op, a, b) = condition.kind() else {
                return None;
            };
            let (compared, strict) = match op {
                RelOp::Greater => (a.sub(b), true),
                RelOp::GreaterEqual => (a.sub(b), false),
                RelOp::Less => (b.sub(a), true),
                RelOp::LessEqual => (b.sub(a), false),
                RelOp::Equal | RelOp::NotEqual => return None,
            };
            (compared, strict, then.clone(), otherwise.clone())
        }
        _ => return None,
    };
    Some(Choice {
        compared,
        strict,
        then,
        otherwise,
    })
}
