//! The Jacobian of the right-hand side of a plan: which derivatives of states depend on which states, columns
//! that share no row coloured alike, and values by following one direction per colour.

use crate::block::{BlockError, Scratch};
use crate::plan::{Plan, Task};
use crate::tape::{LANES, Lanes, Set, union};
use modeshift_algebra::Sparse;

/// So many groups of directions are followed at once; memory is this times the number of slots.
const MAX_GROUPS: usize = 32;

/// The pattern of a Jacobian, with columns that can be found together.
#[derive(Clone, Debug, Default)]
pub struct Coloured {
    pub pattern: Sparse,
    /// Columns by colour.
    pub colours: Vec<Vec<usize>>,
}

impl Coloured {
    /// Linear in the code of the plan times the number of states that a value depends on.
    pub fn new(plan: &Plan) -> Self {
        let empty = Set::default();
        let mut sets = vec![empty.clone(); plan.n_slots];
        for (column, &slot) in plan.state_slots.iter().enumerate() {
            sets[slot as usize] = [column as u32].into();
        }
        for task in &plan.tasks {
            match task {
                Task::Assign { program, slots, .. } => {
                    let found = program.dependencies(&mut |slot| sets[slot as usize].clone());
                    for (&slot, set) in slots.iter().zip(found) {
                        sets[slot as usize] = set;
                    }
                }
                Task::Solve(block) => {
                    let mut all = empty.clone();
                    for slot in block.inputs() {
                        all = union(&all, &sets[slot as usize]);
                    }
                    for slot in block.outputs() {
                        sets[slot as usize] = all.clone();
                    }
                }
            }
        }
        let mut columns = vec![Vec::new(); plan.states.len()];
        for (row, &slot) in plan.derivative_slots.iter().enumerate() {
            for &column in sets[slot as usize].iter() {
                columns[column as usize].push(row);
            }
        }
        let colours = colours(&columns);
        Self {
            pattern: Sparse::new(&columns),
            colours,
        }
    }
}

/// Greedy: a column takes the first colour that none of its rows has met. Linear in the entries times the
/// largest number of entries of a row.
pub fn colours(columns: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let rows = columns.iter().flatten().max().map_or(0, |row| row + 1);
    let mut met: Vec<Vec<usize>> = vec![Vec::new(); rows];
    let mut list: Vec<Vec<usize>> = Vec::new();
    // By colour, the last column that could not have it.
    let mut refused: Vec<usize> = Vec::new();
    for (column, rows) in columns.iter().enumerate() {
        for &colour in rows.iter().flat_map(|&row| &met[row]) {
            refused[colour] = column + 1;
        }
        let colour = (0..list.len()).find(|&c| refused[c] != column + 1);
        let colour = colour.unwrap_or_else(|| {
            list.push(Vec::new());
            refused.push(0);
            list.len() - 1
        });
        list[colour].push(column);
        for &row in rows {
            met[row].push(colour);
        }
    }
    list
}

impl Plan {
    /// The Jacobian at `values`, which the plan was run for. `out` has the pattern.
    pub fn jacobian(
        &self,
        values: &[f64],
        scratch: &mut Scratch,
        out: &mut Sparse,
    ) -> Result<(), BlockError> {
        let coloured = self.coloured();
        for chunk in coloured.colours.chunks(LANES * MAX_GROUPS) {
            let groups: Vec<&[Vec<usize>]> = chunk.chunks(LANES).collect();
            let mut dots = vec![vec![[0.0; LANES]; values.len()]; groups.len()];
            for (dots, colours) in dots.iter_mut().zip(&groups) {
                for (lane, columns) in colours.iter().enumerate() {
                    for &column in columns {
                        dots[self.state_slots[column] as usize][lane] = 1.0;
                    }
                }
            }
            self.tangent(values, &mut dots, scratch)?;
            for (dots, colours) in dots.iter().zip(&groups) {
                for (lane, columns) in colours.iter().enumerate() {
                    for &column in columns {
                        for i in out.starts[column]..out.starts[column + 1] {
                            let slot = self.derivative_slots[out.rows[i]];
                            out.values[i] = dots[slot as usize][lane];
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn tangent(
        &self,
        values: &[f64],
        dots: &mut [Vec<Lanes>],
        scratch: &mut Scratch,
    ) -> Result<(), BlockError> {
        for task in &self.tasks {
            match task {
                Task::Assign { program, slots, .. } => {
                    program.run(values, &mut scratch.work);
                    for dots in dots.iter_mut() {
                        program.tangent(&mut scratch.work, dots);
                        for (i, &slot) in slots.iter().enumerate() {
                            dots[slot as usize] = program.output_tangent(&scratch.work, i);
                        }
                    }
                }
                Task::Solve(block) => block.tangent(values, dots, scratch)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::colours;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_of_one_colour_share_no_row(
            columns in prop::collection::vec(prop::collection::btree_set(0_usize..20, 0..6), 20)
        ) {
            let columns: Vec<Vec<usize>> = columns.into_iter().map(|c| c.into_iter().collect()).collect();
            let colours = colours(&columns);
            let mut seen = [0; 20];
            for colour in &colours {
                let mut rows: Vec<usize> = colour.iter().flat_map(|&c| columns[c].clone()).collect();
                let count = rows.len();
                rows.sort_unstable();
                rows.dedup();
                prop_assert_eq!(rows.len(), count);
                colour.iter().for_each(|&c| seen[c] += 1);
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
        }
    }

    #[test]
    fn a_band_takes_as_many_colours_as_it_is_wide() {
        let columns: Vec<Vec<usize>> = (0..1000_usize)
            .map(|i| (i.saturating_sub(1)..(i + 2).min(1000)).collect())
            .collect();
        assert_eq!(colours(&columns).len(), 3);
    }
}
