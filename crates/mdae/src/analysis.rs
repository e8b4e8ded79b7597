//! The structure of an mDAE in all its modes.

mod classes;
#[cfg(test)]
pub(crate) mod oracle;
mod structured;
#[cfg(test)]
mod tests;
mod valuation;

pub(crate) use structured::Structure;
pub use structured::{DependencyText, Structured};
pub use valuation::{kind_of, split_items, valuation_names};

use crate::fixpoint::{self, Fixpoint};
use crate::loops::Loop;
use crate::model::{EqId, MDae};
use crate::shape::Shape;
use crate::sym::VarId;
use modeshift_base::FxHashSet;
use modeshift_flat::model::Place;
use modeshift_structure::{BddSet, BddSets, Indices, ModeVar, NodeLimit};
use num_bigint::BigUint;
use std::ops::Deref;
use std::sync::{Arc, PoisonError};

/// Up to this many modes everything is listed mode by mode where a report asks for it.
pub const LISTED_MODES: usize = 4096;

/// Stands for degrees of freedom that were not worked out.
pub const UNKNOWN_FREEDOM: i64 = i64::MIN;

#[derive(Clone, Debug)]
pub struct Options {
    /// The largest number of decision diagram nodes.
    pub node_limit: usize,
    /// Fixpoints that only change coefficients are errors, too.
    pub deny_fixpoints: bool,
    /// Analyse all modes; else only single modes can be asked for.
    pub structure: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            node_limit: BddSets::DEFAULT_NODE_LIMIT,
            deny_fixpoints: false,
            structure: true,
        }
    }
}

/// What the modes of a class have in common.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Regular(Indices),
    Singular(Singular),
    /// Not square, but a `when` equation fires there: the mode lasts one instant.
    Transient,
}

/// Why a mode is singular.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Singular {
    pub over_equations: Vec<EqId>,
    pub over_variables: Vec<VarId>,
    pub under_equations: Vec<EqId>,
    pub under_variables: Vec<VarId>,
}

/// Modes with the same structure.
#[derive(Clone, Debug)]
pub struct Class {
    pub when: String,
    pub count: BigUint,
    pub kind: Kind,
    /// One mode of the class: the value of every mode variable.
    pub representative: Vec<bool>,
    /// All modes of the class as values of [`Classes::modes`], if they are few.
    pub valuations: Option<Vec<Vec<bool>>>,
    pub members: Members,
}

/// Which modes belong to a class, for those who ask more than [`Class::when`] can say.
#[derive(Clone, Debug)]
pub enum Members {
    /// A set of [`Structured::sets`](structured::Structured::sets).
    Set(BddSet),
    /// Those in which one of `counts` of the variables are true.
    Counted {
        vars: Vec<ModeVar>,
        counts: Vec<usize>,
    },
    /// [`Class::valuations`] says it, or nothing but an example is known.
    Listed,
}

/// A partition of modes.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The mode variables it speaks about.
    pub modes: Vec<ModeVar>,
    pub classes: Vec<Class>,
}

/// A part of the model that shares no variable with the rest, and its classes.
#[derive(Clone, Debug)]
pub struct Part {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    pub classes: Option<Classes>,
    pub over_limit: Option<NodeLimit>,
}

/// An offset by mode.
pub type Offsets = Vec<(String, i32)>;

/// The result. What follows from the shape of the model alone is in [`Structured`], as whose extension it behaves.
pub struct Analysis {
    pub mdae: MDae,
    /// Loops between conditions and unknowns, decided.
    pub loops: Vec<Loop>,
    /// The cycles of those that are errors or warnings.
    pub fixpoints: Vec<Fixpoint>,
    /// How many of the loops were decided for this model, and not for one with the same numbers in them.
    decided: usize,
    structured: Arc<Structured>,
}

impl Deref for Analysis {
    type Target = Structured;
    fn deref(&self) -> &Structured {
        &self.structured
    }
}

impl Analysis {
    pub fn new(mdae: MDae, options: &Options) -> Self {
        Self::watched(mdae, options, &|| {})
    }

    /// The same under supervision: `check` is called often and gives the analysis up by unwinding.
    pub fn watched(mdae: MDae, options: &Options, check: &dyn Fn()) -> Self {
        let structured = Structured::new(&Shape::of(&mdae), options, check);
        Self::of(mdae, Arc::new(structured), options, check)
    }

    /// The same, where the structure of the model's shape is known.
    pub fn of(
        mut mdae: MDae,
        structured: Arc<Structured>,
        options: &Options,
        check: &dyn Fn(),
    ) -> Self {
        // The structure speaks of conditions that only it has needed so far.
        mdae.conds.clone_from(&structured.mdae.conds);
        let mut this = Self {
            mdae,
            loops: Vec::new(),
            fixpoints: Vec::new(),
            decided: 0,
            structured,
        };
        this.decided = fixpoint::decide(&mut this, options, check);
        this
    }

    /// How many loops were decided and how many blocks evaluated for this model, and not taken over from one with the same
    /// numbers in them.
    pub fn looked_at(&self) -> (usize, usize) {
        let ranks = self.ranks.lock().unwrap_or_else(PoisonError::into_inner);
        let evaluated = ranks.as_ref().map_or(0, |ranks| ranks.evaluated);
        (self.decided, evaluated)
    }

    /// Every place a report may point at.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.mdae.places()
    }

    /// Whether a `when` says something about an unknown of the modes.
    pub fn has_laws(&self) -> bool {
        self.mdae.equations.iter().any(|equation| {
            let unknown = |side| {
                let reads: std::collections::BTreeSet<_> = crate::sym::variables(side);
                reads
                    .into_iter()
                    .any(|read| read.at == crate::sym::At::Now && self.mdae.is_unknown(read.var))
            };
            matches!(equation.kind, crate::model::EquationKind::Transient(_))
                && (unknown(&equation.lhs) || unknown(&equation.rhs))
        })
    }

    /// The names of all variables that singular modes are about.
    pub fn singular_names(&self) -> FxHashSet<Arc<str>> {
        self.singular()
            .flat_map(|reason| reason.over_variables.iter().chain(&reason.under_variables))
            .map(|&x| self.mdae.variable(x).name.clone())
            .collect()
    }

    /// Whether some part of the model is singular whatever the mode.
    pub fn is_singular_throughout(&self) -> bool {
        let mut classes = self.parts.iter().filter_map(|part| part.classes.as_ref());
        classes.any(|it| {
            let singular = |kind: &Kind| matches!(kind, Kind::Singular(_));
            !it.classes.is_empty() && it.classes.iter().all(|class| singular(&class.kind))
        })
    }

    /// Whether some mode has too few equations, and none too many.
    pub fn lacks_equations(&self) -> bool {
        let lacks = |it: &Singular| it.over_equations.is_empty() && !it.under_variables.is_empty();
        self.singular().next().is_some() && self.singular().all(lacks)
    }

    fn singular(&self) -> impl Iterator<Item = &Singular> {
        let classes = self.parts.iter().filter_map(|part| part.classes.as_ref());
        let classes = classes.flat_map(|it| &it.classes);
        classes.filter_map(|class| match &class.kind {
            Kind::Singular(reason) => Some(reason),
            _ => None,
        })
    }
}
