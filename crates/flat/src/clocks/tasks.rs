//! The equations of a sub-clock, each as a task that computes variables.

use super::build::{and, call, if_, is_call, minus, pre, var};
use super::{Piece, What, Work};
use crate::model::{
    Equation, EquationKind, FlatExp, FlatRef, Origin, Statement, StatementKind, VarId,
};
use crate::simplify;
use crate::walk::{change_equation, change_statements, rewrite, walk};
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_diag::Code;
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::Type;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Form {
    /// To be solved for one variable.
    Equality {
        lhs: FlatExp,
        rhs: FlatExp,
        ty: Type,
    },
    /// Computes its outputs as it stands.
    Whole(EquationKind),
    Algorithm(Vec<Statement>),
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) form: Form,
    pub(super) outputs: Vec<VarId>,
    pub(super) origin: Arc<Origin>,
    /// Whether the state it belongs to is active.
    pub(super) guard: Option<VarId>,
}

/// What a `when` gives a variable: conditions with values.
type Choices = (Vec<(FlatExp, FlatExp)>, Type, Arc<Origin>);

/// Tasks that need each other.
pub(super) type Block = Vec<Task>;

impl Work {
    /// The tasks of a class. Operators have been replaced by what they mean.
    pub(super) fn tasks(&mut self, items: Vec<Piece>) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        for Piece {
            what,
            origin,
            guard,
        } in items
        {
            let before = tasks.len();
            match what {
                What::Algorithm(statements) => {
                    let outputs = self.assigned(&statements);
                    tasks.push(Task {
                        form: Form::Algorithm(statements),
                        outputs,
                        origin,
                        guard: None,
                    });
                }
                What::Equation(kind) => self.equation_tasks(kind, &origin, &mut tasks),
            }
            for task in &mut tasks[before..] {
                task.guard = guard;
            }
        }
        tasks
    }

    fn equation_tasks(&mut self, kind: EquationKind, origin: &Arc<Origin>, out: &mut Vec<Task>) {
        match kind {
            EquationKind::Equality {
                ty: Type::Clock, ..
            } => {}
            EquationKind::Equality { lhs, rhs, ty } => {
                let scalar = matches!(
                    ty,
                    Type::Real
                        | Type::Integer
                        | Type::Boolean
                        | Type::String
                        | Type::Enumeration(_)
                );
                if scalar {
                    out.push(Task {
                        form: Form::Equality { lhs, rhs, ty },
                        outputs: Vec::new(),
                        origin: origin.clone(),
                        guard: None,
                    });
                    return;
                }
                let (lhs, rhs) = match self.targets(&lhs).is_some() {
                    true => (lhs, rhs),
                    false => (rhs, lhs),
                };
                let Some(outputs) = self.targets(&lhs) else {
                    self.error(
                        Code::MS2037,
                        "an equation between arrays that must be solved is not supported on a clock yet",
                        origin,
                        "this equation",
                    );
                    return;
                };
                out.push(Task {
                    form: Form::Whole(EquationKind::Equality { lhs, rhs, ty }),
                    outputs,
                    origin: origin.clone(),
                    guard: None,
                });
            }
            EquationKind::If { branches, else_ } => self.if_tasks(branches, else_, origin, out),
            EquationKind::When { branches } => self.when_tasks(branches, origin, out),
            kind @ (EquationKind::Assert { .. }
            | EquationKind::Terminate { .. }
            | EquationKind::Call(_)) => out.push(Task {
                form: Form::Whole(kind),
                outputs: Vec::new(),
                origin: origin.clone(),
                guard: None,
            }),
            EquationKind::For { .. } | EquationKind::Reinit { .. } => self.error(
                Code::MS2037,
                "a loop or `reinit` in a clocked equation is not supported yet",
                origin,
                "here",
            ),
        }
    }

    /// The variables that the left side of an equation names.
    fn targets(&self, lhs: &FlatExp) -> Option<Vec<VarId>> {
        match lhs {
            Exp::Ref(FlatRef::Var(id)) => Some(vec![*id]),
            Exp::Ref(FlatRef::Group(group)) => Some(self.model.groups[*group].members.clone()),
            Exp::Array(items, _) | Exp::Record(_, items) => {
                let parts: Option<Vec<_>> = items.iter().map(|item| self.targets(item)).collect();
                Some(parts?.concat())
            }
            Exp::Tuple(items) => {
                let parts: Option<Vec<_>> = items
                    .iter()
                    .flatten()
                    .map(|item| self.targets(item))
                    .collect();
                Some(parts?.concat())
            }
            _ => None,
        }
    }

    pub(super) fn assigned(&self, statements: &[Statement]) -> Vec<VarId> {
        let mut found = FxIndexMap::default();
        let mut stack: Vec<&Statement> = statements.iter().rev().collect();
        while let Some(statement) = stack.pop() {
            match &statement.kind {
                StatementKind::Assign { target, .. } => {
                    let mut ids = Vec::new();
                    match target {
                        Exp::Ref(FlatRef::Element(group, _)) => {
                            ids.extend(&self.model.groups[*group].members);
                        }
                        target => ids.extend(self.targets(target).unwrap_or_default()),
                    }
                    found.extend(ids.into_iter().map(|id| (id, ())));
                }
                StatementKind::If { branches, else_ } => {
                    stack.extend(branches.iter().flat_map(|(_, body)| body));
                    stack.extend(else_);
                }
                StatementKind::When { branches } => {
                    stack.extend(branches.iter().flat_map(|(_, body)| body));
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    stack.extend(body);
                }
                _ => {}
            }
        }
        found.into_keys().collect()
    }

    /// The branches of an `if` give the same variables, or as many equations, which are paired in order.
    fn if_tasks(
        &mut self,
        branches: Vec<(FlatExp, Vec<Equation>)>,
        else_: Vec<Equation>,
        origin: &Arc<Origin>,
        out: &mut Vec<Task>,
    ) {
        let (branches, else_) = effects_apart(branches, else_, origin, out);
        if else_.is_empty() && branches.iter().all(|(_, body)| body.is_empty()) {
            return;
        }
        let mut conditions = Vec::new();
        let mut bodies = Vec::new();
        for (condition, body) in branches {
            conditions.push(condition);
            bodies.push(body);
        }
        bodies.push(else_);
        let mut columns: Vec<Vec<Task>> = Vec::new();
        for body in bodies {
            let mut inner = Vec::new();
            for equation in body {
                self.equation_tasks(equation.kind, &equation.origin, &mut inner);
            }
            columns.push(inner);
        }
        let plain = |tasks: &[Task]| {
            tasks
                .iter()
                .all(|it| matches!(it.form, Form::Equality { .. }))
        };
        let count = columns[0].len();
        if !columns.iter().all(|it| it.len() == count && plain(it)) {
            self.error(
                Code::MS2037,
                "an `if` with these branches is not supported in a clocked equation yet",
                origin,
                "its branches do not have the same equations",
            );
            return;
        }
        let target = |task: &Task| match &task.form {
            Form::Equality {
                lhs: Exp::Ref(FlatRef::Var(id)),
                ..
            } => Some(*id),
            _ => None,
        };
        let names: Option<Vec<VarId>> = columns[0].iter().map(target).collect();
        let by_name = names.filter(|names| {
            let wanted: FxHashSet<VarId> = names.iter().copied().collect();
            wanted.len() == count
                && columns.iter().all(|column| {
                    let found: Option<FxHashSet<VarId>> = column.iter().map(target).collect();
                    found.as_ref() == Some(&wanted)
                })
        });
        if by_name.is_some() {
            for column in &mut columns {
                column.sort_by_key(target);
            }
        }
        for row in 0..count {
            let Form::Equality { ty, .. } = columns[0][row].form.clone() else {
                continue;
            };
            let parts: Vec<(FlatExp, FlatExp)> = columns
                .iter()
                .filter_map(|column| match &column[row].form {
                    Form::Equality { lhs, rhs, .. } => Some((lhs.clone(), rhs.clone())),
                    _ => None,
                })
                .collect();
            let same = parts.iter().all(|(lhs, _)| *lhs == parts[0].0);
            if !same && ty != Type::Real {
                self.error(
                    Code::MS2037,
                    "an `if` whose branches give different discrete variables is not supported in a clocked equation yet",
                    origin,
                    "here",
                );
                return;
            }
            let lhs = match same {
                true => parts[0].0.clone(),
                false => Exp::Real(0.0),
            };
            let values: Vec<FlatExp> = parts
                .into_iter()
                .map(|(lhs, rhs)| if same { rhs } else { minus(rhs, lhs) })
                .collect();
            let mut values = values.into_iter().rev();
            let Some(mut rhs) = values.next() else {
                continue;
            };
            for (value, condition) in values.zip(conditions.iter().rev()) {
                rhs = if_(condition.clone(), value, rhs, ty.clone());
            }
            out.push(Task {
                form: Form::Equality { lhs, rhs, ty },
                outputs: Vec::new(),
                origin: columns[0][row].origin.clone(),
                guard: None,
            });
        }
    }

    /// A `when` with a condition, on a clock: what it gives changes at ticks at which the condition has become true.
    fn when_tasks(
        &mut self,
        branches: Vec<(FlatExp, Vec<Equation>)>,
        origin: &Arc<Origin>,
        out: &mut Vec<Task>,
    ) {
        let mut values: FxIndexMap<VarId, Choices> = FxIndexMap::default();
        for (condition, body) in branches {
            let conditions = match condition {
                Exp::Array(items, _) => items,
                condition => vec![condition],
            };
            let mut fires = Exp::Bool(false);
            for condition in conditions {
                let id = self.held("when", Type::Boolean, Exp::Bool(false), origin);
                self.new_unknowns.push(id);
                out.push(Task {
                    form: Form::Equality {
                        lhs: var(id),
                        rhs: condition,
                        ty: Type::Boolean,
                    },
                    outputs: Vec::new(),
                    origin: origin.clone(),
                    guard: None,
                });
                let rises = and(var(id), simplify::not(pre(var(id), Type::Boolean)));
                fires = simplify::binary(BinaryOp::Or, fires, rises);
            }
            for equation in body {
                match equation.kind {
                    EquationKind::Equality {
                        lhs: Exp::Ref(FlatRef::Var(id)),
                        rhs,
                        ty,
                    } => {
                        values
                            .entry(id)
                            .or_insert_with(|| (Vec::new(), ty, equation.origin))
                            .0
                            .push((fires.clone(), rhs));
                    }
                    _ => self.error(
                        Code::MS2037,
                        "this equation in a `when` is not supported on a clock yet",
                        &equation.origin,
                        "here",
                    ),
                }
            }
        }
        for (id, (branches, ty, origin)) in values {
            let mut rhs = pre(var(id), ty.clone());
            for (fires, value) in branches.into_iter().rev() {
                rhs = if_(fires, value, rhs, ty.clone());
            }
            out.push(Task {
                form: Form::Equality {
                    lhs: var(id),
                    rhs,
                    ty,
                },
                outputs: Vec::new(),
                origin,
                guard: None,
            });
        }
    }
}

