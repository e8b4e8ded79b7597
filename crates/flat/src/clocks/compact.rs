//! Removing variables from a flat model that nothing refers to any more.

use crate::model::{FlatExp, FlatModel, FlatRef, VarId, Variable};
use crate::walk::{change_equations, change_statements, rewrite};
use modeshift_base::{Idx, IndexVec};
use modeshift_inst::exp::{Exp, Subscript};

pub(super) fn remove(model: &mut FlatModel, drop: impl Fn(VarId, &Variable) -> bool) {
    let mut map: Vec<Option<VarId>> = Vec::new();
    let mut kept = IndexVec::new();
    for (id, variable) in model.variables.iter_enumerated() {
        map.push((!drop(id, variable)).then(|| kept.push(variable.clone())));
    }
    model.variables = kept.into();
    for group in model.groups.iter_mut() {
        group.members = group
            .members
            .iter()
            .filter_map(|id| map[id.index()])
            .collect();
    }
    // What is declared together is no longer in one piece.
    model.declarations.clear();
    let mut change = |exp: &mut FlatExp| renumber(exp, &map);
    for variable in model.variables.iter_mut() {
        variable.binding.iter_mut().for_each(&mut change);
        let attributes = variable.attributes.iter_mut();
        attributes.for_each(|it| change(&mut it.value));
    }
    change_equations(&mut model.equations, &mut change);
    change_equations(&mut model.initial_equations, &mut change);
    let algorithms = model.algorithms.iter_mut();
    for algorithm in algorithms.chain(&mut model.initial_algorithms) {
        change_statements(&mut algorithm.statements, &mut change);
    }
}

fn renumber(exp: &mut FlatExp, map: &[Option<VarId>]) {
    let taken = std::mem::replace(exp, Exp::Error);
    *exp = rewrite(taken, &mut |part| match part {
        Exp::Ref(FlatRef::Var(id)) => match map.get(id.index()) {
            Some(Some(new)) => Exp::Ref(FlatRef::Var(Idx::new(new.index()))),
            _ => Exp::Error,
        },
        Exp::Ref(FlatRef::Element(group, mut subscripts)) => {
            for subscript in &mut subscripts {
                if let Subscript::Index(inner) | Subscript::Slice(inner) = subscript {
                    renumber(inner, map);
                }
            }
            Exp::Ref(FlatRef::Element(group, subscripts))
        }
        Exp::Subscripted(inner, mut subscripts) => {
            for subscript in &mut subscripts {
                if let Subscript::Index(inner) | Subscript::Slice(inner) = subscript {
                    renumber(inner, map);
                }
            }
            Exp::Subscripted(inner, subscripts)
        }
        part => part,
    });
}
