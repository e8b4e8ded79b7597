//! Scalable models and slow, obvious oracles: what tests and benchmarks compare the analysis with.
//! Nothing in the analysis uses this module.

mod families;
mod oracle;

pub use families::{clutches, gearbox, ladder, mesh, rc_chain, rldc};
pub use oracle::{brute_force_matching_size, brute_force_offsets};
