//! The equations of a sub-clock, each as a task that computes variables, in an order in which they can be computed.

use super::build::{and, call, if_, is_call, minus, pre, var};
use super::solve::solve;
use super::{Piece, What, Work, reads_now};
use crate::model::{
    Equation, EquationKind, FlatExp, FlatRef, Origin, Statement, StatementKind, VarId,
};
use crate::simplify;
use crate::walk::{
    change_equation, change_statements, equation_exps, rewrite, statement_exps, walk,
};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use modeshift_diag::Code;
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::Type;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
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
        let effects = |body: &[Equation]| {
            body.iter().all(|it| {
                matches!(
                    it.kind,
                    EquationKind::Assert { .. }
                        | EquationKind::Terminate { .. }
                        | EquationKind::Call(_)
                )
            })
        };
        if branches.iter().all(|(_, body)| effects(body)) && effects(&else_) {
            out.push(Task {
                form: Form::Whole(EquationKind::If { branches, else_ }),
                outputs: Vec::new(),
                origin: origin.clone(),
                guard: None,
            });
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
        let mut values: FxIndexMap<VarId, (Vec<(FlatExp, FlatExp)>, Type, Arc<Origin>)> =
            FxIndexMap::default();
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

    /// Which equation gives which unknown, and the blocks in their order. Reports what is left over.
    pub(super) fn order(&mut self, mut tasks: Vec<Task>, unknowns: &[VarId]) -> Option<Vec<Block>> {
        let mut given: FxHashSet<VarId> = FxHashSet::default();
        for task in &tasks {
            for output in &task.outputs {
                if !given.insert(*output) {
                    let name = self.model.variables[*output].name.clone();
                    let message = format!("`{name}` is computed twice on its clock");
                    self.error(
                        Code::MS2075,
                        message,
                        &task.origin.clone(),
                        "the second time",
                    );
                    return None;
                }
            }
        }
        let open: FxIndexMap<VarId, usize> = unknowns
            .iter()
            .filter(|id| !given.contains(*id))
            .enumerate()
            .map(|(number, id)| (*id, number))
            .collect();
        let equalities: Vec<usize> = (0..tasks.len())
            .filter(|&it| matches!(tasks[it].form, Form::Equality { .. }))
            .collect();
        let candidates: Vec<Vec<usize>> = equalities
            .iter()
            .map(|&it| self.candidates(&tasks[it], &open))
            .collect();
        let matched = matching(&candidates, open.len());
        let mut taken = vec![false; open.len()];
        let mut fine = true;
        for (row, column) in matched.iter().enumerate() {
            let task = equalities[row];
            match column {
                Some(column) => {
                    taken[*column] = true;
                    if let Some((id, _)) = open.get_index(*column) {
                        tasks[task].outputs = vec![*id];
                    }
                }
                None => {
                    fine = false;
                    let origin = tasks[task].origin.clone();
                    self.error(
                        Code::MS2075,
                        "there are more equations than unknowns on a clock",
                        &origin,
                        "this equation is one too many",
                    );
                }
            }
        }
        for (number, (id, _)) in open.iter().enumerate() {
            let variable = &self.model.variables[*id];
            let is_input = variable.causality == Some(modeshift_inst::ty::Causality::Input);
            if !taken[number] && !is_input && fine {
                fine = false;
                let message = format!("no equation on its clock gives `{}`", variable.name);
                let origin = variable.origin.clone();
                self.error(Code::MS2075, message, &origin, "declared here");
            }
        }
        fine.then(|| blocks(self, tasks))
    }

    /// The unknowns that an equality can be solved for, the easiest first.
    fn candidates(&self, task: &Task, open: &FxIndexMap<VarId, usize>) -> Vec<usize> {
        let Form::Equality { lhs, rhs, ty } = &task.form else {
            return Vec::new();
        };
        let mut read = self.read_by(task);
        read.dedup();
        let explicit = |id: VarId| match (lhs, rhs) {
            (Exp::Ref(FlatRef::Var(it)), other) if *it == id => !reads_now(other, id),
            (other, Exp::Ref(FlatRef::Var(it))) if *it == id => !reads_now(other, id),
            _ => false,
        };
        let mut easy = Vec::new();
        let mut linear = Vec::new();
        let mut hard = Vec::new();
        for id in read {
            let Some(&number) = open.get(&id) else {
                continue;
            };
            if explicit(id) {
                easy.push(number);
            } else if self.model.variables[id].ty != *ty {
                // A Real is not found from an equation between Booleans.
            } else if solve(lhs, rhs, ty, id).is_some() {
                linear.push(number);
            } else if *ty == Type::Real {
                hard.push(number);
            }
        }
        easy.extend(linear);
        easy.extend(hard);
        easy
    }

    /// What a task reads at the tick, in order and each once.
    pub(super) fn read_by(&self, task: &Task) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut add = |exp: &FlatExp| self.variables_in(&without_pre(exp), &mut found);
        match &task.form {
            Form::Equality { lhs, rhs, .. } => {
                add(lhs);
                add(rhs);
            }
            Form::Whole(kind) => equation_exps(
                &Equation {
                    kind: kind.clone(),
                    origin: task.origin.clone(),
                },
                &mut add,
            ),
            Form::Algorithm(statements) => {
                for statement in statements {
                    statement_exps(statement, &mut add);
                }
            }
        }
        found.extend(task.guard);
        let mut seen = FxHashSet::default();
        found.retain(|id| seen.insert(*id));
        found
    }
}