/// `edge` and `change` in terms of `pre`: on a clock, the value before is that of the last tick.
pub(super) fn spell_out(what: &mut What, origin: &Arc<Origin>) {
    let mut change = |exp: &mut FlatExp| {
        let taken = std::mem::replace(exp, Exp::Error);
        *exp = rewrite(taken, &mut |part| {
            let Exp::Call(inner) = &part else {
                return part;
            };
            let [argument] = &inner.args[..] else {
                return part;
            };
            if is_call(&part, "edge") {
                let before = pre(argument.clone(), Type::Boolean);
                return and(argument.clone(), simplify::not(before));
            }
            if is_call(&part, "change") {
                let before = pre(argument.clone(), Type::Boolean);
                return Exp::Binary(BinaryOp::NotEqual, Box::new((argument.clone(), before)));
            }
            part
        });
    };
    match what {
        What::Equation(kind) => {
            let mut equation = Equation {
                kind: std::mem::replace(kind, EquationKind::Call(Exp::Error)),
                origin: origin.clone(),
            };
            change_equation(&mut equation, &mut change);
            *kind = equation.kind;
        }
        What::Algorithm(statements) => change_statements(statements, &mut change),
    }
}

/// Relations in clocked equations make no events.
pub(super) fn without_events(exp: FlatExp, ty: &Type) -> FlatExp {
    let mut found = false;
    walk(&exp, &mut |part| {
        found |= match part {
            Exp::Binary(op, _) => matches!(
                op,
                BinaryOp::Less | BinaryOp::LessEq | BinaryOp::Greater | BinaryOp::GreaterEq
            ),
            Exp::Call(_) => [
                "floor", "ceil", "integer", "div", "mod", "rem", "abs", "sign",
            ]
            .iter()
            .any(|name| is_call(part, name)),
            _ => false,
        };
    });
    match found {
        true => call("noEvent", vec![exp], ty.clone()),
        false => exp,
    }
}

