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
//! | which equation determines which variable | [`maximum_matching`] |
//! | too many, too few, and why | [`DulmageMendelsohn`] |
//! | in which order to solve | [`block_triangular_form`] |
//! | how often to differentiate | [`sigma_method`], [`ModeStructure`] |
//! | matchings of largest weight | [`max_weight_perfect_matching`], [`least_dual`] |
//! | the same in all modes at once | [`GuardedProblem`], [`analyse_all_modes`] |
//! | index and freedom by mode | [`component_classes`], [`combined_classes`], [`Profile`] |
//! | why modes are singular | [`diagnose`] |
//! | who depends on whom in which modes | [`dependency_graph`] |
//! | sets of modes, and words for them | [`ModeSets`], [`BddSets`], [`formula`] |

mod allmodes;
mod btf;
mod dm;
mod graph;
mod ids;
mod matching;
mod modesets;
mod scc;
mod sigma;
pub mod testing;
mod weighted;

pub use allmodes::{
    AllModes, Class, Component, Dependency, Diagnoses, Diagnosis, GuardedEdge, GuardedProblem,
    Indices, ModeSystem, Partition, Piece, Profile, analyse_all_modes, combined_classes,
    component_classes, dependency_graph, diagnose, mode_count,
};
pub use btf::{Block, Blocks, block_triangular_form};
pub use dm::{DulmageMendelsohn, Part};
pub use graph::{Bipartite, SigmaMatrix};
pub use ids::{EqId, ModeVar, VarId};
pub use matching::{Matching, maximum_matching};
pub use modesets::{
    BddSet, BddSets, Cube, Distribution, ExplicitSets, Formula, Literal, MaxLength, ModeSets,
    NodeLimit, Sum, Valuation, Watched, Within, formula, irredundant_cover, true_counts,
};
pub use sigma::{ModeStructure, Offsets, sigma_method};
pub use weighted::{Dual, Floor, Weight, least_dual, max_weight_perfect_matching};
