//! Several good choices of rows, with different results.

use super::{Judgement, restart_rows_of, states};
use crate::array::{Rank, RowKind};
use crate::facts::Past;
use crate::matching::{Incidence, Matching};
use crate::rescale::orders;
use crate::system::{Meaning, RestartSystem};
use crate::verdict::{Analysis, Verdict};
use modeshift_mdae::sym::{Expr, VarId, is_affine};

/// More exchanges than this are not tried.
const MAX_EXCHANGES: usize = 64;

impl Judgement<'_, '_> {
    /// Exchanges of a row that was left out for one that takes part, after which the array is as good but
    /// the right limits are others. Only told where it is certain: both restart systems are affine. O(n³) for
    /// each of at most [`MAX_EXCHANGES`].
    pub(super) fn rivals(
        &self,
        past: &Past<'_>,
        system: &RestartSystem,
    ) -> Vec<(RowKind, RowKind)> {
        let stack = self.stack;
        if stack.dropped.is_empty() {
            return Vec::new();
        }
        let graph = Incidence {
            rows: stack
                .array
                .rows
                .iter()
                .map(|row| row.columns.clone())
                .collect(),
            n_columns: stack.array.columns.len(),
        };
        let mut matching = Matching::empty(&graph);
        for (position, &row) in stack.enabled.iter().enumerate() {
            let column = self.orders.column_of[position];
            matching.column_of[row] = Some(column);
            matching.row_of[column] = Some(row);
        }
        let mut found = Vec::new();
        let mut tried = 0;
        for &dropped in &stack.dropped {
            for other in matching.over_part(&graph, [dropped]) {
                let kinds = (stack.array.rows[dropped].kind, stack.array.rows[other].kind);
                if stack.array.rows[other].rank != Rank::Optional || other == dropped {
                    continue;
                }
                tried += 1;
                if tried > MAX_EXCHANGES {
                    return found;
                }
                if self.differs(past, system, dropped, other) {
                    found.push(kinds);
                }
            }
        }
        found
    }

    /// Whether `dropped` in the place of `other` gives another restart.
    fn differs(
        &self,
        past: &Past<'_>,
        system: &RestartSystem,
        dropped: usize,
        other: usize,
    ) -> bool {
        let mut stack = self.stack.clone();
        stack.enabled.retain(|&row| row != other);
        stack.enabled.push(dropped);
        stack.enabled.sort_unstable();
        stack.dropped.clear();
        let Ok(orders) = orders(&stack.array, &stack.enabled) else {
            return false;
        };
        let judgement = Judgement {
            setting: self.setting,
            stack: &stack,
            orders: &orders,
        };
        let mut analysis = Analysis::new(Verdict::Determined);
        judgement.fill(&mut analysis, &states(self.setting, &stack.heights));
        if analysis.verdict != Verdict::Determined {
            return false;
        }
        let rival = &analysis.system;
        let base = system.base + system.unknowns.len() as u32;
        let mut rows = restart_rows_of(system);
        rows.extend(rival.renumbered(base));
        if !rows.iter().all(is_affine) {
            return false;
        }
        let span = past.with(&rows);
        let mut shared = system
            .unknowns
            .iter()
            .enumerate()
            .filter_map(|(i, unknown)| {
                let same = rival.unknowns.iter().position(|other| other == unknown)?;
                (unknown.meaning == Meaning::Right).then_some((i, same))
            });
        shared.any(|(i, same)| {
            let value = Expr::var_ref(system.unknown(i));
            !span.contains(&value.sub(&Expr::var(VarId(base + same as u32))))
        })
    }
}
