//! Connectors have as many flows as potentials (Modelica 3.6 §9.3.1): otherwise a connection gives more or fewer
//! equations than the components on both sides count on. Linear in the members of all connectors.

use crate::cx::Cx;
use crate::node::NodeId;
use crate::tree::{ClassKind, Component, ComponentId, Flow, Place};
use crate::ty::{Dim, Type, Variability};
use modeshift_base::{FxHashSet, Name};
use modeshift_diag::{Code, Diagnostic, Severity};

/// Aliases of a type in a row that are followed.
const MAX_ALIASES: usize = 64;

/// Numbers of scalars.
#[derive(Clone, Copy, Default)]
struct Count {
    potentials: i64,
    flows: i64,
}

impl Cx<'_, '_> {
    /// Each connector class is reported once. Components that were looked at before are not looked at again: a model's own
    /// equations may add some, and change nothing that is counted here.
    pub(crate) fn check_connectors(&mut self) {
        let mut told: FxHashSet<Place> = FxHashSet::default();
        let new = self.connectors_checked;
        self.connectors_checked = self.out.components.len();
        for id in self.out.components.ids().skip(new) {
            let component = &self.out.components[id];
            if component.kind != ClassKind::Connector || component.absent {
                continue;
            }
            let (Some(class), Some(node)) = (component.class, self.info(id).node) else {
                continue;
            };
            let place = self.out.classes[class].place;
            if self.node(node).def.partial() || told.contains(&place) {
                continue;
            }
            let mut count = Count::default();
            if self.count_members(id, false, &mut count).is_none()
                || count.potentials == count.flows
            {
                continue;
            }
            told.insert(place);
            let name = self.out.classes[class].name.clone();
            let plural = |n: i64, what: &str| match n {
                1 => format!("1 {what}"),
                n => format!("{n} {what}s"),
            };
            let diagnostic = Diagnostic::new(
                Code::MS3010,
                format!(
                    "connector `{name}` has {} and {}",
                    plural(count.potentials, "potential"),
                    plural(count.flows, "flow")
                ),
            )
            // A check makes it an error; a flat model can be printed all the same.
            .with_severity(Severity::Warning)
            .label(place, "the numbers have to be the same")
            .note("Each potential, a variable without prefix, needs a `flow`. Make variables that only carry information `input` or `output`.");
            self.report(diagnostic);
        }
    }

    /// All variables of the connectors of a block are inputs or outputs (Modelica 3.6 §4.7).
    pub(crate) fn check_blocks(&mut self) {
        let mut told: FxHashSet<Place> = FxHashSet::default();
        for id in self.out.components.ids() {
            let component = &self.out.components[id];
            let parent = component.parent;
            let kind = match parent {
                Some(parent) => self.out.components[parent].kind,
                None => self.node(self.root).def.kind(),
            };
            if kind != ClassKind::Block
                || component.kind != ClassKind::Connector
                || component.protected
                || component.absent
            {
                continue;
            }
            let place = component.place;
            if let Some(undirected) = self.undirected(id, false)
                && told.insert(place)
            {
                let (name, part) = (
                    self.out.components[id].name,
                    &self.out.components[undirected],
                );
                let what = if undirected == id {
                    format!("`{name}` of a block is neither an input nor an output")
                } else {
                    format!(
                        "`{}` of `{name}` is neither an input nor an output, and `{name}` belongs to a block",
                        part.name
                    )
                };
                let diagnostic = Diagnostic::new(Code::MS2015, what)
                    .label(place, "a connector of a block")
                    .label(part.place, "has no direction")
                    .note("A block is a model with fixed causality. Declare it as `model`, or the variable as `input` or `output`.");
                self.report(diagnostic);
            }
        }
    }

    /// A variable of the connector that is neither input nor output, nor known before the simulation.
    fn undirected(&self, id: ComponentId, causal: bool) -> Option<ComponentId> {
        let component = &self.out.components[id];
        if causal || component.causality.is_some() {
            return None;
        }
        let Some(class) = component.class else {
            return (component.variability > Variability::Parameter).then_some(id);
        };
        let mut parts = self.out.classes[class].components.iter();
        parts.find_map(|&part| self.undirected(part, false))
    }

    /// Counts the scalars of one element; `None` where a size is not known.
    fn count_members(&mut self, id: ComponentId, causal: bool, count: &mut Count) -> Option<()> {
        let component = &self.out.components[id];
        let causal = causal || component.causality.is_some();
        let Some(class) = component.class else {
            if component.variability <= Variability::Parameter || causal {
                return Some(());
            }
            match component.flow {
                Some(Flow::Flow) => count.flows += 1,
                Some(Flow::Stream) => {}
                None => count.potentials += 1,
            }
            return Some(());
        };
        for part in self.out.classes[class].components.clone() {
            let size = size_of(&self.out.components[part])?;
            let mut inner = Count::default();
            let constraint = self.constraint_size(part);
            match constraint {
                // An overdetermined member counts as what is left of it.
                Some(size) => inner.potentials = size?,
                None => self.count_members(part, causal, &mut inner)?,
            }
            let times = match constraint {
                Some(_) if !matches!(self.out.components[part].ty, Type::Record(_)) => 1,
                _ => size,
            };
            count.potentials = count
                .potentials
                .checked_add(inner.potentials.checked_mul(times)?)?;
            count.flows = count.flows.checked_add(inner.flows.checked_mul(times)?)?;
        }
        Some(())
    }

    /// The number of residues of `equalityConstraint`, if the class of the component has such a function.
    fn constraint_size(&mut self, id: ComponentId) -> Option<Option<i64>> {
        let node = self.class_of_member(id)?;
        let elem = self.lookup_member(node, Name::new("equalityConstraint"))?;
        let Some(function) = self.function(elem) else {
            return Some(None);
        };
        let Some(&output) = function.outputs.first() else {
            return Some(None);
        };
        self.type_component(output);
        Some(size_of(&self.out.components[output]))
    }

    fn class_of_member(&mut self, id: ComponentId) -> Option<NodeId> {
        if let Some(node) = self.info(id).node {
            return Some(node);
        }
        let component = self.elem(self.info(id).elem).component()?;
        let (scope, path, text) = (
            component.scope,
            component.decl.type_name,
            component.decl.text,
        );
        let mut elem = self.quietly(|cx| cx.lookup_class(scope, path, text)).0?;
        // Through aliases: `type Angle = Types.Angle`.
        for _ in 0..MAX_ALIASES {
            let class = self.elem(elem).class()?;
            if class.def.body().is_some() {
                return self.class_node(elem);
            }
            let (scope, text) = (class.scope, class.def.text()?);
            let base = &class.def.short()?.base;
            elem = self.quietly(|cx| cx.lookup_class(scope, base, text)).0?;
        }
        None
    }
}

fn size_of(component: &Component) -> Option<i64> {
    component.dims.iter().try_fold(1i64, |all, dim| {
        let size = match dim {
            Dim::Known(size) => *size,
            Dim::Boolean => 2,
            Dim::Enumeration(ty) => ty.literals.len() as i64,
            Dim::Flexible(_) => return None,
        };
        all.checked_mul(size)
    })
}
