//! Definitions of Booleans, enumerations and integers with few values.
//!
//! A Boolean defined by a relation gives that relation its name. One defined by a formula over others is
//! *derived* and needs no mode variable of its own — unless the formula has memory (`pre(b)`): then its
//! parts do not belong to the mode, only its value does.

mod order;
mod values;

use super::Lower;
use super::collect::{Collected, Piece, Source};
use super::constants::Value;
use crate::cond::{Conds, Formula};
use crate::model::{
    CareFact, CareReason, Choice, DerivedMode, EquationKind, Family, Meaning, ModeDef, ModeId,
    Reads, Values, VarKind,
};
use crate::sym::CondId;
use modeshift_base::FxHashSet;
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{self as flat, FlatExp, FlatRef};
use modeshift_flat::walk::walk;
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type};
use std::sync::Arc;

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
        let start = self.start_of(id).and_then(|start| start.integer());
        // Without a start value an enumeration begins with its first literal.
        let first = matches!(self.flat.variables[id].ty, Type::Enumeration(_)).then_some(1);
        let start = start.or(first);
        self.out.modes[mode].start = start.map(|start| start == value);
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
                format!("`{}` has no definition: no equation or binding gives it a value", variable.name),
            )
            .label(variable.origin.span, "declared here, without an equation")
            .note(
                "give it a binding or an equation, assign it in a `when`, or declare it as an `input`",
            ),
        );
    }

    pub(super) fn set_mode_start(&mut self, mode: ModeId, id: flat::VarId) {
        self.out.modes[mode].start = match self.start_of(id) {
            Some(Value::Bool(value)) => Some(value),
            _ => None,
        };
    }

    /// Whether this is the declared start value of a discrete variable; 1 is that of a Boolean that is true.
    pub(super) fn is_start(&self, id: flat::VarId, value: i64) -> Option<bool> {
        match self.start_of(id)? {
            Value::Bool(start) => Some(start == (value == 1)),
            start => start.integer().map(|start| start == value),
        }
    }

    fn start_of(&self, id: flat::VarId) -> Option<Value> {
        let attributes = &self.flat.variables[id].attributes;
        let start = attributes
            .iter()
            .find(|attribute| attribute.name == "start")?;
        self.constants.evaluate(&start.value)
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
            && (self.named.insert(mode) || names_better(&variable.name, &self.out.modes[mode].name))
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
        self.out.add_derived(DerivedMode {
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
        // Conditions on `pre(n)` need to know what `n` is.
        if self.possible_values(id).is_none() && reads_itself(collected, id) {
            self.define_number(collected, id);
            return;
        }
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
}

/// Whether the definition of a variable mentions it, in a value or in a condition.
fn reads_itself(collected: &Collected<'_>, id: flat::VarId) -> bool {
    let mut found = false;
    let mut look = |exp: &FlatExp| {
        walk(exp, &mut |exp| {
            found |= matches!(exp, Exp::Ref(FlatRef::Var(own)) if *own == id);
        });
    };
    let mut seen = FxHashSet::default();
    for piece in &collected.pieces[id.index()] {
        if let Source::Exp(exp) = piece.value {
            look(exp);
        }
        let mut chain = piece.chain;
        while chain != 0 && seen.insert(chain) {
            look(collected.chains[chain].condition);
            chain = collected.chains[chain].parent;
        }
    }
    found
}

/// Whether the modeller wrote `name`, and a translation made up the other one.
fn names_better(name: &str, than: &str) -> bool {
    than.starts_with('$') && !name.starts_with('$')
}
