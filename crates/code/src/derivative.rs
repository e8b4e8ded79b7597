//! Derivatives by annotation: which function gives them, and which of its registers are what.

use crate::ins::{Bank, Code, Slot};
use modeshift_base::FxHashMap;
use modeshift_flat::hints;
use modeshift_flat::model::{FlatExp, Function, FunctionBody, Statement, StatementKind};
use modeshift_flat::walk::{statement_exps, walk};
use modeshift_inst::exp::{Callee, Exp};

/// A function that gives the derivative of another.
#[derive(Clone, Debug)]
pub struct Derivative {
    pub function: u32,
    /// What it is given behind the parameters of the function: the derivative of this parameter. Parts of records that
    /// are no Reals get nothing.
    pub given: Vec<Option<u16>>,
    /// Parameters that must not move.
    pub zero: Vec<u16>,
    /// It leaves out what Reals contribute that are no parameters of their own (`noDerivative`).
    pub assumes: bool,
    /// Its results, and the results of the function whose derivatives they are.
    pub results: Vec<(u16, u16)>,
    /// For higher orders: parameters whose derivatives are other parameters.
    pub pairs: Vec<(u16, u16)>,
}

const fn is_real(slot: Slot) -> bool {
    matches!(slot.0, Bank::Real | Bank::Reals)
}

fn real_places(slots: &[Slot]) -> Vec<u16> {
    let places = 0..slots.len() as u16;
    places.filter(|&k| is_real(slots[usize::from(k)])).collect()
}

/// Which parameters of a derivative are derivatives of which, and those of the highest order.
type Orders = (Vec<(u16, u16)>, Vec<u16>);

/// Functions whose code is not differentiated exactly by dual numbers: they iterate until something is small enough, run
/// code of others, or call a function that does.
fn iterating(functions: &[Function], codes: &[Code], index: &FxHashMap<&str, usize>) -> Vec<bool> {
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    let mut found = vec![false; functions.len()];
    for (k, function) in functions.iter().enumerate() {
        match &function.body {
            FunctionBody::Algorithm(statements) => {
                found[k] = statements.iter().any(iterates);
                let mut read = |exp: &FlatExp| {
                    walk(exp, &mut |part| {
                        if let Exp::Call(call) = part
                            && let Callee::User(name) = &call.function
                        {
                            calls[k].extend(index.get(&**name));
                        }
                    });
                };
                statements
                    .iter()
                    .for_each(|it| statement_exps(it, &mut read));
            }
            FunctionBody::External { .. } => found[k] = !codes[k].is_native(),
            _ => {}
        }
    }
    loop {
        let before = found.iter().filter(|&&it| it).count();
        for k in 0..found.len() {
            found[k] = found[k] || calls[k].iter().any(|&callee| found[callee]);
        }
        if found.iter().filter(|&&it| it).count() == before {
            return found;
        }
    }
}

/// Whether a loop ends where the values say so.
fn iterates(statement: &Statement) -> bool {
    let any = |body: &[Statement]| body.iter().any(iterates);
    match &statement.kind {
        StatementKind::While { .. } => true,
        StatementKind::For { body, .. } => body.iter().any(decides),
        StatementKind::If { branches, else_ } => {
            branches.iter().any(|(_, body)| any(body)) || any(else_)
        }
        _ => false,
    }
}

/// Whether the way through a statement depends on values.
fn decides(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::If { .. }
        | StatementKind::While { .. }
        | StatementKind::Break
        | StatementKind::Return => true,
        StatementKind::For { body, .. } => body.iter().any(decides),
        _ => false,
    }
}

/// Finds the derivatives of all functions. What does not fit is left out; [`hints::misfits`] tells about it.
pub fn link(functions: &[Function], codes: &mut [Code]) {
    let index: FxHashMap<&str, usize> = functions
        .iter()
        .enumerate()
        .map(|(k, function)| (&*function.name, k))
        .collect();
    let iterating = iterating(functions, codes, &index);
    // Of functions that are derivatives.
    let mut pairs: FxHashMap<usize, Orders> = FxHashMap::default();
    for order in 1..=3 {
        for (k, function) in functions.iter().enumerate() {
            // A function that is built in is differentiated by itself.
            let native = codes[k].is_native();
            if matches!(function.body, FunctionBody::External { .. }) && !native {
                continue;
            }
            // The code of all others is its own derivative on dual numbers, exactly and for several directions at once.
            if order == 1 && !iterating[k] && !hints::leaves_out_reals(function) {
                continue;
            }
            for hint in function
                .hints
                .derivatives
                .iter()
                .filter(|it| it.order == order)
            {
                let Some(&target) = index.get(&*hint.function) else {
                    continue;
                };
                if order == 1 && hints::derivative(function, hint, &functions[target]).is_err() {
                    continue;
                }
                let (code, own) = (&codes[k], &codes[target]);
                if own.refused.is_some() || code.refused.is_some() {
                    continue;
                }
                let among = |names: &[modeshift_base::Name]| -> Vec<u16> {
                    let inputs = code.inputs.iter();
                    let inputs = inputs.filter(|(name, _)| names.contains(name));
                    inputs
                        .flat_map(|(_, range)| range.clone().map(|k| k as u16))
                        .collect()
                };
                let (zero, no) = (among(&hint.zero), among(&hint.no));
                let (known, highest) = match pairs.get(&k) {
                    Some((known, highest)) if order > 1 => (known.clone(), highest.clone()),
                    _ if order > 1 => continue,
                    _ => (Vec::new(), real_places(&code.params)),
                };
                let moving: Vec<u16> = highest
                    .into_iter()
                    .filter(|k| !zero.contains(k) && !no.contains(k))
                    .collect();
                let n = code.params.len();
                let Some(extra) = own.params.get(n..) else {
                    continue;
                };
                let mut rest = moving.iter().copied();
                let given: Vec<Option<u16>> = extra
                    .iter()
                    .map(|&slot| is_real(slot).then(|| rest.next()).flatten())
                    .collect();
                let fits = |(&slot, from): (&Slot, &Option<u16>)| match from {
                    Some(from) => code.params[usize::from(*from)].0 == slot.0,
                    None => !is_real(slot),
                };
                let banks = |slots: &[Slot], places: &[u16]| -> Vec<Bank> {
                    places.iter().map(|&k| slots[usize::from(k)].0).collect()
                };
                let (mine, theirs) = (real_places(&code.results), real_places(&own.results));
                if rest.next().is_some()
                    || !extra.iter().zip(&given).all(fits)
                    || banks(&code.results, &mine) != banks(&own.results, &theirs)
                {
                    continue;
                }
                let mut both = known.clone();
                let mut last = Vec::new();
                for (place, from) in given.iter().enumerate() {
                    if let Some(from) = from {
                        both.push((*from, (n + place) as u16));
                        last.push((n + place) as u16);
                    }
                }
                let assumes = no.iter().any(|&k| is_real(code.params[usize::from(k)]));
                pairs.entry(target).or_insert((both, last));
                let derivative = Derivative {
                    function: target as u32,
                    given,
                    zero,
                    assumes,
                    results: theirs.into_iter().zip(mine).collect(),
                    pairs: known,
                };
                codes[k].derivatives.push(derivative);
            }
        }
    }
}
