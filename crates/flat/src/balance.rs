//! Balance: as many equations as unknowns, in the model and in each of its parts (Modelica 3.6 §4.7).
//!
//! The model as a whole is counted first. Then each instance is looked at as if it stood alone, its
//! connectors left open, so that the message can name the parts that are off and not only totals. Linear in
//! the size of the flat model.

mod count;

use crate::model::Variable;
use crate::model::{
    Equation, EquationKind, FlatExp, FlatModel, FlatRef, Origin, OriginKind, Place, VarId,
};
pub use count::{equation_count, is_unknown, statement_targets};
use modeshift_base::{FxHashMap, FxHashSet};
use modeshift_diag::{Code, Diagnostic};
use modeshift_inst::exp::Exp;
use modeshift_inst::tree::{ClassInstId, ClassKind, Component, Flow, Instance};
use modeshift_inst::ty::{Causality, Variability};
use std::sync::Arc;

/// Unknowns and equations of the whole model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub unknowns: i64,
    pub equations: i64,
}

/// Counts the whole model.
pub fn totals(model: &FlatModel) -> Totals {
    let unknowns = model
        .variables
        .iter()
        .filter(|variable| is_unknown(variable))
        .count();
    let bound = model
        .variables
        .iter()
        .filter(|variable| is_unknown(variable) && variable.binding.is_some())
        .count();
    let equations: usize = model
        .equations
        .iter()
        .map(|equation| equation_count(model, equation))
        .sum();
    let assigned: usize = model
        .algorithms
        .iter()
        .map(|algorithm| statement_targets(model, &algorithm.statements).len())
        .sum();
    Totals {
        unknowns: unknowns as i64,
        equations: (bound + equations + assigned) as i64,
    }
}

/// What is wrong where counting cannot tell anything: laws for instants are equations of their own kind.
pub fn check_cycles(model: &FlatModel) -> Vec<Diagnostic<Place>> {
    crate::cycles::check(model)
}

/// If-equations whose branches have different numbers of equations although their condition can change: those that mention
/// one of the variables named.
pub fn uneven_branches(model: &FlatModel, about: &FxHashSet<Arc<str>>) -> Vec<Diagnostic<Place>> {
    let mut found = Vec::new();
    for equation in &model.equations {
        if !matches!(equation.kind, EquationKind::If { .. }) {
            continue;
        }
        let mut mentions = false;
        crate::walk::equation_exps(equation, &mut |exp| {
            crate::walk::walk(exp, &mut |part| {
                if let Exp::Ref(FlatRef::Var(id)) = part {
                    mentions |= about.contains(&model.variables[*id].name);
                }
            });
        });
        if mentions {
            branches(model, std::slice::from_ref(equation), &mut found);
        }
    }
    found
}

/// What is wrong with the counts of a flat model.
pub fn check(instance: &Instance, model: &FlatModel) -> Vec<Diagnostic<Place>> {
    let mut diagnostics = Vec::new();
    branches(model, &model.equations, &mut diagnostics);
    diagnostics.extend(crate::cycles::check(model));
    if !diagnostics.is_empty() {
        return diagnostics;
    }
    let totals = totals(model);
    // What several states of a machine give is counted once they are merged.
    if totals.unknowns == totals.equations || crate::clocks::has_states(model) {
        return diagnostics;
    }
    let Some(root) = instance.root else {
        return diagnostics;
    };
    diagnostics.push(unbalanced(instance, model, root, totals));
    diagnostics
}

