//! Where nodes go: in layers from left to right along the edges, or on a ring.

use super::Graph;

/// The middle of every node, and the size of the whole.
pub(super) struct Layout {
    pub at: Vec<(f64, f64)>,
    pub width: f64,
    pub height: f64,
}

const GAP: f64 = 150.0;
const STEP: f64 = 48.0;
const MARGIN: f64 = 24.0;
/// Layers behind this one are put together: a long chain would become an endless ribbon.
const MAX_LAYERS: usize = 12;
const SWEEPS: usize = 6;

pub(super) fn ring(graph: &Graph, node_width: &[f64]) -> Layout {
    let n = graph.nodes.len().max(1) as f64;
    let widest = node_width.iter().copied().fold(60.0, f64::max);
    let radius = (n * (widest + 30.0) / std::f64::consts::TAU).max(130.0);
    let flat = graph.nodes.len() == 2;
    let (rx, ry) = (radius, if flat { 0.0 } else { radius * 0.8 });
    let (cx, cy) = (rx + widest / 2.0 + MARGIN + 40.0, ry + 80.0);
    let at = (0..graph.nodes.len())
        .map(|i| {
            let turn = if flat {
                0.5 * (1.0 - i as f64) + 0.25
            } else {
                i as f64 / n
            };
            let angle = std::f64::consts::TAU * turn - std::f64::consts::FRAC_PI_2;
            (cx + rx * libm::cos(angle), cy + ry * libm::sin(angle))
        })
        .collect();
    Layout {
        at,
        width: 2.0 * cx,
        height: 2.0 * cy,
    }
}

/// Longest paths give layers, means of neighbours the order in them.
/// O(layers · edges + sweeps · (nodes log nodes + edges)).
pub(super) fn layered(graph: &Graph, node_width: &[f64]) -> Layout {
    let n = graph.nodes.len();
    let mut level = vec![0_usize; n];
    // There may be cycles, so the number of rounds is bounded.
    for _ in 0..MAX_LAYERS {
        let mut changed = false;
        for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
            let next = (level[edge.from] + 1).min(MAX_LAYERS - 1);
            if level[edge.to] < next {
                level[edge.to] = next;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); MAX_LAYERS];
    for (node, &level) in level.iter().enumerate() {
        layers[level].push(node);
    }
    layers.retain(|layer| !layer.is_empty());
    order(graph, &mut layers);
    place(&layers, n, node_width)
}

fn order(graph: &Graph, layers: &mut [Vec<usize>]) {
    let n = graph.nodes.len();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); n];
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        near[edge.from].push(edge.to);
        near[edge.to].push(edge.from);
    }
    let mut height = vec![0.0_f64; n];
    let spread = |layer: &[usize], height: &mut [f64]| {
        for (i, &node) in layer.iter().enumerate() {
            height[node] = i as f64 - layer.len() as f64 / 2.0;
        }
    };
    for layer in layers.iter() {
        spread(layer, &mut height);
    }
    for sweep in 0..SWEEPS {
        let count = layers.len();
        for i in 0..count {
            let layer = &mut layers[if sweep % 2 == 0 { i } else { count - 1 - i }];
            let mean = |node: usize| match near[node].len() {
                0 => height[node],
                neighbours => {
                    near[node].iter().map(|&other| height[other]).sum::<f64>() / neighbours as f64
                }
            };
            layer.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
            spread(layer, &mut height);
        }
    }
}

fn place(layers: &[Vec<usize>], n: usize, node_width: &[f64]) -> Layout {
    let tallest = layers.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let height = tallest as f64 * STEP + 2.0 * MARGIN;
    let mut at = vec![(0.0, 0.0); n];
    let mut x = MARGIN;
    for layer in layers {
        let widest = layer
            .iter()
            .map(|&node| node_width[node])
            .fold(0.0, f64::max);
        let top = (height - layer.len() as f64 * STEP) / 2.0;
        for (i, &node) in layer.iter().enumerate() {
            at[node] = (x + widest / 2.0, top + (i as f64 + 0.5) * STEP);
        }
        x += widest + GAP;
    }
    Layout {
        at,
        width: (x - GAP + MARGIN).max(100.0),
        height,
    }
}
