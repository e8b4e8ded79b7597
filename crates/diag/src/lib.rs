//! The one registry of diagnostic codes, the [`Diagnostic`] type and its renderers.

mod apply;
mod diagnostic;
mod files;
pub mod json;
mod registry;
pub mod sarif;
pub mod terminal;

pub use apply::apply_fixes;
pub use diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
pub use files::{Files, Place, SourceFile};
pub use registry::{Code, Phase};
