//! Restarts of linear changes, exactly.
//!
//! Where the equations of the new mode are linear in their unknowns, a restart has one meaning: around the
//! instant every variable is a smooth function before, another one after, and a sum of impulses
//! `x[0]·δ + x[1]·δ' + …` at the instant itself. Put into an equation `Σ a·x'^m = b`, the coefficients of
//! each δ^(j) must vanish: the coefficient of δ^(j) in `x'^m` is `x[j−m]`, or the jump of `x'^(m−1−j)` for `j < m`.
//! Together with the equations of the new mode and their derivatives at the right limits they determine all
//! jumps and impulses of a mode with a regular matrix pencil (Trenn, *Distributional differential algebraic
//! equations*); the right limits are those of the consistency projector and of implicit Euler steps.
//!
//! The arrays of [`mod@crate::array`] keep leading orders only, so that they find fewer restarts; they are what
//! nonlinear changes have. For linear ones what they found is held against this module: it is kept, with its
//! equations, where both agree, and replaced where they do not.
//!
//! A variable that was no state before has a left limit, too: the last value on the trajectory. What integrates its
//! derivative needs that value, and so does the variable itself where it becomes a state. The consistency projector, and
//! an implicit Euler step, take it as they take any other. [`Flag::AlgebraicBefore`] says where.
//!
//! Everything is decided by elimination modulo a large prime, with parameters at random values and left
//! limits at a random point that the mode before and the zero crossing allow. The probability of an error is
//! about 2⁻⁶⁰.

mod choose;
mod point;
mod rows;
mod same;

use crate::array::{Cell, RowKind, derivatives};
use crate::change::{Change, Role};
use crate::facts::{Past, Span, with_time};
use crate::sigma::ModeOffsets;
use crate::system::RestartSystem;
use crate::terms::Order;
use crate::verdict::{Analysis, Flag, Verdict};
use modeshift_algebra::{Row, Solution};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{At, Expr, Fp, Sample, VarId, VarRef, evaluate, substitute};
use point::random_point;
use rows::{Column, Rows};
use std::collections::{BTreeMap, BTreeSet};

/// Changes with more equations than this are left to the arrays.
const MAX_EQUATIONS: usize = 150;

/// Points that are tried before giving up: at some a division is not defined.
const SEEDS: u64 = 6;

/// What a linear change does, exactly.
pub(crate) struct Exact {
    pub verdict: Verdict,
    pub jumps: Vec<VarRef>,
    pub determined: Vec<VarRef>,
    pub undetermined: Vec<VarRef>,
    pub impulsive: BTreeMap<VarRef, Order>,
    pub conflict: Vec<RowKind>,
    pub flags: Vec<Flag>,
    pub system: RestartSystem,
    initial: bool,
    /// At the random point, by state and impulsive variable.
    values: FxHashMap<VarRef, Fp>,
    weights: FxHashMap<VarRef, Fp>,
    sample: Sample,
}

/// `None` for changes that are not linear. `regular` says whether the leading equations of the new mode determine its leading
/// variables.
pub(crate) fn exact(
    change: &Change,
    before: &ModeOffsets,
    after: &ModeOffsets,
    past: &Past<'_>,
    regular: bool,
) -> Option<Exact> {
    if change.after.len() > MAX_EQUATIONS || change.after.is_empty() {
        return None;
    }
    // Where the leading equations depend on each other, more derivatives say what they mean together.
    let extra = if regular {
        0
    } else {
        (change.after.len() as u32).min(8)
    };
    let rows = Rows::of(change, before, after, extra)?;
    let hypotheses = hypotheses(change, before, after);
    (0..SEEDS).find_map(|seed| {
        let point = random_point(&hypotheses, seed);
        let off_manifold = point.is_none();
        let sample = point.unwrap_or_else(|| Sample::new(seed));
        let solver = Solver::new(change, before, after, &rows, sample)?;
        let span = off_manifold.then(|| past.with(&solver.all_residuals()));
        solver.exact(span.as_ref())
    })
}

