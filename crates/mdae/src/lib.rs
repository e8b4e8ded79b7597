//! The guarded mDAE: mode variables, guards, care set, symbolic expressions, logico-numerical fixpoints.

pub mod cond;
pub mod incidence;
pub mod lower;
pub mod model;
pub mod predicate;
pub mod print;
pub mod sym;

pub use lower::{Lowered, lower};
