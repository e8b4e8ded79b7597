//! Outcomes that depend on numbers, kept while the numbers they were computed from stay the same.
//!
//! The [shape](crate::shape) of a model leaves out the equations that always hold, apart from what occurs in them, and the values
//! of parameters. Whatever is computed from a structure and from numbers notes which equations and parameters it looks at
//! ([`Trace`]); the outcome is [`Kept`] with the structure and used again while these are equal. An edit of one equation then
//! costs what looks at that equation. Tables are compared as a whole ([`Outcomes`]).

use crate::model::{Bounds, EqId, MDae, Table};
use crate::sym::{Expr, ParamId, VarId};
use modeshift_base::{FxHashMap, FxHashSet, FxIndexMap, Name};
use std::cell::RefCell;
use std::sync::Arc;

/// The equations and parameters that were looked at.
#[derive(Default)]
pub(crate) struct Trace {
    equations: RefCell<FxIndexMap<EqId, ()>>,
    parameters: RefCell<FxIndexMap<ParamId, ()>>,
    /// Variables whose declared bounds count.
    variables: RefCell<FxIndexMap<VarId, ()>>,
}

impl Trace {
    pub(crate) fn equation(&self, id: EqId) {
        self.equations.borrow_mut().insert(id, ());
    }

    pub(crate) fn parameter(&self, id: ParamId) {
        self.parameters.borrow_mut().insert(id, ());
    }

    pub(crate) fn variable(&self, id: VarId) {
        self.variables.borrow_mut().insert(id, ());
    }

    /// An outcome with what it was computed from.
    pub(crate) fn keep<T>(self, mdae: &MDae, outcome: T) -> Kept<T> {
        let equations = self.equations.into_inner().into_keys().map(|id| {
            let equation = &mdae.equations[id];
            (id, equation.lhs.clone(), equation.rhs.clone())
        });
        let parameters = self.parameters.into_inner().into_keys().map(|id| {
            let parameter = mdae.parameter(id);
            (
                id,
                parameter.value.map(f64::to_bits),
                parameter.binding.clone(),
            )
        });
        let variables = self.variables.into_inner().into_keys();
        Kept {
            equations: equations.collect(),
            parameters: parameters.collect(),
            bounds: variables.map(|id| (id, mdae.variable(id).bounds)).collect(),
            outcome,
        }
    }
}

/// An outcome, and the numbers it was computed from.
pub(crate) struct Kept<T> {
    equations: Vec<(EqId, Expr, Expr)>,
    parameters: Vec<(ParamId, Option<u64>, Option<Expr>)>,
    bounds: Vec<(VarId, Bounds)>,
    outcome: T,
}

impl<T> Kept<T> {
    /// The outcome, if a model of the same shape has the same numbers wherever it was looked at.
    pub(crate) fn get(&self, mdae: &MDae) -> Option<&T> {
        let same_equation = |(id, lhs, rhs): &(EqId, Expr, Expr)| {
            let equation = &mdae.equations[*id];
            equation.lhs == *lhs && equation.rhs == *rhs
        };
        let same_parameter = |(id, value, binding): &(ParamId, Option<u64>, Option<Expr>)| {
            let parameter = mdae.parameter(*id);
            parameter.value.map(f64::to_bits) == *value && parameter.binding == *binding
        };
        let same_bounds = |(id, bounds): &(VarId, Bounds)| mdae.variable(*id).bounds == *bounds;
        let same = self.equations.iter().all(same_equation)
            && self.parameters.iter().all(same_parameter)
            && self.bounds.iter().all(same_bounds);
        same.then_some(&self.outcome)
    }
}

/// Outcomes for one structure, by their place in it: the last of each.
pub(crate) struct Outcomes<T> {
    lookups: FxHashSet<Name>,
    tables: FxHashMap<Name, Table>,
    known: FxHashMap<usize, Arc<Kept<T>>>,
}

impl<T> Default for Outcomes<T> {
    fn default() -> Self {
        Self {
            lookups: FxHashSet::default(),
            tables: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }
}

impl<T> Outcomes<T> {
    /// Forgets everything if the tables of the model have changed.
    pub(crate) fn prepare(&mut self, mdae: &MDae) {
        if self.lookups != mdae.lookups || self.tables != mdae.tables {
            self.known.clear();
            self.lookups.clone_from(&mdae.lookups);
            self.tables.clone_from(&mdae.tables);
        }
    }

    pub(crate) fn get(&self, place: usize) -> Option<Arc<Kept<T>>> {
        self.known.get(&place).cloned()
    }

    pub(crate) fn insert(&mut self, place: usize, kept: Kept<T>) {
        self.known.insert(place, Arc::new(kept));
    }
}
