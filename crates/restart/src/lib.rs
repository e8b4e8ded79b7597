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
//! | `judgement` | goodness, Corollary 1, what depends on the scheme |
//! | `distribution` | linear changes, exactly |
//! | [`verdict`] | the result |
//! | [`system`] | the restart system |
//!
//! Around it, [`modes`], [`eliminate`], [`events`] and [`parts`] make [`Change`]s out of an mDAE,
//! [`explore`] lists them all, and [`diagnose`] tells a modeller about them.
//!
//! # Restarts in numbers
//!
//! A simulation asks one question: the model is in mode S⁻ with these left limits, these mode variables
//! flip; which mode comes next, and with which values? [`solve::Planner`] answers it:
//!
//! ```ignore
//! let mut planner = Planner::new(&mdae);
//! let change = planner.plan(&mode, &[(engaged, true)])?;   // analysed once per distinct change
//! let transition = &planner.found().transitions[change];  // .to is the mode after, .transient the instant
//! match planner.found().verdict(transition) {
//!     Verdict::Determined => {
//!         let restarted = planner.solve(change, &Given { left, params, time });
//!         // restarted.right: states and assigned discrete variables; .weights: impulses; .failures
//!     }
//!     _ => diagnose(planner.found(), transition, 1),       // what to tell the modeller
//! }
//! ```
//!
//! Variables that are neither in `right` nor impulsive follow from the equations of the mode after. For
//! the start of the model, [`explore::initialise`] gives the one transition, and [`solve::solve`] its
//! numbers.

pub mod array;
mod calm;
pub mod cascade;
pub mod change;
mod complete;
pub mod describe;
pub mod diagnose;
mod distribution;
pub mod eliminate;
mod enumerate;
mod euler;
pub mod events;
mod explicit;
pub mod explore;
pub mod facts;
pub mod heights;
mod judgement;
pub mod left_limits;
pub mod matching;
pub mod modes;
pub mod names;
pub mod newton;
pub mod numeric;
pub mod parts;
mod regular;
pub mod rescale;
pub mod sigma;
pub mod solve;
mod start;
pub mod system;
pub mod terms;
mod ties;
pub mod verdict;

#[cfg(test)]
mod acceptance;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod testing;

pub use change::{Change, Law, ModeEquation, Role, Transient};
pub use solve::{Planner, Restarted};
pub use verdict::{Analysis, Flag, Verdict, analyse};
