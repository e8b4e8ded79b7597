//! Smaller graphs of large ones: modes of equal structure, equations of one component, parallel edges as one.

use super::{Edge, EdgeStyle, Graph, Node, Tone};
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_mdae::analysis::{Analysis, Class, Kind, Members};
use modeshift_mdae::loops::Status;
use modeshift_restart::explore::Exploration;
use modeshift_restart::modes::Mode;
use modeshift_structure::ModeSets;

/// The class of modes that a mode belongs to, if the classes of the whole model are known. O(classes · conditions).
pub(crate) fn class_of(analysis: &Analysis, mode: &[bool]) -> Option<usize> {
    let classes = analysis.classes.as_ref()?;
    let holds = |index: usize| mode.get(index).copied().unwrap_or(false);
    classes.classes.iter().position(|class| {
        let listed = || {
            let mut lists = class.valuations.iter().flatten();
            lists.any(|values| {
                let mut pairs = classes.modes.iter().zip(values);
                pairs.all(|(var, &value)| holds(var.index()) == value)
            })
        };
        match &class.members {
            Members::Set(set) => analysis.sets().contains(set, mode),
            Members::Counted { vars, counts } => {
                let on = vars.iter().filter(|var| holds(var.index())).count();
                counts.contains(&on)
            }
            Members::Listed => listed(),
        }
    })
}

fn tone_of(class: &Class) -> (Tone, String) {
    match &class.kind {
        Kind::Regular(indices) => (
            Tone::Index(indices.index),
            format!(": index {}", indices.index),
        ),
        Kind::Singular(_) => (Tone::Singular, ": singular".to_owned()),
        Kind::Transient => (Tone::Plain, ": left at once".to_owned()),
    }
}

/// The colour of a mode, and its structure in words.
pub(super) fn structure_of(analysis: &Analysis, mode: &Mode) -> (Tone, String) {
    let classes = analysis.classes.as_ref();
    let class = class_of(analysis, mode).zip(classes);
    class.map_or((Tone::Plain, String::new()), |(i, classes)| {
        tone_of(&classes.classes[i])
    })
}

/// One node for all modes with the same structure, and one edge for all changes of a kind between two such classes.
pub(super) fn by_class(analysis: &Analysis, explored: &Exploration<'_>, graph: Graph) -> Graph {
    let Some(classes) = &analysis.classes else {
        return graph;
    };
    let mut modes: FxIndexMap<&Mode, ()> = FxIndexMap::default();
    for transition in &explored.transitions {
        if let Some(from) = &transition.from {
            modes.insert_full(from, ());
            modes.insert_full(&transition.to, ());
        }
    }
    let group: Option<Vec<usize>> = modes.keys().map(|mode| class_of(analysis, mode)).collect();
    let Some(group) = group else {
        return graph;
    };
    let nodes: Vec<Node> = classes
        .classes
        .iter()
        .map(|class| {
            let (tone, words) = tone_of(class);
            let count = match class.count.to_string().as_str() {
                "1" => "1 mode".to_owned(),
                many => format!("{many} modes"),
            };
            let label = format!("{count}{words}");
            Node {
                title: format!("{label}, where {}", class.when),
                tone,
                ..Node::new(label, true)
            }
        })
        .collect();
    let merged = merged(&graph, |node| group[node]);
    without_lonely(Graph {
        name: graph.name,
        nodes,
        edges: counted(merged, "change"),
        labelled: true,
        ..Graph::default()
    })
}