/// The expression with what `pre` reads made invisible.
fn without_pre(exp: &FlatExp) -> FlatExp {
    let mut found = false;
    walk(exp, &mut |part| found |= is_call(part, "pre"));
    if !found {
        return exp.clone();
    }
    rewrite(exp.clone(), &mut |part| match is_call(&part, "pre") {
        true => Exp::Iterator(Name::new("pre")),
        false => part,
    })
}

/// A matching of as many rows as possible with columns, by augmenting paths.
fn matching(candidates: &[Vec<usize>], columns: usize) -> Vec<Option<usize>> {
    let mut row_of: Vec<Option<usize>> = vec![None; columns];
    let mut column_of: Vec<Option<usize>> = vec![None; candidates.len()];
    for (row, all) in candidates.iter().enumerate() {
        if let Some(&column) = all.first()
            && row_of[column].is_none()
        {
            row_of[column] = Some(row);
            column_of[row] = Some(column);
        }
    }
    for start in 0..candidates.len() {
        if column_of[start].is_some() {
            continue;
        }
        let mut came: FxHashMap<usize, usize> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        let mut end = None;
        'search: while let Some(row) = queue.pop_front() {
            for &column in &candidates[row] {
                if came.contains_key(&column) {
                    continue;
                }
                came.insert(column, row);
                match row_of[column] {
                    Some(next) => queue.push_back(next),
                    None => {
                        end = Some(column);
                        break 'search;
                    }
                }
            }
        }
        while let Some(column) = end {
            let row = came[&column];
            end = column_of[row];
            column_of[row] = Some(column);
            row_of[column] = Some(row);
            if row == start {
                break;
            }
        }
    }
    column_of
}

fn blocks(work: &Work, tasks: Vec<Task>) -> Vec<Block> {
    let mut graph = DiGraph::<usize, ()>::new();
    let nodes: Vec<_> = (0..tasks.len()).map(|it| graph.add_node(it)).collect();
    let mut producer: FxHashMap<VarId, usize> = FxHashMap::default();
    for (number, task) in tasks.iter().enumerate() {
        producer.extend(task.outputs.iter().map(|id| (*id, number)));
    }
    for (number, task) in tasks.iter().enumerate() {
        for id in work.read_by(task) {
            if let Some(&from) = producer.get(&id)
                && from != number
            {
                graph.update_edge(nodes[number], nodes[from], ());
            }
        }
    }
    let mut tasks: Vec<Option<Task>> = tasks.into_iter().map(Some).collect();
    let order = kosaraju_scc(&graph);
    order
        .into_iter()
        .map(|mut members| {
            members.sort();
            let members = members.into_iter();
            members
                .filter_map(|node| tasks[graph[node]].take())
                .collect()
        })
        .collect()
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
