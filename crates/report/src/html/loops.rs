//! Loops between conditions and unknowns, as graphs.

use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::loops::Loop as Decided;
use modeshift_mdae::model::ModeId;
use modeshift_mdae::sym::{VarId, VarRef};
use serde::Serialize;

/// Loops that are shown; more of them are more of the same.
const MAX_LOOPS: usize = 40;

/// Conditions and unknowns of one loop that are drawn.
const MAX_NODES: usize = 16;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Loop {
    status: &'static str,
    procedure: String,
    /// What the witness says, in words.
    witness: Option<String>,
    conditions: Vec<String>,
    unknowns: Vec<String>,
    /// Places in the two lists: a condition reads an unknown.
    reads: Vec<(usize, usize)>,
    /// Places in the two lists: an equation for the unknown depends on the condition.
    decides: Vec<(usize, usize)>,
    more: usize,
}

pub(super) fn loops(analysis: &Analysis) -> Vec<Loop> {
    let shown = analysis.loops.iter().take(MAX_LOOPS);
    shown.map(|decided| one(analysis, decided)).collect()
}

fn one(analysis: &Analysis, decided: &Decided) -> Loop {
    let mdae = &analysis.mdae;
    let conditions: Vec<ModeId> = decided.modes.iter().copied().take(MAX_NODES).collect();
    // What conditions read is drawn first.
    let read: Vec<VarRef> = decided
        .modes
        .iter()
        .flat_map(|&mode| decided.reads(analysis, mode))
        .collect();
    let mut unknowns: Vec<VarRef> = decided.unknowns.clone();
    unknowns.sort_by_key(|unknown| !read.contains(unknown));
    unknowns.truncate(MAX_NODES);
    let mut reads = Vec::new();
    let mut decides = Vec::new();
    for (c, &mode) in conditions.iter().enumerate() {
        for read in decided.reads(analysis, mode) {
            reads.extend(
                unknowns
                    .iter()
                    .position(|unknown| *unknown == read)
                    .map(|u| (c, u)),
            );
        }
        for var in decided.decides(analysis, mode) {
            let is_it = |unknown: &VarRef| -> bool { unknown.var == VarId(var.0) };
            decides.extend(unknowns.iter().position(is_it).map(|u| (u, c)));
        }
    }
    Loop {
        status: decided.status.name(),
        procedure: decided.procedure.clone(),
        witness: decided
            .witness
            .as_ref()
            .map(|witness| modeshift_mdae::diagnose::witness_text(mdae, witness)),
        conditions: conditions
            .iter()
            .map(|&mode| mdae.modes[mode].name.to_string())
            .collect(),
        unknowns: unknowns
            .iter()
            .map(|&unknown| crate::modes::derivative_text(mdae, unknown))
            .collect(),
        reads,
        decides,
        more: decided.modes.len().saturating_sub(MAX_NODES)
            + decided.unknowns.len().saturating_sub(MAX_NODES),
    }
}
