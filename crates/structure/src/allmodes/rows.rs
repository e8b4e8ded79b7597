//! Equations that exclude each other share a row.
//!
//! An if-equation with two branches is two guarded equations, of which one is enabled in every mode. Seen
//! as a single row with mode-dependent edges it is never absent, and the union graph can be split into blocks as
//! if it had been written with an if-expression; as two rows it would need virtual edges to everything
//! else that can be absent. Which equations share a row makes no difference to the result, since at
//! most one of them exists in a mode.

use crate::{ModeSets, NodeLimit};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How many incomplete rows are tried for an equation that completes none.
const RECENT: usize = 8;

/// The row of each equation, and per row the modes in which one of its equations is active.
pub(super) struct Rows<S> {
    pub row_of: Vec<usize>,
    pub active: Vec<S>,
}

/// Rows that lack something, by what they lack within the care set.
struct Open<S> {
    need: Vec<S>,
    by_need: FxHashMap<S, VecDeque<usize>>,
    recent: VecDeque<usize>,
}

/// Distributes equations over rows. The branches of an if-equation meet because the rows opened by the first
/// branch are completed in the same order by the others. O(equations) set operations.
pub(super) fn exclusive_rows<M: ModeSets>(
    sets: &M,
    care: &M::Set,
    active: &[M::Set],
) -> Result<Rows<M::Set>, NodeLimit> {
    let mut rows = Rows {
        row_of: Vec::with_capacity(active.len()),
        active: Vec::new(),
    };
    let mut open = Open {
        need: Vec::new(),
        by_need: FxHashMap::default(),
        recent: VecDeque::new(),
    };
    for modes in active {
        let own = sets.and(modes, care)?;
        let row = match open.take(sets, &own)? {
            Some(row) => {
                rows.active[row] = sets.or(&rows.active[row], modes)?;
                open.need[row] = sets.diff(&open.need[row], &own)?;
                row
            }
            None => {
                rows.active.push(modes.clone());
                open.need.push(sets.diff(care, &own)?);
                rows.active.len() - 1
            }
        };
        if !sets.is_empty(&open.need[row]) {
            open.put(row);
        }
        rows.row_of.push(row);
    }
    Ok(rows)
}

impl<S: Clone + Eq + std::hash::Hash> Open<S> {
    fn put(&mut self, row: usize) {
        self.by_need
            .entry(self.need[row].clone())
            .or_default()
            .push_back(row);
        self.recent.push_front(row);
        self.recent.truncate(RECENT);
    }

    /// A row for an equation that is active in `own`: the first one that it completes, else the latest
    /// one that has room for it.
    fn take<M: ModeSets<Set = S>>(
        &mut self,
        sets: &M,
        own: &S,
    ) -> Result<Option<usize>, NodeLimit> {
        if let Some(rows) = self.by_need.get_mut(own) {
            // Rows that have been given something since have another need now.
            while let Some(row) = rows.pop_front() {
                if self.need[row] == *own {
                    return Ok(Some(row));
                }
            }
        }
        for &row in &self.recent {
            if !sets.is_empty(&self.need[row]) && sets.is_subset(own, &self.need[row])? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BddSets, ModeVar};

    #[test]
    fn the_branches_of_if_equations_share_rows_in_order() {
        let sets = BddSets::new(2, 1 << 10);
        let [g, h] = [0, 1].map(|v| sets.var(ModeVar(v)).unwrap());
        let not = |set| sets.not(set).unwrap();
        let second = sets.and(&not(&g), &h).unwrap();
        let third = sets.and(&not(&g), &not(&h)).unwrap();
        let full = sets.full();
        // `if g then a1; a2; else b1; b2; end if; c; if g then a; elseif h then b; else d; end if`
        let active = [&g, &g, &not(&g), &not(&g), &full, &g, &second, &third].map(Clone::clone);
        let rows = exclusive_rows(&sets, &full, &active).unwrap();
        assert_eq!(rows.row_of, [0, 1, 0, 1, 2, 3, 3, 3]);
        assert!(rows.active.iter().all(|modes| sets.is_full(modes)));
    }
}
