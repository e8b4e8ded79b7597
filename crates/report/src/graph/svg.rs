//! Graphs as SVG: plain shapes and text, without scripts or fonts of their own.

use super::layout::{Layout, layered, ring};
use super::{Edge, EdgeStyle, Graph};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Of one letter, in a monospaced font of 12 pixels.
const LETTER: f64 = 7.25;
const LONGEST: usize = 48;

/// A text for XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The first letters of a text.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
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
    let labels: Vec<String> = graph
        .nodes
        .iter()
        .map(|node| cut(&node.label, LONGEST))
        .collect();
    let widths: Vec<f64> = labels
        .iter()
        .map(|label| label.chars().count().max(3) as f64 * LETTER + 24.0)
        .collect();
    let layout = if graph.ring {
        ring(graph, &widths)
    } else {
        layered(graph, &widths)
    };
    let mut out = open(layout.width, layout.height, &graph.name);
    arrow_heads(graph, &mut out);
    let mut parallel: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for edge in &graph.edges {
        let nth = parallel.entry((edge.from, edge.to)).or_default();
        draw_edge(graph, edge, *nth, &layout, &widths, &mut out);
        *nth += 1;
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        let ((x, y), width) = (layout.at[i], widths[i]);
        let radius = if node.round { 16 } else { 6 };
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"32\" rx=\"{radius}\" \
             fill=\"#f3f1ec\" stroke=\"#c9c4b8\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
            escape(&node.label),
            x - width / 2.0,
            y - 16.0,
            y + 4.0,
            escape(&labels[i])
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

fn draw_edge(
    graph: &Graph,
    edge: &Edge,
    nth: usize,
    layout: &Layout,
    widths: &[f64],
    out: &mut String,
) {
    let (path, (x, y)) = if graph.ring {
        ring_path(edge, nth, layout, widths)
    } else {
        layered_path(edge, nth, layout, widths)
    };
    let color = edge.style.color();
    let dash = if edge.style.is_dashed() {
        " stroke-dasharray=\"5 3\""
    } else {
        ""
    };
    let width = if edge.style == EdgeStyle::Matched {
        2.4
    } else {
        1.4
    };
    let _ = writeln!(
        out,
        "<g><title>{}</title><path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dash} \
         marker-end=\"url(#a{})\"/>",
        escape(&edge.label),
        &color[1..]
    );
    if !edge.label.is_empty() && graph.edges.len() <= 60 {
        let label = escape(&cut(&edge.label, 26));
        let _ = writeln!(
            out,
            "<text class=\"small\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    out.push_str("</g>\n");
}

/// From the right side of a node to the left side of the other; the label in the gap behind the first.
fn layered_path(edge: &Edge, nth: usize, layout: &Layout, widths: &[f64]) -> (String, (f64, f64)) {
    let ((ax, ay), (bx, by)) = (layout.at[edge.from], layout.at[edge.to]);
    let forward = bx > ax;
    let side = if forward || ax == bx { 1.0 } else { -1.0 };
    let (x1, x2) = (
        ax + side * widths[edge.from] / 2.0,
        if forward {
            bx - widths[edge.to] / 2.0
        } else {
            bx + widths[edge.to] / 2.0
        },
    );
    let bend = ((x2 - x1).abs() / 2.0).max(60.0);
    let end = if forward { x2 - bend } else { x2 + bend };
    let path = format!(
        "M{x1:.1} {ay:.1}C{:.1} {ay:.1} {end:.1} {by:.1} {x2:.1} {by:.1}",
        x1 + side * bend
    );
    let near = (75.0 / (x2 - x1).abs().max(1.0)).min(0.5);
    let y = ay + (by - ay) * near * near * (3.0 - 2.0 * near) - 4.0 - 11.0 * nth as f64;
    (path, (x1 + side * 75.0, y))
}

fn ring_path(edge: &Edge, nth: usize, layout: &Layout, widths: &[f64]) -> (String, (f64, f64)) {
    let ((ax, ay), (bx, by)) = (layout.at[edge.from], layout.at[edge.to]);
    if edge.from == edge.to {
        let r = 24.0 + 10.0 * nth as f64;
        let path = format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            ax - 14.0,
            ay - 16.0,
            ax - 14.0 - r,
            ay - 40.0 - r,
            ax + 14.0 + r,
            ay - 40.0 - r,
            ax + 14.0,
            ay - 16.0
        );
        return (path, (ax, ay - 36.0 - r));
    }
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // To the border of a rounded box.
    let border =
        |width: f64| (16.0 / uy.abs().max(1e-6)).min(width / 2.0 / ux.abs().max(1e-6)) + 4.0;
    let (from, to) = (border(widths[edge.from]), border(widths[edge.to]));
    let (nx, ny) = (-uy, ux);
    let (sx, sy) = (ax + ux * from + nx * 7.0, ay + uy * from + ny * 7.0);
    let (ex, ey) = (bx - ux * to + nx * 7.0, by - uy * to + ny * 7.0);
    let bend = 20.0 + 22.0 * nth as f64;
    let (cx, cy) = ((sx + ex) / 2.0 + nx * bend, (sy + ey) / 2.0 + ny * bend);
    let label = (
        (sx + ex) / 2.0 + nx * (bend / 2.0 + 8.0),
        (sy + ey) / 2.0 + ny * (bend / 2.0 + 8.0) + 4.0,
    );
    (
        format!("M{sx:.1} {sy:.1}Q{cx:.1} {cy:.1} {ex:.1} {ey:.1}"),
        label,
    )
}
