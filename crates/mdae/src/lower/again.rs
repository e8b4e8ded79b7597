//! Lowering again after equations have been exchanged.
//!
//! While somebody types in an equation, the flat model stays as it is but for that equation and for the places of those
//! behind it. Most equations are *plain*: sums, products and smooth functions of real variables, without conditions. Nothing
//! but an equation of the mDAE comes of a plain one, so the mDAE is taken over and its equation exchanged. What is taken over is
//! compared with the model that it was made from. Whatever else has changed, the model is lowered from the start.

use super::constants::Constants;
use super::fixed::decided;
use super::{Lower, Lowered, lower_whole};
use crate::model::{EqId, MDae, Meaning, ModeId};
use crate::sym::{Expr, VarRef, variables};
use modeshift_base::{FxHashMap, Idx, Shared};
use modeshift_flat::model::{
    Equation, EquationKind as FlatKind, FlatExp, FlatModel, FlatRef, Origin,
};
use modeshift_inst::builtin::SMOOTH;
use modeshift_inst::exp::{BinaryOp, Callee, Exp, UnaryOp};
use modeshift_inst::ty::{Type, Variability};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A flat model and what was made of it.
pub struct Known {
    flat: Arc<FlatModel>,
    constants: Constants,
    lowered: Lowered,
    /// Conditions that constants decide.
    ruled_out: Vec<(ModeId, bool)>,
}

/// [`lower`](super::lower) for somebody who lowers a model again and again: `known` is what is known from the last time.
pub fn lower_again(flat: &Arc<FlatModel>, known: &mut Option<Known>) -> Lowered {
    if let Some(known) = known
        && let Some(lowered) = known.exchanged(flat)
    {
        known.flat = flat.clone();
        known.lowered = lowered.clone();
        return lowered;
    }
    let (lowered, constants) = lower_whole(flat);
    *known = constants.map(|constants| Known {
        flat: flat.clone(),
        constants,
        ruled_out: decided(&lowered.mdae),
        lowered: lowered.clone(),
    });
    lowered
}

impl Known {
    /// The mDAE of a model in which only plain equations are others. Linear, but with a small constant.
    fn exchanged(&mut self, flat: &FlatModel) -> Option<Lowered> {
        let before = self.flat.clone();
        if !same_but_equations(&before, flat) {
            return None;
        }
        let pairs = before.equations.iter().zip(&flat.equations);
        let changed: Vec<(&Equation, &Equation)> = pairs.filter(|(a, b)| a != b).collect();
        let mut mdae = self.lowered.mdae.clone();
        let is_plain = |it: &Equation| is_plain_equation(flat, &mdae, it);
        if !changed.iter().all(|(a, b)| is_plain(a) && is_plain(b)) {
            return None;
        }
        let places = places(&mdae, &changed)?;
        let lasting = !mdae.has_transients();
        for ((old, new), id) in changed.into_iter().zip(places) {
            if old.kind != new.kind {
                let before = self.number_sides(&before, old)?;
                let after = self.number_sides(flat, new)?;
                let equation = &mut mdae.equations[id];
                let expected = before == [equation.lhs.clone(), equation.rhs.clone()];
                // What a `when` assigns is held or not by what else determines it.
                if !expected || !lasting && reads(&before) != reads(&after) {
                    return None;
                }
                [equation.lhs, equation.rhs] = after;
            }
            mdae.equations[id].origin = new.origin.clone();
        }
        (decided(&mdae) == self.ruled_out).then(|| Lowered {
            mdae,
            diagnostics: self.lowered.diagnostics.clone(),
        })
    }

