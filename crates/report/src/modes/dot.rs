//! The conditional dependency graph (RR-9334, figure 35) for Graphviz.

use modeshift_mdae::analysis::Analysis;
use modeshift_mdae::print::equation_body;
use std::fmt::Write as _;

/// Which equation needs a variable that another one determines, and in which modes.
pub fn dot(analysis: &Analysis) -> String {
    let mdae = &analysis.mdae;
    let mut out = String::from(
        "digraph modes {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n",
    );
    for (row, &id) in analysis.rows.equations.iter().enumerate() {
        let text = equation_body(mdae, &mdae.equations[id]);
        let _ = writeln!(out, "  e{row} [label=\"{}\"];", escaped(&text));
    }
    for dependency in analysis.dependencies() {
        let label = match &*dependency.when {
            "true" => dependency.variable,
            when => format!("{}\\n{}", dependency.variable, escaped(when)),
        };
        let _ = writeln!(
            out,
            "  e{} -> e{} [label=\"{label}\"];",
            dependency.writer, dependency.reader
        );
    }
    out.push_str("}\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
