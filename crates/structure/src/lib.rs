//! Pure graph algorithms: matching, Dulmage–Mendelsohn, block triangular form, Sigma-method, for one
//! mode and for all modes at once.
//!
//! The crate knows nothing of Modelica: a caller numbers its equations and variables, hands over who
//! occurs where with how many derivatives (and, for many modes, in which mode sets), and gets plain
//! numbers back. Nothing here reads files, prints, or recurses on the size of its input.
//!
//! | question | answer |
//! | --- | --- |
//! | who occurs where | [`Bipartite`], [`SigmaMatrix`] |
//! | the same in many modes | [`GuardedProblem`], [`AllModes`] |
//! | sets of modes | [`ModeSets`], [`BddSets`], [`ExplicitSets`] |

mod allmodes;
mod graph;
mod ids;
mod modesets;

pub use allmodes::{
    AllModes, Component, GuardedEdge, GuardedProblem, ModeSystem, Partition, Piece,
};
pub use graph::{Bipartite, SigmaMatrix};
pub use ids::{EqId, ModeVar, VarId};
pub use modesets::{BddSet, BddSets, ExplicitSets, ModeSets, NodeLimit, Valuation};
