//! The order in which discrete variables can be defined: each after those its definition reads.

use super::super::Lower;
use super::super::collect::{Collected, Source, is_builtin, push_children};
use modeshift_base::FxHashMap;
use modeshift_flat::model::{self as flat, FlatExp, FlatRef, Statement, StatementKind};
use modeshift_inst::exp::Exp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl<'m> Lower<'m> {
    /// Kahn's algorithm, smallest variable first, so that mode variables come in the order of
    /// declaration where nothing forbids it. What remains lies on or behind a loop.
    pub(super) fn dependency_order(
        &self,
        collected: &Collected<'m>,
        defined: &[flat::VarId],
    ) -> (Vec<flat::VarId>, Vec<Vec<flat::VarId>>) {
        let number: FxHashMap<flat::VarId, usize> =
            defined.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); defined.len()];
        let mut missing = vec![0usize; defined.len()];
        for (i, &id) in defined.iter().enumerate() {
            let mut needs: Vec<usize> = Vec::new();
            self.dependencies(collected, id, &mut |dependency| {
                needs.extend(number.get(&dependency));
            });
            needs.sort_unstable();
            needs.dedup();
            missing[i] = needs.len();
            for need in needs {
                users[need].push(i);
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> = (0..defined.len())
            .filter(|&i| missing[i] == 0)
            .map(Reverse)
            .collect();
        let mut order = Vec::with_capacity(defined.len());
        while let Some(Reverse(i)) = ready.pop() {
            order.push(defined[i]);
            for &user in &users[i] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(Reverse(user));
                }
            }
        }
        if order.len() == defined.len() {
            return (order, Vec::new());
        }
        self.break_loops(defined, &users, &missing, order)
    }

    /// Strongly connected components of what is left; the members of a loop come first, then those
    /// that only depend on them.
    fn break_loops(
        &self,
        defined: &[flat::VarId],
        users: &[Vec<usize>],
        missing: &[usize],
        mut order: Vec<flat::VarId>,
    ) -> (Vec<flat::VarId>, Vec<Vec<flat::VarId>>) {
        let mut graph = petgraph::graph::DiGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..defined.len()).map(|i| graph.add_node(i)).collect();
        for (i, list) in users.iter().enumerate() {
            for &user in list {
                graph.add_edge(nodes[i], nodes[user], ());
            }
        }
        let mut loops = Vec::new();
        // Kosaraju's components come in reverse topological order.
        for component in petgraph::algo::kosaraju_scc(&graph).into_iter().rev() {
            let mut members: Vec<usize> = component.iter().map(|&n| graph[n]).collect();
            members.sort_unstable();
            let is_loop = members.len() > 1 || users[members[0]].contains(&members[0]);
            if is_loop {
                loops.push(members.iter().map(|&i| defined[i]).collect());
            }
            order.extend(
                members
                    .iter()
                    .filter(|&&i| missing[i] > 0)
                    .map(|&i| defined[i]),
            );
        }
        (order, loops)
    }

    /// Calls `visit` for every discrete variable without a meaning that the definition of `id` reads
    /// at the current instant.
    fn dependencies(
        &self,
        collected: &Collected<'m>,
        id: flat::VarId,
        visit: &mut impl FnMut(flat::VarId),
    ) {
        for piece in &collected.pieces[id.index()] {
            match piece.value {
                Source::Exp(exp) => self.pending_in(exp, visit),
                Source::Variable(other) => visit(other),
            }
            let mut chain = piece.chain;
            while chain != 0 {
                self.pending_in(collected.chains[chain].condition, visit);
                chain = collected.chains[chain].parent;
            }
        }
        if let Some(algorithm) = collected.assigned_by[id.index()] {
            let mut own = |dependency: flat::VarId| {
                if collected.assigned_by[dependency.index()] != Some(algorithm) {
                    visit(dependency);
                }
            };
            self.pending_in_statements(&self.flat.algorithms[algorithm].statements, &mut own);
        }
    }

    fn pending_in(&self, exp: &FlatExp, visit: &mut impl FnMut(flat::VarId)) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Ref(FlatRef::Var(id)) if self.meaning(*id).is_none() => visit(*id),
                Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                    for &id in &self.flat.groups[*group].members {
                        if self.meaning(id).is_none() {
                            visit(id);
                        }
                    }
                }
                Exp::Call(call) if is_builtin(&call.function, "pre") => continue,
                _ => {}
            }
            push_children(exp, &mut stack);
        }
    }

    fn pending_in_statements(&self, statements: &[Statement], visit: &mut impl FnMut(flat::VarId)) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { value, .. } => self.pending_in(value, visit),
                StatementKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        self.pending_in(condition, visit);
                        self.pending_in_statements(body, visit);
                    }
                    self.pending_in_statements(else_, visit);
                }
                StatementKind::For { body, .. } => self.pending_in_statements(body, visit),
                StatementKind::While { condition, body } => {
                    self.pending_in(condition, visit);
                    self.pending_in_statements(body, visit);
                }
                _ => {}
            }
        }
    }
}
