//! Which derivatives are dummies: Gaussian elimination on the Jacobian of the equations that are differentiated.
//!
//! An equation that was differentiated `c` times has the same derivatives by the leading derivatives of the unknowns as
//! the equation itself by what it reads. Where such a coefficient is a number, the elimination is done once, on nodes of
//! a graph: chains of frames, gears and connections leave nothing to choose. What remains are constraints such as those
//! of closed loops of bars, for which the choice depends on where the bars are: a small matrix, found at run time by a
//! program and searched with complete pivoting.
//!
//! A row is eliminated with one of its columns that are dummies most gladly. Of all bases this gives one of the largest
//! weight, in whatever order the rows come (bases of a matrix are those of a matroid).

use crate::block::Scratch;
use crate::tape::{Copier, Graph, Program, Reg};
use modeshift_algebra::independent_columns;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// A coefficient that is much smaller than others of its row is no pivot.
const SMALLEST: f64 = 1e-3;
/// What is left of a difference of numbers that are equal but for rounding.
const ROUNDING: f64 = 1e-12;

/// An equation that was differentiated.
pub struct Row {
    /// How often.
    pub order: u32,
    pub residual: Reg,
    /// The slots of its highest derivatives, with the columns they belong to.
    pub entries: Vec<(u32, usize)>,
}

/// A variable whose derivatives may be dummies.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub variable: u32,
    /// How often it is differentiated.
    pub order: u32,
    /// How gladly it is a dummy.
    pub weight: f64,
}

/// How dummies of one block are chosen.
#[derive(Clone, Debug)]
pub struct Selection {
    columns: Vec<Column>,
    /// The first is that of all equations, the next one that of those that were differentiated twice, and so on.
    stages: Vec<Stage>,
}

#[derive(Clone, Debug)]
struct Stage {
    /// Columns that are dummies whatever the values.
    certain: Vec<usize>,
    /// The rest: so many rows of these columns.
    rows: usize,
    columns: Vec<usize>,
    /// Row and place in `columns` of each entry that the program gives.
    pattern: Vec<(usize, usize)>,
    program: Program,
    moves: bool,
}

impl Selection {
    /// Nothing where no equation was differentiated.
    pub fn new(graph: &Graph, rows: &[Row], columns: Vec<Column>) -> Option<Self> {
        let highest = rows.iter().map(|row| row.order).max().filter(|&c| c > 0)?;
        let mut elimination = Elimination::new(graph, rows, &columns);
        let mut stages = Vec::new();
        for stage in (1..=highest).rev() {
            elimination.admit(rows, stage);
            elimination.eliminate();
            stages.push(elimination.stage());
        }
        stages.reverse();
        Some(Self { columns, stages })
    }

    /// Whether the choice depends on the values.
    pub fn moves(&self) -> bool {
        self.stages.iter().any(|stage| stage.moves)
    }

    /// Variables that are dummies at the first stage whatever the values.
    pub fn certain(&self) -> impl Iterator<Item = u32> + '_ {
        let certain = self.stages.first().map_or(&[][..], |stage| &stage.certain);
        certain.iter().map(|&x| self.columns[x].variable)
    }

    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter()
    }

    /// The variables that are dummies at each stage; `None` where no choice is regular.
    pub fn choose(&self, values: &[f64], scratch: &mut Scratch) -> Option<Vec<Vec<u32>>> {
        let mut allowed = vec![true; self.columns.len()];
        let mut stages = Vec::new();
        for stage in &self.stages {
            let mut chosen = stage.certain.clone();
            if stage.rows > 0 {
                let matrix = stage.matrix(values, scratch);
                let (places, part) = stage.part(&matrix, &|x| allowed[x]);
                let weights: Vec<f64> = places.iter().map(|&x| self.columns[x].weight).collect();
                let (found, _) = independent_columns(&part, &weights)?;
                chosen.extend(found.into_iter().map(|i| places[i]));
            }
            chosen.sort_unstable();
            allowed.fill(false);
            for &x in &chosen {
                allowed[x] = true;
            }
            stages.push(chosen.iter().map(|&x| self.columns[x].variable).collect());
        }
        Some(stages)
    }

    /// Whether a choice is not much worse than the best one.
    pub fn is_good(&self, chosen: &[Vec<u32>], values: &[f64], scratch: &mut Scratch) -> bool {
        let moving = self
            .stages
            .iter()
            .zip(chosen)
            .filter(|(stage, _)| stage.moves);
        moving.into_iter().all(|(stage, chosen)| {
            let matrix = stage.matrix(values, scratch);
            let smallest = |allowed: &dyn Fn(usize) -> bool| {
                let (places, part) = stage.part(&matrix, allowed);
                independent_columns(&part, &vec![1.0; places.len()]).map_or(0.0, |found| found.1)
            };
            let best = smallest(&|_| true);
            smallest(&|x| chosen.contains(&self.columns[x].variable)) >= 0.1 * best
        })
    }
}

