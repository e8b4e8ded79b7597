//! The guarded mDAE: mode variables, guards, care set, symbolic expressions, logico-numerical fixpoints.

pub mod cond;
pub mod formula;
pub mod incidence;
pub mod lower;
pub mod model;
pub mod predicate;
pub mod print;
pub mod space;
pub mod sym;
#[cfg(test)]
mod testing;

pub use lower::{Lowered, lower};
