//! The instance tree: modifiers, redeclarations, types, variability, constant evaluation.

pub mod exp;
pub mod tree;
pub mod ty;
