//! From the flat model to the mDAE.
//!
//! The passes, in order:
//!
//! 0. [`parts`]: equations of tuples and records with discrete parts, taken apart;
//! 1. [`constants`]: parameters and constants that have a value;
//! 2. [`collect`]: who is assigned where, under which conditions; which variables are held between
//!    events because a `when` assigns them;
//! 3. [`discrete`]: Booleans, enumerations and integers with few values become conditions over mode
//!    variables, in the order of their dependencies;
//! 4. [`equation`], [`algorithm`]: equations, `when` equations and algorithms over numbers, with
//!    [`numeric`] and [`logic`] for their expressions and [`mod@array`] for those with several values;
//! 5. [`finish`]: what can only be known at the end (what each mode variable reads, which real
//!    variables are held, which assertions restrict the modes).
//!
//! Everything is linear in the size of the flat model, apart from unrolled loops in algorithms.

mod again;
mod algorithm;
mod array;
mod calls;
mod collect;
mod constants;
mod discrete;
mod equation;
mod finish;
mod fixed;
mod logic;
mod numeric;
mod parts;
mod running;
mod tables;
#[cfg(test)]
mod tests;
mod when;

pub use again::{Known, lower_again};

use crate::cond::Conds;
use crate::model::{
    Bounds, Equation, EquationKind, FamilyId, MDae, Meaning, ModeDef, ModeId, ModeVar, Parameter,
    Reads, Values, VarKind, Variable,
};
use crate::predicate::Threshold;
use crate::sym::{CondId, Expr, ParamId, VarId as SymVar};
use constants::{Constants, Value};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Idx, IndexVec, Name, Shared};
use modeshift_diag::{Code, Diagnostic};
use modeshift_flat::model::{self as flat, FlatExp, FlatModel, FlatRef, Origin, OriginKind, Place};
use modeshift_inst::exp::Exp;
use modeshift_inst::ty::{Causality, Type, Variability};
use std::borrow::Cow;
use std::sync::Arc;

/// The mDAE of a flat model, and what could not be taken over.
#[derive(Clone, PartialEq, Debug)]
pub struct Lowered {
    pub mdae: MDae,
    pub diagnostics: Vec<Diagnostic<Place>>,
}

/// Lowers a flat model. Never fails: what is not supported is reported and left out.
pub fn lower(flat: &FlatModel) -> Lowered {
    lower_whole(flat).0
}

/// The same, and the values of constants, unless equations had to be taken apart first.
fn lower_whole(flat: &FlatModel) -> (Lowered, Option<Constants>) {
    let split = parts::split(flat);
    let flat = &*split;
    let mut this = Lower::with_constants(flat, Constants::new(flat));
    let collected = collect::collect(flat, &this.constants);
    this.declare(&collected);
    this.define_discretes(&collected);
    this.lower_equations(&collected);
    this.lower_remaining_algorithms(&collected);
    this.lower_whens(&collected);
    this.lower_initial();
    this.finish(&collected);
    let lowered = Lowered {
        mdae: this.out,
        diagnostics: this.diagnostics,
    };
    let whole = matches!(split, Cow::Borrowed(_));
    (lowered, whole.then_some(this.constants))
}

/// A value of a variable inside an algorithm, while its statements are gone through.
#[derive(Clone, PartialEq, Debug)]
enum Bound {
    Number(Expr),
    Truth(CondId),
    Choice(Vec<(i64, CondId)>),
}

/// What is known about the mode variables made so far.
#[derive(Default)]
struct Atoms {
    /// Predicates, with the sign in which the first of them was written.
    thresholds: FxHashMap<Threshold, (ModeId, bool)>,
    /// What these compare.
    compared: FxHashSet<SymVar>,
    /// Thresholds in the order of their making, for the care set.
    order: Vec<Threshold>,
    /// Function values and sampled instants.
    opaque: FxHashMap<Expr, ModeId>,
    /// `pre(b)` by variable and, for families, value.
    left: FxIndexMap<(flat::VarId, i64), ModeId>,
}

struct Lower<'m> {
    flat: &'m FlatModel,
    constants: Constants,
    out: MDae,
    /// `None` for a discrete variable whose turn has not come.
    meanings: IndexVec<Option<Meaning>>,
    /// Those of a model that is lowered again.
    known_meanings: Shared<IndexVec<Meaning>>,
    atoms: Atoms,
    /// Where we are: the equation, statement or declaration that is being lowered.
    origin: Arc<Origin>,
    /// Values assigned earlier in the algorithm that is being lowered.
    env: FxHashMap<flat::VarId, Bound>,
    /// Inside `noEvent` or `smooth`.
    no_event: bool,
    depth: u32,
    algorithms_done: Vec<bool>,
    /// Conditions of chains that were worked out.
    chains: Vec<Option<CondId>>,
    /// Values of integers and enumerations that have finitely many.
    possible: FxHashMap<flat::VarId, Vec<i64>>,
    /// Mode variables that carry the name of a Boolean.
    named: FxHashSet<ModeId>,
    /// Loop variables of loops that are being unrolled.
    iterators: Vec<(Name, i64)>,
    /// Numbers that are no integers, by their bits.
    decimals: FxHashMap<u64, Option<Expr>>,
    /// No new mode variables: what would need one sets `missing` instead.
    frozen: bool,
    missing: bool,
    diagnostics: Vec<Diagnostic<Place>>,
}

