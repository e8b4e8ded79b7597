//! Definitions of Booleans, enumerations and integers with few values.
//!
//! A Boolean defined by a relation gives that relation its name. One defined by a formula over others is
//! *derived* and needs no mode variable of its own — unless the formula has memory (`pre(b)`): then its
//! parts do not belong to the mode, only its value does.

use super::Lower;
use super::collect::{Collected, Piece, Source, is_builtin, push_children};
use super::constants::Value;
use crate::cond::{Conds, Formula};
use crate::model::{
    CareFact, CareReason, Choice, DerivedMode, EquationKind, Family, Meaning, ModeDef, ModeId,
    Reads, Values, VarKind,
};
use crate::sym::CondId;
use modeshift_base::FxHashMap;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{
    self as flat, Equation, EquationKind as FlatKind, FlatExp, FlatRef, Statement, StatementKind,
};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// An integer with a larger range than this is a number, not a choice.
const MAX_VALUES: i64 = 64;

impl<'m> Lower<'m> {
    /// Gives every discrete variable its meaning, in the order of their dependencies.
    pub(super) fn define_discretes(&mut self, collected: &Collected<'m>) {
        let pending: Vec<flat::VarId> = self
            .flat
            .variables
            .ids()
            .filter(|&id| self.meaning(id).is_none())
            .collect();
        self.find_values(collected, &pending);
        let mut defined = Vec::new();
        for &id in &pending {
            let is_input = self.flat.variables[id].causality == Some(Causality::Input);
            if collected.is_defined(id) {
                defined.push(id);
            } else if collected.is_held(id) || is_input {
                self.declare_free(id, is_input);
            } else {
                self.undefined(id);
                self.declare_free(id, true);
            }
        }
        let (order, loops) = self.dependency_order(collected, &defined);
        for cycle in &loops {
            self.report_loop(collected, cycle);
        }
        for id in order {
            self.define(collected, id);
        }
    }

    /// A variable that is given from outside or held between events.
    fn declare_free(&mut self, id: flat::VarId, is_input: bool) {
        let variable = &self.flat.variables[id];
        if variable.ty == Type::Boolean {
            let def = if is_input {
                ModeDef::Input
            } else {
                ModeDef::Held
            };
            let mode = self.new_mode(def, variable.name.clone(), &variable.origin);
            self.set_mode_start(mode, id);
            self.set_meaning(id, Meaning::Mode(mode));
            return;
        }
        let Some(values) = self.possible_values(id) else {
            let kind = if is_input {
                VarKind::Input
            } else {
                VarKind::Held
            };
            let meaning = self.new_variable(variable, kind, Values::Integer);
            self.set_meaning(id, meaning);
            return;
        };
        let family = self.new_family(id);
        let modes: Vec<ModeId> = values
            .iter()
            .map(|&value| self.choice_mode(id, value, ModeDef::Choice(family), is_input))
            .collect();
        let choices: Vec<(i64, CondId)> = values
            .iter()
            .zip(modes)
            .map(|(&value, mode)| (value, self.out.conds.mode(mode)))
            .collect();
        self.fill_family(id, family, &choices);
        self.one_value(id, &choices);
    }

    fn choice_mode(&mut self, id: flat::VarId, value: i64, def: ModeDef, is_input: bool) -> ModeId {
        let variable = &self.flat.variables[id];
        let name: Arc<str> = format!("{} == {}", variable.name, self.literal(id, value)).into();
        let mode = self.new_mode(def, name, &variable.origin);
        self.out.modes[mode].reads = if is_input {
            Reads::Input
        } else {
            Reads::LeftLimit
        };
        mode
    }

    fn new_family(&mut self, id: flat::VarId) -> crate::model::FamilyId {
        let variable = &self.flat.variables[id];
        let family = self.out.families.push(Family {
            name: variable.name.clone(),
            values: Vec::new(),
            origin: variable.origin.clone(),
        });
        self.set_meaning(id, Meaning::Family(family));
        family
    }

