//! Mode changes: mode change arrays, facts, rescaling, restart systems, transient modes.
//!
//! The theory is that of Benveniste, Caillaud, Chen, Ghorbal and Malandain (*Structural methods for
//! handling mode changes in multimode DAE systems*, RR-9603): around the instant `t*` at which the mode
//! changes, derivatives are replaced by difference quotients with step ε, finitely many instants of the
//! new mode are stacked into an *array* of equations, impulsive variables are found by a calculus of
//! orders in ε⁻¹, and ε := 0 in the rescaled array gives the *restart system*, which relates left limits
//! to right limits.
//!
//! [`analyse`] is a pure function of one [`Change`]. The modules follow its steps:
//!
//! | module | step |
//! | --- | --- |
//! | [`change`] | what a mode change is |
//! | [`sigma`] | offsets of the two long modes |
//! | [`mod@array`], [`euler`] | rows and variables of the array, Euler identities |
//! | [`facts`] | what holds already: zero crossings, what the old mode guarantees, what follows |
//! | [`heights`] | how many instants each equation is stacked for |
//! | [`rescale`] | orders of impulses |
//! | [`verdict`] | goodness, Corollary 1 |
//! | [`system`] | the restart system |

pub mod array;
pub mod cascade;
pub mod change;
pub mod diagnose;
pub mod eliminate;
mod euler;
pub mod events;
pub mod explore;
pub mod facts;
pub mod heights;
pub mod left_limits;
pub mod matching;
pub mod modes;
pub mod names;
pub mod numeric;
pub mod parts;
pub mod rescale;
pub mod sigma;
pub mod system;
pub mod terms;
pub mod verdict;

#[cfg(test)]
mod acceptance;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod testing;

pub use change::{Change, Law, ModeEquation, Role, Transient};
pub use verdict::{Analysis, Flag, Verdict, analyse};
