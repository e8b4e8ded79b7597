//! The equations of a restart among distributions: what the model says about right limits and about the
//! coefficients of δ, δ', δ'', …

use super::same::{Same, Statement, same_as};
use crate::array::RowKind;
use crate::change::{Change, Role};
use crate::sigma::ModeOffsets;
use modeshift_algebra::Echelon;
use modeshift_base::FxIndexMap;
use modeshift_mdae::sym::{
    At, Expr, Sample, VarId, VarRef, evaluate, partial, substitute, time_derivative, variables,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many derivatives of the equations of both modes are asked for what they make one state.
const MAX_DERIVATIVES: u32 = 8;

/// An unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Column {
    /// `x'^m` right after the change.
    Right(VarId, u32),
    /// The coefficient of δ^(j) in `x`.
    Impulse(VarId, u32),
    /// The value that `reinit` puts in the place of the left limit of `x'^m`.
    Replaced(VarId, u32),
    /// The left limit of `x'^m`, which was no state before.
    Open(VarId, u32),
}

/// `Σ coefficient · column + constant = 0`.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub kind: RowKind,
    /// Coefficients of impulses come before values in what is shown.
    pub of_impulse: bool,
    pub terms: Vec<(usize, Expr)>,
    /// Over left limits and what is known at all times.
    pub constant: Expr,
}

/// `Σ coefficient · occurrence + rest`, with what is known in the coefficients.
struct Linear {
    terms: Vec<(VarRef, Expr)>,
    rest: Expr,
}

/// All rows of a change whose equations are linear in their unknowns.
pub(super) struct Rows {
    pub columns: FxIndexMap<Column, ()>,
    pub rows: Vec<Row>,
    /// The occurrences in the equations of the new mode.
    pub occurring: BTreeSet<VarRef>,
    /// Whether a law relates states of the new mode to each other. Such a law may take the place of an equation.
    pub relating: bool,
    equations: Vec<Linear>,
}

impl Rows {
    /// `None` where an equation or a law is not linear, or a law reads what is no state of the new mode.
    pub(super) fn of(
        change: &Change,
        before: &ModeOffsets,
        after: &ModeOffsets,
        extra: u32,
    ) -> Option<Self> {
        let builder = Builder::new(change, before, after)?;
        builder.build(extra)
    }

    /// Whether the matrix pencil of the new mode is regular: its determinant is no zero polynomial.
    pub(super) fn is_regular(&self, sample: &Sample) -> bool {
        let n = self.equations.len();
        let mut vars: FxIndexMap<VarId, ()> = FxIndexMap::default();
        let point = sample.get(VarRef::now(VarId(u32::MAX), 0));
        let mut echelon = Echelon::default();
        for equation in &self.equations {
            let mut row = Vec::with_capacity(equation.terms.len());
            for (o, coefficient) in &equation.terms {
                let column = vars.insert_full(o.var, ()).0;
                let Ok(value) = evaluate(coefficient, sample) else {
                    return false;
                };
                let value = value.times(point.to_the(u64::from(o.order)));
                row.push((column, value));
            }
            echelon.insert(row.into_iter().collect());
        }
        echelon.rank() == n
    }
}

struct Builder<'c> {
    change: &'c Change,
    before: &'c ModeOffsets,
    after: &'c ModeOffsets,
    assigned: BTreeSet<VarId>,
    /// States that laws reset, and what is tied to them.
    reinits: BTreeSet<VarRef>,
    ties: Vec<Same>,
    /// Whether a law relates states of the new mode to each other.
    relating: bool,
    equations: Vec<Linear>,
    columns: FxIndexMap<Column, ()>,
    rows: Vec<Row>,
    /// Impulses have coefficients of δ^(j) for `j` below this.
    depth: u32,
}

