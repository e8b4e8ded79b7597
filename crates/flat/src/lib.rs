//! The flat model: connection sets, scalarisation, functions, and its exports.

pub mod balance;
pub mod circuit;
mod classic;
pub mod clocks;
pub mod connect;
pub mod cycles;
pub mod events;
pub mod export;
pub mod flatten;
mod functions;
pub mod hints;
pub mod known;
pub mod layout;
pub mod lint;
pub mod lower;
pub mod model;
pub mod named;
pub mod plain;
mod recursion;
pub mod simplify;
mod statements;
mod told;
pub mod undefined;
mod unroll;
pub mod variables;
pub mod walk;
pub mod walked;

pub use flatten::{Flat, Options, flatten};
