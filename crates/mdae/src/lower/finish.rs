//! The last pass: what can only be said when everything else has been lowered.

use super::Lower;
use super::collect::Collected;
use super::constants::Value;
use crate::cond::{Conds, Formula};
use crate::mode::{OneMode, Rows};
use crate::model::{
    Assertion, CareFact, CareReason, EqId, EquationKind, Meaning, ModeDef, ModeId, Reads, VarKind,
};
use crate::predicate::{Canonical, Side, Threshold, canonical};
use crate::space::Space;
use crate::sym::{At, CondId, Expr, Kind, Rational, VarId, for_each_node, map_leaves};
use modeshift_base::{FxHashSet, FxIndexMap};
use modeshift_flat::model::{self as flat, Equation, EquationKind as FlatKind};
use modeshift_inst::exp::Exp;
use modeshift_structure::{self as structure, ModeSets};
use std::collections::BTreeMap;
use std::sync::Arc;

impl<'m> Lower<'m> {
    pub(super) fn finish(&mut self, collected: &Collected<'m>) {
        self.name_left_limits();
        self.leftovers(collected);
        self.assertions(collected);
        self.checks(collected);
        self.hold_undetermined();
        self.thresholds();
        self.pulses();
        self.fixed_conditions();
        self.tables();
        self.out.meanings = std::mem::take(&mut self.meanings)
            .into_iter()
            .map(|meaning| meaning.unwrap_or(Meaning::Other))
            .collect();
        settle_reads(&mut self.out);
        mark_auxiliary(&mut self.out);
        order_modes(&mut self.out);
    }

    fn name_left_limits(&mut self) {
        let left = std::mem::take(&mut self.atoms.left);
        for (&(id, value), &mode) in &left {
            let condition = match self.meaning(id).cloned() {
                Some(Meaning::Family(family)) => self.out.families[family]
                    .values
                    .iter()
                    .find(|choice| choice.value == value)
                    .map_or(Conds::FALSE, |choice| choice.condition),
                Some(Meaning::Mode(_) | Meaning::Derived(_)) => self.truth_of(id),
                _ => Conds::FALSE,
            };
            self.out.modes[mode].def = ModeDef::Left(condition);
            // Who has no mode variable of its own has its start value here.
            if !matches!(self.out.conds.formula(condition), Formula::Mode(_)) {
                self.out.modes[mode].start = self.is_start(id, value);
            }
        }
        let mut values: BTreeMap<flat::VarId, Vec<(i64, CondId)>> = BTreeMap::new();
        for (&(id, value), &mode) in &left {
            if matches!(self.meaning(id), Some(Meaning::Family(_))) {
                let condition = self.out.conds.mode(mode);
                values.entry(id).or_default().push((value, condition));
            }
        }
        for (id, mut choices) in values {
            choices.sort_unstable();
            self.one_left_value(id, &choices);
        }
    }

    /// What has one value had one before: of `pre(n) == 0` and `pre(n) == 1` at most one holds, and one of them if no other value
    /// is possible.
    fn one_left_value(&mut self, id: flat::VarId, choices: &[(i64, CondId)]) {
        let origin = Some(self.flat.variables[id].origin.clone());
        let Some(Meaning::Family(family)) = self.meaning(id) else {
            return;
        };
        let possible = self.out.families[*family].values.iter();
        let all = possible
            .map(|choice| choice.value)
            .all(|value| choices.iter().any(|choice| choice.0 == value));
        let mut facts = Vec::new();
        if all {
            facts.push(self.out.conds.or(choices.iter().map(|&(_, c)| c)));
        }
        for (i, &(_, a)) in choices.iter().enumerate() {
            for &(_, b) in &choices[..i] {
                let both = self.out.conds.and([a, b]);
                facts.push(self.out.conds.not(both));
            }
        }
        for condition in facts.into_iter().filter(|&it| it != Conds::TRUE) {
            self.out.care.push(CareFact {
                condition,
                reason: CareReason::OneValue,
                origin: origin.clone(),
            });
        }
    }

