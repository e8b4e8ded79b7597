//! Events at the border of what has values.
//!
//! A branch may have no value beyond its condition: `if h > 0 then sqrt(h) else 0`. While the condition is held no step leads
//! across, however short. There the slopes carry the states on, as far as that moves none of them by more than its tolerance: if a
//! condition changes on the way, that is the event.

use crate::integrate::{Method, Settings, StepError, Trouble};

/// Whether a step failed because there are no values where it leads.
pub fn is_reached(error: StepError, method: &dyn Method) -> bool {
    error == StepError::TooSmall && method.trouble() == Some(Trouble::NoValue)
}

/// Where the states are a little later, farther and farther away: time and states.
pub fn beyond<'s>(
    time: f64,
    limit: f64,
    states: &'s [(f64, f64, f64)],
    settings: Settings,
) -> impl Iterator<Item = (f64, Vec<f64>)> + use<'s> {
    let first = 4.0 * f64::EPSILON * time.abs().max(1e-3);
    let distances = std::iter::successors(Some(first), |h| Some(2.0 * h));
    let near = move |h: &f64| {
        let tolerated = |&(y, slope, nominal): &(f64, f64, f64)| {
            (h * slope).abs() <= settings.absolute * nominal + settings.relative * y.abs()
        };
        time + h <= limit && states.iter().all(tolerated)
    };
    distances.take_while(near).map(move |h| {
        let moved = states.iter().map(|(y, slope, _)| y + h * slope);
        (time + h, moved.collect())
    })
}

/// What has no value right at a threshold keeps that from just before it.
pub fn keep(values: &mut [f64], before: &[f64]) {
    for (value, before) in values.iter_mut().zip(before) {
        if !value.is_finite() {
            *value = *before;
        }
    }
}
