//! Changes that reach the equations only through the arguments of functions.
//!
//! `d = density(p, h, phase)` with `phase = if h < h_bubble then 1 else 2` is the usual way to write a property whose pieces meet
//! where they end. Whether they do is known to the author of the function alone. What such a change does to
//! states is then told as a warning: it happens if the values of the function differ.

use crate::parts::Part;
use modeshift_mdae::sym::{At, Expr, Func, Kind, VarId, VarRef, partial, variables};
use std::collections::BTreeSet;

/// The functions whose arguments make all the difference between the equations before and after. Linear in the equations.
pub(super) fn functions_that_differ(part: &Part) -> Option<BTreeSet<String>> {
    let change = &part.change;
    if change.transient.is_some() || change.initial {
        return None;
    }
    let old: BTreeSet<&Expr> = change.before.iter().map(|it| &it.residual).collect();
    let mut found = BTreeSet::new();
    for equation in change.after.iter().filter(|it| !old.contains(&it.residual)) {
        if is_choice(&equation.residual, &|var| change.is_constant(var)) {
            continue;
        }
        let mut own = change
            .before
            .iter()
            .filter(|it| it.source == equation.source);
        let (Some(before), None) = (own.next(), own.next()) else {
            return None;
        };
        let mut functions = BTreeSet::new();
        if without_arguments(&equation.residual, &mut functions)
            != without_arguments(&before.residual, &mut functions)
        {
            return None;
        }
        found.append(&mut functions);
    }
    (!found.is_empty()).then_some(found)
}

/// `phase = 2` or `state.phase = phase`: about variables that are constant between events.
fn is_choice(residual: &Expr, is_constant: &dyn Fn(VarId) -> bool) -> bool {
    let read = variables(residual);
    read.iter().all(|o| o.at == At::Now && is_constant(o.var))
}

/// An expression in which calls of the model's functions have lost their arguments.
fn without_arguments(expr: &Expr, functions: &mut BTreeSet<String>) -> Expr {
    let mut inside = |list: &[Expr]| -> Vec<Expr> {
        let parts = list.iter();
        parts.map(|it| without_arguments(it, functions)).collect()
    };
    match expr.kind() {
        Kind::Sum(terms) => Expr::sum(inside(terms)),
        Kind::Prod(factors) => Expr::product(inside(factors)),
        Kind::Pow(base, exponent) => without_arguments(base, functions).pow(exponent.clone()),
        Kind::Call(function, arguments) if is_of_the_model(function, arguments.len()) => {
            functions.insert(function.name.to_string());
            Expr::apply(function.clone(), [])
        }
        Kind::Call(function, arguments) => Expr::apply(function.clone(), inside(arguments)),
        _ => expr.clone(),
    }
}

/// Whether nothing is known about a function but its name: its derivative is a function of that kind, too.
fn is_of_the_model(function: &Func, arguments: usize) -> bool {
    let argument = |i: usize| VarRef::now(VarId(i as u32), 0);
    let call = Expr::apply(
        function.clone(),
        (0..arguments).map(|i| Expr::var_ref(argument(i))),
    );
    let own = |derivative: &Expr| match derivative.kind() {
        Kind::Call(other, _) => other.name == function.name && !other.partials.is_empty(),
        _ => false,
    };
    (0..arguments).any(|i| own(&partial(&call, argument(i))))
}