/// Whether the equations that a component lacks can come from what it is connected to: the root of overdetermined connectors, which
/// have more potentials than flows (Modelica 3.6 §9.4), and signals of a bus that only `connect` equations mention.
pub fn completed_outside(instance: &Instance, model: &FlatModel) -> bool {
    let totals = totals(model);
    let lacking = totals.unknowns - totals.equations;
    let Some(root) = instance.root.filter(|_| lacking > 0) else {
        return false;
    };
    let (mut excess, mut ends, mut signals) = (0, 0, 0);
    for &id in &instance.classes[root].components {
        let component = &instance.components[id];
        if component.protected || !crate::flatten::is_connector(component.kind) {
            continue;
        }
        let outside = outside_of(instance, component, component.flow);
        signals += outside.signals;
        if outside.potentials > outside.flows {
            excess = outside.potentials - outside.flows;
            ends += count_of(component);
        }
    }
    let roots = (0..=ends).any(|roots| (0..=signals).contains(&(lacking - roots * excess)));
    roots && (ends > 0 || signals > 0)
}

/// What one connector has.
#[derive(Default)]
struct Outside {
    potentials: i64,
    flows: i64,
    /// Members of a bus that only `connect` equations mention.
    signals: i64,
}

fn outside_of(instance: &Instance, component: &Component, flow: Option<Flow>) -> Outside {
    let mut found = Outside::default();
    let Some(class) = component.class else {
        match flow {
            _ if component.added => found.signals = 1,
            _ if component.causality.is_some()
                || component.variability <= Variability::Parameter => {}
            Some(Flow::Flow) => found.flows = 1,
            Some(Flow::Stream) => {}
            None => found.potentials = 1,
        }
        return found;
    };
    for &id in &instance.classes[class].components {
        let part = &instance.components[id];
        let inner = outside_of(instance, part, part.flow.or(flow));
        let count = count_of(part);
        found.potentials += count * inner.potentials;
        found.flows += count * inner.flows;
        found.signals += count * inner.signals;
    }
    found
}

fn count_of(component: &Component) -> i64 {
    let extents = component.dims.iter().map(crate::layout::extent);
    extents.map(|it| it.unwrap_or(0) as i64).product()
}

/// If-equations whose branches have different numbers of equations.
fn branches(model: &FlatModel, equations: &[Equation], out: &mut Vec<Diagnostic<Place>>) {
    for equation in equations {
        let EquationKind::If {
            branches: parts,
            else_,
        } = &equation.kind
        else {
            continue;
        };
        let count =
            |body: &[Equation]| -> usize { body.iter().map(|e| equation_count(model, e)).sum() };
        let first = parts.first().map_or(0, |(_, body)| count(body));
        let differs = parts.iter().any(|(_, body)| count(body) != first);
        if differs || count(else_) != first {
            let bodies: Vec<(&[Equation], usize)> = parts
                .iter()
                .map(|(_, body)| (&body[..], count(body)))
                .chain([(&else_[..], count(else_))])
                .collect();
            out.push(uneven(model, equation, &bodies));
        }
        for (_, body) in parts {
            branches(model, body, out);
        }
        branches(model, else_, out);
    }
}

/// `bodies` are the branches with their numbers of equations, that of `else` last.
fn uneven(
    model: &FlatModel,
    equation: &Equation,
    bodies: &[(&[Equation], usize)],
) -> Diagnostic<Place> {
    let first = bodies.first().map_or(0, |(_, count)| *count);
    let no_else = bodies.last().is_some_and(|(body, _)| body.is_empty());
    let message = if no_else && bodies.len() == 2 {
        format!(
            "this if-equation has {} when its condition is true and none when it is false",
            plural(first, "equation")
        )
    } else if no_else {
        "this if-equation has no equation when none of its conditions is true".to_owned()
    } else {
        let counts: Vec<String> = bodies.iter().map(|(_, count)| count.to_string()).collect();
        let (last, before) = counts
            .split_last()
            .map_or(("", &[][..]), |(l, b)| (&l[..], b));
        format!(
            "the branches of this if-equation have different numbers of equations: {} and {last}",
            before.join(", ")
        )
    };
    let branches = bodies.len() - usize::from(no_else);
    let mut diagnostic = Diagnostic::new(Code::MS3005, message).label(
        equation.origin.span,
        match no_else {
            true => format!("{} with equations", plural(branches, "branch")),
            false => plural(branches, "branch"),
        },
    );
    for (body, count) in bodies {
        if let Some(start) = body.first() {
            let text = format!("{} in this branch", plural(*count, "equation"));
            diagnostic = diagnostic.label(start.origin.span, text);
        }
    }
    for note in only_in_some(model, bodies) {
        diagnostic = diagnostic.note(note);
    }
    diagnostic = diagnostic.note(
        "the condition changes while the model runs, and the number of equations must not change with it",
    );
    if !equation.origin.instance.is_empty() {
        diagnostic = diagnostic.note(format!("this is part of `{}`", equation.origin.instance));
    }
    diagnostic
}

