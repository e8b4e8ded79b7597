//! The structure of all modes at once, without enumerating them.

mod problem;

pub use problem::{GuardedEdge, GuardedProblem, ModeSystem};

use crate::{EqId, ModeVar, NodeLimit, VarId};

/// One piece of a partition: a value and the modes that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<S> {
    pub modes: S,
    pub value: i32,
}

/// A function from modes to integers: disjoint pieces, ascending by value, none of them empty.
pub type Partition<S> = Vec<Piece<S>>;

/// The structure of all modes of a guarded problem.
///
/// All mode sets of a component depend on its own mode variables alone and lie within its
/// [`Component::care`]: what happens in other components does not multiply them.
#[derive(Clone, Debug)]
pub struct AllModes<S> {
    /// The connected components, in the order of their first equation (or variable).
    pub components: Vec<Component<S>>,
    /// Per equation the smallest offset `c_f`, over the regular modes in which it is enabled.
    pub c: Vec<Partition<S>>,
    /// Per variable the smallest offset `d_x`, over the regular modes in which it occurs.
    pub d: Vec<Partition<S>>,
    /// Per equation the number of its component.
    pub component_of_equation: Vec<usize>,
    /// Per variable the number of its component.
    pub component_of_variable: Vec<usize>,
}

/// A part of the model that shares no variable with the rest, in any mode.
#[derive(Clone, Debug)]
pub struct Component<S> {
    pub equations: Vec<EqId>,
    pub variables: Vec<VarId>,
    /// The mode variables on which the component depends, ascending.
    pub mode_variables: Vec<ModeVar>,
    /// The possible valuations of the component's mode variables.
    pub care: S,
    /// The modes in which the component is structurally regular.
    pub regular: S,
    /// The modes in which it is not: `care` without `regular`.
    pub singular: S,
    /// The maximum-weight matching, an edge with the modes in which it is matched.
    pub matched: Vec<GuardedEdge<S>>,
    /// Set if the mode sets of this component outgrew the node limit. Then `regular`, `singular`,
    /// `matched` and the offsets of its equations and variables are empty.
    pub over_limit: Option<NodeLimit>,
}
