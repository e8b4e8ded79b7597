//! The guarded mDAE: mode variables, guards, care set, symbolic expressions, logico-numerical fixpoints.

pub mod cond;
pub mod model;
pub mod sym;
