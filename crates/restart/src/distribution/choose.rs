//! The restart system of a linear change: of all rows those that say something new, in few unknowns.

use super::rows::Column;
use super::{Coefficient, Exact, Solver, cell};
use crate::array::RowKind;
use crate::facts::Span;
use crate::matching::{Incidence, Matching};
use crate::system::{Meaning, RestartEquation, RestartSystem, Unknown};
use crate::terms::Order;
use modeshift_algebra::{Echelon, Row, Solution};
use modeshift_base::{FxHashMap, never};
use modeshift_mdae::sym::{Expr, Fp, Sample, VarId, VarRef, evaluate};
use num_traits::One as _;
use std::collections::{BTreeMap, BTreeSet};

/// What a column is in the restart system.
#[derive(Clone)]
enum Part {
    Unknown,
    /// Left out: its value is known without the system.
    Value(Expr),
    /// Not determined.
    Open,
    /// Not determined, and an unknown all the same: the others do not depend on its value.
    Arbitrary,
}

/// A row of the restart system to come.
struct Candidate {
    /// The number of its row; `None` for a column that may have any value, and gets zero.
    row: Option<usize>,
    /// Over unknowns.
    entries: Row,
}

impl Solver<'_> {
    /// A square regular system for the states that jump and for the weights of impulses.
    pub(super) fn system(
        &self,
        continuous: &BTreeSet<VarRef>,
        coefficients: &BTreeMap<VarRef, Coefficient>,
        span: Option<&Span>,
        exact: &Exact,
    ) -> Option<RestartSystem> {
        let n = self.rows.columns.len();
        let mut parts: Vec<Part> = (0..n).map(|i| self.part(i, continuous, span)).collect();
        let wanted = self.wanted(exact, coefficients);
        // Where only combinations of rows are free of open columns, these get a value that does not matter.
        for arbitrary in [false, true] {
            let mut candidates = self.usable_rows(&parts);
            if arbitrary {
                for column in (0..n).filter(|&c| matches!(parts[c], Part::Arbitrary)) {
                    if self.solution.depends_on(column) == [column] {
                        let entries = Row::from_iter([(column, Fp::ONE)]);
                        candidates.push(Candidate { row: None, entries });
                    }
                }
            }
            if let Some((chosen, columns)) = self.square(candidates) {
                let (chosen, columns) = self.needed(chosen, &columns, &wanted);
                let missing =
                    |c: &usize| matches!(parts[*c], Part::Unknown) && !columns.contains(c);
                if !wanted.iter().any(missing) {
                    return Some(self.written(&chosen, &columns, &parts, coefficients, exact));
                }
            }
            for part in parts.iter_mut().filter(|part| matches!(part, Part::Open)) {
                *part = Part::Arbitrary;
            }
        }
        None
    }

    fn part(&self, column: usize, continuous: &BTreeSet<VarRef>, span: Option<&Span>) -> Part {
        match self.rows.columns.get_index(column) {
            Some((&Column::Right(var, order), ())) => {
                let state = VarRef::now(var, order);
                // Of what was no state before the new equations tell the value, too.
                if continuous.contains(&state) && self.is_past(state) {
                    return Part::Value(Expr::var_ref(VarRef::left(var, order)));
                }
            }
            Some((Column::Impulse(..), ())) if self.vanishes(column, span) => {
                return Part::Value(Expr::zero());
            }
            Some((&Column::Open(var, order), ())) if self.was_there(var) => {
                return Part::Value(Expr::var_ref(VarRef::left(var, order)));
            }
            _ => {}
        }
        if self.solution.value(column).is_some() {
            Part::Unknown
        } else {
            Part::Open
        }
    }

    /// Rows without open columns.
    fn usable_rows(&self, parts: &[Part]) -> Vec<Candidate> {
        let mut list = Vec::new();
        for (i, row) in self.matrix.iter().enumerate() {
            let columns = || row.entries().iter().filter(|(c, _)| *c < parts.len());
            if columns().any(|(c, _)| matches!(parts[*c], Part::Open)) {
                continue;
            }
            let unknown = |(c, _): &&(usize, Fp)| !matches!(parts[*c], Part::Value(_));
            let entries: Row = columns().filter(unknown).copied().collect();
            if !entries.is_empty() {
                let row = Some(i);
                list.push(Candidate { row, entries });
            }
        }
        // Laws and impulses before values, few unknowns first, so that what is shown is short.
        list.sort_by_key(|candidate| {
            let i = candidate.row.unwrap_or_default();
            let row = &self.rows.rows[i];
            let order = match row.kind {
                RowKind::Equation { order, .. } => order,
                _ => 0,
            };
            let law = matches!(row.kind, RowKind::Law { .. });
            (!law, !row.of_impulse, order, candidate.entries.len(), i)
        });
        list
    }

    /// Independent rows, and the columns that they determine.
    fn square(&self, mut rows: Vec<Candidate>) -> Option<(Vec<Candidate>, Vec<usize>)> {
        loop {
            let mut echelon = Echelon::default();
            let mut independent = Vec::with_capacity(rows.len());
            let mut columns: BTreeSet<usize> = BTreeSet::new();
            for candidate in &rows {
                let new = echelon.insert(candidate.entries.clone());
                if new {
                    columns.extend(candidate.entries.columns());
                }
                independent.push(new);
            }
            let chosen = independent.iter().filter(|new| **new).count();
            if chosen == columns.len() {
                let mut keep = independent.into_iter();
                rows.retain(|_| keep.next().unwrap_or(false));
                return Some((rows, columns.into_iter().collect()));
            }
            // Columns that need rows with open left limits go, with their rows.
            echelon.back_substitute();
            let alone = |c: &usize| echelon.row(*c).is_some_and(|row| row.len() == 1);
            let lost: BTreeSet<usize> = columns.iter().copied().filter(|c| !alone(c)).collect();
            let before = rows.len();
            rows.retain(|candidate| !candidate.entries.columns().any(|c| lost.contains(&c)));
            if rows.len() == before {
                return None;
            }
        }
    }

    /// The columns that are to be told.
    fn wanted(&self, exact: &Exact, coefficients: &BTreeMap<VarRef, Coefficient>) -> Vec<usize> {
        let mut list = Vec::new();
        for state in &exact.jumps {
            list.extend(self.find(Column::Right(state.var, state.order)));
        }
        for coefficient in coefficients.values() {
            match *coefficient {
                Coefficient::Column(column) => list.push(column),
                Coefficient::Jump(state) => {
                    list.extend(self.find(Column::Right(state.var, state.order)));
                    list.extend(self.find(Column::Replaced(state.var, state.order)));
                }
                Coefficient::Zero => {}
            }
        }
        // Discrete variables that a law assigns.
        let assigned = self
            .rows
            .rows
            .iter()
            .filter(|row| matches!(row.kind, RowKind::Law { .. }));
        for row in assigned {
            list.extend(row.terms.iter().map(|(column, _)| *column));
        }
        list
    }

    /// The rows and columns that `wanted` depends on; row `i` determines column `i`.
    fn needed(
        &self,
        rows: Vec<Candidate>,
        columns: &[usize],
        wanted: &[usize],
    ) -> (Vec<Option<usize>>, Vec<usize>) {
        let index: FxHashMap<usize, usize> =
            columns.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let columns_of = |candidate: &Candidate| {
            let entries = candidate.entries.columns();
            entries.filter_map(|c| index.get(&c).copied()).collect()
        };
        let graph = Incidence {
            rows: rows.iter().map(columns_of).collect(),
            n_columns: columns.len(),
        };
        let matching = Matching::of(&graph, 0..rows.len());
        let mut seen = vec![false; columns.len()];
        let mut stack: Vec<usize> = wanted
            .iter()
            .filter_map(|c| index.get(c).copied())
            .collect();
        while let Some(column) = stack.pop() {
            if std::mem::replace(&mut seen[column], true) {
                continue;
            }
            if let Some(row) = matching.row_of[column] {
                stack.extend(&graph.rows[row]);
            }
        }
        let kept = (0..columns.len()).filter(|&c| seen[c]);
        kept.filter_map(|c| Some((rows[matching.row_of[c]?].row, columns[c])))
            .unzip()
    }

    fn written(
        &self,
        rows: &[Option<usize>],
        columns: &[usize],
        parts: &[Part],
        coefficients: &BTreeMap<VarRef, Coefficient>,
        exact: &Exact,
    ) -> RestartSystem {
        let base = self.base();
        let mut system = RestartSystem {
            base,
            unknowns: columns
                .iter()
                .map(|&c| {
                    let unknown = self.unknown(c);
                    let state = VarRef::now(unknown.cell.var, unknown.cell.order);
                    let open =
                        unknown.meaning == Meaning::Right && exact.undetermined.contains(&state);
                    let meaning = match parts[c] {
                        Part::Arbitrary => Meaning::Auxiliary,
                        _ if open => Meaning::Auxiliary,
                        _ => unknown.meaning,
                    };
                    Unknown { meaning, ..unknown }
                })
                .collect(),
            equations: Vec::new(),
        };
        let position: FxHashMap<usize, usize> =
            columns.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let value = |column: usize| match position.get(&column) {
            Some(&i) => Expr::var(VarId(base + i as u32)),
            None => match &parts[column] {
                Part::Value(value) => value.clone(),
                Part::Unknown | Part::Open | Part::Arbitrary => Expr::zero(),
            },
        };
        for (&row, &column) in rows.iter().zip(columns) {
            let Some(row) = row else {
                let kind = RowKind::Euler(self.unknown(column).cell);
                let residual = value(column);
                system.equations.push(RestartEquation { kind, residual });
                continue;
            };
            let row = &self.rows.rows[row];
            let terms = row
                .terms
                .iter()
                .map(|(column, coefficient)| coefficient.mul(&value(*column)));
            system.equations.push(RestartEquation {
                kind: row.kind,
                residual: Expr::sum(terms.chain([row.constant.clone()])),
            });
        }
        for (&o, &coefficient) in coefficients.iter().filter(|(o, _)| o.order > 0) {
            let weight = match coefficient {
                Coefficient::Zero => continue,
                Coefficient::Column(column) => value(column),
                Coefficient::Jump(state) => {
                    let Some(right) = self.find(Column::Right(state.var, state.order)) else {
                        continue;
                    };
                    let left = match self.find(Column::Replaced(state.var, state.order)) {
                        Some(replaced) => value(replaced),
                        None => Expr::var_ref(VarRef::left(state.var, state.order)),
                    };
                    value(right).sub(&left)
                }
            };
            let order = exact.impulsive.get(&o).copied().unwrap_or_else(Order::one);
            let unknown = Expr::var(VarId(base + system.unknowns.len() as u32));
            system.unknowns.push(Unknown {
                cell: cell(o),
                meaning: Meaning::Weight(order),
            });
            system.equations.push(RestartEquation {
                kind: RowKind::Euler(cell(o)),
                residual: unknown.sub(&weight),
            });
        }
        system
    }

    fn unknown(&self, column: usize) -> Unknown {
        let is_state = |var: VarId, order: u32| {
            let held = self.change.role(var) == crate::change::Role::Held;
            held || self.after.d.get(&var).is_some_and(|&d| order < d)
        };
        let found = self
            .rows
            .columns
            .get_index(column)
            .map(|(column, ())| *column);
        never!(found.is_none(), "{column} is no column of the restart");
        match found {
            Some(Column::Right(var, order)) => Unknown {
                cell: cell(VarRef::now(var, order)),
                meaning: if is_state(var, order) {
                    Meaning::Right
                } else {
                    Meaning::Auxiliary
                },
            },
            Some(Column::Impulse(var, j)) => Unknown {
                cell: cell(VarRef::now(var, 0)),
                meaning: Meaning::Weight(Order::from_integer(i64::from(j) + 1)),
            },
            Some(Column::Replaced(var, order) | Column::Open(var, order)) => Unknown {
                cell: cell(VarRef::now(var, order)),
                meaning: Meaning::Auxiliary,
            },
            None => Unknown {
                cell: cell(VarRef::now(VarId(0), 0)),
                meaning: Meaning::Auxiliary,
            },
        }
    }
}

