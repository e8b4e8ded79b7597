//! Models whose structure does not change: one sorted system over all unknowns, continuous and discrete, directly from
//! the flat model, as appendix B of the Modelica specification has it.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`classify`], [`alias`] | which variables are unknown, and which are the same |
//! | [`lower`], `parameter`, `expression`, `selection`, `condition`, `call`, `builtin` | expressions as nodes of one graph |
//! | `equation`, `semilinear`, `statement` | equations and algorithms as nodes |
//! | [`texts`] | what computes with strings, as functions |
//! | `delays`, `transport` | `delay` and `spatialDistribution` |
//! | `constant` | variables that are numbers |
//! | `states` | which derivatives are states |
//! | [`system`], [`order`], `invert`, [`mixed`] | index reduction, matching, order of computation, loops through conditions |
//! | [`initial`], `kuhn` | the initial values as a problem of its own |
//! | [`machine`], [`mod@run`] | what happens at an instant, and the loop over time |
//! | [`output`], [`valuation`], [`diagnose`] | signals, modes by name, and messages |
//! | [`witness`] | the discrete variables of a run mode by mode, a second time |
//!
//! Where the structure does change (a constraint that comes and goes), a jump has to follow from the equations on both
//! sides of it; that is the business of [`crate::simulator`]. A run here notices it and says so.

pub mod alias;
mod builtin;
mod call;
pub mod classify;
mod condition;
mod constant;
mod delays;
pub mod diagnose;
mod equation;
mod expression;
pub mod initial;
mod invert;
mod kuhn;
pub mod lower;
pub mod machine;
pub mod mixed;
pub mod order;
pub mod output;
mod parameter;
pub mod run;
mod selection;
mod semilinear;
pub mod slots;
mod statement;
mod states;
pub mod system;
pub mod texts;
mod tied;
mod transport;
mod undefined;
pub mod valuation;
pub mod value;
pub mod witness;
mod zero;

pub use classify::is_input;
pub use lower::Refusal;
pub use parameter::is_parameter;
pub use run::{Outcome, run};
