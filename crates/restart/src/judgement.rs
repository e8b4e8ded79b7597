//! What a mode change array says: goodness of the rescaling, and Corollary 1 where it fails.

mod rivals;
mod scheme;

use crate::array::{Cell, RowKind, RowTerm, Setting};
use crate::facts::{Past, Span};
use crate::heights::Stack;
use crate::matching::{Incidence, Matching};
use crate::rescale::{Orders, term_order};
use crate::system::{Meaning, RestartSystem, restart_system};
use crate::terms::Order;
use crate::verdict::{Analysis, Verdict};
use modeshift_mdae::sym::{Expr, VarId, VarRef};
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};
use std::collections::{BTreeMap, BTreeSet};

/// The analysis of a change from its array.
pub(crate) fn judge(setting: &Setting<'_>, past: &Past<'_>, stack: Stack) -> Analysis {
    let mut analysis = Analysis {
        heights: stack.heights.clone(),
        facts: stack.facts.clone(),
        redundant: stack.redundant.clone(),
        conflict: stack.conflict.clone(),
        instant_sources: setting.only_instant.iter().map(|e| e.source).collect(),
        offsets_before: Some(setting.before.clone()),
        offsets_after: Some(setting.after.clone()),
        ..Analysis::new(Verdict::Determined)
    };
    let states = states(setting, &stack.heights);
    let Some(orders) = &stack.orders else {
        analysis.verdict = if stack.conflict.is_empty() {
            Verdict::NonlinearImpulse
        } else {
            Verdict::Inconsistent
        };
        for (state, cell) in &states {
            let known = setting.is_past(*cell);
            if known {
                &mut analysis.determined
            } else {
                &mut analysis.undetermined
            }
            .push(*state);
        }
        return analysis;
    };
    let judgement = Judgement {
        setting,
        stack: &stack,
        orders,
    };
    judgement.fill(&mut analysis, &states);
    if !analysis.jumps.is_empty() || !analysis.impulsive.is_empty() {
        let span = past.with(&restart_rows(&analysis));
        analysis.jumps = real_jumps(setting, &span, &analysis);
        drop_empty_impulses(&span, &mut analysis);
    }
    judgement.drop_impulses_of_resets(&mut analysis);
    analysis.flags = judgement.flags(past, &analysis);
    if analysis.verdict == Verdict::Determined {
        analysis.rivals = judgement.rivals(past, &analysis.system);
        if !analysis.rivals.is_empty() {
            analysis.verdict = Verdict::Ambiguous;
        }
    }
    analysis
}

fn restart_rows(analysis: &Analysis) -> Vec<Expr> {
    restart_rows_of(&analysis.system)
}

fn restart_rows_of(system: &RestartSystem) -> Vec<Expr> {
    system
        .equations
        .iter()
        .map(|equation| equation.residual.clone())
        .collect()
}

/// Drops the impulses whose weight is provably zero: constraints that both modes have make the orders of
/// their variables look higher than they are.
fn drop_empty_impulses(span: &Span, analysis: &mut Analysis) {
    let system = &analysis.system;
    let mut empty = BTreeMap::new();
    for (index, unknown) in system.unknowns.iter().enumerate() {
        if matches!(unknown.meaning, Meaning::Weight(_)) {
            let occurrence = VarRef::now(unknown.cell.var, unknown.cell.order);
            let zero = span.contains(&Expr::var_ref(system.unknown(index)));
            *empty.entry(occurrence).or_insert(true) &= zero;
        }
    }
    analysis
        .impulsive
        .retain(|occurrence, _| empty.get(occurrence) != Some(&true));
}

/// Drops the states whose right limit provably equals the left one.
fn real_jumps(setting: &Setting<'_>, span: &Span, analysis: &Analysis) -> Vec<VarRef> {
    let system = &analysis.system;
    let known_before = |state: &VarRef| setting.before.d.contains_key(&state.var);
    let continuous = |state: &VarRef| {
        let index = system.unknowns.iter().position(|unknown| {
            let cell = unknown.cell;
            unknown.meaning == Meaning::Right && VarRef::now(cell.var, cell.order) == *state
        });
        index.is_some_and(|index| {
            let left = Expr::var_ref(VarRef::left(state.var, state.order));
            span.contains(&Expr::var_ref(system.unknown(index)).sub(&left))
        })
    };
    let jumps = analysis.jumps.iter().copied();
    jumps
        .filter(|state| !(known_before(state) && continuous(state)))
        .collect()
}

