//! Left limits for a numeric restart: what was given, what the old mode says, what is assumed.

use crate::array::derivatives;
use crate::change::Role;
use crate::explore::{Exploration, PartResult};
use crate::modes::Modes;
use crate::numeric::Numbers;
use crate::parts::Part;
use crate::sigma::mode_offsets;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap};
use modeshift_mdae::model::{MDae, Parameter};
use modeshift_mdae::sym::{
    At, EvalError, Expr, ParamId, Valuation, VarRef, evaluate, partial, substitute, variables,
};

/// Values that a restart can be computed from.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Occurrences of the model (`w1`, `der(u)`) with their left limits.
    pub left: FxIndexMap<VarRef, f64>,
    pub params: FxHashMap<ParamId, f64>,
    pub time: f64,
}

/// The parameters with their values: those set by the user, then bindings evaluated with them.
pub fn parameter_values(mdae: &MDae, set: &FxHashMap<ParamId, f64>) -> FxHashMap<ParamId, f64> {
    let mut numbers = Numbers {
        params: set.clone(),
        ..Numbers::default()
    };
    let pending: Vec<(ParamId, &Parameter)> = (0..mdae.parameters.len() as u32)
        .map(ParamId)
        .filter(|id| !set.contains_key(id))
        .map(|id| (id, mdae.parameter(id)))
        .collect();
    if set.is_empty() {
        for (id, parameter) in &pending {
            numbers
                .params
                .extend(parameter.value.map(|value| (*id, value)));
        }
    }
    // Bindings may refer to each other in any order: as many rounds as the longest chain.
    loop {
        let before = numbers.params.len();
        for (id, parameter) in &pending {
            if numbers.params.contains_key(id) {
                continue;
            }
            let bound = parameter
                .binding
                .as_ref()
                .and_then(|e| evaluate(e, &numbers).ok());
            let constant = parameter
                .binding
                .is_none()
                .then_some(parameter.value)
                .flatten();
            numbers
                .params
                .extend(bound.or(constant).map(|value| (*id, value)));
        }
        if numbers.params.len() == before {
            break;
        }
    }
    for (id, parameter) in &pending {
        if !numbers.params.contains_key(id) {
            numbers
                .params
                .extend(parameter.value.map(|value| (*id, value)));
        }
    }
    numbers.params
}

/// Left limits of one part.
pub struct LeftLimits {
    /// In the part's own numbers.
    pub numbers: Numbers,
    /// Occurrences of the part that were neither given nor determined by the rest.
    pub assumed: Vec<VarRef>,
    /// How far the left limits are from satisfying the equations before the change.
    pub residual: f64,
}

/// Completes the left limits of a part: given values are kept, `start` attributes are the first guess for
/// the others, and the equations of the old mode (with those derivatives that its offsets ask for) pull
/// them onto its solutions, with the smallest correction. O(n³) per step.
pub fn left_limits(found: &Exploration<'_>, result: &PartResult, given: &Given) -> LeftLimits {
    let part = &result.part;
    let mut numbers = Numbers {
        params: given.params.clone(),
        time: given.time,
        ..Numbers::default()
    };
    let mut fixed: FxHashSet<VarRef> = FxHashSet::default();
    let local: FxHashMap<_, u32> = part
        .vars
        .iter()
        .enumerate()
        .map(|(i, var)| (*var, i as u32))
        .collect();
    for (&occurrence, &value) in &given.left {
        let Ok(signed) = found.modes.elimination.forward(occurrence) else {
            continue;
        };
        let forward = signed.occurrence;
        if let Some(&index) = local.get(&forward.var) {
            let var = modeshift_mdae::sym::VarId(index);
            let symbol = symbol(part.change.role(var), VarRef { var, ..forward });
            numbers
                .values
                .insert(symbol, if signed.negative { -value } else { value });
            fixed.insert(symbol);
        }
    }
    let equations = held_before(result);
    let mut free = Vec::new();
    let mut needed: FxHashSet<VarRef> = FxHashSet::default();
    for expr in equations
        .iter()
        .chain(result.analysis.system.equations.iter().map(|e| &e.residual))
    {
        for o in variables(expr) {
            if (o.var.0 as usize) < part.vars.len() && needed.insert(o) && !fixed.contains(&o) {
                free.push(o);
            }
        }
    }
    // States that are known to be continuous occur in no equation of the restart.
    for &state in &result.analysis.determined {
        let symbol = VarRef {
            at: At::Left,
            ..state
        };
        if needed.insert(symbol) && !fixed.contains(&symbol) {
            free.push(symbol);
        }
    }
    free.sort_unstable();
    for &symbol in &free {
        numbers.values.insert(
            symbol,
            start_value(found, result, symbol, &numbers).unwrap_or(0.0),
        );
    }
    let residual = pull(&equations, &free, &mut numbers);
    let determined = determined_symbols(&equations, &free, &numbers);
    let assumed = free
        .into_iter()
        .filter(|symbol| !determined.contains(symbol))
        .collect();
    LeftLimits {
        numbers,
        assumed,
        residual,
    }
}

