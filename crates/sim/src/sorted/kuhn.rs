//! A matching of rows with unknowns that grows row by row, so that what was said first keeps its place.

/// Which unknowns a row may determine.
pub trait Rows {
    fn candidates(&self, row: usize) -> impl Iterator<Item = usize> + Clone;
}

pub struct Kuhn {
    /// By unknown: the row that determines it.
    pub row_of: Vec<Option<usize>>,
    seen: Vec<u32>,
    round: u32,
    /// The unknowns that the last search came by.
    visited: Vec<usize>,
}

impl Kuhn {
    pub fn new(unknowns: usize) -> Self {
        Self {
            row_of: vec![None; unknowns],
            seen: vec![0; unknowns],
            round: 0,
            visited: Vec::new(),
        }
    }

    /// Finds an unknown for a row, moving other rows if need be. Linear in the entries.
    pub fn augment(&mut self, rows: &impl Rows, row: usize) -> bool {
        self.round += 1;
        self.visited.clear();
        // A path of rows, each with what is left of its candidates and the unknown by which it was reached.
        let mut path = Vec::new();
        let mut next = Some((row, usize::MAX));
        while let Some((row, reached)) = next.take() {
            let candidates = rows.candidates(row);
            // Free unknowns first: most rows need no search.
            let free = candidates
                .clone()
                .find(|&place| self.row_of[place].is_none());
            path.push((row, candidates, reached));
            if let Some(place) = free {
                self.row_of[place] = Some(row);
                for i in (1..path.len()).rev() {
                    self.row_of[path[i].2] = Some(path[i - 1].0);
                }
                return true;
            }
            while let Some((_, candidates, _)) = path.last_mut() {
                let (seen, round) = (&self.seen, self.round);
                let Some(place) = candidates.find(|&place| seen[place] != round) else {
                    path.pop();
                    continue;
                };
                self.seen[place] = self.round;
                self.visited.push(place);
                next = self.row_of[place].map(|other| (other, place));
                if next.is_some() {
                    break;
                }
            }
        }
        false
    }

    /// After a search in vain: the rows that determine all unknowns that the row could have determined.
    pub fn rows_in_the_way(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self
            .visited
            .iter()
            .filter_map(|&x| self.row_of[x])
            .collect();
        rows.sort_unstable();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::{Kuhn, Rows};

    impl Rows for Vec<Vec<usize>> {
        fn candidates(&self, row: usize) -> impl Iterator<Item = usize> + Clone {
            self[row].iter().copied()
        }
    }

    #[test]
    fn earlier_rows_keep_their_place_and_are_named_where_they_are_in_the_way() {
        let rows = vec![vec![0, 1], vec![0], vec![1], vec![2]];
        let mut matching = Kuhn::new(3);
        assert!(matching.augment(&rows, 0));
        assert!(matching.augment(&rows, 1));
        assert_eq!(matching.row_of, [Some(1), Some(0), None]);
        assert!(!matching.augment(&rows, 2));
        assert_eq!(matching.rows_in_the_way(), [0, 1]);
        assert!(matching.augment(&rows, 3));
    }
}
