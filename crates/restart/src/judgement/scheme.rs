//! Impulses beside factors that move: what they give depends on how the instant is resolved.

use super::{Judgement, restart_rows};
use crate::array::{Place, RowKind, Setting};
use crate::change::Role;
use crate::facts::{Past, Span};
use crate::system::Meaning;
use crate::verdict::{Analysis, Flag};
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, substitute, variables};
use num_traits::Signed as _;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What can move at the instant of a change.
struct Movement<'a> {
    setting: &'a Setting<'a>,
    past: &'a Past<'a>,
    analysis: &'a Analysis,
    /// States of the new mode that jump, or may.
    moving: BTreeSet<VarRef>,
    after: OnceCell<RightLimits>,
}

/// What is known about the values right after a change.
struct RightLimits {
    span: Span,
    /// Of variables that are no states of the new mode.
    symbols: FxIndexMap<VarRef, VarRef>,
}

impl RightLimits {
    /// The left limits, the restart, and the equations of the new mode at the right limits.
    fn new(movement: &Movement<'_>) -> Self {
        let Movement {
            setting, analysis, ..
        } = movement;
        let system = &analysis.system;
        let first = setting.base() + system.unknowns.len() as u32;
        let mut symbols: FxIndexMap<VarRef, VarRef> = FxIndexMap::default();
        let mut right = |o: VarRef| -> VarRef {
            let left = VarRef { at: At::Left, ..o };
            let known = match setting.change.role(o.var) {
                _ if o.at == At::Left => Some(o),
                Role::Known => Some(o),
                Role::Held => match setting.place(o, 0) {
                    Place::Given(given) => Some(given),
                    Place::Dependent(_) => None,
                },
                Role::Unknown | Role::Discrete => None,
            };
            let in_system = || {
                let found = system.unknowns.iter().position(|unknown| {
                    let cell = unknown.cell;
                    unknown.meaning == Meaning::Right && VarRef::now(cell.var, cell.order) == o
                });
                found.map(|index| system.unknown(index))
            };
            let is_kept = || analysis.determined.contains(&o) && !movement.moving.contains(&o);
            if let Some(known) = known.or_else(in_system) {
                return known;
            }
            if is_kept() {
                return left;
            }
            let next = first + symbols.len() as u32;
            *symbols
                .entry(o)
                .or_insert_with(|| VarRef::now(VarId(next), 0))
        };
        let mut rows = restart_rows(analysis);
        for (equation, &c) in setting.after.c.iter().enumerate() {
            for order in 0..=c {
                let derivative = setting.derivative(equation, order);
                let row = substitute(derivative, &mut |o| Some(Expr::var_ref(right(o))));
                rows.push(row);
            }
        }
        Self {
            span: movement.past.with(&rows),
            symbols,
        }
    }

    /// Whether a variable that is no state any more provably has the value that it had.
    fn stays(&self, o: VarRef) -> bool {
        let left = VarRef { at: At::Left, ..o };
        let symbol = self.symbols.get(&o);
        symbol.is_some_and(|right| {
            let difference = Expr::var_ref(*right).sub(&Expr::var_ref(left));
            self.span.contains(&difference)
        })
    }
}

impl Movement<'_> {
    /// Whether an occurrence with a left limit moves at the instant: a state that jumps, or a state of the old mode that is
    /// none afterwards and gets another value there. Of the latter an array takes the last value, an implicit step the next.
    /// The answer is exact where the equations are linear; elsewhere what is not known to stay moves.
    fn moves(&self, named: VarRef, at: At) -> bool {
        if self.moving.contains(&named) {
            return true;
        }
        let lost = at == At::Left
            && self.setting.change.role(named.var) == Role::Unknown
            && named.order >= self.setting.d_after(named.var);
        let after = || self.after.get_or_init(|| RightLimits::new(self));
        lost && !after().stays(named)
    }
}

impl Judgement<'_, '_> {
    pub(super) fn flags(&self, past: &Past<'_>, analysis: &Analysis) -> Vec<Flag> {
        let mut flags = self.scheme_dependent(past, analysis);
        for &state in &analysis.undetermined {
            if state.order >= self.setting.d_before(state.var) {
                flags.push(Flag::AlgebraicBefore { state });
            }
        }
        for &state in &analysis.determined {
            if self.setting.starts_from_last_value(state) && !analysis.jumps.contains(&state) {
                flags.push(Flag::AlgebraicBefore { state });
            }
        }
        flags.sort();
        flags.dedup();
        flags
    }

    fn scheme_dependent(&self, past: &Past<'_>, analysis: &Analysis) -> Vec<Flag> {
        let open = analysis.jumps.iter().chain(&analysis.undetermined);
        let movement = Movement {
            setting: self.setting,
            past,
            analysis,
            moving: open.copied().collect(),
            after: OnceCell::new(),
        };
        let mut flags = Vec::new();
        for &row in &self.stack.enabled {
            let row = &self.stack.array.rows[row];
            if matches!(row.kind, RowKind::Euler(_)) {
                continue;
            }
            for term in &row.terms {
                let impulse = term
                    .powers
                    .iter()
                    .map(|p| p.0)
                    .find(|&column| self.orders.variable[column].is_positive());
                let Some(impulse) = impulse else { continue };
                let states: Vec<VarRef> = variables(&term.expr)
                    .into_iter()
                    .filter(|o| o.var != VarId(self.setting.base() + impulse as u32))
                    .filter(|o| self.moves(*o, &movement))
                    .filter_map(|o| self.model_occurrence(o))
                    .collect();
                if !states.is_empty() {
                    let cell = self.stack.array.columns[impulse];
                    let impulse = VarRef::now(cell.var, cell.order);
                    flags.push(Flag::SchemeDependent {
                        row: row.kind,
                        impulse,
                        states,
                    });
                }
            }
        }
        flags
    }

    /// Whether an occurrence in a row moves, or follows from what moves at the instant. Linear in the array.
    fn moves(&self, occurrence: VarRef, movement: &Movement<'_>) -> bool {
        let mut seen = BTreeSet::from([occurrence]);
        let mut waiting = vec![occurrence];
        while let Some(o) = waiting.pop() {
            let Some(named) = self.model_occurrence(o) else {
                continue;
            };
            if movement.moves(named, o.at) {
                return true;
            }
            // Other states are continuous, whatever their equations read.
            if named.order < self.setting.d_after(named.var) {
                continue;
            }
            let Some(column) = o.var.0.checked_sub(self.setting.base()) else {
                continue;
            };
            let matched = self
                .orders
                .column_of
                .iter()
                .position(|c| *c == column as usize);
            let row = matched.map(|position| &self.stack.array.rows[self.stack.enabled[position]]);
            let Some(row) = row.filter(|row| !matches!(row.kind, RowKind::Euler(_))) else {
                continue;
            };
            for next in row.terms.iter().flat_map(|term| variables(&term.expr)) {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// The variable of the model behind an occurrence in a row.
    fn model_occurrence(&self, occurrence: VarRef) -> Option<VarRef> {
        match occurrence.var.0.checked_sub(self.setting.base()) {
            Some(column) => {
                let cell = self.stack.array.columns.get(column as usize)?;
                Some(VarRef::now(cell.var, cell.order))
            }
            None => Some(VarRef::now(occurrence.var, occurrence.order)),
        }
    }
}
