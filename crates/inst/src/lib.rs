//! The instance tree: modifiers, redeclarations, types, variability, constant evaluation.
//!
//! [`instantiate`] takes a class and gives the typed tree of its instances ([`tree::Instance`]), with everything
//! that is wrong as diagnostics in it. All work is done on demand and remembered, so that declarations may refer
//! to each other in any order: what is asked for while it is being worked out is circular, and is reported.
//!
//! The way of a component: [`expand`](mod@expand) makes elements of declarations and passes modifiers on,
//! [`component`](mod@component) gives an element its entry in the tree, [`typing`](mod@typing) finds out types,
//! dimensions and bindings, [`ceval`] values, and [`build`](mod@build) puts the classes together.

mod build;
pub mod builtin;
pub mod ceval;
mod checks;
mod component;
mod connectors;
mod cx;
pub mod exp;
mod expand;
mod extends;
mod inner;
mod looked_into;
mod lookup;
mod modifier;
mod node;
mod partial;
mod prefixes;
mod print;
mod redeclare;
mod resolve;
mod skeleton;
mod split;
mod subtype;
pub mod tree;
pub mod ty;
mod typing;
mod unknown;

pub use build::{instantiate, instantiate_function};
pub use skeleton::Skeleton;
