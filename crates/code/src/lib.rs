//! Functions of a model, compiled to code of their own and executed.
//!
//! A [`Library`] holds the functions of a flat model as bytecode on typed registers. A [`Site`] is a place where one of
//! them is called with arguments of known shape: numbers in, numbers out. The machine is generic in its numbers, so
//! that derivatives of any order come from running the same code on dual numbers.

pub mod array;
mod cache;
mod compile;
mod compiled;
pub mod context;
mod derivative;
pub mod error;
pub mod external;
mod ins;
mod library;
pub mod machine;
pub mod num;
mod site;
mod ty;

pub use cache::Wanted;
pub use context::{Context, WarningKind};
pub use error::{CallError, Trouble};
pub use library::{Library, Runtime};
pub use site::{Argument, LANES, Machines, Shape, Site};