/// Nesting of expressions that lowering follows. The parser has a smaller limit; long sums do not nest.
const MAX_DEPTH: u32 = 1000;

impl<'m> Lower<'m> {
    fn with_constants(flat: &'m FlatModel, constants: Constants) -> Self {
        let nowhere = Arc::new(Origin {
            span: modeshift_base::FileSpan {
                file: modeshift_base::FileId(0),
                span: modeshift_base::Span::default(),
            },
            also: Vec::new(),
            instance: Arc::from(""),
            kind: OriginKind::Declaration,
            comment: None,
        });
        Self {
            flat,
            constants,
            out: MDae {
                name: flat.name.clone(),
                ..MDae::default()
            },
            meanings: IndexVec::new(),
            known_meanings: Shared::default(),
            atoms: Atoms::default(),
            origin: nowhere,
            env: FxHashMap::default(),
            no_event: false,
            depth: 0,
            algorithms_done: vec![false; flat.algorithms.len()],
            chains: Vec::new(),
            possible: FxHashMap::default(),
            named: FxHashSet::default(),
            iterators: Vec::new(),
            decimals: FxHashMap::default(),
            frozen: false,
            missing: false,
            diagnostics: Vec::new(),
        }
    }

    /// Gives every flat variable its meaning, apart from discrete ones that have a definition.
    fn declare(&mut self, collected: &collect::Collected<'m>) {
        for (id, variable) in self.flat.variables.iter_enumerated() {
            let meaning = self.meaning_of(id, variable, collected);
            self.meanings.push(meaning);
        }
        // Start values may refer to parameters declared later.
        for (id, variable) in self.flat.variables.iter_enumerated() {
            match self.meanings[Idx::new(id.index())] {
                Some(Meaning::Variable(var)) => self.set_start(var, variable),
                Some(Meaning::Parameter(param)) => {
                    if let Some(binding) = &variable.binding {
                        let binding = self.constant_number(binding);
                        self.out.parameters[param.0 as usize].binding = binding;
                    }
                }
                _ => {}
            }
        }
    }

    fn meaning_of(
        &mut self,
        id: flat::VarId,
        variable: &flat::Variable,
        collected: &collect::Collected<'m>,
    ) -> Option<Meaning> {
        if variable.variability <= Variability::Parameter {
            return Some(self.constant_meaning(id, variable));
        }
        let is_input = variable.causality == Some(Causality::Input) && variable.binding.is_none();
        let kind = match () {
            () if is_input && !collected.is_defined(id) => VarKind::Input,
            () if collected.is_held(id) => VarKind::Held,
            () => VarKind::Unknown,
        };
        match &variable.ty {
            Type::Real => Some(self.new_variable(variable, kind, Values::Real)),
            Type::Boolean if kind == VarKind::Input => {
                let mode = self.new_mode(ModeDef::Input, variable.name.clone(), &variable.origin);
                self.set_mode_start(mode, id);
                Some(Meaning::Mode(mode))
            }
            Type::Integer if !collected.decides(id) => {
                Some(self.new_variable(variable, kind, Values::Integer))
            }
            // From outside comes any integer, unless a range is declared.
            Type::Integer if kind == VarKind::Input && self.declared_range(id).is_none() => {
                Some(self.new_variable(variable, kind, Values::Integer))
            }
            Type::Enumeration(_) if kind != VarKind::Input && !collected.decides(id) => {
                Some(self.new_variable(variable, kind, Values::Other))
            }
            Type::Boolean | Type::Integer | Type::Enumeration(_) => None,
            _ => Some(Meaning::Other),
        }
    }

    fn constant_meaning(&mut self, id: flat::VarId, variable: &flat::Variable) -> Meaning {
        let value = self.constants.of(id);
        match &variable.ty {
            Type::Boolean if value.is_none() => {
                let mode = self.new_mode(ModeDef::Input, variable.name.clone(), &variable.origin);
                self.out.modes[mode].constant = true;
                self.set_mode_start(mode, id);
                Meaning::Mode(mode)
            }
            // Values that the compiler may rely on are folded; a real parameter stays a symbol, so
            // that reports speak of `j1 + j2` and not of `3`.
            Type::Real | Type::Integer
                if value.is_none() || variable.variability == Variability::Parameter =>
            {
                let mut attributes = variable.attributes.iter();
                let fixed = attributes.find(|attribute| attribute.name == "fixed");
                let fixed = fixed.and_then(|fixed| self.constants.evaluate(&fixed.value));
                let parameter = Parameter {
                    name: variable.name.clone(),
                    binding: None,
                    free: fixed == Some(Value::Bool(false)),
                    value: value.and_then(Value::number),
                    structural: false,
                    origin: variable.origin.clone(),
                };
                self.out.parameters.push(parameter);
                Meaning::Parameter(ParamId(self.out.parameters.len() as u32 - 1))
            }
            _ => Meaning::Other,
        }
    }

