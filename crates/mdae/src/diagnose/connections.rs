//! Singular systems that stem from how components are connected, told in terms of components and connectors.
//!
//! Two things go wrong in any domain. Equations of connected components *conflict*: a combination of them
//! mentions no unknown any more (two voltage sources in parallel, a speed prescribed twice, a flow source whose
//! connector is open). Or a part *floats*: all its potentials can be shifted by the same amount (no ground, no fixed
//! point). Both are read off the null space of the coefficients, not off the names or classes of components.

use super::dependence::{Coefficients, Combination, leaves_a_value};
use super::{equation_text, list, quoted};
use crate::model::{EqId, MDae};
use crate::sym::{Fp, Kind, VarId, for_each_node, params, variables};
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_diag::Diagnostic;
use modeshift_flat::circuit::{Circuit, Role};
use modeshift_flat::model::{OriginKind, Place};
use std::collections::BTreeSet;

/// Labels at components in one message.
const MAX_COMPONENTS: usize = 8;

/// Combinations of equations or unknowns that are looked at.
const MAX_COMBINATIONS: usize = 8;

/// What happens in one mode of a model with connections.
pub(super) struct Scene<'a> {
    pub mdae: &'a MDae,
    pub circuit: &'a Circuit<'a>,
    /// The value of every condition.
    pub truth: Vec<bool>,
}

/// A cause in words, to be made a diagnostic of the code that fits.
#[derive(Debug)]
pub(super) struct Story {
    /// Without the modes in which it happens.
    pub message: String,
    /// The first one is primary.
    pub labels: Vec<(Place, String)>,
    pub notes: Vec<String>,
    /// Components concerned.
    pub about: Vec<String>,
}

impl Story {
    /// Adds labels and notes.
    pub(super) fn tell(self, mut diagnostic: Diagnostic<Place>) -> Diagnostic<Place> {
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        for (place, text) in self.labels {
            if seen.insert(place) {
                diagnostic = diagnostic.label(place, text);
            }
        }
        self.notes.into_iter().fold(diagnostic, Diagnostic::note)
    }
}

/// The equations of one component in a conflict.
struct Member {
    equations: Vec<(EqId, Fp)>,
    /// Unknowns that they mention.
    unknowns: FxHashSet<VarId>,
}

impl Member {
    /// Whether its equations alone determine what they mention.
    fn prescribes(&self) -> bool {
        self.equations.len() >= self.unknowns.len()
    }
}

/// A conflict, sorted by who takes part in it.
struct Conflict {
    members: FxIndexMap<OwnerKey, Member>,
    connects: Vec<EqId>,
    /// Connectors that are not connected.
    open: Vec<String>,
    unknowns: Vec<VarId>,
}

/// A component in the modeller's text, or an equation of the model itself.
#[derive(PartialEq, Eq, Hash, Debug)]
struct OwnerKey {
    text: String,
    place: Place,
    equation: bool,
}

