//! Which variables are held between events, by what assigns them.

use super::lower::Class;
use super::parameter::is_parameter;
use modeshift_base::FxHashMap;
use modeshift_flat::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Statement, StatementKind, Variable,
};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type};

/// Whether all assignments to a variable stand inside `when`.
#[derive(Default)]
struct Assigned {
    in_when: FxHashMap<u32, bool>,
}

/// Whether a variable comes from outside of the model.
pub fn is_input(variable: &Variable) -> bool {
    variable.causality == Some(Causality::Input)
        && variable.binding.is_none()
        && !variable.name.contains('.')
}

/// By variable. Linear in the model.
pub fn classes(flat: &FlatModel) -> Vec<Class> {
    let mut assigned = Assigned::default();
    for equation in &flat.equations {
        assigned.equation(flat, equation, false);
    }
    for algorithm in &flat.algorithms {
        for statement in &algorithm.statements {
            assigned.statement(flat, statement, false);
        }
    }
    let variables = flat.variables.iter().enumerate();
    variables
        .map(|(i, variable)| match &variable.ty {
            Type::Clock | Type::Function(_) => Class::Text,
            _ if is_parameter(variable) => Class::Constant,
            // Objects are made once, before everything else.
            Type::External(_) => Class::Constant,
            _ if is_input(variable) => Class::Input,
            Type::Real => match assigned.in_when.get(&(i as u32)) {
                Some(true) => Class::Discrete,
                _ => Class::Continuous,
            },
            _ => Class::Discrete,
        })
        .collect()
}

impl Assigned {
    fn target(&mut self, flat: &FlatModel, exp: &FlatExp, in_when: bool) {
        match exp {
            Exp::Ref(FlatRef::Var(id)) => self.put(id.index() as u32, in_when),
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                for member in &flat.groups[*id].members {
                    self.put(member.index() as u32, in_when);
                }
            }
            Exp::Tuple(items) => items
                .iter()
                .flatten()
                .for_each(|item| self.target(flat, item, in_when)),
            Exp::Array(items, _) | Exp::Record(_, items) => {
                items
                    .iter()
                    .for_each(|item| self.target(flat, item, in_when));
            }
            Exp::Cast(_, inner) => self.target(flat, inner, in_when),
            _ => {}
        }
    }

    fn put(&mut self, variable: u32, in_when: bool) {
        *self.in_when.entry(variable).or_insert(true) &= in_when;
    }

    fn equation(&mut self, flat: &FlatModel, equation: &Equation, in_when: bool) {
        match &equation.kind {
            EquationKind::Equality { lhs, .. } if in_when => self.target(flat, lhs, true),
            EquationKind::If { branches, else_ } => {
                let all = branches.iter().flat_map(|(_, body)| body).chain(else_);
                all.for_each(|equation| self.equation(flat, equation, in_when));
            }
            EquationKind::When { branches } => {
                let all = branches.iter().flat_map(|(_, body)| body);
                all.for_each(|equation| self.equation(flat, equation, true));
            }
            EquationKind::For { body, .. } => {
                body.iter()
                    .for_each(|equation| self.equation(flat, equation, in_when));
            }
            _ => {}
        }
    }

    fn statement(&mut self, flat: &FlatModel, statement: &Statement, in_when: bool) {
        match &statement.kind {
            StatementKind::Assign { target, .. } => self.target(flat, target, in_when),
            StatementKind::If { branches, else_ } => {
                let all = branches.iter().flat_map(|(_, body)| body).chain(else_);
                all.for_each(|statement| self.statement(flat, statement, in_when));
            }
            StatementKind::When { branches } => {
                let all = branches.iter().flat_map(|(_, body)| body);
                all.for_each(|statement| self.statement(flat, statement, true));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                body.iter()
                    .for_each(|statement| self.statement(flat, statement, in_when));
            }
            _ => {}
        }
    }
}