/// One node for all equations of a component.
pub(crate) fn by_component(analysis: &Analysis, graph: Graph) -> Graph {
    let mdae = &analysis.mdae;
    let mut components: FxIndexMap<String, (usize, Tone)> = FxIndexMap::default();
    let mut group = Vec::with_capacity(graph.nodes.len());
    for (&id, node) in analysis.rows.equations.iter().zip(&graph.nodes) {
        let path = mdae.equations[id].origin.instance.to_string();
        let first = path.split('.').next().unwrap_or_default().to_owned();
        let entry = components.entry(first);
        group.push(entry.index());
        let (count, tone) = entry.or_insert((0, Tone::Plain));
        *count += 1;
        if node.tone != Tone::Plain {
            *tone = node.tone;
        }
    }
    let nodes = components.into_iter().map(|(name, (count, tone))| {
        let name = match name.as_str() {
            "" => "the model itself",
            name => name,
        };
        let equations = if count == 1 { "equation" } else { "equations" };
        Node {
            tone,
            ..Node::new(format!("{name}: {count} {equations}"), false)
        }
    });
    let nodes: Vec<Node> = nodes.collect();
    let merged: Vec<(Edge, usize)> = merged(&graph, |node| group[node])
        .into_iter()
        .filter(|(edge, _)| edge.from != edge.to)
        .collect();
    without_lonely(Graph {
        name: graph.name,
        nodes,
        edges: counted(merged, "variable"),
        labelled: graph.labelled,
        ..Graph::default()
    })
}

/// Edges of one kind between two nodes as one, with all labels.
pub(super) fn bundled(graph: Graph) -> Graph {
    let mut edges: FxIndexMap<(usize, usize), Edge> = FxIndexMap::default();
    for edge in graph.edges {
        let key = (edge.from, edge.to);
        match edges.get_mut(&key) {
            None => {
                edges.insert(key, edge);
            }
            Some(known) => {
                known.label = format!("{}; {}", known.label, edge.label);
                if edge.style == EdgeStyle::Conditional {
                    known.style = edge.style;
                }
            }
        }
    }
    without_lonely(Graph {
        edges: edges.into_values().collect(),
        ..graph
    })
}

/// Edges between groups, each kind once, with how many there are.
fn merged(graph: &Graph, group: impl Fn(usize) -> usize) -> Vec<(Edge, usize)> {
    let mut edges: FxIndexMap<(usize, usize, &'static str), (Edge, usize)> = FxIndexMap::default();
    for edge in &graph.edges {
        let (from, to) = (group(edge.from), group(edge.to));
        let merged = || Edge {
            from,
            to,
            ..edge.clone()
        };
        let entry = edges.entry((from, to, edge.style.name()));
        entry.or_insert_with(|| (merged(), 0)).1 += 1;
    }
    edges.into_values().collect()
}

fn counted(edges: Vec<(Edge, usize)>, what: &str) -> Vec<Edge> {
    let label = |(edge, count): (Edge, usize)| Edge {
        label: match count {
            1 => edge.label,
            many => format!("{many} {what}s"),
        },
        ..edge
    };
    edges.into_iter().map(label).collect()
}

/// The graph without nodes that no edge touches, unless there are no edges at all.
fn without_lonely(graph: Graph) -> Graph {
    let touched: FxHashSet<usize> = graph
        .edges
        .iter()
        .flat_map(|edge| [edge.from, edge.to])
        .collect();
    if touched.is_empty() {
        return graph;
    }
    let mut number = vec![0; graph.nodes.len()];
    let mut nodes = Vec::new();
    for (i, node) in graph.nodes.into_iter().enumerate() {
        if touched.contains(&i) {
            number[i] = nodes.len();
            nodes.push(node);
        }
    }
    let edges = graph.edges.into_iter().map(|edge| Edge {
        from: number[edge.from],
        to: number[edge.to],
        ..edge
    });
    Graph {
        name: graph.name,
        nodes,
        edges: edges.collect(),
        legend: graph.legend,
        labelled: graph.labelled,
    }
}

/// By row, whether the equation mentions what a condition reads that is on a loop which is rejected or not decided.
pub(super) fn on_bad_loop(analysis: &Analysis) -> Vec<bool> {
    let read: FxHashSet<_> = analysis
        .loops
        .iter()
        .filter(|it| !matches!(it.status, Status::Unique | Status::Hysteresis))
        .flat_map(|it| it.deciders(analysis))
        .flat_map(|decider| decider.reads.into_iter().map(|it| it.var))
        .collect();
    let rows = analysis.rows.occurrences.iter();
    rows.map(|row| row.iter().any(|it| read.contains(&it.variable)))
        .collect()
}