/// Variables that stand alone on the left in one branch and in no equation of another: these lack an equation there.
fn only_in_some(model: &FlatModel, bodies: &[(&[Equation], usize)]) -> Vec<String> {
    let given = |body: &[Equation]| -> Vec<VarId> {
        let alone = body.iter().filter_map(|equation| match &equation.kind {
            EquationKind::Equality {
                lhs: Exp::Ref(FlatRef::Var(id)),
                ..
            } => Some(*id),
            _ => None,
        });
        alone.collect()
    };
    let mentions = |body: &[Equation], x: VarId| {
        let mut found = false;
        for equation in body {
            crate::walk::equation_exps(equation, &mut |exp| {
                crate::walk::walk(exp, &mut |part| {
                    found |= matches!(part, Exp::Ref(FlatRef::Var(id)) if *id == x);
                });
            });
        }
        found
    };
    let most = bodies.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let mut notes = Vec::new();
    for (body, _) in bodies.iter().filter(|(_, count)| *count == most) {
        for x in given(body) {
            let lacks = |(other, count): &&(&[Equation], usize)| {
                *count < most && !other.is_empty() && !mentions(other, x)
            };
            let note = format!(
                "`{}` has an equation in one branch but not in another",
                model.variables[x].name
            );
            if bodies.iter().any(|it| lacks(&it)) && !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

fn plural(count: usize, word: &str) -> String {
    match (count, word) {
        (1, word) => format!("1 {word}"),
        (count, "branch") => format!("{count} branches"),
        (count, word) => format!("{count} {word}s"),
    }
}

/// One model or block of the instance tree.
struct Node {
    name: Arc<str>,
    place: Place,
    /// Where its class is declared.
    class: Place,
    parent: Option<usize>,
    unknowns: i64,
    equations: i64,
    /// Flows of its connectors and inputs without a value, which the environment determines.
    open: i64,
}

impl Node {
    /// Equations too many (positive) or too few (negative), seen alone.
    fn surplus(&self) -> i64 {
        self.equations + self.open - self.unknowns
    }

    /// `motor` has 1 equation too few (3 equations for 4 unknowns)
    fn count(&self) -> String {
        let surplus = self.surplus();
        let side = if surplus > 0 { "too many" } else { "too few" };
        let amount = plural(surplus.unsigned_abs() as usize, "equation");
        let subject = if self.name.is_empty() {
            "the model itself".to_owned()
        } else {
            format!("`{}`", self.name)
        };
        format!(
            "{subject} has {amount} {side} ({} for {})",
            plural((self.unknowns + surplus).max(0) as usize, "equation"),
            plural(self.unknowns as usize, "unknown"),
        )
    }
}

/// The instance tree with counts.
struct Tree<'a> {
    instance: &'a Instance,
    root: Arc<str>,
    nodes: Vec<Node>,
    /// Enclosing model of every instance, connectors and records included.
    by_name: FxHashMap<Arc<str>, usize>,
    /// Whether each scalar variable is declared as an input, in order.
    inputs: Vec<bool>,
}

/// The components that have too many or too few equations of their own; none in a model that has as many equations as
/// unknowns, or in which only the model itself is off.
pub fn components_off(instance: &Instance, model: &FlatModel) -> Option<Diagnostic<Place>> {
    let totals = totals(model);
    let root = instance
        .root
        .filter(|_| totals.unknowns != totals.equations)?;
    let tree = Tree::new(instance, model, root);
    let off = tree.innermost_off();
    let parts: Vec<&Node> = off
        .into_iter()
        .filter(|node| !node.name.is_empty())
        .collect();
    let missing = unmentioned(model);
    let open = model.variables.iter_enumerated().filter(|(id, variable)| {
        let mut owners = parts.iter().filter(|node| node.surplus() < 0);
        missing.contains(id) && owners.any(|node| belongs_to(&variable.name, &node.name))
    });
    let open: Vec<&Variable> = open.map(|(_, variable)| variable).collect();
    let message = match parts[..] {
        [] => return None,
        [one] if let [x] = open[..] => {
            format!("{}: no equation mentions `{}`", one.count(), x.name)
        }
        [one] => one.count(),
        [first, ..] => format!(
            "{}, and so do {} more components",
            first.count(),
            parts.len() - 1
        ),
    };
    if let [one] = parts[..]
        && one.surplus() > 0
        && let Some((input, equation)) = own_input(model, &tree, one)
    {
        let short = input.rsplit('.').next().unwrap_or(input);
        return Some(
            Diagnostic::new(
                Code::MS3006,
                format!("an equation inside `{}` determines its own input `{short}`", one.name),
            )
            .label(equation, format!("determines `{short}`"))
            .label(one.place, format!("`{input}` is given from outside as well"))
            .note(format!(
                "an input has its value from outside, by a connection or a modifier: remove the equation, or declare `{short}` \
                 without `input`"
            )),
        );
    }
    let mut diagnostic = Diagnostic::new(Code::MS3006, message);
    for (index, node) in parts.iter().enumerate() {
        let text = match index {
            0 => "this component".to_owned(),
            _ => node.count(),
        };
        diagnostic = diagnostic.label(node.place, text);
    }
    for variable in open.iter().take(4) {
        let name = &variable.name;
        diagnostic = diagnostic.label(
            variable.origin.span,
            format!("no equation mentions `{name}`"),
        );
    }
    if let [only] = open[..] {
        diagnostic = diagnostic.note(format!(
            "is the equation that determines `{}` missing?",
            only.name
        ));
    }
    let mut classes: FxHashSet<Place> = FxHashSet::default();
    for node in &parts {
        if classes.insert(node.class) {
            let text = match node.surplus() > 0 {
                true => "an equation of this class is superfluous",
                false => "an equation of this class is missing",
            };
            diagnostic = diagnostic.label(node.class, text);
        }
    }
    Some(diagnostic.note(GIVEN_FROM_OUTSIDE))
}

/// An input of a component that one of its own equations gives, and the equation.
fn own_input<'m>(model: &'m FlatModel, tree: &Tree<'_>, node: &Node) -> Option<(&'m str, Place)> {
    let mut own = (model.equations.iter()).filter(|it| *it.origin.instance == *node.name);
    own.find_map(|equation| {
        let EquationKind::Equality {
            lhs: Exp::Ref(FlatRef::Var(id)),
            ..
        } = &equation.kind
        else {
            return None;
        };
        let variable = &model.variables[*id];
        let inside = belongs_to(&variable.name, &node.name)
            && variable.name[node.name.len() + 1..].find('.').is_none();
        let is_input = tree.inputs.get(id.index()).copied().unwrap_or(false);
        (inside && is_input && equation.origin.kind == OriginKind::Equation)
            .then_some((&*variable.name, equation.origin.span))
    })
}

/// Whether a variable is part of the component of this name.
fn belongs_to(variable: &str, component: &str) -> bool {
    let rest = variable.strip_prefix(component);
    rest.is_some_and(|rest| rest.starts_with('.'))
}

/// Unknowns that no equation but those of connections mentions.
fn unmentioned(model: &FlatModel) -> FxHashSet<VarId> {
    let unknown = model.variables.iter_enumerated();
    let unknown = unknown.filter(|(_, it)| is_unknown(it) && it.binding.is_none());
    let open: FxHashSet<VarId> = unknown.map(|(id, _)| id).collect();
    let mut mentioned: FxHashSet<VarId> = FxHashSet::default();
    for algorithm in &model.algorithms {
        mentioned.extend(statement_targets(model, &algorithm.statements));
    }
    let mut note = |exp: &FlatExp| {
        crate::walk::walk(exp, &mut |part| match part {
            Exp::Ref(FlatRef::Var(id)) => {
                mentioned.insert(*id);
            }
            Exp::Ref(FlatRef::Group(id) | FlatRef::Element(id, _)) => {
                let group = model.groups.get(*id);
                mentioned.extend(group.into_iter().flat_map(|it| it.members.iter().copied()));
            }
            _ => {}
        });
    };
    for equation in &model.equations {
        if equation.origin.kind == OriginKind::Equation {
            crate::walk::equation_exps(equation, &mut note);
        }
    }
    for variable in &model.variables {
        variable.binding.iter().for_each(&mut note);
    }
    for algorithm in &model.algorithms {
        for statement in &algorithm.statements {
            crate::walk::statement_exps(statement, &mut note);
        }
    }
    open.difference(&mentioned).copied().collect()
}

const GIVEN_FROM_OUTSIDE: &str = "a component needs one equation for each of its unknowns; the flows of its connectors and \
                                  its inputs are given from outside";

fn unbalanced(
    instance: &Instance,
    model: &FlatModel,
    root: ClassInstId,
    totals: Totals,
) -> Diagnostic<Place> {
    let difference = totals.equations - totals.unknowns;
    let what = if difference > 0 { "more" } else { "fewer" };
    let message = format!(
        "`{}` has {} and {}: {} {what} than unknowns",
        model.name,
        plural(totals.unknowns as usize, "unknown"),
        plural(totals.equations as usize, "equation"),
        plural(difference.unsigned_abs() as usize, "equation"),
    );
    // Nothing that the model says mentions as many unknowns as it lacks equations.
    let mut open: Vec<VarId> = unmentioned(model).into_iter().collect();
    open.sort_unstable();
    open.retain(|&id| !model.variables[id].name.ends_with(']'));
    let lacking = open.len() as i64 == -difference && open.len() <= 4;
    let names = |ids: &[VarId]| -> Vec<String> {
        let names = ids.iter().map(|&id| model.variables[id].name.to_string());
        names.collect()
    };
    let message = match (lacking, &names(&open)[..]) {
        (true, [only]) => format!("{message}, and none mentions `{only}`"),
        _ => message,
    };
    let mut diagnostic =
        Diagnostic::new(Code::MS3006, message).label(instance.classes[root].place, "this model");
    for &id in open.iter().filter(|_| lacking) {
        let variable = &model.variables[id];
        diagnostic = diagnostic.label(
            variable.origin.span,
            format!("no equation mentions `{}`", variable.name),
        );
    }
    let tree = Tree::new(instance, model, root);
    for node in tree.innermost_off() {
        let (name, place, text) = (&node.name, &node.place, node.count());
        if name.is_empty() {
            diagnostic = diagnostic.note(text);
        } else {
            diagnostic = diagnostic.label(*place, text);
        }
    }
    diagnostic.note(GIVEN_FROM_OUTSIDE)
}

impl<'a> Tree<'a> {
    fn new(instance: &'a Instance, model: &FlatModel, root: ClassInstId) -> Self {
        let mut tree = Self {
            instance,
            root: model.name.clone(),
            nodes: Vec::new(),
            by_name: FxHashMap::default(),
            inputs: Vec::new(),
        };
        tree.enter(root, Arc::from(""), None);
        tree.count_variables(model);
        tree.count_equations(model);
        tree.sum_up();
        tree
    }

    fn enter(&mut self, class: ClassInstId, name: Arc<str>, parent: Option<usize>) {
        let inst = &self.instance.classes[class];
        let is_part = matches!(
            inst.kind,
            ClassKind::Connector | ClassKind::ExpandableConnector
        ) || crate::flatten::is_record(inst.kind);
        let node = match parent {
            Some(parent) if is_part => parent,
            _ => {
                let place = inst
                    .owner
                    .map_or(inst.place, |owner| self.instance.components[owner].place);
                self.nodes.push(Node {
                    name: name.clone(),
                    place,
                    class: inst.place,
                    parent,
                    unknowns: 0,
                    equations: 0,
                    open: 0,
                });
                self.nodes.len() - 1
            }
        };
        self.by_name.insert(name.clone(), node);
        for &id in &inst.components {
            let component = &self.instance.components[id];
            if !crate::layout::is_present(component) {
                continue;
            }
            let extents = component
                .dims
                .iter()
                .map(|dim| crate::layout::extent(dim).unwrap_or(0));
            let count: usize = extents.product();
            let Some(inner) = component.class else {
                let is_input = component.causality == Some(Causality::Input);
                self.inputs.extend(std::iter::repeat_n(is_input, count));
                continue;
            };
            for index in 0..count as u32 {
                let mut path = String::new();
                if !name.is_empty() {
                    path.push_str(&name);
                    path.push('.');
                }
                path.push_str(component.name.as_str());
                crate::flatten::write_index(&mut path, component, index, &self.root);
                self.enter(inner, path.into(), Some(node));
            }
        }
    }

    fn node_of(&self, origin: &Origin) -> usize {
        self.by_name.get(&origin.instance).copied().unwrap_or(0)
    }

    fn count_variables(&mut self, model: &FlatModel) {
        for (id, variable) in model.variables.iter_enumerated() {
            let node = self.node_of(&variable.origin);
            if !is_unknown(variable) {
                continue;
            }
            self.nodes[node].unknowns += 1;
            self.nodes[node].equations += i64::from(variable.binding.is_some());
            let is_input = self.inputs.get(id.index()).copied().unwrap_or(false);
            if variable.flow || (is_input && variable.binding.is_none()) {
                self.nodes[node].open += 1;
            }
        }
    }

    fn count_equations(&mut self, model: &FlatModel) {
        for equation in &model.equations {
            let mut node = self.node_of(&equation.origin);
            if equation.origin.kind == OriginKind::UnconnectedFlow {
                // The environment of the part leaves it open.
                match self.nodes[node].parent {
                    Some(parent) => node = parent,
                    None => {
                        self.nodes[0].open -= 1;
                    }
                }
            }
            self.nodes[node].equations += equation_count(model, equation) as i64;
        }
        for algorithm in &model.algorithms {
            let node = self.node_of(&algorithm.origin);
            self.nodes[node].equations +=
                statement_targets(model, &algorithm.statements).len() as i64;
        }
    }

    /// Children come after their parents: add them up from the end.
    fn sum_up(&mut self) {
        for child in (1..self.nodes.len()).rev() {
            let Some(parent) = self.nodes[child].parent else {
                continue;
            };
            let (unknowns, equations) = (self.nodes[child].unknowns, self.nodes[child].equations);
            self.nodes[parent].unknowns += unknowns;
            self.nodes[parent].equations += equations;
        }
    }

    /// Parts that are off although all of their own parts are not; at most ten.
    fn innermost_off(&self) -> Vec<&Node> {
        let off: FxHashSet<usize> = (0..self.nodes.len())
            .filter(|&node| self.nodes[node].surplus() != 0)
            .collect();
        let has_off_child: FxHashSet<usize> = off
            .iter()
            .filter_map(|&node| self.nodes[node].parent)
            .collect();
        (0..self.nodes.len())
            .filter(|node| off.contains(node) && !has_off_child.contains(node))
            .map(|node| &self.nodes[node])
            .take(10)
            .collect()
    }
}