    fn leftovers(&mut self, collected: &Collected<'m>) {
        for equation in &collected.opaque {
            let construct = match equation.kind {
                FlatKind::For { .. } => "a loop that could not be unrolled",
                FlatKind::Reinit { .. } => "`reinit` outside `when`",
                _ => continue,
            };
            self.at(&equation.origin.clone(), |this| this.unsupported(construct));
        }
        for origin in &collected.superfluous {
            self.at(origin, |this| {
                this.unsupported("an equation between two known discrete values")
            });
        }
    }

    /// Assertions about mode variables that exist anyway restrict the modes.
    fn assertions(&mut self, collected: &Collected<'m>) {
        if self.out.modes.is_empty() {
            return;
        }
        self.frozen = true;
        for &(chain, equation) in &collected.assertions {
            let before = self.diagnostics.len();
            self.missing = false;
            let guard = self.chain_condition(collected, chain);
            if let Some((condition, message)) = self.assertion(equation)
                && !self.missing
            {
                let negated = self.out.conds.not(guard);
                let condition = self.out.conds.or([negated, condition]);
                self.assert_modes(condition, message, equation);
            }
            self.diagnostics.truncate(before);
        }
        self.frozen = false;
    }

    fn assertion(&mut self, equation: &'m Equation) -> Option<(CondId, Arc<str>)> {
        let FlatKind::Assert {
            condition,
            message,
            level,
        } = &equation.kind
        else {
            return None;
        };
        // AssertionLevel = enumeration(warning, error)
        if self.constants.evaluate(level) == Some(Value::Enum(1)) {
            return None;
        }
        let message = match message {
            Exp::Str(text) => text.clone(),
            _ => Arc::from(""),
        };
        let condition = self.at(&equation.origin.clone(), |this| this.cond(condition));
        Some((condition, message))
    }

    fn assert_modes(&mut self, condition: CondId, message: Arc<str>, equation: &Equation) {
        if matches!(condition, Conds::TRUE | Conds::FALSE) {
            return;
        }
        self.out.assertions.push(Assertion {
            condition,
            message,
            origin: equation.origin.clone(),
        });
        self.out.care.push(CareFact {
            condition,
            reason: CareReason::Assertion,
            origin: Some(equation.origin.clone()),
        });
    }

    /// Real variables that are assigned in a `when`, without the word `discrete` and without a
    /// derivative: held between events if the other equations cannot determine them, else the `when`
    /// equation is a law for that instant (RR-9334 (69)).
    fn hold_undetermined(&mut self) {
        let mut candidates = FxHashSet::default();
        // What `when initial()` assigns is held as well.
        for equation in self.out.equations.iter().chain(&self.out.initial_equations) {
            if let EquationKind::Transient(_) = equation.kind
                && let Some(occurrence) = equation.lhs.as_var()
                && occurrence.order == 0
                && self.out.is_unknown(occurrence.var)
            {
                candidates.insert(occurrence.var);
            }
        }
        if candidates.is_empty() {
            return;
        }
        for equation in &self.out.equations {
            for side in [&equation.lhs, &equation.rhs] {
                for_each_node(side, &mut |node| {
                    if let Kind::Var(occurrence) = node.kind()
                        && occurrence.order > 0
                    {
                        candidates.remove(&occurrence.var);
                    }
                    true
                });
            }
        }
        for var in under_determined(&mut self.out, &candidates) {
            let variable = &mut self.out.variables[var.0 as usize];
            variable.kind = VarKind::Held;
            variable.discrete = true;
        }
    }

    /// Predicates on the same expression are ordered: `x > 1` implies `x > 0`.
    fn thresholds(&mut self) {
        let mut axes: FxIndexMap<Expr, Vec<(Rational, Side, CondId)>> = FxIndexMap::default();
        for threshold in std::mem::take(&mut self.atoms.order) {
            let Some(&(mode, sign)) = self.atoms.thresholds.get(&threshold) else {
                continue;
            };
            let Some((threshold, turned)) = self.with_values(threshold) else {
                continue;
            };
            let condition = self.out.conds.mode(mode);
            let condition = if sign != turned {
                self.out.conds.not(condition)
            } else {
                condition
            };
            axes.entry(threshold.axis)
                .or_default()
                .push((threshold.at, threshold.side, condition));
        }
        for (axis, mut points) in axes {
            points.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            self.order_points(&points, self.out.passes(&axis));
        }
    }

