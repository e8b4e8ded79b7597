//! Parameters that only a simulation can compute: those bound to calls of functions, and those with
//! `fixed = false` that an initial equation determines.

use crate::tape::{Compiler, Functions, Graph, Reg, Unsupported, Values};
use modeshift_base::FxHashMap;
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::MDae;
use modeshift_mdae::sym::{CondId, Expr, ParamId, VarRef, params, variables};
use modeshift_restart::left_limits::parameter_values;
use std::collections::BTreeSet;

/// Parameters as far as they are known, and the start time.
struct Known<'a> {
    params: &'a FxHashMap<ParamId, f64>,
    /// One more, while an equation is solved for it.
    tried: Option<(ParamId, f64)>,
    time: f64,
}

impl Values for &Known<'_> {
    fn var(&mut self, _: &mut Graph, occurrence: VarRef) -> Result<Reg, Unsupported> {
        Err(Unsupported::Variable(occurrence))
    }
    fn param(&mut self, id: ParamId) -> Option<f64> {
        let tried = self.tried.filter(|(tried, _)| *tried == id);
        let value = tried.map(|(_, value)| value);
        value.or_else(|| self.params.get(&id).copied())
    }
    fn time(&mut self, graph: &mut Graph) -> Reg {
        graph.constant(self.time)
    }
    fn cond(&mut self, graph: &mut Graph, id: CondId) -> Option<Reg> {
        let known = [Conds::FALSE, Conds::TRUE].contains(&id);
        known.then(|| graph.constant(f64::from(id == Conds::TRUE)))
    }
}

impl Known<'_> {
    fn value(&self, functions: &Functions, expr: &Expr) -> Option<f64> {
        let mut graph = Graph::default();
        let reg = Compiler::new(&mut graph, functions, self).expr(expr).ok()?;
        graph.value(reg).filter(|value| value.is_finite())
    }
}

/// The parameters as a run has them that starts at `time` with these set, and those of them that nothing determines: their values are
/// guesses.
pub fn of_run(
    mdae: &MDae,
    functions: &Functions,
    set: &FxHashMap<ParamId, f64>,
    time: f64,
) -> (FxHashMap<ParamId, f64>, Vec<ParamId>) {
    let given = parameter_values(mdae, set);
    let follows = |id: ParamId, open: &BTreeSet<ParamId>| {
        let binding = mdae.parameter(id).binding.as_ref();
        is_free(mdae, id) || binding.is_some_and(|it| params(it).iter().any(|id| open.contains(id)))
    };
    // Free parameters, and what is bound to them.
    let mut open: BTreeSet<ParamId> = BTreeSet::new();
    loop {
        let rest = given
            .keys()
            .filter(|id| !set.contains_key(id) && !open.contains(id));
        let more: Vec<ParamId> = rest.copied().filter(|id| follows(*id, &open)).collect();
        if more.is_empty() {
            break;
        }
        open.extend(more);
    }
    let mut known = given.clone();
    known.retain(|id, _| !open.contains(id));
    let (mut values, _) = complete(mdae, functions, &known, time);
    values.extend(set);
    let left = open.into_iter().filter(|id| !values.contains_key(id));
    let left: Vec<ParamId> = left.collect();
    values.extend(left.iter().map(|id| (*id, given[id])));
    let guessed = left.into_iter().filter(|id| is_free(mdae, *id));
    (values, guessed.collect())
}

/// Whether an initial equation is to determine the parameter.
fn is_free(mdae: &MDae, id: ParamId) -> bool {
    mdae.parameter(id).free && mdae.parameter(id).binding.is_none()
}

/// Adds what follows from the parameters that are known. The initial equations that were used up come along.
/// As many rounds as the longest chain of dependencies.
pub fn complete(
    mdae: &MDae,
    functions: &Functions,
    params: &FxHashMap<ParamId, f64>,
    time: f64,
) -> (FxHashMap<ParamId, f64>, Vec<bool>) {
    // Start values of free parameters are guesses.
    let mut values = params.clone();
    values.retain(|id, _| !is_free(mdae, *id));
    let mut used = vec![false; mdae.initial_equations.len()];
    loop {
        let before = values.len();
        for index in 0..mdae.parameters.len() {
            let id = ParamId(index as u32);
            if let (false, Some(binding)) = (values.contains_key(&id), &mdae.parameter(id).binding)
            {
                let known = Known {
                    params: &values,
                    tried: None,
                    time,
                };
                let value = known.value(functions, binding);
                values.extend(value.map(|value| (id, value)));
            }
        }
        for (equation, used) in mdae.initial_equations.iter().zip(&mut used) {
            if *used || equation.guard != Conds::TRUE {
                continue;
            }
            if let Some((id, value)) = solve(functions, &equation.residual(), &values, time) {
                values.insert(id, value);
                *used = true;
            }
        }
        if values.len() == before {
            for (id, value) in params {
                values.entry(*id).or_insert(*value);
            }
            return (values, used);
        }
    }
}

/// The one parameter that an equation without variables determines, if it is linear in it.
fn solve(
    functions: &Functions,
    residual: &Expr,
    values: &FxHashMap<ParamId, f64>,
    time: f64,
) -> Option<(ParamId, f64)> {
    let mut open = params(residual)
        .into_iter()
        .filter(|id| !values.contains_key(id));
    let id = open.next()?;
    if open.next().is_some() || !variables(residual).is_empty() {
        return None;
    }
    let at = |value: f64| {
        let known = Known {
            params: values,
            tried: Some((id, value)),
            time,
        };
        known.value(functions, residual)
    };
    let (zero, one, two) = (at(0.0)?, at(1.0)?, at(2.0)?);
    let slope = one - zero;
    let bend = (two - 2.0 * one + zero).abs();
    (slope != 0.0 && bend <= 1e-9 * (one.abs() + zero.abs() + slope.abs()))
        .then(|| (id, -zero / slope))
}
