//! A graph with where everything is, as a document: the page and the SVG draw the same.

use super::Graph;
use super::layout::{Line, Route, layered};
use serde::Serialize;

/// A graph that has been laid out.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    pub(super) nodes: Vec<DrawnNode>,
    pub(super) edges: Vec<DrawnEdge>,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The middle of each node.
    pub(super) places: Vec<(f64, f64)>,
    /// How each edge runs.
    pub(super) layout: Vec<Route>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct DrawnNode {
    /// As much as there is room for.
    pub(super) label: String,
    pub(super) title: String,
    pub(super) width: f64,
    pub(super) round: bool,
    pub(super) tone: &'static str,
    pub(super) stands_for: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct DrawnEdge {
    pub(super) label: String,
    pub(super) title: String,
    pub(super) style: &'static str,
    pub(super) shows: Option<usize>,
}

/// Of one letter, in monospaced fonts of 12 and of 10 pixels.
const LETTER: f64 = 7.25;
pub(super) const SMALL_LETTER: f64 = 6.1;
const LONGEST: usize = 40;
const LONGEST_LABEL: usize = 30;
/// Labels of more edges would cover the picture.
const MAX_LABELLED: usize = 60;

/// The first letters of a text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// Lays the graph out.
pub fn picture(graph: &Graph) -> Picture {
    let nodes: Vec<DrawnNode> = graph
        .nodes
        .iter()
        .map(|node| {
            let label = cut(&node.label, LONGEST);
            DrawnNode {
                width: label.chars().count().max(3) as f64 * LETTER + 24.0,
                label,
                title: node.title.clone(),
                round: node.round,
                tone: node.tone.name(),
                stands_for: node.stands_for,
            }
        })
        .collect();
    let labelled = graph.labelled && graph.edges.len() <= MAX_LABELLED;
    let edges: Vec<DrawnEdge> = graph
        .edges
        .iter()
        .map(|edge| DrawnEdge {
            label: match labelled {
                true => cut(&edge.label, LONGEST_LABEL),
                false => String::new(),
            },
            title: edge.label.clone(),
            style: edge.style.name(),
            shows: edge.shows,
        })
        .collect();
    let widths: Vec<f64> = nodes.iter().map(|node| node.width).collect();
    let lines: Vec<Line> = graph
        .edges
        .iter()
        .zip(&edges)
        .map(|(edge, drawn)| Line {
            from: edge.from,
            to: edge.to,
            label: match drawn.label.chars().count() {
                0 => 0.0,
                letters => letters as f64 * SMALL_LETTER + 8.0,
            },
        })
        .collect();
    let layout = layered(&widths, &lines);
    Picture {
        nodes,
        edges,
        width: layout.width,
        height: layout.height,
        places: layout.nodes,
        layout: layout.edges,
    }
}