/// How a left limit is written in restart systems.
fn symbol(role: Role, occurrence: VarRef) -> VarRef {
    let at = if role == Role::Known {
        At::Now
    } else {
        At::Left
    };
    VarRef { at, ..occurrence }
}

/// The equations that hold before the change, over left limits.
fn held_before(result: &PartResult) -> Vec<Expr> {
    let change = &result.part.change;
    if change.initial {
        return Vec::new();
    }
    let Ok(offsets) = mode_offsets(change, &change.before) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    for (equation, &c) in change.before.iter().zip(&offsets.c) {
        for derivative in derivatives(change, &equation.residual, c) {
            list.push(substitute(&derivative, &mut |o| {
                Some(Expr::var_ref(symbol(change.role(o.var), o)))
            }));
        }
    }
    list.extend(change.crossings.iter().map(|crossing| {
        substitute(crossing, &mut |o| {
            Some(Expr::var_ref(symbol(change.role(o.var), o)))
        })
    }));
    list
}

fn start_value(
    found: &Exploration<'_>,
    result: &PartResult,
    symbol: VarRef,
    numbers: &Numbers,
) -> Option<f64> {
    let var = result.part.vars[symbol.var.0 as usize];
    let occurrence = found.modes.elimination.backward(VarRef { var, ..symbol });
    if occurrence.order > 0 {
        return None;
    }
    let start = found.modes.mdae.variable(occurrence.var).start.as_ref()?;
    evaluate(start, &Params(numbers)).ok()
}

/// Only parameters and time: start attributes may not read variables.
struct Params<'n>(&'n Numbers);

impl Valuation<f64> for Params<'_> {
    fn var(&self, _: VarRef) -> Option<f64> {
        None
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.0.params.get(&id).copied()
    }
    fn time(&self) -> Option<f64> {
        Some(self.0.time)
    }
}

/// Given values and `start` attributes of the model's own variables.
pub(crate) struct AtStart<'m> {
    pub mdae: &'m MDae,
    pub given: &'m Given,
}

impl Valuation<f64> for AtStart<'_> {
    fn var(&self, occurrence: VarRef) -> Option<f64> {
        let now = VarRef {
            at: At::Now,
            ..occurrence
        };
        if let Some(&value) = self.given.left.get(&now) {
            return Some(value);
        }
        let start = self.mdae.variable(occurrence.var).start.as_ref()?;
        let numbers = Numbers {
            params: self.given.params.clone(),
            ..Numbers::default()
        };
        if occurrence.order == 0 {
            evaluate(start, &Params(&numbers)).ok()
        } else {
            None
        }
    }
    fn param(&self, id: ParamId) -> Option<f64> {
        self.given.params.get(&id).copied()
    }
    fn time(&self) -> Option<f64> {
        Some(self.given.time)
    }
}

/// Gauss–Newton with the smallest step: `x ← x − Jᵀ(JJᵀ + δ)⁻¹ r`. Returns the residual that remains.
fn pull(equations: &[Expr], free: &[VarRef], numbers: &mut Numbers) -> f64 {
    let mut size = f64::INFINITY;
    for _ in 0..30 {
        let Ok((jacobian, residual)) = linearise(equations, free, numbers) else {
            return size;
        };
        size = residual.iter().map(|r| r.abs()).fold(0.0, f64::max);
        if size < 1e-13 || residual.is_empty() {
            return size;
        }
        let Some(weights) = normal_solution(&jacobian, &residual) else {
            return size;
        };
        for (column, symbol) in free.iter().enumerate() {
            let step: f64 = jacobian
                .iter()
                .zip(&weights)
                .map(|(row, w)| row[column] * w)
                .sum();
            if let Some(value) = numbers.values.get_mut(symbol) {
                *value -= step;
            }
        }
    }
    size
}

type Linearised = (Vec<Vec<f64>>, Vec<f64>);

