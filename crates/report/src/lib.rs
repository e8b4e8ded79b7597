//! Serde documents with a schema version, tables and graphs made from analysis results.

pub mod compare;
pub mod graph;
pub mod html;
pub mod mdae;
pub mod modes;
mod place;
pub mod plot;
pub mod simulation;
pub mod transitions;
mod verdict;

pub use verdict::ModelVerdict;
