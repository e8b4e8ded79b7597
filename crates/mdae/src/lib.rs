//! The guarded mDAE: mode variables, guards, care set, symbolic expressions, logico-numerical fixpoints.

pub mod sym;