/// Branches without what only has an effect, such as an assertion, which becomes an `if` of its own.
fn effects_apart(
    branches: Vec<(FlatExp, Vec<Equation>)>,
    else_: Vec<Equation>,
    origin: &Arc<Origin>,
    out: &mut Vec<Task>,
) -> (Vec<(FlatExp, Vec<Equation>)>, Vec<Equation>) {
    let has_effect = |it: &Equation| {
        matches!(
            it.kind,
            EquationKind::Assert { .. } | EquationKind::Terminate { .. } | EquationKind::Call(_)
        )
    };
    let apart = |body: Vec<Equation>| -> (Vec<Equation>, Vec<Equation>) {
        body.into_iter().partition(has_effect)
    };
    let (effects, else_) = apart(else_);
    let mut acting = Vec::with_capacity(branches.len());
    let mut rest = Vec::with_capacity(branches.len());
    for (condition, body) in branches {
        let (effects, others) = apart(body);
        acting.push((condition.clone(), effects));
        rest.push((condition, others));
    }
    if !effects.is_empty() || acting.iter().any(|(_, body)| !body.is_empty()) {
        out.push(Task {
            form: Form::Whole(EquationKind::If {
                branches: acting,
                else_: effects,
            }),
            outputs: Vec::new(),
            origin: origin.clone(),
            guard: None,
        });
    }
    (rest, else_)
}