/// The states of the new mode with the cells that hold their right limits, in order of variables.
fn states(setting: &Setting<'_>, heights: &[u32]) -> Vec<(VarRef, Cell)> {
    let mut vars: Vec<(VarId, u32)> = setting.after.d.iter().map(|(v, d)| (*v, *d)).collect();
    vars.sort_unstable();
    let mut list = Vec::new();
    for (var, d) in vars {
        let instant = setting.height_of(heights, var);
        for order in 0..d {
            list.push((
                VarRef::now(var, order),
                Cell {
                    var,
                    order,
                    instant,
                },
            ));
        }
    }
    list
}

struct Judgement<'s, 'c> {
    setting: &'s Setting<'c>,
    stack: &'s Stack,
    orders: &'s Orders,
}

impl Judgement<'_, '_> {
    fn fill(&self, analysis: &mut Analysis, states: &[(VarRef, Cell)]) {
        analysis.nonlinear = self.nonlinear();
        analysis.impulsive = self.impulsive();
        let violators = self.violators();
        let locked: BTreeSet<usize> = self.orders.locked.iter().map(|(row, _)| *row).collect();
        let lost = self.lost_columns(&violators, &locked);
        if !locked.is_empty() {
            self.open_impulses(analysis, &lost);
        }
        self.sort_states(analysis, states, &lost);
        analysis.verdict = self.verdict(analysis, states, &violators, &locked);
        let (rows, columns) = self.regular_part(&violators, &locked, &lost);
        analysis.system = restart_system(
            self.setting,
            &self.stack.heights,
            &self.stack.array,
            &self.stack.enabled,
            self.orders,
            (&rows, &columns),
        );
        if analysis.verdict == Verdict::Determined && !analysis.system.is_generically_regular() {
            analysis.verdict = Verdict::NumericallySingular;
        }
    }

    /// `reinit` moves a state without an impulse: the `k`-th derivative of its jump, which would be of order `k`, is none. What an
    /// equation of the new mode balances against other impulses is one, and so is what a constraint does to the rate, which is of
    /// a lower order.
    fn drop_impulses_of_resets(&self, analysis: &mut Analysis) {
        let resets = &self.setting.resets;
        if resets.is_empty() {
            return;
        }
        analysis.impulsive.retain(|o, order| {
            let of_jump = |reset: &VarRef| {
                reset.var == o.var
                    && o.order > reset.order
                    && *order >= Order::from_integer((o.order - reset.order).into())
            };
            !resets.iter().any(of_jump) || self.is_balanced(*o, *order)
        });
    }

    /// Whether an equation of the model sets an impulse against another one. Linear in the array.
    fn is_balanced(&self, o: VarRef, order: Order) -> bool {
        let stack = self.stack;
        stack.enabled.iter().any(|&row| {
            let row = &stack.array.rows[row];
            let is_own = |column: &usize| {
                let cell = stack.array.columns[*column];
                VarRef::now(cell.var, cell.order) == o && self.orders.variable[*column] == order
            };
            let balance = |term: &RowTerm, own: bool| {
                let mut columns = term.powers.iter().map(|(column, _)| column);
                columns.any(is_own) == own && term_order(term, &self.orders.variable) == order
            };
            !matches!(row.kind, RowKind::Euler(_) | RowKind::Law { .. })
                && row.columns.iter().any(is_own)
                && row.terms.iter().any(|term| balance(term, true))
                && row.terms.iter().any(|term| balance(term, false))
        })
    }

    /// Columns that violate goodness (52) or (53).
    fn violators(&self) -> BTreeSet<usize> {
        let columns = &self.stack.array.columns;
        let present: BTreeSet<Cell> = columns.iter().copied().collect();
        let bad = |column: usize| {
            let cell = columns[column];
            let order = self.orders.variable[column];
            if !order.is_positive() {
                return false;
            }
            let tail = cell.order <= self.setting.d_after(cell.var)
                && cell.instant == self.setting.height_of(&self.stack.heights, cell.var);
            if tail {
                return true;
            }
            let steps = order.ceil().to_u32().unwrap_or(u32::MAX).min(cell.order);
            let end = Cell {
                order: cell.order - steps,
                instant: cell.instant + steps,
                ..cell
            };
            !present.contains(&end) && !self.setting.is_past(cell)
        };
        (0..columns.len()).filter(|&column| bad(column)).collect()
    }

    /// The columns that are not determined once the rows matched with violators and the rows with
    /// locked impulses are taken out (Corollary 1).
    fn lost_columns(
        &self,
        violators: &BTreeSet<usize>,
        locked: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        let stack = self.stack;
        let graph = Incidence {
            rows: stack
                .enabled
                .iter()
                .map(|&row| stack.array.rows[row].columns.clone())
                .collect(),
            n_columns: stack.array.columns.len(),
        };
        let keep: Vec<bool> = (0..stack.enabled.len())
            .map(|row| !violators.contains(&self.orders.column_of[row]) && !locked.contains(&row))
            .collect();
        let mut matching = Matching::empty(&graph);
        for (row, &column) in self.orders.column_of.iter().enumerate() {
            if keep[row] {
                matching.column_of[row] = Some(column);
                matching.row_of[column] = Some(row);
            }
        }
        matching.under_part(&graph, &keep).into_iter().collect()
    }

