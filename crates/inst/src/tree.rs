//! The typed instance tree: what instantiation hands to flattening.
//!
//! ## How it is laid out
//!
//! Every declared component of the instantiated model is one [`Component`] in one arena, whatever its
//! array dimensions: `R r[100]` is *one* component with `dims = [100]`, and so are its parts. Expansion
//! into elements is flattening's job. Components with parts (models, blocks, connectors, records) have a
//! [`ClassInst`] with their own components, equations and algorithms.
//!
//! ## How references resolve
//!
//! A [`Cref`](crate::exp::Cref) names components by id, so that resolving one is O(1) and never a name
//! lookup. Its first part may be any component: its *implicit prefix* is its chain of
//! [`Component::parent`]s. Where that chain runs through arrays, the subscripts of the prefix are those of
//! the element that is being flattened (an expression can only mention components of the classes that
//! enclose it, so an index for each such array is always at hand). Example: in `model A Real x; equation
//! x = p; end A; model M parameter Real p; A a[3]; end M;`, the reference `x` has one part whose parent is
//! `a`; while `a[2]` is being flattened it means `a[2].x`.
//!
//! References to `outer` components are resolved already: their first part is the `inner` component.
//! Package constants and `constant` components are replaced by their values, so no reference to them
//! remains; parameters that were used structurally have [`Component::value`].
//!
//! ## Modifiers of arrays
//!
//! A [`Binding`] (of a component or an attribute) is typed in the scope of the modifier that gave it. For
//! `A a[3](x = e)` without `each`, `e` has one dimension more than `x`; [`Binding::indexed_by`] then lists
//! the array components (here `a`), outermost first, whose current subscripts select from `e`.

use crate::exp::{Cref, Exp};
use crate::ty::{Causality, Dim, Type, Variability};
use modeshift_base::{FileSpan, Idx, Name, SharedVec, Span};
use modeshift_diag::Diagnostic;
use modeshift_hir::{ClassId, ClassSpan};
pub use modeshift_syntax::ast::{ClassKind, Flow};
use std::sync::Arc;

/// Where something stands in the source.
pub type Place = FileSpan;

/// A place in the own text of a class, in the form that everything from here on carries along.
pub(crate) fn place_of(class: ClassId, span: Span) -> Place {
    ClassSpan::new(class, span).to_place()
}

pub type ComponentId = Idx<Component>;
pub type ClassInstId = Idx<ClassInst>;

/// The result of instantiating one class.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Instance {
    /// The class itself. `None` when it could not be instantiated at all.
    pub root: Option<ClassInstId>,
    pub components: SharedVec<Component>,
    pub classes: SharedVec<ClassInst>,
    /// Functions that may be called, record constructors included, sorted by name. Some are only called by what
    /// was evaluated: hand out those that are reachable from the flat model.
    pub functions: Vec<Arc<Function>>,
    /// Constructors of records that stand for records of another class: they are handed out, though nothing calls them.
    pub constructors: Vec<Arc<str>>,
    /// Where constants with a unit were replaced by their values, which have none.
    pub unit_constants: Vec<Place>,
    pub diagnostics: Vec<Diagnostic<Place>>,
}

/// A `connect` that vanishes because what it names has a condition that is false.
#[derive(Clone, PartialEq, Debug)]
pub struct LeftOpen {
    pub connect: Place,
    /// As it is written: `heater.heatPort`.
    pub absent: Arc<str>,
    /// Where the absent component is declared, with its condition.
    pub declared: Option<(Place, Arc<str>)>,
    /// It is a connector of the class that contains the `connect`, which leaves it out on purpose.
    pub own: bool,
}

/// A structured class of the instance tree: a model, block, connector or record.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassInst {
    /// Fully qualified name of the class (of the redeclaring one, if it was redeclared).
    pub name: Arc<str>,
    pub kind: ClassKind,
    /// The component this class is the type of; `None` for the root.
    pub owner: Option<ComponentId>,
    /// Own and inherited components in the order they are printed. Conditional components that are absent
    /// are not listed (they have [`Component::absent`]).
    pub components: Vec<ComponentId>,
    pub initial_equations: Vec<Equation>,
    pub equations: Vec<Equation>,
    pub initial_algorithms: Vec<Algorithm>,
    pub algorithms: Vec<Algorithm>,
    pub comment: Option<Arc<str>>,
    /// `missingInnerMessage` and the like are not here: only what later phases use.
    pub place: Place,
}

