//! The incidence matrix of a mode in block triangular form, with offsets and matching.

use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::mode::OneMode;
use modeshift_mdae::model::EqId;
use modeshift_structure::{self as structure, ModeStructure, maximum_matching};
use serde::Serialize;

/// Entries of all matrices together; later ones are left out.
const MAX_ENTRIES: usize = 120_000;

/// Rows and columns are in the order in which they are drawn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Structure {
    /// The mode: values of the model's conditions as `0` and `1`.
    pub(crate) mode: String,
    /// Numbers of equations.
    pub(crate) rows: Vec<u32>,
    /// Numbers of variables.
    pub(crate) columns: Vec<u32>,
    /// How often each row is differentiated; empty for a singular mode.
    pub(crate) c: Vec<i32>,
    /// The order of each column's leading derivative.
    pub(crate) d: Vec<i32>,
    /// Sizes of the diagonal blocks, in the order of solving.
    pub(crate) blocks: Vec<u32>,
    /// By row, the column it is matched with; -1 if none.
    pub(crate) matching: Vec<i32>,
    /// Row, column, order of the derivative: three numbers for each entry.
    pub(crate) entries: Vec<i32>,
}

pub(crate) struct Collector<'a> {
    analysis: &'a Analysis,
    structures: Vec<Structure>,
    entries: usize,
}

impl<'a> Collector<'a> {
    pub fn new(analysis: &'a Analysis) -> Self {
        Self {
            analysis,
            structures: Vec::new(),
            entries: 0,
        }
    }

    /// The structure of a mode, of the whole model or of some of its equations; `None` when the report is full.
    /// Linear in the matrix apart from matching.
    pub fn add(&mut self, mode: &[bool], equations: Option<&[EqId]>) -> Option<usize> {
        let analysis = self.analysis;
        let mdae = &analysis.mdae;
        let mut mode = mode.to_vec();
        mode.resize(mdae.modes.len(), false);
        let truth = mdae.conds.evaluate(&mode);
        let system = match equations {
            None => OneMode::new(mdae, &analysis.rows, &truth),
            Some(wanted) => {
                let mut wanted = wanted.to_vec();
                wanted.sort_unstable();
                let rows = analysis.rows.equations.iter().enumerate();
                let rows = rows
                    .filter(|(_, id)| wanted.binary_search(id).is_ok())
                    .map(|(row, _)| row);
                OneMode::of_rows(mdae, &analysis.rows, &truth, rows)
            }
        };
        let n_entries = system.matrix.graph().n_edges();
        if self.entries + n_entries > MAX_ENTRIES {
            return None;
        }
        self.entries += n_entries;
        self.structures.push(describe(&bits(&mode), &system));
        Some(self.structures.len() - 1)
    }

    pub fn finish(self) -> Vec<Structure> {
        self.structures
    }
}

/// Truth values as `0` and `1`.
pub(crate) fn bits(mode: &[bool]) -> String {
    mode.iter()
        .map(|&value| if value { '1' } else { '0' })
        .collect()
}

pub(crate) fn describe(mode: &str, system: &OneMode) -> Structure {
    let graph = system.matrix.graph();
    let (mut rows, mut columns, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut c, mut d) = (Vec::new(), Vec::new());
    let matching = match system.structure() {
        ModeStructure::Regular {
            offsets,
            blocks: found,
        } => {
            for block in found.iter() {
                rows.extend_from_slice(block.equations);
                columns.extend_from_slice(block.variables);
                blocks.push(block.equations.len() as u32);
            }
            c.extend(rows.iter().map(|f| offsets.c[f.index()]));
            d.extend(columns.iter().map(|x| offsets.d[x.index()]));
            offsets.matching
        }
        ModeStructure::Singular(_) => {
            // Matched rows and columns along the diagonal, then what is left over.
            let matching = maximum_matching(graph);
            for (f, x) in matching.pairs() {
                rows.push(f);
                columns.push(x);
            }
            rows.extend(matching.free_equations());
            columns.extend(matching.free_variables());
            matching
        }
    };
    let mut column_of = vec![0_i32; graph.n_variables()];
    for (i, x) in columns.iter().enumerate() {
        column_of[x.index()] = i as i32;
    }
    let mut entries = Vec::with_capacity(3 * graph.n_edges());
    for (row, &f) in rows.iter().enumerate() {
        for (x, sigma) in system.matrix.row(f) {
            entries.extend([row as i32, column_of[x.index()], sigma]);
        }
    }
    let matched = |f: &structure::EqId| {
        matching
            .variable_of(*f)
            .map_or(-1, |x| column_of[x.index()])
    };
    Structure {
        mode: mode.to_owned(),
        matching: rows.iter().map(matched).collect(),
        rows: rows
            .iter()
            .map(|f| system.equations[f.index()].index() as u32)
            .collect(),
        columns: columns
            .iter()
            .map(|x| system.variables[x.index()].0)
            .collect(),
        c,
        d,
        blocks,
        entries,
    }
}
