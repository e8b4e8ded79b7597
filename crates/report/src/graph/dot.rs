//! Graphs for Graphviz.

use super::{EdgeStyle, Graph};
use std::fmt::Write as _;

/// The graph in Graphviz's language.
pub fn dot(graph: &Graph) -> String {
    let mut out = format!(
        "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];\n  \
         edge [fontname=\"monospace\", fontsize=9];\n",
        escape(&graph.name)
    );
    for (i, node) in graph.nodes.iter().enumerate() {
        let shape = if node.round { ", shape=ellipse" } else { "" };
        let _ = writeln!(out, "  n{i} [label=\"{}\"{shape}];", escape(&node.label));
    }
    for edge in &graph.edges {
        let mut options = format!("color=\"{}\"", edge.style.color());
        if !edge.label.is_empty() {
            let _ = write!(options, ", label=\"{}\"", escape(&edge.label));
        }
        if edge.style.is_dashed() {
            options.push_str(", style=dashed");
        }
        if edge.style == EdgeStyle::Matched {
            options.push_str(", penwidth=2.5");
        }
        let _ = writeln!(out, "  n{} -> n{} [{options}];", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
