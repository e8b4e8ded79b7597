//! Heights: for how many instants each equation is stacked.
//!
//! Every equation starts at height 0 (1 through a transient instant) and grows where the array shows a
//! need: constraints over the past that do not hold, rows that are too many, variables at an instant that
//! lacks their equation, impulses that reach beyond the last instant or into equations that are not
//! stacked there. Independent parts of a model keep independent heights. The bound is that of RR-9603,
//! Theorem 2: no good solution lies beyond it.

use crate::array::{Array, Builder, Cell, Place, Rank, Row, RowKind, Setting};
use crate::facts::{Past, Reason};
use crate::matching::{Incidence, Matching};
use crate::rescale::{Orders, orders};
use modeshift_mdae::sym::{At, Expr, substitute, variables};
use num_traits::Signed as _;
use std::collections::BTreeSet;

/// An array of the right height with its matching and orders.
#[derive(Clone, Debug)]
pub struct Stack {
    pub heights: Vec<u32>,
    pub array: Array,
    /// Rows that take part, all matched.
    pub enabled: Vec<usize>,
    /// Rows of the new mode that were not needed.
    pub dropped: Vec<usize>,
    pub facts: Vec<(RowKind, Reason)>,
    /// Laws that follow from the constraints of the new mode.
    pub redundant: Vec<RowKind>,
    /// Rows that cannot be reconciled, with what they conflict with.
    pub conflict: Vec<RowKind>,
    /// Columns that no row determines.
    pub free: Vec<usize>,
    /// `None` where rows conflict or orders are unbounded.
    pub orders: Option<Orders>,
}

/// Stacks the array until nothing asks for more. At most `K* · equations` rounds, each linear in the
/// array apart from matching and entailment.
pub fn stack(setting: &Setting<'_>, past: &Past<'_>) -> Stack {
    let transient = setting.change.transient.is_some();
    let mut growth = Growth {
        setting,
        heights: vec![u32::from(transient); setting.change.after.len()],
        bound: bound(setting, past).max(u32::from(transient)),
    };
    loop {
        let round = Round::new(setting, past, &growth.heights);
        if round.conflicts(&mut growth) {
            continue;
        }
        if !round.conflict.is_empty() {
            return round.finish(growth.heights, None);
        }
        if round.lacks_equations(&mut growth) || round.drops_equations(&mut growth) {
            continue;
        }
        let solved = orders(&round.array, &round.enabled).ok();
        if let Some(found) = &solved
            && growth.follow_impulses(&round.array, found)
        {
            continue;
        }
        return round.finish(growth.heights, solved);
    }
}

/// `K* = max(c_f − leading facts) + max(0, max(d⁻ − d))`.
fn bound(setting: &Setting<'_>, past: &Past<'_>) -> u32 {
    let constraints = (0..setting.change.after.len()).map(|equation| {
        let c = setting.after.c[equation];
        let facts = (0..c)
            .take_while(|&order| is_fact(setting, past, equation, order))
            .count();
        c - facts as u32
    });
    let lost = setting
        .after
        .d
        .iter()
        .map(|(&var, &d)| setting.d_before(var).saturating_sub(d))
        .max()
        .unwrap_or(0);
    constraints.max().unwrap_or(0) + lost
}

fn is_fact(setting: &Setting<'_>, past: &Past<'_>, equation: usize, order: u32) -> bool {
    let residual = setting.derivative(equation, order);
    let all_past = variables(residual).into_iter().all(|o| {
        let cell = Cell {
            var: o.var,
            order: o.order,
            instant: 0,
        };
        o.at == At::Left || !setting.change.is_unknown(o.var) || setting.is_past(cell)
    });
    if !all_past {
        return false;
    }
    past.reason(&at_left(setting, residual, 0)).is_some()
}

/// An equation over the past, in left limits.
fn at_left(setting: &Setting<'_>, residual: &Expr, instant: u32) -> Expr {
    substitute(residual, &mut |o| match setting.place(o, instant) {
        Place::Given(known) if known != o => Some(Expr::var_ref(known)),
        _ => None,
    })
}

/// Heights under construction.
struct Growth<'s, 'c> {
    setting: &'s Setting<'c>,
    heights: Vec<u32>,
    bound: u32,
}

impl Growth<'_, '_> {
    fn raise(&mut self, equation: usize, to: u32) -> bool {
        let grows = self.heights[equation] < to && to <= self.bound;
        if grows {
            self.heights[equation] = to;
        }
        grows
    }

