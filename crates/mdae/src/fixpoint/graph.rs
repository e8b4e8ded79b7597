//! Who needs whom at an instant: conditions, the values they read, and the equations that determine these.
//!
//! Four kinds of nodes. A *condition* needs the values it reads, or, if it is a formula or changed by a `when`, other
//! conditions. A *value* `x^(m)` needs the equations that determine it: those it is matched with. An *equation*, differentiated
//! `k` times, needs the values that occur in it and the conditions on which its form depends. A *choice* is a condition without a name, inside an
//! equation. Every edge carries the
//! modes in which the need exists, so that a cycle counts only if some mode has all of it: where a
//! condition that is known already switches a part of the cycle off, the others can be computed one after the other.

mod knots;

use super::{known_below, reads};
use crate::analysis::{Structure, Structured};
use crate::cond::{Conds, Formula};
use crate::model::{ModeDef, ModeId};
use crate::shape::same;
use crate::space::mode_var;
use crate::sym::{CondId, Expr, Kind, Limits, VarId, VarRef, normal_form};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexSet};
use modeshift_structure::{BddSet, ModeSets, ModeVar};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Node {
    Condition(ModeId),
    /// A derivative of a variable.
    Value(VarId, i32),
    /// A row of [`Structured::rows`], differentiated so many times.
    Row(usize, i32),
    /// What a row chooses without a condition, as in `abs(x)`.
    Choice(usize),
}

/// The modes in which one node needs another; `None` for all.
type When = Option<BddSet>;

/// A strongly connected part with conditions or choices in it.
pub(crate) struct Knot {
    pub(crate) nodes: Vec<Node>,
    /// A mode in which the cycle exists.
    pub(crate) mode: Vec<bool>,
}

pub(super) struct Graph<'a> {
    analysis: &'a mut Structured,
    waiting: &'a FxHashSet<ModeId>,
    nodes: FxIndexSet<Node>,
    edges: Vec<Vec<(usize, When)>>,
    /// Per variable the rows that determine it, with the derivative they are matched at.
    writers: FxHashMap<VarId, Vec<(usize, i32, When)>>,
    /// Rows that choose without a condition, and the values by which.
    choosers: &'a FxHashMap<usize, Vec<VarRef>>,
    /// Rows that say the same under different guards: the first of them, and whether together they always hold.
    twins: FxHashMap<usize, (usize, bool)>,
    /// Whether a condition depends on waiting ones.
    open: FxHashMap<CondId, bool>,
}

impl<'a> Graph<'a> {
    /// Everything the waiting conditions need. Linear in that part of the model, times set operations.
    pub(super) fn new(
        analysis: &'a mut Structured,
        waiting: &'a FxHashSet<ModeId>,
        choosers: &'a FxHashMap<usize, Vec<VarRef>>,
        check: &dyn Fn(),
    ) -> Self {
        let mut this = Self {
            writers: writers(analysis),
            twins: twins(analysis),
            analysis,
            waiting,
            choosers,
            nodes: FxIndexSet::default(),
            edges: Vec::new(),
            open: FxHashMap::default(),
        };
        let mut roots: Vec<ModeId> = waiting.iter().copied().collect();
        roots.sort_unstable();
        for id in roots {
            this.nodes.insert(Node::Condition(id));
        }
        let mut roots: Vec<usize> = choosers.keys().copied().collect();
        roots.sort_unstable();
        for row in roots {
            this.nodes.insert(Node::Choice(row));
        }
        while this.edges.len() < this.nodes.len() {
            check();
            let node = this.nodes[this.edges.len()];
            let needs = match node {
                Node::Condition(id) => this.needs_of_condition(id),
                Node::Value(var, order) => this.needs_of_value(var, order),
                Node::Row(row, level) => this.needs_of_row(row, level),
                Node::Choice(row) => this.needs_of_choice(row),
            };
            let mut found = Vec::with_capacity(needs.len());
            for (node, when) in needs {
                if when.as_ref().is_none_or(|when| !this.sets().is_empty(when)) {
                    found.push((this.nodes.insert_full(node).0, when));
                }
            }
            let needs = found;
            this.edges.push(needs);
        }
        this
    }

    fn sets(&self) -> &modeshift_structure::BddSets {
        &self.analysis.space.sets
    }

    fn needs_of_condition(&mut self, id: ModeId) -> Vec<(Node, When)> {
        let mut conditions: Vec<CondId> = Vec::new();
        if let ModeDef::Formula(formula) = self.analysis.mdae.modes[id].def {
            conditions.push(formula);
        }
        conditions.extend(super::update_conditions(&self.analysis.mdae, id));
        let mut found = Vec::new();
        for condition in conditions {
            self.decided_by(condition, None, &mut found);
        }
        found.retain(|(node, _)| *node != Node::Condition(id));
        let reads = reads(self.analysis, id);
        let needed = reads.into_iter().map(|read| (read.var, read.order as i32));
        let needed = needed.filter(|&(var, order)| order >= known_below(self.analysis, var));
        found.extend(needed.map(|(var, order)| (Node::Value(var, order), None)));
        found
    }

