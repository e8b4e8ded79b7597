//! Pictures of a model: its incidence, its conditional dependencies and its modes, for Graphviz or as SVG.

mod dot;
mod layout;
mod matrix;
mod svg;

pub use dot::dot;
pub use matrix::matrix;
pub use svg::svg;

use crate::html::structure::{Structure, bits, describe};
use modeshift_base::FxIndexMap;
use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::model::MDae;
use modeshift_mdae::print::equation_body;
use modeshift_restart::describe::describe as describe_change;
use modeshift_restart::explore::Exploration;
use modeshift_restart::modes::Mode;
use modeshift_restart::verdict::Verdict;

/// Graphs with more nodes than this are not drawn: nobody could read them.
pub const MAX_NODES: usize = 400;

/// A directed graph with labels.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub name: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Nodes are placed on a ring rather than in layers.
    pub ring: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub label: String,
    pub round: bool,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub style: EdgeStyle,
}

/// What an edge looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeStyle {
    Plain,
    /// Holds in some modes only.
    Conditional,
    Matched,
    Continuous,
    Jump,
    Impulsive,
    Undetermined,
    Rejected,
}

impl EdgeStyle {
    pub(crate) const fn color(self) -> &'static str {
        match self {
            Self::Plain => "#676d76",
            Self::Conditional | Self::Undetermined => "#8249b5",
            Self::Matched | Self::Jump => "#2f5fb3",
            Self::Continuous => "#2e7d4f",
            Self::Impulsive => "#c06a00",
            Self::Rejected => "#b3372f",
        }
    }

    pub(crate) const fn is_dashed(self) -> bool {
        matches!(
            self,
            Self::Conditional | Self::Undetermined | Self::Rejected
        )
    }
}

/// Which equation needs a variable that another one determines, and in which modes (RR-9334, figure 35).
pub fn dependencies(analysis: &Analysis) -> Graph {
    let mdae = &analysis.mdae;
    let nodes = analysis.rows.equations.iter().map(|&id| Node {
        label: equation_body(mdae, &mdae.equations[id]),
        round: false,
    });
    let edges = analysis.dependencies().into_iter().map(|dependency| {
        let always = dependency.when == "true";
        Edge {
            from: dependency.writer,
            to: dependency.reader,
            label: if always {
                dependency.variable
            } else {
                format!("{} when {}", dependency.variable, dependency.when)
            },
            style: if always {
                EdgeStyle::Plain
            } else {
                EdgeStyle::Conditional
            },
        }
    });
    Graph {
        name: mdae.name.to_string(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        ring: false,
    }
}

/// Modes and the changes between them.
pub fn modes(explored: &Exploration<'_>) -> Graph {
    let mdae = explored.modes.mdae;
    let mut modes: FxIndexMap<&Mode, ()> = FxIndexMap::default();
    let mut edges = Vec::new();
    for transition in &explored.transitions {
        let Some(from) = &transition.from else {
            continue;
        };
        edges.push(Edge {
            from: modes.insert_full(from, ()).0,
            to: modes.insert_full(&transition.to, ()).0,
            label: describe_change(explored, transition).replace('`', ""),
            style: style_of(explored, transition),
        });
    }
    let nodes = modes
        .keys()
        .map(|mode| Node {
            label: mode_label(mdae, mode),
            round: true,
        })
        .collect();
    Graph {
        name: mdae.name.to_string(),
        nodes,
        edges,
        ring: true,
    }
}

fn style_of(
    explored: &Exploration<'_>,
    transition: &modeshift_restart::explore::Transition,
) -> EdgeStyle {
    if transition.unbounded {
        return EdgeStyle::Undetermined;
    }
    let parts = || {
        transition
            .parts
            .iter()
            .map(|&part| &explored.parts[part].analysis)
    };
    match explored.verdict(transition) {
        Verdict::Determined if parts().any(|part| !part.impulsive.is_empty()) => {
            EdgeStyle::Impulsive
        }
        Verdict::Determined if parts().any(|part| !part.jumps.is_empty()) => EdgeStyle::Jump,
        Verdict::Determined => EdgeStyle::Continuous,
        Verdict::Undetermined | Verdict::Ambiguous | Verdict::NumericallySingular => {
            EdgeStyle::Undetermined
        }
        _ => EdgeStyle::Rejected,
    }
}

fn mode_label(mdae: &MDae, mode: &[bool]) -> String {
    let conditions = mdae.modes.iter().zip(mode);
    let named = conditions.filter(|(variable, _)| !variable.auxiliary);
    mode_name(named.map(|(variable, value)| (&*variable.name, *value)))
}

/// What a mode is called: the conditions that hold.
pub(crate) fn mode_name<'n>(conditions: impl Iterator<Item = (&'n str, bool)>) -> String {
    let (on, off): (Vec<_>, Vec<_>) = conditions.partition(|(_, holds)| *holds);
    match (on.as_slice(), off.as_slice()) {
        ([], [(only, _)]) => format!("not {only}"),
        ([], _) => "none".to_owned(),
        (on, _) => on
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// The incidence matrix of a mode, with names.
pub struct Incidence {
    pub model: String,
    pub(crate) structure: Structure,
    equations: Vec<String>,
    variables: Vec<String>,
}

/// The incidence of one mode, in block triangular form.
pub fn incidence(analysis: &Analysis, mode: &[bool]) -> Incidence {
    let mdae = &analysis.mdae;
    let (system, _) = analysis.mode(mode);
    let structure = describe(&bits(mode), &system);
    let equation = |&row: &u32| {
        let id = mdae.equations.ids().nth(row as usize);
        id.map(|id| equation_body(mdae, &mdae.equations[id]))
            .unwrap_or_default()
    };
    Incidence {
        model: mdae.name.to_string(),
        equations: structure.rows.iter().map(equation).collect(),
        variables: structure
            .columns
            .iter()
            .map(|&x| mdae.variables.as_slice()[x as usize].name.to_string())
            .collect(),
        structure,
    }
}

/// The incidence as a graph with equations on one side and variables on the other.
pub fn bipartite(incidence: &Incidence) -> Graph {
    let structure = &incidence.structure;
    let equations = incidence.equations.iter().map(|label| Node {
        label: label.clone(),
        round: false,
    });
    let variables = incidence.variables.iter().map(|label| Node {
        label: label.clone(),
        round: true,
    });
    let edges = structure.entries.chunks_exact(3).map(|entry| {
        let (row, column) = (entry[0] as usize, entry[1] as usize);
        let matched = structure.matching[row] == entry[1];
        Edge {
            from: row,
            to: incidence.equations.len() + column,
            label: "′".repeat(entry[2].clamp(0, 3) as usize),
            style: if matched {
                EdgeStyle::Matched
            } else {
                EdgeStyle::Plain
            },
        }
    });
    Graph {
        name: incidence.model.clone(),
        nodes: equations.chain(variables).collect(),
        edges: edges.collect(),
        ring: false,
    }
}