impl Scene<'_> {
    /// Why these equations cannot all hold, if connected components are the reason. `unknowns` are all that the
    /// equations mention.
    pub(super) fn conflict(&self, equations: &[EqId], unknowns: &[VarId]) -> Option<Story> {
        let coefficients = Coefficients::new(self.mdae, equations, unknowns, &self.truth)?;
        let found = coefficients.dependences(MAX_COMBINATIONS);
        let mut stories = found
            .iter()
            .filter_map(|rows| self.conflicting_rows(&coefficients, equations, unknowns, rows));
        stories.next()
    }

    fn conflicting_rows(
        &self,
        coefficients: &Coefficients,
        equations: &[EqId],
        unknowns: &[VarId],
        found: &Combination,
    ) -> Option<Story> {
        let rows: Vec<(EqId, Fp)> = found.iter().map(|&(row, c)| (equations[row], c)).collect();
        let columns = |row: usize| coefficients.mentioned(row).map(|c| unknowns[c]);
        let mentioned: FxIndexMap<EqId, Vec<VarId>> = found
            .iter()
            .map(|&(row, _)| (equations[row], columns(row).collect()))
            .collect();
        let mut conflict = self.sorted(&rows, &mentioned);
        self.leave_signals_out(&mut conflict, &mentioned);
        if !leaves_a_value(self.mdae, &rows, &conflict.unknowns, &self.truth)
            && conflict.open.is_empty()
        {
            return None;
        }
        self.tell_conflict(&conflict)
    }

    /// The part of the model whose potentials nothing fixes, if that is why these unknowns are not determined.
    pub(super) fn floating(&self, equations: &[EqId], unknowns: &[VarId]) -> Vec<Story> {
        let coefficients = Coefficients::new(self.mdae, equations, unknowns, &self.truth);
        let found = coefficients.map(|it| it.transposed().dependences(MAX_COMBINATIONS));
        let found = found.unwrap_or_default();
        let stories = found
            .iter()
            .filter_map(|it| self.floating_columns(unknowns, it));
        stories.collect()
    }

    fn floating_columns(&self, unknowns: &[VarId], found: &Combination) -> Option<Story> {
        let mut potentials = Vec::new();
        let mut factor = None;
        for &(column, value) in found {
            let x = unknowns[column];
            match self.circuit.role(&self.mdae.variable(x).name) {
                Some((_, Role::Flow)) => return None,
                Some((connector, Role::Potential)) => {
                    if *factor.get_or_insert(value) != value {
                        return None;
                    }
                    potentials.push((x, connector));
                }
                None => {}
            }
        }
        if potentials.len() < 2 {
            return None;
        }
        self.tell_floating(&potentials)
    }

    /// The components whose variables these equations leave open, and which of their connectors are not connected.
    pub(super) fn undetermined(&self, equations: &[EqId], unknowns: &[VarId]) -> Option<Story> {
        let (&first, _) = unknowns.split_first()?;
        let (_, role) = self.circuit.role(self.name(first))?;
        let mut components: FxIndexMap<String, Place> = FxIndexMap::default();
        for &x in unknowns {
            let (path, place) = self.circuit.component(self.name(x))?;
            components.entry(path).or_insert(place);
        }
        let open = self.open_connectors(&components);
        if role != Role::Potential || open.is_empty() {
            return None;
        }
        let noun = self.circuit.noun(self.name(first));
        let paths: Vec<String> = components.keys().map(|path| quoted(path)).collect();
        let names: Vec<String> = open.iter().map(|(name, _)| quoted(name)).collect();
        let (is, there) = match names.len() {
            1 => ("is", "a component there"),
            _ => ("are", "components there"),
        };
        let mut labels: Vec<(Place, String)> = open
            .iter()
            .map(|(name, place)| (*place, format!("`{name}` is not connected")))
            .collect();
        let places = components.values().take(MAX_COMPONENTS);
        labels.extend(places.map(|&place| (place, format!("{noun} is not determined here"))));
        Some(Story {
            message: format!(
                "nothing determines {noun} of {}: {} {is} not connected",
                list(&paths),
                list(&names)
            ),
            labels,
            notes: vec![
                format!(
                    "{} unknowns of {} share only {}",
                    unknowns.len(),
                    list(&paths),
                    match equations.len() {
                        1 => "1 equation".to_owned(),
                        n => format!("{n} equations"),
                    }
                ),
                format!(
                    "connect {}, or put {there} that determines {noun}",
                    list(&names)
                ),
            ],
            about: paths,
        })
    }

    /// One of few connectors that were left open, and are not in the message already, may be where a connection should have gone.
    fn left_open(&self, message: &str) -> Option<String> {
        const MAX_OPEN: usize = 2;
        let open = self.unconnected().into_iter().map(|name| quoted(&name));
        let open: Vec<String> = open.filter(|name| !message.contains(name)).collect();
        let (is, that) = match open.len() {
            1 => ("is", "that connector"),
            _ => ("are", "one of them"),
        };
        let few = !open.is_empty() && open.len() <= MAX_OPEN;
        few.then(|| format!("{} {is} not connected; was {that} meant?", list(&open)))
    }

    /// Connectors of these components to which nothing is connected.
    fn open_connectors(&self, components: &FxIndexMap<String, Place>) -> Vec<(String, Place)> {
        let unconnected = self.unconnected().into_iter();
        let own = unconnected.filter_map(|connector| {
            let (path, _) = self.circuit.component(&connector)?;
            Some((connector, *components.get(&path)?))
        });
        own.collect()
    }

    /// All connectors of components to which nothing is connected.
    fn unconnected(&self) -> Vec<String> {
        let unconnected = self
            .mdae
            .equations
            .iter()
            .filter(|equation| equation.origin.kind == OriginKind::UnconnectedFlow);
        let mut found: Vec<String> = Vec::new();
        for equation in unconnected {
            let mut mentioned = variables(&equation.lhs);
            mentioned.extend(variables(&equation.rhs));
            let names = mentioned.iter().map(|it| self.name(it.var));
            found.extend(names.filter_map(|name| Some(self.circuit.role(name)?.0)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// An input of a component that nothing outside the component mentions, if one of these unknowns is one.
    pub(super) fn open_input(&self, unknowns: &[VarId]) -> Option<Story> {
        let inputs = unknowns.iter().filter_map(|&x| {
            let name = self.name(x);
            Some((x, name, self.circuit.input(name)?))
        });
        let mut open = inputs.filter(|&(x, _, inside)| {
            let mut mentioning = self.mdae.equations.iter().filter(|equation| {
                let mut sides = [&equation.lhs, &equation.rhs].into_iter();
                sides.any(|side| variables(side).iter().any(|it| it.var == x))
            });
            mentioning.all(|equation| {
                let at = &*equation.origin.instance;
                at.strip_prefix(inside)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        });
        let Some((_, name, inside)) = open.next() else {
            return self.inputs_without_source(unknowns);
        };
        let (component, place) = self.circuit.component(inside)?;
        Some(Story {
            message: format!("the input `{name}` is not connected, so nothing determines it"),
            labels: vec![(place, format!("nothing is connected to `{name}`"))],
            notes: vec![format!(
                "connect `{name}`, or give it a value: `{component}({} = …)`",
                bare_name(name, &component)
            )],
            about: vec![quoted(&component)],
        })
    }

    /// Inputs of components that are connected to each other, and to nothing that gives a signal.
    fn inputs_without_source(&self, unknowns: &[VarId]) -> Option<Story> {
        let is_input = |x: VarId| self.circuit.input(self.name(x)).is_some();
        let first = *unknowns.iter().find(|x| is_input(**x))?;
        let mut joined: Vec<VarId> = vec![first];
        let mut connects: Vec<Place> = Vec::new();
        let mut at = 0;
        while let Some(&x) = joined.get(at) {
            at += 1;
            let connections = (self.mdae.equations.iter())
                .filter(|equation| equation.origin.kind == OriginKind::Connection);
            for equation in connections {
                let mut both = variables(&equation.lhs);
                both.extend(variables(&equation.rhs));
                if !both.iter().any(|it| it.var == x) {
                    continue;
                }
                connects.push(equation.origin.span);
                let others = both.iter().map(|it| it.var);
                let new: Vec<VarId> = others.filter(|other| !joined.contains(other)).collect();
                joined.extend(new);
            }
        }
        if joined.len() < 2 || !joined.iter().all(|x| is_input(*x)) {
            return None;
        }
        connects.dedup();
        let names: Vec<String> = joined.iter().map(|x| quoted(self.name(*x))).collect();
        let (component, _) = self.circuit.component(self.name(first))?;
        Some(Story {
            message: format!(
                "the inputs {} are connected to each other, but to no output that determines them",
                list(&names)
            ),
            labels: (connects.into_iter().take(MAX_COMPONENTS))
                .map(|place| (place, "connects inputs only".to_owned()))
                .collect(),
            notes: vec![format!("connect the output of a block to {}", names[0])],
            about: vec![quoted(&component)],
        })
    }

    fn name(&self, x: VarId) -> &str {
        &self.mdae.variable(x).name
    }

    fn sorted(&self, rows: &[(EqId, Fp)], mentioned: &FxIndexMap<EqId, Vec<VarId>>) -> Conflict {
        let mut conflict = Conflict {
            members: FxIndexMap::default(),
            connects: Vec::new(),
            open: Vec::new(),
            unknowns: Vec::new(),
        };
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        for &(id, coefficient) in rows {
            let own = &mentioned[&id];
            conflict
                .unknowns
                .extend(own.iter().copied().filter(|x| seen.insert(*x)));
            let origin = &self.mdae.equations[id].origin;
            if origin.kind == OriginKind::UnconnectedFlow {
                let connectors = own.iter().filter_map(|&x| self.circuit.role(self.name(x)));
                conflict.open.extend(connectors.map(|(name, _)| name));
                continue;
            }
            let is_own = origin.instance.is_empty() || (self.circuit.own)(origin.span);
            if origin.kind == OriginKind::Connection && is_own {
                conflict.connects.push(id);
                continue;
            }
            let key = match self.circuit.component(&origin.instance) {
                Some((path, place)) => OwnerKey {
                    text: quoted(&path),
                    place,
                    equation: false,
                },
                None => OwnerKey {
                    text: format!("the equation {}", equation_text(self.mdae, id)),
                    place: origin.span,
                    equation: true,
                },
            };
            let member = conflict.members.entry(key).or_insert_with(|| Member {
                equations: Vec::new(),
                unknowns: FxHashSet::default(),
            });
            member.equations.push((id, coefficient));
            member.unknowns.extend(own);
        }
        conflict
    }

    /// A block that gives a signal to a component takes no part in the circuit: the component with the physical
    /// connector prescribes what the signal says.
    fn leave_signals_out(&self, conflict: &mut Conflict, mentioned: &FxIndexMap<EqId, Vec<VarId>>) {
        let physical = |x: &VarId| self.circuit.role(self.name(*x)).is_some();
        let mut signals: FxHashSet<VarId> = FxHashSet::default();
        let rest = |member: &Member| member.unknowns.iter().any(physical);
        if !conflict.members.values().any(rest) {
            return;
        }
        conflict.members.retain(|key, member| {
            let keep = key.equation || rest(member);
            if !keep {
                signals.extend(&member.unknowns);
            }
            keep
        });
        loop {
            let before = signals.len();
            conflict.connects.retain(|id| {
                let own = &mentioned[id];
                let leads_on = own.iter().any(|x| signals.contains(x));
                if leads_on {
                    signals.extend(own);
                }
                !leads_on
            });
            if signals.len() == before {
                break;
            }
        }
        for member in conflict.members.values_mut() {
            member.unknowns.retain(|x| !signals.contains(x));
        }
    }

    /// The role of all variables of connectors among these, if it is one, and one of them.
    fn common_role(&self, unknowns: &[VarId]) -> Option<(Role, VarId)> {
        let mut common = None;
        for &x in unknowns {
            let Some((_, role)) = self.circuit.role(self.name(x)) else {
                continue;
            };
            match common {
                None => common = Some((role, x)),
                Some((known, _)) if known != role => return None,
                Some(_) => {}
            }
        }
        common
    }

    fn touches_connectors(&self, unknowns: &[VarId]) -> bool {
        let mut names = unknowns.iter().map(|&x| self.name(x));
        names.any(|name| self.circuit.role(name).is_some())
    }

    fn tell_conflict(&self, conflict: &Conflict) -> Option<Story> {
        let members = || conflict.members.iter();
        let components = members().filter(|(key, _)| !key.equation).count();
        let connected = !conflict.connects.is_empty() || !conflict.open.is_empty();
        if components == 0 || !connected || !self.touches_connectors(&conflict.unknowns) {
            return None;
        }
        let prescribing: Vec<&OwnerKey> = members()
            .filter(|(_, member)| member.prescribes())
            .map(|(key, _)| key)
            .collect();
        let passing: Vec<&OwnerKey> = members()
            .filter(|(_, member)| !member.prescribes())
            .map(|(key, _)| key)
            .collect();
        let mut told = match self.common_role(&conflict.unknowns) {
            Some((Role::Flow, x)) if !conflict.open.is_empty() => {
                self.open_connector(conflict, x, &prescribing, &passing)
            }
            Some((Role::Flow, x)) if prescribing.len() > 1 => {
                self.flow_twice(conflict, x, &prescribing, &passing)
            }
            Some((Role::Potential, x)) if prescribing.len() > 1 => {
                self.potential_twice(x, &prescribing, &passing)
            }
            Some((Role::Potential, x)) if prescribing.is_empty() => {
                self.potential_loop(conflict, x)
            }
            _ => too_many(conflict),
        };
        told.notes.extend(self.left_open(&told.message));
        Some(self.with_connects(told, conflict))
    }

    /// Adds where the components are connected, and lists who takes part.
    fn with_connects(&self, mut story: Story, conflict: &Conflict) -> Story {
        for &id in conflict.connects.iter().take(MAX_COMPONENTS) {
            let origin = &self.mdae.equations[id].origin;
            story
                .labels
                .push((origin.span, "connected here".to_owned()));
            // Any of the connections of a set may be the one that joins the ends: both of two are shown, and all where one
            // component with one set of connectors leaves no other hint.
            let few = conflict.members.len() == 1 || origin.also.len() == 1;
            let others = origin.also.iter().filter(|_| few);
            let others = others.take(MAX_COMPONENTS);
            story
                .labels
                .extend(others.map(|&place| (place, "connected here".to_owned())));
        }
        story.about = conflict
            .members
            .keys()
            .map(|key| key.text.clone())
            .collect();
        story
    }

    fn open_connector(
        &self,
        conflict: &Conflict,
        x: VarId,
        prescribing: &[&OwnerKey],
        passing: &[&OwnerKey],
    ) -> Story {
        let noun = self.circuit.noun(self.name(x));
        let open: Vec<String> = conflict.open.iter().map(|name| quoted(name)).collect();
        let is = if open.len() == 1 { "is" } else { "are" };
        let so = format!(
            "{} {is} not connected, so {noun} is zero there",
            list(&open)
        );
        let message = match prescribing {
            [] => format!("{so}, which leaves one equation too many"),
            _ => {
                let verb = if prescribing.len() == 1 {
                    "prescribes"
                } else {
                    "prescribe"
                };
                let through = match passing {
                    [] => String::new(),
                    _ => format!(" through {}", texts(passing)),
                };
                format!("{so}, but {} {verb} it{through}", texts(prescribing))
            }
        };
        let mut labels = Vec::new();
        for name in &conflict.open {
            if let Some((_, place)) = self.circuit.component(name) {
                labels.push((place, format!("`{name}` is not connected")));
            }
        }
        labels.extend(
            prescribing
                .iter()
                .map(|key| (key.place, format!("prescribes {noun}"))),
        );
        labels.extend(
            passing
                .iter()
                .map(|key| (key.place, format!("passes {noun} on"))),
        );
        let components = conflict.open.iter().filter_map(|name| {
            let (path, _) = self.circuit.component(name)?;
            Some(quoted(&path))
        });
        let mut components: Vec<String> = components.collect();
        components.dedup();
        // Where a parameter is zero, that is the more likely slip.
        let mut notes = self.zero_parameters(conflict, &noun);
        notes.push(format!(
            "connect {}, or remove {}",
            list(&open),
            list(&components)
        ));
        Story {
            message,
            labels,
            notes,
            about: Vec::new(),
        }
    }

    /// Components that give a value, and those that only say zero.
    fn by_value<'k>(
        &self,
        conflict: &Conflict,
        keys: &[&'k OwnerKey],
    ) -> (Vec<&'k OwnerKey>, Vec<&'k OwnerKey>) {
        keys.iter().partition(|key| {
            let member = &conflict.members[**key];
            let unknowns: Vec<VarId> = member.unknowns.iter().copied().collect();
            let mut equations = member.equations.iter();
            equations.any(|&one| leaves_a_value(self.mdae, &[one], &unknowns, &self.truth))
        })
    }

    fn flow_twice(
        &self,
        conflict: &Conflict,
        x: VarId,
        prescribing: &[&OwnerKey],
        passing: &[&OwnerKey],
    ) -> Story {
        let noun = self.circuit.noun(self.name(x));
        let (given, zero) = self.by_value(conflict, prescribing);
        if !given.is_empty() && !zero.is_empty() {
            let makes = if zero.len() == 1 { "makes" } else { "make" };
            let prescribes = if given.len() == 1 {
                "prescribes"
            } else {
                "prescribe"
            };
            let mut all = labels(&given, &format!("prescribes {noun}"));
            all.extend(labels(&zero, &format!("makes {noun} zero")));
            return Story {
                message: format!(
                    "{} {makes} {noun} zero, but {} {prescribes} it on the same path",
                    texts(&zero),
                    texts(&given)
                ),
                labels: all,
                notes: vec![format!(
                    "connect {} in parallel, or give {noun} of {} another path",
                    texts(&zero),
                    texts(&given)
                )],
                about: Vec::new(),
            };
        }
        let both = if prescribing.len() == 2 {
            "both"
        } else {
            "all"
        };
        let through = match passing {
            [] => String::new(),
            _ => format!(" through {}", texts(passing)),
        };
        let message = format!(
            "{} {both} prescribe {noun} on the same path{through}, and nothing takes up the difference",
            texts(prescribing)
        );
        Story {
            message,
            labels: labels(prescribing, &format!("prescribes {noun}")),
            notes: vec![format!(
                "remove one of them, or connect a component at the point where they meet that can take up \
                 the difference in {noun}"
            )],
            about: Vec::new(),
        }
    }

    fn potential_twice(&self, x: VarId, prescribing: &[&OwnerKey], passing: &[&OwnerKey]) -> Story {
        let noun = self.circuit.noun(self.name(x));
        let both = if prescribing.len() == 2 {
            "both"
        } else {
            "all"
        };
        let rigid = match passing {
            [] => ", and they are connected".to_owned(),
            [_] => format!(", and {} connects them rigidly", texts(passing)),
            _ => format!(", and {} connect them rigidly", texts(passing)),
        };
        let message = format!("{} {both} prescribe {noun}{rigid}", texts(prescribing));
        let mut labels = labels(prescribing, &format!("prescribes {noun}"));
        labels.extend(
            passing
                .iter()
                .map(|key| (key.place, format!("ties {noun} of its connectors together"))),
        );
        Story {
            message,
            labels,
            notes: vec![format!(
                "remove {}, or put a component between them that lets {noun} differ",
                one_of(prescribing)
            )],
            about: Vec::new(),
        }
    }

    /// Components around a loop, each of which gives the difference between its ends.
    fn potential_loop(&self, conflict: &Conflict, x: VarId) -> Story {
        let noun = self.circuit.noun(self.name(x));
        let gives = |member: &Member| {
            let unknowns: Vec<VarId> = member.unknowns.iter().copied().collect();
            leaves_a_value(self.mdae, &member.equations, &unknowns, &self.truth)
        };
        let (sources, joins): (Vec<_>, Vec<_>) = conflict
            .members
            .iter()
            .partition(|(_, member)| gives(member));
        let sources: Vec<&OwnerKey> = sources.into_iter().map(|(key, _)| key).collect();
        let joins: Vec<&OwnerKey> = joins.into_iter().map(|(key, _)| key).collect();
        let difference = format!("the difference in {} between its ends", bare(&noun));
        let message = match (sources.len(), joins.len()) {
            (1, 0) => format!(
                "both ends of {} are connected to each other, and it prescribes {difference}",
                texts(&sources)
            ),
            (2, 0) => format!(
                "{} are connected in parallel, and both prescribe the difference in {} between the same two \
                 points",
                texts(&sources),
                bare(&noun),
            ),
            (_, 0) => format!(
                "{} form a loop, and each prescribes {difference}",
                texts(&sources)
            ),
            (1, 1) => format!(
                "{} short-circuits {}, which prescribes {difference}",
                texts(&joins),
                texts(&sources),
            ),
            (1, _) => format!(
                "{} together short-circuit {}, which prescribes {difference}",
                texts(&joins),
                texts(&sources),
            ),
            _ => format!(
                "{} form a loop with {}, and each prescribes {difference}",
                texts(&sources),
                texts(&joins),
            ),
        };
        let mut labels = labels(
            &sources,
            &format!("prescribes the difference in {}", bare(&noun)),
        );
        let joined = joins
            .iter()
            .map(|key| (key.place, format!("makes {noun} equal at its ends")));
        labels.extend(joined);
        let advice = match sources.len() + joins.len() {
            1 => "remove the connection that joins its ends".to_owned(),
            _ => format!(
                "remove one of them, or put a component into the loop that lets {noun} differ"
            ),
        };
        let mut notes = self.zero_parameters(conflict, &noun);
        notes.push(advice);
        Story {
            message,
            labels,
            notes,
            about: Vec::new(),
        }
    }

    /// Parameters with the value 0 that a variable is multiplied by in the equations of the conflict: a resistance of zero.
    fn zero_parameters(&self, conflict: &Conflict, noun: &str) -> Vec<String> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let equations = conflict
            .members
            .iter()
            .flat_map(|(_, member)| &member.equations);
        for &(id, _) in equations {
            let equation = &self.mdae.equations[id];
            for side in [&equation.lhs, &equation.rhs] {
                for_each_node(side, &mut |part| {
                    let scales =
                        matches!(part.kind(), Kind::Prod(_)) && !variables(part).is_empty();
                    for param in params(part).into_iter().filter(|_| scales) {
                        let parameter = self.mdae.parameter(param);
                        if parameter.value == Some(0.0) {
                            names.insert(&parameter.name);
                        }
                    }
                    !scales
                });
            }
        }
        let names: Vec<String> = names.into_iter().take(4).map(quoted).collect();
        match names.len() {
            0 => Vec::new(),
            1 => vec![format!(
                "{} is 0: with another value {noun} could differ",
                names[0]
            )],
            _ => vec![format!(
                "{} are 0: with other values {noun} could differ",
                list(&names)
            )],
        }
    }

    fn tell_floating(&self, potentials: &[(VarId, String)]) -> Option<Story> {
        let noun = self.circuit.noun(self.name(potentials[0].0));
        let mut components: FxIndexMap<String, Place> = FxIndexMap::default();
        for (_, connector) in potentials {
            if let Some((path, place)) = self.circuit.component(connector) {
                components.entry(path).or_insert(place);
            }
        }
        components.sort_by(|_, a, _, b| a.cmp(b));
        if components.is_empty() {
            return None;
        }
        let names: Vec<String> = components.keys().map(|path| quoted(path)).collect();
        let message = format!("nothing fixes {noun} of {}", list(&names));
        let labels = components.values().take(MAX_COMPONENTS);
        let labels = labels.map(|&place| (place, format!("{noun} is not fixed here")));
        let (_, connector) = &potentials[0];
        Some(Story {
            message,
            labels: labels.collect(),
            notes: vec![
                format!(
                    "the equations of these components only say how {noun} differs between connectors; the same amount \
                     can be added everywhere"
                ),
                format!(
                    "connect one of the connectors, for example `{connector}`, to a component that fixes {noun}: in a \
                     circuit a ground, in mechanics a fixed flange, in a thermal model a given temperature"
                ),
            ],
            about: names,
        })
    }
}

/// The fallback: who takes part.
fn too_many(conflict: &Conflict) -> Story {
    let keys: Vec<&OwnerKey> = conflict.members.keys().collect();
    let mut open: Vec<String> = conflict.open.iter().map(|name| quoted(name)).collect();
    open.dedup();
    let mut notes = vec![
        "together they prescribe more than their connections leave free; remove one of the components, or connect \
         them differently"
            .to_owned(),
    ];
    let have = if keys.len() == 1 { "has" } else { "have" };
    let message = match open.len() {
        0 => format!(
            "{} {have} one equation too many for what connects them",
            texts(&keys)
        ),
        count => {
            notes = vec!["connect it, or remove one of the components".to_owned()];
            let is = if count == 1 { "is" } else { "are" };
            format!(
                "{} {is} not connected, and {} {have} one equation too many",
                list(&open),
                texts(&keys)
            )
        }
    };
    Story {
        message,
        labels: labels(&keys, "takes part in this"),
        notes,
        about: Vec::new(),
    }
}

fn texts(keys: &[&OwnerKey]) -> String {
    let texts: Vec<String> = keys.iter().map(|key| key.text.clone()).collect();
    list(&texts)
}

/// `a` or `b`
fn one_of(keys: &[&OwnerKey]) -> String {
    let texts: Vec<&str> = keys.iter().map(|key| &*key.text).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

fn labels(keys: &[&OwnerKey], text: &str) -> Vec<(Place, String)> {
    let keys = keys.iter().take(MAX_COMPONENTS);
    keys.map(|key| (key.place, text.to_owned())).collect()
}

/// What `name` is called inside `component`.
fn bare_name<'n>(name: &'n str, component: &str) -> &'n str {
    name.strip_prefix(component)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(name)
}

/// Without its article.
fn bare(noun: &str) -> &str {
    noun.strip_prefix("the ").unwrap_or(noun)
}