/// What holds before the change, over left limits.
fn hypotheses(change: &Change, before: &ModeOffsets, after: &ModeOffsets) -> Vec<Expr> {
    // Former algebraic variables are known with as many derivatives as they have now.
    let depth =
        |(var, d): (&VarId, &u32)| d.saturating_sub(before.d.get(var).copied().unwrap_or(0));
    let more = after.d.iter().map(depth).max().unwrap_or(0).max(1);
    let mut list = Vec::new();
    if !change.initial {
        for (i, equation) in change.before.iter().enumerate() {
            let c = before.c.get(i).copied().unwrap_or(0);
            list.extend(derivatives(change, &equation.residual, c + more));
        }
    }
    list.extend(change.crossings.iter().cloned());
    list.iter()
        .map(|expr| {
            substitute(expr, &mut |o| {
                let keep = o.at == At::Left || change.role(o.var) == Role::Known;
                (!keep).then(|| Expr::var_ref(VarRef { at: At::Left, ..o }))
            })
        })
        .collect()
}

struct Solver<'a> {
    change: &'a Change,
    before: &'a ModeOffsets,
    after: &'a ModeOffsets,
    rows: &'a Rows,
    sample: Sample,
    matrix: Vec<Row>,
    solution: Solution,
    /// Without the left limits of what was no state before; `None` where there are none.
    without: Option<Solution>,
}