fn linearise(
    equations: &[Expr],
    free: &[VarRef],
    numbers: &Numbers,
) -> Result<Linearised, EvalError> {
    let column: FxHashMap<VarRef, usize> = free.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut jacobian = Vec::with_capacity(equations.len());
    let mut residual = Vec::with_capacity(equations.len());
    for equation in equations {
        let mut row = vec![0.0; free.len()];
        for o in variables(equation) {
            if let Some(&i) = column.get(&o) {
                row[i] = evaluate(&partial(equation, o), numbers)?;
            }
        }
        jacobian.push(row);
        residual.push(evaluate(equation, numbers)?);
    }
    Ok((jacobian, residual))
}

/// `(JJᵀ + δ)⁻¹ r`, with a δ that keeps dependent rows apart.
fn normal_solution(jacobian: &[Vec<f64>], residual: &[f64]) -> Option<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let largest = jacobian
        .iter()
        .map(|row| dot(row, row))
        .fold(1e-300, f64::max);
    let matrix = jacobian
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let products = jacobian
                .iter()
                .enumerate()
                .map(|(j, other)| dot(row, other) + if i == j { 1e-12 * largest } else { 0.0 });
            products.chain([residual[i]]).collect()
        })
        .collect();
    crate::numeric::gauss(matrix)
}

/// The symbols that the equations determine: those whose unit vector is in the row space of the Jacobian.
fn determined_symbols(equations: &[Expr], free: &[VarRef], numbers: &Numbers) -> FxHashSet<VarRef> {
    let Ok((mut rows, _)) = linearise(equations, free, numbers) else {
        return FxHashSet::default();
    };
    let n = free.len();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    let mut rank = 0;
    for column in 0..n {
        let best = (rank..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(best) = best.filter(|&row| rows[row][column].abs() > 1e-10) else {
            continue;
        };
        rows.swap(rank, best);
        let lead = rows[rank].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != rank && row[column] != 0.0 {
                let factor = row[column] / lead[column];
                for (entry, above) in row.iter_mut().zip(&lead) {
                    *entry -= factor * above;
                }
            }
        }
        pivots.push((rank, column));
        rank += 1;
    }
    let alone = |&(row, column): &(usize, usize)| {
        let scale = rows[row][column].abs();
        (0..n).all(|other| other == column || rows[row][other].abs() < 1e-9 * scale)
    };
    pivots
        .into_iter()
        .filter(alone)
        .map(|(_, column)| free[column])
        .collect()
}

/// Constraints of the first mode that the start values satisfy, over left limits: with them a model may
/// start at rest on a constraint, and only what contradicts it jumps.
pub(crate) fn satisfied_at_start(modes: &Modes<'_>, part: &Part, given: &Given) -> Vec<Expr> {
    let change = &part.change;
    let Ok(offsets) = mode_offsets(change, &change.after) else {
        return Vec::new();
    };
    let mut numbers = Numbers {
        params: given.params.clone(),
        time: given.time,
        ..Numbers::default()
    };
    let mut list = Vec::new();
    for (equation, &c) in change.after.iter().zip(&offsets.c) {
        if c == 0 {
            continue;
        }
        for derivative in derivatives(change, &equation.residual, c - 1) {
            let occurring = variables(&derivative);
            let states = occurring.iter().all(|o| {
                change.role(o.var) == Role::Held
                    || offsets.d.get(&o.var).is_some_and(|d| o.order < *d)
            });
            if !states {
                continue;
            }
            let mut size = 1.0_f64;
            for &o in &occurring {
                let value = start_of(modes, part, o, given, &numbers);
                size = size.max(value.abs());
                numbers.values.insert(o, value);
            }
            let holds = evaluate(&derivative, &numbers).is_ok_and(|r: f64| r.abs() < 1e-9 * size);
            if holds {
                list.push(derivative);
            }
        }
    }
    list
}

/// The start value of an occurrence: given, from its `start` attribute, or zero.
fn start_of(modes: &Modes<'_>, part: &Part, o: VarRef, given: &Given, numbers: &Numbers) -> f64 {
    let var = part.vars[o.var.0 as usize];
    let here = VarRef {
        var,
        at: At::Now,
        ..o
    };
    for (&occurrence, &value) in &given.left {
        if let Ok(signed) = modes.elimination.forward(occurrence)
            && signed.occurrence == here
        {
            return if signed.negative { -value } else { value };
        }
    }
    let named = modes.elimination.backward(here);
    if named.order > 0 {
        return 0.0;
    }
    let start = modes.mdae.variable(named.var).start.as_ref();
    start
        .and_then(|start| evaluate(start, &Params(numbers)).ok())
        .unwrap_or(0.0)
}
