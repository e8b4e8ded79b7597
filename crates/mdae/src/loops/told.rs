//! What an outcome says about the model, in its own names.

use super::behaviour::Behaviour;
use super::case::Case;
use super::form::{Form, Solved, Sparse};
use super::regions::Outcome;
use super::system::System;
use super::{Status, Verdict, Witness};
use crate::model::ModeId;
use crate::sym::{Rational, VarRef};
use modeshift_base::FxHashMap;

/// Unknowns whose values are shown.
const MAX_SHOWN: usize = 3;

/// The verdict that an outcome gives: a claim about values is made only if these can be given.
pub(super) fn told(
    system: &System<'_>,
    before: &Solved,
    parts: &[&Behaviour],
    terms: &[usize],
    outcome: &Outcome,
    procedure: &'static str,
) -> Verdict {
    let mut values: Vec<(String, Rational)> = Vec::new();
    for (at, &term) in terms.iter().enumerate().skip(1) {
        if let Some(value) = outcome.at.get(at - 1) {
            values.push((system.term_name(term), value.clone()));
        }
    }
    let mut atoms: Vec<usize> = parts
        .iter()
        .flat_map(|part| part.atoms.iter().copied())
        .collect();
    atoms.sort_unstable();
    let known: FxHashMap<usize, bool> = parts
        .iter()
        .flat_map(|part| part.known.iter().copied())
        .collect();
    let fits = outcome.fits.iter().map(|fit| {
        let holds = |at: usize| fit.get(atoms.binary_search(&at).ok()?).copied();
        let all = system.truth(&holds, &|at| known.get(&at).copied());
        let mut shown: Vec<(ModeId, bool)> = all
            .into_iter()
            .filter(|(mode, _)| {
                !system.is_inner(*mode)
                    && (system.derived.contains(mode)
                        || system.atoms.iter().any(|atom| atom.mode == *mode))
            })
            .collect();
        shown.sort_unstable();
        shown
    });
    let mut distinct: Vec<Vec<(ModeId, bool)>> = Vec::new();
    for fit in fits {
        if !distinct.contains(&fit) {
            distinct.push(fit);
        }
    }
    // What is chosen inside expressions has no name, but the solutions have values.
    let solutions = match outcome.fits.len() > distinct.len() {
        true => solutions(system, before, parts, terms, outcome),
        false => Vec::new(),
    };
    let witness = Witness {
        known: values,
        fits: distinct,
        solutions,
    };
    let status = match outcome.status {
        Status::None | Status::Several => {
            let tied: Vec<String> = terms
                .iter()
                .skip(1)
                .filter(|&&term| !system.is_free(term))
                .map(|&term| format!("`{}`", system.term_name(term)))
                .collect();
            if !tied.is_empty() {
                return Verdict {
                    status: Status::Undecided,
                    procedure: format!(
                        "{procedure}, which find values for which {}, but not whether {} can have them",
                        match outcome.status {
                            Status::None => "nothing fits",
                            _ => "several truth values follow",
                        },
                        crate::diagnose::list(&tied)
                    ),
                    witness: None,
                    continuous: false,
                    exists: outcome.status != Status::None,
                };
            }
            if !parts.iter().all(|part| part.can_begin) {
                return Verdict {
                    status: Status::Undecided,
                    procedure: format!(
                        "{procedure}, which find values that do not have one continuation after modes that may never occur"
                    ),
                    witness: None,
                    continuous: false,
                    exists: outcome.status != Status::None,
                };
            }
            outcome.status
        }
        other => other,
    };
    Verdict {
        status,
        procedure: procedure.to_owned(),
        witness: Some(witness),
        continuous: outcome.continuous,
        exists: status != Status::None,
    }
}

/// The values of some unknowns in each of the solutions.
fn solutions(
    system: &System<'_>,
    before: &Solved,
    parts: &[&Behaviour],
    terms: &[usize],
    outcome: &Outcome,
) -> Vec<Vec<(VarRef, Rational)>> {
    let mut values: FxHashMap<usize, Rational> = FxHashMap::from_iter([(0, Rational::one())]);
    let at = terms.iter().skip(1).zip(&outcome.at);
    values.extend(at.map(|(&term, value)| (term, value.clone())));
    let numbers = |form: &Form| {
        let mut sum = Rational::zero();
        for (term, factor) in &form.known {
            sum = &sum + &(factor * values.get(term)?);
        }
        Some(Form {
            unknown: form.unknown.clone(),
            known: if sum.is_zero() {
                Sparse::new()
            } else {
                Sparse::from([(0, sum)])
            },
        })
    };
    let case = Case::new(system, before, parts);
    let solution = |fit: &Vec<bool>| -> Option<Vec<(VarRef, Rational)>> {
        let equations: Option<Vec<Form>> = case.equations(fit).iter().map(numbers).collect();
        let solved = Solved::new(equations?).ok()?;
        let mut found = Vec::new();
        for read in system.shown_unknowns().into_iter().take(MAX_SHOWN) {
            let own = Form {
                unknown: Sparse::from([(system.unknowns.get_index_of(&read)?, Rational::one())]),
                ..Form::default()
            };
            let value = solved.apply(&numbers(&before.apply(&own))?);
            if !value.unknown.is_empty() {
                return None;
            }
            let value = value.known.get(&0).cloned();
            found.push((read, value.unwrap_or_else(Rational::zero)));
        }
        Some(found)
    };
    let all: Option<Vec<_>> = outcome.fits.iter().map(solution).collect();
    all.unwrap_or_default()
}
