//! Sizes of equations and algorithms in scalars.

use crate::layout::extent;
use crate::lower::{dims_of, element_of};
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Statement, StatementKind, VarId, Variable,
};
use modeshift_base::FxIndexSet;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type, Variability};

/// Whether the model has to determine the variable.
pub fn is_unknown(variable: &Variable) -> bool {
    variable.variability >= Variability::Discrete
        && variable.causality != Some(Causality::Input)
        && !matches!(variable.ty, Type::External(_))
}

/// How many scalar equations an equation stands for.
pub fn equation_count(model: &FlatModel, equation: &Equation) -> usize {
    let sum =
        |body: &[Equation]| -> usize { body.iter().map(|part| equation_count(model, part)).sum() };
    match &equation.kind {
        EquationKind::Equality { lhs, ty, .. } => value_size(model, lhs, ty),
        EquationKind::If { branches, else_ } => branches
            .first()
            .map_or_else(|| sum(else_), |(_, body)| sum(body)),
        EquationKind::When { branches } => branches.first().map_or(0, |(_, body)| sum(body)),
        EquationKind::For { range, body, .. } => range_size(range) * sum(body),
        _ => 0,
    }
}

fn range_size(range: &FlatExp) -> usize {
    match range {
        Exp::Range(range) => match (&range.start, &range.stop, &range.step) {
            (Exp::Int(start), Exp::Int(stop), None) => {
                usize::try_from(stop - start + 1).unwrap_or(0)
            }
            _ => 1,
        },
        Exp::Array(elements, _) => elements.len(),
        _ => 1,
    }
}

/// Scalars of a value: by its own shape where it has one, otherwise by its type.
fn value_size(model: &FlatModel, exp: &FlatExp, ty: &Type) -> usize {
    match exp {
        Exp::Ref(FlatRef::Var(_)) => 1,
        Exp::Ref(FlatRef::Group(id)) => {
            model.groups.get(*id).map_or(1, |group| group.members.len())
        }
        Exp::Array(elements, array) => elements
            .iter()
            .map(|element| value_size(model, element, element_of(array)))
            .sum(),
        Exp::Tuple(elements) => elements
            .iter()
            .flatten()
            .map(|element| value_size(model, element, &Type::Real))
            .sum(),
        _ => type_size(ty),
    }
}

fn type_size(ty: &Type) -> usize {
    let count: usize = dims_of(ty)
        .iter()
        .map(|dim| extent(dim).unwrap_or(1))
        .product();
    let element = match element_of(ty) {
        Type::Record(record) => record
            .fields
            .iter()
            .map(|(_, field)| type_size(field))
            .sum(),
        Type::Tuple(types) => types.iter().map(type_size).sum(),
        _ => 1,
    };
    count * element
}

/// Variables that statements assign.
pub fn statement_targets(model: &FlatModel, statements: &[Statement]) -> FxIndexSet<VarId> {
    let mut targets = FxIndexSet::default();
    for statement in statements {
        collect(model, statement, &mut targets);
    }
    targets
}

fn collect(model: &FlatModel, statement: &Statement, targets: &mut FxIndexSet<VarId>) {
    let mut all = |body: &[Statement]| {
        for statement in body {
            collect(model, statement, targets);
        }
    };
    match &statement.kind {
        StatementKind::Assign { target, .. } => assigned(model, target, targets),
        StatementKind::If { branches, else_ } => {
            branches.iter().for_each(|(_, body)| all(body));
            all(else_);
        }
        StatementKind::When { branches } => branches.iter().for_each(|(_, body)| all(body)),
        StatementKind::For { body, .. } | StatementKind::While { body, .. } => all(body),
        _ => {}
    }
}

fn assigned(model: &FlatModel, target: &FlatExp, targets: &mut FxIndexSet<VarId>) {
    match target {
        Exp::Ref(FlatRef::Var(id)) => {
            targets.insert(*id);
        }
        Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
            if let Some(group) = model.groups.get(*id) {
                targets.extend(group.members.iter().copied());
            }
        }
        Exp::Tuple(elements) => {
            elements
                .iter()
                .flatten()
                .for_each(|element| assigned(model, element, targets));
        }
        Exp::Array(elements, _) => {
            elements
                .iter()
                .for_each(|element| assigned(model, element, targets));
        }
        _ => {}
    }
}
