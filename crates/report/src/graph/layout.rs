//! Where nodes, edges and their labels go: in layers from left to right (Sugiyama, Tagawa and Toda 1981).
//!
//! Edges that close a cycle are turned round for the layout, longest paths give the layers, and an edge that passes a
//! layer has a place in it like a node; so has its label, in a layer of its own. Then nothing can lie on anything else:
//! what is in a layer is kept apart there, and between layers there are only curves. Means of neighbours order the
//! layers, and weighted means with distances kept (pool adjacent violators) place what is in them.

use serde::Serialize;

/// An edge to be drawn; `label` is the width of its label, 0 for none.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub label: f64,
}

/// Where everything is. All numbers are pixels.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// The middle of each node.
    pub nodes: Vec<(f64, f64)>,
    pub edges: Vec<Route>,
}

/// How an edge runs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Route {
    /// An SVG path from one node's border to the other's.
    pub path: String,
    /// The middle of the label.
    pub label: Option<(f64, f64)>,
}

/// The height of all nodes.
pub const NODE_HEIGHT: f64 = 32.0;
const LABEL_HEIGHT: f64 = 15.0;
const LANE_HEIGHT: f64 = 8.0;
/// Between layers, and between what is in one.
const GAP: f64 = 44.0;
const SPACING: f64 = 16.0;
const MARGIN: f64 = 14.0;
/// The height of an edge from a node to itself, which lies above the node.
const LOOP_HEIGHT: f64 = 30.0;
const ORDERINGS: usize = 12;
const PLACINGS: usize = 24;

/// What has a place in a layer: a node, or a piece of an edge.
struct Place {
    width: f64,
    /// From the top of its room to the middle, and from there to the bottom.
    above: f64,
    below: f64,
    before: Vec<usize>,
    after: Vec<usize>,
}

/// Lays out a graph whose nodes have the given widths. O(sweeps · pieces · log pieces); the pieces of an edge are as
/// many as it passes layers.
pub fn layered(widths: &[f64], lines: &[Line]) -> Layout {
    let n = widths.len();
    let forward = oriented(n, lines);
    let layer_of = ranks(n, lines, &forward);
    let loops = |node: usize| {
        lines
            .iter()
            .filter(move |it| it.from == node && it.to == node)
    };
    let mut places: Vec<Place> = (0..n)
        .map(|node| {
            let own = loops(node).count() as f64;
            let label = loops(node).map(|it| it.label).fold(0.0, f64::max);
            Place {
                width: widths[node].max(label),
                above: NODE_HEIGHT / 2.0 + own * LOOP_HEIGHT,
                below: NODE_HEIGHT / 2.0,
                before: Vec::new(),
                after: Vec::new(),
            }
        })
        .collect();
    let deepest = layer_of.iter().copied().max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); deepest + 1];
    for (node, &layer) in layer_of.iter().enumerate() {
        layers[layer].push(node);
    }
    // The pieces of each edge, in the direction in which it is laid out.
    let mut chains: Vec<Vec<usize>> = Vec::with_capacity(lines.len());
    for (line, &forward) in lines.iter().zip(&forward) {
        let (a, b) = if forward {
            (line.from, line.to)
        } else {
            (line.to, line.from)
        };
        let mut chain = vec![a];
        if a != b {
            let labelled = (layer_of[a] + layer_of[b]) / 2;
            let between = layers.iter_mut().enumerate().take(layer_of[b]);
            for (layer, members) in between.skip(layer_of[a] + 1) {
                let label = line.label > 0.0 && layer == labelled;
                let height = if label { LABEL_HEIGHT } else { LANE_HEIGHT };
                places.push(Place {
                    width: if label { line.label } else { 0.0 },
                    above: height / 2.0,
                    below: height / 2.0,
                    before: Vec::new(),
                    after: Vec::new(),
                });
                members.push(places.len() - 1);
                chain.push(places.len() - 1);
            }
            chain.push(b);
            for pair in chain.windows(2) {
                places[pair[0]].after.push(pair[1]);
                places[pair[1]].before.push(pair[0]);
            }
        }
        chains.push(chain);
    }
    order(&mut layers, &places);
    let y = heights(&layers, &places);
    let (x, width) = columns(&layers, &places);
    let bottom = |i: usize| y[i] + places[i].below;
    let height = (0..places.len()).map(bottom).fold(0.0, f64::max) + MARGIN;
    let drawing = Drawing {
        widths,
        places: &places,
        layers: &layers,
        x: &x,
        y: &y,
    };
    Layout {
        width: width.max(100.0),
        height: height.max(60.0),
        nodes: (0..n).map(|node| (x[node], y[node])).collect(),
        edges: drawing.routes(lines, &forward, &chains),
    }
}

