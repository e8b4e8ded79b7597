//! Mode change arrays: rows `f'^m@k`, their variables `x'^m@k`, one row per class.
//!
//! `x'^m@k` is the m-th derivative at `t* + kε`. All `x'^m@k` with equal `m + k` form a *class*: Euler
//! identities relate them, and either all of them were set by the old mode (they are *past*) or none.

use crate::change::{Change, Law, ModeEquation, Role};
use crate::sigma::ModeOffsets;
use crate::terms::{Order, Terms, terms_of};
use crate::ties::ties;
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_mdae::sym::{
    At, Expr, Limits, VarId, VarRef, equal_up_to_factor, substitute, time_derivative, variables,
};
use std::collections::BTreeSet;

/// A dependent variable of the array: `x'^order@instant`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    pub var: VarId,
    pub order: u32,
    pub instant: u32,
}

impl Cell {
    pub fn class(self) -> u32 {
        self.order + self.instant
    }
}

/// What a row of the array is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RowKind {
    /// `f'^order@instant` of an equation of the new mode.
    Equation {
        equation: usize,
        order: u32,
        instant: u32,
    },
    /// An equation that is enabled at the transient instant only.
    Instant { equation: usize },
    /// A law of the transient instant.
    Law { law: usize },
    /// `x'^m@k = ε⁻¹ (x'^(m−1)@(k+1) − x'^(m−1)@k)` for the cell `x'^m@k`.
    Euler(Cell),
}

/// Why a row is in the array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// A constraint of the new mode at the last instant.
    Tail,
    /// An equation of both modes.
    Invariant,
    /// An equation or law of the transient instant.
    Transient,
    /// An equation of the new mode before the last instant: enabled where it is needed.
    Optional,
    Euler,
}

/// A variable occurrence of the model, seen from a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Known as a left limit (or at all times, for inputs).
    Given(VarRef),
    Dependent(Cell),
}

/// One summand of a row: `ε^-eps · Π cell^exponent · …`.
#[derive(Clone, Debug)]
pub struct RowTerm {
    pub eps: i64,
    pub powers: Vec<(usize, Order)>,
    pub locked: Vec<usize>,
    /// Over left limits and `VarRef::now(base + column)`.
    pub expr: Expr,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub kind: RowKind,
    pub rank: Rank,
    pub terms: Vec<RowTerm>,
    /// The columns that occur, ascending.
    pub columns: Vec<usize>,
}

impl Row {
    /// The whole residual over left limits and columns, for rows without ε.
    pub fn residual(&self) -> Expr {
        Expr::sum(self.terms.iter().map(|term| term.expr.clone()))
    }
}

/// A finite array.
#[derive(Clone, Debug, Default)]
pub struct Array {
    pub rows: Vec<Row>,
    pub columns: Vec<Cell>,
}

/// A change with all that does not depend on heights.
pub struct Setting<'c> {
    pub change: &'c Change,
    pub before: ModeOffsets,
    pub after: ModeOffsets,
    /// Per equation of the new mode: the equation of the old mode with the same residual up to sign.
    pub invariant: Vec<Option<usize>>,
    /// Per equation of the new mode: whether it is enabled at the transient instant.
    pub at_instant: Vec<bool>,
    /// Equations of the transient instant that the new mode does not have.
    pub only_instant: Vec<ModeEquation>,
    /// Held variables that a law assigns.
    assigned: BTreeSet<VarId>,
    /// What laws reset, and what is tied to it.
    pub resets: Vec<VarRef>,
    /// The equations that tie it, each with the order in which it does.
    tied: Vec<(usize, u32)>,
    /// How many derivatives beyond those of its states the old mode and the new one give in the same way.
    rates: FxHashMap<VarId, u32>,
    /// Variables that become states, or get more derivatives as such: how many of their last values count as past.
    last_values: FxHashMap<VarId, u32>,
    /// `f'^m` by equation of the new mode.
    derivatives: Vec<Vec<Expr>>,
    terms: Vec<Vec<Terms>>,
    law_terms: Vec<Terms>,
    instant_terms: Vec<Terms>,
}

