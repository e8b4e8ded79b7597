//! Left limits that a mode can have: random ones, moved onto its equations and their derivatives.

use crate::double::{Double, eliminate};
use crate::point::{Point, Random, holds};
use modeshift_base::FxHashMap;
use modeshift_mdae::model::{MDae, VarKind};
use modeshift_mdae::sym::{
    At, Expr, VarId, VarRef, evaluate, partial, resolve, substitute, time_derivative, variables,
};
use modeshift_restart::sigma::mode_offsets;
use modeshift_restart::{Change, ModeEquation, Role};
use std::collections::BTreeSet;

/// The long equations of a mode as the model writes them.
pub fn mode_equations(mdae: &MDae, mode: &[bool]) -> Vec<Expr> {
    let truth = mdae.conds.evaluate(mode);
    mdae.equations
        .iter()
        .filter(|e| e.is_long() && truth[e.guard.0 as usize])
        .map(|e| resolve(&e.residual(), &mut |id| truth.get(id.0 as usize).copied()))
        .collect()
}

/// Whether the equations of a mode can determine every unknown, one each.
pub fn is_square(mdae: &MDae, mode: &[bool]) -> bool {
    fn assign(
        row: usize,
        rows: &[Vec<VarId>],
        of: &mut FxHashMap<VarId, usize>,
        seen: &mut BTreeSet<VarId>,
    ) -> bool {
        rows[row].iter().any(|&var| {
            let free = seen.insert(var)
                && of
                    .get(&var)
                    .copied()
                    .is_none_or(|other| assign(other, rows, of, seen));
            if free {
                of.insert(var, row);
            }
            free
        })
    }
    let unknowns = mdae.variable_ids().filter(|&var| is_unknown(mdae, var));
    let equations = mode_equations(mdae, mode);
    let rows: Vec<Vec<VarId>> = equations
        .iter()
        .map(|equation| {
            let read = variables(equation).into_iter().filter(|o| o.at == At::Now);
            read.map(|o| o.var)
                .filter(|&var| is_unknown(mdae, var))
                .collect()
        })
        .collect();
    let mut of = FxHashMap::default();
    unknowns.count() == rows.len()
        && (0..rows.len()).all(|row| assign(row, &rows, &mut of, &mut BTreeSet::new()))
}

pub fn is_unknown(mdae: &MDae, var: VarId) -> bool {
    mdae.variable(var).kind == VarKind::Unknown
}

fn role(mdae: &MDae, var: VarId) -> Role {
    let variable = mdae.variable(var);
    match variable.kind {
        VarKind::Unknown if variable.discrete => Role::Discrete,
        VarKind::Unknown => Role::Unknown,
        VarKind::Held => Role::Held,
        VarKind::Input => Role::Known,
    }
}

/// The equations of a mode with the derivatives that its offsets ask for; the leading ones, which determine the highest
/// derivatives, apart from the others.
fn completed(mdae: &MDae, equations: &[Expr]) -> Option<[Vec<Expr>; 2]> {
    let equation = |(source, residual): (usize, &Expr)| ModeEquation {
        source,
        residual: residual.clone(),
    };
    let change = Change {
        roles: mdae.variable_ids().map(|var| role(mdae, var)).collect(),
        after: equations.iter().enumerate().map(equation).collect(),
        ..Change::default()
    };
    let offsets = mode_offsets(&change, &change.after).ok()?;
    let [mut list, mut leading] = [Vec::new(), Vec::new()];
    for (residual, &c) in equations.iter().zip(&offsets.c) {
        let mut current = residual.clone();
        for _ in 0..c {
            let next = time_derivative(&current, &mut |var| change.is_constant(var));
            list.push(std::mem::replace(&mut current, next));
        }
        leading.push(current);
    }
    Some([list, leading])
}