/// Whether each edge keeps its direction: those back to a node that a depth-first walk comes from are turned round.
fn oriented(n: usize, lines: &[Line]) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, line) in lines.iter().enumerate() {
        out[line.from].push(i);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; n];
    let mut forward = vec![true; lines.len()];
    for root in 0..n {
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if seen[root] == Seen::No {
            seen[root] = Seen::Open;
            stack.push((root, 0));
        }
        while let Some((node, next)) = stack.pop() {
            let Some(&edge) = out[node].get(next) else {
                seen[node] = Seen::Done;
                continue;
            };
            stack.push((node, next + 1));
            let to = lines[edge].to;
            match seen[to] {
                Seen::Open => forward[edge] = to == node,
                Seen::No => {
                    seen[to] = Seen::Open;
                    stack.push((to, 0));
                }
                Seen::Done => {}
            }
        }
    }
    forward
}

/// The layer of each node: longest paths from the left, then as far to the right as what follows allows for nodes that
/// nothing leads to. A label needs a layer between.
fn ranks(n: usize, lines: &[Line], forward: &[bool]) -> Vec<usize> {
    let edges: Vec<(usize, usize, usize)> = lines
        .iter()
        .zip(forward)
        .filter(|(line, _)| line.from != line.to)
        .map(|(line, &forward)| {
            let length = if line.label > 0.0 { 2 } else { 1 };
            match forward {
                true => (line.from, line.to, length),
                false => (line.to, line.from, length),
            }
        })
        .collect();
    let mut waits = vec![0_usize; n];
    let mut after: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n];
    for &(a, b, length) in &edges {
        waits[b] += 1;
        after[a].push((b, length));
    }
    let mut ready: Vec<usize> = (0..n).filter(|&node| waits[node] == 0).collect();
    let sources = ready.clone();
    let mut rank = vec![0_usize; n];
    while let Some(node) = ready.pop() {
        for &(to, length) in &after[node] {
            rank[to] = rank[to].max(rank[node] + length);
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        }
    }
    for node in sources {
        let nearest = after[node].iter().map(|&(to, length)| rank[to] - length);
        rank[node] = nearest.min().unwrap_or(rank[node]);
    }
    rank
}