    /// Impulses at the last instant, and impulses read by equations that are not stacked there.
    fn follow_impulses(&mut self, array: &Array, orders: &Orders) -> bool {
        let impulsive: BTreeSet<Cell> = array
            .columns
            .iter()
            .zip(&orders.variable)
            .filter(|(_, order)| order.is_positive())
            .map(|(cell, _)| *cell)
            .collect();
        if impulsive.is_empty() {
            return false;
        }
        let mut grown = false;
        for cell in &impulsive {
            let var = cell.var;
            if let Some(equation) = self.setting.equation_of(var)
                && cell.order == self.setting.d_after(var)
                && cell.instant == self.heights[equation]
            {
                grown |= self.raise(equation, cell.instant + 1);
            }
        }
        let last = impulsive.iter().map(|cell| cell.instant).max().unwrap_or(0);
        for equation in 0..self.setting.change.after.len() {
            let c = self.setting.after.c[equation];
            for instant in (self.heights[equation]..=last).rev() {
                let first = if instant == self.heights[equation] {
                    c
                } else {
                    0
                };
                let reads = (first..=c).any(|order| {
                    variables(self.setting.derivative(equation, order))
                        .into_iter()
                        .any(|o| {
                            o.at == At::Now
                                && impulsive.contains(&Cell {
                                    var: o.var,
                                    order: o.order,
                                    instant,
                                })
                        })
                });
                if reads {
                    grown |= self.raise(equation, instant + 1);
                    break;
                }
            }
        }
        grown
    }
}

/// One array with its rows sorted into what takes part and what does not.
struct Round<'s, 'c> {
    setting: &'s Setting<'c>,
    array: Array,
    graph: Incidence,
    matching: Matching,
    enabled: Vec<usize>,
    dropped: Vec<usize>,
    facts: Vec<(RowKind, Reason)>,
    redundant: Vec<RowKind>,
    conflict: Vec<RowKind>,
}

impl<'s, 'c> Round<'s, 'c> {
    fn new(setting: &'s Setting<'c>, past: &Past<'_>, heights: &[u32]) -> Self {
        let array = Builder::build(setting, heights, &BTreeSet::new());
        let mut out = vec![false; array.rows.len()];
        let mut sorted = Self {
            setting,
            graph: Incidence::default(),
            matching: Matching {
                column_of: Vec::new(),
                row_of: Vec::new(),
            },
            array,
            enabled: Vec::new(),
            dropped: Vec::new(),
            facts: Vec::new(),
            redundant: Vec::new(),
            conflict: Vec::new(),
        };
        sorted.facts_over_the_past(past, &mut out);
        sorted.redundant_laws(past, &mut out);
        sorted.graph = Incidence {
            rows: sorted
                .array
                .rows
                .iter()
                .map(|row| row.columns.clone())
                .collect(),
            n_columns: sorted.array.columns.len(),
        };
        sorted.derived_facts(past, &mut out);
        sorted.match_rows(&out);
        sorted
    }

    fn facts_over_the_past(&mut self, past: &Past<'_>, out: &mut [bool]) {
        for (i, row) in self.array.rows.iter().enumerate() {
            if !row.columns.is_empty() {
                continue;
            }
            out[i] = true;
            if row.rank == Rank::Optional {
                continue;
            }
            // As the equation is written it is found without being multiplied out.
            let residual = match row.kind {
                RowKind::Equation {
                    equation,
                    order,
                    instant,
                } => {
                    let derivative = self.setting.derivative(equation, order);
                    at_left(self.setting, derivative, instant)
                }
                _ => row.residual(),
            };
            match past.reason(&residual) {
                Some(reason) => self.facts.push((row.kind, reason)),
                // What the old mode guarantees may lie beyond the entailment we can decide, but an
                // equation that both modes have holds before the change.
                None if row.rank == Rank::Invariant => {
                    self.facts.push((row.kind, Reason::PreviousMode));
                }
                None => self.conflict.push(row.kind),
            }
        }
    }

    /// Laws that follow from the constraints of the new mode, the left limits and earlier laws.
    fn redundant_laws(&mut self, past: &Past<'_>, out: &mut [bool]) {
        if self.setting.laws().is_empty() {
            return;
        }
        let mut known: Vec<Expr> = self
            .array
            .rows
            .iter()
            .filter(|row| row.rank == Rank::Tail && !row.columns.is_empty())
            .map(Row::residual)
            .collect();
        for (row, out) in self.array.rows.iter().zip(out) {
            let RowKind::Law { law } = row.kind else {
                continue;
            };
            if *out || self.setting.laws()[law].reinit.is_some() {
                continue;
            }
            let residual = row.residual();
            if past.entails(&known, &residual) {
                *out = true;
                self.redundant.push(row.kind);
            } else {
                known.push(residual);
            }
        }
    }