impl<'c> Builder<'c> {
    fn new(change: &'c Change, before: &'c ModeOffsets, after: &'c ModeOffsets) -> Option<Self> {
        let laws = change.transient.iter().flat_map(|t| &t.laws);
        let mut assigned = BTreeSet::new();
        let mut reinits = BTreeSet::new();
        let mut relating = false;
        for law in laws {
            match law.reinit {
                Some(target) => {
                    reinits.insert(target);
                }
                None => {
                    let now = variables(&law.residual)
                        .into_iter()
                        .filter(|o| o.at == At::Now && change.role(o.var) != Role::Known);
                    for o in now {
                        let is_state = || after.d.get(&o.var).is_some_and(|&d| o.order < d);
                        match change.role(o.var) {
                            Role::Held => {
                                assigned.insert(o.var);
                            }
                            // What a law says about other variables holds at the instant itself, not after it.
                            Role::Unknown if is_state() => relating = true,
                            _ => return None,
                        }
                    }
                }
            }
        }
        let mut builder = Self {
            change,
            before,
            after,
            assigned,
            reinits,
            ties: Vec::new(),
            relating,
            equations: Vec::new(),
            columns: FxIndexMap::default(),
            rows: Vec::new(),
            depth: 0,
        };
        if !builder.has_one_mode_after() {
            return None;
        }
        for equation in &change.after {
            let linear = builder.linear(&equation.residual)?;
            builder.equations.push(linear);
        }
        builder.tie();
        Some(builder)
    }

    /// What the equations of both modes make the same state as one that a law resets is reset with it.
    fn tie(&mut self) {
        if self.reinits.is_empty() {
            return;
        }
        let after = &self.change.after;
        let place = |source: usize| after.iter().position(|it| it.source == source);
        let shared = self.change.transient.iter().flat_map(|it| &it.shared);
        let shared: Vec<(usize, Linear)> = shared
            .filter_map(|it| Some((place(it.source)?, self.linear(&it.residual)?)))
            .collect();
        let depth = (shared.len() as u32).min(MAX_DERIVATIVES);
        let statements: Vec<Statement> = shared
            .iter()
            .flat_map(|it| (0..=depth).map(move |order| (it, order)))
            .map(|((i, equation), order)| self.differentiated(*i, equation, order))
            .collect();
        // Values that a rate is the rate of have left limits that matter.
        let mut states: BTreeSet<VarRef> = self.reinits.clone();
        for (o, _) in self.equations.iter().flat_map(|equation| &equation.terms) {
            if !self.change.is_constant(o.var) {
                states.extend((0..o.order).map(|order| VarRef::now(o.var, order)));
            }
        }
        let targets = self.reinits.clone();
        for (i, &target) in targets.iter().enumerate() {
            for same in same_as(target, &states, &statements) {
                let other = same.terms[1].0;
                // Two that are reset are compared once, and what follows several follows the first.
                let known = targets.iter().take(i).any(|it| *it == other)
                    || !targets.contains(&other) && self.reinits.contains(&other);
                if !known {
                    self.reinits.insert(other);
                    self.ties.push(same);
                }
            }
        }
    }

    /// The values in the place of left limits satisfy what makes them one state.
    fn tie_rows(&mut self) {
        for same in std::mem::take(&mut self.ties) {
            let (equation, order) = same.equation;
            let terms = same.terms.map(|(state, factor)| {
                let column = Column::Replaced(state.var, state.order);
                (self.column(column), factor)
            });
            self.push(Row {
                kind: RowKind::Equation {
                    equation,
                    order,
                    instant: 0,
                },
                of_impulse: false,
                terms: terms.into(),
                constant: same.rest,
            });
        }
    }

    /// Whether the instant has the equations of the mode after.
    fn has_one_mode_after(&self) -> bool {
        let Some(transient) = &self.change.transient else {
            return true;
        };
        let after = &self.change.after;
        transient.instant.len() == after.len()
            && transient
                .instant
                .iter()
                .zip(after)
                .all(|(a, b)| a.source == b.source && a.residual == b.residual)
    }

    fn is_unknown(&self, o: VarRef) -> bool {
        o.at == At::Now
            && match self.change.role(o.var) {
                Role::Unknown | Role::Discrete => true,
                Role::Held => self.assigned.contains(&o.var),
                Role::Known => false,
            }
    }

    /// What is held keeps the value it had.
    fn known(&self, expr: &Expr) -> Expr {
        substitute(expr, &mut |o| {
            let held = o.at == At::Now
                && self.change.role(o.var) == Role::Held
                && !self.assigned.contains(&o.var);
            held.then(|| Expr::var_ref(VarRef { at: At::Left, ..o }))
        })
    }