/// Orders what is in each layer by the mean of its neighbours in the layer before or behind; the order with the fewest
/// crossings is kept.
fn order(layers: &mut Vec<Vec<usize>>, places: &[Place]) {
    let mut position = vec![0.0_f64; places.len()];
    let spread = |layer: &[usize], position: &mut [f64]| {
        for (i, &it) in layer.iter().enumerate() {
            position[it] = i as f64;
        }
    };
    layers.iter().for_each(|layer| spread(layer, &mut position));
    let mut best = (crossings(layers, places, &position), layers.clone());
    for sweep in 0..ORDERINGS {
        let count = layers.len();
        for i in 0..count {
            let right = sweep % 2 == 0;
            let layer = &mut layers[if right { i } else { count - 1 - i }];
            let mean = |it: usize| {
                let near = if right {
                    &places[it].before
                } else {
                    &places[it].after
                };
                match near.len() {
                    0 => position[it],
                    many => near.iter().map(|&other| position[other]).sum::<f64>() / many as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|&it| (mean(it), it)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *layer = keyed.into_iter().map(|(_, it)| it).collect();
            spread(layer, &mut position);
        }
        let crossed = crossings(layers, places, &position);
        if crossed < best.0 {
            best = (crossed, layers.clone());
        }
    }
    *layers = best.1;
}

/// Pairs of pieces that cross; not counted in large graphs, where the last order is as good as any.
fn crossings(layers: &[Vec<usize>], places: &[Place], position: &[f64]) -> usize {
    const MAX_EDGES: usize = 300;
    let mut crossed = 0;
    for layer in layers {
        let pairs: Vec<(f64, f64)> = layer
            .iter()
            .flat_map(|&a| places[a].after.iter().map(move |&b| (a, b)))
            .map(|(a, b)| (position[a], position[b]))
            .collect();
        if pairs.len() > MAX_EDGES {
            return 0;
        }
        for (i, a) in pairs.iter().enumerate() {
            let cross = |b: &&(f64, f64)| (a.0 - b.0) * (a.1 - b.1) < 0.0;
            crossed += pairs[..i].iter().filter(cross).count();
        }
    }
    crossed
}

/// The height of everything, as near to its neighbours as the distances in its layer allow.
fn heights(layers: &[Vec<usize>], places: &[Place]) -> Vec<f64> {
    let mut y = vec![0.0_f64; places.len()];
    for layer in layers {
        let mut at = 0.0;
        for &it in layer {
            at += places[it].above;
            y[it] = at;
            at += places[it].below + SPACING;
        }
        // All layers begin around one line.
        for &it in layer {
            y[it] -= at / 2.0;
        }
    }
    for sweep in 0..PLACINGS {
        for i in 0..layers.len() {
            let at = if sweep % 2 == 0 {
                i
            } else {
                layers.len() - 1 - i
            };
            settle(&layers[at], places, &mut y);
        }
    }
    let top = |it: usize| y[it] - places[it].above;
    let highest = (0..places.len()).map(top).fold(f64::INFINITY, f64::min);
    if highest.is_finite() {
        y.iter_mut().for_each(|y| *y += MARGIN - highest);
    }
    y
}

/// Least squares: each piece is drawn to the mean of its neighbours, and distances are kept. Pieces that would come too
/// near to each other move as one block.
fn settle(layer: &[usize], places: &[Place], y: &mut [f64]) {
    struct Block {
        /// Where its first piece wants to be, and how much.
        sum: f64,
        weight: f64,
        pieces: usize,
    }
    // Distances from the first piece make all positions comparable.
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(layer.len());
    for (i, &it) in layer.iter().enumerate() {
        if i > 0 {
            offset += places[layer[i - 1]].below + SPACING + places[it].above;
        }
        offsets.push(offset);
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (&it, &offset) in layer.iter().zip(&offsets) {
        let near = || places[it].before.iter().chain(&places[it].after);
        let count = near().count();
        let wanted = match count {
            0 => y[it],
            many => near().map(|&other| y[other]).sum::<f64>() / many as f64,
        };
        // Edges that pass are kept straight before nodes are centred.
        let passes = places[it].before.len() == 1 && places[it].after.len() == 1;
        let weight = match (count, passes) {
            (0, _) => 0.1,
            (_, true) => 2.0,
            _ => 1.0,
        };
        blocks.push(Block {
            sum: weight * (wanted - offset),
            weight,
            pieces: 1,
        });
        while let [.., a, b] = blocks.as_slice()
            && a.sum / a.weight > b.sum / b.weight
        {
            let merged = Block {
                sum: a.sum + b.sum,
                weight: a.weight + b.weight,
                pieces: a.pieces + b.pieces,
            };
            blocks.truncate(blocks.len() - 2);
            blocks.push(merged);
        }
    }
    let mut pieces = layer.iter().zip(&offsets);
    for block in blocks {
        for (&it, offset) in pieces.by_ref().take(block.pieces) {
            y[it] = block.sum / block.weight + offset;
        }
    }
}

/// The middle of everything from left to right, and the width of the whole.
fn columns(layers: &[Vec<usize>], places: &[Place]) -> (Vec<f64>, f64) {
    let mut x = vec![0.0_f64; places.len()];
    let mut at = MARGIN;
    for (i, layer) in layers.iter().enumerate() {
        let widths = layer.iter().map(|&it| places[it].width);
        let width = widths.fold(0.0, f64::max);
        if i > 0 {
            at += GAP;
        }
        for &it in layer {
            x[it] = at + width / 2.0;
        }
        at += width;
    }
    (x, at + MARGIN)
}

struct Drawing<'a> {
    widths: &'a [f64],
    places: &'a [Place],
    layers: &'a [Vec<usize>],
    x: &'a [f64],
    y: &'a [f64],
}

impl Drawing<'_> {
    fn routes(&self, lines: &[Line], forward: &[bool], chains: &[Vec<usize>]) -> Vec<Route> {
        let n = self.widths.len();
        let mut half = vec![0.0_f64; self.places.len()];
        for layer in self.layers {
            let widths = layer.iter().map(|&it| self.places[it].width);
            let width = widths.fold(0.0, f64::max);
            layer.iter().for_each(|&it| half[it] = width / 2.0);
        }
        let (leaving, entering) = self.ports(chains);
        // What is drawn first lies outside: the lines of outer loops are hidden behind the labels of inner ones.
        let mut inside = vec![0_usize; n];
        let own = lines.iter().filter(|line| line.from == line.to);
        own.for_each(|line| inside[line.from] += 1);
        let mut routes = Vec::with_capacity(lines.len());
        for (i, line) in lines.iter().enumerate() {
            if line.from == line.to {
                inside[line.from] -= 1;
                routes.push(self.own_loop(line, inside[line.from]));
                continue;
            }
            let chain = &chains[i];
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            // Through every layer a piece passes it runs level.
            let mut points = vec![(
                self.x[first] + self.widths[first] / 2.0,
                self.y[first] + leaving[i],
            )];
            // A wide layer is left before the curve begins.
            points.push((self.x[first] + half[first], self.y[first] + leaving[i]));
            for &piece in &chain[1..chain.len() - 1] {
                points.push((self.x[piece] - half[piece], self.y[piece]));
                points.push((self.x[piece] + half[piece], self.y[piece]));
            }
            points.push((self.x[last] - half[last], self.y[last] + entering[i]));
            points.push((
                self.x[last] - self.widths[last] / 2.0,
                self.y[last] + entering[i],
            ));
            if !forward[i] {
                points.reverse();
            }
            let middle = chain
                .iter()
                .find(|&&it| it >= n && self.places[it].width > 0.0);
            routes.push(Route {
                path: smooth(&points),
                label: middle.map(|&it| (self.x[it], self.y[it])),
            });
        }
        routes
    }

    /// Where edges leave and enter their nodes, in the order of where they come from and go to.
    fn ports(&self, chains: &[Vec<usize>]) -> (Vec<f64>, Vec<f64>) {
        let n = self.widths.len();
        let mut right: Vec<Vec<(f64, usize)>> = vec![Vec::new(); n];
        let mut left: Vec<Vec<(f64, usize)>> = vec![Vec::new(); n];
        for (i, chain) in chains.iter().enumerate() {
            if let [first, second, ..] = chain.as_slice() {
                let (before, last) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                right[*first].push((self.y[*second], i));
                left[last].push((self.y[before], i));
            }
        }
        let mut leaving = vec![0.0; chains.len()];
        let mut entering = vec![0.0; chains.len()];
        for (sides, ports) in [(right, &mut leaving), (left, &mut entering)] {
            for mut side in sides {
                side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let step = (NODE_HEIGHT - 12.0) / side.len() as f64;
                for (k, (_, i)) in side.iter().enumerate() {
                    ports[*i] = (k as f64 + 0.5 - side.len() as f64 / 2.0) * step.min(9.0);
                }
            }
        }
        (leaving, entering)
    }

    fn own_loop(&self, line: &Line, nth: usize) -> Route {
        let (x, y) = (self.x[line.from], self.y[line.from] - NODE_HEIGHT / 2.0);
        let top = y - LOOP_HEIGHT * (nth as f64 + 0.9);
        // Arrows do not end on each other while there is room.
        let foot = (14.0 + 8.0 * nth as f64).min(self.widths[line.from] / 2.0 - 8.0);
        let foot = foot.max(8.0);
        Route {
            path: format!(
                "M{:.1} {y:.1}C{:.1} {top:.1} {:.1} {top:.1} {:.1} {y:.1}",
                x - foot,
                x - foot - 12.0,
                x + foot + 12.0,
                x + foot
            ),
            label: (line.label > 0.0).then_some((x, y - LOOP_HEIGHT * (nth as f64 + 0.75))),
        }
    }
}

/// A curve through points that is level at each of them.
fn smooth(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in points {
        let piece = match before {
            None => format!("M{x:.1} {y:.1}"),
            Some(at) if at == (x, y) => continue,
            Some((_, from)) if from == y => format!("H{x:.1}"),
            Some((from_x, from_y)) => {
                let middle = (from_x + x) / 2.0;
                format!("C{middle:.1} {from_y:.1} {middle:.1} {y:.1} {x:.1} {y:.1}")
            }
        };
        path.push_str(&piece);
        before = Some((x, y));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{LABEL_HEIGHT, Line, NODE_HEIGHT, layered};

    fn random(seed: &mut u64, most: usize) -> usize {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 33) as usize % most
    }

    #[test]
    fn nothing_lies_on_anything_else() {
        let mut seed = 7;
        for round in 0..200 {
            let n = 1 + random(&mut seed, 12);
            let widths: Vec<f64> = (0..n)
                .map(|_| 40.0 + random(&mut seed, 120) as f64)
                .collect();
            let lines: Vec<Line> = (0..random(&mut seed, 25))
                .map(|_| Line {
                    from: random(&mut seed, n),
                    to: random(&mut seed, n),
                    label: 30.0 * random(&mut seed, 4) as f64,
                })
                .collect();
            let layout = layered(&widths, &lines);
            let mut boxes: Vec<[f64; 4]> = Vec::new();
            for (&(x, y), width) in layout.nodes.iter().zip(&widths) {
                boxes.push([x - width / 2.0, y - NODE_HEIGHT / 2.0, *width, NODE_HEIGHT]);
            }
            for (route, line) in layout.edges.iter().zip(&lines) {
                assert_eq!(route.label.is_some(), line.label > 0.0, "{line:?}");
                boxes.extend(route.label.map(|(x, y)| {
                    [
                        x - line.label / 2.0,
                        y - LABEL_HEIGHT / 2.0,
                        line.label,
                        LABEL_HEIGHT,
                    ]
                }));
            }
            let overlap = |a: &[f64; 4], b: &[f64; 4]| {
                a[0] + 1e-6 < b[0] + b[2]
                    && b[0] + 1e-6 < a[0] + a[2]
                    && a[1] + 1e-6 < b[1] + b[3]
                    && b[1] + 1e-6 < a[1] + a[3]
            };
            for (i, a) in boxes.iter().enumerate() {
                assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[0] + a[2] <= layout.width);
                assert!(a[1] + a[3] <= layout.height);
                for b in &boxes[..i] {
                    assert!(!overlap(a, b), "{round}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_loop_that_is_drawn_later_lies_inside_with_its_label() {
        let own = Line {
            from: 0,
            to: 0,
            label: 60.0,
        };
        let layout = layered(&[120.0], &[own, own, own]);
        let labels: Vec<f64> = layout.edges.iter().map(|it| it.label.unwrap().1).collect();
        assert!(labels.is_sorted(), "the first is the highest: {labels:?}");
        let starts: Vec<&str> = layout.edges.iter().map(|it| &it.path[..6]).collect();
        assert!(
            starts[0] != starts[1] && starts[1] != starts[2],
            "{starts:?}"
        );
    }

    #[test]
    fn edges_lead_to_the_right_unless_they_close_a_cycle() {
        let line = |from, to| Line {
            from,
            to,
            label: 0.0,
        };
        let layout = layered(&[50.0; 3], &[line(0, 1), line(1, 2), line(2, 0)]);
        let x: Vec<f64> = layout.nodes.iter().map(|at| at.0).collect();
        assert!(x[0] < x[1] && x[1] < x[2]);
    }
}
