//! Expandable connectors (Modelica 3.6 §9.1.3): buses that are connected to each other share all their
//! members; a declared member that no connection uses is left out.
//!
//! Works on a copy of the instance tree, made only if the model has an expandable connector. Linear in the
//! number of members of all connected buses together.

use super::sets::DisjointSets;
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use modeshift_inst::tree::{
    ClassInst, ClassKind, Component, ComponentId, Equation, EquationKind, Instance,
};
use std::sync::Arc;

/// Buses inside buses are followed so deep.
const DEPTH: usize = 32;

/// The instance tree with all buses augmented; `None` if there are no buses.
pub(crate) fn augment(instance: &Instance) -> Option<Instance> {
    let has_bus = instance
        .components
        .iter()
        .any(|component| component.kind == ClassKind::ExpandableConnector);
    if !has_bus && root_bus(instance).is_none() {
        return None;
    }
    let mut work = Augment {
        instance: instance.clone(),
        edges: Vec::new(),
        used: FxHashSet::default(),
    };
    for class in &instance.classes {
        work.note_connections(&class.equations);
    }
    for _ in 0..DEPTH {
        if !work.share_members() {
            break;
        }
    }
    work.leave_out_unused();
    Some(work.instance)
}

/// The class that is flattened, if it is an expandable connector itself.
fn root_bus(instance: &Instance) -> Option<&ClassInst> {
    let root = &instance.classes[instance.root?];
    (root.kind == ClassKind::ExpandableConnector).then_some(root)
}

struct Augment {
    instance: Instance,
    /// Connections between buses.
    edges: Vec<(ComponentId, ComponentId)>,
    /// Components that connections mention.
    used: FxHashSet<ComponentId>,
}

impl Augment {
    fn note_connections(&mut self, equations: &[Equation]) {
        for equation in equations {
            match &equation.kind {
                EquationKind::Connect { from, to, .. } => {
                    for part in from.parts.iter().chain(&to.parts) {
                        self.used.insert(part.component);
                    }
                    if let (Some(a), Some(b)) = (from.component(), to.component())
                        && self.is_bus(a)
                        && self.is_bus(b)
                    {
                        self.edges.push((a, b));
                    }
                }
                EquationKind::For { body, .. } => self.note_connections(body),
                EquationKind::If { branches, else_ } => {
                    branches
                        .iter()
                        .for_each(|(_, body)| self.note_connections(body));
                    self.note_connections(else_);
                }
                _ => {}
            }
        }
    }

    fn is_bus(&self, id: ComponentId) -> bool {
        self.instance.components[id].kind == ClassKind::ExpandableConnector
    }

    fn members(&self, bus: ComponentId) -> Vec<ComponentId> {
        let class = self.instance.components[bus].class;
        class.map_or_else(Vec::new, |class| {
            self.instance.classes[class].components.clone()
        })
    }

    /// Buses that are connected, directly or not.
    fn families(&self) -> Vec<Vec<ComponentId>> {
        let mut sets = DisjointSets::default();
        let mut numbers: FxIndexMap<ComponentId, u32> = FxIndexMap::default();
        for &(a, b) in &self.edges {
            let a = *numbers.entry(a).or_insert_with(|| sets.add());
            let b = *numbers.entry(b).or_insert_with(|| sets.add());
            sets.join(a, b);
        }
        let by_number: Vec<ComponentId> = numbers.keys().copied().collect();
        let families = sets.sets();
        families
            .into_iter()
            .map(|family| {
                family
                    .into_iter()
                    .map(|number| by_number[number as usize])
                    .collect()
            })
            .collect()
    }

    /// Gives every bus of a family the members of all. Whether anything changed.
    fn share_members(&mut self) -> bool {
        let mut changed = false;
        for family in self.families() {
            let mut by_name: FxIndexMap<Name, Vec<(ComponentId, ComponentId)>> =
                FxIndexMap::default();
            for &bus in &family {
                for member in self.members(bus) {
                    let name = self.instance.components[member].name;
                    by_name.entry(name).or_default().push((bus, member));
                }
            }
            for owners in by_name.values() {
                changed |= self.share_one(&family, owners);
            }
        }
        changed
    }

    fn share_one(&mut self, family: &[ComponentId], owners: &[(ComponentId, ComponentId)]) -> bool {
        let mut changed = false;
        let Some(&(_, model)) = owners.first() else {
            return false;
        };
        let having: FxHashSet<ComponentId> = owners.iter().map(|(bus, _)| *bus).collect();
        let is_used = owners.iter().any(|(_, member)| self.used.contains(member));
        let mut all: Vec<ComponentId> = owners.iter().map(|(_, member)| *member).collect();
        for &bus in family {
            // An unused member is not worth copying: it is left out everywhere.
            if having.contains(&bus) || !(is_used || self.is_bus(model)) {
                continue;
            }
            if let Some(copy) = self.add_member(model, bus) {
                all.push(copy);
                changed = true;
            }
        }
        if is_used {
            for &member in &all {
                changed |= self.used.insert(member);
            }
        }
        if self.is_bus(model) {
            let known: FxHashSet<(ComponentId, ComponentId)> = self.edges.iter().copied().collect();
            for pair in all.windows(2) {
                if !known.contains(&(pair[0], pair[1])) {
                    self.edges.push((pair[0], pair[1]));
                    changed = true;
                }
            }
        }
        changed
    }

    fn add_member(&mut self, model: ComponentId, bus: ComponentId) -> Option<ComponentId> {
        let class = self.instance.components[bus].class?;
        let copy = self.copy(model, bus, 0);
        self.instance.classes[class].components.push(copy);
        Some(copy)
    }

    /// A copy of a component and its parts.
    fn copy(&mut self, id: ComponentId, parent: ComponentId, depth: usize) -> ComponentId {
        let source = self.instance.components[id].clone();
        let class = source.class;
        let copy = self.instance.components.push(Component {
            parent: Some(parent),
            added: true,
            binding: None,
            comment: Some(Arc::from("variable added to expandable connector")),
            causality: None,
            ..source
        });
        if let Some(class) = class
            && depth < DEPTH
        {
            let source = self.instance.classes[class].clone();
            let parts = source
                .components
                .iter()
                .map(|&part| self.copy(part, copy, depth + 1))
                .collect();
            let class = self.instance.classes.push(ClassInst {
                owner: Some(copy),
                components: parts,
                ..source
            });
            self.instance.components[copy].class = Some(class);
        }
        copy
    }

    /// Members that no connection uses, directly or through another bus.
    fn leave_out_unused(&mut self) {
        let mut keep: FxHashMap<ComponentId, bool> = FxHashMap::default();
        let buses: Vec<ComponentId> = self
            .instance
            .components
            .ids()
            .filter(|&id| self.is_bus(id))
            .collect();
        for bus in buses {
            for member in self.members(bus) {
                let used = self.is_used(member, 0);
                keep.insert(member, used);
            }
        }
        if let Some(root) = root_bus(&self.instance) {
            for &member in &root.components {
                keep.insert(member, self.is_used(member, 0));
            }
        }
        for (member, used) in keep {
            if !used {
                self.instance.components[member].absent = true;
            }
        }
    }

    fn is_used(&self, member: ComponentId, depth: usize) -> bool {
        if self.is_bus(member) && depth < DEPTH {
            return self
                .members(member)
                .iter()
                .any(|&inner| self.is_used(inner, depth + 1));
        }
        self.used.contains(&member)
    }
}
