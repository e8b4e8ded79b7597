//! The multimode DAE: variables, mode variables, guarded equations.
//!
//! RR-9334, Definition 27, with the vocabulary of Modelica: `if γ then f = 0` is an equation of kind
//! [`EquationKind::Long`], `when γ then f = 0` one of kind [`EquationKind::Transient`]. Guards are
//! conditions of the table [`MDae::conds`]; the same table holds the conditions of if-expressions, so
//! that an equation with k independent if-expressions stays one equation whose incidence depends on the
//! mode ([`crate::incidence`]).

use crate::cond::{Conds, Formula};
use crate::sym::{CondId, Expr, Kind, ParamId, RelOp, VarId, for_each_node};
use modeshift_base::{FxHashMap, FxHashSet, Idx, IndexVec, Name, Shared};
use modeshift_flat::model::{Origin, Place};
use std::sync::Arc;

pub type ModeId = Idx<ModeVar>;
pub type EqId = Idx<Equation>;
pub type FamilyId = Idx<Family>;

/// How a variable takes part in the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// An unknown of the long modes: continuous, or discrete with an equation that always holds.
    Unknown,
    /// Changes only where a `when` assigns it: known, and constant between events.
    Held,
    /// Given from outside as a function of time.
    Input,
}

/// What values a variable has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Values {
    Real,
    Integer,
    /// Booleans, enumerations and strings that occur as values (arguments of functions).
    Other,
}

/// A variable of the equations. Booleans and enumerations that decide modes are [`ModeVar`]s instead.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    pub name: Arc<str>,
    pub kind: VarKind,
    pub values: Values,
    /// Declared or inferred discrete: its derivative is zero between events.
    pub discrete: bool,
    /// The `start` attribute over parameters and constants.
    pub start: Option<Expr>,
    pub fixed: bool,
    pub bounds: Bounds,
    pub origin: Arc<Origin>,
}

/// The attributes `min` and `max`, where they are numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bounds {
    pub min: Option<f64>,
    pub max: Option<f64>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: Arc<str>,
    /// The binding over other parameters.
    pub binding: Option<Expr>,
    /// The number the binding comes to, when it is known before simulation.
    pub value: Option<f64>,
    /// Declared with `fixed = false`: initial equations determine it.
    pub free: bool,
    /// Its value takes variables out of equations: with another one the model has another structure.
    pub structural: bool,
    pub origin: Arc<Origin>,
}

/// `lhs op rhs` over variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    pub op: RelOp,
    pub lhs: Expr,
    pub rhs: Expr,
}

/// What must be known before a mode variable can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Reads {
    /// Given from outside: inputs, time, parameters.
    Input,
    /// Left limits and values held since the last event.
    LeftLimit,
    /// Values of the current instant.
    Current,
}

/// How a mode variable gets its truth value.
#[derive(Clone, PartialEq, Debug)]
pub enum ModeDef {
    /// An input, or a parameter without a value.
    Input,
    /// An instant given from outside, true only there: the call `sample(0, 0.1)`.
    Pulse(Expr),
    /// Keeps its value until a `when` assigns it.
    Held,
    /// `pre(b)` read in a guard: the truth of the condition before the instant.
    Left(CondId),
    Predicate(Predicate),
    /// A formula with memory: `b = x > 1 or pre(b) and x > 0`. Its parts are mode variables of their
    /// own (marked [`ModeVar::auxiliary`] unless guards read them too), tied to this one by a
    /// [`CareFact`].
    Formula(CondId),
    /// One value of an integer or enumeration variable that is assigned in a `when`: exactly one mode
    /// variable of the same [`Family`] is true. Those whose definition has memory are `Formula`s.
    Choice(FamilyId),
    /// A Boolean value we do not look into (a function's result): `f(x)`.
    Opaque(Expr),
}

/// A Boolean that guards depend on. Its index is its place in the order of the BDDs.
#[derive(Clone, PartialEq, Debug)]
pub struct ModeVar {
    /// The Boolean's name, or the predicate's text where it has none.
    pub name: Arc<str>,
    pub def: ModeDef,
    pub reads: Reads,
    /// Value before the first event, from the `start` attribute.
    pub start: Option<bool>,
    /// Occurs only in the definition of other mode variables, in no guard: not part of the mode.
    pub auxiliary: bool,
    /// A parameter: it has one value for a whole run.
    pub constant: bool,
    pub origin: Arc<Origin>,
}

/// A named Boolean that is a formula over mode variables: `g2 = not g1`.
#[derive(Clone, PartialEq, Debug)]
pub struct DerivedMode {
    pub name: Arc<str>,
    pub value: CondId,
    pub origin: Arc<Origin>,
}

/// Compound conditions that the modeller gave a name, as numbers of [`MDae::derived`].
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Named {
    by_value: FxHashMap<CondId, usize>,
    /// Conjunctions and disjunctions by their first operand: parts of longer ones.
    by_first: FxHashMap<CondId, Vec<usize>>,
}

