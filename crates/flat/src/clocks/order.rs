//! Which equation of a sub-clock gives which variable, and the order in which they can be computed.

use super::build::is_call;
use super::solve::solve;
use super::tasks::{Block, Form, Task};
use super::{Work, reads_now};
use crate::model::{Equation, FlatExp, FlatRef, Origin, VarId};
use crate::walk::{equation_exps, rewrite, statement_exps, walk};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::sync::Arc;

impl Work {
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
                    let origin = tasks[task].origin.clone();
                    // One message is enough for what has one cause.
                    if std::mem::replace(&mut fine, false) {
                        let surplus = equalities.len() > open.len();
                        self.left_over(&origin, surplus);
                    }
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

    /// An equation that no unknown is left for.
    fn left_over(&mut self, origin: &Arc<Origin>, surplus: bool) {
        let diagnostic = match surplus {
            true => Diagnostic::new(
                Code::MS2075,
                "there are more equations than unknowns on a clock",
            )
            .label(origin.span, "this equation is one too many"),
            false => Diagnostic::new(
                Code::MS2075,
                "the equations on a clock do not determine its unknowns",
            )
            .label(origin.span, "nothing is left that this equation could determine")
            .note("States that equations tie together need an implicit solver method, such as \"ImplicitEuler\"."),
        };
        self.diagnostics.push(diagnostic);
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
