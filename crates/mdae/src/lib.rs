//! The guarded mDAE: mode variables, guards, care set, logico-numerical fixpoints.

pub mod analysis;
pub mod around;
pub mod calm;
mod care;
mod common;
pub mod cond;
pub mod diagnose;
pub mod fixpoint;
pub mod formula;
pub mod incidence;
pub mod loops;
pub mod lower;
pub mod mode;
pub mod model;
mod numbers;
pub mod predicate;
pub mod print;
pub mod rank;
pub mod shape;
pub mod space;
#[cfg(test)]
mod testing;

pub use analysis::{Analysis, Options};
pub use lower::{Known, Lowered, lower, lower_again};
pub use modeshift_sym as sym;