/// Solves a linear restart system modulo the prime.
pub(super) fn solve(system: &RestartSystem, sample: &Sample) -> Option<Vec<Fp>> {
    let n = system.unknowns.len();
    let mut zero = sample.clone();
    for i in 0..n {
        zero.set(system.unknown(i), Fp::ZERO);
    }
    let mut rows = Vec::with_capacity(n);
    for (entries, equation) in system.jacobian().iter().zip(&system.equations) {
        let entries = entries.iter().map(|(column, entry)| (*column, entry));
        let value = |(column, entry): (usize, &Expr)| {
            Some((
                column,
                evaluate(&crate::facts::with_time(entry), &zero).ok()?,
            ))
        };
        let row = entries.chain([(n, &equation.residual)]).map(value);
        rows.push(row.collect::<Option<Row>>()?);
    }
    let solution = Solution::of(rows, n);
    if solution.is_contradictory() {
        return None;
    }
    (0..n).map(|column| solution.value(column)).collect()
}

type Told = (FxHashMap<VarRef, Fp>, FxHashMap<VarRef, Fp>);

/// Right limits and weights, the latter put together from the instants of an array as in numbers.
pub(super) fn told(system: &RestartSystem, values: &[Fp]) -> Told {
    let mut right = FxHashMap::default();
    let mut weights: FxHashMap<VarRef, (Order, Fp)> = FxHashMap::default();
    let mut solved: Vec<(&Unknown, &Fp)> = system.unknowns.iter().zip(values).collect();
    solved.sort_by_key(|(unknown, _)| unknown.cell.instant);
    for (unknown, &value) in solved {
        let o = VarRef::now(unknown.cell.var, unknown.cell.order);
        match unknown.meaning {
            Meaning::Right => {
                right.insert(o, value);
            }
            Meaning::Weight(order) => {
                let known = weights.entry(o).or_insert((order, Fp::ZERO));
                if order > known.0 {
                    *known = (order, value);
                } else if order == known.0 && (order.is_one() || known.1.is_zero()) {
                    known.1 = known.1.plus(value);
                }
            }
            Meaning::Auxiliary => {}
        }
    }
    let weights = weights.into_iter().map(|(o, (_, value))| (o, value));
    (right, weights.collect())
}
