//! Symbolic expressions: what the equations, predicates and restart systems of an mDAE are made of.
//!
//! An [`Expr`] is an immutable shared tree with exact rational constants. Variables, parameters and
//! guard conditions are small ids whose meaning belongs to the holder of the expression, so that this
//! crate knows neither names nor BDDs.

mod affine;
mod derive;
mod eval;
mod expr;
mod gradient;
mod linear;
mod poly;
mod print;
mod sample;
mod walk;

#[cfg(test)]
mod tests;

pub use affine::is_affine;
pub use derive::{partial, time_derivative};
pub use eval::{EvalError, Field, Valuation, evaluate};
pub use expr::{At, CondId, Expr, Func, Kind, ParamId, RelOp, VarId, VarRef};
pub use gradient::{NoGradient, gradient};
pub use linear::{Occurrence, exponents_of, occurrences};
pub use modeshift_algebra::{Fp, PRIME, Rational};
pub use poly::{
    Limits, Monomial, Polynomial, TooLarge, equal_up_to_factor, normal_form, normal_form_within,
};
pub use print::{Names, Style, latex_escaped, latex_name, print};
pub use sample::Sample;
pub use walk::{
    contains_condition, for_each_node, incidence, map_leaves, params, resolve, substitute,
    variables,
};
