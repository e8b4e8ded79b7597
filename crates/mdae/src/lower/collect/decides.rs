//! Enumerations that decide because others take their values from them.
//!
//! In `when … then state = pre(last)`, conditions on `state` are conditions on `last`: both have modes for their values, or
//! neither has. Integers need no such care, they can be numbers in conditions.

use super::{Collected, Source, targets};
use crate::lower::as_variable;
use modeshift_base::FxHashMap;
use modeshift_flat::model::{
    self as flat, Equation, EquationKind, FlatExp, FlatModel, FlatRef, Statement, StatementKind,
};
use modeshift_flat::walk::walk;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Type, Variability};

/// From which enumerations each one takes its values.
struct Flows<'m> {
    flat: &'m FlatModel,
    sources: FxHashMap<flat::VarId, Vec<flat::VarId>>,
}

/// Spreads [`Collected::decides`] against the flow of values. Linear.
pub(super) fn spread(flat: &FlatModel, collected: &mut Collected<'_>) {
    let mut flows = Flows {
        flat,
        sources: FxHashMap::default(),
    };
    for (id, pieces) in flat.variables.ids().zip(&collected.pieces) {
        for piece in pieces {
            match piece.value {
                Source::Exp(exp) => flows.feed(id, exp),
                Source::Variable(other) if flows.is_enumeration(id) => {
                    flows.sources.entry(id).or_default().push(other);
                }
                Source::Variable(_) => {}
            }
        }
    }
    for when in &collected.whens {
        for (_, body) in when.branches {
            flows.equations(body);
        }
    }
    for algorithm in &flat.algorithms {
        flows.statements(&algorithm.statements);
    }
    let deciding = |id: &flat::VarId| collected.decides[id.index()];
    let mut open: Vec<flat::VarId> = flows.sources.keys().copied().filter(deciding).collect();
    while let Some(id) = open.pop() {
        for source in flows.sources.remove(&id).unwrap_or_default() {
            if !std::mem::replace(&mut collected.decides[source.index()], true) {
                open.push(source);
            }
        }
    }
}

impl Flows<'_> {
    fn is_enumeration(&self, id: flat::VarId) -> bool {
        let variable = &self.flat.variables[id];
        matches!(variable.ty, Type::Enumeration(_)) && variable.variability > Variability::Parameter
    }

    fn feed(&mut self, id: flat::VarId, value: &FlatExp) {
        if !self.is_enumeration(id) {
            return;
        }
        let mut found = Vec::new();
        walk(value, &mut |exp| {
            if let Exp::Ref(FlatRef::Var(source)) = exp
                && *source != id
                && self.is_enumeration(*source)
            {
                found.push(*source);
            }
        });
        self.sources.entry(id).or_default().extend(found);
    }

    fn assigned(&mut self, target: &FlatExp, value: &FlatExp) {
        for target in targets(target) {
            if let Some(id) = as_variable(target) {
                self.feed(id, value);
            }
        }
    }

    fn equations(&mut self, equations: &[Equation]) {
        for equation in equations {
            match &equation.kind {
                EquationKind::Equality { lhs, rhs, .. } => self.assigned(lhs, rhs),
                EquationKind::If { branches, else_ } => {
                    branches.iter().for_each(|(_, body)| self.equations(body));
                    self.equations(else_);
                }
                _ => {}
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => self.assigned(target, value),
                StatementKind::If { branches, else_ } => {
                    branches.iter().for_each(|(_, body)| self.statements(body));
                    self.statements(else_);
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    self.statements(body);
                }
                StatementKind::When { branches, .. } => {
                    branches.iter().for_each(|(_, body)| self.statements(body));
                }
                _ => {}
            }
        }
    }
}
