//! First-order form: Modelica has first derivatives only, so models say `der(x) = v`.
//!
//! Left in place, such an equation would make positions and velocities compete for the same instant of an
//! array. For every unguarded equation `a·(der(x) − v) = 0` with a constant `a ≠ 0`, `v` becomes `x'` and
//! `der(v)` becomes `x''` everywhere; the names are mapped back in every report.

use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_mdae::cond::Conds;
use modeshift_mdae::model::{EqId, MDae, VarKind};
use modeshift_mdae::sym::{
    At, Expr, Kind, Rational, VarId, VarRef, contains_condition, substitute,
};

/// Which variables are derivatives of others.
#[derive(Clone, Debug, Default)]
pub struct FirstOrder {
    /// `v ↦ (x, m)`: `v` is `x'^m`.
    replaced: FxHashMap<VarId, (VarId, u32)>,
    /// The inverse.
    names: FxHashMap<(VarId, u32), VarId>,
    dropped: FxHashSet<EqId>,
}

impl FirstOrder {
    /// Linear in the equations per round; there are as many rounds as derivatives are chained.
    pub fn of(mdae: &MDae) -> Self {
        let mut this = Self::default();
        let mut candidates: Vec<(EqId, Expr)> = mdae
            .equations
            .iter_enumerated()
            .filter(|(_, e)| e.is_long() && e.guard == Conds::TRUE)
            .map(|(id, e)| (id, e.residual()))
            .filter(|(_, residual)| is_candidate(residual))
            .collect();
        loop {
            let before = this.dropped.len();
            candidates.retain(|(id, residual)| !this.try_drop(mdae, *id, residual));
            if this.dropped.len() == before {
                return this;
            }
        }
    }

    fn try_drop(&mut self, mdae: &MDae, id: EqId, residual: &Expr) -> bool {
        let Some((x, v)) = derivative_equation(&self.apply(residual)) else {
            return false;
        };
        let is_free = |var: VarId| {
            let variable = mdae.variable(var);
            variable.kind == VarKind::Unknown && !variable.discrete
        };
        let taken = self.names.contains_key(&(x.var, x.order));
        if taken || !is_free(v) || !is_free(x.var) || v == x.var {
            return false;
        }
        self.replace(v, x);
        self.dropped.insert(id);
        true
    }

    /// `v` and everything that is expressed by it now belongs to `x`.
    fn replace(&mut self, v: VarId, x: VarRef) {
        let moved: Vec<(VarId, u32)> = self
            .replaced
            .iter()
            .filter(|(_, (base, _))| *base == v)
            .map(|(&var, &(_, order))| (var, order))
            .collect();
        for (var, order) in moved {
            self.names.remove(&(v, order));
            self.replaced.insert(var, (x.var, x.order + order));
            self.names.insert((x.var, x.order + order), var);
        }
        self.replaced.insert(v, (x.var, x.order));
        self.names.insert((x.var, x.order), v);
    }

    pub fn is_dropped(&self, equation: EqId) -> bool {
        self.dropped.contains(&equation)
    }

    pub fn is_replaced(&self, var: VarId) -> bool {
        self.replaced.contains_key(&var)
    }

    /// The expression in terms of the variables that are left.
    pub fn apply(&self, expr: &Expr) -> Expr {
        if self.replaced.is_empty() {
            return expr.clone();
        }
        substitute(expr, &mut |occurrence| {
            let forward = self.forward(occurrence);
            (forward != occurrence).then(|| Expr::var_ref(forward))
        })
    }

    /// An occurrence of the model as the analysis sees it.
    pub fn forward(&self, occurrence: VarRef) -> VarRef {
        match self.replaced.get(&occurrence.var) {
            Some(&(var, order)) => VarRef {
                var,
                order: order + occurrence.order,
                ..occurrence
            },
            None => occurrence,
        }
    }

    /// An occurrence of the analysis in the model's own names: `x''` is `der(v)` if `v` is `x'`.
    pub fn backward(&self, occurrence: VarRef) -> VarRef {
        let named = (1..=occurrence.order)
            .rev()
            .find_map(|order| Some((*self.names.get(&(occurrence.var, order))?, order)));
        match named {
            Some((var, order)) => VarRef {
                var,
                order: occurrence.order - order,
                ..occurrence
            },
            None => occurrence,
        }
    }
}

/// Only sums of two terms can be `a·(der(x) − v)`.
fn is_candidate(residual: &Expr) -> bool {
    matches!(residual.kind(), Kind::Sum(terms) if terms.len() == 2) && !contains_condition(residual)
}

/// `(x'^m, v)` for `a·(x'^m − v)`, `m ≥ 1`.
fn derivative_equation(residual: &Expr) -> Option<(VarRef, VarId)> {
    let Kind::Sum(terms) = residual.kind() else {
        return None;
    };
    let [a, b] = &**terms else { return None };
    let (a, ca) = scaled_variable(a)?;
    let (b, cb) = scaled_variable(b)?;
    if ca != -&cb || a.at != At::Now || b.at != At::Now {
        return None;
    }
    match (a.order, b.order) {
        (0, 1..) => Some((b, a.var)),
        (1.., 0) => Some((a, b.var)),
        _ => None,
    }
}

fn scaled_variable(term: &Expr) -> Option<(VarRef, Rational)> {
    match term.kind() {
        Kind::Var(occurrence) => Some((*occurrence, Rational::one())),
        Kind::Prod(factors) => match &**factors {
            [coefficient, variable] => Some((variable.as_var()?, coefficient.as_const()?.clone())),
            _ => None,
        },
        _ => None,
    }
}