/// An integer or enumeration variable with finitely many values.
#[derive(Clone, PartialEq, Debug)]
pub struct Family {
    pub name: Arc<str>,
    /// Each value, as printed (`Mode.Stuck`, `-1`), with the condition under which the variable has it.
    pub values: Vec<Choice>,
    pub origin: Arc<Origin>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub value: i64,
    pub text: Arc<str>,
    pub condition: CondId,
}

/// `when guard then b = value`: how a held mode variable changes.
#[derive(Clone, PartialEq, Debug)]
pub struct ModeUpdate {
    pub mode: ModeId,
    pub guard: CondId,
    pub firing: Firing,
    pub value: CondId,
    pub origin: Arc<Origin>,
}

/// When a branch of a `when` takes effect: at the instant at which one of its triggers becomes true, unless one of
/// the triggers of earlier branches (`elsewhen`) does, too.
#[derive(Clone, PartialEq, Debug)]
pub struct Firing {
    pub triggers: Box<[CondId]>,
    pub unless: Box<[CondId]>,
}

impl Firing {
    /// Whether the branch fires, given which conditions become true.
    pub fn fires(&self, rises: impl Fn(CondId) -> bool) -> bool {
        let any = |list: &[CondId]| list.iter().any(|&id| rises(id));
        any(&self.triggers) && !any(&self.unless)
    }
}

/// When an equation holds.
#[derive(Clone, PartialEq, Debug)]
pub enum EquationKind {
    /// `if γ then f = 0`
    Long,
    /// `when γ then f = 0`, if the guard holds at that instant.
    Transient(Firing),
    /// `when γ then reinit(x, e)`: the residual is `x − e`.
    Reinit { variable: VarId, firing: Firing },
}

impl EquationKind {
    /// For equations of an instant: when that is.
    pub fn firing(&self) -> Option<&Firing> {
        match self {
            Self::Long => None,
            Self::Transient(firing) | Self::Reinit { firing, .. } => Some(firing),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    pub kind: EquationKind,
    pub guard: CondId,
    pub lhs: Expr,
    pub rhs: Expr,
    pub origin: Arc<Origin>,
}

impl Equation {
    /// `f` of `f = 0`.
    pub fn residual(&self) -> Expr {
        if self.rhs.is_zero() {
            self.lhs.clone()
        } else if self.lhs.is_zero() {
            self.rhs.clone()
        } else {
            self.lhs.sub(&self.rhs)
        }
    }

    pub fn is_long(&self) -> bool {
        matches!(self.kind, EquationKind::Long)
    }
}

/// What the modeller asserts, as far as it restricts modes.
#[derive(Clone, PartialEq, Debug)]
pub struct Assertion {
    pub condition: CondId,
    pub message: Arc<str>,
    pub origin: Arc<Origin>,
}

/// What a running model must satisfy where the guard holds: a number that is not zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    pub condition: Expr,
    pub guard: CondId,
    pub message: Arc<str>,
    /// Said, but not the end.
    pub warning: bool,
    pub origin: Arc<Origin>,
}

/// `terminate(…)` in a `when`: the end of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct End {
    pub guard: CondId,
    pub firing: Firing,
    pub message: Arc<str>,
    pub origin: Arc<Origin>,
}

/// A variable of the flat model, as the mDAE sees it.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    Variable(VarId),
    Parameter(ParamId),
    Mode(ModeId),
    Derived(CondId),
    Family(FamilyId),
    /// A constant, a string, an external object.
    Other,
}

/// A multimode DAE. What is large and seldom changed is shared between copies.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MDae {
    pub name: Arc<str>,
    pub variables: Shared<Vec<Variable>>,
    pub parameters: Shared<Vec<Parameter>>,
    pub modes: IndexVec<ModeVar>,
    /// Named Booleans that are formulas over `modes`. [`Self::add_derived`] puts them here.
    pub derived: Vec<DerivedMode>,
    /// Where the names of conditions are found.
    pub(crate) named: Named,
    pub families: IndexVec<Family>,
    pub updates: Vec<ModeUpdate>,
    pub conds: Shared<Conds>,
    pub equations: Shared<IndexVec<Equation>>,
    pub initial_equations: Vec<Equation>,
    /// What `when initial()` gives to mode variables at the start.
    pub initial_updates: Vec<ModeUpdate>,
    pub assertions: Vec<Assertion>,
    /// All assertions, as numbers.
    pub checks: Shared<Vec<Check>>,
    pub ends: Vec<End>,
    /// Conditions that hold in every mode that can happen, with the reason.
    pub care: Vec<CareFact>,
    /// Conditions that hold at single points only: `x <= 0 and x >= 0`.
    pub points: Vec<CondId>,
    /// By variable of the flat model.
    pub meanings: Shared<IndexVec<Meaning>>,
    /// One-dimensional tables by the name of their object.
    pub tables: FxHashMap<Name, Table>,
    /// Functions that look a table up: object, column, argument.
    pub lookups: FxHashSet<Name>,
}

/// A table of the standard library whose matrix is part of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The argument first.
    pub rows: Vec<Vec<Expr>>,
    pub columns: Vec<Expr>,
    pub smoothness: Expr,
    pub extrapolation: Expr,
}

