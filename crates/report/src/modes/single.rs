//! One mode by itself.

use super::{ClassEntry, EquationEntry, Places, Writer};
use modeshift_mdae::analysis::{Analysis, Class, Classes, Kind, Members, kind_of};
use modeshift_mdae::formula;
use modeshift_mdae::print::equation_body;
use modeshift_structure::{ModeStructure, ModeVar};
use serde::Serialize;
use std::fmt::Write as _;

/// The document of `modeshift modes --mode`.
#[derive(Clone, Debug, Serialize)]
pub struct SingleDocument {
    pub schema: &'static str,
    pub model: String,
    #[serde(flatten)]
    pub class: ClassEntry,
    /// Equations with how often they are differentiated.
    pub equations: Vec<SingleEquation>,
    /// Unknowns with the order of their leading derivative.
    pub variables: Vec<SingleVariable>,
    /// Sizes of the blocks of the leading system, in the order of solving.
    pub blocks: Vec<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SingleEquation {
    #[serde(flatten)]
    pub equation: EquationEntry,
    pub offset: Option<i32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SingleVariable {
    pub variable: String,
    pub offset: Option<i32>,
}

/// With more conditions than this only those that hold are named.
const MAX_LITERALS: usize = 12;

/// A mode with many conditions: those that hold, and how many do not.
fn mostly_false(modes: &[ModeVar], mode: &[bool], literal: &dyn Fn(&ModeVar) -> String) -> String {
    let holding: Vec<&ModeVar> = modes.iter().filter(|var| mode[var.index()]).collect();
    let others = modes.len() - holding.len();
    let mut parts: Vec<String> = holding
        .iter()
        .take(MAX_LITERALS)
        .map(|var| literal(var))
        .collect();
    if holding.len() > MAX_LITERALS {
        parts.push(format!("{} more", holding.len() - MAX_LITERALS));
    }
    match (parts.is_empty(), others) {
        (true, _) => format!("none of the {others} conditions"),
        (false, 0) => parts.join(" and "),
        (false, _) => format!(
            "{} and none of the other {others} conditions",
            parts.join(" and ")
        ),
    }
}

/// The class that consists of one mode.
fn one_class(analysis: &Analysis, mode: &[bool], kind: Kind) -> Classes {
    let modes: Vec<ModeVar> = analysis
        .mdae
        .modes
        .iter_enumerated()
        .filter(|(_, mode)| !mode.auxiliary)
        .map(|(id, _)| ModeVar::new(id.index()))
        .collect();
    let literal = |&var: &ModeVar| formula::literal(&analysis.mdae, var, mode[var.index()]);
    let when = if modes.is_empty() {
        "true".to_owned()
    } else if modes.len() <= MAX_LITERALS {
        modes.iter().map(literal).collect::<Vec<_>>().join(" and ")
    } else {
        mostly_false(&modes, mode, &literal)
    };
    let class = Class {
        when,
        count: 1u32.into(),
        kind,
        representative: mode.to_vec(),
        valuations: Some(vec![modes.iter().map(|var| mode[var.index()]).collect()]),
        members: Members::Listed,
    };
    Classes {
        modes,
        classes: vec![class],
    }
}

pub fn single_document(analysis: &Analysis, mode: &[bool], places: &Places<'_>) -> SingleDocument {
    let (system, structure) = analysis.mode(mode);
    let classes = one_class(analysis, mode, kind_of(&system, &structure));
    let writer = Writer { analysis, places };
    let (c, d, blocks) = match &structure {
        ModeStructure::Regular { offsets, blocks } => {
            let sizes = blocks.iter().map(|block| block.equations.len()).collect();
            (Some(&offsets.c), Some(&offsets.d), sizes)
        }
        ModeStructure::Singular(_) => (None, None, Vec::new()),
    };
    SingleDocument {
        schema: "modeshift.mode/1",
        model: analysis.mdae.name.to_string(),
        class: writer.class(&classes, &classes.classes[0]),
        equations: system
            .equations
            .iter()
            .enumerate()
            .map(|(row, &id)| SingleEquation {
                equation: writer.equation(id),
                offset: c.map(|c| c[row]),
            })
            .collect(),
        variables: system
            .variables
            .iter()
            .enumerate()
            .map(|(column, &x)| SingleVariable {
                variable: analysis.mdae.variable(x).name.to_string(),
                offset: d.map(|d| d[column]),
            })
            .collect(),
        blocks,
    }
}

/// One mode for people.
pub fn single(analysis: &Analysis, mode: &[bool]) -> String {
    let mdae = &analysis.mdae;
    let (system, structure) = analysis.mode(mode);
    let classes = one_class(analysis, mode, kind_of(&system, &structure));
    let mut out = format!("{} when {}\n", mdae.name, classes.classes[0].when);
    match &structure {
        ModeStructure::Regular { offsets, blocks } => {
            let _ = writeln!(
                out,
                "  index {}, {} degrees of freedom, {} equations in {} blocks, the largest of {}",
                offsets.index(),
                offsets.degrees_of_freedom(),
                system.equations.len(),
                blocks.len(),
                blocks.largest()
            );
            for (row, &id) in system
                .equations
                .iter()
                .enumerate()
                .filter(|(row, _)| offsets.c[*row] > 0)
            {
                let text = equation_body(mdae, &mdae.equations[id]);
                let _ = writeln!(out, "  differentiated {}×: {text}", offsets.c[row]);
            }
        }
        ModeStructure::Singular(parts) => {
            let graph = system.matrix.graph();
            let _ = writeln!(out, "  singular");
            for &id in &system.equations_of(&parts.over_witness(graph).unwrap_or_default()) {
                let text = equation_body(mdae, &mdae.equations[id]);
                let _ = writeln!(out, "  one too many among these: {text}");
            }
            for &x in &system.variables_of(&parts.under_witness(graph).unwrap_or_default()) {
                let _ = writeln!(out, "  not determined: {}", mdae.variable(x).name);
            }
        }
    }
    out
}
