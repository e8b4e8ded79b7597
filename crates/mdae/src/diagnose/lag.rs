//! Conditions that break a fixpoint when they read the instant before.

use crate::analysis::Analysis;
use crate::loops::Status;
use crate::model::ModeDef;
use crate::sym::At;
use modeshift_flat::model::Place;

/// A variable because of which a condition should be read as it was just before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lag {
    /// The equation that holds the condition.
    pub place: Place,
    /// The variable as it is called in the class of that equation, without subscripts.
    pub name: String,
}

/// What to change to break the fixpoints of a model.
pub fn lags(analysis: &Analysis) -> Vec<Lag> {
    let mdae = &analysis.mdae;
    let mut found: Vec<Lag> = Vec::new();
    for &mode in analysis
        .loops
        .iter()
        .filter(|decided| decided.status == Status::StateChanging)
        .flat_map(|decided| &decided.modes)
    {
        let mode = &mdae.modes[mode];
        let ModeDef::Predicate(predicate) = &mode.def else {
            continue;
        };
        let mut reads = crate::sym::variables(&predicate.lhs);
        reads.extend(crate::sym::variables(&predicate.rhs));
        for occurrence in reads {
            if occurrence.at == At::Left || occurrence.order > 0 || !mdae.is_unknown(occurrence.var)
            {
                continue;
            }
            let name = local_name(&mdae.variable(occurrence.var).name, &mode.origin.instance);
            let lag = Lag {
                place: mode.origin.span,
                name,
            };
            if !found.contains(&lag) {
                found.push(lag);
            }
        }
    }
    found
}

/// `d.s[2]` seen from instance `d` is `s`.
fn local_name(name: &str, instance: &str) -> String {
    let local = match name.strip_prefix(instance) {
        Some(rest) if !instance.is_empty() => rest.strip_prefix('.').unwrap_or(name),
        _ => name,
    };
    let mut parts = local.split('.');
    let without = |part: &str| part.split('[').next().unwrap_or(part).to_owned();
    let first = parts.next().map(without).unwrap_or_default();
    parts
        .map(without)
        .fold(first, |all, part| all + "." + &part)
}