impl<'a> Solver<'a> {
    /// `None` where the point is outside the domain of some function.
    fn new(
        change: &'a Change,
        before: &'a ModeOffsets,
        after: &'a ModeOffsets,
        rows: &'a Rows,
        sample: Sample,
    ) -> Option<Self> {
        let n = rows.columns.len();
        // Open left limits come last: they are what is free if anything is.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&column| match rows.columns.get_index(column) {
            Some((Column::Open(..), ())) => 1,
            _ => 0,
        });
        let mut place = vec![0; n];
        for (position, &column) in order.iter().enumerate() {
            place[column] = position;
        }
        let mut matrix = Vec::with_capacity(rows.rows.len());
        for row in &rows.rows {
            let terms = row.terms.iter().map(|(column, value)| (*column, value));
            let entries = terms.chain([(n, &row.constant)]);
            let value = |(column, value): (usize, &Expr)| {
                Some((column, evaluate(&with_time(value), &sample).ok()?))
            };
            matrix.push(entries.map(value).collect::<Option<Row>>()?);
        }
        let moved = |row: &Row| -> Row {
            let entries = row.entries().iter();
            entries
                .map(|&(column, value)| (place.get(column).copied().unwrap_or(n), value))
                .collect()
        };
        let open: Vec<Row> = rows
            .columns
            .keys()
            .enumerate()
            .filter_map(|(column, key)| match *key {
                Column::Open(var, order) if before.d.contains_key(&var) => {
                    let left = sample.get(VarRef::left(var, order));
                    Some(Row::from_iter([(column, Fp::ONE), (n, left.negated())]))
                }
                _ => None,
            })
            .collect();
        let without =
            (!open.is_empty()).then(|| Solution::of(matrix.iter().map(moved), n).renamed(&order));
        let all = matrix.iter().chain(&open).map(moved);
        let solution = Solution::of(all, n).renamed(&order);
        Some(Self {
            change,
            before,
            after,
            rows,
            sample,
            matrix,
            solution,
            without,
        })
    }

    fn base(&self) -> u32 {
        self.change.roles.len() as u32
    }

    fn symbol(&self, column: usize) -> Expr {
        Expr::var(VarId(self.base() + column as u32))
    }

    fn residual(&self, row: &rows::Row) -> Expr {
        let terms = row
            .terms
            .iter()
            .map(|(column, coefficient)| coefficient.mul(&self.symbol(*column)));
        Expr::sum(terms.chain([row.constant.clone()]))
    }

    fn all_residuals(&self) -> Vec<Expr> {
        self.rows
            .rows
            .iter()
            .map(|row| self.residual(row))
            .collect()
    }

    fn find(&self, column: Column) -> Option<usize> {
        self.rows.columns.get_index_of(&column)
    }

    /// Whether the column is zero for all left limits that can be.
    fn vanishes(&self, column: usize, span: Option<&Span>) -> bool {
        match (self.solution.value(column), span) {
            (Some(value), _) if value.is_zero() => true,
            (_, Some(span)) => span.contains(&self.symbol(column)),
            _ => false,
        }
    }

    /// Whether a state keeps the value it had.
    fn stays(&self, state: VarRef, column: usize, span: Option<&Span>) -> bool {
        let left = VarRef {
            at: At::Left,
            ..state
        };
        if !self.was_there(state.var) {
            return false;
        }
        match (self.solution.value(column), span) {
            (Some(value), None) => value == self.sample.get(left),
            (Some(value), Some(_)) if value == self.sample.get(left) => true,
            (_, Some(span)) => span.contains(&self.symbol(column).sub(&Expr::var_ref(left))),
            (None, None) => false,
        }
    }

    fn was_there(&self, var: VarId) -> bool {
        self.change.initial || self.before.d.contains_key(&var)
    }

    fn states(&self) -> Vec<VarRef> {
        let mut list: Vec<VarRef> = Vec::new();
        for (&var, &d) in &self.after.d {
            list.extend((0..d).map(|order| VarRef::now(var, order)));
        }
        list.sort_unstable();
        list
    }

    fn exact(&self, span: Option<&Span>) -> Option<Exact> {
        let mut exact = Exact {
            verdict: Verdict::Determined,
            jumps: Vec::new(),
            determined: Vec::new(),
            undetermined: Vec::new(),
            impulsive: BTreeMap::new(),
            conflict: Vec::new(),
            flags: Vec::new(),
            system: RestartSystem::default(),
            initial: self.change.initial,
            values: FxHashMap::default(),
            weights: FxHashMap::default(),
            sample: self.sample.clone(),
        };
        if !self.rows.is_regular(&self.sample) {
            return None;
        }
        if self.solution.is_contradictory() {
            // Off the manifold a contradiction may be one of the point alone. A law that is not among the consequences of the
            // equations takes the place of one; which one, the array says.
            if span.is_some() || self.rows.relating {
                return None;
            }
            exact.verdict = Verdict::Inconsistent;
            exact.conflict = self.conflict();
            let known = |state: &VarRef| self.was_there(state.var);
            (exact.determined, exact.undetermined) = self.states().into_iter().partition(known);
            return Some(exact);
        }
        let mut continuous: BTreeSet<VarRef> = BTreeSet::new();
        for state in self.states() {
            let column = self.find(Column::Right(state.var, state.order))?;
            if self.stays(state, column, span) {
                continuous.insert(state);
                exact.determined.push(state);
            } else if let Some(value) = self.solution.value(column) {
                exact.determined.push(state);
                exact.jumps.push(state);
                exact.values.insert(state, value);
            } else {
                exact.undetermined.push(state);
            }
        }
        let coefficients = self.impulses(&continuous, span, &mut exact);
        exact.flags = self.algebraic_before();
        if !exact.undetermined.is_empty() {
            exact.verdict = Verdict::Undetermined;
        }
        exact.system = self.system(&continuous, &coefficients, span, &exact)?;
        Some(exact)
    }

    fn is_past(&self, state: VarRef) -> bool {
        let offsets = if self.change.initial {
            self.after
        } else {
            self.before
        };
        offsets.d.get(&state.var).is_some_and(|&d| state.order < d)
    }

    /// States that were none before and whose value follows from the last one they had.
    fn algebraic_before(&self) -> Vec<Flag> {
        let Some(without) = &self.without else {
            return Vec::new();
        };
        let starts_from_own = |state: &VarRef| {
            let right = self.find(Column::Right(state.var, state.order));
            let own = self.find(Column::Open(state.var, state.order));
            match (right, own) {
                (Some(right), Some(own)) => without.depends_on(right).contains(&own),
                _ => false,
            }
        };
        let states = self.states().into_iter().filter(starts_from_own);
        states
            .map(|state| Flag::AlgebraicBefore { state })
            .collect()
    }

    /// The rows that take part in a contradiction: laws, and constraints of the new mode.
    fn conflict(&self) -> Vec<RowKind> {
        let constrains = |kind: &RowKind| match *kind {
            RowKind::Law { .. } => true,
            RowKind::Equation {
                equation, instant, ..
            } => instant > 0 && self.after.c[equation] > 0,
            _ => false,
        };
        let mut kinds: Vec<RowKind> = self.rows.rows.iter().map(|row| row.kind).collect();
        kinds.retain(constrains);
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The coefficient of δ^(j) in an occurrence.
    fn coefficient(&self, o: VarRef, j: u32) -> Coefficient {
        if j >= o.order {
            return match self.find(Column::Impulse(o.var, j - o.order)) {
                Some(column) => Coefficient::Column(column),
                None => Coefficient::Zero,
            };
        }
        Coefficient::Jump(VarRef::now(o.var, o.order - 1 - j))
    }

    /// Fills in the impulsive variables, and gives the coefficients of their highest δ^(j).
    fn impulses(
        &self,
        continuous: &BTreeSet<VarRef>,
        span: Option<&Span>,
        exact: &mut Exact,
    ) -> BTreeMap<VarRef, Coefficient> {
        let mut highest: BTreeMap<VarId, u32> = BTreeMap::new();
        for o in &self.rows.occurring {
            let order = highest.entry(o.var).or_insert(0);
            *order = (*order).max(o.order);
        }
        for (&var, &d) in &self.after.d {
            let order = highest.entry(var).or_insert(0);
            *order = (*order).max(d);
        }
        let depth = self.rows.columns.keys().filter_map(|column| match column {
            Column::Impulse(_, j) => Some(j + 1),
            _ => None,
        });
        let depth = depth.max().unwrap_or(0);
        let mut found = BTreeMap::new();
        for (&var, &top) in &highest {
            if self.change.role(var) != Role::Unknown {
                continue;
            }
            for order in 0..=top {
                let o = VarRef::now(var, order);
                let leading = (0..depth + order).rev().find_map(|j| {
                    let coefficient = self.coefficient(o, j);
                    let zero = match coefficient {
                        Coefficient::Zero => true,
                        Coefficient::Column(column) => self.vanishes(column, span),
                        Coefficient::Jump(state) => {
                            continuous.contains(&state) || self.replaced(state)
                        }
                    };
                    (!zero).then_some((j, coefficient))
                });
                let Some((j, coefficient)) = leading else {
                    continue;
                };
                exact
                    .impulsive
                    .insert(o, Order::from_integer(i64::from(j) + 1));
                if let Some(weight) = self.weight(coefficient) {
                    exact.weights.insert(o, weight);
                    found.insert(o, coefficient);
                }
            }
        }
        found
    }

    /// `reinit` moves a state without an impulse.
    fn replaced(&self, state: VarRef) -> bool {
        let replaced = self.find(Column::Replaced(state.var, state.order));
        let right = self.find(Column::Right(state.var, state.order));
        match (replaced, right) {
            (Some(from), Some(to)) => {
                let (from, to) = (self.solution.value(from), self.solution.value(to));
                from.is_some() && from == to
            }
            _ => self.is_reinitialised(state),
        }
    }

    fn is_reinitialised(&self, state: VarRef) -> bool {
        let laws = self.change.transient.iter().flat_map(|t| &t.laws);
        laws.filter_map(|law| law.reinit)
            .any(|target| target == state)
    }

    fn weight(&self, coefficient: Coefficient) -> Option<Fp> {
        match coefficient {
            Coefficient::Zero => Some(Fp::ZERO),
            Coefficient::Column(column) => self.solution.value(column),
            Coefficient::Jump(state) => {
                let right = self.find(Column::Right(state.var, state.order))?;
                let right = self.solution.value(right)?;
                let left = match self.find(Column::Replaced(state.var, state.order)) {
                    Some(replaced) => self.solution.value(replaced)?,
                    None if self.was_there(state.var) => {
                        self.sample.get(VarRef::left(state.var, state.order))
                    }
                    None => return None,
                };
                Some(right.minus(left))
            }
        }
    }
}