    fn fill_family(
        &mut self,
        id: flat::VarId,
        family: crate::model::FamilyId,
        choices: &[(i64, CondId)],
    ) {
        let values = choices
            .iter()
            .map(|&(value, condition)| Choice {
                value,
                text: self.literal(id, value).into(),
                condition,
            })
            .collect();
        self.out.families[family].values = values;
    }

    /// Exactly one of the values holds. Quadratic in their number, which is small.
    fn one_value(&mut self, id: flat::VarId, choices: &[(i64, CondId)]) {
        let origin = Some(self.flat.variables[id].origin.clone());
        let some = self.out.conds.or(choices.iter().map(|&(_, c)| c));
        let mut facts = vec![some];
        for (i, &(_, a)) in choices.iter().enumerate() {
            for &(_, b) in &choices[..i] {
                let both = self.out.conds.and([a, b]);
                facts.push(self.out.conds.not(both));
            }
        }
        for condition in facts {
            if condition != Conds::TRUE {
                self.out.care.push(CareFact {
                    condition,
                    reason: CareReason::OneValue,
                    origin: origin.clone(),
                });
            }
        }
    }

    fn undefined(&mut self, id: flat::VarId) {
        let variable = &self.flat.variables[id];
        self.diagnostics.push(
            Diagnostic::new(
                Code::MS4012,
                format!("nothing says what `{}` is", variable.name),
            )
            .label(variable.origin.span, "declared here, without an equation")
            .note(
                "give it a binding or an equation, assign it in a `when`, or declare it as an `input`",
            ),
        );
    }

    pub(super) fn set_mode_start(&mut self, mode: ModeId, id: flat::VarId) {
        let attributes = &self.flat.variables[id].attributes;
        let start = attributes
            .iter()
            .find(|attribute| attribute.name == "start");
        self.out.modes[mode].start =
            start.and_then(|start| match self.constants.evaluate(&start.value) {
                Some(Value::Bool(value)) => Some(value),
                _ => None,
            });
    }

