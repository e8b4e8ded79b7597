//! Which variables and equations are computed together: connected components (Modelica 3.6 §16.7).
//!
//! Two partitions are made at once. Variables of one equation share base clock and sub-clock; a conversion
//! (`subSample` and the like) keeps the base clock and leads to another sub-clock; `sample` and `hold` lead to another
//! base clock.

use super::stand_in::{Edge, Source, StandIn};
use super::{Item, What, Work};
use crate::model::{Origin, Place, VarId};
use crate::walk::{equation_exps, statement_exps};
use modeshift_base::{FxHashMap, FxIndexMap};
use modeshift_inst::ty::Type;
use std::sync::Arc;

/// Disjoint sets of variables.
#[derive(Default)]
pub(super) struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    pub(super) fn find(&mut self, mut node: usize) -> usize {
        while self.parent.len() <= node {
            self.parent.push(self.parent.len());
        }
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    pub(super) fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number stays, so that the same model gives the same numbers.
        if a < b {
            self.parent[b] = a;
        } else {
            self.parent[a] = b;
        }
    }
}

/// Why something is clocked, or not.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) variable: VarId,
    pub(super) place: Place,
    pub(super) why: &'static str,
    /// The variable stands for a part of an expression and has no name of its own.
    pub(super) nameless: bool,
}

/// Variables and equations with the same clock.
#[derive(Default, Debug)]
pub(super) struct Class {
    pub(super) base: usize,
    pub(super) items: Vec<usize>,
    pub(super) variables: Vec<VarId>,
    pub(super) sources: Vec<(Source, Place)>,
    /// Solver methods given to it.
    pub(super) methods: Vec<(Arc<str>, Place)>,
}

/// Between two classes of one base clock.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) edge: Edge,
    pub(super) place: Place,
}

/// The clocked part of a model.
#[derive(Default)]
pub(super) struct Partitions {
    pub(super) classes: Vec<Class>,
    pub(super) links: Vec<Link>,
    /// The links of each class, in both directions.
    pub(super) links_of: Vec<Vec<usize>>,
    /// The class of each clocked variable.
    pub(super) class_of: FxHashMap<VarId, usize>,
    /// The class of each clocked item.
    pub(super) of_item: Vec<Option<usize>>,
}

impl Work {
    pub(super) fn mark_clocked(&mut self, id: VarId, origin: &Arc<Origin>, why: &'static str) {
        let nameless = self.model.variables[id].name.starts_with('$');
        self.clocked.push(Mark {
            variable: id,
            place: origin.span,
            why,
            nameless,
        });
    }