/// One conjunct of the care set.
#[derive(Clone, PartialEq, Debug)]
pub struct CareFact {
    pub condition: CondId,
    pub reason: CareReason,
    pub origin: Option<Arc<Origin>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CareReason {
    /// `assert(…)`
    Assertion,
    /// Two predicates on the same expression: `x > 0` and `x < 0`.
    Thresholds,
    /// An integer or enumeration has exactly one value.
    OneValue,
    /// The definition of a mode variable by a formula.
    Definition,
    /// A predicate on values that never change: `level >= 0` beside `level = 0`.
    Constant,
    /// Instants such as `sample(…)` are no long modes.
    Instant,
}

impl MDae {
    /// Whether an expression passes through its values. One of discrete variables stays on them until the next event.
    pub(crate) fn passes(&self, expression: &Expr) -> bool {
        let mut passes = false;
        for_each_node(expression, &mut |node| {
            passes |= match node.kind() {
                Kind::Time => true,
                Kind::Var(read) => !self.variable(read.var).discrete,
                _ => false,
            };
            true
        });
        passes
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn parameter(&self, id: ParamId) -> &Parameter {
        &self.parameters[id.0 as usize]
    }

    pub fn variable_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len() as u32).map(VarId)
    }

    /// Whether `id` is an unknown of the long modes.
    pub fn is_unknown(&self, id: VarId) -> bool {
        self.variable(id).kind == VarKind::Unknown
    }

    /// The variable called `name`. Linear; for command lines and tests.
    pub fn find_variable(&self, name: &str) -> Option<VarId> {
        self.variable_ids()
            .find(|&id| &*self.variable(id).name == name)
    }

    /// The mode variable or derived Boolean called `name`, as a condition.
    pub fn find_mode(&mut self, name: &str) -> Option<CondId> {
        if let Some(id) = self.modes.ids().find(|&id| &*self.modes[id].name == name) {
            return Some(self.conds.mode(id));
        }
        self.derived
            .iter()
            .find(|derived| &*derived.name == name)
            .map(|derived| derived.value)
    }

    /// Adds a named Boolean. Of several with one meaning the first gives conditions their name.
    pub fn add_derived(&mut self, derived: DerivedMode) {
        let index = self.derived.len();
        let value = derived.value;
        self.derived.push(derived);
        let is_new = !self.named.by_value.contains_key(&value);
        match self.conds.formula(value) {
            Formula::Const(_) | Formula::Mode(_) => {}
            Formula::Not(_) => {
                self.named.by_value.entry(value).or_insert(index);
            }
            Formula::And(operands) | Formula::Or(operands) => {
                self.named.by_value.entry(value).or_insert(index);
                if is_new {
                    let list = self.named.by_first.entry(operands[0]).or_default();
                    list.push(index);
                }
            }
        }
    }

    /// The Boolean that stands for a condition: `g` for `time >= 5 and time < 10`, where the model says `g = …`. What has a name
    /// already, and its negation, needs no other.
    pub fn name_of(&self, id: CondId) -> Option<&DerivedMode> {
        let derived = &self.derived[*self.named.by_value.get(&id)?];
        if let Formula::Not(inner) = self.conds.formula(id)
            && let Formula::Mode(mode) = self.conds.formula(*inner)
            && !self.modes[*mode].name.contains(' ')
        {
            return None;
        }
        Some(derived)
    }

    /// Named Booleans that stand for some of the operands of a conjunction (or disjunction, as `and` says), and the operands
    /// that are left. The longest names come first.
    pub(crate) fn names_within(&self, operands: &[CondId], and: bool) -> (Vec<&str>, Vec<CondId>) {
        let mut candidates: Vec<(&[CondId], usize)> = Vec::new();
        for first in operands {
            for &index in self.named.by_first.get(first).into_iter().flatten() {
                let inner = match self.conds.formula(self.derived[index].value) {
                    Formula::And(inner) if and => inner,
                    Formula::Or(inner) if !and => inner,
                    _ => continue,
                };
                if inner.iter().all(|it| operands.binary_search(it).is_ok()) {
                    candidates.push((inner, index));
                }
            }
        }
        candidates.sort_by_key(|(inner, index)| (std::cmp::Reverse(inner.len()), *index));
        let mut left = operands.to_vec();
        let mut names = Vec::new();
        for (inner, index) in candidates {
            if inner.iter().all(|it| left.contains(it)) {
                left.retain(|it| !inner.contains(it));
                names.push(&*self.derived[index].name);
            }
        }
        (names, left)
    }

    /// Every place a report may point at.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let equations = self.equations.iter().chain(&self.initial_equations);
        let equations = equations.map(|equation| equation.origin.span);
        let variables = self.variables.iter().map(|variable| variable.origin.span);
        let modes = self.modes.iter().map(|mode| mode.origin.span);
        let derived = self.derived.iter().map(|derived| derived.origin.span);
        let care = self
            .care
            .iter()
            .filter_map(|fact| fact.origin.as_ref().map(|origin| origin.span));
        equations
            .chain(variables)
            .chain(modes)
            .chain(derived)
            .chain(care)
    }

    pub fn has_transients(&self) -> bool {
        self.equations.iter().any(|equation| !equation.is_long())
    }
}
