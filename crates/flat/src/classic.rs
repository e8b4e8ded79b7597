//! The shape OpenModelica's first frontend gave flat models (`-d=-newInst`), for comparison with files
//! recorded by it and for tools that read them.
//!
//! While lowering, structural parameters stay what they are, arrays are spread out, and functions that were
//! called only at translation are kept ([`crate::lower::Cx::classic`]). What is left for afterwards is in
//! here: literals go to the front of sums and products, signs to the first factor, a square is a power,
//! equations between records are told field by field. One pass, linear in the size of the model.

mod order;

use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, FunctionBody, FunctionDim, VarId,
};
use crate::walk::{change_equation, change_statements};
use modeshift_base::IndexVec;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::Type;

/// Rewrites a model that was lowered with [`crate::Options::classic`].
pub(crate) fn reshape(model: &mut FlatModel) {
    let groups = std::mem::take(&mut model.groups);
    for equations in [&mut model.initial_equations, &mut model.equations] {
        *equations = std::mem::take(equations)
            .into_iter()
            .flat_map(|equation| by_field(equation, &groups))
            .collect();
        for equation in equations.iter_mut() {
            change_equation(equation, &mut reorder);
        }
    }
    for algorithm in model
        .initial_algorithms
        .iter_mut()
        .chain(&mut model.algorithms)
    {
        change_statements(&mut algorithm.statements, &mut reorder);
    }
    for variable in model.variables.iter_mut() {
        variable.binding.iter_mut().for_each(reorder);
        for attribute in &mut variable.attributes {
            reorder(&mut attribute.value);
        }
    }
    functions(model);
    model.groups = groups;
    model.classic = true;
}

fn functions(model: &mut FlatModel) {
    for function in &mut model.functions {
        for local in &mut function.locals {
            local.binding.iter_mut().for_each(reorder);
            for dim in &mut local.dims {
                if let FunctionDim::Given(size) = dim {
                    reorder(size);
                }
            }
        }
        if let FunctionBody::Algorithm(body) = &mut function.body {
            change_statements(body, &mut reorder);
        }
    }
}

fn reorder(exp: &mut FlatExp) {
    *exp = order::exp(std::mem::replace(exp, Exp::Error));
}

/// `r = s` between records: one equation for each pair of scalars.
fn by_field(equation: Equation, groups: &IndexVec<crate::model::Group>) -> Vec<Equation> {
    let EquationKind::Equality { lhs, rhs, ty } = &equation.kind else {
        return vec![equation];
    };
    if !matches!(crate::lower::element_of(ty), Type::Record(_)) {
        return vec![equation];
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    if !scalars(lhs, groups, &mut left)
        || !scalars(rhs, groups, &mut right)
        || left.len() != right.len()
    {
        return vec![equation];
    }
    let pairs = left.into_iter().zip(right);
    pairs
        .map(|(lhs, rhs)| Equation {
            kind: EquationKind::Equality {
                lhs,
                rhs,
                ty: Type::Unknown,
            },
            origin: equation.origin.clone(),
        })
        .collect()
}

/// The scalars of a record's value in order of declaration; false if they are not known.
fn scalars(exp: &FlatExp, groups: &IndexVec<crate::model::Group>, out: &mut Vec<FlatExp>) -> bool {
    match exp {
        Exp::Ref(FlatRef::Group(group)) => {
            let members = &groups[*group].members;
            out.extend(members.iter().map(|&id: &VarId| Exp::Ref(FlatRef::Var(id))));
            true
        }
        Exp::Record(_, fields) | Exp::Array(fields, _) => {
            fields.iter().all(|field| scalars(field, groups, out))
        }
        Exp::Call(_) | Exp::Subscripted(..) | Exp::Field(..) | Exp::Reduction(_) => false,
        other => {
            out.push(other.clone());
            true
        }
    }
}
