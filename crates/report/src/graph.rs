//! Pictures of a model: its incidence, its conditional dependencies and its modes, for Graphviz or as SVG.

mod collapse;
mod dot;
mod layout;
mod matrix;
mod picture;
mod svg;

pub use dot::dot;
pub use matrix::matrix;
pub use picture::{Picture, picture};
pub use svg::svg;

pub(crate) use collapse::by_component;

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
    /// What letters in the names of nodes stand for.
    pub legend: Vec<(String, String)>,
    /// Edges carry their labels; else these are only told when somebody points at them.
    pub labelled: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub label: String,
    /// More than the label has room for.
    pub title: String,
    pub round: bool,
    pub tone: Tone,
    /// What the node stands for in the document it is drawn for: the number of a mode or an equation.
    pub stands_for: Option<usize>,
}

impl Node {
    fn new(label: String, round: bool) -> Self {
        Self {
            title: label.clone(),
            label,
            round,
            tone: Tone::Plain,
            stands_for: None,
        }
    }
}

/// The colour of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Plain,
    /// Modes with that index; the higher, the darker.
    Index(i32),
    Singular,
    /// On a loop between conditions and unknowns that is rejected or not decided.
    OnLoop,
}

impl Tone {
    /// The name of the colour, which is also a class of the page's style.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Index(..=0) => "index-0",
            Self::Index(1) => "index-1",
            Self::Index(2) => "index-2",
            Self::Index(_) => "index-3",
            Self::Singular => "singular",
            Self::OnLoop => "on-loop",
        }
    }

    /// Fill and border.
    pub(crate) const fn colors(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain | Self::Index(..=0) => ("#f3f1ec", "#c9c4b8"),
            Self::Index(1) => ("#dde6f4", "#9db4dc"),
            Self::Index(2) => ("#c2d3ee", "#7f9dd2"),
            Self::Index(_) => ("#a5bde6", "#5f84c5"),
            Self::Singular => ("#f7d9d5", "#b3372f"),
            Self::OnLoop => ("#fbe6cc", "#c06a00"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub style: EdgeStyle,
    /// The number of what is shown when the edge is chosen.
    pub shows: Option<usize>,
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

    /// The name that the page's style knows.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Conditional => "conditional",
            Self::Matched => "matched",
            Self::Continuous => "continuous",
            Self::Jump => "jump",
            Self::Impulsive => "impulsive",
            Self::Undetermined => "undetermined",
            Self::Rejected => "rejected",
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
    let on_loop = collapse::on_bad_loop(analysis);
    let rows = analysis.rows.equations.iter().zip(on_loop);
    let nodes = rows.map(|(&id, on_loop)| {
        let node = Node::new(equation_body(mdae, &mdae.equations[id]), false);
        Node {
            tone: match on_loop {
                true => Tone::OnLoop,
                false => Tone::Plain,
            },
            stands_for: Some(id.index()),
            ..node
        }
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
            shows: None,
        }
    });
    let edges: Vec<Edge> = edges.collect();
    Graph {
        name: mdae.name.to_string(),
        nodes: nodes.collect(),
        // Conditions make long labels, and one equation is needed by many.
        labelled: edges.len() <= 16,
        edges,
        ..Graph::default()
    }
}

