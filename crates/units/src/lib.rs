//! Units: dimensional analysis of a flat model.
//!
//! [`mod@unit`] reads unit strings by the grammar of the Modelica specification (chapter 19), [`expression`] works out the
//! unit of an expression, [`check`](mod@check) finds units of variables that declare none and compares the sides of equations,
//! bindings, relations and arguments. Where anything is in doubt (a number that may carry a unit, a unit that is not
//! known, a temperature with an offset) nothing is said. Time is linear in the model, times the few rounds that the
//! search for units takes.

mod check;
mod expression;
mod unit;

pub use check::check;
pub use unit::Unit;
