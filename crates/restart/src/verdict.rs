//! The verdict on a mode change: goodness of the rescaling, and Corollary 1 where it fails.

use crate::array::{Cell, Rank, RowKind, Setting};
use crate::change::Change;
use crate::distribution::exact;
use crate::facts::{Past, Reason, Span};
use crate::heights::{Stack, stack};
use crate::matching::{Incidence, Matching};
use crate::regular::is_mode_regular;
use crate::rescale::{Orders, orders};
use crate::sigma::{ModeOffsets, SingularMode, mode_offsets};
use crate::system::{Meaning, RestartSystem, restart_system};
use crate::terms::Order;
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{At, Expr, VarId, VarRef, incidence, is_affine, variables};
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Verdict {
    Determined,
    Undetermined,
    /// An impulsive variable occurs inside a function.
    NonlinearImpulse,
    /// Equations of the restart contradict each other.
    Inconsistent,
    /// Structurally fine, but the Jacobian of the restart system, or of one of the two modes, is singular
    /// for all values.
    NumericallySingular,
    /// One of the two long modes is structurally singular.
    SingularMode,
    /// Several restart systems are possible and differ.
    Ambiguous,
}

impl Verdict {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Determined => "determined",
            Self::Undetermined => "undetermined",
            Self::NonlinearImpulse => "nonlinear-impulse",
            Self::Inconsistent => "inconsistent",
            Self::NumericallySingular => "numerically-singular",
            Self::SingularMode => "singular-mode",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// A remark on a verdict.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Flag {
    /// In this row an impulse is multiplied by these states, which jump themselves: the result depends on
    /// how the instant is resolved.
    SchemeDependent {
        row: RowKind,
        impulse: VarRef,
        states: Vec<VarRef>,
    },
    /// A state of the new mode that was no state before. Where it is determined it starts from the last value it had.
    AlgebraicBefore { state: VarRef },
}

/// What is known about a mode change.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub verdict: Verdict,
    /// By equation of the new mode.
    pub heights: Vec<u32>,
    /// Largest order of every impulsive variable.
    pub impulsive: BTreeMap<VarRef, Order>,
    /// Determined states that may differ before and after.
    pub jumps: Vec<VarRef>,
    pub determined: Vec<VarRef>,
    pub undetermined: Vec<VarRef>,
    pub facts: Vec<(RowKind, Reason)>,
    pub redundant: Vec<RowKind>,
    /// Rows that cannot be reconciled.
    pub conflict: Vec<RowKind>,
    /// Rows of the new mode that were left out, and could have taken the place of others with other values
    /// after the change, with those others.
    pub rivals: Vec<(RowKind, RowKind)>,
    /// Rows in which an impulse is locked in a function, with the variables.
    pub nonlinear: Vec<(RowKind, Vec<VarRef>)>,
    pub flags: Vec<Flag>,
    pub system: RestartSystem,
    /// The mode that is structurally singular, `true` for the new one.
    pub singular: Option<(bool, SingularMode)>,
    /// Equations at the transient instant only, as [`RowKind::Instant`] numbers them: source equations.
    pub instant_sources: Vec<usize>,
    pub offsets_before: Option<ModeOffsets>,
    pub offsets_after: Option<ModeOffsets>,
    /// The new mode is linear: the result was computed among distributions, or held against that.
    pub exact: bool,
}

impl Analysis {
    fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            heights: Vec::new(),
            impulsive: BTreeMap::new(),
            jumps: Vec::new(),
            determined: Vec::new(),
            undetermined: Vec::new(),
            facts: Vec::new(),
            redundant: Vec::new(),
            conflict: Vec::new(),
            rivals: Vec::new(),
            nonlinear: Vec::new(),
            flags: Vec::new(),
            system: RestartSystem::default(),
            singular: None,
            instant_sources: Vec::new(),
            offsets_before: None,
            offsets_after: None,
            exact: false,
        }
    }

    fn singular(in_new_mode: bool, reason: SingularMode) -> Self {
        Self {
            singular: Some((in_new_mode, reason)),
            ..Self::new(Verdict::SingularMode)
        }
    }
}