/// Where the coefficient of an impulse is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coefficient {
    Zero,
    Column(usize),
    /// The jump of this state.
    Jump(VarRef),
}

impl Exact {
    /// Puts what is exact in the place of what an array found. Its equations stay where they say the same.
    pub(crate) fn correct(self, analysis: &mut Analysis) {
        let agrees = analysis.verdict == Verdict::Determined
            && self.verdict == Verdict::Determined
            && analysis.impulsive == self.impulsive
            && self.same_states(analysis)
            && self.same_values(analysis);
        // Start values that constraints contradict were on no trajectory: beyond leading orders they mean nothing.
        let at_start = analysis.verdict == Verdict::Undetermined && self.initial;
        // Several good choices are one way of not being determined, and told in more detail.
        let told = analysis.verdict == Verdict::Ambiguous && self.verdict == Verdict::Undetermined;
        analysis.exact = !at_start && !told;
        if agrees || at_start || told {
            return;
        }
        if self.verdict == Verdict::Inconsistent {
            if analysis.verdict != Verdict::Inconsistent {
                analysis.conflict = self.conflict;
                analysis.verdict = Verdict::Inconsistent;
                analysis.system = RestartSystem::default();
            }
            return;
        }
        analysis.verdict = self.verdict;
        analysis.jumps = self.jumps;
        analysis.determined = self.determined;
        analysis.undetermined = self.undetermined;
        analysis.impulsive = self.impulsive;
        analysis.conflict = Vec::new();
        analysis.rivals = Vec::new();
        analysis.nonlinear = Vec::new();
        analysis.open = Vec::new();
        analysis.flags = self.flags;
        analysis.system = self.system;
        analysis.heights = Vec::new();
    }

