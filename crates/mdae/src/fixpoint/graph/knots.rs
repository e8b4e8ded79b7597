//! Cycles in the graph of needs: the strongly connected parts that some mode has as a cycle.
//!
//! A cycle counts only if one mode has all its edges. Most cycles show in a mode like any other, so that a few possible modes are looked at
//! first; sets of modes prove that a condition is on no cycle.

use super::{Graph, Knot, Node};
use crate::analysis::Structure;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexSet};
use modeshift_structure::{BddSet, ModeSets, ModeVar};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;

/// Set operations for one strongly connected part; where they do not suffice every cycle counts.
const MAX_STEPS: usize = 2_000;

/// Conditions that are changed one by one in looking for modes with cycles.
const MAX_CANDIDATES: usize = 64;

/// Conditions on which the existence of an edge may depend to be looked at by itself.
const MAX_SUPPORT: usize = 8;

/// Conditions whose facts are put together to prove that there is no cycle.
const MAX_TIED: usize = 24;

impl Graph<'_> {
    /// The strongly connected parts that some mode has as a cycle, in order of their conditions.
    pub(in crate::fixpoint) fn knots(self, check: &dyn Fn()) -> Vec<Knot> {
        let mut dropped: FxHashSet<usize> = FxHashSet::default();
        // Conditions that are on no cycle of any single mode are taken out; what is left may fall apart.
        loop {
            let parts = self.parts(&dropped);
            let mut knots = Vec::new();
            let before = dropped.len();
            for part in parts {
                check();
                let inside: FxHashSet<usize> = part.iter().copied().collect();
                let (mode, open) = self.tried(&part, &inside);
                let mut mode = mode;
                for node in open {
                    match self.returns(node, &inside) {
                        Return::Never => {
                            dropped.insert(node);
                        }
                        Return::In(set) => {
                            if mode.is_none() {
                                mode = self.sets().pick(&set);
                            }
                        }
                        Return::Unknown => {}
                    }
                }
                let mode = mode.unwrap_or_else(|| self.some_mode());
                let mut nodes: Vec<Node> = part.iter().map(|&node| self.nodes[node]).collect();
                nodes.sort_unstable();
                knots.push(Knot { nodes, mode });
            }
            if dropped.len() == before {
                knots.sort_by(|a, b| a.nodes.cmp(&b.nodes));
                return knots;
            }
        }
    }

    fn some_mode(&self) -> Vec<bool> {
        let n = self.analysis.mdae.modes.len();
        crate::fixpoint::regular_mode(self.analysis).unwrap_or_else(|| vec![false; n])
    }

    fn parts(&self, dropped: &FxHashSet<usize>) -> Vec<Vec<usize>> {
        let mut graph = DiGraph::<(), ()>::with_capacity(self.nodes.len(), self.nodes.len());
        for _ in 0..self.nodes.len() {
            graph.add_node(());
        }
        for (from, edges) in self.edges.iter().enumerate() {
            for (to, _) in edges {
                if !dropped.contains(&from) && !dropped.contains(to) {
                    graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to), ());
                }
            }
        }
        let mut parts: Vec<Vec<usize>> = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .filter(|part| part.len() > 1)
            .map(|part| part.into_iter().map(NodeIndex::index).collect::<Vec<_>>())
            .filter(|part| !self.deciding(part).is_empty())
            .collect();
        for part in &mut parts {
            part.sort_unstable();
        }
        parts
    }

    /// The conditions of a part; without any, its choices.
    fn deciding(&self, part: &[usize]) -> Vec<usize> {
        let all = |wanted: fn(&Node) -> bool| -> Vec<usize> {
            let nodes = part.iter().copied();
            nodes.filter(|&node| wanted(&self.nodes[node])).collect()
        };
        let conditions = all(|node| matches!(node, Node::Condition(_)));
        match conditions.is_empty() {
            true => all(|node| matches!(node, Node::Choice(_))),
            false => conditions,
        }
    }

    /// The possible modes in which a way leads from a node back to it, within a part. What is possible is a large set
    /// where many components meet, so the way is looked for without it first.
    fn returns(&self, start: usize, inside: &FxHashSet<usize>) -> Return {
        let sets = self.sets();
        let found = self.way_back(start, inside, sets.full());
        let Return::In(modes) = &found else {
            return found;
        };
        let Ok(possible) = self.possible(inside, &sets.support(modes)) else {
            return Return::Unknown;
        };
        match sets.and(modes, &possible) {
            Ok(both) if !sets.is_empty(&both) => return Return::In(both),
            Ok(_) => {}
            Err(_) => return Return::Unknown,
        }
        let mut vars: Vec<ModeVar> = Vec::new();
        for node in inside {
            for (_, when) in &self.edges[*node] {
                vars.extend(when.iter().flat_map(|when| sets.support(when)));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > MAX_TIED {
            return Return::Unknown;
        }
        match self.possible(inside, &vars) {
            Ok(possible) if sets.is_empty(&possible) => Return::Never,
            Ok(possible) => self.way_back(start, inside, possible),
            Err(_) => Return::Unknown,
        }
    }

    /// Looks at a few possible modes: a mode that has a cycle, and the conditions that are on none of the cycles found. Sets of
    /// modes become large where many components meet; most cycles show in a mode like any other.
    fn tried(&self, part: &[usize], inside: &FxHashSet<usize>) -> (Option<Vec<bool>>, Vec<usize>) {
        let mut open = self.deciding(part);
        let mut found = None;
        for mode in self.candidates(part) {
            if open.is_empty() {
                break;
            }
            if !self.is_possible(&mode, part) {
                continue;
            }
            let cyclic = self.cyclic(inside, &mode);
            let before = open.len();
            open.retain(|node| !cyclic.contains(node));
            if open.len() < before && found.is_none() {
                found = Some(mode);
            }
        }
        (found, open)
    }

    /// The usual mode, and that with a condition changed on which edges of a part depend, together with what is tied to it.
    fn candidates(&self, part: &[usize]) -> Vec<Vec<bool>> {
        let sets = self.sets();
        let usual = self.some_mode();
        let mut vars: Vec<ModeVar> = Vec::new();
        for &node in part {
            for (_, when) in &self.edges[node] {
                if let Some(when) = when {
                    vars.extend(sets.support(when));
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars.truncate(MAX_CANDIDATES);
        let mut found = vec![usual.clone()];
        // Modes in which single edges exist.
        let mut labels: FxIndexSet<&BddSet> = FxIndexSet::default();
        for &node in part {
            labels.extend(
                self.edges[node]
                    .iter()
                    .filter_map(|(_, when)| when.as_ref()),
            );
        }
        for label in labels.into_iter().take(2 * MAX_CANDIDATES) {
            let own = sets.support(label);
            if own.len() > MAX_SUPPORT {
                continue;
            }
            let tied = self.analysis.care.about(sets, &own);
            let Ok(tied) = tied.and_then(|tied| sets.and(&tied, label)) else {
                continue;
            };
            let Some(picked) = sets.pick(&tied) else {
                continue;
            };
            let mut mode = usual.clone();
            for var in sets.support(&tied) {
                mode[var.index()] = picked[var.index()];
            }
            found.push(mode);
        }
        for var in vars {
            let Ok(tied) = self.analysis.care.about(sets, &[var]) else {
                continue;
            };
            for value in [false, true] {
                let half = sets
                    .literal(var, value)
                    .and_then(|half| sets.and(&tied, &half));
                let Some(picked) = half.ok().and_then(|half| sets.pick(&half)) else {
                    continue;
                };
                let mut mode = usual.clone();
                mode[var.index()] = value;
                for other in sets.support(&tied) {
                    mode[other.index()] = picked[other.index()];
                }
                found.push(mode);
            }
        }
        found
    }

    /// Whether a mode satisfies all facts, and the equations of a part are regular in it.
    fn is_possible(&self, mode: &[bool], part: &[usize]) -> bool {
        let mdae = &self.analysis.mdae;
        let truth = mdae.conds.evaluate(mode);
        let Structure::All(all) = &self.analysis.structure else {
            return true;
        };
        mdae.care
            .iter()
            .all(|fact| truth[fact.condition.0 as usize])
            && part.iter().all(|&node| match self.nodes[node] {
                Node::Row(row, _) => {
                    let component = &all.1.components[all.1.component_of_equation[row]];
                    self.sets().contains(&component.regular, mode)
                }
                _ => true,
            })
    }

    /// The nodes of a part that are on cycles in one mode. Linear.
    fn cyclic(&self, inside: &FxHashSet<usize>, mode: &[bool]) -> FxHashSet<usize> {
        let mut graph = DiGraph::<usize, ()>::new();
        let mut sorted: Vec<usize> = inside.iter().copied().collect();
        sorted.sort_unstable();
        let place: FxHashMap<usize, NodeIndex> = sorted
            .into_iter()
            .map(|node| (node, graph.add_node(node)))
            .collect();
        for (&node, &from) in &place {
            for (to, when) in &self.edges[node] {
                let exists = when
                    .as_ref()
                    .is_none_or(|when| self.sets().contains(when, mode));
                if let (true, Some(&to)) = (exists, place.get(to)) {
                    graph.add_edge(from, to, ());
                }
            }
        }
        petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .filter(|part| part.len() > 1)
            .flatten()
            .map(|node| graph[node])
            .collect()
    }

    fn way_back(&self, start: usize, inside: &FxHashSet<usize>, modes: BddSet) -> Return {
        let sets = self.sets();
        let mut reached: FxHashMap<usize, BddSet> = FxHashMap::default();
        let mut queue: VecDeque<(usize, BddSet)> = VecDeque::from([(start, modes)]);
        let mut steps = 0;
        while let Some((node, modes)) = queue.pop_front() {
            for (to, when) in &self.edges[node] {
                if !inside.contains(to) {
                    continue;
                }
                steps += 1;
                if steps > MAX_STEPS {
                    return Return::Unknown;
                }
                let there = match when {
                    None => Ok(modes.clone()),
                    Some(when) => sets.and(&modes, when),
                };
                let new = there.and_then(|there| match reached.get(to) {
                    Some(old) => sets.diff(&there, old),
                    None => Ok(there),
                });
                let Ok(new) = new else {
                    return Return::Unknown;
                };
                if sets.is_empty(&new) {
                    continue;
                }
                if *to == start {
                    return Return::In(new);
                }
                let all = match reached.get(to) {
                    Some(old) => sets.or(old, &new),
                    None => Ok(new.clone()),
                };
                let Ok(all) = all else {
                    return Return::Unknown;
                };
                reached.insert(*to, all);
                queue.push_back((*to, new));
            }
        }
        Return::Never
    }

    /// What is possible about some mode variables where the equations of a part are regular.
    fn possible(
        &self,
        part: &FxHashSet<usize>,
        vars: &[ModeVar],
    ) -> Result<BddSet, modeshift_structure::NodeLimit> {
        let mut possible = self.analysis.care.about(self.sets(), vars)?;
        let Structure::All(all) = &self.analysis.structure else {
            return Ok(possible);
        };
        let mut components: Vec<usize> = part
            .iter()
            .filter_map(|&node| match self.nodes[node] {
                Node::Row(row, _) => Some(all.1.component_of_equation[row]),
                _ => None,
            })
            .collect();
        components.sort_unstable();
        components.dedup();
        for component in components {
            let component = &all.1.components[component];
            if component.regular != component.care {
                possible = self.sets().and(&possible, &component.regular)?;
            }
        }
        Ok(possible)
    }
}

enum Return {
    Never,
    In(BddSet),
    /// The sets became too large to tell.
    Unknown,
}