impl Stage {
    fn matrix(&self, values: &[f64], scratch: &mut Scratch) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.columns.len()]; self.rows];
        self.program.run(values, &mut scratch.work);
        for (i, &(row, column)) in self.pattern.iter().enumerate() {
            matrix[row][column] = self.program.output(&scratch.work, i);
        }
        matrix
    }

    /// Some columns, and what the rows are in them.
    fn part(
        &self,
        matrix: &[Vec<f64>],
        allowed: &dyn Fn(usize) -> bool,
    ) -> (Vec<usize>, Vec<Vec<f64>>) {
        let places: Vec<usize> = (0..self.columns.len())
            .filter(|&i| allowed(self.columns[i]))
            .collect();
        let of_row = |row: &Vec<f64>| places.iter().map(|&i| row[i]).collect();
        let part = matrix.iter().map(of_row).collect();
        (places.iter().map(|&i| self.columns[i]).collect(), part)
    }
}

/// A matrix of nodes in which rows are eliminated.
struct Elimination<'c> {
    graph: Graph,
    columns: &'c [Column],
    /// By row: the columns that are left.
    entries: Vec<BTreeMap<usize, Reg>>,
    /// By column: the rows that are left.
    occurs: Vec<BTreeSet<usize>>,
    /// Rows of the present stage that have no pivot yet.
    open: BTreeSet<usize>,
    certain: Vec<usize>,
    /// Pivots by the number of entries that they may fill in.
    candidates: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

impl<'c> Elimination<'c> {
    fn new(source: &Graph, rows: &[Row], columns: &'c [Column]) -> Self {
        let mut graph = Graph::default();
        let mut entries = Vec::new();
        let mut occurs = vec![BTreeSet::new(); columns.len()];
        for (i, row) in rows.iter().enumerate() {
            let mut small = Graph::default();
            let residual = Copier::default().copy(source, row.residual, &mut small);
            let inputs: Vec<Reg> = row.entries.iter().map(|&(s, _)| small.input(s)).collect();
            let slopes = small.derivatives(&[residual], &inputs).swap_remove(0);
            let mut copier = Copier::default();
            let mut list = BTreeMap::new();
            for (&(_, column), slope) in row.entries.iter().zip(slopes) {
                if let Some(slope) = slope {
                    list.insert(column, copier.copy(&small, slope, &mut graph));
                    occurs[column].insert(i);
                }
            }
            entries.push(list);
        }
        Self {
            graph,
            columns,
            entries,
            occurs,
            open: BTreeSet::new(),
            certain: Vec::new(),
            candidates: BinaryHeap::new(),
        }
    }

    /// From now on the rows of a stage may be eliminated.
    fn admit(&mut self, rows: &[Row], stage: u32) {
        for (i, row) in rows.iter().enumerate() {
            if row.order == stage {
                self.open.insert(i);
                self.propose(i);
            }
        }
    }

    /// How many entries a pivot may fill in.
    fn cost(&self, row: usize, column: usize) -> usize {
        let others = |n: usize| n.saturating_sub(1);
        others(self.entries[row].len()) * others(self.occurs[column].len())
    }

    /// The pivots that a row offers.
    fn propose(&mut self, row: usize) {
        let columns = self.entries[row].keys().filter(|&&x| self.is_pivot(row, x));
        let offers: Vec<_> = columns
            .map(|&x| Reverse((self.cost(row, x), row, x)))
            .collect();
        self.candidates.extend(offers);
    }

    fn eliminate(&mut self) {
        while let Some(Reverse((cost, row, column))) = self.candidates.pop() {
            if !self.open.contains(&row) || !self.entries[row].contains_key(&column) {
                continue;
            }
            // The matrix may have changed since.
            if !self.is_pivot(row, column) {
                continue;
            }
            let now = self.cost(row, column);
            if now > cost {
                self.candidates.push(Reverse((now, row, column)));
                continue;
            }
            self.pivot(row, column);
        }
    }

    /// Whether a row may be solved for a column: none of its others is a dummy more gladly, and the coefficient is a
    /// number of reasonable size.
    fn is_pivot(&self, row: usize, column: usize) -> bool {
        let list = &self.entries[row];
        let weight = self.columns[column].weight;
        let number = |reg: Reg| self.graph.value(reg).map(f64::abs);
        let largest = list.values().filter_map(|&r| number(r)).fold(0.0, f64::max);
        list.keys().all(|&x| self.columns[x].weight <= weight)
            && list
                .get(&column)
                .and_then(|&reg| number(reg))
                .is_some_and(|a| a.is_finite() && a > SMALLEST * largest)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let lead = std::mem::take(&mut self.entries[row]);
        self.open.remove(&row);
        self.certain.push(column);
        for &x in lead.keys() {
            self.occurs[x].remove(&row);
        }
        let pivot = lead[&column];
        for other in std::mem::take(&mut self.occurs[column]) {
            let Some(entry) = self.entries[other].remove(&column) else {
                continue;
            };
            let factor = self.graph.div(entry, pivot);
            for (&x, &above) in lead.iter().filter(|(x, _)| **x != column) {
                let product = self.graph.mul(factor, above);
                let zero = self.graph.constant(0.0);
                let old = self.entries[other].get(&x).copied().unwrap_or(zero);
                let mut new = self.graph.sub(old, product);
                if let (Some(a), Some(b), Some(c)) = (
                    self.graph.value(old),
                    self.graph.value(product),
                    self.graph.value(new),
                ) && c.abs() <= ROUNDING * (a.abs() + b.abs())
                {
                    new = zero;
                }
                if self.graph.is_zero(new) {
                    self.entries[other].remove(&x);
                    self.occurs[x].remove(&other);
                } else {
                    self.entries[other].insert(x, new);
                    self.occurs[x].insert(other);
                }
            }
            if self.open.contains(&other) {
                self.propose(other);
            }
        }
    }

