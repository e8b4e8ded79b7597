//! States that a step of a source forces to jump, so that other variables are infinite for an instant.
//!
//! The analysis of a change lists what *may* jump. Whether something steps is decided here for changes at an instant of
//! time that the parameters give: the equations of both modes are compared there, at random values of all variables. The
//! end of a ramp is no step.

use super::Teller;
use crate::explore::{Exploration, PartResult, Transition};
use crate::verdict::Verdict;
use modeshift_mdae::model::{MDae, ModeDef};
use modeshift_mdae::sym::{At, ParamId, Valuation, VarId, VarRef, evaluate};

/// The states that jump and what is impulsive.
#[derive(Clone, PartialEq, Debug)]
pub struct ForcedJump {
    /// `when `time < t1` becomes false`
    pub when: String,
    /// Each with the variable that it belongs to.
    pub jumps: Vec<(VarId, String)>,
    /// Without derivatives: that of a state that jumps is no news.
    pub impulsive: Vec<String>,
}

/// What a change forces to jump, in the first part of the model in which it does.
pub fn forced_jump(found: &Exploration<'_>, transition: &Transition) -> Option<ForcedJump> {
    transition.from.as_ref()?;
    let mdae = found.modes.mdae;
    let [flipped] = transition.flipped[..] else {
        return None;
    };
    let ModeDef::Predicate(predicate) = &mdae.modes[flipped].def else {
        return None;
    };
    let instant = zero_in_time(mdae, &predicate.lhs.sub(&predicate.rhs))?;
    let teller = Teller {
        found,
        transition,
        count: 1,
    };
    let parts = transition.parts.iter().map(|&part| &found.parts[part]);
    let mut parts = parts
        .filter(|it| it.analysis.verdict == Verdict::Determined && !it.analysis.jumps.is_empty());
    parts.find_map(|result| {
        let names = teller.names(result);
        let state = |local: &VarRef| (names.model_occurrence(*local).var, names.state(*local));
        let impulsive = result.analysis.impulsive.keys();
        let impulsive: Vec<String> = impulsive
            .filter(|local| names.model_occurrence(**local).order == 0)
            .map(|local| names.state(*local))
            .collect();
        (!impulsive.is_empty() && steps(mdae, result, instant)?).then(|| ForcedJump {
            when: teller.when(),
            jumps: result.analysis.jumps.iter().map(state).collect(),
            impulsive,
        })
    })
}

/// Where an expression over time and parameters is zero, if it is affine in time.
fn zero_in_time(mdae: &MDae, expr: &modeshift_mdae::sym::Expr) -> Option<f64> {
    let at = |time: f64| {
        let values = Point {
            mdae,
            time,
            variables: false,
        };
        evaluate(expr, &values).ok()
    };
    let (zero, one, two) = (at(0.0)?, at(1.0)?, at(2.0)?);
    let slope = one - zero;
    let affine = (two - one - slope).abs() <= 1e-9 * (1.0 + two.abs() + zero.abs());
    (affine && slope != 0.0).then_some(-zero / slope)
}

/// Whether an equation of the part has another residual after the instant than before it. Unknown where one cannot be
/// evaluated.
fn steps(mdae: &MDae, result: &PartResult, time: f64) -> Option<bool> {
    let values = Point {
        mdae,
        time,
        variables: true,
    };
    let change = &result.part.change;
    for after in &change.after {
        let Some(before) = change.before.iter().find(|it| it.source == after.source) else {
            continue;
        };
        let before: f64 = evaluate(&before.residual, &values).ok()?;
        let after: f64 = evaluate(&after.residual, &values).ok()?;
        let size = before.abs().max(after.abs()).max(1.0);
        if (after - before).abs() > 1e-9 * size {
            return Some(true);
        }
    }
    Some(false)
}

/// An instant, with some value for every variable or for none.
struct Point<'m> {
    mdae: &'m MDae,
    time: f64,
    variables: bool,
}

impl Valuation<f64> for Point<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        // Any numbers without a pattern between them.
        let key = 8 * occurrence.var.0 + 2 * occurrence.order + u32::from(occurrence.at == At::Now);
        let some = f64::from(key.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24) + 0.5;
        self.variables.then_some(some)
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.mdae.parameter(id).value
    }
    fn time(&self) -> Option<f64> {
        Some(self.time)
    }
}
