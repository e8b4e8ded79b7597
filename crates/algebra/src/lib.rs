//! Numbers and linear systems: exact rationals, residues modulo a prime, and every elimination of the compiler.
//!
//! | a system | is solved by | decides |
//! | --- | --- | --- |
//! | sparse, modulo a prime | [`Echelon`] | ranks, membership, dependences: exactly, but for a chance of 2⁻⁶⁰ |
//! | square, of floats | [`Lu`], [`Factors`] where it is sparse | a solution, or that the matrix is singular |
//! | of any shape, of floats | [`reduce`] | which columns the rows determine |
//!
//! Two thresholds tell numbers from rounding, each in one place: [`SINGULAR`] for systems that are to be solved if they can
//! be, and [`DEPENDENT`] where a rank is decided.

mod dense;
mod echelon;
mod modular;
mod rational;
mod sparse;

pub use dense::{
    DEPENDENT, Lu, Pivot, Preference, SINGULAR, Singular, independent_columns, reduce,
};
pub use echelon::{Echelon, Row, Solution};
pub use modular::{Fp, PRIME};
pub use rational::Rational;
pub use sparse::{Factors, Sparse};
