//! Substitution of explicit values into the equations of one mode.
//!
//! A variable such as a gear ratio, `ratio = if low then 3 else 2`, has a value in each mode and no
//! dynamics: where nobody differentiates it, equations that mention it mean that value. Left in place, the
//! array would take the ratio for a state that keeps its old value for an instant, and an impulse that it
//! multiplies would depend on the discretisation.

use crate::change::{ModeEquation, Role};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{
    At, Expr, Kind, VarId, VarRef, contains_condition, substitute, variables,
};

/// Replaces current values of held variables by their new ones.
pub(crate) fn assign(equations: &mut [ModeEquation], values: &[(VarId, Expr)]) {
    if values.is_empty() {
        return;
    }
    for equation in equations {
        equation.residual = substitute(&equation.residual, &mut |o| {
            let value = values.iter().find(|(var, _)| VarRef::now(*var, 0) == o);
            value.map(|(_, value)| value.clone())
        });
    }
}

/// Replaces unknowns that an equation of their own gives by numbers, parameters, time and inputs, in the
/// other equations, until nothing changes; not unknowns that some equation differentiates. As many passes
/// as definitions are chained, each linear in the equations.
pub(crate) fn substitute_values(equations: &mut [ModeEquation], roles: &[Role]) {
    let role = |var: VarId| roles.get(var.0 as usize).copied().unwrap_or(Role::Known);
    let unknown = |var: VarId| matches!(role(var), Role::Unknown | Role::Discrete);
    let mut differentiated: FxHashMap<VarId, bool> = FxHashMap::default();
    for equation in &*equations {
        for o in variables(&equation.residual) {
            *differentiated.entry(o.var).or_insert(false) |= o.order > 0;
        }
    }
    let mut done = vec![false; equations.len()];
    loop {
        let mut values: FxHashMap<VarId, (usize, Expr)> = FxHashMap::default();
        for (i, equation) in equations.iter().enumerate() {
            if done[i] {
                continue;
            }
            if let Some((var, value)) = definition(&equation.residual, &unknown)
                && differentiated.get(&var) == Some(&false)
            {
                values.entry(var).or_insert((i, value));
            }
        }
        if values.is_empty() {
            return;
        }
        for &(i, _) in values.values() {
            done[i] = true;
        }
        for (i, equation) in equations.iter_mut().enumerate() {
            if !done[i] {
                equation.residual = substitute(&equation.residual, &mut |o| {
                    let (_, value) = values.get(&o.var).filter(|_| o.at == At::Now)?;
                    Some(value.clone())
                });
            }
        }
    }
}

/// `x = e` with a number before `x` and no other unknown, and no left limit, in the equation.
fn definition(residual: &Expr, unknown: &impl Fn(VarId) -> bool) -> Option<(VarId, Expr)> {
    let occurring = variables(residual);
    let mut unknowns = occurring.iter().filter(|o| unknown(o.var));
    let symbol = *unknowns.next()?;
    if unknowns.next().is_some() || symbol.order > 0 || symbol.at == At::Left {
        return None;
    }
    if contains_condition(residual) {
        return None;
    }
    let terms = match residual.kind() {
        Kind::Sum(terms) => terms.to_vec(),
        _ => vec![residual.clone()],
    };
    let (own, rest): (Vec<Expr>, Vec<Expr>) = terms
        .into_iter()
        .partition(|term| variables(term).contains(&symbol));
    let [own] = own.as_slice() else { return None };
    let factor = match own.kind() {
        Kind::Var(_) => Expr::one(),
        Kind::Prod(factors) => {
            let [number, variable] = &**factors else {
                return None;
            };
            number.as_const()?;
            variable.as_var()?;
            number.clone()
        }
        _ => return None,
    };
    Some((symbol.var, Expr::sum(rest).neg().div(&factor)))
}

#[cfg(test)]
mod tests {
    use super::substitute_values;
    use crate::change::{ModeEquation, Role};
    use modeshift_mdae::sym::{Expr, VarId, variables};

    fn equations(residuals: Vec<Expr>) -> Vec<ModeEquation> {
        let equation = |(source, residual)| ModeEquation { source, residual };
        residuals.into_iter().enumerate().map(equation).collect()
    }

    #[test]
    fn chained_values_reach_the_other_equations() {
        let [ratio, base, x, y] = [0, 1, 2, 3].map(|i| Expr::var(VarId(i)));
        // ratio = 2·base, base = 3, x = ratio·y
        let mut list = equations(vec![
            ratio.sub(&base.mul(&Expr::int(2))),
            base.sub(&Expr::int(3)),
            x.sub(&ratio.mul(&y)),
        ]);
        substitute_values(&mut list, &[Role::Unknown; 4]);
        assert_eq!(list[2].residual, x.sub(&y.mul(&Expr::int(6))));
    }

    #[test]
    fn a_variable_that_is_differentiated_stays() {
        let (v, i) = (Expr::var(VarId(0)), Expr::var(VarId(1)));
        let mut list = equations(vec![
            v.sub(&Expr::int(5)),
            Expr::der(VarId(0)).sub(&i),
            i.sub(&v),
        ]);
        substitute_values(&mut list, &[Role::Unknown; 2]);
        assert_eq!(variables(&list[2].residual).len(), 2);
    }
}