    /// The threshold with the values of parameters put in, and whether it turned into its negation.
    fn with_values(&self, threshold: Threshold) -> Option<(Threshold, bool)> {
        let parameters = &self.out.parameters;
        let axis = map_leaves(&threshold.axis, &mut |kind| match kind {
            Kind::Param(id) => {
                let value = parameters[id.0 as usize].value?;
                Rational::from_decimal(value).map(Expr::constant)
            }
            _ => None,
        });
        if axis == threshold.axis {
            return Some((threshold, false));
        }
        let op = match threshold.side {
            Side::Above => crate::sym::RelOp::Greater,
            Side::AtLeast => crate::sym::RelOp::GreaterEqual,
            Side::Exactly => crate::sym::RelOp::Equal,
        };
        match canonical(op, &axis, &Expr::constant(threshold.at)) {
            Canonical::Threshold { threshold, negated } => Some((threshold, negated)),
            Canonical::Constant(_) => None,
        }
    }

    /// `points` ascend; a later one implies every earlier one, apart from equalities. Neighbours are
    /// enough, so the number of facts is linear.
    fn order_points(&mut self, points: &[(Rational, Side, CondId)], passes: bool) {
        let mut facts: Vec<(CondId, CondId)> = Vec::new();
        let mut last: Option<CondId> = None;
        for (_, _, condition) in points.iter().filter(|(_, side, _)| *side != Side::Exactly) {
            facts.extend(last.map(|earlier| (*condition, earlier)));
            last = Some(*condition);
        }
        for pair in points.windows(2) {
            if let [(t, Side::AtLeast, from), (u, Side::Above, beyond)] = pair
                && t == u
                && passes
            {
                let not_beyond = self.out.conds.not(*beyond);
                let point = self.out.conds.and([*from, not_beyond]);
                self.out.points.push(point);
            }
        }
        for (i, (at, _, condition)) in points.iter().enumerate() {
            if points[i].1 != Side::Exactly {
                continue;
            }
            if passes {
                self.out.points.push(*condition);
            }
            let weaker = points.iter().rev().find(|(t, side, _)| {
                *side == Side::AtLeast && t <= at || *side == Side::Above && t < at
            });
            facts.extend(weaker.map(|&(_, _, weaker)| (*condition, weaker)));
            let stronger = points.iter().find(|(t, side, _)| {
                *side == Side::Above && t >= at || *side == Side::AtLeast && t > at
            });
            if let Some(&(_, _, stronger)) = stronger {
                let below = self.out.conds.not(stronger);
                facts.push((*condition, below));
            }
            for (other_at, side, other) in &points[..i] {
                if *side == Side::Exactly && other_at != at {
                    let not_other = self.out.conds.not(*other);
                    facts.push((*condition, not_other));
                }
            }
        }
        for (stronger, weaker) in facts {
            let negated = self.out.conds.not(stronger);
            let condition = self.out.conds.or([negated, weaker]);
            if condition != Conds::TRUE {
                self.out.care.push(CareFact {
                    condition,
                    reason: CareReason::Thresholds,
                    origin: None,
                });
            }
        }
    }

    fn pulses(&mut self) {
        let pulses: Vec<ModeId> = self
            .out
            .modes
            .ids()
            .filter(|&id| matches!(self.out.modes[id].def, ModeDef::Pulse(_)))
            .collect();
        for mode in pulses {
            let condition = self.out.conds.mode(mode);
            let condition = self.out.conds.not(condition);
            let origin = Some(self.out.modes[mode].origin.clone());
            self.out.care.push(CareFact {
                condition,
                reason: CareReason::Instant,
                origin,
            });
        }
    }
}

/// Diagrams larger than this are not built to find a mode; the equations of all modes are counted together instead.
const MODE_NODES: usize = 20_000;

/// Which of the candidates lie in the under-determined part of a mode. A mode in which nothing is missing determines all
/// its variables, so one mode tells of all.
fn under_determined(mdae: &mut crate::model::MDae, candidates: &FxHashSet<VarId>) -> Vec<VarId> {
    let rows = Rows::new(mdae);
    let truth = match possible_mode(mdae) {
        Some(mode) => mdae.conds.evaluate(&mode),
        None => vec![true; mdae.conds.len()],
    };
    let mode = OneMode::new(mdae, &rows, &truth);
    let parts = structure::DulmageMendelsohn::new(mode.matrix.graph());
    let mut determined: FxHashSet<VarId> = mode.variables.iter().copied().collect();
    for var in mode.variables_of(&parts.under) {
        determined.remove(&var);
    }
    let mut under: Vec<VarId> = candidates.difference(&determined).copied().collect();
    under.sort_unstable();
    under
}

