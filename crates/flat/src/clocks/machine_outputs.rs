//! What several states of a machine give (Modelica 3.6 §17.3.5 and §17.3.6): one equation chooses the value of the state
//! that is active, and keeps the last value elsewhere.

use super::Work;
use super::build::{if_, var};
use super::machine_equations::outside;
use super::partition::Sets;
use super::ticks::equality;
use crate::model::{EquationKind, FlatExp, FlatRef, Origin, OriginKind, VarId};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Type, Variability};
use std::sync::Arc;

/// The values that states give to a variable, each with the flag that the state is active.
type Choices = (Vec<(VarId, FlatExp)>, Type, Arc<Origin>);

impl Work {
    /// Variables that states give from inside although they are declared farther out.
    pub(super) fn merge_outputs(&mut self) {
        let mut merged: FxIndexMap<VarId, Choices> = FxIndexMap::default();
        let mut rest = Vec::new();
        for equation in std::mem::take(&mut self.model.equations) {
            let state = self.states.name_around(&equation.origin.instance);
            let (Some(state), EquationKind::Equality { lhs, rhs, ty }) = (state, &equation.kind)
            else {
                rest.push(equation);
                continue;
            };
            let farther = as_variable(lhs).filter(|id| {
                let variable = &self.model.variables[*id];
                let inside = variable.name.strip_prefix(state);
                let inside = inside.is_some_and(|it| it.starts_with('.'));
                !inside && variable.variability > Variability::Parameter
            });
            let Some(id) = farther else {
                rest.push(equation);
                continue;
            };
            let active = self.states.by_name[state].active;
            let entry = merged
                .entry(id)
                .or_insert_with(|| (Vec::new(), ty.clone(), outside(&equation.origin)));
            entry.0.push((active, rhs.clone()));
        }
        self.model.equations = rest;
        for (id, choices) in merged {
            self.choose(id, choices);
        }
    }

    fn choose(&mut self, id: VarId, (choices, ty, origin): Choices) {
        let mut value = self.previous_of(id);
        for (active, choice) in choices.into_iter().rev() {
            value = if_(var(active), choice, value, ty.clone());
        }
        self.model
            .equations
            .push(equality(var(id), value, ty, &origin));
    }

    /// Outputs of different states of one machine that are connected with each other are one source.
    pub(super) fn merge_connections(&mut self) {
        let given = self.given_by_states();
        if given.len() < 2 {
            return;
        }
        let mut sets = Sets::default();
        let joined = |kind: &EquationKind| match kind {
            EquationKind::Equality { lhs, rhs, .. } => as_variable(lhs).zip(as_variable(rhs)),
            _ => None,
        };
        let connections: Vec<(usize, VarId, VarId)> = self
            .model
            .equations
            .iter()
            .enumerate()
            .filter(|(_, equation)| equation.origin.kind == OriginKind::Connection)
            .filter_map(|(number, equation)| {
                let (a, b) = joined(&equation.kind)?;
                Some((number, a, b))
            })
            .collect();
        for (_, a, b) in &connections {
            sets.union(a.index(), b.index());
        }
        let mut groups: FxIndexMap<usize, (Vec<usize>, Vec<VarId>)> = FxIndexMap::default();
        for (number, a, b) in connections {
            let group = groups.entry(sets.find(a.index())).or_default();
            group.0.push(number);
            group.1.extend([a, b]);
        }
        let mut gone: FxHashSet<usize> = FxHashSet::default();
        let mut new = Vec::new();
        for (equations, mut members) in groups.into_values() {
            members.sort_unstable();
            members.dedup();
            let (sources, others): (Vec<VarId>, Vec<VarId>) =
                members.into_iter().partition(|id| given.contains_key(id));
            if sources.len() < 2 {
                continue;
            }
            gone.extend(equations.iter().copied());
            let origin = outside(&self.model.equations[equations[0]].origin);
            let Some((&first, copies)) = others.split_first() else {
                continue;
            };
            let ty = self.model.variables[first].ty.clone();
            let choices = sources.iter().map(|id| (given[id], var(*id))).collect();
            new.push((
                first,
                (choices, ty.clone(), origin.clone()),
                copies.to_vec(),
            ));
        }
        let mut number = 0;
        self.model.equations.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
        for (first, choices, copies) in new {
            let (ty, origin) = (choices.1.clone(), choices.2.clone());
            self.choose(first, choices);
            for copy in copies {
                let equation = equality(var(copy), var(first), ty.clone(), &origin);
                self.model.equations.push(equation);
            }
        }
    }

    /// Variables of states that equations inside give, each with the flag that its state is active.
    fn given_by_states(&self) -> FxHashMap<VarId, VarId> {
        let mut given = FxHashMap::default();
        let mut see = |id: VarId, instance: &str| {
            let Some(state) = self.states.name_around(instance) else {
                return;
            };
            let own = self.model.variables[id].name.strip_prefix(state);
            if own.is_some_and(|field| field.starts_with('.')) {
                given.insert(id, self.states.by_name[state].active);
            }
        };
        for equation in &self.model.equations {
            let EquationKind::Equality { lhs, rhs, .. } = &equation.kind else {
                continue;
            };
            let instance = &equation.origin.instance;
            as_variable(lhs)
                .into_iter()
                .for_each(|id| see(id, instance));
            if equation.origin.kind == OriginKind::Connection {
                as_variable(rhs)
                    .into_iter()
                    .for_each(|id| see(id, instance));
            }
        }
        for (id, variable) in self.model.variables.iter_enumerated() {
            if variable.binding.is_some() && variable.variability > Variability::Parameter {
                see(id, &variable.origin.instance);
            }
        }
        for algorithm in &self.model.algorithms {
            for id in self.assigned(&algorithm.statements) {
                see(id, &algorithm.origin.instance);
            }
        }
        given
    }
}

fn as_variable(exp: &FlatExp) -> Option<VarId> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(*id),
        _ => None,
    }
}
