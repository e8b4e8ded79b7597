//! Which values integers and enumerations can have.

use super::super::Lower;
use super::super::collect::{Collected, Source, is_builtin};
use modeshift_base::FxHashMap;
use modeshift_flat::model::{
    self as flat, Equation, EquationKind as FlatKind, FlatExp, FlatRef, Statement, StatementKind,
};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;
use std::collections::BTreeSet;

/// An integer with a larger range than this is a number, not a choice.
const MAX_VALUES: i64 = 64;

impl<'m> Lower<'m> {
    /// The finitely many values an integer or enumeration can have.
    pub(in crate::lower) fn possible_values(&self, id: flat::VarId) -> Option<Vec<i64>> {
        self.possible.get(&id).cloned()
    }

    /// Values of enumerations are their literals; integers are looked at: declared range, or nothing
    /// but constants wherever they get a value.
    pub(super) fn find_values(&mut self, collected: &Collected<'m>, pending: &[flat::VarId]) {
        let mut literals: FxHashMap<flat::VarId, Option<BTreeSet<i64>>> = FxHashMap::default();
        for &id in pending {
            match &self.flat.variables[id].ty {
                Type::Enumeration(ty) => {
                    let values = (1..=ty.literals.len() as i64).collect();
                    self.possible.insert(id, values);
                }
                Type::Integer => {
                    let start = self.flat.variables[id]
                        .attributes
                        .iter()
                        .find(|attribute| attribute.name == "start")
                        .and_then(|start| self.constants.evaluate(&start.value)?.integer());
                    literals.insert(id, Some(start.into_iter().collect()));
                }
                _ => {}
            }
        }
        for (&id, values) in &mut literals {
            for piece in &collected.pieces[id.index()] {
                match piece.value {
                    Source::Exp(exp) => self.constants_of(id, exp, values),
                    Source::Variable(_) => *values = None,
                }
            }
        }
        for when in &collected.whens {
            for (_, body) in when.branches {
                self.constants_in(body, &mut literals);
            }
        }
        for algorithm in &self.flat.algorithms {
            self.constants_in_statements(&algorithm.statements, &mut literals);
        }
        for (id, found) in literals {
            if let Some(values) = self.declared_range(id).or(found)
                && !values.is_empty()
            {
                self.possible.insert(id, values.into_iter().collect());
            }
        }
    }

    pub(in crate::lower) fn declared_range(&self, id: flat::VarId) -> Option<BTreeSet<i64>> {
        let attribute = |name: &str| {
            let attributes = &self.flat.variables[id].attributes;
            let found = attributes.iter().find(|attribute| attribute.name == name)?;
            self.constants.evaluate(&found.value)?.integer()
        };
        let (min, max) = (attribute("min")?, attribute("max")?);
        (min <= max && max.checked_sub(min)? < MAX_VALUES).then(|| (min..=max).collect())
    }

    /// Collects the constants `exp` can come to; `None` as soon as it is something else.
    fn constants_of(&self, id: flat::VarId, exp: &FlatExp, values: &mut Option<BTreeSet<i64>>) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            if let Some(value) = self
                .constants
                .evaluate(exp)
                .and_then(|value| value.integer())
            {
                if let Some(values) = values {
                    values.insert(value);
                }
                continue;
            }
            match exp {
                Exp::If(branch) => stack.extend([&branch.then, &branch.else_]),
                Exp::Cast(_, inner) => stack.push(inner),
                Exp::Call(call)
                    if is_builtin(&call.function, "pre")
                        && call.args.first().and_then(super::super::as_variable) == Some(id) => {}
                _ => {
                    *values = None;
                    return;
                }
            }
        }
        if values
            .as_ref()
            .is_some_and(|values| values.len() as i64 > MAX_VALUES)
        {
            *values = None;
        }
    }

    fn constants_in(
        &self,
        body: &[Equation],
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for equation in body {
            match &equation.kind {
                FlatKind::Equality { lhs, rhs, .. } => self.constants_assigned(lhs, rhs, literals),
                FlatKind::If { branches, else_ } => {
                    for (_, inner) in branches {
                        self.constants_in(inner, literals);
                    }
                    self.constants_in(else_, literals);
                }
                _ => {}
            }
        }
    }

    fn constants_in_statements(
        &self,
        statements: &[Statement],
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    self.constants_assigned(target, value, literals);
                }
                StatementKind::If { branches, else_ } => {
                    for (_, body) in branches {
                        self.constants_in_statements(body, literals);
                    }
                    self.constants_in_statements(else_, literals);
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    self.constants_in_statements(body, literals);
                }
                StatementKind::When { branches } => {
                    for (_, body) in branches {
                        self.constants_in_statements(body, literals);
                    }
                }
                _ => {}
            }
        }
    }

    fn constants_assigned(
        &self,
        target: &FlatExp,
        value: &FlatExp,
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for target in super::super::collect::targets(target) {
            let single = super::super::as_variable(target);
            if let Some(id) = single
                && let Some(values) = literals.get_mut(&id)
            {
                let mut found = values.take();
                self.constants_of(id, value, &mut found);
                *values = found;
            } else if let Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) = target {
                for id in &self.flat.groups[*group].members {
                    literals.insert(*id, None);
                }
            }
        }
    }
}
