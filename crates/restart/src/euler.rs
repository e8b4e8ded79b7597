//! Euler identities, as one chain of unit steps per class of cells.
//!
//! In a class the cells `x'^m@k` with equal `m + k` are linked by `x'^m@k = ε⁻¹ (x'^(m−1)@(k+1) −
//! x'^(m−1)@k)`, from the highest derivative that occurs (or that the new mode has: a state that jumps
//! has an impulsive derivative, whether or not an equation of the array reads it) down to the lowest.
//! Wider identities with ε⁻² would give wrong orders.

use crate::array::{Cell, Setting};
use crate::change::Role;
use modeshift_base::FxIndexMap;
use std::collections::BTreeMap;

/// The cells `x'^m@k` whose identity belongs to the array; adds the cells that the identities mention.
/// Links into a cell of `reinits` are left out. O(cells · height).
pub(crate) fn closure(
    setting: &Setting<'_>,
    columns: &mut FxIndexMap<Cell, ()>,
    reinits: &[Cell],
) -> Vec<Cell> {
    let mut spans: BTreeMap<_, BTreeMap<u32, (u32, u32)>> = BTreeMap::new();
    for cell in columns.keys() {
        if setting.change.role(cell.var) == Role::Unknown {
            let span = spans.entry(cell.var).or_default().entry(cell.class());
            let (low, high) = span.or_insert((cell.order, cell.order));
            *low = (*low).min(cell.order);
            *high = (*high).max(cell.order);
        }
    }
    let mut links = Vec::new();
    for (var, mut classes) in spans {
        // From the highest class down: each identity mentions one cell of the class below.
        let d = setting.d_after(var);
        while let Some((class, (low, high))) = classes.pop_last() {
            let high = if class >= d { high.max(d) } else { high };
            for order in (low + 1..=high).rev() {
                let cell = Cell {
                    var,
                    order,
                    instant: class - order,
                };
                let next = Cell {
                    order: order - 1,
                    instant: cell.instant + 1,
                    ..cell
                };
                if reinits.contains(&next) {
                    continue;
                }
                links.push(cell);
                columns.insert(next, ());
                columns.insert(cell, ());
                let below = Cell {
                    order: order - 1,
                    ..cell
                };
                if !setting.is_past(below) {
                    columns.insert(below, ());
                    let span = classes
                        .entry(below.class())
                        .or_insert((below.order, below.order));
                    span.0 = span.0.min(below.order);
                    span.1 = span.1.max(below.order);
                }
            }
        }
    }
    links
}
