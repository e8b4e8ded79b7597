//! The one registry of diagnostic codes, the [`Diagnostic`] type and its renderers.

mod diagnostic;
mod registry;

pub use diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
pub use registry::{Code, Phase};