    fn new_variable(
        &mut self,
        variable: &flat::Variable,
        kind: VarKind,
        values: Values,
    ) -> Meaning {
        let id = SymVar(self.out.variables.len() as u32);
        self.out.variables.push(Variable {
            name: variable.name.clone(),
            kind,
            values,
            discrete: kind == VarKind::Held || variable.variability == Variability::Discrete,
            start: None,
            fixed: false,
            bounds: Bounds::default(),
            origin: variable.origin.clone(),
        });
        Meaning::Variable(id)
    }

    fn set_start(&mut self, id: SymVar, variable: &flat::Variable) {
        let number = |attribute: &flat::Attribute| {
            let value = self.constants.evaluate(&attribute.value);
            value.as_ref().and_then(Value::number)
        };
        let attribute = |name: &str| variable.attributes.iter().find(|it| it.name == name);
        self.out.variables[id.0 as usize].bounds = Bounds {
            min: attribute("min").and_then(number),
            max: attribute("max").and_then(number),
        };
        for attribute in &variable.attributes {
            if attribute.name == "start" {
                self.out.variables[id.0 as usize].start = self.constant_number(&attribute.value);
            } else if attribute.name == "fixed" {
                let fixed = self.constants.evaluate(&attribute.value) == Some(Value::Bool(true));
                self.out.variables[id.0 as usize].fixed = fixed;
            }
        }
    }

    /// A number over parameters; `None` if it needs anything else.
    fn constant_number(&mut self, exp: &FlatExp) -> Option<Expr> {
        let before = self.diagnostics.len();
        let modes = self.out.modes.len();
        let result = self.number(exp);
        let plain = self.diagnostics.len() == before && self.out.modes.len() == modes;
        self.diagnostics.truncate(before);
        (plain && crate::sym::variables(&result).is_empty()).then_some(result)
    }

    fn new_mode(&mut self, def: ModeDef, name: Arc<str>, origin: &Arc<Origin>) -> ModeId {
        self.out.modes.push(ModeVar {
            name,
            def,
            reads: Reads::Input,
            start: None,
            auxiliary: false,
            constant: false,
            origin: origin.clone(),
        })
    }

    fn push_equation(&mut self, kind: EquationKind, guard: CondId, lhs: Expr, rhs: Expr) {
        if guard == Conds::FALSE {
            return;
        }
        let origin = self.origin.clone();
        self.out.equations.push(Equation {
            kind,
            guard,
            lhs,
            rhs,
            origin,
        });
    }

    fn meaning(&self, id: flat::VarId) -> Option<&Meaning> {
        match self.meanings.get(Idx::new(id.index())) {
            Some(meaning) => meaning.as_ref(),
            None => self.known_meanings.get(Idx::new(id.index())),
        }
    }

    fn set_meaning(&mut self, id: flat::VarId, meaning: Meaning) {
        self.meanings[Idx::new(id.index())] = Some(meaning);
    }

    fn family(&self, id: flat::VarId) -> Option<FamilyId> {
        match self.meaning(id)? {
            Meaning::Family(family) => Some(*family),
            _ => None,
        }
    }

    /// Reports a construct that the analysis does not know, at the place where we are.
    fn unsupported(&mut self, construct: &str) {
        let message = format!("{construct} is not supported by the analysis of modes");
        // One message per place: an expression may come by several times.
        let span = self.origin.span;
        let known = |d: &Diagnostic<Place>| {
            d.message == message && d.labels.first().is_some_and(|label| label.at == span)
        };
        if self.diagnostics.iter().rev().take(16).any(known) {
            return;
        }
        self.diagnostics.push(
            Diagnostic::new(Code::MS4010, message)
                .label(span, "in this equation")
                .note(
                    "everything else of the model was understood; without this equation the modes \
                     cannot be judged, so nothing is said about them",
                ),
        );
    }

    /// Runs `inside` with another place for messages and new equations.
    fn at<T>(&mut self, origin: &Arc<Origin>, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.origin, origin.clone());
        let result = inside(self);
        self.origin = outer;
        result
    }

    /// Runs `inside` one level deeper; `None` beyond the limit.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.unsupported("an expression nested this deep");
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        Some(result)
    }
}

/// The scalar variable an expression names, if it is nothing else.
fn as_variable(exp: &FlatExp) -> Option<flat::VarId> {
    match exp {
        Exp::Ref(FlatRef::Var(id)) => Some(*id),
        Exp::Cast(_, inner) => as_variable(inner),
        _ => None,
    }
}
