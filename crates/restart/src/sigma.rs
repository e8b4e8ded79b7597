//! The Sigma-method on one mode, and the same primal-dual scheme for the weights of an array.
//!
//! The algorithm is that of `modeshift_structure`; here it is put in terms of rows, columns and variables.

use crate::change::{Change, ModeEquation};
use modeshift_base::FxHashMap;
use modeshift_mdae::sym::{VarId, incidence};
use modeshift_structure::{
    DulmageMendelsohn, EqId, SigmaMatrix, VarId as Column, max_weight_perfect_matching,
};

/// A matching of all rows of largest weight with the smallest dual offsets.
#[derive(Clone, Debug)]
pub struct Offsets {
    /// By row: `c_f`.
    pub c: Vec<u32>,
    /// By column: `d_x`.
    pub d: Vec<u32>,
    pub column_of: Vec<usize>,
    pub row_of: Vec<Option<usize>>,
}

/// The rows that cannot all be matched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Singular {
    pub rows: Vec<usize>,
}

/// Smallest `c ≥ 0`, `d` with `d_x − c_f ≥ σ(f, x)`, equality on a matching that covers all rows. There may
/// be more columns than rows. O((largest offset + 1) · edges · √vertices).
pub fn least_offsets(rows: &[Vec<(usize, u32)>], n_columns: usize) -> Result<Offsets, Singular> {
    let mut entries = Vec::new();
    for (row, columns) in rows.iter().enumerate() {
        for &(column, sigma) in columns {
            entries.push((EqId(row as u32), Column(column as u32), sigma as i32));
        }
    }
    let matrix = SigmaMatrix::from_entries(rows.len(), n_columns, &entries);
    let Some((matching, dual)) = max_weight_perfect_matching(matrix.graph(), matrix.sigma()) else {
        let parts = DulmageMendelsohn::new(matrix.graph());
        let over = parts.over_witness(matrix.graph()).unwrap_or_default();
        let mut rows: Vec<usize> = over.equations.iter().map(|f| f.index()).collect();
        rows.sort_unstable();
        return Err(Singular { rows });
    };
    let natural = |offsets: Vec<i32>| offsets.into_iter().map(i32::unsigned_abs).collect();
    let column_of = matrix
        .graph()
        .equations()
        .filter_map(|f| matching.variable_of(f));
    let row_of = matrix.graph().variables().map(|x| matching.equation_of(x));
    Ok(Offsets {
        c: natural(dual.c),
        d: natural(dual.d),
        column_of: column_of.map(Column::index).collect(),
        row_of: row_of.map(|row| row.map(EqId::index)).collect(),
    })
}

/// Offsets of a long mode in terms of its variables.
#[derive(Clone, Debug)]
pub struct ModeOffsets {
    /// By equation of the mode.
    pub c: Vec<u32>,
    /// Variables that occur, with `d_x`.
    pub d: FxHashMap<VarId, u32>,
    /// The equation matched with each variable.
    pub equation_of: FxHashMap<VarId, usize>,
}

/// Why a mode has no offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SingularMode {
    /// Equations that are too many for their unknowns.
    pub equations: Vec<usize>,
    /// Unknowns without an equation.
    pub unknowns: Vec<VarId>,
}

/// The Sigma-method on the unknowns of `equations`.
pub fn mode_offsets(
    change: &Change,
    equations: &[ModeEquation],
) -> Result<ModeOffsets, SingularMode> {
    let mut columns: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut variables = Vec::new();
    let mut rows = Vec::with_capacity(equations.len());
    for equation in equations {
        let mut row = Vec::new();
        for (var, sigma) in incidence(&equation.residual) {
            if change.is_unknown(var) {
                let column = *columns.entry(var).or_insert_with(|| {
                    variables.push(var);
                    variables.len() - 1
                });
                row.push((column, sigma));
            }
        }
        rows.push(row);
    }
    let offsets = least_offsets(&rows, variables.len()).map_err(|singular| SingularMode {
        equations: singular.rows,
        unknowns: Vec::new(),
    })?;
    let free: Vec<VarId> = (0..variables.len())
        .filter(|&x| offsets.row_of[x].is_none())
        .map(|x| variables[x])
        .collect();
    if !free.is_empty() {
        return Err(SingularMode {
            equations: Vec::new(),
            unknowns: free,
        });
    }
    let d = variables
        .iter()
        .enumerate()
        .map(|(i, &var)| (var, offsets.d[i]))
        .collect();
    let equation_of = offsets
        .column_of
        .iter()
        .enumerate()
        .map(|(f, &x)| (variables[x], f))
        .collect();
    Ok(ModeOffsets {
        c: offsets.c,
        d,
        equation_of,
    })
}

#[cfg(test)]
mod tests {
    use super::least_offsets;
    use proptest::prelude::*;

    #[test]
    fn the_pendulum_has_offsets_two_for_its_constraint() {
        // x'' + λx, y'' + λy, x² + y² over x, y, λ.
        let rows = [
            vec![(0, 2), (2, 0)],
            vec![(1, 2), (2, 0)],
            vec![(0, 0), (1, 0)],
        ];
        let offsets = least_offsets(&rows, 3).unwrap();
        assert_eq!((offsets.c, offsets.d), (vec![0, 0, 2], vec![2, 2, 0]));
    }

    /// All assignments of rows to columns by brute force.
    fn best_weight(rows: &[Vec<(usize, u32)>], used: &mut Vec<bool>, row: usize) -> Option<u32> {
        let Some(entries) = rows.get(row) else {
            return Some(0);
        };
        let mut best = None;
        for &(column, sigma) in entries {
            if !used[column] {
                used[column] = true;
                if let Some(rest) = best_weight(rows, used, row + 1) {
                    best = best.max(Some(rest + sigma));
                }
                used[column] = false;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_matching_has_the_largest_weight_and_the_offsets_are_dual(
            table in prop::collection::vec(prop::collection::vec(-2_i32..3, 4), 4)
        ) {
            let rows: Vec<Vec<(usize, u32)>> = table.iter().map(|row| {
                row.iter().enumerate()
                    .filter_map(|(x, s)| u32::try_from(*s).ok().map(|s| (x, s)))
                    .collect()
            }).collect();
            let best = best_weight(&rows, &mut vec![false; 4], 0);
            match least_offsets(&rows, 4) {
                Err(_) => prop_assert_eq!(best, None),
                Ok(offsets) => {
                    let sigma = |f: usize, x: usize| rows[f].iter().find(|e| e.0 == x).map(|e| e.1);
                    let weight = offsets.column_of.iter().enumerate().map(|(f, &x)| sigma(f, x)).sum();
                    prop_assert_eq!(best, weight);
                    for (f, row) in rows.iter().enumerate() {
                        for &(x, s) in row {
                            prop_assert!(offsets.d[x] >= offsets.c[f] + s);
                        }
                    }
                }
            }
        }
    }
}