    fn same_states(&self, analysis: &Analysis) -> bool {
        let set = |list: &[VarRef]| list.iter().copied().collect::<BTreeSet<_>>();
        analysis.undetermined.is_empty()
            && set(&analysis.jumps) == set(&self.jumps)
            && set(&analysis.determined) == set(&self.determined)
    }

    /// Whether the equations of an array give the same numbers at the random point.
    fn same_values(&self, analysis: &Analysis) -> bool {
        let Some(values) = choose::solve(&analysis.system, &self.sample) else {
            return false;
        };
        let (right, weights) = choose::told(&analysis.system, &values);
        let left = |o: &VarRef| self.sample.get(VarRef { at: At::Left, ..*o });
        let jump = |o: &VarRef| {
            let told = right.get(o).copied().unwrap_or_else(|| left(o));
            self.values.get(o) == Some(&told)
        };
        let stays = |(o, told): (&VarRef, &Fp)| {
            self.values.contains_key(o) || !self.determined.contains(o) || *told == left(o)
        };
        let weighs = |o: &VarRef| {
            weights
                .get(o)
                .is_some_and(|w| self.weights.get(o) == Some(w))
        };
        self.jumps.iter().all(jump) && right.iter().all(stays) && self.impulsive.keys().all(weighs)
    }
}

/// The place of a weight or right limit in a restart system.
fn cell(o: VarRef) -> Cell {
    Cell {
        var: o.var,
        order: o.order,
        instant: 0,
    }
}