    /// What is left at present.
    fn stage(&self) -> Stage {
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for &row in &self.open {
            for &x in self.entries[row].keys() {
                places.entry(x).or_insert(0);
            }
        }
        for (i, place) in places.values_mut().enumerate() {
            *place = i;
        }
        let (mut pattern, mut outputs) = (Vec::new(), Vec::new());
        for (i, &row) in self.open.iter().enumerate() {
            for (x, &reg) in &self.entries[row] {
                pattern.push((i, places[x]));
                outputs.push(reg);
            }
        }
        Stage {
            certain: self.certain.clone(),
            rows: self.open.len(),
            columns: places.into_keys().collect(),
            moves: outputs.iter().any(|&reg| self.graph.value(reg).is_none()),
            program: Program::new(&self.graph, &outputs),
            pattern,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Row, Selection};
    use crate::block::Scratch;
    use crate::tape::{Graph, Unary};

    fn columns(weights: &[f64]) -> Vec<Column> {
        let column = |(i, &weight): (usize, &f64)| Column {
            variable: i as u32,
            order: 2,
            weight,
        };
        weights.iter().enumerate().map(column).collect()
    }

    fn row(order: u32, residual: u32, slots: &[u32]) -> Row {
        Row {
            order,
            residual,
            entries: slots.iter().map(|&s| (s, s as usize)).collect(),
        }
    }

    /// A point at the end of a chain of two sums: nothing to watch, and the preferred variable is the state.
    #[test]
    fn numbers_are_eliminated_once() {
        let mut graph = Graph::default();
        let [a, b, c] = [0, 1, 2].map(|slot| graph.input(slot));
        let first = graph.sub(b, a);
        let second = graph.sub(c, b);
        let rows = [row(2, first, &[0, 1]), row(2, second, &[1, 2])];
        let selection = Selection::new(&graph, &rows, columns(&[1.0, 1e-4, 1.0])).unwrap();
        assert!(!selection.moves());
        let chosen = selection
            .choose(&[0.0; 3], &mut Scratch::default())
            .unwrap();
        assert_eq!(chosen, [[0, 2], [0, 2]]);
    }

    /// `x = cos(phi)`, `y = sin(phi)`, `x·v + y·w = 0` with `phi` in slot 3: the larger coefficient counts.
    #[test]
    fn what_moves_is_chosen_where_it_is() {
        let mut graph = Graph::default();
        let [v, w, phi] = [0, 1, 2].map(|slot| graph.input(slot));
        let (cos, sin) = (graph.unary(Unary::Cos, phi), graph.unary(Unary::Sin, phi));
        let (left, right) = (graph.mul(cos, v), graph.mul(sin, w));
        let sum = graph.add(left, right);
        let rows = [row(1, sum, &[0, 1])];
        let selection = Selection::new(&graph, &rows, columns(&[1.0, 1.0])).unwrap();
        assert!(selection.moves());
        let scratch = &mut Scratch::default();
        assert_eq!(selection.choose(&[0.0, 0.0, 0.1], scratch).unwrap(), [[0]]);
        assert_eq!(selection.choose(&[0.0, 0.0, 1.5], scratch).unwrap(), [[1]]);
        assert!(selection.is_good(&[vec![0]], &[0.0, 0.0, 0.1], scratch));
        assert!(!selection.is_good(&[vec![0]], &[0.0, 0.0, 1.57], scratch));
    }

    /// Equations that contradict each other but for their right-hand sides leave a row without a pivot.
    #[test]
    fn dependent_rows_have_no_choice() {
        let mut graph = Graph::default();
        let [a, b] = [0, 1].map(|slot| graph.input(slot));
        let first = graph.sub(a, b);
        let three = graph.constant(0.3);
        let (p, q) = (graph.mul(three, a), graph.mul(three, b));
        let second = graph.sub(p, q);
        let rows = [row(1, first, &[0, 1]), row(1, second, &[0, 1])];
        let selection = Selection::new(&graph, &rows, columns(&[1.0, 1.0])).unwrap();
        assert!(
            selection
                .choose(&[0.0; 2], &mut Scratch::default())
                .is_none()
        );
    }
}