/// One declared component, or one variable of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    pub name: Name,
    /// The component whose class declares or inherits this one; `None` in the root and in functions.
    pub parent: Option<ComponentId>,
    /// Type without the component's own dimensions. Type aliases with dimensions (`type V3 = Real[3]`)
    /// have theirs in `dims`, behind those of the declaration.
    pub ty: Type,
    pub dims: Vec<Dim>,
    /// For models, blocks, connectors and records: the parts.
    pub class: Option<ClassInstId>,
    /// Kind of the component's class: tells connectors, expandable connectors, records and types apart.
    pub kind: ClassKind,
    pub variability: Variability,
    /// Declared with the prefix `discrete`.
    pub discrete: bool,
    /// As declared, or as inherited from an enclosing `input`/`output` component of record type.
    pub causality: Option<Causality>,
    pub flow: Option<Flow>,
    pub inner: bool,
    /// For an `outer` component: the `inner` it stands for. It has no variables of its own.
    pub outer: Option<ComponentId>,
    /// For an `inner outer` component: the `inner` farther out. It has variables of its own, which states of a state
    /// machine pass on.
    pub around: Option<ComponentId>,
    /// Made by the compiler because an `outer` had no `inner`.
    pub generated: bool,
    /// An element of an expandable connector that only a `connect` equation mentions.
    pub added: bool,
    /// Declared `protected`, or part of a protected component.
    pub protected: bool,
    pub final_: bool,
    /// For a member of a connector whose class has one: the function `equalityConstraint`. Only told where the
    /// model has overconstrained connectors at all.
    pub constraint: Option<Arc<str>>,
    /// Its condition is false: it and every connection to it vanish.
    pub absent: bool,
    /// A connector that a `connect` joins to one that is absent.
    pub left_open: Option<Arc<LeftOpen>>,
    /// Attributes of a variable that were given a value, in the order quantity, unit, displayUnit, min,
    /// max, start, fixed, nominal, stateSelect, unbounded.
    pub attributes: Vec<Attribute>,
    pub binding: Option<Binding>,
    /// Value of a parameter that was used structurally or has `Evaluate = true`: references to it are to be
    /// replaced by this. Of the component's whole (array) type.
    pub value: Option<Exp>,
    pub comment: Option<Arc<str>>,
    pub place: Place,
}

/// The value given to a component or an attribute.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    pub exp: Exp,
    /// What was written, where `exp` is its value: a structural parameter is known before the simulation.
    pub given: Option<Box<Exp>>,
    /// Type of `exp` as a whole, dimensions of `indexed_by` included.
    pub ty: Type,
    pub variability: Variability,
    /// Array components, outermost first, whose subscripts select from `exp`.
    pub indexed_by: Vec<ComponentId>,
    /// Given with `each` or declared for a single value: the same for all elements of the component's
    /// own dimensions (attributes only: `Real x[3](each start = 1)`).
    pub each: bool,
    /// The start value of a parameter without a value, where a flat model leaves it to the attribute: of a field of a record, or
    /// of an array whose type gives it.
    pub only_start: bool,
    pub final_: bool,
    pub place: Place,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    pub name: Name,
    pub binding: Binding,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    pub kind: EquationKind,
    pub place: Place,
    /// The description behind it.
    pub comment: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum EquationKind {
    /// Both sides have been cast to `ty`.
    Equality {
        lhs: Exp,
        rhs: Exp,
        ty: Type,
    },
    Connect {
        from: Cref,
        to: Cref,
        from_place: Place,
        to_place: Place,
    },
    /// Conditions known at compile time have been resolved, except inside arrays of components whose
    /// elements differ and in loops whose iterator the condition mentions.
    If {
        branches: Vec<(Exp, Vec<Equation>)>,
        else_: Vec<Equation>,
    },
    /// `range` is a value wherever it is known, which it is outside loops over the bounds of others.
    For {
        iterator: Name,
        range: Exp,
        body: Vec<Equation>,
    },
    When {
        branches: Vec<(Exp, Vec<Equation>)>,
    },
    Assert {
        condition: Exp,
        message: Exp,
        level: Exp,
    },
    Terminate {
        message: Exp,
    },
    Reinit {
        variable: Exp,
        value: Exp,
    },
    /// A call without result: also `Connections.root(...)`, `Connections.branch(...)` …
    Call(Exp),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Algorithm {
    pub statements: Vec<Statement>,
    pub place: Place,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub place: Place,
    pub comment: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// `target` is a reference or a tuple of references.
    Assign {
        target: Exp,
        value: Exp,
        ty: Type,
    },
    If {
        branches: Vec<(Exp, Vec<Statement>)>,
        else_: Vec<Statement>,
    },
    For {
        iterator: Name,
        range: Option<Exp>,
        body: Vec<Statement>,
    },
    While {
        condition: Exp,
        body: Vec<Statement>,
    },
    When {
        branches: Vec<(Exp, Vec<Statement>)>,
    },
    Assert {
        condition: Exp,
        message: Exp,
        level: Exp,
    },
    Terminate {
        message: Exp,
    },
    Reinit {
        variable: Exp,
        value: Exp,
    },
    Call(Exp),
    Break,
    Return,
}

/// A function that is called somewhere. Its variables are components without a parent.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// As printed and as in [`crate::exp::Callee::User`].
    pub name: Arc<str>,
    pub comment: Option<Arc<str>>,
    pub pure: bool,
    /// Inputs, outputs and protected variables, in order of declaration.
    pub variables: Vec<ComponentId>,
    pub body: FunctionBody,
    /// Functions that are handed out with this one though it does not call them: its derivatives and inverses,
    /// and the constructors of the records among its variables.
    pub along: Vec<Arc<str>>,
    /// `Inline`, `derivative`, `inverse` …: annotations that are printed behind the body.
    pub annotation: Option<Arc<str>>,
    pub hints: Arc<Hints>,
    pub place: Place,
}