    fn needs_of_value(&self, var: VarId, order: i32) -> Vec<(Node, When)> {
        let writers = self.writers.get(&var).map_or(&[][..], Vec::as_slice);
        let mut found = Vec::new();
        for (row, sigma, when) in writers {
            // Where more derivatives are matched, the value is a state of that mode.
            let level = order - sigma;
            if level < 0 {
                continue;
            }
            let Some(when) = self.differentiated(*row, level, when) else {
                continue;
            };
            let row = self.twins.get(row).map_or(*row, |twin| twin.0);
            found.push((Node::Row(row, level), when));
        }
        found
    }

    /// `when` without the modes in which a row is not differentiated so often; `None` if nothing is left.
    fn differentiated(&self, row: usize, level: i32, when: &When) -> Option<When> {
        if level == 0 {
            return Some(when.clone());
        }
        let all = match &self.analysis.structure {
            Structure::All(all) => all,
            Structure::One(one) => {
                let enough = one.1.offsets().is_some_and(|it| it.c[row] >= level);
                return enough.then(|| when.clone());
            }
            _ => return None,
        };
        let sets = self.sets();
        let pieces = &all.1.c[row];
        if pieces.iter().all(|piece| piece.value < level) {
            return None;
        }
        if pieces.iter().all(|piece| piece.value >= level) {
            return Some(when.clone());
        }
        let enough = pieces.iter().filter(|piece| piece.value >= level);
        let mut modes = sets.union(enough.map(|piece| piece.modes.clone())).ok()?;
        if let Some(when) = when {
            modes = sets.and(&modes, when).ok()?;
        }
        Some(Some(modes))
    }

    /// The values by which a row chooses, where they occur in it.
    fn needs_of_choice(&mut self, row: usize) -> Vec<(Node, When)> {
        let choosers = self.choosers;
        let mut found = Vec::new();
        for read in choosers.get(&row).into_iter().flatten() {
            let mut occurrences = self.analysis.rows.occurrences[row].iter();
            let own = occurrences.find(|it| it.variable == read.var && it.order == read.order);
            let when = own.map(|it| it.when);
            let when = when.and_then(|when| self.set(when));
            found.push((Node::Value(read.var, read.order as i32), when));
        }
        found
    }

    fn needs_of_row(&mut self, row: usize, level: i32) -> Vec<(Node, When)> {
        let mut found = Vec::new();
        for occurrence in self.analysis.rows.occurrences[row].clone() {
            let known = known_below(self.analysis, occurrence.variable);
            let order = occurrence.order as i32;
            if order + level < known {
                continue;
            }
            let when = self.set(occurrence.when);
            for needed in order.max(known)..=order + level {
                found.push((Node::Value(occurrence.variable, needed), when.clone()));
            }
        }
        if level == 0 && self.choosers.contains_key(&row) {
            found.push((Node::Choice(row), None));
        }
        let id = self.analysis.rows.equations[row];
        let equation = &self.analysis.mdae.equations[id];
        let (guard, sides) = (equation.guard, [equation.lhs.clone(), equation.rhs.clone()]);
        if !self.twins.get(&row).is_some_and(|twin| twin.1) {
            self.decided_by(guard, None, &mut found);
        }
        for side in &sides {
            for (condition, path) in choices(&mut self.analysis.mdae.conds, side) {
                let when = self.set(path);
                self.decided_by(condition, when, &mut found);
            }
        }
        found
    }

    /// The modes in which a condition holds, `None` for all.
    fn set(&mut self, condition: CondId) -> When {
        if condition == Conds::TRUE {
            return None;
        }
        let set = self.analysis.space.set(&self.analysis.mdae, condition).ok();
        set.filter(|set| !self.sets().is_full(set))
    }

    /// The waiting conditions that must be known before `condition` is: those whose value is not made irrelevant by what
    /// is known anyway.
    fn decided_by(&mut self, condition: CondId, when: When, found: &mut Vec<(Node, When)>) {
        let mut stack = vec![(condition, when)];
        while let Some((condition, mut when)) = stack.pop() {
            if !self.is_open(condition) {
                continue;
            }
            let formula = self.analysis.mdae.conds.formula(condition).clone();
            match formula {
                Formula::Const(_) => {}
                Formula::Mode(id) => found.push((Node::Condition(id), when)),
                Formula::Not(inner) => stack.push((inner, when)),
                Formula::And(ref ids) | Formula::Or(ref ids) => {
                    let is_and = matches!(formula, Formula::And(_));
                    for &id in ids {
                        if !self.is_open(id) {
                            when = self.narrowed(when, id, is_and);
                        }
                    }
                    for &id in ids {
                        if self.is_open(id) {
                            stack.push((id, when.clone()));
                        }
                    }
                }
            }
        }
    }