impl<'c> Setting<'c> {
    pub fn new(change: &'c Change, before: ModeOffsets, after: ModeOffsets) -> Self {
        let invariant = invariant_equations(&change.before, &change.restated, &change.after);
        let derivatives: Vec<Vec<Expr>> = change
            .after
            .iter()
            .zip(&after.c)
            .map(|(equation, &c)| derivatives(change, &equation.residual, c))
            .collect();
        let terms = derivatives
            .iter()
            .map(|list| list.iter().map(terms_of).collect())
            .collect();
        let instant: &[ModeEquation] = change
            .transient
            .as_ref()
            .map_or(&[], |transient| &transient.instant);
        let laws: &[Law] = change
            .transient
            .as_ref()
            .map_or(&[], |transient| &transient.laws);
        let shared = invariant_equations(instant, &[], &change.after);
        let at_instant = match change.transient {
            Some(_) => shared.iter().map(Option::is_some).collect(),
            None => vec![true; change.after.len()],
        };
        let in_after: BTreeSet<usize> = shared.into_iter().flatten().collect();
        let only_instant: Vec<ModeEquation> = (0..instant.len())
            .filter(|i| !in_after.contains(i))
            .map(|i| instant[i].clone())
            .collect();
        let ties = ties(change, &|_| true);
        let followers = ties.iter().map(|tie| tie.states[1]);
        let targets = laws.iter().filter_map(|law| law.reinit);
        Self {
            resets: targets.chain(followers).collect(),
            tied: ties.iter().map(|tie| (tie.equation, tie.order)).collect(),
            assigned: assigned_by(change, laws),
            rates: FxHashMap::default(),
            last_values: FxHashMap::default(),
            law_terms: laws.iter().map(|law| terms_of(&law.residual)).collect(),
            instant_terms: only_instant.iter().map(|e| terms_of(&e.residual)).collect(),
            change,
            before,
            after,
            invariant,
            at_instant,
            only_instant,
            derivatives,
            terms,
        }
    }