    fn linear(&self, residual: &Expr) -> Option<Linear> {
        let occurring = variables(residual);
        let moves = |o: &VarRef| o.at == At::Left && self.change.role(o.var) == Role::Unknown;
        if occurring.iter().any(moves) {
            return None;
        }
        let mut terms = Vec::new();
        for &o in occurring.iter().filter(|o| self.is_unknown(**o)) {
            let coefficient = partial(residual, o);
            if variables(&coefficient)
                .into_iter()
                .any(|o| self.is_unknown(o))
            {
                return None;
            }
            terms.push((o, coefficient));
        }
        let rest = substitute(residual, &mut |o| self.is_unknown(o).then(Expr::zero));
        // Functions without a slope, such as `floor`, are found out at a random point.
        let sum = terms
            .iter()
            .map(|(o, coefficient)| coefficient.mul(&Expr::var_ref(*o)))
            .chain([rest.clone()]);
        let difference = residual.sub(&Expr::sum(sum));
        let same = (0..4).find_map(|seed| evaluate(&difference, &Sample::new(seed)).ok())?;
        if !same.is_zero() {
            return None;
        }
        let terms = terms
            .into_iter()
            .map(|(o, coefficient)| (o, self.known(&coefficient)))
            .filter(|(_, coefficient)| !coefficient.is_zero())
            .collect();
        Some(Linear {
            terms,
            rest: self.known(&rest),
        })
    }

    fn build(mut self, extra: u32) -> Option<Rows> {
        let deepest = self.after.c.iter().copied().max().unwrap_or(0);
        self.depth = deepest + extra;
        let equations = std::mem::take(&mut self.equations);
        for (i, equation) in equations.iter().enumerate() {
            let highest = equation.terms.iter().map(|(o, _)| o.order).max();
            for j in 0..self.depth + highest.unwrap_or(0) {
                self.impulse_row(i, equation, j);
            }
        }
        let extra = extra.max(self.read_by_laws());
        for (i, equation) in equations.iter().enumerate() {
            for order in 0..=self.after.c[i] + extra {
                self.value_row(i, equation, order);
            }
        }
        self.laws()?;
        self.tie_rows();
        let occurring = equations.iter().flat_map(|e| e.terms.iter().map(|t| t.0));
        Some(Rows {
            occurring: occurring.collect(),
            columns: self.columns,
            rows: self.rows,
            relating: self.relating,
            equations,
        })
    }

    /// How many derivatives beyond the leading ones laws speak of: with `x = 0` and `der(x) = v` the mode has no state, but
    /// what `reinit(v, 1)` says is said about it.
    fn read_by_laws(&self) -> u32 {
        let laws = self.change.transient.iter().flat_map(|t| &t.laws);
        let beyond = |o: VarRef| match self.after.d.get(&o.var) {
            Some(&d) if self.is_unknown(o) => o.order.saturating_sub(d),
            _ => 0,
        };
        let all = laws.flat_map(|law| variables(&law.residual));
        all.map(beyond).max().unwrap_or(0)
    }

    fn column(&mut self, column: Column) -> usize {
        self.columns.insert_full(column, ()).0
    }

    fn derivative(&self, expr: &Expr) -> Expr {
        time_derivative(expr, &mut |var| self.change.is_constant(var))
    }

    /// The coefficient of δ^(j) in an equation: a smooth coefficient `a` before δ^(k) gives
    /// `(−1)^i·C(k, i)·a'^i` before δ^(k−i).
    fn impulse_row(&mut self, index: usize, equation: &Linear, j: u32) {
        let mut row = Row {
            kind: RowKind::Equation {
                equation: index,
                order: 0,
                instant: 0,
            },
            of_impulse: true,
            terms: Vec::new(),
            constant: Expr::zero(),
        };
        let mut constant = Vec::new();
        for (o, coefficient) in &equation.terms {
            if self.change.is_constant(o.var) {
                continue;
            }
            let mut slope = coefficient.clone();
            for k in j..self.depth + o.order {
                if slope.is_zero() {
                    break;
                }
                let i = k - j;
                let binomial = binomial(k, i) * if i.is_multiple_of(2) { 1 } else { -1 };
                let factor = slope.mul(&Expr::int(binomial));
                self.delta(*o, k, &factor, &mut row.terms, &mut constant);
                slope = self.derivative(&slope);
            }
        }
        row.constant = Expr::sum(constant);
        self.push(row);
    }