    /// `when` where `condition` has a value.
    fn narrowed(&mut self, when: When, condition: CondId, value: bool) -> When {
        let Ok(mut set) = self.analysis.space.set(&self.analysis.mdae, condition) else {
            return when;
        };
        if !value {
            match self.sets().not(&set) {
                Ok(negated) => set = negated,
                Err(_) => return when,
            }
        }
        match when {
            None => Some(set),
            Some(when) => self.sets().and(&when, &set).ok().or(Some(when)),
        }
    }

    fn is_open(&mut self, condition: CondId) -> bool {
        if let Some(&known) = self.open.get(&condition) {
            return known;
        }
        let conds = &self.analysis.mdae.conds;
        for id in conds.closed([condition]) {
            let of = |id: &CondId| self.open.get(id) == Some(&true);
            let value = match conds.formula(id) {
                Formula::Const(_) => false,
                Formula::Mode(mode) => self.waiting.contains(mode),
                Formula::Not(inner) => of(inner),
                Formula::And(ids) | Formula::Or(ids) => ids.iter().any(of),
            };
            self.open.insert(id, value);
        }
        self.open[&condition]
    }
}

/// The rows with which each variable is matched.
fn writers(analysis: &Structured) -> FxHashMap<VarId, Vec<(usize, i32, When)>> {
    let mut writers: FxHashMap<VarId, Vec<(usize, i32, When)>> = FxHashMap::default();
    match &analysis.structure {
        Structure::All(all) => {
            for component in &all.1.components {
                for edge in &component.matched {
                    let when = (edge.modes != component.regular).then(|| edge.modes.clone());
                    writers.entry(VarId(edge.variable.0)).or_default().push((
                        edge.equation.index(),
                        edge.sigma,
                        when,
                    ));
                }
            }
        }
        Structure::One(one) => {
            for (row, x, sigma) in one.0.matched(&one.1) {
                writers.entry(x).or_default().push((row, sigma, None));
            }
        }
        _ => {}
    }
    writers
}

/// Rows with the same residual under different guards, by the first of them.
fn twins(analysis: &mut Structured) -> FxHashMap<usize, (usize, bool)> {
    let mut groups: FxHashMap<Expr, Vec<usize>> = FxHashMap::default();
    let small = Limits {
        terms: 64,
        ..Limits::default()
    };
    for (row, &id) in analysis.rows.equations.iter().enumerate() {
        let equation = &analysis.mdae.equations[id];
        if equation.guard != Conds::TRUE
            && let Ok(form) = normal_form(&equation.residual(), small)
        {
            groups.entry(form.monic().to_expr()).or_default().push(row);
        }
    }
    let mut found = FxHashMap::default();
    for rows in groups.into_values().filter(|rows| rows.len() > 1) {
        let guards: Vec<CondId> = rows
            .iter()
            .map(|&row| analysis.mdae.equations[analysis.rows.equations[row]].guard)
            .collect();
        let either = analysis.mdae.conds.or(guards);
        let vars: Vec<ModeVar> = analysis
            .mdae
            .conds
            .support([either])
            .into_iter()
            .map(mode_var)
            .collect();
        let either = analysis.space.set(&analysis.mdae, either);
        let always = either.and_then(|either| {
            let possible = analysis.care.about(&analysis.space.sets, &vars)?;
            analysis.space.sets.is_subset(&possible, &either)
        });
        for &row in &rows {
            found.insert(row, (rows[0], always == Ok(true)));
        }
    }
    found
}

/// The conditions of the if-expressions in `expr` whose branches differ, each with the condition under which it is asked.
fn choices(conds: &mut Conds, expr: &Expr) -> Vec<(CondId, CondId)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![(expr, Conds::TRUE)];
    while let Some((node, when)) = stack.pop() {
        let address: *const Kind = node.kind();
        match node.kind() {
            Kind::Sum(items) | Kind::Prod(items) | Kind::Call(_, items)
                if seen.insert((address, when)) =>
            {
                stack.extend(items.iter().map(|item| (item, when)));
            }
            Kind::Pow(base, _) => stack.push((base, when)),
            Kind::Cond(condition) => found.push((*condition, when)),
            Kind::Relation(_, a, b) => stack.extend([(a, when), (b, when)]),
            Kind::If(condition, then, otherwise) if seen.insert((address, when)) => {
                if same(then, otherwise) {
                    stack.push((then, when));
                    continue;
                }
                found.push((*condition, when));
                let negated = conds.not(*condition);
                let in_else = conds.and([when, negated]);
                let in_then = conds.and([when, *condition]);
                stack.extend([(otherwise, in_else), (then, in_then)]);
            }
            _ => {}
        }
    }
    found
}

/// What is asked for where a value is needed that a node stands for.
pub(crate) fn value(node: Node) -> Option<VarRef> {
    match node {
        Node::Value(var, order) => Some(VarRef::now(var, order.max(0) as u32)),
        _ => None,
    }
}