/// What a function's author says about it by annotations (12.7, 12.8 of the specification).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hints {
    /// In order: the first one whose restrictions are met counts.
    pub derivatives: Vec<DerivativeHint>,
    pub inverses: Vec<InverseHint>,
    pub inline: Option<bool>,
    /// `LateInline` or `InlineAfterIndexReduction`: derivatives and inverses are used before.
    pub late_inline: Option<bool>,
    pub generate_events: bool,
    /// How often the function can be differentiated with continuous results.
    pub smooth_order: Option<u32>,
    /// External and neither `pure` nor `impure`: it may be called everywhere.
    pub undeclared: bool,
}

impl Hints {
    /// Whether writing the function out early would lose something that its author gave. A derivative is not lost: code
    /// that is written out does not iterate, and is differentiated exactly.
    pub fn wants_calls(&self) -> bool {
        let early = self.inline == Some(true) && self.late_inline != Some(true);
        let inverse = !self.inverses.is_empty();
        inverse && !early || self.inline == Some(false) && self.late_inline != Some(true)
    }
}

/// Where the code of an external function is, by annotation (12.9.4 of the specification).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NativeCode {
    pub libraries: Vec<Arc<str>>,
    /// `LibraryDirectory`.
    pub directory: Option<Arc<str>>,
    /// There is C code that would have to be compiled.
    pub include: bool,
}

/// `derivative(order = 2, zeroDerivative = k) = f`.
#[derive(Clone, PartialEq, Debug)]
pub struct DerivativeHint {
    pub function: Arc<str>,
    pub order: u32,
    /// Inputs that must not change.
    pub zero: Vec<Name>,
    /// Inputs whose derivatives are left out.
    pub no: Vec<Name>,
    pub place: Place,
}

/// `inverse(input = function(arguments))`.
#[derive(Clone, PartialEq, Debug)]
pub struct InverseHint {
    pub input: Name,
    pub function: Arc<str>,
    pub args: Vec<Name>,
    pub place: Place,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FunctionBody {
    Algorithm(Vec<Statement>),
    External {
        language: Arc<str>,
        /// The C (or FORTRAN 77) function.
        name: Arc<str>,
        args: Vec<Exp>,
        output: Option<Exp>,
        /// Printed form of `annotation(...)` without the keyword.
        annotation: Option<Arc<str>>,
        code: Arc<NativeCode>,
    },
    /// A record constructor made by the compiler.
    RecordConstructor,
    /// `function fx = der(f, x)`
    Derivative {
        of: Arc<str>,
        wrt: Vec<Name>,
    },
    /// Only a signature: the formal type of a function argument.
    Partial,
}