    fn regular_part(
        &self,
        violators: &BTreeSet<usize>,
        locked: &BTreeSet<usize>,
        lost: &BTreeSet<usize>,
    ) -> (Vec<usize>, Vec<usize>) {
        let mut rows = Vec::new();
        let mut columns = Vec::new();
        for (row, &column) in self.orders.column_of.iter().enumerate() {
            let kept = !violators.contains(&column) && !locked.contains(&row);
            if kept && !lost.contains(&column) {
                rows.push(row);
                columns.push(column);
            }
        }
        (rows, columns)
    }

    fn sort_states(
        &self,
        analysis: &mut Analysis,
        states: &[(VarRef, Cell)],
        lost: &BTreeSet<usize>,
    ) {
        for &(state, cell) in states {
            let column = self.stack.array.columns.iter().position(|c| *c == cell);
            if column.is_some_and(|column| lost.contains(&column)) {
                analysis.undetermined.push(state);
                continue;
            }
            analysis.determined.push(state);
            if !self.setting.is_past(cell) && self.may_jump(cell) {
                analysis.jumps.push(state);
            }
        }
    }

    /// A state is continuous if an Euler identity with a derivative that is not impulsive leads to it.
    fn may_jump(&self, cell: Cell) -> bool {
        let Some(instant) = cell.instant.checked_sub(1) else {
            return true;
        };
        let rate = Cell {
            var: cell.var,
            order: cell.order + 1,
            instant,
        };
        let linked = self
            .stack
            .array
            .rows
            .iter()
            .any(|row| row.kind == RowKind::Euler(rate));
        let order = self.order_of(rate);
        let before = Cell {
            order: cell.order,
            instant,
            ..cell
        };
        let lower_is_past = self.setting.is_past(before);
        !linked || order.is_none_or(|order| order >= Order::one()) || !lower_is_past
    }

    fn order_of(&self, cell: Cell) -> Option<Order> {
        let column = self.stack.array.columns.iter().position(|c| *c == cell)?;
        Some(self.orders.variable[column])
    }

    fn verdict(
        &self,
        analysis: &Analysis,
        states: &[(VarRef, Cell)],
        violators: &BTreeSet<usize>,
        locked: &BTreeSet<usize>,
    ) -> Verdict {
        if analysis.undetermined.is_empty() {
            return Verdict::Determined;
        }
        if !locked.is_empty() {
            let lost = self.lost_columns(violators, &BTreeSet::new());
            let loses = |cell: &Cell| {
                let column = self.stack.array.columns.iter().position(|c| c == cell);
                column.is_some_and(|column| lost.contains(&column))
            };
            if !states.iter().any(|(_, cell)| loses(cell)) {
                return Verdict::NonlinearImpulse;
            }
        }
        Verdict::Undetermined
    }

    /// Where an impulse is locked in a function, neither that impulse nor what follows from it has a known order.
    fn open_impulses(&self, analysis: &mut Analysis, lost: &BTreeSet<usize>) {
        let cells = lost.iter().map(|&column| self.stack.array.columns[column]);
        let open: BTreeSet<VarRef> = cells
            .map(|cell| VarRef::now(cell.var, cell.order))
            .collect();
        analysis.impulsive.retain(|o, _| !open.contains(o));
        analysis.open = open.into_iter().collect();
    }

    fn nonlinear(&self) -> Vec<(RowKind, Vec<VarRef>)> {
        let array = &self.stack.array;
        let occurrence = |&column: &usize| {
            let cell = array.columns[column];
            VarRef::now(cell.var, cell.order)
        };
        self.orders
            .locked
            .iter()
            .map(|(row, columns)| {
                let kind = array.rows[self.stack.enabled[*row]].kind;
                (kind, columns.iter().map(occurrence).collect())
            })
            .collect()
    }

    fn impulsive(&self) -> BTreeMap<VarRef, Order> {
        let mut largest = BTreeMap::new();
        for (cell, order) in self.stack.array.columns.iter().zip(&self.orders.variable) {
            if order.is_positive() {
                let entry = largest
                    .entry(VarRef::now(cell.var, cell.order))
                    .or_insert_with(Order::zero);
                *entry = (*entry).max(*order);
            }
        }
        largest
    }
}