    /// `factor` times the coefficient of δ^(j) in an occurrence: that of δ^(j−m) in its variable, or a jump.
    fn delta(
        &mut self,
        o: VarRef,
        j: u32,
        factor: &Expr,
        terms: &mut Vec<(usize, Expr)>,
        constant: &mut Vec<Expr>,
    ) {
        if j >= o.order {
            let column = self.column(Column::Impulse(o.var, j - o.order));
            terms.push((column, factor.clone()));
            return;
        }
        let order = o.order - 1 - j;
        let right = self.column(Column::Right(o.var, order));
        terms.push((right, factor.clone()));
        let state = VarRef::now(o.var, order);
        if self.reinits.contains(&state) {
            let column = self.column(Column::Replaced(o.var, order));
            terms.push((column, factor.neg()));
        } else if self.is_past(state) {
            constant.push(factor.neg().mul(&Expr::var_ref(VarRef::left(o.var, order))));
        } else {
            let column = self.column(Column::Open(o.var, order));
            terms.push((column, factor.neg()));
        }
    }

    fn is_past(&self, state: VarRef) -> bool {
        let offsets = if self.change.initial {
            self.after
        } else {
            self.before
        };
        offsets.d.get(&state.var).is_some_and(|&d| state.order < d)
    }

    /// The `n`-th derivative of an equation.
    fn differentiated(&self, index: usize, equation: &Linear, n: u32) -> Statement {
        let mut rest = equation.rest.clone();
        for _ in 0..n {
            rest = self.derivative(&rest);
        }
        let mut terms: BTreeMap<VarRef, Vec<Expr>> = BTreeMap::new();
        for (o, coefficient) in &equation.terms {
            let constant = self.change.is_constant(o.var);
            let mut slope = coefficient.clone();
            for k in 0..=n {
                if slope.is_zero() {
                    break;
                }
                if !constant || k == n {
                    let derivative = VarRef::now(o.var, o.order + n - k);
                    let factor = slope.mul(&Expr::int(binomial(n, k)));
                    terms.entry(derivative).or_default().push(factor);
                }
                slope = self.derivative(&slope);
            }
        }
        let sum = |(o, list): (VarRef, Vec<Expr>)| (o, Expr::sum(list));
        Statement {
            equation: (index, n),
            terms: terms.into_iter().map(sum).collect(),
            rest,
        }
    }

    /// The `n`-th derivative of an equation right after the change.
    fn value_row(&mut self, index: usize, equation: &Linear, n: u32) {
        let found = self.differentiated(index, equation, n);
        let column = |(o, factor): (VarRef, Expr)| {
            let column = Column::Right(o.var, o.order);
            (self.columns.insert_full(column, ()).0, factor)
        };
        let terms = found.terms.into_iter().map(column).collect();
        self.push(Row {
            kind: RowKind::Equation {
                equation: index,
                order: n,
                instant: 1,
            },
            of_impulse: false,
            terms,
            constant: found.rest,
        });
    }

    fn laws(&mut self) -> Option<()> {
        let change = self.change;
        let laws = change.transient.iter().flat_map(|t| &t.laws);
        for (law, found) in laws.enumerate() {
            let linear = self.law(&found.residual)?;
            let mut terms = Vec::new();
            for (o, coefficient) in linear.terms {
                terms.push((self.column(Column::Right(o.var, o.order)), coefficient));
            }
            self.push(Row {
                kind: RowKind::Law { law },
                of_impulse: false,
                terms,
                constant: linear.rest,
            });
        }
        Some(())
    }

    /// As [`Self::linear`], with left limits.
    fn law(&self, residual: &Expr) -> Option<Linear> {
        let mut terms = Vec::new();
        for o in variables(residual)
            .into_iter()
            .filter(|o| self.is_unknown(*o))
        {
            let coefficient = partial(residual, o);
            if variables(&coefficient)
                .into_iter()
                .any(|o| self.is_unknown(o))
            {
                return None;
            }
            terms.push((o, self.known(&coefficient)));
        }
        let rest = substitute(residual, &mut |o| self.is_unknown(o).then(Expr::zero));
        Some(Linear {
            terms,
            rest: self.known(&rest),
        })
    }

    fn push(&mut self, mut row: Row) {
        let mut joined: FxIndexMap<usize, Vec<Expr>> = FxIndexMap::default();
        for (column, coefficient) in row.terms {
            joined.entry(column).or_default().push(coefficient);
        }
        let terms = joined
            .into_iter()
            .map(|(column, list)| (column, Expr::sum(list)));
        row.terms = terms.filter(|(_, factor)| !factor.is_zero()).collect();
        if !row.terms.is_empty() || !row.constant.is_zero() {
            self.rows.push(row);
        }
    }
}

fn binomial(n: u32, k: u32) -> i64 {
    (0..i64::from(k)).fold(1, |product, i| product * (i64::from(n) - i) / (i + 1))
}