    /// Constraints of the new mode that follow from the other rows of an over-determined set (without
    /// Euler identities) and the left limits.
    fn derived_facts(&mut self, past: &Past<'_>, out: &mut [bool]) {
        let must = |row: &Row| !matches!(row.rank, Rank::Euler | Rank::Optional);
        loop {
            let rows: Vec<usize> = (0..self.array.rows.len())
                .filter(|&i| !out[i] && must(&self.array.rows[i]))
                .collect();
            let matching = Matching::of(&self.graph, rows.iter().copied());
            let over = matching.over_part(&self.graph, rows.iter().copied());
            let tail = over.iter().rev().copied().find(|&i| {
                if self.array.rows[i].rank != Rank::Tail {
                    return false;
                }
                let others: Vec<Expr> = over
                    .iter()
                    .filter(|&&j| j != i)
                    .map(|&j| self.array.rows[j].residual())
                    .collect();
                past.entails(&others, &self.array.rows[i].residual())
            });
            let Some(tail) = tail else { return };
            out[tail] = true;
            self.facts
                .push((self.array.rows[tail].kind, Reason::Derived));
        }
    }

    fn match_rows(&mut self, out: &[bool]) {
        let rows = &self.array.rows;
        let must: Vec<usize> = (0..rows.len())
            .filter(|&i| !out[i] && rows[i].rank != Rank::Optional)
            .collect();
        self.matching = Matching::of(&self.graph, must.iter().copied());
        let over = self.matching.over_part(&self.graph, must.iter().copied());
        self.conflict.extend(over.iter().map(|&i| rows[i].kind));
        let mut optional: Vec<usize> = (0..rows.len())
            .filter(|&i| !out[i] && rows[i].rank == Rank::Optional)
            .collect();
        optional.sort_by_key(|&i| instant_of(rows[i].kind));
        for &row in &optional {
            if !self.matching.augment(&self.graph, row) {
                self.dropped.push(row);
            }
        }
        self.enabled = (0..rows.len())
            .filter(|&i| self.matching.column_of[i].is_some())
            .collect();
    }

    /// Raises the equations of rows that are too many; whether any could grow.
    fn conflicts(&self, growth: &mut Growth<'_, '_>) -> bool {
        let mut grown = false;
        for kind in &self.conflict {
            match *kind {
                RowKind::Equation {
                    equation, instant, ..
                } => {
                    let tail = instant == growth.heights[equation];
                    grown |= tail && growth.raise(equation, instant + 1);
                }
                RowKind::Law { law } => {
                    for o in variables(&self.setting.laws()[law].residual) {
                        if o.at == At::Now
                            && let Some(equation) = self.setting.equation_of(o.var)
                        {
                            let to = growth.heights[equation] + 1;
                            grown |= growth.raise(equation, to);
                        }
                    }
                }
                RowKind::Instant { .. } | RowKind::Euler(_) => {}
            }
        }
        grown
    }

    /// An equation that finds no place because a constraint took its variables early: the constraint
    /// waits for the next instant, if that is allowed.
    fn drops_equations(&self, growth: &mut Growth<'_, '_>) -> bool {
        let mut grown = false;
        for &row in &self.dropped {
            for other in self.matching.over_part(&self.graph, [row]) {
                let other = &self.array.rows[other];
                if let (
                    Rank::Tail,
                    RowKind::Equation {
                        equation, instant, ..
                    },
                ) = (other.rank, other.kind)
                {
                    grown |= growth.raise(equation, instant + 1);
                }
            }
        }
        grown
    }

    /// Raises the equations of variables that stay undetermined; whether any could grow.
    fn lacks_equations(&self, growth: &mut Growth<'_, '_>) -> bool {
        let enabled = self.enabled_flags();
        let mut grown = false;
        for column in self.matching.under_part(&self.graph, &enabled) {
            let cell = self.array.columns[column];
            if let Some(equation) = self.setting.equation_of(cell.var) {
                let d = self.setting.d_after(cell.var);
                if cell.class() >= d {
                    grown |= growth.raise(equation, cell.class() - d + 1);
                }
            }
        }
        grown
    }

    fn enabled_flags(&self) -> Vec<bool> {
        let mut flags = vec![false; self.array.rows.len()];
        for &row in &self.enabled {
            flags[row] = true;
        }
        flags
    }

    fn finish(self, heights: Vec<u32>, orders: Option<Orders>) -> Stack {
        let free = self.matching.free_columns().collect();
        Stack {
            heights,
            array: self.array,
            enabled: self.enabled,
            dropped: self.dropped,
            facts: self.facts,
            redundant: self.redundant,
            conflict: self.conflict,
            free,
            orders,
        }
    }
}

fn instant_of(kind: RowKind) -> u32 {
    match kind {
        RowKind::Equation { instant, .. } => instant,
        _ => 0,
    }
}