    /// All variables of an item.
    pub(super) fn incidence(&self, item: &Item) -> Vec<VarId> {
        let mut found = Vec::new();
        match &item.what {
            What::Equation(kind) => {
                let equation = crate::model::Equation {
                    kind: kind.clone(),
                    origin: item.origin.clone(),
                };
                equation_exps(&equation, &mut |exp| self.variables_in(exp, &mut found));
            }
            What::Algorithm(statements) => {
                for statement in statements {
                    statement_exps(statement, &mut |exp| self.variables_in(exp, &mut found));
                }
            }
        }
        found.extend(item.clock);
        found.extend(item.guard);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The clocked classes. Mistakes are reported.
    pub(super) fn partition(&mut self) -> Partitions {
        let mut base = Sets::default();
        let mut sub = Sets::default();
        let incidences: Vec<Vec<VarId>> =
            self.items.iter().map(|item| self.incidence(item)).collect();
        let same = std::mem::take(&mut self.same);
        for (a, b) in incidences
            .iter()
            .flat_map(|all| all.windows(2).map(|pair| (pair[0], pair[1])))
            .chain(same)
        {
            base.union(a.index(), b.index());
            sub.union(a.index(), b.index());
        }
        let mut unclocked: Vec<Mark> = Vec::new();
        let mut edges: Vec<(VarId, VarId, Edge)> = Vec::new();
        let mut ids: Vec<VarId> = self.stand_ins.keys().copied().collect();
        ids.sort_unstable();
        for &id in &ids {
            let variable = &self.model.variables[id];
            let mark = |variable: VarId, why| Mark {
                variable,
                place: self.model.variables[id].origin.span,
                why,
                nameless: self.model.variables[variable].name.starts_with('$'),
            };
            let is_clock = variable.ty == Type::Clock;
            match &self.stand_ins[&id] {
                StandIn::Sample { argument, clock } => {
                    base.union(id.index(), clock.index());
                    sub.union(id.index(), clock.index());
                    self.clocked
                        .push(mark(id, "the result of `sample` is clocked"));
                    let mut of = Vec::new();
                    self.variables_in(argument, &mut of);
                    unclocked.extend(
                        of.into_iter()
                            .map(|of| mark(of, "`sample` reads it in continuous time")),
                    );
                }
                StandIn::Hold(of) => {
                    self.clocked.push(mark(*of, "`hold` reads it on a clock"));
                    unclocked.push(mark(id, "the result of `hold` is not clocked"));
                }
                StandIn::Convert { argument, edge } => {
                    base.union(id.index(), argument.index());
                    edges.push((*argument, id, *edge));
                    self.clocked.push(mark(id, "made for another clock"));
                }
                StandIn::Solver { clock, .. } => {
                    base.union(id.index(), clock.index());
                    let (factor, shift) = (super::Rational::ONE, super::Rational::ZERO);
                    edges.push((*clock, id, Edge::Affine { factor, shift }));
                }
                StandIn::Source(Source::Event { condition, .. }) => {
                    unclocked.push(mark(
                        *condition,
                        "an event clock reads it in continuous time",
                    ));
                }
                StandIn::Source(Source::Varying { variable, .. }) => {
                    base.union(id.index(), variable.index());
                    sub.union(id.index(), variable.index());
                }
                StandIn::Source(Source::Rational(_) | Source::Real(_)) | StandIn::Inferred => {}
                StandIn::Interval | StandIn::FirstTick => {
                    self.clocked
                        .push(mark(id, "only a clock has intervals and ticks"));
                }
            }
            if is_clock {
                self.clocked.push(mark(id, "this is a clock"));
            }
        }
        for (id, variable) in self.model.variables.iter_enumerated() {
            if variable.ty == Type::Clock && !self.stand_ins.contains_key(&id) {
                self.clocked.push(Mark {
                    variable: id,
                    place: variable.origin.span,
                    why: "this is a clock",
                    nameless: false,
                });
            }
        }
        let mut clocked: FxHashMap<usize, Mark> = FxHashMap::default();
        let mut marks = std::mem::take(&mut self.clocked);
        // Equations lead from what a clock drives, not from the clock itself.
        marks.sort_by_key(|it| self.model.variables[it.variable].ty == Type::Clock);
        for mark in marks {
            clocked
                .entry(base.find(mark.variable.index()))
                .or_insert(mark);
        }
        let mut told: Vec<usize> = Vec::new();
        for mark in unclocked {
            let root = base.find(mark.variable.index());
            if let Some(other) = clocked.get(&root)
                && !told.contains(&root)
            {
                told.push(root);
                self.mixed(&mark, other, &incidences);
            }
        }
        let mut out = Partitions {
            of_item: vec![None; self.items.len()],
            ..Partitions::default()
        };
        let mut numbers: FxIndexMap<usize, usize> = FxIndexMap::default();
        for id in self.model.variables.ids() {
            let root = base.find(id.index());
            if !clocked.contains_key(&root) {
                continue;
            }
            let number = *numbers.entry(sub.find(id.index())).or_insert_with(|| {
                out.classes.push(Class {
                    base: root,
                    ..Class::default()
                });
                out.classes.len() - 1
            });
            out.class_of.insert(id, number);
            out.classes[number].variables.push(id);
            let place = self.model.variables[id].origin.span;
            match self.stand_ins.get(&id) {
                Some(StandIn::Source(source)) => {
                    out.classes[number].sources.push((source.clone(), place));
                }
                Some(StandIn::Solver { method, .. }) if !method.is_empty() => {
                    out.classes[number].methods.push((method.clone(), place));
                }
                _ => {}
            }
        }
        for (index, incidence) in incidences.iter().enumerate() {
            let class = incidence
                .first()
                .and_then(|id| out.class_of.get(id).copied());
            out.of_item[index] = class;
            if let Some(class) = class {
                out.classes[class].items.push(index);
            }
        }
        out.links_of = vec![Vec::new(); out.classes.len()];
        for (from, to, edge) in edges {
            if let (Some(&from), Some(&class)) = (out.class_of.get(&from), out.class_of.get(&to)) {
                let number = out.links.len();
                out.links_of[from].push(number);
                if class != from {
                    out.links_of[class].push(number);
                }
                out.links.push(Link {
                    from,
                    to: class,
                    edge,
                    place: self.model.variables[to].origin.span,
                });
            }
        }
        out
    }
}