    pub fn laws(&self) -> &'c [Law] {
        self.change
            .transient
            .as_ref()
            .map_or(&[], |transient| &transient.laws)
    }

    /// `d⁻_x`, 0 for variables the old mode does not have.
    pub fn d_before(&self, var: VarId) -> u32 {
        self.before.d.get(&var).copied().unwrap_or(0)
    }

    pub fn d_after(&self, var: VarId) -> u32 {
        self.after.d.get(&var).copied().unwrap_or(0)
    }

    /// Whether the old mode has set a cell.
    pub fn is_past(&self, cell: Cell) -> bool {
        let more = |map: &FxHashMap<VarId, u32>| map.get(&cell.var).copied().unwrap_or(0);
        let known = self.d_before(cell.var) + more(&self.rates).max(more(&self.last_values));
        cell.class() < known && !self.is_reset(cell)
    }

    /// Whether `reinit` has moved a cell: its own state after the instant, and what that is integrated to. The rate of a
    /// position stays what it was.
    fn is_reset(&self, cell: Cell) -> bool {
        let moved = |reset: VarRef| {
            reset.var == cell.var && cell.order <= reset.order && cell.class() > reset.order
        };
        cell.instant > 0 && self.resets.iter().copied().any(moved)
    }

    /// Whether a state of the new mode was none before and starts from the last value that it had.
    pub fn starts_from_last_value(&self, state: VarRef) -> bool {
        state.order >= self.d_before(state.var) && self.last_values.contains_key(&state.var)
    }

    /// Takes the last values of variables for past that were no states and become some: the trajectory before the
    /// change had them. Whether there are any.
    pub fn know_last_values(&mut self) -> bool {
        let last = self.after.d.iter().filter_map(|(&var, &d)| {
            let before = *self.before.d.get(&var)?;
            (d > before).then(|| (var, d - before))
        });
        self.last_values = last.collect();
        !self.last_values.is_empty()
    }

    pub fn forget_last_values(&mut self) {
        self.last_values.clear();
    }

    /// Takes derivatives for past that an equation of both modes gives from what is past: with `der(x) = r*w`
    /// and a state `w` the position `x` one step later is known up to O(ε²). Whether there are any. Bounded sweeps
    /// of the equations.
    pub fn know_rates(&mut self) -> bool {
        const MOST: u32 = 4;
        let shared: BTreeSet<usize> = self.invariant.iter().flatten().copied().collect();
        let mut rates: FxHashMap<VarId, u32> = FxHashMap::default();
        let mut given: Vec<(VarId, usize)> = (self.before.equation_of.iter())
            .map(|(var, f)| (*var, *f))
            .filter(|(var, f)| shared.contains(f) && self.d_before(*var) > 0)
            .collect();
        given.sort_unstable();
        let leading = |&(var, f): &(VarId, usize)| {
            let residual = &self.change.before[f].residual;
            let all = derivatives(self.change, residual, self.before.c[f]);
            Some((var, variables(all.last()?)))
        };
        let given: Vec<(VarId, BTreeSet<VarRef>)> = given.iter().filter_map(leading).collect();
        for _ in 0..=MOST as usize * given.len() {
            let mut changed = false;
            for (var, occurring) in &given {
                let var = *var;
                let own = rates.get(&var).copied().unwrap_or(0);
                let known = |o: VarRef| match o.at {
                    At::Left => MOST,
                    At::Now if !self.change.is_unknown(o.var) => MOST,
                    At::Now if o.var == var && o.order == self.d_before(var) => MOST,
                    At::Now => {
                        let more = rates.get(&o.var).copied().unwrap_or(0);
                        (self.d_before(o.var) + more).saturating_sub(o.order)
                    }
                };
                let rate = occurring.iter().copied().map(known);
                let rate = rate.min().unwrap_or(0).min(MOST);
                if rate > own {
                    rates.insert(var, own + 1);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.rates = rates;
        !self.rates.is_empty()
    }

    /// The equation whose height is the height of `var`.
    pub fn equation_of(&self, var: VarId) -> Option<usize> {
        self.after.equation_of.get(&var).copied()
    }

    pub fn height_of(&self, heights: &[u32], var: VarId) -> u32 {
        self.equation_of(var).map_or(0, |f| heights[f])
    }

    /// The derivative `f'^m` of an equation of the new mode.
    pub fn derivative(&self, equation: usize, order: u32) -> &Expr {
        &self.derivatives[equation][order as usize]
    }

    /// Where an occurrence in an equation at `instant` is found.
    pub fn place(&self, occurrence: VarRef, instant: u32) -> Place {
        match self.change.role(occurrence.var) {
            _ if occurrence.at == At::Left => Place::Given(occurrence),
            Role::Known => Place::Given(occurrence),
            Role::Held if self.assigned.contains(&occurrence.var) => Place::Dependent(Cell {
                var: occurrence.var,
                order: 0,
                instant: 0,
            }),
            Role::Held => Place::Given(VarRef {
                at: At::Left,
                ..occurrence
            }),
            Role::Unknown | Role::Discrete
                if self.is_past(Cell {
                    var: occurrence.var,
                    order: occurrence.order,
                    instant,
                }) =>
            {
                Place::Given(VarRef {
                    at: At::Left,
                    ..occurrence
                })
            }
            Role::Unknown | Role::Discrete => Place::Dependent(Cell {
                var: occurrence.var,
                order: occurrence.order,
                instant,
            }),
        }
    }

    /// In a law, states of the new mode are right limits, other variables are taken at the instant.
    pub fn place_in_law(&self, occurrence: VarRef, heights: &[u32]) -> Place {
        let is_state = occurrence.order < self.d_after(occurrence.var);
        let instant = if is_state {
            self.height_of(heights, occurrence.var)
        } else {
            0
        };
        self.place(occurrence, instant)
    }

    /// The variables that begin at `base` in renamed expressions are the columns.
    pub fn base(&self) -> u32 {
        self.change.roles.len() as u32
    }

    /// Whether at the instant of the change a row would determine nothing but held variables: an equation
    /// over left limits does not say which values a law has to assign.
    fn constrains_assigned(&self, equation: usize, order: u32) -> bool {
        if self.assigned.is_empty() {
            return false;
        }
        let mut cells = variables(self.derivative(equation, order))
            .into_iter()
            .filter_map(|o| match self.place(o, 0) {
                Place::Dependent(cell) => Some(cell.var),
                Place::Given(_) => None,
            })
            .peekable();
        cells.peek().is_some() && cells.all(|var| self.assigned.contains(&var))
    }

    pub fn is_assigned(&self, var: VarId) -> bool {
        self.assigned.contains(&var)
    }
}

fn assigned_by(change: &Change, laws: &[Law]) -> BTreeSet<VarId> {
    let mut assigned = BTreeSet::new();
    for law in laws.iter().filter(|law| law.reinit.is_none()) {
        if let Some(target) = law.target {
            assigned.insert(target);
            continue;
        }
        for occurrence in variables(&law.residual) {
            if occurrence.at == At::Now && change.role(occurrence.var) == Role::Held {
                assigned.insert(occurrence.var);
            }
        }
    }
    assigned
}

/// `f, f', …, f'^n`.
pub fn derivatives(change: &Change, residual: &Expr, n: u32) -> Vec<Expr> {
    let mut list = vec![residual.clone()];
    for _ in 0..n {
        let next = time_derivative(&list[list.len() - 1], &mut |var| change.is_constant(var));
        list.push(next);
    }
    list
}

/// For every equation of `after` the one of `before` with the same residual up to a constant factor, as it is written or as it is
/// `restated`.
fn invariant_equations(
    before: &[ModeEquation],
    restated: &[Expr],
    after: &[ModeEquation],
) -> Vec<Option<usize>> {
    let mut by_source: FxHashMap<usize, usize> = FxHashMap::default();
    let mut by_residual: FxHashMap<&Expr, usize> = FxHashMap::default();
    for (i, equation) in before.iter().enumerate() {
        by_source.insert(equation.source, i);
        by_residual.entry(&equation.residual).or_insert(i);
    }
    for (i, residual) in restated.iter().enumerate() {
        by_residual.entry(residual).or_insert(i);
    }
    let same = |a: &Expr, b: &Expr| {
        a == b
            || equal_up_to_factor(
                a,
                b,
                Limits {
                    terms: 512,
                    power: 8,
                },
            )
            .unwrap_or(false)
    };
    after
        .iter()
        .map(|equation| {
            let exact = by_residual.get(&equation.residual).copied();
            exact.or_else(|| {
                let i = *by_source.get(&equation.source)?;
                same(&before[i].residual, &equation.residual).then_some(i)
            })
        })
        .collect()
}

/// Collects rows and columns for given heights.
pub struct Builder<'s, 'c> {
    setting: &'s Setting<'c>,
    heights: &'s [u32],
    columns: FxIndexMap<Cell, ()>,
    rows: Vec<Row>,
}

impl<'s, 'c> Builder<'s, 'c> {
    /// The array of the given heights, without the rows in `without`. O(size of the array).
    pub fn build(
        setting: &'s Setting<'c>,
        heights: &'s [u32],
        without: &BTreeSet<RowKind>,
    ) -> Array {
        let mut builder = Self {
            setting,
            heights,
            columns: FxIndexMap::default(),
            rows: Vec::new(),
        };
        for equation in 0..setting.change.after.len() {
            builder.equation(equation, without);
        }
        if setting.change.transient.is_some() {
            builder.transient(without);
        }
        builder.tail_states();
        let reinits: Vec<Cell> = builder.reinitialised();
        for euler in crate::euler::closure(setting, &mut builder.columns, &reinits) {
            builder.euler(euler);
        }
        Array {
            rows: builder.rows,
            columns: builder.columns.into_keys().collect(),
        }
    }

    /// At most one row per class: the tail one, else the invariant one, else the highest derivative.
    fn equation(&mut self, equation: usize, without: &BTreeSet<RowKind>) {
        let height = self.heights[equation];
        let c = self.setting.after.c[equation];
        let invariant = self.setting.invariant[equation];
        let transient = self.setting.change.transient.is_some();
        for class in 0..height + c {
            let (order, instant, rank) = if class >= height {
                (class - height, height, Rank::Tail)
            } else {
                // Classes below the leading one matter where the new mode has states that the old
                // one did not have; otherwise their rows are over the past and fall away.
                let order = match invariant {
                    Some(f) => self.setting.before.c[f].min(c),
                    None => c,
                }
                .min(class);
                let must = transient && class > order;
                let rank = if invariant.is_some() || must {
                    Rank::Invariant
                } else {
                    Rank::Optional
                };
                (order, class - order, rank)
            };
            if instant == 0 && !self.setting.at_instant[equation] {
                continue;
            }
            self.row(equation, order, instant, rank, without);
        }
        // A reset breaks the chain between a value and its rate: what ties values ties the rates before by itself.
        for &(own, order) in &self.setting.tied {
            let is_new = || {
                let kind = RowKind::Equation {
                    equation,
                    order: order + 1,
                    instant: 0,
                };
                !self.rows.iter().any(|row| row.kind == kind)
            };
            if own == equation && order < c && self.setting.at_instant[equation] && is_new() {
                self.row(equation, order + 1, 0, Rank::Invariant, without);
            }
        }
    }

    fn row(
        &mut self,
        equation: usize,
        order: u32,
        instant: u32,
        rank: Rank,
        without: &BTreeSet<RowKind>,
    ) {
        let kind = RowKind::Equation {
            equation,
            order,
            instant,
        };
        let setting = self.setting;
        let assigned = instant == 0 && setting.constrains_assigned(equation, order);
        if without.contains(&kind) || assigned {
            return;
        }
        let terms = &setting.terms[equation][order as usize];
        self.push(kind, rank, terms, |occurrence| {
            setting.place(occurrence, instant)
        });
    }

    fn transient(&mut self, without: &BTreeSet<RowKind>) {
        let setting = self.setting;
        for (i, terms) in setting.instant_terms.iter().enumerate() {
            let kind = RowKind::Instant { equation: i };
            if !without.contains(&kind) {
                self.push(kind, Rank::Transient, terms, |occurrence| {
                    setting.place(occurrence, 0)
                });
            }
        }
        for (i, terms) in setting.law_terms.iter().enumerate() {
            let kind = RowKind::Law { law: i };
            if !without.contains(&kind) {
                let heights = self.heights;
                self.push(kind, Rank::Transient, terms, |o| {
                    setting.place_in_law(o, heights)
                });
            }
        }
    }

    fn push(&mut self, kind: RowKind, rank: Rank, terms: &Terms, place: impl Fn(VarRef) -> Place) {
        let base = self.setting.base();
        let mut column = |occurrence: VarRef| match place(occurrence) {
            Place::Given(_) => None,
            Place::Dependent(cell) => Some(self.columns.insert_full(cell, ()).0),
        };
        let mut row_terms = Vec::with_capacity(terms.terms.len());
        for term in &terms.terms {
            let mut powers: Vec<(usize, Order)> = Vec::new();
            for (occurrence, exponent) in &term.powers {
                if let Some(column) = column(*occurrence) {
                    powers.push((column, *exponent));
                }
            }
            let mut locked: Vec<usize> = term.locked.iter().filter_map(|o| column(*o)).collect();
            locked.sort_unstable();
            locked.dedup();
            let expr = substitute(&term.expr, &mut |occurrence| {
                Some(match place(occurrence) {
                    Place::Given(given) => Expr::var_ref(given),
                    Place::Dependent(_) => {
                        let index = column(occurrence).unwrap_or_default();
                        Expr::var(VarId(base + index as u32))
                    }
                })
            });
            row_terms.push(RowTerm {
                eps: 0,
                powers,
                locked,
                expr,
            });
        }
        self.finish(kind, rank, row_terms);
    }

    fn finish(&mut self, kind: RowKind, rank: Rank, terms: Vec<RowTerm>) {
        let mut columns: Vec<usize> = terms
            .iter()
            .flat_map(|term| {
                term.powers
                    .iter()
                    .map(|p| p.0)
                    .chain(term.locked.iter().copied())
            })
            .collect();
        columns.sort_unstable();
        columns.dedup();
        self.rows.push(Row {
            kind,
            rank,
            terms,
            columns,
        });
    }

    /// The states of the new mode at their last instants are what the array is to determine.
    fn tail_states(&mut self) {
        let setting = self.setting;
        for equation in &setting.change.after {
            for occurrence in variables(&equation.residual) {
                let var = occurrence.var;
                if !setting.change.is_unknown(var) {
                    continue;
                }
                let instant = setting.height_of(self.heights, var);
                for order in 0..setting.d_after(var) {
                    let cell = Cell {
                        var,
                        order,
                        instant,
                    };
                    if !setting.is_past(cell) {
                        self.columns.insert(cell, ());
                    }
                }
            }
        }
    }

    /// The cells whose continuity a `reinit` replaces.
    fn reinitialised(&self) -> Vec<Cell> {
        let cell = |target: &VarRef| match self.setting.place_in_law(*target, self.heights) {
            Place::Dependent(cell) => Some(cell),
            Place::Given(_) => None,
        };
        self.setting.resets.iter().filter_map(cell).collect()
    }

    fn euler(&mut self, cell: Cell) {
        let lower = Cell {
            order: cell.order - 1,
            ..cell
        };
        let next = Cell {
            instant: cell.instant + 1,
            ..lower
        };
        let setting = self.setting;
        let mut terms = Vec::with_capacity(3);
        let sides = [(cell, 0, 1), (next, 1, -1), (lower, 1, 1)];
        for (side, eps, sign) in sides {
            let occurrence = VarRef::now(side.var, side.order);
            let (powers, leaf) = match setting.place(occurrence, side.instant) {
                Place::Given(given) => (Vec::new(), Expr::var_ref(given)),
                Place::Dependent(found) => {
                    let index = self.columns.insert_full(found, ()).0;
                    let var = VarId(setting.base() + index as u32);
                    (vec![(index, Order::from_integer(1))], Expr::var(var))
                }
            };
            let expr = if sign < 0 { leaf.neg() } else { leaf };
            terms.push(RowTerm {
                eps,
                powers,
                locked: Vec::new(),
                expr,
            });
        }
        self.finish(RowKind::Euler(cell), Rank::Euler, terms);
    }
}