/// Analyses one mode change.
pub fn analyse(change: &Change) -> Analysis {
    let after = match mode_offsets(change, &change.after) {
        Ok(offsets) => offsets,
        Err(reason) => return Analysis::singular(true, reason),
    };
    let before = if change.initial {
        // The start values are the past; no equation held before.
        ModeOffsets {
            c: Vec::new(),
            ..after.clone()
        }
    } else {
        match mode_offsets(change, &change.before) {
            Ok(offsets) => offsets,
            // The left limits of what is differentiated are there, whatever the equations say.
            Err(_) => differentiated(change),
        }
    };
    let mut setting = Setting::new(change, before, after);
    let past = Past::new(change, &setting.before);
    let found = stack(&setting, &past);
    let mut analysis = judge(&setting, &past, found);
    let regular = is_mode_regular(&change.after, &setting.after);
    if let Some(exact) = exact(change, &setting.before, &setting.after, &past, regular) {
        exact.correct(&mut analysis);
    }
    if !analysis.exact {
        // With the last values of what becomes a state the array says what an implicit Euler step does.
        if setting.know_last_values() {
            analysis = better(analysis, judge(&setting, &past, stack(&setting, &past)));
        }
        let lacks = matches!(
            analysis.verdict,
            Verdict::Inconsistent | Verdict::Undetermined | Verdict::Ambiguous
        );
        if lacks && setting.know_rates() {
            analysis = better(analysis, judge(&setting, &past, stack(&setting, &past)));
        }
    }
    if analysis.verdict == Verdict::Determined && !regular {
        analysis.verdict = Verdict::NumericallySingular;
    }
    analysis
}

/// Of two analyses the second, which was told more about the past, if it has an answer.
fn better(first: Analysis, informed: Analysis) -> Analysis {
    let answers = match informed.verdict {
        Verdict::Determined => true,
        Verdict::Undetermined => {
            first.verdict == Verdict::Undetermined
                && informed.undetermined.len() < first.undetermined.len()
        }
        _ => false,
    };
    if answers { informed } else { first }
}

/// The offsets of a mode that has none: what it differentiates was there.
fn differentiated(change: &Change) -> ModeOffsets {
    let mut d: FxHashMap<VarId, u32> = FxHashMap::default();
    for equation in &change.before {
        for (var, order) in incidence(&equation.residual) {
            if change.is_unknown(var) {
                let highest = d.entry(var).or_insert(0);
                *highest = (*highest).max(order);
            }
        }
    }
    ModeOffsets {
        c: vec![0; change.before.len()],
        d,
        equation_of: FxHashMap::default(),
    }
}