/// A mode that nothing known so far rules out.
fn possible_mode(mdae: &crate::model::MDae) -> Option<Vec<bool>> {
    let mut space = Space::new(mdae, MODE_NODES);
    let care = space.care(mdae).ok()?;
    let possible = space.sets.intersection(care).ok()?;
    space.sets.pick(&possible)
}

/// What has to be known to evaluate each mode variable. Definitions refer to earlier mode variables,
/// apart from left limits, so one pass suffices.
fn settle_reads(mdae: &mut crate::model::MDae) {
    for id in mdae.modes.ids() {
        let reads = match &mdae.modes[id].def {
            ModeDef::Input | ModeDef::Pulse(_) => Reads::Input,
            ModeDef::Held | ModeDef::Left(_) => Reads::LeftLimit,
            ModeDef::Choice(_) => mdae.modes[id].reads,
            ModeDef::Predicate(predicate) => {
                reads_of(mdae, &predicate.lhs).max(reads_of(mdae, &predicate.rhs))
            }
            ModeDef::Opaque(value) => reads_of(mdae, value),
            ModeDef::Formula(formula) => mdae
                .conds
                .support([*formula])
                .into_iter()
                .map(|mode| mdae.modes[mode].reads)
                .max()
                .unwrap_or(Reads::Input),
        };
        mdae.modes[id].reads = reads;
    }
}

/// Whether a condition reads nothing of the current instant but time and inputs. For a model that is still being lowered,
/// when `reads` of its mode variables are not settled.
pub(super) fn known_before(mdae: &crate::model::MDae, condition: CondId) -> bool {
    let mut stack = mdae.conds.support([condition]);
    let mut seen = FxHashSet::default();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let (reads, conditions) = match &mdae.modes[id].def {
            ModeDef::Input | ModeDef::Pulse(_) | ModeDef::Held | ModeDef::Left(_) => continue,
            ModeDef::Choice(_) => (mdae.modes[id].reads, Vec::new()),
            ModeDef::Predicate(it) => values_read(mdae, &it.lhs.sub(&it.rhs)),
            ModeDef::Opaque(value) => values_read(mdae, value),
            ModeDef::Formula(formula) => (Reads::Input, vec![*formula]),
        };
        if reads == Reads::Current {
            return false;
        }
        stack.extend(mdae.conds.support(conditions));
    }
    true
}

fn reads_of(mdae: &crate::model::MDae, expr: &Expr) -> Reads {
    let (reads, conditions) = values_read(mdae, expr);
    let modes = mdae.conds.support(conditions);
    modes
        .into_iter()
        .map(|mode| mdae.modes[mode].reads)
        .fold(reads, Reads::max)
}

/// What an expression reads apart from its conditions, and these.
fn values_read(mdae: &crate::model::MDae, expr: &Expr) -> (Reads, Vec<CondId>) {
    let mut reads = Reads::Input;
    let mut conditions = Vec::new();
    for_each_node(expr, &mut |node| {
        match node.kind() {
            Kind::Var(occurrence) => {
                let kind = mdae.variable(occurrence.var).kind;
                reads = reads.max(match (kind, occurrence.at) {
                    (VarKind::Input, At::Now) => Reads::Input,
                    (VarKind::Unknown, At::Now) => Reads::Current,
                    (VarKind::Held, _) | (_, At::Left) => Reads::LeftLimit,
                });
            }
            Kind::Cond(condition) | Kind::If(condition, ..) => conditions.push(*condition),
            _ => {}
        }
        true
    });
    (reads, conditions)
}

