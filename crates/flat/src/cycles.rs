//! Parameters whose values depend on each other in a circle.

use crate::model::{FlatModel, Place, VarId};
use crate::variables::for_each_variable;
use modeshift_base::FxHashMap;
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::ty::Variability;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Reports each circle once. Linear in the size of the parameters' bindings.
pub fn check(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut graph: DiGraph<VarId, ()> = DiGraph::new();
    let mut nodes: FxHashMap<VarId, NodeIndex> = FxHashMap::default();
    let is_parameter = |id: VarId| {
        let variable = model.variables.get(id)?;
        (variable.variability <= Variability::Parameter && variable.binding.is_some())
            .then_some(variable)
    };
    for id in model.variables.ids() {
        let Some(binding) = is_parameter(id).and_then(|variable| variable.binding.as_ref()) else {
            continue;
        };
        for_each_variable(binding, &mut |other| {
            if is_parameter(other).is_some() {
                let from = *nodes.entry(id).or_insert_with(|| graph.add_node(id));
                let to = *nodes.entry(other).or_insert_with(|| graph.add_node(other));
                graph.add_edge(from, to, ());
            }
        });
    }
    tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1 || graph.contains_edge(circle[0], circle[0]))
        .map(|circle| {
            let mut members: Vec<VarId> = circle.iter().map(|&node| graph[node]).collect();
            members.sort();
            explain(model, &members)
        })
        .collect()
}

fn explain(model: &FlatModel, members: &[VarId]) -> Diagnostic<Place> {
    let name = |id: &VarId| format!("`{}`", model.variables[*id].name);
    let message = match members {
        [one] => format!("the value of {} depends on itself", name(one)),
        [first, second] => format!(
            "the values of {} and {} depend on each other",
            name(first),
            name(second)
        ),
        [first, rest @ ..] => {
            format!(
                "the values of {} and {} others depend on each other in a circle",
                name(first),
                rest.len()
            )
        }
        [] => String::new(),
    };
    let mut diagnostic = Diagnostic::new(Code::MS3008, message);
    for id in members.iter().take(8) {
        let variable = &model.variables[*id];
        let value = variable
            .binding
            .as_ref()
            .map(|binding| crate::export::modelica::exp_text(model, binding));
        let text = format!("`{}` is `{}`", variable.name, value.unwrap_or_default());
        diagnostic = diagnostic.label(variable.origin.span, text);
    }
    diagnostic.note("Parameters get their values before the simulation starts, one after the other; give one of these a value of its own.")
}
