//! Conditions whose switching undoes itself: on both sides of a threshold the equations lead back to it.
//!
//! `cooling = T > 20; der(T) = if cooling then -2 else 3` switches without end and without time between: above the
//! threshold the temperature falls, below it rises. This is decided where the condition compares states with constants
//! and their derivatives are constants in both cases; everything else is left to the simulation.

use super::quoted;
use crate::analysis::Analysis;
use crate::cond::Conds;
use crate::model::{MDae, ModeDef, ModeId, Predicate, Reads, VarKind};
use crate::sym::{
    At, CondId, EvalError, Expr, ParamId, RelOp, Valuation, VarId, VarRef, evaluate, partial,
    resolve, variables,
};
use modeshift_base::FxHashMap;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{Origin, Place};
use std::sync::Arc;

pub(super) fn chattering(analysis: &Analysis) -> Vec<Diagnostic<Place>> {
    let mdae = &analysis.mdae;
    let modes = mdae
        .modes
        .ids()
        .filter(|&id| mdae.modes[id].reads == Reads::Current);
    let candidates = modes.filter_map(|id| match &mdae.modes[id].def {
        ModeDef::Predicate(predicate) => Some((id, predicate)),
        _ => None,
    });
    let candidates: Vec<(ModeId, &Predicate)> = candidates.collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let derivatives = derivatives(mdae);
    let told = candidates.into_iter();
    told.filter_map(|(id, predicate)| chatters(mdae, &derivatives, id, predicate))
        .collect()
}

/// States whose derivative is given by one equation that always holds.
type Derivatives<'m> = FxHashMap<VarId, (&'m Expr, &'m Arc<Origin>)>;

fn derivatives(mdae: &MDae) -> Derivatives<'_> {
    let mut found: Derivatives<'_> = FxHashMap::default();
    for equation in mdae.equations.iter() {
        if !equation.is_long() || equation.guard != Conds::TRUE {
            continue;
        }
        for (side, other) in [
            (&equation.lhs, &equation.rhs),
            (&equation.rhs, &equation.lhs),
        ] {
            if let Some(occurrence) = side.as_var()
                && occurrence.order == 1
                && occurrence.at == At::Now
            {
                found.insert(occurrence.var, (other, &equation.origin));
            }
        }
    }
    found
}

fn chatters(
    mdae: &MDae,
    derivatives: &Derivatives<'_>,
    id: ModeId,
    predicate: &Predicate,
) -> Option<Diagnostic<Place>> {
    // Positive where the condition holds.
    let distance = match predicate.op {
        RelOp::Greater | RelOp::GreaterEqual => predicate.lhs.sub(&predicate.rhs),
        RelOp::Less | RelOp::LessEqual => predicate.rhs.sub(&predicate.lhs),
        RelOp::Equal | RelOp::NotEqual => return None,
    };
    let states = variables(&distance);
    let [state] = states.iter().copied().collect::<Vec<_>>()[..] else {
        return None;
    };
    let is_state = state.order == 0
        && state.at == At::Now
        && mdae.variable(state.var).kind == VarKind::Unknown;
    let (derivative, origin) = derivatives.get(&state.var).filter(|_| is_state)?;
    let slope = constant(mdae, &partial(&distance, state))?;
    let speed = |truth: bool| {
        let mut known = vec![None; mdae.modes.len()];
        known[id.index()] = Some(truth);
        let truth = mdae.conds.evaluate_partial(&known);
        let mut decide = |cond: CondId| truth.get(cond.0 as usize).copied().flatten();
        Some(slope * constant(mdae, &resolve(derivative, &mut decide))?)
    };
    let (above, below) = (speed(true)?, speed(false)?);
    if above >= 0.0 || below <= 0.0 {
        return None;
    }
    let mode = &mdae.modes[id];
    let name = &mdae.variable(state.var).name;
    Some(
        Diagnostic::new(
            Code::MS4018,
            format!(
                "switching at `{}` undoes itself: `{name}` is driven back to the threshold from both sides",
                mode.name
            ),
        )
        .label(mode.origin.span, "this condition becomes false as soon as it is true, and true as soon as it is false")
        .label(origin.span, format!("the derivative of {} has opposite signs in the two cases", quoted(name)))
        .note("a simulation would switch without end and without time passing between")
        .note(format!(
            "use two thresholds (hysteresis): switch on at one value of {} and off at another, and keep the \
             decision with `pre`",
            quoted(name)
        )),
    )
}

/// The number that an expression over parameters with values comes to.
fn constant(mdae: &MDae, expr: &Expr) -> Option<f64> {
    struct Known<'m>(&'m MDae);
    impl Valuation<f64> for Known<'_> {
        fn var(&self, _: VarRef) -> Option<f64> {
            None
        }
        fn param(&self, id: ParamId) -> Option<f64> {
            self.0.parameter(id).value
        }
        fn time(&self) -> Option<f64> {
            None
        }
    }
    let value: Result<f64, EvalError> = evaluate(expr, &Known(mdae));
    value.ok().filter(|value| value.is_finite())
}
