//! Discrete variables that a `when` assigns although its condition reads their new values: all equations hold together at an
//! instant, so after the assignment the condition may not have become true.
//!
//! The way from the condition back to the variable is followed through discrete variables. What leads through continuous
//! unknowns belongs to the loops between conditions and unknowns, which the analysis of modes decides.

use super::values::differentiated;
use super::{is_pre, side_variables};
use crate::balance::statement_targets;
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Place, Statement, StatementKind, VarId,
};
use crate::walk::walk_while;
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::{Callee, Exp};
use modeshift_inst::ty::Type;
use petgraph::algo::{astar, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex};

/// Names in a message.
const MAX_NAMES: usize = 4;

/// An assignment in a `when`, and what its conditions read.
struct Assigned {
    variable: VarId,
    conditions: FxHashSet<VarId>,
    place: Place,
}

/// Who reads whose new value: an edge leads from a variable to those that it is computed from.
#[derive(Default)]
struct Instant {
    reads: Vec<(VarId, FxHashSet<VarId>)>,
    assigned: Vec<Assigned>,
}

pub(super) fn conditions_that_read_what_they_assign(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut instant = Instant::default();
    for equation in &model.equations {
        instant.equation(model, equation);
    }
    for algorithm in &model.algorithms {
        instant.algorithm(model, &algorithm.statements);
    }
    // What has an equation of its own as well is continuous: a law for the instant resets it.
    let mut continuous = FxHashSet::default();
    for equation in &model.equations {
        if let EquationKind::Equality { lhs, rhs, .. } = &equation.kind {
            side_variables(model, lhs, &mut continuous);
            side_variables(model, rhs, &mut continuous);
        }
    }
    continuous.extend(differentiated(model));
    instant
        .assigned
        .retain(|it| !continuous.contains(&it.variable));
    if instant.assigned.is_empty() {
        return Vec::new();
    }
    for (id, variable) in model.variables.iter_enumerated() {
        if let Some(binding) = variable
            .binding
            .as_ref()
            .filter(|_| is_discrete(&variable.ty))
        {
            let reads = new_values(model, binding);
            instant.reads.push((id, reads));
        }
    }
    instant.told(model)
}

