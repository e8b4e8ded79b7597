//! The restart system: the rescaled array at ε = 0.

use crate::array::{Array, Cell, RowKind, Setting};
use crate::regular::is_regular;
use crate::rescale::{Orders, term_order};
use crate::terms::Order;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{Expr, Kind, VarId, VarRef, partial, substitute};
use num_traits::{Signed as _, Zero as _};

/// What an unknown of the restart system stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// The right limit of a state of the new mode.
    Right,
    /// `lim ε^order · x`: the weight of an impulse.
    Weight(Order),
    /// A value in between that is neither.
    Auxiliary,
}

/// An unknown `VarId(base + index)` of the restart system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unknown {
    pub cell: Cell,
    pub meaning: Meaning,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RestartEquation {
    pub kind: RowKind,
    /// Over left limits, known variables and unknowns.
    pub residual: Expr,
}

/// A square system for right limits and impulse weights, given the left limits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RestartSystem {
    /// Unknown `i` is written `VarId(base + i)`.
    pub base: u32,
    pub unknowns: Vec<Unknown>,
    pub equations: Vec<RestartEquation>,
}

/// Rescales the given rows of the array and lets ε := 0. `rows` are positions in `enabled`, `columns` the
/// unknowns they determine.
pub(crate) fn restart_system(
    setting: &Setting<'_>,
    heights: &[u32],
    array: &Array,
    enabled: &[usize],
    orders: &Orders,
    (rows, columns): (&[usize], &[usize]),
) -> RestartSystem {
    let base = setting.base();
    let mut index_of: FxHashMap<u32, u32> = FxHashMap::default();
    for (index, &column) in columns.iter().enumerate() {
        index_of.insert(base + column as u32, base + index as u32);
    }
    let unknowns = columns
        .iter()
        .map(|&column| {
            let cell = array.columns[column];
            Unknown {
                cell,
                meaning: meaning(setting, heights, cell, orders.variable[column]),
            }
        })
        .collect();
    let equations = rows
        .iter()
        .map(|&position| {
            let row = &array.rows[enabled[position]];
            let top = orders.row[position];
            let kept = row.terms.iter().filter(|term| {
                let order = term_order(term, &orders.variable);
                order == top || (top.is_zero() && !order.is_positive())
            });
            let residual = Expr::sum(kept.map(|term| term.expr.clone()));
            let residual = substitute(&residual, &mut |o: VarRef| {
                index_of.get(&o.var.0).map(|&index| Expr::var(VarId(index)))
            });
            RestartEquation {
                kind: row.kind,
                residual,
            }
        })
        .collect();
    RestartSystem {
        base,
        unknowns,
        equations,
    }
}

fn meaning(setting: &Setting<'_>, heights: &[u32], cell: Cell, order: Order) -> Meaning {
    let assigned = setting.is_assigned(cell.var);
    let state = cell.order < setting.d_after(cell.var)
        && cell.instant == setting.height_of(heights, cell.var);
    if order.is_positive() {
        Meaning::Weight(order)
    } else if state || assigned {
        Meaning::Right
    } else {
        Meaning::Auxiliary
    }
}

impl RestartSystem {
    pub fn unknown(&self, index: usize) -> VarRef {
        VarRef::now(VarId(self.base + index as u32), 0)
    }

    /// The equations with the weights of derivatives replaced by the jumps they cause, for readers: Euler
    /// identities disappear into the other equations, except those that say that a state is continuous.
    pub fn condensed(&self) -> Vec<RestartEquation> {
        let mut definitions: Vec<(VarRef, Expr)> = Vec::new();
        let mut rest = Vec::new();
        let needed = self.needed();
        for (_, equation) in self
            .equations
            .iter()
            .enumerate()
            .filter(|(i, _)| needed[*i])
        {
            match self.derivative_weight(equation) {
                Some(definition) => definitions.push(definition),
                None => rest.push(equation.clone()),
            }
        }
        // Chains of identities refer to each other downwards: as many rounds as there are links.
        for _ in 0..definitions.len() {
            let known = definitions.clone();
            for (_, value) in &mut definitions {
                *value = replace(value, &known);
            }
        }
        for equation in &mut rest {
            equation.residual = replace(&equation.residual, &definitions);
        }
        rest
    }

    /// `weight = jump` of an Euler identity that still has its derivative.
    fn derivative_weight(&self, equation: &RestartEquation) -> Option<(VarRef, Expr)> {
        let RowKind::Euler(cell) = equation.kind else {
            return None;
        };
        let index = self
            .unknowns
            .iter()
            .position(|unknown| unknown.cell == cell)?;
        let weight = self.unknown(index);
        if !modeshift_mdae::sym::variables(&equation.residual).contains(&weight) {
            return None;
        }
        let Kind::Sum(terms) = equation.residual.kind() else {
            return None;
        };
        let others = terms.iter().filter(|term| term.as_var() != Some(weight));
        Some((weight, Expr::sum(others.map(Expr::neg))))
    }

    /// The equations that right limits and weights depend on. Equation `i` is matched with unknown `i`.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.equations.len()];
        let mut stack: Vec<usize> = (0..self.unknowns.len())
            .filter(|&i| self.unknowns[i].meaning != Meaning::Auxiliary)
            .collect();
        while let Some(i) = stack.pop() {
            if i >= needed.len() || needed[i] {
                continue;
            }
            needed[i] = true;
            for o in modeshift_mdae::sym::variables(&self.equations[i].residual) {
                if let Some(index) = o.var.0.checked_sub(self.base) {
                    stack.push(index as usize);
                }
            }
        }
        needed
    }

    /// The residuals with the unknowns numbered from `base` on.
    pub(crate) fn renumbered(&self, base: u32) -> Vec<Expr> {
        let rename = |o: VarRef| {
            let index = o.var.0.checked_sub(self.base)?;
            Some(Expr::var(VarId(base + index)))
        };
        let residuals = self.equations.iter();
        residuals
            .map(|e| substitute(&e.residual, &mut |o| rename(o)))
            .collect()
    }

    /// The symbolic Jacobian, by rows: `(unknown, entry)`.
    pub fn jacobian(&self) -> Vec<Vec<(usize, Expr)>> {
        let entries = |equation: &RestartEquation| {
            let occurring = modeshift_mdae::sym::variables(&equation.residual);
            occurring
                .into_iter()
                .filter_map(|o| {
                    let index = o.var.0.checked_sub(self.base)? as usize;
                    (index < self.unknowns.len()).then(|| (index, partial(&equation.residual, o)))
                })
                .collect()
        };
        self.equations.iter().map(entries).collect()
    }

    /// Whether the Jacobian is regular for almost all values.
    pub fn is_generically_regular(&self) -> bool {
        self.equations.len() == self.unknowns.len() && is_regular(&self.jacobian())
    }
}

fn replace(expr: &Expr, definitions: &[(VarRef, Expr)]) -> Expr {
    substitute(expr, &mut |o| {
        definitions
            .iter()
            .find(|(weight, _)| *weight == o)
            .map(|(_, value)| value.clone())
    })
}
