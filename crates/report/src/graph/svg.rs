//! Graphs as SVG: plain shapes and text, without scripts or fonts of their own.

use super::layout::NODE_HEIGHT;
use super::picture::{SMALL_LETTER, picture};
use super::{EdgeStyle, Graph};
use std::fmt::Write as _;

/// A text for XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub(super) fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\">\n<title>{}</title>\n<style>text {{ font: 12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; \
         fill: #1f2328 }} .small {{ font-size: 10px; fill: #676d76; paint-order: stroke; stroke: #fff; stroke-width: 4px }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape(title)
    )
}

/// Draws the graph.
pub fn svg(graph: &Graph) -> String {
    let picture = picture(graph);
    let legend = 18.0 * graph.legend.len() as f64;
    let widest = graph.legend.iter().map(|(_, name)| name.chars().count());
    let width = picture
        .width
        .max(60.0 + 7.25 * widest.max().unwrap_or(0) as f64);
    let mut out = open(width, picture.height + legend, &graph.name);
    arrow_heads(graph, &mut out);
    for (i, edge) in graph.edges.iter().enumerate() {
        let (drawn, route) = (&picture.edges[i], &picture.layout[i]);
        let color = edge.style.color();
        let dash = match edge.style.is_dashed() {
            true => " stroke-dasharray=\"5 3\"",
            false => "",
        };
        let width = match edge.style {
            EdgeStyle::Matched => 2.4,
            _ => 1.4,
        };
        let _ = writeln!(
            out,
            "<g><title>{}</title><path d=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dash} \
             marker-end=\"url(#a{})\"/>",
            escape(&drawn.title),
            route.path,
            &color[1..]
        );
        if let Some((x, y)) = route.label {
            let width = drawn.label.chars().count() as f64 * SMALL_LETTER + 4.0;
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"13\" fill=\"#fff\"/>",
                x - width / 2.0,
                y - 6.5
            );
            let _ = writeln!(
                out,
                "<text class=\"small\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                y + 3.5,
                escape(&drawn.label)
            );
        }
        out.push_str("</g>\n");
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        let ((x, y), drawn) = (picture.places[i], &picture.nodes[i]);
        let radius = if node.round { 16 } else { 6 };
        let (fill, border) = node.tone.colors();
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{NODE_HEIGHT}\" rx=\"{radius}\" \
             fill=\"{fill}\" stroke=\"{border}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            escape(&node.title),
            x - drawn.width / 2.0,
            y - NODE_HEIGHT / 2.0,
            drawn.width,
            y + 4.0,
            escape(&drawn.label)
        );
    }
    for (i, (letter, name)) in graph.legend.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"16\" y=\"{:.1}\">{letter}: {}</text>",
            picture.height + 18.0 * i as f64 + 6.0,
            escape(name)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn arrow_heads(graph: &Graph, out: &mut String) {
    let mut colors: Vec<&str> = graph.edges.iter().map(|edge| edge.style.color()).collect();
    colors.sort_unstable();
    colors.dedup();
    out.push_str("<defs>");
    for color in colors {
        let _ = write!(
            out,
            "<marker id=\"a{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{color}\"/></marker>",
            &color[1..]
        );
    }
    out.push_str("</defs>\n");
}
