//! Parameters that are zero and take unknowns out of their equations: the resistance of an ideal diode.

use modeshift_base::FxHashSet;
use modeshift_flat::model::{FlatExp, FlatModel, FlatRef, VarId};
use modeshift_flat::walk::{equation_exps, walk};
use modeshift_inst::exp::{BinaryOp, Exp};
use modeshift_inst::ty::Variability;
use modeshift_mdae::sym::VarRef;

/// The parameters that a message names.
const MAX_NAMED: usize = 4;

/// Parameters with the value zero that are factors in equations with one of `unknowns`. Linear in the model.
pub fn factors(flat: &FlatModel, unknowns: &[VarRef]) -> Vec<String> {
    let unknowns: FxHashSet<usize> = unknowns.iter().map(|it| it.var.0 as usize).collect();
    let mut found: Vec<VarId> = Vec::new();
    for equation in &flat.equations {
        let (mut concerned, mut zeros) = (false, Vec::new());
        equation_exps(equation, &mut |exp| {
            walk(exp, &mut |part| match part {
                Exp::Ref(FlatRef::Var(id)) => concerned |= unknowns.contains(&id.index()),
                Exp::Binary(BinaryOp::Mul | BinaryOp::Div, sides) => {
                    for (factor, other) in [(&sides.0, &sides.1), (&sides.1, &sides.0)] {
                        if varies(flat, other) {
                            zeros_of(flat, factor, &mut zeros);
                        }
                    }
                }
                _ => {}
            });
        });
        if concerned {
            zeros.retain(|id| !found.contains(id));
            found.extend(zeros);
        }
    }
    found.truncate(MAX_NAMED);
    let names = found.into_iter();
    names
        .map(|id| flat.variables[id].name.to_string())
        .collect()
}

fn varies(flat: &FlatModel, exp: &FlatExp) -> bool {
    let mut found = false;
    walk(exp, &mut |part| {
        found |= match part {
            Exp::Ref(FlatRef::Var(id)) => flat.variables[*id].variability > Variability::Parameter,
            Exp::Time => true,
            _ => false,
        };
    });
    found
}

/// The parameters that a factor is, in one of its branches at least.
fn zeros_of(flat: &FlatModel, factor: &FlatExp, found: &mut Vec<VarId>) {
    match factor {
        Exp::Ref(FlatRef::Var(id)) if is_zero(flat, *id) && !found.contains(id) => found.push(*id),
        Exp::If(branch) => {
            zeros_of(flat, &branch.then, found);
            zeros_of(flat, &branch.else_, found);
        }
        Exp::Cast(_, inner) | Exp::Unary(_, inner) => zeros_of(flat, inner, found),
        _ => {}
    }
}

fn is_zero(flat: &FlatModel, id: VarId) -> bool {
    let variable = &flat.variables[id];
    let zero = |exp: &FlatExp| match exp {
        Exp::Cast(_, inner) => matches!(**inner, Exp::Int(0)),
        other => *other == Exp::Real(0.0) || *other == Exp::Int(0),
    };
    variable.variability == Variability::Parameter && variable.binding.as_ref().is_some_and(zero)
}