    /// Kahn's algorithm, smallest variable first, so that mode variables come in the order of
    /// declaration where nothing forbids it. What remains lies on or behind a loop.
    fn dependency_order(
        &self,
        collected: &Collected<'m>,
        defined: &[flat::VarId],
    ) -> (Vec<flat::VarId>, Vec<Vec<flat::VarId>>) {
        let number: FxHashMap<flat::VarId, usize> =
            defined.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); defined.len()];
        let mut missing = vec![0usize; defined.len()];
        for (i, &id) in defined.iter().enumerate() {
            let mut needs: Vec<usize> = Vec::new();
            self.dependencies(collected, id, &mut |dependency| {
                needs.extend(number.get(&dependency));
            });
            needs.sort_unstable();
            needs.dedup();
            missing[i] = needs.len();
            for need in needs {
                users[need].push(i);
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> = (0..defined.len())
            .filter(|&i| missing[i] == 0)
            .map(Reverse)
            .collect();
        let mut order = Vec::with_capacity(defined.len());
        while let Some(Reverse(i)) = ready.pop() {
            order.push(defined[i]);
            for &user in &users[i] {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(Reverse(user));
                }
            }
        }
        if order.len() == defined.len() {
            return (order, Vec::new());
        }
        self.break_loops(defined, &users, &missing, order)
    }

    /// Strongly connected components of what is left; the members of a loop come first, then those
    /// that only depend on them.
    fn break_loops(
        &self,
        defined: &[flat::VarId],
        users: &[Vec<usize>],
        missing: &[usize],
        mut order: Vec<flat::VarId>,
    ) -> (Vec<flat::VarId>, Vec<Vec<flat::VarId>>) {
        let mut graph = petgraph::graph::DiGraph::<usize, ()>::new();
        let nodes: Vec<_> = (0..defined.len()).map(|i| graph.add_node(i)).collect();
        for (i, list) in users.iter().enumerate() {
            for &user in list {
                graph.add_edge(nodes[i], nodes[user], ());
            }
        }
        let mut loops = Vec::new();
        // Kosaraju's components come in reverse topological order.
        for component in petgraph::algo::kosaraju_scc(&graph).into_iter().rev() {
            let mut members: Vec<usize> = component.iter().map(|&n| graph[n]).collect();
            members.sort_unstable();
            let is_loop = members.len() > 1 || users[members[0]].contains(&members[0]);
            if is_loop {
                loops.push(members.iter().map(|&i| defined[i]).collect());
            }
            order.extend(
                members
                    .iter()
                    .filter(|&&i| missing[i] > 0)
                    .map(|&i| defined[i]),
            );
        }
        (order, loops)
    }

    /// Calls `visit` for every discrete variable without a meaning that the definition of `id` reads
    /// at the current instant.
    fn dependencies(
        &self,
        collected: &Collected<'m>,
        id: flat::VarId,
        visit: &mut impl FnMut(flat::VarId),
    ) {
        for piece in &collected.pieces[id.index()] {
            match piece.value {
                Source::Exp(exp) => self.pending_in(exp, visit),
                Source::Variable(other) => visit(other),
            }
            let mut chain = piece.chain;
            while chain != 0 {
                self.pending_in(collected.chains[chain].condition, visit);
                chain = collected.chains[chain].parent;
            }
        }
        if let Some(algorithm) = collected.assigned_by[id.index()] {
            let mut own = |dependency: flat::VarId| {
                if collected.assigned_by[dependency.index()] != Some(algorithm) {
                    visit(dependency);
                }
            };
            self.pending_in_statements(&self.flat.algorithms[algorithm].statements, &mut own);
        }
    }

    fn pending_in(&self, exp: &FlatExp, visit: &mut impl FnMut(flat::VarId)) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            match exp {
                Exp::Ref(FlatRef::Var(id)) if self.meaning(*id).is_none() => visit(*id),
                Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) => {
                    for &id in &self.flat.groups[*group].members {
                        if self.meaning(id).is_none() {
                            visit(id);
                        }
                    }
                }
                Exp::Call(call) if is_builtin(&call.function, "pre") => continue,
                _ => {}
            }
            push_children(exp, &mut stack);
        }
    }

    fn pending_in_statements(&self, statements: &[Statement], visit: &mut impl FnMut(flat::VarId)) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { value, .. } => self.pending_in(value, visit),
                StatementKind::If { branches, else_ } => {
                    for (condition, body) in branches {
                        self.pending_in(condition, visit);
                        self.pending_in_statements(body, visit);
                    }
                    self.pending_in_statements(else_, visit);
                }
                StatementKind::For { body, .. } => self.pending_in_statements(body, visit),
                StatementKind::While { condition, body } => {
                    self.pending_in(condition, visit);
                    self.pending_in_statements(body, visit);
                }
                _ => {}
            }
        }
    }

    fn report_loop(&mut self, collected: &Collected<'m>, cycle: &[flat::VarId]) {
        // Integers that turn out to be numbers may depend on each other like any unknowns.
        if cycle.iter().any(|&id| {
            self.flat.variables[id].ty == Type::Integer && self.possible_values(id).is_none()
        }) {
            for &id in cycle {
                if self.flat.variables[id].ty == Type::Integer {
                    let variable = &self.flat.variables[id];
                    let meaning = self.new_variable(variable, VarKind::Unknown, Values::Integer);
                    self.set_meaning(id, meaning);
                }
            }
            return;
        }
        let names: Vec<String> = cycle
            .iter()
            .map(|&id| format!("`{}`", self.flat.variables[id].name))
            .collect();
        let mut diagnostic = Diagnostic::new(
            Code::MS4011,
            format!(
                "{} are defined by each other at the same instant",
                names.join(" and ")
            ),
        );
        if let [only] = &names[..] {
            diagnostic.message = format!("{only} is defined by itself at the same instant");
        }
        for &id in cycle {
            let place = collected.pieces[id.index()]
                .first()
                .map_or(self.flat.variables[id].origin.span, |piece| {
                    piece.origin.span
                });
            let name = &self.flat.variables[id].name;
            diagnostic = diagnostic.label(place, format!("`{name}` is defined here"));
        }
        self.diagnostics.push(diagnostic.note(
            "no order of evaluation exists; read the value before the instant with `pre(…)` in one of \
             the definitions",
        ));
        for &id in cycle {
            if self.meaning(id).is_none() {
                self.declare_free(id, true);
            }
        }
    }

    fn define(&mut self, collected: &Collected<'m>, id: flat::VarId) {
        if self.meaning(id).is_some() {
            if let Some(Meaning::Variable(_)) = self.meaning(id) {
                self.number_equations(collected, id);
            }
            return;
        }
        if let Some(algorithm) = collected.assigned_by[id.index()] {
            self.lower_algorithm(algorithm);
            if self.meaning(id).is_none() {
                self.declare_free(id, true);
            }
            return;
        }
        let pieces = &collected.pieces[id.index()];
        if pieces.len() > 1 && pieces.iter().any(|piece| piece.chain == 0) {
            self.several_definitions(id, pieces);
        }
        if self.flat.variables[id].ty == Type::Boolean {
            self.define_boolean(collected, id);
        } else {
            self.define_choice(collected, id);
        }
    }

    fn several_definitions(&mut self, id: flat::VarId, pieces: &[Piece<'m>]) {
        let name = &self.flat.variables[id].name;
        let mut diagnostic =
            Diagnostic::new(Code::MS4012, format!("`{name}` is defined more than once"));
        for piece in pieces {
            diagnostic = diagnostic.label(piece.origin.span, "a definition");
        }
        self.diagnostics.push(diagnostic);
    }

    fn define_boolean(&mut self, collected: &Collected<'m>, id: flat::VarId) {
        let pieces = &collected.pieces[id.index()];
        let mut cases = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let guard = self.chain_condition(collected, piece.chain);
            let value = self.at(&piece.origin.clone(), |this| match piece.value {
                Source::Exp(exp) => this.cond(exp),
                Source::Variable(other) => this.truth_of(other),
            });
            let value = if piece.negated {
                self.out.conds.not(value)
            } else {
                value
            };
            cases.push(self.out.conds.and([guard, value]));
        }
        let formula = self.out.conds.or(cases);
        let origin = pieces.first().map(|piece| piece.origin.clone());
        self.bind_boolean(id, formula, origin);
    }

    /// Settles what a Boolean defined by `formula` is: the name of a predicate, a mode variable with
    /// memory, or a derived condition.
    pub(super) fn bind_boolean(
        &mut self,
        id: flat::VarId,
        formula: CondId,
        origin: Option<Arc<flat::Origin>>,
    ) {
        let variable = &self.flat.variables[id];
        let origin = origin.unwrap_or_else(|| variable.origin.clone());
        if let Formula::Mode(mode) = *self.out.conds.formula(formula)
            && let ModeDef::Predicate(_) | ModeDef::Opaque(_) = self.out.modes[mode].def
            && self.named.insert(mode)
        {
            self.out.modes[mode].name = variable.name.clone();
            self.out.modes[mode].origin = origin;
            self.set_mode_start(mode, id);
            self.set_meaning(id, Meaning::Mode(mode));
            return;
        }
        if self.has_memory(formula) {
            let mode = self.new_mode(ModeDef::Formula(formula), variable.name.clone(), &origin);
            self.set_mode_start(mode, id);
            self.set_meaning(id, Meaning::Mode(mode));
            self.defined_as(mode, formula, &origin);
            return;
        }
        self.out.derived.push(DerivedMode {
            name: variable.name.clone(),
            value: formula,
            origin,
        });
        self.set_meaning(id, Meaning::Derived(formula));
    }

    fn has_memory(&self, formula: CondId) -> bool {
        let support = self.out.conds.support([formula]);
        support
            .iter()
            .any(|&mode| matches!(self.out.modes[mode].def, ModeDef::Left(_)))
    }

    fn defined_as(&mut self, mode: ModeId, formula: CondId, origin: &Arc<flat::Origin>) {
        let now = self.out.conds.mode(mode);
        let condition = self.out.conds.equal(now, formula);
        self.out.care.push(CareFact {
            condition,
            reason: CareReason::Definition,
            origin: Some(origin.clone()),
        });
    }

    fn define_choice(&mut self, collected: &Collected<'m>, id: flat::VarId) {
        let mut merged = std::collections::BTreeMap::<i64, Vec<CondId>>::new();
        for piece in &collected.pieces[id.index()] {
            let guard = self.chain_condition(collected, piece.chain);
            let choices = self.at(&piece.origin.clone(), |this| match piece.value {
                Source::Exp(exp) => this.choices(exp),
                Source::Variable(other) => {
                    let family = this.family(other)?;
                    let values = &this.out.families[family].values;
                    Some(values.iter().map(|c| (c.value, c.condition)).collect())
                }
            });
            let Some(choices) = choices else {
                self.define_number(collected, id);
                return;
            };
            for (value, when) in choices {
                merged
                    .entry(value)
                    .or_default()
                    .push(self.out.conds.and([guard, when]));
            }
        }
        let choices: Vec<(i64, CondId)> = merged
            .into_iter()
            .map(|(value, cases)| (value, self.out.conds.or(cases)))
            .collect();
        let origin = collected.pieces[id.index()]
            .first()
            .map(|piece| piece.origin.clone());
        self.bind_choice(id, choices, origin);
    }

    /// Like [`Lower::bind_boolean`] for a list of values.
    pub(super) fn bind_choice(
        &mut self,
        id: flat::VarId,
        mut choices: Vec<(i64, CondId)>,
        origin: Option<Arc<flat::Origin>>,
    ) {
        let origin = origin.unwrap_or_else(|| self.flat.variables[id].origin.clone());
        let family = self.new_family(id);
        if choices
            .iter()
            .any(|&(_, condition)| self.has_memory(condition))
        {
            for (value, condition) in &mut choices {
                let def = ModeDef::Formula(*condition);
                let mode = self.choice_mode(id, *value, def, false);
                self.defined_as(mode, *condition, &origin);
                *condition = self.out.conds.mode(mode);
            }
            self.one_value(id, &choices);
        }
        self.fill_family(id, family, &choices);
    }

    /// An integer (or enumeration) that is not one of finitely many values: an unknown like others.
    fn define_number(&mut self, collected: &Collected<'m>, id: flat::VarId) {
        let variable = &self.flat.variables[id];
        let meaning = self.new_variable(variable, VarKind::Unknown, Values::Integer);
        self.set_meaning(id, meaning);
        self.number_equations(collected, id);
    }

    pub(super) fn number_equations(&mut self, collected: &Collected<'m>, id: flat::VarId) {
        for piece in &collected.pieces[id.index()] {
            let guard = self.chain_condition(collected, piece.chain);
            self.at(&piece.origin.clone(), |this| {
                let lhs = this.value_of(id);
                let rhs = match piece.value {
                    Source::Exp(exp) => this.number(exp),
                    Source::Variable(other) => this.value_of(other),
                };
                this.push_equation(EquationKind::Long, guard, lhs, rhs);
            });
        }
    }

    /// The finitely many values an integer or enumeration can have.
    pub(super) fn possible_values(&self, id: flat::VarId) -> Option<Vec<i64>> {
        self.possible.get(&id).cloned()
    }

    /// Values of enumerations are their literals; integers are looked at: declared range, or nothing
    /// but constants wherever they get a value.
    fn find_values(&mut self, collected: &Collected<'m>, pending: &[flat::VarId]) {
        let mut literals: FxHashMap<flat::VarId, Option<BTreeSet<i64>>> = FxHashMap::default();
        for &id in pending {
            match &self.flat.variables[id].ty {
                Type::Enumeration(ty) => {
                    let values = (1..=ty.literals.len() as i64).collect();
                    self.possible.insert(id, values);
                }
                Type::Integer => {
                    let start = self.flat.variables[id]
                        .attributes
                        .iter()
                        .find(|attribute| attribute.name == "start")
                        .and_then(|start| self.constants.evaluate(&start.value)?.integer());
                    literals.insert(id, Some(start.into_iter().collect()));
                }
                _ => {}
            }
        }
        for (&id, values) in &mut literals {
            for piece in &collected.pieces[id.index()] {
                match piece.value {
                    Source::Exp(exp) => self.constants_of(id, exp, values),
                    Source::Variable(_) => *values = None,
                }
            }
        }
        for when in &collected.whens {
            for (_, body) in when.branches {
                self.constants_in(body, &mut literals);
            }
        }
        for algorithm in &self.flat.algorithms {
            self.constants_in_statements(&algorithm.statements, &mut literals);
        }
        for (id, found) in literals {
            if let Some(values) = self.declared_range(id).or(found)
                && !values.is_empty()
            {
                self.possible.insert(id, values.into_iter().collect());
            }
        }
    }

    fn declared_range(&self, id: flat::VarId) -> Option<BTreeSet<i64>> {
        let attribute = |name: &str| {
            let attributes = &self.flat.variables[id].attributes;
            let found = attributes.iter().find(|attribute| attribute.name == name)?;
            self.constants.evaluate(&found.value)?.integer()
        };
        let (min, max) = (attribute("min")?, attribute("max")?);
        (min <= max && max.checked_sub(min)? < MAX_VALUES).then(|| (min..=max).collect())
    }

    /// Collects the constants `exp` can come to; `None` as soon as it is something else.
    fn constants_of(&self, id: flat::VarId, exp: &FlatExp, values: &mut Option<BTreeSet<i64>>) {
        let mut stack = vec![exp];
        while let Some(exp) = stack.pop() {
            if let Some(value) = self
                .constants
                .evaluate(exp)
                .and_then(|value| value.integer())
            {
                if let Some(values) = values {
                    values.insert(value);
                }
                continue;
            }
            match exp {
                Exp::If(branch) => stack.extend([&branch.then, &branch.else_]),
                Exp::Cast(_, inner) => stack.push(inner),
                Exp::Call(call)
                    if is_builtin(&call.function, "pre")
                        && call.args.first().and_then(super::as_variable) == Some(id) => {}
                _ => {
                    *values = None;
                    return;
                }
            }
        }
        if values
            .as_ref()
            .is_some_and(|values| values.len() as i64 > MAX_VALUES)
        {
            *values = None;
        }
    }

    fn constants_in(
        &self,
        body: &[Equation],
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for equation in body {
            match &equation.kind {
                FlatKind::Equality { lhs, rhs, .. } => self.constants_assigned(lhs, rhs, literals),
                FlatKind::If { branches, else_ } => {
                    for (_, inner) in branches {
                        self.constants_in(inner, literals);
                    }
                    self.constants_in(else_, literals);
                }
                _ => {}
            }
        }
    }

    fn constants_in_statements(
        &self,
        statements: &[Statement],
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign { target, value, .. } => {
                    self.constants_assigned(target, value, literals);
                }
                StatementKind::If { branches, else_ } => {
                    for (_, body) in branches {
                        self.constants_in_statements(body, literals);
                    }
                    self.constants_in_statements(else_, literals);
                }
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    self.constants_in_statements(body, literals);
                }
                StatementKind::When { branches } => {
                    for (_, body) in branches {
                        self.constants_in_statements(body, literals);
                    }
                }
                _ => {}
            }
        }
    }

    fn constants_assigned(
        &self,
        target: &FlatExp,
        value: &FlatExp,
        literals: &mut FxHashMap<flat::VarId, Option<BTreeSet<i64>>>,
    ) {
        for target in super::collect::targets(target) {
            let single = super::as_variable(target);
            if let Some(id) = single
                && let Some(values) = literals.get_mut(&id)
            {
                let mut found = values.take();
                self.constants_of(id, value, &mut found);
                *values = found;
            } else if let Exp::Ref(FlatRef::Group(group) | FlatRef::Element(group, _)) = target {
                for id in &self.flat.groups[*group].members {
                    literals.insert(*id, None);
                }
            }
        }
    }
}