/// Modes and the changes between them; `shows` tells for each change what is shown when it is chosen.
pub fn modes(
    analysis: &Analysis,
    explored: &Exploration<'_>,
    shows: &dyn Fn(usize) -> Option<usize>,
) -> Graph {
    let mdae = explored.modes.mdae;
    let mut modes: FxIndexMap<&Mode, ()> = FxIndexMap::default();
    let mut edges = Vec::new();
    for (i, transition) in explored.transitions.iter().enumerate() {
        let Some(from) = &transition.from else {
            continue;
        };
        edges.push(Edge {
            from: modes.insert_full(from, ()).0,
            to: modes.insert_full(&transition.to, ()).0,
            label: describe_change(explored, transition).replace('`', ""),
            style: style_of(explored, transition),
            shows: shows(i),
        });
    }
    let legend = letters(mdae, modes.keys().copied());
    let nodes = modes.keys().enumerate().map(|(i, mode)| {
        let (tone, words) = collapse::structure_of(analysis, mode);
        let full = mode_label(mdae, mode);
        let label = match legend.is_empty() {
            true => full.clone(),
            false => mode_name(conditions(mdae, mode).map(|(name, holds)| {
                let letter = legend.iter().find(|(_, known)| known == name);
                (letter.map_or(name, |(letter, _)| letter.as_str()), holds)
            })),
        };
        Node {
            title: format!("{full}{words}"),
            tone,
            stands_for: Some(i),
            ..Node::new(label, true)
        }
    });
    Graph {
        name: mdae.name.to_string(),
        nodes: nodes.collect(),
        edges,
        labelled: true,
        legend,
    }
}

/// Letters for the conditions of modes whose names would be too long for a node; none where all names fit.
fn letters<'m>(mdae: &MDae, modes: impl Iterator<Item = &'m Mode>) -> Vec<(String, String)> {
    const LONGEST_NAME: usize = 24;
    let named: Vec<&str> = mdae
        .modes
        .iter()
        .filter(|it| !it.auxiliary)
        .map(|it| &*it.name)
        .collect();
    let long = modes
        .take(500)
        .any(|mode| mode_label(mdae, mode).chars().count() > LONGEST_NAME);
    let worth = named.len() <= 26 && named.iter().any(|name| name.len() > 6);
    if !long || !worth {
        return Vec::new();
    }
    let letters = ('a'..='z').map(String::from);
    letters.zip(named.into_iter().map(str::to_owned)).collect()
}

/// The same, with modes of equal structure put together if there are too many to be drawn.
pub fn readable_modes(
    analysis: &Analysis,
    explored: &Exploration<'_>,
    shows: &dyn Fn(usize) -> Option<usize>,
) -> Graph {
    let graph = modes(analysis, explored, shows);
    match graph.nodes.len() > MAX_DRAWN_MODES || graph.edges.len() > MAX_DRAWN_CHANGES {
        true => collapse::by_class(analysis, explored, graph),
        false => graph,
    }
}

/// More modes and changes than these are put together by class.
const MAX_DRAWN_MODES: usize = 24;
const MAX_DRAWN_CHANGES: usize = 72;

/// The dependencies, of components where there are too many equations to be drawn.
pub fn readable_dependencies(analysis: &Analysis) -> Graph {
    let graph = dependencies(analysis);
    match graph.nodes.len() > MAX_DRAWN_EQUATIONS {
        true => by_component(analysis, graph),
        false => collapse::bundled(graph),
    }
}

/// More equations than these are put together by component.
const MAX_DRAWN_EQUATIONS: usize = 40;

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
    mode_name(conditions(mdae, mode))
}

/// The conditions that decide equations, with their values in a mode.
fn conditions<'m>(mdae: &'m MDae, mode: &'m [bool]) -> impl Iterator<Item = (&'m str, bool)> {
    let conditions = mdae.modes.iter().zip(mode);
    let named = conditions.filter(|(variable, _)| !variable.auxiliary);
    named.map(|(variable, value)| (&*variable.name, *value))
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
    let nodes = |labels: &[String], round: bool| -> Vec<Node> {
        let nodes = labels.iter().map(|label| Node::new(label.clone(), round));
        nodes.collect()
    };
    let equations = nodes(&incidence.equations, false);
    let variables = nodes(&incidence.variables, true);
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
            shows: None,
        }
    });
    Graph {
        name: incidence.model.clone(),
        nodes: equations.into_iter().chain(variables).collect(),
        edges: edges.collect(),
        labelled: true,
        ..Graph::default()
    }
}