fn judge(setting: &Setting<'_>, past: &Past<'_>, stack: Stack) -> Analysis {
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
    drop_impulses_of_resets(setting, &mut analysis);
    analysis.flags = judgement.flags(&analysis);
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

/// More exchanges than this are not tried.
const MAX_EXCHANGES: usize = 64;

impl Judgement<'_, '_> {
    /// Exchanges of a row that was left out for one that takes part, after which the array is as good but
    /// the right limits are others. Only told where it is certain: both restart systems are affine. O(n³) for
    /// each of at most [`MAX_EXCHANGES`].
    fn rivals(&self, past: &Past<'_>, system: &RestartSystem) -> Vec<(RowKind, RowKind)> {
        let stack = self.stack;
        if stack.dropped.is_empty() {
            return Vec::new();
        }
        let graph = Incidence {
            rows: stack
                .array
                .rows
                .iter()
                .map(|row| row.columns.clone())
                .collect(),
            n_columns: stack.array.columns.len(),
        };
        let mut matching = Matching::empty(&graph);
        for (position, &row) in stack.enabled.iter().enumerate() {
            let column = self.orders.column_of[position];
            matching.column_of[row] = Some(column);
            matching.row_of[column] = Some(row);
        }
        let mut found = Vec::new();
        let mut tried = 0;
        for &dropped in &stack.dropped {
            for other in matching.over_part(&graph, [dropped]) {
                let kinds = (stack.array.rows[dropped].kind, stack.array.rows[other].kind);
                if stack.array.rows[other].rank != Rank::Optional || other == dropped {
                    continue;
                }
                tried += 1;
                if tried > MAX_EXCHANGES {
                    return found;
                }
                if self.differs(past, system, dropped, other) {
                    found.push(kinds);
                }
            }
        }
        found
    }

    /// Whether `dropped` in the place of `other` gives another restart.
    fn differs(
        &self,
        past: &Past<'_>,
        system: &RestartSystem,
        dropped: usize,
        other: usize,
    ) -> bool {
        let mut stack = self.stack.clone();
        stack.enabled.retain(|&row| row != other);
        stack.enabled.push(dropped);
        stack.enabled.sort_unstable();
        stack.dropped.clear();
        let Ok(orders) = orders(&stack.array, &stack.enabled) else {
            return false;
        };
        let judgement = Judgement {
            setting: self.setting,
            stack: &stack,
            orders: &orders,
        };
        let mut analysis = Analysis::new(Verdict::Determined);
        judgement.fill(&mut analysis, &states(self.setting, &stack.heights));
        if analysis.verdict != Verdict::Determined {
            return false;
        }
        let rival = &analysis.system;
        let base = system.base + system.unknowns.len() as u32;
        let mut rows = restart_rows_of(system);
        rows.extend(rival.renumbered(base));
        if !rows.iter().all(is_affine) {
            return false;
        }
        let span = past.with(&rows);
        let mut shared = system
            .unknowns
            .iter()
            .enumerate()
            .filter_map(|(i, unknown)| {
                let same = rival.unknowns.iter().position(|other| other == unknown)?;
                (unknown.meaning == Meaning::Right).then_some((i, same))
            });
        shared.any(|(i, same)| {
            let value = Expr::var_ref(system.unknown(i));
            !span.contains(&value.sub(&Expr::var(VarId(base + same as u32))))
        })
    }
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

/// `reinit` moves a state without an impulse: the `k`-th derivative of its jump, which would be of order `k`, is none. What a
/// constraint does to the rate is of a lower order, and stays.
fn drop_impulses_of_resets(setting: &Setting<'_>, analysis: &mut Analysis) {
    let resets: Vec<VarRef> = setting.laws().iter().filter_map(|law| law.reinit).collect();
    analysis.impulsive.retain(|o, order| {
        let of_jump = |reset: &VarRef| {
            reset.var == o.var
                && o.order > reset.order
                && *order >= Order::from_integer((o.order - reset.order).into())
        };
        !resets.iter().any(of_jump)
    });
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

    fn flags(&self, analysis: &Analysis) -> Vec<Flag> {
        let mut flags = Vec::new();
        let moving: BTreeSet<VarRef> = analysis
            .jumps
            .iter()
            .chain(&analysis.undetermined)
            .copied()
            .collect();
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
                    .filter(|o| self.moves(*o, &moving))
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

    /// Whether an occurrence in a row is one of the `moving` states, or follows from them at the instant. Linear in the
    /// array.
    fn moves(&self, occurrence: VarRef, moving: &BTreeSet<VarRef>) -> bool {
        let mut seen = BTreeSet::from([occurrence]);
        let mut waiting = vec![occurrence];
        while let Some(o) = waiting.pop() {
            let Some(named) = self.model_occurrence(o) else {
                continue;
            };
            // A state of the old mode that is none afterwards follows the others: the array takes its last value, an
            // implicit step the next one.
            let follows = o.at == At::Left && named.order >= self.setting.d_after(named.var);
            if moving.contains(&named) || follows && !moving.is_empty() {
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
