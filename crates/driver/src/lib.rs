//! A session: the database with its files and libraries, and the pipeline as compositions of queries.
//!
//! Both front ends, the command line and the language server, stand on [`Session`]. Never here:
//! algorithms (they are in the stages) and rendering (it is in `diag` and `report`).

mod allowed;
mod analysed;
mod at_start;
mod attempt;
mod calls;
mod collect;
mod facts;
mod home;
mod lagged;
mod memory;
mod modes;
mod page;
mod pipeline;
mod plain;
mod session;
mod settings;
pub mod simulate;
mod start;

pub use analysed::Analysed;
pub use attempt::{Interrupted, attempt};
pub use collect::Report;
pub use facts::{ConditionFact, EquationFact, ModeFacts, Share, mode_facts};
pub use modes::Modes;
pub use modeshift_db::{Database, MemorySystem, OsSystem, System};
pub use modeshift_flat::clocks::START as CLOCK_START;
pub use modeshift_hir::{ClassId, Db, Experiment};
pub use pipeline::{Phase, flat, flat_with, instance, is_component, mdae, without_clocks};
pub use session::Session;
pub use settings::Settings;

/// What commands on modes need of the analysis.
pub mod analysis {
    pub use modeshift_mdae::analysis::{Analysis, Options};
    pub use modeshift_mdae::model::MDae;
}