/// Numbers the mode variables by the equation that reads them first, those no equation reads last.
/// Neighbours in the model become neighbours in the decision diagrams, whatever array they were declared
/// in, which is what keeps the diagrams of chains small. The comparisons that only formulas read go with the first mode variable
/// that facts tie them to: what is possible about several components is a product of diagrams, and stays a sum of their sizes only
/// where each component has its variables together.
fn order_modes(mdae: &mut crate::model::MDae) {
    let mut first_use = vec![usize::MAX; mdae.modes.len()];
    let rows = mdae.equations.ids().enumerate();
    for (row, id) in rows.filter(|(_, id)| depends(mdae, *id)) {
        for mode in mdae.conds.support(crate::fixpoint::conditions(mdae, id)) {
            first_use[mode.index()] = first_use[mode.index()].min(row);
        }
    }
    place_auxiliary(mdae, &mut first_use);
    let key = |mode: &ModeId| {
        let auxiliary = mdae.modes[*mode].auxiliary;
        (first_use[mode.index()], auxiliary, mode.index())
    };
    let mut order: Vec<ModeId> = mdae.modes.ids().collect();
    order.sort_by_key(key);
    if order.is_sorted() {
        return;
    }
    let mut new = vec![ModeId::new(0); order.len()];
    for (number, old) in order.iter().enumerate() {
        new[old.index()] = ModeId::new(number);
    }
    mdae.modes = order.iter().map(|&old| mdae.modes[old].clone()).collect();
    mdae.conds.renumber(&new);
    for update in &mut mdae.updates {
        update.mode = new[update.mode.index()];
    }
    for meaning in mdae.meanings.iter_mut() {
        if let Meaning::Mode(mode) = meaning {
            *mode = new[mode.index()];
        }
    }
}

/// Gives auxiliary mode variables the first use among those that facts tie them to, directly or through others. O(facts).
fn place_auxiliary(mdae: &crate::model::MDae, first_use: &mut [usize]) {
    let supports: Vec<Vec<ModeId>> = mdae
        .care
        .iter()
        .map(|fact| mdae.conds.support([fact.condition]))
        .collect();
    let mut facts_of: Vec<Vec<usize>> = vec![Vec::new(); first_use.len()];
    for (fact, support) in supports.iter().enumerate() {
        for mode in support {
            facts_of[mode.index()].push(fact);
        }
    }
    let mut queue: Vec<usize> = (0..first_use.len())
        .filter(|&mode| first_use[mode] != usize::MAX)
        .collect();
    queue.sort_by_key(|&mode| first_use[mode]);
    let mut queue = std::collections::VecDeque::from(queue);
    let mut seen = vec![false; supports.len()];
    while let Some(from) = queue.pop_front() {
        for &fact in &facts_of[from] {
            if std::mem::replace(&mut seen[fact], true) {
                continue;
            }
            for mode in &supports[fact] {
                if mdae.modes[*mode].auxiliary && first_use[mode.index()] == usize::MAX {
                    first_use[mode.index()] = first_use[from];
                    queue.push_back(mode.index());
                }
            }
        }
    }
}

/// Whether an equation stands under a condition or contains one.
fn depends(mdae: &crate::model::MDae, id: EqId) -> bool {
    let equation = &mdae.equations[id];
    equation.guard != Conds::TRUE || equation.lhs.is_conditional() || equation.rhs.is_conditional()
}

/// Mode variables that no guard and no if-expression reads are not part of the mode.
fn mark_auxiliary(mdae: &mut crate::model::MDae) {
    let mut roots: Vec<CondId> = Vec::new();
    for id in mdae.equations.ids().filter(|&id| depends(mdae, id)) {
        roots.extend(crate::fixpoint::conditions(mdae, id));
    }
    roots.extend(mdae.updates.iter().map(|update| update.guard));
    let used: FxHashSet<ModeId> = mdae.conds.support(roots).into_iter().collect();
    for id in mdae.modes.ids() {
        mdae.modes[id].auxiliary = !used.contains(&id);
    }
    // A value of a family belongs to the mode with the others of its family.
    let families: Vec<Vec<ModeId>> = mdae
        .families
        .iter()
        .map(|family| {
            let modes = family.values.iter().filter_map(|choice| {
                match mdae.conds.formula(choice.condition) {
                    Formula::Mode(mode) => Some(*mode),
                    _ => None,
                }
            });
            modes.collect()
        })
        .collect();
    for family in families {
        if family.iter().any(|mode| used.contains(mode)) {
            for mode in family {
                mdae.modes[mode].auxiliary = false;
            }
        }
    }
}
