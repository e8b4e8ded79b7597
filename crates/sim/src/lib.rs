//! Simulation of models whose modes and mode changes are understood.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`tape`] | expressions as bytecode, with automatic differentiation |
//! | [`mode`], [`plan`], [`block`] | one mode: index reduction, dummy derivatives, block triangular form, tearing |
//! | [`jacobian`] | sparse Jacobians of right-hand sides |
//! | [`integrate`] | explicit and implicit one-step methods with dense output |
//! | [`predicates`], `crossing` | when mode variables flip, and where in a step |
//! | [`simulator`], [`start`], [`event`], [`run`] | consistent start, mode changes with hot restarts, the loop over time |
//! | [`sorted`] | models whose structure does not change: one sorted system, as the specification has it |
//! | [`discrete`] | the discrete variables of a run mode by mode: the event iteration of [`sorted`] beside restarts |
//! | [`restarts`] | restart systems as compiled code |
//! | [`result`] | trajectories and the log of events |
//! | [`agree`] | two runs of one model held against each other |
//!
//! Only modes that are visited are compiled. Nothing here reads or writes files.

pub mod agree;
pub mod block;
mod branches;
pub mod capture;
mod crossing;
pub mod delay;
pub mod diagnose;
pub mod discrete;
pub mod event;
pub mod export;
pub mod failure;
pub mod inputs;
pub mod integrate;
pub mod jacobian;
pub mod layout;
pub mod mode;
mod mythical;
pub mod parameters;
pub mod plan;
pub mod predicates;
pub mod profile;
pub mod restarts;
pub mod result;
pub mod run;
mod samples;
pub mod simulator;
pub mod sorted;
pub mod start;
pub mod tape;
mod zeno;

pub use failure::{Failure, FailureKind};
pub use result::{Simulation, Trajectory};
pub use run::{Options, Solver, simulate};
