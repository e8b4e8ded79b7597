//! Unknowns that are functions of time: what follows from parameters, time and inputs by one equation after the other. They may
//! have to be differentiated, as a path whose acceleration is wanted, but they are nobody's states: an equation between them
//! alone constrains none.

use crate::analysis::Analysis;
use crate::mode::Rows;
use crate::model::{ModeDef, ModeVar};
use crate::sym::{Kind, VarId, for_each_node, variables};
use modeshift_base::FxHashSet;
use modeshift_structure::{AllModes, BddSet, BddSets, GuardedProblem, ModeSets};

/// Whether an instant is given by an unknown, as in `time < t1` with `t1 = t0 + duration`. In which order such instants come is not
/// known, so neither are the pieces of a function of time that meet.
pub fn has_open_instants(analysis: &Analysis) -> bool {
    let mdae = &analysis.mdae;
    let is_open = |mode: &ModeVar| {
        let ModeDef::Predicate(predicate) = &mode.def else {
            return false;
        };
        let difference = predicate.lhs.sub(&predicate.rhs);
        let mut at_time = false;
        for_each_node(&difference, &mut |node| {
            at_time |= matches!(node.kind(), Kind::Time);
            !at_time
        });
        let mut reads = variables(&difference).into_iter();
        at_time && reads.any(|read| mdae.is_unknown(read.var) && read.order == 0)
    };
    mdae.modes.iter().any(is_open)
}

/// The unknowns that are functions of time in every regular mode. Linear in the number of occurrences, apart from the set
/// operations, one for each row.
pub(crate) fn prescribed(
    sets: &BddSets,
    rows: &Rows,
    problem: &GuardedProblem<BddSet>,
    structure: &AllModes<BddSet>,
) -> FxHashSet<VarId> {
    let mut found: FxHashSet<VarId> = FxHashSet::default();
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); rows.differentiated.len()];
    let mut open: Vec<usize> = Vec::with_capacity(rows.occurrences.len());
    for (row, occurrences) in rows.occurrences.iter().enumerate() {
        let distinct: FxHashSet<VarId> = occurrences.iter().map(|it| it.variable).collect();
        for x in &distinct {
            readers[x.0 as usize].push(row);
        }
        open.push(distinct.len());
    }
    // The modes in which something gives a variable.
    let mut given: Vec<BddSet> = vec![sets.empty(); readers.len()];
    let mut ready: Vec<usize> = (0..open.len()).filter(|&row| open[row] == 1).collect();
    while let Some(row) = ready.pop() {
        let mut own = rows.occurrences[row].iter();
        let Some(x) = own
            .clone()
            .map(|it| it.variable)
            .find(|x| !found.contains(x))
        else {
            continue;
        };
        if own.any(|it| it.variable == x && it.order > 0) {
            continue;
        }
        let at = x.0 as usize;
        let Ok(modes) = sets.or(&given[at], &problem.active[row]) else {
            continue;
        };
        let component = &structure.components[structure.component_of_equation[row]];
        if sets.is_subset(&component.regular, &modes) == Ok(true) {
            found.insert(x);
            for &reader in &readers[at] {
                open[reader] -= 1;
                if open[reader] == 1 {
                    ready.push(reader);
                }
            }
        }
        given[at] = modes;
    }
    found
}