impl Instant {
    fn equation(&mut self, model: &FlatModel, equation: &Equation) {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => {
                for (own, other) in [(lhs, rhs), (rhs, lhs)] {
                    if let Exp::Ref(FlatRef::Var(id)) = own
                        && is_discrete(&model.variables[*id].ty)
                    {
                        self.reads.push((*id, new_values(model, other)));
                        break;
                    }
                }
            }
            EquationKind::If { branches, else_ } => {
                let bodies = branches.iter().map(|(_, body)| body).chain([else_]);
                bodies.flatten().for_each(|it| self.equation(model, it));
            }
            EquationKind::When { branches } => {
                let mut conditions = FxHashSet::default();
                for (condition, body) in branches {
                    conditions.extend(new_values(model, condition));
                    for part in body {
                        self.assigned_in(model, part, &conditions, equation.origin.span);
                    }
                }
            }
            _ => {}
        }
    }

    fn assigned_in(
        &mut self,
        model: &FlatModel,
        equation: &Equation,
        conditions: &FxHashSet<VarId>,
        place: Place,
    ) {
        match &equation.kind {
            EquationKind::Equality { lhs, rhs, .. } => {
                let mut own = FxHashSet::default();
                side_variables(model, lhs, &mut own);
                let reads = new_values(model, rhs);
                for variable in own {
                    // That a right side reads what is on the left is told elsewhere.
                    let others = reads.iter().copied().filter(|read| *read != variable);
                    self.reads.push((variable, others.collect()));
                    self.assigned.push(Assigned {
                        variable,
                        conditions: conditions.clone(),
                        place,
                    });
                }
            }
            EquationKind::If { branches, else_ } => {
                let bodies = branches.iter().map(|(_, body)| body).chain([else_]);
                for part in bodies.flatten() {
                    self.assigned_in(model, part, conditions, place);
                }
            }
            _ => {}
        }
    }

    /// An algorithm reads what it assigns itself in the order of its statements, from the value before the instant on.
    fn algorithm(&mut self, model: &FlatModel, statements: &[Statement]) {
        let own: FxHashSet<VarId> = statement_targets(model, statements).into_iter().collect();
        for statement in statements {
            let StatementKind::When { branches } = &statement.kind else {
                continue;
            };
            let mut conditions = FxHashSet::default();
            for (condition, body) in branches {
                conditions.extend(new_values(model, condition));
                conditions.retain(|read| !own.contains(read));
                for variable in statement_targets(model, body) {
                    self.assigned.push(Assigned {
                        variable,
                        conditions: conditions.clone(),
                        place: statement.origin.span,
                    });
                }
            }
        }
    }

    fn told(&self, model: &FlatModel) -> Vec<Diagnostic<Place>> {
        let mut graph: DiGraph<VarId, ()> = DiGraph::new();
        let mut nodes: FxHashMap<VarId, NodeIndex> = FxHashMap::default();
        let mut node = |graph: &mut DiGraph<VarId, ()>, id: VarId| {
            *nodes.entry(id).or_insert_with(|| graph.add_node(id))
        };
        let of_conditions = self.assigned.iter().map(|it| (it.variable, &it.conditions));
        let reads = self.reads.iter().map(|(id, reads)| (*id, reads));
        for (id, reads) in reads.chain(of_conditions) {
            let from = node(&mut graph, id);
            for &read in reads {
                let to = node(&mut graph, read);
                graph.add_edge(from, to, ());
            }
        }
        let mut part = vec![0; graph.node_count()];
        for (number, members) in tarjan_scc(&graph).into_iter().enumerate() {
            members.into_iter().for_each(|it| part[it.index()] = number);
        }
        let mut found: Vec<Diagnostic<Place>> = Vec::new();
        let mut told: FxHashSet<usize> = FxHashSet::default();
        for it in &self.assigned {
            let own = nodes[&it.variable];
            let mut back = it.conditions.iter().map(|read| nodes[read]);
            let Some(read) = back.find(|read| part[read.index()] == part[own.index()]) else {
                continue;
            };
            if !told.insert(part[own.index()]) {
                continue;
            }
            let way = astar(&graph, read, |at| at == own, |_| 1, |_| 0);
            let way: Vec<VarId> = way
                .into_iter()
                .flat_map(|(_, way)| way)
                .map(|at| graph[at])
                .collect();
            found.push(message(model, it, &way));
        }
        found
    }
}

/// `way` leads from what the condition reads to the variable that is assigned.
fn message(model: &FlatModel, it: &Assigned, way: &[VarId]) -> Diagnostic<Place> {
    let name = |id: VarId| format!("`{}`", model.variables[id].name);
    let own = name(it.variable);
    let between: Vec<String> = match way.split_last() {
        Some((_, between)) => between.iter().take(MAX_NAMES).map(|&id| name(id)).collect(),
        None => Vec::new(),
    };
    let reads = match &between[..] {
        [] => format!("the condition of this `when` reads the new value of {own}"),
        _ => format!(
            "the condition of this `when` depends on the new value of {own}, through {}",
            between.join(", ")
        ),
    };
    Diagnostic::new(Code::MS4019, format!("{own} decides on its own assignment"))
        .label(it.place, reads)
        .note(
            "all equations hold together at an instant: with the new value the condition may not have become true, and then no value fits",
        )
        .note(format!(
            "write `pre({})` where the value before the instant is meant",
            model.variables[it.variable].name
        ))
}

fn is_discrete(ty: &Type) -> bool {
    matches!(ty, Type::Boolean | Type::Integer | Type::Enumeration(_))
}

/// The variables whose values at the instant an expression reads.
fn new_values(model: &FlatModel, exp: &FlatExp) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    walk_while(exp, &mut |part| {
        match part {
            Exp::Ref(FlatRef::Var(id)) => {
                found.insert(*id);
            }
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                found.extend(model.groups[*id].members.iter().copied());
            }
            _ => {}
        }
        !is_pre(part) && !is_past(part)
    });
    found
}

/// `delay` and `previous` read what was.
fn is_past(exp: &FlatExp) -> bool {
    let Exp::Call(call) = exp else { return false };
    matches!(&call.function, Callee::Builtin(name) if matches!(name.as_str(), "delay" | "previous"))
}
