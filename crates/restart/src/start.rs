//! Start values and the constraints of the first mode: which hold, and which values follow from those that are fixed.

use crate::array::derivatives;
use crate::change::Role;
use crate::explore::Exploration;
use crate::left_limits::{Given, Params};
use crate::modes::Modes;
use crate::numeric::Numbers;
use crate::parts::Part;
use crate::sigma::mode_offsets;
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_mdae::sym::{At, Expr, VarRef, evaluate, partial, variables};

/// Constraints of the first mode that the start values satisfy, over left limits: with them a model may
/// start at rest on a constraint, and only what contradicts it jumps.
pub(crate) fn satisfied_at_start(modes: &Modes<'_>, part: &Part, given: &Given) -> Vec<Expr> {
    let mut numbers = numbers(given);
    let holds = |constraint: &Expr| {
        let mut size = 1.0_f64;
        for o in variables(constraint) {
            let value = start_of(modes, part, o, given, &numbers);
            size = size.max(value.abs());
            numbers.values.insert(o, value);
        }
        evaluate(constraint, &numbers).is_ok_and(|r: f64| r.abs() < 1e-9 * size)
    };
    constraints(part).into_iter().filter(holds).collect()
}

/// Values of states at the start that follow from fixed start values and the constraints of the first mode. A `start` without
/// `fixed` is a guess, which is no reason for a jump: with the speeds of two shafts fixed, their relative speed is their
/// difference. Only what one constraint gives by itself is followed; where several values could give way, none is chosen.
pub(crate) fn implied(found: &Exploration<'_>, given: &Given) -> FxIndexMap<VarRef, f64> {
    let modes = &found.modes;
    let mdae = modes.mdae;
    // By `fixed`, or by the user.
    let fixed = mdae.variable_ids().filter(|&var| mdae.variable(var).fixed);
    let fixed = fixed.map(|var| VarRef::now(var, 0));
    let told = fixed.chain(given.left.keys().copied());
    let told = told.filter_map(|o| Some(modes.elimination.forward(o).ok()?.occurrence));
    let told: FxHashSet<VarRef> = told.collect();
    let mut list = FxIndexMap::default();
    for result in &found.parts {
        let part = &result.part;
        let mut numbers = numbers(given);
        let mut free: FxHashSet<VarRef> = FxHashSet::default();
        let mut open = constraints(part);
        for o in open.iter().flat_map(variables) {
            let value = start_of(modes, part, o, given, &numbers);
            numbers.values.insert(o, value);
            if part.change.is_unknown(o.var) && !told.contains(&in_model(part, o)) {
                free.insert(o);
            }
        }
        // Each round takes out what it has solved; a chain of constraints is followed from its fixed end.
        loop {
            let before = open.len();
            open.retain(|constraint| {
                let occurring = variables(constraint);
                let mut unknown = occurring.iter().filter(|o| free.contains(o));
                let (Some(&unknown), None) = (unknown.next(), unknown.next()) else {
                    return true;
                };
                let Some(value) = solve_for(constraint, unknown, &mut numbers) else {
                    return true;
                };
                free.remove(&unknown);
                list.insert(modes.elimination.backward(in_model(part, unknown)), value);
                false
            });
            if open.len() == before {
                break;
            }
        }
    }
    list
}

/// The equations of the first mode, and their derivatives, that are about states alone.
fn constraints(part: &Part) -> Vec<Expr> {
    let change = &part.change;
    let Ok(offsets) = mode_offsets(change, &change.after) else {
        return Vec::new();
    };
    let is_state = |o: &VarRef| {
        change.role(o.var) == Role::Held || offsets.d.get(&o.var).is_some_and(|d| o.order < *d)
    };
    let rows = change.after.iter().zip(&offsets.c);
    rows.filter(|(_, c)| **c > 0)
        .flat_map(|(equation, &c)| derivatives(change, &equation.residual, c - 1))
        .filter(|derivative| variables(derivative).iter().all(is_state))
        .collect()
}

fn numbers(given: &Given) -> Numbers {
    Numbers {
        params: given.params.clone(),
        time: given.time,
        ..Numbers::default()
    }
}

/// Newton's method for one unknown, from its start value.
fn solve_for(constraint: &Expr, unknown: VarRef, numbers: &mut Numbers) -> Option<f64> {
    const MAX_STEPS: usize = 50;
    let slope = partial(constraint, unknown);
    for _ in 0..MAX_STEPS {
        let value = *numbers.values.get(&unknown)?;
        let residual: f64 = evaluate(constraint, &*numbers).ok()?;
        let slope: f64 = evaluate(&slope, &*numbers).ok()?;
        let step = residual / slope;
        if !step.is_finite() {
            return None;
        }
        numbers.values.insert(unknown, value - step);
        if step.abs() <= 1e-12 * (1.0 + value.abs()) {
            return Some(value - step);
        }
    }
    None
}

/// An occurrence in a part, in the numbers of the whole model.
fn in_model(part: &Part, o: VarRef) -> VarRef {
    VarRef {
        var: part.vars[o.var.0 as usize],
        at: At::Now,
        ..o
    }
}

fn given_value(modes: &Modes<'_>, part: &Part, o: VarRef, given: &Given) -> Option<f64> {
    let here = in_model(part, o);
    given.left.iter().find_map(|(&occurrence, &value)| {
        let signed = modes.elimination.forward(occurrence).ok()?;
        (signed.occurrence == here).then_some(if signed.negative { -value } else { value })
    })
}

/// The start value of an occurrence: given, from its `start` attribute, or zero.
fn start_of(modes: &Modes<'_>, part: &Part, o: VarRef, given: &Given, numbers: &Numbers) -> f64 {
    if let Some(value) = given_value(modes, part, o, given) {
        return value;
    }
    let named = modes.elimination.backward(in_model(part, o));
    if named.order > 0 {
        return 0.0;
    }
    let start = modes.mdae.variable(named.var).start.as_ref();
    start
        .and_then(|start| evaluate(start, &Params(numbers)).ok())
        .unwrap_or(0.0)
}