    /// Both sides of a plain equation; nothing if more comes of it than an equation.
    fn number_sides(&mut self, flat: &FlatModel, equation: &Equation) -> Option<[Expr; 2]> {
        let FlatKind::Equality { lhs, rhs, .. } = &equation.kind else {
            return None;
        };
        let constants = std::mem::take(&mut self.constants);
        let mut lower = Lower::with_constants(flat, constants);
        lower.out.parameters = self.lowered.mdae.parameters.clone();
        lower.known_meanings = self.lowered.mdae.meanings.clone();
        lower.origin = equation.origin.clone();
        let sides = [lower.number(lhs), lower.number(rhs)];
        self.constants = lower.constants;
        // A parameter that takes a variable out of an equation is marked.
        let marks = !Shared::same(&lower.out.parameters, &self.lowered.mdae.parameters);
        let plain = lower.diagnostics.is_empty() && lower.out.modes.is_empty() && !marks;
        plain.then_some(sides)
    }
}

fn reads(sides: &[Expr; 2]) -> [BTreeSet<VarRef>; 2] {
    sides.each_ref().map(variables)
}

fn same_but_equations(a: &FlatModel, b: &FlatModel) -> bool {
    let FlatModel {
        name,
        comment: _,
        variables,
        groups,
        initial_equations,
        initial_algorithms,
        equations,
        algorithms,
        functions,
        declarations,
        classic,
        inner_outer,
        unit_values: _,
    } = a;
    equations.len() == b.equations.len()
        && *classic == b.classic
        && *name == b.name
        && *variables == b.variables
        && *groups == b.groups
        && *initial_equations == b.initial_equations
        && *initial_algorithms == b.initial_algorithms
        && *algorithms == b.algorithms
        && *functions == b.functions
        && *declarations == b.declarations
        && *inner_outer == b.inner_outer
}

/// The equations of the mDAE that were made of those of the flat model.
fn places(mdae: &MDae, changed: &[(&Equation, &Equation)]) -> Option<Vec<EqId>> {
    let mut places: FxHashMap<*const Origin, Vec<EqId>> = FxHashMap::default();
    for (old, _) in changed {
        places.insert(Arc::as_ptr(&old.origin), Vec::new());
    }
    for (id, equation) in mdae.equations.iter_enumerated() {
        if let Some(found) = places.get_mut(&Arc::as_ptr(&equation.origin)) {
            found.push(id);
        }
    }
    let of = |old: &Equation| match places[&Arc::as_ptr(&old.origin)][..] {
        [only] => Some(only),
        _ => None,
    };
    changed.iter().map(|(old, _)| of(old)).collect()
}

fn is_plain_equation(flat: &FlatModel, mdae: &MDae, equation: &Equation) -> bool {
    match &equation.kind {
        FlatKind::Equality { lhs, rhs, ty } => {
            *ty == Type::Real && is_plain(flat, mdae, lhs) && is_plain(flat, mdae, rhs)
        }
        _ => false,
    }
}

/// Whether an expression is a smooth function of real variables, parameters and time.
fn is_plain(flat: &FlatModel, mdae: &MDae, exp: &FlatExp) -> bool {
    let plain = |exp: &FlatExp| is_plain(flat, mdae, exp);
    match exp {
        Exp::Int(_) | Exp::Real(_) | Exp::Time => true,
        Exp::Ref(FlatRef::Var(id)) => {
            let variable = &flat.variables[*id];
            match mdae.meanings.get(Idx::new(id.index())) {
                Some(Meaning::Variable(_)) => variable.ty == Type::Real,
                Some(Meaning::Parameter(_)) => true,
                Some(Meaning::Other) => {
                    variable.ty == Type::Real && variable.variability <= Variability::Parameter
                }
                _ => false,
            }
        }
        Exp::Cast(Type::Real, inner) | Exp::Unary(UnaryOp::Neg, inner) => plain(inner),
        Exp::Binary(
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow,
            sides,
        ) => plain(&sides.0) && plain(&sides.1),
        Exp::Call(call) => {
            let Callee::Builtin(name) = &call.function else {
                return false;
            };
            SMOOTH.contains(&name.as_str()) && call.args.iter().all(plain)
        }
        _ => false,
    }
}
