//! The flat model: connection sets, scalarisation, functions, and its exports.

pub mod export;
pub mod model;
pub mod simplify;
