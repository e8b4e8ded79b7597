//! The flat model: connection sets, scalarisation, functions, and its exports.

pub mod model;