/// Left limits of a mode at which the functions `zero` vanish. `None` when none were found.
pub fn left_limits(
    mdae: &MDae,
    mode: &[bool],
    zero: &[Expr],
    point: Point,
    random: &mut Random,
) -> Option<Point> {
    let [mut equations, leading] = completed(mdae, &mode_equations(mdae, mode))?;
    equations.extend(leading);
    equations.extend(zero.iter().cloned());
    solved(mdae, &equations, &FxHashMap::default(), point, (random, 60))
}

/// Values of a mode beside these: of its constraints, and of all its equations. Newton's method is tried from many points. It has few
/// steps for all equations: more are only needed where two solutions meet, and there the mode has no one way to go on.
pub fn values_beside(
    mdae: &MDae,
    mode: &[bool],
    known: &FxHashMap<VarRef, f64>,
    point: &Point,
) -> [Option<Point>; 2] {
    let Some([constraints, leading]) = completed(mdae, &mode_equations(mdae, mode)) else {
        return [None, None];
    };
    let all = constraints.iter().cloned().chain(leading).collect();
    [(constraints, 60), (all, 25)].map(|(equations, steps): (Vec<Expr>, usize)| {
        let mut random = Random(1);
        (0..40).find_map(|_| solved(mdae, &equations, known, point.clone(), (&mut random, steps)))
    })
}

/// Values at which equations hold, with some of them known. `None` when none were found.
fn solved(
    mdae: &MDae,
    equations: &[Expr],
    known: &FxHashMap<VarRef, f64>,
    mut point: Point,
    (random, steps): (&mut Random, usize),
) -> Option<Point> {
    let now = |expr: &Expr| {
        substitute(expr, &mut |o| {
            (o.at == At::Left).then(|| Expr::var_ref(VarRef { at: At::Now, ..o }))
        })
    };
    let equations: Vec<Expr> = equations.iter().map(now).collect();
    let mut free: Vec<VarRef> = Vec::new();
    for equation in &equations {
        free.extend(
            variables(equation)
                .into_iter()
                .filter(|o| is_unknown(mdae, o.var) && !known.contains_key(o)),
        );
    }
    free.sort_unstable();
    free.dedup();
    // Those that occur undifferentiated first: they are solved for, and highest derivatives are left open.
    free.sort_by_key(|o| std::cmp::Reverse(o.order));
    for var in mdae.variable_ids() {
        for order in 0..4 {
            let value = Double::new(random.number());
            point.left.insert(VarRef::now(var, order), value);
        }
    }
    let known = known.iter().map(|(o, value)| (*o, Double::new(*value)));
    point.left.extend(known);
    let mut last = f64::INFINITY;
    for _ in 0..steps {
        let size = newton(&equations, &free, &mut point)?;
        let settled = size < 1e-16 && size > 0.1 * last;
        last = size;
        if size < 1e-26 || settled {
            // Where equations have no solution, Newton's method may run off to where they matter less than rounding.
            let far = free.iter().any(|o| point.left(*o).size() > 1e6);
            return (!far && holds(&equations, &point)).then_some(point);
        }
    }
    None
}

/// One step; returns its size.
fn newton(equations: &[Expr], free: &[VarRef], point: &mut Point) -> Option<f64> {
    let column: FxHashMap<VarRef, usize> = free.iter().enumerate().map(|(i, o)| (*o, i)).collect();
    let mut rows = Vec::with_capacity(equations.len());
    for equation in equations {
        let mut row = vec![Double::ZERO; free.len() + 1];
        for o in variables(equation) {
            if let Some(&i) = column.get(&o) {
                row[i] = evaluate(&partial(equation, o), point).ok()?;
            }
        }
        row[free.len()] = evaluate(equation, point).ok()?;
        rows.push(row);
    }
    let step = eliminate(rows, free.len());
    let mut size = 0.0_f64;
    for (o, step) in free.iter().zip(step) {
        let value = point.left(*o).minus(step);
        size = size.max(step.size() / (1.0 + value.size()));
        point.left.insert(*o, value);
    }
    Some(size)
}
